"""Compare a long reference statement by statement with an answer.

A statement is a sentence, or a part of a sentence with several words that tell something. Each
statement of the reference is compared with the answer's statement that has most of its words,
weighted by how rare they are. It is said, it differs, or it is missing. It differs if the answer
contradicts something in it (contradictions.py) or has another name. The answer may add statements.
The numbers of statements and of contradictions are bounded, so the time is linear in the length.
"""

from collections.abc import Sequence, Set
from dataclasses import dataclass
from operator import attrgetter
from typing import NamedTuple

from .contradictions import Contradiction
from .matching import measure_share, weigh_stems
from .lexicon import STOP_WORDS
from .text import Text

FEWEST_STEMS = 4  # of words that tell something, in a statement that ends within a sentence
MOST_STATEMENTS = 40  # of a text
SAID_SHARE = 0.5  # a statement is said if the answer has this share of its words, by weight
OTHER_SHARE = 0.25  # below this share, a statement tells of something else
NAMED_SHARE = 0.45  # two statements that differ in a name share this share of their words
MORE_IN_CHINESE = 0.15  # is added to NAMED_SHARE, because a Chinese word is a single character
SHOWN_EVIDENCE = 0.4  # of a contradiction that is shown
# Words with which a part of a sentence begins that says something of its own.
JOINTS = frozenset(
    "and but while whereas because since so or although though which then however".split()
)


@dataclass(frozen=True)
class Part:
    """A statement of a text: its range of words, and its stems that tell something."""

    start: int
    end: int
    stems: frozenset[str]


class Statement(NamedTuple):
    """The result for one statement.

    Attributes:
        kind: said, differs, missing or besides (only the answer has it).
        found: the words of the answer.
        expected: the words of the reference.
        differs: the kind of a contradiction, or "".
    """

    kind: str
    found: str
    expected: str
    differs: str


def split_statements(text: Text) -> list[Part]:
    """Return the statements of a text, at most MOST_STATEMENTS.

    A sentence is cut before a word such as "and" if the part before that word has FEWEST_STEMS. A
    last part with fewer is joined to the part before it.
    """
    parts = list[Part]()
    start = 0  # of the part that is read
    stems = list[str]()
    for i, word in enumerate(text.words):
        if word not in STOP_WORDS:
            stems.append(text.stems[i])
        is_long = len(stems) >= FEWEST_STEMS
        ends_part = is_long and not ends_sentence(text, i) and is_joint(text, i)
        if not ends_part and not ends_sentence(text, i):
            continue
        continues_sentence = bool(parts) and text.sentence[parts[-1].start] == text.sentence[i]
        if continues_sentence and not is_long:
            previous = parts.pop()
            start, stems = previous.start, [*previous.stems, *stems]
        if stems:
            parts.append(Part(start, i + 1, frozenset(stems)))
        start, stems = i + 1, []
    return parts[:MOST_STATEMENTS]


def ends_sentence(text: Text, i: int) -> bool:
    """Return whether a word is the last of its sentence."""
    return i == len(text.words) - 1 or text.sentence[i + 1] != text.sentence[i]


def is_joint(text: Text, i: int) -> bool:
    """Return whether a part of a sentence that says something of its own begins after a word."""
    if text.clause[i + 1] == text.clause[i]:
        return False
    return text.is_chinese or text.words[i + 1] in JOINTS


def compare_statements(
    answer: Text,
    reference: Text,
    question: Text,
    contradictions: Sequence[Contradiction],
) -> list[Statement]:
    """Return the results for a reference's statements, and the statements that an answer adds.

    The list is empty if the reference has fewer than two statements or the answer has none.
    """
    comparison = StatementComparison(answer, reference, contradictions)
    if len(comparison.reference_parts) < 2 or not comparison.answer_parts:
        return []
    compared = [comparison.compare_part(part) for part in comparison.reference_parts]
    return compared + comparison.list_further_statements(question)


class StatementComparison:
    """Compares the statements of a reference with those of an answer.

    Attributes:
        answer, reference: the texts.
        answer_parts, reference_parts: their statements.
        weight: the weight of each stem.
        contradictions: those with enough evidence to be shown.
        used: the numbers of the answer's statements that tell of a statement of the reference.
    """

    def __init__(
        self, answer: Text, reference: Text, contradictions: Sequence[Contradiction]
    ) -> None:
        """Split both texts into statements."""
        self.answer, self.reference = answer, reference
        self.answer_parts = split_statements(answer)
        self.reference_parts = split_statements(reference)
        stems = set[str]()
        for part in (*self.answer_parts, *self.reference_parts):
            stems |= part.stems
        self.weight = weigh_stems(stems)
        self.contradictions = [
            contradiction
            for contradiction in contradictions
            if contradiction.evidence >= SHOWN_EVIDENCE
        ]
        self.used = set[int]()

    def compare_part(self, part: Part) -> Statement:
        """Return the result for one statement of the reference."""
        shares = [self.share_stems(part.stems, other.stems) for other in self.answer_parts]
        nearest = shares.index(max(shares))
        first, end = max(nearest - 1, 0), min(nearest + 2, len(self.answer_parts))
        nearest_and_neighbours = range(first, end)
        differs, answer_part = self.find_difference(part, self.answer_parts[nearest])
        expected = quote_part(self.reference, part)
        if not differs and not self.is_said(part, nearest_and_neighbours):
            return Statement("missing", "", expected, "")
        self.mark_used(part, nearest_and_neighbours)
        found = quote_part(self.answer, answer_part)
        return Statement("differs" if differs else "said", found, expected, differs)

    def find_difference(self, part: Part, nearest: Part) -> tuple[str, Part]:
        """Return the kind of a difference and the answer's statement that has it.

        Without a difference these are "" and the nearest statement of the answer.
        """
        contradiction = find_contradiction(part, self.contradictions)
        if contradiction:
            kind = "denied" if contradiction.kind == "affirmed" else contradiction.kind
            return kind, self.find_part(contradiction.found, nearest)
        return "name" if self.has_other_name(nearest, part) else "", nearest

    def is_said(self, part: Part, candidates: range) -> bool:
        """Return whether the candidates among the answer's statements have most of a part."""
        stems = set[str]()
        for i in candidates:
            stems |= self.answer_parts[i].stems
        return self.share_stems(part.stems, stems) >= SAID_SHARE

    def find_part(self, i: int, default: Part) -> Part:
        """Return the answer's statement that has a word, or a default."""
        return next((part for part in self.answer_parts if part.start <= i < part.end), default)

    def mark_used(self, part: Part, candidates: range) -> None:
        """Mark the candidates among the answer's statements that tell of the same as a part."""
        for i in candidates:
            if self.share_stems(self.answer_parts[i].stems, part.stems) > OTHER_SHARE:
                self.used.add(i)

    def has_other_name(self, answer_part: Part, part: Part) -> bool:
        """Return whether two statements say the same of two names."""
        least_share = NAMED_SHARE + MORE_IN_CHINESE * self.reference.is_chinese
        shares = (
            self.share_stems(part.stems, answer_part.stems),
            self.share_stems(answer_part.stems, part.stems),
        )
        if min(shares) < least_share:
            return False
        has_missing_name = has_name_of_its_own(self.reference, part, self.answer)
        return has_missing_name and has_name_of_its_own(self.answer, answer_part, self.reference)

    def list_further_statements(self, question: Text) -> list[Statement]:
        """Return the answer's statements that neither the reference nor the question has."""
        known = set(question.stems)
        for part in self.reference_parts:
            known |= part.stems
        further = list[Statement]()
        for i, part in enumerate(self.answer_parts):
            if i not in self.used and self.share_stems(part.stems, known) < OTHER_SHARE:
                further.append(Statement("besides", quote_part(self.answer, part), "", ""))
        return further

    def share_stems(self, stems: Set[str], other_stems: Set[str]) -> float:
        """Return the share of some stems that others have, too, by weight."""
        return measure_share(set(stems & other_stems), set(stems), self.weight)


def find_contradiction(part: Part, contradictions: Sequence[Contradiction]) -> Contradiction | None:
    """Return the contradiction of a statement with the most evidence, or None."""
    inside = list[Contradiction]()
    for contradiction in contradictions:
        if part.start <= contradiction.expected < part.end:
            inside.append(contradiction)
    return max(inside, key=attrgetter("evidence"), default=None)


def quote_part(text: Text, part: Part) -> str:
    """Return the words of a statement as they were written."""
    return text.span(part.start, part.end)


def has_name_of_its_own(text: Text, part: Part, other: Text) -> bool:
    """Return whether a statement has a name that another text has nowhere; a number is no name."""
    for start, end in text.names:
        if not part.start <= start < part.end:
            continue
        stems = text.stems[start:end]
        has_number = any(stem[0].isdigit() for stem in stems)
        if not has_number and other.places.keys().isdisjoint(stems):
            return True
    return False
