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
from metrics.benchmarks.coverage_cases import SHARES, Rng
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


# Each line has the category, the top of the scale, and the probability of each deviation.
DEVIATION_TABLE = """
represent   5  0: 0.9, 1: 0.08, 2: 0.02
represent   5  0: 0.95, 1: 0.05
represent   5  0: 0.5, 1: 0.5
represent   5  0: 0.1, 0.5: 0.9
represent   5  1: 0.2, 2: 0.6, 3: 0.2
represent   5  0: 0.5, 0.5: 0.25, 1: 0.15, 1.5: 0.07, 2: 0.03
represent   5  0: 0.7, 1: 0.15, 2: 0.08, 3: 0.04, 4: 0.03
represent   5  0: 0.9, 4: 0.1
represent  10  0: 0.6, 1: 0.25, 2: 0.1, 3: 0.05
represent  10  0: 0.5, 1: 0.3, 2: 0.15, 9: 0.05
represent  10  0: 0.95, 9: 0.05
error       5  0: 0.6, 1: 0.2, 2: 0.1, 3: 0.05, 4: 0.05
error       5  -1: 0.1, 0: 0.8, 1: 0.1
error       5  0: 0.9, 1: 0.1
error       5  0: 0.8, 3: 0.2
error       5  0: 0.05, 3: 0.3, 4: 0.65
error       5  -1: 0.05, 0: 0.3, 1: 0.3, 2: 0.2, 3: 0.15
error      10  0: 0.95, 9: 0.05
error      10  0: 0.97, 9: 0.03
error      10  1: 0.1, 2: 0.8, 3: 0.1
error      10  -2: 0.05, 0: 0.5, 2: 0.3, 5: 0.1, 8: 0.05
error      10  0: 0.05, 7: 0.1, 8: 0.35, 9: 0.5
"""


def parse_deviations(line: str) -> Deviations:
    """Return the deviations in a line of the table."""
    category, top, probabilities = line.split(maxsplit=2)
    points = []
    chances = []
    for entry in probabilities.split(", "):
        point, chance = entry.split(": ")
        points.append(float(point))
        chances.append(float(chance))
    return Deviations(category, int(top), tuple(points), tuple(chances))


DEVIATIONS = tuple(map(parse_deviations, DEVIATION_TABLE.strip().splitlines()))


def get_score_range(case: Deviations, is_known: bool) -> tuple[float, float] | None:
    """Return the scale that judge_bias is told; None if it must find it in the rows."""
    if not is_known:
        return None
    return 1.0, float(case.top)


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
    reply = str(anchor - fall)
    score_range = get_score_range(case, is_known)
    return bias.explain(reply, anchor, case.category, None, score_range)


def compute_interval(
    case: Deviations,
    is_known: bool,
    rng: Rng,
    rows: int,
) -> list[float] | None:
    """Return the interval of the mean of randomly drawn rows."""
    falls = rng.choice(case.points, rows, p=case.chances).tolist()
    places = rng.randint(0, 5, rows).tolist()
    entries = []
    for fall, place in zip(falls, places, strict=True):
        entries.append(explain_row(case, is_known, fall, place))
    scale = bias.find_scale(entries, get_score_range(case, is_known))
    summary = bias.summarize(entries, case.category, scale)
    interval: list[float] | None = summary["interval"]
    return interval


def measure_judge_means(rows: int, draws: int) -> Coverage:
    """Return the coverage of the intervals of a judge's bias and sensitivity."""
    coverage = []
    for case, is_known in product(DEVIATIONS, (True, False)):
        rng = np.random.RandomState(SEED)
        true_mean = float(np.dot(case.points, case.chances))
        covered = []
        for _ in range(draws):
            interval = compute_interval(case, is_known, rng, rows)
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
