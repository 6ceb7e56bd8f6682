"""The state of another tool's log while it is read, and the rows made from its samples.

All formats give rows of the same form. A row has these columns, if the log has the values: id,
question, reference (a text or a list of texts), prediction, model, the repeat (`epoch`, `filter`),
the tool's scores by their names, and the reason why there is no answer (`error`). Everything else
that is known of the question is one object (`doc`, `metadata`, `vars`, `specific`). A missing
answer is None.
"""

from __future__ import annotations

import ast
import contextlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

from lens.tables.cells import is_blank
from lens.tables.file_reading import Row
from lens.tables.log_references import ALL, UNKNOWN, ReferenceUse
from lens.tables.replies import is_chat
from lens.tables.roles import USUAL_NAMES, join_names, normalize_name
from lens.words import join_sentences, say
from lens.words.notes import UserError
from lens.words.printed import shorten_name

# A score with one of these names would be taken for a column of that role.
RESERVED_NAMES = {"model", "epoch", "filter", "error"}
for usual_names in USUAL_NAMES.values():
    RESERVED_NAMES.update(map(normalize_name, usual_names))
# The longest part of an error's first line that a message shows.
MAX_ERROR_LENGTH = 120


def read_nothing(name: str) -> bytes:
    """Return empty content instead of a file beside the log, if no such file can be read."""
    return b""


@dataclass
class Log:
    """The user's options for a log, and the facts collected while it is read.

    Attributes:
        wanted_filter: the filter whose samples are read; None for the first filter in the log, ""
            for all filters.
        path: the path of the log, whose folder may name the model.
        read_neighbour: reads another file in the folder of the log.
        max_unpacked_bytes: the largest unpacked size of a zip archive; None for no limit.
        columns: the columns of answers that the user chose.
        tool: the tool that wrote the log; empty for an ordinary table.
        model: the model that the log names.
        status: how the run ended; "success" if it was complete.
        filters: the filters in the log, in order.
        state: what the reader of a format remembers from earlier lines.
        failure: the error that ended the whole run.
        row_count: the number of rows made so far.
        rows_without_reference: the number of rows without a reference.
        error_counts: how many samples without an answer had each error, by its first line.
        unmatched_responses: the number of responses in which the filter found no answer.
        shortened_references: the number of references that were shortened to their final answers.
        dropped_scores: the number of scores left out because the row of their sample was complete.
        likelihood_samples: the number of samples left out because they ask only for likelihoods.
        placeholder: the target that all samples have, if it is not a reference, such as "0".
        test_programs: the number of targets that are tests of code.
        references: infers how several references of a sample count.
    """

    wanted_filter: str | None = None
    path: str = ""
    read_neighbour: Callable[[str], bytes] = read_nothing
    max_unpacked_bytes: int | None = None
    columns: Sequence[str] = ()
    tool: str = ""
    model: str = ""
    status: str = "success"
    filters: dict[str, None] = field(default_factory=dict)
    state: Row = field(default_factory=dict)
    failure: str = ""
    row_count: int = 0
    rows_without_reference: int = 0
    error_counts: Counter[str] = field(default_factory=Counter)
    unmatched_responses: int = 0
    shortened_references: int = 0
    dropped_scores: int = 0
    likelihood_samples: int = 0
    placeholder: str = ""
    test_programs: int = 0
    references: ReferenceUse = field(default_factory=ReferenceUse)

    @property
    def needs_all(self) -> bool:
        """True if the tool counts an answer as right only if it names every reference."""
        return self.references.use == ALL

    def describe(self) -> str:
        """Return sentences that say which tool's log the file is, and what is special about it.

        The text is empty for an ordinary table.
        """
        if not self.tool:
            return ""
        tool = say("log.taken", tool=self.tool)
        return join_sentences(tool, *self.describe_run(), *self.describe_samples())

    def describe_run(self) -> Iterator[str]:
        """Yield sentences that say how the run ended, and which filters are left out."""
        if self.status != "success":
            yield say("log.unfinished", status=shorten_name(self.status))
        if not self.wanted_filter:
            return
        skipped = [name for name in self.filters if name != self.wanted_filter]
        if skipped:
            wanted = shorten_name(self.wanted_filter)
            yield say("log.filter", filter=wanted, others=join_names(skipped))

    def describe_samples(self) -> Iterator[str]:
        """Yield sentences about missing answers and references, and about how references count."""
        if self.error_counts:
            yield self.describe_failures()
        if self.likelihood_samples:
            yield say("log.unasked", count=self.likelihood_samples)
        if self.unmatched_responses:
            yield say("log.unmatched")
        if self.dropped_scores:
            yield say("log.left_scores", count=self.dropped_scores)
        yield from self.describe_references()

    def describe_failures(self) -> str:
        """Return a sentence that says how many samples failed, with the most frequent error."""
        failed = self.error_counts.total()
        ((error, _),) = self.error_counts.most_common(1)
        shown = shorten_name(error, MAX_ERROR_LENGTH)
        if len(self.error_counts) > 1:
            shown += say("log.more_errors")
        key = "log.all_failed" if failed == self.row_count else "log.failed"
        return say(key, count=failed, samples=self.row_count, error=shown)

    def describe_references(self) -> Iterator[str]:
        """Yield sentences about targets that are not references, and about how references count."""
        if self.shortened_references:
            yield say("log.cut_references")
        if self.placeholder:
            yield say("log.placeholder", target=self.placeholder)
        if self.test_programs:
            yield say("log.test_programs", count=self.test_programs)
        if self.row_count and self.rows_without_reference == self.row_count:
            yield say("log.no_references")
        if self.references.use in (ALL, UNKNOWN):
            yield say(f"log.references_{self.references.use}")

    def is_wanted(self, name: str) -> bool:
        """Remember a filter's name, and return whether its samples are read."""
        self.filters.setdefault(name)
        if self.wanted_filter is None:
            self.wanted_filter = name
        return self.wanted_filter in ("", name)


def refuse_likelihoods(log: Log) -> NoReturn:
    """Raise UserError for a log that asks only for likelihoods, and so has no answers."""
    raise UserError("log.likelihoods", tool=log.tool)


def make_rows(
    log: Log,
    sample: Mapping[str, Any],
    answers: list[Any],
    scores: Mapping[str, Any],
    extra: Row,
) -> Iterator[Row]:
    """Yield the rows of a sample: one per answer, or one without an answer.

    Args:
        log: the log, which counts its samples.
        sample: the id, question and reference.
        answers: the texts that the model wrote.
        scores: the tool's scores, by their names.
        extra: the cells of other columns; empty cells are left out.
    """
    sample = dict(sample)
    if sample.get("id") in (None, ""):
        sample.pop("id", None)
    extra = {name: cell for name, cell in extra.items() if cell not in (None, {}, [])}
    score_cells = rename_scores(scores, extra)
    for epoch, answer in enumerate(answers or [None], 1):
        row: Row = {**sample, "prediction": format_value(answer)}
        if log.model:
            row["model"] = log.model
        if len(answers) > 1:
            row["epoch"] = epoch
        note_row(log, row, scores, extra.get("error"))
        yield row | extra | score_cells


def rename_scores(scores: Mapping[str, Any], extra: Row) -> Row:
    """Return scores with "score" before each name that another column or a role has.

    >>> rename_scores({"answer": 1, "f1": 0.5}, {})
    {'score answer': 1, 'f1': 0.5}
    """
    renamed = {}
    for name, score in scores.items():
        is_taken = normalize_name(name) in RESERVED_NAMES or name in extra
        column = f"score {name}" if is_taken else name
        renamed[column] = score
    return renamed


def note_row(
    log: Log,
    row: Row,
    scores: Mapping[str, Any],
    error: Any,
) -> None:
    """Count a row, and its missing reference or failed answer.

    Several references are compared with the scores, which show whether an answer needs all.
    """
    log.row_count += 1
    log.rows_without_reference += is_blank(row.get("reference"))
    if error and is_blank(row["prediction"]):
        log.error_counts[find_first_line(str(error))] += 1
    if isinstance(row.get("reference"), list):
        log.references.add_sample(row["reference"], row["prediction"], scores)


def find_first_line(text: str) -> str:
    """Return the first line of a text that is not blank."""
    return text.strip().partition("\n")[0].strip()


def format_value(value: Any) -> str | None:
    """Return a value as a text; an object or a number becomes JSON."""
    if value is None or isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False)


def format_values(value: Any) -> str | list[str] | None:
    """Return a value as a text, or a list as a list of texts."""
    if isinstance(value, list):
        return [format_value(part) or "" for part in value]
    return format_value(value)


def parse_python(value: Any) -> Any:
    """Parse a list or dict that is written in Python; return any other value unchanged.

    >>> parse_python("['Jane Austen', 'Austen']"), parse_python("[sic]"), parse_python(["a"])
    (['Jane Austen', 'Austen'], '[sic]', ['a'])
    """
    if not isinstance(value, str) or not value.startswith(("[", "{")):
        return value
    try:
        return ast.literal_eval(value)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return value


def read_prompt(prompt: Any) -> str | None:
    """Return the text of a prompt; for a chat, the last message of the user.

    A chat may be a list of messages, or the JSON of one.

    >>> content = [{"type": "text", "text": "Who?"}]
    >>> read_prompt([{"role": "user", "content": content}, {"role": "assistant"}])
    'Who?'
    """
    chat = find_chat(prompt)
    if chat:
        questions = [message for message in chat if message["role"] == "user"]
        last = (questions or chat)[-1]
        return read_prompt(last.get("content"))
    if not isinstance(prompt, list):
        return format_value(prompt)
    # The content of a message may be a list of parts: texts, images and so on.
    texts = []
    for part in prompt:
        text = part.get("text") if isinstance(part, dict) else read_prompt(part)
        if text:
            texts.append(text)
    return "\n".join(texts)


def find_chat(prompt: Any) -> list[Row] | None:
    """Return the messages of a chat, or of the JSON of a chat; None for any other prompt."""
    chat = prompt
    if isinstance(prompt, str) and prompt.lstrip().startswith("["):
        with contextlib.suppress(ValueError, RecursionError):
            chat = json.loads(prompt)
    return chat if is_chat(chat) else None


def flatten(answers: Iterable[Any]) -> list[Any]:
    """Return one list of answers from a list in which each item may be a list of answers.

    >>> flatten(["a", ["b", "c"]])
    ['a', 'b', 'c']
    """
    flat = []
    for answer in answers:
        if isinstance(answer, list):
            flat.extend(answer)
        else:
            flat.append(answer)
    return flat
