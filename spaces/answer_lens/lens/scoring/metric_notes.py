"""What one metric says of rows together: signatures, remarks, cost, counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lens.words import module_notes
from lens.words.notes import Note


@dataclass
class MetricNotes:
    """What one metric says of rows together.

    Attributes:
        signatures: those of the module, each once.
        remarks: what the module remarks of all rows: of each its English text as `note`, and its
            key and values.
        cost: in dollars; None if it is unknown.
        corpus_counts: by system the counts that make up the score of all its rows together.
        several: how many rows have several references.
        reads_first: whether only the first of several references is read.
        repeated: about how many rows a judge was asked several times.
        flipped: in how many of these its replies differ.
        warnings: how many rows have each warning, by the names that the modules give them.
        saved: what a judge would have cost on rows that it was not asked about; None if no price
            is known.
    """

    signatures: list[str] = field(default_factory=list)
    remarks: list[dict[str, Any]] = field(default_factory=list)
    cost: float | None = 0.0
    corpus_counts: dict[str, list[int]] = field(default_factory=dict)
    several: int = 0
    reads_first: bool = False
    repeated: int = 0
    flipped: int = 0
    warnings: dict[str, int] = field(default_factory=dict)
    saved: float | None = 0.0

    def add(self, later: MetricNotes) -> None:
        """Add what is said of later rows."""
        for signature in later.signatures:
            if signature not in self.signatures:
                self.signatures.append(signature)
        for remark in later.remarks:
            self.add_remark(remark)
        self.cost = add_prices(self.cost, later.cost)
        self.saved = add_prices(self.saved, later.saved)
        for system, counts in later.corpus_counts.items():
            self.add_counts(system, counts)
        self.several += later.several
        self.reads_first = self.reads_first or later.reads_first
        self.repeated += later.repeated
        self.flipped += later.flipped
        for warning, count in later.warnings.items():
            self.warnings.setdefault(warning, 0)
            self.warnings[warning] += count

    def add_counts(self, system: str, counts: Sequence[int]) -> None:
        """Add the counts of a system's rows to those of its score of all rows together."""
        totals = self.corpus_counts.setdefault(system, [0] * len(counts))
        for place, count in enumerate(counts):
            totals[place] += count

    def add_remark(self, remark: Mapping[str, Any]) -> None:
        """Add a remark on later rows, or its count to an earlier remark that is the same."""
        identity = identify_remark(remark)
        for known in self.remarks:
            if identify_remark(known) != identity:
                continue
            if "count" in remark:
                known["count"] += remark["count"]
            return
        self.remarks.append(dict(remark))

    def list_notes(self) -> list[Note]:
        """Return what the module remarks of all rows."""
        return [describe_remark(remark) for remark in self.remarks]

    def join_signatures(self) -> str:
        """Return one signature of all rows, of which some, say, had no Chinese.

        >>> notes = MetricNotes(["bleu|tokenizer:13a|zh:none", "bleu|tokenizer:13a+zh|zh:jieba"])
        >>> notes.join_signatures()
        'bleu|tokenizer:13a+zh|zh:jieba'
        """
        if len(self.signatures) == 1:
            return self.signatures[0]
        values_by_name: dict[str, set[str]] = {}
        for signature in self.signatures:
            for part in signature.split("|"):
                name, colon, value = part.partition(":")
                values = values_by_name.setdefault(name + colon, set())
                values.update(value.split("+"))
        parts = []
        for name, values in values_by_name.items():
            used = values - {"none"} or values
            parts.append(name + "+".join(sorted(used)))
        return "|".join(parts)


def add_prices(first: float | None, second: float | None) -> float | None:
    """Return the sum of two prices; None if one is unknown."""
    if first is None or second is None:
        return None
    return first + second


def identify_remark(remark: Mapping[str, Any]) -> dict[str, Any]:
    """Return what two remarks share that differ in their counts alone."""
    if not module_notes.is_known(remark):
        return {"note": remark["note"]}
    return leave_out(remark, "note", "count")


def describe_remark(remark: Mapping[str, Any]) -> Note:
    """Return a remark as a note, or in the module's own words where this program has none."""
    if not module_notes.is_known(remark):
        return Note("page.as_it_is", {"text": remark["note"]})
    return module_notes.make_note(leave_out(remark, "note"))


def leave_out(remark: Mapping[str, Any], *names: str) -> dict[str, Any]:
    """Return a remark without some of its values."""
    return {name: value for name, value in remark.items() if name not in names}


def list_remarks(result: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return what a module remarks of all rows.

    An older one of the Hub gives its English sentences alone.
    """
    notes = result["notes"]
    data = result.get("note_data") or [{}] * len(notes)
    remarks = []
    for note, values in zip(notes, data, strict=True):
        remarks.append({"note": str(note), **values})
    return remarks
