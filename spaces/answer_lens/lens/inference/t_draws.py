"""Draws |t| of all pairs of systems as if no two systems differed.

The draws are from a normal distribution with the covariance of the systems' means. In every draw,
the variance of each pair is estimated again, as from a sample with the same degrees of freedom
(Chernozhukov, Chetverikov and Kato 2013, Gaussian approximations and multiplier bootstrap for
maxima of sums of high-dimensional random vectors, Annals of Statistics 41; Wishart 1928).
Resampling rows would not work: two systems that differ in two of twenty rows do not differ at all
in every tenth resample.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from lens.inference.intervals import RESAMPLES, SEED

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

# Eigenvalues below this share of the largest one are rounding errors of 0.
ZERO_EIGENVALUE_SHARE = 1e-13
# The number of drawn matrix elements in memory at once.
MAX_DRAWN_NUMBERS = 2_000_000


def draw_t(covariance: Array, degrees: int, pairs: Array) -> Array:
    """Return |t| of each pair in 2,000 draws without true differences, of shape (pairs, 2000).

    |t| is 0 for a pair without variance, so the pair never has the largest |t|.
    """
    import numpy as np

    first, second = pairs.T
    root = symmetric_square_root(covariance)
    largest_variance = float(np.diag(covariance).max())
    largest_zero = ZERO_EIGENVALUE_SHARE * largest_variance
    (true_variances,) = contrast_variances(covariance[None], first, second)
    has_spread = true_variances > largest_zero
    # Some draws at a time, so that their matrices fit in memory.
    max_draws = max(1, MAX_DRAWN_NUMBERS // len(covariance) ** 2)
    t_of_draws = []
    for start in range(0, RESAMPLES, max_draws):
        draws = min(max_draws, RESAMPLES - start)
        independent_means, scatter = draw_independent(start, draws, len(root), degrees)
        means = independent_means @ root
        scatter_of_systems = root @ scatter @ root
        variances = contrast_variances(scatter_of_systems, first, second) / degrees
        is_usable = has_spread & (variances > 0)
        differences = means[:, first] - means[:, second]
        errors = np.sqrt(np.where(is_usable, variances, 1.0))
        t = np.abs(differences) / errors
        t_of_draws.append(np.where(is_usable, t, 0.0))
    return np.concatenate(t_of_draws).T


@lru_cache(maxsize=1)
def draw_independent(
    start: int,
    draws: int,
    size: int,
    degrees: int,
) -> tuple[Array, Array]:
    """Return the means of `size` independent normal columns, and their scatter matrix, per draw.

    The result is cached, because all metrics of the same systems use the same draws. With more
    degrees of freedom than columns, the scatter matrix comes from a triangular root (Bartlett 1933,
    On the theory of statistical regression).
    """
    import numpy as np

    rng = np.random.RandomState(SEED + start)
    means = rng.standard_normal((draws, size))
    if degrees <= size:
        rows = rng.standard_normal((draws, degrees, size))
        scatter = np.swapaxes(rows, 1, 2) @ rows
        return means, scatter
    # Bartlett's root: normal numbers below the diagonal, roots of chi-squares on it.
    normal = rng.standard_normal((draws, size, size))
    root = np.tril(normal, -1)
    diagonal = np.arange(size)
    squares = rng.chisquare(degrees - diagonal, (draws, size))
    root[:, diagonal, diagonal] = np.sqrt(squares)
    scatter = root @ np.swapaxes(root, 1, 2)
    return means, scatter


def contrast_variances(covariances: Array, first: Array, second: Array) -> Array:
    """Return the variances of the differences of pairs, of shape (matrices, pairs).

    Var(x - y) = Var(x) + Var(y) - 2 Cov(x, y).
    """
    import numpy as np

    variances = np.diagonal(covariances, axis1=1, axis2=2)
    shared = covariances[:, first, second]
    of_first = variances[:, first]
    of_second = variances[:, second]
    of_differences: Array = of_first + of_second - 2 * shared
    return of_differences


def symmetric_square_root(covariance: Array) -> Array:
    """Return the symmetric square root of a covariance, which is the same on every machine.

    Other roots depend on the signs of eigenvectors, which differ between machines.
    """
    import numpy as np

    eigenvalues, eigenvectors = np.linalg.eigh(covariance)
    largest = max(eigenvalues[-1], 0.0)
    is_zero = eigenvalues <= ZERO_EIGENVALUE_SHARE * largest
    eigenvalues = np.where(is_zero, 0.0, eigenvalues)
    root: Array = (eigenvectors * eigenvalues**0.5) @ eigenvectors.T
    return root
