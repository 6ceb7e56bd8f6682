"""Every report counts the rows about which the modules warn, and those on which they fail."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from lens.scoring import modules

from tests.demo.command_runs import Command, write_jsonl
from tests.support.project import import_file

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
    (
        "References of Latin letters and digits alone, where the script of the answer decides: 1 "
        "(LV-Eval F1, ROUGE-L)."
    ),
    "Rows with spaces between Chinese characters, which make the score too low: 1 (LV-Eval F1).",
    "Rows with spaces between Chinese characters, which are left out: 1 (ROUGE-L).",
    (
        "Rows with both simplified and traditional Chinese, which count as different: 1 (LV-Eval "
        "F1, ROUGE-L)."
    ),
]
CHINESE = ["答案或参考答案中没有可比较的词的行：2（LV-Eval F1）。"]


@pytest.mark.parametrize("kind", ["md", "json", "txt"])
def test_a_report_counts_the_rows_of_each_warning(
    kind: str, tmp_path: Path, score: Command
) -> None:
    source, report = write_jsonl(tmp_path / "a.jsonl", ROWS), tmp_path / f"report.{kind}"
    run = [
        source,
        "--metrics",
        "lv_eval_f1",
        "rouge",
        "--block-rows",
        "2",
        "--report",
        report,
    ]
    ran = score(*run)
    assert ran.code == 0, ran.err
    text = report.read_text("utf-8") if kind != "txt" else ran.out
    # Lines of the terminal are wrapped: join them.
    plain = " ".join(text.replace("\\", "").replace("<br>", " ").split())
    assert [line for line in ENGLISH if line not in plain] == []
    ran = score(*run, "--language", "zh", "--overwrite")
    assert [line for line in CHINESE if line not in ran.out] == []


def test_a_row_on_which_a_metric_fails_has_no_score_and_other_rows_keep_theirs(
    tmp_path: Path, score: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = import_file("rouge", "rouge")
    grade = code.grade

    def fail_scoring(prediction: str, *arguments: Any) -> Any:
        if "boom" in prediction:
            raise KeyError(prediction)
        return grade(prediction, *arguments)

    texts = ["red fox", "boom", "red", "boom boom", "the red fox"]
    rows = [{"reference": "red fox", "prediction": text} for text in texts]
    source, report, out = (
        write_jsonl(tmp_path / "a.jsonl", rows),
        tmp_path / "report.json",
        tmp_path / "out.jsonl",
    )
    monkeypatch.setattr(modules.find_code(modules.make_module("rouge")), "grade", fail_scoring)
    ran = score(
        source, "--metrics", "rouge", "bleu", "--block-rows", "3", "--report", report, "--out", out
    )
    assert ran.code == 0, ran.err
    written = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert [row["rougeL"] for row in written] == pytest.approx([1, None, 2 / 3, None, 4 / 5])
    assert all(row["bleu"] is not None for row in written)
    text = report.read_text("utf-8")
    assert "ROUGE-L: no score for row 2, on which it failed (KeyError: 'boom')." in text
    assert "ROUGE-L: no score for row 4, on which it failed (KeyError: 'boom boom')." in text
    assert "the score failed on this row (2)" in ran.out + text


def test_a_metric_that_fails_on_every_row_is_stopped(
    tmp_path: Path, score: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail_scoring(*arguments: Any) -> Any:
        raise KeyError("all")

    monkeypatch.setattr(modules.find_code(modules.make_module("rouge")), "grade", fail_scoring)
    report = tmp_path / "report.json"
    score(write_jsonl(tmp_path / "a.jsonl", ROWS), "--metrics", "rouge", "bleu", "--report", report)
    assert "on which it failed" not in report.read_text("utf-8")
    assert "KeyError" in report.read_text("utf-8")
