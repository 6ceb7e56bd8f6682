"""The one table of the metrics that the page shows, and of their columns of scores.

A metric to come is one more entry in METRICS; one with several columns of scores has them in
COLUMNS. What shows its reasons is a macro of its name in page/templates/reasons.html. No other file
of the package knows a metric by name: where one is treated otherwise than the rest, a field of
`Metric` or a constant below METRICS says so.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from lens.words import has_text, say
from lens.words.formats import format_number, format_percent, format_verdict

# The setting that says which of several references is read.
MULTI_REFERENCE = "multi_reference"


@dataclass(frozen=True)
class Model:
    """The model that a metric loads.

    Attributes:
        variable: the variable in the environment that names another.
        default: the model's name on the Hub.
        size: its download.
        packages: what it needs.
    """

    variable: str
    default: str
    size: str
    packages: tuple[str, ...]

    def name(self) -> str:
        """Return the name or the folder of the model, read anew for each score."""
        return os.environ.get(self.variable, "").strip() or self.default


@dataclass(frozen=True)
class CorpusScore:
    """A score of all rows together, which is no mean of rows.

    Attributes:
        counts: what is added up over the rows, from the entry of one in `per_example`.
        score: the score, from the module's code and the counts of all rows.
    """

    counts: Callable[[Mapping[str, Any]], list[int]]
    score: Callable[[Any, list[int]], float]


@dataclass(frozen=True)
class Metric:
    """One metric as the page shows it.

    Attributes:
        name: its folder, its file and its name on the Hub.
        paper: the paper that it comes from.
        paper_url: the paper's address.
        called: its title, where that is the same in every language.
        low: the lower end of its scale.
        high: the upper end.
        arguments: what `compute` gets besides the texts; it may ask the module's code, which it is
            given.
        model: the model that it loads; the other metrics do not wait for it.
        judge: whether it asks the language model that the visitor chose; the other metrics do not
            wait for it.
        judge_writes: whether its judge writes its verdict as text, which may be asked for several
            times.
        decision: the setting of a judge, with its value, that asks a decision model.
        estimate: whether it is a probability by words: it reads the question, and no score of words
            in common is compared with it.
        counts_tokens: whether its reasons hold lists of tokens, which `per_example="brief"` leaves
            out.
        corpus_score: a score of all rows together, besides the mean of their scores.
        takes_keywords: whether it takes the answer keywords, and a least recall of them.
        chooses_reference: whether one may choose which of several references it reads.
        shown: how its score is written.
    """

    name: str
    paper: str
    paper_url: str
    called: str = ""
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
    shown: Callable[[float], str] = format_number

    @property
    def settings(self) -> tuple[str, ...]:
        """The settings that a visitor may choose."""
        reference = (MULTI_REFERENCE,) if self.chooses_reference else ()
        keywords = ("min_keyword_recall",) if self.takes_keywords else ()
        return (*reference, *keywords)

    @property
    def gives_verdicts(self) -> bool:
        """Return whether its score is a judge's verdict, alone or together with the estimate."""
        return self.judge or self.name == CASCADE.name

    @property
    def kind(self) -> Literal["words", "embeddings", "judges"]:
        """The kind of what its score comes from."""
        if self.judge:
            return "judges"
        return "embeddings" if self.model else "words"

    @property
    def title(self) -> str:
        """The title of the metric."""
        return self.called or say(f"metric.title.{self.name}")

    @property
    def measures(self) -> str:
        """The question that its score answers."""
        return say(f"metric.measures.{self.name}")

    @property
    def remark(self) -> str:
        """A remark on its scale; empty for most."""
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
    """Return the model of cosine similarity."""
    return {"model": EMBEDDING_MODEL.name()}


def choose_bertscore_model(code: Any) -> dict[str, Any]:
    """Return BERTScore's model and layer.

    The layer is the one asked for, else the module's, else the model's last.
    """
    arguments: dict[str, Any] = {"model_type": BERTSCORE_MODEL.name()}
    layers = os.environ.get(BERTSCORE_LAYERS, "").strip()
    if layers:
        arguments["num_layers"] = int(layers) if re.fullmatch("-?[0-9]{1,9}", layers) else layers
    elif code.known_layers(BERTSCORE_MODEL.name()) is None:
        arguments["num_layers"] = "last"
    return arguments


def count_ngrams(entry: Mapping[str, Any]) -> list[int]:
    """Return the lengths, matches and totals of a row that make up corpus BLEU."""
    return [
        entry["prediction_length"],
        entry["reference_length"],
        *entry["matches"],
        *entry["totals"],
    ]


def compute_corpus_bleu(code: Any, counts: list[int]) -> float:
    """Return BLEU of all rows together, as the module's own code computes it."""
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
    Metric("correctness_estimate", *EVOUNA, estimate=True, shown=format_percent),
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
        shown=format_verdict,
    ),
)
# The verdict of the estimate where it is sure, and of a judge elsewhere. It has no module, and
# cannot be chosen.
CASCADE = Metric("cascade", "", "")
METRIC_NAMES = tuple(metric.name for metric in METRICS)
JUDGE_NAMES = tuple(metric.name for metric in METRICS if metric.judge)
BY_NAME = {metric.name: metric for metric in (*METRICS, CASCADE)}
# The metrics that a sentence on one answer looks at, by what they tell.
ESTIMATE, KEYWORD_GATE, WORD_ORDER, LONGEST_SEQUENCE = (
    "correctness_estimate",
    "lv_eval_f1",
    "bleu",
    "rouge",
)
# The modules that stand for LV-Eval's own functions.
OFFICIAL_F1, OFFICIAL_ROUGE = "lv_eval_f1", "lv_eval_rouge"


@dataclass(frozen=True)
class Series:
    """One column of scores.

    Attributes:
        key: its name in files.
        metric: the metric that gives it.
        path: where a score stands in an entry of `per_example`.
        low: the lower end of its scale.
        share: whether each score is 0 or 1, and the mean a pass rate.
        primary: whether tables of rows and disagreement use it, of its metric alone.
        recall: whether plots and correlations show it too: it agrees better with people than the
            primary one.
        called: its title, where that is the same in every language.
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
        """Return whether plots and correlations show it."""
        return self.primary or self.recall

    @property
    def title(self) -> str:
        """Its name for a reader: that of its metric, where it has no other."""
        if self.called:
            return self.called
        metric = BY_NAME[self.metric].title
        for key in (f"score_column.{self.key}", f"score_column.{self.path[-1]}"):
            if has_text(key):
                return say(key, title=metric)
        return metric


# The columns of metrics that have several, or one that is not plainly their score.
COLUMNS = {
    "lv_eval_f1": (
        Series("lv_eval_f1", "lv_eval_f1"),
        Series("lv_eval_f1_recall", "lv_eval_f1", ("recall",), primary=False, recall=True),
    ),
    "rouge": (
        Series("rouge1", "rouge", ("rouge1", "fmeasure"), primary=False, called="ROUGE-1"),
        Series("rouge2", "rouge", ("rouge2", "fmeasure"), primary=False, called="ROUGE-2"),
        Series("rougeL", "rouge", ("rougeL", "fmeasure")),
        Series("rougeL_recall", "rouge", ("rougeL", "recall"), primary=False, recall=True),
        Series("rougeLsum", "rouge", ("rougeLsum", "fmeasure"), primary=False, called="ROUGE-Lsum"),
    ),
    "bertscore": (
        Series("bertscore_precision", "bertscore", ("precision",), primary=False),
        Series("bertscore_recall", "bertscore", ("recall",), primary=False, recall=True),
        Series("bertscore_f1", "bertscore", ("f1",), called="BERTScore F1"),
    ),
    "l3score": (Series("L3Score", "l3score"),),
    "eve_judge": (Series("eve_judge", "eve_judge", share=True),),
}


def find_series(metric: Metric) -> tuple[Series, ...]:
    """Return the columns of scores of a metric: one of its name, unless COLUMNS has others."""
    return COLUMNS.get(metric.name) or (Series(metric.name, metric.name, low=metric.low),)


SERIES = tuple(series for metric in (*METRICS, CASCADE) for series in find_series(metric))


def list_series(metrics: Iterable[str]) -> list[Series]:
    """Return the series of some metrics, in the order of SERIES."""
    wanted = set(metrics)
    return [series for series in SERIES if series.metric in wanted]
