"""The command score.py, as its user calls it: files in, scored rows and reports out, plain words where it cannot."""

from __future__ import annotations

import csv
import errno
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from lens.commands import score_file as score
from lens.commands.arguments import parser
from lens.tables import write as rowfiles

from tests.support import judges
from tests.support.judge_server import JudgeServer, Reply, Request, error
from tests.support.processes import search_path
from tests.support.project import ROOT, SHARED, load

SPACE = ROOT / "spaces" / "answer_lens"
KEY = "sk-secret-123456789"
Rows = list[dict[str, Any]]


def jsonl(path: Path, rows: Rows) -> str:
    """Write rows as JSON Lines."""
    path.write_text("\n".join(json.dumps(row) for row in rows), "utf-8")
    return str(path)


def rows_of(count: int = 30, wrong: int = 3) -> Rows:
    """Rows of which every third has a wrong answer, with ids, groups and a text that no reader may change."""
    return [
        {
            "id": f"{number:03}",
            "question": f"What is number {number}?",
            "answers": [f"It is the number {number}", f"number {number}"],
            "response": f"It is the number {number if number % wrong else 'NA'}",
            "kind": "odd" if number % 2 else "even",
        }
        for number in range(count)
    ]


def scored_rows(path: Path) -> Rows:
    """The rows of a scored file."""
    if path.suffix == ".csv":
        with open(path, newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    from pyarrow import parquet

    return list(parquet.read_table(path).to_pylist())


def test_a_file_is_scored_as_the_modules_score_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = rows_of()
    source = jsonl(tmp_path / "r.jsonl", rows)
    out, markdown, tex = (tmp_path / name for name in ("scored.parquet", "report.md", "report.tex"))
    code = score.main(
        [source, "--metrics", "lv_eval_f1", "rouge", "bleu", "--out", str(out), "--report", str(markdown),
         "--report", str(tex), "--group", "kind"]
    )  # fmt: skip
    printed = capsys.readouterr()
    assert code == 0
    texts = {"predictions": [row["response"] for row in rows], "references": [row["answers"] for row in rows]}
    results = {name: load(name).compute(**texts, per_example=True) for name in ("lv_eval_f1", "rouge", "bleu")}
    scored = scored_rows(out)
    assert [{name: row[name] for name in rows[0]} for row in scored] == rows
    for at, row in enumerate(scored):
        assert row["lv_eval_f1"] == results["lv_eval_f1"]["per_example"][at]["score"]
        assert row["rougeL"] == results["rouge"]["per_example"][at]["rougeL"]["fmeasure"]
        assert row["bleu"] == results["bleu"]["per_example"][at]["score"]
    for text in (printed.out, markdown.read_text("utf-8")):
        assert f"{results['lv_eval_f1']['lv_eval_f1']:.4f}" in text
        assert f"{results['bleu']['bleu']:.4f}" in text
        for result in results.values():
            assert result["signature"] in text
    assert r"\toprule" in tex.read_text("utf-8")
    assert "reference = answers" in printed.err
    assert "rouge: 30 of 30 rows" in printed.err


@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet"])
def test_every_kind_of_output_holds_the_rows_and_their_scores(kind: str, tmp_path: Path) -> None:
    later: Rows = [{"more": more} for more in ("x", None, ["b"], 1, {"a": 1})]
    rows = [
        {**row, **more, "rouge1": "mine", "response": "=1+1" if row["id"] == "001" else row["response"]}
        for row, more in zip(rows_of(5), later, strict=True)
    ]
    out = tmp_path / f"scored.{kind}"
    assert score.main([jsonl(tmp_path / "r.jsonl", rows), "--metrics", "rouge", "--out", str(out)]) == 0
    found = scored_rows(out)
    if kind == "csv":
        assert found[1]["response"] == "'=1+1"
        assert json.loads(found[0]["answers"]) == rows[0]["answers"]
    # A column may begin with a text and hold something else later.
    kept = [row["more"] for row in found[2:]]
    assert (kept if kind == "jsonl" else [json.loads(one) for one in kept]) == [["b"], 1, {"a": 1}]
    # A column that has the name of a score gives way to it.
    assert [row["input_rouge1"] for row in found] == ["mine"] * 5
    assert [float(row["rouge1"]) for row in found] == [
        load("rouge").compute(predictions=[row["response"]], references=[row["answers"]])["rouge1"] for row in rows
    ]
    assert [row["id"] for row in found] == ["000", "001", "002", "003", "004"]


def test_what_cannot_be_written_is_named_and_the_summary_is_not_lost(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    source = jsonl(tmp_path / "r.jsonl", rows_of(5))
    monkeypatch.setattr(Path, "write_text", full)
    report = tmp_path / "r.md"
    assert score.main([source, "--metrics", "rouge", "--report", str(report)]) == 1
    printed = capsys.readouterr()
    assert "ROUGE-L" in printed.out
    assert f"score.py: {report}: No space left on device" in printed.err
    monkeypatch.setattr(rowfiles.JsonRows, "add", full)
    out = tmp_path / "s.jsonl"
    assert score.main([source, "--metrics", "rouge", "--out", str(out)]) == 1
    assert f"score.py: {out}: No space left on device" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["r.jsonl"]


def test_csv_cells_come_back_as_they_were(tmp_path: Path) -> None:
    texts = ["NA", "None", "007", "a\nb", "", " x "]
    source = tmp_path / "r.csv"
    with open(source, "w", newline="", encoding="utf-8-sig") as file:
        table = csv.writer(file, quoting=csv.QUOTE_ALL)
        table.writerows([["reference", "prediction"], *([text, text] for text in texts)])
    out = tmp_path / "s.jsonl"
    assert score.main([str(source), "--metrics", "bleu", "--out", str(out)]) == 0
    assert [row["prediction"] for row in scored_rows(out)] == texts


def test_two_systems_are_compared_by_their_ids(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    better, worse = rows_of(30, wrong=10), rows_of(30, wrong=3)
    first, second = jsonl(tmp_path / "a.jsonl", better), jsonl(tmp_path / "b.jsonl", worse[::-1])
    out, report = tmp_path / "s.jsonl", tmp_path / "r.md"
    code = score.main([first, "--against", second, "--metrics", "rouge", "--out", str(out), "--report", str(report)])
    printed = capsys.readouterr()
    assert code == 0
    assert "matched by their ids" in printed.err
    assert "9 / 19 / 2" in printed.out
    assert "9 / 19 / 2" in report.read_text("utf-8")
    for row in scored_rows(out):
        number = int(row["id"])
        assert (row["rougeL"] == 1.0) == bool(number % 10)
        assert (row["rougeL_against"] == 1.0) == bool(number % 3)


def run(*arguments: str) -> int:
    """The command's exit code, argparse's too."""
    try:
        return score.main(list(arguments))
    except SystemExit as leaving:
        return int(leaving.code or 0)


# Arguments, of which {good} is a file that can be scored, {folder} where it lies; and words of the message.
REFUSED = [
    (["{folder}/nothing.csv"], "There is no file"),
    (["{folder}/good.txt"], "There is no file"),
    (["{good}", "--prediction", "nope"], "There is no column “nope” for the role “answer to score”"),
    (["{good}", "--reference", "kind", "--prediction", "kind"], "two roles"),
    (["{good}", "--out", "{folder}/x.xlsx"], "should end in one of .csv, .jsonl, .parquet"),
    (["{good}", "--report", "{folder}/x.pdf"], "should end in one of .md, .tex, .txt"),
    (["{good}", "--out", "{folder}/no/x.csv"], "folder does not exist"),
    (["{good}", "--out", "{good}"], "is an input"),
    (["{good}", "--out", "{short}"], "short.jsonl is there already. Name another file, or give --overwrite"),
    (["{good}", "--out", "{folder}/made.csv"], "made.csv cannot be written: it is a folder"),
    (["{good}", "--report", "{folder}/made.md"], "made.md cannot be written: it is a folder"),
    (["{good}", "--metrics", "lv_eval_f1", "--set", 'lv_eval_f1.language=["en"]'], "language has 1 entries for 2 rows"),
    (["--lv-eval", "{folder}", "--report", "{folder}/r.md"], "do not go with --lv-eval"),
    (["{good}", "--against", "{folder}/nothing.csv"], "There is no file"),
    (["{good}", "--against", "{short}"], "30 and 5 rows. Two systems are compared on the same rows: both files"),
    (["{good}", "--against", "{short}", "--id", ""], "30 and 5 rows"),
    (["{good}", "--split", "test"], "--split and --config belong to a dataset"),
    (["{numbers}"], "row 2, is 7 (int); a text is expected"),
    (["{good}", "--metrics", "eve_judge"], "A judge needs --model"),
    (["{good}", "--metrics", "eve_judge", "--model", "m", "--key-variable", "NO_SUCH_KEY"], "NO_SUCH_KEY is not set"),
    (["{good}", "--set", "rouge.use_stemmer"], "METRIC.ARGUMENT=VALUE"),
    (["{good}", "--set", "bertscore.idf=true"], "METRIC.ARGUMENT=VALUE"),
    (["{good}", "--set", "rouge.use_stammer=true"], "rouge has no argument 'use_stammer'; did you mean 'use_stemmer'?"),
    (["{good}", "--set", "rouge.language=klingon"], "rouge: language is 'klingon'"),
    (["{good}", "--metrics", "bertscore", "--set", "bertscore.odf=true"], "did you mean 'idf'?"),
    (["{good}", "--metrics", "l3score", "--model", "m", "--provider", "nobody"], "l3score: provider is 'nobody'"),
    (["{folder}"], "is a folder"),
    (["{good}", "--set", "rouge.api_key=x"], "A key never stands on the command line"),
    (["{good}", "--metrics", "accuracy"], "invalid choice"),
    (["{good}", "--workers=0"], "a whole number from 1 to 256 is expected"),
    (["{good}", "--workers=two"], "a whole number from 1 to 256 is expected"),
    (["{good}", "--dry-run"], "--dry-run is for judges"),
    (["{good}", "--ray-address", "auto"], "--ray-address goes with --engine ray"),
    (["a/b", "--split", "test", "--engine", "ray"], "with --engine ray the rows come from files"),
    ([], "name a file to score"),
    (["{good}", "--lv-eval", "{folder}"], "name a file to score"),
]  # fmt: skip


@pytest.mark.parametrize(("arguments", "words"), REFUSED)
def test_what_is_wrong_is_said_in_plain_words_and_nothing_is_written(
    arguments: list[str], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    places = {
        "folder": str(tmp_path),
        "good": jsonl(tmp_path / "good.jsonl", rows_of()),
        "short": jsonl(tmp_path / "short.jsonl", rows_of(5)),
        "numbers": jsonl(tmp_path / "numbers.jsonl", [{"reference": "x", "prediction": one} for one in ("x", 7)]),
    }
    for name in ("made.csv", "made.md"):
        (tmp_path / name).mkdir()
    before = {path: path.is_file() and path.read_bytes() for path in tmp_path.iterdir()}
    assert run(*(argument.format(**places) for argument in arguments)) == 2
    printed = capsys.readouterr()
    assert words in printed.err
    assert printed.out == ""
    assert "Traceback" not in printed.err
    assert {path: path.is_file() and path.read_bytes() for path in tmp_path.iterdir()} == before


def test_rows_without_an_answer_are_told_and_no_text_steers_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows: Rows = [{"reference": "x y", "prediction": text, "k\x1b[2J": "g\x1b]0;\x07"} for text in ("x y", None, "")]
    out, source = tmp_path / "s.jsonl", jsonl(tmp_path / "r\x1b[2J.jsonl", rows)
    assert score.main([source, "--metrics", "rouge", "--out", str(out), "--group", "k\x1b[2J"]) == 0
    printed = capsys.readouterr()
    assert "which are not scored: 1 (row 2)" in printed.err
    assert "no answer (null) (1)" in printed.out
    assert [row["rouge1"] for row in scored_rows(out)] == [1.0, None, 0.0]
    assert score.main([source, "--id", "k\x1b[31m"]) == 2
    assert score.main([source, "--against", jsonl(tmp_path / "b.jsonl", rows[::-1]), "--id", "k\x1b[2J"]) == 2
    assert "\x1b" not in printed.out + printed.err + "".join(capsys.readouterr())


def asked(server: JudgeServer, tmp_path: Path, *more: str) -> list[str]:
    """The arguments that name a judge."""
    cache = str(tmp_path / "replies.sqlite")
    return ["--model", "judge-1", "--base-url", server.url, "--key-variable", "MY_KEY", "--cache", cache, *more]


def test_a_judge_that_is_stopped_ends_in_1_and_a_second_run_asks_only_for_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MY_KEY", KEY)

    def stingy(request: Request, number: int) -> Reply:
        if number >= 12:
            return error(429, f"You exceeded your current quota {KEY}", "insufficient_quota", "insufficient_quota")
        return judges.compared(request)

    rows = [{**row, "answers": row["answers"][0]} for row in rows_of(40)]
    source, out, report = jsonl(tmp_path / "r.jsonl", rows), tmp_path / "s.csv", tmp_path / "r.md"
    written = ["--out", str(out), "--report", str(report)]
    with JudgeServer(stingy) as server:
        settings = ["--set", "eve_judge.max_concurrency=1"]
        code = score.main([source, "--metrics", "eve_judge", "rouge", *asked(server, tmp_path, *settings, *written)])
        assert all(request.key == KEY for request in server.requests)
        port = server.port
    printed = capsys.readouterr()
    assert code == 1
    assert "stopped (quota)" in printed.out
    scored = scored_rows(out)
    assert sum(bool(row["eve_judge"]) for row in scored) == 12
    assert {row["eve_judge_reason"] for row in scored} >= {"", "quota"}
    assert all(row["rougeL"] for row in scored)
    everything = printed.out + printed.err + out.read_text("utf-8") + report.read_text("utf-8")
    assert "secret" not in everything
    with JudgeServer(judges.compared, port) as server:
        again = asked(server, tmp_path, "--out", str(out), "--overwrite")
        assert score.main([source, "--metrics", "eve_judge", *again]) == 0
        assert len(server.requests) == 40 - 12
    printed = capsys.readouterr()
    assert "EVE judge (pass rate)  0.6500" in printed.out
    assert "secret" not in printed.out + printed.err


def test_a_dry_run_sends_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_KEY", KEY)
    with JudgeServer(judges.compared) as server:
        source = jsonl(tmp_path / "r.jsonl", [*rows_of(10), {**rows_of(1)[0], "response": None}])
        code = score.main([source, "--metrics", "l3score", "rouge", "--dry-run", *asked(server, tmp_path)])
        assert server.requests == []
    assert code == 0
    assert "l3score, r.jsonl: 20 calls, 0 of them answered before" in capsys.readouterr().out


def test_the_report_can_be_in_chinese_and_messages_are_in_english(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, report = jsonl(tmp_path / "r.jsonl", rows_of(5)), tmp_path / "r.md"
    assert score.main([source, "--metrics", "bleu", "--language", "zh", "--report", str(report)]) == 0
    printed = capsys.readouterr()
    assert "answer to score = response" in printed.err
    assert "自助法" in report.read_text("utf-8")
    assert "自助法" in printed.out
    assert score.main([source, "--prediction", "x", "--language", "zh"]) == 2
    assert "There is no column “x”" in capsys.readouterr().err


def started(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own, with the metrics of words alone."""
    environment = {**os.environ, "PYTHONPATH": search_path("rouge"), "HF_HUB_OFFLINE": "1", **environment}
    command = [sys.executable, *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=environment, timeout=120, cwd=SPACE.parent)


def test_the_program_prints_its_table_and_exits_as_it_says(tmp_path: Path) -> None:
    program, source = str(SPACE / "score.py"), jsonl(tmp_path / "r.jsonl", rows_of())
    done = started(program, source, "--metrics", "rouge")
    assert (done.returncode, "ROUGE-L" in done.stdout, "rouge: 30 of 30 rows" in done.stderr) == (0, True, True)
    # A terminal without Chinese still gets the table.
    done = started(program, source, "--metrics", "rouge", "--language", "zh", PYTHONIOENCODING="ascii")
    assert (done.returncode, "ROUGE-L" in done.stdout, "Traceback" in done.stderr) == (0, True, False)
    refused = started(program, str(tmp_path / "missing.jsonl"))
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr == f"score.py: There is no file {tmp_path / 'missing.jsonl'}.\n"


def test_help_loads_nothing_that_takes_long() -> None:
    told = started("-X", "importtime", str(SPACE / "score.py"), "--help")
    assert "--lv-eval" in told.stdout
    loaded = set(re.findall(r"\|\s+(\w+)$", told.stderr, re.MULTILINE))
    assert "lens" in loaded
    assert not loaded & {"gradio", "evaluate", "datasets", "torch", "numpy", "pandas", "pyarrow", "scipy", "fsspec"}


def test_people_s_verdicts_on_real_answers_are_scored(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = SHARED / "human" / "evouna_nq.json"
    if not path.exists():
        pytest.skip(f"{path} is not on this machine")
    found = json.loads(path.read_text("utf-8"))
    rows = [
        {"question": row["question"], "answers": row["golden_answer"] and row["golden_answer"].split("/"),
         "prediction": row["answer_fid"], "right": row["judge_fid"]}
        for row in found
    ]  # fmt: skip
    report = tmp_path / "r.md"
    arguments = ["--metrics", "lv_eval_f1", "bleu", "--group", "right", "--report", str(report)]
    assert score.main([jsonl(tmp_path / "r.jsonl", rows), *arguments]) == 0
    assert re.search(r"\| +3,608 +\|", report.read_text("utf-8"))
    assert "3,608" in capsys.readouterr().out


def test_the_documents_name_options_that_there_are() -> None:
    known = set(re.findall(r"--[a-z-]+", parser().format_help()))
    for document in (SPACE / "README.md", ROOT / "README.md"):
        lines = [
            line for line in document.read_text("utf-8").splitlines() if "score.py" in line or line.startswith("| ")
        ]
        named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", "\n".join(lines)))
        assert named
        assert named <= known | {"--open"}, named - known


def test_lv_evals_official_result_from_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [
        {"pred": "She lives in Paris", "answers": ["Paris", "ignored"], "gold_ans": "Paris", "input": "?", "length": 9},
        {"pred": "in Rome", "answers": ["Paris"], "gold_ans": "Paris", "input": "?", "length": 9},
        {"pred": "Paris", "answers": ["Paris"], "gold_ans": "Paris", "input": "?", "length": 9},
    ]
    for length in ("32k", "16k"):
        jsonl(tmp_path / f"hotpotwikiqa_mixup_{length}.jsonl", rows)
    assert score.main(["--lv-eval", str(tmp_path)]) == 0
    # F1 of "she lives in paris" is 2 * 1/4 * 1 / (1/4 + 1) = 0.4; the mean of 0.4, 0 and 1 is 46.67 percent.
    assert json.loads((tmp_path / "eval_result" / "result.json").read_text("utf-8")) == {
        "hotpotwikiqa_mixup_16k": 46.67,
        "hotpotwikiqa_mixup_32k": 46.67,
    }
    assert (tmp_path / "eval_result" / "result.csv").read_text("utf-8") == (
        "dataset_name,16k,32k\nhotpotwikiqa_mixup,46.67,46.67\n"
    )
    assert "46.67" in capsys.readouterr().out
    jsonl(tmp_path / "mystery_16k.jsonl", rows)
    assert score.main(["--lv-eval", str(tmp_path)]) == 2
    assert "mystery_16k.jsonl" in capsys.readouterr().err
