"""Writes and reads the file of verdicts, with which a user continues reading later."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from lens.experiment.answers import Answer, read_verdict
from lens.experiment.table_notes import count_rows
from lens.tables.cells import parse_integer
from lens.tables.roles import format_cell
from lens.tables.write import format_csv_line
from lens.words.notes import UserError

COLUMNS = ("row", "id", "verdict", "time", "answer_sha256")
# A time in ISO 8601, as the page and most programs write it.
TIME = re.compile(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?", re.ASCII)
# The prefix of a mark. Without it, a spreadsheet may take the digits for a number and change them.
HASH_PREFIX = "sha256:"
# The hexadecimal digits of a mark. With 48 bits, two answers of a table hardly share a mark.
HASH_DIGITS = 12

# A verdict and the time at which it was given, which may be empty.
TimedVerdict = tuple[str, str]


class VerdictLine(NamedTuple):
    """The cells of a line in a file of verdicts."""

    row: Any
    verdict: Any
    time: Any
    mark: Any


def mark_answer(answer: str) -> str:
    """Return a mark that identifies an answer, so that verdicts on another table are refused."""
    # An answer may have a lone surrogate, which strict UTF-8 refuses.
    data = answer.encode("utf-8", "surrogatepass")
    digest = hashlib.sha256(data).hexdigest()
    return HASH_PREFIX + digest[:HASH_DIGITS]


def format_verdict_file(
    answers: Sequence[Answer],
    verdicts: Mapping[int, TimedVerdict],
    rows: int,
) -> bytes:
    """Return the file of verdicts (CSV).

    Args:
        answers: the answers of all systems, one system after another.
        verdicts: verdicts with their times, by the place of the answer and in reading order.
        rows: the number of answers of each system.
    """
    lines = [format_csv_line(COLUMNS)]
    for place, timed_verdict in verdicts.items():
        verdict, time = timed_verdict
        answer = answers[place]
        row = place % rows + 1
        mark = mark_answer(answer.prediction)
        cells = (row, answer.id, verdict, time, mark)
        lines.append(format_csv_line(cells))
    return b"".join(lines)


def read_verdict_file(
    columns: Mapping[str, Sequence[Any]],
    known_marks: Sequence[str],
    rows: int,
) -> dict[int, TimedVerdict]:
    """Return the verdicts of a file, with their times, by the places of the answers.

    The mark says which of the systems' answers a verdict is on; without a mark, it is on the first
    system's. A malformed time is left out, because no result depends on it.

    Args:
        columns: the columns of the file.
        known_marks: the marks of the answers of all systems, one system after another.
        rows: the number of answers of each system.

    Raises:
        UserError: a verdict is on an answer that does not exist, or one answer has two different
            verdicts.
    """
    verdicts: dict[int, TimedVerdict] = {}
    changed: list[int] = []
    lines = list_lines(columns)
    for number, line in enumerate(lines, 1):
        row = read_row_number(line.row, number, rows)
        # The places of all systems' answers in this row.
        row_places = range(row - 1, len(known_marks), rows)
        places = find_marked_places(known_marks, line.mark, row_places)
        verdict = read_verdict(line.verdict, "verdict", number)
        if not verdict:
            continue
        if not places:
            changed.append(row)
        timed_verdict = (verdict, parse_time(line.time))
        for place in places:
            earlier_verdict, _ = verdicts.get(place, timed_verdict)
            if earlier_verdict != verdict:
                cell = format_cell(line.verdict)
                raise UserError("verdicts.twice", number=number, cell=cell, row=row)
            verdicts[place] = timed_verdict
    if changed:
        total = len(changed) + len(verdicts)
        first_changed = count_rows(changed)
        raise UserError("verdicts.changed", verdicts=total, **first_changed)
    return verdicts


def list_lines(columns: Mapping[str, Sequence[Any]]) -> list[VerdictLine]:
    """Return the lines of a file of verdicts; a missing time or mark is empty.

    Raises:
        UserError: the column of rows or that of verdicts is missing.
    """
    for name in ("row", "verdict"):
        if name not in columns:
            raise UserError("verdicts.no_column", column=name)
    rows = columns["row"]
    verdicts = columns["verdict"]
    empty_cells = [""] * len(rows)
    times = columns.get("time", empty_cells)
    marks = columns.get("answer_sha256", empty_cells)
    cells_of_lines = zip(rows, verdicts, times, marks, strict=True)
    return [VerdictLine(*cells) for cells in cells_of_lines]


def read_row_number(cell: Any, number: int, rows: int) -> int:
    """Return the row of a verdict, from 1.

    Args:
        cell: the cell.
        number: the line of the file, from 1, for messages.
        rows: the number of rows.

    Raises:
        UserError: there is no such row.
    """
    row = parse_integer(str(cell), rows)
    if not row:
        shown_cell = format_cell(cell)
        raise UserError("verdicts.no_row", number=number, cell=shown_cell, rows=rows)
    return row


def find_marked_places(
    known_marks: Sequence[str],
    mark: Any,
    places: Sequence[int],
) -> list[int]:
    """Return the places of the answers with this mark; without a mark, the first place."""
    if not mark:
        return list(places[:1])
    digits = str(mark).removeprefix(HASH_PREFIX)
    full_mark = HASH_PREFIX + digits
    return [place for place in places if known_marks[place] == full_mark]


def parse_time(cell: Any) -> str:
    """Return a time; empty if the cell is not a time."""
    text = str(cell)
    return text if TIME.fullmatch(text) else ""
