"""Refuses requests that the page never sends or that are too large, and serves metric cards."""

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

# The beginnings of the paths below /gradio_api/ that the page requests. Other paths are refused;
# one of them would write the state of a session to disk.
ALLOWED_ENDPOINTS = (
    "queue/",
    "heartbeat/",
    "startup-events",
    "cancel",
    "reset",
    "app_id",
    "upload",
    "file=",
)
# The largest request that is not an upload; uploads have their own limits. Four text fields of the
# maximum length take 2.4 MB.
MAX_REQUEST_BYTES = 4_000_000
# The beginnings of the names of headers that a proxy adds.
PROXY_HEADERS = (
    "x-forwarded",
    "x-real-ip",
    "forwarded",
    "via",
    "cf-",
    "true-client-ip",
    "x-client-ip",
    "x-original-",
)
# The maximum length of the id by which a browser asks for the progress of an upload.
MAX_UPLOAD_ID_LENGTH = 64


def make_guards() -> list[Middleware]:
    """Return the middleware that checks requests.

    If only the owner of the computer is served, a request must name this computer as its host.
    Otherwise another website could let its domain name point to this computer: the owner's browser
    would then send it requests of that website, which could spend the owner's keys.
    """
    is_local = not judging.is_public()
    hosts = ["*"]
    if is_local:
        own_hosts = (*judging.LOOPBACK_NAMES, "[::1]", judging.read_server_name())
        hosts = [host for host in own_hosts if host]
    host_guard = Middleware(TrustedHostMiddleware, allowed_hosts=hosts, www_redirect=False)
    return [host_guard, Middleware(RequestGuard, is_local=is_local)]


class RequestGuard:
    """Middleware that refuses requests before they are read.

    The status of a refusal is

    - 403 for a request of another website or through a proxy, if only the owner is served;
    - 404 for an endpoint or an upload id that the page does not use;
    - 413 for a request that is too large or does not state its size;
    - 429 for a visitor with too many events or uploads under way.
    """

    def __init__(self, app: ASGIApp, is_local: bool) -> None:
        self.app = app
        self.is_local = is_local

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer or refuse one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        peer = (scope.get("client") or ("",))[0]
        address = visitors.find_address(peer, headers)
        refusal = self.find_refusal(headers, scope, address)
        if refusal:
            if is_file_upload(scope) and refusal.status_code == 429:
                await uploads.drain_request(receive)
            await refusal(scope, receive, send)
        elif is_file_upload(scope):
            size = int(headers["content-length"])
            # A request that was aborted, or that took too long, gets no answer.
            with contextlib.suppress(ClientDisconnect, TimeoutError):
                await uploads.receive_upload(self.app, scope, receive, send, address, size)
        else:
            await self.app(scope, receive, send)

    def find_refusal(self, headers: Headers, scope: Scope, address: str) -> Response | None:
        """Return the response that refuses a request; None if it is allowed."""
        endpoint = scope["path"].partition("/gradio_api/")[2]
        if self.is_local and is_foreign(headers):
            return PlainTextResponse(say("serving.foreign_host"), 403)
        if endpoint and not endpoint.startswith(ALLOWED_ENDPOINTS):
            return PlainTextResponse("", 404)
        # Files are sent to "upload", and "upload_progress" tells how far they are.
        is_about_upload = endpoint.startswith("upload")
        if not has_allowed_size(headers, None if is_about_upload else MAX_REQUEST_BYTES):
            return PlainTextResponse("", 413)
        if is_about_upload:
            return self.find_upload_refusal(headers, scope, address)
        if endpoint == "queue/join" and not visitors.note_arrival(address):
            return refuse_too_many(headers, "serving.too_many")
        return None

    def find_upload_refusal(self, headers: Headers, scope: Scope, address: str) -> Response | None:
        """Return the response that refuses an upload or its progress; None if it is allowed."""
        upload_id = parse_qs(scope["query_string"]).get(b"upload_id", [b""])[0]
        if len(upload_id) > MAX_UPLOAD_ID_LENGTH:
            return PlainTextResponse("", 404)
        if not is_file_upload(scope):
            return None
        size = parse_integer(headers.get("content-length", ""), uploads.MAX_BYTES_OF_VISITOR)
        if size is None:
            megabytes = uploads.MAX_BYTES_OF_VISITOR // 1_000_000
            with speaking(read_language(headers)):
                return PlainTextResponse(say("serving.upload_large", size=megabytes), 413)
        if uploads.can_send(address, size):
            return None
        return refuse_too_many(headers, "serving.upload_many")


def is_foreign(headers: Headers) -> bool:
    """Return whether a request comes from another website, or through a proxy."""
    if any(name.startswith(PROXY_HEADERS) for name in headers):
        return True
    origin = headers.get("origin")
    if origin is None:
        return False
    return urlsplit(origin).netloc.lower() != headers.get("host", "").lower()


def has_allowed_size(headers: Headers, max_bytes: int | None) -> bool:
    """Return whether a request states its size, and has at most so many bytes.

    A request without a body needs no size. With None, any size is allowed.
    """
    size = headers.get("content-length", "0")
    if not size.isdecimal() or "transfer-encoding" in headers:
        return False
    return max_bytes is None or parse_integer(size, max_bytes) is not None


def is_file_upload(scope: Scope) -> bool:
    """Return whether a request uploads files."""
    return scope["method"] == "POST" and scope["path"].rstrip("/").endswith("/gradio_api/upload")


def refuse_too_many(headers: Headers, key: str) -> Response:
    """Return the response for a visitor with too much under way, with the time to retry."""
    with speaking(read_language(headers)):
        message = {"detail": say(key, seconds=visitors.RETRY_SECONDS)}
    return JSONResponse(message, 429, {"Retry-After": str(visitors.RETRY_SECONDS)})


def read_language(headers: Headers) -> str:
    """Return the language of the page that sends a request: "zh" if its path ends with /zh."""
    path = urlsplit(headers.get("referer", "")).path
    return "zh" if path.rstrip("/").endswith("/zh") else "en"


def make_app_options() -> dict[str, Any]:
    """Return the options of Gradio's server: middleware, and the handler of unknown events."""
    return {"middleware": make_guards(), "exception_handlers": {KeyError: answer_unknown_event}}


def find_card_address(name: str) -> str:
    """Return the address of a metric's card: on the Hub if modules come from there, else here."""
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
