"""Decide by one noun in the place of another: "fold in the sugar" where the flour is folded in.

Verbs and adjectives are left out, for another one often says the same: hunt and prey on.
"""

import re

from .found_reference import DETERMINERS, PREPOSITIONS
from .lexicon import IRREGULAR_PAST, NAME_VERB, STOP_WORDS
from .opposites import find_root, have_same_stem, is_derived
from .outcomes import UNLIKELY, Decision
from .synonyms import can_replace
from .text import SAME_SPELLING, Text, compare_spelling

REFERENCE_LENGTHS = range(2, 10)  # words
MOST_LONGER = 6  # words by which an answer may be longer than the reference
SHORTEST_NOUN = 3  # letters
# A definition or a reason in general has many wordings: the flow of water, its movement.
ASKS_FOR_DEFINITION = re.compile(
    r"\W*(?:what (?:is|are) (?:an? )?\w+(?: \w+)?\W*$"
    r"|what (?:do|does)\b[^?]*\b(?:do|mean|measure)\W*$|what causes?\b|why (?:do|does|is|are)\b"
    r"|(?:define|explain|describe)\b)"
)
VERB_ENDINGS = ("ed", "ing")


def decide_replaced_noun(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return UNLIKELY if an answer has another noun in the place of one of a reference, else None.

    The other telling words of the two must be the same, in the same order.
    """
    if not may_replace(answer, reference) or ASKS_FOR_DEFINITION.match(question.lower):
        return None
    expected = reference.telling
    said = [
        i
        for i in answer.telling
        if answer.stems[i] in reference.places or answer.stems[i] not in question.places
    ]
    if len(said) != len(expected) or len(expected) < 2:
        return None
    pairs = list(zip(expected, said, strict=True))
    changed = [(i, j) for i, j in pairs if reference.stems[i] != answer.stems[j]]
    if len(changed) == len(pairs):
        return None
    for i, j in changed:
        is_known = answer.stems[j] in reference.places or reference.stems[i] in answer.places
        if is_known or may_mean_same(reference.words[i], answer.words[j]):
            return None
    for i, j in changed:
        if is_noun(reference, i) and is_noun(answer, j):
            return Decision(UNLIKELY, "replaced", answer.shown[j], reference.shown[i])
    return None


def may_replace(answer: Text, reference: Text) -> bool:
    """Return whether two texts are short and alike, and neither denies, doubts, counts or names."""
    if len(reference.words) not in REFERENCE_LENGTHS or reference.is_chinese:
        return False
    if not 0 < len(answer.words) <= len(reference.words) + MOST_LONGER:
        return False
    for text in (answer, reference):
        if text.denials or text.untrue or text.hedges or text.quantities:
            return False
    return not reference.names


def is_noun(text: Text, i: int) -> bool:
    """Return whether a word in small letters stands where a noun does: the flour, dark green.

    A word that begins the text or stands behind "to" may be a verb, and so may one between a noun
    and an article (the wheel drives the pump). A word before another one may be an adjective.
    """
    word = text.words[i]
    if i == 0 or not text.shown[i].islower() or len(word) < SHORTEST_NOUN:
        return False
    if word in IRREGULAR_PAST or NAME_VERB.match(word) or word.endswith(VERB_ENDINGS):
        return False
    before, following = text.words[i - 1], text.words[i + 1 : i + 3]
    has_word_behind = bool(following) and following[0] not in STOP_WORDS
    if has_word_behind and text.clause[i] == text.clause[i + 1]:
        # The judge instructs the jury.
        return before in DETERMINERS and following[-1] in DETERMINERS
    if before in STOP_WORDS:
        return before in DETERMINERS or (before in PREPOSITIONS and before != "to")
    return DETERMINERS.isdisjoint(following[:1])


def may_mean_same(word: str, other: str) -> bool:
    """Return whether two words are forms, spellings or synonyms of one another."""
    if have_same_stem(word, other) or can_replace(word, other):
        return True
    if compare_spelling(word, other) >= SAME_SPELLING:
        return True
    return is_derived(find_root(word), find_root(other))
