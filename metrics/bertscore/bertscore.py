"""BERTScore as a metric of evaluate. What is computed, and from which original: scoring.py."""

import warnings
from importlib.metadata import version
from os import PathLike
from statistics import fmean
from typing import Any

import datasets
import evaluate

from .inputs import Inputs
from .scoring import Score, encoder_of, explain, model_for, rows_of_texts, score
from .tables import LAYERS, baselines, language_warning
from .text_model import ask_hub

__all__ = ["Bertscore", "ask_hub", "known_layers", "score"]

VERSION = "0.1.0"
# The version by which the package's release 0.3.13 calls itself in its hash code.
BERT_SCORE = "0.3.12"
known_layers = LAYERS.get


class Bertscore(Inputs, evaluate.Metric):
    """BERTScore as a metric of evaluate. `compute` loads the model; rows and settings are looked at before.

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
        text, several = datasets.Value("string"), datasets.Sequence(datasets.Value("string"))
        return evaluate.MetricInfo(
            description="BERTScore: tokens of answer and reference matched by their contextual embeddings.",
            citation=CITATION,
            inputs_description=INPUTS,
            features=[datasets.Features({"predictions": text, "references": kind}) for kind in (several, text)],
            codebase_urls=["https://github.com/Tiiiger/bert_score"],
            reference_urls=["https://arxiv.org/abs/1904.09675", "https://huggingface.co/datasets/eve-esa/open-ended"],
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
        name, lang = model_for(model_type, lang), lang.lower() if lang else None
        unfit, unfit_values = language_warning(model_type, lang)
        if unfit:
            warnings.warn(unfit, stacklevel=3)
        base = baselines(str(name), lang) if rescale_with_baseline else None
        encoder = encoder_of(name, num_layers, lang, device)
        zero = base[encoder.layers] if base else (0.0, 0.0, 0.0)
        rows = rows_of_texts(encoder, predictions, references, idf, zero, batch_size, per_example is True)
        result: dict[str, Any] = {key: fmean(getattr(row.score, key) for row in rows) for key in Score._fields}
        limit = encoder.max_length
        result["predictions_truncated"] = sum(row.texts[0].length > limit for row in rows)
        result["references_truncated"] = sum(text.length > limit for row in rows for text in row.texts[1:])
        if per_example or signature:
            result["hashcode"] = hashcode(name, encoder.layers, idf, rescale_with_baseline)
            result["signature"] = self.signature(
                VERSION,
                model=encoder.name,
                revision=encoder.revision,
                layers=encoder.layers,
                idf=idf,
                rescaled=f"{lang},bert_score-{version('bert_score')}" if base else False,
                max_length=limit,
                **{name: version(name) for name in ("transformers", "tokenizers", "torch")},
            )
        if per_example:
            brief, given = per_example == "brief", zip(rows, predictions, references, strict=True)
            entries = [explain(row, encoder, one, several, brief) for row, one, several in given]
            if unfit:
                entries = [warn_of_language(entry, unfit, unfit_values) for entry in entries]
            result["per_example"] = entries
        return result


def warn_of_language(entry: dict[str, Any], sentence: str, values: dict[str, str]) -> dict[str, Any]:
    """Return an entry of `per_example` that says that the model does not fit the language."""
    sentences = [one for one in (entry["note"], sentence) if one]
    return entry | {
        "note": "; ".join(sentences),
        "warnings": [*entry["warnings"], "other_language"],
        "note_data": [*entry["note_data"], {"key": "other_language", **values}],
    }


def hashcode(model_type: str, layers: int, idf: bool, rescale_with_baseline: bool) -> str:
    """Return the settings in the form of bert_score's hash code."""
    weights, scale = "_idf" if idf else "_no-idf", "-rescaled" if rescale_with_baseline else ""
    return f"{model_type}_L{layers}{weights}_version={BERT_SCORE}(hug_trans={version('transformers')}){scale}"


CITATION = """\
@inproceedings{zhang2020bertscore,
  title={{BERTScore}: Evaluating Text Generation with {BERT}},
  author={Zhang, Tianyi and Kishore, Varsha and Wu, Felix and Weinberger, Kilian Q. and Artzi, Yoav},
  booktitle={International Conference on Learning Representations},
  year={2020}, url={https://openreview.net/forum?id=SkeHuCVFDr}
}
"""
INPUTS = """
Args:
    predictions (list of str): the answers to grade.
    references (list of str, or of lists of str): the right answers; of several, the best of each number counts.
    model_type (str or None): a model of transformers, by its name on the Hub or the path of a folder; None takes the
        package's model for `lang`, and without `lang` microsoft/deberta-xlarge-mnli.
    num_layers (int, "last" or None): how many of the model's layers; None takes the number that bert_score lists.
    lang (str or None): the language, whose model is taken where model_type names none, and for the baseline.
    idf (bool): weigh each token by its inverse document frequency in the references of this call.
    rescale_with_baseline (bool): put the scores on the scale where unrelated sentences get 0; needs lang.
    batch_size (int): texts that go through the model at once, at most; it moves no score.
    device (str or None): "cuda", "mps", "cpu", ...; None takes the first of these that is there.
    per_example (bool or "brief"): True adds one dict per row with its score and which token matched which.
        "brief" leaves out the tokens.
    signature (bool): adds the signature and the hashcode; so does per_example.

Returns:
    precision, recall, f1 (float): means of the rows, 0..1 with common models, higher is better.
    predictions_truncated, references_truncated (int): how many of them the model read only the beginning of.
    hashcode (str, on request): the settings as bert_score writes them.
    signature (str, on request): everything that moves the score, for a paper.
    per_example (list of dict, on request).
"""
