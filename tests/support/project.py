"""Find, load and import the project's parts in tests."""

import importlib
import json
import re
import runpy
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml

from tests.support import models

ROOT = Path(__file__).resolve().parent.parent.parent
METRICS = ROOT / "metrics"
# Large files of data, on some machines only.
DATA_BESIDE_PROJECT = ROOT.parent / "shared"
# These measure judges instead of answers: they take other columns, and their cards differ.
JUDGE_METRICS = ("judge_bias", "reward_accuracy")
NAMES = sorted(path.name for path in METRICS.iterdir() if (path / f"{path.name}.py").exists())

ANSWER_METRICS = [name for name in NAMES if name not in JUDGE_METRICS]
# The metrics that take per_example="brief": their reasons hold lists of tokens.
METRICS_WITH_TOKENS = [
    name
    for name in ANSWER_METRICS
    if "per_example: bool | str" in (METRICS / name / f"{name}.py").read_text("utf-8")
]


def find_file(name: str, file: str) -> Path:
    """Return the path of a file of a metric's folder; fail the test if it does not exist."""
    path = METRICS / name / file
    assert path.exists(), f"metrics/{name}/{file} is missing: write it, starting from that of bleu"
    return path


def load_cases(name: str) -> list[dict[str, Any]]:
    """Return the test cases of a metric's folder."""
    return runpy.run_path(str(find_file(name, "tests.py")))["test_cases"]


def select_arguments(case: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments of `compute` in a test case of a metric's folder."""
    of_test = ("result", "replies", "configuration")
    return {key: value for key, value in case.items() if key not in of_test}


def read_front_matter(readme: str) -> dict[str, Any]:
    """Return the metadata at the top of a card; {} if there is none."""
    metadata = re.match(r"---\n(.*?)\n---\n", readme, re.S)
    return yaml.safe_load(metadata[1]) if metadata else {}


def load(name: str, **settings: Any) -> Any:
    """Return a metric as a user loads it."""
    import evaluate

    provide_model(name)
    return evaluate.load(str(METRICS / name), **settings)


def import_file(name: str, file: str = "scoring") -> ModuleType:
    """Import a file of a metric's folder, by default scoring.py, which holds its pure functions."""
    provide_model(name)
    return importlib.import_module(f"metrics.{name}.{file}")


def provide_model(name: str) -> None:
    """Provide a small model in place of a metric's default model, if it has one."""
    if name in models.WITH_MODEL:
        models.provide_defaults()


def read_shared_rows(file: str) -> Iterator[dict[str, Any]]:
    """Yield the rows of a JSON Lines file of the folder shared/ beside the project.

    Skip the test if the file is missing.
    """
    path = DATA_BESIDE_PROJECT / file
    if not path.exists():
        pytest.skip(f"{path} is not on this machine")
    for line in path.read_text("utf-8").splitlines():
        yield json.loads(line)
