"""What a short answer says otherwise than a short reference: numbers, dates, units, names, opposites.

`find_differences` compares the facts of two texts. Two numbers are compared by their values (quantities.py), two
names by their words, their spelling and their initials.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import accumulate
from typing import NamedTuple

from .lexicon import (
    CHINESE_COUNTRIES,
    CHINESE_FUNCTION_WORDS,
    CHINESE_PLACE_ENDINGS,
    CHINESE_SPELLING,
    CHINESE_SURNAMES,
    NAME_VERB,
    NEGATIVE_PREFIX,
    NEGATORS,
    NICKNAMES,
    STOP_WORDS,
    TITLES,
)
from .polarity import opposites
from .quantities import Quantity, agree, compatible, name_difference
from .figures import compare_figures, find_figures
from .relations import is_sentence
from .text import HAN, Text, compare_spelling, quote_clause, stem_word

SAME_SPELLING = 0.75  # by pairs of characters: another spelling of the same word
PLACE_PREPOSITIONS = frozenset("in at from near of".split())
# Words that deny without a negator.
SOFT_DENIAL = re.compile("unable|impossib|fail|lack|absen|refus|illegal|forbid|prohibit|\\bban|prevent|without|unlike")
SHORT_ANSWER = 4  # words of an answer that is a name and nothing else
SHORT_SENTENCE = 12  # words of a sentence whose first word may be a name
LONGEST_REPLACED = 6  # words of a reference that others can stand for
MOST_NAMED = 400  # words of all names of a text that are compared with the other's
MOST_PLACES = 50
LONGEST_CHINESE = 800  # characters of two Chinese texts together that are compared one by one
SHORT_CHINESE = 6  # characters of a reference in whose place another name is looked for


class Difference(NamedTuple):
    """What an answer says (`found`) where the reference says something else (`expected`)."""

    kind: str
    found: str
    expected: str


def find_differences(answer: Text, references: Sequence[Text], chosen: int, question: Text) -> list[Difference]:
    """Return how an answer differs in the facts of a short reference.

    Args:
        answer: the answer.
        references: all references.
        chosen: the number of the one that counts.
        question: the question; what it says is no difference.
    """
    reference = references[chosen]
    new = find_new_quantities(answer, question)
    found = differing_quantities(answer, reference, question, new)
    found += differing_names(answer, reference, question)
    found += differing_opposites(answer, reference, question)
    found += differing_denials(answer, reference)
    others = [text for text in references if text is not reference]
    return found or differing_finer_references(answer, reference, others, question)


def find_new_quantities(text: Text, other: Text) -> list[Quantity]:
    """Return the numbers and dates of a text that another does not have."""
    return [one for one in text.quantities if not has_quantity(other, one)]


def has_quantity(text: Text, quantity: Quantity) -> bool:
    """Return whether a text has a number or date."""
    return any(agree(quantity, other) for other in text.quantities)


def differing_quantities(answer: Text, reference: Text, question: Text, new: Sequence[Quantity]) -> list[Difference]:
    """Return the numbers, dates and units of the reference that the answer gives otherwise.

    Args:
        answer: the answer.
        reference: the reference that counts.
        question: the question.
        new: the answer's numbers and dates that the question does not have.
    """
    wanted = find_new_quantities(reference, question)
    rivals = [one for one in new if not has_quantity(reference, one)] if wanted else []
    found = list[Difference]()
    for one in wanted:
        if has_quantity(answer, one) or may_be_written_out(one, answer, rivals):
            continue
        if any(is_same_in_thousands(one, rival) for rival in rivals):
            continue
        nearest = max(rivals, key=lambda rival: measure_likeness(one, rival), default=None)
        if nearest and measure_likeness(one, nearest) > 0:
            found.append(Difference(name_difference(one, nearest), nearest.text, one.text))
            if len(rivals) > 1:
                rivals.remove(nearest)
    return found


def may_be_written_out(one: Quantity, answer: Text, rivals: Sequence[Quantity]) -> bool:
    """Return whether a number stands in the answer as part of something else, and not with another sign or unit."""
    has_same_digits = any(abs(rival.written) == one.written for rival in rivals)
    stands_in = " " not in one.text and stem_word(one.text.lower()) in answer.places
    return stands_in and not has_same_digits


def is_same_in_thousands(one: Quantity, other: Quantity) -> bool:
    """Return whether one number says its thousands or millions, and the other leaves them to a table's head.

    >>> one, two, three = Text("$1577.00; $1,577 million; $1,577 thousand").quantities
    >>> is_same_in_thousands(one, two), is_same_in_thousands(two, three)
    (True, False)
    """
    if not one.kind == other.kind == "number":
        return False
    ours, theirs = find_figures(one.text)[:1], find_figures(other.text)[:1]
    if not ours or not theirs:
        return False
    says_scale = [ours[0].value != one.written, theirs[0].value != other.written]
    return says_scale[0] != says_scale[1] and compare_figures(ours[0], theirs[0]) > 0.8


def measure_likeness(one: Quantity, rival: Quantity) -> float:
    """Return how likely a rival stands where the other should: 0 where it tells of something else."""
    if one.kind == rival.kind == "date":
        return 3.0 + sum(a is not None and a == b for a, b in zip(one.value, rival.value, strict=True))
    if one.kind != rival.kind:
        date, number = (one, rival) if one.kind == "date" else (rival, one)
        is_year = sum(part is not None for part in date.value) == 1
        return 0.5 if is_year and not number.dimension else 0.0
    if one.dimension == rival.dimension:
        return 3.0 + (one.unit == rival.unit)
    if one.written == rival.written:
        return 2.0
    return 1.0 if compatible(one.dimension, rival.dimension) else 0.0


def differing_finer_references(
    answer: Text, reference: Text, others: Sequence[Text], question: Text
) -> list[Difference]:
    """Return how an answer differs from all references that say the same more exactly: 1979, 21 July 1979."""
    if not reference.quantities:
        return []
    finer = [text for text in others if all(has_quantity(text, one) for one in reference.quantities)]
    new = find_new_quantities(answer, question)
    found = [differing_quantities(answer, text, question, new) for text in finer]
    return found[0] if found and all(found) else []


def differing_opposites(answer: Text, reference: Text, question: Text) -> list[Difference]:
    """Return the words of the reference in whose place the answer has an opposite: increases, decreases."""
    table = opposites()
    found = list[Difference]()
    for i, stem in enumerate(reference.stems):
        if stem not in table or stem in answer.places or stem in question.places:
            continue
        there = [place for other in sorted(table[stem]) for place in answer.places.get(other, [])]
        there = [place for place in there if answer.stems[place] not in reference.places]
        if there and not is_denied_before(answer, there[0]) and not is_denied_before(reference, i):
            found.append(Difference("opposite", answer.shown[there[0]], reference.shown[i]))
    return found + differing_prefixes(answer, reference)


def differing_prefixes(answer: Text, reference: Text) -> list[Difference]:
    """Return the words that one text has with a negating prefix, and the other without: possible, impossible."""
    found = list[Difference]()
    for one, other in ((answer, reference), (reference, answer)):
        for i, word in enumerate(one.words):
            bare = NEGATIVE_PREFIX.sub("", word)
            if bare == word or word in other.first_place or bare not in other.first_place:
                continue
            at = other.first_place[bare]
            if bare in one.first_place or is_denied_before(one, i) or is_denied_before(other, at):
                continue
            shown = (one.shown[i], other.shown[at]) if one is answer else (other.shown[at], one.shown[i])
            found.append(Difference("opposite", *shown))
    return found


def is_denied_before(text: Text, i: int) -> bool:
    """Return whether a negator stands right before a word."""
    return any(0 < i - place <= 3 and text.sentence[place] == text.sentence[i] for place in text.denials)


def differing_denials(answer: Text, reference: Text) -> list[Difference]:
    """Return where one text denies what the other says, of short sentences that have most of their words in common."""
    content = set(reference.content)
    shared = [i for stem in content for i in answer.places.get(stem, [])]
    if not is_sentence(reference) or 2 * len({answer.stems[i] for i in shared}) < len(content):
        return []
    sentences = {answer.sentence[i] for i in shared}
    here = [i for i in list_denials(answer) if answer.sentence[i] in sentences]
    own = list_denials(reference)
    if len(here) % 2 == len(own) % 2 or SOFT_DENIAL.search(answer.lower + reference.lower):
        return []
    found = quote_clause(answer, here[0] if here else min(shared))
    return [Difference("denied", found, quote_clause(reference, own[0] if own else 0))]


def list_denials(text: Text) -> list[int]:
    """Return the negators of a text, but for a "no" that answers a question."""
    is_answer = text.words[0] == "no" and len(text.words) > 1 and text.clause[0] != text.clause[1]
    return [i for i in text.denials if i or not is_answer]


# ---- names


def has_word(text: Text, word: str, stem: str) -> bool:
    """Return whether a text has a word, in another spelling if need be."""
    if stem in text.places:
        return True
    if len(word) <= 3:
        return False
    near = (other for other in text.distinct if abs(len(other) - len(word)) < 3)
    return any(compare_spelling(word, other) >= SAME_SPELLING for other in near)


def is_same_given_name(one: str, other: str) -> bool:
    """Return whether two given names can be one: an initial, a short form, another spelling."""
    if one[0] == other[0]:
        is_initial = min(len(one), len(other)) <= 2
        if is_initial or one.startswith(other[:4]) or other.startswith(one[:4]):
            return True
    return compare_spelling(one, other) >= SAME_SPELLING or any({one, other} <= names for names in NICKNAMES)


def read_initials(text: Text, start: int, end: int) -> str:
    """Return the first letters of a name's words."""
    return "".join(word[0] for word in text.words[start:end] if word not in STOP_WORDS)


def find_replacements(answer: Text, reference: Text) -> list[tuple[range, range]]:
    """Return which words of the reference the answer replaces: between the same neighbours other words stand.

    Each is the words of the reference, and those of the answer. An end of the text is a neighbour, too.
    """
    stems = reference.stems
    found = list[tuple[range, range]]()
    i = 0
    while i < len(stems):
        if stems[i] in answer.places:
            i += 1
            continue
        end = i + 1
        while end < len(stems) and stems[end] not in answer.places:
            end += 1
        if end - i <= LONGEST_REPLACED and end - i < len(stems):
            before = stems[i - 1] if i else ""
            after = stems[end] if end < len(stems) else ""
            stretch = find_between(answer, before, after, reference)
            if stretch:
                found.append((range(i, end), stretch))
        i = end
    return found


def find_between(answer: Text, before: str, after: str, reference: Text) -> range | None:
    """Return the first words of an answer between two neighbours, if the reference has none of them."""
    last = len(answer.stems)
    for left in answer.places[before][:MOST_PLACES] if before else [-1]:
        right = left + 1
        while right < last and right <= left + LONGEST_REPLACED + 1 and answer.stems[right] not in reference.places:
            right += 1
        if right == left + 1:
            continue
        ends_same = right == last if not after else right < last and answer.stems[right] == after
        if ends_same:
            return range(left + 1, right)
    return None


def differing_names(answer: Text, reference: Text, question: Text) -> list[Difference]:
    """Return the names of the reference in whose place the answer has another, and other given names."""
    if reference.is_chinese and len(reference.words) + len(answer.words) < LONGEST_CHINESE:
        found = differing_chinese_names(answer, reference)
        if not found and len(reference.words) <= SHORT_CHINESE:
            found = find_chinese_rival(answer, reference, question)
        return found
    found = differing_in_place(answer, reference)
    if found:
        return found
    known = {stem for stem in (*reference.places, *question.places) if len(stem) > 1}
    rivals = [name for name in [*answer.names, *find_subject(answer)] if not known & set(answer.stems[slice(*name)])]
    rivals = select_names(answer, rivals)
    for name in select_names(reference, reference.names):
        difference = compare_name(answer, reference, name, question, rivals)
        if difference and difference not in found:
            found.append(difference)
    return found


def differing_in_place(answer: Text, reference: Text) -> list[Difference]:
    """Return the names that stand between the same neighbours as other names of the reference."""
    found = list[Difference]()
    for own, other in find_replacements(answer, reference):
        own, other = trim_stop_words(reference, own), trim_stop_words(answer, other)
        if not own or not other or is_part_of_name(reference, own):
            continue
        if not is_name(reference, own) or not is_name(answer, other):
            continue
        if not is_same_name(answer, other, reference, own):
            found.append(Difference("name", answer.span(other.start, other.stop), reference.span(own.start, own.stop)))
    return found


def select_names(text: Text, names: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the names that begin with a capital and are no number or date, as far as they have MOST_NAMED words."""
    names = [name for name in names if is_name(text, range(*name))]
    words = accumulate(end - start for start, end in names)
    return [name for name, count in zip(names, words, strict=True) if count <= MOST_NAMED]


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
    if not text.shown[words.start][0].isupper() or text.words[words.start] in NEGATORS:
        return False
    first, last = text.starts[words.start], text.starts[words.stop - 1]
    return not any(first < quantity.end and quantity.start <= last for quantity in text.quantities)


def find_subject(text: Text) -> list[tuple[int, int]]:
    """Return the first word of a short sentence if it may be a name: a capital alone does not tell there."""
    if not 1 < len(text.words) <= SHORT_SENTENCE or not text.shown[0][0].isupper():
        return []
    if text.words[0] in STOP_WORDS | NEGATORS | TITLES:
        return []
    return [(0, 1)] if NAME_VERB.match(text.words[1]) else []


def compare_name(
    answer: Text, reference: Text, name: tuple[int, int], question: Text, rivals: list[tuple[int, int]]
) -> Difference | None:
    """Return how an answer differs in one name of the reference.

    Args:
        answer: the answer.
        reference: the reference that counts.
        question: the question.
        name: from where to where the name stands in the reference.
        rivals: the answer's names that neither reference nor question has.
    """
    places = [i for i in range(*name) if reference.words[i] not in TITLES and not reference.words[i].isdigit()]
    whole = places
    places = [i for i in places if len(reference.words[i]) > 1] or places  # initials tell little
    if not places or all(reference.stems[i] in question.places for i in places):
        return None
    has = [has_word(answer, reference.words[i], reference.stems[i]) for i in places]
    if not any(has):
        return find_other_name(answer, reference, name, question, rivals)
    if len(whole) > 1 and has[-1] and (len(places) == 1 or not has[0]):
        return compare_given_name(answer, reference, whole, question)
    if len(places) == 2 and has[0] and not has[-1]:
        return compare_surname(answer, reference, places, question)
    return None


def find_other_name(
    answer: Text, reference: Text, name: tuple[int, int], question: Text, rivals: list[tuple[int, int]]
) -> Difference | None:
    """Return the name that an answer has where the reference's is missing; initials are no other name."""
    expected = reference.span(*name)
    letters = read_initials(answer, 0, min(len(answer.words), 40))
    is_acronym = name[1] - name[0] == 1 and expected.isupper() and reference.words[name[0]] in letters
    if is_acronym or read_initials(reference, *name) in answer.places:
        return None
    for rival in rivals:
        if not is_same_name(answer, range(*rival), reference, range(*name)):
            return Difference("name", answer.span(*rival), expected)
    is_alone = 0 < len(answer.words) <= SHORT_ANSWER and not answer.quantities and not answer.denials
    if not is_alone or any(stem in reference.places or stem in question.places for stem in answer.stems):
        return None
    if read_initials(answer, 0, len(answer.words)) == "".join(reference.words[slice(*name)]):
        return None
    return Difference("name", answer.text.strip(), expected)


def compare_given_name(answer: Text, reference: Text, places: list[int], question: Text) -> Difference | None:
    """Return another given name before the surname of the reference; what stands before a place is none."""
    last = answer.places.get(reference.stems[places[-1]], [0])[0]
    before = last - 1
    if before < 0 or not answer.shown[before][0].isupper() or answer.sentence[before] != answer.sentence[last]:
        return None
    word = answer.words[before]
    if word in TITLES or word in STOP_WORDS or answer.stems[before] in question.places:
        return None
    if is_place(answer, before, reference, question):
        return None
    if any(is_same_given_name(word, reference.words[i]) for i in places[:-1]):
        return None
    return Difference("given_name", answer.span(before, last + 1), reference.span(places[0], places[-1] + 1))


def is_place(answer: Text, i: int, reference: Text, question: Text) -> bool:
    """Return whether a name that stands at a word is one of a place: the question asks where, or "in" stands before."""
    start = i
    while start and answer.shown[start - 1][0].isupper() and answer.clause[start - 1] == answer.clause[i]:
        start -= 1
    before = answer.words[start - 1] if start else ""
    if before == "the" and start > 1:
        before = answer.words[start - 2]
    return "where" in question.places or before in PLACE_PREPOSITIONS


def compare_surname(answer: Text, reference: Text, places: list[int], question: Text) -> Difference | None:
    """Return another surname behind the given name of the reference."""
    after = answer.places.get(reference.stems[places[0]], [len(answer.words)])[0] + 1
    if after >= len(answer.words) or not answer.shown[after][0].isupper():
        return None
    word, stem = answer.words[after], answer.stems[after]
    if answer.clause[after] != answer.clause[after - 1] or word in STOP_WORDS:
        return None
    if stem in reference.places or stem in question.places or is_same_given_name(word, reference.words[places[-1]]):
        return None
    return Difference("surname", answer.span(after - 1, after + 1), reference.span(places[0], places[-1] + 1))


def is_same_name(answer: Text, rival: range, reference: Text, name: range) -> bool:
    """Return whether two names can be one: the letters of the one are the words of the other, or a spelling."""
    one, other = answer.words[rival.start : rival.stop], reference.words[name.start : name.stop]
    if read_initials(answer, rival.start, rival.stop) == "".join(other):
        return True
    if read_initials(reference, name.start, name.stop) == "".join(one):
        return True
    if compare_spelling("".join(one), "".join(other)) >= SAME_SPELLING:
        return True
    return len(one) == len(other) and one[-1] == other[-1] and all(map(is_same_given_name, one[:-1], other[:-1]))


# ---- names in Chinese


def is_chinese_name(text: Text, start: int, end: int) -> bool:
    """Return whether some characters of a text look like a name."""
    characters = "".join(text.words[start:end])
    if not HAN.search(characters):
        return any(shown[0].isupper() for shown in text.shown[start:end])
    if CHINESE_FUNCTION_WORDS.search(characters):
        return False
    whole = widen_chinese_name(text, start, end)
    is_person = 2 <= len(whole) <= 4 and whole[0] in CHINESE_SURNAMES
    is_foreign = len(characters) >= 2 and sum(c in CHINESE_SPELLING for c in characters) >= 0.6 * len(characters)
    is_in_map = 2 <= len(whole) <= 6 and whole[-1] in CHINESE_PLACE_ENDINGS
    return is_person or is_foreign or is_in_map or bool(CHINESE_COUNTRIES.search(whole))


def widen_chinese_name(text: Text, start: int, end: int) -> str:
    """Return some characters with what belongs to them: the surname before, the end of a place after."""
    is_short = end - start <= 2
    if start and is_short and text.words[start - 1] in CHINESE_SURNAMES and text.words[start] not in CHINESE_SURNAMES:
        start -= 1
    has_ending = end < len(text.words) and end - start <= 2 and text.words[end] in CHINESE_PLACE_ENDINGS
    if has_ending and text.words[end - 1] not in CHINESE_PLACE_ENDINGS:
        end += 1
    return text.span(start, end)


def differing_chinese_names(answer: Text, reference: Text) -> list[Difference]:
    """Return the names that stand in each other's place where two Chinese texts are else alike."""
    matcher = SequenceMatcher(None, reference.words, answer.words, autojunk=False)
    if matcher.ratio() < (0.3 if len(reference.words) <= SHORT_CHINESE else 0.4):
        return []
    found = list[Difference]()
    for change, start, end, begin, stop in matcher.get_opcodes():
        if change != "replace" or max(end - start, stop - begin) > 8:
            continue
        has_name = is_chinese_name(reference, start, end) or is_chinese_name(answer, begin, stop)
        expected, other = widen_chinese_name(reference, start, end), widen_chinese_name(answer, begin, stop)
        is_plain = all(len(side) > 1 and not CHINESE_FUNCTION_WORDS.search(side) for side in (expected, other))
        if is_plain and has_name:
            found.append(Difference("name", other, expected))
    return found


def find_chinese_rival(answer: Text, reference: Text, question: Text) -> list[Difference]:
    """Return the name that a short Chinese reference finds in its place: what follows 是, or the whole short answer."""
    if reference.quantities or any(stem in answer.places for stem in reference.content):
        return []
    if not is_chinese_name(reference, 0, len(reference.words)):
        return []
    predicates = re.findall("[是为叫在于由：:]([\u4e00-\u9fff·]{2,8})(?=$|[，。,.；、的])", answer.text)
    whole = re.findall("^([\u4e00-\u9fff·]{2,6})[。.]?$", answer.text)
    for name in [*predicates, *whole]:
        part = Text(name)
        is_whole = name in whole and not CHINESE_FUNCTION_WORDS.search(name)
        if not is_whole and not is_chinese_name(part, 0, len(part.words)):
            continue
        if not set(part.stems) <= question.places.keys():
            return [Difference("name", name, reference.text.strip(" 。."))]
    return []
