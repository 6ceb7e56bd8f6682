"""A fake server on loopback for batches, as OpenAI, Mistral and Anthropic document them.

The server's `answer` answers each request of a batch like a chat completion. These attributes make
faults:

- `polls_before_end`: how many status requests find the batch in progress before it ends.
- `outcome`: how a batch ends: "" for success, "expired", "failed" or "cancelled".
- `change_results`: changes the lines of results.
- `intercept`: returns a reply that is sent without doing what the request asks, or None.
- `change_reply`: returns the reply that is sent after the request was done.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.support.judge_server import (
    Answer,
    JudgeServer,
    Reply,
    Request,
    make_error,
    make_good_reply,
)

Lines = list[bytes]
CREATED = 1_800_000_000
CREATED_TEXT = "2027-01-15T08:00:00.100435Z"
CHAT = "/v1/chat/completions"
HOLD = Reply(way="hang")


@dataclass
class Batch:
    """A batch that the server accepted.

    Attributes:
        api: the class of the API that it was created with.
        body: the request that created it.
        key: the key of that request.
        lines: the requests of the batch, one for each row.
        polls: how many status requests arrived.
        outcome: how it ended.
    """

    api: Any
    body: Any
    key: str | None
    lines: list[Any]
    polls: int = 0
    outcome: str = ""


class BatchServer(JudgeServer):
    """The server, which runs in its own thread while the `with` block runs."""

    def __init__(
        self,
        answer: Answer = make_good_reply,
        polls_before_end: int = 0,
        port: int = 0,
    ) -> None:
        super().__init__(answer, port)
        self.polls_before_end = polls_before_end
        self.outcome = ""
        self.files = dict[str, bytes]()
        self.batches = dict[str, Batch]()
        # The results of the batches that have ended.
        self.results = dict[str, Lines]()
        self.change_results: Callable[[Lines], Lines] = list
        self.intercept: Callable[[Request], Reply | None] = lambda request: None
        self.change_reply: Callable[[Request, Reply], Reply] = lambda request, reply: reply

    def __enter__(self) -> "BatchServer":
        super().__enter__()
        return self

    @property
    def paid_requests(self) -> list[str]:
        """The `custom_id` of each request of all accepted batches: requests that cost money."""
        requests = []
        for batch in self.batches.values():
            requests += [line["custom_id"] for line in batch.lines]
        return requests

    def reply(self, request: Request) -> Reply:
        """Record a request and return the reply to it."""
        self.requests.append(request)
        reply = self.intercept(request)
        return reply or self.change_reply(request, self.execute(request))

    def execute(self, request: Request) -> Reply:
        """Do what a request asks for and return the reply."""
        path = request.path.removeprefix("/v1").partition("?")[0]
        is_get = request.method == "GET"
        if path == "/files" and not is_get:
            return self.upload(request)
        file = re.fullmatch(r"/files/([\w-]+)/content", path)
        if is_get and file:
            return self.download(file[1])
        for api in (OpenAI, Mistral, Anthropic):
            if path == api.path:
                return self.list_batches(api) if is_get else self.create_batch(api, request)
            batch = re.fullmatch(rf"{api.path}/([\w-]+)(/results)?", path)
            if is_get and batch:
                number, results = batch.groups()
                return self.send_results(number) if results else self.poll_batch(number)
        return make_error(404, f"Unknown request URL: {request.method} {request.path}")

    def upload(self, request: Request) -> Reply:
        """Store the uploaded file of a form."""
        form = parse_form(request)
        assert form["purpose"] == b"batch"
        number = f"file-{len(self.files)}"
        self.files[number] = form["file"]
        return Reply(
            {
                "id": number,
                "object": "file",
                "bytes": len(form["file"]),
                "purpose": "batch",
                "created_at": CREATED,
                "filename": "batch.jsonl",
            }
        )

    def download(self, number: str) -> Reply:
        """Return the content of a file."""
        if number not in self.files:
            return make_error(404, "No such File object")
        return Reply(self.files[number])

    def create_batch(self, api: Any, request: Request) -> Reply:
        """Create a batch."""
        number = f"{api.name}_{len(self.batches)}"
        lines = api.read_requests(self, request.body)
        self.batches[number] = Batch(api, request.body, request.key, lines)
        return Reply(api.show_batch(self, number))

    def list_batches(self, api: Any) -> Reply:
        """Return all batches, the newest first."""
        shown = []
        for number, batch in reversed(self.batches.items()):
            if batch.api is api:
                shown.append(api.show_batch(self, number))
        return Reply({"object": "list", "data": shown, "has_more": False})

    def poll_batch(self, number: str) -> Reply:
        """Return the status of a batch.

        The batch ends when its status has been asked for more than `polls_before_end` times.
        """
        if number not in self.batches:
            return make_error(404, f"No batch found with id '{number}'.")
        batch = self.batches[number]
        batch.polls += 1
        if batch.polls > self.polls_before_end and not self.has_ended(number):
            self.end_batch(number)
        return Reply(batch.api.show_batch(self, number))

    def send_results(self, number: str) -> Reply:
        """Return the results of a batch."""
        if number not in self.batches:
            return make_error(404, f"No batch found with id '{number}'.")
        content = b"\n".join(self.results[number]) + b"\n"
        return Reply(content, headers={"content-type": "application/x-jsonl"})

    def end_batch(self, number: str) -> None:
        """Answer the requests of a batch, and write its files of results and of errors."""
        batch = self.batches[number]
        batch.outcome = self.outcome
        results = []
        for line in batch.lines:
            result = self.make_result_line(batch.api, line)
            results.append(json.dumps(result).encode())
        self.results[number] = self.change_results(results)
        for name, has_errors in (("out", False), ("err", True)):
            lines = [line for line in self.results[number] if is_failed(line) == has_errors]
            if lines:
                self.files[f"{number}-{name}"] = b"\n".join(lines) + b"\n"

    def make_result_line(self, api: Any, line: dict[str, Any]) -> Any:
        """Answer one request of a batch and return its line of the results."""
        request = Request("POST", CHAT, {}, api.read_completion(line))
        assert not isinstance(self.answer, list | tuple)
        reply = self.answer if isinstance(self.answer, Reply) else self.answer(request, 0)  # type: ignore[operator]
        return api.make_result(line["custom_id"], reply)

    def has_ended(self, number: str) -> bool:
        """Return whether a batch has ended."""
        return number in self.results


def parse_form(request: Request) -> dict[str, bytes]:
    """Return the fields of an uploaded form by their names."""
    boundary = re.search("boundary=(.*)", request.headers["content-type"])
    assert boundary
    form = {}
    for field in request.content.split(b"--" + boundary[1].strip('"').encode()):
        head, separator, content = field.partition(b"\r\n\r\n")
        name = re.search(rb'name="(\w+)"', head)
        if separator and name:
            form[name[1].decode()] = content.removesuffix(b"\r\n")
    return form


def is_failed(line: bytes) -> bool:
    """Return whether a line of results belongs in the file of errors."""
    try:
        result = json.loads(line)
    except ValueError:
        return False
    if not isinstance(result, dict):
        return False
    response = result.get("response") or {}
    return bool(result.get("error")) or response.get("status_code", 200) >= 400


class OpenAI:
    """OpenAI's batches: https://platform.openai.com/docs/api-reference/batch."""

    path = "/batches"
    name = "batch"

    @classmethod
    def read_requests(cls, server: BatchServer, body: Any) -> list[Any]:
        """Return the requests of a new batch."""
        assert body["endpoint"] == CHAT
        assert body["completion_window"] == "24h"
        lines = [json.loads(line) for line in server.files[body["input_file_id"]].splitlines()]
        assert {(line["method"], line["url"]) for line in lines} <= {("POST", CHAT)}
        return lines

    @classmethod
    def read_completion(cls, line: Any) -> Any:
        """Return the chat completion that a line asks for."""
        return line["body"]

    @classmethod
    def make_result(cls, name: str, reply: Reply) -> Any:
        """Return a line of results."""
        return {
            "id": f"batch_req_{name[:8]}",
            "custom_id": name,
            "response": {"status_code": reply.status, "request_id": "req_1", "body": reply.body},
            "error": None,
        }

    @classmethod
    def show_batch(cls, server: BatchServer, number: str) -> dict[str, Any]:
        """Return a batch as it is shown."""
        batch = server.batches[number]
        status = "in_progress"
        if server.has_ended(number):
            status = batch.outcome or "completed"
        is_failed = status == "failed"
        enqueued = {"code": "token_limit_exceeded", "message": "Enqueued token limit reached"}
        return {
            "id": number,
            "object": "batch",
            "endpoint": CHAT,
            "status": status,
            "errors": {"object": "list", "data": [enqueued]} if is_failed else None,
            "input_file_id": batch.body["input_file_id"],
            "completion_window": "24h",
            "created_at": CREATED,
            "metadata": batch.body.get("metadata"),
            "output_file_id": find_file(server, f"{number}-out", is_failed),
            "error_file_id": find_file(server, f"{number}-err", is_failed),
        }


def find_file(server: BatchServer, name: str, is_failed: bool) -> str | None:
    """Return the name of a file of a batch; None if it does not exist, or the batch failed."""
    return name if name in server.files and not is_failed else None


class Mistral(OpenAI):
    """Mistral's batches: https://docs.mistral.ai/api/#tag/batch."""

    path = "/batch/jobs"
    name = "job"
    # Mistral's status for each outcome.
    STATUSES = {
        "": "SUCCESS",
        "expired": "TIMEOUT_EXCEEDED",
        "failed": "FAILED",
        "cancelled": "CANCELLED",
    }

    @classmethod
    def read_requests(cls, server: BatchServer, body: Any) -> list[Any]:
        """Return the requests of a new batch."""
        assert body["endpoint"] == CHAT
        assert body["timeout_hours"] == 24
        assert body["model"] == "judge-1"
        requests = []
        for line in map(json.loads, server.files[body["input_files"][0]].splitlines()):
            assert line.keys() == {"custom_id", "body"}
            assert "model" not in line["body"]
            requests.append(line | {"body": line["body"] | {"model": body["model"]}})
        return requests

    @classmethod
    def show_batch(cls, server: BatchServer, number: str) -> dict[str, Any]:
        """Return a batch as it is shown."""
        batch = server.batches[number]
        status = "RUNNING"
        if server.has_ended(number):
            status = cls.STATUSES[batch.outcome]
        is_failed = status == "FAILED"
        return {
            "id": number,
            "object": "batch",
            "status": status,
            "input_files": batch.body["input_files"],
            "errors": [{"message": "Enqueued token limit", "count": 1}] if is_failed else [],
            "metadata": batch.body.get("metadata"),
            "created_at": CREATED,
            "output_file": find_file(server, f"{number}-out", is_failed),
            "error_file": find_file(server, f"{number}-err", is_failed),
        }


class Anthropic:
    """Anthropic's: https://platform.claude.com/docs/en/api/creating-message-batches."""

    path = "/messages/batches"
    name = "msgbatch"
    ERRORS = {400: "invalid_request_error", 401: "authentication_error", 529: "overloaded_error"}
    STOP_REASONS = {"stop": "end_turn", "length": "max_tokens"}

    @classmethod
    def read_requests(cls, server: BatchServer, body: Any) -> list[Any]:
        """Return the requests of a new batch."""
        names = [line["custom_id"] for line in body["requests"]]
        assert all(re.fullmatch("[a-zA-Z0-9_-]{1,64}", name) for name in names)
        assert len({*names}) == len(names)
        for line in body["requests"]:
            assert {"model", "max_tokens", "messages"} <= line["params"].keys()
        return list(body["requests"])

    @classmethod
    def read_completion(cls, line: Any) -> Any:
        """Return the chat completion that a line asks for."""
        return line["params"]

    @classmethod
    def make_result(cls, name: str, reply: Reply) -> Any:
        """Return a line of results."""
        if reply.status != 200:
            message = reply.body["error"]["message"]
            error = {
                "type": "error",
                "error": {"type": cls.ERRORS[reply.status], "message": message},
            }
            return {"custom_id": name, "result": {"type": "errored", "error": error}}
        choice = reply.body["choices"][0]
        usage = reply.body["usage"]
        finish_reason = choice["finish_reason"]
        message = {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": reply.body["model"],
            "content": [{"type": "text", "text": choice["message"]["content"]}],
            "stop_reason": cls.STOP_REASONS.get(finish_reason, finish_reason),
            "stop_sequence": None,
            "usage": {
                "input_tokens": usage["prompt_tokens"],
                "output_tokens": usage["completion_tokens"],
            },
        }
        return {"custom_id": name, "result": {"type": "succeeded", "message": message}}

    @classmethod
    def show_batch(cls, server: BatchServer, number: str) -> dict[str, Any]:
        """Return a batch as it is shown."""
        has_ended = server.has_ended(number)
        states = ("canceled", "errored", "expired", "processing", "succeeded")
        counts = dict.fromkeys(states, 0)
        counts["succeeded" if has_ended else "processing"] = len(server.batches[number].lines)
        results = f"{server.url}/messages/batches/{number}/results"
        return {
            "id": number,
            "type": "message_batch",
            "processing_status": "ended" if has_ended else "in_progress",
            "request_counts": counts,
            "created_at": CREATED_TEXT,
            "expires_at": CREATED_TEXT,
            "results_url": results if has_ended else None,
        }
