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
        state: what happened. "pending": the score is awaited. "scored": it is computed. "needs":
            the metric does not apply to this input, or the user must give more, such as a judge.
            "unavailable": a package, a model or the judge is not there. "error": the metric failed.
        score: the score; None in all states but "scored".
        per_example: the answer's entry in the module's `per_example`.
        signature: the module's signature.
        message: why there is no score.
        brief: a short text in the place of the score; if empty, the page has its own.
        prompt: the prompt for a judge; empty for other metrics.
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
        """The entry `per_example`; empty if there is none."""
        return self.per_example or {}
