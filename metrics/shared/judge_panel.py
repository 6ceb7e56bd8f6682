"""Make and ask one judge or a panel of judges, and join the entries that they give a row."""

import contextlib
from collections.abc import Mapping, Sequence
from typing import Any

from tqdm import tqdm

from .judge import Judge
from .judge_agreement import describe_division, find_majority, read_verdict_value
from .judge_batches import list_batched_keys, send_batches
from .judge_cache import Cache
from .judge_client import RequestSender
from .judge_connection import require_key
from .judge_costs import add_known_tokens
from .judge_results import Entry, JudgedRows, name_judges
from .judge_run import JudgeRun

Settings = Mapping[str, Any]

# The settings that each judge of a panel may have of its own.
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
    """Return the judge that `model` names, or the judges of the panel in `models`.

    The settings of a judge of a panel override the common ones. A judge with a provider or an
    address of its own gets neither the common address nor the common key.

    Raises:
        ValueError: `models` is no panel, has a judge twice, or is passed together with `model`.
    """
    if models is None:
        return [Judge(task, model, {}, **settings)]
    members = list_members(models)
    if model is not None:
        raise ValueError("models is given, and so is model; a panel has all its judges in models")

    judges = []
    for member in members:
        member_settings = dict(settings)
        if "provider" in member or "base_url" in member:
            member_settings |= {"api_key": None, "base_url": None}
        member_settings |= member
        judges.append(Judge(task, parameters={}, **member_settings))
    identities = {(judge.address, judge.model_name, str(judge.body)) for judge in judges}
    if len(identities) < len(judges):
        raise ValueError(
            "models has the same judge twice; to ask one several times is what samples is for"
        )
    return judges


def list_members(models: Any) -> list[Settings]:
    """Return the settings that each judge of a panel has of its own.

    Raises:
        ValueError: `models` is no panel.
    """
    entries = models
    if isinstance(models, str | bytes) or not isinstance(models, Sequence):
        entries = [models]
    members: list[Any] = []
    for member in entries:
        members.append({"model": member} if isinstance(member, str) else member)
    if len(members) >= 2 and all(is_member(member) for member in members):
        return members

    # The values in a dict are not shown: one may be a key.
    shown = [list_names(member) for member in entries]
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
    """Return the names in the settings of a judge; a value that is no dict unchanged."""
    return sorted(map(str, member)) if isinstance(member, Mapping) else member


def ask_judge(run: JudgeRun, dry_run: bool, wait: bool = True) -> None:
    """Get the replies of a run from its cache and its judge.

    Args:
        run: the run whose prompts are asked.
        dry_run: True sends nothing; calls in recorded batches then count as cached.
        wait: False submits batches and does not wait for them.
    """
    run.make_calls()
    with contextlib.closing(Cache(run.judge.cache)) as cache:
        n_known = run.restore_replies(cache)
        if dry_run and run.judge.batch:
            run.leave_out(list_batched_keys(run))
        if run.pending and not dry_run:
            send_pending(run, n_known, wait)
        run.drop_cached()


def send_pending(run: JudgeRun, n_known: int, wait: bool) -> None:
    """Send the pending calls, singly or in batches, with a progress bar."""
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
    """Ask the judges of some runs in turn.

    If one run is stopped, the later ones use cached replies only. The batches of all judges are
    submitted before the first is waited for.
    """
    if runs[0].judge.batch and len(runs) > 1 and not dry_run:
        for run in runs:
            ask_judge(run, dry_run=False, wait=False)
    for run in runs:
        is_stopped = any(other.stop for other in runs if other is not run)
        ask_judge(run, dry_run or is_stopped)


def join_settings(judges: Sequence[Judge]) -> dict[str, str]:
    """Return the settings of the judges that can change a score, for the signature.

    If the judges have different values, these are listed in the order of the judges.
    """
    settings = [judge.describe_settings() for judge in judges]
    names = dict[str, None]()
    for judge_settings in settings:
        names |= dict.fromkeys(judge_settings)

    joined = dict[str, str]()
    for name in names:
        values = [judge_settings.get(name, "none") for judge_settings in settings]
        is_common = len(set(values)) == 1
        joined[name] = values[0] if is_common else "+".join(values)
    return joined


def join_panel(judged: Sequence[JudgedRows]) -> list[Entry]:
    """Return one entry of `per_example` for each row, joined from those of several judges."""
    names = name_judges(judged)
    columns = [judged_rows.entries for judged_rows in judged]
    return [join_entries(names, entries) for entries in zip(*columns, strict=True)]


def join_entries(names: Sequence[str], entries: Sequence[Entry]) -> Entry:
    """Return the entry of a row, joined from those of several judges.

    It has the verdict of most judges, and the words of the first judge with this verdict. Its key
    "judges" has the entry of each judge.
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
