"""Decide by how many times as much something became: it doubled, it is twice as high, up 100%."""

import re
from functools import lru_cache

from .lexicon import NUMBER_WORDS
from .numerals import read_count
from .outcomes import DIFFERENT, EQUAL, Decision
from .text import RECENT_TEXTS, Text, stem_word
from .value_words import read_direction

LONGEST_REFERENCE = 8  # words
LONGEST_ANSWER = 20  # words
VERBS = {"doubl": 2.0, "tripl": 3.0, "trebl": 3.0, "quadrupl": 4.0, "quintupl": 5.0, "halv": 0.5}
NUMBER = r"\d{1,3}|" + "|".join(word for word in NUMBER_WORDS if word.isalpha())
MULTIPLE = re.compile(
    rf"""\b (?:
      (?P<verb> {"|".join(VERBS)} ) (?: es | ed | ing )
    | (?: twice | (?P<times> {NUMBER} )[ ]times ) [ ] (?: as | what | the | its )\b
    | (?P<fold> two | three | four | five | ten | \d{{1,2}} )[ -]?fold
    | half [ ] (?: as[ ] (?:much|many|high|large|big) | what | of[ ]what )\b
    | (?P<cut> cut | reduced | fell | dropped | down | shrank )
        [ ] (?: by | in )[ ] (?: an?[ ] | one[ ] )? half\b
    | (?P<up> rose | grew | up | increased | more | higher | went[ ]up | climbed )
        [ ] (?: by[ ] )? (?P<up_percent> \d{{1,4}} ) [ ]? (?: % | percent | per[ ]cent )
    | (?P<down> fell | dropped | down | decreased | went[ ]down | shrank | reduced )
        [ ] (?: by[ ] )? (?P<down_percent> \d{{1,3}} ) [ ]? (?: % | percent | per[ ]cent )
    ) """,
    re.VERBOSE,
)
# Words beside a multiple that tell nothing more.
CHANGE_STEMS = frozenset(
    map(stem_word, "as high much many large big size before percent by went rise rose grew".split())
)
SAME_MULTIPLE = 0.01  # largest difference of two equal multiples, as a share
# A word that is a number of times, and no plain number or percentage.
TELLS_TIMES = re.compile(
    r"\b(?:doubl|tripl|trebl|quadrupl|quintupl|halv|twice|\w+ times|\w+fold|half)"
)


def decide_multiple(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return EQUAL if an answer tells the same multiple as a reference, else DIFFERENT.

    "Sales are twice as high" and "they went up by 100%" are the same as "they doubled". None if
    one of the two tells no multiple or several, or if neither tells it in such words.
    """
    if not 0 < len(reference.words) <= LONGEST_REFERENCE or answer.denials or reference.denials:
        return None
    if not 0 < len(answer.words) <= LONGEST_ANSWER:
        return None
    expected = read_multiple(reference) or read_change(reference, question)
    found = (read_multiple(answer) or read_change(answer, question)) if expected else None
    if not expected or not found or tells_more(answer, reference, question):
        return None
    if not TELLS_TIMES.search(reference.lower) and not TELLS_TIMES.search(answer.lower):
        return None  # two percentages, which values.py compares
    is_turned_round = abs(found * expected - 1) < SAME_MULTIPLE
    if is_turned_round:
        return None  # B is half as big as A, so A is twice as big
    outcome = EQUAL if abs(found - expected) < SAME_MULTIPLE * expected else DIFFERENT
    return Decision(outcome, "number", answer.text.strip(), reference.text.strip())


def tells_more(answer: Text, reference: Text, question: Text) -> bool:
    """Return whether a text tells more than a multiple of what the question asks about.

    It may be a date, another thing (wages doubled, prices doubled) or two things that are compared.
    """
    for text in (answer, reference):
        if any(quantity.kind == "date" for quantity in text.quantities):
            return True
        if "than" in text.first_place or len(text.names) > 1:
            return True
        rest = Text(MULTIPLE.sub(" ", text.lower))
        new = set(rest.content) - question.places.keys() - CHANGE_STEMS
        if not all(stem[0].isdigit() for stem in new):
            return True
    return False


@lru_cache(maxsize=RECENT_TEXTS)
def read_multiple(text: Text) -> float | None:
    """Return the only multiple that a text tells: 2 for "doubled" and for "up by 100%", or None."""
    multiples = {compute_multiple(match) for match in MULTIPLE.finditer(text.lower)}
    return multiples.pop() if len(multiples) == 1 else None


def read_change(text: Text, question: Text) -> float | None:
    """Return the multiple that a single percentage is, if the question asks for a rise or fall."""
    if len(text.quantities) != 1 or text.quantities[0].dimension != "percent":
        return None
    percent, direction = text.quantities[0].written, read_direction(question)
    if percent <= 0 or not direction:
        return None
    return 1 + direction * percent / 100


def compute_multiple(match: re.Match[str]) -> float:
    """Return the multiple that a pattern has found."""
    if match["verb"]:
        return VERBS[match["verb"]]
    if match["up_percent"]:
        return 1 + float(match["up_percent"]) / 100
    if match["down_percent"]:
        return 1 - float(match["down_percent"]) / 100
    if match["cut"] or match[0].startswith("half"):
        return 0.5
    number = match["times"] or match["fold"]
    return read_count(number) if number else 2.0  # twice
