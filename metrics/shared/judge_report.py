"""What a judge's answers come to: the mean score with its bounds, what it cost, what failed, and why."""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .judge import Call, Judge
from .judge_batch import HALF
from .judge_providers import DECLINED, unusable

TOKENS_OF_FRAME = 7  # of a prompt: role and separators, as OpenAI's models count them
NO_MAJORITY = "no_majority"  # the reason of a row whose judges, or replies, have verdicts that differ
NOT_SENT = unusable("not_sent", "the batch had been stopped before it was answered")


class JudgeError(RuntimeError):
    """Rows could not be scored: `reason` is the code of what stopped the batch, or of the most frequent failure,
    `failures` says how many rows failed, by reason, and `result` is what `compute` would have returned, rows included.
    """

    reason, failures, result = "", dict[str, int](), dict[str, Any]()


def entries(judge: Judge, blank: Mapping[str, Any], joined: Callable[[Sequence[Call]], Call]) -> list[dict[str, Any]]:
    """Return the entries of `per_example` by what a judge was asked; `blank` has the keys of a row that the reader
    fills, `joined` makes one of several replies to a prompt.
    """
    return [row_of([calls[0] if judge.samples == 1 else joined(calls) for calls in row], blank) for row in judge.rows]


def report(
    asked: Mapping[Judge, Sequence[Mapping[str, Any]]],
    name: str,
    rows: Sequence[Mapping[str, Any]],
    sign: Callable[..., str],
    per_example: bool,
    more: Mapping[str, Any],
    **counted: Any,
) -> dict[str, Any]:
    """Return the result of what judges were asked, each with its own entries: the mean score of `rows` under `name`,
    how many rows are as each function in `counted` says, and `more`. Raises JudgeError where a judge was stopped, or
    rows failed and `on_error` says so.
    """
    calls = [call for judge in asked for call in judge.calls.values()]
    scores = [row["score"] for row in rows if row["score"] is not None]
    unscored = [row["reason"] for row in rows if row["score"] is None and row["reason"] != DECLINED]
    total, failed = math.fsum(scores), len(unscored)
    undecided = unscored.count(NO_MAJORITY)  # nothing has failed there: the judges say different things
    # What the server used: models other than the one asked for, forms of output.
    models = {row["model"] for judge, own in asked.items() for row in own if row["model"] != judge.model} - {None}
    forms = {call.reply["output"] for judge in asked for call in judge.calls.values() if call.reply and judge.schema}
    served = {"served": models, "output": forms}
    result = {
        name: total / len(scores) if scores else None,
        "lowest": total / len(rows),
        "highest": (total + failed) / len(rows),
        "n_scored": len(scores),
        "n_failed": failed,
        **paid({judge: [call.reply["usage"] for call in judge.pending if call.reply] for judge in asked}),
        "calls": {"sent": sum(call.requests for call in calls), "cached": sum(judge.at_hand for judge in asked)},
        "failures": dict(Counter(unscored).most_common()),
        **{count: sum(map(fits, rows)) for count, fits in counted.items()},
        **more,
        "signature": sign(**{k: "+".join(sorted(v)).replace("|", "%7C") for k, v in served.items() if v}),
    }
    judge = next((judge for judge in asked if judge.stopped), next(iter(asked)))
    if judge.stopped or (failed > undecided and judge.on_error == "raise"):
        raise failure(judge, result | {"per_example": rows})
    if undecided:
        result["notes"].append(f"in {undecided} rows no verdict has a majority: they are unscored, and in the bounds")
    return result | {"per_example": rows} if per_example else result


def failure(judge: Judge, result: dict[str, Any]) -> JudgeError:
    """Return the error that says why a result, rows included, is none."""
    rows, failures = result["per_example"], result["failures"]
    reason = judge.stopped.get("reason") or next(iter(failures))
    counts = ", ".join(f"{one} {count}" for one, count in failures.items())
    each = "; ".join(
        [f"row {i} {row['reason']}: {row['message']}" for i, row in enumerate(rows) if row["reason"] in failures][:3]
    )
    by = f"{judge.task} was stopped ({reason}) by {judge.hidden(judge.address)}: {judge.stopped.get('message')}"
    error = JudgeError(
        f"{result['n_failed']} of {len(rows)} rows could not be scored ({counts}): {by if judge.stopped else each}. "
        "What was scored is in this error's `result`; on_error='skip' gives the mean of the others, with bounds. With "
        "a cache a re-run resumes: it asks again for replies without a verdict only with retry_unusable=True."
    )
    error.reason, error.failures, error.result = reason, failures, result
    return error


def row_of(answers: Sequence[Call], blank: Mapping[str, Any]) -> dict[str, Any]:
    """Return one entry of `per_example` from the answers to a row's prompts: the best score counts."""
    found = [call.found or NOT_SENT for call in answers]
    scores = [-1.0 if one["score"] is None else float(one["score"]) for one in found]
    # Where one of several is missing, the best is not known, unless another has the highest score there is.
    best = scores.index(-1.0) if -1.0 in scores and max(scores) < 1.0 else scores.index(max(scores))
    usages = [usage for call in answers if (usage := call.reply.get("usage"))]
    row: dict[str, Any] = {"score": None, "reason": None, "message": None, "note": None, "reference": best}
    row |= {"cached": all(call.cached for call in answers), "requests": sum(call.requests for call in answers)}
    row |= {"model": answers[best].reply.get("model"), "usage": tokens_of(usages) if usages else None, **blank}
    return row | {name: value for name, value in found[best].items() if name in row}


def tokens_of(usages: Sequence[Mapping[str, int]]) -> dict[str, int]:
    """Return the tokens of several replies together."""
    return {side: sum(usage[side] for usage in usages) for side in ("input", "output")}


def cost_of(judge: Judge, usages: Sequence[Mapping[str, int] | None]) -> dict[str, Any]:
    """Return the tokens of replies and what they cost in USD, None where that is not known, with notes that say why."""
    known, notes, cost = [usage for usage in usages if usage], list[str](), None
    try:
        from genai_prices import Usage, calc_price

        used = [Usage(input_tokens=usage["input"], output_tokens=usage["output"]) for usage in known]
        cost = float(sum(calc_price(one, judge.model, provider_id=judge.provider).total_price for one in used))
        cost *= HALF if judge.batch else 1
    except (ImportError, LookupError):
        whose = f"of {judge.provider}" if judge.at_home else f"at {judge.hidden(judge.address)}"
        notes.append(f"no price is known for {judge.model} {whose} (genai-prices: Python 3.11 or newer)")
    if silent := len(usages) - len(known):
        notes.append(f"the server reported no tokens for {silent} replies: Cost and tokens leave them out")
    if damaged := len(judge.kept.damaged):
        notes.append(f"damaged entries of the cache: {damaged}; what they held is asked for again")
    if trouble := judge.kept.trouble:
        notes.append(f"the cache could not be used ({trouble}): a re-run pays again for what it does not hold")
    return {"Cost": cost if known or not usages else None, "tokens": tokens_of(known), "notes": notes}


def paid(usages: Mapping[Judge, Sequence[Mapping[str, int] | None]]) -> dict[str, Any]:
    """Return the same of several judges together."""
    each = [cost_of(judge, of_judge) for judge, of_judge in usages.items()]
    costs = [one["Cost"] for one in each]
    notes = list(dict.fromkeys(note for one in each for note in one["notes"]))
    tokens = tokens_of([one["tokens"] for one in each])
    return {"Cost": None if None in costs else sum(costs), "tokens": tokens, "notes": notes}


def estimate(judges: Sequence[Judge], output_tokens: int, signature: str) -> dict[str, Any]:
    """Return what asking would send and cost; `output_tokens` is what a reply is taken to have."""
    prompts = {judge: [call.prompt for call in judge.pending] for judge in judges}
    try:
        import tiktoken

        encoding = tiktoken.get_encoding("o200k_base")  # that of OpenAI's newer models
        counted_by, count = "tiktoken o200k_base", lambda prompt: len(encoding.encode(prompt, disallowed_special=()))
    except (ImportError, OSError, ValueError):  # there is no network for its file, say
        counted_by, count = "characters/4", lambda prompt: math.ceil(len(prompt) / 4)
    counts = {prompt: count(prompt) + TOKENS_OF_FRAME for several in prompts.values() for prompt in several}
    cost = paid({judge: [{"input": counts[p], "output": output_tokens} for p in prompts[judge]] for judge in judges})
    if any(judge.batch for judge in judges):
        cost |= {"Cost": None if cost["Cost"] is None else cost["Cost"] / HALF, "Cost_batch": cost["Cost"]}
    cost["notes"].insert(0, f"output is taken to be {output_tokens} tokens a reply")
    sent = {"calls": sum(map(len, prompts.values())), "cached_calls": sum(judge.at_hand for judge in judges)}
    first = judges[0].rows[0][0][0].prompt
    return cost | sent | {"counted_by": counted_by, "first_prompt": first, "signature": signature}
