"""Checks, before scoring, whether the packages of a run are installed."""

from __future__ import annotations

import argparse
import importlib.util
import re
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from lens import SPACE
from lens.scoring.catalog import OFFICIAL_F1, OFFICIAL_ROUGE
from lens.scoring.modules import METRICS_FOLDER
from lens.words.notes import UserError
from lens.words.printed import print_lines

REQUIREMENTS = SPACE / "requirements-command.txt"
# The packages that every run needs.
NEEDED_BY_ALL = ("datasets", "evaluate", "pandas", "scipy", "tabulate")
# The packages that a metric needs only for some rows, with their use.
NEEDED_BY_SOME_ROWS = {
    "jieba": "Chinese",
    "nltk": "stemming",
    "regex": "other scripts",
    "tiktoken": "the number of tokens",
    "genai_prices": "prices",
}
# If at least this many packages are missing, the command names the file of requirements.
MANY_PACKAGES = 4
# The name in "genai-prices>=0.2.3".
PACKAGE_NAME = re.compile(r"[A-Za-z0-9_-]+")
# The 11 in 'python_version >= "3.11"'.
MINOR_VERSION = re.compile(r"3\.([0-9]+)")
# The metrics of LV-Eval's official result.
OFFICIAL_METRICS = (OFFICIAL_F1, OFFICIAL_ROUGE)


def check_packages(arguments: argparse.Namespace) -> None:
    """Check that the packages of a run are installed.

    If only some rows need the missing ones, a warning is printed.

    Raises:
        UserError: other packages are missing; the message has the command that installs them.
    """
    metrics = OFFICIAL_METRICS if arguments.lv_eval else arguments.metrics
    missing = find_missing_packages(metrics)
    if not missing:
        return
    command = make_install_command(missing)
    if not missing.keys() <= NEEDED_BY_SOME_ROWS.keys():
        raise UserError("command.packages", command=command)
    names = ", ".join(missing)
    uses = ", ".join(NEEDED_BY_SOME_ROWS[name] for name in missing)
    print_lines(f"Without {names} some rows may get no score ({uses}): {command}")


def make_install_command(missing: Mapping[str, str]) -> str:
    """Return the command that installs packages, given their requirements by import name."""
    in_file = read_requirements(REQUIREMENTS)
    if len(missing) >= MANY_PACKAGES and in_file.keys() >= missing.keys():
        return f"pip install -r {REQUIREMENTS}"
    quoted = [f'"{requirement}"' for requirement in missing.values()]
    return f"pip install {' '.join(quoted)}"


def find_missing_packages(metrics: Iterable[str]) -> dict[str, str]:
    """Return the requirement of each missing package, by its import name."""
    needed = {}
    for name, requirement in read_requirements(REQUIREMENTS).items():
        if name in NEEDED_BY_ALL:
            needed[name] = requirement
    for metric in metrics:
        needed |= read_requirements(METRICS_FOLDER / metric / "requirements.txt")
    return {name: text for name, text in needed.items() if not is_installed(name)}


def is_installed(name: str) -> bool:
    """Return whether a package is installed, by its import name."""
    return importlib.util.find_spec(name) is not None


def read_requirements(file: Path) -> dict[str, str]:
    """Return the requirements of a file by import name; empty if there is no such file.

    The line "genai-prices>=0.2.3" becomes {"genai_prices": "genai-prices>=0.2.3"}.
    """
    requirements: dict[str, str] = {}
    if not file.is_file():
        return requirements
    for line in file.read_text("utf-8").splitlines():
        requirement, _, marker = line.partition(";")
        name = PACKAGE_NAME.match(requirement)
        # The only marker in use gives the first version of Python for which a package exists.
        version = MINOR_VERSION.search(marker)
        if version and sys.version_info < (3, int(version[1])):
            continue
        if name:
            requirements[name[0].replace("-", "_")] = requirement.strip()
    return requirements
