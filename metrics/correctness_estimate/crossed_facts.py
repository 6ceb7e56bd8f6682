"""Find facts that an answer joins the other way round: Ann in Rome and Bob in Oslo, exchanged.

So are a cause and its effect: "It burst because it froze", "It froze because it burst".

Both texts are cut into parts at their marks and at words such as "and". The reference joins two
facts in each of two parts. An answer exchanges them if each of two of its parts has a fact of both.
"""

import re
from functools import lru_cache
from itertools import combinations, islice
from typing import NamedTuple

from .lexicon import BE, STOP_WORDS
from .relations import unify_forms
from .text import RECENT_TEXTS, Text, is_negator, read_text

MOST_WORDS = 40  # of a text
MOST_GROUPS = 8  # of a text
JOINTS = frozenset("and or with but while whereas".split())  # a part begins at each
# Words that tell no fact.
NO_FACTS = STOP_WORDS | BE | JOINTS | set("one ones first second later other each both".split())
# "red, green and blue": the order of a series tells nothing
SERIES = re.compile(r", (?:\w+ )?\w+,? (?:and|or)\b")
# Stop words that are facts: blood flows to the heart, or from it.
DIRECTIONS = frozenset("to from over under above before after".split())
Group = frozenset[str]
CROSSED, STRAIGHT = -1, 1
FACTS_OF_PAIR = 2  # facts that two parts have in common, so that they say the same
# What stands before a cause, and between a cause and its effect.
THIS = r"(?:that|this|it|them|these|which)\b"
OF_CAUSE = r"(?:because of|due to|owing to|thanks to|as a result of)"
BEFORE_CAUSE = re.compile(
    rf"\b(?:because(?! of\b)|since(?= (?:it|he|she|they|we|there)\b)|{OF_CAUSE}(?! {THIS}))\b"
)
END_OF_CAUSE = re.compile(r"[,;.]| and ")
BEFORE_EFFECT = re.compile(
    r"[,;.] (?:and )?(?:(?:so|therefore|thus|hence)\b(?! (?:that|far|as)\b)|as a result\b(?! of\b))"
    rf"|\b{OF_CAUSE} {THIS}"
)


def compare_joints(answer: Text, reference: Text) -> int:
    """Return CROSSED if an answer joins facts of two reference parts crosswise, else STRAIGHT or 0.

    CROSSED: each of two parts of the answer has facts of the same two parts of the reference.
    STRAIGHT: each of two parts has two facts of another part. 0: neither.

    >>> compare_joints(Text("Ann is in Rome, Bob in Oslo"), Text("Ann is in Oslo, Bob in Rome"))
    -1
    """
    expected = group_facts(reference)
    if len(expected) < 2:
        return 0
    known = frozenset[str]().union(*expected)
    stated = [frozenset(unify_forms(part, known)) for part in group_facts(answer)]
    is_straight = False
    for first, second in combinations(keep_unique(expected), 2):
        for one, other in combinations(keep_unique(stated), 2):
            if all(not a.isdisjoint(b) for a in (one, other) for b in (first, second)):
                return CROSSED
            for a, b in ((first, second), (second, first)):
                is_pair = min(len(one & a), len(other & b)) >= FACTS_OF_PAIR
                is_straight = is_straight or is_pair
    return STRAIGHT if is_straight else 0


class CausedFact(NamedTuple):
    """The stems of an effect and of its cause."""

    effect: Group
    cause: Group


def exchanges_cause(answer: Text, reference: Text) -> bool:
    """Return whether an answer gives the effect of a reference as the cause, and the reverse.

    >>> exchanges_cause(Text("It froze because it burst"), Text("It burst because it froze"))
    True
    """
    expected, stated = read_cause(reference), read_cause(answer)
    if not expected or not stated or answer.denials or reference.denials:
        return False
    known = expected.effect | expected.cause
    effect, cause = unify_forms(stated.effect, known), unify_forms(stated.cause, known)
    is_straight = not (expected.effect.isdisjoint(effect) and expected.cause.isdisjoint(cause))
    is_crossed = not (expected.effect.isdisjoint(cause) or expected.cause.isdisjoint(effect))
    return is_crossed and not is_straight


@lru_cache(maxsize=RECENT_TEXTS)
def read_cause(text: Text) -> CausedFact | None:
    """Return the effect and the cause that a text tells, without the stems of both, or None.

    None for a text that tells two causes.
    """
    if len(text.words) > MOST_WORDS:
        return None
    causes = list(islice(BEFORE_CAUSE.finditer(text.lower), 2))
    effects = list(islice(BEFORE_EFFECT.finditer(text.lower), 2))
    if len(causes) + len(effects) != 1:
        return None
    (joint,) = causes or effects
    before, behind = text.lower[: joint.start()], text.lower[joint.end() :]
    if effects:  # it froze, so it burst
        cause_text, effect_text = before, behind
    elif list_fact_stems(before):  # it burst because it froze
        effect_text, cause_text = before, END_OF_CAUSE.split(behind, maxsplit=1)[0]
    else:  # because it froze, it burst
        cause_text, _, effect_text = behind.partition(",")
    cause, effect = list_fact_stems(cause_text), list_fact_stems(effect_text)
    if not effect - cause or not cause - effect:
        return None
    return CausedFact(effect - cause, cause - effect)


def list_fact_stems(part: str) -> Group:
    """Return the stems of the words of a part that tell a fact."""
    text = read_text(part)
    return frozenset(text.stems[i] for i in range(len(text.words)) if tells_fact(text, i))


@lru_cache(maxsize=RECENT_TEXTS)
def group_facts(text: Text) -> list[Group]:
    """Return the stems of the facts in each part of a text, [] for a text that is too long.

    Two parts of one fact are joined: "Leeds, 210".
    """
    if text.is_chinese or len(text.words) > MOST_WORDS:
        return []
    if {"and", "or"} <= text.first_place.keys() or SERIES.search(text.lower):
        return []  # push and pop add or remove
    parts, is_joined = [set[str]()], False
    for i, word in enumerate(text.words):
        if i > 0 and parts[-1] and begins_group(text, i):
            is_joined = len(parts[-1]) == 1 and not is_joined and word not in JOINTS
            if not is_joined:
                parts.append(set())
        if tells_fact(text, i):
            parts[-1].add(text.stems[i].removesuffix("'s"))
    filled = [frozenset(part) for part in parts if part]
    return filled if len(filled) <= MOST_GROUPS else []


def begins_group(text: Text, i: int) -> bool:
    """Return whether a part of a text begins at a word: at "to", too, behind a "from"."""
    word = text.words[i]
    if word == "to":
        before = text.words[text.find_clause(i).start : i]
        return "from" in before and "and" not in before
    is_new_clause = text.clause[i] != text.clause[i - 1] and word != "until"
    return word in JOINTS or is_new_clause


def tells_fact(text: Text, i: int) -> bool:
    """Return whether a word may tell a fact: no stop word, joint, negator or adverb."""
    word = text.words[i]
    if word in DIRECTIONS:
        return True
    if word in NO_FACTS or is_negator(word):
        return False
    return text.shown[i][0].isupper() or not word.endswith("ly")


def keep_unique(parts: list[Group]) -> list[Group]:
    """Return the parts without the facts that stand in several."""
    unique = list[Group]()
    for part in parts:
        others = [other for other in parts if other is not part]
        unique.append(part.difference(*others))
    return [part for part in unique if part]
