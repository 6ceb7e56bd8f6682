"""Finds the model of a log that does not name it, by a file beside the log or its folder's name."""

from __future__ import annotations

import contextlib
import json
import re

from lens.tables import lm_eval_logs
from lens.tables.log import Log
from lens.tables.log_formats import LIGHTEVAL

# lighteval writes details into a folder for each model, and in it one for each run.
DETAILS = re.compile(r"/details/(.+)/[^/]+/[^/]+$")


def find_model(tool: str, log: Log) -> str:
    """Return the model of a log by a file beside it or the name of its folder; empty if unknown."""
    if tool == lm_eval_logs.TOOL and log.path:
        return find_lm_eval_model(log)
    if tool == LIGHTEVAL:
        details = DETAILS.search(log.path)
        return details[1] if details else ""
    return ""


def find_lm_eval_model(log: Log) -> str:
    """Return the model of samples of lm-evaluation-harness; empty if unknown.

    The file of results beside the samples names it, or else the name of their folder does.
    """
    path, _, name = log.path.rpartition("/")
    folder = path.rpartition("/")[2]
    time = name.removesuffix(".jsonl").rpartition("_")[2]
    with contextlib.suppress(ValueError, AttributeError):
        results = json.loads(log.read_neighbour(f"results_{time}.json") or "{}")
        model = results.get("model_name")
        if not model and "__" in folder:
            model = folder
        return str(model or "")
    return ""
