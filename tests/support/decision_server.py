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
from dataclasses import dataclass
from typing import Any

from tests.support.judge_server import JudgeServer, Reply, Request, make_error

APIS = ("decisions", "systemone")
PATHS = {api: f"/v1/{api}" for api in APIS}
Decide = Callable[[str, str, Sequence[str]], Any]
REFUSAL = {"type": "refusal"}
# The keys of a request, and the most questions that it may have.
KEYS = {
    "decisions": {"model", "input", "questions"},
    "systemone": {"model", "state", "questions"},
}
MOST_QUESTIONS = {"decisions": 400, "systemone": 64}
# The keys that a question of each type has.
QUESTION_KEYS = {
    "decisions": {
        "predicate": {"type", "name", "instructions"},
        "choice": {"type", "name", "instructions", "choices"},
    },
    "systemone": {
        "noul": {"type", "instructions"},
        "choice": {"type", "instructions", "criteria"},
    },
}


@dataclass(frozen=True)
class Question:
    """A question of a request; a yes-no question has no choices."""

    name: str
    text: str
    choices: list[str]


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
        self.intercept: Callable[[Request, int], Reply | None] = lambda request, number: None

    def __enter__(self) -> "DecisionServer":
        super().__enter__()
        return self

    @property
    def question_texts(self) -> list[str]:
        """The texts of all questions that arrived."""
        texts = []
        for request in self.requests:
            texts += [question.text for question in read_questions(request)]
        return texts

    def respond(self, request: Request, number: int) -> Reply:
        """Return the reply to a request."""
        api = request.path.removeprefix("/v1/")
        if api not in self.apis:
            return Reply({"detail": "Not Found"}, 404)
        if reply := self.intercept(request, number):
            return reply
        if fault := find_fault(api, request.body):
            return make_error(400, fault)
        state = request.body["input" if api == "decisions" else "state"]
        answers = {}
        for question in read_questions(request):
            answer = self.decide(state, question.text, question.choices)
            answers[question.name] = answer
        format_answers = format_decisions if api == "decisions" else format_system_one
        usage = {"input_tokens": self.tokens, "output_tokens": 0, "total_tokens": self.tokens}
        body = {"model": "decider-1", "answers": format_answers(answers), "usage": usage}
        return Reply(self.change(body))


def read_questions(request: Request) -> list[Question]:
    """Return the questions of a request in either format."""
    questions = []
    listed = request.body["questions"]
    if isinstance(listed, Mapping):
        for name, question in listed.items():
            choices = list(question.get("criteria", ()))
            questions.append(Question(name, question["instructions"], choices))
        return questions
    for question in listed:
        choices = [choice["value"] for choice in question.get("choices", ())]
        questions.append(Question(question["name"], question["instructions"], choices))
    return questions


def find_fault(api: str, body: Any) -> str:
    """Return the error message for a malformed request; "" if it is well formed."""
    if missing := sorted(KEYS[api] - body.keys()):
        return f"Missing required parameter: '{missing[0]}'."
    if unknown := sorted(body.keys() - KEYS[api] - {"seed"}):
        return f"Unknown parameter: '{unknown[0]}'."
    questions = body["questions"]
    if isinstance(questions, dict) != (api == "systemone"):
        return "Invalid type for 'questions'."
    most = MOST_QUESTIONS[api]
    if not 1 <= len(questions) <= most:
        return f"Invalid 'questions': between 1 and {most} are allowed, got {len(questions)}."
    listed: Any = questions.values() if isinstance(questions, dict) else questions
    for question in listed:
        if QUESTION_KEYS[api].get(question["type"]) != question.keys():
            return "Invalid 'questions': a question has another form."
    return ""


def is_whole_answer(answer: Any) -> bool:
    """Return whether an answer is sent as it is."""
    return isinstance(answer, Mapping) and "type" in answer


def make_choice(probabilities: Mapping[str, float], shown: Any) -> dict[str, Any]:
    """Return the answer to a question with choices; `shown` is how it lists the probabilities."""
    best = max(probabilities, key=probabilities.__getitem__)
    return {
        "type": "choice",
        "choice": best,
        "confidence": probabilities[best],
        "probabilities": shown,
    }


def format_decisions(answers: Mapping[str, Any]) -> list[Any]:
    """Return answers in OpenAI's format."""
    formatted = []
    for name, answer in answers.items():
        if is_whole_answer(answer):
            entry = dict(answer)
        elif isinstance(answer, Mapping):
            listed = [{"value": value, "probability": number} for value, number in answer.items()]
            entry = make_choice(answer, listed)
        else:
            entry = {"type": "predicate", "probability": answer}
        formatted.append(entry | {"name": name})
    return formatted


def format_system_one(answers: Mapping[str, Any]) -> dict[str, Any]:
    """Return answers in System One's format."""
    formatted = {}
    for name, answer in answers.items():
        if is_whole_answer(answer):
            formatted[name] = answer
        elif isinstance(answer, Mapping):
            formatted[name] = make_choice(answer, dict(answer))
        else:
            formatted[name] = {"type": "noul", "noul": answer}
    return formatted
