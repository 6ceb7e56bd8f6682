"""The tree of a regular expression as `re` parses it, and the characters its nodes match."""

from __future__ import annotations

import re
from typing import Any

try:
    from re import _constants as constants  # type: ignore[attr-defined]
    from re import _parser as parser  # type: ignore[attr-defined]
except ImportError:  # Python 3.10
    import sre_constants as constants  # type: ignore[no-redef]
    import sre_parse as parser  # type: ignore[no-redef]

# A node is a pair of kind and value. Nodes of the kinds in SINGLE match one character.
Node = tuple[Any, Any]

SINGLE = {"LITERAL", "NOT_LITERAL", "ANY", "IN"}
REPEATS = {"MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"}
LOOKAROUNDS = {"ASSERT", "ASSERT_NOT"}
# The upper bound of a repeat without one, such as x*.
UNBOUNDED = int(constants.MAXREPEAT)


def parse_pattern(pattern: re.Pattern[str]) -> Any:
    """Return the tree of a pattern."""
    return parser.parse(pattern.pattern, pattern.flags & ~re.UNICODE)


def list_sequences(node: Node) -> list[Any]:
    """Return the sequences of nodes within a node; a branch has one for each alternative.

    A node for one character, a boundary and a backreference have none.
    """
    kind = str(node[0])
    value = node[1]
    if kind in REPEATS:
        return [value[2]]
    if kind == "SUBPATTERN":
        return [value[3]]
    if kind == "BRANCH":
        return list(value[1])
    if kind in LOOKAROUNDS:
        return [value[1]]
    if kind == "ATOMIC_GROUP":
        return [value]
    return []


def is_in_category(name: str, char: str) -> bool:
    """Return whether a character belongs to a category.

    The pattern \\w is CATEGORY_WORD, and \\W is CATEGORY_NOT_WORD.
    """
    kind = name.removeprefix("CATEGORY_").removeprefix("UNI_")
    positive_kind = kind.removeprefix("NOT_")
    is_negated = kind != positive_kind
    belongs = {
        "DIGIT": char.isdecimal(),
        "SPACE": char.isspace(),
        "WORD": char.isalnum() or char == "_",
    }
    return belongs[positive_kind] != is_negated


def accepts_character(node: Node, char: str, flags: int) -> bool:
    """Return whether a node for one character matches `char`."""
    kind = str(node[0])
    value = node[1]
    if kind == "ANY":
        return bool(flags & re.DOTALL) or char != "\n"
    variants = {char, char.lower(), char.upper()} if flags & re.IGNORECASE else {char}
    if kind == "LITERAL":
        return chr(value) in variants
    if kind == "NOT_LITERAL":
        return chr(value) not in variants
    items = list(value)
    is_negated = str(items[0][0]) == "NEGATE"
    if is_negated:
        del items[0]
    matches = False
    for variant in variants:
        matches = matches or any(has_item(item, variant) for item in items)
    return matches != is_negated


def has_item(item: Node, char: str) -> bool:
    """Return whether an item of a set, such as a-z, contains a character."""
    kind = str(item[0])
    value = item[1]
    if kind == "LITERAL":
        return ord(char) == value
    if kind == "RANGE":
        low, high = value
        # The capital of a character may be several.
        return len(char) == 1 and bool(low <= ord(char) <= high)
    return is_in_category(str(value), char)
