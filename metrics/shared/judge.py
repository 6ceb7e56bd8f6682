"""Asks a language model many prompts, for the judges: nothing is paid for twice, and no failure becomes a score.

`Judge(...)` holds the settings, `Judge.ask(rows, read)` has every prompt answered. The openai SDK sends, waits and
tries again; judge_providers.py knows what errors and replies mean, judge_cache.py keeps what was answered,
judge_report.py sums up. The event loop runs in a thread of its own: notebooks, scripts and several threads may call.
"""

import asyncio
import concurrent.futures
import contextlib
import contextvars
import hashlib
import json
import math
import os
import re
import urllib.parse
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .judge_cache import Cache
from .judge_providers import PROVIDERS, Failure, Reader, failure_of, plain_line, read_reply, trimmed, unusable

# What decides which rows and replies there are; the rest of a request is the user's to add to.
RESERVED = {"messages", "model", "n", "stream"}
# So many requests that fail alike, with no success between, and no more are sent.
ENOUGH = 32
# What a server gets to take up a connection, and what replies under way get to arrive after Ctrl-C.
CONNECT_SECONDS, GRACE_SECONDS = 5.0, 5.0
# Shorter keys are placeholders such as "none", and may be words of a reply.
SHORTEST_KEY = 8
SECRET_NAME = re.compile("key|token$|secret|password|authorization", re.I)
ABOUT_OUTPUT = re.compile("response_format|json_schema|json_object|structured output|json mode|guided|grammar", re.I)
# Errors of aiohttp and httpcore2 where there is no connection to speak on.
UNREACHABLE = re.compile("ClientConnect|ConnectionTimeout|ConnectError|ConnectTimeout|UnicodeError|SSL|Certificate")
NOT_SENT = unusable("not_sent", "the batch had been stopped before it was answered")


@dataclass
class Judge:
    """One chat model of one provider, and how it is asked; JUDGE_INPUTS documents the settings.

    `parameters` are what the metric sends besides model and messages, `schema` is the JSON schema of the reply. Raises
    TypeError or ValueError where a setting is wrong, naming it and showing no key.
    """

    task: str
    model: Any
    parameters: Mapping[str, Any]
    max_tokens: Any = None
    temperature: Any = None
    schema: Mapping[str, Any] | None = None
    provider: Any = "openai"
    api_key: Any = field(default=None, repr=False)
    base_url: Any = None
    max_concurrency: Any = 32
    timeout: Any = 60.0
    max_retries: Any = 5
    on_error: Any = "raise"
    cache: Any = True
    retry_unusable: Any = False
    progress: Any = True
    extra_body: Any = None

    def __post_init__(self) -> None:
        self.check()
        self.model, home = self.model.strip(), PROVIDERS[self.provider]
        self.address = home.base_url if self.base_url is None else address_of(self.base_url)
        self.at_home = self.address == home.base_url
        # A server of the user's own gets no key that the environment has for a provider.
        ambient = os.environ.get(home.key_variable, "").strip() if self.api_key is None and self.at_home else ""
        self.api_key = key_of(ambient or self.api_key)
        # Organization, project and headers in the environment are those of the environment's own OpenAI key.
        self.takes_environment = bool(ambient) and self.provider == "openai"
        length = home.length if self.at_home else "max_tokens"
        chosen = {k: v for k, v in ((length, self.max_tokens), ("temperature", self.temperature)) if v is not None}
        self.body = {**self.parameters, **chosen, **home.body, **(self.extra_body or {})}
        self.output = home.output if self.schema and "response_format" not in self.body else "text"

    def check(self) -> None:
        """Raise TypeError or ValueError for a setting that makes no sense."""
        if not isinstance(self.model, str) or not self.model.strip() or not self.model.isprintable():
            said = "the name of the judge's model must be given, as its provider has it"
            raise TypeError(f"model is {self.model!r:.80}; {said}")
        whole, body = "a whole number of at least", {} if self.extra_body is None else self.extra_body
        rules = {
            "provider": (self.provider in list(PROVIDERS), f"one of {', '.join(map(repr, PROVIDERS))}"),
            "max_tokens": (self.max_tokens is None or number(self.max_tokens, 1, int), f"{whole} 1, or None,"),
            "temperature": (self.temperature is None or number(self.temperature), "a number of at least 0, or None,"),
            "max_concurrency": (number(self.max_concurrency, 1, int), f"{whole} 1"),
            "timeout": (number(self.timeout) and self.timeout > 0, "a number of seconds above 0"),
            "max_retries": (number(self.max_retries, 0, int), f"{whole} 0"),
            "on_error": (self.on_error in ("raise", "skip"), "'raise' or 'skip'"),
            "retry_unusable": (isinstance(self.retry_unusable, bool), "True or False"),
            "progress": (isinstance(self.progress, bool), "True or False"),
            "extra_body": (isinstance(body, Mapping), "a dict of further parameters of the request"),
        }
        for name, (good, expected) in rules.items():
            if not good:
                raise ValueError(f"{name} is {getattr(self, name)!r:.80}; {expected} is expected")
        for name in RESERVED & body.keys():
            raise ValueError(f"extra_body has {name!r}, which is not its to change")
        try:
            json.dumps(body, allow_nan=False)
        except (TypeError, ValueError) as error:
            raise ValueError(f"extra_body cannot be sent as JSON: {error}") from None

    def key(self, prompt: str) -> str:
        """Return what a request is remembered by."""
        asked = [self.address, self.model, self.body, self.output, self.schema, prompt]
        return hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()

    def settings(self) -> dict[str, str]:
        """Return what of the judge moves a score, for the signature."""
        address = {} if self.at_home else {"base_url": self.address}
        body = {name: "[hidden]" if SECRET_NAME.search(name) else value for name, value in self.body.items()}
        said = {"provider": self.provider, **address, "model": self.model}
        said["parameters"] = json.dumps(body, sort_keys=True)
        return {name: self.hidden(value).replace("|", "%7C") for name, value in said.items()}

    def hidden(self, text: str) -> str:
        """Return a text without the key."""
        return text.replace(self.api_key, "[key]") if len(self.api_key) >= SHORTEST_KEY else text

    def without_key(self, content: bytes) -> bytes:
        """Return the body of a response, which may show the key, without it."""
        return self.hidden(content.decode("latin-1")).encode("latin-1")

    def request(self, prompt: str, output: str) -> bytes:
        """Return a request as JSON in ASCII, in which every text has a form, a lone surrogate too."""
        body = {"model": self.model, "messages": [{"role": "user", "content": prompt}], **self.body}
        schema = {"json_schema": {"name": "verdict", "strict": True, "schema": self.schema}}
        form = {"type": output} | (schema if output == "json_schema" else {})
        return json.dumps(body | ({} if output == "text" else {"response_format": form})).encode()

    def ask(self, rows: Sequence[Sequence[str]], read: Reader) -> "Batch":
        """Have every prompt of every row answered, by the cache or the model, and return the batch with its answers.

        After Ctrl-C nothing more is sent; what is under way has some seconds to arrive and be kept. A batch that was
        `stopped` has rows whose prompts were not sent.
        """
        with contextlib.closing(Cache(self.cache)) as cache:
            batch = Batch(self, cache, rows, read)
            if not batch.pending or batch.stopped:
                return batch
            variable = PROVIDERS[self.provider].key_variable
            if self.at_home and variable and not self.api_key:
                raise ValueError(f"api_key is missing: pass api_key=..., or set {variable} in the environment")
            with concurrent.futures.ThreadPoolExecutor(1, "judge") as thread:
                future = thread.submit(lambda: asyncio.run(batch.settle()))
                try:
                    while not future.done():
                        concurrent.futures.wait([future], 0.2)
                except BaseException:
                    batch.stopped = Failure("stop", "interrupted", "Ctrl-C")
                    raise
            future.result()
        return batch


def number(value: Any, least: float = 0, kind: Any = (int, float)) -> bool:
    """Return whether a setting is a finite number of at least so much."""
    return isinstance(value, kind) and not isinstance(value, bool) and least <= value < math.inf


def key_of(value: Any) -> str:
    """Return an API key without white space around it; raise ValueError where it cannot be one."""
    key = value.strip() if isinstance(value, str) else ""
    if value is not None and not (key.isascii() and key.isprintable() and key and " " not in key):
        raise ValueError("api_key is no key: empty, no string, or with white space or odd characters inside")
    return key


def address_of(value: Any) -> str:
    """Return a server's address without a slash at its end; raise ValueError where it is none, or holds more."""
    parts = urllib.parse.urlsplit(value.strip() if isinstance(value, str) else "")
    try:
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # of a port that is no number, or too large
        good = False
    if not good:
        raise ValueError(f"base_url is {value!r:.80}; an address such as 'http://127.0.0.1:8000/v1' is expected")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise ValueError("base_url holds more than an address (a user, a query); a key goes into api_key")
    return parts.geturl().rstrip("/")


@dataclass
class Call:
    """One prompt and what became of it: what was found, with "score" and, where that is None, "reason" and "message".

    `cached` says that the reply was at hand, `requests` how often it was sent, `failure` why the last time failed.
    """

    prompt: str
    key: str
    found: dict[str, Any] = field(default_factory=lambda: NOT_SENT)
    reply: Mapping[str, Any] = field(default_factory=dict)
    cached: bool = False
    requests: int = 0
    failure: Failure | None = None


# The call that the task at hand sends.
SENDING: contextvars.ContextVar[Call] = contextvars.ContextVar("SENDING")


class Batch:
    """Rows of prompts on their way to one judge, one prompt for each reference of a row.

    Prompts that are equal share one request where a cache is used: asked one after the other, they would too.
    """

    def __init__(self, judge: Judge, cache: Cache, rows: Sequence[Sequence[str]], read: Reader) -> None:
        self.judge, self.cache, self.read, self.output = judge, cache, read, judge.output
        self.calls: dict[str, Call] = {}
        self.rows: list[list[Call]] = [[] for _ in rows]
        for row, prompts in zip(self.rows, rows, strict=True):
            for prompt in prompts:
                key = judge.key(prompt)
                name = key if judge.cache is not False else str(len(self.calls))
                row.append(self.calls.setdefault(name, Call(prompt, key)))
        self.stopped: Failure | None = None
        known = [call for call in self.calls.values() if self.recall(call)]
        self.pending = [call for call in self.calls.values() if not call.cached]
        # Whether any reply had a verdict, and why the last prompts had none.
        self.scored, self.reasons = any(call.found["score"] is not None for call in known), deque[Any](maxlen=ENOUGH)
        for call in known:
            self.watch(call)

    def recall(self, call: Call) -> bool:
        """Answer a call from the cache; one without a verdict is not asked again, unless the user says so."""
        reply = self.cache.get(call.key)
        try:
            found = read_reply(reply, self.read)
        except (KeyError, TypeError):  # there is none, or it was not kept by this client
            return False
        if found["score"] is None and self.judge.retry_unusable:
            return False
        call.found, call.reply, call.cached = found, reply, True
        return True

    def watch(self, call: Call) -> None:
        """Stop the batch where requests fail alike with no success between; replies, if none at all has a verdict."""
        reason = call.found.get("reason")
        self.reasons.append(reason)
        self.scored |= reason is None
        if reason and self.reasons.count(reason) == ENOUGH and not (call.reply and self.scored):
            said = f"{call.found['message']} ({ENOUGH} times alike, and no score between)"
            reason = "no_logprobs" if reason == "logprobs_missing" else reason
            self.stopped = self.stopped or Failure("stop", reason, said)

    async def settle(self) -> None:
        """Have as many workers as requests may be under way take call after call."""
        from tqdm import tqdm

        calls, judge, done = iter(self.pending), self.judge, len(self.calls) - len(self.pending)
        title = {"desc": f"{judge.task} {judge.model}", "unit": "call", "disable": not judge.progress}
        with tqdm(total=len(self.calls), initial=done, **title) as bar:
            async with connected(self) as client:
                workers = min(judge.max_concurrency, len(self.pending))
                work = asyncio.gather(*(self.work(client, calls, bar) for _ in range(workers)))
                while not (work.done() or self.stopped):
                    await asyncio.wait([work], timeout=0.1)
                if self.stopped:  # what is under way may have been paid for
                    graces = {"interrupted": GRACE_SECONDS, "unreachable": 0.0}
                    await asyncio.wait([work], timeout=graces.get(self.stopped.reason, judge.timeout))
                    work.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await work

    async def work(self, client: Any, calls: Iterator[Call], bar: Any) -> None:
        """Settle one call after another until there are none, or the batch is stopped."""
        for call in calls:
            if self.stopped:
                return
            if not self.recall(call):  # another process may have paid for it meanwhile
                await self.answer(client, call)
                self.watch(call)
            bar.update()

    async def answer(self, client: Any, call: Call) -> None:
        """Send a call and take in the reply, or why there is none."""
        judge, output, content = self.judge, self.output, b""
        deadline = judge.timeout * (judge.max_retries + 1)  # for all tries together
        SENDING.set(call)
        try:
            sending = client.post("/chat/completions", cast_to=bytes, content=judge.request(call.prompt, output))
            content = judge.without_key(await asyncio.wait_for(sending, deadline))
        except Exception as error:  # not raised again: it holds the request, and with it the key
            if not (call.failure or self.stopped):
                call.failure = self.unanswered(error)
        if call.failure and output != "text" and ABOUT_OUTPUT.search(call.failure.message):
            self.output = "text"
            await self.answer(client, call)
        elif call.failure:
            call.found = unusable(call.failure.reason, call.failure.message)
            if call.failure.kind == "stop":
                self.stopped = self.stopped or call.failure
        elif content:
            call.reply = trimmed(json.loads(content), output)
            call.found = read_reply(call.reply, self.read)
            if call.found.get("reason") != "error_in_reply":
                self.cache.put(call.key, call.reply)

    async def before(self, request: Any) -> None:
        """Count each try of a call; send none once the batch is stopped."""
        call = SENDING.get()
        if self.stopped:
            raise RuntimeError("the batch was stopped")
        if not self.judge.api_key:
            del request.headers["Authorization"]
        call.requests, call.failure = call.requests + 1, None

    async def after(self, response: Any) -> None:
        """Note what a response says, and tell the SDK whether to try again."""
        failure = failure_of(response.status_code, self.judge.without_key(await response.aread()))
        again = failure is not None and failure.kind == "again"
        SENDING.get().failure, response.headers["x-should-retry"] = failure, str(again).lower()
        if again:
            response.status_code = max(response.status_code, 500)  # an error in a reply of status 200 too

    def unanswered(self, error: BaseException) -> Failure:
        """Return why all tries ended without a response: no connection, or one that broke or took too long."""
        causes = [error]
        while causes[-1].__cause__ is not None:
            causes.append(causes[-1].__cause__)
        # The first two are names of the SDK and of httpx2, to whom whatever befalls aiohttp is a timeout.
        names = " ".join(type(cause).__name__ for cause in causes[2:] or causes)
        said = self.judge.hidden(f"{type(causes[-1]).__name__}: {plain_line(str(causes[-1]))}".rstrip(": "))
        if UNREACHABLE.search(names):
            said = f"no connection within {CONNECT_SECONDS:g} s" if "Timeout" in names else said
            https = self.judge.address.startswith("https:")
            hint = "; where the server speaks plain HTTP, base_url begins with http://" if https else ""
            return Failure("stop", "unreachable", said + hint)
        if "Timeout" in names:
            return Failure("again", "timeout", f"no complete reply, with {self.judge.timeout:g} s for each try")
        return Failure("again", "connection", said)


def connected(batch: Batch) -> Any:
    """Return a client of the openai SDK that follows no redirect, shows the batch each request and response, and sends
    nothing that the environment has for another server.
    """
    try:
        import httpx2
        import openai
    except ImportError as error:
        raise ImportError("the judge needs the openai SDK: pip install 'openai[aiohttp]>=3.54'") from error

    judge = batch.judge
    host, most = urllib.parse.urlsplit(judge.address).hostname or "", judge.max_concurrency
    local = re.fullmatch(r"(.*\.)?localhost\.?|127\..*|::1|0\.0\.0\.0", host)  # which no proxy can reach
    settings: dict[str, Any] = {"follow_redirects": False, "trust_env": not local}
    settings["event_hooks"] = {"request": [batch.before], "response": [batch.after]}
    settings["verify"] = not judge.address.startswith("http:")  # reading certificates takes 50 ms
    settings["limits"] = httpx2.Limits(max_connections=most, max_keepalive_connections=most)
    try:
        http = openai.DefaultAioHttpClient(**settings)  # a third of the time per call
    except RuntimeError:  # without aiohttp
        http = openai.DefaultAsyncHttpxClient(**settings)
    lines = ["OpenAI-Organization", "OpenAI-Project", *os.environ.get("OPENAI_CUSTOM_HEADERS", "").split("\n")]
    foreign = [] if judge.takes_environment else [line.partition(":")[0].strip() for line in lines]
    key = judge.api_key or "none"  # without which the SDK sends nothing
    given: dict[str, Any] = {"base_url": judge.address, "api_key": key, "admin_api_key": "", "webhook_secret": ""}
    given["default_headers"] = {**{name: openai.Omit() for name in foreign if name}, "Authorization": f"Bearer {key}"}
    given["timeout"] = openai.Timeout(judge.timeout, connect=min(judge.timeout, CONNECT_SECONDS))
    return openai.AsyncOpenAI(**given, max_retries=judge.max_retries, http_client=http)


JUDGE_INPUTS = """\
    model (str): the judge's model, as its provider names it; there is no default.
    provider (str): "openai", "deepseek", "xai", "anthropic", "mistral", "openrouter", "together", "vllm", "llamacpp",
        "ollama".
    api_key (str): None takes the provider's own environment variable, for the provider's own address only.
    base_url (str): the address of another server that speaks the OpenAI API.
    temperature (float): None sends none, and the server chooses; local ones sample by default: give them 0.
    max_concurrency (int): most requests under way at once.
    timeout (float): seconds without a word; all tries of a request take at most max_retries + 1 times as long.
    max_retries (int): how often a request is sent again after a passing failure.
    on_error ("raise", "skip"): what rows without a score do once all are done.
    cache (bool or path): True keeps replies in the user's cache folder, a path in that file, False nowhere.
    retry_unusable (bool): True asks again where the reply that was kept has no verdict.
    progress (bool): a progress bar on the error stream.
    extra_body (dict): further parameters of each request.
"""
JUDGE_RESULT = """\
n_scored, n_failed, Cost (USD, None where the price is unknown), tokens (dict), calls (dict), failures (dict), notes
    (list of str), signature (str), per_example (list of dict, when asked for). With dry_run: calls, cached_calls,
    tokens, counted_by, Cost, first_prompt, notes, signature.
"""
OPTIONS = tuple(re.findall(r"^    (\w+) \(", JUDGE_INPUTS, re.M)[1:])  # all but the model
