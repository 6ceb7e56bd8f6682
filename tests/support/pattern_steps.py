"""Count the steps that a regular expression takes to read a text by backtracking, as `re` does.

`re` does not report its steps, and seconds depend on how busy a machine is. This matcher follows
the same tree in the same order. A step is one comparison of a character or one try at a position.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

from tests.support.pattern_nodes import (
    REPEATS,
    SINGLE,
    Node,
    accepts_character,
    is_in_category,
    parse_pattern,
)

# A matcher takes a position and a function for the rest of the pattern. It returns whether both
# match. The function takes the position at which the matcher's own match ends.
Next = Callable[[int], bool]
Matcher = Callable[[int, Next], bool]

sys.setrecursionlimit(max(sys.getrecursionlimit(), 50_000))


class TooMany(Exception):
    """There are more steps than the limit."""


def note_ends(ends: list[int]) -> Next:
    """Return a Next that accepts every end and adds it to a list."""

    def note(end: int) -> bool:
        ends.append(end)
        return True

    return note


def can_begin(nodes: Sequence[Node], char: str, flags: int) -> bool:
    """Return whether nodes can begin with a character, as far as their first node tells."""
    if not len(nodes) or str(nodes[0][0]) not in SINGLE:
        return True
    return bool(char) and accepts_character(nodes[0], char, flags)


@dataclass(frozen=True)
class Bounds:
    """A node for one character that is repeated between `low` and `high` times."""

    low: int
    high: int
    node: Node
    flags: int


class Steps:
    """A matcher of one pattern that counts its steps, on one text after another."""

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self.text = ""
        self.most = 0
        self.count = 0
        self.groups: dict[int, tuple[int, int]] = {}
        # Whether a node, by its id, accepts a character.
        self.accepted: dict[tuple[int, str], bool] = {}
        self.match = self.make_sequence(parse_pattern(pattern), pattern.flags)

    def begin_text(self, text: str, most: int) -> None:
        """Begin a new text and a new count; TooMany is raised beyond `most` steps."""
        self.text = text
        self.most = most
        self.count = 0

    def count_step(self) -> None:
        """Count a step; raise TooMany beyond the limit."""
        self.count += 1
        if self.count > self.most:
            raise TooMany

    def find_all(self) -> int:
        """Return the steps of a search for all matches, as `findall` and `sub` do it."""
        place = 0
        while place <= len(self.text):
            end = self.find_end(place)
            place = place + 1 if end is None or end == place else end
        return self.count

    def find_end(self, place: int) -> int | None:
        """Return the end of the match that begins at a position; None if there is none."""
        ends: list[int] = []
        self.count_step()
        self.groups.clear()
        has_match = self.match(place, note_ends(ends))
        return ends[-1] if has_match else None

    def takes_character(self, node: Node, place: int, flags: int) -> bool:
        """Return whether a node for one character matches the one at a position."""
        self.count_step()
        if place >= len(self.text):
            return False
        key = (id(node), self.text[place])
        if key not in self.accepted:
            self.accepted[key] = accepts_character(node, self.text[place], flags)
        return self.accepted[key]

    def make_sequence(self, nodes: Sequence[Node], flags: int) -> Matcher:
        """Return a matcher of nodes one after another."""
        matchers = [self.make_matcher(node, flags) for node in nodes]

        def match(number: int, place: int, then: Next) -> bool:
            if number == len(matchers):
                return then(place)
            return matchers[number](place, lambda end: match(number + 1, end, then))

        return lambda place, then: match(0, place, then)

    def make_matcher(self, node: Node, flags: int) -> Matcher:
        """Return a matcher of one node."""
        kind = str(node[0])
        value = node[1]
        if kind in SINGLE:
            return lambda place, then: self.takes_character(node, place, flags) and then(place + 1)
        if kind in REPEATS:
            return self.make_repeat(kind, value, flags)
        makers: dict[str, Callable[[Any, int], Matcher]] = {
            "SUBPATTERN": self.make_group,
            "BRANCH": self.make_branch,
            "AT": self.make_boundary,
            "ASSERT": partial(self.make_lookaround, True),
            "ASSERT_NOT": partial(self.make_lookaround, False),
            "ATOMIC_GROUP": self.make_atomic_group,
            "GROUPREF": self.make_reference,
        }
        if kind not in makers:
            raise NotImplementedError(kind)
        return makers[kind](value, flags)

    def make_branch(self, value: Any, flags: int) -> Matcher:
        """Return a matcher of alternatives.

        All alternatives that cannot begin with the next character count as one step together.
        """
        alternatives: Sequence[Sequence[Node]] = value[1]
        matchers = [self.make_sequence(nodes, flags) for nodes in alternatives]
        # The matchers of the alternatives that can begin with a character; "" is the text's end.
        possible: dict[str, list[Matcher]] = {}

        def list_possible(char: str) -> list[Matcher]:
            chosen = []
            for nodes, matcher in zip(alternatives, matchers, strict=True):
                if can_begin(nodes, char, flags):
                    chosen.append(matcher)
            return chosen

        def match(place: int, then: Next) -> bool:
            self.count_step()
            char = self.text[place : place + 1]
            if char not in possible:
                possible[char] = list_possible(char)
            return any(matcher(place, then) for matcher in possible[char])

        return match

    def make_repeat(self, kind: str, value: Any, flags: int) -> Matcher:
        """Return a matcher of a repeat."""
        low, high, inner = value
        if len(inner) != 1 or str(inner[0][0]) not in SINGLE:
            return self.make_text_repeat(kind, low, high, self.make_sequence(inner, flags))
        bounds = Bounds(low, high, inner[0], flags)
        if kind == "MIN_REPEAT":
            return partial(self.match_few_characters, bounds)
        return partial(self.match_many_characters, kind == "MAX_REPEAT", bounds)

    def match_few_characters(self, bounds: Bounds, place: int, then: Next) -> bool:
        """Match a repeated character as rarely as the rest of the pattern allows."""
        most = min(bounds.high, len(self.text) - place)
        times = 0
        while times < bounds.low and self.takes_character(bounds.node, place + times, bounds.flags):
            times += 1
        while times >= bounds.low:
            if then(place + times):
                return True
            if times >= most:
                return False
            if not self.takes_character(bounds.node, place + times, bounds.flags):
                return False
            times += 1
        return False

    def match_many_characters(
        self,
        gives_back: bool,
        bounds: Bounds,
        place: int,
        then: Next,
    ) -> bool:
        """Match a repeated character as often as possible.

        Args:
            gives_back: whether fewer repetitions are tried if the rest does not match; a possessive
                repeat does not.
            bounds: the character, and how often it may be repeated.
            place: the position to begin at.
            then: the rest of the pattern.
        """
        most = min(bounds.high, len(self.text) - place)
        times = 0
        while times < most and self.takes_character(bounds.node, place + times, bounds.flags):
            times += 1
        if not gives_back:
            return times >= bounds.low and then(place + times)
        while times >= bounds.low:
            self.count_step()
            if then(place + times):
                return True
            times -= 1
        return False

    def make_text_repeat(
        self,
        kind: str,
        low: int,
        high: int,
        inner: Matcher,
    ) -> Matcher:
        """Return a matcher of a repeat of more than one character."""

        def match_more(place: int, times: int, then: Next) -> bool:
            def match_again(end: int) -> bool:
                # As in `re`: an empty match is not repeated.
                return (end > place or times < low) and match_more(end, times + 1, then)

            self.count_step()
            if times < low:
                return inner(place, match_again)
            if kind == "MIN_REPEAT":
                return then(place) or (times < high and inner(place, match_again))
            return (times < high and inner(place, match_again)) or then(place)

        def match(place: int, then: Next) -> bool:
            return match_more(place, 0, then)

        if kind == "POSSESSIVE_REPEAT":
            return self.make_one_try(match)
        return match

    def make_group(self, value: Any, flags: int) -> Matcher:
        """Return a matcher of a group that records the group's position."""
        group, added, removed, nodes = value
        inner = self.make_sequence(nodes, (flags | added) & ~removed)

        def match(place: int, then: Next) -> bool:
            def match_rest(end: int) -> bool:
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

            return inner(place, match_rest)

        return match

    def make_atomic_group(self, nodes: Sequence[Node], flags: int) -> Matcher:
        """Return a matcher of an atomic group: it does not backtrack into its nodes."""
        return self.make_one_try(self.make_sequence(nodes, flags))

    def make_one_try(self, inner: Matcher) -> Matcher:
        """Return a matcher that tries only the first match of `inner`."""

        def match(place: int, then: Next) -> bool:
            ends: list[int] = []
            return inner(place, note_ends(ends)) and then(ends[-1])

        return match

    def make_lookaround(self, wanted: bool, value: Any, flags: int) -> Matcher:
        """Return a matcher of a lookahead or lookbehind; `wanted` is False for a negative one."""
        direction, nodes = value
        inner = self.make_sequence(nodes, flags)
        width = int(nodes.getwidth()[0])

        def match(place: int, then: Next) -> bool:
            start = place if direction > 0 else place - width
            groups = dict(self.groups)
            has_match = start >= 0 and inner(start, lambda end: direction > 0 or end == place)
            if not (has_match and wanted):
                self.groups = groups
            return has_match == wanted and then(place)

        return match

    def make_boundary(self, kind: Any, flags: int) -> Matcher:
        """Return a matcher of a beginning, an end or a word boundary."""
        return lambda place, then: self.is_boundary(str(kind), place, flags) and then(place)

    def make_reference(self, group: int, flags: int) -> Matcher:
        """Return a matcher of a backreference; it ignores `flags`."""
        return lambda place, then: self.repeats_group(group, place, then)

    def repeats_group(self, group: int, place: int, then: Next) -> bool:
        """Match the text of a group once more; False if the group has not matched."""
        if group not in self.groups:
            return False
        start, end = self.groups[group]
        for offset in range(end - start):
            self.count_step()
            if place + offset >= len(self.text):
                return False
            if self.text[place + offset] != self.text[start + offset]:
                return False
        return then(place + end - start)

    def is_boundary(self, kind: str, place: int, flags: int) -> bool:
        """Return whether a position is the beginning, end or word boundary that `kind` names."""
        self.count_step()
        text = self.text
        end = len(self.text)
        if kind in ("AT_BEGINNING", "AT_BEGINNING_STRING"):
            takes_lines = flags & re.MULTILINE and kind == "AT_BEGINNING"
            return place == 0 or bool(takes_lines and text[place - 1] == "\n")
        if kind in ("AT_END", "AT_END_STRING"):
            if place == end:
                return True
            # $ also matches before a newline: before the last one, or before any with MULTILINE.
            can_end = place == end - 1 or bool(flags & re.MULTILINE)
            return kind == "AT_END" and can_end and text[place] == "\n"
        word_before = place > 0 and is_in_category("WORD", text[place - 1])
        word_after = place < end and is_in_category("WORD", text[place])
        is_word_boundary = word_before != word_after
        return is_word_boundary != ("NON" in kind)  # \B is AT_NON_BOUNDARY


# Most of the work is to make the matchers of a pattern, which is read with many texts.
make_steps = lru_cache(Steps)


def count_steps(
    pattern: re.Pattern[str],
    text: str,
    anchored: bool,
    most: int,
) -> int:
    """Return the number of steps in which a pattern reads a text.

    If `anchored`, one match at the beginning is tried; else all matches are searched for.

    Raises:
        TooMany: there are more than `most`.
    """
    steps = make_steps(pattern)
    steps.begin_text(text, most)
    if anchored:
        steps.find_end(0)
        return steps.count
    return steps.find_all()
