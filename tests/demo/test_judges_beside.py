"""A judge's verdicts beside a person's, what stands in for verdicts, and the estimate recalibrated."""

import asyncio
import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from lens.inference import judge_agreement, recalibration, shares
from lens.judge_check.numbers import check
from lens.page.files import files_form, files_results
from lens.page.files.read_sample import begin_reading, describe_verdicts, draw_reading, take_verdict
from lens.page.judge_check_tab import draw
from lens.reports.section import format_section
from lens.scoring.judge import NO_JUDGE
from lens.tables.roles import guess_roles
from lens.words.notes import UserError
from scipy import optimize, special, stats
from sklearn import metrics as sklearn_metrics
from statsmodels.stats.inter_rater import cohens_kappa
from statsmodels.stats.proportion import proportion_confint

from tests.demo.command_runs import Command, Rows, read_sections, write_jsonl
from tests.demo.files_visits import finish_scoring, list_notes, press_start, read_choices, read_downloads, send_rows
from tests.support.judge_server import JudgeServer, Reply, Request
from tests.support.judges import FAIL, PASS, YES

ESTIMATE = "correctness_estimate"


def make_judged_rows(
    count: int = 200, read: int = 40, accuracy: float = 0.85, seed: int = 3, name: str = "it is"
) -> Rows:
    """Rows of which some were read by a person, all by a judge."""
    drawn, rows = random.Random(seed), list[dict[str, Any]]()
    for at in range(count):
        right = drawn.random() < 0.7
        judge = right if drawn.random() < accuracy else not right
        answer = f"{name} {'Paris' if right else 'Rome'} {at}."
        asked = {"id": f"q{at}", "question": f"Where is {at}?", "reference": f"Paris {at}", "prediction": answer}
        rows.append({**asked, "judge_verdict": int(judge), "human": "", "truth": right})
    for row in drawn.sample(rows, read):
        row["human"] = "right" if row["truth"] else "wrong"
    return [{key: cell for key, cell in row.items() if key != "truth"} for row in rows]


def read_run(score: Command, folder: Path, *arguments: Any, code: int = 0) -> dict[str, Any]:
    """The sections of a run's report by their ids, with the messages under "said"."""
    report = folder / "report.json"
    ran = score(*arguments, "--report", report, "--overwrite")
    assert ran.code == code, ran.err
    sections = read_sections(report) if code == 0 else {}
    return sections | {"said": ran.err, "out": ran.out}


def select_figures(found: dict[str, Any], **of: str) -> dict[str, Any]:
    """A judge's figures by their names: the value and its interval."""
    rows = [row for row in found["judges"]["rows"] if of.items() <= row.items()]
    return {row["figure"]: (row["value"], (row["low"], row["high"])) for row in rows}


# Statistics


@pytest.mark.parametrize("seed", range(20))
def test_figures_are_those_of_scikit_learn_and_statsmodels(seed: int) -> None:
    stream = np.random.RandomState(seed)
    rows = stream.randint(5, 300)
    person = stream.rand(rows) < stream.uniform(0.2, 0.9)
    judge = np.where(stream.rand(rows) < stream.uniform(0.5, 1), person, stream.rand(rows) < 0.5)
    person[:4], judge[:4] = [True, True, False, False], [True, False, True, False]
    found = judge_agreement.compare_judge(person.tolist(), judge.tolist(), [0] * rows)
    assert found
    table = sklearn_metrics.confusion_matrix(person, judge)
    assert found.counts == (table[1, 1], table[0, 1], table[1, 0], table[0, 0])
    assert found.kappa.kappa == pytest.approx(sklearn_metrics.cohen_kappa_score(person, judge), abs=1e-12)
    # Theirs of the table with a made-up row in each cell, with Student's quantile.
    theirs = cohens_kappa(table + 1)
    half = stats.t.ppf(0.975, rows - 1) * theirs.std_kappa
    low, high = min(theirs.kappa - half, found.kappa.kappa), max(theirs.kappa + half, found.kappa.kappa)
    assert found.kappa.interval == pytest.approx((max(low, -1), min(high, 1)), abs=1e-9)
    for one, right in ((found.sensitivity, True), (found.specificity, False)):
        assert one
        share = sklearn_metrics.recall_score(person, judge, pos_label=right)
        interval = proportion_confint(round(share * one.rows), one.rows, method="beta")
        assert (one.share, one.interval) == (pytest.approx(share), pytest.approx(interval))
    assert found.corrected is None, "nothing is left to stand in for"
    three = [["right", "wrong", "declined"][at] for at in stream.randint(0, 3, rows)]
    other = [one if stream.rand() < 0.7 else "declined" for one in three]
    assert judge_agreement.cohen_kappa(three, other).kappa == pytest.approx(
        sklearn_metrics.cohen_kappa_score(three, other)
    )


def test_two_who_never_differ_are_not_known_to_be_alike() -> None:
    same = [True, False] * 10
    found = judge_agreement.cohen_kappa(same, same)
    assert found.kappa == 1
    assert found.interval
    assert 0.4 < found.interval[0] < 0.9
    assert found.interval[1] == 1
    assert judge_agreement.cohen_kappa([True] * 5, [True] * 5).kappa is None
    assert judge_agreement.compare_judge([True, None], [None, False], [0, 0]) is None


def test_rows_of_one_cluster_count_together() -> None:
    person, judge = [True, False, True, True] * 10, [True, False, False, True] * 10
    once = judge_agreement.compare_judge(person, judge, [0] * 40)
    twice = judge_agreement.compare_judge(person * 2, judge * 2, [0] * 80, [*range(40)] * 2)
    assert once
    assert twice
    assert once.sensitivity
    assert twice.sensitivity
    assert once.kappa.interval
    assert once.kappa.interval == pytest.approx(twice.kappa.interval, abs=0.01)
    assert once.sensitivity.interval == pytest.approx(twice.sensitivity.interval, abs=0.01)


@pytest.mark.parametrize(
    ("share", "sensitivity", "specificity"),
    [
        (0.8, 0.6, 0.6),
        (0.8, 0.9, 0.9),
        (0.8, 0.95, 0.95),
        (0.9, 0.95, 0.95),
        (0.8, 0.9375, 1.0),
        (0.5, 1.0, 0.9),
        (0.7, 0.5, 0.5),
    ],
)
def test_a_judge_that_stands_in_leaves_the_share_unbiased(share: float, sensitivity: float, specificity: float) -> None:
    stream, rows, read, draws = np.random.RandomState(1), 1000, 50, 300
    hits, off, widths = 0, [], []
    for _ in range(draws):
        truth = stream.rand(rows) < share
        judge = np.where(truth, stream.rand(rows) < sensitivity, stream.rand(rows) >= specificity).astype(float)
        given = [bool(one) if at < read else None for at, one in enumerate(truth)]
        found, alone = (
            shares.estimate_share_with_scores(given, judge.tolist(), [0] * rows),
            shares.estimate_share(given),
        )
        hits += found.interval[0] <= truth.mean() <= found.interval[1]
        off.append(found.share - truth.mean())
        widths.append([one.interval[1] - one.interval[0] for one in (found, alone)])
    assert hits / draws >= 0.92, "of intervals of 95%, 300 times"
    assert abs(np.mean(off)) < 3 * np.std(off) / draws**0.5
    width, of_alone = np.mean(widths, axis=0)
    assert width <= (1.02 if sensitivity + specificity == 1 else 1.0) * of_alone


def test_recalibration_is_the_ridge_fit_and_brings_estimates_nearer() -> None:
    stream = np.random.RandomState(2)
    truth = stream.rand(400)
    given = 1 / (1 + np.exp(-(1.5 + 0.5 * np.log(truth / (1 - truth)))))
    right = stream.rand(400) < truth

    def compute_loss(of: Any) -> float:
        likely = recalibration.apply_fit(given, *of).clip(1e-12, 1 - 1e-12)
        fit = -np.log(np.where(right, likely, 1 - likely)).sum()
        return float(fit + of[0] ** 2 / 2 / recalibration.MOVED**2 + (of[1] - 1) ** 2 / 2 / recalibration.STRETCHED**2)

    found = recalibration.fit_recalibration(given.tolist(), right.tolist())
    assert found
    best = optimize.minimize(compute_loss, [0.0, 1.0], method="Nelder-Mead", options={"xatol": 1e-7, "fatol": 1e-9})
    assert (found.start, found.slope) == pytest.approx(tuple(best.x), abs=1e-4)
    assert found.after < 0.6 * found.before
    assert abs(np.mean([found.recalibrate(one) for one in given.tolist()]) - right.mean()) < 0.01
    few = recalibration.fit_recalibration(given[:30].tolist(), right[:30].tolist())
    assert few
    assert few.slope == 1
    assert recalibration.fit_recalibration(given[:19].tolist(), right[:19].tolist()) is None
    assert recalibration.fit_recalibration(given.tolist(), [True] * 400) is None


@pytest.mark.parametrize("kind", ["far off", "upside down", "told apart without an error"])
@pytest.mark.parametrize("rows", [30, 60, 400])
def test_the_recalibration_is_the_optimum_wherever_it_lies(kind: str, rows: int) -> None:
    """Undamped steps of Newton's swing here, or stop at (116, 22)."""
    stream = np.random.RandomState(rows)
    given = stream.beta(8, 0.3, rows)
    odds = recalibration.log_odds(given)
    likely = {"far off": special.expit(-3 + 0.9 * odds), "upside down": np.where(given > 0.9, 0.02, 0.9)}
    right = stream.rand(rows) < likely[kind] if kind in likely else given > np.median(given)
    right[:2] = True, False
    free = 2 if rows >= recalibration.TO_STRETCH else 1

    def compute_loss(of: Any) -> float:
        start, slope = np.r_[of, 1.0][:2]
        shifted = start + slope * odds
        ridge = start**2 / 2 / recalibration.MOVED**2 + (slope - 1) ** 2 / 2 / recalibration.STRETCHED**2
        return float((np.logaddexp(0, shifted) - right * shifted).sum() + ridge)

    found = recalibration.fit_recalibration(given.tolist(), right.tolist())
    assert found
    exact = {"xatol": 1e-9, "fatol": 1e-12, "maxiter": 10_000}
    best = optimize.minimize(compute_loss, [0.0, 1.0][:free], method="Nelder-Mead", options=exact).x
    assert [found.start, found.slope][:free] == pytest.approx(best.tolist(), abs=1e-4)


def test_a_recalibration_that_did_not_converge_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recalibration, "CONVERGED", -1.0)
    assert recalibration.fit_recalibration([0.2] * 15 + [0.8] * 15, [False] * 14 + [True] * 16) is None


# Columns


@pytest.mark.parametrize(
    ("names", "person", "of_judges"),
    [
        (["human", "judge_verdict"], "human", ("judge_verdict",)),
        (
            ["Human Label", "Judge", "LLM judge", "auto_grade", "is_correct"],
            "Human Label",
            ("Judge", "LLM judge", "auto_grade", "is_correct"),
        ),
        (["judge_reason", "verdict", "humans", "Human (v2)"], "", ()),
    ],
)
def test_columns_of_verdicts_are_recognised_and_a_judge_is_no_person(
    names: Sequence[str], person: str, of_judges: tuple[str, ...]
) -> None:
    found = guess_roles(["prediction", "reference", *names])
    assert (found.verdict, found.judges) == (person, of_judges)


# The terminal


def test_one_command_says_how_far_to_believe_a_judge(tmp_path: Path, score: Command) -> None:
    rows = make_judged_rows()
    table = write_jsonl(tmp_path / "a.jsonl", rows)
    found = read_run(score, tmp_path, table, "--metrics", ESTIMATE, "--out", tmp_path / "scored.jsonl")
    read = [row for row in rows if row["human"]]
    person, judge = [row["human"] == "right" for row in read], [row["judge_verdict"] == 1 for row in read]
    shown = select_figures(found)
    assert shown["kappa"][0] == pytest.approx(sklearn_metrics.cohen_kappa_score(person, judge), abs=1e-9)
    assert shown["sensitivity"][0] == pytest.approx(sklearn_metrics.recall_score(person, judge), abs=1e-9)
    assert shown["specificity"][0] == pytest.approx(sklearn_metrics.recall_score(person, judge, pos_label=0), abs=1e-9)
    assert shown["raw"][0] == pytest.approx(np.mean([row["judge_verdict"] for row in rows]))
    low, high = shown["corrected"][1]
    assert low < shown["corrected"][0] < high
    apart = {row["row"] for row in found["judge_disagreements"]["rows"]}
    differ = [one != two for one, two in zip(person, judge, strict=True)]
    assert apart == {rows.index(row) + 1 for row, one in zip(read, differ, strict=True) if one}
    counts = found["judge_counts"]["rows"][0]
    assert sum(count for name, count in counts.items() if name not in ("system", "judge")) == 40
    assert "your verdict = human, judge’s verdict = judge_verdict" in found["said"]
    # The estimate fitted to the verdicts is a column of the rows.
    scored = [json.loads(line) for line in (tmp_path / "scored.jsonl").read_text("utf-8").splitlines()]
    fitted = [row[f"{ESTIMATE}_recalibrated"] for row in scored]
    assert all(0 < one < 1 for one in fitted)
    order = np.argsort([row[ESTIMATE] for row in scored], kind="stable")
    assert np.all(np.diff(np.array(fitted)[order]) >= 0)
    assert "calibration error" in found["recalibration"]["lines"][0]


def test_what_stands_in_is_named(tmp_path: Path, score: Command) -> None:
    rows = [row | {"points": row["judge_verdict"] * 7} for row in make_judged_rows()]
    table = write_jsonl(tmp_path / "a.jsonl", rows)
    shares = {}
    for name, told in (
        (ESTIMATE, "the estimate"),
        ("rougeL_recall", "ROUGE-L recall"),
        ("judge_verdict", "“judge_verdict”"),
        ("points", "“points”"),
    ):
        found = read_run(score, tmp_path, table, "--metrics", ESTIMATE, "rouge", "--stand-in", name)
        alone, joined = found["verdict_shares"]["rows"]
        assert [alone[name] for name in ("source", "n_read", "stand_in")] == ["alone", 40, None]
        assert [joined[name] for name in ("source", "n_read", "stand_in", "rows")] == ["joined", 40, told, 200]
        shares[name] = joined["share"], joined["low"], joined["high"]
        judge = select_figures(found)["corrected"]
    assert shares["points"] == pytest.approx(shares["judge_verdict"]), "its scale is no matter"
    assert shares["judge_verdict"][0] == pytest.approx(judge[0])
    # A sample is drawn by what stands in, and known again.
    sample = tmp_path / "sample.jsonl"
    assert score(table, "--sample", 40, "--out", sample, "--stand-in", "judge_verdict").code == 0
    lines = [json.loads(line) for line in sample.read_text("utf-8").splitlines()]
    said = [line | {"verdict": "Paris" in line["prediction"]} for line in lines]
    write_jsonl(sample, said)
    for stand_in, drawn_here in (("judge_verdict", True), (ESTIMATE, False)):
        given = (table, "--metrics", ESTIMATE, "--verdict", sample, "--stand-in", stand_in)
        told = read_run(score, tmp_path, *given)["verdict_shares"]["lines"][-1]
        assert ("random sample of this table" in told) is drawn_here
    for name in ("nothing", "bleu"):
        refused = read_run(score, tmp_path, table, "--metrics", ESTIMATE, "--stand-in", name, code=2)
        assert f"no column “{name}”" in refused["said"]
    refused = read_run(score, tmp_path, table, "--metrics", ESTIMATE, "--stand-in", "prediction", code=2)
    assert "“prediction”, row 1: " in refused["said"]
    assert "cannot stand in for a verdict" in refused["said"]


BAD: list[tuple[dict[str, Any], Sequence[str], int, str]] = [
    ({"human": 0.7}, (), 0, "The column “human” is not taken for verdicts: row 1 has 0.7"),
    ({"human": 0.7}, ("--verdict", "human"), 2, "“human”, row 1: 0.7 (float) is no verdict. Expected: right, wrong"),
    ({"judge_verdict": 0.7}, ("--judge-verdict", "judge_verdict"), 2, "A column of scores can stand in"),
    ({}, ("--verdict", "judge_verdict"), 2, "is not taken for a person’s. Name it as the judge’s verdict"),
    ({}, ("--verdict", "human", "--judge-verdict", "human"), 2, "is not taken for a person’s"),
    ({}, ("--verdict", "human", "id"), 2, "Several columns of verdicts (“human”, “id”) on one column of answers"),
    ({}, ("--prediction", "prediction", "question", "--verdict", "human"), 2, "2 columns of answers and 1 for"),
]


@pytest.mark.parametrize(("cells", "arguments", "code", "told"), BAD)
def test_columns_that_are_no_verdicts_are_refused_or_left_alone_with_a_remedy(
    cells: dict[str, Any], arguments: Sequence[str], code: int, told: str, tmp_path: Path, score: Command
) -> None:
    first, *rest = make_judged_rows(30, 25)
    table = write_jsonl(tmp_path / "a.jsonl", [first | cells, *rest])
    ran = score(table, "--metrics", "lv_eval_f1", *arguments)
    assert ran.code == code, ran.err
    assert told in ran.err


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda row: row | {"judge_verdict": row["human"]}, "judge_verdict says what you say on all 40 answers."),
        (lambda row: row | {"human": row["human"] and "right"}, "you call all 40 answers right that it judged"),
        (lambda row: row | {"human": row["human"] and "wrong"}, "you call none of the 40 answers right"),
        (lambda row: row | {"human": ""}, "judge_verdict calls 64% of 200 answers right, and nobody has checked it."),
        (lambda row: row | {"judge_verdict": int(row["id"][1:]) % 2}, "agrees with you no better than chance"),
        (lambda row: row | {"human": row["human"] if int(row["id"][1:]) < 12 else ""}, "figures take 20."),
        (lambda row: row | {"judge_verdict": 1}, "agrees with you no better than chance"),
        (
            lambda row: row | {"judge_verdict": int("Paris" in row["prediction"] or int(row["id"][1:]) % 3 > 0)},
            "% of all answers right; corrected by your verdicts it is ",
        ),
    ],
)
def test_a_judge_that_shows_nothing_is_said_to(change: Any, told: str, tmp_path: Path, score: Command) -> None:
    table = write_jsonl(tmp_path / "a.jsonl", list(map(change, make_judged_rows())))
    found = read_run(score, tmp_path, table, "--metrics", ESTIMATE)
    lines = found["judges"]["lines"]
    assert any(told in line for line in lines), lines


def test_several_systems_have_each_judge_and_its_order(tmp_path: Path, score: Command) -> None:
    good, bad = make_judged_rows(read=60), make_judged_rows(read=60, name="no")
    for row in bad:
        row["prediction"], row["judge_verdict"] = "no Rome", 0
        row["human"] = row["human"] and "wrong"
    for row in good:
        row["human"] = next(other["human"] for other in bad if other["id"] == row["id"]) and (
            "right" if "Paris" in row["prediction"] else "wrong"
        )
    files = [write_jsonl(tmp_path / f"{name}.jsonl", rows) for name, rows in (("good", good), ("bad", bad))]
    found = read_run(score, tmp_path, *files, "--metrics", ESTIMATE)
    assert select_figures(found, system="good.jsonl").keys() >= {"kappa", "corrected"}
    assert {row["system"] for row in found["judges"]["rows"]} == {"good.jsonl", "bad.jsonl"}
    order = next(line for line in found["verdict_differences"]["lines"] if "this order" in line)
    assert order.startswith("judge_verdict puts the systems in this order: good.jsonl")
    assert order.endswith("that your verdicts tell apart: 1. judge_verdict has the same order in 1 of them.")
    # Columns of one table: as many of verdicts, and of a judge's, as there are of answers.
    wide = [
        {**one, "other": two["prediction"], "human_b": two["human"], "judge_b": two["judge_verdict"]}
        for one, two in zip(good, bad, strict=True)
    ]
    table = write_jsonl(tmp_path / "wide.jsonl", wide)
    columns = ("--prediction", "prediction", "other", "--verdict", "human", "human_b")
    same = read_run(
        score, tmp_path, table, *columns, "--judge-verdict", "judge_verdict", "judge_b", "--metrics", ESTIMATE
    )
    title = "verdict_differences"
    intervals = [[(row["low"], row["high"]) for row in one[title]["rows"]] for one in (found, same)]
    assert intervals[0] == intervals[1]
    assert select_figures(same, system="other", judge="judge_b")["raw"][0] == 0


def test_declined_is_neither_right_nor_wrong(tmp_path: Path, score: Command) -> None:
    rows = make_judged_rows(60, 60)
    for row in rows[:12]:
        row["human"] = ["declined", "refused", "D", "not_attempted"][rows.index(row) % 4]
    table = write_jsonl(tmp_path / "a.jsonl", rows)
    found = read_run(score, tmp_path, table, "--metrics", ESTIMATE)
    right = sum(row["human"] == "right" for row in rows)
    shown = {row["kind"]: row["share"] for row in found["declined"]["rows"]}
    expected = {"of_all": right / 60, "of_attempted": right / 48, "attempted": 48 / 60}
    assert shown == pytest.approx(expected, abs=0.005)


# The page


def test_one_upload_shows_the_judge_beside_the_person(tmp_path: Path) -> None:
    rows = make_judged_rows()
    shown = files_form.show_choices(files_form.Files([send_rows(rows)]))
    given = read_choices(shown)
    assert (given["verdict"], given["judges"], shown["stand_in"]["value"]) == (["human"], ["judge_verdict"], ESTIMATE)
    run = finish_scoring(files_form_run(rows, given))
    summary = files_results.draw_summary(run)
    for told in ("Judges beside your verdicts", "Sensitivity", "Right, corrected", "Answers on which you and a judge"):
        assert told in summary
    differing = next(row for row in rows if row["human"] and (row["human"] == "right") != bool(row["judge_verdict"]))
    assert differing["prediction"] in summary, "what to look at is shown"
    files = read_downloads(run, tmp_path)
    assert b"recalibrated" in files["rows.jsonl"]
    assert b"Judges beside your verdicts" in files["summary.md"]
    # A column of scores is not taken for verdicts, and a judge's column is no person's.
    unfit = [row | {"judge_verdict": 0.7, "human": "Paris, I think"} for row in rows]
    given = read_choices(files_form.show_choices(files_form.Files([send_rows(unfit)])))
    assert (given["verdict"], given["judges"]) == ([], [])
    with pytest.raises(UserError, match="not taken for a person"):
        files_form_run(rows, given | {"verdict": ["judge_verdict"]})
    with pytest.raises(UserError, match="can stand in for verdicts"):
        files_form_run(rows, given, stand_in="bleu")


def files_form_run(rows: Rows, given: Any, stand_in: str = "") -> Any:
    from lens.page.files.file_scoring import FileScoring

    return FileScoring([send_rows(rows)], given, [ESTIMATE, "lv_eval_f1"], "first", stand_in)


def test_a_run_that_was_cancelled_before_what_stands_in_was_scored_keeps_the_rest() -> None:
    rows = make_judged_rows(60, 30)
    run = files_form_run(rows, read_choices(files_form.show_choices(files_form.Files([send_rows(rows)]))), "lv_eval_f1")

    async def cancel_check() -> Any:
        async for name, _ in run.steps(NO_JUDGE):
            if name == "lv_eval_f1":
                return run.finish()
        pytest.fail("the second metric was not begun")

    shown = files_results.draw_summary(asyncio.run(cancel_check()))
    assert "Correctness estimate" in shown
    assert "30 verdicts alone" in shown
    assert "30 verdicts and" not in shown, "nothing else takes its place"


def test_reading_a_sample_has_three_verdicts_and_the_judge(tmp_path: Path) -> None:
    rows = make_judged_rows(60, 0)
    run = finish_scoring(
        files_form_run(rows, read_choices(files_form.show_choices(files_form.Files([send_rows(rows)]))))
    )
    reading = begin_reading(run, 30, "stratified", {})
    assert reading
    for at in range(30):
        place = reading.place
        assert place is not None
        right = "Paris" in rows[place]["prediction"]
        reading = take_verdict(reading, run, "declined" if at % 10 == 0 else "right" if right else "wrong")
        assert reading
    titles = [one.title for one in describe_verdicts(reading, run)["sections"]]
    assert "Answers that decline to answer" in titles
    assert "Judges beside your verdicts" in titles
    assert "Declined" in str(draw_reading(reading, run, True)["answer"]) or reading.place is None
    path = files_results.write_downloads(run, tmp_path, [])[1]
    assert "recalibrated" not in Path(path).read_text("utf-8"), "no verdict is in the file itself"


def test_three_replies_are_asked_for_and_how_often_they_differ_is_told() -> None:
    rows = [{"question": f"q{n}?", "reference": f"r{n}", "prediction": f"r{n}"} for n in range(6)]

    def answer_request(request: Request, number: int) -> Reply:
        if request.body.get("logprobs"):
            return YES
        return FAIL if number % 3 == 0 else PASS

    with JudgeServer(answer_request) as server:
        given: dict[str, Any] = {"provider": "vllm", "model": "judge-1", "key": "sk-secret-1234567"}
        given |= {"address": server.url, "several": True}
        run = press_start(send_rows(rows), metrics=("eve_judge", "l3score"), judge=given)[-1]["scored"]
        assert len(server.requests) == 6 * 3 + 6, "of L3Score one reply has the probability"
    assert sum(one is not None for one in run.scores(0)["eve_judge"]) >= 4
    assert "samples:3" in "".join(run.results.metrics["signature"])
    assert any("rows that were asked several times, replies differ in" in note for note in list_notes(run))


def test_a_file_of_verdicts_alone_is_checked_against_people() -> None:
    rows = [{key: row[key] for key in ("judge_verdict", "human")} for row in make_judged_rows()]
    found = check(send_rows(rows).table, None).people
    assert found
    (first, *_) = found.sections
    assert [row[1] for row in format_section(first).rows][:3] == ["Kappa", "Most frequent verdict", "Sensitivity"]
    shown = draw(check(send_rows(rows).table, None), send_rows(rows))
    assert "Against people" in shown
    assert "Representational bias" not in shown, "nothing else is asked of such a file"
    lacking = check(
        send_rows([{"judge": row["judge_verdict"], "human_label": "fine"} for row in rows]).table, None
    ).people
    assert lacking
    assert "“human_label” is not taken for verdicts: row 1 has 'fine'" in lacking.message
    assert "No column of this file is “your verdict”" in lacking.message
    with pytest.raises(UserError, match="or “judge_verdict”, “human” for a judge against people"):
        check(send_rows([{"judge": "gpt", "other": 1}]).table, None)
