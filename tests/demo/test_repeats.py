"""A list of answers in one cell counts like several rows with the same id."""

from __future__ import annotations

import json
import re
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest
from lens.inference import intervals
from lens.page.files import files_form, files_results, held_source
from lens.page.files.file_scoring import FileScoring
from lens.page.files.files_reading import Files
from lens.page.files.row_table import RowChoice, draw_rows
from lens.page.tab import read_upload
from lens.words.notes import UserError

from tests.demo.command_runs import Command, Rows, parse_jsonl, read_jsonl, read_report, write_jsonl
from tests.demo.files_visits import (
    ROLES,
    draw_opened_row,
    finish_scoring,
    read_choices,
    read_downloads,
    send_rows,
)
from tests.demo.system_samples import answer_question, drop_columns, list_column, make_question

METRICS = ("rouge", "bleu", "lv_eval_f1", "correctness_estimate")
QUESTIONS = range(20)


def list_turns(system: str, question: int, uneven: bool = False) -> list[str]:
    """Return a system's answers to a question: three, or one to three if `uneven`."""
    turns = 1 + question % 3 if uneven else 3
    return [answer_question(system, question, turn) for turn in range(turns)]


def make_list_rows(system: str, uneven: bool = False, **more: Any) -> Rows:
    """Return a row for each question with the list of its answers."""
    rows = []
    for question in QUESTIONS:
        answers = list_turns(system, question, uneven)
        rows.append({**make_question(question), **more, "answer": answers})
    return rows


def make_flat_rows(system: str, uneven: bool = False, **more: Any) -> Rows:
    """Return the same answers with a row for each."""
    rows = []
    for row in make_list_rows(system, uneven, **more):
        rows += [row | {"answer": text} for text in row["answer"]]
    return rows


def write_repeat_layouts(folder: Path, uneven: bool) -> dict[str, list[Any]]:
    """Write the answers of three systems in four layouts.

    Return the command's arguments for each layout.
    """
    wide = []
    for question in QUESTIONS:
        answers = {name: list_turns(name, question, uneven) for name in "abd"}
        wide.append(make_question(question) | answers)
    long = []
    for name in "abd":
        long += make_list_rows(name, uneven, llm=name)
    # The files of both layouts have the same names.
    (folder / "rows").mkdir()
    flat_files = []
    list_files = []
    for name in "abd":
        flat_path = folder / "rows" / f"{name}.jsonl"
        list_path = folder / f"{name}.jsonl"
        flat_files.append(write_jsonl(flat_path, make_flat_rows(name, uneven)))
        list_files.append(write_jsonl(list_path, make_list_rows(name, uneven)))
    wide_file = write_jsonl(folder / "w.jsonl", wide)
    long_file = write_jsonl(folder / "l.jsonl", long)
    return {
        "rows": flat_files,
        "lists": list_files,
        "columns": [wide_file, "--prediction", *"abd"],
        "long": [long_file, "--system", "llm"],
    }


@pytest.mark.parametrize("uneven", [False, True])
def test_lists_of_answers_and_rows_with_the_same_id_give_equal_reports(
    uneven: bool, tmp_path: Path, score: Command
) -> None:
    count = sum(len(list_turns("b", question, uneven)) for question in QUESTIONS)
    reports = {}
    for layout, arguments in write_repeat_layouts(tmp_path, uneven).items():
        report = tmp_path / f"{layout}.json"
        ran = score(*arguments, "--metrics", *METRICS, "--report", report)
        assert ran.code == 0, ran.err
        assert f"{count} answers to 20" in ran.err
        contents = json.loads(report.read_text("utf-8"))
        sections = json.dumps(contents["sections"])
        reports[layout] = sections.replace(".jsonl", "")
    assert reports["columns"] == reports["lists"]
    assert reports["long"] == reports["lists"]
    assert reports["lists"].count("corpus_bleu") == 3

    systems, pairs, *later_sections = json.loads(reports["lists"])
    of_rows = json.loads(reports["rows"])
    drop_cluster_notes(of_rows)
    assert of_rows == [systems, pairs, *later_sections]
    means = {row["system"]: row["rougeL"] for row in systems["rows"]}
    for row in pairs["rows"]:
        if row["metric"] == "rougeL":
            assert row["mean_first"] == pytest.approx(means[row["first"]], abs=1e-9)


def drop_cluster_notes(sections: list[dict[str, Any]]) -> None:
    """Drop the notes that rows have the same id, which only a table with such rows has."""
    for section in sections:
        other_notes = []
        for note in section["notes"]:
            if " form 20 clusters of rows with" not in note["text"]:
                other_notes.append(note)
        section["notes"] = other_notes


def test_repeated_answers_count_as_parts_of_questions_and_their_spread_is_reported(
    tmp_path: Path, score: Command
) -> None:
    table = write_jsonl(tmp_path / "a.jsonl", make_list_rows("b", True))
    report = tmp_path / "r.json"
    out = tmp_path / "o.jsonl"
    ran = score(table, "--metrics", "rouge", "--report", report, "--out", out)
    assert ran.code == 0
    assert "a.jsonl: 20 rows; " in ran.err
    rows = read_jsonl(out)
    flat_rows = make_flat_rows("b", True)
    assert list_column(rows, "answer") == list_column(flat_rows, "answer")

    scores_of_question: dict[str, list[float]] = {}
    for row in rows:
        scores_of_question.setdefault(row["id"], []).append(row["rougeL"])
    means = []
    deviations = []
    for scores in scores_of_question.values():
        means.append(fmean(scores))
        if len(scores) > 1:
            deviations.append(stdev(scores))
    mean = fmean(means)
    mean_of_rows = fmean(list_column(rows, "rougeL"))
    assert mean != pytest.approx(mean_of_rows), "answers count as parts of questions"

    figures = read_report(report)["scores"]["rougeL"]
    ((low, high),) = intervals.mean_intervals([means])
    assert figures["mean"] == pytest.approx(mean)
    assert figures["low"] == pytest.approx(low)
    assert figures["high"] == pytest.approx(high)
    assert figures["scored"] == len(rows)
    spread = fmean(deviations)
    printed = " ".join(ran.out.split())
    assert f"(standard deviation, in the mean): ROUGE-L {spread:.4f}." in printed


def test_without_ids_questions_are_matched_by_the_order_of_rows(
    tmp_path: Path, score: Command
) -> None:
    files = []
    for name in "ab":
        rows = drop_columns(make_list_rows(name), "id", "question")
        for row in rows:
            row["reference"] = "city"
        file = write_jsonl(tmp_path / f"{name}.jsonl", rows)
        files.append(file)
    ran = score(*files, "--metrics", "rouge")
    assert ran.code == 0
    assert "2 systems, matched by the order of their rows: 20 questions." in ran.err
    assert "b.jsonl: 60 answers to 20 questions." in ran.out

    # Only the last file has another reference in row 8.
    rows[7]["reference"] = "town"
    write_jsonl(file, rows)
    refused = score(*files, "--metrics", "rouge")
    assert "Row 8 of a.jsonl and row 8 of b.jsonl" in refused.err


# The cell of the second row, the exit code, and a part of the message.
CELLS: list[tuple[Any, int, str]] = [
    (["x", {}], 2, "The column “answer”, row 2, is {} (dict); a text is expected."),
    (["x", 7], 0, "which count as their text (5 as “5”, true as “true”): 1 (row 2)."),
    (["x", ["y"]], 2, "row 2, is ['y'] (list); a text is expected."),
    (["x", {"role": "user"}], 2, "row 2, is {'role': 'user'} (dict); a text is expected."),
    (
        [],
        0,
        "Rows without an answer (null or empty), which are scored as an empty answer: 1 (row 2).",
    ),
    (["x", None, " "], 0, "which are scored as an empty answer: 2 (row 2, 2)."),
    (
        ["<think>a</think>x", "<think>b"],
        0,
        "Answers with thinking aloud, which was set aside: 1 (row 2).",
    ),
]


@pytest.mark.parametrize(("cell", "code", "words"), CELLS)
def test_entries_of_a_list_that_are_no_text_are_reported_with_their_row(
    cell: Any,
    code: int,
    words: str,
    tmp_path: Path,
    score: Command,
) -> None:
    rows = [
        make_question(1) | {"answer": ["a", "b"]},
        make_question(2) | {"answer": cell},
        make_question(3) | {"answer": "c"},
    ]
    table = write_jsonl(tmp_path / "a.jsonl", rows)
    ran = score(table, "--metrics", "rouge")
    assert ran.code == code, ran.err
    assert words in ran.err

    # The page reports the same about an uploaded file.
    upload = read_upload(str(table), everything=True)
    form = files_form.show_choices(Files([upload]))
    roles = read_choices(form) | {"prediction": "answer"}
    if code:
        with pytest.raises(UserError) as refused:
            FileScoring([upload], roles, ["rouge"])
        assert "row 2, is " in str(refused.value)
    else:
        run = finish_scoring(FileScoring([upload], roles, ["rouge"]))
        summary = files_results.draw_summary(run)
        assert words in summary.replace("&#39;", "'")


# The page


def score_tables_on_page(*tables: Rows) -> FileScoring:
    """Score uploaded files with the column "answer"."""
    files = []
    for letter, rows in zip("ab", tables, strict=False):
        file = send_rows(rows, f"{letter}.jsonl")
        files.append(file)
    roles = ROLES | {"prediction": "answer"}
    scoring = FileScoring(files, roles, ["rouge", "bleu"])
    return finish_scoring(scoring)


def test_the_page_shows_all_answers_of_a_list_and_downloads_a_row_for_each(tmp_path: Path) -> None:
    of_lists = score_tables_on_page(make_list_rows("a", True), make_list_rows("b", True))
    of_rows = score_tables_on_page(make_flat_rows("a", True), make_flat_rows("b", True))
    assert of_lists.study.notes == of_rows.study.notes
    # Only a table whose rows have the same id has the note on clusters.
    cluster_note = r"\n?<li>[^<]* form 20 clusters of rows with [^<]*</li>"
    summary_of_rows = files_results.draw_summary(of_rows)
    summary_of_lists = files_results.draw_summary(of_lists)
    assert re.sub(cluster_note, "", summary_of_rows) == summary_of_lists
    assert files_results.draw_comparison(of_lists) == files_results.draw_comparison(of_rows)
    files = read_downloads(of_lists, tmp_path)
    same = read_downloads(of_rows, tmp_path)
    for kind in ("csv", "jsonl", "parquet"):
        assert files[f"rows.{kind}"] == same[f"rows.{kind}"]
    for row in (1, 2):
        shown = draw_opened_row(of_lists, row)
        for system in "ab":
            for text in list_turns(system, row, True):
                assert text in shown


def test_the_page_counts_answers_and_questions_apart() -> None:
    run = score_tables_on_page(make_list_rows("b"))
    assert "60 answers to 20 questions." in files_results.draw_summary(run)
    assert draw_rows(run, RowChoice()).count("data-row=") == 20


def test_a_list_in_a_nested_column_gives_equal_downloads_of_page_and_command(
    tmp_path: Path, score: Command
) -> None:
    rows = make_list_rows("b")
    for row in rows:
        row["out"] = {"texts": row.pop("answer")}
    table = write_jsonl(tmp_path / "inner.jsonl", rows)
    out = tmp_path / "out.jsonl"
    ran = score(table, "--prediction", "out.texts", "--metrics", "rouge", "--out", out)
    assert ran.code == 0, ran.err

    upload = read_upload(str(table), everything=True)
    roles = ROLES | {"prediction": "out.texts"}
    run = finish_scoring(FileScoring([upload], roles, ["rouge"]))
    downloads = read_downloads(run, tmp_path)
    assert parse_jsonl(downloads["rows.jsonl"]) == read_jsonl(out)


def test_the_page_refuses_lists_with_too_many_answers_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(held_source, "MAX_ROWS", 59)
    with pytest.raises(UserError, match="“answer” has lists of answers, more than 59 together"):
        score_tables_on_page(make_list_rows("b"))


@pytest.mark.parametrize("kind", ["json", "parquet"])
def test_json_and_parquet_files_may_have_lists_of_answers(
    kind: str, tmp_path: Path, score: Command
) -> None:
    rows = make_list_rows("b", True)
    path = tmp_path / f"a.{kind}"
    if kind == "json":
        path.write_text(json.dumps(rows), "utf-8")
    else:
        table = pyarrow.Table.from_pylist(rows)
        pyarrow.parquet.write_table(table, path)
    jsonl = write_jsonl(tmp_path / "a.jsonl", rows)
    out = tmp_path / "out.csv"
    outputs = []
    for file in (path, jsonl):
        options = ("--out", out, "--overwrite", "--workers", "2")
        ran = score(file, "--metrics", "rouge", *options)
        assert ran.code == 0, ran.err
        outputs.append(out.read_bytes())
    of_path, of_jsonl = outputs
    assert of_path == of_jsonl


def test_a_sample_has_one_answer_of_each_question(tmp_path: Path, score: Command) -> None:
    table = write_jsonl(tmp_path / "a.jsonl", make_list_rows("b", True))
    sample = tmp_path / "s.jsonl"
    assert score(table, "--sample", "20", "--out", sample).code == 0
    rows = read_jsonl(sample)
    assert sorted(list_column(rows, "row")) == list(range(1, 21))
    right = 0
    for row in rows:
        question = row["row"] - 1
        assert row["answer"] in list_turns("b", question, True)
        is_right = "city" in row["answer"]
        row["verdict"] = "right" if is_right else "wrong"
        right += is_right
    write_jsonl(sample, rows)
    ran = score(table, "--metrics", "correctness_estimate", "--verdict", sample)
    assert ran.code == 0
    assert f"{right / 20:.0%}" in ran.out
