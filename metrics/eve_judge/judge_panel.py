# A copy of metrics/shared/judge_panel.py: change that one, then run `make copies`.
"""Several replies of a judge to one prompt, and several judges: what most of them say, and how far they agree."""

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .judge import Call, Judge
from .judge_providers import DECLINED, unusable
from .judge_report import NO_MAJORITY, NOT_SENT, tokens_of

Z = 1.959963984540054  # the normal distribution's 97.5% point
# What one judge of a panel may have of its own.
OF_A_JUDGE = {"model", "provider", "api_key", "base_url", "temperature", "max_tokens", "extra_body"}


def verdict_of(found: Mapping[str, Any]) -> Any:
    """Return what a reply or a row says: 1, 0, "declined", or None where it has no verdict."""
    return DECLINED if found.get("reason") == DECLINED else found.get("score")


def majority(verdicts: Sequence[Any]) -> Any:
    """Return the verdict that more than half of all give; what is no verdict (None) counts among all.

    >>> majority([1, 1, 0]), majority([1, 0]), majority([1, None]), majority([1, 1, None])
    (1, None, None, 1)
    """
    return next((one for one in (0, 1, DECLINED) if 2 * verdicts.count(one) > len(verdicts)), None)


def divided(found: Sequence[Mapping[str, Any]], whose: str) -> dict[str, Any]:
    """Return what is found where no verdict has most of these: the first failure, if there is one."""
    failed = next((one for one in found if verdict_of(one) is None), None)
    passes, fails = (sum(one["score"] == verdict for one in found) for verdict in (1, 0))
    said = f"of {len(found)} {whose} {passes} pass and {fails} fail, and neither is most of them"
    return unusable(failed["reason"], f"{said}; {failed['message']}") if failed else unusable(NO_MAJORITY, said)


def agreed(calls: Sequence[Call]) -> Call:
    """Return the replies to one prompt as one: the verdict of most, with the words of the first that gives it."""
    found = [call.found or NOT_SENT for call in calls]
    verdicts = [verdict_of(one) for one in found]
    most = majority(verdicts)
    said = divided(found, "replies") if most is None else found[verdicts.index(most)]
    return together(calls, 0 if most is None else verdicts.index(most), {**said, "verdicts": verdicts})


def shared(calls: Sequence[Call]) -> Call:
    """Return the replies to one prompt as one: the share of 1 among them; none where one has failed."""
    found = [call.found or NOT_SENT for call in calls]
    scores = [one["score"] for one in found]
    failed = next((one for one in found if one["score"] is None), None)
    words = [one.get("word") for one in found]
    return together(calls, 0, {**(failed or {"score": math.fsum(scores) / len(scores)}), "words": words})


def together(calls: Sequence[Call], chosen: int, found: dict[str, Any]) -> Call:
    """Return several calls as one, with the reply of the chosen one and the tokens of all."""
    usages = [usage for call in calls if (usage := call.reply.get("usage"))]
    reply = calls[chosen].reply | ({"usage": tokens_of(usages)} if usages else {})
    requests, cached = sum(call.requests for call in calls), all(call.cached for call in calls)
    return Call(calls[0].prompt, calls[0].key, requests, cached, reply, found)


def flips(rows: Sequence[Sequence[Sequence[Call]]]) -> dict[str, Any]:
    """Return the share of rows in which replies to the same prompt differ, among those with two verdicts on one, with
    Wilson's 95% interval (1927); None where there is no such row.
    """
    given = [[[verdict_of(call.found) for call in calls] for calls in row] for row in rows]
    known = [[[one for one in verdicts if one is not None] for verdicts in row] for row in given]
    twice = [row for row in known if any(len(verdicts) > 1 for verdicts in row)]
    if not twice:
        return {"flip_rate": None, "flip_rate_interval": None}
    return share_of("flip_rate", sum(any(len(set(one)) > 1 for one in row) for row in twice), len(twice))


def share_of(name: str, some: int, rows: int) -> dict[str, Any]:
    """Return a share under its name, with Wilson's interval."""
    share, weight = some / rows, Z**2 / rows
    middle, half = share + weight / 2, math.sqrt(share * (1 - share) * weight + weight**2 / 4)
    ends = [max((middle - half) / (1 + weight), 0.0), min((middle + half) / (1 + weight), 1.0)]
    return {name: share, f"{name}_interval": ends}


def declined_of(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return how many answers decline by the judge's word, the share of right ones of all and of those attempted, and
    the share attempted, of the rows that have a verdict; nothing where none declines.
    """
    verdicts = [verdict for row in rows if (verdict := verdict_of(row)) is not None]
    declined, right = verdicts.count(DECLINED), verdicts.count(1)
    attempted = len(verdicts) - declined
    if not declined:
        return {}
    of_attempted = share_of("right_of_attempted", right, attempted) if attempted else {"right_of_attempted": None}
    of_all = share_of("right_of_all", right, len(verdicts)) | of_attempted
    return {DECLINED: declined, **of_all, **share_of("attempted", attempted, len(verdicts))}


def kappa(first: Sequence[int | None], second: Sequence[int | None]) -> dict[str, Any]:
    """Return how far two judges agree beyond chance (Cohen 1960), on the rows on which both have a verdict; None where
    there are none, or both give one and the same verdict to all.

    >>> kappa([1, 1, 0, 0, None], [1, 0, 0, 0, 1])
    {'kappa': 0.5, 'rows': 4}
    """
    both = [(a, b) for a, b in zip(first, second, strict=True) if a is not None and b is not None]
    if not both:
        return {"kappa": None, "rows": 0}
    alike = sum(a == b for a, b in both) / len(both)
    one, other = (sum(verdicts) / len(both) for verdicts in zip(*both, strict=True))
    chance = one * other + (1 - one) * (1 - other)
    return {"kappa": None if chance == 1 else (alike - chance) / (1 - chance), "rows": len(both)}


def seated(task: str, model: Any, models: Any, settings: Mapping[str, Any]) -> list[Judge]:
    """Return the judges: the one that `model` names, or those of `models`. What one says of itself goes before the
    settings of all; where it has a provider or address of its own, it gets neither the address nor the key of all.
    """
    if models is None:
        return [Judge(task, model, {}, **settings)]
    listed: Sequence[Any] = [models] if isinstance(models, str | bytes) or not isinstance(models, Sequence) else models
    own: list[Any] = [{"model": one} if isinstance(one, str) else one for one in listed]
    if len(own) < 2 or not all(isinstance(one, Mapping) and "model" in one and one.keys() <= OF_A_JUDGE for one in own):
        # Values of dicts are not shown: they may be keys.
        shown = repr([sorted(map(str, one)) if isinstance(one, Mapping) else one for one in listed])
        expected = f"each a name or a dict with model and others of {', '.join(sorted(OF_A_JUDGE))}"
        raise ValueError(f"models is {shown:.200}; two judges or more are expected, {expected}")
    if model is not None:
        raise ValueError("models is given, and so is model; a panel has all its judges in models")
    elsewhere = [{"api_key": None, "base_url": None} if one.keys() & {"provider", "base_url"} else {} for one in own]
    judges = [
        Judge(task, parameters={}, **{**settings, **apart, **one}) for one, apart in zip(own, elsewhere, strict=True)
    ]
    if len({(judge.address, judge.model, str(judge.body)) for judge in judges}) < len(judges):
        raise ValueError("models has the same judge twice; to ask one several times is what samples is for")
    return judges


def ask_all(judges: Sequence[Judge], rows: Sequence[Any], fill: Any, read: Any, dry_run: bool) -> None:
    """Have all rows answered by one judge after the other; once one was stopped, others only by what is kept. Batches
    of all judges are submitted before any is waited for.
    """
    if judges[0].batch and len(judges) > 1 and not dry_run:
        for judge in judges:
            judge.ask(rows, fill, read, dry_run, wait=False)
    for judge in judges:
        judge.ask(rows, fill, read, dry_run or any(other.stopped for other in judges if other is not judge))


def names_of(judges: Iterable[Judge]) -> dict[Judge, str]:
    """Return what each judge is called: by its model, and where two have the same, by its place too."""
    models = [judge.model for judge in judges]
    return {
        judge: judge.model if models.count(judge.model) == 1 else f"{judge.model} ({place})"
        for place, judge in enumerate(judges, 1)
    }


def joint_settings(judges: Sequence[Judge]) -> dict[str, str]:
    """Return what of the judges moves a score; each judge's own is given in order where they differ."""
    said = [judge.settings() for judge in judges]
    found = {name: [one.get(name, "none") for one in said] for name in dict.fromkeys(itertools.chain(*said))}
    return {name: each[0] if len(set(each)) == 1 else "+".join(each) for name, each in found.items()}


def told_of(own: Mapping[Judge, Sequence[Mapping[str, Any]]], name: str, counted: Mapping[str, Any]) -> dict[str, Any]:
    """Return what several replies, or several judges, add to the result."""
    told = {judge: flips(judge.rows) if judge.samples > 1 else {} for judge in own}
    if len(own) == 1:
        return next(iter(told.values()))
    names, found = names_of(own), {}
    for judge, rows in own.items():
        scores = [row["score"] for row in rows if row["score"] is not None]
        mean = {name: math.fsum(scores) / len(scores) if scores else None}
        counts = {
            "n_scored": len(scores),
            "n_failed": sum(verdict_of(row) is None for row in rows),
            **declined_of(rows),
        }
        counts |= {count: sum(map(fits, rows)) for count, fits in counted.items()}
        found[names[judge]] = mean | counts | told[judge]
    scores_of = {names[judge]: [row["score"] for row in rows] for judge, rows in own.items()}
    pairs = itertools.combinations(scores_of, 2)
    agreement = [{"first": a, "second": b, **kappa(scores_of[a], scores_of[b])} for a, b in pairs]
    return {"judges": found, "agreement": agreement}


def of_panel(own: Mapping[Judge, Sequence[Mapping[str, Any]]]) -> list[dict[str, Any]]:
    """Return one entry of `per_example` a row from those that several judges give it: the verdict of most judges, with
    the words of the first that gives it, and under "judges" each judge's own.
    """
    rows, names = [], names_of(own).values()
    for each in zip(*own.values(), strict=True):
        verdicts = [verdict_of(one) for one in each]
        most = majority(verdicts)
        row = dict(each[0 if most is None else verdicts.index(most)])
        if most is None:
            row |= dict.fromkeys(row) | {"reference": row["reference"], **divided(each, "judges")}
        usages = [one["usage"] for one in each if one["usage"]]
        row |= {"cached": all(one["cached"] for one in each), "requests": sum(one["requests"] for one in each)}
        row |= {"usage": tokens_of(usages) if usages else None}
        rows.append(row | {"judges": dict(zip(names, each, strict=True))})
    return rows
