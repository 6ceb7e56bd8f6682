"""Judges beside a person's verdicts: how far they agree, what they miss, and the share of right answers corrected."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lens.inference.judge_agreement import JudgeAgreement, compare_judge
from lens.inference.shares import estimate_share
from lens.reports.contents import between, decimal
from lens.reports.formats import Section
from lens.reports.notes import describe_worth
from lens.study.annotations import LEAST, Sample, SystemVerdicts, find_sample, list_samples, parse_verdicts
from lens.tables.verdict_words import KEYS
from lens.words import say
from lens.words.formats import percent

if TYPE_CHECKING:
    from lens.inference.intervals import Cluster

# Rows in which the two differ that are listed, for each judge.
MOST_APART = 20

# What an answer is shown as beside its row, by its system's name and its place among the questions.
Text = Callable[[str, int], str]


@dataclass(frozen=True, eq=False)
class Beside:
    """A judge beside the verdicts on one system; `found` is None where fewer than 20 rows have both."""

    read: SystemVerdicts
    judge: str
    found: JudgeAgreement | None
    sample: Sample
    both: int


def beside(systems: Sequence[SystemVerdicts], ways: Sequence[Sample], cluster: Cluster) -> Iterator[Beside]:
    """Yield every judge beside the verdicts on each system, whose sample was drawn for all, or for it alone."""
    for read in systems:
        alone = list_samples([read], cluster) if len(systems) > 1 else []
        sample = find_sample([*ways, *alone], [read.said]) or ways[0]
        for judge, said in read.judges.items():
            own, other = (parse_verdicts([of[row] for row in sample.rows]) for of in (read.said, said))
            both = sum(None not in pair for pair in zip(own, other, strict=True))
            found = compare_judge(own, other, sample.stratum, sample.cluster) if both >= LEAST else None
            yield Beside(read, judge, found, sample, both)


def sections(
    systems: Sequence[SystemVerdicts], ways: Sequence[Sample], cluster: Cluster = None, text: Text | None = None
) -> list[Section]:
    """The parts of the report on judges; nothing where there are none. `cluster`: which questions go together; `text`
    shows an answer where the two differ.
    """
    if not any(any(one.said) for one in systems):
        return unchecked(systems)
    every, several = list(beside(systems, ways, cluster)), len(systems) > 1
    known = [(one, one.found) for one in every if one.found]
    few = [say("jd_few", judge=one.judge, rows=one.both, least=LEAST) for one in every if not one.found]
    few = list(dict.fromkeys(few))
    if not known:
        return [Section(say("jd_title"), lines=[(line, "") for line in few])] if few else []

    def rows(cells: Callable[[JudgeAgreement], list[list[str]]]) -> list[list[str]]:
        owners = ([*([one.read.name] if several else []), one.judge] for one, _ in known)
        return [[*own, *row] for own, (_, found) in zip(owners, known, strict=True) for row in cells(found)]

    heads = [*([say("f_report_system")] if several else []), say("jd_judge")]
    names = len(heads)
    told = [*(line for one, found in known for line in remarks(one, found, several)), *few]
    told += [say("jd_rates"), say("jd_shares")]
    columns = [*heads, say("jd_figure"), say("jd_value"), say("f_report_interval"), say("jd_rows")]
    first = Section(say("jd_title"), columns, rows(figures), [(line, "") for line in told], names=names + 1)
    counted = [say(f"jd_{key}") for key in ("both_right", "judge_right", "you_right", "none_right")]
    counts = Section(
        say("jd_counts"), [*heads, *counted], rows(lambda one: [[f"{count:,}" for count in one.counts]]), names=names
    )
    return [first, counts, *apart(known, several, text)]


def figures(found: JudgeAgreement) -> list[list[str]]:
    """A judge's figures: what each is called, its value, its interval, and the rows that it rests on."""
    kappa = found.kappa
    rows = [[say("jd_kappa"), decimal(kappa.kappa), between(kappa.interval), f"{kappa.rows:,}"]]
    for key, rate in (("sensitivity", found.sensitivity), ("specificity", found.specificity)):
        value, interval, count = (rate.share, rate.interval, f"{rate.rows:,}") if rate else (None, None, "0")
        rows.append([say(f"jd_{key}"), decimal(value), between(interval), count])
    for key, share in (("raw", found.raw), ("alone", found.alone), ("corrected", found.corrected)):
        if share:
            rows.append([say(f"jd_{key}"), decimal(share.share), between(share.interval), f"{share.read:,}"])
    return rows


def remarks(one: Beside, found: JudgeAgreement, several: bool) -> Iterator[str]:
    """What is to be said of a judge's figures, and what to do."""
    judge = f"{one.judge}, {one.read.name}" if several else one.judge
    kappa, both = found.kappa, found.rows
    if not found.specificity or not found.sensitivity:
        yield say("jd_all_right" if not found.specificity else "jd_all_wrong", judge=judge, rows=both)
    elif kappa.interval and kappa.kappa is not None and kappa.interval[0] <= 0:
        low, high = kappa.interval
        yield say("jd_chance", judge=judge, rows=both, kappa=f"{kappa.kappa:.2f}", low=f"{low:.2f}", high=f"{high:.2f}")
    elif not found.apart:
        yield say("jd_same", judge=judge, rows=both)
    if found.corrected:
        low, high = found.corrected.interval
        shares = {"raw": percent(found.raw.share), "corrected": percent(found.corrected.share)}
        if not low <= found.raw.share <= high:
            yield say("jd_off", judge=judge, **shares, low=percent(low), high=percent(high))
        yield from describe_worth(found.corrected, judge, len(one.sample.rows))


def apart(known: Sequence[tuple[Beside, JudgeAgreement]], several: bool, text: Text | None) -> list[Section]:
    """The table of answers on which a judge and the person differ, the first of each judge; nothing where none do."""
    rows, more = list[list[str]](), 0
    for one, found in known:
        places = [one.sample.rows[at] for at in found.apart]
        more += max(len(places) - MOST_APART, 0)
        for place in places[:MOST_APART]:
            number = one.read.rows[place] if one.read.rows else place
            said = [say(f"rd_{KEYS[word]}") for word in (one.read.said[place], one.read.judges[one.judge][place])]
            shown = [text(one.read.name, place)] if text else []
            rows.append([*([one.read.name] if several else []), one.judge, f"{number + 1:,}", *shown, *said])
    heads = [*([say("f_report_system")] if several else []), say("jd_judge"), say("ft_row_head")]
    heads += [say("rd_answer")] if text else []
    lines = [(say("and_more", count=more).strip(), "")] if more else []
    # An answer is a text of the user's, which reports escape as they do names.
    names = len(heads) - (not text)
    return [Section(say("jd_apart"), [*heads, say("rd_you"), say("jd_says")], rows, lines, names=names)] if rows else []


def unchecked(systems: Sequence[SystemVerdicts]) -> list[Section]:
    """What judges whose verdicts came with the table say where no person has read anything."""
    lines = []
    for one in systems:
        for judge, said in one.judges.items():
            verdicts = parse_verdicts(said)
            if any(said_one is not None for said_one in verdicts):
                share = estimate_share(verdicts)
                name = f"{judge}, {one.name}" if len(systems) > 1 else judge
                given = {"share": percent(share.share), "rows": share.read}
                lines.append(say("jd_unchecked", judge=name, **given))
    return [Section(say("jd_title"), lines=[(line, "") for line in lines])] if lines else []
