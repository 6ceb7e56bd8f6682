"""The sections on the user's verdicts: shares of right answers, agreement of scores, estimate."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from lens.inference.shares import count_missing_verdicts
from lens.reports.cells import format_shares
from lens.reports.judge_sections import ShowAnswer, describe_judges, describe_unchecked
from lens.reports.notes import add_systems, describe_effective_n
from lens.reports.reader_sections import describe_readers
from lens.reports.section import (
    Column,
    Figure,
    Row,
    Section,
    find_scores_title,
    make_metric_column,
    make_name_column,
    make_report_note,
    make_system_columns,
    show_decimal,
    show_percent,
    show_percent_interval,
    show_source,
)
from lens.reports.verdict_differences import describe_share_differences
from lens.study.annotations import (
    ATTEMPTED,
    RIGHT_OF_ATTEMPTED,
    VERDICTS_ALONE,
    WITH_STAND_IN,
)
from lens.study.result_columns import make_frame
from lens.words import say
from lens.words.formats import Percent
from lens.words.notes import Listing, Note, join_notes

if TYPE_CHECKING:
    from pandas import DataFrame

    from lens.study.results import Results

# A note says how many more verdicts are needed for an interval of this width.
TARGET_WIDTH = 0.1
AUROC_DIGITS = 2
# The AUROC of a score that agrees with verdicts only by chance.
CHANCE = 0.5
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
DECLINED_FIELDS = ["share", "low", "high", "effective_n"]
# The kind of a share in the table of declined answers, by its source.
KIND_OF_SOURCE = {
    VERDICTS_ALONE: "of_all",
    RIGHT_OF_ATTEMPTED: "of_attempted",
    ATTEMPTED: "attempted",
}


def describe_verdicts(results: Results, show_answer: ShowAnswer | None = None) -> list[Section]:
    """Return the sections on verdicts: systems, missing verdicts, differences, judges, estimate.

    Args:
        results: the results of the study, with verdicts.
        show_answer: returns the text of an answer; None to show no texts.
    """
    unchecked = describe_unchecked(results.judges, len(results.names) > 1)
    if unchecked:
        return [*unchecked, *describe_readers(results)]
    sections = describe_findings(results)
    if results.missing_verdicts:
        missing = {name: [note] for name, note in results.missing_verdicts.items()}
        notes = add_systems(missing)
        sections.append(Section("missing_verdicts", Note("verdicts.title"), notes=notes))
    sections += describe_share_differences(results)
    sections += describe_judges_and_estimate(results, show_answer)
    return sections


def describe_judges_and_estimate(
    results: Results, show_answer: ShowAnswer | None = None
) -> list[Section]:
    """Return the sections on judges, readers and the estimate."""
    is_comparison = len(results.names) > 1
    sections = describe_judges(results.judges, results.disagreements, is_comparison, show_answer)
    sections += describe_readers(results)
    sections += describe_recalibration(results)
    return sections


def describe_findings(results: Results, with_sentence: bool = True) -> list[Section]:
    """Return the sections on shares of right answers, declined answers and agreement of scores.

    Args:
        results: the results of the study, with verdicts.
        with_sentence: whether the notes include the sentence on the scores.
    """
    systems = make_system_columns(len(results.names) > 1)
    sections = []
    if not results.verdicts.empty:
        sections.append(describe_shares(results.verdicts, systems))
    if (results.verdicts["source"] == ATTEMPTED).any():
        sections.append(describe_declining(results.verdicts, systems))
    sections += describe_score_agreement(results, systems, with_sentence)
    return sections


def group_by_system(frame: DataFrame) -> dict[str, list[Row]]:
    """Return the rows of a table, by system."""
    rows: dict[str, list[Row]] = {}
    for row in frame.to_dict("records"):
        rows.setdefault(row["system"], []).append(row)
    return rows


def group_by_source(verdicts: DataFrame) -> dict[str, dict[str, Row]]:
    """Return the shares of each system, by source."""
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
        Column("interval", make_report_note("interval"), show_percent_interval),
    ]
    shares_by_source = group_by_source(verdicts)
    limits = {name: list_limits(shares_by_source[name]) for name in shares_by_source}
    frame = select_main_shares(verdicts)[SHARE_FIELDS]
    notes = add_systems(limits)
    return Section("verdict_shares", Note("verdicts.title"), frame, columns, notes)


def select_main_shares(verdicts: DataFrame) -> DataFrame:
    """Return the rows with shares of right answers, by verdicts alone and with the stand-in."""
    return verdicts[verdicts["source"].isin([VERDICTS_ALONE, WITH_STAND_IN])]


def list_limits(shares: dict[str, Row]) -> list[Note]:
    """Return notes on the limits of a system's shares.

    Args:
        shares: the shares by source.
    """
    alone = shares[VERDICTS_ALONE]
    main = shares.get(WITH_STAND_IN, alone)
    has_stand_in = main is not alone
    n_read = main["n_read"]
    effective_n = main["effective_n"]
    notes = []
    if has_stand_in:
        notes += describe_effective_n(main["stand_in"], n_read, effective_n, main["rows"])
    else:
        notes.append(Note("verdicts.no_estimate"))
    n_missing = count_missing_verdicts(main["share"], effective_n, n_read, TARGET_WIDTH)
    n_unread = alone["rows"] - alone["n_read"]
    if 0 < n_missing <= n_unread:
        half_width = Percent(TARGET_WIDTH / 2)
        notes.append(Note("verdicts.more", {"width": half_width, "more": n_missing}))
    if alone["undecided"]:
        notes.append(Note("verdicts.undecided", {"count": alone["undecided"]}))
    notes.append(describe_draw(alone, has_stand_in))
    return notes


def describe_draw(alone: Row, has_stand_in: bool) -> Note:
    """Return a note on how the read rows were chosen, as far as is known."""
    if alone["n_read"] + alone["undecided"] == alone["rows"]:
        return Note("verdicts.all_read")
    if alone["method"]:
        return Note("verdicts.assumes")
    return Note("verdicts.not_drawn") if has_stand_in else Note("verdicts.no_check")


def describe_declining(verdicts: DataFrame, systems: Sequence[Column]) -> Section:
    """Return the table of answers that decline."""
    rows = []
    notes: dict[str, list[Note]] = {}
    for name, shares in group_by_source(verdicts).items():
        if ATTEMPTED not in shares:
            continue
        for source, kind in KIND_OF_SOURCE.items():
            if source in shares:
                values = {field: shares[source][field] for field in DECLINED_FIELDS}
                rows.append({"system": name, "kind": kind, **values})
        n_read = shares[VERDICTS_ALONE]["n_read"]
        n_declined = round(n_read * (1 - shares[ATTEMPTED]["share"]))
        notes[name] = [Note("verdicts.declined", {"count": n_declined, "read": n_read})]
    columns = [
        *systems,
        Column("kind", Note("verdicts.share_of"), show_kind, is_name=True),
        Column("share", Note("verdicts.portion"), show_percent),
        Column("interval", make_report_note("interval"), show_percent_interval),
    ]
    lines = add_systems(notes)
    return Section("declined", Note("verdicts.declined_title"), make_frame(rows), columns, lines)


def show_kind(row: Row, column: Column, digits: int) -> str:
    """Return the name of the answers that a share is computed from."""
    return say(f"verdicts.{row['kind']}")


def describe_score_agreement(
    results: Results, systems: Sequence[Column], with_sentence: bool
) -> list[Section]:
    """Return the table of the agreement of scores with verdicts.

    There is no table if no score can be compared with the verdicts.

    Args:
        results: the results of the study, with verdicts.
        systems: the column of systems; empty for a single system.
        with_sentence: whether the notes include the sentence on the scores.
    """
    scores = group_by_system(results.agreement)
    notes: dict[str, list[Note]] = {}
    rows: list[Row] = []
    for name in group_by_source(results.verdicts):
        sentence = describe_agreeing_scores(results, name)
        if sentence:
            notes[name] = [sentence] if with_sentence else []
            notes[name].append(Note("verdicts.auroc"))
            rows += scores.get(name, [])
    if not notes:
        return []
    columns = [
        *systems,
        make_metric_column(),
        Column("auroc", "AUROC", show_decimal, digits=AUROC_DIGITS),
        Column("interval", make_report_note("interval"), show_auroc_interval),
        Column("accuracy", Note("verdicts.accuracy"), show_percent),
        Column("threshold", Note("verdicts.threshold"), show_decimal),
    ]
    title = Note("verdicts.scores")
    lines = add_systems(notes)
    return [Section("verdict_scores", title, make_frame(rows), columns, lines)]


def show_auroc_interval(row: Row, column: Column, digits: int) -> str:
    """Return the interval of an AUROC."""

    def format_end(end: float) -> str:
        return f"{end:.{AUROC_DIGITS}f}"

    return format_shares(row["low"], row["high"], format_end)


def describe_agreeing_scores(results: Results, system: str) -> Note | None:
    """Return a note on the scores that agree with the verdicts on a system; None for no result.

    It names the scores that agree, the best ones, and those that agree no better than by chance.
    """
    scores = group_by_system(results.agreement).get(system, [])
    if not scores:
        # All verdicts are the same, or no metric gave a score.
        return describe_equal_verdicts(group_by_source(results.verdicts).get(system, {}))
    best = scores[0]
    if best["low"] <= CHANCE:
        return Note("verdicts.none", {"verdicts": best["verdicts"]})
    # The scores are in the order of their AUROC, and several may have the best one.
    best_scores = [row for row in scores if row["auroc"] == best["auroc"]]
    is_alone = len(best_scores) == 1
    has_worse = len(best_scores) < len(scores)
    if has_worse:
        key = "verdicts.best" if is_alone else "verdicts.level"
    else:
        # If there is no worse score, the note does not say "best".
        key = "verdicts.one" if is_alone else "verdicts.equal"
    values = {
        "title": list_titles(best_scores),
        "area": Figure(best["auroc"]),
        "low": Figure(best["low"]),
        "high": Figure(best["high"]),
    }
    note = Note(key, values)
    by_chance = [row for row in scores if row["low"] <= CHANCE]
    if not by_chance:
        return note
    return join_notes(note, Note("verdicts.chance", {"titles": list_titles(by_chance)}))


def describe_equal_verdicts(shares: dict[str, Row]) -> Note | None:
    """Return a note if all verdicts are the same; else None."""
    if not shares or shares[VERDICTS_ALONE]["share"] not in (0, 1):
        return None
    return Note("verdicts.alike")


def list_titles(scores: Iterable[Row]) -> Listing:
    """Return the titles of scores, as the value of a note."""
    return Listing([find_scores_title(row["metric"]) for row in scores])


def describe_recalibration(results: Results) -> list[Section]:
    """Return the section on the recalibrated estimate; none without verdicts or estimates."""
    if results.recalibration.empty:
        return []
    fit = results.recalibration.to_dict("records")[0]
    before = fit["error_before"]
    after = fit["error_after"]
    key = "verdicts.recalibrated" if after < before else "verdicts.not_recalibrated"
    values = {"before": Percent(before), "after": Percent(after), "verdicts": fit["verdicts"]}
    errors = Note(key, values)
    columns = [
        make_name_column("system", make_report_note("system")),
        Column("before", Note("verdicts.mean_before"), show_percent),
        Column("after", Note("verdicts.mean_after"), show_percent),
    ]
    notes = [errors, Note("verdicts.recalibrated_info")]
    frame = results.recalibration[["system", "before", "after"]]
    title = Note("verdicts.recalibrated_title")
    return [Section("recalibration", title, frame, columns, notes)]
