"""Score some rows with one metric: values, reasons, signature, cost.

The scorer itself keeps counts and notes, and no rows.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice
from statistics import fmean
from typing import Any

from lens.experiment.answers import Answer
from lens.scoring import judge, modules
from lens.scoring.catalog import BY_NAME, MULTI_REFERENCE, Metric, list_series
from lens.scoring.failures import describe_failure, note_failure, read_first_line, shorten_error
from lens.scoring.judge_failures import is_about_question, is_expected
from lens.scoring.metric_notes import MetricNotes, list_remarks
from lens.scoring.metric_result import MetricResult
from lens.scoring.row_scores import Scored, average_references, count_warnings
from lens.words import say

# The reason of a row on which a module failed that scores other rows.
ROW_FAILED = "row_failed"
# What every metric can score: tried where a module failed, or is asked about its settings.
PLAIN_ANSWER = Answer("a", ("a",), "a")


class Scorer:
    """One metric with its settings, for one thread at a time.

    `stopped` says why it gives no more scores.

    `keeps_entries`: a judge's entries of `per_example` are kept with its scores, for a page that
    shows them later.
    """

    def __init__(
        self,
        name: str,
        settings: Mapping[str, Any] | None = None,
        key: str = "",
        keeps_entries: bool = False,
    ) -> None:
        self.metric: Metric = BY_NAME[name]
        self.name = name
        self.settings = dict(settings or {})
        self.key = key
        self.keeps_entries = keeps_entries
        self.series = list_series([name])
        self.stopped = ""
        self.notes = MetricNotes()
        self.module: Any = None

    def score(self, items: Sequence[Answer]) -> list[Scored]:
        """Return the scores of some rows, of those that have an answer and a reference.

        A row that needs all its references is scored once against each; its score is the mean over
        them.
        """
        parts = [self.split_references(item) for item in items]
        all_parts = list(chain.from_iterable(parts))
        scored = iter(self.score_rows(all_parts))
        rows = []
        for item, own in zip(items, parts, strict=True):
            own_scored = list(islice(scored, len(own)))
            if item.skip_reason:
                rows.append(self.make_unscored(item.skip_reason))
            elif item.decided is not None:
                rows.append(self.take_decided(item.decided))
            elif item.needs_all:
                rows.append(average_references(own_scored))
            else:
                rows += own_scored
        return rows

    def split_references(self, item: Answer) -> list[Answer]:
        """Return no row, the row itself, or one row for each reference."""
        if item.skip_reason or item.decided is not None:
            return []
        if not item.needs_all:
            return [item]
        whole = replace(item, needs_all=False)
        parts = []
        for number, reference in enumerate(item.references):
            part = replace(whole, references=(reference,), part=number)
            parts.append(part)
        return parts

    def take_decided(self, score: float) -> Scored:
        """Return the score of a row whose reference says that there is no answer.

        No metric is asked.
        """
        entry = {"score": score, "note": None}
        return Scored((score,) * len(self.series), entry=entry)

    def score_rows(self, items: Sequence[Answer]) -> list[Scored]:
        """Return the scores of some rows.

        A failure is never a score of 0. If one row fails, that row says why. If the metric fails,
        `stopped` says why, and it scores no further rows.
        """
        unscored = [self.make_unscored("not_scored")] * len(items)
        if not items or self.stopped:
            return unscored
        try:
            self.prepare()
            self.count_several(items)
            result = self.compute(items, self.detail, may_fetch=True)
            return self.take_result(result, items)
        except Exception as error:  # whatever a module does: the other metrics go on
            result_so_far = getattr(error, "result", None)
            if is_about_question(error) and result_so_far:
                self.stopped = judge.hide_key(read_first_line(error), self.key)
                return self.take_result(result_so_far, items)
            if not isinstance(error, ImportError | OSError) and self.can_score():
                return [self.score_alone(item) for item in items]
            self.stopped = self.describe_failure(error)
        return unscored

    def count_several(self, items: Sequence[Answer]) -> None:
        """Count the rows with several references."""
        for item in items:
            if len(item.references) > 1 and not item.sample:
                self.notes.several += 1

    @property
    def detail(self) -> bool | str:
        """The value of `per_example`: all of each row, or what leaves out its lists of tokens."""
        return "brief" if self.metric.counts_tokens else True

    @property
    def reads_first(self) -> bool:
        """True if only the first of several references is read.

        LV-Eval's scores do so unless they are told otherwise.
        """
        choice = self.settings.get(MULTI_REFERENCE, "first")
        return self.metric.chooses_reference and choice == "first"

    def can_score(self) -> bool:
        """Return whether a metric of words scores a plain row, so that another row is at fault."""
        if self.metric.judge or self.metric.model is not None or self.module is None:
            return False
        try:
            self.compute([PLAIN_ANSWER], True, may_fetch=False)
        except Exception:  # whatever it is, the metric says it of the rows that were given
            return False
        return True

    def score_alone(self, item: Answer) -> Scored:
        """Return the score of one row, or the error that the module raised on it."""
        try:
            result = self.compute([item], self.detail, may_fetch=False)
            return self.take_result(result, [item])[0]
        except Exception as error:  # whatever a row is to a module: the other rows go on
            note_failure(self.name, error)
            message = f"{type(error).__name__}: {read_first_line(error)}"
            return self.make_unscored(ROW_FAILED)._replace(message=message)

    def make_unscored(self, reason: str) -> Scored:
        """Return a row without a score."""
        return Scored((None,) * len(self.series), reason)

    def prepare(self) -> None:
        """Load the module, once."""
        if self.module is None:
            self.module = modules.make_module(self.name)
            if self.metric.model is not None:
                modules.import_packages(self.metric.model)

    def find_refused_setting(self) -> str:
        """Return what the module says of a setting that it refuses.

        It is empty if the module takes all settings, or cannot be loaded.

        Nothing is sent and no model is loaded: of a metric with a model only the names are checked.
        """
        try:
            self.prepare()
            if self.metric.model is not None or not self.settings:
                self.module._check_settings(self.settings)
                return ""
            arguments = self.make_columns([PLAIN_ANSWER] * 2) | self.settings
            if self.metric.judge:
                arguments["dry_run"] = True
            self.module.compute(**arguments)
        except (TypeError, ValueError) as error:
            return str(judge.hide_key(read_first_line(error), self.key))
        except Exception:  # said where it is scored
            return ""
        return ""

    def describe_failure(self, error: Exception) -> str:
        """Return why the module could not be loaded, or gives no scores."""
        if self.metric.judge and not isinstance(error, ImportError | modules.Unavailable):
            if not is_expected(error):
                note_failure(self.name, error)
            return str(judge.hide_key(read_first_line(error), self.key))
        if isinstance(error, TypeError) and self.settings:
            return say("failure.refused", message=shorten_error(self.metric, error))
        return describe_failure(self.metric, error).message

    def score_with_reasons(self, item: Answer, may_fetch: bool) -> MetricResult:
        """Return the score of one row with its reasons.

        These are of the first reference where all are needed.
        """
        if item.needs_all:
            parts = self.split_references(item)
            results = [self.score_with_reasons(part, may_fetch) for part in parts]
            scores = [result.score for result in results if result.score is not None]
            return replace(results[0], score=fmean(scores))
        computed = self.compute([item], True, may_fetch)
        entry = dict(computed["per_example"][0])
        score = float(entry["score"])
        return MetricResult("scored", score, entry, str(computed["signature"]))

    def compute(
        self, items: Sequence[Answer], per_example: bool | str, may_fetch: bool
    ) -> Mapping[str, Any]:
        """Return the module's own result for some rows.

        Args:
            items: the rows.
            per_example: how much it gives of each row.
            may_fetch: whether its model may be taken from the Hub.
        """
        code = modules.find_code(self.module)
        arguments = self.make_columns(items) | self.make_arguments(code)
        if self.metric.model is not None:
            code.ask_hub.set(may_fetch)
        return dict(self.module.compute(**arguments, per_example=per_example))

    def make_arguments(self, code: Any) -> dict[str, Any]:
        """Return the settings, after those that the page has by default.

        If `lang` is set, the module chooses its model for that language.
        """
        model = self.metric.model
        has_default = model is not None and model.name() == model.default
        if "lang" in self.settings and has_default:
            return self.settings
        return self.metric.arguments(code) | self.settings

    def make_columns(self, items: Sequence[Answer]) -> dict[str, list[Any]]:
        """Return the columns that the module takes."""
        columns: dict[str, list[Any]] = {}
        columns["predictions"] = [item.prediction for item in items]
        if any(len(item.references) > 1 for item in items):
            columns["references"] = [list(item.references) for item in items]
        else:
            columns["references"] = [item.references[0] for item in items]
        if self.metric.judge or self.metric.estimate:
            columns["questions"] = [item.question for item in items]
        if self.metric.takes_keywords and any(item.keywords for item in items):
            columns["answer_keywords"] = [item.keywords for item in items]
        return columns

    def take_result(self, result: Mapping[str, Any], items: Sequence[Answer]) -> list[Scored]:
        """Return the rows of a result for some items; what it says of all of them is noted."""
        entries = result["per_example"]
        notes = MetricNotes()
        notes.reads_first = self.reads_first
        notes.warnings = dict(count_warnings(items, entries))
        if result.get("signature"):
            signature = judge.hide_key(str(result["signature"]), self.key)
            notes.signatures.append(signature)
        if self.metric.judge:
            note_judge(notes, result)
        corpus = self.metric.corpus_score
        if corpus is not None:
            for item, entry in zip(items, entries, strict=True):
                notes.add_counts(item.system, corpus.counts(entry))
        self.notes.add(notes)
        return [self.read_entry(entry) for entry in entries]

    def read_entry(self, entry: Mapping[str, Any]) -> Scored:
        """Return one row of a result."""
        values = tuple(read_score(entry, series.path) for series in self.series)
        scored = Scored(values, entry=entry)
        if self.metric.estimate:
            scored = scored._replace(interpretation=entry["interpretation"])
            if entry["statements"]:
                statements = json.dumps(entry["statements"], ensure_ascii=False)
                scored = scored._replace(statements=statements)
        if self.metric.judge:
            scored = add_judge_texts(scored, judge.hide_key(entry, self.key))
        return scored


def add_judge_texts(scored: Scored, entry: Mapping[str, Any]) -> Scored:
    """Return the score of a row with what the judge said of it."""
    texts = {}
    for name in ("reason", "message", "reasoning"):
        texts[name] = str(entry.get(name) or "")
    if entry.get("addresses_judge") and not texts["message"]:
        # The note says so; a table has no column for it.
        texts["message"] = str(entry["note"])
    return Scored(scored.values, **texts, entry=entry)


def note_judge(notes: MetricNotes, result: Mapping[str, Any]) -> None:
    """Note what a judge cost, what it remarks, and on which rows its replies differ."""
    notes.cost = result["Cost"]
    for entry in result["per_example"]:
        verdicts = set(entry.get("verdicts") or ()) - {None}
        notes.repeated += bool(verdicts)
        notes.flipped += len(verdicts) > 1
    for remark in list_remarks(result):
        notes.add_remark(remark)


def read_score(entry: Mapping[str, Any], path: Sequence[str]) -> float | None:
    """Return the score at a path in an entry of `per_example`; None if there is none."""
    value: Any = entry
    for name in path:
        value = value[name]
    return None if value is None else float(value)
