"""The README's scripts: copied as they stand into an empty folder, they run and print what is written behind them."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.processes import search_path
from tests.support.project import METRICS, ROOT

README = (ROOT / "README.md").read_text("utf-8")
SCRIPTS = re.findall(r"^```py\n(.*?)^```$", README, re.S | re.M)
ROWS = [
    {"model": "small", "prediction": "He was born in Paris.", "answer": "She was born in Paris.", "keywords": "Paris"},
    {"model": "small", "prediction": "In Rome.", "answer": "She was born in Paris.", "keywords": "Paris"},
    {"model": "large", "prediction": "Paris", "answer": "Paris", "keywords": None},
]


def printed(script: str, folder: Path) -> list[str]:
    """Run a script in a folder beside what the README says lies there, with empty caches; return what it prints."""
    shutil.copytree(
        METRICS / "lv_eval_f1", folder / "metrics" / "lv_eval_f1", ignore=shutil.ignore_patterns("__pycache__")
    )
    shutil.copy(METRICS / "lv_eval_f1" / "scoring.py", folder)
    (folder / "results.json").write_text(json.dumps(ROWS), "utf-8")
    (folder / "script.py").write_text(script, "utf-8")
    environment = {**os.environ, "HF_HOME": str(folder / "cache"), "PYTHONPATH": search_path("lv_eval_f1")}
    done = subprocess.run(
        [sys.executable, "script.py"], cwd=folder, env=environment, capture_output=True, encoding="utf-8"
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout.splitlines()


def test_there_are_the_scripts_that_are_tested_here() -> None:
    assert [script.count("evaluate.load") for script in SCRIPTS] == [1, 0, 0]


@pytest.mark.parametrize("number", [0, 1])
def test_a_script_prints_what_is_written_behind_it(number: int, tmp_path: Path) -> None:
    said = re.findall(r"^print\(.*\)  # ([\d.]+)", SCRIPTS[number], re.M)
    assert said
    assert printed(SCRIPTS[number], tmp_path) == said


def test_the_table_for_a_paper_has_a_line_for_each_model(tmp_path: Path) -> None:
    # F1 of "he was born in paris" is 4/5, that of "in rome" is 0 without the keyword: the mean is 40 percent.
    assert printed(SCRIPTS[2], tmp_path) == [r"small & 40.0 & 2 \\", r"large & 100.0 & 1 \\"]


def test_the_packages_to_install_are_those_of_the_module() -> None:
    line = re.search(r"^pip install (.*?)\s+#", README, re.M)
    assert line
    listed = (METRICS / "lv_eval_f1" / "requirements.txt").read_text("utf-8").split()
    assert line[1].replace('"', "").split() == listed


def test_the_readme_names_targets_that_there_are() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.M))
    named = set(re.findall(r"(?:^|`)(?:[A-Z_]+=\S+ )*make ([a-z-]+)", README, re.M))
    assert {"demo", "test"} <= named <= targets


def test_all_that_a_stranger_needs_first_stands_before_the_table() -> None:
    before = README[: README.index("| module |")]
    assert [command in before for command in ("make demo", "make test", "evaluate.load(", "import score")] == [True] * 4
    assert before.count("\n") <= 50
