"""Writes scores in the formats of other tools: `--out FILE --format NAME`."""

from __future__ import annotations

import argparse
import hashlib
import re
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from lens.commands.scored_rows import write_target
from lens.commands.targets import (
    EVERY_EVAL_EVER,
    INSPECT,
    SAMPLES,
    check_target,
    name_samples_file,
)
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

# What becomes "_" in the name of a file: the "/" and the spaces of "org/my  model".
UNSAFE_IN_FILE_NAME = re.compile(r"[^\w.-]+")
# How many characters of a system's name are in the name of a file.
MAX_NAME_LENGTH = 80


def check_export(study: Study, arguments: argparse.Namespace, parts: Parts | None) -> None:
    """Raise UserError, before scoring, for a study or files that cannot be exported."""
    if arguments.format == INSPECT:
        inspect_scores.refuse_unfit_study(study)
    elif arguments.format == EVERY_EVAL_EVER and len(study.systems) > 1:
        # With one system, `check_targets` has already checked --out.
        for target in list_targets(study, arguments.out):
            for file in (target, name_samples_file(target)):
                check_target(file, (Path(file).suffix,), arguments, parts)


def list_targets(study: Study, out: str) -> list[str]:
    """Return the file of each system; with several systems, their names are added to `out`.

    "scores.json" becomes "scores_gpt-4.json" and "scores_llama.json".
    """
    if len(study.systems) == 1:
        return [out]
    targets: list[str] = []
    stem = out.removesuffix(Path(out).suffix)
    for system in study.systems:
        safe_name = UNSAFE_IN_FILE_NAME.sub("_", system.name)[:MAX_NAME_LENGTH].strip("._")
        name = safe_name or "system"
        target = f"{stem}_{name}.json"
        # Different names may become equal.
        number = 1
        while target in targets:
            number += 1
            target = f"{stem}_{name}_{number}.json"
        targets.append(target)
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
    timestamp = str(int(time.time()))
    for system, target in enumerate(list_targets(study, arguments.out)):
        evaluation = describe_evaluation(study, system, timestamp)
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
        for sample in samples:
            line = f"{write_json(sample)}\n".encode()
            file.write(line)
            digest.update(line)
            rows += 1
    return SamplesFile(name_file(target), rows, digest.hexdigest())


def name_file(target: str) -> str:
    """Return the name of a file without its folder, and without secrets of an address."""
    path = places.hide_secrets(target).replace("\\", "/")
    return path.rpartition("/")[2]


def print_datastore_path(aggregate: Mapping[str, Any], target: str) -> None:
    """Print where the two files of a system belong in the datastore of Every Eval Ever."""
    details = aggregate.get("detailed_evaluation_results")
    if not details:
        return
    samples_path = details["file_path"]
    path = samples_path.removesuffix(SAMPLES) + ".json"
    print_lines(
        f"{places.hide_secrets(target)}: in the datastore of Every Eval Ever, this file "
        f"belongs at {path} and its samples at {samples_path}"
    )
