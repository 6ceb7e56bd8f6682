"""Loads the metric modules.

They come from the folder metrics/: next to this program on a Space, or at the top of a clone. If
there is no such folder, they come from the Hub organisation in ANSWER_LENS_ORG. `evaluate` and the
modules are slow to import, so they are imported only when they are needed.
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

METRICS_FOLDER = SPACE / "metrics"
if not METRICS_FOLDER.is_dir():
    METRICS_FOLDER = SPACE.parent.parent / "metrics"
# The modules of the judge check.
BIAS = "judge_bias"
ACCURACY = "reward_accuracy"

# One thread at a time loads modules, or imports large packages.
LOADING = threading.RLock()
IMPORTING = threading.Lock()


class ModuleUnavailable(Exception):
    """Raised if a module is not in a folder, and no organisation on the Hub is set."""


def find_organisation() -> str:
    """Return the Hub organisation of the modules; empty if none is set."""
    return os.environ.get("ANSWER_LENS_ORG", "").strip()


def locate_module(name: str) -> str:
    """Return the argument of `evaluate.load` for the module `name`."""
    folder = METRICS_FOLDER / name
    if (folder / f"{name}.py").is_file():
        return str(folder)
    if find_organisation():
        return f"{find_organisation()}/{name}"
    raise ModuleUnavailable(name)


@functools.cache
def load_class(name: str) -> Any:
    """Return the metric class of the module `name`, loaded once."""
    location = locate_module(name)
    # If transformers is installed, `evaluate` would import it with torch, for pipelines that are
    # not used here. That takes seconds, so transformers is hidden during the import.
    with IMPORTING:
        is_hidden = not {"evaluate", "transformers"} & sys.modules.keys()
        if is_hidden:
            sys.modules["transformers"] = None  # type: ignore[assignment]
        try:
            evaluate = importlib.import_module("evaluate")
        finally:
            if is_hidden:
                del sys.modules["transformers"]
    return type(evaluate.load(location, keep_in_memory=True))


def make_module(name: str, configuration: str | None = None) -> Any:
    """Return a new object of a module.

    Threads cannot share one. It works in memory, so no text is written to a disk.
    """
    with LOADING:
        metric_class = load_class(name)
    return metric_class(config_name=configuration, keep_in_memory=True)


def find_code(module: Any) -> Any:
    """Return the Python module that defines the class of a metric's object."""
    return sys.modules[type(module).__module__]


def load_code(name: str) -> Any:
    """Return the Python module of a metric, which is loaded once."""
    with LOADING:
        return sys.modules[load_class(name).__module__]


@functools.cache
def load_providers() -> Mapping[str, Any]:
    """Return the judges' table of providers; empty if it cannot be loaded.

    In a clone, only the file of the table is run, which is fast.
    """
    name = JUDGE_NAMES[0]
    file = METRICS_FOLDER / name / "judge_providers.py"
    try:
        if file.is_file():
            return dict(runpy.run_path(str(file))["PROVIDERS"])
        with LOADING:
            package = load_class(name).__module__.rpartition(".")[0]
        return dict(importlib.import_module(".judge_providers", package).PROVIDERS)
    except Exception:  # a module may raise any error; the judges' cards show it
        return {}


def import_packages(model: Model) -> None:
    """Import the packages that a model needs, in one thread at a time.

    Two threads that import a large package may see it half-imported. A missing package is ignored:
    the module says how to install it.
    """
    with IMPORTING:
        for package in model.packages:
            with contextlib.suppress(ImportError):
                importlib.import_module(package)
