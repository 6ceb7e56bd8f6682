"""Chinese words: those of `jieba.cut(text, cut_all=False)`, jieba 0.42.1, in about half its time.

jieba's two searches, for the likeliest words of its dictionary and for new words among the characters that are left,
are done on its own tables, the second in linear time where jieba's takes n squared steps for n characters.

    words(text)     the words
    version()       jieba's version for a signature, and whether its dictionary was changed
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
from typing import Any

SINGLE = re.compile(r"\r\n|[\s\S]")
# The states of a word's characters: B, M, E for its begin, middle and end, S for a word by itself.
STATES_OF_WORD = re.compile("[BM]*[ES]|[BM]+")
# Longer texts and longer runs of characters are not remembered: they rarely come again, and would take the memory.
LONG, LONG_RUN = 250, 16
# jieba 0.42.1 as it comes: sum of frequencies, number of entries, words split by force.
STOCK = (60101967, 498113, ())


def words(text: str) -> Sequence[str]:
    """Return the words of a text; how a short one is cut is remembered, for systems share references.

    Raises:
        ImportError: jieba is not installed; the message has the command.

    >>> words("多伦多在加拿大。")
    ['多伦多', '在', '加拿大', '。']
    """
    state = dictionary_state()
    if len(text) > LONG:
        return segment(text)
    lengths = word_lengths(text, state)
    return [text[end - length : end] for length, end in zip(lengths, accumulate(lengths), strict=True)]


@lru_cache(maxsize=16384)
def word_lengths(text: str, state: tuple[Any, ...]) -> bytes:
    """Return the lengths of the words of a text, remembered for a state of jieba's dictionary: the words themselves
    take up to twenty times the memory.
    """
    return bytes(map(len, segment(text)))


def words_twice(text: str) -> list[str]:
    """Return the words that jieba finds in each of its words of a text alone.

    In jieba's own dictionary a word on the likeliest path stays whole, so only what is not on it is cut again.
    """
    if dictionary_state() == STOCK:
        return segment(text, lambda run: again(new_words(run)))
    return again(words(text))


def again(once: Sequence[str]) -> list[str]:
    """Return the words in each word alone."""
    return [part for word in once for part in (words(word) if len(word) > 1 else word)]


def version() -> str:
    """Return jieba's version, and whether its dictionary was changed: that changes the words."""
    changed = load_jieba().dt.dictionary or dictionary_state() != STOCK
    return f"jieba-{importlib.metadata.version('jieba')}{'-custom-dictionary' if changed else ''}"


def load_jieba() -> Any:
    """Return jieba, its messages silenced; raise ImportError with the command that installs it."""
    try:
        import jieba
    except ImportError as error:
        raise ImportError("Chinese text needs jieba: pip install jieba==0.42.1") from error
    if not jieba.dt.initialized:
        jieba.setLogLevel(logging.CRITICAL)  # it tells of its start, and of tables that it could not keep
        jieba.dt.tmp_dir = jieba.dt.tmp_dir or own_folder()
        jieba.dt.check_initialized()
    return jieba


def own_folder() -> str:
    """Return the folder where jieba may keep its tables, instead of the one for temporary files, where anyone on the
    machine may have put others; where the user has none of his own, a place that holds no file.
    """
    try:
        own = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "answer_lens"
        own.mkdir(mode=0o700, parents=True, exist_ok=True)
        about = own.stat()
    except (OSError, RuntimeError):  # it cannot be written, or nobody knows the user's home
        return os.devnull
    foreign = hasattr(os, "getuid") and (about.st_uid not in (0, os.getuid()) or about.st_mode & 0o022)
    return os.devnull if foreign else str(own)


def dictionary_state() -> tuple[Any, ...]:
    """Return what changes when a word is added to jieba's dictionary or deleted: the sum of frequencies, the number of
    entries, and the words that were ever deleted with their present frequencies.
    """
    jieba = load_jieba()
    frequencies = jieba.dt.FREQ
    deleted = tuple((word, frequencies.get(word)) for word in sorted(jieba.finalseg.Force_Split_Words))
    return jieba.dt.total, len(frequencies), deleted


def segment(text: str, alone: Callable[[str], Sequence[str]] | None = None) -> list[str]:
    """Return the words of a Chinese text; `alone` cuts a run of characters that stand alone on the likeliest path.

    >>> segment("多伦多在加拿大。")
    ['多伦多', '在', '加拿大', '。']
    """
    jieba, words = load_jieba(), list[str]()
    for i, part in enumerate(jieba.re_han_default.split(text)):  # every other part has what words are made of
        words += likeliest_words(part, jieba.dt, alone or new_words) if i % 2 else SINGLE.findall(part)
    return words


def likeliest_words(part: str, dictionary: Any, alone: Callable[[str], Sequence[str]]) -> list[str]:
    """Return the words on the likeliest path through jieba's dictionary, of equals the one with the longer first word.

    Characters that stand alone there are looked through for words that are not in the dictionary.
    """
    words: list[str] = []
    ends, start, done = likeliest_path(part, dictionary.FREQ.get, log(dictionary.total)), 0, 0
    while start < len(part):
        end = ends[start]
        if end > start + 1:
            words += alone(part[done:start]) if done < start else ()
            words.append(part[start:end])
            done = end
        start = end
    return [*words, *alone(part[done:])]


def likeliest_path(part: str, frequency_of: Callable[[str], int | None], log_total: float) -> list[int]:
    """Return for each character the end of the word that begins there on the likeliest path from it to the end.

    `frequency_of` is None for what begins no word, 0 for what is no word but begins one.
    """
    length = len(part)
    likelihoods, ends = [0.0] * (length + 1), list(range(1, length + 1))
    for start in range(length - 1, -1, -1):
        likeliest, end = -inf, start + 1
        frequency = frequency_of(part[start])
        while frequency is not None:
            if frequency:
                likelihood = log(frequency) - log_total + likelihoods[end]
                if likelihood >= likeliest:
                    likeliest, ends[start] = likelihood, end
            if end == length:
                break
            end += 1
            frequency = frequency_of(part[start:end])
        likelihoods[start] = likeliest if likeliest > -inf else log(1) - log_total + likelihoods[start + 1]
    return ends


def new_words(run: str) -> Sequence[str]:
    """Return the words in a run of characters that stand alone on the likeliest path, as `jieba.finalseg.cut` does."""
    jieba, words = load_jieba(), list[str]()
    if len(run) < 2 or jieba.dt.FREQ.get(run):
        return run
    forced = jieba.finalseg.Force_Split_Words
    for i, part in enumerate(jieba.finalseg.re_han.split(run)):
        if i % 2:
            found = hidden_words(part) if len(part) <= LONG_RUN else hidden_words.__wrapped__(part)
            words += (piece for word in found for piece in (word if word in forced else (word,)))
        else:
            words += filter(None, jieba.finalseg.re_skip.split(part))
    return words


@cache
def hidden_model() -> list[tuple[Any, ...]]:
    """Return the numbers of jieba's model of new words: each state, the two that it may follow, in order, with the
    chance of that, its chance at the start, and of each character.
    """
    model = load_jieba().finalseg
    move = {
        (one, state): chances.get(state, model.MIN_FLOAT) for one, chances in model.trans_P.items() for state in "BMES"
    }
    return [
        (state, one, move[one, state], other, move[other, state], model.start_P[state], model.emit_P[state].get)
        for state, one, other in ("BES", "MBM", "EBM", "SES")
    ]


@lru_cache(maxsize=16384)
def hidden_words(text: str) -> tuple[str, ...]:
    """Return the words of the likeliest states, which `jieba.finalseg.viterbi` finds too, in linear time."""
    model, never, pointers = hidden_model(), load_jieba().finalseg.MIN_FLOAT, []
    scores = {state: start + chance(text[0], never) for state, *_, start, chance in model}
    for character in text[1:]:
        now, came = {}, {}
        for state, one, from_one, other, from_other, _, chance in model:
            emitted = chance(character, never)
            score, other_score = scores[one] + from_one + emitted, scores[other] + from_other + emitted
            now[state], came[state] = (score, one) if score > other_score else (other_score, other)
        scores = now
        pointers.append(came)
    path = ["E" if scores["E"] > scores["S"] else "S"]
    for came in reversed(pointers):
        path.append(came[path[-1]])
    return tuple(text[slice(*word.span())] for word in STATES_OF_WORD.finditer("".join(reversed(path))))
