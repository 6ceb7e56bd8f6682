"""Edit English texts: replace a phrase, deny a sentence, change the first letter."""

import math
import re
from collections.abc import Iterable

# A person's name of two to four parts: "Jane Austen", "J. R. R. Tolkien", "Vincent van Gogh".
PERSON = re.compile(
    r"(?:[A-Z][\w'’-]+\.?|[A-Z]\.)(?: (?:[A-Z][\w'’-]+|[A-Z]\.|de|van|von|der)){1,3}"
)
# Verbs that "not" can follow, and that have none yet.
VERB = re.compile(r"\b(?:is|was|are|were|has|had|can|will)\b(?! not)")
SENTENCE = re.compile(r"[^.!?\n]+[.!?]?")
# First words of a sentence that are no names: within another sentence they begin with a small
# letter. Any other first word may be a name, and is kept.
SENTENCE_STARTERS = frozenset(
    "The A An It In On At There This These They He She His Her During After Before As".split()
)
# The fewest words that a sentence needs besides a reference.
MIN_CONTEXT_WORDS = 3


def count_spaced_words(text: str) -> int:
    """Return how many words a text has between whitespace."""
    return len(text.split())


def select_by_length(texts: Iterable[str], least: int, most: float = math.inf) -> list[str]:
    """Return the texts whose number of words is in a range."""
    return [text for text in texts if least <= count_spaced_words(text) <= most]


def replace_match(text: str, match: re.Match[str], replacement: str) -> str:
    """Return a text with a match replaced."""
    before = text[: match.start()]
    after = text[match.end() :]
    return before + replacement + after


def compile_phrase(phrase: str) -> re.Pattern[str]:
    """Return a pattern of a phrase as whole words, in any case."""
    return re.compile(rf"(?<!\w){re.escape(phrase)}(?!\w)", re.I)


def has_phrase(text: str, phrase: str) -> bool:
    """Return whether a text contains a phrase."""
    return compile_phrase(phrase).search(text) is not None


def has_reference_with_context(sentence: str, reference: str) -> bool:
    """Return whether a sentence has a reference and MIN_CONTEXT_WORDS further words."""
    least_words = count_spaced_words(reference) + MIN_CONTEXT_WORDS
    return has_phrase(sentence, reference) and count_spaced_words(sentence) >= least_words


def find_phrase(text: str, phrases: Iterable[str]) -> str | None:
    """Return the first of some phrases that a text contains, or None."""
    for phrase in phrases:
        if has_phrase(text, phrase):
            return phrase
    return None


def replace_phrase(text: str, phrase: str, replacement: str) -> str | None:
    """Return a text with a phrase replaced wherever it occurs; None if it does not occur."""
    pattern = compile_phrase(phrase)
    if not pattern.search(text):
        return None
    return pattern.sub(lambda _: replacement, text)


def add_not(text: str, phrase: str) -> str | None:
    """Return a text with "not" after the first verb of the sentence that contains a phrase.

    Return None if the text lacks the phrase, or if its sentence has no verb that "not" can follow.
    """
    position = text.lower().find(phrase.lower())
    if position < 0:
        return None
    start = text.rfind(". ", 0, position) + 1
    verb = VERB.search(text, start)
    if not verb:
        return None
    before_verb = text[start : verb.start()].strip(" .")
    if "." in before_verb:
        # The verb is in a later sentence.
        return None
    return replace_match(text, verb, f"{verb[0]} not")


def lower_first_letter(sentence: str) -> str:
    """Return a sentence for use within another one.

    Its first letter becomes a small one if its first word is one of SENTENCE_STARTERS.
    """
    first_word = sentence.split()[0]
    if first_word not in SENTENCE_STARTERS:
        return sentence
    return sentence[0].lower() + sentence[1:]


def upper_first_letter(text: str) -> str:
    """Return a text with its first letter in upper case."""
    return text[0].upper() + text[1:]
