# A copy of metrics/shared/chinese_words.py: change that one, then run `make copies`.
"""Chinese words: those of `jieba.cut(text, cut_all=False)`, jieba 0.42.1, in about half its time.

jieba's two searches, for the likeliest words of its dictionary and for new words among the characters that are left,
are done on its own tables, the second in linear time where jieba's takes n squared steps for n characters.

    words(text)     the words
    version()       jieba's version for a signature, and whether its dictionary was changed
"""

import contextlib
import importlib.metadata
import logging
import os
import re
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from math import inf, log
from pathlib import Path
from typing import Any

SINGLE = re.compile(r"\r\n|[\s\S]")
# Longer runs and texts are not remembered: they rarely come again, and would take the memory.
LONG_RUN, LONG_TEXT = 100, 250
# jieba's dictionary as it was last seen, and how many there were.
DICTIONARY: dict[str, Any] = {"last": None, "number": 0}
# jieba 0.42.1 as it comes: sum of frequencies, number of entries, words split by force.
STOCK = (60101967, 498113, ())


def words(text: str) -> Sequence[str]:
    """Return the words of a text; those of a short one are remembered, for systems share references.

    Raises:
        ImportError: jieba is not installed; the message has the command.

    >>> words("多伦多在加拿大。")
    ('多伦多', '在', '加拿大', '。')
    """
    state = dictionary_state()
    return words_again(text, state) if len(text) <= LONG_TEXT else segment(text)


@lru_cache(maxsize=16384)
def words_again(text: str, state: tuple[Any, ...]) -> tuple[str, ...]:
    """Return the words of a text, remembered for a state of jieba's dictionary."""
    return tuple(segment(text))


def version() -> str:
    """Return jieba's version, and whether its dictionary was changed: that changes the words."""
    changed = "" if stock_dictionary() else "-custom-dictionary"
    return f"jieba-{importlib.metadata.version('jieba')}{changed}"


def stock_dictionary() -> bool:
    """Return whether jieba's dictionary is as it comes."""
    return load_jieba().dt.dictionary is None and dictionary_state()[:3] == STOCK


def load_jieba() -> Any:
    """Return jieba, its start-up messages silenced; raise ImportError with the command that installs it."""
    try:
        import jieba
    except ImportError as error:
        raise ImportError("Chinese text needs jieba: pip install jieba==0.42.1") from error
    if not jieba.dt.initialized:
        jieba.setLogLevel(logging.WARNING)
        # jieba keeps its tables in the folder for temporary files, where anyone on the machine may have put others.
        own = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "answer_lens"
        with contextlib.suppress(OSError):
            own.mkdir(mode=0o700, parents=True, exist_ok=True)
            jieba.dt.tmp_dir = jieba.dt.tmp_dir or str(own)
    return jieba


def dictionary_state() -> tuple[Any, ...]:
    """Return what changes when a word is added to jieba's dictionary or deleted, or a dictionary is loaded.

    The sum of frequencies, the number of entries, the words that were ever deleted with their present frequencies, and
    how many dictionaries were seen so far.
    """
    jieba = load_jieba()
    jieba.dt.check_initialized()
    frequencies = jieba.dt.FREQ
    if frequencies is not DICTIONARY["last"]:
        DICTIONARY["number"] += 1
        DICTIONARY["last"] = frequencies
    deleted = tuple((word, frequencies.get(word)) for word in sorted(jieba.finalseg.Force_Split_Words))
    return jieba.dt.total, len(frequencies), deleted, DICTIONARY["number"]


def words_twice(text: str) -> list[str]:
    """Return the words that jieba finds in each of its words of a text alone.

    In jieba's own dictionary a word on the likeliest path stays whole, so only what is not on it is cut again.
    """
    if stock_dictionary():
        return segment(text, lambda run, jieba: again(single_characters(run, jieba)))
    return again(words(text))


def again(once: Sequence[str]) -> list[str]:
    """Return the words in each word alone."""
    return [part for word in once for part in (words(word) if len(word) > 1 else word)]


def segment(text: str, alone: Callable[[str, Any], Sequence[str]] | None = None) -> list[str]:
    """Return the words of a Chinese text; `alone` cuts a run of characters that stand alone on the likeliest path.

    >>> segment("多伦多在加拿大。")
    ['多伦多', '在', '加拿大', '。']
    """
    jieba = load_jieba()
    jieba.dt.check_initialized()
    words: list[str] = []
    cut = False
    for part in jieba.re_han_default.split(text):  # every other part has the characters that words are made of
        words += likeliest_words(part, jieba, alone or single_characters) if cut else SINGLE.findall(part)
        cut = not cut
    return words


def likeliest_words(part: str, jieba: Any, alone_words: Callable[[str, Any], Sequence[str]]) -> list[str]:
    """Return the words on the likeliest path through jieba's dictionary, of equals the one with the longer first word.

    Characters that stand alone there are looked through for words that are not in the dictionary.
    """
    words: list[str] = []
    ends, start, alone = likeliest_path(part, jieba.dt.FREQ.get, log(jieba.dt.total)), 0, 0
    while start < len(part):
        end = ends[start]
        if end > start + 1:
            words += alone_words(part[alone:start], jieba) if alone < start else ()
            words.append(part[start:end])
            alone = end
        start = end
    return [*words, *alone_words(part[alone:], jieba)] if alone < start else words


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


def single_characters(run: str, jieba: Any) -> Sequence[str]:
    """Return the words in a run of characters that stand alone on the likeliest path."""
    if len(run) == 1 or jieba.dt.FREQ.get(run):
        return tuple(run)
    forced = frozenset(jieba.finalseg.Force_Split_Words)
    return new_words(run, forced) if len(run) <= LONG_RUN else new_words.__wrapped__(run, forced)


@lru_cache(maxsize=65536)
def new_words(run: str, forced: frozenset[str]) -> tuple[str, ...]:
    """Return what `jieba.finalseg.cut` makes of a run, remembered as long as the same words are split by force."""
    words: list[str] = []
    finalseg, han = load_jieba().finalseg, False
    for part in finalseg.re_han.split(run):
        found = spelled(part, hidden_states(part)) if han else filter(None, finalseg.re_skip.split(part))
        for word in found:
            words += word if han and word in forced else (word,)
        han = not han
    return tuple(words)


@cache
def hidden_model() -> tuple[Any, ...]:
    """Return the numbers of jieba's model of new words: of no chance, of each state's start, and of what follows what.

    B, M, E: begin, middle, end of a word; S: a word by itself. Each follows one of two, named in order.
    """
    finalseg = load_jieba().finalseg
    none, moves, emissions = finalseg.MIN_FLOAT, finalseg.trans_P, finalseg.emit_P
    steps = [
        (state, one, moves[one].get(state, none), other, moves[other].get(state, none), emissions[state].get)
        for state, one, other in ("BES", "MBM", "EBM", "SES")
    ]
    return none, [(state, finalseg.start_P[state], emissions[state].get) for state in "BMES"], steps


def hidden_states(text: str) -> list[str]:
    """Return the likeliest state of each character, as `jieba.finalseg.viterbi` does, in linear time."""
    none, starts, steps = hidden_model()
    scores = {state: start + emission(text[0], none) for state, start, emission in starts}
    pointers = []
    for character in text[1:]:
        now, came = {}, {}
        for state, one, from_one, other, from_other, emission in steps:
            emitted = emission(character, none)
            score, other_score = scores[one] + from_one + emitted, scores[other] + from_other + emitted
            now[state], came[state] = (score, one) if score > other_score else (other_score, other)
        scores = now
        pointers.append(came)
    path = ["E" if scores["E"] > scores["S"] else "S"]
    for came in reversed(pointers):
        path.append(came[path[-1]])
    return path[::-1]


def spelled(text: str, states: list[str]) -> list[str]:
    """Return the words that the states of their characters make."""
    words, done = list[str](), 0
    for end, state in enumerate(states, 1):
        if state in "ES":
            words.append(text[done:end])
            done = end
    return words + [text[done:]] * (done < len(text))
