"""A question, a reference and an answer that a visitor pasted."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Submission:
    """What the user pasted, and how it is scored.

    Attributes:
        question: the question.
        reference: the right answer, or one on each line if they are `several`.
        answer: the answer to score.
        keywords: the answer keywords.
        several: whether each line of `reference` is a right answer of its own.
        multi_reference: which of several references is read, where a metric leaves the choice.
        min_keyword_recall: the least recall of keywords; None for the module's own.
        whole: whether what the answer thinks aloud is scored too.
    """

    question: str = ""
    reference: str = ""
    answer: str = ""
    keywords: str = ""
    several: bool = False
    multi_reference: str = "first"
    min_keyword_recall: float | None = None
    whole: bool = False

    @property
    def references(self) -> list[str]:
        """The right answers: never none, for a lone one may be empty."""
        if not self.several:
            return [self.reference]
        lines = [line.strip() for line in self.reference.split("\n")]
        return [line for line in lines if line] or [self.reference]
