"""Find an act whose two sides are exchanged, by a possessor or by a passive.

"Tarn's takeover of Bright" is not "Bright's takeover of Tarn", and "he pushed the referee" is not
"the goalkeeper was pushed by the referee". roles.py reads the verbs between two things.
"""

import re
from collections.abc import Iterator

from .opposites import find_root
from .relations import SUBJECT_PRONOUNS, have_common, is_passive, is_verb
from .text import Text

# "Brightwell's takeover of Tarn"
OWNED = re.compile(
    r"\b(?P<owner>[\w-]{2,30}(?: [\w-]{2,30}){0,2})(?:'s|s') (?P<act>[\w-]{3,30})"
    r" (?:of|over|against|to|for|from|by) (?P<other>[^,.;]{2,40})"
)
REACH = 4  # words behind a verb, or "by", in which the other side stands


def has_exchanged_owner(answer: Text, reference: Text) -> bool:
    """Return whether the possessor of an act and its object are exchanged."""
    stated, expected = OWNED.search(answer.text), OWNED.search(reference.text)
    if not stated or not expected:
        return False
    if find_root(stated["act"].lower()) != find_root(expected["act"].lower()):
        return False
    owner, other = read_owner_and_other(answer, stated)
    expected_owner, expected_other = read_owner_and_other(reference, expected)
    if have_common(owner, expected_owner) or have_common(other, expected_other):
        return False
    return have_common(owner, expected_other) and have_common(other, expected_owner)


def read_owner_and_other(text: Text, match: re.Match[str]) -> tuple[set[str], set[str]]:
    """Return the stems of the possessor and of the other side of an act."""
    owner = text.list_stems(text.words_between(*match.span("owner")))
    return owner, text.list_stems(text.words_between(*match.span("other")))


def has_turned_voice(answer: Text, reference: Text) -> bool:
    """Return whether one text acts on somebody by whom the other is acted on.

    A pronoun is the other side in the reference: "he pushed the referee".
    """
    if SUBJECT_PRONOUNS.isdisjoint(reference.words[:1]):
        return False
    for active, passive in ((reference, answer), (answer, reference)):
        doers = list(list_doers(passive))
        for root, objects in list_objects(active):
            if any(root == act and have_common(objects, stems) for act, stems in doers):
                return True
    return False


def list_objects(text: Text) -> Iterator[tuple[str, set[str]]]:
    """Yield the root of each active verb, and the stems of the words behind it."""
    for i, word in enumerate(text.words):
        if i and is_verb(word) and not is_passive(text, i):
            yield find_root(word), text.list_stems(list_reach(text, i + 1))


def list_doers(text: Text) -> Iterator[tuple[str, set[str]]]:
    """Yield the root of each verb in the passive with "by", and the stems behind the "by"."""
    for i, word in enumerate(text.words):
        behind = text.words[i + 1 : i + 3]
        if "by" in behind and is_verb(word) and is_passive(text, i):
            start = i + 2 + behind.index("by")
            yield find_root(word), text.list_stems(list_reach(text, start))


def list_reach(text: Text, start: int) -> range:
    """Return the words from one on in which the other side of a verb may stand."""
    return range(start, min(start + REACH, len(text.words)))
