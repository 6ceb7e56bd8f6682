"""Why there is no score, in plain words. What is logged has no message of an error, which may hold a user's text."""

from __future__ import annotations

import logging
import os
import traceback

from lens.scoring.catalog import BERTSCORE_LAYERS, Metric
from lens.scoring.model_files import without_path
from lens.scoring.modules import Unavailable
from lens.scoring.outcome import Outcome
from lens.words import say

MAX_MESSAGE = 600

log = logging.getLogger("answer_lens")


def load_failure(metric: Metric, error: Exception) -> Outcome:
    """Why a module could not be loaded."""
    if isinstance(error, Unavailable):
        return Outcome("unavailable", message=say("unavailable", name=metric.name))
    note_failure(metric.name, error)
    if isinstance(error, ImportError):
        return Outcome("unavailable", message=say("package_missing", message=shortened(metric, error)))
    return Outcome("unavailable", message=say("not_loaded", module=metric.name, error=type(error).__name__))


def compute_failure(metric: Metric, error: Exception) -> Outcome:
    """Why a module gave no score."""
    told = shortened(metric, error)
    if isinstance(error, OSError) and metric.model is not None:
        # A model that cannot be had is no defect: the card says why, and no traceback frightens who reads the log.
        log.warning("%s: no score, for its model cannot be had (%s)", metric.name, type(error).__name__)
        told = told.rstrip(".")
        message = say("model_unavailable", message=told[:1].upper() + told[1:], variable=metric.model.variable)
        return Outcome("unavailable", message=message)
    note_failure(metric.name, error)
    if isinstance(error, ImportError):
        return Outcome("unavailable", message=say("package_missing", message=told))
    if isinstance(error, ValueError) and told.startswith("num_layers") and os.environ.get(BERTSCORE_LAYERS, "").strip():
        message = say("wrong_layers", message=told.rstrip("."), variable=BERTSCORE_LAYERS)
        return Outcome("unavailable", message=message)
    if isinstance(error, ValueError):
        return Outcome("error", message=say("refused", message=told))
    return Outcome("error", message=say("failed", error=type(error).__name__))


def first_line(error: Exception) -> str:
    """The first line of an error's message."""
    return str(error).strip().partition("\n")[0]


def shortened(metric: Metric, error: Exception) -> str:
    """The first line of an error's message, for the page."""
    return without_path(metric, first_line(error))[:MAX_MESSAGE]


def note_failure(name: str, error: Exception) -> None:
    """Where a module failed, for the log."""
    log.error("%s: %s\n%s", name, type(error).__name__, "".join(traceback.format_tb(error.__traceback__)))
