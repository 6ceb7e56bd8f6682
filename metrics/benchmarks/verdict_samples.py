"""Measure how much the estimate adds to a few verdicts: coverage and width of the intervals.

People judged all of these answers. Some are drawn as if only they had been judged, `DRAWS` times
with a fixed seed. For two systems, or for all, the answers of these systems to a question are
judged together, and all intervals of differences should hold at once. For comparison, equally many
questions are drawn at random, and their verdicts are used without the estimate. With one system,
the comparison uses the same verdicts. `shuffled` uses the estimates of other answers: a useless
score must not make the intervals worse.
"""

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from metrics.training.verdicts import Verdicts
from metrics.benchmarks.report import format_table
from metrics.benchmarks.series import Array
from tests.support.project import ROOT

sys.path.insert(0, str(ROOT / "spaces" / "answer_lens"))

from lens.inference import sampling, share_differences, shares
from lens.inference.ranking import Ranking

DRAWS = 1000
SEED = 0
# How many rows are judged for one system, and how many questions for two systems.
JUDGED_ROWS = (20, 50)
# How many questions are judged for all systems together.
JUDGED_QUESTIONS = (20, 30, 50, 100)
# A data set with fewer questions is not measured: fifty of them would be a large part of it.
FEWEST_QUESTIONS = 500


def draw_verdict_samples(
    stratum: Sequence[int], n_judged: int, *verdicts: Array
) -> Iterator[list[list[bool | None]]]:
    """Yield, DRAWS times, the verdicts of the rows that are judged, and None for the others.

    The numbers of judged rows of two strata differ by at most one, while both have rows left.

    Args:
        stratum: the stratum of each row.
        n_judged: how many rows are judged.
        *verdicts: the verdicts of each system on all rows.
    """
    rng = np.random.RandomState(SEED)
    for _ in range(DRAWS):
        order = rng.permutation(len(stratum)).tolist()
        chosen = set(sampling.alternate_strata(order, stratum)[:n_judged])
        yield [keep_verdicts(right, chosen) for right in verdicts]


def keep_verdicts(right: Array, chosen: set[int]) -> list[bool | None]:
    """Return the verdicts of chosen rows, and None for the others."""
    verdicts: list[bool | None] = [None] * len(right)
    for row in chosen:
        verdicts[row] = bool(right[row])
    return verdicts


def measure_share(right: Array, estimates: Array, n_judged: int) -> dict[str, float]:
    """Return how often the interval of one system's share holds, and its width.

    `of_alone` is that width divided by the width with verdicts alone.
    """
    scores = estimates.tolist()
    quarters = sampling.assign_strata(len(scores), scores)
    joined = []
    alone = []
    for (verdicts,) in draw_verdict_samples(quarters, n_judged, right):
        share = shares.estimate_share_with_scores(verdicts, scores, quarters)
        joined.append(share.interval)
        alone.append(shares.estimate_share(verdicts).interval)
    return summarize_intervals(joined, alone, right.mean())


def measure_pair_differences(
    right: Sequence[Array], estimates: Sequence[Array], n_judged: int
) -> dict[str, float]:
    """Return the figures of all pairs of systems, from verdicts on some questions.

    The figures are: how often all intervals hold at once; their mean width; the number of pairs
    with a significant difference; and the number of systems tied for best. Those without the
    estimate begin with `alone_`.
    """
    scores = [estimate.tolist() for estimate in estimates]
    questions = len(scores[0])
    stratum = sampling.assign_strata(questions, *scores)
    no_stratum = sampling.assign_strata(questions)
    by_estimate = draw_verdict_samples(stratum, n_judged, *right)
    by_chance = draw_verdict_samples(no_stratum, n_judged, *right)
    joined_rankings = []
    alone_rankings = []
    for verdicts, chance_verdicts in zip(by_estimate, by_chance, strict=True):
        joined = share_differences.compare_shares(verdicts, scores, stratum)
        alone = share_differences.compare_shares(chance_verdicts, [], no_stratum)
        if joined and alone:
            joined_rankings.append(joined)
            alone_rankings.append(alone)

    shares_right = [verdicts_of_system.mean() for verdicts_of_system in right]
    true = np.array([first - second for first, second in combinations(shares_right, 2)])
    with_estimate = summarize_rankings(joined_rankings, true)
    without = summarize_rankings(alone_rankings, true)
    figures = {"of_alone": with_estimate["width"] / without["width"], **with_estimate}
    for key, value in without.items():
        figures[f"alone_{key}"] = value
    return round_to_thousandths(figures)


def round_to_thousandths(figures: Mapping[str, float]) -> dict[str, float]:
    """Return figures rounded to three decimals."""
    return {name: round(float(figure), 3) for name, figure in figures.items()}


def summarize_rankings(rankings: Sequence[Ranking], true: Array) -> dict[str, float]:
    """Return the figures of the rankings of all samples, given the true differences."""
    ends = []
    tied = []
    for ranking in rankings:
        ends.append([pair.interval for pair in ranking.pairs])
        tied.append(sum(ranking.best))
    # From (rankings, pairs, ends) to the low and the high ends, each of shape (rankings, pairs).
    low, high = np.array(ends).transpose(2, 0, 1)
    holds = (low <= true) & (true <= high)
    is_apart = (low > 0) | (high < 0)
    return {
        "holds": holds.all(axis=1).mean(),
        "width": (high - low).mean(),
        "apart": is_apart.sum(axis=1).mean(),
        "tied": float(np.mean(tied)),
    }


def summarize_intervals(joined: Any, alone: Any, true: float) -> dict[str, float]:
    """Return how often the joined intervals contain the true value, and their mean width.

    `of_alone` is that width divided by the width of the others.
    """
    low, high = np.array(joined).T
    alone_low, alone_high = np.array(alone).T
    holds = (low <= true) & (true <= high)
    width = (high - low).mean()
    alone_width = (alone_high - alone_low).mean()
    figures = {
        "holds": holds.mean(),
        "width": width,
        "of_alone": width / alone_width,
    }
    return round_to_thousandths(figures)


@dataclass(frozen=True)
class Plan:
    """A sample to draw: its key in the figures, its size, and each system's estimates."""

    key: str
    n_judged: int
    estimates: dict[str, Array]


def measure_verdict_samples(verdicts: Verdicts, estimates: Array) -> dict[str, Any]:
    """Return the figures of every system and pair of systems in a data set.

    Only questions that every system answered count. For a small data set the result is empty.
    """
    answers = pd.DataFrame([vars(answer) for answer in verdicts.answers])
    answers["estimate"] = estimates
    table = answers.pivot(index="question", columns="system").dropna()
    if len(table) < FEWEST_QUESTIONS:
        return {}
    right = {}
    useful = {}
    useless = {}
    for number, name in enumerate(verdicts.systems):
        right[name] = table["right", name].to_numpy().astype(bool)
        useful[name] = table["estimate", name].to_numpy()
        rng = np.random.RandomState(SEED + number)
        useless[name] = rng.permutation(useful[name])

    shuffled = Plan("shuffled", JUDGED_ROWS[-1], useless)
    plans = [Plan(str(n_judged), n_judged, useful) for n_judged in JUDGED_ROWS]
    plans.append(shuffled)
    systems = {}
    for name, verdicts_of_system in right.items():
        figures = {}
        for plan in plans:
            scores = plan.estimates[name]
            figures[plan.key] = measure_share(verdicts_of_system, scores, plan.n_judged)
        systems[name] = figures
    pairs = {}
    for pair in combinations(right, 2):
        pairs["|".join(pair)] = measure_plans(plans, right, pair)
    together = {}
    if len(right) > 2:
        plans = [Plan(str(n_judged), n_judged, useful) for n_judged in JUDGED_QUESTIONS]
        plans.append(shuffled)
        together = measure_plans(plans, right, tuple(right))
    return {"systems": systems, "pairs": pairs, "together": together}


def measure_plans(
    plans: Sequence[Plan], right: Mapping[str, Array], names: Sequence[str]
) -> dict[str, Any]:
    """Return the figures of the differences between some systems, by the key of each plan."""
    figures = {}
    for plan in plans:
        verdicts = [right[name] for name in names]
        scores = [plan.estimates[name] for name in names]
        figures[plan.key] = measure_pair_differences(verdicts, scores, plan.n_judged)
    return figures


def format_shares(figures: Mapping[str, Any]) -> str:
    """Return the table of the systems; its last row has the differences of pairs."""
    systems = pd.json_normalize(list(figures["systems"].values()))
    pairs = pd.json_normalize(list(figures["pairs"].values()))
    formats = {
        "50.holds": ".3f",
        "50.of_alone": ".2f",
        "20.holds": ".3f",
        "20.of_alone": ".2f",
        "shuffled.of_alone": ".2f",
    }
    rows = [[name] for name in figures["systems"]]
    last = [f"difference of two, {len(pairs)} pairs"]
    for column, form in formats.items():
        for row, value in zip(rows, systems[column], strict=True):
            row.append(f"{value:{form}}")
        last.append(format_range(pairs[column], form))
    last[-1] = f"{pairs[column].max():{form}} or less"
    heads = (
        "system",
        "50 verdicts: holds",
        "50 verdicts: relative width",
        "20 verdicts: holds",
        "20 verdicts: relative width",
        "useless score, 50 verdicts: relative width",
    )
    return format_table(heads, [*rows, last])


def format_range(values: "pd.Series[float]", form: str) -> str:
    """Return the figures of a column in one text.

    For a column that says how often intervals hold, it is the lowest; for another column, the mean
    and the range.
    """
    least = f"{values.min():{form}}"
    if "holds" in str(values.name):
        return f"{least} or more"
    return f"{values.mean():{form}} ({least} – {values.max():{form}})"


def format_rankings(results: Mapping[str, Any]) -> str:
    """Return the table of all systems together, by the number of questions.

    It compares verdicts alone with verdicts and the estimate, and with a useless score.
    """
    systems = len(results["systems"])
    pairs = len(results["pairs"])
    rows = []
    for key, figures in results["together"].items():
        n_judged = f"{JUDGED_ROWS[-1]}, a useless score" if key == "shuffled" else key
        holds = "{alone_holds:.3f} / {holds:.3f}".format(**figures)
        width = "{alone_width:.3f} / {width:.3f} ({of_alone:.2f})".format(**figures)
        apart = "{alone_apart:.1f} / {apart:.1f}".format(**figures)
        tied = "{alone_tied:.1f} / {tied:.1f}".format(**figures)
        rows.append([n_judged, holds, width, apart, tied])
    heads = (
        "questions read",
        f"all {pairs} intervals hold: verdicts alone / with the estimate",
        "mean width (relative to verdicts alone)",
        f"pairs told apart, of {pairs}",
        f"systems tied for best, of {systems}",
    )
    return format_table(heads, rows)
