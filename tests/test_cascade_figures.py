"""The figures of `make cascade`: the table in metrics/README.md, and a case computed by hand."""

import json

import numpy as np
import pytest

from metrics.benchmarks import cascade

FIGURES = json.loads(cascade.RESULTS.read_text("utf-8"))


def test_the_guide_shows_the_stored_figures() -> None:
    assert cascade.format_figures(FIGURES) in cascade.PAGE.read_text("utf-8")


@pytest.mark.parametrize("judge", FIGURES["judges"], ids=lambda judge: str(judge["accuracy"]))
def test_intervals_hold_and_are_no_wider_with_any_judge(judge: dict[str, float]) -> None:
    assert judge["holds"] >= 0.94
    assert judge["width_joined"] <= judge["width_alone"]


def test_the_figures_of_a_small_case_equal_plain_arithmetic(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cascade, "DRAWS", 20)
    stream = np.random.RandomState(3)
    right = (stream.rand(400) < 0.7).astype(float)
    settled = np.where(stream.rand(400) < 0.5, right, np.nan)
    system = ["one"] * 200 + ["other"] * 200
    found = cascade.measure_accuracy(right, settled, system, 0.8)
    judge = cascade.simulate_judge(right, 0.8)
    asked = [place for place in range(400) if np.isnan(settled[place])]
    wrong = sum(judge[place] != right[place] for place in asked)
    assert found["cascade_accuracy"] == pytest.approx(1 - wrong / 400)
    errors = []
    for rows in (range(200), range(200, 400)):
        verdicts = [judge[place] if np.isnan(settled[place]) else right[place] for place in rows]
        errors.append(abs(sum(verdicts) - sum(right[place] for place in rows)) / 200)
    assert found["cascade_error"] == pytest.approx(sum(errors) / 2)
