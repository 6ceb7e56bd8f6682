"""What a short sentence says beside a reference that is one: the same, or the contrary.

Each denial turns a statement round, and so does each word in whose place an opposite stands: "fell"
for "rose", "unsafe" for "safe". Two turns are none: "not unsafe" is "safe". An answer is compared
only where it has all words of the reference, or opposites of them.
"""

import itertools
import re
from dataclasses import dataclass

from .lexicon import (
    BARRING_PHRASES,
    NEGATIVE_PREFIX,
    NEGATORS,
    STOP_WORDS,
    TURNING_PHRASES,
    TURNING_VERB,
)
from .opposites import are_opposite, have_same_stem, list_known_opposites, say_same
from .outcomes import LIKELY, UNLIKELY, Decision
from .polarity import AUXILIARY
from .roles import is_sentence
from .text import Text


# ---- dismissals

# Phrases that dismiss a short fact: "Rome? No way", "Rome has nothing to do with it", "nobody would
# say Rome".

LONGEST_FACT = 6  # words of a reference
LONGEST_DISMISSAL = 40  # words of an answer
FACT = "\x00"  # stands for the words of the reference
# What dismisses a fact that was put as a question, or before a comma.
REPLY = (
    r"(?:no way|hardly|far from it|as if|my foot|not so|not at all|not really|never|nope|no|wrong|"
    r"don't be (?:silly|ridiculous|daft|absurd)|"
    r"by no means|not a chance|no chance|forget it|think again|yeah,? right|i doubt it|"
    r"i don't think so|unlikely|not quite|(?:certainly|definitely|absolutely|surely|of course) not|"
    r"(?:(?:that|this|it)(?:'s| is) )?(?:just |simply |plain |utter |complete )?(?:a )?"
    r"(?:nonsense|rubbish|false|untrue|wrong|myth|lie|legend|mistake))(?=\W*(?:$|[.!?;:,–—]))"
)
DISMISSED_QUESTION = re.compile(rf"{FACT}\?[\s\"']*(?:oh|well|ha)?,? ?{REPLY}")
DISMISSED_AFTER_COMMA = re.compile(rf"{FACT}, (?:my foot|as if|yeah,? right)\b")
# What is said of a fact that stands first.
HAS_NO_PART = re.compile(
    rf"{FACT} (?:had|has|have|played|plays|won|wins|did|does|do) (?:\w+ly )?"
    r"(?:nothing(?! but| other| except)|no (?:part|hand|role|share|say|place))\b"
)
IS_SET_ASIDE = re.compile(
    rf"{FACT} (?:has|have|had|was|were|is|are|can|could|must) (?:\w+ ){{0,2}}?"
    r"(?:ruled out|excluded|wrongly|falsely|mistakenly|incorrectly|erroneously)\b"
)
# What comes before a fact in its clause.
IN_CLAUSE = r"[^.;:!?\x00]{0,60}?"
SAYING = (
    r"(?:say|says|said|call|calls|called|claim|claims|think|thinks|thought|believe|believes|name|names|"
    r"suggest|suggests|assume|assumes|answer|pick|choose)\b"
)
WRONG_TO_SAY = re.compile(
    rf"(?:wrong|false|mistaken|incorrect|absurd|ridiculous|mistake|error) (?:to|if you) {SAYING}"
    rf"{IN_CLAUSE}{FACT}"
)
NOBODY_SAYS = re.compile(
    rf"\b(?:nobody|no one) (?:would |could |should |will |has |ever |seriously ){{0,3}}{SAYING}"
    rf"{IN_CLAUSE}{FACT}"
)
NOT_BELIEVED = re.compile(
    rf"\b(?:refuse[sd]?|hard|impossible|absurd) to (?:believe|think|accept)\b{IN_CLAUSE}{FACT}"
)
CANNOT_BE = re.compile(
    rf"\b(?:can't|cannot|can not|couldn't|could not) (?:possibly )?(?:be|have been) (?:the )?{FACT}"
)
AS_IF = re.compile(rf"(?:^|[.!?] )(?:as if|who says|who said)\b{IN_CLAUSE}{FACT}")
# What is said to be so, or was so once: but it wasn't, but no longer.
HOLDS_NO_MORE = re.compile(
    rf"{FACT}[^.;:!?\x00]{{0,30}}, but (?:(?:it|he|she|they|that|this) )?"
    r"(?:\w+n't|(?:is|was|does|did|has) not|no longer|not|never)"
    r"(?: any ?more| true| so| right| the case)?"
    r"(?=\W*$|[.;!] )"
)
IS_A_MYTH = re.compile(
    rf"\bthat {FACT}[^.;:!?\x00]{{0,60}} (?:is|was) (?:\w+ ){{0,3}}?"
    r"(?:legend|myth|lie|rumou?r|mistake|error|misconception|fallacy|false|wrong|untrue|nonsense)\b"
)
EVERYONE_BUT = re.compile(
    rf"\bevery(?:one|body|thing|where) (?:but|except|except for) (?:the )?{FACT}"
)
PATTERNS = (
    EVERYONE_BUT,
    HOLDS_NO_MORE,
    IS_A_MYTH,
    DISMISSED_QUESTION,
    DISMISSED_AFTER_COMMA,
    HAS_NO_PART,
    IS_SET_ASIDE,
    WRONG_TO_SAY,
    NOBODY_SAYS,
    NOT_BELIEVED,
    CANNOT_BE,
    AS_IF,
)
# What turns such a phrase round: nobody but Rome, not wrong to say Rome, hardly anyone would deny.
DENIED_BEFORE = re.compile(r"(?:\bnot|n't|\b(?:never|no|hardly|scarcely|barely)) (?:\w+ ){0,3}$")
# How a phrase may begin that dismisses, although its words would make an exception elsewhere.
BEGINNING = re.compile(r"^\W*(?:can't|cannot|can not|couldn't|could not|every\w+ (?:but|except))\b")
EXCEPTION = re.compile(
    r"\b(?:but|except|other than|else than|anyone|not|never|hardly)\b|n't\b|\bdeny"
)


def decide_dismissal(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return that an answer dismisses the fact that a reference is; None where it does not."""
    if not 0 < len(reference.words) <= LONGEST_FACT or len(answer.words) > LONGEST_DISMISSAL:
        return None
    if is_sentence(reference) or reference.denials:
        return None  # contraries.py
    marked = mark_fact(answer, reference)
    if FACT not in marked:
        return None
    for pattern in PATTERNS:
        match = pattern.search(marked)
        if match and not is_turned_round(marked, match) and FACT not in marked[match.end() :]:
            found = match[0].replace(FACT, reference.text.strip())
            return Decision(UNLIKELY, "denied", found, reference.text.strip())
    return None


# What is only believed, and what is really so: 很多人以为是悉尼，其实是堪培拉.
CHINESE_BELIEF = "(?:以为|认为|觉得|误作|误传)[^。！？]{0,4}"
CHINESE_TRUTH = "[^。！？]{0,6}[，,][^。！？]{0,4}(?:其实|实际上|事实上)"
LONGEST_CHINESE_FACT = 8  # characters


def decide_chinese_belief(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return that a Chinese answer says that a fact is only believed."""
    fact = reference.text.strip(" 。.")
    if not reference.is_chinese or not 1 < len(fact) <= LONGEST_CHINESE_FACT:
        return None
    believed = re.search(f"{CHINESE_BELIEF}{re.escape(fact)}{CHINESE_TRUTH}", answer.text)
    if not believed or answer.text.count(fact) > 1:
        return None
    return Decision(UNLIKELY, "denied", believed[0], fact)


def mark_fact(answer: Text, reference: Text) -> str:
    """Return an answer in lower case with FACT in place of the reference's words.

    If the reference is a name, only its last word is replaced.
    """
    content = [i for i, word in enumerate(reference.words) if word not in STOP_WORDS]
    if not content:
        return ""
    stems = [reference.stems[i] for i in content]
    last = stems[-1]
    marked, end = list[str](), 0
    for i, stem in enumerate(answer.stems):
        if stem != last:
            continue
        first = i
        while first and (answer.stems[first - 1] in stems or answer.words[first - 1] == "the"):
            first -= 1
        marked += [answer.lower[end : max(end, answer.starts[first])], FACT]
        end = answer.starts[i] + len(answer.shown[i])
    return "".join([*marked, answer.lower[end:]])


def is_turned_round(marked: str, match: re.Match[str]) -> bool:
    """Return whether a phrase that dismisses is itself denied, or makes an exception."""
    if DENIED_BEFORE.search(marked[max(0, match.start() - 20) : match.start()]):
        return True
    phrase = BEGINNING.sub("", match[0])
    return phrase.endswith(FACT) and EXCEPTION.search(phrase) is not None


# ---- contraries

LONGEST_STATEMENT = 8  # words of a reference, from which on it is long
LONGEST_ANSWER = 25  # words of an answer, beyond which a denial may bear on other things
DIRECTED_STOP_WORDS = frozenset("before after up down under over above below more less".split())


@dataclass(frozen=True)
class Turns:
    """What turns an answer round beside a reference.

    Attributes:
        opposites: where the answer has an opposite of a word of the reference.
        denials: where the answer denies.
        expected: how often the reference denies.
        is_verbatim: whether the answer has all words of the reference as they are, and denies
            nothing else.
    """

    opposites: list[int]
    denials: list[int]
    expected: int
    is_verbatim: bool

    def are_odd(self) -> bool:
        """Return whether the answer says the contrary."""
        return (len(self.opposites) + len(self.denials) + self.expected) % 2 == 1


def count_turns(answer: Text, reference: Text, question: Text) -> Turns | None:
    """Return what turns an answer round beside a reference; None where the two do not compare.

    The answer must have each word of the reference that the question does not have, or an opposite
    of it, or a word that says the same.
    """
    if not can_compare(answer, reference, question):
        return None
    turning = find_turning_words(reference)
    matches = dict[int, int]()
    for i, word in enumerate(reference.words):
        if not is_telling(reference, i):
            continue
        place = find_place(word, answer)
        if place is not None:
            matches[i] = place
        elif i not in turning and reference.stems[i] not in question.places:
            return None
    if not matches:
        return None
    denials = find_bearing_denials(answer, set(matches.values()), reference)
    return Turns(
        [
            place
            for i, place in matches.items()
            if are_opposite(reference.words[i], answer.words[place])
        ],
        denials,
        len(find_negators(reference)) + len(turning - matches.keys()),
        is_verbatim(answer, reference) and set(find_negators(answer)) <= set(denials),
    )


def can_compare(answer: Text, reference: Text, question: Text) -> bool:
    """Return whether an answer and a reference are short enough to count their denials.

    The reference is a short statement, or has a word with an opposite.

    A question for what is denied or forbidden is left out: its answer may say so or not.
    """
    if reference.is_chinese or not 0 < len(reference.words) < LONGEST_STATEMENT:
        return False
    if not 0 < len(answer.words) <= LONGEST_ANSWER:
        return False
    if len(reference.names) > 1:
        return False  # who did it to whom decides: roles.py
    is_statement = is_sentence(reference) or bool(reference.denials)
    has_opposite = not reference.quantities and has_word_with_opposite(reference, answer)
    return (is_statement or has_opposite) and not find_turning_words(question)


def has_word_with_opposite(text: Text, other: Text) -> bool:
    """Return whether a word that is no name has an opposite.

    It is a known one, or a word of the other text without its prefix.
    """
    named = {i for start, end in text.names for i in range(start, end)}
    for i, word in enumerate(text.words):
        if i in named or not is_telling(text, i):
            continue
        bare = NEGATIVE_PREFIX.sub("", word)
        is_prefixed = bare != word and (bare in other.first_place or list_known_opposites(bare))
        if is_prefixed or list_known_opposites(word):
            return True
    return False


def is_verbatim(answer: Text, reference: Text) -> bool:
    """Return whether an answer has all telling words of a reference, and its negators."""
    telling = {stem for i, stem in enumerate(reference.stems) if is_telling(reference, i)}
    negators = {reference.words[i] for i in reference.denials}
    return telling <= answer.places.keys() and negators <= answer.first_place.keys()


def is_telling(text: Text, i: int) -> bool:
    """Return whether a word tells something: it is no small word, or one with an opposite."""
    word = text.words[i]
    if word in NEGATORS or word.endswith("n't") or word in AUXILIARY:
        return False
    if word == "longer" and i and text.words[i - 1] == "no":
        return False
    return word not in STOP_WORDS or word in DIRECTED_STOP_WORDS


def find_place(word: str, answer: Text) -> int | None:
    """Return where an answer has a word, another form of it, what says the same, or an opposite."""
    for matches in (have_same_stem, say_same, are_opposite):
        for i, other in enumerate(answer.words):
            if is_telling(answer, i) and matches(word, other):
                return i
    return None


def find_turning_words(text: Text) -> set[int]:
    """Return the words that deny as a verb or an adjective does: denied, failed, a myth."""
    found = {i for i, word in enumerate(text.words) if TURNING_VERB.match(word)}
    return found | {words.start for words in list_phrases(text, TURNING_PHRASES)}


def find_negators(text: Text) -> list[int]:
    """Return the negators of a text, but for a "no" that answers; a phrase is one."""
    found = set(text.denials)
    for words in list_phrases(text, BARRING_PHRASES):
        found -= set(words)
        found.add(words.start)
    is_answer = text.words[0] == "no" and len(text.words) > 1 and text.clause[0] != text.clause[1]
    return sorted(found - {0} if is_answer else found)


def list_phrases(text: Text, pattern: re.Pattern[str]) -> list[range]:
    """Return the words of each phrase of a pattern, as far as they are read."""
    found = [text.words_between(*match.span()) for match in pattern.finditer(text.lower)]
    return [words for words in found if words]


def find_bearing_denials(answer: Text, matches: set[int], reference: Text) -> list[int]:
    """Return the denials of an answer that apply to the words it shares with the reference."""
    sentences = {answer.sentence[i] for i in matches}
    turning = {i for i in find_turning_words(answer) - matches if answer.sentence[i] in sentences}
    is_existential = reference.words[0] in ("there", "no")
    found = list(turning)
    for i in find_negators(answer):
        if answer.sentence[i] not in sentences:
            continue
        scope = list_scope(answer, i)
        bears = is_existential or not scope or bool(scope & (matches | turning))
        if bears and not has_opposite_word(answer, scope - matches, reference):
            found.append(i)
    return found


def list_scope(text: Text, i: int) -> set[int]:
    """Return the words that tell something behind a negator, up to the end of its clause."""
    end = i + 1
    while end < len(text.words) and text.clause[end] == text.clause[i]:
        end += 1
    return {j for j in range(i + 1, end) if is_telling(text, j)}


def has_opposite_word(text: Text, places: set[int], other: Text) -> bool:
    """Return whether one of some words is an opposite of a word of another text."""
    pairs = itertools.product(places, other.words)
    return any(are_opposite(word, text.words[i]) for i, word in pairs)


def decide_contrary(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return that a short sentence says the same as a reference in other words, or the contrary."""
    turns = count_turns(answer, reference, question)
    if not turns:
        return None
    shown = reference.text.strip()
    kind = "opposite" if turns.opposites and not turns.denials else "denied"
    if turns.are_odd():
        return Decision(UNLIKELY, kind, answer.text.strip(), shown)
    if turns.is_verbatim or len(set(answer.sentence)) > 1:
        return None
    return Decision(LIKELY, kind, answer.text.strip(), shown)
