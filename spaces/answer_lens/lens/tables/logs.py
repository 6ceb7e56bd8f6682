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
from lens.tables.log import Log, find_first_line, refuse_likelihoods
from lens.tables.log_models import find_model
from lens.tables.roles import join_names
from lens.words.notes import Note, UserError
from lens.words.printed import shorten_name

# The number of samples that are read before the first row is made. Some properties of a log can
# only be inferred from several samples.
LOOK_AHEAD_SAMPLES = 100
# The longest part of an error that a message shows.
MAX_ERROR_LENGTH = 120
# The errors raised while a malformed sample is read.
MALFORMED_ERRORS = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)


def convert_log(
    rows: Iterator[Row], log: Log, find_form: Callable[[Row], Format | None] = find_format
) -> Iterator[Row]:
    """Yield the rows of a log in the form of a table; the rows of any other table are unchanged."""
    first = next(rows, None)
    if first is not None:
        form = find_form(first)
        rows = itertools.chain([first], rows)
        # If the user names columns of outputs in a CSV, each column is a system of an ordinary
        # table.
        are_systems = form is CSV_FORMAT and not first.keys().isdisjoint(log.columns)
        if form and not are_systems:
            rows = read_samples(rows, form, log)
    yield from rows
    # A table that is not a log has no filter either.
    refuse_filter(log)


def refuse_filter(log: Log) -> None:
    """Raise UserError if a log does not have the filter that the user asked for."""
    if log.wanted and log.wanted not in log.filters:
        raise UserError(
            "log.no_filter", filter=shorten_name(log.wanted), found=join_names(log.filters)
        )


def read_samples(objects: Iterable[Row], form: Format, log: Log) -> Iterator[Row]:
    """Yield the rows of a log, given its lines or its single object.

    Raises:
        UserError: a sample is malformed (the message has its number), or there are no samples.
    """
    log.tool = form.tool
    log.model = find_model(form.tool, log)
    samples = split_samples(objects, form, log)
    first = list(itertools.islice(samples, LOOK_AHEAD_SAMPLES))
    with refuse_malformed(log, 1):
        form.look_ahead(first, log)
    for number, sample in enumerate(itertools.chain(first, samples), 1):
        with refuse_malformed(log, number):
            yield from form.rows(sample, log)
    refuse_filter(log)
    refuse_empty(log)


def split_samples(objects: Iterable[Row], form: Format, log: Log) -> Iterator[Any]:
    """Yield the samples in the lines, or in the single object, of a log."""
    number = 0
    for whole in objects:
        with refuse_malformed(log, number + 1):
            for sample in form.samples(whole, log):
                number += 1
                yield sample
    yield from form.finish(log)


def refuse_empty(log: Log) -> None:
    """Raise UserError if no sample has an answer, with the error that ended the run, if any."""
    if log.samples:
        return
    if log.unasked:
        refuse_likelihoods(log)
    if not log.failure:
        raise UserError("log.no_samples", tool=log.tool)
    lacks = Note("log.no_samples", {"tool": log.tool})
    error = shorten_name(find_first_line(log.failure), MAX_ERROR_LENGTH)
    failure = Note("log.run_failed", {"error": error})
    raise UserError("page.two_sentences", first=lacks, second=failure)


@contextlib.contextmanager
def refuse_malformed(log: Log, place: int | str) -> Iterator[None]:
    """Raise UserError, with the place in the log, if a part of a log is malformed."""
    try:
        yield
    except MALFORMED_ERRORS as error:
        message = shorten_name(f"{type(error).__name__}: {error}", MAX_ERROR_LENGTH)
        raise UserError(
            "log.unlike", tool=log.tool, place=shorten_name(str(place)), message=message
        ) from None
