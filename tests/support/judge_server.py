"""A language model's server on loopback that speaks the OpenAI chat completions API and plays any fault, byte by byte.

In a test: `with JudgeServer(verdict('{"score": 1}')) as server:` and `base_url=server.url`. What it is given to answer
is a Reply, a list of them in order (the last for ever), or a function of the request and its number, counted from 0.
As a process of its own: python -m tests.support.judge_server --port 8123 --delay 0.3; it prints its address, answers
every request with what fits, and says at /count how many came.
"""

import argparse
import asyncio
import functools
import json
import socket
import struct
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from types import TracebackType
from typing import Any, Literal, cast

Way = Literal["whole", "held", "drip", "hang", "reset", "reset within", "close", "close within", "raw"]
JSON = "application/json"


@dataclass(frozen=True)
class Request:
    """A request as it arrived; header names in lower case."""

    method: str
    path: str
    headers: dict[str, str]
    body: Any

    @property
    def prompt(self) -> str:
        """The text of the user's message."""
        content = next(message["content"] for message in self.body["messages"] if message["role"] == "user")
        return content if isinstance(content, str) else "".join(part["text"] for part in content)

    @property
    def key(self) -> str | None:
        """The key that was sent, or None where there was none."""
        return self.headers.get("authorization", "").removeprefix("Bearer ") or None


@dataclass(frozen=True)
class Reply:
    """What the server answers, after so many seconds, and the way it sends it.

    body: bytes as they are, anything else as JSON. way: "whole"; "held", likewise, but once the test calls `release`;
    "drip", one byte every `pace` seconds; "hang", nothing and the connection stays open; "reset", before the first
    byte; "reset within", in the middle of the body; "close" and "close within", likewise, but as a server ends in good
    order; "raw", the body for the whole answer.
    """

    body: Any = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0.0
    way: Way = "whole"
    pace: float = 0.03

    def raw(self) -> tuple[bytes, bytes]:
        """Return the head and the body as they go over the wire."""
        body = self.body if isinstance(self.body, bytes) else json.dumps(self.body).encode()
        headers = {"content-type": JSON, "content-length": str(len(body)), "x-request-id": "req_1", **self.headers}
        reason = HTTPStatus(self.status).phrase if self.status in set(HTTPStatus) else "Unknown"
        lines = [f"HTTP/1.1 {self.status} {reason}", *(f"{name}: {value}" for name, value in headers.items())]
        return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1"), body


Answer = Reply | Sequence[Reply] | Callable[[Request, int], Reply]


def completion(message: Any, logprobs: Any = None, finish_reason: str = "stop", **more: Any) -> dict[str, Any]:
    """Return a chat completion with one choice; `more` replaces keys of it."""
    choice = {"index": 0, "message": message, "logprobs": logprobs, "finish_reason": finish_reason}
    usage = {"prompt_tokens": 120, "completion_tokens": 10, "total_tokens": 130}
    made = {"id": "chatcmpl-1", "object": "chat.completion", "created": 1790000000, "model": "judge-1", "usage": usage}
    return {**made, "choices": [choice], **more}


def says(content: str | None, **more: Any) -> dict[str, Any]:
    """Return the assistant's message."""
    return {"role": "assistant", "content": content, "refusal": None, "annotations": []} | more


def verdict(
    content: str | None, finish_reason: str = "stop", refusal: str | None = None, delay: float = 0.0, **more: Any
) -> Reply:
    """Return a reply with this text, as eve_judge asks for."""
    return Reply(completion(says(content, refusal=refusal), finish_reason=finish_reason, **more), delay=delay)


def listed(pairs: Sequence[tuple[Any, Any]]) -> list[dict[str, Any]]:
    """Return the list of top log-probabilities of one token."""
    return [{"token": token, "logprob": logprob, "bytes": list(str(token).encode())} for token, logprob in pairs]


def tokens(pairs: Sequence[tuple[Any, Any]], finish_reason: str = "length", delay: float = 0.0, **more: Any) -> Reply:
    """Return a reply whose first token has these top log-probabilities, the first of them being the one it says."""
    top = listed(pairs)
    first = {"content": [{**top[0], "top_logprobs": top}], "refusal": None}
    return Reply(completion(says(str(pairs[0][0])), first, finish_reason, **more), delay=delay)


def error(
    status: int,
    message: str,
    kind: str | None = "invalid_request_error",
    code: str | None = None,
    param: str | None = None,
    headers: dict[str, str] | None = None,
) -> Reply:
    """Return an error of the API."""
    body = {"error": {"message": message, "type": kind, "param": param, "code": code}}
    return Reply(body, status, headers=headers or {})


FITTING = {
    True: tokens([("Yes", -0.1), ("No", -2.5), ("YES", -6.0), (" Yes", -7.0), ("no", -8.0)]),
    False: verdict('{"score": 1, "reasoning": "The answer says the same as the reference, and nothing against it."}'),
}


def fitting(request: Request, number: int = 0) -> Reply:
    """Return a good reply of the kind the request asks for."""
    return FITTING[bool(request.body.get("logprobs"))]


def parsed(body: bytes) -> Any:
    """Return what a body says, or None where it is no JSON in UTF-8: a lone surrogate as it stands is none."""
    try:
        return json.loads(body.decode())
    except ValueError:
        return None


class Connection(asyncio.Protocol):
    """One connection: parses requests, one after the other, and plays the replies."""

    def __init__(self, server: "JudgeServer") -> None:
        self.server = server
        self.received = bytearray()
        self.busy = False
        self.timers: set[asyncio.TimerHandle] = set()
        self.transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        self.server.connections.add(self)
        self.server.n_connections += 1

    def connection_lost(self, exc: Exception | None) -> None:
        self.server.connections.discard(self)
        for timer in self.timers:
            timer.cancel()
        self.done()

    def data_received(self, data: bytes) -> None:
        self.received += data
        if data.startswith(b"\x16\x03") and self.server.unread:  # a greeting of TLS
            self.transport.write(self.server.unread)
            self.transport.close()
        self.next_request()

    def next_request(self) -> None:
        """Answer the next request if it has arrived whole and the one before it is answered."""
        head, found, rest = bytes(self.received).partition(b"\r\n\r\n")
        if self.busy or not found:
            return
        first, *lines = head.decode("latin-1").split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        length = int(headers.get("content-length", 0))
        if len(rest) < length:
            return
        self.received = bytearray(rest[length:])
        self.busy = True
        method, path, _ = first.split(" ")
        self.play(self.server.reply(Request(method, path, headers, parsed(rest[:length]))))

    def play(self, reply: Reply) -> None:
        """Send a reply in its own way."""
        if reply.way == "held":
            self.server.held.append(functools.partial(self.send, reply))
        elif reply.way != "hang":
            self.later(reply.delay, self.send, reply)

    def later(self, seconds: float, function: Callable[..., None], *arguments: Any) -> None:
        """Call a function after some seconds, unless the connection is lost by then."""

        def call() -> None:
            self.timers.discard(timer)
            function(*arguments)

        if seconds <= 0:
            function(*arguments)
            return
        timer = asyncio.get_running_loop().call_later(seconds, call)
        self.timers.add(timer)

    def send(self, reply: Reply) -> None:
        head, body = self.server.wire(reply)
        if reply.way in ("whole", "held"):
            self.transport.write(head + body)
            self.done()
            self.next_request()
        elif reply.way == "drip":
            self.drip(head + body, 0, reply.pace)
        else:
            within = "within" in reply.way
            end = self.reset if reply.way.startswith("reset") else self.transport.close
            self.transport.write(body if reply.way == "raw" else head + body[: len(body) // 2] if within else b"")
            # The peer has read what there is by then.
            self.later(0.02 if within else 0.0, end)

    def drip(self, data: bytes, place: int, pace: float) -> None:
        """Send one byte, and the rest likewise."""
        self.transport.write(data[place : place + 1])
        if place + 1 < len(data):
            self.later(pace, self.drip, data, place + 1, pace)
        else:
            self.done()
            self.next_request()

    def reset(self) -> None:
        """Break the connection off, as a crashed server does."""
        connection: socket.socket = self.transport.get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.transport.abort()

    def done(self) -> None:
        """Count the request as answered."""
        if self.busy:
            self.busy = False
            self.server.in_flight -= 1


class JudgeServer:
    """The server, in a thread of its own while the `with` block runs."""

    def __init__(self, answer: Answer = fitting, port: int = 0) -> None:
        self.answer = answer
        self.port = port
        self.requests: list[Request] = []
        self.in_flight = self.most_in_flight = 0
        self.connections: set[Connection] = set()
        self.n_connections = 0
        self.held: list[Callable[[], None]] = []
        # What it says to https, which it does not speak; nothing where it waits for more.
        self.unread = b""
        self.encoded: dict[int, tuple[Reply, tuple[bytes, bytes]]] = {}

    @property
    def url(self) -> str:
        """The address to give as base_url."""
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def keys(self) -> set[str | None]:
        """The keys that arrived; None stands for a request without one."""
        return {request.key for request in self.requests}

    def reply(self, request: Request) -> Reply:
        """Keep a request and return what it is answered with."""
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        if request.path == "/count":
            return Reply({"requests": len(self.requests), "most_in_flight": self.most_in_flight})
        number = len(self.requests)
        self.requests.append(request)
        if request.method == "POST" and request.body is None:
            return error(400, "We could not parse the JSON body of your request.")
        if callable(self.answer):
            return self.answer(request, number)
        return self.answer if isinstance(self.answer, Reply) else self.answer[min(number, len(self.answer) - 1)]

    def wire(self, reply: Reply) -> tuple[bytes, bytes]:
        """Return the bytes of a reply, made once for each Reply."""
        known = self.encoded.get(id(reply))
        if known is None:
            # The reply is kept with its bytes, or another might take over its id.
            known = self.encoded[id(reply)] = reply, reply.raw()
        return known[1]

    def wait(self, condition: Callable[["JudgeServer"], object], seconds: float = 120.0) -> None:
        """Wait in the calling thread until something holds."""
        end = time.monotonic() + seconds
        while not condition(self):
            if time.monotonic() > end:
                raise TimeoutError(f"{len(self.requests)} requests came, {self.in_flight} are in flight")
            time.sleep(0.002)

    def release(self) -> None:
        """Send the replies that are held."""
        held, self.held = self.held, []
        for send in held:
            self.loop.call_soon_threadsafe(send)

    async def start(self) -> asyncio.Server:
        """Listen."""
        made = await asyncio.get_running_loop().create_server(
            lambda: Connection(self), "127.0.0.1", self.port, backlog=2048
        )
        self.port = made.sockets[0].getsockname()[1]
        return made

    def run(self) -> None:
        """Serve until stopped; the body of the thread."""
        asyncio.set_event_loop(self.loop)
        self.listening = self.loop.run_until_complete(self.start())
        self.ready.set()
        self.loop.run_forever()
        self.end()
        # The transports say goodbye in the next turn.
        self.loop.run_until_complete(asyncio.sleep(0))
        self.loop.run_until_complete(asyncio.sleep(0))
        self.loop.close()

    def end(self) -> None:
        """Listen no more and break every connection off: what a server that dies leaves; to be called in its thread."""
        self.listening.close()
        for connection in list(self.connections):
            connection.transport.abort()

    def __enter__(self) -> "JudgeServer":
        self.loop = asyncio.new_event_loop()
        self.ready = threading.Event()
        self.thread = threading.Thread(target=self.run, name="judge server", daemon=True)
        self.thread.start()
        if not self.ready.wait(10):
            raise RuntimeError("the server did not start")
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None) -> None:
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(10)


async def serve(server: JudgeServer) -> None:
    """Serve for ever in this process."""
    listening = await server.start()
    print(server.url, flush=True)
    await listening.serve_forever()


def main() -> None:
    """Run the server as a process."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=0, help="0: any free one")
    parser.add_argument("--delay", type=float, default=0.0, help="seconds before each answer")
    given = parser.parse_args()
    slow = {kind: Reply(reply.body, delay=given.delay) for kind, reply in FITTING.items()}
    server = JudgeServer(lambda request, number: slow[bool(request.body.get("logprobs"))], given.port)
    asyncio.run(serve(server))


if __name__ == "__main__":
    main()
