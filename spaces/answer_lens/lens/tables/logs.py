"""Converts the logs of other evaluation tools to ordinary tables.

A log is recognised by its content, not by its name. Tables that are not logs stay unchanged.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from lens.tables.file_reading import Row
from lens.tables.known_formats import CSV_FORMAT, Format, find_format
from lens.tables.log import MAX_ERROR_LENGTH, Log, find_first_line, refuse_likelihoods
from lens.tables.log_models import find_model
from lens.tables.roles import join_names
from lens.words.notes import Note, UserError
from lens.words.printed import shorten_name

# The number of samples that are read before the first row is made. Some properties of a log can
# only be inferred from several samples.
LOOK_AHEAD_SAMPLES = 100

# The errors raised while a malformed sample is read.
MALFORMED_ERRORS = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)


def convert_log(
    rows: Iterator[Row], log: Log, recognize: Callable[[Row], Format | None] = find_format
) -> Iterator[Row]:
    """Yield the rows of a log in the form of a table; the rows of any other table are unchanged.

    Args:
        rows: the rows of the file.
        log: collects the facts on the log.
        recognize: returns the format of the first row, or None if the table is not a log.

    Raises:
        UserError: the log cannot be read, or has no filter of the name that the user asked for.
    """
    first = next(rows, None)
    if first is not None:
        log_format = recognize(first)
        rows = itertools.chain([first], rows)
        # A CSV of promptfoo has a column of outputs for each model. If the user chose such columns
        # as the answers of systems, the CSV is read as an ordinary table.
        has_chosen_columns = any(column in first for column in log.columns)
        is_ordinary_table = log_format is CSV_FORMAT and has_chosen_columns
        if log_format and not is_ordinary_table:
            yield from read_samples(rows, log_format, log)
            return
    yield from rows
    # An ordinary table has no filters: this refuses any filter that the user asked for.
    require_filter(log)


def require_filter(log: Log) -> None:
    """Raise UserError if the user asked for a filter that a log does not have."""
    if log.wanted_filter and log.wanted_filter not in log.filters:
        raise UserError(
            "log.no_filter", filter=shorten_name(log.wanted_filter), found=join_names(log.filters)
        )


def read_samples(objects: Iterable[Row], log_format: Format, log: Log) -> Iterator[Row]:
    """Yield the rows of a log, given its lines or its single object.

    Raises:
        UserError: a sample is malformed (the message has its number), no row was made, or the log
            does not have the filter that the user asked for.
    """
    log.tool = log_format.tool
    log.model = find_model(log_format.tool, log)
    samples = split_samples(objects, log_format, log)
    first_samples = list(itertools.islice(samples, LOOK_AHEAD_SAMPLES))
    with convert_errors(log, 1):
        log_format.look_ahead(first_samples, log)
    for number, sample in enumerate(itertools.chain(first_samples, samples), 1):
        with convert_errors(log, number):
            yield from log_format.read_rows(sample, log)
    require_filter(log)
    require_rows(log)


def split_samples(objects: Iterable[Row], log_format: Format, log: Log) -> Iterator[Any]:
    """Yield the samples of a log, given its lines or its single object."""
    count = 0
    for line_or_document in objects:
        with convert_errors(log, count + 1):
            for sample in log_format.list_samples(line_or_document, log):
                count += 1
                yield sample
    # Samples of several lines are complete only after the last line.
    yield from log_format.finish(log)


def require_rows(log: Log) -> None:
    """Raise UserError if no row was made from a log.

    The message has the error that ended the run, if there is one.
    """
    if log.row_count:
        return
    if log.likelihood_samples:
        refuse_likelihoods(log)  # always raises
    if not log.failure:
        raise UserError("log.no_samples", tool=log.tool)
    no_samples = Note("log.no_samples", {"tool": log.tool})
    error = shorten_name(find_first_line(log.failure), MAX_ERROR_LENGTH)
    run_failed = Note("log.run_failed", {"error": error})
    raise UserError("page.two_sentences", first=no_samples, second=run_failed)


@contextlib.contextmanager
def convert_errors(log: Log, place: int | str) -> Iterator[None]:
    """Raise UserError instead of the errors that a malformed part of a log causes.

    Args:
        log: the log.
        place: the number of the sample, or the name of the part, that is read in the block.
    """
    try:
        yield
    except MALFORMED_ERRORS as error:
        message = shorten_name(f"{type(error).__name__}: {error}", MAX_ERROR_LENGTH)
        raise UserError(
            "log.unlike", tool=log.tool, place=shorten_name(str(place)), message=message
        ) from None
