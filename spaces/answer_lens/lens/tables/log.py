"""What is known of another tool's log while it is read.

Every format makes rows of one form from its samples.

A row has, under their usual names, what the log has: id, question, reference (a text or a list of
texts), prediction, model, the repeat (`epoch`, `filter`), the tool's own scores by its own names,
why there is no answer (`error`), and as one object what else was known of the question (`doc`,
`metadata`, `vars`, `specific`). A missing answer is null.
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
from lens.tables.log_references import ALL, UNKNOWN, ReferenceUse
from lens.tables.reading import Row
from lens.tables.replies import is_chat
from lens.tables.roles import USUAL, join_names, normalize_name
from lens.words import join_sentences, say
from lens.words.notes import UserError
from lens.words.printed import shorten_name

# A score with one of these names would be taken for something else.
RESERVED = {"model", "epoch", "filter", "error"}
for usual_names in USUAL.values():
    RESERVED.update(map(normalize_name, usual_names))
# Of an error's first line, how much is shown.
MAX_ERROR = 120


def read_nothing(name: str) -> bytes:
    """Return the content of a file beside the log, where none can be read."""
    return b""


@dataclass
class Log:
    """What is asked of a log, and what is known of it once it is read.

    Attributes:
        wanted: the filter whose samples are read: None for the first that comes, "" for all.
        path: where the log lies; with `read_neighbour`, which reads a file of its folder, it may
            tell the model.
        most: how many bytes a zip may unpack to.
        columns: the columns of answers that the user names.
        tool: the tool that wrote it; empty for an ordinary table.
        state: what the reader of a format notes of earlier lines, by names of its own.
        failure: the error that ended the run.
        samples: how many rows were made.
        without_reference: how many of these have none.
        errors: the first lines of the errors of samples without an answer, with their counts.
        unmatched: how many answers its filter found nothing in.
        cut_references: of how many references the final answer alone is left.
        left_scores: how many further scores of a sample whose row stands already are left out.
        unasked: how many samples ask for likelihoods alone, and are left out.
        placeholder: the target that all samples have and that is no reference.
        test_programs: how many targets are tests of code.
        references: how several references of a sample count.
    """

    wanted: str | None = None
    path: str = ""
    read_neighbour: Callable[[str], bytes] = read_nothing
    most: int | None = None
    columns: Sequence[str] = ()
    tool: str = ""
    model: str = ""
    status: str = "success"
    filters: dict[str, None] = field(default_factory=dict)
    state: Row = field(default_factory=dict)
    failure: str = ""
    samples: int = 0
    without_reference: int = 0
    errors: Counter[str] = field(default_factory=Counter)
    unmatched: int = 0
    cut_references: int = 0
    left_scores: int = 0
    unasked: int = 0
    placeholder: str = ""
    test_programs: int = 0
    references: ReferenceUse = field(default_factory=ReferenceUse)

    @property
    def needs_all(self) -> bool:
        """Return whether its tool counts an answer as right only if it names every reference."""
        return self.references.use == ALL

    def describe(self) -> str:
        """Return what the file was taken for, and what to know of it.

        It is nothing for an ordinary table.
        """
        if not self.tool:
            return ""
        taken = say("log.taken", tool=self.tool)
        return join_sentences(taken, *self.describe_run(), *self.describe_samples())

    def describe_run(self) -> Iterator[str]:
        """Yield, in words, how the run ended, and which filters are left out."""
        if self.status != "success":
            yield say("log.unfinished", status=shorten_name(self.status))
        if not self.wanted:
            return
        others = [name for name in self.filters if name != self.wanted]
        if others:
            yield say("log.filter", filter=shorten_name(self.wanted), others=join_names(others))

    def describe_samples(self) -> Iterator[str]:
        """Yield which samples lack an answer or a reference, and how references count, in words."""
        if self.errors:
            yield self.describe_failures()
        if self.unasked:
            yield say("log.unasked", count=self.unasked)
        if self.unmatched:
            yield say("log.unmatched")
        if self.left_scores:
            yield say("log.left_scores", count=self.left_scores)
        yield from self.describe_references()

    def describe_failures(self) -> str:
        """Return, in words, how many samples failed, and the most frequent error."""
        failed = self.errors.total()
        ((error, _),) = self.errors.most_common(1)
        shown = shorten_name(error, MAX_ERROR)
        if len(self.errors) > 1:
            shown += say("log.more_errors")
        key = "log.all_failed" if failed == self.samples else "log.failed"
        return say(key, count=failed, samples=self.samples, error=shown)

    def describe_references(self) -> Iterator[str]:
        """Yield, in words, which targets are no references, and how several of a sample count."""
        if self.cut_references:
            yield say("log.cut_references")
        if self.placeholder:
            yield say("log.placeholder", target=self.placeholder)
        if self.test_programs:
            yield say("log.test_programs", count=self.test_programs)
        if self.samples and self.without_reference == self.samples:
            yield say("log.no_references")
        if self.references.use in (ALL, UNKNOWN):
            yield say(f"log.references_{self.references.use}")

    def is_wanted(self, name: str) -> bool:
        """Note a filter, and return whether its samples are read."""
        self.filters.setdefault(name)
        if self.wanted is None:
            self.wanted = name
        return self.wanted in ("", name)


def refuse_likelihoods(log: Log) -> NoReturn:
    """Refuse a log that asks only for likelihoods, and so has no answers."""
    raise UserError("log.likelihoods", tool=log.tool)


def make_rows(
    log: Log,
    sample: Mapping[str, Any],
    answers: list[Any],
    scores: Mapping[str, Any],
    more: Row,
) -> Iterator[Row]:
    """Yield the rows of a sample, one for each of its answers, or one without an answer.

    Args:
        log: the log, whose samples are counted.
        sample: id, question and reference.
        answers: what the model wrote.
        scores: the tool's own scores, by its own names.
        more: what else is known; what is empty gets no column.
    """
    sample = dict(sample)
    if sample.get("id") in (None, ""):
        sample.pop("id", None)
    extra = {name: cell for name, cell in more.items() if cell not in (None, {}, [])}
    own_scores = rename_scores(scores, extra)
    for epoch, answer in enumerate(answers or [None], 1):
        row: Row = {**sample, "prediction": format_value(answer)}
        if log.model:
            row["model"] = log.model
        if len(answers) > 1:
            row["epoch"] = epoch
        note_row(log, row, scores, extra.get("error"))
        yield row | extra | own_scores


def rename_scores(scores: Mapping[str, Any], extra: Row) -> Row:
    """Return scores by their names.

    "score" stands before one that another column has, or that means a role.
    """
    renamed = {}
    for name, score in scores.items():
        is_taken = normalize_name(name) in RESERVED or name in extra
        renamed[f"score {name}" if is_taken else name] = score
    return renamed


def note_row(
    log: Log,
    row: Row,
    scores: Mapping[str, Any],
    error: Any,
) -> None:
    """Count what a row has and lacks."""
    log.samples += 1
    log.without_reference += is_blank(row.get("reference"))
    if error and is_blank(row["prediction"]):
        log.errors[first_line(str(error))] += 1
    if isinstance(row.get("reference"), list):
        log.references.add_sample(row["reference"], row["prediction"], scores)


def first_line(text: str) -> str:
    """Return the first line of a text that has something in it."""
    return text.strip().partition("\n")[0].strip()


def format_value(value: Any) -> str | None:
    """Return a value as a text, for an answer may be an object or a number, too."""
    if value is None or isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False)


def format_values(value: Any) -> str | list[str] | None:
    """Return a value as one text or a list of texts."""
    if isinstance(value, list):
        return [format_value(part) or "" for part in value]
    return format_value(value)


def parse_python(value: Any) -> Any:
    """Return the list or object that a text shows as Python shows it; anything else as it is.

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
    """Return the text of a prompt.

    Of a chat, which may be JSON, it is the last message of the user.

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
    texts = []
    for part in prompt:
        text = part.get("text") if isinstance(part, dict) else read_prompt(part)
        if text:
            texts.append(text)
    return "\n".join(texts)


def find_chat(prompt: Any) -> list[Row] | None:
    """Return the chat that a prompt is, or is the JSON of; None for any other prompt."""
    chat = prompt
    if isinstance(prompt, str) and prompt.lstrip().startswith("["):
        with contextlib.suppress(ValueError, RecursionError):
            chat = json.loads(prompt)
    return chat if is_chat(chat) else None


def flatten(answers: Iterable[Any]) -> list[Any]:
    """Return answers of which each may be a list of several as one list."""
    flat = []
    for answer in answers:
        if isinstance(answer, list):
            flat.extend(answer)
        else:
            flat.append(answer)
    return flat
