"""Parses the arguments of score.py, and checks what needs no table.

options.py and output_options.py define the options.
"""

from __future__ import annotations

import argparse
import difflib
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from lens.commands.options import Parser, build_parser
from lens.scoring.cascade import Thresholds
from lens.scoring.catalog import BY_NAME, CASCADE, ESTIMATE, JUDGE_NAMES, Series, list_series
from lens.study.annotations import STAND_IN
from lens.tables.cells import cut_cell, parse_number
from lens.tables.column_names import suggest_name
from lens.tables.roles import join_names
from lens.words import join_sentences
from lens.words.notes import UserError
from lens.words.printed import shorten_name

# Arguments that --set cannot set: columns of texts, and arguments that the command sets.
PROTECTED_ARGUMENTS = (
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
    """Parse the command line; if it is wrong, print one line and exit with code 2.

    These values are not as the user typed them:
        out: without the slash at the end; `writes_folder` tells if it was there. Then --out is a
            folder with one file per block.
        stand_in: only a column; a score that stands in for verdicts is in `stand_in_score`.
        unsure: `Thresholds` with --judge-rows unsure.
        metrics: without duplicates, and with the metrics that other options need.
        fail_under: the lowest value of each score, by its key.
    """
    parser = build_parser()
    parsed, unknown = parser.parse_known_args(arguments)
    if unknown:
        parser.error(describe_unknown_option(parser, unknown[0]))
    parsed.writes_folder = bool(parsed.out) and parsed.out.endswith(("/", os.sep))
    if parsed.writes_folder:
        parsed.out = parsed.out.rstrip("/" + os.sep) or os.sep
    conflict = find_conflict(parsed)
    if conflict:
        parser.error(conflict)

    parsed.metrics = list(dict.fromkeys(parsed.metrics))
    if parsed.judge_rows == "unsure":
        parsed.unsure = Thresholds(*(parsed.unsure or ()))
        parsed.metrics = list(dict.fromkeys([ESTIMATE, *parsed.metrics]))
    stand_ins = {series.key: series for series in list_scores(parsed, STAND_IN)}
    stand_in = stand_ins.get(parsed.stand_in)
    parsed.stand_in_score = None
    if stand_in:
        parsed.stand_in_score = stand_in.key
        parsed.stand_in = ""
    if parsed.sample:
        parsed.metrics = [stand_in.metric if stand_in else STAND_IN]
    parsed.fail_under = parse_fail_under(parser, parsed)
    return parsed


def list_scores(parsed: argparse.Namespace, *more_metrics: str) -> list[Series]:
    """Return the scores that are computed, and those of more metrics.

    Args:
        parsed: the parsed arguments; `unsure` is set if a joined verdict is computed.
        more_metrics: the names of further metrics.
    """
    joined = [CASCADE.name] if parsed.unsure else []
    return list_series([*parsed.metrics, *joined, *more_metrics])


def describe_unknown_option(parser: Parser, argument: str) -> str:
    """Return the error for an unknown option, with the most similar one."""
    options: list[str] = []
    for action in parser._actions:
        options += action.option_strings
    name = argument.partition("=")[0]
    similar = difflib.get_close_matches(name, options, 1)
    hint = f" Did you mean {similar[0]}?" if similar else ""
    return f"there is no option {shorten_name(name)}.{hint}"


class Conflict(NamedTuple):
    """A rule for options: if `is_broken` is true, `message` is the error."""

    is_broken: Any
    message: str


def find_conflict(parsed: argparse.Namespace) -> str:
    """Return the error for options that conflict; empty if none do."""
    conflicts = [
        *list_input_conflicts(parsed),
        *list_output_conflicts(parsed),
        *list_judge_conflicts(parsed),
        *list_run_conflicts(parsed),
    ]
    for conflict in conflicts:
        if conflict.is_broken:
            return conflict.message
    return ""


def list_input_conflicts(parsed: argparse.Namespace) -> list[Conflict]:
    """Return the conflicts of options on the input."""
    return [
        Conflict(not parsed.input and not parsed.lv_eval, describe_missing_input(parsed)),
        Conflict(
            parsed.input and parsed.lv_eval,
            "--lv-eval takes a folder, and no file to score beside it",
        ),
        Conflict(parsed.config and not parsed.split, "--config goes with --split"),
        Conflict(
            parsed.split and len(parsed.input) > 1,
            "--split takes one dataset; its systems are columns (--prediction A B), or named "
            "by --system",
        ),
    ]


def list_output_conflicts(parsed: argparse.Namespace) -> list[Conflict]:
    """Return the conflicts of options on the files to write."""
    writes_file = parsed.out and not parsed.writes_folder
    return [
        Conflict(
            parsed.sample and not writes_file,
            "--sample needs a file to write: --out sample.csv",
        ),
        Conflict(
            parsed.format and not writes_file,
            "--format needs a file to write: --out scores.json",
        ),
        Conflict(
            parsed.format and (parsed.sample or parsed.lv_eval),
            "--format does not go with --sample or --lv-eval",
        ),
        Conflict(
            parsed.format and parsed.out in parsed.report,
            "--out and --report name the same file",
        ),
    ]


def list_judge_conflicts(parsed: argparse.Namespace) -> list[Conflict]:
    """Return the conflicts of options on judges."""
    asks_if_unsure = parsed.judge_rows == "unsure"
    return [
        Conflict(
            (parsed.decision or parsed.api) and not count_judges(parsed),
            "--decision and --api are for judges, and none is asked",
        ),
        Conflict(parsed.api and not parsed.decision, "--api goes with --decision"),
        Conflict(asks_if_unsure and count_judges(parsed) != 1, describe_judge_count(parsed)),
        Conflict(asks_if_unsure and parsed.sample, "--judge-rows unsure does not go with --sample"),
        Conflict(parsed.unsure and not asks_if_unsure, "--unsure goes with --judge-rows unsure"),
        Conflict(
            parsed.unsure and parsed.unsure[0] >= parsed.unsure[1], describe_unsure_order(parsed)
        ),
    ]


def list_run_conflicts(parsed: argparse.Namespace) -> list[Conflict]:
    """Return the conflicts of options on the kind of run."""
    return [
        Conflict(
            parsed.ray_address and parsed.engine != "ray", "--ray-address goes with --engine ray"
        ),
        Conflict(
            parsed.lv_eval and parsed.report,
            "--report does not go with --lv-eval, which writes result.json and result.csv",
        ),
        Conflict(
            parsed.dry_run and (parsed.sample or not count_judges(parsed)),
            "--dry-run is for judges, and none is asked here",
        ),
    ]


def count_judges(parsed: argparse.Namespace) -> int:
    """Return the number of judges that are asked."""
    return sum(BY_NAME[name].judge for name in set(parsed.metrics))


def describe_judge_count(parsed: argparse.Namespace) -> str:
    """Return the error for --judge-rows unsure with no judge or with several judges."""
    return (
        f"--judge-rows unsure asks one judge; name one of {join_names(JUDGE_NAMES)} in "
        f"--metrics, got {count_judges(parsed)}"
    )


def describe_unsure_order(parsed: argparse.Namespace) -> str:
    """Return the error for --unsure if the lower number does not come first."""
    low, high = parsed.unsure or (0.0, 0.0)
    return f"--unsure takes the lower number first, such as 0.1 0.9, got {low:g} {high:g}"


def describe_missing_input(parsed: argparse.Namespace) -> str:
    """Return the error for missing input.

    An option with several values may have taken it: in "--reference answer results.csv", the file
    counts as a second column.
    """
    options_with_columns = {
        "--prediction": parsed.prediction,
        "--reference": parsed.reference,
        "--verdict": parsed.verdict,
        "--judge-verdict": parsed.judges,
    }
    for option, columns in options_with_columns.items():
        if columns and len(columns) > 1 and Path(columns[-1]).exists():
            return (
                f"{option} took “{shorten_name(columns[-1])}” for a column; name the files "
                f"to score before {option}"
            )
    return "name a file to score, or a folder with --lv-eval"


def parse_fail_under(parser: Parser, parsed: argparse.Namespace) -> dict[str, float]:
    """Return the values of --fail-under by score; exit with an error if one is malformed."""
    keys = [series.key for series in list_scores(parsed)]
    lowest_values: dict[str, float] = {}
    for text in parsed.fail_under:
        key, _, value = text.partition("=")
        number = parse_number(value)
        if key not in keys or number is None:
            parser.error(
                f"--fail-under takes SCORE=VALUE, such as {keys[0]}=0.7, got "
                f"{cut_cell(text)}; the scores are {', '.join(keys)}"
            )
        lowest_values[key] = number
    return lowest_values


def read_metric_settings(parsed: argparse.Namespace) -> dict[str, dict[str, Any]]:
    """Return the arguments of each metric: from --set, and for judges.

    Raises:
        UserError: --set names a metric that is not computed, or an argument that it cannot set; or
            a judge lacks its model or its key.
    """
    settings: dict[str, dict[str, Any]] = {}
    for metric in parsed.metrics:
        settings[metric] = {}
        if BY_NAME[metric].judge:
            settings[metric] = read_judge_settings(parsed, metric)
    for text in parsed.set:
        # "lv_eval_f1.mode=paper"
        target, equals, value = text.partition("=")
        metric, _, argument = target.partition(".")
        is_complete = equals and argument
        if not is_complete or metric not in settings or argument in PROTECTED_ARGUMENTS:
            message = describe_bad_setting(text, metric, parsed.metrics)
            raise UserError("page.as_it_is", text=message)
        settings[metric][argument] = parse_setting(value)
    return settings


def parse_setting(value: str) -> Any:
    """Return the value of a setting: JSON such as 3 or true, or else the text."""
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


def describe_bad_setting(text: str, metric: str, metrics: Sequence[str]) -> str:
    """Return the error for a malformed --set."""
    message = (
        f"--set {text} is not understood; expected is METRIC.ARGUMENT=VALUE with one of "
        f"{join_names(metrics)}. A key never stands on the command line."
    )
    hint = "" if metric in metrics else suggest_name(metric, metrics)
    return join_sentences(message, hint)


def read_judge_settings(parsed: argparse.Namespace, metric: str) -> dict[str, Any]:
    """Return the arguments of a judge, besides the texts.

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
    # By default, replies are stored in the usual file; "no" stores none.
    settings["cache"] = True if parsed.cache is None else parsed.cache
    if parsed.cache == "no":
        settings["cache"] = False
    if parsed.provider:
        settings["provider"] = parsed.provider
    if parsed.decision:
        argument, value = BY_NAME[metric].decision
        settings[argument] = value
    if parsed.api:
        settings["api"] = parsed.api
    return settings
