"""Converts the tables of promptfoo to results: the table that its page downloads, and its CSV.

Both tables have one row per test, and one column per prompt and provider. Every output becomes a
result in the form of promptfoo's JSON. A CSV does not have the assertions, so the reference must be
a variable.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from lens.tables.file_reading import Row
from lens.tables.log import Log
from lens.tables.promptfoo_logs import fill_template, note_prompts

# The header of a column of outputs in a CSV: "[openai:gpt-4o] Answer: {{question}}".
OUTPUT_HEAD = re.compile(r"\[([^\[\]]+)\] (.*)", re.DOTALL)
# The number that `number_duplicates` adds to a header that stands twice: " (2)".
DUPLICATE_NUMBER = re.compile(r" \(\d+\)$")
# The headers of the columns that follow a column of outputs.
STATUS = "Status"
SCORE = "Score"
NAMED_SCORES = "Named Scores"
GRADER_REASON = "Grader Reason"
# A column before the outputs that is not a variable.
DESCRIPTION = "Description"
# promptfoo writes an apostrophe before a text that a spreadsheet could take for a formula: "'=1+1".
ESCAPED_FORMULA = re.compile(r"'(?=[\s\u200b-\u200d]*[=@+-])")
# In the CSV of older versions, a cell has the status, the output and the grader's reason:
# "[FAIL] (0.50)\n\nIt is Paris.\n\nFail Reason: no".
STATUS_MARK = re.compile(r"\[(PASS|FAIL|ERROR)\](?: \((-?[\d.]+)(?![\d.])[^()\n]*\)(?=\n|$))?\s*")
GRADER_REASON_HEAD = re.compile(r"\n\n(?:Pass|Fail) Reason: ")
PASS = "PASS"
ERROR = "ERROR"
# The failureReason of a result that has no output because of an error.
ERROR_FAILURE = 2


def list_outputs(table: Row, log: Log) -> Iterator[Row]:
    """Yield a result for each output in a table.

    The head of the table has the variables and prompts, and the body has the tests.
    """
    prompts = table["head"]["prompts"]
    names = table["head"]["vars"]
    providers_and_labels = []
    for prompt in prompts:
        provider = str(prompt.get("provider"))
        providers_and_labels.append((provider, prompt.get("label")))
    note_prompts(providers_and_labels, log)
    for number, test in enumerate(table["body"]):
        case = test.get("test") or {}
        variables = case.get("vars") or {}
        if len(names) == len(test["vars"]):
            variables = dict(zip(names, test["vars"], strict=True))
        result = {
            "vars": variables,
            "testCase": case,
            "testIdx": test.get("testIdx", number),
        }
        for prompt_number, output in enumerate(test["outputs"]):
            if output is not None:
                yield result | read_output(output, prompts[prompt_number], prompt_number)


def read_output(output: Row, prompt: Row, prompt_number: int) -> Row:
    """Return an output of a table as a result in the form of the JSON."""
    result: Row = {
        "score": output.get("score"),
        "namedScores": output.get("namedScores"),
        "gradingResult": output.get("gradingResult"),
        "prompt": {
            "raw": output.get("prompt") or prompt.get("raw"),
            "label": prompt.get("label"),
        },
        "promptIdx": prompt_number,
        "provider": prompt.get("provider") or output.get("provider"),
        "success": output.get("pass"),
    }
    text = output.get("text")
    error = output.get("error")
    # If an output failed, its text is the error.
    has_failed = output.get("failureReason") == ERROR_FAILURE
    if has_failed or (error and text == error):
        return result | make_failed_response(error or text)
    return result | {"response": {"output": text}}


def make_failed_response(error: str | None) -> Row:
    """Return the response and the error of a failed result in the form of the JSON."""
    return {"response": {"output": None}, "error": error}


def find_output_columns(row: Mapping[str, Any]) -> list[str]:
    """Return the columns of outputs in a CSV of promptfoo; an empty list for another table.

    Each is followed by a status and a score. In older versions, its cells begin with a status.
    """
    names = list(row)
    heads = [DUPLICATE_NUMBER.sub("", name) for name in names]
    outputs = [name for name in names if OUTPUT_HEAD.fullmatch(name)]
    scored = []
    for place, name in enumerate(names):
        next_heads = heads[place + 1 : place + 3]
        if next_heads == [STATUS, SCORE]:
            scored.append(name)
    if scored and set(scored).issubset(outputs):
        return scored
    has_statuses = all(STATUS_MARK.match(row[name]) for name in outputs)
    return outputs if has_statuses else []


def list_cells(row: Row, log: Log) -> Iterator[Row]:
    """Yield a result for each output in a row of a CSV."""
    if "outputs" not in log.state:
        columns = find_output_columns(row)
        note_prompts([split_head(column) for column in columns], log)
        log.state["outputs"] = columns
        log.state["test"] = 0
    outputs = log.state["outputs"]
    cells = read_variables(row, outputs[0])
    # If a test does not have a variable, its cell is empty.
    variables = {name: cell for name, cell in cells.items() if cell}
    test = {"vars": variables, "testIdx": log.state["test"]}
    log.state["test"] += 1
    for prompt_number, (column, next_cells) in enumerate(split_outputs(row, outputs)):
        provider, label = split_head(column)
        prompt = {"raw": fill_template(label, cells), "label": label}
        request = {"provider": provider, "promptIdx": prompt_number, "prompt": prompt}
        yield test | request | read_output_cell(row[column], next_cells)


def read_variables(row: Row, first_output: str) -> dict[str, str]:
    """Return the variables in a row of a CSV: the cells before the first output, by name."""
    variables = {}
    for name, cell in row.items():
        if name == first_output:
            break
        if name != DESCRIPTION:
            variables[name] = drop_apostrophe(cell)
    return variables


def split_outputs(row: Row, outputs: list[str]) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the name of each column of outputs in a row of a CSV, with the cells that follow it."""
    names = list(row)
    starts = [names.index(column) for column in outputs]
    ends = [*starts[1:], len(names)]
    for start, end in zip(starts, ends, strict=True):
        next_cells = {}
        for name in names[start + 1 : end]:
            head = DUPLICATE_NUMBER.sub("", name)
            next_cells[head] = row[name]
        yield names[start], next_cells


def split_head(column: str) -> tuple[str, str]:
    """Return the provider and the prompt in the header of a column of outputs."""
    head = OUTPUT_HEAD.fullmatch(column)
    assert head is not None
    return head[1], head[2]


def drop_apostrophe(text: str) -> str:
    """Remove the apostrophe that promptfoo wrote before a possible formula.

    >>> drop_apostrophe("'=1+1"), drop_apostrophe("'tis")
    ('=1+1', "'tis")
    """
    return text[1:] if ESCAPED_FORMULA.match(text) else text


def read_output_cell(text: str, next_cells: Mapping[str, str]) -> Row:
    """Return the output in a cell, with the values in the cells that follow it, as a result."""
    status = next_cells.get(STATUS, "")
    score = next_cells.get(SCORE, "")
    mark = None if status else STATUS_MARK.match(text)
    if mark:
        status = mark[1]
        score = mark[2] or ""
        output, *_ = GRADER_REASON_HEAD.split(text[mark.end() :])
        text = output.strip()
    named_scores = next_cells.get(NAMED_SCORES) or "{}"
    result: Row = {
        "score": float(score) if score else None,
        "success": status == PASS,
        "namedScores": json.loads(named_scores),
    }
    if status == ERROR:
        return result | make_failed_response(text or next_cells.get(GRADER_REASON) or ERROR)
    return result | {"response": {"output": drop_apostrophe(text)}}
