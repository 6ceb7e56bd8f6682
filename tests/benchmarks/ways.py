"""The ways to score rows that are compared: ours, the originals', and what bounds them from below.

A way is made once, in the process that measures; what it loads is not timed. `run` is timed, and `scores` makes of its
result what is compared: one entry for each row, and those over all rows after them.
"""

import importlib.metadata
import importlib.util
import json
import logging
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

from tests.benchmarks.texts import Rows
from tests.support import models
from tests.support.project import functions, load

PACKAGES = ("rouge", "rouge_score", "sacrebleu", "bert_score", "openai")
ORIGINALS = {"en": "qa_f1_score_with_gold_ans", "zh": "qa_f1_zh_score_with_gold_ans"}
QUESTION = "What does the text say?"


@dataclass(frozen=True)
class Given:
    """What was asked for on the command line, and the address of a judge where a case needs one."""

    repeats: int = 5
    scale: float = 1.0
    data: str = ""
    lveval: str = ""
    peers: tuple[str, ...] = PACKAGES
    judge: str = ""


class Missing(Exception):
    """A peer is not at hand; the message says what it needs."""


class Way(NamedTuple):
    """One way to score rows."""

    run: Callable[[Rows], Any]
    scores: Callable[[Rows, Any], list[Any]] = lambda rows, result: result


def installed() -> tuple[str, ...]:
    """Return those of the packages that are installed."""
    return tuple(name for name in PACKAGES if importlib.util.find_spec(name))


def need(given: Given, package: str) -> None:
    """Raise Missing where a package was not asked for or is not there."""
    if package not in given.peers or package not in installed():
        raise Missing(f"needs the package {package}")


def original(given: Given) -> Any:
    """Return LV-Eval's own metrics.py, from the checkout that was given."""
    if not given.lveval:
        raise Missing("needs --lveval")
    need(given, "rouge")
    path = Path(given.lveval) / "metrics.py"
    if not path.is_file():
        raise FileNotFoundError(f"{path} is not there; --lveval takes the folder of a checkout of LV-Eval's repository")
    # Not as "metrics": that is the name of our own folder.
    spec = importlib.util.spec_from_file_location("lveval_metrics", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def original_way(name: str) -> Callable[[Given], Way]:
    """Return the maker of a way that calls one of LV-Eval's functions row by row; None where it divides by zero."""

    def make(given: Given) -> Way:
        function = getattr(original(given), name)

        def run(rows: Rows) -> list[float | None]:
            scores: list[float | None] = []
            for prediction, reference, keywords in zip(*rows, strict=True):
                try:
                    scores.append(function(prediction, reference, keywords))
                except ZeroDivisionError:
                    scores.append(None)
            return scores

        return Way(run)

    return make


def original_mean(given: Given) -> Way:
    """Score row by row with LV-Eval's function for English, and take the mean."""
    rows_of = original_way(ORIGINALS["en"])(given).run
    return Way(rows_of, lambda rows, result: [*result, fmean(result)] if None not in result else [*result, None])


def cut_alone(given: Given) -> Way:
    """Cut the distinct texts with jieba's own functions, and do nothing else."""
    import jieba

    jieba.setLogLevel(logging.WARNING)
    jieba.initialize()
    return Way(lambda rows: [jieba.lcut(text) for text in dict.fromkeys(text for column in rows for text in column)])


def f1(language: str) -> Callable[[Given], Way]:
    """Return the maker of our pure function."""

    def make(given: Given) -> Way:
        score = functions("lv_eval_f1").score
        return Way(lambda rows: [score(*row, language=language) for row in zip(*rows, strict=True)])

    return make


def f1_pure_mean(given: Given) -> Way:
    """Score row by row with our pure function, and take the mean: all that `compute` does beside its own work."""
    rows_of = f1("auto")(given).run
    return Way(lambda rows: [fmean(rows_of(rows))])


def f1_compute(language: str, lists: bool = False, each: bool = True) -> Callable[[Given], Way]:
    """Return the maker of our `compute`, references as texts or as lists of one; `each` compares rows, not the mean
    alone.
    """

    def make(given: Given) -> Way:
        metric = load("lv_eval_f1")

        def run(rows: Rows, **settings: Any) -> Any:
            references = [[text] for text in rows.references] if lists else rows.references
            texts = {"predictions": rows.predictions, "references": references, "answer_keywords": rows.keywords}
            return metric.compute(**texts, language=language, **settings)

        def scores(rows: Rows, result: Any) -> list[Any]:
            entries = run(rows, per_example="brief")["per_example"] if each else []
            return [*(row["score"] for row in entries), result["lv_eval_f1"]]

        return Way(run, scores)

    return make


def nothing(lists: bool = False) -> Callable[[Given], Way]:
    """Return the maker of the `compute` of a module with the columns of ours that does nothing with them."""

    def make(given: Given) -> Way:
        import evaluate
        from datasets import Features, Sequence, Value

        text = Value("string")
        features = Features(
            {"predictions": text, "references": Sequence(text) if lists else text, "answer_keywords": text}
        )

        class Nothing(evaluate.Metric):  # type: ignore[misc]
            def _info(self) -> Any:
                return evaluate.MetricInfo(description="", citation="", inputs_description="", features=features)

            def _compute(self, predictions: Any, references: Any, answer_keywords: Any) -> dict[str, float]:
                return {"nothing": 0.0}

        metric = Nothing()

        def run(rows: Rows) -> Any:
            references = [[text] for text in rows.references] if lists else rows.references
            return metric.compute(predictions=rows.predictions, references=references, answer_keywords=rows.keywords)

        return Way(run)

    return make


def lv_eval_rouge(given: Given) -> Way:
    """Score row by row with our pure function."""
    score = functions("lv_eval_rouge").score
    return Way(lambda rows: [score(p, r) for p, r, _ in zip(*rows, strict=True)])


def rouge(use_stemmer: bool) -> Callable[[Given], Way]:
    """Return the maker of our four ROUGE types, row by row."""

    def make(given: Given) -> Way:
        score = functions("rouge").score
        return Way(
            lambda rows: [score(p, r, "en", use_stemmer) for p, r, _ in zip(*rows, strict=True)],
            lambda rows, result: [{name: tuple(value) for name, value in row.items()} for row in result],
        )

    return make


def rouge_compute(given: Given) -> Way:
    """Return our four ROUGE types through `compute`."""
    metric = load("rouge")

    def run(rows: Rows, **settings: Any) -> Any:
        return metric.compute(predictions=rows.predictions, references=rows.references, language="en", **settings)

    def scores(rows: Rows, result: Any) -> list[Any]:
        entries = run(rows, per_example="brief")["per_example"]
        names = ("rouge1", "rouge2", "rougeL", "rougeLsum")
        return [{name: tuple(entry[name].values()) for name in names} for entry in entries]

    return Way(run, scores)


def rouge_score(use_stemmer: bool) -> Callable[[Given], Way]:
    """Return the maker of the package rouge_score's four types."""

    def make(given: Given) -> Way:
        need(given, "rouge_score")
        from rouge_score.rouge_scorer import RougeScorer

        scorer = RougeScorer(["rouge1", "rouge2", "rougeL", "rougeLsum"], use_stemmer=use_stemmer)
        return Way(
            lambda rows: [scorer.score(r, p) for p, r, _ in zip(*rows, strict=True)],
            lambda rows, result: [{name: tuple(value) for name, value in row.items()} for row in result],
        )

    return make


def bleu(given: Given) -> Way:
    """Return our sentence scores' mean and corpus score, from one counting."""
    metric = load("bleu")

    def run(rows: Rows, **settings: Any) -> Any:
        return metric.compute(predictions=rows.predictions, references=rows.references, language="en", **settings)

    def scores(rows: Rows, result: Any) -> list[Any]:
        sentences = [row["score"] for row in run(rows, per_example="brief")["per_example"]]
        return [*sentences, result["sentence_bleu"], result["bleu"]]

    return Way(run, scores)


def sacrebleu(given: Given) -> Way:
    """Return sacrebleu's sentence scores and its corpus score; its own 0 to 100 is made 0 to 1 for the comparison."""
    need(given, "sacrebleu")
    from sacrebleu.metrics import BLEU

    sentence, corpus = BLEU(effective_order=True), BLEU()

    def run(rows: Rows) -> tuple[list[float], float]:
        sentences = [sentence.sentence_score(p, [r]).score for p, r, _ in zip(*rows, strict=True)]
        return sentences, corpus.corpus_score(rows.predictions, [rows.references]).score

    def scores(rows: Rows, result: tuple[list[float], float]) -> list[float]:
        sentences = [min(score / 100, 1.0) for score in result[0]]
        return [*sentences, fmean(sentences), min(result[1] / 100, 1.0)]

    return Way(run, scores)


def bertscore(given: Given) -> Way:
    """Return the F1 of our module with MiniLM."""
    metric = load("bertscore")
    settings = {"model_type": models.minilm(), "num_layers": 6, "device": "cpu", "per_example": "brief"}

    def run(rows: Rows) -> Any:
        return metric.compute(predictions=rows.predictions, references=rows.references, **settings)

    return Way(run, lambda rows, result: [row["score"] for row in result["per_example"]])


def bert_score(given: Given) -> Way:
    """Return the F1 of the package bert_score with MiniLM."""
    need(given, "bert_score")
    from bert_score import BERTScorer

    scorer = BERTScorer(model_type=models.minilm(), num_layers=6, batch_size=64, device="cpu")
    return Way(lambda rows: scorer.score(rows.predictions, rows.references)[2].tolist())


def cosine(given: Given) -> Way:
    """Return the cosines of our module with MiniLM."""
    metric = load("cosine_similarity")
    settings = {"model": models.minilm(), "device": "cpu", "per_example": True}

    def run(rows: Rows) -> Any:
        return metric.compute(predictions=rows.predictions, references=rows.references, **settings)

    return Way(run, lambda rows, result: [row["score"] for row in result["per_example"]])


def encode(given: Given) -> Way:
    """Return the cosines of one batched `encode` of the distinct texts, as sentence-transformers does it."""
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(models.minilm(), device="cpu")

    def run(rows: Rows) -> list[float]:
        distinct = list(dict.fromkeys([*rows.predictions, *rows.references]))
        found = model.encode(distinct, normalize_embeddings=True, show_progress_bar=False)
        place = dict(zip(distinct, found, strict=True))
        return [float(place[p] @ place[r]) for p, r, _ in zip(*rows, strict=True)]

    return Way(run)


def eve_judge(given: Given) -> Way:
    """Return the verdicts of our judge, one call at a time and nothing kept, as the plain SDK asks."""
    metric = load("eve_judge")
    settings = {"model": "judge-1", "base_url": given.judge, "api_key": "sk-benchmark", "max_concurrency": 1}
    settings |= {"cache": False, "progress": False, "per_example": True}

    def run(rows: Rows) -> Any:
        questions = [QUESTION] * len(rows.references)
        return metric.compute(questions=questions, predictions=rows.predictions, references=rows.references, **settings)

    return Way(run, lambda rows, result: [row["score"] for row in result["per_example"]])


def openai(given: Given) -> Way:
    """Return the verdicts that the plain openai SDK gets for the same prompts, one call after the other."""
    need(given, "openai")
    import openai as sdk

    client = sdk.OpenAI(base_url=given.judge, api_key="sk-benchmark")
    fill = functions("eve_judge").fill_prompt

    def verdict(prediction: str, reference: str) -> float:
        messages: Any = [{"role": "user", "content": fill(QUESTION, prediction, reference)}]
        reply = client.chat.completions.create(model="judge-1", messages=messages).choices[0].message.content
        return float(json.loads(reply or "")["score"])

    return Way(lambda rows: [verdict(p, r) for p, r, _ in zip(*rows, strict=True)])
