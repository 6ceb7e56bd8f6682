"""Versions of modules, ranges of requirements, the demo's lock file, and the workflows agree."""

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
    ANSWER_METRICS,
    METRICS,
    NAMES,
    ROOT,
    import_file,
    load_cases,
    read_front_matter,
)

SPACE = ROOT / "spaces" / "answer_lens"


def read_text(path: str | Path) -> str:
    """Return the text of a file of the project."""
    return (ROOT / path).read_text("utf-8")


def read_requirements(path: Path) -> set[str]:
    """Return the lines of a file of requirements without comments."""
    return {line for line in read_text(path).splitlines() if line and not line.startswith("#")}


# The section of each version in the changelog, the newest first.
PARTS = re.split(r"^## (\d+\.\d+\.\d+)(?: \(.+\))?\n", read_text("CHANGELOG.md"), flags=re.M)[1:]
SECTIONS = dict(zip(PARTS[::2], PARTS[1::2], strict=True))


@pytest.mark.parametrize("name", NAMES)
def test_module_changelog_and_signature_name_the_same_version(name: str) -> None:
    version = import_file(name, name).VERSION
    newest = next((one for one, body in SECTIONS.items() if f"`{name}`" in body), "none")
    assert newest == version, (
        f"the newest section of CHANGELOG.md that names `{name}` must be that of its VERSION"
    )
    first = load_cases(name)[0]
    case = {
        key: value
        for key, value in first.items()
        if key not in ("result", "replies", "configuration")
    }
    rows = {"predictions": ["a"], "references": ["a"]} if name in ANSWER_METRICS else case
    result = judges.load(name, config_name=first.get("configuration")).compute(
        **rows, per_example=True
    )
    assert f"{result['signature']}|".startswith(f"{name}|version:{version}|")


def test_versions_are_sorted_and_the_newest_is_in_citation_and_reports() -> None:
    versions = [Version(version) for version in SECTIONS]
    assert versions == sorted(set(versions), reverse=True)
    assert yaml.safe_load(read_text("CITATION.cff"))["version"] == str(versions[0])
    assert f'VERSION = "{versions[0]}"\n' in read_text("spaces/answer_lens/lens/__init__.py"), (
        "reports show this version"
    )
    assert len(versions) == len(re.findall("^## ", read_text("CHANGELOG.md"), re.M))


# Metrics whose scoring.py may be copied; the estimate needs its whole folder.
COPIED = [
    name for name in NAMES if "This file may be copied" in read_text(METRICS / name / "scoring.py")
]


@pytest.mark.parametrize("name", COPIED)
def test_a_file_that_may_be_copied_names_its_source_and_license(name: str) -> None:
    citation = yaml.safe_load(read_text("CITATION.cff"))
    project = citation["title"].partition(":")[0]
    source = (
        f"From {project} {citation['version']} (metrics/{name}), {citation['license']}. "
        "To cite it: CITATION.cff"
    )
    assert source in (import_file(name).__doc__ or "")


def test_every_requirement_of_a_metric_has_the_range_of_the_tests() -> None:
    for folder in [*(METRICS / name for name in NAMES), SPACE]:
        # The tests pin one version of torch, which has a build without CUDA; the modules accept
        # others.
        left = read_requirements(folder / "requirements.txt") - read_requirements(
            ROOT / "requirements.txt"
        )
        assert left <= {"torch>=2.13,<3"}, folder


def test_the_lock_pins_every_requirement_of_the_demo_and_its_builder_with_hashes() -> None:
    settings = read_front_matter(read_text(SPACE / "README.md"))
    lock = read_text(SPACE / "requirements.lock")
    lines = [line for line in lock.replace(" \\\n", "").splitlines() if not line.startswith("#")]
    pins = [
        re.fullmatch(r"([a-z\d-]+)==([\w.!]+)( +--hash=sha256:[0-9a-f]{64})+", line)
        for line in lines
    ]
    assert all(pins), "a line is no plain pin with hashes"
    locked = {pin[1]: pin[2] for pin in pins if pin}
    # A string, because 3.10 would be the number 3.1.
    assert settings["python_version"] == "3.12"
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
    for requirement in map(Requirement, read_requirements(SPACE / "requirements.txt") | builder):
        marker = requirement.marker
        if marker is None or marker.evaluate(python):  # type: ignore[arg-type]
            version = locked[canonicalize_name(requirement.name)]
            assert requirement.specifier.contains(version), f"{requirement}: run `make lock`"
    assert {"authlib", "genai-prices", "itsdangerous", "mcp"} <= set(locked)  # gradio[oauth,mcp]


def test_workflows_run_existing_targets_and_have_only_read_permission() -> None:
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


def test_no_file_of_the_demo_has_more_than_350_lines() -> None:
    long = {}
    for path in (ROOT / "spaces" / "answer_lens").rglob("*.py"):
        lines = path.read_text("utf-8").count("\n")
        if lines > 350:
            long[path.name] = lines
    assert long == {}
