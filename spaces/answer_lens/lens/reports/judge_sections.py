"""Judges beside a person's verdicts: how far they agree, what they miss, and the share of right answers corrected."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lens.inference.judge_agreement import JudgeAgreement, compare_judge
from lens.inference.shares import estimate_share
from lens.reports.notes import describe_worth
from lens.reports.section import (
    Column,
    Row,
    Section,
    interval_column,
    make_frame,
    name_column,
    report_head,
    show_count,
    show_decimal,
)
from lens.study.annotations import LEAST, Sample, SystemVerdicts, find_sample, list_samples, parse_verdicts
from lens.tables.verdict_words import KEYS
from lens.words import say
from lens.words.formats import format_percent
from lens.words.notes import Note

if TYPE_CHECKING:
    from lens.inference.intervals import Cluster

# Rows in which the two differ that are listed, for each judge.
MOST_APART = 20
# What a judge and a person say of an answer, in the order in which they are counted.
COUNTED = ("both_right", "judge_right", "you_right", "none_right")

# What an answer is shown as beside its row, by its system's name and its place among the questions.
Text = Callable[[str, int], str]


@dataclass(frozen=True, eq=False)
class JudgeComparison:
    """A judge beside the verdicts on one system.

    Attributes:
        agreement: None where fewer than 20 rows have both.
        both: how many rows have both.
    """

    read: SystemVerdicts
    judge: str
    agreement: JudgeAgreement | None
    sample: Sample
    both: int

    def describe(self, is_comparison: bool) -> str:
        """Return the name of the judge, with that of the system where there are several."""
        return f"{self.judge}, {self.read.name}" if is_comparison else self.judge


# A judge with enough verdicts beside a person's, and how far they agree.
Known = tuple[JudgeComparison, JudgeAgreement]


def compare_judges(
    systems: Sequence[SystemVerdicts], samples: Sequence[Sample], cluster: Cluster
) -> Iterator[JudgeComparison]:
    """Yield every judge beside the verdicts on each system, whose sample was drawn for all, or for it alone."""
    for read in systems:
        own_samples = list_samples([read], cluster) if len(systems) > 1 else []
        sample = find_sample([*samples, *own_samples], [read.said]) or samples[0]
        person = parse_verdicts([read.said[row] for row in sample.rows])
        for judge, said in read.judges.items():
            verdicts = parse_verdicts([said[row] for row in sample.rows])
            both = sum(None not in pair for pair in zip(person, verdicts, strict=True))
            agreement = None
            if both >= LEAST:
                agreement = compare_judge(person, verdicts, sample.stratum, sample.cluster)
            yield JudgeComparison(read, judge, agreement, sample, both)


def describe_judges(
    systems: Sequence[SystemVerdicts], samples: Sequence[Sample], cluster: Cluster = None, text: Text | None = None
) -> list[Section]:
    """Return the sections on judges; nothing where there are none.

    Args:
        systems: the systems with the verdicts on them.
        samples: the samples that can be drawn of the answers of all.
        cluster: which questions go together.
        text: shows an answer where the two differ.
    """
    if not any(any(one.said) for one in systems):
        return describe_unchecked(systems)
    every = list(compare_judges(systems, samples, cluster))
    known = [(one, one.agreement) for one in every if one.agreement]
    too_few = list_too_few(every)
    if not known:
        return [Section("judges", Note("judges.title"), make_frame([]), notes=too_few)] if too_few else []
    owners = owner_columns(len(systems) > 1)
    sections = [describe_agreement(known, owners, too_few), count_verdicts(known, owners)]
    return [*sections, *list_disagreements(known, owners, text)]


def owner_columns(is_comparison: bool) -> list[Column]:
    """Return the columns that tell whose a figure is: the judge's, and of which system where there are several."""
    columns = [name_column("judge", Note("judges.judge"))]
    return [name_column("system", report_head("system")), *columns] if is_comparison else columns


def list_too_few(every: Sequence[JudgeComparison]) -> list[Note]:
    """Return a note for each judge that has too few verdicts beside the person's."""
    notes = list[Note]()
    for one in every:
        note = Note("judges.few", {"judge": one.judge, "rows": one.both, "least": LEAST})
        if not one.agreement and note not in notes:
            notes.append(note)
    return notes


def describe_agreement(known: Sequence[Known], owners: Sequence[Column], too_few: Sequence[Note]) -> Section:
    """Return the table of the judges' figures."""
    rows, notes = [], list[Note]()
    for one, agreement in known:
        rows += [{"system": one.read.name, "judge": one.judge, **row} for row in figure_rows(agreement)]
        notes += describe_judge(one, agreement, len(owners) > 1)
    columns = [
        *owners,
        Column("figure", Note("judges.figure"), show_figure, is_name=True),
        Column("value", Note("judges.value"), show_decimal),
        interval_column(),
        Column("rows", Note("judges.rows"), show_count),
    ]
    notes += [*too_few, Note("judges.rates"), Note("judges.shares")]
    return Section("judges", Note("judges.title"), make_frame(rows), columns, notes)


def figure_rows(agreement: JudgeAgreement) -> Iterable[dict[str, Any]]:
    """Yield a judge's figures: what each is called, its value, its interval, and the rows that it rests on."""
    kappa = agreement.kappa
    yield figure_row("kappa", kappa.kappa, kappa.interval, kappa.rows)
    for key, rate in (("sensitivity", agreement.sensitivity), ("specificity", agreement.specificity)):
        if rate:
            yield figure_row(key, rate.share, rate.interval, rate.rows)
        else:
            yield figure_row(key, None, None, 0)
    for key, share in (("raw", agreement.raw), ("alone", agreement.alone), ("corrected", agreement.corrected)):
        if share:
            yield figure_row(key, share.share, share.interval, share.read)


def figure_row(key: str, value: float | None, interval: tuple[float, float] | None, rows: int) -> dict[str, Any]:
    """Return one figure of a judge."""
    low, high = interval or (None, None)
    return {"figure": key, "value": value, "low": low, "high": high, "rows": rows}


def show_figure(row: Row, column: Column, digits: int) -> str:
    """Return what a figure of a judge is called."""
    return say(f"judges.{row['figure']}")


def count_verdicts(known: Sequence[Known], owners: Sequence[Column]) -> Section:
    """Return the table of how often a judge and the person say what."""
    rows: list[dict[str, Any]] = []
    for one, agreement in known:
        counts = dict(zip(COUNTED, agreement.counts, strict=True))
        rows.append({"system": one.read.name, "judge": one.judge, **counts})
    columns = [*owners, *(Column(key, Note(f"judges.{key}"), show_count) for key in COUNTED)]
    return Section("judge_counts", Note("judges.counts"), make_frame(rows), columns)


def describe_judge(one: JudgeComparison, agreement: JudgeAgreement, is_comparison: bool) -> Iterator[Note]:
    """Yield what is to be said of a judge's figures, and what to do."""
    judge = one.describe(is_comparison)
    yield from describe_kappa(judge, agreement)
    corrected = agreement.corrected
    if not corrected:
        return
    low, high = corrected.interval
    if not low <= agreement.raw.share <= high:
        shares = {"raw": format_percent(agreement.raw.share), "corrected": format_percent(corrected.share)}
        yield Note("judges.off", {"judge": judge, **shares, "low": format_percent(low), "high": format_percent(high)})
    yield from describe_worth(corrected, judge, len(one.sample.rows))


def describe_kappa(judge: str, agreement: JudgeAgreement) -> Iterator[Note]:
    """Yield what makes a judge's agreement worth little, if anything does."""
    kappa, rows = agreement.kappa, agreement.rows
    if not agreement.specificity:
        yield Note("judges.all_right", {"judge": judge, "rows": rows})
    elif not agreement.sensitivity:
        yield Note("judges.all_wrong", {"judge": judge, "rows": rows})
    elif kappa.interval and kappa.kappa is not None and kappa.interval[0] <= 0:
        low, high = kappa.interval
        values = {"kappa": f"{kappa.kappa:.2f}", "low": f"{low:.2f}", "high": f"{high:.2f}"}
        yield Note("judges.chance", {"judge": judge, "rows": rows, **values})
    elif not agreement.apart:
        yield Note("judges.same", {"judge": judge, "rows": rows})


def list_disagreements(known: Sequence[Known], owners: Sequence[Column], text: Text | None) -> list[Section]:
    """Return the table of answers on which a judge and the person differ, the first of each judge; nothing without."""
    rows: list[dict[str, Any]] = []
    more = 0
    for one, agreement in known:
        places = [one.sample.rows[at] for at in agreement.apart]
        more += max(len(places) - MOST_APART, 0)
        rows += [disagreement_row(one, place, text) for place in places[:MOST_APART]]
    if not rows:
        return []
    # An answer is a text of the user's, which reports escape as they do names.
    answers = [name_column("answer", Note("reading.answer"))] if text else []
    columns = [
        *owners,
        Column("row", Note("files_tab.row_head"), show_count, is_name=bool(text)),
        *answers,
        Column("person", Note("reading.you"), show_verdict),
        Column("judge_verdict", Note("judges.says"), show_verdict),
    ]
    notes = [Note("page.and_more_alone", {"count": more})] if more else []
    return [Section("judge_disagreements", Note("judges.apart"), make_frame(rows), columns, notes)]


def disagreement_row(one: JudgeComparison, place: int, text: Text | None) -> dict[str, Any]:
    """Return an answer on which a judge and the person differ."""
    number = one.read.rows[place] if one.read.rows else place
    return {
        "system": one.read.name,
        "judge": one.judge,
        "row": number + 1,
        "answer": text(one.read.name, place) if text else None,
        "person": one.read.said[place],
        "judge_verdict": one.read.judges[one.judge][place],
    }


def show_verdict(row: Row, column: Column, digits: int) -> str:
    """Return a verdict in words."""
    return say(f"reading.{KEYS[row[column.name]]}")


def describe_unchecked(systems: Sequence[SystemVerdicts]) -> list[Section]:
    """Return what judges whose verdicts came with the table say where no person has read anything."""
    notes = []
    for one in systems:
        for judge, said in one.judges.items():
            verdicts = parse_verdicts(said)
            if all(verdict is None for verdict in verdicts):
                continue
            share = estimate_share(verdicts)
            name = f"{judge}, {one.name}" if len(systems) > 1 else judge
            notes.append(
                Note("judges.unchecked", {"judge": name, "share": format_percent(share.share), "rows": share.read})
            )
    return [Section("judges", Note("judges.title"), make_frame([]), notes=notes)] if notes else []
