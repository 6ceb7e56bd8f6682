"""The packages that score.py needs.

Word-based metrics need few. Missing packages are named before anything is scored.
"""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.demo.command_runs import SPACE, CommandRun, make_mixed_rows, start_python, write_jsonl
from tests.support.project import ROOT

# A program that runs score.py as if some packages were not installed.
WITHOUT = """
import runpy, sys
from importlib.machinery import PathFinder

missing, find_spec = set(sys.argv.pop(1).split(",")), PathFinder.find_spec

@staticmethod
def find_installed(name, *more):
    return None if name.partition(".")[0] in missing else find_spec(name, *more)

PathFinder.find_spec = find_installed
sys.argv[0] = {program!r}
sys.path.insert(0, {space!r})
runpy.run_path({program!r}, run_name="__main__")
"""


def list_packages(path: Path) -> set[str]:
    """Return the packages of a file of requirements by the names under which they are imported."""
    lines = [
        line for line in path.read_text("utf-8").splitlines() if line and not line.startswith("#")
    ]
    return {Requirement(line).name.replace("-", "_") for line in lines}


def score_without(tmp_path: Path, missing: set[str], *arguments: object) -> CommandRun:
    """Run score.py as if the packages `missing` were not installed."""
    program = tmp_path / "without.py"
    program.write_text(WITHOUT.format(program=str(SPACE / "score.py"), space=str(SPACE)), "utf-8")
    with start_python(program, ",".join(sorted(missing)), *arguments) as process:
        out, err = process.communicate(timeout=120)
    return CommandRun(process.returncode, out, err)


def test_the_light_requirements_are_a_part_of_those_of_the_demo() -> None:
    light = (SPACE / "requirements-command.txt").read_text("utf-8").splitlines()
    of_demo = (ROOT / "requirements.txt").read_text("utf-8").splitlines()
    for line in light:
        assert line.startswith("#") or line in of_demo


def test_files_are_scored_and_sampled_with_only_the_light_requirements(tmp_path: Path) -> None:
    light = list_packages(SPACE / "requirements-command.txt")
    missing = list_packages(ROOT / "requirements.txt") - light
    assert {"torch", "gradio", "transformers", "sentence_transformers", "openai"} <= missing
    table = write_jsonl(tmp_path / "rows.jsonl", make_mixed_rows(30))
    sample = tmp_path / "sample.csv"
    reports = {kind: tmp_path / f"report.{kind}" for kind in ("md", "tex", "txt", "json", "svg")}
    targets: list[object] = ["--out", tmp_path / "scored.parquet"]
    for report in reports.values():
        targets += ["--report", report]
    ran = score_without(tmp_path, missing, table, *targets)
    assert ran.code == 0, ran.err
    assert "Correctness estimate" in ran.out
    for report in reports.values():
        assert report.stat().st_size > 500
    json.loads(reports["json"].read_text("utf-8"))

    assert score_without(tmp_path, missing, table, "--sample", "25", "--out", sample).code == 0
    with sample.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for number, row in enumerate(rows):
        row["verdict"] = "right" if number % 3 else "wrong"
    with sample.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    judged = score_without(
        tmp_path, missing, table, "--metrics", "rouge", "correctness_estimate", "--verdict", sample
    )
    assert (judged.code, "25 verdicts alone" in judged.out) == (0, True), judged.err


@pytest.mark.parametrize(
    ("missing", "arguments", "install"),
    [
        ("scipy", "", 'pip install "scipy>=1.15,<2"'),
        (
            "scipy,tabulate,jieba",
            "",
            'pip install "scipy>=1.15,<2" "tabulate>=0.9,<1" "jieba==0.42.1"',
        ),
        ("scipy,pandas,jieba,evaluate", "", f"pip install -r {SPACE / 'requirements-command.txt'}"),
        ("evaluate", "--metrics rouge", 'pip install "evaluate>=0.4.6,<0.5"'),
        ("pandas", "--sample 3", 'pip install "pandas>=2.2.3,<4"'),
        ("sacrebleu", "--metrics rouge bleu", 'pip install "sacrebleu>=2.4,<3"'),
        (
            "torch,sentence_transformers",
            "--metrics cosine_similarity",
            'pip install "sentence-transformers>=6.0,<7" "torch',
        ),
        ("openai", "--metrics eve_judge --model m", 'pip install "openai[aiohttp]>=3.54,<4"'),
    ],
)
def test_a_missing_package_is_named_before_anything_is_scored(
    missing: str,
    arguments: str,
    install: str,
    tmp_path: Path,
) -> None:
    table = write_jsonl(tmp_path / "rows.jsonl", make_mixed_rows(3))
    ran = score_without(
        tmp_path, set(missing.split(",")), table, "--out", tmp_path / "out.csv", *arguments.split()
    )
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"score.py: Packages are missing: {install}")
    assert len(ran.err.splitlines()) == 1
    assert not (tmp_path / "out.csv").exists()


def test_a_missing_package_that_only_some_rows_need_is_named_and_other_rows_are_scored(
    tmp_path: Path,
) -> None:
    rows = [{"prediction": "in Paris", "reference": "Paris"}]
    ran = score_without(
        tmp_path, {"jieba"}, write_jsonl(tmp_path / "rows.jsonl", rows), "--metrics", "lv_eval_f1"
    )
    assert (ran.code, "0.6667" in ran.out) == (0, True)
    assert (
        'Without jieba some rows may get no score (Chinese): pip install "jieba==0.42.1"' in ran.err
    )
