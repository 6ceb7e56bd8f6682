"""BLEU as a metric of evaluate; scoring.py computes it."""

import importlib.metadata
from statistics import fmean
from typing import Any

import datasets
import evaluate

from .inputs import Inputs
from .scoring import (
    LANGUAGES,
    MAX_ORDER,
    TOTALS,
    compute_bleu,
    count_matches,
    detect_language,
    explain,
    forget_texts,
    tokenize_row,
)
from .text_rows import (
    list_language_warnings,
    read_languages,
    format_languages,
    append_warnings,
    list_writing_warnings,
)

VERSION = "0.1.0"


class Bleu(Inputs, evaluate.Metric):
    """BLEU as a metric of evaluate.

    >>> bleu = Bleu()
    >>> rows = {"predictions": ["the cat sat down quietly"], "references": ["the cat sat down"]}
    >>> round(bleu.compute(**rows)["bleu"], 4)
    0.6687
    >>> rows = {"predictions": ["in Paris"], "references": [["in Rome", "in Paris"]]}
    >>> [row] = bleu.compute(**rows, per_example=True)["per_example"]
    >>> row["score"], row["matches"]
    (1.0, [2, 1, 0, 0])
    """

    def _info(self) -> evaluate.MetricInfo:
        text = datasets.Value("string")
        texts = datasets.Sequence(text)
        return evaluate.MetricInfo(
            description="sacrebleu's corpus BLEU and mean sentence BLEU on a scale of 0 to 1. "
            "English and Chinese.",
            citation=CITATION,
            inputs_description=INPUTS,
            features=datasets.Features({"predictions": text, "references": texts}),
            codebase_urls=["https://github.com/mjpost/sacrebleu"],
            reference_urls=[
                "https://aclanthology.org/P02-1040/",
                "https://aclanthology.org/W18-6319/",
            ],
        )

    def _compute(  # noqa: PLR0913
        self,
        predictions: list[str],
        references: list[tuple[str, ...]],
        language: str | list[str] = "auto",
        tokenizer: str = "auto",
        lowercase: bool = False,
        per_example: bool | str = False,
        signature: bool = False,
    ) -> dict[str, Any]:
        languages = read_languages(language, len(predictions), LANGUAGES)
        # The sums of all counts of `count_matches` over the rows; TOTALS are the last ones.
        sums = [0] * TOTALS.stop
        sentences = []
        entries = []
        used_tokenizers = set()
        for prediction, row_references, row_language in zip(
            predictions, references, languages, strict=True
        ):
            row = tokenize_row(prediction, row_references, row_language, tokenizer, lowercase)
            counts = count_matches(row.prediction, row.references)
            sums = [total + count for total, count in zip(sums, counts, strict=True)]
            sentence = compute_bleu(counts, effective_order=True)
            sentences.append(sentence["bleu"])
            used_tokenizers.add(row.tokenizer)
            if per_example:
                entry = explain(row, counts, sentence, per_example == "brief")
                reference = " ".join(row_references)
                reference_language = detect_language(reference)
                warnings = list_language_warnings(row_language, row.language, reference_language)
                warnings |= list_writing_warnings(prediction, reference)
                entries.append(append_warnings(entry, warnings))
        for used_tokenizer in used_tokenizers:
            forget_texts(used_tokenizer)
        result = compute_bleu(sums, effective_order=False)
        result["sentence_bleu"] = fmean(sentences)
        if per_example or signature:
            result["signature"] = self.make_signature(
                VERSION,
                language=format_languages(languages),
                tokenizer="+".join(sorted(used_tokenizers)),
                case="lower" if lowercase else "mixed",
                max_order=MAX_ORDER,
                smooth="exp",
                effective_order="sentence_bleu-only",
                sacrebleu=importlib.metadata.version("sacrebleu"),
            )
        if per_example:
            result["per_example"] = entries
        return result


CITATION = """\
@inproceedings{papineni2002bleu,
  title={{BLEU}: a Method for Automatic Evaluation of Machine Translation},
  author={Papineni, Kishore and Roukos, Salim and Ward, Todd and Zhu, Wei-Jing},
  booktitle={Proceedings of the 40th Annual Meeting of the Association for Computational
    Linguistics},
  pages={311--318}, year={2002}
}
@inproceedings{post2018call,
  title={A Call for Clarity in Reporting {BLEU} Scores},
  author={Post, Matt},
  booktitle={Proceedings of the Third Conference on Machine Translation: Research Papers},
  pages={186--191}, year={2018}
}
"""
INPUTS = """
Args:
    predictions (list of str): the answers to grade.
    references (list of str, or of lists of str): the right answers; an n-gram counts if any
        reference of its row has it.
    language ("auto", "en", "zh", or a list of them): "auto" is "zh" if a reference has Han
        characters. If the references have Latin letters and digits only, the answer decides.
    tokenizer ("auto", "13a", "zh", "intl", "char", "none"): "auto" is 13a for English and zh for
        Chinese.
    lowercase (bool): whether to compare in lower case.
    per_example (bool or "brief"): True adds one dict per row with its sentence BLEU and the reasons
        for it. "brief" leaves out the tokens.
    signature (bool): adds the signature; so does per_example.

Returns:
    bleu (float in 0..1, higher is better, of the whole corpus), precisions (4 floats),
    brevity_penalty, length_ratio, sentence_bleu (float in 0..1, mean over rows); on request,
    signature (str), per_example (list of dict).
"""
