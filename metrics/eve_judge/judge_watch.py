# A copy of metrics/shared/judge_watch.py: change that one, then run `make copies`.
"""When failures end a judge's run: where the settings are refused, or where requests fail alike and none succeeds.

One row's failure never does: a text that is too long or is refused for its content says nothing of the other rows.
"""

import math
from collections import deque
from typing import Any

from .judge_providers import DECLINED, OF_SETTINGS, unusable

ENOUGH = 32  # requests that fail alike, with no success between, and no more are sent
TOO_LONG = "context_too_long"
OF_ONE_ROW = {TOO_LONG, "content_filter"}


class Watch:
    """Takes in what became of one call after the other, and says when no more are to be sent."""

    def __init__(self) -> None:
        self.answered = False  # whether any request was answered, so that its settings are none to refuse
        self.succeeded = False  # whether any reply had a verdict
        self.reason: str | None = None  # of the last failure
        self.alike = 0  # how many calls in a row have failed for it
        self.shortest = math.inf  # the length of the shortest prompt that was too long

    def add(self, call: Any, waiting: deque[Any]) -> dict[str, Any]:
        """Take in what became of a call, and return why the run is to stop; nothing where it goes on.

        Args:
            call: what was asked, with what was found.
            waiting: the calls that are still to be sent; where all were too long so far, the shortest goes first.
        """
        reason = call.found.get("reason")
        self.answered = self.answered or bool(call.reply)
        if reason in (None, DECLINED):
            self.succeeded, self.reason, self.alike = True, None, 0
            return {}
        self.count_failure(reason, call)
        if self.alike < ENOUGH:
            return {}
        if self.succeeded and (call.reply or reason in OF_ONE_ROW):
            return {}
        if reason == TOO_LONG and self.put_shorter_first(waiting):
            return {}
        if reason == "logprobs_missing":
            reason = "no_logprobs"
        return unusable(reason, f"{call.found['message']} ({ENOUGH} times alike, and no score between)")

    def count_failure(self, reason: str, call: Any) -> None:
        """Count a call that failed, with those right before it that failed for the same reason."""
        if reason != self.reason:
            self.reason, self.alike = reason, 0
        self.alike += 1
        if reason == TOO_LONG:
            self.shortest = min(self.shortest, len(call.prompt))

    def put_shorter_first(self, waiting: deque[Any]) -> bool:
        """Put the shortest waiting call to the front, if it is shorter than all that were too long."""
        if not waiting:
            return False
        first = min(waiting, key=lambda call: len(call.prompt))
        if len(first.prompt) >= self.shortest:
            return False
        waiting.remove(first)
        waiting.appendleft(first)
        return True

    def weigh(self, found: dict[str, Any]) -> dict[str, Any]:
        """Return what was found, as a failure of its row where the settings were taken for another one."""
        stops_for_settings = found.get("kind") == "stop" and found["reason"] in OF_SETTINGS
        if stops_for_settings and self.answered:
            return {**found, "kind": "row"}
        return found
