"""Draw the share of right answers for each tenth of the estimate, as text."""

import re
from pathlib import Path
from typing import NamedTuple

from metrics.training.rows import Array

TENTHS = 10
# The characters of a bar that stands for 100%.
BAR_WIDTH = 40
BEGIN = "<!-- calibration: written by `make estimate` -->"
END = "<!-- end of calibration -->"


class Tenth(NamedTuple):
    """The answers whose estimates are in one tenth, such as 0.3 to 0.4.

    Attributes:
        low: the lower end of the tenth.
        answers: how many answers there are.
        mean_estimate: the mean of their estimates.
        share_right: the share of right answers.
    """

    low: float
    answers: int
    mean_estimate: float
    share_right: float


def group_by_tenths(estimates: Array, right: Array) -> list[Tenth]:
    """Return the tenths of the estimates that have answers."""
    # An estimate of 1 belongs to the last tenth.
    tenth_of_answer = (estimates * TENTHS).astype(int).clip(max=TENTHS - 1)
    tenths = []
    for number in sorted(set(tenth_of_answer.tolist())):
        mask = tenth_of_answer == number
        tenth = Tenth(
            low=number / TENTHS,
            answers=int(mask.sum()),
            mean_estimate=estimates[mask].mean(),
            share_right=right[mask].mean(),
        )
        tenths.append(tenth)
    return tenths


def draw_calibration(estimates: Array, right: Array) -> str:
    """Return the picture: one line for each tenth of the estimates.

    The bar is the share that people found right. A `|` marks where it would end if the estimates
    were exact.
    """
    lines = ["estimate    answers  right"]
    for tenth in group_by_tenths(estimates, right):
        high = tenth.low + 1 / TENTHS
        bar = "=" * round(BAR_WIDTH * tenth.share_right)
        padded = bar.ljust(BAR_WIDTH + 1)
        mark = round(BAR_WIDTH * tenth.mean_estimate)
        marked = f"{padded[:mark]}|{padded[mark + 1 :]}"
        line = (
            f"{tenth.low:.1f} - {high:.1f}  {tenth.answers:>8,}   {tenth.share_right:.2f}  {marked}"
        )
        lines.append(line.rstrip())
    return "\n".join(lines)


def write_picture(page: Path, picture: str) -> None:
    """Write the picture between its two marks in a page."""
    text = page.read_text("utf-8")
    block = f"{BEGIN}\n```text\n{picture}\n```\n{END}"
    new_text = re.sub(f"{BEGIN}.*?{END}", lambda _: block, text, flags=re.DOTALL)
    page.write_text(new_text, "utf-8", newline="\n")
