"""Reads the rows of a table one by one: from CSV, JSON, Parquet, Excel or lines of text.

Reading does not change the cells. In CSV every cell is a text, so "NA", "None" and "007" are
neither missing values nor numbers. A UserError is raised if a file is malformed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Any

from lens.tables import known_formats, logs
from lens.tables.csv_tables import read_csv, read_lines
from lens.tables.excel import read_workbook
from lens.tables.file_reading import FileReading, Row, refuse_duplicates
from lens.tables.inspect_archives import ZIP_MARK, read_eval_rows
from lens.tables.json_files import read_json, read_plain_json
from lens.tables.log import Log
from lens.tables.text_files import open_text, refuse_wrong_bytes
from lens.words.notes import UserError
from lens.words.printed import shorten_name

FILE_KINDS = {
    ".csv": "csv",
    ".tsv": "csv",
    ".jsonl": "json",
    ".ndjson": "json",
    ".json": "json",
    ".parquet": "parquet",
    ".eval": "json",
    ".txt": "txt",
    ".xlsx": "xlsx",
    ".xlsm": "xlsx",
}
# The `newline` argument of open(). A cell of CSV may contain any line end, so none is converted. In
# JSON Lines only "\n" ends a line.
NEWLINE = {"csv": "", "json": "\n", "txt": "\n"}
READERS = {"csv": read_csv, "json": read_json, "txt": read_lines}
# A word in the name of an Arrow type.
WORD = re.compile(r"\w+")
# The errors for a date after the year 9999, a text that is not UTF-8, or an unknown time zone.
UNREADABLE_ERRORS = (LookupError, OverflowError, ValueError)
# The number of rows of Parquet in memory at once.
BATCH_ROWS = 200


def find_file_kind(name: str, compressed: bool) -> str:
    """Return the kind of a file by its extension; empty if it is unknown.

    A compressed file has its kind before its last extension. Compressed Parquet files are unknown.

    >>> find_file_kind("a.TSV", False), find_file_kind("a.csv.gz", True)
    ('csv', 'csv')
    >>> find_file_kind("a.parquet.gz", True)
    ''
    """
    path = Path(name)
    if compressed:
        path = Path(path.stem)
    kind = FILE_KINDS.get(path.suffix.lower(), "")
    return "" if compressed and kind == "parquet" else kind


def read_table(
    kind: str,
    file: IO[bytes],
    log: Log | None = None,
    reading: FileReading | None = None,
) -> Iterator[Row]:
    """Return the rows of a file.

    Args:
        kind: "csv", "json", "txt", "xlsx" or "parquet".
        file: the bytes of the file.
        log: collects facts on another tool's log. If it is None, a log is read as an ordinary
            table.
        reading: the options of reading; notes are added to it.
    """
    reading = reading or FileReading()
    if log and kind == "json" and has_mark(file, ZIP_MARK):
        return read_eval_rows(file, log)
    if kind == "xlsx":
        return read_workbook(file, reading)
    rows = read_parquet_rows(file) if kind == "parquet" else read_text_rows(kind, file, reading)
    if log is None:
        return rows
    recognize = known_formats.find_csv_format if kind == "csv" else known_formats.find_format
    return logs.convert_log(rows, log, recognize)


def has_mark(file: IO[bytes], mark: bytes) -> bool:
    """Return whether a seekable file begins with these bytes; False if it is not seekable."""
    if not file.seekable():
        return False
    head = file.read(len(mark))
    file.seek(0)
    return head == mark


def read_text_rows(kind: str, file: IO[bytes], reading: FileReading) -> Iterator[Row]:
    """Yield the rows of a text file of the kind "csv", "json" or "txt"."""
    text = open_text(file, NEWLINE[kind], reading)
    with refuse_wrong_bytes(file, reading):
        yield from READERS[kind](text, reading)


def read_plain_json_rows(file: IO[bytes]) -> Iterator[Row]:
    """Yield the rows of a JSON file of a known form, without recognising other forms."""
    reading = FileReading()
    text = open_text(file, NEWLINE["json"], reading)
    with refuse_wrong_bytes(file, reading):
        yield from read_plain_json(text)


def read_parquet_rows(source: Any) -> Iterator[Row]:
    """Yield the rows of a Parquet file, without columns of bytes."""
    import pyarrow
    from pyarrow import parquet

    try:
        file = parquet.ParquetFile(source)
        refuse_duplicates(file.schema_arrow.names)
        yield from read_batches(
            file.iter_batches(
                BATCH_ROWS, columns=list_readable_columns(file.schema_arrow), use_threads=False
            )
        )
    except (pyarrow.ArrowException, OSError, *UNREADABLE_ERRORS):
        raise UserError("file.not_parquet") from None


def list_readable_columns(schema: Any) -> list[str]:
    """Return the columns of an Arrow schema that are read: all without bytes, such as images."""
    return [field.name for field in schema if not has_bytes(str(field.type))]


def has_bytes(arrow_type: str) -> bool:
    """Return whether an Arrow type is a type of bytes, or contains one.

    A word before a colon is the name of a field, not of a type.

    >>> has_bytes("list<item: large_binary>"), has_bytes("struct<my_binary: string>")
    (True, False)
    """
    for word in WORD.finditer(arrow_type):
        is_name = arrow_type[word.end() : word.end() + 1] == ":"
        if "binary" in word[0] and not is_name:
            return True
    return False


def read_batches(batches: Iterable[Any]) -> Iterator[Row]:
    """Yield the rows of Arrow batches.

    Raises:
        UserError: a cell cannot be read; the message has its row and column.
    """
    rows_before = 0
    for batch in batches:
        for row in read_batch(batch, rows_before):
            yield {name: convert_arrow_cell(cell) for name, cell in row.items()}
        rows_before += batch.num_rows


def read_batch(batch: Any, rows_before: int) -> list[Row]:
    """Return the rows of a batch; `rows_before` is the number of rows before it."""
    try:
        rows: list[Row] = batch.to_pylist()
        return rows
    except UNREADABLE_ERRORS:
        refuse_unreadable_cell(batch, rows_before)
        raise


def refuse_unreadable_cell(batch: Any, rows_before: int) -> None:
    """Raise UserError for the first cell of a batch that cannot be read."""
    for row in range(batch.num_rows):
        for name, column in zip(batch.schema.names, batch.columns, strict=True):
            try:
                column[row].as_py()
            except UNREADABLE_ERRORS as error:
                values = {
                    "column": shorten_name(name),
                    "row": rows_before + row + 1,
                    "message": type(error).__name__,
                }
                raise UserError("file.parquet_cell", **values) from None


def convert_arrow_cell(cell: Any) -> Any:
    """Return an Arrow cell as a value for JSON.

    Dates, decimal numbers and values of other types become texts.
    """
    if isinstance(cell, list | tuple):
        return [convert_arrow_cell(inner) for inner in cell]
    if isinstance(cell, dict):
        return {name: convert_arrow_cell(inner) for name, inner in cell.items()}
    if cell is None or isinstance(cell, str | int | float):
        return cell
    return str(cell)
