"""Parses the arguments of score.py, and checks what needs no table; options.py has the options."""

from __future__ import annotations

import argparse
import difflib
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lens.commands.options import Parser, build_parser
from lens.scoring.cascade import Thresholds
from lens.scoring.catalog import BY_NAME, CASCADE, ESTIMATE, JUDGE_NAMES, list_series
from lens.study.annotations import STAND_IN
from lens.tables.cells import cut_cell, parse_number
from lens.tables.column_names import suggest_name
from lens.tables.roles import join_names
from lens.words import join_sentences
from lens.words.notes import UserError
from lens.words.printed import shorten_name

# Arguments that --set cannot set: columns of texts, and arguments that the command sets.
KEPT = (
    "predictions",
    "references",
    "questions",
    "answer_keywords",
    "api_key",
    "per_example",
    "dry_run",
    "on_error",
)


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Parse the command line; if options conflict, print one line and exit with code 2.

    Besides the options, the result has `folder`: whether --out is a folder, with one file per
    block. It has `standing`: the score that stands in for verdicts, or None if that is a column.
    `unsure` becomes `Thresholds`.
    """
    parser = build_parser()
    parsed, unknown = parser.parse_known_args(arguments)
    if unknown:
        parser.error(describe_unknown(parser, unknown))
    parsed.folder = bool(parsed.out) and parsed.out.endswith(("/", os.sep))
    if parsed.folder:
        parsed.out = parsed.out.rstrip("/" + os.sep) or os.sep
    if conflict := find_conflict(parsed):
        parser.error(conflict)

    parsed.metrics = list(dict.fromkeys(parsed.metrics))
    combined = []
    if parsed.judge_rows == "unsure":
        parsed.unsure = Thresholds(*(parsed.unsure or ()))
        parsed.metrics = list(dict.fromkeys([ESTIMATE, *parsed.metrics]))
        combined = [CASCADE.name]
    scores = {series.key: series for series in list_series([*parsed.metrics, *combined, STAND_IN])}
    stand_in = scores.get(parsed.stand_in)
    parsed.standing = None
    if stand_in:
        parsed.standing, parsed.stand_in = stand_in.key, ""
    if parsed.sample:
        parsed.metrics = [stand_in.metric if stand_in else STAND_IN]
    parsed.fail_under = read_thresholds(parser, parsed)
    return parsed


def describe_unknown(parser: Parser, unknown: Sequence[str]) -> str:
    """Return the error for unknown arguments, with the most similar option."""
    options = [name for action in parser._actions for name in action.option_strings]
    name = unknown[0].partition("=")[0]
    near = difflib.get_close_matches(name, options, 1)
    hint = f" Did you mean {near[0]}?" if near else ""
    return f"there is no option {shorten_name(name)}.{hint}"


# Whether options conflict, and the error for them.
Conflict = tuple[Any, str]


def find_conflict(parsed: argparse.Namespace) -> str:
    """Return the error for options that conflict; empty if none do."""
    conflicts = [
        *list_input_conflicts(parsed),
        *list_output_conflicts(parsed),
        *list_judge_conflicts(parsed),
        *list_run_conflicts(parsed),
    ]
    for holds, message in conflicts:
        if holds:
            return message
    return ""


def list_input_conflicts(parsed: argparse.Namespace) -> list[Conflict]:
    """Return the conflicts of options on the input."""
    return [
        (not parsed.input and not parsed.lv_eval, describe_missing_input(parsed)),
        (
            parsed.input and parsed.lv_eval,
            "--lv-eval takes a folder, and no file to score beside it",
        ),
        (parsed.config and not parsed.split, "--config goes with --split"),
        (
            parsed.split and len(parsed.input) > 1,
            (
                "--split takes one dataset; its systems are columns (--prediction A B), or named "
                "by --system"
            ),
        ),
    ]


def list_output_conflicts(parsed: argparse.Namespace) -> list[Conflict]:
    """Return the conflicts of options on the files to write."""
    return [
        (
            parsed.sample and (not parsed.out or parsed.folder),
            "--sample needs a file to write: --out sample.csv",
        ),
        (
            parsed.format and (not parsed.out or parsed.folder),
            "--format needs a file to write: --out scores.json",
        ),
        (
            parsed.format and (parsed.sample or parsed.lv_eval),
            "--format does not go with --sample or --lv-eval",
        ),
        (parsed.format and parsed.out in parsed.report, "--out and --report name the same file"),
    ]


def list_judge_conflicts(parsed: argparse.Namespace) -> list[Conflict]:
    """Return the conflicts of options on judges."""
    return [
        (
            (parsed.decision or parsed.api) and not asks_judges(parsed),
            "--decision and --api are for judges, and none is asked",
        ),
        (parsed.api and not parsed.decision, "--api goes with --decision"),
        (parsed.judge_rows == "unsure" and count_judges(parsed) != 1, describe_judge_count(parsed)),
        (
            parsed.judge_rows == "unsure" and parsed.sample,
            "--judge-rows unsure does not go with --sample",
        ),
        (parsed.unsure and parsed.judge_rows != "unsure", "--unsure goes with --judge-rows unsure"),
        (parsed.unsure and parsed.unsure[0] >= parsed.unsure[1], describe_thresholds(parsed)),
    ]


def list_run_conflicts(parsed: argparse.Namespace) -> list[Conflict]:
    """Return the conflicts of options on the kind of run."""
    return [
        (parsed.ray_address and parsed.engine != "ray", "--ray-address goes with --engine ray"),
        (
            parsed.lv_eval and parsed.report,
            "--report does not go with --lv-eval, which writes result.json and result.csv",
        ),
        (
            parsed.dry_run and (parsed.sample or not asks_judges(parsed)),
            "--dry-run is for judges, and none is asked here",
        ),
    ]


def asks_judges(parsed: argparse.Namespace) -> bool:
    """Return whether a judge is asked."""
    return count_judges(parsed) > 0


def count_judges(parsed: argparse.Namespace) -> int:
    """Return the number of judges that are asked."""
    return sum(BY_NAME[name].judge for name in {*parsed.metrics})


def describe_judge_count(parsed: argparse.Namespace) -> str:
    """Return the error for --judge-rows unsure with no judge or with several judges."""
    return (
        f"--judge-rows unsure asks one judge; name one of {join_names(JUDGE_NAMES)} in "
        f"--metrics, got {count_judges(parsed)}"
    )


def describe_thresholds(parsed: argparse.Namespace) -> str:
    """Return the error for --unsure if the lower number does not come first."""
    low, high = parsed.unsure or (0.0, 0.0)
    return f"--unsure takes the lower number first, such as 0.1 0.9, got {low:g} {high:g}"


def describe_missing_input(parsed: argparse.Namespace) -> str:
    """Return the error for missing input, which an option with several values may have consumed."""
    taken = {
        "--prediction": parsed.prediction,
        "--reference": parsed.reference,
        "--verdict": parsed.verdict,
        "--judge-verdict": parsed.judges,
    }
    for option, values in taken.items():
        if values and len(values) > 1 and Path(values[-1]).exists():
            return (
                f"{option} took “{shorten_name(values[-1])}” for a column; name the files "
                f"to score before {option}"
            )
    return "name a file to score, or a folder with --lv-eval"


def read_thresholds(parser: Parser, parsed: argparse.Namespace) -> dict[str, float]:
    """Return the values of --fail-under by score; exit with an error if one is malformed."""
    combined = [CASCADE.name] if parsed.unsure else []
    keys = [series.key for series in list_series([*parsed.metrics, *combined])]
    thresholds: dict[str, float] = {}
    for text in parsed.fail_under:
        key, _, value = text.partition("=")
        number = parse_number(value)
        if key not in keys or number is None:
            parser.error(
                f"--fail-under takes SCORE=VALUE, such as {keys[0]}=0.7, got "
                f"{cut_cell(text)}; "
                f"the scores are {', '.join(keys)}"
            )
        thresholds[key] = number
    return thresholds


def read_metric_settings(parsed: argparse.Namespace) -> dict[str, dict[str, Any]]:
    """Return the arguments of each metric: from --set, and for judges.

    Raises:
        UserError: --set names a metric that is not computed, or an argument that it cannot set.
    """
    settings: dict[str, dict[str, Any]] = {}
    for name in parsed.metrics:
        settings[name] = read_judge_settings(parsed, name) if BY_NAME[name].judge else {}
    for text in parsed.set:
        place, _, value = text.partition("=")
        name, _, argument = place.partition(".")
        if "=" not in text or not argument or name not in settings or argument in KEPT:
            raise UserError("page.as_it_is", text=describe_bad_setting(text, name, parsed.metrics))
        try:
            settings[name][argument] = json.loads(value)
        except (ValueError, RecursionError):
            settings[name][argument] = value
    return settings


def describe_bad_setting(text: str, name: str, metrics: Sequence[str]) -> str:
    """Return the error for a malformed --set."""
    message = (
        f"--set {text} is not understood; expected is METRIC.ARGUMENT=VALUE with one of "
        f"{join_names(metrics)}. "
        "A key never stands on the command line."
    )
    return join_sentences(message, "" if name in metrics else suggest_name(name, metrics))


def read_judge_settings(parsed: argparse.Namespace, name: str) -> dict[str, Any]:
    """Return the arguments of the judge `name`, besides the texts.

    Raises:
        UserError: no model is given, or the variable of the key is not set.
    """
    if not parsed.model:
        raise UserError("command.judge_lacks")
    key = os.environ.get(parsed.key_variable or "", "").strip() or None
    if parsed.key_variable and not key:
        raise UserError("command.no_key", variable=parsed.key_variable)
    settings = {
        "model": parsed.model,
        "base_url": parsed.base_url,
        "api_key": key,
        "on_error": "skip",
        "progress": False,
    }
    settings["cache"] = {None: True, "no": False}.get(parsed.cache, parsed.cache)
    if parsed.provider:
        settings["provider"] = parsed.provider
    if parsed.decision:
        settings |= [BY_NAME[name].decision]
    if parsed.api:
        settings["api"] = parsed.api
    return settings
