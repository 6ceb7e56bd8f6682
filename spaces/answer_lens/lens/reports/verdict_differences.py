"""The section on differences of systems by verdicts, and on their ranks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from lens.reports.section import (
    Column,
    NamedRanks,
    NamedShares,
    Row,
    Section,
    make_interval_column,
    make_name_column,
    make_report_note,
    show_decimal,
    show_source,
)
from lens.words.notes import Note

if TYPE_CHECKING:
    from pandas import DataFrame

    from lens.study.results import Results

DIFFERENCE_FIELDS = [
    "first",
    "second",
    "source",
    "n_read",
    "rows",
    "stand_in",
    "difference",
    "low",
    "high",
]


def describe_share_differences(results: Results) -> list[Section]:
    """Return the section on differences by verdicts on the same questions, if there are any."""
    rows = results.verdict_differences.to_dict("records")
    if not rows:
        return []
    columns = [
        make_name_column("first", make_report_note("first")),
        make_name_column("second", make_report_note("second")),
        Column("source", Note("verdicts.share"), show_source, is_name=True),
        Column("difference", make_report_note("difference"), show_decimal),
        make_interval_column(),
    ]
    notes = list_conditions(rows[-1], len(results.names))
    if len(results.names) > 2:
        notes.append(Note("verdicts.ranks", {"ranks": list_ranks(results.verdict_ranks)}))
    notes += compare_orders(results)
    frame = results.verdict_differences[DIFFERENCE_FIELDS]
    return [Section("verdict_differences", Note("verdicts.differences"), frame, columns, notes)]


def list_conditions(difference: Row, systems: int) -> list[Note]:
    """Return notes on the intervals, and on how the read questions were chosen."""
    notes = [Note("verdicts.simultaneous")] if systems > 2 else []
    if difference["method"]:
        notes.append(Note("verdicts.assumes_differences"))
    else:
        notes.append(Note("verdicts.not_drawn" if difference["stand_in"] else "verdicts.no_check"))
    return notes


def select_last_source(frame: DataFrame) -> list[Row]:
    """Return the rows of the last source: with the stand-in, if there is one."""
    last_source = frame["source"].iloc[-1]
    rows: list[Row] = frame[frame["source"] == last_source].to_dict("records")
    return rows


def list_ranks(ranks: DataFrame) -> NamedRanks:
    """Return the range of ranks of each system, best first."""
    rows = select_last_source(ranks)
    rows.sort(key=lambda row: (row["best_rank"], row["worst_rank"], row["system"]))
    named = NamedRanks()
    for row in rows:
        named[row["system"]] = (row["best_rank"], row["worst_rank"])
    return named


def compare_orders(results: Results) -> list[Note]:
    """Return notes that compare the order of systems by each judge with that by verdicts."""
    differences = select_last_source(results.verdict_differences)
    notes = []
    for judge, shares in list_judge_shares(results):
        notes.append(compare_order(differences, judge, shares))
    return notes


def list_judge_shares(results: Results) -> list[tuple[str, dict[str, float]]]:
    """Return the shares of right answers by each judge that has judged all systems.

    Files may have different names for a judge. So the first judges of all systems count as one,
    with the name in the first file, and so on.
    """
    judges: list[list[Row]] = []
    for name in results.names:
        judges.append(results.judges[results.judges["system"] == name].to_dict("records"))
    shares_by_judge = []
    for rows in zip(*judges, strict=False):
        shares = {row["system"]: row["overall"] for row in rows}
        if None not in shares.values():
            shares_by_judge.append((rows[0]["judge"], shares))
    return shares_by_judge


def compare_order(differences: Sequence[Row], judge: str, shares: Mapping[str, float]) -> Note:
    """Return a note on the order of systems by a judge, and its agreement with certain differences.

    Args:
        differences: the differences by the verdicts.
        judge: the judge.
        shares: the share of right answers of each system by the judge.
    """
    n_certain = 0
    n_same_sign = 0
    for row in differences:
        is_certain = row["low"] is not None and row["low"] * row["high"] > 0
        if not is_certain:
            continue
        n_certain += 1
        by_judge = shares[row["first"]] - shares[row["second"]]
        if by_judge * row["difference"] > 0:
            n_same_sign += 1
    order = NamedShares(sorted(shares.items(), key=lambda item: -item[1]))
    values = {
        "judge": judge,
        "order": order,
        "alike": n_same_sign,
        "pairs": n_certain,
    }
    return Note("judges.order", values)
