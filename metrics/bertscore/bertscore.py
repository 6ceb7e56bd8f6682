"""BERTScore as a metric of evaluate; scoring.py computes it."""

import warnings
from importlib.metadata import version
from os import PathLike
from statistics import fmean
from typing import Any

import datasets
import evaluate

from .inputs import Inputs
from .scoring import NO_SCORE, Row, Score, choose_model, explain, load_encoder, score, score_rows
from .tables import LAYER_OF_MODEL, read_baselines, describe_language_mismatch
from .text_model import ask_hub

__all__ = ["Bertscore", "ask_hub", "known_layers", "score"]

VERSION = "0.1.0"
# The version number in the hash codes of bert_score's release 0.3.13.
BERT_SCORE = "0.3.12"
# The demo calls this before it scores with a model: the layer that bert_score uses for it, or None
# if bert_score does not know the model.
known_layers = LAYER_OF_MODEL.get


class Bertscore(Inputs, evaluate.Metric):
    """BERTScore as a metric of evaluate.

    `compute` checks rows and settings before it loads the model.

    >>> bertscore = Bertscore()
    >>> bertscore.add(prediction="He won.", reference=["He won the cup.", "The cup is his."])
    >>> bertscore.add_batch(predictions=["He lost."], references=[None])
    Traceback (most recent call last):
    ...
    TypeError: references[0] is None (NoneType); a string is expected
    >>> len(bertscore)
    1
    >>> known_layers("roberta-large")
    17
    """

    def _info(self) -> evaluate.MetricInfo:
        text = datasets.Value("string")
        texts = datasets.Sequence(text)
        return evaluate.MetricInfo(
            description="BERTScore: tokens of answer and reference matched by their contextual "
            "embeddings.",
            citation=CITATION,
            inputs_description=INPUTS,
            features=[
                datasets.Features({"predictions": text, "references": kind})
                for kind in (texts, text)
            ],
            codebase_urls=["https://github.com/Tiiiger/bert_score"],
            reference_urls=[
                "https://arxiv.org/abs/1904.09675",
                "https://huggingface.co/datasets/eve-esa/open-ended",
            ],
        )

    def _compute(  # noqa: PLR0913
        self,
        predictions: list[str],
        references: list[tuple[str, ...]],
        model_type: str | PathLike[str] | None = None,
        num_layers: int | str | None = None,
        lang: str | None = None,
        idf: bool = False,
        rescale_with_baseline: bool = False,
        batch_size: int = 64,
        device: Any = None,
        per_example: bool | str = False,
        signature: bool = False,
    ) -> dict[str, Any]:
        name = choose_model(model_type, lang)
        lang = lang.lower() if lang else None
        warning, warning_values = describe_language_mismatch(model_type, lang)
        if warning:
            warnings.warn(warning, stacklevel=3)
        baselines = read_baselines(str(name), lang) if rescale_with_baseline else None
        encoder = load_encoder(name, num_layers, lang, device)
        # Without rescaling, 0 stays 0.
        baseline = baselines[encoder.layers] if baselines else NO_SCORE
        rows = score_rows(
            encoder, predictions, references, idf, baseline, batch_size, per_example is True
        )
        result: dict[str, Any] = {}
        for key in Score._fields:
            result[key] = fmean(getattr(row.score, key) for row in rows)
        result |= count_truncated(rows, encoder.max_length)
        if per_example or signature:
            result["hashcode"] = format_hashcode(name, encoder.layers, idf, rescale_with_baseline)
            result["signature"] = self.make_signature(
                VERSION,
                model=encoder.name,
                revision=encoder.revision,
                layers=encoder.layers,
                idf=idf,
                rescaled=f"{lang},bert_score-{version('bert_score')}" if baselines else False,
                max_length=encoder.max_length,
                transformers=version("transformers"),
                tokenizers=version("tokenizers"),
                torch=version("torch"),
            )
        if per_example:
            entries = []
            for row, prediction, row_references in zip(rows, predictions, references, strict=True):
                entry = explain(row, encoder, prediction, row_references, per_example == "brief")
                entries.append(add_warning(entry, warning, warning_values) if warning else entry)
            result["per_example"] = entries
        return result


def count_truncated(rows: list[Row], limit: int) -> dict[str, int]:
    """Return how many answers and references are longer than the model reads."""
    counts = {"predictions_truncated": 0, "references_truncated": 0}
    for row in rows:
        answer, *references = row.texts
        counts["predictions_truncated"] += answer.length > limit
        for reference in references:
            counts["references_truncated"] += reference.length > limit
    return counts


def add_warning(entry: dict[str, Any], sentence: str, values: dict[str, str]) -> dict[str, Any]:
    """Return an entry of `per_example` with the warning that the model has another language."""
    note = f"{entry['note']}; {sentence}" if entry["note"] else sentence
    return entry | {
        "note": note,
        "warnings": [*entry["warnings"], "other_language"],
        "note_data": [*entry["note_data"], {"key": "other_language", **values}],
    }


def format_hashcode(
    model_type: str,
    layers: int,
    idf: bool,
    rescale_with_baseline: bool,
) -> str:
    """Return the settings in the form of bert_score's hash code."""
    weights = "_idf" if idf else "_no-idf"
    scale = "-rescaled" if rescale_with_baseline else ""
    versions = f"version={BERT_SCORE}(hug_trans={version('transformers')})"
    return f"{model_type}_L{layers}{weights}_{versions}{scale}"


CITATION = """\
@inproceedings{zhang2020bertscore,
  title={{BERTScore}: Evaluating Text Generation with {BERT}},
  author={Zhang, Tianyi and Kishore, Varsha and Wu, Felix and Weinberger, Kilian Q. and
    Artzi, Yoav},
  booktitle={International Conference on Learning Representations},
  year={2020}, url={https://openreview.net/forum?id=SkeHuCVFDr}
}
"""
INPUTS = """
Args:
    predictions (list of str): the answers to grade.
    references (list of str, or of lists of str): the right answers; if a row has several, the best
        precision, the best recall and the best F1 count.
    model_type (str or None): a model of transformers, by its name on the Hub or the path of a
        folder. None takes bert_score's model for `lang`, or without `lang`
        microsoft/deberta-xlarge-mnli.
    num_layers (int, "last" or None): how many layers of the model to use. None takes the number
        that bert_score lists.
    lang (str or None): the language, which chooses the model if model_type is None, and the
        baseline.
    idf (bool): whether to weigh each token by its inverse document frequency in the references of
        this call.
    rescale_with_baseline (bool): whether to rescale the scores so that unrelated sentences get 0;
        needs lang.
    batch_size (int): the most texts in one batch; it does not change the scores.
    device (str or None): "cuda", "mps", "cpu", ...; None takes the first of these that is
        available.
    per_example (bool or "brief"): True adds one dict per row with its score and the match of each
        token. "brief" leaves out the tokens.
    signature (bool): adds the signature and the hashcode; so does per_example.

Returns:
    precision, recall, f1 (float): means of the rows, 0..1 with common models, higher is better.
    predictions_truncated, references_truncated (int): how many texts were too long, so that the
        model read only their beginning.
    hashcode (str, on request): the settings in bert_score's form.
    signature (str, on request): everything that can change the score, for a paper.
    per_example (list of dict, on request).
"""
