# A copy of metrics/shared/inputs.py: change that one, then run `make copies`.
"""Check the inputs of every metric.

Every row is checked before anything is computed, and an error names the row that is wrong.

evaluate checks the first row only, silently turns numbers in later rows into text, writes rows to a
file, and drops added rows if a call fails. Here rows stay in memory unchanged until a call
succeeds. With num_process above 1, rows go to evaluate's files, which the processes share, and
evaluate joins them. These files cannot hold lone surrogates.
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
SHORT.maxstring = 80
SHORT.maxother = 80
# The largest number that is accepted in a row. Sums of numbers near the largest float (1.8e308)
# overflow, and no score of a model comes near 1e100.
LARGEST = 1e100
# For each annotation of a setting: the type that its value must have, and a name for messages.
SETTING_TYPES: dict[type, tuple[type, str]] = {
    str: (str, "a string"),
    int: (numbers.Integral, "a whole number"),
    float: (numbers.Real, "a number"),
    bool: (bool, "True or False"),
    NoneType: (NoneType, "None"),
}

# Columns by their names: as they were passed, and as lists of rows.
Columns = dict[str, Any]
Rows = dict[str, list[Any]]


def show_value(value: Any) -> str:
    """Return a value and its type for a message, shortened."""
    type_name = type(value).__name__
    try:
        shown = SHORT.repr(value)
    except ValueError:
        # Python refuses to write an int of thousands of digits.
        is_number = isinstance(value, int)
        shown = f"a number of {value.bit_length():,} bits" if is_number else "..."
    line = " ".join(shown.split())
    return f"{line} ({type_name})"


def is_empty(value: Any) -> bool:
    """Return whether a cell is empty: None, or a missing value of pandas."""
    if value is None or type(value).__name__ == "NAType":
        return True
    return isinstance(value, float) and math.isnan(value)


def convert_array(value: Any) -> Any:
    """Return an array of numpy or pyarrow as a Python value, and any other value unchanged."""
    for method in ("tolist", "to_pylist"):
        if hasattr(value, method):
            return getattr(value, method)()
    return value


def list_rows(name: str, column: Any) -> list[Any]:
    """Return a column as a list.

    Raises:
        TypeError: it is no sequence of rows, but a string, a table or a set.
    """
    column = convert_array(column)
    is_table = hasattr(column, "columns")
    is_unordered = isinstance(column, str | bytes | Mapping | Set)
    if is_table or is_unordered or not isinstance(column, Iterable):
        raise TypeError(
            f"{name} is {show_value(column)}; a list with one entry per row is expected"
        )
    return list(column)


def check_text(name: str, value: Any) -> str:
    """Return a text; raise TypeError for anything else."""
    if isinstance(value, str):
        # A subclass of str may print as another text.
        return str.__str__(value)
    remedy = ""
    if isinstance(value, list | tuple):
        remedy = " (' '.join makes one text of it)"
    elif value is not None and is_empty(value):
        remedy = " (fillna('') replaces missing values)"
    raise TypeError(f"{name} is {show_value(value)}; a string is expected{remedy}")


def check_references(name: str, value: Any) -> tuple[str, ...]:
    """Return one reference or several as a tuple of texts.

    Raises:
        TypeError: a reference is no text.
        ValueError: the list of references is empty.
    """
    value = convert_array(value)
    if not isinstance(value, list | tuple):
        return (check_text(name, value),)
    if not value:
        raise ValueError(f"{name} is an empty list; at least one reference is needed")
    return tuple(check_text(f"{name}[{place}]", reference) for place, reference in enumerate(value))


def check_number(name: str, value: Any) -> float:
    """Return a number as a float.

    Raises:
        TypeError: the value is no number.
        ValueError: the number is not finite or too large.
    """
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise TypeError(f"{name} is {show_value(value)}; a number is expected")
    if not abs(value) <= LARGEST:  # type: ignore[operator]
        limit = f"a finite number is expected, at most {LARGEST} either way"
        raise ValueError(f"{name} is {show_value(value)}; {limit}")
    return float(value)


class Inputs:
    """Mixin that checks rows and settings: `class Name(Inputs, evaluate.Metric)`."""

    # Columns that may be missing, or have empty cells.
    optional_columns: tuple[str, ...] = ()
    # Attributes of evaluate.Metric and of the class itself.
    name: str
    features: Any
    num_process: int
    _compute: Callable[..., dict[str, Any]]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._rows: list[tuple[Any, ...]] = []

    def __len__(self) -> int:
        return len(self._rows) or super().__len__()  # type: ignore[misc]

    def compute(
        self,
        *,
        predictions: Any = None,
        references: Any = None,
        **kwargs: Any,
    ) -> dict[str, Any] | None:
        """Compute the score of the rows passed here and of those added before.

        If the call fails, the added rows are kept.

        Raises:
            TypeError, ValueError: a row or a setting is wrong; the error names it and its value.
        """
        columns, settings = self._split_columns(predictions, references, kwargs)
        settings = self._check_settings(settings)
        rows: Rows = {}
        if any(column is not None for column in columns.values()):
            rows = self._check_columns(columns)
        if self.num_process > 1:
            if rows:
                super().add_batch(**rows)  # type: ignore[misc]
            return super().compute(**settings)  # type: ignore[misc]

        n_added = len(self._rows)
        rows = self._join_added(rows, n_added)
        if not any(rows.values()):
            names = ", ".join(columns)
            raise ValueError(f"nothing to score: {names} hold no rows, and none were added before")
        result = self._compute(**rows, **settings)
        del self._rows[:n_added]
        return result

    def add_batch(self, *, predictions: Any = None, references: Any = None, **kwargs: Any) -> None:
        """Add rows for a later `compute()`; if one is wrong, none is added."""
        columns, unknown = self._split_columns(predictions, references, kwargs)
        for name in unknown:
            raise TypeError(
                f"{self.name} has no column {name!r:.80}; it takes {', '.join(columns)}"
            )
        rows = self._check_columns(columns)
        if self.num_process > 1:
            super().add_batch(**rows)  # type: ignore[misc]
        else:
            self._rows.extend(zip(*rows.values(), strict=True))

    def add(self, *, prediction: Any = None, reference: Any = None, **kwargs: Any) -> None:
        """Add one row.

        It has a prediction, a reference and one value for each further column, under the name of
        the column or its singular.
        """
        names = {}
        for name in self._list_columns():
            singular = re.sub("ies$", "y", name).removesuffix("s")
            names[name] = name
            names[singular] = name
        cells = {"predictions": prediction, "references": reference}
        for name, value in kwargs.items():
            cells[names.get(name, name)] = value
        columns = {}
        for name, value in cells.items():
            if value is not None:
                columns[name] = [value]
        self.add_batch(**columns)

    def make_signature(self, version: str, **settings: Any) -> str:
        """Return one line with everything that can change the score, to paste into a paper."""
        words = {True: "yes", False: "no", None: "none"}
        parts = [self.name, f"version:{version}"]
        for name, value in settings.items():
            shown = words[value] if isinstance(value, bool | None) else value
            parts.append(f"{name}:{shown}")
        return "|".join(parts)

    def _list_columns(self) -> dict[str, Any]:
        """Return the feature of each column; if `features` is a list, of its first entry."""
        is_several = isinstance(self.features, list)
        return dict(self.features[0] if is_several else self.features)

    def _feature_names(self) -> list[str]:
        """Return the columns that evaluate.combine needs; it fails if one of them is missing."""
        names = list(self._list_columns())
        if self.num_process > 1:
            return names
        return [name for name in names if name not in self.optional_columns]

    def _split_columns(
        self,
        predictions: Any,
        references: Any,
        others: Columns,
    ) -> tuple[Columns, Columns]:
        """Return the columns, None for each missing one, and the other arguments."""
        arguments: Columns = {}
        if predictions is not None:
            arguments["predictions"] = predictions
        if references is not None:
            arguments["references"] = references
        arguments |= others
        columns = {name: arguments.pop(name, None) for name in self._list_columns()}
        return columns, arguments

    def _join_added(self, rows: Rows, n_added: int) -> Rows:
        """Return the added rows, followed by these rows."""
        if not n_added:
            return rows
        joined: Rows = {}
        added = zip(*self._rows[:n_added], strict=True)
        for name, before in zip(self._list_columns(), added, strict=True):
            joined[name] = [*before, *rows.get(name, ())]
        return joined

    def _check_columns(self, columns: Columns) -> Rows:
        """Return the columns as lists, after a check of every row by the column's feature."""
        rows: Rows = {}
        for name, column in columns.items():
            if column is not None:
                rows[name] = list_rows(name, column)
        needed = [name for name in columns if name not in self.optional_columns]
        for name in needed:
            if name not in rows:
                raise TypeError(f"{name} is missing; {self.name} needs {', '.join(needed)}")
        lengths = {name: len(column) for name, column in rows.items()}
        if len(set(lengths.values())) > 1:
            counts = ", ".join(f"{name} has {count} rows" for name, count in lengths.items())
            raise ValueError(f"lengths differ: {counts}")
        n_rows = next(iter(lengths.values()))
        for name in self.optional_columns:
            rows[name] = fill_empty(rows.get(name, [""] * n_rows))
        checked: Rows = {}
        for name, feature in self._list_columns().items():
            checked[name] = check_column(name, rows[name], feature)
        return checked

    def _check_settings(self, settings: dict[str, Any]) -> dict[str, Any]:
        """Return the settings after a check.

        Raises:
            TypeError, ValueError: a setting is unknown, or has a wrong value.
        """
        known = inspect.signature(self._compute).parameters
        checked = {}
        for name, value in settings.items():
            if name not in known or name in self._list_columns():
                raise self._describe_unknown(name, known)
            checked[name] = convert_array(value)
            check_setting_type(name, checked[name], known[name].annotation)
        return checked

    def _describe_unknown(self, name: str, known: Iterable[str]) -> TypeError:
        """Return the error for an unknown argument, with the one that may be meant."""
        columns = list(self._list_columns())
        settings = [setting for setting in known if setting not in columns]
        # One word of a name is close enough: "keywords" means "answer_keywords".
        close = [argument for argument in [*columns, *settings] if name in argument.split("_")]
        close = close or difflib.get_close_matches(name, [*settings, *columns], 1)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        names = f"columns: {', '.join(columns)}; settings: {', '.join(settings)}"
        return TypeError(f"{self.name} has no argument {name!r:.80}{hint} ({names})")


def fill_empty(column: list[Any]) -> list[Any]:
    """Return an optional column with empty texts in its empty cells."""
    filled = []
    for value in column:
        is_missing = type(value) is not str and is_empty(value)
        filled.append("" if is_missing else value)
    return filled


def check_setting_type(name: str, value: Any, annotation: Any) -> None:
    """Raise an error if the type of a setting does not match its annotation.

    A setting whose annotation is not in SETTING_TYPES is checked where it is used. `api_key` is not
    checked here, because the message would show it. `per_example` takes the text "brief" besides
    True and False.

    Raises:
        TypeError: the setting has none of the types of its annotation.
        ValueError: it is a whole number above LARGEST.
    """
    if name == "api_key" or (name, value) == ("per_example", "brief"):
        return
    if isinstance(value, int) and abs(value) > LARGEST:
        raise ValueError(f"{name} is {show_value(value)}; no setting is so large")
    types = get_args(annotation) if isinstance(annotation, UnionType) else (annotation,)
    if name == "per_example":
        types = (bool,)
    if not SETTING_TYPES.keys() >= set(types):
        return
    allowed = tuple(SETTING_TYPES[known][0] for known in types)
    is_fitting = isinstance(value, allowed)
    # In Python a bool is an int too.
    if isinstance(value, bool) and bool not in types:
        is_fitting = False
    if not is_fitting:
        expected = " or ".join(SETTING_TYPES[known][1] for known in types)
        raise TypeError(f"{name} is {show_value(value)}; {expected} is expected")


def check_column(name: str, column: list[Any], feature: Any) -> list[Any]:
    """Return a column after a check of each row.

    Its feature says whether a row is a text, a tuple of texts, or a number.
    """
    types = set(map(type, column))
    if not isinstance(feature, Value):
        return check_reference_column(name, column, types)
    is_number = "float" in feature.dtype
    # Usually all rows are texts: they are checked at once.
    if types == {str} and not is_number:
        return column
    check = check_number if is_number else check_text
    return [check(f"{name}[{place}]", value) for place, value in enumerate(column)]


def check_reference_column(name: str, column: list[Any], types: set[type]) -> list[tuple[str, ...]]:
    """Return a column of references, each a tuple of texts."""
    # Usually all rows are texts, or all are lists of texts: they are checked at once.
    if types == {str}:
        return list(zip(column))
    if types == {list} and all(column):
        types_of_texts = {type(text) for row in column for text in row}
        if types_of_texts == {str}:
            return list(map(tuple, column))
    return [check_references(f"{name}[{place}]", value) for place, value in enumerate(column)]
