"""Results of promptfoo in all formats that it writes."""

from __future__ import annotations

import csv
import io
import json
from operator import itemgetter
from pathlib import Path
from typing import Any

import pytest
from lens.tables.sources import open_source

from tests.demo.command_runs import Command
from tests.demo.log_samples import Row, format_json_lines, read_log


def make_promptfoo_result(*assertions: Row, **cells: Any) -> Row:
    """Return one result of promptfoo with these assertions; `cells` replace its own."""
    result = {
        "promptIdx": 0,
        "testIdx": 0,
        "vars": {"question": "Q?"},
        "prompt": {"raw": "Q?", "label": "q"},
        "provider": {"id": "openai:m"},
        "response": {"output": "a"},
        "success": True,
        "score": 1,
        "testCase": {"assert": list(assertions)},
    }
    return result | cells


def make_assertion(kind: str, value: Any) -> Row:
    """Return an assertion of promptfoo."""
    return {"type": kind, "value": value}


# Types of assertions whose value is a right answer, and types with another value.
WITH_REFERENCE = (
    "equals contains icontains starts-with factuality model-graded-factuality similar "
    "similar:cosine rouge-n bleu gleu "
    "meteor levenshtein context-recall model-graded-closedqa"
)
WITHOUT_REFERENCE = (
    "llm-rubric not-equals not-icontains javascript python regex is-json cost latency"
)
ANY_CITY = make_assertion("contains-any", ["Kampala", "Nairobi"])
SET_OF_ASSERTIONS = {"type": "assert-set", "assert": [make_assertion("similar", "Nairobi")]}
# The assertions of one test, and the expected reference.
ASSERTIONS: list[tuple[list[Row], Any]] = [
    *[([make_assertion(kind, "Nairobi")], "Nairobi") for kind in WITH_REFERENCE.split()],
    *[([make_assertion(kind, "Nairobi")], None) for kind in WITHOUT_REFERENCE.split()],
    ([ANY_CITY], ["Kampala", "Nairobi"]),
    ([make_assertion("icontains-all", "red, blue")], ["red", "blue"]),
    ([make_assertion("contains", "red"), make_assertion("icontains", "blue")], ["red", "blue"]),
    (
        [
            make_assertion("model-graded-closedqa", "names a city"),
            make_assertion("equals", "Nairobi"),
        ],
        "Nairobi",
    ),
    ([make_assertion("llm-rubric", "is polite"), SET_OF_ASSERTIONS], "Nairobi"),
    (
        [make_assertion("equals", "file://gold.txt"), make_assertion("contains", "Nairobi")],
        "Nairobi",
    ),
    ([make_assertion("contains-all", []), make_assertion("contains-all", ["Nairobi"])], "Nairobi"),
    ([make_assertion("equals", "{{ city }}")], "Nairobi"),
]


def write_promptfoo_formats(result: Row) -> list[str]:
    """Return a result in each format of a file of promptfoo."""
    summary = {
        "version": 3,
        "results": [result],
        "stats": {"successes": 1, "failures": 0},
    }
    export = {"results": {"version": 3, "results": [result]}, "config": {}}
    return [
        format_json_lines(result),
        json.dumps(export, indent=1),
        json.dumps(summary, indent=1),
        json.dumps({"results": summary}, indent=1),
    ]


@pytest.mark.parametrize(("assertions", "reference"), ASSERTIONS)
def test_the_reference_of_a_promptfoo_result_comes_from_its_assertions(
    assertions: list[Row], reference: Any
) -> None:
    result = make_promptfoo_result(*assertions, vars={"question": "Q?", "city": "Nairobi"})
    for text in write_promptfoo_formats(result):
        (row,), log = read_log(text)
        assert row["reference"] == reference
        assert log.needs_all == (reference == ["red", "blue"])


def test_each_prompt_of_a_provider_is_a_system() -> None:
    long_prompt = {
        "raw": "Q?",
        "label": "Answer the question at length, and say where you have it from.",
    }
    results = [
        make_promptfoo_result(),
        make_promptfoo_result(promptIdx=1, prompt=long_prompt),
        make_promptfoo_result(promptIdx=2, provider={"id": "x"}),
    ]
    rows, _ = read_log(format_json_lines(*results))
    assert [row["model"] for row in rows] == ["[openai:m] q", "[openai:m] prompt 2", "x"]


def write_csv(rows: list[list[str]]) -> str:
    """Return a table as CSV."""
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    return text.getvalue()


# The columns that newer versions write after each output.
GRADING = ["Status", "Score", "Named Scores", "Grader Reason", "Comment"]
PASSED = ["PASS", "1.00", '{"tone": 0.5}', "fine", ""]
FAILED = ["FAIL", "0.00", "", "Expected Nairobi", ""]
ERROR = ["ERROR", "0.00", "", "", ""]
FIRST, SECOND = "[openai:m] {{question}}", "[x] {{question}}"
NEW = [
    ["Description", "question", "expected", FIRST, *GRADING, SECOND, *GRADING],
    ["d", "Q?", "Nairobi", "Nairobi.", *PASSED, "It is Mombasa.", *FAILED],
    ["d", "R?", "Lima", "Error: 429", *ERROR, "Lima", *PASSED],
]
OLD = [
    ["question", "expected", FIRST, SECOND],
    [
        "Q?",
        "Nairobi",
        "[PASS] (1.00, tone: 0.50)\n\nNairobi.\n\nPass Reason: All assertions passed",
        "[FAIL] (0.00)\n\nIt is Mombasa.\n\nFail Reason: no",
    ],
    ["R?", "Lima", "[ERROR] Error: 429", "[PASS] Lima"],
]
TABLE = {
    "head": {
        "prompts": [
            {"raw": "{{question}}", "label": "q", "provider": "openai:m"},
            {"raw": "{{question}}", "label": "q", "provider": "x"},
        ],
        "vars": ["question", "expected"],
    },
    "body": [
        {
            "vars": ["Q?", "Nairobi"],
            "outputs": [
                {
                    "text": "Nairobi.",
                    "pass": True,
                    "score": 1,
                    "prompt": "Q?",
                },
                {"text": "It is Mombasa.", "pass": False},
            ],
            "test": {},
        },
        {
            "vars": ["R?", "Lima"],
            "outputs": [
                {
                    "text": "Error: 429",
                    "error": "Error: 429",
                    "failureReason": 2,
                    "pass": False,
                },
                {"text": "Lima", "pass": True},
            ],
            "test": {},
        },
    ],
}
TABLES = [
    (write_csv(NEW), "csv"),
    (write_csv(OLD), "csv"),
    (json.dumps(TABLE, indent=1), "json"),
    (json.dumps(TABLE), "json"),
    (json.dumps({"table": TABLE, "totalCount": 2}), "json"),
]
CELLS = ("id", "question", "reference", "prediction", "model", "success")
EXPECTED = [
    (0, "Q?", "Nairobi", "Nairobi.", "openai:m", True),
    (0, "Q?", "Nairobi", "It is Mombasa.", "x", False),
    (1, "R?", "Lima", None, "openai:m", False),
    (1, "R?", "Lima", "Lima", "x", True),
]


@pytest.mark.parametrize(("text", "kind"), TABLES)
def test_a_table_of_promptfoo_is_read_as_one_row_for_each_output(text: str, kind: str) -> None:
    rows, log = read_log(text, kind)
    assert list(map(itemgetter(*CELLS), rows)) == EXPECTED
    assert rows[2]["error"] == "Error: 429"
    assert "failed and have no answer: 1 of 4" in log.describe()


def test_named_columns_of_outputs_are_systems(tmp_path: Path, score: Command) -> None:
    path = tmp_path / "a.csv"
    path.write_text(write_csv(NEW[:2]), "utf-8")
    run = score(path, "--prediction", FIRST, SECOND, "--metrics", "lv_eval_f1")
    assert run.code == 0, run.err
    assert f"\n{FIRST} " in run.out
    assert "reference = expected" in run.err


def test_two_columns_may_have_the_same_name_if_they_have_no_role(
    tmp_path: Path, score: Command
) -> None:
    path = tmp_path / "a.csv"
    path.write_text(
        write_csv([["answer", "reference", "note", "note"], ["a", "a", "1", "2"]]), "utf-8"
    )
    _, _, row = next(iter(open_source(str(path)).rows()))
    assert row == {
        "answer": "a",
        "reference": "a",
        "note (1)": "1",
        "note (2)": "2",
    }
    assert score(path, "--metrics", "lv_eval_f1").code == 0
    path.write_text(write_csv([["answer", "reference", "answer"], ["a", "a", "b"]]), "utf-8")
    assert "The column “answer” stands twice" in score(path).err
