"""Edits of English texts: replace a phrase, deny a sentence, change the first letter."""

import re
from collections.abc import Iterable

PERSON = re.compile(r"(?:[A-Z][\w'’-]+\.?|[A-Z]\.)(?: (?:[A-Z][\w'’-]+|[A-Z]\.|de|van|von|der)){1,3}")
VERB = re.compile(r"\b(?:is|was|are|were|has|had|can|will)\b(?! not)")
SENTENCE = re.compile(r"[^.!?\n]+[.!?]?")
# Words that begin a sentence and are in lower case within another one. Other first words may be names.
SENTENCE_STARTERS = frozenset(
    "The A An It In On At There This These They He She His Her During After Before As".split()
)


def replace_match(text: str, match: re.Match[str], replacement: str) -> str:
    """Return a text with something else in the place of a match."""
    return text[: match.start()] + replacement + text[match.end() :]


def phrase_pattern(phrase: str) -> re.Pattern[str]:
    """Return a pattern of a phrase as whole words, in upper or lower case."""
    return re.compile(rf"(?<!\w){re.escape(phrase)}(?!\w)", re.I)


def has_phrase(text: str, phrase: str) -> bool:
    """Return whether a text has a phrase."""
    return phrase_pattern(phrase).search(text) is not None


def find_phrase(text: str, phrases: Iterable[str]) -> str | None:
    """Return the first of some phrases that a text has, None if it has none."""
    return next((phrase for phrase in phrases if has_phrase(text, phrase)), None)


def replace_phrase(text: str, phrase: str, replacement: str) -> str | None:
    """Return a text with a phrase replaced wherever it occurs, None if it does not occur."""
    pattern = phrase_pattern(phrase)
    if not pattern.search(text):
        return None
    return pattern.sub(lambda _: replacement, text)


def add_not(text: str, phrase: str) -> str | None:
    """Return a text with "not" after the first verb of the sentence that has a phrase, None if there is none."""
    position = text.lower().find(phrase.lower())
    if position < 0:
        return None
    start = text.rfind(". ", 0, position) + 1
    verb = VERB.search(text, start)
    if not verb:
        return None
    before_verb = text[start : verb.start()].strip(" .")
    if "." in before_verb:  # the verb is in a later sentence
        return None
    return f"{text[: verb.end()]} not{text[verb.end() :]}"


def lower_first_letter(sentence: str) -> str:
    """Return a sentence as it is written within another one: in lower case, unless it may begin with a name."""
    if sentence.split()[0] not in SENTENCE_STARTERS:
        return sentence
    return sentence[0].lower() + sentence[1:]


def upper_first_letter(text: str) -> str:
    """Return a text with its first letter in upper case."""
    return text[0].upper() + text[1:]
