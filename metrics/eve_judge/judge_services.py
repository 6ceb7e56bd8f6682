# A copy of metrics/shared/judge_services.py: change that one, then run `make copies`.
"""The batches of OpenAI, Anthropic and Mistral, by their documented HTTP APIs: what is sent, and what results say."""

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .judge_providers import at, plain_line, read_response, unusable

ENDPOINT = "/v1/chat/completions"
SLACK = 600  # seconds by which the clocks of two machines may differ
ENDED = {"completed", "failed", "expired", "cancelled", "success", "timeout_exceeded", "ended"}
# Statuses for the types of errors in Anthropic's results.
STATUSES = {"authentication_error": 401, "permission_error": 403, "not_found_error": 404, "request_too_large": 413,
            "rate_limit_error": 429, "api_error": 500, "overloaded_error": 529}  # fmt: skip
MAX_TOKENS = 4096  # what Anthropic needs where nothing was said


@dataclass
class Batch:
    """What was written down of a batch: its requests by their keys, when, in which form, and its number there."""

    name: str
    keys: list[str]
    output: str
    began: float
    id: str | None = None
    tried: bool = True  # whether it may have been submitted: by an earlier run, or without an answer
    strange: set[str] = field(default_factory=set)  # batches that were taken for this one


@dataclass
class State:
    """How far a batch is: whether it has ended, in the provider's words, and where its results are."""

    ended: bool
    words: str
    results: list[str]


class Filed:
    """Batches that begin and end as files: OpenAI's, and Mistral's, which are near to them."""

    def __init__(self, jobs: str, page: str) -> None:
        self.jobs, self.page = jobs, page

    def headers(self, key: str) -> dict[str, str]:
        """Return what a request says of who asks."""
        return {"Authorization": f"Bearer {key}"} if key else {}

    def line(self, key: str, body: dict[str, Any]) -> dict[str, Any]:
        """Return a request in a batch."""
        return {"custom_id": key, "method": "POST", "url": ENDPOINT, "body": body}

    def submit(self, http: Any, batch: Batch, lines: Sequence[Any], model: str) -> str:
        """Submit a batch and return its number."""
        data = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
        file = str(at(http.upload("/files", "batch.jsonl", data, {"purpose": "batch"}), "id"))
        return str(at(http.post(self.jobs, self.job(file, model) | {"metadata": {"name": batch.name}}), "id"))

    def job(self, file: str, model: str) -> dict[str, Any]:
        """Return what is submitted."""
        return {"input_file_id": file, "endpoint": ENDPOINT, "completion_window": "24h"}

    def find(self, http: Any, batch: Batch) -> str | None:
        """Return the number of a batch that was submitted under this name, if there is one."""
        listed = at(http.get(f"{self.jobs}?{self.page}=100"), "data") or []
        return next((str(one["id"]) for one in listed if at(one, "metadata", "name") == batch.name), None)

    def state(self, http: Any, number: str) -> State:
        """Return how far a batch is."""
        said = http.get(f"{self.jobs}/{number}")
        status = str(at(said, "status")).lower()
        files = [at(said, name) for name in ("output_file_id", "error_file_id", "output_file", "error_file")]
        errors = at(said, "errors", "data") or at(said, "errors") or ""
        words = plain_line(f"{status} {json.dumps(errors, ensure_ascii=False) if errors else ''}")
        return State(status in ENDED, words.strip(), [f"/files/{file}/content" for file in files if file])

    def reply(self, line: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the reply in a line of results; or an empty one and what is found instead."""
        response = at(line, "response")
        if not isinstance(response, Mapping) or not isinstance(at(response, "status_code"), int):
            code, said = (
                at(line, "error", "code") or "error_in_reply",
                at(line, "error", "message") or at(line, "error"),
            )
            return {}, unusable(str(code), plain_line(str(said)))
        return read_response(response["status_code"], json.dumps(at(response, "body")))


class Mistral(Filed):
    """Mistral's: the model is the batch's, not the request's."""

    def line(self, key: str, body: dict[str, Any]) -> dict[str, Any]:
        """Return a request in a batch."""
        return {"custom_id": key, "body": {name: value for name, value in body.items() if name != "model"}}

    def job(self, file: str, model: str) -> dict[str, Any]:
        """Return what is submitted."""
        return {"input_files": [file], "model": model, "endpoint": ENDPOINT, "timeout_hours": 24}


class Anthropic(Filed):
    """Anthropic's: requests in its own form, in one request; results at an address, replies in its own form."""

    def headers(self, key: str) -> dict[str, str]:
        """Return what a request says of who asks."""
        return {"x-api-key": key, "anthropic-version": "2023-06-01"}

    def line(self, key: str, body: dict[str, Any]) -> dict[str, Any]:
        """Return a request in a batch."""
        return {"custom_id": key, "params": {"max_tokens": MAX_TOKENS, **body}}

    def submit(self, http: Any, batch: Batch, lines: Sequence[Any], model: str) -> str:
        """Submit a batch and return its number."""
        return str(at(http.post(self.jobs, {"requests": lines}), "id"))

    def find(self, http: Any, batch: Batch) -> str | None:
        """Return the number of a batch that may be this one, if there is one."""
        # It keeps no name: one as large, and no older, may be this batch; its results tell.
        for one in at(http.get(f"{self.jobs}?{self.page}=100"), "data") or []:
            counts = at(one, "request_counts") or {}
            size = sum(count for count in counts.values() if isinstance(count, int))
            if size == len(batch.keys) and one["id"] not in batch.strange and not self.older(one, batch):
                return str(one["id"])
        return None

    def older(self, one: Mapping[str, Any], batch: Batch) -> bool:
        """Tell whether a batch was created before this one was written down."""
        created = str(at(one, "created_at"))[:19]
        began = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(batch.began - SLACK))
        return created < began

    def state(self, http: Any, number: str) -> State:
        """Return how far a batch is."""
        said = http.get(f"{self.jobs}/{number}")
        status, url = str(at(said, "processing_status")), at(said, "results_url")
        # The key goes to no other server.
        return State(status in ENDED, status, [url if http.is_own(url) else f"{self.jobs}/{number}/results"])

    def reply(self, line: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the reply in a line of results; or an empty one and what is found instead."""
        kind, message, error = (at(line, "result", name) for name in ("type", "message", "error"))
        if kind == "succeeded" and isinstance(message, Mapping):
            return read_response(200, json.dumps(completion(message)))
        if kind == "errored":
            return read_response(STATUSES.get(str(at(error, "error", "type")), 400), json.dumps(error))
        return {}, unusable(f"batch_{plain_line(str(kind), 40)}", f"the request was {kind} before it was answered")


def completion(message: Mapping[str, Any]) -> dict[str, Any]:
    """Return a message of Anthropic's as a chat completion."""
    said = [str(at(part, "text")) for part in at(message, "content") or [] if at(part, "type") == "text"]
    read, written = (at(message, "usage", f"{side}_tokens") for side in ("input", "output"))
    usage = {"prompt_tokens": read, "completion_tokens": written, "total_tokens": (read or 0) + (written or 0)}
    choice = {"message": {"content": "".join(said) if said else None}, "finish_reason": at(message, "stop_reason")}
    return {"model": at(message, "model"), "choices": [choice], "usage": usage}


SERVICES = {
    "openai": Filed("/batches", "limit"),
    "mistral": Mistral("/batch/jobs", "page_size"),
    "anthropic": Anthropic("/messages/batches", "limit"),
}
