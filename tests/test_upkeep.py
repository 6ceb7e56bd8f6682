"""Versions of modules, ranges of requirements, the demo's lock file, and the workflows agree."""

import re
from pathlib import Path
from typing import Any

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
    select_arguments,
)

SPACE = ROOT / "spaces" / "answer_lens"


def read_text(path: str | Path) -> str:
    """Return the text of a file of the project."""
    return (ROOT / path).read_text("utf-8")


def read_requirements(path: Path) -> set[str]:
    """Return the lines of a file of requirements without comments."""
    return {line for line in read_text(path).splitlines() if line and not line.startswith("#")}


def read_changelog() -> dict[str, str]:
    """Return the section of each version in the changelog, the newest first."""
    # Such as "## 0.1.0" or "## 0.1.0 (not released)".
    head = r"^## (\d+\.\d+\.\d+)(?: \(.+\))?\n"
    _introduction, *parts = re.split(head, read_text("CHANGELOG.md"), flags=re.M)
    return dict(zip(parts[::2], parts[1::2], strict=True))


SECTIONS = read_changelog()


@pytest.mark.parametrize("name", NAMES)
def test_module_changelog_and_signature_name_the_same_version(name: str) -> None:
    version = import_file(name, name).VERSION
    versions = [number for number, section in SECTIONS.items() if f"`{name}`" in section]
    assert versions[:1] == [version], (
        f"the newest section of CHANGELOG.md that names `{name}` must be that of its VERSION"
    )
    case = load_cases(name)[0]
    arguments: dict[str, Any] = {"predictions": ["a"], "references": ["a"]}
    if name not in ANSWER_METRICS:
        arguments = select_arguments(case)
    metric = judges.load(name, config_name=case.get("configuration"))
    result = metric.compute(**arguments, per_example=True)
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
    of_tests = read_requirements(ROOT / "requirements.txt")
    # The tests pin one version of torch, which has a build without CUDA; the modules accept others.
    of_tests.add("torch>=2.13,<3")
    for folder in [*(METRICS / name for name in NAMES), SPACE]:
        assert read_requirements(folder / "requirements.txt") <= of_tests, folder


def read_lock() -> dict[str, str]:
    """Return the version of each package in the demo's lock file.

    Each line must be a pin with hashes: "numpy==2.1.0 --hash=sha256:0a...".
    """
    pattern = re.compile(r"([a-z\d-]+)==([\w.!]+)( +--hash=sha256:[0-9a-f]{64})+")
    versions = {}
    # A backslash joins a line and the next.
    for line in read_text(SPACE / "requirements.lock").replace(" \\\n", "").splitlines():
        if line.startswith("#"):
            continue
        pin = pattern.fullmatch(line)
        assert pin, line
        versions[pin[1]] = pin[2]
    return versions


def test_the_lock_pins_every_requirement_of_the_demo_and_its_builder_with_hashes() -> None:
    settings = read_front_matter(read_text(SPACE / "README.md"))
    versions = read_lock()
    # A string, because 3.10 would be the number 3.1.
    assert settings["python_version"] == "3.12"
    environment = {
        **default_environment(),
        "python_version": settings["python_version"],
        "platform_system": "Linux",
    }
    # What the Hub installs for every Gradio Space.
    of_builder = {
        f"gradio=={settings['sdk_version']}",
        "uvicorn>=0.14.0",
        "websockets>=10.4",
        "spaces",
    }
    for requirement in map(Requirement, read_requirements(SPACE / "requirements.txt") | of_builder):
        marker = requirement.marker
        if marker is None or marker.evaluate(environment):  # type: ignore[arg-type]
            version = versions[canonicalize_name(requirement.name)]
            assert requirement.specifier.contains(version), f"{requirement}: run `make lock`"
    # The Hub installs gradio[oauth,mcp].
    assert {"authlib", "genai-prices", "itsdangerous", "mcp"} <= set(versions)


def test_workflows_run_existing_targets_and_have_only_read_permission() -> None:
    commands = read_text(".ci/run").splitlines()
    for workflow in (ROOT / ".github" / "workflows").glob("*.yml"):
        settings = yaml.safe_load(read_text(workflow))
        assert settings["permissions"] == {"contents": "read"}
        for job in settings["jobs"].values():
            assert "permissions" not in job
            for step in job["steps"]:
                commands += step.get("run", "").splitlines()
    used_targets = set(re.findall(r"^make (\S+)$", "\n".join(commands), re.M))
    assert used_targets == {"ray", "lint", "test", "test-lowest", "audit"}
    targets = set(re.findall(r"^([\w-]+):", read_text("Makefile"), re.M))
    assert used_targets <= targets


def test_no_file_of_the_demo_has_more_than_350_lines() -> None:
    long_files = {}
    for path in SPACE.rglob("*.py"):
        lines = path.read_text("utf-8").count("\n")
        if lines > 350:
            long_files[path.name] = lines
    assert long_files == {}
