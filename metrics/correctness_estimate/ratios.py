"""Ratios in words: three parts sand to one part cement, one teacher for every 15 pupils."""

import re
from typing import NamedTuple

from .equality import EXACT
from .lexicon import HAN_DIGITS, NUMBER_WORDS, ONES
from .outcomes import DIFFERENT, EQUAL, OPEN, Decision
from .quantities import Quantity
from .text import Text, stem_word

NUMBER = rf"\d+(?:\.\d+)?|an?|single|{'|'.join(ONES[1:])}"
THINGS = r"(?:[a-z]+\s){1,4}?"
# Three cups of flour to one cup of sugar; a teacher for every 15 pupils; four patients per nurse.
IN_WORDS = re.compile(
    rf"\b(?P<first>{NUMBER})\s(?P<one>{THINGS})(?:for\s(?:each|every)|per|to(?:\s(?:each|every))?)\s"
    rf"(?:(?P<second>{NUMBER})\s)?(?P<other>[a-z]+(?:\s[a-z]+){{0,3}})"
)
IN_CHINESE = re.compile(
    r"(?P<one>[\u4e00-\u9fff]{1,4}?)[和与跟](?P<other>[\u4e00-\u9fff]{1,4}?)(?:的?比例)?[是为]?"
    rf"(?P<first>[\d{''.join(HAN_DIGITS)}]+)[比:：](?P<second>[\d{''.join(HAN_DIGITS)}]+)"
)
# How many pupils are there per teacher? A plain number is the first part of a ratio to one.
ASKS_FOR_EACH = re.compile(r"\bhow many\b.*\b(?:per|for (?:each|every))\b")
LONGEST_READ = 400  # characters of an answer and of a question
SCALE_DIMENSION = "length"


class Ratio(NamedTuple):
    """Two numbers, each with what it counts."""

    first: float
    second: float
    one: str
    other: str
    text: str

    def compute(self, in_order: bool) -> float:
        """Return the ratio of the first to the second thing, or of the second to the first."""
        value = self.first / (self.second or 1.0)
        return value if in_order else 1.0 / (value or 1.0)


def decide_ratio_in_words(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return whether an answer says in words the ratio that the reference is."""
    expected = read_expected_ratio(reference, question)
    if not expected:
        return None
    scale = read_scale(answer)
    if expected.dimension == "ratio" and scale:
        return make_decision(scale, expected, answer.text.strip())
    said = read_ratio_in_words(answer)
    if not said:
        return None
    order = find_order(said, question)
    if order is None:
        return Decision(OPEN, "number", said.text, expected.text)
    return make_decision(said.compute(order), expected, said.text)


def make_decision(said: float, expected: Quantity, text: str) -> Decision:
    """Return whether a ratio is the expected one."""
    wanted = expected.value[0] or 0.0
    is_same = abs(said - wanted) <= EXACT * max(said, wanted)
    return Decision(EQUAL if is_same else DIFFERENT, "number", text, expected.text)


def read_expected_ratio(reference: Text, question: Text) -> Quantity | None:
    """Return the only number of a reference, if it is a ratio or the question asks for one."""
    if len(reference.quantities) != 1:
        return None
    expected = reference.quantities[0]
    if expected.kind != "number":
        return None
    asks = ASKS_FOR_EACH.search(question.lower[:LONGEST_READ]) and not expected.dimension
    return expected if expected.dimension == "ratio" or asks else None


def read_scale(answer: Text) -> float:
    """Return the scale of a map that an answer says by two lengths, 0 where it does not."""
    lengths = [one for one in answer.quantities if one.dimension == SCALE_DIMENSION]
    if len(lengths) != 2 or len(lengths) != len(answer.quantities):
        return 0.0
    return (lengths[0].value[0] or 0.0) / (lengths[1].value[0] or 1.0)


def read_ratio_in_words(answer: Text) -> Ratio | None:
    """Return the first ratio that an answer says in words, with what its numbers count."""
    pattern = IN_CHINESE if answer.is_chinese else IN_WORDS
    match = pattern.search(answer.lower[:LONGEST_READ])
    if not match:
        return None
    second = read_part(match["second"]) if match["second"] else 1.0
    return Ratio(read_part(match["first"]), second, match["one"], match["other"], match[0])


def read_part(word: str) -> float:
    """Return a number in digits, in words or in Chinese; an article is one."""
    if word in HAN_DIGITS:
        return float(HAN_DIGITS[word])
    return float(word) if word[0].isdigit() else NUMBER_WORDS.get(word, 1.0)


def find_order(ratio: Ratio, question: Text) -> bool | None:
    """Return whether a question names the things in the order of a ratio, None if not both."""
    if question.is_chinese:
        one, other = question.text.find(ratio.one), question.text.find(ratio.other)
        return None if min(one, other) < 0 else one < other
    own = {stem_word(word) for word in ratio.one.split()}
    others = {stem_word(word) for word in ratio.other.split()}
    one_places = [question.places[stem][0] for stem in own - others if stem in question.places]
    other_places = [question.places[stem][0] for stem in others - own if stem in question.places]
    if not one_places or not other_places:
        return None
    return min(one_places) < min(other_places)
