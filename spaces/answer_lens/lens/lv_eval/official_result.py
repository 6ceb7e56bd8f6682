"""The official LV-Eval result of a run's prediction files: every dataset with its metric, at every length.

Original: evaluation.py of github.com/infinigence/LVEval at 63e7ae9. A file's score is 100 times the mean of its rows,
rounded to two digits. Averages are those of the rounded scores, so that a reader can work them out from the table; what
has no file has no score and enters no average.

Differences from the original:
- In dureader the original gives 0 to a pair of long texts, because a RecursionError is swallowed; here it gets its true
  score (see lv_eval_rouge).
- Keywords of which normalization leaves nothing divide by zero there; here the row counts as having none (see
  lv_eval_f1).
- A file that would stop the original half-way is named with line and value, and nothing is scored.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any, NamedTuple

from lens.lv_eval.predictions import Predictions
from lens.lv_eval.tasks import DATASETS, LENGTHS, TASKS, Task
from lens.scoring.catalog import BY_NAME
from lens.scoring.failures import compute_failure
from lens.scoring.modules import Unavailable, fresh_module
from lens.tables.roles import BadTable
from lens.words import say, sentences

# Rows that are scored before progress is told again.
CHUNK_ROWS = 50

Cell = tuple[str, str]


@dataclass
class Official:
    """The result: of each dataset and length the score and the number of rows, in the order of the files.

    `keys` are those of result.json; `signed` are the signatures of the metrics; `unlike` counts the rows whose keywords
    normalize to nothing, which stop the original.
    """

    keys: dict[Cell, str] = field(default_factory=dict)
    scores: dict[Cell, float] = field(default_factory=dict)
    rows: dict[Cell, int] = field(default_factory=dict)
    signed: list[str] = field(default_factory=list)
    unlike: int = 0

    @property
    def complete(self) -> bool:
        """Whether every dataset is there at every length."""
        return len(self.scores) == len(DATASETS) * len(LENGTHS)

    @property
    def partial(self) -> Sequence[Cell]:
        """The datasets and lengths whose files have another number of rows than LV-Eval."""
        return [cell for cell, rows in self.rows.items() if rows != TASKS[cell[0]].rows]

    def average(self, datasets: Iterable[str] = DATASETS, lengths: Sequence[str] = LENGTHS) -> float | None:
        """The mean of the scores that are there, of these datasets and lengths; None where there is none."""
        found = [self.scores[cell] for cell in ((d, n) for d in datasets for n in lengths) if cell in self.scores]
        return fmean(found) if found else None

    def coverage(self) -> str:
        """How much of LV-Eval is there, in words."""
        total = len(DATASETS) * len(LENGTHS)
        there = say("lv_complete") if self.complete else say("lv_incomplete", count=len(self.scores), total=total)
        return sentences(there, say("lv_partial", count=len(self.partial)) if self.partial else "")


class Step(NamedTuple):
    """How far the scoring has come: the file, which of how many it is, its rows, and the result of the files so far."""

    name: str
    number: int
    files: int
    done: int
    rows: int
    result: Official


def scored(files: Sequence[Predictions]) -> Iterator[Step]:
    """Score these files, with a step before the first row of each and after every chunk; the last has the result.

    Raises BadTable where a metric is not there or lacks a package.
    """
    result = Official()
    for number, file in enumerate(files, 1):
        cell, rows, total = (file.dataset, file.length), len(file.predictions), 0.0
        yield Step(file.name, number, len(files), 0, rows, result)
        task = TASKS[file.dataset]
        for start in range(0, rows, CHUNK_ROWS):
            chunk = slice(start, min(start + CHUNK_ROWS, rows))
            found = computed(task, file, chunk)
            for entry, reference in zip(found["per_example"], file.references[chunk], strict=True):
                total += entry["score"]  # one after the other, as the original: sum() may compensate
                result.unlike += stops_original(task, entry, reference)
            if found["signature"] not in result.signed:
                result.signed.append(found["signature"])
            if chunk.stop == rows:
                result.keys[cell], result.rows[cell] = file.key, rows
                result.scores[cell] = round(100 * total / rows, 2)
            yield Step(file.name, number, len(files), chunk.stop, rows, result)


def stops_original(task: Task, entry: Mapping[str, Any], reference: str) -> bool:
    """Whether the original divides by zero on a row: its keywords, or the reference in their place, hold no word."""
    in_place = task.language == "zh" and entry.get("gate") == "none" and bool(reference)
    return bool(task.gate) and (entry["note"] is not None or in_place)


def computed(task: Task, file: Predictions, chunk: slice) -> Mapping[str, Any]:
    """What the module of a dataset says of some rows, or BadTable where it cannot be had."""
    arguments: dict[str, Any] = {"predictions": file.predictions[chunk], "references": file.references[chunk]}
    if task.gate is not None:
        arguments |= {"language": task.language, "keyword_gate": task.gate}
    if task.gate:
        arguments["answer_keywords"] = file.keywords[chunk]
    try:
        return dict(fresh_module(task.module).compute(**arguments, per_example="brief"))
    except (Unavailable, ImportError) as error:
        raise BadTable(compute_failure(BY_NAME[task.module], error).message) from None
