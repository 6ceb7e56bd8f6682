"""What the metrics made of one block of rows, as it is kept until all are done: numbers, and what judges said."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field

from lens.scoring.catalog import BY_NAME
from lens.scoring.rows import Scored, Told

FORMAT = 2
LACKING = ("no_answer", "no_reference")


@dataclass
class Marks:
    """What one metric made of a block: for each row a value of each series, and by the row's place, counted from 0, the
    reason, the message and the reasoning that it has.
    """

    values: list[tuple[float | None, ...]] = field(default_factory=list)
    said: dict[int, tuple[str, ...]] = field(default_factory=dict)
    told: Told = field(default_factory=Told)
    stopped: str = ""

    def add(self, rows: Sequence[Scored]) -> None:
        """Note the next rows."""
        for row in rows:
            said = (row.reason, row.message, row.reasoning)
            if any(said):
                self.said[len(self.values)] = said
            self.values.append(row.values)

    def row(self, at: int) -> Scored:
        """What the metric says of one row."""
        reason, message, reasoning = self.said.get(at, ("", "", ""))
        return Scored(self.values[at], reason, message, reasoning)

    def reasons(self) -> dict[int, str]:
        """Why rows are not scored."""
        lacking = (at for at, values in enumerate(self.values) if values[0] is None)
        return {at: self.said.get(at, ("",))[0] or "other" for at in lacking}


@dataclass
class Outcome:
    """What the scores of one block come to, by metric. No text of a row is in it but what a judge said.

    `piece` is how many bytes its scored rows have where they are written; -1: they are not.
    """

    number: int
    first: int
    rows: int
    marks: dict[str, Marks] = field(default_factory=dict)
    piece: int = -1

    @property
    def complete(self) -> bool:
        """Whether another run would find nothing more: no metric was stopped, and no judge left a row without a
        verdict that it was asked for.
        """
        judged = [marks for name, marks in self.marks.items() if BY_NAME[name].judge]
        answered = all(reason in LACKING for marks in judged for reason in marks.reasons().values())
        return answered and not any(marks.stopped for marks in self.marks.values())

    def scored(self, at: int) -> dict[str, Scored]:
        """What each metric says of one row of the block."""
        return {name: marks.row(at) for name, marks in self.marks.items()}

    def joined(self, other: Outcome) -> Outcome:
        """Together with what other metrics made of the same block."""
        return Outcome(self.number, self.first, self.rows, self.marks | other.marks)

    def to_json(self) -> str:
        """As text; every float comes back as it was."""
        return json.dumps({"format": FORMAT, **asdict(self)})

    @classmethod
    def from_json(cls, text: str | bytes) -> Outcome:
        """The outcome of which a text tells; ValueError where it is none, such as one that is cut off."""
        try:
            kept = json.loads(text)
            if kept.pop("format") != FORMAT:
                raise ValueError("an outcome of another format")
            marks = {
                name: Marks(
                    [tuple(values) for values in one["values"]],
                    {
                        int(at): tuple(said) for at, said in one["said"].items()
                    },  # JSON has texts for the numbers of rows
                    Told(**one["told"]),
                    one["stopped"],
                )
                for name, one in kept.pop("marks").items()
            }
            found = cls(marks=marks, **kept)
        except (AttributeError, KeyError, TypeError) as error:
            raise ValueError(f"this is no outcome of a block: {error}") from None
        if any(len(one.values) != found.rows for one in marks.values()):
            raise ValueError("this outcome has not as many scores as rows")
        return found
