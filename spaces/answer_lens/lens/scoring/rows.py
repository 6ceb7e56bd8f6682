"""Scoring a table with any of the metrics, chunk by chunk: no user interface, and nothing of a row is kept but numbers.

A Scorer gives the scores of some rows by one metric; a Tally collects them and says at the end what they come to. The
command (score.py) and the demo's tab (page/files_jobs.py) put them together, each in its own way.
"""

from __future__ import annotations

import contextlib
import gc
import re
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from lens.scoring import judge, pasted_answer
from lens.scoring.catalog import BY_NAME, Metric, Submission, series_of
from lens.tables.roles import Item
from lens.words import say

if TYPE_CHECKING:
    pass

# The rows of a first chunk; the next has four times as many while one takes less than SHORT seconds, half as many above
# LONG, at most MOST.
FIRST, MOST, SHORT, LONG = 16, 512, 0.25, 1.5
# A judge waits for other computers: chunks of several times as many questions as it asks at once.
JUDGE_ROWS = 128
# Texts of a chunk, in characters; a single row may have more.
MAX_CHARACTERS = 400_000
# Their reasons hold lists of tokens, which a run of many rows does without.
TOKENS = frozenset({"lv_eval_f1", "bleu", "rouge", "lv_eval_rouge", "bertscore"})
COUNT = re.compile(r"\b[0-9]+\b")


class Scored(NamedTuple):
    """What one metric says of one row: a value for each of its series, or why there is none; of a judge what it said.

    `entry` is the row's entry of `per_example`, as the module gives it.
    """

    values: tuple[float | None, ...]
    reason: str = ""
    message: str = ""
    reasoning: str = ""
    entry: Mapping[str, Any] = {}


def values_of(metric: str, entry: Mapping[str, Any]) -> tuple[float | None, ...]:
    """The values of a metric's series from one entry of `per_example`."""
    if metric == "rouge":
        return tuple(entry[series.key]["fmeasure"] for series in series_of([metric]))
    if metric == "bertscore":
        return tuple(entry[series.key.removeprefix("bertscore_")] for series in series_of([metric]))
    return (None if entry["score"] is None else float(entry["score"]),)


class Scorer:
    """One metric with its settings, for one thread at a time. `stopped` says why it gives no more scores."""

    def __init__(self, name: str, settings: Mapping[str, Any] | None = None, key: str = "") -> None:
        self.metric: Metric = BY_NAME[name]
        self.name = name
        self.settings = dict(settings or {})
        self.key = key
        self.series = series_of([name])
        self.stopped = ""
        self.signatures: list[str] = []
        self.cost: float | None = 0.0 if self.metric.judge else None
        # What a judge remarks of each chunk, without its count, and the counts of all chunks together.
        self.remarks: dict[str, int] = {}
        self.module: Any = None

    def again(self) -> Scorer:
        """Another of the same settings and module, which has noted nothing yet; where this is stopped, that is too."""
        other = Scorer(self.name, self.settings, self.key)
        other.module, other.stopped = self.module, self.stopped
        return other

    def score(self, items: Sequence[Item]) -> list[Scored]:
        """The scores of some rows, of those that have an answer and a reference."""
        scored = iter(self.scores([item for item in items if not item.lacks]))
        return [self.unscored(item.lacks) if item.lacks else next(scored) for item in items]

    def scores(self, items: Sequence[Item]) -> list[Scored]:
        """The scores of some rows. A failure is no score of 0: the rows say why, and the metric says no more."""
        if not items:
            return []
        if self.stopped:
            return [self.unscored("not_scored")] * len(items)
        try:
            self.prepare()
            return self.computed(items)
        except Exception as error:  # whatever a module does: the other metrics go on
            if judge.about_question(error) and getattr(error, "result", None):
                self.stopped = judge.without_key(str(error).strip().partition("\n")[0], self.key)
                return self.taken(error.result)  # type: ignore[attr-defined]
            self.stopped = self.failure(error)
            return [self.unscored("not_scored")] * len(items)

    def unscored(self, reason: str) -> Scored:
        """A row without a score."""
        return Scored((None,) * len(self.series), reason)

    def prepare(self) -> None:
        """Load the module, once."""
        if self.module is None:
            self.module = pasted_answer.fresh_module(self.name)
            if self.metric.model is not None:
                pasted_answer.import_packages(self.metric.model)

    def refused_setting(self) -> str:
        """What the module says of a setting that it does not take; empty where it takes all, or cannot be loaded.

        Nothing is sent and no model is loaded: of a metric with a model only the names are checked.
        """
        try:
            self.prepare()
            if self.metric.model is None and self.settings:
                trial = {"dry_run": True} if self.metric.judge else {}
                for rows in (1, 2):  # a list with something for each row fits no chunk
                    self.module.compute(**self.columns([Item("a", "a", "a")] * rows), **self.settings, **trial)
            else:
                self.module._checked_settings(self.settings)
        except (TypeError, ValueError) as error:
            return judge.without_key(str(error).strip().partition("\n")[0], self.key)
        except Exception:  # said where it is scored
            return ""
        return ""

    def failure(self, error: Exception) -> str:
        """Why the module could not be loaded, or gives no scores."""
        if self.metric.judge and not isinstance(error, ImportError | pasted_answer.Unavailable):
            if not judge.expected(error):
                pasted_answer.note(self.metric, error)
            return judge.without_key(str(error).strip().partition("\n")[0][: pasted_answer.MAX_MESSAGE], self.key)
        if isinstance(error, TypeError) and self.settings:
            return say("refused", message=pasted_answer.shortened(self.metric, error))
        explained = pasted_answer.load_failure if self.module is None else pasted_answer.compute_failure
        return explained(self.metric, error).message

    def computed(self, items: Sequence[Item]) -> list[Scored]:
        """What the module computes of some rows."""
        with quiet_heap():
            return self.taken(self.result(items, "brief" if self.name in TOKENS else True, may_fetch=True))

    def result(self, items: Sequence[Item], per_example: bool | str, may_fetch: bool) -> Mapping[str, Any]:
        """The module's own result for some rows; its model is taken from the Hub only where it `may_fetch` it."""
        code = sys.modules[type(self.module).__module__]
        with pasted_answer.asking_hub(code, may_fetch):
            found: Mapping[str, Any] = self.module.compute(
                **self.columns(items), **self.arguments(code), per_example=per_example
            )
        return found

    def arguments(self, code: Any) -> dict[str, Any]:
        """The settings, after those that the page has by default."""
        return self.metric.arguments(Submission(), code) | self.settings

    def columns(self, items: Sequence[Item]) -> dict[str, list[Any]]:
        """The columns that the module takes."""
        several = any(isinstance(item.reference, list) for item in items)
        columns: dict[str, list[Any]] = {
            "predictions": [item.prediction for item in items],
            "references": [
                [item.reference] if several and isinstance(item.reference, str) else item.reference for item in items
            ],
        }
        if self.metric.judge:
            columns["questions"] = [item.question for item in items]
        if self.name == "lv_eval_f1" and any(item.keywords for item in items):
            columns["answer_keywords"] = [item.keywords for item in items]
        return columns

    def taken(self, result: Mapping[str, Any]) -> list[Scored]:
        """The rows of a result, whose cost and signature are noted."""
        if result.get("signature") and result["signature"] not in self.signatures:
            self.signatures.append(judge.without_key(str(result["signature"]), self.key))
        if self.metric.judge:
            cost = result["Cost"]
            self.cost = None if cost is None or self.cost is None else self.cost + cost
            for note in map(str, result["notes"]):
                count = COUNT.search(note)
                remark = COUNT.sub("{}", note, count=1)
                self.remarks[remark] = self.remarks.get(remark, 0) + (int(count[0]) if count else 0)
        return [self.scored(entry) for entry in result["per_example"]]

    def scored(self, entry: Mapping[str, Any]) -> Scored:
        """One row of a result."""
        values = values_of(self.name, entry)
        if not self.metric.judge:
            return Scored(values, entry=entry)
        entry = judge.without_key(entry, self.key)
        reasoning = str(entry.get("reasoning") or "")
        return Scored(values, str(entry["reason"] or ""), str(entry["message"] or ""), reasoning, entry)

    @property
    def notes(self) -> list[str]:
        """What a judge remarks of the run, counts added up over its chunks."""
        told = [remark.replace("{}", f"{count:,}", 1) if count else remark for remark, count in self.remarks.items()]
        return [f"{self.name}: {note}" for note in told]

    @property
    def signature(self) -> str:
        """The signature of all rows together."""
        return merged(self.signatures)


@contextlib.contextmanager
def quiet_heap() -> Iterator[None]:
    """Spare the collector of garbage the many small lists of a chunk, among which it finds nothing."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def merged(signatures: Sequence[str]) -> str:
    """One signature of a whole run from those of its chunks, of which some, say, had no Chinese.

    >>> merged(["bleu|version:1|tokenizer:13a|zh:none", "bleu|version:1|tokenizer:13a+zh|zh:jieba"])
    'bleu|version:1|tokenizer:13a+zh|zh:jieba'
    """
    found: dict[str, set[str]] = {}
    for signature in signatures:
        for part in signature.split("|"):
            name, colon, value = part.partition(":")
            found.setdefault(name + colon, set()).update(value.split("+") if len(signatures) > 1 else [value])
    return "|".join(name + "+".join(sorted(values - {"none"} or values)) for name, values in found.items())


class Pace:
    """How many rows the next chunk has: few at first, so that something is soon to be seen."""

    def __init__(self, metric: Metric) -> None:
        self.judge = metric.judge
        self.rows = JUDGE_ROWS if metric.judge else FIRST

    def took(self, seconds: float) -> None:
        """Note how long a full chunk took."""
        if self.judge:
            return
        if seconds < SHORT:
            self.rows = min(4 * self.rows, MOST)
        elif seconds > LONG:
            self.rows = max(self.rows // 2, 1)

    def end(self, items: Sequence[Item], start: int) -> int:
        """Where the chunk that begins at `start` ends."""
        size, end = 0, start
        while end < len(items) and end - start < self.rows:
            item = items[end]
            size += len(item.prediction) + sum(map(len, item.reference))
            if size > MAX_CHARACTERS and end > start:
                break
            end += 1
        return end


def timed(scorer: Scorer, items: Sequence[Item]) -> tuple[list[Scored], float]:
    """Some scores, and the seconds that they took."""
    begun = time.monotonic()
    return scorer.score(items), time.monotonic() - begun


def steps(
    scorer: Scorer, pace: Pace, items: Sequence[Item], compute: Callable[..., tuple[list[Scored], float]] = timed
) -> Iterator[tuple[int, list[Scored]]]:
    """The scores of some rows, chunk by chunk, each with the position of its first row. `compute` does a chunk, in
    whatever thread it likes.
    """
    start = 0
    while start < len(items):
        end = pace.end(items, start)
        scored, seconds = compute(scorer, items[start:end])
        pace.took(seconds)
        yield start, scored
        start = end
