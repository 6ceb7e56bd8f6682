"""The options of score.py on results, verdicts, gates, judges and processes."""

from __future__ import annotations

import argparse

from lens.commands.targets import EXPORTS
from lens.scoring.cascade import HIGH, LOW
from lens.study.annotations import STAND_IN
from lens.study.engines.blocks import BLOCK_ROWS
from lens.tables.cells import cut_cell, parse_integer, parse_number
from lens.words import LANGUAGES

# The largest number that is read for rows or processes.
MAX_COUNT = 1_000_000_000


def add_output_options(parser: argparse.ArgumentParser) -> None:
    """Add the options on results."""
    add = parser.add_argument_group(
        "results", "Tables are printed; files are written in addition."
    ).add_argument
    add(
        "--out",
        metavar="FILE",
        help="the rows with their scores: .csv, .jsonl or .parquet; FOLDER/ with a slash "
        "at its end: one .parquet for each block of rows",
    )
    add(
        "--format",
        choices=list(EXPORTS),
        default="",
        help="--out for another tool: inspect (.json, .jsonl), the scores that "
        "inspect_ai's precomputed_scores reads; every-eval-ever (.json), its "
        "aggregate, and the samples beside it in _samples.jsonl",
    )
    add(
        "--report",
        metavar="FILE",
        action="append",
        default=[],
        help="the tables: .md, .tex, .txt or .json; or a picture of the means: .svg; may "
        "be given several times",
    )
    add("--overwrite", action="store_true", help="replace files that are there already")
    add("--language", choices=list(LANGUAGES), default="en", help="language of tables and reports")


def add_verdict_options(parser: argparse.ArgumentParser) -> None:
    """Add the options on verdicts of people and judges, and on samples."""
    add = parser.add_argument_group(
        "verdicts",
        "A verdict is right, wrong or declined; 1 or 0; yes or no; empty where nobody read the "
        "answer.",
    ).add_argument
    add(
        "--sample",
        type=parse_count,
        metavar="N",
        help="write N answers to read into --out, without their scores, and end; of "
        "several systems all answers to N questions",
    )
    add(
        "--verdict",
        metavar="COLUMN",
        nargs="+",
        help="a person's verdicts: a column, or a filled-in file of --sample",
    )
    add(
        "--judge-verdict",
        metavar="COLUMN",
        nargs="+",
        dest="judges",
        help="verdicts of one judge or several; they are compared with a person's, and "
        "never replace them",
    )
    add(
        "--stand-in",
        metavar="NAME",
        default="",
        help=f"a score or a column that stands in where nobody read (default: {STAND_IN})",
    )


def add_gate_options(parser: argparse.ArgumentParser) -> None:
    """Add the options on gates for continuous integration."""
    add = parser.add_argument_group("gates", "The exit code is 3 where one fails.").add_argument
    add(
        "--fail-under",
        action="append",
        default=[],
        metavar="SCORE=VALUE",
        help="fails where the score's 95%% interval begins below the value, such as rougeL=0.7",
    )
    add(
        "--fail-if-worse",
        action="store_true",
        help="fails where the first system is worse than another beyond chance, by any of "
        "the metrics",
    )


def add_judge_options(parser: argparse.ArgumentParser) -> None:
    """Add the options on the judge of l3score and eve_judge."""
    add = parser.add_argument_group(
        "judges",
        "For l3score and eve_judge. Replies are kept, so that a second run pays nothing twice.",
    ).add_argument
    add(
        "--provider",
        metavar="NAME",
        help="openai, deepseek, ..., or vllm, llamacpp, ollama; the key comes from the "
        "provider's environment variable",
    )
    add("--model", metavar="NAME", help="the judge's model, as its provider names it")
    add("--base-url", metavar="URL", help="another server that speaks the OpenAI API")
    add("--key-variable", metavar="NAME", help="the environment variable that holds the key")
    add(
        "--decision",
        action="store_true",
        help="the model answers with a probability and no text, such as openai's gpt-6-luna",
    )
    add(
        "--api",
        choices=["decisions", "systemone"],
        help="with --decision, the format of the server; default: that of the provider",
    )
    add("--cache", metavar="FILE", help="keeps the replies; 'no': keep none")
    add(
        "--judge-rows",
        choices=["all", "unsure"],
        default="all",
        help="unsure: correctness_estimate settles the rows that it calls a probability "
        "above or below --unsure, and the judge is asked about the others; cascade is "
        "the verdict of both",
    )
    add(
        "--unsure",
        nargs=2,
        type=parse_share,
        metavar=("LOW", "HIGH"),
        help="with --judge-rows unsure, between which "
        f"estimates the judge is asked (default: {LOW} {HIGH})",
    )
    add("--dry-run", action="store_true", help="send nothing; print what the judges would cost")


def add_run_options(parser: argparse.ArgumentParser) -> None:
    """Add the options for many rows: processes, Ray and blocks."""
    add = parser.add_argument_group(
        "many rows",
        "With --out, finished blocks of rows are kept: the same command goes on from there.",
    ).add_argument
    add(
        "--workers",
        type=parse_count,
        metavar="N",
        help="processes that score (default: 1; with --engine ray one for each processor)",
    )
    add(
        "--engine",
        choices=["local", "ray"],
        default="local",
        help="ray: score on a Ray cluster, or on this machine without --ray-address",
    )
    add("--ray-address", metavar="ADDRESS", help="the cluster: auto or HOST:PORT")
    add("--restart", action="store_true", help="throw away the finished blocks of an earlier run")
    add(
        "--block-rows",
        type=parse_count,
        default=BLOCK_ROWS,
        metavar="N",
        help=f"rows that are read and written together (default: {BLOCK_ROWS})",
    )


def parse_share(text: str) -> float:
    """Return a number from 0 to 1, or raise ArgumentTypeError."""
    number = parse_number(text)
    if number is None or not 0 <= number <= 1:
        raise argparse.ArgumentTypeError(
            f"a number from 0 to 1 is expected, got {cut_cell(repr(text))}"
        )
    return number


def parse_count(text: str) -> int:
    """Return an integer of at least 1, or raise ArgumentTypeError."""
    number = parse_integer(text, MAX_COUNT)
    if not number:
        raise argparse.ArgumentTypeError(
            f"a whole number from 1 to {MAX_COUNT:,} is expected, got {cut_cell(repr(text))}"
        )
    return number
