"""The sections below the tables of a report: missing scores, cost, notes and signatures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

from lens.reports.section import Section
from lens.scoring.catalog import BY_NAME
from lens.words import has_text, say
from lens.words.formats import Money
from lens.words.notes import Listing, Note

if TYPE_CHECKING:
    from pandas import DataFrame

    from lens.study.results import Results

T = TypeVar("T")


def describe_reason(code: str) -> str:
    """Return the text for a reason code; an unknown code is returned unchanged."""
    key = f"unscored.{code}"
    return say(key) if has_text(key) else code


def list_reasons(results: Results, system: str) -> list[Note]:
    """Return notes on missing scores of a system: one for all metrics with the same reasons."""
    reasons = results.reasons[results.reasons["system"] == system]
    titles_by_counts: dict[tuple[tuple[str, int], ...], list[str]] = {}
    for series in results.series:
        own = reasons[reasons["metric"] == series.key]
        counts = tuple(zip(own["reason"], own["count"], strict=True))
        titles = titles_by_counts.setdefault(counts, [])
        title = BY_NAME[series.metric].title
        if title not in titles:
            titles.append(title)
    is_same = len(titles_by_counts) == 1 and len(results.series) > 1
    notes = []
    for counts, titles in titles_by_counts.items():
        if counts:
            name = Note("report.all") if is_same else Listing(titles)
            notes.append(add_name(name, describe_counts(counts)))
    return notes


def describe_counts(counts: Sequence[tuple[str, int]]) -> Listing:
    """Return reasons with their counts, as the value of a note."""
    parts = []
    for code, count in counts:
        key = f"unscored.{code}"
        reason = Note(key) if has_text(key) else code
        parts.append(Note("report.reason", {"reason": reason, "count": count}))
    return Listing(parts, between="report.and")


def add_name(name: object, text: object) -> Note:
    """Return a note with a name before it."""
    return Note("report.said_of", {"name": name, "text": text})


def group_by_systems(
    messages: Mapping[str, Sequence[T]],
) -> Iterator[tuple[T, Listing | None]]:
    """Yield each distinct message with the systems that have it; None for all systems.

    Args:
        messages: the messages of each system, by its name.
    """
    distinct: list[T] = []
    for own in messages.values():
        for message in own:
            if message not in distinct:
                distinct.append(message)
    for message in distinct:
        owners = [name for name, own in messages.items() if message in own]
        is_said_of_all = len(owners) == len(messages)
        yield message, None if is_said_of_all else Listing(owners)


def name_owners(notes: Mapping[str, Sequence[Note]]) -> list[Note]:
    """Return the distinct notes on systems, with the systems' names unless all have the note.

    Args:
        notes: the notes on each system, by its name.
    """
    named = []
    for note, owners in group_by_systems(notes):
        named.append(add_name(owners, note) if owners else note)
    return named


def describe_run(results: Results, notes: Sequence[Note] = ()) -> list[Section]:
    """Return the sections below the tables: missing scores, stopped metrics, cost, notes."""
    reasons = {name: list_reasons(results, name) for name in results.names}
    own_notes = {name: results.notes[name] for name in results.names}
    sections = [
        make_section("reasons", name_owners(reasons), results.reasons),
        describe_stops(results),
        describe_costs(results),
        make_section("notes", [*notes, *name_owners(own_notes)]),
    ]
    return [section for section in sections if section.notes]


def describe_stops(results: Results) -> Section:
    """Return the section on metrics that were stopped."""
    stops = select_values(results.metrics, "stopped")
    notes = {}
    for name in results.names:
        own = stops[stops["system"] == name]
        notes[name] = name_metrics(own["metric"], own["stopped"])
    frame = stops.rename(columns={"stopped": "message"})
    return make_section("stops", name_owners(notes), frame)


def describe_costs(results: Results) -> Section:
    """Return the section on the cost of judges."""
    judges = [metric for metric in results.metrics["metric"] if BY_NAME[metric].judge]
    is_judge = results.metrics["metric"].isin(judges)
    costs = results.metrics[is_judge][["system", "metric", "cost"]]
    notes = {}
    for name in results.names:
        own = costs[costs["system"] == name]
        notes[name] = name_metrics(own["metric"], map(describe_price, own["cost"]))
    frame = costs.rename(columns={"cost": "usd"})
    return make_section("costs", name_owners(notes), frame)


def select_values(metrics: DataFrame, column: str) -> DataFrame:
    """Return the present values of a column, with their systems and metrics."""
    has_value = metrics[column].notna()
    return metrics[has_value][["system", "metric", column]]


def make_section(name: str, notes: Sequence[Note], frame: DataFrame | None = None) -> Section:
    """Return a section of notes, with the numbers of the notes as its frame."""
    title = Note(f"report.{name}")
    if frame is None:
        return Section(name, title, notes=notes)
    return Section(name, title, frame, notes=notes)


def describe_price(cost: float | None) -> Money | Note:
    """Return a price, or a note that it is unknown."""
    return Note("page.price_unknown") if cost is None else Money(cost)


def name_metrics(metrics: Iterable[str], messages: Iterable[object]) -> list[Note]:
    """Return one note per message, with the title of its metric."""
    notes = []
    for metric, message in zip(metrics, messages, strict=True):
        notes.append(add_name(BY_NAME[metric].title, message))
    return notes


def list_signatures(results: Results) -> list[Section]:
    """Return the section of signatures, which users cite."""
    signatures = select_values(results.metrics, "signature")
    if signatures.empty:
        return []
    by_system: dict[str, list[tuple[str, str]]] = {name: [] for name in results.names}
    for row in signatures.to_dict("records"):
        by_system[row["system"]].append((row["metric"], row["signature"]))
    codes = []
    for (metric, signature), owners in group_by_systems(by_system):
        title = f"{metric} · {owners}" if owners else metric
        codes.append((title, signature))
    return [Section("signatures", Note("report.signatures"), signatures, codes=codes)]


def describe_effective_n(
    by: str,
    n_read: int,
    effective_n: float,
    rows: int,
) -> list[Note]:
    """Return a note on the effective number of verdicts of a joined share.

    There is no note if the number is not above that of the verdicts, or exceeds that of the
    answers.

    Args:
        by: the score or judge that is joined.
        n_read: the number of verdicts.
        effective_n: the number of verdicts that alone would give the same standard error.
        rows: the number of answers.
    """
    worth = round(effective_n)
    if not n_read < worth <= rows:
        return []
    return [Note("verdicts.worth", {"by": by, "read": n_read, "worth": worth})]
