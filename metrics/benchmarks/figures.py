"""The figures of a data set: how far each score agrees with people.

They are measured over all answers, for each system, and by the length of the answer.

- AUROC and best threshold: as for a user's own verdicts (lens/inference/auroc.py of the demo).
- Bootstrap: Efron 1979. Whole questions are drawn with all their answers, since answers to one
  question are alike. The draws have a fixed seed. They are stored as counts of each question, so
  that all sums in an AUROC are whole numbers.
- tau-b: Kendall 1945, "The treatment of ties in ranking problems". 1 is the same order, -1 the
  reverse.
"""

import sys
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from metrics.training.verdicts import LENGTHS, Verdicts, count_words
from metrics.benchmarks import reading
from metrics.benchmarks.series import ESTIMATE, Array, Series
from tests.support.project import ROOT

sys.path.insert(0, str(ROOT / "spaces" / "answer_lens"))

from lens.inference.auroc import find_best_threshold as find_best_threshold
from lens.inference.auroc import measure_auroc as measure_auroc

RESAMPLES = 2000
SEED = 0
# The most drawn answers in memory at once.
BLOCK = 4_000_000
# Scores that the demo's cards show; for each pair of them it is measured which one agrees better.
COMPARED = (
    "bertscore bleu correctness_estimate cosine_similarity lv_eval_f1 lv_eval_f1_gate "
    "lv_eval_rouge rougeL"
).split()


def draw_questions(questions: int) -> Array:
    """Return how often each question is in each resample, of shape (RESAMPLES, questions)."""
    stream = np.random.RandomState(SEED)
    counts = []
    for _ in range(RESAMPLES):
        resample = stream.randint(0, questions, size=questions, dtype=np.int32)
        counts.append(np.bincount(resample, minlength=questions))
    return np.stack(counts).astype(np.int32)


def find_interval(drawn: Array) -> tuple[Any, Any]:
    """Return the ends between which 95% of the resamples are.

    Both are None if at least half of the resamples have no figure.
    """
    known = np.sort(drawn[~np.isnan(drawn)])
    if 2 * len(known) <= len(drawn):
        return None, None
    tail = len(known) // 40
    return known[tail], known[-tail - 1]


def compute_areas(
    scores: Array,
    right: Array,
    question: Array,
    weights: Array,
) -> Array:
    """Return one AUROC for each row of weights; NaN if all weighted answers are right, or wrong.

    `weights`, of shape (rows, questions), has how often each question counts. The other arrays have
    one value for each answer.
    """
    order = np.argsort(scores, kind="stable")
    ordered = scores[order]
    starts = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]])
    right = right[order]
    question = question[order]
    areas = []
    step = max(1, BLOCK // len(scores))
    for start in range(0, len(weights), step):
        block = weights[start : start + step, question]
        above = np.add.reduceat(block * right, starts, axis=1, dtype=np.int64)
        below = np.add.reduceat(block * ~right, starts, axis=1, dtype=np.int64)
        # Twice the number of pairs whose right answer has the higher score; a tie counts once.
        pairs = (above * (2 * np.cumsum(below, axis=1) - below)).sum(axis=1)
        most = 2 * above.sum(axis=1) * below.sum(axis=1)
        areas.append(np.where(most > 0, pairs / np.maximum(most, 1), np.nan))
    return np.concatenate(areas)


@np.errstate(invalid="ignore", divide="ignore")
def compute_taus(first: Array, second: Array) -> Array:
    """Return Kendall's tau-b of each row of two arrays of shape (rows, systems).

    It is NaN if all values of one array are tied.

    >>> compute_taus(np.array([[1.0, 2.0, 3.0]]), np.array([[0.1, 0.5, 0.4]])).round(4).tolist()
    [0.3333]
    """
    ahead, behind = np.triu_indices(first.shape[1], 1)
    # Means that differ by less are ties.
    first_order = np.sign((first[:, ahead] - first[:, behind]).round(12))
    second_order = np.sign((second[:, ahead] - second[:, behind]).round(12))
    agreement = (first_order * second_order).sum(axis=1)
    return agreement / np.sqrt((first_order**2).sum(axis=1) * (second_order**2).sum(axis=1))


def round_figures(values: Iterable[Any]) -> list[float | None]:
    """Return figures for a file: rounded to six decimals, None for a missing one."""
    figures: list[float | None] = []
    for value in values:
        is_missing = value is None or np.isnan(value)
        figures.append(None if is_missing else round(float(value), 6))
    return figures


class DataSet:
    """The answers of a data set as columns, with resamples of their questions.

    `areas` has the AUROC of each score and group in each resample.
    """

    def __init__(self, verdicts: Verdicts) -> None:
        self.verdicts = verdicts
        self.systems = verdicts.systems
        self.right = np.array([answer.right for answer in verdicts.answers])
        self.question = np.array([answer.question for answer in verdicts.answers])
        self.system = np.array([self.systems.index(answer.system) for answer in verdicts.answers])
        lengths = np.array([answer.length for answer in verdicts.answers])
        self.drawn = draw_questions(len(verdicts.questions))
        self.groups = {"overall": np.ones(len(lengths), bool)}
        for place, name in enumerate(self.systems):
            self.groups[f"system {name}"] = self.system == place
        for name in LENGTHS:
            self.groups[f"length {name}"] = lengths == name
        self.areas: dict[tuple[str, str], Array] = {}

    def measure_groups(self, measure: Callable[[str], dict[str, Any]]) -> dict[str, Any]:
        """Return the figures of all answers, of each system's, and of each length."""
        return {
            "overall": measure("overall"),
            "systems": {name: measure(f"system {name}") for name in self.systems},
            "lengths": {name: measure(f"length {name}") for name in LENGTHS},
        }

    def measure_group(self, series: Series, group: str) -> dict[str, Any]:
        """Return the figures of a score in a group of answers.

        Answers without a score (NaN) do not count.
        """
        mask = self.groups[group] & ~np.isnan(series.values)
        scores = series.values[mask]
        right = self.right[mask]
        if not len(scores):
            self.areas[series.name, group] = np.full(RESAMPLES, np.nan)
            return {"answers": 0}
        areas = compute_areas(scores, right, self.question[mask], self.drawn)
        self.areas[series.name, group] = areas
        # The scores are rounded down first, so that exactly these answers count as right with the
        # threshold that is written.
        accuracy, threshold = find_best_threshold(np.floor(scores * 1e6) / 1e6, right)
        auroc = measure_auroc(scores, right)
        figures = round_figures([right.mean(), auroc, *find_interval(areas), accuracy])
        names = ("right", "auroc", "low", "high", "accuracy")
        by_name = dict(zip(names, figures, strict=True))
        return {"answers": len(scores), **by_name, "threshold": threshold}

    @np.errstate(invalid="ignore", divide="ignore")
    def average_systems(self, values: Array) -> Array:
        """Return the mean of each system's answers, over all questions and in each resample.

        It is NaN if a system has no answers.
        """
        sums, counts = np.zeros((2, len(self.verdicts.questions), len(self.systems)))
        sums[self.question, self.system] = np.nan_to_num(values)
        counts[self.question, self.system] = ~np.isnan(values)
        weights = np.vstack([np.ones_like(self.drawn[:1]), self.drawn])
        return (weights @ sums) / (weights @ counts)

    def measure_score(self, series: Series) -> dict[str, Any]:
        """Return all figures of one score.

        They include each system's mean, and Kendall's tau with people's ranking.
        """
        figures: dict[str, Any] = {
            "module": series.module,
            "model": series.model,
            "signature": series.signature,
        }
        if series.left_out:
            figures["left_out"] = True
        figures |= self.measure_groups(lambda group: self.measure_group(series, group))

        # The ranking of systems by their means, compared with people's.
        means = self.average_systems(series.values)
        right = np.where(np.isnan(series.values), np.nan, self.right)
        taus = compute_taus(means, self.average_systems(right))
        figures["means"] = dict(zip(self.systems, round_figures(means[0]), strict=True))
        ranking = round_figures([taus[0], *find_interval(taus[1:])])
        return figures | dict(zip(("tau", "tau_low", "tau_high"), ranking, strict=True))

    def describe_data(self) -> dict[str, Any]:
        """Return the figures of the data set itself."""
        lengths: list[int] = []
        for references in self.verdicts.references:
            lengths += map(count_words, references)
        lengths.sort()
        middle = lengths[len(lengths) // 2]
        most = lengths[len(lengths) * 19 // 20]
        return {
            "sha256": self.verdicts.digest,
            "questions": len(self.verdicts.questions),
            "left_out": dict(self.verdicts.left_out),
            "references": round(len(lengths) / len(self.verdicts.references), 2),
            "reference_words": {"median": middle, "most": most},
            **self.measure_groups(self.describe_group),
        }

    def describe_group(self, group: str) -> dict[str, Any]:
        """Return the number of answers in a group, of each system, and the share of right ones."""
        mask = self.groups[group]
        if not mask.any():
            return {"answers": 0}
        counts = np.bincount(self.system[mask], minlength=len(self.systems)).tolist()
        right = round(float(self.right[mask].mean()), 6)
        return {
            "answers": sum(counts),
            "right": right,
            "of": dict(zip(self.systems, counts, strict=True)),
        }


def measure_scores(verdicts: Verdicts, all_series: Sequence[Series]) -> dict[str, Any]:
    """Return the figures of a data set and its scores, and the intervals of their differences."""
    data = DataSet(verdicts)
    scores = {series.name: data.measure_score(series) for series in all_series}
    differences: dict[str, Any] = {"overall": {}} | {name: {} for name in LENGTHS}
    for first, second in combinations([name for name in COMPARED if name in scores], 2):
        for group, pairs in differences.items():
            key = group if group == "overall" else f"length {group}"
            ends = find_interval(data.areas[first, key] - data.areas[second, key])
            if None not in ends:
                pairs[f"{first}|{second}"] = round_figures(ends)
    read = {}
    for series in all_series:
        if series.name == ESTIMATE:
            read = reading.measure_reading(verdicts, series.values)
    return {**data.describe_data(), "scores": scores, "differences": differences, "reading": read}
