"""The results of promptfoo in all the forms that it writes."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from lens.tables.sources import source_of

from tests.demo.commanded import Command, score
from tests.demo.test_log_rules import Row, lines, read

__all__ = ["score"]


def promptfoo(*assertions: Row, **cells: Any) -> Row:
    result = {"promptIdx": 0, "testIdx": 0, "vars": {"question": "Q?"}, "prompt": {"raw": "Q?", "label": "q"}}
    result |= {"provider": {"id": "openai:m"}, "response": {"output": "a"}, "success": True, "score": 1}
    return result | {"testCase": {"assert": list(assertions)}} | cells


def asserted(kind: str, value: Any) -> Row:
    return {"type": kind, "value": value}


GOLDS: list[tuple[list[Row], Any]] = [
    *[([asserted(kind, "Nairobi")], "Nairobi") for kind in (
        "equals", "contains", "icontains", "starts-with", "factuality", "model-graded-factuality", "similar",
        "similar:cosine", "rouge-n", "bleu", "gleu", "meteor", "levenshtein", "context-recall",
        "model-graded-closedqa")],
    *[([asserted(kind, "Nairobi")], None) for kind in (
        "llm-rubric", "not-equals", "not-icontains", "javascript", "python", "regex", "is-json", "cost", "latency")],
    ([asserted("contains-any", ["Kampala", "Nairobi"])], ["Kampala", "Nairobi"]),
    ([asserted("icontains-all", "red, blue")], ["red", "blue"]),
    ([asserted("contains", "red"), asserted("icontains", "blue")], ["red", "blue"]),
    ([asserted("model-graded-closedqa", "names a city"), asserted("equals", "Nairobi")], "Nairobi"),
    ([asserted("llm-rubric", "is polite"), {"type": "assert-set", "assert": [asserted("similar", "Nairobi")]}],
     "Nairobi"),
    ([asserted("equals", "file://gold.txt"), asserted("contains", "Nairobi")], "Nairobi"),
    ([asserted("contains-all", []), asserted("contains-all", ["Nairobi"])], "Nairobi"),
    ([asserted("equals", "{{ city }}")], "Nairobi"),
]  # fmt: skip


@pytest.mark.parametrize(("assertions", "reference"), GOLDS)
def test_what_a_promptfoo_output_is_compared_with_is_the_reference(assertions: list[Row], reference: Any) -> None:
    result = promptfoo(*assertions, vars={"question": "Q?", "city": "Nairobi"})
    summary = {"version": 3, "results": [result], "stats": {"successes": 1, "failures": 0}}
    whole = {"results": {"version": 3, "results": [result]}, "config": {}}
    for text in (lines(result), *(json.dumps(one, indent=1) for one in (whole, summary, {"results": summary}))):
        (row,), log = read(text)
        assert row["reference"] == reference
    needed = reference == ["red", "blue"]
    assert log.needs_all == needed


def test_a_provider_with_several_prompts_is_several_systems() -> None:
    long = {"raw": "Q?", "label": "Answer the question at length, and say where you have it from."}
    rows, _ = read(
        lines(promptfoo(), promptfoo(promptIdx=1, prompt=long), promptfoo(provider={"id": "x"}, promptIdx=2))
    )
    assert [row["model"] for row in rows] == ["[openai:m] q", "[openai:m] prompt 2", "x"]


def table(rows: list[list[str]]) -> str:
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    return text.getvalue()


AFTER = ["Status", "Score", "Named Scores", "Grader Reason", "Comment"]
PLAIN = ["Description", "question", "expected", "[openai:m] {{question}}", *AFTER, "[x] {{question}}", *AFTER]
PASSED, FAILED = ["PASS", "1.00", '{"tone": 0.5}', "fine", ""], ["FAIL", "0.00", "", "Expected Nairobi", ""]
EXPECTED = [
    (0, "Q?", "Nairobi", "Nairobi.", "openai:m", True),
    (0, "Q?", "Nairobi", "It is Mombasa.", "x", False),
    (1, "R?", "Lima", None, "openai:m", False),
    (1, "R?", "Lima", "Lima", "x", True),
]
NEW = [
    PLAIN,
    ["d", "Q?", "Nairobi", "Nairobi.", *PASSED, "It is Mombasa.", *FAILED],
    ["d", "R?", "Lima", "Error: 429", "ERROR", "0.00", "", "", "", "Lima", *PASSED],
]
OLD = [
    ["question", "expected", "[openai:m] {{question}}", "[x] {{question}}"],
    ["Q?", "Nairobi", "[PASS] (1.00, tone: 0.50)\n\nNairobi.\n\nPass Reason: All assertions passed",
     "[FAIL] (0.00)\n\nIt is Mombasa.\n\nFail Reason: no"],
    ["R?", "Lima", "[ERROR] Error: 429", "[PASS] Lima"],
]  # fmt: skip
OUTPUTS = [{"text": "Nairobi.", "pass": True, "score": 1, "prompt": "Q?"}, {"text": "It is Mombasa.", "pass": False}]
ERRED = {"text": "Error: 429", "error": "Error: 429", "failureReason": 2, "pass": False}
TABLE = {
    "head": {"prompts": [{"raw": "{{question}}", "label": "q", "provider": name} for name in ("openai:m", "x")],
             "vars": ["question", "expected"]},
    "body": [{"vars": ["Q?", "Nairobi"], "outputs": OUTPUTS, "test": {}},
             {"vars": ["R?", "Lima"], "outputs": [ERRED, {"text": "Lima", "pass": True}], "test": {}}],
}  # fmt: skip


@pytest.mark.parametrize(
    ("text", "kind"),
    [(table(NEW), "csv"), (table(OLD), "csv"), (json.dumps(TABLE, indent=1), "json"), (json.dumps(TABLE), "json"),
     (json.dumps({"table": TABLE, "totalCount": 2}), "json")],
)  # fmt: skip
def test_tables_of_promptfoo_have_a_row_for_each_output(text: str, kind: str) -> None:
    rows, log = read(text, kind)
    cells = ("id", "question", "reference", "prediction", "model", "success")
    assert [tuple(row[name] for name in cells) for row in rows] == EXPECTED
    assert rows[2]["error"] == "Error: 429"
    assert "failed and have no answer: 1 of 4" in log.told()


def test_columns_of_outputs_that_are_named_are_systems(tmp_path: Path, score: Command) -> None:
    path = tmp_path / "a.csv"
    path.write_text(table(NEW[:2]), "utf-8")
    ran = score(path, "--prediction", PLAIN[3], PLAIN[9], "--metrics", "lv_eval_f1")
    assert ran.code == 0, ran.err
    assert "\n[openai:m] {{question}} " in ran.out
    assert "reference = expected" in ran.err


def test_a_column_without_a_role_may_stand_twice(tmp_path: Path, score: Command) -> None:
    path = tmp_path / "a.csv"
    path.write_text(table([["answer", "reference", "note", "note"], ["a", "a", "1", "2"]]), "utf-8")
    assert next(row for _, _, row in source_of(str(path)).rows()) == {
        "answer": "a", "reference": "a", "note (1)": "1", "note (2)": "2"}  # fmt: skip
    assert score(path, "--metrics", "lv_eval_f1").code == 0
    path.write_text(table([["answer", "reference", "answer"], ["a", "a", "b"]]), "utf-8")
    assert "The column “answer” stands twice" in score(path).err
