"""A model's answer is read from replies of servers, parts of messages and outputs of batches."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from lens.tables.replies import (
    is_batch_line,
    read_batch_line,
    read_question,
    read_reply,
    split_choices,
)
from pyarrow import parquet

from tests.demo.command_runs import Command, write_jsonl

CHAT = {
    "id": "c",
    "model": "m",
    "choices": [{"index": 0, "message": {"role": "assistant", "content": "Paris."}}],
}
RESPONSES = {
    "object": "response",
    "output": [
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": "Lyon?"}]},
        {
            "type": "message",
            "role": "assistant",
            "content": [{"type": "output_text", "text": "Paris."}],
        },
    ],
}
ANTHROPIC = {
    "type": "message",
    "role": "assistant",
    "model": "m",
    "content": [
        {"type": "thinking", "thinking": "Lyon?"},
        {"type": "text", "text": "Pa"},
        {"type": "text", "text": "ris."},
    ],
}
GEMINI = {
    "candidates": [
        {
            "content": {
                "role": "model",
                "parts": [{"text": "Lyon?", "thought": True}, {"text": "Paris."}],
            }
        },
    ],
    "modelVersion": "m",
}
# Replies whose text is "Paris.".
REPLIES: list[Any] = [
    CHAT,
    RESPONSES,
    ANTHROPIC,
    GEMINI,
    {"choices": [{"text": "Paris.", "index": 0}]},
    {"message": {"role": "assistant", "content": "Paris."}, "done": True},
    {"output": {"message": {"role": "assistant", "content": [{"text": "Paris."}]}}},
    {"generated_text": "Paris."},
    {"role": "assistant", "content": "Paris."},
    [{"type": "text", "text": "Paris."}],
    [{"role": "user", "content": "Where?"}, {"role": "assistant", "content": "Paris."}],
]
WITHOUT_TEXT: list[Any] = [
    {"choices": []},
    {"candidates": [], "promptFeedback": {"blockReason": "SAFETY"}},
    {"choices": [{"message": {"role": "assistant", "content": None, "tool_calls": [{}]}}]},
    {"output": [{"type": "reasoning", "summary": []}]},
]
NO_REPLIES: list[Any] = [
    "Paris.",
    5,
    None,
    [],
    ["Paris."],
    {},
    {"answer": "Paris."},
    [{"a": 1}],
    {"output": [1]},
]


def make_choices(*answers: str) -> dict[str, Any]:
    """Return a reply with several choices."""
    choices = [{"message": {"role": "assistant", "content": answer}} for answer in answers]
    return {"choices": choices}


@pytest.mark.parametrize("reply", REPLIES)
def test_the_text_of_a_reply_is_read_from_each_format(reply: Any) -> None:
    assert read_reply(reply) == "Paris."


@pytest.mark.parametrize("reply", WITHOUT_TEXT)
def test_a_reply_without_a_text_is_an_empty_answer(reply: Any) -> None:
    assert read_reply(reply) == ""


@pytest.mark.parametrize("value", NO_REPLIES)
def test_a_value_that_is_no_reply_is_not_changed(value: Any) -> None:
    assert read_reply(value) is None


def test_each_choice_of_a_reply_is_an_answer() -> None:
    replies = split_choices(make_choices("Paris.", "Lyon."))
    assert list(map(read_reply, replies)) == ["Paris.", "Lyon."]


def test_the_question_is_read_from_the_messages_of_a_prompt() -> None:
    opencompass = [{"role": "HUMAN", "prompt": "Where?"}, {"role": "BOT", "prompt": "Paris."}]
    gemini = {"contents": [{"role": "user", "parts": [{"text": "Where?"}]}]}
    assert read_question(opencompass) == "Where?"
    assert read_question(gemini) == "Where?"


# A line of the output of a batch, and cells of its row.
LINES: list[tuple[dict[str, Any], dict[str, Any]]] = [
    (
        {
            "id": "b1",
            "custom_id": "q1",
            "response": {"status_code": 200, "body": CHAT},
            "error": None,
        },
        {
            "id": "q1",
            "prediction": "Paris.",
            "model": "m",
            "request_id": "b1",
            "error": None,
        },
    ),
    (
        {
            "id": "b1",
            "custom_id": "q1",
            "response": {"status_code": 200, "body": RESPONSES},
            "error": None,
        },
        {"id": "q1", "prediction": "Paris."},
    ),
    (
        {
            "id": "b2",
            "custom_id": "q2",
            "response": None,
            "error": {"message": "timeout"},
        },
        {"id": "q2", "prediction": None, "error": {"message": "timeout"}},
    ),
    (
        {"custom_id": "q1", "result": {"type": "succeeded", "message": ANTHROPIC}},
        {"id": "q1", "prediction": "Paris.", "model": "m"},
    ),
    (
        {"custom_id": "q2", "result": {"type": "errored", "error": {}}},
        {"id": "q2", "prediction": None},
    ),
    (
        {"key": "q1", "response": GEMINI},
        {"id": "q1", "prediction": "Paris.", "model": "m"},
    ),
    (
        {"key": "q2", "error": {"code": 3}},
        {"id": "q2", "prediction": None},
    ),
    (
        {
            "status": "",
            "request": {"contents": [{"role": "user", "parts": [{"text": "Where?"}]}]},
            "response": GEMINI,
        },
        {"id": None, "question": "Where?", "prediction": "Paris."},
    ),
]
OTHER_LINES: list[dict[str, Any]] = [
    {"id": 1, "response": "Paris."},
    {"key": "a", "response": {"text": "b"}},
    {"key": "a", "value": "b"},
]


@pytest.mark.parametrize(("line", "row"), LINES)
def test_a_line_of_the_output_of_a_batch_is_read_as_a_row(
    line: dict[str, Any], row: dict[str, Any]
) -> None:
    assert is_batch_line(line)
    assert row.items() <= read_batch_line(line).items()


@pytest.mark.parametrize("line", OTHER_LINES)
def test_other_lines_are_not_taken_for_the_output_of_a_batch(line: dict[str, Any]) -> None:
    assert not is_batch_line(line)


def test_replies_in_a_column_are_scored_by_their_text(tmp_path: Path, score: Command) -> None:
    out = tmp_path / "out.parquet"
    rows = [{"reference": "paris", "response": reply} for reply in REPLIES]
    path = write_jsonl(tmp_path / "a.jsonl", rows)
    run = score(path, "--metrics", "rouge", "--out", out)
    assert "ROUGE-1         1.0000" in run.out
    assert f"whose text counts: {len(rows)} (row 1, 2" in run.err
    assert parquet.read_table(out)["response"].to_pylist() == ["Paris."] * len(rows)

    # Of the replies, only CHAT has a text under this name.
    run = score(path, "--metrics", "rouge", "--prediction", "response.choices.0.message.content")
    assert "Rows without an answer" in run.err
    assert f"empty answer: {len(rows) - 1} (row 2, 3" in run.err


def test_two_choices_are_two_answers_to_one_question(tmp_path: Path, score: Command) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({"reference": "Paris", "response": make_choices("Paris", "Lyon")}))
    assert "0.5000" in score(path, "--metrics", "rouge").out


@pytest.mark.parametrize(
    "value", [[[]] * 50_000, {"choices": [{}] * 50_000}, [{"role": "user"}] * 50_000]
)
def test_long_values_that_only_begin_like_a_reply_are_no_reply(value: Any) -> None:
    assert read_reply(value) is None
