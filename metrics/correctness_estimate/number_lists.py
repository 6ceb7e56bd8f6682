"""A reference of several numbers: a ratio, a point, a range, a list."""

import re
from collections.abc import Sequence

from .bounds import ABOUT
from .equality import agree, can_replace, is_among
from .lexicon import STOP_WORDS
from .outcomes import COARSER, DIFFERENT, EQUAL, OPEN, Decision
from .quantities import Quantity
from .text import Text


def decide_ratio(said: Sequence[Quantity], expected: Quantity) -> Decision | None:
    """Return whether an answer's numbers are the two of a ratio: two boys for every three girls."""
    if len(said) == 1 and {said[0].dimension} & {"ratio", "clock"}:
        return Decision(DIFFERENT, "number", said[0].text, expected.text)
    sides = [float(side) for side in re.findall(r"\d+(?:\.\d+)?", expected.text.replace(",", ""))]
    written = [one.written for one in said]
    if written == sides:
        return Decision(EQUAL, "value", said[0].text, expected.text)
    return (
        Decision(OPEN, "value", said[0].text, expected.text)
        if sorted(written) == sorted(sides)
        else None
    )


def decide_sequence(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Decide by the numbers of a reference that is a point, a range or a list of numbers."""
    wanted, said = reference.quantities, answer.quantities
    if len(wanted) < 2 or not said or not is_only_quantities(reference):
        return None
    if len(said) != len(wanted):
        return decide_length(answer, reference)
    found, expected = quote_sequence(answer), quote_sequence(reference)
    if all(map(agree, said, wanted)):
        is_range = RANGE.search(reference.text) and not RANGE.search(answer.text)
        return None if is_range else Decision(EQUAL, "value", found, expected)
    is_point = reference.text.strip()[0] in "([{" or asks_for_order(question)
    is_list = not is_point and LIST_WORD.search(reference.text)
    if is_list and all(is_among(one, wanted) for one in said):
        return None
    pairs = zip(said, wanted, strict=True)
    if any(can_replace(a, b) and not agree(a, b) for a, b in pairs):
        return Decision(DIFFERENT, "number", found, expected)
    return None


def decide_length(answer: Text, reference: Text) -> Decision | None:
    """Decide by the count, if an answer has fewer or more numbers than a list of them."""
    wanted, said = reference.quantities, answer.quantities
    is_range = RANGE.search(reference.text) is not None and wanted[0].kind == "number"
    if is_range and len(said) == 1 and is_among(said[0], wanted) and "±" not in reference.text:
        return Decision(COARSER, "list", answer.text.strip(), reference.text.strip())
    if not LIST_WORD.search(reference.text):
        return None
    has_no_other = all(is_among(one, wanted) for one in said)
    if len(said) < len(wanted) and has_no_other:
        return Decision(COARSER, "list", answer.text.strip(), reference.text.strip())
    if len(said) > len(wanted) and not has_no_other and is_only_quantities(answer):
        return Decision(DIFFERENT, "added", answer.text.strip(), reference.text.strip())
    return None


def quote_sequence(text: Text) -> str:
    """Return what a text has from its first number to its last."""
    return text.text[text.quantities[0].start : text.quantities[-1].end]


ORDER = re.compile(
    r"\b(?:respectively|order|sequence|ascending|descending|rank(?:ed|ing)?|sort(?:ed)?)\b|顺序"
    r"|排序|依次"
)
RANGE = re.compile(
    r"\d\W{0,3}(?:[-–—~～]|to|bis|till?|until|through|up to|到|至)\W{0,3}\d|\bbetween\b|[\])}]",
    re.IGNORECASE,
)
LIST_WORD = re.compile(r"\band\b|[和、&]|,.*,")


def asks_for_order(question: Text) -> bool:
    """Return whether a question asks for things in their order."""
    return ORDER.search(question.lower) is not None


def is_only_quantities(text: Text) -> bool:
    """Return whether a text has nothing but quantities and small words."""
    inside = {i for one in text.quantities for i in text.words_between(one.start, one.end)}
    return all(
        i in inside or word in STOP_WORDS or word in ABOUT for i, word in enumerate(text.words)
    )
