# A copy of metrics/shared/lcs.py: change that one, then run `make copies`.
"""The longest common subsequence of two lists of tokens, from a table of bits, of which long texts keep a part only.

Bit j of a row of the table is 0 where the length grows from column j to column j + 1. Recurrence: Hyyrö 2004,
"Bit-parallel LCS-length computation revisited".
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import isqrt

TABLE_BITS = 1 << 28  # 32 MiB


def lcs_length(rows: Sequence[str], columns: Sequence[str]) -> int:
    """Return the length of a longest common subsequence.

    >>> lcs_length(list("abcb"), list("bcab"))
    3
    """
    masks, full = column_masks(columns), (1 << len(columns)) - 1
    row = full
    for token in filter(masks.__contains__, rows):
        both = row & masks[token]
        row = (row + both | row - both) & full
    return (full ^ row).bit_count()


def lcs_path(rows: Sequence[str], columns: Sequence[str]) -> list[tuple[int, int]]:
    """Return the index pairs of one longest common subsequence, first to last.

    Of the many, the one that is found from the end: equal tokens are paired; otherwise a column is left out where that
    does not shorten it, else a row. Time: rows * columns / 30 steps of an integer. Memory: as many bits as columns
    for each distinct token, and for each row, or of long texts for each row of a block.

    >>> lcs_path(list("abcb"), list("bcab"))
    [(1, 0), (2, 1), (3, 3)]
    """
    i, j, path = len(rows), len(columns), []
    for start, block in reversed_blocks(rows, columns):
        while i > start and j:
            if rows[i - 1] == columns[j - 1]:
                i, j = i - 1, j - 1
                path.append((i, j))
            elif block[i - start] >> (j - 1) & 1:
                j -= 1
            else:
                i -= 1
    return path[::-1]


def reversed_blocks(rows: Sequence[str], columns: Sequence[str]) -> Iterator[tuple[int, list[int]]]:
    """Yield (index of a first row, rows of bits from there on) for blocks of the table, last block first.

    Of a table beyond TABLE_BITS, the row at each block's start is kept, and the block worked out when it is asked for.
    """
    masks, full = column_masks(columns), (1 << len(columns)) - 1
    step = len(rows) if len(rows) * len(columns) <= TABLE_BITS else isqrt(len(rows))
    bounds = list(pairwise([*range(0, len(rows), step or 1), len(rows)]))
    kept = [full]
    for start, end in bounds[:-1]:
        for row in bit_rows(rows[start:end], kept[-1], masks, full):
            last = row
        kept.append(last)
    for start, end in reversed(bounds):
        yield start, list(bit_rows(rows[start:end], kept.pop(), masks, full))


def bit_rows(tokens: Sequence[str], row: int, masks: dict[str, int], full: int) -> Iterator[int]:
    """Yield `row` and the row after each token; `full` is the one above the first token."""
    yield row
    for token in tokens:
        if both := row & masks.get(token, 0):
            row = (row + both | row - both) & full
        yield row


def column_masks(columns: Sequence[str]) -> dict[str, int]:
    """Return the bits of the columns where each token stands."""
    masks: dict[str, int] = {}
    for j, token in enumerate(columns):
        masks[token] = masks.get(token, 0) | 1 << j
    return masks
