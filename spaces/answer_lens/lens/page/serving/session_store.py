"""Stores values for visitors between two clicks: files that were read, and their results.

Gradio stores the states of a session for an hour after its page was closed. So a state has only a
key, and this module stores the value. It is deleted when the page is closed, after an hour without
use, or when other sessions need the memory. All values together have one limit, and the session
that was not used for the longest time is deleted first.
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
# Objects of these types are shared, so they do not count as a visitor's memory.
CODE = (type, ModuleType, FunctionType, BuiltinFunctionType)


@dataclass(frozen=True)
class Key:
    """The key of a stored value in a session's state."""

    session: str
    name: str


@dataclass
class Session:
    """The values of a session by name, and the time of their last use."""

    values: dict[str, Any] = field(default_factory=dict)
    used: float = 0.0

    @property
    def size(self) -> int:
        """The size of the values in bytes."""
        return sum(getattr(value, "size", 0) for value in self.values.values())


# The sessions, the longest unused first. Only the thread of the event loop uses them.
SESSIONS: OrderedDict[str, Session] = OrderedDict()


def keep(session: str, name: str, value: Any) -> Key | None:
    """Store a value under a name, and return its key; None removes the value.

    The value's attribute `size` counts for the limit.
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
    """Return the value of a key; any other object is returned unchanged.

    Raises:
        UserError: the value is not stored any more.
    """
    if not isinstance(value, Key):
        return value
    kept = take(value)
    if kept is None:
        raise UserError("files_tab.gone")
    return kept


def take(key: Key) -> Any:
    """Return the value of a key; None if it is not stored any more."""
    return touch_session(key.session).values.get(key.name) if key.session in SESSIONS else None


def touch_session(session: str) -> Session:
    """Return the values of a session, and update the time of their last use."""
    found = SESSIONS.setdefault(session, Session())
    found.used = time.monotonic()
    SESSIONS.move_to_end(session)
    return found


def drop_session(session: str) -> None:
    """Delete the values of a session."""
    SESSIONS.pop(session, None)


def expire_sessions() -> None:
    """Delete the sessions that were not used for an hour."""
    for session, one in list(SESSIONS.items()):
        if time.monotonic() - one.used > KEPT_SECONDS:
            drop_session(session)


def measure_size(value: Any, *apart: Any) -> int:
    """Return the size in bytes of an object with everything it refers to, except `apart`."""
    seen, total, level = set(map(id, apart)), 0, [value]
    while level:
        seen.update(map(id, level))
        total += sum(map(sys.getsizeof, level))
        referred = {id(one): one for one in gc.get_referents(*level) if not isinstance(one, CODE)}
        level = [one for number, one in referred.items() if number not in seen]
    return total
