"""Several references in one text are noticed, and split only on request."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from lens.experiment.answers import Answer
from lens.experiment.index import AnswerIndex
from lens.page.files import cell_questions, files_form
from lens.page.files.files_reading import Files
from lens.tables.list_texts import read_list
from lens.tables.roles import Roles
from lens.tables.separators import find_frequent_separator, find_separators, split_references

from tests.demo.command_runs import Command
from tests.demo.files_visits import send_rows


@pytest.mark.parametrize(
    ("text", "separators"),
    [
        ("Edward VIII/Prince Edward", ["/"]),
        ("USA / United States", ["/"]),
        ("AC/DC/Queen", ["/"]),
        ("Ann Lee; Ann B. Lee", [";"]),
        ("red | green", ["|"]),
        ("北京/北京市政府", ["/"]),
        ("Ann\nBob", ["\\n"]),
        ('["Ann", "Bob"]', ["json"]),
        ('["Ann"]', ["json"]),
        ("['Ann', \"Bob's\"]", ["json"]),
        ("['Ann'\n 'Bob']", ["json"]),
        ("('Ann', 'Bob')", ["json"]),
        ("{'Ann', 'Bob'}", ["json"]),
        ("array(['Ann', 'Bob'], dtype=object)", ["json"]),
        ("[u'Ann', 7]", ["json"]),
        ("['Ann' ... 'Bob']", []),
        ("['Ann', None]", []),
        ("{'Ann': 'Bob'}", []),
        ("('Ann')", []),
        ("(Ann, Bob)", []),
        ("Paris || Paris, France", ["||"]),
        ("UK ;; United Kingdom", [";;"]),
        ("UK<OR>United Kingdom", ["<OR>"]),
        ("UK [SEP] United Kingdom", ["[SEP]"]),
        ("UK ### United Kingdom", ["###"]),
        ("|| Paris", []),
        ("Paris or Lutetia", [" or "]),
        ("2 or 3 days", []),
        ("It was painted by the father or by one of his many sons in the same year", []),
        ("Take it or leave it.", []),
        ("[1, 2", []),
        ("12/03/2020", []),
        ("3/4", []),
        ("the 2010/2011 season", []),
        ("90 km/h", []),
        ("60 miles/hour", []),
        ("5 mg/dL", []),
        ("a dose of 5 mg/ day", []),
        ("big sea/h 2", ["/"]),
        ("cats and/or dogs", []),
        ("https://example.org/a/b", []),
        ("www.example.org/a", []),
        ("/usr/bin", []),
        ("AC/DC", []),
        ("Paris/", []),
        (
            (
                "He came to the old town in the spring; he left it for the mountains in the "
                "autumn of that year."
            ),
            [],
        ),
        ("Paris", []),
    ],
)
def test_separators_are_found_only_between_texts_that_look_like_answers(
    text: str, separators: list[str]
) -> None:
    assert find_separators(text) == separators
    assert all(isinstance(split_references(text, separator), list) for separator in separators)


def test_an_uncertain_separator_needs_a_tenth_of_the_references() -> None:
    def list_references(count: int) -> list[object]:
        return [*["big sea/ocean"] * count, *["Paris"] * (20 - count), "", None, ["x/y"]]

    assert find_frequent_separator(list_references(1)) is None
    frequent = find_frequent_separator(list_references(2))
    assert frequent
    assert frequent.separator == "/"
    assert frequent.count == 2
    assert frequent.references == 20


def test_a_note_counts_the_references_with_a_separator() -> None:
    def list_doubts(*references: str) -> list[str]:
        answers = [Answer("a", (reference,)) for reference in references]
        index = AnswerIndex(answers, Roles(prediction="p", reference="r"))
        return list(map(str, index.list_doubts()))

    certain = find_frequent_separator(["Paris"] * 999 + ["UK || United Kingdom"])
    assert certain
    assert certain.separator == "||"
    assert certain.count == 1
    assert certain.references == 1000
    (note,) = list_doubts("big sea/ocean", "big lake/pond", "['x', 'y']")
    assert "In 2 of 3 references “/” stands" in note
    assert "other references: “json” (1)" in note
    (note,) = list_doubts("['x', 'y']")
    assert "1 of 1 references are lists written as text" in note
    assert "--separator json" in note
    (note,) = list_doubts("['x' ... 'y']")
    assert "cannot be read as lists and count as they are: 1" in note


def test_a_list_in_the_syntax_of_python_is_read_on_request(tmp_path: Path, score: Command) -> None:
    file = tmp_path / "a.csv"
    file.write_text(
        "reference,prediction\n\"['Paris', 'Lutetia']\",Lutetia\n\"['NYC' 'New York']\",NYC\n"
    )
    assert "0.5833" in score(file, "--metrics", "rouge").out
    ran = score(file, "--metrics", "rouge", "--separator", "json")
    assert "ROUGE-1         1.0000" in ran.out
    assert "written as text" not in ran.err


@pytest.mark.parametrize(
    "text", ["['" + "\\'" * 40_000, "[" + "'a' " * 30_000, "['a'" + " " * 90_000, "[" * 90_000]
)
def test_a_long_text_that_only_begins_like_a_list_is_not_read_as_one(text: str) -> None:
    assert read_list(text) is None
    assert find_separators(text) == []


def test_the_command_and_the_page_report_unsplit_references_and_split_them_on_request(
    tmp_path: Path, score: Command
) -> None:
    rows = [{"reference": "Edward VIII/Prince Edward", "prediction": "Edward VIII"}]
    rows.append({"reference": "a", "prediction": "b"})
    file = tmp_path / "a.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    ran = score(file, "--metrics", "rouge")
    assert "In 1 of 2 references “/” stands between what look like several answers" in ran.out
    assert "--separator '/'" in ran.err
    ran = score(file, "--metrics", "rouge", "--separator", "/")
    assert "several answers" not in ran.out + ran.err
    assert "0.5000" in ran.out
    shown = files_form.show_choices(Files([send_rows(rows)]))
    files = shown["files"]
    prediction = shown["prediction"]["value"]
    reference = shown["reference"]["value"]
    button = cell_questions.ask_about_cells(files, prediction, reference, "")["split"]
    assert button["visible"]
    words = "1 of 2 references look like several answers: split them at “/”"
    assert button["value"] == words
    assert cell_questions.choose_separator(files, reference) == {"separator": "/"}
    button = cell_questions.ask_about_cells(files, prediction, reference, "/")["split"]
    assert not button["visible"]
