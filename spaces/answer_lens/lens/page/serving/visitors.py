"""Limits the events of each visitor, and makes visitors take turns in lanes.

A visitor is an internet address. A visitor may have MAX_EVENTS_OF_VISITOR events under way in all
tabs together; more are refused. Work of one kind goes through one lane, which limits how many jobs
run at a time, for all visitors together and for each visitor.
"""

from __future__ import annotations

import contextlib
import ipaddress
import os
import time
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar
from weakref import WeakValueDictionary

from anyio import CapacityLimiter
from anyio.to_thread import run_sync
from starlette.datastructures import Headers

Result = TypeVar("Result")

# The environment variable with the number of proxies in front of the page. Each appends the address
# of its client to X-Forwarded-For. A visitor can write anything before that.
PROXIES_VARIABLE = "ANSWER_LENS_PROXIES"
# How many events of a visitor may be under way at once.
MAX_EVENTS_OF_VISITOR = 8
# After how many seconds a refused visitor is told to try again.
RETRY_SECONDS = 5
# An event that has not begun so many seconds after its arrival will never begin.
MAX_ARRIVAL_SECONDS = 10


@dataclass(frozen=True)
class Arrival:
    """An event that has arrived but not begun: its time by `time.monotonic`, and its visitor."""

    time: float
    address: str


# The number of events under way, by address of the visitor.
UNDER_WAY: Counter[str] = Counter()
# The events that have arrived but not begun, the oldest first.
ARRIVED: deque[Arrival] = deque()
# The threads of all jobs. Lanes limit the work, so there are more threads than they use.
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
    forwarded = ",".join(headers.getlist("x-forwarded-for"))
    hops = [hop.strip() for hop in forwarded.split(",") if hop.strip()]
    proxies = count_proxies(peer)
    address = peer
    if proxies and hops:
        address = hops[-min(proxies, len(hops))]
    with contextlib.suppress(ValueError):
        if ipaddress.ip_address(address).version == 6:
            return str(ipaddress.ip_network((address, 64), strict=False))
    return address


def count_proxies(peer: str) -> int:
    """Return the number of proxies in front of the page, as the environment variable says.

    Without the variable, a peer in a private network counts as one proxy.
    """
    setting = os.environ.get(PROXIES_VARIABLE, "").strip()
    if setting.isdecimal():
        return int(setting)
    return 0 if is_public_address(peer) else 1


def is_public_address(address: str) -> bool:
    """Return whether an address belongs to the public internet."""
    try:
        return ipaddress.ip_address(address).is_global
    except ValueError:
        return False


def note_arrival(address: str) -> bool:
    """Record that an event of a visitor has arrived; return False if the visitor has too many."""
    now = time.monotonic()
    while ARRIVED and ARRIVED[0].time < now - MAX_ARRIVAL_SECONDS:
        ARRIVED.popleft()
    arrived = sum(arrival.address == address for arrival in ARRIVED)
    if UNDER_WAY[address] + arrived >= MAX_EVENTS_OF_VISITOR:
        return False
    ARRIVED.append(Arrival(now, address))
    return True


@contextlib.contextmanager
def count_event(address: str) -> Iterator[bool]:
    """Count an event of a visitor as under way in this block.

    The block is given False if the visitor has too many events under way.
    """
    for arrival in ARRIVED:
        if arrival.address == address:
            ARRIVED.remove(arrival)
            break
    UNDER_WAY[address] += 1
    try:
        yield UNDER_WAY[address] <= MAX_EVENTS_OF_VISITOR
    finally:
        UNDER_WAY[address] -= 1
        if not UNDER_WAY[address]:
            del UNDER_WAY[address]


class Lane:
    """Work of one kind, with limits for all visitors and for each visitor.

    Args:
        max_jobs: how many jobs may run at once.
        max_jobs_of_visitor: how many of them may be of one visitor.
    """

    def __init__(self, max_jobs: int, max_jobs_of_visitor: int = 1) -> None:
        self.limit_of_all = CapacityLimiter(max_jobs)
        self.max_jobs_of_visitor = max_jobs_of_visitor
        # The limit of each visitor, as long as a job of the visitor waits or runs.
        self.limits: WeakValueDictionary[str, CapacityLimiter] = WeakValueDictionary()

    def is_busy(self, address: str) -> bool:
        """Return whether this visitor has to wait."""
        if self.limit_of_all.available_tokens < 1:
            return True
        limit = self.limits.get(address)
        return limit is not None and limit.available_tokens < 1

    @contextlib.asynccontextmanager
    async def wait_for_turn(self, address: str) -> AsyncIterator[None]:
        """Wait until it is this visitor's turn, which lasts until the end of the block."""
        # By default, a limiter belongs to the current task. But a generator may be closed by
        # another task than the one that began it, so it belongs to an object of the block.
        borrower = object()
        limit = self.limits.setdefault(address, CapacityLimiter(self.max_jobs_of_visitor))
        async with contextlib.AsyncExitStack() as stack:
            for limiter in (limit, self.limit_of_all):
                await limiter.acquire_on_behalf_of(borrower)
                stack.callback(limiter.release_on_behalf_of, borrower)
            yield

    async def run(self, job: Callable[[], Result], address: str = "") -> Result:
        """Run a job in a thread when it is this visitor's turn, in the language of the caller."""
        async with self.wait_for_turn(address):
            return await run_sync(job, limiter=THREADS)
