"""L3Score: cases computed by hand, properties of the formula, and how replies are read."""

import math
import re
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.judge_server import (
    JudgeServer,
    Reply,
    make_completion,
    make_message,
    make_tokens,
)
from tests.support.judges import judge_rows, select_keys
from tests.support.project import import_file

l3score = import_file("l3score")
score = l3score.score_top_logprobs


def make_candidates(**probabilities: float) -> list[dict[str, Any]]:
    """Return candidates for a token from their probabilities, likeliest first.

    A "_" in a name stands for a space.
    """
    order = sorted(probabilities.items(), key=lambda item: -item[1])
    candidates = []
    for token, probability in order:
        candidates.append({"token": token.replace("_", " "), "logprob": math.log(probability)})
    return candidates


# If only one of yes and no is listed, the other is given the probability of the least likely
# candidate or what all candidates leave of 1, whichever is less, but at least 1e-8.


@pytest.mark.parametrize(
    ("candidates", "expected"),
    [
        (make_candidates(Yeah=0.5, No=0.5), 1 / 2),
        (make_candidates(_yes=0.3, NO=0.1), 3 / 4),
        # No is not listed: 0.01 is left.
        (make_candidates(Yes=0.6, a=0.39), 0.6 / 0.61),
        # Nothing is left.
        (make_candidates(Yes=1.0), 1 / (1 + 1e-8)),
        (
            make_candidates(
                yes=0.2,
                Yes=0.5,
                no=0.1,
                No=0.2,
            ),
            5 / 7,
        ),
        # Neither yes nor no is listed.
        (make_candidates(Nope=0.6, **{"Yes.": 0.4}), 0.0),
        # Two examples from the README of google/spiqa.
        (
            [{"token": "Yes", "logprob": -1.9361265e-07}, {"token": "yes", "logprob": -20.0}],
            0.9999999899999982,
        ),
        (
            [{"token": "No", "logprob": 0.0}, {"token": "Yes", "logprob": -17.125}],
            3.653482080241728e-08,
        ),
        # 0.6 / (0.6 + 0.05): No is not listed, and the least likely candidate has 0.05.
        (
            make_candidates(
                Yes=0.6,
                a=0.1,
                b=0.1,
                c=0.05,
                d=0.05,
            ),
            12 / 13,
        ),
    ],
)
def test_scores_equal_those_computed_by_hand_and_published_ones(
    candidates: list[dict[str, Any]], expected: float
) -> None:
    assert score(candidates) == pytest.approx(expected, abs=1e-12)


SPELLINGS = make_candidates(
    Yes=0.4,
    yes=0.2,
    YEAH=0.1,
    No=0.2,
    no=0.1,
)


def test_objects_of_the_openai_package_are_scored() -> None:
    chat = pytest.importorskip("openai.types.chat.chat_completion_token_logprob")
    objects = [chat.TopLogprob(**candidate) for candidate in SPELLINGS]
    assert score(objects) == score(SPELLINGS)


def test_the_likeliest_spelling_counts_and_match_sum_adds_all_spellings() -> None:
    assert score(SPELLINGS) == pytest.approx(4 / 6)
    assert score(SPELLINGS, match="sum") == pytest.approx(7 / 10, abs=1e-12)


TOKEN = st.sampled_from(
    ["Yes", " yes", "YEAH", "No", "no ", "NO", "The", "**", "", "\n", "Yes.", "nope"]
)
# Tokens with log weights; the weights do not sum to 1.
CANDIDATES = st.lists(st.tuples(TOKEN, st.floats(-30, 0)), min_size=1, max_size=20)


@given(CANDIDATES, st.randoms())
def test_the_score_equals_a_slow_obvious_version_in_any_order_of_candidates(
    pairs: list[tuple[str, float]], random: Any
) -> None:
    total = sum(math.exp(log_weight) for _, log_weight in pairs)
    candidates = []
    for token, log_weight in pairs:
        probability = math.exp(log_weight) / total
        candidates.append({"token": token, "logprob": math.log(probability)})
    expected = compute_plainly(candidates)
    random.shuffle(candidates)
    assert score(candidates) == pytest.approx(expected, abs=1e-9)
    assert 0 <= score(candidates) <= 1


def compute_plainly(candidates: list[dict[str, Any]]) -> float:
    """Return the L3Score of the candidates for a judge's first token, step by step."""
    probabilities = []
    yes = []
    no = []
    for candidate in candidates:
        probability = math.exp(candidate["logprob"])
        probabilities.append(probability)
        word = candidate["token"].strip().lower()
        if word in ("yes", "yeah"):
            yes.append(probability)
        elif word == "no":
            no.append(probability)
    if not yes and not no:
        return 0.0
    # A word that is not listed has at most the least listed probability, and at most what is left.
    bound = max(1e-8, min(*probabilities, 1 - sum(probabilities)))
    p_yes = max(yes, default=bound)
    p_no = max(no, default=bound)
    return p_yes / (p_yes + p_no)


@pytest.mark.parametrize(
    ("candidates", "message"),
    [
        (
            [{"token": "Yes", "logprob": None}],
            r"top_logprobs\[0\] is {'token': 'Yes', 'logprob': None}",
        ),
        ([{"token": "Yes", "logprob": math.nan}], r"top_logprobs\[0\]"),
        (
            [{"token": "Yes", "logprob": -1.0}, {"token": None, "logprob": -2.0}],
            r"top_logprobs\[1\]",
        ),
        (
            [{"token": "Yes", "logprob": -9999.0}, {"token": "No", "logprob": -9999.0}],
            "no probability at all",
        ),
        (["Yes"], r"top_logprobs\[0\] is 'Yes'"),
    ],
)
def test_malformed_log_probabilities_are_refused(candidates: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        score(candidates)


ask = partial(judge_rows, "l3score")


def test_a_row_shows_the_probabilities_that_its_score_is_computed_from() -> None:
    with JudgeServer(
        make_tokens([("The", math.log(0.5)), ("Yes", math.log(0.25)), ("No", math.log(0.125))])
    ) as server:
        (row,) = ask(server, 1, top_logprobs=3)["per_example"]
        (row_with_too_few,) = ask(server, 1, top_logprobs=5)["per_example"]
    expected = {"score": 2 / 3, "p_yes": 0.25, "p_no": 0.125, "mass": 0.375}
    assert select_keys(row, *expected) == pytest.approx(expected, abs=1e-12)
    remarks = {"branch": "both", "note": None, "reason": None}
    assert select_keys(row, *remarks) == remarks
    assert [token for token, _ in row["top_tokens"]] == ["The", "Yes", "No"]
    assert row_with_too_few["note"] == "3 of 5 candidates listed"


def make_certain_reply(first: str, content: str | None = None, **message: Any) -> Reply:
    """Return a reply whose first token has log-probability 0.

    "No" and "Yes" are listed, too, with log-probabilities of -43.7 and -46: nearly impossible.
    """
    body = make_tokens([(first, 0.0), ("No", -43.7), ("Yes", -46.0)]).body
    return Reply(
        make_completion(make_message(content) | message, body["choices"][0]["logprobs"], "length")
    )


LOW_MASS = "yes and no hold less than 0.05 of what is listed"
TAGS = [
    "<think>",
    "<thinking>",
    "<thought>",
    "<thoughts>",
    "<reasoning>",
    "<analysis>",
    "<cot>",
    "<longcat_think>",
]
# Replies whose first token is thinking: its tag, or the first token of a field for thinking.
THINKING = [
    make_certain_reply(tag, tag)
    for tag in [*TAGS, "[THINK]", "<|channel|>", "<|START_THINKING|>", "\n<Think", "</think>"]
]
THINKING += [
    make_certain_reply("<", "<think>\nYes"),
    make_certain_reply("<|channel|>", "<|channel|>analysis<|message|>No"),
]
THINKING += [
    make_certain_reply("Okay", None, reasoning_content="Okay"),
    make_certain_reply("\n", "", reasoning="\nThe"),
]
THINKING += [make_certain_reply("No", "Yes", reasoning_content="No doubt. Yes.")]
# Replies whose first token is the answer's: thinking in a field without log-probabilities, words
# that look like thinking, and an empty field for thinking.
ANSWERS = [
    make_certain_reply("The", "The", reasoning_content="We compare."),
    make_certain_reply("I think", "I think so"),
    make_certain_reply("<", "<b>"),
]
ANSWERS += [
    make_certain_reply("Yes", "Yes", reasoning=""),
    make_certain_reply("A", "A", reasoning=None),
]


def test_a_first_token_of_thinking_is_a_failure_and_one_other_than_yes_or_no_gets_a_note() -> None:
    replies = [*THINKING, *ANSWERS]
    with JudgeServer(replies) as server:
        result = ask(server, len(replies), max_concurrency=1, on_error="skip", top_logprobs=3)
    rows = result["per_example"]
    for row in rows[: len(THINKING)]:
        assert (row["score"], row["reason"]) == (None, "thinking")
        assert "'enable_thinking': False" in row["message"]
    # In all answers but "Yes", yes and no are nearly impossible.
    for row in rows[len(THINKING) :]:
        is_yes = row["p_yes"] > 0.5
        assert row["score"] is not None
        assert row["reason"] is None
        assert row["note"] == (None if is_yes else LOW_MASS)
    n_low_mass = len(ANSWERS) - 1
    counts = {"n_failed": len(THINKING), "n_neither": 0, "n_low_mass": n_low_mass}
    assert select_keys(result, *counts) == counts
    assert re.search(rf"(^|\n)in {n_low_mass} rows yes and no", "\n".join(result["notes"]))


# About the share of yes and no in what is listed, and whether that is low (below 0.05).
@pytest.mark.parametrize(("share", "is_low"), [(0.06, False), (0.04, True), (0.0, False)])
def test_rows_with_low_mass_and_rows_without_yes_and_no_have_two_counts(
    share: float, is_low: bool
) -> None:
    unrelated = [("The", math.log(0.5 * (1 - share))), ("A", math.log(0.5 * (1 - share)) - 0.1)]
    yes_and_no: list[tuple[str, float]] = []
    if share:
        yes_and_no = [("Yes", math.log(0.5 * share)), ("No", math.log(0.5 * share))]
    with JudgeServer(make_tokens([*unrelated, *yes_and_no])) as server:
        result = ask(server, 2)
    expected = {
        "n_low_mass": 2 if is_low else 0,
        "n_neither": 0 if share else 2,
        "n_failed": 0,
        "L3Score": pytest.approx(0.5 if share else 0, abs=1e-12),
    }
    assert select_keys(result, *expected) == expected


def test_the_request_is_that_of_the_original_code() -> None:
    with JudgeServer(make_tokens([("Yes", -0.1), ("No", -3.0)])) as server:
        result = ask(server, 1, prompt="spiqa", top_logprobs=7)
        body = server.requests[0].body
    messages = [
        {
            "role": "user",
            "content": l3score.fill_prompt("Question 0", "Answer 0", "Reference 0", "spiqa"),
        }
    ]
    assert body == {
        "model": "judge-1",
        "messages": messages,
        "logprobs": True,
        "top_logprobs": 7,
        "max_tokens": 1,
    }
    assert "|prompt:spiqa-v1-" in result["signature"]


def test_an_unknown_match_is_refused_before_anything_is_sent() -> None:
    with JudgeServer() as server:
        with pytest.raises(ValueError, match="match is 'best'"):
            ask(server, 1, match="best")
        assert server.requests == []
    with pytest.raises(ValueError, match="match is 'all'"):
        score(make_candidates(Yes=0.5), match="all")
