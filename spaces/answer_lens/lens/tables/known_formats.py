"""The known formats of logs: how each is recognised, and which function converts its samples."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lens.tables import every_eval_logs, lm_eval_logs, log_formats, promptfoo_logs, promptfoo_tables
from lens.tables.cells import ABSENT, find_nested_value
from lens.tables.file_reading import Row
from lens.tables.log import Log, refuse_likelihoods
from lens.tables.log_formats import ALPACA, EVALS, HELM, INSPECT, LIGHTEVAL
from lens.words.notes import UserError
from lens.words.printed import shorten_name

LM_EVAL, PROMPTFOO = lm_eval_logs.TOOL, promptfoo_logs.TOOL
# The newest known version of each format whose logs have a version.
NEWEST_VERSIONS = {INSPECT: 2, PROMPTFOO: 3}
# Methods of HELM that ask for likelihoods, and so give no answers; each name may have an ending.
LIKELIHOOD_METHODS = ("multiple_choice_separate", "language_modeling", "ranking")


def list_row(row: Row, log: Log) -> Iterable[Any]:
    """Return the row as the only sample in it."""
    return [row]


def finish_without_samples(log: Log) -> Iterable[Any]:
    """Return no more samples, for a format that has one sample per line."""
    return ()


def skip_look_ahead(samples: Sequence[Any], log: Log) -> None:
    """Note nothing, for a format whose samples can be read without looking ahead."""


@dataclass(frozen=True)
class Format:
    """A format of a log.

    A log is either rows, one per line, or a document: the single object of a file.

    Attributes:
        tool: the tool that writes it.
        required: the types of the values that a row or document must have, by dotted names.
        read_rows: converts a sample to rows.
        list_samples: returns the samples in a row or document.
        look_ahead: notes what can only be known from the first samples together.
        finish: returns the samples that are complete only after the last line.
    """

    tool: str
    required: Mapping[str, type | tuple[type, ...]]
    read_rows: Callable[[Any, Log], Iterator[Row]]
    list_samples: Callable[[Row, Log], Iterable[Any]] = list_row
    look_ahead: Callable[[Sequence[Any], Log], None] = skip_look_ahead
    finish: Callable[[Log], Iterable[Any]] = finish_without_samples

    def can_read(self, row: Row) -> bool:
        """Return whether a row or document has this format."""
        for name, expected_type in self.required.items():
            value = find_nested_value(row, name, ABSENT)
            if value is ABSENT or not isinstance(value, expected_type):
                return False
        return True


def list_inspect(document: Row, log: Log) -> Iterable[Any]:
    """Return the samples of a log of inspect_ai, and note its model, status and error."""
    refuse_version(document["version"], log)
    error = document.get("error") or {}
    log.status = str(document.get("status", "started"))
    log.model = str(document["eval"]["model"])
    log.failure = str(error.get("message") or "")
    log_formats.note_choices(document, log)
    return document.get("samples") or []


def list_promptfoo(document: Row, log: Log) -> Iterable[Any]:
    """Return the results of promptfoo.

    Its function `evaluate` returns them one level higher than its files have them.
    """
    summary = document["results"] if isinstance(document["results"], dict) else document
    refuse_version(summary.get("version"), log)
    return summary["results"]  # type: ignore[no-any-return]


def list_promptfoo_table(document: Row, log: Log) -> Iterable[Any]:
    """Return the results in a table of promptfoo, which may be wrapped in another object."""
    table = document.get("table") or document
    return promptfoo_tables.list_outputs(table, log)


def list_helm(document: Row, log: Log) -> Iterable[Any]:
    """Return the request states of a HELM log, and note its model."""
    adapter = document["adapter_spec"]
    method = str(adapter.get("method"))
    if method.startswith(LIKELIHOOD_METHODS):
        refuse_likelihoods(log)
    log.model = str(adapter.get("model") or adapter.get("model_deployment") or "")
    return document["request_states"]  # type: ignore[no-any-return]


def refuse_summary(document: Row, log: Log) -> Iterable[Any]:
    """Refuse a file of results that a tool writes beside its samples."""
    raise UserError("log.summary", tool=log.tool)


def list_lm_eval_formats() -> Iterator[Format]:
    """Yield the formats of lm-evaluation-harness: samples, and results, which are refused."""
    yield Format(
        LM_EVAL,
        {
            "doc_id": object,
            "doc": dict,
            "arguments": (dict, list),
            "resps": list,
        },
        lm_eval_logs.read_sample,
        look_ahead=lm_eval_logs.look_ahead,
    )
    yield Format(
        LM_EVAL,
        {"results": dict, "configs": dict, "n-shot": dict},
        lm_eval_logs.read_sample,
        list_samples=refuse_summary,
    )


def list_lighteval_formats() -> Iterator[Format]:
    """Yield the formats of lighteval: details, older details, and results, which are refused."""
    yield Format(
        LIGHTEVAL,
        {"doc.query": str, "model_response": dict, "metric": dict},
        log_formats.read_lighteval,
    )
    yield Format(
        LIGHTEVAL,
        {
            "example": str,
            "full_prompt": object,
            "predictions": (str, list),
            "metrics": (str, dict),
        },
        log_formats.read_lighteval_until_0_9,
    )
    yield Format(
        LIGHTEVAL,
        {"results": dict, "config_general": dict},
        log_formats.read_lighteval,
        list_samples=refuse_summary,
    )


def list_promptfoo_formats() -> Iterator[Format]:
    """Yield the formats of promptfoo.

    These are its results in three forms, a line of its JSON Lines, and its table in two forms.
    """
    result_forms: tuple[Mapping[str, type], ...] = (
        {"results.results": list, "config": dict},
        {"results.results": list, "results.stats": dict},
        {"results": list, "stats.successes": int},
    )
    for required in result_forms:
        yield Format(
            PROMPTFOO,
            required,
            promptfoo_logs.read_result,
            list_samples=list_promptfoo,
            look_ahead=promptfoo_logs.look_ahead,
        )

    line = {
        "promptIdx": int,
        "testIdx": int,
        "vars": dict,
        "prompt.raw": str,
    }
    yield Format(PROMPTFOO, line, promptfoo_logs.read_result, look_ahead=promptfoo_logs.look_ahead)

    table_forms: tuple[Mapping[str, type], ...] = (
        {"head.prompts": list, "head.vars": list, "body": list},
        {"table.head.prompts": list, "table.head.vars": list, "table.body": list},
    )
    for required in table_forms:
        yield Format(
            PROMPTFOO, required, promptfoo_logs.read_result, list_samples=list_promptfoo_table
        )


def list_every_eval_formats() -> Iterator[Format]:
    """Yield the formats of Every Eval Ever: samples, and the aggregate, which is refused."""
    yield Format(
        every_eval_logs.TOOL,
        {
            "schema_version": str,
            "sample_id": str,
            "input.raw": str,
            "interaction_type": str,
            "evaluation": dict,
        },
        every_eval_logs.read_answer_lines,
        list_samples=every_eval_logs.group_lines,
        finish=every_eval_logs.finish_lines,
    )
    yield Format(
        every_eval_logs.TOOL,
        {
            "schema_version": str,
            "evaluation_id": str,
            "model_info": dict,
            "evaluation_results": list,
        },
        every_eval_logs.read_answer_lines,
        list_samples=refuse_summary,
    )


FORMATS = (
    *list_lm_eval_formats(),
    *list_lighteval_formats(),
    *list_promptfoo_formats(),
    *list_every_eval_formats(),
    Format(
        INSPECT,
        {"version": int, "eval.model": str, "eval.task": str},
        log_formats.read_inspect,
        list_samples=list_inspect,
    ),
    Format(
        EVALS,
        {"spec.eval_name": str, "spec.run_id": str},
        log_formats.read_evals,
    ),
    Format(
        HELM,
        {"adapter_spec": dict, "request_states": list},
        log_formats.read_helm,
        list_samples=list_helm,
    ),
    Format(
        ALPACA,
        {
            "instruction": str,
            "output_1": str,
            "output_2": str,
            "preference": object,
        },
        log_formats.read_alpaca,
    ),
)
# A CSV is recognised by the names of its columns instead.
CSV_FORMAT = Format(
    PROMPTFOO, {}, promptfoo_logs.read_result, list_samples=promptfoo_tables.list_cells
)


def find_format(row: Row) -> Format | None:
    """Return the format of a row or document; None if it is not from a log."""
    for log_format in FORMATS:
        if log_format.can_read(row):
            return log_format
    return None


def find_csv_format(row: Row) -> Format | None:
    """Return the format of a row of a CSV file; None if it is not from a log."""
    return CSV_FORMAT if promptfoo_tables.find_output_columns(row) else None


def refuse_version(version: Any, log: Log) -> None:
    """Raise UserError if the version of a log is not known."""
    newest = NEWEST_VERSIONS[log.tool]
    if version not in range(1, newest + 1):
        raise UserError(
            "log.version", tool=log.tool, version=shorten_name(str(version)), newest=newest
        )
