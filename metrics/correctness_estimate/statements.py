"""Compare a long reference statement by statement with an answer.

Each statement is said, said otherwise, or left out; the answer may add others.

A statement is a sentence, or a part of one with several words that tell something. It is set beside
the answer's statement that has most of its words, by how rare they are. It differs where the answer
contradicts something in it (contradictions.py), or has another name. All is bounded, so that it is
linear in the length.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import NamedTuple

from .contradictions import Contradiction
from .features import measure_share, weigh_stems
from .lexicon import STOP_WORDS
from .text import Text

LEAST_WORDS = 4  # that tell something, in a statement
MOST_STATEMENTS = 40  # of a text
SAID_SHARE = 0.5  # of a statement's words by weight: from here on it is said
OTHER_SHARE = 0.25  # below, it is of something else
NAMED_SHARE = 0.45  # how much of each of two statements the other has that may differ in a name
MORE_IN_CHINESE = 0.15  # the more where a word is a single character
SHOWN_EVIDENCE = 0.4  # of a contradiction that is shown
# With these a part of a sentence begins that says something of its own.
JOINTS = frozenset(
    "and but while whereas because since so or although though which then however".split()
)


@dataclass(frozen=True)
class Part:
    """A statement of a text: from where to where it stands, and its stems that tell something."""

    start: int
    end: int
    stems: frozenset[str]


class Statement(NamedTuple):
    """One statement.

    Attributes:
        kind: said, differs, missing or besides.
        found: what the answer has.
        expected: what the reference has.
        differs: the kind of a contradiction.
    """

    kind: str
    found: str
    expected: str
    differs: str


def split_statements(text: Text) -> list[Part]:
    """Return the statements of a text."""
    found = list[Part]()
    start = 0
    stems = list[str]()
    last = len(text.words) - 1
    for i, word in enumerate(text.words):
        if word not in STOP_WORDS:
            stems.append(text.stems[i])
        is_end = i == last or text.sentence[i + 1] != text.sentence[i]
        if not is_end and not (len(stems) >= LEAST_WORDS and is_joint(text, i)):
            continue
        is_rest = (
            len(stems) < LEAST_WORDS
            and found
            and text.sentence[found[-1].start] == text.sentence[i]
        )
        if is_rest:  # what is left of a sentence belongs to its part before
            before = found.pop()
            start, stems = before.start, [*before.stems, *stems]
        if stems:
            found.append(Part(start, i + 1, frozenset(stems)))
        start, stems = i + 1, []
    return found[:MOST_STATEMENTS]


def is_joint(text: Text, i: int) -> bool:
    """Return whether a part of a sentence that says something of its own begins behind a word."""
    return text.clause[i + 1] != text.clause[i] and (text.is_chinese or text.words[i + 1] in JOINTS)


def compare_statements(
    answer: Text,
    reference: Text,
    question: Text,
    contradictions: Sequence[Contradiction],
) -> list[Statement]:
    """Return the statements of a reference, each with the answer's, and what the answer adds.

    A reference with fewer than two statements has none.
    """
    wanted, said = split_statements(reference), split_statements(answer)
    if len(wanted) < 2 or not said:
        return []
    weight = weigh_stems({stem for part in (*wanted, *said) for stem in part.stems})
    shown = [one for one in contradictions if one.evidence >= SHOWN_EVIDENCE]
    found = list[Statement]()
    used = set[int]()
    for part in wanted:
        shares = [share_stems(part.stems, other.stems, weight) for other in said]
        at = max(range(len(said)), key=lambda i: shares[i])
        near = range(max(at - 1, 0), min(at + 2, len(said)))
        around = frozenset().union(*(said[i].stems for i in near))
        against = find_contradiction(part, shown)
        if against:
            near_part = next(
                (one for one in said if one.start <= against.found < one.end), said[at]
            )
            differs = "denied" if against.kind == "affirmed" else against.kind
        else:
            near_part = said[at]
            differs = name_other(answer, near_part, reference, part, weight)
        text, expected = quote_part(answer, near_part), quote_part(reference, part)
        if differs:
            found.append(Statement("differs", text, expected, differs))
        elif share_stems(part.stems, around, weight) >= SAID_SHARE:
            found.append(Statement("said", text, expected, ""))
        else:
            found.append(Statement("missing", "", expected, ""))
            continue
        used.update(i for i in near if share_stems(said[i].stems, part.stems, weight) > OTHER_SHARE)
    known = frozenset(stem for part in wanted for stem in part.stems) | set(question.stems)
    for i, part in enumerate(said):
        if i not in used and share_stems(part.stems, known, weight) < OTHER_SHARE:
            found.append(Statement("besides", quote_part(answer, part), "", ""))
    return found


def find_contradiction(part: Part, shown: Sequence[Contradiction]) -> Contradiction | None:
    """Return the strongest contradiction of a statement."""
    inside = [one for one in shown if part.start <= one.expected < part.end]
    return max(inside, key=attrgetter("evidence"), default=None)


def name_other(
    answer: Text,
    near: Part,
    reference: Text,
    part: Part,
    weight: dict[str, float],
) -> str:
    """Return "name" where two statements say the same of two names, else ""."""
    least = NAMED_SHARE + MORE_IN_CHINESE * reference.is_chinese
    shared = min(
        share_stems(part.stems, near.stems, weight), share_stems(near.stems, part.stems, weight)
    )
    return "name" if shared >= least and replaces_name(answer, near, reference, part) else ""


def share_stems(stems: frozenset[str], other: frozenset[str], weight: dict[str, float]) -> float:
    """Return the share of a statement's words that another has, by weight."""
    return measure_share(set(stems & other), set(stems), weight)


def quote_part(text: Text, part: Part) -> str:
    """Return a statement as it was written."""
    return text.span(part.start, part.end)


def replaces_name(
    answer: Text,
    near: Part,
    reference: Text,
    part: Part,
) -> bool:
    """Return whether the answer replaces a name of a statement by a strange one."""
    missing = find_missing_names(reference, part, answer)
    return bool(missing) and bool(find_missing_names(answer, near, reference))


def find_missing_names(text: Text, part: Part, other: Text) -> list[set[str]]:
    """Return the names of a statement that another text has nowhere; a number is no name."""
    found = list[set[str]]()
    for start, end in text.names:
        stems = set(text.stems[start:end])
        has_number = any(stem[0].isdigit() for stem in stems)
        if part.start <= start < part.end and stems.isdisjoint(other.places) and not has_number:
            found.append(stems)
    return found
