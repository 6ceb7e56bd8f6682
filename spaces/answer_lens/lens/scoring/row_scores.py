"""The scores of one row by one metric, those over all its references, and the warnings of rows."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any, NamedTuple

from lens.experiment.answers import Answer

# What an estimate may be taken for, the least last.
INTERPRETATIONS = ("probability", "ranking", "likeness")


class Scored(NamedTuple):
    """What one metric says of one row: a value for each of its series, or why there is none.

    Of a judge what it said.

    `entry` is the row's entry of `per_example`, as the module gives it. Of an estimate
    `interpretation` says what it may be taken for, and `statements` is what the answer makes of the
    reference's, as JSON.
    """

    values: tuple[float | None, ...]
    reason: str = ""
    message: str = ""
    reasoning: str = ""
    entry: Mapping[str, Any] = {}
    interpretation: str = ""
    statements: str = ""


def average_references(scored: Sequence[Scored]) -> Scored:
    """Return the score of a row that needs all its references: the mean over them.

    It has no score where one of them has none, and then says why. Of an estimate it may be taken
    for no more than the least of them.
    """
    for one in scored:
        if one.values[0] is None:
            return one
    by_reference = [one.values for one in scored]
    by_series = zip(*by_reference, strict=True)
    interpretations = [one.interpretation for one in scored if one.interpretation]
    reasonings = [one.reasoning for one in scored if one.reasoning]
    return Scored(
        tuple(average_values(values) for values in by_series),
        reasoning="\n".join(reasonings),
        entry=scored[0].entry,
        interpretation=max(interpretations, key=INTERPRETATIONS.index, default=""),
        statements=join_statements(scored),
    )


def average_values(values: Sequence[float | None]) -> float | None:
    """Return the mean of values, or None if one of them is missing."""
    present = [value for value in values if value is not None]
    if len(present) < len(values):
        return None
    return fmean(present)


def join_statements(scored: Sequence[Scored]) -> str:
    """Return the statements of several scores in one list, as JSON.

    An empty text where there are none.
    """
    statements: list[Any] = []
    for one in scored:
        if one.statements:
            statements += json.loads(one.statements)
    return json.dumps(statements, ensure_ascii=False) if statements else ""


def count_warnings(items: Sequence[Answer], entries: Sequence[Mapping[str, Any]]) -> Counter[str]:
    """Return how many rows have each warning.

    A row that is scored with each of its references counts once.
    """
    counts = Counter[str]()
    seen = set[str]()  # the warnings of the row so far
    for item, entry in zip(items, entries, strict=True):
        if item.part == 0:
            seen = set()
        new = set(entry.get("warnings") or ()) - seen
        counts.update(new)
        seen |= new
    return counts
