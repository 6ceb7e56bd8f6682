"""What a model said is read from the replies of servers, the parts of messages and the output of batches."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from lens.tables.replies import is_batch_line, read_batch_line, read_question, read_reply, split_choices

from tests.demo.commanded import Command
from tests.demo.commanded import score as score

CHAT = {"id": "c", "model": "m", "choices": [{"index": 0, "message": {"role": "assistant", "content": "Paris."}}]}
RESPONSES = {
    "object": "response",
    "output": [
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": "Lyon?"}]},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Paris."}]},
    ],
}
ANTHROPIC = {
    "type": "message", "role": "assistant", "model": "m",
    "content": [
        {"type": "thinking", "thinking": "Lyon?"}, {"type": "text", "text": "Pa"}, {"type": "text", "text": "ris."},
    ],
}  # fmt: skip
GEMINI = {
    "candidates": [{"content": {"role": "model", "parts": [{"text": "Lyon?", "thought": True}, {"text": "Paris."}]}}],
    "modelVersion": "m",
}
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
NO_REPLIES: list[Any] = ["Paris.", 5, None, [], ["Paris."], {}, {"answer": "Paris."}, [{"a": 1}], {"output": [1]}]


def test_the_text_of_a_reply() -> None:
    assert [read_reply(one) for one in REPLIES] == ["Paris."] * len(REPLIES)
    assert [read_reply(one) for one in WITHOUT_TEXT] == [""] * len(WITHOUT_TEXT)
    assert [read_reply(one) for one in NO_REPLIES] == [None] * len(NO_REPLIES)
    two = {"choices": [{"message": {"role": "assistant", "content": one}} for one in ("Paris.", "Lyon.")]}
    assert [read_reply(one) for one in split_choices(two)] == ["Paris.", "Lyon."]
    asked = [{"role": "HUMAN", "prompt": "Where?"}, {"role": "BOT", "prompt": "Paris."}]
    assert (read_question(asked), read_question({"contents": [{"role": "user", "parts": [{"text": "Where?"}]}]})) == (
        "Where?",
        "Where?",
    )


LINES: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"id": "b1", "custom_id": "q1", "response": {"status_code": 200, "body": CHAT}, "error": None},
     {"id": "q1", "prediction": "Paris.", "model": "m", "request_id": "b1", "error": None}),
    ({"id": "b1", "custom_id": "q1", "response": {"status_code": 200, "body": RESPONSES}, "error": None},
     {"id": "q1", "prediction": "Paris."}),
    ({"id": "b2", "custom_id": "q2", "response": None, "error": {"message": "timeout"}},
     {"id": "q2", "prediction": None, "error": {"message": "timeout"}}),
    ({"custom_id": "q1", "result": {"type": "succeeded", "message": ANTHROPIC}},
     {"id": "q1", "prediction": "Paris.", "model": "m"}),
    ({"custom_id": "q2", "result": {"type": "errored", "error": {}}}, {"id": "q2", "prediction": None}),
    ({"key": "q1", "response": GEMINI}, {"id": "q1", "prediction": "Paris.", "model": "m"}),
    ({"key": "q2", "error": {"code": 3}}, {"id": "q2", "prediction": None}),
    ({"status": "", "request": {"contents": [{"role": "user", "parts": [{"text": "Where?"}]}]}, "response": GEMINI},
     {"id": None, "question": "Where?", "prediction": "Paris."}),
]  # fmt: skip


def test_a_line_of_a_batch_is_a_row() -> None:
    for line, row in LINES:
        assert is_batch_line(line)
        assert row.items() <= read_batch_line(line).items()
    for line in ({"id": 1, "response": "Paris."}, {"key": "a", "response": {"text": "b"}}, {"key": "a", "value": "b"}):
        assert not is_batch_line(line)


def test_replies_in_a_column_are_scored_by_their_text(tmp_path: Path, score: Command) -> None:
    given, out = tmp_path / "a.jsonl", tmp_path / "out.parquet"
    rows = [{"reference": "paris", "response": reply} for reply in REPLIES]
    given.write_text("".join(json.dumps(row) + "\n" for row in rows))
    ran = score(given, "--metrics", "rouge", "--out", out)
    assert "ROUGE-1         1.0000" in ran.out
    assert f"of which the text counts: {len(rows)} (row 1, 2" in ran.err
    from pyarrow import parquet

    assert parquet.read_table(out)["response"].to_pylist() == ["Paris."] * len(rows)
    ran = score(given, "--metrics", "rouge", "--prediction", "response.choices.0.message.content")
    assert "Rows without an answer" in ran.err
    # Two choices are two answers to one question.
    two = {"choices": [{"message": {"role": "assistant", "content": one}} for one in ("Paris", "Lyon")]}
    given.write_text(json.dumps({"reference": "Paris", "response": two}))
    assert "0.5000" in score(given, "--metrics", "rouge").out


@pytest.mark.parametrize("value", [[[]] * 50_000, {"choices": [{}] * 50_000}, [{"role": "user"}] * 50_000])
def test_what_is_no_reply_has_no_text(value: Any) -> None:
    assert not read_reply(value)
