"""Several replies of a judge, and several judges: majorities, flip rates, agreement and costs."""

import json
import re
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.support import project
from tests.support.judge_server import JudgeServer, Reply, Request, fitting, verdict
from tests.support.judges import EVE, KEY, L3, judge_rows, make_columns

PASS, FAIL, NONE = (
    verdict(f'{{"score": {said}, "reasoning": "{said}"}}') for said in ("1", "0", "null")
)
ask = partial(judge_rows, EVE, on_error="skip")
TWO = {"model": None, "models": ["judge-1", "judge-2"]}


def reply_by_row(replies: dict[int, list[Reply]]) -> Any:
    """Return a function that answers the requests of each row with its own replies in order."""
    asked: dict[int, int] = {}

    def answer(request: Request, number: int) -> Reply:
        row = int(re.search(r"Answer (\d+)", request.prompt)[1])  # type: ignore[index]
        asked[row] = asked.get(row, -1) + 1
        return replies[row][asked[row]]

    return answer


CASES: list[tuple[list[Reply], int | None, str | None]] = [
    ([PASS, PASS, FAIL], 1, None),
    ([FAIL, PASS, FAIL], 0, None),
    ([PASS, PASS, NONE], 1, None),  # more than half of all replies
    ([PASS, NONE, NONE], None, "bad_verdict"),  # one of three is no majority
    ([PASS, FAIL, NONE], None, "bad_verdict"),
    ([NONE, NONE, NONE], None, "bad_verdict"),
    ([FAIL, FAIL, FAIL], 0, None),
]


def test_the_verdict_is_that_of_more_than_half_of_all_replies(tmp_path: Path) -> None:
    replies = {row: several for row, (several, _, _) in enumerate(CASES)}
    with JudgeServer(reply_by_row(replies)) as server:
        run = partial(
            ask, server, len(CASES), samples=3, max_concurrency=1, cache=tmp_path / "cache"
        )
        result = run()
        again = run()
        assert len(server.requests) == 3 * len(CASES)
        bodies = {json.dumps(request.body) for request in server.requests}
    assert len(bodies) == len(CASES), "three times the same request"
    rows = result["per_example"]
    assert [(row["score"], row["reason"]) for row in rows] == [
        (score, reason) for _, score, reason in CASES
    ]
    assert [row["verdicts"] for row in rows[:4]] == [
        [1, 1, 0],
        [0, 1, 0],
        [1, 1, None],
        [1, None, None],
    ]
    assert rows[1]["reasoning"] == "0"
    assert rows[0]["requests"] == 3
    assert rows[0]["usage"]["input"] == 360
    assert result["accuracy"] == 2 / 4
    assert result["n_scored"] == 4
    assert result["failures"] == {"bad_verdict": 3}
    # Rows 0, 1, 2, 4 and 6 have at least two verdicts, which differ in three of them: 3/5, with
    # Wilson's interval.
    assert result["flip_rate"] == 3 / 5
    assert result["flip_rate_interval"] == pytest.approx([0.230724, 0.882379], abs=1e-6)
    assert result["tokens"] == {"input": 120 * 21, "output": 10 * 21}
    assert "|samples:3|" in result["signature"]
    assert again["calls"] == {"sent": 0, "cached": 21}
    assert again["flip_rate"] == 3 / 5
    assert again["signature"] == result["signature"]


def test_an_even_number_of_replies_may_have_no_majority() -> None:
    with JudgeServer(reply_by_row({0: [PASS, FAIL], 1: [PASS, PASS]})) as server:
        result = ask(server, 2, samples=2, max_concurrency=1)
    row = result["per_example"][0]
    assert row["score"] is None
    assert row["reason"] == "no_majority"
    assert result["n_failed"] == 1
    assert "of 2 replies 1 pass and 1 fail" in row["message"]


def test_each_reference_has_its_own_majority() -> None:
    def answer(request: Request, number: int) -> Reply:
        return (PASS if number % 3 else FAIL) if "good" in request.prompt else FAIL

    with JudgeServer(answer) as server:
        rows = make_columns(1) | {"references": [["bad", "good"]]}
        row = ask(server, rows, samples=3, max_concurrency=1)["per_example"][0]
    assert row["score"] == 1
    assert row["reference"] == 1
    assert row["verdicts"] == [0, 1, 1]
    assert row["requests"] == 6


def test_a_judge_that_is_asked_once_shares_its_reply_with_the_first_of_several(
    tmp_path: Path,
) -> None:
    with JudgeServer(PASS) as server:
        run = partial(ask, server, 4, cache=tmp_path / "cache")
        assert run()["calls"] == {"sent": 4, "cached": 0}
        assert run(samples=2)["calls"] == {"sent": 4, "cached": 4}
        assert run(samples=5)["calls"] == {"sent": 12, "cached": 8}
        dry = run(samples=7, dry_run=True)
        assert dry["calls"] == 8
        assert dry["cached_calls"] == 20
        assert dry["tokens"]["output"] == 800
        assert len(server.requests) == 20
        # Without a cache every reply is requested.
        assert ask(server, 4, samples=3)["calls"] == {"sent": 12, "cached": 0}


def test_a_panel_of_judges_has_majorities_shares_and_pairwise_agreement(tmp_path: Path) -> None:
    """judge-1 passes rows 0 to 3 of 6, judge-2 rows 0, 1 and 4; judge-3 has no verdict on row 5."""
    passing = {"judge-1": {0, 1, 2, 3}, "judge-2": {0, 1, 4}, "judge-3": {0, 2, 4}}

    def answer(request: Request, number: int) -> Reply:
        row, model = int(re.search(r"Answer (\d+)", request.prompt)[1]), request.body["model"]  # type: ignore[index]
        return NONE if (model, row) == ("judge-3", 5) else PASS if row in passing[model] else FAIL

    with JudgeServer(answer) as server:
        run = partial(ask, server, 6, model=None, models=list(passing), cache=tmp_path / "cache")
        dry = run(dry_run=True)
        result = run()
        assert dry["calls"] == 18
        assert len(server.requests) == 18
        assert run()["calls"] == {"sent": 0, "cached": 18}
    assert [row["score"] for row in result["per_example"]] == [1, 1, 1, 0, 1, 0]
    assert result["accuracy"] == 4 / 6
    own = {
        name: (one["accuracy"], one["passed"], one["n_failed"])
        for name, one in result["judges"].items()
    }
    assert own == {"judge-1": (4 / 6, 4, 0), "judge-2": (3 / 6, 3, 0), "judge-3": (3 / 5, 3, 1)}
    # The first two agree on 3 of 6 rows. By chance they would agree on 2/3 * 1/2 + 1/3 * 1/2 = 1/2,
    # so kappa is 0.
    kappas = {
        (one["first"], one["second"]): (one["kappa"], one["rows"]) for one in result["agreement"]
    }
    assert kappas["judge-1", "judge-2"] == (0.0, 6)
    assert kappas["judge-2", "judge-3"] == (pytest.approx((3 / 5 - 13 / 25) / (12 / 25)), 5)
    row = result["per_example"][5]
    assert {name: one["score"] for name, one in row["judges"].items()} == {
        "judge-1": 0,
        "judge-2": 0,
        "judge-3": None,
    }
    assert "|model:judge-1+judge-2+judge-3|" in result["signature"]
    # The server always reports the model judge-1.
    assert dry["signature"] + "|served:judge-1|output:json_schema" == result["signature"]


def test_judges_without_a_majority_and_a_judge_that_stops() -> None:
    def answer(request: Request, number: int) -> Reply:
        return PASS if request.body["model"] == "judge-1" else FAIL

    with JudgeServer(answer) as server:
        result = ask(server, 3, **TWO)
        assert result["n_failed"] == 3
        assert result["failures"] == {"no_majority": 3}
        assert result["agreement"][0]["kappa"] == 0.0
        assert result["per_example"][0]["reasoning"] is None
        # Two judges that differ are no failure: no error is raised.
        by_default = ask(server, 3, on_error="raise", **TWO)
        assert by_default["accuracy"] is None
        assert by_default["n_failed"] == 3
        assert by_default["highest"] - by_default["lowest"] == 1.0
        assert any("in 3 rows no verdict has a majority" in note for note in by_default["notes"])
    silent = JudgeServer(lambda request, n: NONE if request.body["model"] == "judge-1" else FAIL)
    with silent as server, pytest.raises(RuntimeError, match="bad_verdict 3"):
        ask(server, 3, on_error="raise", **TWO)
    # If the first judge was stopped, the second is not asked: its verdicts would be useless but
    # cost money.
    refused = Reply(
        {"error": {"message": "Incorrect API key provided", "code": "invalid_api_key"}}, 401
    )
    with JudgeServer(
        lambda request, n: refused if request.body["model"] == "judge-1" else PASS
    ) as server:
        with pytest.raises(Exception, match=r"was stopped \(bad_key\)") as raised:
            ask(server, 3, **TWO)
        assert {request.body["model"] for request in server.requests} == {"judge-1"}
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
        result = ask(first, 2, model=None, models=["judge-1", elsewhere, local])
        assert first.keys == {KEY}
        assert second.keys == {"sk-other-key", None}, (
            "the common key must not be sent to the address of a single judge"
        )
        assert {request.body.get("temperature") for request in second.requests} == {0.5, None}
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
    """The judge says of 36 of 40 answers that they decline. So many failures would stop the run."""
    declined = verdict('{"score": "declined", "reasoning": "It does not know."}')
    replies = {row: [declined] for row in range(36)} | {
        36: [PASS],
        37: [PASS],
        38: [FAIL],
        39: [PASS],
    }
    with JudgeServer(reply_by_row(replies)) as server:
        run = partial(
            ask, server, 40, max_concurrency=1, cache=tmp_path / "cache", on_error="raise"
        )
        result = run()
        assert run(retry_unusable=True)["calls"] == {"sent": 0, "cached": 40}
    assert result["n_scored"] == 4
    assert result["n_failed"] == 0
    assert result["failures"] == {}
    assert result["declined"] == 36
    assert result["accuracy"] == 3 / 4
    assert result["lowest"] == 3 / 40
    assert result["highest"] == 3 / 40
    assert result["right_of_all"] == 3 / 40
    assert result["right_of_attempted"] == 3 / 4
    assert result["attempted"] == 4 / 40
    assert result["attempted_interval"] == pytest.approx([0.039581, 0.230524], abs=1e-4)
    assert [row["reason"] for row in result["per_example"][35:37]] == ["declined", None]
    several = {0: [declined, declined, PASS], 1: [declined, PASS, PASS], 2: [declined, NONE, FAIL]}
    with JudgeServer(reply_by_row(several)) as server:
        result = ask(server, 3, samples=3, max_concurrency=1)
    rows = [(row["score"], row["reason"]) for row in result["per_example"]]
    assert rows == [(None, "declined"), (1, None), (None, "bad_verdict")]
    assert result["declined"] == 1
    assert result["n_failed"] == 1
    assert result["flip_rate"] == 1.0


# L3Score without log-probabilities.


def test_the_share_of_yes_replies_is_a_score_with_its_own_name(tmp_path: Path) -> None:
    said = {
        0: ["Yes", "yes.", "**No**"],
        1: ["No", "NO", "no"],
        2: ["Yeah", "Perhaps", "<think>No?</think> Yes"],
    }
    replies = {row: [verdict(one) for one in several] for row, several in said.items()}
    share = partial(
        judge_rows,
        L3,
        probability="share",
        samples=3,
        max_concurrency=1,
        on_error="skip",
    )
    with JudgeServer(reply_by_row(replies)) as server:
        result = share(server, 3, cache=tmp_path / "cache")
        again = share(server, 3, cache=tmp_path / "cache")
        bodies = [request.body for request in server.requests]
    assert [row["score"] for row in result["per_example"]] == [2 / 3, 0.0, 2 / 3]
    assert result["per_example"][2]["words"] == ["yes", "neither", "yes"]
    assert result["n_neither"] == 1
    assert again["calls"]["sent"] == 0
    assert len(bodies) == 9
    assert not any({"logprobs", "top_logprobs", "max_tokens"} & body.keys() for body in bodies)
    assert "|probability:share|" in result["signature"]
    assert "|samples:3|" in result["signature"]
    assert any("not the published L3Score" in note for note in result["notes"])
    # A failed reply does not count as No: a row has a share only if all its replies are known.
    failing = {0: [verdict("Yes"), verdict(None, refusal="I cannot."), verdict("Yes")]}
    with JudgeServer(reply_by_row(failing)) as server:
        row = share(server, 1)["per_example"][0]
    assert row["score"] is None
    assert row["reason"] == "refusal"


def test_a_share_needs_several_replies_and_a_probability_only_one() -> None:
    with JudgeServer(fitting) as server:
        for settings, message in (
            (
                {"samples": 3},
                "samples is 3; 1 is expected: one reply has the probability of both words",
            ),
            ({"probability": "share"}, "at least 2 replies"),
            ({"probability": "guess"}, "'logprobs', 'share' or 'decision'"),
        ):
            with pytest.raises(ValueError, match=message):
                judge_rows(L3, server, 1, **settings)  # type: ignore[arg-type]
        assert server.requests == []
    # Anthropic gives no log-probabilities, so only shares are possible.
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
