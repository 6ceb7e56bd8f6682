r"""Where a final answer stands.

Behind a mark that the user names, or a mark that a worked solution has of its own.

Its own are `####` at the beginning of its last line (GSM8K), and its last \boxed{} (MATH).
"""

from __future__ import annotations

from lens.tables.final_answer import read_after, read_box

# The content of TeX's last \\boxed{}; any other mark is the words before the final answer.
BOXED = "boxed"
HASHES = "####"
# Words that prompts ask models to write before a final answer; others can be typed.
MARKERS = ("Final answer:", "The answer is", "Answer:", HASHES)


def find_final(text: str, mark: str) -> str | None:
    """Return the final answer behind a mark; None where the text does not have it."""
    if mark == BOXED:
        return read_box(text)
    return read_after(mark, text)


def find_own_final(text: str) -> tuple[str, str] | None:
    r"""Return the mark that a worked solution has of its own, and the final answer behind it.

    It is None for other texts.

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
