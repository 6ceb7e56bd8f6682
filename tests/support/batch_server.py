"""A fake server on loopback for batches, as OpenAI, Mistral and Anthropic document them.

The server's `answer` answers each request of a batch like a chat completion. These attributes make
faults:

- `looks`: how many status requests find the batch in progress before it ends.
- `outcome`: how a batch ends: "" for success, "expired", "failed" or "cancelled".
- `spoil`: changes the lines of results.
- `before`: returns a reply that is sent without doing what the request asks, or None.
- `after`: returns the reply that is sent after the request was done.
"""

import json
import re
from collections.abc import Callable
from typing import Any

from tests.support.judge_server import Answer, JudgeServer, Reply, Request, error, fitting

Lines = list[bytes]
CREATED = 1_800_000_000
CREATED_TEXT = "2027-01-15T08:00:00.100435Z"
HOLD = Reply(way="hang")


class BatchServer(JudgeServer):
    """The server, which runs in its own thread while the `with` block runs."""

    def __init__(self, answer: Answer = fitting, looks: int = 0, port: int = 0) -> None:
        super().__init__(answer, port)
        self.looks = looks
        self.outcome = ""
        self.files = dict[str, bytes]()
        self.jobs = dict[str, dict[str, Any]]()
        self.results = dict[str, Lines]()
        self.spoil: Callable[[Lines], Lines] = list
        self.before: Callable[[Request], Reply | None] = lambda request: None
        self.after: Callable[[Request, Reply], Reply] = lambda request, reply: reply

    def __enter__(self) -> "BatchServer":
        super().__enter__()
        return self

    @property
    def paid(self) -> list[str]:
        """The `custom_id` of each request of all accepted batches: requests that cost money."""
        return [line["custom_id"] for job in self.jobs.values() for line in job["lines"]]

    def reply(self, request: Request) -> Reply:
        """Record a request and return the reply to it."""
        self.requests.append(request)
        return self.before(request) or self.after(request, self.execute(request))

    def execute(self, request: Request) -> Reply:
        """Do what a request asks for and return the reply."""
        path = request.path.removeprefix("/v1").partition("?")[0]
        get = request.method == "GET"
        if path == "/files" and not get:
            return self.upload(request)
        if get and (found := re.fullmatch(r"/files/([\w-]+)/content", path)):
            content = self.files.get(found[1])
            return Reply(content) if content is not None else error(404, "No such File object")
        for jobs, kind in (
            ("/batches", OpenAI),
            ("/batch/jobs", Mistral),
            ("/messages/batches", Anthropic),
        ):
            if path == jobs:
                return self.list_batches(kind) if get else self.create(kind, request)
            if get and (found := re.fullmatch(rf"{jobs}/([\w-]+)(/results)?", path)):
                return self.look(kind, found[1], bool(found[2]))
        return error(404, f"Unknown request URL: {request.method} {request.path}")

    def upload(self, request: Request) -> Reply:
        """Store the uploaded file of a form."""
        boundary = re.search("boundary=(.*)", request.headers["content-type"])
        assert boundary
        parts = request.content.split(b"--" + boundary[1].strip('"').encode())
        fields = [part.partition(b"\r\n\r\n") for part in parts if b"\r\n\r\n" in part]
        named = {re.search(rb'name="(\w+)"', head)[1]: body[:-2] for head, _, body in fields}  # type: ignore[index]
        assert named[b"purpose"] == b"batch"
        number = f"file-{len(self.files)}"
        self.files[number] = named[b"file"]
        description = {
            "id": number,
            "object": "file",
            "bytes": len(named[b"file"]),
            "purpose": "batch",
        }
        return Reply({**description, "created_at": CREATED, "filename": "batch.jsonl"})

    def create(self, kind: Any, request: Request) -> Reply:
        """Create a batch."""
        number = f"{kind.name}_{len(self.jobs)}"
        lines = kind.lines(self, request.body)
        self.jobs[number] = {
            "kind": kind,
            "asked": request.body,
            "lines": lines,
            "looks": 0,
            "key": request.key,
        }
        return Reply(kind.show_batch(self, number))

    def list_batches(self, kind: Any) -> Reply:
        """Return all batches, the newest first."""
        numbers = [number for number, job in self.jobs.items() if job["kind"] is kind]
        return Reply(
            {
                "object": "list",
                "data": [kind.show_batch(self, number) for number in reversed(numbers)],
                "has_more": False,
            }
        )

    def look(self, kind: Any, number: str, results: bool) -> Reply:
        """Return the status of a batch, or its results.

        The batch ends when its status has been asked for more than `looks` times.
        """
        if number not in self.jobs:
            return error(404, f"No batch found with id '{number}'.")
        job = self.jobs[number]
        if results:
            return Reply(
                b"\n".join(self.results[number]) + b"\n",
                headers={"content-type": "application/x-jsonl"},
            )
        job["looks"] += 1
        if job["looks"] > self.looks and number not in self.results:
            job["end"] = self.outcome
            self.results[number] = self.spoil(
                [json.dumps(self.make_result_line(kind, line)).encode() for line in job["lines"]]
            )
            for name, of_errors in (("out", False), ("err", True)):
                lines = [line for line in self.results[number] if is_failed(line) == of_errors]
                if lines:
                    self.files[f"{number}-{name}"] = b"\n".join(lines) + b"\n"
        return Reply(kind.show_batch(self, number))

    def make_result_line(self, kind: Any, line: dict[str, Any]) -> Any:
        """Answer one request of a batch and return its line of the results."""
        body = kind.body(line)
        request = Request("POST", "/v1/chat/completions", {}, body)
        assert not isinstance(self.answer, list | tuple)
        reply = self.answer if isinstance(self.answer, Reply) else self.answer(request, 0)  # type: ignore[operator]
        return kind.make_result(line["custom_id"], reply)

    def has_ended(self, number: str) -> bool:
        """Return whether a batch has ended."""
        return number in self.results


def is_failed(line: bytes) -> bool:
    """Return whether a line of results belongs in the file of errors."""
    try:
        result = json.loads(line)
    except ValueError:
        return False
    if not isinstance(result, dict):
        return False
    return (
        bool(result.get("error")) or (result.get("response") or {}).get("status_code", 200) >= 400
    )


class OpenAI:
    """OpenAI's batches: https://platform.openai.com/docs/api-reference/batch."""

    name, file, done = "batch", "input_file_id", "completed"

    @classmethod
    def lines(cls, server: BatchServer, asked: Any) -> list[Any]:
        """Return the requests of a batch."""
        assert asked["endpoint"] == "/v1/chat/completions"
        assert asked["completion_window"] == "24h"
        lines = [json.loads(line) for line in server.files[asked["input_file_id"]].splitlines()]
        assert all(
            (line["method"], line["url"]) == ("POST", "/v1/chat/completions") for line in lines
        )
        return lines

    @classmethod
    def body(cls, asked: Any) -> Any:
        """Return the chat completion that a line asks for."""
        return asked["body"]

    @classmethod
    def make_result(cls, name: str, reply: Reply) -> Any:
        """Return a line of results."""
        said = {"status_code": reply.status, "request_id": "req_1", "body": reply.body}
        return {
            "id": f"batch_req_{name[:8]}",
            "custom_id": name,
            "response": said,
            "error": None,
        }

    @classmethod
    def show_batch(cls, server: BatchServer, number: str) -> dict[str, Any]:
        """Return a batch as it is shown."""
        job = server.jobs[number]
        ended = server.has_ended(number)
        status = (job["end"] or cls.done) if ended else "in_progress"
        failed = status == "failed"
        errors = {
            "object": "list",
            "data": [{"code": "token_limit_exceeded", "message": "Enqueued token limit reached"}],
        }
        shown = {
            "id": number,
            "object": "batch",
            "endpoint": "/v1/chat/completions",
            "status": status,
        }
        shown |= {
            "errors": errors if failed else None,
            "input_file_id": job["asked"]["input_file_id"],
        }
        shown |= {
            "completion_window": "24h",
            "created_at": CREATED,
            "metadata": job["asked"].get("metadata"),
        }
        files = {"output_file_id": f"{number}-out", "error_file_id": f"{number}-err"}
        return shown | {
            name: one if one in server.files and not failed else None for name, one in files.items()
        }


class Mistral(OpenAI):
    """Mistral's batches: https://docs.mistral.ai/api/#tag/batch."""

    name, done = "job", "SUCCESS"

    @classmethod
    def lines(cls, server: BatchServer, asked: Any) -> list[Any]:
        """Return the requests of a batch."""
        assert asked["endpoint"] == "/v1/chat/completions"
        assert asked["timeout_hours"] == 24
        assert asked["model"] == "judge-1"
        lines = [json.loads(line) for line in server.files[asked["input_files"][0]].splitlines()]
        assert all(
            line.keys() == {"custom_id", "body"} and "model" not in line["body"] for line in lines
        )
        return [line | {"body": line["body"] | {"model": asked["model"]}} for line in lines]

    @classmethod
    def show_batch(cls, server: BatchServer, number: str) -> dict[str, Any]:
        """Return a batch as it is shown."""
        job = server.jobs[number]
        ended = server.has_ended(number)
        names = {
            "": "SUCCESS",
            "expired": "TIMEOUT_EXCEEDED",
            "failed": "FAILED",
            "cancelled": "CANCELLED",
        }
        status = names[job["end"]] if ended else "RUNNING"
        shown = {
            "id": number,
            "object": "batch",
            "status": status,
            "input_files": job["asked"]["input_files"],
        }
        shown |= {
            "errors": [{"message": "Enqueued token limit", "count": 1}]
            if status == "FAILED"
            else []
        }
        shown |= {"metadata": job["asked"].get("metadata"), "created_at": CREATED}
        files = {"output_file": f"{number}-out", "error_file": f"{number}-err"}
        return shown | {
            name: one if one in server.files and status != "FAILED" else None
            for name, one in files.items()
        }


class Anthropic:
    """Anthropic's: https://platform.claude.com/docs/en/api/creating-message-batches."""

    name = "msgbatch"

    @classmethod
    def lines(cls, server: BatchServer, asked: Any) -> list[Any]:
        """Return the requests of a batch."""
        names = [one["custom_id"] for one in asked["requests"]]
        assert all(re.fullmatch("[a-zA-Z0-9_-]{1,64}", name) for name in names)
        assert len({*names}) == len(names)
        assert all(
            {"model", "max_tokens", "messages"} <= one["params"].keys() for one in asked["requests"]
        )
        return list(asked["requests"])

    @classmethod
    def body(cls, asked: Any) -> Any:
        """Return the chat completion that a line asks for."""
        return asked["params"]

    @classmethod
    def make_result(cls, name: str, reply: Reply) -> Any:
        """Return a line of results."""
        if reply.status != 200:
            kind = {
                400: "invalid_request_error",
                401: "authentication_error",
                529: "overloaded_error",
            }[reply.status]
            said = {
                "type": "error",
                "error": {"type": kind, "message": reply.body["error"]["message"]},
            }
            return {"custom_id": name, "result": {"type": "errored", "error": said}}
        choice = reply.body["choices"][0]
        usage = reply.body["usage"]
        ends = {"stop": "end_turn", "length": "max_tokens"}
        message = {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": reply.body["model"],
        }
        message |= {"content": [{"type": "text", "text": choice["message"]["content"]}]}
        message |= {
            "stop_reason": ends.get(choice["finish_reason"], choice["finish_reason"]),
            "stop_sequence": None,
        }
        message |= {
            "usage": {
                "input_tokens": usage["prompt_tokens"],
                "output_tokens": usage["completion_tokens"],
            }
        }
        return {"custom_id": name, "result": {"type": "succeeded", "message": message}}

    @classmethod
    def show_batch(cls, server: BatchServer, number: str) -> dict[str, Any]:
        """Return a batch as it is shown."""
        job = server.jobs[number]
        ended = server.has_ended(number)
        counts = dict.fromkeys(("canceled", "errored", "expired", "processing", "succeeded"), 0)
        counts["succeeded" if ended else "processing"] = len(job["lines"])
        shown: dict[str, Any] = {"id": number, "type": "message_batch"}
        shown |= {"processing_status": "ended" if ended else "in_progress"}
        shown |= {"request_counts": counts, "created_at": CREATED_TEXT, "expires_at": CREATED_TEXT}
        return shown | {
            "results_url": f"{server.url}/messages/batches/{number}/results" if ended else None
        }
