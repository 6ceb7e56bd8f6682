"""Decide by an exception: all but two, everyone except Tom, any port but 8080."""

import re

from .denials import denies_in_main_clause, is_content, list_denials
from .lexicon import AFFIRMING_PHRASE
from .outcomes import LIKELY, UNLIKELY, UPHELD, Decision
from .text import Text

MOST_WORDS = 12  # of an answer or a reference
LONGEST_FACT = 6  # words of a reference that an answer may set apart from all others
ALL_WORDS = "all|each|every|everyone|everybody|everything|any|anyone|anybody"
NONE_WORDS = r"none|nobody|no one|nothing|no(?= \w+ (?:other than|but|except)\b)"
# "all but two", "everyone, with the exception of Tom", "none of them except Ann".
ALL_BUT = re.compile(
    rf"\b(?:(?P<all>{ALL_WORDS})|(?P<none>{NONE_WORDS}))\b[^.;]{{0,40}}?"
    r"\b(?:but|except(?: for)?|apart from|aside from|other than|excluding|save"
    r"|with the exception of) (?P<exception>[^.;,]{1,60})"
)
ALL_OR_NONE = re.compile(rf"\b(?:{ALL_WORDS}|{NONE_WORDS})\b")


def decide_all_but(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return LIKELY if an answer names all with the exception of the reference, else UNLIKELY.

    None if the reference names no exception, if the answer has its words, or says who was left out
    in another way.
    """
    if not 0 < len(answer.words) <= MOST_WORDS or len(reference.words) > MOST_WORDS:
        return None
    expected = ALL_BUT.search(reference.lower)
    if not expected:
        return None
    exception = list_exception(expected, reference, question)
    match = ALL_BUT.search(answer.lower)
    if match:
        has_same_side = bool(match["all"]) == bool(expected["all"])
        is_same = has_same_side and list_exception(match, answer, question) == exception
        if is_same and answer.has_all_content(reference):
            return None
        outcome = LIKELY if is_same else UNLIKELY
    elif exception and has_only_one_part(answer, exception):
        outcome = UNLIKELY
    else:
        return None
    return Decision(outcome, "replaced", answer.text.strip(), reference.text.strip())


def has_only_one_part(answer: Text, exception: set[str]) -> bool:
    """Return whether an answer names all, or the exception, but not both, and denies nothing."""
    if answer.words[0] in ("yes", "no") or list_denials(answer):
        return False
    names_all = ALL_OR_NONE.search(answer.lower) is not None
    return names_all != (exception <= answer.places.keys())


def has_new_word(answer: Text, places: set[int], question: Text) -> bool:
    """Return whether one of some words tells what the question does not have."""
    return any(is_content(answer, i) and answer.stems[i] not in question.places for i in places)


def list_exception(match: re.Match[str], text: Text, question: Text) -> set[str]:
    """Return the telling stems of an exception that the question does not have."""
    places = text.words_between(*match.span("exception"))
    stems = {text.stems[i] for i in places}
    return stems.intersection(text.content) - question.places.keys()


# ---- all but the reference

# Words with which "every port but this one" means just this one.
REJECTING_WORD = re.compile(
    "refus|reject|ignor|avoid|dislik|declin|exclud|forb[ia]d|prohibit|block|lack|skip|omit|shun|"
    "disregard|hat(?:e|es|ed|ing)$|bann?(?:s|ed|ing)?$|miss(?:es|ed|ing)?$"
)


def decide_exception(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Decide whether an answer sets a reference apart as the only thing that is not meant.

    "Any port but 8080" is UNLIKELY beside the reference "8080", and "It refuses everything but
    seeds" is UPHELD beside "seeds". None if the reference itself makes an exception, or if a text
    tells anything else.
    """
    if not 0 < len(answer.words) <= MOST_WORDS or not 0 < len(reference.words) <= LONGEST_FACT:
        return None
    match = ALL_BUT.search(answer.lower)
    if not match or AFFIRMING_PHRASE.search(answer.lower) or denies_in_main_clause(question):
        return None
    wanted = set(reference.content) - question.places.keys()
    if not wanted or ALL_BUT.search(reference.lower):
        return None
    if list_exception(match, answer, question) != wanted:
        return None
    outside = set(range(len(answer.words))) - set(answer.words_between(*match.span()))
    rejecting = {i for i in outside if REJECTING_WORD.match(answer.words[i])}
    negations = rejecting | outside.intersection(list_denials(answer))
    if has_new_word(answer, outside - negations, question):
        return None
    means_reference = (len(negations) + bool(match["none"])) % 2 == 1
    outcome = UPHELD if means_reference else UNLIKELY
    return Decision(outcome, "denied", answer.text.strip(), reference.text.strip())
