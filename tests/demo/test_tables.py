"""Reading tables: nothing is altered, columns are found by their usual names, what is wrong is said with its place, and
nothing that is secret in an address is shown. A visitor's file is read elsewhere, within limits, and deleted.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import sys
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lens.tables import places, sources, untrusted, visitors_file
from lens.tables.cells import MAX_SHOWN, Nested
from lens.tables.first_reading import surveyed
from lens.tables.roles import BadTable, Item, Roles, chosen, guess, item_of, listing
from lens.tables.untrusted import BadFile

from tests.support.web import serving

# Texts that readers of tables like to change.
HOSTILE = ["NA", "None", "null", "007", "", " x ", "a\nb", "a\r\nb", "1e5", "nan", "True", 'say "so", now', "中文 😀"]
HOSTILE += ["=1+1", "\x00", "\u2028"]
Rows = list[dict[str, Any]]
ROWS: Rows = [{"id": "007", "prediction": text, "reference": text} for text in HOSTILE]
ENDINGS = (".csv", ".tsv", ".jsonl", ".ndjson", ".json", ".parquet")
TEXTS = st.text(st.characters(exclude_categories=["Cs"]))


def bytes_of(rows: Rows, ending: str) -> bytes:
    """A file of rows, by the end of its name."""
    if ending == ".parquet":
        import pyarrow
        from pyarrow import parquet

        out = pyarrow.BufferOutputStream()
        parquet.write_table(pyarrow.Table.from_pylist(rows), out)
        return bytes(out.getvalue())
    if ending in (".csv", ".tsv"):
        text = io.StringIO(newline="")
        table = csv.writer(text, delimiter="\t" if ending == ".tsv" else ",", quoting=csv.QUOTE_ALL)
        table.writerows([list(rows[0]), *(list(row.values()) for row in rows)])
        return text.getvalue().encode()
    lines = [json.dumps(row, ensure_ascii=False) for row in rows]
    return (f"[{','.join(lines)}]" if ending == ".json" else "\n".join(lines)).encode()


def written(path: Path, rows: Rows) -> str:
    """Write a file of rows."""
    path.write_bytes(bytes_of(rows, path.suffix))
    return str(path)


def rows_of(given: str | Path) -> Rows:
    """The rows of what a user names."""
    return list(sources.source_of(str(given)).rows())


def refusal(given: str | Path) -> str:
    """What is said where an input cannot be read to its end."""
    with pytest.raises(BadTable) as refused:
        list(sources.items(sources.source_of(str(given)), Roles("prediction", "reference")))
    return str(refused.value)


@pytest.mark.skipif(sys.version_info < (3, 11), reason="Python 3.10 cannot read the character 0 in CSV")
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("ending", ENDINGS)
def test_no_text_is_altered(ending: str, mark: bytes, tmp_path: Path) -> None:
    path, data = tmp_path / f"a{ending}", bytes_of(ROWS, ending)
    path.write_bytes(data if ending == ".parquet" else mark + data)
    assert rows_of(path) == ROWS
    if ending != ".parquet":
        packed = tmp_path / f"a{ending}.gz"
        packed.write_bytes(gzip.compress(mark + data))
        assert rows_of(packed) == ROWS
    found = untrusted.read_upload(path, everything=True)
    assert found.columns == {name: [row[name] for row in ROWS] for name in ROWS[0]}
    assert not path.exists()


@settings(max_examples=60)
@given(st.lists(TEXTS.filter(lambda text: "\0" not in text), min_size=1, max_size=8))
def test_any_text_comes_back_from_every_format(texts: list[str]) -> None:
    rows = [{"prediction": text, "note": "x"} for text in texts]
    for kind, ending in (("csv", ".csv"), ("json", ".jsonl"), ("json", ".json"), ("parquet", ".parquet")):
        assert visitors_file.read(kind, bytes_of(rows, ending), everything=True)["columns"]["prediction"] == texts


def test_what_json_and_parquet_hold_is_carried_as_it_is(tmp_path: Path) -> None:
    import datetime
    from decimal import Decimal

    import pyarrow
    from pyarrow import parquet

    rows: Rows = [
        {"prediction": "\ud800", "answers": ["x", "y"], "n": 12345678901234567890, "o": {"a": [1]}, "b": True},
        {"prediction": "b", "answers": ["z", None], "late": 0.1, "n": 10**20},
    ]
    path = tmp_path / "a.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows), "utf-8")
    assert rows_of(path) == rows
    found = untrusted.read_upload(path, everything=True).columns
    assert found["prediction"] == ["\ud800", "b"]
    assert (found["answers"], found["o"]) == ([["x", "y"], Nested('["z", null]')], [Nested('{"a": [1]}'), None])
    assert (found["n"], found["late"]) == ([12345678901234567890, 10**20], [None, 0.1])

    cells = {"p": "a", "day": datetime.date(2026, 1, 2), "price": Decimal("1.10"), "raw": b"\xff", "raws": [b"x"]}
    key, picture = pyarrow.array([b"0" * 16], pyarrow.uuid()), pyarrow.array([{"bytes": b"x", "path": None}])
    table = pyarrow.Table.from_pylist([cells]).append_column("key", key).append_column("picture", picture)
    parquet.write_table(table, tmp_path / "a.parquet")
    expected = {"p": "a", "day": "2026-01-02", "price": "1.10", "key": "30303030-3030-3030-3030-303030303030"}
    assert rows_of(tmp_path / "a.parquet") == [expected]
    for kind, value in ((pyarrow.date32(), 2**30), (pyarrow.timestamp("us", "Mars/Base"), 1)):
        parquet.write_table(pyarrow.table({"day": pyarrow.array([value], kind)}), tmp_path / "b.parquet")
        assert "A cell of this Parquet file cannot be read" in refusal(tmp_path / "b.parquet")


CSV_FORMS = [
    ("prediction,reference,,\r\na,b,,\r\n", {"prediction": "a", "reference": "b"}),
    ("prediction;reference\na,b;c\n", {"prediction": "a,b", "reference": "c"}),
    ("sep=;\nprediction;reference\na,b;c\n", {"prediction": "a,b", "reference": "c"}),
    ('"SEP=;"\r\nx;y\n1;2\n', {"x": "1", "y": "2"}),
    ("  \n x ,y\r   \r1,2\r \r", {"x": "1", "y": "2"}),
    ("x;y;z\n1;2;3", {"x": "1", "y": "2", "z": "3"}),
]


@pytest.mark.parametrize(("content", "row"), CSV_FORMS)
def test_csv_as_spreadsheets_write_it(content: str, row: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(content, "utf-8", newline="")
    assert rows_of(tmp_path / "a.csv") == [row]


BAD_FILES = [
    ("a.csv", b"prediction,reference\na,b\nc\n", "Row 2 has 1 cell, where the header has 2"),
    ("a.csv", b"a,b\n1,2\n3,4,5\n", "Row 2 has 3 cells"),
    ("a.csv", b"a,a\n1,2\n", "“a” stands twice"),
    ("a.csv", b"a,b,,\n1,2,,3\n", "“” stands twice"),
    ("a.csv", b'a,b\n1,"x\n2,y\n', "cannot be read: unexpected end of data"),
    ("a.csv", b'a,b\n"x"y,1\n', "cannot be read: ',' expected after '\"'"),
    ("a.csv", "a,b\nx,é\n".encode("latin-1"), "not in UTF-8 .line 2"),
    ("a.jsonl", b'{"a": 1}\n{"a": ' + b"[" * 100_000 + b"}", "Line 2 of this JSON is nested too deeply"),
    ("a.json", b'[{"a": ' + b"[" * 100_000 + b"}]", "Line 1 of this JSON is nested too deeply"),
    ("a.jsonl", b'{"a": 1}\n\n{"a": \n', "breaks off in line 3"),
    ("a.json", b'[{"a": "x"},\n {"a" 1}]', "line 2, at sign 7"),
    ("a.jsonl", b'{"a": 1}\n5\n', "Row 2 is not a JSON object"),
    ("a.jsonl", b'{"a": 1, "a": 2}\n', "“a” stands twice"),
    ("a.json", b'{\n"a": [1, 2]\n}', "one single object"),
    ("a.jsonl", b'{"a": [1, 2], "b": [3, 4]}', "one single object"),
    ("a.json", b'{\n"a": "x"\n}\n{\n"a": "y"\n}', "breaks off in line 1, at sign 2"),
    ("a.jsonl", '{"a": "é"}\n'.encode("latin-1"), "not in UTF-8 .line 1"),
    ("a.parquet", b"PAR1 but not really", "no Parquet file"),
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
    with pytest.raises(BadFile, match=words):
        untrusted.read_upload(path, everything=True)
    assert not path.exists()


USUAL = [
    (["question", "reference", "prediction"], Roles("prediction", "reference", "question")),
    (["Question", "Answer", "model_answer"], Roles("model_answer", "Answer", "Question")),
    (["input", "answers", "pred", "gold_ans", "length"], Roles("pred", "answers", "input", "gold_ans")),
    (["query", "ground_truth", "response", "id"], Roles("response", "ground_truth", "query", id="id")),
    (["target", "output", "answer_keywords"], Roles("output", "target", keywords="answer_keywords")),
    (["User Query", "Gold Answer(s)", "LLM Output (v2)"], Roles("LLM Output (v2)", "Gold Answer(s)", "User Query")),
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
    assert listing(["x" * 100] * 40).count("x") == 30 * MAX_SHOWN
    assert listing(["a"] * 31).endswith("and 1 more")


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
GOOD_ROWS: list[tuple[dict[str, Any], str, Item]] = [
    ({"p": "a", "r": ["x", "y"], "q": "?", "k": ["one", "two"], "g": 3, "i": 7}, "",
     Item("a", ["x", "y"], "?", "one two", "3", "7")),
    ({"p": "a", "r": "x"}, "", Item("a", "x")),
    ({"p": "a", "r": "x / y/z"}, "/", Item("a", ["x", "y", "z"])),
    ({"p": "a", "r": "xyz"}, "/", Item("a", "xyz")),
    ({"p": "a", "r": "/"}, "/", Item("a", ["/"])),
    ({"p": None, "r": "x"}, "", Item("", "x", lacks="no_answer")),
    ({"p": float("nan"), "r": "x"}, "", Item("", "x", lacks="no_answer")),
    ({"p": "", "r": None}, "", Item("", "", lacks="no_reference")),
    ({"p": "", "r": ""}, "", Item("", "")),
]  # fmt: skip
WRONG_CELLS = [
    ({"p": 7, "r": "x"}, "column “p”, row 3, is 7 .int.; a text is expected"),
    ({"p": ["a"], "r": "x"}, r"column “p”, row 3, is \['a'\] .list."),
    ({"p": Nested('{"a": 1}'), "r": "x"}, 'column “p”, row 3, is {"a": 1}'),
    ({"p": "a", "r": 1.5}, "column “r”, row 3, is 1.5 .float.; a text, or a list"),
    ({"p": "a", "r": []}, r"column “r”, row 3, is \[\] .list."),
    ({"p": "a", "r": ["x", None]}, "column “r”, row 3, reference 2, is missing .null."),
    ({"p": "a", "r": "x", "q": False}, "column “q”, row 3, is False .bool."),
    ({"p": "a", "r": "x", "k": [1]}, r"column “k”, row 3, is \[1\]"),
]


def test_a_row_as_the_metrics_take_it() -> None:
    row: Any
    for row, separator, item in GOOD_ROWS:
        assert item_of(row, ROLES, 1, separator) == item
    for row, words in WRONG_CELLS:
        with pytest.raises(BadTable, match=words):
            item_of(row, ROLES, 3)


@pytest.mark.parametrize("ending", [".csv", ".jsonl", ".parquet"])
def test_memory_does_not_grow_with_the_rows_read(ending: str, tmp_path: Path) -> None:
    def peak(count: int) -> int:
        path = written(tmp_path / f"{count}{ending}", [{"p": f"{at} " * 100, "r": "x"} for at in range(count)])
        tracemalloc.start()
        for _ in sources.source_of(path).rows():
            pass
        found = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return found

    assert peak(10_000) < 1.5 * peak(1_000) + 500_000


# Where rows come from


def test_files_of_a_pattern_make_one_table_sorted_by_name(tmp_path: Path) -> None:
    for ending in ENDINGS:
        for name, rows in (("b", ROWS[5:]), ("a", ROWS[:5])):
            written(tmp_path / f"{name}{ending}", rows)
        (tmp_path / f"c{ending}").mkdir()
        assert rows_of(tmp_path / f"*{ending}") == ROWS
        assert rows_of(f"file://{tmp_path}/[ab]{ending}") == ROWS
        assert rows_of(f"file://{tmp_path}/a{ending}") == ROWS[:5]
    assert len(rows_of(tmp_path / "a.*json*")) == 15
    assert "are of different kinds" in refusal(tmp_path / "?.*")
    assert refusal(tmp_path / "*.xlsx") == f"No file fits {tmp_path / '*.xlsx'}."
    for name in ("notes.txt", "a.parquet.gz"):
        (tmp_path / name).write_text("x")
        assert "cannot be told from its name" in refusal(tmp_path / name)
    written(tmp_path / "d[1].jsonl", ROWS[:1])
    written(tmp_path / "d1.jsonl", ROWS[1:])
    assert rows_of(tmp_path / "d[1].jsonl") == ROWS[:1]


def test_a_message_names_the_file_and_the_row_in_it(tmp_path: Path) -> None:
    written(tmp_path / "a.jsonl", ROWS)
    written(tmp_path / "b.jsonl", [*ROWS[:2], {"prediction": 7, "reference": "x"}])
    told = refusal(tmp_path / "*.jsonl")
    assert told == f"{tmp_path / 'b.jsonl'}: The column “prediction”, row 3, is 7 (int); a text is expected."
    (tmp_path / "a.jsonl").write_text('{"a": 1}\n{"a": \n', "utf-8")
    assert refusal(tmp_path / "?.jsonl").startswith(f"{tmp_path / 'a.jsonl'}: ")
    (tmp_path / "c.jsonl.gz").write_bytes(b"no gzip")
    assert refusal(tmp_path / "c.jsonl.gz").startswith("c.jsonl.gz cannot be read: Not a gzipped file")


def test_one_file_under_two_names(tmp_path: Path) -> None:
    path = written(tmp_path / "a.jsonl", ROWS)
    assert sources.same_file(path, f"file://{path}")
    assert sources.same_file("s3://bucket/a.jsonl", "s3://bucket/a.jsonl")
    assert not sources.same_file("s3://bucket/a.jsonl", path)


def test_a_dataset_is_read_by_its_split(tmp_path: Path) -> None:
    rows = [{"question": "?", "answers": ["x", "y"], "prediction": text, "raw": b"\xff"} for text in HOSTILE]
    (tmp_path / "data").mkdir()
    written(tmp_path / "data" / "test.parquet", rows)
    source = sources.source_of(str(tmp_path), "test")
    assert list(source.rows()) == [{name: row[name] for name in row if name != "raw"} for row in rows]
    with pytest.raises(BadTable, match="split nowhere, cannot be loaded"):
        sources.source_of(str(tmp_path), "nowhere")
    assert "is a folder" in refusal(tmp_path)
    assert "no file nothing.csv" in refusal("nothing.csv")
    assert "For a dataset of Hugging Face name its split" in refusal("org/name")


@pytest.fixture
def web(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A server of the test's folder; its host and port."""
    monkeypatch.setenv("NO_PROXY", "*")
    with serving(tmp_path) as host:
        yield host


def test_files_on_the_web_are_read_as_they_stand(tmp_path: Path, web: str) -> None:
    many = [{"prediction": f"{number} {'x' * 50}", "reference": "y"} for number in range(3_000)]
    for ending in ENDINGS:  # the server sends no pieces of a file, as pyarrow would like
        path = Path(written(tmp_path / f"an answer{ending}", many if ending == ".parquet" else ROWS))
        source = sources.source_of(f"http://me:secret@{web}/an%20answer{ending}?signature=secret")
        assert list(source.rows()) == list(source.rows()) == (many if ending == ".parquet" else ROWS)
        assert source.name == path.name
        stamp = source.stamps()[0]
        assert (stamp["size"], bool(stamp["modified"])) == (path.stat().st_size, True)
        assert "secret" not in str(stamp)
    (tmp_path / "a.csv.gz").write_bytes(gzip.compress(bytes_of(ROWS, ".csv")))
    assert rows_of(f"http://{web}/a.csv.gz") == ROWS
    for name, rows in (("b", ROWS[5:]), ("a", ROWS[:5])):
        written(tmp_path / f"{name}.jsonl", rows)
    assert rows_of(f"http://{web}/?.jsonl".replace("?", "[ab]")) == ROWS
    assert refusal(f"http://me:secret@{web}/*.tsv.csv") == f"No file fits http://{web}/*.tsv.csv."


def test_other_filesystems_are_read_too() -> None:
    import fsspec

    memory = fsspec.filesystem("memory")
    memory.pipe("/answers/b.jsonl", b'{"prediction": "b", "reference": "x"}\n')
    memory.pipe("/answers/a1.jsonl", b'\n{"prediction": "a", "reference": "x"}\n')
    try:
        assert [row["prediction"] for row in rows_of("memory://answers/*.jsonl")] == ["a", "b"]
        assert [row["prediction"] for row in rows_of("memory://answers/?1.jsonl")] == ["a"]
        memory.pipe("/answers/b.jsonl", b'{"prediction": 7, "reference": "x"}\n')
        assert "b.jsonl: The column “prediction”, row 1, is 7" in refusal("memory://answers/*.jsonl")
    finally:
        memory.rm("/answers", recursive=True)


def test_what_cannot_be_fetched_is_one_plain_line_without_what_is_secret(
    tmp_path: Path, web: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in ("closed", "cut"):
        (tmp_path / folder).mkdir()
        written(tmp_path / folder / "a.jsonl", ROWS * 500)
    expected = {
        f"{web}/no.jsonl": f"There is no file http://{web}/no.jsonl.",
        f"{web}/closed/a.jsonl": f"http://{web}/closed/a.jsonl cannot be read: 403 Forbidden.",
        f"{web}/cut/a.jsonl": "a.jsonl cannot be read: ",
        f"{web}/a.txt": "There is no file",
        "127.0.0.1:9/a.jsonl": "http://127.0.0.1:9/a.jsonl cannot be read: Cannot connect to host",
    }
    for place, words in expected.items():
        told = refusal(f"http://me:secret@{place}?signature=secret")
        assert told.startswith(words)
        assert "secret" not in told
        assert "\n" not in told
    assert "secret" not in refusal("s4://key:secret@bucket/a.jsonl")
    monkeypatch.setitem(sys.modules, "s3fs", None)
    told = refusal("s3://key:secret@bucket/a.jsonl")
    assert told == "s3://bucket/a.jsonl cannot be read: Install s3fs to access S3."


SHOWN = [
    ("https://me:p@ss@host/a.csv?sig=1#x", "https://host/a.csv"),
    ("403, url='https://me:x@host/a?b=c', and more", "403, url='https://host/a', and more"),
    ("zip://a.csv::https://me:x@host/a.zip?sig=1", "zip://a.csv::https://host/a.zip"),
    ("https://host/a.csv?token", "https://host/a.csv"),
    ("s3://bucket/a?b.csv", "s3://bucket/a?b.csv"),
    ("abfs://box@host/a.csv?sv=1&sig=2", "abfs://host/a.csv"),
    ("hf://datasets/org/name@main/a.parquet", "hf://datasets/org/name@main/a.parquet"),
]


@pytest.mark.parametrize(("given", "expected"), SHOWN)
def test_what_is_shown_of_an_address(given: str, expected: str) -> None:
    assert places.shown(given) == expected


# Visitors' files


def judged(count: int = 6) -> Rows:
    """Rows of a judge's file."""
    return [{"generated": "4.5", "anchor_score": "3", "perturbation_category": "error"} for _ in range(count)]


def test_the_judge_check_gets_the_columns_that_count_and_no_others() -> None:
    rows = [{"prompt": "x" * 300_000, **row} for row in judged()]
    for kind, ending in (("csv", ".csv"), ("json", ".jsonl"), ("parquet", ".parquet")):
        found = untrusted.read(kind, bytes_of(rows, ending))
        assert (found.rows, list(found.columns), found.found[0]) == (6, list(rows[0])[1:], "prompt")


LIMITS = [
    ("MAX_ROWS", 5, "more than 5 rows"),
    ("MAX_CELL", 2, "“generated”, row 1, is too long: 3 characters"),
    ("MAX_CHARACTERS", 40, "more than 40 characters"),
    ("MAX_COLUMNS", 2, "more than 2 columns"),
]


@pytest.mark.parametrize(("limit", "most", "words"), LIMITS)
@pytest.mark.parametrize(("kind", "ending"), [("csv", ".csv"), ("json", ".json"), ("parquet", ".parquet")])
def test_each_limit_names_itself(
    kind: str, ending: str, limit: str, most: int, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(visitors_file, limit, most)
    with pytest.raises(visitors_file.Unreadable) as refused:
        visitors_file.read(kind, bytes_of(judged(), ending))
    assert words in untrusted.say(refused.value.problem, **refused.value.values)


def test_small_files_that_hold_much_take_little_of_the_server(tmp_path: Path) -> None:
    import pyarrow
    from pyarrow import parquet

    def zipped(column: Any) -> bytes:
        out = pyarrow.BufferOutputStream()
        parquet.write_table(pyarrow.table({"generated": column}), out, compression="zstd")
        return bytes(out.getvalue())

    once = pyarrow.DictionaryArray.from_arrays(pyarrow.array([0] * 200, "int32"), pyarrow.array(["x" * 20_000_000]))
    with pytest.raises(BadFile, match="more memory or time"):
        untrusted.read("parquet", zipped(once))
    with pytest.raises(BadFile, match="is too long"):
        untrusted.read("parquet", zipped(pyarrow.array([[""] * 24_000] * 20)))
    lists = zipped(pyarrow.array([[[]] * 24_000] * 20, pyarrow.list_(pyarrow.list_(pyarrow.string()))))
    tracemalloc.start()
    found = untrusted.read("parquet", lists)
    held = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert (len(lists) < 2_000, found.rows, held < 3_000_000) == (True, 20, True)
    for depth, refused in ((50, False), (51, True), (400, True), (985, True), (100_000, True)):
        nested, path = "[" * depth + "]" * depth, tmp_path / "a.jsonl"
        path.write_text(f'{{"anchor_score": 1, "generated": {nested}}}', "utf-8")
        if refused:
            with pytest.raises(BadFile, match=r"nested too deeply|more memory or time"):
                untrusted.read_upload(path)
        else:
            assert untrusted.read_upload(path).columns["generated"] == [Nested(nested)]


CHILDREN = [
    ("raise SystemExit(3)", "could not be read (3)"),
    ("1", "memory or time"),
    ("import time; time.sleep(60)", "memory or time"),
    ("import os; print('[' * ('KEY' in os.environ))", "memory or time"),
]


@pytest.mark.parametrize(("source", "words"), CHILDREN)
def test_a_reader_that_breaks_or_takes_too_long_is_told_apart_and_gets_no_key(
    source: str, words: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "reader.py").write_text(source, "utf-8")
    monkeypatch.setenv("KEY", "secret")
    with pytest.raises(BadFile) as refused:
        untrusted.by_child([str(tmp_path / "reader.py")], b"x", "file", 2)
    assert words in str(refused.value)


def test_an_upload_is_of_a_kind_and_a_size_that_are_taken_and_deleted_in_any_case(tmp_path: Path) -> None:
    for name in ("a", "a.csv.gz", "a.xlsx", ".csv"):
        (tmp_path / name).write_bytes(b"x")
        with pytest.raises(BadFile, match=r"\.parquet"):
            untrusted.read_upload(tmp_path / name)
    (tmp_path / "a.csv").write_bytes(b"x" * 10_000_001)
    with pytest.raises(BadFile, match="at most 10 MB"):
        untrusted.read_upload(tmp_path / "a.csv")
    assert list(tmp_path.iterdir()) == []
