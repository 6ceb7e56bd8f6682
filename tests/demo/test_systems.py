"""Several systems in files, columns or rows of one table: matching, repeats and messages."""

from __future__ import annotations

import json
import random
import re
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import pytest
from lens.inference import mean_differences

from tests.demo.command_runs import (
    Command,
    Rows,
    judge_options,
    read_jsonl,
    read_sections,
    write_jsonl,
)
from tests.demo.system_samples import (
    SKILL,
    answer_question,
    list_column,
    make_long_rows,
    make_question,
    make_system_rows,
    make_wide_rows,
    select_rows,
    set_cells,
    write_systems,
)
from tests.support import judges
from tests.support.judge_server import JudgeServer, Reply, Request, make_error

TABLE = "systems"
PAIRS = "differences"
METRICS = ("rouge", "bleu", "lv_eval_f1", "correctness_estimate")


# Layouts


def write_layouts(folder: Path) -> dict[str, list[Any]]:
    """Write the answers of five systems in five layouts.

    Return the command's arguments for each layout.
    """
    long = set_cells(make_long_rows([*SKILL], "llm"), model="x")
    # The column "Model Name" is recognised as that of the systems.
    recognised = make_long_rows([*SKILL], "Model Name")
    first, *others = long
    mixed = [first, *random.Random(1).sample(others, len(others))]
    return {
        "files": write_systems(folder, "abcde"),
        "columns": [
            write_jsonl(folder / "w.jsonl", make_wide_rows([*SKILL])),
            "--prediction",
            *SKILL,
        ],
        "rows": [write_jsonl(folder / "l.jsonl", long), "--system", "llm"],
        "recognised": [write_jsonl(folder / "r.jsonl", recognised)],
        "mixed": [write_jsonl(folder / "m.jsonl", mixed), "--system", "llm"],
    }


def test_files_columns_and_one_long_table_give_equal_reports(
    tmp_path: Path, score: Command
) -> None:
    reports: dict[str, dict[str, Any]] = {}
    for layout, arguments in write_layouts(tmp_path).items():
        report = tmp_path / f"{layout}.json"
        ran = score(*arguments, "--metrics", *METRICS, "--report", report)
        assert ran.code == 0, ran.err
        assert "5 systems, matched by their ids: 40 questions." in ran.err
        text = json.dumps(read_sections(report), ensure_ascii=False).replace(".jsonl", "")
        assert text.count("corpus_bleu") == 5
        reports[layout] = json.loads(text)
    for layout in ("columns", "rows", "recognised"):
        assert reports[layout] == reports["files"]

    table = {row["system"]: row for row in reports["files"][TABLE]["rows"]}
    mixed = {row["system"]: row for row in reports["mixed"][TABLE]["rows"]}
    assert mixed.keys() == table.keys()
    for name, row in table.items():
        assert row["rougeL"] == pytest.approx(mixed[name]["rougeL"])
    assert [*table][-2:] == ["d", "e"], "systems must be sorted from the best to the worst"
    assert table["e"]["best_rank"] == 5
    assert table["e"]["worst_rank"] == 5


def test_files_of_a_pattern_are_one_table_or_on_request_one_system_each(
    tmp_path: Path, score: Command
) -> None:
    write_systems(tmp_path)
    ran = score(tmp_path / "?.jsonl", "--metrics", "rouge")
    assert ran.code == 0
    assert "?.jsonl: 120 rows" in ran.err
    assert "systems" not in ran.err

    ran = score(tmp_path / "?.jsonl", "--system-from-file", "--metrics", "rouge")
    assert ran.code == 0
    assert "3 systems, matched by their ids: 40 questions." in ran.err
    assert re.search(r"^a\.jsonl +\d", ran.out, re.M)


def test_shortened_names_of_files_stay_different(tmp_path: Path, score: Command) -> None:
    long = []
    for name in "ab":
        long.append(
            write_jsonl(tmp_path / f"{'n' * 60}_{name}_{'n' * 60}.jsonl", make_system_rows(name))
        )
    ran = score(*long, "--metrics", "rouge")
    assert ran.code == 0
    assert "nn_a_nn" in ran.out
    assert "nn_b_nn" in ran.out


def test_too_many_files_are_refused_before_any_is_read(tmp_path: Path, score: Command) -> None:
    files = []
    for number in range(51):
        rows = [{"reference": "a", "answer": number}]
        files.append(write_jsonl(tmp_path / f"{number}.jsonl", rows))
    ran = score(*files, "--metrics", "rouge")
    assert ran.code == 2
    assert ran.err == "score.py: There are 51 systems; at most 50 are compared.\n", (
        "a file was read first"
    )


# How questions are matched, and what command and page both refuse, is in test_command_and_page.py.


def group_scores(rows: list[dict[str, Any]]) -> dict[str, list[float]]:
    """Return the scores of the answers to each question."""
    scores: dict[str, list[float]] = {}
    for row in rows:
        scores.setdefault(row["id"], []).append(row["rougeL"])
    return scores


def test_several_answers_to_a_question_count_as_their_mean(tmp_path: Path, score: Command) -> None:
    repeats = (
        make_system_rows("b") + make_system_rows("b", turn=1) + make_system_rows("b", turn=2)[::-1]
    )
    files = write_systems(tmp_path, "ab", {"b": repeats})
    report = tmp_path / "r.json"
    out = tmp_path / "out.jsonl"
    ran = score(*files, "--metrics", "rouge", "--report", report, "--out", out)
    assert ran.code == 0, ran.err
    assert "b.jsonl: 120 answers to 40 questions." in ran.err

    # The score of a question is the mean of the scores of its answers.
    one_system = tmp_path / "one_system.jsonl"
    assert score(tmp_path / "b.jsonl", "--metrics", "rouge", "--out", one_system).code == 0
    scores = group_scores(read_jsonl(one_system))
    means = [fmean(repeated) for repeated in scores.values()]
    rows = read_jsonl(out)
    assert list_column(rows, "rougeL (b.jsonl)") == pytest.approx(means)
    answers = [answer_question("b", 3, turn) for turn in range(3)]
    assert json.loads(rows[3]["answer (b.jsonl)"]) == answers

    sections = read_sections(report)
    (pair,) = select_rows(sections[PAIRS]["rows"], metric="rougeL")
    difference, interval, _ = mean_differences.compare_means(
        list_column(rows, "rougeL (a.jsonl)"), means
    )
    assert interval
    spread = fmean(map(stdev, scores.values()))
    expected = {
        "mean_second": fmean(means),
        "difference": difference,
        "low": interval[0],
        "high": interval[1],
        "repeats": spread,
    }
    assert {key: pair[key] for key in expected} == pytest.approx(expected)
    notes = [
        line
        for line in sections[PAIRS]["lines"]
        if line.startswith("How far scores of one system’s answers")
    ]
    assert notes[0].endswith(f"ROUGE-L {spread:.4f}.")
    counts = {row["system"]: row["scored"] for row in sections["scores"]["rows"]}
    assert counts == {"a.jsonl": 40, "b.jsonl": 120}


# Messages

FIFTY_ONE = [f"s{number}" for number in range(51)]
LONG = make_long_rows("abc")
TWO_COLUMNS = [make_question(number) | {"p": "x", "r": "y"} for number in range(9)]
EACH_ITS_OWN = [
    row | {"id": number, "model": number} for number, row in enumerate(make_system_rows("a"))
]


@dataclass(frozen=True)
class Run:
    """A run of the command: its files, arguments, exit code, and a part of its message."""

    files: dict[str, Rows]
    arguments: str
    code: int
    message: str


RUNS = {
    "one of three is empty": Run(
        files={"a": make_system_rows("a"), "b": [], "c": make_system_rows("c")},
        arguments="{a} {b} {c}",
        code=0,
        message="b.jsonl is left out: b.jsonl has no rows.",
    ),
    "two of three are empty": Run(
        files={"a": make_system_rows("a"), "b": [], "c": []},
        arguments="{a} {b} {c}",
        code=2,
        message="Fewer than two of the files have anything to score",
    ),
    "one of two is empty": Run(
        files={"a": make_system_rows("a"), "b": []},
        arguments="{a} {b}",
        code=2,
        message="b.jsonl has no rows",
    ),
    "a file twice and another": Run(
        files={"a": make_system_rows("a"), "b": make_system_rows("b")},
        arguments="{a} {b} {a}",
        code=0,
        message="2 systems, matched",
    ),
    "a file twice": Run(
        files={"a": make_system_rows("a")},
        arguments="{a} {a}",
        code=0,
        message="Named twice, and read once: ",
    ),
    "a column twice": Run(
        files={"a": TWO_COLUMNS},
        arguments="{a} --prediction p p r",
        code=0,
        message="read once: p.",
    ),
    "several columns and one of systems": Run(
        files={"a": TWO_COLUMNS},
        arguments="{a} --prediction p r --system id",
        code=2,
        message="of several each is a system",
    ),
    "51 files": Run(
        files={name: make_system_rows("a", [1]) for name in FIFTY_ONE},
        arguments=" ".join(f"{{{name}}}" for name in FIFTY_ONE),
        code=2,
        message="51 systems",
    ),
    "a system for each question": Run(
        files={"l": EACH_ITS_OWN},
        arguments="{l} --system model",
        code=2,
        message="have no question in common",
    ),
    "no such column": Run(
        files={"l": LONG},
        arguments="{l} --system nope",
        code=2,
        message="There is no column “nope” for the role “system”",
    ),
    "no column of systems": Run(
        files={"l": LONG},
        arguments="{l} --system=",
        code=0,
        message="120 rows form 40 clusters",
    ),
}


@pytest.mark.parametrize("case", RUNS)
def test_wrong_or_repeated_systems_are_reported(case: str, tmp_path: Path, score: Command) -> None:
    run = RUNS[case]
    paths = {
        name: str(write_jsonl(tmp_path / f"{name}.jsonl", rows)) for name, rows in run.files.items()
    }
    ran = score(*run.arguments.format(**paths).split(), "--metrics", "bleu")
    assert ran.code == run.code, ran.err
    assert run.message in ran.err + ran.out
    assert bool(ran.out) == (run.code == 0)


def test_a_metric_that_stops_at_one_system_keeps_the_scores_of_the_others(
    tmp_path: Path, score: Command
) -> None:
    def answer_fifty(request: Request, number: int) -> Reply:
        if number >= 50:
            return make_error(
                429, "You exceeded your current quota", "insufficient_quota", "insufficient_quota"
            )
        return judges.compare_texts(request)

    report = tmp_path / "r.json"
    files = write_systems(tmp_path)
    with JudgeServer(answer_fifty) as server:
        judge = [*judge_options(server), "--set", "eve_judge.max_concurrency=1"]
        ran = score(*files, "--metrics", "rouge", "eve_judge", *judge, "--report", report)
    assert ran.code == 1
    assert "b.jsonl: EVE judge: 30 of 40 rows could not be scored" in ran.out
    assert "c.jsonl: EVE judge: 40 of 40 rows could not" in ran.out

    sections = read_sections(report)
    for row in sections[TABLE]["rows"]:
        assert row["rougeL"] > 0
        if row["system"] == "c.jsonl":
            assert row["eve_judge"] is None
    pairs = sections[PAIRS]["rows"]
    (judged,) = select_rows(pairs, metric="eve_judge")
    assert judged["first"] == "a.jsonl"
    assert judged["second"] == "b.jsonl"
    assert judged["questions"] == 10
    assert len(select_rows(pairs, metric="rougeL")) == 3
