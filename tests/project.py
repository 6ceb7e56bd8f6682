"""Where the project's parts lie, for the tests."""

import importlib
import json
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests import models

ROOT = Path(__file__).resolve().parent.parent
METRICS = ROOT / "metrics"
SHARED = ROOT.parent / "shared"
# The metrics of judges take columns of their own and have inputs and examples of their own.
OF_JUDGES = ("judge_bias", "reward_accuracy")
NAMES = sorted(path.name for path in METRICS.iterdir() if (path / f"{path.name}.py").exists())

ANSWERS = [name for name in NAMES if name not in OF_JUDGES]


def load(name: str, **settings: Any) -> Any:
    """Return a metric as a user loads it."""
    import evaluate

    provide_model(name)
    return evaluate.load(str(METRICS / name), **settings)


def functions(name: str, file: str = "") -> ModuleType:
    """Return a file of a metric's folder, by default the module, imported as it stands, for its pure functions."""
    provide_model(name)
    return importlib.import_module(f"metrics.{name}.{file or name}")


def provide_model(name: str) -> None:
    """Have the default model of a metric at hand, where it has one."""
    if name in models.WITH_MODEL:
        models.provide_defaults()


def shared_rows(file: str) -> Iterator[dict[str, Any]]:
    """Yield the rows of a file of the shared folder, or skip the test where there is none."""
    path = SHARED / file
    if not path.exists():
        pytest.skip(f"{path} is not on this machine")
    for line in path.read_text("utf-8").splitlines():
        yield json.loads(line)
