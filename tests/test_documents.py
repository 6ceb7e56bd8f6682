"""What the texts say is what the code does: every example runs, every table agrees."""

import doctest
import inspect
import re
import runpy
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests import judges
from tests.judge_server import JudgeServer, Reply
from tests.models import WITH_MODEL, provide_defaults
from tests.project import ANSWERS, METRICS, NAMES, ROOT, functions

MODULES = [*((name, name) for name in NAMES), (NAMES[0], "checked"), (judges.JUDGES[0], "llm_client")]


@pytest.mark.parametrize(("name", "file"), MODULES)
def test_examples_in_the_code_run(name: str, file: str) -> None:
    result = doctest.testmod(functions(name, file))
    assert (result.failed, result.attempted > 3) == (0, file != "checked")


@pytest.mark.parametrize("document", ["README.md", *(f"metrics/{name}/README.md" for name in NAMES)])
def test_examples_in_the_documents_run(document: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    provide_defaults()
    text = (ROOT / document).read_text("utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.S)
    assert blocks
    assert all(block.lstrip().startswith(">>> ") for block in blocks), "an example without its output is not checked"
    text = text.replace(judges.ADDRESS, judges.server().url)
    examples = doctest.DocTestParser().get_doctest(text, {}, document, document, 0)
    result = doctest.DocTestRunner().run(examples)
    assert (result.failed, result.attempted > 0) == (0, True)


@pytest.mark.parametrize(("name", "file"), MODULES)
def test_every_public_function_says_what_it_returns(name: str, file: str) -> None:
    found = functions(name, file)
    members = [m for _, m in inspect.getmembers(found) if inspect.isfunction(m) or inspect.isclass(m)]
    own = [m for m in members if m.__module__ == found.__name__ and not m.__name__.startswith("_")]
    assert own
    assert [member.__name__ for member in own if not inspect.getdoc(member)] == []


def cases_of(name: str) -> list[dict[str, Any]]:
    return runpy.run_path(str(METRICS / name / "tests.py"))["test_cases"]


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


def front_matter(path: Path) -> dict[str, Any]:
    return yaml.safe_load(re.match(r"---\n(.*?)\n---\n", path.read_text("utf-8"), re.S)[1])  # type: ignore[index]


@pytest.mark.parametrize("folder", [*(f"metrics/{name}" for name in NAMES), "spaces/answer_lens"])
def test_card_metadata_is_what_the_hub_takes(folder: str) -> None:
    data = front_matter(ROOT / folder / "README.md")
    assert {"title", "emoji", "colorFrom", "colorTo", "sdk", "sdk_version", "app_file", "pinned", "tags"} <= set(data)
    colors = {"red", "yellow", "green", "blue", "indigo", "purple", "pink", "gray"}
    assert {data["colorFrom"], data["colorTo"]} <= colors
    assert (data["sdk"], (ROOT / folder / data["app_file"]).exists()) == ("gradio", True)
    assert re.fullmatch(r"6\.\d+\.\d+", str(data["sdk_version"]))
    assert {"evaluate", "metric"} <= set(data["tags"]) or folder.startswith("spaces")
    assert len(data.get("short_description", "")) <= 60


@pytest.mark.parametrize("name", NAMES)
def test_card_names_every_argument_and_every_result(name: str) -> None:
    card = (METRICS / name / "README.md").read_text("utf-8")
    scorer = judges.load(name)
    case = {key: value for key, value in cases_of(name)[0].items() if key not in ("result", "replies")}
    for argument in inspect.signature(scorer._compute).parameters:
        assert f"| `{argument}` |" in card, argument
        assert argument in scorer.inputs_description, argument
    rows = {"predictions": ["a"], "references": ["a"]} if name in ANSWERS else case
    result = scorer.compute(**rows, per_example=True)
    for key in result:
        assert f"`{key}`" in card, key
        assert key in scorer.inputs_description, key
    entries = [result["per_example"][0], *result.get("by_type", [])[:1], *result.get("by_group", [])[:1]]
    for key in (key for entry in entries for key in entry):
        assert f"`{key}`" in card, key


def test_every_requirement_has_the_range_that_the_tests_run_with() -> None:
    tested = set((ROOT / "requirements.txt").read_text("utf-8").splitlines())
    for folder in [*(METRICS / name for name in NAMES), ROOT / "spaces" / "answer_lens"]:
        lines = (folder / "requirements.txt").read_text("utf-8").splitlines()
        assert {line for line in lines if not line.startswith("#")} <= tested, folder


@pytest.mark.parametrize("name", NAMES)
def test_versions_agree(name: str) -> None:
    version = functions(name).VERSION
    assert f"## {version}" in (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert f'version: "{version}"' in (ROOT / "CITATION.cff").read_text("utf-8")


def test_readme_lists_every_metric_once() -> None:
    rows = re.findall(r"^\| \[`(\w+)`\]\(metrics/(\w+)\) \|", (ROOT / "README.md").read_text("utf-8"), re.M)
    assert sorted(rows) == [(name, name) for name in NAMES]


DOCUMENTS = [ROOT.glob("*.md"), METRICS.rglob("*.md"), (ROOT / "spaces").rglob("*.md")]


@pytest.mark.parametrize(
    "path", [path for paths in DOCUMENTS for path in paths], ids=lambda p: str(p.relative_to(ROOT))
)
def test_links_inside_the_project_lead_somewhere(path: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)\)", path.read_text("utf-8")):
        assert target.startswith(("http://", "https://")) or (path.parent / target).exists(), target
