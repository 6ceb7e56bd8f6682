"""How one comparison of `make bench` is measured: ours and a peer in turn, their scores compared row by row."""

import gc
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from statistics import median
from typing import Any, NamedTuple

from tests.benchmarks.texts import Rows, Texts

# How ours compares with the peer, in seconds a row; those that a target bounds from above are in AT_MOST.
KINDS: dict[str, Callable[[float, float], float]] = {
    "times faster": lambda ours, theirs: theirs / ours,
    "times its time": lambda ours, theirs: ours / theirs,
    "µs a row more": lambda ours, theirs: (ours - theirs) * 1e6,
    "s a row": lambda ours, theirs: ours,
    "ms": lambda ours, theirs: ours * 1e3,
}
AT_MOST = ("times its time", "µs a row more", "s a row", "ms")


@dataclass(frozen=True)
class Given:
    """What was asked for on the command line, and the address of a judge where a case needs one."""

    repeats: int = 5
    scale: float = 1.0
    lveval: str = ""
    judge: str = ""


class Way(NamedTuple):
    """One way to score rows, made once in the process that measures: what it loads is not timed.

    `run` is timed. `scores` makes of its result what is compared: an entry for each row, and those over all rows after.
    """

    run: Callable[[Rows], Any]
    scores: Callable[[Rows, Any], list[Any]] = lambda rows, result: result


class Took(float):
    """The seconds that a way has measured itself, in place of a result."""


Maker = Callable[[Given], Way]
# None: what the peer needs is not at hand.
Peer = Callable[[Given], Way | None]


@dataclass(frozen=True)
class Case:
    """So many rows of some texts, scored by us and by a peer: who it is, the target and what that is measured in.

    `tolerance` None compares no scores. `with_model`: it needs transformers. `judge`: the seconds after which a judge's
    server answers it.
    """

    what: str
    rows: int
    texts: Texts
    ours: Maker
    against: str = ""
    theirs: Peer | None = None
    target: float | None = None
    kind: str = "times faster"
    tolerance: float | None = 0.0
    with_model: bool = False
    judge: float | None = None

    def measure(self, name: str, given: Given) -> dict[str, Any]:
        """Return the case as it stands in the results: the value is made of the medians, its spread of the repeats."""
        ways, peer = {"ours": self.ours(given)}, self.theirs and self.theirs(given)
        if peer:
            ways["theirs"] = peer
        times: dict[str, list[float]] = {who: [] for who in ways}
        difference = ""
        for repeat in range(-1, given.repeats):  # the first is there to get warm
            rows = self.texts(Random(f"{name} {repeat + 1}"), max(2, round(self.rows * given.scale)))
            found = timed(ways, rows, reverse=repeat % 2 == 1)
            if len(ways) == 2 and self.tolerance is not None and not difference:
                ours, theirs = (ways[who].scores(rows, found[who][1]) for who in ("ours", "theirs"))
                difference = first_difference(ours, theirs, self.tolerance, rows)
            for who in ways if repeat >= 0 else ():
                times[who].append(found[who][0] / len(rows.references))
        medians = {who: median(seconds) for who, seconds in times.items()}
        about = {"case": name, "what": self.what.format(rows=len(rows.references)), "repeats": given.repeats}
        about |= {"against": self.against, "kind": self.kind, "target": self.target, **medians}
        if self.theirs and not peer:
            return about | {"missing": "needs --lveval"}
        compare = KINDS[self.kind]
        each = [compare(*pair) for pair in zip(times["ours"], times.get("theirs", times["ours"]), strict=True)]
        value = compare(medians["ours"], medians.get("theirs", math.nan))
        about |= {"value": value, "low": min(each), "high": max(each)}
        if self.theirs and self.tolerance is not None:
            about |= {"difference": difference, "tolerance": self.tolerance}
        return about


def timed(ways: dict[str, Way], rows: Rows, reverse: bool) -> dict[str, tuple[float, Any]]:
    """Return for each way its seconds and its result; who begins changes from one repeat to the next."""
    found = {}
    for who, way in sorted(ways.items(), reverse=reverse):
        gc.collect()
        start = time.perf_counter()
        result = way.run(rows)
        seconds = time.perf_counter() - start
        found[who] = float(result) if isinstance(result, Took) else seconds, result
    return found


def first_difference(ours: list[Any], theirs: list[Any], tolerance: float, rows: Rows) -> str:
    """Return a sentence on the first score that differs, "" where none does. Where a peer fails, it has none."""
    if len(ours) != len(theirs):
        return f"{len(ours)} scores of ours and {len(theirs)} of the peer's"
    if all(other is None for other in theirs):
        return "the peer has no score for any row"
    for i, (own, other) in enumerate(zip(ours, theirs, strict=True)):
        if other is not None and own != other and not (tolerance and abs(own - other) <= tolerance):
            row = [column[i] for column in rows] if i < len(rows.references) else "all rows"
            return f"ours is {own!r}, the peer's {other!r}, of {row!r:.500}"
    return ""
