"""What the errors of judges' servers mean, and the parts of their replies.

Sources: their documentation, and what they were seen to answer.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any


# A row that is too long, as servers say it. Each sign speaks of the text that was sent, or of a
# limit below one on the reply: no judge sends such a limit, so it is what the server had left
# beside the prompt.
TOO_LONG = "|".join(
    [
        (
            r"context_length_exceeded|exceed_context_size|string_above_max_length"
            r"|request_too_large|request too large"
        ),
        r"(context|input|prompt|sequence)s?[ _-]?(length|size|window|limit)",
        # Go's "context deadline exceeded" is about time.
        r"(context(?! deadline)|prompt|inputs?|messages?|conversation|sequence|string"
        r"|token count)\b.{0,80}"
        r"\b((?<!took )too (long|large|big|many)|exceed\w*|longer than|larger than|overflows?"
        r"|max length)",
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
        (
            r"(input|prompt|content|request|message|data)s?\b.{0,40}\b(flagged|inappropriate"
            r"|(?<!case.)sensitive|unsafe)"
        ),
        r"content.{0,20}\bviolat|violat.{0,40}\b(policy|policies|guidelines)|敏感|不安全|违规",
    ]
)
NO_MONEY = "|".join(
    [
        (
            r"current quota|billing|insufficient[ _](balance|credits)|credit balance|(out of"
            r"|available) credits"
        ),
        (
            r"spend(ing)? limit|budget (has been )?exceeded|usage limits|\b(daily|weekly"
            r"|monthly)\b.{0,30}(limit|quota)"
        ),
    ]
)
BAD_KEY = r"authentication|(incorrect|invalid|missing)[ _]api.?key|api.?key.{0,20}valid"
NO_MODEL = "|".join(
    [
        (
            r"model_not_found|(no such|unknown|invalid|not a valid|non-serverless) model"
            r"|model is required|param: model"
        ),
        r"model\b.{0,80}(not (found|exist|available|supported by any)|unknown)",
    ]
)
BAD_PARAMETER = "|".join(
    [
        (
            r"\bparam: (?!messages|prompt|input)|unsupported|unknown_parameter|unrecognized"
            r"|not supported|extra inputs"
        ),
        r"\b(temperature|max_(completion_)?tokens|response_format)\b",
    ]
)
# What an error means, by status and words: the first line that fits counts; 2 is an error in a
# reply of status 200. "stop" would meet every other row too, "again" passes, and after "row" the
# row stays unscored.
MEANINGS = [
    (r"3", "stop", "redirect"),
    (r".*insufficient_quota", "stop", "quota"),
    # larger than a minute's tokens: no waiting helps
    (r"429.*request too large", "row", "context_too_long"),
    # A passing limit may name the page where a larger one is sold.
    ((r"(429|2).*(rate_limit|rate limit|per (second|minute|hour)|(try again"
        r"|retry) in \d)"), "again", "rate_limited"),
    (rf"402|[24].*({NO_MONEY})", "stop", "quota"),
    (r"429", "again", "rate_limited"),
    (r"5.*exceed_context_size", "row", "context_too_long"),
    ((r"5.*(input|prompt|context (length|size|window))\b.{0,40}\b(exceeds?\b"
        r"|(?<!took )too (long|large))"), "row",
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
# These refuse the settings: once a row with the same settings was answered, they are failures of
# their row.
SETTINGS_REASONS = {"no_logprobs", "parameter_refused"}
# Why nobody is met at an address, by the names of errors of aiohttp and of the system; the first
# that fits counts. But a server that is there may break off, and this machine may have no more
# files or ports to give.
ABSENT_SIGNS = [
    ("clientconnectordns|unicodeerror", "no server of this name is known"),
    (
        "clientconnector(ssl|certificate)",
        "no secure connection to the server can be had",
    ),
    ("client(connector|proxyconnection)", "no server listens at this address"),
]
BROKEN_SIGNS = "connection(reset|aborted)|econn(reset|aborted)|emfile|enfile|eaddrnotavail"
# What an error says of structured output where a server does not have it.
OUTPUT_SIGNS = re.compile(
    "response_format|json_schema|json_object|structured output|json mode|guided|grammar",
    re.I,
)
# What says nothing in the JSON of an error: the request that a server sends back, and the names of
# its parts.
ECHO = r'"(input|ctx|body|request|messages|prompt)": .*'
NAMES = r'"(error|message|detail|msg|loc)": '
NOISE = re.compile(rf'{ECHO}|{NAMES}|(, )?"\w+": null|\[(?!key])|(?<!\[key)]|[{{}}"\\]')
# Characters of an error that are looked at, and how many of them are read once its noise is left
# out.
MAX_ERROR_LENGTH, MAX_READ_LENGTH = 20_000, 4_000

# The reason of a row without a score that is no failure: the judge says that the answer declines to
# answer.
DECLINED = "declined"

# What is known of a call: "score" and, where that is None, "reason" and "message"; "kind" says what
# is to be done.
Outcome = dict[str, Any]
# The parts of a reply that are kept.
Reply = dict[str, Any]
# What came back, as JSON.
Json = Mapping[str, Any]


def make_failure(reason: str, message: str, **details: Any) -> Outcome:
    """Return the outcome of a call that has no verdict."""
    return {"score": None, "reason": reason, "message": message, **details}


def read_response(status: int, text: str) -> tuple[Reply, Outcome]:
    """Return the reply in a response, by its status and body; or an empty one and the failure."""
    body = parse_json(text)
    if not 200 <= status < 300:
        return {}, classify_error(status, f"HTTP {status}", text, body)
    if not isinstance(body, dict):
        message = f"HTTP {status}, but the body is no JSON object: {format_plain_line(text, 80)}"
        return {}, make_failure("not_json", message)

    # OpenRouter puts the error of a model's own provider into the choice.
    fault = look_up(body, "choices", 0, "error")
    if fault:
        said_status = find_error_status(fault, body) or status
        return {}, classify_error(
            said_status, f"HTTP {status} with an error", text, {"error": fault}
        )
    if not body.get("choices") and has_error(body):
        return {}, classify_error_in_reply(status, text, body)
    reply = trim_reply(body)
    failure = find_failure(reply)
    # A reply with a kind is none to keep, but one to ask for again.
    return reply, failure if failure.get("kind") else {}


def has_error(body: Json) -> bool:
    """Return whether the body of a good response is an error all the same."""
    is_error = bool(body.get("error")) or body.get("object") == "error"
    return is_error or find_error_status(body.get("error"), body) is not None


def find_error_status(error: Any, body: Json) -> int | None:
    """Return the status that an error in a body names, or None."""
    code = str(look_up(error, "code") or body.get("code"))
    return int(code) if re.fullmatch("[45][0-9][0-9]", code) else None


def classify_error_in_reply(status: int, text: str, body: Json) -> Outcome:
    """Return what an error in the body of a good response means."""
    said_status = find_error_status(body.get("error"), body) or status
    return classify_error(said_status, f"HTTP {status} with an error", text, body)


def parse_json(text: str) -> Any:
    """Return a text as JSON, or None where it is none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def classify_error(
    status: int,
    prefix: str,
    text: str,
    body: Any,
) -> Outcome:
    """Return what an error means.

    Args:
        status: the status, or the code within a body of status 200.
        prefix: what the message begins with.
        text: the body of the response.
        body: the same as JSON, or None.
    """
    message = text[:MAX_ERROR_LENGTH]
    if body:
        whole = json.dumps(body, ensure_ascii=False)
        message = NOISE.sub("", whole[:MAX_ERROR_LENGTH].replace("\\n", " "))
    message = hide_masked_keys(message)[:MAX_READ_LENGTH]
    words = f"{status} {message}".lower()
    kind, reason = next(
        (kind, reason) for sign, kind, reason in MEANINGS if re.match(sign, words, re.S)
    )
    return make_failure(reason, format_plain_line(f"{prefix}: {message}").rstrip(": "), kind=kind)


def hide_masked_keys(text: str) -> str:
    """Return a text without words that hold "**".

    These are keys of which a server shows an end or two.
    """
    return re.sub(r"\S+", lambda word: "[key]" if "**" in word[0] else word[0], text)


def hide_secrets(text: str) -> str:
    """Return a setting as an error may quote it.

    An address has no password and no query.
    """
    before, _, after = text.partition("//")
    if "@" in after:
        host = after.rpartition("@")[2]
        text = f"{before}...{host}"
    return re.sub(r"[?\x23].*", "...", text)


def format_plain_line(text: str, length: int = 300) -> str:
    """Return a server's text, which may be HTML, as one line of at most `length` characters."""
    text = re.sub(r"<[^<>]{0,500}>", " ", text[:MAX_ERROR_LENGTH])
    printable = "".join(character if character.isprintable() else " " for character in text)
    line = " ".join(printable.split())
    return line if len(line) <= length else line[: length - 3] + "..."


def look_up(part: Any, *names: Any) -> Any:
    """Return the part of a JSON value at a path of keys, of which 0 is the first entry of a list.

    It is None without one.
    """
    for name in names:
        if name == 0:
            part = part[0] if isinstance(part, list) and part else None
        else:
            part = part.get(name) if isinstance(part, Mapping) else None
    return part


def trim_reply(body: Json) -> Reply:
    """Return the parts of a reply that a judge reads and the cache keeps.

    A prompt that a server sends back is none of them.
    """
    choice = look_up(body, "choices", 0)
    model = body.get("model")
    text = look_up(choice, "message", "content")
    if isinstance(text, list):
        text = join_parts(text)
    refusal = look_up(choice, "message", "refusal")
    reply = {
        "model": format_plain_line(model, 80) if isinstance(model, str) else None,
        "usage": count_tokens(body),
        "finish": read_finish(choice) if choice else "no choices",
        "text": text if isinstance(text, str) else None,
        "refusal": format_plain_line(str(refusal)) if refusal else None,
        "first_token": look_up(choice, "logprobs", "content", 0),
    }
    if thinks_first(choice, reply["first_token"], text):
        reply["thinking"] = True
    return reply


def join_parts(parts: Sequence[Any]) -> str:
    """Return the text of a message that a server sends in parts."""
    texts = []
    for part in parts:
        if look_up(part, "type") == "text":
            texts.append(str(look_up(part, "text") or ""))
    return "".join(texts)


def count_tokens(body: Json) -> dict[str, int] | None:
    """Return the tokens of a reply, or None where the server does not report them."""
    counts = dict[str, int]()
    for name in ("prompt", "completion", "total"):
        count = look_up(body, "usage", f"{name}_tokens")
        counts[name] = count if isinstance(count, int) else -1
    if min(counts["prompt"], counts["completion"]) < 0:
        return None
    # Some providers count thinking in the total alone.
    output = max(counts["completion"], counts["total"] - counts["prompt"])
    return {"input": counts["prompt"], "output": output}


def read_finish(choice: Any) -> str:
    """Return why a reply ended, in the server's words.

    OpenRouter also has those of the model's own provider.
    """
    native = str(look_up(choice, "native_finish_reason"))
    if "content_filter" in classify_ending(native):
        return native
    return str(look_up(choice, "finish_reason"))


def thinks_first(choice: Any, first_token: Any, text: Any) -> bool:
    """Return whether a reply has thinking where its first token or its text is looked for."""
    thoughts = look_up(choice, "message", "reasoning_content") or look_up(
        choice, "message", "reasoning"
    )
    if not isinstance(thoughts, str) or not thoughts.strip():
        return False
    # Log-probabilities may begin with those of the thinking, or be of the answer alone.
    first = look_up(first_token, "token")
    begins = isinstance(first, str) and thoughts.lstrip().startswith(first.strip())
    return begins or not text


# What a reply says of its end, whatever its case; the reason code, which is "" for a good end; the
# kind of failure, as above: replies with a kind are not kept. By the documentation of OpenAI,
# DeepSeek, Mistral and OpenRouter, the code of vLLM and TGI, and litellm's table for Anthropic,
# Google, Together, Cohere, Zhipu and Bedrock.
ENDINGS = [
    ((r"none|null||stop|stop_?sequence|eos|eos_token|end_turn|completed?|tool_calls?"
        r"|tool_use|function_call"), "", ""),
    (r"length|max_\w*tokens|model_length|model_context_window_exceeded", "cut_off", ""),
    (r"no choices", "no_choices", "again"),
    (r"error", "error_in_reply", "row"),
    (r"refusal", "refusal", ""),
    ((r".*(filter|safety|recitation|prohibit|block|spii|sensitive|toxic|guard|moderat"
        r"|armor).*"), "content_filter", ""),
    (r"insufficient_system_resource|network_error|abort(ed)?", "server_error", "again"),
    (r".*", "unknown_end", ""),
]  # fmt: skip


def classify_ending(finish: str) -> tuple[str, str]:
    """Return what a reply says of its end, as a reason code and a kind.

    Both are empty for a good end.
    """
    end = re.sub(r"finish_?reason[._]", "", finish.strip().lower().replace("-", "_"))
    return next((reason, kind) for sign, reason, kind in ENDINGS if re.fullmatch(sign, end, re.S))


def is_cut_off(reply: Json) -> bool:
    """Return whether a trimmed reply was cut off at its most tokens."""
    return classify_ending(reply["finish"])[0] == "cut_off"


def find_failure(reply: Json) -> Outcome:
    """Return why a trimmed reply is not worth reading, or nothing where it is."""
    text, refusal = reply["text"], reply["refusal"]
    reason, kind = classify_ending(reply["finish"])
    # A judge of one token is always cut off.
    if reason in ("", "cut_off"):
        reason = "no_content" if text is None else ""
        if refusal:
            reason = "refusal"
        # With neither text nor end a provider behind the server has failed.
        if reply["finish"] == "None" and not has_content(reply):
            reason, kind = "no_choices", "again"
    if not reason:
        return {}
    message = (
        f"the judge gave no answer ({format_plain_line(reply['finish'], 80)}): "
        f"{refusal or text or 'no text':.300}"
    )
    return make_failure(reason, message, reply=text, kind=kind)


def has_content(reply: Json) -> bool:
    """Return whether a trimmed reply has anything to read."""
    parts = [reply.get(name) for name in ("text", "refusal", "first_token", "thinking")]
    return any(parts)
