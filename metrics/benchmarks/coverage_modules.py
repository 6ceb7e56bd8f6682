"""Coverage of the intervals of judge_bias and reward_accuracy, which the tab "Judge check" shows.

A judge scores on a scale of 1 to 5 or 1 to 10, in half or whole points. Its deviations have many
ties, and most are skewed: few scores are far off. Each case is measured with a given scale, and
with the scale that the rows show.
"""

from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Any

import numpy as np

from metrics.judge_bias import scoring as bias
from metrics.reward_accuracy import scoring as accuracy
from metrics.benchmarks.coverage_cases import SHARES, Stream
from metrics.benchmarks.coverage_count import SEED, Coverage, average_coverage, holds_truth


@dataclass(frozen=True)
class Deviations:
    """The deviations of a judge's scores from their anchors, and the probability of each.

    The scale is from 1 to `top`.
    """

    category: str
    top: int
    points: tuple[float, ...]
    chances: tuple[float, ...]


DEVIATIONS = (
    Deviations("represent", 5, (0, 1, 2), (0.9, 0.08, 0.02)),
    Deviations("represent", 5, (0, 1), (0.95, 0.05)),
    Deviations("represent", 5, (0, 1), (0.5, 0.5)),
    Deviations("represent", 5, (0, 0.5), (0.1, 0.9)),
    Deviations("represent", 5, (1, 2, 3), (0.2, 0.6, 0.2)),
    Deviations("represent", 5, (0, 0.5, 1, 1.5, 2), (0.5, 0.25, 0.15, 0.07, 0.03)),
    Deviations("represent", 5, (0, 1, 2, 3, 4), (0.7, 0.15, 0.08, 0.04, 0.03)),
    Deviations("represent", 5, (0, 4), (0.9, 0.1)),
    Deviations("represent", 10, (0, 1, 2, 3), (0.6, 0.25, 0.1, 0.05)),
    Deviations("represent", 10, (0, 1, 2, 9), (0.5, 0.3, 0.15, 0.05)),
    Deviations("represent", 10, (0, 9), (0.95, 0.05)),
    Deviations("error", 5, (0, 1, 2, 3, 4), (0.6, 0.2, 0.1, 0.05, 0.05)),
    Deviations("error", 5, (-1, 0, 1), (0.1, 0.8, 0.1)),
    Deviations("error", 5, (0, 1), (0.9, 0.1)),
    Deviations("error", 5, (0, 3), (0.8, 0.2)),
    Deviations("error", 5, (0, 3, 4), (0.05, 0.3, 0.65)),
    Deviations("error", 5, (-1, 0, 1, 2, 3), (0.05, 0.3, 0.3, 0.2, 0.15)),
    Deviations("error", 10, (0, 9), (0.95, 0.05)),
    Deviations("error", 10, (0, 9), (0.97, 0.03)),
    Deviations("error", 10, (1, 2, 3), (0.1, 0.8, 0.1)),
    Deviations("error", 10, (-2, 0, 2, 5, 8), (0.05, 0.5, 0.3, 0.1, 0.05)),
    Deviations("error", 10, (0, 7, 8, 9), (0.05, 0.1, 0.35, 0.5)),
)


@cache
def explain_row(
    case: Deviations,
    is_known: bool,
    fall: float,
    place: int,
) -> dict[str, Any]:
    """Return the entry of a row whose score is `fall` below its anchor.

    `place`, from 0 to 4, chooses one of five anchors with which the score is on the scale.
    """
    lowest = 1 + max(fall, 0)
    highest = case.top + min(fall, 0)
    anchor = lowest + (highest - lowest) * place / 4
    score_range = (1.0, float(case.top)) if is_known else None
    return bias.explain(str(anchor - fall), anchor, case.category, None, score_range)


def compute_interval(
    case: Deviations,
    is_known: bool,
    stream: Stream,
    rows: int,
) -> list[float] | None:
    """Return the interval of the mean of randomly drawn rows."""
    falls = stream.choice(case.points, rows, p=case.chances).tolist()
    places = stream.randint(0, 5, rows).tolist()
    entries = []
    for fall, place in zip(falls, places, strict=True):
        entries.append(explain_row(case, is_known, fall, place))
    score_range = (1.0, float(case.top)) if is_known else None
    scale = bias.find_scale(entries, score_range)
    interval: list[float] | None = bias.summarize(entries, case.category, scale)["interval"]
    return interval


def measure_judge_means(rows: int, draws: int) -> Coverage:
    """Return the coverage of the intervals of a judge's bias and sensitivity."""
    coverage = []
    for case, is_known in product(DEVIATIONS, (True, False)):
        stream = np.random.RandomState(SEED)
        true_mean = float(np.dot(case.points, case.chances))
        covered = []
        for _ in range(draws):
            interval = compute_interval(case, is_known, stream, rows)
            covered.append(holds_truth(interval, true_mean))
        coverage.append(average_coverage(covered))
    return coverage


def measure_pair_shares(rows: int, draws: int) -> Coverage:
    """Return the exact coverage of the share of pairs in which a judge prefers the chosen text."""
    from scipy import stats

    counts = np.arange(rows + 1)
    intervals = [accuracy.compute_interval(int(wins), rows) for wins in counts]
    coverage = []
    for share in SHARES:
        chances = stats.binom.pmf(counts, rows, share)
        covered = np.array([holds_truth(interval, share) for interval in intervals])
        coverage.append(float(chances @ covered))
    return coverage
