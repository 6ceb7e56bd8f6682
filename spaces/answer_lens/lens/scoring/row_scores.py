"""The scores of one row by one metric, averages over references, and warnings of rows."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any, NamedTuple

from lens.experiment.answers import Answer

# The interpretations of an estimate, from the strongest to the weakest.
INTERPRETATIONS = ("probability", "ranking", "likeness")


class Scored(NamedTuple):
    """The result of one metric for one row.

    Attributes:
        values: the score of each series of the metric; None without a score.
        reason: a code that says why there is no score.
        message: the message of a judge or an error.
        reasoning: the text of a judge.
        entry: the row's entry of `per_example` by the module.
        interpretation: the interpretation of an estimate.
        statements: the estimate's comparison of statements, as JSON.
    """

    values: tuple[float | None, ...]
    reason: str = ""
    message: str = ""
    reasoning: str = ""
    entry: Mapping[str, Any] = {}
    interpretation: str = ""
    statements: str = ""


def average_references(scored: Sequence[Scored]) -> Scored:
    """Return the mean score over all references of a row.

    If a reference has no score, the row has none, for the same reason. The interpretation of an
    estimate is the weakest of all references.
    """
    for result in scored:
        if result.values[0] is None:
            return result
    by_reference = [result.values for result in scored]
    by_series = zip(*by_reference, strict=True)
    interpretations = [result.interpretation for result in scored if result.interpretation]
    reasonings = [result.reasoning for result in scored if result.reasoning]
    return Scored(
        tuple(average_values(values) for values in by_series),
        reasoning="\n".join(reasonings),
        entry=scored[0].entry,
        interpretation=max(interpretations, key=INTERPRETATIONS.index, default=""),
        statements=join_statements(scored),
    )


def average_values(values: Sequence[float | None]) -> float | None:
    """Return the mean of values; None if a value is missing."""
    present = [value for value in values if value is not None]
    if len(present) < len(values):
        return None
    return fmean(present)


def join_statements(scored: Sequence[Scored]) -> str:
    """Return the statements of several scores as one JSON list; empty if there are none."""
    statements: list[Any] = []
    for result in scored:
        if result.statements:
            statements += json.loads(result.statements)
    if not statements:
        return ""
    return json.dumps(statements, ensure_ascii=False)


def count_warnings(items: Sequence[Answer], entries: Sequence[Mapping[str, Any]]) -> Counter[str]:
    """Return the number of rows with each warning.

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
