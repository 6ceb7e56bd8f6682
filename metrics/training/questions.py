"""Questions with the answers that people judged, and made-up answers to them."""

from typing import NamedTuple


class MadeAnswer(NamedTuple):
    """A made-up answer to a question, and whether it is right."""

    kind: str
    question: str
    references: tuple[str, ...]
    answer: str
    right: bool


class NumberedAnswer(NamedTuple):
    """A made-up answer, with the number of its question."""

    question_number: int
    answer: MadeAnswer


class Question(NamedTuple):
    """A question, its references, and the answers that people found right and wrong."""

    text: str
    references: tuple[str, ...]
    right_answers: tuple[str, ...] = ()
    wrong_answers: tuple[str, ...] = ()

    def make_answer(self, kind: str, answer: str, right: bool) -> MadeAnswer:
        """Return a made-up answer to this question."""
        return MadeAnswer(kind, self.text, self.references, answer, right)

    def use_reference(self, reference: str) -> "Question":
        """Return this question with one other reference instead of its own."""
        return self._replace(references=(reference,))
