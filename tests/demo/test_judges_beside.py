"""Judges compared with a person, scores that stand in for verdicts, and recalibrated estimates."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from lens.tables.roles import guess_roles
from sklearn import metrics as sklearn_metrics

from tests.demo.command_runs import Command, Rows, read_jsonl, read_sections, write_jsonl
from tests.demo.judged_samples import ESTIMATE, is_disputed, make_judged_rows, select_read
from tests.demo.system_samples import select_rows


def read_run(score: Command, folder: Path, *arguments: Any, code: int = 0) -> dict[str, Any]:
    """Return the sections of a run's report by id, and its messages as "messages"."""
    report = folder / "report.json"
    ran = score(*arguments, "--report", report, "--overwrite")
    assert ran.code == code, ran.err
    sections: dict[str, Any] = {"messages": ran.err}
    if code == 0:
        sections |= read_sections(report)
    return sections


def select_figures(sections: dict[str, Any], **cells: str) -> dict[str, Any]:
    """Return a judge's rows of the table of judges, by the name of the figure."""
    rows = select_rows(sections["judges"]["rows"], **cells)
    return {row["figure"]: row for row in rows}


# Columns


@pytest.mark.parametrize(
    ("names", "person", "of_judges"),
    [
        (["human", "judge_verdict"], "human", ("judge_verdict",)),
        (
            ["Human Label", "Judge", "LLM judge", "auto_grade", "is_correct"],
            "Human Label",
            ("Judge", "LLM judge", "auto_grade", "is_correct"),
        ),
        (["judge_reason", "verdict", "humans", "Human (v2)"], "", ()),
    ],
)
def test_columns_of_a_persons_and_of_judges_verdicts_are_told_apart_by_name(
    names: Sequence[str], person: str, of_judges: tuple[str, ...]
) -> None:
    roles = guess_roles(["prediction", "reference", *names])
    assert (roles.verdict, roles.judges) == (person, of_judges)


# The command


def test_one_command_compares_a_judge_with_a_person(tmp_path: Path, score: Command) -> None:
    rows = make_judged_rows()
    table = write_jsonl(tmp_path / "a.jsonl", rows)
    report = read_run(score, tmp_path, table, "--metrics", ESTIMATE)
    read = select_read(rows)
    person = [row["human"] == "right" for row in read]
    judge = [row["judge_verdict"] == 1 for row in read]
    expected = {
        "kappa": sklearn_metrics.cohen_kappa_score(person, judge),
        "sensitivity": sklearn_metrics.recall_score(person, judge),
        "specificity": sklearn_metrics.recall_score(person, judge, pos_label=0),
        "raw": np.mean([row["judge_verdict"] for row in rows]),
    }
    figures = select_figures(report)
    for name, value in expected.items():
        assert figures[name]["value"] == pytest.approx(value, abs=1e-9)
    corrected = figures["corrected"]
    assert corrected["low"] < corrected["value"] < corrected["high"]

    disagreements = {row["row"] for row in report["judge_disagreements"]["rows"]}
    assert disagreements == {number for number, row in enumerate(rows, 1) if is_disputed(row)}
    counts = dict(report["judge_counts"]["rows"][0])
    del counts["system"], counts["judge"]
    assert sum(counts.values()) == 40
    assert "your verdict = human, judge’s verdict = judge_verdict" in report["messages"]


def test_the_recalibrated_estimate_is_a_column_of_the_scored_rows(
    tmp_path: Path, score: Command
) -> None:
    table = write_jsonl(tmp_path / "a.jsonl", make_judged_rows())
    out = tmp_path / "scored.jsonl"
    report = read_run(score, tmp_path, table, "--metrics", ESTIMATE, "--out", out)
    scored = read_jsonl(out)
    fitted = [row[f"{ESTIMATE}_recalibrated"] for row in scored]
    assert min(fitted) > 0
    assert max(fitted) < 1
    order = np.argsort([row[ESTIMATE] for row in scored], kind="stable")
    assert np.all(np.diff(np.array(fitted)[order]) >= 0)
    assert "calibration error" in report["recalibration"]["lines"][0]


def test_a_score_or_a_judge_can_stand_in_for_verdicts_and_is_named(
    tmp_path: Path, score: Command
) -> None:
    rows = [row | {"points": row["judge_verdict"] * 7} for row in make_judged_rows()]
    table = write_jsonl(tmp_path / "a.jsonl", rows)
    titles = {
        ESTIMATE: "the estimate",
        "rougeL_recall": "ROUGE-L recall",
        "judge_verdict": "“judge_verdict”",
        "points": "“points”",
    }
    shares = {}
    for name, title in titles.items():
        report = read_run(
            score, tmp_path, table, "--metrics", ESTIMATE, "rouge", "--stand-in", name
        )
        verdicts_only, joined = report["verdict_shares"]["rows"]
        assert verdicts_only.items() >= {"source": "alone", "n_read": 40, "stand_in": None}.items()
        assert (
            joined.items()
            >= {
                "source": "joined",
                "n_read": 40,
                "stand_in": title,
                "rows": 200,
            }.items()
        )
        shares[name] = {end: joined[end] for end in ("share", "low", "high")}
        corrected = select_figures(report)["corrected"]
    assert shares["points"] == pytest.approx(shares["judge_verdict"]), (
        "the share depends on the scale of the score"
    )
    assert shares["judge_verdict"]["share"] == pytest.approx(corrected["value"])


def test_a_sample_is_recognised_only_with_the_stand_in_by_which_it_was_drawn(
    tmp_path: Path, score: Command
) -> None:
    table = write_jsonl(tmp_path / "a.jsonl", make_judged_rows())
    sample = tmp_path / "sample.jsonl"
    assert score(table, "--sample", 40, "--out", sample, "--stand-in", "judge_verdict").code == 0
    write_jsonl(
        sample, [row | {"verdict": "Paris" in row["prediction"]} for row in read_jsonl(sample)]
    )
    for stand_in, drawn_here in (("judge_verdict", True), (ESTIMATE, False)):
        arguments = (table, "--metrics", ESTIMATE, "--verdict", sample, "--stand-in", stand_in)
        last = read_run(score, tmp_path, *arguments)["verdict_shares"]["lines"][-1]
        assert ("random sample of this table" in last) is drawn_here


def test_a_missing_column_or_a_column_of_texts_cannot_stand_in(
    tmp_path: Path, score: Command
) -> None:
    table = write_jsonl(tmp_path / "a.jsonl", make_judged_rows())
    for name in ("nothing", "bleu"):
        refused = read_run(
            score, tmp_path, table, "--metrics", ESTIMATE, "--stand-in", name, code=2
        )
        assert f"no column “{name}”" in refused["messages"]
    refused = read_run(
        score, tmp_path, table, "--metrics", ESTIMATE, "--stand-in", "prediction", code=2
    )
    assert "“prediction”, row 1: " in refused["messages"]
    assert "cannot stand in for a verdict" in refused["messages"]


# Cells of the first row, more arguments, the exit code, and a part of the message.
BAD: list[tuple[dict[str, Any], Sequence[str], int, str]] = [
    ({"human": 0.7}, (), 0, "The column “human” is not taken for verdicts: row 1 has 0.7"),
    (
        {"human": 0.7},
        ("--verdict", "human"),
        2,
        "“human”, row 1: 0.7 (float) is no verdict. Expected: right, wrong",
    ),
    (
        {"judge_verdict": 0.7},
        ("--judge-verdict", "judge_verdict"),
        2,
        "A column of scores can stand in",
    ),
    (
        {},
        ("--verdict", "judge_verdict"),
        2,
        "is not taken for a person’s. Name it as the judge’s verdict",
    ),
    ({}, ("--verdict", "human", "--judge-verdict", "human"), 2, "is not taken for a person’s"),
    (
        {},
        ("--verdict", "human", "id"),
        2,
        "Several columns of verdicts (“human”, “id”) on one column of answers",
    ),
    (
        {},
        ("--prediction", "prediction", "question", "--verdict", "human"),
        2,
        "2 columns of answers and 1 for",
    ),
]


@pytest.mark.parametrize(("cells", "arguments", "code", "message"), BAD)
def test_columns_without_verdicts_are_refused_or_ignored_with_a_remedy(
    cells: dict[str, Any],
    arguments: Sequence[str],
    code: int,
    message: str,
    tmp_path: Path,
    score: Command,
) -> None:
    first, *later_rows = make_judged_rows(30, 25)
    table = write_jsonl(tmp_path / "a.jsonl", [first | cells, *later_rows])
    ran = score(table, "--metrics", "lv_eval_f1", *arguments)
    assert ran.code == code, ran.err
    assert message in ran.err


def read_question_number(row: dict[str, Any]) -> int:
    """Return the number of a row's question."""
    return int(row["id"].removeprefix("q"))


def judge_as_person(row: dict[str, Any]) -> None:
    """Let the judge agree with the person on every answer."""
    row["judge_verdict"] = row["human"]


def call_all_right(row: dict[str, Any]) -> None:
    """Let the person call every answer right."""
    row["human"] = row["human"] and "right"


def call_all_wrong(row: dict[str, Any]) -> None:
    """Let the person call every answer wrong."""
    row["human"] = row["human"] and "wrong"


def leave_unread(row: dict[str, Any]) -> None:
    """Remove the person's verdict."""
    row["human"] = ""


def leave_most_unread(row: dict[str, Any]) -> None:
    """Remove the person's verdict, except on the first twelve questions."""
    if read_question_number(row) >= 12:
        row["human"] = ""


def judge_by_number(row: dict[str, Any]) -> None:
    """Let the judge pass every second answer."""
    row["judge_verdict"] = read_question_number(row) % 2


def judge_all_right(row: dict[str, Any]) -> None:
    """Let the judge pass every answer."""
    row["judge_verdict"] = 1


def judge_leniently(row: dict[str, Any]) -> None:
    """Let the judge pass right answers and two thirds of the wrong ones."""
    is_right = "Paris" in row["prediction"]
    row["judge_verdict"] = int(is_right or read_question_number(row) % 3 > 0)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (judge_as_person, "judge_verdict says what you say on all 40 answers."),
        (call_all_right, "you call all 40 answers right that it judged"),
        (call_all_wrong, "you call none of the 40 answers right"),
        (leave_unread, "judge_verdict calls 64% of 200 answers right, and nobody has checked it."),
        (judge_by_number, "agrees with you no better than chance"),
        (leave_most_unread, "figures need 20."),
        (judge_all_right, "agrees with you no better than chance"),
        (judge_leniently, "% of all answers right; corrected by your verdicts it is "),
    ],
)
def test_a_message_says_if_a_comparison_with_a_judge_shows_nothing(
    change: Any,
    message: str,
    tmp_path: Path,
    score: Command,
) -> None:
    rows = make_judged_rows()
    for row in rows:
        change(row)
    report = read_run(
        score, tmp_path, write_jsonl(tmp_path / "a.jsonl", rows), "--metrics", ESTIMATE
    )
    assert message in "\n".join(report["judges"]["lines"])


def make_good_and_bad_rows() -> tuple[Rows, Rows]:
    """Return the rows of a good and a bad system; a person has read the same questions of both."""
    good = make_judged_rows(read=60)
    bad = make_judged_rows(read=60, name="no")
    for row in bad:
        row["prediction"] = "no Rome"
        row["judge_verdict"] = 0
        row["human"] = row["human"] and "wrong"
    for row, bad_row in zip(good, bad, strict=True):
        row["human"] = ""
        if bad_row["human"]:
            row["human"] = "right" if "Paris" in row["prediction"] else "wrong"
    return good, bad


def test_a_judge_is_compared_for_each_system_and_by_its_order_of_systems(
    tmp_path: Path, score: Command
) -> None:
    good, bad = make_good_and_bad_rows()
    files = [write_jsonl(tmp_path / "good.jsonl", good), write_jsonl(tmp_path / "bad.jsonl", bad)]
    report = read_run(score, tmp_path, *files, "--metrics", ESTIMATE)
    assert select_figures(report, system="good.jsonl").keys() >= {"kappa", "corrected"}
    assert {row["system"] for row in report["judges"]["rows"]} == {"good.jsonl", "bad.jsonl"}
    order = next(line for line in report["verdict_differences"]["lines"] if "this order" in line)
    assert order.startswith("judge_verdict puts the systems in this order: good.jsonl")
    assert order.endswith(
        "that your verdicts tell apart: 1. judge_verdict has the same order in 1 of them."
    )
    # The same systems as columns of one table: each has a column of verdicts of the person and of
    # the judge.
    wide = [
        {
            **one,
            "other": two["prediction"],
            "human_b": two["human"],
            "judge_b": two["judge_verdict"],
        }
        for one, two in zip(good, bad, strict=True)
    ]
    table = write_jsonl(tmp_path / "wide.jsonl", wide)
    columns = ("--prediction", "prediction", "other", "--verdict", "human", "human_b")
    judges = ("--judge-verdict", "judge_verdict", "judge_b")
    same = read_run(score, tmp_path, table, *columns, *judges, "--metrics", ESTIMATE)
    for one, other in zip(
        report["verdict_differences"]["rows"], same["verdict_differences"]["rows"], strict=True
    ):
        assert one["low"] == other["low"]
        assert one["high"] == other["high"]
    assert select_figures(same, system="other", judge="judge_b")["raw"]["value"] == 0


def test_answers_that_decline_are_counted_apart_from_right_and_wrong_ones(
    tmp_path: Path, score: Command
) -> None:
    rows = make_judged_rows(60, 60)
    for row, verdict in zip(
        rows[:12], ["declined", "refused", "D", "not_attempted"] * 3, strict=True
    ):
        row["human"] = verdict
    table = write_jsonl(tmp_path / "a.jsonl", rows)
    report = read_run(score, tmp_path, table, "--metrics", ESTIMATE)
    right = sum(row["human"] == "right" for row in rows)
    shown = {row["kind"]: row["share"] for row in report["declined"]["rows"]}
    expected = {"of_all": right / 60, "of_attempted": right / 48, "attempted": 48 / 60}
    assert shown == pytest.approx(expected, abs=0.005)
