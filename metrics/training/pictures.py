"""Draws into the README how often answers are right that have some estimate, as text."""

import re
from pathlib import Path
from typing import Any, NamedTuple

BINS, WIDTH = 10, 40
BEGIN, END = "<!-- calibration: written by `make estimate` -->", "<!-- end of calibration -->"


class Tenth(NamedTuple):
    """Answers whose estimates lie in one tenth: the lowest estimate, how many, mean estimate, share
    that is right.
    """

    low: float
    answers: int
    chance: float
    right: float


def tenths(chance: Any, right: Any) -> list[Tenth]:
    """Return each tenth of the estimates that has answers."""
    which = (chance * BINS).astype(int).clip(max=BINS - 1)
    return [
        Tenth(
            b / BINS, int((which == b).sum()), chance[which == b].mean(), right[which == b].mean()
        )
        for b in sorted(set(which.tolist()))
    ]


def calibration(chance: Any, right: Any) -> str:
    """Return the picture: a line for each tenth of the estimates, the bar is the share that people
    called right.

    A `|` stands where the bar would end if the estimates of that line were exact.
    """
    lines = ["estimate    answers  right"]
    for one in tenths(chance, right):
        exact = round(WIDTH * one.chance)
        bar = ("=" * round(WIDTH * one.right)).ljust(WIDTH + 1)
        bar = bar[:exact] + "|" + bar[exact + 1 :]
        lines.append(
            f"{one.low:.1f} - {one.low + 1 / BINS:.1f}  {one.answers:>8,}   "
            f"{one.right:.2f}  {bar}".rstrip()
        )
    return "\n".join(lines)


def write(page: Path, picture: str) -> None:
    """Put the picture between its two marks in a page."""
    text = page.read_text("utf-8")
    block = f"{BEGIN}\n```text\n{picture}\n```\n{END}"
    page.write_text(
        re.sub(f"{BEGIN}.*?{END}", lambda _: block, text, flags=re.S), "utf-8", newline="\n"
    )
