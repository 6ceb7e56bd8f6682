"""The section on a cascade: rows settled by the estimate, the judge's verdicts, and the cost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lens.reports.section import (
    Column,
    Row,
    Section,
    make_name_column,
    make_report_note,
    show_count,
    show_decimal,
)
from lens.scoring.metric_notes import add_prices
from lens.study.result_columns import make_frame
from lens.words import say
from lens.words.formats import Money
from lens.words.notes import Note

if TYPE_CHECKING:
    from lens.study.results import Results

COUNTS = ("settled_right", "settled_wrong", "judged", "undecided")
PRICES = ("cost", "cost_of_all")


def describe_cascade(results: Results) -> list[Section]:
    """Return the table of the rows that the estimate and the judge decided.

    There is no table if a judge was asked about all rows.
    """
    if results.cascade.empty:
        return []
    columns = [make_name_column("system", make_report_note("system"))]
    for name in COUNTS:
        columns.append(Column(name, Note(f"cascade.{name}"), show_count))
    columns.append(Column("judge_mean", Note("cascade.judge_mean"), show_decimal))
    for name in PRICES:
        columns.append(Column(name, Note(f"cascade.{name}"), show_price))
    frame = make_frame(make_cost_rows(results))
    notes = list_cascade_notes(results)
    return [Section("cascade", Note("cascade.title"), frame, columns, notes)]


def make_cost_rows(results: Results) -> list[Row]:
    """Return one row per system, with the cost of asking the judge about all rows."""
    rows: list[Row] = []
    for row in results.cascade.to_dict("records"):
        cost_of_all = add_prices(row["cost"], row["saved"])
        rows.append({**row, "cost_of_all": cost_of_all})
    return rows


def show_price(row: Row, column: Column, digits: int) -> str:
    """Return a price as a text, or a text that says that it is unknown."""
    price = row[column.name]
    return say("page.price_unknown") if price is None else f"{Money(price)}"


def list_cascade_notes(results: Results) -> list[Note]:
    """Return notes on the joined verdict, and on rows without a verdict."""
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
