"""Where rows come from: one file, several, an address; what is wrong is said, but no password and no signature."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.project import ROOT
from tests.support.web import serving
from tests.test_tables import HOSTILE, written

sys.path.insert(0, str(ROOT / "spaces" / "answer_lens"))

from lens.tables import places, sources
from lens.tables.roles import BadTable, Roles

Rows = list[dict[str, Any]]
ROLES = Roles("prediction", "reference")
ENDINGS = (".csv", ".tsv", ".jsonl", ".ndjson", ".json", ".parquet")
ROWS: Rows = [{"id": "007", "prediction": text, "reference": text} for text in HOSTILE]


def rows_of(given: str) -> Rows:
    """The rows of what a user names."""
    return list(sources.source_of(given).rows())


def refusal(given: str) -> str:
    """What is said where an input cannot be read to its end."""
    with pytest.raises(BadTable) as refused:
        list(sources.items(sources.source_of(given), ROLES))
    return str(refused.value)


@pytest.fixture
def web(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A server of the test's folder; its host and port."""
    monkeypatch.setenv("NO_PROXY", "*")
    with serving(tmp_path) as host:
        yield host


@pytest.mark.parametrize("ending", ENDINGS)
def test_files_of_a_pattern_make_one_table_sorted_by_name(ending: str, tmp_path: Path) -> None:
    for name, rows in (("b", ROWS[5:]), ("a", ROWS[:5])):
        written(tmp_path / f"{name}{ending}", rows)
    (tmp_path / f"c{ending}").mkdir()
    assert rows_of(str(tmp_path / f"*{ending}")) == ROWS
    assert rows_of(f"file://{tmp_path}/[ab]{ending}") == ROWS
    assert rows_of(f"file://{tmp_path}/a{ending}") == ROWS[:5]


def test_a_file_whose_name_looks_like_a_pattern_is_that_file(tmp_path: Path) -> None:
    written(tmp_path / "a[1].jsonl", ROWS[:1])
    written(tmp_path / "a1.jsonl", ROWS[1:])
    assert rows_of(str(tmp_path / "a[1].jsonl")) == ROWS[:1]


def test_a_message_names_the_file_and_the_row_in_it(tmp_path: Path) -> None:
    written(tmp_path / "a.jsonl", ROWS)
    written(tmp_path / "b.jsonl", [*ROWS[:2], {"prediction": 7, "reference": "x"}])
    told = refusal(str(tmp_path / "*.jsonl"))
    assert told == f"{tmp_path / 'b.jsonl'}: The column “prediction”, row 3, is 7 (int); a text is expected."
    (tmp_path / "a.jsonl").write_text('{"a": 1}\n{"a": \n', "utf-8")
    assert refusal(str(tmp_path / "?.jsonl")).startswith(f"{tmp_path / 'a.jsonl'}: ")


def test_files_of_one_table_are_of_one_kind(tmp_path: Path) -> None:
    for ending in (".jsonl", ".ndjson", ".json"):
        written(tmp_path / f"a{ending}", ROWS)
    assert len(rows_of(str(tmp_path / "a.*"))) == 3 * len(ROWS)
    written(tmp_path / "b.csv", ROWS)
    assert "are of different kinds" in refusal(str(tmp_path / "*"))
    (tmp_path / "notes.txt").write_text("x")
    assert "cannot be told from its name" in refusal(str(tmp_path / "*"))
    assert refusal(str(tmp_path / "*.parquet")) == f"No file fits {tmp_path / '*.parquet'}."


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_file_on_the_web_is_read_as_it_stands(ending: str, tmp_path: Path, web: str) -> None:
    written(tmp_path / f"an answer{ending}", ROWS)
    source = sources.source_of(f"http://me:secret@{web}/an%20answer{ending}?signature=secret")
    assert list(source.rows()) == list(source.rows()) == ROWS
    assert source.name == f"an answer{ending}"
    stamp = source.stamps()[0]
    assert stamp["size"] == (tmp_path / f"an answer{ending}").stat().st_size
    assert stamp["modified"]
    assert "secret" not in str(stamp)


def test_a_long_parquet_file_of_a_server_that_sends_no_pieces(tmp_path: Path, web: str) -> None:
    import pyarrow
    from pyarrow import parquet

    rows = [{"prediction": f"{number} {'x' * 50}", "reference": "y"} for number in range(3_000)]
    table = pyarrow.Table.from_pylist(rows)
    parquet.write_table(table, tmp_path / "a.parquet", row_group_size=100, compression="none", use_dictionary=False)
    assert rows_of(f"http://{web}/a.parquet") == rows


def test_a_pattern_on_the_web_takes_what_its_page_lists(tmp_path: Path, web: str) -> None:
    for name, rows in (("b", ROWS[5:]), ("a", ROWS[:5])):
        written(tmp_path / f"{name}.jsonl", rows)
    assert rows_of(f"http://{web}/*.jsonl") == ROWS
    assert refusal(f"http://me:secret@{web}/*.csv") == f"No file fits http://{web}/*.csv."


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


def test_what_cannot_be_fetched_is_one_plain_line_without_what_is_secret(tmp_path: Path, web: str) -> None:
    for folder in ("closed", "cut"):
        (tmp_path / folder).mkdir()
        written(tmp_path / folder / "a.jsonl", ROWS * 500)
    asked = {
        path: f"http://me:secret@{web}/{path}?signature=secret" for path in ("no.jsonl", "closed/a.jsonl", "a.txt")
    }
    assert refusal(asked["no.jsonl"]) == f"There is no file http://{web}/no.jsonl."
    assert refusal(asked["closed/a.jsonl"]) == f"http://{web}/closed/a.jsonl cannot be read: 403 Forbidden."
    told = refusal(f"http://me:secret@{web}/cut/a.jsonl?signature=secret")
    assert told.startswith("a.jsonl cannot be read: ")
    unreached = refusal("http://me:secret@127.0.0.1:9/a.jsonl?s=secret")
    assert unreached.startswith("http://127.0.0.1:9/a.jsonl cannot be read: Cannot connect to host")
    for given in ("s4://key:secret@bucket/a.jsonl", "http://me:secret@127.0.0.1:9/a.jsonl?s=secret", *asked.values()):
        told += refusal(given)
    assert "secret" not in told
    assert "\n" not in told


def test_a_filesystem_whose_package_is_missing_says_which(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "s3fs", None)
    told = refusal("s3://key:secret@bucket/a.jsonl")
    assert told == "s3://bucket/a.jsonl cannot be read: Install s3fs to access S3."


SHOWN = [
    ("https://me:p@ss@host/a.csv?sig=1#x", "https://host/a.csv"),
    ("403, url='https://me:x@host/a?b=c', and more", "403, url='https://host/a', and more"),
    ("zip://a.csv::https://me:x@host/a.zip?sig=1", "zip://a.csv::https://host/a.zip"),
    ("s3://bucket/a?b.csv", "s3://bucket/a?b.csv"),
    ("abfs://box@host/a.csv?sv=1&sig=2", "abfs://host/a.csv"),
    ("hf://datasets/org/name@main/a.parquet", "hf://datasets/org/name@main/a.parquet"),
]


@pytest.mark.parametrize(("given", "expected"), SHOWN)
def test_what_is_shown_of_an_address(given: str, expected: str) -> None:
    assert places.shown(given) == expected


def test_one_file_under_two_names(tmp_path: Path) -> None:
    path = written(tmp_path / "a.jsonl", ROWS)
    assert sources.same_file(path, f"file://{path}")
    assert sources.same_file("s3://bucket/a.jsonl", "s3://bucket/a.jsonl")
    assert not sources.same_file("s3://bucket/a.jsonl", path)
