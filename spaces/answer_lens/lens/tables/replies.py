"""Reads the replies of models in the forms of common servers.

The forms are message parts, chats, whole replies and lines of batches: of OpenAI (chat,
completions, Responses), Anthropic and Gemini, and of compatible servers. Thinking, tool calls and
images are not part of an answer's text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Row = dict[str, Any]

# The roles of messages that ask the model.
USER_ROLES = ("user", "human")
ASKING_ROLES = (*USER_ROLES, "system", "developer")
# The keys of a reply's choices, for OpenAI and Gemini.
CHOICE_KEYS = ("choices", "candidates")
# The keys of a request's prompt.
PROMPT_KEYS = ("messages", "contents", "input", "prompt")
# The keys of the text of a message or of a part of it.
TEXT_KEYS = ("content", "text", "generated_text", "prompt")
# The keys of the id of a batch line.
BATCH_ID_KEYS = ("id", "custom_id", "key")
# The keys that a line of Gemini's batches may have. Other formats use each of them, too.
GEMINI_KEYS = {"key", "request", "response", "error", "status", "metadata", "processed_time"}


def read_reply(value: Any) -> str | None:
    """Return the text of a message, a reply or a chat.

    The result is "" for a message or a reply without text, such as one that calls a tool. It is
    None for a list of parts without text, a chat without an answer, and any other value.

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
    if choices is not None:
        return read_reply(choices[0]) if choices else ""
    output = value.get("output")
    if isinstance(output, list):
        return read_output_items(output)
    return read_message(value)


def find_choices(reply: Row) -> list[Any] | None:
    """Return the choices of a reply; None if it has no list of choices."""
    for key in CHOICE_KEYS:
        choices = reply.get(key)
        if isinstance(choices, list):
            return choices
    return None


def read_message_list(items: list[Any]) -> str | None:
    """Return the text of a message's parts, or of a chat's last answer; None for other lists."""
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
    """Return the text of the model's last message in a chat; None if there is none."""
    answers = [message for message in chat if message["role"].lower() not in ASKING_ROLES]
    return read_message(answers[-1]) if answers else None


def read_output_items(items: list[Any]) -> str | None:
    """Return the text of the messages in an output of OpenAI's Responses; None for other lists."""
    if not are_parts(items):
        return None
    texts = []
    for item in items:
        if item["type"] == "message":
            texts.append(read_message(item) or "")
    return "".join(texts)


def read_message(value: Row) -> str | None:
    """Return the text of a message or of a part of it; None for any other object."""
    for name in ("message", "output"):
        inner = value.get(name)
        if isinstance(inner, dict):
            return read_reply(inner)
    parts = value.get("parts")
    if isinstance(parts, list):
        return join_parts(parts)
    for name in TEXT_KEYS:
        text = read_content(value.get(name))
        if text is not None:
            return text
    # A message with neither text nor refusal calls a tool.
    if is_message(value) and ("content" in value or "refusal" in value):
        return str(value.get("refusal") or "")
    return None


def read_content(content: Any) -> str | None:
    """Return the text of a message's content: a text, parts or an object; else None."""
    if isinstance(content, str):
        return content
    if isinstance(content, dict):
        return read_reply(content)
    return join_parts(content) if are_objects(content) else None


def join_parts(parts: Sequence[Any]) -> str:
    """Join the texts of a message's parts, without thinking."""
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
    """Return the choices of a reply with several choices, or a list of only the value itself."""
    if not isinstance(value, dict):
        return [value]
    for name in CHOICE_KEYS:
        choices = value.get(name)
        if isinstance(choices, list) and len(choices) > 1:
            return list(choices)
    return [value]


def read_reply_choices(reply: Any) -> str | list[str | None] | None:
    """Return the text of a reply; None if it has no text.

    For a reply with several choices, a list of their texts is returned.
    """
    texts = [read_reply(choice) or None for choice in split_choices(reply)]
    return texts[0] if len(texts) == 1 else texts


def read_question(value: Any) -> str | None:
    """Return the question of a prompt.

    It is the prompt in a request, the last user message of a chat (or its last message, if no user
    speaks), or the text of a message or of parts. The result is None for any other value.

    >>> read_question([{"role": "user", "content": "Who?"}, {"role": "assistant", "content": "I."}])
    'Who?'
    """
    if isinstance(value, dict):
        for name in PROMPT_KEYS:
            if name in value:
                prompt = value[name]
                return prompt if isinstance(prompt, str) else read_question(prompt)
    if not is_chat(value):
        return read_reply(value)
    question = value[-1]
    for message in value:
        if message["role"].lower() in USER_ROLES:
            question = message
    return read_message(question)


def is_batch_line(row: Mapping[str, Any]) -> bool:
    """Return whether a row is a line of a batch output."""
    if "custom_id" in row:
        return any(name in row for name in ("response", "result", "error"))
    if not row.keys() <= GEMINI_KEYS:
        return False
    reply = row.get("response")
    if isinstance(reply, dict) and "candidates" in reply:
        return True
    return "key" in row and isinstance(row.get("error"), dict)


def is_reply_row(row: Mapping[str, Any]) -> bool:
    """Return whether a row is a whole reply of OpenAI or Gemini, perhaps with more columns."""
    choices = row.get("choices", row.get("candidates"))
    if "prediction" in row or not isinstance(choices, list) or not choices:
        return False
    first = choices[0]
    if not isinstance(first, dict):
        return False
    message = first.get("message", first.get("content"))
    return isinstance(message, dict)


def read_reply_row(row: Row) -> Row:
    """Return a row that is a whole reply, with the reply's text in the column "prediction".

    Several choices are several answers.
    """
    return {**row, "prediction": read_reply_choices(row)}


def read_batch_line(row: Row) -> Row:
    """Return a line of a batch output as a row with id, answer and model.

    All other keys stay unchanged.
    """
    reply = find_batch_reply(row)
    cells: Row = {"id": row.get("custom_id", row.get("key"))}
    if "request" in row:
        cells["question"] = read_question(row["request"])
    cells["prediction"] = read_reply_choices(reply)
    if isinstance(reply, dict) and ("model" in reply or "modelVersion" in reply):
        cells["model"] = reply.get("model", reply.get("modelVersion"))
    if "custom_id" in row and "id" in row:
        cells["request_id"] = row["id"]
    for name, cell in row.items():
        if name not in BATCH_ID_KEYS:
            cells[name] = cell
    return cells


def find_batch_reply(row: Row) -> Any:
    """Return the reply in a line of a batch output.

    It is Anthropic's message in the result, the body of OpenAI's response, or Gemini's response.
    """
    reply = row.get("response")
    result = row.get("result")
    if isinstance(result, dict):
        reply = result.get("message")
    body = reply.get("body") if isinstance(reply, dict) else None
    return body if isinstance(body, dict) else reply
