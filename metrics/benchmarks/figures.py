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
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np

from metrics.training.verdicts import LENGTHS, Verdicts, count_words
from metrics.benchmarks import verdict_samples
from metrics.benchmarks.series import ESTIMATE, Array, Series
from tests.support.project import ROOT

sys.path.insert(0, str(ROOT / "spaces" / "answer_lens"))

from lens.inference.auroc import find_best_threshold as find_best_threshold
from lens.inference.auroc import measure_auroc as measure_auroc

RESAMPLES = 2000
SEED = 0
# The most resampled answers in memory at once.
MOST_IN_MEMORY = 4_000_000
# Decimals of a difference of means: smaller ones come from the rounding of floats.
TIE_DECIMALS = 12
# Scores that the demo's cards show; for each pair of them it is measured which one agrees better.
COMPARED = (
    "bertscore bleu correctness_estimate cosine_similarity lv_eval_f1 lv_eval_f1_gate "
    "lv_eval_rouge rougeL"
).split()


def draw_questions(questions: int) -> Array:
    """Return how often each question is in each resample, of shape (RESAMPLES, questions)."""
    rng = np.random.RandomState(SEED)
    counts = []
    for _ in range(RESAMPLES):
        resample = rng.randint(0, questions, size=questions, dtype=np.int32)
        counts.append(np.bincount(resample, minlength=questions))
    return np.stack(counts).astype(np.int32)


def find_interval(resampled: Array) -> tuple[Any, Any]:
    """Return the ends between which 95% of the resampled figures are.

    Both are None if at least half of the resamples have no figure.
    """
    is_known = ~np.isnan(resampled)
    known = np.sort(resampled[is_known])
    if 2 * len(known) <= len(resampled):
        return None, None
    # 2.5% of the figures are beyond each end.
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
    right = right[order]
    question = question[order]
    # Where each new score begins among the ordered ones: the answers from there on are tied.
    _, starts = np.unique(scores[order], return_index=True)
    count_by_score = partial(np.add.reduceat, indices=starts, axis=1, dtype=np.int64)
    areas = []
    step = max(1, MOST_IN_MEMORY // len(scores))
    for start in range(0, len(weights), step):
        block = weights[start : start + step, question]
        n_right = count_by_score(block * right)
        n_wrong = count_by_score(block * ~right)
        # Twice the number of pairs whose right answer has the higher score; a tie counts once.
        n_wrong_up_to = np.cumsum(n_wrong, axis=1)
        won = n_right * (2 * n_wrong_up_to - n_wrong)
        n_won = won.sum(axis=1)
        n_most = 2 * n_right.sum(axis=1) * n_wrong.sum(axis=1)
        shares = n_won / np.maximum(n_most, 1)
        areas.append(np.where(n_most > 0, shares, np.nan))
    return np.concatenate(areas)


def compare_pairs(means: Array) -> Array:
    """Return 1, 0 or -1 for each pair of systems in each row: the sign of their difference.

    Means that differ by less than a rounding error are ties.
    """
    ahead, behind = np.triu_indices(means.shape[1], 1)
    differences = means[:, ahead] - means[:, behind]
    return np.sign(differences.round(TIE_DECIMALS))


@np.errstate(invalid="ignore", divide="ignore")
def compute_taus(first: Array, second: Array) -> Array:
    """Return Kendall's tau-b of each row of two arrays of shape (rows, systems).

    It is NaN if all values of one array are tied.

    >>> compute_taus(np.array([[1.0, 2.0, 3.0]]), np.array([[0.1, 0.5, 0.4]])).round(4).tolist()
    [0.3333]
    """
    first_order = compare_pairs(first)
    second_order = compare_pairs(second)
    agreement = (first_order * second_order).sum(axis=1)
    # The numbers of pairs that are not tied.
    first_untied = np.abs(first_order).sum(axis=1)
    second_untied = np.abs(second_order).sum(axis=1)
    return agreement / np.sqrt(first_untied * second_untied)


def round_figures(values: Iterable[Any]) -> list[float | None]:
    """Return figures for a file: rounded to six decimals, None for a missing one."""
    figures: list[float | None] = []
    for value in values:
        if value is None or np.isnan(value):
            figures.append(None)
        else:
            figures.append(round(float(value), 6))
    return figures


def round_by_name(figures: Mapping[str, Any]) -> dict[str, float | None]:
    """Return named figures for a file, rounded like those of `round_figures`."""
    rounded = round_figures(figures.values())
    return dict(zip(figures, rounded, strict=True))


class DataSet:
    """The answers of a data set as columns, with resamples of their questions.

    Attributes:
        verdicts: the data set.
        systems: the names of the systems.
        right, question, system: for each answer, whether it is right, and the numbers of its
            question and its system.
        resamples: how often each question is in each resample.
        groups: a mask of the answers of each group: all, those of a system, those of a length.
        areas: the AUROC of each score and group in each resample.
    """

    def __init__(self, verdicts: Verdicts) -> None:
        self.verdicts = verdicts
        self.systems = verdicts.systems
        answers = verdicts.answers
        self.right = np.array([answer.right for answer in answers])
        self.question = np.array([answer.question for answer in answers])
        self.system = np.array([self.systems.index(answer.system) for answer in answers])
        lengths = np.array([answer.length for answer in answers])
        self.resamples = draw_questions(len(verdicts.questions))
        self.groups = {"overall": np.ones(len(answers), bool)}
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
        is_scored = ~np.isnan(series.values)
        mask = self.groups[group] & is_scored
        scores = series.values[mask]
        right = self.right[mask]
        key = series.name, group
        if not len(scores):
            self.areas[key] = np.full(RESAMPLES, np.nan)
            return {"answers": 0}
        self.areas[key] = compute_areas(scores, right, self.question[mask], self.resamples)
        low, high = find_interval(self.areas[key])
        # The scores are rounded down first, so that exactly these answers count as right with the
        # threshold that is written.
        rounded_scores = np.floor(scores * 1e6) / 1e6
        accuracy, threshold = find_best_threshold(rounded_scores, right)
        figures = {
            "right": right.mean(),
            "auroc": measure_auroc(scores, right),
            "low": low,
            "high": high,
            "accuracy": accuracy,
        }
        return {
            "answers": len(scores),
            **round_by_name(figures),
            "threshold": threshold,
        }

    @np.errstate(invalid="ignore", divide="ignore")
    def average_systems(self, values: Array) -> Array:
        """Return the mean of each system's answers, over all questions and in each resample.

        It is NaN if a system has no answers.
        """
        shape = len(self.verdicts.questions), len(self.systems)
        sums = np.zeros(shape)
        counts = np.zeros(shape)
        sums[self.question, self.system] = np.nan_to_num(values)
        counts[self.question, self.system] = ~np.isnan(values)
        every_question_once = np.ones_like(self.resamples[:1])
        weights = np.vstack([every_question_once, self.resamples])
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
        figures |= self.measure_groups(partial(self.measure_group, series))
        return figures | self.measure_ranking(series)

    def measure_ranking(self, series: Series) -> dict[str, Any]:
        """Return the mean of each system's scores, and how far their ranking is people's."""
        means = self.average_systems(series.values)
        right = np.where(np.isnan(series.values), np.nan, self.right)
        all_taus = compute_taus(means, self.average_systems(right))
        # The first row has every question once, the others are resamples.
        tau, *resampled_taus = all_taus
        low, high = find_interval(np.array(resampled_taus))
        by_system = dict(zip(self.systems, means[0], strict=True))
        ranking = {"tau": tau, "tau_low": low, "tau_high": high}
        return {"means": round_by_name(by_system), **round_by_name(ranking)}

    def compare_scores(self, group: str) -> dict[str, list[float | None]]:
        """Return the interval of the difference of AUROC of each pair of scores in a group.

        The pairs are those of COMPARED that are measured and have a difference.
        """
        measured = [name for name in COMPARED if (name, group) in self.areas]
        intervals = {}
        for first, second in combinations(measured, 2):
            differences = self.areas[first, group] - self.areas[second, group]
            low, high = find_interval(differences)
            if low is not None:
                intervals[f"{first}|{second}"] = round_figures([low, high])
        return intervals

    def measure_data_set(self) -> dict[str, Any]:
        """Return the figures of the data set itself."""
        word_counts: list[int] = []
        for references in self.verdicts.references:
            word_counts += map(count_words, references)
        word_counts.sort()
        median = word_counts[len(word_counts) // 2]
        # 95% of the references have at most so many words.
        most = word_counts[len(word_counts) * 19 // 20]
        per_question = len(word_counts) / len(self.verdicts.references)
        return {
            "sha256": self.verdicts.digest,
            "questions": len(self.verdicts.questions),
            "left_out": dict(self.verdicts.left_out),
            "references": round(per_question, 2),
            "reference_words": {"median": median, "most": most},
            **self.measure_groups(self.describe_group),
        }

    def describe_group(self, group: str) -> dict[str, Any]:
        """Return the number of answers in a group, of each system, and the share of right ones."""
        mask = self.groups[group]
        if not mask.any():
            return {"answers": 0}
        counts = np.bincount(self.system[mask], minlength=len(self.systems)).tolist()
        share_right = float(self.right[mask].mean())
        return {
            "answers": sum(counts),
            "right": round(share_right, 6),
            "of": dict(zip(self.systems, counts, strict=True)),
        }


def measure_scores(verdicts: Verdicts, all_series: Sequence[Series]) -> dict[str, Any]:
    """Return the figures of a data set and its scores, and the intervals of their differences."""
    data = DataSet(verdicts)
    scores = {series.name: data.measure_score(series) for series in all_series}
    differences = {"overall": data.compare_scores("overall")}
    for name in LENGTHS:
        differences[name] = data.compare_scores(f"length {name}")
    sample_figures = {}
    for series in all_series:
        if series.name == ESTIMATE:
            sample_figures = verdict_samples.measure_verdict_samples(verdicts, series.values)
    return {
        **data.measure_data_set(),
        "scores": scores,
        "differences": differences,
        "reading": sample_figures,
    }
