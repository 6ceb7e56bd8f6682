"""The packages that a run needs, looked for before anything is scored."""

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
# What reading, scoring, intervals and reports need, whatever the metrics are.
ALWAYS = ("datasets", "evaluate", "pandas", "scipy", "tabulate")
# What a metric needs for some texts, or for a price, but not for each row.
SOMETIMES = {
    "jieba": "Chinese",
    "nltk": "stemming",
    "regex": "other scripts",
    "tiktoken": "the number of tokens",
    "genai_prices": "prices",
}
# From so many missing packages on, the whole file of requirements is named.
MANY = 4
NAME = re.compile(r"[A-Za-z0-9_-]+")
MINOR_VERSION = re.compile(r"3\.([0-9]+)")
# LV-Eval's official result is made of these.
OFFICIAL = (OFFICIAL_F1, OFFICIAL_ROUGE)


def check_packages(arguments: argparse.Namespace) -> None:
    """Refuse a run for which a package is missing, with the command that installs it.

    One that only some rows need is named on the error stream.

    Raises:
        UserError: with all packages that are missing.
    """
    metrics = OFFICIAL if arguments.lv_eval else arguments.metrics
    missing = dict(find_missing(metrics))
    if not missing:
        return
    command = install_command(missing)
    if not missing.keys() <= SOMETIMES.keys():
        raise UserError("command.packages", command=command)
    names = ", ".join(missing)
    uses = ", ".join(SOMETIMES[name] for name in missing)
    print_lines(f"Without {names} some rows may get no score ({uses}): {command}")


def install_command(missing: Mapping[str, str]) -> str:
    """Return the command that installs these packages, given by their lines of requirements."""
    light = {name for name, _ in read_requirements(REQUIREMENTS)}
    if len(missing) >= MANY and light.issuperset(missing):
        return f"pip install -r {REQUIREMENTS}"
    quoted = [f'"{line}"' for line in missing.values()]
    return f"pip install {' '.join(quoted)}"


def find_missing(metrics: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield the import name of each missing package, with its line of requirements."""
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
    """Yield the packages of a file of requirements; none where the metric comes from the Hub."""
    if not file.is_file():
        return
    for line in file.read_text("utf-8").splitlines():
        requirement, _, marker = line.partition(";")
        name = NAME.match(requirement)
        # The one marker in use says from which version of Python on a package is there.
        version = MINOR_VERSION.search(marker)
        if version and sys.version_info < (3, int(version[1])):
            continue
        if name:
            yield name[0].replace("-", "_"), requirement.strip()
