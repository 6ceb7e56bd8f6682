"""The judge that a visitor chose: what it lacks, what the modules are given for it, and that its key shows nowhere.

On a page that others can reach, only the known providers are asked, each at its own https address, and the keys of the
environment are no visitor's to use. What the page offers is no protection: whatever a call says is checked here again.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from lens.experiment.answers import Answer
from lens.scoring.catalog import BY_NAME
from lens.scoring.failures import first_line
from lens.scoring.metric_result import MetricResult
from lens.words import has_text, join_sentences, say
from lens.words.module_notes import describe_entry_note

# On the owner's computer; a visitor of a public page pays for no request but the one asked for.
RETRIES = 2
TIMEOUT_VARIABLE = "ANSWER_LENS_JUDGE_TIMEOUT"
MAX_LENGTH = 500
# Shorter keys are words, such as "none" for a local server.
LEAST_KEY = 6
LOOPBACK = ("", "127.0.0.1", "localhost", "::1")
# Whose way of answering a server has that is named by its address alone.
USUAL = "openai"
# Where several replies to a prompt are asked for.
REPLIES = 3
# Failures that the next question would meet as well.
STOPPED = {
    "bad_key", "forbidden", "no_decisions", "no_model", "parameter_refused", "no_logprobs", "quota", "redirect",
    "thinking", "unreachable", "wrong_api",
}  # fmt: skip


@dataclass(frozen=True)
class Judge:
    """Who is asked: a provider of the modules' table, one of its models, and where not at its own address, where; and
    how many replies to each prompt make a verdict, of a judge that gives one. `decides`: it is a decision model.

    The key is not shown with it. Where nobody asked, the page sends only that there is one.
    """

    provider: str = ""
    model: str = ""
    address: str = ""
    key: str = field(default="", repr=False)
    replies: int = 1
    decides: bool = False

    @classmethod
    def given(
        cls,
        provider: object,
        model: object,
        key: object,
        address: object,
        several: object = False,
        decides: object = False,
    ) -> Judge:
        """A judge as a page sends it; what is no text counts as empty. `several`: each prompt is asked three times.
        `decides`: a decision model is asked.
        """
        fields = {"provider": provider, "model": model, "address": address, "key": key}
        texts = {name: text.strip() if isinstance(text, str) else "" for name, text in fields.items()}
        return cls(**texts, replies=REPLIES if several is True else 1, decides=decides is True)


NO_JUDGE = Judge()


def public() -> bool:
    """Whether others than the owner of this computer can reach the page; where that is not plain, they can."""
    if os.environ.get("SPACE_ID"):
        return True
    said = os.environ.get("ANSWER_LENS_PUBLIC", "").strip()
    return said != "0" if said else shared() or server_name() not in LOOPBACK


def shared() -> bool:
    """Whether the owner asked for a public link through Gradio's servers."""
    return os.environ.get("GRADIO_SHARE", "").strip().lower() == "true"


def server_name() -> str:
    """The interface that the page is served on, where one is named."""
    return os.environ.get("GRADIO_SERVER_NAME", "").strip()


def offered(table: Mapping[str, Any]) -> dict[str, Any]:
    """The providers of the modules' table that this page asks."""
    return {name: one for name, one in table.items() if not public() or one.base_url.startswith("https://")}


def refused(judge: Judge, table: Mapping[str, Any]) -> str:
    """What to say of a judge that this page does not ask; nothing of another."""
    if (judge.provider and judge.provider not in offered(table)) or (judge.address and public()):
        return say("judge.not_offered")
    if max(map(len, (judge.provider, judge.model, judge.address, judge.key))) > MAX_LENGTH:
        return say("judge.too_long", limit=MAX_LENGTH)
    return ""


def describe_wrong_way(judge: Judge, table: Mapping[str, Any]) -> str:
    """Return what to say where a provider does not answer in the way that is asked for; nothing where it does."""
    if judge.provider not in table or judge.address:
        return ""
    provider = table[judge.provider]
    if judge.decides and not provider.decisions:
        return say("judge.no_decisions", provider=judge.provider)
    if not judge.decides and not provider.chat:
        return say("judge.only_decides", provider=judge.provider)
    return ""


def lacks_key(judge: Judge, table: Mapping[str, Any]) -> str:
    """What a judge needs for a key, as words; nothing where it has one, or can do without."""
    if judge.key or judge.address:
        return ""
    if public():
        return say("judge.lacks_key")
    variable = table[judge.provider].key_variable if judge.provider in table else ""
    return "" if not variable or os.environ.get(variable, "").strip() else say("judge.lacks_key_or", variable=variable)


def what_is_missing(judge: Judge, table: Mapping[str, Any]) -> str:
    """Why a judge cannot be asked; nothing where it can. An address does without a provider."""
    provider = "" if judge.provider or judge.address else say("judge.lacks_provider")
    model = "" if judge.model else say("judge.lacks_model")
    parts = [part for part in (provider, model, lacks_key(judge, table)) if part]
    trouble = refused(judge, table) or describe_wrong_way(judge, table)
    if trouble or not parts:
        return trouble
    *first, last = parts
    missing = say("page.and_last", first=say("page.list_comma").join(first), last=last) if first else last
    return say("judge.needs", missing=missing)


def unasked(judge: Judge, asked: bool, table: Mapping[str, Any], prompt: str) -> MetricResult | None:
    """What to say of a judge that is not asked, with the prompt to copy; None where it is to be asked."""
    missing = what_is_missing(judge, table)
    if missing:
        return MetricResult("needs", message=missing, brief=say("judge.needed"), prompt=prompt)
    if not asked:
        return MetricResult("needs", message=say("judge.press_score"), brief=say("judge.unasked"), prompt=prompt)
    return None


def arguments(judge: Judge, name: str) -> dict[str, Any]:
    """What `compute` of a judge is given besides the texts: nothing that leaves a trace on this computer. Of L3Score,
    and of a decision, one reply has the probability.
    """
    own: dict[str, Any] = {}
    if judge.decides:
        own = dict([BY_NAME[name].decision])
    elif judge.replies > 1 and BY_NAME[name].judge_writes:
        own = {"samples": judge.replies}
    return own | {
        "model": judge.model,
        "provider": judge.provider or USUAL,
        "api_key": judge.key or None,
        "base_url": judge.address or None,
        "cache": False,
        "progress": False,
        "on_error": "raise",
        "max_retries": 0 if public() else RETRIES,
        "timeout": float(os.environ.get(TIMEOUT_VARIABLE) or 60),
        "per_example": True,
    }


def fill_prompt(code: Any, item: Answer, reference: str, decides: bool) -> str:
    """Return all that a judge is given for one reference, by the code of its module."""
    if not decides:
        return str(code.fill_prompt(item.question, item.prediction, reference))
    state = code.fill_state(item.question, item.prediction)
    return f"{state}\n\n{code.fill_question(item.question, item.prediction, reference)}"


def verdict(result: Mapping[str, Any], judge: Judge, prompt: str) -> MetricResult:
    """The score that a judge gave, with its reasons and what it cost; or that by its word the answer declines."""
    reason = told(result, judge)
    if reason["score"] is None:
        said = why(str(reason["reason"]), reason.get("message"))
        return MetricResult("error", None, reason, message=said, prompt=prompt)
    signature = without_key(str(result["signature"]), judge.key)
    return MetricResult("scored", float(reason["score"]), reason, signature, prompt=prompt)


def told(result: Mapping[str, Any], judge: Judge) -> dict[str, Any]:
    """The reasons of the one answer, with the model that answered and the cost of the call."""
    reason = result["per_example"][0]
    paid = {"cost": result["Cost"], "tokens": dict(result["tokens"]), "sent": result["calls"]["sent"]}
    return dict(without_key({**reason, "model": reason.get("model") or judge.model, **paid}, judge.key))


def about_question(error: Exception) -> bool:
    """Whether an error is one that says what became of a question; evaluate loads a class of its own."""
    return type(error).__name__ == "JudgeError"


def expected(error: Exception) -> bool:
    """Whether an error comes from what the judge replied or from what the visitor chose, and not from a defect."""
    return about_question(error) or isinstance(error, (TypeError, ValueError))


def failure(error: Exception, judge: Judge, prompt: str) -> MetricResult:
    """Why a judge gave no score; of a question that was sent, with the row's own words and what it cost."""
    message = without_key(first_line(error), judge.key)
    if about_question(error):
        code, result = str(getattr(error, "reason", "")), getattr(error, "result", None)
        reason = told(result, judge) if result else {}
        said = why(code, reason.get("message") or message)
        return MetricResult(
            "unavailable" if code in STOPPED else "error", None, reason or None, message=said, prompt=prompt
        )
    if isinstance(error, ImportError):
        return MetricResult(
            "unavailable", message=say("failure.package_missing", message=message.rstrip(".")), prompt=prompt
        )
    said = say("judge.refused", message=message.rstrip(".")) if expected(error) else ""
    return MetricResult("error", message=said or say("failure.failed", error=type(error).__name__), prompt=prompt)


def without_question(outcome: MetricResult) -> MetricResult:
    """The outcome of a judge that got no question, which it says."""
    said = say("judge.no_question")
    if outcome.state == "scored":
        # The sentence on the question is none of the module's: the note is in words from here on.
        note = join_sentences(describe_entry_note(outcome.reasons), said)
        return replace(outcome, per_example={**outcome.reasons, "note": note, "note_data": []})
    return replace(outcome, message=join_sentences(outcome.message, said))


def why(code: str, message: object) -> str:
    """A reason code in words, and what the module says of it."""
    key = f"unscored.{code}" if has_text(f"unscored.{code}") else "unscored.other"
    return say("judge.unjudged", why=say(key), message=str(message or "").strip().rstrip("."))


def without_key(value: Any, key: str) -> Any:
    """A text, or a list or dict of texts, in which the key is hidden.

    >>> without_key({"message": "Incorrect key sk-secret-123"}, "sk-secret-123")
    {'message': 'Incorrect key [key]'}
    """
    if len(key) < LEAST_KEY:
        return value
    if isinstance(value, str):
        return value.replace(key, "[key]")
    if isinstance(value, Mapping):
        return {without_key(name, key): without_key(one, key) for name, one in value.items()}
    return [without_key(one, key) for one in value] if isinstance(value, (list, tuple)) else value
