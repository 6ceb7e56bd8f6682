"""Read verbs of several words as one: turned it down, came across, made it to.

A text with such verbs is rewritten with one verb in its base form, so that "She turned it down" and
"She declined it" have the same words. The table is everyday English, chosen here; a verb with
several meanings ("put out") stands there only with an object or meaning that is plain.
"""

from functools import cache, lru_cache

from .lexicon import DETERMINERS, IRREGULAR_FORMS, IRREGULAR_PAST
from .opposites import find_root
from .text import RECENT_TEXTS, Text, stem_word

PHRASAL_VERBS = """
accept: say yes to
arrive: turn up, show up
attack: set upon
build: put up
cancel: call off
continue: carry on, go on, keep on, press on
cover: pay for
decline: turn down, say no to
demolish: tear down, pull down, knock down
die: pass away
disappear: go missing
disappoint: let down
discover: find out
dismiss: lay off
enter: go into, come into
escape: get away, run away, break out
establish: set up
exclude: leave out, rule out
explode: blow up, go off
extinguish: put out
find: come across, come upon
happen: take place, come about
hire: take on
inherit: come into
investigate: look into
leave: set off, set out, move out
meet: run into, bump into
participate: take part
postpone: put off, push back
publish: bring out
reach: get to, make it to, arrive at, get as far as
recover: get over
remove: take out, take away
resemble: take after, look like
resign: step down
return: come back, go back, give back, bring back
rise: go up, shoot up
fall: go down, come down
start: kick off, get going
stop: give up, put an end to
surrender: give in
tolerate: put up with
use: make use of
wear: have on
"""
OBJECTS = frozenset("it them him her us me you this that".split())  # between the words of a verb


@cache
def read_table() -> dict[str, list[tuple[list[str], str]]]:
    """Return by the stem of a first word the other words of each verb, the longest first."""
    table = dict[str, list[tuple[list[str], str]]]()
    for line in PHRASAL_VERBS.strip().splitlines():
        verb, phrases = line.split(": ")
        for phrase in phrases.split(", "):
            first, *others = phrase.split()
            table.setdefault(find_root(first), []).append((others, verb))
    for entries in table.values():
        entries.sort(key=lambda entry: -len(entry[0]))
    return table


@cache
def list_first_stems() -> frozenset[str]:
    """Return the stems of the first words of the verbs, also of their past: came."""
    irregular = (*IRREGULAR_FORMS, *IRREGULAR_PAST)
    past = {stem_word(word) for word in irregular if find_root(word) in read_table()}
    return frozenset(read_table().keys() | past)


@lru_cache(maxsize=RECENT_TEXTS)
def read_phrasal_verbs(text: Text) -> Text:
    """Return a text with one verb for each verb of several words.

    >>> read_phrasal_verbs(Text("She turned it down.")).text
    'She decline it.'
    """
    if list_first_stems().isdisjoint(text.places):
        return text
    pieces = list[str]()
    end = 0  # of the text that is already rewritten
    for i, word in enumerate(text.words):
        stem = find_root(word)
        if stem not in read_table() or text.starts[i] < end:
            continue
        found = find_phrasal_verb(text, i, stem)
        if found:
            verb, stop, object_words = found
            pieces += [text.text[end : text.starts[i]], " ".join([verb, *object_words])]
            end = text.find_end_of_word(stop - 1)
    return Text("".join([*pieces, text.text[end:]])) if pieces else text


def find_phrasal_verb(text: Text, i: int, stem: str) -> tuple[str, int, list[str]] | None:
    """Return the verb for the words from a place on, the place behind them, and an object inside.

    None if no such verb begins there.
    """
    n_object_words = 0
    following = text.words[i + 1 : i + 2]
    if not OBJECTS.isdisjoint(following):
        n_object_words = 1  # turned it down
    elif not DETERMINERS.isdisjoint(following):
        n_object_words = 2  # turned the offer down
    for others, verb in read_table()[stem]:
        for n_between in (0, n_object_words):
            start = i + 1 + n_between
            if text.words[start : start + len(others)] == others:
                return verb, start + len(others), list(text.shown[i + 1 : start])
    return None
