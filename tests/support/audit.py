"""Asks for known vulnerabilities of what is installed beside this, and of what the demo installs: `make audit`.

Run: .venv/bin/python tests/support/audit.py PIP_AUDIT. Exit code 0: none is known. 1: some are. 2: it could not be
found out, for there is no network, or not one that reaches the package index.
"""

import importlib.metadata
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

LOCK = Path(__file__).resolve().parent.parent.parent / "spaces" / "answer_lens" / "requirements.lock"
CLEAN, VULNERABLE, UNKNOWN = 0, 1, 2
GO_ON = """\
pip-audit asks the package index about every package: this needs a network that reaches it, and no mirror will do.
Run `make audit` where there is one. The workflow .github/workflows/audit.yml does every week. No test needs this."""


def installed() -> list[str]:
    """Return what is installed, with its versions; a build of its own (2.13.0+cpu) counts as the version it is of."""
    found = {one.metadata["Name"].lower(): one.version.partition("+")[0] for one in importlib.metadata.distributions()}
    return [f"{name}=={version}" for name, version in sorted(found.items())]


def asked(pip_audit: str, requirements: Path) -> subprocess.CompletedProcess[str]:
    """Ask about every package in a file of exact versions."""
    exactly = ["--strict", "--no-deps", "--disable-pip", "--progress-spinner", "off", "--format", "json"]
    command = [pip_audit, *exactly, "--requirement", str(requirements)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def verdict(output: str, errors: str) -> tuple[int, str]:
    """Return the exit code and what to say, from what pip-audit printed: a report, or only why there is none."""
    try:
        packages: list[dict[str, Any]] = json.loads(output)["dependencies"]
    except ValueError:
        why = (errors.strip().splitlines() or ["pip-audit said nothing"])[-1]
        return UNKNOWN, f"could not be audited: {why.removeprefix('ERROR:pip_audit._cli:')[:300]}"
    findings = [(package, one) for package in packages for one in package.get("vulns", [])]
    if not findings:
        return CLEAN, f"{len(packages)} packages, no known vulnerability"
    return VULNERABLE, "\n".join(
        [f"{len(packages)} packages, known vulnerabilities: {len(findings)}", *(told(*one) for one in findings)]
    )


def told(package: dict[str, Any], finding: dict[str, Any]) -> str:
    """A finding in words."""
    fixed = ", ".join(finding["fix_versions"])
    return (
        f"  {package['name']} {package['version']}: {finding['id']}, {f'fixed in {fixed}' if fixed else 'no fix yet'}"
    )


def main(pip_audit: str) -> int:
    """Audit both, say what was found, and return the exit code: the worst of the two."""
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder) / "installed.txt"
        here.write_text("\n".join(installed()) + "\n", "utf-8")
        worst = CLEAN
        for name, file in (("What is installed", here), ("What the demo's Space installs", LOCK)):
            done = asked(pip_audit, file)
            code, words = verdict(done.stdout, done.stderr)
            print(f"{name}: {words}")
            worst = max(worst, code)
    if worst == UNKNOWN:
        print(GO_ON)
    return worst


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
