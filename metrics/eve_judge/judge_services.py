# A copy of metrics/shared/judge_services.py: change that one, then run `make copies`.
"""The batch APIs of OpenAI, Anthropic and Mistral, by their documentation.

Each class makes the requests and reads the results of one provider. A batch is a list of calls to a
judge. A line is the JSON of a call in it, or of the result of that call. A job is the JSON with
which a provider describes a batch.
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
# Seconds by which the clocks of this machine and of the provider may differ.
CLOCK_SLACK = 600
# The statuses of a batch that has ended, of all three providers.
END_STATUSES = {
    "completed",
    "failed",
    "expired",
    "cancelled",
    "success",
    "timeout_exceeded",
    "ended",
}
# The HTTP statuses of the error types in Anthropic's results; that of any other type is 400.
ERROR_STATUSES = {
    "authentication_error": 401,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "api_error": 500,
    "overloaded_error": 529,
}
# Anthropic needs a limit for the tokens of a reply: this is sent if none was set.
MAX_TOKENS = 4096

# The keys of a job with the ids of the files of results: the first two are OpenAI's, the last two
# Mistral's.
FILE_NAMES = ("output_file_id", "error_file_id", "output_file", "error_file")

# The JSON of a request or of a part of it, and that of a response.
Body = dict[str, Any]
Json = Mapping[str, Any]


@dataclass
class Batch:
    """The record of a batch in the cache.

    Args:
        name: its name in the cache, which the provider also gets if it stores names.
        keys: the keys of its calls in the cache.
        output: the form of output that its calls ask for.
        recorded_at: when it was recorded, in seconds since the epoch.
        id: its id at the provider; None until it is known.
        may_exist: whether the provider may have it already: another run may have submitted it, or
            this run did so without a response.
        foreign_ids: the ids of other programs' batches that were taken for this one.
    """

    name: str
    keys: list[str]
    output: str
    recorded_at: float
    id: str | None = None
    may_exist: bool = True
    foreign_ids: set[str] = field(default_factory=set)


@dataclass
class BatchState:
    """The state of a batch.

    Args:
        is_done: whether it has ended.
        status: its status, in the provider's words.
        result_paths: the paths of its results on the server.
    """

    is_done: bool
    status: str
    result_paths: list[str]


class BatchApi:
    """The paths of a batch API, and its list of batches.

    Args:
        jobs_path: the path of the batches on the server.
        limit_name: the parameter for the number of batches in a list.
    """

    def __init__(self, jobs_path: str, limit_name: str) -> None:
        self.jobs_path = jobs_path
        self.limit_name = limit_name

    def list_jobs(self, http: BatchRequests) -> list[Any]:
        """Return the latest 100 batches of the account."""
        page = http.get_json(f"{self.jobs_path}?{self.limit_name}=100")
        return look_up(page, "data") or []


class FileBatches(BatchApi):
    """Batches whose lines and results are files: those of OpenAI, and Mistral's similar ones."""

    def make_headers(self, api_key: str) -> dict[str, str]:
        """Return the headers with the API key."""
        return {"Authorization": f"Bearer {api_key}"} if api_key else {}

    def make_line(self, call_key: str, body: Body) -> Body:
        """Return the line of a call."""
        return {
            "custom_id": call_key,
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
        """Submit a batch and return its id."""
        data = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
        file = http.upload_file("batch.jsonl", data, {"purpose": "batch"})
        request = self.make_job_request(str(look_up(file, "id")), model)
        request["metadata"] = {"name": batch.name}
        job = http.post_json(self.jobs_path, request)
        return str(look_up(job, "id"))

    def make_job_request(self, file_id: str, model: str) -> Body:
        """Return the request that creates a batch from an uploaded file."""
        return {"input_file_id": file_id, "endpoint": ENDPOINT, "completion_window": "24h"}

    def find_batch(self, http: BatchRequests, batch: Batch) -> str | None:
        """Return the id of the batch that was submitted under a record's name, or None."""
        for job in self.list_jobs(http):
            if look_up(job, "metadata", "name") == batch.name:
                return str(job["id"])
        return None

    def get_state(self, http: BatchRequests, batch_id: str) -> BatchState:
        """Return the state of a batch."""
        job = http.get_json(f"{self.jobs_path}/{batch_id}")
        status = str(look_up(job, "status")).lower()
        paths = []
        for name in FILE_NAMES:
            file = look_up(job, name)
            if file:
                paths.append(f"/files/{file}/content")
        is_done = status in END_STATUSES
        errors = look_up(job, "errors", "data") or look_up(job, "errors")
        if errors:
            status = f"{status} {json.dumps(errors, ensure_ascii=False)}"
        return BatchState(is_done, format_plain_line(status).strip(), paths)

    def read_line(self, line: Json) -> tuple[Reply, Outcome]:
        """Return the reply in the line of a result, or an empty reply and the failure."""
        response = look_up(line, "response")
        status = look_up(response, "status_code")
        if isinstance(status, int):
            return read_response(status, json.dumps(look_up(response, "body")))
        code = look_up(line, "error", "code") or "error_in_reply"
        message = look_up(line, "error", "message") or look_up(line, "error")
        return {}, make_failure(str(code), format_plain_line(str(message)))


class Mistral(FileBatches):
    """Mistral's batches: the model is set for the whole batch, not in each line."""

    def make_line(self, call_key: str, body: Body) -> Body:
        """Return the line of a call."""
        return {
            "custom_id": call_key,
            "body": {name: value for name, value in body.items() if name != "model"},
        }

    def make_job_request(self, file_id: str, model: str) -> Body:
        """Return the request that creates a batch from an uploaded file."""
        return {
            "input_files": [file_id],
            "model": model,
            "endpoint": ENDPOINT,
            "timeout_hours": 24,
        }


class Anthropic(BatchApi):
    """Anthropic's batches: one request holds all lines, and the job has the address of the results.

    Lines and results have Anthropic's own format.
    """

    def make_headers(self, api_key: str) -> dict[str, str]:
        """Return the headers with the API key."""
        return {"x-api-key": api_key, "anthropic-version": "2023-06-01"}

    def make_line(self, call_key: str, body: Body) -> Body:
        """Return the line of a call."""
        return {"custom_id": call_key, "params": {"max_tokens": MAX_TOKENS, **body}}

    def submit_batch(
        self,
        http: BatchRequests,
        batch: Batch,
        lines: Sequence[Any],
        model: str,
    ) -> str:
        """Submit a batch and return its id."""
        job = http.post_json(self.jobs_path, {"requests": lines})
        return str(look_up(job, "id"))

    def find_batch(self, http: BatchRequests, batch: Batch) -> str | None:
        """Return the id of a batch that may be the recorded one, or None.

        Anthropic stores no names. A batch may be the recorded one if it has as many calls and was
        not created before the record. Whether it is, only the keys in its results show.
        """
        earliest_time = time.gmtime(batch.recorded_at - CLOCK_SLACK)
        earliest = time.strftime("%Y-%m-%dT%H:%M:%S", earliest_time)
        for job in self.list_jobs(http):
            counts = look_up(job, "request_counts") or {}
            size = sum(count for count in counts.values() if isinstance(count, int))
            # The first 19 characters of a time have no fractions of a second and no time zone.
            is_old = str(look_up(job, "created_at"))[:19] < earliest
            is_foreign = job["id"] in batch.foreign_ids
            if size == len(batch.keys) and not is_foreign and not is_old:
                return str(job["id"])
        return None

    def get_state(self, http: BatchRequests, batch_id: str) -> BatchState:
        """Return the state of a batch."""
        job = http.get_json(f"{self.jobs_path}/{batch_id}")
        status = str(look_up(job, "processing_status"))
        path = look_up(job, "results_url")
        # Results are not fetched from another server, because it would get the API key.
        if not http.is_own_address(path):
            path = f"{self.jobs_path}/{batch_id}/results"
        return BatchState(status in END_STATUSES, status, [path])

    def read_line(self, line: Json) -> tuple[Reply, Outcome]:
        """Return the reply in the line of a result, or an empty reply and the failure."""
        result = look_up(line, "result")
        kind = look_up(result, "type")
        message = look_up(result, "message")
        error = look_up(result, "error")
        if kind == "succeeded" and isinstance(message, Mapping):
            return read_response(200, json.dumps(convert_message(message)))
        if kind == "errored":
            status = ERROR_STATUSES.get(str(look_up(error, "error", "type")), 400)
            return read_response(status, json.dumps(error))
        reason = f"batch_{format_plain_line(str(kind), 40)}"
        return {}, make_failure(reason, f"the request was {kind} before it was answered")


def convert_message(message: Json) -> Body:
    """Return a message of Anthropic's in the format of a chat completion."""
    parts = look_up(message, "content") or []
    texts = []
    for part in parts:
        if look_up(part, "type") == "text":
            texts.append(str(look_up(part, "text")))
    input_tokens = look_up(message, "usage", "input_tokens")
    output_tokens = look_up(message, "usage", "output_tokens")
    usage = {
        "prompt_tokens": input_tokens,
        "completion_tokens": output_tokens,
        "total_tokens": (input_tokens or 0) + (output_tokens or 0),
    }
    content = "".join(texts) if texts else None
    choice = {
        "message": {"content": content},
        "finish_reason": look_up(message, "stop_reason"),
    }
    return {"model": look_up(message, "model"), "choices": [choice], "usage": usage}


SERVICES: dict[str, FileBatches | Anthropic] = {
    "openai": FileBatches("/batches", "limit"),
    "mistral": Mistral("/batch/jobs", "page_size"),
    "anthropic": Anthropic("/messages/batches", "limit"),
}
