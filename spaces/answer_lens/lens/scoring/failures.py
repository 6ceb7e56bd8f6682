"""Why there is no score, in plain words. What is logged has no message of an error, which may hold a user's text."""

from __future__ import annotations

import functools
import logging
import traceback

from lens.scoring.catalog import Metric
from lens.scoring.metric_result import MetricResult
from lens.scoring.model_files import shown_name, without_path
from lens.scoring.modules import Unavailable
from lens.words import say

MAX_MESSAGE = 600

log = logging.getLogger("answer_lens")


def compute_failure(metric: Metric, error: Exception) -> MetricResult:
    """Why a module could not be loaded, or gave no score."""
    if isinstance(error, Unavailable):
        return MetricResult("unavailable", message=say("failure.unavailable", name=metric.name))
    told, model = shortened(metric, error), metric.model
    if isinstance(error, ImportError):
        note_missing(metric.name, "a package", type(error).__name__)
        return MetricResult("unavailable", message=say("failure.package_missing", message=told))
    if isinstance(error, OSError) and model is not None:
        note_missing(metric.name, f"its model {shown_name(model.name())}", type(error).__name__)
        told = told.rstrip(".")
        message = say("failure.model_unavailable", message=told[:1].upper() + told[1:], variable=model.variable)
        return MetricResult("unavailable", message=message)
    note_failure(metric.name, error)
    if isinstance(error, ValueError):
        return MetricResult("error", message=say("failure.refused", message=told))
    return MetricResult("error", message=say("failure.failed", error=type(error).__name__))


def first_line(error: Exception) -> str:
    """The first line of an error's message, of bounded length."""
    return str(error).strip().partition("\n")[0][:MAX_MESSAGE]


def shortened(metric: Metric, error: Exception) -> str:
    """The first line of an error's message, for the page."""
    return without_path(metric, first_line(error))


@functools.cache
def note_missing(name: str, what: str, why: str) -> None:
    """That a model or a package cannot be had, for the log: once, however many scores lack it, and without a traceback,
    for it is no defect; each card says how to come by it.
    """
    log.warning("%s: no score, for %s cannot be had (%s); this is said once", name, what, why)


def note_failure(name: str, error: Exception) -> None:
    """Where a module failed, for the log."""
    log.error("%s: %s\n%s", name, type(error).__name__, "".join(traceback.format_tb(error.__traceback__)))
