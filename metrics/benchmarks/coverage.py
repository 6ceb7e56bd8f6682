"""Measure how often each interval of a report contains the true value: `make coverage`.

It prints the table and writes it into metrics/README.md. For each case in coverage_cases.py, 2,000
samples are drawn; for shares of independent rows the coverage is computed exactly. A cell has the
lowest coverage of all cases, and the mean in brackets. Intervals that a report omits, since there
are too few rows, are not counted. The figures are in coverage.json; with `--kinds` only some are
measured again.
"""

import argparse
import json
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations, product
from pathlib import Path
from typing import Any

import numpy as np

from metrics.benchmarks.coverage_cases import (
    CLUSTERS,
    HARD_SYSTEMS,
    JUDGED_SHARES,
    JUDGES,
    JudgeCase,
    SCORES,
    SHARES,
    SYSTEMS,
    TABLE_ROWS,
    TABLES,
    TABLES_OF_SYSTEMS,
    Rng,
    Table,
    convert_verdicts,
)
from metrics.benchmarks.coverage_count import (
    DRAWS,
    NEAR,
    SEED,
    Coverage,
    Measure,
    average_coverage,
    holds_truth,
)
from metrics.benchmarks.coverage_modules import measure_judge_means, measure_pair_shares
from metrics.benchmarks.report import format_table, write_section
from metrics.benchmarks.series import Array
from tests.support.project import METRICS

# coverage_cases.py has put the folder of the demo, which has `lens`, on the path.
from lens.inference import (
    auroc,
    intervals,
    judge_agreement,
    mean_differences,
    share_differences,
    shares,
)
from lens.inference.ranking import Ranking, rank_systems

ROWS = (10, 20, 50, 100)
# Reports show nothing with fewer verdicts.
VERDICTS = (20, 50, 100)
# How far the mean score of right answers is above that of wrong ones, in standard deviations.
NORMAL_DISTANCES = (0.0, 1.0, 2.5)
PAGE, RESULTS = METRICS / "README.md", Path(__file__).with_name("coverage.json")


def measure_whole_shares(rows: int, draws: int) -> Coverage:
    """Return the exact coverage of shares of independent rows."""
    from scipy import stats

    counts = np.arange(rows + 1)
    columns = []
    for right in counts:
        columns.append(np.repeat([1.0, 0.0], [right, rows - right]))
    ends = intervals.mean_intervals(columns)
    coverage = []
    for share in SHARES:
        chances = stats.binom.pmf(counts, rows, share)
        covered = [holds_truth(interval, share) for interval in ends]
        coverage.append(float(chances @ np.array(covered)))
    return coverage


def measure_means(rows: int, draws: int) -> Coverage:
    """Return the coverage of means of scores."""
    coverage = []
    for case in SCORES:
        rng = np.random.RandomState(SEED)
        samples = [case.draw(rng, rows) for _ in range(draws)]
        ends = intervals.mean_intervals(samples)
        covered = [holds_truth(interval, case.mean) for interval in ends]
        coverage.append(average_coverage(covered))
    return coverage


def measure_clustered_means(clusters: int, draws: int) -> Coverage:
    """Return the coverage of means and shares of rows in clusters."""
    coverage = []
    for case in CLUSTERS:
        rng = np.random.RandomState(SEED)
        covered = []
        for _ in range(draws):
            scores, cluster = case.draw(rng, clusters)
            (interval,) = intervals.mean_intervals([scores], cluster)
            covered.append(holds_truth(interval, case.mean))
        coverage.append(average_coverage(covered))
    return coverage


def measure_differences(rows: int, draws: int) -> Coverage:
    """Return the coverage of the difference of two systems."""
    coverage = []
    for case in SYSTEMS:
        rng = np.random.RandomState(SEED)
        first_mean, second_mean = case.list_means(2)
        covered = []
        for _ in range(draws):
            first, second = case.draw(rng, 2, rows)
            _, interval, _ = mean_differences.compare_means(first, second)
            covered.append(holds_truth(interval, first_mean - second_mean))
        coverage.append(average_coverage(covered))
    return coverage


def measure_clustered_differences(clusters: int, draws: int) -> Coverage:
    """Return the coverage of the difference of two systems over rows in clusters.

    The second system has the first one's scores, except that some are lost.
    """
    coverage = []
    for case in CLUSTERS:
        rng = np.random.RandomState(SEED)
        covered = []
        for _ in range(draws):
            first, cluster = case.draw(rng, clusters)
            chance_of_loss = rng.beta(1, 4, clusters)[cluster]
            is_lost = chance_of_loss > rng.rand(len(cluster))
            second = np.where(is_lost, 0.0, first)
            _, interval, _ = mean_differences.compare_means(first, second, cluster)
            covered.append(holds_truth(interval, case.mean / 5))
        coverage.append(average_coverage(covered))
    return coverage


def holds_all_differences(ranking: Ranking, true: Array) -> float:
    """Return 1 if all intervals of differences contain the true values, else 0."""
    differences = [first - second for first, second in combinations(true, 2)]
    covered = []
    for pair, difference in zip(ranking.pairs, differences, strict=True):
        covered.append(holds_truth(pair.interval, difference))
    return float(min(covered))


def holds_all_ranks(ranking: Ranking, true: Array) -> float:
    """Return 1 if the intervals of all ranks contain the true ranks, else 0."""
    is_worse = true[:, None] < true
    places = 1 + is_worse.sum(axis=1)
    for (low, high), place in zip(ranking.ranks, places, strict=True):
        if not low <= place <= high:
            return 0.0
    return 1.0


@lru_cache
def compare_systems(systems: int, rows: int, draws: int) -> tuple[tuple[float, float], ...]:
    """Return, for each case, how often all differences hold, and how often all ranks hold."""
    coverage = []
    for case in HARD_SYSTEMS[systems]:
        rng = np.random.RandomState(SEED)
        true = case.list_means(systems)
        differences = []
        ranks = []
        for _ in range(draws):
            ranking = rank_systems(case.draw(rng, systems, rows))
            differences.append(holds_all_differences(ranking, true))
            ranks.append(holds_all_ranks(ranking, true))
        coverage.append((average_coverage(differences), average_coverage(ranks)))
    return tuple(coverage)


def make_differences_measure(systems: int) -> Measure:
    """Return a function that measures all differences of `systems` systems at once."""

    def measure(rows: int, draws: int) -> Coverage:
        return [differences for differences, _ in compare_systems(systems, rows, draws)]

    return measure


def make_ranks_measure(systems: int) -> Measure:
    """Return a function that measures all ranks of `systems` systems at once."""

    def measure(rows: int, draws: int) -> Coverage:
        return [ranks for _, ranks in compare_systems(systems, rows, draws)]

    return measure


def make_shares_measure(with_estimates: bool) -> Measure:
    """Return a function that measures the share of right answers of one of three systems.

    The rows to judge are drawn for all systems together. The share is estimated from verdicts
    alone, or also from the estimates of all rows.
    """

    def measure(rows: int, draws: int) -> Coverage:
        coverage = []
        for case in TABLES:
            table = Table.make("", case.share, case.quality)
            rng = np.random.RandomState(SEED)
            true_share = table.right[0].mean()
            scores = table.estimates[0].tolist()
            covered = []
            for _ in range(draws):
                verdicts = convert_verdicts(table.hide_verdicts(rng, rows)[0])
                if with_estimates:
                    estimate = shares.estimate_share_with_scores(verdicts, scores, table.stratum)
                else:
                    weights = shares.weigh_verdicts(verdicts, table.stratum)
                    estimate = shares.estimate_share(verdicts, None, weights)
                covered.append(holds_truth(estimate.interval, true_share))
            coverage.append(average_coverage(covered))
        return coverage

    return measure


def make_verdict_differences_measure(systems: int) -> Measure:
    """Return a function that measures all differences of systems by a person's verdicts.

    It measures them with estimates of all rows, and without.
    """

    def measure(rows: int, draws: int) -> Coverage:
        coverage = []
        for case, with_scores in product(TABLES_OF_SYSTEMS[systems], (True, False)):
            table = Table.make("", case.share, case.quality, systems)
            rng = np.random.RandomState(SEED)
            true = table.right.mean(axis=1)
            covered = []
            scores = table.estimates.tolist() if with_scores else []
            for _ in range(draws):
                read = table.hide_verdicts(rng, rows)
                ranking = share_differences.compare_shares(read, scores, table.stratum)  # type: ignore[arg-type]
                if ranking:
                    covered.append(holds_all_differences(ranking, true))
                else:
                    covered.append(float("nan"))
            coverage.append(average_coverage(covered))
        return coverage

    return measure


JUDGE_CASES = [
    JudgeCase(share, judge.sensitivity, judge.specificity)
    for share, judge in product(JUDGED_SHARES, JUDGES)
]


def draw_judge_verdicts(rng: Rng, rows: int, case: JudgeCase) -> tuple[Array, Array]:
    """Return the verdicts of a person and of a judge on `rows` rows."""
    person = rng.rand(rows) < case.share
    chance_of_yes = np.where(person, case.sensitivity, 1 - case.specificity)
    judge = rng.rand(rows) < chance_of_yes
    return person, judge


def measure_kappas(rows: int, draws: int) -> Coverage:
    """Return the coverage of Cohen's kappa, over the intervals that are shown."""

    @cache
    def compute_interval(
        both: int, person_only: int, judge_only: int
    ) -> tuple[float, float] | None:
        neither = rows - both - person_only - judge_only
        counts = (both, person_only, judge_only, neither)
        person = np.repeat([1, 1, 0, 0], counts).tolist()
        judge = np.repeat([1, 0, 1, 0], counts).tolist()
        return judge_agreement.cohen_kappa(person, judge).interval

    coverage = []
    for case in JUDGE_CASES:
        # The chance of each pair of verdicts: a row for the person's yes, and one for the no.
        share_wrong = 1 - case.share
        yes = [case.share * case.sensitivity, case.share * (1 - case.sensitivity)]
        no = [share_wrong * (1 - case.specificity), share_wrong * case.specificity]
        cells = np.array([yes, no])
        true, _ = judge_agreement.measure_kappa(cells)
        rng = np.random.RandomState(SEED)
        covered = []
        for counts in rng.multinomial(rows, cells.ravel(), draws):
            both, person_only, judge_only, _ = map(int, counts)
            interval = compute_interval(both, person_only, judge_only)
            covered.append(holds_truth(interval, true))
        coverage.append(average_coverage(covered))
    return coverage


def measure_rates(rows: int, draws: int) -> Coverage:
    """Return the exact coverage of a judge's sensitivity.

    It is over the rows that the person calls right.
    """
    from scipy import stats

    # Of each number of right answers, the intervals by how many of them the judge calls right.
    all_ends: list[Array] = []
    for right in range(1, rows + 1):
        person = np.ones(right, dtype=bool)
        ends = []
        for hits in range(right + 1):
            judge = np.arange(right) < hits
            rate = judge_agreement.estimate_rate(person, judge, None, np.ones(right))
            if rate:
                ends.append(rate.interval)
        all_ends.append(np.array(ends))

    coverage = []
    for case in JUDGE_CASES:
        numbers_right = np.arange(1, rows + 1)
        chances_of_right = stats.binom.pmf(numbers_right, rows, case.share)
        covered = []
        for ends_of_right in all_ends:
            low, high = ends_of_right.T
            holds = (low - NEAR <= case.sensitivity) & (case.sensitivity <= high + NEAR)
            # From none to all of the right answers.
            hit_counts = np.arange(len(holds))
            chances_of_hits = stats.binom.pmf(hit_counts, hit_counts[-1], case.sensitivity)
            covered.append(chances_of_hits @ holds)
        coverage.append(float(chances_of_right @ covered / chances_of_right.sum()))
    return coverage


def measure_corrected_shares(rows: int, draws: int) -> Coverage:
    """Return the coverage of a judge's share on all rows, corrected by a person's verdicts."""
    coverage = []
    # Only every fourth case is measured.
    for case in JUDGE_CASES[::4]:
        rng = np.random.RandomState(SEED)
        person, judge = draw_judge_verdicts(rng, TABLE_ROWS, case)
        scores = judge.astype(float).tolist()
        one_stratum = [0] * TABLE_ROWS
        covered = []
        for _ in range(draws):
            read = rng.permutation(TABLE_ROWS)[:rows]
            verdicts: list[bool | None] = [None] * TABLE_ROWS
            for row in read:
                verdicts[row] = bool(person[row])
            estimate = shares.estimate_share_with_scores(verdicts, scores, one_stratum)
            covered.append(holds_truth(estimate.interval, person.mean()))
        coverage.append(average_coverage(covered))
    return coverage


def measure_areas(rows: int, draws: int) -> Coverage:
    """Return the coverage of AUROC; right and wrong answers have normal scores."""
    from scipy import stats

    coverage = []
    for share, distance in product(JUDGED_SHARES, NORMAL_DISTANCES):
        true_area = float(stats.norm.cdf(distance / 2**0.5))
        rng = np.random.RandomState(SEED)
        covered = []
        for _ in range(draws):
            right = rng.rand(rows) < share
            if right.all() or not right.any():
                continue
            scores = rng.normal(size=rows) + distance * right
            area = auroc.measure_auroc(scores, right)
            n_right = float(right.sum())
            interval = auroc.auroc_interval(area, n_right, rows - n_right)
            covered.append(holds_truth(interval, true_area))
        coverage.append(average_coverage(covered))
    return coverage


@dataclass(frozen=True)
class Kind:
    """A kind of interval.

    Attributes:
        title: its title in the table.
        row_counts: the numbers of rows with which it is measured.
        measure: the function that measures its coverage.
    """

    title: str
    row_counts: tuple[int, ...]
    measure: Measure


def make_differences_kind(systems: int) -> Kind:
    """Return the kind of all differences between `systems` systems, by their scores."""
    title = f"all differences of {systems} systems at once"
    return Kind(title, ROWS, make_differences_measure(systems))


def make_ranks_kind(systems: int) -> Kind:
    """Return the kind of the ranks of `systems` systems."""
    title = f"all ranks of {systems} systems at once"
    return Kind(title, ROWS, make_ranks_measure(systems))


def make_verdict_differences_kind(systems: int) -> Kind:
    """Return the kind of all differences between `systems` systems, by a person's verdicts."""
    title = f"all differences of {systems} systems at once by verdicts, alone and with estimates"
    return Kind(title, VERDICTS, make_verdict_differences_measure(systems))


INTERVAL_KINDS = {
    "shares": Kind("share of rows (pass rates, shares of estimates)", ROWS, measure_whole_shares),
    "means": Kind("mean of scores, also of a group", ROWS, measure_means),
    "clustered means": Kind(
        "mean or share of clusters, or of questions with several answers",
        ROWS,
        measure_clustered_means,
    ),
    "differences": Kind("difference of two systems", ROWS, measure_differences),
    "clustered differences": Kind(
        "difference of two systems, in clusters", ROWS, measure_clustered_differences
    ),
    "differences of 5": make_differences_kind(5),
    "differences of 16": make_differences_kind(16),
    "ranks of 5": make_ranks_kind(5),
    "ranks of 16": make_ranks_kind(16),
    "verdicts alone": Kind(
        "share by verdicts alone, rows drawn with unequal chances",
        VERDICTS,
        make_shares_measure(False),
    ),
    "verdicts joined": Kind(
        "share by verdicts and the estimates of all rows", VERDICTS, make_shares_measure(True)
    ),
    "corrected": Kind(
        "share by verdicts and a judge's verdicts on all rows", VERDICTS, measure_corrected_shares
    ),
    "verdict differences of 2": make_verdict_differences_kind(2),
    "verdict differences of 5": make_verdict_differences_kind(5),
    "verdict differences of 16": make_verdict_differences_kind(16),
    "rates": Kind("a judge's sensitivity or specificity", VERDICTS, measure_rates),
    "kappa": Kind("kappa", VERDICTS, measure_kappas),
    "AUROC": Kind("AUROC of a score", VERDICTS, measure_areas),
    "judge means": Kind("`judge_bias`: bias and sensitivity of a judge", ROWS, measure_judge_means),
    "pair shares": Kind("`reward_accuracy`: share of pairs", ROWS, measure_pair_shares),
}


def measure_kinds(draws: int, kinds: list[str]) -> dict[str, Any]:
    """Return the figures of some kinds of intervals; print each kind when it is measured."""
    figures_of_kinds: dict[str, Any] = {}
    for kind in kinds:
        figures: dict[str, Any] = {"draws": draws}
        for rows in INTERVAL_KINDS[kind].row_counts:
            coverage = INTERVAL_KINDS[kind].measure(rows, draws)
            mean = float(np.mean(coverage))
            figures[str(rows)] = [round(min(coverage), 3), round(mean, 3)]
        print(kind, figures, flush=True)
        figures_of_kinds[kind] = figures
    return figures_of_kinds


def format_coverage(figures: dict[str, Any]) -> str:
    """Return the table of coverage."""
    lines = []
    for name, kind in INTERVAL_KINDS.items():
        cells = []
        for rows in ROWS:
            if rows in kind.row_counts:
                lowest, mean = figures[name][str(rows)]
                cells.append(f"{lowest:.3f} ({mean:.3f})")
            else:
                cells.append("–")
        draws = figures[name]["draws"]
        title = kind.title if draws == DRAWS else f"{kind.title} ({draws} draws)"
        lines.append([title, *cells])
    heads = [f"{rows} rows" for rows in ROWS]
    return format_table(("interval", *heads), lines)


def main() -> None:
    """Measure, print and write the figures, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=DRAWS)
    parser.add_argument(
        "--kinds",
        nargs="*",
        default=list(INTERVAL_KINDS),
        choices=list(INTERVAL_KINDS),
        metavar="KIND",
    )
    parser.add_argument("--json", type=Path, default=RESULTS)
    arguments = parser.parse_args()
    for kind in arguments.kinds:
        figures = {}
        if arguments.json.exists():
            figures = json.loads(arguments.json.read_text("utf-8"))
        figures |= measure_kinds(arguments.draws, [kind])
        arguments.json.write_text(json.dumps(figures, indent=1) + "\n", "utf-8")

    figures = json.loads(arguments.json.read_text("utf-8"))
    if arguments.json == RESULTS and figures.keys() >= INTERVAL_KINDS.keys():
        table = format_coverage(figures)
        write_section(PAGE, "coverage", table, "make coverage")


if __name__ == "__main__":
    main()
