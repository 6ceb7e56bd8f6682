"""Judges that answer a typed question with a probability, in one pass and without text: two formats of one thing.

"decisions" is OpenAI's `POST /decisions` (resources/decisions.py and types/decision*.py of openai 3.57); Fireworks has
it too. "systemone" is `POST /systemone` of vLLM, llama.cpp, Ollama, SGLang, TypeSafe and OpenRouter. A predicate of the
one is a noul of the other. Several questions about the same state go in one request.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .judge_replies import NO_MODEL, Outcome, Reply, classify_error, classify_error_in_reply, has_error, look_up
from .judge_replies import make_failure, parse_json, plain_line

DECISIONS, SYSTEM_ONE = "decisions", "systemone"
APIS = (DECISIONS, SYSTEM_ONE)
# Most questions of a request. OpenAI and Fireworks take 400; of System One's servers the least is 64 (Cloudflare).
MAX_QUESTIONS = {DECISIONS: 400, SYSTEM_ONE: 64}
# A softmax in single precision may exceed 1 by this much, and rounded probabilities may miss a sum of 1 by this much.
ROUNDING, SUM_ROUNDING = 1e-6, 0.02
# What a server says that was asked in the other format, besides that it has no such path.
OTHER_FORMAT = re.compile(
    r"\b(state|input|questions)\b.{0,60}\b(required|missing|unknown|unrecognized|unexpected|must be|should be|valid)"
    r"|\b(required|missing|unknown|unrecognized|unexpected)\b.{0,60}\b(state|input|questions)\b",
    re.I,
)
# What a server says of a model that is none for decisions.
NO_DECISION_MODEL = re.compile(
    r"not a decision model|(does not|doesn't|not) support\w* .{0,40}(decision|system.?one)"
    r"|(decision|system.?one)\w* .{0,40}\b(is|are) not supported|only .{0,40} is supported",
    re.I,
)


@dataclass(frozen=True)
class Decision:
    """The form of a question.

    Args:
        choices: what each choice means, by its value; none for a question of yes or no.
    """

    choices: Mapping[str, str] = field(default_factory=dict)


def build_questions(api: str, decision: Decision, state: str, instructions: Sequence[str]) -> dict[str, Any]:
    """Return what a request has besides its model and parameters.

    Args:
        api: the format.
        decision: the form of the questions.
        state: what they are about.
        instructions: the text of each question.
    """
    if api == DECISIONS:
        questions = [build_predicate(name_question(i), text, decision) for i, text in enumerate(instructions)]
        return {"input": state, "questions": questions}
    named = {name_question(i): build_noul(text, decision) for i, text in enumerate(instructions)}
    return {"state": state, "questions": named}


def build_predicate(name: str, text: str, decision: Decision) -> dict[str, Any]:
    """Return a question in OpenAI's format."""
    question: dict[str, Any] = {"type": "predicate", "name": name, "instructions": text}
    if decision.choices:
        question["type"] = "choice"
        question["choices"] = [{"value": value, "description": words} for value, words in decision.choices.items()]
    return question


def build_noul(text: str, decision: Decision) -> dict[str, Any]:
    """Return a question in System One's format."""
    if decision.choices:
        return {"type": "choice", "instructions": text, "criteria": dict(decision.choices)}
    return {"type": "noul", "instructions": text}


def name_question(place: int) -> str:
    """Return the name of a question by its place in a request."""
    return f"reference_{place + 1}"


def read_decisions(api: str, status: int, text: str) -> tuple[Reply, Outcome]:
    """Return the body of a response, or an empty one and the failure.

    Args:
        api: the format that was asked for.
        status: the status of the response.
        text: its body.
    """
    body = parse_json(text)
    if 200 <= status < 300 and not isinstance(body, dict):
        message = f"HTTP {status}, but the body is no JSON object: {plain_line(text, 80)}"
        return {}, make_failure("not_json", message)
    if not 200 <= status < 300:
        return {}, explain_error(api, status, text, classify_error(status, f"HTTP {status}", text, body))
    if has_error(body):
        return {}, classify_error_in_reply(status, text, body)
    answers = body.get("answers")
    if not isinstance(answers, list if api == DECISIONS else dict):
        message = f"the reply has no answers in the format {api!r}: {plain_line(text, 80)}"
        return {}, make_failure("no_answers", message, kind="row")
    return body, {}


def explain_error(api: str, status: int, text: str, outcome: Outcome) -> Outcome:
    """Return the failure of a request, with the remedy where the format or the model is the wrong one."""
    words = outcome["message"]
    if NO_DECISION_MODEL.search(words):
        message = f"{words}; decisions are what models such as gpt-6-luna and jev give"
        return make_failure("no_decisions", message, kind="stop")
    if status in (404, 405) and re.search(NO_MODEL, words.lower()):
        return outcome
    if status in (404, 405) or (status in (400, 422) and OTHER_FORMAT.search(words)):
        other = SYSTEM_ONE if api == DECISIONS else DECISIONS
        message = f"{words}; nobody may speak /{api} there: api={other!r} asks in the other format"
        return make_failure("wrong_api", message, kind="stop")
    return outcome


def split_reply(api: str, body: Mapping[str, Any], count: int) -> list[Reply]:
    """Return what is kept of the answer to each question, and its part of the tokens.

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
            "model": plain_line(model, 80) if isinstance(model, str) else None,
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
    """Return the answer to each question, None where it is missing or there are several."""
    names = [name_question(place) for place in range(count)]
    if isinstance(answers, Mapping):
        return [answers.get(name) for name in names]
    given = [look_up(answer, "name") for answer in answers]
    if any(given):
        return [answers[given.index(name)] if given.count(name) == 1 else None for name in names]
    # Without names answers come in the order of the questions.
    return list(answers) if len(answers) == count else [None] * count


def was_truncated(body: Mapping[str, Any], place: int) -> bool:
    """Return whether the server says that it left out a part of the texts."""
    cut = look_up(body, "usage", "truncated_questions")
    is_cut = isinstance(cut, list) and name_question(place) in cut
    return is_cut or look_up(body, "usage", "truncated") is True


def trim_answer(answer: Any) -> dict[str, Any] | None:
    """Return the parts of an answer that are read, in the words of OpenAI's format."""
    if not isinstance(answer, Mapping):
        return None
    kind = plain_line(str(answer.get("type")), 40)
    if kind == "noul":
        return {"type": "predicate", "probability": trim_number(answer.get("noul"))}
    if kind == "predicate":
        return {"type": kind, "probability": trim_number(answer.get("probability"))}
    if kind != "choice":
        return {"type": kind}
    choice = answer.get("choice")
    return {
        "type": kind,
        "choice": choice if isinstance(choice, bool) else plain_line(str(choice), 80),
        "probabilities": trim_probabilities(answer.get("probabilities")),
    }


def trim_number(value: Any) -> Any:
    """Return a number as it is, and anything else as a short text."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return value if is_number else plain_line(repr(value), 80)


def trim_probabilities(listed: Any) -> dict[str, Any] | None:
    """Return the probabilities of choices by their values; None where they are not listed, or one is twice."""
    if isinstance(listed, Mapping):
        return {plain_line(value, 80): trim_number(number) for value, number in listed.items()}
    if not isinstance(listed, list):
        return None
    pairs = [(plain_line(str(look_up(one, "value")), 80), look_up(one, "probability")) for one in listed]
    probabilities = {value: trim_number(number) for value, number in pairs}
    return probabilities if len(probabilities) == len(pairs) else None


def count_tokens(body: Mapping[str, Any]) -> dict[str, int] | None:
    """Return the tokens of a reply, or None where the server does not report them."""
    counts = []
    for names in (("input_tokens", "prompt_tokens"), ("output_tokens", "completion_tokens")):
        values = [look_up(body, "usage", name) for name in names]
        counts.append(next((value for value in values if type(value) is int and value >= 0), None))
    read, written = counts
    return None if read is None or written is None else {"input": read, "output": written}


def split_tokens(usage: Mapping[str, int] | None, count: int) -> list[dict[str, int] | None]:
    """Return the part of the tokens of each question; together they are the tokens of the request."""
    if usage is None:
        return [None] * count
    parts: list[dict[str, int] | None] = []
    for place in range(count):
        parts.append({side: total * (place + 1) // count - total * place // count for side, total in usage.items()})
    return parts


def find_failure(reply: Mapping[str, Any], kind: str) -> Outcome:
    """Return why the answer to a question is not worth reading, or nothing where it is.

    Args:
        reply: what is kept of the answer.
        kind: "predicate" or "choice".
    """
    answer = reply.get("answer")
    if reply.get("truncated"):
        return make_failure("context_too_long", "the server has left out a part of the texts", kind="row")
    if reply["refusal"]:
        return make_failure("refusal", reply["refusal"])
    if answer is None:
        return make_failure("missing_answer", "the reply has no answer to the question", kind="row")
    if answer["type"] != kind:
        return make_failure("answer_malformed", f"the answer is a {answer['type']!r}; a {kind!r} was asked for")
    return {}


def read_probability(reply: Mapping[str, Any]) -> Outcome:
    """Return the probability of yes in an answer, as the score, or why there is none."""
    if failure := find_failure(reply, "predicate"):
        return failure
    probability = reply["answer"]["probability"]
    if not is_probability(probability):
        return make_failure("answer_malformed", f"the probability is {probability!r:.80}; a number in 0..1 is expected")
    yes = min(float(probability), 1.0)
    return {"score": yes, "probabilities": {"yes": yes, "no": 1 - yes}}


def read_choice(reply: Mapping[str, Any], values: Sequence[str]) -> tuple[str, dict[str, float], Outcome]:
    """Return the choice of an answer and the probability of each, or empty ones and the failure.

    Args:
        reply: what is kept of the answer.
        values: the choices that were offered.
    """
    if failure := find_failure(reply, "choice"):
        return "", {}, failure
    choice, probabilities = reply["answer"]["choice"], reply["answer"]["probabilities"]
    message = check_choice(choice, probabilities, values)
    if message:
        return "", {}, make_failure("answer_malformed", message)
    return choice, {value: min(float(probabilities[value]), 1.0) for value in values}, {}


def check_choice(choice: Any, probabilities: Any, values: Sequence[str]) -> str:
    """Return what is wrong with a choice, or nothing."""
    if choice not in values:
        return f"the choice is {choice!r:.80}; one of {', '.join(values)} is expected"
    if not isinstance(probabilities, Mapping) or probabilities.keys() != set(values):
        return f"the probabilities are {probabilities!r:.120}; one for each of {', '.join(values)} is expected"
    if not all(is_probability(number) for number in probabilities.values()):
        return f"the probabilities are {probabilities!r:.120}; numbers in 0..1 are expected"
    if abs(math.fsum(probabilities.values()) - 1) > SUM_ROUNDING:
        return f"the probabilities are {probabilities!r:.120}; they do not add up to 1"
    if probabilities[choice] < max(probabilities.values()) - SUM_ROUNDING:
        return f"the choice is {choice!r}, and another is likelier: {probabilities!r:.120}"
    return ""


def is_probability(value: Any) -> bool:
    """Return whether a value is a number in 0..1."""
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1 + ROUNDING
