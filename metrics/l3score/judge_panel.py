# A copy of metrics/shared/judge_panel.py: change that one, then run `make copies`.
"""One judge or several: they are made and asked in turn, and their entries for a row are joined."""

import contextlib
from collections.abc import Mapping, Sequence
from typing import Any

from tqdm import tqdm

from .judge import Judge
from .judge_agreement import describe_division, find_majority, read_verdict_value
from .judge_batches import list_submitted_keys, send_batches
from .judge_cache import Cache
from .judge_client import RequestSender
from .judge_connection import require_key
from .judge_costs import add_known_tokens
from .judge_results import Entry, JudgedRows, name_judges
from .judge_run import JudgeRun

Settings = Mapping[str, Any]

# What one judge of a panel may have of its own.
OWN_SETTINGS = {
    "model",
    "provider",
    "api_key",
    "base_url",
    "api",
    "temperature",
    "max_tokens",
    "extra_body",
}


def create_judges(
    task: str,
    model: Any,
    models: Any,
    settings: Settings,
) -> list[Judge]:
    """Return the judges: the one that `model` names, or those of `models`.

    What one of a panel says of itself goes before the settings of all. Where it has a provider or
    address of its own, it gets neither the address nor the key of all.

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
        own = dict(settings)
        if "provider" in member or "base_url" in member:
            own |= {"api_key": None, "base_url": None}
        own |= member
        judges.append(Judge(task, parameters={}, **own))
    identities = {(judge.address, judge.model_name, str(judge.body)) for judge in judges}
    if len(identities) < len(judges):
        raise ValueError(
            "models has the same judge twice; to ask one several times is what samples is for"
        )
    return judges


def list_members(models: Any) -> list[Settings]:
    """Return the settings that each judge of a panel has of its own.

    Raise ValueError where `models` is no panel.
    """
    listed = models
    if isinstance(models, str | bytes) or not isinstance(models, Sequence):
        listed = [models]
    members: list[Any] = []
    for member in listed:
        members.append({"model": member} if isinstance(member, str) else member)
    if len(members) >= 2 and all(is_member(member) for member in members):
        return members

    # Values of dicts are not shown: they may be keys.
    shown = [list_names(member) for member in listed]
    names = ", ".join(sorted(OWN_SETTINGS))
    raise ValueError(
        f"models is {shown!r:.200}; two judges or more are expected, "
        f"each a name or a dict with model and others of {names}"
    )


def is_member(member: Any) -> bool:
    """Return whether a value can be the settings of one judge of a panel."""
    if not isinstance(member, Mapping):
        return False
    return "model" in member and member.keys() <= OWN_SETTINGS


def list_names(member: Any) -> Any:
    """Return the names of a judge's settings; what is no dict as it is."""
    return sorted(map(str, member)) if isinstance(member, Mapping) else member


def ask_judge(run: JudgeRun, dry_run: bool, wait: bool = True) -> None:
    """Have the prompts of a run answered by its cache or its judge.

    Args:
        run: what is asked.
        dry_run: True sends nothing.
        wait: False submits batches and does not wait for them.
    """
    run.make_calls()
    with contextlib.closing(Cache(run.judge.cache)) as cache:
        n_known = run.restore_replies(cache)
        if dry_run and run.judge.batch:
            run.leave_out(list_submitted_keys(run))
        if run.pending and not dry_run:
            send_pending(run, n_known, wait)
        run.count_cached()


def send_pending(run: JudgeRun, n_known: int, wait: bool) -> None:
    """Send what is pending, now or in batches, and show how far it is."""
    judge = run.judge
    require_key(judge)
    title = f"{judge.task} {judge.model_name}"
    bar = tqdm(
        run.calls,
        title,
        initial=n_known,
        unit="call",
        disable=not judge.progress,
    )
    with bar:
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


def join_settings(judges: Sequence[Judge]) -> dict[str, str]:
    """Return what of the judges moves a score.

    Each judge's own is given in order where they differ.
    """
    settings = [judge.describe_settings() for judge in judges]
    names = dict[str, None]()
    for one in settings:
        names |= dict.fromkeys(one)

    joined = dict[str, str]()
    for name in names:
        values = [one.get(name, "none") for one in settings]
        is_common = len(set(values)) == 1
        joined[name] = values[0] if is_common else "+".join(values)
    return joined


def join_panel(judged: Sequence[JudgedRows]) -> list[Entry]:
    """Return one entry of `per_example` for each row from those that several judges give it."""
    names = name_judges(judged)
    columns = [one.entries for one in judged]
    return [join_entries(names, entries) for entries in zip(*columns, strict=True)]


def join_entries(names: Sequence[str], entries: Sequence[Entry]) -> Entry:
    """Return one entry for a row from those of several judges.

    It has the verdict of most judges, with the words of the first that gives it, and under "judges"
    each judge's own.
    """
    verdicts = [read_verdict_value(entry) for entry in entries]
    verdict = find_majority(verdicts)
    if verdict is None:
        row: Entry = dict.fromkeys(entries[0])
        row["reference"] = entries[0]["reference"]
        row |= describe_division(entries, "judges")
    else:
        row = dict(entries[verdicts.index(verdict)])
    row["cached"] = all(entry["cached"] for entry in entries)
    row["requests"] = sum(entry["requests"] for entry in entries)
    row["usage"] = add_known_tokens(entry["usage"] for entry in entries)
    row["judges"] = dict(zip(names, entries, strict=True))
    return row
