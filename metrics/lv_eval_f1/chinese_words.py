# A copy of metrics/shared/chinese_words.py: change that one, then run `make copies`.
"""Chinese words: those of `jieba.cut(text, cut_all=False)`, jieba 0.42.1, in about half its time.

jieba searches twice: for the likeliest words of its dictionary, and for new words among the
characters that are left. Both searches use jieba's own tables. The second takes linear time here;
jieba's takes n squared steps for n characters.

    cut_words(text)  the words
    read_version()   jieba's version for a signature, and whether its dictionary was changed
"""

import importlib.metadata
import logging
import os
import re
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from itertools import accumulate
from math import inf, log
from pathlib import Path
from typing import Any, NamedTuple

SINGLE = re.compile(r"\r\n|[\s\S]")
# The states of characters: B, M and E at the beginning, middle and end of a word; S for a word of
# one character.
STATES_OF_WORD = re.compile("[BM]*[ES]|[BM]+")
# Longer texts and longer runs of characters are not cached: they rarely come again, and take much
# memory.
LONG = 250
LONG_RUN = 16
# jieba 0.42.1 unchanged: the sum of frequencies, the number of entries, and the deleted words.
STOCK = (60101967, 498113, ())


def cut_words(text: str) -> Sequence[str]:
    """Return the words of a text.

    The words of short texts are cached, since several systems have the same references.

    Raises:
        ImportError: jieba is not installed; the message has the command.

    >>> cut_words("多伦多在加拿大。")
    ['多伦多', '在', '加拿大', '。']
    """
    state = read_dictionary_state()
    if len(text) > LONG:
        return split_words(text)
    lengths = measure_words(text, state)
    return [
        text[end - length : end] for length, end in zip(lengths, accumulate(lengths), strict=True)
    ]


@lru_cache(maxsize=16384)
def measure_words(text: str, state: tuple[Any, ...]) -> bytes:
    """Return the lengths of the words of a text, cached for one state of jieba's dictionary.

    The words themselves would take up to twenty times the memory.
    """
    return bytes(map(len, split_words(text)))


def cut_words_twice(text: str) -> list[str]:
    """Return the words of a text after each of its words was cut again by itself.

    With jieba's own dictionary, a word on the likeliest path stays whole. So only the characters
    that are not on it are cut again.
    """
    if read_dictionary_state() == STOCK:
        return split_words(text, lambda run: split_again(find_new_words(run)))
    return split_again(cut_words(text))


def split_again(words_once: Sequence[str]) -> list[str]:
    """Return the words of a text after each of them was cut again by itself."""
    parts: list[str] = []
    for word in words_once:
        parts += cut_words(word) if len(word) > 1 else [word]
    return parts


def read_version() -> str:
    """Return jieba's version, and whether its dictionary was changed: a change alters the words."""
    is_changed = load_jieba().dt.dictionary or read_dictionary_state() != STOCK
    suffix = "-custom-dictionary" if is_changed else ""
    return f"jieba-{importlib.metadata.version('jieba')}{suffix}"


def load_jieba() -> Any:
    """Return jieba without its messages; raise ImportError with the command that installs it."""
    try:
        import jieba
    except ImportError as error:
        raise ImportError("Chinese text needs jieba: pip install jieba==0.42.1") from error
    if not jieba.dt.initialized:
        # jieba reports its start, and tables that it could not store.
        jieba.setLogLevel(logging.CRITICAL)
        jieba.dt.tmp_dir = jieba.dt.tmp_dir or make_own_folder()
        jieba.dt.check_initialized()
    return jieba


def make_own_folder() -> str:
    """Return a folder for jieba's tables that only the user can write to; create it if needed.

    In the common folder for temporary files, anyone on the machine may have put other tables. If
    there is no such folder, return a path that cannot hold files.
    """
    try:
        folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "answer_lens"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = folder.stat()
    except (OSError, RuntimeError):
        # The folder cannot be written, or the user has no home folder.
        return os.devnull
    if hasattr(os, "getuid"):
        is_foreign = status.st_uid not in (0, os.getuid())
        if is_foreign or status.st_mode & 0o022:
            return os.devnull
    return str(folder)


def read_dictionary_state() -> tuple[Any, ...]:
    """Return a state of jieba's dictionary, which differs after a word is added or deleted.

    Returns:
        the sum of frequencies, the number of entries, and the words that were ever deleted, with
        their present frequencies.
    """
    jieba = load_jieba()
    frequencies = jieba.dt.FREQ
    deleted = tuple(
        (word, frequencies.get(word)) for word in sorted(jieba.finalseg.Force_Split_Words)
    )
    return jieba.dt.total, len(frequencies), deleted


def split_words(text: str, split_run: Callable[[str], Sequence[str]] | None = None) -> list[str]:
    """Return the words of a text, without the cache.

    Args:
        text: the text.
        split_run: splits a run of characters that are single on the likeliest path; None finds new
            words in it.

    >>> split_words("多伦多在加拿大。")
    ['多伦多', '在', '加拿大', '。']
    """
    jieba = load_jieba()
    words: list[str] = []
    for i, part in enumerate(jieba.re_han_default.split(text)):
        # The parts at odd places have the characters that form words.
        if i % 2:
            words += find_likeliest_words(part, jieba.dt, split_run or find_new_words)
        else:
            words += SINGLE.findall(part)
    return words


def find_likeliest_words(
    part: str, dictionary: Any, split_run: Callable[[str], Sequence[str]]
) -> list[str]:
    """Return the words on the likeliest path through jieba's dictionary.

    Of two paths that are equally likely, the one with the longer first word counts. `split_run`
    finds words in runs of single characters.
    """
    words: list[str] = []
    ends = find_likeliest_path(part, dictionary.FREQ.get, log(dictionary.total))
    start = 0
    done = 0
    while start < len(part):
        end = ends[start]
        if end > start + 1:
            if done < start:
                words += split_run(part[done:start])
            words.append(part[start:end])
            done = end
        start = end
    return [*words, *split_run(part[done:])]


def find_likeliest_path(
    part: str, find_frequency: Callable[[str], int | None], log_total: float
) -> list[int]:
    """Return, for each character, the end of the word that begins there on the likeliest path.

    `find_frequency` returns None for a text that begins no word of the dictionary, and 0 for one
    that only begins a word.
    """
    length = len(part)
    likelihoods = [0.0] * (length + 1)
    ends = list(range(1, length + 1))
    for start in range(length - 1, -1, -1):
        likeliest, end = -inf, start + 1
        frequency = find_frequency(part[start])
        while frequency is not None:
            if frequency:
                likelihood = log(frequency) - log_total + likelihoods[end]
                if likelihood >= likeliest:
                    likeliest, ends[start] = likelihood, end
            if end == length:
                break
            end += 1
            frequency = find_frequency(part[start:end])
        # A character that begins no word of the dictionary counts as a word of frequency 1.
        if likeliest == -inf:
            likeliest = log(1) - log_total + likelihoods[start + 1]
        likelihoods[start] = likeliest
    return ends


def find_new_words(run: str) -> Sequence[str]:
    """Return the new words in a run of single characters, as `jieba.finalseg.cut` does."""
    jieba = load_jieba()
    if len(run) < 2 or jieba.dt.FREQ.get(run):
        return run
    forced = jieba.finalseg.Force_Split_Words
    words: list[str] = []
    for i, part in enumerate(jieba.finalseg.re_han.split(run)):
        if i % 2 == 0:
            words += filter(None, jieba.finalseg.re_skip.split(part))
            continue
        find = find_hidden_words if len(part) <= LONG_RUN else find_hidden_words.__wrapped__
        for word in find(part):
            # A word that was deleted from the dictionary is split into its characters.
            words += word if word in forced else [word]
    return words


class HiddenState(NamedTuple):
    """A state of jieba's hidden Markov model of new words; all chances are logarithms.

    Attributes:
        name: B, M, E or S (see STATES_OF_WORD).
        first, second: the two states that it may follow.
        from_first, from_second: the chance that it follows each.
        start: its chance at the start of a text.
        get_chance: returns the chance of a character in this state, or a default.
    """

    name: str
    first: str
    from_first: float
    second: str
    from_second: float
    start: float
    get_chance: Callable[[str, float], float]


@cache
def load_hidden_model() -> list[HiddenState]:
    """Return the states of jieba's hidden Markov model of new words."""
    model = load_jieba().finalseg
    states = []
    # Each state with the two states that it may follow.
    for state, first, second in ("BES", "MBM", "EBM", "SES"):
        hidden_state = HiddenState(
            name=state,
            first=first,
            from_first=model.trans_P[first].get(state, model.MIN_FLOAT),
            second=second,
            from_second=model.trans_P[second].get(state, model.MIN_FLOAT),
            start=model.start_P[state],
            get_chance=model.emit_P[state].get,
        )
        states.append(hidden_state)
    return states


@lru_cache(maxsize=16384)
def find_hidden_words(text: str) -> tuple[str, ...]:
    """Return the words of the likeliest states, as `jieba.finalseg.viterbi` does.

    The time is linear in the length of the text.
    """
    model = load_hidden_model()
    never = load_jieba().finalseg.MIN_FLOAT
    scores = {state.name: state.start + state.get_chance(text[0], never) for state in model}
    # For each further character: the best preceding state of each state.
    pointers = []
    for character in text[1:]:
        new_scores = {}
        best_before = {}
        for state, first, from_first, second, from_second, _, get_chance in model:
            emitted = get_chance(character, never)
            score = scores[first] + from_first + emitted
            other_score = scores[second] + from_second + emitted
            if score > other_score:
                new_scores[state] = score
                best_before[state] = first
            else:
                new_scores[state] = other_score
                best_before[state] = second
        scores = new_scores
        pointers.append(best_before)
    path = ["E" if scores["E"] > scores["S"] else "S"]
    for best_before in reversed(pointers):
        path.append(best_before[path[-1]])
    states = "".join(reversed(path))
    return tuple(text[word.start() : word.end()] for word in STATES_OF_WORD.finditer(states))
