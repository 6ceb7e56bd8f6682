# A copy of metrics/shared/judge_providers.py: change that one, then run `make copies`.
"""The services that judges ask: where they are, what their errors mean and what stands in their replies.

Sources: each provider's documentation and what its servers were seen to say.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple


class Provider(NamedTuple):
    """A service that speaks OpenAI's chat completions, and what it does differently.

    `prices` is its name in genai-prices, `output` the structured output that it offers: "json_schema", "json_object" or
    none ("text"); `length` is its name for the most tokens of a reply. `body` is sent unless `extra_body` differs.
    """

    base_url: str
    key_variable: str = ""
    prices: str = ""
    output: str = "json_schema"
    length: str = "max_tokens"
    logprobs: bool = True
    body: Mapping[str, Any] = {}


# DeepSeek thinks by default, before the first token of the answer. Anthropic ignores logprobs and response_format.
NO_THINKING = {"thinking": {"type": "disabled"}}
PROVIDERS = {
    "openai": Provider("https://api.openai.com/v1", "OPENAI_API_KEY", "openai", length="max_completion_tokens"),
    "deepseek": Provider("https://api.deepseek.com", "DEEPSEEK_API_KEY", "deepseek", "json_object", body=NO_THINKING),
    "xai": Provider("https://api.x.ai/v1", "XAI_API_KEY", "x-ai"),
    "anthropic": Provider("https://api.anthropic.com/v1", "ANTHROPIC_API_KEY", "anthropic", "text", logprobs=False),
    "mistral": Provider("https://api.mistral.ai/v1", "MISTRAL_API_KEY", "mistral"),
    "openrouter": Provider("https://openrouter.ai/api/v1", "OPENROUTER_API_KEY", "openrouter"),
    "together": Provider("https://api.together.xyz/v1", "TOGETHER_API_KEY", "together"),
    "vllm": Provider("http://127.0.0.1:8000/v1"),
    "llamacpp": Provider("http://127.0.0.1:8080/v1"),
    "ollama": Provider("http://127.0.0.1:11434/v1"),
}


class Failure(NamedTuple):
    """Why a request gave no verdict.

    `kind`: "row" leaves the row unscored; "again" passes, and does so where it comes back each time; "stop" would meet
    every other row too.
    """

    kind: str
    reason: str
    message: str


# What an error means, by status and words: the first line that fits counts. 2 is an error in a reply of status 200.
MEANINGS = [
    (r"3", "stop", "redirect"),
    (r"402|.*insufficient_quota", "stop", "quota"),
    # A passing limit may name the page where a larger one is sold.
    (r"(429|2).*(rate_limit|rate limit|per (second|minute|hour)|(try again|retry) in \d)", "again", "rate_limited"),
    (r"[24].*(current quota|billing|insufficient[ _]balance|credit balance|insufficient credits|out of credits|"
     r"available credits|spend(ing)? limit|budget (has been )?exceeded|usage limits)", "stop", "quota"),
    (r"429", "again", "rate_limited"),
    (r"408|409|425|5|2.*(overloaded|server_error)", "again", "server_error"),
    (r"401|[24].*(invalid_api_key|authentication_error|(incorrect|invalid|missing) api[ _-]?key|"
     r"api[ _-]?key.{0,20}(not valid|invalid|incorrect))", "stop", "bad_key"),
    (r"[24].*logprobs", "stop", "no_logprobs"),
    (r"413|[24].*(context[ _]?(length|window|size|limit)|exceeds? the (available )?context|string_above_max_length|"
     r"(prompt|input) is too long|maximum (prompt|input|model) length|longer than the maximum|reduce the length|"
     r"too many (input )?tokens|tokens.{0,60}must be <=|must have less than \d+ tokens)", "row", "context_too_long"),
    (r"[24].*could not finish the message because max_tokens", "row", "cut_off"),
    (r"[24].*(content[ _-]?(filter|management|policy|exists risk)|moderation|"
     r"(input|prompt|content|request|message)s?\b.{0,40}\bflagged)", "row", "content_filter"),
    (r"403", "stop", "forbidden"),
    (r"404|410|[24].*(model_not_found|(no such|unknown|invalid|not a valid|non-serverless) model|model is required|"
     r"\(param model|model\b.{0,80}(not (found|exist|available|supported by any)|unknown))", "stop", "no_model"),
    (r"[24].*(\(param (?!messages|prompt|input)|unsupported|unknown_parameter|unrecognized|not supported|extra inputs|"
     r"\b(temperature|max_(completion_)?tokens|response_format)\b)", "stop", "parameter_refused"),
    (r"2", "row", "error_in_reply"),
    (r"400|422", "row", "bad_request"),
    (r"", "stop", "bad_request"),
]  # fmt: skip
# Where servers put what they say of an error. What they send back of the request is none of it.
SENTENCES, CODES = ("message", "loc", "detail", "msg", "error", "metadata", "raw"), ("code", "type", "param")


def failure_of(status: int, content: bytes) -> Failure | None:
    """Return what a reply means that is none, by its status and body; None for a reply.

    >>> failure_of(429, b'{"error": {"code": "insufficient_quota"}}')
    Failure(kind='stop', reason='quota', message='HTTP 429: (code insufficient_quota)')
    >>> failure_of(503, b"<h1>Unavailable</h1>"), failure_of(200, b'{"choices": []}')
    (Failure(kind='again', reason='server_error', message='HTTP 503: Unavailable'), None)
    """
    try:
        reply = json.loads(content)
    except (ValueError, RecursionError):
        reply = None
    body, sent = content[:20_000].decode("utf-8", "replace"), f"HTTP {status}"
    if 200 <= status < 300:
        if not isinstance(reply, dict):
            said = plain_line(body, 80) or "nothing"
            return Failure("row", "not_json", f"{sent}, but the body is no JSON object: {said}")
        error = reply.get("error") or reply
        code = str((error.get("code") if isinstance(error, dict) else None) or reply.get("code"))
        coded = re.fullmatch("[45][0-9][0-9]", code)
        if reply.get("choices") or not (reply.get("error") or reply.get("object") == "error" or coded):
            return None
        status, sent = int(code) if coded else status, f"{sent} with an error"
    said = " ".join(words(reply)) if reply else body
    said = re.sub(r"\S*\*{2,}\S*", "[key]", said)  # a key of which the server shows an end or two
    sign = f"{status} {said}".lower()
    kind, reason = next((kind, reason) for pattern, kind, reason in MEANINGS if re.match(pattern, sign, re.S))
    return Failure(kind, reason, f"{sent}: {plain_line(said)}".rstrip(": "))


def words(part: Any, name: str = "") -> Iterator[str]:
    """Yield what an error says: its sentences, then its codes with their names."""
    if isinstance(part, Mapping):
        for inner in (*SENTENCES, *CODES):
            yield from words(part.get(inner), inner)
    elif isinstance(part, list):
        for one in part[:20]:
            yield from words(one, name)
    elif part or part == 0:
        yield f"({name} {part})" if name in CODES else str(part)[:20_000]


def plain_line(text: str, length: int = 300) -> str:
    """Return a text of a server as one printable line of at most `length` characters.

    >>> plain_line("<html><title>502</title> <p>Bad  gateway</p>")
    '502 Bad gateway'
    """
    text = re.sub(r"<[^<>]{0,500}>", " ", text[:20_000])
    text = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return text if len(text) <= length else text[: length - 3] + "..."


class Choice(NamedTuple):
    """What a judge's reader is given: the text, whether it was cut off, the first token with its log-probabilities."""

    text: str
    cut: bool
    first_token: Any


Reader = Callable[[Choice], dict[str, Any]]
# What the end of a reply says where it is not worth reading.
ENDINGS = {
    "no choices": ("no_choices", "the reply has no choices"),
    "content_filter": ("content_filter", "the provider's content filter stopped the reply"),
    "safety": ("content_filter", "the provider's content filter stopped the reply"),
    "error": ("error_in_reply", "the provider broke off with an error"),
}


def unusable(reason: str, message: str, **found: Any) -> dict[str, Any]:
    """Return what a reader says of a reply without a verdict."""
    return {"score": None, "reason": reason, "message": message, **found}


def trimmed(reply: Mapping[str, Any], output: str) -> dict[str, Any]:
    """Return the parts of a reply that a judge reads and the cache keeps: never a prompt that a server sends back, and
    of the log-probabilities those of the first token.
    """

    def part(whole: Any, name: Any) -> Any:
        if isinstance(whole, list) and whole and name == 0:
            return whole[0]
        return whole.get(name) if isinstance(whole, Mapping) else None

    choice, model = part(reply.get("choices"), 0), reply.get("model")
    text, refusal = (part(part(choice, "message"), name) for name in ("content", "refusal"))
    if isinstance(text, list):  # some servers send it in parts
        text = "".join(str(part(one, "text") or "") for one in text if part(one, "type") == "text")
    return {
        "model": plain_line(model, 80) if isinstance(model, str) else None,
        "usage": usage_of(reply.get("usage")),
        "output": output,
        "finish": str(part(choice, "finish_reason")) if choice else "no choices",
        "text": text if isinstance(text, str) else None,
        "refusal": plain_line(str(refusal)) if refusal else None,
        "first_token": part(part(part(choice, "logprobs"), "content"), 0),
    }


def usage_of(usage: Any) -> dict[str, int] | None:
    """Return the tokens that a server reports, input and output; None where it reports none.

    Some providers count thinking in the total alone.

    >>> usage_of({"prompt_tokens": 100.0, "completion_tokens": 9, "total_tokens": 203})
    {'input': 100, 'output': 103}
    """
    found = usage if isinstance(usage, dict) else {}
    counts = (found.get(f"{name}_tokens") for name in ("prompt", "completion", "total"))
    read, written, total = (int(n) if isinstance(n, int | float) and 0 <= n < 10**9 else -1 for n in counts)
    return None if read < 0 or written < 0 else {"input": read, "output": max(written, total - read)}


def read_reply(reply: Mapping[str, Any], read: Reader) -> dict[str, Any]:
    """Return what `read` makes of a trimmed reply, or why it is not worth reading: a dict with "score", and where that
    is None with "reason" and "message".
    """
    text, finish = reply["text"], reply["finish"]
    if finish in ENDINGS:
        return unusable(*ENDINGS[finish], reply=text)
    if reply["refusal"] or finish == "refusal":
        said = reply["refusal"] or text or "no reason given"
        return unusable("refusal", f"the judge refused: {said:.300}", reply=text)
    if text is None:
        return unusable("no_content", "the reply has no text")
    return read(Choice(text, finish in ("length", "max_tokens", "model_length"), reply["first_token"]))
