"""Reading tables: texts stay unchanged, columns are recognised, errors name the row or the line.

Secrets in addresses are hidden. A visitor's file is read in another process, within limits, and
deleted.
"""

from __future__ import annotations

import csv
import datetime
import gzip
import io
import json
import sys
import tracemalloc
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import fsspec
import pyarrow
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from lens.experiment.answers import Answer, make_answer
from lens.experiment.survey import read_answers
from lens.page.tab import read_upload
from lens.study.tables import AnswerTable, FileSource
from lens.tables import child_process, places, untrusted
from lens.tables.cells import Nested
from lens.tables.roles import ReadingOptions, Roles, choose_roles, guess_roles
from lens.tables.sources import open_source
from lens.words.notes import UserError
from pyarrow import parquet

from tests.demo.command_runs import Command, read_jsonl
from tests.demo.page_visits import register_upload
from tests.support.web import serve_folder

Rows = list[dict[str, Any]]
# Texts that readers of tables tend to change.
HOSTILE = [
    "NA",
    "None",
    "null",
    "007",
    "",
    " x ",
    "a\nb",
    "a\r\nb",
    "1e5",
    "nan",
    "True",
    'say "so", now',
    "中文 😀",
]
HOSTILE += ["=1+1", "\u2028"]
# Python 3.10 cannot read NUL in CSV.
HOSTILE += ["\x00"] * (sys.version_info >= (3, 11))
ROWS: Rows = [{"id": "007", "prediction": text, "reference": text} for text in HOSTILE]
FILE_KINDS = {
    ".csv": "csv",
    ".tsv": "csv",
    ".jsonl": "json",
    ".ndjson": "json",
    ".json": "json",
    ".parquet": "parquet",
}
TEXTS = st.text(st.characters(exclude_categories=["Cs"])).filter(lambda text: "\0" not in text)


def encode_parquet(table: Any, **options: Any) -> bytes:
    """Return the bytes of a Parquet file with a table."""
    out = pyarrow.BufferOutputStream()
    parquet.write_table(table, out, **options)
    return bytes(out.getvalue())


def encode_rows(rows: Rows, ending: str) -> bytes:
    """Return the bytes of a file of rows in the format of a name's ending."""
    if ending == ".parquet":
        return encode_parquet(pyarrow.Table.from_pylist(rows))
    if ending in (".csv", ".tsv"):
        text = io.StringIO(newline="")
        table = csv.writer(text, delimiter="\t" if ending == ".tsv" else ",", quoting=csv.QUOTE_ALL)
        table.writerows([list(rows[0]), *(list(row.values()) for row in rows)])
        return text.getvalue().encode()
    lines = [json.dumps(row, ensure_ascii=False) for row in rows]
    return (f"[{','.join(lines)}]" if ending == ".json" else "\n".join(lines)).encode()


def write_file(path: Path, rows: Rows) -> str:
    """Write rows to a file in the format of its ending and return the path."""
    path.write_bytes(encode_rows(rows, path.suffix))
    return str(path)


def read_source_rows(source: str | Path, split: str | None = None) -> Rows:
    """Return the rows of a file, a pattern, an address or a data set."""
    return [row for _, _, row in open_source(str(source), split=split).rows()]


def read_source_refusal(source: str | Path) -> str:
    """Return the error message with which reading an input ends."""
    with pytest.raises(UserError) as refused:
        list(read_answers(open_source(str(source)), Roles("prediction", "reference")))
    return str(refused.value)


@pytest.mark.parametrize("ending", FILE_KINDS)
def test_texts_are_read_unchanged_from_every_format(ending: str, tmp_path: Path) -> None:
    data = encode_rows(ROWS, ending)
    files = {f"a{ending}": data}
    if ending != ".parquet":
        with_byte_order_mark = b"\xef\xbb\xbf" + data
        files[f"marked{ending}"] = with_byte_order_mark
        files[f"packed{ending}.gz"] = gzip.compress(with_byte_order_mark)
    for name, content in files.items():
        path = tmp_path / name
        path.write_bytes(content)
        assert read_source_rows(path) == ROWS
        columns = untrusted.read_file(path, everything=True).columns
        assert list(columns) == list(ROWS[0])
        for column, cells in columns.items():
            assert cells == [row[column] for row in ROWS]


@settings(max_examples=60)
@given(st.lists(TEXTS, min_size=1, max_size=8))
# In the table with tabs, this text breaks its row into two lines that have one tab each, as if each
# were a row of two cells.
@example(["\t\r"])
def test_any_text_is_read_unchanged_from_every_format(texts: list[str]) -> None:
    rows = [{"prediction": text, "note": "x"} for text in texts]
    for ending, kind in FILE_KINDS.items():
        contents = untrusted.read_contents(kind, encode_rows(rows, ending), everything=True)
        assert contents["columns"]["prediction"] == texts


def test_cells_of_every_type_of_json_and_parquet_are_read(tmp_path: Path) -> None:
    rows: Rows = [
        {
            "prediction": "\ud800",
            "answers": ["x", "y"],
            "n": 12345678901234567890,
            "o": {"a": [1]},
            "b": True,
        },
        {
            "prediction": "b",
            "answers": ["z", None],
            "late": 0.1,
            "n": 10**20,
        },
    ]
    path = tmp_path / "a.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows), "utf-8")
    assert read_source_rows(path) == rows
    columns = untrusted.read_file(path, everything=True).columns
    assert columns["prediction"] == ["\ud800", "b"]
    assert columns["n"] == [12345678901234567890, 10**20]
    assert columns["answers"] == [["x", "y"], Nested('["z", null]')]
    assert columns["o"] == [Nested('{"a": [1]}'), None]
    assert columns["late"] == [None, 0.1]

    cells = {
        "p": "a",
        "day": datetime.date(2026, 1, 2),
        "price": Decimal("1.10"),
        "raw": b"\xff",
        "raws": [b"x"],
    }
    key = pyarrow.array([b"0" * 16], pyarrow.uuid())
    picture = pyarrow.array([{"bytes": b"x", "path": None}])
    table = pyarrow.Table.from_pylist([cells])
    table = table.append_column("key", key).append_column("picture", picture)
    path = tmp_path / "a.parquet"
    path.write_bytes(encode_parquet(table))
    expected = {
        "p": "a",
        "day": "2026-01-02",
        "price": "1.10",
        "key": "30303030-3030-3030-3030-303030303030",
    }
    assert read_source_rows(path) == [expected]
    for kind, value in ((pyarrow.date32(), 2**30), (pyarrow.timestamp("us", "Mars/Base"), 1)):
        days = pyarrow.array([*[None] * 300, value], kind)
        path.write_bytes(
            encode_parquet(
                pyarrow.table({"x": ["a"] * 301, "day": days, "prediction": ["b"] * 301})
            )
        )
        assert (
            "The column “day”, row 301, of this Parquet file cannot be read ("
            in read_source_refusal(path)
        )


# The text of a CSV file, and its row.
CSV_FORMS = [
    ("prediction,reference,,\r\na,b,,\r\n", {"prediction": "a", "reference": "b"}),
    ("prediction;reference\na,b;c\n", {"prediction": "a,b", "reference": "c"}),
    ("sep=;\nprediction;reference\na,b;c\n", {"prediction": "a,b", "reference": "c"}),
    ('"SEP=;"\r\nx;y\n1;2\n', {"x": "1", "y": "2"}),
    ("  \n x ,y\r   \r1,2\r \r", {"x": "1", "y": "2"}),
    ('\ufeff\ufeff\r\n\ufeff"x",y\n1,2\n', {"x": "1", "y": "2"}),
]
# The ending and the bytes of a broken file, and a part of the error message.
BAD_FILES = [
    (
        ".csv",
        b"prediction,reference\na,b\nc\n",
        "Row 2 has another number of cells than the header: 1, and not 2",
    ),
    (".csv", b"answer,answer\n1,2\n", "“answer” stands twice"),
    (".csv", b"a,b,,\n1,2,,3\n", "“” stands twice"),
    (".csv", b'a,b\n1,"x\n2,y\n', "cannot be read from row 1 on (unexpected end of data)"),
    (".csv", b'a,b\nx,y\n"x"y,1\n', "cannot be read from row 2 on (',' expected after '\"')"),
    (".csv", "a,b\nx,é\n".encode("latin-1"), "not in UTF-8 (line 2"),
    (
        ".jsonl",
        b'{"a": 1}\n{"a": ' + b"[" * 100_000 + b"}",
        "Line 2 of this JSON is nested too deeply",
    ),
    (".jsonl", b'{"a": 1}\n\n{"a": \n', "breaks off in line 3"),
    (".json", b'[{"a": "x"},\n {"a" 1}]', "line 2, at character 7"),
    (".jsonl", b'{"a": 1}\n5\n', "Row 2 is not a JSON object"),
    (".jsonl", '{"a": "é"}\n'.encode("latin-1"), "not in UTF-8 (line 1"),
    (
        ".jsonl",
        b'{"a": 1}\n{"a": ' + b"9" * 5000 + b"}",
        f"number in line 2, {'9' * 60}…, has 5,000 digits",
    ),
    (".json", b'[{"a": 1},\n{"a": [' + b"9" * 5000 + b"]}]", "the number in line 2, 9"),
    (".jsonl", b'{"a": 1}\n{"a": 1, "b": 2, "a": 3}\n', "Row 2: The column “a” stands twice"),
    (".jsonl", b"\n\n", "has no rows"),
    (".jsonl", b"{}\n{}\n", "has no rows"),
    (".parquet", b"PAR1 but not really", "not a Parquet file"),
]


def test_csv_of_spreadsheets_is_read_and_broken_files_are_refused_with_the_place(
    tmp_path: Path,
) -> None:
    for content, row in CSV_FORMS:
        (tmp_path / "a.csv").write_text(content, "utf-8", newline="")
        assert read_source_rows(tmp_path / "a.csv") == [row]
    for ending, data, words in BAD_FILES:
        path = tmp_path / f"a{ending}"
        path.write_bytes(data)
        with pytest.raises(UserError) as refused:
            AnswerTable(FileSource(open_source(str(path)), {}))
        assert words in str(refused.value)
        with pytest.raises(UserError) as unread:
            untrusted.read_contents(FILE_KINDS[ending], data, everything=True)
        assert words in str(unread.value)


# Names of columns, and the guessed roles: Roles(prediction, reference, question, keywords).
USUAL_NAMES = [
    (["question", "reference", "prediction"], Roles("prediction", "reference", "question")),
    (["Question", "Answer", "model_answer"], Roles("model_answer", "Answer", "Question")),
    (
        ["input", "answers", "pred", "gold_ans", "length"],
        Roles("pred", "answers", "input", "gold_ans"),
    ),
    (
        ["User Query", "Gold Answer(s)", "LLM Output (v2)"],
        Roles("LLM Output (v2)", "Gold Answer(s)", "User Query"),
    ),
    (["question", "reference", "answer"], Roles("answer", "reference", "question")),
    (["question", "answer"], Roles("", "answer", "question")),
    (["a", "b"], Roles()),
]
# Names of columns, the columns that the user chose by role, and the roles of all.
CHOSEN = [
    (["reference", "prediction", "other"], {"prediction": "other"}, Roles("other", "reference")),
    (["question", "reference", "prediction"], {"question": ""}, Roles("prediction", "reference")),
    # A column with a chosen role loses its guessed role.
    (
        ["query", "reference", "prediction"],
        {"keywords": "query"},
        Roles("prediction", "reference", keywords="query"),
    ),
]
# Names of columns, the chosen columns by role, and a part of the error message.
WRONG_CHOICES = [
    (["a", "b"], {}, "No column is known to hold the answer to score. Found: “a”, “b”"),
    (
        ["prediction", "reference"],
        {"question": "x"},
        "no column “x” for the role “question”. Found: “prediction”",
    ),
    (["prediction", "reference"], {"question": "reference"}, "hold the reference"),
    ([f"c{number}" for number in range(40)], {}, "“c29” and 10 more"),
]


def test_roles_of_columns_are_guessed_from_usual_names_or_chosen() -> None:
    for names, roles in USUAL_NAMES:
        assert guess_roles(names) == roles
    for names, choices, roles in CHOSEN:
        assert choose_roles(names, choices) == roles
    for names, choices, words in WRONG_CHOICES:
        with pytest.raises(UserError, match=words):
            choose_roles(names, choices)


ROLES = Roles("p", "r", "q", "k", "g", "i")
GOOD_ROWS: list[tuple[dict[str, Any], Answer]] = [
    (
        {
            "p": "a",
            "r": ["x", "y"],
            "q": "?",
            "k": ["one", "two"],
            "g": 3,
            "i": 7,
        },
        Answer("a", ("x", "y"), "?", "one two", "3", "7", has_list=True),
    ),
    ({"p": "a", "r": "x / y/z"}, Answer("a", ("x", "y", "z"), has_list=True)),
    ({"p": "a", "r": "/"}, Answer("a", ("/",), has_list=True)),
    # Cells of other types that count as texts.
    ({"p": 5, "r": 2.5, "q": True}, Answer("5", ("2.5",), "true", converted=("number",))),
    (
        {"p": "a", "r": [5, 5.0, "five"]},
        Answer("a", ("5", "5.0", "five"), converted=("number",), has_list=True),
    ),
    (
        {"p": "a", "r": {"text": ["x", "y"], "answer_start": [3, 3]}},
        Answer("a", ("x", "y"), converted=("object",), has_list=True),
    ),
    (
        {"p": "a", "r": Nested('{"text": ["x"]}')},
        Answer("a", ("x",), converted=("object",), has_list=True),
    ),
    (
        {"p": "a", "r": [{"text": "x"}, {"text": "y"}]},
        Answer("a", ("x", "y"), converted=("object",), has_list=True),
    ),
    (
        {"p": "a", "r": {"value": "x", "aliases": ["x", "y"]}},
        Answer("a", ("x", "y"), converted=("object",), has_list=True),
    ),
    (
        {
            "p": {"role": "assistant", "content": "a"},
            "r": "x",
            "q": [{"role": "user", "content": "?"}],
        },
        Answer("a", ("x",), "?", converted=("reply",)),
    ),
]
# Empty answers or references, and the reason why the row is not scored with --empty all, answers,
# and none; "" if it is scored.
EMPTY_ROWS: list[tuple[Any, Any, list[str]]] = [
    *((answer, "x", ["", "", "no_answer"]) for answer in (None, float("nan"), "", " \n")),
    *(
        ("a", reference, ["", "no_reference", "no_reference"])
        for reference in (None, float("nan"), "", [], ["", " "])
    ),
    (None, None, ["", "no_reference", "no_reference"]),
]
WRONG_CELLS = [
    ({"p": ["x"], "r": "x"}, r"column “p”, row 3, is \['x'\] .list.; a text is expected"),
    (
        {"p": Nested('{"a": 1}'), "r": "x"},
        'column “p”, row 3, is {"a": 1} .dict.; .* a name with dots, such as “p.a”',
    ),
    ({"p": "a", "r": {"spans": [["x"]]}}, "column “r”, row 3, is {'spans': .*; a text, or a list"),
    ({"p": "a", "r": ["x", None]}, r"column “r”, row 3, is \['x', None\] .list."),
    ({"p": "a", "r": "x", "q": {"n": 1}}, "column “q”, row 3, is {'n': 1} .dict."),
]


def test_a_row_is_read_as_texts_of_an_answer_and_its_references(tmp_path: Path) -> None:
    row: Any
    for row, item in GOOD_ROWS:
        assert make_answer(row, replace(ROLES, reading=ReadingOptions(separator="/")), 1) == item
    for answer, reference, expected_reasons in EMPTY_ROWS:
        reasons = []
        for empty in ("all", "answers", "none"):
            roles = replace(ROLES, reading=ReadingOptions(empty=empty))
            item = make_answer({"p": answer, "r": reference}, roles, 1)
            reasons.append(item.skip_reason)
        assert reasons == expected_reasons
    for row, words in WRONG_CELLS:
        with pytest.raises(UserError, match=words):
            make_answer(row, ROLES, 3)
    # A chosen column may be missing in the first rows.
    late: Rows = [
        {"answer": "a", "response": "b"},
        {"response": None, "gold": "c"},
        {"response": "b", "gold": "c"},
    ]
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, late)), "utf-8")
    table = AnswerTable(
        FileSource(open_source(str(tmp_path / "a.jsonl")), {"prediction": "response"})
    )
    assert table.source.roles == Roles("response", "gold")
    notes = table.index.notes
    assert (notes.skipped, notes.scored_blank) == ({"no_reference": [1]}, {"no_answer": [2]})


# One complete row and five with an empty answer or reference. For each value of --empty: the
# scores, a part of the messages, and a part of the report.
EMPTY: Rows = [
    {"reference": "x y", "prediction": "x y"},
    {"reference": "x y", "prediction": None},
    {"reference": "x y", "prediction": ""},
    {"reference": None, "prediction": "x y"},
    {"reference": "", "prediction": "x y"},
    {"reference": None, "prediction": ""},
]
EMPTY_OPTIONS = {
    "answers": (
        [1.0, 0.0, 0.0, None, None, None],
        "scored as an empty answer: 2 (row 2, 3)",
        "null or empty) (3)",
    ),
    "all": (
        [1.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        "scored against an empty one: 3 (row 4, 5, 6)",
        "an empty answer: 2",
    ),
    "none": (
        [1.0, None, None, None, None, None],
        "not scored: 2 (row 2, 3)",
        "no answer (null or empty) (2)",
    ),
}


@pytest.mark.parametrize("empty", EMPTY_OPTIONS)
def test_empty_cells_are_treated_alike_in_every_format_as_the_option_empty_says(
    empty: str, tmp_path: Path, score: Command
) -> None:
    scores, message, reported = EMPTY_OPTIONS[empty]
    outputs = set()
    for kind in ("csv", "tsv", "json", "jsonl", "jsonl.gz", "parquet"):
        source = tmp_path / f"a.{kind}"
        out = tmp_path / f"{kind}.jsonl"
        report = tmp_path / f"{kind}.md"
        data = encode_rows(EMPTY, f".{kind.removesuffix('.gz')}")
        source.write_bytes(gzip.compress(data) if kind.endswith(".gz") else data)
        options = ["--metrics", "rouge", "--empty", empty, "--out", out, "--report", report]
        ran = score(source, *options)
        assert [row["rouge1"] for row in read_jsonl(out)] == scores
        assert message in ran.err
        assert reported in ran.out
        # Only messages about scored rows are compared, without the lines of progress ("50%").
        messages = [line for line in ran.err.splitlines() if "scor" in line and "%" not in line]
        # Lines of "=" are as long as the name of the file.
        table = ran.out.replace("=", "")
        output = "\n".join([str(ran.code), table, report.read_text(), *messages])
        outputs.add(output.replace(source.name, "a"))
    assert len(outputs) == 1


# Sources


def test_files_of_a_pattern_are_one_table_sorted_by_name_and_messages_name_the_file(
    tmp_path: Path,
) -> None:
    for ending in FILE_KINDS:
        for name, rows in (("b", ROWS[5:]), ("a", ROWS[:5])):
            write_file(tmp_path / f"{name}{ending}", rows)
        (tmp_path / f"c{ending}").mkdir()
        assert read_source_rows(tmp_path / f"*{ending}") == ROWS
        assert read_source_rows(f"file://{tmp_path}/[ab]{ending}") == ROWS
        assert read_source_rows(f"file://{tmp_path}/a{ending}") == ROWS[:5]
    assert len(read_source_rows(tmp_path / "a.*")) == 30
    write_file(tmp_path / "d[1].jsonl", ROWS[:1])
    write_file(tmp_path / "d1.jsonl", ROWS[1:])
    assert read_source_rows(tmp_path / "d[1].jsonl") == ROWS[:1]
    memory = fsspec.filesystem("memory")
    memory.pipe(
        {
            "/answers/b.jsonl": b'{"prediction": "b"}\n',
            "/answers/a1.jsonl": b'\n{"prediction": "a"}\n',
        }
    )
    assert read_source_rows("memory://answers/*.jsonl") == [
        {"prediction": "a"},
        {"prediction": "b"},
    ]
    assert read_source_rows("memory://answers/?1.jsonl") == [{"prediction": "a"}]
    write_file(tmp_path / "b.jsonl", [*ROWS[:2], {"prediction": {"n": 7}, "reference": "x"}])
    for name in ("notes.md", "a.parquet.gz", "c.jsonl.gz"):
        (tmp_path / name).write_bytes(b"no gzip")
    expected = {
        "[ab].jsonl": "{}/b.jsonl: The column “prediction”, row 3, is {{'n': 7}} (dict); a text is "
        "expected. "
        "Choose what is in it by a name with dots, such as “prediction.n”.",
        "*.xlsx": "No file fits {}/*.xlsx.",
        "notes.md": "notes.md cannot be read: it should end in one of",
        "a.parquet.gz": "a.parquet.gz cannot be read: it should end",
        "c.jsonl.gz": "c.jsonl.gz cannot be read: Not a gzipped file",
    }
    for name, words in expected.items():
        assert read_source_refusal(tmp_path / name).startswith(words.format(tmp_path))


def test_a_split_of_a_dataset_is_read(tmp_path: Path) -> None:
    rows: Rows = []
    for text in HOSTILE:
        rows.append({"question": "?", "answers": ["x", "y"], "prediction": text})
    (tmp_path / "data").mkdir()
    # A cell of bytes that are no text is left out.
    write_file(tmp_path / "data" / "test.parquet", [row | {"raw": b"\xff"} for row in rows])
    assert read_source_rows(tmp_path, "test") == rows
    with pytest.raises(UserError, match=r"\(nowhere\) cannot be loaded"):
        open_source(str(tmp_path), split="nowhere")


def test_files_on_the_web_are_read_and_no_secret_of_an_address_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_PROXY", "*")
    many = [{"prediction": f"{number} {'x' * 50}", "reference": "y"} for number in range(3_000)]
    # The server refuses files in "closed", and sends only the first half of those in "cut".
    for folder in ("closed", "cut"):
        (tmp_path / folder).mkdir()
        write_file(tmp_path / folder / "a.jsonl", ROWS * 500)
    with serve_folder(tmp_path) as web:
        for ending in FILE_KINDS:
            # The server does not support ranges, with which a large Parquet file is read in parts.
            rows = many if ending == ".parquet" else ROWS
            path = Path(write_file(tmp_path / f"an answer{ending}", rows))
            check_web_file(f"{web}/an%20answer{ending}?signature=secret", path, rows)
        (tmp_path / "a.csv.gz").write_bytes(gzip.compress(encode_rows(ROWS, ".csv")))
        assert read_source_rows(f"http://{web}/a.csv.gz") == ROWS
        (tmp_path / "latin.csv").write_bytes("a,b\nx,é\n".encode("latin-1"))
        assert "not in UTF-8 (line 2" in read_source_refusal(f"http://{web}/latin.csv")
        for name, rows in (("b", ROWS[5:]), ("a", ROWS[:5])):
            write_file(tmp_path / f"{name}.jsonl", rows)
        assert read_source_rows(f"http://{web}/[ab].jsonl") == ROWS
        assert (
            read_source_refusal(f"http://me:secret@{web}/*.tsv.csv")
            == f"No file fits http://{web}/*.tsv.csv."
        )
        refusals = {
            f"{web}/no.jsonl": f"There is no file http://{web}/no.jsonl.",
            f"{web}/closed/a.jsonl": f"http://{web}/closed/a.jsonl cannot be read: 403 Forbidden.",
            f"{web}/cut/a.jsonl": "a.jsonl cannot be read: ",
            "127.0.0.1:9/a.jsonl": "http://127.0.0.1:9/a.jsonl cannot be read: Connect call failed",
        }
        for place, words in refusals.items():
            message = read_source_refusal(f"http://me:secret@{place}?signature=secret")
            assert message.startswith(words)
            assert "\n" not in message
            assert "secret" not in message


def check_web_file(address: str, path: Path, rows: Rows) -> None:
    """Check that a file on the web can be read twice, and that its stamp has no secret."""
    source = open_source(f"http://me:secret@{address}")
    for _ in range(2):
        assert [row for *_, row in source.rows()] == rows
    stamp = source.stamps()
    assert source.name == path.name
    assert stamp["size"] == path.stat().st_size
    assert stamp["modified"]
    assert "secret" not in str(stamp)


def test_an_unknown_or_missing_filesystem_is_refused_without_secrets(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert "secret" not in read_source_refusal("s4://key:secret@bucket/a.jsonl")
    monkeypatch.setitem(sys.modules, "s3fs", None)
    message = read_source_refusal("s3://key:secret@bucket/a.jsonl")
    assert message == "s3://bucket/a.jsonl cannot be read: Install s3fs to access S3."


# Addresses, and how they are shown.
SHOWN = {
    "https://me:p@ss@host/a.csv?sig=1#x": "https://host/a.csv",
    "403, url='https://me:x@host/a?b=c', and more": "403, url='https://host/a', and more",
    "zip://a.csv::https://me:x@host/a.zip?sig=1": "zip://a.csv::https://host/a.zip",
    "https://host/a.csv?token": "https://host/a.csv",
    "s3://bucket/a?b.csv": "s3://bucket/a?b.csv",
    "abfs://box@host/a.csv?sv=1&sig=2": "abfs://host/a.csv",
    "hf://datasets/org/name@main/a.parquet": "hf://datasets/org/name@main/a.parquet",
}


def test_addresses_are_shown_without_users_passwords_and_queries() -> None:
    assert {address: places.hide_secrets(address) for address in SHOWN} == SHOWN


# Visitors' files

# Rows for the check of a judge, and limits that they exceed: the name, a lower value for it, and a
# part of the error message.
JUDGED = [
    {"generated": "4.5", "anchor_score": "3", "perturbation_category": "error"} for _ in range(6)
]
LIMITS = [
    ("MAX_ROWS", 5, "more than 5 rows"),
    ("MAX_CELL_LENGTH", 2, "“generated”, row 1, is too long: 3 characters"),
    ("MAX_TEXT_BYTES", 40, "more than 40 bytes"),
    ("MAX_COLUMNS", 2, "more than 2 columns"),
    (
        "MAX_NAMES_LENGTH",
        40,
        (
            "have 42 characters together, and this page takes at most 40. The longest is "
            "“perturbation_category”"
        ),
    ),
]


def test_a_file_beyond_a_limit_is_refused_with_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    for limit, value, words in LIMITS:
        with monkeypatch.context() as patch:
            patch.setattr(untrusted, limit, value)
            for ending, kind in FILE_KINDS.items():
                with pytest.raises(UserError) as refused:
                    untrusted.read_contents(kind, encode_rows(JUDGED, ending))
                assert words in str(refused.value)


def test_small_files_with_huge_contents_take_little_memory_of_the_server(tmp_path: Path) -> None:
    def read_table(name: str, data: bytes) -> untrusted.Table:
        (tmp_path / name).write_bytes(data)
        return untrusted.read_file(tmp_path / name)

    # The judge check reads only the columns that it needs.
    with_prompts = [{"prompt": "x" * 300_000, **row} for row in JUDGED]
    table = read_table("a.jsonl", encode_rows(with_prompts, ".jsonl"))
    assert table.rows == 6
    assert list(table.columns) == list(JUDGED[0])
    assert table.names[0] == "prompt"

    def make_column(column: Any) -> bytes:
        return encode_parquet(pyarrow.table({"generated": column}), compression="zstd")

    repeated = pyarrow.DictionaryArray.from_arrays(
        pyarrow.array([0] * 200, "int32"), pyarrow.array(["x" * 20_000_000])
    )
    with pytest.raises(UserError, match="more memory or time"):
        read_table("a.parquet", make_column(repeated))
    with pytest.raises(UserError, match="is too long"):
        read_table("a.parquet", make_column(pyarrow.array([[""] * 24_000] * 20)))
    lists = make_column(
        pyarrow.array([[[]] * 24_000] * 20, pyarrow.list_(pyarrow.list_(pyarrow.string())))
    )
    tracemalloc.start()
    table = read_table("a.parquet", lists)
    held, _peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(lists) < 2_000
    assert table.rows == 20
    assert held < 3_000_000
    for packed, words in (
        (gzip.compress(b"a" * 300_000_000, 1), "at most 10 MB, unpacked"),
        (b"x", "not a gzip file"),
    ):
        with pytest.raises(UserError, match=words):
            read_table("a.csv.gz", packed)
    with pytest.raises(UserError, match=r"nested too deeply|more memory or time"):
        read_table("a.json", b'{"generated": ' + b"[" * 100_000 + b"]" * 100_000 + b"}")


# The code of a child process, and a part of the error message.
CHILDREN = {
    "raise SystemExit(3)": "could not be read (3)",
    "import time; time.sleep(60)": "memory or time",
    # Without a key in its environment the process ends with code 0 and no output, which counts as a
    # limit that was reached. With a key it would end with code 1: "could not be read (1)".
    "import os; raise SystemExit('KEY' in os.environ)": "memory or time",
}


def test_a_reading_process_that_fails_or_is_slow_is_reported_and_gets_no_key(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("KEY", "secret")
    monkeypatch.setattr(child_process, "WAIT_SECONDS", 1)
    for source, words in CHILDREN.items():
        with pytest.raises(UserError) as refused:
            child_process.run_reader(["-c", source])
        assert words in str(refused.value)


def test_an_upload_of_a_wrong_format_or_size_is_refused_and_deleted(
    tmp_path: Path,
) -> None:
    wrong_formats = ("a", "a.parquet.gz", ".csv")  # the name ".csv" has no ending
    messages = dict.fromkeys(wrong_formats, r"compressed, such as \.csv\.gz")
    messages |= {"big.csv": "at most 10 MB", "big.csv.gz": "not a gzip file"}
    for name, words in messages.items():
        folder = tmp_path / "upload"
        folder.mkdir()
        (folder / name).write_bytes(b"x" * 10_000_001)
        with pytest.raises(UserError, match=words):
            read_upload(register_upload(folder / name))
        assert not folder.exists()
