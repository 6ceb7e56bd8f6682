"""The cases for coverage: made-up scores, clusters, systems and verdicts with known true values."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from metrics.benchmarks.series import Array
from tests.support.project import ROOT

sys.path.insert(0, str(ROOT / "spaces" / "answer_lens"))

from lens.inference.sampling import alternate_strata, assign_strata

Rng = np.random.RandomState
SHARES = tuple(round(0.05 * step, 2) for step in range(1, 20))
# The number of rows in the tables from which verdicts are drawn, and of systems that answer them.
TABLE_ROWS, TABLE_SYSTEMS = 600, 3
# The difficulty of an answer has the variance 1. This part of it belongs to the question and is the
# same for all systems (their intraclass correlation); the rest belongs to the answer.
SHARED_VARIANCE, OWN_VARIANCE = 0.8, 0.2
MOST_ROWS_OF_A_CLUSTER = 9


@dataclass(frozen=True)
class Scores:
    """A distribution of scores: the function that draws them, and their mean."""

    name: str
    draw: Callable[[Rng, int], Array]
    mean: float


def make_level_scores(*chances: float) -> Scores:
    """Return scores of 0, 0.5 and 1 with these chances."""
    values = np.array([0.0, 0.5, 1.0])

    def draw(rng: Rng, rows: int) -> Array:
        return rng.choice(values, rows, p=chances)

    return Scores(f"0, 0.5, 1 with {chances}", draw, float(values @ chances))


def make_mixture(
    zeros: float,
    ones: float,
    alpha: float,
    beta: float,
) -> Scores:
    """Return scores like F1: exact zeros and ones, and a beta distribution between.

    Args:
        zeros: the share of zeros.
        ones: the share of ones.
        alpha: the first parameter of the beta distribution.
        beta: its second parameter.
    """

    def draw(rng: Rng, rows: int) -> Array:
        place = rng.rand(rows)
        scores = rng.beta(alpha, beta, rows)
        scores[place < zeros + ones] = 1.0
        scores[place < zeros] = 0.0
        return scores

    share_between = 1 - zeros - ones
    mean = ones + share_between * alpha / (alpha + beta)
    return Scores(f"{zeros} zeros, {ones} ones, beta({alpha}, {beta})", draw, mean)


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
    # Uniform between 0 and 1.
    make_mixture(0.0, 0.0, 1, 1),
)


@dataclass(frozen=True)
class Clusters:
    """Rows in clusters of 1 to 9, whose means have a beta distribution.

    Attributes:
        name: the name of the case.
        alpha: the first parameter of the beta distribution.
        beta: its second parameter.
        are_verdicts: every row has a verdict (0 or 1). Otherwise half of the rows have one, and the
            others have the mean of their cluster: such scores vary less.
    """

    name: str
    alpha: float
    beta: float
    are_verdicts: bool

    @property
    def mean(self) -> float:
        """The expected value of a row."""
        return self.alpha / (self.alpha + self.beta)

    def draw(self, rng: Rng, clusters: int) -> tuple[Array, Array]:
        """Return the scores of `clusters` clusters, and the cluster of each row."""
        sizes = rng.randint(1, MOST_ROWS_OF_A_CLUSTER + 1, clusters)
        cluster = np.repeat(np.arange(clusters), sizes)
        means = rng.beta(self.alpha, self.beta, clusters)
        mean_of_row = means[cluster]
        verdicts = rng.rand(len(cluster)) < mean_of_row
        if self.are_verdicts:
            return verdicts.astype(float), cluster
        has_verdict = rng.rand(len(cluster)) < 0.5
        return np.where(has_verdict, verdicts, mean_of_row), cluster


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
        for alpha, beta in CLUSTER_MEANS:
            name = f"{kind} in clusters, beta({alpha}, {beta})"
            cases.append(Clusters(name, alpha, beta, are_verdicts=kind == "shares"))
    return cases


CLUSTERS = list_clusters()


@dataclass(frozen=True)
class Systems:
    """Systems that answer the same questions.

    Attributes:
        name: the name of the case.
        draw: draws the scores of a number of systems on a number of rows, of shape (systems, rows).
        list_means: returns the expected score of each system, for a number of systems.
    """

    name: str
    draw: Callable[[Rng, int, int], Array]
    list_means: Callable[[int], Array]


def make_verdict_systems(worst: float, best: float) -> Systems:
    """Return systems with shares of right answers from `worst` to `best`.

    Some questions are easy for all systems, some are hard for all. This is a probit model: an
    answer is right if its difficulty, a standard normal number, is below the skill of its system.
    """
    from scipy import stats

    def list_means(systems: int) -> Array:
        return np.linspace(worst, best, systems)

    def draw(rng: Rng, systems: int, rows: int) -> Array:
        skill = stats.norm.ppf(list_means(systems))
        of_question = SHARED_VARIANCE**0.5 * rng.normal(size=rows)
        of_answer = OWN_VARIANCE**0.5 * rng.normal(size=(systems, rows))
        is_right = of_question + of_answer < skill[:, None]
        return is_right.astype(float)

    return Systems(f"shares of {worst} to {best}", draw, list_means)


def make_score_systems() -> Systems:
    """Return systems with scores like F1: some zeros, some ones, the rest between.

    All systems tend to get 0 for hard questions. A score is 1 with the chance `ones` * ease, and 0
    with the chance (1 - ease) * `zeros` of its system; otherwise it has the distribution
    beta(2, 2), whose mean is 1/2. The ease of a question is between 0 and 1; its mean is 1/2.
    """
    mean_ease = mean_between = 0.5
    ones = 0.3

    def list_zeros(systems: int) -> Array:
        return np.linspace(0.3, 1.0, systems)

    def list_means(systems: int) -> Array:
        share_of_ones = ones * mean_ease
        share_of_zeros = (1 - mean_ease) * list_zeros(systems)
        return np.asarray(share_of_ones + mean_between * (1 - share_of_zeros - share_of_ones))

    def draw(rng: Rng, systems: int, rows: int) -> Array:
        ease = rng.beta(0.4, 0.4, rows)
        place = rng.rand(systems, rows)
        scores = rng.beta(2, 2, (systems, rows))
        scores[place > 1 - ones * ease] = 1.0
        scores[place < (1 - ease) * list_zeros(systems)[:, None]] = 0.0
        return scores

    return Systems("F1-like scores", draw, list_means)


def make_level_systems() -> Systems:
    """Return systems with scores of 0, 0.5 and 1, which are correlated.

    A score is the mean of two verdicts. Each is right with the chance 2 * ease * mean of the
    system; the mean ease is 1/2, so the score has the mean of its system.
    """

    def list_means(systems: int) -> Array:
        return np.linspace(0.3, 0.5, systems)

    def draw(rng: Rng, systems: int, rows: int) -> Array:
        ease = rng.beta(0.5, 0.5, rows)
        means = list_means(systems)
        chance = ease * 2 * means[:, None]
        first_half = rng.rand(systems, rows) < chance
        second_half = rng.rand(systems, rows) < chance
        return (first_half.astype(float) + second_half) / 2

    return Systems("0, 0.5, 1", draw, list_means)


def make_copied_systems() -> Systems:
    """Return systems that answer like the first one, except for a few lost answers.

    The first one has 90% right answers, and the last one loses 15% of them. So differences are
    rare, and the first system is never worse.
    """

    def list_losses(systems: int) -> Array:
        return np.linspace(0.0, 0.15, systems)

    def list_means(systems: int) -> Array:
        return np.asarray(0.9 * (1 - list_losses(systems)))

    def draw(rng: Rng, systems: int, rows: int) -> Array:
        is_right = rng.rand(rows) < 0.9
        losses = list_losses(systems)
        is_kept = rng.rand(systems, rows) >= losses[:, None]
        return (is_right & is_kept).astype(float)

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
            share: the share of right answers without head starts. The first system has none, so
                this is about its share; later systems have more (with 16 systems and 0.5, the last
                one has 0.79). The true values are those of `right`.
            quality: how well the estimates tell right answers from wrong ones, 0 to 1.
            systems: the number of systems.
            seed: the seed of the random numbers.
        """
        rng = np.random.RandomState(seed)
        of_question = rng.normal(size=TABLE_ROWS)
        of_answer = rng.normal(size=(systems, TABLE_ROWS))
        ease = SHARED_VARIANCE**0.5 * of_question + OWN_VARIANCE**0.5 * of_answer
        least_ease = np.quantile(ease, 1 - share)
        # Each system is a little better than the one before.
        head_starts = 0.05 * np.arange(systems)
        right = ease + head_starts[:, None] > least_ease
        # The log odds of an estimate, before they are doubled: 2 * quality for a right answer and
        # the negative for a wrong one, with normal noise.
        signal = 4 * quality * (right - 0.5)
        noise = (1 - quality) * rng.normal(size=right.shape)
        estimates = 1 / (1 + np.exp(-2 * (signal + noise)))
        return cls(name, right.astype(float), estimates)

    @cached_property
    def stratum(self) -> list[int]:
        """The stratum of each row, by the uncertainty of its estimates."""
        return assign_strata(TABLE_ROWS, *self.estimates.tolist())

    def hide_verdicts(self, rng: Rng, rows: int) -> Array:
        """Return the verdicts on `rows` rows, and NaN for the others."""
        order = rng.permutation(TABLE_ROWS).tolist()
        chosen = alternate_strata(order, self.stratum)[:rows]
        verdicts = np.full(self.right.shape, np.nan)
        verdicts[:, chosen] = self.right[:, chosen]
        return verdicts


class TableCase(NamedTuple):
    """The share of right answers of the first system, and the quality of the estimates."""

    share: float
    quality: float


TABLES = (
    TableCase(0.05, 0.5),
    TableCase(0.2, 0.9),
    TableCase(0.5, 0.0),
    TableCase(0.5, 0.9),
    TableCase(0.8, 0.5),
    TableCase(0.95, 0.9),
)
# By the number of systems. With many systems there are fewer cases, since they take long.
TABLES_OF_SYSTEMS = {
    2: (TableCase(0.05, 0.9), TableCase(0.5, 0.0), TableCase(0.5, 0.9)),
    5: (TableCase(0.05, 0.9), TableCase(0.5, 0.0)),
    16: (TableCase(0.05, 0.9),),
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


class MadeUpJudge(NamedTuple):
    """The chances that a judge calls right answers right, and wrong answers wrong."""

    sensitivity: float
    specificity: float


class JudgeCase(NamedTuple):
    """The share of right answers, and a judge's sensitivity and specificity."""

    share: float
    sensitivity: float
    specificity: float


JUDGES = (
    MadeUpJudge(0.99, 0.99),
    MadeUpJudge(0.95, 0.95),
    MadeUpJudge(0.9, 0.9),
    MadeUpJudge(0.95, 0.6),
    MadeUpJudge(0.6, 0.95),
    MadeUpJudge(0.8, 0.8),
    MadeUpJudge(0.6, 0.6),
    MadeUpJudge(0.99, 0.7),
)
JUDGED_SHARES = (0.05, 0.2, 0.5, 0.8, 0.95)
