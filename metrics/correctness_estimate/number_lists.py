"""Decide by a reference of several numbers: a ratio, a point, a range or a list."""

import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

from .equality import EXACT, agree, can_replace, is_among
from .lexicon import HAN_DIGITS, NUMBER_WORDS, ONES, STOP_WORDS
from .outcomes import COARSER, DIFFERENT, EQUAL, OPEN, Decision
from .quantities import Quantity
from .quantity_patterns import ABOUT
from .text import Text, stem_word

# ---- points, ranges and lists

# A question with one of these asks for things in their order.
ORDER = re.compile(
    r"\b(?:respectively|order|sequence|ascending|descending|rank(?:ed|ing)?|sort(?:ed)?)\b|顺序"
    r"|排序|依次"
)
# "3-5", "from 3 to 5", and an interval: "[3, 5]".
RANGE = re.compile(
    r"\d\W{0,3}(?:[-–—~～]|to|bis|till?|until|through|up to|到|至)\W{0,3}\d|\bbetween\b|[\])}]",
    re.IGNORECASE,
)
# "3 and 5", "3, 4, 5".
LIST_WORD = re.compile(r"\band\b|[和、&]|,.*,")


def decide_sequence(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Decide by the numbers of a reference that is a point, a range or a list of numbers."""
    expected, said = reference.quantities, answer.quantities
    if len(expected) < 2 or not said or not is_only_quantities(reference):
        return None
    if len(said) != len(expected):
        return decide_length(answer, reference)
    found, expected_text = quote_sequence(answer), quote_sequence(reference)
    if all(map(agree, said, expected)):
        is_list_of_ends = is_range(reference) and not is_range(answer)
        return None if is_list_of_ends else Decision(EQUAL, "value", found, expected_text)
    if is_in_other_order(said, reference, question):
        return None
    if has_other_number(said, expected):
        return Decision(DIFFERENT, "number", found, expected_text)
    return None


def decide_length(answer: Text, reference: Text) -> Decision | None:
    """Decide by the count, if an answer has fewer or more numbers than the reference."""
    expected, said = reference.quantities, answer.quantities
    found, expected_text = answer.text.strip(), reference.text.strip()
    if is_end_of_range(said, reference):
        return Decision(COARSER, "list", found, expected_text)
    if not LIST_WORD.search(reference.text):
        return None
    if has_only(said, expected):
        is_part = len(said) < len(expected)
        return Decision(COARSER, "list", found, expected_text) if is_part else None
    if len(said) > len(expected) and is_only_quantities(answer):
        return Decision(DIFFERENT, "added", found, expected_text)
    return None


def is_range(text: Text) -> bool:
    """Return whether a text is a range of numbers, or an interval."""
    return RANGE.search(text.text) is not None


def is_end_of_range(said: Sequence[Quantity], reference: Text) -> bool:
    """Return whether an answer's only number is one end of a range: 3 for 3-5."""
    if len(said) != 1 or not is_range(reference) or "±" in reference.text:
        return False
    expected = reference.quantities
    return expected[0].kind == "number" and is_among(said[0], expected)


def is_in_other_order(said: Sequence[Quantity], reference: Text, question: Text) -> bool:
    """Return whether an answer has the numbers of a list, whose order tells nothing."""
    is_point = reference.text.strip()[0] in "([{"
    if is_point or asks_for_order(question):
        return False
    is_list = LIST_WORD.search(reference.text) is not None
    return is_list and has_only(said, reference.quantities)


def has_only(said: Sequence[Quantity], expected: Collection[Quantity]) -> bool:
    """Return whether each of some quantities is an expected one."""
    return all(is_among(quantity, expected) for quantity in said)


def has_other_number(said: Sequence[Quantity], expected: Sequence[Quantity]) -> bool:
    """Return whether a number of the same sort stands in the place of an expected one."""
    for quantity, wanted in zip(said, expected, strict=True):
        if can_replace(quantity, wanted) and not agree(quantity, wanted):
            return True
    return False


def quote_sequence(text: Text) -> str:
    """Return a text from its first number to its last."""
    return text.text[text.quantities[0].start : text.quantities[-1].end]


def asks_for_order(question: Text) -> bool:
    """Return whether a question asks for things in their order."""
    return ORDER.search(question.lower) is not None


def is_only_quantities(text: Text) -> bool:
    """Return whether a text has nothing but quantities and stop words."""
    inside = set[int]()
    for quantity in text.quantities:
        inside.update(text.words_between(quantity.start, quantity.end))
    for i, word in enumerate(text.words):
        if i not in inside and word not in STOP_WORDS and word not in ABOUT:
            return False
    return True


# ---- ratios: 2:3, three parts sand to one part cement, one teacher for every 15 pupils

NUMBER = rf"\d+(?:\.\d+)?|an?|single|{'|'.join(ONES[1:])}"
THINGS = r"(?:[a-z]+\s){1,4}?"
# Three cups of flour to one cup of sugar; a teacher for every 15 pupils; four patients per nurse.
IN_WORDS = re.compile(
    rf"\b(?P<first>{NUMBER})\s(?P<first_thing>{THINGS})"
    r"(?:for\s(?:each|every)|per|to(?:\s(?:each|every))?)\s"
    rf"(?:(?P<second>{NUMBER})\s)?"
    r"(?P<second_thing>[a-z]+(?:\s[a-z]+){0,3})"
)
# "沙和水泥的比例是3:1".
IN_CHINESE = re.compile(
    r"(?P<first_thing>[\u4e00-\u9fff]{1,4}?)[和与跟](?P<second_thing>[\u4e00-\u9fff]{1,4}?)(?:的?比例)?[是为]?"
    rf"(?P<first>[\d{''.join(HAN_DIGITS)}]+)[比:：](?P<second>[\d{''.join(HAN_DIGITS)}]+)"
)
# "How many pupils are there per teacher?" A plain number there is the first side of a ratio to one.
ASKS_FOR_EACH = re.compile(r"\bhow many\b(?:(?!how many).)*\b(?:per|for (?:each|every))\b")
LONGEST_READ = 400  # characters of an answer and of a question


class Ratio(NamedTuple):
    """Two numbers, each with what it counts.

    Attributes:
        first, second: the numbers.
        first_thing, second_thing: the words for what each of them counts.
        text: the ratio as it was written.
    """

    first: float
    second: float
    first_thing: str
    second_thing: str
    text: str

    def compute(self, in_order: bool) -> float:
        """Return the first number divided by the second, or the inverse if not in order."""
        value = self.first / (self.second or 1.0)
        return value if in_order else 1.0 / (value or 1.0)


def decide_ratio(said: Sequence[Quantity], expected: Quantity) -> Decision | None:
    """Decide whether an answer's numbers are the two sides of a ratio: two boys to three girls."""
    if not said:
        return None
    if len(said) == 1 and said[0].dimension in ("ratio", "clock"):
        return Decision(DIFFERENT, "number", said[0].text, expected.text)
    written_sides = re.findall(r"\d+(?:\.\d+)?", expected.text.replace(",", ""))
    expected_sides = [float(side) for side in written_sides]
    sides = [quantity.written for quantity in said]
    if sides == expected_sides:
        return Decision(EQUAL, "value", said[0].text, expected.text)
    if sorted(sides) == sorted(expected_sides):
        return Decision(OPEN, "value", said[0].text, expected.text)
    return None


def decide_ratio_in_words(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Decide whether an answer has the reference's ratio in words.

    OPEN if the question does not tell the order of the two things.
    """
    expected = read_expected_ratio(reference, question)
    if not expected:
        return None
    scale = read_map_scale(answer)
    if expected.dimension == "ratio" and scale:
        return compare_ratio(scale, expected, answer.text.strip())
    ratio = read_ratio_in_words(answer)
    if not ratio:
        return None
    in_order = is_in_order(ratio, question)
    if in_order is None:
        return Decision(OPEN, "number", ratio.text, expected.text)
    return compare_ratio(ratio.compute(in_order), expected, ratio.text)


def compare_ratio(ratio: float, expected: Quantity, text: str) -> Decision:
    """Decide whether a ratio is the expected one."""
    wanted = expected.amount
    is_same = abs(ratio - wanted) <= EXACT * max(ratio, wanted)
    return Decision(EQUAL if is_same else DIFFERENT, "number", text, expected.text)


def read_expected_ratio(reference: Text, question: Text) -> Quantity | None:
    """Return the only number of a reference, if it is a ratio or the question asks for one."""
    if len(reference.quantities) != 1:
        return None
    expected = reference.quantities[0]
    if expected.kind != "number":
        return None
    if expected.dimension == "ratio":
        return expected
    if expected.dimension:
        return None
    asks_for_ratio = ASKS_FOR_EACH.search(question.lower[:LONGEST_READ]) is not None
    return expected if asks_for_ratio else None


def read_map_scale(answer: Text) -> float:
    """Return the scale of a map from an answer's two lengths, 0 if it has other quantities."""
    dimensions = [quantity.dimension for quantity in answer.quantities]
    if dimensions != ["length", "length"]:
        return 0.0
    on_map, in_nature = answer.quantities
    return on_map.amount / (in_nature.amount or 1.0)


def read_ratio_in_words(answer: Text) -> Ratio | None:
    """Return the first ratio that an answer has in words, with what its numbers count."""
    pattern = IN_CHINESE if answer.is_chinese else IN_WORDS
    match = pattern.search(answer.lower[:LONGEST_READ])
    if not match:
        return None
    return Ratio(
        first=read_side(match["first"]),
        second=read_side(match["second"]) if match["second"] else 1.0,
        first_thing=match["first_thing"],
        second_thing=match["second_thing"],
        text=match[0],
    )


def read_side(word: str) -> float:
    """Return a number in digits, in words or in Chinese; an article is one."""
    if word in HAN_DIGITS:
        return float(HAN_DIGITS[word])
    if word[0].isdigit():
        return float(word)
    return NUMBER_WORDS.get(word, 1.0)


def is_in_order(ratio: Ratio, question: Text) -> bool | None:
    """Return True if a question names two things in a ratio's order, None if it lacks one."""
    if question.is_chinese:
        first = question.text.find(ratio.first_thing)
        second = question.text.find(ratio.second_thing)
        return None if min(first, second) < 0 else first < second
    first_stems = {stem_word(word) for word in ratio.first_thing.split()}
    second_stems = {stem_word(word) for word in ratio.second_thing.split()}
    first_place = find_first_place(question, first_stems - second_stems)
    second_place = find_first_place(question, second_stems - first_stems)
    if first_place is None or second_place is None:
        return None
    return first_place < second_place


def find_first_place(text: Text, stems: Collection[str]) -> int | None:
    """Return where the first of some stems stands in a text, None without any."""
    first_places = [text.places[stem][0] for stem in stems if stem in text.places]
    return min(first_places, default=None)
