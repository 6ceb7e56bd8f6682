"""Test verdicts of a person on some rows, joined with scores of all rows: shares and files."""

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


def test_a_constant_score_changes_nothing() -> None:
    verdicts = [True] * 12 + [False] * 8 + [None] * 80
    verdicts_only = shares.estimate_share(verdicts)
    interval = intervals.share_interval(0.6, 20)
    assert verdicts_only.share == 0.6
    assert verdicts_only.interval == pytest.approx(interval)
    joined = shares.estimate_share_with_scores(verdicts, [0.7] * 100, [0] * 100)
    assert joined == verdicts_only


def test_the_interval_of_an_all_right_sample_reaches_1_with_a_random_score() -> None:
    verdicts = [True] * 20 + [None] * 80
    random_scores = RNG.rand(100).tolist()
    joined = shares.estimate_share_with_scores(verdicts, random_scores, [0] * 100)
    assert joined.interval[1] == 1


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
    # A uniform sample is drawn without scores, a stratified one by those of the first system.
    sampling_scores = [] if method == annotations.UNIFORM else [scores[0].tolist()]
    stratum = sampling.assign_strata(800, *sampling_scores)
    truth_of_first = truth[0].tolist()
    scores_of_first = scores[0].tolist()
    true_share = truth[0].mean()
    intervals_that_hold = 0
    widths = []
    widths_without_scores = []
    for _ in range(300):
        verdicts = read_sample(truth_of_first, stratum, 60, RNG)
        joined = shares.estimate_share_with_scores(verdicts, scores_of_first, stratum)
        verdicts_only = shares.estimate_share(verdicts)
        low, high = joined.interval
        intervals_that_hold += low <= true_share <= high
        widths.append(high - low)
        widths_without_scores.append(np.ptp(verdicts_only.interval))
    # 285 of 300 intervals should hold; the standard error is 3.8.
    assert intervals_that_hold >= 276
    largest_ratio = 0.75 if useful else 1.05
    assert np.mean(widths) < largest_ratio * np.mean(widths_without_scores)


def read_sample(
    truth: list[bool],
    stratum: list[int],
    count: int,
    rng: Any,
) -> list[bool | None]:
    """Return the verdicts on a sample of `count` rows; None on the other rows."""
    rows = len(truth)
    shuffled = rng.permutation(rows).tolist()
    reading_order = sampling.alternate_strata(shuffled, stratum)
    verdicts: list[bool | None] = [None] * rows
    for row in reading_order[:count]:
        verdicts[row] = bool(truth[row])
    return verdicts


def test_weighted_verdicts_are_unbiased_if_rows_are_drawn_with_unequal_probabilities() -> None:
    """Rows with an unsure estimate are more often wrong, and drawn more often.

    950 of 1000 intervals should hold, with a standard error of 7.
    """
    rng = np.random.RandomState(3)
    estimates = rng.beta(0.4, 0.4, (3, 400)).clip(0.01, 0.99)
    stratum = sampling.assign_strata(400, *estimates.tolist())
    is_unsure = np.array(stratum) >= 2
    probability = np.where(is_unsure, 0.3, 0.9)
    is_right = rng.rand(400) < probability
    true_share = is_right.mean()
    intervals_that_hold = 0
    unweighted_shares = []
    weighted_shares = []
    for _ in range(1000):
        verdicts = read_sample(is_right.tolist(), stratum, 20, rng)
        weights = shares.weigh_verdicts(verdicts, stratum)
        weighted = shares.estimate_share(verdicts, None, weights)
        unweighted = shares.estimate_share(verdicts)
        unweighted_shares.append(unweighted.share)
        weighted_shares.append(weighted.share)
        low, high = weighted.interval
        intervals_that_hold += low <= true_share <= high
    assert true_share - np.mean(unweighted_shares) > 0.03
    assert np.mean(weighted_shares) == pytest.approx(true_share, abs=0.01)
    assert intervals_that_hold > 940


def test_rows_on_which_two_systems_probably_differ_are_drawn_more_often() -> None:
    """With equal probabilities 20 / 120 of 40 rows, about 7, would be unsure ones."""
    unsure = [0.5] * 20
    first = [1.0] * 50 + [0.0] * 50 + unsure
    second = [0.0] * 50 + [1.0] * 50 + unsure
    stratum = sampling.assign_strata(120, first, second)
    reading_order = sampling.draw_reading_order(stratum)
    unsure_rows = [row for row in reading_order[:40] if row >= 100]
    assert len(unsure_rows) > 14


ESTIMATE, BLEU = list_series(["correctness_estimate", "bleu"])


def mark_answers(
    answers: list[str | None],
    verdicts: Sequence[str] = (),
    name: str = "a",
) -> annotations.SystemVerdicts:
    """Return a system's answers with rising estimates and with verdicts."""
    rows = len(answers)
    estimates = [row / rows for row in range(1, rows + 1)]
    scores = {ESTIMATE: estimates}
    return annotations.SystemVerdicts(name, answers, scores, verdicts)


# The answers of two systems to eight questions. Those to the first question are equal. The last two
# questions lack an answer.
FIRST_ANSWERS = [*"abcdefg", None]
SECOND_ANSWERS = ["a", "x", "x", "x", "x", "x", None, "x"]


def test_a_uniform_sample_has_the_order_of_one_stratum() -> None:
    uniform, _ = annotations.draw_method_samples([mark_answers(FIRST_ANSWERS)])
    assert list(uniform.order) == sampling.draw_reading_order([0] * 7)


def test_the_strata_of_a_stratified_sample_take_turns() -> None:
    _, stratified = annotations.draw_method_samples([mark_answers(FIRST_ANSWERS)])
    strata = [stratified.stratum[row] for row in stratified.order[:4]]
    assert strata == [0, 1, 2, 3]


def test_samples_have_only_rows_with_an_answer_of_every_system() -> None:
    systems = [mark_answers(FIRST_ANSWERS), mark_answers(SECOND_ANSWERS)]
    for sample in annotations.draw_method_samples(systems):
        assert sorted(sample.order) == [0, 1, 2, 3, 4, 5]
        # The answers of the second system are at places 8 to 15. Six rows have two answers each,
        # but equal answers are read once.
        places = sample.list_places(systems, 6)
        places_of_first = [place for place in places if place < 8]
        assert len(places) == 6 * 2 - 1
        assert places_of_first == list(sample.order)
        assert 8 not in places


@pytest.mark.parametrize("sample_of_both", [True, False])
def test_verdicts_only_on_equal_answers_compare_no_systems(sample_of_both: bool) -> None:
    """The sample was drawn for both systems, or for the first one only."""
    # The answers to questions with an odd number are equal.
    first: list[str | None] = [f"answer {row}" for row in range(80)]
    second: list[str | None] = list(first)
    second[::2] = ["no"] * 40
    sampled = [mark_answers(first)]
    if sample_of_both:
        sampled.append(mark_answers(second))
    *_, sample = annotations.draw_method_samples(sampled)
    verdicts = [""] * 80
    for row in sample.order[:60]:
        verdicts[row] = "right"
    verdicts_on_equal = list(verdicts)
    verdicts_on_equal[::2] = [""] * 40
    assert verdicts_on_equal.count("right") >= annotations.MIN_VERDICTS

    def compare_systems(verdicts_on_second: list[str]) -> Any:
        """Return the differences of the two systems by these verdicts."""
        systems = [mark_answers(first, verdicts), mark_answers(second, verdicts_on_second, "b")]
        samples = annotations.draw_method_samples(systems)
        differences, _ = compare_by_verdicts(systems, samples)
        return differences

    assert not compare_systems(verdicts_on_equal)
    assert compare_systems(verdicts)


def test_the_number_of_missing_verdicts_makes_an_interval_narrow_enough() -> None:
    """It is the smallest number with which the interval is at most as wide as asked for."""
    share = shares.estimate_share([True] * 30 + [False] * 20)

    def count_missing(width: float) -> int:
        return shares.count_missing_verdicts(share.share, share.effective_n, share.read, width)

    missing = count_missing(0.1)
    low, high = intervals.share_interval(0.6, 50 + missing)
    assert high - low <= 0.1
    low, high = intervals.share_interval(0.6, 50 + missing - 1)
    assert high - low > 0.1
    assert count_missing(1.0) == 0


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
    columns = {}
    for name in rows[0]:
        columns[name] = [row[name] for row in rows]
    return columns


def test_a_file_of_verdicts_is_read_as_it_was_written() -> None:
    verdicts = {
        2: ("cannot say", "2026-01-01T00:00:00Z"),
        0: ("right", "2026-01-01T00:00:05Z"),
    }
    data = file.format_verdict_file(ITEMS, verdicts, 3)
    _head, _third_row, first_row = data.splitlines()
    assert first_row.startswith(b"1,'=1+1,right,2026-01-01T00:00:05Z,")
    columns = read_csv_columns(data)
    assert file.read_verdict_file(columns, MARKS, 3) == verdicts


def test_a_file_of_verdicts_needs_only_rows_and_verdicts() -> None:
    columns = {"row": ["2"], "verdict": [0]}
    assert file.read_verdict_file(columns, MARKS, 3) == {1: ("wrong", "")}


def test_the_mark_of_an_answer_is_written_with_its_prefix_and_read_without_it() -> None:
    """Without it a spreadsheet takes 12 hexadecimal digits for a number if e is the only letter."""
    digits = MARKS[0].removeprefix("sha256:")
    assert MARKS[0] == f"sha256:{digits}"
    columns = {"row": [1], "verdict": [1], "answer_sha256": [digits]}
    assert file.read_verdict_file(columns, MARKS, 3) == {0: ("right", "")}


FORMULA = "=cmd|' /C calc'!A0"


@pytest.mark.parametrize(
    "time", ["2026-01-01", "2026-01-01 00:00:00+00:00", "2026-01-01T00:00:00.25Z"]
)
def test_a_time_in_any_usual_format_is_kept(time: str) -> None:
    columns = {"row": [1], "verdict": [1], "time": [time]}
    verdicts = file.read_verdict_file(columns, MARKS, 3)
    assert verdicts == {0: ("right", time)}


@pytest.mark.parametrize("time", [FORMULA, "now", None])
def test_a_text_that_is_no_time_is_dropped(time: str | None) -> None:
    columns = {"row": [1], "verdict": [1], "time": [time]}
    verdicts = file.read_verdict_file(columns, MARKS, 3)
    assert verdicts == {0: ("right", "")}


def test_a_formula_in_any_cell_of_a_file_of_verdicts_is_escaped() -> None:
    verdicts = {0: ("right", FORMULA)}
    data = file.format_verdict_file(ITEMS, verdicts, 3)
    assert b",'=cmd|' /C calc'!A0," in data


def test_a_verdict_counts_for_every_answer_with_its_mark() -> None:
    """The answers of the second system are at the places after those of the first."""
    mark = file.mark_answer("c")
    columns = {
        "row": [1, 2, 3],
        "verdict": [0, 1, 0],
        "answer_sha256": [ROME, ROME, mark],
    }
    marks_of_second = [ROME, ROME, mark]
    verdicts = file.read_verdict_file(columns, MARKS + marks_of_second, 3)
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
    answers = ["a"] * 200
    without_verdicts = annotations.SystemVerdicts("a", answers, {})
    (sample,) = annotations.draw_method_samples([without_verdicts])
    read_rows = sample.order[:40] if read is None else read
    truth = [row % 10 < 7 for row in range(200)]
    verdicts = [""] * 200
    for row in read_rows:
        verdicts[row] = "right" if truth[row] else "wrong"
    noise = np.random.RandomState(1).rand(200)
    estimates = 0.6 * np.array(truth) + 0.4 * noise
    scores = {ESTIMATE: estimates.tolist(), BLEU: noise.tolist()}
    system = annotations.SystemVerdicts("a", answers, more.get("scores", scores), verdicts)
    results = make_results([SampleSystem("a")])
    return results.add_verdicts([system])


def test_verdicts_show_which_scores_tell_right_from_wrong() -> None:
    results = summarize_verdicts()
    verdicts_only, joined = results.verdicts.to_dict("records")
    assert verdicts_only["source"] == "alone"
    assert verdicts_only["method"] == "uniform"
    assert verdicts_only["n_read"] == 40
    assert joined["source"] == "joined"
    assert joined["effective_n"] > 40
    best, worst = results.agreement.to_dict("records")
    assert best["metric"] == "correctness_estimate"
    assert worst["metric"] == "bleu"
    assert best["auroc"] == 1.0
    assert best["high"] == 1.0
    assert best["low"] < 1.0
    sentences = describe_scores(results)
    assert sentences.startswith(
        "On your data Correctness estimate separates right from wrong best (AUROC 1.00, "
    )
    assert sentences.endswith(
        "No better than chance, as far as these verdicts show: BLEU (mean of rows)."
    )


def test_one_score_or_equal_ones_are_not_called_the_best() -> None:
    results = summarize_verdicts()
    best_only = results.agreement.iloc[[0]]
    one_score = describe_scores(replace(results, agreement=best_only))
    assert one_score.startswith(
        "On your data Correctness estimate separates right from wrong better than chance (AUROC 1."
    )
    assert "more metrics" in one_score
    best_twice = results.agreement.iloc[[0, 0]]
    equal_scores = describe_scores(replace(results, agreement=best_twice))
    assert equal_scores.startswith(
        "On your data these separate right from wrong equally well (AUROC 1.00, "
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_report_has_the_share_of_right_answers_and_its_interval(language: str) -> None:
    with speaking(language):
        findings = verdict_sections.describe_findings(summarize_verdicts())
        share, scores = map(format_section, findings)
    # The interval of Clopper and Pearson for 26 of 40 is 0.483 to 0.794.
    _, *figures = share.rows[0]
    assert figures == ["65%", "[48%, 79%]"]
    assert len(scores.rows) == 2


def describe_scores(results: Results) -> str:
    """Return the sentences on which scores tell right from wrong."""
    return str(verdict_sections.describe_agreeing_scores(results, "a") or "")


def list_lines(results: Results) -> list[str]:
    """Return the notes below the table of shares."""
    shares, *_ = verdict_sections.describe_findings(results)
    return [line for line, _ in format_section(shares).lines]


def test_nineteen_verdicts_are_too_few_for_figures() -> None:
    with_19 = summarize_verdicts([*range(19)])
    with_20 = summarize_verdicts([*range(20)])
    assert with_19.verdicts.empty
    assert not with_20.verdicts.empty


def test_a_note_says_that_rows_were_not_drawn_at_random() -> None:
    first_rows = summarize_verdicts([*range(40)])
    *_, last_line = list_lines(first_rows)
    assert "only if they were chosen at random" in last_line


def test_a_useless_score_is_not_joined_with_verdicts() -> None:
    random_scores = np.random.RandomState(1).rand(200).tolist()
    useless = summarize_verdicts(scores={BLEU: random_scores})
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
        answers: list[str | None] = [f"{system} {row}" for row in range(rows)]
        marked.append(mark_answers(answers))
    samples = annotations.draw_method_samples(marked)
    *_, sample = samples
    read_rows = sample.order[:read]
    unread_rows = sample.order[read:drawn]
    verdicts_on_system = ["right" if row in read_rows else "" for row in range(rows)]
    verdicts = [verdicts_on_system] * systems
    # The places of the answers: those of the second system come after those of the first.
    unread: set[int] = set()
    for system in range(systems):
        first_place = rows * system
        unread |= {first_place + row for row in unread_rows}
    needed = str(annotations.describe_needed_verdicts(verdicts, samples, unread) or "")
    assert message in needed
    assert bool(needed) == bool(message)


def test_cannot_say_is_not_counted_as_a_verdict() -> None:
    """20 verdicts are needed: 12 are given, one of them "cannot say"."""
    answers: list[str | None] = [str(row) for row in range(100)]
    samples = annotations.draw_method_samples([mark_answers(answers)])
    *_, sample = samples
    read = sample.order[:12]
    verdicts = ["right" if row in read else "" for row in range(100)]
    verdicts[read[0]] = "cannot say"
    message = str(annotations.describe_needed_verdicts([verdicts], samples, set()))
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
        row = {
            "question": f"Where is {number}?",
            "reference": f"Paris {number}",
            "answer": f"It is {city} {number}.",
        }
        rows.append(row)
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
    text = sample.read_text("utf-8")
    return list(csv.DictReader(io.StringIO(text)))


def test_a_sample_is_written_and_read_back_with_its_verdicts(
    tmp_path: Path, score: Command
) -> None:
    answers = write_jsonl(tmp_path / "answers.jsonl", make_questions())
    sample = tmp_path / "sample.csv"
    report = tmp_path / "report.json"
    assert score(answers, "--sample", 40, "--out", sample).code == 0
    sample_rows = read_sample_rows(sample)
    assert list(sample_rows[0]) == HEADS
    read = {int(row["row"]) - 1 for row in sample_rows}
    assert len(read) == 40
    lines = ["row,verdict"]
    for row in read:
        lines.append(f"{row + 1},{TRUTH[row]}")
    sample.write_text("\n".join(lines), "utf-8")
    assert score(answers, *METRICS, "--report", report, "--verdict", sample).code == 0
    sections = read_sections(report)
    verdicts_only, joined = sections["verdict_shares"]["rows"]
    # Verdicts are weighted by the probability that their row is drawn, which differs slightly.
    share = sum(TRUTH[row] for row in read) / 40
    assert verdicts_only["share"] == pytest.approx(share, abs=0.005)
    assert joined["source"] == "joined"
    assert joined["stand_in"] == "the estimate"
    assert joined["n_read"] == 40
    assert joined["rows"] == 90
    *_, last_line = sections["verdict_shares"]["lines"]
    assert "random sample of this table" in last_line
    best, *_ = sections["verdict_scores"]["rows"]
    assert best["auroc"] == 1


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
    questions = {line["row"] for line in lines}
    assert list(lines[0]) == HEADS
    assert len(lines) == 60
    assert len(questions) == 30
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
    true_difference = sum(TRUTH) / 90
    assert joined["low"] <= true_difference <= joined["high"]


@pytest.mark.parametrize("cell", ["maybe", 2, 0.5, ["right"]])
def test_a_cell_that_is_no_verdict_is_refused_with_its_row(
    cell: Any, tmp_path: Path, score: Command
) -> None:
    rows = judge_questions()
    rows[1]["human"] = cell
    answers = write_jsonl(tmp_path / "answers.jsonl", rows)
    refused = score(answers, "--verdict", "human")
    assert refused.code == 2
    assert f"“human”, row 2: {cell!r}" in refused.err


def test_verdicts_that_differ_are_not_called_equal_if_no_metric_has_a_score(
    tmp_path: Path, score: Command
) -> None:
    rows = []
    for number in range(30):
        verdict = "right" if number % 3 else "wrong"
        rows.append({"reference": "x", "prediction": str(number), "human": verdict})
    answers = write_jsonl(tmp_path / "t.jsonl", rows)
    # The judge's server is stopped before the run.
    with JudgeServer(judges.compare_texts) as server:
        options = [*judge_options(server), "--set", "eve_judge.max_retries=0"]
    ran = score(answers, "--metrics", "eve_judge", *options)
    assert ran.code == 1
    assert "30 verdicts alone" in ran.out
    assert "All verdicts are the same" not in ran.out
