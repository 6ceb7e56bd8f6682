"""A judge's verdicts beside those of a person: agreement, what the judge misses, and the share of right answers that
the two give together.

- Kappa: Cohen 1960, A coefficient of agreement for nominal scales; its standard error: Fleiss, Cohen and Everitt 1969,
  Large sample standard errors of kappa and weighted kappa. Two who never differ in a few rows are not known to be
  alike: there the lower end is the kappa that Wilson's lower end of their agreement gives.
- Sensitivity: of the answers that the person calls right, how many the judge does; specificity: of the others, how many
  it does not. Intervals: Wilson 1927.
- The corrected share is that of `verdicts.share_with_scores`, the judge standing in for the person where nobody read.
- Rows of one cluster count by their design effect.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lens.statistics.intervals import Interval, Z, design_effect, wilson
from lens.statistics.verdicts import Share, Verdict, share_alone, share_with_scores

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from lens.statistics.intervals import Cluster

    Array = NDArray[Any]


@dataclass(frozen=True)
class Rate:
    """A share of some rows with its 95% interval."""

    share: float
    interval: Interval
    rows: int


@dataclass(frozen=True)
class Kappa:
    """Agreement beyond chance with its 95% interval, over so many rows; None where both gave one and the same verdict
    to all.
    """

    kappa: float | None
    interval: Interval | None
    rows: int


@dataclass(frozen=True)
class Judged:
    """A judge beside a person. `counts`: both right, only the judge says so, only the person does, neither. A rate of
    None has no row to rest on. `raw` is the judge's share of all rows that it judged, `alone` the person's of those
    that were read, `corrected` that of both, None where the judge says the same of all, or nothing of the rows that
    nobody read. `apart`: where the two differ.
    """

    counts: tuple[int, int, int, int]
    sensitivity: Rate | None
    specificity: Rate | None
    kappa: Kappa
    raw: Share
    alone: Share
    corrected: Share | None
    apart: Sequence[int]

    @property
    def rows(self) -> int:
        """The rows that both have a verdict on."""
        return sum(self.counts)


def kappa_of(first: Sequence[Any], second: Sequence[Any], cluster: Cluster = None) -> Kappa:
    """How far two agree, whatever their verdicts are called; `cluster`: which rows go together.

    >>> found = kappa_of([1, 1, 0, 0, 1, 1, 0, 0], [1, 0, 0, 0, 1, 1, 1, 0])
    >>> found.kappa, [round(end, 3) for end in found.interval]
    (0.5, [-0.1, 1.0])
    """
    import numpy as np

    rows = len(first)
    names = list(dict.fromkeys([*first, *second]))
    one, other = (np.array([names.index(said) for said in own], dtype=int) for own in (first, second))
    shares = [np.bincount(own, minlength=len(names)) / rows for own in (one, other)]
    alike, chance = float((one == other).mean()), float(shares[0] @ shares[1])
    if len(names) < 2 or chance == 1:
        return Kappa(None, None, rows)
    kappa = (alike - chance) / (1 - chance)
    # How far each row moves kappa: the first names' shares are by the other's verdict, and the reverse.
    moves = (one == other) - (1 - kappa) * (shares[1][one] + shares[0][other])
    influence = moves - moves.mean()
    effect = design_effect(influence, cluster)
    half = Z * (float((influence**2).mean()) / rows * effect) ** 0.5 / (1 - chance)
    low = kappa - half
    if alike == 1:
        low = (wilson(1.0, rows / effect)[0] - chance) / (1 - chance)
    return Kappa(kappa, (max(low, -1.0), min(kappa + half, 1.0)), rows)


def rate(hits: Array, cluster: Array | None) -> Rate | None:
    """A share of rows, none where there are no rows; `cluster`: which of them go together."""
    if not len(hits):
        return None
    share = float(hits.mean())
    return Rate(share, wilson(share, len(hits) / design_effect(hits - share, cluster)), len(hits))


def judged(
    person: Sequence[Verdict], judge: Sequence[Verdict], stratum: Sequence[int], cluster: Cluster = None
) -> Judged | None:
    """A judge's verdicts beside a person's, of the same rows; None where no row has both. What is neither right nor
    wrong is None; `stratum` as the rows were drawn that the person read; `cluster`: which rows go together.
    """
    import numpy as np

    known = [at for at, both in enumerate(zip(person, judge, strict=True)) if None not in both]
    if not known:
        return None
    together = None if cluster is None else np.asarray(cluster)
    of = None if together is None else together[known]
    said, by_judge = (np.array([own[at] for at in known], dtype=bool) for own in (person, judge))
    sides = {which: (np.flatnonzero(said == which)) for which in (True, False)}
    rates = {
        which: rate((by_judge[at] == which).astype(float), None if of is None else of[at])
        for which, at in sides.items()
    }
    pairs = list(zip(said.tolist(), by_judge.tolist(), strict=True))
    scores = [None if one is None else float(one) for one in judge]
    distinct = {one for one in scores if one is not None}
    elsewhere = any(one is None and score is not None for one, score in zip(person, scores, strict=True))
    useful = len(distinct) > 1 and elsewhere and len([one for one in person if one is not None]) > 1
    return Judged(
        counts=(
            pairs.count((True, True)),
            pairs.count((False, True)),
            pairs.count((True, False)),
            pairs.count((False, False)),
        ),
        sensitivity=rates[True],
        specificity=rates[False],
        kappa=kappa_of(said.tolist(), by_judge.tolist(), of),
        raw=share_alone(judge, cluster),
        alone=share_alone(person, cluster),
        corrected=share_with_scores(person, scores, stratum, cluster) if useful else None,
        apart=[at for at, (one, other) in zip(known, pairs, strict=True) if one is not other],
    )
