"""What became of one metric for one answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

State = Literal["pending", "scored", "needs", "unavailable", "error"]


@dataclass(frozen=True)
class MetricResult:
    """The result of one metric.

    A score with its reasons, or the plain words that say why there is none.

    `brief` stands where the score would; `prompt` is what a judge is asked.
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
