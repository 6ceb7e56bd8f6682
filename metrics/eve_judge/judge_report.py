# A copy of metrics/shared/judge_report.py: change that one, then run `make copies`.
"""What a judge's answers come to: the mean score with its bounds, what it cost, what failed, and why."""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .judge import Call, Judge
from .judge_providers import unusable

TOKENS_OF_FRAME = 7  # of a prompt: role and separators, as OpenAI's models count them
NOT_SENT = unusable("not_sent", "the batch had been stopped before it was answered")


class JudgeError(RuntimeError):
    """Rows could not be scored: `reason` is the code of what stopped the batch, or of the most frequent failure,
    `failures` says how many rows failed, by reason, and `result` is what `compute` would have returned, rows included.
    """

    reason, failures, result = "", dict[str, int](), dict[str, Any]()


def report(
    judge: Judge, name: str, blank: Mapping[str, Any], sign: Callable[..., str], per_example: bool, **counted: Any
) -> dict[str, Any]:
    """Return the result of what a judge was asked: the mean score under `name`, and how many rows are as each function
    in `counted` says; `blank` has the keys of a row that the reader fills. Raises JudgeError where the batch was
    stopped, or rows failed and `on_error` says so.
    """
    rows, calls = [row_of(row, blank) for row in judge.rows], judge.calls.values()
    scores = [row["score"] for row in rows if row["score"] is not None]
    total, failed = math.fsum(scores), len(rows) - len(scores)
    # What the server used: models other than the one asked for, forms of output.
    forms = {call.reply["output"] for call in calls if call.reply and judge.schema}
    served = {"served": {row["model"] for row in rows} - {judge.model, None}, "output": forms}
    result = {
        name: total / len(scores) if scores else None,
        "lowest": total / len(rows),
        "highest": (total + failed) / len(rows),
        "n_scored": len(scores),
        "n_failed": failed,
        **cost_of(judge, [call.reply["usage"] for call in judge.pending if call.reply]),
        "calls": {"sent": sum(call.requests for call in calls), "cached": judge.at_hand},
        "failures": dict(Counter(row["reason"] for row in rows if row["reason"]).most_common()),
        **{count: sum(map(fits, rows)) for count, fits in counted.items()},
        "signature": sign(**{k: "+".join(sorted(v)).replace("|", "%7C") for k, v in served.items() if v}),
    }
    if judge.stopped or (failed and judge.on_error == "raise"):
        raise failure(judge, result | {"per_example": rows})
    return result | {"per_example": rows} if per_example else result


def failure(judge: Judge, result: dict[str, Any]) -> JudgeError:
    """Return the error that says why a result, rows included, is none."""
    rows, failures = result["per_example"], result["failures"]
    reason = judge.stopped.get("reason") or next(iter(failures))
    counts = ", ".join(f"{one} {count}" for one, count in failures.items())
    each = "; ".join([f"row {i} {row['reason']}: {row['message']}" for i, row in enumerate(rows) if row["reason"]][:3])
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
    except (ImportError, LookupError):
        notes.append(f"no price is known for {judge.model} of {judge.provider} (genai-prices: Python 3.11 or newer)")
    if silent := len(usages) - len(known):
        notes.append(f"the server reported no tokens for {silent} replies: Cost and tokens leave them out")
    if trouble := judge.kept.trouble:
        notes.append(f"the cache could not be used ({trouble}): a re-run pays again for what it does not hold")
    return {"Cost": cost if known or not usages else None, "tokens": tokens_of(known), "notes": notes}


def estimate(judge: Judge, output_tokens: int, signature: str) -> dict[str, Any]:
    """Return what asking would send and cost; `output_tokens` is what a reply is taken to have."""
    prompts = [call.prompt for call in judge.pending]
    try:
        import tiktoken

        encoding = tiktoken.get_encoding("o200k_base")  # that of OpenAI's newer models
        counted_by, counts = "tiktoken o200k_base", [len(encoding.encode(p, disallowed_special=())) for p in prompts]
    except (ImportError, OSError, ValueError):  # there is no network for its file, say
        counted_by, counts = "characters/4", [math.ceil(len(prompt) / 4) for prompt in prompts]
    cost = cost_of(judge, [{"input": count + TOKENS_OF_FRAME, "output": output_tokens} for count in counts])
    cost["notes"].insert(0, f"output is taken to be {output_tokens} tokens a reply")
    sent = {"calls": len(prompts), "cached_calls": judge.at_hand, "counted_by": counted_by}
    return cost | sent | {"first_prompt": judge.rows[0][0].prompt, "signature": signature}
