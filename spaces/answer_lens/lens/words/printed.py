"""What the terminal prints, and how a name is shown that a user's file brought along: on one line, in which nothing
steers a terminal, turns the direction of the line around or cannot be seen.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import takewhile
from typing import TextIO

from lens.words import say

MAX_NAME = 60
# Of the name of a system, which stands in columns and their heads.
MAX_SYSTEM = 30
BREAKS = re.compile(r"[\t\n\x0b\x0c\r\x1c-\x1f\x85\u2028\u2029]+")
# The scripts, and the emoji, whose texts need signs that cannot be seen: joiners, marks of direction, breaks of words.
NEED = "\u0590-\u109f\u1780-\u18af\u2600-\u27bf\ufb1d-\ufdff\ufe0f\ufe70-\ufefc\U0001f000-\U0001faff"
# Control characters, lone surrogates, what turns a line around, and what has no width, with which two names look alike.
HIDDEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u180e\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
    f"|(?<![{NEED}])[\u061c\u200b-\u200f](?![{NEED}])"
)


def one_line(text: str) -> str:
    r"""A text on one line, with a sign in the place of whatever steers or hides.

    >>> one_line("a\r\nb"), one_line("\x1b[2Ja\u202eb\u200b"), one_line("می\u200cخواهم")
    ('a b', '\ufffd[2Ja\ufffdb\ufffd', 'می\u200cخواهم')
    """
    return HIDDEN.sub("\ufffd", BREAKS.sub(" ", text))


def short(text: str, most: int = MAX_NAME) -> str:
    """A name between quotation marks, of a long one both ends.

    >>> short("answers_of_the_model_at_step_1000.csv", 20)
    'answers_of…_1000.csv'
    """
    shown, half = one_line(text), most // 2
    return shown if len(shown) <= most else f"{shown[:half]}…{shown[1 - half :]}"


def name_of(text: str, most: int = MAX_NAME) -> str:
    r"""A name where nothing stands around it; in words where it is empty.

    >>> name_of(" a\nb"), name_of(" ")
    ('a b', '(empty)')
    """
    return short(one_line(text).strip() or say("empty_token"), most)


def tell(*lines: str, file: TextIO | None = None) -> None:
    """Print lines, by default as an error, each on one line whatever is in it. All that the command says goes through
    here: what a file brought along cannot steer a terminal, nor pass for a line of ours.
    """
    if lines:
        print(*map(one_line, lines), sep="\n", file=file or sys.stderr, flush=True)


def middles(names: Sequence[str], most: int) -> list[str]:
    """Names cut to where they differ, with what stands around it as far as there is room; empty where there is none.

    >>> middles([f"{'a' * 40}-{model}-{'z' * 40}" for model in ("gpt4", "llama")], 20)
    ['…aaaaa-gpt4-zzzzz…', '…aaaaa-llama-zzzzz…']
    """

    def alike(texts: Iterable[str]) -> int:
        return sum(1 for _ in takewhile(lambda signs: len({*signs}) == 1, zip(*texts, strict=False)))

    first = alike(names)
    last = alike(name[first:][::-1] for name in names)
    room = (most - 2 - max(len(name) - first - last for name in names)) // 2
    if room < 0 or min(map(len, names)) == first + last:
        return [""] * len(names)
    start, left = max(first - room, 0), max(last - room, 0)
    return [f"{'…' * bool(start)}{name[start : len(name) - left]}{'…' * bool(left)}" for name in names]


def names_of(given: Iterable[str], files: bool = True, most: int = MAX_SYSTEM) -> list[str]:
    """What systems are called, by their files, with as many folders as tell two apart, or by their columns; long names
    that differ only in their middle by that, with numbers where nothing tells them apart.

    >>> names_of(["runs/gpt/out.csv", "runs/llama/out.csv"]), names_of(["w/o", "x", "w/o "], files=False)
    (['gpt/out.csv', 'llama/out.csv'], ['w/o (1)', 'x', 'w/o (3)'])
    """
    parts = [re.split(r"[/\\]", name) if files else [name] for name in given]
    for depth in range(1, max(map(len, parts)) + 1):
        names = [name_of("/".join(part[-depth:]), most) for part in parts]
        if len({*names}) == len(names):
            break
    for name in [one for one, count in Counter(names).items() if count > 1 and "…" in one]:
        alike = [at for at, one in enumerate(names) if one == name]
        for at, one in zip(alike, middles([one_line("/".join(parts[at])) for at in alike], most), strict=True):
            names[at] = one or name
    while len({*names}) < len(names):
        names = [f"{name} ({at})" if names.count(name) > 1 else name for at, name in enumerate(names, 1)]
    return names


def names_by_model(files: Sequence[str], models: Sequence[str]) -> list[str]:
    """Return the names of systems that are a file each: the model that a log names, with the file where two logs name
    the same; the file where none is named.

    >>> names_by_model(["a.eval", "b.eval", "c.csv"], ["org/m", "", ""])
    ['org/m', 'b.eval', 'c.csv']
    >>> names_by_model(["a.eval", "b.eval"], ["m", "m"])
    ['m (a.eval)', 'm (b.eval)']
    """
    names = []
    for file, model in zip(files, models, strict=True):
        twice = models.count(model) > 1
        names.append(f"{model} ({file})" if model and twice else model or file)
    return names_of(names, files=False)
