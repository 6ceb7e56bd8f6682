"""Draw the share of right answers for each tenth of the estimate, as text."""

import re
from pathlib import Path
from typing import Any, NamedTuple

BINS, WIDTH = 10, 40
BEGIN, END = "<!-- calibration: written by `make estimate` -->", "<!-- end of calibration -->"


class Tenth(NamedTuple):
    """The answers whose estimates are in one tenth.

    Attributes:
        low: the lower end of the tenth.
        answers: how many answers there are.
        chance: the mean estimate.
        right: the share of right answers.
    """

    low: float
    answers: int
    chance: float
    right: float


def group_by_tenths(chance: Any, right: Any) -> list[Tenth]:
    """Return the tenths of the estimates that have answers."""
    which = (chance * BINS).astype(int).clip(max=BINS - 1)
    return [
        Tenth(
            b / BINS, int((which == b).sum()), chance[which == b].mean(), right[which == b].mean()
        )
        for b in sorted(set(which.tolist()))
    ]


def draw_calibration(chance: Any, right: Any) -> str:
    """Return the picture: one line for each tenth of the estimates.

    The bar is the share that people found right. A `|` marks where it would end if the estimates
    were exact.
    """
    lines = ["estimate    answers  right"]
    for tenth in group_by_tenths(chance, right):
        exact = round(WIDTH * tenth.chance)
        bar = ("=" * round(WIDTH * tenth.right)).ljust(WIDTH + 1)
        bar = bar[:exact] + "|" + bar[exact + 1 :]
        lines.append(
            f"{tenth.low:.1f} - {tenth.low + 1 / BINS:.1f}  {tenth.answers:>8,}   "
            f"{tenth.right:.2f}  {bar}".rstrip()
        )
    return "\n".join(lines)


def write_picture(page: Path, picture: str) -> None:
    """Write the picture between its two marks in a page."""
    text = page.read_text("utf-8")
    block = f"{BEGIN}\n```text\n{picture}\n```\n{END}"
    page.write_text(
        re.sub(f"{BEGIN}.*?{END}", lambda _: block, text, flags=re.S), "utf-8", newline="\n"
    )
