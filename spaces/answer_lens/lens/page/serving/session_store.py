"""Stores values for visitors between two clicks: files that were read, and their results.

Gradio stores the states of a session for an hour after its page was closed. So Gradio's state holds
only a key, and this module stores the value. A value is deleted when the page is closed, or after
an hour without use. If all values together exceed MAX_BYTES, the sessions that were unused for the
longest time are deleted.
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

# How long an unused session is stored.
KEPT_SECONDS = 3600
# The memory of all sessions together.
MAX_BYTES = 120_000_000
# Objects of these types are shared by all visitors, so they do not count as a visitor's memory.
SHARED_TYPES = (type, ModuleType, FunctionType, BuiltinFunctionType)


@dataclass(frozen=True)
class Key:
    """The key of a stored value; Gradio's state holds it."""

    session: str
    name: str


@dataclass
class Session:
    """The values of a session by name, and the time of their last use by `time.monotonic`."""

    values: dict[str, Any] = field(default_factory=dict)
    last_used: float = 0.0

    @property
    def size(self) -> int:
        """The size in bytes of the values that have a size."""
        return sum(getattr(value, "size", 0) for value in self.values.values())


# The sessions, the longest unused first. Only the thread of the event loop uses them.
SESSIONS: OrderedDict[str, Session] = OrderedDict()


def store_value(session: str, name: str, value: Any) -> Key | None:
    """Store a value under a name, and return its key; None removes the stored value.

    The value's attribute `size` counts for the limit of memory.
    """
    if value is None:
        if session in SESSIONS:
            SESSIONS[session].values.pop(name, None)
        return None
    touch_session(session).values[name] = value
    asyncio.get_running_loop().call_later(KEPT_SECONDS + 1, expire_sessions)
    size = sum(stored.size for stored in SESSIONS.values())
    while size > MAX_BYTES and len(SESSIONS) > 1:
        _, longest_unused = SESSIONS.popitem(last=False)
        size -= longest_unused.size
    return Key(session, name)


def resolve_key(value: Any) -> Any:
    """Return the stored value of a key; any other object is returned unchanged.

    Raises:
        UserError: the value is not stored any more.
    """
    if not isinstance(value, Key):
        return value
    stored = find_value(value)
    if stored is None:
        raise UserError("files_tab.gone")
    return stored


def find_value(key: Key) -> Any:
    """Return the stored value of a key; None if it is not stored any more."""
    if key.session not in SESSIONS:
        return None
    return touch_session(key.session).values.get(key.name)


def touch_session(session: str) -> Session:
    """Return a session, which is made if it is new, and update the time of its last use."""
    stored = SESSIONS.setdefault(session, Session())
    stored.last_used = time.monotonic()
    SESSIONS.move_to_end(session)
    return stored


def drop_session(session: str) -> None:
    """Delete the values of a session."""
    SESSIONS.pop(session, None)


def expire_sessions() -> None:
    """Delete the sessions that were not used for an hour."""
    for session, stored in list(SESSIONS.items()):
        if time.monotonic() - stored.last_used > KEPT_SECONDS:
            drop_session(session)


def measure_size(value: Any, *excluded: Any) -> int:
    """Return the size in bytes of an object with everything it refers to, except `excluded`."""
    size = 0
    seen_ids = set(map(id, excluded))
    # Breadth first: the objects at one distance from the value.
    level = [value]
    while level:
        seen_ids.update(map(id, level))
        size += sum(map(sys.getsizeof, level))
        next_level = {}
        for referent in gc.get_referents(*level):
            if id(referent) not in seen_ids and not isinstance(referent, SHARED_TYPES):
                next_level[id(referent)] = referent
        level = list(next_level.values())
    return size
