"""Why a judge gave no score, in words."""

from __future__ import annotations

from lens.scoring.failures import read_first_line
from lens.scoring.judge import Judge, collect_reasons, describe_reason, hide_key
from lens.scoring.metric_result import MetricResult, State
from lens.words import say

# Failures that the next question would meet as well.
STOPPED = {
    "bad_key",
    "forbidden",
    "no_decisions",
    "no_logprobs",
    "no_model",
    "parameter_refused",
    "quota",
    "redirect",
    "thinking",
    "unreachable",
    "wrong_api",
}


def is_about_question(error: Exception) -> bool:
    """Return whether an error is one that says what became of a question.

    Evaluate loads a class of its own.
    """
    return type(error).__name__ == "JudgeError"


def is_expected(error: Exception) -> bool:
    """Return whether an error comes from the judge's reply or the visitor's choice, no bug."""
    return is_about_question(error) or isinstance(error, (TypeError, ValueError))


def explain_failure(error: Exception, judge: Judge, prompt: str) -> MetricResult:
    """Return why a judge gave no score.

    Of a question that was sent, with the row's own words and what it cost.
    """
    message = hide_key(read_first_line(error), judge.key)
    if is_about_question(error):
        return explain_unjudged(error, message, judge, prompt)
    message = message.rstrip(".")
    state: State = "error"
    if isinstance(error, ImportError):
        state = "unavailable"
        message = say("failure.package_missing", message=message)
    elif is_expected(error):
        message = say("judge.refused", message=message)
    else:
        message = say("failure.failed", error=type(error).__name__)
    return MetricResult(state, message=message, prompt=prompt)


def explain_unjudged(
    error: Exception,
    message: str,
    judge: Judge,
    prompt: str,
) -> MetricResult:
    """Return why a question that was sent has no verdict, and what it cost."""
    code = str(getattr(error, "reason", ""))
    result = getattr(error, "result", None)
    entry = collect_reasons(result, judge) if result else {}
    text = describe_reason(code, entry.get("message") or message)
    state: State = "unavailable" if code in STOPPED else "error"
    return MetricResult(state, None, entry or None, message=text, prompt=prompt)
