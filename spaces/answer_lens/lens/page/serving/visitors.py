"""Limits the events of each visitor, and makes visitors take turns in lanes.

A visitor is an address. A visitor may have MOST_UNDER_WAY events under way in all tabs together;
more are refused. Work of one kind goes through a lane, which runs only a part of one visitor's work
at a time.
"""

from __future__ import annotations

import contextlib
import ipaddress
import os
import time
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable, Iterator
from typing import TypeVar
from weakref import WeakValueDictionary

from anyio import CapacityLimiter
from anyio.to_thread import run_sync
from starlette.datastructures import Headers

Result = TypeVar("Result")

# The environment variable with the number of proxies in front of the page. Each appends the address
# of its client to X-Forwarded-For. A visitor can write anything before that.
PROXIES_VARIABLE = "ANSWER_LENS_PROXIES"
# The most events of a visitor under way at once, and the seconds until a refused visitor may retry.
MOST_UNDER_WAY, RETRY_SECONDS = 8, 5

UNDER_WAY: Counter[str] = Counter()
# The times and addresses of events that arrived but have not begun. After ARRIVING_SECONDS, such an
# event will never begin.
ARRIVED: deque[tuple[float, str]] = deque()
ARRIVING_SECONDS = 10
# A high limit of threads, because lanes limit the work.
THREADS = CapacityLimiter(128)


def find_address(peer: str, headers: Headers) -> str:
    """Return the address of a visitor; behind proxies, the one that the outermost proxy reports.

    For IPv6, it is the network, because a visitor has billions of addresses in it.

    >>> find_address("10.0.0.1", Headers({"x-forwarded-for": "made.up, 1.2.3.4"}))
    '1.2.3.4'
    >>> find_address("2001:db8::7", Headers())
    '2001:db8::/64'
    """
    # A proxy may append to the existing header, or add another header of the same name.
    lines = ",".join(headers.getlist("x-forwarded-for"))
    hops = [hop.strip() for hop in lines.split(",") if hop.strip()]
    said = os.environ.get(PROXIES_VARIABLE, "").strip()
    # Without the variable, a peer in a private network counts as a proxy.
    proxies = int(said) if said.isdecimal() else int(not is_public_address(peer))
    address = hops[-min(proxies, len(hops))] if proxies and hops else peer
    with contextlib.suppress(ValueError):
        if ipaddress.ip_address(address).version == 6:
            return str(ipaddress.ip_network((address, 64), strict=False))
    return address


def is_public_address(address: str) -> bool:
    """Return whether an address belongs to the public internet."""
    try:
        return ipaddress.ip_address(address).is_global
    except ValueError:
        return False


def note_arrival(address: str) -> bool:
    """Record that an event of a visitor has arrived; return False if the visitor has too many."""
    now = time.monotonic()
    while ARRIVED and ARRIVED[0][0] < now - ARRIVING_SECONDS:
        ARRIVED.popleft()
    if UNDER_WAY[address] + sum(whose == address for _, whose in ARRIVED) >= MOST_UNDER_WAY:
        return False
    ARRIVED.append((now, address))
    return True


@contextlib.contextmanager
def take_place(address: str) -> Iterator[bool]:
    """Count an event of a visitor, until the end of the block.

    The given value is False if the visitor has too many events under way.
    """
    if arrived := next((one for one in ARRIVED if one[1] == address), None):
        ARRIVED.remove(arrived)
    UNDER_WAY[address] += 1
    try:
        yield UNDER_WAY[address] <= MOST_UNDER_WAY
    finally:
        UNDER_WAY[address] -= 1
        if not UNDER_WAY[address]:
            del UNDER_WAY[address]


class Lane:
    """Work of one kind, with limits for all visitors and for each visitor."""

    def __init__(self, at_once: int, of_address: int = 1) -> None:
        self.room, self.of_address = CapacityLimiter(at_once), of_address
        self.turns: WeakValueDictionary[str, CapacityLimiter] = WeakValueDictionary()

    def is_busy(self, address: str) -> bool:
        """Return whether this visitor has to wait."""
        own = self.turns.get(address)
        return self.room.available_tokens < 1 or (own is not None and own.available_tokens < 1)

    @contextlib.asynccontextmanager
    async def turn(self, address: str) -> AsyncIterator[None]:
        """Wait until it is this visitor's turn, which lasts until the end of the block."""
        mark = object()  # a generator may be closed by another task than the one that began it
        own = self.turns.setdefault(address, CapacityLimiter(self.of_address))
        async with contextlib.AsyncExitStack() as stack:
            for limiter in (own, self.room):
                await limiter.acquire_on_behalf_of(mark)
                stack.callback(limiter.release_on_behalf_of, mark)
            yield

    async def run(self, job: Callable[[], Result], address: str = "") -> Result:
        """Run a job in a thread when it is this visitor's turn, in the language of the caller."""
        async with self.turn(address):
            return await run_sync(job, limiter=THREADS)
