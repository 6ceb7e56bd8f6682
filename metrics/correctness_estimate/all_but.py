"""Decide by a reference that names all with an exception: all but two, everyone except Tom."""

import re

from .denials import list_denials
from .outcomes import LIKELY, UNLIKELY, Decision
from .text import Text

LONGEST = 12  # words of an answer or a reference
ALL_WORDS = "all|each|every|everyone|everybody|everything"
NONE_WORDS = "none|nobody|no one|nothing"
# "all but two", "everyone, with the exception of Tom", "none of them except Ann".
ALL_BUT = re.compile(
    rf"\b(?:(?P<all>{ALL_WORDS})|(?P<none>{NONE_WORDS}))\b[^.;]{{0,40}}?"
    r"\b(?:but|except(?: for)?|apart from|aside from|other than|excluding|save"
    r"|with the exception of) (?P<exception>[^.;,]{1,60})"
)
ALL_OR_NONE = re.compile(rf"\b(?:{ALL_WORDS}|{NONE_WORDS})\b")


def decide_all_but(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return LIKELY if an answer names all with the exception of the reference, else UNLIKELY.

    None if the reference names no exception, or if the answer says who was left out in another way.
    """
    if not 0 < len(answer.words) <= LONGEST or len(reference.words) > LONGEST:
        return None
    expected = ALL_BUT.search(reference.lower)
    if not expected:
        return None
    exception = list_exception(expected, reference, question)
    said = ALL_BUT.search(answer.lower)
    if said:
        has_same_side = bool(said["all"]) == bool(expected["all"])
        is_same = has_same_side and list_exception(said, answer, question) == exception
        outcome = LIKELY if is_same else UNLIKELY
    elif exception and has_only_one_part(answer, exception):
        outcome = UNLIKELY
    else:
        return None
    return Decision(outcome, "list", answer.text.strip(), reference.text.strip())


def has_only_one_part(answer: Text, exception: set[str]) -> bool:
    """Return whether an answer names all, or the exception, but not both, and denies nothing."""
    if answer.words[0] in ("yes", "no") or list_denials(answer):
        return False
    names_all = ALL_OR_NONE.search(answer.lower) is not None
    return names_all != (exception <= answer.places.keys())


def list_exception(match: re.Match[str], text: Text, question: Text) -> set[str]:
    """Return the telling stems of an exception that the question does not have."""
    places = text.words_between(*match.span("exception"))
    stems = {text.stems[i] for i in places}
    return stems.intersection(text.content) - question.places.keys()
