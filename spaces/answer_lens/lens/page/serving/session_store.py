"""What is kept for visitors between two clicks: files that were read, and their results.

Gradio keeps the states of a session for an hour after its page was closed. So a state holds a key,
and this module keeps the value: until the page is closed, for an hour at most, and less where
others need the room. All values together have one bound; the longest unused goes first.
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

from lens.words.notes import UserError

KEPT_SECONDS = 3600
MOST_BYTES = 120_000_000
# What objects refer to that is no visitor's.
CODE = (type, ModuleType, FunctionType, BuiltinFunctionType)


@dataclass(frozen=True)
class Key:
    """What stands in a session's state for a value that is kept: whose it is, and its name."""

    session: str
    name: str


@dataclass
class Session:
    """The values of one session by name, and when one of them was last used."""

    values: dict[str, Any] = field(default_factory=dict)
    used: float = 0.0

    @property
    def size(self) -> int:
        """How many bytes the values take."""
        return sum(getattr(value, "size", 0) for value in self.values.values())


# The longest unused first. Only the event loop's thread reads or writes it.
SESSIONS: OrderedDict[str, Session] = OrderedDict()


def keep(session: str, name: str, value: Any) -> Key | None:
    """Keep a value in place of the one of that name, and return its key; None for None.

    Its `size` counts.
    """
    if value is None:
        if session in SESSIONS:
            SESSIONS[session].values.pop(name, None)
        return None
    touch_session(session).values[name] = value
    asyncio.get_running_loop().call_later(KEPT_SECONDS + 1, expire_sessions)
    held = sum(one.size for one in SESSIONS.values())
    while held > MOST_BYTES and len(SESSIONS) > 1:
        held -= SESSIONS.popitem(last=False)[1].size
    return Key(session, name)


def resolve(value: Any) -> Any:
    """Return the value of a key, and anything else as it is.

    Raises:
        UserError: the value is not kept any more.
    """
    if not isinstance(value, Key):
        return value
    kept = take(value)
    if kept is None:
        raise UserError("files_tab.gone")
    return kept


def take(key: Key) -> Any:
    """Return the value of a key; None where it is not kept any more."""
    return touch_session(key.session).values.get(key.name) if key.session in SESSIONS else None


def touch_session(session: str) -> Session:
    """Return the values of a session, and note that they are used just now."""
    found = SESSIONS.setdefault(session, Session())
    found.used = time.monotonic()
    SESSIONS.move_to_end(session)
    return found


def drop_session(session: str) -> None:
    """Keep nothing for a session any more."""
    SESSIONS.pop(session, None)


def expire_sessions() -> None:
    """Drop what was not used for an hour."""
    for session, one in list(SESSIONS.items()):
        if time.monotonic() - one.used > KEPT_SECONDS:
            drop_session(session)


def measure_size(value: Any, *apart: Any) -> int:
    """Return how many bytes an object takes with all that it refers to, but for what is counted
    apart.
    """
    seen, total, level = set(map(id, apart)), 0, [value]
    while level:
        seen.update(map(id, level))
        total += sum(map(sys.getsizeof, level))
        referred = {id(one): one for one in gc.get_referents(*level) if not isinstance(one, CODE)}
        level = [one for number, one in referred.items() if number not in seen]
    return total
