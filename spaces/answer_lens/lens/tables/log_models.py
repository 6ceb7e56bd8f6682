"""Finds the model of a log that does not name it, by a file beside the log or its folder's name."""

from __future__ import annotations

import contextlib
import json
import re

from lens.tables import lm_eval_logs
from lens.tables.log import Log
from lens.tables.log_formats import LIGHTEVAL

# The path of lighteval's details has a folder for the model, and in it one for the run:
# "/details/openai/gpt-4o/2025-01-31/details_task.parquet".
DETAILS_PATH = re.compile(r"/details/(.+)/[^/]+/[^/]+$")


def find_model(tool: str, log: Log) -> str:
    """Return the model of a log by a file beside it or the name of its folder; empty if unknown."""
    if tool == lm_eval_logs.TOOL and log.path:
        return find_lm_eval_model(log)
    if tool == LIGHTEVAL:
        details_path = DETAILS_PATH.search(log.path)
        return details_path[1] if details_path else ""
    return ""


def find_lm_eval_model(log: Log) -> str:
    """Return the model of samples of lm-evaluation-harness; empty if unknown.

    The file of results beside the samples names it, or else the name of their folder does.
    """
    # ".../openai__gpt-4o/samples_task_2025-01-31.jsonl" is beside "results_2025-01-31.json".
    folder_path, _, name = log.path.rpartition("/")
    folder = folder_path.rpartition("/")[2]
    time = name.removesuffix(".jsonl").rpartition("_")[2]
    with contextlib.suppress(ValueError, AttributeError):
        results = json.loads(log.read_neighbour(f"results_{time}.json") or "{}")
        model = results.get("model_name")
        # lm-evaluation-harness writes "__" for the slash in the name of a model.
        if not model and "__" in folder:
            model = folder
        return str(model or "")
    return ""
