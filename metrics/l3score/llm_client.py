"""The client of the language-model judges: many prompts to one chat model, every failure named, nothing paid for twice.

The same file stands in both judges' folders; the original is metrics/l3score/llm_client.py (`make copies`).

`Judge(...)` checks the settings, `Judge.ask` sends the prompts that the cache does not know and reads the replies, and
`Judge.report` sums up. A reply is stored the moment it arrives. A failure that the next call would meet too (a bad key,
no such model) stops the batch; a passing one (rate limit, timeout, reset) is tried again; a reply without a verdict
leaves its row unscored, with a reason. None of them is ever a score.

Sent with the openai SDK to any server that speaks its chat completions. All network work runs in a thread with an event
loop of its own, so that a notebook, a script and several threads may call it alike.
"""

import asyncio
import contextlib
import email.utils
import gc
import hashlib
import ipaddress
import json
import math
import os
import random
import re
import sqlite3
import sys
import tempfile
import threading
import time

import urllib.parse
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal, NamedTuple

FORMATS = ("json_schema", "json_object", "text")


class Provider(NamedTuple):
    """A service that speaks the OpenAI API: where it is, what names its key, and what it is known to do differently.

    `formats` are the forms of structured output it offers, the best first; `length` is its name for the most tokens a
    reply may have; `prices` is its name in genai-prices; `body` is sent with every request unless `extra_body` differs.
    """

    base_url: str
    key_variable: str = ""
    logprobs: bool = True
    formats: tuple[str, ...] = FORMATS
    length: str = "max_tokens"
    prices: str = ""
    body: Mapping[str, Any] = {}


# Addresses and variables: each provider's documentation. Thinking is on by default at DeepSeek and comes before the
# first token of the answer. Anthropic's OpenAI-compatible endpoint ignores logprobs and response_format.
PROVIDERS = {
    "openai": Provider("https://api.openai.com/v1", "OPENAI_API_KEY", length="max_completion_tokens", prices="openai"),
    "deepseek": Provider(
        "https://api.deepseek.com",
        "DEEPSEEK_API_KEY",
        formats=("json_object", "text"),
        prices="deepseek",
        body={"thinking": {"type": "disabled"}},
    ),
    "xai": Provider("https://api.x.ai/v1", "XAI_API_KEY", prices="x-ai"),
    "anthropic": Provider(
        "https://api.anthropic.com/v1", "ANTHROPIC_API_KEY", logprobs=False, formats=("text",), prices="anthropic"
    ),
    "mistral": Provider("https://api.mistral.ai/v1", "MISTRAL_API_KEY", prices="mistral"),
    "openrouter": Provider("https://openrouter.ai/api/v1", "OPENROUTER_API_KEY", prices="openrouter"),
    "together": Provider("https://api.together.xyz/v1", "TOGETHER_API_KEY", prices="together"),
    "vllm": Provider("http://127.0.0.1:8000/v1"),
    "llamacpp": Provider("http://127.0.0.1:8080/v1"),
    "ollama": Provider("http://127.0.0.1:11434/v1"),
}
# What decides which rows and replies there are; the rest of a request is the user's to add to.
RESERVED = ("messages", "model", "n", "stream")
# Seconds that replies under way get to arrive, and to be kept, after Ctrl-C.
GRACE_SECONDS = 5.0
# A server that does not take up a connection for so long is not there.
CONNECT_SECONDS = 10.0
# How long a write waits for another process that writes to the same cache: in a run, and when it opens and ends.
BUSY_SECONDS, PATIENCE_SECONDS = 0.1, 5
# First wait before a request is sent again where the server names none; doubled each time, up to the second figure.
BACKOFF_SECONDS, MAX_BACKOFF_SECONDS = 0.5, 8.0
# So many replies without any log-probabilities, and none with, and no more are paid for.
REPLIES_WITHOUT_LOGPROBS = 32
# Further parameters of a request that are nobody's business.
SECRET_NAME = re.compile("key|token$|secret|password|authorization", re.IGNORECASE)
MESSAGE_LENGTH = 300
# From how many characters on a key is looked for in replies, and from how many on also in pieces.
SHORTEST_KEY, LONG_KEY = 6, 20
# Bytes of a prompt's frame in tokens: role and separators, as OpenAI's models count them.
TOKENS_OF_FRAME = 7

Kind = Literal["row", "again", "doubt", "stop"]


class Failure(NamedTuple):
    """Why a request gave no verdict.

    `kind` says what follows: "row" leaves the row unscored, "again" is passing, "stop" would meet every other row too,
    "doubt" is the row's own fault if another row has been accepted, else as "stop". `wait` is in seconds.
    """

    kind: Kind
    reason: str
    message: str
    wait: float | None = None


class Failed(Exception):
    """A request has failed; holds the Failure and nothing of the request."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message)
        self.failure = failure


class JudgeError(RuntimeError):
    """Rows could not be scored.

    Attributes:
        reason (str): the code of what stopped the batch, or of the most frequent failure.
        failures (dict): how many rows failed, by reason.
        result (dict or None): what `compute` would have returned, with `per_example`.

    """

    def __init__(self, message: str, reason: str, failures: Mapping[str, int], result: Any = None) -> None:
        super().__init__(message)
        self.reason = reason
        self.failures = dict(failures)
        self.result = result

    def __reduce__(self) -> tuple[Any, ...]:
        """Return what makes it anew in another process."""
        return type(self), (str(self), self.reason, self.failures, self.result)


class Secret:
    """An API key that shows itself nowhere but in the header of a request."""

    def __init__(self, value: str = "") -> None:
        self.value = value
        self.known: dict[int, frozenset[str]] = {}

    def __repr__(self) -> str:
        return "Secret(...)"

    def __bool__(self) -> bool:
        return bool(self.value)

    def hidden(self, value: Any) -> Any:
        """Return JSON without the key in any of its texts; of a long key, which is no word, not eight characters in a
        row either. A short placeholder such as "none" may be a word of the reply.
        """
        if len(self.value) < SHORTEST_KEY:
            return value
        if isinstance(value, str):
            return self.without_pieces(value, 8) if len(self.value) >= LONG_KEY else value.replace(self.value, "[key]")
        if isinstance(value, list):
            return [self.hidden(one) for one in value]
        return {name: self.hidden(one) for name, one in value.items()} if isinstance(value, dict) else value

    def masked(self, message: str) -> str:
        """Return a message without the key or any six characters in a row of it."""
        return self.without_pieces(message, SHORTEST_KEY)

    def pieces(self, size: int) -> frozenset[str]:
        """Return all runs of `size` characters of the key, in lower case; made once, for every text is held to them."""
        if size not in self.known:
            forms = {self.value.lower(), urllib.parse.quote(self.value, safe="").lower()}
            self.known[size] = frozenset(form[i : i + size] for form in forms for i in range(len(form) - size + 1))
        return self.known[size]

    def without_pieces(self, text: str, size: int) -> str:
        """Return a text without what it has in common with the key, as it is or as in an address, case aside."""
        if not self.value:
            return text
        size = min(size, len(self.value))
        if len(text) < size:
            return text
        lowered = text.lower() if text.isascii() else "".join(c.lower() if c.isascii() else c for c in text)
        pieces = self.pieces(size)
        if not any(piece in lowered for piece in pieces):
            return text
        hit = {i + j for i in range(len(text) - size + 1) if lowered[i : i + size] in pieces for j in range(size)}
        kept = "".join("\0" if i in hit else character for i, character in enumerate(text))
        # A backslash before it goes too: in JSON, which the text may be, it has lost what it stood for.
        return re.sub(r"(?<!\\)((?:\\\\)*)\\?\0+", r"\1[key]", kept)


def plain_line(text: Any, length: int = MESSAGE_LENGTH) -> str:
    """Return a text of a server as one printable line of at most `length` characters.

    >>> plain_line("<html><title>502</title> <p>Bad  gateway</p>")
    '502 Bad gateway'
    """
    text = re.sub(r"<[^<>]{0,500}>", " ", str(text)[:20_000])
    text = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return text if len(text) <= length else text[: length - 3] + "..."


def error_of(reply: Any) -> dict[str, str]:
    """Return what a server's error says: lower-case `code`, `type` and `param`, and the whole `message`.

    Reads OpenAI's form {"error": {...}}, and those of other servers: a text for the object, "detail", "message", "msg",
    and the words of the provider behind a router.
    """
    error = reply.get("error") or reply if isinstance(reply, Mapping) else reply
    outer = reply if isinstance(reply, Mapping) else {}
    if not isinstance(error, Mapping):
        error = {"message": error or "", "code": outer.get("code"), "type": outer.get("type")}
    said = {name: str(error.get(name) or "").lower()[:200] for name in ("code", "type", "param")}
    metadata = error.get("metadata")
    raw = metadata.get("raw") if isinstance(metadata, Mapping) else None
    spoken = [name for name in ("message", "detail", "msg", "error") if name in error]
    text = " ".join(sentence(part) for part in (*map(error.get, spoken), raw) if part)
    return said | {"message": (text if spoken or not error else json.dumps(error))[:20_000]}


def sentence(part: Any) -> str:
    """Return a part of an error as a text: of a list of faults, each one's place and message, not what was sent."""
    if isinstance(part, list):
        return " ".join(map(sentence, part[:20]))
    if isinstance(part, Mapping):
        place = part.get("loc")
        where = ".".join(map(str, place)) if isinstance(place, list) else ""
        return f"{where} {part.get('msg') or part.get('message') or part.get('type') or ''}".strip()
    return str(part)


QUOTA = re.compile(
    r"insufficient_quota|current quota|billing|insufficient[ _]balance|credit balance|insufficient credits|"
    r"out of credits|available credits|spend(ing)? limit|budget (has been )?exceeded|usage limits"
)
BRIEF = re.compile(r"rate_limit|rate limit|per (second|minute|hour)|(try again|retry) in \d")
BAD_KEY = re.compile(
    r"invalid_api_key|(incorrect|invalid|missing) api[ _-]?key|api[ _-]?key.{0,20}(not valid|invalid|incorrect)"
)
MODERATED = re.compile(
    r"content_filter|content management|content[ _-]policy|contentpolicy|content filtering|content exists risk|"
    r"moderation|(input|prompt|content|request|message)s?\b.{0,40}\bflagged"
)
POLICY = re.compile(
    MODERATED.pattern + r"|flagged|invalid_prompt|(usage|acceptable use) polic|responsible ai|"
    r"safety (system|filter|setting|polic|reason)"
)
CONTEXT = re.compile(
    r"context[ _]?(length|window|size|limit)|contextwindow|string_above_max_length|(prompt|input) is too long|"
    r"maximum (prompt|input|model|context) length|longer than the maximum|too many (input )?tokens|reduce the length|"
    r"exceeds? the (available )?context|tokens.{0,60}must be <=|must have less than \d+ tokens"
)
CUT_OFF = re.compile(r"could not finish the message because max_tokens")
NO_MODEL = re.compile(
    r"model_not_found|model\b.{0,80}(not found|not exist|unknown|not available|not supported by any)|"
    r"(no such|unknown|invalid|not a valid|non-serverless) model|model is required"
)
PARAMETER = re.compile(
    r"unsupported_parameter|unsupported_value|unknown_parameter|unrecognized|not supported|unsupported|extra inputs"
)
# The codes by which a reply of status 200 says that it is an error, as the status they stand for.
STATUS_OF = {
    "invalid_api_key": 401,
    "authentication_error": 401,
    "permission_error": 403,
    "model_not_found": 404,
    "not_found_error": 404,
    "insufficient_quota": 402,
    "rate_limit_exceeded": 429,
    "rate_limit_error": 429,
    "server_error": 500,
    "internal_server_error": 500,
    "api_error": 500,
    "overloaded_error": 529,
    "context_length_exceeded": 400,
    "content_filter": 400,
}


def failure_of(status: int, reply: Any, sent: Sequence[str] = ()) -> Failure:
    """Return what a reply that is an error means. `sent` are the parameters of the request.

    >>> failure_of(429, {"error": {"code": "insufficient_quota"}}).reason, failure_of(503, "<html>").kind
    ('quota', 'again')
    """
    error = error_of(reply)
    words = " ".join(error.values()).lower()
    kind, reason = status_meaning(status, words)
    if status in (400, 422):
        kind, reason = refusal_meaning(error, words, sent)
    return Failure(kind, reason, said_of(status, error))


def said_of(status: int, error: Mapping[str, str]) -> str:
    """Return a server's error in one line."""
    message = plain_line(error["message"])
    named = f" (parameter {error['param']})" if error["param"] and error["param"] not in message else ""
    said = f"HTTP {status}" + (f": {message}" if message else "") + named
    return re.sub(r"\S*\*{2,}\S*", "[key]", said)  # a key of which the server shows an end or two


def status_meaning(status: int, words: str) -> tuple[Kind, str]:
    """Return kind and reason for a status; what a 400 or 422 means is for `refusal_meaning`."""
    # A passing limit may name the page where a larger one is sold; a spent quota may call itself a rate limit.
    spent = QUOTA.search(words) and ("insufficient_quota" in words or not BRIEF.search(words))
    if status == 402 or (status in (403, 429) and spent):
        return "stop", "quota"
    if status == 429:
        return "again", "rate_limited"
    if status in (408, 409, 425) or status >= 500:
        return "again", "server_error"
    if status == 413:
        return "row", "context_too_long"
    if status == 403 and MODERATED.search(words):
        return "row", "content_filter"
    if status == 403 and "logprobs" in words:
        return "stop", "no_logprobs"
    if 300 <= status < 400:
        return "stop", "redirect"
    return "stop", {401: "bad_key", 403: "forbidden", 404: "no_model", 410: "no_model"}.get(status, "bad_request")


def refusal_meaning(error: Mapping[str, str], words: str, sent: Sequence[str]) -> tuple[Kind, str]:
    """Return kind and reason for a request that was refused as it stands (400, 422)."""
    named = re.split(r"[.\[]", error["param"])[0]
    if "logprobs" in words:
        return "stop", "no_logprobs"
    if BAD_KEY.search(words):
        return "stop", "bad_key"
    if QUOTA.search(words):
        return "stop", "quota"
    if CONTEXT.search(words):
        return "row", "context_too_long"
    if CUT_OFF.search(words):
        return "row", "cut_off"
    content = named in ("", "messages", "prompt", "input")
    if content and POLICY.search(words):
        return "row", "content_filter"
    if NO_MODEL.search(words) or named == "model":
        return "stop", "no_model"
    names = [name for name in sent if re.search(rf"\b{re.escape(name.lower())}\b", words)]
    if not content or names or PARAMETER.search(words):
        return "stop", "parameter_refused"
    return "doubt", "bad_request"


def refuses_format(failure: Failure) -> bool:
    """Whether a failure is about the form of output that was asked for, which another form may mend.

    >>> refuses_format(failure_of(400, {"error": {"param": "response_format", "message": "not supported"}}))
    True
    """
    words = failure.message.lower()
    about = re.search(r"response_format|json_schema|json_object|structured output|json mode|guided|grammar", words)
    return failure.reason in ("parameter_refused", "bad_request") and bool(about)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds that a server asks to wait: Retry-After in seconds or as a date, or retry-after-ms.

    >>> retry_after({"retry-after-ms": "1500"}), retry_after({"retry-after": "2"}), retry_after({"retry-after": "soon"})
    (1.5, 2.0, None)
    """
    said = headers.get("retry-after", "")
    for text, unit in ((headers.get("retry-after-ms", ""), 1000), (said, 1)):
        with contextlib.suppress(ValueError):
            seconds = float(text) / unit
            if math.isfinite(seconds) and seconds >= 0:
                return seconds
    with contextlib.suppress(ValueError, TypeError, OverflowError):
        date = email.utils.parsedate_to_datetime(said)
        date = date if date.tzinfo else date.replace(tzinfo=timezone.utc)
        return max((date - datetime.now(timezone.utc)).total_seconds(), 0.0)
    return None


def trimmed(reply: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parts of a reply that a judge reads and that the cache keeps; never a prompt that a server sends back.

    Of the log-probabilities only those of the first token count.
    """
    kept: dict[str, Any] = {name: reply.get(name) for name in ("model", "usage")}
    choices = reply.get("choices")
    if not isinstance(choices, list):
        return kept | {"choices": None}
    return kept | {"choices": [trimmed_choice(choice) for choice in choices]}


def trimmed_choice(choice: Any) -> dict[str, Any]:
    """Return finish_reason, message and the log-probabilities of the first token of one choice."""
    choice = choice if isinstance(choice, Mapping) else {}
    message, logprobs = choice.get("message"), choice.get("logprobs")
    message = message if isinstance(message, Mapping) else {}
    content = logprobs.get("content") if isinstance(logprobs, Mapping) else None
    return {
        "finish_reason": choice.get("finish_reason"),
        "message": {"content": text_of(message.get("content")), "refusal": message.get("refusal")},
        "first_token": content[0] if isinstance(content, list) and content else None,
    }


def text_of(content: Any) -> str | None:
    """Return the text of a message, which some servers send in parts; None where there is none."""
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, Mapping) and part.get("type") == "text"]
        return "".join(part for part in parts if isinstance(part, str)) if parts else None
    return content if isinstance(content, str) else None


class Choice(NamedTuple):
    """What a judge's reader is given: the text, whether it was cut off, the first token with its log-probabilities."""

    text: str
    cut: bool
    first_token: Any


Reader = Callable[[Choice], dict[str, Any]]


def read_reply(reply: Mapping[str, Any], read: Reader) -> dict[str, Any]:
    """Return what `read` makes of a trimmed reply: a dict with "score"; where that is None, "reason" and "message" too.

    Where a server sends more choices than were asked for, they must agree.
    """
    if not reply["choices"]:
        return unusable("no_choices", "the reply has no choices")
    found = [read_choice(choice, read) for choice in reply["choices"]]
    if any(one["score"] != found[0]["score"] for one in found):
        return unusable("ambiguous", f"the reply has {len(found)} choices, and they differ")
    return found[0]


def read_choice(choice: Mapping[str, Any], read: Reader) -> dict[str, Any]:
    """Return what `read` makes of one choice, or why it is not worth reading."""
    text, refusal, finish = choice["message"]["content"], choice["message"]["refusal"], choice["finish_reason"]
    if finish in ("content_filter", "safety"):
        return unusable("content_filter", "the provider's content filter stopped the reply", reply=text)
    if refusal or finish == "refusal":
        said = plain_line(refusal or text or "no reason given")
        return unusable("refusal", f"the judge refused: {said}", reply=text)
    if finish == "error":
        return unusable("error_in_reply", "the provider broke off with an error", reply=text)
    if text is None:
        return unusable("no_content", "the reply has no text")
    return read(Choice(text, finish in ("length", "max_tokens", "model_length"), choice["first_token"]))


def unusable(reason: str, message: str, **found: Any) -> dict[str, Any]:
    """Return what a reader says of a reply without a verdict."""
    return {"score": None, "reason": reason, "message": message, **found}


def usage_of(reply: Mapping[str, Any]) -> dict[str, int] | None:
    """Return the tokens that a server reports: input, of these cached by it, output; None where it reports none."""
    usage = reply.get("usage")
    if not isinstance(usage, Mapping):
        return None
    details = usage.get("prompt_tokens_details")
    cached = details.get("cached_tokens") if isinstance(details, Mapping) else 0
    read, written, total = (count_of(usage.get(f"{name}_tokens")) for name in ("prompt", "completion", "total"))
    if read is None or written is None:
        return None
    # Some providers count thinking in the total alone.
    written = max(written, (total or 0) - read)
    return {"input": read, "cached": min(count_of(cached) or 0, read), "output": written}


def count_of(value: Any) -> int | None:
    """Return a number of tokens that a server reports; None for what can be none.

    >>> count_of(120), count_of(120.0), count_of(-1), count_of("many")
    (120, 120, None, None)
    """
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return int(value) if number and 0 <= value < 10**9 and value == int(value) else None


class Prices:
    """What tokens cost, by genai-prices; `missing` says why where that is not known."""

    def __init__(self, provider: str, model: str) -> None:
        self.provider, self.model, self.missing = PROVIDERS[provider].prices, model, ""
        self.known: dict[tuple[int, ...], Decimal] = {}
        if not self.provider:
            self.missing = f"no price is known for a model served by {provider}"

    def of(self, usage: Mapping[str, int]) -> Decimal | None:
        """Return the price of a call in USD."""
        if self.missing:
            return None
        counts = (usage["input"], usage["cached"], usage["output"])
        if counts not in self.known:
            try:
                self.known[counts] = self.asked(*counts)
            except ImportError:
                self.missing = "for costs: pip install genai-prices (Python 3.11 or newer)"
            except LookupError:
                self.missing = f"genai-prices knows no price for {self.model} of {self.provider}"
        return self.known.get(counts)

    def asked(self, read: int, cached: int, written: int) -> Decimal:
        """Return the price that genai-prices gives."""
        import genai_prices

        usage = genai_prices.Usage(input_tokens=read, cache_read_tokens=cached, output_tokens=written)
        return genai_prices.calc_price(usage, model_ref=self.model, provider_id=self.provider).total_price


def cache_file(cache: bool | str | os.PathLike[str]) -> Path | None:
    """Return the file of the cache: None for False, for True one in the user's cache folder."""
    if cache is False:
        return None
    if cache is not True:
        path = Path(cache).expanduser()
        return path / "judge.sqlite" if path.is_dir() else path
    if sys.platform == "win32":
        folder = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        folder = Path.home() / "Library" / "Caches"
    else:
        folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return folder / "answer_lens" / "judge.sqlite"


class Cache:
    """Replies by the hash of their request, in an SQLite file that several processes may share.

    Trouble with the file never loses a reply that is there: `trouble` says what could not be stored or read, and the
    run goes on. A file that was named and cannot be used is an OSError before anything is sent.
    """

    def __init__(self, cache: bool | str | os.PathLike[str]) -> None:
        self.path = cache_file(cache)
        self.unsaved: dict[str, str] = {}
        self.trouble, self.next_try = "", 0.0
        self.database: sqlite3.Connection | None = None
        if self.path is None:
            return
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            self.database = opened(self.path)
        except (OSError, sqlite3.Error) as error:
            self.trouble = str(error)
            full = isinstance(error, sqlite3.Error) and re.search("full|disk I/O|locked", self.trouble)
            if cache is not True and not full:
                raise OSError(f"cache is {str(self.path)!r:.200}, which cannot be used: {error}") from error

    def get(self, key: str) -> dict[str, Any] | None:
        """Return the reply to a request; None where it is not known."""
        if self.database is None:
            return None
        try:
            row = self.database.execute("SELECT reply FROM replies WHERE request = ?", (key,)).fetchone()
            reply = json.loads(row[0]) if row else None
        except (sqlite3.Error, ValueError) as error:
            self.trouble = str(error)
            return None
        return reply if isinstance(reply, dict) else None

    def put(self, key: str, reply: str) -> None:
        """Store the reply to a request, and those that could not be stored before."""
        if self.path is not None:
            self.unsaved[key] = reply
            self.save()

    def save(self, last: bool = False) -> None:
        """Store what is unsaved, as far as the file takes it.

        Where another process holds it, replies under way must not be late for that: it is tried again in a second.
        """
        if self.database is None:
            return
        now = time.monotonic()
        if now < self.next_try and not last:
            return
        try:
            for key in list(self.unsaved):
                self.database.execute("INSERT OR REPLACE INTO replies VALUES (?, ?)", (key, self.unsaved[key]))
                del self.unsaved[key]
            self.trouble = ""
        except sqlite3.Error as error:
            self.trouble, self.next_try = str(error), now + 1.0

    def close(self) -> None:
        """Close the file, with a last try to store what is unsaved."""
        with contextlib.suppress(OSError, sqlite3.Error):
            if self.path is not None and self.unsaved and self.database is None:
                self.database = opened(self.path)
        if self.database is not None:
            with contextlib.suppress(sqlite3.Error):
                self.database.execute(f"PRAGMA busy_timeout = {1000 * PATIENCE_SECONDS}")
                self.save(last=True)
                self.database.close()

    def notes(self) -> list[str]:
        """Return what went wrong, in words."""
        if self.unsaved:
            return [
                f"{len(self.unsaved)} replies could not be stored in {self.path} ({self.trouble}): this result has "
                "them, a re-run pays for them again"
            ]
        return [f"the cache {self.path} could not be used: {self.trouble}"] if self.trouble else []


def opened(path: Path) -> sqlite3.Connection:
    """Return the database, readable by its owner alone, each statement a transaction of its own."""
    if not path.exists():
        with contextlib.suppress(OSError):
            os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
    database = sqlite3.connect(path, timeout=PATIENCE_SECONDS, isolation_level=None, check_same_thread=False)
    try:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = NORMAL")
        database.execute(
            "CREATE TABLE IF NOT EXISTS replies (request TEXT PRIMARY KEY, reply TEXT NOT NULL) WITHOUT ROWID"
        )
        database.execute("SELECT request, reply FROM replies LIMIT 1")
        database.execute(f"PRAGMA busy_timeout = {int(1000 * BUSY_SECONDS)}")
    except sqlite3.Error:
        database.close()
        raise
    return database


@dataclass
class Answer:
    """What became of one prompt: what the judge's reader found, or the reason code and words why there is nothing.

    `found["score"]` is None where there is no verdict. `cached` says that no request was sent for it in this run,
    `replied` that there was a reply to pay for, `form` which form of output was asked for.
    """

    found: dict[str, Any]
    reason: str | None = None
    message: str | None = None
    cached: bool = False
    requests: int = 0
    model: str | None = None
    usage: dict[str, int] | None = None
    cost: Decimal | None = None
    form: str | None = None
    replied: bool = False


@dataclass
class Call:
    """One request to send: the prompt, its key in the cache, how often it was sent, and what became of it."""

    prompt: str
    key: str
    requests: int = 0
    answer: Answer | None = None


def one_of(name: str, value: Any, known: Sequence[str]) -> str:
    """Return a setting that is one of `known`, or raise ValueError."""
    if not isinstance(value, str) or value not in known:
        raise ValueError(f"{name} is {shown(value)}; one of {', '.join(map(repr, known))} is expected")
    return value


def shown(value: Any) -> str:
    """Return a value for a message, but nothing that looks like a key in the wrong place.

    >>> shown("gpt"), shown("sk-proj-abcdef")
    ("'gpt'", 'what looks like a key')
    """
    looks = isinstance(value, str) and re.match(r"\s*(sk|pk|xai|gsk|tgp|hf)[-_]\w", value)
    return "what looks like a key" if looks else f"{value!r:.80}"


def whole(name: str, value: Any, least: int) -> int:
    """Return a setting that counts something, or raise ValueError."""
    if isinstance(value, bool) or not hasattr(value, "__index__") or value < least:
        raise ValueError(f"{name} is {value!r:.80}; a whole number of at least {least} is expected")
    return int(value)


def checked_key(value: Any) -> str:
    """Return an API key without white space around it; raise without showing it where it cannot be one."""
    if not isinstance(value, str):
        raise TypeError(f"api_key is of type {type(value).__name__}; a string is expected")
    key = type(value)(value.strip())  # of a kind of string that does not show itself, the same kind
    if not key:
        raise ValueError("api_key is empty; leave it out to use the provider's environment variable")
    if not key.isascii() or not key.isprintable() or " " in key:
        raise ValueError("api_key has white space or characters inside that no key has; it is not shown here")
    return key


def checked_address(value: Any) -> str:
    """Return a server's address without a slash at its end; raise ValueError where it holds more than an address."""
    good = False
    parts = urllib.parse.urlsplit(value.strip()) if isinstance(value, str) else None
    with contextlib.suppress(ValueError):  # of a port that is no number, or too large
        port = parts.port if parts else None
        parts = parts if port != 0 else None
        good = parts is not None and parts.scheme in ("http", "https") and bool(parts.hostname)
    if not good or parts is None:
        raise ValueError(f"base_url is {value!r:.80}; an address such as 'http://127.0.0.1:8000/v1' is expected")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise ValueError("base_url holds more than an address (a user, a query); a key goes into api_key")
    return parts.geturl().rstrip("/")


def checked_body(value: Any) -> dict[str, Any]:
    """Return `extra_body` as a dict of JSON; raise where it is not or would change what is asked."""
    if value is None:
        return {}
    if not isinstance(value, Mapping) or not all(isinstance(name, str) for name in value):
        raise TypeError(f"extra_body is {value!r:.80}; a dict of further parameters of the request is expected")
    for name in RESERVED:
        if name in value:
            raise ValueError(f"extra_body has {name!r}, which is not its to change")
    try:
        return dict(json.loads(json.dumps(value, allow_nan=False)))
    except (TypeError, ValueError) as error:
        raise ValueError(f"extra_body cannot be sent as JSON: {error}") from None


class Judge:
    """One chat model of one provider, and how it is asked. Settings are those of the modules' `compute`.

    Args:
        task: the name of the metric, for the progress bar.
        parameters: what the metric sends with each prompt besides `model` and `messages`.
        max_tokens: most tokens of a reply; None leaves it to the server.
        schema: JSON schema of the reply, asked for in the best form that the server takes.

    Raises:
        TypeError, ValueError: a setting is wrong; the message names it and shows no key.

    """

    def __init__(
        self,
        task: str,
        *,
        model: Any,
        provider: str,
        api_key: Any,
        base_url: Any,
        max_concurrency: int,
        timeout: float,
        max_retries: int,
        on_error: str,
        cache: Any,
        progress: bool,
        extra_body: Any,
        parameters: Mapping[str, Any],
        max_tokens: int | None,
        schema: Mapping[str, Any] | None = None,
    ) -> None:
        if not isinstance(model, str) or not model.strip() or not model.isprintable():
            raise TypeError(
                f"model is {shown(model)}; the name of the judge's model must be given, as its provider has it"
            )
        self.task, self.model, self.name = task, model.strip(), one_of("provider", provider, tuple(PROVIDERS))
        self.provider = PROVIDERS[provider]
        self.base_url = checked_address(self.provider.base_url if base_url is None else base_url)
        self.own_address = self.base_url == self.provider.base_url
        self.secret, ambient = self.key_of(api_key)
        # Organization, project and headers in the environment are those of the environment's own OpenAI key.
        self.takes_environment = ambient and provider == "openai"
        self.max_concurrency = whole("max_concurrency", max_concurrency, 1)
        self.max_retries = whole("max_retries", max_retries, 0)
        if isinstance(timeout, bool) or not isinstance(timeout, int | float) or not 0 < timeout < math.inf:
            raise ValueError(f"timeout is {timeout!r:.80}; seconds above 0 are expected")
        self.timeout = float(timeout)
        self.on_error = one_of("on_error", on_error, ("raise", "skip"))
        if not isinstance(cache, bool | str | os.PathLike):
            raise TypeError(f"cache is {cache!r:.80}; True, False or the path of a file is expected")
        self.cache, self.progress = cache, progress
        length = self.provider.length if self.own_address else "max_tokens"
        limits = {} if max_tokens is None else {length: whole("max_tokens", max_tokens, 1)}
        self.parameters = {**parameters, **limits, **self.provider.body, **checked_body(extra_body)}
        self.schema = None if "response_format" in self.parameters else schema
        self.forms = self.provider.formats if self.schema else ("text",)
        # Of the forms the best one: what a server refuses is known only when it is asked.
        asked = [self.base_url, self.model, self.parameters, self.schema, self.forms[0]]
        self.frame = json.dumps(asked, sort_keys=True).encode()

    def key_of(self, api_key: Any) -> tuple[Secret, bool]:
        """Return the key, and whether the environment gave it: only for the provider's own address."""
        if api_key is not None:
            return Secret(checked_key(api_key)), False
        named = os.environ.get(self.provider.key_variable, "").strip() if self.own_address else ""
        return (Secret(checked_key(named)), True) if named else (Secret(), False)

    def require_key(self) -> None:
        """Raise ValueError where the provider needs a key and there is none."""
        if self.own_address and self.provider.key_variable and not self.secret:
            raise ValueError(
                f"api_key is missing: pass api_key=..., or set {self.provider.key_variable} in the environment"
            )

    def settings(self) -> dict[str, str]:
        """Return what of the judge moves a score, for the signature."""
        address = {} if self.own_address else {"base_url": self.base_url}
        parameters = {k: "[hidden]" if SECRET_NAME.search(k) else v for k, v in self.parameters.items()}
        parts = {"provider": self.name, **address, "model": self.model}
        parts["parameters"] = json.dumps(parameters, sort_keys=True)
        # A short key may be a word of them, and the same run with another key has the same signature.
        hidden = self.secret.hidden if len(self.secret.value) >= LONG_KEY else str
        return {name: hidden(value).replace("|", "%7C") for name, value in parts.items()}

    def key(self, prompt: str) -> str:
        """Return the key of a request in the cache: a hash of address, model, prompt and parameters."""
        return hashlib.sha256(self.frame + json.dumps(prompt).encode()).hexdigest()

    def body(self, prompt: str, form: str) -> bytes:
        """Return a request as JSON in ASCII, in which every text has a form, a lone surrogate too."""
        body = {"model": self.model, "messages": [{"role": "user", "content": prompt}], **self.parameters}
        if form == "json_object":
            body["response_format"] = {"type": "json_object"}
        if form == "json_schema":
            schema = {"name": "verdict", "strict": True, "schema": self.schema}
            body["response_format"] = {"type": "json_schema", "json_schema": schema}
        return json.dumps(body).encode()

    def ask(self, rows: Sequence[Sequence[str]], read: Reader) -> "Run":
        """Have every prompt of every row answered, by the cache or by the model, and return the run with its answers.

        Blocks until all is done, also inside a running event loop. After Ctrl-C nothing more is sent; what is under way
        has some seconds to arrive and be kept. A run that was `stopped` has rows whose prompts were not sent.

        Raises:
            ValueError: there is no key.

        """
        with contextlib.closing(Cache(self.cache)) as cache:
            run = Run(self, rows, read, cache)
            if run.pending:
                self.require_key()
                run.through()
        return run

    def report(self, run: "Run", name: str, blank: Mapping[str, Any]) -> "Report":
        """Return the result of a run, the mean score under `name`; `blank` has the keys that the reader fills."""
        return Report(self, run, name, blank)

    def estimate(self, rows: Sequence[Sequence[str]], read: Reader, output_tokens: int) -> dict[str, Any]:
        """Return what `ask` would send and cost, sending nothing; `output_tokens` is what a reply is taken to have."""
        with contextlib.closing(Cache(self.cache)) as cache:
            run = Run(self, rows, read, cache)
        counted_by, count = token_counter(self.model)
        lengths = [count(call.prompt) + TOKENS_OF_FRAME for call in run.pending]
        prices = Prices(self.name, self.model)
        costs = [prices.of({"input": n, "cached": 0, "output": output_tokens}) for n in lengths]
        notes = [f"output is taken to be {output_tokens} tokens a reply", *([prices.missing] if prices.missing else [])]
        return {
            "calls": len(lengths),
            "cached_calls": len(run.order) - len(lengths),
            "tokens": {"input": sum(lengths), "output": output_tokens * len(lengths)},
            "counted_by": counted_by,
            "Cost": None if prices.missing else float(sum((cost for cost in costs if cost), Decimal(0))),
            "first_prompt": run.order[0].prompt,
            "notes": notes,
        }


def token_counter(model: str) -> tuple[str, Callable[[str], int]]:
    """Return the name of what counts tokens, and the function: tiktoken where its file is on this machine, for it would
    download it; else a quarter of the characters.
    """
    with contextlib.suppress(ImportError):
        import tiktoken
        import tiktoken.model

        try:
            name = tiktoken.model.encoding_name_for_model(model)
        except KeyError:
            name = "o200k_base"
        address = f"https://openaipublic.blob.core.windows.net/encodings/{name}.tiktoken"
        folder = os.environ.get("TIKTOKEN_CACHE_DIR") or os.environ.get("DATA_GYM_CACHE_DIR")
        folder = folder or str(Path(tempfile.gettempdir()) / "data-gym-cache")
        if (Path(folder) / hashlib.sha1(address.encode()).hexdigest()).is_file():
            encoding = tiktoken.get_encoding(name)
            return f"tiktoken {name}", lambda text: len(encoding.encode(text, disallowed_special=()))
    return "characters/4", lambda text: math.ceil(len(text) / 4)


class Run:
    """Rows of prompts on their way to one judge: one prompt for each reference of a row.

    Prompts that are equal share one request where a cache is used: asked one after the other, they would too.
    """

    def __init__(self, judge: Judge, rows: Sequence[Sequence[str]], read: Reader, cache: Cache) -> None:
        self.judge, self.read, self.cache = judge, read, cache
        self.prices = Prices(judge.name, judge.model)
        self.lengths = [len(row) for row in rows]
        prompts = [prompt for row in rows for prompt in row]
        keys = [judge.key(prompt) for prompt in prompts]
        names = keys if judge.cache is not False else [str(i) for i in range(len(keys))]
        self.calls = {name: Call(prompt, key) for name, prompt, key in zip(names, prompts, keys, strict=True)}
        self.order = [self.calls[name] for name in names]
        for call in self.calls.values():
            call.answer = self.remembered(call)
        self.pending = [call for call in self.calls.values() if call.answer is None]
        self.stopped: Failure | None = None
        self.halt, self.done = asyncio.Event(), threading.Event()
        self.loop: asyncio.AbstractEventLoop
        self.task: asyncio.Task[None] | None = None
        self.error: BaseException | None = None
        # Whether a server has answered at all, and whether it took a request as it was.
        self.reached, self.accepted = False, len(self.pending) < len(self.calls)
        self.form = self.useless = self.under_way = 0
        self.doubt: Failure | None = None
        self.spent = Decimal(0)

    def answers(self) -> list[list[Answer]]:
        """Return one Answer for each prompt of each row; where prompts shared a request, the later ones are cached."""
        seen: set[int] = set()
        flat = []
        for call in self.order:
            answer = call.answer or Answer({"score": None}, "not_sent", "the batch had been stopped before its turn")
            if id(call) in seen:
                answer = replace(answer, cached=answer.reason is None, requests=0, usage=None, cost=None)
            flat.append(answer)
            seen.add(id(call))
        parts = iter(flat)
        return [[next(parts) for _ in range(length)] for length in self.lengths]

    def remembered(self, call: Call) -> Answer | None:
        """Return the answer that the cache holds; None where it holds none or one without a verdict."""
        reply = self.cache.get(call.key)
        if reply is None:
            return None
        try:
            answer = self.answer_of(reply)
        except (AttributeError, KeyError, TypeError, ValueError):  # not stored by this client
            return None
        return None if answer.reason else replace(answer, cached=True)

    def answer_of(self, reply: Mapping[str, Any]) -> Answer:
        """Return what a trimmed reply says."""
        model = reply.get("model")
        said: dict[str, Any] = {"model": plain_line(model, 80) if isinstance(model, str) else None}
        said |= {"usage": usage_of(reply), "form": reply.get("form"), "replied": True}
        # A judge's JSON may have the key in other characters, which reading it has turned into the key.
        found = self.judge.secret.hidden(read_reply(reply, self.read))
        if found["score"] is None:
            said |= {"reason": found["reason"], "message": self.judge.secret.masked(found["message"])}
        return Answer(found, **said)

    def through(self) -> None:
        """Answer what is pending, in a thread of its own."""
        self.loop = asyncio.new_event_loop()
        threading.Thread(target=self.main, name=f"{self.judge.task} judge", daemon=True).start()
        try:
            while not self.done.wait(0.1):  # not thread.join, which takes the thread for ended after a Ctrl-C
                pass
        except BaseException:
            self.interrupt()
            raise
        if self.error is not None:
            raise self.error

    def interrupt(self) -> None:
        """Send nothing more, and wait a little for the replies under way."""
        with contextlib.suppress(RuntimeError):  # the loop has just ended
            self.loop.call_soon_threadsafe(self.halt.set)
        if self.judge.progress:
            print(f"\nStopping: replies under way have {GRACE_SECONDS:g} s to arrive and be kept.", file=sys.stderr)
        try:
            self.done.wait(GRACE_SECONDS)
        finally:
            if self.task is not None and not self.done.is_set():
                with contextlib.suppress(RuntimeError):
                    self.loop.call_soon_threadsafe(self.task.cancel)
                self.done.wait(1.0)

    def main(self) -> None:
        """Run the event loop; what goes wrong is raised by `through`."""
        try:
            with quiet_heap():
                self.task = self.loop.create_task(self.work())
                self.loop.run_until_complete(self.task)
        except asyncio.CancelledError:
            pass
        except BaseException as error:
            self.error = error
        finally:
            self.loop.close()
            self.done.set()

    async def work(self) -> None:
        """Have as many workers as requests may be under way take call after call."""
        calls = iter(self.pending)
        client = connected(self.judge)
        with self.progress_bar() as self.bar:
            try:
                workers = min(self.judge.max_concurrency, len(self.pending))
                await asyncio.gather(*(self.worker(client, calls) for _ in range(workers)))
                await self.certain()
            finally:
                await client.close()

    async def worker(self, client: Any, calls: Iterator[Call]) -> None:
        """Settle one call after another until there are none, or the batch is stopped."""
        for call in calls:
            await self.certain()
            if self.halt.is_set():
                return
            call.answer = self.remembered(call)  # another process may have paid for it meanwhile
            if call.answer is None:
                self.under_way += 1
                await self.settle(client, call)
                self.under_way -= 1
            self.tick()

    async def certain(self) -> None:
        """Where a refusal may be that of every row, wait until what is under way has told."""
        while self.doubt and not self.accepted and not self.halt.is_set():
            if not self.under_way:
                self.stop(self.doubt)
            await asyncio.sleep(0.01)

    async def settle(self, client: Any, call: Call) -> None:
        """Send a call until it is answered, refused, or there is no use in trying again."""
        deadline = self.loop.time() + self.judge.timeout * (self.judge.max_retries + 1)
        retries = 0
        while True:
            form = self.form
            limit = min(self.judge.timeout, deadline - self.loop.time())
            try:
                self.take(call, await self.send(client, call, form, limit), form)
                return
            except Failed as failed:
                failure = failed.failure
            if self.lowered(failure, form):
                continue
            wait = backoff(retries) if failure.wait is None else failure.wait
            retries += 1
            if failure.kind != "again" or retries > self.judge.max_retries:
                break
            if self.loop.time() + wait >= deadline:
                late = f"; {wait:g} s more to wait, and there is no time for it within timeout and max_retries"
                failure = failure._replace(message=failure.message + late)
                break
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self.halt.wait(), wait)
            if self.halt.is_set():
                break
        self.give_up(call, failure)

    def lowered(self, failure: Failure, form: int) -> bool:
        """Whether a refused form of structured output has given way to the next, so that the call is sent again."""
        if self.halt.is_set() or form + 1 >= len(self.judge.forms) or not refuses_format(failure):
            return False
        self.form = max(self.form, form + 1)
        return True

    async def send(self, client: Any, call: Call, form: int, limit: float) -> bytes:
        """Send a call once and return the body of the reply, or raise Failed.

        What the SDK raises holds the request with its key: nothing of it is passed on, not as a cause either.
        """
        import httpx2
        import openai

        body = self.judge.body(call.prompt, self.judge.forms[form])
        call.requests += 1
        try:
            async with seconds(limit):
                reply = await client.post("/chat/completions", cast_to=httpx2.Response, content=body)
        except asyncio.TimeoutError:
            failure = Failure("again", "timeout", f"no complete reply within {self.judge.timeout:g} s")
        except openai.APIStatusError as error:
            failure = self.refused(error.response)
        except Exception as error:  # also those of the transport: each may hold the request, and with it the key
            failure = unconnected(error)
        else:
            self.reached = True
            content: bytes = b"" if reply is None else reply.content  # None: of a status without a body
            return content
        raise Failed(failure._replace(message=self.judge.secret.masked(failure.message)))

    def refused(self, response: Any) -> Failure:
        """Return what a reply with an error status means."""
        self.reached = True
        try:
            reply = json.loads(response.content)
        except (ValueError, RecursionError):
            reply = response.content[:20_000].decode("utf-8", "replace")
        failure = failure_of(response.status_code, reply, tuple(self.judge.parameters))
        return failure._replace(wait=retry_after(response.headers))

    def take(self, call: Call, content: bytes, form: int) -> None:
        """Store a reply and read it; raise Failed where it is none."""
        try:
            reply = json.loads(content)
        except (ValueError, RecursionError):
            reply = None
        if not isinstance(reply, dict):
            said = self.judge.secret.masked(plain_line(content[:2000].decode("utf-8", "replace"), 80)) or "nothing"
            raise Failed(Failure("row", "not_json", f"HTTP 200, but the body is no JSON object: {said}"))
        if not reply.get("choices"):
            self.raise_error_in(reply)
        kept = self.judge.secret.hidden(trimmed(reply)) | {"form": self.judge.forms[form]}
        self.cache.put(call.key, json.dumps(kept))
        self.accepted = True
        answer = self.answer_of(kept)
        cost = self.prices.of(answer.usage) if answer.usage else None
        call.answer = replace(answer, requests=call.requests, cost=cost)
        self.spent += cost or 0
        self.watch(answer)

    def raise_error_in(self, reply: Mapping[str, Any]) -> None:
        """Raise Failed where a reply of status 200 holds an error."""
        error = error_of(reply)
        codes = [code for code in (error["code"], error["type"]) if code]
        status = next((int(code) for code in codes if re.fullmatch("[45][0-9][0-9]", code)), None)
        status = status or next((STATUS_OF[code] for code in codes if code in STATUS_OF), None)
        if not reply.get("error") and reply.get("object") != "error" and status is None:
            return
        message = self.judge.secret.masked(f"HTTP 200 with an error: {plain_line(error['message'])}")
        if status is None:
            raise Failed(Failure("row", "error_in_reply", message))
        raise Failed(failure_of(status, reply, tuple(self.judge.parameters))._replace(message=message))

    def watch(self, answer: Answer) -> None:
        """Stop paying where a server leaves out log-probabilities in reply after reply."""
        if answer.reason is None:
            self.useless = -len(self.calls)
        elif answer.reason == "logprobs_missing":
            self.useless += 1
            if self.useless >= REPLIES_WITHOUT_LOGPROBS and not self.halt.is_set():
                said = f"{self.useless} replies came without log-probabilities and none with them"
                self.stop(Failure("stop", "no_logprobs", said))

    def give_up(self, call: Call, failure: Failure) -> None:
        """Leave a call without an answer, and stop the batch where the others would fare the same."""
        never = failure.reason == "unreachable" and not self.reached
        if failure.kind == "stop" or never:
            self.stop(failure)
        elif failure.kind == "doubt":
            self.doubt = self.doubt or failure
        reason = "connection" if failure.reason == "unreachable" and not never else failure.reason
        call.answer = Answer({"score": None}, reason, failure.message, requests=call.requests)

    def stop(self, failure: Failure) -> None:
        """Have nothing more sent; the first reason counts."""
        self.stopped = self.stopped or failure
        self.halt.set()

    def progress_bar(self) -> Any:
        """Return a bar over all prompts, on the error stream; one that shows nothing where none is wanted."""
        from tqdm import tqdm

        title, done = f"{self.judge.task} {self.judge.model}", len(self.calls) - len(self.pending)
        return tqdm(total=len(self.calls), initial=done, desc=title, unit="call", disable=not self.judge.progress)

    def tick(self) -> None:
        """Move the bar, with what the run has cost so far."""
        if not self.bar.disable:
            if not self.prices.missing:
                self.bar.set_postfix_str(f"${self.spent:.4f}", refresh=False)
            self.bar.update()


@contextlib.asynccontextmanager
async def seconds(limit: float) -> AsyncIterator[None]:
    """Raise asyncio.TimeoutError where the block takes longer, as asyncio.timeout does, which Python 3.10 has not.

    asyncio.wait_for makes a task of each call.
    """
    late, task = False, asyncio.current_task()
    assert task is not None  # in a coroutine there is one

    def stop(task: asyncio.Task[Any] = task) -> None:
        nonlocal late
        late = True
        task.cancel()

    timer = asyncio.get_running_loop().call_later(limit, stop)
    try:
        yield
    except asyncio.CancelledError:
        if late:
            if hasattr(task, "uncancel"):
                task.uncancel()
            raise asyncio.TimeoutError from None
        raise
    finally:
        timer.cancel()


@contextlib.contextmanager
def quiet_heap() -> Iterator[None]:
    """Keep the garbage collector from going through all that the process had before, half a second where torch is, and
    through what little there is anew all the time.
    """
    if gc.get_freeze_count():
        yield
        return
    thresholds = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(max(thresholds[0], 10_000), *thresholds[1:])
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)
        gc.unfreeze()


def backoff(retries: int) -> float:
    """Return seconds to wait before a request is sent again: doubled each time, spread so that not all come at once."""
    return min(BACKOFF_SECONDS * 2**retries, MAX_BACKOFF_SECONDS) * random.uniform(0.75, 1.0)


def unconnected(error: BaseException) -> Failure:
    """Return what an error below HTTP means: no connection at all, or one that broke."""
    causes = [error]
    while causes[-1].__cause__ is not None and len(causes) < 10:
        causes.append(causes[-1].__cause__)
    names = [type(cause).__name__ for cause in causes]
    never = not {"ConnectError", "ConnectTimeout", "InvalidURL", "UnicodeError"}.isdisjoint(names)
    said = f"{names[-1]}: {plain_line(causes[-1])}".rstrip(": ")
    return Failure("again", "unreachable" if never else "connection", said)


def connected(judge: Judge) -> Any:
    """Return a client of the openai SDK that retries nothing, follows no redirect and takes nothing from the
    environment that was not meant for this server.
    """
    try:
        import httpx2
        import openai
    except ImportError as error:
        raise ImportError("the judge needs the openai SDK: pip install 'openai[aiohttp]>=3.54'") from error

    most = judge.max_concurrency
    limits = httpx2.Limits(max_connections=most, max_keepalive_connections=most)
    # A proxy that the environment names cannot reach this machine's own servers.
    timeout = httpx2.Timeout(judge.timeout, connect=min(judge.timeout / 2, CONNECT_SECONDS))
    settings: dict[str, Any] = {"limits": limits, "timeout": timeout, "trust_env": not is_local(judge.base_url)}
    # Without TLS there is no certificate to check, and reading those that are trusted takes 30 ms.
    settings["verify"] = not judge.base_url.startswith("http:")
    settings |= {"follow_redirects": False, "event_hooks": {"request": [own_headers(judge)]}}
    try:
        http = openai.DefaultAioHttpClient(**settings)  # a third of the time per call
    except RuntimeError:  # without aiohttp
        http = openai.DefaultAsyncHttpxClient(**settings)
    client = openai.AsyncOpenAI(
        api_key=judge.secret.value or "none",
        admin_api_key="",
        webhook_secret="",
        base_url=judge.base_url,
        max_retries=0,
        http_client=http,
    )
    if not judge.takes_environment:
        client.organization = client.project = None
    return client


def is_local(address: str) -> bool:
    """Return whether an address is this machine's own.

    >>> is_local("http://127.0.0.2:8000/v1"), is_local("http://localhost./v1"), is_local("https://api.x.ai/v1")
    (True, True, False)
    """
    host = (urllib.parse.urlsplit(address).hostname or "").rstrip(".")
    with contextlib.suppress(ValueError):
        found = ipaddress.ip_address(host)
        mapped = getattr(found, "ipv4_mapped", None) or found
        return bool(mapped.is_loopback or mapped.is_unspecified)
    return host == "localhost" or host.endswith(".localhost") or bool(re.fullmatch(r"127(\.\d+){1,2}", host))


def own_headers(judge: Judge) -> Callable[[Any], Any]:
    """Return what the last moment before a request leaves makes of its headers: the key or none, and nothing that the
    environment has for another server.
    """
    names = [line.partition(":")[0].strip() for line in os.environ.get("OPENAI_CUSTOM_HEADERS", "").split("\n")]
    foreign = [] if judge.takes_environment else ["Authorization", *names]

    async def hook(request: Any) -> None:
        for name in foreign:
            request.headers.pop(name, None)
        request.headers["Content-Type"] = "application/json"
        if judge.secret:
            request.headers["Authorization"] = f"Bearer {judge.secret.value}"

    return hook


# What to do about a failure that stops a batch.
ADVICE = {
    "bad_key": "Check api_key, or {variable} in the environment. ",
    "forbidden": "The key may not use this model or this server. ",
    "no_model": "Check model ({model}) and base_url. ",
    "no_logprobs": "This metric needs log-probabilities, which {model} does not give here: choose a model that does. ",
    "quota": "The account has no credit or quota left. ",
    "redirect": "Redirects are not followed, for the key would go along: give the final address as base_url. ",
    "unreachable": "Check base_url and that the server runs. ",
}


def row_of(answers: Sequence[Answer], blank: Mapping[str, Any]) -> dict[str, Any]:
    """Return one entry of `per_example` from the answers to a row's prompts: the best score counts.

    Where one of several answers is missing, the best is not known, unless another has the highest score there is.
    """
    scores = [-1.0 if answer.reason else float(answer.found["score"]) for answer in answers]
    best = max(range(len(scores)), key=scores.__getitem__)
    if -1.0 in scores and scores[best] < 1.0:
        best = scores.index(-1.0)
    answer = answers[best]
    usages = [one.usage for one in answers if one.usage]
    usage = {side: sum(one[side] for one in usages) for side in ("input", "output")} if usages else None
    row: dict[str, Any] = {
        "score": None,
        "reason": answer.reason,
        "message": answer.message,
        "note": None,
        "reference": best,
    }
    row |= {"cached": all(one.cached for one in answers), "requests": sum(one.requests for one in answers)}
    found = {name: value for name, value in answer.found.items() if name in blank or name in ("score", "note")}
    return {**row, "model": answer.model, "usage": usage, **blank, **found}


class Report:
    """The result of a run: the mean score under `name`, what it cost, and what failed, with a dict for each row.

    `blank` has the keys of a row that the judge's reader fills, for rows without a verdict. `lowest` and `highest` are
    what the mean would be if every row that failed had scored 0, or 1.
    """

    def __init__(self, judge: Judge, run: Run, name: str, blank: Mapping[str, Any]) -> None:
        self.judge, self.run = judge, run
        answers = run.answers()
        self.rows = [row_of(row, blank) for row in answers]
        scores = [row["score"] for row in self.rows if row["score"] is not None]
        self.failures = Counter(row["reason"] for row in self.rows if row["reason"])
        failed, total = len(self.rows) - len(scores), math.fsum(scores)
        made = [call.answer for call in run.calls.values() if call.answer and not call.answer.cached]
        usages = [answer.usage for answer in made if answer.usage]
        self.result: dict[str, Any] = {
            name: total / len(scores) if scores else None,
            "lowest": total / len(self.rows),
            "highest": (total + failed) / len(self.rows),
            "n_scored": len(scores),
            "n_failed": failed,
            "Cost": self.cost(made, usages),
            "tokens": {side: sum(usage[side] for usage in usages) for side in ("input", "output")},
            "calls": {
                "sent": sum(call.requests for call in run.calls.values()),
                "cached": sum(answer.cached for row in answers for answer in row),
            },
            "failures": dict(self.failures.most_common()),
            "notes": self.notes(made, usages),
        }

    def cost(self, made: Sequence[Answer], usages: Sequence[Any]) -> float | None:
        """Return what this run has cost in USD; None where no price or no usage is known."""
        if any(answer.replied for answer in made) and (self.run.prices.missing or not usages):
            return None
        return float(self.run.spent)

    def notes(self, made: Sequence[Answer], usages: Sequence[Any]) -> list[str]:
        """Return in words what a reader of the numbers should know."""
        notes = [self.run.prices.missing] if self.run.prices.missing and usages else []
        silent = sum(answer.usage is None and answer.replied for answer in made)
        if silent:
            notes.append(f"the server reported no tokens for {silent} replies: Cost and tokens leave them out")
        return notes + self.run.cache.notes()

    def served(self) -> dict[str, str]:
        """Return for the signature what the server used: models other than the one asked for, forms of output."""
        models = sorted({row["model"] for row in self.rows if row["model"]} - {self.judge.model})
        forms = sorted({call.answer.form for call in self.run.calls.values() if call.answer and call.answer.form})
        served = {"served": "+".join(models).replace("|", "%7C")} if models else {}
        return served | ({"output": "+".join(forms)} if self.judge.schema and forms else {})

    def concluded(self, per_example: bool) -> dict[str, Any]:
        """Return the result; raise JudgeError where the batch was stopped, or rows failed and `on_error` says so."""
        full = self.result | {"per_example": self.rows}
        stopped = self.run.stopped
        if stopped is not None:
            raise JudgeError(self.said_of_stop(stopped), stopped.reason, self.failures, full)
        if self.failures and self.judge.on_error == "raise":
            raise JudgeError(self.said_of_rows(), self.failures.most_common(1)[0][0], self.failures, full)
        return full if per_example else self.result

    def said_of_stop(self, stopped: Failure) -> str:
        """Return the message for a batch that was stopped."""
        judge, scored = self.judge, self.result["n_scored"]
        advice = ADVICE.get(stopped.reason, "").format(
            variable=judge.provider.key_variable or "the key", model=judge.model
        )
        address = judge.secret.masked(judge.base_url)
        return (
            f"{judge.task} was stopped ({stopped.reason}) by {address}: {stopped.message.rstrip('.')}. {advice}"
            f"{scored} of {len(self.rows)} rows have a score. {self.kept()}"
        ).strip()

    def said_of_rows(self) -> str:
        """Return the message for rows that could not be scored."""
        reasons = ", ".join(f"{reason} {count}" for reason, count in self.failures.most_common())
        first = [(i, row) for i, row in enumerate(self.rows) if row["reason"]][:3]
        examples = "; ".join(f"row {i} {row['reason']}: {row['message']}" for i, row in first)
        return (
            f"{self.result['n_failed']} of {len(self.rows)} rows could not be scored ({reasons}). {examples}. "
            f"{self.kept()} on_error='skip' gives the mean of the others, with bounds."
        )

    def kept(self) -> str:
        """Return where the replies are that were paid for."""
        if not self.result["n_scored"]:
            return ""
        if self.judge.cache is False or self.run.cache.unsaved:
            return "The scored rows are in this error's `result`."
        return "What was answered is stored: a re-run resumes and asks only for the rest."
