"""Many prompts at half the price, as batches.

A batch is written down in the cache before it is submitted, under a name that goes with it where
the provider keeps one. So a run that ends at any point, or whoever shares its cache, finds the
batch again and takes it up: what was submitted once is not submitted again. Replies are kept as
those of single requests are.
"""

import json
import secrets
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from .judge_cache import Cache
from .judge_client import refuses_output
from .judge_connection import BatchRequests, Trouble, open_requests
from .judge_replies import Outcome, Reply, look_up, make_failure
from .judge_run import Call, JudgeRun
from .judge_services import SERVICES, Batch, BatchState

# Of a batch: OpenAI takes 50,000 requests and 200 MB, Anthropic 100,000 and 256 MB, Mistral more.
MAX_REQUESTS, MAX_BYTES = 50_000, 100_000_000
# The price of a request in a batch, as a share of its usual price: at all three, by their price
# lists.
BATCH_PRICE = 0.5
# Seconds between two looks at a batch, the first and the longest.
FIRST_PAUSE, LONGEST_PAUSE = 0.2, 60.0
# Seconds for which the providers keep results, or longer.
RESULTS_LIFETIME = 28 * 86_400
TABLE = """CREATE TABLE IF NOT EXISTS batches
(name TEXT PRIMARY KEY, address TEXT, requests TEXT, output TEXT, began REAL, id TEXT)"""


def send_batches(
    run: JudgeRun,
    on_answers: Callable[[int], object],
    wait: bool,
) -> None:
    """Have all that is pending answered by batches.

    Args:
        run: whose calls are sent.
        on_answers: called with the number of calls that were answered.
        wait: False only submits the batches, and takes in those that have ended.
    """
    headers = SERVICES[run.judge.provider].make_headers(run.judge.key)
    with open_requests(run, headers) as http:
        try:
            BatchSender(run, http).send_all(on_answers, wait)
        except Trouble as trouble:
            run.set_stop(trouble.outcome)


def list_batches(run: JudgeRun) -> list[Batch]:
    """Return the batches that were written down, and whose results may still be had."""
    run.cache.execute(TABLE)
    statement = (
        "SELECT name, requests, output, began, id FROM batches WHERE address = ? AND began > ?"
    )
    rows = run.cache.execute(statement, run.judge.address, time.time() - RESULTS_LIFETIME)
    batches = []
    for name, keys, output, began, number in rows:
        try:
            batches.append(Batch(name, json.loads(keys), output, began, number))
        except (TypeError, ValueError, RecursionError):
            run.cache.damaged.add(name)
    return batches


def list_submitted_keys(run: JudgeRun) -> set[str]:
    """Return the keys of the calls that are in batches under way."""
    keys = set[str]()
    for batch in list_batches(run):
        keys.update(batch.keys)
    return keys


def split_calls(
    calls: Iterable[Call],
    encode_call: Callable[[Call], bytes],
) -> Iterator[list[str]]:
    """Yield the keys of calls in parts that are not too large for a batch."""
    part = list[str]()
    size = 0
    for call in calls:
        length = len(encode_call(call))
        if part and (len(part) == MAX_REQUESTS or size + length > MAX_BYTES):
            yield part
            part, size = [], 0
        part.append(call.key)
        size += length
    if part:
        yield part


def describe_useless_cache(cache: Cache) -> Trouble:
    """Return the error for a batch that could not be written down."""
    message = (
        "a batch is submitted once it is written down, and the cache cannot be used "
        f"({cache.trouble})"
    )
    return Trouble(make_failure("no_cache", message, kind="stop"))


def index_calls(calls: Iterable[Call]) -> dict[str, Call]:
    """Return calls by their keys."""
    return {call.key: call for call in calls}


class BatchSender:
    """Submits the pending calls of a run as batches, waits for them and takes in their results."""

    def __init__(self, run: JudgeRun, http: BatchRequests) -> None:
        self.run = run
        self.judge = run.judge
        self.cache = run.cache
        self.http = http
        self.service = SERVICES[run.judge.provider]
        # The calls that are still to be answered, by their keys; and all calls of the run.
        self.calls = index_calls(run.pending)
        self.all_calls = index_calls(run.calls.values())

    def send_all(
        self,
        on_answers: Callable[[int], object],
        wait: bool,
    ) -> None:
        """Submit batches until all calls are answered; without `wait`, once."""
        while self.calls and not self.run.stop:
            batches = [batch for batch in self._register_batches() if self._place_batch(batch)]
            self._settle_batches(batches, wait)
            # Another run may have kept the replies of a batch that is not there.
            calls = list(self.calls.values())
            unanswered = [call for call in calls if not self._is_answered(call)]
            on_answers(len(self.calls) - len(unanswered))
            if batches and not wait:
                break
            refused = [call for call in calls if call.outcome.get("kind") == "form"]
            self.calls = index_calls([*unanswered, *refused])

    def _is_answered(self, call: Call) -> bool:
        """Return whether the outcome of a call is known, or is in the cache by now."""
        return bool(call.outcome) or self.run.restore_reply(call)

    def _register_batches(self) -> list[Batch]:
        """Return batches for all calls: those under way, and new ones for the other calls.

        All are written down.
        """
        self.cache.execute(TABLE)
        # Of two runs at once the second sees what the first has written down.
        self.cache.execute("BEGIN IMMEDIATE")
        if not self.cache.database or not self.cache.database.in_transaction:
            raise describe_useless_cache(self.cache)
        known = list_batches(self.run)
        held = set[str]()
        for batch in known:
            held.update(batch.keys)
        batches = [batch for batch in known if self.calls.keys() & set(batch.keys)]
        rest = [call for key, call in self.calls.items() if key not in held]
        for keys in split_calls(rest, self._encode_call):
            batches.append(self._write_down(keys))
        self.cache.execute("COMMIT")
        names = {name for (name,) in self.cache.execute("SELECT name FROM batches")}
        if not {batch.name for batch in batches} <= names:
            raise describe_useless_cache(self.cache)
        return batches

    def _encode_call(self, call: Call) -> bytes:
        """Return the request of a call."""
        return self.judge.encode_request(call.prompt, self.run.output)

    def _write_down(self, keys: list[str]) -> Batch:
        """Return a new batch, written down and claimed."""
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
            batch.began,
        )
        self.cache.execute("INSERT INTO batches VALUES (?, ?, ?, ?, ?, NULL)", *values)
        return batch

    def _forget_batch(self, batch: Batch) -> None:
        """Delete what was written down of a batch."""
        self.cache.execute("DELETE FROM batches WHERE name = ?", batch.name)

    def _place_batch(self, batch: Batch) -> bool:
        """Submit a batch exactly once.

        This run, another that is about to, or one that ended may have done it.

        Returns:
            False where another run has taken its results in, or where it was never submitted and
            holds requests that are not known here.
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
            except Trouble as trouble:
                n_failures += 1
                if trouble.outcome.get("kind") != "again" or n_failures > self.judge.max_retries:
                    # What was refused is not there.
                    if not batch.may_exist:
                        self._forget_batch(batch)
                    raise
                time.sleep(min(FIRST_PAUSE * 2**n_failures, LONGEST_PAUSE))
        self.cache.release_request(batch.name)
        return True

    def _find_or_submit(self, batch: Batch) -> bool:
        """Find a batch that may have been submitted, or submit it.

        Return False where its requests are not known.
        """
        if batch.may_exist:
            batch.id = self.service.find_batch(self.http, batch)
        if not batch.id and not self.all_calls.keys() >= set(batch.keys):
            self._forget_batch(batch)
            return False
        batch.id = batch.id or self._submit_batch(batch)
        self.cache.execute("UPDATE batches SET id = ? WHERE name = ?", batch.id, batch.name)
        return True

    def _submit_batch(self, batch: Batch) -> str:
        """Submit a batch and return its number.

        Where no answer comes, it may be there all the same.
        """
        lines = []
        for key in batch.keys:
            prompt = self.all_calls[key].prompt
            request = self.judge.encode_request(prompt, batch.output)
            body = json.loads(request)
            lines.append(self.service.make_line(key, body))
        try:
            return self.service.submit_batch(self.http, batch, lines, self.judge.model_name)
        except Trouble as trouble:
            # What was refused in words was not taken.
            batch.may_exist = batch.may_exist or trouble.outcome.get("kind") == "again"
            raise

    def _settle_batches(self, batches: Sequence[Batch], wait: bool) -> None:
        """Look at batches until all have ended, and take their results in; without `wait`, once."""
        left = list(batches)
        pause, heard, words = FIRST_PAUSE, time.monotonic(), "submitted"
        while left and not self.run.stop:
            for batch in list(left):
                try:
                    state = self.service.get_state(self.http, str(batch.id))
                    words = state.words
                    if state.is_done and self._take_results(batch, state):
                        left.remove(batch)
                    heard = time.monotonic()
                except Trouble as trouble:
                    silence = time.monotonic() - heard
                    is_passing = trouble.outcome.get("kind") == "again"
                    if not is_passing or silence > self.judge.timeout:
                        raise
            if not left or not wait or self.judge.batch == "later":
                break
            time.sleep(pause)
            pause = min(pause * 1.5, LONGEST_PAUSE)
        for batch in left:
            self._leave_batch(batch, words, wait)

    def _leave_batch(self, batch: Batch, words: str, wait: bool) -> None:
        """Leave a batch under way to a later call."""
        message = f"batch {batch.id} is {words}: the same call later takes it up"
        outcome = make_failure("batch_pending", message)
        for key in batch.keys:
            if key in self.calls:
                self.calls[key].outcome = outcome
        if wait:
            self.run.set_stop(outcome)

    def _take_results(self, batch: Batch, state: BatchState) -> bool:
        """Keep the replies of a batch that has ended.

        Return False where it is not the one that was written down.
        """
        lines = self._fetch_lines(state)
        if lines and not lines.keys() & set(batch.keys):
            batch.foreign_ids.add(str(batch.id))
            batch.id = None
            self.cache.execute("UPDATE batches SET id = NULL WHERE name = ?", batch.name)
            self._place_batch(batch)
            return False
        is_failed = state.words.startswith("failed") and not lines
        reason, kind = ("batch_failed", "stop") if is_failed else ("missing_line", "row")
        message = f"batch {batch.id} has no line for it: it is {state.words}"
        missing = make_failure(reason, message, kind=kind)
        answers = dict[str, tuple[Reply, Outcome]]()
        for key in batch.keys:
            answers[key] = {}, missing
            if key in lines:
                answers[key] = self.service.read_line(lines[key])
        if any(reply for reply, _ in answers.values()):
            self.run.watch.is_answered = True
        for key, (reply, outcome) in answers.items():
            self._take_answer(key, batch, reply, outcome)
        # Else a re-run fetches them again.
        if not self.cache.trouble:
            self._forget_batch(batch)
        return True

    def _fetch_lines(self, state: BatchState) -> Mapping[str, Any]:
        """Return the lines of results by the keys of their calls.

        Of several for one call the first.
        """
        lines = dict[str, Any]()
        for path in state.results:
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
        """Keep a reply, and take in what a line of results says of a call of this run."""
        if reply and not outcome:
            reply["output"] = batch.output
            outcome = self.run.read_reply(reply)
            self.cache.keep_reply(key, reply)
        call = self.calls.get(key)
        if call is None:
            return
        outcome = self.run.watch.weigh_failure(outcome)
        call.reply, call.outcome = reply, outcome
        call.requests += 1
        message = self.judge.hide_key(outcome.get("message") or "")
        if refuses_output(batch.output, reply, message):
            self.run.output = "text"
            call.outcome = {**outcome, "kind": "form"}
        elif outcome.get("kind") == "stop":
            self.run.set_stop(outcome)
