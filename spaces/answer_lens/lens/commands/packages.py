"""The packages that a run needs, looked for before anything is scored."""

from __future__ import annotations

import argparse
import importlib.util
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from lens import SPACE
from lens.scoring.modules import METRICS_FOLDER
from lens.tables.roles import BadTable
from lens.words.printed import tell

REQUIREMENTS = SPACE / "requirements-command.txt"
# What reading, scoring, intervals and reports need, whatever the metrics are.
ALWAYS = ("datasets", "evaluate", "pandas", "scipy", "tabulate")
# What a metric needs for some texts, or for a price, but not for each row.
SOMETIMES = {"jieba": "Chinese", "nltk": "stemming", "regex": "other scripts", "tiktoken": "the number of tokens",
             "genai_prices": "prices"}  # fmt: skip
# From so many on the whole file of requirements is named.
MANY = 4
NAME = re.compile(r"[A-Za-z0-9_-]+")
# LV-Eval's official result is made of these.
OFFICIAL = ("lv_eval_f1", "lv_eval_rouge")


def check_packages(arguments: argparse.Namespace) -> None:
    """Refuse a run for which a package is missing, with the command that installs it.

    One that only some rows need is named on the error stream.

    Raises:
        BadTable: with all packages that are missing.
    """
    metrics = OFFICIAL if arguments.lv_eval else arguments.metrics
    missing = dict(find_missing(metrics))
    needed = [line for name, line in missing.items() if name not in SOMETIMES]
    if needed:
        raise BadTable(f"Packages are missing: {install_command(missing)}")
    if missing:
        uses = ", ".join(SOMETIMES[name] for name in missing)
        tell(f"Without {', '.join(missing)} some rows may get no score ({uses}): {install_command(missing)}")


def install_command(missing: Mapping[str, str]) -> str:
    """Return the command that installs these packages, given by their lines of requirements."""
    light = {name for name, _ in read_requirements(REQUIREMENTS)}
    if len(missing) >= MANY and light.issuperset(missing):
        return f"pip install -r {REQUIREMENTS}"
    quoted = [f'"{line}"' for line in missing.values()]
    return f"pip install {' '.join(quoted)}"


def find_missing(metrics: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield each package that is missing, by the name under which it is imported, with its line of requirements."""
    files = [REQUIREMENTS, *(METRICS_FOLDER / name / "requirements.txt" for name in metrics)]
    for file in files:
        for name, line in read_requirements(file):
            if (file != REQUIREMENTS or name in ALWAYS) and importlib.util.find_spec(name) is None:
                yield name, line


def read_requirements(file: Path) -> Iterator[tuple[str, str]]:
    """Yield the packages of a file of requirements; none where the metric comes from the Hub."""
    lines = file.read_text("utf-8").splitlines() if file.is_file() else []
    for line in lines:
        requirement, _, marker = line.partition(";")
        # The one marker in use says from which version of Python on a package is there.
        found = re.search(r"3\.([0-9]+)", marker)
        name = NAME.match(requirement)
        if name and (found is None or sys.version_info >= (3, int(found[1]))):
            yield name[0].replace("-", "_"), requirement.strip()
