"""Agreement of several replies to one prompt, and of several judges: majorities and kappa."""

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .judge_costs import add_known_tokens
from .judge_replies import DECLINED, Outcome, make_failure
from .judge_results import NO_MAJORITY, UNANSWERED, Counts, Entry, JudgedRows, name_judges
from .judge_run import Call

# The normal distribution's 97.5% point.
Z = 1.959963984540054

# 1, 0, "declined", or None for no verdict.
Verdict = int | str | None
Figures = dict[str, Any]


def read_verdict_value(outcome: Mapping[str, Any]) -> Verdict:
    """Return the verdict of a reply or a row: 1, 0, "declined", or None."""
    if outcome.get("reason") == DECLINED:
        return DECLINED
    return outcome.get("score")


def list_verdicts(outcomes: Iterable[Mapping[str, Any]]) -> list[Verdict]:
    """Return the verdicts of replies or rows that have one."""
    verdicts = list[Verdict]()
    for outcome in outcomes:
        verdict = read_verdict_value(outcome)
        if verdict is not None:
            verdicts.append(verdict)
    return verdicts


def find_majority(verdicts: Sequence[Verdict]) -> Verdict:
    """Return the verdict of more than half of the list, or None.

    A missing verdict (None) counts in the length of the list.

    >>> find_majority([1, 1, 0]), find_majority([1, 1, None])
    (1, 1)
    >>> find_majority([1, 0]), find_majority([1, None])
    (None, None)
    """
    for verdict in (0, 1, DECLINED):
        if 2 * verdicts.count(verdict) > len(verdicts):
            return verdict
    return None


def describe_division(
    outcomes: Sequence[Mapping[str, Any]],
    whose: str,
) -> Outcome:
    """Return the outcome if no verdict has a majority: the first failure, or NO_MAJORITY.

    Args:
        outcomes: the outcomes of replies or judges.
        whose: "replies" or "judges", for the message.
    """
    n_passes = sum(outcome["score"] == 1 for outcome in outcomes)
    n_fails = sum(outcome["score"] == 0 for outcome in outcomes)
    message = (
        f"of {len(outcomes)} {whose} {n_passes} pass and {n_fails} fail, and neither is "
        "most of them"
    )
    for outcome in outcomes:
        if read_verdict_value(outcome) is None:
            message = f"{message}; {outcome['message']}"
            return make_failure(outcome["reason"], message)
    return make_failure(NO_MAJORITY, message)


def join_by_majority(calls: Sequence[Call]) -> Call:
    """Return the replies to one prompt joined into one, with the verdict of most.

    It has the words of the first reply with this verdict.
    """
    outcomes = [call.outcome or UNANSWERED for call in calls]
    verdicts = [read_verdict_value(outcome) for outcome in outcomes]
    verdict = find_majority(verdicts)
    place = 0
    outcome = describe_division(outcomes, "replies")
    if verdict is not None:
        place = verdicts.index(verdict)
        outcome = outcomes[place]
    return merge_calls(calls, place, {**outcome, "verdicts": verdicts})


def join_by_share(calls: Sequence[Call]) -> Call:
    """Return the replies to one prompt joined into one, with the mean of their scores.

    If a reply has no score, the joined one has its failure.
    """
    outcomes = [call.outcome or UNANSWERED for call in calls]
    words = [outcome.get("word") for outcome in outcomes]
    for outcome in outcomes:
        if outcome["score"] is None:
            return merge_calls(calls, 0, {**outcome, "words": words})
    total = math.fsum(outcome["score"] for outcome in outcomes)
    return merge_calls(calls, 0, {"score": total / len(outcomes), "words": words})


def merge_calls(
    calls: Sequence[Call],
    chosen: int,
    outcome: Outcome,
) -> Call:
    """Return calls merged into one, with the reply of the chosen one and the tokens of all."""
    reply = dict(calls[chosen].reply)
    usage = add_known_tokens(call.reply.get("usage") for call in calls)
    if usage:
        reply["usage"] = usage
    first = calls[0]
    return Call(
        first.prompt,
        first.key,
        requests=sum(call.requests for call in calls),
        cached=all(call.cached for call in calls),
        reply=reply,
        outcome=outcome,
        state=first.state,
    )


def measure_flips(rows: Sequence[Sequence[Sequence[Call]]]) -> Figures:
    """Return the share of rows whose replies differ, with Wilson's 95% interval (1927).

    Rows without two verdicts on any prompt are left out. If all rows are, the share is None.
    """
    n_rows = 0
    n_flips = 0
    for row in rows:
        verdicts = [list_verdicts(call.outcome for call in calls) for calls in row]
        n_rows += any(len(prompt_verdicts) > 1 for prompt_verdicts in verdicts)
        n_flips += any(len(set(prompt_verdicts)) > 1 for prompt_verdicts in verdicts)
    if not n_rows:
        return {"flip_rate": None, "flip_rate_interval": None}
    return make_share("flip_rate", n_flips, n_rows)


def make_share(name: str, part: int, rows: int) -> Figures:
    """Return a share of rows under its name, with Wilson's 95% interval."""
    share = part / rows
    weight = Z**2 / rows
    middle = share + weight / 2
    half = math.sqrt(share * (1 - share) * weight + weight**2 / 4)
    low = (middle - half) / (1 + weight)
    high = (middle + half) / (1 + weight)
    return {name: share, f"{name}_interval": [max(low, 0.0), min(high, 1.0)]}


def count_declined(rows: Sequence[Entry]) -> Figures:
    """Return the figures on answers that decline; empty if no verdict is "declined".

    They are the number of declined answers, the share of right answers among all rows with a
    verdict and among the attempted ones, and the share of attempted ones.
    """
    verdicts = list_verdicts(rows)
    n_declined = verdicts.count(DECLINED)
    if not n_declined:
        return {}
    n_right = verdicts.count(1)
    n_attempted = len(verdicts) - n_declined
    figures: Figures = {DECLINED: n_declined}
    figures |= make_share("right_of_all", n_right, len(verdicts))
    if n_attempted:
        figures |= make_share("right_of_attempted", n_right, n_attempted)
    else:
        figures["right_of_attempted"] = None
    figures |= make_share("attempted", n_attempted, len(verdicts))
    return figures


def calculate_kappa(
    first: Sequence[int | None],
    second: Sequence[int | None],
) -> Figures:
    """Return Cohen's kappa (1960) of two judges, over the rows with verdicts of both.

    It is None if there are no such rows, or if both judges give all rows the same verdict.

    >>> calculate_kappa([1, 1, 0, 0, None], [1, 0, 0, 0, 1])
    {'kappa': 0.5, 'rows': 4}
    """
    n_rows = n_equal = n_first = n_second = 0
    for first_verdict, second_verdict in zip(first, second, strict=True):
        if first_verdict is None or second_verdict is None:
            continue
        n_rows += 1
        n_equal += first_verdict == second_verdict
        n_first += first_verdict
        n_second += second_verdict
    if not n_rows:
        return {"kappa": None, "rows": 0}

    agreement = n_equal / n_rows
    first_share = n_first / n_rows
    second_share = n_second / n_rows
    chance = first_share * second_share + (1 - first_share) * (1 - second_share)
    if chance == 1:
        return {"kappa": None, "rows": n_rows}
    return {"kappa": (agreement - chance) / (1 - chance), "rows": n_rows}


def compare_judges(
    judged: Sequence[JudgedRows],
    score_name: str,
    counts: Counts,
) -> Figures:
    """Return the further parts of a result with several replies or several judges."""
    if len(judged) == 1:
        return measure_own_flips(judged[0])
    names = name_judges(judged)
    judges = dict[str, Figures]()
    scores = dict[str, list[Any]]()
    for name, judged_rows in zip(names, judged, strict=True):
        judges[name] = summarize_judge(judged_rows, score_name, counts)
        scores[name] = [row["score"] for row in judged_rows.entries]

    agreement = []
    for first, second in itertools.combinations(names, 2):
        kappa = calculate_kappa(scores[first], scores[second])
        agreement.append({"first": first, "second": second, **kappa})
    return {"judges": judges, "agreement": agreement}


def measure_own_flips(judged_rows: JudgedRows) -> Figures:
    """Return how often the replies of one judge differ; empty if it is asked once."""
    if judged_rows.run.judge.samples == 1:
        return {}
    return measure_flips(judged_rows.run.rows)


def summarize_judge(judged_rows: JudgedRows, score_name: str, counts: Counts) -> Figures:
    """Return the figures of one judge in a panel."""
    rows = judged_rows.entries
    scores = [row["score"] for row in rows if row["score"] is not None]
    figures: Figures = {
        score_name: math.fsum(scores) / len(scores) if scores else None,
        "n_scored": len(scores),
        "n_failed": len(rows) - len(list_verdicts(rows)),
    }
    figures |= count_declined(rows)
    for name, is_counted in counts.items():
        figures[name] = sum(map(is_counted, rows))
    return figures | measure_own_flips(judged_rows)
