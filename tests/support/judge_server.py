"""A fake language model on loopback: it speaks OpenAI's chat completions API and can play faults.

In a test: `with JudgeServer(verdict('{"score": 1}')) as server:` and `base_url=server.url`. The
argument `answer` is a Reply, a list of Replies that are sent in order (then the last one again and
again), or a function of the request and its number, counted from 0.

As a process: python -m tests.support.judge_server --port 8123 --delay 0.3. It prints its address
and answers every request with a fitting verdict. GET /count returns the number of requests.
"""

import argparse
import asyncio
import contextlib
import json
import socket
import struct
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Literal

Way = Literal[
    "whole", "last", "held", "drip", "hang", "reset", "reset within", "close", "close within", "raw"
]
JSON = "application/json"


@dataclass(frozen=True)
class Request:
    """A request as it arrived; header names in lower case."""

    method: str
    path: str
    headers: dict[str, str]
    body: Any
    content: bytes = b""

    @property
    def prompt(self) -> str:
        """The text of the user's message."""
        content = next(
            message["content"] for message in self.body["messages"] if message["role"] == "user"
        )
        return content if isinstance(content, str) else "".join(part["text"] for part in content)

    @property
    def key(self) -> str | None:
        """The key that was sent, or None if there was none."""
        return self.headers.get("authorization", "").removeprefix("Bearer ") or None


@dataclass(frozen=True)
class Reply:
    """An answer of the server, and the way in which it is sent.

    Attributes:
        body: bytes are sent unchanged, anything else as JSON.
        status: the HTTP status.
        headers: headers that are added or replaced.
        delay: how many seconds the server waits first.
        pace: the seconds between two bytes of "drip".
        way: "whole" sends the reply and keeps the connection open. "last" sends the reply and
            closes the connection 3 ms later, without a Connection header. "held" sends the reply
            when the test calls `release`. "drip" sends one byte every `pace` seconds. "hang" sends
            nothing and keeps the connection open. "reset" aborts the connection before the first
            byte, "reset within" after half of the body. "close" and "close within" close it at the
            same points, as a server that shuts down. "raw" sends the body only, without status and
            headers, and closes the connection.
    """

    body: Any = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0.0
    way: Way = "whole"
    pace: float = 0.03

    def raw(self) -> tuple[bytes, bytes]:
        """Return the head and the body as bytes."""
        body = self.body if isinstance(self.body, bytes) else json.dumps(self.body).encode()
        headers = {
            "content-type": JSON,
            "content-length": str(len(body)),
            "x-request-id": "req_1",
            **self.headers,
        }
        reason = HTTPStatus(self.status).phrase if self.status in set(HTTPStatus) else "Unknown"
        lines = [
            f"HTTP/1.1 {self.status} {reason}",
            *(f"{name}: {value}" for name, value in headers.items()),
        ]
        return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1"), body


Answer = Reply | Sequence[Reply] | Callable[[Request, int], Reply]


def completion(
    message: Any, logprobs: Any = None, finish_reason: str = "stop", **more: Any
) -> dict[str, Any]:
    """Return a chat completion with one choice; `more` adds or replaces its keys."""
    choice = {
        "index": 0,
        "message": message,
        "logprobs": logprobs,
        "finish_reason": finish_reason,
    }
    usage = {"prompt_tokens": 120, "completion_tokens": 10, "total_tokens": 130}
    made = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1790000000,
        "model": "judge-1",
        "usage": usage,
    }
    return {**made, "choices": [choice], **more}


def says(content: str | None, **more: Any) -> dict[str, Any]:
    """Return an assistant's message; `more` adds or replaces its keys."""
    return {
        "role": "assistant",
        "content": content,
        "refusal": None,
        "annotations": [],
    } | more


def verdict(
    content: str | None,
    finish_reason: str = "stop",
    refusal: str | None = None,
    delay: float = 0.0,
    **more: Any,
) -> Reply:
    """Return a reply with a text: `content` is the JSON that eve_judge asks for."""
    return Reply(
        completion(says(content, refusal=refusal), finish_reason=finish_reason, **more), delay=delay
    )


def tokens(
    pairs: Sequence[tuple[Any, Any]], finish_reason: str = "length", delay: float = 0.0, **more: Any
) -> Reply:
    """Return a reply of one token with its top log-probabilities, as l3score asks for.

    Args:
        pairs: (token, log-probability) of each candidate. The first one is the token of the reply.
        finish_reason: why the reply ends.
        delay: how many seconds the server waits first.
        more: keys of the completion that are added or replaced.
    """
    top = [
        {"token": token, "logprob": logprob, "bytes": list(str(token).encode())}
        for token, logprob in pairs
    ]
    first = {"content": [{**top[0], "top_logprobs": top}], "refusal": None}
    return Reply(completion(says(str(pairs[0][0])), first, finish_reason, **more), delay=delay)


def error(
    status: int,
    message: str,
    kind: Any = "invalid_request_error",
    code: str | None = None,
    param: str | None = None,
    headers: dict[str, str] | None = None,
) -> Reply:
    """Return an error in the format of the API."""
    body = {
        "error": {
            "message": message,
            "type": kind,
            "param": param,
            "code": code,
        }
    }
    return Reply(body, status, headers=headers or {})


FITTING = {
    True: tokens([("Yes", -0.1), ("No", -2.5), ("YES", -6.0), (" Yes", -7.0), ("no", -8.0)]),
    False: verdict(
        '{"score": 1, "reasoning": "The answer says the same as the reference, and nothing '
        'against it."}'
    ),
}


def fitting(request: Request, number: int = 0) -> Reply:
    """Return a good reply: log-probabilities if they are asked for, else a verdict in JSON."""
    return FITTING[bool(request.body.get("logprobs"))]


class JudgeServer:
    """The server, which runs in its own thread while the `with` block runs.

    Args:
        answer: a Reply, a sequence of them, or a function of the request and its number.
        port: the port to listen at; 0 for any free one.
    """

    def __init__(self, answer: Answer = fitting, port: int = 0) -> None:
        self.answer = answer
        self.port = port
        self.requests: list[Request] = []
        self.in_flight = self.most_in_flight = self.n_connections = 0
        self.connections: set[asyncio.StreamWriter] = set()
        self.held = asyncio.Event()

    @property
    def url(self) -> str:
        """The address to pass as base_url."""
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def keys(self) -> set[str | None]:
        """The keys that arrived; None stands for a request without one."""
        return {request.key for request in self.requests}

    def wait(self, condition: Callable[["JudgeServer"], object], seconds: float = 120.0) -> None:
        """Wait in the calling thread until a condition on the server is true."""
        end = time.monotonic() + seconds
        while not condition(self):
            if time.monotonic() > end:
                raise TimeoutError(
                    f"{len(self.requests)} requests came, {self.in_flight} are in flight"
                )
            time.sleep(0.002)

    def release(self) -> None:
        """Send all replies that are held now."""
        held, self.held = self.held, asyncio.Event()
        self.loop.call_soon_threadsafe(held.set)

    def end(self) -> None:
        """Stop listening and abort every connection, as if the server died.

        Must be called in the server's thread.
        """
        self.listening.close()
        for connection in self.connections:
            connection.transport.abort()

    def __enter__(self) -> "JudgeServer":
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(
            target=self.loop.run_forever, name="judge server", daemon=True
        )
        self.thread.start()
        begun = asyncio.start_server(self.talk, "127.0.0.1", self.port, backlog=2048)
        self.listening = asyncio.run_coroutine_threadsafe(begun, self.loop).result(10)
        self.port = self.listening.sockets[0].getsockname()[1]
        return self

    def __exit__(self, *raised: object) -> None:
        asyncio.run_coroutine_threadsafe(self.finish(), self.loop).result(10)
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(10)
        self.loop.close()

    async def finish(self) -> None:
        """Stop the server and cancel the tasks that answer its connections."""
        self.end()
        talks = asyncio.all_tasks() - {asyncio.current_task()}
        for talk in talks:
            talk.cancel()  # type: ignore[union-attr]
        await asyncio.gather(*talks, return_exceptions=True)  # type: ignore[arg-type]

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer the requests of one connection, one after another."""
        self.connections.add(writer)
        self.n_connections += 1
        with contextlib.suppress(OSError, EOFError, asyncio.LimitOverrunError):
            while not writer.is_closing():
                await self.take(reader, writer)
        self.connections.discard(writer)
        writer.close()

    async def take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Read one request and answer it."""
        first, *lines = (
            (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").strip().split("\r\n")
        )
        headers = {
            name.lower(): value.strip()
            for name, _, value in (line.partition(":") for line in lines)
        }
        content = await reader.readexactly(int(headers.get("content-length", 0)))
        try:  # the bytes of a lone surrogate are not valid UTF-8
            body = json.loads(content.decode())
        except ValueError:
            body = None
        method, path, _ = first.split(" ")
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        try:
            await self.play(
                self.reply(Request(method, path, headers, body, content)), reader, writer
            )
        finally:
            self.in_flight -= 1

    def reply(self, request: Request) -> Reply:
        """Record a request and return the reply to it."""
        number = len(self.requests)
        if request.path == "/count":
            return Reply({"requests": number, "most_in_flight": self.most_in_flight})
        if request.method != "POST":
            return error(404, "Not Found")
        self.requests.append(request)
        if request.body is None:
            return error(400, "We could not parse the JSON body of your request.")
        if callable(self.answer):
            return self.answer(request, number)
        return (
            self.answer
            if isinstance(self.answer, Reply)
            else self.answer[min(number, len(self.answer) - 1)]
        )

    async def play(
        self, reply: Reply, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """Send a reply in the way that it names."""
        head, body = reply.raw()
        if reply.delay:
            await asyncio.sleep(reply.delay)
        if reply.way == "hang":
            await reader.read()
        elif reply.way == "held":
            await self.held.wait()
        if reply.way in ("whole", "held", "last"):
            writer.write(head + body)
            if reply.way == "last":
                await asyncio.sleep(0.003)
                writer.close()
        elif reply.way == "drip":
            for byte in head + body:
                writer.write(bytes([byte]))
                await asyncio.sleep(reply.pace)
        else:
            within = "within" in reply.way
            writer.write(
                body if reply.way == "raw" else head + body[: len(body) // 2] if within else b""
            )
            await asyncio.sleep(0.02 * within)  # by then the client has read the first half
            if reply.way.startswith("reset"):  # as a crashed server does
                connection: socket.socket = writer.get_extra_info("socket")
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                writer.transport.abort()
            writer.close()


def main() -> None:
    """Run the server until the process ends."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--port", type=int, default=0, help="0: any free port")
    parser.add_argument("--delay", type=float, default=0.0, help="seconds before each answer")
    arguments = parser.parse_args()
    slow = {kind: Reply(reply.body, delay=arguments.delay) for kind, reply in FITTING.items()}
    with JudgeServer(
        lambda request, number: slow[bool(request.body.get("logprobs"))], arguments.port
    ) as server:
        print(server.url, flush=True)
        threading.Event().wait()


if __name__ == "__main__":
    main()
