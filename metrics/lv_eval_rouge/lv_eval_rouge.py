"""LV-Eval's Chinese ROUGE-L as a metric of evaluate; scoring.py computes it."""

from functools import cache
from statistics import fmean
from typing import Any

import datasets
import evaluate

from .chinese_words import read_version as read_jieba_version
from .inputs import Inputs
from .scoring import explain, grade, tokenize
from .text_rows import select_references, append_warnings, list_writing_warnings

VERSION = "0.1.0"


class LvEvalRouge(Inputs, evaluate.Metric):
    """LV-Eval's Chinese ROUGE-L as a metric of evaluate.

    >>> rouge = LvEvalRouge()
    >>> rows = {"predictions": ["红楼梦的作者是曹雪芹"], "references": ["《红楼梦》是曹雪芹写的"]}
    >>> rouge.compute(**rows)["lv_eval_rouge"]
    0.5714285665306124
    >>> [row["lcs_words"] for row in rouge.compute(**rows, per_example=True)["per_example"]]
    [2]
    """

    def _info(self) -> evaluate.MetricInfo:
        text = datasets.Value("string")
        texts = datasets.Sequence(text)
        return evaluate.MetricInfo(
            description="LV-Eval's ROUGE-L F on jieba words without blacklisted words, for Chinese "
            "answers.",
            citation=CITATION,
            inputs_description=INPUTS,
            features=datasets.Features({"predictions": text, "references": texts}),
            codebase_urls=["https://github.com/infinigence/LVEval"],
            reference_urls=["https://arxiv.org/abs/2402.05136"],
        )

    def _compute(
        self,
        predictions: list[str],
        references: list[tuple[str, ...]],
        multi_reference: str = "first",
        per_example: bool | str = False,
        signature: bool = False,
    ) -> dict[str, Any]:
        scores = []
        entries = []
        counted = select_references(references, multi_reference)
        for prediction, row_references in zip(predictions, counted, strict=True):
            # With several references the answer is still split only once.
            split = cache(tokenize) if len(row_references) > 1 else tokenize
            grades = [grade(prediction, reference, split) for reference in row_references]
            row_scores = [graded.overlap.f for graded in grades]
            best = row_scores.index(max(row_scores))
            scores.append(row_scores[best])
            if per_example:
                entry = explain(grades[best], per_example == "brief") | {"reference": best}
                reference = row_references[best]
                warnings = list_writing_warnings(prediction, reference, "spaces_end_words")
                entries.append(append_warnings(entry, warnings))
        result: dict[str, Any] = {"lv_eval_rouge": fmean(scores)}
        if per_example or signature:
            settings = {"multi_reference": multi_reference, "tokenizer": read_jieba_version()}
            result["signature"] = self.make_signature(VERSION, **settings)
        if per_example:
            result["per_example"] = entries
        return result


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
    multi_reference ("first" or "max"): whether the first reference counts, as in the original, or
        the best one.
    per_example (bool or "brief"): True adds one dict per row with the score and the reasons for it.
        "brief" leaves out the tokens.
    signature (bool): adds the signature; so does per_example.

Returns:
    lv_eval_rouge (float in 0..1, higher is better); on request, signature (str), per_example
    (list of dict).
"""
