"""What stands below the tables of a report: what is missing and why, cost, notes, signatures."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from lens.reports.section import Row, Section, make_frame
from lens.scoring.catalog import BY_NAME
from lens.study.annotations import LEAST, count_missing
from lens.tables.verdict_words import UNDECIDED, UNREAD
from lens.words import has_text, say
from lens.words.formats import format_money
from lens.words.notes import Note

if TYPE_CHECKING:
    from lens.inference.shares import Share
    from lens.study.annotations import Sample
    from lens.study.results import Results

T = TypeVar("T")


def describe_reason(code: str) -> str:
    """Return a reason code in words, where there are any."""
    return say(f"unscored.{code}") if has_text(f"unscored.{code}") else code


def list_reasons(results: Results, system: str) -> list[Note]:
    """Return why rows of a system have no score, once for all metrics of which the same is to be said."""
    reasons = results.reasons[results.reasons["system"] == system]
    metrics_by_counts: dict[tuple[tuple[str, int], ...], dict[str, None]] = {}
    for series in results.series:
        own = reasons[reasons["metric"] == series.key]
        counts = tuple(zip(own["reason"], own["count"], strict=True))
        metrics_by_counts.setdefault(counts, {})[series.metric] = None
    is_same = len(metrics_by_counts) == 1 and len(results.series) > 1
    notes = []
    for counts, metrics in metrics_by_counts.items():
        if not counts:
            continue
        titles = say("page.list_comma").join(BY_NAME[metric].title for metric in metrics)
        name = Note("report.all") if is_same else titles
        notes.append(Note("report.said_of", {"name": name, "text": describe_counts(counts)}))
    return notes


def describe_counts(counts: Sequence[tuple[str, int]]) -> str:
    """Return reasons with their counts."""
    parts = [say("report.reason", reason=describe_reason(code), count=count) for code, count in counts]
    return say("report.and").join(parts)


def group_by_systems(said: Sequence[Sequence[T]], names: Sequence[str]) -> Iterator[tuple[T, str]]:
    """Yield what is said of systems, and of which, where not the same is said of all of them."""
    every: list[T] = []
    for own in said:
        every += [one for one in own if one not in every]
    for one in every:
        of = [name for name, own in zip(names, said, strict=True) if one in own]
        yield one, "" if len(of) == len(said) else say("page.list_comma").join(of)


def say_of_systems(said: Sequence[Sequence[Note]], names: Sequence[str]) -> list[Note]:
    """Return notes on systems, each with the names of those that it is about, where it is not about all."""
    notes = []
    for note, of in group_by_systems(said, names):
        notes.append(Note("report.said_of", {"name": of, "text": note}) if of else note)
    return notes


def describe_run(results: Results, notes: Sequence[str] = ()) -> list[Section]:
    """Return the sections below the tables: what is missing and why, cost, notes."""
    names = results.names
    reasons = [list_reasons(results, name) for name in names]
    stops = [leave_out_none(values) for values in list_metric_values(results, "stopped")]
    costs = [keep_judges(values) for values in list_metric_values(results, "cost")]
    prices = [{metric: format_money(cost) for metric, cost in own.items()} for own in costs]
    said_stops, said_prices = (list(map(name_metrics, values)) for values in (stops, prices))
    own_notes = [[as_note(text) for text in results.notes[name]] for name in names]
    sections = [
        make_section("reasons", reason_rows(results), say_of_systems(reasons, names)),
        make_section("stops", value_rows(names, stops, "message"), say_of_systems(said_stops, names)),
        make_section("costs", value_rows(names, costs, "usd"), say_of_systems(said_prices, names)),
        make_section("notes", [], [*map(as_note, notes), *say_of_systems(own_notes, names)]),
    ]
    return [section for section in sections if section.notes]


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
        rows += [{"system": name, "metric": metric, column: value} for metric, value in own.items()]
    return rows


def make_section(name: str, rows: Sequence[Row], notes: Sequence[Note]) -> Section:
    """Return a section of notes, whose numbers stand in its frame."""
    return Section(name, Note(f"report.{name}"), make_frame(rows), notes=notes)


def reason_rows(results: Results) -> list[Row]:
    """Return how many rows of a system have no score by a metric, for each reason."""
    rows: list[Row] = results.reasons.to_dict("records")
    return rows


def name_metrics(said: Mapping[str, str]) -> list[Note]:
    """Return what is said of metrics, each with the title of its metric."""
    return [Note("report.said_of", {"name": BY_NAME[metric].title, "text": text}) for metric, text in said.items()]


def as_note(text: str) -> Note:
    """Return a text that is in words already as a note."""
    return Note("page.as_it_is", {"text": text})


def list_signatures(results: Results) -> list[Section]:
    """Return the signatures, to cite."""
    names = results.names
    signatures = [leave_out_none(values) for values in list_metric_values(results, "signature")]
    codes = []
    for (metric, signature), of in group_by_systems([list(own.items()) for own in signatures], names):
        codes.append((f"{metric} · {of}" if of else metric, signature))
    if not codes:
        return []
    rows = value_rows(names, signatures, "signature")
    return [Section("signatures", Note("report.signatures"), make_frame(rows), codes=codes)]


def describe_worth(share: Share | None, by: str, rows: int) -> list[Note]:
    """Return how many verdicts alone a share is worth that rests on something else too, where that says something."""
    if not share or not share.read < round(share.effective_n) <= rows:
        return []
    return [Note("verdicts.worth", {"by": by, "read": share.read, "worth": round(share.effective_n)})]


def describe_missing(said: Sequence[Sequence[str]], samples: Sequence[Sample], unread: Collection[int]) -> str:
    """Return what to do until something is said of these systems; nothing where it is.

    Args:
        said: the verdicts on each system.
        samples: the samples that can be drawn.
        unread: the places of the answers that are drawn and have no verdict yet.
    """
    count, questions = count_missing(*said), len(said[0])
    if not count:
        return ""
    free, drawn = 0, 0
    for row in samples[0].rows:
        verdicts = [one[row] for one in said]
        if UNREAD not in verdicts or UNDECIDED in verdicts:
            continue
        free += 1
        places = [at * questions + row for at, one in enumerate(verdicts) if not one]
        drawn += all(place in unread for place in places)
    if count <= drawn:
        key = "reading.few" if len(said) == 1 else "reading.few_questions"
    else:
        key = "reading.more" if count <= free else "reading.too_few"
    return say(key, missing=count, least=LEAST)
