"""Loading the metric modules and scoring one answer with them, one after another.

A module is taken from the folder metrics/<name> of a clone or, where there is none, from the Hub organisation named in
ANSWER_LENS_ORG. `import evaluate` and the modules are slow to load: nothing here is imported before it is needed.
"""

import functools
import importlib
import logging
import os
import threading
import traceback
from pathlib import Path
from typing import Any

from cards import Outcome
from registry import METRICS, Metric, Submission
from texts import say

MAX_CHARACTERS = 50_000
MAX_MESSAGE = 300
METRICS_FOLDER = Path(__file__).resolve().parent.parent.parent / "metrics"

log = logging.getLogger("answer_lens")
loading = threading.RLock()


class Unavailable(Exception):
    """The module is neither in a clone nor on the Hub as far as this page was told."""


def organisation() -> str:
    """The Hub organisation that holds the modules; empty where none is named."""
    return os.environ.get("ANSWER_LENS_ORG", "").strip()


def location(name: str) -> str:
    """What `evaluate.load` is given for the module `name`."""
    folder = METRICS_FOLDER / name
    if (folder / f"{name}.py").is_file():
        return str(folder)
    if organisation():
        return f"{organisation()}/{name}"
    raise Unavailable(name)


@functools.cache
def loaded_class(name: str) -> Any:
    """The metric class of the module `name`, loaded once."""
    where = location(name)
    evaluate = importlib.import_module("evaluate")
    return type(evaluate.load(where, keep_in_memory=True))


def fresh_module(name: str) -> Any:
    """A new object for one scoring: threads cannot share one, and in memory no text reaches a disk."""
    with loading:
        metric_class = loaded_class(name)
    return metric_class(keep_in_memory=True)


def too_long(submission: Submission) -> str:
    """What to say where a text is longer than the page takes; nothing where none is."""
    for field in ("question", "reference", "answer", "keywords"):
        length = len(getattr(submission, field))
        if length > MAX_CHARACTERS:
            label = say(field).removesuffix(" (optional)")
            return say("too_long", field=label, length=length, limit=MAX_CHARACTERS)
    return ""


def problem(submission: Submission) -> str:
    """What the page says about input that some score cannot be computed from; nothing where all is well."""
    return too_long(submission) or ("" if submission.reference.strip() else say("no_reference"))


def score(metric: Metric, submission: Submission) -> Outcome:
    """Score one answer with one metric. Whatever goes wrong is said in plain words and is never a score."""
    length_message = too_long(submission)
    if length_message:
        return Outcome("needs", message=length_message)
    for field in metric.needs:
        if not getattr(submission, field).strip():
            return Outcome("needs", message=say(f"needs_{field}"))
    try:
        module = fresh_module(metric.name)
    except Exception as error:  # whatever a module to load does: the other scores go on
        return load_failure(metric, error)
    try:
        return computed(module, metric, submission)
    except Exception as error:  # the same for one that computes
        return compute_failure(metric, error)


def computed(module: Any, metric: Metric, submission: Submission) -> Outcome:
    """The score of a loaded module with its reasons."""
    result = module.compute(
        predictions=[submission.answer],
        references=[submission.reference],
        per_example=True,
        **metric.arguments(submission),
    )
    reason = result["per_example"][0]
    return Outcome("scored", float(reason["score"]), reason, str(result["signature"]))


def load_failure(metric: Metric, error: Exception) -> Outcome:
    """Why a module could not be loaded."""
    if isinstance(error, Unavailable):
        return Outcome("unavailable", message=say("unavailable", name=metric.name))
    note(metric, error)
    if isinstance(error, ImportError):
        return Outcome("unavailable", message=say("package_missing", message=shortened(error)))
    message = say("not_loaded", module=metric.name, error=type(error).__name__)
    return Outcome("unavailable", message=message)


def compute_failure(metric: Metric, error: Exception) -> Outcome:
    """Why a module gave no score."""
    note(metric, error)
    if isinstance(error, ImportError):
        return Outcome("unavailable", message=say("package_missing", message=shortened(error)))
    if isinstance(error, ValueError):
        return Outcome("error", message=say("refused", message=shortened(error)))
    return Outcome("error", message=say("failed", error=type(error).__name__))


def shortened(error: Exception) -> str:
    """The first line of an error's message, for the page."""
    return str(error).strip().partition("\n")[0][:MAX_MESSAGE]


def note(metric: Metric, error: Exception) -> None:
    """Where it failed, for the log; without the message, which may hold the user's text."""
    log.error("%s: %s\n%s", metric.name, type(error).__name__, "".join(traceback.format_tb(error.__traceback__)))


def warm_up() -> None:
    """Load the modules behind the first page, and what they load themselves on their first Chinese answer."""
    for metric in METRICS:
        score(metric, Submission(reference="预热", answer="预热"))
