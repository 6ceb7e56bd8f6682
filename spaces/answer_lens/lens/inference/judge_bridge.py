"""Compares two judges on the same answers: the places of the systems, and their shares.

- The share of each system by the new judge is estimated from its verdicts on some rows and the old
  judge's verdicts on all rows (`shares.estimate_share_with_scores`). The old verdicts count as much
  as they predict the new ones.
- Two systems change places if the old judge has one of them ahead and the new judge the other. A
  paired test shows whether the change is more than chance. For each question, the lead of the first
  system by the old judge is subtracted from its lead by the new judge
  (`mean_differences.compare_means`). Holm's (1979) correction covers all pairs of systems.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

from lens.inference.intervals import Interval, select_clusters
from lens.inference.mean_differences import compare_means
from lens.inference.shares import (
    Share,
    Verdict,
    convert_to_scores,
    estimate_share,
    estimate_share_with_scores,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from lens.inference.intervals import Cluster

    Array = NDArray[Any]

# The fewest questions for a test of a change, with verdicts of both judges on both systems.
MIN_QUESTIONS = 20


@dataclass(frozen=True)
class BridgedShares:
    """The share of right answers of one system by two judges.

    Attributes:
        before: the share by the old judge.
        after: the share by the new judge alone, on the rows that it judged.
        mapped: the share by the new judge, with the old judge's verdicts on the rows that the new
            judge did not judge; None if there are no such rows, or fewer than two new verdicts.
    """

    before: Share
    after: Share
    mapped: Share | None


@dataclass(frozen=True)
class LeadChange:
    """The change of one system's lead over another between two judges.

    Attributes:
        first: the index of one system.
        second: the index of the other system.
        before: the lead of the first system by the old judge.
        after: the lead of the first system by the new judge.
        change: `after` minus `before`.
        interval: the 95% interval of the change; None with too few questions.
        p: the two-sided p, corrected for all pairs (Holm); None with too few questions.
        questions: the number of questions with verdicts of both judges on both systems.
    """

    first: int
    second: int
    before: float
    after: float
    change: float
    interval: Interval | None
    p: float | None
    questions: int

    @property
    def changes_places(self) -> bool:
        """True if the old judge has one system ahead, and the new judge the other."""
        return self.before * self.after < 0


def bridge_shares(
    old: Sequence[Verdict],
    new: Sequence[Verdict],
    cluster: Cluster = None,
) -> BridgedShares | None:
    """Return the share of right answers of one system by two judges.

    The result is None if a judge has no verdict.

    Args:
        old: the verdicts of the old judge; None stands for a row without one.
        new: the verdicts of the new judge.
        cluster: the cluster of each row, or None if rows are independent.
    """
    by_old = {row for row, verdict in enumerate(old) if verdict is not None}
    by_new = {row for row, verdict in enumerate(new) if verdict is not None}
    if not by_old or not by_new:
        return None
    before = estimate_share(old, cluster)
    after = estimate_share(new, cluster)
    mapped = None
    if by_old - by_new and len(by_new) > 1:
        scores = convert_to_scores(old)
        one_stratum = [0] * len(new)
        mapped = estimate_share_with_scores(new, scores, one_stratum, cluster)
    return BridgedShares(before, after, mapped)


def compare_leads(
    old: Sequence[Sequence[Verdict]],
    new: Sequence[Sequence[Verdict]],
    cluster: Cluster = None,
) -> list[LeadChange]:
    """Return the change of the lead for every pair of systems.

    Args:
        old: the verdicts of the old judge, of shape (systems, questions).
        new: the verdicts of the new judge.
        cluster: the cluster of each question, or None if questions are independent.
    """
    import numpy as np

    by_old = np.array(old, dtype=float)
    by_new = np.array(new, dtype=float)
    changes = []
    for first, second in combinations(range(len(old)), 2):
        before = by_old[first] - by_old[second]
        after = by_new[first] - by_new[second]
        is_known = ~np.isnan(before) & ~np.isnan(after)
        clusters = select_clusters(cluster, is_known)
        change = compare_lead(first, second, before[is_known], after[is_known], clusters)
        changes.append(change)
    return correct_p_values(changes)


def compare_lead(
    first: int,
    second: int,
    before: Array,
    after: Array,
    cluster: Array | None,
) -> LeadChange:
    """Return how the lead of one system over another changes, by the leads in each question."""
    questions = len(before)
    if not questions:
        return LeadChange(first, second, 0.0, 0.0, 0.0, None, None, 0)
    lead_before = float(before.mean())
    lead_after = float(after.mean())
    change = lead_after - lead_before
    interval = p_value = None
    if questions >= MIN_QUESTIONS:
        change, interval, p_value = compare_means(after, before, cluster)
    return LeadChange(first, second, lead_before, lead_after, change, interval, p_value, questions)


def correct_p_values(changes: Sequence[LeadChange]) -> list[LeadChange]:
    """Return the changes with p-values corrected for all of them.

    The smallest of m p-values is multiplied by m, the second one by m - 1, and so on. A corrected
    p is at least that of the smaller p-values, and at most 1.

    Source: Holm 1979, A simple sequentially rejective multiple test procedure.
    """
    tested = [place for place, change in enumerate(changes) if change.p is not None]
    tested.sort(key=lambda place: changes[place].p or 0.0)
    corrected = list(changes)
    largest = 0.0
    for rank, place in enumerate(tested):
        p_value = changes[place].p
        assert p_value is not None
        multiplied = p_value * (len(tested) - rank)
        largest = max(largest, min(multiplied, 1.0))
        corrected[place] = replace(changes[place], p=largest)
    return corrected
