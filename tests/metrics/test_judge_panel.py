"""Test several replies of a judge, and several judges: majorities, agreement and costs."""

import json
import re
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.support import project
from tests.support.judge_server import JudgeServer, Reply, Request, make_good_reply, make_verdict
from tests.support.judges import EVE, KEY, L3, judge_rows, make_columns, select_keys

PASS = make_verdict('{"score": 1, "reasoning": "1"}')
FAIL = make_verdict('{"score": 0, "reasoning": "0"}')
# A reply without a verdict.
NONE = make_verdict('{"score": null, "reasoning": "null"}')
DECLINED = make_verdict('{"score": "declined", "reasoning": "It does not know."}')
ask = partial(judge_rows, EVE, on_error="skip")
TWO_JUDGES = {"model": None, "models": ["judge-1", "judge-2"]}


def read_row(request: Request) -> int:
    """Return the number of the row that a request asks about."""
    answer = re.search(r"Answer (\d+)", request.prompt)
    assert answer
    return int(answer[1])


def reply_by_row(replies: dict[int, list[Reply]]) -> Any:
    """Return a function that answers the requests of each row with its own replies in order."""
    remaining = {}
    for row, row_replies in replies.items():
        remaining[row] = iter(row_replies)

    def send_next_reply(request: Request, number: int) -> Reply:
        return next(remaining[read_row(request)])

    return send_next_reply


@dataclass(frozen=True)
class Case:
    """The verdicts of a judge's replies to one row, and the row's score and reason."""

    verdicts: list[int | None]
    score: int | None
    reason: str | None

    @property
    def replies(self) -> list[Reply]:
        """The replies with these verdicts."""
        return [REPLIES[verdict] for verdict in self.verdicts]


REPLIES = {1: PASS, 0: FAIL, None: NONE}
CASES = (
    Case([1, 1, 0], 1, None),
    Case([0, 1, 0], 0, None),
    # More than half of all replies.
    Case([1, 1, None], 1, None),
    # One of three is no majority.
    Case([1, None, None], None, "bad_verdict"),
    Case([1, 0, None], None, "bad_verdict"),
    Case([None, None, None], None, "bad_verdict"),
    Case([0, 0, 0], 0, None),
)


def test_the_verdict_is_that_of_more_than_half_of_all_replies(tmp_path: Path) -> None:
    replies = {row: case.replies for row, case in enumerate(CASES)}
    n_replies = 3 * len(CASES)
    with JudgeServer(reply_by_row(replies)) as server:
        run = partial(
            ask,
            server,
            len(CASES),
            samples=3,
            max_concurrency=1,
            cache=tmp_path / "cache",
        )
        result = run()
        again = run()
        assert len(server.requests) == n_replies
        bodies = {json.dumps(request.body) for request in server.requests}
    assert len(bodies) == len(CASES), "three times the same request"
    rows = result["per_example"]
    for row, case in zip(rows, CASES, strict=True):
        assert row["verdicts"] == case.verdicts
        assert row["score"] == case.score
        assert row["reason"] == case.reason
    assert rows[1]["reasoning"] == "0"
    assert rows[0]["requests"] == 3
    assert rows[0]["usage"]["input"] == 360
    assert "|samples:3|" in result["signature"]
    expected = {
        "accuracy": 2 / 4,
        "n_scored": 4,
        "failures": {"bad_verdict": 3},
        # Rows 0, 1, 2, 4 and 6 have at least two verdicts, which differ in three of them.
        "flip_rate": 3 / 5,
        # Wilson's interval.
        "flip_rate_interval": pytest.approx([0.230724, 0.882379], abs=1e-6),
        "tokens": {"input": 120 * n_replies, "output": 10 * n_replies},
    }
    assert select_keys(result, *expected) == expected
    assert select_keys(again, "calls", "flip_rate", "signature") == {
        "calls": {"sent": 0, "cached": n_replies},
        "flip_rate": 3 / 5,
        "signature": result["signature"],
    }


def test_an_even_number_of_replies_may_have_no_majority() -> None:
    replies = {
        0: [PASS, FAIL],
        1: [PASS, PASS],
    }
    with JudgeServer(reply_by_row(replies)) as server:
        result = ask(server, 2, samples=2, max_concurrency=1)
    row, _ = result["per_example"]
    assert row["score"] is None
    assert row["reason"] == "no_majority"
    assert result["n_failed"] == 1
    assert "of 2 replies 1 pass and 1 fail" in row["message"]


def test_each_reference_has_its_own_majority() -> None:
    def pass_good_twice(request: Request, number: int) -> Reply:
        """Pass two of three replies about the reference "good", and none about "bad"."""
        is_passing = "good" in request.prompt and number % 3
        return PASS if is_passing else FAIL

    with JudgeServer(pass_good_twice) as server:
        rows = make_columns(1)
        rows["references"] = [["bad", "good"]]
        result = ask(server, rows, samples=3, max_concurrency=1)
    (row,) = result["per_example"]
    assert row["score"] == 1
    assert row["reference"] == 1
    assert row["verdicts"] == [0, 1, 1]
    assert row["requests"] == 6


def test_replies_of_a_run_with_fewer_samples_are_reused(tmp_path: Path) -> None:
    with JudgeServer(PASS) as server:
        run = partial(ask, server, 4, cache=tmp_path / "cache")
        assert run()["calls"] == {"sent": 4, "cached": 0}
        assert run(samples=2)["calls"] == {"sent": 4, "cached": 4}
        assert run(samples=5)["calls"] == {"sent": 12, "cached": 8}
        dry = run(samples=7, dry_run=True)
        assert dry["calls"] == 8
        assert dry["cached_calls"] == 20
        # 100 output tokens are planned for each of 8 calls.
        assert dry["tokens"]["output"] == 800
        assert len(server.requests) == 20


def test_without_a_cache_every_reply_is_requested() -> None:
    with JudgeServer(PASS) as server:
        for _ in range(2):
            result = ask(server, 4, samples=3)
            assert result["calls"] == {"sent": 12, "cached": 0}


# The rows, of six, that each judge passes. judge-3 has no verdict on row 5.
PASSED_ROWS = {
    "judge-1": {0, 1, 2, 3},
    "judge-2": {0, 1, 4},
    "judge-3": {0, 2, 4},
}
PANEL = {"model": None, "models": list(PASSED_ROWS)}


def reply_as_panel(request: Request, number: int) -> Reply:
    """Return the reply of a judge of PASSED_ROWS."""
    row = read_row(request)
    model = request.body["model"]
    if model == "judge-3" and row == 5:
        return NONE
    return PASS if row in PASSED_ROWS[model] else FAIL


def test_a_panel_of_judges_has_majorities_and_the_figures_of_each_judge(tmp_path: Path) -> None:
    with JudgeServer(reply_as_panel) as server:
        run = partial(ask, server, 6, **PANEL, cache=tmp_path / "cache")
        dry = run(dry_run=True)
        result = run()
        assert dry["calls"] == 18
        assert len(server.requests) == 18
        assert run()["calls"] == {"sent": 0, "cached": 18}
    rows = result["per_example"]
    assert [row["score"] for row in rows] == [1, 1, 1, 0, 1, 0]
    assert result["accuracy"] == 4 / 6
    expected_figures = {
        "judge-1": {"accuracy": 4 / 6, "passed": 4, "n_failed": 0},
        "judge-2": {"accuracy": 3 / 6, "passed": 3, "n_failed": 0},
        "judge-3": {"accuracy": 3 / 5, "passed": 3, "n_failed": 1},
    }
    assert list(result["judges"]) == list(expected_figures)
    for name, expected in expected_figures.items():
        figures = result["judges"][name]
        assert select_keys(figures, *expected) == expected
    judges_of_last_row = rows[5]["judges"]
    assert judges_of_last_row["judge-1"]["score"] == 0
    assert judges_of_last_row["judge-2"]["score"] == 0
    assert judges_of_last_row["judge-3"]["score"] is None
    assert "|model:judge-1+judge-2+judge-3|" in result["signature"]
    # The server always reports the model judge-1.
    assert dry["signature"] + "|served:judge-1|output:json_schema" == result["signature"]


def test_a_panel_of_judges_has_the_kappa_of_each_pair() -> None:
    with JudgeServer(reply_as_panel) as server:
        result = ask(server, 6, **PANEL)
    pairs = {}
    for pair in result["agreement"]:
        pairs[pair["first"], pair["second"]] = pair
    # The first two agree on 3 of 6 rows. By chance they would agree on 2/3 * 1/2 + 1/3 * 1/2 = 1/2,
    # so kappa is 0.
    first_pair = pairs["judge-1", "judge-2"]
    assert first_pair["kappa"] == 0
    assert first_pair["rows"] == 6
    # The last two agree on 3 of 5 rows; by chance, on 3/5 * 3/5 + 2/5 * 2/5 = 13/25 of them.
    observed = 3 / 5
    expected = 13 / 25
    kappa = (observed - expected) / (1 - expected)
    last_pair = pairs["judge-2", "judge-3"]
    assert last_pair["kappa"] == pytest.approx(kappa)
    assert last_pair["rows"] == 5


def reply_by_judge(first: Reply, second: Reply) -> Any:
    """Return a function that answers requests to judge-1 and to judge-2."""

    def reply_to_model(request: Request, number: int) -> Reply:
        return first if request.body["model"] == "judge-1" else second

    return reply_to_model


def test_judges_without_a_majority_give_no_score_and_raise_no_error() -> None:
    with JudgeServer(reply_by_judge(PASS, FAIL)) as server:
        result = ask(server, 3, **TWO_JUDGES)
        # Rows on which two judges differ count in n_failed, but raise no error.
        by_default = ask(server, 3, on_error="raise", **TWO_JUDGES)
    assert result["n_failed"] == 3
    assert result["failures"] == {"no_majority": 3}
    assert result["agreement"][0]["kappa"] == 0.0
    assert result["per_example"][0]["reasoning"] is None
    assert by_default["accuracy"] is None
    assert by_default["n_failed"] == 3
    assert by_default["highest"] - by_default["lowest"] == 1.0
    assert "in 3 rows no verdict has a majority" in " ".join(by_default["notes"])


def test_a_judge_of_a_panel_without_verdicts_raises_an_error() -> None:
    silent_and_failing = JudgeServer(reply_by_judge(NONE, FAIL))
    with silent_and_failing as server, pytest.raises(RuntimeError, match="bad_verdict 3"):
        ask(server, 3, on_error="raise", **TWO_JUDGES)


def test_if_the_first_judge_was_stopped_the_second_is_not_asked() -> None:
    """The second judge's verdicts would be useless but cost money."""
    wrong_key = {"message": "Incorrect API key provided", "code": "invalid_api_key"}
    refusal = Reply({"error": wrong_key}, 401)
    with JudgeServer(reply_by_judge(refusal, PASS)) as server:
        with pytest.raises(Exception, match=r"was stopped \(bad_key\)") as raised:
            ask(server, 3, **TWO_JUDGES)
        models = {request.body["model"] for request in server.requests}
        assert models == {"judge-1"}
    assert raised.value.reason == "bad_key"  # type: ignore[attr-defined]


def test_each_judge_of_a_panel_has_its_own_key_and_address() -> None:
    with JudgeServer(PASS) as first, JudgeServer(FAIL) as second:
        elsewhere = {
            "model": "judge-1",
            "base_url": second.url,
            "api_key": "sk-other-key",
            "temperature": 0.5,
        }
        local = {"model": "judge-2", "base_url": second.url}
        judges = ["judge-1", elsewhere, local]
        result = ask(first, 2, model=None, models=judges)
        assert first.keys == {KEY}
        assert second.keys == {"sk-other-key", None}, (
            "the common key must not be sent to the address of a single judge"
        )
        temperatures = {request.body.get("temperature") for request in second.requests}
        assert temperatures == {0.5, None}
    assert list(result["judges"]) == ["judge-1 (1)", "judge-1 (2)", "judge-2"]
    assert result["accuracy"] == 0.0
    assert "sk-" not in result["signature"]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"samples": 0}, "samples is 0; a whole number of at least 1"),
        ({"samples": 2.5}, "samples"),
        ({"samples": True}, "samples is True"),
        ({"models": ["a", "b"]}, "models is given, and so is model"),
        ({"model": None, "models": []}, r"models is \[\]; two judges or more are expected"),
        ({"model": None, "models": ["a"]}, r"models is \['a'\]; two judges or more"),
        (
            {"model": None, "models": ["a", {"model": "b", "api_key": "sk-secret-1", "apikey": 1}]},
            "apikey",
        ),
        ({"model": None, "models": "ab"}, "models is .*ab"),
        ({"model": None, "models": ["a", "a"]}, "the same judge twice"),
        ({"model": None, "models": ["a", " "]}, "model is ' '"),
        ({"model": None, "models": ["a", 5]}, r"models is \['a', 5\]"),
    ],
)
def test_invalid_panels_are_refused(settings: dict[str, Any], message: str) -> None:
    with JudgeServer(PASS) as server:
        with pytest.raises((TypeError, ValueError), match=message) as raised:
            ask(server, 2, **settings)
        assert server.requests == []
    assert "sk-secret" not in str(raised.value)


def test_declined_is_a_verdict_and_not_a_failure(tmp_path: Path) -> None:
    """The judge says of 36 of 40 answers that they decline. That many failures would stop a run."""
    replies = {row: [DECLINED] for row in range(36)}
    for row, reply in enumerate([PASS, PASS, FAIL, PASS], 36):
        replies[row] = [reply]
    with JudgeServer(reply_by_row(replies)) as server:
        run = partial(
            ask,
            server,
            40,
            max_concurrency=1,
            cache=tmp_path / "cache",
            on_error="raise",
        )
        result = run()
        again = run(retry_unusable=True)
    assert again["calls"] == {"sent": 0, "cached": 40}
    expected = {
        "n_scored": 4,
        "n_failed": 0,
        "failures": {},
        "declined": 36,
        "accuracy": 3 / 4,
        "lowest": 3 / 40,
        "highest": 3 / 40,
        "right_of_all": 3 / 40,
        "right_of_attempted": 3 / 4,
        "attempted": 4 / 40,
        "attempted_interval": pytest.approx([0.039581, 0.230524], abs=1e-4),
    }
    assert select_keys(result, *expected) == expected
    rows = result["per_example"]
    assert rows[35]["reason"] == "declined"
    assert rows[36]["reason"] is None


def test_declined_may_have_the_majority_of_several_replies() -> None:
    replies = {
        0: [DECLINED, DECLINED, PASS],
        1: [DECLINED, PASS, PASS],
        2: [DECLINED, NONE, FAIL],
    }
    with JudgeServer(reply_by_row(replies)) as server:
        result = ask(server, 3, samples=3, max_concurrency=1)
    rows = result["per_example"]
    assert [row["score"] for row in rows] == [None, 1, None]
    assert [row["reason"] for row in rows] == ["declined", None, "bad_verdict"]
    assert result["declined"] == 1
    assert result["n_failed"] == 1
    assert result["flip_rate"] == 1.0


# L3Score without log-probabilities.


ask_share = partial(
    judge_rows,
    L3,
    probability="share",
    samples=3,
    max_concurrency=1,
    on_error="skip",
)


def test_the_share_of_yes_replies_is_a_score_with_its_own_name(tmp_path: Path) -> None:
    texts_of_rows = [
        ["Yes", "yes.", "**No**"],
        ["No", "NO", "no"],
        ["Yeah", "Perhaps", "<think>No?</think> Yes"],
    ]
    replies = {}
    for row, texts in enumerate(texts_of_rows):
        replies[row] = [make_verdict(text) for text in texts]
    with JudgeServer(reply_by_row(replies)) as server:
        result = ask_share(server, 3, cache=tmp_path / "cache")
        again = ask_share(server, 3, cache=tmp_path / "cache")
        bodies = [request.body for request in server.requests]
    rows = result["per_example"]
    assert [row["score"] for row in rows] == [2 / 3, 0.0, 2 / 3]
    assert rows[2]["words"] == ["yes", "neither", "yes"]
    assert result["n_neither"] == 1
    assert again["calls"]["sent"] == 0
    assert len(bodies) == 9
    for body in bodies:
        assert not body.keys() & {"logprobs", "top_logprobs", "max_tokens"}
    assert "|probability:share|" in result["signature"]
    assert "|samples:3|" in result["signature"]
    assert "not the published L3Score" in " ".join(result["notes"])


def test_a_failed_reply_does_not_count_as_no() -> None:
    """A row has a share only if all its replies are known."""
    yes = make_verdict("Yes")
    refusal = make_verdict(None, refusal="I cannot.")
    with JudgeServer(reply_by_row({0: [yes, refusal, yes]})) as server:
        result = ask_share(server, 1)
    (row,) = result["per_example"]
    assert row["score"] is None
    assert row["reason"] == "refusal"


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (
            {"samples": 3},
            "samples is 3; 1 is expected: one reply has the probability of both words",
        ),
        ({"probability": "share"}, "at least 2 replies"),
        ({"probability": "guess"}, "'logprobs', 'share' or 'decision'"),
    ],
)
def test_a_share_needs_several_replies_and_a_probability_only_one(
    settings: dict[str, Any], message: str
) -> None:
    with JudgeServer(make_good_reply) as server:
        with pytest.raises(ValueError, match=message):
            judge_rows(L3, server, 1, **settings)
        assert server.requests == []


def test_shares_are_possible_with_a_provider_that_gives_no_log_probabilities() -> None:
    dry = project.load(L3).compute(
        **make_columns(2),
        model="claude",
        provider="anthropic",
        probability="share",
        samples=4,
        dry_run=True,
        cache=False,
    )
    assert dry["calls"] == 8
