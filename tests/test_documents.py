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
from tests.support.project import (
    METRICS,
    NAMES,
    ROOT,
    import_file,
    load,
    load_cases,
    select_arguments,
)

README = (ROOT / "README.md").read_text("utf-8")
GUIDE = (METRICS / "README.md").read_text("utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
# Paths in CONTRIBUTING.md begin at one of these folders.
BASES = (ROOT, ROOT / "spaces" / "answer_lens")
FILES_WITH_EXAMPLES = [
    path
    for path in METRICS.glob("*/*.py")
    if path.parent.name != "shared" and ">>> " in path.read_text("utf-8")
]


@pytest.mark.parametrize(
    "path", FILES_WITH_EXAMPLES, ids=lambda path: f"{path.parent.name}/{path.name}"
)
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
    examples = doctest.DocTestParser().get_doctest(GUIDE, {}, "README.md", None, 0)
    result = doctest.DocTestRunner().run(examples)
    assert result.failed == 0
    assert result.attempted > len(blocks) > 0


@pytest.mark.parametrize("name", NAMES)
def test_the_test_cases_in_the_folder_of_a_metric_hold(name: str) -> None:
    cases = load_cases(name)
    assert len(cases) >= 3, (
        f"metrics/{name}/tests.py has {len(cases)} cases; at least three are required"
    )
    # Models compute with 32-bit numbers.
    tolerance = 1e-6 if name in WITH_MODEL else 1e-12
    for case in cases:
        result = compute_case(name, case)
        for key, value in case["result"].items():
            assert result[key] == pytest.approx(value, abs=tolerance), (case, key)


def compute_case(name: str, case: dict[str, Any]) -> dict[str, Any]:
    """Return a metric's result for a case of its folder.

    A case of a judge has "replies": what the judge replies, in the order of the rows.
    """
    arguments = select_arguments(case)
    metric = load(name, config_name=case.get("configuration"))
    if "replies" not in case:
        return metric.compute(**arguments)
    with JudgeServer([Reply(reply) for reply in case["replies"]]) as server:
        judge = {"model": "m", "base_url": server.url, "cache": False, "max_concurrency": 1}
        return metric.compute(**arguments, **judge)


DOCUMENTS = sorted([*ROOT.glob("*.md"), *METRICS.rglob("*.md"), *(ROOT / "spaces").rglob("*.md")])


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_between_documents_lead_to_files(path: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)\)", path.read_text("utf-8")):
        assert target.startswith(("http://", "https://")) or (path.parent / target).exists(), target


def test_every_file_in_contributing_exists() -> None:
    # Such as tests/test_names.py, or lens/page/templates/reasons.html.
    path = r"(?<![\w/])(?:tests|metrics|spaces|lens)/[\w/]+\.(?:py|html|json|md)\b"
    paths = re.findall(path, CONTRIBUTING)
    assert len(paths) > 20
    missing = [path for path in paths if find_path(path) is None]
    assert missing == []


def test_contributing_names_every_file_of_the_estimate() -> None:
    files = (ROOT / "metrics" / "correctness_estimate").glob("*.py")
    assert [file.name for file in files if f"`{file.name}`" not in CONTRIBUTING] == []


def find_path(path: str) -> Path | None:
    """Return the file that a path in CONTRIBUTING.md means; None if it does not exist."""
    for base in BASES:
        if (base / path).is_file():
            return base / path
    return None


# A path in backticks: `lens/tables/roles.py`.
CODE_PATH = r"`((?:tests|metrics|lens)/[\w/]+\.py)`"


def list_names_of_files(guide: str) -> list[tuple[str, str]]:
    """Return the names that a guide says are in a file of Python, each with the file.

    They are written "`name` of `path`", or behind "`path`:" until the next path, step or paragraph.

    >>> list_names_of_files("`A` of `lens/a.py`. `lens/b.py`: `B`, and `C`. Tests: `D`")
    [('A', 'lens/a.py'), ('B', 'lens/b.py'), ('C', 'lens/b.py')]
    """
    names = re.findall(rf"`([\w.-]+)` of\s+{CODE_PATH}", guide)
    passages = re.split(rf"(?={CODE_PATH})|\n\s*\d\. |\n\s*- |\n\n|Words:|Tests:", guide)
    for passage in passages:
        head = re.match(rf"{CODE_PATH}:", passage or "")
        if head:
            path = head[1]
            names += [(name, path) for name in re.findall(r"`(-*\w[\w-]*)`", passage)]
    return names


def test_every_name_in_contributing_is_in_the_file_that_it_names() -> None:
    names = list_names_of_files(CONTRIBUTING)
    assert len(names) > 20
    missing = []
    for name, path in names:
        file = find_path(path)
        assert file, path
        words = re.findall(r"[\w-]+", file.read_text("utf-8"))
        # "Study.score" is a method `score`.
        if name.rpartition(".")[2] not in words:
            missing.append((name, path))
    assert missing == []


def test_the_readme_lists_every_metric_and_existing_make_targets() -> None:
    # Such as "| [`bleu`](metrics/bleu) |".
    rows = re.findall(r"^\| \[`(\w+)`\]\(metrics/(\w+)\) \|", README, re.M)
    assert sorted(rows) == [(name, name) for name in NAMES], (
        "the table of README.md must have each metric once"
    )
    install_command = re.search(r"^pip install (.*?)\s+#", README, re.M)
    assert install_command
    requirements = (METRICS / "lv_eval_f1" / "requirements.txt").read_text("utf-8").split()
    assert install_command[1].replace('"', "").split() == requirements
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.M))
    # Such as "make demo", or "`ORG=name make publish".
    named_targets = set(re.findall(r"(?:^|`)(?:[A-Z_]+=\S+ )*make ([a-z-]+)", README, re.M))
    assert {"demo", "test"} <= named_targets <= targets


def test_the_readme_is_short_and_begins_with_the_first_steps() -> None:
    assert README.count("\n") <= 200
    assert len(README.split()) <= 1500
    first_steps = README[: README.index("| module |")]
    assert first_steps.count("\n") <= 50
    for text in ("make demo", "make test", "evaluate.load(", "import score"):
        assert text in first_steps


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
    process = subprocess.run(
        command,
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        encoding="utf-8",
    )
    assert process.returncode == 0, process.stderr[-2000:]
    # Such as "print(score(...))  # 0.8".
    expected = re.findall(r"^print\(.*\)  # ([\d.]+)", script, re.M)
    assert process.stdout.splitlines() == expected
