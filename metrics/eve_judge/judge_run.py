# A copy of metrics/shared/judge_run.py: change that one, then run `make copies`.
"""One run of a judge: its calls, the cache that has the replies of earlier runs, and what stops it.

A run ends early where its settings are refused, or where requests fail alike and none succeeds. One
row's failure never ends it: a text that is too long or is refused for its content says nothing of
the other rows.
"""

import hashlib
import math
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .judge import Judge
from .judge_cache import Cache
from .judge_replies import DECLINED, SETTINGS_REASONS, Outcome, Reply, make_failure

# Requests that fail alike, with no success between them, before a run is stopped.
MAX_ALIKE = 32
TOO_LONG = "context_too_long"
ROW_REASONS = {TOO_LONG, "content_filter"}

# A row: the question, the answer and its references.
Row = tuple[str, str, Sequence[str]]
FillPrompt = Callable[[str, str, str], str]
FillState = Callable[[str, str], str]
ReadReply = Callable[[Mapping[str, Any]], Outcome]


@dataclass
class Call:
    """One prompt, how often it was sent, and what came of it.

    Args:
        prompt: the text that the judge is given.
        key: the hash of its request.
        requests: how often it was sent.
        cached: whether its reply was kept by an earlier run.
        reply: the parts of the reply that are kept; empty without one.
        outcome: the score, or why there is none; empty as long as nothing is known.
        state: what a decision model is asked about; empty in a chat, whose prompt has everything.
    """

    prompt: str
    key: str
    requests: int = 0
    cached: bool = False
    reply: Reply = field(default_factory=dict)
    outcome: Outcome = field(default_factory=dict)
    state: str = ""

    @property
    def text(self) -> str:
        """All that the judge is given."""
        return f"{self.state}\n\n{self.prompt}" if self.state else self.prompt


def group_calls(
    calls: Iterable[Call],
    limit: int,
) -> list[list[Call]]:
    """Return calls in groups, each for one request.

    Calls of a group follow one another and are about the same state.
    """
    groups = list[list[Call]]()
    for call in calls:
        if groups and can_join(groups[-1], call, limit):
            groups[-1].append(call)
        else:
            groups.append([call])
    return groups


def can_join(
    group: Sequence[Call],
    call: Call,
    limit: int,
) -> bool:
    """Return whether a call may go in the request of a group of at most `limit` calls."""
    return len(group) < limit and group[0].state == call.state


class Watch:
    """Watches the outcomes of calls one after the other, and says when to send no more."""

    def __init__(self, has_success: bool) -> None:
        # Whether any request was answered, so that its settings are not refused.
        self.is_answered = False
        # Whether any reply had a verdict.
        self.has_success = has_success
        # The reason of the last failure, and how many calls in a row failed for it.
        self.last_reason: str | None = None
        self.n_alike = 0
        # The length of the shortest prompt that was too long.
        self.shortest = math.inf

    def note_outcome(self, call: Call, queue: deque[Call]) -> Outcome:
        """Note the outcome of a call, and return why the run has to stop.

        Args:
            call: a call with its outcome.
            queue: the calls that are still to be sent. If all calls so far were too long, the
                shortest waiting call is moved to the front: it may fit.

        Returns:
            the failure that stops the run; empty if the run goes on.
        """
        reason = call.outcome.get("reason")
        self.is_answered = self.is_answered or bool(call.reply)
        if reason in (None, DECLINED):
            self.has_success = True
            self.last_reason = None
            self.n_alike = 0
            return {}
        self._count_failure(reason, call)
        if self.n_alike < MAX_ALIKE:
            return {}
        if self.has_success and (call.reply or reason in ROW_REASONS):
            return {}
        if reason == TOO_LONG and self._put_shorter_first(queue):
            return {}
        if reason == "logprobs_missing":
            reason = "no_logprobs"
        message = f"{call.outcome['message']} ({MAX_ALIKE} times alike, and no score between)"
        return make_failure(reason, message)

    def _count_failure(self, reason: str, call: Call) -> None:
        """Count a call that failed, with those right before it that failed for the same reason."""
        if reason != self.last_reason:
            self.last_reason = reason
            self.n_alike = 0
        self.n_alike += 1
        if reason == TOO_LONG:
            self.shortest = min(self.shortest, len(call.text))

    def _put_shorter_first(self, queue: deque[Call]) -> bool:
        """Put the shortest waiting call first, if it is shorter than all that were too long.

        Return whether it is.
        """
        if not queue:
            return False
        first = min(queue, key=lambda call: len(call.text))
        if len(first.text) >= self.shortest:
            return False
        queue.remove(first)
        queue.appendleft(first)
        return True

    def weigh_failure(self, outcome: Outcome) -> Outcome:
        """Return an outcome, as its row's own failure if another row was answered.

        The settings of both are the same.
        """
        is_refusal = outcome.get("kind") == "stop" and outcome["reason"] in SETTINGS_REASONS
        if is_refusal and self.is_answered:
            return {**outcome, "kind": "row"}
        return outcome


class JudgeRun:
    """One run of a judge over some rows.

    Args:
        judge: who is asked.
        rows: the question, the answer and the references of each row.
        fill_prompt: returns the text that the judge is given for a question, an answer and one
            reference.
        read_reply: returns the outcome of a reply: a score, or why there is none.
        fill_state: returns what a decision model is asked about, for a question and an answer.
    """

    def __init__(
        self,
        judge: Judge,
        rows: Iterable[Row],
        fill_prompt: FillPrompt,
        read_reply: ReadReply,
        fill_state: FillState | None = None,
    ) -> None:
        self.judge = judge
        self.read_reply = read_reply
        # A state for each row, and a prompt for each reference of each row.
        self.states = list[str]()
        self.prompts = list[list[str]]()
        for question, answer, references in rows:
            self.states.append(fill_state(question, answer) if fill_state else "")
            prompts = []
            for reference in references:
                prompts.append(fill_prompt(question, answer, reference))
            self.prompts.append(prompts)
        # Each call once: by the hash of its request if there is a cache, else by its number.
        self.calls = dict[str, Call]()
        # The same calls by row, reference and sample.
        self.rows = list[list[list[Call]]]()
        # The calls whose replies were not in the cache, and the number of those that were.
        self.pending = list[Call]()
        self.n_cached = 0
        # The pending calls that are not sent yet.
        self.queue = deque[Call]()
        self.cache = Cache(False)
        self.watch = Watch(False)
        # Why the run was stopped; empty while it goes on.
        self.stop: Outcome = {}
        # The form of output that is asked for; "text" once a server refused another.
        self.output = judge.output
        # Whether to ask again where a kept reply has no verdict.
        self.asks_again = judge.retry_unusable

    def make_calls(self) -> None:
        """Make the calls of all rows; nothing is known of them yet."""
        self.calls = {}
        self.rows = []
        for state, prompts in zip(self.states, self.prompts, strict=True):
            self.rows.append([self._make_samples(state, prompt) for prompt in prompts])

    def _make_samples(self, state: str, prompt: str) -> list[Call]:
        """Return the calls for a prompt; the first is that of a judge who is asked once."""
        request = self.judge.address.encode() + self._encode_alone(state, prompt)
        calls = []
        for number in range(self.judge.samples):
            suffix = f" reply {number + 1}" if number else ""
            key = hashlib.sha256(request + suffix.encode()).hexdigest()
            # With a cache equal prompts share one request, as they would if they were asked one
            # after the other.
            is_shared = self.judge.cache is not False
            name = key if is_shared else str(len(self.calls))
            call = Call(prompt, key, state=state)
            calls.append(self.calls.setdefault(name, call))
        return calls

    def _encode_alone(self, state: str, prompt: str) -> bytes:
        """Return the request for one prompt alone, whose hash is the key of its reply."""
        if self.judge.decision is None:
            return self.judge.encode_request(prompt, self.judge.output)
        path = f"/{self.judge.path} "
        return path.encode() + self.judge.encode_questions(state, [prompt])

    def restore_replies(self, cache: Cache) -> int:
        """Give each call its reply from the cache, and return how many have one."""
        self.cache = cache
        known = [call for call in self.calls.values() if self.restore_reply(call)]
        self.queue = deque()
        self.start_watch(known)
        for call in known:
            self.watch_call(call)
        # The kept replies alone would stop this run. The server may be in order by now: keep only
        # replies with a verdict, and ask for the others again.
        if self.stop:
            self.stop = {}
            self.asks_again = True
            self.start_watch([])
            known = [call for call in known if self.restore_reply(call)]
        self.pending = [call for call in self.calls.values() if not call.cached]
        return len(known)

    def restore_reply(self, call: Call) -> bool:
        """Give a call its reply from the cache.

        Return False if there is none, or if it has no verdict and is to be asked for again.
        """
        reply = self.cache.get_reply(call.key)
        outcome = self.read_reply(reply) if reply else {"kind": "again"}
        is_kept = not outcome.get("kind")
        has_verdict = is_kept and (outcome["score"] is not None or outcome["reason"] == DECLINED)
        call.cached = is_kept and (has_verdict or not self.asks_again)
        call.reply = reply if reply and call.cached else {}
        call.outcome = outcome if call.cached else {}
        return call.cached

    def start_watch(self, known: Sequence[Call]) -> None:
        """Begin to watch for failures that stop the run.

        Replies that are known already count.
        """
        scores = [call.outcome["score"] for call in known]
        has_success = any(score is not None for score in scores)
        self.watch = Watch(has_success)

    def watch_call(self, call: Call) -> None:
        """Take in the outcome of a call, and stop the run where it has to stop."""
        if not self.stop:
            self.stop = self.watch.note_outcome(call, self.queue)

    def set_stop(self, outcome: Outcome) -> None:
        """Stop the run, unless it was stopped before."""
        self.stop = self.stop or outcome

    def leave_out(self, keys: set[str]) -> None:
        """Leave calls out of those pending, by their keys."""
        self.pending = [call for call in self.pending if call.key not in keys]

    def count_cached(self) -> None:
        """Take calls that were answered meanwhile off those pending, and count the cached ones."""
        self.pending = [call for call in self.pending if not call.cached]
        n_references = sum(len(references) for references in self.rows)
        self.n_cached = self.judge.samples * n_references - len(self.pending)
