# A copy of metrics/shared/judge_batches.py: change that one, then run `make copies`.
"""Send many prompts as batches, at half the price.

Before a batch is submitted, a record of it is written to the cache. So a later run with the same
cache finds the batch again, even if this run is killed, and submits nothing twice. The provider
gets the name of the record. If it stores no names, the batch is found by its size, time and keys.
Replies are cached like those of single requests.
"""

import json
import secrets
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from .judge_cache import Cache
from .judge_client import refuses_output
from .judge_connection import BatchRequests, BatchRequestError, open_requests
from .judge_replies import Outcome, Reply, look_up, make_failure
from .judge_run import Call, JudgeRun
from .judge_services import SERVICES, Batch, BatchState

# Limits of a batch. OpenAI takes 50,000 requests and 200 MB, Anthropic 100,000 and 256 MB, Mistral
# more.
MAX_REQUESTS, MAX_BYTES = 50_000, 100_000_000
# The price of a request in a batch as a share of its usual price, by the price lists of all three.
BATCH_PRICE_FACTOR = 0.5
# Seconds between two requests for the state of a batch: the first pause and the longest. Each pause
# is longer than the one before by this factor.
FIRST_PAUSE, LONGEST_PAUSE = 0.2, 60.0
PAUSE_GROWTH = 1.5
# Seconds for which results are asked for; the providers keep them as long or longer.
RESULTS_LIFETIME = 28 * 86_400
TABLE = """CREATE TABLE IF NOT EXISTS batches
(name TEXT PRIMARY KEY, address TEXT, requests TEXT, output TEXT, began REAL, id TEXT)"""


def send_batches(
    run: JudgeRun,
    on_answers: Callable[[int], object],
    wait: bool,
) -> None:
    """Send the pending calls of a run as batches.

    Args:
        run: the run whose pending calls are sent.
        on_answers: called with the number of calls that were answered.
        wait: False submits the batches, reads the results of those that have ended, and returns.
    """
    headers = SERVICES[run.judge.provider].make_headers(run.judge.key)
    with open_requests(run, headers) as http:
        try:
            BatchSender(run, http).send_all(on_answers, wait)
        except BatchRequestError as error:
            run.set_stop(error.outcome)


def list_batches(run: JudgeRun) -> list[Batch]:
    """Return the recorded batches of a judge's server, of the last 28 days."""
    run.cache.execute(TABLE)
    statement = (
        "SELECT name, requests, output, began, id FROM batches WHERE address = ? AND began > ?"
    )
    rows = run.cache.execute(statement, run.judge.address, time.time() - RESULTS_LIFETIME)
    batches = []
    for name, keys, output, began, batch_id in rows:
        try:
            batches.append(Batch(name, json.loads(keys), output, began, batch_id))
        except (TypeError, ValueError, RecursionError):
            run.cache.damaged.add(name)
    return batches


def list_batched_keys(run: JudgeRun) -> set[str]:
    """Return the keys of the calls in the recorded batches of the last 28 days."""
    keys = set[str]()
    for batch in list_batches(run):
        keys.update(batch.keys)
    return keys


def split_calls(
    calls: Iterable[Call],
    encode_call: Callable[[Call], bytes],
) -> Iterator[list[str]]:
    """Yield the keys of calls, in parts that are small enough for one batch."""
    part = list[str]()
    size = 0
    for call in calls:
        n_bytes = len(encode_call(call))
        if part and (len(part) == MAX_REQUESTS or size + n_bytes > MAX_BYTES):
            yield part
            part, size = [], 0
        part.append(call.key)
        size += n_bytes
    if part:
        yield part


def describe_unusable_cache(cache: Cache) -> BatchRequestError:
    """Return the error for a cache that cannot record a batch."""
    message = (
        "the batch was not submitted: it must first be recorded in the cache, and the cache cannot "
        "be used "
        f"({cache.last_error})"
    )
    return BatchRequestError(make_failure("no_cache", message, kind="stop"))


def describe_missing_line(batch: Batch, state: BatchState, is_empty: bool) -> Outcome:
    """Return the outcome of a call for which a batch has no result.

    A batch that failed as a whole (`is_empty`) stops the run, since the next one would fail, too.
    """
    message = f"batch {batch.id} (status: {state.status}) has no result for this row"
    if is_empty and state.status.startswith("failed"):
        return make_failure("batch_failed", message, kind="stop")
    return make_failure("missing_line", message, kind="row")


def is_temporary(error: BatchRequestError) -> bool:
    """Return whether a request about a batch may succeed later."""
    return error.outcome.get("kind") == "again"


def index_calls(calls: Iterable[Call]) -> dict[str, Call]:
    """Return calls by their keys."""
    return {call.key: call for call in calls}


class BatchSender:
    """Submits the pending calls of a run as batches, waits for them and reads their results."""

    def __init__(self, run: JudgeRun, http: BatchRequests) -> None:
        self.run = run
        self.judge = run.judge
        self.cache = run.cache
        self.http = http
        self.service = SERVICES[run.judge.provider]
        # The calls without an outcome, and all calls of the run, both by their keys.
        self.calls = index_calls(run.pending)
        self.all_calls = index_calls(run.calls.values())

    def send_all(
        self,
        on_answers: Callable[[int], object],
        wait: bool,
    ) -> None:
        """Submit batches until all calls have an outcome; without `wait`, submit them once."""
        while self.calls and not self.run.stop:
            batches = [batch for batch in self._register_batches() if self._ensure_submitted(batch)]
            self._settle_batches(batches, wait)
            # Another run may have read the results of a batch whose record is gone.
            calls = list(self.calls.values())
            unanswered = [call for call in calls if not self._has_outcome(call)]
            on_answers(len(self.calls) - len(unanswered))
            if batches and not wait:
                break
            # The next batches ask these calls for text.
            refused = [call for call in calls if call.outcome.get("kind") == "output_refused"]
            self.calls = index_calls([*unanswered, *refused])

    def _has_outcome(self, call: Call) -> bool:
        """Return whether a call has an outcome, or its reply is in the cache by now."""
        return bool(call.outcome) or self.run.restore_reply(call)

    def _register_batches(self) -> list[Batch]:
        """Return batches that hold all calls: recorded ones, and new ones for the other calls.

        The new ones are recorded too.
        """
        self.cache.execute(TABLE)
        # If two runs register batches at once, the second sees the records of the first.
        self.cache.execute("BEGIN IMMEDIATE")
        if not self.cache.database or not self.cache.database.in_transaction:
            raise describe_unusable_cache(self.cache)
        recorded = list_batches(self.run)
        recorded_keys = set[str]()
        for batch in recorded:
            recorded_keys.update(batch.keys)
        batches = [batch for batch in recorded if self.calls.keys() & set(batch.keys)]
        unrecorded = [call for key, call in self.calls.items() if key not in recorded_keys]
        for keys in split_calls(unrecorded, self._encode_call):
            batches.append(self._record_batch(keys))
        self.cache.execute("COMMIT")
        # The cache may have failed without an error, on a full disk for example.
        stored_names = {name for (name,) in self.cache.execute("SELECT name FROM batches")}
        if not {batch.name for batch in batches} <= stored_names:
            raise describe_unusable_cache(self.cache)
        return batches

    def _encode_call(self, call: Call) -> bytes:
        """Return the request of a call as JSON."""
        return self.judge.encode_request(call.prompt, self.run.output)

    def _record_batch(self, keys: list[str]) -> Batch:
        """Record a new batch in the cache, claim it and return it."""
        name = secrets.token_hex(16)
        batch = Batch(
            name,
            keys,
            self.run.output,
            time.time(),
            may_exist=False,
        )
        self.cache.claim_request(batch.name)
        values = (
            batch.name,
            self.judge.address,
            json.dumps(keys),
            batch.output,
            batch.recorded_at,
        )
        self.cache.execute("INSERT INTO batches VALUES (?, ?, ?, ?, ?, NULL)", *values)
        return batch

    def _delete_record(self, batch: Batch) -> None:
        """Delete the record of a batch."""
        self.cache.execute("DELETE FROM batches WHERE name = ?", batch.name)

    def _ensure_submitted(self, batch: Batch) -> bool:
        """Make sure that a batch is submitted exactly once, and return whether it is.

        This run, another run or an earlier one may submit it.

        Returns:
            False if another run has read the results and deleted the record, or if the batch was
            never submitted and has calls that this run lacks.
        """
        n_failures = 0
        while not batch.id:
            is_claimed = self.cache.claim_request(batch.name)
            rows = self.cache.execute("SELECT id FROM batches WHERE name = ?", batch.name)
            if not rows:
                return False
            batch.id = rows[0][0]
            if batch.id:
                break
            if not is_claimed:
                time.sleep(FIRST_PAUSE)
                continue
            try:
                if not self._find_or_submit(batch):
                    return False
            except BatchRequestError as error:
                n_failures += 1
                can_retry = is_temporary(error) and n_failures <= self.judge.max_retries
                if not can_retry:
                    # The provider refused it, so it does not exist.
                    if not batch.may_exist:
                        self._delete_record(batch)
                    raise
                time.sleep(min(FIRST_PAUSE * 2**n_failures, LONGEST_PAUSE))
        self.cache.release_request(batch.name)
        return True

    def _find_or_submit(self, batch: Batch) -> bool:
        """Find a batch that may have been submitted, else submit it.

        Return False if it is not found and has calls that this run lacks.
        """
        if batch.may_exist:
            batch.id = self.service.find_batch(self.http, batch)
        if not batch.id and not self.all_calls.keys() >= set(batch.keys):
            self._delete_record(batch)
            return False
        batch.id = batch.id or self._submit_batch(batch)
        self.cache.execute("UPDATE batches SET id = ? WHERE name = ?", batch.id, batch.name)
        return True

    def _submit_batch(self, batch: Batch) -> str:
        """Submit a batch and return its id at the provider.

        If no response arrives, the batch may exist all the same.
        """
        lines = []
        for key in batch.keys:
            prompt = self.all_calls[key].prompt
            request = self.judge.encode_request(prompt, batch.output)
            body = json.loads(request)
            lines.append(self.service.make_line(key, body))
        try:
            return self.service.submit_batch(self.http, batch, lines, self.judge.model_name)
        except BatchRequestError as error:
            # After a temporary failure the batch may exist; a refused one does not.
            batch.may_exist = batch.may_exist or is_temporary(error)
            raise

    def _settle_batches(self, batches: Sequence[Batch], wait: bool) -> None:
        """Read the results of batches as they end, and wait until all have ended.

        Without `wait`, or with batch="later", ask for the state of each batch once.
        """
        open_batches = list(batches)
        pause = FIRST_PAUSE
        last_response = time.monotonic()
        status = "submitted"
        while open_batches and not self.run.stop:
            for batch in list(open_batches):
                try:
                    state = self.service.get_state(self.http, str(batch.id))
                    status = state.status
                    if state.is_done and self._take_results(batch, state):
                        open_batches.remove(batch)
                    last_response = time.monotonic()
                except BatchRequestError as error:
                    silence = time.monotonic() - last_response
                    if not is_temporary(error) or silence > self.judge.timeout:
                        raise
            if not open_batches or not wait or self.judge.batch == "later":
                break
            time.sleep(pause)
            pause = min(pause * PAUSE_GROWTH, LONGEST_PAUSE)
        for batch in open_batches:
            self._leave_batch(batch, status, wait)

    def _leave_batch(self, batch: Batch, status: str, wait: bool) -> None:
        """Leave a batch that has not ended to a later call; with `wait`, stop the run."""
        message = f"batch {batch.id} is {status}: repeat the same call later to get its results"
        outcome = make_failure("batch_pending", message)
        for key in batch.keys:
            if key in self.calls:
                self.calls[key].outcome = outcome
        if wait:
            self.run.set_stop(outcome)

    def _take_results(self, batch: Batch, state: BatchState) -> bool:
        """Cache the replies of a batch that has ended.

        Return False if the batch was another program's, and the right one has now been found or
        submitted, so that it must be waited for.
        """
        lines = self._fetch_lines(state)
        if lines and not lines.keys() & set(batch.keys):
            return not self._replace_foreign_batch(batch)
        failure = describe_missing_line(batch, state, is_empty=not lines)
        answers = dict[str, tuple[Reply, Outcome]]()
        for key in batch.keys:
            answers[key] = {}, failure
            if key in lines:
                answers[key] = self.service.read_line(lines[key])
        if any(reply for reply, _ in answers.values()):
            self.run.watch.is_answered = True
        for key, (reply, outcome) in answers.items():
            self._take_answer(key, batch, reply, outcome)
        # If the cache did not keep the replies, a re-run fetches them again with the record.
        if not self.cache.last_error:
            self._delete_record(batch)
        return True

    def _replace_foreign_batch(self, batch: Batch) -> bool:
        """Find or submit the right batch after another program's was taken for it.

        Return whether it is submitted. If not, `send_all` registers its calls in another batch.
        """
        batch.foreign_ids.add(str(batch.id))
        batch.id = None
        self.cache.execute("UPDATE batches SET id = NULL WHERE name = ?", batch.name)
        return self._ensure_submitted(batch)

    def _fetch_lines(self, state: BatchState) -> Mapping[str, Any]:
        """Return the lines of results by the keys of their calls.

        If several lines have the same key, the first counts.
        """
        lines = dict[str, Any]()
        for path in state.result_paths:
            for text in self.http.get_file(path).split(b"\n"):
                try:
                    line = json.loads(text)
                except (ValueError, RecursionError):
                    continue
                lines.setdefault(str(look_up(line, "custom_id")), line)
        return lines

    def _take_answer(
        self,
        key: str,
        batch: Batch,
        reply: Reply,
        outcome: Outcome,
    ) -> None:
        """Cache a reply, and store it with its outcome in its call, if the call is pending."""
        if reply and not outcome:
            reply["output"] = batch.output
            outcome = self.run.read_reply(reply)
            self.cache.store_reply(key, reply)
        call = self.calls.get(key)
        if call is None:
            return
        outcome = self.run.watch.limit_refusal_to_row(outcome)
        call.reply, call.outcome = reply, outcome
        call.requests += 1
        message = self.judge.hide_key(outcome.get("message") or "")
        if refuses_output(batch.output, reply, message):
            self.run.output = "text"
            call.outcome = {**outcome, "kind": "output_refused"}
        elif outcome.get("kind") == "stop":
            self.run.set_stop(outcome)
