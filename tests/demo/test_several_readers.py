"""Agreement of three or more readers of the same answers, and a change of the judge."""

import random
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
    values: list[Any] = []
    for row in zip(*readers, strict=True):
        verdicts = [value for value in row if value is not None]
        if len(verdicts) > 1:
            observed += count_differing_pairs(verdicts) / (len(verdicts) - 1)
            values += verdicts
    expected = count_differing_pairs(values) / (len(values) - 1)
    return 1 - observed / expected


def count_differing_pairs(values: list[Any]) -> int:
    """Return the number of ordered pairs of values that differ."""
    return sum(one != other for one, other in permutations(values, 2))


@pytest.mark.parametrize("seed", range(20))
def test_alpha_equals_its_definition_by_all_pairs_of_verdicts(seed: int) -> None:
    stream = random.Random(seed)
    values = [None, "right", "wrong", "declined"]
    readers = [
        stream.choices(values, k=stream.randint(10, 40)) for _ in range(stream.randint(3, 5))
    ]
    readers = [reader[: min(map(len, readers))] for reader in readers]
    found = measure_agreement(readers)
    assert found
    assert found.alpha == pytest.approx(compute_slow_alpha(readers), abs=1e-12)
    assert found.interval
    assert found.interval[0] <= found.alpha <= found.interval[1]


def test_alpha_of_the_example_of_krippendorff() -> None:
    # Krippendorff 2011, section C: four observers, twelve units, nominal.
    readers = [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
        [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
    ]
    found = measure_agreement(readers)
    assert found
    assert found.alpha == pytest.approx(0.743, abs=5e-4)
    assert found.rows == 11


@pytest.mark.parametrize(
    ("readers", "expected"),
    [
        pytest.param(
            [[True, None], [None, False], [None, None]], None, id="no answer has two verdicts"
        ),
        pytest.param(
            [[True, True], [True, True], [True, None]],
            (None, 2, 1.0),
            id="all verdicts are the same",
        ),
    ],
)
def test_alpha_is_none_if_no_verdicts_can_be_compared_or_all_are_equal(
    readers: Any, expected: Any
) -> None:
    found = measure_agreement(readers)
    assert (found and (found.alpha, found.rows, found.modal_share)) == expected


def test_95_percent_intervals_of_alpha_hold_in_at_least_92_percent_of_samples() -> None:
    stream = np.random.RandomState(0)

    def judge_rows(rows: int) -> Any:
        truth = stream.rand(rows) < 0.8
        readers = []
        for accuracy in (0.95, 0.9, 0.7):
            is_right = stream.rand(rows) < accuracy
            readers.append(np.where(is_right, truth, ~truth).tolist())
        return readers

    passed = np.sum(judge_rows(200_000), axis=0)
    counts = np.column_stack([passed, 3 - passed]).astype(float)
    sums = summarize_rows(counts).sum(axis=0)
    true_alpha = compute_alpha(sums)
    held = 0
    for _ in range(300):
        found = measure_agreement(judge_rows(40))
        assert found
        assert found.interval
        low, high = found.interval
        held += low <= true_alpha <= high
    assert held / 300 >= 0.92


def test_a_change_of_a_lead_is_tested_like_paired_differences() -> None:
    """Two made-up questions are added: the largest change that was found, in either direction."""
    stream = np.random.RandomState(1)
    old = (stream.rand(2, 50) < 0.5).astype(int)
    new = (stream.rand(2, 50) < 0.5).astype(int)
    (found,) = compare_leads(old.tolist(), new.tolist())
    leads_before = old[0] - old[1]
    leads_after = new[0] - new[1]
    changes = leads_after - leads_before
    largest = np.abs(changes).max()
    padded = [*changes, largest, -largest]
    error = np.std(padded, ddof=1) / len(padded) ** 0.5
    t = abs(np.mean(padded)) / error
    assert found.change == pytest.approx(changes.mean())
    assert found.p == pytest.approx(2 * stats.t.sf(t, 49))


def test_the_new_judges_share_is_estimated_from_the_old_judges_verdicts() -> None:
    stream = random.Random(5)
    old = [stream.random() < 0.6 for _ in range(400)]
    new = [verdict if stream.random() < 0.95 else not verdict for verdict in old]
    read = [verdict if number < 60 else None for number, verdict in enumerate(new)]
    found = bridge_shares(old, read)
    assert found
    assert found.mapped
    low, high = found.mapped.interval
    assert low <= sum(new) / 400 <= high
    assert high - low < 0.7 * (found.after.interval[1] - found.after.interval[0])
    everything = bridge_shares(old, new)
    assert everything
    assert everything.mapped is None
    assert bridge_shares(old, [None] * 400) is None


def write_systems(folder: Path) -> list[Path]:
    """Write the answers of three systems with the verdicts of three judges.

    The judge "new" passes only 40% of the right answers of the first system.
    """
    stream = random.Random(4)
    paths = []
    for name, accuracy in (("alpha", 0.8), ("beta", 0.6), ("gamma", 0.62)):
        rows = []
        for number in range(120):
            is_right = stream.random() < accuracy
            old = is_right if stream.random() < 0.95 else not is_right
            new = is_right and not (name == "alpha" and stream.random() < 0.6)
            third = is_right if stream.random() < 0.8 else not is_right
            city = "Paris" if is_right else "Rome"
            row: dict[str, Any] = {"id": number, "reference": "Paris"}
            row["prediction"] = f"{city} {number}"
            row |= {"old": int(old), "new": int(new), "third": int(third)}
            rows.append(row)
        paths.append(write_jsonl(folder / f"{name}.jsonl", rows))
    return paths


def test_a_report_names_systems_whose_order_changes_with_the_judge(
    score: Command, tmp_path: Path
) -> None:
    report = tmp_path / "report.json"
    judges = ("--judge-verdict", "old", "new")
    ran = score(*write_systems(tmp_path), "--metrics", "rouge", *judges, "--report", report)
    assert ran.code == 0, ran.err
    sections = read_sections(report)
    shares = sections["judge_bridge"]["rows"]
    assert [(row["system"], row["source"]) for row in shares[:2]] == [
        ("alpha.jsonl", "before"),
        ("alpha.jsonl", "after"),
    ]
    assert "alpha.jsonl and beta.jsonl change places beyond chance." in " ".join(ran.out.split())
    changes = {(row["first"], row["second"]): row for row in sections["lead_changes"]["rows"]}
    change = changes["alpha.jsonl", "beta.jsonl"]
    assert change["changes_places"]
    assert change["p"] < 0.001
    assert change["n"] == 120
    assert not changes["beta.jsonl", "gamma.jsonl"]["p"] < 0.05


def test_a_report_has_alpha_if_three_readers_have_verdicts(score: Command, tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    path = write_systems(tmp_path)[0]
    judges = ("--judge-verdict", "old", "new", "third")
    ran = score(path, "--metrics", "rouge", *judges, "--report", report)
    assert ran.code == 0, ran.err
    sections = read_sections(report)
    (row,) = sections["readers"]["rows"]
    assert (row["readers"], row["n"]) == (3, 120)
    assert row["low"] < row["alpha"] < row["high"]
    assert "judge_bridge" not in sections


def test_a_new_judge_is_compared_with_the_verdicts_in_a_scored_file(
    score: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The old judge's verdicts are a column of the scored file. The new judge is asked."""
    monkeypatch.setenv("MY_KEY", "sk-something-long")
    rows = []
    for number in range(30):
        question = f"What is {number} + 1?"
        answer = f"{number + 1} or so"
        rows.append({"question": question, "reference": str(number + 1), "prediction": answer})

    def judge_like_old(request: Request, number: int) -> Reply:
        return PASS if 'Answer: "1' in request.prompt else FAIL

    def judge_like_new(request: Request, number: int) -> Reply:
        return FAIL if 'Answer: "3' in request.prompt else PASS

    source = write_jsonl(tmp_path / "answers.jsonl", rows)
    scored, report = tmp_path / "scored.jsonl", tmp_path / "report.json"
    with JudgeServer(judge_like_old) as server:
        ran = score(source, "--metrics", "eve_judge", "--out", scored, *judge_options(server))
    assert ran.code == 0, ran.err
    options = ["--metrics", "eve_judge", "--judge-verdict", "eve_judge", "--report", report]
    with JudgeServer(judge_like_new) as server:
        ran = score(scored, *options, *judge_options(server))
    assert ran.code == 0, ran.err
    # Of the numbers 1 to 30, eleven begin with 1 (passed by the old judge), and two with 3 (failed
    # by the new one).
    before, after = read_sections(report)["judge_bridge"]["rows"]
    assert (before["share"], before["n"]) == (pytest.approx(11 / 30), 30)
    assert (after["share"], after["n"]) == (pytest.approx(28 / 30), 30)
