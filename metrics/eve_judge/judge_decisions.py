# A copy of metrics/shared/judge_decisions.py: change that one, then run `make copies`.
"""Decision models: judges that answer a typed question with a probability, and write no text.

There are two formats. "decisions" is OpenAI's `POST /decisions` (resources/decisions.py and
types/decision*.py of openai 3.57); Fireworks has it too. "systemone" is `POST /systemone` of vLLM,
llama.cpp, Ollama, SGLang, TypeSafe and OpenRouter. A yes-or-no question is called a predicate in
the first and a noul in the second. Several questions about the same state go in one request.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .judge_replies import (
    NO_MODEL,
    Outcome,
    Reply,
    classify_error,
    classify_error_in_reply,
    format_plain_line,
    has_error,
    look_up,
    make_failure,
    parse_json,
)

DECISIONS, SYSTEM_ONE = "decisions", "systemone"
APIS = (DECISIONS, SYSTEM_ONE)
# The most questions in a request. OpenAI and Fireworks take 400. Among the servers of System One
# the smallest limit is 64 (Cloudflare).
MAX_QUESTIONS = {DECISIONS: 400, SYSTEM_ONE: 64}
# Words of a server that expects the other format. It may also say that it has no such path.
OTHER_FORMAT = re.compile(
    r"\b(?:state|input)\b.{0,60}\b(?:required|missing|unknown|unrecognized|unexpected|must be"
    r"|should be)\b"
    r"|\b(?:required|missing|unknown|unrecognized|unexpected)\b.{0,60}\b(?:state|input)\b",
    re.I,
)
# Words of a server whose model gives no decisions.
NO_DECISION_MODEL = re.compile(
    r"not a decision model|n[o']t support(?:ed for|ed by)? (?:the )?(?:decision|system.?one)"
    r"|(?:decisions?|system.?one)(?: API)? (?:is|are) not supported"
    r"|only `?[\w.-]{1,40}`? is supported",
    re.I,
)


# Only failures for these reasons may have the wrong format or model as their cause. A text that is
# too long, for example, never has.
MISREAD_REASONS = {"bad_request", "parameter_refused"}
NO_DECISION_REASONS = {*MISREAD_REASONS, "no_model", "server_error"}

# The JSON of a response.
Body = Mapping[str, Any]
# The tokens of a reply, by "input" and "output".
Tokens = dict[str, int]


@dataclass(frozen=True)
class Decision:
    """The form of a question.

    Args:
        choices: the meaning of each choice, by its value; empty for a yes-or-no question.
    """

    choices: Mapping[str, str] = field(default_factory=dict)


def build_questions(
    api: str,
    decision: Decision,
    state: str,
    instructions: Sequence[str],
) -> dict[str, Any]:
    """Return the parts of a request that hold its questions.

    Args:
        api: the format.
        decision: the form of the questions.
        state: the text that the questions are about.
        instructions: the text of each question.
    """
    question_list = []
    questions_by_name = {}
    for place, text in enumerate(instructions):
        name = name_question(place)
        question_list.append(build_predicate(name, text, decision))
        questions_by_name[name] = build_noul(text, decision)
    if api == DECISIONS:
        return {"input": state, "questions": question_list}
    return {"state": state, "questions": questions_by_name}


def build_predicate(
    name: str,
    text: str,
    decision: Decision,
) -> dict[str, Any]:
    """Return a question in OpenAI's format."""
    question: dict[str, Any] = {
        "type": "predicate",
        "name": name,
        "instructions": text,
    }
    if not decision.choices:
        return question
    choices = []
    for value, words in decision.choices.items():
        choices.append({"value": value, "description": words})
    return {**question, "type": "choice", "choices": choices}


def build_noul(text: str, decision: Decision) -> dict[str, Any]:
    """Return a question in System One's format."""
    if decision.choices:
        return {
            "type": "choice",
            "instructions": text,
            "criteria": dict(decision.choices),
        }
    return {"type": "noul", "instructions": text}


def name_question(place: int) -> str:
    """Return the name of a question, from its place in a request."""
    return f"reference_{place + 1}"


def read_decisions(
    api: str,
    status: int,
    text: str,
) -> tuple[Reply, Outcome]:
    """Return the body of a response, and an empty outcome or the failure.

    Args:
        api: the format that was asked for.
        status: the HTTP status of the response.
        text: the body of the response.
    """
    body = parse_json(text)
    if 200 <= status < 300 and not isinstance(body, dict):
        message = f"HTTP {status}, but the body is no JSON object: {format_plain_line(text, 80)}"
        return {}, make_failure("not_json", message)
    if not 200 <= status < 300:
        failure = classify_error(status, f"HTTP {status}", text, body)
        return {}, explain_error(api, status, failure)
    if has_error(body):
        return {}, classify_error_in_reply(status, text, body)
    answers = body.get("answers")
    if not isinstance(answers, list if api == DECISIONS else dict):
        message = f"the reply has no answers in the format {api!r}: {format_plain_line(text, 80)}"
        return {}, make_failure("no_answers", message, kind="row")
    return body, {}


def explain_error(api: str, status: int, outcome: Outcome) -> Outcome:
    """Return the failure of a request; it names the remedy for a wrong format or model."""
    words, reason = outcome["message"], outcome["reason"]
    if reason in NO_DECISION_REASONS and NO_DECISION_MODEL.search(words):
        message = f"{words}; decisions are what models such as gpt-6-luna and jev give"
        return make_failure("no_decisions", message, kind="stop")
    has_no_path = status in (404, 405)
    if has_no_path and re.search(NO_MODEL, words.lower()):
        return outcome
    is_misread = reason in MISREAD_REASONS and OTHER_FORMAT.search(words)
    if has_no_path or is_misread:
        other = SYSTEM_ONE if api == DECISIONS else DECISIONS
        message = f"{words}; the server may lack /{api}: api={other!r} asks in the other format"
        return make_failure("wrong_api", message, kind="stop")
    return outcome


def split_reply(
    api: str,
    body: Body,
    count: int,
) -> list[Reply]:
    """Return the reply to each question: its answer, and its share of the tokens.

    Args:
        api: the format.
        body: the body of a response.
        count: how many questions were asked.
    """
    answers = match_answers(body["answers"], count)
    usages = split_tokens(count_tokens(body), count)
    model = body.get("model")
    replies = []
    for place, (answer, usage) in enumerate(zip(answers, usages, strict=True)):
        is_refused = look_up(answer, "type") == "refusal"
        reply: Reply = {
            "model": format_plain_line(model, 80) if isinstance(model, str) else None,
            "usage": usage,
            "finish": "stop",
            "text": None,
            "refusal": "the model declined to answer the question" if is_refused else None,
            "first_token": None,
            "answer": trim_answer(answer),
        }
        if was_truncated(body, place):
            reply["truncated"] = True
        replies.append(reply)
    return replies


def match_answers(answers: Any, count: int) -> list[Any]:
    """Return the answer to each question; None if it is missing or not unique."""
    names = [name_question(place) for place in range(count)]
    if isinstance(answers, Mapping):
        return [answers.get(name) for name in names]
    answer_names = [look_up(answer, "name") for answer in answers]
    if not any(answer_names):
        # Answers without names are in the order of the questions.
        return list(answers) if len(answers) == count else [None] * count
    matches = []
    for name in names:
        is_unique = answer_names.count(name) == 1
        matches.append(answers[answer_names.index(name)] if is_unique else None)
    return matches


def was_truncated(body: Body, place: int) -> bool:
    """Return whether the server reports that it cut off a part of the texts."""
    cut = look_up(body, "usage", "truncated_questions")
    is_cut = isinstance(cut, list) and name_question(place) in cut
    return is_cut or look_up(body, "usage", "truncated") is True


def trim_answer(answer: Any) -> dict[str, Any] | None:
    """Return the parts of an answer that are read, with the names of OpenAI's format."""
    if not isinstance(answer, Mapping):
        return None
    kind = format_plain_line(str(answer.get("type")), 40)
    if kind == "noul":
        return {"type": "predicate", "probability": trim_number(answer.get("noul"))}
    if kind == "predicate":
        return {"type": kind, "probability": trim_number(answer.get("probability"))}
    if kind != "choice":
        return {"type": kind}
    choice = answer.get("choice")
    return {
        "type": kind,
        "choice": choice if isinstance(choice, bool) else format_plain_line(str(choice), 80),
        "probabilities": trim_probabilities(answer.get("probabilities")),
    }


def trim_number(value: Any) -> Any:
    """Return a number unchanged, and any other value as a short text."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return value if is_number else format_plain_line(repr(value), 80)


def trim_probabilities(listed: Any) -> dict[str, Any] | None:
    """Return the probabilities of choices by their values.

    Return None if they are not listed, or if a choice is listed twice.
    """
    if isinstance(listed, Mapping):
        return {
            format_plain_line(value, 80): trim_number(number) for value, number in listed.items()
        }
    if not isinstance(listed, list):
        return None
    probabilities = {}
    for entry in listed:
        value = format_plain_line(str(look_up(entry, "value")), 80)
        probabilities[value] = trim_number(look_up(entry, "probability"))
    return probabilities if len(probabilities) == len(listed) else None


def count_tokens(body: Body) -> Tokens | None:
    """Return the tokens of a reply, or None if the server does not report them."""
    read = find_count(body, "input_tokens", "prompt_tokens")
    written = find_count(body, "output_tokens", "completion_tokens")
    if read is None or written is None:
        return None
    return {"input": read, "output": written}


def find_count(body: Body, *names: str) -> int | None:
    """Return the number of tokens that a server reports under the first of some names."""
    for name in names:
        count = look_up(body, "usage", name)
        if type(count) is int and count >= 0:
            return count
    return None


def split_tokens(
    usage: Tokens | None,
    count: int,
) -> list[Tokens | None]:
    """Return the share of each question in the tokens of a request.

    The shares are whole numbers and add up to the tokens of the request.
    """
    if usage is None:
        return [None] * count
    parts: list[Tokens | None] = []
    for place in range(count):
        part = {}
        for side, total in usage.items():
            before = total * place // count
            part[side] = total * (place + 1) // count - before
        parts.append(part)
    return parts
