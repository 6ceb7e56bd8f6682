"""Sample files of Every Eval Ever have a line per score, and are read as one row per answer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from lens.page.files import files_form
from lens.page.files.files_reading import Files
from lens.page.tab import VisitorFile
from lens.tables import untrusted
from lens.tables.log import Log
from lens.tables.read import read_table
from lens.words import speaking

from tests.demo.command_runs import Command, Rows, read_jsonl, read_report, write_jsonl

TOOL = "Every Eval Ever"


def make_line(
    sample: str = "s1", result: str = "acc", answer: str = "Paris", score: float = 1.0, **more: Any
) -> Any:
    """Return a line in schema 0.3.0: the score `result` of an answer to a sample.

    `more` adds or replaces keys.
    """
    line: dict[str, Any] = {
        "schema_version": "0.3.0",
        "evaluation_id": "facts/org/m/1",
        "model_id": "org/m",
        "evaluation_name": "facts",
        "evaluation_result_id": result,
        "sample_id": sample,
        "interaction_type": "single_turn",
        "input": {"raw": f"Where is {sample}?", "reference": ["Paris", "in Paris"]},
        "output": {"raw": [answer], "reasoning_trace": ["Let me think. Rome?"]},
        "messages": None,
        "answer_attribution": [],
        "evaluation": {"score": score, "is_correct": score > 0},
        "metadata": {"epoch": "1"},
    }
    return line | more


def read_log_lines(tmp_path: Path, lines: list[Any]) -> tuple[Rows, Log]:
    """Return the rows of a file with these lines, and the description of the log."""
    log = Log()
    with open(write_jsonl(tmp_path / "s.jsonl", lines), "rb") as file:
        return list(read_table("json", file, log)), log


def test_all_lines_of_an_answer_become_one_row_with_its_scores(
    tmp_path: Path,
) -> None:
    lines = [
        make_line(),
        make_line(result="f1", score=0.0),
        make_line("s2", answer="Rome", score=0.0),
    ]
    rows, log = read_log_lines(tmp_path, lines)
    assert (log.tool, log.model, log.row_count, log.dropped_scores) == (TOOL, "org/m", 2, 0)
    assert rows == [
        {
            "id": "s1",
            "question": "Where is s1?",
            "reference": ["Paris", "in Paris"],
            "prediction": "Paris",
            "model": "org/m",
            "evaluation_name": "facts",
            "metadata": {"epoch": "1"},
            "acc": 1.0,
            "acc.is_correct": True,
            "f1": 0.0,
            "f1.is_correct": False,
        },
        {
            "id": "s2",
            "question": "Where is s2?",
            "reference": ["Paris", "in Paris"],
            "prediction": "Rome",
            "model": "org/m",
            "evaluation_name": "facts",
            "metadata": {"epoch": "1"},
            "acc": 0.0,
            "acc.is_correct": False,
        },
    ]


def test_chats_and_lists_that_a_converter_wrote_as_texts_are_parsed(
    tmp_path: Path,
) -> None:
    chat = json.dumps([{"role": "user", "content": "Question: Who wrote Emma?"}])
    rows, _ = read_log_lines(
        tmp_path, [make_line(input={"raw": chat, "reference": ["['Jane Austen', 'Austen']"]})]
    )
    assert (rows[0]["question"], rows[0]["reference"]) == (
        "Question: Who wrote Emma?",
        ["Jane Austen", "Austen"],
    )


# Lines as (sample, name of the score, answer); the expected rows as (sample, answer); the number of
# scores that are left out, because their lines do not follow the other lines of their answer.
ORDERS: list[tuple[list[tuple[str, str, str]], list[tuple[str, str]], int]] = [
    # All lines of one score before those of the next.
    (
        [("1", "acc", "a"), ("2", "acc", "b"), ("1", "f1", "a"), ("2", "f1", "b")],
        [("1", "a"), ("2", "b")],
        2,
    ),
    # Several answers to one sample, two of them equal.
    (
        [
            ("1", "acc", "a"),
            ("1", "f1", "a"),
            ("1", "acc", "a"),
            ("1", "f1", "a"),
            ("1", "acc", "c"),
        ],
        [("1", "a"), ("1", "a"), ("1", "c")],
        0,
    ),
    # The same samples in a second run.
    (
        [("1", "acc", "a"), ("2", "acc", "b"), ("1", "acc", "a"), ("2", "acc", "c")],
        [("1", "a"), ("2", "b"), ("1", "a"), ("2", "c")],
        0,
    ),
]


@pytest.mark.parametrize(("order", "expected", "n_left_out"), ORDERS)
def test_an_answer_with_several_scores_is_one_row(
    order: list[tuple[str, str, str]],
    expected: list[tuple[str, str]],
    n_left_out: int,
    tmp_path: Path,
) -> None:
    rows, log = read_log_lines(tmp_path, [make_line(*line) for line in order])
    assert [(row["id"], row["prediction"]) for row in rows] == expected
    assert log.dropped_scores == n_left_out
    assert ("left out" in log.describe()) == bool(n_left_out)


def test_samples_of_two_tasks_may_have_the_same_number_and_answer(tmp_path: Path) -> None:
    sum_line = make_line("1", "f1", evaluation_name="sums", input={"raw": "2?", "reference": []})
    lines = [make_line("1"), make_line("2"), sum_line]
    rows, log = read_log_lines(tmp_path, lines)
    assert [(row["evaluation_name"], row["id"]) for row in rows] == [
        ("facts", "1"),
        ("facts", "2"),
        ("sums", "1"),
    ]
    assert log.dropped_scores == 0


def test_several_responses_are_several_answers_and_models_are_systems(
    tmp_path: Path, score: Command
) -> None:
    lines = []
    for sample in ("s1", "s2"):
        lines.append(make_line(sample, output={"raw": ["Paris", "Rome"]}))
        lines.append(make_line(sample, model_id="org/n", answer="Rome"))
    rows, log = read_log_lines(tmp_path, lines)
    assert [(row["model"], row["prediction"]) for row in rows] == [
        ("org/m", "Paris"),
        ("org/m", "Rome"),
        ("org/n", "Rome"),
    ] * 2
    assert log.model == ""
    report = tmp_path / "report.json"
    assert score(tmp_path / "s.jsonl", "--metrics", "rouge", "--report", report).code == 0
    assert set(read_report(report)["systems"]) == {"org/m", "org/n"}


def make_conversation_line(*messages: dict[str, Any], kind: str = "multi_turn") -> Any:
    """Return a line with a conversation instead of an output."""
    turns = [{"turn_idx": number, **message} for number, message in enumerate(messages)]
    return make_line(interaction_type=kind, output=None, messages=turns)


QUESTION = {"role": "user", "content": "Where?"}
# A line with a conversation, and the answer that is read from it.
CONVERSATIONS: list[tuple[Any, str | None]] = [
    (make_conversation_line(QUESTION, {"role": "assistant", "content": "Paris"}), "Paris"),
    (
        make_conversation_line(
            {"role": "assistant", "content": "Hello"},
            QUESTION,
            {"role": "assistant", "content": "Rome"},
        ),
        "Rome",
    ),
    (make_conversation_line(QUESTION, {"role": "assistant", "content": None}), None),
    (
        make_conversation_line(
            QUESTION,
            {"role": "assistant", "content": "", "tool_calls": [{"id": "1", "name": "look"}]},
            kind="agentic",
        ),
        None,
    ),
    (make_conversation_line(QUESTION), None),
]


@pytest.mark.parametrize(("line", "answer"), CONVERSATIONS)
def test_the_assistants_last_message_in_a_conversation_is_the_answer_if_it_is_a_text(
    line: Any, answer: str | None, tmp_path: Path
) -> None:
    rows, _ = read_log_lines(tmp_path, [line])
    assert [row["prediction"] for row in rows] == [answer]


# The tool's other kind of file, which has results over all samples.
AGGREGATE = {
    "schema_version": "0.3.0",
    "evaluation_id": "e",
    "model_info": {},
    "evaluation_results": [],
}
# A line, and the words of the refusal.
REFUSED = [
    (make_line(schema_version="0.4.0"), "are of schema 0.4.0; those of 0.2, 0.3 can be read"),
    (make_line(schema_version="1.0"), "are of schema 1.0; those of 0.2, 0.3 can be read"),
    (
        make_line(evaluation={"score": 1.0}),
        f"its sample 1 is not as {TOOL} writes it (KeyError: 'is_correct')",
    ),
    (
        make_line(output={"text": "Paris"}),
        f"its sample 1 is not as {TOOL} writes it (KeyError: 'raw')",
    ),
    (AGGREGATE, f"This is what {TOOL} made of all samples, without the samples"),
]


@pytest.mark.parametrize(("line", "words"), REFUSED)
def test_other_schema_versions_and_malformed_lines_are_refused_with_the_reason(
    line: Any,
    words: str,
    tmp_path: Path,
    score: Command,
) -> None:
    ran = score(write_jsonl(tmp_path / "s.jsonl", [line]), "--metrics", "rouge")
    assert (ran.code, words in ran.err) == (2, True), ran.err


@pytest.mark.parametrize("version", ["0.2.1", "0.3.7", "instance_level_eval_0.2.1"])
def test_lines_of_other_versions_are_read_and_may_lack_the_name_of_the_score(
    version: str, tmp_path: Path
) -> None:
    """A score without a name has the name of its evaluation."""
    line = make_line(schema_version=version)
    del line["evaluation_result_id"]
    rows, _ = read_log_lines(tmp_path, [line])
    assert (rows[0]["prediction"], rows[0]["facts"], rows[0]["facts.is_correct"]) == (
        "Paris",
        1.0,
        True,
    )


def test_an_exported_file_can_be_scored_again_with_equal_scores(
    tmp_path: Path, score: Command
) -> None:
    answers = ["She was born in Paris.", "<think>Rome?</think>In Rome", "", "nobody knows"]
    rows = [
        {
            "id": f"q{number}",
            "question": f"Where is {number}?",
            "reference": ["Paris", "She was born in Paris."],
            "prediction": answer,
        }
        for number, answer in enumerate(answers)
    ]
    table = write_jsonl(tmp_path / "r.jsonl", rows)
    out = tmp_path / "r.json"
    again = tmp_path / "again.jsonl"
    metrics = ["--metrics", "correctness_estimate", "lv_eval_f1", "rouge"]
    assert score(table, *metrics, "--out", out, "--format", "every-eval-ever").code == 0
    # The samples are in a second file beside the results.
    ran = score(tmp_path / "r_samples.jsonl", *metrics, "--out", again)
    assert (ran.code, f"taken for a log of {TOOL}" in ran.err) == (0, True)
    scored = read_jsonl(again)
    assert [row["id"] for row in scored] == [row["id"] for row in rows]
    for row in scored:
        exported_scores = [name for name in row if name.startswith("input_")]
        assert len(exported_scores) == 8
        for name in exported_scores:
            assert row[name] == row[name.removeprefix("input_")]
    assert json.loads(out.read_text("utf-8"))["schema_version"] == "0.3.0"


def test_the_page_names_the_tool_of_a_log(tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "s.jsonl", [make_line(), make_line(result="f1")])
    for language, words in (("en", f"a log of {TOOL}."), ("zh", f"{TOOL} 的日志")):
        with speaking(language):
            upload = VisitorFile(
                path.name, untrusted.read_file(path, everything=True)
            ).select_filter("")
            shown = files_form.show_choices(Files([upload]))
        assert words in shown["status"]
