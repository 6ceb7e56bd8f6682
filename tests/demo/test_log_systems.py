"""Logs of whole runs: failed samples, model names, grades, and missing references."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from lens.page.files.file_scoring import FileScoring
from lens.page.tab import VisitorFile
from lens.tables import untrusted

from tests.demo.command_runs import Command, write_jsonl
from tests.demo.files_visits import ROLES
from tests.demo.log_samples import (
    INSPECT_SAMPLE,
    INSTRUCTIONS,
    Row,
    format_json_lines,
    inspect_log,
    lm_eval,
    read_log,
)
from tests.support.project import DATA_BESIDE_PROJECT


def needs_all(*samples: Row, **head: Any) -> bool:
    """Return whether all references are needed according to a log of Inspect."""
    _, log = read_log(inspect_log(list(samples), **head))
    return log.needs_all


# Headers of a log whose questions have options. The first names the scorer of options, the second
# says that several options are right.
HEADERS_OF_OPTIONS: list[Row] = [
    {"eval": {"task": "t", "model": "m", "scorers": [{"name": "inspect_ai/choice"}]}},
    {"plan": {"steps": [{"solver": "multiple_choice", "params": {"multiple_correct": True}}]}},
]


def test_in_a_log_of_inspect_with_several_right_options_all_are_needed() -> None:
    two_options: Row = INSPECT_SAMPLE | {"target": ["A", "C"], "scores": {"choice": {"value": "I"}}}
    one_option: Row = INSPECT_SAMPLE | {"target": ["A"]}
    for head in HEADERS_OF_OPTIONS:
        assert needs_all(two_options, **head)
        assert not needs_all(one_option, **head)
    assert needs_all(two_options)
    by_inclusion = two_options | {"scores": {"includes": {"value": "C"}}}
    assert not needs_all(by_inclusion)

    letters = two_options | {"target": "A, C", "choices": ["rose", "sky", "blood"]}
    (row,), log = read_log(inspect_log([letters]))
    assert row["reference"] == ["A", "C"]
    assert log.needs_all is True


def test_failed_samples_are_counted_with_the_first_line_of_their_errors(
    tmp_path: Path, score: Command
) -> None:
    failed = INSPECT_SAMPLE | {
        "output": {},
        "error": {"message": "RateLimitError('slow down')\nTraceback"},
    }
    path = tmp_path / "a.json"
    path.write_text(inspect_log([failed, failed | {"id": 2}], status="error"), "utf-8")
    run = score(path)
    assert run.code == 2
    assert "All samples failed (2): “RateLimitError('slow down')”." in run.err

    path.write_text(
        inspect_log([], status="error", error={"message": "no such model\nTraceback"}), "utf-8"
    )
    message = (
        "has no samples with an answer and what it should be. Its run failed: “no such model”."
    )
    assert message in score(path).err

    timed_out = failed | {"id": 3, "error": {"message": "TimeoutError()"}}
    path.write_text(inspect_log([failed, INSPECT_SAMPLE, failed, timed_out]), "utf-8")
    notes = untrusted.read_file(path, everything=True).reading_notes
    message = (
        "Samples that failed and have no answer: 3 of 4 (“RateLimitError('slow down') "
        "(and other errors)”)."
    )
    assert message in notes


def write_graded_log(path: Path, model: str, grades: str) -> Path:
    """Write a log of Inspect with one sample for each letter of `grades`."""
    samples = []
    for number, grade in enumerate(grades):
        scores = {"includes": {"value": grade}}
        samples.append(INSPECT_SAMPLE | {"id": number, "scores": scores})
    path.write_text(inspect_log(samples, eval={"task": "t", "model": model}), "utf-8")
    return path


def test_systems_are_named_by_the_models_of_their_logs(tmp_path: Path, score: Command) -> None:
    logs = [
        write_graded_log(tmp_path / "a.json", "org/one", "CIPN"),
        write_graded_log(tmp_path / "b.json", "org/two", "CCII"),
        write_graded_log(tmp_path / "c.json", "org/two", "CCCC"),
    ]
    names = ["org/one", "org/two (b.json)", "org/two (c.json)"]
    run = score(*logs, "--metrics", "lv_eval_f1", "--judge-verdict", "includes")
    assert run.code == 0, run.err
    for name in names:
        assert f"\n{name} " in run.out

    uploads = []
    for path in logs:
        table = untrusted.read_file(path, everything=True)
        uploads.append(VisitorFile(path.name, table).select_filter(""))
    assert FileScoring(uploads, ROLES, ["lv_eval_f1"]).study.names == names


# Grades of Inspect (C correct, I incorrect, P partial, N no answer), and the share of right ones. P
# does not count; N counts as not right: of CIPN, 1 of 3 is right.
GRADES = [
    ("CCII", "includes calls 50% of 4 answers right"),
    ("CIPN", "includes calls 33% of 3 answers right"),
]


@pytest.mark.parametrize(("grades", "message"), GRADES)
def test_grades_in_a_log_are_verdicts(
    grades: str,
    message: str,
    tmp_path: Path,
    score: Command,
) -> None:
    path = write_graded_log(tmp_path / "a.json", "org/one", grades)
    run = score(path, "--metrics", "lv_eval_f1", "--judge-verdict", "includes")
    assert message in run.out


# Options with the positions of right ones, and the expected reference.
LIGHTEVAL: list[tuple[Row, Any]] = [
    ({"choices": ["Bath", "Steventon"], "gold_index": 1}, ["Steventon"]),
    ({"choices": [["Jane Austen", "Austen"]], "gold_index": [0]}, ["Jane Austen", "Austen"]),
    ({"choices": [""], "gold_index": 0}, [""]),
    ({"choices": [], "gold_index": [0]}, []),
]


@pytest.mark.parametrize(("doc", "reference"), LIGHTEVAL)
def test_the_reference_of_a_lighteval_sample_is_its_right_options(doc: Row, reference: Any) -> None:
    newer = {
        "doc": {"query": "Q?"} | doc,
        "model_response": {"text": ["a"]},
        "metric": {"em": 1},
    }
    older = {
        "example": "Q?",
        "full_prompt": "Q?",
        "predictions": ["a"],
        "gold": [],
        "metrics": {"em": 1},
    }
    for sample in (newer, older | doc):
        (row,), log = read_log(format_json_lines(sample))
        assert row["reference"] == reference
        has_none = "No sample has anything to compare" in log.describe()
        assert has_none == (not any(reference))


def test_a_failed_request_of_helm_is_counted_with_its_error() -> None:
    state = {
        "instance": {"input": {"text": "Q?"}, "id": "id1", "references": []},
        "result": {"success": False, "error": "timed out", "completions": []},
    }
    run = {"adapter_spec": {"method": "generation"}, "request_states": [state]}
    (row,), log = read_log(json.dumps(run))
    assert row["prediction"] is None
    assert row["error"] == "timed out"
    assert "All samples failed (1): “timed out”." in log.describe()


@pytest.mark.skipif(
    not DATA_BESIDE_PROJECT.is_dir(), reason="the project's shared cases are not there"
)
def test_the_shared_logs_can_be_scored(score: Command, tmp_path: Path) -> None:
    cases = DATA_BESIDE_PROJECT / "cases" / "files"
    squad = score(cases / "lmeval_squadv2.jsonl", "--metrics", "rouge")
    assert "ROUGE-L         1.0000" in squad.out
    ifeval = score(cases / "lmeval_ifeval.jsonl", "--metrics", "rouge")
    assert ifeval.code == 2
    assert "All samples have the target “0”, which is not a reference" in ifeval.err
    for name in ("promptfoo_export.csv", "promptfoo_table.json", "promptfoo_factuality.json"):
        run = score(cases / name, "--metrics", "rouge", "--report", tmp_path / f"{name}.json")
        assert run.code == 0, run.err
    both = score(cases / "inspect_good.eval", cases / "inspect_bad.eval", "--metrics", "rouge")
    assert "\nmockllm/good " in both.out


def test_the_command_refuses_a_log_without_references(tmp_path: Path, score: Command) -> None:
    samples = [lm_eval(doc_id=number, target="0", doc=INSTRUCTIONS) for number in range(2)]
    run = score(write_jsonl(tmp_path / "samples.jsonl", samples), "--metrics", "lv_eval_f1")
    assert run.code == 2
    assert "No sample has anything to compare an answer with" in run.err
