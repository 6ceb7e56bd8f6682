"""Write the fitted numbers as a Python file, which log_odds.py reads without scikit-learn."""

import math
import re
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HEAD = '''"""The numbers of log_odds.py, written by `make estimate` from {source}: change nothing by hand.

A text of trees begins with the log odds before the first tree; log odds are in thousandths. Each tree is written from
its root. A node is feature:threshold; the subtree for values up to the threshold follows it, and then that for larger
ones. A leaf is its log odds. A feature is its position in FEATURES.
"""

'''
LINE_WIDTH = 118
# What may be lost when a threshold of two decimals is stored as a float.
FLOAT_ERROR = 1e-6


@dataclass(frozen=True)
class ModelNumbers:
    """All the numbers in model.py.

    Attributes:
        features: the names of all features.
        agreement, stance: the ensembles of scikit-learn.
        stance_line: the slope and the intercept of the line through the second one's log odds.
        heads: the weights that join the heads (log_odds.HeadWeights).
        shares: the mean and the standard deviation of each feature in COMPLETENESS.
        calibration: the slope and the intercept of the line through the log odds (Platt).
        decided: for an answer with another value than the reference, and for one with the same:
            the log odds, and the share of the log odds that the words alone give.
        objections: the weight of each kind of objection, with a short and with a long reference.
        threshold: the least estimate with which an answer counts as right.
        usual: for each feature, the range of the middle 99% of the answers.
        rarest, rarity: how rare words are (rarity.py).
    """

    features: list[str]
    agreement: Any
    stance: Any
    stance_line: tuple[float, float]
    heads: tuple[float, ...]
    shares: list[tuple[float, ...]]
    calibration: tuple[float, float]
    decided: tuple[tuple[float, ...], tuple[float, ...]]
    objections: Mapping[str, tuple[float, float]]
    threshold: float
    usual: Sequence[tuple[float, float]]
    rarest: float
    rarity: str


def format_ensemble(ensemble: Any, slope: float = 1.0, intercept: float = 0.0) -> str:
    """Return an ensemble's first log odds and trees, after a line through its log odds."""
    first_odds = slope * ensemble._baseline_prediction[0, 0] + intercept
    words = [f"{1000 * first_odds:.0f}"]
    for (predictor,) in ensemble._predictors:
        words += format_tree(predictor.nodes, slope)
    return wrap_words(" ".join(words))


def format_tree(nodes: Any, slope: float, root: int = 0) -> list[str]:
    """Return the words of one tree of scikit-learn, with log odds in thousandths.

    Args:
        nodes: the nodes of the tree.
        slope: the number by which the log odds of leaves are multiplied.
        root: the number of the node from which the tree is written.
    """
    node = nodes[root]
    if node["is_leaf"]:
        return [f"{1000 * slope * node['value']:.0f}"]
    left = format_tree(nodes, slope, int(node["left"]))
    right = format_tree(nodes, slope, int(node["right"]))
    return [f"{int(node['feature_idx'])}:{format_threshold(node['num_threshold'])}", *left, *right]


def format_threshold(threshold: float) -> str:
    """Return a threshold rounded down to two decimals, without a 0 before the point.

    Features are rounded to two decimals, so this threshold splits them as the exact one does.

    >>> [format_threshold(threshold) for threshold in (0.4567, -0.25, 3.0)]
    ['.45', '-.25', '3']
    """
    rounded = math.floor(100 * threshold + FLOAT_ERROR) / 100
    return re.sub(r"^(-?)0\.", r"\1.", f"{rounded:g}")


def wrap_words(text: str) -> str:
    """Return words, broken into lines."""
    lines = textwrap.wrap(text, LINE_WIDTH, break_long_words=False, break_on_hyphens=False)
    return "\n".join(lines)


def format_words(name: str, words: Sequence[str]) -> str:
    """Return the Python code of a list of words."""
    return f'{name} = """\n{wrap_words(" ".join(words))}\n""".split()\n'


def format_objections(weights: Mapping[str, tuple[float, float]]) -> str:
    """Return the Python code of the weights of objections, one on each line."""
    lines = [f'    "{kind}": ({short!r}, {long!r}),\n' for kind, (short, long) in weights.items()]
    return f"OBJECTION_WEIGHTS = {{\n{''.join(lines)}}}\n"


def write_model(
    path: Path,
    numbers: ModelNumbers,
    source: str,
    digests: Mapping[str, str],
) -> int:
    """Write a model as a Python file, and return its size in bytes."""
    usual = [f"{low:g}:{high:g}" for low, high in numbers.usual]
    parts = [
        HEAD.format(source=source),
        format_words("FEATURES", numbers.features),
        "# The weights that join the heads (log_odds.HeadWeights).\n",
        f"HEADS = {numbers.heads!r}\n",
        "# The mean and the deviation of each share in the completeness.\n",
        f"SHARES = {numbers.shares!r}\n",
        "# Slope and intercept of the line through the log odds (Platt), and the least estimate that counts as right.\n",
        f"CALIBRATION = {numbers.calibration!r}\nTHRESHOLD = {numbers.threshold!r}\n",
        "# With another value, and with the same: the log odds, and the weight of the log odds by words.\n",
        f"DECIDED = {numbers.decided!r}\n",
        "# What each kind of objection subtracts from the log odds, with a short and with a long reference.\n",
        format_objections(numbers.objections),
        "# For each feature, the range of the middle 99% of the answers that people judged.\n",
        format_words("USUAL", usual),
        "# The SHA-256 of the files that it learned from.\n",
        "".join(f'{name} = "{digest}"\n' for name, digest in digests.items()),
        f'AGREEMENT_TEXT = """\n{format_ensemble(numbers.agreement)}\n"""\n',
        f'STANCE_TEXT = """\n{format_ensemble(numbers.stance, *numbers.stance_line)}\n"""\n',
        "# How rare words are: a level is ten times the logarithm of the number of all answers by that of answers with\n",
        "# a stem; its stems follow it. RAREST is the rarity of a stem that is not in the table.\n",
        f'RAREST = {numbers.rarest:.1f}\nRARITY_TEXT = """\n{wrap_words(numbers.rarity)}\n"""\n',
    ]
    text = "".join(parts)
    path.write_text(text, "utf-8", newline="\n")
    return len(text.encode())
