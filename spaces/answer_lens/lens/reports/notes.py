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

    from lens.scoring.catalog import Series
    from lens.study.results import Results

Message = TypeVar("Message")

# The reasons of missing scores, each with the number of its rows.
ReasonCounts = tuple[tuple[str, int], ...]


def describe_reason(code: str) -> str:
    """Return the text for a reason code; an unknown code is returned unchanged."""
    key = f"unscored.{code}"
    if not has_text(key):
        return code
    return say(key)


def list_reasons(results: Results, system: str) -> list[Note]:
    """Return notes on missing scores of a system: one for all metrics with the same reasons."""
    titles_by_counts: dict[ReasonCounts, list[str]] = {}
    for series in results.series:
        counts = count_reasons(results, system, series)
        titles = titles_by_counts.setdefault(counts, [])
        title = BY_NAME[series.metric].title
        if title not in titles:
            titles.append(title)
    have_all_same_reasons = len(titles_by_counts) == 1 and len(results.series) > 1
    notes = []
    for counts, titles in titles_by_counts.items():
        if not counts:
            continue
        name = Note("report.all") if have_all_same_reasons else Listing(titles)
        reasons = describe_counts(counts)
        notes.append(add_name(name, reasons))
    return notes


def count_reasons(results: Results, system: str, series: Series) -> ReasonCounts:
    """Return the reasons of a system's missing scores in a series, with their counts."""
    of_system = select_system(results.reasons, system)
    of_series = of_system[of_system["metric"] == series.key]
    return tuple(zip(of_series["reason"], of_series["count"], strict=True))


def select_system(frame: DataFrame, system: str) -> DataFrame:
    """Return the rows of a system."""
    return frame[frame["system"] == system]


def describe_counts(counts: ReasonCounts) -> Listing:
    """Return reasons with their counts, as the value of a note."""
    notes = []
    for code, count in counts:
        key = f"unscored.{code}"
        reason = Note(key) if has_text(key) else code
        notes.append(Note("report.reason", {"reason": reason, "count": count}))
    return Listing(notes, between="report.and")


def add_name(name: object, text: object) -> Note:
    """Return a note with a name before it: "BLEU: 3 rows without a reference"."""
    return Note("report.said_of", {"name": name, "text": text})


def group_by_systems(
    messages: Mapping[str, Sequence[Message]],
) -> Iterator[tuple[Message, Listing | None]]:
    """Yield each distinct message with the systems that have it; None for all systems.

    Args:
        messages: the messages of each system, by its name.
    """
    distinct: list[Message] = []
    for messages_of_system in messages.values():
        for message in messages_of_system:
            if message not in distinct:
                distinct.append(message)
    for message in distinct:
        systems = [name for name in messages if message in messages[name]]
        if len(systems) == len(messages):
            yield message, None
        else:
            yield message, Listing(systems)


def add_systems(notes: Mapping[str, Sequence[Note]]) -> list[Note]:
    """Return the distinct notes on systems, with the systems' names unless all have the note.

    Args:
        notes: the notes on each system, by its name.
    """
    named = []
    for note, systems in group_by_systems(notes):
        if systems:
            note = add_name(systems, note)
        named.append(note)
    return named


def describe_run(results: Results, notes: Sequence[Note] = ()) -> list[Section]:
    """Return the sections below the tables: missing scores, stopped metrics, cost, notes."""
    reasons = {name: list_reasons(results, name) for name in results.names}
    notes_on_systems = {name: results.notes[name] for name in results.names}
    sections = [
        make_section("reasons", add_systems(reasons), results.reasons),
        describe_stops(results),
        describe_costs(results),
        make_section("notes", [*notes, *add_systems(notes_on_systems)]),
    ]
    return [section for section in sections if section.notes]


def describe_stops(results: Results) -> Section:
    """Return the section on metrics that were stopped."""
    stops = select_values(results.metrics, "stopped")
    notes = {}
    for name in results.names:
        of_system = select_system(stops, name)
        notes[name] = add_metrics(of_system["metric"], of_system["stopped"])
    frame = stops.rename(columns={"stopped": "message"})
    return make_section("stops", add_systems(notes), frame)


def describe_costs(results: Results) -> Section:
    """Return the section on the cost of judges."""
    metrics = results.metrics
    is_judge = [bool(BY_NAME[name].judge) for name in metrics["metric"]]
    costs = metrics.loc[is_judge, ["system", "metric", "cost"]]
    notes = {}
    for name in results.names:
        of_system = select_system(costs, name)
        prices = map(describe_price, of_system["cost"])
        notes[name] = add_metrics(of_system["metric"], prices)
    frame = costs.rename(columns={"cost": "usd"})
    return make_section("costs", add_systems(notes), frame)


def select_values(metrics: DataFrame, column: str) -> DataFrame:
    """Return the present values of a column, with their systems and metrics."""
    has_value = metrics[column].notna()
    return metrics.loc[has_value, ["system", "metric", column]]


def make_section(name: str, notes: Sequence[Note], frame: DataFrame | None = None) -> Section:
    """Return a section of notes, with the numbers of the notes as its frame."""
    title = Note(f"report.{name}")
    if frame is None:
        return Section(name, title, notes=notes)
    return Section(name, title, frame, notes=notes)


def describe_price(cost: float | None) -> Money | Note:
    """Return a price, or a note that it is unknown."""
    if cost is None:
        return Note("page.price_unknown")
    return Money(cost)


def add_metrics(metrics: Iterable[str], messages: Iterable[object]) -> list[Note]:
    """Return one note per message, with the title of its metric before it."""
    notes = []
    for metric, message in zip(metrics, messages, strict=True):
        notes.append(add_name(BY_NAME[metric].title, message))
    return notes


def list_signatures(results: Results) -> list[Section]:
    """Return the section of signatures, which users cite."""
    signatures = select_values(results.metrics, "signature")
    if signatures.empty:
        return []
    by_system = {}
    for name in results.names:
        of_system = select_system(signatures, name)
        by_system[name] = list(zip(of_system["metric"], of_system["signature"], strict=True))
    codes = []
    for (metric, signature), systems in group_by_systems(by_system):
        title = f"{metric} · {systems}" if systems else metric
        codes.append((title, signature))
    return [Section("signatures", Note("report.signatures"), signatures, codes=codes)]


def describe_effective_n(
    by: str,
    n_read: int,
    effective_n: float,
    rows: int,
) -> list[Note]:
    """Return a note on the effective number of verdicts of a share with a stand-in.

    There is no note if the stand-in adds nothing, or if the number exceeds that of the answers.

    Args:
        by: the score or the judge that stands in for verdicts.
        n_read: the number of verdicts.
        effective_n: the number of verdicts that alone would give the same standard error.
        rows: the number of answers.
    """
    rounded_n = round(effective_n)
    if not n_read < rounded_n <= rows:
        return []
    return [Note("verdicts.worth", {"by": by, "read": n_read, "worth": rounded_n})]
