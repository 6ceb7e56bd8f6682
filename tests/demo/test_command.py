"""The command score.py as users call it: scored rows, reports, exit codes and error messages."""

from __future__ import annotations

import csv
import hashlib
import json
import re
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest
from lens import VERSION
from lens.commands import targets
from lens.commands.arguments import parse_arguments
from lens.commands.options import build_parser

from tests.demo.command_runs import (
    KEY,
    OVERLAP_METRICS,
    SPACE,
    Command,
    Rows,
    compute_overlap_scores,
    judge_options,
    make_mixed_rows,
    read_folder,
    read_jsonl,
    read_report,
    read_sections,
    start_python,
    write_jsonl,
)
from tests.support import judges
from tests.support.decision_server import DecisionServer
from tests.support.judge_server import JudgeServer, Reply, Request, make_error
from tests.support.project import ROOT, load


def read_scored_rows(path: Path) -> Rows:
    """Return the rows of a CSV, JSON Lines or Parquet file."""
    if path.suffix == ".csv":
        with open(path, newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))
    if path.suffix == ".jsonl":
        return read_jsonl(path)
    from pyarrow import parquet

    return list(parquet.read_table(path).to_pylist())


TEXTS = [
    ("Niagara Falls lies in Canada", "Niagara Falls lies in Mexico", "Mexico"),
    ("他在北京大学读书", "他在北京大学学习", "北京大学"),
    ("", "nothing was said", ""),
    ("the same", "the same", "same"),
    ("Ответ такой", "Ответ такой", ""),
    ("a b c d e f", "f e d c b a", "g"),
]


# Cells of other types in a column that begins with texts.
LATER_CELLS: list[Any] = [["b"], 1, {"a": 1}]


def make_text_rows() -> Rows:
    """Return 60 rows in several languages with awkward cells and column names."""
    rows: Rows = []
    for number, (prediction, reference, keywords) in enumerate(TEXTS * 10):
        references = [reference]
        if number % 5 == 0:
            references.append(f"or {reference}")
        row: dict[str, Any] = {"id": f"{number:03}", "answers": references, "gold_ans": keywords}
        row["response"] = f"{prediction} {number % 7}"
        row["kind"] = "odd" if number % 2 else "even"
        # A column with the name of a score is renamed: "input_rouge1".
        row |= {"more": "x", "rouge1": "mine"}
        rows.append(row)
    for row, cell in zip(rows[2:], LATER_CELLS, strict=False):
        row["more"] = cell
    rows[1]["response"] = "=1+1"
    return rows


@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet"])
def test_a_files_scores_equal_those_of_the_modules(
    kind: str, tmp_path: Path, score: Command
) -> None:
    rows = make_text_rows()
    table = write_jsonl(tmp_path / "r.jsonl", rows)
    out = tmp_path / f"scored.{kind}"
    reports = [tmp_path / name for name in ("r.md", "r.tex", "r.json")]
    options = ["--block-rows", "7", "--group", "kind", "--out", out]
    for report in reports:
        options += ["--report", report]
    ran = score(table, "--metrics", *OVERLAP_METRICS, *options)
    assert ran.code == 0
    answers = check_cells(read_scored_rows(out), rows, kind)
    texts = {"predictions": [row["response"] for row in rows], "references": answers}
    expected = compute_overlap_scores([row["gold_ans"] for row in rows], **texts)
    scored = read_scored_rows(out)
    for series, scores in expected.items():
        assert [float(row[series]) for row in scored] == scores

    signatures = []
    means = {series: fmean(scores) for series, scores in expected.items()}
    for name in OVERLAP_METRICS:
        result = load(name).compute(**texts, signature=True)
        signatures.append(result["signature"])
        if name == "bleu":
            means["corpus_bleu"] = result["bleu"]
    markdown, tex, json_report = reports
    assert r"\toprule" in tex.read_text("utf-8")
    assert "reference = answers, answer keywords = gold_ans" in ran.err
    assert re.search(r"\.\w+: 100%.* 240/240 ", ran.err)
    check_means(read_report(json_report), means, expected)
    first_only = "several references: 12. These read the first only: LV-Eval F1, LV-Eval ROUGE."
    for text in (ran.out, markdown.read_text("utf-8")):
        for words in (f"{means['lv_eval_f1']:.4f}", first_only, *signatures):
            assert words in text


def check_cells(scored: Rows, rows: Rows, kind: str) -> list[Any]:
    """Check that scored rows still have the table's cells; return their references."""
    assert [row["id"] for row in scored] == [row["id"] for row in rows]
    assert {row["input_rouge1"] for row in scored} == {"mine"}
    assert scored[1]["response"] == ("'=1+1" if kind == "csv" else "=1+1")
    later = [row["more"] for row in scored[2:5]]
    answers = [row["answers"] for row in scored]
    if kind != "jsonl":
        later = [json.loads(cell) for cell in later]
    if kind == "csv":
        answers = [json.loads(cell) for cell in answers]
    assert later == LATER_CELLS
    assert answers == [row["answers"] for row in rows]
    return answers


def check_means(report: Any, means: dict[str, float], scores: dict[str, list[float]]) -> None:
    """Check the means in a report: of all rows, and of both groups."""
    reported_means = {}
    for series, figures in report["scores"].items():
        reported_means[series] = figures["mean"]
        assert figures["scored"] == 60
    assert reported_means == pytest.approx(means, abs=1e-15)
    for group, first in (("even", 0), ("odd", 1)):
        mean = report["groups"][group]["lv_eval_f1"]
        expected = fmean(scores["lv_eval_f1"][first::2])
        assert mean == pytest.approx(expected, abs=1e-15)


def test_two_systems_are_matched_by_id_and_compared_on_rows_that_are_scored_for_both(
    tmp_path: Path, score: Command
) -> None:
    first_rows = make_mixed_rows(30, wrong_every=10)
    second_rows = make_mixed_rows(30, wrong_every=3)
    first_rows[1]["response"] = None
    second_rows[2]["response"] = None
    first = write_jsonl(tmp_path / "a.jsonl", first_rows)
    second = write_jsonl(tmp_path / "b.jsonl", second_rows[::-1])
    out = tmp_path / "s.jsonl"
    report = tmp_path / "r.json"
    arguments = ["--metrics", "rouge", "--empty", "none", "--out", out, "--report", report]
    ran = score(first, second, *arguments)
    assert ran.code == 0
    assert "matched by their ids" in ran.err
    assert "9 / 16 / 2" in ran.out

    answers = {row["id"]: row["response"] for row in second_rows}
    # Rows that lack an answer of a system, and row 00005, which has no reference.
    incomplete = {"00001": (None, 1.0), "00002": (1.0, None), "00005": (None, None)}
    compared = []
    for row in read_scored_rows(out):
        assert row["answer (b.jsonl)"] == answers[row["id"]]
        scores = (row["rougeL (a.jsonl)"], row["rougeL (b.jsonl)"])
        if row["id"] in incomplete:
            assert scores == incomplete[row["id"]]
            continue
        compared.append(scores)
        number = int(row["id"])
        assert (scores[0] == 1.0) == (number % 10 != 0)
        assert (scores[1] == 1.0) == (number % 3 != 0)
    difference = read_report(report)["differences"]["rougeL"]
    assert difference["first"] == "a.jsonl"
    assert difference["second"] == "b.jsonl"
    assert difference["mean_first"] == pytest.approx(fmean(score for score, _ in compared))
    assert difference["mean_second"] == pytest.approx(fmean(score for _, score in compared))
    assert difference["questions"] == 27


def test_a_failed_gate_exits_with_3_and_a_comparison_names_the_metrics_weakness(
    tmp_path: Path, score: Command
) -> None:
    better = write_jsonl(tmp_path / "a.jsonl", make_mixed_rows(30, wrong_every=10))
    worse = write_jsonl(tmp_path / "b.jsonl", make_mixed_rows(30, wrong_every=2))
    report = tmp_path / "r.tex"
    ran = score(better, worse, "--metrics", "rouge", "correctness_estimate", "--report", report)
    doubt = "On human verdicts the mean of ROUGE-L ranks systems no better than chance (EVOUNA, Nat"
    for text in (ran.out, report.read_text()):
        on_one_line = " ".join(text.split())
        assert "a.jsonl scores significantly higher than b.jsonl" in on_one_line
        assert doubt in on_one_line
        assert "a question is won if only the answer of A counts as right" in on_one_line
    assert doubt in " ".join(score(better, "--metrics", "rouge", "--group", "kind").out.split())
    gates: list[tuple[list[Any], int, str]] = [
        (["--fail-under", "rougeL=0.5"], 0, ""),
        (
            ["--fail-under", "rougeL=0.99"],
            3,
            "rougeL is not certainly 0.99 or more: its 95% interval begins at 0.",
        ),
        ([worse, "--fail-if-worse"], 0, ""),
    ]
    for arguments, code, words in gates:
        ran = score(better, *arguments, "--metrics", "rouge")
        assert ran.code == code
        assert words in ran.err
    ran = score(worse, better, "--metrics", "rouge", "--fail-if-worse")
    assert ran.code == 3
    assert "b.jsonl is worse than a.jsonl on ROUGE-L: the 95%" in ran.err


# Arguments and a part of the error message. {good} is a file that can be scored, in {folder}.
REFUSED = [
    ("{folder}/nothing.csv", "There is no file"),
    ("{folder}", "is a folder"),
    ("", "name a file to score"),
    ("--lv-eval {folder}/nothing", "There is no folder or zip"),
    ("{good} --lv-eval {folder}", "--lv-eval takes a folder, and no file"),
    ("{good} --split test", "good.jsonl (test) cannot be loaded"),
    ("{good} --config main", "--config goes with --split"),
    ("{good} --prediction respnse", "Did you mean “response”?"),
    ("{nested}", "row 2, is [] (list); a text is expected"),
    ("{good} --prediction nope", "There is no column “nope” for the role “answer to score”"),
    ("{good} --reference kind --prediction kind", "two roles"),
    ("{good} --out {folder}/x.xlsx", "should end in one of .csv, .jsonl, .parquet"),
    ("{good} --report {folder}/x.pdf", "should end in one of .md, .tex, .txt"),
    ("{good} --out {folder}/no/x.csv", "folder does not exist"),
    ("{good} --out {good}", "is an input"),
    ("{good} --out {short}", "it is there already. Name another file, or give --overwrite"),
    ("{good} --report {folder}/report.md", "report.md cannot be written: it is there already"),
    ("{good} --out {folder}/pieces/", "has files with the names of pieces already"),
    ("--lv-eval {folder}/official", "result.csv cannot be written: it is there already"),
    (
        "--lv-eval {folder}/official --language zh",
        "result.csv 无法写入：文件已存在。请指定其他文件名",
    ),
    ("{good} --out {folder}/made.csv", "made.csv cannot be written: it is a folder"),
    (
        "{good} --out https://me:secret@host/x.csv",
        "https://host/x.csv cannot be written: web servers take no files",
    ),
    ("{good} {nested}", "row 2, is []"),
    ("{short} {strange}", "no id of all of them comes with the same question and references"),
    ("{good} {short} --split test", "--split takes one dataset"),
    ("{good} {short} --prediction response answer", "either are the systems, not both"),
    ("{good} {short} --system kind", "of several files each is a system"),
    ("{many} --group id", "“id” has more than 200 different values"),
    ("{many} --prediction late", "No row has both"),
    ("{good} --metrics rogue", "argument --metrics: there is no “rogue”. Did you mean “rouge”?"),
    ("{good} --metrics f1", "Did you mean “lv_eval_f1”?"),
    ("--metrics rouge {good}", "good.jsonl” is a file; name the files to score before --metrics"),
    ("--prediction response {good}", "name the files to score before --prediction"),
    ("{good} --reprot x.md", "there is no option --reprot. Did you mean --report?"),
    ("{good} --workers=0", "a whole number from 1 to 1,000,000,000 is expected, got '0'"),
    (
        f"{{good}} --block-rows {'9' * 5000}",
        "a whole number from 1 to 1,000,000,000 is expected, got '999",
    ),
    (f"{{good}} --set rouge.language={'[' * 50_000}", "rouge: language is '[[["),
    (
        "{good} --fail-if-worse",
        "--fail-if-worse compares the first system with others, and there is only one",
    ),
    (
        "{good} --fail-under rouge=0.7",
        (
            "--fail-under takes SCORE=VALUE, such as correctness_estimate=0.7, got rouge=0.7; the "
            "scores are"
        ),
    ),
    ("{good} --fail-under bleu=high", "--fail-under takes SCORE=VALUE"),
    ("{good} --fail-under bleu=1_000", "--fail-under takes SCORE=VALUE"),
    ("{good} --ray-address auto", "--ray-address goes with --engine ray"),
    ("--lv-eval {folder} --report {folder}/r.md", "--report does not go with --lv-eval"),
    ("{good} --set rouge.use_stemmer", "METRIC.ARGUMENT=VALUE"),
    ("{good} --set rouge.api_key=x", "A key never stands on the command line"),
    (
        "{good} --set rouge.use_stammer=true",
        "score.py: rouge: has no argument 'use_stammer'; did you",
    ),
    ("{good} --set rouge.language=klingon", "rouge: language is 'klingon'"),
    (
        '{good} --metrics lv_eval_f1 --set lv_eval_f1.language=["en"]',
        "language has 1 entries for 2 rows",
    ),
    ("{good} --metrics bertscore --set bertscore.odf=true", "did you mean 'idf'?"),
    ("{good} --dry-run", "--dry-run is for judges"),
    ("{good} --decision", "--decision and --api are for judges"),
    ("{good} --metrics l3score --model m --api systemone", "--api goes with --decision"),
    ("{good} --metrics eve_judge", "A judge needs --model"),
    ("{good} --metrics eve_judge --model m --key-variable NO_SUCH_KEY", "NO_SUCH_KEY is not set"),
    ("{good} --metrics l3score --model m --provider nobody", "l3score: provider is 'nobody'"),
]


def write_places(folder: Path) -> dict[str, Any]:
    """Write the files that the arguments in REFUSED name, and return their paths."""
    tables: dict[str, Rows] = {
        "good": make_mixed_rows(30),
        "short": make_mixed_rows(5),
        "strange": [row | {"question": "Why?"} for row in make_mixed_rows(5)],
        "many": [row | {"late": None} for row in make_mixed_rows(201)],
        "nested": [
            {"reference": "x", "prediction": "x"},
            {"reference": "x", "prediction": [[]]},
        ],
    }
    places: dict[str, Any] = {"folder": str(folder)}
    for name, rows in tables.items():
        places[name] = write_jsonl(folder / f"{name}.jsonl", rows)
    (folder / "made.csv").mkdir()
    for name in ("report.md", "pieces/part-000000.parquet", "official/eval_result/result.csv"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("mine")
    return places


def test_wrong_arguments_exit_with_2_and_a_plain_message_and_write_nothing(
    tmp_path: Path, score: Command
) -> None:
    places = write_places(tmp_path)
    before = read_folder(tmp_path)
    for arguments, words in REFUSED:
        ran = score(*(argument.format(**places) for argument in arguments.split()))
        assert ran.code == 2, arguments
        assert ran.out == ""
        assert words in ran.err
        assert "secret" not in ran.err
        assert "usage:" not in ran.err
        assert ran.err.splitlines()[-1].startswith("score.py: ")
        assert read_folder(tmp_path) == before


def test_control_characters_in_texts_and_names_are_not_printed(
    tmp_path: Path, score: Command
) -> None:
    # Control characters, a forged line, marks that reverse the reading direction, invisible ones.
    sign = "\x1b[2J\x9b\r\nscore.py: forged\u202e\u2066\u200b\u200f\ufeff\u2028"
    rows: Rows = []
    for text in ("x y", "y", ""):
        rows.append({"reference": "x y", "prediction": text, f"k{sign}": f"g{sign}"})
    source = write_jsonl(tmp_path / f"r{sign}.jsonl", rows)
    with_other_references = [row | {"reference": "z"} for row in rows]
    second = write_jsonl(tmp_path / "b.jsonl", with_other_references)
    ran = score(source, "--metrics", "rouge", "--group", f"k{sign}")
    assert ran.code == 0
    output = ran.out + ran.err
    refused_arguments: list[tuple[Any, ...]] = [
        (source, "--id", f"x{sign}"),
        (source, second, "--id", f"k{sign}"),
        (source, "--out", tmp_path / sign / "x.csv"),
        (source, "--set", f"{sign}=1"),
        (source, "--metrics", sign),
        (source, sign),
        (f"{sign}*",),
    ]
    for arguments in refused_arguments:
        refused = score(*arguments)
        assert refused.code == 2
        output += refused.err
    assert "k\ufffd[2J\ufffd score.py: forged\ufffd\ufffd\ufffd\ufffd\ufffd" in output
    forgery = "[\x1b\x9b\u2028\u202e\u2066\u200b\u200f\ufeff]|\nscore.py: forged"
    assert not re.search(forgery, output)


def test_a_stopped_judge_exits_with_1_and_a_second_run_asks_only_about_the_other_rows(
    tmp_path: Path, score: Command
) -> None:
    def answer_some(request: Request, number: int) -> Reply:
        if number >= 12:
            return make_error(
                429,
                f"You exceeded your current quota {KEY}",
                "insufficient_quota",
                "insufficient_quota",
            )
        return judges.compare_texts(request)

    source = write_jsonl(tmp_path / "r.jsonl", make_mixed_rows(41))
    out = tmp_path / "s.csv"
    report = tmp_path / "r.md"
    cache = tmp_path / "replies.sqlite"
    with JudgeServer(answer_some) as server:
        options = ["--set", "eve_judge.max_concurrency=1", "--out", out, "--report", report]
        judge = judge_options(server, cache)
        ran = score(source, "--metrics", "eve_judge", "rouge", *judge, *options)
        assert server.keys == {KEY}
        port = server.port
    assert ran.code == 1
    assert "stopped (quota)" in ran.out
    scored = read_scored_rows(out)
    judged = [row for row in scored if row["eve_judge"]]
    assert len(judged) == 12
    assert {row["eve_judge_reason"] for row in scored} >= {"", "quota"}
    assert [row["id"] for row in scored if not row["rougeL"]] == ["00005"], (
        "only row 5, which has no reference, has no ROUGE"
    )
    assert "secret" not in out.read_text("utf-8") + report.read_text("utf-8")
    with JudgeServer(judges.compare_texts, port) as server:
        judge = judge_options(server, cache)
        ran = score(source, "--metrics", "eve_judge", *judge, "--out", out, "--overwrite")
        assert ran.code == 0
        assert len(server.requests) == 40 - 12
    assert "EVE judge (pass rate)  0.6500  [0.4832, 0.7937]" in ran.out


def test_a_dry_run_counts_requests_and_sends_none(tmp_path: Path, score: Command) -> None:
    source = write_jsonl(tmp_path / "r.jsonl", make_mixed_rows(11))
    with JudgeServer(judges.compare_texts) as server:
        judge = judge_options(server, tmp_path / "c.sqlite")
        ran = score(source, "--metrics", "l3score", "rouge", "--dry-run", *judge)
        assert ran.code == 0
        assert server.requests == []
    assert "l3score, r.jsonl: 10 calls, 0 of them answered before" in ran.out


@pytest.mark.parametrize(
    ("arguments", "path"), [([], "/v1/decisions"), (["--api", "systemone"], "/v1/systemone")]
)
def test_a_decision_model_is_asked_for_probabilities(
    arguments: list[str],
    path: str,
    tmp_path: Path,
    score: Command,
) -> None:
    source = write_jsonl(tmp_path / "r.jsonl", make_mixed_rows(11))
    out = tmp_path / "out.jsonl"
    verdicts = {"right": 0.7, "wrong": 0.2, "declined": 0.1}
    metrics = ["--metrics", "l3score", "eve_judge", "--decision"]
    with DecisionServer(lambda state, text, choices: verdicts if choices else 0.25) as server:
        options = [*metrics, *arguments, *judge_options(server, tmp_path / "c.sqlite")]
        assert score(source, *options, "--out", out).code == 0
        assert {request.path for request in server.requests} == {path}
        # The second run has all replies in the cache.
        assert score(source, *options, "--out", out, "--overwrite").code == 0
        assert len(server.requests) == 20
    # One row has no reference.
    scores = {(row["L3Score"], row["eve_judge"]) for row in read_jsonl(out)}
    assert scores == {(0.25, 1), (None, None)}


def test_the_program_prints_its_table_and_exits_with_2_for_a_missing_file(tmp_path: Path) -> None:
    program = SPACE / "score.py"
    source = write_jsonl(tmp_path / "r.jsonl", make_mixed_rows())
    report = tmp_path / "r.md"
    # A terminal that cannot print Chinese still gets the table; messages are always in English.
    arguments = ["--metrics", "rouge", "--language", "zh", "--report", report]
    with start_python(program, source, *arguments, PYTHONIOENCODING="ascii") as process:
        out, err = process.communicate(timeout=120)
    assert process.returncode == 0
    assert "ROUGE-L" in out
    assert "Traceback" not in err
    assert "answer to score = response" in err
    assert "Clopper-Pearson" in report.read_text("utf-8")
    with start_python(program, tmp_path / "missing.jsonl") as process:
        out, err = process.communicate(timeout=120)
    assert process.returncode == 2
    assert out == ""
    assert err == f"score.py: There is no file {tmp_path / 'missing.jsonl'}.\n"


def test_help_imports_no_slow_package() -> None:
    with start_python("-X", "importtime", SPACE / "score.py", "--help") as process:
        out, err = process.communicate(timeout=120)
    assert "--lv-eval" in out
    loaded = set(re.findall(r"\|\s+(\w+)$", err, re.MULTILINE))
    assert "lens" in loaded
    assert not loaded & {
        "gradio",
        "evaluate",
        "datasets",
        "torch",
        "numpy",
        "pandas",
        "pyarrow",
        "scipy",
        "fsspec",
    }


def test_the_help_has_groups_three_valid_examples_and_lines_of_at_most_100_characters(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "300")
    help_text = build_parser().format_help()
    groups = [
        "input:",
        "columns:",
        "how answers and references are read:",
        "scores:",
        "results:",
        "verdicts:",
        "gates:",
    ]
    lines = help_text.splitlines()
    assert [line for line in lines if line in groups] == groups
    assert max(map(len, lines)) <= 100
    for kind in (*targets.OUTPUTS, *targets.REPORTS, targets.PICTURE):
        assert re.search(rf"{re.escape(kind)}\b", help_text), kind
    examples = re.findall(r"^  python score\.py (.*)$", help_text, re.MULTILINE)
    assert len(examples) == 3
    for example in examples:
        assert parse_arguments(example.split()).input


def test_every_option_in_the_documents_exists() -> None:
    known = set(re.findall(r"--[a-z-]+", build_parser().format_help()))
    for document in (SPACE / "README.md", ROOT / "README.md"):
        lines = document.read_text("utf-8").splitlines()
        commands = "\n".join(line for line in lines if "score.py" in line or line.startswith("| "))
        named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", commands))
        assert named
        assert named <= known | {"--open"}


def test_a_report_counts_the_estimates_by_their_interpretation_and_those_that_are_right(
    tmp_path: Path, score: Command
) -> None:
    """Three short facts, two of them right, and a long one whose estimate is no probability."""
    long = (
        "The old harbour was closed in the spring because the river carried too much sand "
        "for the larger ships."
    )
    rows = [
        {"reference": "Paris", "answer": "Paris"},
        {"reference": "Rome", "answer": "Rome"},
        {"reference": "Oslo", "answer": "Berlin"},
        {"reference": long, "answer": "Sand closed the harbour to large ships."},
    ]
    table = write_jsonl(tmp_path / "a.jsonl", rows)
    for name in ("r.json", "r.md", "r.tex", "r.txt"):
        ran = score(table, "--metrics", "correctness_estimate", "--report", tmp_path / name)
        assert ran.code == 0, ran.err
        text = (tmp_path / name).read_text("utf-8")
        assert "What the correctness estimates are" in text
    sections = read_sections(tmp_path / "r.json")
    (row,) = sections["estimates"]["rows"]
    assert row["probability"] == 3
    assert row["ranking"] + row["likeness"] == 1
    assert row["right"] == pytest.approx(2 / 3)
    assert row["low"] < 2 / 3 < row["high"]
    assert row["mean"] == sections["scores"]["rows"][0]["mean"]


def test_a_json_report_names_its_version_date_inputs_and_settings_but_no_key(
    tmp_path: Path, score: Command
) -> None:
    first = write_jsonl(tmp_path / "a.jsonl", make_mixed_rows(12, wrong_every=10))
    second = write_jsonl(tmp_path / "b.jsonl", make_mixed_rows(12, wrong_every=4))
    path = tmp_path / "r.json"
    options = ["--metrics", "lv_eval_f1", "--set", "lv_eval_f1.mode=paper", "--report", path]
    ran = score(first, second, *options)
    assert ran.code == 0, ran.err
    report = json.loads(path.read_text("utf-8"))
    assert report["program"] == "Answer Lens"
    assert report["version"] == VERSION
    assert report["language"] == "en"
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", report["date"])
    for file, entry in zip((first, second), report["inputs"], strict=True):
        digest = hashlib.sha256(file.read_bytes()).hexdigest()
        assert entry == {"name": file.name, "sha256": digest, "rows": 12}
    settings = report["settings"]
    assert settings["metrics"] == {
        "lv_eval_f1": {"version": "0.1.0", "settings": {"mode": "paper"}}
    }
    assert settings["columns"]["prediction"] == "response"
