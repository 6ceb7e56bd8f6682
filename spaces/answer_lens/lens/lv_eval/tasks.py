"""The eleven datasets of LV-Eval: their metrics, kinds and lengths, and the names of their files.

Source: config.py and evaluation.py of github.com/infinigence/LVEval at 63e7ae9; kinds and numbers
of rows are from its README.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from lens.scoring.catalog import OFFICIAL_F1, OFFICIAL_ROUGE

LENGTHS = ("16k", "32k", "64k", "128k", "256k")
# The ending of the names of files that the original reads.
SUFFIX = "jsonl"


@dataclass(frozen=True)
class Task:
    """A dataset of LV-Eval.

    Attributes:
        rows: the number of rows at each length.
        language: the language.
        gate: which function of the original scores the rows. True: qa_f1_score_with_gold_ans (en)
            or qa_f1_zh_score_with_gold_ans (zh), which are lv_eval_f1 with the keyword gate. False:
            qa_f1_score or qa_f1_zh_score, which are lv_eval_f1 without it. None:
            rouge_zh_score_blacklist, which is lv_eval_rouge.
    """

    rows: int
    language: Literal["en", "zh"]
    gate: bool | None = True

    @property
    def module(self) -> str:
        """The module that replaces the original's function."""
        return OFFICIAL_ROUGE if self.gate is None else OFFICIAL_F1


# The datasets whose questions need one hop or several hops, in the order of the README's tables.
SINGLE_HOP = {
    "loogle_SD_mixup": Task(160, "en"),
    "cmrc_mixup": Task(200, "zh"),
    "multifieldqa_en_mixup": Task(101, "en"),
    "multifieldqa_zh_mixup": Task(133, "zh"),
    "factrecall_en": Task(200, "en", gate=False),
    "factrecall_zh": Task(200, "zh", gate=False),
}
MULTI_HOP = {
    "dureader_mixup": Task(176, "zh", gate=None),
    "loogle_CR_mixup": Task(99, "en"),
    "loogle_MIR_mixup": Task(139, "en"),
    "hotpotwikiqa_mixup": Task(124, "en"),
    "lic_mixup": Task(197, "zh"),
}
TASKS = SINGLE_HOP | MULTI_HOP
DATASETS = [*TASKS]
# The rows with averages of several datasets. Their titles are in lens.words.
AVERAGES = ("single_hop", "multi_hop", "overall")
# The rows of the table in order, each with the datasets that it averages.
ROWS = {
    **{name: [name] for name in SINGLE_HOP},
    "single_hop": [*SINGLE_HOP],
    **{name: [name] for name in MULTI_HOP},
    "multi_hop": [*MULTI_HOP],
    "overall": DATASETS,
}


def make_sort_key(name: str) -> tuple[list[str], int]:
    """Return the original's sort key of a file: the runs of letters, then the first number.

    >>> names = ["lic_mixup_128k.jsonl", "lic_mixup_16k.jsonl", "cmrc_mixup_32k.jsonl"]
    >>> sorted(names, key=make_sort_key)
    ['cmrc_mixup_32k.jsonl', 'lic_mixup_16k.jsonl', 'lic_mixup_128k.jsonl']
    """
    number = re.search(r"\d+", name)
    # Python refuses to convert very long numbers.
    return re.findall("[a-zA-Z]+", name), int(number[0][:300]) if number else 0


def parse_file_name(name: str) -> tuple[str, str]:
    """Parse the dataset and the length in the name of a file.

    >>> parse_file_name("loogle_SD_mixup_16k.jsonl")
    ('loogle_SD_mixup', '16k')
    """
    dataset, _, length = name.split(".")[0].rpartition("_")
    return dataset, length
