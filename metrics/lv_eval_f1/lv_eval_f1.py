"""LV-Eval's keyword-gated F1 as a metric of evaluate; scoring.py computes it."""

from functools import cache
from statistics import fmean
from typing import Any

import datasets
import evaluate

from .chinese_words import read_version as read_jieba_version
from .inputs import Inputs
from .scoring import (
    LANGUAGES,
    MIN_KEYWORD_RECALL,
    Settings,
    check_settings,
    detect_language,
    explain,
    grade,
    tokenize,
)
from .text_rows import (
    format_languages,
    list_language_warnings,
    read_languages,
    select_references,
    append_warnings,
    list_writing_warnings,
)

VERSION = "0.1.0"


class LvEvalF1(Inputs, evaluate.Metric):
    """LV-Eval's keyword-gated F1 as a metric of evaluate.

    >>> f1 = LvEvalF1()
    >>> predictions = ["It lies in Canada", "It lies in Mexico"]
    >>> rows = {"predictions": predictions, "references": ["It is in Canada"] * 2}
    >>> f1.compute(**rows, answer_keywords=["Canada", "Canada"])["lv_eval_f1"]
    0.375
    >>> result = f1.compute(**rows, answer_keywords=["Canada", "Canada"], per_example=True)
    >>> [(row["score"], row["f1"], row["missing_keywords"]) for row in result["per_example"]]
    [(0.75, 0.75, []), (0.0, 0.5, ['canada'])]
    """

    optional_columns = ("answer_keywords",)

    def _info(self) -> evaluate.MetricInfo:
        texts = {
            "predictions": datasets.Value("string"),
            "answer_keywords": datasets.Value("string"),
        }
        text_list = datasets.Sequence(datasets.Value("string"))
        return evaluate.MetricInfo(
            description="LV-Eval's F1: recall of the answer keywords first, then token F1. English "
            "and Chinese.",
            citation=CITATION,
            inputs_description=INPUTS,
            features=datasets.Features({**texts, "references": text_list}),
            codebase_urls=["https://github.com/infinigence/LVEval"],
            reference_urls=["https://arxiv.org/abs/2402.05136"],
        )

    def _compute(  # noqa: PLR0913
        self,
        predictions: list[str],
        references: list[tuple[str, ...]],
        answer_keywords: list[str],
        language: str | list[str] = "auto",
        keyword_gate: bool = True,
        mode: str = "code",
        min_keyword_recall: float | None = None,
        multi_reference: str = "first",
        per_example: bool | str = False,
        signature: bool = False,
    ) -> dict[str, Any]:
        languages = read_languages(language, len(predictions), LANGUAGES)
        settings = Settings(keyword_gate, mode, min_keyword_recall)
        check_settings("auto", settings)
        scores = []
        entries = []
        used_languages = set()
        counted = select_references(references, multi_reference)
        for prediction, row_references, keywords, row_language in zip(
            predictions, counted, answer_keywords, languages, strict=True
        ):
            # With several references the answer is still split only once.
            split = cache(tokenize) if len(row_references) > 1 else tokenize
            grades = [
                grade(prediction, reference, keywords, row_language, settings, split)
                for reference in row_references
            ]
            row_scores = [graded.score for graded in grades]
            best = row_scores.index(max(row_scores))
            scores.append(row_scores[best])
            used_languages.add(grades[best].language)
            if per_example:
                entry = explain(grades[best], per_example == "brief") | {"reference": best}
                reference = row_references[best]
                reference_language = detect_language(reference)
                warnings = list_language_warnings(
                    row_language, entry["language"], reference_language
                )
                warnings |= list_writing_warnings(prediction, reference, "spaces_end_words")
                entries.append(append_warnings(entry, warnings))
        result: dict[str, Any] = {"lv_eval_f1": fmean(scores)}
        if per_example or signature:
            result["signature"] = self.make_signature(
                VERSION,
                language=format_languages(languages),
                keyword_gate=keyword_gate,
                mode=mode,
                min_keyword_recall=format_threshold(min_keyword_recall),
                multi_reference=multi_reference,
                tokenizer_zh=read_jieba_version() if "zh" in used_languages else None,
            )
        if per_example:
            result["per_example"] = entries
        return result


def format_threshold(min_keyword_recall: float | None) -> str:
    """Return the threshold of the gate for the signature; None lists that of each language."""
    if min_keyword_recall is not None:
        return str(float(min_keyword_recall))
    thresholds = [f"{language}-{value}" for language, value in MIN_KEYWORD_RECALL.items()]
    return ",".join(thresholds)


CITATION = """\
@misc{yuan2024lveval,
  title={LV-Eval: A Balanced Long-Context Benchmark with 5 Length Levels Up to 256K},
  author={Yuan, Tao and Ning, Xuefei and Zhou, Dong and Yang, Zhijie and Li, Shiyao and
    Zhuang, Minghui and Tan, Zheyue and Yao, Zhuyu and Lin, Dahua and Li, Boxun and Dai, Guohao and
    Yan, Shengen and Wang, Yu},
  year={2024}, eprint={2402.05136}, archivePrefix={arXiv}, primaryClass={cs.CL}
}
"""
INPUTS = """
Args:
    predictions (list of str): the answers to grade.
    references (list of str, or of lists of str): the right answers.
    answer_keywords (list of str, optional): the words that a right answer must contain; "" or None
        for none.
    language ("auto", "en", "zh", or a list of them): "auto" is "zh" if the reference has Han
        characters. If the reference has Latin letters and digits only, the answer decides.
    keyword_gate (bool): False leaves out the first stage.
    mode ("code" or "paper"): whether to follow the published code, or the paper and the dataset
        card.
    min_keyword_recall (float in 0..1): the threshold of the gate; None is 0.2 for English, 0.4 for
        Chinese.
    multi_reference ("first" or "max"): whether the first reference counts, as in the original, or
        the best one.
    per_example (bool or "brief"): True adds one dict per row with the score and the reasons for it.
        "brief" leaves out the tokens.
    signature (bool): adds the signature; so does per_example.

Returns:
    lv_eval_f1 (float in 0..1, higher is better); on request, signature (str), per_example (list
    of dict).
"""
