"""The columns of a scored file: those of the table as they were, then each metric's scores and why a row has none; of
two systems the scores of both, the second one's answer, and which of them won the row.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from lens.scoring.catalog import BY_NAME, series_of
from lens.scoring.rows import Scored
from lens.statistics.intervals import TIE
from lens.tables.cells import Kind
from lens.tables.roles import Item

Scores = Mapping[str, float | None]
WON_BY, TIED, READ = "won_by", "tied", "scored_answer"


class Layout:
    """The columns of a scored file.

    A column of the table that has the name of a score is called input_<name>, for instance where a scored file is
    scored again. Of two systems the `names` stand in brackets behind those of the scores; `answers`: the second one's
    are added, for they stand in a file of their own; `read`: what was scored of an answer is added where something of
    it was left out.
    """

    def __init__(
        self, kinds: Mapping[str, Kind], metrics: Sequence[str], names: Sequence[str] = (), answers: bool = False,
        read: bool = False,
    ) -> None:  # fmt: skip
        self.metrics, self.names = list(metrics), list(names)
        self.own, self.other = ([f" ({name})" for name in names] or ["", ""])[:2]
        self.answer = f"answer{self.other}" if answers else ""
        self.read = f"{READ}{self.own}" if read else ""
        own: dict[str, Kind] = {self.read: "text"} if read else {}
        for metric in self.metrics:
            own |= {f"{series.key}{self.own}": "number" for series in series_of([metric])}
            own |= {f"{metric}_{part}{self.own}": "text" for part in said_by(metric)}
        if names:
            own |= {self.answer: "text"} if answers else {}
            every = (series for metric in self.metrics for series in series_of([metric]))
            own |= {f"{series.key}{self.other}": "number" for series in every}
            own |= {WON_BY: "text"}
        self.renamed = {name: free(name, {*kinds, *own}) for name in kinds if name in own}
        self.kinds: dict[str, Kind] = {self.renamed.get(name, name): kind for name, kind in kinds.items()} | own

    def row(
        self,
        row: Mapping[str, Any],
        scored: Mapping[str, Scored],
        item: Item | None = None,
        other: Scores | None = None,
        answer: str | None = None,
    ) -> dict[str, Any]:
        """One row of the scored file: the table's own, its scores by metric, the second system's by series; the `item`
        where what was scored of its answer is told.
        """
        cells = {self.renamed.get(name, name): cell for name, cell in row.items()}
        if self.read:
            cells[self.read] = item.prediction if item and item.whole else None
        scores: dict[str, float | None] = {}
        for metric in self.metrics:
            one = scored[metric]
            scores |= {series.key: value for series, value in zip(series_of([metric]), one.values, strict=True)}
            cells |= {f"{metric}_{part}{self.own}": getattr(one, part) or None for part in said_by(metric)}
        cells |= {f"{key}{self.own}": value for key, value in scores.items()}
        if other is not None:
            cells |= {self.answer: answer} if self.answer else {}
            cells |= {f"{key}{self.other}": value for key, value in other.items()}
            cells[WON_BY] = won_by(lead(self.metrics, scores, other), self.names)
        return cells


def said_by(metric: str) -> tuple[str, ...]:
    """What a judge says of a row besides its score."""
    said = ("reason", "message", "reasoning") if metric == "eve_judge" else ("reason", "message")
    return said if BY_NAME[metric].judge else ()


def lead(metrics: Iterable[str], first: Scores, second: Scores) -> int | None:
    """By how many more metrics the first system has the higher score in a row; below 0, the second has. None where no
    metric has scored both.
    """
    pairs = [(first[one.key], second[one.key]) for one in series_of(metrics) if one.primary]
    both = [one - other for one, other in pairs if one is not None and other is not None]
    return sum((one > TIE) - (one < -TIE) for one in both) if both else None


def won_by(lead: int | None, names: Sequence[str]) -> str | None:
    """Which system won a row, by more metrics than it lost."""
    return None if lead is None else names[lead < 0] if lead else TIED


def free(name: str, taken: Iterable[str]) -> str:
    """A name for a column of the table that gives way to a score."""
    name = f"input_{name}"
    while name in taken:
        name = f"input_{name}"
    return name
