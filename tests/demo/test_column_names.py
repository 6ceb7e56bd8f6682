"""Columns are recognised by their usual names. Doubts about them are reported.

The references of several columns are joined.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from lens.experiment.answers import make_answer
from lens.page.files import files_form
from lens.page.files.files_reading import Files
from lens.tables.column_names import find_doubts
from lens.tables.roles import MissingRole, ReadingOptions, Roles, choose_roles, guess_roles
from lens.words.notes import UserError

from tests.demo.command_runs import Command
from tests.demo.files_visits import score_tables, send_rows

# All columns of a table, and those expected for the question, the reference and the answer; "-" for
# none.
TABLES = [
    ("input actual_output expected_output context", "input expected_output actual_output"),
    ("prompt predict label", "prompt label predict"),
    ("input output expectedOutput metadata", "input expectedOutput output"),
    ("question correct_answer model_response", "question correct_answer model_response"),
    ("question expected_answer generated_answer", "question expected_answer generated_answer"),
    ("problem reference_answer predicted_answer", "problem reference_answer predicted_answer"),
    ("question standard_answer generated_text", "question standard_answer generated_text"),
    ("question gt pred", "question gt pred"),
    ("inputs labels predictions", "inputs labels predictions"),
    ("user_input response reference retrieved_contexts", "user_input reference response"),
    ("question answer contexts ground_truth", "question ground_truth answer"),
    ("question answer contexts ground_truths", "question ground_truths answer"),
    ("question answer references ground_truth", "question ground_truth answer"),
    ("question answer references", "question references answer"),
    ("question answer label", "question label answer"),
    ("question answer response", "question answer response"),
    ("id prediction_text answers", "- answers prediction_text"),
    ("src reference hypothesis", "- reference hypothesis"),
    ("input ideal completion", "input ideal completion"),
    ("query response ground_truth context", "query ground_truth response"),
    ("问题 参考答案 模型回答", "问题 参考答案 模型回答"),
    ("问题 标准答案 预测", "问题 标准答案 预测"),
    ("题目 答案 回答", "题目 答案 回答"),
    ("问题 标准答案 答案", "问题 标准答案 答案"),
    ("problem solution generation", "problem solution generation"),
    ("problem solution answer prediction", "problem answer prediction"),
    (
        "question best_answer correct_answers incorrect_answers output",
        "question best_answer output",
    ),
    ("prompt referenceResponse modelResponse", "prompt referenceResponse modelResponse"),
    ("src ref hyp", "- ref hyp"),
    ("inputs outputs reference_outputs", "inputs reference_outputs outputs"),
    ("問題 標準答案 模型回答（GPT-4）", "問題 標準答案 模型回答（GPT-4）"),
    ("question answer", "question answer -"),
    ("input output", "input - output"),
]


@pytest.mark.parametrize(("columns", "expected"), TABLES)
def test_usual_column_names_are_recognised_in_any_order(columns: str, expected: str) -> None:
    names = columns.split()
    for ordered_names in (names, names[::-1]):
        roles = guess_roles(ordered_names)
        guessed = [roles.question or "-", roles.reference or "-", roles.prediction or "-"]
        assert guessed == expected.split()


def list_doubts(*names: str) -> list[tuple[str, str]]:
    """Return the names of the doubtful columns, each with the options that choose it.

    A column is in doubt if its name fits a role for which another column was guessed.
    """
    columns = guess_roles(names).single_columns()
    doubts = find_doubts(names, columns, guessed=("reference", "prediction"))
    return [(doubt.other, doubt.options) for doubt in doubts]


def test_a_second_column_for_a_role_is_reported_with_the_options_that_choose_it() -> None:
    assert list_doubts("question", "ground_truth", "expected_answer", "answer") == [
        ("expected_answer", "--reference expected_answer --prediction answer")
    ]
    assert list_doubts("question", "answer", "model answer", "response") == [
        ("model answer", "--reference answer --prediction 'model answer'")
    ]
    assert list_doubts("question", "answer", "answer_aliases", "prediction") == [
        ("answer_aliases", "--reference answer answer_aliases --prediction prediction")
    ]
    assert list_doubts("question", "answer", "contexts", "ground_truths", "id", "topic") == []
    # A column that the user named is not in doubt.
    columns = {"reference": "reference", "prediction": "answer"}
    assert find_doubts(["reference", "gold", "answer"], columns, guessed=()) == []


@pytest.mark.parametrize(
    ("names", "options"),
    [
        (["a", "ground_truth"], "--reference ground_truth --prediction COLUMN"),
        (["model answer", "b"], "--reference COLUMN --prediction 'model answer'"),
    ],
)
def test_a_missing_column_is_reported_with_the_options_that_name_it(
    names: Sequence[str], options: str
) -> None:
    with pytest.raises(MissingRole) as error:
        choose_roles(names, {})
    assert error.value.options == options


ROW = {
    "question": "?",
    "answer": "Robert Bosch",
    "answer_aliases": ["R. Bosch", "Bosch"],
    "prediction": "Bosch",
}


@pytest.mark.parametrize(
    ("other_cells", "references"),
    [
        ({}, ("Robert Bosch", "R. Bosch", "Bosch")),
        ({"answer_aliases": None}, ("Robert Bosch",)),
        ({"answer": ""}, ("R. Bosch", "Bosch")),
        ({"answer_aliases": ["Robert Bosch"]}, ("Robert Bosch",)),
        ({"answer_aliases": []}, ("Robert Bosch",)),
        ({"answer_aliases": "a/b"}, ("Robert Bosch", "a", "b")),
        ({"answer": None, "answer_aliases": None}, ("",)),
    ],
)
def test_references_of_several_columns_are_joined_without_repeats(
    other_cells: dict[str, Any], references: tuple[str, ...]
) -> None:
    roles = Roles(
        "prediction",
        "answer",
        more_references=("answer_aliases",),
        reading=ReadingOptions(separator="/"),
    )
    assert make_answer(ROW | other_cells, roles, 1).references == references


def test_the_command_reads_references_from_several_columns(score: Command, tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text(json.dumps(ROW) + "\n")
    ran = score(file, "--metrics", "rouge")
    assert (
        "“answer_aliases” may hold further references. To count them too, add --reference answer"
        in ran.err
    )
    assert "ROUGE-L         0.6667" in ran.out
    both = score(file, "--metrics", "rouge", "--reference", "answer", "answer_aliases")
    assert "reference = answer, " in both.err
    assert "reference = answer_aliases" in both.err
    assert "ROUGE-L         1.0000" in both.out
    assert (
        "There is no column “b” for the role “reference”"
        in score(file, "--reference", "answer", "b").err
    )


def test_the_page_reads_references_from_several_columns() -> None:
    shown = files_form.show_choices(Files([send_rows([ROW])]))
    assert "“answer_aliases” may hold further references" in shown["status"]
    # The values of a choice of columns are their positions: 1 is "answer".
    assert shown["reference"]["value"] == ["1"]
    results = score_tables([ROW], metrics=["rouge"], reference=["answer", "answer_aliases"])
    assert results.scores(0)["rougeL"] == [1.0]
    with pytest.raises(UserError, match="two roles"):
        score_tables([ROW], metrics=["rouge"], reference=["answer", "prediction"])
