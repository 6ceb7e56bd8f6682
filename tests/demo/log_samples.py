"""Small logs of evaluation tools."""

from __future__ import annotations

import io
import json
from typing import Any

from lens.tables.log import Log
from lens.tables.read import read_table

Row = dict[str, Any]
# The arguments of a request of lm-evaluation-harness that generates a text.
GENERATE = ["Q?", {"until": []}]
# A document of a task that checks whether an answer follows instructions: it has no reference.
INSTRUCTIONS = {
    "prompt": "Say hello in lower case.",
    "instruction_id_list": ["change_case:lower"],
    "kwargs": [{}],
}
# The header and one sample of a log of Inspect.
INSPECT_HEAD = {
    "version": 2,
    "status": "success",
    "eval": {"task": "t", "model": "m"},
}
INSPECT_SAMPLE = {
    "id": 1,
    "epoch": 1,
    "input": "q",
    "target": "r",
    "output": {"completion": "a"},
}


def read_log(text: str, kind: str = "json") -> tuple[list[Row], Log]:
    """Return the rows of a log and its description; `kind` is the file's type."""
    log = Log()
    file = io.BytesIO(text.encode())
    return list(read_table(kind, file, log)), log


def format_json_lines(*rows: Row) -> str:
    """Return rows as the text of a JSON Lines file."""
    return "\n".join(map(json.dumps, rows))


def lm_eval(**cells: Any) -> Row:
    """Return a sample of lm-evaluation-harness; `cells` replace its own."""
    sample = {
        "doc_id": 0,
        "doc": {"question": "Q?"},
        "target": "t",
        "arguments": [GENERATE],
        "resps": [["a"]],
        "filtered_resps": ["a"],
        "filter": "none",
    }
    return sample | cells


def inspect_log(samples: list[Row], **head: Any) -> str:
    """Return a log of Inspect with samples; `head` replaces keys of its header."""
    return json.dumps(INSPECT_HEAD | head | {"samples": samples})
