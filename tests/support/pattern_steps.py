"""Count the steps in which a regular expression reads a text, as Python's own `re` goes about it:
by backtracking.

`re` does not tell its steps, and a clock tells how busy a machine is. This matcher follows the same
tree in the same order, and counts each comparison of a character and each position that is tried.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from typing import Any

try:
    from re import _constants as constants  # type: ignore[attr-defined]
    from re import _parser as parser  # type: ignore[attr-defined]
except ImportError:  # Python 3.10
    import sre_constants as constants  # type: ignore[no-redef]
    import sre_parse as parser  # type: ignore[no-redef]

# A matcher takes a position and what comes next, and says whether both match.
Next = Callable[[int], bool]
Matcher = Callable[[int, Next], bool]
Node = tuple[Any, Any]

SINGLE = {"LITERAL", "NOT_LITERAL", "ANY", "IN"}
REPEATS = {"MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"}
UNBOUNDED = int(constants.MAXREPEAT)
sys.setrecursionlimit(max(sys.getrecursionlimit(), 50_000))


class TooMany(Exception):
    """More steps than are counted."""


def parse_pattern(pattern: re.Pattern[str]) -> Any:
    """Return the tree of a pattern."""
    return parser.parse(pattern.pattern, pattern.flags & ~re.UNICODE)


def in_category(name: str, char: str) -> bool:
    """Return whether a character is of a category such as \\w."""
    kind = name.removeprefix("CATEGORY_").removeprefix("UNI_")
    positive = kind.removeprefix("NOT_")
    found = {
        "DIGIT": char.isdecimal(),
        "SPACE": char.isspace(),
        "WORD": char.isalnum() or char == "_",
    }[positive]
    return found != (kind != positive)


def accepts_character(node: Node, char: str, flags: int) -> bool:
    """Return whether a node that takes one character takes this one."""
    kind, value = str(node[0]), node[1]
    if kind == "ANY":
        return bool(flags & re.DOTALL) or char != "\n"
    variants = {char, char.lower(), char.upper()} if flags & re.IGNORECASE else {char}
    if kind == "LITERAL":
        return chr(value) in variants
    if kind == "NOT_LITERAL":
        return chr(value) not in variants
    negated = str(value[0][0]) == "NEGATE"
    return any(has_item(item, one) for item in value[negated:] for one in variants) != negated


def has_item(item: Node, char: str) -> bool:
    """Return whether an item of a set, such as a-z, has a character."""
    kind, value = str(item[0]), item[1]
    if kind == "LITERAL":
        return ord(char) == value
    if kind == "RANGE":
        return bool(value[0] <= ord(char) <= value[1]) if len(char) == 1 else False
    return in_category(str(value), char)


def note_ends(ends: list[int]) -> Next:
    """Return what ends a match, and notes where."""

    def note(end: int) -> bool:
        ends.append(end)
        return True

    return note


class Steps:
    """One pattern on one text: how many steps it takes."""

    def __init__(self, pattern: re.Pattern[str], text: str, most: int) -> None:
        self.pattern, self.text, self.most, self.count = pattern, text, most, 0
        self.groups: dict[int, tuple[int, int]] = {}
        self.known: dict[tuple[int, str], bool] = {}
        self.match = self.sequence(parse_pattern(pattern), pattern.flags)

    def step(self) -> None:
        """Count a step."""
        self.count += 1
        if self.count > self.most:
            raise TooMany

    def find_all(self) -> int:
        """Return the steps of a search from everywhere, as `findall` and `sub` go about it."""
        place = 0
        while place <= len(self.text):
            end = self.find_end(place)
            place = place + 1 if end is None or end == place else end
        return self.count

    def find_end(self, place: int) -> int | None:
        """Return where the match ends that begins at a place; None where there is none."""
        ends: list[int] = []
        self.step()
        self.groups.clear()
        found = self.match(place, note_ends(ends))
        return ends[-1] if found else None

    def takes(self, node: Node, place: int, flags: int) -> bool:
        """Return whether a node that takes one character takes the one at a place."""
        self.step()
        if place >= len(self.text):
            return False
        key = (id(node), self.text[place])
        if key not in self.known:
            self.known[key] = accepts_character(node, self.text[place], flags)
        return self.known[key]

    def sequence(self, nodes: Sequence[Node], flags: int) -> Matcher:
        """Return what matches nodes one after another."""
        matchers = [self.matcher(node, flags) for node in nodes]

        def match(at: int, place: int, then: Next) -> bool:
            if at == len(matchers):
                return then(place)
            return matchers[at](place, lambda end: match(at + 1, end, then))

        return lambda place, then: match(0, place, then)

    def matcher(self, node: Node, flags: int) -> Matcher:
        """Return what matches a node."""
        kind, value = str(node[0]), node[1]
        if kind in SINGLE:
            return lambda place, then: self.takes(node, place, flags) and then(place + 1)
        if kind in REPEATS:
            low, high, inner = value
            if len(inner) == 1 and str(inner[0][0]) in SINGLE:
                return self.repeat_of_one(kind, low, high, inner[0], flags)
            return self.repeat(kind, low, high, self.sequence(inner, flags))
        if kind == "SUBPATTERN":
            group, added, removed, inner = value
            return self.group(group, self.sequence(inner, (flags | added) & ~removed))
        if kind == "BRANCH":
            return self.branch(value[1], flags)
        if kind == "AT":
            return lambda place, then: self.is_at(str(value), place, flags) and then(place)
        if kind in ("ASSERT", "ASSERT_NOT"):
            return self.look(kind == "ASSERT", value[0], value[1], flags)
        if kind == "ATOMIC_GROUP":
            return self.atomic(self.sequence(value, flags))
        if kind == "GROUPREF":
            return lambda place, then: self.repeats_group(value, place, then)
        raise NotImplementedError(kind)

    def branch(self, ways: Sequence[Sequence[Node]], flags: int) -> Matcher:
        """Return what matches one of several ways; those that begin with another character count as
        one step.
        """
        matchers = [self.sequence(way, flags) for way in ways]
        firsts = [way[0] if len(way) and str(way[0][0]) in SINGLE else None for way in ways]
        possible: dict[str, list[Matcher]] = {}

        def match(place: int, then: Next) -> bool:
            self.step()
            char = self.text[place : place + 1]
            if char not in possible:
                possible[char] = [
                    matcher
                    for matcher, first in zip(matchers, firsts, strict=True)
                    if first is None or (char and accepts_character(first, char, flags))
                ]
            return any(matcher(place, then) for matcher in possible[char])

        return match

    def repeat_of_one(self, kind: str, low: int, high: int, node: Node, flags: int) -> Matcher:
        """Return what matches one character again and again."""

        def match(place: int, then: Next) -> bool:
            most = min(high, len(self.text) - place)
            if kind == "MIN_REPEAT":
                end = place
                while end - place < low and self.takes(node, end, flags):
                    end += 1
                while end - place >= low:
                    if then(end):
                        return True
                    if end - place >= most or not self.takes(node, end, flags):
                        return False
                    end += 1
                return False
            end = place
            while end - place < most and self.takes(node, end, flags):
                end += 1
            if kind == "POSSESSIVE_REPEAT":
                return end - place >= low and then(end)
            while end - place >= low:
                self.step()
                if then(end):
                    return True
                end -= 1
            return False

        return match

    def repeat(self, kind: str, low: int, high: int, inner: Matcher) -> Matcher:
        """Return what matches several characters again and again."""

        def more(place: int, times: int, then: Next) -> bool:
            def again(end: int) -> bool:
                # As `re`: what takes nothing is not repeated.
                return (end > place or times < low) and more(end, times + 1, then)

            self.step()
            if times < low:
                return inner(place, again)
            if kind == "MIN_REPEAT":
                return then(place) or (times < high and inner(place, again))
            return (times < high and inner(place, again)) or then(place)

        if kind == "POSSESSIVE_REPEAT":
            return self.atomic(lambda place, then: more(place, 0, then))
        return lambda place, then: more(place, 0, then)

    def group(self, group: int | None, inner: Matcher) -> Matcher:
        """Return what matches a group, and notes where it stands."""

        def match(place: int, then: Next) -> bool:
            def after(end: int) -> bool:
                if group is None:
                    return then(end)
                before = self.groups.get(group)
                self.groups[group] = (place, end)
                if then(end):
                    return True
                if before is None:
                    del self.groups[group]
                else:
                    self.groups[group] = before
                return False

            return inner(place, after)

        return match

    def atomic(self, inner: Matcher) -> Matcher:
        """Return what matches once, and does not go back into it."""

        def match(place: int, then: Next) -> bool:
            ends: list[int] = []
            return inner(place, note_ends(ends)) and then(ends[-1])

        return match

    def look(self, wanted: bool, direction: int, inner: Any, flags: int) -> Matcher:
        """Return what looks ahead or behind."""
        matcher, width = self.sequence(inner, flags), int(inner.getwidth()[0])

        def match(place: int, then: Next) -> bool:
            start = place if direction > 0 else place - width
            groups = dict(self.groups)
            found = start >= 0 and matcher(start, lambda end: direction > 0 or end == place)
            if not (found and wanted):
                self.groups = groups
            return found == wanted and then(place)

        return match

    def repeats_group(self, group: int, place: int, then: Next) -> bool:
        """Match what a group has matched once more."""
        if group not in self.groups:
            return False
        start, end = self.groups[group]
        for offset in range(end - start):
            self.step()
            if (
                place + offset >= len(self.text)
                or self.text[place + offset] != self.text[start + offset]
            ):
                return False
        return then(place + end - start)

    def is_at(self, kind: str, place: int, flags: int) -> bool:
        """Return whether a place is the beginning, the end or a boundary of a word."""
        self.step()
        text, end = self.text, len(self.text)
        if kind in ("AT_BEGINNING", "AT_BEGINNING_STRING"):
            lines = flags & re.MULTILINE and kind == "AT_BEGINNING"
            return place == 0 or bool(lines and text[place - 1] == "\n")
        if kind in ("AT_END", "AT_END_STRING"):
            if place == end:
                return True
            last = place == end - 1 or bool(flags & re.MULTILINE)
            return kind == "AT_END" and last and text[place] == "\n"
        words = [0 <= at < end and in_category("WORD", text[at]) for at in (place - 1, place)]
        return (words[0] != words[1]) != ("NON" in kind)


def count_steps(pattern: re.Pattern[str], text: str, anchored: bool, most: int) -> int:
    """Return the steps in which a pattern reads a text, from everywhere or, if `anchored`, from its
    beginning.

    Raises:
        TooMany: there are more than `most`.
    """
    steps = Steps(pattern, text, most)
    if anchored:
        steps.find_end(0)
        return steps.count
    return steps.find_all()
