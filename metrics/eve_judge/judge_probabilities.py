# A copy of metrics/shared/judge_probabilities.py: change that one, then run `make copies`.
"""Read the probability or the choice in the answer of a decision model, or why there is none."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from .judge_replies import Outcome, make_failure

# How far a probability from a softmax in single precision may exceed 1, and how far the sum of
# rounded probabilities may be from 1.
ROUNDING, SUM_ROUNDING = 1e-6, 0.02

# The part of a reply for one question, as split_reply in judge_decisions.py returns it.
DecisionReply = Mapping[str, Any]


def find_failure(reply: DecisionReply, question_type: str) -> Outcome:
    """Return why the answer to a question cannot be read, or an empty outcome if it can.

    Args:
        reply: the reply to the question.
        question_type: "predicate" or "choice", as it was asked for.
    """
    answer = reply.get("answer")
    if reply.get("truncated"):
        return make_failure(
            "context_too_long",
            "the server has left out a part of the texts",
            kind="row",
        )
    if reply["refusal"]:
        return make_failure("refusal", reply["refusal"])
    if answer is None:
        return make_failure("missing_answer", "the reply has no answer to the question", kind="row")
    if answer["type"] != question_type:
        return make_failure(
            "answer_malformed",
            f"the answer is a {answer['type']!r}; a {question_type!r} was asked for",
        )
    return {}


def read_probability(reply: DecisionReply) -> Outcome:
    """Return the probability of yes as the score of an answer, or why there is none."""
    if failure := find_failure(reply, "predicate"):
        return failure
    probability = reply["answer"]["probability"]
    if not is_probability(probability):
        return make_failure(
            "answer_malformed",
            f"the probability is {probability!r:.80}; a number in 0..1 is expected",
        )
    yes = min(float(probability), 1.0)
    return {"score": yes, "probabilities": {"yes": yes, "no": 1 - yes}}


def read_choice(
    reply: DecisionReply,
    values: Sequence[str],
) -> tuple[str, dict[str, float], Outcome]:
    """Return the choice in an answer, the probability of each choice, and the failure.

    Args:
        reply: the reply to the question.
        values: the choices that were offered.

    Returns:
        the choice, the probabilities and an empty outcome; or empty ones and the failure.
    """
    if failure := find_failure(reply, "choice"):
        return "", {}, failure
    choice, probabilities = reply["answer"]["choice"], reply["answer"]["probabilities"]
    message = check_choice(choice, probabilities, values)
    if message:
        return "", {}, make_failure("answer_malformed", message)
    return (
        choice,
        {value: min(float(probabilities[value]), 1.0) for value in values},
        {},
    )


def check_choice(
    choice: Any,
    probabilities: Any,
    values: Sequence[str],
) -> str:
    """Return an error message for an invalid choice; empty if it is valid."""
    if choice not in values:
        return f"the choice is {choice!r:.80}; one of {', '.join(values)} is expected"
    if not isinstance(probabilities, Mapping) or probabilities.keys() != set(values):
        return (
            f"the probabilities are {probabilities!r:.120}; one for each of "
            f"{', '.join(values)} is expected"
        )
    if not all(is_probability(number) for number in probabilities.values()):
        return f"the probabilities are {probabilities!r:.120}; numbers in 0..1 are expected"
    if abs(math.fsum(probabilities.values()) - 1) > SUM_ROUNDING:
        return f"the probabilities are {probabilities!r:.120}; they do not add up to 1"
    if probabilities[choice] < max(probabilities.values()) - SUM_ROUNDING:
        return f"the choice is {choice!r}, and another is likelier: {probabilities!r:.120}"
    return ""


def is_probability(value: Any) -> bool:
    """Return whether a value is a number in 0..1."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return 0 <= value <= 1 + ROUNDING
