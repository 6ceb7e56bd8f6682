"""Denials beside a long reference: what one text denies, and the other says without a denial."""

import re
from collections.abc import Iterator, Set

from .places import MOST_FACTS, Context, Fact, Pair, Places, measure_likeness, select_nearest
from .opposites import opposites
from .text import Text

MOST_PLACES = 5  # places of a word that are compared
# Words from a place in which a denial bears on it, in which a word does that denies without a
# negator, and in which a denial turns an opposite round.
DENIAL_REACH, SOFT_DENIAL_REACH, OPPOSITE_REACH = 5, 1, 3
# What is taken from a likeness where the nearest words are others, and where the denied word is.
OTHER_NEXT_WORDS, OTHER_FOLLOWING_WORD = 0.1, 0.1
# What makes a condition, and in how many words before a denial.
CONDITIONS = frozenset("if unless when whether until wenn falls ob".split())
CONDITION_REACH = 6
DENIED_TOO = (
    0.7  # how like, to the likest place, one that is denied must be for the denial to stand there
)
SOFT_DENIAL = re.compile(
    "unable|impossib|fail|lack|absen|refus|illegal|forbid|prohibit|ban|prevent|unlike|only|little|few|miss|zero|stop|"
    "avoid|keine?|nicht|ohne|except|unless|instead|rather|少"
)


def find_denials(one: Places, other: Places) -> Iterator[Pair]:
    """Yield the denials of one text whose place in the other denies nothing: where both stand, how
    like they are.
    """
    text = one.text
    for i in text.denials[:MOST_FACTS]:
        if text.words[i] == "no" and text.is_new_sentence(i):
            continue  # it answers a question
        if is_harmless(text, i):
            continue
        pair = find_undenied_place(one.locate(i, i + 1), other)
        if pair:
            yield pair


def is_harmless(text: Text, i: int) -> bool:
    """Return whether a denial takes nothing back: no more than two, with or without, if not."""
    previous = text.words[i - 1] if i else ""
    following = text.words[i + 1 : i + 3]
    if following[:1] == ["matter"] or following[1:] == ["than"] or previous == "or":
        return True
    if text.words[i] == "without" and previous == "and":
        return True
    before = range(max(0, i - CONDITION_REACH), i)
    return any(text.words[j] in CONDITIONS and text.clause[j] == text.clause[i] for j in before)


def find_undenied_place(fact: Fact, other: Places) -> Pair | None:
    """Return the likest place for a denial in a text, if nothing is denied there or in a place
    almost as like.
    """
    text, denials = other.text, set(other.text.denials)
    nearest, stems = set(select_nearest(fact.context)), {stem for _, stem in fact.context}
    following = select_following(fact.context, 1)
    places = {place for stem in stems for place in text.places.get(stem, [])[:MOST_PLACES]}
    best = denied = 0.0
    at, there = -1, Context()
    for gap in sorted(places | {place + 1 for place in places}):
        candidate = other.locate(gap, gap)
        likeness = measure_likeness(fact, candidate)
        likeness -= OTHER_NEXT_WORDS * nearest.isdisjoint(select_nearest(candidate.context))
        likeness -= OTHER_FOLLOWING_WORD * following.isdisjoint(
            select_following(candidate.context, 2)
        )
        if is_denied_near(text, gap, denials, stems):
            denied = max(denied, likeness)
        elif likeness > best:
            best, at, there = likeness, gap, candidate.context
    around = {stem for _, stem in there}
    has_opposite = any(not opposites().get(stem, frozenset()).isdisjoint(around) for stem in stems)
    if at < 0 or has_opposite or denied >= DENIED_TOO * best:
        return None
    return Pair(fact.start, min(at, len(text.words) - 1), best)


def select_following(context: Context, count: int) -> set[tuple[bool, str]]:
    """Return the first words after a place."""
    return set([key for key in context if key[0]][:count])


def is_denied_near(
    text: Text,
    i: int,
    denials: Set[int],
    around: Set[str],
) -> bool:
    """Return whether a place of a text is denied, or as good as, but for words that the other has
    around it, too.
    """
    last = len(text.words)
    sentence = text.sentence[min(i, last - 1)]
    for at in range(max(0, i - DENIAL_REACH), min(last, i + DENIAL_REACH + 1)):
        if text.sentence[at] != sentence:
            continue
        is_soft = (
            abs(at - i) <= SOFT_DENIAL_REACH
            and text.stems[at] not in around
            and SOFT_DENIAL.match(text.words[at])
        )
        if at in denials or is_soft:
            return True
    return False


def is_denied_before(text: Text, i: int) -> bool:
    """Return whether a word is denied right before it."""
    near = [
        at
        for at in text.denials
        if 0 < i - at <= OPPOSITE_REACH and text.sentence[at] == text.sentence[i]
    ]
    return len(near) % 2 == 1
