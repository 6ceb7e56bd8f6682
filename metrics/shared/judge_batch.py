"""Many prompts at half the price, as batches.

A batch is written down in the cache before it is submitted, under a name that goes with it where the provider keeps
one. So a run that ends at any point, or whoever shares its cache, finds the batch again and takes it up: what was
submitted once is not submitted again. Replies are kept as those of single requests are.
"""

import json
import secrets
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from .judge_cache import Cache
from .judge_client import Trouble, asking
from .judge_providers import ABOUT_OUTPUT, at, unusable
from .judge_services import SERVICES, Batch, Filed, State

# Of a batch: OpenAI takes 50,000 requests and 200 MB, Anthropic 100,000 and 256 MB, Mistral more.
MOST, MOST_BYTES = 50_000, 100_000_000
HALF = 0.5  # what a request in a batch costs at all three, by their price lists
PAUSES = 0.2, 60.0  # seconds between two looks, the first and the longest
KEPT = 28 * 86_400  # seconds for which the providers keep results, or longer
TABLE = """CREATE TABLE IF NOT EXISTS batches
(name TEXT PRIMARY KEY, address TEXT, requests TEXT, output TEXT, began REAL, id TEXT)"""


def answer(judge: Any, bar: Any, wait: bool) -> None:
    """Have all that is pending answered by batches; without `wait` only submit them, and take in those that ended."""
    calls, service = {call.key: call for call in judge.pending}, SERVICES[judge.provider]
    with asking(judge, service.headers(judge.api_key)) as http:
        try:
            while calls and not judge.stopped:
                batches = [one for one in taken_up(judge, calls) if placed(judge, service, http, one)]
                settle(judge, service, http, batches, calls, wait)
                # Of a batch that is not there another run may have kept the replies.
                again = [call for call in calls.values() if not (call.found or judge.recall(call))]
                bar.update(len(calls) - len(again))
                again += [call for call in calls.values() if call.found.get("kind") == "form"]
                calls = {call.key: call for call in again} if wait or not batches else {}
        except Trouble as trouble:
            judge.stopped = judge.stopped or trouble.found


def under_way(judge: Any) -> list[Batch]:
    """Return the batches that were written down, and whose results may still be had."""
    judge.kept.run(TABLE)
    columns = "SELECT name, requests, output, began, id FROM batches WHERE address = ? AND began > ?"
    rows = judge.kept.run(columns, judge.address, time.time() - KEPT)
    batches = list[Batch]()
    for name, listed, output, began, number in rows:
        try:
            keys = json.loads(listed)
        except (TypeError, ValueError, RecursionError):
            judge.kept.damaged.add(name)
            continue
        batches.append(Batch(name, keys, output, began, number))
    return batches


def taken_up(judge: Any, calls: Mapping[str, Any]) -> list[Batch]:
    """Return the batches under way that hold some of these calls, and new ones, written down, for all others."""
    kept: Cache = judge.kept
    kept.run(TABLE)
    kept.run("BEGIN IMMEDIATE")  # of two runs at once the second sees what the first has written down
    if not kept.database or not kept.database.in_transaction:
        raise unkept(kept)
    every = under_way(judge)
    held = {key for batch in every for key in batch.keys}
    found = [batch for batch in every if calls.keys() & set(batch.keys)]
    for keys in parts(judge, [call for key, call in calls.items() if key not in held]):
        new = Batch(secrets.token_hex(16), keys, judge.output, time.time(), tried=False)
        kept.claim(new.name)
        values = new.name, judge.address, json.dumps(keys), new.output, new.began
        kept.run("INSERT INTO batches VALUES (?, ?, ?, ?, ?, NULL)", *values)
        found.append(new)
    kept.run("COMMIT")
    if not {batch.name for batch in found} <= {name for (name,) in kept.run("SELECT name FROM batches")}:
        raise unkept(kept)
    return found


def unkept(kept: Cache) -> Trouble:
    """Return the error of a batch that could not be written down."""
    said = f"a batch is submitted once it is written down, and the cache cannot be used ({kept.trouble})"
    return Trouble(unusable("no_cache", said, kind="stop"))


def parts(judge: Any, calls: Iterable[Any]) -> Iterator[list[str]]:
    """Yield the keys of calls in parts that are not too large for a batch."""
    part, size = list[str](), 0
    for call in calls:
        length = len(judge.request(call.prompt, judge.output))
        if part and (len(part) == MOST or size + length > MOST_BYTES):
            yield part
            part, size = [], 0
        part.append(call.key)
        size += length
    if part:
        yield part


def placed(judge: Any, service: Filed, http: Any, batch: Batch) -> bool:
    """See to it that a batch is submitted, and once: by this run, by another that is about to, or by one that ended.
    Tell whether it is there: not where another has taken its results in, nor where it was never submitted and holds
    requests that are not known here.
    """
    kept, tries, calls = judge.kept, 0, {call.key: call for call in judge.calls.values()}
    while not batch.id:
        claimed = kept.claim(batch.name)
        known = kept.run("SELECT id FROM batches WHERE name = ?", batch.name)
        if not known:
            return False
        batch.id = known[0][0]
        if not batch.id and not claimed:
            time.sleep(PAUSES[0])
        elif not batch.id:
            try:
                batch.id = service.find(http, batch) if batch.tried else None
                if not batch.id and not calls.keys() >= set(batch.keys):
                    kept.run("DELETE FROM batches WHERE name = ?", batch.name)
                    return False
                batch.id = batch.id or submitted(judge, service, http, batch, calls)
                kept.run("UPDATE batches SET id = ? WHERE name = ?", batch.id, batch.name)
            except Trouble as trouble:
                tries += 1
                if trouble.found.get("kind") != "again" or tries > judge.max_retries:
                    if not batch.tried:  # it was refused, and is not there
                        kept.run("DELETE FROM batches WHERE name = ?", batch.name)
                    raise
                time.sleep(min(PAUSES[0] * 2**tries, PAUSES[1]))
    kept.release(batch.name)
    return True


def submitted(judge: Any, service: Filed, http: Any, batch: Batch, calls: Mapping[str, Any]) -> str:
    """Submit a batch and return its number. Where no answer comes, it may be there all the same."""
    bodies = ((key, json.loads(judge.request(calls[key].prompt, batch.output))) for key in batch.keys)
    try:
        return service.submit(http, batch, [service.line(key, body) for key, body in bodies], judge.model)
    except Trouble as trouble:
        # What was refused in words was not taken.
        batch.tried = batch.tried or trouble.found.get("kind") == "again"
        raise


def settle(
    judge: Any, service: Filed, http: Any, batches: Sequence[Batch], calls: Mapping[str, Any], wait: bool
) -> None:
    """Look at batches until all have ended, and take their results in; without `wait`, once."""
    left, pause, heard, words = list(batches), PAUSES[0], time.monotonic(), "submitted"
    while left and not judge.stopped:
        for batch in list(left):
            try:
                state = service.state(http, str(batch.id))
                words = state.words
                if state.ended and taken_in(judge, service, http, batch, state, calls):
                    left.remove(batch)
                heard = time.monotonic()
            except Trouble as trouble:
                if trouble.found.get("kind") != "again" or time.monotonic() - heard > judge.timeout:
                    raise
        if not left or not wait or judge.batch == "later":
            break
        time.sleep(pause)
        pause = min(pause * 1.5, PAUSES[1])
    for batch in left:
        found = unusable("batch_pending", f"batch {batch.id} is {words}: the same call later takes it up")
        for call in (calls[key] for key in batch.keys if key in calls):
            call.found = found
        if wait:
            judge.stopped = judge.stopped or found


def taken_in(judge: Any, service: Filed, http: Any, batch: Batch, state: State, calls: Mapping[str, Any]) -> bool:
    """Keep the replies of a batch that has ended, and tell whether it was the one that was written down."""
    lines = dict[str, Any]()
    for path in state.results:
        for line in http.content(path).split(b"\n"):
            try:
                said = json.loads(line)
            except (ValueError, RecursionError):
                continue
            lines.setdefault(str(at(said, "custom_id")), said)
    if lines and not lines.keys() & set(batch.keys):
        batch.strange.add(str(batch.id))
        batch.id = None
        judge.kept.run("UPDATE batches SET id = NULL WHERE name = ?", batch.name)
        placed(judge, service, http, batch)
        return False
    failed = state.words.startswith("failed") and not lines
    reason, kind = ("batch_failed", "stop") if failed else ("missing_line", "row")
    missing = unusable(reason, f"batch {batch.id} has no line for it: it is {state.words}", kind=kind)
    answers = {key: service.reply(lines[key]) if key in lines else ({}, missing) for key in batch.keys}
    judge.watching.answered = judge.watching.answered or any(reply for reply, _ in answers.values())
    for key, (reply, found) in answers.items():
        if reply and not found:
            reply["output"] = batch.output
            found = judge.read(reply)
            judge.kept.put(key, reply)
        if key in calls:
            taken(judge, calls[key], batch, reply, found)
    if not judge.kept.trouble:  # else a re-run fetches them again
        judge.kept.run("DELETE FROM batches WHERE name = ?", batch.name)
    return True


def taken(judge: Any, call: Any, batch: Batch, reply: dict[str, Any], found: dict[str, Any]) -> None:
    """Take in what a line says of a call."""
    found = judge.watching.weigh(found)
    call.reply, call.found, call.requests = reply, found, call.requests + 1
    message = judge.hidden(found.get("message") or "")
    if not reply and batch.output != "text" and ABOUT_OUTPUT.search(message):
        judge.output = "text"
        call.found = {**found, "kind": "form"}
    elif found.get("kind") == "stop":
        judge.stopped = judge.stopped or found
