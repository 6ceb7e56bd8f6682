"""Checks, before scoring, whether the packages of a run are installed."""

from __future__ import annotations

import argparse
import importlib.util
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from lens import SPACE
from lens.scoring.catalog import OFFICIAL_F1, OFFICIAL_ROUGE
from lens.scoring.modules import METRICS_FOLDER
from lens.words.notes import UserError
from lens.words.printed import print_lines

REQUIREMENTS = SPACE / "requirements-command.txt"
# The packages that reading, scoring, intervals and reports always need.
ALWAYS = ("datasets", "evaluate", "pandas", "scipy", "tabulate")
# The packages that a metric needs only for some rows, with their use.
SOMETIMES = {
    "jieba": "Chinese",
    "nltk": "stemming",
    "regex": "other scripts",
    "tiktoken": "the number of tokens",
    "genai_prices": "prices",
}
# If at least this many packages are missing, the message names the file of requirements.
MANY = 4
NAME = re.compile(r"[A-Za-z0-9_-]+")
MINOR_VERSION = re.compile(r"3\.([0-9]+)")
# The metrics of LV-Eval's official result.
OFFICIAL = (OFFICIAL_F1, OFFICIAL_ROUGE)


def check_packages(arguments: argparse.Namespace) -> None:
    """Raise UserError if a package is missing, with the command that installs it.

    If only some rows need the package, a warning is printed instead.

    Raises:
        UserError: with all packages that are missing.
    """
    metrics = OFFICIAL if arguments.lv_eval else arguments.metrics
    missing = dict(find_missing(metrics))
    if not missing:
        return
    command = make_install_command(missing)
    if not missing.keys() <= SOMETIMES.keys():
        raise UserError("command.packages", command=command)
    names = ", ".join(missing)
    uses = ", ".join(SOMETIMES[name] for name in missing)
    print_lines(f"Without {names} some rows may get no score ({uses}): {command}")


def make_install_command(missing: Mapping[str, str]) -> str:
    """Return the command that installs packages, given their lines of requirements."""
    light = {name for name, _ in read_requirements(REQUIREMENTS)}
    if len(missing) >= MANY and light.issuperset(missing):
        return f"pip install -r {REQUIREMENTS}"
    quoted = [f'"{line}"' for line in missing.values()]
    return f"pip install {' '.join(quoted)}"


def find_missing(metrics: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield the import name of each missing package and its line of requirements."""
    for name, line in read_requirements(REQUIREMENTS):
        if name in ALWAYS and is_missing(name):
            yield name, line
    for metric in metrics:
        for name, line in read_requirements(METRICS_FOLDER / metric / "requirements.txt"):
            if is_missing(name):
                yield name, line


def is_missing(name: str) -> bool:
    """Return whether a package is not installed."""
    return importlib.util.find_spec(name) is None


def read_requirements(file: Path) -> Iterator[tuple[str, str]]:
    """Yield the packages of a file of requirements; none if there is no such file."""
    if not file.is_file():
        return
    for line in file.read_text("utf-8").splitlines():
        requirement, _, marker = line.partition(";")
        name = NAME.match(requirement)
        # The only marker in use gives the first version of Python for which a package exists.
        version = MINOR_VERSION.search(marker)
        if version and sys.version_info < (3, int(version[1])):
            continue
        if name:
            yield name[0].replace("-", "_"), requirement.strip()
