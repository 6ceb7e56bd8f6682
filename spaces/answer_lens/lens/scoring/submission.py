"""The texts that a visitor pastes: a question, a reference and an answer."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Submission:
    """The texts that the user pasted, and the settings for scoring them.

    Attributes:
        question: the question.
        reference: the right answer; if `has_several_references`, one on each line.
        answer: the answer to score.
        keywords: the answer keywords.
        has_several_references: whether each line of `reference` is a right answer.
        multi_reference: which of several references is read, for metrics with this setting.
        min_keyword_recall: the minimum recall of keywords; None for the module's default.
        whole: whether the thinking in the answer is scored, too.
    """

    question: str = ""
    reference: str = ""
    answer: str = ""
    keywords: str = ""
    has_several_references: bool = False
    multi_reference: str = "first"
    min_keyword_recall: float | None = None
    whole: bool = False

    @property
    def references(self) -> list[str]:
        """The right answers; there is at least one, which may be empty."""
        if not self.has_several_references:
            return [self.reference]
        lines = [line.strip() for line in self.reference.split("\n")]
        return [line for line in lines if line] or [self.reference]
