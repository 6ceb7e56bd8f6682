# A copy of metrics/shared/judge.py: change that one, then run `make copies`.
"""Asks a language model many prompts, for the judges: nothing is paid for twice, and no failure becomes a score.

The openai SDK sends, waits and tries again; judge_providers.py knows what errors and replies mean, judge_cache.py keeps
replies, judge_report.py sums up. The event loop has a thread of its own: notebooks, scripts and many threads may call.
"""

import asyncio
import concurrent.futures
import contextlib
import errno
import hashlib
import json
import math
import os
import re
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from tqdm import tqdm

from .judge_batch import answer, under_way
from .judge_cache import Cache
from .judge_client import HEADERS, SOON, answers_plain_http, connected
from .judge_providers import ABOUT_OUTPUT, ABSENT, BROKEN, DECLINED, PROVIDERS, plain_line, read_response, unusable
from .judge_providers import without_secrets
from .judge_services import SERVICES
from .judge_watch import Watch

SENDING: ContextVar["Call"] = ContextVar("SENDING")  # the call that the task at hand sends
RESERVED = ("messages", "model", "n", "stream")  # the rest of a request is the user's to add to
MET = set[str]()  # the addresses that have answered this process: there, who cannot be reached is tried again
# Where nobody has answered yet: seconds that the first request is alone, and that its connection may take by TLS.
ALONE, FIRST = 1.0, 0.8
# The least that a setting may be, if it is not the default, which may be None; a whole number where this is one.
LEAST = {"max_tokens": 1, "temperature": 0.0, "max_concurrency": 1, "timeout": 0.001, "max_retries": 0, "samples": 1}
SECRET_NAME = re.compile("key|token$|secret|password|authorization", re.I)
ADDRESS = re.compile(r"https?://([^\s/?\x23@:[\]]+|\[[0-9a-f:.]+\])(:[1-9]\d{0,4})?(/[^\s?\x23]*)?")


@dataclass
class Call:
    """One prompt, how often it was sent, and what came of it: nothing as long as nothing came."""

    prompt: str
    key: str
    requests: int = 0
    cached: bool = False  # whether the reply was at hand
    reply: dict[str, Any] = field(default_factory=dict)  # what of it is kept
    found: dict[str, Any] = field(default_factory=dict)  # "score" and, where that is None, "reason" and "message"


@dataclass(eq=False)
class Judge:
    """One chat model of one provider, how it is asked, and what it was asked: JUDGE_INPUTS documents the settings."""

    task: str
    model: Any
    parameters: Mapping[str, Any]  # what the metric sends besides model and messages
    max_tokens: Any = None
    temperature: Any = None
    schema: Mapping[str, Any] | None = None  # of the reply
    provider: str = "openai"
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
    batch: Any = False
    samples: Any = 1  # how often each prompt is asked

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
        given = self.extra_body or {}
        body = {**self.parameters, **chosen, **home.body, **given}
        self.body = {name: value for name, value in body.items() if value is not None or name not in given}
        self.form = self.output = home.output if self.schema and "response_format" not in given else "text"
        self.stopped: dict[str, Any] = {}
        self.afresh = self.retry_unusable  # whether to ask again where the reply that is kept has no verdict
        self.secure, self.met = not self.address.startswith("http:"), asyncio.Event()
        self.first: Call | None = None  # that was sent

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
            "batch": (
                self.batch is False or ((self.batch is True or self.batch == "later") and self.batches()),
                f"False; True or 'later' with a cache and one of {', '.join(SERVICES)}",
            ),
            "extra_body": (isinstance(body, Mapping) and not body.keys() & RESERVED, f"a dict without {RESERVED}"),
        }
        for name, least in LEAST.items():
            value, kind = getattr(self, name), type(least)
            number = isinstance(value, int | kind) and not isinstance(value, bool) and least <= value < math.inf
            default = value is getattr(Judge, name)  # which may be None
            rules[name] = number or default, f"a{' whole' * (kind is int)} number of at least {least:g}"
        for name, (good, expected) in rules.items():
            if not good:
                value = "no key" if name == "api_key" else without_secrets(repr(getattr(self, name)))
                raise (TypeError if name == "model" else ValueError)(f"{name} is {value:.80}; {expected} is expected")

    def hidden(self, text: str) -> str:
        """Return a text without the key. Shorter ones are placeholders, and may be words of a reply."""
        return text.replace(self.api_key, "[key]") if len(self.api_key) >= 8 else text

    def settings(self) -> dict[str, str]:
        """Return what of the judge moves a score, for the signature."""
        body = {name: "[hidden]" if SECRET_NAME.search(name) else value for name, value in self.body.items()}
        said = {"provider": self.provider} | ({} if self.at_home else {"base_url": self.address})
        said |= {"model": self.model, "parameters": json.dumps(body, sort_keys=True)}
        said |= {"retry_unusable": "yes"} if self.retry_unusable else {}  # the mean moves from run to run
        said |= {"samples": str(self.samples)} if self.samples > 1 else {}
        return {name: self.hidden(value).replace("|", "%7C") for name, value in said.items()}

    def request(self, prompt: str, output: str) -> bytes:
        """Return a request as JSON in ASCII, in which every text has a form, a lone surrogate too."""
        schema = {"json_schema": {"name": "verdict", "strict": True, "schema": self.schema}}
        form = {"response_format": {"type": output} | (schema if output == "json_schema" else {})}
        body = {"model": self.model, "messages": [{"role": "user", "content": prompt}], **self.body}
        return json.dumps(body | (form if output != "text" else {}), sort_keys=True, allow_nan=False).encode()

    def batches(self) -> bool:
        """Tell whether this judge can be asked by batches, which are found again by the cache."""
        return self.provider in SERVICES and self.cache is not False

    def ask(
        self,
        rows: Iterable[Any],
        fill: Callable[..., str],
        read: Callable[..., Any],
        dry_run: bool,
        wait: bool = True,
    ) -> None:
        """Have a prompt for each reference of each row (question, answer, references) answered by cache or model, as
        often as `samples` says. Without `wait` batches are submitted and no more.
        """
        self.read, self.calls, self.rows = read, dict[str, Call](), list[list[list[Call]]]()
        for question, prediction, references in rows:
            prompts = [fill(question, prediction, reference) for reference in references]
            self.rows.append([self.samples_of(prompt) for prompt in prompts])
        with contextlib.closing(Cache(self.cache)) as self.kept:
            known = [call for call in self.calls.values() if self.recall(call)]
            self.queue = deque[Call]()
            self.begin_watch(known)
            for call in known:
                self.watch(call)
            if self.stopped:  # by what an earlier run has left: the server may be in order by now
                self.stopped, self.afresh = {}, True
                self.begin_watch([])
                known = [call for call in known if self.recall(call)]
            self.pending = [call for call in self.calls.values() if not call.cached]
            if dry_run and self.batch:
                submitted = {key for batch in under_way(self) for key in batch.keys}
                self.pending = [call for call in self.pending if call.key not in submitted]
            if self.pending and not dry_run:
                self.send(len(known), wait)
                self.pending = [call for call in self.pending if not call.cached]  # others may have asked meanwhile
            self.at_hand = self.samples * sum(map(len, self.rows)) - len(self.pending)

    def samples_of(self, prompt: str) -> list[Call]:
        """Return the calls for a prompt; the first is that of a judge who is asked once."""
        asked, found = self.address.encode() + self.request(prompt, self.form), []
        for number in range(self.samples):
            key = hashlib.sha256(asked + f" reply {number + 1}".encode() * bool(number)).hexdigest()
            # With a cache equal prompts share one request: asked one after the other, they would too.
            name = key if self.cache is not False else str(len(self.calls))
            found.append(self.calls.setdefault(name, Call(prompt, key)))
        return found

    def recall(self, call: Call) -> bool:
        """Take over the reply that is kept for a call, and tell whether there is one that is not asked for again."""
        reply = self.kept.get(call.key)
        found = self.read(reply) if reply else {"kind": "again"}
        verdict = not found.get("kind") and (found["score"] is not None or found["reason"] == DECLINED)
        call.cached = not found.get("kind") and (verdict or not self.afresh)
        call.reply, call.found = (reply, found) if call.cached else ({}, {})
        return call.cached

    def send(self, known: int, wait: bool) -> None:
        """Send what is pending, in a thread of its own. After Ctrl-C what is under way has some seconds to arrive."""
        variable = PROVIDERS[self.provider].key_variable
        if self.at_home and variable and not self.api_key:
            raise ValueError(f"api_key is missing: pass api_key=..., or set {variable} in the environment")
        bar = tqdm(self.calls, f"{self.task} {self.model}", initial=known, unit="call", disable=not self.progress)
        if self.batch:
            with bar:
                answer(self, bar, wait)
            return
        thread = concurrent.futures.ThreadPoolExecutor(1, "judge")
        with bar as self.bar:
            future = thread.submit(lambda: asyncio.run(self.settle()))
            thread.shutdown(wait=False)
            try:
                while not future.done():
                    concurrent.futures.wait([future], 0.2)
            except BaseException:
                self.stopped = unusable("interrupted", "Ctrl-C")
                concurrent.futures.wait([future], SOON + 1)  # a name that is looked up cannot be broken off, but left
                raise
        future.result()

    def begin_watch(self, known: Sequence[Call]) -> None:
        """Begin to watch for failures that end the run, knowing whether the replies at hand hold a verdict."""
        self.watching = Watch()
        self.watching.succeeded = any(call.found["score"] is not None for call in known)

    def watch(self, call: Call) -> None:
        """Stop the batch where requests fail alike with no success between; replies, if none at all has a verdict."""
        self.stopped = self.watching.add(call, self.queue) if not self.stopped else self.stopped

    async def settle(self) -> None:
        """Have as many workers as requests may be under way take call after call; end them some time after a stop."""
        self.queue, self.passed = deque(self.pending), set[str]()
        if self.address in MET:
            self.met.set()
        async with connected(self) as client:
            workers = asyncio.gather(*(self.work(client, i) for i in range(min(len(self.queue), self.max_concurrency))))
            end, renewed = math.inf, 0.0
            while not workers.done() and (now := time.monotonic()) < end:
                await asyncio.wait([workers], timeout=0.1)
                if self.stopped:  # what is under way may have been paid for
                    soon = {"interrupted": SOON, "unreachable": SOON if self.met.is_set() else 0}
                    end = min(end, now + soon.get(self.stopped["reason"], self.timeout))
                if now > renewed + 1:
                    self.kept.renew()
                    renewed = now
            workers.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await workers

    async def work(self, client: Any, number: int) -> None:
        """Take call after call; where nobody has answered yet, the first worker goes ahead."""
        if number:
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self.met.wait(), ALONE)
        while self.queue and not self.stopped:
            call = self.queue.popleft()
            if not self.kept.claim(call.key):  # another run is asking: its reply will be at hand
                self.queue.append(call)
                await asyncio.sleep(0.1 if call.key in self.passed else 0)
                self.passed.add(call.key)
                continue
            if not self.recall(call):
                await self.answer(client, call)
            self.kept.release(call.key)
            self.watch(call)
            self.bar.update()

    async def answer(self, client: Any, call: Call) -> None:
        """Send a call and take in the reply, or why there is none."""
        output, self.first = self.output, self.first or call
        SENDING.set(call)
        try:
            sending = client.post("/chat/completions", cast_to=bytes, content=self.request(call.prompt, output))
            await asyncio.wait_for(sending, self.timeout * (self.max_retries + 1))
        except Exception as error:  # not raised again: it holds the request, and with it the key
            if not (call.found or self.stopped):
                call.found = self.unanswered(error)
        if call.reply:
            call.reply["output"] = output
        if call.reply and not call.found:
            call.found = self.read(call.reply)
            self.kept.put(call.key, call.reply)
        elif output != "text" and not call.reply and ABOUT_OUTPUT.search(call.found.get("message", "")):
            self.output = "text"
            await self.answer(client, call)
        call.found = self.watching.weigh(call.found)
        if call.found.get("kind") == "stop":
            self.stopped = self.stopped or call.found

    async def before(self, request: Any) -> None:
        """Count each try of a call and give it the key; send none once the batch is stopped."""
        if self.stopped:
            raise RuntimeError("the batch was stopped")
        call = SENDING.get()
        call.requests, call.reply, call.found = call.requests + 1, {}, {}
        if self.secure and call.requests == 1 and call is self.first and not self.met.is_set():
            request.extensions["timeout"]["connect"] = min(self.timeout, FIRST)
        for name in set() if self.with_organization else set(request.headers) - HEADERS:
            del request.headers[name]
        if self.api_key:
            request.headers["Authorization"] = f"Bearer {self.api_key}"

    async def after(self, response: Any) -> None:
        """Take in what a response says, and tell the SDK whether to try again."""
        self.met.set()
        MET.add(self.address)
        call, content = SENDING.get(), await response.aread()
        call.reply, call.found = read_response(response.status_code, self.hidden(content.decode(errors="replace")))
        again = call.found.get("kind") == "again"
        response.headers["x-should-retry"] = str(again).lower()
        response.status_code = max(response.status_code, 500 * again)  # a failure in a reply of status 200 too

    async def missed(self, error: Exception) -> None:
        """Stop where the first call finds nobody at its second try either, or a server that speaks plain HTTP."""
        call, found = SENDING.get(), self.unanswered(error)
        if self.met.is_set() or self.stopped or call is not self.first:
            return
        if self.secure and await answers_plain_http(self.address):
            said = "the server there speaks plain HTTP: its address begins with http:// and not with https://"
            found = unusable("unreachable", said, kind="stop")
        elif call.requests == 1:
            return
        if found["kind"] == "stop":
            call.found = self.stopped = found
            raise RuntimeError("nobody is there") from error  # which the SDK does not try again

    def unanswered(self, error: BaseException) -> dict[str, Any]:
        """Return why a try ended without a response: nobody is there, or the connection broke or took too long."""
        causes = [error]
        while causes[-1].__cause__ is not None:
            causes.append(causes[-1].__cause__)
        # To the SDK and httpx2 whatever befalls aiohttp is a timeout.
        causes = [one for one in causes if type(one).__module__.split(".")[0] not in ("openai", "httpx2")] or causes
        codes = (errno.errorcode.get(getattr(one, "errno", None) or 0, "") for one in causes)
        names = " ".join([*(type(one).__name__ for one in causes), *codes]).lower()
        telling = next((one for one in reversed(causes) if str(one)), causes[0])
        kind, text = type(telling).__name__, str(telling) or "the server took too long"
        absent = [] if re.search(BROKEN, names) else [words for sign, words in ABSENT if re.search(sign, names)]
        said = f"{absent[0]} ({kind}: {text})" if absent else f"{kind} ({self.timeout:g} s for each try): {text}"
        nobody = absent or ("connectiontimeout" in names and not self.met.is_set())
        reason = "unreachable" if nobody else "timeout" if "timeout" in names else "connection"
        return unusable(reason, plain_line(self.hidden(said)), kind="stop" if nobody else "again")
