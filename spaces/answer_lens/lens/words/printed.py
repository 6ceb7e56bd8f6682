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

# The longest name in a sentence, in characters.
MAX_NAME = 60
# The longest name of a system, which is also a header of tables.
MAX_SYSTEM = 30
# The extension of a file that can be scored: the ".jsonl.gz" of "a.jsonl.gz".
FILE_ENDING = re.compile(
    r"(?<=[^./\\])\.(?:csv|tsv|jsonl|ndjson|json|parquet|eval|txt|xlsx|xlsm)(?:\.gz)?$"
)
# Tabs and line breaks.
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


def shorten_name(text: str, max_length: int = MAX_NAME) -> str:
    """Return a name for use in quotation marks; a long name is cut in the middle.

    >>> shorten_name("answers_of_the_model_at_step_1000.csv", 20)
    'answers_of…_1000.csv'
    """
    line = make_one_line(text)
    if len(line) <= max_length:
        return line
    half = max_length // 2
    return f"{line[:half]}…{line[1 - half :]}"


def show_name(text: str, max_length: int = MAX_NAME) -> str:
    r"""Return a name for use without quotation marks; "(empty)" for an empty name.

    >>> show_name(" a\nb"), show_name(" ")
    ('a b', '(empty)')
    """
    line = make_one_line(text).strip()
    return shorten_name(line or say("page.empty_token"), max_length)


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
    for characters in zip(*texts, strict=False):
        if len(set(characters)) > 1:
            break
        count += 1
    return count


def cut_to_middles(names: Sequence[str], max_length: int) -> list[str]:
    """Cut names to the part in which they differ, with as much context as fits.

    The results are empty texts if that part does not fit.

    >>> cut_to_middles([f"{'a' * 40}-{model}-{'z' * 40}" for model in ("gpt4", "llama")], 20)
    ['…aaaaa-gpt4-zzzzz…', '…aaaaa-llama-zzzzz…']
    """
    prefix = measure_common_prefix(names)
    reversed_rests = [name[prefix:][::-1] for name in names]
    suffix = measure_common_prefix(reversed_rests)
    middles = [name[prefix : len(name) - suffix] for name in names]
    longest = max(map(len, middles))
    # The characters of context on each side, besides two ellipses.
    context = (max_length - 2 - longest) // 2
    if context < 0 or not all(middles):
        return [""] * len(names)
    cut_at_start = max(prefix - context, 0)
    cut_at_end = max(suffix - context, 0)
    before = "…" if cut_at_start else ""
    after = "…" if cut_at_end else ""
    cut_names = []
    for name in names:
        middle = name[cut_at_start : len(name) - cut_at_end]
        cut_names.append(f"{before}{middle}{after}")
    return cut_names


def name_systems(
    labels: Iterable[str], files: bool = True, max_length: int = MAX_SYSTEM
) -> list[str]:
    """Return a distinct name for each system.

    Long names that differ only in the middle are cut to the middle. Names that are still equal get
    the position of their system.

    Args:
        labels: the paths of the systems' files, or their columns.
        files: whether the labels are paths; then names have as many folders as needed to be
            distinct.
        max_length: the largest number of characters of a name.

    >>> name_systems(["runs/gpt/out.csv", "runs/llama/out.csv"])
    ['gpt/out.csv', 'llama/out.csv']
    >>> name_systems(["w/o", "x", "w/o "], files=False)
    ['w/o (1)', 'x', 'w/o (3)']
    """
    paths = [re.split(r"[/\\]", label) if files else [label] for label in labels]
    names = name_by_folders(paths, max_length)
    for name, count in Counter(names).items():
        if count > 1 and "…" in name:
            name_by_middles(paths, names, name, max_length)
    # A number may make a name equal to another one.
    while len(set(names)) < len(names):
        names = number_equal_names(names)
    return names


def name_by_middles(
    paths: Sequence[Sequence[str]],
    names: list[str],
    shared_name: str,
    max_length: int,
) -> None:
    """Replace a name that several systems have by the middles of their paths.

    The name stays if the middles do not fit.
    """
    positions = [position for position, name in enumerate(names) if name == shared_name]
    whole_paths = [make_one_line("/".join(paths[position])) for position in positions]
    middles = cut_to_middles(whole_paths, max_length)
    for position, middle in zip(positions, middles, strict=True):
        names[position] = middle or shared_name


def number_equal_names(names: Sequence[str]) -> list[str]:
    """Add the position to each name that occurs several times."""
    counts = Counter(names)
    numbered = []
    for position, name in enumerate(names, 1):
        if counts[name] > 1:
            name = f"{name} ({position})"
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


def name_by_folders(paths: Sequence[Sequence[str]], max_length: int) -> list[str]:
    """Return the last parts of paths, as many as needed for distinct names."""
    names: list[str] = []
    deepest = max(map(len, paths))
    for depth in range(1, deepest + 1):
        names = [show_name("/".join(path[-depth:]), max_length) for path in paths]
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
