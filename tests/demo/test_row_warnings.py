"""What the modules warn of stands in every report, with the number of its rows."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.demo.commanded import Command, jsonl, score

__all__ = ["score"]

ROWS = [
    {"reference": "A", "prediction": "A"},
    {"reference": "B", "prediction": "B"},
    {"reference": "the", "prediction": "the"},
    {"reference": "1998", "prediction": "公司成立于1998年。"},
    {"reference": "北京大学", "prediction": "北 京 大 学"},
    {"reference": "鲁迅", "prediction": "魯迅"},
]
ENGLISH = [
    "Rows whose answer or reference has no word left to compare: 2 (LV-Eval F1).",
    "References of Latin letters and digits alone, beside which the script of the answer decides: 1 "
    "(LV-Eval F1, ROUGE-L).",
    "Rows with spaces between Chinese characters, which make the score too low: 1 (LV-Eval F1).",
    "Rows with spaces between Chinese characters, which are left out: 1 (ROUGE-L).",
    "Rows with simplified Chinese beside traditional, which counts as different: 1 (LV-Eval F1, ROUGE-L).",
]  # fmt: skip
CHINESE = ["答案或参考答案中没有可比较的词的行：2（LV-Eval F1）。"]


@pytest.mark.parametrize("kind", ["md", "json", "txt"])
def test_a_report_counts_what_the_modules_warn_of(kind: str, tmp_path: Path, score: Command) -> None:
    source, report = jsonl(tmp_path / "a.jsonl", ROWS), tmp_path / f"report.{kind}"
    run = [source, "--metrics", "lv_eval_f1", "rouge", "--block-rows", "2", "--report", report]  # counts add up
    ran = score(*run)
    assert ran.code == 0, ran.err
    text = report.read_text("utf-8") if kind != "txt" else ran.out
    plain = text.replace("\\", "").replace("<br>", " ")
    assert [line for line in ENGLISH if line not in plain] == []
    ran = score(*run, "--language", "zh", "--overwrite")
    assert [line for line in CHINESE if line not in ran.out] == []
