"""The cases for coverage: made-up scores, clusters, systems and verdicts with known true values."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from metrics.benchmarks.series import Array
from tests.support.project import ROOT

sys.path.insert(0, str(ROOT / "spaces" / "answer_lens"))

from lens.inference.sampling import alternate_strata, assign_strata

Stream = np.random.RandomState
SHARES = tuple(round(0.05 * step, 2) for step in range(1, 20))
# The number of rows in the tables from which verdicts are drawn, and of systems that answer them.
TABLE_ROWS, TABLE_SYSTEMS = 600, 3
MOST_ROWS_OF_A_CLUSTER = 9


@dataclass(frozen=True)
class Scores:
    """A distribution of scores: the function that draws them, and their mean."""

    name: str
    draw: Callable[[Stream, int], Array]
    mean: float


def make_level_scores(*chances: float) -> Scores:
    """Return scores of 0, 0.5 and 1 with these chances."""
    values = np.array([0.0, 0.5, 1.0])

    def draw(stream: Stream, rows: int) -> Array:
        return stream.choice(values, rows, p=chances)

    return Scores(f"0, 0.5, 1 with {chances}", draw, float(values @ chances))


def make_mixture(
    zero: float,
    one: float,
    first: float,
    second: float,
) -> Scores:
    """Return scores like F1: exact zeros and ones, and a beta distribution between."""

    def draw(stream: Stream, rows: int) -> Array:
        place = stream.rand(rows)
        scores = stream.beta(first, second, rows)
        scores[place < zero + one] = 1.0
        scores[place < zero] = 0.0
        return scores

    share_between = 1 - zero - one
    mean = one + share_between * first / (first + second)
    return Scores(f"{zero} zeros, {one} ones, beta({first}, {second})", draw, mean)


SCORES = (
    make_level_scores(0.05, 0.9, 0.05),
    make_level_scores(0.1, 0.2, 0.7),
    make_level_scores(0.8, 0.15, 0.05),
    make_level_scores(0.05, 0.05, 0.9),
    make_mixture(0.4, 0.2, 2, 2),
    make_mixture(0.85, 0.05, 2, 2),
    make_mixture(0.05, 0.9, 2, 2),
    make_mixture(0.2, 0.05, 2, 5),
    make_mixture(0.02, 0.0, 20, 5),
    # Like estimates: most are near 0 or 1, none is exactly 0 or 1.
    make_mixture(0.0, 0.0, 0.3, 0.1),
    make_mixture(0.0, 0.0, 0.05, 0.5),
    make_mixture(0.0, 0.0, 0.5, 0.05),
    # Like embeddings: all are in a narrow range.
    make_mixture(0.0, 0.0, 20, 5),
    make_mixture(0.0, 0.0, 2, 20),
    make_mixture(0.0, 0.0, 1, 1),
)


@dataclass(frozen=True)
class Clusters:
    """Rows in clusters of 1 to 9, whose means have a beta distribution."""

    name: str
    first: float
    second: float
    shares: bool

    @property
    def mean(self) -> float:
        """The mean of all rows."""
        return self.first / (self.first + self.second)

    def draw(self, stream: Stream, clusters: int) -> tuple[Array, Array]:
        """Return the scores of `clusters` clusters, and the cluster of each row."""
        sizes = stream.randint(1, MOST_ROWS_OF_A_CLUSTER + 1, clusters)
        cluster = np.repeat(np.arange(clusters), sizes)
        centres = stream.beta(self.first, self.second, clusters)
        centre = centres[cluster]
        verdicts = stream.rand(len(cluster)) < centre
        if self.shares:
            return verdicts.astype(float), cluster
        has_verdict = stream.rand(len(cluster)) < 0.5
        return np.where(has_verdict, verdicts, centre), cluster


# The parameters of the distributions of clusters' means.
CLUSTER_MEANS = (
    (0.5, 0.5),
    (2, 2),
    (0.9, 0.1),
    (0.1, 0.9),
    (2, 0.5),
    (0.5, 2),
    (8, 2),
)


def list_clusters() -> list[Clusters]:
    """Return clusters of verdicts, then those of scores, with each distribution of their means."""
    cases = []
    for kind in ("shares", "scores"):
        for first, second in CLUSTER_MEANS:
            name = f"{kind} in clusters, beta({first}, {second})"
            cases.append(Clusters(name, first, second, kind == "shares"))
    return cases


CLUSTERS = list_clusters()


@dataclass(frozen=True)
class Systems:
    """Systems that answer the same questions.

    Attributes:
        name: their name.
        draw: draws their scores, of shape (systems, rows).
        list_means: returns their means.
    """

    name: str
    draw: Callable[[Stream, int, int], Array]
    list_means: Callable[[int], Array]


def make_verdict_systems(worst: float, best: float) -> Systems:
    """Return systems with shares of right answers from `worst` to `best`.

    Some questions are easy for all systems, some are hard for all.
    """
    from scipy import stats

    def list_means(systems: int) -> Array:
        return np.linspace(worst, best, systems)

    def draw(stream: Stream, systems: int, rows: int) -> Array:
        skill = stats.norm.ppf(list_means(systems))
        # A part of the hardness belongs to the question, and is the same for all systems.
        of_question = 0.8**0.5 * stream.normal(size=rows)
        of_system = 0.2**0.5 * stream.normal(size=(systems, rows))
        is_right = of_question + of_system < skill[:, None]
        return is_right.astype(float)

    return Systems(f"shares of {worst} to {best}", draw, list_means)


def make_score_systems() -> Systems:
    """Return systems with scores like F1: some zeros, some ones, the rest between.

    All systems tend to get 0 for hard questions.
    """

    def list_means(systems: int) -> Array:
        zeros = np.linspace(0.3, 1.0, systems) / 2
        return np.asarray(0.15 + 0.5 * (1 - zeros - 0.15))

    def draw(stream: Stream, systems: int, rows: int) -> Array:
        easy = stream.beta(0.4, 0.4, rows)
        place = stream.rand(systems, rows)
        scores = stream.beta(2, 2, (systems, rows))
        zeros = np.linspace(0.3, 1.0, systems)
        scores[place > 1 - 0.3 * easy] = 1.0
        scores[place < (1 - easy) * zeros[:, None]] = 0.0
        return scores

    return Systems("F1-like scores", draw, list_means)


def make_level_systems() -> Systems:
    """Return systems with scores of 0, 0.5 and 1, which are correlated."""

    def list_means(systems: int) -> Array:
        return np.linspace(0.3, 0.5, systems)

    def draw(stream: Stream, systems: int, rows: int) -> Array:
        easy = stream.beta(0.5, 0.5, rows)
        means = list_means(systems)
        chance = easy * 2 * means[:, None]
        first_half = stream.rand(systems, rows) < chance
        second_half = stream.rand(systems, rows) < chance
        return (first_half.astype(float) + second_half) / 2

    return Systems("0, 0.5, 1", draw, list_means)


def make_copied_systems() -> Systems:
    """Return systems that answer like the first one, except for a few lost answers.

    So differences are rare, and always in the same direction.
    """

    def list_losses(systems: int) -> Array:
        return np.linspace(0.0, 0.15, systems)

    def list_means(systems: int) -> Array:
        return np.asarray(0.9 * (1 - list_losses(systems)))

    def draw(stream: Stream, systems: int, rows: int) -> Array:
        right = stream.rand(rows) < 0.9
        losses = list_losses(systems)
        is_kept = stream.rand(systems, rows) >= losses[:, None]
        return (right & is_kept).astype(float)

    return Systems("copies with losses", draw, list_means)


MIDDLING_SYSTEMS = make_verdict_systems(0.5, 0.8)
WEAK_SYSTEMS = make_verdict_systems(0.05, 0.2)
SCORE_SYSTEMS = make_score_systems()
COPIED_SYSTEMS = make_copied_systems()
SYSTEMS = (
    MIDDLING_SYSTEMS,
    make_verdict_systems(0.85, 0.95),
    WEAK_SYSTEMS,
    make_level_systems(),
    SCORE_SYSTEMS,
    COPIED_SYSTEMS,
)


@dataclass(frozen=True)
class Table:
    """Verdicts on all rows of systems, of shape (systems, rows), and estimates of them."""

    name: str
    right: Array
    estimates: Array

    @classmethod
    def make(
        cls,
        name: str,
        share: float,
        quality: float,
        systems: int = TABLE_SYSTEMS,
        seed: int = 0,
    ) -> "Table":
        """Return a table of verdicts and estimates.

        Args:
            name: the name of the table.
            share: the share of right answers.
            quality: how well the estimates tell right answers from wrong ones, 0 to 1.
            systems: the number of systems.
            seed: the seed of the random numbers.
        """
        stream = np.random.RandomState(seed)
        of_row = stream.normal(size=TABLE_ROWS)
        of_answer = stream.normal(size=(systems, TABLE_ROWS))
        fitness = 0.8**0.5 * of_row + 0.2**0.5 * of_answer
        bar = np.quantile(fitness, 1 - share)
        # Each system is a little better than the one before.
        head_starts = 0.05 * np.arange(systems)
        right = fitness + head_starts[:, None] > bar
        signal = 4 * quality * (right - 0.5)
        noise = (1 - quality) * stream.normal(size=right.shape)
        estimates = 1 / (1 + np.exp(-2 * (signal + noise)))
        return cls(name, right.astype(float), estimates)

    @cached_property
    def stratum(self) -> list[int]:
        """The stratum of each row, by the uncertainty of its estimates."""
        return assign_strata(TABLE_ROWS, *self.estimates.tolist())

    def hide_verdicts(self, stream: Stream, rows: int) -> Array:
        """Return the verdicts on `rows` rows, and NaN for the others."""
        order = stream.permutation(TABLE_ROWS).tolist()
        chosen = alternate_strata(order, self.stratum)[:rows]
        verdicts = np.full(self.right.shape, np.nan)
        verdicts[:, chosen] = self.right[:, chosen]
        return verdicts


# Shares of right answers, each with the quality of estimates. With many systems there are fewer
# cases, since they take long.
TABLES = (
    (0.05, 0.5),
    (0.2, 0.9),
    (0.5, 0.0),
    (0.5, 0.9),
    (0.8, 0.5),
    (0.95, 0.9),
)
TABLES_OF_SYSTEMS = {
    2: ((0.05, 0.9), (0.5, 0.0), (0.5, 0.9)),
    5: ((0.05, 0.9), (0.5, 0.0)),
    16: ((0.05, 0.9),),
}


def convert_verdicts(values: Array) -> list[Any]:
    """Return values as verdicts; NaN becomes None."""
    verdicts: list[Any] = []
    for value in values:
        verdicts.append(None if np.isnan(value) else bool(value))
    return verdicts


# With many systems, only the cases that were hardest in a run with few draws.
HARD_SYSTEMS = {
    5: (MIDDLING_SYSTEMS, WEAK_SYSTEMS, SCORE_SYSTEMS, COPIED_SYSTEMS),
    16: (WEAK_SYSTEMS, COPIED_SYSTEMS),
}
# A judge's sensitivity and specificity.
JUDGES = (
    (0.99, 0.99),
    (0.95, 0.95),
    (0.9, 0.9),
    (0.95, 0.6),
    (0.6, 0.95),
    (0.8, 0.8),
    (0.6, 0.6),
    (0.99, 0.7),
)
JUDGED_SHARES = (0.05, 0.2, 0.5, 0.8, 0.95)
