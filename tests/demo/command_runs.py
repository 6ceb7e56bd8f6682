"""Run the command score.py in this process or another; write its files, read its reports."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from lens.commands import score_file

from tests.support.judge_server import JudgeServer
from tests.support.processes import make_search_path
from tests.support.project import ROOT, load

SPACE = ROOT / "spaces" / "answer_lens"
KEY = "sk-secret-123456789"
OVERLAP_METRICS = ("lv_eval_f1", "bleu", "rouge", "lv_eval_rouge")
ROUGE_KEYS = ("rouge1", "rouge2", "rougeL", "rougeLsum")
# Cells of types that readers and writers of tables tend to change.
MIXED_CELLS: list[Any] = [
    "\ud800 x",
    7,
    None,
    ["a", "\ud800"],
    {"a": 0.1},
    True,
    12345678901234567890,
    "=1\r\n\x00",
]
Rows = list[dict[str, Any]]


class CommandRun(NamedTuple):
    """A finished run of the command: its exit code, and what it printed."""

    code: int
    out: str
    err: str


Command = Callable[..., CommandRun]


def run_command(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> CommandRun:
    """Run score.py in this process and return its exit code and output.

    Checks that it prints neither a traceback nor the judge's key.
    """
    capsys.readouterr()
    try:
        code = score_file.main([str(argument) for argument in arguments])
    except SystemExit as exit:  # raised by argparse
        code = int(exit.code or 0)
    printed = capsys.readouterr()
    assert "Traceback" not in printed.err
    assert KEY not in printed.out
    assert KEY not in printed.err
    return CommandRun(code, printed.out, printed.err)


def restore_interrupts() -> None:
    """Let the process end at Ctrl-C: processes that a shell starts in the background ignore it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def start_python(*arguments: object, **environment: str) -> subprocess.Popen[str]:
    """Start a Python program as the leader of a new group of processes."""
    own_environment = {
        "PYTHONPATH": make_search_path("rouge"),
        "HF_HUB_OFFLINE": "1",
        "MY_KEY": KEY,
    }
    return subprocess.Popen(
        [sys.executable, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | own_environment | environment,
        start_new_session=True,
        preexec_fn=restore_interrupts if os.name == "posix" else None,
    )


def make_mixed_rows(
    count: int = 19,
    wrong_every: int = 3,
    first: int = 0,
    length: int = 0,
) -> Rows:
    """Return rows with texts in English and Chinese, groups, and cells of every type.

    Row 5 has no reference (`answer` is None).

    Args:
        count: the number of rows.
        wrong_every: the answer (`response`) of every row whose number is divisible by it is wrong.
        first: the number of the first row.
        length: how often " of many" is added to each reference.
    """
    rows: Rows = []
    for number in range(first, first + count):
        text = f"It is number {number}, 第{number}个"
        wrong = f"It is number NA, 第{number}个"
        row = {
            "id": f"{number:05}",
            "question": f"What is number {number}?",
            "answer": text + " of many" * length,
            "response": text if number % wrong_every else wrong,
            "kind": "odd" if number % 2 else "even",
            f"late{number > 40}": MIXED_CELLS[number % len(MIXED_CELLS)],
        }
        if number == 5:
            row["answer"] = None
        rows.append(row)
    return rows


def write_jsonl(path: Path, rows: Rows) -> Path:
    """Write JSON Lines in ASCII, so that lone surrogates can be written, too."""
    path.write_bytes(encode_jsonl(rows))
    return path


def encode_jsonl(rows: Rows) -> bytes:
    """Return the bytes of a file of JSON Lines in ASCII."""
    lines = [json.dumps(row) + "\n" for row in rows]
    return "".join(lines).encode()


def read_jsonl(path: Path) -> Rows:
    """Return the rows of a file of JSON Lines."""
    return parse_jsonl(path.read_text("utf-8"))


def parse_jsonl(text: str | bytes) -> Rows:
    """Return the rows of a text of JSON Lines."""
    return [json.loads(line) for line in text.splitlines()]


def judge_options(server: JudgeServer, cache: str | Path = "no") -> list[str]:
    """Return the options of the command that name a server as the judge."""
    options = {
        "model": "judge-1",
        "base-url": server.url,
        "key-variable": "MY_KEY",
        "cache": cache,
    }
    arguments = []
    for name, value in options.items():
        arguments += [f"--{name}", str(value)]
    return arguments


def read_folder(folder: Path) -> bytes:
    """Return all paths in a folder and the content of its files, joined."""
    pieces = []
    for path in folder.rglob("*"):
        pieces.append(str(path).encode())
        if path.is_file():
            pieces.append(path.read_bytes())
    return b"".join(pieces)


def read_report(path: Path) -> dict[str, dict[str, Any]]:
    """Return the rows of a JSON report by the section's id and the row's first cell."""
    report = {}
    for name, section in read_sections(path).items():
        report[name] = {next(iter(row.values())): row for row in section["rows"]}
    return report


def read_sections(path: Path) -> dict[str, dict[str, Any]]:
    """Return the sections of a JSON report by id; `lines` of a section are its notes' texts."""
    sections = json.loads(path.read_text("utf-8"))["sections"]
    for section in sections:
        section["lines"] = [note["text"] for note in section["notes"]]
    return {section["id"]: section for section in sections}


def compute_overlap_scores(
    keywords: Sequence[str] = (), **texts: Sequence[Any]
) -> dict[str, list[float]]:
    """Compute scores with the modules themselves and return a list of row scores for each series.

    Args:
        keywords: the answer keywords of each row, if any.
        texts: predictions and references.
    """
    settings: dict[str, Mapping[str, Any]] = {}
    if keywords:
        settings["lv_eval_f1"] = {"answer_keywords": keywords}
    details = {}
    for name in OVERLAP_METRICS:
        results = load(name).compute(**texts, **settings.get(name, {}), per_example=True)
        details[name] = results["per_example"]

    scores = {}
    for name in ("lv_eval_f1", "bleu", "lv_eval_rouge"):
        scores[name] = [detail["score"] for detail in details[name]]
    for key in ROUGE_KEYS:
        scores[key] = [detail[key]["fmeasure"] for detail in details["rouge"]]
    scores["lv_eval_f1_recall"] = [detail["recall"] for detail in details["lv_eval_f1"]]
    scores["rougeL_recall"] = [detail["rougeL"]["recall"] for detail in details["rouge"]]
    return scores
