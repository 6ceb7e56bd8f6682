"""The columns of a scored file: those of the table as they were, then each metric's scores and why a row has none; of
several systems the scores of all, the others' answers, and which of them won the row.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from lens.experiment.answers import Answer
from lens.inference.intervals import TIE
from lens.inference.recalibration import Recalibration
from lens.scoring.catalog import BY_NAME, series_of
from lens.scoring.row_scores import Scored
from lens.tables.cells import Kind

Scores = Mapping[str, float | None]
WON_BY, TIED, READ, ANSWER, FITTED = "won_by", "tied", "scored_answer", "answer", "_recalibrated"


class ScoredFileSchema:
    """The columns of a scored file.

    A column of the table that has the name of a score is called input_<name>, for instance where a scored file is
    scored again. Of several systems, of which the table is the first, the `names` stand in brackets behind those of the
    scores; `answers`: those of the others are added, for they stand in files of their own; `read`: what was scored of
    an answer is added where something of it was left out; `recalibration`: so is the estimate fitted to verdicts.
    """

    def __init__(
        self, kinds: Mapping[str, Kind], metrics: Sequence[str], names: Sequence[str] = (), answers: bool = False,
        read: bool = False, recalibration: Recalibration | None = None,
    ) -> None:  # fmt: skip
        self.metrics, self.names, self.answers = list(metrics), list(names), answers
        self.recalibration = recalibration
        self.own, *self.others = [f" ({name})" for name in names] or [""]
        self.read = f"{READ}{self.own}" if read else ""
        own: dict[str, Kind] = {self.read: "text"} if read else {}
        for metric in self.metrics:
            keys = self.with_fitted(dict.fromkeys(series.key for series in series_of([metric])))
            own |= {f"{key}{self.own}": "number" for key in keys}
            own |= {f"{metric}_{part}{self.own}": "text" for part in said_by(metric)}
        every = [series.key for metric in self.metrics for series in series_of([metric])]
        for other in self.others:
            own |= {f"{ANSWER}{other}": "text"} if answers else {}
            own |= {f"{key}{other}": "number" for key in self.with_fitted(dict.fromkeys(every))}
        own |= {WON_BY: "text"} if self.others else {}
        self.renamed = {name: free(name, {*kinds, *own}) for name in kinds if name in own}
        self.kinds: dict[str, Kind] = {self.renamed.get(name, name): kind for name, kind in kinds.items()} | own

    def row(
        self,
        row: Mapping[str, Any],
        scored: Mapping[str, Scored],
        item: Answer | None = None,
        others: Sequence[tuple[Scores, str | None]] = (),
    ) -> dict[str, Any]:
        """One row of the scored file: the table's own, its scores by metric, the other systems' by series with their
        answers; the `item` where what was scored of its answer is told.
        """
        cells = {self.renamed.get(name, name): cell for name, cell in row.items()}
        if self.read:
            cells[self.read] = item.prediction if item and item.raw_prediction else None
        scores: dict[str, float | None] = {}
        for metric in self.metrics:
            one = scored[metric]
            scores |= {series.key: value for series, value in zip(series_of([metric]), one.values, strict=True)}
            cells |= {f"{metric}_{part}{self.own}": getattr(one, part) or None for part in said_by(metric)}
        cells |= {f"{key}{self.own}": value for key, value in self.with_fitted(scores).items()}
        for name, (theirs, answer) in zip(self.others, others, strict=True):
            cells |= {f"{ANSWER}{name}": answer} if self.answers else {}
            cells |= {f"{key}{name}": value for key, value in self.with_fitted(theirs).items()}
        if self.others:
            cells[WON_BY] = won_by(self.metrics, [scores, *(theirs for theirs, _ in others)], self.names)
        return cells

    def with_fitted(self, scores: Scores) -> dict[str, float | None]:
        """Scores with the estimate fitted to verdicts, where there is one of both."""
        found = dict(scores)
        for metric in self.metrics:
            if self.recalibration and BY_NAME[metric].estimate and metric in scores:
                estimate = scores[metric]
                found[f"{metric}{FITTED}"] = None if estimate is None else self.recalibration.recalibrate(estimate)
        return found


def said_by(metric: str) -> tuple[str, ...]:
    """What a judge says of a row besides its score; of an estimate what it may be taken for, and statements."""
    if BY_NAME[metric].estimate:
        return "interpretation", "statements"
    if not BY_NAME[metric].judge:
        return ()
    return ("reason", "message", "reasoning") if BY_NAME[metric].judge_writes else ("reason", "message")


def lead(metrics: Iterable[str], first: Scores, second: Scores) -> int | None:
    """By how many more metrics the first system has the higher score in a row; below 0, the second has. None where no
    metric has scored both.
    """
    pairs = [(first.get(one.key), second.get(one.key)) for one in series_of(metrics) if one.primary]
    both = [one - other for one, other in pairs if one is not None and other is not None]
    return sum((one > TIE) - (one < -TIE) for one in both) if both else None


def won_by(metrics: Iterable[str], scores: Sequence[Scores], names: Sequence[str]) -> str | None:
    """Which system won a row: it is ahead of each other one by more metrics than behind. None where no two can be
    compared.
    """
    metrics, found = list(metrics), False
    for place, own in enumerate(scores):
        leads = [lead(metrics, own, other) for at, other in enumerate(scores) if at != place]
        there = [one for one in leads if one is not None]
        found = found or bool(there)
        if there and min(there) > 0:
            return names[place]
    return TIED if found else None


def answers_in(texts: Sequence[str | None]) -> str | None:
    """What a system answered, in one cell: several answers as a list in JSON."""
    return texts[0] if len(texts) == 1 else json.dumps(texts, ensure_ascii=False)


def free(name: str, taken: Iterable[str]) -> str:
    """A name for a column of the table that gives way to a score."""
    name = f"input_{name}"
    while name in taken:
        name = f"input_{name}"
    return name
