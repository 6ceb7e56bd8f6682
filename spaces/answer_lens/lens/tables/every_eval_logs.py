"""Samples of Every Eval Ever as rows: its lines of one answer, one for each score, are one row.

Lines of an answer that follow one another are joined. Where a file has all answers of one score
before those of the next, an answer would come once more with each score: then the row of its first
line stands, and the others are counted.

Source: instance_level_eval.schema.json, 0.2.1 and 0.3.0
(https://github.com/evaleval/every_eval_ever).
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from lens.tables.cells import is_kind
from lens.tables.log import Log, make_rows, parse_python, read_prompt
from lens.tables.reading import Row
from lens.words.notes import UserError
from lens.words.printed import shorten_name

TOOL = "Every Eval Ever"
# The schemas whose samples have the fields that are read here; some files name the schema before
# its version.
KNOWN_VERSION = re.compile(r"(?:instance_level_eval_)?0\.[23]\.\d+")
KNOWN_VERSIONS = "0.2, 0.3"
SINGLE_TURN, ASSISTANT = "single_turn", "assistant"
# Where it is kept what is known of the samples before.
STATE = "every_eval_ever"


@dataclass
class Reader:
    """What has to be known of the lines before.

    Attributes:
        lines: the lines of the last answer, by their scores.
        key: what tells that answer from others.
        is_complete: a line of an earlier answer came after its lines.
        first_scores: the score in the first line of each answer, by a hash of the answer's key.
        models: the models so far.
    """

    lines: dict[str, Row] = field(default_factory=dict)
    key: tuple[Any, ...] = ()
    is_complete: bool = False
    first_scores: dict[int, str] = field(default_factory=dict)
    models: set[str] = field(default_factory=set)

    def take_line(self, line: Row) -> list[Row] | None:
        """Take a line; return the lines of the answer before, where it is another one.

        None where the line has a further score of an answer whose row stands already. An answer
        that comes again with the score that it began with is one more answer to the same sample.
        """
        # Of two tasks in one file samples may have the same number.
        key = (line["model_id"], line["sample_id"], line["input"]["raw"], *read_answers(line))
        score = name_score(line)
        if key == self.key and score not in self.lines and not self.is_complete:
            self.lines[score] = line
            return []
        if self.first_scores.setdefault(hash(key), score) != score:
            self.is_complete = True
            return None
        before = self.finish()
        self.key = key
        self.lines = {score: line}
        self.is_complete = False
        return before

    def finish(self) -> list[Row]:
        """Return the lines of the last answer, and forget them."""
        lines = list(self.lines.values())
        self.lines = {}
        self.key = ()
        return lines


def find_reader(log: Log) -> Reader:
    """Return what is known of the lines before."""
    reader: Reader = log.state.setdefault(STATE, Reader())
    return reader


def join_lines(line: Row, log: Log) -> Iterable[list[Row]]:
    """Return the lines of an answer, once the line of another one comes."""
    version = str(line["schema_version"])
    if not KNOWN_VERSION.fullmatch(version):
        raise UserError(
            "log.schema", tool=TOOL, version=shorten_name(version), known=KNOWN_VERSIONS
        )
    reader = find_reader(log)
    reader.models.add(line["model_id"])
    log.model = line["model_id"] if len(reader.models) == 1 else ""
    lines = reader.take_line(line)
    if lines is None:
        log.left_scores += 1
        return []
    return [lines] if lines else []


def finish_lines(log: Log) -> Iterable[list[Row]]:
    """Return the lines of the last answer."""
    lines = find_reader(log).finish()
    return [lines] if lines else []


def read_answer_lines(lines: list[Row], log: Log) -> Iterator[Row]:
    """Yield the rows of the lines of one answer: a row, or one for each of several responses."""
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
    more = {
        "model": first["model_id"],
        "evaluation_name": first["evaluation_name"],
        "choices": first["input"].get("choices"),
        "error": first.get("error"),
        "metadata": first.get("metadata"),
    }
    yield from make_rows(log, sample, read_answers(first), scores, more)


def read_references(references: list[str]) -> list[str]:
    """Return the references.

    The package's converter of lm-evaluation-harness writes a list of them as one text.

    >>> read_references(["['Jane Austen', 'Austen']"]), read_references(["Paris", "in Paris"])
    (['Jane Austen', 'Austen'], ['Paris', 'in Paris'])
    """
    if len(references) == 1:
        parsed = parse_python(references[0])
        if is_kind(parsed, "texts"):
            return list(parsed)
    return list(references)


def name_score(line: Mapping[str, Any]) -> str:
    """Return the name of a line's score: that of its result, else that of the evaluation."""
    name = line.get("evaluation_result_id") or line["evaluation_name"]
    return sys.intern(str(name))


def read_answers(line: Mapping[str, Any]) -> list[str]:
    """Return the responses of a line, without the model's reasoning, which stands apart.

    Of a conversation it is the last message of the assistant, if it is a text; none where it calls
    a tool.
    """
    if line["interaction_type"] == SINGLE_TURN:
        return list(line["output"]["raw"])
    messages = [message for message in line["messages"] if message["role"] == ASSISTANT]
    if not messages or messages[-1].get("tool_calls"):
        return []
    content = messages[-1].get("content")
    return [content] if isinstance(content, str) else []
