# A copy of metrics/shared/judge.py: change that one, then run `make copies`.
"""Asks a language model many prompts, for the judges: nothing is paid for twice, and no failure becomes a score.

The openai SDK sends, waits and tries again; judge_providers.py knows what errors and replies mean, judge_cache.py keeps
replies, judge_report.py sums up. The event loop has a thread of its own: notebooks, scripts and many threads may call.
"""

import asyncio
import concurrent.futures
import contextlib
import hashlib
import json
import math
import os
import re
from collections.abc import Callable, Iterable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from tqdm import tqdm

from .judge_cache import Cache
from .judge_providers import PROVIDERS, plain_line, read_reply, read_response, unusable

SENDING: ContextVar["Call"] = ContextVar("SENDING")  # the call that the task at hand sends
RESERVED = ("messages", "model", "n", "stream")  # the rest of a request is the user's to add to
ENOUGH = 32  # requests that fail alike, with no success between, and no more are sent
SOON = 5.0  # seconds for a server to take up a connection, and for replies under way to arrive after Ctrl-C
# The least that a setting may be, if it is not the default, which may be None; a whole number where this is one.
LEAST = {"max_tokens": 1, "temperature": 0.0, "max_concurrency": 1, "timeout": 0.001, "max_retries": 0}
# What servers are sent of the headers that the SDK makes: others may come from the environment.
HEADERS = {"host", "content-length", "content-type", "accept", "accept-encoding", "connection", "user-agent"}
SECRET_NAME = re.compile("key|token$|secret|password|authorization", re.I)
ADDRESS = re.compile(r"https?://([^\s/?\x23@:[\]]+|\[[0-9a-f:.]+\])(:[1-9]\d{0,4})?(/[^\s?\x23]*)?")
LOCAL = re.compile(r"https?://((.*\.)?localhost\.?|127\.[\d.]+|\[::1\]|0\.0\.0\.0)([:/]|$)")
ABOUT_OUTPUT = re.compile("response_format|json_schema|json_object|structured output|json mode|guided|grammar", re.I)


@dataclass
class Call:
    """One prompt, how often it was sent, and what came of it: nothing as long as nothing came."""

    prompt: str
    key: str
    requests: int = 0
    cached: bool = False  # whether the reply was at hand
    reply: dict[str, Any] = field(default_factory=dict)  # what of it is kept
    found: dict[str, Any] = field(default_factory=dict)  # "score" and, where that is None, "reason" and "message"


@dataclass
class Judge:
    """One chat model of one provider, how it is asked, and what it was asked: JUDGE_INPUTS documents the settings."""

    task: str
    model: Any
    parameters: Mapping[str, Any]  # what the metric sends besides model and messages
    max_tokens: Any = None
    temperature: Any = None
    schema: Mapping[str, Any] | None = None  # of the reply
    provider: Any = "openai"
    api_key: Any = field(default=None, repr=False)
    base_url: Any = None
    max_concurrency: Any = 32
    timeout: Any = 60.0
    max_retries: Any = 5
    on_error: Any = "raise"
    cache: Any = True
    retry_unusable: bool = False
    progress: bool = True
    extra_body: Any = None

    def __post_init__(self) -> None:
        home = PROVIDERS.get(self.provider, PROVIDERS["openai"])
        self.address = home.base_url if self.base_url is None else str(self.base_url).strip().rstrip("/")
        self.at_home = self.address == home.base_url
        # A server of the user's own gets no key of the environment; its organization goes with its own key alone.
        ambient = self.api_key is None and self.at_home
        self.with_organization = ambient and self.provider == "openai"
        if ambient:
            self.api_key = os.environ.get(home.key_variable, "").strip() or None
        self.check()
        self.model, self.api_key = self.model.strip(), (self.api_key or "").strip()
        length = home.length if self.at_home else "max_tokens"
        chosen = {k: v for k, v in ((length, self.max_tokens), ("temperature", self.temperature)) if v is not None}
        self.body = {**self.parameters, **chosen, **home.body, **(self.extra_body or {})}
        self.output = home.output if self.schema and "response_format" not in self.body else "text"
        self.stopped: dict[str, Any] = {}

    def check(self) -> None:
        """Raise TypeError or ValueError for a setting that makes no sense, naming it and showing no key."""
        named = isinstance(self.model, str) and self.model.strip() and self.model.isprintable()
        key = self.api_key is None or (isinstance(self.api_key, str) and re.fullmatch("[!-~]+", self.api_key.strip()))
        body = {} if self.extra_body is None else self.extra_body
        rules = {
            "model": (named, "the name of the judge's model, as its provider has it,"),
            "provider": (self.provider in PROVIDERS, f"one of {', '.join(map(repr, PROVIDERS))}"),
            "api_key": (key, "one without white space or odd characters inside"),
            "base_url": (ADDRESS.fullmatch(self.address), "an address such as 'http://127.0.0.1:8000/v1'"),
            "on_error": (self.on_error in ("raise", "skip"), "'raise' or 'skip'"),
            "extra_body": (isinstance(body, Mapping) and not body.keys() & RESERVED, f"a dict without {RESERVED}"),
        }
        for name, least in LEAST.items():
            value, kind = getattr(self, name), type(least)
            number = isinstance(value, int | kind) and not isinstance(value, bool) and least <= value < math.inf
            default = value is getattr(Judge, name)  # which may be None
            rules[name] = number or default, f"a{' whole' * (kind is int)} number of at least {least:g}"
        for name, (good, expected) in rules.items():
            if not good:
                value = "no key" if name == "api_key" else re.sub(r"//.*@|[?\x23].*", "...", repr(getattr(self, name)))
                raise (TypeError if name == "model" else ValueError)(f"{name} is {value:.80}; {expected} is expected")

    def hidden(self, text: str) -> str:
        """Return a text without the key. Shorter ones are placeholders, and may be words of a reply."""
        return text.replace(self.api_key, "[key]") if len(self.api_key) >= 8 else text

    def settings(self) -> dict[str, str]:
        """Return what of the judge moves a score, for the signature."""
        body = {name: "[hidden]" if SECRET_NAME.search(name) else value for name, value in self.body.items()}
        said = {"provider": self.provider} | ({} if self.at_home else {"base_url": self.address})
        said |= {"model": self.model, "parameters": json.dumps(body, sort_keys=True)}
        return {name: self.hidden(value).replace("|", "%7C") for name, value in said.items()}

    def request(self, prompt: str, output: str) -> bytes:
        """Return a request as JSON in ASCII, in which every text has a form, a lone surrogate too."""
        schema = {"json_schema": {"name": "verdict", "strict": True, "schema": self.schema}}
        form = {"response_format": {"type": output} | (schema if output == "json_schema" else {})}
        body = {"model": self.model, "messages": [{"role": "user", "content": prompt}], **self.body}
        return json.dumps(body | (form if output != "text" else {}), sort_keys=True, allow_nan=False).encode()

    def ask(self, rows: Iterable[Any], fill: Callable[..., str], read: Callable[..., Any], dry_run: bool) -> None:
        """Have a prompt for each reference of each row (question, answer, references) answered by cache or model."""
        self.read, self.calls, self.rows = read, dict[str, Call](), list[list[Call]]()
        for question, prediction, references in rows:
            self.rows.append([])
            for reference in references:
                prompt = fill(question, prediction, reference)
                key = hashlib.sha256(self.address.encode() + self.request(prompt, self.output)).hexdigest()
                # With a cache equal prompts share one request: asked one after the other, they would too.
                name = key if self.cache is not False else str(len(self.calls))
                self.rows[-1].append(self.calls.setdefault(name, Call(prompt, key)))
        with contextlib.closing(Cache(self.cache)) as self.kept:
            for call in self.calls.values():
                reply = self.kept.get(call.key)
                found = read_reply(reply, read) if reply else None
                # A reply without a verdict is not asked for again, unless the user says so.
                if found and (found["score"] is not None or not self.retry_unusable):
                    call.cached, call.reply, call.found = True, reply, found
            known = [call for call in self.calls.values() if call.cached]
            self.pending = [call for call in self.calls.values() if not call.cached]
            self.at_hand = sum(map(len, self.rows)) - len(self.pending)
            # Why one prompt after the other had no verdict, None where it had; here, whether any has.
            self.reasons = [None] * any(call.found["score"] is not None for call in known)
            for call in known:
                self.watch(call)
            if self.pending and not (self.stopped or dry_run):
                self.send(len(known))

    def send(self, known: int) -> None:
        """Send what is pending, in a thread of its own. After Ctrl-C what is under way has some seconds to arrive."""
        variable = PROVIDERS[self.provider].key_variable
        if self.at_home and variable and not self.api_key:
            raise ValueError(f"api_key is missing: pass api_key=..., or set {variable} in the environment")
        bar = tqdm(self.calls, f"{self.task} {self.model}", initial=known, unit="call", disable=not self.progress)
        with bar as self.bar, concurrent.futures.ThreadPoolExecutor(1, "judge") as thread:
            future = thread.submit(lambda: asyncio.run(self.settle()))
            try:
                while not future.done():
                    concurrent.futures.wait([future], 0.2)
            except BaseException:
                self.stopped = unusable("interrupted", "Ctrl-C")
                raise
        future.result()

    def watch(self, call: Call) -> None:
        """Stop the batch where requests fail alike with no success between; replies, if none at all has a verdict."""
        reason = call.found.get("reason")
        self.reasons.append(reason)
        if reason and self.reasons[-ENOUGH:] == [reason] * ENOUGH and not (call.reply and None in self.reasons):
            said = f"{call.found['message']} ({ENOUGH} times alike, and no score between)"
            self.stopped = self.stopped or unusable("no_logprobs" if reason == "logprobs_missing" else reason, said)

    async def settle(self) -> None:
        """Have as many workers as requests may be under way take call after call."""
        calls = (call for call in self.pending if not self.stopped)
        async with connected(self) as client:

            async def work() -> None:
                for call in calls:
                    await self.answer(client, call)
                    self.watch(call)
                    self.bar.update()

            workers = asyncio.gather(*(work() for _ in self.pending[: self.max_concurrency]))
            while not (workers.done() or self.stopped):
                await asyncio.wait([workers], timeout=0.1)
            soon = self.stopped.get("reason") in ("interrupted", "unreachable")
            with contextlib.suppress(asyncio.TimeoutError):  # what is under way may have been paid for
                await asyncio.wait_for(workers, SOON if soon else self.timeout)

    async def answer(self, client: Any, call: Call) -> None:
        """Send a call and take in the reply, or why there is none."""
        output = self.output
        SENDING.set(call)
        try:
            sending = client.post("/chat/completions", cast_to=bytes, content=self.request(call.prompt, output))
            await asyncio.wait_for(sending, self.timeout * (self.max_retries + 1))
        except Exception as error:  # not raised again: it holds the request, and with it the key
            if not (call.found or self.stopped):
                call.found = self.unanswered(error)
        if output != "text" and ABOUT_OUTPUT.search(call.found.get("message", "")):
            self.output = "text"
            await self.answer(client, call)
        elif call.found.get("kind") == "stop":
            self.stopped = self.stopped or call.found
        elif call.reply:
            call.reply["output"] = output
            call.found = read_reply(call.reply, self.read)
            if call.found.get("reason") != "error_in_reply":
                self.kept.put(call.key, call.reply)

    async def before(self, request: Any) -> None:
        """Count each try of a call and give it the key; send none once the batch is stopped."""
        if self.stopped:
            raise RuntimeError("the batch was stopped")
        call = SENDING.get()
        call.requests, call.found = call.requests + 1, {}
        for name in set() if self.with_organization else set(request.headers) - HEADERS:
            del request.headers[name]
        if self.api_key:
            request.headers["Authorization"] = f"Bearer {self.api_key}"

    async def after(self, response: Any) -> None:
        """Take in what a response says, and tell the SDK whether to try again."""
        call, content = SENDING.get(), await response.aread()
        call.reply, call.found = read_response(response.status_code, self.hidden(content.decode(errors="replace")))
        again = call.found.get("kind") == "again"
        response.headers["x-should-retry"] = str(again).lower()
        response.status_code = max(response.status_code, 500 * again)  # an error in a reply of status 200 too

    def unanswered(self, error: BaseException) -> dict[str, Any]:
        """Return why all tries ended without a response: no connection, or one that broke or took too long."""
        causes = [error]
        while causes[-1].__cause__ is not None:
            causes.append(causes[-1].__cause__)
        # The first two are names of the SDK and of httpx2, to whom whatever befalls aiohttp is a timeout.
        names = " ".join(type(cause).__name__ for cause in causes[2:] or causes).lower()
        said = f"{type(causes[-1]).__name__} ({self.timeout:g} s for each try): {causes[-1]}"
        nobody = re.search("clientconnect|connectiontimeout|unicodeerror|ssl", names)
        reason = "unreachable" if nobody else "timeout" if "timeout" in names else "connection"
        return unusable(reason, plain_line(self.hidden(said)), kind="stop" if nobody else "again")


def connected(judge: Judge) -> Any:
    """Return a client of the openai SDK that follows no redirect and shows the judge each request and response."""
    try:
        import openai
    except ImportError as error:
        raise ImportError("the judge needs the openai SDK: pip install 'openai[aiohttp]>=3.54'") from error

    http = openai.DefaultAioHttpClient(  # a third of the time per call
        follow_redirects=False,
        trust_env=not LOCAL.match(judge.address),  # no proxy can reach this machine
        verify=not judge.address.startswith("http:"),  # reading certificates takes 50 ms
        event_hooks={"request": [judge.before], "response": [judge.after]},
    )
    timeout = openai.Timeout(judge.timeout, connect=min(judge.timeout, SOON))
    given = {"base_url": judge.address, "max_retries": judge.max_retries, "timeout": timeout, "http_client": http}
    return openai.AsyncOpenAI(api_key="none", **given)  # without one the SDK sends nothing
