"""The logs of other evaluation tools as ordinary tables.

They are told by what is in them, not by their names.

Tables that are no logs pass as they are.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from lens.tables.known_formats import CSV_FORMAT, Format, find_format
from lens.tables.log import Log, first_line, refuse_likelihoods
from lens.tables.log_models import find_model
from lens.tables.reading import Row
from lens.tables.roles import join_names
from lens.words.notes import Note, UserError
from lens.words.printed import shorten_name

# How many samples are looked at before the first row is made, where one alone does not tell what it
# is.
AHEAD = 100
# How much is said of an error.
MAX_TOLD = 120
# What a sample that is not as its tool writes it brings about.
UNLIKE = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)


def convert_log(
    rows: Iterator[Row], log: Log, find_form: Callable[[Row], Format | None] = find_format
) -> Iterator[Row]:
    """Yield the rows of a log as those of a table, and of any other table as they are."""
    first = next(rows, None)
    if first is not None:
        form = find_form(first)
        rows = itertools.chain([first], rows)
        # In a CSV each column of outputs that is named is a system.
        are_systems = form is CSV_FORMAT and not first.keys().isdisjoint(log.columns)
        if form and not are_systems:
            rows = read_samples(rows, form, log)
    yield from rows
    # An ordinary table never has a filter.
    refuse_filter(log)


def refuse_filter(log: Log) -> None:
    """Refuse a log that does not have the filter that is asked for."""
    if log.wanted and log.wanted not in log.filters:
        raise UserError(
            "log.no_filter", filter=shorten_name(log.wanted), found=join_names(log.filters)
        )


def read_samples(objects: Iterable[Row], form: Format, log: Log) -> Iterator[Row]:
    """Yield the rows of a log, whose lines or one object are given.

    Raises:
        UserError: a sample that is not as the tool writes it, with its number; a log without
            samples.
    """
    log.tool = form.tool
    log.model = find_model(form.tool, log)
    samples = list_samples(objects, form, log)
    first = list(itertools.islice(samples, AHEAD))
    with refuse_unlike(log, 1):
        form.look_ahead(first, log)
    for number, sample in enumerate(itertools.chain(first, samples), 1):
        with refuse_unlike(log, number):
            yield from form.rows(sample, log)
    refuse_filter(log)
    refuse_empty(log)


def list_samples(objects: Iterable[Row], form: Format, log: Log) -> Iterator[Any]:
    """Yield the samples in the lines or the one object of a log."""
    number = 0
    for whole in objects:
        with refuse_unlike(log, number + 1):
            for sample in form.samples(whole, log):
                number += 1
                yield sample
    yield from form.finish(log)


def refuse_empty(log: Log) -> None:
    """Refuse a log that has no sample with an answer, and say why its run failed, if it says so."""
    if log.samples:
        return
    if log.unasked:
        refuse_likelihoods(log)
    if not log.failure:
        raise UserError("log.no_samples", tool=log.tool)
    lacks = Note("log.no_samples", {"tool": log.tool})
    error = shorten_name(first_line(log.failure), MAX_TOLD)
    failure = Note("log.run_failed", {"error": error})
    raise UserError("page.two_sentences", first=lacks, second=failure)


@contextlib.contextmanager
def refuse_unlike(log: Log, place: int | str) -> Iterator[None]:
    """Refuse what is not as the tool writes it, with its place."""
    try:
        yield
    except UNLIKE as error:
        message = shorten_name(f"{type(error).__name__}: {error}", MAX_TOLD)
        raise UserError(
            "log.unlike", tool=log.tool, place=shorten_name(str(place)), message=message
        ) from None
