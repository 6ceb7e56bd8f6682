"""Test the agreement of three or more readers of the same answers, and a change of the judge."""

import random
from collections.abc import Sequence
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from lens.inference.judge_bridge import bridge_shares, compare_leads
from lens.inference.rater_agreement import compute_alpha, measure_agreement, summarize_rows
from scipy import stats

from tests.demo.command_runs import Command, judge_options, read_sections, write_jsonl
from tests.support.judge_server import JudgeServer, Reply, Request
from tests.support.judges import FAIL, PASS


def compute_slow_alpha(readers: list[list[Any]]) -> float:
    """Return Krippendorff's alpha by its definition, from all pairs of verdicts."""
    observed = 0.0
    comparable: list[Any] = []
    for row in zip(*readers, strict=True):
        verdicts = [verdict for verdict in row if verdict is not None]
        if len(verdicts) > 1:
            observed += count_differing_pairs(verdicts) / (len(verdicts) - 1)
            comparable += verdicts
    expected = count_differing_pairs(comparable) / (len(comparable) - 1)
    return 1 - observed / expected


def count_differing_pairs(verdicts: list[Any]) -> int:
    """Return the number of ordered pairs of verdicts that differ."""
    return sum(first != second for first, second in permutations(verdicts, 2))


@pytest.mark.parametrize("seed", range(20))
def test_alpha_equals_its_definition_by_all_pairs_of_verdicts(seed: int) -> None:
    rng = random.Random(seed)
    rows = rng.randint(10, 40)
    verdicts = [None, "right", "wrong", "declined"]
    n_readers = rng.randint(3, 5)
    readers = [rng.choices(verdicts, k=rows) for _ in range(n_readers)]
    agreement = measure_agreement(readers)
    assert agreement
    expected = compute_slow_alpha(readers)
    assert agreement.alpha == pytest.approx(expected, abs=1e-12)
    assert agreement.interval
    low, high = agreement.interval
    assert low <= agreement.alpha <= high


def test_alpha_of_the_example_of_krippendorff() -> None:
    # Krippendorff 2011, section C: four observers, twelve units, nominal.
    readers = [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
        [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
    ]
    agreement = measure_agreement(readers)
    assert agreement
    assert agreement.alpha == pytest.approx(0.743, abs=5e-4)
    assert agreement.rows == 11


def test_alpha_is_none_if_no_answer_has_two_verdicts() -> None:
    readers = [
        [True, None],
        [None, False],
        [None, None],
    ]
    assert measure_agreement(readers) is None


def test_alpha_is_none_if_all_verdicts_are_the_same() -> None:
    readers = [
        [True, True],
        [True, True],
        [True, None],
    ]
    agreement = measure_agreement(readers)
    assert agreement
    assert agreement.alpha is None
    assert agreement.rows == 2
    assert agreement.modal_share == 1.0


def test_95_percent_intervals_of_alpha_hold_in_at_least_92_percent_of_samples() -> None:
    """285 of 300 samples are expected, with a standard error of 3.8."""
    rng = np.random.RandomState(0)

    def judge_rows(rows: int) -> Any:
        truth = rng.rand(rows) < 0.8
        readers = []
        for accuracy in (0.95, 0.9, 0.7):
            is_right = rng.rand(rows) < accuracy
            verdicts = np.where(is_right, truth, ~truth)
            readers.append(verdicts.tolist())
        return readers

    # Very many rows have nearly the true alpha.
    passed = np.sum(judge_rows(200_000), axis=0)
    failed = 3 - passed
    counts = np.column_stack([passed, failed])
    terms = summarize_rows(counts.astype(float))
    true_alpha = compute_alpha(terms.sum(axis=0))
    intervals_that_hold = 0
    for _ in range(300):
        agreement = measure_agreement(judge_rows(40))
        assert agreement
        assert agreement.interval
        low, high = agreement.interval
        intervals_that_hold += low <= true_alpha <= high
    assert intervals_that_hold / 300 >= 0.92


def test_a_change_of_a_lead_is_tested_like_paired_differences() -> None:
    """Two pseudo-questions are added: the largest change of any question, in either direction."""
    rng = np.random.RandomState(1)
    # The verdicts of the old and the new judge on two systems' answers to 50 questions.
    old = (rng.rand(2, 50) < 0.5).astype(int)
    new = (rng.rand(2, 50) < 0.5).astype(int)
    (change_of_lead,) = compare_leads(old.tolist(), new.tolist())
    leads_before = old[0] - old[1]
    leads_after = new[0] - new[1]
    changes = leads_after - leads_before
    largest = np.abs(changes).max()
    padded = [*changes, largest, -largest]
    error = stats.sem(padded)
    t = abs(np.mean(padded)) / error
    # The pseudo-questions add no degree of freedom: 50 - 1 = 49.
    expected_p = 2 * stats.t.sf(t, 49)
    assert change_of_lead.change == pytest.approx(changes.mean())
    assert change_of_lead.p == pytest.approx(expected_p)


def draw_judgments(verdicts: Sequence[bool], accuracy: float, rng: random.Random) -> list[bool]:
    """Return the verdicts of a judge that agrees with each of these with this probability."""
    judgments = []
    for verdict in verdicts:
        agrees = rng.random() < accuracy
        judgments.append(verdict if agrees else not verdict)
    return judgments


def test_the_new_judges_share_is_estimated_from_the_old_judges_verdicts() -> None:
    """The new judge reads 60 of 400 answers. The interval is shorter than that of its verdicts.

    A verdict has the variance 0.6 * 0.4 = 0.24. The judges differ on 5% of the answers, so their
    difference has the variance 0.05. The standard error is (0.05 / 60 + 0.24 / 400) ** 0.5 instead
    of (0.24 / 60) ** 0.5, which is 0.6 times as much; 0.7 leaves room.
    """
    rng = random.Random(5)
    old = [rng.random() < 0.6 for _ in range(400)]
    new = draw_judgments(old, 0.95, rng)
    new_on_60_answers = [*new[:60], *[None] * 340]
    bridge = bridge_shares(old, new_on_60_answers)
    assert bridge
    # `mapped` is the new judge's share by the verdicts of both, `after` by its own alone.
    assert bridge.mapped
    low, high = bridge.mapped.interval
    true_share = sum(new) / 400
    assert low <= true_share <= high
    low_without_old, high_without_old = bridge.after.interval
    width_without_old = high_without_old - low_without_old
    assert high - low < 0.7 * width_without_old


def test_no_share_is_estimated_if_the_new_judge_read_all_answers_or_none() -> None:
    rng = random.Random(5)
    old = [rng.random() < 0.6 for _ in range(400)]
    new = draw_judgments(old, 0.95, rng)
    bridge = bridge_shares(old, new)
    assert bridge
    assert bridge.mapped is None
    assert bridge_shares(old, [None] * 400) is None


def write_system(path: Path, accuracy: float, new_leniency: float) -> Path:
    """Write 120 answers of a system with the verdicts of three judges: old, new and third.

    Args:
        path: the file.
        accuracy: the share of right answers.
        new_leniency: the share of right answers that the new judge passes.
    """
    rng = random.Random(path.stem)
    is_right = [rng.random() < accuracy for _ in range(120)]
    old = draw_judgments(is_right, 0.95, rng)
    new = [right and rng.random() < new_leniency for right in is_right]
    third = draw_judgments(is_right, 0.8, rng)
    rows = []
    for number in range(120):
        city = "Paris" if is_right[number] else "Rome"
        row = {
            "id": number,
            "reference": "Paris",
            "prediction": f"{city} {number}",
            "old": int(old[number]),
            "new": int(new[number]),
            "third": int(third[number]),
        }
        rows.append(row)
    return write_jsonl(path, rows)


def write_systems(folder: Path) -> list[Path]:
    """Write the answers of three systems. The new judge is strict with the first one."""
    return [
        write_system(folder / "alpha.jsonl", accuracy=0.8, new_leniency=0.4),
        write_system(folder / "beta.jsonl", accuracy=0.6, new_leniency=1),
        write_system(folder / "gamma.jsonl", accuracy=0.62, new_leniency=1),
    ]


def test_a_report_names_systems_whose_order_changes_with_the_judge(
    score: Command, tmp_path: Path
) -> None:
    report = tmp_path / "report.json"
    systems = write_systems(tmp_path)
    judges = ("--judge-verdict", "old", "new")
    ran = score(*systems, "--metrics", "rouge", *judges, "--report", report)
    assert ran.code == 0, ran.err
    printed = " ".join(ran.out.split())
    assert "alpha.jsonl and beta.jsonl change places beyond chance." in printed

    sections = read_sections(report)
    before, after, *_ = sections["judge_bridge"]["rows"]
    assert before["system"] == after["system"] == "alpha.jsonl"
    assert before["source"] == "before"
    assert after["source"] == "after"
    changes = {}
    for row in sections["lead_changes"]["rows"]:
        pair = (row["first"], row["second"])
        changes[pair] = row
    of_alpha = changes["alpha.jsonl", "beta.jsonl"]
    assert of_alpha["changes_places"]
    assert of_alpha["p"] < 0.001
    assert of_alpha["n"] == 120
    of_gamma = changes["beta.jsonl", "gamma.jsonl"]
    assert of_gamma["p"] >= 0.05


def test_a_report_has_alpha_if_three_readers_have_verdicts(score: Command, tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    path, *_ = write_systems(tmp_path)
    judges = ("--judge-verdict", "old", "new", "third")
    ran = score(path, "--metrics", "rouge", *judges, "--report", report)
    assert ran.code == 0, ran.err
    sections = read_sections(report)
    (row,) = sections["readers"]["rows"]
    assert row["readers"] == 3
    assert row["n"] == 120
    assert row["low"] < row["alpha"] < row["high"]
    assert "judge_bridge" not in sections


def test_a_new_judge_is_compared_with_the_verdicts_in_a_scored_file(
    score: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The old judge's verdicts are a column of the scored file. The new judge is asked."""
    monkeypatch.setenv("MY_KEY", "sk-something-long")
    rows = []
    for number in range(1, 31):
        row = {
            "question": f"What is {number - 1} + 1?",
            "reference": str(number),
            "prediction": f"{number} or so",
        }
        rows.append(row)

    def judge_like_old(request: Request, number: int) -> Reply:
        return PASS if 'Answer: "1' in request.prompt else FAIL

    def judge_like_new(request: Request, number: int) -> Reply:
        return FAIL if 'Answer: "3' in request.prompt else PASS

    source = write_jsonl(tmp_path / "answers.jsonl", rows)
    scored = tmp_path / "scored.jsonl"
    report = tmp_path / "report.json"
    options = ["--metrics", "eve_judge", "--out", scored]
    with JudgeServer(judge_like_old) as server:
        ran = score(source, *options, *judge_options(server))
    assert ran.code == 0, ran.err
    options = ["--metrics", "eve_judge", "--judge-verdict", "eve_judge", "--report", report]
    with JudgeServer(judge_like_new) as server:
        ran = score(scored, *options, *judge_options(server))
    assert ran.code == 0, ran.err
    # Of the numbers 1 to 30, eleven begin with 1 (passed by the old judge), and two with 3 (failed
    # by the new one).
    sections = read_sections(report)
    before, after = sections["judge_bridge"]["rows"]
    assert before["share"] == pytest.approx(11 / 30)
    assert after["share"] == pytest.approx(28 / 30)
    assert before["n"] == after["n"] == 30
