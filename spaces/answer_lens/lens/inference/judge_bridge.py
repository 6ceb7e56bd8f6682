"""Two judges on the same answers: whether the systems keep their places, and what the old scale is
on the new one.

- Each system's share by the new judge is estimated from its verdicts on some rows and the old
  judge's on all (`shares.estimate_share_with_scores`): what the old judge says is worth as much as
  it foretells the new one.
- Two systems change places where one judge has the first ahead and the other the second. Whether
  that is more than chance is a paired test of the change: of each question how far the first system
  is ahead by the new judge, less how far it is by the old one (`intervals.compare_means`). Holm's
  (1979) correction is for all pairs of systems together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

from lens.inference.intervals import Interval, compare_means
from lens.inference.shares import Share, Verdict, estimate_share, estimate_share_with_scores

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from lens.inference.intervals import Cluster

    Array = NDArray[Any]

# With fewer questions on which both judges have a verdict on both systems, nothing is said of their
# places.
LEAST_QUESTIONS = 20


@dataclass(frozen=True)
class BridgedShares:
    """The share of right answers of one system by two judges.

    Attributes:
        before: by the old judge.
        after: by the new judge alone, on the rows that it judged.
        mapped: by the new judge, with the old one's verdicts on the rows that it did not judge;
            It is None if it judged all, or if the old judge has nothing to say of the others.
    """

    before: Share
    after: Share
    mapped: Share | None


@dataclass(frozen=True)
class LeadChange:
    """How the lead of one system over another changes with the judge.

    Attributes:
        first: the place of one system among the systems.
        second: the place of the other.
        before: how far the first is ahead by the old judge.
        after: how far it is by the new one.
        change: `after` less `before`.
        interval: the 95% interval of the change; None with too few questions.
        p: two-sided, corrected for all pairs (Holm); None with too few questions.
        questions: on how many questions both judges have a verdict on both systems.
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
        """True if one judge has the first system ahead, and the other the second."""
        return self.before * self.after < 0


def bridge_shares(
    old: Sequence[Verdict], new: Sequence[Verdict], cluster: Cluster = None
) -> BridgedShares | None:
    """Return the share of right answers of one system by two judges.

    It is None if either has no verdict.

    Args:
        old: the verdicts of the old judge; None stands for a row without one.
        new: those of the new judge.
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
        scores = [None if verdict is None else float(verdict) for verdict in old]
        one_stratum = [0] * len(new)
        mapped = estimate_share_with_scores(new, scores, one_stratum, cluster)
    return BridgedShares(before, after, mapped)


def compare_leads(
    old: Sequence[Sequence[Verdict]], new: Sequence[Sequence[Verdict]], cluster: Cluster = None
) -> list[LeadChange]:
    """Return how the lead of each system over each other changes with the judge.

    Args:
        old: the verdicts of the old judge, of shape (systems, questions).
        new: those of the new judge.
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
        clusters = None if cluster is None else np.asarray(cluster)[is_known]
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
    if questions >= LEAST_QUESTIONS:
        change, interval, p_value = compare_means(after, before, cluster)
    return LeadChange(first, second, lead_before, lead_after, change, interval, p_value, questions)


def correct_p_values(changes: Sequence[LeadChange]) -> list[LeadChange]:
    """Return the changes with p-values corrected for all of them (Holm 1979)."""
    tested = [place for place, change in enumerate(changes) if change.p is not None]
    tested.sort(key=lambda place: changes[place].p or 0.0)
    corrected = list(changes)
    largest = 0.0
    for rank, place in enumerate(tested):
        p_value = changes[place].p
        assert p_value is not None
        largest = max(largest, min(p_value * (len(tested) - rank), 1.0))
        corrected[place] = replace(changes[place], p=largest)
    return corrected
