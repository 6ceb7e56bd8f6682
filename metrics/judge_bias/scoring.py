"""Judge bias: whether a judge's score ignores mere rewording, and falls if an error was put in.

A language model has scored altered texts. The anchor of a text is its right score without the
alteration. Over the rows with a score:

    repr_bias          mean |score - anchor| of the "represent" rows, which are written
                       differently; lower is better
    error_sensitivity  mean (anchor - score) of the "error" rows, which are made wrong; higher is
                       better, and it may be negative

Original: the card of the dataset iknow-lab/JudgeBias-DPO-RefFree-testset, "Generation-Based
Evaluation". It has no code and no paper.

Differences from the original, which says only "parse `overall_score`":
- The last valid JSON object with `overall_score`, at any depth, has the score. Thinking before the
  answer does not count. A reply that is only a number is that number.
- If a reply has no score, the row is unscored and counted, with a reason; it is never a 0. With a
  `score_range`, bounds give the possible means if these replies had scores.
- Intervals, and the table by type of perturbation, are additions.

This file may be copied into a package with broken_json.py and final_answer.py: all need only
Python.

From Answer Lens 0.1.0 (metrics/judge_bias), Apache-2.0. To cite it: CITATION.cff there, and the
card above.
"""

import math
import re
from dataclasses import dataclass
from functools import lru_cache
from numbers import Real
from statistics import fmean
from typing import Any

from .broken_json import read_broken, read_object
from .final_answer import LONE_ENDS, THINKING_BEGINS, THINKING_ENDS

# The values of the dataset's `perturbation_category`, and the card's name for the mean of each.
MEASURES = {"represent": "repr_bias", "error": "error_sensitivity"}
# Scores must be smaller: sums of much larger numbers overflow, and no scale comes near this one.
LARGEST = 1e100

# The end of thinking, from the list of tags in final_answer.py.
THOUGHT_ENDS = re.compile(THINKING_ENDS, re.I)
# The marks in a reply: the beginning and the end of thinking, and where a JSON object may begin.
MARK = re.compile(rf"(?P<ends>{LONE_ENDS})|(?P<begins>{THINKING_BEGINS})|\{{\s*[\"}}]", re.I)

# A number as text, of ASCII digits.
NUMBER = re.compile(r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")

# The interval of a mean is Student's (1908), with two made-up rows: one is a whole scale above the
# mean, the other below it. Without them, a few rows that happen to agree would give a narrow
# interval. The idea is from Agresti and Min 2005, "Simple improved confidence intervals for
# comparing matched proportions".
INTERVAL = "95%-student-t-2-made-up-rows"
MADE_UP_ROWS = 2
CONFIDENCE = 0.95
# The normal distribution's 97.5% point.
Z = 1.959963984540054
# With more degrees of freedom, Student's distribution is computed from the normal one.
MANY_DEGREES = 100
# Halvings after which the end of an interval is exact to the last digit of a float.
HALVINGS = 60


class NoScore(ValueError):
    """A reply has no usable score; `reason` is a code: no_score, bad_score or out_of_range."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


def find_values(value: Any) -> list[Any]:
    """Return the value of `overall_score` in JSON, as a list of one; an empty list without one.

    The key of the outermost object counts. If it has none, that of the last inner object counts.

    >>> find_values({"overall_score": 3, "a": {"overall_score": 4}})
    [3]
    >>> find_values({"a": [{"overall_score": 4}, {}]})
    [4]
    >>> find_values({})
    []
    """
    # A stack: the last value that was added is read next, however deep the JSON is.
    waiting = [value]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            if "overall_score" in value:
                return [value["overall_score"]]
            waiting += value.values()
        elif isinstance(value, list):
            waiting += value
    return []


def read_stated_score(reply: str) -> list[Any]:
    """Return the value that a reply gives as its score, as a list of one; else an empty list.

    Thinking does not count.

    >>> read_stated_score('<think>{"overall_score": 1}</think> {"overall_score": 2}')
    [2.0]
    >>> read_stated_score("4.5"), read_stated_score("<think>4.5")
    (['4.5'], [])
    """
    values: list[Any] = []
    # The text outside of thinking and of objects; each object leaves a brace in it.
    texts: list[str] = []
    place = 0
    is_broken = False
    while mark := MARK.search(reply, place):
        texts.append(reply[place : mark.start()])
        if mark["ends"]:
            # All the text before was thinking, whose beginning was in the prompt.
            values = []
            texts = []
            place = mark.end()
        elif mark["begins"]:
            end = THOUGHT_ENDS.search(reply, mark.end())
            place = end.end() if end else len(reply)
        else:
            texts.append("{")
            # After its first error the decoder is not used again: it counts lines at each error, so
            # that the time would grow with the square of the length.
            complete = None if is_broken else read_object(reply, mark.start())
            is_broken = complete is None
            objects, place = complete or read_broken(reply, mark.start())
            for value in objects:
                values = find_values(value) or values
    texts.append(reply[place:])
    text = "".join(texts).strip()
    return [text] if NUMBER.fullmatch(text) else values


def check_range(score_range: Any) -> tuple[float, float] | None:
    """Return `score_range` as two floats, or None.

    Raises:
        TypeError: it is neither None nor two numbers.
        ValueError: the first is not the lower one, or one is not finite.
    """
    if score_range is None:
        return None
    is_pair = type(score_range).__name__ in ("list", "tuple", "ndarray")
    ends = list(score_range) if is_pair else []
    if len(ends) != 2 or not all(map(is_number, ends)):
        raise TypeError(
            f"score_range is {score_range!r:.80}; None or two numbers (lowest, highest) are "
            "expected"
        )
    lowest, highest = ends
    if not -LARGEST <= lowest < highest <= LARGEST:
        raise ValueError(
            f"score_range is {score_range!r:.80}; the lowest and then the highest score are "
            "expected"
        )
    return float(lowest), float(highest)


def is_number(value: Any) -> bool:
    """Return whether a value is a number; True and False are not."""
    return isinstance(value, Real) and not isinstance(value, bool)


def check_anchor(name: str, anchor: Any, score_range: tuple[float, float] | None) -> None:
    """Raise TypeError if an anchor is no number, and ValueError if it is no possible score."""
    if not is_number(anchor):
        raise TypeError(f"{name} is {anchor!r:.80} ({type(anchor).__name__}); a number is expected")
    if not -LARGEST <= anchor <= LARGEST:
        raise ValueError(
            f"{name} is {anchor!r:.80}; a finite number is expected, at most {LARGEST} either way"
        )
    if score_range and not score_range[0] <= anchor <= score_range[1]:
        raise ValueError(
            f"{name} is {anchor}, outside the score_range {score_range[0]} to {score_range[1]}"
        )


def overall_score(reply: str, score_range: tuple[float, float] | None = None) -> float:
    r"""Return the score in a judge's reply.

    Args:
        reply: the judge's reply: a number, or a JSON object with "overall_score". Text or a code
            fence may be around the object.
        score_range: the lowest and the highest possible score, both included; None for any.

    Raises:
        NoScore: the reply has no usable score; `reason` is the cause. It does not count as 0.
        TypeError: the reply is no string, or the range is not two numbers.
        ValueError: the range is not from the lowest to the highest score.

    >>> overall_score('I think:\n```json\n{"overall_score": 3.5}\n```'), overall_score("4")
    (3.5, 4.0)

    """
    if not isinstance(reply, str):
        raise TypeError(f"reply is {reply!r:.80} ({type(reply).__name__}); a string is expected")
    ends = check_range(score_range)
    values = read_stated_score(reply)
    if not values:
        raise NoScore(
            "no_score", f"no JSON object with overall_score in the reply: {reply[:120]!r:.120}"
        )
    (value,) = values
    if isinstance(value, str) and NUMBER.fullmatch(value.strip()):
        value = float(value)
    if not isinstance(value, float) or not abs(value) <= LARGEST:
        raise NoScore(
            "bad_score", f"the overall_score is {values[0]!r:.80}; a finite number is expected"
        )
    if ends and not ends[0] <= value <= ends[1]:
        raise NoScore(
            "out_of_range", f"the overall_score is {value}, outside {ends[0]} to {ends[1]}"
        )
    return value


def measure_deviation(value: float, anchor: float, category: str) -> float:
    """Return the deviation of a score from its anchor, as the mean of its category counts it.

    It is |value - anchor| for "represent", and anchor - value for "error".

    Raises:
        ValueError: there is no such category.
    """
    if category not in MEASURES:
        raise ValueError(f"the category is {category!r:.80}; one of {tuple(MEASURES)} is expected")
    return abs(value - anchor) if category == "represent" else anchor - value


def score(
    reply: str,
    anchor: float,
    category: str,
    score_range: tuple[float, float] | None = None,
) -> float:
    """Return the value of one reply in `repr_bias` or in `error_sensitivity`.

    In repr_bias it is 0 or more, and lower is better. In error_sensitivity higher is better.

    Args:
        reply: the judge's reply to the altered text.
        anchor: the right score of the text without its alteration.
        category: "represent" or "error".
        score_range: the lowest and the highest possible score; None for any.

    Raises:
        NoScore: the reply has no usable score; `reason` is the cause.
        TypeError: the reply is no string, the anchor no number, or the range not two numbers.
        ValueError: the anchor, the category or the range has a wrong value.

    Source: the card of iknow-lab/JudgeBias-DPO-RefFree-testset.

    >>> score('{"overall_score": 3.5}', 4, "represent"), score('{"overall_score": 5}', 4, "error")
    (0.5, -1.0)

    """
    check_anchor("anchor", anchor, check_range(score_range))
    return measure_deviation(overall_score(reply, score_range), anchor, category)


@dataclass(frozen=True)
class Scale:
    """The judge's scale.

    Attributes:
        span: the distance from its lowest to its highest score.
        is_known: whether the scale was passed, or only observed in the rows.
    """

    span: float
    is_known: bool

    def limit_mean(self, category: str) -> tuple[float, float]:
        """Return the lowest and the highest mean that a category can have."""
        bound = self.span if self.is_known else math.inf
        return 0.0 if category == "represent" else -bound, bound


def find_scale(rows: list[dict[str, Any]], score_range: tuple[float, float] | None) -> Scale:
    """Return the scale of `score_range`, or else that of the anchors and scores in the rows.

    Args:
        rows: entries that `explain` returns.
        score_range: the lowest and the highest possible score, or None.
    """
    if score_range is not None:
        lowest, highest = score_range
        return Scale(highest - lowest, is_known=True)
    if not rows:
        return Scale(0.0, is_known=False)
    scores = [row["anchor_score"] for row in rows]
    scores += [row["overall_score"] for row in rows if row["overall_score"] is not None]
    span = float(max(scores) - min(scores))
    return Scale(span, is_known=False)


def estimate_interval(values: list[float], scale: Scale, category: str) -> list[float] | None:
    """Return the 95% interval of the mean of a category's deviations.

    It is None for fewer than two values. It is also None for a scale with one point only, which
    does not show how far scores may move.

    >>> scale = Scale(4.0, True)
    >>> [round(end, 2) for end in estimate_interval([0.5, 0.0, 1.0] * 10, scale, "error")]
    [0.11, 0.89]
    >>> estimate_interval([0.5], scale, "error") is None
    True
    """
    rows = len(values)
    if rows < 2 or not scale.span:
        return None
    mean = fmean(values)
    # Relative to the scale, so that no square overflows.
    deviations = [(value - mean) / scale.span for value in values]
    # The deviation of a made-up row is the whole scale.
    squares = math.fsum(deviation**2 for deviation in deviations) + MADE_UP_ROWS
    all_rows = rows + MADE_UP_ROWS
    error = math.sqrt(squares / (all_rows - 1) / all_rows) * scale.span
    half = compute_student_quantile(rows - 1) * error
    lowest, highest = scale.limit_mean(category)
    return [max(mean - half, lowest), min(mean + half, highest)]


@lru_cache(maxsize=1024)
def compute_student_quantile(degrees: int) -> float:
    """Return the 97.5% point of Student's t.

    >>> [round(compute_student_quantile(degrees), 3) for degrees in (1, 9, 999)]
    [12.706, 2.262, 1.962]
    """
    if degrees > MANY_DEGREES:
        return expand_student_quantile(degrees)
    low, high = 0.0, math.pi / 2
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        if compute_central_probability(middle, degrees) < CONFIDENCE:
            low = middle
        else:
            high = middle
    return math.sqrt(degrees) * math.tan(high)


def compute_central_probability(angle: float, degrees: int) -> float:
    """Return the probability that Student's t is within sqrt(degrees) * tan(angle) of 0.

    Source: Abramowitz and Stegun 1964, Handbook of Mathematical Functions, 26.7.3 and 26.7.4.
    """
    is_odd = degrees % 2
    cosine = math.cos(angle)
    term = cosine if is_odd else 1.0
    factor = 2 if is_odd else 1
    series = 0.0
    for _ in range(degrees // 2):
        series += term
        term *= cosine**2 * factor / (factor + 1)
        factor += 2
    series *= math.sin(angle)
    return 2 / math.pi * (angle + series) if is_odd else series


def expand_student_quantile(degrees: int) -> float:
    """Return the 97.5% point of Student's t with many degrees of freedom.

    Source: Abramowitz and Stegun 1964, 26.7.5. Above 100 degrees its error is below 1e-10.
    """
    first = (Z**3 + Z) / 4
    second = (5 * Z**5 + 16 * Z**3 + 3 * Z) / 96
    third = (3 * Z**7 + 19 * Z**5 + 17 * Z**3 - 15 * Z) / 384
    fourth = (79 * Z**9 + 776 * Z**7 + 1482 * Z**5 - 1920 * Z**3 - 945 * Z) / 92160
    return Z + first / degrees + second / degrees**2 + third / degrees**3 + fourth / degrees**4


def explain(
    reply: str,
    anchor: float,
    category: str,
    kind: str | None = None,
    score_range: tuple[float, float] | None = None,
) -> dict[str, Any]:
    """Return the entry of `per_example` for one reply: its score, or why it has none.

    Args:
        reply: the judge's reply.
        anchor: the right score of the text without its alteration.
        category: "represent" or "error".
        kind: the type of the perturbation, if it is known.
        score_range: the lowest and the highest possible score, or None.
    """
    check_anchor("anchor", anchor, check_range(score_range))
    entry = {
        "score": None,
        "overall_score": None,
        "anchor_score": anchor,
        "perturbation_category": category,
        "perturbation_type": kind,
        "reason": None,
        "note": None,
    }
    try:
        value = overall_score(reply, score_range)
    except NoScore as error:
        return entry | {"reason": error.reason, "note": str(error)}
    return entry | {"score": measure_deviation(value, anchor, category), "overall_score": value}


def summarize(rows: list[dict[str, Any]], category: str, scale: Scale) -> dict[str, Any]:
    """Return the mean of a category's scored rows, its interval, and the numbers of rows.

    Args:
        rows: entries that `explain` returns, all of the category.
        category: "represent" or "error".
        scale: the judge's scale.
    """
    scores = [row["score"] for row in rows if row["score"] is not None]
    return {
        "n": len(rows),
        "n_scored": len(scores),
        "unparsed": len(rows) - len(scores),
        "mean": fmean(scores) if scores else None,
        "interval": estimate_interval(scores, scale, category),
    }


def find_bounds(
    rows: list[dict[str, Any]], score_range: tuple[float, float] | None
) -> list[float] | None:
    """Return the lowest and the highest possible mean of rows.

    Each row without a score may have any score within the range. Return None without rows or range.

    Args:
        rows: entries that `explain` returns.
        score_range: the lowest and the highest possible score, or None.
    """
    if not rows or score_range is None:
        return None
    possible = []
    for row in rows:
        if row["score"] is not None:
            possible.append([row["score"]])
            continue
        anchor = row["anchor_score"]
        # A score that equals the anchor has the smallest bias.
        extremes = (*score_range, anchor)
        possible.append(
            [measure_deviation(value, anchor, row["perturbation_category"]) for value in extremes]
        )
    return [fmean(map(min, possible)), fmean(map(max, possible))]


def summarize_types(rows: list[dict[str, Any]], scale: Scale) -> list[dict[str, Any]]:
    """Return the mean of each type of perturbation, in the order of the types' first rows.

    The list is empty if no row has a type.
    """
    groups: dict[tuple[str | None, str], list[dict[str, Any]]] = {}
    for row in rows:
        group_name = (row["perturbation_type"], row["perturbation_category"])
        groups.setdefault(group_name, []).append(row)
    if all(kind is None for kind, _ in groups):
        return []
    table = []
    for (kind, category), group in groups.items():
        names = {
            "perturbation_type": kind,
            "perturbation_category": category,
            "measure": MEASURES[category],
        }
        table.append(names | summarize(group, category, scale))
    return table
