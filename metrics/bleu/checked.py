"""What every metric of Answer Lens does with its inputs before evaluate sees them.

The same file stands in every metric folder; the original is metrics/lv_eval_f1/checked.py (`make copies`).

evaluate looks at the first row only: a number in a later row silently becomes its string, a None fails far away or not
at all, a lone surrogate cannot be stored, and a column may not be left out. `Checked` looks at every row first, names
the row and the value that is wrong, fills in what may be left out, and keeps rows that were added when a call fails.
"""

import difflib
import inspect
import math
import numbers
import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import chain
from typing import TYPE_CHECKING, Any

from datasets import Value
from evaluate.module import CombinedEvaluations, EvaluationModule

# The loader takes the first class that derives from evaluate.Metric for the metric itself, so this one must not.
if TYPE_CHECKING:
    from evaluate import Metric as Base
else:
    Base = object

# evaluate stores texts as UTF-8, which has no lone surrogates: such a text is stored behind this mark, byte for byte.
# The mark is a noncharacter of Unicode; a text that begins with it is stored the same way, so nothing is ambiguous.
MARK = "\ufdd0"
BOOLS = ("bool", "bool_")  # Python's and numpy's
# No score and no log-probability comes near it, and sums of much larger numbers overflow.
LARGEST = 1e100


def to_storage(text: str) -> str:
    """Return `text` as valid UTF-8 text; `from_storage` gives it back exactly."""
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            return MARK + text.encode("utf-8", "surrogatepass").decode("latin-1")
        if text.startswith(MARK):
            return MARK + text.encode().decode("latin-1")
    return str.__str__(text)  # of a subclass, its text and not what it prints as


def from_storage(text: str) -> str:
    """Return the text that `to_storage` was given."""
    return text[1:].encode("latin-1").decode("utf-8", "surrogatepass") if text.startswith(MARK) else text


def as_stored(texts: Iterable[str]) -> list[str]:
    """Return texts that are strings ready for storage."""
    return [text if text.isascii() else to_storage(text) for text in texts]


def restored(texts: Iterable[str]) -> list[str]:
    """Return the texts that were stored."""
    return [from_storage(text) if text[:1] == MARK else text for text in texts]


def shown(value: Any) -> str:
    """Return a value for an error message: its repr, cut after 80 characters, and its type."""
    try:
        text = repr(value)
    except Exception:  # a broken repr must not hide what is wrong with the row
        text = object.__repr__(value)
    text = " ".join(text[:200].split()) if "\n" in text else text
    return f"{text[:77] + '...' if len(text) > 80 else text} ({type(value).__name__})"


def rows_of(name: str, column: Any) -> list[Any]:
    """Return a column as a list, or raise TypeError when it is not a sequence of rows."""
    if type(column).__name__ == "ndarray":
        column = column.tolist()
    elif hasattr(column, "to_pylist"):  # of pyarrow
        column = column.to_pylist()
    unordered = isinstance(column, str | bytes | Mapping | Set) or hasattr(column, "columns")
    if unordered or not isinstance(column, Iterable):
        raise TypeError(f"{name} is {shown(column)}; a list with one entry per row is expected")
    return list(column)


def checked_text(name: str, index: int, value: Any) -> str:
    """Return a text ready for storage, or raise TypeError that names its place."""
    if not isinstance(value, str):
        raise TypeError(f"{name}[{index}] is {shown(value)}; a string is expected")
    return to_storage(value)


def checked_texts(name: str, index: int, value: Any) -> list[str]:
    """Return one row of references, a string or a list of strings, as a list ready for storage."""
    value = value.tolist() if type(value).__name__ == "ndarray" else value
    if isinstance(value, str):
        return [to_storage(value)]
    if not isinstance(value, list | tuple):
        raise TypeError(f"{name}[{index}] is {shown(value)}; a string or a list of strings is expected")
    if len(value) == 0:
        raise ValueError(f"{name}[{index}] is an empty list; at least one reference is needed")
    return [checked_text(f"{name}[{index}]", i, text) for i, text in enumerate(value)]


def checked_number(name: str, index: int, value: Any) -> float:
    """Return a number as a float, or raise TypeError or ValueError (not finite, too large) that names its place."""
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise TypeError(f"{name}[{index}] is {shown(value)}; a number is expected")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise ValueError(f"{name}[{index}] is {shown(value)}; a finite number is expected")
    if abs(number) > LARGEST:
        raise ValueError(f"{name}[{index}] is {number}; at most {LARGEST} either way fits")
    return number


class Hidden(str):
    """A secret: it is its text where it is used, and shows nothing where an error report lists variables."""

    def __repr__(self) -> str:
        return "'***'"


class Checked(Base):
    """Mixin for a class that derives from evaluate.Metric: `class Name(Checked, evaluate.Metric)`.

    `optional_columns` names the text columns that may be left out or hold None; they are filled with empty strings.
    `secret_settings` names the settings that are passed on as Hidden.
    """

    optional_columns: tuple[str, ...] = ()
    secret_settings: tuple[str, ...] = ()
    # Whether the rows of this call are all there are: then a column of texts may be stored as one.
    _alone = False
    # What evaluate keeps between its steps.
    data: Any
    writer: Any
    buf_writer: Any
    filelock: Any
    filelocks: Any
    file_paths: Any
    cache_file_name: Any

    def compute(self, *, predictions: Any = None, references: Any = None, **kwargs: Any) -> dict[str, Any] | None:
        """Compute the score of the rows given here and of those added before.

        Args:
            predictions (list of str): the answers to grade, one per row.
            references (list of str, or of lists of str): the right answers.
            **kwargs: further columns, and the settings listed below. A name that is neither is a TypeError.

        Returns:
            dict of plain numbers, strings and lists; None in processes other than the first.

        Raises:
            TypeError, ValueError: naming the row and the value. Rows added before the call are kept.

        """
        names = self._feature_names()
        kwargs |= {name: Hidden(kwargs[name]) for name in self.secret_settings if isinstance(kwargs.get(name), str)}
        given = {"predictions": predictions, "references": references, **kwargs}
        columns = {name: given.pop(name, None) for name in names}
        columns = {name: column if column is None else rows_of(name, column) for name, column in columns.items()}
        settings = self._known({k: v for k, v in given.items() if k in kwargs or v is not None}, sys._getframe(1))
        added = len(self)
        if not added and self.num_process == 1 and not any(columns.values()):
            needed = ", ".join(self._needed(names))
            raise ValueError(f"nothing to score: {needed} hold no rows and none were added before")
        self._alone = not added and self.num_process == 1
        try:
            return super().compute(**columns, **settings)
        except BaseException:
            self._keep(added)
            raise
        finally:
            self._alone = False

    def add_batch(self, *, predictions: Any = None, references: Any = None, **kwargs: Any) -> None:
        """Add rows to be scored by a later `compute()`; the columns are those of `compute`.

        Raises:
            TypeError, ValueError: naming the row and the value; then no row of the batch is added.

        """
        columns = self._checked(self._columns(predictions, references, kwargs))
        if columns[next(iter(columns))]:
            super().add_batch(**columns)
        elif self.num_process > 1 and self.writer is None:
            self.selected_feature_format = self.features[0]  # the other processes wait for the file of this one
            self._init_writer()

    def add(self, *, prediction: Any = None, reference: Any = None, **kwargs: Any) -> None:
        """Add one row to be scored by a later `compute()`: prediction, reference and the other columns of `compute`.

        Raises:
            TypeError, ValueError: naming the row and the value; then the row is not added.

        """
        names = self._feature_names()
        plurals = {singular(name): name for name in names}  # question=...
        kwargs = {plurals.get(name, name): value for name, value in kwargs.items()}
        columns = {name: [value] for name, value in self._columns(prediction, reference, kwargs).items()}
        row = {name: column[0] for name, column in self._checked(columns, first=len(self)).items()}
        super().add(**row)

    def texts(self, *columns: list[str], references: Sequence[Any] | None = None) -> Iterator[list[Any]]:
        """Yield the columns that `_compute` was given as the user wrote them; of references several for each row."""
        for column in columns:
            yield restored(column)
        if references is None:
            return
        if references and isinstance(references[0], str):
            yield list(zip(restored(references), strict=True))
        else:
            yield [row if not any(text[:1] == MARK for text in row) else restored(row) for row in references]

    def languages(self, language: Any, rows: int, known: tuple[str, ...]) -> list[str]:
        """Return one language per row from `language`: "auto", one of `known`, or a list of them."""
        if not isinstance(language, Iterable):
            raise TypeError(f"language is {shown(language)}; 'auto', one of {known} or a list of them is expected")
        single = isinstance(language, str)
        values = [language] if single else rows_of("language", language)
        if len(values) != rows and not single:
            raise ValueError(f"language has {len(values)} entries for {rows} rows")
        for i, value in enumerate(values):
            if not isinstance(value, str) or value not in ("auto", *known):
                where = "language" if single else f"language[{i}]"
                raise ValueError(f"{where} is {shown(value)}; 'auto' or one of {known} is expected")
        return [str.__str__(value) for value in values] * (rows if single else 1)

    def said(self, languages: list[str]) -> str:
        """Return the languages for a signature: the one of all rows, or how many rows have which."""
        counts = sorted(Counter(languages).items())
        return languages[0] if len(counts) == 1 else ",".join(f"{language}-{n}" for language, n in counts)

    def considered(self, references: list[Any], multi_reference: str) -> list[Any]:
        """Return the references of each row that count: for "first" the first alone, for "max" all."""
        if multi_reference not in ("first", "max"):
            raise ValueError(f"multi_reference is {multi_reference!r:.80}; 'first' or 'max' is expected")
        if multi_reference == "max":
            return references
        return [row if len(row) == 1 else row[:1] for row in references]

    def signature(self, version: str, **settings: Any) -> str:
        """Return one line with everything that moves the score, to paste into a paper."""
        said = {True: "yes", False: "no", None: "none"}
        parts = [f"{k}:{said[v] if isinstance(v, bool | None) else v}" for k, v in settings.items()]
        return "|".join([self.name, f"version:{version}", *parts])

    def _feature_names(self) -> list[str]:
        names: list[str] = super()._feature_names()
        caller = sys._getframe(1)
        # evaluate.combine takes every name in this list from its own arguments, and fails on one that was left out.
        if caller.f_code in (CombinedEvaluations.add.__code__, CombinedEvaluations.add_batch.__code__):
            given, combined = caller.f_locals["kwargs"], caller.f_locals["self"].evaluation_modules
            known = {name for module in combined for name in EvaluationModule._feature_names(module)}
            for name in given:
                if name not in known:
                    raise TypeError(
                        f"no combined metric has a column {name!r:.80}; they take {', '.join(sorted(known))}"
                    )
            names = [name for name in names if name in given or name not in self.optional_columns]
        return names

    def _columns(self, predictions: Any, references: Any, kwargs: dict[str, Any]) -> dict[str, Any]:
        names = self._feature_names()
        usual = {"predictions": predictions, "references": references}
        given = {name: column for name, column in usual.items() if column is not None} | kwargs
        for name in given:
            if name not in names:
                raise TypeError(f"{self.name} has no column {name!r:.80}; it takes {', '.join(names)}")
        return {name: given.get(name) for name in names}

    def _checked(self, columns: dict[str, Any], first: int = 0) -> dict[str, list[Any]]:
        """Check every row of every column; `first` is the number of the first row in messages."""
        features = self.features[0] if isinstance(self.features, list) else self.features
        rows = {name: rows_of(name, column) for name, column in columns.items() if column is not None}
        for name in columns:
            if name not in rows and name not in self.optional_columns:
                raise TypeError(f"{name} is missing; {self.name} needs {', '.join(self._needed(columns))}")
        lengths = {name: len(column) for name, column in rows.items()}
        if len(set(lengths.values())) > 1:
            raise ValueError("lengths differ: " + ", ".join(f"{name} has {n} rows" for name, n in lengths.items()))
        checked = {}
        for name in columns:
            column = rows.get(name, [""] * next(iter(lengths.values())))
            several = not isinstance(features[name], Value)
            if several or features[name].dtype == "string":
                optional = name in self.optional_columns
                checked[name] = self._checked_texts(name, column, first, several, optional)
            else:
                checked[name] = [checked_number(name, i, value) for i, value in enumerate(column, first)]
        return checked

    def _checked_texts(self, name: str, column: list[Any], first: int, several: bool, optional: bool) -> list[Any]:
        """Check a column of texts, or of `several` for a row, and return it ready for storage."""
        kinds = set(map(type, column))
        if kinds == {str}:
            stored = as_stored(column)
            return [[text] for text in stored] if several and not self._alone else stored
        if several and kinds == {list} and all(column) and set(map(type, chain.from_iterable(column))) == {str}:
            if self._alone and set(map(len, column)) == {1}:
                return as_stored(chain.from_iterable(column))
            return column if all(map(str.isascii, chain.from_iterable(column))) else list(map(as_stored, column))
        if optional:
            column = ["" if left_out(value) else value for value in column]
        check = checked_texts if several else checked_text
        return [check(name, i, value) for i, value in enumerate(column, first)]

    def _needed(self, columns: Iterable[str]) -> list[str]:
        """Return the columns that may not be left out."""
        return [name for name in columns if name not in self.optional_columns]

    def _known(self, settings: dict[str, Any], caller: Any) -> dict[str, Any]:
        """Return the settings that `_compute` takes; any other name is a TypeError.

        evaluate.combine hands every argument to every metric: from there, what another of the combined metrics takes
        is left to that one.
        """
        known = inspect.signature(self._compute).parameters
        for name, value in settings.items():
            if name in known and known[name].annotation is bool and type(value).__name__ not in BOOLS:
                raise TypeError(f"{name} is {shown(value)}; True or False is expected")
            if name == "per_example" and type(value).__name__ not in BOOLS and value != "brief":
                raise TypeError(f"{name} is {shown(value)}; True, False or 'brief' is expected")
        combined = caller.f_code is CombinedEvaluations.compute.__code__
        others = caller.f_locals["self"].evaluation_modules if combined else []
        for name in settings:
            if name not in known and not any(takes(other, name) for other in others):
                columns = self._feature_names()
                names = [k for k in known if k not in columns]
                parts = [k for k in (*columns, *names) if name in k.split("_")]  # keywords for answer_keywords
                close = parts or difflib.get_close_matches(name, [*names, *columns], 1)
                hint = f"; did you mean {close[0]!r}?" if close else ""
                there = f"columns: {', '.join(columns)}; settings: {', '.join(names)}"
                raise TypeError(f"{self.name} has no argument {name!r:.80}{hint} ({there})")
        return {name: bool(v) if type(v).__name__ in BOOLS else v for name, v in settings.items() if name in known}

    def _keep(self, added: int) -> None:
        """After a failed call: remove the texts that evaluate left on disk, keep the rows added before.

        A call that fails between writing and reading its rows (an interrupt, a full disk) takes those with it.
        """
        read = self.data is not None
        if self.process_id or (not read and (self.num_process > 1 or len(self) == added)):
            return
        rows = self.data[:added] if read and added and self.num_process == 1 else {}
        locks, paths = (self.filelocks, self.file_paths) if read else ([self.filelock], [self.cache_file_name])
        self.data = self.writer = self.buf_writer = None
        for lock, path in () if self.keep_in_memory else zip(locks, paths, strict=True):
            if os.path.exists(path):
                os.remove(path)
            lock.release()
        self.cache_file_name = self.filelock = self.filelocks = self.file_paths = self.selected_feature_format = None
        if rows:
            super().add_batch(**rows)


def singular(name: str) -> str:
    """Return what one entry of a column is called: question, category, chosen."""
    return f"{name[:-3]}y" if name.endswith("ies") else name.removesuffix("s")


def left_out(value: Any) -> bool:
    """Return whether a cell of an optional column is empty: None, or what pandas makes of it."""
    return value is None or type(value).__name__ == "NAType" or (isinstance(value, float) and value != value)


def takes(module: Any, name: str) -> bool:
    """Return whether a metric of evaluate takes an argument of this name, as a column or as a setting."""
    parameters = inspect.signature(module._compute).parameters.values()
    return name in module._feature_names() or any(p.name == name or p.kind is p.VAR_KEYWORD for p in parameters)
