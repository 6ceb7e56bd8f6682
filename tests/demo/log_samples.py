"""Small logs of evaluation tools for the tests that read them."""

from __future__ import annotations

import io
import json
from typing import Any

from lens.tables.log import Log
from lens.tables.read import read_table

from tests.demo.test_logs import HEAD

Row = dict[str, Any]
# A request of lm-evaluation-harness for a text.
GENERATE = ["Q?", {"until": []}]


def read_log(text: str, kind: str = "json") -> tuple[list[Row], Log]:
    """Return the rows of a log, and what is known of it."""
    log = Log()
    file = io.BytesIO(text.encode())
    return list(read_table(kind, file, log)), log


def write_lines(*rows: Row) -> str:
    """Return rows as JSON Lines."""
    return "\n".join(map(json.dumps, rows))


def lm_eval(**cells: Any) -> Row:
    """Return a sample of lm-evaluation-harness, with other cells where they are named."""
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
    """Return a log of Inspect with some samples."""
    return json.dumps(HEAD | head | {"samples": samples})
