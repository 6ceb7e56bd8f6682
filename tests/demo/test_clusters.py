"""Rows of one question go together wherever an interval or a p-value is computed, in the terminal and on the page."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest
from lens.page.files import files_results
from lens.page.files.file_scoring import FileScoring
from lens.scoring.judge import Judge

from tests.demo.command_runs import Command, Rows, read_sections, write_jsonl
from tests.demo.files_visits import send_rows

QUESTIONS, REPEATS = 60, 5


def make_repeated_rows() -> Rows:
    """Five answers to each of sixty questions; to some questions all are right, to others none."""
    drawn, rows = random.Random(2), []
    for question in range(QUESTIONS):
        easy = drawn.random()
        for epoch in range(REPEATS):
            answers = [f"city {question}" if drawn.random() < easy else "no idea" for _ in "ab"]
            asked = {"question": f"Where is {question}?", "reference": f"city {question}"}
            human = "right" if answers[0] != "no idea" else "wrong"
            rows.append(
                {
                    "id": f"q{question}",
                    **asked,
                    "prediction": answers[0],
                    "b": answers[1],
                    "epoch": epoch,
                    "part": "ab"[epoch % 2],
                    "human": human,
                }
            )
    return rows


def without(rows: Rows, *names: str) -> Rows:
    return [{name: cell for name, cell in row.items() if name not in names} for row in rows]


def read_tables(path: Path) -> dict[str, list[dict[str, Any]]]:
    """The tables of a report in JSON by their ids."""
    return {name: section["rows"] for name, section in read_sections(path).items()}


def test_repeats_of_a_question_are_resampled_together(tmp_path: Path, score: Command) -> None:
    rows = make_repeated_rows()
    numbered = [row | {"id": at} for at, row in enumerate(rows)]
    # A question with other spaces is another text, and the estimate's is the same.
    alone = [row | {"id": at, "question": row["question"] + " " * at} for at, row in enumerate(rows)]
    named = [row | {"document": again["id"]} for row, again in zip(alone, rows, strict=True)]
    cases = {"id": (rows, ()), "question": (numbered, ()), "document": (named, ("--cluster", "document"))}
    told, found, report = {}, {}, tmp_path / "report.json"
    for by, (given, arguments) in {**cases, "": (alone, ())}.items():
        file = write_jsonl(tmp_path / "rows.jsonl", given)
        code, out, _ = score(
            file,
            "--metrics",
            "bleu",
            "correctness_estimate",
            "--group",
            "part",
            "--verdict",
            "human",
            "--overwrite",
            "--report",
            report,
            *arguments,
        )
        assert code == 0
        told[by] = "300 rows are 60 clusters" in out and f"the same “{by}” together" in out
        found[by] = read_tables(report)
    assert told == {"id": True, "question": True, "document": True, "": False}
    assert (
        list(found["id"].values())[1:] == list(found["question"].values())[1:] == list(found["document"].values())[1:]
    )
    for title, table in found["id"].items():
        for one, independent in zip(table, found[""].get(title, ()), strict=False):
            if one.get("low") is not None and independent.get("low") is not None:
                width = one["high"] - one["low"]
                assert width > 1.1 * (independent["high"] - independent["low"]), (title, one)


def test_the_page_tells_what_the_terminal_tells() -> None:
    roles = {"prediction": ["prediction", "b"], "reference": "reference", "question": "question", "id": "id"}
    rows = make_repeated_rows()
    both = [
        score_on_page(rows, roles),
        score_on_page([row | {"id": at} for at, row in enumerate(rows)], roles | {"question": ""}),
    ]
    (clustered, told), (plain, untold) = both
    assert "300 rows are 60 clusters" in told
    assert "clusters" not in untold
    (one,), (other,) = (run.results.differences.to_dict("records") for run in (clustered, plain))
    assert one["difference"] == pytest.approx(other["difference"])
    assert None not in (one["low"], other["low"])
    assert (one["low"], one["high"]) != (other["low"], other["high"])
    assert one["p"] != other["p"]
    # What is read for a question is one of its answers, and the questions are what is drawn.
    assert (clustered.study.questions, plain.study.questions) == (QUESTIONS, QUESTIONS * REPEATS)


def score_on_page(rows: Rows, roles: dict[str, Any]) -> tuple[FileScoring, str]:
    run = FileScoring([send_rows(rows)], roles, ["bleu"])

    async def run_steps() -> None:
        async for _ in run.steps(Judge("", "", "", "")):
            pass

    asyncio.run(run_steps())
    return run.finish(), files_results.draw_summary(run)


@pytest.mark.parametrize("count", [2, 7])
def test_one_question_says_nothing_of_others(count: int, tmp_path: Path, score: Command) -> None:
    file = write_jsonl(tmp_path / "one.jsonl", [row | {"id": "q"} for row in make_repeated_rows()[:count]])
    code, out, _ = score(file, "--metrics", "bleu")
    assert code == 0
    (line,) = [line for line in out.splitlines() if line.startswith("BLEU")][:1]
    assert "[" not in line
    assert "–" in line
