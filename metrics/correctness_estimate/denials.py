"""Find the words of a text that deny, and the words that they deny.

Three things deny: negators (not, never, isn't), phrases (far from, by no means), and words whose
meaning is a denial (failed, unable, a myth). A negator denies the telling words behind it in its
clause. A "but" corrects a denial in front of it: no planet, but a dwarf.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from .lexicon import (
    AUXILIARY,
    BARRING_PHRASES,
    BE,
    DENYING_WORD,
    STOP_WORDS,
    TURNING_PHRASES,
)
from .text import RECENT_TEXTS, Text, is_negator

# Stop words that have an opposite.
DIRECTED_STOP_WORDS = frozenset("before after up down under over above below more less".split())
# Words after which the right thing follows: not X, but Y.
CORRECTING = frozenset({"but", "rather", "instead"})
# Negators that always deny a verb. "no" and "not" may deny a noun.
VERB_NEGATORS = frozenset("never cannot 不 没 未".split())
# Words before a "but" that means "except": anything but.
EXCEPTING = frozenset("anything nothing anyone anybody all none everything everyone no one".split())
# Words that begin a condition. A denial in it denies no statement.
CONDITIONS = frozenset("if unless when whenever whether until wenn ob quand si cuando".split())
DENIAL_REACH = 3  # words after a negator that it may deny
# Words that begin a clause about the noun before them.
RELATIVE_WORDS = frozenset("that which who whom whose where".split())


# ---- words that deny


@lru_cache(maxsize=RECENT_TEXTS)
def list_denials(text: Text) -> list[int]:
    """Return all words of a text that deny, each phrase by its first word."""
    return sorted({*find_negators(text), *find_denying_words(text)})


def find_negators(text: Text) -> list[int]:
    """Return the negators of a text, except a "no" at its start that answers the question.

    A phrase of several words counts as one negator, at its first word.
    """
    negators = {i for i in text.denials if not is_bound(text.words, i)}
    for phrase in list_phrases(text, BARRING_PHRASES):
        negators -= set(phrase)
        negators.add(phrase.start)
    if answers_no(text):
        negators.discard(0)
    return sorted(negators)


def stands_before_reason(text: Text, negator: int, fact: int, question: Text) -> bool:
    """Return whether a text denies what a question denies, and ends with a fact as the reason.

    "It did not open because it froze" does not deny that it froze, where the question is why it
    stayed shut. Where it goes on, it may give another reason: but because it was old.
    """
    if not list_denials(question):
        return False
    word = text.words[negator]
    denies_act = word == "not" or word.endswith("n't")
    is_last = text.clause[fact] == text.clause[-1]
    return denies_act and is_last and "because" in text.words[negator + 2 : fact]


BOUNDING = frozenset("fewer more less later earlier higher lower older younger".split())


def is_bound(words: Sequence[str], i: int) -> bool:
    """Return whether a negator begins a bound, which denies nothing: no fewer than 80."""
    if words[i] not in ("no", "not") or words[i + 2 : i + 3] != ["than"]:
        return False
    return words[i + 1] in BOUNDING


def answers_no(text: Text) -> bool:
    """Return whether a text begins with a "no" that answers the question: "No, it isn't"."""
    begins_with_no = text.words[:1] == ["no"]
    return begins_with_no and text.clause[:1] != text.clause[1:2]


@lru_cache(maxsize=RECENT_TEXTS)
def find_denying_words(text: Text) -> frozenset[int]:
    """Return the words that deny by their meaning: failed, unable, a myth.

    A phrase of several words is there by its first word.
    """
    words = {i for i, word in enumerate(text.words) if DENYING_WORD.match(word)}
    phrases = list_phrases(text, TURNING_PHRASES)
    return frozenset(words.union(phrase.start for phrase in phrases))


def find_main_clause(question: Text) -> range:
    """Return the words of a question before a relative clause: the door that no one may open.

    In "Which is the bird that cannot fly?" the relative clause is what is asked.
    """
    everything = range(len(question.words))
    if not BE.isdisjoint(question.words[1:2]):
        return everything
    relatives = [i for i in everything if i > 1 and question.words[i] in RELATIVE_WORDS]
    if not relatives or question.words[relatives[0] - 1] in ("it", "one"):
        return everything
    return range(relatives[0])


def denies_in_main_clause(question: Text) -> bool:
    """Return whether a question denies, other than in a relative clause."""
    return not set(list_denials(question)).isdisjoint(find_main_clause(question))


def list_phrases(text: Text, pattern: re.Pattern[str]) -> list[range]:
    """Return the range of words of each match of a pattern, if the match has a word."""
    phrases = [text.words_between(*match.span()) for match in pattern.finditer(text.lower)]
    return [phrase for phrase in phrases if phrase]


def denies_verb(words: Sequence[str], i: int) -> bool:
    """Return whether a negator denies a verb: was not, didn't, never, no longer, 不, 没."""
    word = words[i]
    if word in ("no", "not"):
        is_behind_auxiliary = i > 0 and words[i - 1] in AUXILIARY
        following = words[i + 1 : i + 2]
        return is_behind_auxiliary or following == ["longer"]
    if word in VERB_NEGATORS:
        return True
    return word.endswith(("n't", "nt"))


# ---- what is denied


def is_content(text: Text, i: int) -> bool:
    """Return whether a word is neither a stop word nor part of a denial: no longer."""
    word = text.words[i]
    if word in STOP_WORDS or is_negator(word):
        return False
    if word != "longer" or i == 0:
        return True
    return text.words[i - 1] != "no"


def is_telling(text: Text, i: int) -> bool:
    """Return whether a word tells something: it is content, or has an opposite ("up", "before")."""
    if text.words[i] in DIRECTED_STOP_WORDS:
        return True
    return is_content(text, i)


def list_denied_words(text: Text, i: int) -> set[int]:
    """Return the words that a negator denies: the telling ones after it, up to the clause's end."""
    behind = range(i + 1, text.find_clause(i).stop)
    return {j for j in behind if is_telling(text, j)}


def is_denied_before(text: Text, i: int) -> bool:
    """Return whether an odd number of negators stands shortly before a word, in its sentence."""
    n_denials = 0
    for negator in text.denials:
        if not 0 < i - negator <= DENIAL_REACH:
            continue
        if text.sentence[negator] == text.sentence[i]:
            n_denials += 1
    return n_denials % 2 == 1


def is_correcting(words: Sequence[str], i: int) -> bool:
    """Return whether a word corrects what came before: "but", not in "anything but"."""
    if words[i] not in CORRECTING or words[i - 1] in EXCEPTING:
        return False
    return words[i + 1 : i + 2] not in (["than"], ["of"])  # rather than, instead of
