"""The documents are true: their examples run, and they name what exists.

The metric cards are tested in tests/metrics/test_cards.py.
"""

import doctest
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.judge_server import JudgeServer, Reply
from tests.support.models import WITH_MODEL, provide_defaults
from tests.support.processes import make_search_path
from tests.support.project import METRICS, NAMES, ROOT, import_file, load, load_cases

README = (ROOT / "README.md").read_text("utf-8")
GUIDE = (METRICS / "README.md").read_text("utf-8")
FILES = [
    path
    for path in METRICS.glob("*/*.py")
    if path.parent.name != "shared" and ">>> " in path.read_text("utf-8")
]


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_the_examples_in_docstrings_run(path: Path) -> None:
    result = doctest.testmod(import_file(path.parent.name, path.stem))
    assert result.failed == 0
    assert result.attempted > 0


def test_the_examples_in_the_guide_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    provide_defaults()
    blocks = re.findall(r"```python\n(.*?)```", GUIDE, re.S)
    assert all(block.startswith(">>> ") for block in blocks), (
        "an example without its output is not checked"
    )
    result = doctest.DocTestRunner().run(
        doctest.DocTestParser().get_doctest(GUIDE, {}, "README.md", None, 0)
    )
    assert result.failed == 0
    assert result.attempted > len(blocks) > 0


@pytest.mark.parametrize("name", NAMES)
def test_the_test_cases_in_the_folder_of_a_metric_hold(name: str) -> None:
    cases = load_cases(name)
    assert len(cases) >= 3, (
        f"metrics/{name}/tests.py has {len(cases)} cases; at least three are required"
    )
    for case in cases:
        columns = {
            key: value
            for key, value in case.items()
            if key not in ("result", "replies", "configuration")
        }
        metric = load(name, config_name=case.get("configuration"))
        with JudgeServer([Reply(reply) for reply in case.get("replies", [""])]) as server:
            if "replies" in case:  # the judge's replies in the order of the rows
                columns |= {
                    "model": "m",
                    "base_url": server.url,
                    "cache": False,
                    "max_concurrency": 1,
                }
            result = metric.compute(**columns)
        for key, value in case["result"].items():
            # Models compute with 32-bit numbers.
            tolerance = 1e-6 if name in WITH_MODEL else 1e-12
            assert result[key] == pytest.approx(value, abs=tolerance), (columns, key)


DOCUMENTS = sorted([*ROOT.glob("*.md"), *METRICS.rglob("*.md"), *(ROOT / "spaces").rglob("*.md")])


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_between_documents_lead_to_files(path: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)\)", path.read_text("utf-8")):
        assert target.startswith(("http://", "https://")) or (path.parent / target).exists(), target


def test_every_file_in_contributing_exists() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    named = re.findall(
        r"(?<![\w/])(?:tests|metrics|spaces|lens)/[\w/]+\.(?:py|html|json|md)\b", text
    )
    folders = (ROOT, ROOT / "spaces" / "answer_lens")
    assert len(named) > 20
    assert not [name for name in named if not any((folder / name).is_file() for folder in folders)]


CONTRIBUTING_PATH = r"`((?:tests|metrics|lens)/[\w/]+\.py)`"


def list_names_of_files(guide: str) -> list[tuple[str, str]]:
    """Return the names that a guide says are in a file of Python, each with the file.

    They are written "`name` of `path`", or behind "`path`:" until the next path, step or paragraph.

    >>> list_names_of_files("`A` of `lens/a.py`. `lens/b.py`: `B`, and `C`. Tests: `D`")
    [('A', 'lens/a.py'), ('B', 'lens/b.py'), ('C', 'lens/b.py')]
    """
    names = re.findall(rf"`([\w.-]+)` of\s+{CONTRIBUTING_PATH}", guide)
    for part in re.split(rf"(?={CONTRIBUTING_PATH})|\n\s*\d\. |\n\s*- |\n\n|Words:|Tests:", guide):
        head = re.match(rf"{CONTRIBUTING_PATH}:", part or "")
        if head:
            names += [(name, head[1]) for name in re.findall(r"`(-*\w[\w-]*)`", part)]
    return names


def test_every_name_in_contributing_is_in_the_file_that_it_names() -> None:
    names = list_names_of_files((ROOT / "CONTRIBUTING.md").read_text("utf-8"))
    assert len(names) > 20
    folders = (ROOT, ROOT / "spaces" / "answer_lens")
    missing = []
    for name, file in names:
        path = next(folder / file for folder in folders if (folder / file).is_file())
        # "Study.score" is a method `score`.
        words = re.findall(r"[\w-]+", path.read_text("utf-8"))
        if name.rpartition(".")[2] not in words:
            missing.append((name, file))
    assert missing == []


def test_the_readme_lists_every_metric_and_existing_make_targets() -> None:
    rows = re.findall(r"^\| \[`(\w+)`\]\(metrics/(\w+)\) \|", README, re.M)
    assert sorted(rows) == [(name, name) for name in NAMES], (
        "the table of README.md must have each metric once"
    )
    installed = re.search(r"^pip install (.*?)\s+#", README, re.M)
    assert installed
    requirements = (METRICS / "lv_eval_f1" / "requirements.txt").read_text("utf-8").split()
    assert installed[1].replace('"', "").split() == requirements
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.M))
    named = set(re.findall(r"(?:^|`)(?:[A-Z_]+=\S+ )*make ([a-z-]+)", README, re.M))
    assert {"demo", "test"} <= named <= targets
    assert README.count("\n") <= 200
    assert len(README.split()) <= 1500
    before = README[: README.index("| module |")]
    assert [
        text
        for text in ("make demo", "make test", "evaluate.load(", "import score")
        if text not in before
    ] == []
    assert before.count("\n") <= 50, "the first steps of a new user must be in the first 50 lines"


@pytest.mark.parametrize("script", re.findall(r"^```py\n(.*?)^```$", README, re.S | re.M))
def test_a_script_of_the_readme_prints_what_its_comments_say(script: str, tmp_path: Path) -> None:
    lv_eval_f1 = METRICS / "lv_eval_f1"
    shutil.copytree(
        lv_eval_f1,
        tmp_path / "metrics" / "lv_eval_f1",
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    shutil.copy(lv_eval_f1 / "scoring.py", tmp_path)
    environment: dict[str, Any] = {
        **os.environ,
        "HF_HOME": str(tmp_path),
        "PYTHONPATH": make_search_path("lv_eval_f1"),
    }
    command = [sys.executable, "-c", script]
    done = subprocess.run(
        command,
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.splitlines() == re.findall(r"^print\(.*\)  # ([\d.]+)", script, re.M)
