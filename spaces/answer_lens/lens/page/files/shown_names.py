"""The names of systems on the page, without the common extension of their files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from pandas import DataFrame

from lens.study.annotations import SystemVerdicts
from lens.study.results import Results

# The columns of results with names of systems.
SYSTEM_COLUMNS = ("system", "first", "second")


def rename_systems(results: Results, names: Mapping[str, str]) -> Results:
    """Return results whose systems have other names.

    Args:
        results: the results of a study.
        names: the new names by the old ones.
    """
    renamed: dict[str, Any] = {}
    for field in fields(results):
        value = getattr(results, field.name)
        if isinstance(value, DataFrame):
            renamed[field.name] = rename_columns(value, names)
    notes = {names[system]: own for system, own in results.notes.items()}
    missing = {names[system]: own for system, own in results.missing_verdicts.items()}
    return replace(results, notes=notes, missing_verdicts=missing, **renamed)


def name_verdicts(systems: Sequence[SystemVerdicts], names: Sequence[str]) -> list[SystemVerdicts]:
    """Return the systems' verdicts with other names of the systems."""
    return [replace(system, name=name) for system, name in zip(systems, names, strict=True)]


def rename_columns(frame: DataFrame, names: Mapping[str, str]) -> DataFrame:
    """Return a table of results whose systems have other names."""
    columns = [column for column in SYSTEM_COLUMNS if column in frame.columns]
    return frame.assign(**{column: frame[column].map(names) for column in columns})
