"""Loading the metric modules.

They come from the folder metrics/, beside this program on a Space or at the top of a clone, or
where there is none from the Hub organisation named in ANSWER_LENS_ORG.

`import evaluate` and the modules are slow to load: nothing here is imported before it is needed.
"""

import contextlib
import functools
import importlib
import os
import runpy
import sys
import threading
from collections.abc import Mapping
from typing import Any

from lens import SPACE
from lens.scoring.catalog import JUDGE_NAMES, Model

METRICS_FOLDER = (
    SPACE / "metrics" if (SPACE / "metrics").is_dir() else SPACE.parent.parent / "metrics"
)
# The modules of the judge check.
BIAS, ACCURACY = "judge_bias", "reward_accuracy"

loading, importing = threading.RLock(), threading.Lock()


class Unavailable(Exception):
    """The module is neither in a clone nor on the Hub as far as this program was told."""


def find_organisation() -> str:
    """Return the Hub organisation that holds the modules; empty if none is named."""
    return os.environ.get("ANSWER_LENS_ORG", "").strip()


def locate_module(name: str) -> str:
    """Return what `evaluate.load` is given for the module `name`."""
    folder = METRICS_FOLDER / name
    if (folder / f"{name}.py").is_file():
        return str(folder)
    if find_organisation():
        return f"{find_organisation()}/{name}"
    raise Unavailable(name)


@functools.cache
def load_class(name: str) -> Any:
    """Return the metric class of the module `name`, loaded once."""
    where = locate_module(name)
    # evaluate would load transformers and torch, where they are, for pipelines that nothing here
    # uses: seconds of work.
    with importing:
        hidden = not {"evaluate", "transformers"} & sys.modules.keys()
        if hidden:
            sys.modules["transformers"] = None  # type: ignore[assignment]
        try:
            evaluate = importlib.import_module("evaluate")
        finally:
            if hidden:
                del sys.modules["transformers"]
    return type(evaluate.load(where, keep_in_memory=True))


def make_module(name: str, configuration: str | None = None) -> Any:
    """Return a new object for one scoring.

    Threads cannot share one, and in memory no text reaches a disk.
    """
    with loading:
        metric_class = load_class(name)
    return metric_class(config_name=configuration, keep_in_memory=True)


def find_code(module: Any) -> Any:
    """Return the Python module that a metric's object comes from."""
    return sys.modules[type(module).__module__]


def load_code(name: str) -> Any:
    """Return the Python module of a metric, loaded once."""
    with loading:
        return sys.modules[load_class(name).__module__]


@functools.cache
def load_providers() -> Mapping[str, Any]:
    """Return the judges' table of providers; empty if there are no judges.

    In a clone its file is imported alone, which takes no time.
    """
    name = JUDGE_NAMES[0]
    file = METRICS_FOLDER / name / "judge_providers.py"
    try:
        if file.is_file():
            return dict(runpy.run_path(str(file))["PROVIDERS"])
        with loading:
            package = load_class(name).__module__.rpartition(".")[0]
        return dict(importlib.import_module(".judge_providers", package).PROVIDERS)
    except Exception:  # whatever a module to load does: the judges' cards say it
        return {}


def import_packages(model: Model) -> None:
    """Import what a model needs, one thread at a time.

    Large packages imported in two threads may meet half-imported.

    One that is missing is left to the module, which says how to install it.
    """
    with importing:
        for package in model.packages:
            with contextlib.suppress(ImportError):
                importlib.import_module(package)
