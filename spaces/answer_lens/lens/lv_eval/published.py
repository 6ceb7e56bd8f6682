"""The results that LV-Eval's authors published for ten models, in percent, beside a run.

Source: README.md of github.com/infinigence/LVEval at 25aebcb, "Overall Result" and "Detail Result on Each Dataset"
(data/lv_eval_published.csv); it writes loogle-MR for the dataset whose files are named loogle_MIR. Its tables agree
with each other to the rounding of the last digit, but for the average of ChatGLM3-6B-32k on multifieldqa_zh_mixup.

Like is compared with like: where a run lacks datasets or lengths, the averages of the models are over the same ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

import pandas

from lens import DATA
from lens.lv_eval.export import Line
from lens.lv_eval.official_result import Official
from lens.lv_eval.tasks import DATASETS, LENGTHS

COMMIT = "25aebcb36acbbb8338712736cfdd31e06e236df5"
SOURCE = f"https://github.com/infinigence/LVEval/blob/{COMMIT}/README.md"
# What the file calls the averages over the eleven datasets, and the column of those over the five lengths.
OVERALL, AVERAGE = "overall", "average"
PUBLISHED = pandas.read_csv(DATA / "lv_eval_published.csv", index_col=["model", "dataset"])
MODELS = tuple(PUBLISHED.index.unique("model"))


def figure(model: str, dataset: str, column: str) -> float:
    """One of the figures."""
    return float(PUBLISHED.at[(model, dataset), column])


def average(
    model: str, found: Official, datasets: Sequence[str] = DATASETS, lengths: Sequence[str] = LENGTHS
) -> float | None:
    """A model's average over these datasets and lengths: the published one, or where the run lacks some, that over the
    same as the run's; None where it has none.
    """
    there = [(name, length) for name in datasets for length in lengths if (name, length) in found.scores]
    if len(there) < len(datasets) * len(lengths):
        return fmean(figure(model, *cell) for cell in there) if there else None
    if len(datasets) == 1:
        return figure(model, datasets[0], AVERAGE)
    return fmean(figure(model, OVERALL, length) for length in lengths)


def of_dataset(model: str, found: Official, name: str) -> float:
    """A model's average on a dataset; where the run has nothing of it, over all lengths."""
    same = average(model, found, [name])
    return figure(model, name, AVERAGE) if same is None else same


def standings(found: Official, own: str) -> list[Line]:
    """The run and the ten models with their averages by length and the average of all, best first."""
    lengths = [*((one,) for one in LENGTHS), LENGTHS]
    rows: list[Line] = [(own, [found.average(lengths=some) for some in lengths], True)]
    rows += [(model, [average(model, found, lengths=some) for some in lengths], False) for model in MODELS]
    return sorted(rows, key=lambda row: row[1][-1] or 0.0, reverse=True)


def by_dataset(found: Official, own: str) -> list[Line]:
    """The run and the ten models with their averages on each dataset."""
    rows: list[Line] = [(own, [found.average((name,)) for name in DATASETS], True)]
    return rows + [(model, [of_dataset(model, found, name) for name in DATASETS], False) for model in MODELS]


def beside(found: Official, model: str) -> list[tuple[str, list[tuple[float | None, float]]]]:
    """Each dataset with the scores of the run and of one model at each length, and their averages."""
    rows = []
    for name in DATASETS:
        pairs = [(found.scores.get((name, length)), figure(model, name, length)) for length in LENGTHS]
        rows.append((name, [*pairs, (found.average((name,)), of_dataset(model, found, name))]))
    return rows
