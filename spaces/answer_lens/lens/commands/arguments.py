"""What score.py understands."""

from __future__ import annotations

import argparse
import json
import os
from typing import Any, NoReturn

from lens.reports.read_answers import STAND_IN
from lens.runs.blocks import BLOCK_ROWS
from lens.scoring.catalog import BY_NAME, series_of
from lens.tables.cells import cut, plain_number, whole
from lens.tables.roles import COLUMNS, REASONING, SCORED_EMPTY, SEVERAL, BadTable, Roles, listing, nearest
from lens.words import LANGUAGES, sentences
from lens.words.printed import one_line

WORDS = [metric.name for metric in BY_NAME.values() if metric.kind == "words"]
# What --set does not say: the columns, and what belongs to the command.
KEPT = ("predictions", "references", "questions", "answer_keywords", "api_key", "per_example", "dry_run", "on_error")
# Of rows, and of processes.
MOST = 1_000_000_000
HELP = {
    "prediction": "the answer to score; several columns are systems to compare",
    "reference": "the right answer, or a list of them",
    "question": "the question, for judges",
    "keywords": "the answer keywords, for lv_eval_f1",
    "group": "a summary for each value of this column",
    "id": "the answers of several systems are matched by it",
    "system": "names the system of each row of one table; by default a column called model, system or provider",
    "cluster": "rows with the same value here are resampled together; by default those with one id, or one question",
    "verdict": "what a person found: right or wrong, declined, 1 or 0, yes or no, empty where unread; or a file of "
    "verdicts",
}


class Parser(argparse.ArgumentParser):
    """A parser that says what is wrong on one line, whatever is in it."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong, and end the program."""
        super().error(one_line(message))


def parser() -> argparse.ArgumentParser:
    """The command's arguments."""
    command = Parser(
        prog="score.py",
        description="Score a file of answers; see also spaces/answer_lens/README.md.",
        allow_abbrev=False,
    )
    add = command.add_argument
    add("input", nargs="*", help="a file (.csv .tsv .jsonl .json .parquet), a log of lm-evaluation-harness, "
        "inspect_ai, lighteval, promptfoo, OpenAI Evals, HELM or AlpacaEval; with --split, a dataset; several files "
        "are systems to compare")  # fmt: skip
    add("--split", help="the input is a dataset of Hugging Face, by name or folder: its split")
    add("--config", help="the dataset's configuration, where it has several")
    add("--metrics", nargs="+", type=metric, default=WORDS, metavar="METRIC",
        help=f"of {', '.join(BY_NAME)}; by default {' '.join(WORDS)}")  # fmt: skip
    add("--against", metavar="INPUT", help="another system's file, as if it stood behind the first")
    add("--system-from-file", action="store_true", help='each file of a pattern such as "*.jsonl" is a system')
    add("--out", metavar="FILE", help="the scored rows: .csv, .jsonl or .parquet; FOLDER/ with a slash at its end: a "
        "file of Parquet for each block, in that folder")  # fmt: skip
    add("--sample", type=positive, metavar="N", help="write N rows to read into --out, without their scores, and end; "
        "with --against the answers of both systems, for their difference")  # fmt: skip
    add("--overwrite", action="store_true", help="replace the files to write, where there are any")
    add("--report", metavar="FILE", action="append", default=[], help="the summary: .md, .tex, .txt or .json")
    add("--filter", metavar="NAME", help="the filter of lm-evaluation-harness whose samples are read, where a log has "
        "several; by default the first, '' for all")  # fmt: skip
    columns = command.add_argument_group("columns", "by their usual names, unless named here; '' for none; in objects "
                                         "with dots, such as doc.answer")  # fmt: skip
    for role in COLUMNS:
        several = "+" if role in SEVERAL else None
        columns.add_argument(f"--{role}", metavar="COLUMN", help=HELP[role], nargs=several)
    columns.add_argument("--judge-verdict", metavar="COLUMN", nargs="+", dest="judges", help="what a judge found, of "
        "one judge or several: they stand beside a person's verdicts, and are never taken for these")  # fmt: skip
    columns.add_argument("--stand-in", metavar="NAME", default="", help="what stands in for verdicts where nobody "
        f"read: a score, such as rougeL, or a column; by default {STAND_IN}")  # fmt: skip
    columns.add_argument("--separator", default="", metavar="TEXT",
                         help="stands between several references in a text; json: they are a list in JSON")  # fmt: skip
    columns.add_argument("--empty", choices=list(SCORED_EMPTY), default=Roles.empty, help="the rows that are scored "
        "although a cell is empty or null: those without an answer (the default), all, also those without a reference, "
        "or none")  # fmt: skip
    columns.add_argument("--reasoning", choices=REASONING, default=Roles.reasoning, help="an answer's thinking aloud, "
        "such as <think>...</think>: set aside (the default), or kept and scored with the rest")  # fmt: skip
    columns.add_argument("--final", default="", metavar="WORDS", help="score the final answer alone: boxed, for TeX's "
        "last \\boxed{...}, or the words that stand before it on its line, such as \"Final answer:\"")  # fmt: skip
    add("--fail-under", action="append", default=[], metavar="SCORE=VALUE", help="exit code 3 where a score's 95%% "
        "interval begins below that value")  # fmt: skip
    add("--fail-if-worse", action="store_true", help="exit code 3 where the first system is worse than another "
        "beyond chance, by any of the metrics")  # fmt: skip
    add("--set", action="append", default=[], metavar="METRIC.ARGUMENT=VALUE",
        help="an argument of a metric, such as lv_eval_f1.mode=paper")  # fmt: skip
    add = command.add_argument_group(
        "many rows", "finished blocks are kept: the same command goes on from there"
    ).add_argument
    add("--workers", type=positive, metavar="N", help="processes that score, by default 1, with "
        "--engine ray one for each processor; judges are asked from one")  # fmt: skip
    add("--engine", choices=["local", "ray"], default="local",
        help="ray: score on a cluster of Ray; without --ray-address on one of this machine's own")  # fmt: skip
    add("--ray-address", metavar="ADDRESS", help="the cluster: auto or HOST:PORT")
    add("--restart", action="store_true", help="throw away what a run broken off has left; begin anew")
    add("--block-rows", type=positive, default=BLOCK_ROWS, metavar="N",
        help=f"rows that are read, scored and written together, by default {BLOCK_ROWS}")  # fmt: skip
    add = command.add_argument_group(
        "judges", "l3score and eve_judge; replies are kept: a second run resumes"
    ).add_argument
    add("--provider", help="openai, deepseek, ..., or vllm, llamacpp, ollama; its key is taken from the provider's own "
        "environment variable")  # fmt: skip
    add("--model", help="the judge's model, as its provider names it")
    add("--base-url", help="the address of another server that speaks the OpenAI API")
    add("--key-variable", metavar="NAME", help="the environment variable that holds the key")
    add("--cache", metavar="FILE", help="where replies are kept; 'no' for nowhere")
    add("--dry-run", action="store_true", help="send nothing; say what the judges would take")
    add = command.add_argument
    add("--lv-eval", metavar="DIR", help="LV-Eval's official result from the prediction files of a folder or a zip; "
        "--out names a folder for result.json and result.csv")  # fmt: skip
    add("--language", choices=list(LANGUAGES), default="en", help="of the reports")
    return command


def parsed(arguments: list[str] | None) -> argparse.Namespace:
    """The arguments, if they go together."""
    command = parser()
    given = command.parse_args(arguments)
    given.input += [given.against] if given.against else []
    if bool(given.input) == bool(given.lv_eval):
        command.error("name a file to score, or a folder with --lv-eval")
    if given.config and not given.split:
        command.error("--config goes with --split")
    if given.split and len(given.input) > 1:
        command.error("--split takes one dataset; systems are columns of it (--prediction A B) or named by --system")
    # Whether the scored rows go to a folder, a file for each block, instead of one file.
    given.folder = bool(given.out) and given.out.endswith(("/", os.sep))
    given.out = given.out.rstrip("/" + os.sep) or os.sep if given.folder else given.out
    if given.sample and (not given.out or given.folder):
        command.error("--sample needs a file --out")
    if given.ray_address and given.engine != "ray":
        command.error("--ray-address goes with --engine ray")
    if given.lv_eval and given.report:
        command.error("--report does not go with --lv-eval, which writes result.json and result.csv")
    if given.dry_run and (given.sample or not any(BY_NAME[name].judge for name in given.metrics)):
        command.error("--dry-run is for judges, and none is asked here")
    # The score that stands in, if it is one; else it is a column.
    given.metrics = list(dict.fromkeys(given.metrics))
    scored = next((one for one in series_of([*given.metrics, STAND_IN]) if one.key == given.stand_in), None)
    given.standing, given.stand_in = scored and scored.key, "" if scored else given.stand_in
    if given.sample:
        given.metrics = [scored.metric if scored else STAND_IN]
    keys = [series.key for series in series_of(given.metrics)]
    limits = [one.partition("=") for one in given.fail_under]
    given.fail_under = {key: plain_number(value) for key, _, value in limits}
    for key, limit in given.fail_under.items():
        if key not in keys or limit is None:
            command.error(f"--fail-under takes SCORE=VALUE, such as {keys[0]}=0.7; the scores are {', '.join(keys)}")
    return given


def metric(text: str) -> str:
    """A metric of the command line."""
    if text not in BY_NAME:
        told = nearest(text, BY_NAME) or f"There are {', '.join(BY_NAME)}."
        raise argparse.ArgumentTypeError(f"there is no “{text}”. {told}")
    return text


def positive(text: str) -> int:
    """A whole number of the command line, from 1."""
    number = whole(text, MOST)
    if not number:
        raise argparse.ArgumentTypeError(f"a whole number from 1 to {MOST:,} is expected, got {cut(repr(text))}")
    return number


def settings_of(given: argparse.Namespace) -> dict[str, dict[str, Any]]:
    """The arguments of each metric, from --set and those of the judges."""
    found = {name: judge_settings(given) if BY_NAME[name].judge else {} for name in given.metrics}
    for one in given.set:
        place, equals, value = one.partition("=")
        name, dot, argument = place.partition(".")
        if not (equals and dot and argument) or name not in found or argument in KEPT:
            told = (f"--set {one} is not understood; expected is METRIC.ARGUMENT=VALUE with one of "
                    f"{listing(given.metrics)}. A key never stands on the command line.")  # fmt: skip
            raise BadTable(sentences(told, "" if name in found else nearest(name, found)))
        try:
            found[name][argument] = json.loads(value)
        except (ValueError, RecursionError):
            found[name][argument] = value
    return found


def judge_settings(given: argparse.Namespace) -> dict[str, Any]:
    """What a judge is given besides the texts."""
    if not given.model:
        raise BadTable("A judge needs --model, and --provider or --base-url.")
    key = os.environ.get(given.key_variable or "", "").strip() or None
    if given.key_variable and not key:
        raise BadTable(f"The environment variable {given.key_variable} is not set, or empty.")
    asked = {"model": given.model, "base_url": given.base_url, "api_key": key, "on_error": "skip", "progress": False}
    asked["cache"] = {None: True, "no": False}.get(given.cache, given.cache)
    return asked | ({"provider": given.provider} if given.provider else {})
