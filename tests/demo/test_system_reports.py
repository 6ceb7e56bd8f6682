"""Several systems: their reports, scored rows, gates and verdicts."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean, stdev
from typing import Any
from xml.etree import ElementTree

import pytest
from lens.words import LANGUAGES
from scipy import stats

from tests.demo.command_runs import (
    Command,
    Rows,
    read_jsonl,
    read_report,
    read_sections,
    write_jsonl,
)
from tests.demo.system_samples import (
    QUESTIONS,
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

SYSTEMS_SECTION = "systems"
DIFFERENCES_SECTION = "differences"
METRICS = ("rouge", "bleu", "lv_eval_f1", "correctness_estimate")


# Reports


def test_the_difference_of_two_systems_is_a_paired_test_of_their_scores(
    tmp_path: Path, score: Command
) -> None:
    report = tmp_path / "r.json"
    out = tmp_path / "out.jsonl"
    files = write_systems(tmp_path, "ad")
    assert score(*files, "--metrics", "rouge", "bleu", "--report", report, "--out", out).code == 0
    pairs = read_report(report)[DIFFERENCES_SECTION]
    rows = read_jsonl(out)
    for key in ("rougeL", "bleu", "rouge2"):
        first = list_column(rows, f"{key} (a.jsonl)")
        second = list_column(rows, f"{key} (d.jsonl)")
        pair = pairs[key]
        assert pair["mean_first"] == pytest.approx(fmean(first))
        assert pair["mean_second"] == pytest.approx(fmean(second))
        leads = [
            first_score - second_score
            for first_score, second_score in zip(first, second, strict=True)
        ]
        assert pair["difference"] == pytest.approx(fmean(leads))
        assert pair["won"] == sum(lead > 1e-12 for lead in leads)
        assert pair["lost"] == sum(lead < -1e-12 for lead in leads)
        assert pair["won"] + pair["tied"] + pair["lost"] == len(leads)

        # Student's t-test of the leads with two pseudo-leads: plus and minus the largest lead. The
        # degrees of freedom are those of the real leads.
        largest = max(map(abs, leads))
        padded = [*leads, largest, -largest]
        error = stdev(padded) / len(padded) ** 0.5
        half = stats.t.ppf(0.975, len(leads) - 1) * error
        assert pair["low"] == pytest.approx(max(fmean(padded) - half, -1))
        assert pair["high"] == pytest.approx(min(fmean(padded) + half, 1))
        t = abs(fmean(padded)) / error
        assert pair["p"] == pytest.approx(2 * stats.t.sf(t, len(leads) - 1))


HOSTILE = "<script>&\"x'|_%$.jsonl"
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def reports(tmp_path: Path, score: Command) -> dict[str, str]:
    """The report of three systems in each format, and the output in the terminal."""
    hostile = write_jsonl(tmp_path / HOSTILE, make_system_rows("e"))
    kinds = ("md", "tex", "json", "svg", "txt")
    arguments: list[Any] = [
        *write_systems(tmp_path, "ad"),
        hostile,
        "--metrics",
        "rouge",
        "correctness_estimate",
    ]
    for kind in kinds:
        arguments += ["--report", tmp_path / f"r.{kind}"]
    ran = score(*arguments)
    assert ran.code == 0
    texts = {kind: (tmp_path / f"r.{kind}").read_text("utf-8") for kind in kinds}
    return texts | {"terminal": ran.out}


def test_a_report_in_markdown_escapes_names(reports: dict[str, str]) -> None:
    text = reports["md"]
    best = r"\*\*0\.\d{3} ± 0\.\d{3}\*\*"
    assert re.search(rf"^\| a\.jsonl +\| +1 \| +{best} \| +{best} \|$", text, re.M)
    assert "&lt;script&gt;&amp;" in text
    assert "<script>" not in text


def test_a_report_in_latex_has_the_best_in_bold(reports: dict[str, str]) -> None:
    text = reports["tex"]
    cell = r"0\.\d{3}\{\\tiny\$\\pm\$0\.\d{3}\}"
    assert re.search(
        rf"^a\.jsonl & 1 & \\textbf\{{{cell}\}} & \\textbf\{{{cell}\}} \\\\$", text, re.M
    )
    assert re.search(rf"^d\.jsonl & 2 & {cell} & {cell} \\\\$", text, re.M)
    assert text.count(r"\toprule") == 4
    assert text.count(r"\midrule") == 4
    assert text.count(r"\bottomrule") == 4


def test_titles_in_the_picture_have_the_numbers_of_the_json_report(
    reports: dict[str, str], tmp_path: Path
) -> None:
    table = read_sections(tmp_path / "r.json")[SYSTEMS_SECTION]["rows"]
    assert list_column(table, "system") == ["a.jsonl", "d.jsonl", HOSTILE]
    for row in table:
        assert row["rougeL_low"] < row["rougeL"] < row["rougeL_high"]

    assert "<script>" not in reports["svg"]
    picture = ElementTree.fromstring(reports["svg"])
    labels = [element.text or "" for element in picture.iter(f"{SVG}text")]
    assert labels.count("a.jsonl") == 2, "the name must be in the panel of each metric"
    assert sum("…" in label for label in labels) == 2
    titles = [element.text or "" for element in picture.iter(f"{SVG}title")]
    assert len(titles) == 6
    assert f"{HOSTILE}: {table[2]['rougeL']:.3f}" in "".join(titles)


@pytest.mark.parametrize("kind", ["md", "tex", "json", "txt", "terminal"])
def test_every_report_says_if_a_metric_ranks_systems_no_better_than_chance(
    kind: str, reports: dict[str, str]
) -> None:
    assert "mean of ROUGE-L ranks systems no better than chance" in " ".join(reports[kind].split())


def test_the_terminal_compares_three_systems_only_by_the_first_metric_of_the_catalog(
    reports: dict[str, str],
) -> None:
    shown = reports["terminal"]
    best = r"0\.\d{3} ± 0\.\d{3}\*"
    assert re.search(rf"^a\.jsonl +1 +{best} +{best}$", shown, re.M)
    assert re.search(r"^Metric: Correctness estimate, Questions: 40$", shown, re.M)
    assert re.search(r"^a\.jsonl  +d\.jsonl  +0\.", shown, re.M)
    for title in ("Correctness( estimate)?", "ROUGE-L", "ROUGE-1"):
        assert re.search(rf"^{title}  +a\.jsonl  +d\.jsonl", reports["txt"], re.M)


def test_with_many_systems_the_terminal_shows_only_differences_with_the_best(
    tmp_path: Path, score: Command
) -> None:
    rows: Rows = []
    for model in range(8):
        for question in QUESTIONS:
            answer = answer_question("abcde"[model % 5], question, model)
            rows.append({**make_question(question), "model": f"m{model}", "answer": answer})
    report = tmp_path / "r.txt"
    ran = score(write_jsonl(tmp_path / "l.jsonl", rows), "--metrics", "rouge", "--report", report)
    assert ran.code == 0
    assert re.search(
        r"^Metric: ROUGE-L, System A: m0, Mean A: [\d.]+, Questions: \d+$", ran.out, re.M
    )
    assert len(re.findall(r"^m\d  +[\d.]+ +[-\d.]+ +\[", ran.out, re.M)) == 7
    assert len(re.findall(r"^ROUGE-L  +m\d +m\d ", report.read_text("utf-8"), re.M)) == 28
    assert "differences with the system of the highest mean" in ran.out


@pytest.mark.parametrize("language", LANGUAGES)
def test_systems_with_similar_names_stay_apart(
    language: str, tmp_path: Path, score: Command
) -> None:
    long = "x" * 30
    names = [f"{long}1{long}", f"{long}2{long}", "p", "p ", "p (4)"]
    rows: Rows = []
    for question in QUESTIONS:
        row = make_question(question)
        for name, system in zip(names, "abcde", strict=True):
            row[name] = answer_question(system, question)
        rows.append(row)
    report = tmp_path / "r.json"
    out = tmp_path / "out.jsonl"
    file = write_jsonl(tmp_path / "w.jsonl", rows)
    options = ["--metrics", "rouge", "--report", report, "--out", out, "--language", language]
    ran = score(file, "--prediction", *names, *options)
    assert ran.code == 0, ran.err
    table = read_sections(report)[SYSTEMS_SECTION]["rows"]
    assert len({row["system"] for row in table}) == 5
    assert ("5 systems, matched by" in report.read_text("utf-8")) == (language == "en")
    scores = [name for name in read_jsonl(out)[0] if name.startswith("rougeL (")]
    assert len(scores) == 5


def score_layout(
    score: Command,
    folder: Path,
    layout: str,
    arguments: Sequence[Any],
) -> Rows:
    """Score rows and return them from JSON Lines; check that CSV has the same columns.

    Args:
        score: the command.
        folder: the folder for the scored files.
        layout: the name of the layout, used as the files' name.
        arguments: the input and its options.
    """
    for kind in ("jsonl", "csv", "parquet"):
        ran = score(
            *arguments, "--metrics", "rouge", "bleu", "--out", folder / f"{layout}.out.{kind}"
        )
        assert ran.code == 0
    rows = read_jsonl(folder / f"{layout}.out.jsonl")
    table = csv.DictReader(io.StringIO((folder / f"{layout}.out.csv").read_text("utf-8")))
    assert table.fieldnames == [*rows[0]]
    return rows


def test_scored_rows_have_the_scores_of_every_system(tmp_path: Path, score: Command) -> None:
    systems = write_systems(tmp_path, other_rows={"b": make_system_rows("b")[::-1]})
    files = score_layout(score, tmp_path, "files", systems)
    wide_table = write_jsonl(tmp_path / "w.jsonl", make_wide_rows("abc"))
    wide = score_layout(score, tmp_path, "wide", [wide_table, "--prediction", *"abc"])
    long = score_layout(
        score, tmp_path, "long", [write_jsonl(tmp_path / "l.jsonl", make_long_rows("abc"))]
    )
    assert {"rouge1 (a.jsonl)", "rougeL (c.jsonl)", "answer", "answer (b.jsonl)"} <= {*files[0]}
    assert {"rouge1 (a)", "rougeL (c)", "a", "b", "c"} <= {*wide[0]}
    assert not [name for name in wide[0] if name.startswith("answer")], (
        "the table already has the answers in its own columns"
    )
    assert {"rouge1", "model"} <= {*long[0]}

    scores = {(row["id"], row["model"]): row["rougeL"] for row in long}
    for row_of_files, row_of_columns in zip(files, wide, strict=True):
        answer = answer_question("b", int(row_of_files["id"][1:]))
        assert row_of_files["answer (b.jsonl)"] == answer
        assert row_of_columns["b"] == answer
        for name in "abc":
            expected = scores[row_of_files["id"], name]
            assert row_of_files[f"rougeL ({name}.jsonl)"] == expected
            assert row_of_columns[f"rougeL ({name})"] == expected


# The files in order, a gate, the exit code, and parts of the messages.
GATES = [
    pytest.param("abe", ["--fail-if-worse"], 0, [], id="not worse"),
    pytest.param(
        "eab",
        ["--fail-if-worse"],
        3,
        [
            "e.jsonl is worse than a.jsonl on ROUGE-L: the 95%",
            "e.jsonl is worse than b.jsonl on ROUGE-L: the 95%",
        ],
        id="worse",
    ),
    pytest.param("bac", ["--fail-under", "rougeL=0.01"], 0, [], id="not under"),
    pytest.param(
        "eac",
        ["--fail-under", "rougeL=0.9"],
        3,
        ["e.jsonl: rougeL is not certainly 0.9 or more: its 95%"],
        id="under",
    ),
]


@pytest.mark.parametrize(("systems", "gate", "code", "messages"), GATES)
def test_fail_if_worse_checks_the_first_system_and_fail_under_checks_every_system(
    systems: str,
    gate: list[str],
    code: int,
    messages: list[str],
    tmp_path: Path,
    score: Command,
) -> None:
    ran = score(*write_systems(tmp_path, systems), *gate, "--metrics", "rouge")
    assert ran.code == code
    for message in messages:
        assert message in ran.err


# Verdicts


def judge_by_reference(row: dict[str, Any]) -> str:
    """Return "right" if the answer contains the reference, else "wrong"."""
    return "right" if row["reference"] in row["answer"] else "wrong"


def group_answers(sample: list[dict[str, Any]]) -> dict[int, list[str]]:
    """Return the answers in a sample by the number of their question."""
    texts: dict[int, list[str]] = {}
    for row in sample:
        question = row["row"] - 1
        assert row["id"] == f"q{question}"
        texts.setdefault(question, []).append(row["answer"])
    return texts


def check_order_of_systems(texts: dict[int, list[str]]) -> None:
    """Check that each question has all systems' answers once, in random order."""
    firsts = set()
    for question, answers in texts.items():
        systems = {answer_question(name, question): name for name in "eda"}
        assert sorted(answers) == sorted(systems), "equal answers must be in the sample once"
        firsts.add(systems[answers[0]])
    assert len(firsts) > 1, "the order of systems must be random"


def test_a_sample_of_questions_hides_the_systems_of_its_answers(
    tmp_path: Path, score: Command
) -> None:
    sample = tmp_path / "sample.jsonl"
    report = tmp_path / "r.json"
    with_name = set_cells(make_system_rows("d"), secret="d")[::-1]
    files = write_systems(tmp_path, "ade", {"d": with_name})
    assert score(*files, "--sample", 25, "--out", sample).code == 0
    read = read_jsonl(sample)
    columns = ["row", "id", "question", "reference", "answer", "verdict", "answer_sha256"]
    assert [*read[0]] == columns
    texts = group_answers(read)
    assert len(texts) == 25
    check_order_of_systems(texts)

    judged = [row | {"verdict": judge_by_reference(row)} for row in read]
    metrics = ["--metrics", "rouge", "correctness_estimate"]
    ran = score(*files, *metrics, "--verdict", write_jsonl(sample, judged), "--report", report)
    assert ran.code == 0, ran.err
    sections = read_sections(report)
    for name in "ade":
        share, _ = select_rows(sections["verdict_shares"]["rows"], system=f"{name}.jsonl")
        right = sum(f"city {question}." in answer_question(name, question) for question in texts)
        # Verdicts are weighted by the inverse of the probability that their question is drawn. It
        # differs slightly between strata, so the share is not exactly right / 25.
        assert share["share"] == pytest.approx(right / 25, abs=0.0501)
    differences = sections["verdict_differences"]
    pairs = {(row["first"], row["second"]) for row in differences["rows"]}
    assert pairs == {("a.jsonl", "d.jsonl"), ("a.jsonl", "e.jsonl"), ("d.jsonl", "e.jsonl")}
    for row in differences["rows"]:
        assert row["low"] <= row["difference"] <= row["high"]
    assert "Ranks beyond chance: a.jsonl 1" in " ".join(differences["lines"])


def test_verdicts_in_files_or_in_one_long_table_give_equal_shares(
    tmp_path: Path, score: Command
) -> None:
    files = []
    long: Rows = []
    for name in "ade":
        rows = [
            row | {"human": "city" in row["answer"], "model": name}
            for row in make_system_rows(name)
        ]
        files.append(write_jsonl(tmp_path / f"{name}2.jsonl", rows))
        long += rows
    of_table = read_shares(score, tmp_path, write_jsonl(tmp_path / "l.jsonl", long))
    of_files = read_shares(score, tmp_path, *files)
    assert len(of_table) == 6
    assert of_files == of_table


def read_shares(score: Command, folder: Path, *files: Path) -> Rows:
    """Return the shares of right answers by the column of verdicts.

    Names of systems are shortened to their first letter.
    """
    report = folder / "r.json"
    options = [
        "--metrics",
        "correctness_estimate",
        "--verdict",
        "human",
        "--report",
        report,
        "--overwrite",
    ]
    ran = score(*files, *options)
    assert ran.code == 0, ran.err
    shares = read_sections(report)["verdict_shares"]["rows"]
    return [row | {"system": row["system"][0]} for row in shares]
