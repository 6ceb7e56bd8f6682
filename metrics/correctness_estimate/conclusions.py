"""Find the thing on which an answer settles where it weighs two.

"Ann or Bob? Bob was older, so it must be Bob" settles on Bob. The last words that conclude
something decide. If they name neither thing, the words before them in the sentence do: "since Bob
was older, it must be him".
"""

import re
from collections.abc import Iterator, Sequence, Set
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from .answer_sentences import list_sentences
from .equality import can_replace, is_among
from .found_reference import FoundReference, choose_alternative
from .lexicon import DETERMINERS, STOP_WORDS
from .outcomes import UNLIKELY, UPHELD, Decision
from .text import BOLD, RECENT_TEXTS, Text

LONGEST_OTHER_THING = 3  # words of another thing that is no reference
SURE_ADVERBS = frozenset(
    "definitely certainly clearly surely obviously probably undoubtedly naturally actually "
    "finally really".split()
)

# Words with which an answer concludes. "So" is none of degree, and none of "so is Lyon". Nor is it
# one before advice: so be there early.
SO = r"""so \b
      (?! [ ](?: far | called | that | much | many | long | as | is | was | are | were | do | does
        | did | has | have | had | can | will | would
        | be | please | don't | make | plan | allow | try | remember | keep | you )\b
        | [ ]\w+[ ]that\b | [-'] )"""
# All but one begin at the edge of a word, which is looked for first: most places have none.
CONCLUDING = re.compile(
    rf"""\b (?=\w) (?: (?: hence | therefore | thus | consequently | accordingly | ergo
      | in[ ](?:the[ ]end | conclusion | sum) | on[ ](?:balance | reflection)
      | all[ ]in[ ]all | all[ ]things[ ]considered | overall | ultimately | finally | eventually
      | (?:must | (?:has | have | had)[ ]to | (?:can | could)[ ]only)[ ](?:have[ ]been | be)
      | (?:that | which)[ ](?:only[ ])? leaves | (?:this | that | which)[ ]means[ ]that
    ) \b
    | (?P<choosing>
      (?:i | we)(?: 'd | 'll | 'm | 've | [ ](?:would | will | am | have | must | shall))?
        (?: [ ](?: finally | therefore | rather | now | thus | hence | so | clearly
          | going[ ]to ) )*
        [ ](?: conclude | come[ ]to[ ]the[ ]conclusion | choose | chose | pick | picked
          | (?:opt | opted | settle | settled | plump | go | going | vote)[ ](?:for | on | with)
          | (?:decide | decided | bet | side | siding | stick | sticking)[ ](?:for | on | with)
          | say | take | answer )
      | (?:my | the[ ](?:final | correct | right))[ ](?:final[ ])?
        (?:answer | choice | pick | verdict | conclusion | vote)
        (?: [ ](?:is | would[ ]be | must[ ]be) | : )
    ) (?!\w)
    | (?: and | but )[ ]{SO}
    | (?: and | then | but )[ ](?: finally[ ])? (?:opted | settled | plumped | decided)
        [ ](?:for | on)\b
    | it[ ](?:is | was) (?= \W* (?: $ | [.!;,] ) )
    | is[ ]my[ ](?:answer | choice | pick | verdict)\b
    | (?: wins | prevails | daher | deshalb | folglich | schließlich | letztlich ) \b
    | (?: donc | finalement | por[ ](?:lo[ ])?tanto | así[ ]que ) \b )
    | (?: ^ | [,;:.!?–—-][ ] ) {SO}""",
    re.VERBOSE,
)
# Signs that an answer weighs two things. It settles on the one that it names again at the end.
WEIGHING = re.compile(
    r"\?|\b(?:options?|candidates?)\b|\b(?:or|both|either|versus|vs)\b|\bbetween (?:\w+ ){1,3}and\b"
)
# Words that name a correction. They stand in patterns with and without free spaces.
CORRECTION = "or[ ]rather|scratch[ ]that|correction|make[ ]that|i[ ]meant?"
INTERRUPTION = "sorry|no|nope|wait|oops|whoops"  # words before a correction
TAKING_BACK = rf"{CORRECTION}|{INTERRUPTION}|my[ ]mistake|actually|let[ ]me[ ]correct"
# What only seems so at first. The answer settles on what it names at the end.
AT_FIRST = re.compile(
    r"\bat first\b|\bfirst (?:thought|idea|guess|instinct|impression|glance|sight|blush|had)\b"
    r"|\b(?:comes?|came) (?:\w+ )?to mind|\bin (?:mind|my head)\b|\bprima facie\b|\bpart of me\b"
    r"|\bhave guessed\b"
    r"|\b(?:many|most|some|people|others) (?:\w+ ){0,2}"
    r"(?:think|believe|say|assume|guess|name|suggest|write)\b"
    r"|(?<!as )\b(?:you|one)(?:'d| would| might| may| could) (?:think|guess|expect|say|assume)\b"
    rf"|\b(?:wait|sorry|{CORRECTION})\b"
    r"|\b(?:going|about|tempted|inclined|wanted) to say\b"
)


class Conclusion(NamedTuple):
    """The words with which an answer concludes.

    Attributes:
        clauses: the clauses behind concluding words, up to the end of their sentence: those behind
            the last such words first.
        before: the words of the sentence before the first such words.
        is_choice: whether the writer says that it is a choice: I'd say, my answer is.
        must_repeat: whether the answer must have named before what it settles on, for no word says
            that it concludes: Ann or Bob? Bob.
    """

    clauses: list[range]
    before: range
    is_choice: bool = False
    must_repeat: bool = False


@lru_cache(maxsize=RECENT_TEXTS)
def read_conclusion(text: Text) -> Conclusion:
    """Return the last conclusion of an answer: "it must be Bob", "hence Bob"."""
    matches = list(CONCLUDING.finditer(text.lower))
    markers = [words for match in matches if (words := text.words_between(*match.span()))]
    if not markers:
        return read_last_clause(text)
    sentence = text.find_sentence(markers[-1].start)
    markers = [words for words in markers if words.start in sentence]
    clauses = list[range]()
    stop = sentence.stop
    for marker in reversed(markers):
        clauses += cut_clauses(text, range(marker.stop, stop))
        stop = marker.start
    is_choice = any(match["choosing"] for match in matches)
    return Conclusion(clauses, range(sentence.start, stop), is_choice)


def read_last_clause(text: Text) -> Conclusion:
    """Return the last clause as a conclusion if a sign before it says that the answer weighs."""
    last = len(text.words) - 1
    while last > 0 and text.words[last] in SURE_ADVERBS:
        last -= 1  # the femur, clearly
    first = text.find_clause(last).start if text.words else 0
    earlier = text.lower[: text.starts[first]] if first else ""
    if earlier.endswith("(") or text.words[first : first + 1] == ["which"]:
        return Conclusion([], range(0))  # a remark: which is a mistake
    if AT_FIRST.search(earlier):
        return Conclusion([range(first, len(text.words))], range(0))
    if WEIGHING.search(earlier):
        return Conclusion([range(first, len(text.words))], range(0), must_repeat=True)
    return Conclusion([], range(0))


def cut_clauses(text: Text, words: range) -> Iterator[range]:
    """Yield the clauses of a range of words."""
    start = words.start
    for i in words:
        if i + 1 == words.stop or text.clause[i + 1] != text.clause[i]:
            yield range(start, i + 1)
            start = i + 1


def choose_between(text: Text, first: Set[str], second: Set[str]) -> bool | None:
    """Return whether an answer settles on the first of two things, None if it does on neither.

    Args:
        text: the answer.
        first: the stems of one thing.
        second: the stems of the other thing, empty if it is not known.
    """
    conclusion = read_conclusion(text)
    for words in (*conclusion.clauses, conclusion.before if second else range(0)):
        if not words or any(i in words for i in text.denials):
            continue
        stems = set(text.stems[words.start : words.stop])
        names_first, names_second = not stems.isdisjoint(first), not stems.isdisjoint(second)
        if names_first or names_second:
            named = stems & (first | second)
            is_new = all(text.places[stem][0] in words for stem in named)
            is_unclear = names_first == names_second or (conclusion.must_repeat and is_new)
            return None if is_unclear else names_first
    return None


# ---- an answer that takes back what it said

# "Wait, I misread it", "I must correct myself"
WITHDRAWS = re.compile(
    r"(?:^|[.,;:!?…–—-] ?)(?:no,? )?wait[,.!…]"
    rf"|\b(?:scratch that|(?:{CORRECTION})[:,]|oops|on second thoughts?"
    r"|ignore (?:it|that)"
    r"|(?:must|have to|need to|let me|should) correct (?:myself|that|it)|i stand corrected"
    r"|i (?:misread|misspoke|miscounted|mixed (?:them|it|this) up|made (?:a|an) (?:mistake|error))"
    r"|my (?:mistake|apologies|bad)|the text says otherwise)(?!\w)"
)
RECALLED = frozenset("saying said say of with not than about called instead".split())


def decide_withdrawn(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return UNLIKELY if an answer takes back the reference for another name or value, else None.

    "Pickwick, but I must correct myself, for the owl is Barnaby" does so.
    """
    matches = list(WITHDRAWS.finditer(answer.lower))
    if not matches or not 0 < len(reference.words) <= LONGEST_RESTATED:
        return None
    start = answer.words_between(matches[-1].end(), len(answer.text)).start
    if start >= len(answer.words):
        return None
    wanted = set(reference.content) - question.places.keys() or set(reference.content)
    if not wanted or not wanted <= answer.places.keys():
        return None
    last = max(min(answer.places[stem]) for stem in wanted)
    repeats = all(answer.places[stem][-1] >= start for stem in wanted)
    is_behind = last >= start
    if repeats or is_behind or not gives_another(answer, start, reference, question):
        return None
    return Decision(UNLIKELY, "replaced", answer.text.strip(), reference.text.strip())


def gives_another(answer: Text, start: int, reference: Text, question: Text) -> bool:
    """Return whether an answer gives from a word on a new value or name, like the reference."""
    known = reference.places.keys() | question.places.keys()
    if reference.quantities:
        values = [value for value in answer.quantities if value.start >= answer.starts[start]]
        return any(can_replace(value, reference.quantities[0]) for value in values)
    names = [name for name in answer.names if name[0] >= start]
    names = [name for name in names if RECALLED.isdisjoint(answer.words[name[0] - 2 : name[0]])]
    return any(known.isdisjoint(answer.stems[first:stop]) for first, stop in names)


# ---- an answer that repeats the reference at its end

LONGEST_RESTATED = 6  # words of a reference
OWN_QUESTION = re.compile(r"[^.?!:]{1,80} or [^.?!:]{1,80}\?")  # Kassel or Fulda?
NO_DOUBT = frozenset(
    "think guess believe say pick choose final answer so then definitely certainly".split()
)


def decide_restated(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return UPHELD if an answer weighs several things and settles on the reference, or None.

    "Kassel or Fulda? Fulda." and "Kassel or Fulda? Fulda, by one goal" do so.
    """
    if not 0 < len(reference.words) <= LONGEST_RESTATED or len(set(answer.sentence)) < 2:
        return None
    place = read_place_of_two(answer, reference, question)
    is_upheld = place > 0 or ends_with_reference(answer, reference)
    if not is_upheld and not answers_own_question(answer, reference):
        return None
    outcome = UNLIKELY if place < 0 else UPHELD
    return Decision(outcome, "replaced", answer.text.strip(), reference.text.strip())


# A place behind the first one, where a question asks for the best or the first.
LOWER_PLACE = re.compile(
    r"\b(?:came|comes?|finished|ranked|was|is)(?: in| only| a close)?"
    r" (?:second|third|last|runner-up)\b"
    r"|\blost\b"
)


ASKS_FOR_LOWER_PLACE = re.compile(r"\b(?:second|third|last|lost|loser)\b")


def find_own_question(answer: Text) -> range:
    """Return the words of the question "this or that?" with which an answer begins, or none."""
    own_question = OWN_QUESTION.match(answer.lower)
    return answer.words_between(*own_question.span()) if own_question else range(0)


def read_place_of_two(answer: Text, reference: Text, question: Text) -> int:
    """Return -1 if an answer puts the reference behind another thing, 1 if before it, else 0.

    "Kassel or Fulda? Fulda came second" puts Fulda behind.
    """
    asked = find_own_question(answer)
    if not asked or ASKS_FOR_LOWER_PLACE.search(question.lower):
        return 0
    if not LOWER_PLACE.search(answer.lower, answer.find_end_of_word(asked[-1])):
        return 0
    named = set(answer.stems[asked.stop :])
    wanted = set(reference.content)
    others = answer.list_stems(asked) - wanted
    names_wanted, names_other = not named.isdisjoint(wanted), not named.isdisjoint(others)
    if names_wanted == names_other or not wanted <= set(answer.stems[: asked.stop]):
        return 0
    return -1 if names_wanted else 1


def ends_with_reference(answer: Text, reference: Text) -> bool:
    """Return whether the last sentence of an answer that weighs things is just the reference."""
    first = answer.find_sentence(-1).start
    before = answer.lower[: answer.starts[first]]
    if not WEIGHING.search(before) or any(i >= first for i in answer.denials):
        return False
    wanted = set(reference.content)
    return bool(wanted) and list_settling_stems(answer, first) == wanted


def answers_own_question(answer: Text, reference: Text) -> bool:
    """Return whether an answer asks "this or that?", and then names only the reference of both."""
    asked = find_own_question(answer)
    if not asked:
        return False
    rest = range(asked.stop, len(answer.words))
    if any(i in rest for i in (*answer.denials, *answer.hedges, *answer.untrue)):
        return False
    wanted = set(reference.content)
    others = answer.list_stems(asked) - wanted
    named = list_settling_stems(answer, asked.stop)
    return bool(wanted) and wanted <= named and others.isdisjoint(named)


def list_settling_stems(answer: Text, first: int) -> set[str]:
    """Return the stems of an answer from a word on that tell more than that something is right."""
    stems = set[str]()
    for i in range(first, len(answer.words)):
        if answer.words[i] not in STOP_WORDS | NO_DOUBT:
            stems.add(answer.stems[i])
    return stems


# ---- the reference and what the answer settles on

# What is only possible.
POSSIBLE = re.compile(
    r"\b(?:sounds?|seems?|looks?|appears?|could|would|might|may|can)\b"
    r"|\b(?:was|were) (?:going )?to be\b|\b(?:supposed|planned|intended|applied|nominated|bid)\b"
    r"|\b(?:contender|candidate|favou?rite|expected|possible|plausible|guess|argue)"
)
# Words that tell only that a thing is the right one.
CHOOSING_WORDS = frozenset(
    "right correct true best better likely clear obvious sure answer choice one thing name term "
    "reason matter call goes wins go say choose pick trust put money suppose let's no hmm "
    "wait".split()
)


def settles_on_match(found: FoundReference) -> bool | None:
    """Return whether an answer settles on the match, None if it concludes nothing.

    It is False for "Kotlin is newer, so it must be Kotlin" where the match is Java.
    """
    own = found.answer.list_stems(found.match)
    alternatives = choose_alternative(found.question, found.reference)
    others = alternatives[1] if alternatives else set[str]()
    if not others:
        others = {found.stems[i] for i in find_concluded_thing(found)}
    return choose_between(found.answer, own - others, others - own)


def find_concluded_thing(found: FoundReference) -> range:
    """Return the new thing that an answer's conclusion gives alone, or an empty range.

    A conclusion without new words may mean a name that stands before it: Lyon, that is my answer.
    """
    conclusion = read_conclusion(found.answer)
    for words in conclusion.clauses:
        thing = find_new_thing(found, words)
        if thing and is_given_alone(found, words, thing):
            return thing
        if list_other_words(found, words, range(0)):
            return range(0)
    return find_only_name(found, conclusion.before)


def is_given_alone(found: FoundReference, words: range, thing: range) -> bool:
    """Return whether concluding words tell nothing but that a thing is right: it must be Lyon.

    They may tell more if the answer names the match only tentatively. A common noun was named
    before, has a "the" (so the copper) or is chosen (I'd say copper).
    """
    own_sentence = found.answer.find_sentence(found.match.start)
    if list_other_words(found, words, thing) and not may_only_seem(found.quote(own_sentence)):
        return False
    if found.is_name or found.answer.places[found.stems[thing[-1]]][0] < words.start:
        return True
    has_determiner = found.words[thing.start - 1] in DETERMINERS
    is_chosen = has_determiner or read_conclusion(found.answer).is_choice
    return is_chosen and found.ends_clause(thing[-1])


def list_other_words(found: FoundReference, words: range, thing: range) -> list[int]:
    """Return the new words that tell more than that a thing is the right one."""
    new = found.list_new_words(words, thing)
    return [i for i in new if found.words[i] not in CHOOSING_WORDS]


def may_only_seem(shown: str) -> bool:
    """Return whether some words say that a thing may only seem so: at first, possibly."""
    lower = shown.lower()
    return AT_FIRST.search(lower) is not None or POSSIBLE.search(lower) is not None


def find_only_name(found: FoundReference, words: range) -> range:
    """Return the last new name of some words if they have no other new name, or an empty range."""
    if not found.is_name:
        return range(0)
    names = [range(*name) for name in found.answer.names if name[0] in words]
    new = [name for name in names if not found.is_known(name.start)]
    is_single = len({found.stems[name.start] for name in new}) == 1
    return new[-1] if is_single else range(0)


def find_new_thing(found: FoundReference, clause: range) -> range:
    """Return the new words of a clause if they stand together and are like the match."""
    new = found.list_new_words(clause, found.match)
    new = [i for i in new if found.words[i] not in SURE_ADVERBS]
    if found.is_name:
        has_number = any(found.words[i].isdigit() for i in found.match)  # line 12
        numbers = {i for i in new if has_number and found.words[i].isdigit()}
        new = [i for i in new if i in numbers or found.shown[i][0].isupper()]
    if not new:
        return range(0)
    first, last = new[0], new[-1]
    if last - first >= LONGEST_OTHER_THING:
        return range(0)
    # The first word of an answer has a capital in any case.
    is_name = found.shown[last][0].isupper() or (found.is_name and found.words[last].isdigit())
    has_same_form = is_name == found.is_name or first == 0
    return range(first, last + 1) if has_same_form else range(0)


# ---- what is marked as the answer

# Find what a chat model marks as its answer: a line "Answer: Rome", or words in bold type. A marked
# line stands for the whole answer. Words in bold that are like the reference, but are not the
# reference, speak against an answer that names the reference elsewhere.

LONGEST_REFERENCE = 6  # words of a reference that a marked line or words in bold can give
LONGEST_STATED = 15  # words of a marked line
LONGEST_BOLD = 6  # words in bold that are one thing
LEAST_ASKED = 0.4  # share of a question's telling words that an answer to it repeats
NOT_SURE = frozenset("until formerly previously originally wrong mistake former".split())
MOST_BOLD = 2  # places in bold: more of them are highlights
LONGEST_ANSWER = 100  # words
LONGEST_PLAIN = 5  # words of a sentence that gives an answer and nothing else
# "Answer: Rome", "**Final answer:** Rome", "So the correct answer is: Rome".
MARKED_LINE = re.compile(
    r"[ \t*_\x23>-]*(?:(?:so|the|my|thus|therefore|short|final|correct|right|best),? ){0,3}"
    r"answer(?: is)?[ \t*_]*[:：][ \t*_]*(?P<stated>[^\s*_].*)",
    re.IGNORECASE,
)
SENTENCE_END = re.compile(r"(?<=[.!?])[\"')*_]{0,3} ")
# The last sentence: "So my final answer is Rome."
LAST_SENTENCE = re.compile(
    r"(?:so|thus|therefore|hence)?,? ?(?:the|my) (?:final |correct |right |best )?answer"
    r" (?:is|must be|has to be|would be):? (?P<stated>.+)",
    re.IGNORECASE,
)
LONGEST_LAST = 200  # characters of the last sentence
# What points at an answer and is none: see above, the same.
NO_ANSWER = frozenset("see above below same correct short option as".split())


def read_marked_line(prediction: str, references: Sequence[Text]) -> str:
    r"""Return what the last line, such as "Answer: Rome", or sentence gives as the answer.

    Return "" without any, if it gives nothing like a reference, or beside a longer reference,
    which may need the rest of the answer.

    >>> read_marked_line("Oslo? No.\n**Answer:** Rome", [Text("Rome")])
    'Rome'
    >>> read_marked_line("Rome. The answer is simple.", [Text("Rome")])
    ''
    """
    if "nswer" not in prediction and "NSWER" not in prediction:
        return ""
    if any(len(reference.words) > LONGEST_REFERENCE for reference in references):
        return ""
    before, _, last_line = prediction.rstrip().rpartition("\n")
    marked = MARKED_LINE.fullmatch(last_line) if before.strip() else None
    line = marked or LAST_SENTENCE.fullmatch(read_last_sentence(last_line[-LONGEST_LAST:]))
    if not line:
        return ""
    stated = line["stated"].strip("*_ \t\r.!")
    is_final = marked is not None or "final" in line[0].lower()
    if not is_final and not any(map(Text(stated).has_all_content, references)):
        return ""  # the answer is simple
    is_short = 0 < len(stated.split()) <= LONGEST_STATED
    gives = is_short and gives_answer(Text(stated), references, is_marked=marked is not None)
    return stated if gives else ""


def read_last_sentence(line: str) -> str:
    """Return the last sentence of a line if another one stands before it, else ""."""
    sentences = SENTENCE_END.split(line.strip())
    return sentences[-1] if len(sentences) > 1 else ""


def gives_answer(stated: Text, references: Sequence[Text], *, is_marked: bool) -> bool:
    """Return whether a text has a reference's words, or is like one: a name, a value, a noun.

    Args:
        stated: what a line or sentence gives as the answer.
        references: the references.
        is_marked: whether it is a line such as "Answer: Rome", in which a noun needs no article.
    """
    if not stated.words or stated.denials or not NO_ANSWER.isdisjoint(stated.words):
        return False
    is_thing = stated.shown[0][0].isupper() or stated.words[0] in DETERMINERS
    has_name = is_thing and any(len(stated.words[start]) > 1 for start, _ in stated.names)
    for reference in references:
        if stated.has_all_content(reference):
            return True
        if reference.quantities:
            is_like = bool(stated.quantities)
        elif reference.names:
            is_like = has_name
        else:
            is_like = (is_thing or is_marked) and not stated.quantities
        if is_like and len(stated.text.strip()) > 1:
            return True
    return False


def decide_emphasis(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return UNLIKELY if another thing than a reference answers the question in bold, else None.

    It must be like the reference: a name, a value or other words. Its sentence must answer the
    question, and the answer must have the reference only in passing.
    """
    wanted = set(reference.content) - question.places.keys()
    if "**" not in answer.raw or not may_name_other(answer, reference, wanted):
        return None
    things = [thing for thing in list_bold(answer) if has_new_word(answer, thing, question)]
    if not 0 < len(things) <= MOST_BOLD:
        return None
    if not all(answers_question(answer, thing, wanted, question) for thing in things):
        return None
    if not any(
        is_other_of_form(Text(answer.span(one.start, one.stop)), reference) for one in things
    ):
        return None
    shown = answer.span(things[-1].start, things[-1].stop)
    return Decision(UNLIKELY, "replaced", shown, reference.text.strip())


def may_name_other(answer: Text, reference: Text, wanted: set[str]) -> bool:
    """Return whether an answer has words of a short reference only in passing.

    None stands in the first sentence, or in one that is too short to tell anything else.
    """
    if len(answer.words) > LONGEST_ANSWER or len(reference.words) > LONGEST_REFERENCE:
        return False
    sentences = [
        words
        for words in list_sentences(answer)
        if not wanted.isdisjoint(answer.stems[words.start : words.stop])
    ]
    # "It ended in 1945." answers the question, too.
    is_plain = any(len(words) <= LONGEST_PLAIN for words in sentences)
    return bool(sentences) and sentences[0].start > 0 and not is_plain


def answers_question(answer: Text, thing: range, wanted: set[str], question: Text) -> bool:
    """Return whether a thing's sentence answers the question, for sure and without what is wanted.

    It repeats words of the question: the capital is **Sydney**.
    """
    words = answer.find_sentence(thing.start)
    stems = {answer.stems[i] for i in words}
    asked = question.content
    if not stems.isdisjoint(wanted) or not asked:
        return False
    if not NOT_SURE.isdisjoint(answer.words[i] for i in words):
        return False
    if not answer.hedges.isdisjoint(words) or not set(answer.denials).isdisjoint(words):
        return False
    return len(stems.intersection(asked)) >= LEAST_ASKED * len(set(asked))


def list_bold(answer: Text) -> Iterator[range]:
    """Yield the words in bold type of each of the first places that is no heading."""
    for match in islice(BOLD.finditer(answer.raw), MOST_BOLD + 1):
        is_heading = match["words"].endswith((":", "：")) or answer.raw[match.end() :][:1] == ":"
        start = len(Text(answer.raw[: match.start()]).words)
        stop = start + len(Text(match["words"]).words)
        if start < stop <= min(len(answer.words), start + LONGEST_BOLD) and not is_heading:
            yield range(start, stop)


def has_new_word(answer: Text, words: range, question: Text) -> bool:
    """Return whether some words tell something that the question does not have; no letter does."""
    for i in words:
        word = answer.words[i]
        is_letter = len(word) == 1 and word.isalpha()
        if not is_letter and word not in STOP_WORDS and answer.stems[i] not in question.places:
            return True
    return False


def is_other_of_form(thing: Text, reference: Text) -> bool:
    """Return whether a thing is of the reference's form and differs: name, value or other words."""
    if reference.quantities:
        values = thing.quantities
        return bool(values) and not any(is_among(one, reference.quantities) for one in values)
    if thing.quantities:
        return False
    is_name = bool(reference.names) and bool(thing.names)
    return is_name or not (reference.names or thing.names)
