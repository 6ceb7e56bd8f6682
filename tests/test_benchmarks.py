"""`make bench`: seeded texts, equal scores told from unequal ones, and a README that has the figures of the results."""

import doctest
import gc
import json
import sys
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.benchmarks import rates, report, speed, starts, texts
from tests.benchmarks.cases import CASES, Aim, Case, Texts
from tests.benchmarks.texts import Rows
from tests.benchmarks.ways import Given, Way, original_way
from tests.support.judge_server import JudgeServer
from tests.support.project import NAMES

MADE: dict[str, Texts] = {
    "english": texts.english,
    "lines": texts.lines,
    "chinese": texts.chinese,
    "long": partial(texts.long_texts, prediction=3_000),
    "shared": texts.shared,
}
# What LV-Eval's file has, with a score that is none of its own.
STAND_IN = """
def qa_f1_score_with_gold_ans(prediction, ground_truth, gold_ans=None, **kwargs):
    return 2 / len(gold_ans)
"""


@pytest.fixture(autouse=True)
def no_time_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """Spare the collection before each measurement: half a second where all that the tests need is loaded."""
    monkeypatch.setattr(gc, "collect", lambda: 0)


@pytest.mark.parametrize("kind", MADE)
def test_texts_are_the_same_for_one_seed_and_others_for_another(kind: str) -> None:
    make = MADE[kind]
    rows = make(Random("a 1"), 10)
    assert rows == make(Random("a 1"), 10)
    assert not {*rows.predictions, *rows.references} & {*make(Random("a 2"), 10).references}
    assert len(rows.predictions) == len(rows.references) == len(rows.keywords) == 10
    assert all(rows.predictions)


def test_texts_have_the_lengths_that_they_are_named_for() -> None:
    english = texts.english(Random(1), 200).references
    assert {min(len(text.split()) for text in english), max(len(text.split()) for text in english)} <= {*range(5, 61)}
    assert {len(text.split()) for text in texts.english(Random(1), 20, 100, 100).references} == {100}
    chinese = texts.chinese(Random(1), 200)
    assert all(10 <= len(text) <= 200 for column in chinese[:2] for text in column)
    pair = texts.long_texts(Random(1), 1, 3_000, 2_000)
    assert (len(pair.predictions[0]), len(pair.references[0])) == (3_000, 2_000)
    assert len(set(texts.shared(Random(1), 50).references)) == 10


def test_each_repeat_has_rows_of_its_own() -> None:
    case = CASES["f1-en"]
    inputs = [case.inputs("f1-en", Given(scale=0.003), number) for number in range(3)]
    references = [text for rows in inputs for text in rows.references]
    assert len(set(references)) == len(references) == 27


def test_rows_of_a_file_are_taken_by_language_and_once(tmp_path: Path) -> None:
    rows = [{"prediction": f"p{i}", "reference": f"{'北京' * (i % 2)}r{i}", "keywords": None} for i in range(20)]
    file = tmp_path / "rows.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)))
    given = Given(repeats=1, data=str(file))
    for name, chinese in (("f1-en", False), ("f1-zh", True)):
        taken = [CASES[name].inputs(name, given, number).references for number in range(2)]
        assert {len(one) for one in taken} == {5}
        assert not {*taken[0]} & {*taken[1]}
        assert {"北京" in text for text in taken[0]} == {chinese}
    with pytest.raises(ValueError, match="10 rows of this language; 31 are needed"):
        CASES["f1-en"].inputs("f1-en", Given(repeats=30, data=str(file)), 0)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("not json", "line 2: 'not json' is no JSON"),
        ("[1]", "line 2: prediction and reference must be there"),
        ('{"prediction": "p"}', "line 2: prediction and reference must be there"),
        ('{"prediction": "p", "reference": "r", "keywords": ["k"]}', r"line 2: keywords is \['k'\]"),
    ],
)
def test_a_line_of_a_file_that_is_no_row_is_named(tmp_path: Path, line: str, message: str) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text('{"prediction": "p", "reference": "r"}\n' + line + "\n")
    with pytest.raises(ValueError, match=message):
        texts.from_file(str(file), "en")
    file.write_text('{"prediction": "p\u2028", "reference": "r\x85"}\n\n', "utf-8")
    assert texts.from_file(str(file), "en") == (["p\u2028"], ["r\x85"], [""])


@pytest.mark.parametrize(
    "command", [["--rows", "nan"], ["--rows", "inf"], ["--repeats", "0"], ["--data", "x"], ["--json", "x/y.json"]]
)
def test_what_cannot_be_measured_is_said_before_anything_is(
    command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        speed.main(["--only", "f1-en", *command])
    assert command[0] in capsys.readouterr().err.splitlines()[-1]


@pytest.mark.parametrize("name", CASES)
def test_every_case_finds_equal_scores(name: str) -> None:
    case = CASES[name]
    with JudgeServer() as server:
        found = case.measure(name, Given(repeats=1, scale=0.0, judge=server.url))
    assert (found["rows"], len(found["lines"])) == (5 if "shared" in name else 2, len(case.aims))
    for line, aim in zip(found["lines"], case.aims, strict=True):
        if line.get("missing") == "needs --lveval":
            continue
        assert "missing" not in line, line
        assert line["low"] <= line["value"] <= line["high"]
        assert line["ours"] > 0
        assert line.get("equal", True), line["difference"]
        assert ("equal" in line) == (aim.make is not None and aim.tolerance is not None)


def fixed(*scores: Any) -> Any:
    """Return the maker of a way with these scores."""
    return lambda given: Way(lambda rows: list(scores))


def compared(ours: Any, theirs: Any, tolerance: float = 0.0) -> dict[str, Any]:
    """Return the line of a case with these two ways."""
    rows = Rows(["p0", "p1"], ["r0", "r1"], ["", ""])
    case = Case("made up", 2, lambda numbers, count: rows, ours, (Aim("a peer", theirs, tolerance=tolerance),))
    line: dict[str, Any] = case.measure("made-up", Given(repeats=2))["lines"][0]
    return line


def test_the_last_bit_of_a_score_counts_and_its_row_is_told() -> None:
    line = compared(fixed(0.5, 0.3), fixed(0.5, 0.1 + 0.2))
    assert not line["equal"]
    assert "row 1: ours is 0.3, the peer's 0.30000000000000004; prediction 'p1', reference 'r1'" in line["difference"]
    assert report.scores(line) == "**differ**"
    assert compared(fixed(0.5, 0.3), fixed(0.5, 0.3))["equal"]


def test_a_score_over_all_rows_counts_and_a_row_that_a_peer_fails_on_does_not() -> None:
    assert compared(fixed(0.5, 0.3, 0.4), fixed(0.5, 0.3, 0.41))["difference"].startswith("over all rows ours is 0.4")
    assert compared(fixed(0.5, 0.3, 0.4), fixed(0.5, None, None))["equal"]
    assert "3 scores of ours and 2" in compared(fixed(0.5, 0.3, 0.4), fixed(0.5, 0.3))["difference"]


def test_a_tolerance_is_kept_and_told() -> None:
    assert report.scores(compared(fixed(0.5, 0.3), fixed(0.5, 0.30001), 1e-4)) == "within 0.0001"
    assert not compared(fixed(0.5, 0.3), fixed(0.5, 0.3002), 1e-4)["equal"]


def test_a_peer_that_differs_makes_the_command_fail(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(speed, "prepare", lambda folder: None)
    (tmp_path / "metrics.py").write_text(STAND_IN)
    command = ["--only", "f1-en", "--rows", "0.005", "--repeats", "1", "--lveval", str(tmp_path)]
    assert speed.main([*command, "--json", str(tmp_path / "out.json")]) == 1
    out, errors = capfd.readouterr()
    assert "f1-en: the scores differ from LV-Eval's function: row 0: ours is " in errors
    assert "**differ**" in out
    assert list(json.loads((tmp_path / "out.json").read_text())["cases"]) == ["f1-en"]


def test_a_case_that_fails_makes_the_command_fail_and_the_others_go_on(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def measure(name: str, given: Given) -> dict[str, Any]:
        if name == "f1-en":
            raise RuntimeError("it is broken")
        return {"case": name, "what": "w", "repeats": 1, "lines": []}

    monkeypatch.setattr(speed, "measure", measure)
    monkeypatch.setattr(speed, "prepare", lambda folder: None)
    assert speed.main(["--only", "f1-en", "f1-zh", "--json", str(tmp_path / "out.json")]) == 1
    assert "f1-en: it is broken" in capfd.readouterr().err
    assert list(json.loads((tmp_path / "out.json").read_text())["cases"]) == ["f1-zh"]


def test_the_original_has_no_score_where_it_divides_by_zero(tmp_path: Path) -> None:
    (tmp_path / "metrics.py").write_text(STAND_IN)
    way = original_way("qa_f1_score_with_gold_ans")(Given(lveval=str(tmp_path)))
    assert way.run(Rows(["p", "p"], ["r", "r"], ["", "four"])) == [None, 0.5]


def test_a_peer_that_is_not_there_is_told(tmp_path: Path) -> None:
    line = CASES["f1-en"].measure("f1-en", Given(repeats=1, scale=0.0))["lines"][0]
    assert report.cells({"what": "w"}, line)[3:5] == ["not measured: needs --lveval", ""]
    found = CASES["rouge"].measure("rouge", Given(repeats=1, scale=0.0, peers=()))
    assert found["lines"][0]["missing"] == "needs the package rouge_score"
    with pytest.raises(SystemExit):
        speed.main(["--lveval", str(tmp_path)])


def test_a_missed_target_is_said_and_is_no_failure() -> None:
    line = {"against": "x", "kind": "times faster", "target": 3, "value": 2.0, "low": 1.0, "high": 3.0, "ours": 1e-5}
    assert report.reached(line) is False
    assert report.cells({"what": "w"}, line)[2:5] == ["3 times faster", "2.0 times faster, missed", "1.0 – 3.0"]
    assert report.reached({**line, "value": 3.0}) is True
    assert report.reached({**line, "kind": "ms"}) is True
    assert report.reached({**line, "kind": "ms", "heavy": ["torch"]}) is False
    assert report.reached({**line, "target": None}) is None


def test_loading_every_module_is_timed_and_imports_nothing_heavy(tmp_path: Path) -> None:
    seconds, names = starts.loads(str(tmp_path))["ours"]()
    assert seconds > 0
    assert "evaluate_modules" in names
    assert not starts.HEAVY & set(names)


def test_what_is_heavy_and_imported_is_told(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / "empty.py").write_text(f"import jieba\n{starts.EMPTY}")
    _, names = starts.load_seconds(str(tmp_path), [str(tmp_path / "empty")])
    assert starts.HEAVY & set(names) == {"jieba"}


def test_starts_take_turns_and_the_first_does_not_count() -> None:
    ours, theirs = iter([9.0, 3.0, 2.0]), iter([9.0, 1.0, 2.0])
    ways: Any = {"ours": lambda: (next(ours), ["jieba"]), "theirs": lambda: (next(theirs), [])}
    found = starts.Start("w", "x", "times its time", 2, lambda folder: ways).measure("made-up", Given(repeats=2))
    line = found["lines"][0]
    assert (line["value"], line["low"], line["high"], line["heavy"]) == (2.5 / 1.5, 1.0, 3.0, ["jieba"])
    assert report.reached(line) is False
    assert report.cells(found, line)[3] == "1.67 times its time, missed (imports jieba)"


def test_a_start_ends_when_its_page_is_there(tmp_path: Path) -> None:
    _, theirs = starts.pages(str(tmp_path)).values()
    seconds, _ = theirs()
    assert seconds > 0


def test_a_page_that_does_not_come_is_told_with_its_reason(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("raise SystemExit('no page today')")
    with pytest.raises(RuntimeError, match="no page today"):
        starts.page_seconds(str(tmp_path), [sys.executable, str(tmp_path / "broken.py")], 1)


@pytest.mark.parametrize("name", NAMES)
def test_every_module_has_a_rate_for_each_kind_of_text(name: str) -> None:
    with JudgeServer() as server:
        found = rates.measure(name, Given(repeats=1, scale=0.0, judge=server.url))
    assert all(rate > 0 for rate in found["per_second"].values())
    assert set(rates.KINDS) - set(found["per_second"]) <= {"Chinese, 100 characters"}


def test_examples_in_the_report_run() -> None:
    result = doctest.testmod(report)
    assert (result.failed, result.attempted) == (0, 3)


def test_the_readme_has_the_figures_of_the_results() -> None:
    readme = speed.README.read_text("utf-8")
    assert report.with_tables(readme, speed.known(speed.RESULTS)) == readme, "make bench, or speed.py --readme"


def test_the_results_hold_every_case_and_every_module() -> None:
    results = speed.known(speed.RESULTS)
    found, wanted = ([name for name in names if "evouna" not in name] for names in (results["cases"], speed.MEASURED))
    assert (found, sorted(results["rates"])) == (wanted, NAMES)


def test_a_readme_without_a_place_for_the_tables_is_refused() -> None:
    with pytest.raises(ValueError, match="no place for 'speed'"):
        report.with_tables("# Title\n", speed.known(speed.RESULTS))


def test_what_many_rows_take_is_the_arithmetic_it_is_said_to_be() -> None:
    assert report.total({"English, 100 words": 20_000.0}) == "50 seconds"
    assert report.total({"English, 100 words": 17.27}) == "16 hours"  # 100,000,000 / (17.3 * 100) s = 16.06 h
