"""The sections on one's own verdicts: the share of right answers, which score agrees with them, the
estimate.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from lens.inference.shares import count_missing_verdicts
from lens.reports.cells import format_shares
from lens.reports.judge_sections import ShowAnswer, describe_judges, describe_unchecked
from lens.reports.notes import describe_effective_n, say_of_systems
from lens.reports.reader_sections import describe_readers
from lens.reports.section import (
    Column,
    Figure,
    Row,
    Section,
    make_frame,
    metric_column,
    name_column,
    report_head,
    show_decimal,
    show_percent,
    show_percent_interval,
    show_source,
    system_columns,
    title_of_scores,
)
from lens.reports.verdict_differences import describe_share_differences
from lens.study.verdict_results import ALONE, ATTEMPTED, JOINED, OF_ATTEMPTED
from lens.words import say
from lens.words.formats import Percent
from lens.words.notes import Note, join_notes

if TYPE_CHECKING:
    from pandas import DataFrame

    from lens.study.results import Results

# The width of an interval that is told to be so many verdicts away.
TARGET_WIDTH = 0.1
# Digits of an AUROC, and an AUROC that is chance.
AUROC_DIGITS, CHANCE = 2, 0.5
SHARE_FIELDS = [
    "system",
    "source",
    "share",
    "low",
    "high",
    "effective_n",
    "n_read",
    "rows",
    "stand_in",
]
# What a share of answers that decline or not is called, by its source.
KIND_OF_SOURCE = {ALONE: "of_all", OF_ATTEMPTED: "of_attempted", ATTEMPTED: "attempted"}


def describe_verdicts(results: Results, show_answer: ShowAnswer | None = None) -> list[Section]:
    """Return what the verdicts say: of each system, or why nothing yet, of differences, of judges,
    of the estimate.

    Args:
        results: those of the study, with the verdicts.
        show_answer: shows an answer that is named.
    """
    unchecked = describe_unchecked(results.judges, len(results.names) > 1)
    if unchecked:
        return [*unchecked, *describe_readers(results)]
    sections = describe_findings(results)
    if results.missing_verdicts:
        names = list(results.missing_verdicts)
        notes = say_of_systems([[note] for note in results.missing_verdicts.values()], names)
        sections.append(
            Section("missing_verdicts", Note("verdicts.title"), make_frame([]), notes=notes)
        )
    sections += describe_share_differences(results)
    return [*sections, *describe_judges_and_estimate(results, show_answer)]


def describe_judges_and_estimate(
    results: Results, show_answer: ShowAnswer | None = None
) -> list[Section]:
    """Return what the verdicts say of judges, and of the estimate."""
    judges = describe_judges(
        results.judges, results.disagreements, len(results.names) > 1, show_answer
    )
    return [*judges, *describe_readers(results), *describe_recalibration(results)]


def describe_findings(results: Results, with_sentence: bool = True) -> list[Section]:
    """Return the shares of right answers, those that decline, and the scores beside the verdicts.

    Args:
        results: those of the study, with the verdicts.
        with_sentence: whether the sentence on the scores is among the notes.
    """
    systems = system_columns(len(results.names) > 1)
    sections = []
    if not results.verdicts.empty:
        sections.append(describe_shares(results.verdicts, systems))
    if (results.verdicts["source"] == ATTEMPTED).any():
        sections.append(describe_declining(results.verdicts, systems))
    sections += describe_agreement(results, systems, with_sentence)
    return sections


def group_by_system(frame: DataFrame) -> dict[str, list[Row]]:
    """Return the rows of each system in a table."""
    rows: dict[str, list[Row]] = {}
    for row in frame.to_dict("records"):
        rows.setdefault(row["system"], []).append(row)
    return rows


def group_by_source(verdicts: DataFrame) -> dict[str, dict[str, Row]]:
    """Return the shares of each system by what they rest on."""
    shares = {}
    for name, rows in group_by_system(verdicts).items():
        shares[name] = {row["source"]: row for row in rows}
    return shares


def describe_shares(verdicts: DataFrame, systems: Sequence[Column]) -> Section:
    """Return the table of the shares of right answers."""
    columns = [
        *systems,
        Column("source", Note("verdicts.share"), show_source, is_name=True),
        Column("share", Note("verdicts.right"), show_percent),
        Column("interval", report_head("interval"), show_percent_interval),
    ]
    shares = group_by_source(verdicts)
    notes = say_of_systems([list_limits(own) for own in shares.values()], list(shares))
    frame = keep_main_shares(verdicts)[SHARE_FIELDS]
    return Section("verdict_shares", Note("verdicts.title"), frame, columns, notes)


def keep_main_shares(verdicts: DataFrame) -> DataFrame:
    """Return the shares of right answers, by the verdicts alone and with what stands in for them
    elsewhere.
    """
    return verdicts[verdicts["source"].isin([ALONE, JOINED])]


def list_limits(shares: dict[str, Row]) -> list[Note]:
    """Return what there is to know of a system's shares.

    Args:
        shares: the shares by what they rest on.
    """
    alone, joined = shares[ALONE], shares.get(JOINED)
    best = joined or alone
    notes = []
    if joined:
        notes += describe_effective_n(
            joined["stand_in"], joined["n_read"], joined["effective_n"], joined["rows"]
        )
    else:
        notes.append(Note("verdicts.no_estimate"))
    more = count_missing_verdicts(best["share"], best["effective_n"], best["n_read"], TARGET_WIDTH)
    if 0 < more <= alone["rows"] - alone["n_read"]:
        notes.append(Note("verdicts.more", {"width": Percent(TARGET_WIDTH / 2), "more": more}))
    if alone["undecided"]:
        notes.append(Note("verdicts.undecided", {"count": alone["undecided"]}))
    notes.append(describe_draw(alone, has_stand_in=bool(joined)))
    return notes


def describe_draw(alone: Row, has_stand_in: bool) -> Note:
    """Return how the rows were chosen that were read, as far as is known."""
    if alone["n_read"] + alone["undecided"] == alone["rows"]:
        return Note("verdicts.all_read")
    if alone["method"]:
        return Note("verdicts.assumes")
    return Note("verdicts.not_drawn") if has_stand_in else Note("verdicts.no_check")


def describe_declining(verdicts: DataFrame, systems: Sequence[Column]) -> Section:
    """Return the table of answers that decline to answer."""
    shares = {name: own for name, own in group_by_source(verdicts).items() if ATTEMPTED in own}
    rows = []
    notes = []
    for name, own in shares.items():
        for source, kind in KIND_OF_SOURCE.items():
            if source in own:
                values = {
                    field: own[source][field] for field in ("share", "low", "high", "effective_n")
                }
                rows.append({"system": name, "kind": kind, **values})
        read = own[ALONE]["n_read"]
        declined = round(read * (1 - own[ATTEMPTED]["share"]))
        notes.append([Note("verdicts.declined", {"count": declined, "read": read})])
    columns = [
        *systems,
        Column("kind", Note("verdicts.share_of"), show_kind, is_name=True),
        Column("share", Note("verdicts.portion"), show_percent),
        Column("interval", report_head("interval"), show_percent_interval),
    ]
    lines = say_of_systems(notes, list(shares))
    return Section("declined", Note("verdicts.declined_title"), make_frame(rows), columns, lines)


def show_kind(row: Row, column: Column, digits: int) -> str:
    """Return of which answers a share is."""
    return say(f"verdicts.{row['kind']}")


def describe_agreement(
    results: Results, systems: Sequence[Column], with_sentence: bool
) -> list[Section]:
    """Return the table of the scores beside the verdicts; nothing where they say nothing of each
    other.

    Args:
        results: those of the study, with the verdicts.
        systems: the column of the systems, where there are several.
        with_sentence: whether the sentence on the scores is among the notes.
    """
    scores = group_by_system(results.agreement)
    names = []
    notes = []
    for name in group_by_source(results.verdicts):
        sentence = describe_scores(results, name)
        if sentence:
            names.append(name)
            notes.append(
                [sentence, Note("verdicts.auroc")] if with_sentence else [Note("verdicts.auroc")]
            )
    if not names:
        return []
    rows: list[Row] = []
    for name in names:
        rows += scores.get(name, [])
    columns = [
        *systems,
        metric_column(),
        Column("auroc", "AUROC", show_decimal, digits=AUROC_DIGITS),
        Column("interval", report_head("interval"), show_auroc_interval),
        Column("accuracy", Note("verdicts.accuracy"), show_percent),
        Column("threshold", Note("verdicts.threshold"), show_decimal),
    ]
    lines = say_of_systems(notes, names)
    return [Section("verdict_scores", Note("verdicts.scores"), make_frame(rows), columns, lines)]


def show_auroc_interval(row: Row, column: Column, digits: int) -> str:
    """Return the interval of an AUROC."""
    return format_shares(row["low"], row["high"], f"{{:.{AUROC_DIGITS}f}}".format)


def describe_scores(results: Results, system: str) -> Note | None:
    """Return what the verdicts on a system bear out about the scores; None where they say nothing.

    It is which scores agree with them, which best, and which no better than chance.
    """
    scores = group_by_system(results.agreement).get(system, [])
    if not scores:  # all verdicts are the same, or no metric gave a score
        return describe_equal_verdicts(group_by_source(results.verdicts).get(system, {}))
    best = scores[0]
    if best["low"] <= CHANCE:
        return Note("verdicts.none", {"verdicts": best["verdicts"]})
    level = [row for row in scores if row["auroc"] == best["auroc"]]
    # Where there is no other score, or none that is worse, none is best.
    if len(level) == len(scores):
        key = "verdicts.one" if len(level) == 1 else "verdicts.equal"
    else:
        key = "verdicts.best" if len(level) == 1 else "verdicts.level"
    interval = {"low": Figure(best["low"]), "high": Figure(best["high"])}
    note = Note(key, {"title": join_titles(level), "area": Figure(best["auroc"]), **interval})
    chance = [row for row in scores if row["low"] <= CHANCE]
    return (
        join_notes(note, Note("verdicts.chance", {"titles": join_titles(chance)}))
        if chance
        else note
    )


def describe_equal_verdicts(shares: dict[str, Row]) -> Note | None:
    """Return that all verdicts are the same; None where they are not."""
    return Note("verdicts.alike") if shares and shares[ALONE]["share"] in (0, 1) else None


def join_titles(scores: Iterable[Row]) -> str:
    """Return the titles of scores in words."""
    return say("page.list_comma").join(title_of_scores(row["metric"]) for row in scores)


def describe_recalibration(results: Results) -> list[Section]:
    """Return what the verdicts make of the estimate; nothing where one of the two
    is not at hand.
    """
    records = results.recalibration.to_dict("records")
    if not records:
        return []
    fit = records[0]
    before, after = fit["error_before"], fit["error_after"]
    errors: dict[str, Any] = {"before": Percent(before), "after": Percent(after)}
    key = "verdicts.recalibrated" if after < before else "verdicts.not_recalibrated"
    columns = [
        name_column("system", report_head("system")),
        Column("before", Note("verdicts.mean_before"), show_percent),
        Column("after", Note("verdicts.mean_after"), show_percent),
    ]
    notes = [Note(key, {**errors, "verdicts": fit["verdicts"]}), Note("verdicts.recalibrated_info")]
    frame = results.recalibration[["system", "before", "after"]]
    return [Section("recalibration", Note("verdicts.recalibrated_title"), frame, columns, notes)]
