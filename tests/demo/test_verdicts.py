"""A few verdicts of people with the scores of all rows: figures by hand, by draws; the file; the
words.
"""

import csv
import io
import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from lens.experiment import verdict_file as file
from lens.experiment.answers import Answer
from lens.inference import intervals, sampling, shares
from lens.reports import verdict_sections
from lens.reports.section import format_section
from lens.scoring.catalog import list_series
from lens.study import annotations
from lens.study.results import Results
from lens.study.verdict_rankings import compare_by_verdicts
from lens.words import LANGUAGES, speaking
from lens.words.notes import UserError

from tests.demo.command_runs import Command, Rows, judge_options, read_sections, write_jsonl
from tests.demo.result_samples import SampleSystem, make_results
from tests.support import judges
from tests.support.judge_server import JudgeServer

RNG = np.random.RandomState(0)


def test_a_useless_or_constant_score_costs_nothing() -> None:
    given = [True] * 12 + [False] * 8 + [None] * 80
    one_stratum = [0] * 100
    alone = shares.estimate_share(given)
    assert alone.share == 0.6
    assert alone.interval == pytest.approx(intervals.share_interval(0.6, 20))
    assert shares.estimate_share_with_scores(given, [0.7] * 100, one_stratum) == alone

    all_right = [True] * 20 + [None] * 80
    useless = shares.estimate_share_with_scores(all_right, RNG.rand(100).tolist(), one_stratum)
    assert useless.interval[1] == 1


@pytest.mark.parametrize("useful", [True, False])
@pytest.mark.parametrize("way", annotations.METHODS[:2])
def test_intervals_hold_what_is_true(way: str, useful: bool) -> None:
    truth = RNG.rand(2, 800) < 0.7
    scores = RNG.rand(2, 800)
    if useful:
        scores = np.where(truth, 0.8, 0.3) + RNG.normal(0, 0.15, (2, 800))
    scores = scores.clip(0, 1)
    drawn_by = scores[: annotations.METHODS.index(way)].tolist()
    stratum = sampling.assign_strata(800, *drawn_by)
    true = truth[0].mean()
    hits = 0
    widths, widths_alone = [], []
    for _ in range(300):
        given = read_sample(truth[0].tolist(), stratum, 60, RNG)
        found = shares.estimate_share_with_scores(given, scores[0].tolist(), stratum)
        alone = shares.estimate_share(given)
        hits += found.interval[0] <= true <= found.interval[1]
        widths.append(np.ptp(found.interval))
        widths_alone.append(np.ptp(alone.interval))
    assert hits >= 276, "of 300 intervals of 95%"
    most = 0.75 if useful else 1.05
    assert np.mean(widths) < most * np.mean(widths_alone)


def read_sample(
    truth: list[bool],
    stratum: list[int],
    count: int,
    stream: Any,
) -> list[bool | None]:
    """Return the verdicts on a sample of rows, None on the others."""
    order = stream.permutation(len(truth)).tolist()
    given: list[bool | None] = [None] * len(truth)
    for row in sampling.alternate_strata(order, stratum)[:count]:
        given[row] = bool(truth[row])
    return given


def test_verdicts_alone_are_unbiased_where_rows_are_drawn_with_unequal_chances() -> None:
    """Rows that estimates leave open are wrong more often, and are drawn more often."""
    stream = np.random.RandomState(3)
    estimates = stream.beta(0.4, 0.4, (3, 400)).clip(0.01, 0.99).tolist()
    stratum = sampling.assign_strata(400, *estimates)
    right = stream.rand(400) < np.where(np.array(stratum) >= 2, 0.3, 0.9)
    held = 0
    plain, weighted = [], []
    for _ in range(1000):
        given = read_sample(right.tolist(), stratum, 20, stream)
        found = shares.estimate_share(given, None, shares.weigh_verdicts(given, stratum))
        plain.append(shares.estimate_share(given).share)
        weighted.append(found.share)
        held += found.interval[0] <= right.mean() <= found.interval[1]
    assert right.mean() - np.mean(plain) > 0.03
    assert np.mean(weighted) == pytest.approx(right.mean(), abs=0.01)
    assert held > 940


def test_more_is_read_where_two_systems_are_likelier_to_differ() -> None:
    unsure = [0.5] * 20
    first = [1.0] * 50 + [0.0] * 50 + unsure
    second = [0.0] * 50 + [1.0] * 50 + unsure
    stratum = sampling.assign_strata(120, first, second)
    read = sampling.draw_reading_order(stratum)[:40]
    assert sum(row >= 100 for row in read) > 14, "20 of the 120 rows by chance would be 7 of 40"


ESTIMATE = list_series(["correctness_estimate"])[0]


def mark_answers(
    answers: list[str | None], said: Sequence[str] = (), name: str = "a"
) -> annotations.SystemVerdicts:
    """Return a system's answers with estimates that rise, and the verdicts on them."""
    estimates = [row / len(answers) for row in range(1, len(answers) + 1)]
    return annotations.SystemVerdicts(name, answers, {ESTIMATE: estimates}, said)


def test_samples_of_one_system_and_of_several() -> None:
    first = [*"abcdefg", None]
    second = ["a", "x", "x", "x", "x", "x", None, "x"]
    uniform, stratified = annotations.list_samples([mark_answers(first)])
    assert list(uniform.order) == sampling.draw_reading_order([0] * 7)
    assert [stratified.stratum[row] for row in stratified.order[:4]] == [0, 1, 2, 3], (
        "one of each quarter in turn"
    )
    both = [mark_answers(first), mark_answers(second)]
    for way in annotations.list_samples(both):
        assert sorted(way.order) == [0, 1, 2, 3, 4, 5], "no question that one has no answer to"
        places = way.list_places(both, 6)
        assert [place % 8 for place in places if place < 8] == list(way.order)
        assert [place for place in places if place % 8 == 0] == [0], (
            "an answer that both gave is read once"
        )
        assert len(places) == 11


def test_verdicts_on_one_system_tell_no_difference_where_answers_are_alike() -> None:
    first: list[str | None] = [f"answer {row}" for row in range(80)]
    second: list[str | None] = [f"answer {row}" if row % 2 else "no" for row in range(80)]
    for drawn_for in ([first], [first, second]):
        ways = annotations.list_samples(list(map(mark_answers, drawn_for)))
        read = {*ways[-1].order[:60]}
        said = ["right" if row in read else "" for row in range(80)]
        alike = [
            one if row % 2 else "" for row, one in enumerate(said)
        ]  # of the same answer, the same verdict
        assert sum(map(bool, alike)) >= annotations.LEAST
        both = [mark_answers(first, said), mark_answers(second, alike, "b")]
        assert not compare_by_verdicts(both, annotations.list_samples(both))[0]
        both = [mark_answers(first, said), mark_answers(second, said, "b")]
        assert compare_by_verdicts(both, annotations.list_samples(both))[0]


def test_how_many_more() -> None:
    share = shares.estimate_share([True] * 30 + [False] * 20)
    rests_on = (share.share, share.effective_n, share.read)
    more = shares.count_missing_verdicts(*rests_on, 0.1)
    low, high = intervals.share_interval(0.6, 50 + more)
    assert high - low <= 0.1 < np.diff(intervals.share_interval(0.6, 49 + more))[0]
    assert shares.count_missing_verdicts(*rests_on, 1.0) == 0


# The column and the file


ITEMS = [
    Answer("Paris", ("Paris",), id="=1+1"),
    Answer("Rome", ("Paris",), id="b"),
    Answer("é\ud800", ("c",)),
]
MARKS = [file.mark_answer(item.prediction) for item in ITEMS]
ROME = file.mark_answer("Rome")


def make_columns(data: bytes) -> dict[str, list[str]]:
    """Return the columns of a file of verdicts by their names."""
    rows = list(csv.DictReader(data.decode().splitlines()))
    return {name: [row[name] for row in rows] for name in rows[0]}


def test_a_file_of_verdicts_comes_back_as_it_was() -> None:
    given = {2: ("cannot say", "2026-01-01T00:00:00Z"), 0: ("right", "2026-01-01T00:00:05Z")}
    data = file.format_verdict_file(ITEMS, given, 3)
    assert data.splitlines()[2].startswith(b"1,'=1+1,right,2026-01-01T00:00:05Z,")
    assert file.read_verdict_file(make_columns(data), MARKS, 3) == given
    assert file.read_verdict_file({"row": ["2"], "verdict": [0]}, MARKS, 3) == {1: ("wrong", "")}
    # A spreadsheet would take 12 hexadecimal digits alone for a number, if no letter but an e is
    # among them.
    bare = {"row": [1], "verdict": [1], "answer_sha256": [MARKS[0].removeprefix("sha256:")]}
    assert (file.read_verdict_file(bare, MARKS, 3), MARKS[0][:7]) == ({0: ("right", "")}, "sha256:")


FORMULA = "=cmd|' /C calc'!A0"


@pytest.mark.parametrize(
    "time", ["2026-01-01", "2026-01-01 00:00:00+00:00", "2026-01-01T00:00:00.25Z"]
)
def test_a_time_of_any_kind_is_kept(time: str) -> None:
    assert file.read_verdict_file({"row": [1], "verdict": [1], "time": [time]}, MARKS, 3) == {
        0: ("right", time)
    }


@pytest.mark.parametrize("time", [FORMULA, "now", None])
def test_what_is_no_time_is_not_kept(time: str | None) -> None:
    assert file.read_verdict_file({"row": [1], "verdict": [1], "time": [time]}, MARKS, 3) == {
        0: ("right", "")
    }


def test_a_formula_is_escaped_wherever_it_comes_from() -> None:
    assert b",'=cmd|' /C calc'!A0," in file.format_verdict_file(ITEMS, {0: ("right", FORMULA)}, 3)


def test_a_verdict_is_on_every_answer_that_its_mark_is_of() -> None:
    """The answers of a second system stand behind those of the first."""
    mark = file.mark_answer("c")
    both = {"row": [1, 2, 3], "verdict": [0, 1, 0], "answer_sha256": [ROME, ROME, mark]}
    verdicts = file.read_verdict_file(both, [*MARKS, ROME, ROME, mark], 3)
    assert verdicts == {
        3: ("wrong", ""),
        1: ("right", ""),
        4: ("right", ""),
        5: ("wrong", ""),
    }


@pytest.mark.parametrize(
    ("table", "told"),
    [
        ({"row": ["1"]}, "no column “verdict”"),
        ({"row": ["4"], "verdict": ["right"]}, "'4' .* is not a row of this table, which has 3"),
        ({"row": ["1"], "verdict": ["fine"]}, "row 1: 'fine'"),
        (
            {"row": ["9" * 5000], "verdict": ["right"]},
            "row 1: '9{59}… is not a row of this table, which has 3",
        ),
        (
            {"row": ["1", " 01 "], "verdict": ["right", 0]},
            "row 2: 0 .int. on row 1, on which it has another verdict",
        ),
        (
            {
                "row": [1, 2, 3],
                "verdict": [1, 0, 1],
                "answer_sha256": [ROME, MARKS[1], file.mark_answer("x")],
            },
            "2 of 3 verdicts are on answers that are not here any more .row 1, 3.",
        ),
    ],
)
def test_a_file_on_another_table_is_refused(table: Any, told: str) -> None:
    with pytest.raises(UserError, match=told):
        file.read_verdict_file(table, MARKS, 3)


# What is said


def summarize_verdicts(read: list[int] | None = None, **more: Any) -> Results:
    """Return what 40 verdicts on 200 rows say, with an estimate that knows and a BLEU that does
    not.
    """
    (sample,) = annotations.list_samples([annotations.SystemVerdicts("a", ["a"] * 200, {})])
    order = sample.order[:40] if read is None else read
    truth = [row % 10 < 7 for row in range(200)]
    given = [("right" if truth[row] else "wrong") if row in order else "" for row in range(200)]
    noise = np.random.RandomState(1).rand(200)
    estimate, bleu = (list_series([name])[0] for name in ("correctness_estimate", "bleu"))
    scores = {
        estimate: [0.6 * one + 0.4 * other for one, other in zip(truth, noise, strict=True)],
        bleu: [*noise],
    }
    system = annotations.SystemVerdicts("a", ["a"] * 200, more.get("scores", scores), given)
    return make_results([SampleSystem("a")]).add_verdicts([system])


def test_what_verdicts_say() -> None:
    results = summarize_verdicts()
    alone, joined = results.verdicts.to_dict("records")
    assert (alone["source"], alone["method"], alone["n_read"]) == ("alone", "uniform", 40)
    assert joined["source"] == "joined"
    assert joined["effective_n"] > 40
    best, worst = results.agreement.to_dict("records")
    assert (best["metric"], worst["metric"]) == ("correctness_estimate", "bleu")
    assert best["auroc"] == 1.0 == best["high"] > best["low"]
    told = describe_scores(results)
    assert told.startswith(
        "On your data Correctness estimate separates right from wrong best (AUROC 1.00, "
    )
    assert told.endswith(
        "No better than chance, as far as these verdicts show: BLEU (mean of rows)."
    )
    # Of one score, or of some that are level, none is best.
    alone_told = describe_scores(replace(results, agreement=results.agreement.iloc[[0]]))
    level = describe_scores(replace(results, agreement=results.agreement.iloc[[0, 0]]))
    first = (
        "On your data Correctness estimate separates right from wrong better than chance (AUROC 1."
    )
    assert alone_told.startswith(first)
    assert level.startswith(
        "On your data these separate right from wrong equally well (AUROC 1.00, "
    )
    assert "more metrics" in alone_told
    for language in LANGUAGES:
        with speaking(language):
            share, scores = map(format_section, verdict_sections.describe_findings(results))
        assert share.rows[0][1:] == [
            "65%",
            "[48%, 79%]",
        ]  # Clopper and Pearson's interval of 26 of 40: 0.483 to 0.794
        assert len(scores.rows) == 2


def describe_scores(results: Results) -> str:
    """Return what the verdicts say of the scores."""
    return str(verdict_sections.describe_scores(results, "a") or "")


def list_lines(results: Results) -> list[str]:
    """Return the notes below the table of shares."""
    shares = verdict_sections.describe_findings(results)[0]
    return [line for line, _ in format_section(shares).lines]


def test_what_is_not_borne_out_is_not_said() -> None:
    assert summarize_verdicts(list(range(19))).verdicts.empty, "fewer than 20 verdicts"
    by_hand = summarize_verdicts(list(range(40)))
    assert "only if they were chosen at random" in list_lines(by_hand)[-1]
    bleu = list_series(["bleu"])[0]
    useless = summarize_verdicts(scores={bleu: np.random.RandomState(1).rand(200).tolist()})
    assert list(useless.verdicts["source"]) == ["alone"]
    assert "no score is certain to be better than chance" in describe_scores(useless)
    assert "Score with Correctness estimate too" in list_lines(useless)[0]


@pytest.mark.parametrize(
    ("rows", "drawn", "read", "told"),
    [
        (100, 50, 0, ": 20 still to "),
        (100, 50, 19, ": 1 still to "),
        (100, 50, 20, ""),
        (
            100,
            12,
            0,
            "after 20 questions, and this sample is too small for them: 20 are still to read.",
        ),
        (100, 12, 12, "too small for them: 8 are still to read."),
        (19, 12, 12, "This table has too few answers to read for figures, which need 20 verdicts."),
        (1, 1, 1, "too few answers"),
    ],
)
@pytest.mark.parametrize("systems", [1, 2])
def test_what_to_do_until_something_is_said(
    systems: int,
    rows: int,
    drawn: int,
    read: int,
    told: str,
) -> None:
    ways = annotations.list_samples(
        [mark_answers([f"{system} {row}" for row in range(rows)]) for system in range(systems)]
    )
    order = ways[-1].order[:drawn]
    said = [["right" if row in order[:read] else "" for row in range(rows)] for _ in range(systems)]
    unread = {row + rows * system for row in order[read:] for system in range(systems)}
    found = str(annotations.describe_missing(said, ways, unread) or "")
    assert (told in found) if told else found == ""
    # An answer that nobody can decide gives no figure.
    if read and drawn + rows == 112:
        said[0][order[0]] = "cannot say"
        assert "9 are still to read" in str(annotations.describe_missing(said, ways, unread))


# The terminal


TRUTH = [row % 3 > 0 for row in range(90)]
QUESTIONS: Rows = [
    {"question": f"Where is {row}?", "reference": f"Paris {row}", "answer": f"It is {city} {row}."}
    for row, right in enumerate(TRUTH)
    for city in [("Rome", "Paris")[right]]
]


def test_rows_to_read_and_their_verdicts_in_the_terminal(tmp_path: Path, score: Command) -> None:
    answers, sample, report = (
        tmp_path / name for name in ("answers.jsonl", "sample.csv", "report.json")
    )
    write_jsonl(answers, QUESTIONS)
    assert score(answers, "--sample", 40, "--out", sample).code == 0
    rows = list(csv.DictReader(io.StringIO(sample.read_text("utf-8"))))
    assert list(rows[0]) == ["row", "question", "reference", "answer", "verdict", "answer_sha256"]
    assert len({row["row"] for row in rows}) == 40
    named = write_jsonl(tmp_path / "named.jsonl", [row | {"row": "a text"} for row in QUESTIONS])
    assert score(named, "--sample", 40, "--out", tmp_path / "sample.parquet").code == 0
    read = {int(row["row"]) - 1 for row in rows}
    sample.write_text(
        "row,verdict\n" + "".join(f"{row + 1},{TRUTH[row]}\n" for row in read), "utf-8"
    )
    metrics = ("--metrics", "rouge", "correctness_estimate", "--report", report)
    assert score(answers, *metrics, "--verdict", sample).code == 0
    said = read_sections(report)
    share = said["verdict_shares"]
    # Each verdict counts by its row's chance to be drawn, which differs a little here.
    assert share["rows"][0]["share"] == pytest.approx(
        sum(TRUTH[row] for row in read) / 40, abs=0.005
    )
    joined = share["rows"][1]
    assert [joined[name] for name in ("source", "n_read", "stand_in", "rows")] == [
        "joined",
        40,
        "the estimate",
        90,
    ]
    assert "random sample of this table" in share["lines"][-1]
    assert said["verdict_scores"]["rows"][0]["auroc"] == 1
    # The same from a column, of rows that were not drawn here; a second system with its own.
    said_so: list[list[Any]] = [[False, 0, "no", "Wrong", "0"], [True, 1, "yes", " RIGHT ", 1.0]]
    unread = ["", None, math.nan]
    cells = [said_so[TRUTH[at]][at % 5] if at < 30 else unread[at % 3] for at in range(90)]
    judged: Rows = [row | {"human": cell} for row, cell in zip(QUESTIONS, cells, strict=True)]
    other = [
        row | {"answer": "It is Rome.", "human": "no" if at < 30 else None}
        for at, row in enumerate(judged)
    ]
    second = write_jsonl(tmp_path / "other.jsonl", other)
    write_jsonl(answers, judged)
    assert score(answers, second, *metrics, "--verdict", "human", "--overwrite").code == 0
    text = report.read_text("utf-8")
    assert "only if they were chosen at random" in text
    assert '"difference": 0.6666666666666' in text
    # A sample of both answers of each row, in which nothing tells whose an answer is.
    assert score(answers, second, "--sample", 30, "--out", sample, "--overwrite").code == 0
    rows = list(csv.DictReader(io.StringIO(sample.read_text("utf-8"))))
    assert list(rows[0]) == ["row", "question", "reference", "answer", "verdict", "answer_sha256"]
    assert len(rows) == 60 == 2 * len({row["row"] for row in rows})
    assert 0 < sum(row["answer"] == "It is Rome." for row in rows[::2]) < 30, (
        "by chance one or the other first"
    )
    said_by = ["row,verdict,answer_sha256"]
    said_by += [
        f"{row['row']},{row['reference'] in row['answer']},{row['answer_sha256']}" for row in rows
    ]
    sample.write_text("\n".join(said_by), "utf-8")
    assert score(answers, second, *metrics, "--verdict", sample, "--overwrite").code == 0
    of_both = read_sections(report)
    shares = of_both["verdict_shares"]
    assert [row["system"] for row in shares["rows"]] == ["answers.jsonl"] * 2 + ["other.jsonl"] * 2
    found = of_both["verdict_differences"]
    low, high = (found["rows"][1][end] for end in ("low", "high"))
    assert low <= sum(TRUTH) / 90 <= high
    for cell in ("maybe", 2, 0.5, ["right"]):
        write_jsonl(answers, [judged[0], judged[1] | {"human": cell}, *judged[2:]])
        refused = score(answers, "--verdict", "human")
        assert (refused.code, f"“human”, row 2: {cell!r}" in refused.err) == (2, True)


def test_verdicts_that_differ_are_not_called_the_same_where_no_metric_gave_a_score(
    tmp_path: Path, score: Command
) -> None:
    rows = [
        {"reference": "x", "prediction": f"{n}", "human": "right" if n % 3 else "wrong"}
        for n in range(30)
    ]
    with JudgeServer(judges.compare_texts) as server:
        asked = judge_options(server)
    ran = score(
        write_jsonl(tmp_path / "t.jsonl", rows),
        "--metrics",
        "eve_judge",
        *asked,
        "--set",
        "eve_judge.max_retries=0",
    )
    assert (ran.code, "30 verdicts alone" in ran.out) == (1, True)
    assert "All verdicts are the same" not in ran.out
