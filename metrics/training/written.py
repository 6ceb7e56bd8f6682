"""Writes the trees that scikit-learn made as a Python file: numbers in a text that scoring.py reads without it."""

import math
import re
import textwrap
from pathlib import Path
from typing import Any, NamedTuple

HEAD = '''"""The trees of scoring.py, written by `make estimate` from {source}: change nothing by hand.

A text is the log odds to start with, then one tree after the other; log odds are in thousandths. A tree stands as it is
walked: a knot is feature:threshold and is followed by the tree for values up to the threshold and the tree for those
above; a leaf is its log odds alone.
"""

'''


def tree_text(nodes: Any, slope: float, at: int = 0) -> list[str]:
    """Return the words of one tree of scikit-learn, from a node down; its leaves times a slope.

    Features have two digits after the point, so that a threshold of two digits parts the same values as scikit-learn's.
    """
    node = nodes[at]
    if node["is_leaf"]:
        return [f"{1000 * slope * node['value']:.0f}"]
    threshold = re.sub(r"^(-?)0\.", r"\1.", f"{math.floor(100 * node['num_threshold'] + 1e-6) / 100:g}")
    left, right = (tree_text(nodes, slope, int(node[side])) for side in ("left", "right"))
    return [f"{int(node['feature_idx'])}:{threshold}", *left, *right]


def ensemble_text(ensemble: Any, slope: float = 1.0, start: float = 0.0) -> str:
    """Return an ensemble's start and trees, as the line of slope and start through its log odds."""
    words = [f"{1000 * (slope * ensemble._baseline_prediction[0, 0] + start):.0f}"]
    for (one,) in ensemble._predictors:
        words += tree_text(one.nodes, slope)
    return wrapped(" ".join(words))


class Learned(NamedTuple):
    """All that model.py holds: the names of the features, the trees, and the numbers that join and calibrate them."""

    names: list[str]
    model: Any
    joint: Any
    line: tuple[float, float]
    threshold: float
    usual: list[tuple[float, float]]


def write_model(path: Path, learned: Learned, source: str, digests: dict[str, str]) -> int:
    """Write a model as a Python file and return its size."""
    names, model = learned.names, learned.model
    usual = " ".join(f"{low:g}:{high:g}" for low, high in learned.usual)
    learned_from = "".join(f"{name} = {digest!r}\n" for name, digest in digests.items()).replace("'", '"')
    parts = [
        HEAD.format(source=source),
        f'FEATURES = """\n{wrapped(" ".join(names))}\n""".split()\n',
        "# Slope and start of the line through the log odds (Platt), and from where on an answer counts as right.\n",
        f"CALIBRATION = {learned.line!r}\nTHRESHOLD = {learned.threshold!r}\n",
        "# Of each share in the complete head mean and deviation; what a long reference takes, gives and adds.\n",
        f"SHARES = {learned.joint.shares!r}\nJOINT = {learned.joint.numbers!r}\n",
        "# Between what values of each feature all but 1 in 100 of the answers lie that people judged.\n",
        f'USUAL = """\n{wrapped(usual)}\n""".split()\n',
        f"# The files that it learned from, by their SHA-256.\n{learned_from}",
        f'AGREEMENT_TEXT = """\n{ensemble_text(model.agreement)}\n"""\n',
        f'OBJECTION_TEXT = """\n{ensemble_text(model.objection, *model.line)}\n"""\n',
    ]
    text = "".join(parts)
    path.write_text(text, "utf-8", newline="\n")
    return len(text.encode())


def wrapped(text: str) -> str:
    """Return words in lines."""
    return "\n".join(textwrap.wrap(text, 118, break_long_words=False, break_on_hyphens=False))
