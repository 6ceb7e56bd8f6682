"""What a few verdicts are worth with the estimate: how often the interval holds the true share, and how wide it is.

Of answers that people judged all of, some are drawn as if only they had been read, `DRAWS` times with a seed.
`shuffled` is the same with the estimates of other answers: a useless score must not cost anything.
"""

import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.training.verdicts import Verdicts
from tests.benchmarks.report import markdown
from tests.support.project import ROOT

sys.path.insert(0, str(ROOT / "spaces" / "answer_lens"))

from lens.statistics import verdicts as inference

DRAWS, SEED = 1000, 0
READ = (20, 50)
# Fifty of fewer questions are no sample of many.
LEAST = 500


def drawn(rows: int, read: int, quarters: Sequence[int] | None = None) -> Iterator[NDArray[np.bool_]]:
    """Yield which rows are read, DRAWS times: any of them or, with quarters, as many of each."""
    stream = np.random.RandomState(SEED)
    for _ in range(DRAWS):
        order = stream.permutation(rows).tolist()
        chosen = np.zeros(rows, bool)
        chosen[(inference.in_turn(order, quarters) if quarters else order)[:read]] = True
        yield chosen


def shown(verdicts: NDArray[np.bool_], chosen: NDArray[np.bool_]) -> list[bool | None]:
    """Return the verdicts of the rows that are read, None for the others."""
    return [bool(one) if there else None for one, there in zip(verdicts, chosen, strict=True)]


def shares(verdicts: NDArray[np.bool_], estimates: Sequence[float], read: int) -> dict[str, float]:
    """Return coverage, the width of the interval, and that of the verdicts alone, for one system's share."""
    true, found, quarters = verdicts.mean(), [], inference.strata(estimates)
    for chosen in drawn(len(verdicts), read, quarters):
        given = shown(verdicts, chosen)
        low, high = inference.share_with_scores(given, estimates, quarters).interval
        left, right = inference.share_alone(given).interval
        found.append((low <= true <= high, high - low, right - left))
    return summary(found)


def differences(
    verdicts: Sequence[NDArray[np.bool_]], estimates: Sequence[Sequence[float]], read: int
) -> dict[str, float]:
    """Return the same for the difference of two systems' shares on the same rows."""
    true, found = verdicts[0].mean() - verdicts[1].mean(), []
    for chosen in drawn(len(verdicts[0]), read):
        first, second = (shown(one, chosen) for one in verdicts)
        low, high = inference.difference(first, second, *estimates).interval
        left, right = inference.difference(first, second).interval
        found.append((low <= true <= high, high - low, right - left))
    return summary(found)


def summary(found: Sequence[tuple[bool, float, float]]) -> dict[str, float]:
    """Return the means of draws, and the mean width as a share of that of the verdicts alone."""
    holds, width, alone = np.array(found, dtype=float).mean(axis=0)
    names = ("holds", "width", "of_alone")
    return {name: round(float(one), 3) for name, one in zip(names, (holds, width, width / alone), strict=True)}


def measured(verdicts: Mapping[str, NDArray[np.bool_]], estimates: Mapping[str, Sequence[float]]) -> dict[str, Any]:
    """Return the figures of every system and pair of systems; rows are the same questions in the same order."""
    found: dict[str, Any] = {"systems": {}, "pairs": {}}
    for name, right in verdicts.items():
        figures = {str(read): shares(right, estimates[name], read) for read in READ}
        shuffled = np.random.RandomState(SEED).permutation(estimates[name]).tolist()
        found["systems"][name] = figures | {"shuffled": shares(right, shuffled, READ[-1])}
    for one, other in combinations(verdicts, 2):
        both, scores = [verdicts[one], verdicts[other]], [estimates[one], estimates[other]]
        found["pairs"][f"{one}|{other}"] = differences(both, scores, READ[-1])
    return found


def of_data(verdicts: Verdicts, estimates: NDArray[Any]) -> dict[str, Any]:
    """Return the figures of a data set, over the questions that every system answered; nothing of a small one."""
    right: dict[str, dict[int, bool]] = {name: {} for name in verdicts.systems}
    likely: dict[str, dict[int, float]] = {name: {} for name in verdicts.systems}
    for answer, estimate in zip(verdicts.answers, estimates.tolist(), strict=True):
        right[answer.system][answer.question], likely[answer.system][answer.question] = answer.right, estimate
    asked = sorted(set.intersection(*(set(one) for one in right.values())))
    if len(asked) < LEAST:
        return {}
    rows = {name: np.array([one[question] for question in asked]) for name, one in right.items()}
    return measured(rows, {name: [one[question] for question in asked] for name, one in likely.items()})


def table(found: Mapping[str, Any]) -> str:
    """Return the figures of the systems, and in the last row those of their differences."""
    heads = (
        "system",
        "50 verdicts: holds",
        "width, of the verdicts alone",
        "20 verdicts: holds",
        "width",
        "useless score",
    )
    rows = []
    for name, one in found["systems"].items():
        few, many, useless = (one[key] for key in ("20", "50", "shuffled"))
        cells = [f"{many['holds']:.3f}", f"{many['of_alone']:.2f}", f"{few['holds']:.3f}", f"{few['of_alone']:.2f}"]
        rows.append([name, *cells, f"{useless['of_alone']:.2f}"])
    holds, widths = ([pair[key] for pair in found["pairs"].values()] for key in ("holds", "of_alone"))
    lowest, middle = (
        f"{min(holds):.3f} or more",
        f"{sum(widths) / len(widths):.2f} ({min(widths):.2f} – {max(widths):.2f})",
    )
    rows.append([f"difference of two, {len(holds)} pairs", lowest, middle, "", "", ""])
    return markdown(heads, rows)
