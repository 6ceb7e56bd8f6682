"""The judge that a visitor chose.

What it lacks, what the modules are given for it, and that its key shows nowhere.

On a page that others can reach, only the known providers are asked, each at its own https address,
and the keys of the environment are no visitor's to use. What the page offers is no protection:
whatever a call says is checked here again.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from lens.experiment.answers import Answer
from lens.scoring.catalog import BY_NAME
from lens.scoring.metric_result import MetricResult
from lens.words import has_text, join_sentences, say
from lens.words.module_notes import describe_entry_note

# Retries on the owner's computer. A public page never retries, for the visitor pays.
RETRIES = 2
TIMEOUT_VARIABLE = "ANSWER_LENS_JUDGE_TIMEOUT"
MAX_LENGTH = 500
# Shorter keys are words, such as "none" for a local server: the page does not hide them in texts.
LEAST_KEY = 6
LOOPBACK = ("", "127.0.0.1", "localhost", "::1")
# The provider whose format is assumed where only an address is given.
ASSUMED_PROVIDER = "openai"
# Where several replies to a prompt are asked for.
REPLIES = 3


@dataclass(frozen=True)
class Judge:
    """Who is asked.

    Attributes:
        provider: one of the modules' table.
        model: one of its models.
        address: where it is asked, if not at the provider's own address.
        key: the key, which is not shown with it. Until Score is pressed, the page sends only
            whether there is one.
        replies: how many replies to each prompt make a verdict, of a judge that gives one.
        decides: whether it is a decision model.
    """

    provider: str = ""
    model: str = ""
    address: str = ""
    key: str = field(default="", repr=False)
    replies: int = 1
    decides: bool = False

    @classmethod
    def parse(
        cls,
        provider: object,
        model: object,
        key: object,
        address: object,
        repeats: object = False,
        decides: object = False,
    ) -> Judge:
        """Return a judge as a page sends it; what is no text counts as empty.

        Args:
            provider: the provider.
            model: the model.
            key: the key.
            address: its own address.
            repeats: whether each prompt is asked three times.
            decides: whether a decision model is asked.
        """
        fields = {
            "provider": provider,
            "model": model,
            "address": address,
            "key": key,
        }
        texts = {}
        for name, text in fields.items():
            texts[name] = text.strip() if isinstance(text, str) else ""
        replies = REPLIES if repeats is True else 1
        return cls(**texts, replies=replies, decides=decides is True)


NO_JUDGE = Judge()


def is_public() -> bool:
    """Return whether others than the owner of this computer can reach the page.

    Where that is not plain, they can.
    """
    if os.environ.get("SPACE_ID"):
        return True
    setting = os.environ.get("ANSWER_LENS_PUBLIC", "").strip()
    if setting:
        return setting != "0"
    return is_shared() or read_server_name() not in LOOPBACK


def is_shared() -> bool:
    """Return whether the owner asked for a public link through Gradio's servers."""
    return os.environ.get("GRADIO_SHARE", "").strip().lower() == "true"


def read_server_name() -> str:
    """Return the interface that the page is served on, where one is named."""
    return os.environ.get("GRADIO_SERVER_NAME", "").strip()


def list_offered_providers(table: Mapping[str, Any]) -> dict[str, Any]:
    """Return the providers of the modules' table that this page asks."""
    offered = {}
    for name, provider in table.items():
        if not is_public() or provider.base_url.startswith("https://"):
            offered[name] = provider
    return offered


def describe_refusal(judge: Judge, table: Mapping[str, Any]) -> str:
    """Return what to say of a judge that this page does not ask; nothing of another."""
    is_unknown = judge.provider and judge.provider not in list_offered_providers(table)
    if is_unknown or (judge.address and is_public()):
        return say("judge.not_offered")
    texts = (judge.provider, judge.model, judge.address, judge.key)
    if any(len(text) > MAX_LENGTH for text in texts):
        return say("judge.too_long", limit=MAX_LENGTH)
    return ""


def describe_wrong_way(judge: Judge, table: Mapping[str, Any]) -> str:
    """Return what to say where a provider does not answer in the way that is asked for.

    It is nothing if it does.
    """
    if judge.provider not in table or judge.address:
        return ""
    provider = table[judge.provider]
    if judge.decides and not provider.decisions:
        return say("judge.no_decisions", provider=judge.provider)
    if not judge.decides and not provider.chat:
        return say("judge.only_decides", provider=judge.provider)
    return ""


def describe_missing_key(judge: Judge, table: Mapping[str, Any]) -> str:
    """Return what a judge needs for a key, in words; nothing if it has one or needs none."""
    if judge.key or judge.address:
        return ""
    if is_public():
        return say("judge.lacks_key")
    if judge.provider not in table:
        return ""
    variable = table[judge.provider].key_variable
    if not variable or os.environ.get(variable, "").strip():
        return ""
    return say("judge.lacks_key_or", variable=variable)


def describe_missing(judge: Judge, table: Mapping[str, Any]) -> str:
    """Return why a judge cannot be asked; nothing if it can.

    An address does without a provider.
    """
    trouble = describe_refusal(judge, table) or describe_wrong_way(judge, table)
    if trouble:
        return trouble
    missing = list_missing(judge, table)
    if not missing:
        return ""
    return say("judge.needs", missing=join_with_and(missing))


def list_missing(judge: Judge, table: Mapping[str, Any]) -> list[str]:
    """Return what a judge lacks, in words."""
    missing = []
    if not judge.provider and not judge.address:
        missing.append(say("judge.lacks_provider"))
    if not judge.model:
        missing.append(say("judge.lacks_model"))
    key = describe_missing_key(judge, table)
    if key:
        missing.append(key)
    return missing


def join_with_and(words: Sequence[str]) -> str:
    """Return words as a list with "and" before the last one."""
    *first, last = words
    if not first:
        return last
    return say("page.and_last", first=say("page.list_comma").join(first), last=last)


def explain_unasked(
    judge: Judge,
    asked: bool,
    table: Mapping[str, Any],
    prompt: str,
) -> MetricResult | None:
    """Return what to say of a judge that is not asked, with the prompt to copy.

    It is None if it is to be asked.
    """
    message = describe_missing(judge, table)
    brief = say("judge.needed")
    if not message and not asked:
        message = say("judge.press_score")
        brief = say("judge.unasked")
    if not message:
        return None
    return MetricResult("needs", message=message, brief=brief, prompt=prompt)


def make_arguments(judge: Judge, name: str) -> dict[str, Any]:
    """Return what `compute` of a judge is given besides the texts.

    The reply is not cached. L3Score and decision models are asked once: one reply has the
    probability.
    """
    own: dict[str, Any] = {}
    if judge.decides:
        setting, value = BY_NAME[name].decision
        own = {setting: value}
    elif judge.replies > 1 and BY_NAME[name].judge_writes:
        own = {"samples": judge.replies}
    timeout = os.environ.get(TIMEOUT_VARIABLE) or 60
    return own | {
        "model": judge.model,
        "provider": judge.provider or ASSUMED_PROVIDER,
        "api_key": judge.key or None,
        "base_url": judge.address or None,
        "cache": False,
        "progress": False,
        "on_error": "raise",
        "max_retries": 0 if is_public() else RETRIES,
        "timeout": float(timeout),
        "per_example": True,
    }


def fill_prompt(
    code: Any,
    item: Answer,
    reference: str,
    decides: bool,
) -> str:
    """Return all that a judge is given for one reference, by the code of its module."""
    if not decides:
        return str(code.fill_prompt(item.question, item.prediction, reference))
    state = code.fill_state(item.question, item.prediction)
    question = code.fill_question(item.question, item.prediction, reference)
    return f"{state}\n\n{question}"


def make_verdict(result: Mapping[str, Any], judge: Judge, prompt: str) -> MetricResult:
    """Return the score that a judge gave, with its reasons and what it cost.

    Where the judge gave none, the result is an error that says why.
    """
    entry = collect_reasons(result, judge)
    if entry["score"] is None:
        message = describe_reason(str(entry["reason"]), entry.get("message"))
        return MetricResult("error", None, entry, message=message, prompt=prompt)
    score = float(entry["score"])
    signature = hide_key(str(result["signature"]), judge.key)
    return MetricResult("scored", score, entry, signature, prompt=prompt)


def collect_reasons(result: Mapping[str, Any], judge: Judge) -> dict[str, Any]:
    """Return the reasons of the one answer, with the model that answered and the call's cost."""
    entry = dict(result["per_example"][0])
    entry["model"] = entry.get("model") or judge.model
    entry["cost"] = result["Cost"]
    entry["tokens"] = dict(result["tokens"])
    entry["sent"] = result["calls"]["sent"]
    return dict(hide_key(entry, judge.key))


def note_missing_question(result: MetricResult) -> MetricResult:
    """Return the result of a judge with a note that it got no question."""
    missing = say("judge.no_question")
    if result.state != "scored":
        return replace(result, message=join_sentences(result.message, missing))
    entry = dict(result.reasons)
    # The sentence on the question is none of the module's: the note is in words from here on.
    entry["note"] = join_sentences(describe_entry_note(result.reasons), missing)
    entry["note_data"] = []
    return replace(result, per_example=entry)


def describe_reason(code: str, message: object) -> str:
    """Return a reason code in words, and what the module says of it."""
    key = f"unscored.{code}"
    if not has_text(key):
        key = "unscored.other"
    sentence = str(message or "").strip().rstrip(".")
    return say("judge.unjudged", why=say(key), message=sentence)


def hide_key(value: Any, key: str) -> Any:
    """Return a text, or a list or dict of texts, in which the key is hidden.

    >>> hide_key({"message": "Incorrect key sk-secret-123"}, "sk-secret-123")
    {'message': 'Incorrect key [key]'}
    """
    if len(key) < LEAST_KEY:
        return value
    if isinstance(value, str):
        return value.replace(key, "[key]")
    if isinstance(value, Mapping):
        return {hide_key(name, key): hide_key(inner, key) for name, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [hide_key(inner, key) for inner in value]
    return value
