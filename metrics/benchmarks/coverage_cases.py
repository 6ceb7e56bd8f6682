"""What coverage is measured on: made-up scores, clusters, systems and verdicts, of which the truth
is known.
"""

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
# Rows of the tables from which verdicts are drawn, and systems that answer each row.
TABLE_ROWS, TABLE_SYSTEMS = 600, 3
MOST_ROWS_OF_A_CLUSTER = 9


@dataclass(frozen=True)
class Scores:
    """A distribution of scores: how to draw so many, and their mean."""

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
    """Return scores with so many exact zeros and ones, and a beta distribution between them, as F1
    has them.
    """

    def draw(stream: Stream, rows: int) -> Array:
        place = stream.rand(rows)
        between = stream.beta(first, second, rows)
        return np.where(place < zero, 0.0, np.where(place < zero + one, 1.0, between))

    mean = one + (1 - zero - one) * first / (first + second)
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
    # Estimates: most near 0 or 1, none quite there.
    make_mixture(0.0, 0.0, 0.3, 0.1),
    make_mixture(0.0, 0.0, 0.05, 0.5),
    make_mixture(0.0, 0.0, 0.5, 0.05),
    # Embeddings: all in a narrow range.
    make_mixture(0.0, 0.0, 20, 5),
    make_mixture(0.0, 0.0, 2, 20),
    make_mixture(0.0, 0.0, 1, 1),
)


@dataclass(frozen=True)
class Clusters:
    """Rows in clusters of 1 to 9, whose own means have a beta distribution: how to draw them, and
    the mean.
    """

    name: str
    first: float
    second: float
    shares: bool

    @property
    def mean(self) -> float:
        """The mean of all rows."""
        return self.first / (self.first + self.second)

    def draw(self, stream: Stream, clusters: int) -> tuple[Array, Array]:
        """Return the scores of so many clusters, and the cluster of each row."""
        sizes = stream.randint(1, MOST_ROWS_OF_A_CLUSTER + 1, clusters)
        cluster = np.repeat(np.arange(clusters), sizes)
        centre = stream.beta(self.first, self.second, clusters)[cluster]
        verdicts = (stream.rand(len(cluster)) < centre).astype(float)
        if self.shares:
            return verdicts, cluster
        return np.where(stream.rand(len(cluster)) < 0.5, verdicts, centre), cluster


CLUSTERS = tuple(
    Clusters(
        f"{'shares' if shares else 'scores'} in clusters, beta({first}, {second})",
        first,
        second,
        shares,
    )
    for shares in (True, False)
    for first, second in ((0.5, 0.5), (2, 2), (0.9, 0.1), (0.1, 0.9), (2, 0.5), (0.5, 2), (8, 2))
)


@dataclass(frozen=True)
class Systems:
    """Systems that answer the same questions: how to draw their scores, of shape (systems, rows),
    and their means.
    """

    name: str
    draw: Callable[[Stream, int, int], Array]
    list_means: Callable[[int], Array]


def make_verdict_systems(worst: float, best: float) -> Systems:
    """Return systems of these shares of right answers, each question easy or hard
    for all of them.
    """
    from scipy import stats

    def list_means(systems: int) -> Array:
        return np.linspace(worst, best, systems)

    def draw(stream: Stream, systems: int, rows: int) -> Array:
        skill = stats.norm.ppf(list_means(systems))[:, None]
        # A part of the hardness is the question's, the same for all systems.
        shared = 0.8**0.5 * stream.normal(size=rows)
        hardness = shared + 0.2**0.5 * stream.normal(size=(systems, rows))
        return (hardness < skill).astype(float)

    return Systems(f"shares of {worst} to {best}", draw, list_means)


def make_score_systems() -> Systems:
    """Return systems with F1-like scores: some zeros, some ones, the rest between.

    Hard questions give zeros to all.
    """

    def list_means(systems: int) -> Array:
        zeros = np.linspace(0.3, 1.0, systems) / 2
        return np.asarray(0.15 + 0.5 * (1 - zeros - 0.15))

    def draw(stream: Stream, systems: int, rows: int) -> Array:
        easy = stream.beta(0.4, 0.4, rows)
        place = stream.rand(systems, rows)
        between = stream.beta(2, 2, (systems, rows))
        zeros = (1 - easy) * np.linspace(0.3, 1.0, systems)[:, None]
        return np.where(place < zeros, 0.0, np.where(place > 1 - 0.3 * easy, 1.0, between))

    return Systems("F1-like scores", draw, list_means)


def make_level_systems() -> Systems:
    """Return systems with scores of 0, 0.5 and 1 that go together."""

    def list_means(systems: int) -> Array:
        return np.linspace(0.3, 0.5, systems)

    def draw(stream: Stream, systems: int, rows: int) -> Array:
        easy = stream.beta(0.5, 0.5, rows)
        chance = easy * 2 * list_means(systems)[:, None]
        halves = [(stream.rand(systems, rows) < chance).astype(float) for _ in range(2)]
        return (halves[0] + halves[1]) / 2

    return Systems("0, 0.5, 1", draw, list_means)


def make_copied_systems() -> Systems:
    """Return systems that answer as the first one does, but for a few answers that are lost: rare,
    one-sided.
    """

    def list_means(systems: int) -> Array:
        return np.asarray(0.9 * (1 - np.linspace(0.0, 0.15, systems)))

    def draw(stream: Stream, systems: int, rows: int) -> Array:
        right = stream.rand(rows) < 0.9
        kept = stream.rand(systems, rows) >= np.linspace(0.0, 0.15, systems)[:, None]
        return (right & kept).astype(float)

    return Systems("copies with losses", draw, list_means)


SYSTEMS = (
    make_verdict_systems(0.5, 0.8),
    make_verdict_systems(0.85, 0.95),
    make_verdict_systems(0.05, 0.2),
    make_level_systems(),
    make_score_systems(),
    make_copied_systems(),
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
        """Return a table: so many right answers, and estimates that know so much of
        them, 0 to 1.
        """
        stream = np.random.RandomState(seed)
        easy, own = stream.normal(size=TABLE_ROWS), stream.normal(size=(systems, TABLE_ROWS))
        fitness = 0.8**0.5 * easy + 0.2**0.5 * own
        bar = np.quantile(fitness, 1 - share)
        right = fitness + 0.05 * np.arange(systems)[:, None] > bar
        noise = stream.normal(size=right.shape)
        likely = quality * (right - 0.5) * 4 + (1 - quality) * noise
        return cls(name, right.astype(float), 1 / (1 + np.exp(-2 * likely)))

    @cached_property
    def stratum(self) -> list[int]:
        """The stratum of each row, by what the estimates leave open."""
        return assign_strata(TABLE_ROWS, *self.estimates.tolist())

    def draw_verdicts(self, stream: Stream, rows: int) -> Array:
        """Return the verdicts on so many rows, NaN on the others."""
        chosen = alternate_strata(stream.permutation(TABLE_ROWS).tolist(), self.stratum)[:rows]
        verdicts = np.full(self.right.shape, np.nan)
        verdicts[:, chosen] = self.right[:, chosen]
        return verdicts


# Shares of right answers and the quality of estimates; of many systems fewer, for they take long.
TABLES = ((0.05, 0.5), (0.2, 0.9), (0.5, 0.0), (0.5, 0.9), (0.8, 0.5), (0.95, 0.9))
TABLES_OF_SYSTEMS = {
    2: ((0.05, 0.9), (0.5, 0.0), (0.5, 0.9)),
    5: ((0.05, 0.9), (0.5, 0.0)),
    16: ((0.05, 0.9),),
}


def convert_verdicts(values: Array) -> list[Any]:
    """Return values as verdicts: None for NaN."""
    return [None if value != value else bool(value) for value in values]


# Of many systems those cases that were hardest with few draws.
HARD_SYSTEMS = {5: (SYSTEMS[0], SYSTEMS[2], SYSTEMS[4], SYSTEMS[5]), 16: (SYSTEMS[2], SYSTEMS[5])}
# A judge: how many right answers it calls right, and how many wrong ones wrong.
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
