"""Verdicts of a person on some rows, joined with scores of all rows: shares, samples, files."""

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


def test_a_constant_score_changes_nothing_and_a_random_one_keeps_the_interval_valid() -> None:
    given = [True] * 12 + [False] * 8 + [None] * 80
    one_stratum = [0] * 100
    verdicts_only = shares.estimate_share(given)
    assert verdicts_only.share == 0.6
    assert verdicts_only.interval == pytest.approx(intervals.share_interval(0.6, 20))
    joined = shares.estimate_share_with_scores(given, [0.7] * 100, one_stratum)
    assert joined == verdicts_only

    all_right = [True] * 20 + [None] * 80
    useless = shares.estimate_share_with_scores(all_right, RNG.rand(100).tolist(), one_stratum)
    assert useless.interval[1] == 1


@pytest.mark.parametrize("useful", [True, False])
@pytest.mark.parametrize("method", annotations.METHODS[:2])
def test_95_percent_intervals_of_shares_hold_and_useful_scores_make_them_narrower(
    method: str, useful: bool
) -> None:
    truth = RNG.rand(2, 800) < 0.7
    scores = RNG.rand(2, 800)
    if useful:
        scores = np.where(truth, 0.8, 0.3) + RNG.normal(0, 0.15, (2, 800))
    scores = scores.clip(0, 1)
    drawn_by = scores[: annotations.METHODS.index(method)].tolist()
    stratum = sampling.assign_strata(800, *drawn_by)
    true = truth[0].mean()
    hits = 0
    widths = []
    verdict_widths = []
    for _ in range(300):
        given = read_sample(truth[0].tolist(), stratum, 60, RNG)
        found = shares.estimate_share_with_scores(given, scores[0].tolist(), stratum)
        verdicts_only = shares.estimate_share(given)
        low, high = found.interval
        hits += low <= true <= high
        widths.append(high - low)
        verdict_widths.append(np.ptp(verdicts_only.interval))
    # 285 of 300 intervals should hold; the standard error is 3.8.
    assert hits >= 276
    largest_ratio = 0.75 if useful else 1.05
    assert np.mean(widths) < largest_ratio * np.mean(verdict_widths)


def read_sample(
    truth: list[bool],
    stratum: list[int],
    count: int,
    rng: Any,
) -> list[bool | None]:
    """Return the verdicts on a sample of `count` rows; None on the other rows."""
    order = rng.permutation(len(truth)).tolist()
    given: list[bool | None] = [None] * len(truth)
    for row in sampling.alternate_strata(order, stratum)[:count]:
        given[row] = bool(truth[row])
    return given


def test_weighted_verdicts_are_unbiased_if_rows_are_drawn_with_unequal_probabilities() -> None:
    """Rows with an unsure estimate are more often wrong, and drawn more often.

    950 of 1000 intervals should hold, with a standard error of 7.
    """
    rng = np.random.RandomState(3)
    estimates = rng.beta(0.4, 0.4, (3, 400)).clip(0.01, 0.99).tolist()
    stratum = sampling.assign_strata(400, *estimates)
    right = rng.rand(400) < np.where(np.array(stratum) >= 2, 0.3, 0.9)
    held = 0
    plain = []
    weighted = []
    for _ in range(1000):
        given = read_sample(right.tolist(), stratum, 20, rng)
        weights = shares.weigh_verdicts(given, stratum)
        found = shares.estimate_share(given, None, weights)
        plain.append(shares.estimate_share(given).share)
        weighted.append(found.share)
        low, high = found.interval
        held += low <= right.mean() <= high
    assert right.mean() - np.mean(plain) > 0.03
    assert np.mean(weighted) == pytest.approx(right.mean(), abs=0.01)
    assert held > 940


def test_rows_on_which_two_systems_probably_differ_are_drawn_more_often() -> None:
    unsure = [0.5] * 20
    first = [1.0] * 50 + [0.0] * 50 + unsure
    second = [0.0] * 50 + [1.0] * 50 + unsure
    stratum = sampling.assign_strata(120, first, second)
    read = sampling.draw_reading_order(stratum)[:40]
    assert sum(row >= 100 for row in read) > 14, (
        "with equal probabilities it would be 20 / 120 of 40 rows, about 7"
    )


ESTIMATE = list_series(["correctness_estimate"])[0]


def mark_answers(
    answers: list[str | None], verdicts: Sequence[str] = (), name: str = "a"
) -> annotations.SystemVerdicts:
    """Return a system's answers with rising estimates and with verdicts."""
    estimates = [row / len(answers) for row in range(1, len(answers) + 1)]
    return annotations.SystemVerdicts(name, answers, {ESTIMATE: estimates}, verdicts)


def test_samples_have_only_rows_with_an_answer_of_every_system() -> None:
    first = [*"abcdefg", None]
    second = ["a", "x", "x", "x", "x", "x", None, "x"]
    uniform, stratified = annotations.draw_method_samples([mark_answers(first)])
    assert list(uniform.order) == sampling.draw_reading_order([0] * 7)
    assert [stratified.stratum[row] for row in stratified.order[:4]] == [0, 1, 2, 3], (
        "strata must take turns"
    )
    both = [mark_answers(first), mark_answers(second)]
    for sample in annotations.draw_method_samples(both):
        assert sorted(sample.order) == [0, 1, 2, 3, 4, 5], "the others lack an answer of a system"
        places = sample.list_places(both, 6)
        assert [place % 8 for place in places if place < 8] == list(sample.order)
        assert [place for place in places if place % 8 == 0] == [0], "equal answers are read once"
        assert len(places) == 11


def test_verdicts_only_on_equal_answers_compare_no_systems() -> None:
    first: list[str | None] = [f"answer {row}" for row in range(80)]
    second: list[str | None] = [f"answer {row}" if row % 2 else "no" for row in range(80)]
    for drawn_for in ([first], [first, second]):
        samples = annotations.draw_method_samples(list(map(mark_answers, drawn_for)))
        read = {*samples[-1].order[:60]}
        verdicts = ["right" if row in read else "" for row in range(80)]
        # Equal answers have the same verdict.
        on_equal = [verdict if row % 2 else "" for row, verdict in enumerate(verdicts)]
        assert on_equal.count("right") >= annotations.LEAST
        both = [mark_answers(first, verdicts), mark_answers(second, on_equal, "b")]
        assert not compare_by_verdicts(both, annotations.draw_method_samples(both))[0]
        both = [mark_answers(first, verdicts), mark_answers(second, verdicts, "b")]
        assert compare_by_verdicts(both, annotations.draw_method_samples(both))[0]


def test_the_number_of_missing_verdicts_makes_an_interval_narrow_enough() -> None:
    share = shares.estimate_share([True] * 30 + [False] * 20)
    rests_on = (share.share, share.effective_n, share.read)
    more = shares.count_missing_verdicts(*rests_on, 0.1)
    low, high = intervals.share_interval(0.6, 50 + more)
    assert high - low <= 0.1 < np.diff(intervals.share_interval(0.6, 49 + more))[0]
    assert shares.count_missing_verdicts(*rests_on, 1.0) == 0


# Files and columns of verdicts


ITEMS = [
    Answer("Paris", ("Paris",), id="=1+1"),
    Answer("Rome", ("Paris",), id="b"),
    Answer("é\ud800", ("c",)),
]
MARKS = [file.mark_answer(item.prediction) for item in ITEMS]
ROME = file.mark_answer("Rome")


def read_csv_columns(data: bytes) -> dict[str, list[str]]:
    """Return the columns of a file of verdicts by name."""
    rows = list(csv.DictReader(data.decode().splitlines()))
    return {name: [row[name] for row in rows] for name in rows[0]}


def test_a_file_of_verdicts_is_read_as_it_was_written() -> None:
    given = {2: ("cannot say", "2026-01-01T00:00:00Z"), 0: ("right", "2026-01-01T00:00:05Z")}
    data = file.format_verdict_file(ITEMS, given, 3)
    assert data.splitlines()[2].startswith(b"1,'=1+1,right,2026-01-01T00:00:05Z,")
    assert file.read_verdict_file(read_csv_columns(data), MARKS, 3) == given
    assert file.read_verdict_file({"row": ["2"], "verdict": [0]}, MARKS, 3) == {1: ("wrong", "")}
    # The prefix "sha256:" is needed: a spreadsheet takes 12 hexadecimal digits for a number if e is
    # their only letter. A mark without it is read, too.
    bare = {"row": [1], "verdict": [1], "answer_sha256": [MARKS[0].removeprefix("sha256:")]}
    assert (file.read_verdict_file(bare, MARKS, 3), MARKS[0][:7]) == ({0: ("right", "")}, "sha256:")


FORMULA = "=cmd|' /C calc'!A0"


@pytest.mark.parametrize(
    "time", ["2026-01-01", "2026-01-01 00:00:00+00:00", "2026-01-01T00:00:00.25Z"]
)
def test_a_time_in_any_usual_format_is_kept(time: str) -> None:
    assert file.read_verdict_file({"row": [1], "verdict": [1], "time": [time]}, MARKS, 3) == {
        0: ("right", time)
    }


@pytest.mark.parametrize("time", [FORMULA, "now", None])
def test_a_text_that_is_no_time_is_dropped(time: str | None) -> None:
    assert file.read_verdict_file({"row": [1], "verdict": [1], "time": [time]}, MARKS, 3) == {
        0: ("right", "")
    }


def test_a_formula_in_any_cell_of_a_file_of_verdicts_is_escaped() -> None:
    assert b",'=cmd|' /C calc'!A0," in file.format_verdict_file(ITEMS, {0: ("right", FORMULA)}, 3)


def test_a_verdict_counts_for_every_answer_with_its_mark() -> None:
    """The answers of the second system are at the places after those of the first."""
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
    ("table", "message"),
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
def test_a_file_of_verdicts_on_another_table_is_refused(table: Any, message: str) -> None:
    with pytest.raises(UserError, match=message):
        file.read_verdict_file(table, MARKS, 3)


# Messages


def summarize_verdicts(read: list[int] | None = None, **more: Any) -> Results:
    """Return the results of verdicts on 200 rows, with a useful estimate and a random BLEU.

    Args:
        read: the rows with a verdict; None for a sample of 40.
        more: other scores, as `scores`.
    """
    (sample,) = annotations.draw_method_samples([annotations.SystemVerdicts("a", ["a"] * 200, {})])
    order = sample.order[:40] if read is None else read
    truth = [row % 10 < 7 for row in range(200)]
    given = [""] * 200
    for row in order:
        given[row] = "right" if truth[row] else "wrong"
    noise = np.random.RandomState(1).rand(200)
    estimate, bleu = (list_series([name])[0] for name in ("correctness_estimate", "bleu"))
    scores = {estimate: (0.6 * np.array(truth) + 0.4 * noise).tolist(), bleu: noise.tolist()}
    system = annotations.SystemVerdicts("a", ["a"] * 200, more.get("scores", scores), given)
    return make_results([SampleSystem("a")]).add_verdicts([system])


def test_verdicts_show_which_scores_tell_right_from_wrong() -> None:
    results = summarize_verdicts()
    verdicts_only, joined = results.verdicts.to_dict("records")
    expected = {"source": "alone", "method": "uniform", "n_read": 40}
    assert {key: verdicts_only[key] for key in expected} == expected
    assert joined["source"] == "joined"
    assert joined["effective_n"] > 40
    best, worst = results.agreement.to_dict("records")
    assert (best["metric"], worst["metric"]) == ("correctness_estimate", "bleu")
    assert best["auroc"] == 1.0 == best["high"] > best["low"]
    sentences = describe_scores(results)
    assert sentences.startswith(
        "On your data Correctness estimate separates right from wrong best (AUROC 1.00, "
    )
    assert sentences.endswith(
        "No better than chance, as far as these verdicts show: BLEU (mean of rows)."
    )
    # With one score, or equal ones, none is called the best.
    one_score = describe_scores(replace(results, agreement=results.agreement.iloc[[0]]))
    level = describe_scores(replace(results, agreement=results.agreement.iloc[[0, 0]]))
    first = (
        "On your data Correctness estimate separates right from wrong better than chance (AUROC 1."
    )
    assert one_score.startswith(first)
    assert level.startswith(
        "On your data these separate right from wrong equally well (AUROC 1.00, "
    )
    assert "more metrics" in one_score
    for language in LANGUAGES:
        with speaking(language):
            share, scores = map(format_section, verdict_sections.describe_findings(results))
        # The interval of Clopper and Pearson for 26 of 40 is 0.483 to 0.794.
        assert share.rows[0][1:] == ["65%", "[48%, 79%]"]
        assert len(scores.rows) == 2


def describe_scores(results: Results) -> str:
    """Return the sentences on which scores tell right from wrong."""
    return str(verdict_sections.describe_agreeing_scores(results, "a") or "")


def list_lines(results: Results) -> list[str]:
    """Return the notes below the table of shares."""
    shares = verdict_sections.describe_findings(results)[0]
    return [line for line, _ in format_section(shares).lines]


def test_too_few_verdicts_or_useless_scores_support_no_claim() -> None:
    assert summarize_verdicts(list(range(19))).verdicts.empty, "19 verdicts are too few"
    by_hand = summarize_verdicts(list(range(40)))
    assert "only if they were chosen at random" in list_lines(by_hand)[-1]
    bleu = list_series(["bleu"])[0]
    useless = summarize_verdicts(scores={bleu: np.random.RandomState(1).rand(200).tolist()})
    assert list(useless.verdicts["source"]) == ["alone"]
    assert "no score is certain to be better than chance" in describe_scores(useless)
    assert "Score with Correctness estimate too" in list_lines(useless)[0]


@pytest.mark.parametrize(
    ("rows", "drawn", "read", "message"),
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
def test_a_message_says_how_many_verdicts_are_missing(
    systems: int,
    rows: int,
    drawn: int,
    read: int,
    message: str,
) -> None:
    marked = []
    for system in range(systems):
        marked.append(mark_answers([f"{system} {row}" for row in range(rows)]))
    samples = annotations.draw_method_samples(marked)
    order = samples[-1].order[:drawn]
    verdicts = []
    unread: set[int] = set()
    for system in range(systems):
        verdicts.append(["right" if row in order[:read] else "" for row in range(rows)])
        unread |= {row + rows * system for row in order[read:]}
    found = str(annotations.describe_needed_verdicts(verdicts, samples, unread) or "")
    assert (message in found) if message else found == ""
    # "cannot say" does not count as a verdict.
    if read and drawn + rows == 112:
        verdicts[0][order[0]] = "cannot say"
        message = str(annotations.describe_needed_verdicts(verdicts, samples, unread))
        assert "9 are still to read" in message


# The command


TRUTH = [row % 3 > 0 for row in range(90)]
METRICS = ("--metrics", "rouge", "correctness_estimate")
HEADS = ["row", "question", "reference", "answer", "verdict", "answer_sha256"]


def make_questions() -> Rows:
    """Return answers to 90 questions, two thirds of them right."""
    rows = []
    for number, is_right in enumerate(TRUTH):
        city = "Paris" if is_right else "Rome"
        row = {"question": f"Where is {number}?", "reference": f"Paris {number}"}
        rows.append(row | {"answer": f"It is {city} {number}."})
    return rows


def judge_questions() -> Rows:
    """Return the same rows with verdicts in many spellings on the first 30."""
    wrong = [False, 0, "no", "Wrong", "0"]
    right = [True, 1, "yes", " RIGHT ", 1.0]
    unread = ["", None, math.nan]
    rows = []
    for number, row in enumerate(make_questions()):
        if number < 30:
            words = right if TRUTH[number] else wrong
            verdict: Any = words[number % 5]
        else:
            verdict = unread[number % 3]
        rows.append(row | {"human": verdict})
    return rows


def write_other_system(tmp_path: Path) -> Path:
    """Write a second system, all of whose answers are wrong."""
    rows = []
    for number, row in enumerate(judge_questions()):
        verdict = "no" if number < 30 else None
        rows.append(row | {"answer": "It is Rome.", "human": verdict})
    return write_jsonl(tmp_path / "other.jsonl", rows)


def read_sample_rows(sample: Path) -> list[dict[str, str]]:
    """Return the rows of a sample as CSV."""
    return list(csv.DictReader(io.StringIO(sample.read_text("utf-8"))))


def test_a_sample_is_written_and_read_back_with_its_verdicts(
    tmp_path: Path, score: Command
) -> None:
    answers = write_jsonl(tmp_path / "answers.jsonl", make_questions())
    sample = tmp_path / "sample.csv"
    report = tmp_path / "report.json"
    assert score(answers, "--sample", 40, "--out", sample).code == 0
    lines = read_sample_rows(sample)
    assert list(lines[0]) == HEADS
    read = {int(line["row"]) - 1 for line in lines}
    assert len(read) == 40
    verdicts = [f"{row + 1},{TRUTH[row]}" for row in read]
    sample.write_text("\n".join(["row,verdict", *verdicts]), "utf-8")
    assert score(answers, *METRICS, "--report", report, "--verdict", sample).code == 0
    sections = read_sections(report)
    verdicts_only, joined = sections["verdict_shares"]["rows"]
    # Verdicts are weighted by the probability that their row is drawn, which differs slightly.
    share = sum(TRUTH[row] for row in read) / 40
    assert verdicts_only["share"] == pytest.approx(share, abs=0.005)
    assert joined["source"] == "joined"
    assert joined["stand_in"] == "the estimate"
    assert (joined["n_read"], joined["rows"]) == (40, 90)
    assert "random sample of this table" in sections["verdict_shares"]["lines"][-1]
    assert sections["verdict_scores"]["rows"][0]["auroc"] == 1


def test_a_table_with_a_column_called_row_can_be_sampled(tmp_path: Path, score: Command) -> None:
    rows = [row | {"row": "a text"} for row in make_questions()]
    named = write_jsonl(tmp_path / "named.jsonl", rows)
    assert score(named, "--sample", 40, "--out", tmp_path / "sample.parquet").code == 0


def test_verdicts_in_a_column_compare_two_systems(tmp_path: Path, score: Command) -> None:
    """A note says that the rows were not drawn at random by the command."""
    first = write_jsonl(tmp_path / "answers.jsonl", judge_questions())
    second = write_other_system(tmp_path)
    report = tmp_path / "report.json"
    assert score(first, second, *METRICS, "--report", report, "--verdict", "human").code == 0
    text = report.read_text("utf-8")
    assert "only if they were chosen at random" in text
    assert '"difference": 0.6666666666666' in text


def test_a_sample_of_two_systems_hides_the_systems_of_its_answers(
    tmp_path: Path, score: Command
) -> None:
    first = write_jsonl(tmp_path / "answers.jsonl", judge_questions())
    second = write_other_system(tmp_path)
    sample = tmp_path / "sample.csv"
    report = tmp_path / "report.json"
    assert score(first, second, "--sample", 30, "--out", sample).code == 0
    lines = read_sample_rows(sample)
    assert list(lines[0]) == HEADS
    assert len(lines) == 60
    assert len({line["row"] for line in lines}) == 30
    second_first = sum(line["answer"] == "It is Rome." for line in lines[::2])
    assert 0 < second_first < 30, "the order of the systems must be random"

    filled = ["row,verdict,answer_sha256"]
    for line in lines:
        is_right = line["reference"] in line["answer"]
        filled.append(f"{line['row']},{is_right},{line['answer_sha256']}")
    sample.write_text("\n".join(filled), "utf-8")
    assert score(first, second, *METRICS, "--report", report, "--verdict", sample).code == 0
    sections = read_sections(report)
    names = [row["system"] for row in sections["verdict_shares"]["rows"]]
    assert names == ["answers.jsonl"] * 2 + ["other.jsonl"] * 2
    _, joined = sections["verdict_differences"]["rows"]
    assert joined["low"] <= sum(TRUTH) / 90 <= joined["high"]


@pytest.mark.parametrize("cell", ["maybe", 2, 0.5, ["right"]])
def test_a_cell_that_is_no_verdict_is_refused_with_its_row(
    cell: Any, tmp_path: Path, score: Command
) -> None:
    rows = judge_questions()
    rows[1]["human"] = cell
    refused = score(write_jsonl(tmp_path / "answers.jsonl", rows), "--verdict", "human")
    assert refused.code == 2
    assert f"“human”, row 2: {cell!r}" in refused.err


def test_verdicts_that_differ_are_not_called_equal_if_no_metric_has_a_score(
    tmp_path: Path, score: Command
) -> None:
    rows = [
        {"reference": "x", "prediction": f"{n}", "human": "right" if n % 3 else "wrong"}
        for n in range(30)
    ]
    with JudgeServer(judges.compare_texts) as server:
        options = judge_options(server)
    ran = score(
        write_jsonl(tmp_path / "t.jsonl", rows),
        "--metrics",
        "eve_judge",
        *options,
        "--set",
        "eve_judge.max_retries=0",
    )
    assert (ran.code, "30 verdicts alone" in ran.out) == (1, True)
    assert "All verdicts are the same" not in ran.out
