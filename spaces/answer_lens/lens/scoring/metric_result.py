"""The result of one metric for one answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

State = Literal["pending", "scored", "needs", "unavailable", "error"]


@dataclass(frozen=True)
class MetricResult:
    """The result of one metric for one answer: a score with reasons, or a message without a score.

    Attributes:
        state: what happened: the score is awaited ("pending") or computed ("scored"), something is
            missing ("needs", "unavailable"), or the metric failed ("error").
        score: the score; None without a score.
        per_example: the module's entry of `per_example`.
        signature: the module's signature.
        message: why there is no score.
        brief: a short text in the place of the score.
        prompt: the prompt of a judge.
    """

    state: State
    score: float | None = None
    per_example: Mapping[str, Any] | None = None
    signature: str = ""
    message: str = ""
    brief: str = ""
    prompt: str = ""

    @property
    def reasons(self) -> Mapping[str, Any]:
        """The module's reasons; empty if it gave none."""
        return self.per_example or {}
