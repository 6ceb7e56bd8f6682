"""What the terminal prints, and how names out of users' files are shown.

A name stands on one line, in which nothing steers a terminal, turns the direction of the line
around or cannot be seen.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TextIO

from lens.words import say

MAX_NAME = 60
# Of the name of a system, which stands in columns and their heads.
MAX_SYSTEM = 30
# What a name ends with by the kind of its file.
FILE_ENDING = re.compile(
    r"(?<=[^./\\])\.(?:csv|tsv|jsonl|ndjson|json|parquet|eval|txt|xlsx|xlsm)(?:\.gz)?$"
)
BREAKS = re.compile(r"[\t\n\x0b\x0c\r\x1c-\x1f\x85\u2028\u2029]+")
# The scripts, and the emoji, whose texts need signs that cannot be seen: joiners, marks of
# direction, breaks of words.
NEED = (
    "\u0590-\u109f\u1780-\u18af\u2600-\u27bf\ufb1d-\ufdff\ufe0f\ufe70-\ufefc\U0001f000-\U0001faff"
)
# Control characters, lone surrogates, what turns a line around, and what has no width, with which
# two names look alike.
HIDDEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u180e\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
    f"|(?<![{NEED}])[\u061c\u200b-\u200f](?![{NEED}])"
)


def make_one_line(text: str) -> str:
    r"""Return a text on one line, with a sign in the place of whatever steers or hides.

    >>> make_one_line("a\r\nb"), make_one_line("\x1b[2Ja\u202eb\u200b")
    ('a b', '\ufffd[2Ja\ufffdb\ufffd')
    >>> make_one_line("می\u200cخواهم")
    'می\u200cخواهم'
    """
    return HIDDEN.sub("\ufffd", BREAKS.sub(" ", text))


def shorten_name(text: str, most: int = MAX_NAME) -> str:
    """Return a name to stand between quotation marks, of a long one both ends.

    >>> shorten_name("answers_of_the_model_at_step_1000.csv", 20)
    'answers_of…_1000.csv'
    """
    line = make_one_line(text)
    if len(line) <= most:
        return line
    half = most // 2
    return f"{line[:half]}…{line[1 - half :]}"


def show_name(text: str, most: int = MAX_NAME) -> str:
    r"""Return a name where nothing stands around it; in words where it is empty.

    >>> show_name(" a\nb"), show_name(" ")
    ('a b', '(empty)')
    """
    line = make_one_line(text).strip()
    return shorten_name(line or say("page.empty_token"), most)


def print_lines(*lines: str, file: TextIO | None = None) -> None:
    """Print lines, by default as an error, each on one line whatever is in it.

    All that the command says goes through here: what a file brought along cannot steer a terminal,
    nor pass for a line of ours.
    """
    if lines:
        print(*map(make_one_line, lines), sep="\n", file=file or sys.stderr, flush=True)


def count_same_signs(texts: Iterable[str]) -> int:
    """Return with how many of the same signs texts begin."""
    count = 0
    for signs in zip(*texts, strict=False):
        if len(set(signs)) > 1:
            break
        count += 1
    return count


def cut_to_middles(names: Sequence[str], most: int) -> list[str]:
    """Return names cut to where they differ, with what stands around it as far as there is room.

    It is empty without room.

    >>> cut_to_middles([f"{'a' * 40}-{model}-{'z' * 40}" for model in ("gpt4", "llama")], 20)
    ['…aaaaa-gpt4-zzzzz…', '…aaaaa-llama-zzzzz…']
    """
    first = count_same_signs(names)
    last = count_same_signs(name[first:][::-1] for name in names)
    middles = [name[first : len(name) - last] for name in names]
    room = (most - 2 - max(map(len, middles))) // 2
    if room < 0 or not all(middles):
        return [""] * len(names)
    start = max(first - room, 0)
    end = max(last - room, 0)
    before = "…" if start else ""
    after = "…" if end else ""
    return [f"{before}{name[start : len(name) - end]}{after}" for name in names]


def name_systems(labels: Iterable[str], files: bool = True, most: int = MAX_SYSTEM) -> list[str]:
    """Return what systems are called, each by another name.

    Long names that differ only in their middle are cut to that; where nothing tells two apart, they
    have numbers.

    Args:
        labels: the files of the systems, or their columns.
        files: whether they are files, which are named with as many folders as tell two apart.
        most: how many signs a name has at most.

    >>> name_systems(["runs/gpt/out.csv", "runs/llama/out.csv"])
    ['gpt/out.csv', 'llama/out.csv']
    >>> name_systems(["w/o", "x", "w/o "], files=False)
    ['w/o (1)', 'x', 'w/o (3)']
    """
    paths = [re.split(r"[/\\]", label) if files else [label] for label in labels]
    names = name_by_folders(paths, most)
    for name, count in Counter(names).items():
        if count > 1 and "…" in name:
            name_by_middles(paths, names, name, most)
    while len(set(names)) < len(names):
        names = number_equal_names(names)
    return names


def name_by_middles(
    paths: Sequence[Sequence[str]],
    names: list[str],
    equal: str,
    most: int,
) -> None:
    """Replace a name that several systems have by the middle of their paths.

    It must tell the systems apart.
    """
    places = [place for place, name in enumerate(names) if name == equal]
    whole = [make_one_line("/".join(paths[place])) for place in places]
    for place, middle in zip(places, cut_to_middles(whole, most), strict=True):
        names[place] = middle or equal


def number_equal_names(names: Sequence[str]) -> list[str]:
    """Return names, those that stand several times with the numbers of their places."""
    counts = Counter(names)
    numbered = []
    for number, name in enumerate(names, 1):
        numbered.append(f"{name} ({number})" if counts[name] > 1 else name)
    return numbered


def drop_shared_ending(names: Sequence[str]) -> Sequence[str]:
    """Return the names of several files without the ending that all of them have.

    >>> drop_shared_ending(["a.jsonl.gz", "b.jsonl.gz"]), drop_shared_ending(["a.csv", "b.jsonl"])
    (['a', 'b'], ['a.csv', 'b.jsonl'])
    """
    endings = {"".join(FILE_ENDING.findall(name)) for name in names}
    if len(names) < 2 or len(endings) != 1:
        return names
    return [FILE_ENDING.sub("", name) for name in names]


def name_by_folders(paths: Sequence[Sequence[str]], most: int) -> list[str]:
    """Return the last parts of paths, as many as tell all apart, or all of them."""
    names: list[str] = []
    deepest = max(map(len, paths))
    for depth in range(1, deepest + 1):
        names = [show_name("/".join(path[-depth:]), most) for path in paths]
        if len(set(names)) == len(names):
            break
    return names


def name_by_model(files: Sequence[str], models: Sequence[str]) -> list[str]:
    """Return the names of systems that are a file each.

    A system is called by the model that its log names, with the file where two logs name the same;
    by the file where none is named.

    >>> name_by_model(["a.eval", "b.eval", "c.csv"], ["org/m", "", ""])
    ['org/m', 'b.eval', 'c.csv']
    >>> name_by_model(["a.eval", "b.eval"], ["m", "m"])
    ['m (a.eval)', 'm (b.eval)']
    """
    names = []
    for file, model in zip(files, models, strict=True):
        is_shared = models.count(model) > 1
        if not model:
            names.append(file)
        elif is_shared:
            names.append(f"{model} ({file})")
        else:
            names.append(model)
    return name_systems(names, files=False)
