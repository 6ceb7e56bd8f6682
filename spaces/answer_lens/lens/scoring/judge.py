"""The judge that the user chose: its settings, missing settings, arguments and prompts.

The key of a judge is never shown. On a page that others can reach, only the known providers are
asked, each at its own https address. Visitors cannot use the keys in the environment. Every call is
checked again here, because a visitor can send other values than the page offers.
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

# The number of retries on the owner's computer. A public page never retries, because the visitor
# pays.
RETRIES = 2
TIMEOUT_VARIABLE = "ANSWER_LENS_JUDGE_TIMEOUT"
DEFAULT_TIMEOUT = 60
# The longest provider, model, address or key.
MAX_SETTING_LENGTH = 500
# Shorter keys are words, such as "none" for a local server, so they are not hidden in texts.
MIN_HIDDEN_KEY_LENGTH = 6
LOOPBACK_NAMES = ("", "127.0.0.1", "localhost", "::1")
# The provider whose API is assumed if only an address is given.
ASSUMED_PROVIDER = "openai"
# The number of replies to a prompt, if the user asks for several.
REPLIES = 3


@dataclass(frozen=True)
class Judge:
    """The judge that is asked.

    Attributes:
        provider: the name of a provider in the modules' table.
        model: the name of a model.
        address: the address of the API; empty for the provider's own address.
        key: the API key, which is not in the repr. Until the user presses Score, the page sends
            only whether there is a key.
        replies: the number of replies to each prompt, for a judge that writes verdicts.
        decides: whether the model is a decision model.
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
        """Return the judge that a page sends; a field that is not a text counts as empty.

        Args:
            provider: the provider.
            model: the model.
            key: the key.
            address: the address of the API.
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
    """Return whether people other than the owner of this computer can reach the page.

    If this is not certain, the result is true.
    """
    if os.environ.get("SPACE_ID"):
        return True
    setting = os.environ.get("ANSWER_LENS_PUBLIC", "").strip()
    if setting:
        return setting != "0"
    return is_shared() or read_server_name() not in LOOPBACK_NAMES


def is_shared() -> bool:
    """Return whether the owner asked for a public link through Gradio's servers."""
    return os.environ.get("GRADIO_SHARE", "").strip().lower() == "true"


def read_server_name() -> str:
    """Return the network interface of the page; empty if none is set."""
    return os.environ.get("GRADIO_SERVER_NAME", "").strip()


def list_offered_providers(table: Mapping[str, Any]) -> dict[str, Any]:
    """Return the providers of the modules' table that this page can ask."""
    offered = {}
    for name, provider in table.items():
        if not is_public() or provider.base_url.startswith("https://"):
            offered[name] = provider
    return offered


def describe_refusal(judge: Judge, table: Mapping[str, Any]) -> str:
    """Return a message if this page does not ask a judge; empty if it does."""
    is_unknown = judge.provider and judge.provider not in list_offered_providers(table)
    if is_unknown or (judge.address and is_public()):
        return say("judge.not_offered")
    texts = (judge.provider, judge.model, judge.address, judge.key)
    if any(len(text) > MAX_SETTING_LENGTH for text in texts):
        return say("judge.too_long", limit=MAX_SETTING_LENGTH)
    return ""


def describe_wrong_api(judge: Judge, table: Mapping[str, Any]) -> str:
    """Return a message if a provider does not have the requested kind of API; empty if it does."""
    if judge.provider not in table or judge.address:
        return ""
    provider = table[judge.provider]
    if judge.decides and not provider.decisions:
        return say("judge.no_decisions", provider=judge.provider)
    if not judge.decides and not provider.chat:
        return say("judge.only_decides", provider=judge.provider)
    return ""


def describe_missing_key(judge: Judge, table: Mapping[str, Any]) -> str:
    """Return a message if a judge's key is missing; empty if it has a key or needs none."""
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


def describe_missing_settings(judge: Judge, table: Mapping[str, Any]) -> str:
    """Return a message that says why a judge cannot be asked; empty if it can.

    A judge with an address needs no provider.
    """
    trouble = describe_refusal(judge, table) or describe_wrong_api(judge, table)
    if trouble:
        return trouble
    missing = list_missing_settings(judge, table)
    if not missing:
        return ""
    return say("judge.needs", missing=join_with_and(missing))


def list_missing_settings(judge: Judge, table: Mapping[str, Any]) -> list[str]:
    """Return the names of the missing settings of a judge, for a message."""
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
    """Join words with commas, and "and" before the last one."""
    *first, last = words
    if not first:
        return last
    return say("page.and_last", first=say("page.list_comma").join(first), last=last)


def explain_unasked(
    judge: Judge,
    is_asked: bool,
    table: Mapping[str, Any],
    prompt: str,
) -> MetricResult | None:
    """Return a result for a judge that is not asked, with the prompt to copy; else None.

    Args:
        judge: the judge that the user chose.
        is_asked: whether the user asked for its score.
        table: the modules' table of providers.
        prompt: the prompt of the judge.
    """
    message = describe_missing_settings(judge, table)
    brief = say("judge.needed")
    if not message and not is_asked:
        message = say("judge.press_score")
        brief = say("judge.unasked")
    if not message:
        return None
    return MetricResult("needs", message=message, brief=brief, prompt=prompt)


def make_arguments(judge: Judge, name: str) -> dict[str, Any]:
    """Return the arguments of a judge's `compute`, besides the texts.

    Replies are not cached. L3Score and decision models are asked once, because one reply has the
    probability.
    """
    metric_arguments: dict[str, Any] = {}
    if judge.decides:
        setting, value = BY_NAME[name].decision
        metric_arguments = {setting: value}
    elif judge.replies > 1 and BY_NAME[name].judge_writes:
        metric_arguments = {"samples": judge.replies}
    timeout = os.environ.get(TIMEOUT_VARIABLE) or DEFAULT_TIMEOUT
    return metric_arguments | {
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
    answer: Answer,
    reference: str,
    decides: bool,
) -> str:
    """Return the whole prompt of a judge for one reference, made by its module."""
    if not decides:
        return str(code.fill_prompt(answer.question, answer.prediction, reference))
    state = code.fill_state(answer.question, answer.prediction)
    question = code.fill_question(answer.question, answer.prediction, reference)
    return f"{state}\n\n{question}"


def make_verdict(result: Mapping[str, Any], judge: Judge, prompt: str) -> MetricResult:
    """Return the result of a judge with its reasons and cost; an error if it gave no score."""
    entry = collect_reasons(result, judge)
    if entry["score"] is None:
        message = describe_unjudged(str(entry["reason"]), entry.get("message"))
        return MetricResult("error", None, entry, message=message, prompt=prompt)
    score = float(entry["score"])
    signature = hide_key(str(result["signature"]), judge.key)
    return MetricResult("scored", score, entry, signature, prompt=prompt)


def collect_reasons(result: Mapping[str, Any], judge: Judge) -> dict[str, Any]:
    """Return the reasons for a single answer, with the judge's model and the cost of the call."""
    entry = dict(result["per_example"][0])
    entry["model"] = entry.get("model") or judge.model
    entry["cost"] = result["Cost"]
    entry["tokens"] = dict(result["tokens"])
    entry["sent"] = result["calls"]["sent"]
    return dict(hide_key(entry, judge.key))


def note_missing_question(result: MetricResult) -> MetricResult:
    """Add a note that the judge got no question to its result."""
    no_question = say("judge.no_question")
    if result.state != "scored":
        return replace(result, message=join_sentences(result.message, no_question))
    entry = dict(result.reasons)
    # The sentence on the question is not one of the module's, so the note becomes a text here.
    entry["note"] = join_sentences(describe_entry_note(result.reasons), no_question)
    entry["note_data"] = []
    return replace(result, per_example=entry)


def describe_unjudged(code: str, message: object) -> str:
    """Return a sentence for a reason code, with the module's message."""
    key = f"unscored.{code}"
    if not has_text(key):
        key = "unscored.other"
    sentence = str(message or "").strip().rstrip(".")
    return say("judge.unjudged", why=say(key), message=sentence)


def hide_key(value: Any, key: str) -> Any:
    """Replace the key in a text, or in all texts of a list or dict, by "[key]".

    >>> hide_key({"message": "Incorrect key sk-secret-123"}, "sk-secret-123")
    {'message': 'Incorrect key [key]'}
    """
    if len(key) < MIN_HIDDEN_KEY_LENGTH:
        return value
    if isinstance(value, str):
        return value.replace(key, "[key]")
    if isinstance(value, Mapping):
        return {hide_key(name, key): hide_key(inner, key) for name, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [hide_key(inner, key) for inner in value]
    return value
