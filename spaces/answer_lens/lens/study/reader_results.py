"""Tables on several readers of the same answers: their agreement, and two judges compared.

A reader is a person or a judge. If there are exactly two judges, the one that is named first is the
old judge, and the other is the new judge.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from lens.inference.judge_agreement import cohen_kappa
from lens.inference.judge_bridge import bridge_shares, compare_leads
from lens.inference.rater_agreement import MIN_READERS, measure_agreement
from lens.study.annotations import SystemVerdicts, parse_verdicts
from lens.study.judge_results import make_figure_cells
from lens.study.measures import Row, name_interval_ends

if TYPE_CHECKING:
    from lens.inference.intervals import Cluster
    from lens.inference.shares import Verdict

JUDGES_COMPARED = 2
# The sources of a bridged share: the old judge, the new judge on the rows that it judged, or both.
BEFORE = "before"
AFTER = "after"
MAPPED = "mapped"


def list_readers(systems: Sequence[SystemVerdicts], cluster: Cluster = None) -> Iterator[Row]:
    """Yield the agreement of the readers of each system that has three or more readers.

    Args:
        systems: the systems with the verdicts on them.
        cluster: the cluster of each question; None if questions are independent.
    """
    for system in systems:
        readers = list_reader_verdicts(system)
        if len(readers) < MIN_READERS:
            continue
        agreement = measure_agreement(readers, cluster)
        if agreement is None:
            continue
        yield {
            "system": system.name,
            "readers": len(readers),
            "alpha": agreement.alpha,
            **name_interval_ends(agreement.interval),
            "modal_share": agreement.modal_share,
            "n": agreement.rows,
        }


def list_reader_verdicts(system: SystemVerdicts) -> list[list[Verdict]]:
    """Return the verdicts of each reader that has a verdict on a system's answers."""
    readers = []
    for words in (system.verdicts, *system.judges.values()):
        verdicts = parse_verdicts(words)
        if any(verdict is not None for verdict in verdicts):
            readers.append(verdicts)
    return readers


def list_bridged_shares(
    systems: Sequence[SystemVerdicts], cluster: Cluster = None
) -> Iterator[Row]:
    """Yield the share of right answers of each system by the two judges, and their agreement.

    Args:
        systems: the systems with the verdicts of two judges.
        cluster: the cluster of each question; None if questions are independent.
    """
    if not has_two_judges(systems):
        return
    for system in systems:
        (old_name, old), (new_name, new) = read_two_judges(system)
        bridged = bridge_shares(old, new, cluster)
        if bridged is None:
            continue
        common: Row = {"system": system.name, "old": old_name, "new": new_name}
        common |= measure_kappa_values(old, new, cluster)
        shares = {BEFORE: bridged.before, AFTER: bridged.after, MAPPED: bridged.mapped}
        for source, share in shares.items():
            if share:
                row = {"source": source, "share": share.share, "n": share.read}
                yield common | row | name_interval_ends(share.interval)


def measure_kappa_values(old: Sequence[Verdict], new: Sequence[Verdict], cluster: Cluster) -> Row:
    """Return the kappa of two judges on the answers with verdicts of both.

    The values are None if there are no such answers.
    """
    pairs = zip(old, new, strict=True)
    judged_by_both = [place for place, pair in enumerate(pairs) if None not in pair]
    if not judged_by_both:
        return make_figure_cells("kappa", None, None, 0)
    old_verdicts = [old[place] for place in judged_by_both]
    new_verdicts = [new[place] for place in judged_by_both]
    clusters = None if cluster is None else [cluster[place] for place in judged_by_both]
    kappa = cohen_kappa(old_verdicts, new_verdicts, clusters)
    return make_figure_cells("kappa", kappa.kappa, kappa.interval, kappa.rows)


def list_lead_changes(systems: Sequence[SystemVerdicts], cluster: Cluster = None) -> Iterator[Row]:
    """Yield the change of the lead of every two systems from the old judge to the new one.

    Args:
        systems: the systems with the verdicts of two judges.
        cluster: the cluster of each question; None if questions are independent.
    """
    if len(systems) < 2 or not has_two_judges(systems):
        return
    old = []
    new = []
    for system in systems:
        (_, old_verdicts), (_, new_verdicts) = read_two_judges(system)
        old.append(old_verdicts)
        new.append(new_verdicts)
    for change in compare_leads(old, new, cluster):
        yield {
            "first": systems[change.first].name,
            "second": systems[change.second].name,
            "before": change.before,
            "after": change.after,
            "change": change.change,
            **name_interval_ends(change.interval),
            "p": change.p,
            "changes_places": change.changes_places,
            "n": change.questions,
        }


def has_two_judges(systems: Sequence[SystemVerdicts]) -> bool:
    """Return whether the same two judges have verdicts on all systems."""
    names = {tuple(system.judges) for system in systems}
    return len(names) == 1 and len(names.pop()) == JUDGES_COMPARED


def read_two_judges(system: SystemVerdicts) -> list[tuple[str, list[Verdict]]]:
    """Return the names and the verdicts of the old and the new judge."""
    return [(name, parse_verdicts(words)) for name, words in system.judges.items()]
