"""Prints lines, and makes names in users' files safe to show.

A shown name is on one line. It has no characters that control a terminal, change the direction of
text or are invisible.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TextIO

from lens.words import say

MAX_NAME = 60
# The longest name of a system, because it is used in tables and their headers.
MAX_SYSTEM = 30
# The extensions of files that can be scored.
FILE_ENDING = re.compile(
    r"(?<=[^./\\])\.(?:csv|tsv|jsonl|ndjson|json|parquet|eval|txt|xlsx|xlsm)(?:\.gz)?$"
)
BREAKS = re.compile(r"[\t\n\x0b\x0c\r\x1c-\x1f\x85\u2028\u2029]+")
# Scripts, and emoji, that need invisible characters: joiners, marks of direction, word breaks.
SCRIPTS_WITH_INVISIBLES = (
    "\u0590-\u109f\u1780-\u18af\u2600-\u27bf\ufb1d-\ufdff\ufe0f\ufe70-\ufefc\U0001f000-\U0001faff"
)
# Control characters, lone surrogates, characters that change the direction of text, and characters
# without width, which make different names look equal.
HIDDEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u180e\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
    f"|(?<![{SCRIPTS_WITH_INVISIBLES}])[\u061c\u200b-\u200f](?![{SCRIPTS_WITH_INVISIBLES}])"
)


def make_one_line(text: str) -> str:
    r"""Return a text on one line, with a replacement for each control or invisible character.

    >>> make_one_line("a\r\nb"), make_one_line("\x1b[2Ja\u202eb\u200b")
    ('a b', '\ufffd[2Ja\ufffdb\ufffd')
    >>> make_one_line("می\u200cخواهم")
    'می\u200cخواهم'
    """
    return HIDDEN.sub("\ufffd", BREAKS.sub(" ", text))


def shorten_name(text: str, most: int = MAX_NAME) -> str:
    """Return a name for use in quotation marks; a long name is cut in the middle.

    >>> shorten_name("answers_of_the_model_at_step_1000.csv", 20)
    'answers_of…_1000.csv'
    """
    line = make_one_line(text)
    if len(line) <= most:
        return line
    half = most // 2
    return f"{line[:half]}…{line[1 - half :]}"


def show_name(text: str, most: int = MAX_NAME) -> str:
    r"""Return a name for use without quotation marks; "(empty)" for an empty name.

    >>> show_name(" a\nb"), show_name(" ")
    ('a b', '(empty)')
    """
    line = make_one_line(text).strip()
    return shorten_name(line or say("page.empty_token"), most)


def print_lines(*lines: str, file: TextIO | None = None) -> None:
    """Print lines, by default to the error stream, each made safe by `make_one_line`.

    The command prints everything here. So the texts of a file cannot control a terminal, and cannot
    look like a line of the command.
    """
    if lines:
        print(*map(make_one_line, lines), sep="\n", file=file or sys.stderr, flush=True)


def measure_common_prefix(texts: Iterable[str]) -> int:
    """Return the length of the common prefix of texts."""
    count = 0
    for signs in zip(*texts, strict=False):
        if len(set(signs)) > 1:
            break
        count += 1
    return count


def cut_to_middles(names: Sequence[str], most: int) -> list[str]:
    """Cut names to the part in which they differ, with as much context as fits.

    The results are empty texts if that part does not fit.

    >>> cut_to_middles([f"{'a' * 40}-{model}-{'z' * 40}" for model in ("gpt4", "llama")], 20)
    ['…aaaaa-gpt4-zzzzz…', '…aaaaa-llama-zzzzz…']
    """
    first = measure_common_prefix(names)
    reversed_rests = [name[first:][::-1] for name in names]
    last = measure_common_prefix(reversed_rests)
    middles = [name[first : len(name) - last] for name in names]
    longest = max(map(len, middles))
    room = (most - 2 - longest) // 2
    if room < 0 or not all(middles):
        return [""] * len(names)
    start = max(first - room, 0)
    end = max(last - room, 0)
    before = "…" if start else ""
    after = "…" if end else ""
    cut_names = []
    for name in names:
        kept = name[start : len(name) - end]
        cut_names.append(f"{before}{kept}{after}")
    return cut_names


def name_systems(labels: Iterable[str], files: bool = True, most: int = MAX_SYSTEM) -> list[str]:
    """Return a distinct name for each system.

    Long names that differ only in the middle are cut to the middle. Names that are still equal get
    numbers.

    Args:
        labels: the paths of the systems' files, or their columns.
        files: whether the labels are paths; then names have as many folders as needed to be
            distinct.
        most: the longest name in characters.

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
    """Replace a name that several systems have by the middles of their paths.

    The name stays if the middles do not fit.
    """
    places = [place for place, name in enumerate(names) if name == equal]
    whole_paths = [make_one_line("/".join(paths[place])) for place in places]
    middles = cut_to_middles(whole_paths, most)
    for place, middle in zip(places, middles, strict=True):
        names[place] = middle or equal


def number_equal_names(names: Sequence[str]) -> list[str]:
    """Add the position to each name that stands several times."""
    counts = Counter(names)
    numbered = []
    for number, name in enumerate(names, 1):
        if counts[name] > 1:
            name = f"{name} ({number})"
        numbered.append(name)
    return numbered


def drop_shared_ending(names: Sequence[str]) -> Sequence[str]:
    """Return the names of several files without their common extension.

    >>> drop_shared_ending(["a.jsonl.gz", "b.jsonl.gz"]), drop_shared_ending(["a.csv", "b.jsonl"])
    (['a', 'b'], ['a.csv', 'b.jsonl'])
    """
    endings = {"".join(FILE_ENDING.findall(name)) for name in names}
    if len(names) < 2 or len(endings) != 1:
        return names
    return [FILE_ENDING.sub("", name) for name in names]


def name_by_folders(paths: Sequence[Sequence[str]], most: int) -> list[str]:
    """Return the last parts of paths, as many as needed for distinct names."""
    names: list[str] = []
    deepest = max(map(len, paths))
    for depth in range(1, deepest + 1):
        names = [show_name("/".join(path[-depth:]), most) for path in paths]
        if len(set(names)) == len(names):
            break
    return names


def name_by_model(files: Sequence[str], models: Sequence[str]) -> list[str]:
    """Return the names of systems that have one file each.

    The name is the model in the log. If two logs name the same model, the file is added. If a log
    names no model, the name is the file.

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
