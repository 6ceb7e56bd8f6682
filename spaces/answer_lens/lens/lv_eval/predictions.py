"""Reads prediction files as LV-Eval's own code writes them.

They are JSON Lines with pred, answers and gold_ans, or zip archives of such files. The user's own
files are read without limits (`read_local_files`). A visitor's files are read with limits and in a
child process (`read_visitor_files`), because a small archive can unpack to a huge file. The child
process runs this module, and writes one line of JSON: {"files": ...} or {"problem": ...}.
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

from lens.lv_eval.tasks import LENGTHS, SUFFIX, TASKS, make_sort_key, parse_file_name
from lens.tables.cells import cut_cell
from lens.tables.child_process import limit_process, run_reader, write_answer
from lens.tables.read import read_plain_json_rows
from lens.words.notes import Note, UserError

# The arguments of Python in the child process.
CHILD_ARGUMENTS = ("-m", "lens.lv_eval.predictions")
# The limits of the page, for all files of a run together. The whole benchmark has 8,645 rows and
# answers of 64 tokens. The unpacked size of a zip archive is limited by the memory and time of the
# child process.
MAX_BYTES, MAX_ROWS, MAX_CHARACTERS = 10_000_000, 20_000, 12_000_000
# The limit of characters of one text.
MAX_TEXT = 50_000
# What Python raises for a broken or an encrypted archive.
ZIP_ERRORS = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    OSError,
    RuntimeError,
    ValueError,
)

# The name and the content of a file.
NamedFile = tuple[str, bytes]


@dataclass(frozen=True)
class Predictions:
    """The rows of one file, with its dataset and length.

    Attributes:
        name: the name of the file.
        dataset: the dataset.
        length: the length.
        predictions: the predictions.
        references: the first answer of each row.
        keywords: the keywords of each row; empty if there are none.
    """

    name: str
    dataset: str
    length: str
    predictions: list[str]
    references: list[str]
    keywords: list[str]


def read_local_files(path: Path) -> list[Predictions]:
    """Read the user's prediction files: those in a folder or a zip archive, or a single file.

    Other files in the folder are ignored, as in the original.

    Raises:
        UserError: a file is malformed.
    """
    paths = [path]
    if path.is_dir():
        paths = [file for file in path.iterdir() if file.is_file() and file.name.endswith(SUFFIX)]
    return parse_files(read_bytes(paths))


def read_bytes(paths: Sequence[Path]) -> list[NamedFile]:
    """Return the names and the bytes of files."""
    return [(path.name, path.read_bytes()) for path in paths]


def read_visitor_files(paths: Sequence[str]) -> list[Predictions]:
    """Read the prediction files of a visitor; UserError is raised if one is malformed."""
    answer = run_reader(CHILD_ARGUMENTS, *paths)
    return [Predictions(**file) for file in answer["files"]]


def parse_files(files: Sequence[NamedFile]) -> list[Predictions]:
    """Parse all prediction files of a run, in the order of the original.

    Raises:
        UserError: a file is malformed.
    """
    # As in the original, files of the same sort key stay in the given order.
    unpacked = sorted(unpack_files(files), key=lambda file: make_sort_key(file[0]))
    predictions = [parse_file(name, data) for name, data in unpacked]
    if not predictions:
        raise UserError("lv_eval.no_files")
    refuse_same_cell(predictions)
    return predictions


def refuse_same_cell(predictions: Sequence[Predictions]) -> None:
    """Raise UserError if two files have the same dataset and length."""
    first_files: dict[tuple[str, str], str] = {}
    for file in predictions:
        cell = (file.dataset, file.length)
        if cell in first_files:
            raise UserError(
                "lv_eval.same",
                file=first_files[cell],
                other=file.name,
                dataset=file.dataset,
                length=file.length,
            )
        first_files[cell] = file.name


def unpack_files(files: Sequence[NamedFile]) -> Iterator[NamedFile]:
    """Yield files; in the place of a zip archive, its prediction files."""
    for name, data in files:
        if not name.lower().endswith(".zip"):
            yield name, data
            continue
        try:
            yield from unpack_archive(data)
        except ZIP_ERRORS:
            error = Note("lv_eval.zip_broken")
            raise UserError("page.error_in", place=name, error=error) from None


def unpack_archive(data: bytes) -> Iterator[NamedFile]:
    """Yield the prediction files in all folders of a zip archive, without hidden ones."""
    archive = zipfile.ZipFile(io.BytesIO(data))
    for member in archive.infolist():
        path = member.filename.replace("\\", "/")
        *folders, name = path.split("/")
        # macOS adds a folder __MACOSX with hidden files.
        is_hidden = name.startswith(".") or "__MACOSX" in folders
        if name.endswith(SUFFIX) and not is_hidden:
            yield name, archive.read(member)


def parse_file(name: str, data: bytes) -> Predictions:
    """Parse one prediction file."""
    dataset, length = parse_file_name(name)
    is_known = dataset in TASKS and length in LENGTHS
    if not is_known or not name.endswith(SUFFIX):
        error = Note("lv_eval.name", {"lengths": ", ".join(LENGTHS)})
        raise UserError("page.error_in", place=name, error=error)
    file = Predictions(name, dataset, length, [], [], [])
    is_gated = bool(TASKS[dataset].gate)
    try:
        for number, row in enumerate(read_plain_json_rows(io.BytesIO(data)), 1):
            check_row(row, is_gated, number)
            file.predictions.append(row["pred"])
            first_answer = row["answers"][0]
            file.references.append(first_answer)
            # The original passes gold_ans to every metric, but only metrics with a gate use it.
            keywords = row.get("gold_ans") if is_gated else None
            file.keywords.append(keywords or "")
        if not file.predictions:
            raise UserError("file.no_rows")
    except UserError as error:
        raise UserError("page.error_in", place=name, error=error.note) from None
    return file


def check_row(row: dict[str, Any], is_gated: bool, number: int) -> None:
    """Raise UserError, with the row's number, if a row cannot be scored.

    The prediction and the first answer must be texts, and keywords must be a text or null.
    """
    answers = row.get("answers")
    first_answer = answers[0] if answers and isinstance(answers, list) else None
    has_text = {
        "pred": isinstance(row.get("pred"), str),
        "answers": isinstance(first_answer, str),
        "gold_ans": not is_gated or isinstance(row.get("gold_ans"), str | None),
    }
    for field, is_valid in has_text.items():
        if not is_valid:
            text = json.dumps(row.get(field), ensure_ascii=False)
            raise UserError("lv_eval.wrong", row=number, field=field, value=cut_cell(text))


def read_within_limits(paths: Sequence[Path]) -> list[Predictions]:
    """Read a visitor's files; UserError is raised if they exceed the limits."""
    try:
        size = sum(path.stat().st_size for path in paths)
        if size > MAX_BYTES:
            raise make_size_error()
        files = read_bytes(paths)
    except FileNotFoundError:
        # Another run with the same file has deleted it, or it was deleted after an hour.
        raise UserError("file.unsent") from None
    predictions = parse_files(files)
    rows = 0
    lengths: list[int] = []
    for file in predictions:
        rows += len(file.predictions)
        for texts in (file.predictions, file.references, file.keywords):
            lengths += map(len, texts)
    if rows > MAX_ROWS or max(lengths) > MAX_TEXT or sum(lengths) > MAX_CHARACTERS:
        raise make_size_error()
    return predictions


def make_size_error() -> UserError:
    """Return the error for files that exceed the limits."""
    return UserError(
        "lv_eval.large",
        size=MAX_BYTES // 1_000_000,
        rows=MAX_ROWS,
        text=MAX_TEXT,
        characters=MAX_CHARACTERS,
    )


def make_answer(*paths: str) -> dict[str, Any]:
    """Return the answer of the child process: a visitor's files."""
    predictions = read_within_limits([Path(path) for path in paths])
    return {"files": [asdict(file) for file in predictions]}


if __name__ == "__main__":
    limit_process()
    write_answer(make_answer)
