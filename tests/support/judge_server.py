"""A fake language model on loopback: it speaks OpenAI's chat completions API and can play faults.

In a test: `with JudgeServer(verdict('{"score": 1}')) as server:` and `base_url=server.url`. The
argument `answer` is a Reply, a list of Replies that are sent in order (then the last one again and
again), or a function of the request and its number, counted from 0.

As a process: python -m tests.support.judge_server --port 8123 --delay 0.3. It prints its address
and answers every request with a good reply. GET /count returns the number of requests.
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
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from typing import Any, Literal

Way = Literal[
    "whole", "last", "held", "drip", "hang", "reset", "reset within", "close", "close within", "raw"
]
JSON = "application/json"


@dataclass(frozen=True)
class Request:
    """A request as it arrived.

    Attributes:
        method: the HTTP method.
        path: the path and the query.
        headers: the headers; their names are in lower case.
        body: the parsed JSON; None if the content is no JSON.
        content: the bytes of the body.
    """

    method: str
    path: str
    headers: dict[str, str]
    body: Any
    content: bytes = b""

    @property
    def prompt(self) -> str:
        """The text of the user's message."""
        messages = self.body["messages"]
        content = next(message["content"] for message in messages if message["role"] == "user")
        if isinstance(content, str):
            return content
        return "".join(part["text"] for part in content)

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

    def encode(self) -> tuple[bytes, bytes]:
        """Return the head and the body as bytes."""
        body = self.body if isinstance(self.body, bytes) else json.dumps(self.body).encode()
        headers = {
            "content-type": JSON,
            "content-length": str(len(body)),
            "x-request-id": "req_1",
            **self.headers,
        }
        reason = HTTPStatus(self.status).phrase if self.status in set(HTTPStatus) else "Unknown"
        lines = [f"HTTP/1.1 {self.status} {reason}"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        head = "\r\n".join(lines) + "\r\n\r\n"
        return head.encode("latin-1"), body


Answer = Reply | Sequence[Reply] | Callable[[Request, int], Reply]


def make_completion(
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
    completion = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1790000000,
        "model": "judge-1",
        "usage": usage,
        "choices": [choice],
    }
    return completion | more


def make_message(content: str | None, **more: Any) -> dict[str, Any]:
    """Return an assistant's message; `more` adds or replaces its keys."""
    message: dict[str, Any] = {"role": "assistant", "content": content, "refusal": None}
    return message | {"annotations": []} | more


def make_verdict(
    content: str | None,
    finish_reason: str = "stop",
    refusal: str | None = None,
    delay: float = 0.0,
    **more: Any,
) -> Reply:
    """Return a reply with a text: `content` is the JSON that eve_judge asks for."""
    message = make_message(content, refusal=refusal)
    return Reply(make_completion(message, finish_reason=finish_reason, **more), delay=delay)


def make_tokens(
    pairs: Sequence[tuple[Any, Any]], finish_reason: str = "length", delay: float = 0.0, **more: Any
) -> Reply:
    """Return a reply of one token with its top log-probabilities, as l3score asks for.

    Args:
        pairs: (token, log-probability) of each candidate. The first one is the token of the reply.
        finish_reason: why the reply ends.
        delay: how many seconds the server waits first.
        more: keys of the completion that are added or replaced.
    """
    candidates = []
    for token, logprob in pairs:
        code = list(str(token).encode())
        candidates.append({"token": token, "logprob": logprob, "bytes": code})
    first = candidates[0]
    logprobs = {"content": [first | {"top_logprobs": candidates}], "refusal": None}
    message = make_message(str(first["token"]))
    return Reply(make_completion(message, logprobs, finish_reason, **more), delay=delay)


def make_error(
    status: int,
    message: str,
    kind: Any = "invalid_request_error",
    code: str | None = None,
    param: str | None = None,
    headers: dict[str, str] | None = None,
) -> Reply:
    """Return an error in the format of the API."""
    error = {"message": message, "type": kind, "param": param, "code": code}
    return Reply({"error": error}, status, headers=headers or {})


# By whether log-probabilities are asked for.
GOOD_REPLIES = {
    True: make_tokens([("Yes", -0.1), ("No", -2.5), ("YES", -6.0), (" Yes", -7.0), ("no", -8.0)]),
    False: make_verdict(
        '{"score": 1, "reasoning": "The answer says the same as the reference, and nothing '
        'against it."}'
    ),
}


def make_good_reply(request: Request, number: int = 0) -> Reply:
    """Return a good reply: log-probabilities if they are asked for, else a verdict in JSON."""
    return GOOD_REPLIES[bool(request.body.get("logprobs"))]


class JudgeServer:
    """The server, which runs in its own thread while the `with` block runs.

    Args:
        answer: a Reply, a sequence of them, or a function of the request and its number.
        port: the port to listen at; 0 for any free one.
    """

    def __init__(self, answer: Answer = make_good_reply, port: int = 0) -> None:
        self.answer = answer
        self.port = port
        self.requests: list[Request] = []
        # Requests that have arrived and have no reply yet: now, and at most at one time.
        self.in_flight = self.most_in_flight = 0
        # Connections since the start, and those that are open.
        self.n_connections = 0
        self.connections: set[asyncio.StreamWriter] = set()
        # It is set when the replies that are held may be sent.
        self.released = asyncio.Event()

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
                state = f"{len(self.requests)} requests came, {self.in_flight} are in flight"
                raise TimeoutError(state)
            time.sleep(0.002)

    def release(self) -> None:
        """Send all replies that are held now."""
        released, self.released = self.released, asyncio.Event()
        self.loop.call_soon_threadsafe(released.set)

    def crash(self) -> None:
        """Stop listening and abort every connection, as if the server crashed.

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
        starting = asyncio.start_server(self.serve_connection, "127.0.0.1", self.port, backlog=2048)
        self.listening = asyncio.run_coroutine_threadsafe(starting, self.loop).result(10)
        self.port = self.listening.sockets[0].getsockname()[1]
        return self

    def __exit__(self, *raised: object) -> None:
        asyncio.run_coroutine_threadsafe(self.stop_tasks(), self.loop).result(10)
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(10)
        self.loop.close()

    async def stop_tasks(self) -> None:
        """Stop the server, and end the tasks that serve its connections."""
        self.crash()
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()  # type: ignore[union-attr]
        await asyncio.gather(*tasks, return_exceptions=True)  # type: ignore[arg-type]

    async def serve_connection(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """Answer the requests of one connection, one after another."""
        self.connections.add(writer)
        self.n_connections += 1
        with contextlib.suppress(OSError, EOFError, asyncio.LimitOverrunError):
            while not writer.is_closing():
                await self.serve_request(reader, writer)
        self.connections.discard(writer)
        writer.close()

    async def serve_request(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """Read one request and answer it."""
        request = await read_request(reader)
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        try:
            await self.send_reply(self.reply(request), reader, writer)
        finally:
            self.in_flight -= 1

    def reply(self, request: Request) -> Reply:
        """Record a request and return the reply to it."""
        number = len(self.requests)
        if request.path == "/count":
            return Reply({"requests": number, "most_in_flight": self.most_in_flight})
        if request.method != "POST":
            return make_error(404, "Not Found")
        self.requests.append(request)
        if request.body is None:
            return make_error(400, "We could not parse the JSON body of your request.")
        if callable(self.answer):
            return self.answer(request, number)
        if isinstance(self.answer, Reply):
            return self.answer
        last = len(self.answer) - 1
        return self.answer[min(number, last)]

    async def send_reply(
        self, reply: Reply, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """Send a reply in the way that it names."""
        head, body = reply.encode()
        if reply.delay:
            await asyncio.sleep(reply.delay)
        if reply.way == "hang":
            # It returns only when the client closes the connection.
            await reader.read()
            writer.close()
        elif reply.way == "held":
            await self.released.wait()
            writer.write(head + body)
        elif reply.way == "whole":
            writer.write(head + body)
        elif reply.way == "drip":
            for byte in head + body:
                writer.write(bytes([byte]))
                await asyncio.sleep(reply.pace)
        else:
            await close_connection(reply.way, head, body, writer)


async def read_request(reader: asyncio.StreamReader) -> Request:
    """Read a request from a connection."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").strip()
    first, *lines = head.split("\r\n")
    method, path, _version = first.split(" ")
    headers = {}
    for line in lines:
        name, _, value = line.partition(":")
        headers[name.lower()] = value.strip()
    content = await reader.readexactly(int(headers.get("content-length", 0)))
    try:  # the bytes of a lone surrogate are not valid UTF-8
        body = json.loads(content.decode())
    except ValueError:
        body = None
    return Request(method, path, headers, body, content)


async def close_connection(
    way: Way,
    head: bytes,
    body: bytes,
    writer: asyncio.StreamWriter,
) -> None:
    """Send what a way lets through of a reply, and close or abort the connection."""
    if way == "last":
        writer.write(head + body)
        await asyncio.sleep(0.003)
    elif way == "raw":
        writer.write(body)
        await asyncio.sleep(0)
    elif "within" in way:
        writer.write(head + body[: len(body) // 2])
        await asyncio.sleep(0.02)  # until the client has read the first half
    if way.startswith("reset"):
        # With a linger time of 0 the system aborts the connection, as if the server crashed.
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

    def reply_slowly(request: Request, number: int) -> Reply:
        return replace(make_good_reply(request), delay=arguments.delay)

    with JudgeServer(reply_slowly, arguments.port) as server:
        print(server.url, flush=True)
        threading.Event().wait()


if __name__ == "__main__":
    main()
