"""What stands below the tables of a report: what is missing and why, cost, notes, signatures."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from lens.reports.section import Row, Section, make_frame
from lens.scoring.catalog import BY_NAME
from lens.study.annotations import LEAST, count_missing
from lens.tables.verdict_words import UNDECIDED, UNREAD
from lens.words import knows, say
from lens.words.formats import money
from lens.words.notes import Note

if TYPE_CHECKING:
    from lens.inference.shares import Share
    from lens.scoring.table_scores import Figure
    from lens.study.annotations import Sample
    from lens.study.results import Summary

T = TypeVar("T")


def describe_reason(code: str) -> str:
    """Return a reason code in words, where there are any."""
    return say(f"reason_{code}") if knows(f"reason_{code}") else code


def list_reasons(figures: Sequence[Figure]) -> list[Note]:
    """Return why rows have no score, once for all metrics of which the same is to be said."""
    metrics_by_counts: dict[tuple[tuple[str, int], ...], dict[str, None]] = {}
    for figure in figures:
        counts = tuple((code, count) for code, count in figure.unscored.items() if count)
        metrics_by_counts.setdefault(counts, {})[figure.series.metric] = None
    is_same = len(metrics_by_counts) == 1 and len(figures) > 1
    notes = []
    for counts, metrics in metrics_by_counts.items():
        if not counts:
            continue
        titles = say("list_comma").join(BY_NAME[metric].title for metric in metrics)
        name = Note("f_report_all") if is_same else titles
        notes.append(Note("said_of", {"name": name, "text": describe_counts(counts)}))
    return notes


def describe_counts(counts: Sequence[tuple[str, int]]) -> str:
    """Return reasons with their counts."""
    parts = [say("f_report_reason", reason=describe_reason(code), count=count) for code, count in counts]
    return say("f_report_and").join(parts)


def group_by_systems(said: Sequence[Sequence[T]], names: Sequence[str]) -> Iterator[tuple[T, str]]:
    """Yield what is said of systems, and of which, where not the same is said of all of them."""
    every: list[T] = []
    for own in said:
        every += [one for one in own if one not in every]
    for one in every:
        of = [name for name, own in zip(names, said, strict=True) if one in own]
        yield one, "" if len(of) == len(said) else say("list_comma").join(of)


def say_of_systems(said: Sequence[Sequence[Note]], names: Sequence[str]) -> list[Note]:
    """Return notes on systems, each with the names of those that it is about, where it is not about all."""
    notes = []
    for note, of in group_by_systems(said, names):
        notes.append(Note("said_of", {"name": of, "text": note}) if of else note)
    return notes


def describe_run(summaries: Sequence[Summary], names: Sequence[str], notes: Sequence[str] = ()) -> list[Section]:
    """Return the sections below the tables: what is missing and why, cost, notes."""
    pairs = list(zip(names, summaries, strict=True))
    reasons, stops, costs = list[Row](), list[Row](), list[Row]()
    for name, summary in pairs:
        reasons += reason_rows(name, summary)
        stops += [{"system": name, "metric": metric, "message": text} for metric, text in summary.stopped.items()]
        costs += [{"system": name, "metric": metric, "usd": cost} for metric, cost in summary.costs.items()]
    prices = [{metric: money(cost) for metric, cost in one.costs.items()} for one in summaries]
    own_notes = [[as_note(text) for text in one.notes] for one in summaries]
    sections = [
        make_section("reasons", reasons, say_of_systems([list_reasons(one.figures) for one in summaries], names)),
        make_section("stops", stops, say_of_systems([name_metrics(one.stopped) for one in summaries], names)),
        make_section("costs", costs, say_of_systems(list(map(name_metrics, prices)), names)),
        make_section("notes", [], [*map(as_note, notes), *say_of_systems(own_notes, names)]),
    ]
    return [section for section in sections if section.notes]


def make_section(name: str, rows: Sequence[Row], notes: Sequence[Note]) -> Section:
    """Return a section of notes, whose numbers stand in its frame."""
    return Section(name, Note(f"f_report_{name}"), make_frame(rows), notes=notes)


def reason_rows(name: str, summary: Summary) -> list[dict[str, Any]]:
    """Return how many rows of a system have no score by a metric, for each reason."""
    rows = []
    for figure in summary.figures:
        for code, count in figure.unscored.items():
            if count:
                rows.append({"system": name, "metric": figure.series.key, "reason": code, "count": count})
    return rows


def name_metrics(said: Mapping[str, str]) -> list[Note]:
    """Return what is said of metrics, each with the title of its metric."""
    return [Note("said_of", {"name": BY_NAME[metric].title, "text": text}) for metric, text in said.items()]


def as_note(text: str) -> Note:
    """Return a text that is in words already as a note."""
    return Note("as_it_is", {"text": text})


def list_signatures(summaries: Sequence[Summary], names: Sequence[str]) -> list[Section]:
    """Return the signatures, to cite."""
    codes = []
    for (metric, signature), of in group_by_systems([list(one.signatures.items()) for one in summaries], names):
        codes.append((f"{metric} · {of}" if of else metric, signature))
    if not codes:
        return []
    rows: list[Row] = []
    for name, summary in zip(names, summaries, strict=True):
        rows += [{"system": name, "metric": metric, "signature": text} for metric, text in summary.signatures.items()]
    return [Section("signatures", Note("f_report_signatures"), make_frame(rows), codes=codes)]


def describe_worth(share: Share | None, by: str, rows: int) -> list[Note]:
    """Return how many verdicts alone a share is worth that rests on something else too, where that says something."""
    if not share or not share.read < round(share.effective_n) <= rows:
        return []
    return [Note("vd_worth", {"by": by, "read": share.read, "worth": round(share.effective_n)})]


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
        key = "rd_few" if len(said) == 1 else "rd_few_questions"
    else:
        key = "rd_more" if count <= free else "rd_too_few"
    return say(key, missing=count, least=LEAST)
