"""The results that LV-Eval's authors published for ten models, in percent, beside a run.

Source: README.md of github.com/infinigence/LVEval at 25aebcb, "Overall Result" and "Detail Result on Each Dataset"
(data/lv_eval_published.csv); it writes loogle-MR for the dataset whose files are named loogle_MIR. Its tables agree
with each other to the rounding of the last digit but for one figure, which stands in INCONSISTENT.

Like is compared with like: where a run lacks datasets or lengths, the averages of the models are over the same ones.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean

from lens import DATA
from lens.lv_eval.official_result import Official
from lens.lv_eval.tasks import DATASETS, LENGTHS

COMMIT = "25aebcb36acbbb8338712736cfdd31e06e236df5"
SOURCE = f"https://github.com/infinigence/LVEval/blob/{COMMIT}/README.md"
FILE = DATA / "lv_eval_published.csv"
# What the file calls the averages over the eleven datasets, and the column of those over the five lengths.
OVERALL, AVERAGE = "overall", "average"
# The five figures of ChatGLM3-6B-32k on multifieldqa_zh_mixup have the mean 18.976; the README's average is 18.99.
INCONSISTENT = (("ChatGLM3-6B-32k", "multifieldqa_zh_mixup"),)

Figures = Sequence[float | None]


def figures() -> dict[str, dict[str, dict[str, float]]]:
    """The figures of the file by model, dataset and length."""
    found: dict[str, dict[str, dict[str, float]]] = {}
    with FILE.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            model, dataset = row.pop("model"), row.pop("dataset")
            found.setdefault(model, {})[dataset] = {name: float(cell) for name, cell in row.items() if cell}
    return found


PUBLISHED: Mapping[str, Mapping[str, Mapping[str, float]]] = figures()
MODELS = tuple(PUBLISHED)


def mean(values: Iterable[float]) -> float | None:
    """The mean; None of nothing."""
    found = list(values)
    return fmean(found) if found else None


def length_average(model: str, found: Official, length: str) -> float | None:
    """A model's average at a length: the published one, or where the run lacks datasets there, that over the same."""
    datasets = [name for name in DATASETS if found.score(name, length) is not None]
    if len(datasets) == len(DATASETS):
        return PUBLISHED[model][OVERALL][length]
    return mean(PUBLISHED[model][name][length] for name in datasets)


def dataset_average(model: str, found: Official, name: str) -> float | None:
    """A model's average on a dataset: the published one, or where the run lacks lengths there, that over the same."""
    lengths = [length for length in LENGTHS if found.score(name, length) is not None]
    if len(lengths) in (0, len(LENGTHS)):
        return PUBLISHED[model][name][AVERAGE]
    return mean(PUBLISHED[model][name][length] for length in lengths)


def total_average(model: str, found: Official) -> float | None:
    """A model's average over the datasets and lengths that the run has."""
    if found.complete:
        return fmean(PUBLISHED[model][OVERALL].values())
    return mean(PUBLISHED[model][name][length] for name, length in found.scores)


def standings(found: Official, own: str) -> list[tuple[str, Figures]]:
    """The run and the ten models with their averages by length and the average of all, best first."""
    rows: list[tuple[str, Figures]] = [(own, [*(found.average(lengths=(one,)) for one in LENGTHS), found.average()])]
    for model in MODELS:
        rows.append((model, [*(length_average(model, found, one) for one in LENGTHS), total_average(model, found)]))
    return sorted(rows, key=lambda row: row[1][-1] or 0.0, reverse=True)


def by_dataset(found: Official, own: str) -> list[tuple[str, Figures]]:
    """The run and the ten models with their averages on each dataset."""
    rows: list[tuple[str, Figures]] = [(own, [found.average((name,)) for name in DATASETS])]
    return rows + [(model, [dataset_average(model, found, name) for name in DATASETS]) for model in MODELS]


def beside(found: Official, model: str) -> list[tuple[str, list[tuple[float | None, float | None]]]]:
    """Each dataset with the scores of the run and of one model at each length, and their averages."""
    rows = []
    for name in DATASETS:
        pairs = [(found.score(name, length), PUBLISHED[model][name][length]) for length in LENGTHS]
        rows.append((name, [*pairs, (found.average((name,)), dataset_average(model, found, name))]))
    return rows
