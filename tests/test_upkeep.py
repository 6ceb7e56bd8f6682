"""What is kept up: versions of modules, ranges of requirements, the demo's
lock and the workflows.
"""

import re
from pathlib import Path

import pytest
import yaml
from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from tests.support import judges
from tests.support.project import (
    ANSWERS,
    METRICS,
    NAMES,
    ROOT,
    import_file,
    load_cases,
    read_front_matter,
)

SPACE = ROOT / "spaces" / "answer_lens"


def read_text(path: str | Path) -> str:
    return (ROOT / path).read_text("utf-8")


def read_requirements(path: Path) -> set[str]:
    return {line for line in read_text(path).splitlines() if line and not line.startswith("#")}


# Each version in the changelog and what is said of it, the newest first.
PARTS = re.split(r"^## (\d+\.\d+\.\d+)(?: \(.+\))?\n", read_text("CHANGELOG.md"), flags=re.M)[1:]
SECTIONS = dict(zip(PARTS[::2], PARTS[1::2], strict=True))


@pytest.mark.parametrize("name", NAMES)
def test_module_changelog_and_signature_name_one_version(name: str) -> None:
    version = import_file(name, name).VERSION
    newest = next((one for one, body in SECTIONS.items() if f"`{name}`" in body), "none")
    assert newest == version, (
        f"the newest section of CHANGELOG.md that names `{name}` is that of its VERSION"
    )
    first = load_cases(name)[0]
    case = {
        key: value
        for key, value in first.items()
        if key not in ("result", "replies", "configuration")
    }
    rows = {"predictions": ["a"], "references": ["a"]} if name in ANSWERS else case
    result = judges.load(name, config_name=first.get("configuration")).compute(
        **rows, per_example=True
    )
    assert f"{result['signature']}|".startswith(f"{name}|version:{version}|")


def test_versions_go_down_and_the_newest_is_the_one_to_cite() -> None:
    versions = [Version(version) for version in SECTIONS]
    assert versions == sorted(set(versions), reverse=True)
    assert yaml.safe_load(read_text("CITATION.cff"))["version"] == str(versions[0])
    assert f'VERSION = "{versions[0]}"\n' in read_text("spaces/answer_lens/lens/__init__.py"), (
        "reports name it"
    )
    assert len(versions) == len(re.findall("^## ", read_text("CHANGELOG.md"), re.M))


# Those that are copied alone, or with a file or two; the estimate needs its folder.
COPIED = [
    name for name in NAMES if "This file may be copied" in read_text(METRICS / name / "scoring.py")
]


@pytest.mark.parametrize("name", COPIED)
def test_a_copied_file_says_where_it_comes_from_and_under_which_license(name: str) -> None:
    citation = yaml.safe_load(read_text("CITATION.cff"))
    project = citation["title"].partition(":")[0]
    source = (
        f"From {project} {citation['version']} (metrics/{name}), {citation['license']}. "
        "To cite it: CITATION.cff"
    )
    assert source in (import_file(name).__doc__ or "")


def test_every_requirement_has_the_range_that_the_tests_run_with() -> None:
    for folder in [*(METRICS / name for name in NAMES), SPACE]:
        # Of torch the tests have one version, of which a build without CUDA is at hand; the modules
        # take others.
        left = read_requirements(folder / "requirements.txt") - read_requirements(
            ROOT / "requirements.txt"
        )
        assert left <= {"torch>=2.13,<3"}, folder


def test_the_lock_pins_with_hashes_what_the_demo_and_its_builder_ask_for() -> None:
    settings = read_front_matter(read_text(SPACE / "README.md"))
    lock = read_text(SPACE / "requirements.lock")
    lines = [line for line in lock.replace(" \\\n", "").splitlines() if not line.startswith("#")]
    pins = [
        re.fullmatch(r"([a-z\d-]+)==([\w.!]+)( +--hash=sha256:[0-9a-f]{64})+", line)
        for line in lines
    ]
    assert all(pins), "no address, no marker, no build that one machine has"
    locked = {pin[1]: pin[2] for pin in pins if pin}
    assert settings["python_version"] == "3.12"  # a string: 3.10 would be the number 3.1
    python = {
        **default_environment(),
        "python_version": settings["python_version"],
        "platform_system": "Linux",
    }
    builder = {
        f"gradio=={settings['sdk_version']}",
        "uvicorn>=0.14.0",
        "websockets>=10.4",
        "spaces",
    }
    for one in map(Requirement, read_requirements(SPACE / "requirements.txt") | builder):
        if one.marker is None or one.marker.evaluate(python):  # type: ignore[arg-type]
            assert one.specifier.contains(locked[canonicalize_name(one.name)]), (
                f"{one}: run `make lock`"
            )
    assert {"authlib", "genai-prices", "itsdangerous", "mcp"} <= set(locked)  # gradio[oauth,mcp]


def test_workflows_run_what_there_is_and_may_read_and_no_more() -> None:
    targets = set(re.findall(r"^([\w-]+):", read_text("Makefile"), re.M))
    ran = read_text(".ci/run")
    for workflow in (ROOT / ".github" / "workflows").glob("*.yml"):
        data = yaml.safe_load(read_text(workflow))
        assert data["permissions"] == {"contents": "read"}
        assert all("permissions" not in job for job in data["jobs"].values())
        ran += "".join(
            step.get("run", "") + "\n" for job in data["jobs"].values() for step in job["steps"]
        )
    assert (
        {"ray", "lint", "test", "test-lowest", "audit"}
        == set(re.findall(r"^make (\S+)$", ran, re.M))
        <= targets
    )


def test_no_file_of_the_demo_is_too_long_to_read() -> None:
    long = {}
    for path in (ROOT / "spaces" / "answer_lens").rglob("*.py"):
        lines = path.read_text("utf-8").count("\n")
        if lines > 350:
            long[path.name] = lines
    assert long == {}
