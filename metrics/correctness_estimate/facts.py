"""Find the facts in which an answer differs from a short reference.

`find_differences` compares the numbers, dates, units, names, opposites and denials of two texts.
Two numbers are compared by their values (quantities.py), two names by their words, their spelling
and their initials (names.py).
"""

from collections.abc import Sequence

from .contraries import find_contrary_statements
from .equality import (
    FIRST_YEAR,
    LAST_YEAR,
    are_compatible,
    has_footnote,
    is_among,
    is_cut,
    is_roman,
    is_same_in_thousands,
    name_difference,
)
from .names import find_differing_names
from .outcomes import Difference
from .quantities import Quantity
from .text import Text, stem_word


def find_differences(
    answer: Text,
    references: Sequence[Text],
    chosen: int,
    question: Text,
) -> list[Difference]:
    """Return how an answer differs in the facts of a short reference.

    Args:
        answer: the answer.
        references: all references.
        chosen: the number of the reference that counts.
        question: the question. What the answer repeats of it is no difference.
    """
    reference = references[chosen]
    others = [text for text in references if text is not reference]
    differences = list[Difference]()
    if not any(has_all_quantities(answer, text) for text in others):
        differences += find_differing_quantities(answer, reference, question)
    differences += find_differing_names(answer, reference, question, others)
    differences += find_contrary_statements(answer, reference, question)
    return differences


def find_new_quantities(text: Text, other: Text) -> list[Quantity]:
    """Return the numbers and dates of a text that another text does not have."""
    return [quantity for quantity in text.quantities if not has_quantity(other, quantity)]


def has_quantity(text: Text, quantity: Quantity) -> bool:
    """Return whether a text has a number or date."""
    return is_among(quantity, text.quantities)


def has_all_quantities(answer: Text, reference: Text) -> bool:
    """Return whether a reference has numbers or dates, and an answer has all of them."""
    quantities = reference.quantities
    return bool(quantities) and all(has_quantity(answer, quantity) for quantity in quantities)


def find_differing_quantities(
    answer: Text,
    reference: Text,
    question: Text,
) -> list[Difference]:
    """Return the numbers, dates and units of the reference that the answer gives another value.

    A rival is a number of the answer that neither the question nor the reference has.
    """
    wanted = find_new_quantities(reference, question)
    if not wanted:
        return []
    new_quantities = find_new_quantities(answer, question)
    rivals = [quantity for quantity in new_quantities if not has_quantity(reference, quantity)]
    differences = list[Difference]()
    for quantity in wanted:
        if has_quantity(answer, quantity) or may_be_part_of_word(quantity, answer, rivals):
            continue
        nearest = find_nearest_rival(quantity, rivals)
        if not nearest:
            continue
        kind = name_difference(quantity, nearest)
        differences.append(Difference(kind, nearest.text, quantity.text))
        if len(rivals) > 1:
            rivals.remove(nearest)
    return differences


def find_nearest_rival(quantity: Quantity, rivals: Sequence[Quantity]) -> Quantity | None:
    """Return the rival that most likely stands in the place of a quantity of the reference.

    None if one of the rivals may mean the quantity, or if all rivals tell of something else.
    """
    if any(may_mean(rival, quantity) for rival in rivals):
        return None
    nearest, highest = None, 0.0
    for rival in rivals:
        rating = rate_rival(quantity, rival)
        if rating > highest:
            nearest, highest = rival, rating
    return nearest


def may_be_part_of_word(
    quantity: Quantity,
    answer: Text,
    rivals: Sequence[Quantity],
) -> bool:
    """Return whether the answer has a number's text, though it was not read as this number.

    False if a rival is the same number with another sign or unit.
    """
    if " " in quantity.text or stem_word(quantity.text.lower()) not in answer.places:
        return False
    return not any(abs(rival.written) == quantity.written for rival in rivals)


def may_mean(rival: Quantity, quantity: Quantity) -> bool:
    """Return whether a rival may mean a quantity of the reference after all.

    It has fewer decimals, is in thousands, or bears the mark of a footnote.
    """
    return (
        has_footnote(rival, quantity)
        or is_cut(rival, quantity)
        or is_same_in_thousands(rival, quantity)
    )


# How likely a rival stands in the place of a quantity: only the order of these ratings counts.
SAME_UNIT = 4.0
SAME_SORT = 3.0  # two dates, or two numbers of one dimension
SAME_FIGURE = 2.0  # the same number with a unit of another dimension
PERHAPS_SAME_UNIT = 1.0  # one of the two has no unit, or a looser one (equality.are_compatible)
PERHAPS_YEAR = 0.5  # a date that is a year, and a plain number that may be one


def rate_rival(quantity: Quantity, rival: Quantity) -> float:
    """Return how likely a rival stands in the place of a quantity.

    0 if it tells of something else, most for two dates with the same parts.
    """
    if quantity.kind == rival.kind == "date":
        return SAME_SORT + count_same_parts(quantity, rival)
    if is_roman(quantity) != is_roman(rival):
        return 0.0  # World War I, Super Bowl XLIV
    if quantity.kind != rival.kind:
        date, number = (quantity, rival) if quantity.kind == "date" else (rival, quantity)
        return PERHAPS_YEAR if may_be_years(date, number) else 0.0
    return rate_number(quantity, rival)


def rate_number(number: Quantity, rival: Quantity) -> float:
    """Return how likely a number stands in the place of another, by units and figures."""
    if number.dimension == rival.dimension:
        return SAME_UNIT if number.unit == rival.unit else SAME_SORT
    if number.written == rival.written:
        return SAME_FIGURE
    return PERHAPS_SAME_UNIT if are_compatible(number.dimension, rival.dimension) else 0.0


def count_same_parts(one: Quantity, other: Quantity) -> int:
    """Return how many parts of two dates are the same."""
    pairs = zip(one.value, other.value, strict=True)
    return sum(part is not None and part == other_part for part, other_part in pairs)


def may_be_years(date: Quantity, number: Quantity) -> bool:
    """Return whether a date is a year, and a number may be one."""
    has_one_part = sum(part is not None for part in date.value) == 1
    if not has_one_part or number.dimension:
        return False
    return FIRST_YEAR <= number.written <= LAST_YEAR
