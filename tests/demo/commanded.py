"""What the tests of score.py share: rows, and the command in this process or in one of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from lens.commands import score_file

from tests.support.judge_server import JudgeServer
from tests.support.processes import search_path
from tests.support.project import ROOT, load

SPACE = ROOT / "spaces" / "answer_lens"
KEY = "sk-secret-123456789"
FOUR, ROUGE = ("lv_eval_f1", "bleu", "rouge", "lv_eval_rouge"), ("rouge1", "rouge2", "rougeL", "rougeLsum")
Rows = list[dict[str, Any]]


class Ran(NamedTuple):
    """What became of a run."""

    code: int
    out: str
    err: str


Command = Callable[..., Ran]


@pytest.fixture
def score(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    """The command, run in this process; those that it starts import nothing heavy."""
    monkeypatch.setenv("PYTHONPATH", search_path("rouge"))
    monkeypatch.setenv("MY_KEY", KEY)

    def run(*arguments: str | Path) -> Ran:
        capsys.readouterr()
        try:
            code = score_file.main([str(one) for one in arguments])
        except SystemExit as leaving:  # argparse's
            code = int(leaving.code or 0)
        printed = capsys.readouterr()
        assert "Traceback" not in printed.err
        assert KEY not in printed.out + printed.err
        return Ran(code, printed.out, printed.err)

    return run


def heed_interrupts() -> None:
    """Undo that a shell has what it starts in the background ignore Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def started(*arguments: object, **environment: str) -> subprocess.Popen[str]:
    """A program of Python in a process, and a group of processes, of its own."""
    environment = {
        **os.environ,
        "PYTHONPATH": search_path("rouge"),
        "HF_HUB_OFFLINE": "1",
        "MY_KEY": KEY,
        **environment,
    }
    return subprocess.Popen(
        [sys.executable, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env=environment, start_new_session=True,
        preexec_fn=heed_interrupts if os.name == "posix" else None,
    )  # fmt: skip


def rows_of(count: int = 19, right: int = 3, first: int = 0, length: int = 0) -> Rows:
    """Rows in two languages with groups, cells of every type and what readers and writers like to change; of every
    `right`-th the answer is wrong, and one has no reference.
    """
    mixed: list[Any] = ["\ud800 x", 7, None, ["a", "\ud800"], {"a": 0.1}, True, 12345678901234567890, "=1\r\n\x00"]
    return [
        {
            "id": f"{number:05}",
            "question": f"What is number {number}?",
            "answer": None if number == 5 else f"It is number {number}, 第{number}个" + " of many" * length,
            "response": f"It is number {number if number % right else 'NA'}, 第{number}个",
            "kind": "odd" if number % 2 else "even",
            f"late{number > 40}": mixed[number % len(mixed)],
        }
        for number in range(first, first + count)
    ]


def jsonl(path: Path, rows: Rows) -> Path:
    """Write JSON Lines in ASCII, which any text can be carried by."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def asking(server: JudgeServer, cache: str | Path = "no") -> list[str]:
    return ["--model", "judge-1", "--base-url", server.url, "--key-variable", "MY_KEY", "--cache", str(cache)]


def everything_in(folder: Path) -> bytes:
    """The names of the files and folders in a folder, and what is in the files."""
    return b"".join(str(path).encode() + (path.read_bytes() if path.is_file() else b"") for path in folder.rglob("*"))


def reported(path: Path) -> dict[str, dict[str, Any]]:
    """A report as JSON: of each section, by its id, the rows by their first cells."""
    sections = read_sections(path)
    return {name: {next(iter(row.values())): row for row in one["rows"]} for name, one in sections.items()}


def read_sections(path: Path) -> dict[str, dict[str, Any]]:
    """The sections of a report as JSON by their ids; each has the words of its notes as `lines`."""
    sections = json.loads(path.read_text("utf-8"))["sections"]
    return {one["id"]: one | {"lines": [note["text"] for note in one["notes"]]} for one in sections}


def own_scores(keywords: Sequence[str] = (), **texts: Sequence[Any]) -> dict[str, list[float]]:
    """The scores of words by series, as the modules themselves give them for predictions and references."""
    entries = {
        name: load(name).compute(**texts, **more, per_example=True)["per_example"]
        for name in FOUR
        for more in [{"answer_keywords": keywords} if keywords and name == "lv_eval_f1" else {}]
    }
    found = {name: [entry["score"] for entry in entries[name]] for name in FOUR if name != "rouge"}
    found |= {key: [entry[key]["fmeasure"] for entry in entries["rouge"]] for key in ROUGE}
    found["lv_eval_f1_recall"] = [entry["recall"] for entry in entries["lv_eval_f1"]]
    return found | {"rougeL_recall": [entry["rougeL"]["recall"] for entry in entries["rouge"]]}
