"""One judge or several, once or several times: they are made and asked, and what they say is joined and compared."""

import contextlib
import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tqdm import tqdm

from .judge import Judge
from .judge_batches import list_submitted_keys, send_batches
from .judge_cache import Cache
from .judge_client import RequestSender, require_key
from .judge_replies import DECLINED, Outcome, make_failure
from .judge_results import NO_MAJORITY, NOT_SENT, Entry, JudgedRows, add_known_tokens
from .judge_run import Call, JudgeRun

# The normal distribution's 97.5% point.
Z = 1.959963984540054
# What one judge of a panel may have of its own.
OWN_SETTINGS = {"model", "provider", "api_key", "base_url", "api", "temperature", "max_tokens", "extra_body"}

# 1, 0, "declined", or None where there is no verdict.
Verdict = int | str | None


def create_judges(task: str, model: Any, models: Any, settings: Mapping[str, Any]) -> list[Judge]:
    """Return the judges: the one that `model` names, or those of `models`.

    What one of a panel says of itself goes before the settings of all. Where it has a provider or address of its own,
    it gets neither the address nor the key of all.

    Raises:
        ValueError: `models` is no panel, or has a judge twice.
    """
    if models is None:
        return [Judge(task, model, {}, **settings)]
    members = list_members(models)
    if model is not None:
        raise ValueError("models is given, and so is model; a panel has all its judges in models")
    judges = []
    for member in members:
        is_elsewhere = bool(member.keys() & {"provider", "base_url"})
        common = {**settings, "api_key": None, "base_url": None} if is_elsewhere else settings
        judges.append(Judge(task, parameters={}, **{**common, **member}))
    if len({(judge.address, judge.model_name, str(judge.body)) for judge in judges}) < len(judges):
        raise ValueError("models has the same judge twice; to ask one several times is what samples is for")
    return judges


def list_members(models: Any) -> list[Mapping[str, Any]]:
    """Return the settings that each judge of a panel has of its own; raise ValueError where `models` is no panel."""
    listed = [models] if isinstance(models, str | bytes) or not isinstance(models, Sequence) else models
    members: list[Any] = [{"model": one} if isinstance(one, str) else one for one in listed]
    if len(members) >= 2 and all(is_member(one) for one in members):
        return members
    # Values of dicts are not shown: they may be keys.
    shown = repr([sorted(map(str, one)) if isinstance(one, Mapping) else one for one in listed])
    expected = f"each a name or a dict with model and others of {', '.join(sorted(OWN_SETTINGS))}"
    raise ValueError(f"models is {shown:.200}; two judges or more are expected, {expected}")


def is_member(member: Any) -> bool:
    """Return whether a value can be the settings of one judge of a panel."""
    return isinstance(member, Mapping) and "model" in member and member.keys() <= OWN_SETTINGS


def ask_judge(run: JudgeRun, dry_run: bool, wait: bool = True) -> None:
    """Have the prompts of a run answered by its cache or its judge.

    Args:
        run: what is asked.
        dry_run: True sends nothing.
        wait: False submits batches and does not wait for them.
    """
    judge = run.judge
    run.make_calls()
    with contextlib.closing(Cache(judge.cache)) as cache:
        n_known = run.restore_replies(cache)
        if dry_run and judge.batch:
            submitted = list_submitted_keys(run)
            run.pending = [call for call in run.pending if call.key not in submitted]
        if run.pending and not dry_run:
            send_pending(run, n_known, wait)
        run.count_cached()


def send_pending(run: JudgeRun, n_known: int, wait: bool) -> None:
    """Send what is pending, now or in batches, and show how far it is."""
    judge = run.judge
    require_key(judge)
    title = f"{judge.task} {judge.model_name}"
    with tqdm(run.calls, title, initial=n_known, unit="call", disable=not judge.progress) as bar:
        if judge.batch:
            send_batches(run, bar.update, wait)
        else:
            RequestSender(run, bar.update).send_all()


def ask_judges(runs: Sequence[JudgeRun], dry_run: bool) -> None:
    """Ask the judges of some runs in turn. If one stops, the others answer from the cache only.

    Batches of all judges are submitted before any is waited for.
    """
    if runs[0].judge.batch and len(runs) > 1 and not dry_run:
        for run in runs:
            ask_judge(run, dry_run=False, wait=False)
    for run in runs:
        is_stopped = any(other.stop for other in runs if other is not run)
        ask_judge(run, dry_run or is_stopped)


def name_judges(judges: Sequence[Judge]) -> list[str]:
    """Return what each judge is called: by its model, and where two have the same, by its place too."""
    models = [judge.model_name for judge in judges]
    names = []
    for place, model in enumerate(models, 1):
        names.append(model if models.count(model) == 1 else f"{model} ({place})")
    return names


def join_settings(judges: Sequence[Judge]) -> dict[str, str]:
    """Return what of the judges moves a score; each judge's own is given in order where they differ."""
    settings = [judge.describe_settings() for judge in judges]
    joined = dict[str, str]()
    for name in dict.fromkeys(itertools.chain(*settings)):
        values = [one.get(name, "none") for one in settings]
        joined[name] = values[0] if len(set(values)) == 1 else "+".join(values)
    return joined


def verdict_value(outcome: Mapping[str, Any]) -> Verdict:
    """Return the verdict of a reply or a row: 1, 0, "declined", or None."""
    return DECLINED if outcome.get("reason") == DECLINED else outcome.get("score")


def find_majority(verdicts: Sequence[Verdict]) -> Verdict:
    """Return the verdict that more than half of all give; what is no verdict (None) counts among all.

    >>> find_majority([1, 1, 0]), find_majority([1, 0]), find_majority([1, None]), find_majority([1, 1, None])
    (1, None, None, 1)
    """
    for verdict in (0, 1, DECLINED):
        if 2 * verdicts.count(verdict) > len(verdicts):
            return verdict
    return None


def describe_division(outcomes: Sequence[Mapping[str, Any]], whose: str) -> Outcome:
    """Return the outcome where no verdict has a majority: the first failure, if there is one."""
    n_passes = sum(outcome["score"] == 1 for outcome in outcomes)
    n_fails = sum(outcome["score"] == 0 for outcome in outcomes)
    message = f"of {len(outcomes)} {whose} {n_passes} pass and {n_fails} fail, and neither is most of them"
    for outcome in outcomes:
        if verdict_value(outcome) is None:
            return make_failure(outcome["reason"], f"{message}; {outcome['message']}")
    return make_failure(NO_MAJORITY, message)


def join_by_majority(calls: Sequence[Call]) -> Call:
    """Return the replies to one prompt as one: the verdict of most, with the words of the first that gives it."""
    outcomes = [call.outcome or NOT_SENT for call in calls]
    verdicts = [verdict_value(outcome) for outcome in outcomes]
    verdict = find_majority(verdicts)
    if verdict is None:
        return merge_calls(calls, 0, {**describe_division(outcomes, "replies"), "verdicts": verdicts})
    place = verdicts.index(verdict)
    return merge_calls(calls, place, {**outcomes[place], "verdicts": verdicts})


def join_by_share(calls: Sequence[Call]) -> Call:
    """Return the replies to one prompt as one: the share of 1 among them; none where one has failed."""
    outcomes = [call.outcome or NOT_SENT for call in calls]
    words = [outcome.get("word") for outcome in outcomes]
    for outcome in outcomes:
        if outcome["score"] is None:
            return merge_calls(calls, 0, {**outcome, "words": words})
    share = math.fsum(outcome["score"] for outcome in outcomes) / len(outcomes)
    return merge_calls(calls, 0, {"score": share, "words": words})


def merge_calls(calls: Sequence[Call], chosen: int, outcome: Outcome) -> Call:
    """Return several calls as one, with the reply of the chosen one and the tokens of all."""
    reply = dict(calls[chosen].reply)
    usage = add_known_tokens(call.reply.get("usage") for call in calls)
    if usage:
        reply["usage"] = usage
    n_requests = sum(call.requests for call in calls)
    is_cached = all(call.cached for call in calls)
    return Call(calls[0].prompt, calls[0].key, n_requests, is_cached, reply, outcome, calls[0].state)


def measure_flips(rows: Sequence[Sequence[Sequence[Call]]]) -> dict[str, Any]:
    """Return the share of rows in which replies to the same prompt differ, with Wilson's 95% interval (1927).

    Rows without two verdicts on one prompt are left out; the share is None where all are.
    """
    n_rows = n_flips = 0
    for row in rows:
        verdicts = [known_verdicts(calls) for calls in row]
        n_rows += any(len(of_prompt) > 1 for of_prompt in verdicts)
        n_flips += any(len(set(of_prompt)) > 1 for of_prompt in verdicts)
    if not n_rows:
        return {"flip_rate": None, "flip_rate_interval": None}
    return make_share("flip_rate", n_flips, n_rows)


def known_verdicts(calls: Sequence[Call]) -> list[Verdict]:
    """Return the verdicts of calls, without those that have none."""
    verdicts = [verdict_value(call.outcome) for call in calls]
    return [verdict for verdict in verdicts if verdict is not None]


def make_share(name: str, part: int, rows: int) -> dict[str, Any]:
    """Return a share under its name, with Wilson's 95% interval."""
    share = part / rows
    weight = Z**2 / rows
    middle = share + weight / 2
    half = math.sqrt(share * (1 - share) * weight + weight**2 / 4)
    low, high = (middle - half) / (1 + weight), (middle + half) / (1 + weight)
    return {name: share, f"{name}_interval": [max(low, 0.0), min(high, 1.0)]}


def count_declined(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return how many answers decline by the judge's word; nothing where none does.

    With it the shares of right ones among all that have a verdict and among those attempted, and the share attempted.
    """
    verdicts = [verdict for row in rows if (verdict := verdict_value(row)) is not None]
    n_declined, n_right = verdicts.count(DECLINED), verdicts.count(1)
    n_attempted = len(verdicts) - n_declined
    if not n_declined:
        return {}
    counts: dict[str, Any] = {DECLINED: n_declined, **make_share("right_of_all", n_right, len(verdicts))}
    counts |= make_share("right_of_attempted", n_right, n_attempted) if n_attempted else {"right_of_attempted": None}
    return counts | make_share("attempted", n_attempted, len(verdicts))


def calculate_kappa(first: Sequence[int | None], second: Sequence[int | None]) -> dict[str, Any]:
    """Return how far two judges agree beyond chance (Cohen 1960), on the rows on which both have a verdict.

    It is None where there are no such rows, or both give one and the same verdict to all.

    >>> calculate_kappa([1, 1, 0, 0, None], [1, 0, 0, 0, 1])
    {'kappa': 0.5, 'rows': 4}
    """
    pairs = [(a, b) for a, b in zip(first, second, strict=True) if a is not None and b is not None]
    if not pairs:
        return {"kappa": None, "rows": 0}
    agreement = sum(a == b for a, b in pairs) / len(pairs)
    first_share, second_share = (sum(verdicts) / len(pairs) for verdicts in zip(*pairs, strict=True))
    chance = first_share * second_share + (1 - first_share) * (1 - second_share)
    return {"kappa": None if chance == 1 else (agreement - chance) / (1 - chance), "rows": len(pairs)}


def compare_judges(
    judged: Sequence[JudgedRows], score_name: str, counts: Mapping[str, Callable[[Entry], bool]]
) -> dict[str, Any]:
    """Return what several replies, or several judges, add to the result."""
    flips = [measure_flips(one.run.rows) if one.run.judge.samples > 1 else {} for one in judged]
    if len(judged) == 1:
        return flips[0]
    names = name_judges([one.run.judge for one in judged])
    judges = dict[str, Any]()
    for name, one, flip in zip(names, judged, flips, strict=True):
        scores = known_scores(one.entries)
        judges[name] = {
            score_name: math.fsum(scores) / len(scores) if scores else None,
            "n_scored": len(scores),
            "n_failed": sum(verdict_value(row) is None for row in one.entries),
            **count_declined(one.entries),
            **{count: sum(map(is_counted, one.entries)) for count, is_counted in counts.items()},
            **flip,
        }
    scores_by_name = {name: [row["score"] for row in one.entries] for name, one in zip(names, judged, strict=True)}
    agreement = []
    for first, second in itertools.combinations(names, 2):
        kappa = calculate_kappa(scores_by_name[first], scores_by_name[second])
        agreement.append({"first": first, "second": second, **kappa})
    return {"judges": judges, "agreement": agreement}


def known_scores(rows: Sequence[Entry]) -> list[float]:
    """Return the scores of the rows that have one."""
    return [row["score"] for row in rows if row["score"] is not None]


def join_panel(judged: Sequence[JudgedRows]) -> list[Entry]:
    """Return one entry of `per_example` for each row from those that several judges give it.

    It has the verdict of most judges, with the words of the first that gives it, and under "judges" each judge's own.
    """
    names = name_judges([one.run.judge for one in judged])
    rows = []
    for entries in zip(*(one.entries for one in judged), strict=True):
        verdicts = [verdict_value(entry) for entry in entries]
        verdict = find_majority(verdicts)
        row: Entry
        if verdict is None:
            row = dict.fromkeys(entries[0]) | {"reference": entries[0]["reference"]}
            row |= describe_division(entries, "judges")
        else:
            row = dict(entries[verdicts.index(verdict)])
        row["cached"] = all(entry["cached"] for entry in entries)
        row["requests"] = sum(entry["requests"] for entry in entries)
        row["usage"] = add_known_tokens(entry["usage"] for entry in entries)
        row["judges"] = dict(zip(names, entries, strict=True))
        rows.append(row)
    return rows
