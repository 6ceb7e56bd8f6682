"""Reads the answers of one system with their scores, one by one, for the exports."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lens.experiment.answers import Answer
from lens.scoring.catalog import Series, list_series
from lens.scoring.row_scores import RowResult
from lens.study.scored_file import list_metric_parts
from lens.tables.file_reading import Row

if TYPE_CHECKING:
    from lens.study.study import Study


@dataclass(frozen=True)
class ScoredAnswer:
    """One answer with the result of each metric.

    Attributes:
        place: the row of the answer in the table, from 0.
        cells: the cells of the row.
        answer: the scored answer.
        scored: the result of each metric.
    """

    place: int
    cells: Row
    answer: Answer
    scored: Mapping[str, RowResult]

    def list_scores(self) -> list[tuple[Series, float | None]]:
        """Return each series with its score; None if there is no score."""
        scores: list[tuple[Series, float | None]] = []
        for metric, scored in self.scored.items():
            scores += zip(list_series([metric]), scored.values, strict=True)
        return scores

    def list_remarks(self, metric: str) -> dict[str, str]:
        """Return a judge's texts on the answer, or the interpretation of an estimate."""
        remarks = {}
        for part in list_metric_parts(metric):
            text = getattr(self.scored[metric], part)
            if text:
                remarks[part] = text
        return remarks


def read_scored_answers(study: Study, system: int) -> Iterator[ScoredAnswer]:
    """Yield the answers of a system with their scores; its table is read once, in order.

    Args:
        study: the scored study.
        system: the number of the system in the study, from 0.
    """
    import numpy as np

    assert study.store is not None, "results of blocks are kept"
    table_number = study.systems[system].table
    table = study.tables[table_number]
    is_of_system = np.zeros(len(table), dtype=bool)
    is_of_system[study.systems[system].positions] = True
    rows = enumerate(table.source.rows_with_answers())
    for result in study.store.results(table_number):
        for number in range(result.rows):
            place, (cells, answer) = next(rows)
            if is_of_system[place]:
                yield ScoredAnswer(place, cells, answer, result.find_row(number))
    table.source.check_unchanged(next(rows, None))


def list_signatures(study: Study, system: int) -> dict[str, str]:
    """Return the signature of each metric that has one, for the table of a system."""
    table = study.tables[study.systems[system].table]
    signatures = {}
    for metric in table.scores.metrics:
        signature = table.scores.join_notes(metric).join_signatures()
        if signature:
            signatures[metric] = signature + table.index.notes.make_signature_part()
    return signatures


def join_texts(texts: Sequence[str]) -> str:
    """Return texts with an empty line between them."""
    return "\n\n".join(text for text in texts if text)
