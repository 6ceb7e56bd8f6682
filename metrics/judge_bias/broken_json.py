"""Read the complete objects in broken JSON, in time that is linear in its length.

Python's decoder reports only where broken JSON fails. If it started again at each inner brace, the
time would grow with the square of the length. It also refuses deep JSON. This file needs only
Python.
"""

import json
import re
from dataclasses import dataclass
from typing import Any

# Line breaks within strings are allowed, since they are common; every number becomes a float.
DECODER = json.JSONDecoder(parse_int=float, strict=False)
BLANKS = re.compile(r"[ \t\n\r]*")
# A string, number or constant of JSON that the decoder accepts.
SCALAR = re.compile(
    r'"[^"\\]*(?:\\.[^"\\]*)*"|-?[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|NaN|-?Infinity|true|false'
    r"|null",
    re.S,
)


def read_object(text: str, place: int) -> tuple[list[Any], int] | None:
    """Return a list with the JSON object that begins at a brace, and the place of its end.

    Return None if the object is broken.
    """
    try:
        value, end = DECODER.raw_decode(text, place)
    except (json.JSONDecodeError, RecursionError):
        return None
    return [value], end


def read_broken(text: str, place: int) -> tuple[list[Any], int]:
    """Return the complete objects in the JSON that begins at a brace, and where to read on.

    Objects within other complete objects are not listed.

    >>> read_broken('{"a": [{"b": 1}, {"c": {}}, 2', 0)
    ([{'b': 1.0}, {'c': {}}], 29)
    """
    broken = BrokenJson(text, place)
    return broken.complete, broken.find_end()


@dataclass
class Container:
    """An object or a list of JSON that is not complete yet."""

    value: dict[str, Any] | list[Any]
    # How many objects were complete when this one began.
    n_complete: int
    # The last key that was read, if it is an object.
    key: str = ""

    def add_value(self, value: Any) -> set[str]:
        """Add a value, and return the tokens that may follow."""
        if isinstance(self.value, dict):
            self.value[self.key] = value
            return {",", "}"}
        self.value.append(value)
        return {",", "]"}


class BrokenJson:
    """Reads JSON of any depth up to its first error, each character once."""

    def __init__(self, text: str, start: int) -> None:
        self.text = text
        self.start = self.place = start
        self.containers = list[Container]()
        # The complete objects, without those inside them.
        self.complete = list[dict[str, Any]]()
        # The tokens that may follow: one of { } [ ] : and the comma, "key" or "value".
        self.allowed = {"value"}
        while self.read_next():
            pass

    def read_next(self) -> bool:
        """Read a punctuation character, a key or a value.

        Return whether to read on: False at an error, and at the end of the outermost container.
        """
        self.place = self.skip_blanks(self.place)
        character = self.text[self.place : self.place + 1]
        begins_container = character in ("{", "[") and "value" in self.allowed
        if not begins_container and character not in self.allowed:
            return self.read_text_or_number(character)
        self.place += 1
        if begins_container:
            self.begin_container(character)
        elif character in ("}", "]"):
            self.complete_container(self.containers.pop())
        elif character == "," and isinstance(self.containers[-1].value, dict):
            self.allowed = {"key"}
        else:
            self.allowed = {"value"}
        return bool(self.containers)

    def begin_container(self, character: str) -> None:
        """Begin an object or a list."""
        n_complete = len(self.complete)
        if character == "{":
            self.containers.append(Container({}, n_complete))
            self.allowed = {"key", "}"}
        else:
            self.containers.append(Container([], n_complete))
            self.allowed = {"value", "]"}

    def complete_container(self, container: Container) -> None:
        """Store a container that is complete."""
        if isinstance(container.value, dict):
            del self.complete[container.n_complete :]
            self.complete.append(container.value)
        if self.containers:
            self.allowed = self.containers[-1].add_value(container.value)

    def read_text_or_number(self, character: str) -> bool:
        """Read a key, a string, a number or a constant, and return whether there is one."""
        is_key = "key" in self.allowed
        is_expected = character == '"' if is_key else "value" in self.allowed
        if not is_expected:
            return False
        scalar = SCALAR.match(self.text, self.place)
        if scalar is None:
            return False
        try:
            value = DECODER.decode(scalar[0])
        except json.JSONDecodeError:
            return False
        self.place = scalar.end()
        if is_key:
            self.containers[-1].key, self.allowed = value, {":"}
        else:
            self.allowed = self.containers[-1].add_value(value)
        return True

    def skip_blanks(self, place: int) -> int:
        """Return the place of the next character that is not blank."""
        blanks = BLANKS.match(self.text, place)
        return blanks.end() if blanks else place

    def find_end(self) -> int:
        """Return where to read on after this JSON.

        That is the place of the error. But if a string that ends in a brace stands just before the
        error, as in {"{"score": 1}"}, that brace may begin the JSON, so it is returned.
        """
        before = self.text[self.start + 1 : self.place].rstrip()
        if not before.endswith('"'):
            return self.place
        before = before[:-1].rstrip()
        return self.start + len(before) if before.endswith("{") else self.place
