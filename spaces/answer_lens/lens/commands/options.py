"""The options of score.py, in the groups of its help; output_options.py has the last groups."""

from __future__ import annotations

import argparse
import io
import os
import shutil
from typing import NoReturn

from lens.commands.output_options import (
    add_gate_options,
    add_judge_options,
    add_output_options,
    add_run_options,
    add_verdict_options,
)
from lens.scoring.catalog import BY_NAME, METRIC_NAMES
from lens.tables.column_names import suggest_name
from lens.tables.roles import (
    COLUMN_ROLES,
    MULTI_COLUMN_ROLES,
    REASONING,
    REFERENCE_USES,
    SCORED_EMPTY,
    ReadingOptions,
)
from lens.words.printed import print_lines, shorten_name

# The metrics that need no model and no judge.
DEFAULT_METRICS = [name for name in METRIC_NAMES if BY_NAME[name].kind == "words"]
# The largest width of the help, in characters.
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
        "rows with the same value depend on each other, so intervals and ranks take them as one "
        "unit (default: rows of one id or question)"
    ),
}


class Parser(argparse.ArgumentParser):
    """A parser whose errors are a single line, without the usage."""

    def error(self, message: str) -> NoReturn:
        """Print the error on one line, and exit with code 2."""
        end = "" if message.endswith((".", "?")) else "."
        print_lines(f"{self.prog}: {message}{end} See {self.prog} --help.")
        self.exit(2)


def make_help_formatter(prog: str) -> argparse.HelpFormatter:
    """Return a formatter of the help that keeps the lines of EXAMPLES."""
    width = min(shutil.get_terminal_size().columns, HELP_WIDTH)
    return argparse.RawDescriptionHelpFormatter(prog, max_help_position=26, width=width)


def build_parser() -> Parser:
    """Build the parser with its groups of options."""
    parser = Parser(
        prog="score.py",
        usage="score.py INPUT [INPUT ...] [options]",
        description="Score files of answers: how far each answer agrees with its reference, with "
        "intervals,\n"
        "differences between systems, and reports.",
        epilog=EXAMPLES,
        formatter_class=make_help_formatter,
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
    """Add the options on input: files, logs and datasets."""
    add = parser.add_argument_group("input").add_argument
    add(
        "input",
        nargs="*",
        metavar="INPUT",
        help="a file (.csv .tsv .jsonl .json .parquet .xlsx .txt), a pattern such as "
        "'runs/*.jsonl', or a log of lm-evaluation-harness, inspect_ai, lighteval, "
        "promptfoo, OpenAI Evals, HELM, AlpacaEval or Every Eval Ever; several inputs "
        "are systems to compare",
    )
    add(
        "--system-from-file",
        action="store_true",
        help="each file of a pattern is a system of its own",
    )
    add(
        "--split",
        metavar="NAME",
        help="the split to read, if the input is a dataset of Hugging Face (a name or a folder)",
    )
    add("--config", metavar="NAME", help="the configuration of that dataset, if it has several")
    add(
        "--filter",
        metavar="NAME",
        help="the filter of lm-evaluation-harness to read, if a log has several (default: "
        "the first; '' for all)",
    )
    add(
        "--references-file",
        metavar="FILE",
        help="references and questions in a file of their own: matched by id, else by the "
        "order of rows or lines",
    )
    add(
        "--encoding",
        type=parse_encoding,
        default="",
        metavar="NAME",
        help="the encoding of texts that are not UTF-8, such as gbk, big5, cp1252",
    )
    add(
        "--sheet",
        default="",
        metavar="NAME",
        help="the sheet of an .xlsx (default: the first that has rows)",
    )
    add(
        "--lv-eval",
        metavar="FOLDER",
        help="LV-Eval's official result from the prediction files of a folder or a zip, "
        "into the folder --out (result.json and result.csv)",
    )


def add_column_options(parser: Parser) -> None:
    """Add the options that choose columns."""
    columns = parser.add_argument_group(
        "columns",
        "Recognised by their usual names. '' for none; doc.answer reads answer in an object "
        "called doc.",
    )
    for role in COLUMN_ROLES:
        if role in COLUMN_HELP:
            several = "+" if role in MULTI_COLUMN_ROLES else None
            columns.add_argument(
                f"--{role}", metavar="COLUMN", nargs=several, help=COLUMN_HELP[role]
            )


def add_answer_options(parser: Parser) -> None:
    """Add the options on reading cells: references, empty cells, thinking, final answers."""
    add = parser.add_argument_group("how answers and references are read").add_argument
    add(
        "--separator",
        default="",
        metavar="TEXT",
        help="separates several references in one cell; json: a cell is a list, as JSON, "
        "Python or numpy write it",
    )
    add(
        "--references",
        choices=REFERENCE_USES,
        help="any: the best of a row's references counts (default, unless a log says otherwise); "
        "all: the mean over them",
    )
    add(
        "--empty",
        choices=list(SCORED_EMPTY),
        default=ReadingOptions.empty,
        help="which rows with an empty cell are scored: answers: those without an answer "
        "(default); all; none; abstain: all, and where the reference is empty an empty answer "
        "is right and any other wrong (SQuAD 2)",
    )
    add(
        "--reasoning",
        choices=REASONING,
        default=ReadingOptions.reasoning,
        help="thinking such as <think>...</think>: set aside (default), or keep and score it",
    )
    add(
        "--reasoning-tags",
        nargs=2,
        action="append",
        default=[],
        metavar=("OPEN", "CLOSE"),
        help="further marks around thinking, besides the known ones; may be given several times",
    )
    add(
        "--final",
        default="",
        metavar="WORDS",
        help="score the final answer alone: boxed (TeX's last \\boxed{...}), or the words "
        "before it, such as 'Final answer:'. The same is done to references; there #### or a "
        "box counts as well",
    )


def add_score_options(parser: Parser) -> None:
    """Add the options on metrics and their arguments."""
    add = parser.add_argument_group("scores").add_argument
    add(
        "--metrics",
        nargs="+",
        type=parse_metric,
        default=DEFAULT_METRICS,
        metavar="METRIC",
        help=f"of {', '.join(METRIC_NAMES)} (default: {' '.join(DEFAULT_METRICS)})",
    )
    add(
        "--set",
        action="append",
        default=[],
        metavar="METRIC.ARGUMENT=VALUE",
        help="an argument of a metric, such as lv_eval_f1.mode=paper",
    )


def parse_metric(text: str) -> str:
    """Return the name of a metric.

    Raises:
        ArgumentTypeError: there is no such metric.
    """
    if text in METRIC_NAMES:
        return text
    if os.path.exists(text):
        raise argparse.ArgumentTypeError(
            f"“{shorten_name(text)}” is a file; name the files to score before --metrics"
        )
    hint = suggest_name(text, METRIC_NAMES) or f"There are {', '.join(METRIC_NAMES)}."
    raise argparse.ArgumentTypeError(f"there is no “{shorten_name(text)}”. {hint}")


def parse_encoding(text: str) -> str:
    """Return the name of an encoding.

    Raises:
        ArgumentTypeError: Python has no such encoding of texts.
    """
    try:
        # Unlike codecs.lookup, this also refuses codecs that are not for texts, such as base64.
        io.TextIOWrapper(io.BytesIO(), text or None)
    except (LookupError, ValueError):
        raise argparse.ArgumentTypeError(
            f"there is no encoding “{shorten_name(text)}”; there are utf-8, utf-16-le, gbk, "
            "gb18030, big5, shift_jis, euc-kr, cp1252, cp1251 and more"
        ) from None
    return text
