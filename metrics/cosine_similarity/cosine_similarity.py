"""Cosine similarity of sentence embeddings as a metric of evaluate; scoring.py computes it."""

from importlib.metadata import version
from os import PathLike
from statistics import fmean
from typing import Any

import datasets
import evaluate

from .inputs import Inputs
from .scoring import DEFAULT_MODEL, embed_texts, explain, load_encoder, score
from .text_model import ask_hub

__all__ = ["CosineSimilarity", "ask_hub", "score"]

VERSION = "0.1.0"


class CosineSimilarity(Inputs, evaluate.Metric):
    """Cosine similarity of sentence embeddings as a metric of evaluate.

    `compute` checks rows and settings before it loads the model.

    >>> cosine = CosineSimilarity()
    >>> cosine.add(prediction="He won.", reference=["He won the cup.", "The cup is his."])
    >>> cosine.add_batch(predictions=["He lost."], references=[None])
    Traceback (most recent call last):
    ...
    TypeError: references[0] is None (NoneType); a string is expected
    >>> len(cosine)
    1
    """

    def _info(self) -> evaluate.MetricInfo:
        text = datasets.Value("string")
        texts = datasets.Sequence(text)
        return evaluate.MetricInfo(
            description="Cosine similarity of the sentence embeddings of answer and reference.",
            citation=CITATION,
            inputs_description=INPUTS,
            features=[
                datasets.Features({"predictions": text, "references": texts}),
                datasets.Features({"predictions": text, "references": text}),
            ],
            codebase_urls=["https://github.com/huggingface/sentence-transformers"],
            reference_urls=[
                "https://arxiv.org/abs/1908.10084",
                "https://huggingface.co/datasets/eve-esa/open-ended",
            ],
        )

    def _compute(  # noqa: PLR0913
        self,
        predictions: list[str],
        references: list[tuple[str, ...]],
        model: str | PathLike[str] = DEFAULT_MODEL,
        batch_size: int = 64,
        device: Any = None,
        per_example: bool = False,
        signature: bool = False,
    ) -> dict[str, Any]:
        encoder = load_encoder(model, device)
        rows = list(zip(predictions, references, strict=True))
        all_texts = []
        all_references: list[str] = []
        for prediction, row_references in rows:
            all_texts += [prediction, *row_references]
            all_references += row_references
        texts = embed_texts(encoder, all_texts, batch_size)
        entries = [explain(encoder, texts, *row) for row in rows]
        result: dict[str, Any] = {
            "average_cosine_similarity": fmean(entry["score"] for entry in entries),
            "predictions_truncated": sum(texts[text].truncated for text in predictions),
            "references_truncated": sum(texts[text].truncated for text in all_references),
        }
        if per_example or signature:
            settings = {
                "model": encoder.name,
                "revision": encoder.revision,
                "max_length": encoder.max_length,
            }
            libraries = {
                "sentence-transformers": version("sentence-transformers"),
                "transformers": version("transformers"),
                "torch": version("torch"),
            }
            result["signature"] = self.make_signature(VERSION, **settings, **libraries)
        if per_example:
            result["per_example"] = entries
        return result


CITATION = """\
@inproceedings{reimers2019sentencebert,
  title={Sentence-{BERT}: Sentence Embeddings using {S}iamese {BERT}-Networks},
  author={Reimers, Nils and Gurevych, Iryna},
  booktitle={Proceedings of the 2019 Conference on Empirical Methods in Natural Language
    Processing},
  pages={3982--3992}, year={2019}
}
"""
INPUTS = """
Args:
    predictions (list of str): the answers to grade.
    references (list of str, or of lists of str): the right answers; the nearest reference of a row
        counts.
    model (str): a model of sentence-transformers, by its name on the Hub or the path of a folder.
    batch_size (int): the most texts in one batch; it does not change the scores.
    device (str or None): "cuda", "mps", "cpu", ...; None takes the first of these that is
        available.
    per_example (bool): True adds one dict per row with its cosine and the lengths of its texts.
    signature (bool): adds the signature; so does per_example.

Returns:
    average_cosine_similarity (float): mean of the rows, -1..1, higher is better.
    predictions_truncated, references_truncated (int): how many texts were too long, so that the
        model read only their beginning.
    signature (str, on request): everything that can change the score, for a paper.
    per_example (list of dict, on request).
"""
