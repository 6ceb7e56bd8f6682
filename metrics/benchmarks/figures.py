"""All figures of a data set: how far each score agrees with people, overall, per system and by length of the answer.

- AUROC and best threshold: as for one's own verdicts, lens/inference/agreement.py of the demo.
- Bootstrap: Efron 1979; whole questions are drawn, with all their answers, since answers to one question are alike. The
  draws are seeded and kept as how often each question is drawn, so that all sums of an AUROC are whole numbers.
- tau-b: Kendall 1945, The treatment of ties in ranking problems. 1 is the same order, -1 the reverse.
"""

import sys
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from metrics.training.verdicts import LENGTHS, Verdicts, words
from metrics.benchmarks import reading
from metrics.benchmarks.series import ESTIMATE, Array, Series
from tests.support.project import ROOT

sys.path.insert(0, str(ROOT / "spaces" / "answer_lens"))

from lens.inference.auroc import find_best_threshold as find_best_threshold
from lens.inference.auroc import measure_auroc as measure_auroc

RESAMPLES, SEED = 2000, 0
# Drawn answers in memory at once.
BLOCK = 4_000_000
# Scores that cards of the demo show: which of two agrees better is measured, too.
COMPARED = (
    "bertscore bleu correctness_estimate cosine_similarity lv_eval_f1 lv_eval_f1_gate lv_eval_rouge rougeL".split()
)


def draws(questions: int) -> Array:
    """Return how often each question is in each resample: whole numbers of shape (RESAMPLES, questions)."""
    stream = np.random.RandomState(SEED)
    drawn = (stream.randint(0, questions, size=questions, dtype=np.int32) for _ in range(RESAMPLES))
    return np.stack([np.bincount(one, minlength=questions) for one in drawn]).astype(np.int32)


def interval(drawn: Array) -> tuple[Any, Any]:
    """Return the ends between which 95% of the resamples lie; None where half of them or more have no figure."""
    known = np.sort(drawn[~np.isnan(drawn)])
    tail = len(known) // 40
    return (known[tail], known[-tail - 1]) if 2 * len(known) > len(drawn) else (None, None)


def areas(scores: Array, right: Array, question: Array, weights: Array) -> Array:
    """One AUROC for each row of weights, NaN where only right or only wrong answers have any.

    `weights`, of shape (rows, questions), says how often each question counts; the others are of shape (answers,).
    """
    order = np.argsort(scores, kind="stable")
    ordered = scores[order]
    starts = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]])
    good, asked = right[order], question[order]
    found, at_once = [], max(1, BLOCK // len(scores))
    for start in range(0, len(weights), at_once):
        block = weights[start : start + at_once, asked]
        above = np.add.reduceat(block * good, starts, axis=1, dtype=np.int64)
        below = np.add.reduceat(block * ~good, starts, axis=1, dtype=np.int64)
        # Twice the pairs in which the right answer lies higher; a tie counts once.
        pairs = (above * (2 * np.cumsum(below, axis=1) - below)).sum(axis=1)
        every = 2 * above.sum(axis=1) * below.sum(axis=1)
        found.append(np.where(every > 0, pairs / np.maximum(every, 1), np.nan))
    return np.concatenate(found)


@np.errstate(invalid="ignore", divide="ignore")
def taus(first: Array, second: Array) -> Array:
    """Return Kendall's tau-b of each row of two arrays of shape (rows, systems); NaN where one ranks nothing.

    >>> taus(np.array([[1.0, 2.0, 3.0]]), np.array([[0.1, 0.5, 0.4]])).round(4).tolist()
    [0.3333]
    """
    ahead, behind = np.triu_indices(first.shape[1], 1)
    # Means so near are a tie.
    one, other = (np.sign((means[:, ahead] - means[:, behind]).round(12)) for means in (first, second))
    return (one * other).sum(axis=1) / np.sqrt((one**2).sum(axis=1) * (other**2).sum(axis=1))


def rounded(values: Iterable[Any]) -> list[float | None]:
    """Return figures for a file: six decimals, None for what there is none of."""
    return [None if value is None or np.isnan(value) else round(float(value), 6) for value in values]


class Measured:
    """The answers of a data set as columns, the drawn resamples of their questions, and the AUROCs in them."""

    def __init__(self, verdicts: Verdicts) -> None:
        self.verdicts, self.systems = verdicts, verdicts.systems
        self.right = np.array([answer.right for answer in verdicts.answers])
        self.question = np.array([answer.question for answer in verdicts.answers])
        self.system = np.array([self.systems.index(answer.system) for answer in verdicts.answers])
        lengths = np.array([answer.length for answer in verdicts.answers])
        self.drawn = draws(len(verdicts.questions))
        self.groups = {"overall": np.ones(len(lengths), bool)}
        self.groups |= {f"system {name}": self.system == at for at, name in enumerate(self.systems)}
        self.groups |= {f"length {name}": lengths == name for name in LENGTHS}
        self.areas: dict[tuple[str, str], Array] = {}

    def parted(self, of_group: Callable[[str], dict[str, Any]]) -> dict[str, Any]:
        """Return what is found of all answers, of those of each system, and of those of each length."""
        return {
            "overall": of_group("overall"),
            "systems": {name: of_group(f"system {name}") for name in self.systems},
            "lengths": {name: of_group(f"length {name}") for name in LENGTHS},
        }

    def figures(self, series: Series, group: str) -> dict[str, Any]:
        """Return the figures of a score in a group of answers; those without a score (NaN) do not count."""
        kept = self.groups[group] & ~np.isnan(series.values)
        scores, right, question = series.values[kept], self.right[kept], self.question[kept]
        if not len(scores):
            self.areas[series.name, group] = np.full(RESAMPLES, np.nan)
            return {"answers": 0}
        drawn = self.areas[series.name, group] = areas(scores, right, question, self.drawn)
        # Rounded down before: from the figure that is written up, just these answers count as right.
        accuracy, threshold = find_best_threshold(np.floor(scores * 1e6) / 1e6, right)
        found = rounded([right.mean(), measure_auroc(scores, right), *interval(drawn), accuracy])
        names = ("right", "auroc", "low", "high", "accuracy")
        return {"answers": len(scores), **dict(zip(names, found, strict=True)), "threshold": threshold}

    @np.errstate(invalid="ignore", divide="ignore")
    def means(self, values: Array) -> Array:
        """Return the mean of each system's answers over all questions, and then in each resample; NaN without one."""
        sums, counts = np.zeros((2, len(self.verdicts.questions), len(self.systems)))
        sums[self.question, self.system], counts[self.question, self.system] = np.nan_to_num(values), ~np.isnan(values)
        weights = np.vstack([np.ones_like(self.drawn[:1]), self.drawn])
        return (weights @ sums) / (weights @ counts)

    def score(self, series: Series) -> dict[str, Any]:
        """Return all figures of one score; of the ranking, each system's mean and how far their order is people's."""
        about: dict[str, Any] = {"module": series.module, "model": series.model, "signature": series.signature}
        about |= {"left_out": True} if series.left_out else {}
        found = self.means(series.values)
        tau = taus(found, self.means(np.where(np.isnan(series.values), np.nan, self.right)))
        ranking = dict(zip(("tau", "tau_low", "tau_high"), rounded([tau[0], *interval(tau[1:])]), strict=True))
        about |= self.parted(lambda group: self.figures(series, group))
        return about | {"means": dict(zip(self.systems, rounded(found[0]), strict=True))} | ranking

    def about(self) -> dict[str, Any]:
        """Return what the data set is, in figures."""
        references = sorted(words(one) for several in self.verdicts.references for one in several)
        middle, most = references[len(references) // 2], references[len(references) * 19 // 20]
        return {
            "sha256": self.verdicts.digest,
            "questions": len(self.verdicts.questions),
            "left_out": dict(self.verdicts.left_out),
            "references": round(len(references) / len(self.verdicts.references), 2),
            "reference_words": {"median": middle, "most": most},
            **self.parted(self.group),
        }

    def group(self, group: str) -> dict[str, Any]:
        """Return what a group of answers is: how many, of which systems, how many right."""
        kept = self.groups[group]
        if not kept.any():
            return {"answers": 0}
        counts = np.bincount(self.system[kept], minlength=len(self.systems)).tolist()
        right = round(float(self.right[kept].mean()), 6)
        return {"answers": sum(counts), "right": right, "of": dict(zip(self.systems, counts, strict=True))}


def measure(verdicts: Verdicts, found: Sequence[Series]) -> dict[str, Any]:
    """Return the figures of a data set and of all its scores, and the intervals of the differences of two."""
    measured = Measured(verdicts)
    scores = {series.name: measured.score(series) for series in found}
    differences: dict[str, Any] = {"overall": {}} | {name: {} for name in LENGTHS}
    for one, other in combinations([name for name in COMPARED if name in scores], 2):
        for group, pairs in differences.items():
            key = group if group == "overall" else f"length {group}"
            ends = interval(measured.areas[one, key] - measured.areas[other, key])
            pairs |= {f"{one}|{other}": rounded(ends)} if None not in ends else {}
    estimates = [series.values for series in found if series.name == ESTIMATE]
    read = reading.of_data(verdicts, estimates[0]) if estimates else {}
    return {**measured.about(), "scores": scores, "differences": differences, "reading": read}
