"""All figures of a data set: how far each score agrees with people, overall, per system and by length of the answer."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from tests.benchmarks import agreeing
from tests.benchmarks.series import Series
from tests.benchmarks.verdicts import LENGTHS, Verdicts, words

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

# Scores that cards of the demo show: which of two agrees better is measured, too.
COMPARED = ("bertscore", "bleu", "cosine_similarity", "lv_eval_f1", "lv_eval_f1_gate", "lv_eval_rouge", "rougeL")


class Measured:
    """The answers of a data set as columns, and the drawn resamples of their questions."""

    def __init__(self, verdicts: Verdicts) -> None:
        self.verdicts = verdicts
        answers = verdicts.answers
        self.right = np.array([answer.right for answer in answers])
        self.question = np.array([answer.question for answer in answers])
        self.system = np.array([verdicts.systems.index(answer.system) for answer in answers])
        self.words = np.array([answer.words for answer in answers])
        lengths = np.array([answer.length for answer in answers])
        self.drawn = agreeing.draws(len(verdicts.questions))
        self.groups = {"overall": np.ones(len(answers), bool)}
        self.groups |= {f"system {name}": self.system == at for at, name in enumerate(verdicts.systems)}
        self.groups |= {f"length {name}": lengths == name for name in LENGTHS}

    def figures(self, values: Any, group: str) -> tuple[dict[str, Any], Any]:
        """Return the figures of a score in a group of answers, and the AUROC of each resample.

        Answers without a score (NaN) do not count.
        """
        kept = self.groups[group] & ~np.isnan(values)
        scores, right, question = values[kept], self.right[kept], self.question[kept]
        if not len(scores):
            return {"answers": 0}, np.full(agreeing.RESAMPLES, np.nan)
        drawn = agreeing.areas(scores, right, question, self.drawn)
        # Rounded down before: from the figure that is written up, just these answers count as right.
        accuracy, threshold = agreeing.best_threshold(np.floor(scores * 1e6) / 1e6, right)
        low, high = agreeing.interval(drawn) or (None, None)
        names = ("right", "auroc", "low", "high", "accuracy")
        found = agreeing.rounded([float(right.mean()), agreeing.area(scores, right), low, high, accuracy])
        return {"answers": len(scores), **dict(zip(names, found, strict=True)), "threshold": threshold}, drawn

    def ranking(self, values: Any) -> dict[str, Any]:
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

    def score(self, series: Series) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return all figures of one score, and the AUROCs of its resamples by group."""
        found = {group: self.figures(series.values, group) for group in self.groups}
        figures = {group: pair[0] for group, pair in found.items()}
        about = {"module": series.module, "model": series.model, "signature": series.signature}
        ranking, drawn = self.ranking(series.values), {group: pair[1] for group, pair in found.items()}
        return about | self.parted(figures) | ranking, drawn

    def parted(self, found: Mapping[str, Any]) -> dict[str, Any]:
        """Return what was found of each group, apart: of all answers, of each system, of each length."""
        return {
            "overall": found["overall"],
            "systems": {name: found[f"system {name}"] for name in self.verdicts.systems},
            "lengths": {name: found[f"length {name}"] for name in LENGTHS},
        }

    def about(self) -> dict[str, Any]:
        """Return what the data set is, in figures."""
        verdicts = self.verdicts
        references = sorted(words(one) for several in verdicts.references for one in several)
        groups = {group: self.group(kept) for group, kept in self.groups.items()}
        return {
            "sha256": verdicts.digest,
            "questions": len(verdicts.questions),
            "left_out": dict(verdicts.left_out),
            "references": round(len(references) / len(verdicts.references), 2),
            "reference_words": {
                "median": references[len(references) // 2],
                "most": references[len(references) * 19 // 20],
            },
            **self.parted(groups),
        }

    def group(self, kept: "Array") -> dict[str, Any]:
        """Return what a group of answers is: how many of which systems, how many right, how long."""
        if not kept.any():
            return {"answers": 0}
        counts = np.bincount(self.system[kept], minlength=len(self.verdicts.systems)).tolist()
        return {
            "answers": int(kept.sum()),
            "right": round(float(self.right[kept].mean()), 6),
            "words": float(np.median(self.words[kept])),
            "of": dict(zip(self.verdicts.systems, counts, strict=True)),
        }


def measure(verdicts: Verdicts, found: Sequence[Series]) -> dict[str, Any]:
    """Return the figures of a data set and of all its scores; a score's interval is that of its difference, too."""
    measured = Measured(verdicts)
    scores, drawn = {}, {}
    for series in found:
        scores[series.name], drawn[series.name] = measured.score(series)
    compared = [name for name in COMPARED if name in drawn]
    differences: dict[str, dict[str, list[float | None]]] = {}
    for group in ("overall", *(f"length {name}" for name in LENGTHS)):
        ends = {
            f"{one}|{other}": agreeing.interval(drawn[one][group] - drawn[other][group])
            for one, other in combinations(compared, 2)
        }
        differences[group.removeprefix("length ")] = {
            name: agreeing.rounded(pair) for name, pair in ends.items() if pair
        }
    return {**measured.about(), "scores": scores, "differences": differences}
