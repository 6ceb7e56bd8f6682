"""Rows of one question form a cluster in every interval and p-value, in command and page."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from lens.page.files import files_results
from lens.page.files.file_scoring import FileScoring

from tests.demo.command_runs import Command, Rows, read_sections, write_jsonl
from tests.demo.files_visits import finish_scoring, send_rows

QUESTIONS, REPEATS = 60, 5


def make_repeated_rows() -> Rows:
    """Return five answers of two systems to each of sixty questions.

    Questions differ in how easy they are, so that answers to one question are alike.
    """
    rng = random.Random(2)
    rows: Rows = []
    for question in range(QUESTIONS):
        easy = rng.random()
        for epoch in range(REPEATS):
            answers = [f"city {question}" if rng.random() < easy else "no idea" for _ in "ab"]
            texts = {"question": f"Where is {question}?", "reference": f"city {question}"}
            human = "right" if answers[0] != "no idea" else "wrong"
            rows.append(
                {
                    "id": f"q{question}",
                    **texts,
                    "prediction": answers[0],
                    "b": answers[1],
                    "epoch": epoch,
                    "part": "ab"[epoch % 2],
                    "human": human,
                }
            )
    return rows


def read_tables(path: Path) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of each table of a JSON report by the table's id."""
    return {name: section["rows"] for name, section in read_sections(path).items()}


def score_repeats(
    score: Command, folder: Path, rows: Rows, *arguments: str
) -> tuple[str, dict[str, Rows]]:
    """Score rows with the command; return its output and the tables of its report."""
    file = write_jsonl(folder / "rows.jsonl", rows)
    report = folder / "report.json"
    options = ["--group", "part", "--verdict", "human", "--overwrite", "--report", report]
    ran = score(file, "--metrics", "bleu", "correctness_estimate", *options, *arguments)
    assert ran.code == 0
    return ran.out, read_tables(report)


def number_rows(rows: Rows) -> Rows:
    """Return the rows, each with its own id."""
    return [row | {"id": number} for number, row in enumerate(rows)]


def separate_rows(rows: Rows) -> Rows:
    """Return the rows, each with its own id and question.

    Spaces are added to the questions: they make other texts, but do not change the estimates.
    """
    separate = number_rows(rows)
    for number, row in enumerate(separate):
        row["question"] += " " * number
    return separate


def name_documents(rows: Rows) -> Rows:
    """Return the separated rows, with their old id in the column "document"."""
    return [
        own | {"document": row["id"]} for own, row in zip(separate_rows(rows), rows, strict=True)
    ]


def test_clusters_may_be_given_by_id_question_or_a_named_column(
    tmp_path: Path, score: Command
) -> None:
    rows = make_repeated_rows()
    by_id, tables = score_repeats(score, tmp_path, rows)
    by_question, same_tables = score_repeats(score, tmp_path, number_rows(rows))
    by_document, named_tables = score_repeats(
        score, tmp_path, name_documents(rows), "--cluster", "document"
    )
    for name, shown in (("id", by_id), ("question", by_question), ("document", by_document)):
        assert "300 rows form 60 clusters" in shown
        assert f"the same “{name}”" in shown
    # The first table describes the input, and differs.
    assert list(same_tables.values())[1:] == list(tables.values())[1:]
    assert list(named_tables.values())[1:] == list(tables.values())[1:]


def test_intervals_of_clusters_are_wider_than_those_of_independent_rows(
    tmp_path: Path, score: Command
) -> None:
    rows = make_repeated_rows()
    _, clustered = score_repeats(score, tmp_path, rows)
    shown, independent = score_repeats(score, tmp_path, separate_rows(rows))
    assert "300 rows form 60 clusters" not in shown
    compared = 0
    for name, table in clustered.items():
        for clustered_row, independent_row in zip(table, independent.get(name, ()), strict=False):
            if clustered_row.get("low") is None or independent_row.get("low") is None:
                continue
            assert clustered_row["high"] - clustered_row["low"] > 1.1 * (
                independent_row["high"] - independent_row["low"]
            ), name
            compared += 1
    assert compared > 0


def test_the_page_clusters_rows_like_the_command() -> None:
    roles = {
        "prediction": ["prediction", "b"],
        "reference": "reference",
        "question": "question",
        "id": "id",
    }
    rows = make_repeated_rows()
    clustered, summary = score_on_page(rows, roles)
    plain, plain_summary = score_on_page(number_rows(rows), roles | {"question": ""})
    assert "300 rows form 60 clusters" in summary
    assert "clusters" not in plain_summary
    (clustered_difference,) = clustered.results.differences.to_dict("records")
    (plain_difference,) = plain.results.differences.to_dict("records")
    assert clustered_difference["difference"] == pytest.approx(plain_difference["difference"])
    for figure in (clustered_difference, plain_difference):
        assert figure["low"] is not None
        assert figure["high"] is not None
    assert (clustered_difference["low"], clustered_difference["high"]) != (
        plain_difference["low"],
        plain_difference["high"],
    )
    assert clustered_difference["p"] != plain_difference["p"]
    # Resampling draws questions if there are any, else rows.
    assert clustered.study.questions == QUESTIONS
    assert plain.study.questions == QUESTIONS * REPEATS


def score_on_page(rows: Rows, roles: dict[str, Any]) -> tuple[FileScoring, str]:
    """Score a file on the page; return the scoring and the HTML of its summary."""
    run = finish_scoring(FileScoring([send_rows(rows)], roles, ["bleu"]))
    return run, files_results.draw_summary(run)


@pytest.mark.parametrize("count", [2, 7])
def test_answers_to_a_single_question_have_no_interval(
    count: int, tmp_path: Path, score: Command
) -> None:
    file = write_jsonl(
        tmp_path / "one.jsonl", [row | {"id": "q"} for row in make_repeated_rows()[:count]]
    )
    code, out, _ = score(file, "--metrics", "bleu")
    assert code == 0
    (line,) = [line for line in out.splitlines() if line.startswith("BLEU")][:1]
    assert "[" not in line
    assert "–" in line
