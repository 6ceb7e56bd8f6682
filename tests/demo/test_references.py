"""References that are worked solutions, several that are all needed, and empty ones."""

from __future__ import annotations

import re
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest
from lens.experiment.answers import Answer, make_answer
from lens.experiment.table_notes import TableNotes
from lens.page.files import cell_questions
from lens.page.files.files_reading import Files
from lens.scoring.scorer import Scorer
from lens.tables.answer_texts import read_final_references
from lens.tables.roles import Roles
from lens.tables.separators import find_separators

from tests.demo.command_runs import Command, write_jsonl
from tests.demo.files_visits import draw_opened_row, list_notes, score_tables, send_rows
from tests.support import judges

Rows = list[dict[str, Any]]

# A worked solution as in GSM8K: a reference whose final answer is 72, behind "####".
SOLUTION = "In May: 48/2 = <<48/2=24>>24.\nTogether: 48+24 = <<48+24=72>>72.\n#### 72"
# In the second row, answer and reference have different final answers.
SOLVED: Rows = [
    {
        "question": "How many?",
        "answer": SOLUTION,
        "prediction": "It sold 24, so 48 + 24 = 72.\n#### 72",
    },
    {
        "question": "How many?",
        "answer": SOLUTION.replace("72", "71"),
        "prediction": "It sold 72.\n#### 72",
    },
]
BOXES: Rows = [
    {
        "answer": r"So $x = \boxed{\frac{3}{4}}$.",
        "prediction": r"Hence \boxed{\frac{3}{4}}",
    }
]
HEADINGS = "# A title\n#### A heading\ntext"
# References, the words before a final answer (`--final`), the references that count, and the kind
# of note. In references, #### and \boxed{} mark a final answer, too, whatever the words are.
FINAL_ANSWERS = [
    ([SOLUTION], "####", ["72"], "final"),
    ([SOLUTION], "The answer is", ["72"], "final"),
    ([SOLUTION, "72.0"], "boxed", ["72", "72.0"], "final"),
    ([r"so \boxed{5}"], "Answer:", ["5"], "final"),
    (["I see. Answer: 5"], "Answer:", ["5"], "final"),
    (["72"], "####", ["72"], "no_final"),
    ([HEADINGS], "boxed", [HEADINGS], "no_final"),
    (["Steps.\n####"], "boxed", ["Steps.\n####"], "no_final"),
    ([SOLUTION], "", [SOLUTION], ""),
]


@pytest.mark.parametrize(("references", "final", "expected", "note"), FINAL_ANSWERS)
def test_the_final_answer_of_a_reference_counts_if_final_answers_are_asked_for(
    references: list[str],
    final: str,
    expected: list[str],
    note: str,
) -> None:
    assert read_final_references(references, final) == (expected, note)


def test_worked_solutions_are_reported_and_not_split_into_references(
    score: Command, tmp_path: Path
) -> None:
    path = write_jsonl(tmp_path / "a.jsonl", SOLVED)
    plain = score(path, "--metrics", "rouge")
    assert (
        "2 of 2 references are worked solutions; their final answer stands behind ####."
        in plain.err
    )
    assert "(--final '####')" in plain.err
    assert "--separator" not in plain.err

    final = score(path, "--metrics", "rouge", "--final", "####", "--report", tmp_path / "a.json")
    assert "References whose final answer alone counts: 2 (row 1, 2)." in final.out
    assert "ROUGE-L         0.5000" in final.out
    assert "|final:####|final_references:yes" in final.out


def test_the_advised_option_has_the_words_before_the_final_answers(
    score: Command, tmp_path: Path
) -> None:
    rows = [row | {"prediction": "The answer is 72."} for row in SOLVED]
    path = write_jsonl(tmp_path / "b.jsonl", rows)
    assert "(--final 'The answer is')" in score(path, "--metrics", "rouge").err
    assert (
        "ROUGE-L         0.5000"
        in score(path, "--metrics", "rouge", "--final", "The answer is").out
    )


def test_boxed_answers_are_reported_and_read_in_answers_and_references() -> None:
    (note,) = list_notes(score_tables(BOXES, metrics=["rouge"], reference="answer"))
    assert r"stands behind \boxed{}" in note
    assert "(--final 'boxed')" in note
    results = score_tables(BOXES, metrics=["rouge"], reference="answer", final="boxed")
    assert results.scores(0)["rougeL"] == [1.0]


@pytest.mark.parametrize("text", [SOLUTION, "x = 1\nx + 1 = 2", "a\n#### b", r"a ; \boxed{b}"])
def test_no_separator_is_found_in_a_calculation(text: str) -> None:
    assert find_separators(text) == []


# Two rows with four references, one with a single reference.
NUMBERS: Rows = [
    {
        "question": "?",
        "reference": ["4821", "9930", "1175", "6604"],
        "prediction": "4821, 9930, 1175 and 6604",
    },
    {
        "question": "?",
        "reference": ["7120", "5533", "8047", "2951"],
        "prediction": "One is 7120.",
    },
    {
        "question": "?",
        "reference": "12",
        "prediction": "12",
    },
]
METRICS = ["correctness_estimate", "lv_eval_f1", "bleu", "rouge", "lv_eval_rouge"]


def test_the_score_is_the_mean_over_all_references_if_all_are_needed() -> None:
    results = score_tables(NUMBERS, metrics=METRICS, references="all")
    assert results.scores(0)["rougeL_recall"] == [1.0, 0.25, 1.0]
    assert results.scores(0)["lv_eval_f1_recall"] == [1.0, 0.25, 1.0]
    for name in METRICS:
        expected = [score_each_reference(name, row) for row in NUMBERS[:2]]
        key = Scorer(name).series[0].key
        assert results.scores(0)[key][:2] == pytest.approx(expected, abs=1e-12)
    for signature in results.results.metrics["signature"]:
        assert signature.endswith("|references:all")
    assert any(
        "Rows that need all of several references: 2." in note for note in list_notes(results)
    )
    assert "0.25" in draw_opened_row(results, 1)
    # By default the best reference counts.
    assert score_tables(NUMBERS, metrics=["rouge"]).scores(0)["rougeL_recall"] == [1.0, 1.0, 1.0]


def score_each_reference(name: str, row: dict[str, Any]) -> float:
    """Score an answer with each of its references separately and return the mean."""
    items = [Answer(row["prediction"], (reference,), "?") for reference in row["reference"]]
    scores = [scored.values[0] for scored in Scorer(name).score(items)]
    return fmean(scores)


def test_a_row_that_is_scored_with_each_reference_counts_once_in_notes() -> None:
    rows = [{"question": "?", "reference": ["the", "an"], "prediction": "Paris"}]
    notes = list_notes(score_tables(rows, metrics=["lv_eval_f1"], references="all"))
    assert any(
        note.startswith("Rows whose answer or reference has no word left to compare: 1")
        for note in notes
    )


def test_a_judge_is_asked_about_each_needed_reference() -> None:
    server = judges.start_server()
    settings = {
        "model": "judge-1",
        "base_url": server.url,
        "cache": False,
        "on_error": "skip",
        "progress": False,
    }
    needs_one = Answer("Paris", ("Paris", "Lyon"), "Where?")
    needs_all = Answer("Paris", ("Paris", "Lyon"), "Where?", needs_all=True)
    scored = Scorer("eve_judge", settings).score([needs_all, needs_one])
    assert [row.values for row in scored] == [(0.5,), (1.0,)]


def test_the_command_and_the_page_offer_the_choice_that_all_references_are_needed(
    score: Command, tmp_path: Path
) -> None:
    path = write_jsonl(tmp_path / "a.jsonl", NUMBERS)
    run = score(path, "--metrics", "rouge", "bleu", "--references", "all")
    assert "ROUGE-L recall          0.7500" in run.out
    assert "corpus BLEU counts each as a row" in " ".join(run.out.split())

    files = Files([send_rows(NUMBERS)])
    # The page knows columns by their numbers: 0 is the question, 1 the reference, 2 the prediction.
    # Only column 1 has several texts in a cell.
    with_several = cell_questions.ask_about_cells(
        files, prediction=["2"], reference=["1"], separator=""
    )
    with_one = cell_questions.ask_about_cells(
        files, prediction=["2"], reference=["0"], separator=""
    )
    assert with_several["references"]["visible"]
    assert not with_one["references"]["visible"]


# The reference is empty where the question has no answer.
UNANSWERABLE: Rows = [
    {"reference": ["Normans", "the Normans"], "prediction": "Normans"},
    {"reference": [], "prediction": ""},
    {"reference": "", "prediction": "Richard"},
    {"reference": None, "prediction": "unanswerable"},
    {"reference": [""], "prediction": None},
    {"reference": "France", "prediction": ""},
    {"reference": "", "prediction": "<think>Who was it"},
]


def test_with_empty_abstain_an_empty_answer_to_an_empty_reference_is_right() -> None:
    results = score_tables(UNANSWERABLE, metrics=METRICS, empty="abstain")
    for name in ("rougeL", "rouge2", "lv_eval_f1", "correctness_estimate"):
        # The first row is left out: it has references, and its scores differ between metrics.
        assert results.scores(0)[name][1:] == [1.0, 0.0, 0.0, 1.0, 0.0, 0.0]
    for signature in results.results.metrics["signature"]:
        assert "|empty:abstain" in signature
    (note,) = [note for note in list_notes(results) if note.startswith("Empty references")]
    assert note.startswith("Empty references, which say that there is no answer: 5.")
    assert (
        "right there (score 1): 2. Any other answer is wrong (score 0), even one that abstains in "
        "words: 3." in note
    )
    assert results.scores(0)["bleu"][1:3] == [1.0, 0.0]
    assert "there is no answer" in draw_opened_row(results, 1)
    # By default rows with an empty reference have no score.
    assert score_tables(UNANSWERABLE, metrics=["rouge"]).scores(0)["rougeL"] == [
        1.0,
        None,
        None,
        None,
        None,
        0.0,
        None,
    ]


def test_the_command_scores_empty_references_on_request(score: Command, tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "a.jsonl", UNANSWERABLE[:4])
    assert "the other choices are all, none, abstain." in score(path, "--metrics", "rouge").err
    run = score(path, "--metrics", "rouge", "--empty", "abstain")
    assert re.search(r"ROUGE-L +0\.5000 .* 4 +0\n", run.out)


def test_rows_with_only_empty_references_can_be_scored() -> None:
    results = score_tables(UNANSWERABLE[1:3], metrics=["rouge"], empty="abstain")
    assert results.scores(0)["rougeL"] == [1.0, 0.0]


def test_a_thousand_rows_have_one_note() -> None:
    roles = Roles("prediction", "answer")
    notes = TableNotes(roles)
    for number in range(1, 1_001):
        item = make_answer(SOLVED[0], roles, number)
        notes.add(item, number)
    (note,) = notes.list_texts()
    assert str(note).startswith("1,000 of 1,000 references")


# Options, and the number of calls for NUMBERS (9 references) and a row with an empty reference.
DRY_RUNS = [
    ([], 9),
    (["--references", "all"], 9),
    (["--empty", "abstain"], 9),
    (["--empty", "all"], 10),
]


@pytest.mark.parametrize(("options", "calls"), DRY_RUNS)
def test_a_dry_run_counts_one_call_for_each_reference(
    options: list[str],
    calls: int,
    score: Command,
    tmp_path: Path,
) -> None:
    empty = {"question": "?", "reference": "", "prediction": ""}
    path = write_jsonl(tmp_path / "a.jsonl", [*NUMBERS, empty])
    judge = ["--model", "m", "--base-url", "http://127.0.0.1:9/v1", "--cache", "no"]
    run = score(path, "--metrics", "eve_judge", *judge, "--dry-run", *options)
    assert f": {calls} calls" in run.out
