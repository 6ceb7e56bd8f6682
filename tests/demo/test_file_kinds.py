"""Files in other encodings, workbooks, lines of text and tables with tabs are read, or refused with the remedy."""

from __future__ import annotations

import io
import json
import re
import time
import zipfile
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from lens.tables import untrusted
from lens.tables.read import table_rows
from lens.tables.reading import Reading
from lens.tables.roles import BadTable

from tests.demo.commanded import Command, jsonl
from tests.demo.commanded import score as score

Rows = list[dict[str, Any]]


def read(kind: str, data: bytes, **options: Any) -> tuple[Rows, str]:
    """The rows of a file, and what is told of it."""
    reading = Reading(**options)
    rows = list(table_rows(kind, io.BytesIO(data), None, reading))
    return rows, " ".join(reading.notes)


def refusal(kind: str, data: bytes, **options: Any) -> str:
    with pytest.raises(BadTable) as refused:
        read(kind, data, **options)
    return str(refused.value)


CHINESE = "question,reference,prediction\n首都在哪里?,北京,首都是北京。\n作者是谁?,曹雪芹,作者是曹雪芹\n"
FRENCH = "question,reference,prediction\nOù est né l’écrivain?,Besançon,À Besançon\n"
RUSSIAN = "question,reference,prediction\nКакой город столица России?,Москва,Столица России Москва\n"


def test_a_mark_at_the_beginning_says_the_encoding() -> None:
    rows = read("csv", CHINESE.encode())[0]
    for encoding in ("utf-16", "utf-32", "utf-16-le", "utf-16-be", "utf-32-be"):
        mark = "" if encoding in ("utf-16", "utf-32") else "\ufeff"
        found, told = read("csv", (mark + CHINESE).encode(encoding))
        assert found == rows
        assert f"read as {encoding[:6].upper()}, which a mark" in told
    lines = json.dumps({"prediction": "北京"}, ensure_ascii=False)
    assert read("json", lines.encode("utf-16"))[0] == [{"prediction": "北京"}]
    # The mark wins over what is said.
    assert read("csv", ("\ufeff" + CHINESE).encode(), encoding="gbk")[0] == rows


def test_another_encoding_is_read_when_it_is_named_and_likely_when_it_is_not() -> None:
    likely = {
        "gbk": (CHINESE, "gb18030"),
        "cp1252": (FRENCH, "cp1252"),
        "big5": (CHINESE.replace("哪里", "何"), "big5"),
    }
    for encoding, (text, name) in likely.items():
        data = text.encode(encoding, "ignore")
        assert read("csv", data, encoding=encoding)[0] == read("csv", data.decode(encoding).encode())[0]
        told = refusal("csv", data)
        assert told.startswith("The file is not in UTF-8 (line 2 has other bytes).")
        assert f"--encoding {name}" in told
    assert "--encoding" in refusal("csv", RUSSIAN.encode("cp1251"))
    assert "--encoding utf-16-le" in refusal("csv", "question,reference\na,b\n".encode("utf-16-le"))
    assert "--encoding utf-16-be" in refusal("json", b'{"prediction": "a"}'.decode().encode("utf-16-be"))
    damaged = CHINESE.encode() * 30 + b"a,b,\xff\n"
    assert "in UTF-8, but line 91 is damaged" in refusal("csv", damaged)
    assert "not in utf-16" in refusal("csv", "a,b\n".encode("utf-16") + b"\xd8\xd8\xd8")
    assert "not in gbk (line 2" in refusal("csv", FRENCH.encode("cp1252")[:-2] + b"\xff\xff\n", encoding="gbk")


def test_what_decodes_to_nonsense_is_told_by_what_was_taken() -> None:
    rows, told = read("csv", CHINESE.encode("gbk"), encoding="cp1251")
    assert rows[0]["reference"] == "北京".encode("gbk").decode("cp1251")
    assert "The file is read as cp1251. Its first signs beyond ASCII read “" in told
    assert "its beginning is valid UTF-8" not in told.lower()
    _, told = read("csv", "question,prediction\n?,é\n".encode(), encoding="gbk")
    assert "Its beginning is valid UTF-8 too" in told
    assert read("csv", b"a,b\n1,2\n", encoding="gbk")[1] == "The file is read as gbk."


def test_the_command_takes_an_encoding_and_refuses_one_that_is_none(tmp_path: Path, score: Command) -> None:
    (tmp_path / "a.csv").write_bytes(CHINESE.encode("gbk"))
    ran = score(tmp_path / "a.csv", "--metrics", "rouge", "--encoding", "gbk")
    assert (ran.code, "read as gbk" in ran.err) == (0, True)
    for name in ("klingon", "hex", "\0"):
        ran = score(tmp_path / "a.csv", "--encoding", name)
        assert (ran.code, "there is no encoding" in ran.err) == (2, True)
    table = untrusted.Table(**untrusted.contents("csv", CHINESE.encode("gbk"), True, "gb18030"))
    assert (table.cells("reference"), "read as gb18030" in table.told) == (["北京", "曹雪芹"], True)
    assert untrusted.read(tmp_path / "a.csv", True, "gb18030").rows == 2
    with pytest.raises(BadTable, match="not in UTF-8"):
        untrusted.read(tmp_path / "a.csv", True, "punycode")


def test_a_file_of_another_kind_than_its_name_says() -> None:
    for data, ending in (
        (b"PK\x03\x04", ".xlsx"),
        (b"PAR1", ".parquet"),
        (b"\x1f\x8b", ".gz"),
        (b"\xd0\xcf\x11\xe0", ".xls"),
    ):
        assert f"that kind ends in {ending}." in refusal("csv", data + bytes(60))


# Tables

QUOTES = (
    'question\treference\tprediction\nWho said "a dream"?\tKing\t"Martin" Luther King\nHeight?\t5\'10"\t5\'10"\n'
    'What?\tThe "Raven"\t"The Raven" is a poem\n'
)
TABS = [
    (QUOTES, 3, {"prediction": '"The Raven" is a poem'}, True),
    # Two lines that are one quoted cell of CSV, but have all the tabs of two rows.
    ('reference\tprediction\na\t"b\nc\td"\n', 2, {"prediction": 'd"'}, True),
    ('reference\tprediction\n"a\tb\nc\td\n', 2, {"reference": "c"}, True),
    # What a spreadsheet quotes is quoted.
    ('reference\tprediction\na\t"b ""c"""\n', 1, {"prediction": 'b "c"'}, False),
    ('reference\tprediction\na\t"b\nc"\n', 1, {"prediction": "b\nc"}, False),
    ('reference\tprediction\na\t"b\tc"\n', 1, {"prediction": "b\tc"}, False),
    ('sep=\t\nreference\tprediction\na\t"b" c\n', 1, {"prediction": '"b" c'}, True),
    ("\n\nreference\tprediction\n\n\tb\n", 1, {"reference": "", "prediction": "b"}, False),
]


def test_quotation_marks_in_a_table_with_tabs() -> None:
    for text, count, last, is_told in TABS:
        rows, told = read("csv", text.encode())
        assert len(rows) == count
        assert last.items() <= rows[-1].items()
        assert ("part of its texts" in told) == is_told
    assert "cannot be read from row 1" in refusal("csv", b'a\tb\n"x"y\t1\t2\n')


def test_the_sign_between_columns_is_looked_for_outside_quotation_marks() -> None:
    for text, row in (
        ('"question, with, commas";reference;prediction\nq;x;x\n', {"question, with, commas": "q", "reference": "x"}),
        ('"a;b;c",reference,prediction\nq,x,y\n', {"a;b;c": "q", "prediction": "y"}),
        ("reference|prediction\nx, y, z|a\n", {"reference": "x, y, z"}),
    ):
        (found,) = read("csv", text.encode())[0]
        assert row.items() <= found.items()


def test_a_head_of_nothing_takes_linear_time() -> None:
    begun = time.process_time()
    assert read("csv", b"a,b" + b"," * 2_000_000 + b"\n1,2" + b"," * 2_000_000) == ([{"a": "1", "b": "2"}], "")
    assert time.process_time() - begun < 5


# Lines

LINES = "Paris.\n\nOslo"


def test_a_line_of_a_text_is_an_answer(tmp_path: Path, score: Command) -> None:
    rows, told = read("txt", LINES.encode())
    assert rows == [{"prediction": "Paris."}, {"prediction": ""}, {"prediction": "Oslo"}]
    assert told == "Each line of this text is one answer."
    assert read("txt", b"\xef\xbb\xbfa\r\nb\r\n")[0] == [{"prediction": "a"}, {"prediction": "b"}]
    assert "table" in read("txt", b"reference\tprediction\na\tb\n")[1]
    hypotheses, references = tmp_path / "hyp.txt", tmp_path / "ref.txt"
    hypotheses.write_text(LINES)
    references.write_text("Paris\nRome\nRome\n")
    ran = score(hypotheses, "--metrics", "rouge")
    assert (ran.code, "--references-file FILE" in ran.err) == (2, True)
    ran = score(hypotheses, "--metrics", "rouge", "--references-file", references)
    assert "3 answers have their references from ref.txt, by their order." in ran.err
    assert "0.3333" in ran.out
    references.write_text("Paris\n")
    ran = score(hypotheses, "--references-file", references)
    assert (ran.code, "ref.txt has 1 rows and the answers have 3." in ran.err) == (2, True)
    references.write_text("Paris\nRome\nRome\nBern\n")
    assert "ref.txt has 4 rows and the answers have 3." in score(hypotheses, "--references-file", references).err
    references.write_text("")
    assert "ref.txt: The file has no rows." in score(hypotheses, "--references-file", references).err


def batch(name: str, text: str) -> dict[str, Any]:
    body = {"model": "m", "choices": [{"message": {"role": "assistant", "content": text}}]}
    return {"id": "b", "custom_id": name, "response": {"status_code": 200, "body": body}, "error": None}


def test_the_output_of_a_batch_gets_its_references_by_id(tmp_path: Path, score: Command) -> None:
    output = jsonl(tmp_path / "out.jsonl", [batch("q2", "Oslo"), batch("q1", "Nairobi"), batch("q3", "?")])
    rows: Rows = [
        {"id": "q1", "question": "Kenya?", "answer": "Nairobi"},
        {"id": "q2", "question": "Norway?", "answer": ["Oslo", "oslo"]},
        {"id": "q9", "question": "Peru?", "answer": "Lima"},
    ]
    references = jsonl(tmp_path / "gold.jsonl", rows)
    ran = score(output, "--metrics", "rouge")
    assert (ran.code, "--references-file FILE, by id or by order" in ran.err) == (2, True)
    ran = score(output, "--metrics", "rouge", "--references-file", references)
    for words in (
        "2 answers have their references from gold.jsonl, by id.",
        "no references from it: 1.",
        "whose id no answer has: 1.",
        "reference = reference, question = question, id = id",
    ):
        assert words in ran.err
    assert "ROUGE-1         1.0000" in ran.out
    # Names that are given, a dotted one, and two systems.
    nested = [{"custom_id": row["id"], "gold": {"text": row["answer"]}} for row in rows]
    references = jsonl(tmp_path / "gold.jsonl", nested)
    given = ["--metrics", "rouge", "--reference", "gold.text", "--references-file", references]
    assert "ROUGE-1         1.0000" in score(output, *given).out
    other = jsonl(tmp_path / "other.jsonl", [batch("q1", "Lagos"), batch("q2", "Oslo"), batch("q3", "?")])
    ran = score(output, other, *given)
    assert "2 systems, matched by" in ran.err
    jsonl(tmp_path / "gold.jsonl", [nested[0], nested[0]])
    assert "The id “q1” stands in row 1 and again in row 2" in score(output, *given).err
    jsonl(tmp_path / "gold.jsonl", [{"custom_id": "q1", "x": "y"}])
    assert "gold.jsonl: No column is known to hold the reference." in score(output, *given).err


# Workbooks


def workbook(*sheets: tuple[str, list[list[Any]]], state: str = "visible") -> bytes:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets:
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.worksheets[0].sheet_state = state
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


HEAD: list[Any] = ["question", "reference", "prediction"]


def computed(data: bytes, value: bytes) -> bytes:
    """A workbook in which every formula has this number as its value."""
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as before, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as after:
        for name in before.namelist():
            text = re.sub(rb"</f><v ?/?>(</v>)?", b"</f><v>" + value + b"</v>", before.read(name))
            after.writestr(name, text)
    return file.getvalue()


def test_a_sheet_of_a_workbook_is_a_table(tmp_path: Path, score: Command) -> None:
    import datetime

    rows = [HEAD, ["2+3?", 5, "007"], [], ["When?", datetime.datetime(2020, 1, 2), True], ["?", None, 2.5]]
    data = workbook(("empty", []), ("a", rows), ("b", [HEAD]))
    found, told = read("xlsx", data)
    assert found == [
        {"question": "2+3?", "reference": 5, "prediction": "007"},
        {"question": "When?", "reference": "2020-01-02", "prediction": True},
        {"question": "?", "reference": None, "prediction": 2.5},
    ]
    assert told.startswith("The sheet “a” is read, and these are not: “empty”, “b”.")
    assert "--sheet NAME" in told
    assert read("xlsx", data, sheet="b") == ([], "")
    assert "no sheet “c”. Found: “empty”, “a”, “b”." in refusal("xlsx", data, sheet="c")
    assert read("xlsx", workbook(("hidden", [HEAD, [1, 2, 3]]), ("a", [HEAD, [4, 5, 6]]), state="hidden"))[0][
        0
    ] == dict(zip(HEAD, [4, 5, 6], strict=True))
    (tmp_path / "a.xlsx").write_bytes(data)
    ran = score(tmp_path / "a.xlsx", "--metrics", "rouge", "--sheet", "a")
    assert (ran.code, "3 rows; answer to score = prediction" in ran.err) == (0, True)
    assert untrusted.read(tmp_path / "a.xlsx", everything=True).rows == 3


def test_formulas_are_their_values_and_what_a_workbook_cannot_say_is_refused() -> None:
    data = workbook(("a", [HEAD, ["?", "ab", "=CONCATENATE(1)"], ["?", "c", "d"]]))
    assert "The formula in cell C2 has no value" in refusal("xlsx", data)
    assert [row["prediction"] for row in read("xlsx", computed(data, b"7"))[0]] == [7, "d"]
    rows, told = read("xlsx", workbook(("a", [HEAD, ["?", "a", "b"], ["?", "#N/A", "#DIV/0!"]])))
    assert (rows[1]["reference"], rows[1]["prediction"]) == (None, None)
    assert "which count as empty: 2." in told
    assert "“answer” stands twice" in refusal("xlsx", workbook(("a", [["answer", "answer"], [1, 2]])))
    assert "Row 2 has another number of cells" in refusal("xlsx", workbook(("a", [["a"], [1, 2]])))
    assert "no Excel workbook" in refusal("xlsx", b"PK\x03\x04 but not really")
    empty = io.BytesIO()
    with zipfile.ZipFile(empty, "w") as archive:
        archive.writestr("xl/workbook.xml", "<workbook/>")
    assert "no Excel workbook" in refusal("xlsx", empty.getvalue())


def test_a_huge_workbook_is_refused_before_it_is_unpacked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    huge = io.BytesIO()
    with (
        zipfile.ZipFile(huge, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("xl/worksheets/sheet1.xml", "w") as sheet,
    ):
        for _ in range(210):
            sheet.write(bytes(1_000_000))
    (tmp_path / "a.xlsx").write_bytes(huge.getvalue())
    with pytest.raises(BadTable, match="at most 200 MB, unpacked"):
        untrusted.read(tmp_path / "a.xlsx", everything=True)
    # One stray cell far away makes no rows between.
    book = openpyxl.Workbook()
    book.active.append(HEAD)
    book.active.append(["?", "a", "b"])
    book.active.cell(1_048_576, 3).value = "c"
    far = io.BytesIO()
    book.save(far)
    begun = time.process_time()
    assert len(read("xlsx", far.getvalue())[0]) == 2
    assert time.process_time() - begun < 10


def test_without_openpyxl_the_error_names_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "openpyxl", None)
    assert "python -m pip install openpyxl" in refusal("xlsx", workbook(("a", [HEAD])))
