"""The judge that a visitor chose: what it lacks, what the modules are given for it, and that its key shows nowhere.

On a page that others can reach, only the known providers are asked, each at its own https address, and the keys of the
environment are no visitor's to use. What the page offers is no protection: whatever a call says is checked here again.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from lens.scoring.outcome import Outcome
from lens.words import knows, say, sentences
from lens.words.module_notes import worded_note

# On the owner's computer; a visitor of a public page pays for no request but the one asked for.
RETRIES = 2
TIMEOUT = 60.0
TIMEOUT_VARIABLE = "ANSWER_LENS_JUDGE_TIMEOUT"
MAX_LENGTH = 500
# So many characters of a key in a row are taken for it. Shorter keys are words, such as "none" for a local server.
SHOWN_OF_KEY = 6
HIDDEN = "[key]"
LOOPBACK = ("", "127.0.0.1", "localhost", "::1")
# Failures that the next question would meet as well.
STOPPED = {
    "bad_key", "forbidden", "no_model", "parameter_refused", "no_logprobs", "quota", "redirect", "unreachable",
}  # fmt: skip


@dataclass(frozen=True)
class Judge:
    """Who is asked: a provider of the modules' table, one of its models, and where not at its own address, where.

    The key is not shown with it. Where nobody asked, the page sends only that there is one.
    """

    provider: str = ""
    model: str = ""
    address: str = ""
    key: str = field(default="", repr=False)

    @classmethod
    def given(cls, provider: object, model: object, key: object, address: object) -> Judge:
        """A judge as a page sends it; what is no text counts as empty."""
        texts = (value.strip() if isinstance(value, str) else "" for value in (provider, model, address, key))
        return cls(*texts)


NO_JUDGE = Judge()


def public() -> bool:
    """Whether others than the owner of this computer can reach the page; where that is not plain, they can."""
    if os.environ.get("SPACE_ID"):
        return True
    said = os.environ.get("ANSWER_LENS_PUBLIC", "").strip()
    if said:
        return said != "0"
    return shared() or server_name() not in LOOPBACK


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
    if judge.provider and judge.provider not in offered(table):
        return say("judge_not_offered")
    if judge.address and public():
        return say("judge_no_address")
    if max(len(judge.provider), len(judge.model), len(judge.address), len(judge.key)) > MAX_LENGTH:
        return say("judge_too_long", limit=MAX_LENGTH)
    return ""


def lacks_key(judge: Judge, table: Mapping[str, Any]) -> str:
    """What a judge needs for a key, as words; nothing where it has one, or can do without."""
    if judge.key or judge.address:
        return ""
    if public():
        return say("lacks_key")
    variable = table[judge.provider].key_variable if judge.provider in table else ""
    if not variable or os.environ.get(variable, "").strip():
        return ""
    return say("lacks_key_or", variable=variable)


def what_is_missing(judge: Judge, table: Mapping[str, Any]) -> str:
    """Why a judge cannot be asked; nothing where it can."""
    trouble = refused(judge, table)
    provider = "" if judge.provider else say("lacks_provider")
    model = "" if judge.model else say("lacks_model")
    parts = [part for part in (provider, model, lacks_key(judge, table)) if part]
    if trouble or not parts:
        return trouble
    *first, last = parts
    return say(
        "needs_judge", missing=say("lacks_last", first=say("list_comma").join(first), last=last) if first else last
    )


def unasked(judge: Judge, asked: bool, table: Mapping[str, Any], prompt: str) -> Outcome | None:
    """The card of a judge that is not asked, with the prompt to copy; None where it is to be asked."""
    missing = what_is_missing(judge, table)
    if missing:
        return Outcome("needs", message=missing, brief=say("judge_needed"), prompt=prompt)
    if not asked:
        return Outcome("needs", message=say("press_score"), brief=say("judge_unasked"), prompt=prompt)
    return None


def arguments(judge: Judge) -> dict[str, Any]:
    """What `compute` of a judge is given besides the texts: nothing that leaves a trace on this computer."""
    return {
        "model": judge.model,
        "provider": judge.provider,
        "api_key": judge.key or None,
        "base_url": judge.address or None,
        "cache": False,
        "progress": False,
        "on_error": "raise",
        "max_retries": 0 if public() else RETRIES,
        "timeout": timeout(),
        "per_example": True,
    }


def timeout() -> float:
    """The seconds that one request may take."""
    try:
        seconds = float(os.environ.get(TIMEOUT_VARIABLE, "") or TIMEOUT)
    except ValueError:
        return TIMEOUT
    return seconds if 0 < seconds < float("inf") else TIMEOUT


def verdict(result: Mapping[str, Any], judge: Judge, prompt: str) -> Outcome:
    """The score that a judge gave, with its reasons and what it cost."""
    reason = without_key(told(result, judge), judge.key)
    if reason["score"] is None:
        return Outcome("error", per_example=reason, message=why(reason["reason"], reason["message"]), prompt=prompt)
    signature = without_key(str(result["signature"]), judge.key)
    return Outcome("scored", float(reason["score"]), reason, signature, prompt=prompt)


def told(result: Mapping[str, Any], judge: Judge) -> dict[str, Any]:
    """The reasons of the one answer, with the model that answered and the cost of the call."""
    reason = dict(result["per_example"][0])
    reason["model"] = reason.get("model") or judge.model
    return reason | {"cost": result["Cost"], "tokens": dict(result["tokens"]), "sent": result["calls"]["sent"]}


def about_question(error: Exception) -> bool:
    """Whether an error is one that says what became of a question; evaluate loads a class of its own."""
    return type(error).__name__ == "JudgeError"


def expected(error: Exception) -> bool:
    """Whether an error comes from what the judge replied or from what the visitor chose, and not from a defect."""
    return about_question(error) or isinstance(error, (TypeError, ValueError))


def keyless(judge: Judge, table: Mapping[str, Any]) -> bool:
    """Whether a judge is asked without any key, as local servers are."""
    variable = table[judge.provider].key_variable if judge.provider in table else ""
    return not judge.key and (bool(judge.address) or not os.environ.get(variable, "").strip())


def failure(error: Exception, judge: Judge, prompt: str, table: Mapping[str, Any]) -> Outcome:
    """Why a judge gave no score."""
    message = str(error).strip().partition("\n")[0]
    if about_question(error):
        return unjudged(error, message, judge, prompt, table)
    shown = without_stop(without_key(message, judge.key))
    if isinstance(error, ImportError):
        return Outcome("unavailable", message=say("package_missing", message=shown), prompt=prompt)
    if isinstance(error, (TypeError, ValueError)):
        return Outcome("error", message=say("judge_refused", message=shown), prompt=prompt)
    return Outcome("error", message=say("failed", error=type(error).__name__), prompt=prompt)


def unjudged(error: Exception, message: str, judge: Judge, prompt: str, table: Mapping[str, Any]) -> Outcome:
    """What became of a question that was sent: the row's own words where there are some, and what it cost."""
    result = getattr(error, "result", None) or {}
    row = (result.get("per_example") or [{}])[0]
    code = getattr(error, "reason", "")
    said = why(worded(code, judge, table), without_key(str(row.get("message") or message), judge.key))
    reason = without_key(told(result, judge), judge.key) if row else None
    return Outcome("unavailable" if code in STOPPED else "error", per_example=reason, message=said, prompt=prompt)


def worded(code: str, judge: Judge, table: Mapping[str, Any]) -> str:
    """A reason code, or another that says more of a server that the visitor named or that was given no key."""
    if code in ("bad_key", "forbidden") and keyless(judge, table):
        return "asks_key"
    return "no_model_there" if code == "no_model" and judge.address else code


def without_question(outcome: Outcome) -> Outcome:
    """A judge's card that also says that the judge gets no question."""
    said = say("no_question")
    if outcome.state == "scored":
        reason = outcome.per_example or {}
        note = sentences(worded_note(str(reason.get("note") or "")), said)
        return replace(outcome, per_example={**reason, "note": note})
    return replace(outcome, message=sentences(outcome.message, said))


def why(code: str, message: str) -> str:
    """A reason code in words, and what the module says of it."""
    key = f"reason_{code}" if knows(f"reason_{code}") else "reason_other"
    return say("unjudged", why=say(key), message=without_stop(message))


def without_stop(message: object) -> str:
    """A message without its full stop."""
    return str(message or "").strip().rstrip(".")


def without_key(value: Any, key: str) -> Any:
    """A text, or a list or dict of texts, without the key or any part of it that is as long as SHOWN_OF_KEY."""
    if isinstance(value, str):
        return hidden(value, key)
    if isinstance(value, Mapping):
        return {hidden(str(name), key): without_key(one, key) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [without_key(one, key) for one in value]
    return value


def hidden(text: str, key: str) -> str:
    """A text in which what it has of a key is hidden.

    >>> hidden("Incorrect key sk-secret-123: sk-sec", "sk-secret-123")
    'Incorrect key [key]: [key]'
    """
    parts = {key[start : start + SHOWN_OF_KEY] for start in range(len(key) - SHOWN_OF_KEY + 1)}
    kept, until = [], 0
    for start, character in enumerate(text):
        if text[start : start + SHOWN_OF_KEY] in parts:
            if start >= until:
                kept.append(HIDDEN)
            until = start + SHOWN_OF_KEY
        if start >= until:
            kept.append(character)
    return "".join(kept)
