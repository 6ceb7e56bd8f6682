"""The one table of the metrics that the page shows, and of their columns of scores.

A metric to come is one more entry in METRICS and SERIES; what shows its reasons is found by its name. Nothing else
knows a metric by name, but for explanations/disagreement.py, which compares them.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal

from lens.words import knows, say
from lens.words.formats import number, passed, percent


@dataclass(frozen=True)
class Submission:
    """What the user pasted, whether each line of `reference` is one of `several`, the modules' settings, and whether
    the answer is scored `whole`, with what it thinks aloud.
    """

    question: str = ""
    reference: str = ""
    answer: str = ""
    keywords: str = ""
    several: bool = False
    multi_reference: str = "first"
    min_keyword_recall: float | None = None
    whole: bool = False

    @property
    def references(self) -> list[str]:
        """The right answers: never none, for a lone one may be empty."""
        lines = [line.strip() for line in self.reference.split("\n") if line.strip()] if self.several else []
        return lines or [self.reference]


@dataclass(frozen=True)
class Model:
    """The model that a metric loads: `variable` in the environment names another, `size` is the default's download."""

    variable: str
    default: str
    size: str
    packages: tuple[str, ...]

    def name(self) -> str:
        """The name or the folder of the model that is used, read anew for each score."""
        return os.environ.get(self.variable, "").strip() or self.default


@dataclass(frozen=True)
class Metric:
    """One metric as the page shows it; `name` is its folder, its file and its name on the Hub.

    `called` is its title, where that is the same in every language. `arguments` gives what `compute` gets besides the
    texts; it may ask the module's code, which it is given. `settings` are those that the visitor may choose. One with a
    `model` loads it, and a `judge` asks the language model that the visitor chose: the others do not wait. An
    `estimate` is a probability by words: it reads the question, and no score of words in common is compared with it.
    """

    name: str
    paper: str
    paper_url: str
    called: str = ""
    low: float = 0.0
    high: float = 1.0
    arguments: Callable[[Any], dict[str, Any]] = lambda code: {}
    settings: tuple[str, ...] = ()
    model: Model | None = None
    judge: bool = False
    estimate: bool = False
    shown: Callable[[float], str] = number

    @property
    def kind(self) -> Literal["words", "embeddings", "judges"]:
        """What its score comes from."""
        return "judges" if self.judge else "embeddings" if self.model else "words"

    @property
    def title(self) -> str:
        """What it is called."""
        return self.called or say(f"title_{self.name}")

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
    "ANSWER_LENS_EMBEDDING_MODEL", "sentence-transformers/all-MiniLM-L6-v2", "90 MB",
    ("torch", "transformers", "sentence_transformers"),
)  # fmt: skip
BERTSCORE_MODEL = Model(
    "ANSWER_LENS_BERTSCORE_MODEL", "microsoft/deberta-xlarge-mnli", "3 GB", ("torch", "transformers")
)
BERTSCORE_LAYERS = "ANSWER_LENS_BERTSCORE_LAYERS"


def embedding_model(code: Any) -> dict[str, Any]:
    """The model of cosine similarity."""
    return {"model": EMBEDDING_MODEL.name()}


def bertscore_model(code: Any) -> dict[str, Any]:
    """The model of BERTScore and the layer: the one asked for, else the module's, else the model's last."""
    arguments: dict[str, Any] = {"model_type": BERTSCORE_MODEL.name()}
    layers = os.environ.get(BERTSCORE_LAYERS, "").strip()
    if layers:
        arguments["num_layers"] = int(layers) if re.fullmatch("-?[0-9]{1,9}", layers) else layers
    elif code.known_layers(BERTSCORE_MODEL.name()) is None:
        arguments["num_layers"] = "last"
    return arguments


LV_EVAL = ("LV-Eval, Yuan et al. 2024", "https://arxiv.org/abs/2402.05136")
EVOUNA = ("EVOUNA, Wang et al. 2023", "https://arxiv.org/abs/2305.12421")
SBERT = ("Sentence-BERT, Reimers and Gurevych 2019", "https://arxiv.org/abs/1908.10084")
BERTSCORE = ("Zhang et al. 2020", "https://arxiv.org/abs/1904.09675")
METRICS = (
    Metric("correctness_estimate", *EVOUNA, estimate=True, shown=percent),
    Metric("lv_eval_f1", *LV_EVAL, "LV-Eval F1", settings=("multi_reference", "min_keyword_recall")),
    Metric("bleu", "Papineni et al. 2002", "https://aclanthology.org/P02-1040/", "BLEU"),
    Metric("rouge", "ROUGE, Lin 2004", "https://aclanthology.org/W04-1013/", "ROUGE-L"),
    Metric("lv_eval_rouge", *LV_EVAL, "LV-Eval ROUGE", settings=("multi_reference",)),
    Metric("cosine_similarity", *SBERT, low=-1.0, arguments=embedding_model, model=EMBEDDING_MODEL),
    Metric("bertscore", *BERTSCORE, "BERTScore", arguments=bertscore_model, model=BERTSCORE_MODEL),
    Metric("l3score", "SPIQA, Pramanick et al. 2024", "https://arxiv.org/abs/2407.09413", "L3Score", judge=True),
    Metric("eve_judge", "EVE, Atrio et al. 2026", "https://arxiv.org/abs/2604.13071", judge=True, shown=passed),
)
BY_NAME = {metric.name: metric for metric in METRICS}


@dataclass(frozen=True)
class Series:
    """One column of scores, at its `path` in an entry of `per_example`. `share`: each is 0 or 1, and the mean is a pass
    rate. `primary`: the one of its metric that tables of rows and disagreement use; plots and correlations show its
    `recall` too, which agrees better with people.
    """

    key: str
    metric: str
    path: tuple[str, ...] = ("score",)
    low: float = 0.0
    share: bool = False
    primary: bool = True
    recall: bool = False
    called: str = ""

    @property
    def plotted(self) -> bool:
        """Whether plots and correlations show it."""
        return self.primary or self.recall

    @property
    def title(self) -> str:
        """Its name for a reader: that of its metric, where it has no other."""
        metric = BY_NAME[self.metric].title
        keys = filter(knows, (f"f_series_{self.key}", f"f_series_{self.path[-1]}"))
        return self.called or next((say(key, title=metric) for key in keys), metric)


SERIES = (
    Series("correctness_estimate", "correctness_estimate"),
    Series("lv_eval_f1", "lv_eval_f1"),
    Series("lv_eval_f1_recall", "lv_eval_f1", ("recall",), primary=False, recall=True),
    Series("bleu", "bleu"),
    Series("rouge1", "rouge", ("rouge1", "fmeasure"), primary=False, called="ROUGE-1"),
    Series("rouge2", "rouge", ("rouge2", "fmeasure"), primary=False, called="ROUGE-2"),
    Series("rougeL", "rouge", ("rougeL", "fmeasure")),
    Series("rougeL_recall", "rouge", ("rougeL", "recall"), primary=False, recall=True),
    Series("rougeLsum", "rouge", ("rougeLsum", "fmeasure"), primary=False, called="ROUGE-Lsum"),
    Series("lv_eval_rouge", "lv_eval_rouge"),
    Series("cosine_similarity", "cosine_similarity", low=-1.0),
    Series("bertscore_precision", "bertscore", ("precision",), primary=False),
    Series("bertscore_recall", "bertscore", ("recall",), primary=False, recall=True),
    Series("bertscore_f1", "bertscore", ("f1",), called="BERTScore F1"),
    Series("L3Score", "l3score"),
    Series("eve_judge", "eve_judge", share=True),
)


def series_of(metrics: Iterable[str]) -> list[Series]:
    """The series of some metrics, in the order of SERIES."""
    wanted = set(metrics)
    return [series for series in SERIES if series.metric in wanted]
