"""The eleven datasets of LV-Eval: their metrics, their kinds, their lengths, and how a prediction file is named.

Source: config.py and evaluation.py of github.com/infinigence/LVEval at 63e7ae9; kinds and rows from its README.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

LENGTHS = ("16k", "32k", "64k", "128k", "256k")
SINGLE, MULTI = "single", "multi"
# What the original splits a file's name at: the length comes behind it.
BEFORE_LENGTH = re.compile("_.{1,3}k")
SUFFIX = "jsonl"

Language = Literal["en", "zh"]


@dataclass(frozen=True)
class Metric:
    """One of the original's functions, as the module that stands for it. `gate` is None where that knows no gate."""

    original: str
    module: str
    language: Language
    gate: bool | None = None


@dataclass(frozen=True)
class Task:
    """A dataset: its metric, whether one hop or several lead to the answer, and its rows at each length."""

    metric: Metric
    hops: str
    rows: int


EN_GATED = Metric("qa_f1_score_with_gold_ans", "lv_eval_f1", "en", True)
ZH_GATED = Metric("qa_f1_zh_score_with_gold_ans", "lv_eval_f1", "zh", True)
EN_PLAIN = Metric("qa_f1_score", "lv_eval_f1", "en", False)
ZH_PLAIN = Metric("qa_f1_zh_score", "lv_eval_f1", "zh", False)
ZH_ROUGE = Metric("rouge_zh_score_blacklist", "lv_eval_rouge", "zh")

# In the order of the README's tables; it writes loogle-MR for loogle_MIR.
TASKS = {
    "loogle_SD_mixup": Task(EN_GATED, SINGLE, 160),
    "cmrc_mixup": Task(ZH_GATED, SINGLE, 200),
    "multifieldqa_en_mixup": Task(EN_GATED, SINGLE, 101),
    "multifieldqa_zh_mixup": Task(ZH_GATED, SINGLE, 133),
    "factrecall_en": Task(EN_PLAIN, SINGLE, 200),
    "factrecall_zh": Task(ZH_PLAIN, SINGLE, 200),
    "dureader_mixup": Task(ZH_ROUGE, MULTI, 176),
    "loogle_CR_mixup": Task(EN_GATED, MULTI, 99),
    "loogle_MIR_mixup": Task(EN_GATED, MULTI, 139),
    "hotpotwikiqa_mixup": Task(EN_GATED, MULTI, 124),
    "lic_mixup": Task(ZH_GATED, MULTI, 197),
}
DATASETS = tuple(TASKS)
SINGLE_HOP = tuple(name for name, task in TASKS.items() if task.hops == SINGLE)
MULTI_HOP = tuple(name for name, task in TASKS.items() if task.hops == MULTI)


def is_predictions(name: str) -> bool:
    """Whether the original reads a file of this name.

    >>> is_predictions("cmrc_mixup_16k.jsonl"), is_predictions("result.json")
    (True, False)
    """
    return name.endswith(SUFFIX)


def sort_key(name: str) -> tuple[list[str], int]:
    """What the original sorts files by: the runs of letters in the name, then the first number.

    >>> sorted(["lic_mixup_128k.jsonl", "lic_mixup_16k.jsonl", "cmrc_mixup_32k.jsonl"], key=sort_key)
    ['cmrc_mixup_32k.jsonl', 'lic_mixup_16k.jsonl', 'lic_mixup_128k.jsonl']
    """
    numbers = re.findall(r"\d+", name)
    return re.findall("[a-zA-Z]+", name), int(numbers[0][:300]) if numbers else 0


def parts_of(name: str) -> tuple[str, str, str]:
    """The key of a file in result.json, its dataset and its length, as the original takes them from the name.

    >>> parts_of("loogle_SD_mixup_16k.jsonl")
    ('loogle_SD_mixup_16k', 'loogle_SD_mixup', '16k')
    """
    key = name.split(".")[0]
    return key, BEFORE_LENGTH.split(key)[0], key.split("_")[-1]
