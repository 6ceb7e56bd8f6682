"""The catalog of metrics and of their columns of scores.

A new metric is one more entry in METRICS. If it has several columns of scores, they are in COLUMNS.
Its reasons are shown by a macro of its name in page/templates/reasons.html. No other file of the
package knows a metric by name: special cases are fields of `Metric`, or constants below METRICS.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from lens.words import has_text, say
from lens.words.formats import format_number, format_percent, format_verdict

# The setting that chooses which of several references is read.
MULTI_REFERENCE = "multi_reference"


@dataclass(frozen=True)
class Model:
    """A model that a metric loads.

    Attributes:
        variable: the environment variable that can name another model.
        default: the model's name on the Hub.
        size: the size of the download.
        packages: the packages that it needs.
    """

    variable: str
    default: str
    size: str
    packages: tuple[str, ...]

    def name(self) -> str:
        """Return the name or the folder of the model; the environment is read at every call."""
        return os.environ.get(self.variable, "").strip() or self.default


@dataclass(frozen=True)
class CorpusScore:
    """A score of all rows together, which is not the mean of the rows' scores.

    Attributes:
        counts: returns the counts of a row, given its entry of `per_example`; they are summed over
            all rows.
        score: returns the score, given the module's code and the sums of the counts.
    """

    counts: Callable[[Mapping[str, Any]], list[int]]
    score: Callable[[Any, list[int]], float]


@dataclass(frozen=True)
class Metric:
    """A metric of the catalog.

    Attributes:
        name: the name of its folder, of its file, and on the Hub.
        paper: the paper in which it was published.
        paper_url: the address of the paper.
        fixed_title: the title, if it is the same in every language.
        low: the lower end of the scale.
        high: the upper end of the scale.
        arguments: returns further arguments of `compute`, given the module's code.
        model: the model that it loads, or None. Other metrics do not wait for it.
        judge: whether it asks the language model that the user chose. Other metrics do not wait for
            it.
        judge_writes: whether its judge writes a verdict as text, so several replies can be
            compared.
        decision: the name and value of the judge's setting that asks a decision model.
        estimate: whether it is the estimate of correctness by words, which also reads the question.
        counts_tokens: whether its reasons contain lists of tokens, which `per_example="brief"`
            leaves out.
        corpus_score: a score of all rows together, besides the mean of the rows' scores.
        takes_keywords: whether it takes answer keywords, and a minimum recall of them.
        chooses_reference: whether the user can choose which of several references it reads.
        format_score: formats its score.
    """

    name: str
    paper: str
    paper_url: str
    fixed_title: str = ""
    low: float = 0.0
    high: float = 1.0
    arguments: Callable[[Any], dict[str, Any]] = lambda code: {}
    model: Model | None = None
    judge: bool = False
    judge_writes: bool = False
    decision: tuple[str, str] = ("", "")
    estimate: bool = False
    counts_tokens: bool = False
    corpus_score: CorpusScore | None = None
    takes_keywords: bool = False
    chooses_reference: bool = False
    format_score: Callable[[float], str] = format_number

    @property
    def settings(self) -> tuple[str, ...]:
        """The settings that the user can choose."""
        reference = (MULTI_REFERENCE,) if self.chooses_reference else ()
        keywords = ("min_keyword_recall",) if self.takes_keywords else ()
        return (*reference, *keywords)

    @property
    def gives_verdicts(self) -> bool:
        """True if its score is a judge's verdict, or the joined verdict of the cascade."""
        return self.judge or self.name == CASCADE.name

    @property
    def kind(self) -> Literal["words", "embeddings", "judges"]:
        """The kind of the metric, by what its score is computed from."""
        if self.judge:
            return "judges"
        return "embeddings" if self.model else "words"

    @property
    def title(self) -> str:
        """The title of the metric."""
        return self.fixed_title or say(f"metric.title.{self.name}")

    @property
    def measures(self) -> str:
        """The question that the score answers."""
        return say(f"metric.measures.{self.name}")

    @property
    def remark(self) -> str:
        """A remark on the scale; empty for most metrics."""
        key = f"metric.remark.{self.name}"
        return say(key) if has_text(key) else ""


EMBEDDING_MODEL = Model(
    "ANSWER_LENS_EMBEDDING_MODEL",
    "sentence-transformers/all-MiniLM-L6-v2",
    "90 MB",
    ("torch", "transformers", "sentence_transformers"),
)
BERTSCORE_MODEL = Model(
    "ANSWER_LENS_BERTSCORE_MODEL",
    "microsoft/deberta-xlarge-mnli",
    "3 GB",
    ("torch", "transformers"),
)
BERTSCORE_LAYERS = "ANSWER_LENS_BERTSCORE_LAYERS"


def choose_embedding_model(code: Any) -> dict[str, Any]:
    """Return the argument for the model of cosine similarity."""
    return {"model": EMBEDDING_MODEL.name()}


def choose_bertscore_model(code: Any) -> dict[str, Any]:
    """Return the arguments for BERTScore's model and layer.

    The layer is the one in the environment, or else the one that the module knows for the model, or
    else the model's last layer.
    """
    arguments: dict[str, Any] = {"model_type": BERTSCORE_MODEL.name()}
    layers = os.environ.get(BERTSCORE_LAYERS, "").strip()
    if layers:
        # The module refuses a setting that is no number, with a message.
        is_integer = re.fullmatch("-?[0-9]{1,9}", layers)
        arguments["num_layers"] = int(layers) if is_integer else layers
    elif code.known_layers(BERTSCORE_MODEL.name()) is None:
        arguments["num_layers"] = "last"
    return arguments


def count_ngrams(entry: Mapping[str, Any]) -> list[int]:
    """Return the lengths, matches and totals of a row, from which corpus BLEU is computed."""
    return [
        entry["prediction_length"],
        entry["reference_length"],
        *entry["matches"],
        *entry["totals"],
    ]


def compute_corpus_bleu(code: Any, counts: list[int]) -> float:
    """Return BLEU of all rows together, computed by the module's own code."""
    return float(code.compute_bleu(counts, effective_order=False)["bleu"])


LV_EVAL = ("LV-Eval, Yuan et al. 2024", "https://arxiv.org/abs/2402.05136")
EVOUNA = ("EVOUNA, Wang et al. 2023", "https://arxiv.org/abs/2305.12421")
SBERT = ("Sentence-BERT, Reimers and Gurevych 2019", "https://arxiv.org/abs/1908.10084")
BLEU = ("Papineni et al. 2002", "https://aclanthology.org/P02-1040/")
ROUGE = ("ROUGE, Lin 2004", "https://aclanthology.org/W04-1013/")
BERTSCORE = ("Zhang et al. 2020", "https://arxiv.org/abs/1904.09675")
SPIQA = ("SPIQA, Pramanick et al. 2024", "https://arxiv.org/abs/2407.09413")
EVE = ("EVE, Atrio et al. 2026", "https://arxiv.org/abs/2604.13071")
METRICS = (
    Metric("correctness_estimate", *EVOUNA, estimate=True, format_score=format_percent),
    Metric(
        "lv_eval_f1",
        *LV_EVAL,
        "LV-Eval F1",
        counts_tokens=True,
        takes_keywords=True,
        chooses_reference=True,
    ),
    Metric(
        "bleu",
        *BLEU,
        "BLEU",
        counts_tokens=True,
        corpus_score=CorpusScore(count_ngrams, compute_corpus_bleu),
    ),
    Metric("rouge", *ROUGE, "ROUGE-L", counts_tokens=True),
    Metric("lv_eval_rouge", *LV_EVAL, "LV-Eval ROUGE", counts_tokens=True, chooses_reference=True),
    Metric(
        "cosine_similarity",
        *SBERT,
        low=-1.0,
        arguments=choose_embedding_model,
        model=EMBEDDING_MODEL,
    ),
    Metric(
        "bertscore",
        *BERTSCORE,
        "BERTScore",
        arguments=choose_bertscore_model,
        model=BERTSCORE_MODEL,
        counts_tokens=True,
    ),
    Metric("l3score", *SPIQA, "L3Score", judge=True, decision=("probability", "decision")),
    Metric(
        "eve_judge",
        *EVE,
        judge=True,
        judge_writes=True,
        decision=("reply", "decision"),
        format_score=format_verdict,
    ),
)
# The joined verdict of the estimate and a judge (cascade.py). It has no module, and the user cannot
# choose it.
CASCADE = Metric("cascade", "", "")
METRIC_NAMES = tuple(metric.name for metric in METRICS)
JUDGE_NAMES = tuple(metric.name for metric in METRICS if metric.judge)
BY_NAME = {metric.name: metric for metric in (*METRICS, CASCADE)}
# The metrics that the sentences about one answer use.
ESTIMATE = "correctness_estimate"
KEYWORD_GATE = "lv_eval_f1"
WORD_ORDER = "bleu"
LONGEST_SEQUENCE = "rouge"
# The modules that replace LV-Eval's own functions.
OFFICIAL_F1 = "lv_eval_f1"
OFFICIAL_ROUGE = "lv_eval_rouge"


@dataclass(frozen=True)
class Series:
    """One column of scores.

    Attributes:
        key: the name of the column in files.
        metric: the metric that computes it.
        path: the keys of the score in an entry of `per_example`.
        low: the lower end of the scale.
        share: whether each score is 0 or 1, so that the mean is a pass rate.
        primary: whether it is the main column of its metric, which tables of rows and disagreement
            use.
        recall: whether plots and correlations also show it, because it agrees better with people
            than the primary column.
        fixed_title: the title, if it is the same in every language.
    """

    key: str
    metric: str
    path: tuple[str, ...] = ("score",)
    low: float = 0.0
    share: bool = False
    primary: bool = True
    recall: bool = False
    fixed_title: str = ""

    @property
    def plotted(self) -> bool:
        """True if plots and correlations show the column."""
        return self.primary or self.recall

    @property
    def title(self) -> str:
        """The title of the column; by default that of its metric."""
        if self.fixed_title:
            return self.fixed_title
        metric = BY_NAME[self.metric].title
        for key in (f"score_column.{self.key}", f"score_column.{self.path[-1]}"):
            if has_text(key):
                return say(key, title=metric)
        return metric


# The columns of metrics that have several columns, or a single one of another name.
COLUMNS = {
    "lv_eval_f1": (
        Series("lv_eval_f1", "lv_eval_f1"),
        Series("lv_eval_f1_recall", "lv_eval_f1", ("recall",), primary=False, recall=True),
    ),
    "rouge": (
        Series("rouge1", "rouge", ("rouge1", "fmeasure"), primary=False, fixed_title="ROUGE-1"),
        Series("rouge2", "rouge", ("rouge2", "fmeasure"), primary=False, fixed_title="ROUGE-2"),
        Series("rougeL", "rouge", ("rougeL", "fmeasure")),
        Series("rougeL_recall", "rouge", ("rougeL", "recall"), primary=False, recall=True),
        Series(
            "rougeLsum", "rouge", ("rougeLsum", "fmeasure"), primary=False, fixed_title="ROUGE-Lsum"
        ),
    ),
    "bertscore": (
        Series("bertscore_precision", "bertscore", ("precision",), primary=False),
        Series("bertscore_recall", "bertscore", ("recall",), primary=False, recall=True),
        Series("bertscore_f1", "bertscore", ("f1",), fixed_title="BERTScore F1"),
    ),
    "l3score": (Series("L3Score", "l3score"),),
    "eve_judge": (Series("eve_judge", "eve_judge", share=True),),
}


def find_series(metric: Metric) -> tuple[Series, ...]:
    """Return the columns of scores of a metric; by default a single one with the metric's name."""
    return COLUMNS.get(metric.name) or (Series(metric.name, metric.name, low=metric.low),)


SERIES = tuple(series for metric in (*METRICS, CASCADE) for series in find_series(metric))


def list_series(metrics: Iterable[str]) -> list[Series]:
    """Return the series of these metrics, in the order of SERIES."""
    wanted = set(metrics)
    return [series for series in SERIES if series.metric in wanted]
