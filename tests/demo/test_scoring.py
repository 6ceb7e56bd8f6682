"""Scoring files with models and judges: unscored rows, failing metrics, settings.

Also that the catalog of metrics is complete, and that the examples in docstrings run.
"""

from __future__ import annotations

import doctest
import importlib
import json
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
        if not metric.called:
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
    others: Sequence[Path] = (),
) -> tuple[CommandRun, dict[str, Any]]:
    """Score rows in small blocks; return the run, and the scores in its report by series."""
    source, report = write_jsonl(folder / "a.jsonl", rows), folder / "report.json"
    written = ["--report", report, "--out", folder / "out.jsonl", "--overwrite", "--restart"]
    ran = score(source, *others, "--metrics", *arguments, *written, "--block-rows", "4")
    found = read_report(report)
    return ran, found["scores"]


def test_models_score_blocks_of_rows_like_the_modules_score_all_rows(
    tmp_path: Path, score: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = models.find_minilm()
    monkeypatch.setenv("ANSWER_LENS_EMBEDDING_MODEL", folder)
    monkeypatch.setenv("ANSWER_LENS_BERTSCORE_MODEL", folder)
    answers = [
        f"{text} {number}"
        for number in range(3)
        for text in ("red moss", "他在北京大学读书", "Ответ такой")
    ]
    columns = {"predictions": answers, "references": [["blue moss", "moss"]] * 9}
    cosine = load("cosine_similarity").compute(**columns, signature=True, model=folder)
    bert = load("bertscore").compute(**columns, signature=True, model_type=folder, num_layers=6)
    means = {f"bertscore_{name}": bert[name] for name in ("precision", "recall", "f1")}
    means |= {"cosine_similarity": cosine["average_cosine_similarity"]}
    rows = make_answered_rows(*answers, reference=["blue moss", "moss"])
    ran, found = score_file(score, tmp_path, rows, "cosine_similarity", "bertscore")
    assert {name: figures["mean"] for name, figures in found.items()} == pytest.approx(
        means, abs=1e-6
    )
    assert cosine["signature"] in ran.out
    assert bert["signature"] in ran.out


def test_settings_of_the_command_reach_the_module(tmp_path: Path, score: Command) -> None:
    rows = make_answered_rows(
        "He was born in Paris and was raised there",
        reference="She was born in Paris",
        keywords="Paris",
    )
    for mode, mean in {"code": 4 / 7, "paper": 2 / 3}.items():
        _, found = score_file(
            score, tmp_path, rows, "lv_eval_f1", "--set", f"lv_eval_f1.mode={mode}"
        )
        assert found["lv_eval_f1"]["mean"] == pytest.approx(mean)


def test_a_row_without_a_verdict_has_a_reason_and_notes_of_blocks_are_added_up(
    tmp_path: Path, score: Command
) -> None:
    def answer_request(request: Request, number: int) -> Reply:
        body = (
            make_verdict("I would rather not.").body
            if "bad" in request.prompt
            else judges.compare_texts(request).body
        )
        return Reply({**body, "usage": None, "model": f"served-{number % 2}"})

    with JudgeServer(answer_request) as server:
        one_at_a_time = ("--set", "eve_judge.max_concurrency=1")
        ran, found = score_file(
            score,
            tmp_path,
            make_answered_rows("bad", *"xyxyxyxy"),
            "eve_judge",
            *judge_options(server),
            *one_at_a_time,
        )
    figure = found["eve_judge"]
    assert (ran.code, figure["mean"], figure["scored"], figure["unscored"]) == (0, 0.5, 8, 1)
    assert "served:served-0+served-1" in ran.out
    assert "the server reported no tokens for 9 replies: Cost and tokens leave them out" in ran.out
    assert "EVE judge: price unknown" in ran.out
    first, second, *_ = [
        json.loads(line) for line in (tmp_path / "out.jsonl").read_text("utf-8").splitlines()
    ]
    assert (first["eve_judge"], first["eve_judge_reason"], second["eve_judge"]) == (
        None,
        "no_verdict",
        1.0,
    )


def test_a_metric_that_cannot_be_computed_has_no_score_and_others_have_theirs(
    tmp_path: Path, score: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANSWER_LENS_EMBEDDING_MODEL", "/nowhere/at/all")
    other = write_jsonl(tmp_path / "b.jsonl", make_answered_rows(*"yyyyy"))
    for others in ((), (other,)):
        ran, found = score_file(
            score,
            tmp_path,
            make_answered_rows(*"xyxyx"),
            "cosine_similarity",
            "rouge",
            others=others,
        )
        cosine = found["cosine_similarity"]
        assert (ran.code, cosine["mean"], cosine["low"], cosine["unscored"]) == (1, None, None, 5)
        assert (found["rougeL"]["scored"], "/nowhere" in ran.out) == (5, False)
    report = read_report(tmp_path / "report.json")
    assert "cosine_similarity" not in report["differences"], "systems without scores are compared"
    assert [report["systems"][name]["cosine_similarity"] for name in ("a.jsonl", "b.jsonl")] == [
        None,
        None,
    ]
    assert [report["systems"]["a.jsonl"][f"{end}_rank"] for end in ("best", "worst")] == [1, 2]


def test_references_that_are_lists_written_as_text_are_counted(
    tmp_path: Path, score: Command
) -> None:
    for references, has_note in (
        (["['a', 'b']", '["a"]', "[1] a source", "plain", "[]"], True),
        ([["['a']"]], False),
    ):
        ran, _ = score_file(
            score,
            tmp_path,
            [
                row
                for reference in references
                for row in make_answered_rows("a", reference=reference)
            ],
            "rouge",
        )
        assert ("2 of 5 references are lists written as text" in ran.err) == has_note
