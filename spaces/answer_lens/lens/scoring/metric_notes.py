"""The notes of one metric on several rows: signatures, remarks, cost and counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lens.words import module_notes
from lens.words.notes import Note


@dataclass
class MetricNotes:
    """The notes of one metric on several rows.

    Attributes:
        signatures: the signatures of the module, without duplicates.
        remarks: the module's remarks on all rows, each with its English text as `note`, and its key
            and values.
        cost: the cost of a judge in dollars; None if it is unknown.
        corpus_counts: the counts for the score of all rows together (`CorpusScore`), by system.
        rows_with_several_references: the number of rows with several references.
        reads_first_reference: whether only the first of several references is read.
        repeated: the number of rows with several replies of a judge.
        flipped: the number of these rows whose verdicts differ.
        warnings: the number of rows with each warning, by the module's name of the warning.
        saved_cost: the cost of a judge on the rows that it was not asked about, had it been asked;
            None if it is unknown.
    """

    signatures: list[str] = field(default_factory=list)
    remarks: list[dict[str, Any]] = field(default_factory=list)
    cost: float | None = 0.0
    corpus_counts: dict[str, list[int]] = field(default_factory=dict)
    rows_with_several_references: int = 0
    reads_first_reference: bool = False
    repeated: int = 0
    flipped: int = 0
    warnings: dict[str, int] = field(default_factory=dict)
    saved_cost: float | None = 0.0

    def add(self, later: MetricNotes) -> None:
        """Add the notes on later rows."""
        for signature in later.signatures:
            if signature not in self.signatures:
                self.signatures.append(signature)
        for remark in later.remarks:
            self.add_remark(remark)
        self.cost = add_prices(self.cost, later.cost)
        self.saved_cost = add_prices(self.saved_cost, later.saved_cost)
        for system, counts in later.corpus_counts.items():
            self.add_counts(system, counts)
        self.rows_with_several_references += later.rows_with_several_references
        self.reads_first_reference = self.reads_first_reference or later.reads_first_reference
        self.repeated += later.repeated
        self.flipped += later.flipped
        for warning, count in later.warnings.items():
            earlier_count = self.warnings.get(warning, 0)
            self.warnings[warning] = earlier_count + count

    def add_counts(self, system: str, counts: Sequence[int]) -> None:
        """Add the counts of a system's rows to the counts of its corpus score."""
        totals = self.corpus_counts.setdefault(system, [0] * len(counts))
        for position, count in enumerate(counts):
            totals[position] += count

    def add_remark(self, remark: Mapping[str, Any]) -> None:
        """Add a remark on later rows, or only its count if an earlier remark is the same."""
        identity = identify_remark(remark)
        for earlier in self.remarks:
            if identify_remark(earlier) != identity:
                continue
            if "count" in remark:
                earlier["count"] += remark["count"]
            return
        self.remarks.append(dict(remark))

    def list_notes(self) -> list[Note]:
        """Return the module's remarks as notes."""
        return [describe_remark(remark) for remark in self.remarks]

    def join_signatures(self) -> str:
        """Join the signatures of blocks to one, for instance if only some blocks had Chinese texts.

        >>> notes = MetricNotes(["bleu|tokenizer:13a|zh:none", "bleu|tokenizer:13a+zh|zh:jieba"])
        >>> notes.join_signatures()
        'bleu|tokenizer:13a+zh|zh:jieba'
        """
        if len(self.signatures) == 1:
            return self.signatures[0]
        values_by_prefix: dict[str, set[str]] = {}
        for signature in self.signatures:
            for part in signature.split("|"):
                name, colon, value = part.partition(":")
                values = values_by_prefix.setdefault(name + colon, set())
                values.update(value.split("+"))
        parts = []
        for prefix, values in values_by_prefix.items():
            # "none" counts only if no block has another value.
            used_values = values - {"none"} or values
            parts.append(prefix + "+".join(sorted(used_values)))
        return "|".join(parts)


def add_prices(first: float | None, second: float | None) -> float | None:
    """Return the sum of two prices; None if one is unknown."""
    if first is None or second is None:
        return None
    return first + second


def identify_remark(remark: Mapping[str, Any]) -> dict[str, Any]:
    """Return a remark without its count: two remarks are the same if this is equal."""
    if not module_notes.is_known(remark):
        return {"note": remark["note"]}
    return leave_out(remark, "note", "count")


def describe_remark(remark: Mapping[str, Any]) -> Note:
    """Return a remark as a note; an unknown remark keeps the module's text."""
    if not module_notes.is_known(remark):
        return Note("page.as_it_is", {"text": remark["note"]})
    return module_notes.make_note(leave_out(remark, "note"))


def leave_out(remark: Mapping[str, Any], *names: str) -> dict[str, Any]:
    """Return a remark without the values of these names."""
    return {name: value for name, value in remark.items() if name not in names}


def list_remarks(result: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the remarks in a module's result.

    An older module on the Hub returns only English sentences.
    """
    notes = result["notes"]
    no_values: list[dict[str, Any]] = [{}] * len(notes)
    data = result.get("note_data") or no_values
    remarks = []
    for note, values in zip(notes, data, strict=True):
        remark = {"note": str(note), **values}
        remarks.append(remark)
    return remarks
