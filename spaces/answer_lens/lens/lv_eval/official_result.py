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

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from typing import Any

from lens.lv_eval.predictions import BadRun, Predictions, from_disk
from lens.lv_eval.tasks import DATASETS, LENGTHS, TASKS, Metric
from lens.scoring.modules import Unavailable, fresh_module
from lens.words import say, sentences

# Rows that are scored before progress is told again, and a chunk's characters: long texts take longer.
CHUNK_ROWS, CHUNK_CHARACTERS = 100, 50_000

Cell = tuple[str, str]


@dataclass
class Official:
    """The result: of each dataset and length the score and the number of rows, in the order of the files.

    `keys` are those of result.json; `unlike` counts the rows whose keywords normalize to nothing, which stop the
    original.
    """

    keys: dict[Cell, str] = field(default_factory=dict)
    scores: dict[Cell, float] = field(default_factory=dict)
    rows: dict[Cell, int] = field(default_factory=dict)
    signatures: dict[Metric, str] = field(default_factory=dict)
    unlike: int = 0

    @property
    def complete(self) -> bool:
        """Whether every dataset is there at every length."""
        return len(self.scores) == len(DATASETS) * len(LENGTHS)

    @property
    def partial(self) -> Sequence[Cell]:
        """The datasets and lengths whose files have another number of rows than LV-Eval."""
        return [cell for cell, rows in self.rows.items() if rows != TASKS[cell[0]].rows]

    @property
    def signed(self) -> Sequence[str]:
        """The signatures of the metrics, each once."""
        return list(dict.fromkeys(self.signatures.values()))

    def score(self, dataset: str, length: str) -> float | None:
        """The score of one file, in 0..100; None where there is none."""
        return self.scores.get((dataset, length))

    def average(self, datasets: Sequence[str] = DATASETS, lengths: Sequence[str] = LENGTHS) -> float | None:
        """The mean of the scores that are there, of these datasets and lengths; None where there is none."""
        found = [self.scores[cell] for cell in ((d, n) for d in datasets for n in lengths) if cell in self.scores]
        return fmean(found) if found else None

    def coverage(self) -> str:
        """How much of LV-Eval is there, in words."""
        total = len(DATASETS) * len(LENGTHS)
        there = say("lv_complete") if self.complete else say("lv_incomplete", count=len(self.scores), total=total)
        return sentences(there, say("lv_partial", count=len(self.partial)) if self.partial else "")


@dataclass(frozen=True)
class Step:
    """How far the scoring has come: the file, which of how many it is, its rows, and the result of the files so far."""

    name: str
    number: int
    files: int
    done: int
    rows: int
    result: Official


def scored(files: Sequence[Predictions]) -> Iterator[Step]:
    """Score these files, with a step before the first row of each and after every chunk; the last has the result.

    Raises BadRun where a metric is not there or lacks a package.
    """
    result = Official()
    for number, file in enumerate(files, 1):
        cell, rows, total = (file.dataset, file.length), len(file.predictions), 0.0
        yield Step(file.name, number, len(files), 0, rows, result)
        metric = TASKS[file.dataset].metric
        for start, end in chunks(file):
            found = computed(metric, file, start, end)
            for entry, reference in zip(found["per_example"], file.references[start:end], strict=True):
                total += entry["score"]  # one after the other, as the original: sum() may compensate
                result.unlike += stops_original(metric, entry, reference)
            result.signatures[metric] = found["signature"]
            if end == rows:
                result.keys[cell], result.rows[cell] = file.key, rows
                result.scores[cell] = round(100 * total / rows, 2)
            yield Step(file.name, number, len(files), end, rows, result)


def stops_original(metric: Metric, entry: Mapping[str, Any], reference: str) -> bool:
    """Whether the original divides by zero on a row: its keywords, or the reference in their place, hold no word."""
    in_place = metric.language == "zh" and entry.get("gate") == "none" and bool(reference)
    return bool(metric.gate) and (entry["note"] is not None or in_place)


def chunks(file: Predictions) -> Iterator[tuple[int, int]]:
    """First row and end of each part of a file that is scored at once."""
    start = characters = 0
    for end, texts in enumerate(zip(file.predictions, file.references, strict=True), 1):
        characters += sum(map(len, texts))
        if end - start == CHUNK_ROWS or characters >= CHUNK_CHARACTERS or end == len(file.predictions):
            yield start, end
            start, characters = end, 0


def computed(metric: Metric, file: Predictions, start: int, end: int) -> Mapping[str, Any]:
    """What the module of a metric says of some rows, or BadRun where it cannot be had."""
    arguments: dict[str, Any] = {"predictions": file.predictions[start:end], "references": file.references[start:end]}
    if metric.gate is not None:
        arguments |= {"language": metric.language, "keyword_gate": metric.gate}
    if metric.gate:
        arguments["answer_keywords"] = file.keywords[start:end]
    try:
        result: Mapping[str, Any] = fresh_module(metric.module).compute(**arguments, per_example="brief")
    except Unavailable:
        raise BadRun(say("unavailable", name=metric.module)) from None
    except ImportError as error:
        raise BadRun(say("package_missing", message=error)) from None
    return result


def command(path: str | Path, out: str | Path | None = None) -> int:
    """Score the prediction files of a folder or a zip, print the table, and write result.json and result.csv.

    They go into `out`, by default the folder eval_result beside the files, as in the original; of a zip, beside it in a
    folder of its name. Returns 0; raises BadRun, with words for the reader, where something is wrong with a file.
    """
    from lens.lv_eval import export

    place = Path(path)
    folder = Path(out) if out is not None else (place if place.is_dir() else place.with_suffix("")) / "eval_result"
    found = Official()
    for step in scored(from_disk(place)):
        found = step.result
        if step.done == step.rows:
            line = say("lv_step", number=step.number, files=step.files, name=step.name, rows=step.rows)
            print(line, file=sys.stderr, flush=True)
    print(export.plain(found))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in (("result.json", export.result_json(found)), ("result.csv", export.result_csv(found))):
            (folder / name).write_text(text, "utf-8", newline="")
    except OSError as error:
        raise BadRun(say("lv_unwritable", path=folder, error=error.strerror)) from None
    print(say("lv_written", folder=folder))
    return 0
