"""Judge bias: does a judge's score stay where a text is only written differently, and fall where an error was put in?

A language model has scored altered texts; an anchor says what each text deserves without the alteration. Over the rows
that have a score:

    repr_bias          mean |score - anchor| of the "represent" rows (written differently), lower is better
    error_sensitivity  mean (anchor - score) of the "error" rows (made wrong), higher is better; may be negative

Original: the card of the dataset iknow-lab/JudgeBias-DPO-RefFree-testset, "Generation-Based Evaluation". There is no
code of it, and no paper.

Differences from the original, which says "parse `overall_score`" and no more:
- The last valid JSON object that has `overall_score` decides, at whatever depth. What a model thinks before it answers
  is not its answer. A reply that is nothing but a number is that number.
- A reply without a score is unscored and counted, with a reason; it is never a 0. With a `score_range`, bounds say what
  the means could be had these replies had scores.
- Intervals, and the table by type of perturbation, are additions.

This file may be copied with broken_json.py and final_answer.py: they need nothing but Python and, for the intervals,
numpy.
"""

import re
from numbers import Real
from statistics import fmean
from typing import Any

from .broken_json import read_broken, read_object
from .final_answer import LONE_ENDS, THINKING_BEGINS, THINKING_ENDS

# The dataset's `perturbation_category`, and its card's name for the mean over each.
MEASURES = {"represent": "repr_bias", "error": "error_sensitivity"}
# No scale of scores comes near it, and sums of much larger numbers overflow.
LARGEST = 1e100

# Where thinking ends, by the one list of marks.
THOUGHT_ENDS = re.compile(THINKING_ENDS, re.I)
# What a reply is read by: these marks, and where a JSON object may begin.
MARK = re.compile(rf"(?P<ends>{LONE_ENDS})|(?P<begins>{THINKING_BEGINS})|\{{\s*[\"}}]", re.I)

# A number as text, of ASCII digits.
NUMBER = re.compile(r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")

# The bootstrap: Efron and Tibshirani 1993, An Introduction to the Bootstrap, chapter 13 (percentile interval).
RESAMPLES, SEED = 2000, 0


class NoScore(ValueError):
    """A reply has no usable score; `reason` is a code: no_score, bad_score or out_of_range."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


def held(value: Any) -> list[Any]:
    """Return [what stands under `overall_score` in JSON], or []: an object's own, else that of the last one further in.

    >>> held({"overall_score": 3, "a": {"overall_score": 4}}), held({"a": [{"overall_score": 4}, {}]}), held({})
    ([3], [4], [])
    """
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


def stated(reply: str) -> list[Any]:
    """Return the value that a reply states as its score, outside of its thinking, in a list of one, or an empty list.

    >>> stated('<think>{"overall_score": 1}</think> {"overall_score": 2}'), stated("4.5"), stated("<think>4.5")
    ([2.0], ['4.5'], [])
    """
    found, around, place, is_broken = list[Any](), list[str](), 0, False
    while mark := MARK.search(reply, place):
        around.append(reply[place : mark.start()])
        if mark["ends"]:  # all before was thinking, whose beginning the model was given
            found, around, place = [], [], mark.end()
        elif mark["begins"]:
            end = THOUGHT_ENDS.search(reply, mark.end())
            place = end.end() if end else len(reply)
        else:
            around.append("{")
            # The decoder counts lines at each error: after the first one it would take the square of the length.
            whole = None if is_broken else read_object(reply, mark.start())
            is_broken = whole is None
            objects, place = whole or read_broken(reply, mark.start())
            for value in objects:
                found = held(value) or found
    alone = "".join([*around, reply[place:]]).strip()
    return [alone] if NUMBER.fullmatch(alone) else found


def checked_range(score_range: Any) -> tuple[float, float] | None:
    """Return `score_range` as two floats, or None; raise TypeError or ValueError for what is no such thing."""
    if score_range is None:
        return None
    ends = list(score_range) if type(score_range).__name__ in ("list", "tuple", "ndarray") else []
    if len(ends) != 2 or not all(map(is_number, ends)):
        raise TypeError(f"score_range is {score_range!r:.80}; None or two numbers (lowest, highest) are expected")
    if not -LARGEST <= ends[0] < ends[1] <= LARGEST:
        raise ValueError(f"score_range is {score_range!r:.80}; the lowest and then the highest score are expected")
    return float(ends[0]), float(ends[1])


def is_number(value: Any) -> bool:
    """Return whether a value is a number of any kind; True and False are none."""
    return isinstance(value, Real) and not isinstance(value, bool)


def check_anchor(name: str, anchor: Any, score_range: tuple[float, float] | None) -> None:
    """Raise TypeError for an anchor that is no number, and ValueError for one that is no score."""
    if not is_number(anchor):
        raise TypeError(f"{name} is {anchor!r:.80} ({type(anchor).__name__}); a number is expected")
    if not -LARGEST <= anchor <= LARGEST:
        raise ValueError(f"{name} is {anchor!r:.80}; a finite number is expected, at most {LARGEST} either way")
    if score_range and not score_range[0] <= anchor <= score_range[1]:
        raise ValueError(f"{name} is {anchor}, outside the score_range {score_range[0]} to {score_range[1]}")


def overall_score(reply: str, score_range: tuple[float, float] | None = None) -> float:
    r"""Return the score that a judge's reply states.

    Args:
        reply: what the judge wrote: a JSON object with "overall_score", with text or a fence around it or not, or a
            number alone.
        score_range: the lowest and the highest score there are, both included; None for any.

    Raises:
        NoScore: the reply has no usable score; its `reason` says why. That is not a 0.
        TypeError, ValueError: the reply is no string, or the range is none.

    >>> overall_score('I think:\n```json\n{"overall_score": 3.5}\n```'), overall_score("4")
    (3.5, 4.0)

    """
    if not isinstance(reply, str):
        raise TypeError(f"reply is {reply!r:.80} ({type(reply).__name__}); a string is expected")
    ends, found = checked_range(score_range), stated(reply)
    if not found:
        raise NoScore("no_score", f"no JSON object with overall_score in the reply: {reply[:120]!r:.120}")
    value = found[0]
    if isinstance(value, str) and NUMBER.fullmatch(value.strip()):
        value = float(value)
    if not isinstance(value, float) or not abs(value) <= LARGEST:
        raise NoScore("bad_score", f"the overall_score is {found[0]!r:.80}; a finite number is expected")
    if ends and not ends[0] <= value <= ends[1]:
        raise NoScore("out_of_range", f"the overall_score is {value}, outside {ends[0]} to {ends[1]}")
    return value


def deviation(value: float, anchor: float, category: str) -> float:
    """Return a row's part of the mean of its category: |value - anchor| for "represent", anchor - value for "error"."""
    if category not in MEASURES:
        raise ValueError(f"the category is {category!r:.80}; one of {tuple(MEASURES)} is expected")
    return abs(value - anchor) if category == "represent" else anchor - value


def score(reply: str, anchor: float, category: str, score_range: tuple[float, float] | None = None) -> float:
    """Return what one reply adds to `repr_bias` (0 and up, lower is better) or `error_sensitivity` (higher is better).

    Args:
        reply: what the judge wrote of the altered text.
        anchor: the score that the text deserves without its alteration.
        category: "represent" or "error".
        score_range: the lowest and the highest score there are; None for any.

    Raises:
        NoScore: the reply has no usable score; its `reason` says why.
        TypeError, ValueError: the reply, the anchor, the category or the range is none.

    Source: the card of iknow-lab/JudgeBias-DPO-RefFree-testset.

    >>> score('{"overall_score": 3.5}', 4, "represent"), score('{"overall_score": 5}', 4, "error")
    (0.5, -1.0)

    """
    check_anchor("anchor", anchor, checked_range(score_range))
    return deviation(overall_score(reply, score_range), anchor, category)


def interval(values: list[float]) -> list[float] | None:
    """Return the 95% interval of the mean of `values`, in whatever order, or None for fewer than two.

    The percentile bootstrap: of 2,000 means of values drawn with replacement, the 50 lowest and the 50 highest are left
    out. The stream of numpy's RandomState is frozen, and sums run from left to right: the same on every machine.

    >>> interval([2.5, 2.5, 2.5]), interval([2.5])
    ([2.5, 2.5], None)
    """
    import numpy as np

    if len(values) < 2:
        return None
    column, n = np.sort(np.array(values, dtype=np.float64)), len(values)
    stream, means = np.random.RandomState(SEED), np.empty(RESAMPLES)
    for i in range(RESAMPLES):
        drawn = (stream.random_sample(n) * n).astype(np.int64)
        means[i] = np.cumsum(column[drawn])[-1] / n
    means = np.sort(np.clip(means, column[0], column[-1]))  # rounding takes no mean beyond the values
    tail = RESAMPLES // 40
    return [float(means[tail]), float(means[-tail - 1])]


def explain(
    reply: str, anchor: float, category: str, kind: str | None = None, score_range: tuple[float, float] | None = None
) -> dict[str, Any]:
    """Return the entry of `per_example` for one reply: what it adds to its mean, or why it adds nothing."""
    check_anchor("anchor", anchor, checked_range(score_range))
    entry = {"score": None, "overall_score": None, "anchor_score": anchor, "perturbation_category": category}
    entry |= {"perturbation_type": kind, "reason": None, "note": None}
    try:
        value = overall_score(reply, score_range)
    except NoScore as none:
        return entry | {"reason": none.reason, "note": str(none)}
    return entry | {"score": deviation(value, anchor, category), "overall_score": value}


def mean_of(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the mean over the scored ones of some entries of `explain`, its interval, and how many there are."""
    scores = [row["score"] for row in rows if row["score"] is not None]
    counts = {"n": len(rows), "n_scored": len(scores), "unparsed": len(rows) - len(scores)}
    return {**counts, "mean": fmean(scores) if scores else None, "interval": interval(scores)}


def bounds(rows: list[dict[str, Any]], score_range: tuple[float, float] | None) -> list[float] | None:
    """Return the lowest and the highest mean that entries of `explain` allow, the unscored ones being within range."""
    if not rows or score_range is None:
        return None
    possible = []
    for row in rows:
        anchor, category = row["anchor_score"], row["perturbation_category"]
        unscored = [deviation(value, anchor, category) for value in (*score_range, anchor)]
        possible.append(unscored if row["score"] is None else [row["score"]])
    return [fmean(map(end, possible)) for end in (min, max)]


def by_type(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the mean of each type of perturbation, in the order of first rows; nothing where no row has a type."""
    groups: dict[tuple[str | None, str], list[dict[str, Any]]] = {}
    for row in rows:
        groups.setdefault((row["perturbation_type"], row["perturbation_category"]), []).append(row)
    if all(kind is None for kind, _ in groups):
        return []
    return [
        {"perturbation_type": kind, "perturbation_category": category, "measure": MEASURES[category], **mean_of(group)}
        for (kind, category), group in groups.items()
    ]
