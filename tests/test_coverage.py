"""`make coverage`: how often intervals hold, in the guide, in the figures and in a few draws."""

import json

import pytest

from metrics.benchmarks import coverage
from metrics.benchmarks.coverage_count import DRAWS

FIGURES = json.loads(coverage.RESULTS.read_text("utf-8"))


@pytest.mark.parametrize("kind", list(coverage.KINDS))
def test_every_interval_holds_often_enough(kind: str) -> None:
    found = FIGURES[kind]
    # With fewer draws than the usual 2,000, twice the standard error is allowed.
    tolerance = 0.0 if found["draws"] == DRAWS else 2 * (0.05 * 0.95 / found["draws"]) ** 0.5
    for rows in coverage.KINDS[kind].row_counts:
        lowest, mean = found[str(rows)]
        assert 0.93 - tolerance <= lowest <= mean <= 1


def test_the_guide_shows_the_stored_figures() -> None:
    assert coverage.format_figures(FIGURES) in coverage.PAGE.read_text("utf-8")


@pytest.mark.parametrize("kind", ["shares", "rates", "pair shares"])
def test_coverage_that_is_computed_exactly_equals_the_stored_figures(kind: str) -> None:
    for rows in (20, 50):
        found = coverage.measure_kinds(1, [kind])[kind][str(rows)]
        assert found == FIGURES[kind][str(rows)]


def test_a_simulation_of_200_draws_is_near_the_stored_figures() -> None:
    """The mean over all cases has a standard error of about 0.005, so 0.02 is four of them."""
    found = coverage.measure_means(20, 200)
    assert sum(found) / len(found) == pytest.approx(FIGURES["means"]["20"][1], abs=0.02)
