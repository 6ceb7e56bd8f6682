"""The replies of models, in the forms in which servers give them.

Message parts, chats, replies, and the lines of batches.

OpenAI's (chat, completions, Responses), Anthropic's, Gemini's and those that speak like them.
Thinking, tool calls and pictures are no text of an answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Row = dict[str, Any]

# The roles of those who ask.
USER_ROLES = ("user", "human")
ASKING_ROLES = (*USER_ROLES, "system", "developer")
# Where a reply has its choices: OpenAI's and Gemini's.
CHOICES = ("choices", "candidates")
# Where a request has what it asks.
PROMPTS = ("messages", "contents", "input", "prompt")
# Where a message, or a part of it, has its text.
TEXTS = ("content", "text", "generated_text", "prompt")
# The names of what a line of a batch may be called by.
BATCH_IDS = ("id", "custom_id", "key")
# The keys that a line of Gemini's batches may have; none of them is Gemini's alone.
GEMINI_KEYS = {"key", "request", "response", "error", "status", "metadata", "processed_time"}


def read_reply(value: Any) -> str | None:
    """Return the text of a message, a reply or a chat, empty where it has none.

    It is None for what is none of these.

    >>> read_reply({"choices": [{"message": {"role": "assistant", "content": "Paris."}}]})
    'Paris.'
    >>> read_reply([{"type": "thinking", "thinking": "?"}, {"type": "text", "text": "Paris."}])
    'Paris.'
    >>> parts = [{"text": "?", "thought": True}, {"text": "Paris."}]
    >>> read_reply({"candidates": [{"content": {"parts": parts}}]})
    'Paris.'
    >>> read_reply({"answer": "Paris."}), read_reply(["Paris."]), read_reply("Paris.")
    (None, None, None)
    """
    if isinstance(value, list):
        return read_message_list(value)
    if not isinstance(value, dict):
        return None
    choices = find_choices(value)
    if choices:
        return read_reply(choices[0])
    if choices is not None:
        return ""
    output = value.get("output")
    if isinstance(output, list):
        return read_output_items(output)
    return read_message(value)


def find_choices(reply: Row) -> list[Any] | None:
    """Return the choices of a reply; None if it has no list of them."""
    for name in CHOICES:
        if isinstance(reply.get(name), list):
            return reply[name]  # type: ignore[no-any-return]
    return None


def read_message_list(items: list[Any]) -> str | None:
    """Return the text of the parts of a message, or of the last answer in a chat.

    It is None for any other list.
    """
    if is_chat(items):
        return read_last_answer(items)
    if not are_parts(items):
        return None
    has_text = any(isinstance(item.get("text"), str) for item in items)
    return join_parts(items) if has_text else None


def is_chat(value: Any) -> bool:
    """Return whether a value is a list of messages."""
    if not value or not are_objects(value):
        return False
    return all(is_message(item) for item in value)


def are_objects(value: Any) -> bool:
    """Return whether a value is a list of objects; an empty list is one."""
    return isinstance(value, list) and all(isinstance(item, dict) for item in value)


def are_parts(items: list[Any]) -> bool:
    """Return whether the items of a list are objects that have a type."""
    return are_objects(items) and all("type" in item for item in items)


def read_last_answer(chat: Sequence[Row]) -> str | None:
    """Return the text of the last message that nobody asks with; None if a chat has none."""
    answers = [message for message in chat if message["role"].lower() not in ASKING_ROLES]
    return read_message(answers[-1]) if answers else None


def read_output_items(items: list[Any]) -> str | None:
    """Return the text of the messages in the output of OpenAI's Responses.

    It is None if it is another list.
    """
    if not are_parts(items):
        return None
    texts = []
    for item in items:
        if item["type"] == "message":
            texts.append(read_message(item) or "")
    return "".join(texts)


def read_message(value: Row) -> str | None:
    """Return the text of a message or of a part of it; None for an object that is neither."""
    for name in ("message", "output"):
        inner = value.get(name)
        if isinstance(inner, dict):
            return read_reply(inner)
    parts = value.get("parts")
    if isinstance(parts, list):
        return join_parts(parts)
    for name in TEXTS:
        text = read_content(value.get(name))
        if text is not None:
            return text
    # A message may have neither text nor refusal: then it calls a tool.
    if is_message(value) and ("content" in value or "refusal" in value):
        return str(value.get("refusal") or "")
    return None


def read_content(content: Any) -> str | None:
    """Return the text of the content of a message: a text, its parts or an object.

    It is None for all else.
    """
    if isinstance(content, str):
        return content
    if isinstance(content, dict):
        return read_reply(content)
    return join_parts(content) if are_objects(content) else None


def join_parts(parts: Sequence[Any]) -> str:
    """Return the texts of the parts of a message, without thinking aloud."""
    texts = []
    for part in parts:
        if not isinstance(part, dict) or part.get("thought"):
            continue
        text = part.get("text")
        if isinstance(text, str):
            texts.append(text)
    return "".join(texts)


def is_message(value: Mapping[str, Any]) -> bool:
    """Return whether an object is a message of a chat."""
    return isinstance(value.get("role"), str)


def split_choices(value: Any) -> list[Any]:
    """Return the choices of a reply that has several, and any other value alone."""
    if not isinstance(value, dict):
        return [value]
    for name in CHOICES:
        choices = value.get(name)
        if isinstance(choices, list) and len(choices) > 1:
            return list(choices)
    return [value]


def read_answers(reply: Any) -> str | list[str | None] | None:
    """Return the text of a reply, None if it has none.

    If a reply has several choices, the text of each.
    """
    answers = [read_reply(choice) or None for choice in split_choices(reply)]
    return answers[0] if len(answers) == 1 else answers


def read_question(value: Any) -> str | None:
    """Return what a prompt asks: the text of parts, or in a chat the last message of its user.

    It is None for all else.

    >>> read_question([{"role": "user", "content": "Who?"}, {"role": "assistant", "content": "I."}])
    'Who?'
    """
    if isinstance(value, dict):
        for name in PROMPTS:
            if name in value:
                prompt = value[name]
                return prompt if isinstance(prompt, str) else read_question(prompt)
    if not is_chat(value):
        return read_reply(value)
    asked = value[-1]
    for message in value:
        if message["role"].lower() in USER_ROLES:
            asked = message
    return read_message(asked)


def is_batch_line(row: Mapping[str, Any]) -> bool:
    """Return whether a row is a line of a batch's output."""
    if "custom_id" in row:
        return any(name in row for name in ("response", "result", "error"))
    if not row.keys() <= GEMINI_KEYS:
        return False
    reply = row.get("response")
    if isinstance(reply, dict) and "candidates" in reply:
        return True
    return "key" in row and isinstance(row.get("error"), dict)


def is_reply_row(row: Mapping[str, Any]) -> bool:
    """Return whether a row is a whole reply of OpenAI or Gemini.

    It may have more columns beside it.
    """
    choices = row.get("choices", row.get("candidates"))
    if "prediction" in row or not isinstance(choices, list) or not choices:
        return False
    first = choices[0]
    if not isinstance(first, dict):
        return False
    message = first.get("message", first.get("content"))
    return isinstance(message, dict)


def read_reply_row(row: Row) -> Row:
    """Return a row that is a whole reply with its text as the answer.

    Several choices are several answers.
    """
    return {**row, "prediction": read_answers(row)}


def read_batch_line(row: Row) -> Row:
    """Return a line of a batch's output as a row: its id, answer, model and error.

    All else as it stands.
    """
    reply = find_batch_reply(row)
    line: Row = {"id": row.get("custom_id", row.get("key"))}
    if "request" in row:
        line["question"] = read_question(row["request"])
    line["prediction"] = read_answers(reply)
    if isinstance(reply, dict) and ("model" in reply or "modelVersion" in reply):
        line["model"] = reply.get("model", reply.get("modelVersion"))
    if "custom_id" in row and "id" in row:
        line["request_id"] = row["id"]
    for name, cell in row.items():
        if name not in BATCH_IDS:
            line[name] = cell
    return line


def find_batch_reply(row: Row) -> Any:
    """Return the reply in a line of a batch's output.

    Anthropic's result, OpenAI's body of a response, or Gemini's.
    """
    reply = row.get("response")
    result = row.get("result")
    if isinstance(result, dict):
        reply = result.get("message")
    body = reply.get("body") if isinstance(reply, dict) else None
    return body if isinstance(body, dict) else reply
