"""What is kept up: versions of modules, ranges of requirements, the demo's lock, the audit and the workflows."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from tests.support import audit, judges, lowest
from tests.support.project import ANSWERS, METRICS, NAMES, ROOT, VERSION_LINE, cases_of, front_matter, functions

SPACE = ROOT / "spaces" / "answer_lens"
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def text(path: str | Path) -> str:
    return (ROOT / path).read_text("utf-8")


# Versions of modules.


def sections(changelog: str) -> list[tuple[str, str]]:
    """The versions in a changelog and what is said of them, the newest first."""
    parts = re.split(r"^## (\d+\.\d+\.\d+)(?: \(.+\))?\n", changelog, flags=re.M)[1:]
    return list(zip(parts[::2], parts[1::2], strict=True))


def version_in(changelog: str, name: str) -> str:
    """The newest version of which a module is named in backticks; empty where it is in none."""
    return next((version for version, body in sections(changelog) if f"`{name}`" in body), "")


def disagreements(name: str, version: str, changelog: str, card: str) -> list[str]:
    """Which documents say another version of a module than its file."""
    said = version_in(changelog, name)
    wrong = [] if said == version else [f"CHANGELOG.md has {said or 'none'} for `{name}`, the module has {version}"]
    return wrong + ([] if VERSION_LINE.format(version=version) in card.splitlines() else [f"the card of {name}"])


@pytest.mark.parametrize("name", NAMES)
def test_versions_agree(name: str) -> None:
    found = disagreements(name, functions(name, name).VERSION, text("CHANGELOG.md"), text(METRICS / name / "README.md"))
    assert found == []


@pytest.mark.parametrize("name", NAMES)
def test_the_signature_begins_with_the_version(name: str) -> None:
    first = cases_of(name)[0]
    case = {key: value for key, value in first.items() if key not in ("result", "replies", "configuration")}
    rows = {"predictions": ["a"], "references": ["a"]} if name in ANSWERS else case
    result = judges.load(name, config_name=first.get("configuration")).compute(**rows)
    assert f"{result['signature']}|".startswith(f"{name}|version:{functions(name, name).VERSION}|")


CHANGES = """\
## 0.3.0 (unreleased)

- The demo in French.

## 0.2.0 (2027-03-01)

- `rouge`: another stemmer; the scores of plurals move.

## 0.1.0 (2027-01-01)

- `bleu`, `rouge`: first.
"""


def test_a_version_that_moves_alone_is_noticed() -> None:
    assert [version_in(CHANGES, name) for name in ("bleu", "rouge", "l3score")] == ["0.1.0", "0.2.0", ""]
    card = VERSION_LINE.format(version="0.2.0")
    assert disagreements("rouge", "0.2.0", CHANGES, card) == []
    assert len(disagreements("rouge", "0.2.1", CHANGES, card)) == 2
    assert len(disagreements("rouge", "0.2.0", CHANGES, VERSION_LINE.format(version="0.1.0"))) == 1
    assert len(disagreements("bleu", "0.2.0", CHANGES, card)) == 1


def test_sections_go_down_and_the_newest_is_the_version_to_cite() -> None:
    versions = [Version(version) for version, _ in sections(text("CHANGELOG.md"))]
    assert versions
    assert versions == sorted(set(versions), reverse=True)
    assert yaml.safe_load(text("CITATION.cff"))["version"] == str(versions[0])
    assert len(versions) == len(re.findall("^## ", text("CHANGELOG.md"), re.M))


def test_every_module_has_tests_of_its_own() -> None:
    assert [name for name in NAMES if not (ROOT / "tests" / "metrics" / f"test_{name}.py").exists()] == []


# Requirements, and the lowest of them.


def test_every_requirement_has_the_range_that_the_tests_run_with() -> None:
    tested = set(text("requirements.txt").splitlines())
    for folder in [*(METRICS / name for name in NAMES), SPACE]:
        lines = text(folder / "requirements.txt").splitlines()
        # Of torch the tests have one version, of which a build without CUDA is at hand; the modules take others.
        left = [line for line in lines if not line.startswith("#") and line not in tested]
        assert left in ([], ["torch>=2.13,<3"]), folder


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("a>=1.2,<2", "a==1.2"),
        ("a-b_c.d>=2026.1.14", "a-b_c.d==2026.1.14"),
        ("a==0.42.1", "a==0.42.1"),
        ("a[x,y]>=3.54,<4,!=3.60.1", "a[x,y]==3.54"),
        ('a>=0.2.3; python_version >= "3.11"', 'a==0.2.3; python_version >= "3.11"'),
    ],
)
def test_lowest_is_the_lower_end(given: str, expected: str) -> None:
    assert lowest.lowest(given) == expected


@pytest.mark.parametrize("given", ["a", "a<2", "a>1", "a~=1.2", "a==1.*", "a @ file:///a.whl", "-r other.txt"])
def test_a_requirement_without_a_lower_end_is_refused(given: str) -> None:
    with pytest.raises(ValueError, match="no lower end in"):
        lowest.lowest(given)


@pytest.mark.parametrize("file", ["requirements.txt", "tests/requirements.txt"])
def test_every_lowest_version_lies_in_its_range(file: str) -> None:
    ranges = lowest.requirements(text(file))
    done = subprocess.run(
        [sys.executable, "tests/support/lowest.py", file], cwd=ROOT, capture_output=True, text=True, check=True
    )
    printed = [Requirement(line) for line in done.stdout.splitlines()]
    for wide, low in zip(map(Requirement, ranges), printed, strict=True):
        assert (wide.name, wide.extras, str(wide.marker)) == (low.name, low.extras, str(low.marker))
        version = next(iter(low.specifier)).version
        assert wide.specifier.contains(version)
        assert not wide.specifier.contains(f"{version}.dev0")  # nothing below it


# The demo's lock.


def settings() -> dict[str, Any]:
    """What the card of the demo says of its Space."""
    return front_matter(text(SPACE / "README.md"))


def locked() -> dict[str, tuple[str, list[str]]]:
    """The packages in the lock: name, version and hashes."""
    lines = text(SPACE / "requirements.lock").replace("\\\n", " ").splitlines()
    packages = [line.split() for line in lines if not line.startswith("#")]
    pins = [first.partition("==") for first, *_ in packages]
    assert len({name for name, _, _ in pins}) == len(pins)
    return {name: (version, more) for (name, _, version), (_, *more) in zip(pins, packages, strict=True)}


def asked_of_the_lock() -> list[Requirement]:
    """What the demo needs, and what a Space's builder adds to it."""
    own = lowest.requirements(text(SPACE / "requirements.txt"))
    builder = [f"gradio=={settings()['sdk_version']}", "uvicorn>=0.14.0", "websockets>=10.4", "spaces"]
    return [Requirement(line) for line in own + builder]


def test_every_package_in_the_lock_is_pinned_with_hashes() -> None:
    assert len(locked()) > 100
    for name, (version, hashes) in locked().items():
        assert canonicalize_name(name) == name
        assert str(Version(version)) == version
        assert "+" not in version, f"{name}: a build that only one machine has"
        assert hashes, name
        assert all(re.fullmatch(r"--hash=sha256:[0-9a-f]{64}", one) for one in hashes), name


def test_the_lock_has_what_the_demo_and_its_builder_ask_for() -> None:
    python = {**default_environment(), "python_version": settings()["python_version"], "platform_system": "Linux"}
    asked = [one for one in asked_of_the_lock() if one.marker is None or one.marker.evaluate(python)]  # type: ignore[arg-type]
    assert "genai-prices" in {one.name for one in asked}
    for one in asked:
        assert one.specifier.contains(locked()[canonicalize_name(one.name)][0]), f"{one}: run `make lock`"
    assert {"authlib", "itsdangerous", "mcp"} <= set(locked())  # gradio[oauth,mcp]


def test_the_lock_names_no_place_and_one_python() -> None:
    text_of_it = text(SPACE / "requirements.lock")
    assert "://" not in text_of_it
    assert not re.search(r"^\s*-(?!-hash=)", text_of_it, re.M)
    assert ";" not in text_of_it
    assert settings()["python_version"] == "3.12"  # a string: 3.10 would be the number 3.1


# The audit.

ONE = {"name": "one", "version": "1.0", "vulns": []}
TWO = {"name": "two", "version": "2.0", "vulns": [{"id": "CVE-1", "fix_versions": ["2.1", "3.0"]}]}
THREE = {"name": "three", "version": "3", "vulns": [{"id": "CVE-2", "fix_versions": []}]}


@pytest.mark.parametrize(
    ("packages", "code", "said"),
    [
        ([ONE], 0, ["1 packages, no known vulnerability"]),
        ([ONE, TWO], 1, ["two 2.0: CVE-1, fixed in 2.1, 3.0"]),
        ([ONE, TWO, THREE], 1, ["known vulnerabilities: 2", "three 3: CVE-2, no fix yet"]),
    ],
)
def test_the_audit_says_what_was_found(packages: list[dict[str, Any]], code: int, said: list[str]) -> None:
    found, words = audit.verdict(json.dumps({"dependencies": packages, "fixes": []}), "Found something")
    assert found == code
    assert all(one in words for one in said)


def test_an_audit_without_a_network_is_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stand_in = tmp_path / "stand_in.py"
    stand_in.write_text("import sys; sys.exit('Traceback\\nConnectionError: no route')", "utf-8")
    calls: list[list[str]] = []

    def run(command: list[str], **settings: Any) -> Any:
        calls.append(command)
        return original([sys.executable, str(stand_in)], **settings)

    original = subprocess.run
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(subprocess, "run", run)
        assert audit.main("pip-audit") == audit.UNKNOWN
    assert all("--strict" in command for command in calls)
    assert calls[1][-1] == str(SPACE / "requirements.lock")
    said = capsys.readouterr().out
    assert "could not be audited: ConnectionError: no route" in said
    assert "this needs a network" in said
    assert "no known vulnerability" not in said


def test_the_audit_asks_about_what_is_installed() -> None:
    found = audit.installed()
    assert all(re.fullmatch(r"[\w.-]+==[\w.!]+", one) for one in found)
    assert {"evaluate", "gradio", "torch"} <= {one.partition("==")[0] for one in found}


# The workflows.


def steps(workflow: Path) -> list[dict[str, Any]]:
    return [step for job in yaml.safe_load(text(workflow))["jobs"].values() for step in job["steps"]]


def targets() -> set[str]:
    """What `make` can be told."""
    phony = re.search(r"^\.PHONY: (.+)$", text("Makefile"), re.M)
    assert phony
    found = set(phony[1].split())
    assert found <= set(re.findall(r"^([\w-]+):", text("Makefile"), re.M))
    return found


def test_there_are_workflows() -> None:
    assert [path.name for path in WORKFLOWS] == ["audit.yml", "test.yml"]


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.name)
def test_workflows_run_what_there_is(workflow: Path) -> None:
    commands = [step["run"] for step in steps(workflow) if "run" in step]
    assert commands
    for command in commands:
        program, *arguments = command.split()
        assert program == "make" or (ROOT / program).is_file(), command
        assert program != "make" or set(arguments) <= targets(), command


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.name)
def test_workflows_may_read_and_no_more(workflow: Path) -> None:
    data = yaml.safe_load(text(workflow))
    assert data["permissions"] == {"contents": "read"}
    assert data["concurrency"]["cancel-in-progress"] is True
    assert all(job["timeout-minutes"] == 45 and "permissions" not in job for job in data["jobs"].values())
    for step in steps(workflow):
        if "uses" in step:
            assert re.fullmatch(r"actions/(checkout|setup-python)@v\d+\.\d+\.\d+", step["uses"])
            assert step["with"].get("persist-credentials", False) is False
            assert "setup-python" in step["uses"] or "persist-credentials" in step["with"]


def test_the_tests_run_on_three_systems_with_the_oldest_and_the_newest_python() -> None:
    jobs = yaml.safe_load(text(".github/workflows/test.yml"))["jobs"]
    linux = {(jobs["linux"]["runs-on"], python) for python in jobs["linux"]["strategy"]["matrix"]["python"]}
    others = {(one["os"], one["python"]) for one in jobs["others"]["strategy"]["matrix"]["include"]}
    assert {system.partition("-")[0] for system, _ in linux | others} == {"ubuntu", "macos", "windows"}
    assert {python for _, python in linux} == {python for _, python in others} == {"3.10", "3.13"}
    assert "(3, 10) <= v <= (3, 13)" in text("Makefile")


def test_continuous_integration_runs_the_command_of_the_readme() -> None:
    ran = re.findall(r"^make (\S+)$", text(".ci/run"), re.M)
    assert ran == ["ray", "test"]
    assert set(ran) <= targets()
