"""The ways to score rows that are compared: ours, the originals', and what bounds them from below."""

import runpy
from pathlib import Path
from statistics import fmean
from typing import Any

from tests.benchmarks.measuring import Given, Maker, Peer, Took, Way
from tests.benchmarks.texts import Rows
from tests.support import models
from tests.support.judges import JUDGES
from tests.support.project import WITH_TOKENS, functions, load

ROUGE = ("rouge1", "rouge2", "rougeL", "rougeLsum")


def with_minilm(name: str) -> dict[str, Any]:
    """Return how an embedding score is asked to take MiniLM; nothing for the other modules."""
    asked: dict[str, dict[str, Any]] = {
        "cosine_similarity": {"model": models.minilm(), "device": "cpu"},
        "bertscore": {"model_type": models.minilm(), "num_layers": 6, "device": "cpu"},
    }
    return asked.get(name, {})


def compute(
    name: str, *over_all: str, parts: tuple[str, ...] = (), keywords: bool = False, lists: bool = False, **more: Any
) -> Maker:
    """Return the maker of a module's `compute`, references as texts or as lists of one; a judge is on loopback.

    Compared are each row's score, or these parts of it, and then those over all rows.
    """

    def make(given: Given) -> Way:
        metric = load(name)
        judge = {"model": "judge-1", "base_url": given.judge, "api_key": "sk-benchmark", "progress": False}
        asked = (judge | {"cache": False} if name in JUDGES else with_minilm(name)) | more

        def run(rows: Rows, **reasons: Any) -> Any:
            references = [[text] for text in rows.references] if lists else rows.references
            columns: dict[str, Any] = {"predictions": rows.predictions, "references": references}
            columns |= {"answer_keywords": rows.keywords} if keywords else {}
            asks = name in (*JUDGES, "correctness_estimate")
            columns |= {"questions": ["What does the text say?"] * len(references)} if asks else {}
            return metric.compute(**columns, **asked, **reasons)

        def scores(rows: Rows, result: Any) -> list[Any]:
            brief = "brief" if name in WITH_TOKENS else True
            entries = (result if "per_example" in result else run(rows, per_example=brief))["per_example"]
            if parts:
                found = [{part: tuple(row[part].values()) for part in parts} for row in entries]
            else:
                found = [row["score"] for row in entries]
            return [*found, *(result[key] for key in over_all)]

        return Way(run, scores)

    return make


def pure(name: str, columns: int = 2, **asked: Any) -> Maker:
    """Return the maker of a module's pure function, row by row; the third column are the keywords."""

    def make(given: Given) -> Way:
        score = functions(name).score
        return Way(lambda rows: [score(*row, **asked) for row in zip(*rows[:columns], strict=True)])

    return make


def words(given: Given) -> Way:
    """Return `compute` of the four modules of words, one after the other."""
    runs = [compute(name)(given).run for name in ("lv_eval_f1", "bleu", "rouge", "lv_eval_rouge")]
    return Way(lambda rows: [run(rows) for run in runs])


def original(name: str) -> Peer:
    """Return the maker of a way that calls one of LV-Eval's functions row by row; None where it divides by zero."""

    def make(given: Given) -> Way | None:
        if not given.lveval:
            return None
        function = runpy.run_path(str(Path(given.lveval) / "metrics.py"))[name]

        def score(*row: str) -> float | None:
            try:
                return function(*row)
            except ZeroDivisionError:
                return None

        return Way(lambda rows: [score(*row) for row in zip(*rows, strict=True)])

    return make


def mean_of(rows_of: Peer) -> Peer:
    """Return the maker of a way that takes the mean over all rows besides; None where a row has no score."""

    def make(given: Given) -> Way | None:
        way = rows_of(given)
        return way and Way(way.run, lambda rows, result: [*result, None if None in result else fmean(result)])

    return make


def rouge_score(use_stemmer: bool) -> Maker:
    """Return the maker of the package rouge_score's four types."""

    def make(given: Given) -> Way:
        from rouge_score.rouge_scorer import RougeScorer

        scorer = RougeScorer([*ROUGE], use_stemmer=use_stemmer)
        return Way(lambda rows: [scorer.score(r, p) for p, r, _ in zip(*rows, strict=True)])

    return make


def sacrebleu(given: Given) -> Way:
    """Return sacrebleu's sentence scores and its corpus score; its own 0 to 100 is made 0 to 1 for the comparison."""
    from sacrebleu.metrics import BLEU

    sentence, corpus = BLEU(effective_order=True), BLEU()

    def run(rows: Rows) -> tuple[list[float], float]:
        sentences = [sentence.sentence_score(p, [r]).score for p, r, _ in zip(*rows, strict=True)]
        return sentences, corpus.corpus_score(rows.predictions, [rows.references]).score

    def scores(rows: Rows, result: tuple[list[float], float]) -> list[float]:
        sentences = [min(score / 100, 1.0) for score in result[0]]
        return [*sentences, fmean(sentences), min(result[1] / 100, 1.0)]

    return Way(run, scores)


def bert_score(given: Given) -> Way:
    """Return the F1 of the package bert_score with MiniLM; compared is that of each pair alone, for in a batch the
    package takes the padding of shorter texts for tokens of cosine 0.
    """
    from bert_score import BERTScorer

    scorer = BERTScorer(model_type=models.minilm(), num_layers=6, device="cpu")

    def run(rows: Rows, batch_size: int = 64) -> list[float]:
        return scorer.score(rows.predictions, rows.references, batch_size=batch_size)[2].tolist()

    return Way(run, lambda rows, result: run(rows, 1))


def card_loop(given: Given) -> Way:
    """Return the cosines as EVE's card takes them: both lists encoded, scikit-learn's cosine of each pair."""
    from sentence_transformers import SentenceTransformer
    from sklearn.metrics.pairwise import cosine_similarity

    model = SentenceTransformer(models.minilm(), device="cpu")

    def run(rows: Rows) -> list[float]:
        pairs = zip(model.encode(rows.predictions), model.encode(rows.references), strict=True)
        return [float(cosine_similarity([answer], [reference])[0][0]) for answer, reference in pairs]

    return Way(run)


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


def ideal(at_once: int, delay: float) -> Maker:
    """Return the maker of what no client can beat: the server's own time, so many calls at once."""
    return lambda given: Way(lambda rows: Took(len(rows.references) * delay / at_once))
