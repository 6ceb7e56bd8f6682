"""The columns of a scored file: those of the table as they were, then each metric's scores and why a row has none."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from lens.scoring.catalog import BY_NAME, series_of
from lens.scoring.rows import Scored
from lens.tables.cells import Kind

AGAINST = "_against"


class Layout:
    """The columns of a scored file.

    A column of the table that has the name of a score is called input_<name>, for instance where a scored file is
    scored again. `against`: each score has one of the second system beside it.
    """

    def __init__(self, kinds: Mapping[str, Kind], metrics: Sequence[str], against: bool = False) -> None:
        self.metrics = list(metrics)
        self.against = against
        own: dict[str, Kind] = {}
        for metric in self.metrics:
            own |= dict.fromkeys((series.key for series in series_of([metric])), "number")
            if BY_NAME[metric].judge:
                own |= {f"{metric}_reason": "text", f"{metric}_message": "text"}
            if metric == "eve_judge":
                own |= {"eve_judge_reasoning": "text"}
        if against:
            own |= {f"{series.key}{AGAINST}": "number" for series in series_of(self.metrics)}
        self.renamed = {name: free(name, {*kinds, *own}) for name in kinds if name in own}
        self.kinds: dict[str, Kind] = {self.renamed.get(name, name): kind for name, kind in kinds.items()} | own

    def row(
        self, row: Mapping[str, Any], scored: Mapping[str, Scored], other: Mapping[str, float | None] | None = None
    ) -> dict[str, Any]:
        """One row of the scored file: the table's own, its scores by metric, those of the second system by series."""
        cells = {self.renamed.get(name, name): cell for name, cell in row.items()}
        for metric in self.metrics:
            one = scored[metric]
            cells |= {series.key: value for series, value in zip(series_of([metric]), one.values, strict=True)}
            if BY_NAME[metric].judge:
                cells |= {f"{metric}_reason": one.reason or None, f"{metric}_message": one.message or None}
            if metric == "eve_judge":
                cells["eve_judge_reasoning"] = one.reasoning or None
        return cells | {f"{key}{AGAINST}": value for key, value in (other or {}).items()}


def free(name: str, taken: Iterable[str]) -> str:
    """A name for a column of the table that gives way to a score."""
    name = f"input_{name}"
    while name in taken:
        name = f"input_{name}"
    return name
