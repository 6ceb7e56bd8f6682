"""The names of systems on the page, without the common extension of their files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, TypeVar

from pandas import DataFrame

from lens.study.annotations import SystemVerdicts
from lens.study.results import Results

Value = TypeVar("Value")

# The columns of results with names of systems.
SYSTEM_COLUMNS = ("system", "first", "second")


def rename_systems(results: Results, names: Mapping[str, str]) -> Results:
    """Return results whose systems have other names.

    Args:
        results: the results of a study.
        names: the new names by the old ones.
    """
    frames: dict[str, Any] = {}
    for field in fields(results):
        value = getattr(results, field.name)
        if isinstance(value, DataFrame):
            frames[field.name] = rename_columns(value, names)
    notes = rename_keys(results.notes, names)
    missing_verdicts = rename_keys(results.missing_verdicts, names)
    return replace(results, notes=notes, missing_verdicts=missing_verdicts, **frames)


def rename_keys(values: Mapping[str, Value], names: Mapping[str, str]) -> dict[str, Value]:
    """Return the values of systems by the systems' other names."""
    return {names[system]: value for system, value in values.items()}


def name_verdicts(systems: Sequence[SystemVerdicts], names: Sequence[str]) -> list[SystemVerdicts]:
    """Return the systems' verdicts with other names of the systems."""
    renamed = []
    for system, name in zip(systems, names, strict=True):
        renamed_system = replace(system, name=name)
        renamed.append(renamed_system)
    return renamed


def rename_columns(frame: DataFrame, names: Mapping[str, str]) -> DataFrame:
    """Return a table of results whose systems have other names."""
    renamed = frame.copy()
    for column in SYSTEM_COLUMNS:
        if column in frame.columns:
            renamed[column] = frame[column].map(names)
    return renamed
