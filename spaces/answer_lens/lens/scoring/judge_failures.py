"""Messages that say why a judge gave no score."""

from __future__ import annotations

from lens.scoring.failures import read_first_line
from lens.scoring.judge import Judge, collect_reasons, describe_unjudged, hide_key
from lens.scoring.metric_result import MetricResult, State
from lens.words import say

# Reason codes of failures that every further question would also have.
PERMANENT_FAILURES = {
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


def is_judge_error(error: Exception) -> bool:
    """Return whether an error is a module's JudgeError.

    The class cannot be imported, because `evaluate` loads its own copy of it.
    """
    return type(error).__name__ == "JudgeError"


def is_expected(error: Exception) -> bool:
    """Return whether an error comes from the judge's reply or the user's settings, not a bug."""
    return is_judge_error(error) or isinstance(error, (TypeError, ValueError))


def explain_failure(error: Exception, judge: Judge, prompt: str) -> MetricResult:
    """Return a result that says why a judge gave no score.

    If the question was sent, the message is that of the row, with the cost of the call.
    """
    message = hide_key(read_first_line(error), judge.key)
    if is_judge_error(error):
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
    """Return a result that says why a sent question has no verdict, with the cost of the call."""
    code = str(getattr(error, "reason", ""))
    result = getattr(error, "result", None)
    entry = collect_reasons(result, judge) if result else {}
    text = describe_unjudged(code, entry.get("message") or message)
    state: State = "unavailable" if code in PERMANENT_FAILURES else "error"
    return MetricResult(state, None, entry or None, message=text, prompt=prompt)
