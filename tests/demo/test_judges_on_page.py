"""Judges compared with a person on the page: in a file, in a sample, and with repeated replies."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from lens.judge_check.numbers import compute_check
from lens.page.files import files_form, files_results
from lens.page.files.file_scoring import FileScoring
from lens.page.files.files_reading import Files
from lens.page.files.sample_reading import begin_reading, take_verdict
from lens.page.files.sample_views import list_verdict_results, show_reading
from lens.page.judge_check_tab import draw_check
from lens.reports.section import format_section
from lens.scoring.judge import NO_JUDGE
from lens.words.notes import UserError

from tests.demo.command_runs import Rows
from tests.demo.files_visits import (
    finish_scoring,
    list_notes,
    press_start,
    read_choices,
    read_downloads,
    send_rows,
)
from tests.demo.judged_samples import ESTIMATE, guess_choices, is_disputed, make_judged_rows
from tests.support.judge_server import JudgeServer, Reply, Request
from tests.support.judges import FAIL, PASS, YES


def test_an_uploaded_file_with_both_verdicts_compares_judge_and_person(tmp_path: Path) -> None:
    rows = make_judged_rows()
    shown = files_form.show_choices(Files([send_rows(rows)]))
    choices = read_choices(shown)
    assert choices["verdict"] == ["human"]
    assert choices["judges"] == ["judge_verdict"]
    assert shown["stand_in"]["value"] == ESTIMATE
    run = finish_scoring(start_scoring(rows, choices))
    summary = files_results.draw_summary(run)
    assert "Judges beside your verdicts" in summary
    assert "Sensitivity" in summary
    assert "Right, corrected" in summary
    assert "Answers on which you and a judge" in summary
    first = next(filter(is_disputed, rows))
    assert first["prediction"] in summary, "a disputed answer is not shown"
    files = read_downloads(run, tmp_path)
    assert b"recalibrated" in files["rows.jsonl"]
    assert b"Judges beside your verdicts" in files["summary.md"]


def test_the_page_does_not_take_scores_or_a_judges_verdicts_for_a_persons() -> None:
    rows = make_judged_rows()
    unfit = [row | {"judge_verdict": 0.7, "human": "Paris, I think"} for row in rows]
    choices = guess_choices(unfit)
    assert choices["verdict"] == []
    assert choices["judges"] == []
    with pytest.raises(UserError, match="not taken for a person"):
        start_scoring(rows, choices | {"verdict": ["judge_verdict"]})
    with pytest.raises(UserError, match="can stand in for verdicts"):
        start_scoring(rows, choices, stand_in="bleu")


def start_scoring(rows: Rows, choices: Any, stand_in: str = "") -> FileScoring:
    """Return the scoring of a file with the estimate and a metric of words."""
    return FileScoring([send_rows(rows)], choices, [ESTIMATE, "lv_eval_f1"], "first", stand_in)


def test_a_run_cancelled_before_its_stand_in_is_scored_uses_the_verdicts_only() -> None:
    rows = make_judged_rows(60, 30)
    run = start_scoring(rows, guess_choices(rows), "lv_eval_f1")

    async def cancel_check() -> Any:
        async for name, _ in run.steps(NO_JUDGE):
            if name == "lv_eval_f1":
                return run.finish()
        pytest.fail("the second metric was not begun")

    shown = files_results.draw_summary(asyncio.run(cancel_check()))
    assert "Correctness estimate" in shown
    assert "30 verdicts alone" in shown
    assert "30 verdicts and" not in shown, "another score stands in"


def test_a_read_sample_has_declined_answers_and_the_judge(tmp_path: Path) -> None:
    rows = make_judged_rows(60, 0)
    run = finish_scoring(start_scoring(rows, guess_choices(rows)))
    reading = begin_reading(run, 30, "stratified", {})
    assert reading
    for number in range(30):
        place = reading.place
        assert place is not None
        verdict = "right" if "Paris" in rows[place]["prediction"] else "wrong"
        if number % 10 == 0:
            verdict = "declined"
        reading = take_verdict(reading, run, verdict)
        assert reading
    titles = [section.title for section in list_verdict_results(reading, run)["sections"]]
    assert "Answers that decline to answer" in titles
    assert "Judges beside your verdicts" in titles
    assert "Declined" in str(show_reading(reading, run, True)["answer"]) or reading.place is None
    path = files_results.write_downloads(run, tmp_path, [])[1]
    assert "recalibrated" not in Path(path).read_text("utf-8"), (
        "estimates are recalibrated by verdicts that are not in the file"
    )


def test_repeated_replies_that_differ_are_counted() -> None:
    rows = [{"question": f"q{n}?", "reference": f"r{n}", "prediction": f"r{n}"} for n in range(6)]

    def answer_request(request: Request, number: int) -> Reply:
        if request.body.get("logprobs"):
            return YES
        return FAIL if number % 3 == 0 else PASS

    with JudgeServer(answer_request) as server:
        judge: dict[str, Any] = {"provider": "vllm", "model": "judge-1", "key": "sk-secret-1234567"}
        judge |= {"address": server.url, "repeats": True}
        run = press_start(send_rows(rows), metrics=("eve_judge", "l3score"), judge=judge)[-1][
            "scored"
        ]
        # EVE judge is asked three times a row, L3Score once: one reply has its probability.
        assert len(server.requests) == 6 * 3 + 6
    assert sum(value is not None for value in run.scores(0)["eve_judge"]) >= 4
    assert "samples:3" in "".join(run.results.metrics["signature"])
    assert any(
        "rows were asked several times, and the replies differ in" in note
        for note in list_notes(run)
    )


def test_a_file_with_only_verdicts_is_checked_against_people() -> None:
    rows = [
        {"judge_verdict": row["judge_verdict"], "human": row["human"]} for row in make_judged_rows()
    ]
    sent = send_rows(rows)
    checked = compute_check(sent.table, None)
    assert checked.people
    figures = format_section(checked.people.sections[0]).rows
    assert [row[1] for row in figures[:3]] == ["Kappa", "Most frequent verdict", "Sensitivity"]
    shown = draw_check(checked, sent)
    assert "Against people" in shown
    assert "Representational bias" not in shown, "a check that needs other columns is shown"


def test_the_message_names_the_column_whose_verdicts_cannot_be_read() -> None:
    rows = []
    for number in range(200):
        judge = "correct" if number % 3 else "incorrect"
        rows.append({"judge": judge, "human_label": "fine" if number % 4 else "poor"})
    people = compute_check(send_rows(rows).table, None).people
    assert people
    assert "“human_label” is not taken for verdicts: row 1 has 'poor'" in people.message
    assert "No column of this file is “your verdict”" in people.message
    with pytest.raises(UserError, match="or “judge_verdict”, “human” for a judge against people"):
        compute_check(send_rows([{"judge": "gpt", "other": 1}]).table, None)
