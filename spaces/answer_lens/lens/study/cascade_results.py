"""A table of the numbers of rows that the estimate settled and that a judge decided."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from lens.scoring.cascade import SETTLED
from lens.scoring.catalog import BY_NAME, CASCADE
from lens.scoring.metric_notes import MetricNotes
from lens.study.measures import Row

if TYPE_CHECKING:
    from lens.study.study import Study


def list_cascades(study: Study, notes: Sequence[Mapping[str, MetricNotes]]) -> Iterator[Row]:
    """Yield the numbers of rows of each system that the estimate and the judge decided.

    There are no rows if a judge was asked about all answers.

    Args:
        study: the scored study.
        notes: the notes of each metric on each table.
    """
    import numpy as np

    for system in study.systems:
        scores = study.tables[system.table].scores
        if CASCADE.name not in scores.metrics:
            continue
        judge = next(name for name in scores.metrics if BY_NAME[name].judge)
        reasons = scores.reasons[judge]
        settled = [reasons.get(row) == SETTLED for row in system.positions.tolist()]
        is_settled = np.array(settled, dtype=bool)
        verdicts = scores.columns[CASCADE.name][system.positions]
        has_verdict = ~np.isnan(verdicts)
        judged = verdicts[~is_settled & has_verdict]
        judge_notes = notes[system.table][judge]
        yield {
            "system": system.name,
            "judge": judge,
            "settled_right": int(np.sum(verdicts[is_settled] == 1)),
            "settled_wrong": int(np.sum(verdicts[is_settled] == 0)),
            "judged": len(judged),
            "judge_mean": float(judged.mean()) if len(judged) else None,
            "undecided": int(np.sum(~has_verdict)),
            "cost": judge_notes.cost,
            "saved": judge_notes.saved_cost,
        }
