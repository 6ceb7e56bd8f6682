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
        cost: in dollars; None where it is unknown.
        corpus_counts: by system the counts that make up the score of all its rows together.
        several: how many rows have several references.
        reads_first: whether only the first of several references is read.
        repeated: about how many rows a judge was asked several times.
        flipped: in how many of these its replies differ.
        warnings: how many rows have each warning, by the names that the modules give them.
        saved: what a judge would have cost on rows that it was not asked about; None where no price
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
        self.signatures = list(dict.fromkeys([*self.signatures, *later.signatures]))
        for remark in later.remarks:
            self.add_remark(remark)
        self.cost = None if self.cost is None or later.cost is None else self.cost + later.cost
        for system, counts in later.corpus_counts.items():
            self.add_counts(system, counts)
        self.several += later.several
        self.reads_first = self.reads_first or later.reads_first
        self.repeated += later.repeated
        self.flipped += later.flipped
        self.saved = None if self.saved is None or later.saved is None else self.saved + later.saved
        for warning, count in later.warnings.items():
            self.warnings[warning] = self.warnings.get(warning, 0) + count

    def add_counts(self, system: str, counts: Sequence[int]) -> None:
        """Add the counts of a system's rows to those of its score of all rows together."""
        before = self.corpus_counts.get(system, [0] * len(counts))
        self.corpus_counts[system] = [one + more for one, more in zip(before, counts, strict=True)]

    def add_remark(self, remark: Mapping[str, Any]) -> None:
        """Add a remark on later rows; one that differs from an earlier one in its count alone is
        counted there.
        """
        for known in self.remarks:
            if identify_remark(known) == identify_remark(remark):
                if "count" in remark:
                    known["count"] += remark["count"]
                return
        self.remarks.append(dict(remark))

    def list_notes(self) -> list[Note]:
        """Return what the module remarks of all rows."""
        return [describe_remark(remark) for remark in self.remarks]

    def join_signatures(self) -> str:
        """Return one signature of all rows, of which some, say, had no Chinese.

        >>> MetricNotes(["bleu|tokenizer:13a|zh:none", "bleu|tokenizer:13a+zh|zh:jieba"]).join_signatures()
        'bleu|tokenizer:13a+zh|zh:jieba'
        """
        has_several = len(self.signatures) > 1
        values_by_name: dict[str, set[str]] = {}
        for signature in self.signatures:
            for part in signature.split("|"):
                name, colon, value = part.partition(":")
                values = value.split("+") if has_several else [value]
                values_by_name.setdefault(name + colon, set()).update(values)
        parts = []
        for name, distinct in values_by_name.items():
            used = distinct - {"none"} or distinct
            parts.append(name + "+".join(sorted(used)))
        return "|".join(parts)


def identify_remark(remark: Mapping[str, Any]) -> tuple[object, ...]:
    """Return what two remarks share that differ in their counts alone."""
    if not module_notes.is_known(remark):
        return (remark["note"],)
    return tuple((name, value) for name, value in remark.items() if name not in ("note", "count"))


def describe_remark(remark: Mapping[str, Any]) -> Note:
    """Return a remark as a note; what this program has no words for is shown as
    the module says it.
    """
    if not module_notes.is_known(remark):
        return Note("page.as_it_is", {"text": remark["note"]})
    return module_notes.make_note({name: value for name, value in remark.items() if name != "note"})


def list_remarks(result: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return what a module remarks of all rows; an older one of the Hub gives its English sentences
    alone.
    """
    notes = list(map(str, result["notes"]))
    data = result.get("note_data") or [{}] * len(notes)
    return [{"note": note, **values} for note, values in zip(notes, data, strict=True)]
