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

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any, NamedTuple

import numpy
import pandas

from lens.lv_eval.predictions import Predictions
from lens.lv_eval.tasks import DATASETS, LENGTHS, ROWS, TASKS, Task
from lens.scoring.catalog import BY_NAME
from lens.scoring.failures import compute_failure
from lens.scoring.modules import Unavailable, fresh_module
from lens.words import join_sentences, say
from lens.words.notes import UserError

# Rows that are scored before others have their turn, and the characters that end them before.
CHUNK_ROWS, CHUNK_CHARACTERS = 50, 20_000
# The last column of the table.
AVERAGE = "average"

Cell = tuple[str, str]


@dataclass
class Official:
    """The result.

    Attributes:
        scores: the score of each dataset and length, in the order of the files.
        rows: how many rows each has.
        signed: the signatures of the metrics.
        unlike: how many rows have keywords that normalize to nothing, which stop the original.
    """

    scores: dict[Cell, float] = field(default_factory=dict)
    rows: dict[Cell, int] = field(default_factory=dict)
    signed: list[str] = field(default_factory=list)
    unlike: int = 0

    @property
    def complete(self) -> bool:
        """Whether every dataset is there at every length."""
        return len(self.scores) == len(DATASETS) * len(LENGTHS)

    @property
    def partial(self) -> list[dict[str, Any]]:
        """The datasets and lengths whose files have another number of rows than the one wanted, LV-Eval's."""
        partial = []
        for (dataset, length), rows in self.rows.items():
            wanted = TASKS[dataset].rows
            if rows != wanted:
                partial.append({"dataset": dataset, "length": length, "rows": rows, "wanted": wanted})
        return partial

    @property
    def table(self) -> pandas.DataFrame:
        """A row for each dataset, a column for each length, both in the order of their first file."""
        lengths = [*dict.fromkeys(length for _, length in self.scores)]
        rows = {name: [self.scores.get((name, one), math.nan) for one in lengths] for name, _ in self.scores}
        return pandas.DataFrame.from_dict(rows, orient="index", columns=lengths)

    def coverage(self) -> str:
        """Return how much of LV-Eval is there, in words."""
        told = say("lv_eval.complete")
        if not self.complete:
            told = say("lv_eval.incomplete", count=len(self.scores), total=len(DATASETS) * len(LENGTHS))
        return join_sentences(told, say("lv_eval.partial", count=len(self.partial))) if self.partial else told


def add_averages(scores: pandas.DataFrame) -> pandas.DataFrame:
    """Return the whole table of scores by dataset and length, with the averages of lines and of kinds of datasets.

    What is missing enters no average.
    """
    rows, every = {}, scores.reindex(index=DATASETS, columns=LENGTHS).to_numpy(float)
    for name, datasets in ROWS.items():
        cells = every[numpy.isin(DATASETS, datasets)]
        rows[name] = [average_known(some) for some in (*cells.T, cells)]
    return pandas.DataFrame.from_dict(rows, orient="index", columns=[*LENGTHS, AVERAGE])


def average_known(scores: numpy.ndarray[Any, Any]) -> float:
    """Return the mean of the scores that there are; NaN of none."""
    known = scores[~numpy.isnan(scores)]
    return fmean(known) if len(known) else math.nan


class Step(NamedTuple):
    """How far the scoring has come: the file, which of how many it is, its rows, and the result of the files so far."""

    name: str
    number: int
    files: int
    done: int
    rows: int
    result: Official


def score_files(files: Sequence[Predictions]) -> Iterator[Step]:
    """Score these files, with a step before the first row of each and after every chunk; the last has the result.

    Raises:
        UserError: a metric is not there, or lacks a package.
    """
    result = Official()
    for number, file in enumerate(files, 1):
        cell, rows, total = (file.dataset, file.length), len(file.predictions), 0.0
        yield Step(file.name, number, len(files), 0, rows, result)
        task = TASKS[file.dataset]
        for chunk in split_rows(file):
            found = score_rows(task, file, chunk)
            given = zip(found["per_example"], file.references[chunk], file.keywords[chunk], strict=True)
            for entry, reference, keywords in given:
                total += entry["score"]  # one after the other, as the original: sum() may compensate
                result.unlike += stops_original(task, entry, reference, keywords)
            if found["signature"] not in result.signed:
                result.signed.append(found["signature"])
            if chunk.stop == rows:
                result.rows[cell], result.scores[cell] = rows, round(100 * total / rows, 2)
            yield Step(file.name, number, len(files), chunk.stop, rows, result)


def split_rows(file: Predictions) -> Iterator[slice]:
    """Yield the places of rows that are scored together, before others have their turn."""
    start = characters = 0
    for end, texts in enumerate(zip(file.predictions, file.references, strict=True), 1):
        characters += sum(map(len, texts))
        if end - start == CHUNK_ROWS or characters >= CHUNK_CHARACTERS or end == len(file.predictions):
            yield slice(start, end)
            start, characters = end, 0


def stops_original(task: Task, entry: Mapping[str, Any], reference: str, keywords: str) -> bool:
    """Return whether the original divides by zero on a row: its keywords, or the reference instead, hold no word."""
    if not task.gate:
        return False
    if keywords:
        return bool(entry["gate"] != "answer_keywords")
    return task.language == "zh" and entry["gate"] == "none" and bool(reference)


def score_rows(task: Task, file: Predictions, chunk: slice) -> Mapping[str, Any]:
    """Return what the module of a dataset says of some rows.

    Raises:
        UserError: the module cannot be had.
    """
    arguments: dict[str, Any] = {"predictions": file.predictions[chunk], "references": file.references[chunk]}
    if task.gate is not None:
        arguments |= {"language": task.language, "keyword_gate": task.gate}
    if task.gate:
        arguments["answer_keywords"] = file.keywords[chunk]
    try:
        return dict(fresh_module(task.module).compute(**arguments, per_example="brief"))
    except (Unavailable, ImportError) as error:
        raise UserError("page.as_it_is", text=compute_failure(BY_NAME[task.module], error).message) from None
