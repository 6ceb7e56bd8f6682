"""The sections on several readers: the agreement of three or more, and two judges compared."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from lens.reports.notes import add_name
from lens.reports.section import (
    Column,
    Figure,
    Row,
    Section,
    make_interval_column,
    make_name_column,
    make_report_note,
    make_system_columns,
    show_count,
    show_decimal,
    show_p_value,
    show_percent,
    show_percent_interval,
)
from lens.study.reader_results import AFTER, MAPPED
from lens.words import say
from lens.words.notes import Note

if TYPE_CHECKING:
    from pandas import DataFrame

    from lens.study.results import Results

# With a smaller p, it is certain that two systems change places.
SIGNIFICANCE = 0.05


def describe_readers(results: Results) -> list[Section]:
    """Return the sections on several readers.

    There are none with fewer than three readers and without two judges.
    """
    sections = []
    is_comparison = len(results.names) > 1
    if not results.readers.empty:
        sections.append(describe_reader_agreement(results.readers, is_comparison))
    if not results.bridged_shares.empty:
        sections.append(describe_bridge(results, is_comparison))
    if not results.lead_changes.empty:
        sections.append(describe_lead_changes(results.lead_changes))
    return sections


def describe_reader_agreement(readers: DataFrame, is_comparison: bool) -> Section:
    """Return the table of agreement of three or more readers."""
    columns = [
        *make_system_columns(is_comparison),
        Column("readers", Note("readers.readers"), show_count),
        Column("alpha", Note("readers.alpha"), show_decimal),
        make_interval_column(),
        Column("modal_share", Note("readers.modal_share"), show_percent),
        Column("n", Note("readers.answers"), show_count),
    ]
    return Section("readers", Note("readers.title"), readers, columns, [Note("readers.about")])


def describe_bridge(results: Results, is_comparison: bool) -> Section:
    """Return the table of shares by two judges, with notes on their agreement."""
    shares = results.bridged_shares
    columns = [
        *make_system_columns(is_comparison),
        Column("source", Note("bridge.source"), show_judge, is_name=True),
        Column("share", Note("bridge.right"), show_percent),
        Column("interval", make_report_note("interval"), show_percent_interval),
        Column("n", Note("bridge.answers"), show_count),
    ]
    notes = list(describe_kappas(shares, is_comparison))
    notes += describe_rank_changes(results.lead_changes)
    notes.append(Note("bridge.old"))
    if (shares["source"] == MAPPED).any():
        notes.append(Note("bridge.about"))
    return Section("judge_bridge", Note("bridge.title"), shares, columns, notes)


def show_judge(row: Row, column: Column, digits: int) -> str:
    """Return the name of the source of a share, with the old and the new judge."""
    return say(f"bridge.{row['source']}", old=row["old"], new=row["new"])


def describe_kappas(shares: DataFrame, is_comparison: bool) -> Iterator[Note]:
    """Yield a note on the kappa of the two judges for each system."""
    for row in shares[shares["source"] == AFTER].to_dict("records"):
        values = {"old": row["old"], "new": row["new"], "count": row["kappa_n"]}
        for name in ("kappa", "kappa_low", "kappa_high"):
            if row[name] is not None:
                values[name] = Figure(row[name])
        if "kappa" not in values:
            note = Note("bridge.no_kappa", values)
        elif "kappa_low" not in values:
            note = Note("bridge.kappa_alone", values)
        else:
            note = Note("bridge.kappa", values)
        yield add_name(row["system"], note) if is_comparison else note


def describe_rank_changes(changes: DataFrame) -> Iterator[Note]:
    """Yield notes on systems that change places between the judges, certainly or by chance."""
    if changes.empty:
        return
    swaps = changes[changes["changes_places"].astype(bool)].to_dict("records")
    if not swaps:
        yield Note("bridge.same_order", {"pairs": len(changes)})
    for row in swaps:
        is_certain = row["p"] is not None and row["p"] < SIGNIFICANCE
        key = "bridge.changed" if is_certain else "bridge.changed_by_chance"
        yield Note(key, {"first": row["first"], "second": row["second"]})


def describe_lead_changes(changes: DataFrame) -> Section:
    """Return the table of the leads of systems over each other by the two judges."""
    columns = [
        make_name_column("first", make_report_note("first")),
        make_name_column("second", make_report_note("second")),
        Column("before", Note("bridge.lead_before"), show_decimal),
        Column("after", Note("bridge.lead_after"), show_decimal),
        Column("change", Note("bridge.change"), show_decimal),
        make_interval_column(),
        Column("p", make_report_note("p"), show_p_value),
        Column("n", make_report_note("both"), show_count),
    ]
    return Section(
        "lead_changes", Note("bridge.leads"), changes, columns, [Note("bridge.about_leads")]
    )
