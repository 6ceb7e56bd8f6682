"""Converts samples of Every Eval Ever to rows.

A file has one line per answer and score; the lines of one answer become one row. Lines of the same
answer are joined if they follow one another. A file may instead have all answers of one score
before those of the next score. Then the row has only the score of the first line. The other lines
are counted and left out.

Source: instance_level_eval.schema.json, 0.2.1 and 0.3.0
(https://github.com/evaleval/every_eval_ever).
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from lens.tables.cells import fits_column_type
from lens.tables.file_reading import Row
from lens.tables.log import Log, make_rows, parse_python, read_prompt
from lens.words.notes import UserError
from lens.words.printed import shorten_name

TOOL = "Every Eval Ever"
# The versions of the schema that can be read. Some files write the name of the schema before it.
KNOWN_VERSION = re.compile(r"(?:instance_level_eval_)?0\.[23]\.\d+")
KNOWN_VERSIONS = "0.2, 0.3"
SINGLE_TURN, ASSISTANT = "single_turn", "assistant"
# The key of the `LineJoiner` in `Log.state`.
STATE_KEY = "every_eval_ever"


@dataclass
class LineJoiner:
    """Joins the lines of each answer.

    Attributes:
        lines: the lines of the last answer, by the names of their scores.
        key: identifies the last answer.
        is_complete: whether a line of an earlier answer came after the lines of the last one.
        first_scores: the name of the first score of each answer, by a hash of its key.
        models: the models of all lines so far.
    """

    lines: dict[str, Row] = field(default_factory=dict)
    key: tuple[Any, ...] = ()
    is_complete: bool = False
    first_scores: dict[int, str] = field(default_factory=dict)
    models: set[str] = field(default_factory=set)

    def add_line(self, line: Row) -> list[Row] | None:
        """Add a line, and return the lines of the previous answer if a new answer begins.

        If an answer comes again with its first score, it is a new answer to the same sample.

        Returns:
            The lines of the previous answer; empty if the line belongs to the current answer; None
            if the line has another score of an earlier answer, whose row is already complete.
        """
        # Samples of two tasks in one file may have the same id.
        key = (line["model_id"], line["sample_id"], line["input"]["raw"], *read_responses(line))
        score = name_score(line)
        if key == self.key and score not in self.lines and not self.is_complete:
            self.lines[score] = line
            return []
        if self.first_scores.setdefault(hash(key), score) != score:
            self.is_complete = True
            return None
        previous = self.finish()
        self.key = key
        self.lines = {score: line}
        self.is_complete = False
        return previous

    def finish(self) -> list[Row]:
        """Return the lines of the last answer, and reset the joiner to no answer."""
        lines = list(self.lines.values())
        self.lines = {}
        self.key = ()
        return lines


def get_joiner(log: Log) -> LineJoiner:
    """Return the joiner of a log; it is made if the log has none yet."""
    joiner: LineJoiner = log.state.setdefault(STATE_KEY, LineJoiner())
    return joiner


def group_lines(line: Row, log: Log) -> Iterable[list[Row]]:
    """Return the lines of the previous answer, in a list, if this line begins a new answer."""
    version = str(line["schema_version"])
    if not KNOWN_VERSION.fullmatch(version):
        raise UserError(
            "log.schema", tool=TOOL, version=shorten_name(version), known=KNOWN_VERSIONS
        )
    joiner = get_joiner(log)
    joiner.models.add(line["model_id"])
    log.model = line["model_id"] if len(joiner.models) == 1 else ""
    lines = joiner.add_line(line)
    if lines is None:
        log.dropped_scores += 1
        return []
    return [lines] if lines else []


def finish_lines(log: Log) -> Iterable[list[Row]]:
    """Return the lines of the last answer."""
    lines = get_joiner(log).finish()
    return [lines] if lines else []


def read_answer_lines(lines: list[Row], log: Log) -> Iterator[Row]:
    """Yield one row per response in the lines of one answer."""
    first = lines[0]
    sample = {
        "id": first["sample_id"],
        "question": read_prompt(first["input"]["raw"]),
        "reference": read_references(first["input"]["reference"]),
    }
    scores: Row = {}
    for line in lines:
        name = name_score(line)
        scores[name] = line["evaluation"]["score"]
        scores[f"{name}.is_correct"] = line["evaluation"]["is_correct"]
    extra = {
        "model": first["model_id"],
        "evaluation_name": first["evaluation_name"],
        "choices": first["input"].get("choices"),
        "error": first.get("error"),
        "metadata": first.get("metadata"),
    }
    yield from make_rows(log, sample, read_responses(first), scores, extra)


def read_references(references: list[str]) -> list[str]:
    """Return the references of a sample.

    The converter for lm-evaluation-harness writes a list of references as one text.

    >>> read_references(["['Jane Austen', 'Austen']"]), read_references(["Paris", "in Paris"])
    (['Jane Austen', 'Austen'], ['Paris', 'in Paris'])
    """
    if len(references) == 1:
        parsed = parse_python(references[0])
        if fits_column_type(parsed, "texts"):
            return list(parsed)
    return list(references)


def name_score(line: Mapping[str, Any]) -> str:
    """Return the name of a line's score: its result's id, or else the evaluation's name."""
    name = line.get("evaluation_result_id") or line["evaluation_name"]
    return sys.intern(str(name))


def read_responses(line: Mapping[str, Any]) -> list[str]:
    """Return the responses of a line, without the model's reasoning.

    The response of a conversation is the last message of the assistant, if that is a text. There is
    no response if the message calls a tool.
    """
    if line["interaction_type"] == SINGLE_TURN:
        return list(line["output"]["raw"])
    messages = [message for message in line["messages"] if message["role"] == ASSISTANT]
    if not messages or messages[-1].get("tool_calls"):
        return []
    content = messages[-1].get("content")
    return [content] if isinstance(content, str) else []
