"""The eleven datasets of LV-Eval.

Their metrics, kinds and lengths, and how a prediction file is named.

Source: config.py and evaluation.py of github.com/infinigence/LVEval at 63e7ae9; kinds and rows from
its README.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from lens.scoring.catalog import OFFICIAL_F1, OFFICIAL_ROUGE

LENGTHS = ("16k", "32k", "64k", "128k", "256k")
# What the name of a file that the original reads ends in.
SUFFIX = "jsonl"


@dataclass(frozen=True)
class Task:
    """A dataset: its rows at each length, and which of the original's functions scores them.

    With `gate` that is qa_f1_score_with_gold_ans (en) or qa_f1_zh_score_with_gold_ans (zh), without
    qa_f1_score or qa_f1_zh_score: lv_eval_f1 with these settings. A metric that knows no gate
    (None) is rouge_zh_score_blacklist.
    """

    rows: int
    language: Literal["en", "zh"]
    gate: bool | None = True

    @property
    def module(self) -> str:
        """The module that stands for that function."""
        return OFFICIAL_ROUGE if self.gate is None else OFFICIAL_F1


# By whether one hop or several lead to the answer, in the order of the README's tables; it writes
# loogle-MR for loogle_MIR.
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
# The rows of the table, each with the datasets that it averages; those over several have their
# names in lens.words.
AVERAGES = ("single_hop", "multi_hop", "overall")
ROWS = {name: [name] for name in SINGLE_HOP} | {"single_hop": [*SINGLE_HOP]}
ROWS |= {name: [name] for name in MULTI_HOP} | {"multi_hop": [*MULTI_HOP], "overall": DATASETS}


def sort_key(name: str) -> tuple[list[str], int]:
    """Return the original's key for sorting files.

    The runs of letters in the name, then the first number.

    >>> names = ["lic_mixup_128k.jsonl", "lic_mixup_16k.jsonl", "cmrc_mixup_32k.jsonl"]
    >>> sorted(names, key=sort_key)
    ['cmrc_mixup_32k.jsonl', 'lic_mixup_16k.jsonl', 'lic_mixup_128k.jsonl']
    """
    first = re.search(r"\d+", name)
    return re.findall("[a-zA-Z]+", name), int(first[0][:300]) if first else 0


def parse_file_name(name: str) -> tuple[str, str]:
    """Return the dataset and the length of a file, from its name.

    >>> parse_file_name("loogle_SD_mixup_16k.jsonl")
    ('loogle_SD_mixup', '16k')
    """
    dataset, _, length = name.split(".")[0].rpartition("_")
    return dataset, length
