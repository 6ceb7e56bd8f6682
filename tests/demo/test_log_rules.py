"""What a tool's log means: which responses are answers, which targets are references, how several of these count."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from lens.page.file_run import Run
from lens.page.tab import Sent
from lens.tables import untrusted
from lens.tables.log import Log
from lens.tables.read import table_rows

from tests.demo.commanded import Command, jsonl, score
from tests.demo.test_files_tab import ROLES
from tests.demo.test_logs import HEAD, STEP
from tests.support.project import SHARED

__all__ = ["score"]

Row = dict[str, Any]
GENERATE = ["Q?", {"until": []}]


def read(text: str, kind: str = "json") -> tuple[list[Row], Log]:
    log = Log()
    return list(table_rows(kind, io.BytesIO(text.encode()), log)), log


def lines(*rows: Row) -> str:
    return "\n".join(map(json.dumps, rows))


def lm_eval(**cells: Any) -> Row:
    """A sample of lm-evaluation-harness, as far as it is asked for."""
    sample = {"doc_id": 0, "doc": {"question": "Q?"}, "target": "t", "arguments": [GENERATE], "resps": [["a"]]}
    return sample | {"filtered_resps": ["a"], "filter": "none"} | cells


def by_name(*requests: list[Any]) -> Row:
    """The requests of a sample as newer versions write them."""
    return {
        f"gen_args_{at}": {f"arg_{place}": one for place, one in enumerate(request)}
        for at, request in enumerate(requests)
    }


LIKELY = ["-4.75", "False"]
KINDS = [
    # Requests and responses of one sample, and the answers in it.
    ([GENERATE, ["Q?", " unanswerable"]], ["the Normans", LIKELY], ["the Normans"]),
    ([["Q?", " no"], GENERATE], [LIKELY, "France"], ["France"]),
    ([GENERATE, ["Q?", " a"], GENERATE, ["Q?", " b"]], ["x", LIKELY, "y", LIKELY], ["x", "y"]),
    ([GENERATE, ["rolling"]], [["x", "y"], "-9.5"], ["x", "y"]),
    ([["Q?", {"until": []}, {"visual": []}]], ["a cat"], ["a cat"]),
    ([GENERATE], [], [None]),
]


@pytest.mark.parametrize(("requests", "responses", "answers"), KINDS)
@pytest.mark.parametrize("form", [by_name, lambda *requests: list(requests)])
def test_only_responses_to_requests_for_a_text_are_answers(
    requests: Any, responses: Any, answers: Any, form: Any
) -> None:
    rows, _ = read(lines(lm_eval(arguments=form(*requests), filtered_resps=responses)))
    assert [row["prediction"] for row in rows] == answers


def test_samples_that_only_ask_for_likelihoods_are_left_out_and_told() -> None:
    likely = lm_eval(doc_id=1, arguments=[["Q?", " a"], ["Q?", " b"]], filtered_resps=[LIKELY, LIKELY])
    rows, log = read(lines(likely, lm_eval()))
    assert [row["id"] for row in rows] == [0]
    assert "only asked how likely given texts are, and are left out: 1." in log.told()


def test_a_filter_that_found_nothing_leaves_no_answer_unless_the_model_said_so() -> None:
    missed = lm_eval(resps=[["It is 7."]], filtered_resps=["[invalid]"])
    quoted = lm_eval(doc_id=1, resps=[["[invalid]"]], filtered_resps=["[invalid]"])
    repeated = lm_eval(doc_id=2, resps=[["#### 7", "7"]], filtered_resps=[["7", "[invalid]"]])
    otherwise = lm_eval(doc_id=3, resps=[["It is 7, [sic]"]], filtered_resps=["[no match]"])
    kept = lm_eval(doc_id=4, resps=[["It is [sic]"]], filtered_resps=["[sic]"])
    rows, log = read(lines(missed, quoted, repeated, otherwise, kept))
    assert [row["prediction"] for row in rows] == [None, "[invalid]", "7", None, None, "[sic]"]
    assert "Where its filter found nothing in what the model wrote, there is no answer." in log.told()


WORKED = "48/2 = 24 pens\n48+24 = 72 pens\n#### "


def test_a_filter_that_cuts_final_answers_out_is_compared_with_those_of_the_targets() -> None:
    def sample(at: int, response: str, answer: str, name: str = "strict") -> Row:
        more = {"filter": name, "target": f"{WORKED}{at}", "doc": {"answer": f"{WORKED}{at}"}}
        return lm_eval(doc_id=at, resps=[[response]], filtered_resps=[answer], **more)

    cut = [sample(7, "So #### 7", "7"), sample(8, "No idea", "[invalid]"), sample(2900, "#### 2,900", "2900")]
    whole = [sample(7, "So #### 7", "So #### 7", "none"), sample(8, "No idea", "No idea", "none")]
    rows, log = read(lines(*cut, *whole))
    assert [row["reference"] for row in rows] == ["7", "8", "2900"]
    assert "of worked solutions the final answer alone is the reference" in log.told()
    rows, log = read(lines(*whole))
    assert [row["reference"] for row in rows] == [f"{WORKED}7", f"{WORKED}8"]
    assert "worked solutions" not in log.told()


TESTS = "def check(candidate):\n    assert candidate(1) == 2\n\ncheck(increment)"
INSTRUCTED = {"prompt": "Say hello in lower case.", "instruction_id_list": ["change_case:lower"], "kwargs": [{}]}
TARGETS: list[tuple[Any, Row, Any]] = [
    # A target, what the log knows of the question, and the reference.
    ("0", INSTRUCTED, None),
    (0, INSTRUCTED, None),
    ("-1", {"prompt": "Write 3 lines."}, None),
    ("0", INSTRUCTED | {"id": 0}, None),
    ("0", {"question": "Q?", "options": ["Bath", "Steventon"], "right": 1}, None),
    ("72", {"question": "Q?", "answer": "48+24\n#### 72"}, "72"),
    ("0", {"question": "How many?", "answer": 0}, "0"),
    ("2900", {"question": "How many?", "answer": "#### 2,900"}, "2900"),
    ("1", {"question": "Q?", "choices": ["Bath", "Steventon"], "answer": 1}, "Steventon"),
    ("1", {"question": "Q?", "choices": {"label": ["A", "B"], "text": ["Bath", "Steventon"]}, "key": 1}, "Steventon"),
    ("2", {"question": "Q?", "options": ["1", "2", "3"], "answer": "2"}, "2"),
    ("B", {"question": "Q?", "choices": ["Bath", "Steventon"], "answer": 1}, "B"),
    (TESTS, {"prompt": "def increment(n):"}, None),
    ("assert add(1, 2) == 3\nassert add(0, 0) == 0", {"text": "Add."}, None),
    (
        "def add(a, b):\n    assert a\n    return a + b",
        {"text": "Add."},
        "def add(a, b):\n    assert a\n    return a + b",
    ),
    ("I assert that it is Paris.", {"question": "Q?"}, "I assert that it is Paris."),
    ("['4821', '9930']", {"outputs": ["4821", "9930"]}, ["4821", "9930"]),
]


@pytest.mark.parametrize(("target", "doc", "reference"), TARGETS)
def test_which_target_is_a_reference(target: Any, doc: Row, reference: Any) -> None:
    rows, log = read(lines(*(lm_eval(doc_id=at, doc=doc, target=target) for at in range(2))))
    assert [row["reference"] for row in rows] == [reference] * 2
    assert ("No sample has anything to compare an answer with" in log.told()) == (reference is None)


def test_numbers_that_differ_are_references_and_so_is_one_that_models_answer() -> None:
    rows, _ = read(lines(lm_eval(target="0", doc={}), lm_eval(doc_id=1, target="1", doc={})))
    assert [row["reference"] for row in rows] == ["0", "1"]
    asked = {"question": "Which is it?", "choices": ["Bath", "Steventon"], "label": 1}
    rows, _ = read(lines(lm_eval(target="1", doc=asked, filtered_resps=["1"])))
    assert [row["reference"] for row in rows] == ["1"]


NUMBERS = ["4821", "9930", "1175", "6604"]
USES: list[tuple[Any, str, Row, bool | None]] = [
    # References, an answer to them, the tool's scores, and whether all are needed; None where nobody knows.
    (NUMBERS, "One is 4821.", {"4096": 0.25, "8192": -1}, True),
    (NUMBERS, "One is 4821.", {"recall": 0.25, "exact": 0.0}, True),
    (NUMBERS, "One is 4821.", {"exact": 1.0}, False),
    (NUMBERS, "One is 4821.", {"exact": 0.0}, None),
    (NUMBERS, "One is 4821.", {}, None),
    (["Jane Austen", "Austen"], "Austen", {"exact": 0.5}, False),
    (["1", "12", "5"], "It is 5.", {"recall": 1 / 3}, True),
]


@pytest.mark.parametrize(("references", "answer", "scores", "needed"), USES)
def test_the_tools_own_scores_tell_whether_all_references_are_needed(
    references: Any, answer: str, scores: Row, needed: bool | None
) -> None:
    _, log = read(lines(lm_eval(target=str(references), filtered_resps=[answer], **scores)))
    assert log.needs_all == bool(needed)
    assert ("does not say whether an answer must name all of them" in log.told()) == (needed is None)


def test_a_score_of_all_or_nothing_tells_it_too() -> None:
    some = lm_eval(target=str(NUMBERS), filtered_resps=["4821"], exact=0.0)
    every = lm_eval(doc_id=1, target=str(NUMBERS), filtered_resps=[", ".join(NUMBERS)], exact=1.0)
    assert read(lines(some, every))[1].needs_all
    any_one = lm_eval(doc_id=2, target=str(NUMBERS), filtered_resps=["9930"], exact=1.0)
    assert not read(lines(some, every, any_one))[1].needs_all


def inspect(samples: list[Row], **head: Any) -> str:
    return json.dumps(HEAD | head | {"samples": samples})


CHOICE = {"task": "t", "model": "m", "scorers": [{"name": "inspect_ai/choice"}]}
SEVERAL = {"steps": [{"solver": "multiple_choice", "params": {"multiple_correct": True}}]}


def test_inspect_says_that_all_right_options_are_needed() -> None:
    both: Row = STEP | {"target": ["A", "C"], "scores": {"choice": {"value": "I"}}}
    for head in ({"eval": CHOICE}, {"plan": SEVERAL}):
        assert read(inspect([both], **head))[1].needs_all
        assert not read(inspect([STEP | {"target": ["A"]}], **head))[1].needs_all
    assert read(inspect([both]))[1].needs_all
    included = both | {"scores": {"includes": {"value": "C"}}}
    assert not read(inspect([included]))[1].needs_all
    letters = both | {"target": "A, C", "choices": ["rose", "sky", "blood"]}
    (row,), log = read(inspect([letters]))
    assert (row["reference"], log.needs_all) == (["A", "C"], True)


def test_failed_samples_are_told_with_the_first_line_of_their_errors(tmp_path: Path, score: Command) -> None:
    failed = STEP | {"output": {}, "error": {"message": "RateLimitError('slow down')\nTraceback"}}
    path = tmp_path / "a.json"
    path.write_text(inspect([failed, failed | {"id": 2}], status="error"), "utf-8")
    ran = score(path)
    assert (ran.code, "All samples failed (2): “RateLimitError('slow down')”." in ran.err) == (2, True), ran.err
    path.write_text(inspect([], status="error", error={"message": "no such model\nTraceback"}), "utf-8")
    assert "has no samples with an answer and what it should be. Its run failed: “no such model”." in score(path).err
    other = failed | {"id": 3, "error": {"message": "TimeoutError()"}}
    path.write_text(inspect([failed, STEP, failed, other]), "utf-8")
    told = untrusted.read(path, everything=True).told
    assert "Samples that failed and have no answer: 3 of 4 (“RateLimitError('slow down') (and other errors)”)." in told


def test_logs_are_named_by_their_models_and_their_grades_are_verdicts(tmp_path: Path, score: Command) -> None:
    def log(name: str, model: str, grades: str) -> Path:
        steps = [STEP | {"id": at, "scores": {"includes": {"value": grade}}} for at, grade in enumerate(grades)]
        path = tmp_path / name
        path.write_text(inspect(steps, eval={"task": "t", "model": model}), "utf-8")
        return path

    first, second, third = (
        log("a.json", "org/one", "CIPN"),
        log("b.json", "org/two", "CCII"),
        log("c.json", "org/two", "CCCC"),
    )
    ran = score(first, second, third, "--metrics", "lv_eval_f1", "--judge-verdict", "includes")
    assert ran.code == 0, ran.err
    for name in ("\norg/one ", "\norg/two (b.json) ", "\norg/two (c.json) "):
        assert name in ran.out
    alone = score(second, "--metrics", "lv_eval_f1", "--judge-verdict", "includes")
    assert "includes calls 50% of 4 answers right" in alone.out
    # Right, wrong, neither, and an answer that declines: the share of right ones is of those that the judge decided.
    mixed = score(first, "--metrics", "lv_eval_f1", "--judge-verdict", "includes")
    assert "includes calls 33% of 3 answers right" in mixed.out, mixed.out
    page = [Sent(one.name, untrusted.read(one, everything=True)).only("") for one in (first, second, third)]
    assert Run(page, ROLES, ["lv_eval_f1"]).found.names == ["org/one", "org/two (b.json)", "org/two (c.json)"]


LIGHTEVAL: list[tuple[Row, Any]] = [
    # Options and the places of right ones, and the reference.
    ({"choices": ["Bath", "Steventon"], "gold_index": 1}, ["Steventon"]),
    ({"choices": [["Jane Austen", "Austen"]], "gold_index": [0]}, ["Jane Austen", "Austen"]),
    ({"choices": [""], "gold_index": 0}, [""]),
    ({"choices": [], "gold_index": [0]}, []),
]


@pytest.mark.parametrize(("doc", "reference"), LIGHTEVAL)
def test_a_task_of_lighteval_without_options_has_no_reference(doc: Row, reference: Any) -> None:
    now = {"doc": {"query": "Q?"} | doc, "model_response": {"text": ["a"]}, "metric": {"em": 1}}
    before = {"example": "Q?", "full_prompt": "Q?", "predictions": ["a"], "gold": [], "metrics": {"em": 1}} | doc
    for row in (now, before):
        (found,), log = read(lines(row))
        assert found["reference"] == reference
        assert ("No sample has anything to compare" in log.told()) == (not any(reference))


def test_a_failed_request_of_helm_is_told() -> None:
    instance = {"input": {"text": "Q?"}, "id": "id1", "references": []}
    state = {"instance": instance, "result": {"success": False, "error": "timed out", "completions": []}}
    rows, log = read(json.dumps({"adapter_spec": {"method": "generation"}, "request_states": [state]}))
    assert [(row["prediction"], row["error"]) for row in rows] == [(None, "timed out")]
    assert "All samples failed (1): “timed out”." in log.told()


@pytest.mark.skipif(not SHARED.is_dir(), reason="the project's shared cases are not there")
def test_the_shared_logs_have_the_figures_of_their_tools(score: Command, tmp_path: Path) -> None:
    cases = SHARED / "cases" / "files"
    squad = score(cases / "lmeval_squadv2.jsonl", "--metrics", "rouge")
    assert "ROUGE-L         1.0000" in squad.out
    instructed = score(cases / "lmeval_ifeval.jsonl", "--metrics", "rouge")
    assert (instructed.code, "Its target “0” stands for all samples" in instructed.err) == (2, True)
    for name in ("promptfoo_export.csv", "promptfoo_table.json", "promptfoo_factuality.json"):
        found = score(cases / name, "--metrics", "rouge", "--report", tmp_path / f"{name}.json")
        assert found.code == 0, found.err
    both = score(cases / "inspect_good.eval", cases / "inspect_bad.eval", "--metrics", "rouge")
    assert "\nmockllm/good " in both.out


def test_a_log_read_by_the_command_tells_what_it_lacks(tmp_path: Path, score: Command) -> None:
    path = jsonl(
        tmp_path / "samples.jsonl", [lm_eval(target="0", doc=INSTRUCTED), lm_eval(doc_id=1, target="0", doc=INSTRUCTED)]
    )
    ran = score(path, "--metrics", "lv_eval_f1")
    assert ran.code == 2
    assert "No sample has anything to compare an answer with" in ran.err
