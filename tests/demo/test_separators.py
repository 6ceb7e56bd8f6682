"""Several references in one text that nobody split are noticed, and nothing is split unasked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from lens.page import files_form
from lens.page.files_form import Files
from lens.tables.roles import Item, Roles, references_in
from lens.tables.roll import Roll
from lens.tables.separators import separators_in, unsplit

from tests.demo.commanded import Command
from tests.demo.commanded import score as score
from tests.demo.test_files_tab import sent


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Edward VIII/Prince Edward", ["/"]),
        ("USA / United States", ["/"]),
        ("AC/DC/Queen", ["/"]),
        ("Ann Lee; Ann B. Lee", [";"]),
        ("red | green", ["|"]),
        ("北京/北京市政府", ["/"]),
        ("Ann\nBob", ["\\n"]),
        ('["Ann", "Bob"]', ["json"]),
        ('["Ann"]', []),
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
        ("He came to the old town in the spring; he left it for the mountains in the autumn of that year.", []),
        ("Paris", []),
    ],
)
def test_separators_stand_between_what_looks_like_answers(text: str, found: list[str]) -> None:
    assert separators_in(text) == found
    assert all(isinstance(references_in(text, one), list) for one in found)


def test_a_tenth_of_the_references_is_enough_and_less_is_not() -> None:
    def references(count: int) -> list[object]:
        return [*["big sea/ocean"] * count, *["Paris"] * (20 - count), "", None, ["x/y"]]

    few, many = map(references, (1, 2))
    assert unsplit(few) is None
    found = unsplit(many)
    assert found
    assert (found.separator, found.count, found.rows) == ("/", 2, 20)


def test_lists_of_another_kind_are_told_beside_a_separator() -> None:
    rows = [Item("a", "big sea/ocean"), Item("a", "['x', 'y']")]
    split, listlike = Roll(rows, Roles(prediction="p", reference="r")).doubts()
    assert ("“/” stands between" in split, "look like lists" in listlike) == (True, True)
    assert len(Roll([Item("a", '["x", "y"]')], Roles(prediction="p", reference="r")).doubts()) == 1


def test_command_and_page_say_so_and_split_on_request(tmp_path: Path, score: Command) -> None:
    rows = [{"reference": "Edward VIII/Prince Edward", "prediction": "Edward VIII"}]
    rows.append({"reference": "a", "prediction": "b"})
    given = tmp_path / "a.jsonl"
    given.write_text("".join(json.dumps(row) + "\n" for row in rows))
    ran = score(given, "--metrics", "rouge")
    assert "In 1 of 2 references “/” stands between what look like several answers" in ran.out
    assert "--separator '/'" in ran.err
    ran = score(given, "--metrics", "rouge", "--separator", "/")
    assert ("several answers" in ran.out + ran.err, "0.5000" in ran.out) == (False, True)
    shown = files_form.choices(Files([sent(rows)]))
    files, places = shown["files"], [shown[role]["value"] for role in ("prediction", "reference")]
    button = files_form.about_cells(files, *places, "")["split"]
    words = "1 of 2 references look like several answers: split them at “/”"
    assert (button["visible"], button["value"]) == (True, words)
    chosen = files_form.split_chosen(files, places[1])
    assert chosen == {"separator": "/"}
    assert not files_form.about_cells(files, *places, chosen["separator"])["split"]["visible"]
