"""Messages that say why there is no score.

The log never contains the message of an error, which may contain a user's text.
"""

from __future__ import annotations

import functools
import logging
import traceback

from lens.scoring.catalog import Metric
from lens.scoring.metric_result import MetricResult
from lens.scoring.model_files import hide_path, name_model
from lens.scoring.modules import ModuleUnavailable
from lens.words import say

MAX_MESSAGE_LENGTH = 600

log = logging.getLogger("answer_lens")


def describe_failure(metric: Metric, error: Exception) -> MetricResult:
    """Return a result that says why a module could not be loaded, or gave no score."""
    if isinstance(error, ModuleUnavailable):
        text = say("failure.unavailable", name=metric.name)
        return MetricResult("unavailable", message=text)
    kind = type(error).__name__
    message = shorten_error(metric, error)
    if isinstance(error, ImportError):
        note_missing(metric.name, "a package", kind)
        text = say("failure.package_missing", message=message)
        return MetricResult("unavailable", message=text)
    model = metric.model
    if isinstance(error, OSError) and model is not None:
        note_missing(metric.name, f"its model {name_model(model.name())}", kind)
        message = message.rstrip(".")
        capitalized = message[:1].upper() + message[1:]
        text = say("failure.model_unavailable", message=capitalized, variable=model.variable)
        return MetricResult("unavailable", message=text)
    note_failure(metric.name, error)
    if isinstance(error, ValueError):
        text = say("failure.refused", message=message)
    else:
        text = say("failure.failed", error=kind)
    return MetricResult("error", message=text)


def read_first_line(error: Exception) -> str:
    """Return the first line of an error's message, shortened to MAX_MESSAGE_LENGTH characters."""
    first_line, _, _ = str(error).strip().partition("\n")
    return first_line[:MAX_MESSAGE_LENGTH]


def shorten_error(metric: Metric, error: Exception) -> str:
    """Return the first line of an error's message for the page, without paths of the server."""
    return hide_path(metric, read_first_line(error))


@functools.cache
def note_missing(name: str, what: str, why: str) -> None:
    """Log that a model or a package cannot be loaded.

    It is logged only once, and without a traceback, because it is not a bug. Every card says how to
    install what is missing.
    """
    log.warning("%s: no score, for %s cannot be had (%s); this is said once", name, what, why)


def note_failure(name: str, error: Exception) -> None:
    """Log the traceback of a module's error, without its message."""
    lines = traceback.format_tb(error.__traceback__)
    log.error("%s: %s\n%s", name, type(error).__name__, "".join(lines))
