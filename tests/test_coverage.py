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


@pytest.mark.parametrize("kind", list(coverage.INTERVAL_KINDS))
def test_every_interval_holds_often_enough(kind: str) -> None:
    figures = FIGURES[kind]
    draws = figures["draws"]
    # With fewer draws than the usual 2,000, twice the standard error is allowed.
    standard_error = (0.05 * 0.95 / draws) ** 0.5
    least = 0.93 if draws == DRAWS else 0.93 - 2 * standard_error
    for rows in coverage.INTERVAL_KINDS[kind].row_counts:
        lowest, mean = figures[str(rows)]
        assert least <= lowest <= mean <= 1


def test_the_guide_shows_the_stored_figures() -> None:
    assert coverage.format_coverage(FIGURES) in coverage.PAGE.read_text("utf-8")


@pytest.mark.parametrize("kind", ["shares", "rates", "pair shares"])
def test_coverage_that_is_computed_exactly_equals_the_stored_figures(kind: str) -> None:
    for rows in (20, 50):
        figures = coverage.measure_kinds(1, [kind])
        assert figures[kind][str(rows)] == FIGURES[kind][str(rows)]


def test_a_simulation_of_200_draws_is_near_the_stored_figures() -> None:
    """The mean over all cases has a standard error of about 0.005, so 0.02 is four of them."""
    coverage_of_cases = coverage.measure_means(20, 200)
    _lowest, stored_mean = FIGURES["means"]["20"]
    assert fmean(coverage_of_cases) == pytest.approx(stored_mean, abs=0.02)


def test_scores_and_clusters_have_their_true_means() -> None:
    """A mean of 40,000 rows has a standard error of at most 0.5 / 200 = 0.0025."""
    rng = np.random.RandomState(0)
    for case in coverage_cases.SCORES:
        assert case.draw(rng, 40_000).mean() == pytest.approx(case.mean, abs=0.01), case.name
    for clusters in coverage_cases.CLUSTERS:
        scores, _ = clusters.draw(rng, 40_000)
        assert scores.mean() == pytest.approx(clusters.mean, abs=0.01), clusters.name


@pytest.mark.parametrize("systems", coverage_cases.SYSTEMS, ids=lambda case: case.name)
def test_systems_have_their_true_means(systems: Systems) -> None:
    rng = np.random.RandomState(0)
    means = systems.draw(rng, 4, 40_000).mean(axis=1)
    assert means == pytest.approx(systems.list_means(4), abs=0.01)


def test_the_first_system_of_a_table_has_its_share_and_later_ones_have_more() -> None:
    shares = Table.make("", 0.5, 0.0, systems=16).right.mean(axis=1)
    # 600 rows: a standard error of 0.02.
    assert shares[0] == pytest.approx(0.5, abs=0.06)
    assert shares[:4].mean() < shares[4:8].mean() < shares[8:12].mean() < shares[12:].mean()
    assert round(shares[-1], 2) == 0.79
