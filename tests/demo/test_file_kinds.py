"""Files in other encodings, texts of lines and tables with tabs are read or refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from lens.tables import untrusted
from lens.words.notes import UserError

from tests.demo.command_runs import Command, write_jsonl
from tests.demo.file_samples import Rows, read_file, read_refusal

CHINESE = (
    "question,reference,prediction\n首都在哪里?,北京,首都是北京。\n作者是谁?,曹雪芹,作者是曹雪芹\n"
)
FRENCH = "question,reference,prediction\nOù est né l’écrivain?,Besançon,À Besançon\n"
RUSSIAN = (
    "question,reference,prediction\nКакой город столица России?,Москва,Столица России Москва\n"
)
GBK = CHINESE.encode("gbk")

# The bytes of the Chinese table with a byte order mark, and the encoding that the mark names.
MARKED = [
    (CHINESE.encode("utf-16"), "UTF-16"),
    (CHINESE.encode("utf-32"), "UTF-32"),
    (("\ufeff" + CHINESE).encode("utf-16-le"), "UTF-16"),
    (("\ufeff" + CHINESE).encode("utf-16-be"), "UTF-16"),
    (("\ufeff" + CHINESE).encode("utf-32-be"), "UTF-32"),
]


def test_a_byte_order_mark_decides_the_encoding() -> None:
    expected, _ = read_file("csv", CHINESE.encode())
    for data, encoding in MARKED:
        rows, notes = read_file("csv", data)
        assert rows == expected
        assert f"read as {encoding}, which a mark" in notes


def test_a_byte_order_mark_works_for_json_and_wins_over_the_option() -> None:
    line = json.dumps({"prediction": "北京"}, ensure_ascii=False)
    rows, _ = read_file("json", line.encode("utf-16"))
    assert rows == [{"prediction": "北京"}]
    expected, _ = read_file("csv", CHINESE.encode())
    rows, _ = read_file("csv", ("\ufeff" + CHINESE).encode(), encoding="gbk")
    assert rows == expected


# An encoding, a text in it, and the encoding that the message advises.
LIKELY = [
    ("gbk", CHINESE, "gb18030"),
    ("cp1252", FRENCH, "cp1252"),
    ("big5", CHINESE.replace("哪里", "何"), "big5"),
]


@pytest.mark.parametrize(("encoding", "text", "advised"), LIKELY)
def test_another_encoding_is_read_if_it_is_named_and_advised_if_it_is_not(
    encoding: str, text: str, advised: str
) -> None:
    data = text.encode(encoding, "ignore")
    expected, _ = read_file("csv", data.decode(encoding).encode())
    rows, _ = read_file("csv", data, encoding=encoding)
    assert rows == expected
    message = read_refusal("csv", data)
    assert message.startswith("The file is not in UTF-8 (line 2 has other bytes).")
    assert f"--encoding {advised}" in message


DAMAGED = CHINESE.encode() * 30 + b"a,b,\xff\n"
# The format and the bytes of a file, and a part of the error message.
UNDECODABLE = [
    ("csv", RUSSIAN.encode("cp1251"), "--encoding"),
    ("csv", "question,reference\na,b\n".encode("utf-16-le"), "--encoding utf-16-le"),
    ("json", '{"prediction": "a"}'.encode("utf-16-be"), "--encoding utf-16-be"),
    ("csv", DAMAGED, "in UTF-8, but line 91 is damaged"),
    ("csv", "a,b\n".encode("utf-16") + b"\xd8\xd8\xd8", "not in utf-16"),
]


def test_a_file_in_an_unknown_encoding_is_refused() -> None:
    for kind, data, message in UNDECODABLE:
        assert message in read_refusal(kind, data)


def test_bytes_that_are_invalid_in_the_named_encoding_are_refused() -> None:
    data = FRENCH.encode("cp1252")[:-2] + b"\xff\xff\n"
    assert "not in gbk (line 2" in read_refusal("csv", data, encoding="gbk")


def test_a_note_shows_the_first_characters_as_they_were_decoded() -> None:
    rows, notes = read_file("csv", GBK, encoding="cp1251")
    assert rows[0]["reference"] == "北京".encode("gbk").decode("cp1251")
    assert "The file is read as cp1251. Its first signs beyond ASCII read “" in notes
    assert "its beginning is valid utf-8" not in notes.lower()

    _, notes = read_file("csv", "question,prediction\n?,é\n".encode(), encoding="gbk")
    assert "Its beginning is valid UTF-8 too" in notes
    _, notes = read_file("csv", b"a,b\n1,2\n", encoding="gbk")
    assert notes == "The file is read as gbk."


def test_the_command_takes_an_encoding_and_refuses_an_unknown_one(
    tmp_path: Path, score: Command
) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(GBK)
    run = score(path, "--metrics", "rouge", "--encoding", "gbk")
    assert run.code == 0
    assert "read as gbk" in run.err
    for name in ("klingon", "hex", "\0"):
        run = score(path, "--encoding", name)
        assert run.code == 2
        assert "there is no encoding" in run.err


def test_the_page_takes_an_encoding(tmp_path: Path) -> None:
    table = untrusted.Table(**untrusted.read_contents("csv", GBK, True, "gb18030"))
    assert table.cells("reference") == ["北京", "曹雪芹"]
    assert "read as gb18030" in table.reading_notes
    path = tmp_path / "a.csv"
    path.write_bytes(GBK)
    assert untrusted.read_file(path, True, "gb18030").rows == 2
    with pytest.raises(UserError, match="not in UTF-8"):
        untrusted.read_file(path, True, "punycode")


# The first bytes of files in other formats, and the ending of their names.
OTHER_KINDS = [
    (b"PK\x03\x04", ".xlsx"),
    (b"PAR1", ".parquet"),
    (b"\x1f\x8b", ".gz"),
    (b"\xd0\xcf\x11\xe0", ".xls"),
]


@pytest.mark.parametrize(("beginning", "ending"), OTHER_KINDS)
def test_a_file_in_another_format_than_its_name_says_is_refused_with_the_right_ending(
    beginning: bytes, ending: str
) -> None:
    assert f"Give it a name that ends in {ending};" in read_refusal("csv", beginning + bytes(60))


# Tables

QUOTES = (
    'question\treference\tprediction\nWho said "a dream"?\tKing\t"Martin" Luther '
    "King\nHeight?\t5'10\"\t5'10\"\n"
    'What?\tThe "Raven"\t"The Raven" is a poem\n'
)
# A table, its number of rows, cells of the last row, and whether a note says that quotation marks
# are part of the texts.
TABS = [
    (QUOTES, 3, {"prediction": '"The Raven" is a poem'}, True),
    # As CSV, these two lines are one quoted cell; but each line has as many tabs as the header.
    ('reference\tprediction\na\t"b\nc\td"\n', 2, {"prediction": 'd"'}, True),
    ('reference\tprediction\n"a\tb\nc\td\n', 2, {"reference": "c"}, True),
    # A cell that a spreadsheet quoted is unquoted.
    ('reference\tprediction\na\t"b ""c"""\n', 1, {"prediction": 'b "c"'}, False),
    ('reference\tprediction\na\t"b\nc"\n', 1, {"prediction": "b\nc"}, False),
    ('reference\tprediction\na\t"b\tc"\n', 1, {"prediction": "b\tc"}, False),
    ('sep=\t\nreference\tprediction\na\t"b" c\n', 1, {"prediction": '"b" c'}, True),
    ("\n\nreference\tprediction\n\n\tb\n", 1, {"reference": "", "prediction": "b"}, False),
]


@pytest.mark.parametrize(("text", "count", "last", "has_note"), TABS)
def test_quotation_marks_in_a_table_with_tabs_are_kept_unless_they_quote_a_cell(
    text: str,
    count: int,
    last: dict[str, str],
    has_note: bool,
) -> None:
    rows, notes = read_file("csv", text.encode())
    assert len(rows) == count
    assert last.items() <= rows[-1].items()
    assert ("part of the texts" in notes) == has_note


def test_a_table_with_too_many_cells_and_broken_quotation_marks_is_refused() -> None:
    assert "cannot be read from row 1" in read_refusal("csv", b'a\tb\n"x"y\t1\t2\n')


# A table with one row, and cells of the row.
SEPARATORS = [
    (
        '"question, with, commas";reference;prediction\nq;x;x\n',
        {"question, with, commas": "q", "reference": "x"},
    ),
    (
        '"a;b;c",reference,prediction\nq,x,y\n',
        {"a;b;c": "q", "prediction": "y"},
    ),
    (
        "reference|prediction\nx, y, z|a\n",
        {"reference": "x, y, z"},
    ),
]


@pytest.mark.parametrize(("text", "cells"), SEPARATORS)
def test_the_separator_of_columns_is_guessed_outside_quotation_marks(
    text: str, cells: dict[str, str]
) -> None:
    rows, _ = read_file("csv", text.encode())
    (row,) = rows
    assert cells.items() <= row.items()


def test_a_header_with_two_million_empty_names_is_read() -> None:
    commas = b"," * 2_000_000
    assert read_file("csv", b"a,b" + commas + b"\n1,2" + commas) == ([{"a": "1", "b": "2"}], "")


# Lines

LINES = "Paris.\n\nOslo"


def test_each_line_of_a_text_file_is_an_answer() -> None:
    rows, notes = read_file("txt", LINES.encode())
    assert rows == [{"prediction": "Paris."}, {"prediction": ""}, {"prediction": "Oslo"}]
    assert notes == "Each line of this text is one answer."
    rows, _ = read_file("txt", b"\xef\xbb\xbfa\r\nb\r\n")
    assert rows == [{"prediction": "a"}, {"prediction": "b"}]
    _, notes = read_file("txt", b"reference\tprediction\na\tb\n")
    assert "table" in notes


# The content of a file of references for three answers, and the error message.
WRONG_REFERENCES = [
    ("Paris\n", "ref.txt has 1 rows and the answers have 3."),
    ("Paris\nRome\nRome\nBern\n", "ref.txt has 4 rows and the answers have 3."),
    ("", "ref.txt: The file has no rows."),
]


def test_answers_in_lines_are_matched_with_a_file_of_references_by_order(
    tmp_path: Path, score: Command
) -> None:
    answers, references = tmp_path / "hyp.txt", tmp_path / "ref.txt"
    answers.write_text(LINES)
    references.write_text("Paris\nRome\nRome\n")
    run = score(answers, "--metrics", "rouge")
    assert run.code == 2
    assert "--references-file FILE" in run.err
    run = score(answers, "--metrics", "rouge", "--references-file", references)
    assert "3 answers have their references from ref.txt, by their order." in run.err
    assert "0.3333" in run.out

    for text, message in WRONG_REFERENCES:
        references.write_text(text)
        run = score(answers, "--references-file", references)
        assert run.code == 2
        assert message in run.err


def make_batch_line(name: str, text: str) -> dict[str, Any]:
    """Return a line of the output file of a batch."""
    message = {"role": "assistant", "content": text}
    body = {"model": "m", "choices": [{"message": message}]}
    return {
        "id": "b",
        "custom_id": name,
        "response": {"status_code": 200, "body": body},
        "error": None,
    }


REPLIES = [
    make_batch_line("q2", "Oslo"),
    make_batch_line("q1", "Nairobi"),
    make_batch_line("q3", "?"),
]
GOLD: Rows = [
    {"id": "q1", "question": "Kenya?", "answer": "Nairobi"},
    {"id": "q2", "question": "Norway?", "answer": ["Oslo", "oslo"]},
    {"id": "q9", "question": "Peru?", "answer": "Lima"},
]
NESTED_GOLD: Rows = [{"custom_id": row["id"], "gold": {"text": row["answer"]}} for row in GOLD]


def test_the_output_of_a_batch_is_matched_with_a_file_of_references_by_id(
    tmp_path: Path, score: Command
) -> None:
    output = write_jsonl(tmp_path / "out.jsonl", REPLIES)
    references = write_jsonl(tmp_path / "gold.jsonl", GOLD)
    run = score(output, "--metrics", "rouge")
    assert run.code == 2
    assert "--references-file FILE, by id or by order" in run.err

    run = score(output, "--metrics", "rouge", "--references-file", references)
    assert "2 answers have their references from gold.jsonl, by id." in run.err
    assert "no references from it: 1." in run.err
    assert "whose id no answer has: 1." in run.err
    assert "reference = reference, question = question, id = id" in run.err
    assert "ROUGE-1         1.0000" in run.out


def test_a_file_of_references_may_name_its_column_and_serve_several_systems(
    tmp_path: Path, score: Command
) -> None:
    output = write_jsonl(tmp_path / "out.jsonl", REPLIES)
    references = write_jsonl(tmp_path / "gold.jsonl", NESTED_GOLD)
    options = ["--metrics", "rouge", "--reference", "gold.text", "--references-file", references]
    assert "ROUGE-1         1.0000" in score(output, *options).out

    replies = [
        make_batch_line("q1", "Lagos"),
        make_batch_line("q2", "Oslo"),
        make_batch_line("q3", "?"),
    ]
    second_file = write_jsonl(tmp_path / "other.jsonl", replies)
    assert "2 systems, matched by" in score(output, second_file, *options).err

    write_jsonl(references, [NESTED_GOLD[0], NESTED_GOLD[0]])
    assert "The id “q1” stands in row 1 and again in row 2" in score(output, *options).err
    write_jsonl(references, [{"custom_id": "q1", "x": "y"}])
    assert "gold.jsonl: No column is known to hold the reference." in score(output, *options).err
