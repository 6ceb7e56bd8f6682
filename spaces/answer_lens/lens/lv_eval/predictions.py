"""Read prediction files as LV-Eval's own code writes them: lines of JSON with pred, answers and gold_ans, or zips of
such files.

One's own files are read as they are, however large (`read_own_files`). A visitor's are read within limits, in a child
process (`read_visitor_files`), because a small file can unpack to a huge one: `python -m lens.lv_eval.predictions en
PATH ...` writes one line of JSON, {"files": ...} or {"problem"}.
"""

from __future__ import annotations

import io
import json
import lzma
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from lens.lv_eval.tasks import LENGTHS, SUFFIX, TASKS, parse_file_name, sort_key
from lens.tables.cells import cut_cell
from lens.tables.child_process import limit_process, run_reader, write_answer
from lens.tables.read import read_plain_json_rows
from lens.words.notes import Note, UserError

READER = ("-m", "lens.lv_eval.predictions")
# What the page takes, all files of one run together; the whole benchmark has 8,645 rows and answers of 64 tokens. What
# a zip unpacks to is held by the limits of the child process.
MAX_BYTES, MAX_ROWS, MAX_TEXT, MAX_CHARACTERS = 10_000_000, 20_000, 50_000, 12_000_000
BROKEN = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError, RuntimeError, ValueError)

Named = tuple[str, bytes]


@dataclass(frozen=True)
class Predictions:
    """One file: its dataset and length, and of each row what is scored."""

    name: str
    dataset: str
    length: str
    predictions: list[str]
    references: list[str]
    keywords: list[str]


def read_own_files(path: Path) -> list[Predictions]:
    """Read the prediction files of one's own in a folder, in a zip, or a single one.

    Other files in the folder do not count, as in the original.

    Raises:
        UserError: something is wrong with a file.
    """
    files = [path]
    if path.is_dir():
        files = [one for one in path.iterdir() if one.is_file() and one.name.endswith(SUFFIX)]
    return parse_files([(one.name, one.read_bytes()) for one in files])


def read_visitor_files(paths: Sequence[str]) -> list[Predictions]:
    """Read the prediction files that a visitor sent; UserError where something is wrong with one."""
    return [Predictions(**file) for file in run_reader(READER, *paths)["files"]]


def parse_files(files: Sequence[Named]) -> list[Predictions]:
    """Return all prediction files of a run, in the order of the original; UserError where one is wrong."""
    found = [parse_file(*file) for file in sorted(unpack_files(files), key=lambda one: sort_key(one[0]))]
    if not found:
        raise UserError("lv_eval.no_files")
    cells: dict[tuple[str, str], Predictions] = {}
    for file in found:
        first = cells.setdefault((file.dataset, file.length), file)
        if first is not file:
            names = {"file": first.name, "other": file.name}
            raise UserError("lv_eval.same", **names, dataset=file.dataset, length=file.length)
    return found


def unpack_files(files: Sequence[Named]) -> Iterator[Named]:
    """Yield the files, those of a zip in whatever folder of it they lie; what else is in it does not count."""
    for name, data in files:
        if not name.lower().endswith(".zip"):
            yield name, data
            continue
        try:
            archive = zipfile.ZipFile(io.BytesIO(data))
            for entry in archive.infolist():
                *folders, inner = entry.filename.replace("\\", "/").split("/")
                if inner.endswith(SUFFIX) and not inner.startswith(".") and "__MACOSX" not in folders:
                    yield inner, archive.read(entry)
        except BROKEN:
            raise UserError("page.error_in", place=name, error=Note("lv_eval.zip_broken")) from None


def parse_file(name: str, data: bytes) -> Predictions:
    """Return what is scored of one file."""
    dataset, length = parse_file_name(name)
    if not name.endswith(SUFFIX) or dataset not in TASKS or length not in LENGTHS:
        raise UserError("page.error_in", place=name, error=Note("lv_eval.name", {"lengths": ", ".join(LENGTHS)}))
    gated = bool(TASKS[dataset].gate)
    try:
        rows = [
            read_prediction_row(row, gated, number)
            for number, row in enumerate(read_plain_json_rows(io.BytesIO(data)), 1)
        ]
        if not rows:
            raise UserError("file.no_rows")
    except UserError as error:
        raise UserError("page.error_in", place=name, error=error.note) from None
    predictions, references, keywords = map(list, zip(*rows, strict=True))
    return Predictions(name, dataset, length, predictions, references, keywords)


def read_prediction_row(row: dict[str, Any], gated: bool, number: int) -> tuple[str, str, str]:
    """Return prediction, first answer and keywords of a row; where there are no keywords, an empty text."""
    prediction, answers, keywords = row.get("pred"), row.get("answers"), row.get("gold_ans")
    fits = {
        "pred": isinstance(prediction, str),
        "answers": isinstance(answers, list) and answers and isinstance(answers[0], str),
        # The original hands gold_ans to every metric, and only those with a gate look at it.
        "gold_ans": not gated or isinstance(keywords, str | None),
    }
    for field, fitting in fits.items():
        if not fitting:
            value = cut_cell(json.dumps(row.get(field), ensure_ascii=False))
            raise UserError("lv_eval.wrong", row=number, field=field, value=value)
    return str(prediction), row["answers"][0], keywords or "" if gated else ""


def read_sent_files(paths: Sequence[Path]) -> list[Predictions]:
    """Read a visitor's files, within what the page takes."""
    most = {"size": MAX_BYTES // 1_000_000, "rows": MAX_ROWS, "text": MAX_TEXT, "characters": MAX_CHARACTERS}
    try:
        if sum(path.stat().st_size for path in paths) > MAX_BYTES:
            raise UserError("lv_eval.large", **most)
        files = [(path.name, path.read_bytes()) for path in paths]
    except FileNotFoundError:  # deleted by another visitor's run of the very same file, or after an hour
        raise UserError("file.unsent") from None
    found = parse_files(files)
    lengths = [len(text) for file in found for text in (*file.predictions, *file.references, *file.keywords)]
    rows = sum(len(file.predictions) for file in found)
    if rows > MAX_ROWS or max(lengths) > MAX_TEXT or sum(lengths) > MAX_CHARACTERS:
        raise UserError("lv_eval.large", **most)
    return found


if __name__ == "__main__":
    limit_process()
    write_answer(lambda *paths: {"files": [asdict(file) for file in read_sent_files([Path(path) for path in paths])]})
