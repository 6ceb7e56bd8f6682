"""The services that judges ask: where they are, what their errors mean and what stands in their replies, by their
documentation and by what their servers were seen to say.
"""

import json
import re
from collections.abc import Mapping
from typing import Any, NamedTuple


class Provider(NamedTuple):
    """A service that speaks OpenAI's chat completions, and what it does differently."""

    base_url: str
    key_variable: str = ""
    output: str = "json_schema"  # the structured output that it offers; others: "json_object", or none ("text")
    length: str = "max_tokens"  # its name for the most tokens of a reply
    logprobs: bool = True
    body: Mapping[str, Any] = {}  # sent unless `extra_body` differs


NO_THINKING = {"thinking": {"type": "disabled"}}  # DeepSeek thinks by default, before the first token of the answer
# By the names that genai-prices has for them. Anthropic ignores logprobs and response_format.
PROVIDERS = {
    "openai": Provider("https://api.openai.com/v1", "OPENAI_API_KEY", length="max_completion_tokens"),
    "deepseek": Provider("https://api.deepseek.com", "DEEPSEEK_API_KEY", "json_object", body=NO_THINKING),
    "xai": Provider("https://api.x.ai/v1", "XAI_API_KEY"),
    "anthropic": Provider("https://api.anthropic.com/v1", "ANTHROPIC_API_KEY", "text", logprobs=False),
    "mistral": Provider("https://api.mistral.ai/v1", "MISTRAL_API_KEY"),
    "openrouter": Provider("https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"),
    "together": Provider("https://api.together.xyz/v1", "TOGETHER_API_KEY"),
    "vllm": Provider("http://127.0.0.1:8000/v1"),
    "llamacpp": Provider("http://127.0.0.1:8080/v1"),
    "ollama": Provider("http://127.0.0.1:11434/v1"),
}

# A row that is too long, as servers say it. Each sign speaks of the text that was sent, or of a limit below one on the
# reply: no judge sends such a limit, so it is what the server had left beside the prompt.
TOO_LONG = "|".join(
    [
        r"context_length_exceeded|exceed_context_size|string_above_max_length|request_too_large|request too large",
        r"(context|input|prompt|sequence)s?[ _-]?(length|size|window|limit)",
        # Go's "context deadline exceeded" is about time.
        r"(context(?! deadline)|prompt|inputs?|messages?|conversation|sequence|string|token count)\b.{0,80}"
        r"\b((?<!took )too (long|large|big|many)|exceed\w*|longer than|larger than|overflows?|max length)",
        r"\bexceed\w*.{0,40}(context|token limit|input tokens)",
        r"\b(reduce|shorten)\b.{0,40}(length|prompt|inputs?|messages?|(?<!_)tokens)",
        r"maximum (prompt|input|model|sequence) length|too many (input )?tokens",
        r"tokens.{0,60}must be <=|must have less than \d+ tokens",
        r"max_\w{0,20}tokens\b.{0,60}(\bgot|\bvalue[ =:]|\breceived|\bgiven:?) ?(-\d|0\b)",
        r"max_\w{0,20}tokens\b.{0,20} must be (strictly positive|greater than 0|at least 1)",
        r"[超过]长|(长度|上下文|token).{0,20}[超过]|超[过出]?.{0,10}(长度|上下文)",
    ]
)
# A row whose content the service refuses.
REFUSED_CONTENT = "|".join(
    [
        r"content[ _-]?(filter|management|policy|exists risk)|moderation|data_inspection_failed",
        r"safety[ _](system|check)",
        r"(input|prompt|content|request|message|data)s?\b.{0,40}\b(flagged|inappropriate|(?<!case.)sensitive|unsafe)",
        r"content.{0,20}\bviolat|violat.{0,40}\b(policy|policies|guidelines)|敏感|不安全|违规",
    ]
)
NO_MONEY = "|".join(
    [
        r"current quota|billing|insufficient[ _](balance|credits)|credit balance|(out of|available) credits",
        r"spend(ing)? limit|budget (has been )?exceeded|usage limits|\b(daily|weekly|monthly)\b.{0,30}(limit|quota)",
    ]
)
BAD_KEY = r"authentication|(incorrect|invalid|missing)[ _]api.?key|api.?key.{0,20}valid"
NO_MODEL = "|".join(
    [
        r"model_not_found|(no such|unknown|invalid|not a valid|non-serverless) model|model is required|param: model",
        r"model\b.{0,80}(not (found|exist|available|supported by any)|unknown)",
    ]
)
BAD_PARAMETER = "|".join(
    [
        r"\bparam: (?!messages|prompt|input)|unsupported|unknown_parameter|unrecognized|not supported|extra inputs",
        r"\b(temperature|max_(completion_)?tokens|response_format)\b",
    ]
)
# What an error means, by status and words: the first line that fits counts; 2 is an error in a reply of status 200.
# "stop" would meet every other row too, "again" passes, and after "row" the row stays unscored.
MEANINGS = [
    (r"3", "stop", "redirect"),
    (r".*insufficient_quota", "stop", "quota"),
    (r"429.*request too large", "row", "context_too_long"),  # larger than a minute's tokens: no waiting helps
    # A passing limit may name the page where a larger one is sold.
    (r"(429|2).*(rate_limit|rate limit|per (second|minute|hour)|(try again|retry) in \d)", "again", "rate_limited"),
    (rf"402|[24].*({NO_MONEY})", "stop", "quota"),
    (r"429", "again", "rate_limited"),
    (r"5.*exceed_context_size", "row", "context_too_long"),
    (r"5.*(input|prompt|context (length|size|window))\b.{0,40}\b(exceeds?\b|(?<!took )too (long|large))", "row",
     "context_too_long"),
    (r"5.*\bexceeds?\b.{0,40}\bcontext (length|size|window)", "row", "context_too_long"),
    (r"408|409|425|5|2.*(overloaded|server_error)", "again", "server_error"),
    (rf"401|[24].*({BAD_KEY})", "stop", "bad_key"),
    (r"[24].*logprobs", "stop", "no_logprobs"),
    (rf"413|[24].*({TOO_LONG})", "row", "context_too_long"),
    (r"[24].*could not finish the message because max_tokens", "row", "cut_off"),
    (rf"[24].*({REFUSED_CONTENT})", "row", "content_filter"),
    (r"403", "stop", "forbidden"),
    (rf"404|410|[24].*({NO_MODEL})", "stop", "no_model"),
    (rf"[24].*({BAD_PARAMETER})", "stop", "parameter_refused"),
    (r"2", "row", "error_in_reply"),
    (r"400|422|424", "row", "bad_request"),
    (r"", "stop", "bad_request"),
]  # fmt: skip
# These refuse the settings: once a row with the same settings was answered, they are failures of their row.
OF_SETTINGS = {"no_logprobs", "parameter_refused"}
# Why nobody is met at an address, by the names of errors of aiohttp and of the system; the first that fits counts. But
# a server that is there may break off, and this machine may have no more files or ports to give.
ABSENT = [
    ("clientconnectordns|unicodeerror", "no server of this name is known"),
    ("clientconnector(ssl|certificate)", "no secure connection to the server can be had"),
    ("client(connector|proxyconnection)", "no server listens at this address"),
]
BROKEN = "connection(reset|aborted)|econn(reset|aborted)|emfile|enfile|eaddrnotavail"
# What an error says of structured output where a server does not have it.
ABOUT_OUTPUT = re.compile("response_format|json_schema|json_object|structured output|json mode|guided|grammar", re.I)
# What says nothing in the JSON of an error, and what a server sends back of the request.
ECHO, NAMES = r'"(input|ctx|body|request|messages|prompt)": .*', r'"(error|message|detail|msg|loc)": '
NOISE = re.compile(rf'{ECHO}|{NAMES}|(, )?"\w+": null|\[(?!key])|(?<!\[key)]|[{{}}"\\]')


# Characters of an error that are looked at; and of these, without what is sent back of the request, that are read.
LONGEST, WORDS = 20_000, 4_000

# The reason of a row without a score that is no failure: the judge says that the answer declines to answer.
DECLINED = "declined"


def unusable(reason: str, message: str, **found: Any) -> dict[str, Any]:
    """Return what is found where there is no verdict."""
    return {"score": None, "reason": reason, "message": message, **found}


def read_response(status: int, text: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the reply in a response, by its status and body; or an empty one and what is found instead."""
    try:
        reply = json.loads(text)
    except (ValueError, RecursionError):
        reply = None
    said, sent = text[:LONGEST], f"HTTP {status}"
    if 200 <= status < 300:
        if not isinstance(reply, dict):
            return {}, unusable("not_json", f"{sent}, but the body is no JSON object: {plain_line(said, 80)}")
        fault = at(reply, "choices", 0, "error")  # of OpenRouter, where a model's own provider fails
        coded = re.fullmatch("[45][0-9][0-9]", str(at(fault or reply.get("error"), "code") or reply.get("code")))
        if not fault and (reply.get("choices") or not (reply.get("error") or reply.get("object") == "error" or coded)):
            kept = trimmed(reply)
            found = unread(kept)
            return kept, found if found.get("kind") else {}
        status, sent = int(coded[0]) if coded else status, f"{sent} with an error"
        reply = {"error": fault} if fault else reply
    if reply:
        said = NOISE.sub("", json.dumps(reply, ensure_ascii=False)[:LONGEST].replace("\\n", " "))
    said = hide_masked_keys(said)[:WORDS]
    words = f"{status} {said}".lower()
    kind, reason = next((kind, reason) for sign, kind, reason in MEANINGS if re.match(sign, words, re.S))
    return {}, unusable(reason, plain_line(f"{sent}: {said}").rstrip(": "), kind=kind)


def hide_masked_keys(text: str) -> str:
    """Return a text without its words that hold "**": keys of which a server shows an end or two."""
    return re.sub(r"\S+", lambda word: "[key]" if "**" in word[0] else word[0], text)


def without_secrets(text: str) -> str:
    """Return a setting as an error may quote it: without a user and password in an address, and without its query."""
    before, _, after = text.partition("//")
    if "@" in after:
        text = f"{before}...{after.rpartition('@')[2]}"
    return re.sub(r"[?\x23].*", "...", text)


def plain_line(text: str, length: int = 300) -> str:
    """Return a text of a server, which may be HTML, as one printable line of at most `length` characters."""
    text = re.sub(r"<[^<>]{0,500}>", " ", text[:LONGEST])
    text = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return text if len(text) <= length else text[: length - 3] + "..."


def at(part: Any, *names: Any) -> Any:
    """Return what stands in JSON under one name, or in the first place, after the other; None where there is none."""
    for name in names:
        fits = isinstance(part, list) and part if name == 0 else isinstance(part, Mapping) and name in part
        part = part[name] if fits else None
    return part


def trimmed(reply: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parts of a reply that a judge reads and the cache keeps: never a prompt that a server sends back."""
    choice, model = at(reply, "choices", 0), reply.get("model")
    text, refusal = (at(choice, "message", name) for name in ("content", "refusal"))
    if isinstance(text, list):  # some servers send it in parts
        text = "".join(str(at(part, "text") or "") for part in text if at(part, "type") == "text")
    counts = (at(reply, "usage", f"{name}_tokens") for name in ("prompt", "completion", "total"))
    read, written, total = (n if isinstance(n, int) else -1 for n in counts)
    finish, native = (str(at(choice, name)) for name in ("finish_reason", "native_finish_reason"))
    kept = {
        "model": plain_line(model, 80) if isinstance(model, str) else None,
        # Some providers count thinking in the total alone.
        "usage": {"input": read, "output": max(written, total - read)} if min(read, written) >= 0 else None,
        "finish": (native if "content_filter" in ending(native) else finish) if choice else "no choices",
        "text": text if isinstance(text, str) else None,
        "refusal": plain_line(str(refusal)) if refusal else None,
        "first_token": at(choice, "logprobs", "content", 0),
    }
    thoughts = at(choice, "message", "reasoning_content") or at(choice, "message", "reasoning")
    if isinstance(thoughts, str) and thoughts.strip():
        # Log-probabilities may begin with those of the thinking, or be of the answer alone.
        first = at(kept["first_token"], "token")
        begins = isinstance(first, str) and thoughts.lstrip().startswith(first.strip())
        kept |= {"thinking": True} if begins or not text else {}
    return kept


# What a reply says of its end, whatever its case, the reason code for that, which is "" for a good end, and the kind of
# failure, as above; replies with a kind are none to keep. By the documentation of OpenAI, DeepSeek, Mistral and
# OpenRouter, the code of vLLM and TGI, and litellm's table for Anthropic, Google, Together, Cohere, Zhipu and Bedrock.
ENDINGS = [
    (r"none|null||stop|stop_?sequence|eos|eos_token|end_turn|completed?|tool_calls?|tool_use|function_call", "", ""),
    (r"length|max_\w*tokens|model_length|model_context_window_exceeded", "cut_off", ""),
    (r"no choices", "no_choices", "again"),
    (r"error", "error_in_reply", "row"),
    (r"refusal", "refusal", ""),
    (r".*(filter|safety|recitation|prohibit|block|spii|sensitive|toxic|guard|moderat|armor).*", "content_filter", ""),
    (r"insufficient_system_resource|network_error|abort(ed)?", "server_error", "again"),
    (r".*", "unknown_end", ""),
]  # fmt: skip


def ending(finish: str) -> tuple[str, str]:
    """Return what a reply says of its end, as a reason code and a kind; both are empty for a good end."""
    end = re.sub(r"finish_?reason[._]", "", finish.strip().lower().replace("-", "_"))
    return next((reason, kind) for sign, reason, kind in ENDINGS if re.fullmatch(sign, end, re.S))


def unread(reply: Mapping[str, Any]) -> dict[str, Any]:
    """Return why a trimmed reply is not worth reading; nothing where it is."""
    text, finish, refusal = reply["text"], reply["finish"], reply["refusal"]
    reason, kind = ending(finish)
    if reason in ("", "cut_off"):  # a judge of one token is always cut off
        reason = "refusal" if refusal else "no_content" if text is None else ""
        if finish == "None" and not (text or refusal or reply["first_token"] or reply.get("thinking")):
            reason, kind = "no_choices", "again"  # with neither text nor end: a provider behind the server has failed
    said = f"the judge gave no answer ({plain_line(finish, 80)}): {refusal or text or 'no text':.300}"
    return unusable(reason, said, reply=text, kind=kind) if reason else {}
