# A copy of metrics/shared/inputs.py: change that one, then run `make copies`.
"""The inputs of every metric here: each row is looked at before anything is computed, and the wrong one is named.

evaluate looks at the first row only, turns a number in a later one silently into text, keeps texts in a file and
forgets added rows when a call fails. Here rows stay in memory, as they were given, until a call succeeds. (With
num_process above 1 they go to evaluate's files, which the processes share; lone surrogates cannot.)
"""

import difflib
import inspect
import math
import numbers
import re
import reprlib
from collections.abc import Callable, Iterable, Mapping, Set
from types import NoneType, UnionType
from typing import Any, get_args

from datasets import Value

SHORT = reprlib.Repr()
SHORT.maxstring = SHORT.maxother = 80
LARGEST = 1e100  # no score comes near it, and sums of much larger numbers overflow
# What a setting may be by its annotation, and that in words.
KINDS: dict[type, tuple[type, str]] = {
    str: (str, "a string"),
    int: (numbers.Integral, "a whole number"),
    float: (numbers.Real, "a number"),
    bool: (bool, "True or False"),
    NoneType: (NoneType, "None"),
}


def shown(value: Any) -> str:
    """Return a value and its type for a message, cut short."""
    try:
        said = SHORT.repr(value)
    except ValueError:  # a whole number of thousands of digits, which Python does not write
        said = f"a number of {value.bit_length():,} bits" if isinstance(value, int) else "..."
    return f"{' '.join(said.split())} ({type(value).__name__})"


def left_out(value: Any) -> bool:
    """Return whether a cell is empty: None, or what pandas makes of it."""
    return value is None or type(value).__name__ == "NAType" or (isinstance(value, float) and math.isnan(value))


def plain(value: Any) -> Any:
    """Return an array of numpy or pyarrow as Python has it, anything else as it is."""
    method = next((name for name in ("tolist", "to_pylist") if hasattr(value, name)), None)
    return getattr(value, method)() if method else value


def rows_of(name: str, column: Any) -> list[Any]:
    """Return a column as a list; raise TypeError for what is no sequence of rows: a bare string, a table, a set."""
    column = plain(column)
    unordered = isinstance(column, str | bytes | Mapping | Set) or hasattr(column, "columns")
    if unordered or not isinstance(column, Iterable):
        raise TypeError(f"{name} is {shown(column)}; a list with one entry per row is expected")
    return list(column)


def text(name: str, value: Any) -> str:
    """Return a text; raise TypeError for anything else."""
    if not isinstance(value, str):
        remedy = " (fillna('') fills what pandas has as missing)" if value is not None and left_out(value) else ""
        remedy = " (' '.join makes one text of it)" if isinstance(value, list | tuple) else remedy
        raise TypeError(f"{name} is {shown(value)}; a string is expected{remedy}")
    return str.__str__(value)  # of a subclass, its text and not what it prints as


def texts(name: str, value: Any) -> tuple[str, ...]:
    """Return one reference or several."""
    value = plain(value)
    if not isinstance(value, list | tuple):
        return (text(name, value),)
    if not value:
        raise ValueError(f"{name} is an empty list; at least one reference is needed")
    return tuple(text(f"{name}[{i}]", one) for i, one in enumerate(value))


def number(name: str, value: Any) -> float:
    """Return a finite number as a float."""
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise TypeError(f"{name} is {shown(value)}; a number is expected")
    if not abs(value) <= LARGEST:  # type: ignore[operator]
        raise ValueError(f"{name} is {shown(value)}; a finite number is expected, at most {LARGEST} either way")
    return float(value)


class Inputs:
    """Mixin: `class Name(Inputs, evaluate.Metric)`."""

    optional_columns: tuple[str, ...] = ()  # they may be left out, or hold None
    # What evaluate.Metric and the class itself have.
    name: str
    features: Any
    num_process: int
    _compute: Callable[..., dict[str, Any]]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._rows: list[tuple[Any, ...]] = []

    def __len__(self) -> int:
        return len(self._rows) or super().__len__()  # type: ignore[misc]

    def compute(self, *, predictions: Any = None, references: Any = None, **kwargs: Any) -> dict[str, Any] | None:
        """Compute the score of the rows given here and of those added before, which are kept if the call fails; raise
        TypeError or ValueError naming the row and its value, or an argument that there is not.
        """
        columns, settings = self._split(predictions, references, kwargs)
        settings = self._checked_settings(settings)
        rows = self._checked(columns) if any(column is not None for column in columns.values()) else {}
        if self.num_process > 1:
            super().add_batch(**rows) if rows else None  # type: ignore[misc]
            return super().compute(**settings)  # type: ignore[misc]
        added = len(self._rows)
        if added:
            before = zip(*self._rows[:added], strict=True)
            rows = {name: [*old, *rows.get(name, ())] for name, old in zip(columns, before, strict=True)}
        if not any(rows.values()):
            raise ValueError(f"nothing to score: {', '.join(columns)} hold no rows, and none were added before")
        result = self._compute(**rows, **settings)
        del self._rows[:added]
        return result

    def add_batch(self, *, predictions: Any = None, references: Any = None, **kwargs: Any) -> None:
        """Add rows to be scored by a later `compute()`; if one is wrong, none is added."""
        columns, unknown = self._split(predictions, references, kwargs)
        for name in unknown:
            raise TypeError(f"{self.name} has no column {name!r:.80}; it takes {', '.join(columns)}")
        rows = self._checked(columns)
        if self.num_process > 1:
            super().add_batch(**rows)  # type: ignore[misc]
        else:
            self._rows.extend(zip(*rows.values(), strict=True))

    def add(self, *, prediction: Any = None, reference: Any = None, **kwargs: Any) -> None:
        """Add one row: prediction, reference and one entry of each further column, under its name or its singular."""
        names = {form: name for name in self._columns() for form in (name, re.sub("ies$", "y", name).removesuffix("s"))}
        given = {"predictions": prediction, "references": reference}
        given |= {names.get(name, name): value for name, value in kwargs.items()}
        self.add_batch(**{name: [value] for name, value in given.items() if value is not None})

    def signature(self, version: str, **settings: Any) -> str:
        """Return one line with everything that moves the score, to paste into a paper."""
        said = {True: "yes", False: "no", None: "none"}
        parts = [f"{k}:{said[v] if isinstance(v, bool | None) else v}" for k, v in settings.items()]
        return "|".join([self.name, f"version:{version}", *parts])

    def _columns(self) -> dict[str, Any]:
        """Return what the features say of each column; where there are several sets, the first."""
        return dict(self.features[0] if isinstance(self.features, list) else self.features)

    def _feature_names(self) -> list[str]:
        """Return the columns that evaluate.combine passes on: it fails on one that was left out."""
        return [name for name in self._columns() if self.num_process > 1 or name not in self.optional_columns]

    def _split(self, predictions: Any, references: Any, others: dict[str, Any]) -> tuple[dict[str, Any], Any]:
        """Return the columns, None for those that were not given, and what else was given."""
        usual = {"predictions": predictions, "references": references}
        given = {name: column for name, column in usual.items() if column is not None} | others
        return {name: given.pop(name, None) for name in self._columns()}, given

    def _checked(self, columns: dict[str, Any]) -> dict[str, list[Any]]:
        """Return the columns as lists of what the features say, every row looked at."""
        rows = {name: rows_of(name, column) for name, column in columns.items() if column is not None}
        needed = [name for name in columns if name not in self.optional_columns]
        for name in needed:
            if name not in rows:
                raise TypeError(f"{name} is missing; {self.name} needs {', '.join(needed)}")
        lengths = {name: len(column) for name, column in rows.items()}
        if len(set(lengths.values())) > 1:
            raise ValueError("lengths differ: " + ", ".join(f"{name} has {n} rows" for name, n in lengths.items()))
        for name in self.optional_columns:
            column = rows.get(name, [""] * next(iter(lengths.values())))
            rows[name] = ["" if type(value) is not str and left_out(value) else value for value in column]
        return {name: checked_column(name, rows[name], kind) for name, kind in self._columns().items()}

    def _checked_settings(self, settings: dict[str, Any]) -> dict[str, Any]:
        """Return the settings; raise TypeError or ValueError for one that there is not, or that it cannot be."""
        settings = {name: plain(value) for name, value in settings.items()}
        known, columns = inspect.signature(self._compute).parameters, self._columns()
        names = [name for name in known if name not in columns]
        for name, value in settings.items():
            if name not in names:
                parts = [k for k in (*columns, *names) if name in k.split("_")]  # keywords for answer_keywords
                close = parts or difflib.get_close_matches(name, [*names, *columns], 1)
                hint = f"; did you mean {close[0]!r}?" if close else ""
                there = f"columns: {', '.join(columns)}; settings: {', '.join(names)}"
                raise TypeError(f"{self.name} has no argument {name!r:.80}{hint} ({there})")
            if name in known:
                check_kind(name, value, known[name].annotation)
        return settings


def check_kind(name: str, value: Any, annotation: Any) -> None:
    """Raise TypeError for a setting that is of none of the kinds in its annotation, ValueError for a number that none
    comes near. What is annotated otherwise is looked at where it is used, and so is a key, which no message shows.
    """
    kinds = get_args(annotation) if isinstance(annotation, UnionType) else (annotation,)
    kinds = (bool,) if name == "per_example" else kinds
    if name == "api_key" or (name, value) == ("per_example", "brief"):
        return
    if isinstance(value, int) and abs(value) > LARGEST:
        raise ValueError(f"{name} is {shown(value)}; no setting is so large")
    if not KINDS.keys() >= set(kinds):
        return
    fits = isinstance(value, tuple(KINDS[kind][0] for kind in kinds))
    if not fits or (isinstance(value, bool) and bool not in kinds):  # which is a whole number to Python
        raise TypeError(f"{name} is {shown(value)}; {' or '.join(KINDS[kind][1] for kind in kinds)} is expected")


def checked_column(name: str, column: list[Any], kind: Any) -> list[Any]:
    """Return a column whose every row is what a feature says: a text, a tuple of texts, or a number."""
    check: Any = texts if not isinstance(kind, Value) else number if "float" in kind.dtype else text
    types = set(map(type, column))
    if types == {str} and check is not number:  # the usual rows, all at once
        return column if check is text else list(zip(column))
    if types == {list} and check is texts and all(column) and {type(one) for row in column for one in row} == {str}:
        return list(map(tuple, column))
    return [check(f"{name}[{i}]", value) for i, value in enumerate(column)]
