"""Scoring files with models and judges: unscored rows, failing metrics, settings.

Also that the catalog of metrics is complete, and that the examples in docstrings run.
"""

from __future__ import annotations

import doctest
import importlib
import pkgutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import lens
import pytest
from lens.scoring import catalog
from lens.words import has_text

from tests.demo.command_runs import (
    Command,
    CommandRun,
    Rows,
    judge_options,
    read_jsonl,
    read_report,
    write_jsonl,
)
from tests.support import judges, models
from tests.support.judge_server import JudgeServer, Reply, Request, make_verdict
from tests.support.project import ANSWER_METRICS, METRICS_WITH_TOKENS, load


def test_every_metric_is_in_every_table_of_the_catalog() -> None:
    names = {metric.name for metric in catalog.METRICS}
    assert sorted(names) == ANSWER_METRICS, "METRICS of scoring/catalog.py"
    with_series = {series.metric for series in catalog.SERIES}
    assert with_series == {*names, catalog.CASCADE.name}, "COLUMNS of scoring/catalog.py"
    counted = {metric.name for metric in catalog.METRICS if metric.counts_tokens}
    assert set(METRICS_WITH_TOKENS) == counted, (
        'counts_tokens in METRICS must be set for metrics that take per_example="brief"'
    )


def test_every_metric_and_series_has_its_texts() -> None:
    keys = []
    for metric in catalog.METRICS:
        keys.append(f"metric.measures.{metric.name}")
        if not metric.fixed_title:
            keys.append(f"metric.title.{metric.name}")
    assert not [key for key in keys if not has_text(key)], "words/en.json and zh.json lack these"
    assert all(series.title for series in catalog.SERIES)


def test_the_examples_in_docstrings_run() -> None:
    attempted = 0
    for module in pkgutil.walk_packages(lens.__path__, "lens."):
        if module.name.startswith("lens.page"):
            continue
        result = doctest.testmod(importlib.import_module(module.name))
        assert result.failed == 0, module.name
        attempted += result.attempted
    assert attempted > 30


def make_answered_rows(*texts: str, reference: Any = "x", **more: Any) -> Rows:
    """Return a row for each answer, with the same reference."""
    return [{"question": "?", "prediction": text, "reference": reference, **more} for text in texts]


def score_file(
    score: Command,
    folder: Path,
    rows: Rows,
    *arguments: str,
    more_files: Sequence[Path] = (),
) -> tuple[CommandRun, dict[str, Any]]:
    """Score rows in small blocks; return the run, and the scores in its report by series."""
    source = write_jsonl(folder / "a.jsonl", rows)
    report = folder / "report.json"
    written = ["--report", report, "--out", folder / "out.jsonl", "--overwrite", "--restart"]
    ran = score(source, *more_files, "--metrics", *arguments, *written, "--block-rows", "4")
    return ran, read_report(report)["scores"]


def test_models_score_blocks_of_rows_like_the_modules_score_all_rows(
    tmp_path: Path, score: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = models.find_minilm()
    monkeypatch.setenv("ANSWER_LENS_EMBEDDING_MODEL", folder)
    monkeypatch.setenv("ANSWER_LENS_BERTSCORE_MODEL", folder)
    answers = []
    for number in range(3):
        answers += [f"red moss {number}", f"他在北京大学读书 {number}", f"Ответ такой {number}"]
    columns = {"predictions": answers, "references": [["blue moss", "moss"]] * 9}
    cosine = load("cosine_similarity").compute(**columns, signature=True, model=folder)
    bert = load("bertscore").compute(**columns, signature=True, model_type=folder, num_layers=6)
    means = {f"bertscore_{name}": bert[name] for name in ("precision", "recall", "f1")}
    means |= {"cosine_similarity": cosine["average_cosine_similarity"]}
    rows = make_answered_rows(*answers, reference=["blue moss", "moss"])
    ran, scores = score_file(score, tmp_path, rows, "cosine_similarity", "bertscore")
    means_of_command = {name: figures["mean"] for name, figures in scores.items()}
    assert means_of_command == pytest.approx(means, abs=1e-6)
    assert cosine["signature"] in ran.out
    assert bert["signature"] in ran.out


def test_settings_of_the_command_reach_the_module(tmp_path: Path, score: Command) -> None:
    rows = make_answered_rows(
        "He was born in Paris and was raised there",
        reference="She was born in Paris",
        keywords="Paris",
    )
    for mode, mean in {"code": 4 / 7, "paper": 2 / 3}.items():
        setting = ("--set", f"lv_eval_f1.mode={mode}")
        _ran, scores = score_file(score, tmp_path, rows, "lv_eval_f1", *setting)
        assert scores["lv_eval_f1"]["mean"] == pytest.approx(mean)


def test_a_row_without_a_verdict_has_a_reason_and_notes_of_blocks_are_added_up(
    tmp_path: Path, score: Command
) -> None:
    def answer_request(request: Request, number: int) -> Reply:
        reply = judges.compare_texts(request)
        if "bad" in request.prompt:
            reply = make_verdict("I would rather not.")
        return Reply({**reply.body, "usage": None, "model": f"served-{number % 2}"})

    with JudgeServer(answer_request) as server:
        one_at_a_time = ("--set", "eve_judge.max_concurrency=1")
        rows = make_answered_rows("bad", *"xyxyxyxy")
        ran, scores = score_file(
            score, tmp_path, rows, "eve_judge", *judge_options(server), *one_at_a_time
        )
    assert ran.code == 0
    figures = scores["eve_judge"]
    assert figures["mean"] == 0.5
    assert figures["scored"] == 8
    assert figures["unscored"] == 1
    assert "served:served-0+served-1" in ran.out
    assert "the server reported no tokens for 9 replies: Cost and tokens leave them out" in ran.out
    assert "EVE judge: price unknown" in ran.out
    first, second, *_ = read_jsonl(tmp_path / "out.jsonl")
    assert first["eve_judge"] is None
    assert first["eve_judge_reason"] == "no_verdict"
    assert second["eve_judge"] == 1.0


def test_a_metric_that_cannot_be_computed_has_no_score_and_others_have_theirs(
    tmp_path: Path, score: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANSWER_LENS_EMBEDDING_MODEL", "/nowhere/at/all")
    rows = make_answered_rows(*"xyxyx")
    second_file = write_jsonl(tmp_path / "b.jsonl", make_answered_rows(*"yyyyy"))
    for more_files in ((), (second_file,)):
        ran, scores = score_file(
            score, tmp_path, rows, "cosine_similarity", "rouge", more_files=more_files
        )
        assert ran.code == 1
        assert "/nowhere" not in ran.out
        cosine = scores["cosine_similarity"]
        assert cosine["mean"] is None
        assert cosine["low"] is None
        assert cosine["unscored"] == 5
        assert scores["rougeL"]["scored"] == 5
    report = read_report(tmp_path / "report.json")
    assert "cosine_similarity" not in report["differences"], "systems without scores are compared"
    first, second = (report["systems"][name] for name in ("a.jsonl", "b.jsonl"))
    assert first["cosine_similarity"] is None
    assert second["cosine_similarity"] is None
    assert first["best_rank"] == 1
    assert first["worst_rank"] == 2


@pytest.mark.parametrize(
    ("references", "has_note"),
    [
        (["['a', 'b']", '["a"]', "[1] a source", "plain", "[]"], True),
        ([["['a']"]], False),
    ],
)
def test_references_that_are_lists_written_as_text_are_counted(
    references: list[Any], has_note: bool, tmp_path: Path, score: Command
) -> None:
    rows: Rows = []
    for reference in references:
        rows += make_answered_rows("a", reference=reference)
    ran, _scores = score_file(score, tmp_path, rows, "rouge")
    assert ("2 of 5 references are lists written as text" in ran.err) == has_note
