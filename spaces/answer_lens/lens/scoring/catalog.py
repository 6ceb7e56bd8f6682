"""The one table of the metrics that the page shows, and of their columns of scores.

A metric to come is one more entry in METRICS and SERIES; what shows its reasons is found by its name. Nothing else
knows a metric by name, but for explanations/disagreement.py, which compares them.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Literal

from lens.words import knows, say
from lens.words.formats import number, passed


@dataclass(frozen=True)
class Submission:
    """What the user pasted."""

    question: str = ""
    reference: str = ""
    answer: str = ""
    keywords: str = ""


@dataclass(frozen=True)
class Model:
    """The model that a metric loads: `variable` in the environment names another, `size` is the default's download."""

    variable: str
    default: str
    size: str
    packages: tuple[str, ...]

    def named(self) -> str:
        """What the variable names; empty where it is not set. Read anew for each score."""
        return os.environ.get(self.variable, "").strip()

    def name(self) -> str:
        """The name or the folder of the model that is used."""
        return self.named() or self.default


@dataclass(frozen=True)
class Metric:
    """One metric as the page shows it; `name` is its folder, its file and its name on the Hub.

    `arguments` gives what `compute` gets besides the two texts; it may ask the module, which it is given loaded. One
    with a `model` loads it, and a `judge` asks the language model that the visitor chose: the others do not wait.
    """

    name: str
    paper: str
    paper_url: str
    low: float = 0.0
    high: float = 1.0
    direction: Literal["higher", "lower"] = "higher"
    arguments: Callable[[Submission, ModuleType], dict[str, Any]] = lambda submission, module: {}
    model: Model | None = None
    judge: bool = False
    shown: Callable[[float], str] = number

    @property
    def kind(self) -> Literal["words", "embeddings", "judges"]:
        """What its score comes from."""
        return "judges" if self.judge else "embeddings" if self.model else "words"

    @property
    def title(self) -> str:
        """What it is called."""
        return say(f"title_{self.name}")

    @property
    def measures(self) -> str:
        """The question that its score answers."""
        return say(f"measures_{self.name}")

    @property
    def remark(self) -> str:
        """What else there is to know of its scale; empty for most."""
        key = f"remark_{self.name}"
        return say(key) if knows(key) else ""


EMBEDDING_MODEL = Model(
    variable="ANSWER_LENS_EMBEDDING_MODEL",
    default="sentence-transformers/all-MiniLM-L6-v2",
    size="90 MB",
    packages=("torch", "transformers", "sentence_transformers"),
)
BERTSCORE_MODEL = Model(
    variable="ANSWER_LENS_BERTSCORE_MODEL",
    default="microsoft/deberta-xlarge-mnli",
    size="3 GB",
    packages=("torch", "transformers"),
)
BERTSCORE_LAYERS = "ANSWER_LENS_BERTSCORE_LAYERS"


def answer_keywords(submission: Submission, module: ModuleType) -> dict[str, Any]:
    """The keywords of LV-Eval, left out where none were given."""
    return {"answer_keywords": [submission.keywords]} if submission.keywords.strip() else {}


def embedding_model(submission: Submission, module: ModuleType) -> dict[str, Any]:
    """The model of the cosine."""
    return {"model": EMBEDDING_MODEL.name()}


def bertscore_model(submission: Submission, module: ModuleType) -> dict[str, Any]:
    """The model of BERTScore and the layer: the one asked for, else the module's, else the model's last."""
    arguments: dict[str, Any] = {"model_type": BERTSCORE_MODEL.name()}
    layers = os.environ.get(BERTSCORE_LAYERS, "").strip()
    if layers:
        arguments["num_layers"] = int(layers) if re.fullmatch("-?[0-9]{1,9}", layers) else layers
    elif module.known_layers(BERTSCORE_MODEL.name()) is None:
        arguments["num_layers"] = "last"
    return arguments


LV_EVAL = ("LV-Eval, Yuan et al. 2024", "https://arxiv.org/abs/2402.05136")
METRICS = (
    Metric("lv_eval_f1", *LV_EVAL, arguments=answer_keywords),
    Metric("bleu", "Papineni et al. 2002", "https://aclanthology.org/P02-1040/"),
    Metric("rouge", "ROUGE, Lin 2004", "https://aclanthology.org/W04-1013/"),
    Metric("lv_eval_rouge", *LV_EVAL),
    Metric(
        "cosine_similarity",
        "Sentence-BERT, Reimers and Gurevych 2019",
        "https://arxiv.org/abs/1908.10084",
        low=-1.0,
        arguments=embedding_model,
        model=EMBEDDING_MODEL,
    ),
    Metric(
        "bertscore",
        "Zhang et al. 2020",
        "https://arxiv.org/abs/1904.09675",
        arguments=bertscore_model,
        model=BERTSCORE_MODEL,
    ),
    Metric("l3score", "SPIQA, Pramanick et al. 2024", "https://arxiv.org/abs/2407.09413", judge=True),
    Metric("eve_judge", "EVE, Atrio et al. 2026", "https://arxiv.org/abs/2604.13071", judge=True, shown=passed),
)
BY_NAME = {metric.name: metric for metric in METRICS}


@dataclass(frozen=True)
class Series:
    """One column of scores. `share`: each is 0 or 1, and the mean is a pass rate. `primary`: the one of its metric that
    plots, correlations and disagreement use.
    """

    key: str
    metric: str
    low: float = 0.0
    share: bool = False
    primary: bool = True

    @property
    def title(self) -> str:
        """Its name for a reader."""
        return say(f"f_series_{self.key}")


SERIES = (
    Series("lv_eval_f1", "lv_eval_f1"),
    Series("bleu", "bleu"),
    Series("rouge1", "rouge", primary=False),
    Series("rouge2", "rouge", primary=False),
    Series("rougeL", "rouge"),
    Series("rougeLsum", "rouge", primary=False),
    Series("lv_eval_rouge", "lv_eval_rouge"),
    Series("cosine_similarity", "cosine_similarity", low=-1.0),
    Series("bertscore_precision", "bertscore", primary=False),
    Series("bertscore_recall", "bertscore", primary=False),
    Series("bertscore_f1", "bertscore"),
    Series("L3Score", "l3score"),
    Series("eve_judge", "eve_judge", share=True),
)


def series_of(metrics: Iterable[str]) -> list[Series]:
    """The series of some metrics, in the order of SERIES."""
    wanted = set(metrics)
    return [series for series in SERIES if series.metric in wanted]
