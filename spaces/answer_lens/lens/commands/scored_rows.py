"""Writes the scored rows to --out, and opens the files that score.py writes."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from typing import IO

from lens.commands.targets import find_output_kind
from lens.inference.recalibration import Recalibration
from lens.study.engines.resume import Parts
from lens.study.scored_file import ScoredFileSchema
from lens.study.study import Study
from lens.tables import places
from lens.tables.write import write_rows


def write_scored_rows(
    study: Study,
    parts: Parts,
    arguments: argparse.Namespace,
    recalibration: Recalibration | None,
) -> None:
    """Write the first table's rows with the scores of all systems.

    They are written to one file, or to one file per block.

    Args:
        study: the scored study.
        parts: the folder of the run, which also gets the files of blocks.
        arguments: the parsed arguments.
        recalibration: the fit of the estimate to verdicts; None without a fit.
    """
    kind = find_output_kind(arguments.out)
    schema = ScoredFileSchema(study, recalibration)
    blocks = study.list_scored_blocks(schema)
    if not arguments.writes_folder:
        with write_target(arguments.out, parts) as file:
            write_rows(
                file, kind, chain.from_iterable(blocks), schema.column_types, arguments.block_rows
            )
        return
    for number, rows in enumerate(blocks):
        with places.open_for_writing(f"{parts.folder}/part-{number:06}.{kind}") as file:
            write_rows(file, kind, rows, schema.column_types, arguments.block_rows)


@contextmanager
def write_target(target: str, parts: Parts | None) -> Iterator[IO[bytes]]:
    """Open a file for writing, and record in `parts` that this run wrote it.

    A resumed run may then replace the file.
    """
    is_remote = places.is_address(target)
    with places.open_for_writing(target) as file:
        yield file
        file.flush()
        size = file.tell()
        # This is recorded before the file gets its name, because the run may be killed right after.
        if parts and not is_remote:
            parts.note_written(target, size, os.fstat(file.fileno()).st_mtime_ns)
    # This is recorded after the file, because a transaction of an address can have only one file.
    if parts and is_remote:
        parts.note_written(target, size)
