"""Read the responses of judges' servers: the parts of a reply, and the meaning of an error.

Sources: the providers' documentation, and responses that were recorded.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

# A row is too long, in the words of servers. Each pattern speaks of the text that was sent, or of a
# limit for the reply that is below 1. No judge sends such a limit: it is the number of tokens that
# the server had left after the prompt.
TOO_LONG = "|".join(
    [
        r"context_length_exceeded|exceed_context_size|string_above_max_length",
        r"request_too_large|request too large",
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
# The service refuses the content of a row.
REFUSED_CONTENT = "|".join(
    [
        r"content[ _-]?(filter|management|policy|exists risk)|moderation|data_inspection_failed",
        r"safety[ _](system|check)",
        r"(input|prompt|content|request|message|data)s?\b.{0,40}"
        r"\b(flagged|inappropriate|(?<!case.)sensitive|unsafe)",
        r"content.{0,20}\bviolat|violat.{0,40}\b(policy|policies|guidelines)|敏感|不安全|违规",
    ]
)
# The account has no money or quota left.
NO_MONEY = "|".join(
    [
        r"current quota|billing|insufficient[ _](balance|credits)|credit balance",
        r"(out of|available) credits",
        r"spend(ing)? limit|budget (has been )?exceeded|usage limits",
        r"\b(daily|weekly|monthly)\b.{0,30}(limit|quota)",
    ]
)
BAD_KEY = r"authentication|(incorrect|invalid|missing)[ _]api.?key|api.?key.{0,20}valid"
NO_MODEL = "|".join(
    [
        r"model_not_found|(no such|unknown|invalid|not a valid|non-serverless) model",
        r"model is required|param: model",
        r"model\b.{0,80}(not (found|exist|available|supported by any)|unknown)",
    ]
)
BAD_PARAMETER = "|".join(
    [
        r"\bparam: (?!messages|prompt|input)|unsupported|unknown_parameter|unrecognized",
        r"not supported|extra inputs",
        r"\b(temperature|max_(completion_)?tokens|response_format)\b",
    ]
)


class Meaning(NamedTuple):
    """What an error means.

    Attributes:
        sign: the pattern of its status and words.
        kind: "stop" for an error that would happen to every row, "again" for one that passes, and
            "row" for one that leaves a row unscored.
        reason: the code of the reason.
    """

    sign: str
    kind: str
    reason: str


# The first sign that matches counts. The status 2 is an error within a response of status 200.
MEANINGS = [
    Meaning(r"3", "stop", "redirect"),
    Meaning(r".*insufficient_quota", "stop", "quota"),
    # The request is larger than the limit for a minute, so waiting does not help.
    Meaning(r"429.*request too large", "row", "context_too_long"),
    # The message of a passing limit may link to a page that sells a higher one.
    Meaning(
        r"(429|2).*(rate_limit|rate limit|per (second|minute|hour)|(try again|retry) in \d)",
        "again",
        "rate_limited",
    ),
    Meaning(rf"402|[24].*({NO_MONEY})", "stop", "quota"),
    Meaning(r"429", "again", "rate_limited"),
    Meaning(r"5.*exceed_context_size", "row", "context_too_long"),
    Meaning(
        r"5.*(input|prompt|context (length|size|window))\b.{0,40}"
        r"\b(exceeds?\b|(?<!took )too (long|large))",
        "row",
        "context_too_long",
    ),
    Meaning(r"5.*\bexceeds?\b.{0,40}\bcontext (length|size|window)", "row", "context_too_long"),
    Meaning(r"408|409|425|5|2.*(overloaded|server_error)", "again", "server_error"),
    Meaning(rf"401|[24].*({BAD_KEY})", "stop", "bad_key"),
    Meaning(r"[24].*logprobs", "stop", "no_logprobs"),
    Meaning(rf"413|[24].*({TOO_LONG})", "row", "context_too_long"),
    Meaning(r"[24].*could not finish the message because max_tokens", "row", "cut_off"),
    Meaning(rf"[24].*({REFUSED_CONTENT})", "row", "content_filter"),
    Meaning(r"403", "stop", "forbidden"),
    Meaning(rf"404|410|[24].*({NO_MODEL})", "stop", "no_model"),
    Meaning(rf"[24].*({BAD_PARAMETER})", "stop", "parameter_refused"),
    Meaning(r"2", "row", "error_in_reply"),
    Meaning(r"400|422|424", "row", "bad_request"),
    Meaning(r"", "stop", "bad_request"),
]
# These refuse the settings. Once any row was answered with the same settings, they count as the
# failure of a row.
SETTINGS_REASONS = {"no_logprobs", "parameter_refused"}
# Why no server was found at an address, by the names of errors of aiohttp and of the system; the
# first match counts. The names in BROKEN_SIGNS are excluded: there the server was found, or this
# machine has no file or port left.
ABSENT_SIGNS = [
    ("clientconnectordns|unicodeerror", "no server of this name is known"),
    (
        "clientconnector(ssl|certificate)",
        "no secure connection to the server can be had",
    ),
    ("client(connector|proxyconnection)", "no server listens at this address"),
]
BROKEN_SIGNS = "connection(reset|aborted)|econn(reset|aborted)|emfile|enfile|eaddrnotavail"
# Words of an error that refuses structured output.
OUTPUT_SIGNS = re.compile(
    "response_format|json_schema|json_object|structured output|json mode|guided|grammar",
    re.I,
)
# Parts of an error's JSON without meaning: the request, which some servers send back, and the names
# of the error's fields.
ECHO = r'"(input|ctx|body|request|messages|prompt)": .*'
NAMES = r'"(error|message|detail|msg|loc)": '
NOISE = re.compile(rf'{ECHO}|{NAMES}|(, )?"\w+": null|\[(?!key])|(?<!\[key)]|[{{}}"\\]')
# The most characters of an error that are cleaned, and the most that are then read.
MAX_ERROR_LENGTH, MAX_READ_LENGTH = 20_000, 4_000

# The reason of a row without a score that has not failed: by the judge's verdict, the answer
# declines to answer.
DECLINED = "declined"

# The outcome of a call: "score" and, if that is None, "reason" and "message". "kind" says how to go
# on after a failure: "stop", "again" or "row", as in MEANINGS.
Outcome = dict[str, Any]
# The parts of a reply that are stored.
Reply = dict[str, Any]
# The JSON of a response.
Json = Mapping[str, Any]


def make_failure(reason: str, message: str, **details: Any) -> Outcome:
    """Return the outcome of a call that has no verdict."""
    return {"score": None, "reason": reason, "message": message, **details}


def read_response(status: int, text: str) -> tuple[Reply, Outcome]:
    """Return the reply in a response, and an empty outcome or the failure."""
    body = parse_json(text)
    if not 200 <= status < 300:
        return {}, classify_error(status, f"HTTP {status}", text, body)
    if not isinstance(body, dict):
        message = f"HTTP {status}, but the body is no JSON object: {format_plain_line(text, 80)}"
        return {}, make_failure("not_json", message)

    # OpenRouter puts the error of a model's own provider into the choice.
    error = look_up(body, "choices", 0, "error")
    if error:
        named_status = find_error_status(error, body) or status
        return {}, classify_error(
            named_status, f"HTTP {status} with an error", text, {"error": error}
        )
    if not body.get("choices") and has_error(body):
        return {}, classify_error_in_reply(status, text, body)
    reply = trim_reply(body)
    failure = find_failure(reply)
    # Only failures with a kind are returned: such a reply is not cached, but asked for again.
    return reply, failure if failure.get("kind") else {}


def has_error(body: Json) -> bool:
    """Return whether the body of a response of status 200 is an error."""
    is_error = bool(body.get("error")) or body.get("object") == "error"
    return is_error or find_error_status(body.get("error"), body) is not None


def find_error_status(error: Any, body: Json) -> int | None:
    """Return the HTTP status that an error in a body names, or None."""
    code = str(look_up(error, "code") or body.get("code"))
    return int(code) if re.fullmatch("[45][0-9][0-9]", code) else None


def classify_error_in_reply(status: int, text: str, body: Json) -> Outcome:
    """Return the failure for an error in the body of a response of status 200."""
    named_status = find_error_status(body.get("error"), body) or status
    return classify_error(named_status, f"HTTP {status} with an error", text, body)


def parse_json(text: str) -> Any:
    """Return a text parsed as JSON, or None if it is none."""
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
    """Return the failure for an error.

    Args:
        status: the HTTP status, or the code in a body of status 200.
        prefix: the beginning of the message.
        text: the body of the response.
        body: the body as JSON, or None.
    """
    message = text[:MAX_ERROR_LENGTH]
    if body:
        whole = json.dumps(body, ensure_ascii=False)
        message = NOISE.sub("", whole[:MAX_ERROR_LENGTH].replace("\\n", " "))
    message = hide_masked_keys(message)[:MAX_READ_LENGTH]
    words = f"{status} {message}".lower()
    # The last sign matches every text.
    meaning = next(meaning for meaning in MEANINGS if re.match(meaning.sign, words, re.S))
    line = format_plain_line(f"{prefix}: {message}").rstrip(": ")
    return make_failure(meaning.reason, line, kind=meaning.kind)


def hide_masked_keys(text: str) -> str:
    """Return a text with "[key]" in place of each word that holds "**".

    Servers show the first or last characters of a key so.
    """
    return re.sub(r"\S+", lambda word: "[key]" if "**" in word[0] else word[0], text)


def hide_secrets(text: str) -> str:
    """Return a setting as an error may quote it, without the password and query of an address."""
    before, _, after = text.partition("//")
    if "@" in after:
        host = after.rpartition("@")[2]
        text = f"{before}...{host}"
    return re.sub(r"[?\x23].*", "...", text)


def format_plain_line(text: str, length: int = 300) -> str:
    """Return a server's text, which may be HTML, as one line of at most `length` characters."""
    text = re.sub(r"<[^<>]{0,500}>", " ", text[:MAX_ERROR_LENGTH])
    characters = [character if character.isprintable() else " " for character in text]
    words = "".join(characters).split()
    line = " ".join(words)
    if len(line) <= length:
        return line
    return line[: length - 3] + "..."


def look_up(part: Any, *names: Any) -> Any:
    """Return the part of a JSON value at a path of keys, or None if it is missing.

    The key 0 is the first entry of a list.
    """
    for name in names:
        if name == 0:
            part = part[0] if isinstance(part, list) and part else None
        else:
            part = part.get(name) if isinstance(part, Mapping) else None
    return part


def trim_reply(body: Json) -> Reply:
    """Return the parts of a reply that a judge reads and the cache stores.

    Prompts that a server sends back are left out.
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
    """Return the text of a message whose content is a list of parts."""
    texts = []
    for part in parts:
        if look_up(part, "type") == "text":
            texts.append(str(look_up(part, "text") or ""))
    return "".join(texts)


def count_tokens(body: Json) -> dict[str, int] | None:
    """Return the tokens of a reply, or None if the server does not report them."""
    counts = dict[str, int]()
    for name in ("prompt", "completion", "total"):
        count = look_up(body, "usage", f"{name}_tokens")
        counts[name] = count if isinstance(count, int) else -1
    if min(counts["prompt"], counts["completion"]) < 0:
        return None
    # Some providers include the tokens of thinking in the total only.
    output = max(counts["completion"], counts["total"] - counts["prompt"])
    return {"input": counts["prompt"], "output": output}


def read_finish(choice: Any) -> str:
    """Return why a reply ended, in the server's words.

    OpenRouter also sends the words of the model's own provider; these count if they name a filter.
    """
    native = str(look_up(choice, "native_finish_reason"))
    if "content_filter" in classify_ending(native):
        return native
    return str(look_up(choice, "finish_reason"))


def thinks_first(choice: Any, first_token: Any, text: Any) -> bool:
    """Return whether thinking takes the place of the first token or the text of a reply."""
    thoughts = look_up(choice, "message", "reasoning_content") or look_up(
        choice, "message", "reasoning"
    )
    if not isinstance(thoughts, str) or not thoughts.strip():
        return False
    # Log-probabilities may begin with the thinking, or with the answer.
    first = look_up(first_token, "token")
    begins = isinstance(first, str) and thoughts.lstrip().startswith(first.strip())
    return begins or not text


class Ending(NamedTuple):
    """Why a reply ended.

    Attributes:
        sign: the pattern of the server's words, in lower case.
        reason: the code of the reason; empty for a normal end.
        kind: the kind of failure, as that of a Meaning; empty if the reply can be cached.
    """

    sign: str
    reason: str = ""
    kind: str = ""


# Sources: the documentation of OpenAI, DeepSeek, Mistral and OpenRouter, the code of vLLM and TGI,
# and litellm's table for Anthropic, Google, Together, Cohere, Zhipu and Bedrock.
ENDINGS = [
    Ending(
        r"none|null||stop|stop_?sequence|eos|eos_token|end_turn|completed?|tool_calls?|tool_use"
        r"|function_call"
    ),
    Ending(r"length|max_\w*tokens|model_length|model_context_window_exceeded", "cut_off"),
    Ending(r"no choices", "no_choices", "again"),
    Ending(r"error", "error_in_reply", "row"),
    Ending(r"refusal", "refusal"),
    Ending(
        r".*(filter|safety|recitation|prohibit|block|spii|sensitive|toxic|guard|moderat|armor).*",
        "content_filter",
    ),
    Ending(r"insufficient_system_resource|network_error|abort(ed)?", "server_error", "again"),
    Ending(r".*", "unknown_end"),
]


def classify_ending(finish: str) -> tuple[str, str]:
    """Return the reason code and the kind of failure for the end of a reply.

    Both are empty for a normal end.
    """
    words = finish.strip().lower().replace("-", "_")
    # A server may write the name of an enumeration before the word: "FinishReason.STOP".
    ending = re.sub(r"finish_?reason[._]", "", words)
    for known in ENDINGS:
        if re.fullmatch(known.sign, ending, re.S):
            return known.reason, known.kind
    raise AssertionError("the last pattern matches every text")


def is_cut_off(reply: Json) -> bool:
    """Return whether a trimmed reply was cut off at its limit of tokens."""
    return classify_ending(reply["finish"])[0] == "cut_off"


def find_failure(reply: Json) -> Outcome:
    """Return why a trimmed reply cannot be read, or an empty outcome if it can."""
    text = reply["text"]
    refusal = reply["refusal"]
    reason, kind = classify_ending(reply["finish"])
    # Replies of one token are always cut off.
    if reason in ("", "cut_off"):
        reason = "no_content" if text is None else ""
        if refusal:
            reason = "refusal"
        # Without text and end, the model's own provider has failed.
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
