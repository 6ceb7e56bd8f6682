"""All figures of a data set: how far each score agrees with people, overall, per system and by length of the answer."""

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from metrics.training.verdicts import LENGTHS, Verdicts, words
from tests.benchmarks import agreeing, reading
from tests.benchmarks.agreeing import Array
from tests.benchmarks.series import ESTIMATE, Series

# Scores that cards of the demo show: which of two agrees better is measured, too.
COMPARED = (
    "bertscore", "bleu", "correctness_estimate", "cosine_similarity", "lv_eval_f1", "lv_eval_f1_gate", "lv_eval_rouge",
    "rougeL",
)  # fmt: skip


class Measured:
    """The answers of a data set as columns, and the drawn resamples of their questions."""

    def __init__(self, verdicts: Verdicts) -> None:
        self.verdicts = verdicts
        answers = verdicts.answers
        self.right = np.array([answer.right for answer in answers])
        self.question = np.array([answer.question for answer in answers])
        self.system = np.array([verdicts.systems.index(answer.system) for answer in answers])
        lengths = np.array([answer.length for answer in answers])
        self.drawn = agreeing.draws(len(verdicts.questions))
        self.groups = {"overall": np.ones(len(answers), bool)}
        self.groups |= {f"system {name}": self.system == at for at, name in enumerate(verdicts.systems)}
        self.groups |= {f"length {name}": lengths == name for name in LENGTHS}

    def parted(self, of_group: Callable[[str], dict[str, Any]]) -> dict[str, Any]:
        """Return what is found of all answers, of those of each system, and of those of each length."""
        return {
            "overall": of_group("overall"),
            "systems": {name: of_group(f"system {name}") for name in self.verdicts.systems},
            "lengths": {name: of_group(f"length {name}") for name in LENGTHS},
        }

    def figures(self, values: Array, group: str, areas: dict[str, Array]) -> dict[str, Any]:
        """Return the figures of a score in a group of answers, and keep the AUROC of each resample in `areas`.

        Answers without a score (NaN) do not count.
        """
        kept = self.groups[group] & ~np.isnan(values)
        scores, right, question = values[kept], self.right[kept], self.question[kept]
        areas[group] = np.full(agreeing.RESAMPLES, np.nan)
        if not len(scores):
            return {"answers": 0}
        areas[group] = agreeing.areas(scores, right, question, self.drawn)
        # Rounded down before: from the figure that is written up, just these answers count as right.
        accuracy, threshold = agreeing.best_threshold(np.floor(scores * 1e6) / 1e6, right)
        low, high = agreeing.interval(areas[group]) or (None, None)
        names = ("right", "auroc", "low", "high", "accuracy")
        found = agreeing.rounded([float(right.mean()), agreeing.area(scores, right), low, high, accuracy])
        return {"answers": len(scores), **dict(zip(names, found, strict=True)), "threshold": threshold}

    def ranking(self, values: Array) -> dict[str, Any]:
        """Return each system's mean score, and how far their order is that of people."""
        kept, systems = ~np.isnan(values), len(self.verdicts.systems)
        sides = (values[kept], self.right[kept].astype(float))
        place = (self.question[kept], self.system[kept], systems)
        once = np.ones((1, len(self.verdicts.questions)), np.int32)
        found, people = (agreeing.means(side, *place, once) for side in sides)
        drawn = agreeing.taus(*(agreeing.means(side, *place, self.drawn) for side in sides))
        ends = agreeing.interval(drawn) or (None, None)
        tau, low, high = agreeing.rounded([float(agreeing.taus(found, people)[0]), *ends])
        named = dict(zip(self.verdicts.systems, agreeing.rounded(found[0]), strict=True))
        return {"means": named, "tau": tau, "tau_low": low, "tau_high": high}

    def score(self, series: Series) -> tuple[dict[str, Any], dict[str, Array]]:
        """Return all figures of one score, and the AUROCs of its resamples by group."""
        areas: dict[str, Array] = {}
        about: dict[str, Any] = {"module": series.module, "model": series.model, "signature": series.signature}
        about |= {"left_out": True} if series.left_out else {}
        parts = self.parted(lambda group: self.figures(series.values, group, areas))
        return about | parts | self.ranking(series.values), areas

    def about(self) -> dict[str, Any]:
        """Return what the data set is, in figures."""
        verdicts = self.verdicts
        references = sorted(words(one) for several in verdicts.references for one in several)
        middle, most = references[len(references) // 2], references[len(references) * 19 // 20]
        return {
            "sha256": verdicts.digest,
            "questions": len(verdicts.questions),
            "left_out": dict(verdicts.left_out),
            "references": round(len(references) / len(verdicts.references), 2),
            "reference_words": {"median": middle, "most": most},
            **self.parted(self.group),
        }

    def group(self, group: str) -> dict[str, Any]:
        """Return what a group of answers is: how many, of which systems, how many right."""
        kept = self.groups[group]
        if not kept.any():
            return {"answers": 0}
        counts = np.bincount(self.system[kept], minlength=len(self.verdicts.systems)).tolist()
        right = round(float(self.right[kept].mean()), 6)
        return {"answers": sum(counts), "right": right, "of": dict(zip(self.verdicts.systems, counts, strict=True))}


def measure(verdicts: Verdicts, found: Sequence[Series]) -> dict[str, Any]:
    """Return the figures of a data set and of all its scores, and the intervals of the differences of two."""
    measured = Measured(verdicts)
    scores, areas = {}, {}
    for series in found:
        scores[series.name], areas[series.name] = measured.score(series)
    compared = [name for name in COMPARED if name in areas]
    differences: dict[str, dict[str, list[float | None]]] = {}
    for group in ("overall", *(f"length {name}" for name in LENGTHS)):
        pairs = {f"{one}|{other}": areas[one][group] - areas[other][group] for one, other in combinations(compared, 2)}
        ends = {pair: agreeing.interval(drawn) for pair, drawn in pairs.items()}
        differences[group.removeprefix("length ")] = {pair: agreeing.rounded(two) for pair, two in ends.items() if two}
    estimates = [series.values for series in found if series.name == ESTIMATE]
    read = reading.of_data(verdicts, estimates[0]) if estimates else {}
    return {**measured.about(), "scores": scores, "differences": differences, "reading": read}
