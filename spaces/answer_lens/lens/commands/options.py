"""The options of score.py, in the groups of its help."""

from __future__ import annotations

import argparse
import io
import os
import shutil
from typing import NoReturn

from lens.commands.targets import EXPORTS
from lens.scoring.cascade import HIGH, LOW
from lens.scoring.catalog import BY_NAME, METRIC_NAMES
from lens.study.annotations import STAND_IN
from lens.study.engines.blocks import BLOCK_ROWS
from lens.tables.cells import cut_cell, parse_number, parse_whole
from lens.tables.column_names import suggest_name
from lens.tables.roles import COLUMNS, REASONING, REFERENCES, SCORED_EMPTY, SEVERAL, ReadingOptions
from lens.words import LANGUAGES
from lens.words.printed import print_lines, shorten_name

WORDS = [name for name in METRIC_NAMES if BY_NAME[name].kind == "words"]
# The largest number of rows or processes.
MOST = 1_000_000_000
# The help is no wider than this, however wide the terminal is.
HELP_WIDTH = 100
EXAMPLES = """\
examples:
  python score.py results.jsonl --metrics correctness_estimate rouge --report report.md
  python score.py gpt4.jsonl llama.jsonl ours.jsonl --out scored.csv --report ranks.svg
  python score.py results.csv --sample 50 --out sample.csv
      Then fill in its column verdict: python score.py results.csv --verdict sample.csv

exit codes: 0 done; 1 something could not be computed or written; 2 wrong input; 3 a gate failed;
130 interrupted. More: spaces/answer_lens/README.md
"""
COLUMN_HELP = {
    "prediction": "the answer to score; several columns are systems to compare",
    "reference": "the right answer, or a list of right answers; several columns: all of them",
    "question": "the question; judges need it",
    "keywords": "the answer keywords of lv_eval_f1",
    "group": "adds a summary for each value of this column",
    "id": "matches the answers of several systems",
    "system": "names the system of each row (default: a column called model, system or provider)",
    "cluster": (
        "rows with the same value are resampled together (default: rows of one id or question)"
    ),
}


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line, without the usage."""

    def error(self, message: str) -> NoReturn:
        """Print the error on one line, and exit with code 2."""
        end = "" if message.endswith((".", "?")) else "."
        print_lines(f"{self.prog}: {message}{end} See {self.prog} --help.")
        self.exit(2)


def help_format(prog: str) -> argparse.HelpFormatter:
    """Return the form of the help: the examples as they stand, lines no longer than HELP_WIDTH."""
    width = min(shutil.get_terminal_size().columns, HELP_WIDTH)
    return argparse.RawDescriptionHelpFormatter(prog, max_help_position=26, width=width)


def build_parser() -> Parser:
    """Build the parser, its options in groups."""
    parser = Parser(
        prog="score.py",
        usage="score.py INPUT [INPUT ...] [options]",
        description="Score files of answers: how far each answer agrees with its reference, with "
        "intervals,\n"
        "differences between systems, and reports.",
        epilog=EXAMPLES,
        formatter_class=help_format,
        allow_abbrev=False,
    )
    add_input_options(parser)
    add_column_options(parser)
    add_answer_options(parser)
    add_score_options(parser)
    add_output_options(parser)
    add_verdict_options(parser)
    add_gate_options(parser)
    add_judge_options(parser)
    add_run_options(parser)
    return parser


def add_input_options(parser: Parser) -> None:
    """Add what is read: files, logs, datasets."""
    add = parser.add_argument_group("input").add_argument
    add(
        "input",
        nargs="*",
        metavar="INPUT",
        help="a file (.csv .tsv .jsonl .json .parquet .xlsx .txt), a pattern such as "
        "'runs/*.jsonl', or a log of "
        "lm-evaluation-harness, inspect_ai, lighteval, promptfoo, OpenAI Evals, HELM, AlpacaEval "
        "or Every Eval Ever; "
        "several inputs are systems to compare",
    )
    add(
        "--system-from-file",
        action="store_true",
        help="each file of a pattern is a system of its own",
    )
    add(
        "--split",
        metavar="NAME",
        help="the input is a dataset of Hugging Face, by name or folder: its split",
    )
    add("--config", metavar="NAME", help="the configuration of that dataset, if it has several")
    add(
        "--filter",
        metavar="NAME",
        help="the filter of lm-evaluation-harness to read, if a log has several (default: the "
        "first; '' for all)",
    )
    add("--references-file", metavar="FILE", help="references and questions in a file of their own: matched by id, "
        "else by the order of rows or lines")  # fmt: skip
    add("--encoding", type=parse_encoding, default="", metavar="NAME", help="the encoding of texts that are not UTF-8, "
        "such as gbk, big5, cp1252")  # fmt: skip
    add(
        "--sheet",
        default="",
        metavar="NAME",
        help="the sheet of an .xlsx (default: the first that has rows)",
    )
    add("--lv-eval", metavar="FOLDER", help="LV-Eval's official result from the prediction files of a folder or a "
        "zip, into the folder --out (result.json and result.csv)")  # fmt: skip


def add_column_options(parser: Parser) -> None:
    """Add which column is what."""
    columns = parser.add_argument_group(
        "columns",
        "Recognised by their usual names. '' for none; doc.answer reads answer in an object "
        "called doc.",
    )
    for role in COLUMNS:
        if role in COLUMN_HELP:
            several = "+" if role in SEVERAL else None
            columns.add_argument(
                f"--{role}", metavar="COLUMN", nargs=several, help=COLUMN_HELP[role]
            )


def add_answer_options(parser: Parser) -> None:
    """Add how cells are read: references, empty cells, thinking, final answers."""
    add = parser.add_argument_group("how answers and references are read").add_argument
    add("--separator", default="", metavar="TEXT", help="separates several references in one cell; json: a cell is a "
        "list, as JSON, Python or numpy write it")  # fmt: skip
    add("--references", choices=REFERENCES, help="of several references of a row any is enough, and the best counts "
        "(default, unless a log says otherwise), or all are needed, and the score is their mean")  # fmt: skip
    add("--empty", choices=list(SCORED_EMPTY), default=ReadingOptions.empty,
        help="which rows with an empty cell are scored: those without an answer (default), "
            "all, or none; abstain: all, "
        "and where the reference is empty an empty answer is right and any other wrong (SQuAD 2)")  # fmt: skip
    add("--reasoning", choices=REASONING, default=ReadingOptions.reasoning,
        help="thinking such as <think>...</think>: set aside (default), or keep and score it")  # fmt: skip
    add("--reasoning-tags", nargs=2, action="append", default=[], metavar=("OPEN", "CLOSE"), help="further marks "
        "around thinking, besides the known ones; may be given several times")  # fmt: skip
    add("--final", default="", metavar="WORDS", help="score the final answer alone: boxed (TeX's last \\boxed{...}), "
        "or the words before it, such as 'Final answer:'; of references too, also behind their "
        "own #### or "
        "box")  # fmt: skip


def add_score_options(parser: Parser) -> None:
    """Add which metrics are computed, and with what arguments."""
    add = parser.add_argument_group("scores").add_argument
    add("--metrics", nargs="+", type=parse_metric, default=WORDS, metavar="METRIC",
        help=f"of {', '.join(METRIC_NAMES)} (default: {' '.join(WORDS)})")  # fmt: skip
    add("--set", action="append", default=[], metavar="METRIC.ARGUMENT=VALUE",
        help="an argument of a metric, such as lv_eval_f1.mode=paper")  # fmt: skip


def add_output_options(parser: Parser) -> None:
    """Add what is written."""
    add = parser.add_argument_group(
        "results", "Tables are printed; files are written in addition."
    ).add_argument
    add("--out", metavar="FILE", help="the rows with their scores: .csv, .jsonl or .parquet; FOLDER/ with a slash at "
        "its end: one .parquet for each block of rows")  # fmt: skip
    add("--format", choices=list(EXPORTS), default="", help="--out for another tool: inspect (.json, .jsonl), the "
        "scores that inspect_ai's precomputed_scores reads; every-eval-ever (.json), its "
        "aggregate, and the samples "
        "beside it in _samples.jsonl")  # fmt: skip
    add("--report", metavar="FILE", action="append", default=[], help="the tables: .md, .tex, .txt or .json; or a "
        "picture of the means: .svg; may be given several times")  # fmt: skip
    add("--overwrite", action="store_true", help="replace files that are there already")
    add("--language", choices=list(LANGUAGES), default="en", help="language of tables and reports")


def add_verdict_options(parser: Parser) -> None:
    """Add the verdicts of people and judges, and the sample to read."""
    add = parser.add_argument_group(
        "verdicts",
        "A verdict is right, wrong or declined; 1 or 0; yes or no; empty where nobody read the "
        "answer.",
    ).add_argument
    add("--sample", type=parse_count, metavar="N", help="write N answers to read into --out, without their scores, and "
        "end; of several systems all answers to N questions")  # fmt: skip
    add("--verdict", metavar="COLUMN", nargs="+", help="a person's verdicts: a column, or a filled-in file of "
        "--sample")  # fmt: skip
    add("--judge-verdict", metavar="COLUMN", nargs="+", dest="judges", help="verdicts of one judge or several; they "
        "are compared with a person's, and never replace them")  # fmt: skip
    add("--stand-in", metavar="NAME", default="", help="a score or a column that stands in where nobody read "
        f"(default: {STAND_IN})")  # fmt: skip


def add_gate_options(parser: Parser) -> None:
    """Add the gates for continuous integration."""
    add = parser.add_argument_group("gates", "The exit code is 3 where one fails.").add_argument
    add("--fail-under", action="append", default=[], metavar="SCORE=VALUE", help="fails where the score's 95%% "
        "interval begins below the value, such as rougeL=0.7")  # fmt: skip
    add("--fail-if-worse", action="store_true", help="fails where the first system is worse than another beyond "
        "chance, by any of the metrics")  # fmt: skip


def add_judge_options(parser: Parser) -> None:
    """Add the judge that l3score and eve_judge ask."""
    add = parser.add_argument_group(
        "judges",
        "For l3score and eve_judge. Replies are kept, so that a second run pays nothing twice.",
    ).add_argument
    add("--provider", metavar="NAME", help="openai, deepseek, ..., or vllm, llamacpp, ollama; the key comes from the "
        "provider's environment variable")  # fmt: skip
    add("--model", metavar="NAME", help="the judge's model, as its provider names it")
    add("--base-url", metavar="URL", help="another server that speaks the OpenAI API")
    add("--key-variable", metavar="NAME", help="the environment variable that holds the key")
    add("--decision", action="store_true", help="the model answers with a probability and no text, such as openai's "
        "gpt-6-luna")  # fmt: skip
    add("--api", choices=["decisions", "systemone"], help="with --decision, the format of the server; default: that of "
        "the provider")  # fmt: skip
    add("--cache", metavar="FILE", help="keeps the replies; 'no': keep none")
    add("--judge-rows", choices=["all", "unsure"], default="all", help="unsure: correctness_estimate settles the rows "
        "that it calls a probability above or below --unsure, and the judge is asked about the "
        "others; cascade is the "
        "verdict of both")  # fmt: skip
    add("--unsure", nargs=2, type=parse_share, metavar=("LOW", "HIGH"), help="with --judge-rows unsure, between which "
        f"estimates the judge is asked (default: {LOW} {HIGH})")  # fmt: skip
    add("--dry-run", action="store_true", help="send nothing; print what the judges would cost")


def add_run_options(parser: Parser) -> None:
    """Add what serves many rows: processes, Ray, blocks."""
    add = parser.add_argument_group(
        "many rows",
        "With --out, finished blocks of rows are kept: the same command goes on from there.",
    ).add_argument
    add("--workers", type=parse_count, metavar="N", help="processes that score (default: 1; with --engine ray one for "
        "each processor)")  # fmt: skip
    add("--engine", choices=["local", "ray"], default="local", help="ray: score on a Ray cluster, or on this machine "
        "without --ray-address")  # fmt: skip
    add("--ray-address", metavar="ADDRESS", help="the cluster: auto or HOST:PORT")
    add("--restart", action="store_true", help="throw away the finished blocks of an earlier run")
    add("--block-rows", type=parse_count, default=BLOCK_ROWS, metavar="N", help="rows that are read and written "
        f"together (default: {BLOCK_ROWS})")  # fmt: skip


def parse_metric(text: str) -> str:
    """Return the name of a metric, if it is one."""
    if text in METRIC_NAMES:
        return text
    if os.path.exists(text):
        raise argparse.ArgumentTypeError(
            f"“{shorten_name(text)}” is a file; name the files to score before --metrics"
        )
    hint = suggest_name(text, METRIC_NAMES) or f"There are {', '.join(METRIC_NAMES)}."
    raise argparse.ArgumentTypeError(f"there is no “{shorten_name(text)}”. {hint}")


def parse_encoding(text: str) -> str:
    """Return the name of an encoding of texts, if Python knows it."""
    try:
        io.TextIOWrapper(io.BytesIO(), text or None)
    except (LookupError, ValueError):
        raise argparse.ArgumentTypeError(
            f"there is no encoding “{shorten_name(text)}”; there are utf-8, utf-16-le, gbk, "
            "gb18030, big5, "
            "shift_jis, euc-kr, cp1252, cp1251 and more"
        ) from None
    return text


def parse_share(text: str) -> float:
    """Return a number from 0 to 1."""
    number = parse_number(text)
    if number is None or not 0 <= number <= 1:
        raise argparse.ArgumentTypeError(
            f"a number from 0 to 1 is expected, got {cut_cell(repr(text))}"
        )
    return number


def parse_count(text: str) -> int:
    """Return a whole number from 1."""
    number = parse_whole(text, MOST)
    if not number:
        raise argparse.ArgumentTypeError(
            f"a whole number from 1 to {MOST:,} is expected, got {cut_cell(repr(text))}"
        )
    return number
