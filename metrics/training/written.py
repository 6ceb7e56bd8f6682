"""Writes what was learned as a Python file: numbers in texts that formula.py reads without
scikit-learn.
"""

import math
import re
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HEAD = '''"""The numbers of formula.py, written by `make estimate` from {source}: change nothing by hand.

A text of trees is the log odds to start with, then one tree after the other; log odds are in thousandths. A tree stands
as it is walked: a knot is feature:threshold and is followed by the tree for values up to the threshold and the tree for
those above; a leaf is its log odds alone. A feature is the number of its name in FEATURES.
"""

'''
LINE = 118  # characters


@dataclass(frozen=True)
class Learned:
    """All that model.py holds.

    Attributes:
        features: the names of all features.
        agreement, stance: the ensembles of scikit-learn; `stance_line` is slope and start of the
            line through the second's log odds.
        heads: how they are joined (formula.HeadWeights).
        shares: of each share in the completeness mean and deviation.
        calibration: slope and start of the line through the log odds (Platt).
        decided: log odds and the share of those by words, of an answer with another value than the
            reference and with the same.
        objections: what each kind of objection weighs, beside a short reference and a long one.
        threshold: from where on an answer counts as right.
        usual: between what values of each feature all but 1 in 100 of the answers lie.
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
    """Return the words of one tree of scikit-learn, from a node down; its leaves times a slope.

    Features have two digits after the point, so that a threshold of two digits parts the same
    values as scikit-learn's.
    """
    node = nodes[at]
    if node["is_leaf"]:
        return [f"{1000 * slope * node['value']:.0f}"]
    threshold = math.floor(100 * node["num_threshold"] + 1e-6) / 100
    shown = re.sub(r"^(-?)0\.", r"\1.", f"{threshold:g}")
    left, right = (format_tree(nodes, slope, int(node[side])) for side in ("left", "right"))
    return [f"{int(node['feature_idx'])}:{shown}", *left, *right]


def format_ensemble(ensemble: Any, slope: float = 1.0, start: float = 0.0) -> str:
    """Return an ensemble's start and trees, as the line of slope and start through its log odds."""
    words = [f"{1000 * (slope * ensemble._baseline_prediction[0, 0] + start):.0f}"]
    for (predictor,) in ensemble._predictors:
        words += format_tree(predictor.nodes, slope)
    return wrap_words(" ".join(words))


def wrap_words(text: str) -> str:
    """Return words in lines."""
    return "\n".join(textwrap.wrap(text, LINE, break_long_words=False, break_on_hyphens=False))


def format_words(name: str, words: Sequence[str]) -> str:
    """Return a list of words as Python."""
    return f'{name} = """\n{wrap_words(" ".join(words))}\n""".split()\n'


def format_objections(weights: Mapping[str, tuple[float, float]]) -> str:
    """Return the weights of the objections as Python, one on a line."""
    lines = [f'    "{kind}": ({short!r}, {long!r}),\n' for kind, (short, long) in weights.items()]
    return f"OBJECTION_WEIGHTS = {{\n{''.join(lines)}}}\n"


def write_model(
    path: Path,
    learned: Learned,
    source: str,
    digests: Mapping[str, str],
) -> int:
    """Write a model as a Python file and return its size in bytes."""
    usual = [f"{low:g}:{high:g}" for low, high in learned.usual]
    parts = [
        HEAD.format(source=source),
        format_words("FEATURES", learned.features),
        "# How the heads are joined: what a long reference takes, gives, adds, and spares.\n",
        f"HEADS = {learned.heads!r}\n",
        "# Of each share in the completeness mean and deviation.\n",
        f"SHARES = {learned.shares!r}\n",
        "# Slope and start of the line through the log odds (Platt), and from where on an answer counts as right.\n",
        f"CALIBRATION = {learned.calibration!r}\nTHRESHOLD = {learned.threshold!r}\n",
        "# Of an answer with another value, and with the same: log odds, and the share of those by words.\n",
        f"DECIDED = {learned.decided!r}\n",
        "# What each kind of objection takes from the log odds, beside a short reference and a long one.\n",
        format_objections(learned.objections),
        "# Between what values of each feature all but 1 in 100 of the answers lie that people judged.\n",
        format_words("USUAL", usual),
        "# The files that it learned from, by their SHA-256.\n",
        "".join(f'{name} = "{digest}"\n' for name, digest in digests.items()),
        f'AGREEMENT_TEXT = """\n{format_ensemble(learned.agreement)}\n"""\n',
        f'STANCE_TEXT = """\n{format_ensemble(learned.stance, *learned.stance_line)}\n"""\n',
        "# How rare words are: a level, ten times the natural logarithm of all answers to those with a stem, stands\n",
        "# before the stems of that level; how rare a stem outside the table is.\n",
        f'RAREST = {learned.rarest:.1f}\nRARITY_TEXT = """\n{wrap_words(learned.rarity)}\n"""\n',
    ]
    text = "".join(parts)
    path.write_text(text, "utf-8", newline="\n")
    return len(text.encode())
