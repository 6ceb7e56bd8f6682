"""Test the figures of `make coverage`: how often intervals hold.

The stored figures are high enough, the guide shows them, and a few draws are near them.
"""

import json
from statistics import fmean

import numpy as np
import pytest

from metrics.benchmarks import coverage, coverage_cases
from metrics.benchmarks.coverage_cases import Systems, Table
from metrics.benchmarks.coverage_count import DRAWS

FIGURES = json.loads(coverage.RESULTS.read_text("utf-8"))
# Intervals are meant to hold in 95% of the draws. In no case may it be less than this.
LEAST_COVERAGE = 0.93


@pytest.mark.parametrize("kind", list(coverage.INTERVAL_KINDS))
def test_every_interval_holds_often_enough(kind: str) -> None:
    figures = FIGURES[kind]
    draws = figures["draws"]
    tolerance = 0.0
    if draws < DRAWS:
        standard_error = (0.05 * 0.95 / draws) ** 0.5
        tolerance = 2 * standard_error
    for rows in coverage.INTERVAL_KINDS[kind].row_counts:
        lowest, mean = figures[str(rows)]
        assert LEAST_COVERAGE - tolerance <= lowest
        assert lowest <= mean <= 1


def test_the_guide_shows_the_stored_figures() -> None:
    page = coverage.PAGE.read_text("utf-8")
    assert coverage.format_coverage(FIGURES) in page


@pytest.mark.parametrize("kind", ["shares", "rates", "pair shares"])
def test_coverage_that_is_computed_exactly_equals_the_stored_figures(kind: str) -> None:
    figures_by_kind = coverage.measure_kinds(1, [kind])
    figures = figures_by_kind[kind]
    stored_figures = FIGURES[kind]
    for rows in ("20", "50"):
        assert figures[rows] == stored_figures[rows]


def test_a_simulation_of_200_draws_is_near_the_stored_figures() -> None:
    """The mean over all cases has a standard error of about 0.005, so 0.02 is four of them."""
    coverage_of_each_case = coverage.measure_means(rows=20, draws=200)
    _lowest, stored_mean = FIGURES["means"]["20"]
    mean = fmean(coverage_of_each_case)
    assert mean == pytest.approx(stored_mean, abs=0.02)


def test_scores_and_clusters_have_their_true_means() -> None:
    """A mean of 40,000 rows has a standard error of at most 0.5 / 200 = 0.0025."""
    rng = np.random.RandomState(0)
    for case in coverage_cases.SCORES:
        scores = case.draw(rng, 40_000)
        assert scores.mean() == pytest.approx(case.mean, abs=0.01), case.name
    for clusters in coverage_cases.CLUSTERS:
        scores, _cluster_of_row = clusters.draw(rng, 40_000)
        assert scores.mean() == pytest.approx(clusters.mean, abs=0.01), clusters.name


@pytest.mark.parametrize("systems", coverage_cases.SYSTEMS, ids=lambda case: case.name)
def test_systems_have_their_true_means(systems: Systems) -> None:
    rng = np.random.RandomState(0)
    scores = systems.draw(rng, 4, 40_000)
    true_means = systems.list_means(4)
    assert scores.mean(axis=1) == pytest.approx(true_means, abs=0.01)


def test_the_first_system_of_a_table_has_its_share_and_later_ones_have_more() -> None:
    table = Table.make("", share=0.5, quality=0.0, systems=16)
    shares = table.right.mean(axis=1)
    # 600 rows: a standard error of 0.02.
    assert shares[0] == pytest.approx(0.5, abs=0.06)
    groups_of_four_systems = shares.reshape(4, 4)
    means = groups_of_four_systems.mean(axis=1)
    assert all(np.diff(means) > 0)
    assert round(shares[-1], 2) == 0.79
