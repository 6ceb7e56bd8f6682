# A copy of metrics/shared/judge_services.py: change that one, then run `make copies`.
"""The batches of OpenAI, Anthropic and Mistral, by their documented HTTP APIs.

What is sent, and what results say.
"""

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .judge_connection import BatchRequests
from .judge_replies import (
    Outcome,
    Reply,
    look_up,
    make_failure,
    format_plain_line,
    read_response,
)

ENDPOINT = "/v1/chat/completions"
# Seconds by which the clocks of two machines may differ.
CLOCK_SLACK = 600
END_STATUSES = {
    "completed",
    "failed",
    "expired",
    "cancelled",
    "success",
    "timeout_exceeded",
    "ended",
}
# Statuses for the types of errors in Anthropic's results.
ERROR_STATUSES = {
    "authentication_error": 401,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "api_error": 500,
    "overloaded_error": 529,
}
# Most tokens of a reply where nothing was said: Anthropic needs a number.
MAX_TOKENS = 4096

# The names of the files of results, at OpenAI and at Mistral.
FILE_NAMES = ("output_file_id", "error_file_id", "output_file", "error_file")

# What is sent and what comes back, as JSON.
Body = dict[str, Any]
Json = Mapping[str, Any]


@dataclass
class Batch:
    """What was written down of a batch.

    Args:
        name: its name in the cache, which goes with it where the provider keeps one.
        keys: the keys of its calls.
        output: the form of output that its requests ask for.
        began: when it was written down.
        id: its number at the provider; None until it is known.
        may_exist: whether it may have been submitted: by an earlier run, or without an answer.
        foreign_ids: batches of others that were taken for this one.
    """

    name: str
    keys: list[str]
    output: str
    began: float
    id: str | None = None
    may_exist: bool = True
    foreign_ids: set[str] = field(default_factory=set)


@dataclass
class BatchState:
    """The progress of a batch.

    Whether it has ended, in the provider's words, and the paths of its results.
    """

    is_done: bool
    words: str
    results: list[str]


class FileBatches:
    """Batches that begin and end as files: OpenAI's, and Mistral's, which are near to them.

    Args:
        jobs: the path of the batches.
        limit_name: the parameter that says how many of them are listed.
    """

    def __init__(self, jobs: str, limit_name: str) -> None:
        self.jobs = jobs
        self.limit_name = limit_name

    def make_headers(self, key: str) -> dict[str, str]:
        """Return the headers that say who asks."""
        return {"Authorization": f"Bearer {key}"} if key else {}

    def make_line(self, key: str, body: Body) -> Body:
        """Return a request in a batch."""
        return {
            "custom_id": key,
            "method": "POST",
            "url": ENDPOINT,
            "body": body,
        }

    def submit_batch(
        self,
        http: BatchRequests,
        batch: Batch,
        lines: Sequence[Any],
        model: str,
    ) -> str:
        """Submit a batch and return its number."""
        data = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
        file = http.upload_file("batch.jsonl", data, {"purpose": "batch"})
        job = self.make_job(str(look_up(file, "id")), model)
        job["metadata"] = {"name": batch.name}
        return str(look_up(http.post_json(self.jobs, job), "id"))

    def make_job(self, file: str, model: str) -> Body:
        """Return what is submitted."""
        return {"input_file_id": file, "endpoint": ENDPOINT, "completion_window": "24h"}

    def find_batch(self, http: BatchRequests, batch: Batch) -> str | None:
        """Return the number of a batch that was submitted under this name, if there is one."""
        for job in self.list_jobs(http):
            if look_up(job, "metadata", "name") == batch.name:
                return str(job["id"])
        return None

    def list_jobs(self, http: BatchRequests) -> list[Any]:
        """Return the latest batches of whoever asks."""
        return look_up(http.get_json(f"{self.jobs}?{self.limit_name}=100"), "data") or []

    def get_state(self, http: BatchRequests, number: str) -> BatchState:
        """Return how far a batch is."""
        job = http.get_json(f"{self.jobs}/{number}")
        status = str(look_up(job, "status")).lower()
        paths = []
        for name in FILE_NAMES:
            file = look_up(job, name)
            if file:
                paths.append(f"/files/{file}/content")
        errors = look_up(job, "errors", "data") or look_up(job, "errors")
        words = status
        if errors:
            words = f"{status} {json.dumps(errors, ensure_ascii=False)}"
        return BatchState(status in END_STATUSES, format_plain_line(words).strip(), paths)

    def read_line(self, line: Json) -> tuple[Reply, Outcome]:
        """Return the reply in a line of results, or an empty one and the failure."""
        response = look_up(line, "response")
        status = look_up(response, "status_code")
        if isinstance(status, int):
            return read_response(status, json.dumps(look_up(response, "body")))
        code = look_up(line, "error", "code") or "error_in_reply"
        message = look_up(line, "error", "message") or look_up(line, "error")
        return {}, make_failure(str(code), format_plain_line(str(message)))


class Mistral(FileBatches):
    """Mistral's: the model is the batch's, not the request's."""

    def make_line(self, key: str, body: Body) -> Body:
        """Return a request in a batch."""
        return {
            "custom_id": key,
            "body": {name: value for name, value in body.items() if name != "model"},
        }

    def make_job(self, file: str, model: str) -> Body:
        """Return what is submitted."""
        return {
            "input_files": [file],
            "model": model,
            "endpoint": ENDPOINT,
            "timeout_hours": 24,
        }


class Anthropic(FileBatches):
    """Anthropic's: requests in its own form, in one request.

    Results at an address, replies in its own form.
    """

    def make_headers(self, key: str) -> dict[str, str]:
        """Return the headers that say who asks."""
        return {"x-api-key": key, "anthropic-version": "2023-06-01"}

    def make_line(self, key: str, body: Body) -> Body:
        """Return a request in a batch."""
        return {"custom_id": key, "params": {"max_tokens": MAX_TOKENS, **body}}

    def submit_batch(
        self,
        http: BatchRequests,
        batch: Batch,
        lines: Sequence[Any],
        model: str,
    ) -> str:
        """Submit a batch and return its number."""
        return str(look_up(http.post_json(self.jobs, {"requests": lines}), "id"))

    def find_batch(self, http: BatchRequests, batch: Batch) -> str | None:
        """Return the number of a batch that may be this one, if there is one.

        Anthropic keeps no name: a batch that is as large, and no older, may be this one; its
        results tell.
        """
        began = time.gmtime(batch.began - CLOCK_SLACK)
        earliest = time.strftime("%Y-%m-%dT%H:%M:%S", began)
        for job in self.list_jobs(http):
            counts = look_up(job, "request_counts") or {}
            size = sum(count for count in counts.values() if isinstance(count, int))
            is_old = str(look_up(job, "created_at"))[:19] < earliest
            is_foreign = job["id"] in batch.foreign_ids
            if size == len(batch.keys) and not is_foreign and not is_old:
                return str(job["id"])
        return None

    def get_state(self, http: BatchRequests, number: str) -> BatchState:
        """Return how far a batch is."""
        job = http.get_json(f"{self.jobs}/{number}")
        status, url = (
            str(look_up(job, "processing_status")),
            look_up(job, "results_url"),
        )
        # The key goes to no other server.
        path = url if http.is_own_address(url) else f"{self.jobs}/{number}/results"
        return BatchState(status in END_STATUSES, status, [path])

    def read_line(self, line: Json) -> tuple[Reply, Outcome]:
        """Return the reply in a line of results, or an empty one and the failure."""
        result = look_up(line, "result")
        kind, message, error = (
            look_up(result, "type"),
            look_up(result, "message"),
            look_up(result, "error"),
        )
        if kind == "succeeded" and isinstance(message, Mapping):
            return read_response(200, json.dumps(convert_message(message)))
        if kind == "errored":
            status = ERROR_STATUSES.get(str(look_up(error, "error", "type")), 400)
            return read_response(status, json.dumps(error))
        reason = f"batch_{format_plain_line(str(kind), 40)}"
        return {}, make_failure(reason, f"the request was {kind} before it was answered")


def convert_message(message: Json) -> Body:
    """Return a message of Anthropic's as a chat completion."""
    parts = look_up(message, "content") or []
    texts = []
    for part in parts:
        if look_up(part, "type") == "text":
            texts.append(str(look_up(part, "text")))
    read, written = (
        look_up(message, "usage", "input_tokens"),
        look_up(message, "usage", "output_tokens"),
    )
    usage = {
        "prompt_tokens": read,
        "completion_tokens": written,
        "total_tokens": (read or 0) + (written or 0),
    }
    content = "".join(texts) if texts else None
    choice = {
        "message": {"content": content},
        "finish_reason": look_up(message, "stop_reason"),
    }
    return {"model": look_up(message, "model"), "choices": [choice], "usage": usage}


SERVICES = {
    "openai": FileBatches("/batches", "limit"),
    "mistral": Mistral("/batch/jobs", "page_size"),
    "anthropic": Anthropic("/messages/batches", "limit"),
}
