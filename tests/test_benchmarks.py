"""`make bench`: it detects scores that differ, and the README shows its results."""

import doctest
import json
from pathlib import Path
from typing import Any

import pytest

from metrics.benchmarks import report, speed, texts, ways
from metrics.benchmarks.cases import CASES
from tests.support.judge_server import JudgeServer
from tests.support.project import NAMES

# A stand-in for metrics.py of LV-Eval: the first score differs from ours in the last bit, and the
# second is equal.
STAND_IN = """
import math
from metrics.lv_eval_f1.scoring import score

def qa_f1_score_with_gold_ans(*row):
    return math.nextafter(score(*row, language="en"), 2)

def qa_f1_zh_score_with_gold_ans(*row):
    return score(*row, language="zh")
"""


# The speed of loading and of the demo is tested elsewhere.
MEASURED = [name for name in speed.EVERYTHING if name not in ("demo", "load")]


@pytest.mark.parametrize("name", MEASURED)
def test_each_case_is_timed_and_has_equal_scores(name: str) -> None:
    needs_evouna = name in CASES and CASES[name].make_rows is texts.load_evouna
    if needs_evouna and not texts.EVOUNA.exists():
        pytest.skip("EVOUNA is not on this machine")
    with JudgeServer() as server:
        figures = speed.measure_one(name, {"judge": server.url}, rows=2, repeats=1)
    # With two rows it is chance which of two implementations is faster.
    times_and_equality = figures.keys() - {"value", "low", "high"}
    smallest = min(figures[key] for key in times_and_equality)
    assert smallest > 0, "a time is 0, or the scores differ"


def test_an_implementation_with_other_scores_is_marked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "metrics.py").write_text(STAND_IN)
    monkeypatch.setattr(ways, "SETTINGS", {"lveval": str(tmp_path)})
    words = {}
    for name in ("f1-en", "f1-zh"):
        figures = speed.measure_one(name, {}, rows=20, repeats=1)
        row = report.format_case(CASES[name], figures)
        words[name] = row[report.TITLES.index("scores")]
    assert words == {"f1-en": "**differ**", "f1-zh": "equal"}


def test_the_readme_shows_the_stored_results() -> None:
    readme = speed.README.read_text("utf-8")
    results = json.loads(speed.RESULTS.read_text("utf-8"))
    assert report.fill_tables(readme, results) == readme, (
        "make bench, or python -m metrics.benchmarks.speed --only"
    )
    assert sorted(results["rates"]) == NAMES, (
        "python -m metrics.benchmarks.speed --only rate-<name>"
    )


@pytest.mark.parametrize(
    ("name", "figures", "reached"),
    [
        ("f1-en", {}, "not measured: needs --lveval"),
        ("f1-en", {"value": 3.0}, "3.0 times faster"),
        ("f1-en", {"value": 2.9}, "2.9 times faster, missed"),
        ("load", {"value": 99.9}, "99.9 ms"),
        ("load", {"value": 101.4}, "101 ms, missed"),
    ],
)
def test_a_missed_target_is_marked(name: str, figures: dict[str, Any], reached: str) -> None:
    row = report.format_case(CASES[name], {"ours": 1.0, "low": 0.0, "high": 0.0, **figures})
    assert row[report.TITLES.index("reached")] == reached


def test_the_examples_in_docstrings_of_the_report_run() -> None:
    assert doctest.testmod(report).failed == 0
