"""A reference that is a short name: whether an answer that is one, too, can be the same.

Initials, a surname behind a title, other spellings and the short names of states count as the name.
Where two names share a part or a title, and each has another word than the other, they are two.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from .lexicon import STATES, STOP_WORDS, TITLES
from .name_spelling import is_derived, is_same_given_name, is_short_form, sounds_alike
from .names import NAME_PARTICLES
from .outcomes import EQUAL, OPEN, UNLIKELY, Decision
from .romanization import is_same_chinese_name
from .text import Text

SUFFIXES = frozenset("jr sr ii iii".split())  # behind a surname
LONGEST_NAME = 8  # words of a name with initials
SHORTEST_SURNAME = 4  # letters of a surname that is part of a double one
ACRONYM = re.compile(r"\b[A-Z](?:\.?[A-Z]){1,6}\b")  # JFK, J.F.K
SMALL_WORDS = STOP_WORDS | NAME_PARTICLES
# A name without any of these words has no state.
STATE_WORDS = frozenset(" ".join(STATES.values()).split())
# What may follow a place without making it another one.
WHOLE_COUNTRY = frozenset({"united", "states", "state", "america"})


def decide_acronym(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return that one of answer and reference has the initials of the name that the other is."""
    if answer.denials or answer.untrue:
        return None
    if has_initials(answer, reference):
        return Decision(EQUAL, "name", read_initials(reference), reference.text.strip())
    if has_initials(reference, answer):
        return Decision(EQUAL, "name", answer.text.strip(), read_initials(answer))
    return None


def decide_person(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return that an answer is the surname of the reference's person.

    A title, an initial or a short name may stand before it.
    """
    own = list_capitalized_words(reference)
    if not 1 < len(own) <= LONGEST_NAME or len(own) != len(reference.words):
        return None
    said = list_capitalized_words(answer)
    if lacks_surname(said, own, answer) or has_other_initials(said, own):
        return Decision(OPEN, "name", answer.text.strip(), reference.text.strip())
    if is_short_name(said, own, answer):
        return Decision(EQUAL, "name", answer.text.strip(), reference.text.strip())
    return None


def is_short_name(said: Sequence[str], own: Sequence[str], answer: Text) -> bool:
    """Return whether an answer is a surname behind a title, an initial or a short name."""
    if not 0 < len(said) <= 3 or said[-1] != own[-1]:
        return False
    titles = [word for word in answer.words if word in TITLES]
    if len(said) + len(titles) != len(answer.words):
        return False
    given = said[:-1]
    if not given and answer.words[0] not in TITLES:
        return False
    # "J." is John, but in the middle of a name it makes nobody a John.
    full = [word for word in own[1:-1] if len(word) > 1]
    if given and not has_short_form(given[0], [own[0], *full]):
        return False
    return all(has_short_form(word, own[:-1]) for word in given)


def has_short_form(name: str, others: Sequence[str]) -> bool:
    """Return whether a given name is one of others, or short for it."""
    return any(is_short_form(name, other) for other in others)


def lacks_surname(said: Sequence[str], own: Sequence[str], answer: Text) -> bool:
    """Return whether an answer is all of a name but its surname.

    Such is Muhammad Ali for Muhammad Ali Jinnah.
    """
    names = [word for word in own if word not in SUFFIXES]
    return len(answer.words) == len(said) > 1 and list(said) == names[:-1]


def has_other_initials(said: Sequence[str], own: Sequence[str]) -> bool:
    """Return whether two names differ in initials alone: George W. Bush, George H. W. Bush."""
    if len(said) < 2 or len(own) < 2 or (said[0], said[-1]) != (own[0], own[-1]):
        return False
    middle, expected = said[1:-1], own[1:-1]
    has_initials = bool(middle) and bool(expected) and max(map(len, [*middle, *expected])) == 1
    return has_initials and list(middle) != list(expected)


def list_capitalized_words(text: Text) -> list[str]:
    """Return the words with a capital, but titles."""
    words = zip(text.words, text.shown, strict=True)
    return [word for word, shown in words if shown[0].isupper() and word not in TITLES]


def read_initials(text: Text) -> str:
    """Return the first letters of a text's words, but of small ones."""
    return "".join(
        shown[0]
        for shown, word in zip(text.shown, text.words, strict=True)
        if word not in STOP_WORDS
    )


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
        words: the words of the name, without titles and small words; a state by its full name.
        titles: the titles that stand with it.
        state: the state that it names by its two letters or in full; "" for none.
    """

    words: list[str]
    titles: set[str]
    state: str


def read_short_name(text: Text, others: Collection[str] = ()) -> ShortName | None:
    """Return the name that the first sentence of a text is, None where it is more than a name.

    Args:
        text: the text.
        others: the words of other names, such as those of the question, which it may not have.
    """
    if text.quantities or text.denials or text.untrue or text.hedges:
        return None
    words = list[str]()
    titles = set[str]()
    for i, (word, shown) in enumerate(zip(text.words, text.shown, strict=True)):
        if text.sentence[i] > 0:
            break
        state = read_state(text, i)
        if state:
            words += state.split()
        elif word in TITLES:
            titles.add(word)
        elif word in SMALL_WORDS and (len(shown) > 1 or shown.islower()):
            continue
        elif shown[0].isupper() and word not in others:
            words.append(word)
        else:
            return None
    is_name = 0 < len(words) <= LONGEST_NAME
    return ShortName(words, titles, find_state(words)) if is_name else None


def list_name_or_all_words(question: Text) -> set[str]:
    """Return the words of a question's names, all words of one that is written without capitals."""
    if question.text.islower():
        return set(question.words)
    return {
        word for word, shown in zip(question.words, question.shown, strict=True) if shown.istitle()
    }


def find_state(words: Sequence[str]) -> str:
    """Return the state of the United States that a name has, "" for none."""
    if STATE_WORDS.isdisjoint(words):
        return ""
    name = f" {' '.join(words)} "
    return max((state for state in STATES.values() if f" {state} " in name), key=len, default="")


def read_state(text: Text, i: int) -> str:
    """Return the state whose two letters stand at a word and end its clause, "" for none."""
    is_last = i + 1 == len(text.words) or text.clause[i + 1] != text.clause[i]
    is_short = text.shown[i].isupper() and is_last
    return STATES.get(text.shown[i], "") if is_short else ""


def decide_other_name(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return whether two short names can be one, where more than their letters tells."""
    found, expected = answer.text.strip(), reference.text.strip()
    if is_same_chinese_name(found.strip("."), expected.strip(".")):
        return Decision(EQUAL, "name", found, expected)
    own = read_short_name(reference)
    if not own:
        return None
    others = list_name_or_all_words(question) - set(reference.words) - WHOLE_COUNTRY
    said = read_short_name(answer, others)
    if not said:
        return None
    if is_same_in_other_letters(own, said, answer, reference):
        return Decision(EQUAL, "name", found, expected)
    if not is_another_name(own, said) or has_missing_word(own, said, answer):
        return None
    # Munich in Bavaria is Munich in Germany; of two states that cannot be.
    is_open = "," in expected and not (own.state and said.state)
    return Decision(OPEN if is_open else UNLIKELY, "name", found, expected)


def is_another_name(own: ShortName, said: ShortName) -> bool:
    """Return whether two names share a part or a title, and each has a word of its own."""
    missing = list_strange_words(own.words, said.words)
    if not missing or not list_strange_words(said.words, own.words):
        return False
    if has_both_ends(said.words, own.words):
        return False
    return len(missing) < len(own.words) or bool(own.titles & said.titles)


def has_missing_word(own: ShortName, said: ShortName, answer: Text) -> bool:
    """Return whether a later sentence of the answer has what the name lacks."""
    missing = list_strange_words(own.words, said.words)
    return not set(answer.words).isdisjoint(missing)


def list_strange_words(words: Sequence[str], others: Sequence[str]) -> list[str]:
    """Return the words of a name that can be none of another name."""
    return [word for word in words if not any(can_be_same(word, other) for other in others)]


def can_be_same(one: str, other: str) -> bool:
    """Return whether two words of names can be one."""
    if is_same_given_name(one, other) or is_derived(one, other):
        return True
    if min(len(one), len(other)) >= SHORTEST_SURNAME and one.endswith(other):
        return True  # Skłodowska-Curie is Curie
    return one[-1] + other[-1] in ("ae", "ea") and one[:-1] == other[:-1]  # Maria, Marie


def has_both_ends(said: Sequence[str], own: Sequence[str]) -> bool:
    """Return whether a name has the surname of another and one of its given names."""
    if len(said) < 2 or not sounds_alike(said[-1], own[-1]):
        return False
    return any(is_same_given_name(said[0], name) for name in own[:-1])


def is_same_in_other_letters(
    own: ShortName, said: ShortName, answer: Text, reference: Text
) -> bool:
    """Return whether a name is another one in its initials, its short form or another spelling."""
    if own.state and own.state == said.state:
        return [word for word in said.words if word not in WHOLE_COUNTRY] == own.words
    if is_pair_of_initials(answer, reference) or is_pair_of_initials(reference, answer):
        return True
    is_surname = len(said.words) == 1 and len(own.words) > 1 and said.words[0] not in own.words
    return is_surname and has_same_sound(said.words[0], own.words[-1])


def has_same_sound(one: str, other: str) -> bool:
    """Return whether two surnames are spellings of one."""
    return min(len(one), len(other)) > 4 and sounds_alike(one, other)


def is_pair_of_initials(short: Text, full: Text) -> bool:
    """Return whether a text is the two initials of a name of two words: NZ."""
    letters = short.text.strip(" .").replace(".", "")
    return len(letters) == 2 and letters.isupper() and read_initials(full) == letters
