"""Who is served when: how much one visitor may have under way, and lanes in which visitors take
turns.

A visitor is an address. A visitor has at most MOST_UNDER_WAY events under way, whatever tab they
are of; more are refused. Work of one kind goes through a lane, which takes only a part of one
visitor's work at a time.
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

# How many proxies stand before the page, each of which appends to X-Forwarded-For whom it heard;
# what stands before that is the visitor's own to write.
PROXIES_VARIABLE = "ANSWER_LENS_PROXIES"
# Events of one visitor under way at once, and when to ask again where they were too many.
MOST_UNDER_WAY, RETRY_SECONDS = 8, 5

UNDER_WAY: Counter[str] = Counter()
# When events arrived that have not begun, and whose they are; one that has not begun after so long
# never does.
ARRIVED: deque[tuple[float, str]] = deque()
ARRIVING_SECONDS = 10
# What lanes let through at once is theirs to say.
THREADS = CapacityLimiter(128)


def find_address(peer: str, headers: Headers) -> str:
    """Return the address of a visitor; behind proxies, the one that the outermost of them heard.

    Of IPv6 it is the network, for a visitor has billions of addresses there.

    >>> find_address("10.0.0.1", Headers({"x-forwarded-for": "made.up, 1.2.3.4"}))
    '1.2.3.4'
    >>> find_address("2001:db8::7", Headers())
    '2001:db8::/64'
    """
    # A proxy may append to the line that came, or add a line of its own below it.
    lines = ",".join(headers.getlist("x-forwarded-for"))
    hops = [hop.strip() for hop in lines.split(",") if hop.strip()]
    said = os.environ.get(PROXIES_VARIABLE, "").strip()
    # Where nothing is said, a peer of a private network is a proxy.
    proxies = int(said) if said.isdecimal() else int(not is_public_address(peer))
    address = hops[-min(proxies, len(hops))] if proxies and hops else peer
    with contextlib.suppress(ValueError):
        if ipaddress.ip_address(address).version == 6:
            return str(ipaddress.ip_network((address, 64), strict=False))
    return address


def is_public_address(address: str) -> bool:
    """Return whether an address is one of the public internet."""
    try:
        return ipaddress.ip_address(address).is_global
    except ValueError:
        return False


def note_arrival(address: str) -> bool:
    """Note that an event of a visitor is on its way.

    Return False if the visitor has too much under way already.
    """
    now = time.monotonic()
    while ARRIVED and ARRIVED[0][0] < now - ARRIVING_SECONDS:
        ARRIVED.popleft()
    if UNDER_WAY[address] + sum(whose == address for _, whose in ARRIVED) >= MOST_UNDER_WAY:
        return False
    ARRIVED.append((now, address))
    return True


@contextlib.contextmanager
def take_place(address: str) -> Iterator[bool]:
    """Take a place among what a visitor has under way, until the end of the block.

    Yield False if that is too much.
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
    """Work of one kind: how much of it goes on at once, and how much of that
    may be one visitor's.
    """

    def __init__(self, at_once: int, of_address: int = 1) -> None:
        self.room, self.of_address = CapacityLimiter(at_once), of_address
        self.turns: WeakValueDictionary[str, CapacityLimiter] = WeakValueDictionary()

    def is_busy(self, address: str) -> bool:
        """Return whether a visitor has to wait."""
        own = self.turns.get(address)
        return self.room.available_tokens < 1 or (own is not None and own.available_tokens < 1)

    @contextlib.asynccontextmanager
    async def turn(self, address: str) -> AsyncIterator[None]:
        """Wait until it is this visitor's turn, and have it."""
        mark = object()  # a generator may be ended by another task than the one that began it
        own = self.turns.setdefault(address, CapacityLimiter(self.of_address))
        async with contextlib.AsyncExitStack() as stack:
            for limiter in (own, self.room):
                await limiter.acquire_on_behalf_of(mark)
                stack.callback(limiter.release_on_behalf_of, mark)
            yield

    async def run(self, job: Callable[[], Result], address: str = "") -> Result:
        """Do a job in a thread when it is this visitor's turn.

        The thread speaks the language of whoever asked.
        """
        async with self.turn(address):
            return await run_sync(job, limiter=THREADS)
