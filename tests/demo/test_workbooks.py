"""Of a workbook the first sheet with rows is read as a table; others are refused with a remedy."""

from __future__ import annotations

import datetime
import io
import re
import sys
import zipfile
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from lens.tables import untrusted
from lens.words.notes import UserError

from tests.demo.command_runs import Command
from tests.demo.file_samples import read_file, read_refusal

HEAD: list[Any] = ["question", "reference", "prediction"]
NOT_READ = "The sheet “a” is read, and these are not: “empty”, “b”."


def save_book(book: Any) -> bytes:
    """Return the bytes of a workbook."""
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def make_workbook(*sheets: tuple[str, list[list[Any]]], state: str = "visible") -> bytes:
    """Return the bytes of a workbook with these sheets; `state` is that of the first sheet."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets:
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.worksheets[0].sheet_state = state
    return save_book(book)


def make_sheet(*rows: list[Any]) -> bytes:
    """Return the bytes of a workbook with one sheet."""
    return make_workbook(("a", list(rows)))


def store_values(data: bytes, value: bytes) -> bytes:
    """Return the bytes of a workbook in which every formula has `value` as its stored value."""
    file = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(data)) as before,
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as after,
    ):
        for name in before.namelist():
            text = re.sub(rb"</f><v ?/?>(</v>)?", b"</f><v>" + value + b"</v>", before.read(name))
            after.writestr(name, text)
    return file.getvalue()


SHEETS = make_workbook(
    ("empty", []),
    (
        "a",
        [
            HEAD,
            ["2+3?", 5, "007"],
            [],
            ["When?", datetime.datetime(2020, 1, 2), True],
            ["?", None, 2.5],
        ],
    ),
    ("b", [HEAD]),
)


def test_the_first_sheet_with_rows_is_read_as_a_table() -> None:
    rows, notes = read_file("xlsx", SHEETS)
    assert rows == [
        {"question": "2+3?", "reference": 5, "prediction": "007"},
        {"question": "When?", "reference": "2020-01-02", "prediction": True},
        {"question": "?", "reference": None, "prediction": 2.5},
    ]
    assert notes.startswith(NOT_READ)
    assert "--sheet NAME" in notes


def test_a_sheet_can_be_chosen_by_its_name() -> None:
    assert read_file("xlsx", SHEETS, sheet="b") == ([], "")
    assert "no sheet “c”. Found: “empty”, “a”, “b”." in read_refusal("xlsx", SHEETS, sheet="c")


def test_a_hidden_sheet_is_not_read() -> None:
    data = make_workbook(
        ("hidden", [HEAD, [1, 2, 3]]),
        ("a", [HEAD, [4, 5, 6]]),
        state="hidden",
    )
    rows, _ = read_file("xlsx", data)
    assert rows[0] == {"question": 4, "reference": 5, "prediction": 6}


def test_the_command_and_the_page_read_workbooks(tmp_path: Path, score: Command) -> None:
    path = tmp_path / "a.xlsx"
    path.write_bytes(SHEETS)
    run = score(path, "--metrics", "rouge", "--sheet", "a")
    assert run.code == 0
    assert "3 rows; answer to score = prediction" in run.err
    assert untrusted.read_file(path, everything=True).rows == 3


def test_formulas_are_read_as_their_stored_values() -> None:
    data = make_sheet(HEAD, ["?", "ab", "=CONCATENATE(1)"], ["?", "c", "d"])
    assert "The formula in cell C2 has no value" in read_refusal("xlsx", data)
    rows, _ = read_file("xlsx", store_values(data, b"7"))
    assert [row["prediction"] for row in rows] == [7, "d"]


def test_errors_of_formulas_are_read_as_empty_cells() -> None:
    rows, notes = read_file("xlsx", make_sheet(HEAD, ["?", "a", "b"], ["?", "#N/A", "#DIV/0!"]))
    assert rows[1]["reference"] is None
    assert rows[1]["prediction"] is None
    assert "which count as empty: 2." in notes


def make_empty_archive() -> bytes:
    """Return a zip that has only the main file of a workbook, without contents."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("xl/workbook.xml", "<workbook/>")
    return file.getvalue()


# The bytes of a file, and a part of the error message.
REFUSED = [
    (make_sheet(["answer", "answer"], [1, 2]), "“answer” stands twice"),
    (make_sheet(["a"], [1, 2]), "Row 2 has another number of cells"),
    (b"PK\x03\x04 but not really", "not an Excel workbook"),
    (make_empty_archive(), "not an Excel workbook"),
]


def test_a_workbook_that_is_damaged_or_no_table_is_refused() -> None:
    for data, message in REFUSED:
        assert message in read_refusal("xlsx", data)


def test_a_huge_workbook_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    archive = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED)
    with archive, archive.open("xl/worksheets/sheet1.xml", "w") as sheet:
        for _ in range(210):
            sheet.write(bytes(1_000_000))
    with pytest.raises(UserError, match="at most 200 MB, unpacked"):
        untrusted.read_file(path, everything=True)


def test_a_single_cell_in_the_last_row_adds_one_row() -> None:
    book = openpyxl.Workbook()
    book.active.append(HEAD)
    book.active.append(["?", "a", "b"])
    book.active.cell(1_048_576, 3).value = "c"
    data = save_book(book)
    rows, _ = read_file("xlsx", data)
    # The empty rows between are left out.
    assert len(rows) == 2


def test_without_openpyxl_the_error_names_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    data = make_sheet(HEAD)
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    assert "python -m pip install openpyxl" in read_refusal("xlsx", data)
