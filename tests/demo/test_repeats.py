"""Several answers to a question in one cell, as a list: whatever a table is, they are what rows of the same id are."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest
from lens.inference import intervals
from lens.page.files import files_form, files_results, held_source
from lens.page.files.file_scoring import FileScoring
from lens.page.files.files_form import Files
from lens.page.files.row_table import RowChoice, draw_rows
from lens.page.tab import read_upload
from lens.words.notes import UserError

from tests.demo.command_runs import Command, Rows, read_report, write_jsonl
from tests.demo.files_visits import ROLES, finish_scoring, open_row, read_choices, read_downloads, send_rows
from tests.demo.system_samples import answer_question, drop_columns, make_question

METRICS = ("rouge", "bleu", "lv_eval_f1", "correctness_estimate")
QUESTIONS = range(20)


def list_answers(system: str, question: int, uneven: bool = False) -> list[str]:
    return [answer_question(system, question, turn) for turn in range(1 + question % 3 if uneven else 3)]


def make_list_rows(system: str, uneven: bool = False, **more: Any) -> Rows:
    return [make_question(one) | more | {"answer": list_answers(system, one, uneven)} for one in QUESTIONS]


def make_flat_rows(system: str, uneven: bool = False, **more: Any) -> Rows:
    """The same with a row for each answer."""
    return [row | {"answer": text} for row in make_list_rows(system, uneven, **more) for text in row["answer"]]


@pytest.mark.parametrize("uneven", [False, True])
def test_lists_say_what_rows_of_the_same_id_say_however_systems_come(
    uneven: bool, tmp_path: Path, score: Command
) -> None:
    def write_files(rows: Any) -> list[Path]:
        return [write_jsonl(tmp_path / f"{name}.jsonl", rows(name, uneven)) for name in "abd"]

    wide = [make_question(one) | {name: list_answers(name, one, uneven) for name in "abd"} for one in QUESTIONS]
    ways: dict[str, Any] = {
        "rows": lambda: write_files(make_flat_rows),
        "lists": lambda: write_files(make_list_rows),
        "columns": lambda: [write_jsonl(tmp_path / "w.jsonl", wide), "--prediction", *"abd"],
        "long": lambda: [
            write_jsonl(
                tmp_path / "l.jsonl", [row for name in "abd" for row in make_list_rows(name, uneven, llm=name)]
            ),
            "--system",
            "llm",
        ],
    }
    found = {}
    for way, arguments in ways.items():
        report = tmp_path / f"{way}.json"
        ran = score(*arguments(), "--metrics", *METRICS, "--report", report)
        assert (
            ran.code,
            f"{sum(len(list_answers('b', one, uneven)) for one in QUESTIONS)} answers to 20" in ran.err,
        ) == (
            0,
            True,
        )
        found[way] = json.dumps(json.loads(report.read_text("utf-8"))["sections"]).replace(".jsonl", "")
    assert found["lists"] == found["columns"] == found["long"]
    sections, of_rows = (json.loads(found[way]) for way in ("lists", "rows"))
    for section in of_rows:  # that rows have the same id
        section["notes"] = [one for one in section["notes"] if " are 20 clusters, those with" not in one["text"]]
    assert sections == of_rows
    assert found["lists"].count("corpus_bleu") == 3
    table = {row["system"]: row for row in sections[0]["rows"]}
    pairs = [row for row in sections[1]["rows"] if row["metric"] == "rougeL"]
    for row in pairs:
        assert row["mean_first"] == pytest.approx(table[row["first"]]["rougeL"], abs=1e-9)


def test_one_system_has_the_means_of_its_questions_and_is_told_how_far_they_differ(
    tmp_path: Path, score: Command
) -> None:
    table, report, out = (
        write_jsonl(tmp_path / "a.jsonl", make_list_rows("b", True)),
        tmp_path / "r.json",
        tmp_path / "o.jsonl",
    )
    ran = score(table, "--metrics", "rouge", "--report", report, "--out", out)
    assert (ran.code, "a.jsonl: 20 rows; " in ran.err) == (0, True)
    rows = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert [row["answer"] for row in rows] == [row["answer"] for row in make_flat_rows("b", True)]
    of_question = [[row["rougeL"] for row in rows if row["id"] == f"q{one}"] for one in QUESTIONS]
    means = list(map(fmean, of_question))
    assert fmean(means) != pytest.approx(fmean([row["rougeL"] for row in rows])), "answers count as parts of questions"
    figure = read_report(report)["scores"]["rougeL"]
    assert figure["mean"] == pytest.approx(fmean(means))
    assert (figure["low"], figure["high"]) == pytest.approx(intervals.mean_intervals([means])[0])
    assert figure["scored"] == len(rows)
    spread = fmean(stdev(one) for one in of_question if len(one) > 1)
    assert f"(standard deviation, in the mean): ROUGE-L {spread:.4f}." in " ".join(ran.out.split())


def test_without_ids_the_order_of_the_rows_tells_the_questions(tmp_path: Path, score: Command) -> None:
    same = {name: drop_columns(make_list_rows(name), "id", "question") for name in "ab"}
    for rows in same.values():
        for row in rows:
            row["reference"] = "city"
    files = [write_jsonl(tmp_path / f"{name}.jsonl", rows) for name, rows in same.items()]
    ran = score(*files, "--metrics", "rouge")
    assert (ran.code, "2 systems, matched by the order of their rows: 20 questions." in ran.err) == (0, True)
    assert "b.jsonl: 60 answers to 20 questions." in ran.out
    write_jsonl(files[1], [*same["b"][:7], same["b"][7] | {"reference": "town"}, *same["b"][8:]])
    assert "Row 8 of a.jsonl and row 8 of b.jsonl" in score(*files, "--metrics", "rouge").err


# The cell of the second row, the exit code, and what is said.
CELLS: list[tuple[Any, int, str]] = [
    (["x", {}], 2, "The column “answer”, row 2, is {} (dict); a text is expected."),
    (["x", 7], 0, "which count as their text (5 as “5”, true as “true”): 1 (row 2)."),
    (["x", ["y"]], 2, "row 2, is ['y'] (list); a text is expected."),
    (["x", {"role": "user"}], 2, "row 2, is {'role': 'user'} (dict); a text is expected."),
    ([], 0, "Rows without an answer (null or empty), which are scored as an empty answer: 1 (row 2)."),
    (["x", None, " "], 0, "which are scored as an empty answer: 2 (row 2, 2)."),
    (["<think>a</think>x", "<think>b"], 0, "Answers with thinking aloud, which was set aside: 1 (row 2)."),
]


@pytest.mark.parametrize(("cell", "code", "words"), CELLS)
def test_what_is_no_text_in_a_list_is_said_with_its_row(
    cell: Any, code: int, words: str, tmp_path: Path, score: Command
) -> None:
    rows = [
        make_question(1) | {"answer": ["a", "b"]},
        make_question(2) | {"answer": cell},
        make_question(3) | {"answer": "c"},
    ]
    write_jsonl(tmp_path / "a.jsonl", rows)
    ran = score(tmp_path / "a.jsonl", "--metrics", "rouge")
    assert (ran.code, words in ran.err) == (code, True), ran.err
    # The page says the same of what a visitor sends.
    on_page = read_upload(str(write_jsonl(tmp_path / "p.jsonl", rows)), everything=True)
    roles = read_choices(files_form.show_choices(Files([on_page]))) | {"prediction": "answer"}
    if code:
        with pytest.raises(UserError) as refused:
            FileScoring([on_page], roles, ["rouge"])
        assert "row 2, is " in str(refused.value)
    else:
        run = finish_scoring(FileScoring([on_page], roles, ["rouge"]))
        assert words in files_results.draw_summary(run).replace("&#39;", "'")


# The page


def test_the_page_shows_all_answers_and_downloads_a_row_for_each(
    tmp_path: Path, score: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    def score_on_page(rows: Sequence[Rows], **roles: Any) -> FileScoring:
        files = [send_rows(one, f"{'ab'[at]}.jsonl") for at, one in enumerate(rows)]
        return finish_scoring(FileScoring(files, ROLES | {"prediction": "answer"} | roles, ["rouge", "bleu"]))

    of_lists, of_rows = (score_on_page([rows("a", True), rows("b", True)]) for rows in (make_list_rows, make_flat_rows))
    assert of_lists.study.notes == of_rows.study.notes
    of_cluster = r"\n?<li>[^<]* are 20 clusters, those with [^<]*</li>"
    assert re.sub(of_cluster, "", files_results.draw_summary(of_rows)) == files_results.draw_summary(of_lists)
    assert files_results.draw_comparison(of_lists) == files_results.draw_comparison(of_rows)
    files, same = read_downloads(of_lists, tmp_path), read_downloads(of_rows, tmp_path)
    assert all(files[f"rows.{kind}"] == same[f"rows.{kind}"] for kind in ("csv", "jsonl", "parquet"))
    for row in (1, 2):
        shown = open_row(of_lists, row)
        assert all(text in shown for name in "ab" for text in list_answers(name, row, True))
    alone = score_on_page([make_list_rows("b")])
    assert "60 answers to 20 questions." in files_results.draw_summary(alone)
    assert draw_rows(alone, RowChoice()).count("data-row=") == 20
    # What is in an object is a column of the download; the terminal writes the same.
    inner = [drop_columns([row], "answer")[0] | {"out": {"texts": row["answer"]}} for row in make_list_rows("b")]
    table, out = write_jsonl(tmp_path / "inner.jsonl", inner), tmp_path / "out.jsonl"
    assert score(table, "--prediction", "out.texts", "--metrics", "rouge", "--out", out).code == 0
    read = read_upload(str(table), everything=True)
    lines = read_downloads(
        finish_scoring(FileScoring([read], ROLES | {"prediction": "out.texts"}, ["rouge"])), tmp_path
    )["rows.jsonl"]
    assert [json.loads(line) for line in lines.splitlines()] == [json.loads(line) for line in out.open()]
    monkeypatch.setattr(held_source, "MAX_ROWS", 59)
    with pytest.raises(UserError, match="“answer” has lists of answers, more than 59 together"):
        score_on_page([make_list_rows("b")])


@pytest.mark.parametrize("kind", ["json", "parquet"])
def test_other_files_may_have_lists_too(kind: str, tmp_path: Path, score: Command) -> None:
    path, rows = tmp_path / f"a.{kind}", make_list_rows("b", True)
    if kind == "json":
        path.write_text(json.dumps(rows), "utf-8")
    else:
        pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), path)
    found = []
    for table in (path, write_jsonl(tmp_path / "a.jsonl", rows)):
        out = tmp_path / "out.csv"
        assert score(table, "--metrics", "rouge", "--out", out, "--overwrite", "--workers", "2").code == 0
        found.append(out.read_bytes())
    assert found[0] == found[1]


def test_a_sample_has_one_answer_to_a_question(tmp_path: Path, score: Command) -> None:
    table, sample = write_jsonl(tmp_path / "a.jsonl", make_list_rows("b", True)), tmp_path / "s.jsonl"
    assert score(table, "--sample", "20", "--out", sample).code == 0
    read = [json.loads(line) for line in sample.read_text("utf-8").splitlines()]
    assert sorted(row["row"] for row in read) == [one + 1 for one in QUESTIONS]
    for row in read:
        assert row["answer"] in list_answers("b", row["row"] - 1, True)
    write_jsonl(sample, [row | {"verdict": "right" if "city" in row["answer"] else "wrong"} for row in read])
    ran = score(table, "--metrics", "correctness_estimate", "--verdict", sample)
    right = sum("city" in row["answer"] for row in read) / 20
    assert (ran.code, f"{right:.0%}" in ran.out) == (0, True)
