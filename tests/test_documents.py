"""What the texts say is what the code does: every example runs, every table agrees. The metric cards: test_cards.py."""

import doctest
import re
from pathlib import Path
from typing import Any

import pytest

from tests.support import judges
from tests.support.judge_server import JudgeServer, Reply
from tests.support.models import WITH_MODEL, provide_defaults
from tests.support.project import METRICS, NAMES, ROOT, cases_of, functions

FILES = [path for path in METRICS.glob("*/*.py") if path.parent.name != "shared" and ">>> " in path.read_text("utf-8")]


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_examples_in_the_code_run(path: Path) -> None:
    result = doctest.testmod(functions(path.parent.name, path.stem))
    assert (result.failed, result.attempted > 0) == (0, True)


def test_examples_in_the_readme_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    provide_defaults()
    text = (ROOT / "README.md").read_text("utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.S)
    assert blocks
    assert all(block.lstrip().startswith(">>> ") for block in blocks), "an example without its output is not checked"
    text = text.replace(judges.ADDRESS, judges.server().url)
    examples = doctest.DocTestParser().get_doctest(text, {}, "README.md", "README.md", 0)
    result = doctest.DocTestRunner().run(examples)
    assert (result.failed, result.attempted > 0) == (0, True)


@pytest.mark.parametrize("name", NAMES)
def test_test_cases_of_the_folder_hold(name: str, load: Any) -> None:
    assert len(cases_of(name)) >= 3
    for case in cases_of(name):
        columns = {key: value for key, value in case.items() if key not in ("result", "replies", "configuration")}
        if "replies" in case:  # what the judge said, in the order of the rows
            with JudgeServer([Reply(reply) for reply in case["replies"]]) as server:
                result = load(name).compute(
                    **columns, model="m", base_url=server.url, cache=False, progress=False, max_concurrency=1
                )
        else:
            result = load(name, config_name=case.get("configuration")).compute(**columns)
        for key, value in case["result"].items():
            tolerance = 1e-6 if name in WITH_MODEL else 1e-12  # models compute in 32 bits
            assert result[key] == pytest.approx(value, abs=tolerance), (columns, key)


def test_readme_lists_every_metric_once() -> None:
    rows = re.findall(r"^\| \[`(\w+)`\]\(metrics/(\w+)\) \|", (ROOT / "README.md").read_text("utf-8"), re.M)
    assert [name for name in NAMES if (name, name) not in rows] == [], "README.md's table lacks a row"
    assert sorted(rows) == [(name, name) for name in NAMES]


DOCUMENTS = [ROOT.glob("*.md"), METRICS.rglob("*.md"), (ROOT / "spaces").rglob("*.md")]


@pytest.mark.parametrize(
    "path", [path for paths in DOCUMENTS for path in paths], ids=lambda p: str(p.relative_to(ROOT))
)
def test_links_inside_the_project_lead_somewhere(path: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)\)", path.read_text("utf-8")):
        assert target.startswith(("http://", "https://")) or (path.parent / target).exists(), target
