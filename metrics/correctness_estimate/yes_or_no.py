"""Whether an answer says yes or no as a reference does.

A text may say it in a word for it ("yes", "of course"), in a short sentence ("it doesn't"), in
conclusion ("so the answer is no"), or in a sentence that only implies it. Such sentences in Chinese
are read here, others in implied_answer.py.
"""

import re
from functools import lru_cache

from .answer_sentences import ALL, list_sentences
from .contraries import decide_contrary
from .implied_answer import read_implied_answer, read_shared_words
from .denials import find_denying_words
from .lexicon import AUXILIARY, BE
from .opposites import compile_senses
from .options import takes_offered_word
from .outcomes import DIFFERENT, EQUAL, LIKELY, OPEN, UNLIKELY, Decision
from .roles import has_exchanged_roles
from .statement_frames import leaves_statement_open, read_framed_statement
from .text import HAN, RECENT_TEXTS, Text, is_negator

LONGEST_READ = 3000  # characters in which yes, no and a question for them are looked for
LONGEST_IMPLYING = 60  # words of a text that may imply yes or no


# ---- questions for yes or no

# "Is it open?", "In 2020, did it open?", "¿Está abierto?", "True or false: ...", 开门了吗
YES_NO_QUESTION = re.compile(
    r"\W*(?:(?:in|based|according|as|for|if|when|at|during|given|using)\b[^?,]*, ?)?(?:(?:is|are"
    r"|was"
    r"|were|do|does|did|has|have|had|can|could|will|would|should|may|might|must)(?:n't|nt)?|am"
    r"|won't|can't"
    r"|cannot|ist|sind|war|waren|hat|haben|hatte|kann|können|darf|dürfen|muss|müssen|wird|werden"
    r"|gibt|est-ce"
    r"|est|sont|était|peut-on|y a-t-il|le \w+ est-il)\b|¿(?!\W*(?:qu|cu[aá]|d[oó]nde|c[oó]mo"
    r"|por qu|en qu|de qu))"
    r"|(?:true or false|right or wrong|correct or (?:false|wrong|incorrect)|yes or no)\b"
    r"|wahr oder falsch|vrai ou faux|verdadero o falso"
    r"|.*(?:吗|对还是错|是否|是不是|能不能|有没有|会不会|可不可以)",
    re.IGNORECASE | re.DOTALL,
)
# Questions that name "true" or "yes" as something to choose
TRUE_OR_FALSE = re.compile(
    r"\W*(?:(?:true|right|correct|yes) or |wahr oder |vrai ou |verdadero o )", re.IGNORECASE
)


@lru_cache(maxsize=RECENT_TEXTS)
def asks_yes_or_no(question: Text) -> bool:
    """Return whether a question asks for yes or no."""
    return YES_NO_QUESTION.match(question.text[:LONGEST_READ]) is not None


# What stands before the last part of a sentence: the lake is nice; is it deep?
PART_BEFORE = re.compile(r"^.*[;:–—] ", re.DOTALL)


@lru_cache(maxsize=RECENT_TEXTS)
def read_last_question(question: Text) -> Text:
    """Return the part of a question that asks for yes or no, or the whole question.

    "My order arrived broken. Will the shop refund me?", "Will it refund me? My order is broken."
    """
    if not question.words:
        return question
    if asks_yes_or_no(question):
        asked, mark, behind = question.text.partition("? ")
        return Text(f"{asked}?") if mark and behind else question
    last_sentence = question.text[question.starts[question.find_sentence(-1).start] :]
    if "?" not in last_sentence:
        return question
    last = Text(PART_BEFORE.sub("", last_sentence))
    return last if asks_yes_or_no(last) else question


def is_choice(reference: Text, question: Text) -> bool:
    """Return whether a question names things to choose from, other than true or false."""
    if "or" not in question.first_place or reference.stems[0] not in question.places:
        return False
    return TRUE_OR_FALSE.match(question.text) is None


# ---- words for yes and no

# Words for yes and no at the beginning of a reference, or of an answer to any question.
YES = re.compile(
    r"\W*(?:(?:yes|yeah|yep|correct|true|right|ja|indeed|oui|s[ií](?=\W*$|,))\b"
    r"|(?:是的|没错|对|正确|可以|能|会|是|有|行|成立)(?=\W|$|的\W*$))",
    re.IGNORECASE,
)
NO = re.compile(
    r"\W*(?:(?:no(?! (?:\w+ than|fewer|less|doubt|question|wonder|problem|one)\b)|nope|not really"
    r"|incorrect|false|nein|non(?=\W*$|,))\b"
    r"|(?:不是|不对|不能|不可以|不会|不行|不|错误?|否|没有|没)(?=\W|$|的))",
    re.IGNORECASE,
)
# After a word for yes or no the text ends, or a mark, a pronoun or a reason follows.
END = (
    r"(?=\W*$|\s*[,.;:!?—–-]"
    r"|\s(?:it|he|she|they|there|i|we|you|that|this|because|since|as|and|but|so|to)\b)"
)
NOT_SO = r"(?:so|true|right|the case|correct)"
# Words for no, and below words for yes, in an answer to a question for yes or no.
DENIED = re.compile(
    r"\W*(?:"
    # "certainly not", "I'm afraid not"
    r"(?:i'm |i am |we're )?(?:absolutely|certainly|definitely|of course|probably|surely|obviously"
    r"|clearly|apparently|unfortunately|sadly|regrettably|afraid|sorry|actually|most certainly"
    r"|naturally|alas|hopefully),? not\b"
    r"|(?:better|rather) not(?=\W*$|[.,:;!])"
    r"|i(?: really)? (?:don't|do not) (?:think|believe) so|i doubt it"
    # "not at all", and "not" with up to four words
    r"|not\b(?! only\b| just\b| to mention\b| without\b| (?:one|a single)\b)(?:\W+\w+\b){0,4}\W*$"
    r"|not (?:at all|yet|really|quite|exactly|necessarily|any ?more|any longer|in the least|even"
    r"|in the slightest|remotely|particularly|officially|since|until|always|every\w*|all)\b"
    r"|(?:never|nah|nay|no way|by no means|in no way|under no circumstances|on no account"
    r"|in no case|far from it|anything but|on the contrary|quite the (?:opposite|contrary|reverse)"
    r"|the opposite|nobody|no one|nothing|none|neither|nowhere|hardly|scarcely|negative|wrong"
    r"|untrue|impossible|out of the question|no longer|not likely|unlikely|no chance"
    rf"|that(?:'s| is) not {NOT_SO}"
    r"|(?:that|this|it)(?:'s| is) (?:just |only )?(?:an? )?(?:\w+ )?"
    r"(?:myth|misconception|legend|hoax|fallacy|lie|rumou?r)"
    # German, Spanish, French
    r"|keineswegs|auf keinen fall|nie|niemals|gar nicht|überhaupt nicht|leider nicht|falsch"
    r"|(?:natürlich |sicher |bestimmt )?nicht|claro que no|por supuesto que no|en absoluto"
    r"|de ninguna manera|nunca|jam[aá]s|tampoco|falso|pas du tout|absolument pas|pas encore"
    rf"|bien sûr que non|jamais|nullement|faux){END})",
    re.IGNORECASE,
)
# "Sure! ...", "Of course. ...": a yes, or only the politeness with which a service begins.
POLITE_YES = (
    r"(?:sure(?: thing)?|certainly|of course|absolutely|definitely|gladly|with pleasure"
    r"|klar|gern(?:e)?|natürlich|claro(?: que sí)?|por supuesto|bien sûr)"
)
AFFIRMED = re.compile(
    rf"\W*(?:{POLITE_YES}|yup|yea|aye|exactly|precisely|naturally|totally|obviously|undoubtedly"
    r"|surely|quite so|by all means"
    r"|(?:most|very) (?:certainly|definitely|likely|much so)|affirmative|always|you bet|go ahead"
    rf"|(?:that's|that is|it's|it is|this is) (?:{NOT_SO}|a fact)|i'd say so"
    r"|i (?:think|believe|guess|suppose) so|(?:without|beyond)(?: any| a)? (?:doubt|question)"
    r"|feel free|no problem|why not"
    # German, Spanish, French
    r"|jawohl|selbstverständlich|genau|richtig|sicher(?:lich)?|doch|allerdings"
    r"|auf jeden fall|(?:das )?stimmt|durchaus|desde luego|cierto"
    r"|así es|efectivamente|correcto|verdadero|tout à fait|certainement|effectivement"
    rf"|exact|exactement|vrai|en effet|mais oui|absolument){END}",
    re.IGNORECASE,
)
# "There is no doubt about it", "it cannot be denied", "nobody would dispute that": a yes, but where
# the question is whether something is doubted, a no.
UNDOUBTED = re.compile(
    r"\W*(?:(?:there(?: is|'s) )?(?:no|little) (?:doubt|question|denying)(?: about)?"
    r"|(?:it|that|this) (?:can't|cannot|can not|can hardly) be"
    r" (?:denied|disputed|doubted|questioned)"
    r"|(?:(?:it|that)(?: is|'s) )?(?:hard|difficult|impossible) to (?:deny|dispute|doubt)"
    r"|(?:nobody|no one) (?:would |can |could )?(?:doubts?|den(?:y|ies)|disputes?))"
    r"(?: it| that)?\W*$",
    re.IGNORECASE,
)
DOUBT = re.compile(
    r"\b(?:be|been|is|was|being) (?:\w+ ){0,4}?(?:denied|doubted|disputed|questioned)\b"
    r"|\b(?:any|a|some|no|the slightest) (?:doubt|question|dispute)\b|\bdoubts\b"
    r"|\b(?:can|could|would) (?:\w+ ){1,3}?(?:deny|doubt|dispute)\b"
    r"|\b(?:does|do|did) (?:\w+ ){1,3}?(?<!the )(?<!a )(?:doubt|dispute|question)\b"
)
# "Not all of them are sold" denies only where the question asks for all.
NOT_ALL = re.compile(r"\W*not (?:all|every\w*|each)\b(?= \w)", re.IGNORECASE)
PARTIAL = re.compile(
    r"\W*(?:sometimes|partly|in part|it depends|that depends|to some extent|maybe|perhaps"
    r"|possibly)\b",
    re.IGNORECASE,
)
CHINESE_DENIED = re.compile(
    r"\W*(?:(?:当然|肯定|绝对|并|也|还|从来|根本|恐怕)?(?:不|没有?|未|非)(?:是|会|能|行|对|可以|可能|算|存在|这样|如此|成立|允许|必)?"
    r"(?:的|了|吗|哦|啊|呢|过)?(?=\W|$)|并非(?!无|不|没)(?:如此|\S{0,6}\W*$)|绝不|绝非|毫不|怎么(?:会|可能)|哪有|从未(?=\W|$)|错了?(?=\W"
    r"|$)|不见得|未必|不一定|尚未(?=\W|$)|没门)"
)
CHINESE_AFFIRMED = re.compile(
    r"\W*(?:嗯|对的?|没错|当然(?:是|会|能|可以|有|行)?(?:的|了)?|确实(?:如此|是|会|有)?|的确(?:如此|是)?|肯定(?:是|会|能)?的?"
    r"|是这样的?|正是|正确|"
    r"好的?|没问题|必须的|毫无疑问|可以的?|会的|能的?|有的?|行|是的?|算是|属实|不错)(?=\W|$)"
)
# "So the answer is no". The match begins at the last mark before the word: if it began at every
# mark, a long run of marks would take quadratic time.
CONCLUSION = re.compile(
    r"(?:[.!?:\n][^\w.!?:\n]*|\b(?:so|therefore|thus|hence|answer is|conclusion),?\W+)(yes|no)\b",
    re.IGNORECASE,
)
# "That statement is not quite correct"
VERDICT = re.compile(
    r"\W*(?:(?:the|that|this) )?(?:statement|claim|assertion|sentence|that|this|it)"
    r"(?: is|'s| was)(?: not)?(?: quite"
    r"| completely| entirely)? "
    r"(?:correct|true|right|accurate|false|incorrect|wrong|untrue|inaccurate)\b",
    re.IGNORECASE,
)
UNTRUE_VERDICT = re.compile(
    r".*?(?:\bnot\b(?!.*(?:false|incorrect|wrong))|false|incorrect|wrong|untrue|inaccurate)",
    re.IGNORECASE,
)
LETTER_ALONE = re.compile(r"\W*([TFYN])\W*", re.IGNORECASE)  # true, false, yes, no
# Words after a "no" that answers without a mark after it: "no it is not".
DIRECT_FOLLOWERS = frozenset(
    "it he she they there i we you that this the a an not because as in on at his her their "
    "its".split()
)


# "Yes? No!", "Yes or no, it depends"
QUESTIONED = re.compile(r"^\W*(?:yes|no)\?\s+(?=\w)", re.IGNORECASE)
EITHER_WORD = re.compile(
    r"\W*(?:(?:either )?(?:yes or no|no or yes)|neither yes nor no)\b", re.IGNORECASE
)
# "You'd think not, but yes", "It used to be no, but now it is yes", "until last year; now no"
SETTLED_WORD = re.compile(
    r"(?:[,;.] (?:but|now|today|and now),?|\b(?:but|now|today) (?:it is|it's|the answer is))"
    r" (?P<word>yes|no)\W*$",
    re.IGNORECASE,
)
# "They didn't get it done in time, no."
LAST_WORD = re.compile(r"(?<=\w)(?P<mark>,| [–—-]) (?P<word>yes|no)[.!]?\s*$", re.IGNORECASE)
# "Some say no, but that is wrong", "Yes would be the wrong answer"
CALLED_WRONG = re.compile(
    r"(?:\b(?:say|says|think|believe|claim|answer|guess) |^\W*)(?P<word>yes|no)"
    r"(?:, but (?:that|this|it|they)(?: is|'s| are|'re)| (?:is|was|would be))"
    r" (?:\w+ )?(?:wrong|mistaken|incorrect|false|untrue|not true|not right)\b",
    re.IGNORECASE,
)


def read_settled_word(start: str) -> float:
    """Return 1 if an answer settles on yes in the end or calls a no wrong, -1 if reversed, or 0."""
    wrong = CALLED_WRONG.search(start)
    if wrong:
        return -1.0 if wrong["word"].lower() == "yes" else 1.0
    settled = SETTLED_WORD.search(start)
    if settled:
        return 1.0 if settled["word"].lower() == "yes" else -1.0
    return 0.0


def read_direct_answer(text: Text, question: Text) -> float:
    """Return 1 if a text says yes in words for it, -1 if it says no, else 0."""
    start = QUESTIONED.sub("", text.text[:LONGEST_READ])
    if EITHER_WORD.match(start):
        return 0.0
    if side := read_settled_word(start):
        return side
    is_spanish = question.text[:1] == "¿"
    if NO.match(start) and (is_spanish or not is_determiner(text)):
        return -1.0
    if asks_yes_or_no(question):
        if is_partial(start, question):
            return 0.0
        if side := read_short_answer(text, question):
            return side
    return 1.0 if YES.match(start) else read_verdict(start)


def is_determiner(text: Text) -> bool:
    """Return whether a first "no" belongs to a noun: "no password is needed"."""
    if text.words[:1] != ["no"] or len(text.words) < 2 or text.clause[0] != text.clause[1]:
        return False
    return text.shown[1][0].islower() and text.words[1] not in DIRECT_FOLLOWERS


def is_partial(start: str, question: Text) -> bool:
    """Return whether an answer says neither yes nor no: it depends; not all of them are."""
    if PARTIAL.match(start):
        return True
    return NOT_ALL.match(start) is not None and ALL.isdisjoint(question.words)


def read_short_answer(text: Text, question: Text) -> float:
    """Return 1 for "of course" or "it does", -1 for "not at all" or "they don't", else 0."""
    start = text.text[:LONGEST_READ]
    if UNDOUBTED.match(start):
        return -1.0 if DOUBT.search(question.lower) else 1.0
    if letter := LETTER_ALONE.fullmatch(start):
        return 1.0 if letter[1] in "TYty" else -1.0
    denied = DENIED.match(start) or CHINESE_DENIED.match(start)
    # Is it a myth? It is a myth.
    if denied and not UNTRUE_WORDS.intersection(Text(denied[0]).words, question.words):
        return -1.0
    if side := read_short_sentence(text, question) or read_short_subject(start, question):
        return side
    return 1.0 if AFFIRMED.match(start) or CHINESE_AFFIRMED.match(start) else 0.0


def read_verdict(start: str) -> float:
    """Return 1 for "that is true" or a "yes" in conclusion, -1 for the opposite, else 0."""
    if VERDICT.match(start):
        return -1.0 if UNTRUE_VERDICT.match(start) else 1.0
    if ends := CONCLUSION.findall(start):
        return 1.0 if ends[-1].lower() == "yes" else -1.0
    return 0.0


# ---- short sentences

# Adverbs that may stand beside an auxiliary verb: they certainly don't
SMALL_ADVERBS = (
    "certainly definitely absolutely indeed surely really sure always still never also already "
    "usually generally mostly normally typically often hardly scarcely barely rarely seldom "
    "both all clearly obviously probably so not n't cannot anymore yet now too though"
).split()
SELDOM = frozenset("hardly scarcely barely rarely seldom".split())  # these deny, too
# How often something is so answers a question for whether it ever or always is with neither.
SOMETIMES = SELDOM | frozenset("usually generally mostly normally typically often".split())
EVER = frozenset("ever sometimes occasionally rarely seldom often usually".split())
SMALL_WORDS = "|".join(sorted({*SMALL_ADVERBS, *AUXILIARY}, key=len, reverse=True))
# "It does", "they certainly don't", "so she has": a pronoun, an auxiliary verb and small adverbs
SHORT_SENTENCE = re.compile(
    r"\W*(?:(?:indeed|afraid|i'm afraid|i am afraid|sorry|well|unfortunately|actually|in fact),? )?"
    r"(?:that )?(?:it|he|she|they|there|you|i|we|this|that|these|those|one)"
    r"(?P<verb>'s|'re|'ve|'m|'ll|'d)?"
    rf"(?P<rest>(?: (?:{SMALL_WORDS}|\w+n't)\b)+)"
    r"(?:,? (?:at all|any ?more|very much|a lot|a great deal|in fact|of course)"
    r"|(?P<adverb>,? \w+ly)|(?P<duty>(?: (?:have|need))? to))?"
    r"(?:\W*$|, (?:by far|but|though|although|even though|because|since|as|and|so|unless|just|only"
    r"|if|when|provided|except|together|along|lots|plenty|loads|thousands|hundreds|dozens)\b)|"
    r"\W*(?:indeed,? )?"
    r"(?P<inverted>so (?:it|he|she|they) (?:is|does|did|has|are|do|was|were))\W*$",
    re.IGNORECASE,
)
# "Somebody did", "nobody has"
SHORT_SUBJECT = re.compile(
    r"\W*(?:(?:only |just )?(?:(?P<no>nobody|no one|none|nothing|not (?:one|a single one))"
    r"|(?P<some>somebody|someone|something|some|many|most|several|half|a few)"
    r"|everybody|everyone|everything|all|each|every (?:single |last )?one))"
    r" (?:of (?:them|us|these|those) )?"
    r"(?:did|does|do|has|have|had|is|are|was|were|can|could|will|would)\W*$",
    re.IGNORECASE,
)
DUTY = frozenset("must need needed needs necessary obliged required have has".split())
SHARES = frozenset("few many most half several majority".split())


def read_short_sentence(text: Text, question: Text) -> float:
    """Return 1 if the first sentence is "it does" or the like, -1 for "they don't", else 0."""
    first = next(iter(list_sentences(text)), range(0))
    if not first:
        return 0.0
    match = SHORT_SENTENCE.match(text.span(first.start, first.stop))
    if not match:
        return 0.0
    if match["inverted"]:
        return 1.0
    words = match["rest"].lower().split()
    is_property = (match["adverb"] or "").startswith(" ") and not BE.isdisjoint(words)
    asks_how_often = not (ALL | EVER).isdisjoint(question.words)
    is_other_duty = match["duty"] and DUTY.isdisjoint(question.words)
    if is_property or is_other_duty or (asks_how_often and not SOMETIMES.isdisjoint(words)):
        return 0.0  # he was cowardly; it usually is
    n_negators = sum(is_negator(word) or word in SELDOM for word in words)
    has_verb = match["verb"] or n_negators or not AUXILIARY.isdisjoint(words)
    if not has_verb:
        return 0.0
    return -1.0 if n_negators % 2 else 1.0


def read_short_subject(start: str, question: Text) -> float:
    """Return 1 for "somebody did", -1 for "nobody did", else 0.

    Where the question is whether all did, "some did" is a no. Nothing is read where the question
    denies, or asks for another share: most.
    """
    match = SHORT_SUBJECT.match(start)
    if not match or question.denials or asks_for_other_share(question, match["some"]):
        return 0.0
    if match["no"]:
        return -1.0
    is_too_few = match["some"] and not ALL.isdisjoint(question.words)
    return -1.0 if is_too_few else 1.0


def asks_for_other_share(question: Text, share: str | None) -> bool:
    """Return whether a question asks for another share than an answer names: did most come? Some.

    What all did, most did, too.
    """
    asked = SHARES.intersection(question.words)
    if not share:
        return "few" in asked
    return bool(asked) and share.lower() not in asked


# ---- what an answer and a reference say

IMPLIED = 0.5  # what a sentence counts that implies yes or no
# The clause with which an answer concludes: it equals 7 times 13, so it is not prime.
CONCLUDING_CLAUSE = re.compile(
    r".*[,;:.] (?:and )?(?:so|therefore|thus|hence|which means(?: that)?),? (?!far\b|that\b|many\b)"
    r"(?P<clause>[^.;]+)[.;]?\s*$",
    re.DOTALL | re.IGNORECASE,
)
LONGEST_CHINESE = 6  # characters of a Chinese reference that gives no reason
NO_STATEMENT = frozenset("yet any more longer anymore at all really quite".split())
FIRST_WORD = re.compile(r"\W*(?:yes|no|yeah|nope)\b[,;.:!]? ", re.IGNORECASE)


# Words for what is not so. Where a question has one, an answer may repeat it: is it a myth that...
UNTRUE_WORDS = frozenset(
    "myth misconception legend hoax fallacy lie rumour rumor wrong false untrue incorrect mistake "
    "impossible unlikely doubtful doubt".split()
)


# "It is false that she failed", "I doubt she passed": a claim in a clause that is denied.
DENIED_CLAIM = re.compile(
    r"\W*(?:it(?:'s| is| was) (?:simply |just |completely )?(?:not (?:true|right|correct|the case)"
    r"|untrue|false|wrong|incorrect|a (?:myth|lie|mistake)|doubtful|unlikely)"
    r"(?: to (?:say|think|claim|believe))?|it (?:isn't|wasn't) (?:true|right|correct|the case)"
    r"|i (?:really )?(?:don't|do not) (?:think|believe|suppose)|i (?:really )?doubt)"
    r"(?: that)? (?!so\b)(?P<clause>\w[^.;!]*)",
    re.IGNORECASE,
)


POLITE_START = re.compile(rf"\W*{POLITE_YES}[!.]+\s+(?=\w)", re.IGNORECASE)
# "Yes, I can help with that.", "Sure, I looked it up for you:" says what is done, and no yes.
SERVICE = re.compile(
    rf"\W*(?:(?:yes|yeah|{POLITE_YES})\W{{1,3}})?"
    r"(?:i|we|let me|let us|happy|glad)(?:'\w{1,2})?(?: (?!not\b)\w+){0,3}? ?"
    r"\b(?:help|assist|check|checked|looked|answer|explain|clarify|found)\b[^.!?:\n]{0,60}[.!:]\s+",
    re.IGNORECASE,
)


def read_yes_or_no(text: Text, question: Text) -> float:
    """Return 1 if a text says yes, -1 if it says no, half of that if it implies it, else 0.

    A no behind politeness counts: "Sure! No, it is closed", "Yes, I can help with that. It isn't".
    """
    start = text.text[:LONGEST_READ]
    service = SERVICE.match(start)
    if service:
        return read_plain_yes_or_no(Text(text.text[service.end() :]), question)
    polite = POLITE_START.match(start)
    behind = read_plain_yes_or_no(Text(text.text[polite.end() :]), question) if polite else 0.0
    return behind if behind < 0 else read_plain_yes_or_no(text, question)


def read_plain_yes_or_no(text: Text, question: Text) -> float:
    """Return what read_yes_or_no returns of a text that does not begin with politeness."""
    last = LAST_WORD.search(text.text[:LONGEST_READ])
    is_only_word = text.words.count("yes") + text.words.count("no") == 1
    if last and is_only_word and {"yes", "no"}.isdisjoint(question.words):
        return read_last_word(Text(text.text[: last.start("mark")]), last["word"].lower(), question)
    asks_for_denial = not UNTRUE_WORDS.isdisjoint(question.words)
    claim = None if asks_for_denial else DENIED_CLAIM.match(text.text[:LONGEST_READ])
    denied = read_implication(Text(claim["clause"]), question) if claim else 0
    if denied < 0:
        return IMPLIED  # it is false that she failed
    direct = read_direct_answer(text, question)
    return direct or IMPLIED * (-denied or read_implication(text, question))


def read_last_word(rest: Text, word: str, question: Text) -> float:
    """Return what a text says that ends with yes or no: they arrived separately, no.

    Behind a denial "no" may only repeat it: "It isn't open, no" is a yes where the question is
    whether it is closed.

    Args:
        rest: the text before the word.
        word: "yes" or "no".
        question: the question.
    """
    said = IMPLIED if word == "yes" else -IMPLIED
    last_clause = rest.find_clause(len(rest.words) - 1) if rest.words else range(0)
    is_contrast = last_clause.start > 0 and len(last_clause) < 3  # she came; Ben, no
    if is_contrast or not BE.isdisjoint(rest.words[-1:]):
        return read_plain_yes_or_no(Text(rest.span(0, last_clause.start)), question)
    if question.denials:
        return 0.0
    if not rest.denials:
        return said
    side = read_plain_yes_or_no(rest, question)
    return side if side or find_denying_words(question) else said


def read_side(answer: Text, question: Text) -> float:
    """Return 1 if a short answer says yes, -1 if it says no, IMPLIED of that if it implies it.

    Words that it shares with the question tell it where no sentence says or implies it.
    """
    return read_yes_or_no(answer, question) or IMPLIED * read_shared_words(answer, question)


def read_implication(text: Text, question: Text) -> int:
    """Return 1 if a text says what the question asks, -1 if it says the opposite, else 0."""
    if not question.words or len(text.words) > LONGEST_IMPLYING:
        return 0
    if question.is_chinese:
        return read_chinese_answer(text, question)
    concluding = CONCLUDING_CLAUSE.match(text.text)
    if concluding:
        side = read_implied_answer(Text(concluding["clause"]), question)
        if side:
            return side
    return read_implied_answer(text, question)


@lru_cache(maxsize=RECENT_TEXTS)
def read_expected_yes_or_no(reference: Text) -> float:
    """Return 1 if a reference begins with a word for yes, -1 with one for no, else 0."""
    if YES.match(reference.text):
        return 1.0
    return -1.0 if NO.match(reference.text) else 0.0


def read_expected_answer(reference: Text, question: Text) -> float:
    """Return 1 if a reference is a yes to a question, -1 if it is a no, else 0.

    It may say so with a verb, "it does", or repeat words of a Chinese question: 成功了.
    """
    if expected := read_expected_yes_or_no(reference):
        return expected
    if not asks_yes_or_no(question):
        return 0.0
    if side := read_direct_answer(reference, question):
        return side
    return read_repeated_words(reference.text.strip(), question) if reference.is_chinese else 0.0


def read_repeated_words(reference: str, question: Text) -> float:
    """Return 1 if a Chinese reference repeats words of the question, -1 with a negator, else 0."""
    bare = re.sub("[不没未有了的。]", "", reference)
    if not 0 < len(bare) <= LONGEST_CHINESE or bare not in question.text:
        return 0.0
    return -1.0 if reference.startswith(("不", "没", "未")) else 1.0


@lru_cache(maxsize=RECENT_TEXTS)
def read_statement(reference: Text) -> Text:
    """Return what a reference says behind its yes or no, an empty text if it says nothing.

    "Not yet" and "no longer" are no statement.
    """
    first = FIRST_WORD.match(reference.text)
    statement = Text(reference.text[first.end() :] if first else "")
    tells = any(word not in NO_STATEMENT and not is_negator(word) for word in statement.words)
    return statement if tells else Text("")


# ---- the decision

YES_AND_NO = re.compile(r"\W*(?:yes and no|no and yes|both yes and no|既是也不是)", re.IGNORECASE)
LONGEST_PLAIN = 4  # words of a reference that gives no reason
YES_AND_MORE = re.compile(r"(?:yes|no), \w", re.IGNORECASE)
# Stems of words that say no more than yes or no: definitely, I'm afraid not.
BARE_STEMS = frozenset(
    "yes no none all yeah yep nope true false correct right wrong not i'm afraid cours definit "
    "absolut".split()
)
# What is so no more, and what was never so or is not yet so.
NO_LONGER = re.compile(
    r"\b(?:no longer|not any ?(?:more|longer)|n't (?:\w+ ){0,4}?any ?(?:more|longer))\b"
)
NOT_YET = re.compile(
    r"\b(?:not yet|n't (?:\w+ ){0,4}?yet|yet to"
    r"|(?:has|have|had) never|never (?:has|have|had|did))\b"
)
LONGEST_TENSE = 6  # words of an answer that says nothing else


def decide_yes_or_no(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return EQUAL if an answer says yes or no as the reference does, DIFFERENT if the reverse.

    LIKELY or UNLIKELY if the answer only implies it, OPEN if it says neither. None if the
    reference says neither, or gives a reason and the answer does not say the opposite word.
    """
    question = read_last_question(question)
    if is_choice(reference, question):
        return None  # left or right
    expected = read_expected_answer(reference, question)
    if not expected:
        return decide_implied_reference(answer, reference, question)
    unclear = decide_unclear_side(answer, reference, question)
    if unclear:
        return unclear
    shown = reference.text.strip()
    answer = read_framed_statement(answer)
    side = read_side(answer, question) * expected
    if abs(side) < 1:
        decision = decide_contrary(answer, read_statement(reference), question)
        if decision and not (side < 0 and decision.outcome == LIKELY):
            return decision
    adds_more = is_with_reason(reference, question) or adds_other_words(answer, reference, question)
    if side == -1 or not adds_more:
        return rate_side(side, expected, answer, shown)
    # A bare "yes" lacks the reason.
    is_short = len(answer.words) <= LONGEST_PLAIN
    is_plain = side == 1 and is_short and not list_new(answer, question)
    is_implied = 0 < side < 1 and not reference.is_chinese
    is_likely = is_plain or (is_implied and not has_exchanged_roles(answer, reference))
    return Decision(LIKELY, "yes_no", answer.text.strip(), shown) if is_likely else None


def decide_unclear_side(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return the decision on an answer that says both yes and no, or leaves it open, else None.

    "Yes, but it is closed" says both, and "It is unclear if it is open" leaves it open.
    """
    found, shown = answer.text.strip(), reference.text.strip()
    if leaves_statement_open(answer) or has_other_tense(answer, reference):
        return Decision(UNLIKELY, "yes_no", found[:20], shown)
    if YES_AND_NO.match(answer.text):
        return Decision(DIFFERENT, "yes_no", found[:20], shown)
    if takes_back_yes_or_no(answer, question):
        return Decision(OPEN, "yes_no", found, shown)
    return None


# "Yes, but it is closed on Mondays."
YES_BUT = re.compile(
    r"\W*(?P<word>yes|no),? but (?!not |only )(?P<rest>[^?]{1,200})$", re.IGNORECASE
)


def takes_back_yes_or_no(answer: Text, question: Text) -> bool:
    """Return whether an answer says yes or no, and implies the contrary behind a "but"."""
    match = YES_BUT.match(answer.text)
    if not match:
        return False
    first = 1 if match["word"].lower() == "yes" else -1
    return read_side(Text(match["rest"]), question) * first < 0


def says_same_yes_or_no(answer: Text, reference: Text, question: Text) -> bool:
    """Return whether the first sentence of an answer is just the yes or no of a reference."""
    expected = read_expected_yes_or_no(reference)
    question = read_last_question(question)
    if not expected or not asks_yes_or_no(question) or not answer.words:
        return False
    first = Text(answer.span(0, answer.find_sentence(0).stop))
    return not list_new(first, question) and read_direct_answer(first, question) == expected


def has_other_tense(answer: Text, reference: Text) -> bool:
    """Return whether of two texts one says "no longer", and the other "not yet" or "never"."""
    if not answer.denials or not reference.denials or len(answer.words) > LONGEST_TENSE:
        return False
    ended = [NO_LONGER.search(text.lower) is not None for text in (answer, reference)]
    never = [NOT_YET.search(text.lower) is not None for text in (answer, reference)]
    return ended != never and sorted(ended) == sorted(never) == [False, True]


def rate_side(side: float, expected: float, answer: Text, shown: str) -> Decision:
    """Return the decision for an answer that says or implies yes or no.

    Args:
        side: 1 if the answer says what the reference says, -1 if it says the opposite; a half or
            minus a half if it implies that; 0 if it does neither.
        expected: 1 if the reference says yes, -1 if it says no.
        answer: the answer.
        shown: the reference as the decision shows it.
    """
    if side == 0:
        return Decision(OPEN, "yes_no", "", shown)
    if abs(side) == 1:
        outcome = EQUAL if side > 0 else DIFFERENT
        word = "yes" if side == expected else "no"
        return Decision(outcome, "yes_no", word, shown)
    outcome = LIKELY if side > 0 else UNLIKELY
    first_sentence = answer.span(0, answer.find_sentence(0).stop)
    return Decision(outcome, "yes_no", first_sentence, shown)


def is_with_reason(reference: Text, question: Text) -> bool:
    """Return whether a long reference has telling words that the question lacks."""
    if len(reference.words) <= LONGEST_PLAIN * (1 + reference.is_chinese):
        return False
    return any(stem not in question.places for stem in reference.content)


def adds_other_words(answer: Text, reference: Text, question: Text) -> bool:
    """Return whether a reference and a short answer add other words: yes, to peanuts; to pollen."""
    if len(answer.words) > LONGEST_PLAIN + 2 or not YES_AND_MORE.match(reference.text):
        return False
    added = set(list_new(answer, question))
    expected = set(list_new(reference, question))
    return bool(added and expected) and added.isdisjoint(expected)


def list_new(answer: Text, question: Text) -> list[str]:
    """Return the telling stems of an answer that say more than yes or no, and not the question."""
    known = question.places.keys() | BARE_STEMS
    return [stem for stem in answer.content if stem not in known and not is_negator(stem)]


def decide_implied_reference(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return LIKELY if an answer says or implies the same yes or no as a short reference implies.

    UNLIKELY for the opposite, else None. "It is poisonous" implies a no to "Is it edible?".
    """
    return compare_sides(read_implied_reference(reference, question), answer, reference, question)


def compare_sides(expected: int, answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return LIKELY if an answer says the yes or no that is expected, UNLIKELY for the opposite.

    None if the answer says neither, if 0 is expected, or if it has all words of the reference.
    """
    side = read_side(answer, question) * expected if expected else 0
    if side == 0 or (side > 0 and answer.has_all_content(reference)):
        return None
    outcome = LIKELY if side > 0 else UNLIKELY
    return Decision(outcome, "yes_no", answer.text.strip(), reference.text.strip())


def decide_restated_question(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return LIKELY if an answer says the same yes or no as a reference that repeats the question.

    UNLIKELY for the opposite, else None. "The script does not run" is a no to "Does it run?".
    """
    question = read_last_question(question)
    if not restates_question(reference, question):
        return None
    return compare_sides(read_implication(reference, question), answer, reference, question)


def restates_question(reference: Text, question: Text) -> bool:
    """Return whether a reference is a sentence that only repeats a question for yes or no."""
    is_choice = "or" in question.first_place
    if len(reference.words) <= LONGEST_PLAIN or reference.is_chinese or is_choice:
        return False
    return asks_yes_or_no(question) and not list_new(reference, question)


def read_implied_reference(reference: Text, question: Text) -> int:
    """Return 1 if a short reference implies a yes to the question, -1 if it implies a no, else 0.

    "They fell" is neither yes nor no to "Did prices rise or fall?", and "only on weekdays" is a yes
    with a condition.
    """
    longest = LONGEST_CHINESE if reference.is_chinese else LONGEST_PLAIN
    if len(reference.words) > longest or not asks_yes_or_no(question):
        return 0
    if takes_offered_word(reference, question) or reference.words[:1] == ["only"]:
        return 0
    return read_implication(reference, question)


# ---- Chinese sentences that say neither word

MOST_SENTENCES = 20
LONGEST_PART = 200  # characters of a sentence or a question that are read
QUESTION_END = "吗呢?？。 \t\n"  # characters at the end of a Chinese question
CHINESE_REPEATED = 0.6  # share of the question's characters from which on a sentence answers it
CHINESE_DENIAL = re.compile("谣言|误区|谎言|骗局|误传|不是|没有|并非|并未|从未|绝非|[不没未无非]")
DENYING_CHARACTERS = frozenset("不没未")
DENYING_IN_KINDS = DENYING_CHARACTERS | frozenset("并非")
# Characters that tell nothing of what is asked.
SMALL_CHARACTERS = frozenset(
    "完全非常真还已经早就根的了是在会能可以有很也都就这那吗呢啊吧一个种们它他她我你"
)
QUESTION_OF_KIND = re.compile(r"(?P<subject>.*?)(?:是|属于)(?!不是)(?P<kind>.+)")
ANSWER_OF_KIND = re.compile(r"(?P<subject>.*?)(?:是|属于|为)(?P<kind>.+)")
ONLY_OTHER = re.compile("只(?!是|能被|有[^只\n]*才)")


def read_chinese_answer(text: Text, question: Text) -> int:
    """Return 1 if a Chinese text says what the question asks, -1 if the opposite, else 0.

    The first sentence that tells decides, by the first reader that can tell.
    """
    asked = question.text[:LONGEST_PART].rstrip(QUESTION_END)
    for part in list_parts(text):
        for read in (read_chinese_sense, classify_chinese, read_chinese_clause):
            side = read(part, asked)
            if side:
                return side
    return 0


def list_parts(text: Text) -> list[str]:
    """Return the first sentences of a Chinese text, each cut to LONGEST_PART characters."""
    parts = re.split("[。！!；;\n]", text.text, maxsplit=MOST_SENTENCES)[:MOST_SENTENCES]
    return [part.strip()[:LONGEST_PART] for part in parts if part.strip()]


def sign_chinese(part: str, skipped: str = "") -> int:
    """Return -1 if a Chinese sentence denies an odd number of times, not counting some words."""
    rest = part.replace(skipped, "") if skipped else part
    return -1 if len(CHINESE_DENIAL.findall(rest)) % 2 else 1


def read_chinese_sense(part: str, asked: str) -> int:
    """Return 1 if a Chinese sentence names the state asked for, -1 if the opposite state, else 0.

    A denial in the sentence reverses that.
    """
    for first, second in compile_senses():
        names_first = first.search(asked) is not None
        if names_first == (second.search(asked) is not None):
            continue
        wanted, opposite = (first, second) if names_first else (second, first)
        match, turned = wanted.search(part), opposite.search(part)
        if turned and not HAN.match(turned[0]):
            continue
        if turned and not match:
            return -sign_chinese(part, turned[0])
        if match and HAN.match(match[0]):
            return sign_chinese(part, match[0])
    return 0


def classify_chinese(part: str, asked: str) -> int:
    """Return 1 if a thing is of the kind asked for, -1 if it is of another kind, else 0.

    A是B asks for it, A属于C answers.
    """
    question, answer = QUESTION_OF_KIND.fullmatch(asked), ANSWER_OF_KIND.fullmatch(part)
    if not question or not answer:
        return 0
    subject = set(question["subject"]) - SMALL_CHARACTERS
    kind = set(question["kind"]) - SMALL_CHARACTERS
    answer_subject = set(answer["subject"]) - SMALL_CHARACTERS - DENYING_IN_KINDS
    answer_kind = set(answer["kind"]) - SMALL_CHARACTERS - DENYING_IN_KINDS
    both = answer_subject | answer_kind

    sign = sign_chinese(part)
    # If the subject has all characters of the kind, only the kind of the answer is compared.
    known = kind & (both if kind - subject else answer_kind)
    if 2 * len(known) < len(kind):
        return -1 if sign > 0 else 0
    has_subject = not subject or not answer_subject or not subject.isdisjoint(both)
    return sign if has_subject else -sign


def read_chinese_clause(part: str, asked: str) -> int:
    """Return 1 or -1 if a Chinese sentence has the characters that the question asks about."""
    wanted = set(asked) - SMALL_CHARACTERS - DENYING_CHARACTERS
    if not wanted:
        return 0
    if ONLY_OTHER.search(part) and wanted - set(part):
        return -1
    characters = set(HAN.findall(part)) - SMALL_CHARACTERS - DENYING_CHARACTERS
    if characters and characters <= wanted:
        return sign_chinese(part)
    share = len(wanted & characters) / len(wanted)
    end = set(asked[-2:]) - SMALL_CHARACTERS
    has_predicate = bool(end) and end <= set(part)
    return sign_chinese(part) if share >= CHINESE_REPEATED or has_predicate else 0
