"""Several systems: files, columns or rows of one table; how their questions are matched, what is said of them, and the
reports, rows and verdicts that come of it.
"""

from __future__ import annotations

import csv
import io
import json
import random
import re
from pathlib import Path
from statistics import fmean, stdev
from typing import Any
from xml.etree import ElementTree

import pytest
from lens.inference import intervals
from lens.words import LANGUAGES

from tests.demo.command_runs import Command, Rows, judge_options, read_jsonl, read_report, read_sections, write_jsonl
from tests.demo.system_samples import (
    QUESTIONS,
    SKILL,
    answer_question,
    drop_columns,
    make_answers,
    make_question,
    write_systems,
)
from tests.support import judges
from tests.support.judge_server import JudgeServer, Reply, Request, error

TABLE, PAIRS = "systems", "differences"


# How systems come


def test_files_columns_and_one_long_table_give_the_same_report(tmp_path: Path, score: Command) -> None:
    wide = write_jsonl(
        tmp_path / "w.jsonl",
        [make_question(one) | {name: answer_question(name, one) for name in SKILL} for one in QUESTIONS],
    )
    rows = [row | {"llm": name, "model": "x"} for name in SKILL for row in make_answers(name)]
    long, mixed = write_jsonl(tmp_path / "l.jsonl", rows), random.Random(1).sample(rows[1:], len(rows) - 1)
    ways: dict[str, list[Any]] = {
        "files": write_systems(tmp_path, "abcde"),
        "columns": [wide, "--prediction", *SKILL],
        "rows": [long, "--system", "llm"],
        "recognised": [
            write_jsonl(
                tmp_path / "r.jsonl",
                [drop_columns([row | {"Model Name": row["llm"]}], "llm", "model")[0] for row in rows],
            )
        ],
        "mixed": [write_jsonl(tmp_path / "m.jsonl", [rows[0], *mixed]), "--system", "llm"],
    }
    found = {}
    for way, given in ways.items():
        report = tmp_path / f"{way}.json"
        ran = score(*given, "--metrics", "rouge", "bleu", "lv_eval_f1", "correctness_estimate", "--report", report)
        assert (ran.code, "5 systems, matched by their ids: 40 questions." in ran.err) == (0, True), ran.err
        found[way] = json.dumps(read_sections(report), ensure_ascii=False).replace(".jsonl", "")
    for way in ("columns", "rows", "recognised"):
        assert found[way] == found["files"]
    assert found["files"].count("corpus_bleu") == found["mixed"].count("corpus_bleu") == 5
    table = {row["system"]: row for row in json.loads(found["files"])[TABLE]["rows"]}
    of_mixed = {row["system"]: row for row in json.loads(found["mixed"])[TABLE]["rows"]}
    assert {name: row["rougeL"] for name, row in table.items()} == pytest.approx(
        {name: row["rougeL"] for name, row in of_mixed.items()}
    )
    assert [*table][-2:] == ["d", "e"], "the best stands first"
    assert (table["e"]["best_rank"], table["e"]["worst_rank"]) == (5, 5)


def test_a_pattern_is_one_table_or_a_system_for_each_file(tmp_path: Path, score: Command) -> None:
    write_systems(tmp_path)
    ran = score(tmp_path / "?.jsonl", "--metrics", "rouge")
    assert (ran.code, "?.jsonl: 120 rows" in ran.err, "systems" in ran.err) == (0, True, False)
    ran = score(tmp_path / "?.jsonl", "--system-from-file", "--metrics", "rouge")
    assert (ran.code, "3 systems, matched by their ids: 40 questions." in ran.err) == (0, True)
    assert re.search(r"^a\.jsonl +\d", ran.out, re.M)


def test_names_that_are_cut_are_told_apart_and_too_many_files_are_not_read(tmp_path: Path, score: Command) -> None:
    long = [write_jsonl(tmp_path / f"{'n' * 60}_{name}_{'n' * 60}.jsonl", make_answers(name)) for name in "ab"]
    ran = score(*long, "--metrics", "rouge")
    assert ran.code == 0
    assert all(f"nn_{name}_nn" in ran.out for name in "ab")
    more = [write_jsonl(tmp_path / f"{at}.jsonl", [{"reference": "a", "answer": at}]) for at in range(51)]
    ran = score(*more, "--metrics", "rouge")
    assert (ran.code, ran.err) == (2, "score.py: There are 51 systems; at most 50 are compared.\n"), "no cell was read"


# How they are matched, and what is refused at both doors: test_two_doors.py.


def test_several_answers_to_a_question_are_repeats(tmp_path: Path, score: Command) -> None:
    own = {"b": make_answers("b") + make_answers("b", turn=1) + make_answers("b", turn=2)[::-1]}
    report, out = tmp_path / "r.json", tmp_path / "out.jsonl"
    ran = score(*write_systems(tmp_path, "ab", own), "--metrics", "rouge", "--report", report, "--out", out)
    assert (ran.code, "b.jsonl: 120 answers to 40 questions." in ran.err) == (0, True), ran.err
    alone = tmp_path / "alone.jsonl"
    assert score(tmp_path / "b.jsonl", "--metrics", "rouge", "--out", alone).code == 0
    scores: dict[str, list[float]] = {}
    for row in read_jsonl(alone):
        scores.setdefault(row["id"], []).append(row["rougeL"])
    means = [fmean(several) for several in scores.values()]
    assert [row["rougeL (b.jsonl)"] for row in read_jsonl(out)] == pytest.approx(means)
    assert [json.loads(row["answer (b.jsonl)"]) for row in read_jsonl(out)][3] == [
        answer_question("b", 3, turn) for turn in range(3)
    ]
    sections = read_sections(report)
    (pair,) = [row for row in sections[PAIRS]["rows"] if row["metric"] == "rougeL"]
    first = [row["rougeL (a.jsonl)"] for row in read_jsonl(out)]
    assert pair["mean_second"] == pytest.approx(fmean(means))
    assert [pair["difference"], pair["low"], pair["high"]] == pytest.approx(
        [intervals.compare_means(first, means)[0], *(intervals.compare_means(first, means)[1] or ())]
    )
    spread = fmean(map(stdev, scores.values()))
    told = next(line for line in sections[PAIRS]["lines"] if line.startswith("How far scores of one system’s answers"))
    assert told.endswith(f"ROUGE-L {spread:.4f}.")
    assert pair["repeats"] == pytest.approx(spread)
    counts = {row["system"]: row["scored"] for row in sections["scores"]["rows"]}
    assert counts == {"a.jsonl": 40, "b.jsonl": 120}


# What is wrong is said; the rest goes on, or is refused

FIFTY_ONE = [f"s{number}" for number in range(51)]
LONG = [{**row, "model": name} for name in "abc" for row in make_answers(name)]
# The files, further arguments, the exit code and what is said.
SAID: list[tuple[dict[str, Rows], str, int, str]] = [
    (
        {"a": make_answers("a"), "b": [], "c": make_answers("c")},
        "{a} {b} {c}",
        0,
        "b.jsonl is left out: b.jsonl has no rows.",
    ),
    (
        {"a": make_answers("a"), "b": [], "c": []},
        "{a} {b} {c}",
        2,
        "Fewer than two of the files have anything to score",
    ),
    ({"a": make_answers("a"), "b": []}, "{a} {b}", 2, "b.jsonl has no rows"),
    ({"a": make_answers("a"), "b": make_answers("b")}, "{a} {b} {a}", 0, "2 systems, matched"),
    ({"a": make_answers("a")}, "{a} {a}", 0, "Named twice, and read once: "),
    (
        {"a": [make_question(one) | {"p": "x", "r": "y"} for one in range(9)]},
        "{a} --prediction p p r",
        0,
        "read once: p.",
    ),
    (
        {"a": [make_question(one) | {"p": "x", "r": "y"} for one in range(9)]},
        "{a} --prediction p r --system id",
        2,
        "of several each is a system",
    ),
    ({one: make_answers("a", [1]) for one in FIFTY_ONE}, " ".join(f"{{{one}}}" for one in FIFTY_ONE), 2, "51 systems"),
    (
        {"l": [row | {"id": at, "model": at} for at, row in enumerate(make_answers("a"))]},
        "{l} --system model",
        2,
        "have no question in common",
    ),
    ({"l": LONG}, "{l} --system nope", 2, "There is no column “nope” for the role “system”"),
    ({"l": LONG}, "{l} --system=", 0, "120 rows are 40 clusters"),
]


@pytest.mark.parametrize(("own", "arguments", "code", "words"), SAID)
def test_what_is_wrong_with_systems_is_said(
    own: dict[str, Rows], arguments: str, code: int, words: str, tmp_path: Path, score: Command
) -> None:
    places = {one: str(write_jsonl(tmp_path / f"{one}.jsonl", rows)) for one, rows in own.items()}
    ran = score(*[argument.format(**places) for argument in arguments.split()], "--metrics", "bleu")
    assert (ran.code, words in ran.err + ran.out) == (code, True), ran.err
    assert bool(ran.out) == (code == 0)


def test_a_metric_that_stops_for_one_system_leaves_the_others_their_scores(tmp_path: Path, score: Command) -> None:
    def answer_fifty(request: Request, number: int) -> Reply:
        if number >= 50:
            return error(429, "You exceeded your current quota", "insufficient_quota", "insufficient_quota")
        return judges.compared(request)

    report = tmp_path / "r.json"
    with JudgeServer(answer_fifty) as server:
        given = ["--set", "eve_judge.max_concurrency=1", "--report", report]
        ran = score(*write_systems(tmp_path), "--metrics", "rouge", "eve_judge", *judge_options(server), *given)
    assert ran.code == 1
    for told in (
        "b.jsonl: EVE judge: 30 of 40 rows could not be scored",
        "c.jsonl: EVE judge: 40 of 40 rows could not",
    ):
        assert told in ran.out
    sections = read_sections(report)
    table = {row["system"]: row for row in sections[TABLE]["rows"]}
    assert table["c.jsonl"]["eve_judge"] is None
    assert all(row["rougeL"] > 0 for row in table.values())
    pairs = [row for row in sections[PAIRS]["rows"] if row["metric"] == "eve_judge"]
    assert [(row["first"], row["second"], row["questions"]) for row in pairs] == [("a.jsonl", "b.jsonl", 10)]
    assert len([row for row in sections[PAIRS]["rows"] if row["metric"] == "rougeL"]) == 3


# What comes of it


def test_two_systems_have_the_figures_of_a_pair(tmp_path: Path, score: Command) -> None:
    report, out = tmp_path / "r.json", tmp_path / "out.jsonl"
    given = [*write_systems(tmp_path, "ad"), "--metrics", "rouge", "bleu", "--report", report, "--out", out]
    assert score(*given).code == 0
    found = read_report(report)[PAIRS]
    for key in ("rougeL", "bleu", "rouge2"):
        columns = [[row[f"{key} ({name}.jsonl)"] for row in read_jsonl(out)] for name in "ad"]
        difference, interval, p_value = intervals.compare_means(*columns)
        wins = intervals.count_wins_ties_losses(*columns)
        assert interval
        row = found[key]
        assert [row["mean_first"], row["mean_second"]] == pytest.approx(list(map(fmean, columns)), abs=1e-15)
        assert [row["difference"], row["low"], row["high"]] == pytest.approx([difference, *interval], abs=1e-15)
        assert row["p"] == pytest.approx(p_value, abs=1e-15)
        assert (row["won"], row["tied"], row["lost"]) == wins


HOSTILE = "<script>&\"x'|_%$.jsonl"


def test_reports_in_every_form(tmp_path: Path, score: Command) -> None:
    hostile = write_jsonl(tmp_path / HOSTILE, make_answers("e"))
    kinds = ("md", "tex", "json", "svg", "txt")
    given = [one for kind in kinds for one in ("--report", tmp_path / f"r.{kind}")]
    ran = score(*write_systems(tmp_path, "ad"), hostile, "--metrics", "rouge", "correctness_estimate", *given)
    assert ran.code == 0
    text = {kind: (tmp_path / f"r.{kind}").read_text("utf-8") for kind in kinds}
    assert re.search(
        r"^\| a\.jsonl +\| +\*\*0\.\d{3} ± 0\.\d{3}\*\* \| +\*\*0\.\d{3} ± 0\.\d{3}\*\* \| +1 \|$", text["md"], re.M
    )
    assert "&lt;script&gt;&amp;" in text["md"]
    assert "<script>" not in text["md"] + text["svg"]
    cell = r"0\.\d{3}\{\\tiny\$\\pm\$0\.\d{3}\}"
    assert re.search(rf"^a\.jsonl & \\textbf\{{{cell}\}} & \\textbf\{{{cell}\}} & 1 \\\\$", text["tex"], re.M)
    assert re.search(rf"^d\.jsonl & {cell} & {cell} & 2 \\\\$", text["tex"], re.M)
    assert [text["tex"].count(rf"\{rule}rule") for rule in ("top", "mid", "bottom")] == [4, 4, 4]
    table = read_sections(tmp_path / "r.json")[TABLE]["rows"]
    assert [row["system"] for row in table] == ["a.jsonl", "d.jsonl", HOSTILE]
    assert all(row["rougeL_low"] < row["rougeL"] < row["rougeL_high"] for row in table)
    drawn = ElementTree.fromstring(text["svg"])
    said = [one.text for one in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert (said.count("a.jsonl"), sum("…" in str(one) for one in said)) == (2, 2), "in the panel of each metric"
    titles = [one.text or "" for one in drawn.iter("{http://www.w3.org/2000/svg}title")]
    assert len(titles) == 6
    assert f"{HOSTILE}: {table[2]['rougeL']:.3f}" in "".join(titles)
    assert re.search(r"^a\.jsonl +0\.\d{3} ± 0\.\d{3}\* +0\.\d{3} ± 0\.\d{3}\* +1$", ran.out, re.M)
    # Which ranking to believe stands in all of them; the terminal compares three systems by the first metric alone.
    for kind in ("md", "tex", "json", "txt"):
        assert "mean of ROUGE-L ranks systems no better than chance" in " ".join(text[kind].split())
    assert "mean of ROUGE-L ranks systems no better than chance" in " ".join(ran.out.split())
    assert re.search(r"^Metric: Correctness estimate, Questions: 40$", ran.out, re.M)
    assert re.search(r"^a\.jsonl  +d\.jsonl  +0\.", ran.out, re.M)
    for title in ("Correctness( estimate)?", "ROUGE-L", "ROUGE-1"):
        assert re.search(rf"^{title}  +a\.jsonl  +d\.jsonl", text["txt"], re.M)


def test_of_many_systems_the_terminal_shows_the_differences_with_the_best(tmp_path: Path, score: Command) -> None:
    rows = [
        {**make_question(one), "model": f"m{model}", "answer": answer_question("abcde"[model % 5], one, model)}
        for model in range(8)
        for one in QUESTIONS
    ]
    report = tmp_path / "r.txt"
    ran = score(write_jsonl(tmp_path / "l.jsonl", rows), "--metrics", "rouge", "--report", report)
    assert ran.code == 0
    assert re.search(r"^Metric: ROUGE-L, System A: m0, Mean A: [\d.]+, Questions: \d+$", ran.out, re.M)
    assert len(re.findall(r"^m\d  +[\d.]+ +[-\d.]+ +\[", ran.out, re.M)) == 7
    assert len(re.findall(r"^ROUGE-L  +m\d +m\d ", report.read_text("utf-8"), re.M)) == 28
    assert "differences with the system of the highest mean" in ran.out


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_that_look_alike_stay_two_systems(language: str, tmp_path: Path, score: Command) -> None:
    long = "x" * 30
    names = [f"{long}{middle}{long}" for middle in "12"] + ["p", "p ", "p (4)"]
    rows = [
        make_question(one) | {name: answer_question("abcde"[at], one) for at, name in enumerate(names)}
        for one in QUESTIONS
    ]
    report, out = tmp_path / "r.json", tmp_path / "out.jsonl"
    ran = score(
        write_jsonl(tmp_path / "w.jsonl", rows),
        "--prediction",
        *names,
        "--metrics",
        "rouge",
        "--report",
        report,
        "--out",
        out,
        "--language",
        language,
    )
    assert ran.code == 0, ran.err
    table = read_sections(report)["systems"]["rows"]
    assert len({next(iter(row.values())) for row in table}) == 5
    assert ("5 systems, matched by" in report.read_text("utf-8")) == (language == "en")
    assert len([name for name in read_jsonl(out)[0] if name.startswith("rougeL (")]) == 5


def test_the_scored_rows_have_every_system(tmp_path: Path, score: Command) -> None:
    wide = [make_question(one) | {name: answer_question(name, one) for name in "abc"} for one in QUESTIONS]
    ways: dict[str, list[Any]] = {
        "files": write_systems(tmp_path, own={"b": make_answers("b")[::-1]}),
        "wide": [write_jsonl(tmp_path / "w.jsonl", wide), "--prediction", *"abc"],
        "long": [write_jsonl(tmp_path / "l.jsonl", LONG)],
    }
    found = {}
    for way, given in ways.items():
        for kind in ("jsonl", "csv", "parquet"):
            out = tmp_path / f"{way}.out.{kind}"
            assert score(*given, "--metrics", "rouge", "bleu", "--out", out).code == 0
        found[way] = read_jsonl(tmp_path / f"{way}.out.jsonl")
        table = list(csv.DictReader(io.StringIO((tmp_path / f"{way}.out.csv").read_text("utf-8"))))
        assert [*table[0]] == [*found[way][0]]
    assert {"rouge1 (a.jsonl)", "rougeL (c.jsonl)", "answer", "answer (b.jsonl)"} <= {*found["files"][0]}
    assert {"rouge1 (a)", "rougeL (c)", "a", "b", "c"} <= {*found["wide"][0]}
    assert not [name for name in found["wide"][0] if name.startswith("answer")], "they stand in the table already"
    assert {"rouge1", "model"} <= {*found["long"][0]}
    own = {(row["id"], row["model"]): row["rougeL"] for row in found["long"]}
    for one, other in zip(found["files"], found["wide"], strict=True):
        assert one["answer (b.jsonl)"] == other["b"] == answer_question("b", int(one["id"][1:]))
        for name in "abc":
            assert one[f"rougeL ({name}.jsonl)"] == other[f"rougeL ({name})"] == own[one["id"], name]


def test_gates_of_three_systems(tmp_path: Path, score: Command) -> None:
    a, b, c = write_systems(tmp_path)
    e = write_jsonl(tmp_path / "e.jsonl", make_answers("e"))
    cases: list[tuple[list[Any], int, list[str]]] = [
        ([a, b, e, "--fail-if-worse"], 0, []),
        ([e, a, b, "--fail-if-worse"], 3, [f"e.jsonl is worse than {name}.jsonl on ROUGE-L: the 95%" for name in "ab"]),
        ([b, a, c, "--fail-under", "rougeL=0.01"], 0, []),
        ([e, a, c, "--fail-under", "rougeL=0.9"], 3, ["e.jsonl: rougeL is not certainly 0.9 or more: its 95%"]),
    ]
    for given, code, words in cases:
        ran = score(*given, "--metrics", "rouge")
        assert (ran.code, [one for one in words if one not in ran.err]) == (code, [])


# Verdicts


def test_a_sample_of_questions_is_read_without_telling_whose_an_answer_is(tmp_path: Path, score: Command) -> None:
    sample, report = tmp_path / "sample.jsonl", tmp_path / "r.json"
    given = write_systems(tmp_path, "ade", {"d": [row | {"secret": "d"} for row in make_answers("d")][::-1]})
    assert score(*given, "--sample", 25, "--out", sample).code == 0
    read, by = read_jsonl(sample), dict[int, list[str]]()
    assert [*read[0]] == ["row", "id", "question", "reference", "answer", "verdict", "answer_sha256"]
    for row in read:
        by.setdefault(row["row"], []).append(row["answer"])
        assert row["id"] == f"q{row['row'] - 1}"
    assert len(by) == 25
    for at, texts in by.items():
        assert sorted(texts) == sorted({answer_question(name, at - 1) for name in "ade"}), "equal answers are read once"
    firsts = [next(name for name in "ade" if answer_question(name, at - 1) == texts[0]) for at, texts in by.items()]
    assert len({*firsts}) > 1, "in an order by chance"
    judged = [row | {"verdict": "right" if row["reference"] in row["answer"] else "wrong"} for row in read]
    ran = score(
        *given,
        "--metrics",
        "rouge",
        "correctness_estimate",
        "--verdict",
        write_jsonl(sample, judged),
        "--report",
        report,
    )
    assert ran.code == 0, ran.err
    sections = read_sections(report)
    for name in "ade":
        share, _ = [row for row in sections["verdict_shares"]["rows"] if row["system"] == f"{name}.jsonl"]
        right = sum(f"city {at - 1}." in answer_question(name, at - 1) for at in by)
        # Each verdict counts by its question's chance to be drawn, which differs a little here.
        assert share["share"] == pytest.approx(right / 25, abs=0.0501)
    differences = sections["verdict_differences"]
    pairs = {(row["first"], row["second"]) for row in differences["rows"]}
    assert pairs == {(f"{one}.jsonl", f"{other}.jsonl") for one, other in ("ad", "ae", "de")}
    for row in differences["rows"]:
        assert row["low"] <= row["difference"] <= row["high"]
    assert any("Ranks beyond chance: a.jsonl 1" in line for line in differences["lines"])
    # The same verdicts in a column of each file, or of one long table.
    marked = [{**row, "model": name, "human": "city" in row["answer"]} for name in "ade" for row in make_answers(name)]
    shares = []
    for files_ in (
        [write_jsonl(tmp_path / "l.jsonl", marked)],
        [write_jsonl(tmp_path / f"{name}2.jsonl", [row for row in marked if row["model"] == name]) for name in "ade"],
    ):
        ran = score(
            *files_, "--metrics", "correctness_estimate", "--verdict", "human", "--report", report, "--overwrite"
        )
        assert ran.code == 0, ran.err
        found = read_sections(report)
        shares.append([row | {"system": row["system"][0]} for row in found["verdict_shares"]["rows"]])
        assert len(shares[-1]) == 6
    assert shares[0] == shares[1]
