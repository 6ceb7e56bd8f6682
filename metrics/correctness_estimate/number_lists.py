"""Decide by a reference of several numbers: a point, a range or a list."""

import re
from collections.abc import Collection, Sequence

from .bounds import find_start_of_bound, read_bounds
from .equality import agree, can_replace, is_among
from .lexicon import STOP_WORDS
from .numerals import read_count
from .outcomes import COARSER, DIFFERENT, EQUAL, LIKELY, OPEN, Decision
from .quantities import Quantity, find_quantities
from .quantity_patterns import ABOUT
from .text import Text

# A question with one of these asks for things in their order.
ORDER = re.compile(
    r"\bfirst,? (?:and )?second\b"
    r"|\b(?:in|the|what|which|correct|right|this|that|whose) (?:\w+ )?order\b"
    r"|\b(?:respectively|sequence|ascending|descending|rank(?:ed|ing)?|sort(?:ed)?)\b|顺序"
    r"|排序|依次"
)
ANY_ORDER = re.compile(r"\bin any order\b|\bregardless of (?:the )?order\b")
# "3-5", "from 3 to 5", and an interval: "[3, 5]".
RANGE = re.compile(
    r"\d\W{0,3}(?:[-–—~～]|to|bis|till?|until|through|up to|到|至)\W{0,3}\d|\bbetween\b|[\])}]",
    re.IGNORECASE,
)
# The score of a match, or a ratio: "2:1".
SCORE = re.compile(r"(\d{1,3})\s?:\s?(\d{1,3})")
# "3 and 5", "3, 4, 5".
LIST_WORD = re.compile(r"\band\b|[和、&]|,.*,")


def decide_sequence(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Decide by the numbers of a reference that is a point, a range or a list of numbers."""
    expected = reference.quantities
    if len(expected) < 2 or not answer.quantities or not is_only_quantities(reference, question):
        return None
    numbers = split_ratio(answer.quantities) if len(expected) == 2 else answer.quantities
    if len(numbers) != len(expected):
        return decide_length(answer, reference, question)
    if all(map(agree, numbers, expected)):
        if has_opposite_bound(answer, reference):
            return Decision(DIFFERENT, "number", quote_sequence(answer), quote_sequence(reference))
        return decide_same_numbers(answer, reference, question)
    if is_in_other_order(numbers, reference, question) or not has_other_number(numbers, expected):
        return None
    return Decision(DIFFERENT, "number", quote_sequence(answer), quote_sequence(reference))


def has_opposite_bound(answer: Text, reference: Text) -> bool:
    """Return whether one of the same numbers of two texts is a bound on the other side."""
    pairs = zip(answer.quantities, reference.quantities, strict=False)
    for value, expected in pairs:
        bound = read_bounds(answer.text, value).bound
        if bound * read_bounds(reference.text, expected).bound < 0:
            return True
    return False


def decide_same_numbers(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Decide by the rest of an answer that has all numbers of a reference.

    None if it gives the ends of a range as two things. DIFFERENT for the score of another team.
    """
    gives_ends = is_range(reference) and not is_range(answer) and len(answer.quantities) > 1
    if gives_ends:
        return None
    return Decision(EQUAL, "value", quote_sequence(answer), quote_sequence(reference))


def split_ratio(quantities: Sequence[Quantity]) -> Sequence[Quantity]:
    """Return the two sides of a ratio or a score as numbers: 2:1. Other quantities are unchanged.

    A score such as 3:10 is read as a time of day.
    """
    if len(quantities) != 1 or quantities[0].dimension not in ("ratio", "clock"):
        return quantities
    sides = SCORE.fullmatch(quantities[0].text)
    return find_quantities(f"{sides[1]} and {sides[2]}") if sides else quantities


def decide_length(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Decide by the count, if an answer has fewer or more numbers than the reference."""
    expected, numbers = reference.quantities, answer.quantities
    found, expected_text = answer.text.strip(), reference.text.strip()
    if is_end_of_range(numbers, reference, question):
        return Decision(COARSER, "list", found, expected_text)
    if not LIST_WORD.search(reference.text):
        return None
    if has_only(numbers, expected):
        is_part = len(numbers) < len(expected)
        return Decision(COARSER, "list", found, expected_text) if is_part else None
    if len(numbers) > len(expected) and is_only_quantities(answer, question):
        return Decision(DIFFERENT, "added", found, expected_text)
    return None


def is_range(text: Text) -> bool:
    """Return whether a text is a range, an interval, or has a least and a greatest number."""
    if RANGE.search(text.text):
        return True
    bounds = [read_bounds(text.text, quantity).bound for quantity in text.quantities[:3]]
    return bounds == [1, -1]  # at least 2 and at most 8


# A question for both ends of a time: from when to when, how long, between which years.
ASKS_FOR_BOTH_ENDS = re.compile(
    r"\bfrom (?:when|what|which)\b|\bhow long\b|\bbetween (?:what|which)\b|\buntil when\b"
    r"|\b(?:what|which) (?:years|period|dates|hours)\b"
)


def is_end_of_range(numbers: Sequence[Quantity], reference: Text, question: Text) -> bool:
    """Return whether an answer's only number is one end of a range: 3 for 3-5.

    One of two dates is enough unless the question asks for both.
    """
    if len(numbers) != 1 or not is_range(reference) or "±" in reference.text:
        return False
    expected = reference.quantities
    counts = expected[0].kind == "number" or ASKS_FOR_BOTH_ENDS.search(question.lower)
    return bool(counts) and is_among(numbers[0], expected)


def is_in_other_order(numbers: Sequence[Quantity], reference: Text, question: Text) -> bool:
    """Return whether an answer has the numbers of a list, whose order tells nothing."""
    is_point = reference.text.strip()[0] in "([{"
    if is_point or asks_for_order(question):
        return False
    is_list = LIST_WORD.search(reference.text) is not None
    return is_list and has_only(numbers, reference.quantities)


def has_only(numbers: Sequence[Quantity], expected: Collection[Quantity]) -> bool:
    """Return whether each of some quantities is an expected one."""
    return all(is_among(quantity, expected) for quantity in numbers)


def has_other_number(numbers: Sequence[Quantity], expected: Sequence[Quantity]) -> bool:
    """Return whether a number of the same sort stands in the place of an expected one."""
    for quantity, wanted in zip(numbers, expected, strict=True):
        if can_replace(quantity, wanted) and not agree(quantity, wanted):
            return True
    return False


def quote_sequence(text: Text) -> str:
    """Return a text from its first number to its last."""
    return text.text[text.quantities[0].start : text.quantities[-1].end]


def asks_for_order(question: Text) -> bool:
    """Return whether a question asks for things in their order."""
    return ORDER.search(question.lower) is not None and not ANY_ORDER.search(question.lower)


def is_only_quantities(text: Text, question: Text) -> bool:
    """Return whether a text has nothing but quantities and stop words.

    A short one may also have words of the question: lines 4, 11 and 26.
    """
    known = question.places if len(text.words) <= LONGEST_WITH_NOUN else {}
    inside = set[int]()
    for quantity in text.quantities:
        start = find_start_of_bound(text.text, quantity)  # at least 2 and at most 8
        inside.update(text.words_between(start, quantity.end))
    for i, word in enumerate(text.words):
        is_small = word in STOP_WORDS or word in ABOUT or is_variable(text, i)
        if i not in inside and not is_small and text.stems[i] not in known:
            return False
    return True


def is_variable(text: Text, i: int) -> bool:
    """Return whether a word is a letter that is set equal to a value: x = 5."""
    if len(text.words[i]) != 1:
        return False
    behind = text.text[text.find_end_of_word(i) :]
    return behind.lstrip().startswith(("=", "≈"))


LONGEST_WITH_NOUN = 8  # words of a list of numbers with a noun
LONGEST_COUNTING = 12  # words of a text that counts several things
LONGEST_COUNTS = 7  # words of a reference that says nothing but how many things of each kind
COUNT_ONE = frozenset(("a", "an", "one"))  # before a noun


def decide_counted(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return DIFFERENT if an answer has other numbers of the things that a reference counts.

    "Two sons and a daughter" differs from "two daughters and a son". Else None.
    """
    if max(len(answer.words), len(reference.words)) > LONGEST_COUNTING:
        return None
    expected = count_things(reference)
    if len(expected) < 2:
        return None
    counts = count_things(answer)
    has_same_counts = expected.items() <= counts.items() and max(expected.values()) > 1
    if has_same_counts and is_only_counted(answer, reference, question):
        return Decision(LIKELY, "value", answer.text.strip(), reference.text.strip())
    if any(counts.get(thing, count) != count for thing, count in expected.items()):
        found, expected_text = answer.text.strip(), reference.text.strip()
        return Decision(DIFFERENT, "number", found, expected_text)
    return None


def is_only_counted(answer: Text, reference: Text, question: Text) -> bool:
    """Return whether a reference and what an answer lists tell the same, but for the question."""
    listed = Text(answer.text.rpartition(":")[2])
    for text, other in ((reference, listed), (listed, reference)):
        known = other.places.keys() | question.places.keys()
        if any(text.stems[i] not in known and text.words[i] not in COUNT_ONE for i in text.telling):
            return False
    return not answer.denials and len(reference.words) <= LONGEST_COUNTS


def count_things(text: Text) -> dict[str, float]:
    """Return the number before each counted thing, by its stem; an article counts one."""
    counts = dict[str, float]()
    for i in range(1, len(text.words)):
        if text.words[i - 1] in COUNT_ONE and text.words[i] not in STOP_WORDS:
            counts[text.stems[i]] = 1.0
    for quantity in text.quantities:
        end = text.words_between(quantity.start, quantity.end).stop
        is_count = quantity.kind == "number" and not quantity.dimension
        if is_count and end < len(text.words) and text.words[end] not in STOP_WORDS:
            counts[text.stems[end]] = quantity.written
    return counts


# "four parts of sand with one part of cement"
PARTS = re.compile(r"\b(?P<one>[a-z\d]+) parts?\b[^.;]{0,40}? (?P<other>[a-z\d]+) parts?\b")


def decide_ratio(answer: Text, numbers: Sequence[Quantity], expected: Quantity) -> Decision | None:
    """Decide whether an answer's numbers are the two sides of a ratio: two boys to three girls."""
    if not numbers:
        return None
    if len(numbers) == 1 and numbers[0].dimension in ("ratio", "clock"):
        return Decision(DIFFERENT, "number", numbers[0].text, expected.text)
    written_sides = re.findall(r"\d+(?:\.\d+)?", expected.text.replace(",", ""))
    expected_sides = [float(side) for side in written_sides]
    parts = PARTS.search(answer.lower)
    sides = [quantity.written for quantity in numbers]
    if parts:
        sides = [read_count(parts["one"]) or 0.0, read_count(parts["other"]) or 0.0]
    if sides == expected_sides:
        return Decision(EQUAL, "value", numbers[0].text, expected.text)
    if sorted(sides) == sorted(expected_sides):
        return Decision(OPEN, "value", numbers[0].text, expected.text)
    return None
