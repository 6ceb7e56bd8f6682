"""A judge: one model of one provider, and the settings of its requests.

The settings are checked when a judge is made, and never change. What a run asks and what it gets is
in judge_run.py.
"""

import json
import math
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from .judge_decisions import APIS, MAX_QUESTIONS, Decision, build_questions
from .judge_providers import PROVIDERS, Provider
from .judge_replies import hide_secrets

# The providers that take batches of requests.
BATCH_PROVIDERS = [name for name, provider in PROVIDERS.items() if provider.batches]
# The parameters of a request that only the judge sets; `extra_body` cannot.
RESERVED = ("messages", "model", "n", "stream")
RESERVED_OF_DECISIONS = (*RESERVED, "input", "state", "questions")
# The least value of each number. The default is always allowed. If the least value is an int, the
# setting must be one too.
LEAST = {
    "max_tokens": 1,
    "temperature": 0.0,
    "max_concurrency": 1,
    "timeout": 0.001,
    "max_retries": 0,
    "samples": 1,
}
SECRET_NAME = re.compile("key|token$|secret|password|authorization", re.I)
# "https://api.openai.com/v1", "http://127.0.0.1:8000/v1", "http://[::1]:8000"
ADDRESS = re.compile(r"https?://([^\s/?\x23@:[\]]+|\[[0-9a-f:.]+\])(:[1-9]\d{0,4})?(/[^\s?\x23]*)?")
# A shorter key is a placeholder, and may be a word of a reply: it is not hidden.
LEAST_KEY_LENGTH = 8


class Check(NamedTuple):
    """Whether the value of a setting is valid, and what is expected, for the error."""

    is_valid: object
    expected: str


@dataclass(frozen=True, eq=False)
class Judge:
    """One model of one provider, and the settings of its requests.

    JUDGE_INPUTS in judge_options.py documents most settings. The others are:

    Args:
        task: the name of the metric.
        parameters: the parameters that the metric sends besides model and messages.
        max_tokens: the most tokens of a reply; None leaves it to the provider.
        schema: the JSON schema of a reply, for providers that take one.
        samples: how often each prompt is sent.
        decision: the form of the questions to a decision model; None for a chat model.

    Raises:
        TypeError, ValueError: a setting is invalid; the error names it and shows no key.
    """

    task: str
    model: str | None
    parameters: Mapping[str, Any]
    max_tokens: int | None = None
    temperature: float | None = None
    schema: Mapping[str, Any] | None = None
    provider: str = "openai"
    api_key: str | None = field(default=None, repr=False)
    base_url: str | None = None
    max_concurrency: int = 32
    timeout: float = 60.0
    max_retries: int = 5
    on_error: str = "raise"
    cache: bool | str | os.PathLike[str] = True
    retry_unusable: bool = False
    progress: bool = True
    extra_body: Mapping[str, Any] | None = None
    batch: bool | str = False
    samples: int = 1
    api: str | None = None
    decision: Decision | None = None

    def __post_init__(self) -> None:
        check_settings(self)

    @cached_property
    def service(self) -> Provider:
        """The provider in the table of providers; OpenAI's entry for an unknown name."""
        return PROVIDERS.get(self.provider, PROVIDERS["openai"])

    @cached_property
    def model_name(self) -> str:
        """The model, without white space around its name."""
        return str(self.model).strip()

    @cached_property
    def address(self) -> str:
        """The address of the server that is asked."""
        if self.base_url is None:
            return self.service.base_url
        return str(self.base_url).strip().rstrip("/")

    @cached_property
    def asks_provider(self) -> bool:
        """True if the server is the provider's own."""
        return self.address == self.service.base_url

    @cached_property
    def uses_environment(self) -> bool:
        """True if the key comes from the environment.

        It is sent to the provider's own address only.
        """
        return self.api_key is None and self.asks_provider

    @cached_property
    def key(self) -> str:
        """The key that is sent; empty for none."""
        if self.uses_environment:
            return os.environ.get(self.service.key_variable, "").strip()
        return (self.api_key or "").strip()

    @cached_property
    def sends_organization(self) -> bool:
        """True if the organization of the environment is sent.

        It is sent only to OpenAI, with a key from the environment.
        """
        return self.uses_environment and self.provider == "openai"

    @cached_property
    def path(self) -> str:
        """The path of requests: "chat/completions", or the name of a format for decisions."""
        if self.decision is None:
            return "chat/completions"
        return self.api or self.service.decisions

    @cached_property
    def max_questions(self) -> int:
        """The most prompts in one request; a chat request has one."""
        return MAX_QUESTIONS.get(self.path, 1)

    @cached_property
    def body(self) -> dict[str, Any]:
        """The parameters of each request besides model and messages."""
        body = dict(self.parameters)
        if self.max_tokens is not None:
            name = self.service.max_tokens_name if self.asks_provider else "max_tokens"
            body[name] = self.max_tokens
        if self.temperature is not None:
            body["temperature"] = self.temperature
        if self.decision is None:
            body.update(self.service.body)
        # None removes a parameter.
        for name, value in (self.extra_body or {}).items():
            body.pop(name, None)
            if value is not None:
                body[name] = value
        return body

    @cached_property
    def output(self) -> str:
        """The form of output that is requested at first; a server may refuse it."""
        if not self.schema or "response_format" in (self.extra_body or {}):
            return "text"
        return self.service.output

    def can_batch(self) -> bool:
        """Return whether this judge can send batches: they need a cache to be found again."""
        return self.provider in BATCH_PROVIDERS and self.cache is not False

    def hide_key(self, text: str) -> str:
        """Return a text without the key."""
        if len(self.key) < LEAST_KEY_LENGTH:
            return text
        return text.replace(self.key, "[key]")

    def describe_settings(self) -> dict[str, str]:
        """Return the settings that can change a score, for the signature."""
        body = {}
        for name, value in self.body.items():
            is_secret = SECRET_NAME.search(name)
            body[name] = "[hidden]" if is_secret else value
        settings = {"provider": self.provider}
        if not self.asks_provider:
            settings["base_url"] = self.address
        if self.decision is not None:
            settings["api"] = self.path
        settings["model"] = self.model_name
        settings["parameters"] = json.dumps(body, sort_keys=True)
        # A judge that is asked until it gives a verdict has another mean on each run.
        if self.retry_unusable:
            settings["retry_unusable"] = "yes"
        if self.samples > 1:
            settings["samples"] = str(self.samples)
        for name, value in settings.items():
            settings[name] = self.hide_key(value).replace("|", "%7C")
        return settings

    def encode_questions(self, state: str, instructions: Sequence[str]) -> bytes:
        """Return a request with questions to a decision model, as JSON in ASCII."""
        if self.decision is None:
            raise TypeError("this judge answers no questions")
        # The order of choices may change an answer, so they keep it. The order of parameters
        # changes nothing, so they are sorted: equal requests have equal hashes.
        questions = build_questions(self.path, self.decision, state, instructions)
        body = {
            "model": self.model_name,
            **questions,
            **dict(sorted(self.body.items())),
        }
        return json.dumps(body, allow_nan=False).encode()

    def encode_request(self, prompt: str, output: str) -> bytes:
        """Return a request as JSON in ASCII.

        ASCII can escape every text, even a lone surrogate.
        """
        body: dict[str, Any] = {
            "model": self.model_name,
            "messages": [{"role": "user", "content": prompt}],
        }
        body.update(self.body)
        if output != "text":
            body["response_format"] = {"type": output}
        if output == "json_schema":
            schema = {"name": "verdict", "strict": True, "schema": self.schema}
            body["response_format"]["json_schema"] = schema
        return json.dumps(body, sort_keys=True, allow_nan=False).encode()


def check_settings(judge: Judge) -> None:
    """Raise TypeError or ValueError if a setting is invalid."""
    batches = f"False; True or 'later' with a cache and one of {', '.join(BATCH_PROVIDERS)}"
    checks = {
        "model": Check(
            is_name(judge.model),
            "the name of the judge's model, as its provider has it,",
        ),
        "provider": Check(
            judge.provider in PROVIDERS,
            f"one of {', '.join(map(repr, PROVIDERS))}",
        ),
        "api_key": Check(
            has_good_key(judge),
            "one without white space or odd characters inside",
        ),
        "base_url": Check(
            ADDRESS.fullmatch(judge.address),
            "an address such as 'http://127.0.0.1:8000/v1'",
        ),
        "on_error": Check(judge.on_error in ("raise", "skip"), "'raise' or 'skip'"),
        "batch": Check(has_good_batch(judge), batches),
        "extra_body": Check(is_body(judge.extra_body), f"a dict without {RESERVED}"),
    }
    for name, least in LEAST.items():
        value = getattr(judge, name)
        is_default = value is getattr(Judge, name)
        whole = " whole" if isinstance(least, int) else ""
        checks[name] = Check(
            is_default or is_number(value, least),
            f"a{whole} number of at least {least:g}",
        )
    if judge.decision is None:
        checks |= list_chat_checks(judge)
    else:
        checks |= list_decision_checks(judge)
    for name, check in checks.items():
        if not check.is_valid:
            raise describe_bad_setting(name, getattr(judge, name), check.expected)


def list_chat_checks(judge: Judge) -> dict[str, Check]:
    """Return the checks of the settings of a chat model, by their names."""
    names = [name for name, provider in PROVIDERS.items() if provider.chat]
    can_chat = judge.service.chat or not judge.asks_provider
    checks = {"api": Check(judge.api is None, "None, unless a decision is asked for,")}
    if judge.provider in PROVIDERS:
        checks["provider"] = Check(
            can_chat,
            f"one that answers with text ({', '.join(names)}), or a decision,",
        )
    return checks


def list_decision_checks(judge: Judge) -> dict[str, Check]:
    """Return the checks of the settings of a decision model, by their names."""
    names = [name for name, provider in PROVIDERS.items() if provider.decisions]
    checks = {
        "temperature": Check(judge.temperature is None, "None (a decision is not sampled)"),
        "batch": Check(
            judge.batch is False,
            "False (no provider takes decisions in batches)",
        ),
        "samples": Check(judge.samples == 1, "1 (one answer has the probability)"),
        "extra_body": Check(
            is_body(judge.extra_body, RESERVED_OF_DECISIONS),
            f"a dict without {RESERVED_OF_DECISIONS}",
        ),
        "api": Check(
            judge.api is None or judge.api in APIS,
            f"None or one of {', '.join(map(repr, APIS))}",
        ),
    }
    if judge.provider in PROVIDERS:
        remedy = "api names the format of any other"
        checks["provider"] = Check(
            bool(judge.path),
            f"one that gives decisions ({', '.join(names)}; {remedy})",
        )
    return checks


def describe_bad_setting(name: str, value: object, expected: str) -> Exception:
    """Return the error for an invalid setting; it shows no key."""
    shown = "no key" if name == "api_key" else hide_secrets(repr(value))
    error = TypeError if name == "model" else ValueError
    return error(f"{name} is {shown:.80}; {expected} is expected")


def is_name(model: object) -> bool:
    """Return whether a setting can be the name of a model."""
    if not isinstance(model, str) or not model.strip():
        return False
    return model.isprintable()


def is_key(key: object) -> bool:
    """Return whether a setting can be a key, or is None."""
    if key is None:
        return True
    if not isinstance(key, str):
        return False
    return re.fullmatch("[!-~]+", key.strip()) is not None


def has_good_key(judge: Judge) -> bool:
    """Return whether the key can be one: the one passed, or that of the environment."""
    return is_key(judge.api_key) and is_key(judge.key or None)


def is_body(body: object, reserved: Sequence[str] = RESERVED) -> bool:
    """Return whether a setting can be extra parameters of a request, or is None."""
    if body is None:
        return True
    if not isinstance(body, Mapping):
        return False
    return not body.keys() & set(reserved)


def is_number(value: object, least: float) -> bool:
    """Return whether a setting is a finite number of at least `least`; an int if `least` is one."""
    if isinstance(value, bool) or not isinstance(value, int | type(least)):
        return False
    return least <= value < math.inf


def has_good_batch(judge: Judge) -> bool:
    """Return whether batches are not asked for, or this judge can send them."""
    if judge.batch is False:
        return True
    return (judge.batch is True or judge.batch == "later") and judge.can_batch()
