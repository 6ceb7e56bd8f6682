"""Scoring a table with any of the metrics, chunk by chunk: no user interface, and nothing of a row is kept but numbers.

A Scorer gives the scores of some rows by one metric; a Tally collects them and says at the end what they come to. The
command (score.py) and the demo's tab (filejobs.py) put them together, each in its own way.
"""

from __future__ import annotations

import contextlib
import gc
import hashlib
import math
import re
import sys
import time
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import intervals
import judging
import scoring
from columns import BadTable, Item, Roles
from registry import METRICS, Metric, Submission
from texts import say

if TYPE_CHECKING:
    from blocks import Marks, Outcome

MAX_GROUPS = 200
# The rows of a first chunk; the next has four times as many while one takes less than SHORT seconds, half as many above
# LONG, at most MOST.
FIRST, MOST, SHORT, LONG = 16, 512, 0.25, 1.5
# A judge waits for other computers: chunks of several times as many questions as it asks at once.
JUDGE_ROWS = 128
# Texts of a chunk, in characters; a single row may have more.
MAX_CHARACTERS = 400_000
# Their reasons hold lists of tokens, which a run of many rows does without.
TOKENS = frozenset({"lv_eval_f1", "bleu", "rouge", "lv_eval_rouge", "bertscore"})
LISTLIKE = re.compile(r"""\[\s*(['"]).*\1\s*\]""", re.DOTALL)
COUNT = re.compile(r"\b[0-9]+\b")
BY_NAME = {metric.name: metric for metric in METRICS}


@dataclass(frozen=True)
class Series:
    """One column of scores. `share`: each is 0 or 1, and the mean is a pass rate. `primary`: the one of its metric that
    plots, correlations and disagreement use.
    """

    key: str
    metric: str
    low: float = 0.0
    share: bool = False
    primary: bool = True

    @property
    def title(self) -> str:
        """Its name for a reader."""
        return say(f"f_series_{self.key}")


SERIES = (
    Series("lv_eval_f1", "lv_eval_f1"),
    Series("bleu", "bleu"),
    Series("rouge1", "rouge", primary=False),
    Series("rouge2", "rouge", primary=False),
    Series("rougeL", "rouge"),
    Series("rougeLsum", "rouge", primary=False),
    Series("lv_eval_rouge", "lv_eval_rouge"),
    Series("cosine_similarity", "cosine_similarity", low=-1.0),
    Series("bertscore_precision", "bertscore", primary=False),
    Series("bertscore_recall", "bertscore", primary=False),
    Series("bertscore_f1", "bertscore"),
    Series("L3Score", "l3score"),
    Series("eve_judge", "eve_judge", share=True),
)


def series_of(metrics: Iterable[str]) -> list[Series]:
    """The series of some metrics, in the order of SERIES."""
    wanted = set(metrics)
    return [series for series in SERIES if series.metric in wanted]


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
            if judging.about_question(error) and getattr(error, "result", None):
                self.stopped = judging.without_key(str(error).strip().partition("\n")[0], self.key)
                return self.taken(error.result)  # type: ignore[attr-defined]
            self.stopped = self.failure(error)
            return [self.unscored("not_scored")] * len(items)

    def unscored(self, reason: str) -> Scored:
        """A row without a score."""
        return Scored((None,) * len(self.series), reason)

    def prepare(self) -> None:
        """Load the module, once."""
        if self.module is None:
            self.module = scoring.fresh_module(self.name)
            if self.metric.model is not None:
                scoring.import_packages(self.metric.model)

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
            return judging.without_key(str(error).strip().partition("\n")[0], self.key)
        except Exception:  # said where it is scored
            return ""
        return ""

    def failure(self, error: Exception) -> str:
        """Why the module could not be loaded, or gives no scores."""
        if self.metric.judge and not isinstance(error, ImportError | scoring.Unavailable):
            if not judging.expected(error):
                scoring.note(self.metric, error)
            return judging.without_key(str(error).strip().partition("\n")[0][: scoring.MAX_MESSAGE], self.key)
        if isinstance(error, TypeError) and self.settings:
            return say("refused", message=scoring.shortened(self.metric, error))
        explained = scoring.load_failure if self.module is None else scoring.compute_failure
        return explained(self.metric, error).message

    def computed(self, items: Sequence[Item]) -> list[Scored]:
        """What the module computes of some rows."""
        with quiet_heap():
            return self.taken(self.result(items, "brief" if self.name in TOKENS else True, may_fetch=True))

    def result(self, items: Sequence[Item], per_example: bool | str, may_fetch: bool) -> Mapping[str, Any]:
        """The module's own result for some rows; its model is taken from the Hub only where it `may_fetch` it."""
        code = sys.modules[type(self.module).__module__]
        with scoring.asking_hub(code, may_fetch):
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
            self.signatures.append(judging.without_key(str(result["signature"]), self.key))
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
        entry = judging.without_key(entry, self.key)
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


def mark_of(item: Item) -> int:
    """A number that is the same for rows with the same question and reference, and no others."""
    several = [item.reference] if isinstance(item.reference, str) else item.reference
    asked = "\0".join([item.question, *several]).encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(asked, digest_size=8).digest(), "little")


class Refused(BadTable):
    """Two tables that are not about the same rows."""


@dataclass
class Roll:
    """Who is who in a table: the groups of its rows and, for a comparison, their ids and a mark of what was asked."""

    compared: bool = True
    rows: int = 0
    ids: list[str] = field(default_factory=list)
    asked: array[int] = field(default_factory=lambda: array("Q"))
    groups: dict[str, int] = field(default_factory=dict)
    group_of: array[int] = field(default_factory=lambda: array("I"))
    column: str = ""
    lacking: dict[str, list[int]] = field(default_factory=dict)
    # Rows whose reference is a text that looks like a list written as one, as tables in CSV have it.
    listlike: int = 0

    def add(self, item: Item) -> None:
        """Note a row; BadTable where there are too many groups."""
        if item.lacks:
            self.lacking.setdefault(item.lacks, []).append(len(self) + 1)
        self.rows += 1
        self.listlike += isinstance(item.reference, str) and bool(LISTLIKE.fullmatch(item.reference))
        if self.compared:
            self.ids.append(item.id)
            self.asked.append(mark_of(item))
        self.group_of.append(self.groups.setdefault(item.group, len(self.groups)))
        if len(self.groups) > MAX_GROUPS:
            raise BadTable(say("f_many_groups", column=self.column, limit=MAX_GROUPS))

    def __len__(self) -> int:
        return self.rows

    def checked(self, roles: Roles) -> None:
        """BadTable where no row has both an answer and a reference: then a column is not what it was taken for."""
        if sum(map(len, self.lacking.values())) == len(self):
            raise BadTable(say("f_all_lack", prediction=roles.prediction, reference=roles.reference))

    def told(self) -> list[str]:
        """In words, which rows will not be scored, and doubts."""
        told = [
            say(f"f_{code}", count=len(rows), rows=", ".join(f"{row:,}" for row in rows[:5]) + ", …" * (len(rows) > 5))
            for code, rows in self.lacking.items()
        ]
        return told + self.doubts()

    def doubts(self) -> list[str]:
        """In words, what is scored, but perhaps not as it is meant."""
        return [say("f_listlike", count=self.listlike)] if self.listlike else []


def paired_rows(first: Roll, second: Roll, by_id: bool) -> list[int]:
    """For each row of the first table the position of the same row in the second; Refused where they do not match."""
    if len(first) != len(second):
        raise Refused(say("f_pair_lengths", first=len(first), second=len(second)))
    order = matched_ids(first.ids, second.ids) if by_id else list(range(len(first)))
    for row, position in enumerate(order):
        if first.asked[row] != second.asked[position]:
            key = "f_pair_differs_id" if by_id else "f_pair_differs"
            raise Refused(say(key, row=row + 1, other=position + 1, id=first.ids[row][:60]))
    return order


def matched_ids(first: Sequence[str], second: Sequence[str]) -> list[int]:
    """For each id of the first table its position in the second."""
    for ids, which in ((first, "f_pair_first"), (second, "f_pair_second")):
        twice = next((one for one, count in Counter(ids).items() if count > 1), None)
        if twice is not None:
            raise Refused(say("f_pair_twice", id=twice[:60], which=say(which)))
    positions = {one: position for position, one in enumerate(second)}
    lacking = [one for one in first if one not in positions]
    if lacking:
        ids = ", ".join(f"“{one[:60]}”" for one in lacking[:5])
        raise Refused(say("f_pair_lacking", count=len(lacking), ids=ids))
    return [positions[one] for one in first]


@dataclass(frozen=True)
class Figure:
    """What a summary says of one series; a mean of None where no row is scored."""

    series: Series
    mean: float | None
    interval: tuple[float, float] | None
    scored: int
    unscored: Mapping[str, int]


@dataclass(frozen=True)
class Summary:
    """What the scores of a table come to. `groups` is empty where no group column was chosen; `stopped` says, in words,
    which metric could not be computed to the end.
    """

    source: str
    rows: int
    figures: Sequence[Figure]
    groups: Mapping[str, Sequence[Figure]]
    group_column: str
    corpus_bleu: float | None
    costs: Mapping[str, float | None]
    signatures: Mapping[str, str]
    stopped: Mapping[str, str]
    notes: Sequence[str]


@dataclass(frozen=True)
class Difference:
    """Two systems on the same rows, by one series; a tie is a difference of at most 1e-12."""

    series: Series
    rows: int
    first: float | None
    second: float | None
    difference: float | None
    interval: tuple[float, float] | None
    p_value: float | None
    wins: int
    ties: int
    losses: int


def bleu_counts(entry: Mapping[str, Any]) -> tuple[int, ...]:
    """The counts of a row that make up the corpus BLEU of many."""
    return (entry["prediction_length"], entry["reference_length"], *entry["matches"], *entry["totals"])


class Noted:
    """What chunks or blocks say once or again, each thing in its place, in whatever order the blocks come."""

    def __init__(self) -> None:
        self.first: dict[str, tuple[int, int]] = {}

    def note(self, number: int, told: Iterable[str]) -> list[str]:
        """Note what a block says; the whole in the order in which it is said first."""
        for place, one in enumerate(told):
            self.first[one] = min((number, place), self.first.get(one, (number, place)))
        return sorted(self.first, key=lambda one: self.first[one])


def score_or_none(value: float) -> float | None:
    """A score of a column; None for none."""
    return None if math.isnan(value) else value


class Tally:
    """The scores of a table, as they come in: eight bytes a score, NaN where there is none."""

    def __init__(self, scorers: Sequence[Scorer]) -> None:
        self.scorers = list(scorers)
        self.series = series_of(scorer.name for scorer in scorers)
        self.columns: dict[str, array[float]] = {series.key: array("d") for series in self.series}
        self.reasons: dict[str, dict[int, str]] = {scorer.name: {} for scorer in scorers}
        self.bleu = [0] * 10
        self.code: Any = None
        self.signatures = {scorer.name: Noted() for scorer in scorers}
        self.remarks = {scorer.name: Noted() for scorer in scorers}
        # The first block in which each metric was stopped.
        self.stops: dict[str, int] = {}

    def add(self, scorer: Scorer, rows: Iterable[Scored]) -> None:
        """Note the next rows of one metric."""
        columns = [self.columns[series.key] for series in scorer.series]
        for row in rows:
            for column, value in zip(columns, row.values, strict=True):
                column.append(math.nan if value is None else value)
            if row.values[0] is None:
                self.reasons[scorer.name][len(columns[0]) - 1] = row.reason or "other"
            elif scorer.name == "bleu":
                self.count(row.entry)
        if scorer.name == "bleu":
            self.code = sys.modules[type(scorer.module).__module__] if scorer.module is not None else None

    def count(self, entry: Mapping[str, Any]) -> None:
        """Add a row's counts to those of the corpus."""
        self.bleu = [a + b for a, b in zip(self.bleu, bleu_counts(entry), strict=True)]

    def take(self, outcome: Outcome) -> None:
        """Note what one block came to, once each; blocks may come in any order.

        The scorers are told what concerns a whole run: signatures, costs, remarks, and a stop, which is that of the
        first block that has one.
        """
        for scorer in self.scorers:
            marks = outcome.marks[scorer.name]
            for series, values in zip(scorer.series, marks.values, strict=True):
                self.place(self.columns[series.key], outcome.first, values)
            missing = (at for at, value in enumerate(marks.values[0]) if value is None)
            self.reasons[scorer.name] |= {outcome.first + at: marks.reasons.get(at, "other") for at in missing}
            if marks.bleu:
                self.bleu = [a + b for a, b in zip(self.bleu, marks.bleu, strict=True)]
            self.told(scorer, outcome.number, marks)

    def place(self, column: array[float], first: int, values: Sequence[float | None]) -> None:
        """Put scores where they belong, whatever of those before is still to come."""
        if len(column) < first + len(values):
            column.extend([math.nan] * (first + len(values) - len(column)))
        column[first : first + len(values)] = array("d", [math.nan if value is None else value for value in values])

    def told(self, scorer: Scorer, number: int, marks: Marks) -> None:
        """Tell a scorer what a block says of the run."""
        scorer.signatures = self.signatures[scorer.name].note(number, marks.signatures)
        remarks = self.remarks[scorer.name].note(number, marks.remarks)
        scorer.remarks = {one: scorer.remarks.get(one, 0) + marks.remarks.get(one, 0) for one in remarks}
        if scorer.metric.judge:
            scorer.cost = None if scorer.cost is None or marks.cost is None else scorer.cost + marks.cost
        if marks.stopped and number <= self.stops.get(scorer.name, number):
            self.stops[scorer.name], scorer.stopped = number, marks.stopped

    def scores(self, key: str) -> list[float | None]:
        """A column of scores, None where there is none."""
        return [score_or_none(value) for value in self.columns[key]]

    def row(self, row: int) -> dict[str, float | None]:
        """The scores of one row by series."""
        return {key: score_or_none(column[row]) for key, column in self.columns.items()}

    def primary(self) -> dict[str, array[float]]:
        """The columns of the primary series."""
        return {series.key: self.columns[series.key] for series in self.series if series.primary}

    def correlations(self) -> dict[tuple[str, str], tuple[float | None, int]]:
        """How alike the primary series rank the rows; empty where there is but one."""
        primary = self.primary()
        return intervals.correlations(primary) if len(primary) > 1 else {}

    def corpus_bleu(self) -> float | None:
        """BLEU of all scored rows together, as the module's own; None where the metric could not be computed."""
        scorer = next((scorer for scorer in self.scorers if scorer.name == "bleu"), None)
        if scorer is None or scorer.stopped or not any(self.bleu):
            return None
        if self.code is None:  # the rows were scored elsewhere
            scorer.prepare()
            self.code = sys.modules[type(scorer.module).__module__]
        return float(self.code.bleu_of(self.bleu, effective_order=False)["bleu"])

    def figures(self, rows: Sequence[int] | None = None) -> list[Figure]:
        """What each series says, of all rows or of those at the given positions, with 95% intervals: of a mean the
        seeded percentile bootstrap, of a pass rate Wilson's.
        """
        columns = [self.columns[series.key] for series in self.series]
        if rows is not None:
            columns = [array("d", (column[row] for row in rows)) for column in columns]
        drawn = intervals.mean_intervals(columns) if columns and columns[0] else [None] * len(columns)
        found = []
        for series, column, interval in zip(self.series, columns, drawn, strict=True):
            scored = [value for value in column if not math.isnan(value)]
            if series.share and scored:
                interval = intervals.wilson(round(math.fsum(scored)), len(scored))
            missing = self.reasons[series.metric]
            lacking = sorted(missing) if rows is None else [row for row in rows if row in missing]
            reasons = Counter(missing[row] for row in lacking)
            mean = math.fsum(scored) / len(scored) if scored else None
            found.append(Figure(series, mean, interval, len(scored), dict(reasons.most_common())))
        return found

    def summary(self, source: str, roll: Roll) -> Summary:
        """What all the scores come to."""
        groups: dict[str, list[Figure]] = {}
        if roll.column:
            rows_of: list[list[int]] = [[] for _ in roll.groups]
            for row, group in enumerate(roll.group_of):
                rows_of[group].append(row)
            groups = {name: self.figures(rows_of[number]) for name, number in roll.groups.items()}
        return Summary(
            source=source,
            rows=len(roll),
            figures=self.figures(),
            groups=groups,
            group_column=roll.column,
            corpus_bleu=self.corpus_bleu(),
            costs={scorer.name: scorer.cost for scorer in self.scorers if scorer.metric.judge},
            signatures={scorer.name: scorer.signature for scorer in self.scorers if scorer.signatures},
            stopped={scorer.name: scorer.stopped for scorer in self.scorers if scorer.stopped},
            notes=[*roll.doubts(), *(note for scorer in self.scorers for note in scorer.notes)],
        )


def differences(first: Tally, second: Tally, order: Sequence[int]) -> list[Difference]:
    """How two systems compare, series by series, over the rows that are scored for both."""
    found = []
    for series in first.series:
        if series.key not in second.columns:
            continue
        mine, theirs = first.columns[series.key], second.columns[series.key]
        pairs = [(a, theirs[position]) for a, position in zip(mine, order, strict=True)]
        kept = [(a, b) for a, b in pairs if not math.isnan(a) and not math.isnan(b)]
        found.append(difference_of(series, [a for a, _ in kept], [b for _, b in kept]))
    return found


def difference_of(series: Series, mine: Sequence[float], theirs: Sequence[float]) -> Difference:
    """How two systems compare by one series."""
    if not mine:
        return Difference(series, 0, None, None, None, None, None, 0, 0, 0)
    found, interval, p_value = intervals.paired(mine, theirs)
    first, second = (math.fsum(side) / len(side) for side in (mine, theirs))
    wins, ties, losses = intervals.wins_ties_losses(mine, theirs)
    return Difference(series, len(mine), first, second, found, interval, p_value, wins, ties, losses)
