"""Scores rows with one metric: values, reasons, signature and cost."""

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
from lens.scoring.judge_failures import is_expected, is_judge_error
from lens.scoring.metric_notes import MetricNotes, list_remarks
from lens.scoring.metric_result import MetricResult
from lens.scoring.row_scores import RowResult, average_references, count_warnings
from lens.words import say

# The reason of a row on which a module failed, although it can score other rows.
ROW_FAILED = "row_failed"
# An answer that every metric can score. It is used to test a module after an error, and to check
# settings.
PLAIN_ANSWER = Answer("a", ("a",), "a")


class Scorer:
    """One metric with its settings, for one thread at a time.

    `score` calls, in this order: `split_by_reference`, `score_rows` with `compute` and
    `take_result`, and `join_references`. `score_with_reasons` does the same for one row that is
    shown with its reasons. A scorer stores only counts and notes, and no rows.

    Attributes:
        stopped: why the metric scores no more rows; empty while it still scores.
        keeps_entries: whether a judge's entries of `per_example` are stored with its scores, for a
            page that shows them later.
        notes: the notes on all rows scored so far.
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

    def score(self, answers: Sequence[Answer]) -> list[RowResult]:
        """Return the scores of rows; a skipped row has only a reason.

        A row that needs all its references is scored once with each; its score is their mean.
        """
        parts_of_answers = [self.split_by_reference(answer) for answer in answers]
        all_parts = list(chain.from_iterable(parts_of_answers))
        part_results = iter(self.score_rows(all_parts))
        results = []
        for answer, parts in zip(answers, parts_of_answers, strict=True):
            answer_results = list(islice(part_results, len(parts)))
            results.append(self.join_references(answer, answer_results))
        return results

    def join_references(self, answer: Answer, results: Sequence[RowResult]) -> RowResult:
        """Return the result of a row, given the results of the parts of `split_by_reference`."""
        if answer.skip_reason:
            return self.make_unscored(answer.skip_reason)
        if answer.decided is not None:
            return self.make_decided(answer.decided)
        if answer.needs_all:
            return average_references(results)
        (result,) = results
        return result

    def split_by_reference(self, answer: Answer) -> list[Answer]:
        """Return the rows to score: the row itself, or one per reference.

        There is none for a skipped row or a decided one.
        """
        if answer.skip_reason or answer.decided is not None:
            return []
        if not answer.needs_all:
            return [answer]
        rows = []
        for number, reference in enumerate(answer.references):
            row = replace(answer, needs_all=False, references=(reference,), reference_number=number)
            rows.append(row)
        return rows

    def make_decided(self, score: float) -> RowResult:
        """Return the score of a row that is decided without a metric (`Answer.decided`)."""
        values = (score,) * len(self.series)
        entry = {"score": score, "note": None}
        return RowResult(values, entry=entry)

    def score_rows(self, answers: Sequence[Answer]) -> list[RowResult]:
        """Return the scores of rows.

        A failure is never a score of 0. If a single row fails, its result says why. If the metric
        fails, `stopped` says why, and the metric scores no more rows.
        """
        unscored = [self.make_unscored("not_scored")] * len(answers)
        if not answers or self.stopped:
            return unscored
        try:
            self.prepare()
            self.count_rows_with_several_references(answers)
            result = self.compute(answers, self.detail, may_fetch=True)
            return self.take_result(result, answers)
        except Exception as error:  # a module may raise any error; the other metrics go on
            result_so_far = getattr(error, "result", None)
            if is_judge_error(error) and result_so_far:
                self.stopped = judge.hide_key(read_first_line(error), self.key)
                return self.take_result(result_so_far, answers)
            if not isinstance(error, ImportError | OSError) and self.is_row_at_fault():
                return [self.score_single_row(answer) for answer in answers]
            self.stopped = self.describe_failure(error)
        return unscored

    def count_rows_with_several_references(self, answers: Sequence[Answer]) -> None:
        """Count the rows with several references.

        The attribute `sample` of an answer is its number among the answers of its row, from 0. So
        a row with several answers counts once.
        """
        for answer in answers:
            if len(answer.references) > 1 and not answer.sample:
                self.notes.rows_with_several_references += 1

    @property
    def detail(self) -> bool | str:
        """The value of `per_example`: "brief" leaves out lists of tokens."""
        return "brief" if self.metric.counts_tokens else True

    @property
    def reads_first_reference(self) -> bool:
        """True if only the first of several references is read.

        This is the default of LV-Eval's scores.
        """
        choice = self.settings.get(MULTI_REFERENCE, "first")
        return self.metric.chooses_reference and choice == "first"

    def is_row_at_fault(self) -> bool:
        """Return whether an error came from the rows: the metric can still score a plain one.

        This is found out only for metrics without a model and without a judge; for others the
        result is False.
        """
        if self.metric.judge or self.metric.model is not None or self.module is None:
            return False
        try:
            self.compute([PLAIN_ANSWER], True, may_fetch=False)
        except Exception:  # the metric reports the error for the rows that it was given
            return False
        return True

    def score_single_row(self, answer: Answer) -> RowResult:
        """Return the score of one row, or a row without a score with the message of the error."""
        try:
            module_result = self.compute([answer], self.detail, may_fetch=False)
            (result,) = self.take_result(module_result, [answer])
            return result
        except Exception as error:  # a module may raise any error; the other rows are still scored
            note_failure(self.name, error)
            message = f"{type(error).__name__}: {read_first_line(error)}"
            return self.make_unscored(ROW_FAILED)._replace(message=message)

    def make_unscored(self, reason: str) -> RowResult:
        """Return the result of a row without a score."""
        no_values = (None,) * len(self.series)
        return RowResult(no_values, reason)

    def prepare(self) -> None:
        """Load the module, unless it is loaded already."""
        if self.module is None:
            self.module = modules.make_module(self.name)
            if self.metric.model is not None:
                modules.import_packages(self.metric.model)

    def find_refused_setting(self) -> str:
        """Return the module's message about a setting that it refuses.

        It is empty if the module accepts all settings, or cannot be loaded. Nothing is sent and no
        model is loaded. For a metric with a model, only the names and types of the settings, and
        the size of numbers, are checked.
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
        except Exception:  # the error is reported when rows are scored
            return ""
        return ""

    def describe_failure(self, error: Exception) -> str:
        """Return a message that says why the module could not be loaded, or gives no scores."""
        if self.metric.judge and not isinstance(error, ImportError | modules.ModuleUnavailable):
            if not is_expected(error):
                note_failure(self.name, error)
            return str(judge.hide_key(read_first_line(error), self.key))
        if isinstance(error, TypeError) and self.settings:
            return say("failure.refused", message=shorten_error(self.metric, error))
        return describe_failure(self.metric, error).message

    def score_with_reasons(self, answer: Answer, may_fetch: bool) -> MetricResult:
        """Return the score of one row with its reasons.

        If all references are needed, the reasons are those of the first.
        """
        if answer.needs_all:
            parts = self.split_by_reference(answer)
            results = [self.score_with_reasons(part, may_fetch) for part in parts]
            scores = [result.score for result in results if result.score is not None]
            mean = fmean(scores)
            return replace(results[0], score=mean)
        computed = self.compute([answer], True, may_fetch)
        entry = dict(computed["per_example"][0])
        score = float(entry["score"])
        return MetricResult("scored", score, entry, str(computed["signature"]))

    def compute(
        self, answers: Sequence[Answer], per_example: bool | str, may_fetch: bool
    ) -> Mapping[str, Any]:
        """Return the module's result for rows.

        Args:
            answers: the rows.
            per_example: the details of each row, as the module's argument.
            may_fetch: whether a model may be downloaded from the Hub.
        """
        code = modules.find_code(self.module)
        arguments = self.make_columns(answers)
        arguments |= self.make_arguments(code)
        if self.metric.model is not None:
            code.ask_hub.set(may_fetch)
        return dict(self.module.compute(**arguments, per_example=per_example))

    def make_arguments(self, code: Any) -> dict[str, Any]:
        """Return the arguments of the module: this program's defaults and the user's settings.

        If `lang` is set, the module chooses its model for that language.
        """
        model = self.metric.model
        has_default = model is not None and model.name() == model.default
        if "lang" in self.settings and has_default:
            return self.settings
        return self.metric.arguments(code) | self.settings

    def make_columns(self, answers: Sequence[Answer]) -> dict[str, list[Any]]:
        """Return the columns of texts for the module."""
        columns: dict[str, list[Any]] = {}
        columns["predictions"] = [answer.prediction for answer in answers]
        if any(len(answer.references) > 1 for answer in answers):
            columns["references"] = [list(answer.references) for answer in answers]
        else:
            columns["references"] = [answer.references[0] for answer in answers]
        if self.metric.judge or self.metric.estimate:
            columns["questions"] = [answer.question for answer in answers]
        if self.metric.takes_keywords and any(answer.keywords for answer in answers):
            columns["answer_keywords"] = [answer.keywords for answer in answers]
        return columns

    def take_result(self, result: Mapping[str, Any], answers: Sequence[Answer]) -> list[RowResult]:
        """Return the rows of a module's result, and add its notes on all of them."""
        entries = result["per_example"]
        notes = MetricNotes()
        notes.reads_first_reference = self.reads_first_reference
        notes.warnings = dict(count_warnings(answers, entries))
        if result.get("signature"):
            signature = judge.hide_key(str(result["signature"]), self.key)
            notes.signatures.append(signature)
        if self.metric.judge:
            add_judge_notes(notes, result)
        corpus = self.metric.corpus_score
        if corpus is not None:
            for answer, entry in zip(answers, entries, strict=True):
                counts = corpus.counts(entry)
                notes.add_counts(answer.system, counts)
        self.notes.add(notes)
        return [self.read_entry(entry) for entry in entries]

    def read_entry(self, entry: Mapping[str, Any]) -> RowResult:
        """Return the result of one row, given its entry of `per_example`."""
        values = tuple(read_score(entry, series.path) for series in self.series)
        result = RowResult(values, entry=entry)
        if self.metric.estimate:
            result = result._replace(interpretation=entry["interpretation"])
            if entry["statements"]:
                statements = json.dumps(entry["statements"], ensure_ascii=False)
                result = result._replace(statements=statements)
        if self.metric.judge:
            shown_entry = judge.hide_key(entry, self.key)
            result = add_judge_texts(result, shown_entry)
        return result


def add_judge_texts(result: RowResult, entry: Mapping[str, Any]) -> RowResult:
    """Return the result of a row with the judge's texts."""
    texts = {}
    for name in ("reason", "message", "reasoning"):
        texts[name] = str(entry.get(name) or "")
    if entry.get("addresses_judge") and not texts["message"]:
        # A table has no column for notes, so the note becomes the message.
        texts["message"] = str(entry["note"])
    return RowResult(result.values, **texts, entry=entry)


def add_judge_notes(notes: MetricNotes, result: Mapping[str, Any]) -> None:
    """Add a judge's cost and remarks to the notes on all rows.

    Also count the rows that were judged several times, and those of them whose verdicts differ.
    """
    notes.cost = result["Cost"]
    for entry in result["per_example"]:
        verdicts = set(entry.get("verdicts") or ())
        verdicts.discard(None)
        notes.repeated += bool(verdicts)
        notes.flipped += len(verdicts) > 1
    for remark in list_remarks(result):
        notes.add_remark(remark)


def read_score(entry: Mapping[str, Any], path: Sequence[str]) -> float | None:
    """Return the score at this path of an entry of `per_example`; None without a score."""
    value: Any = entry
    for name in path:
        value = value[name]
    if value is None:
        return None
    return float(value)
