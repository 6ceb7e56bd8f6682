"""Find names in which an answer differs: another person, place, given name or surname."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

from .chinese_names import LONGEST_CHINESE, find_differing_chinese_names
from .lexicon import NAME_VERB, NEGATORS, STOP_WORDS, TITLES
from .outcomes import Difference
from .same_names import (
    NAME_PARTICLES,
    SHORTEST_STEM,
    is_abbreviation,
    is_derived,
    is_same_given_name,
    read_initials,
    sounds_alike,
)
from .text import Text


PLACE_PREPOSITIONS = frozenset("in at from near of".split())
SHORT_ANSWER = 4  # words of an answer that is a name and nothing else
SHORT_STATEMENT = 6  # words of an answer that has little more than a name
SHORT_SENTENCE = 12  # words of a text whose first word may be a name
LONGEST_REPLACED = 6  # words of a reference that other words can replace
MOST_NAMED = 400  # words of all names of a text that are compared
MOST_PLACES = 50  # places of one word that are looked at
MOST_INITIALS = 40  # words of an answer that are read for initials


def has_word(text: Text, word: str, stem: str) -> bool:
    """Return whether a text has a word, or the same word in another spelling or form."""
    if stem in text.places:
        return True
    if len(word) <= 3:
        return False
    for other in text.distinct:
        if abs(len(other) - len(word)) < 3 and sounds_alike(word, other):
            return True
    # Of two words one of which is derived from the other, both begin alike.
    beginning = word[:SHORTEST_STEM]
    alike = [other for other in text.distinct if other.startswith(beginning)]
    return any(is_derived(word, other) for other in alike)


def find_replacements(answer: Text, reference: Text) -> list[tuple[range, range]]:
    """Return the words of the reference that the answer replaces, each with their replacement.

    The replacement stands between the same neighbours. A text's beginning and end are neighbours,
    too.
    """
    stems = reference.stems
    replacements = list[tuple[range, range]]()
    for missing in list_missing_words(answer, reference):
        if len(missing) > LONGEST_REPLACED or len(missing) == len(stems):
            continue
        before = stems[missing.start - 1] if missing.start else ""
        after = stems[missing.stop] if missing.stop < len(stems) else ""
        replacement = find_between(answer, before, after, reference)
        if replacement:
            replacements.append((missing, replacement))
    return replacements


def list_missing_words(answer: Text, reference: Text) -> list[range]:
    """Return the runs of neighbouring words of the reference that the answer lacks."""
    runs = list[range]()
    for i, stem in enumerate(reference.stems):
        if stem in answer.places:
            continue
        if runs and runs[-1].stop == i:
            runs[-1] = range(runs[-1].start, i + 1)
        else:
            runs.append(range(i, i + 1))
    return runs


def find_between(
    answer: Text,
    before: str,
    after: str,
    reference: Text,
) -> range | None:
    """Return the first run of new words that stands between two neighbours, None without any.

    Args:
        answer: the text whose words are returned.
        before: the stem of the neighbour before; empty for the start of the text.
        after: the stem of the neighbour behind; empty for the end of the text.
        reference: the text that lacks the new words.
    """
    places_before = answer.places[before][:MOST_PLACES] if before else [-1]
    for place in places_before:
        start = place + 1
        end = skip_new_words(answer, start, reference)
        following = answer.stems[end] if end < len(answer.stems) else ""
        if end > start and following == after:
            return range(start, end)
    return None


def skip_new_words(answer: Text, start: int, reference: Text) -> int:
    """Return where a run of words that the reference lacks ends."""
    last = min(len(answer.stems), start + LONGEST_REPLACED + 1)
    end = start
    while end < last and answer.stems[end] not in reference.places:
        end += 1
    return end


def find_differing_names(
    answer: Text,
    reference: Text,
    question: Text,
    others: Sequence[Text] = (),
) -> list[Difference]:
    """Return the names of the reference for which the answer has others.

    Args:
        answer: the answer.
        reference: the reference that counts.
        question: the question; a name of it is no other name.
        others: the other references; a name of them is no other name.
    """
    if reference.is_chinese and len(reference.words) + len(answer.words) < LONGEST_CHINESE:
        return find_differing_chinese_names(answer, reference, question)
    differences = find_other_titles(answer, reference, question)
    differences = differences or find_replaced_names(answer, reference, question)
    if differences:
        return differences
    for name in select_names(reference, reference.names):
        difference = compare_name(answer, reference, name, question, others)
        if difference and difference not in differences:
            differences.append(difference)
    return differences


def find_rival_names(
    answer: Text,
    reference: Text,
    question: Text,
    others: Sequence[Text],
) -> list[tuple[int, int]]:
    """Return the names of the answer that share no word with the references or the question.

    There are none if the answer has a part of the reference: Munich, Germany may be Munich,
    Bavaria.
    """
    new = set(reference.content) - question.places.keys()
    if not new.isdisjoint(answer.places):
        return []
    known = set[str]()
    for text in (reference, question, *others):
        known.update(stem for stem in text.places if len(stem) > 1)
    rivals = list[tuple[int, int]]()
    for start, end in [*answer.names, *find_subject(answer)]:
        if known.isdisjoint(answer.stems[start:end]):
            rivals.append((start, end))
    return select_names(answer, rivals)


def find_replaced_names(answer: Text, reference: Text, question: Text) -> list[Difference]:
    """Return the names that stand between the same neighbours as other names of the reference."""
    differences = list[Difference]()
    for replaced, replacement in find_replacements(answer, reference):
        expected = trim_stop_words(reference, replaced)
        other = trim_stop_words(answer, replacement)
        if not expected or not other or is_part_of_name(reference, expected):
            continue
        if not is_name(reference, expected) or not is_name(answer, other):
            continue
        if is_same_name(answer, other, reference, expected):
            continue
        kind = find_name_part(reference, expected, question)
        if kind == "given_name" and answer.shown[other.stop - 1].islower():
            continue  # the post-impressionist Van Gogh
        name = answer.span(other.start, other.stop)
        expected_name = reference.span(expected.start, expected.stop)
        differences.append(Difference(kind, name, expected_name))
    return differences


# Titles of a man and of a woman before a surname.
MALE_TITLES = frozenset(
    "mr sir lord king prince duke count baron emperor uncle brother father herr monsieur".split()
)
FEMALE_TITLES = frozenset(
    "mrs ms miss lady queen princess duchess countess baroness empress aunt sister mother dame "
    "frau madame mme".split()
)


# Whom somebody married may be told by the name of the couple: she becomes Mrs Darcy.
ASKS_FOR_SPOUSE = re.compile(r"\b(?:marr(?:y|ies|ied)|wed|wife|husband|spouse)\b")
BECOMES = re.compile(r"\bbec(?:ome|omes|ame) (?:mr|mrs|ms)\b")
COUPLE = re.compile(
    r"\b(?:(?:wife|husband|widow|widower|spouse) of|married to) (?:a |the )?(?:mr|mrs|ms)\b"
)


def find_other_titles(answer: Text, reference: Text, question: Text) -> list[Difference]:
    """Return the names to which an answer gives a title of the other sex: Mr for Mrs Lindqvist."""
    becomes = ASKS_FOR_SPOUSE.search(question.lower) and BECOMES.search(answer.lower)
    if becomes or COUPLE.search(answer.lower):
        return []
    differences = list[Difference]()
    for i in range(1, len(reference.words)):
        expected = find_sex_of_title(reference, i)
        if not expected or not reference.shown[i][0].isupper():
            continue
        places = answer.places.get(reference.stems[i], [])
        titles = {find_sex_of_title(answer, place) for place in places}
        if titles and "" not in titles and expected not in titles:
            found = answer.span(places[0] - 1, places[0] + 1)
            differences.append(Difference("given_name", found, reference.span(i - 1, i + 1)))
    return differences


def find_sex_of_title(text: Text, i: int) -> str:
    """Return "male" or "female" by the title right before a word, or "" without such a title."""
    if i == 0:
        return ""
    if text.words[i - 1] in MALE_TITLES:
        return "male"
    return "female" if text.words[i - 1] in FEMALE_TITLES else ""


LONGEST_FULL_NAME = 4  # words


def find_name_part(reference: Text, words: range, question: Text) -> str:
    """Return which part of a person's name a word is: "given_name" or "surname".

    It is "name" for several words, or if the reference is no full name of a person.
    """
    is_word = len(words) == 1 and len(reference.words[words.start]) > 2
    if not is_word or not is_full_name(reference) or not asks_for_person(question):
        return "name"
    return "given_name" if words.start == 0 else "surname"


def is_full_name(reference: Text) -> bool:
    """Return whether a reference is a name of two words or more and nothing else."""
    if not 1 < len(reference.words) <= LONGEST_FULL_NAME or reference.clause[-1] > 0:
        return False
    for word, shown in zip(reference.words, reference.shown, strict=True):
        if not shown[0].isupper() and word not in NAME_PARTICLES:
            return False
    return True


NUMERAL = r"[IVX]{1,4}"


def drop_numeral(text: Text, name: tuple[int, int]) -> tuple[int, int]:
    """Return the name of two words or more without the numeral behind it: Johann Strauss II."""
    start, end = name
    has_numeral = end - start > 2 and re.fullmatch(NUMERAL, text.shown[end - 1]) is not None
    return (start, end - 1) if has_numeral else name


def select_names(text: Text, names: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the names with a capital that are no number or date, up to MOST_NAMED words."""
    names = [drop_numeral(text, name) for name in names]
    names = [name for name in names if is_name(text, range(*name))]
    word_counts = accumulate(end - start for start, end in names)
    return [name for name, count in zip(names, word_counts, strict=True) if count <= MOST_NAMED]


def is_part_of_name(text: Text, words: range) -> bool:
    """Return whether some words are part of a longer name."""
    if not text.names:
        return False
    start, end = text.names[bisect_right(text.names, (words.start, len(text.words))) - 1]
    return start <= words.start and words.stop <= end and len(words) < end - start


def trim_stop_words(text: Text, words: range) -> range:
    """Return some words without the stop words at their ends."""
    start, end = words.start, words.stop
    while start < end and text.words[start] in STOP_WORDS:
        start += 1
    while start < end and text.words[end - 1] in STOP_WORDS:
        end -= 1
    return range(start, end)


def is_name(text: Text, words: range) -> bool:
    """Return whether some words begin with a capital and are no number or date."""
    if not text.shown[words.start][0].isupper():
        return False
    if text.words[words.start] in NOT_NAMED:
        return False
    first, last = text.starts[words.start], text.starts[words.stop - 1]
    return not any(first < quantity.end and quantity.start <= last for quantity in text.quantities)


# Words for people without a name. They often begin a sentence.
COLLECTIVES = frozenset(
    "people humans mankind humanity men women children girls boys persons someone somebody anyone "
    "anybody everyone everybody others others' one many most several scientists researchers "
    "experts historians critics fans players soldiers workers students teachers doctors".split()
)
NOT_NAMED = NEGATORS | COLLECTIVES


def find_subject(text: Text) -> list[tuple[int, int]]:
    """Return the first word of a short text if it may be a name, else nothing.

    Every first word has a capital, so a verb must follow.
    """
    if not 1 < len(text.words) <= SHORT_SENTENCE or not text.shown[0][0].isupper():
        return []
    if text.words[0] in STOP_WORDS | NEGATORS | TITLES | COLLECTIVES:
        return []
    return [(0, 1)] if NAME_VERB.match(text.words[1]) else []


def compare_name(
    answer: Text,
    reference: Text,
    name: tuple[int, int],
    question: Text,
    others: Sequence[Text],
) -> Difference | None:
    """Return how an answer differs in one name of the reference.

    Args:
        answer: the answer.
        reference: the reference that counts.
        question: the question.
        name: the first word of the name in the reference, and the one behind the last.
        others: the other references.
    """
    whole = list_name_words(reference, name)
    # Initials tell little.
    places = [i for i in whole if len(reference.words[i]) > 1] or whole
    if all(reference.stems[i] in question.places for i in places):
        return None
    in_answer = [has_word(answer, reference.words[i], reference.stems[i]) for i in places]
    if not any(in_answer):
        return find_other_name(answer, reference, name, question, others)
    has_surname = in_answer[-1]
    # A name of one word, apart from initials, is a surname.
    may_lack_given_name = len(in_answer) == 1 or not all(in_answer)
    if len(whole) > 1 and has_surname and may_lack_given_name:
        return compare_given_name(answer, reference, whole, question)
    if in_answer[0] and not has_surname:
        return compare_surname(answer, reference, places, question)
    return None


def list_name_words(text: Text, name: tuple[int, int]) -> list[int]:
    """Return the places of a name's words, without titles and figures."""
    places = list[int]()
    for i in range(*name):
        if text.words[i] not in TITLES and not text.words[i].isdigit():
            places.append(i)
    return places


def is_whole_name(answer: Text, question: Text) -> bool:
    """Return whether an answer to "who" is a given name and a surname, and nothing else."""
    if len(answer.words) != 2 or answer.words[0] in TITLES or not asks_for_person(question):
        return False
    is_numbered = not answer.shown[1].strip("IVXL")
    return is_full_name(answer) and not is_numbered


def find_other_name(
    answer: Text,
    reference: Text,
    name: tuple[int, int],
    question: Text,
    others: Sequence[Text],
) -> Difference | None:
    """Return the name that an answer has instead of one of the reference, None without any.

    Initials of the reference's name are no other name.
    """
    if has_abbreviation(answer, reference, name):
        return None
    expected = reference.span(*name)
    for rival in find_rival_names(answer, reference, question, others):
        if not is_same_name(answer, range(*rival), reference, range(*name)):
            return Difference("name", answer.span(*rival), expected)
    if not is_short_answer(answer) or has_known_word(answer, reference, question):
        return None
    return Difference("name", answer.text.strip(), expected)


def has_abbreviation(answer: Text, reference: Text, name: tuple[int, int]) -> bool:
    """Return whether an answer has the initials of a name, or the words of an abbreviation."""
    if read_initials(reference, range(*name)).lower() in answer.places:
        return True
    start, end = name
    if end - start > 1 or not reference.span(start, end).isupper():
        return False
    words = range(min(len(answer.words), MOST_INITIALS))
    return reference.words[start] in read_initials(answer, words).lower()


def is_short_answer(answer: Text) -> bool:
    """Return whether an answer has a few words, no number and no denial."""
    if answer.quantities or answer.denials:
        return False
    return 0 < len(answer.words) <= SHORT_ANSWER


def has_known_word(answer: Text, reference: Text, question: Text) -> bool:
    """Return whether an answer has a word of the reference or of the question."""
    return any(stem in reference.places or stem in question.places for stem in answer.stems)


def compare_given_name(
    answer: Text,
    reference: Text,
    places: list[int],
    question: Text,
) -> Difference | None:
    """Return the first other given name, if each mention of the surname has another one.

    Args:
        answer: the answer.
        reference: the reference that counts.
        places: the words of the reference's name.
        question: the question.
    """
    mentions = answer.places.get(reference.stems[places[-1]], [0])[:MOST_PLACES]
    differences = list[Difference]()
    for last in mentions:
        difference = compare_mention(answer, reference, places, question, last)
        if not difference:
            return None
        differences.append(difference)
    return differences[0]


def compare_mention(
    answer: Text,
    reference: Text,
    places: list[int],
    question: Text,
    last: int,
) -> Difference | None:
    """Return another given name before one mention of the surname; a place's name has none."""
    if answer.shown[last][0].islower():
        return None
    first = last
    while first > 0 and is_given_name(answer, first - 1, last):
        first -= 1
    given = answer.words[first:last]
    if not given or any(answer.stems[i] in question.places for i in range(first, last)):
        return None
    if follows_place_preposition(answer, first, question):
        return None
    expected = [reference.words[i] for i in places[:-1]]
    if has_same_given_names(given, expected):
        return None
    expected_name = reference.span(places[0], places[-1] + 1)
    return Difference("given_name", answer.span(first, last + 1), expected_name)


def is_given_name(answer: Text, i: int, surname: int) -> bool:
    """Return whether a word before a surname is a given name.

    It has a capital and stands in the same clause.
    """
    if not answer.shown[i][0].isupper() or answer.sentence[i] != answer.sentence[surname]:
        return False
    if answer.clause[i] != answer.clause[surname] or answer.words[i] in TITLES:
        return False
    return answer.words[i] not in STOP_WORDS or is_initial(answer, i)


def is_initial(text: Text, i: int) -> bool:
    """Return whether a word is one capital with a point behind it: A."""
    return len(text.shown[i]) == 1 and text.text.startswith(".", text.starts[i] + 1)


def has_same_given_names(given: Sequence[str], expected: Sequence[str]) -> bool:
    """Return whether the given names of two persons can be those of one.

    Two of them agree. If both persons have the same number of names, each of them agrees.
    """
    if "".join(name[0] for name in expected) in given:
        return True  # PV for P. V.
    if len(given) == len(expected):
        return all(map(is_same_given_name, given, expected))
    return any(is_same_given_name(one, other) for one in given for other in expected)


PERSON_WORDS = frozenset("who whose whom".split())


def asks_for_person(question: Text) -> bool:
    """Return whether a question has "who", "whose" or "whom", or there is no question."""
    return not question.words or not PERSON_WORDS.isdisjoint(question.places)


def follows_place_preposition(answer: Text, start: int, question: Text) -> bool:
    """Return whether a preposition such as "in" stands before the name that begins at a word.

    Where a person is asked for, "of" is none: the work of Christopher Tolkien.
    """
    before = [word for word in answer.words[max(0, start - 2) : start] if word != "the"][-1:]
    if before == ["of"] and question.words and asks_for_person(question):
        return False
    return not PLACE_PREPOSITIONS.isdisjoint(before)


def compare_surname(
    answer: Text,
    reference: Text,
    places: list[int],
    question: Text,
) -> Difference | None:
    """Return another surname behind the given name of the reference."""
    expected = reference.span(places[0], places[-1] + 1)
    after = answer.places.get(reference.stems[places[0]], [len(answer.words)])[0] + 1
    if after >= len(answer.words):
        is_other = is_whole_name(answer, question) and answer.stems[0] not in reference.places
        return Difference("surname", answer.text.strip(), expected) if is_other else None
    if not is_surname(answer, after):
        return None
    if answer.stems[after] in reference.places or answer.stems[after] in question.places:
        return None
    if is_same_given_name(answer.words[after], reference.words[places[-1]]):
        return None
    name = answer.span(after - 1, after + 1)
    if asks_for_person(question):
        return Difference("surname", name, expected)
    # In a longer answer the name may go on: the Catskill Mountains watershed.
    is_short = len(answer.words) <= SHORT_STATEMENT
    return Difference("name_part", name, expected) if is_short else None


def is_surname(answer: Text, i: int) -> bool:
    """Return whether a word behind a given name is a surname.

    It has a capital, stands in the same clause and is no stop word.
    """
    if not answer.shown[i][0].isupper() or answer.clause[i] != answer.clause[i - 1]:
        return False
    return answer.words[i] not in STOP_WORDS


def is_same_name(
    answer: Text,
    rival: range,
    reference: Text,
    name: range,
) -> bool:
    """Return whether two names can be one: by their initials or their spelling.

    Args:
        answer: the answer.
        rival: the words of the answer's name.
        reference: the reference.
        name: the words of the reference's name.
    """
    if is_abbreviation(answer, rival, reference, name):
        return True
    if is_abbreviation(reference, name, answer, rival):
        return True
    rival_words = answer.words[rival.start : rival.stop]
    name_words = reference.words[name.start : name.stop]
    if sounds_alike("".join(rival_words), "".join(name_words)):
        return True
    return len(rival_words) < len(name_words) and sounds_alike(rival_words[-1], name_words[-1])
