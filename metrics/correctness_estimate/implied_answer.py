"""Read a yes or no from a sentence that says neither word.

Is the shop open? "It closes at noon." Each reader knows one way to say yes or no. It compares a
sentence of the answer with the question (answer_sentences.py): which words of the question the
sentence repeats, which it replaces by an opposite, another name or another number, and what it
denies. A reader returns 1 for yes, -1 for no, 0 if it cannot tell.
"""

import re
from collections.abc import Callable
from functools import lru_cache

from .answer_sentences import (
    ALL,
    ASIDE_STARTS,
    COPULAS,
    DEGREES,
    LONGEST_QUESTION,
    SOME,
    Sentence,
    count_negators,
    has_form,
    is_content_word,
    is_denied_question,
    is_pointing,
    list_sentences,
    repeats_question,
    split_sentence,
)
from .implied_amounts import read_amount, read_comparison
from .lexicon import AUXILIARY, DENYING_WORD, IRREGULAR_PAST, TURNING_WORDS
from .opposites import Sense, choose_side, compile_senses, find_root
from .text import Text

SHORT_SENTENCE = 4  # words of a sentence such as "only on Mondays" or "Canberra is"


# ---- how many, and what else

ONLY = frozenset("only just merely solely exclusively nur solo seulement".split())
SOME_SUBJECT = re.compile(
    r"^\W*(?:yes,? )?(?:some|somebody|someone|something|several|many|most|a few|a number"
    r"|a couple|one|two|three|four|five|six"
    r"|seven|eight|nine|ten|dozens|hundreds|thousands|plenty|lots|at least|\d+)\b"
)
ANY = frozenset("any anyone anybody anything".split())
NO_SUBJECT = re.compile(r"^\W*(?:no|none|nobody|no one|nothing|neither)\b")
EXISTENCE = re.compile(
    r"^\W*(?:is|are|was|were) there|^\W*(?:do|does|did) .*\b(?:have|contain|own|include)\b"
    r"|^\W*ha(?:s|ve) \w+ got"
)
NONE = re.compile(
    r"\bnone\b|\black(?:s|ed)?\b|\bno (?:such )?\w+ (?:left|there)\b|\bwithout\b|\bzero\b"
)
SOMETHING = re.compile(
    r"^\W*(?:there (?:is|are|was|were)|there's|it has|they have|it does have"
    r"|it comes with) (?:an?|one|two|three|four|five"
    r"|six|several|some|many|plenty|lots|a few|\d+)\b"
)
MOST_NEW_WORDS = 3  # of a sentence that says that there is something


def read_quantifier(sentence: Sentence) -> int:
    """Return 1 if all are so, -1 if only some are, and the question asks for all; else 0."""
    if ALL.isdisjoint(sentence.question.words):
        return 0
    words = sentence.list_words()
    says_all = not ALL.isdisjoint(words)
    says_some = not SOME.isdisjoint(words)
    if sentence.sign < 0 or (says_some and not says_all):
        return -1
    if not says_all or sentence.opposite_roots:
        return 0
    return 1 if sentence.common_roots else 0


def read_any(sentence: Sentence) -> int:
    """Return 1 if some are so, -1 if the sentence denies it, and the question asks for any."""
    if ANY.isdisjoint(sentence.question.words):
        return 0
    if SOME_SUBJECT.match(sentence.lower) and not sentence.opposite_roots:
        return sentence.sign
    return 0


def read_only(sentence: Sentence) -> int:
    """Return -1 if only something else is so: "only cash is accepted"."""
    words = sentence.answer.words
    only_places = [i for i in sentence.places if words[i] in ONLY]
    if not only_places or not sentence.missing_roots or count_negators(sentence):
        return 0
    # "Only the bakery is open" lacks the subject alone: the shop may be open, too.
    is_short = len(sentence.places) <= SHORT_SENTENCE
    if not is_short and sentence.missing_roots == sentence.question_roots[:1]:
        return 0
    only, new = only_places[0], sentence.new_places
    # "only cash", "cash only"
    names_other = only - 1 in new or any(place > only for place in new)
    return -1 if names_other else 0


def read_no_subject(sentence: Sentence) -> int:
    """Return -1 if a "no" denies the subject of the question: “no harm was done”."""
    question = sentence.question
    if not NO_SUBJECT.match(sentence.lower) or not sentence.common_roots:
        return 0
    if question.denials or sentence.opposite_roots:
        return 0
    if "only" in question.words or "else" in sentence.lower.split():
        return 0
    return -1 if count_negators(sentence) == 1 else 0


def read_existence(sentence: Sentence) -> int:
    """Return 1 if there is what the question asks for, -1 if there is none, else 0."""
    if not EXISTENCE.match(sentence.question.lower[:LONGEST_QUESTION]):
        return 0
    has_subject = sentence.has_pronoun or bool(sentence.common_roots)
    if NONE.search(sentence.lower) and has_subject:
        return -1
    if not SOMETHING.match(sentence.lower) or count_negators(sentence):
        return 0
    return 1 if len(sentence.new_places) <= MOST_NEW_WORDS else 0


# ---- what the question asks, or an opposite of it


def read_clause(sentence: Sentence) -> int:
    """Return 1 or -1 if a sentence repeats what the question asks, or an opposite of it, else 0."""
    if not sentence.question_roots:
        return 0
    has_odd_opposites = len(sentence.opposite_roots) % 2 == 1
    sign = -sentence.sign if has_odd_opposites else sentence.sign
    return sign if repeats_question(sentence) else 0


def read_denied_pronoun(sentence: Sentence) -> int:
    """Return -1 if a sentence that begins with a pronoun denies (“it failed”), else 0.

    Return 1 if it denies twice (“they did not refuse it”).
    """
    if not is_pointing(sentence.first_word) or sentence.question.denials:
        return 0
    is_denying = has_denying_verb(sentence)
    count = count_negators(sentence) + is_denying
    if is_denying and count == 2:
        return 1
    return -1 if count % 2 else 0


def has_denying_verb(sentence: Sentence) -> bool:
    """Return whether a sentence denies by the verb of a pronoun, or by a phrase."""
    predicate = sentence.predicate_place
    if predicate is not None and DENYING_WORD.match(sentence.answer.words[predicate]):
        return True
    return sentence.count_denying_phrases() > 0


# ---- words for a state

# Nothing has changed: it stays the same, they kept it as it was.
UNCHANGED = re.compile(
    r"\b(?:stay|remain|keep|kept|leave|left|is|are|was|were|be|been)\w*\b[^.;,]{0,40}?"
    r"\b(?:(?:the )?same|unchanged|untouched|unaltered|as (?:it|they|he|she) (?:is|was|are|were)"
    r"|where (?:it|they|he|she) (?:is|was|are|were)|constant)\b"
)
KEEPING = re.compile(r"\b(?:stay|remain|keep|kept|leave|same|still|unchanged|equal|constant)")
CAN = frozenset("can may could might".split())
NEEDED = frozenset("must need should".split())
YET_TO = re.compile(r"\byet to\b")  # it is yet to open


def read_unchanged(sentence: Sentence) -> int:
    """Return -1 if nothing has changed, and the question asks whether something happened."""
    question = sentence.question
    asks_for_event = question.words[0] not in COPULAS and not KEEPING.search(question.lower)
    if not asks_for_event or count_negators(sentence):
        return 0
    return -1 if UNCHANGED.search(sentence.lower) else 0


def read_sense(sentence: Sentence) -> int:
    """Return 1 if a sentence names the state asked for, -1 if the opposite state, else 0.

    A denial in the sentence reverses that.
    """
    question = sentence.question.lower[:LONGEST_QUESTION]
    first_word = sentence.question.words[0]
    for sense, asked_side in list_asked_senses(question, first_word):
        matches = [side.search(sentence.lower) for side in sense]
        chosen = choose_side(matches)
        match = matches[chosen] if chosen is not None else None
        if match is None:
            continue
        if chosen != asked_side:
            return -sign_beside(sentence, match)
        if match[0] not in question:
            return sign_beside(sentence, match)
        # The question has this very word: `read_clause` compares the clause.
    return 0


@lru_cache(maxsize=1024)
def list_asked_senses(question: str, first_word: str) -> list[tuple[Sense, int]]:
    """Return the senses that a question asks for, each with the side that it names: 0 or 1."""
    senses = list[tuple[Sense, int]]()
    for sense in compile_senses():
        names_first, names_second = (bool(side.search(question)) for side in sense)
        if names_first != names_second:
            senses.append((sense, 0 if names_first else 1))
        elif not names_first and asks_in_other_words(first_word, sense):
            senses.append((sense, 0))
    return senses


def asks_in_other_words(first_word: str, sense: Sense) -> bool:
    """Return whether a question asks for the first side of a sense by its verb.

    "can I" asks for permission, "must I" for need.
    """
    first, second = sense
    if first_word in NEEDED:
        return bool(first.search("mandatory"))
    if first_word not in CAN:
        return False
    if first.search("可以"):
        return True
    return bool(first.search("permit") and second.search("forbid"))


def sign_beside(sentence: Sentence, match: re.Match[str]) -> int:
    """Return -1 if a sentence denies the words of a match an odd number of times, else 1."""
    inside = sentence.locate_words(match.start(), match.end())
    main_clause = sentence.locate_main_clause()
    # A word behind "because" is denied in its own clause.
    is_in_main = inside.start in main_clause
    denials = [i for i in sentence.denial_places if (i in main_clause) == is_in_main]
    part = sentence.places
    if len(denials) > 1:  # it isn't closed, and it isn't full
        parts = split_sentence(sentence, part)
        part = next(part for part in parts if inside.start in part)
    count = 0
    for i in denials:
        is_aside = i >= inside.stop and is_in_another_part(sentence, inside.stop, i)
        if i in part and i not in inside and not is_aside:
            count += 1
    count += YET_TO.search(sentence.lower) is not None
    count += is_denied_question(sentence.question)
    return -1 if count % 2 else 1


def is_in_another_part(sentence: Sentence, start: int, negator: int) -> bool:
    """Return whether a word such as "and" or "with" parts a negator from words before it.

    "It is open, with no fee" affirms that it is open.
    """
    between = sentence.answer.words[start : negator + 1]
    return not ASIDE_STARTS.isdisjoint(between)


# ---- another name, kind of thing or place: "Canberra is", "he's a nurse", "to the harbour"

NO_NAMES = ALL | SOME | DEGREES | TURNING_WORDS | frozenset("no not yes".split())
BEFORE_NAME = frozenset("is was are were by it's".split())
# Something else has what the question asks about: that title belongs to Ankara.
BELONGS_TO_NAME = re.compile(
    r"^\W*(?i:that|this|the|it|its)\b(?: [a-z]+){0,3} (?:goes|went|belongs?|belonged|fell) to "
    r"(?:the )?[A-Z]"
    r"|^\W*(?i:that|this|it) (?:would|must|will|has to|had to) (?:be|have been) (?:the )?[A-Z]"
    r"|^\W*(?:The )?[A-Z][\w' -]{1,40}? (?:holds?|held|has|had|bears?|plays?|played|fills?|filled"
    r"|claims?|claimed|takes?|took|gets?|got|earned) (?:that|this) \w+\b"
)
PLACE_WORDS = frozenset("in at from near to of on into en à dans aus bei zu".split())
OTHER_PREPOSITIONS = PLACE_WORDS | frozenset("by with for than over under".split())
POSSESSIVES = frozenset("his her their its my your our".split())
ARTICLES = frozenset("the a an this his her their its my your".split())


def read_other_name(sentence: Sentence) -> int:
    """Return -1 if a new name replaces one of the question: as subject, after "is" or "by"."""
    if count_negators(sentence) or not lacks_asked_name(sentence):
        return 0
    names = list_new_names(sentence)
    if not names:
        return 0
    if any(has_role_of_name(sentence, i) for i in names):
        return -1
    return -1 if BELONGS_TO_NAME.search(sentence.text) else 0


def lacks_asked_name(sentence: Sentence) -> bool:
    """Return whether a sentence lacks a name of the question."""
    question = sentence.question
    names = list_name_words(question, 1, len(question.words))
    roots = {find_root(question.words[i]) for i in names}
    return not roots.isdisjoint(sentence.missing_roots)


def list_new_names(sentence: Sentence) -> list[int]:
    """Return the words of names in a sentence that the question does not have."""
    places = sentence.places
    names = list_name_words(sentence.answer, places.start, places.stop)
    return [i for i in names if i in sentence.new_places]


def list_name_words(text: Text, start: int, stop: int) -> list[int]:
    """Return the words with a capital, without stop words and words such as "All" or "Not"."""
    names = list[int]()
    for i in range(start, stop):
        word = text.words[i]
        if not text.shown[i][0].isupper() or word in NO_NAMES:
            continue
        if is_content_word(word):
            names.append(i)
    return names


def has_role_of_name(sentence: Sentence, i: int) -> bool:
    """Return whether a name is the subject, or follows "is" or "by"."""
    if i == sentence.places.start:
        return is_subject(sentence, i)
    if sentence.answer.words[i - 1] not in BEFORE_NAME:
        return False
    return bool(sentence.common_roots) or len(sentence.places) <= SHORT_SENTENCE


def is_subject(sentence: Sentence, i: int) -> bool:
    """Return whether the name that begins a sentence is the subject of what the question asks."""
    answer, stop = sentence.answer, sentence.places.stop
    behind = i + 1
    while behind < stop and answer.shown[behind][0].isupper():
        behind += 1
    if behind == stop or answer.words[behind].endswith("s'"):
        return False
    if sentence.common_roots:
        return True
    is_short = len(sentence.places) <= SHORT_SENTENCE
    return is_short and answer.words[stop - 1] in AUXILIARY  # Canberra is


def read_substitute(sentence: Sentence) -> int:
    """Return -1 if another kind of thing or another place replaces that of the question."""
    if count_negators(sentence):
        return 0
    if has_other_noun(sentence) or has_other_place(sentence):
        return -1
    return 0


def has_other_noun(sentence: Sentence) -> bool:
    """Return whether a sentence has another noun in the place of the question's last one.

    Both nouns have an indefinite article (a doctor, a nurse), or both a possessive (his son, his
    nephew).
    """
    answer, question = sentence.answer, sentence.question
    n_missing = len(sentence.missing_roots)
    if question.words[0] not in COPULAS or not 0 < n_missing <= 2:
        return False
    missing = find_last_missing(sentence)
    new = find_new_noun(sentence)
    if missing < 2 or new is None:
        return False
    for has_determiner in (has_indefinite_article, has_possessive):
        if has_determiner(question, missing) and has_determiner(answer, new):
            return True
    return False


def find_last_missing(sentence: Sentence) -> int:
    """Return the last word of the question that a sentence lacks, 0 if there is none."""
    last = 0
    for i, word in enumerate(sentence.question.words):
        if find_root(word) in sentence.missing_roots:
            last = i
    return last


def find_new_noun(sentence: Sentence) -> int | None:
    """Return the last of one or two new words side by side, if a noun may stand there; else None.

    A noun does not begin the sentence and follows no preposition.
    """
    new = sentence.new_places
    if not 0 < len(new) <= 2 or not (sentence.common_roots or sentence.has_pronoun):
        return None
    first, last = new[0], new[-1]
    are_side_by_side = last - first + 1 == len(new)
    if not are_side_by_side or last == sentence.places.start:
        return None
    before = sentence.answer.words[first - 1 : last]
    return last if OTHER_PREPOSITIONS.isdisjoint(before) else None


def has_indefinite_article(text: Text, i: int) -> bool:
    """Return whether "a" stands before a word, or before the word in front of it."""
    before = text.words[max(0, i - 2) : i]
    return "a" in before or "an" in before


def has_possessive(text: Text, i: int) -> bool:
    """Return whether "his" or the like stands right before a word."""
    return i > 0 and text.words[i - 1] in POSSESSIVES


def has_other_place(sentence: Sentence) -> bool:
    """Return whether a new word follows a preposition of the question: "to the harbour".

    The sentence lacks the word that follows this preposition in the question.
    """
    if not sentence.has_pronoun and not sentence.common_roots:
        return False
    asked = list_missing_prepositions(sentence)
    return not asked.isdisjoint(list_new_prepositions(sentence))


def list_missing_prepositions(sentence: Sentence) -> set[str]:
    """Return the prepositions of the question before words that a sentence lacks."""
    question = sentence.question
    prepositions = set[str]()
    for i, word in enumerate(question.words):
        if find_root(word) in sentence.missing_roots:
            prepositions.add(find_preposition(question, i))
    return prepositions - {""}


def list_new_prepositions(sentence: Sentence) -> set[str]:
    """Return the prepositions of a sentence before new words that are no amounts."""
    answer = sentence.answer
    amounts = set[int]()
    for quantity in answer.quantities:
        amounts.update(answer.words_between(quantity.start, quantity.end))
    new_words = set(sentence.new_places) - amounts
    return {find_preposition(answer, i) for i in new_words}


def find_preposition(text: Text, i: int) -> str:
    """Return the preposition before a word, with or without an article between them; else ""."""
    before = text.words[max(0, i - 2) : i]
    if before and before[-1] in ARTICLES:
        before.pop()
    if before and before[-1] in PLACE_WORDS:
        return before[-1]
    return ""


# ---- permission and safety in other words

ASKS_IF_POSSIBLE = re.compile(
    r"^\W*(?:can|could|may|should|might|would"
    r"|is it (?:safe|ok|okay|fine|possible|all right|allowed))\b"
)
NO_OBJECTION = re.compile(
    r"\b(?:(?:nothing|nobody|no one|no \w+)(?: \w+){0,5}?"
    r" (?:stops?|prevents?|forbids?|prohibits?|bars?)"
    r"|no (?:problems?|harm|objections?|risk|danger|need to worry)"
    r"|no reason (?:not to|why not|to worry)|nothing (?:wrong|against|to worry about)"
    r"|(?:won't|doesn't|will not|does not) (?:harm|hurt|matter)|not a problem"
    r"|(?:needn't|don't need to|don't have to) worry|can't (?:hurt|harm|go wrong))\b"
)
SPOILING = "ruin|spoil|destroy|damage|harm|wreck|kill"
SPOILS = re.compile(rf"\b(?:(?:{SPOILING})s?|would (?:{SPOILING})) (?:it|them|him|her|you)\b")
# A question whether something does harm, where harm is no objection.
ASKS_FOR_HARM = re.compile(
    rf"\b(?:(?:{SPOILING})\w*|hurt\w*|remove\w*|treat\w*|repel\w*|deadly|dangerous|affect\w*"
    r"|get rid)\b"
)


def read_objection(sentence: Sentence) -> int:
    """Return 1 if nothing speaks against what a question asks, -1 if it does harm, else 0.

    "There's no problem with that", "Freezing ruins it". The question asks whether something can be
    done.
    """
    question = sentence.question.lower
    if not ASKS_IF_POSSIBLE.match(question) or sentence.question.denials:
        return 0
    if ASKS_FOR_HARM.search(question) or NO_OBJECTION.search(question):
        return 0
    if NO_OBJECTION.search(sentence.lower):
        return 1
    return -1 if SPOILS.search(sentence.lower) and not count_negators(sentence) else 0


# ---- what is gone

# A question whether something bad was removed: have they fixed the leak?
REMOVING = re.compile(
    r"^\W*(?:has|have|had|did|was|were|is|are)\b.{0,60}?\b(?P<verb>fix(?:ed)?|repair(?:ed)?|solved?"
    r"|resolved?|removed?|cleared?|cured?|eliminated?|deleted?|patch(?:ed)?|(?:get|got) rid of)"
    r" (?:the |this |that |your |my |our |all |any )?(?P<thing>[a-z]{3,})\b"
)


def read_removed(sentence: Sentence) -> int:
    """Return 1 if the thing that a question wants removed is gone, -1 if it is still there, or 0.

    "There's no leak any more" says so without the verb.
    """
    asked = REMOVING.search(sentence.question.lower[:LONGEST_QUESTION])
    if not asked or sentence.question.denials:
        return 0
    if find_root(asked["verb"]) in sentence.roots.values():
        return 0
    thing = re.escape(asked["thing"])
    if re.search(
        rf"\bno (?:more )?{thing}|\b{thing}s? (?:is|are|was|were|has|have) gone", sentence.lower
    ):
        return 1
    is_left = rf"\bstill (?:a |an |the )?{thing}|\b{thing}s? (?:still )?(?:remains?|persists?)\b"
    return -1 if re.search(is_left, sentence.lower) else 0


# ---- all readers

# The first that can tell decides.
READERS: tuple[Callable[[Sentence], int], ...] = (
    read_removed,  # Have they fixed the leak? There's no leak any more
    read_objection,  # Can I freeze it? There's no problem with that
    read_quantifier,  # Are all rooms heated? Some are
    read_comparison,  # Is Ann older than Bob? Bob is older
    read_amount,  # Is it over 100 m high? It is 80 m high
    read_only,  # Do they accept cards? Only cash
    read_other_name,  # Is Sydney the capital? Canberra is
    read_any,  # Was anyone hurt? Two people were
    read_unchanged,  # Did they raise the tax? They left it unchanged
    read_sense,  # Is it edible? It is poisonous
    read_no_subject,  # Was any harm done? No harm was done
    read_existence,  # Is there a lift? There are two
    read_substitute,  # Is he a doctor? He is a nurse
    read_clause,  # Did she sign the letter? She signed it
    read_denied_pronoun,  # Did the plan work? It failed
)


def read_implied_answer(text: Text, question: Text) -> int:
    """Return 1 if a sentence says what the question asks, -1 if it says the opposite, else 0."""
    for words in list_sentences(text):
        sentence = Sentence(text, question, words)
        turned = find_turned_part(sentence)
        side = (read_sentence(turned) if turned else 0) or read_sentence(sentence)
        if side:
            return side
    return 0


def read_sentence(sentence: Sentence) -> int:
    """Return what the first reader that can tell reads in a sentence, 0 if none can."""
    for read in READERS:
        side = read(sentence)
        if side:
            return side
    return 0


def find_turned_part(sentence: Sentence) -> Sentence | None:
    """Return the part behind the last "but" if it says what is asked, or an opposite of it.

    "It was to be signed, but it is still unsigned"
    """
    places = [i for i in sentence.places[1:-1] if sentence.answer.words[i] == "but"]
    if not places:
        return None
    part = Sentence(sentence.answer, sentence.question, range(places[-1] + 1, sentence.places.stop))
    before = Sentence(sentence.answer, sentence.question, range(sentence.places.start, places[-1]))
    n_known = len(part.common_roots) + len(part.opposite_roots)
    return part if n_known and n_known >= len(before.common_roots) else None


# ---- a sentence with one word of the question

LONGEST_PLAIN_ANSWER = 25  # words
# What need not be done is no denial: you don't have to pay.
NOT_NEEDED = re.compile(r"\b(?:have to|needs?|needn't|must|worry|only|too)\b")
# Words with which a sentence may mean the opposite of what it says.
DOUBTING = re.compile(
    r"\b(?:rather|hard(?:ly)?|difficult|rare(?:ly)?|little|few|lost|used to|instead|until|once|but"
    r"|miss\w*|fail\w*|f[ae]ll short"
    r"|if|would|could|might|should|half|almost|nearly|yet|without|than|copy|fake|different|other)\b"
)
# A question that begins with one of these asks about today.
PRESENT = frozenset("is are do does can may must has have".split())


def read_shared_words(text: Text, question: Text) -> int:
    """Return what `read_shared_word` reads in the first sentence that tells, 0 for a long text."""
    if len(text.words) > LONGEST_PLAIN_ANSWER or question.is_chinese:
        return 0
    for words in list_sentences(text):
        side = read_shared_word(Sentence(text, question, words))
        if side:
            return side
    return 0


def read_shared_word(sentence: Sentence) -> int:
    """Return -1 if a sentence denies and has a word of the question, 1 if it affirms one, else 0.

    "Buses don't go there" denies that the village is reachable by bus. A sentence affirms only if
    the word is not its subject: "It runs on Linux", but not "The bill is still open".
    """
    if is_denied_question(sentence.question):
        return 0
    if not sentence.common_roots or sentence.opposite_roots:
        return 0
    if NOT_NEEDED.search(sentence.lower):
        return 0
    if sentence.sign < 0:
        return -1
    if sentence.denial_places or DOUBTING.search(sentence.lower) or tells_other_event(sentence):
        return 0
    return 1 if has_shared_object(sentence) else 0


def tells_other_event(sentence: Sentence) -> bool:
    """Return whether a sentence tells a past event where the question asks about today, or of all.

    "They dropped the jack" is no yes to "Does the phone have a jack?"
    """
    if not ALL.isdisjoint(sentence.question.words):
        return True
    if sentence.question.words[0] not in PRESENT:
        return False
    new_words = [sentence.answer.words[i] for i in sentence.new_places]
    return any(word.endswith("ed") or word in IRREGULAR_PAST for word in new_words)


def has_shared_object(sentence: Sentence) -> bool:
    """Return whether a word of the question stands behind another content word or a verb."""
    for number, (i, root) in enumerate(sentence.roots.items()):
        is_behind_subject = number > 0 or sentence.has_pronoun
        is_behind_verb = i > sentence.places.start + 1
        if is_behind_subject and is_behind_verb and has_form(sentence.common_roots, root):
            return True
    return False
