# A copy of metrics/shared/judge_run.py: change that one, then run `make copies`.
"""One run of a judge: its calls, the cache of replies, and the reasons to stop.

A run ends early if its settings are refused, or if 32 requests in a row fail for the same reason.
Once a reply had a verdict, failures that concern single rows no longer count: a text that is too
long, or that is refused for its content, says nothing about the other rows.
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

# The run is stopped after this many requests in a row have failed for the same reason.
MAX_ALIKE = 32
TOO_LONG = "context_too_long"
ROW_REASONS = {TOO_LONG, "content_filter"}

# A row: the question, the answer and the references.
Row = tuple[str, str, Sequence[str]]
FillPrompt = Callable[[str, str, str], str]
FillState = Callable[[str, str], str]
ReadReply = Callable[[Mapping[str, Any]], Outcome]


@dataclass
class Call:
    """One prompt, how often it was sent, and its reply.

    Args:
        prompt: the text that the judge gets.
        key: the hash of its request.
        requests: how often it was sent.
        cached: whether its reply was in the cache.
        reply: the parts of the reply that are stored; empty without a reply.
        outcome: the score, or why there is none; empty until the call is answered.
        state: the text that a decision model is asked about; empty for a chat model, whose prompt
            has everything.
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
        """All the text that the judge gets."""
        return f"{self.state}\n\n{self.prompt}" if self.state else self.prompt


def group_calls(
    calls: Iterable[Call],
    limit: int,
) -> list[list[Call]]:
    """Return calls in groups, one for each request.

    The calls of a group follow one another and have the same state.
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
    """Return whether a call can be added to the request of a group of at most `limit` calls."""
    return len(group) < limit and group[0].state == call.state


class Watch:
    """Watches the outcomes of calls one after the other, and decides when to stop the run."""

    def __init__(self, has_success: bool) -> None:
        # Whether any request was answered: then the server accepts the settings.
        self.is_answered = False
        # Whether any reply had a verdict.
        self.has_success = has_success
        # The reason of the last failure, and how many calls in a row failed for that reason.
        self.last_reason: str | None = None
        self.n_alike = 0
        # The length of the shortest prompt that was too long.
        self.shortest = math.inf

    def note_outcome(self, call: Call, queue: deque[Call]) -> Outcome:
        """Note the outcome of a call, and return the failure if the run has to stop.

        Args:
            call: a call with its outcome.
            queue: the calls that are not sent yet. If the last MAX_ALIKE calls were too long, the
                shortest waiting call is moved to the front, since it may fit.

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
        message = f"{call.outcome['message']} ({MAX_ALIKE} times in a row)"
        return make_failure(reason, message)

    def _count_failure(self, reason: str, call: Call) -> None:
        """Count a failed call together with those just before it that have the same reason."""
        if reason != self.last_reason:
            self.last_reason = reason
            self.n_alike = 0
        self.n_alike += 1
        if reason == TOO_LONG:
            self.shortest = min(self.shortest, len(call.text))

    def _put_shorter_first(self, queue: deque[Call]) -> bool:
        """Put the shortest waiting call first, if it is shorter than all that were too long.

        Return whether it is shorter.
        """
        if not queue:
            return False
        first = min(queue, key=lambda call: len(call.text))
        if len(first.text) >= self.shortest:
            return False
        queue.remove(first)
        queue.appendleft(first)
        return True

    def limit_refusal_to_row(self, outcome: Outcome) -> Outcome:
        """Return an outcome that stops the run only if it concerns all rows.

        If the server has answered before, a refusal of settings becomes a failure of this row
        alone. All rows have the same settings: a server that answered one row accepts them.
        """
        is_refusal = outcome.get("kind") == "stop" and outcome["reason"] in SETTINGS_REASONS
        if is_refusal and self.is_answered:
            return {**outcome, "kind": "row"}
        return outcome


class JudgeRun:
    """One run of a judge over some rows.

    Args:
        judge: the judge that is asked.
        rows: the question, the answer and the references of each row.
        fill_prompt: returns the prompt for a question, an answer and one reference.
        read_reply: returns the outcome of a reply: a score, or why there is none.
        fill_state: returns the state for a decision model, from a question and an answer.
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
        # Each call once. Its key is the hash of its request if there is a cache, else a number.
        self.calls = dict[str, Call]()
        # The same calls by row, reference and repetition.
        self.rows = list[list[list[Call]]]()
        # The calls without a reply, and how many replies needed no request: they were cached, or
        # shared with an equal prompt.
        self.pending = list[Call]()
        self.n_cached = 0
        # The pending calls that were not sent yet.
        self.queue = deque[Call]()
        self.cache = Cache(False)
        self.watch = Watch(False)
        # Why the run was stopped; empty until then.
        self.stop: Outcome = {}
        # The form of output to ask for; "text" once the server has refused another form.
        self.output = judge.output
        # Whether to ask again if a cached reply has no verdict.
        self.asks_again = judge.retry_unusable

    def make_calls(self) -> None:
        """Make the calls of all rows; none of them has an outcome yet."""
        self.calls = {}
        self.rows = []
        for state, prompts in zip(self.states, self.prompts, strict=True):
            self.rows.append([self._make_samples(state, prompt) for prompt in prompts])

    def _make_samples(self, state: str, prompt: str) -> list[Call]:
        """Return the calls for a prompt; the first has the same key as with `samples` 1."""
        request = self.judge.address.encode() + self._encode_alone(state, prompt)
        calls = []
        for number in range(self.judge.samples):
            suffix = f" reply {number + 1}" if number else ""
            key = hashlib.sha256(request + suffix.encode()).hexdigest()
            # With a cache equal prompts share one request: asked one after the other, the second
            # would be answered from the cache.
            is_shared = self.judge.cache is not False
            name = key if is_shared else str(len(self.calls))
            call = Call(prompt, key, state=state)
            calls.append(self.calls.setdefault(name, call))
        return calls

    def _encode_alone(self, state: str, prompt: str) -> bytes:
        """Return the request for a single prompt; its hash is the key of the reply."""
        if self.judge.decision is None:
            return self.judge.encode_request(prompt, self.judge.output)
        path = f"/{self.judge.path} "
        return path.encode() + self.judge.encode_questions(state, [prompt])

    def restore_replies(self, cache: Cache) -> int:
        """Give each call its cached reply, and return how many calls have one."""
        self.cache = cache
        known = [call for call in self.calls.values() if self.restore_reply(call)]
        self.queue = deque()
        self.start_watch(known)
        for call in known:
            self.watch_call(call)
        # The failures in the cache would stop this run, but the server may work by now. Keep only
        # replies with a verdict, and ask for the others again.
        if self.stop:
            self.stop = {}
            self.asks_again = True
            self.start_watch([])
            known = [call for call in known if self.restore_reply(call)]
        self.pending = [call for call in self.calls.values() if not call.cached]
        return len(known)

    def restore_reply(self, call: Call) -> bool:
        """Give a call its cached reply, and return whether it has one.

        A reply without a verdict counts as missing if the run asks again for those.
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
        """Begin to watch for failures that stop the run; `known` has the cached calls."""
        scores = [call.outcome["score"] for call in known]
        has_success = any(score is not None for score in scores)
        self.watch = Watch(has_success)

    def watch_call(self, call: Call) -> None:
        """Note the outcome of a call, and stop the run if it has to stop."""
        if not self.stop:
            self.stop = self.watch.note_outcome(call, self.queue)

    def set_stop(self, outcome: Outcome) -> None:
        """Stop the run, unless it is stopped already."""
        self.stop = self.stop or outcome

    def leave_out(self, keys: set[str]) -> None:
        """Remove the calls with some keys from the pending ones."""
        self.pending = [call for call in self.pending if call.key not in keys]

    def drop_cached(self) -> None:
        """Remove calls whose reply is known from the pending ones, and count these replies."""
        self.pending = [call for call in self.pending if not call.cached]
        n_references = sum(len(references) for references in self.rows)
        self.n_cached = self.judge.samples * n_references - len(self.pending)
