"""What a short sentence says beside a reference that is one: the same, or the contrary.

Each denial turns a statement round, and so does each word in whose place an opposite stands: "fell"
for "rose", "unsafe" for "safe". Two turns are none: "not unsafe" is "safe". An answer is compared
only where it has all words of the reference, or opposites of them.
"""

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from .lexicon import (
    BARRING_PHRASES,
    NEGATIVE_PREFIX,
    NEGATORS,
    STOP_WORDS,
    TURNING_PHRASES,
    TURNING_VERB,
)
from .implied_senses import Sense, choose_side, compile_senses
from .opposites import are_opposite, have_same_stem, list_known_opposites, say_same
from .outcomes import LIKELY, UNLIKELY, Decision
from .polarity import AUXILIARY
from .roles import is_sentence
from .text import Text

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
    denials = drop_corrected(answer, denials, min(matches.values()))
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


# What sets right what was denied before.
CORRECTING = frozenset({"but", "rather", "instead"})
EXCEPTING = frozenset("anything nothing anyone anybody all none everything everyone no one".split())


def drop_corrected(answer: Text, denials: list[int], first: int) -> list[int]:
    """Return the denials but those before a "but" behind which the matches begin: no X, but a Y."""
    turns = [i for i in range(1, first) if is_correcting(answer.words, i)]
    return [i for i in denials if not turns or i > turns[-1]]


def is_correcting(words: Sequence[str], i: int) -> bool:
    """Return whether a word sets right what came before: but, not in "anything but"."""
    if words[i] not in CORRECTING or words[i - 1] in EXCEPTING:
        return False
    return words[i + 1 : i + 2] not in (["than"], ["of"])


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


LONGEST_STATE = 4  # words of a reference that names a state


def decide_state(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return whether an answer names the state that a reference names, or the opposite: void.

    The words are those of lexicon.SENSES. The reference tells nothing else.
    """
    if reference.is_chinese or not 0 < len(reference.words) <= LONGEST_STATE:
        return None
    if not 0 < len(answer.words) <= LONGEST_STATEMENT or answer.quantities:
        return None
    if reference.stems[-1] in answer.places or not has_one_telling_word(reference):
        return None
    for sides in list_named_senses(reference.lower):
        expected = read_state(reference, sides, question)
        side = read_state(answer, sides, question)
        if expected and side:
            outcome = LIKELY if side == expected else UNLIKELY
            return Decision(outcome, "opposite", answer.text.strip(), reference.text.strip())
    return None


def read_state(text: Text, sides: Sense, question: Text) -> int:
    """Return 1 if a text names the first of two states or denies the second, -1 the reverse."""
    matches = [side.search(text.lower) for side in sides]
    said = choose_side(matches)
    match = matches[said] if said is not None else None
    if match is None or any(side.search(question.lower) for side in sides):
        return 0
    inside = text.words_between(*match.span())
    denials = {*find_negators(text), *find_turning_words(text)}
    denied = len(denials - set(inside))
    return (1 if said == 0 else -1) * (-1 if denied % 2 else 1)


def has_one_telling_word(reference: Text) -> bool:
    """Return whether a reference has only one word that tells something, and no name or number."""
    if reference.names or reference.quantities:
        return False
    telling = [i for i in range(len(reference.words)) if is_telling(reference, i)]
    return len(telling) == 1 and reference.shown[telling[0]].islower()


@lru_cache(maxsize=4096)
def list_named_senses(text: str) -> list[Sense]:
    """Return the senses with a side that a text names."""
    return [sides for sides in compile_senses() if any(side.search(text) for side in sides)]
