# A copy of metrics/shared/judge_costs.py: change that one, then run `make copies`.
"""The costs of judges: tokens that were paid for, their price, and an estimate before a run."""

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .judge import Judge
from .judge_batches import BATCH_PRICE_FACTOR
from .judge_cache import Cache
from .judge_run import Call, JudgeRun, group_calls

# Tokens around a prompt: its role and separators, as OpenAI's models count them.
FRAME_TOKENS = 7
# USD for a million tokens of OpenAI's decision model. genai-prices 0.2.3 has its price for chats
# only. Source: the model's pages at OpenRouter and at Vercel's gateway, read on 2026-11-26.
DECISION_PRICES = {"gpt-6-luna": {"input": 0.10, "output": 0.0}}

# The tokens of a reply, by "input" and "output".
Usage = Mapping[str, int]
CountTokens = Callable[[str], int]


@dataclass(frozen=True)
class Bill:
    """The replies of one judge that are to be paid for, or requests that are planned.

    Args:
        judge: the judge.
        cache: the cache of the run.
        usages: the tokens of each reply, or, before a run, those that each request is assumed to
            have; None if they are not known.
    """

    judge: Judge
    cache: Cache
    usages: Sequence[Usage | None]


def make_bill(run: JudgeRun) -> Bill:
    """Return the bill for the replies that a run got from its judge."""
    usages = [call.reply["usage"] for call in run.pending if call.reply]
    return Bill(run.judge, run.cache, usages)


def add_tokens(usages: Iterable[Usage]) -> dict[str, int]:
    """Return the sum of the tokens of several replies."""
    total = {"input": 0, "output": 0}
    for usage in usages:
        for side in total:
            total[side] += usage[side]
    return total


def add_known_tokens(usages: Iterable[Usage | None]) -> dict[str, int] | None:
    """Return the sum of the known tokens of several replies, or None if none are known."""
    known = [usage for usage in usages if usage]
    return add_tokens(known) if known else None


def add_note(result: dict[str, Any], sentence: str, key: str, **values: Any) -> None:
    """Add a note to a result: its sentence, its key, and the values in the sentence.

    If the sentence names a number of rows, replies or entries, that is the value `count`.
    """
    result["notes"].append(sentence)
    result["note_data"].append({"key": key, **values})


def calculate_cost(bill: Bill) -> dict[str, Any]:
    """Return the tokens of replies, their cost in USD and notes.

    If the cost is not known it is None, and a note has the reason.
    """
    judge = bill.judge
    known = [usage for usage in bill.usages if usage]
    result: dict[str, Any] = {
        "Cost": None,
        "tokens": add_tokens(known),
        "notes": [],
        "note_data": [],
    }
    try:
        result["Cost"] = calculate_price(judge, known)
    except (ImportError, LookupError) as error:
        model = judge.model_name
        if judge.asks_provider:
            sentence = f"no price is known for {model} of {judge.provider}"
            add_note(result, sentence, "no_price", model=model, provider=judge.provider)
        else:
            address = judge.hide_key(judge.address)
            sentence = f"no price is known for {model} at {address}"
            add_note(result, sentence, "no_price_at", model=model, address=address)
        if isinstance(error, ImportError):
            sentence = "genai-prices is not installed (it needs Python 3.11 or newer)"
            add_note(result, sentence, "no_price_package")
    n_silent = len(bill.usages) - len(known)
    if n_silent:
        sentence = (
            f"the server reported no tokens for {n_silent} replies: Cost and tokens leave them out"
        )
        add_note(result, sentence, "no_tokens_reported", count=n_silent)
    # Without replies the cost is 0. If the tokens of all replies are unknown, so is the cost.
    if bill.usages and not known:
        result["Cost"] = None
    note_trouble(result, bill.cache)
    return result


def note_trouble(result: dict[str, Any], cache: Cache) -> None:
    """Add notes on damaged entries of a cache, and on a cache that failed."""
    if cache.damaged:
        count = len(cache.damaged)
        sentence = f"damaged entries of the cache: {count}; what they held is asked for again"
        add_note(result, sentence, "cache_damaged", count=count)
    if cache.last_error:
        sentence = (
            f"the cache could not be used ({cache.last_error}): a re-run pays again for what "
            "it does not hold"
        )
        add_note(result, sentence, "cache_unusable", trouble=cache.last_error)


def calculate_price(judge: Judge, usages: Iterable[Usage]) -> float:
    """Return the price of replies in USD.

    Raises:
        ImportError: genai-prices is not installed.
        LookupError: the price of the model is not known.
    """
    if judge.decision is not None and judge.provider == "openai":
        return calculate_decision_price(judge, usages)

    import genai_prices

    prices = []
    for usage in usages:
        tokens = genai_prices.Usage(
            input_tokens=usage["input"],
            output_tokens=usage["output"],
        )
        price = genai_prices.calc_price(
            tokens,
            judge.model_name,
            provider_id=judge.provider,
        )
        prices.append(price.total_price)
    total = float(sum(prices))
    return total * BATCH_PRICE_FACTOR if judge.batch else total


def calculate_decision_price(judge: Judge, usages: Iterable[Usage]) -> float:
    """Return the price of decisions of OpenAI's model in USD.

    Raises:
        LookupError: the price of the model is not known.
    """
    # The name of a version ends with its date.
    name = re.sub(r"-\d{4}-\d\d-\d\d$", "", judge.model_name)
    if name not in DECISION_PRICES or not judge.asks_provider:
        raise LookupError(judge.model_name)
    prices = DECISION_PRICES[name]
    tokens = add_tokens(usages)
    dollars = tokens["input"] * prices["input"] + tokens["output"] * prices["output"]
    return dollars / 1e6


def sum_costs(bills: Iterable[Bill]) -> dict[str, Any]:
    """Return the sums of the tokens and costs of several judges, and their notes."""
    costs_of_judges = [calculate_cost(bill) for bill in bills]
    costs = [judge_costs["Cost"] for judge_costs in costs_of_judges]
    notes = dict[str, dict[str, Any]]()
    for judge_costs in costs_of_judges:
        # A note that several judges have is kept once.
        notes |= zip(judge_costs["notes"], judge_costs["note_data"], strict=True)
    return {
        "Cost": None if None in costs else sum(costs),
        "tokens": add_tokens(judge_costs["tokens"] for judge_costs in costs_of_judges),
        "notes": list(notes),
        "note_data": list(notes.values()),
    }


def estimate_cost(
    runs: Sequence[JudgeRun],
    output_tokens: int,
    signature: str,
) -> dict[str, Any]:
    """Return the tokens and the cost that a run would have.

    In the result, `calls` are the requests that would be sent, and `cached_calls` the replies that
    need no request.

    Args:
        runs: one run for each judge, before anything is sent.
        output_tokens: the tokens that each reply is assumed to have.
        signature: the signature of the result.
    """
    counted_by, count_tokens = choose_tokenizer()
    n_requests = 0
    bills = []
    for run in runs:
        groups = group_calls(run.pending, run.judge.max_questions)
        usages = estimate_usages(groups, output_tokens, count_tokens)
        n_requests += len(groups)
        bills.append(Bill(run.judge, run.cache, usages))

    plan = sum_costs(bills)
    if any(run.judge.batch for run in runs):
        plan["Cost_batch"] = plan["Cost"]
        if plan["Cost"] is not None:
            plan["Cost"] /= BATCH_PRICE_FACTOR
    plan["notes"].insert(0, f"output is taken to be {output_tokens} tokens a reply")
    plan["note_data"].insert(0, {"key": "output_assumed", "tokens": output_tokens})
    plan["calls"] = n_requests
    plan["cached_calls"] = sum(run.n_cached for run in runs)
    plan["counted_by"] = counted_by
    plan["first_prompt"] = runs[0].rows[0][0][0].text
    plan["signature"] = signature
    return plan


def estimate_usages(
    groups: Sequence[Sequence[Call]], output_tokens: int, count_tokens: CountTokens
) -> list[Usage | None]:
    """Return the tokens that each group of calls, sent as one request, is assumed to have."""
    counts = dict[str, int]()
    usages = list[Usage | None]()
    for group in groups:
        texts = [call.prompt for call in group]
        # The calls of a request share their state.
        if group[0].state:
            texts.append(group[0].state)
        for text in texts:
            if text not in counts:
                counts[text] = count_tokens(text) + FRAME_TOKENS
        n_tokens = sum(counts[text] for text in texts)
        usages.append({"input": n_tokens, "output": output_tokens * len(group)})
    return usages


def choose_tokenizer() -> tuple[str, CountTokens]:
    """Return the name of a tokenizer, and the function that counts tokens by it.

    It is the tokenizer of OpenAI's newer models, or four characters a token if that is missing.
    """
    try:
        import tiktoken

        encoding = tiktoken.get_encoding("o200k_base")
    # Without a network, tiktoken may be unable to load the tokenizer's file.
    except (ImportError, OSError, ValueError):
        return "characters/4", lambda text: math.ceil(len(text) / 4)
    return "tiktoken o200k_base", lambda text: len(encoding.encode(text, disallowed_special=()))
