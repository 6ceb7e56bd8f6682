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


class RowResult(NamedTuple):
    """The result of one metric for one row.

    Attributes:
        values: the score of each series of the metric; None without a score.
        reason: a code that says why there is no score.
        message: the message of a judge or an error.
        reasoning: the text of a judge.
        entry: the entry of this row in the list `per_example`, which the module returned.
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


def average_references(results: Sequence[RowResult]) -> RowResult:
    """Return the result of a row with the mean score over all its references.

    If a reference has no score, the row has none, for the same reason. The interpretation of an
    estimate is the weakest of all references.

    Args:
        results: the result of the row with each reference.
    """
    for result in results:
        # A row without a score has None in every series, so it suffices to look at the first.
        if result.values[0] is None:
            return result
    values_by_reference = [result.values for result in results]
    values_by_series = zip(*values_by_reference, strict=True)
    interpretations = [result.interpretation for result in results if result.interpretation]
    # The weakest one comes last in INTERPRETATIONS.
    weakest = max(interpretations, key=INTERPRETATIONS.index, default="")
    reasonings = [result.reasoning for result in results if result.reasoning]
    return RowResult(
        tuple(average_values(values) for values in values_by_series),
        reasoning="\n".join(reasonings),
        entry=results[0].entry,
        interpretation=weakest,
        statements=join_statements(results),
    )


def average_values(values: Sequence[float | None]) -> float | None:
    """Return the mean of values; None if a value is missing."""
    present = [value for value in values if value is not None]
    if len(present) < len(values):
        return None
    return fmean(present)


def join_statements(results: Sequence[RowResult]) -> str:
    """Return the statements of several results as one JSON list; empty if there are none."""
    statements: list[Any] = []
    for result in results:
        if result.statements:
            statements += json.loads(result.statements)
    if not statements:
        return ""
    return json.dumps(statements, ensure_ascii=False)


def count_warnings(answers: Sequence[Answer], entries: Sequence[Mapping[str, Any]]) -> Counter[str]:
    """Return the number of rows with each warning.

    A row that is scored with each of its references counts once.
    """
    counts = Counter[str]()
    row_warnings = set[str]()
    for answer, entry in zip(answers, entries, strict=True):
        is_new_row = answer.reference_number == 0
        if is_new_row:
            row_warnings = set()
        new_warnings = set(entry.get("warnings") or ()) - row_warnings
        counts.update(new_warnings)
        row_warnings |= new_warnings
    return counts
