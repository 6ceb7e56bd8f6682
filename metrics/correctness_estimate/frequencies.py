"""Decide by how often something happens, and on which weekday.

"Twice a day" is "every 12 hours" and not "once a day", and "one tablet every eight hours" is not
"eight tablets every hour". "Every second Tuesday" is not "every Tuesday". An amount per period is
read here as the amount in the period that a question asks about: where it asks what something costs
a year, "$10 a month" is $120.
"""

import re
from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import NamedTuple

from .bounds import has_same_bounds, read_bounds
from .equality import agree
from .lexicon import NUMBER_WORDS, STOP_WORDS, WEEKDAYS
from .numerals import UNIT, read_count
from .outcomes import DIFFERENT, EQUAL, LIKELY, OPEN, UNLIKELY, Decision
from .quantities import Quantity
from .text import RECENT_TEXTS, Text, stem_word

# Hours of each period. A year has 12 months, 4 quarters and 365.25 days.
HOURS = {
    "second": 1 / 3600,
    "minute": 1 / 60,
    "hour": 1.0,
    "day": 24.0,
    "night": 24.0,
    "morning": 24.0,
    "evening": 24.0,
    "week": 168.0,
    "fortnight": 336.0,
    "month": 730.5,
    "quarter": 2191.5,
    "year": 8766.0,
    "decade": 87660.0,
    "century": 876600.0,
}
ADVERBS = {
    "hourly": "hour",
    "daily": "day",
    "nightly": "night",
    "weekly": "week",
    "fortnightly": "fortnight",
    "monthly": "month",
    "quarterly": "quarter",
    "yearly": "year",
    "annually": "year",
}
TIMES = {"once": 1, "twice": 2, "thrice": 3}
NUMBER = r"\d{1,4}|" + "|".join(word for word in NUMBER_WORDS if word.isalpha())
# "two ferries a day" may say "twice a day".
COUNT = (
    rf"(?P<times>{'|'.join(TIMES)})|(?P<number>{NUMBER})[ ]?(?:times|x|(?P<counted>[a-z]{{3,}}s))"
)
PERIOD = "|".join(HOURS)
ADVERB = "|".join(ADVERBS)
FREQUENCY = re.compile(
    rf"""(?<![\w-])(?:
    (?:{COUNT}) (?: [ ]?(?:an?[ ]|per[ ]|each[ ]|every[ ]|/[ ]?)(?P<unit>{PERIOD})\b
                  | [ ](?P<adverb>{ADVERB})\b )
    | (?:once[ ])?every[ ](?:(?P<every>{NUMBER}|other|second)[ ])?(?P<every_unit>{PERIOD})s?\b
    | (?P<alone>{ADVERB})\b )""",
    re.VERBOSE,
)
# With one of these, a text gives a bound: "more than twice a day".
BOUNDS = frozenset("least most more less fewer over under up maximum minimum".split())
SAME_RATE = 0.01  # largest difference of two equal rates, as a share: 52 times a year is weekly
NEAR_RATE = 0.1  # the same of two rates that may be equal: a month is 4.3 weeks
LONGEST_AMOUNT = 12  # words of a reference that is an amount per period
LONGEST_READ = 1000  # characters of an answer


# "one tablet every eight hours", "two ferries a day"
RATE = re.compile(
    rf"(?<![\w-])(?P<number>{NUMBER}|an?) (?P<thing>[a-z]{{3,}}) (?:every|per|each|an?)"
    rf" (?:(?P<every>{NUMBER}|other|second) )?(?P<unit>{PERIOD})s?\b"
)


class Rate(NamedTuple):
    """How many of a thing there are in each interval of so many hours."""

    thing: str
    number: float
    hours: float


def decide_rate(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return EQUAL if an answer tells as many things in each interval as a reference does.

    LIKELY if it tells more or less besides. DIFFERENT for another rate, OPEN if only the rate is
    about the same. None if one of them tells no rate, or of another thing, or more than that.
    """
    expected, found = read_rate_of_thing(reference), read_rate_of_thing(answer)
    if not expected or not found or answer.denials or reference.denials:
        return None
    if expected.thing != found.thing or not BOUNDS.isdisjoint(answer.words + reference.words):
        return None
    rest = Text(RATE.sub(" ", reference.lower))
    if not set(rest.content) <= question.places.keys():
        return None
    if found != expected:
        ratio = found.number / found.hours * expected.hours / expected.number
        is_near = abs(ratio - 1) <= NEAR_RATE  # eight a day; every month for every four weeks
        outcome = OPEN if is_near else DIFFERENT
    else:
        others = set(Text(RATE.sub(" ", answer.lower)).content) - question.places.keys()
        has_all = set(rest.content) <= answer.places.keys()
        outcome = EQUAL if has_all and not others else LIKELY  # in the left eye only
    return Decision(outcome, "number", answer.text.strip(), reference.text.strip())


@lru_cache(maxsize=RECENT_TEXTS)
def read_rate_of_thing(text: Text) -> Rate | None:
    """Return the only rate of a thing that a text tells, None for several, or of a unit."""
    rates = set[Rate]()
    for match in RATE.finditer(text.lower[:LONGEST_READ]):
        if match["thing"] not in UNIT and match["thing"] != "times":
            number = 1.0 if match["number"] in ("a", "an") else read_count(match["number"])
            hours = read_interval(match["every"]) * HOURS[match["unit"]]
            rates.add(Rate(stem_word(match["thing"]), number, hours))
    return rates.pop() if len(rates) == 1 else None


def decide_frequency(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return EQUAL if an answer tells how often as a reference does, else DIFFERENT.

    None if the reference tells something else, the answer tells several frequencies or none, or
    one of them is a bound.
    """
    expected = read_frequencies(reference)
    if len(expected) != 1 or answer.denials or reference.denials or counts_things(reference):
        return None
    found = read_frequencies(answer)
    if len(found) != 1 or not BOUNDS.isdisjoint(answer.words + reference.words):
        return None
    is_equal = abs(found[0] - expected[0]) <= SAME_RATE * expected[0]
    if has_other_words(reference, question):
        return decide_dose(answer, reference, question, is_equal)
    outcome = EQUAL if is_equal else DIFFERENT
    if counts_things(answer):
        outcome = LIKELY if is_equal else UNLIKELY
    return Decision(outcome, "number", answer.text.strip(), reference.text.strip())


def decide_dose(
    answer: Text, reference: Text, question: Text, has_same_frequency: bool
) -> Decision | None:
    """Decide by an amount and how often it is: 500 mg twice a day. None for another reference."""
    rests = [Text(FREQUENCY.sub(" ", text.lower)) for text in (answer, reference)]
    if any(len(rest.quantities) != 1 for rest in rests):
        return None
    found, expected = (rest.quantities[0] for rest in rests)
    inside = rests[1].words_between(expected.start, expected.end)
    others = {stem for i, stem in enumerate(rests[1].stems) if i not in inside}
    if not expected.dimension or not others <= question.places.keys() | STOP_WORDS:
        return None
    is_same = has_same_frequency and agree(found, expected)
    outcome = EQUAL if is_same else DIFFERENT
    return Decision(outcome, "number", answer.text.strip(), reference.text.strip())


def counts_things(text: Text) -> bool:
    """Return whether a text counts things per period: two ferries a day."""
    return any(match["counted"] for match in find_frequencies(text))


def find_frequencies(text: Text) -> Iterator[re.Match[str]]:
    """Yield the frequencies of a text; "eight hours a day" is an amount."""
    for match in FREQUENCY.finditer(text.lower[:LONGEST_READ]):
        if match["counted"] not in UNIT:
            yield match


@lru_cache(maxsize=RECENT_TEXTS)
def read_frequencies(text: Text) -> tuple[float, ...]:
    """Return how often in an hour each frequency of a text is, without repetitions."""
    rates = dict[float, None]()
    for match in find_frequencies(text):
        rates[read_rate(match)] = None
    return tuple(rates)


def read_rate(match: re.Match[str]) -> float:
    """Return how often in an hour a match of FREQUENCY is."""
    if match["every_unit"]:
        return 1 / (read_interval(match["every"]) * HOURS[match["every_unit"]])
    if match["alone"]:
        return 1 / HOURS[ADVERBS[match["alone"]]]
    count = TIMES.get(match["times"] or "") or read_count(match["number"])
    period = match["unit"] or ADVERBS[match["adverb"]]
    return count / HOURS[period]


def read_interval(number: str | None) -> float:
    """Return the number between "every" and a period: 2 for "other", 1 for none."""
    if number is None:
        return 1.0
    return 2.0 if number in ("other", "second") else read_count(number) or 1.0


def has_other_words(reference: Text, question: Text) -> bool:
    """Return whether a reference says more than how often, besides words of the question."""
    rest = FREQUENCY.sub(" ", reference.lower)
    words = re.findall(r"[^\W\d_]+", rest)
    return any(word not in STOP_WORDS and word not in question.first_place for word in words)


# ---- weekdays

WEEKDAY = re.compile(rf"\b(?P<day>{'|'.join(WEEKDAYS)})(?:'?s)?\b")
# "every other Tuesday", "on alternate Tuesdays", "Tuesdays, every two weeks"
EVERY_SECOND = re.compile(
    r"\b(?:every (?:other|second)|alternate|fortnightly|every (?:two|2) weeks|every fortnight"
    r"|once a fortnight|bi-?weekly)\b"
)
EVERY = re.compile(rf"\b(?:every|each|weekly)\b|\b(?:{'|'.join(WEEKDAYS)})s\b")
RECURRING = (
    "every each weekly other second alternate fortnightly two weeks fortnight biweekly".split()
)
WEEKDAY_WORDS = frozenset([*WEEKDAYS, *(f"{day}s" for day in WEEKDAYS), *RECURRING])


# Behind a weekday these do not make another name, as in "Good Friday".
PARTS_OF_DAY = frozenset("morning noon midday afternoon evening night midnight sharp".split())


def list_words_of_quantities(text: Text) -> set[str]:
    """Return the words of a text that are numbers, dates or times."""
    words = set[str]()
    for quantity in text.quantities:
        places = text.words_between(quantity.start, quantity.end)
        words.update(text.words[places.start : places.stop])
    return words


def decide_weekday(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return EQUAL if an answer tells the weekday of a reference and how often, else DIFFERENT.

    "Every second Tuesday" is "every other Tuesday", and not "every Tuesday". None if the reference
    tells something else, or if the answer tells several weekdays or does not tell how often.
    """
    expected = read_weekday(reference)
    found = read_weekday(answer) if expected else None
    if not expected or not found or answer.denials:
        return None
    if not (BOUNDS | {"before", "after"}).isdisjoint(answer.words + reference.words):
        return None
    known_words = STOP_WORDS | WEEKDAY_WORDS | question.first_place.keys()
    is_same_day = found[0] == expected[0]
    if is_same_day and reference.quantities and not answer.untrue:
        return compare_times_of_weekday(answer, reference, known_words)
    if is_same_day:
        is_open = 0 in (found[1], expected[1])
    else:
        is_open = "midnight" in answer.words + reference.words  # it belongs to two days
        known_words |= PARTS_OF_DAY | list_words_of_quantities(reference)
    if is_open or not known_words.issuperset(reference.words):
        return None
    outcome = EQUAL if found == expected else DIFFERENT
    return Decision(outcome, "date", answer.text.strip(), reference.text.strip())


def compare_times_of_weekday(
    answer: Text, reference: Text, known_words: Collection[str]
) -> Decision | None:
    """Decide by the time of day, for a reference that is a weekday and a time: Thursday at 8:45."""
    times = [value for value in answer.quantities if value.dimension == "clock"]
    expected = reference.quantities[0]
    is_only_time = len(reference.quantities) == 1 and expected.dimension == "clock"
    others = list_words_of_quantities(reference)
    if not times or not is_only_time or not set(reference.words) <= {*known_words, *others}:
        return None
    if any(agree(value, expected) for value in times):
        return Decision(LIKELY, "date", answer.text.strip(), reference.text.strip())
    return Decision(DIFFERENT, "number", times[0].text, expected.text)


@lru_cache(maxsize=RECENT_TEXTS)
def read_weekday(text: Text) -> tuple[str, int] | None:
    """Return the only weekday of a text, and of how many weeks it is one: 2 for every other one.

    The number is 0 if the text does not tell it. None for a text with several weekdays, or none.
    """
    lower = text.lower[:LONGEST_READ]
    days = {match["day"] for match in WEEKDAY.finditer(lower)}
    if len(days) != 1:
        return None
    if EVERY_SECOND.search(lower):
        return days.pop(), 2
    return days.pop(), int(EVERY.search(lower) is not None)


# ---- amounts per period


def decide_period(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return UNLIKELY for the amount of a reference in another period, LIKELY in the same, or None.

    "10 hours of overtime a month" differs from "10 hours of overtime a week".
    """
    if len(reference.quantities) != 1 or len(answer.quantities) != 1 or answer.denials:
        return None
    found, expected = answer.quantities[0], reference.quantities[0]
    is_same_figure = found.written == expected.written
    if not is_same_figure or len(reference.words) > LONGEST_AMOUNT or "/" in expected.unit:
        return None
    period, expected_period = read_named_period(answer), read_named_period(reference)
    if not period or not expected_period:
        return None
    if period != expected_period:
        return Decision(UNLIKELY, "unit", answer.text.strip(), reference.text.strip())
    has_same_unit = found.unit.partition("/")[0] == expected.unit
    bounds = [read_bounds(text.text, text.quantities[0]) for text in (answer, reference)]
    told = answer.places.keys() | question.places.keys() | set(map(stem_word, BOUNDS | set(HOURS)))
    others = set(reference.content) - told
    if not has_same_unit or not has_same_bounds(*bounds) or others:
        return None
    return Decision(LIKELY, "value", answer.text.strip(), reference.text.strip())


LONGEST_NAMING = 300  # characters of a text in which a period is looked for
PERIOD_BY_WORD = {**ADVERBS, "annual": "year"}
# "per day", "each week", "a year"; "monthly", "annual".
NAMED_PERIOD = re.compile(
    rf"\b(?:(?:per|each|every|an?) (?P<unit>{PERIOD})|(?P<word>{'|'.join(PERIOD_BY_WORD)}))\b"
)
# The period behind an amount that quantities.py does not read: "$120 annually", "30 km each week".
PERIOD_BEHIND = re.compile(
    rf",? (?:(?:per|each|every|an?) (?P<unit>{PERIOD})|(?P<word>{'|'.join(ADVERBS)}))\b"
)


@lru_cache(maxsize=RECENT_TEXTS)
def read_named_period(text: Text) -> str:
    """Return the only period that a text names: "year" for "the annual fee", or ""."""
    matches = NAMED_PERIOD.finditer(text.lower[:LONGEST_NAMING])
    periods = {name_period(match) for match in matches}
    return periods.pop() if len(periods) == 1 else ""


def name_period(match: re.Match[str]) -> str:
    """Return the name of a period that a pattern has found: "year" for "annually"."""
    return match["unit"] or PERIOD_BY_WORD[match["word"]]


def convert_to_asked_period(
    value: Quantity, answer: Text, expected: Quantity, question: Text
) -> Quantity:
    """Return an amount per period as the amount in the period that a question asks about.

    The amount stays as it is if the answer or the question names no period, or the expected amount
    has one itself.
    """
    asked = read_named_period(question)
    if not asked or "/" in expected.dimension or value.kind != "number":
        return value
    bare_unit, _, divisor = value.unit.partition("/")
    behind = PERIOD_BEHIND.match(answer.lower, value.end)
    stated = divisor or (name_period(behind) if behind else "")
    if stated not in HOURS or (divisor and divisor not in UNIT):
        return value
    dimension = value.dimension.partition("/")[0]
    amount = value.amount * UNIT[divisor].size if divisor else value.amount
    if stated == asked:
        return value._replace(value=(amount,), dimension=dimension, unit=bare_unit)
    amount *= count_periods(asked, stated)
    return value._replace(value=(amount,), dimension=dimension, written=amount)


def count_periods(long: str, short: str) -> float:
    """Return how many periods of one name another has: a year has 12 months."""
    one, other = UNIT.get(long), UNIT.get(short)
    if one and other and one.dimension == other.dimension:
        return one.size / other.size
    return HOURS[long] / HOURS[short]
