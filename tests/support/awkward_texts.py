"""Build texts that are slow for a regular expression or another reader of texts.

They consist of long runs that nearly match.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tests.support.pattern_nodes import (
    LOOKAROUNDS,
    REPEATS,
    SINGLE,
    UNBOUNDED,
    Node,
    accepts_character,
    list_sequences,
    parse_pattern,
)

# Characters of each kind that patterns tell apart; the first that fits is used in examples.
PROBES = " \n\t0aA-.,;:/|$^()[]{}<>\\*_#'\"`~!?%&=+@。，、一é\u00a0²"
# A repeat in a pattern is a run if it may match at least this many characters.
LEAST_RUN = 8
# How many different characters a run of one character class is tried with.
RUNS_OF_ONE = 4
# How often an example repeats what a pattern repeats, at most: x{9} has the example "xxxx".
MOST_COPIES = 4


def build_example(nodes: Sequence[Node], flags: int) -> str:
    """Return a short text that nodes match; lookarounds are ignored."""
    return "".join(build_node_example(node, flags) for node in nodes)


def build_node_example(node: Node, flags: int) -> str:
    """Return a short text that a node matches; "" for a node that takes no characters."""
    kind = str(node[0])
    if kind in SINGLE:
        return "".join(sample_characters(node, flags)[:1])
    sequences = list_sequences(node)
    if kind in LOOKAROUNDS or not sequences:
        return ""
    example = build_example(sequences[0], flags)
    if kind in REPEATS:
        low, _high, _inner = node[1]
        return example * min(max(low, 1), MOST_COPIES)
    return example


def sample_characters(node: Node, flags: int) -> list[str]:
    """Return characters of different kinds that a node for one character accepts."""
    if str(node[0]) == "LITERAL":
        return [chr(node[1])]
    characters = [char for char in PROBES if accepts_character(node, char, flags)]
    if str(node[0]) == "IN":
        for kind, value in node[1]:
            if str(kind) == "LITERAL":
                characters.append(chr(value))
            elif str(kind) == "RANGE":
                characters.append(chr(value[0]))
    return characters


def list_pumps(inner: Sequence[Node], flags: int) -> list[str]:
    """Return texts whose repetition a repeat matches.

    These are up to RUNS_OF_ONE characters that [a-z]* takes, or one example such as "ab" of (ab)*.
    """
    pumps = []
    if len(inner) == 1 and str(inner[0][0]) in SINGLE:
        pumps = sample_characters(inner[0], flags)
    step = max(1, len(pumps) // RUNS_OF_ONE)
    return pumps[::step][:RUNS_OF_ONE] or [build_example(inner, flags)]


def find_runs(nodes: Sequence[Node], flags: int, before: str = "") -> Iterator[tuple[str, str]]:
    """Yield for each run in a pattern the text before it and the text that it repeats."""
    for node in nodes:
        if str(node[0]) in REPEATS:
            _low, high, inner = node[1]
            if int(high) >= LEAST_RUN:
                for pump in list_pumps(inner, flags):
                    yield before, pump
        for sequence in list_sequences(node):
            yield from find_runs(sequence, flags, before)
        before += build_node_example(node, flags)


def build_starts(nodes: Sequence[Node], flags: int) -> Iterator[str]:
    """Yield the texts that match the first node, the first two nodes, and so on."""
    text = ""
    for node in nodes:
        text += build_node_example(node, flags)
        yield text


def build_units(pattern: re.Pattern[str]) -> list[tuple[str, str]]:
    """Return pairs for `build_text`: how a text for a pattern begins, and what it repeats."""
    tree = parse_pattern(pattern)
    flags = pattern.flags
    units = [("", start) for start in build_starts(tree, flags)]
    for before, pump in find_runs(tree, flags):
        units += [
            ("", pump),
            (before, pump),
            ("", before + pump),
            ("", pump + before),
            (before + pump, "\n" + pump),
        ]
    distinct = dict.fromkeys(units)
    return [(start, repeated) for start, repeated in distinct if repeated]


def build_text(unit: tuple[str, str], length: int) -> str:
    """Return a text of about `length` characters: the beginning, then the repeated part.

    It ends in NUL, which hardly any pattern matches.
    """
    start, repeated = unit
    room = length - len(start)
    times = max(1, room // len(repeated))
    return start + repeated * times + "\x00"


def find_longest_bound(nodes: Sequence[Node]) -> int:
    """Return the largest finite upper bound of a repeat in a pattern; 0 if there is none."""
    longest = 0
    for node in nodes:
        if str(node[0]) in REPEATS:
            _low, high, _inner = node[1]
            if int(high) < UNBOUNDED:
                longest = max(longest, int(high))
        for sequence in list_sequences(node):
            longest = max(longest, find_longest_bound(sequence))
    return longest


# Repeated parts that do not depend on a pattern.
CHARACTERS = " \n\t0aA-.,;:/|$^([{<\\*_#'\"`一。"
UNITS = (
    "0x[/THINK]",
    "a/",
    "1,",
    "1 ",
    "a b ",
    "^A",
    '{"a":',
    '["',
    "](",
    "<a ",
    "<think>",
    "</think>",
    "<|channel|>",
    "a. ",
    "\n- ",
    "\\boxed{",
    "\\frac{1}{",
    "a**",
    "no ",
    "北 ",
    "1年",
    "a\n",
    "\n\n",
    "```\n",
    '\\"',
    "10 km ",
    "and ",
)
GENERAL = [("", unit) for unit in (*CHARACTERS, *UNITS)]
GENERAL += [("$", "^A"), ("", "a")]


def build_awkward_texts(length: int) -> list[str]:
    """Return texts of about `length` characters that are slow for many readers of texts."""
    return [build_text(unit, length) for unit in dict.fromkeys(GENERAL)]
