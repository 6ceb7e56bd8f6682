"""Tables that compare judges with a person: figures, and answers on which they differ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from lens.inference.judge_agreement import JudgeAgreement, compare_judge
from lens.inference.shares import estimate_share
from lens.study.annotations import MIN_VERDICTS, Sample, SystemVerdicts, parse_verdicts
from lens.study.measures import Row

if TYPE_CHECKING:
    from lens.inference.intervals import Interval

# The figures of a judge, which are columns of results. All have an interval except `modal`.
JUDGE_FIGURES = (
    "kappa",
    "modal",  # the share of the most frequent verdict
    "sensitivity",
    "specificity",
    "raw",  # the share of right answers by the judge
    "alone",  # the share of right answers by the person
    "corrected",  # the share of right answers by both together
)
# The counts of answers that both call right, only the judge, only the person, and neither, in the
# order of `JudgeAgreement.counts`. They are columns of results, too.
JUDGE_COUNTS = ("both_right", "judge_right", "you_right", "none_right")


def compare_judges(systems: Sequence[SystemVerdicts], samples: Sequence[Sample]) -> Iterator[Row]:
    """Yield one row per judge and system: the figures of the judge compared with the person.

    If the person has read no answer of any system, a judge without verdicts on a system is left out
    there.

    Args:
        systems: the systems with the verdicts on them.
        samples: the questions of each system that can be read.
    """
    has_person = any(system.has_verdicts for system in systems)
    for system, sample in zip(systems, samples, strict=True):
        for judge, words in system.judges.items():
            verdicts = parse_verdicts(words)
            has_verdicts = any(verdict is not None for verdict in verdicts)
            if not has_verdicts and not has_person:
                continue
            row: Row = {
                "judge": judge,
                "system": system.name,
                "is_read": has_person,
                "rows": len(sample.rows),
                "overall": None,
                "overall_n": 0,
            }
            if has_verdicts:
                share = estimate_share(verdicts)
                row["overall"] = share.share
                # `read` is the number of verdicts.
                row["overall_n"] = share.read
            yield row | compare_with_person(system, judge, sample)


def compare_with_person(system: SystemVerdicts, judge: str, sample: Sample) -> Row:
    """Return the figures of a judge compared with the person.

    All figures are None if fewer than 20 answers have verdicts of both, and some if they cannot be
    computed.
    """
    row: Row = dict.fromkeys(JUDGE_COUNTS)
    for name in JUDGE_FIGURES:
        row |= make_figure_cells(name, None, None, 0)
    row |= {"n": 0, "effective_n": None}
    if not system.has_verdicts:
        return row
    person = parse_verdicts([system.verdicts[question] for question in sample.rows])
    verdicts = parse_verdicts([system.judges[judge][question] for question in sample.rows])
    row["n"] = sum(None not in pair for pair in zip(person, verdicts, strict=True))
    if row["n"] < MIN_VERDICTS:
        return row
    agreement = compare_judge(person, verdicts, sample.stratum, sample.cluster)
    assert agreement, "some answers have verdicts of both"
    return row | list_agreement_values(agreement)


def list_agreement_values(agreement: JudgeAgreement) -> Row:
    """Return the counts of a judge, and its figures with their intervals and numbers of answers.

    Figures that cannot be computed are left out.
    """
    kappa = agreement.kappa
    row: Row = dict(zip(JUDGE_COUNTS, agreement.counts, strict=True))
    row |= make_figure_cells("kappa", kappa.kappa, kappa.interval, kappa.rows)
    row |= make_figure_cells("modal", agreement.modal_share, None, agreement.rows)
    rates = {"sensitivity": agreement.sensitivity, "specificity": agreement.specificity}
    for name, rate in rates.items():
        if rate:
            row |= make_figure_cells(name, rate.share, rate.interval, rate.rows)
    shares = {
        "raw": agreement.judge_share,
        "alone": agreement.person_share,
        "corrected": agreement.joined_share,
    }
    for name, share in shares.items():
        if share:
            row |= make_figure_cells(name, share.share, share.interval, share.read)
    if agreement.joined_share:
        row["effective_n"] = agreement.joined_share.effective_n
    return row


def make_figure_cells(
    name: str,
    value: float | None,
    interval: Interval | None,
    n: int,
) -> Row:
    """Return the columns of a figure: its value, its interval, and the number of answers."""
    low, high = interval or (None, None)
    return {
        name: value,
        f"{name}_low": low,
        f"{name}_high": high,
        f"{name}_n": n,
    }


def list_disagreements(
    systems: Sequence[SystemVerdicts], samples: Sequence[Sample]
) -> Iterator[Row]:
    """Yield the answers on which a judge and the person differ, if 20 have verdicts of both.

    Args:
        systems: the systems with the verdicts on them.
        samples: the questions of each system that can be read.
    """
    for system, sample in zip(systems, samples, strict=True):
        if not system.has_verdicts:
            continue
        for judge, words in system.judges.items():
            for question in find_disagreements(system.verdicts, words, sample):
                # Without the rows of a table, answers are counted as questions.
                row = system.rows[question] if system.rows else question
                yield {
                    "judge": judge,
                    "system": system.name,
                    "question": question,
                    "row": row + 1,
                    "person": system.verdicts[question],
                    "judge_verdict": words[question],
                }


def find_disagreements(
    person: Sequence[str], judge: Sequence[str], sample: Sample
) -> Iterator[int]:
    """Yield the questions on which a judge and a person differ.

    Yield none if fewer than 20 questions have verdicts of both.
    """
    person_verdicts = parse_verdicts(person)
    judge_verdicts = parse_verdicts(judge)
    compared = []
    for question in sample.rows:
        if None not in (person_verdicts[question], judge_verdicts[question]):
            compared.append(question)
    if len(compared) < MIN_VERDICTS:
        return
    for question in compared:
        if person_verdicts[question] != judge_verdicts[question]:
            yield question
