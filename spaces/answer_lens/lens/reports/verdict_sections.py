"""The sections on one's own verdicts: the share of right answers, which score agrees with them, the estimate."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean
from typing import TYPE_CHECKING, Any

from lens.inference.shares import Share, count_missing_verdicts
from lens.reports import judge_sections
from lens.reports.cells import format_shares
from lens.reports.findings import Findings, fit_estimate, sum_up_verdicts
from lens.reports.notes import describe_missing, describe_worth, say_of_systems
from lens.reports.section import (
    Column,
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
)
from lens.reports.verdict_differences import describe_share_differences
from lens.study.annotations import Sample, SystemVerdicts, list_samples
from lens.words import say
from lens.words.formats import format_percent
from lens.words.notes import Note, join_notes

if TYPE_CHECKING:
    from lens.inference.intervals import Cluster

# The width of an interval that is told to be so many verdicts away.
WISHED = 0.1
# Digits of an AUROC.
AREA_DIGITS = 2

# By the name of a system what the verdicts on it say.
FindingsBySystem = Mapping[str, Findings]


def describe_verdicts(
    systems: Sequence[SystemVerdicts], cluster: Cluster = None, text: judge_sections.Text | None = None
) -> list[Section]:
    """Return what the verdicts say: of each system, or why nothing yet, of differences, of judges, of the estimate.

    Args:
        systems: the systems with the verdicts on them.
        cluster: which questions go together.
        text: shows an answer that is named.
    """
    if not any(any(one.said) for one in systems):
        unchecked = judge_sections.describe_unchecked(systems)
        if unchecked:
            return unchecked
    findings, missing, is_comparison = dict[str, Findings](), dict[str, str](), len(systems) > 1
    drawn_for_all = list_samples(systems, cluster)
    for one in systems:
        # Drawn for all systems, or for this one alone.
        samples = drawn_for_all + (list_samples([one], cluster) if is_comparison else [])
        found = sum_up_verdicts(one, samples)
        if found:
            findings[one.name] = found
        else:
            missing[one.name] = describe_missing([one.said], samples, range(len(one.said)))
    sections = describe_findings(findings, is_comparison)
    if missing:
        notes = say_of_systems([[Note("page.as_it_is", {"text": why})] for why in missing.values()], list(missing))
        sections.append(Section("missing_verdicts", Note("verdicts.title"), make_frame([]), notes=notes))
    if is_comparison:
        sections += describe_share_differences(systems, drawn_for_all)
    return [*sections, *describe_judges_and_estimate(systems, drawn_for_all, cluster, text)]


def describe_judges_and_estimate(
    systems: Sequence[SystemVerdicts],
    samples: Sequence[Sample],
    cluster: Cluster,
    text: judge_sections.Text | None = None,
) -> list[Section]:
    """Return what the verdicts say of judges, and of the estimate."""
    return [*judge_sections.describe_judges(systems, samples, cluster, text), *describe_recalibration(systems)]


def describe_findings(findings: FindingsBySystem, is_comparison: bool, with_sentence: bool = True) -> list[Section]:
    """Return the shares of right answers, those that decline, and the scores beside the verdicts.

    Args:
        findings: what the verdicts on each system say.
        is_comparison: whether each row has the name of its system.
        with_sentence: whether the sentence on the scores is among the notes.
    """
    systems = [name_column("system", report_head("system"))] if is_comparison else []
    declining = {name: one for name, one in findings.items() if one.attempted is not None}
    scored = {name: one for name, one in findings.items() if describe_scores_found(one)}
    sections = []
    if findings:
        sections.append(describe_shares(findings, systems))
    if declining:
        sections.append(describe_declining(declining, systems))
    if scored:
        sections.append(describe_agreement(scored, systems, with_sentence))
    return sections


def describe_shares(findings: FindingsBySystem, systems: Sequence[Column]) -> Section:
    """Return the table of the shares of right answers."""
    rows = []
    for name, found in findings.items():
        rows += [{"system": name, **row} for row in share_rows(found)]
    columns = [
        *systems,
        Column("source", Note("verdicts.share"), show_source, is_name=True),
        Column("share", Note("verdicts.right"), show_percent),
        Column("interval", report_head("interval"), show_percent_interval),
    ]
    notes = say_of_systems([describe_limits(found) for found in findings.values()], list(findings))
    return Section("verdict_shares", Note("verdicts.title"), make_frame(rows), columns, notes)


def share_rows(found: Findings) -> Iterable[dict[str, Any]]:
    """Yield the share of right answers by the verdicts alone, and with what stands in for them elsewhere."""
    stand_in = found.stand_in.named if found.stand_in else ""
    read = found.alone.read
    yield {"source": "alone", **share_values(found.alone), "read": read, "rows": found.rows, "stand_in": None}
    if found.joined and found.stand_in:
        yield {"source": "joined", **share_values(found.joined), "read": read, "rows": found.rows, "stand_in": stand_in}


def share_values(share: Share) -> dict[str, Any]:
    """Return a share with its interval and its effective number of verdicts."""
    low, high = share.interval
    return {"share": share.share, "low": low, "high": high, "effective_n": share.effective_n}


def describe_limits(found: Findings) -> list[Note]:
    """Return what there is to know of the shares."""
    more = count_missing_verdicts(found.joined or found.alone, WISHED)
    notes = describe_worth(found.joined, found.stand_in.named if found.stand_in else "", found.rows)
    if found.joined is None:
        notes.append(Note("verdicts.no_estimate"))
    if 0 < more <= found.rows - found.alone.read:
        notes.append(Note("verdicts.more", {"width": format_percent(WISHED / 2), "more": more}))
    if found.undecided:
        notes.append(Note("verdicts.undecided", {"count": found.undecided}))
    notes.append(describe_draw(found))
    return notes


def describe_draw(found: Findings) -> Note:
    """Return how the rows were chosen that were read, as far as is known."""
    if found.alone.read + found.undecided == found.rows:
        return Note("verdicts.all_read")
    if found.drawn:
        return Note("verdicts.assumes")
    return Note("verdicts.not_drawn") if found.joined else Note("verdicts.no_check")


def describe_declining(findings: FindingsBySystem, systems: Sequence[Column]) -> Section:
    """Return the table of answers that decline to answer."""
    rows, notes = [], []
    for name, found in findings.items():
        attempted = found.attempted
        assert attempted is not None
        shares = {"of_all": found.alone, "of_attempted": found.of_attempted, "attempted": attempted}
        for kind, share in shares.items():
            if share:
                rows.append({"system": name, "kind": kind, **share_values(share)})
        count = round(found.alone.read * (1 - attempted.share))
        notes.append([Note("verdicts.declined", {"count": count, "read": found.alone.read})])
    columns = [
        *systems,
        Column("kind", Note("verdicts.share_of"), show_kind, is_name=True),
        Column("share", Note("verdicts.portion"), show_percent),
        Column("interval", report_head("interval"), show_percent_interval),
    ]
    said = say_of_systems(notes, list(findings))
    return Section("declined", Note("verdicts.declined_title"), make_frame(rows), columns, said)


def show_kind(row: Row, column: Column, digits: int) -> str:
    """Return of which answers a share is."""
    return say(f"verdicts.{row['kind']}")


def describe_agreement(findings: FindingsBySystem, systems: Sequence[Column], with_sentence: bool) -> Section:
    """Return the table of the scores beside the verdicts."""
    rows, notes = [], []
    for name, found in findings.items():
        for one in found.scores:
            low, high = one.interval
            row = {"system": name, "metric": one.series.key, "auroc": one.area, "low": low, "high": high}
            rows.append(row | {"accuracy": one.accuracy, "threshold": one.threshold, "verdicts": one.verdicts})
        sentence = describe_scores_found(found)
        notes.append([sentence, Note("verdicts.auroc")] if sentence and with_sentence else [Note("verdicts.auroc")])
    columns = [
        *systems,
        metric_column(),
        Column("auroc", "AUROC", show_decimal, digits=AREA_DIGITS),
        Column("interval", report_head("interval"), show_area_interval),
        Column("accuracy", Note("verdicts.accuracy"), show_percent),
        Column("threshold", Note("verdicts.threshold"), show_decimal),
    ]
    said = say_of_systems(notes, list(findings))
    return Section("verdict_scores", Note("verdicts.scores"), make_frame(rows), columns, said)


def show_area_interval(row: Row, column: Column, digits: int) -> str:
    """Return the interval of an AUROC."""
    return format_shares(row["low"], row["high"], f"{{:.{AREA_DIGITS}f}}".format)


def describe_scores_found(found: Findings) -> Note | None:
    """Return what the verdicts bear out about the scores: which agree, which best, which no better than chance."""
    if not found.scores:  # all verdicts are the same, or no metric gave a score
        return Note("verdicts.alike") if found.alone.share in (0, 1) else None
    best = found.scores[0]
    if best.interval[0] <= 0.5:
        return Note("verdicts.none", {"verdicts": best.verdicts})
    comma = say("page.list_comma")
    chance = comma.join(one.series.title for one in found.scores if one.interval[0] <= 0.5)
    level = [one.series.title for one in found.scores if one.area == best.area]
    # Where there is no other score, or none that is worse, none is best.
    one, several = (
        ("verdicts.one", "verdicts.equal") if len(level) == len(found.scores) else ("verdicts.best", "verdicts.level")
    )
    values = {"area": f"{best.area:.2f}", "low": f"{best.interval[0]:.2f}", "high": f"{best.interval[1]:.2f}"}
    note = Note(one if len(level) == 1 else several, {"title": comma.join(level), **values})
    return join_notes(note, Note("verdicts.chance", {"titles": chance})) if chance else note


def describe_recalibration(systems: Sequence[SystemVerdicts]) -> list[Section]:
    """Return what the verdicts make of the estimate; nothing where one of the two is not at hand."""
    fit = fit_estimate(systems)
    if fit is None:
        return []
    rows = []
    for one in systems:
        estimates = [estimate for estimate in one.estimates or () if estimate is not None]
        if estimates:
            after = fmean(map(fit.recalibrate, estimates))
            rows.append({"system": one.name, "before": fmean(estimates), "after": after})
    errors = {"before": format_percent(fit.before), "after": format_percent(fit.after), "verdicts": fit.verdicts}
    key = "verdicts.recalibrated" if fit.after < fit.before else "verdicts.not_recalibrated"
    columns = [
        name_column("system", report_head("system")),
        Column("before", Note("verdicts.mean_before"), show_percent),
        Column("after", Note("verdicts.mean_after"), show_percent),
    ]
    notes = [Note(key, errors), Note("verdicts.recalibrated_info")]
    return [Section("recalibration", Note("verdicts.recalibrated_title"), make_frame(rows), columns, notes)]
