"""What score.py understands."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Callable
from dataclasses import fields
from typing import Any

from lens.runs.blocks import BLOCK_ROWS
from lens.scoring.catalog import BY_NAME
from lens.tables.roles import BadTable, Roles, listing
from lens.words import LANGUAGES

WORDS = [metric.name for metric in BY_NAME.values() if metric.kind == "words"]
MOST_WORKERS = 256
# What --set does not say: the columns, and what belongs to the command.
KEPT = ("predictions", "references", "questions", "answer_keywords", "api_key", "per_example", "dry_run", "on_error")
HELP = {
    "prediction": "the answer to score",
    "reference": "the right answer, or a list of them",
    "question": "the question, for judges",
    "keywords": "the answer keywords, for lv_eval_f1",
    "group": "a summary for each value of this column",
    "id": "with --against: rows are matched by it",
}


def parser() -> argparse.ArgumentParser:
    """The command's arguments."""
    command = argparse.ArgumentParser(
        prog="score.py",
        description="Score a file of answers; see also spaces/answer_lens/README.md.",
        allow_abbrev=False,
    )
    command.add_argument("input", nargs="?", help="a file (.csv .tsv .jsonl .json .parquet); with --split, a dataset")
    command.add_argument("--split", help="the input is a dataset of Hugging Face, by name or folder: its split")
    command.add_argument("--config", help="the dataset's configuration, where it has several")
    command.add_argument("--metrics", nargs="+", choices=list(BY_NAME), default=WORDS, metavar="METRIC",
                         help=f"of {', '.join(BY_NAME)}; by default {' '.join(WORDS)}")  # fmt: skip
    command.add_argument("--against", metavar="INPUT", help="a second system's file, compared with the first")
    command.add_argument("--out", metavar="FILE", help="the scored rows: .csv, .jsonl or .parquet; FOLDER/ with a "
                         "slash at its end: a file of Parquet for each block, in that folder")  # fmt: skip
    command.add_argument("--overwrite", action="store_true", help="replace the file --out, where there is one")
    command.add_argument("--report", metavar="FILE", action="append", default=[], help="the summary: .md, .tex or .txt")
    columns = command.add_argument_group("columns", "by their usual names, unless named here; '' for none")
    for field in fields(Roles):
        columns.add_argument(f"--{field.name}", metavar="COLUMN", help=HELP[field.name])
    columns.add_argument("--separator", default="", metavar="TEXT", help="stands between several references in a text")
    command.add_argument("--set", action="append", default=[], metavar="METRIC.ARGUMENT=VALUE",
                         help="an argument of a metric, such as lv_eval_f1.mode=paper")  # fmt: skip
    many = command.add_argument_group("many rows", "finished blocks are kept: the same command goes on from there")
    many.add_argument("--workers", type=between(1, MOST_WORKERS), metavar="N",
                      help="processes that score, by default 1, with --engine ray one for each processor; judges are "
                      "asked from one")  # fmt: skip
    many.add_argument(
        "--engine",
        choices=["local", "ray"],
        default="local",
        help="ray: score on a cluster of Ray; without --ray-address on one of this machine's own",
    )
    many.add_argument("--ray-address", metavar="ADDRESS", help="the cluster: auto or HOST:PORT")
    many.add_argument("--restart", action="store_true", help="throw away what a run broken off has left; begin anew")
    many.add_argument("--block-rows", type=between(1, 10**6), default=BLOCK_ROWS, metavar="N",
                      help=f"rows that are read, scored and written together, by default {BLOCK_ROWS}")  # fmt: skip
    judge = command.add_argument_group("judges", "l3score and eve_judge; replies are kept: a second run resumes")
    judge.add_argument("--provider", help="openai, deepseek, ..., or vllm, llamacpp, ollama; its key is taken from the "
                       "provider's own environment variable")  # fmt: skip
    judge.add_argument("--model", help="the judge's model, as its provider names it")
    judge.add_argument("--base-url", help="the address of another server that speaks the OpenAI API")
    judge.add_argument("--key-variable", metavar="NAME", help="the environment variable that holds the key")
    judge.add_argument("--cache", metavar="FILE", help="where replies are kept; 'no' for nowhere")
    judge.add_argument("--dry-run", action="store_true", help="send nothing; say what the judges would take")
    command.add_argument("--lv-eval", metavar="DIR", help="LV-Eval's official result from the prediction files of a "
                         "folder or a zip; --out names a folder for result.json and result.csv")  # fmt: skip
    command.add_argument("--language", choices=list(LANGUAGES), default="en", help="of the reports")
    return command


def parsed(arguments: list[str] | None) -> argparse.Namespace:
    """The arguments, if they go together."""
    command = parser()
    given = command.parse_args(arguments)
    if bool(given.input) == bool(given.lv_eval):
        command.error("name a file to score, or a folder with --lv-eval")
    if given.ray_address and given.engine != "ray":
        command.error("--ray-address goes with --engine ray")
    if given.split and given.engine == "ray":
        command.error("with --engine ray the rows come from files; of a dataset of Hugging Face name those, such as "
                      "hf://datasets/name/data/*.parquet")  # fmt: skip
    if given.lv_eval and (given.report or given.against):
        command.error("--report and --against do not go with --lv-eval, which writes result.json and result.csv")
    if given.dry_run and not any(BY_NAME[name].judge for name in given.metrics):
        command.error("--dry-run is for judges, and none is among the metrics")
    given.metrics = list(dict.fromkeys(given.metrics))
    return given


def between(least: int, most: int) -> Callable[[str], int]:
    """A whole number of the command line."""

    def read(text: str) -> int:
        if not text.isdecimal() or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"a whole number from {least} to {most:,} is expected, got {text!r}")
        return int(text)

    return read


def settings_of(given: argparse.Namespace) -> dict[str, dict[str, Any]]:
    """The arguments of each metric, from --set and those of the judges."""
    found = {name: judge_settings(given) if BY_NAME[name].judge else {} for name in given.metrics}
    for one in given.set:
        place, equals, value = one.partition("=")
        name, dot, argument = place.partition(".")
        if not (equals and dot and argument) or name not in found or argument in KEPT:
            raise BadTable(f"--set {one} is not understood; expected is METRIC.ARGUMENT=VALUE with one of "
                           f"{listing(given.metrics)}. A key never stands on the command line.")  # fmt: skip
        try:
            found[name][argument] = json.loads(value)
        except ValueError:
            found[name][argument] = value
    return found


def judge_settings(given: argparse.Namespace) -> dict[str, Any]:
    """What a judge is given besides the texts."""
    if not given.model:
        raise BadTable("A judge needs --model, and --provider or --base-url.")
    key = None
    if given.key_variable:
        key = os.environ.get(given.key_variable, "").strip()
        if not key:
            raise BadTable(f"The environment variable {given.key_variable} is not set, or empty.")
    cache = {None: True, "no": False}.get(given.cache, given.cache)
    asked = {"model": given.model, "base_url": given.base_url, "api_key": key, "cache": cache}
    asked |= {"provider": given.provider} if given.provider else {}
    return asked | {"on_error": "skip", "progress": False}
