"""The rows with all scores, as score.py writes them to --out."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from typing import IO

from lens.commands.targets import output_kind
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

    They go to one file, or to a file for each block.

    Args:
        study: the study, scored.
        parts: the folder of the run; the files for each block go there.
        arguments: the parsed arguments.
        recalibration: the estimate fitted to verdicts, if there are any.
    """
    kind = output_kind(arguments.out)
    schema = ScoredFileSchema(study, recalibration)
    blocks = study.scored_rows(schema)
    if not arguments.folder:
        with write_target(arguments.out, parts) as file:
            write_rows(file, kind, chain.from_iterable(blocks), schema.kinds, arguments.block_rows)
        return
    for number, rows in enumerate(blocks):
        with places.open_for_writing(f"{parts.folder}/part-{number:06}.{kind}") as file:
            write_rows(file, kind, rows, schema.kinds, arguments.block_rows)


@contextmanager
def write_target(target: str, parts: Parts | None) -> Iterator[IO[bytes]]:
    """Open a file for writing, and record in `parts` that this run wrote it.

    A resumed run may then replace it.
    """
    is_remote = places.is_address(target)
    with places.open_for_writing(target) as file:
        yield file
        file.flush()
        size = file.tell()
        # Before the file gets its name, for a run may be killed right after.
        if parts and not is_remote:
            parts.note_written(target, size, os.fstat(file.fileno()).st_mtime_ns)
    # After the file: an address is written in a transaction, which holds one file.
    if parts and is_remote:
        parts.note_written(target, size)
