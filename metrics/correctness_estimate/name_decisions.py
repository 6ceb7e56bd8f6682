"""Decide whether a short reference and a short answer can be the same name.

Initials, a surname behind a title, other spellings and the short names of states count as the name.
Two names differ if they share a part or a title, and each has a word that the other lacks.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from .chinese_names import is_same_chinese_name
from .lexicon import STATES, STOP_WORDS, TITLES
from .name_spelling import is_derived, is_same_given_name, is_short_form, sounds_alike
from .names import NAME_PARTICLES
from .outcomes import EQUAL, OPEN, UNLIKELY, Decision
from .text import Text

SUFFIXES = frozenset("jr sr ii iii".split())  # behind a surname
LONGEST_NAME = 8  # words of a name with initials
SHORTEST_SURNAME = 4  # letters of a surname that is part of a double one
ACRONYM = re.compile(r"\b[A-Z](?:\.?[A-Z]){1,6}\b")  # JFK, J.F.K
SMALL_WORDS = STOP_WORDS | NAME_PARTICLES
# A name without any of these words has no state.
STATE_WORDS = frozenset(" ".join(STATES.values()).split())
# Words that may follow a place, which stays the same: Austin, United States.
WHOLE_COUNTRY = frozenset({"united", "states", "state", "america"})


def decide_acronym(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return EQUAL if answer or reference has the initials of the other, else None."""
    if answer.denials or answer.untrue:
        return None
    if has_initials(answer, reference):
        return Decision(EQUAL, "name", read_initials(reference), reference.text.strip())
    if has_initials(reference, answer):
        return Decision(EQUAL, "name", answer.text.strip(), read_initials(answer))
    return None


def decide_person(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return EQUAL if an answer is the surname of the reference's person.

    A title, an initial or a short name may stand before it. OPEN if the answer lacks the surname,
    or has other initials.
    """
    expected = list_capitalized_words(reference)
    if not 1 < len(expected) <= LONGEST_NAME or len(expected) != len(reference.words):
        return None
    said = list_capitalized_words(answer)
    if lacks_surname(said, expected, answer) or has_other_initials(said, expected):
        return Decision(OPEN, "name", answer.text.strip(), reference.text.strip())
    if is_short_name(said, expected, answer):
        return Decision(EQUAL, "name", answer.text.strip(), reference.text.strip())
    return None


def is_short_name(said: Sequence[str], expected: Sequence[str], answer: Text) -> bool:
    """Return whether an answer is a surname behind a title, an initial or a short name.

    Args:
        said: the words of the answer with a capital, without titles.
        expected: those of the reference.
        answer: the answer.
    """
    if not 0 < len(said) <= 3 or said[-1] != expected[-1]:
        return False
    if has_other_words(said, answer):
        return False
    given_names = said[:-1]
    if not given_names:
        return answer.words[0] in TITLES
    if not is_first_name(given_names[0], expected):
        return False
    return all(has_short_form(name, expected[:-1]) for name in given_names)


def has_other_words(said: Sequence[str], answer: Text) -> bool:
    """Return whether an answer has other words than a name and its titles."""
    titles = [word for word in answer.words if word in TITLES]
    return len(said) + len(titles) != len(answer.words)


def is_first_name(name: str, expected: Sequence[str]) -> bool:
    """Return whether a name is short for the first given name, or for a later one in full.

    "J." is John, but an initial in the middle of a name makes nobody a John.
    """
    later_names = [word for word in expected[1:-1] if len(word) > 1]
    return has_short_form(name, [expected[0], *later_names])


def has_short_form(name: str, others: Sequence[str]) -> bool:
    """Return whether a given name is one of others, or short for it."""
    return any(is_short_form(name, other) for other in others)


def lacks_surname(said: Sequence[str], expected: Sequence[str], answer: Text) -> bool:
    """Return whether an answer is a name without its surname: Muhammad Ali of Muhammad Ali Jinnah.

    The answer has two words or more.
    """
    names = [word for word in expected if word not in SUFFIXES]
    return len(answer.words) == len(said) > 1 and list(said) == names[:-1]


def has_other_initials(said: Sequence[str], expected: Sequence[str]) -> bool:
    """Return whether two names differ only in initials: George W. Bush, George H. W. Bush."""
    if len(said) < 2 or len(expected) < 2:
        return False
    if said[0] != expected[0] or said[-1] != expected[-1]:
        return False
    middle, expected_middle = list(said[1:-1]), list(expected[1:-1])
    if not middle or not expected_middle or middle == expected_middle:
        return False
    return all(len(word) == 1 for word in middle + expected_middle)


def list_capitalized_words(text: Text) -> list[str]:
    """Return the words with a capital that are no titles."""
    words = zip(text.words, text.shown, strict=True)
    return [word for word, shown in words if shown[0].isupper() and word not in TITLES]


def read_initials(text: Text) -> str:
    """Return the first letters of a text's words, without stop words."""
    letters = list[str]()
    for word, shown in zip(text.words, text.shown, strict=True):
        if word not in STOP_WORDS:
            letters.append(shown[0])
    return "".join(letters)


def has_initials(short: Text, full: Text) -> bool:
    """Return whether a text has the initials of another, which is a name of three words or more."""
    if not 2 < len(full.words) < 2 * LONGEST_NAME:
        return False
    initials = read_initials(full)
    if not 2 < len(initials) < LONGEST_NAME or not initials.isupper():
        return False
    return any(match[0].replace(".", "") == initials for match in ACRONYM.finditer(short.text))


@dataclass(frozen=True)
class ShortName:
    """A text that is a name and nothing else.

    Attributes:
        words: the words of the name, without titles and stop words; a state has its full name.
        titles: its titles.
        state: the full name of its state, "" for none.
    """

    words: list[str]
    titles: set[str]
    state: str


def read_short_name(text: Text, others: Collection[str] = ()) -> ShortName | None:
    """Return the name that the first sentence of a text is, None if it is more than a name.

    Args:
        text: the text.
        others: words that the name may not have, such as those of the question.
    """
    if says_more_than_name(text):
        return None
    words = list[str]()
    titles = set[str]()
    for i, word in enumerate(text.words):
        if text.sentence[i] > 0:
            break
        state = read_state(text, i)
        if state:
            words += state.split()
        elif word in TITLES:
            titles.add(word)
        elif is_small_word(text, i):
            continue
        elif text.shown[i][0].isupper() and word not in others:
            words.append(word)
        else:
            return None
    is_name = 0 < len(words) <= LONGEST_NAME
    return ShortName(words, titles, find_state(words)) if is_name else None


def says_more_than_name(text: Text) -> bool:
    """Return whether a text has a number, or a word that denies or doubts."""
    return bool(text.quantities or text.denials or text.untrue or text.hedges)


def is_small_word(text: Text, i: int) -> bool:
    """Return whether a word is a stop word or a particle such as "van", and no initial."""
    is_initial = len(text.shown[i]) == 1 and not text.shown[i].islower()
    return text.words[i] in SMALL_WORDS and not is_initial


def list_name_or_all_words(question: Text) -> set[str]:
    """Return the words of a question's names, or all its words if it has no capital."""
    if question.text.islower():
        return set(question.words)
    words = zip(question.words, question.shown, strict=True)
    return {word for word, shown in words if shown.istitle()}


def find_state(words: Sequence[str]) -> str:
    """Return the state of the United States that a name has, "" for none."""
    if STATE_WORDS.isdisjoint(words):
        return ""
    name = f" {' '.join(words)} "
    states = [state for state in STATES.values() if f" {state} " in name]
    return max(states, key=len, default="")


def read_state(text: Text, i: int) -> str:
    """Return the name of a state, if a word is its two letters and ends its clause, else ""."""
    is_last = i + 1 == len(text.words) or text.clause[i + 1] != text.clause[i]
    is_short = text.shown[i].isupper() and is_last
    return STATES.get(text.shown[i], "") if is_short else ""


def decide_other_name(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return EQUAL if two short names are one in other letters, UNLIKELY or OPEN if they differ."""
    answer_text, reference_text = answer.text.strip(), reference.text.strip()
    if is_same_chinese_name(answer_text.strip("."), reference_text.strip(".")):
        return Decision(EQUAL, "name", answer_text, reference_text)
    expected = read_short_name(reference)
    if not expected:
        return None
    others = list_name_or_all_words(question) - set(reference.words) - WHOLE_COUNTRY
    said = read_short_name(answer, others)
    if not said:
        return None
    if is_same_in_other_letters(expected, said, answer, reference):
        return Decision(EQUAL, "name", answer_text, reference_text)
    if not is_another_name(expected, said) or has_missing_word(expected, said, answer):
        return None
    # Munich in Bavaria is Munich in Germany. But a place in two states is two places.
    is_open = "," in reference_text and not (expected.state and said.state)
    return Decision(OPEN if is_open else UNLIKELY, "name", answer_text, reference_text)


def is_another_name(expected: ShortName, said: ShortName) -> bool:
    """Return whether two names share a part or a title, and each has a word the other lacks."""
    missing = list_strange_words(expected.words, said.words)
    if not missing or not list_strange_words(said.words, expected.words):
        return False
    if has_both_ends(said.words, expected.words):
        return False
    has_common_word = len(missing) < len(expected.words)
    return has_common_word or not expected.titles.isdisjoint(said.titles)


def has_missing_word(expected: ShortName, said: ShortName, answer: Text) -> bool:
    """Return whether a later sentence of the answer has a word that its name lacks."""
    missing = list_strange_words(expected.words, said.words)
    return not set(answer.words).isdisjoint(missing)


def list_strange_words(words: Sequence[str], others: Sequence[str]) -> list[str]:
    """Return the words of a name that can be no word of another name."""
    return [word for word in words if not can_be_among(word, others)]


def can_be_among(word: str, others: Sequence[str]) -> bool:
    """Return whether a word can be one of the words of another name."""
    return any(can_be_same(word, other) for other in others)


def can_be_same(one: str, other: str) -> bool:
    """Return whether two words of names can be the same."""
    if is_same_given_name(one, other) or is_derived(one, other):
        return True
    if min(len(one), len(other)) >= SHORTEST_SURNAME and one.endswith(other):
        return True  # Skłodowska-Curie is Curie
    has_other_vowel = one[-1] + other[-1] in ("ae", "ea")
    return has_other_vowel and one[:-1] == other[:-1]  # Maria, Marie


def has_both_ends(said: Sequence[str], expected: Sequence[str]) -> bool:
    """Return whether a name has the surname of another and one of its given names."""
    if len(said) < 2 or not sounds_alike(said[-1], expected[-1]):
        return False
    return any(is_same_given_name(said[0], name) for name in expected[:-1])


def is_same_in_other_letters(
    expected: ShortName, said: ShortName, answer: Text, reference: Text
) -> bool:
    """Return whether two names are the same by a state, initials or a surname's spelling."""
    if expected.state and expected.state == said.state:
        return [word for word in said.words if word not in WHOLE_COUNTRY] == expected.words
    if is_pair_of_initials(answer, reference) or is_pair_of_initials(reference, answer):
        return True
    is_surname = len(said.words) == 1 and len(expected.words) > 1
    if not is_surname or said.words[0] in expected.words:
        return False
    return has_same_sound(said.words[0], expected.words[-1])


def has_same_sound(one: str, other: str) -> bool:
    """Return whether two surnames of five letters or more sound alike."""
    return min(len(one), len(other)) > 4 and sounds_alike(one, other)


def is_pair_of_initials(short: Text, full: Text) -> bool:
    """Return whether a text is the two initials of a name: NZ for New Zealand."""
    letters = short.text.strip(" .").replace(".", "")
    return len(letters) == 2 and letters.isupper() and read_initials(full) == letters
