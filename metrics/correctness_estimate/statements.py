"""A long reference statement by statement: what the answer says, says otherwise, or leaves out, and what it says
besides.

A statement is a sentence, or a part of one with several words that tell something. Beside it stands the answer's
statement that has most of its words, by how rare they are. It differs where the answer contradicts something in it
(contradictions.py), or has another name. All is bounded, so that it is linear in the length.
"""

from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import NamedTuple

from .coverage import share, weigher
from .contradictions import Contradiction
from .wording import Text
from .word_lists import STOP

LEAST_WORDS = 4  # that tell something, in a statement
MOST = 40  # statements of a text
SAID, BESIDES = 0.5, 0.25  # of a statement's words by weight: from here on it is said; below, it is of something else
ALIKE = 0.45  # how much of each of two statements the other has that may differ in a name
SHOWN = 0.4  # how far a contradiction tells anything that is shown
SINGLE = 0.15  # the more where a word is a single character
# With these a part of a sentence begins that says something of its own.
JOINTS = frozenset("and but while whereas because since so or although though which then however".split())
BY_EVIDENCE = attrgetter("evidence")
KINDS = ("said", "differs", "missing", "besides")


class Part(NamedTuple):
    """A statement of a text: from where to where it stands, and its stems that tell something."""

    start: int
    end: int
    stems: frozenset[str]


class Statement(NamedTuple):
    """One statement: of KINDS which, what the answer has, what the reference has, and what differs (a kind of "
    "reason).
    """

    kind: str
    found: str
    expected: str
    differs: str


def parts_of(text: Text) -> list[Part]:
    """Return the statements of a text."""
    found: list[Part] = []
    start, stems = 0, list[str]()
    last = len(text.words) - 1
    for i, word in enumerate(text.words):
        if word not in STOP:
            stems.append(text.stems[i])
        ends = i == last or text.sentence[i + 1] != text.sentence[i]
        pause = not ends and text.clause[i + 1] != text.clause[i] and (text.han or text.words[i + 1] in JOINTS)
        if ends or (pause and len(stems) >= LEAST_WORDS):
            short = len(stems) < LEAST_WORDS and found and text.sentence[found[-1].start] == text.sentence[i]
            if short:  # what is left of a sentence
                before = found.pop()
                start, stems = before.start, [*before.stems, *stems]
            if stems:
                found.append(Part(start, i + 1, frozenset(stems)))
            start, stems = i + 1, []
    return found[:MOST]


def statements(
    answer: Text, reference: Text, question: Text, contradictions: Sequence[Contradiction]
) -> list[Statement]:
    """Return the statements of a reference that has two or more, each beside the answer's, and what is said besides."""
    wanted, told = parts_of(reference), parts_of(answer)
    if len(wanted) < 2 or not told:
        return []
    weight = weigher({one for part in (*wanted, *told) for one in part.stems})
    against_it = [one for one in contradictions if one.kind != "asked" and one.evidence >= SHOWN]
    found, used = list[Statement](), set[int]()
    for part in wanted:
        shares = [share(set(part.stems & other.stems), set(part.stems), weight) for other in told]
        at = max(range(len(told)), key=lambda i: shares[i])
        wide = range(max(at - 1, 0), min(at + 2, len(told)))
        around = share(set(part.stems & frozenset().union(*(told[i].stems for i in wide))), set(part.stems), weight)
        near, expected = told[at], reference.span(part.start, part.end)
        inside = (one for one in against_it if part.start <= one.expected < part.end)
        against = max(inside, key=BY_EVIDENCE, default=None)
        both = min(shares[at], share(set(part.stems & near.stems), set(near.stems), weight))
        if against:
            near = next((one for one in told if one.start <= against.found < one.end), near)
            kind = "denied" if against.kind == "affirmed" else against.kind
            found.append(Statement("differs", answer.span(near.start, near.end), expected, kind))
        elif both >= ALIKE + SINGLE * reference.han and other_name(answer, near, reference, part):
            found.append(Statement("differs", answer.span(near.start, near.end), expected, "name"))
        elif around >= SAID:
            found.append(Statement("said", answer.span(near.start, near.end), expected, ""))
        else:
            found.append(Statement("missing", "", expected, ""))
            continue
        used.update(i for i in wide if share(set(part.stems & told[i].stems), set(told[i].stems), weight) > BESIDES)
    known = {one for part in wanted for one in part.stems} | set(question.stems)
    for i, part in enumerate(told):
        if i not in used and share(set(part.stems & known), set(part.stems), weight) < BESIDES:
            found.append(Statement("besides", answer.span(part.start, part.end), "", ""))
    return found


def other_name(answer: Text, near: Part, reference: Text, part: Part) -> bool:
    """Return whether a name of a statement is nowhere in the answer, and a strange one stands in its statement."""
    own = [set(reference.stems[a:b]) for a, b in reference.names if part.start <= a < part.end]
    strange = [set(answer.stems[a:b]) for a, b in answer.names if near.start <= a < near.end]
    lost = [one for one in own if one.isdisjoint(answer.places) and not any(s[0].isdigit() for s in one)]
    return bool(lost) and any(
        one.isdisjoint(reference.places) and not any(s[0].isdigit() for s in one) for one in strange
    )


def statement_features(found: Sequence[Statement]) -> Iterator[tuple[str, float]]:
    """Yield how many statements of a reference are said, and how many differ; -1 where it has fewer than two."""
    kinds = [one.kind for one in found if one.expected]
    yield "statements_said", kinds.count("said") / len(kinds) if kinds else -1.0
    yield "statements_differ", min(4.0, kinds.count("differs"))
