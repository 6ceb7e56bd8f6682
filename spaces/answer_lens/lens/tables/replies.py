"""What a model said, in the forms in which servers give it: message parts, chats, replies and the lines of batches.

OpenAI's (chat, completions, Responses), Anthropic's, Gemini's and those that speak like them. Thinking, tool calls and
pictures are no text of an answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Row = dict[str, Any]

# Who asks, as chats name it.
ASKING = ("user", "human", "system", "developer")
# Where a message, or a part of it, has its text.
TEXTS = ("content", "text", "generated_text", "prompt")
# What a line of Gemini's batches may have, which has no name of its own.
GEMINI_LINE = {"key", "request", "response", "error", "status", "metadata", "processed_time"}


def read_reply(value: Any) -> str | None:
    """Return the text of a message, a reply or a chat, empty where it has none; None for what is none of these.

    >>> read_reply({"choices": [{"message": {"role": "assistant", "content": "Paris."}}]})
    'Paris.'
    >>> read_reply([{"type": "thinking", "thinking": "?"}, {"type": "text", "text": "Paris."}])
    'Paris.'
    >>> read_reply({"candidates": [{"content": {"parts": [{"text": "?", "thought": True}, {"text": "Paris."}]}}]})
    'Paris.'
    >>> read_reply({"answer": "Paris."}), read_reply(["Paris."]), read_reply("Paris.")
    (None, None, None)
    """
    if isinstance(value, list):
        return read_list_of_messages(value)
    if not isinstance(value, dict):
        return None
    several = next((value[name] for name in ("choices", "candidates") if isinstance(value.get(name), list)), None)
    if several is not None:
        return read_reply(several[0]) if several else ""
    if isinstance(value.get("output"), list):
        return read_items(value["output"])
    return read_message(value)


def read_list_of_messages(value: list[Any]) -> str | None:
    """Return the text of parts of a message, or of what a chat ends with; None for any other list."""
    if not value or not all(isinstance(one, dict) for one in value):
        return None
    if all(is_message(one) for one in value):
        said = [one for one in value if str(one["role"]).lower() not in ASKING]
        return read_message(said[-1]) if said else None
    if all("type" in one for one in value) and any(isinstance(one.get("text"), str) for one in value):
        return join_parts(value)
    return None


def read_items(items: list[Any]) -> str | None:
    """Return the text of the messages in the output of OpenAI's Responses; None where it is another list."""
    if not all(isinstance(one, dict) and "type" in one for one in items):
        return None
    return "".join(read_message(one) or "" for one in items if one["type"] == "message")


def read_message(value: Row) -> str | None:
    """Return the text of a message or of a part of it; None for an object that is neither."""
    for name in ("message", "output"):
        if isinstance(value.get(name), dict):
            return read_reply(value[name])
    if isinstance(value.get("parts"), list):
        return join_parts(value["parts"])
    for name in TEXTS:
        text = read_content(value.get(name))
        if text is not None:
            return text
    if is_message(value) and ("content" in value or "refusal" in value):
        return str(value.get("refusal") or "")
    return None


def read_content(content: Any) -> str | None:
    """Return the text of what stands in a message: a text, its parts or an object; None for all else."""
    if isinstance(content, str):
        return content
    if isinstance(content, list) and all(isinstance(one, dict) for one in content):
        return join_parts(content)
    return read_reply(content) if isinstance(content, dict) else None


def join_parts(parts: Sequence[Any]) -> str:
    """Return the texts of some parts of a message, without thinking aloud."""
    texts = [one["text"] for one in parts if isinstance(one, dict) and isinstance(one.get("text"), str)
             and not one.get("thought")]  # fmt: skip
    return "".join(texts)


def is_message(value: Mapping[str, Any]) -> bool:
    """Return whether an object is a message of a chat."""
    return isinstance(value.get("role"), str)


def split_choices(value: Any) -> list[Any]:
    """Return the choices of a reply that has several, and any other value alone."""
    if isinstance(value, dict):
        for name in ("choices", "candidates"):
            if isinstance(value.get(name), list) and len(value[name]) > 1:
                return list(value[name])
    return [value]


def read_question(value: Any) -> str | None:
    """Return what a prompt asks: the text of parts, or in a chat the last message of its user; None for all else.

    >>> read_question([{"role": "user", "content": "Who?"}, {"role": "assistant", "content": "I."}])
    'Who?'
    """
    for name in ("messages", "contents", "input", "prompt"):
        if isinstance(value, dict) and name in value:
            inner = value[name]
            return inner if isinstance(inner, str) else read_question(inner)
    if isinstance(value, list) and value and all(isinstance(one, dict) and is_message(one) for one in value):
        asked = [one for one in value if one["role"].lower() in ("user", "human")] or value
        return read_message(asked[-1])
    return read_reply(value)


def is_batch_line(row: Mapping[str, Any]) -> bool:
    """Return whether a row is a line of a batch's output."""
    if "custom_id" in row:
        return bool({"response", "result", "error"} & {*row})
    reply = row.get("response")
    is_gemini = {*row} <= GEMINI_LINE and isinstance(reply, dict) and "candidates" in reply
    return is_gemini or ({"key", "error"} <= {*row} <= GEMINI_LINE and isinstance(row["error"], dict))


def is_reply_row(row: Mapping[str, Any]) -> bool:
    """Return whether a row is a whole reply of OpenAI's or Gemini's, perhaps with more columns beside it."""
    choices = row.get("choices", row.get("candidates"))
    if "prediction" in row or not isinstance(choices, list) or not choices:
        return False
    first = choices[0]
    return isinstance(first, dict) and isinstance(first.get("message", first.get("content")), dict)


def read_reply_row(row: Row) -> Row:
    """Return a row that is a whole reply with its text as the answer; several choices are several answers."""
    answers = [read_reply(choice) or None for choice in split_choices(row)]
    return {**row, "prediction": answers[0] if len(answers) == 1 else answers}


def read_batch_line(row: Row) -> Row:
    """Return a line of a batch's output as a row: its id, answer, model and error; all else as it stands."""
    reply = row.get("response")
    if isinstance(row.get("result"), dict):
        reply = row["result"].get("message")
    if isinstance(reply, dict) and isinstance(reply.get("body"), dict):
        reply = reply["body"]
    answers = [read_reply(one) or None for one in split_choices(reply)]
    found: Row = {"id": row.get("custom_id", row.get("key"))}
    if "request" in row:
        found["question"] = read_question(row["request"])
    found["prediction"] = answers[0] if len(answers) == 1 else answers
    if isinstance(reply, dict) and ("model" in reply or "modelVersion" in reply):
        found["model"] = reply.get("model", reply.get("modelVersion"))
    if "custom_id" in row and "id" in row:
        found["request_id"] = row["id"]
    return found | {name: cell for name, cell in row.items() if name not in ("id", "custom_id", "key")}
