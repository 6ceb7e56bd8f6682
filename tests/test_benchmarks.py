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

# A stand-in for LV-Eval's file: the first score differs in the last bit, the second does not.
STAND_IN = """
import math
from metrics.lv_eval_f1.scoring import score

def qa_f1_score_with_gold_ans(*row):
    return math.nextafter(score(*row, language="en"), 2)

def qa_f1_zh_score_with_gold_ans(*row):
    return score(*row, language="zh")
"""


# Loading and the demo are tested elsewhere.
@pytest.mark.parametrize(
    "name", [name for name in speed.EVERYTHING if name not in ("demo", "load")]
)
def test_each_case_is_timed_and_has_equal_scores(name: str) -> None:
    if name in CASES and CASES[name].texts is texts.load_evouna and not texts.EVOUNA.exists():
        pytest.skip("EVOUNA is not on this machine")
    with JudgeServer() as server:
        found = speed.measure_one(name, {"judge": server.url}, 2, 1)
    # With two rows it is chance which of two implementations is faster.
    compared = {"value", "low", "high"}
    assert min(found[key] for key in found.keys() - compared) > 0, (
        "a time is 0, or the scores differ"
    )


def test_an_implementation_with_other_scores_is_marked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "metrics.py").write_text(STAND_IN)
    monkeypatch.setattr(ways, "SETTINGS", {"lveval": str(tmp_path)})
    shown = {
        name: report.format_case(CASES[name], speed.measure_one(name, {}, 20, 1))[-1]
        for name in ("f1-en", "f1-zh")
    }
    assert shown == {"f1-en": "**differ**", "f1-zh": "equal"}


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
    ("name", "found", "reached"),
    [
        ("f1-en", {}, "not measured: needs --lveval"),
        ("f1-en", {"value": 3.0}, "3.0 times faster"),
        ("f1-en", {"value": 2.9}, "2.9 times faster, missed"),
        ("load", {"value": 99.9}, "99.9 ms"),
        ("load", {"value": 101.4}, "101 ms, missed"),
    ],
)
def test_a_missed_target_is_marked(name: str, found: dict[str, Any], reached: str) -> None:
    assert (
        report.format_case(CASES[name], {"ours": 1.0, "low": 0.0, "high": 0.0, **found})[3]
        == reached
    )
    assert doctest.testmod(report).failed == 0
