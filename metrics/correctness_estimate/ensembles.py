"""Ensembles of trees: read one from its text, and sum the leaves of its trees for an answer."""

import struct
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

LEAF_BITS = 16  # bits for the leaves of a tree, and so the most leaves that it may have


class FeatureSplits(NamedTuple):
    """All splits of an ensemble on one feature.

    Attributes:
        feature: the position of the feature.
        thresholds: the thresholds in ascending order, each once.
        reachable: the leaves that remain possible, as bits. The position in this list is the number
            of thresholds below the value.
    """

    feature: int
    thresholds: list[float]
    reachable: list[int]


class Ensemble(NamedTuple):
    """An ensemble of trees.

    Attributes:
        start: the log odds before the first tree.
        trees: the log odds of the leaves of each tree, from left to right.
        splits: the splits of each feature.
        fields: the format of the bits of all leaves: LEAF_BITS bits for each tree.
    """

    start: float
    trees: list[list[float]]
    splits: list[FeatureSplits]
    fields: struct.Struct


@dataclass(frozen=True)
class Split:
    """A node of a tree.

    Attributes:
        feature: the position of the feature.
        threshold: a value up to it goes to the left.
        right_leaves: the leaves on the right, as bits of the whole ensemble.
    """

    feature: int
    threshold: float
    right_leaves: int


@cache
def read_ensemble(text: str) -> Ensemble:
    """Return an ensemble from its text, which model.py describes.

    Raises:
        ValueError: a tree has more than LEAF_BITS leaves.
    """
    start, *words = text.split()
    rest = iter(words)
    trees = list[list[float]]()
    splits = list[Split]()
    for word in rest:
        leaves = list[float]()
        splits += read_tree(word, rest, leaves, LEAF_BITS * len(trees))
        if len(leaves) > LEAF_BITS:
            raise ValueError(f"a tree has {len(leaves)} leaves; at most {LEAF_BITS} are possible")
        trees.append(leaves)
    all_leaves = 0
    for i, leaves in enumerate(trees):
        all_leaves |= (1 << len(leaves)) - 1 << LEAF_BITS * i
    by_feature = dict[int, list[Split]]()
    for split in splits:
        by_feature.setdefault(split.feature, []).append(split)
    grouped = [group_splits(one, all_leaves) for one in by_feature.values()]
    return Ensemble(int(start) / 1000, trees, grouped, struct.Struct(f"<{len(trees)}H"))


def read_tree(word: str, rest: Iterator[str], leaves: list[float], offset: int) -> Iterator[Split]:
    """Yield the splits of a tree, and append its leaves.

    Args:
        word: the first word of the tree: a split or a leaf.
        rest: the words after it.
        leaves: the leaves to the left; those of this tree are appended.
        offset: the bit of the first leaf.
    """
    feature, is_split, threshold = word.partition(":")
    if not is_split:
        leaves.append(int(word) / 1000)
        return
    yield from read_tree(next(rest), rest, leaves, offset)
    left = len(leaves)
    yield from read_tree(next(rest), rest, leaves, offset)
    right_leaves = (1 << len(leaves)) - (1 << left)
    yield Split(int(feature), float(threshold), right_leaves << offset)


def group_splits(splits: Sequence[Split], all_leaves: int) -> FeatureSplits:
    """Return the splits of one feature by ascending threshold."""
    thresholds = sorted({split.threshold for split in splits})
    removed = dict.fromkeys(thresholds, 0)
    for split in splits:
        removed[split.threshold] |= split.right_leaves
    # A value goes to the left at every threshold that is not below it.
    reachable = [all_leaves]
    for threshold in reversed(thresholds):
        reachable.append(reachable[-1] & ~removed[threshold])
    return FeatureSplits(splits[0].feature, thresholds, reachable[::-1])


def sum_leaves(ensemble: Ensemble, values: Sequence[float]) -> float:
    """Return the log odds of an ensemble: its start, and the leaf of each tree for these values.

    All trees are followed at once. Each value removes the leaves that it cannot reach: those on the
    right of a split where it goes to the left. Of the leaves that remain in a tree, the last one is
    the one that the values reach.

    Source: Lucchese et al. 2015, "QuickScorer: a fast algorithm to rank documents with additive
    ensembles of regression trees" (there left and right are exchanged).
    """
    remaining = -1
    for feature, thresholds, reachable in ensemble.splits:
        remaining &= reachable[bisect_left(thresholds, values[feature])]
    total = ensemble.start
    fields = ensemble.fields.unpack(remaining.to_bytes(ensemble.fields.size, "little"))
    for leaves, field in zip(ensemble.trees, fields, strict=True):
        total += leaves[field.bit_length() - 1]
    return total
