"""Test the figures of `make cascade`: the table in metrics/README.md, and a small case.

The figures of the small case are computed by plain arithmetic.
"""

import json

import numpy as np
import pytest

from metrics.benchmarks import cascade

FIGURES = json.loads(cascade.RESULTS.read_text("utf-8"))


def test_the_guide_shows_the_stored_figures() -> None:
    page = cascade.PAGE.read_text("utf-8")
    assert cascade.format_cascade(FIGURES) in page


@pytest.mark.parametrize("judge", FIGURES["judges"], ids=lambda judge: str(judge["accuracy"]))
def test_intervals_hold_and_are_no_wider_with_any_judge(judge: dict[str, float]) -> None:
    assert judge["holds"] >= 0.94
    assert judge["width_joined"] <= judge["width_alone"]


def test_the_figures_of_a_small_case_equal_plain_arithmetic(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Two systems of 200 answers; the estimate settles half of them, all rightly."""
    monkeypatch.setattr(cascade, "DRAWS", 20)
    rng = np.random.RandomState(3)
    right = (rng.rand(400) < 0.7).astype(float)
    is_settled = rng.rand(400) < 0.5
    settled = np.where(is_settled, right, np.nan)
    systems = ["ours"] * 200 + ["theirs"] * 200
    figures = cascade.measure_accuracy(right, settled, systems, accuracy=0.8)

    judge = cascade.simulate_judge(right, accuracy=0.8)
    mistakes = 0
    # For each system: its wrong answers that the judge calls right, minus its right answers that
    # the judge calls wrong.
    surplus = {"ours": 0.0, "theirs": 0.0}
    for row, system in enumerate(systems):
        if not is_settled[row]:
            mistakes += judge[row] != right[row]
            surplus[system] += judge[row] - right[row]
    accuracy = 1 - mistakes / 400
    assert figures["cascade_accuracy"] == pytest.approx(accuracy)
    # The error of a system's share of right answers.
    our_error = abs(surplus["ours"]) / 200
    their_error = abs(surplus["theirs"]) / 200
    mean_error = (our_error + their_error) / 2
    assert figures["cascade_error"] == pytest.approx(mean_error)
