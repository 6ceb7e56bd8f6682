"""A long reference statement by statement: what the answer says, says otherwise, or leaves out, and what it says
besides.

A statement is a sentence, or a part of one with several words that tell something. Beside it stands the answer's
statement that has most of its words, by how rare they are. It differs where a number, date or name is another, where
one denies what the other says, where a word stands for its opposite, or where two things have changed places: a number
belongs to the words around it. All is bounded, so that it is linear in the length.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from .coverage import share, weigher
from .opposites import opposites
from .quantities import Quantity, agree
from .wording import Text
from .word_lists import NEGATIVE_PREFIX, STOP

LEAST_WORDS = 4  # that tell something, in a statement
MOST = 40  # statements of a text
SAID, BESIDES = 0.5, 0.25  # of a statement's words by weight: from here on it is said; below, it is of something else
# How much of each of two statements the other has that may differ in a number or date, and in what tells less.
ABOUT, LIKE = 0.3, {"denied": 0.5, "opposite": 0.4, "swapped": 0.5, "name": 0.45}
SINGLE = 0.15  # the more where a word is a single character
NEAR = 3  # words on either side that a thing belongs to
MOST_THINGS = 30  # of a text that may have changed places
# With these a part of a sentence begins that says something of its own.
JOINTS = frozenset("and but while whereas because since so or although though which then however".split())
BE = frozenset("is are was were be been being".split())
PARTICIPLE = re.compile("(?:ed|en|wn|ght|un|ung|uck|ade|eld|uilt|ound|ost|old|aid|ent|one)$")
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


def statements(answer: Text, reference: Text, question: Text) -> list[Statement]:
    """Return the statements of a reference that has two or more, each beside the answer's, and what is said besides."""
    wanted, told = parts_of(reference), parts_of(answer)
    if len(wanted) < 2 or not told:
        return []
    weight = weigher({one for part in (*wanted, *told) for one in part.stems})
    changed = swapped(answer, reference)
    found, used = list[Statement](), set[int]()
    for part in wanted:
        shares = [share(set(part.stems & other.stems), set(part.stems), weight) for other in told]
        at = max(range(len(told)), key=lambda i: shares[i])
        wide = range(max(at - 1, 0), min(at + 2, len(told)))
        around = share(set(part.stems & frozenset().union(*(told[i].stems for i in wide))), set(part.stems), weight)
        near, expected = told[at], reference.span(part.start, part.end)
        region = told[wide[0]].start, told[wide[-1]].end
        differs = difference(answer, near, region, reference, part) or ("swapped" if changed & part.stems else "")
        both = min(shares[at], share(set(part.stems & near.stems), set(near.stems), weight))
        if differs and both >= LIKE.get(differs, ABOUT) + SINGLE * reference.han:
            found.append(Statement("differs", answer.span(near.start, near.end), expected, differs))
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


def difference(answer: Text, near: Part, region: tuple[int, int], reference: Text, part: Part) -> str:
    """Return what differs between a statement and the answer's, or those beside it; "" where nothing does."""
    own, other = quantities_in(reference, part.start, part.end), quantities_in(answer, near.start, near.end)
    wide = quantities_in(answer, *region)
    missed = [one for one in own if not any(agree(one, q) for q in wide) and not written(one, answer)]
    strange = [one for one in other if not any(agree(one, q) for q in reference.quantities)]
    for one in missed:
        if rival := next((q for q in strange if q.kind == one.kind or {q.kind, one.kind} == {"date", "number"}), None):
            same = one.kind == rival.kind == "number" and one.written == rival.written
            return "unit" if same else "date" if one.kind == "date" else "number"
    flips = opposite_words(answer, near, reference, part)
    if (denied(answer, near) + denied(reference, part)) % 2 != bool(flips):
        return "opposite" if flips else "denied"
    return "name" if other_name(answer, near, reference, part) else ""


def quantities_in(text: Text, start: int, end: int) -> list[Quantity]:
    """Return the numbers and dates that stand in some words of a text."""
    first, last = text.starts[start], text.starts[end - 1]
    return [one for one in text.quantities if first <= one.start <= last]


def written(one: Quantity, text: Text) -> bool:
    """Return whether a number stands in a text letter by letter, as part of something else."""
    return one.text.lower() in text.by_word


def denied(text: Text, part: Part) -> int:
    """Return how often a statement is denied."""
    return sum(part.start <= i < part.end for i in text.denials)


def opposite_words(answer: Text, near: Part, reference: Text, part: Part) -> set[str]:
    """Return words of a statement whose opposite, and not they, stands in the answer's statement."""
    said, own = (set(text.stems[some.start : some.end]) for text, some in ((answer, near), (reference, part)))
    table = opposites()
    found = {one for one in own - said if not said.isdisjoint(table.get(one, ())) and table[one].isdisjoint(own)}
    pairs = ((one, other) for one, other in ((own, said), (said, own)))
    for one, other in pairs:
        found |= {word for word in one - other if NEGATIVE_PREFIX.sub("", word) in other - one}
    return found


def other_name(answer: Text, near: Part, reference: Text, part: Part) -> bool:
    """Return whether a name of a statement is nowhere in the answer, and a strange one stands in its statement."""
    own = [set(reference.stems[a:b]) for a, b in reference.names if part.start <= a < part.end]
    strange = [set(answer.stems[a:b]) for a, b in answer.names if near.start <= a < near.end]
    lost = [one for one in own if one.isdisjoint(answer.places) and not any(s[0].isdigit() for s in one)]
    return bool(lost) and any(
        one.isdisjoint(reference.places) and not any(s[0].isdigit() for s in one) for one in strange
    )


Sides = frozenset[tuple[str, str]]


def sides(text: Text, at: int, solid: Sequence[int], place: int, passive: set[int]) -> Sides:
    """Return what stands before and after a thing in its clause; where something is done by somebody, the other way."""
    found = set()
    for step in (*range(-NEAR, 0), *range(1, NEAR + 1)):
        if 0 <= place + step < len(solid) and text.clause[solid[place + step]] == text.clause[at]:
            before = (step < 0) != (text.clause[at] in passive)
            found.add(("before" if before else "after", text.stems[solid[place + step]]))
    return frozenset(found)


def passive_clauses(text: Text) -> set[int]:
    """Return the clauses that say by whom something was done."""
    done = {
        text.clause[i]
        for i, word in enumerate(text.words)
        if i and word == "by" and PARTICIPLE.search(text.words[i - 1])
    }
    return {text.clause[i] for i, word in enumerate(text.words) if word in BE and text.clause[i] in done}


def swapped(answer: Text, reference: Text) -> set[str]:
    """Return the stems of things that have changed places: each stands in the answer where the other did."""
    found: list[dict[str, Sides]] = []
    for text in (reference, answer):
        solid = [i for i, word in enumerate(text.words) if word not in STOP]
        once = [(place, i) for place, i in enumerate(solid) if len(text.places[text.stems[i]]) == 1]
        passive = passive_clauses(text)
        found.append({text.stems[i]: sides(text, i, solid, place, passive) for place, i in once})
    before, after = found
    moved = [one for one in before if one in after and 2 * len(before[one] & after[one]) < len(before[one])][
        :MOST_THINGS
    ]
    result: set[str] = set()
    for k, one in enumerate(moved):
        for other in moved[k + 1 :]:
            names = {("before", one), ("after", one), ("before", other), ("after", other)}
            crossed = len((before[one] & after[other]) - names), len((before[other] & after[one]) - names)
            kept = len((before[one] & after[one]) - names) + len((before[other] & after[other]) - names)
            if min(crossed) > 0 and sum(crossed) > kept + 1:
                result |= {one, other}
    return result


def statement_features(found: Sequence[Statement]) -> Iterator[tuple[str, float]]:
    """Yield how many statements of a reference are said, and how many differ; -1 where it has fewer than two."""
    kinds = [one.kind for one in found if one.expected]
    yield "statements_said", kinds.count("said") / len(kinds) if kinds else -1.0
    yield "statements_differ", min(4.0, kinds.count("differs"))
