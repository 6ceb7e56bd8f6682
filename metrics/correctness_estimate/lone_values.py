"""Find a value that each of two texts has once for its kind, and that differs: the only year.

A long reference of 1973 alone and an answer of 1937 alone contradict each other, whatever words
stand around the two. On the grading sets, 17% of such answers are right, and 75% of those whose
only value is the same.
"""

from .equality import agree, is_among, is_within, may_be_meant
from .quantities import Quantity
from .text import Text

MOST_VALUES = 30  # quantities of a text that are compared
YEAR = "year"
LEAST_COMMON = 2  # telling words that the sentences of two such values have in common


def find_lone_values(answer: Text, reference: Text, question: Text) -> list[tuple[int, int]]:
    """Return the first words of values that differ, in the answer and in the reference.

    Both texts have just one value of the kind, and neither may mean the other. A value that the
    question has is none of them.
    """
    expected_values = select_lone_values(reference)
    found_values = select_lone_values(answer) if expected_values else {}
    pairs = list[tuple[int, int]]()
    for kind in sorted(expected_values.keys() & found_values.keys()):
        found, expected = found_values[kind], expected_values[kind]
        if may_mean_the_same(found, expected) or is_among(found, question.quantities):
            continue
        place, expected_place = find_first_word(answer, found), find_first_word(reference, expected)
        if count_common_words(answer, place, reference, expected_place) >= LEAST_COMMON:
            pairs.append((place, expected_place))
    return pairs


def select_lone_values(text: Text) -> dict[str, Quantity]:
    """Return the quantities of a text by their kind, if it has just one of the kind."""
    values: dict[str, list[Quantity]] = {}
    for quantity in text.quantities[:MOST_VALUES]:
        kind = name_kind(quantity)
        if kind and not is_among(quantity, values.get(kind, ())):
            values.setdefault(kind, []).append(quantity)
    return {kind: quantities[0] for kind, quantities in values.items() if len(quantities) == 1}


def name_kind(quantity: Quantity) -> str:
    """Return YEAR for a date with a year, or else the dimension of a number; "" for neither."""
    if quantity.kind == "date":
        return YEAR if quantity.value[0] else ""
    return quantity.dimension


def may_mean_the_same(found: Quantity, expected: Quantity) -> bool:
    """Return whether two quantities may mean the same, by rounding, or as parts of one period."""
    is_part = is_within(expected, found)
    return is_part or agree(found, expected) or may_be_meant(found, expected)


def count_common_words(answer: Text, place: int, reference: Text, expected_place: int) -> int:
    """Return how many telling stems the sentences of two values have in common."""
    found, expected = (
        text.list_stems(text.find_sentence(place))
        for text, place in ((answer, place), (reference, expected_place))
    )
    return len(found & expected)


def find_first_word(text: Text, quantity: Quantity) -> int:
    """Return the first word of a quantity."""
    return text.words_between(quantity.start, quantity.end).start
