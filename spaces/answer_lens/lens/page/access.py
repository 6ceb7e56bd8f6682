"""Who may ask the page for what, and that it keeps nothing of what was typed, nor what nobody reads."""

from __future__ import annotations

import asyncio
from typing import Any
from urllib.parse import urlsplit

import gradio as gr
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from lens.page import background, held, visitors
from lens.scoring import judge as judging
from lens.scoring import modules
from lens.scoring.catalog import BY_NAME
from lens.tables.cells import whole
from lens.words import say, speaking

# What the page itself asks of /gradio_api/. Gradio would also write the state of a session to disk for a link to it.
ENDPOINTS = ("queue/", "heartbeat/", "startup-events", "cancel", "reset", "app_id", "upload", "file=")
# Larger requests are not read, but for files, which Gradio counts: four fields of the greatest length take 2.4 MB.
MAX_REQUEST_BYTES = 4_000_000
# What a proxy writes into what it hands on.
OF_PROXIES = ("x-forwarded", "x-real-ip", "forwarded", "via", "cf-", "true-client-ip", "x-client-ip", "x-original-")
# How long a page may leave unread what was said to it.
UNREAD_SECONDS = 60


class Forgetting(gr.Blocks):
    """A page that keeps no reference to what was typed into it or shown on it.

    Gradio keeps the last value of every field and of every result for each session as long as the program runs, and
    what its `gr.skip()` replaces under further numbers; the body of a request until the next one comes; and what was
    said to a page until somebody reads it.
    """

    async def process_api(self, block_fn: Any, inputs: list[Any], *given: Any, **options: Any) -> dict[str, Any]:
        """Answer a call, whose later steps do not read the values again, and forget them."""
        if options.get("iterator") is not None:
            await self.heard(str(options.get("session_hash")))
        try:
            return await super().process_api(block_fn, inputs, *given, **options)
        finally:
            inputs[:] = [None] * len(inputs)
            state, request = options.get("state"), getattr(options.get("request"), "request", None)
            if state:
                state.config_values.clear()
                for number in state.blocks_config.blocks.keys() - self.blocks.keys():
                    del state.blocks_config.blocks[number]
            for copy in ("_body", "_json") if request else ():
                vars(request).pop(copy, None)

    async def heard(self, session: str) -> None:
        """Wait until a page has read what was said to it; end what is under way for one that reads nothing."""
        for _ in range(UNREAD_SECONDS * 100):
            said = self._queue.pending_messages_per_session.get(session)
            if said is None or said.empty():
                return
            await asyncio.sleep(0.01)
        self.forget(session)
        raise gr.Error("nobody reads what is said", print_exception=False)

    async def left(self, request: gr.Request) -> None:
        """A page was closed or reloaded."""
        background.overtake(str(request.session_hash))
        self.forget(str(request.session_hash))

    def forget(self, session: str) -> None:
        """Hold nothing for a page any more, nor what was said to it."""
        held.drop(session)
        said = self._queue.pending_messages_per_session.get(session)
        while said is not None and not said.empty():
            said.get_nowait()


def guards() -> list[Middleware]:
    """What a request passes before the page gets it. Where only the owner of the computer is served, it must name the
    computer: a website that gave its own name this address could have its visitor's browser spend the owner's keys.
    """
    local = not judging.public()
    names = [name for name in (*judging.LOOPBACK, "[::1]", judging.server_name()) if name] if local else ["*"]
    hosts = Middleware(TrustedHostMiddleware, allowed_hosts=names, www_redirect=False)
    return [hosts, Middleware(OnlyThePage, local=local)]


class OnlyThePage:
    """Refuse what the page never asks for, before it is read: 404 for another endpoint of Gradio, 413 for a request
    that is too large or does not say how large it is, 429 for an event of a visitor who has too many under way; where
    only the owner is served, 403 for what another website sends, and for what a proxy hands on, behind which anyone may
    be.
    """

    def __init__(self, app: ASGIApp, local: bool) -> None:
        self.app = app
        self.local = local

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer or refuse one request."""
        refused = self.refusal(Headers(scope=scope), scope) if scope["type"] == "http" else None
        await (refused or self.app)(scope, receive, send)

    def refusal(self, headers: Headers, scope: Scope) -> Response | None:
        """What is answered in place of the page; None for nothing."""
        origin, endpoint = headers.get("origin"), scope["path"].partition("/gradio_api/")[2]
        foreign = origin is not None and urlsplit(origin).netloc.lower() != headers.get("host", "").lower()
        if self.local and (foreign or any(name.startswith(OF_PROXIES) for name in headers)):
            return PlainTextResponse(say("foreign_host"), 403)
        if endpoint and not endpoint.startswith(ENDPOINTS):
            return PlainTextResponse("", 404)
        size = headers.get("content-length", "0")
        if not size.isdecimal() or "transfer-encoding" in headers:
            return PlainTextResponse("", 413)
        if whole(size, MAX_REQUEST_BYTES) is None and not endpoint.startswith("upload"):
            return PlainTextResponse("", 413)
        peer = (scope.get("client") or ("",))[0]
        if endpoint == "queue/join" and not visitors.arrive(visitors.address_of(peer, headers)):
            with speaking("zh" if urlsplit(headers.get("referer", "")).path.rstrip("/").endswith("/zh") else "en"):
                told = {"detail": say("too_many", seconds=visitors.RETRY_SECONDS)}
            return JSONResponse(told, 429, {"Retry-After": str(visitors.RETRY_SECONDS)})
        return None


def card_address(name: str) -> str:
    """Where the card of a metric is read: on the Hub where its modules come from there, and else from this page."""
    return f"https://huggingface.co/spaces/{org}/{name}" if (org := modules.organisation()) else f"./card/{name}"


async def metric_card(request: Request) -> PlainTextResponse:
    """The card of a metric as its folder has it."""
    path = modules.METRICS_FOLDER / request.path_params["name"] / "README.md"
    known = request.path_params["name"] in BY_NAME and path.is_file()
    return PlainTextResponse(path.read_text(encoding="utf-8") if known else "", 200 if known else 404)
