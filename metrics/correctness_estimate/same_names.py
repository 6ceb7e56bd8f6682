"""Decide whether two names name one person, place or thing.

Initials (JFK), a surname behind a title (Mr. Darcy), short forms (Bill), other spellings (Qaddafi)
and the short names of states (TX) stand for the full name. Two names differ if they share a part
or a title, and each has a word that the other lacks.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from .chinese_names import is_same_chinese_name
from .lexicon import LOOK_ALIKE_NAMES, NICKNAMES, STATES, STOP_WORDS, TITLES, WEEKDAYS
from .outcomes import EQUAL, OPEN, UNLIKELY, Decision
from .text import RECENT_TEXTS, SAME_SPELLING, Text, compare_spelling, fold_sounds

# ---- the words of names

SHORTEST_STEM = 5  # letters of a name that another is derived from
LONGEST_INITIAL = 2  # letters of an initial or another short form: J, Wm
GIVEN_NAME_BEGINNING = 4  # letters: two given names that begin with the same four can be one
# Endings that make another word of a name: Romania, Romanian. The digits are a footnote's.
NAME_ENDING = re.compile(r"(?:a?n|ian|ean|ism|ist|ite|ese|ish|ic|ia|ria)s?|\d{1,3}")


def is_derived(one: str, other: str) -> bool:
    """Return whether one of two words is the other with an ending: Zoroastrian, Zoroastrianism."""
    shorter, longer = (one, other) if len(one) <= len(other) else (other, one)
    if len(shorter) < SHORTEST_STEM or not longer.startswith(shorter):
        return False
    ending = longer.removeprefix(shorter)
    return NAME_ENDING.fullmatch(ending) is not None


def is_short_form(one: str, other: str) -> bool:
    """Return whether two given names are the same, or one may be short for the other."""
    if one == other or are_nicknames(one, other):
        return True
    if is_pet_form(one, other) or is_pet_form(other, one):
        return True
    has_initial = min(len(one), len(other)) <= LONGEST_INITIAL
    return has_initial and one[0] == other[0]


def are_nicknames(one: str, other: str) -> bool:
    """Return whether two given names are usual forms of one: Bill, William."""
    return any({one, other} <= names for names in NICKNAMES)


PET_ENDING = re.compile(r"([a-z])\1?(?:y|ie)$")  # the "nny" of Danny, which leaves "dan"
SHORTEST_PET_FORM = 3  # letters without the ending


def is_pet_form(one: str, other: str) -> bool:
    """Return whether a given name is short for another, with -y or -ie behind it: Lizzy, Danny."""
    short = PET_ENDING.sub(r"\1", one)
    if short == one or len(short) < SHORTEST_PET_FORM:
        return False
    return are_nicknames(short, other)


def is_same_given_name(one: str, other: str) -> bool:
    """Return whether two given names can be one: an initial, a short form, another spelling."""
    if is_short_form(one, other):
        return True
    if has_other_ending(one, other):
        return False
    if one.startswith(other[:GIVEN_NAME_BEGINNING]):
        return True
    if other.startswith(one[:GIVEN_NAME_BEGINNING]):
        return True
    return sounds_alike(one, other)


# The last vowel, which tells a man's name from a woman's: Mario, Maria.
GENDERED_ENDING = re.compile(r"i?[aeo]$")


def has_other_ending(one: str, other: str) -> bool:
    """Return whether only the last vowel makes two names of one: Mario, Maria."""
    shorter, longer = sorted((fold_sounds(one), fold_sounds(other)), key=len)
    if longer == f"{shorter}a":
        return True  # Anthony, Antonia
    if GENDERED_ENDING.sub("", one) != GENDERED_ENDING.sub("", other):
        return False
    last, other_last = one[-1], other[-1]
    return last != other_last and "a" in (last, other_last)


VOWELS = frozenset("aeiou")
NEAR_VOWELS = ({"a", "e"}, {"e", "i"}, {"o", "u"})  # Osama, Usama
# Pairs of letters, in either order: Qaddafi, Gaddafi.
NEAR_SOUNDS = frozenset("gk kg dt td bp pb fv vf sz zs ck kc".split())
# Costs of a change in the edit distance of two names.
OTHER_LETTER = 1.0
ANOTHER_VOWEL = 0.3
NEAR_SOUND = 0.4
LARGEST_DISTANCE = 0.2  # of two spellings of a long name, per letter
LONGEST_SOUND = 30  # letters of a name that are read
SHORTEST_SOUND = 4  # letters by sound: a shorter name has one spelling
LONG_NAME = 6  # letters by sound: for a shorter name half of LARGEST_DISTANCE holds


def sounds_alike(one: str, other: str) -> bool:
    """Return whether two words are spellings of one name: Qaddafi, Gaddafi; Mohammed, Muhammad.

    Their letters are alike, or their edit distance by sound is small. In this distance another
    vowel or a near consonant costs less than another letter.
    """
    if compare_spelling(one, other) >= SAME_SPELLING:
        return True
    if min(len(one), len(other)) < SHORTEST_SOUND:
        return one == other
    one = fold_sounds(one)[:LONGEST_SOUND]
    other = fold_sounds(other)[:LONGEST_SOUND]
    if change_cost(one[0], other[0]) == OTHER_LETTER:
        return False
    length = min(len(one), len(other))
    if length < SHORTEST_SOUND:
        return one == other  # Hall is not Hill
    if length < LONG_NAME and has_other_first_vowel(one, other):
        return False  # Manet is not Monet
    largest = LARGEST_DISTANCE if length >= LONG_NAME else LARGEST_DISTANCE / 2
    return measure_sound_distance(one, other) <= length * largest


def has_other_first_vowel(one: str, other: str) -> bool:
    """Return whether the first vowels of two words are not spellings of one sound."""
    first = next((letter for letter in one if letter in VOWELS), "")
    other_first = next((letter for letter in other if letter in VOWELS), "")
    return first != other_first and {first, other_first} not in NEAR_VOWELS


def measure_sound_distance(one: str, other: str) -> float:
    """Return the weighted edit distance of two words: by change_cost and drop_cost."""
    # row[j] is the distance of the letters of `one` read so far and the first j of `other`.
    row = [float(j) for j in range(len(other) + 1)]
    for i, letter in enumerate(one, 1):
        diagonal, row[0] = row[0], float(i)
        for j, other_letter in enumerate(other, 1):
            changed = diagonal + change_cost(letter, other_letter)
            dropped = row[j] + drop_cost(letter)
            added = row[j - 1] + drop_cost(other_letter)
            diagonal = row[j]
            row[j] = min(changed, dropped, added)
    return row[-1]


def change_cost(one: str, other: str) -> float:
    """Return the cost of a change of one letter into another, 0..1."""
    if one == other:
        return 0.0
    if one in VOWELS and other in VOWELS:
        return ANOTHER_VOWEL
    return NEAR_SOUND if one + other in NEAR_SOUNDS else OTHER_LETTER


def drop_cost(letter: str) -> float:
    """Return the cost of a letter that is left out: less for a vowel or an h."""
    is_weak = letter in VOWELS or letter == "h"
    return NEAR_SOUND if is_weak else OTHER_LETTER


# ---- the initials of names

LONGEST_NAME = 8  # words of a name with initials
SUFFIXES = frozenset("jr sr ii iii".split())  # behind a surname
WORDS_WITHOUT_INITIAL = STOP_WORDS | SUFFIXES
TWO_CAPITALS = re.compile(r"[A-Z] ?[.&]? ?[A-Z]")  # a text without these has no initials
ACRONYM = re.compile(r"\b[A-Z](?:[.&]?[A-Z]){1,6}\b")  # JFK, J.F.K, A&M


def read_initials(text: Text, words: Iterable[int]) -> str:
    """Return the first letters of a name's words, capitals as capitals."""
    letters = list[str]()
    for i in words:
        if text.words[i] in WORDS_WITHOUT_INITIAL:
            continue
        letter = text.words[i][0]
        is_capital = text.shown[i][0].isupper()
        letters.append(letter.upper() if is_capital else letter)
    return "".join(letters)


def is_abbreviation(short: Text, letters: range, full: Text, words: range) -> bool:
    """Return whether some words of a text are the initials of words of another."""
    abbreviation = "".join(short.words[letters.start : letters.stop])
    return abbreviation == read_initials(full, words).lower()


def has_initials(short: Text, full: Text) -> bool:
    """Return whether a text has the initials of another, which is a name.

    Two initials alone are the text: NZ for New Zealand.
    """
    is_too_long = len(full.words) >= 2 * LONGEST_NAME
    if is_too_long or not TWO_CAPITALS.search(short.text):
        return False
    initials = read_initials(full, range(len(full.words)))
    if not 1 < len(initials) < LONGEST_NAME or not initials.isupper():
        return False
    if len(initials) == 2:
        return keep_initials(short.text) == initials
    return any(keep_initials(match[0]) == initials for match in ACRONYM.finditer(short.text))


def keep_initials(text: str) -> str:
    """Return the letters of an abbreviation, without points and "&": J.F.K., P&G."""
    return re.sub("[ .&]", "", text)


# ---- texts that are a name

LONGEST_SHORT_NAME = 3  # words of a person's name that is shorter than the reference's
SHORTEST_SURNAME = 5  # letters of a surname that has another spelling
PERSON_PARTICLES = frozenset("de di da del della du van von der den la le bin ibn al".split())
NAME_PARTICLES = PERSON_PARTICLES | {"of", "the"}
SMALL_WORDS = STOP_WORDS | NAME_PARTICLES
# A name without any of these words has no state.
STATE_WORDS = frozenset(" ".join(STATES.values()).split())
# Words that may follow a place, which stays the same: Austin, United States.
WHOLE_COUNTRY = frozenset("united states state america".split())


@dataclass(frozen=True)
class ShortName:
    """A text that is a name and nothing else.

    Attributes:
        words: the words of the name, without titles and stop words; a state has its full name.
        titles: its titles; of words such as "District Judge" alone, only the last is one.
        state: the full name of its state, "" for none.
        is_whole: whether the text has no other word, not even "and" or "the", and no comma.
        is_office: whether the text ends with a title, as in "the District Judge".
    """

    words: list[str]
    titles: set[str]
    state: str
    is_whole: bool
    is_office: bool


def read_short_name(text: Text, others: Collection[str] = ()) -> ShortName | None:
    """Return the name that the first sentence of a text is, None if it is more than a name.

    Args:
        text: the text.
        others: words that the name may not have, such as those of the question.
    """
    words = list[str]()
    titles = set[str]()
    # Many people write names without capitals: "jane austen".
    may_be_small = text.text.islower() and len(text.words) <= LONGEST_SHORT_NAME
    for i, word in enumerate(text.words):
        if text.sentence[i] > 0 and words:
            break  # the point of "Ms." ends no sentence
        state = read_state(text, i)
        if state:
            words += state.split()
        elif is_title(text, i):
            titles.add(word)
        elif is_small_word(text, i):
            continue
        elif (may_be_small or text.shown[i][0].isupper()) and word not in others:
            words.append(word)
        else:
            return None
    # Last, since most answers are seen above to be more than a name.
    is_name = 0 < len(words) <= LONGEST_NAME and not says_more_than_name(text)
    return make_short_name(text, words, titles) if is_name else None


@lru_cache(maxsize=RECENT_TEXTS)
def read_expected_name(reference: Text) -> ShortName | None:
    """Return the name that a reference is, from a cache: several systems answer a question.

    A reference without capitals is no name, and weekdays are none.
    """
    is_day = STOP_WORDS.union(WEEKDAYS).issuperset(reference.words)
    return None if is_day or reference.text.islower() else read_short_name(reference)


def make_short_name(text: Text, words: list[str], titles: set[str]) -> ShortName:
    """Return a name with its words and titles, and with what the whole text tells of it."""
    has_other_word = not titles.union(words, PERSON_PARTICLES).issuperset(text.words)
    may_be_list = "," in text.text and text.words[-1] not in SUFFIXES
    return ShortName(
        words,
        titles,
        state=find_state(words),
        is_whole=not has_other_word and not may_be_list,
        is_office=text.words[-1] in TITLES,
    )


LONGEST_TITLE = 5  # words before the last one of a title: District Court Judge


def is_title(text: Text, i: int) -> bool:
    """Return whether a word is a title, or stands before one that a name follows: District Judge.

    The capitals of a clause are the words of the title and the name.
    """
    if text.words[i] in TITLES:
        is_surname = not SUFFIXES.isdisjoint(text.words[i + 1 : i + 2])  # King Jr.
        return not is_surname
    for last in range(i, min(i + LONGEST_TITLE, len(text.words))):
        if not has_capital_behind(text, last):
            return False
        if text.words[last + 1] in TITLES:
            return has_capital_behind(text, last + 1)
    return False


def has_capital_behind(text: Text, i: int) -> bool:
    """Return whether a word with a capital follows another in its clause."""
    following = i + 1
    if following == len(text.words) or text.clause[following] != text.clause[i]:
        return False
    return text.shown[following][0].isupper()


def says_more_than_name(text: Text) -> bool:
    """Return whether a text has a number, or a word that denies or doubts."""
    if text.denials or text.untrue or text.hedges:
        return True
    return bool(text.quantities)


def is_small_word(text: Text, i: int) -> bool:
    """Return whether a word is a stop word or a particle such as "van", and no initial."""
    is_initial = len(text.shown[i]) == 1 and not text.shown[i].islower()
    return text.words[i] in SMALL_WORDS and not is_initial


def find_state(words: Sequence[str]) -> str:
    """Return the state of the United States that a name has, "" for none."""
    if STATE_WORDS.isdisjoint(words):
        return ""
    spaced = f" {' '.join(words)} "
    states = [state for state in STATES.values() if f" {state} " in spaced]
    return max(states, key=len, default="")


def read_state(text: Text, i: int) -> str:
    """Return the name of a state, if a word is its two letters and ends its clause, else ""."""
    if not text.shown[i].isupper():
        return ""
    ends_clause = text.clause[i + 1 : i + 2] != [text.clause[i]]
    return STATES.get(text.shown[i], "") if ends_clause else ""


# ---- decisions by a reference that is a name


def decide_name(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Decide whether an answer is the name that a reference is.

    EQUAL for initials, a surname behind a title or a short form, and other spellings. OPEN for a
    name without its surname. UNLIKELY for a name that shares a part with the reference's. None if
    a text is more than a name.
    """
    same = find_initials(answer, reference)
    if same and not answer.denials and not answer.untrue:
        return Decision(EQUAL, "name", same, reference.text.strip())
    outcome = compare_short_names(answer, reference, question)
    if not outcome:
        return None
    return Decision(outcome, "name", answer.text.strip(), reference.text.strip())


def find_initials(answer: Text, reference: Text) -> str:
    """Return the initials that are one text's name and the other's initials, "" for none."""
    shorts = [text.text.strip(" .") for text in (answer, reference)]
    if all(ACRONYM.fullmatch(short) for short in shorts):
        initials, expected = map(keep_initials, shorts)
        return initials if initials == expected else ""  # N.A.S.A., NASA
    for short, full in ((answer, reference), (reference, answer)):
        if has_initials(short, full):
            return read_initials(full, range(len(full.words)))
    return ""


def compare_short_names(answer: Text, reference: Text, question: Text) -> str:
    """Return the outcome for an answer and a reference that are names, "" for none."""
    if is_same_chinese_name(answer.text.strip(" ."), reference.text.strip(" .")):
        return EQUAL
    expected = read_expected_name(reference)
    if not expected:
        return ""
    others = list_name_or_all_words(question) - set(reference.words) - WHOLE_COUNTRY
    said = read_short_name(answer, others)
    if not said:
        return ""
    outcome = compare_forms(said, expected)
    if outcome or not is_another_name(said, expected):
        return outcome
    if has_missing_word(said, expected, answer):
        return ""
    # Munich in Bavaria is Munich in Germany. But a place in two states is two places.
    is_open = "," in reference.text and not (expected.state and said.state)
    return OPEN if is_open else UNLIKELY


def compare_forms(said: ShortName, expected: ShortName) -> str:
    """Return the outcome for two forms of one name, "" if they are none."""
    if lacks_surname(said, expected):
        return OPEN
    if adds_qualifier(said, expected) or adds_qualifier(expected, said):
        return UNLIKELY
    if frozenset((said.words[-1], expected.words[-1])) in LOOK_ALIKE:
        return UNLIKELY
    if has_other_initials(said.words, expected.words):
        has_same_first = said.words[1] == expected.words[1]
        return OPEN if has_same_first else UNLIKELY  # J. R. Tolkien may be J. R. R. Tolkien
    if is_short_name(said, expected) or is_same_in_other_letters(said, expected):
        return EQUAL
    return ""


def list_name_or_all_words(question: Text) -> set[str]:
    """Return the words of a question's names, or all its words if it has no capital."""
    if question.text.islower():
        return set(question.words)
    pairs = zip(question.words, question.shown, strict=True)
    return {word for word, shown in pairs if shown.istitle()}


def is_short_name(said: ShortName, expected: ShortName) -> bool:
    """Return whether a name is a person's surname behind a title, an initial or a short form."""
    if not said.is_whole or not expected.is_whole:
        return False
    if len(expected.words) < 2 or len(said.words) > LONGEST_SHORT_NAME:
        return False
    *given_names, surname = said.words
    if surname != expected.words[-1] or len(surname) == 1:
        return False
    if not given_names:
        return bool(said.titles)
    if not is_first_name(given_names[0], expected.words):
        return False
    return all(has_short_form(name, expected.words[:-1]) for name in given_names)


def is_first_name(name: str, expected: Sequence[str]) -> bool:
    """Return whether a name is short for the first given name, or for a later one in full.

    "J." is John, but an initial in the middle of a name makes nobody a John.
    """
    later_names = [word for word in expected[1:-1] if len(word) > 1]
    return has_short_form(name, [expected[0], *later_names])


def has_short_form(name: str, others: Sequence[str]) -> bool:
    """Return whether a given name is one of others, or short for it."""
    return any(is_short_form(name, other) for other in others)


LOOK_ALIKE = frozenset(frozenset(pair.split()) for pair in LOOK_ALIKE_NAMES.split(","))
# Words before a name that make the name of another place: New Mexico, South Sudan.
QUALIFIERS = frozenset(
    "new north south east west northern southern eastern western upper lower equatorial".split()
)


def adds_qualifier(name: ShortName, other: ShortName) -> bool:
    """Return whether a name is another one with a word such as "new" or "south" before it."""
    first, *rest = name.words
    return first in QUALIFIERS and rest == other.words


def lacks_surname(said: ShortName, expected: ShortName) -> bool:
    """Return whether a name of two words or more is another one without its surname.

    Muhammad Ali is such a name of Muhammad Ali Jinnah.
    """
    if said.titles or expected.titles or len(said.words) < 2:
        return False
    if not said.is_whole or not expected.is_whole:
        return False
    given_names = [word for word in expected.words if word not in SUFFIXES][:-1]
    has_same_length = len(said.words) == len(given_names)
    return has_same_length and all(map(is_short_form, said.words, given_names))


def has_other_initials(said: Sequence[str], expected: Sequence[str]) -> bool:
    """Return whether two names differ only in their initials: George W. and George H. W. Bush."""
    if len(said) < 3 or len(expected) < 3:
        return False
    first, *middle, last = said
    expected_first, *expected_middle, expected_last = expected
    if first != expected_first or last != expected_last:
        return False
    if middle == expected_middle:
        return False
    return all(len(word) == 1 for word in middle + expected_middle)


def is_another_name(said: ShortName, expected: ShortName) -> bool:
    """Return whether two names share a part or a title, and each has a word the other lacks."""
    missing = list_strange_words(expected.words, said.words)
    added = list_strange_words(said.words, expected.words)
    if not missing or not added:
        return False
    has_common_word = len(missing) < len(expected.words)
    if has_common_word:
        return True
    has_same_title = not expected.titles.isdisjoint(said.titles)
    return has_same_title and not expected.is_office


def has_missing_word(said: ShortName, expected: ShortName, answer: Text) -> bool:
    """Return whether a later sentence of the answer has a word that its name lacks."""
    missing = list_strange_words(expected.words, said.words)
    return not set(answer.words).isdisjoint(missing)


def list_strange_words(words: Sequence[str], others: Sequence[str]) -> list[str]:
    """Return the words of a name that can be no word of another name.

    A suffix such as "Jr." is none beside a name without a suffix.
    """
    *first_words, last_word = words
    strange = [word for word in first_words if not can_be_among(word, others)]
    *given_names, surname = others
    is_known = is_same_surname(last_word, surname) or can_be_among(last_word, given_names)
    if not is_known:
        strange.append(last_word)
    if SUFFIXES.isdisjoint(others):
        return [word for word in strange if word not in SUFFIXES]
    return strange


def can_be_among(word: str, others: Sequence[str]) -> bool:
    """Return whether a word can be one of the words of another name."""
    return any(can_be_same(word, other) for other in others)


def is_same_surname(one: str, other: str) -> bool:
    """Return whether two last words of names are one, of which none is short for the other."""
    if sounds_alike(one, other) or is_short_form(one, other):
        return True
    return one == f"{other}s" or other == f"{one}s"


def can_be_same(one: str, other: str) -> bool:
    """Return whether two words of names can be the same."""
    if is_same_given_name(one, other):
        return True
    has_other_vowel = one[-1] + other[-1] in ("ae", "ea")  # Maria, Marie
    return has_other_vowel and one[:-1] == other[:-1]


def is_same_in_other_letters(said: ShortName, expected: ShortName) -> bool:
    """Return whether two names are the same by a state or a surname's spelling."""
    if expected.state and expected.state == said.state:
        words_without_country = [word for word in said.words if word not in WHOLE_COUNTRY]
        return words_without_country == expected.words
    may_be_surname = len(said.words) == 1 and len(expected.words) > 1
    if not may_be_surname or said.words[0] in expected.words:
        return False
    surname, expected_surname = said.words[0], expected.words[-1]
    if min(len(surname), len(expected_surname)) < SHORTEST_SURNAME:
        return False
    return sounds_alike(surname, expected_surname)
