"""Objects in a judge's reply whose JSON is broken: those that are complete count, and the work is
linear in the length.

Python's decoder says no more of broken JSON than where it breaks off. Begun anew at each brace
within, it takes the square of the length, and it does not follow deep JSON. This file needs nothing
but Python.
"""

import json
import re
from dataclasses import dataclass
from typing import Any

# Line breaks within a text are common, and every number is a float.
DECODER = json.JSONDecoder(parse_int=float, strict=False)
BLANKS = re.compile(r"[ \t\n\r]*")
# A text, a number or a name as the decoder takes them.
SCALAR = re.compile(
    r'"[^"\\]*(?:\\.[^"\\]*)*"|-?[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|NaN|-?Infinity|true|false'
    r"|null",
    re.S,
)


def read_object(text: str, place: int) -> tuple[list[Any], int] | None:
    """Return the JSON object that begins at a brace, as a list of one, and where it ends.

    It is None where it is broken.
    """
    try:
        value, end = DECODER.raw_decode(text, place)
    except (json.JSONDecodeError, RecursionError):
        return None
    return [value], end


def read_broken(text: str, place: int) -> tuple[list[Any], int]:
    """Return the complete objects of the JSON that begins at a brace, in order, and where to go on
    after it.

    >>> read_broken('{"a": [{"b": 1}, {"c": {}}, 2', 0)
    ([{'b': 1.0}, {'c': {}}], 29)
    """
    broken = BrokenJson(text, place)
    return broken.complete, broken.find_end()


@dataclass
class Container:
    """An object or a list of JSON whose end was not read yet."""

    value: dict[str, Any] | list[Any]
    # How many objects were complete before it began.
    n_complete: int
    # Of an object: the last key that was read.
    key: str = ""

    def add_value(self, value: Any) -> set[str]:
        """Add a value, and return what may come next."""
        if isinstance(self.value, dict):
            self.value[self.key] = value
            return {",", "}"}
        self.value.append(value)
        return {",", "]"}


class BrokenJson:
    """Reads JSON up to its first error, however deep it is, and each character once."""

    def __init__(self, text: str, start: int) -> None:
        self.text = text
        self.start = self.place = start
        self.containers = list[Container]()
        self.complete = list[
            dict[str, Any]
        ]()  # the objects that are complete, without those inside them
        self.allowed = {"value"}  # what may come next: a mark of JSON, "key" or "value"
        while self.read_next():
            pass

    def read_next(self) -> bool:
        """Read a mark, a key or a value, and return whether to go on."""
        self.place = self.skip_blanks(self.place)
        mark = self.text[self.place : self.place + 1]
        begins_container = mark in ("{", "[") and "value" in self.allowed
        if not begins_container and mark not in self.allowed:
            return self.read_text_or_number(mark)
        self.place += 1
        if begins_container:
            self.begin_container(mark)
        elif mark in ("}", "]"):
            self.complete_container(self.containers.pop())
        elif mark == "," and isinstance(self.containers[-1].value, dict):
            self.allowed = {"key"}
        else:
            self.allowed = {"value"}
        return bool(self.containers)

    def begin_container(self, mark: str) -> None:
        """Begin an object or a list."""
        n_complete = len(self.complete)
        if mark == "{":
            self.containers.append(Container({}, n_complete))
            self.allowed = {"key", "}"}
        else:
            self.containers.append(Container([], n_complete))
            self.allowed = {"value", "]"}

    def complete_container(self, container: Container) -> None:
        """Take in a container that is complete."""
        if isinstance(container.value, dict):
            del self.complete[container.n_complete :]
            self.complete.append(container.value)
        if self.containers:
            self.allowed = self.containers[-1].add_value(container.value)

    def read_text_or_number(self, mark: str) -> bool:
        """Read a key or a value that holds no others, and return whether there is one."""
        is_key = "key" in self.allowed
        is_expected = mark == '"' if is_key else "value" in self.allowed
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
        """Return where to go on: at the error, or at a brace that ends the text before it, as
        quoted JSON has it.
        """
        before = self.text[self.start + 1 : self.place].rstrip()
        if not before.endswith('"'):
            return self.place
        before = before[:-1].rstrip()
        return self.start + len(before) if before.endswith("{") else self.place
