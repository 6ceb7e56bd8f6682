"""Connections to judges' servers.

They follow no redirect. They use the proxies and certificates that the environment sets. They send
the organization that the environment sets only to OpenAI, and only with the key OPENAI_API_KEY of
the environment.
"""

import asyncio
import contextlib
import errno
import json
import re
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

from .judge import Judge
from .judge_replies import (
    ABSENT_SIGNS,
    BROKEN_SIGNS,
    Outcome,
    make_failure,
    format_plain_line,
    read_response,
)
from .judge_run import JudgeRun

# Seconds until a server has to accept a connection.
CONNECT_SECONDS = 5.0
LOCAL = re.compile(r"https?://((.*\.)?localhost\.?|127\.[\d.]+|\[::1\]|0\.0\.0\.0)([:/]|$)")
# The headers that every server gets. The SDK may take the values of all others from the
# environment.
ALLOWED_HEADERS = {
    "host",
    "content-length",
    "content-type",
    "accept",
    "accept-encoding",
    "connection",
    "user-agent",
}


def require_key(judge: Judge) -> None:
    """Raise ValueError if a provider that needs a key is asked without one."""
    variable = judge.service.key_variable
    if judge.asks_provider and variable and not judge.key:
        raise ValueError(
            f"api_key is missing: pass api_key=..., or set {variable} in the environment"
        )


def drop_headers(request: Any, judge: Judge) -> None:
    """Delete all headers of a request that are not in ALLOWED_HEADERS.

    They are kept if the judge sends the organization of the environment.
    """
    if not judge.sends_organization:
        for name in set(request.headers) - ALLOWED_HEADERS:
            del request.headers[name]


async def speaks_plain_http(address: str) -> bool:
    """Return whether the server at an https address answers plain HTTP.

    A server that speaks TLS answers it with status 400 or a redirect, or not at all.
    """
    url = urlsplit(address)
    with contextlib.suppress(OSError, ValueError, asyncio.TimeoutError):
        connection = asyncio.open_connection(url.hostname, url.port or 443)
        reader, writer = await asyncio.wait_for(connection, 1)
        with contextlib.closing(writer):
            writer.write(b"HEAD / HTTP/1.0\r\n\r\n")
            line = await asyncio.wait_for(reader.readline(), 1)
            return re.match(rb"HTTP/1\.\d (?!400|3)", line) is not None
    return False


def describe_exception(error: BaseException, judge: Judge, is_reached: bool) -> Outcome:
    """Return the outcome of a try that ended without a response.

    No server was found, or the connection broke or took too long.

    Args:
        error: the exception of the SDK.
        judge: the judge that was asked.
        is_reached: whether any earlier request got a response from this server.
    """
    causes = find_causes(error)
    names = list_error_names(causes)
    with_message = [cause for cause in causes if str(cause)]
    # The innermost cause says most.
    innermost = with_message[-1] if with_message else causes[0]
    text = str(innermost) or "the server took too long"

    reason = ""
    if not re.search(BROKEN_SIGNS, names):
        reason = find_reason_of_absence(names)
    kind = type(innermost).__name__
    if reason:
        message = f"{reason} ({kind}: {text})"
    else:
        message = f"{kind} ({judge.timeout:g} s for each try): {text}"
    message = format_plain_line(judge.hide_key(message))

    # A server that has never accepted a connection in time counts as absent, too.
    never_connected = "connectiontimeout" in names and not is_reached
    if reason or never_connected:
        return make_failure("unreachable", message, kind="stop")
    return make_failure("timeout" if "timeout" in names else "connection", message, kind="again")


def list_error_names(causes: Iterable[BaseException]) -> str:
    """Return the class names and system error codes of exceptions, in lower case."""
    kinds = []
    codes = []
    for cause in causes:
        kinds.append(type(cause).__name__)
        number = getattr(cause, "errno", None) or 0
        codes.append(errno.errorcode.get(number, ""))
    return " ".join([*kinds, *codes]).lower()


def find_reason_of_absence(names: str) -> str:
    """Return why no server was found at an address, by the names of errors.

    Return an empty text if the errors have another cause.
    """
    for sign, words in ABSENT_SIGNS:
        if re.search(sign, names):
            return words
    return ""


def find_causes(error: BaseException) -> list[BaseException]:
    """Return an error and its causes, without the exceptions of the SDK if there are others.

    The names of the SDK's exceptions mislead: it reports every exception of aiohttp as a timeout.
    """
    causes = [error]
    while causes[-1].__cause__ is not None:
        causes.append(causes[-1].__cause__)
    outside_causes = []
    for cause in causes:
        package = type(cause).__module__.partition(".")[0]
        if package not in ("openai", "httpx2"):
            outside_causes.append(cause)
    return outside_causes or causes


def make_http_settings(judge: Judge) -> dict[str, Any]:
    """Return the settings of an HTTP client."""
    return {
        "follow_redirects": False,
        # A proxy cannot reach a server on this machine.
        "trust_env": not LOCAL.match(judge.address),
        # Loading certificates takes 50 ms, and plain HTTP needs none.
        "verify": not judge.address.startswith("http:"),
    }


def make_sdk_settings(judge: Judge) -> dict[str, Any]:
    """Return the settings of a client of the SDK, with a placeholder for the key.

    The SDK refuses to start without one; hooks set the true key.
    """
    import openai

    timeout = openai.Timeout(judge.timeout, connect=min(judge.timeout, CONNECT_SECONDS))
    return {"api_key": "none", "base_url": judge.address, "timeout": timeout}


class BatchRequestError(Exception):
    """A request about a batch failed; `outcome` has the reason, in the form of a call's outcome."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(outcome["message"])
        self.outcome = outcome


@contextlib.contextmanager
def open_requests(
    run: JudgeRun,
    headers: Mapping[str, str],
) -> Iterator["BatchRequests"]:
    """Open a client for requests about batches.

    While it is open, the run's claims in the cache are renewed, since uploads and downloads take
    long.

    Args:
        run: the run whose batches are asked about.
        headers: the headers that have the key.
    """
    import openai

    judge = run.judge

    def replace_headers(request: Any) -> None:
        drop_headers(request, judge)
        request.headers.update({name: value for name, value in headers.items() if value})

    http = openai.DefaultHttpxClient(
        event_hooks={"request": [replace_headers]}, **make_http_settings(judge)
    )
    is_done = threading.Event()

    def renew_claims() -> None:
        while not is_done.wait(1):
            run.cache.renew_claims()

    thread = threading.Thread(target=renew_claims, name="judge_renewing", daemon=True)
    with openai.OpenAI(
        http_client=http, max_retries=judge.max_retries, **make_sdk_settings(judge)
    ) as client:
        thread.start()
        try:
            yield BatchRequests(judge, client)
        finally:
            is_done.set()
            thread.join()


class BatchRequests:
    """Sends requests about batches and returns the JSON of their responses.

    If downloads and uploads fail, they are tried again. A request that creates a batch is sent
    once.

    Raises:
        BatchRequestError: a request failed.
    """

    def __init__(self, judge: Judge, client: Any) -> None:
        self.judge = judge
        self.client = client
        self.client_without_retries = client.with_options(max_retries=0)

    def get_json(self, path: str) -> Any:
        """Return the JSON at a path."""
        return self._parse_body(self.get_file(path))

    def get_file(self, path: str) -> bytes:
        """Return the file at a path."""
        return self._send(self.client.get, path)

    def post_json(
        self,
        path: str,
        body: Mapping[str, Any],
    ) -> Any:
        """Send a request that creates something, once, and return the JSON of its response."""
        answer = self._send(self.client_without_retries.post, path, body=body)
        return self._parse_body(answer)

    def upload_file(
        self,
        name: str,
        data: bytes,
        fields: Mapping[str, str],
    ) -> Any:
        """Upload a file and return the JSON of the response."""
        options = {"headers": {"Content-Type": "multipart/form-data"}}
        files = [("file", (name, data, "application/jsonl"))]
        answer = self._send(
            self.client.post,
            "/files",
            body=fields,
            files=files,
            options=options,
        )
        return self._parse_body(answer)

    def is_own_address(self, url: Any) -> bool:
        """Return whether a URL belongs to the server that is asked."""
        server = urlsplit(self.judge.address)
        return isinstance(url, str) and url.startswith(f"{server.scheme}://{server.netloc}/")

    def _send(
        self,
        send: Callable[..., Any],
        path: str,
        **arguments: Any,
    ) -> bytes:
        """Send a request and return the body of its response."""
        import openai

        try:
            return bytes(send(path, cast_to=bytes, **arguments))
        except openai.APIStatusError as error:
            status = error.response.status_code
            _, outcome = read_response(status, self.judge.hide_key(error.response.text))
            if status in (404, 410) and send == self.client.get:
                lost = "it was submitted with another key, or deleted; batch=False asks anew"
                message = f"the batch, or its file, is not there: {lost}"
                outcome = make_failure("batch_unknown", message, kind="stop")
        except openai.OpenAIError as error:
            outcome = describe_exception(error, self.judge, is_reached=False)
        # Raised after the `except` blocks: the errors above hold the request, and with it the key.
        raise BatchRequestError(outcome)

    def _parse_body(self, body: bytes) -> Any:
        """Return a body parsed as JSON."""
        try:
            return json.loads(body)
        except (ValueError, RecursionError):
            text = format_plain_line(self.judge.hide_key(body.decode(errors="replace")), 80)
            raise BatchRequestError(
                make_failure("not_json", f"the body is no JSON: {text}", kind="again")
            ) from None
