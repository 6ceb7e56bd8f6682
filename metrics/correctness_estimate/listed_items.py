"""Decide by the words around the items of a list: all but salt, salt or sugar, and also an egg.

An answer may name each item of a reference and yet leave one out, put another in its place, leave
the choice open or add one. In the answer a mark, ITEM, replaces each item, so that a pattern can
say what the words around it do.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from .dismissals import FACT as ITEM
from .lexicon import BE, PRONOUNS, STOP_WORDS
from .lists import BRACKETS, ITEM_MARK, LONGEST_LISTING, is_clause, split_reference
from .outcomes import UNLIKELY, Decision
from .text import Text, read_text

JOINT = r"(?:[,;]? (?:and|&|as well as|plus) |[,;] ?)"
ITEMS = rf"{ITEM}(?:{JOINT}{ITEM})*"
FORM_OF_BE = r"(?:is|are|was|were|has been|have been|gets?|got)"
# Words that put something else in the place of items, or take them away: instead of salt.
PLACE_OF = (
    r"(?:instead of|in (?:the )?place of|in lieu of|rather than|as opposed to|except(?: for)?"
    r"|excluding|excepting|leaving out|minus|not counting|without|with the exception of|all but"
    r"|everything but|replacing)"
)
REMOVED = (
    r"(?:left out|excluded|omitted|dropped|missing(?=\W*$)|ruled out|removed|replaced|skipped"
    r"|forgotten|unnecessary|optional|no longer"
    r"|not (?:one|part|among|included|needed|required|necessary|there|counted|listed|any|in|on))"
)
# The words that leave items out, each pattern with an example.
LEAVES_OUT = (
    # flour and water without salt; flour, water, and sugar instead of salt
    re.compile(rf"\b(?<!nothing )(?<!no one ){PLACE_OF} {ITEMS}"),
    # flour and water; salt is not one of them; as for salt, it was left out; salt isn't needed
    re.compile(
        rf"{ITEM},?(?: (?:that|which|it|they|though))?"
        rf"(?: {FORM_OF_BE}(?: \w+ly)?| has| have)? {REMOVED}\b"
    ),
    # flour and water, not salt
    re.compile(rf"{ITEM},? (?:but |and )?not {ITEM}"),
    # flour, water and possibly salt
    re.compile(
        rf"{ITEM},? (?:and |or )?(?:possibly|maybe|perhaps|probably|at times"
        rf"|occasionally|optionally|potentially|if you like|if available),? (?:also )?{ITEM}"
    ),
    # one of flour, water and salt
    re.compile(rf"\b(?:one|two|some|none|neither) of:? {ITEM}(?:{JOINT}{ITEM})+"),
    # flour, water, not salt but sugar
    re.compile(rf"\bnot {ITEM} but\b"),
    # flour and salt used to be needed
    re.compile(rf"{ITEM} used to\b"),
    # flour and water replaced the salt
    re.compile(rf"\b(?:replaces|replaced|replacing) {ITEM}"),
)
# The words that leave the choice between items open.
LEAVES_OPEN = (
    re.compile(rf"\beither {ITEM}{JOINT}(?:or )?{ITEM}"),  # either flour, water or salt
    re.compile(rf"\beither {ITEM} or {ITEM}"),
    re.compile(rf"{ITEM} and {ITEM},? or {ITEM}"),  # flour and water or salt
)
# The words behind all items, or before them, that add another one: flour and salt. Also sugar.
ADDS = (
    re.compile(
        rf"{ITEM}[.;,!]? (?:oh,? )?(?:and |plus )?(?:also|additionally|in addition,?|don't forget"
        r"|not to forget|not to mention|on top of that,?|furthermore,?|add)"
        r" (?P<added>[^.;:!?,\x00]{1,40})$"
    ),
    re.compile(
        rf"{ITEM}[.;,]? (?:and |so is |so are )?(?P<added>[^.;:!?,\x00]{{1,40}}),? (?:too|as well)$"
    ),
    re.compile(
        rf"\b(?:besides|in addition to|on top of|apart from|aside from|not only) {ITEMS},? "
        r"(?:also |but (?:also )?|there (?:is|are) )?(?P<added>[^.;:!?,\x00]{1,40})$"
    ),
)
NO_THING = frozenset("your to free remember enjoy".split())  # and also remember to knead well
LONGEST_ADDED = 4  # words of an item that is added
SMALL = STOP_WORDS - frozenset("without except not instead".split())


def decide_listed_items(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return UNLIKELY if the words around the items of a list leave out or add one, else None.

    Nothing is decided where the question or the reference has such words, too: what was left out?
    """
    items = split_reference(reference, question)
    if not items or not 1 < len(answer.words) <= LONGEST_LISTING:
        return None
    marked = mark_items(answer, items)
    if ITEM not in marked:
        return None
    shown = reference.text.strip()
    known = [reference, question]
    is_once = marked.count(ITEM) <= len(items)
    if is_once and has_pattern(LEAVES_OUT, marked, known):
        return Decision(UNLIKELY, "partial", answer.text.strip(), shown)
    if has_pattern(LEAVES_OPEN, marked, known):
        return Decision(UNLIKELY, "either", answer.text.strip(), shown)
    added = find_added(marked, known) if marked.count(ITEM) >= len(items) else ""
    return Decision(UNLIKELY, "added", added, shown) if added else None


def mark_items(answer: Text, items: Sequence[str]) -> str:
    """Return an answer in lower case with ITEM in place of each item of a list."""
    return write_pattern(tuple(items)).sub(ITEM, answer.lower).rstrip(" .!?\"'")


def list_mentions(answer: Text, items: Sequence[str]) -> list[int]:
    """Return the numbers of the items that an answer names, in its order."""
    names = [name_item(item) for item in items]
    matches = write_pattern(tuple(items)).finditer(answer.lower)
    return [names.index(match["name"]) for match in matches]


@lru_cache(maxsize=1024)
def write_pattern(items: tuple[str, ...]) -> re.Pattern[str]:
    """Return the pattern of some items, each with or without an article, in singular or plural."""
    names = sorted(map(name_item, items), key=len, reverse=True)
    name = "|".join(map(re.escape, names))
    return re.compile(rf"(?:\b(?:the|an?|some) )?\b(?P<name>{name})(?:s|es)?\b")


def name_item(item: str) -> str:
    """Return an item in lower case, without an article, brackets and the "s" at its end."""
    name = ITEM_MARK.sub("", (BRACKETS.sub("", item) or item).strip(" .")).lower()
    return name.removesuffix("s") or name


def has_pattern(patterns: Sequence[re.Pattern[str]], marked: str, known: Sequence[Text]) -> bool:
    """Return whether an answer has one of some patterns, with no telling word of a known text.

    "Salt was left out" answers the question what was left out.
    """
    for pattern in patterns:
        match = pattern.search(marked)
        if match and not any(repeats_word(text, match[0]) for text in known):
            return True
    return False


def repeats_word(text: Text, words: str) -> bool:
    """Return whether a text has one of some words that is no small word."""
    return any(word in text.first_place for word in read_text(words).words if word not in SMALL)


def find_added(marked: str, known: Sequence[Text]) -> str:
    """Return the words that an answer adds to the items of a list, "" if it adds no new thing."""
    for pattern in ADDS:
        match = pattern.search(marked)
        if match and is_new_thing(match["added"], known):
            return match["added"].strip()
    return ""


def is_new_thing(words: str, known: Sequence[Text]) -> bool:
    """Return whether some words are a thing of which no known text has a word, and no clause."""
    thing = read_text(words)
    is_short = 0 < len(thing.words) <= LONGEST_ADDED
    if not NO_THING.isdisjoint(thing.words) or thing.words[:1] == ["with"]:
        return False
    if not is_short or is_clause(thing) or not (BE | PRONOUNS).isdisjoint(thing.words):
        return False
    stems = set(thing.content)
    return bool(stems) and all(stems.isdisjoint(text.places) for text in known)
