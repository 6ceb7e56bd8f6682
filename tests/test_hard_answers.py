"""`make hard-answers`: how often the estimate judges hard answers correctly."""

import pytest

from metrics.benchmarks import hard_answers

LEAST = 0.8  # share of the answers of each kind
MOST_WRONG = 0.05  # share of confidently wrong scores among those that are called a probability


@pytest.fixture(scope="module")
def groups() -> dict[str, list[hard_answers.Judged]]:
    """Return the answers of each kind, and of each attack."""
    return dict(hard_answers.list_groups(hard_answers.score_answers(hard_answers.read_answers())))


def test_most_answers_of_each_kind_are_judged_correctly(
    groups: dict[str, list[hard_answers.Judged]],
) -> None:
    shares = {name: hard_answers.measure_share(group) for name, group in groups.items()}
    assert {name: share for name, share in shares.items() if share < LEAST} == {}


def test_few_probabilities_are_confidently_wrong(
    groups: dict[str, list[hard_answers.Judged]],
) -> None:
    for name in (hard_answers.FREE_ANSWERS, *hard_answers.ATTACKS):
        group = groups[name]
        sure = [one for one in group if one.is_probability]
        n_wrong = sum(one.is_confidently_wrong for one in sure)
        assert n_wrong <= MOST_WRONG * len(sure), name


def test_the_page_has_the_counts_of_the_file(
    groups: dict[str, list[hard_answers.Judged]],
) -> None:
    page = hard_answers.PAGE.read_text("utf-8")
    for name, group in groups.items():
        assert f"| {name} | {len(group):,} |" in page
