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
# The most characters of a line.
LINE = 118


@dataclass(frozen=True)
class Learned:
    """All the numbers in model.py.

    Attributes:
        features: the names of all features.
        agreement, stance: the ensembles of scikit-learn.
        stance_line: the slope and the intercept of the line through the second one's log odds.
        heads: the weights that join the heads (log_odds.HeadWeights).
        shares: the mean and the deviation of each share in the completeness.
        calibration: the slope and the intercept of the line through the log odds (Platt).
        decided: if the answer has another value than the reference, and if it has the same: the
            log odds, and the weight of the log odds by words.
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
    shares: list[tuple[float, float]]
    calibration: tuple[float, float]
    decided: tuple[tuple[float, float], tuple[float, float]]
    objections: Mapping[str, tuple[float, float]]
    threshold: float
    usual: Sequence[tuple[float, float]]
    rarest: float
    rarity: str


def format_tree(nodes: Any, slope: float, at: int = 0) -> list[str]:
    """Return the words of one tree of scikit-learn, from a node down.

    The leaves are multiplied by the slope. Features are rounded to two decimals, so a threshold
    with two decimals splits them as scikit-learn's exact one does.
    """
    node = nodes[at]
    if node["is_leaf"]:
        return [f"{1000 * slope * node['value']:.0f}"]
    threshold = math.floor(100 * node["num_threshold"] + 1e-6) / 100
    shown = re.sub(r"^(-?)0\.", r"\1.", f"{threshold:g}")
    left, right = (format_tree(nodes, slope, int(node[side])) for side in ("left", "right"))
    return [f"{int(node['feature_idx'])}:{shown}", *left, *right]


def format_ensemble(ensemble: Any, slope: float = 1.0, start: float = 0.0) -> str:
    """Return an ensemble's intercept and trees, after a line through its log odds."""
    words = [f"{1000 * (slope * ensemble._baseline_prediction[0, 0] + start):.0f}"]
    for (predictor,) in ensemble._predictors:
        words += format_tree(predictor.nodes, slope)
    return wrap_words(" ".join(words))


def wrap_words(text: str) -> str:
    """Return words, broken into lines."""
    return "\n".join(textwrap.wrap(text, LINE, break_long_words=False, break_on_hyphens=False))


def format_words(name: str, words: Sequence[str]) -> str:
    """Return the Python code of a list of words."""
    return f'{name} = """\n{wrap_words(" ".join(words))}\n""".split()\n'


def format_objections(weights: Mapping[str, tuple[float, float]]) -> str:
    """Return the Python code of the weights of objections, one on each line."""
    lines = [f'    "{kind}": ({short!r}, {long!r}),\n' for kind, (short, long) in weights.items()]
    return f"OBJECTION_WEIGHTS = {{\n{''.join(lines)}}}\n"


def write_model(
    path: Path,
    learned: Learned,
    source: str,
    digests: Mapping[str, str],
) -> int:
    """Write a model as a Python file, and return its size in bytes."""
    usual = [f"{low:g}:{high:g}" for low, high in learned.usual]
    parts = [
        HEAD.format(source=source),
        format_words("FEATURES", learned.features),
        "# The weights that join the heads (log_odds.HeadWeights).\n",
        f"HEADS = {learned.heads!r}\n",
        "# The mean and the deviation of each share in the completeness.\n",
        f"SHARES = {learned.shares!r}\n",
        "# Slope and intercept of the line through the log odds (Platt), and the least estimate that counts as right.\n",
        f"CALIBRATION = {learned.calibration!r}\nTHRESHOLD = {learned.threshold!r}\n",
        "# With another value, and with the same: the log odds, and the weight of the log odds by words.\n",
        f"DECIDED = {learned.decided!r}\n",
        "# What each kind of objection subtracts from the log odds, with a short and with a long reference.\n",
        format_objections(learned.objections),
        "# For each feature, the range of the middle 99% of the answers that people judged.\n",
        format_words("USUAL", usual),
        "# The SHA-256 of the files that it learned from.\n",
        "".join(f'{name} = "{digest}"\n' for name, digest in digests.items()),
        f'AGREEMENT_TEXT = """\n{format_ensemble(learned.agreement)}\n"""\n',
        f'STANCE_TEXT = """\n{format_ensemble(learned.stance, *learned.stance_line)}\n"""\n',
        "# How rare words are: a level is ten times the logarithm of the number of all answers by that of answers with\n",
        "# a stem; its stems follow it. RAREST is the rarity of a stem that is not in the table.\n",
        f'RAREST = {learned.rarest:.1f}\nRARITY_TEXT = """\n{wrap_words(learned.rarity)}\n"""\n',
    ]
    text = "".join(parts)
    path.write_text(text, "utf-8", newline="\n")
    return len(text.encode())
