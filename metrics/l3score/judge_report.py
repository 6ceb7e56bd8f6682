# A copy of metrics/shared/judge_report.py: change that one, then run `make copies`.
"""What a judge's answers come to: the mean score with its bounds, what it cost, what failed, and why."""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from typing import Any

from .judge import Batch, Call, Judge
from .judge_cache import Cache
from .judge_providers import PROVIDERS, Reader

# A prompt's frame in tokens, role and separators, as OpenAI's models count them.
TOKENS_OF_FRAME = 7


class JudgeError(RuntimeError):
    """Rows could not be scored: `reason` is the code of what stopped the batch, or of the most frequent failure,
    `failures` says how many rows failed, by reason, and `result` is what `compute` would have returned, rows included.
    """

    def __init__(self, message: str, reason: str, failures: Mapping[str, int], result: Any = None) -> None:
        super().__init__(message, reason, failures, result)
        self.reason, self.failures, self.result = reason, dict(failures), result

    def __str__(self) -> str:
        return str(self.args[0])


class Report:
    """The result of a batch: the mean score under `name`, with a dict for each row; `blank` has the keys of a row that
    the reader fills. `lowest` and `highest` are what the mean would be if every row that failed had scored 0, or 1.
    """

    def __init__(self, batch: Batch, name: str, blank: Mapping[str, Any]) -> None:
        self.batch, self.judge = batch, batch.judge
        self.rows = [row_of(row, blank) for row in batch.rows]
        self.failures = Counter(row["reason"] for row in self.rows if row["reason"])
        scores = [row["score"] for row in self.rows if row["score"] is not None]
        total, failed = math.fsum(scores), len(self.rows) - len(scores)
        calls = batch.calls.values()
        made = [call.reply["usage"] for call in calls if call.reply and not call.cached]
        usages = [usage for usage in made if usage]
        cost, notes = cost_of(self.judge, usages)
        if silent := len(made) - len(usages):
            notes.append(f"the server reported no tokens for {silent} replies: Cost and tokens leave them out")
        asked = sum(not call.cached for call in calls)
        self.result: dict[str, Any] = {
            name: total / len(scores) if scores else None,
            "lowest": total / len(self.rows),
            "highest": (total + failed) / len(self.rows),
            "n_scored": len(scores),
            "n_failed": failed,
            "Cost": None if made and not usages else cost,
            "tokens": tokens_of(usages),
            "calls": {"sent": sum(c.requests for c in calls), "cached": sum(map(len, batch.rows)) - asked},
            "failures": dict(self.failures.most_common()),
            "notes": notes + batch.cache.notes(),
        }

    def served(self) -> dict[str, str]:
        """Return for the signature what the server used: models other than the one asked for, forms of output."""
        models = sorted({row["model"] for row in self.rows if row["model"]} - {self.judge.model})
        forms = sorted({call.reply["output"] for call in self.batch.calls.values() if call.reply})
        served = {"served": "+".join(models).replace("|", "%7C")} if models else {}
        return served | ({"output": "+".join(forms)} if self.judge.schema and forms else {})

    def concluded(self, per_example: bool) -> dict[str, Any]:
        """Return the result; raise JudgeError where the batch was stopped, or rows failed and `on_error` says so."""
        full, stopped = self.result | {"per_example": self.rows}, self.batch.stopped
        if not stopped and not (self.failures and self.judge.on_error == "raise"):
            return full if per_example else self.result
        rows, failed = len(self.rows), self.result["n_failed"]
        if stopped:
            reason, where = stopped.reason, self.judge.hidden(self.judge.address)
            said = f"{self.judge.task} was stopped ({reason}) by {where}: {stopped.message.rstrip('.')}. "
            said += f"{rows - failed} of {rows} rows have a score.{self.where()}"
        else:
            reason = next(iter(self.result["failures"]))
            reasons = ", ".join(f"{one} {count}" for one, count in self.result["failures"].items())
            first = [f"row {i} {row['reason']}: {row['message']}" for i, row in enumerate(self.rows) if row["reason"]]
            said = f"{failed} of {rows} rows could not be scored ({reasons}). {'; '.join(first[:3])}.{self.where()}"
            said += " on_error='skip' gives the mean of the others, with bounds."
        raise JudgeError(said, reason, self.failures, full)

    def where(self) -> str:
        """Return in words where the replies are that were paid for."""
        replied = [call for call in self.batch.calls.values() if call.reply]
        unread = sum(call.found["score"] is None for call in replied)
        if replied and (self.judge.cache is False or self.batch.cache.trouble):
            return " The scored rows are in this error's `result`."
        again = f"; for {unread} replies without a verdict again only with retry_unusable=True" if unread else ""
        said = f" What was answered is stored: a re-run resumes and asks only for the rest{again}."
        return said if replied else ""


def row_of(answers: Sequence[Call], blank: Mapping[str, Any]) -> dict[str, Any]:
    """Return one entry of `per_example` from the answers to a row's prompts: the best score counts.

    Where one of several answers is missing, the best is not known, unless another has the highest score there is.
    """
    scores = [-1.0 if call.found["score"] is None else float(call.found["score"]) for call in answers]
    best = scores.index(-1.0) if -1.0 in scores and max(scores) < 1.0 else scores.index(max(scores))
    call, usages = answers[best], [usage for one in answers if (usage := one.reply.get("usage"))]
    row: dict[str, Any] = {"score": None, "reason": None, "message": None, "note": None, "reference": best}
    row |= {"cached": all(one.cached for one in answers), "requests": sum(one.requests for one in answers)}
    row |= {"model": call.reply.get("model"), "usage": tokens_of(usages) if usages else None, **blank}
    return row | {name: value for name, value in call.found.items() if name in row}


def tokens_of(usages: Sequence[Mapping[str, int]]) -> dict[str, int]:
    """Return the tokens of several replies together."""
    return {side: sum(usage[side] for usage in usages) for side in ("input", "output")}


def cost_of(judge: Judge, usages: Sequence[Mapping[str, int]]) -> tuple[float | None, list[str]]:
    """Return what calls cost in USD; None and why where that is not known."""
    home = PROVIDERS[judge.provider].prices
    if not home:
        return None, [f"no price is known for a model served by {judge.provider}"] if usages else []
    counts = Counter((usage["input"], usage["output"]) for usage in usages)  # a price may depend on a call's length
    try:
        from genai_prices import Usage, calc_price

        used = [(Usage(input_tokens=read, output_tokens=written), n) for (read, written), n in counts.items()]
        return float(sum(n * calc_price(u, model_ref=judge.model, provider_id=home).total_price for u, n in used)), []
    except ImportError:
        return None, ["for costs: pip install genai-prices (Python 3.11 or newer)"]
    except LookupError:
        return None, [f"genai-prices knows no price for {judge.model} of {judge.provider}"]


def estimate(judge: Judge, rows: Sequence[Sequence[str]], read: Reader, output_tokens: int) -> dict[str, Any]:
    """Return what asking would send and cost, sending nothing; `output_tokens` is what a reply is taken to have."""
    with closing(Cache(judge.cache)) as cache:
        pending = Batch(judge, cache, rows, read).pending
    counted_by, count = token_counter(judge.model)
    usages = [{"input": count(call.prompt) + TOKENS_OF_FRAME, "output": output_tokens} for call in pending]
    cost, notes = cost_of(judge, usages)
    return {
        "calls": len(pending),
        "cached_calls": sum(map(len, rows)) - len(pending),
        "tokens": tokens_of(usages),
        "counted_by": counted_by,
        "Cost": cost,
        "first_prompt": rows[0][0],
        "notes": [f"output is taken to be {output_tokens} tokens a reply", *notes],
    }


def token_counter(model: str) -> tuple[str, Callable[[str], int]]:
    """Return the name of what counts tokens, and the function: tiktoken where its file can be had, else a quarter of
    the characters.
    """
    try:
        import tiktoken

        try:
            encoding = tiktoken.encoding_for_model(model)
        except KeyError:  # a model that is not OpenAI's
            encoding = tiktoken.get_encoding("o200k_base")
    except (ImportError, OSError, ValueError):  # there is no network, say
        return "characters/4", lambda text: math.ceil(len(text) / 4)
    return f"tiktoken {encoding.name}", lambda text: len(encoding.encode(text, disallowed_special=()))
