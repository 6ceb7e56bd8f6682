r"""Finds final answers by the mark before them.

The user names the mark, or a worked solution has its own: `####` at the beginning of its last line
(GSM8K), or a \boxed{} (MATH), of which the last counts.
"""

from __future__ import annotations

from lens.tables.final_answer import read_after, read_box

# This mark stands for the content of the last \boxed{} in TeX. Any other mark is the text before
# the final answer.
BOXED = "boxed"
HASHES = "####"
# Marks that prompts often ask for; the user can type others.
MARKERS = ("Final answer:", "The answer is", "Answer:", HASHES)


def find_final(text: str, mark: str) -> str | None:
    """Return the final answer behind a mark; None if the text does not have the mark."""
    if mark == BOXED:
        return read_box(text)
    return read_after(mark, text)


def find_own_final(text: str) -> tuple[str, str] | None:
    r"""Return the mark in a worked solution and the final answer behind it; None for other texts.

    >>> find_own_final("48/2 = 24\n48+24 = 72\n#### 72"), find_own_final(r"so $x = \boxed{3}$.")
    (('####', '72'), ('boxed', '3'))
    >>> find_own_final("72") is None
    True
    """
    last_line = text.rstrip().rpartition("\n")[2].strip()
    if last_line.startswith(HASHES) and last_line != text.strip():
        return HASHES, last_line.removeprefix(HASHES).strip()
    content = read_box(text)
    return None if content is None else (BOXED, content)
