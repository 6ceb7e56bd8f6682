"""Exports scores in the formats of other tools: `--out FILE --format NAME`."""

from __future__ import annotations

import argparse
import hashlib
import re
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from lens.commands.scored_rows import write_target
from lens.commands.targets import EVERY_EVAL_EVER, INSPECT, check_target, name_samples_file
from lens.scoring.scorer import Scorer
from lens.study.annotations import SystemVerdicts
from lens.study.engines.resume import Parts
from lens.study.exports import inspect_scores
from lens.study.exports.every_eval_aggregate import SamplesFile, make_aggregate
from lens.study.exports.every_eval_samples import (
    Evaluation,
    describe_evaluation,
    find_verdicts,
    make_samples,
)
from lens.study.study import Study
from lens.tables import places
from lens.tables.cells import write_json
from lens.words.printed import print_lines

# Characters that are replaced in the name of a file.
NO_WORD = re.compile(r"[^\w.-]+")
# The longest part of a system's name in the name of a file.
MAX_NAME = 80


def check_export(study: Study, arguments: argparse.Namespace, parts: Parts | None) -> None:
    """Raise UserError, before scoring, for a study or files that cannot be exported."""
    if arguments.format == INSPECT:
        inspect_scores.refuse_unfit_study(study)
    elif arguments.format == EVERY_EVAL_EVER and len(study.systems) > 1:
        for target in list_targets(study, arguments.out):
            for file in (target, name_samples_file(target)):
                check_target(file, (Path(file).suffix,), arguments, parts)


def list_targets(study: Study, target: str) -> list[str]:
    """Return the file of each system: the named one, or several with the systems' names."""
    if len(study.systems) == 1:
        return [target]
    targets: list[str] = []
    stem = target.removesuffix(Path(target).suffix)
    for system in study.systems:
        name = NO_WORD.sub("_", system.name)[:MAX_NAME].strip("._") or "system"
        own = f"{stem}_{name}.json"
        number = 1
        while own in targets:
            number += 1
            own = f"{stem}_{name}_{number}.json"
        targets.append(own)
    return targets


def write_export(
    study: Study,
    scorers: Sequence[Scorer],
    verdicts: Sequence[SystemVerdicts],
    arguments: argparse.Namespace,
    parts: Parts,
) -> None:
    """Write the scores in the requested format."""
    if arguments.format == INSPECT:
        with write_target(arguments.out, parts) as file:
            is_array = arguments.out.lower().endswith(".json")
            inspect_scores.write_records(file, inspect_scores.list_records(study), is_array)
        return
    seconds = str(int(time.time()))
    for system, target in enumerate(list_targets(study, arguments.out)):
        evaluation = describe_evaluation(study, system, seconds)
        samples = write_samples(study, evaluation, verdicts, name_samples_file(target), parts)
        aggregate = make_aggregate(study, evaluation, scorers, samples)
        with write_target(target, parts) as file:
            file.write(f"{write_json(aggregate)}\n".encode())
        print_datastore_path(aggregate, target)


def write_samples(
    study: Study,
    evaluation: Evaluation,
    verdicts: Sequence[SystemVerdicts],
    target: str,
    parts: Parts,
) -> SamplesFile:
    """Write the samples of a system, one by one, and return the description of the file."""
    digest = hashlib.sha256()
    rows = 0
    samples = make_samples(study, evaluation, find_verdicts(verdicts, evaluation.system))
    with write_target(target, parts) as file:
        for line in encode_lines(samples):
            file.write(line)
            digest.update(line)
            rows += 1
    return SamplesFile(name_file(target), rows, digest.hexdigest())


def encode_lines(records: Iterable[Mapping[str, Any]]) -> Iterator[bytes]:
    """Yield records as lines of JSON."""
    for record in records:
        yield f"{write_json(record)}\n".encode()


def name_file(target: str) -> str:
    """Return the name of a file without its folder, and without secrets of an address."""
    return places.hide_secrets(target).replace("\\", "/").rpartition("/")[2]


def print_datastore_path(aggregate: Mapping[str, Any], target: str) -> None:
    """Print where the two files of a system belong in the datastore of Every Eval Ever."""
    details = aggregate.get("detailed_evaluation_results")
    if details:
        samples_path = details["file_path"]
        path = samples_path.removesuffix("_samples.jsonl") + ".json"
        print_lines(
            f"{places.hide_secrets(target)}: in the datastore of Every Eval Ever, this file "
            f"belongs at {path} and its samples at {samples_path}"
        )
