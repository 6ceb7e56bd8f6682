"""Intervals hold as often as the guide says: its table is that of the figures, which a few draws
confirm.
"""

import json

import pytest

from metrics.benchmarks import coverage
from metrics.benchmarks.coverage_count import DRAWS

FIGURES = json.loads(coverage.RESULTS.read_text("utf-8"))


@pytest.mark.parametrize("kind", list(coverage.KINDS))
def test_every_interval_holds_often_enough(kind: str) -> None:
    found = FIGURES[kind]
    # Fewer draws than 2,000 are off by more: twice the standard error is allowed.
    off = 0.0 if found["draws"] == DRAWS else 2 * (0.05 * 0.95 / found["draws"]) ** 0.5
    for rows in coverage.KINDS[kind].row_counts:
        lowest, mean = found[str(rows)]
        assert 0.93 - off <= lowest <= mean <= 1


def test_the_guide_has_these_figures() -> None:
    assert coverage.format_figures(FIGURES) in coverage.PAGE.read_text("utf-8")


@pytest.mark.parametrize("kind", ["shares", "rates", "pair shares"])
def test_what_is_counted_in_full_is_as_written(kind: str) -> None:
    for rows in (20, 50):
        found = coverage.measure_kinds(1, [kind])[kind][str(rows)]
        assert found == FIGURES[kind][str(rows)]


def test_a_few_draws_are_near_the_figures() -> None:
    """Of 200 draws the mean over all cases moves by about 0.005."""
    found = coverage.measure_means(20, 200)
    assert sum(found) / len(found) == pytest.approx(FIGURES["means"]["20"][1], abs=0.02)
