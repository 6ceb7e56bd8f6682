"""What is held for visitors between two clicks: files that were read, and what they came to. One bound for all of it.

Gradio keeps the states of a session for an hour after its page was closed. They hold a key here, and this module what
it stands for: until the page is closed, for an hour at most, and less where others need the room, the longest unused
first.
"""

from __future__ import annotations

import asyncio
import gc
import sys
import time
from collections import OrderedDict
from dataclasses import dataclass, field
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

KEPT_SECONDS = 3600
MOST_BYTES = 120_000_000


# What objects refer to that is no visitor's.
CODE = (type, ModuleType, FunctionType, BuiltinFunctionType)


@dataclass(frozen=True)
class Key:
    """What stands in a session's state for something that is held: whose it is, and which of its parts."""

    session: str
    name: str


@dataclass
class Session:
    """What is held for one session by name, and since when none of it was used."""

    values: dict[str, Any] = field(default_factory=dict)
    used: float = 0.0

    @property
    def size(self) -> int:
        """How many bytes are held."""
        return sum(getattr(value, "size", 0) for value in self.values.values())


# The longest unused first. Only the event loop's thread reads or writes it.
SESSIONS: OrderedDict[str, Session] = OrderedDict()


def keep(session: str, name: str, value: Any) -> Key | None:
    """Hold a value in place of what was held under that name, and return its key; None for None. Its `size` counts."""
    if value is None:
        if session in SESSIONS:
            SESSIONS[session].values.pop(name, None)
        return None
    touched(session).values[name] = value
    asyncio.get_running_loop().call_later(KEPT_SECONDS + 1, expire)
    held = sum(one.size for one in SESSIONS.values())
    while held > MOST_BYTES and len(SESSIONS) > 1:
        held -= SESSIONS.popitem(last=False)[1].size
    return Key(session, name)


def take(key: Key) -> Any:
    """What is held under a key; None where it is not held any more."""
    return touched(key.session).values.get(key.name) if key.session in SESSIONS else None


def touched(session: str) -> Session:
    """What is held for a session, which is used just now."""
    found = SESSIONS.setdefault(session, Session())
    found.used = time.monotonic()
    SESSIONS.move_to_end(session)
    return found


def drop(session: str) -> None:
    """Hold nothing for a session any more."""
    SESSIONS.pop(session, None)


def expire() -> None:
    """Hold nothing any more that was not used for an hour."""
    for session, one in list(SESSIONS.items()):
        if time.monotonic() - one.used > KEPT_SECONDS:
            drop(session)


def size_of(value: Any, *apart: Any) -> int:
    """How many bytes an object takes with all that it refers to, but for what is counted apart."""
    seen, total, level = set(map(id, apart)), 0, [value]
    while level:
        seen.update(map(id, level))
        total += sum(map(sys.getsizeof, level))
        referred = {id(one): one for one in gc.get_referents(*level) if not isinstance(one, CODE)}
        level = [one for number, one in referred.items() if number not in seen]
    return total
