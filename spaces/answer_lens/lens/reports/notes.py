"""What stands below the tables of a report: what is missing and why, cost, notes, signatures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from lens.reports.section import Row, Section, make_frame
from lens.scoring.catalog import BY_NAME
from lens.words import has_text, say
from lens.words.formats import Money
from lens.words.notes import Note

if TYPE_CHECKING:
    from pandas import DataFrame

    from lens.study.results import Results

T = TypeVar("T")


def describe_reason(code: str) -> str:
    """Return a reason code in words, where there are any."""
    return say(f"unscored.{code}") if has_text(f"unscored.{code}") else code


def list_reasons(results: Results, system: str) -> list[Note]:
    """Return why rows of a system have no score, once for all metrics of which the same is to be
    said.
    """
    reasons = results.reasons[results.reasons["system"] == system]
    metrics_by_counts: dict[tuple[tuple[str, int], ...], dict[str, None]] = {}
    for series in results.series:
        own = reasons[reasons["metric"] == series.key]
        counts = tuple(zip(own["reason"], own["count"], strict=True))
        metrics_by_counts.setdefault(counts, {})[series.metric] = None
    is_same = len(metrics_by_counts) == 1 and len(results.series) > 1
    notes = []
    for counts, metrics in metrics_by_counts.items():
        if counts:
            titles = [BY_NAME[metric].title for metric in metrics]
            name = Note("report.all") if is_same else say("page.list_comma").join(titles)
            notes.append(Note("report.said_of", {"name": name, "text": describe_counts(counts)}))
    return notes


def describe_counts(counts: Sequence[tuple[str, int]]) -> str:
    """Return reasons with their counts."""
    parts = [
        say("report.reason", reason=describe_reason(code), count=count) for code, count in counts
    ]
    return say("report.and").join(parts)


def group_by_systems(
    messages: Iterable[Sequence[T]], names: Sequence[str]
) -> Iterator[tuple[T, str]]:
    """Yield what is said of systems, and of which, where not the same is said of all of them."""
    by_system = dict(zip(names, messages, strict=True))
    distinct: list[T] = []
    for own in by_system.values():
        distinct += [message for message in own if message not in distinct]
    for message in distinct:
        owners = [name for name, own in by_system.items() if message in own]
        yield message, "" if len(owners) == len(by_system) else say("page.list_comma").join(owners)


def say_of_systems(notes: Iterable[Sequence[Note]], names: Sequence[str]) -> list[Note]:
    """Return notes on systems, each with the names of those that it is about, where it is not about
    all.
    """
    every = []
    for note, owners in group_by_systems(notes, names):
        every.append(Note("report.said_of", {"name": owners, "text": note}) if owners else note)
    return every


def describe_run(results: Results, notes: Sequence[Note] = ()) -> list[Section]:
    """Return the sections below the tables: what is missing and why, cost, notes."""
    names = results.names
    reasons = [list_reasons(results, name) for name in names]
    own_notes = [results.notes[name] for name in names]
    sections = [
        make_section("reasons", results.reasons, say_of_systems(reasons, names)),
        describe_stops(results),
        describe_costs(results),
        make_section("notes", make_frame([]), [*notes, *say_of_systems(own_notes, names)]),
    ]
    return [section for section in sections if section.notes]


def describe_stops(results: Results) -> Section:
    """Return the section on metrics that were stopped."""
    stops = [leave_out_none(values) for values in list_metric_values(results, "stopped")]
    notes = [name_metrics(own) for own in stops]
    rows = value_rows(results.names, stops, "message")
    return make_section("stops", make_frame(rows), say_of_systems(notes, results.names))


def describe_costs(results: Results) -> Section:
    """Return the section on what judges cost."""
    costs = [keep_judges(values) for values in list_metric_values(results, "cost")]
    notes = []
    for own in costs:
        prices = {metric: describe_price(cost) for metric, cost in own.items()}
        notes.append(name_metrics(prices))
    rows = value_rows(results.names, costs, "usd")
    return make_section("costs", make_frame(rows), say_of_systems(notes, results.names))


def list_metric_values(results: Results, column: str) -> list[dict[str, Any]]:
    """Return what stands in a column for each metric, for each system."""
    values = []
    for name in results.names:
        own = results.metrics[results.metrics["system"] == name]
        values.append(dict(zip(own["metric"], own[column], strict=True)))
    return values


def leave_out_none(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of metrics that have one."""
    return {metric: value for metric, value in values.items() if value is not None}


def keep_judges(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of judges alone."""
    return {metric: value for metric, value in values.items() if BY_NAME[metric].judge}


def value_rows(names: Sequence[str], values: Sequence[Mapping[str, Any]], column: str) -> list[Row]:
    """Return a row for each system and metric with its value."""
    rows: list[Row] = []
    for name, own in zip(names, values, strict=True):
        for metric, value in own.items():
            rows.append({"system": name, "metric": metric, column: value})
    return rows


def make_section(name: str, frame: DataFrame, notes: Sequence[Note]) -> Section:
    """Return a section of notes, whose numbers stand in its frame."""
    return Section(name, Note(f"report.{name}"), frame, notes=notes)


def describe_price(cost: float | None) -> Money | Note:
    """Return a price, or that it is unknown."""
    return Note("page.price_unknown") if cost is None else Money(cost)


def name_metrics(messages: Mapping[str, object]) -> list[Note]:
    """Return what is said of metrics, each with the title of its metric."""
    notes = []
    for metric, text in messages.items():
        notes.append(Note("report.said_of", {"name": BY_NAME[metric].title, "text": text}))
    return notes


def list_signatures(results: Results) -> list[Section]:
    """Return the signatures, to cite."""
    names = results.names
    signatures = [leave_out_none(values) for values in list_metric_values(results, "signature")]
    named_signatures = [list(own.items()) for own in signatures]
    codes = []
    for (metric, signature), owners in group_by_systems(named_signatures, names):
        title = f"{metric} · {owners}" if owners else metric
        codes.append((title, signature))
    if not codes:
        return []
    rows = value_rows(names, signatures, "signature")
    return [Section("signatures", Note("report.signatures"), make_frame(rows), codes=codes)]


def describe_effective_n(by: str, n_read: int, effective_n: float, rows: int) -> list[Note]:
    """Return how many verdicts alone a share is worth that rests on something else too, where that
    says something.

    Args:
        by: what else it rests on.
        n_read: the verdicts.
        effective_n: how many verdicts alone would have the same standard error.
        rows: the answers that the share is of.
    """
    if not n_read < round(effective_n) <= rows:
        return []
    return [Note("verdicts.worth", {"by": by, "read": n_read, "worth": round(effective_n)})]
