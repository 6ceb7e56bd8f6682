"""Where a judge was asked: which rows the estimate settled, what the judge said of the others, and
what that cost.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lens.reports.section import (
    Column,
    Row,
    Section,
    make_frame,
    name_column,
    report_head,
    show_count,
    show_decimal,
)
from lens.words import say
from lens.words.formats import Money
from lens.words.notes import Note

if TYPE_CHECKING:
    from lens.study.results import Results

COUNTS = ("settled_right", "settled_wrong", "judged", "undecided")
PRICES = ("cost", "cost_of_all")


def describe_cascade(results: Results) -> list[Section]:
    """Return the table of the rows that each part decided; nothing where a judge was asked about
    all rows.
    """
    if results.cascade.empty:
        return []
    columns = [
        name_column("system", report_head("system")),
        *(Column(name, Note(f"cascade.{name}"), show_count) for name in COUNTS),
        Column("judge_mean", Note("cascade.judge_mean"), show_decimal),
        *(Column(name, Note(f"cascade.{name}"), show_price) for name in PRICES),
    ]
    return [
        Section(
            "cascade",
            Note("cascade.title"),
            make_frame(list_rows(results)),
            columns,
            list_notes(results),
        )
    ]


def list_rows(results: Results) -> list[Row]:
    """Return a row for each system, with the price of asking about all rows."""
    rows: list[Row] = []
    for row in results.cascade.to_dict("records"):
        is_priced = row["cost"] is not None and row["saved"] is not None
        rows.append({**row, "cost_of_all": row["cost"] + row["saved"] if is_priced else None})
    return rows


def show_price(row: Row, column: Column, digits: int) -> str:
    """Return a price, or that it is unknown."""
    price = row[column.name]
    return say("page.price_unknown") if price is None else f"{Money(price)}"


def list_notes(results: Results) -> list[Note]:
    """Return what the verdict of both is, and what to know of rows without one."""
    frame = results.cascade
    notes = [Note("cascade.about")]
    if not (frame["settled_right"] + frame["settled_wrong"]).any():
        notes.append(Note("cascade.none_settled"))
    if not (frame["judged"] + frame["undecided"]).any():
        notes.append(Note("cascade.all_settled"))
    undecided = int(frame["undecided"].sum())
    if undecided:
        notes.append(Note("cascade.left", {"count": undecided}))
    return notes
