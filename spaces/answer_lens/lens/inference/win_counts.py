"""Counts the questions on which a system wins, ties and loses against another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lens.inference.intervals import TIE

if TYPE_CHECKING:
    from lens.inference.intervals import Scores


def count_wins_ties_losses(first: Scores, second: Scores) -> tuple[int, int, int]:
    """Return the numbers of questions that the first system wins, ties (to 1e-12) and loses.

    >>> count_wins_ties_losses([1.0, 0.9, 0.5, 0.1 + 0.2], [0.0, 0.2, 1.0, 0.3])
    (2, 1, 1)
    """
    import numpy as np

    scores = np.asarray(first, dtype=float)
    other_scores = np.asarray(second, dtype=float)
    differences = scores - other_scores
    is_won = differences > TIE
    is_lost = differences < -TIE
    wins = int(is_won.sum())
    losses = int(is_lost.sum())
    ties = len(differences) - wins - losses
    return wins, ties, losses
