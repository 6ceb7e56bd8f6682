"""The result of a judge's run: the mean score, its bounds, the failures and one entry a row."""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .judge_costs import add_known_tokens, add_note, make_bill, sum_costs
from .judge_replies import DECLINED, Outcome, make_failure
from .judge_run import Call, JudgeRun

# The reason of a row without a majority for any verdict.
NO_MAJORITY = "no_majority"
UNANSWERED = make_failure("not_sent", "the batch had been stopped before it was answered")
# The most rows that an error quotes.
MAX_QUOTED = 3

# An entry of `per_example`, and the result of `compute`.
Entry = dict[str, Any]
Result = dict[str, Any]
# For each count, by its key, a function that says whether a row is counted.
Counts = Mapping[str, Callable[[Entry], bool]]
JoinReplies = Callable[[Sequence[Call]], Call]


class JudgeError(RuntimeError):
    """Rows could not be scored.

    Args:
        message: the message of the error.
        reason: the code of the failure that stopped the run, or of the most frequent failure.
        result: the result that `compute` would have returned, with the entries of all rows.
    """

    def __init__(
        self,
        message: str,
        reason: str = "",
        result: Result | None = None,
    ) -> None:
        super().__init__(message)
        self.reason = reason
        self.result = result or {}
        # How many rows failed, by reason.
        self.failures: dict[str, int] = self.result.get("failures", {})


@dataclass(frozen=True)
class JudgedRows:
    """A run, and the entries of its rows."""

    run: JudgeRun
    entries: list[Entry]


@dataclass(frozen=True)
class ResultForm:
    """The form of a metric's result.

    Args:
        score_name: the key of the mean score.
        counts: for each count, by its key, the function that says whether a row is counted.
        make_signature: returns the signature, from what the servers used.
        per_example: whether the result has the entries of the rows.
    """

    score_name: str
    counts: Counts
    make_signature: Callable[..., str]
    per_example: bool

    def make_result(
        self,
        judged: Sequence[JudgedRows],
        rows: list[Entry],
        extras: Result,
    ) -> Result:
        """Return the result.

        Args:
            judged: the run of each judge.
            rows: the entry of each row, which several judges may have made together.
            extras: further parts of the result.

        Raises:
            JudgeError: a judge was stopped, or rows failed and `on_error` is "raise".
        """
        runs = [judged_rows.run for judged_rows in judged]
        result = summarize_scores(self.score_name, rows)
        result |= sum_costs(make_bill(run) for run in runs)
        result["calls"] = count_calls(runs)
        result["failures"] = count_failures(rows)
        for name, is_counted in self.counts.items():
            result[name] = sum(map(is_counted, rows))
        result |= extras
        result["signature"] = self.make_signature(**describe_served(judged))

        full = result | {"per_example": rows}
        raise_failures(runs, full)
        n_undecided = result["failures"].get(NO_MAJORITY, 0)
        if n_undecided:
            sentence = (
                f"in {n_undecided} rows no verdict has a majority: they are unscored, and "
                "in the bounds"
            )
            add_note(result, sentence, "no_majority", count=n_undecided)
        return full if self.per_example else result


def summarize_scores(name: str, rows: Sequence[Entry]) -> Result:
    """Return the mean of the scored rows, its bounds, and how many rows have a score.

    The bounds are means over all rows. In the lower one a failed row counts as 0, in the upper one
    as 1; a declined row counts as 0 in both. The mean leaves declined rows out, so it can lie above
    the bounds.
    """
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


def count_calls(runs: Sequence[JudgeRun]) -> dict[str, int]:
    """Return how many requests were sent, and how many replies needed none.

    Such a reply was cached, or is shared with an equal prompt.
    """
    n_sent = 0
    n_cached = 0
    for run in runs:
        n_sent += sum(call.requests for call in run.calls.values())
        n_cached += run.n_cached
    return {"sent": n_sent, "cached": n_cached}


def count_failures(rows: Sequence[Entry]) -> dict[str, int]:
    """Return how many rows failed, by reason, the most frequent first."""
    counts = Counter[str]()
    for row in rows:
        if row["score"] is None and row["reason"] != DECLINED:
            counts[row["reason"]] += 1
    return dict(counts.most_common())


def describe_served(judged: Sequence[JudgedRows]) -> dict[str, str]:
    """Return the models and forms of output that the servers used, for the signature.

    Models are listed only if they are not the one that was asked for.
    """
    models = set[str]()
    outputs = set[str]()
    for judged_rows in judged:
        run = judged_rows.run
        models_of_rows = {row["model"] for row in judged_rows.entries}
        models |= models_of_rows - {None, run.judge.model_name}
        if run.judge.schema:
            replies = [call.reply for call in run.calls.values() if call.reply]
            outputs |= {reply["output"] for reply in replies}
    served = dict[str, str]()
    for name, values in (("served", models), ("output", outputs)):
        if values:
            served[name] = "+".join(sorted(values)).replace("|", "%7C")
    return served


def raise_failures(runs: Sequence[JudgeRun], result: Result) -> None:
    """Raise JudgeError if a run was stopped, or if rows failed and `on_error` is "raise"."""
    for run in runs:
        if run.stop:
            raise describe_failures(run, result)
    # Rows on which judges disagree have not failed.
    n_undecided = result["failures"].get(NO_MAJORITY, 0)
    if result["n_failed"] > n_undecided and runs[0].judge.on_error == "raise":
        raise describe_failures(runs[0], result)


def describe_failures(run: JudgeRun, result: Result) -> JudgeError:
    """Return the error for a run that failed, with the result."""
    rows, failures = result["per_example"], result["failures"]
    reason = run.stop.get("reason") or next(iter(failures))
    cause = quote_rows(rows, failures)
    if run.stop:
        address = run.judge.hide_key(run.judge.address)
        message = run.stop.get("message")
        cause = f"{run.judge.task} was stopped ({reason}) by {address}: {message}"
    counts = ", ".join(f"{name} {count}" for name, count in failures.items())
    message = (
        f"{result['n_failed']} of {len(rows)} rows could not be scored ({counts}): {cause}. "
        "The scored rows are in this error's `result`. With on_error='skip', their mean is "
        "returned, with bounds. With a cache, run it again to resume. Replies that had no verdict "
        "are asked for again only if retry_unusable=True."
    )
    return JudgeError(message, reason, result)


def quote_rows(
    rows: Sequence[Entry],
    failures: Mapping[str, int],
) -> str:
    """Return the reasons and messages of the first failed rows."""
    quotes = list[str]()
    for number, row in enumerate(rows):
        if row["reason"] in failures and len(quotes) < MAX_QUOTED:
            quotes.append(f"row {number} {row['reason']}: {row['message']}")
    return "; ".join(quotes)


def make_judged_rows(run: JudgeRun, blank: Entry, join_replies: JoinReplies) -> JudgedRows:
    """Return a run with its entries of `per_example`.

    Args:
        run: the run.
        blank: the further keys of an entry, with the values that they have without a reply.
        join_replies: joins the replies to one prompt into one.
    """
    entries = []
    for row in run.rows:
        calls = []
        for replies in row:
            is_single = run.judge.samples == 1
            calls.append(replies[0] if is_single else join_replies(replies))
        entries.append(make_entry(calls, blank))
    return JudgedRows(run, entries)


def make_entry(calls: Sequence[Call], blank: Entry) -> Entry:
    """Return the entry of a row from the calls for its references; the best score counts."""
    outcomes = [call.outcome or UNANSWERED for call in calls]
    best = find_best(outcomes)
    entry = {
        "score": None,
        "reason": None,
        "message": None,
        "note": None,
        "note_data": [],
        "reference": best,
        "cached": all(call.cached for call in calls),
        "requests": sum(call.requests for call in calls),
        "model": calls[best].reply.get("model"),
        "usage": add_known_tokens(call.reply.get("usage") for call in calls),
        **blank,
    }
    for name, value in outcomes[best].items():
        if name in entry:
            entry[name] = value
    return entry


def find_best(outcomes: Sequence[Outcome]) -> int:
    """Return the place of the best score, or of the first failure if it might be better."""
    scores = []
    for outcome in outcomes:
        score = outcome["score"]
        scores.append(-1.0 if score is None else float(score))
    best = max(scores)
    # If a score is missing, only the highest possible score is sure to be the best.
    if -1.0 in scores and best < 1.0:
        return scores.index(-1.0)
    return scores.index(best)


def name_judges(judged: Sequence[JudgedRows]) -> list[str]:
    """Return the name of each judge: its model, with its place if two have the same model."""
    models = [judged_rows.run.judge.model_name for judged_rows in judged]
    names = []
    for place, model in enumerate(models, 1):
        is_alone = models.count(model) == 1
        names.append(model if is_alone else f"{model} ({place})")
    return names
