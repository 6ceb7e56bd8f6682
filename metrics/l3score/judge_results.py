# A copy of metrics/shared/judge_results.py: change that one, then run `make copies`.
"""The result of a judge's run: an entry for each row, the mean with its bounds, what failed and why, and the cost."""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .judge import Judge
from .judge_batches import BATCH_PRICE
from .judge_cache import Cache
from .judge_replies import DECLINED, Outcome, make_failure
from .judge_run import Call, JudgeRun, group_calls

# Tokens of a prompt's frame: role and separators, as OpenAI's models count them.
FRAME_TOKENS = 7
# The reason of a row whose judges, or replies, have verdicts that differ.
NO_MAJORITY = "no_majority"
NOT_SENT = make_failure("not_sent", "the batch had been stopped before it was answered")
# Rows that an error quotes.
MAX_QUOTED = 3

# USD for a million tokens of decisions, by OpenAI's model, which genai-prices 0.2.3 does not know: its price of
# gpt-6-luna is that of a chat. Source: the pages of OpenRouter and of Vercel's gateway for it, read on 2026-11-26.
DECISION_PRICES = {"gpt-6-luna": {"input": 0.10, "output": 0.0}}

# An entry of `per_example`.
Entry = dict[str, Any]
Usage = Mapping[str, int]


class JudgeError(RuntimeError):
    """Rows could not be scored.

    Args:
        message: what an error shows.
        reason: the code of what stopped the run, or of the most frequent failure.
        result: what `compute` would have returned, rows included.
    """

    def __init__(self, message: str, reason: str = "", result: dict[str, Any] | None = None) -> None:
        super().__init__(message)
        self.reason = reason
        self.result = result or {}
        # How many rows failed, by reason.
        self.failures: dict[str, int] = self.result.get("failures", {})


@dataclass(frozen=True)
class JudgedRows:
    """A run, and the entry that it gives each row."""

    run: JudgeRun
    entries: list[Entry]


@dataclass(frozen=True)
class Report:
    """How a metric reports its rows.

    Args:
        score_name: the key of the mean score.
        counts: by the key of a count, whether a row is counted.
        sign: returns the signature, with what the servers used besides.
        per_example: whether the result has the entries of the rows.
    """

    score_name: str
    counts: Mapping[str, Callable[[Entry], bool]]
    sign: Callable[..., str]
    per_example: bool

    def make_result(
        self, judged: Sequence[JudgedRows], rows: list[Entry], extras: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        """Return the result.

        Args:
            judged: each judge's run.
            rows: the entries that count, which several judges may have made together.
            extras: further parts of the result.

        Raises:
            JudgeError: a judge was stopped, or rows failed and `on_error` says so.
        """
        runs = [one.run for one in judged]
        result = summarize_scores(self.score_name, rows)
        result |= sum_costs([paid_usages(run) for run in runs])
        sent = sum(call.requests for run in runs for call in run.calls.values())
        result["calls"] = {"sent": sent, "cached": sum(run.n_cached for run in runs)}
        failures = count_failures(rows)
        result["failures"] = failures
        for name, is_counted in self.counts.items():
            result[name] = sum(map(is_counted, rows))
        result |= extras or {}
        result["signature"] = self.sign(**describe_served(judged))

        stopped = next((run for run in runs if run.stop), None)
        # Where judges say different things, nothing has failed.
        n_undecided = failures.get(NO_MAJORITY, 0)
        has_failed = result["n_failed"] > n_undecided and runs[0].judge.on_error == "raise"
        if stopped or has_failed:
            raise describe_failures(stopped or runs[0], result | {"per_example": rows})
        if n_undecided:
            note = f"in {n_undecided} rows no verdict has a majority: they are unscored, and in the bounds"
            result["notes"].append(note)
        return result | {"per_example": rows} if self.per_example else result


def summarize_scores(name: str, rows: Sequence[Entry]) -> dict[str, Any]:
    """Return the mean score of rows with its bounds, and how many rows have a score."""
    scores = [row["score"] for row in rows if row["score"] is not None]
    n_failed = sum(count_failures(rows).values())
    total = math.fsum(scores)
    return {
        name: total / len(scores) if scores else None,
        "lowest": total / len(rows),
        "highest": (total + n_failed) / len(rows),
        "n_scored": len(scores),
        "n_failed": n_failed,
    }


def count_failures(rows: Sequence[Entry]) -> dict[str, int]:
    """Return how many rows failed by reason, the most frequent first."""
    reasons = [row["reason"] for row in rows if row["score"] is None and row["reason"] != DECLINED]
    return dict(Counter(reasons).most_common())


def describe_served(judged: Sequence[JudgedRows]) -> dict[str, str]:
    """Return what the servers used, for the signature: models other than the one asked for, and forms of output."""
    models, outputs = set[str](), set[str]()
    for one in judged:
        judge = one.run.judge
        models.update(row["model"] for row in one.entries if row["model"] not in (None, judge.model_name))
        if judge.schema:
            outputs.update(call.reply["output"] for call in one.run.calls.values() if call.reply)
    served = {"served": models, "output": outputs}
    return {name: "+".join(sorted(values)).replace("|", "%7C") for name, values in served.items() if values}


def describe_failures(run: JudgeRun, result: dict[str, Any]) -> JudgeError:
    """Return the error that says why a result, rows included, is none."""
    rows, failures = result["per_example"], result["failures"]
    counts = ", ".join(f"{reason} {count}" for reason, count in failures.items())
    quotes = list[str]()
    for number, row in enumerate(rows):
        if row["reason"] in failures and len(quotes) < MAX_QUOTED:
            quotes.append(f"row {number} {row['reason']}: {row['message']}")
    reason = run.stop.get("reason") or next(iter(failures))
    cause = "; ".join(quotes)
    if run.stop:
        address = run.judge.hide_key(run.judge.address)
        cause = f"{run.judge.task} was stopped ({reason}) by {address}: {run.stop.get('message')}"
    message = (
        f"{result['n_failed']} of {len(rows)} rows could not be scored ({counts}): {cause}. "
        "What was scored is in this error's `result`; on_error='skip' gives the mean of the others, with bounds. With "
        "a cache a re-run resumes: it asks again for replies without a verdict only with retry_unusable=True."
    )
    return JudgeError(message, reason, result)


def make_entries(run: JudgeRun, blank: Mapping[str, Any], join_replies: Callable[[Sequence[Call]], Call]) -> JudgedRows:
    """Return the entries of `per_example` that a run gives.

    Args:
        run: what was asked.
        blank: the keys of an entry that the reader of replies fills.
        join_replies: makes one of several replies to a prompt.
    """
    entries = []
    for row in run.rows:
        calls = [calls[0] if run.judge.samples == 1 else join_replies(calls) for calls in row]
        entries.append(make_entry(calls, blank))
    return JudgedRows(run, entries)


def make_entry(calls: Sequence[Call], blank: Mapping[str, Any]) -> Entry:
    """Return the entry of a row from the calls for its references: the best score counts."""
    outcomes = [call.outcome or NOT_SENT for call in calls]
    best = find_best(outcomes)
    entry = {
        "score": None,
        "reason": None,
        "message": None,
        "note": None,
        "reference": best,
        "cached": all(call.cached for call in calls),
        "requests": sum(call.requests for call in calls),
        "model": calls[best].reply.get("model"),
        "usage": add_known_tokens(call.reply.get("usage") for call in calls),
        **blank,
    }
    entry.update({name: value for name, value in outcomes[best].items() if name in entry})
    return entry


def find_best(outcomes: Sequence[Outcome]) -> int:
    """Return the place of the best score; that of the first failure where the best is not known."""
    scores = [-1.0 if outcome["score"] is None else float(outcome["score"]) for outcome in outcomes]
    best = max(scores)
    # Where one of several is missing, another is the best only if it has the highest score there is.
    if -1.0 in scores and best < 1.0:
        return scores.index(-1.0)
    return scores.index(best)


def add_tokens(usages: Iterable[Usage]) -> dict[str, int]:
    """Return the tokens of several replies together."""
    total = {"input": 0, "output": 0}
    for usage in usages:
        for side in total:
            total[side] += usage[side]
    return total


def add_known_tokens(usages: Iterable[Usage | None]) -> dict[str, int] | None:
    """Return the tokens of several replies together, or None where none is known."""
    known = [usage for usage in usages if usage]
    return add_tokens(known) if known else None


@dataclass(frozen=True)
class Usages:
    """The tokens of a judge's replies, None where they are not known, and the cache of its run."""

    judge: Judge
    cache: Cache
    usages: Sequence[Usage | None]


def paid_usages(run: JudgeRun) -> Usages:
    """Return the tokens of what a run has paid for."""
    return Usages(run.judge, run.cache, [call.reply["usage"] for call in run.pending if call.reply])


def calculate_cost(paid: Usages) -> dict[str, Any]:
    """Return the tokens of replies and what they cost in USD, None where that is not known, with notes that say why."""
    judge, cache = paid.judge, paid.cache
    known = [usage for usage in paid.usages if usage]
    notes = []
    cost = None
    try:
        cost = calculate_price(judge, known)
    except (ImportError, LookupError):
        whose = f"of {judge.provider}" if judge.is_at_home else f"at {judge.hide_key(judge.address)}"
        notes.append(f"no price is known for {judge.model_name} {whose} (genai-prices: Python 3.11 or newer)")
    n_silent = len(paid.usages) - len(known)
    if n_silent:
        notes.append(f"the server reported no tokens for {n_silent} replies: Cost and tokens leave them out")
    if cache.damaged:
        notes.append(f"damaged entries of the cache: {len(cache.damaged)}; what they held is asked for again")
    if cache.trouble:
        notes.append(f"the cache could not be used ({cache.trouble}): a re-run pays again for what it does not hold")
    is_known = bool(known) or not paid.usages
    return {"Cost": cost if is_known else None, "tokens": add_tokens(known), "notes": notes}


def calculate_price(judge: Judge, usages: Iterable[Usage]) -> float:
    """Return what replies cost in USD.

    Raises:
        ImportError: genai-prices is not installed.
        LookupError: it does not know the model.
    """
    if judge.decision is not None and judge.provider == "openai":
        return calculate_decision_price(judge, usages)

    from genai_prices import Usage as PricedUsage
    from genai_prices import calc_price

    prices = []
    for usage in usages:
        tokens = PricedUsage(input_tokens=usage["input"], output_tokens=usage["output"])
        prices.append(calc_price(tokens, judge.model_name, provider_id=judge.provider).total_price)
    price = float(sum(prices))
    return price * BATCH_PRICE if judge.batch else price


def calculate_decision_price(judge: Judge, usages: Iterable[Usage]) -> float:
    """Return what decisions of OpenAI cost in USD, which genai-prices has for chats alone; LookupError if unknown."""
    name = re.sub(r"-\d{4}-\d\d-\d\d$", "", judge.model_name)
    if name not in DECISION_PRICES or not judge.is_at_home:
        raise LookupError(judge.model_name)
    tokens = add_tokens(usages)
    return sum(tokens[side] * price for side, price in DECISION_PRICES[name].items()) / 1e6


def sum_costs(paid: Iterable[Usages]) -> dict[str, Any]:
    """Return the tokens, the cost and the notes of several judges together."""
    each = [calculate_cost(one) for one in paid]
    costs = [one["Cost"] for one in each]
    # A note of several judges is said once.
    notes = dict.fromkeys(note for one in each for note in one["notes"])
    cost = None if None in costs else sum(costs)
    return {"Cost": cost, "tokens": add_tokens(one["tokens"] for one in each), "notes": list(notes)}


def estimate_cost(runs: Sequence[JudgeRun], output_tokens: int, signature: str) -> dict[str, Any]:
    """Return what a run would send and cost.

    Args:
        runs: runs that sent nothing.
        output_tokens: the tokens that a reply is taken to have.
        signature: that of the result.
    """
    counted_by, count_tokens = choose_tokenizer()
    counts = dict[str, int]()
    groups = {run: group_calls(run.pending, run.judge.max_questions) for run in runs}
    paid = []
    for run in runs:
        usages = []
        for group in groups[run]:
            state = group[0].state
            texts = [state, *(call.prompt for call in group)] if state else [group[0].prompt]
            for text in texts:
                if text not in counts:
                    counts[text] = count_tokens(text) + FRAME_TOKENS
            n_tokens = sum(counts[text] for text in texts)
            usages.append({"input": n_tokens, "output": output_tokens * len(group)})
        paid.append(Usages(run.judge, run.cache, usages))
    plan = sum_costs(paid)
    if any(run.judge.batch for run in runs):
        plan["Cost_batch"] = plan["Cost"]
        if plan["Cost"] is not None:
            plan["Cost"] /= BATCH_PRICE
    plan["notes"].insert(0, f"output is taken to be {output_tokens} tokens a reply")
    plan["calls"] = sum(map(len, groups.values()))
    plan["cached_calls"] = sum(run.n_cached for run in runs)
    plan["counted_by"] = counted_by
    plan["first_prompt"] = runs[0].rows[0][0][0].text
    plan["signature"] = signature
    return plan


def choose_tokenizer() -> tuple[str, Callable[[str], int]]:
    """Return how tokens are counted, in words and as a function: as OpenAI's newer models do, if that can be had."""
    try:
        import tiktoken

        encoding = tiktoken.get_encoding("o200k_base")
    # Without a network its file cannot be had, say.
    except (ImportError, OSError, ValueError):
        return "characters/4", lambda text: math.ceil(len(text) / 4)
    return "tiktoken o200k_base", lambda text: len(encoding.encode(text, disallowed_special=()))
