"""Computes the official LV-Eval result of a run's prediction files.

Original: evaluation.py of github.com/infinigence/LVEval at 63e7ae9. A file's score is 100 times the
mean of its rows, rounded to two digits. Averages are computed from the rounded scores, so a reader
can verify them. A dataset and length without a file has no score, and is left out of averages.

Differences from the original:

- In dureader, the original gives 0 to a pair of long texts, because it ignores a RecursionError.
  Here the pair gets its true score (see lv_eval_rouge).
- If normalization removes all words of the keywords, the original divides by zero. Here the row
  counts as one without keywords (see lv_eval_f1).
- If a file would stop the original half-way, the message names the line and the value, and nothing
  is scored.
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
from lens.scoring.failures import describe_failure
from lens.scoring.modules import ModuleUnavailable, make_module
from lens.words import join_sentences, say
from lens.words.notes import UserError

# A chunk of rows is scored at once; between two chunks, other visitors are served. It ends after so
# many rows, or earlier after so many characters.
CHUNK_ROWS, CHUNK_CHARACTERS = 50, 20_000
# The number of files in a complete run.
ALL_FILES = len(DATASETS) * len(LENGTHS)
# The last column of the table.
AVERAGE = "average"

# A cell of the table: a dataset and a length.
Cell = tuple[str, str]


@dataclass
class OfficialResult:
    """The official result.

    Attributes:
        scores: the score of each dataset and length, in the order of the files.
        rows: the number of rows of each dataset and length.
        signatures: the signatures of the metrics.
        rows_that_stop_original: the number of rows on which the original divides by zero.
    """

    scores: dict[Cell, float] = field(default_factory=dict)
    rows: dict[Cell, int] = field(default_factory=dict)
    signatures: list[str] = field(default_factory=list)
    rows_that_stop_original: int = 0

    @property
    def is_complete(self) -> bool:
        """True if there is a score for every dataset at every length."""
        return len(self.scores) == ALL_FILES

    @property
    def incomplete_files(self) -> list[dict[str, Any]]:
        """The files whose number of rows differs from that of LV-Eval."""
        files = []
        for (dataset, length), rows in self.rows.items():
            wanted = TASKS[dataset].rows
            if rows != wanted:
                file = {"dataset": dataset, "length": length, "rows": rows, "wanted": wanted}
                files.append(file)
        return files

    @property
    def table(self) -> pandas.DataFrame:
        """The scores: one row per dataset, one column per length, in the order of the files."""
        lengths = list(dict.fromkeys(length for _, length in self.scores))
        rows = {}
        for dataset, _ in self.scores:
            rows[dataset] = [self.scores.get((dataset, length), math.nan) for length in lengths]
        return pandas.DataFrame.from_dict(rows, orient="index", columns=lengths)

    def describe_coverage(self) -> str:
        """Return sentences that say whether the result covers all of LV-Eval."""
        notes = []
        if self.is_complete:
            notes.append(say("lv_eval.complete"))
        else:
            notes.append(say("lv_eval.incomplete", count=len(self.scores), total=ALL_FILES))
        if self.incomplete_files:
            notes.append(say("lv_eval.partial", count=len(self.incomplete_files)))
        return join_sentences(*notes)


def add_averages(scores: pandas.DataFrame) -> pandas.DataFrame:
    """Return the table of scores with averages over lengths and over kinds of datasets.

    Missing scores are left out of averages.
    """
    all_scores = scores.reindex(index=DATASETS, columns=LENGTHS).to_numpy(float)
    rows = {}
    for name, datasets in ROWS.items():
        scores_of_row = all_scores[numpy.isin(DATASETS, datasets)]
        by_length = [average_scores(column) for column in scores_of_row.T]
        rows[name] = [*by_length, average_scores(scores_of_row)]
    return pandas.DataFrame.from_dict(rows, orient="index", columns=[*LENGTHS, AVERAGE])


def average_scores(scores: numpy.ndarray[Any, Any]) -> float:
    """Return the mean of the scores that are not NaN; NaN if there are none."""
    known = scores[~numpy.isnan(scores)]
    return fmean(known) if len(known) else math.nan


class Step(NamedTuple):
    """The progress of scoring.

    Attributes:
        name: the name of the file.
        number: the number of the file, from 1.
        files: the number of files.
        done: the number of scored rows in the file.
        rows: the number of rows in the file.
        result: the result of the files so far.
    """

    name: str
    number: int
    files: int
    done: int
    rows: int
    result: OfficialResult


def score_files(files: Sequence[Predictions]) -> Iterator[Step]:
    """Score files, and yield a step before the first row of each file and after every chunk.

    The last step has the complete result.

    Raises:
        UserError: a metric or one of its packages is missing.
    """
    result = OfficialResult()
    for number, file in enumerate(files, 1):
        for done in score_file(file, result):
            yield Step(file.name, number, len(files), done, len(file.predictions), result)


def score_file(file: Predictions, result: OfficialResult) -> Iterator[int]:
    """Score a file, and yield 0 and then the number of scored rows after every chunk."""
    task = TASKS[file.dataset]
    cell = (file.dataset, file.length)
    rows = len(file.predictions)
    total = 0.0
    yield 0
    for chunk in split_rows(file):
        computed = score_rows(task, file, chunk)
        entries = zip(
            computed["per_example"], file.references[chunk], file.keywords[chunk], strict=True
        )
        for entry, reference, keywords in entries:
            # Added one by one, as in the original, because sum() may correct rounding errors.
            total += entry["score"]
            result.rows_that_stop_original += stops_original(task, entry, reference, keywords)
        if computed["signature"] not in result.signatures:
            result.signatures.append(computed["signature"])
        is_file_scored = chunk.stop == rows
        if is_file_scored:
            result.rows[cell] = rows
            result.scores[cell] = round(100 * total / rows, 2)
        yield chunk.stop


def split_rows(file: Predictions) -> Iterator[slice]:
    """Yield the chunks of a file, as slices of its rows."""
    start = 0
    characters = 0
    pairs = zip(file.predictions, file.references, strict=True)
    for end, (prediction, reference) in enumerate(pairs, 1):
        characters += len(prediction) + len(reference)
        is_full = end - start == CHUNK_ROWS or characters >= CHUNK_CHARACTERS
        if is_full or end == len(file.predictions):
            yield slice(start, end)
            start = end
            characters = 0


def stops_original(
    task: Task,
    entry: Mapping[str, Any],
    reference: str,
    keywords: str,
) -> bool:
    """Return whether the original divides by zero on a row.

    It does if normalization leaves no word of the keywords. In Chinese, it also does if no word is
    left of the reference, which the original uses in place of missing keywords.
    """
    if not task.gate:
        return False
    if keywords:
        return bool(entry["gate"] != "answer_keywords")
    return task.language == "zh" and entry["gate"] == "none" and bool(reference)


def score_rows(task: Task, file: Predictions, chunk: slice) -> Mapping[str, Any]:
    """Return the result of a dataset's module for a chunk of rows.

    Raises:
        UserError: the module cannot be loaded.
    """
    arguments: dict[str, Any] = {
        "predictions": file.predictions[chunk],
        "references": file.references[chunk],
        "per_example": "brief",
    }
    if task.gate is not None:
        arguments["language"] = task.language
        arguments["keyword_gate"] = task.gate
    if task.gate:
        arguments["answer_keywords"] = file.keywords[chunk]
    try:
        module = make_module(task.module)
        return dict(module.compute(**arguments))
    except (ModuleUnavailable, ImportError) as error:
        failure = describe_failure(BY_NAME[task.module], error)
        raise UserError("page.as_it_is", text=failure.message) from None
