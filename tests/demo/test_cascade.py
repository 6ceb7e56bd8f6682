"""A judge is asked only about rows on which the estimate is unsure (--judge-rows unsure)."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from lens.scoring.cascade import Thresholds
from lens.scoring.row_scores import RowResult

from tests.demo.command_runs import (
    Command,
    Rows,
    judge_options,
    read_jsonl,
    read_sections,
    write_jsonl,
)
from tests.support.judge_server import JudgeServer, Reply, Request, make_error
from tests.support.judges import FAIL, PASS

# The estimate is sure of the first two rows. Its value for the paraphrase is no probability.
CERTAIN_RIGHT = {
    "id": 1,
    "question": "What is the capital of France?",
    "reference": "Paris",
    "prediction": "Paris.",
}
CERTAIN_WRONG = CERTAIN_RIGHT | {"id": 2, "prediction": "Rome"}
PARAPHRASE: dict[str, Any] = {
    "id": 3,
    "question": "Why did the bridge fall?",
    "reference": "The cables had rusted through because nobody painted them for decades.",
    "prediction": "Lack of maintenance let corrosion eat the steel that held it up.",
}
WITHOUT_REFERENCE = {
    "id": 4,
    "question": "Who wrote it?",
    "reference": "",
    "prediction": "Austen",
}
ROWS = [CERTAIN_RIGHT, CERTAIN_WRONG, PARAPHRASE, WITHOUT_REFERENCE]


def pass_all(request: Request, number: int) -> Reply:
    """Return a reply that passes every answer."""
    return PASS


@dataclass(frozen=True)
class CascadeRun:
    """A run of the command: its exit code, output and files, and the prompts that the judge got."""

    code: int
    out: str
    err: str
    sections: Any
    rows: Rows
    prompts: list[str]
    port: int


def run_cascade(
    score: Command,
    folder: Path,
    reply: Any,
    *arguments: Any,
    rows: Any = ROWS,
    port: int = 0,
) -> CascadeRun:
    """Run the command with a judge on loopback.

    Args:
        score: the command.
        folder: the folder for all files.
        reply: the judge's reply, or a function that returns it.
        arguments: more arguments of the command.
        rows: the rows to score.
        port: the judge's port; 0 for any. The cache knows replies only of the same address.
    """
    source = write_jsonl(folder / "answers.jsonl", rows)
    report = folder / "report.json"
    out = folder / "scored.jsonl"
    metrics = ["--metrics", "eve_judge", "--judge-rows", "unsure"]
    files = ["--report", report, "--out", out, "--overwrite"]
    with JudgeServer(reply, port) as server:
        judge = judge_options(server, folder / "cache.sqlite")
        ran = score(source, *metrics, *files, *judge, *arguments)
    return CascadeRun(
        code=ran.code,
        out=ran.out,
        err=ran.err,
        sections=read_sections(report) if report.exists() else {},
        rows=read_jsonl(out) if out.exists() else [],
        prompts=[request.prompt for request in server.requests],
        port=server.port,
    )


@pytest.fixture(autouse=True)
def judge_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set the judge's key in the environment."""
    monkeypatch.setenv("MY_KEY", "sk-something-long")


@pytest.mark.parametrize(
    ("value", "interpretation", "expected"),
    [
        pytest.param(0.95, "probability", 1.0, id="sure that it is right"),
        pytest.param(0.05, "probability", 0.0, id="sure that it is wrong"),
        pytest.param(0.9, "probability", None, id="on the threshold"),
        pytest.param(0.5, "probability", None, id="unsure"),
        pytest.param(0.99, "ranking", None, id="no probability"),
        pytest.param(None, "", None, id="no estimate"),
    ],
)
def test_the_estimate_settles_rows_beyond_the_thresholds(
    value: float | None, interpretation: str, expected: float | None
) -> None:
    assert Thresholds().settle(RowResult((value,), interpretation=interpretation)) == expected


def test_the_judge_is_asked_only_about_rows_on_which_the_estimate_is_unsure(
    score: Command, tmp_path: Path
) -> None:
    run = run_cascade(score, tmp_path, pass_all)
    assert run.code == 0, run.err
    assert len(run.prompts) == 1
    assert PARAPHRASE["prediction"] in run.prompts[0]
    assert [row["cascade"] for row in run.rows] == [1.0, 0.0, 1.0, None]
    assert [row["eve_judge"] for row in run.rows] == [None, None, 1.0, None]
    reasons = [row["eve_judge_reason"] for row in run.rows]
    assert reasons == ["settled", "settled", None, "no_reference"]
    (row,) = run.sections["cascade"]["rows"]
    for name in ("settled_right", "settled_wrong", "judged", "undecided"):
        assert row[name] == 1, name


def test_the_cost_of_all_rows_is_the_cost_of_asked_rows_and_that_of_settled_rows(
    score: Command, tmp_path: Path
) -> None:
    model = ("--provider", "openai", "--model", "gpt-5-mini")
    run = run_cascade(score, tmp_path, pass_all, *model)
    assert run.code == 0, run.err
    (row,) = run.sections["cascade"]["rows"]
    # metrics/shared/judge_costs.py: 0.25 dollars for a million tokens of input, 2 for output. The
    # server's replies report 120 and 10 tokens.
    assert row["cost"] == pytest.approx((120 * 0.25 + 10 * 2.0) / 1e6)
    assert row["cost_of_all"] == pytest.approx(row["cost"] + row["saved"])
    assert row["saved"] > row["cost"]


def test_rows_on_which_the_judge_failed_have_no_verdict_and_are_asked_again_in_a_second_run(
    score: Command, tmp_path: Path
) -> None:
    second = PARAPHRASE | {
        "id": 5,
        "prediction": "Rust weakened it, for nobody cared for the paint.",
    }
    rows = [*ROWS, second]

    def fail_second(request: Request, number: int) -> Reply:
        if str(second["prediction"]) in request.prompt:
            return make_error(401, "no such key", code="invalid_api_key")
        return PASS

    one_at_a_time = ("--set", "eve_judge.max_concurrency=1")
    run = run_cascade(score, tmp_path, fail_second, *one_at_a_time, rows=rows)
    assert run.code == 1
    (row,) = run.sections["cascade"]["rows"]
    assert row["judged"] == 1
    assert row["undecided"] == 2
    again = run_cascade(score, tmp_path, FAIL, *one_at_a_time, rows=rows, port=run.port)
    assert again.code == 0, again.err
    assert len(again.prompts) == 1, "the first run's verdict is in the cache"
    assert [row["cascade"] for row in again.rows] == [1.0, 0.0, 1.0, None, 0.0]


def test_the_judge_gets_no_request_if_the_estimate_settles_all_rows(
    score: Command, tmp_path: Path
) -> None:
    run = run_cascade(score, tmp_path, pass_all, rows=[CERTAIN_RIGHT, CERTAIN_WRONG])
    assert run.code == 0, run.err
    assert run.prompts == []
    assert "The estimate settled all rows" in " ".join(run.out.split())


def test_a_dry_run_counts_only_requests_for_unsure_rows(score: Command, tmp_path: Path) -> None:
    run = run_cascade(score, tmp_path, pass_all, "--dry-run")
    assert run.code == 0, run.err
    assert run.prompts == []
    assert "correctness_estimate settles 2 of 4 rows of answers.jsonl." in run.out
    assert "eve_judge, answers.jsonl: 1 calls" in run.out


def test_a_dry_run_says_if_no_row_is_left_for_the_judge(score: Command, tmp_path: Path) -> None:
    rows = [CERTAIN_RIGHT, CERTAIN_WRONG]
    run = run_cascade(score, tmp_path, pass_all, "--dry-run", rows=rows)
    assert run.code == 0, run.err
    assert "correctness_estimate settles 2 of 2 rows of answers.jsonl." in run.out
    assert "eve_judge, answers.jsonl: 0 calls. Nothing was sent." in run.out


def test_the_verdict_of_estimate_and_judge_can_stand_in_for_a_persons(
    score: Command, tmp_path: Path
) -> None:
    rows = []
    for number in range(60):
        row = dict([CERTAIN_RIGHT, CERTAIN_WRONG][number % 2], id=number)
        verdict = ["right", "wrong"][number % 2] if number < 30 else ""
        rows.append(row | {"human": verdict, "question": f"{row['question']} ({number})"})
    run = run_cascade(score, tmp_path, pass_all, "--stand-in", "cascade", rows=rows)
    assert run.code == 0, run.err
    shares = run.sections["verdict_shares"]["rows"]
    joined = [row for row in shares if row["source"] == "joined"]
    assert [row["stand_in"] for row in joined] == ["Estimate, then judge"]


def test_no_figure_presents_the_judges_mean_on_unsure_rows_as_that_of_all_answers(
    score: Command, tmp_path: Path
) -> None:
    """The judge passes the only answer that it is asked about. No table shows 100% for it."""
    rows = []
    for number in range(40):
        row = dict([CERTAIN_RIGHT, CERTAIN_WRONG][number % 2], id=number)
        rows.append(row | {"human": ["right", "wrong"][number % 2]})
    rows.append(PARAPHRASE | {"id": 40, "human": "right"})
    run = run_cascade(score, tmp_path, pass_all, rows=rows)
    assert run.code == 0, run.err
    sections = run.sections
    metrics = [row["metric"] for row in sections["scores"]["rows"]]
    assert metrics == ["cascade", "correctness_estimate"]
    assert sections["scores"]["rows"][0]["mean"] == pytest.approx(21 / 41)
    (cascade,) = sections["cascade"]["rows"]
    assert cascade["judged"] == 1
    assert cascade["judge_mean"] == 1.0
    # All 41 verdicts agree, so Cohen's kappa is 1.
    (kappa,) = [row for row in sections["judges"]["rows"] if row["figure"] == "kappa"]
    assert kappa["judge"] == "Estimate, then judge"
    assert kappa["value"] == 1.0
    assert kappa["rows"] == 41


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(
            ["--metrics", "rouge", "--judge-rows", "unsure"], "asks one judge", id="no judge"
        ),
        pytest.param(
            ["--metrics", "eve_judge", "l3score", "--judge-rows", "unsure"],
            "asks one judge",
            id="two judges",
        ),
        pytest.param(
            ["--metrics", "eve_judge", "--judge-rows", "unsure", "--unsure", "0.9", "0.1"],
            "takes the lower number first",
            id="thresholds the wrong way round",
        ),
        pytest.param(
            ["--metrics", "eve_judge", "--judge-rows", "unsure", "--unsure", "0.1", "1.5"],
            "a number from 0 to 1",
            id="a threshold that is no probability",
        ),
        pytest.param(
            ["--metrics", "eve_judge", "--unsure", "0.1", "0.9"],
            "goes with --judge-rows",
            id="no cascade",
        ),
        pytest.param(["--metrics", "cascade"], "there is no “cascade”", id="no metric by itself"),
    ],
)
def test_options_that_do_not_go_together_are_refused(
    score: Command,
    tmp_path: Path,
    arguments: list[str],
    message: str,
) -> None:
    ran = score(write_jsonl(tmp_path / "answers.jsonl", ROWS), *arguments, "--model", "m")
    assert ran.code == 2
    assert message in ran.err
