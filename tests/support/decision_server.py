"""A fake decision model on loopback: it answers questions with probabilities instead of text.

It speaks both formats that judges support (metrics/shared/judge_decisions.py). "decisions" is
`POST /decisions` of OpenAI's Decisions API. "systemone" is `POST /systemone` of vLLM, llama.cpp
and others; there a yes-no question has the type "noul".

The server answers each question by calling `decide(state, text, choices)`: the text that is asked
about, the question, and its choices. `decide` returns the probability of yes, the probability of
each choice, or a whole answer as it is sent. `change` may change the body of a reply. A malformed
request is refused with status 400, as the real servers do.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tests.support.judge_server import JudgeServer, Reply, Request, error

APIS = ("decisions", "systemone")
PATHS = {api: f"/v1/{api}" for api in APIS}
Decide = Callable[[str, str, Sequence[str]], Any]
REFUSAL = {"type": "refusal"}


class DecisionServer(JudgeServer):
    """The server, which runs in its own thread while the `with` block runs.

    Args:
        decide: returns the answer to a question.
        apis: the formats that it speaks; another one is answered with status 404.
        tokens: the number of input tokens that each reply reports.
    """

    def __init__(self, decide: Decide, apis: Sequence[str] = APIS, tokens: int = 100) -> None:
        super().__init__(self.respond)
        self.decide = decide
        self.apis = apis
        self.tokens = tokens
        self.change: Callable[[Any], Any] = lambda body: body
        # Returns a reply that is sent instead of the usual one, or None.
        self.before: Callable[[Request, int], Reply | None] = lambda request, number: None

    def __enter__(self) -> "DecisionServer":
        super().__enter__()
        return self

    @property
    def asked(self) -> list[str]:
        """The texts of all questions that arrived."""
        return [text for request in self.requests for _, text, _ in read_questions(request)]

    def respond(self, request: Request, number: int) -> Reply:
        """Return the reply to a request."""
        api = request.path.removeprefix("/v1/")
        if api not in self.apis:
            return Reply({"detail": "Not Found"}, 404)
        if reply := self.before(request, number):
            return reply
        if trouble := find_trouble(api, request.body):
            return error(400, trouble)
        state = request.body["input" if api == "decisions" else "state"]
        answers = []
        for name, text, choices in read_questions(request):
            answers.append((name, self.decide(state, text, choices)))
        usage = {"input_tokens": self.tokens, "output_tokens": 0, "total_tokens": self.tokens}
        make = as_decisions if api == "decisions" else as_system_one
        return Reply(self.change({"model": "decider-1", "answers": make(answers), "usage": usage}))


def read_questions(request: Request) -> list[tuple[str, str, list[str]]]:
    """Return the name, the text and the choices of each question of a request."""
    questions = request.body["questions"]
    if isinstance(questions, Mapping):
        return [
            (name, question["instructions"], list(question.get("criteria", ())))
            for name, question in questions.items()
        ]
    return [
        (
            question["name"],
            question["instructions"],
            [choice["value"] for choice in question.get("choices", ())],
        )
        for question in questions
    ]


def find_trouble(api: str, body: Any) -> str:
    """Return the error message for a malformed request; "" if it is well formed."""
    names = {
        "decisions": {"model", "input", "questions"},
        "systemone": {"model", "state", "questions"},
    }[api]
    if missing := sorted(names - body.keys()):
        return f"Missing required parameter: '{missing[0]}'."
    if unknown := sorted(body.keys() - names - {"seed"}):
        return f"Unknown parameter: '{unknown[0]}'."
    questions = body["questions"]
    if isinstance(questions, dict) != (api == "systemone"):
        return "Invalid type for 'questions'."
    listed: Any = questions.values() if isinstance(questions, dict) else questions
    most = 400 if api == "decisions" else 64
    if not 1 <= len(questions) <= most:
        return f"Invalid 'questions': between 1 and {most} are allowed, got {len(questions)}."
    forms = DECISION_FORMS if api == "decisions" else SYSTEM_ONE_FORMS
    is_good = all(find_form(one) in forms for one in listed)
    return "" if is_good else "Invalid 'questions': a question has another form."


def find_form(question: Mapping[str, Any]) -> tuple[str, frozenset[str]]:
    """Return the type of a question and the set of its keys."""
    return question["type"], frozenset(question)


DECISION_FORMS = {
    ("predicate", frozenset({"type", "name", "instructions"})),
    ("choice", frozenset({"type", "name", "instructions", "choices"})),
}
SYSTEM_ONE_FORMS = {
    ("noul", frozenset({"type", "instructions"})),
    ("choice", frozenset({"type", "instructions", "criteria"})),
}


def as_decisions(answers: Sequence[tuple[str, Any]]) -> list[Any]:
    """Return answers in OpenAI's format."""
    made = []
    for name, answer in answers:
        if isinstance(answer, Mapping) and "type" not in answer:
            listed = [{"value": value, "probability": number} for value, number in answer.items()]
            best = max(answer, key=answer.__getitem__)
            answer = {
                "type": "choice",
                "choice": best,
                "confidence": answer[best],
                "probabilities": listed,
            }
        elif not isinstance(answer, Mapping):
            answer = {"type": "predicate", "probability": answer}
        made.append({**answer, "name": name})
    return made


def as_system_one(answers: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """Return answers in System One's format."""
    made = {}
    for name, answer in answers:
        if isinstance(answer, Mapping) and "type" not in answer:
            best = max(answer, key=answer.__getitem__)
            answer = {
                "type": "choice",
                "choice": best,
                "confidence": answer[best],
                "probabilities": dict(answer),
            }
        elif not isinstance(answer, Mapping):
            answer = {"type": "noul", "noul": answer}
        made[name] = answer
    return made
