"""ROUGE as a metric of evaluate; scoring.py computes it."""

import importlib.metadata
from functools import cache
from statistics import fmean
from typing import Any

import datasets
import evaluate

from .chinese_words import read_version as read_jieba_version
from .inputs import Inputs
from .scoring import LANGUAGES, ROUGE_TYPES, detect_language, explain, grade, take_best, tokenize
from .text_rows import (
    list_language_warnings,
    read_languages,
    format_languages,
    append_warnings,
    list_writing_warnings,
)

VERSION = "0.1.0"


class Rouge(Inputs, evaluate.Metric):
    """ROUGE as a metric of evaluate.

    >>> rouge = Rouge()
    >>> result = rouge.compute(predictions=["the cat sat"], references=["the cat was sitting"])
    >>> [round(result[name], 4) for name in ("rouge1", "rouge2", "rougeL")]
    [0.5714, 0.4, 0.5714]
    >>> rouge.compute(predictions=["in Paris"], references=[["in Rome", "in Paris"]])["rougeL"]
    1.0
    """

    def _info(self) -> evaluate.MetricInfo:
        text = datasets.Value("string")
        texts = datasets.Sequence(text)
        return evaluate.MetricInfo(
            description="ROUGE-1, ROUGE-2, ROUGE-L and ROUGE-Lsum F-measures and their plain mean, "
            "in any script.",
            citation=CITATION,
            inputs_description=INPUTS,
            features=datasets.Features({"predictions": text, "references": texts}),
            codebase_urls=["https://github.com/google-research/google-research/tree/master/rouge"],
            reference_urls=["https://aclanthology.org/W04-1013/"],
        )

    def _compute(
        self,
        predictions: list[str],
        references: list[tuple[str, ...]],
        language: str | list[str] = "auto",
        use_stemmer: bool = False,
        per_example: bool | str = False,
        signature: bool = False,
    ) -> dict[str, Any]:
        languages = read_languages(language, len(predictions), LANGUAGES)
        best = []
        entries = []
        used_languages = set[str]()
        for prediction, row_references, row_language in zip(
            predictions, references, languages, strict=True
        ):
            # With several references the answer is still split only once.
            tokenizer = cache(tokenize) if len(row_references) > 1 else tokenize
            grades = [
                grade(prediction, reference, row_language, use_stemmer, tokenizer)
                for reference in row_references
            ]
            best.append(take_best(grades))
            used_languages.update(graded.language for graded in grades)
            if per_example:
                entry = explain(grades, per_example == "brief")
                reference = row_references[entry["reference"]]
                reference_language = detect_language(reference)
                warnings = list_language_warnings(
                    row_language, entry["language"], reference_language
                )
                warnings |= list_writing_warnings(prediction, reference, "spaces_left_out")
                entries.append(append_warnings(entry, warnings))
        result: dict[str, Any] = {}
        for name in ROUGE_TYPES:
            result[name] = fmean(row[name].fmeasure for row in best)
        if per_example or signature:
            result["signature"] = self.make_signature(
                VERSION,
                language=format_languages(languages),
                use_stemmer=use_stemmer,
                aggregate="mean",
                multi_reference="max",
                tokenizer="rouge_score-0.1.2",
                **list_libraries(used_languages, use_stemmer),
            )
        if per_example:
            result["per_example"] = entries
        return result


def list_libraries(languages: set[str], use_stemmer: bool) -> dict[str, str | None]:
    """Return the libraries that split texts, for the signature; None for an unused one."""
    libraries: dict[str, str | None] = {"stemmer": None, "tokenizer_zh": None, "words": None}
    if use_stemmer:
        libraries["stemmer"] = f"nltk-{importlib.metadata.version('nltk')}"
    if "zh" in languages:
        libraries["tokenizer_zh"] = read_jieba_version()
    if languages - {"en"}:
        libraries["words"] = f"regex-{importlib.metadata.version('regex')}"
    return libraries


CITATION = """\
@inproceedings{lin2004rouge,
  title={{ROUGE}: A Package for Automatic Evaluation of Summaries},
  author={Lin, Chin-Yew},
  booktitle={Text Summarization Branches Out},
  pages={74--81}, year={2004}, publisher={Association for Computational Linguistics}
}
"""
INPUTS = """
Args:
    predictions (list of str): the answers to grade.
    references (list of str, or of lists of str): the right answers; if a row has several, the best
        one counts for each type.
    language ("auto", "en", "zh", "other", or a list of them): the language of the tokens. "auto"
        goes by the script of the reference, or by that of the answer if the reference has Latin
        letters and digits only.
    use_stemmer (bool): Porter-stem English tokens.
    per_example (bool or "brief"): True adds one dict per row: precision, recall and fmeasure of
        each type, and the tokens. "brief" leaves out the tokens.
    signature (bool): adds the signature; so does per_example.

Returns:
    rouge1, rouge2, rougeL, rougeLsum (floats in 0..1, F-measures, higher is better); on
    request, signature (str), per_example (list of dict).
"""
