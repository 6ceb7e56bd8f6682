"""Checks requests: which are allowed, and how much a visitor may send."""

from __future__ import annotations

import contextlib
from typing import Any
from urllib.parse import parse_qs, urlsplit

from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from lens.page.serving import uploads, visitors
from lens.page.serving.gradio_internals import answer_unknown_event
from lens.scoring import judge as judging
from lens.scoring import modules
from lens.scoring.catalog import METRIC_NAMES
from lens.tables.cells import parse_integer
from lens.words import say, speaking

# The endpoints of /gradio_api/ that the page uses. Others are refused; one of them would write the
# state of a session to disk.
ENDPOINTS = (
    "queue/",
    "heartbeat/",
    "startup-events",
    "cancel",
    "reset",
    "app_id",
    "upload",
    "file=",
)
# The largest request that is not an upload, whose size Gradio limits. Four fields of the greatest
# length take 2.4 MB.
MAX_REQUEST_BYTES = 4_000_000
# The beginnings of headers that a proxy adds.
OF_PROXIES = (
    "x-forwarded",
    "x-real-ip",
    "forwarded",
    "via",
    "cf-",
    "true-client-ip",
    "x-client-ip",
    "x-original-",
)
# The longest id by which a browser asks for the progress of an upload.
MAX_UPLOAD_ID = 64


def make_guards() -> list[Middleware]:
    """Return the middleware that checks requests.

    If only the owner of the computer is served, the request must name this computer. Otherwise a
    website could give its own name this address, and its visitor's browser could spend the owner's
    keys.
    """
    local = not judging.is_public()
    names = ["*"]
    if local:
        own = (*judging.LOOPBACK, "[::1]", judging.read_server_name())
        names = [name for name in own if name]
    hosts = Middleware(TrustedHostMiddleware, allowed_hosts=names, www_redirect=False)
    return [hosts, Middleware(OnlyThePage, local=local)]


class OnlyThePage:
    """Refuses requests that the page never sends, before they are read.

    The status is 404 for other endpoints of Gradio, and 413 for a request that is too large or does
    not have its size. It is 429 for an event of a visitor with too many events under way. If only
    the owner is served, it is 403 for requests of other websites and of proxies, which anyone may
    use.
    """

    def __init__(self, app: ASGIApp, local: bool) -> None:
        self.app = app
        self.local = local

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer or refuse one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        address = visitors.find_address((scope.get("client") or ("",))[0], headers)
        if refused := self.refusal(headers, scope, address):
            if is_upload(scope) and refused.status_code == 429:
                await uploads.drain_request(receive)
            await refused(scope, receive, send)
        elif is_upload(scope):
            # A request that was aborted, or that took too long, gets no answer.
            with contextlib.suppress(ClientDisconnect, TimeoutError):
                await uploads.take_upload(
                    self.app, scope, receive, send, address, int(headers["content-length"])
                )
        else:
            await self.app(scope, receive, send)

    def refusal(self, headers: Headers, scope: Scope, address: str) -> Response | None:
        """Return the response that refuses a request; None if it is allowed."""
        endpoint = scope["path"].partition("/gradio_api/")[2]
        if self.local and is_foreign(headers):
            return PlainTextResponse(say("serving.foreign_host"), 403)
        if endpoint and not endpoint.startswith(ENDPOINTS):
            return PlainTextResponse("", 404)
        size = headers.get("content-length", "0")
        most = None if endpoint.startswith("upload") else MAX_REQUEST_BYTES
        if not is_size_taken(headers, size, most):
            return PlainTextResponse("", 413)
        if endpoint.startswith("upload"):
            return self.upload_refusal(headers, scope, address)
        if endpoint == "queue/join" and not visitors.note_arrival(address):
            return refuse_too_many(headers, "serving.too_many")
        return None

    def upload_refusal(self, headers: Headers, scope: Scope, address: str) -> Response | None:
        """Return the response that refuses an upload; None if it is allowed."""
        upload_id = parse_qs(scope["query_string"]).get(b"upload_id", [b""])[0]
        if len(upload_id) > MAX_UPLOAD_ID:
            return PlainTextResponse("", 404)
        if not is_upload(scope):
            return None
        size = parse_integer(headers.get("content-length", ""), uploads.MOST_BYTES)
        if size is None:
            with speaking(read_language(headers)):
                return PlainTextResponse(
                    say("serving.upload_large", size=uploads.MOST_BYTES // 1_000_000), 413
                )
        if uploads.can_send(address, size):
            return None
        return refuse_too_many(headers, "serving.upload_many")


def is_foreign(headers: Headers) -> bool:
    """Return whether a request comes from another website, or through a proxy."""
    origin = headers.get("origin")
    if any(name.startswith(OF_PROXIES) for name in headers):
        return True
    return origin is not None and urlsplit(origin).netloc.lower() != headers.get("host", "").lower()


def is_size_taken(headers: Headers, size: str, most: int | None) -> bool:
    """Return whether a request has its size, and is not larger than `most`."""
    if not size.isdecimal() or "transfer-encoding" in headers:
        return False
    return most is None or parse_integer(size, most) is not None


def is_upload(scope: Scope) -> bool:
    """Return whether a request is an upload of files."""
    return scope["method"] == "POST" and scope["path"].rstrip("/").endswith("/gradio_api/upload")


def refuse_too_many(headers: Headers, key: str) -> Response:
    """Return the response for a visitor with too much under way, with the time to retry."""
    with speaking(read_language(headers)):
        message = {"detail": say(key, seconds=visitors.RETRY_SECONDS)}
    return JSONResponse(message, 429, {"Retry-After": str(visitors.RETRY_SECONDS)})


def read_language(headers: Headers) -> str:
    """Return the language of the page that sends a request."""
    path = urlsplit(headers.get("referer", "")).path
    return "zh" if path.rstrip("/").endswith("/zh") else "en"


def make_app_options() -> dict[str, Any]:
    """Return the options of Gradio's server: middleware, and the handler of unknown events."""
    return {"middleware": make_guards(), "exception_handlers": {KeyError: answer_unknown_event}}


def find_card_address(name: str) -> str:
    """Return the address of a metric's card: on the Hub if modules come from there, or here."""
    organisation = modules.find_organisation()
    if organisation:
        return f"https://huggingface.co/spaces/{organisation}/{name}"
    return f"./card/{name}"


async def read_metric_card(request: Request) -> PlainTextResponse:
    """Return the README.md of a metric."""
    name = request.path_params["name"]
    path = modules.METRICS_FOLDER / name / "README.md"
    if name in METRIC_NAMES and path.is_file():
        return PlainTextResponse(path.read_text(encoding="utf-8"))
    return PlainTextResponse("", 404)
