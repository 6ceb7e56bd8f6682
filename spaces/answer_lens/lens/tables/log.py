"""What is known of another tool's log while it is read, and the row that every format makes of a sample.

A row has, under their usual names, what the log has: id, question, reference (a text or a list of texts), prediction,
model, the repeat (`epoch`, `filter`), the tool's own scores by its own names, why there is no answer (`error`), and as
one object what else was known of the question (`doc`, `metadata`, `vars`, `specific`). A missing answer is null.
"""

from __future__ import annotations

import ast
import contextlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lens.tables.cells import blank
from lens.tables.log_references import ALL, UNKNOWN, ReferenceUse
from lens.tables.roles import USUAL, BadTable, listing, usual
from lens.words import say, sentences
from lens.words.printed import short

Row = dict[str, Any]

# A score with one of these names would be taken for something else.
RESERVED = {usual(name) for names in USUAL.values() for name in names} | {"model", "epoch", "filter", "error"}
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
        path: where the log lies; with `beside`, which reads a file of its folder, it may tell the model.
        most: how many bytes a zip may unpack to.
        columns: the columns of answers that the user names.
        tool: the tool that wrote it; empty for an ordinary table.
        kept: what a format has to know of the samples before.
        failure: the error that ended the run.
        samples: how many rows were made.
        without_reference: how many of these have none.
        errors: the first lines of the errors of samples without an answer, with their counts.
        unmatched: how many answers its filter found nothing in.
        cut_references: of how many references the final answer alone is left.
        unasked: how many samples ask for likelihoods alone, and are left out.
        placeholder: the target that all samples have and that is no reference.
        test_programs: how many targets are tests of code.
        references: how several references of a sample count.
    """

    wanted: str | None = None
    path: str = ""
    beside: Callable[[str], bytes] = read_nothing
    most: int | None = None
    columns: Sequence[str] = ()
    tool: str = ""
    model: str = ""
    status: str = "success"
    filters: dict[str, None] = field(default_factory=dict)
    kept: Row = field(default_factory=dict)
    failure: str = ""
    samples: int = 0
    without_reference: int = 0
    errors: Counter[str] = field(default_factory=Counter)
    unmatched: int = 0
    cut_references: int = 0
    unasked: int = 0
    placeholder: str = ""
    test_programs: int = 0
    references: ReferenceUse = field(default_factory=ReferenceUse)

    @property
    def needs_all(self) -> bool:
        """Whether its tool counts an answer as right only if it names every reference."""
        return self.references.use == ALL

    def told(self) -> str:
        """Return what the file was taken for, and what to know of it; nothing for an ordinary table."""
        if not self.tool:
            return ""
        status = "" if self.status == "success" else say("log_unfinished", status=short(self.status))
        others = [name for name in self.filters if self.wanted and name != self.wanted]
        filters = say("log_filter", filter=short(self.wanted or ""), others=listing(others)) if others else ""
        taken = say("log_taken", tool=self.tool)
        return sentences(taken, status, filters, *self.describe_samples())

    def describe_samples(self) -> Iterator[str]:
        """Yield, in words, which samples lack an answer or a reference, and how references count."""
        if self.errors:
            yield self.describe_failures()
        if self.unasked:
            yield say("log_unasked", count=self.unasked)
        if self.unmatched:
            yield say("log_unmatched")
        yield from self.describe_references()

    def describe_failures(self) -> str:
        """Return, in words, how many samples failed, and the most frequent error."""
        failed = self.errors.total()
        (error, _), *others = self.errors.most_common(2)
        error = short(error, MAX_ERROR) + (say("log_more_errors") if others else "")
        key = "log_all_failed" if failed == self.samples else "log_failed"
        return say(key, count=failed, samples=self.samples, error=error)

    def describe_references(self) -> Iterator[str]:
        """Yield, in words, which targets are no references, and how several of a sample count."""
        if self.cut_references:
            yield say("log_cut_references")
        if self.placeholder:
            yield say("log_placeholder", target=self.placeholder)
        if self.test_programs:
            yield say("log_test_programs", count=self.test_programs)
        if self.samples and self.without_reference == self.samples:
            yield say("log_no_references")
        if self.references.use in (ALL, UNKNOWN):
            yield say(f"log_references_{self.references.use}")

    def takes(self, name: str) -> bool:
        """Return whether the samples of a filter are read."""
        self.filters.setdefault(name)
        self.wanted = name if self.wanted is None else self.wanted
        return self.wanted in ("", name)


def likelihoods(log: Log) -> BadTable:
    """Return why a log without answers is refused."""
    return BadTable(say("log_likelihoods", tool=log.tool))


def make_rows(
    log: Log, sample: Mapping[str, Any], answers: list[Any], scores: Mapping[str, Any], more: Row
) -> Iterator[Row]:
    """Yield the rows of a sample, one for each of its answers, or one without an answer."""
    sample = {name: cell for name, cell in sample.items() if name != "id" or cell not in (None, "")}
    extra = {name: cell for name, cell in more.items() if cell not in (None, {}, [])}
    named = {}
    for name, score in scores.items():
        taken = usual(name) in RESERVED or name in extra
        named[f"score {name}" if taken else name] = score

    for epoch, answer in enumerate(answers or [None], 1):
        row = {**sample, "prediction": as_text(answer)}
        if log.model:
            row["model"] = log.model
        if len(answers) > 1:
            row["epoch"] = epoch
        note_row(log, row, scores, extra.get("error"))
        yield row | extra | named


def note_row(log: Log, row: Row, scores: Mapping[str, Any], error: Any) -> None:
    """Count what a row has and lacks."""
    log.samples += 1
    log.without_reference += blank(row.get("reference"))
    if error and blank(row["prediction"]):
        log.errors[first_line(str(error))] += 1
    if isinstance(row.get("reference"), list):
        log.references.add(row["reference"], row["prediction"], scores)


def first_line(text: str) -> str:
    """Return the first line of a text that has something in it."""
    return text.strip().partition("\n")[0].strip()


def as_text(value: Any) -> str | None:
    """Return a value as a text, for an answer may be an object or a number, too."""
    return value if value is None or isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def as_texts(value: Any) -> str | list[str] | None:
    """Return a value as one text or a list of texts."""
    return [as_text(one) or "" for one in value] if isinstance(value, list) else as_text(value)


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


def read_question(prompt: Any) -> str | None:
    """Return what a prompt asks: the text, or of a chat, which may be JSON, the last message of its user.

    >>> read_question([{"role": "user", "content": [{"type": "text", "text": "Who?"}]}, {"role": "assistant"}])
    'Who?'
    """
    if isinstance(prompt, str) and prompt.lstrip().startswith("["):
        with contextlib.suppress(ValueError, RecursionError):
            chat = json.loads(prompt)
            prompt = chat if is_chat(chat) else prompt
    if is_chat(prompt):
        questions = [message for message in prompt if message["role"] == "user"] or prompt
        return read_question(questions[-1].get("content"))
    if isinstance(prompt, list):
        texts = (part.get("text") if isinstance(part, dict) else read_question(part) for part in prompt)
        return "\n".join(text for text in texts if text)
    return as_text(prompt)


def is_chat(value: Any) -> bool:
    """Return whether a value is a list of messages."""
    return isinstance(value, list) and bool(value) and all(isinstance(one, dict) and "role" in one for one in value)


def flatten(answers: Iterable[Any]) -> list[Any]:
    """Return answers of which each may be a list of several as one list."""
    flat = []
    for answer in answers:
        flat += answer if isinstance(answer, list) else [answer]
    return flat
