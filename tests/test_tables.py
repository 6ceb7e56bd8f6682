"""Reading tables: nothing is altered, columns are found by their usual names, what is wrong is said with its row."""

from __future__ import annotations

import csv
import io
import json
import sys
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.project import ROOT

sys.path.insert(0, str(ROOT / "spaces" / "answer_lens"))

from lens.tables import roles as columns
from lens.tables import sources, untrusted, visitors_file
from lens.tables.first_reading import surveyed
from lens.tables.roles import BadTable, Item, Roles, chosen, guess, item_of
from lens.tables.sources import FileSource

# Texts that readers of tables like to change.
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
    "=1+1",
]
Rows = list[dict[str, Any]]


def written(path: Path, rows: Rows, bom: bool = False) -> Path:
    """A file of rows, by the end of its name."""
    if path.suffix == ".parquet":
        import pyarrow
        from pyarrow import parquet

        parquet.write_table(pyarrow.Table.from_pylist(rows), path)
        return path
    if path.suffix in (".csv", ".tsv"):
        text = io.StringIO(newline="")
        sign = "\t" if path.suffix == ".tsv" else ","
        table = csv.DictWriter(text, list(rows[0]), delimiter=sign, quoting=csv.QUOTE_ALL)
        table.writeheader()
        table.writerows(rows)
        content = text.getvalue()
    else:
        lines = [json.dumps(row, ensure_ascii=False) for row in rows]
        content = f"[{','.join(lines)}]" if path.suffix == ".json" else "\n".join(lines)
    path.write_bytes((b"\xef\xbb\xbf" if bom else b"") + content.encode())
    return path


@pytest.mark.parametrize("bom", [False, True])
@pytest.mark.parametrize("ending", [".csv", ".tsv", ".jsonl", ".json", ".parquet"])
def test_no_text_is_altered(ending: str, bom: bool, tmp_path: Path) -> None:
    rows = [{"id": "007", "prediction": text, "reference": text} for text in HOSTILE]
    path = written(tmp_path / f"a{ending}", rows, bom)
    assert list(FileSource(path).rows()) == rows
    found = untrusted.read(untrusted.kind_of(path.name), path.read_bytes(), everything=True)
    assert found.columns == {name: [row[name] for row in rows] for name in rows[0]}


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")), min_size=1, max_size=8))
@settings(max_examples=60)
def test_any_text_comes_back_from_every_format(texts: list[str]) -> None:
    rows = [{"prediction": text, "note": "x"} for text in texts]
    for kind, ending in (("csv", ".csv"), ("json", ".jsonl"), ("parquet", ".parquet")):
        data = held(rows, ending)
        assert visitors_file.read(kind, data, everything=True)["columns"]["prediction"] == texts


def held(rows: Rows, ending: str) -> bytes:
    """The bytes of a file of rows."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        return written(Path(folder) / f"a{ending}", rows).read_bytes()


def test_lists_numbers_and_objects_are_carried_as_they_are(tmp_path: Path) -> None:
    rows: Rows = [
        {"prediction": "a", "answers": ["x", "y"], "n": 12345678901234567890, "o": {"a": [1]}, "b": True},
        {"prediction": "b", "answers": ["z"], "late": 0.1},
    ]
    assert list(FileSource(written(tmp_path / "a.jsonl", rows)).rows()) == rows
    found = untrusted.read("json", (tmp_path / "a.jsonl").read_bytes(), everything=True).columns
    assert (found["n"], found["late"], found["o"]) == ([12345678901234567890, None], [None, 0.1], [{"a": [1]}, None])


def test_what_parquet_alone_can_hold_becomes_what_json_can(tmp_path: Path) -> None:
    import datetime
    from decimal import Decimal

    rows = [{"prediction": "a", "day": datetime.date(2026, 1, 2), "price": Decimal("1.10"), "picture": b"\x00\xff"}]
    path = written(tmp_path / "a.parquet", rows)
    expected = {"prediction": "a", "day": "2026-01-02", "price": "1.10"}
    assert list(FileSource(path).rows()) == [expected]
    found = untrusted.read("parquet", path.read_bytes(), everything=True)
    assert {name: cells[0] for name, cells in found.columns.items()} == expected


def test_cells_of_parquet_that_python_has_nothing_for(tmp_path: Path) -> None:
    import pyarrow
    from pyarrow import parquet

    picture = pyarrow.array([{"bytes": b"x", "path": None}])
    known = pyarrow.array([b"0" * 16], pyarrow.uuid())
    table = pyarrow.table({"prediction": ["a"], "picture": picture, "pictures": [[b"x"]], "key": known})
    parquet.write_table(table, tmp_path / "a.parquet")
    expected = {"prediction": "a", "key": "30303030-3030-3030-3030-303030303030"}
    assert list(FileSource(tmp_path / "a.parquet").rows()) == [expected]
    for kind, value in ((pyarrow.date32(), 2**30), (pyarrow.timestamp("us", "Mars/Base"), 1)):
        parquet.write_table(pyarrow.table({"day": pyarrow.array([value], kind)}), tmp_path / "b.parquet")
        with pytest.raises(BadTable, match="A cell of this Parquet file cannot be read"):
            list(FileSource(tmp_path / "b.parquet").rows())


USUAL = [
    (["question", "reference", "prediction"], Roles("prediction", "reference", "question")),
    (["Question", "Answer", "model_answer"], Roles("model_answer", "Answer", "Question")),
    (["input", "answers", "pred", "gold_ans", "length"], Roles("pred", "answers", "input", "gold_ans")),
    (["query", "ground_truth", "response", "id"], Roles("response", "ground_truth", "query", id="id")),
    (["target", "output", "answer_keywords"], Roles("output", "target", keywords="answer_keywords")),
    (["question", "reference", "answer"], Roles("answer", "reference", "question")),
    (["question", "answer"], Roles("", "answer", "question")),
    (["PREDICTION ", "Ground Truth"], Roles("PREDICTION ", "Ground Truth")),
    (["a", "b"], Roles()),
]


@pytest.mark.parametrize(("names", "roles"), USUAL)
def test_columns_are_found_by_their_usual_names(names: list[str], roles: Roles) -> None:
    assert guess(names) == roles


def test_columns_can_be_chosen_and_taken_away() -> None:
    names = ["question", "reference", "prediction", "other", "answer"]
    assert chosen(names, {"prediction": "other"}).prediction == "other"
    assert chosen(names, {"question": ""}).question == ""
    # A column that is given a role loses the one that was guessed.
    assert chosen(["reference", "prediction", "id"], {"group": "id"}).named()["group"] == "id"
    assert chosen(["query", "reference", "prediction"], {"keywords": "query"}).question == ""


WRONG_CHOICES = [
    (["a", "b"], {}, "No column is known to hold the answer to score. Found: “a”, “b”"),
    (["prediction"], {}, "hold the reference"),
    (["prediction", "reference"], {"question": "x"}, "no column “x” for the role “question”. Found: “prediction”"),
    (["prediction", "reference"], {"question": "reference"}, "hold the reference"),
    (["prediction", "reference"], {"reference": "prediction", "prediction": "prediction"}, "has two roles"),
]


@pytest.mark.parametrize(("names", "given", "words"), WRONG_CHOICES)
def test_wrong_columns_are_named(names: list[str], given: dict[str, str | None], words: str) -> None:
    with pytest.raises(BadTable, match=words):
        chosen(names, given)


ROLES = Roles("p", "r", "q", "k", "g", "i")


def test_a_row_as_the_metrics_take_it() -> None:
    row = {"p": "a", "r": ["x", "y"], "q": "?", "k": ["one", "two"], "g": 3, "i": 7}
    assert item_of(row, ROLES, 1) == Item("a", ["x", "y"], "?", "one two", "3", "7")
    assert item_of({"p": "a", "r": "x"}, ROLES, 1) == Item("a", "x")
    assert item_of({"p": "a", "r": "x / y/z"}, ROLES, 1, "/").reference == ["x", "y", "z"]
    assert item_of({"p": "a", "r": "xyz"}, ROLES, 1, "/").reference == "xyz"
    assert item_of({"p": "a", "r": "/"}, ROLES, 1, "/").reference == ["/"]
    assert item_of({"p": None, "r": "x"}, ROLES, 1).lacks == "no_answer"
    assert item_of({"p": float("nan"), "r": "x"}, ROLES, 1).lacks == "no_answer"
    assert item_of({"p": "", "r": None}, ROLES, 1).lacks == "no_reference"
    assert item_of({"p": "", "r": ""}, ROLES, 1).lacks == ""


WRONG_CELLS = [
    ({"p": 7, "r": "x"}, "column “p”, row 3, is 7 .int.; a text is expected"),
    ({"p": ["a"], "r": "x"}, r"column “p”, row 3, is \['a'\] .list."),
    ({"p": "a", "r": 1.5}, "column “r”, row 3, is 1.5 .float.; a text, or a list"),
    ({"p": "a", "r": []}, r"column “r”, row 3, is \[\] .list."),
    ({"p": "a", "r": ["x", None]}, "column “r”, row 3, reference 2, is missing .null."),
    ({"p": "a", "r": "x", "q": False}, "column “q”, row 3, is False .bool."),
    ({"p": "a", "r": "x", "k": [1]}, r"column “k”, row 3, is \[1\]"),
]


@pytest.mark.parametrize(("row", "words"), WRONG_CELLS)
def test_a_cell_that_is_no_text_is_named_with_its_row(row: dict[str, Any], words: str) -> None:
    with pytest.raises(BadTable, match=words):
        item_of(row, ROLES, 3)


BAD_FILES = [
    ("a.csv", b"prediction,reference\na,b\nc\n", "Row 2 has 1 cell"),
    ("a.csv", b"a,a\n1,2\n", "“a” stands twice"),
    ("a.csv", b"a,b,,\n1,2,,3\n", "“” stands twice"),
    ("a.jsonl", b'{"a": 1}\n{"a": ' + b"[" * 100_000 + b"}", "Line 2 of this JSON is nested too deeply"),
    ("a.json", b'[{"a": ' + b"[" * 100_000 + b"}]", "Line 1 of this JSON is nested too deeply"),
    ("a.csv", b'a,b\n"x,y\n', "cannot be read"),
    ("a.csv", "a,b\nx,é\n".encode("latin-1"), "not in UTF-8 .line 2"),
    ("a.jsonl", b'{"a": 1}\n{"a": \n', "breaks off in line 2"),
    ("a.jsonl", b'{"a": 1}\n5\n', "Row 2 is not a JSON object"),
    ("a.jsonl", b'{"a": 1, "a": 2}\n', "“a” stands twice"),
    ("a.json", b'{\n"a": [1, 2]\n}', "one single object"),
    ("a.jsonl", b'{"a": [1, 2], "b": [3, 4]}', "one single object"),
    ("a.jsonl", '{"a": "é"}\n'.encode("latin-1"), "not in UTF-8 .line 1"),
    ("a.parquet", b"PAR1 but not really", "no Parquet file"),
    ("a.xlsx", b"", "cannot be told from its name"),
    ("a.csv.gz", b"", "cannot be told from its name"),
    ("a.csv", b"", "has no rows"),
    ("a.csv", b"a,b\n", "has no rows"),
    ("a.jsonl", b"\n\n", "has no rows"),
    ("a.json", b"[]", "has no rows"),
]


@pytest.mark.parametrize(("name", "content", "words"), BAD_FILES)
def test_what_cannot_be_read_is_said_with_its_place(name: str, content: bytes, words: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(BadTable, match=words):
        surveyed(sources.source_of(str(path)), {})


def test_columns_of_nothing_at_the_end_of_a_spreadsheet_are_none(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("prediction,reference,,\r\na,b,,\r\n", newline="")
    assert list(FileSource(tmp_path / "a.csv").rows()) == [{"prediction": "a", "reference": "b"}]


def test_other_signs_between_columns_are_found(tmp_path: Path) -> None:
    for content in ("prediction;reference\na,b;c\n", "sep=;\nprediction;reference\na,b;c\n", "x;y;z\n1;2;3\n"):
        path = tmp_path / "a.csv"
        path.write_text(content, newline="")
        assert len(next(FileSource(path).rows())) == len(content.splitlines()[-1].split(";"))


def peak_of(path: Path) -> int:
    """The most memory that Python holds while a file is read row by row."""
    tracemalloc.start()
    for _ in FileSource(path).rows():
        pass
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


@pytest.mark.parametrize("ending", [".csv", ".jsonl", ".parquet"])
def test_memory_does_not_grow_with_the_rows_read(ending: str, tmp_path: Path) -> None:
    def rows(count: int) -> Rows:
        return [{"prediction": f"{number} " * 100, "reference": "x"} for number in range(count)]

    few, many = (peak_of(written(tmp_path / f"{n}{ending}", rows(n))) for n in (1_000, 10_000))
    assert many < 1.5 * few + 500_000


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    """A folder that `datasets` loads, with a column of bytes among those of texts."""
    import pyarrow
    from pyarrow import parquet

    rows = [{"question": "?", "answers": ["x", "y"], "prediction": text, "raw": b"\xff"} for text in HOSTILE]
    (tmp_path / "data").mkdir()
    parquet.write_table(pyarrow.Table.from_pylist(rows), tmp_path / "data" / "test.parquet")
    return tmp_path


def test_a_dataset_is_read_by_its_split(dataset: Path) -> None:
    source = sources.source_of(str(dataset), "test")
    assert [row["prediction"] for row in source.rows()] == HOSTILE
    assert next(source.rows()) == {"question": "?", "answers": ["x", "y"], "prediction": "NA"}
    with pytest.raises(BadTable, match="split nowhere, cannot be loaded"):
        sources.source_of(str(dataset), "nowhere")
    with pytest.raises(BadTable, match="is a folder"):
        sources.source_of(str(dataset))
    with pytest.raises(BadTable, match=r"no file nothing\.csv"):
        sources.source_of("nothing.csv")


def test_names_of_columns_in_a_message_are_cut() -> None:
    assert columns.listing(["x" * 100] * 40).count("x") == 30 * columns.MAX_SHOWN
    assert columns.listing(["a"] * 31).endswith("and 1 more")
