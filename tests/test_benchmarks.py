"""`make bench`: seeded texts, equal scores told from unequal ones, and a README that has the figures of the results."""

import doctest
import gc
import json
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.benchmarks import rates, report, speed, texts
from tests.benchmarks.cases import CASES
from tests.benchmarks.measuring import Case, Given, Way
from tests.benchmarks.texts import Rows
from tests.benchmarks.ways import original
from tests.support.judge_server import JudgeServer
from tests.support.project import NAMES

# What LV-Eval's file has, with a score that is none of its own.
STAND_IN = """
def qa_f1_score_with_gold_ans(prediction, ground_truth, gold_ans=None, **kwargs):
    return 2 / len(gold_ans)
"""


@pytest.fixture(autouse=True)
def no_time_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """Spare the collection before each measurement: half a second where all that the tests need is loaded."""
    monkeypatch.setattr(gc, "collect", lambda: 0)


LONG = partial(texts.long_texts, prediction=3_000, reference=2_000)


@pytest.mark.parametrize("make", [texts.english, texts.lines, texts.chinese, LONG, texts.shared])
def test_texts_are_the_same_for_one_seed_and_others_for_another(make: texts.Texts) -> None:
    rows = make(Random("a 1"), 10)
    assert rows == make(Random("a 1"), 10)
    assert not {*rows.predictions, *rows.references} & {*make(Random("a 2"), 10).references}
    assert len(set(rows.references)) == (2 if make is texts.shared else 10)
    assert make is not LONG or {*map(len, rows.references)} == {2_000}


# Loading, the demo and a browser have tests of their own.
@pytest.mark.parametrize("name", [name for name in CASES if name not in ("files", "demo", "load")])
def test_every_case_finds_equal_scores(name: str) -> None:
    case = CASES[name]
    with JudgeServer() as server:
        found = case.measure(name, Given(repeats=1, scale=0.0, judge=server.url))
    assert found["ours"] > 0
    if found.get("missing") != "needs --lveval":
        assert found["low"] <= found["value"] <= found["high"]
        assert not found.get("difference"), found["difference"]


@pytest.mark.parametrize(
    ("ours", "theirs", "tolerance", "said"),
    [
        ([0.5, 0.3], [0.5, 0.1 + 0.2], 0.0, "ours is 0.3, the peer's 0.30000000000000004, of ['p1', 'r1', '']"),
        ([0.5, 0.3, 0.4], [0.5, 0.3, 0.41], 0.0, "ours is 0.4, the peer's 0.41, of 'all rows'"),
        ([0.5, 0.3, 0.4], [0.5, None, None], 0.0, ""),
        ([0.5, 0.3], [None, None], 0.0, "the peer has no score for any row"),
        ([0.5, 0.3, 0.4], [0.5, 0.3], 0.0, "3 scores of ours and 2 of the peer's"),
        ([0.5, 0.3], [0.5, 0.30001], 1e-4, ""),
        ([0.5, 0.3], [0.5, 0.3002], 1e-4, "ours is 0.3"),
    ],
)
def test_the_last_bit_of_a_score_counts(ours: list[Any], theirs: list[Any], tolerance: float, said: str) -> None:
    rows = Rows(["p0", "p1"], ["r0", "r1"], ["", ""])
    ways = (lambda given, scores=scores: Way(lambda rows: list(scores)) for scores in (ours, theirs))
    case = Case("made up", 2, lambda numbers, count: rows, next(ways), "a peer", next(ways), tolerance=tolerance)
    found = case.measure("x", Given(2))
    assert found["difference"].startswith(said)
    assert bool(found["difference"]) == bool(said)
    assert report.cells(found)[-1] == ("**differ**" if said else "within 0.0001" if tolerance else "equal")


def test_a_peer_that_differs_makes_the_command_fail_and_the_others_go_on(
    tmp_path: Path, capfd: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def measure(name: str, given: Given) -> dict[str, Any]:
        if name == "f1-zh":
            raise OSError("it is broken")
        return CASES[name].measure(name, given)

    monkeypatch.setattr(speed, "measure", measure)
    monkeypatch.setattr(speed, "prepare", lambda folder: None)
    (tmp_path / "metrics.py").write_text(STAND_IN)
    command = ["--only", "f1-zh", "f1-en", "--rows", "0.005", "--repeats", "1", "--lveval", str(tmp_path)]
    assert speed.main([*command, "--json", str(tmp_path / "out.json")]) == 1
    printed, errors = capfd.readouterr()
    assert "f1-zh: OSError: it is broken" in errors
    assert "f1-en: the scores differ: ours is " in errors
    assert "**differ**" in printed
    assert list(json.loads((tmp_path / "out.json").read_text())["cases"]) == ["f1-en"]
    way = original("qa_f1_score_with_gold_ans")(Given(lveval=str(tmp_path)))
    assert way
    assert way.run(Rows(["p", "p"], ["r", "r"], ["", "four"])) == [None, 0.5], "it divides by zero in the first"


@pytest.mark.parametrize("name", NAMES)
def test_every_module_has_a_rate_for_each_kind_of_text(name: str) -> None:
    with JudgeServer() as server:
        found = rates.measure(name, Given(repeats=1, scale=0.0, judge=server.url))
    assert all(rate > 0 for rate in found["per_second"].values())
    assert set(rates.KINDS) - set(found["per_second"]) <= {"Chinese, 100 characters"}


def test_the_readme_has_the_figures_of_the_results() -> None:
    readme, results = speed.README.read_text("utf-8"), speed.known(speed.RESULTS)
    assert report.with_tables(readme, results) == readme, "make bench, or speed.py --readme"
    assert {*results["cases"]} <= {*CASES, *(name for name in results["cases"] if name.startswith("evouna"))}
    assert sorted(results["rates"]) == NAMES


def test_the_arithmetic_of_the_report() -> None:
    assert doctest.testmod(report).failed == 0
    assert report.total({"English, 100 words": 17.27}) == "16 hours"  # 100,000,000 / (17.3 * 100) s = 16.06 h
    case = {"what": "w", "against": "x", "kind": "times faster", "target": 3, "ours": 1e-5}
    assert report.cells(case | {"missing": "needs it"})[3] == "not measured: needs it"
    reached = [report.missed(case | more) for more in ({"value": 3.0}, {"value": 2.9}, {"kind": "ms", "value": 3.1})]
    assert reached == [False, True, True]
