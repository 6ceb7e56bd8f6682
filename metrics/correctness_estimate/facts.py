"""What a short answer says otherwise than a short reference.

Numbers, dates, units, names and opposites are compared.

`find_differences` compares the facts of two texts. Two numbers are compared by their values
(quantities.py), two names by their words, their spelling and their initials.
"""

import re
from collections.abc import Sequence

from .lexicon import NEGATIVE_PREFIX
from .contraries import count_turns
from .opposites import list_opposite_stems
from .equality import (
    FIRST_YEAR,
    LAST_YEAR,
    compatible,
    has_footnote,
    is_among,
    is_cut,
    is_roman,
    is_same_in_thousands,
    name_difference,
)
from .quantities import Quantity
from .roles import is_sentence
from .text import Text, quote_clause, stem_word

from .names import SHORT_ANSWER, find_differing_names
from .outcomes import Difference

# Words that deny without a negator.
SOFT_DENIAL = re.compile(
    "unable|impossib|fail|lack|absen|refus|illegal|forbid|prohibit|\\bban|prevent|without|unlike"
)


def find_differences(
    answer: Text,
    references: Sequence[Text],
    chosen: int,
    question: Text,
) -> list[Difference]:
    """Return how an answer differs in the facts of a short reference.

    Args:
        answer: the answer.
        references: all references.
        chosen: the number of the one that counts.
        question: the question; what it says is no difference.
    """
    reference = references[chosen]
    others = [text for text in references if text is not reference]
    new = find_new_quantities(answer, question)
    found = list[Difference]()
    if not any(has_all_quantities(answer, text) for text in others):
        found += differing_quantities(answer, reference, question, new)
    found += find_differing_names(answer, reference, question, others)
    found += differing_statements(answer, reference, question)
    return found or differing_finer_references(answer, reference, others, question)


def find_new_quantities(text: Text, other: Text) -> list[Quantity]:
    """Return the numbers and dates of a text that another does not have."""
    return [quantity for quantity in text.quantities if not has_quantity(other, quantity)]


def has_quantity(text: Text, quantity: Quantity) -> bool:
    """Return whether a text has a number or date."""
    return is_among(quantity, text.quantities)


def has_all_quantities(answer: Text, reference: Text) -> bool:
    """Return whether an answer has all numbers and dates of a reference that has any."""
    quantities = reference.quantities
    return bool(quantities) and all(has_quantity(answer, quantity) for quantity in quantities)


def differing_quantities(
    answer: Text,
    reference: Text,
    question: Text,
    new: Sequence[Quantity],
) -> list[Difference]:
    """Return the numbers, dates and units of the reference that the answer gives otherwise.

    Args:
        answer: the answer.
        reference: the reference that counts.
        question: the question.
        new: the answer's numbers and dates that the question does not have.
    """
    wanted = find_new_quantities(reference, question)
    if not wanted:
        return []
    rivals = [quantity for quantity in new if not has_quantity(reference, quantity)]
    found = list[Difference]()
    for quantity in wanted:
        if has_quantity(answer, quantity) or may_be_written_out(quantity, answer, rivals):
            continue
        nearest = find_nearest_rival(quantity, rivals)
        if not nearest:
            continue
        kind = name_difference(quantity, nearest)
        found.append(Difference(kind, nearest.text, quantity.text))
        if len(rivals) > 1:
            rivals.remove(nearest)
    return found


def find_nearest_rival(quantity: Quantity, rivals: Sequence[Quantity]) -> Quantity | None:
    """Return the rival that most likely stands where a quantity should.

    None where one of the rivals may mean the quantity, or all tell of something else.
    """
    if any(may_mean_rival(rival, quantity) for rival in rivals):
        return None
    nearest, highest = None, 0.0
    for rival in rivals:
        rate = rate_rival(quantity, rival)
        if rate > highest:
            nearest, highest = rival, rate
    return nearest


def may_be_written_out(one: Quantity, answer: Text, rivals: Sequence[Quantity]) -> bool:
    """Return whether a number stands in the answer as part of something else.

    It does not where the answer has it with another sign or unit.
    """
    if " " in one.text or stem_word(one.text.lower()) not in answer.places:
        return False
    return not any(abs(rival.written) == one.written for rival in rivals)


def may_mean_rival(rival: Quantity, one: Quantity) -> bool:
    """Return whether a number may be another one after all.

    It has fewer decimals, is in thousands, or bears the mark of a footnote.
    """
    return has_footnote(rival, one) or is_cut(rival, one) or is_same_in_thousands(rival, one)


# How likely a quantity stands where another should.
SAME_SORT, SAME_UNIT = 3.0, 4.0  # of one dimension, of one unit too; two dates
SAME_FIGURE, LOOSE_UNIT, PERHAPS_YEAR = 2.0, 1.0, 0.5


def rate_rival(one: Quantity, rival: Quantity) -> float:
    """Return how likely a rival stands where a quantity should.

    0 where it tells of something else, most for two dates with the same parts.
    """
    if one.kind == rival.kind == "date":
        return SAME_SORT + count_same_parts(one, rival)
    if is_roman(one) != is_roman(rival):
        return 0.0  # World War I, Super Bowl XLIV
    if one.kind != rival.kind:
        date, number = (one, rival) if one.kind == "date" else (rival, one)
        return PERHAPS_YEAR if may_be_years(date, number) else 0.0
    if one.dimension == rival.dimension:
        return SAME_UNIT if one.unit == rival.unit else SAME_SORT
    if one.written == rival.written:
        return SAME_FIGURE
    return LOOSE_UNIT if compatible(one.dimension, rival.dimension) else 0.0


def count_same_parts(one: Quantity, other: Quantity) -> int:
    """Return how many parts of two dates are the same."""
    return sum(a is not None and a == b for a, b in zip(one.value, other.value, strict=True))


def may_be_years(date: Quantity, number: Quantity) -> bool:
    """Return whether a date is a year, and a number may be one."""
    is_year = sum(part is not None for part in date.value) == 1
    return is_year and not number.dimension and FIRST_YEAR <= number.written <= LAST_YEAR


def differing_finer_references(
    answer: Text,
    reference: Text,
    others: Sequence[Text],
    question: Text,
) -> list[Difference]:
    """Return how an answer differs from all references that say the same more exactly.

    21 July 1979 says the same as 1979 more exactly.
    """
    if not reference.quantities:
        return []
    new = find_new_quantities(answer, question)
    first = list[Difference]()
    for text in others:
        if not has_all_quantities(text, reference):
            continue
        differences = differing_quantities(answer, text, question, new)
        if not differences:
            return []
        first = first or differences
    return first


def differing_statements(answer: Text, reference: Text, question: Text) -> list[Difference]:
    """Return where an answer denies what the reference says, or says the opposite."""
    turns = count_turns(answer, reference, question)
    if not turns:
        return [
            *differing_opposites(answer, reference, question),
            *differing_denials(answer, reference),
        ]
    if not turns.is_contrary():
        return []
    if turns.opposites and not turns.denials:
        return [Difference("opposite", answer.shown[turns.opposites[0]], reference.text.strip())]
    first = turns.denials[0] if turns.denials else 0
    return [Difference("denied", quote_clause(answer, first), reference.text.strip())]


def differing_opposites(answer: Text, reference: Text, question: Text) -> list[Difference]:
    """Return the words of the reference whose opposite the answer has: increases, decreases."""
    found = list[Difference]()
    for i, stem in enumerate(reference.stems):
        if stem in answer.places or stem in question.places:
            continue
        opposed = list_opposed_places(stem, answer)
        new = [place for place in opposed if answer.stems[place] not in reference.places]
        if not new or is_denied_before(answer, new[0]) or is_denied_before(reference, i):
            continue
        found.append(Difference("opposite", answer.shown[new[0]], reference.shown[i]))
    found += differing_prefixes(answer, reference)
    found += contrary_to_question(answer, reference, question)
    return found


def list_opposed_places(stem: str, answer: Text) -> list[int]:
    """Return where an answer has the opposites of a stem."""
    places = list[int]()
    for opposite in sorted(list_opposite_stems(stem)):
        places += answer.places.get(opposite, [])
    return places


SHORTEST_COMPARATIVE = 5  # letters


def contrary_to_question(answer: Text, reference: Text, question: Text) -> list[Difference]:
    """Return the comparison of a question that an answer turns round (older; it is younger)."""
    if len(reference.words) > SHORT_ANSWER or not reference.places.keys() & answer.places.keys():
        return []
    start = min(answer.places[stem][0] for stem in reference.stems if stem in answer.places)
    for word, stem in zip(question.words, question.stems, strict=True):
        if not is_comparative(word) or stem in answer.places:
            continue
        turned = list_opposed_places(stem, answer)
        if not turned or turned[0] <= start:
            continue
        if is_same_sentence(answer, start, turned[0]):
            return [Difference("opposite", answer.shown[turned[0]], word)]
    return []


def is_comparative(word: str) -> bool:
    """Return whether a word has the form of a comparative: older."""
    return word.endswith("er") and len(word) >= SHORTEST_COMPARATIVE


def differing_prefixes(answer: Text, reference: Text) -> list[Difference]:
    """Return the words that only one text has with a negating prefix: possible, impossible."""
    found = list[Difference]()
    for i, bare in list_prefixed_words(answer, reference):
        found.append(Difference("opposite", answer.shown[i], reference.shown[bare]))
    for i, bare in list_prefixed_words(reference, answer):
        found.append(Difference("opposite", answer.shown[bare], reference.shown[i]))
    return found


def list_prefixed_words(text: Text, other: Text) -> list[tuple[int, int]]:
    """Return the words with a negating prefix that another text has without it.

    Each is the place of the word in the text, and that of the bare word in the other.
    """
    found = list[tuple[int, int]]()
    for i, word in enumerate(text.words):
        bare = NEGATIVE_PREFIX.sub("", word)
        if bare == word or word in other.first_place or bare not in other.first_place:
            continue
        if bare in text.first_place:
            continue
        if not text.shown[i][1:].islower():
            continue  # two words that are glued: inOctober
        place = other.first_place[bare]
        if not is_denied_before(text, i) and not is_denied_before(other, place):
            found.append((i, place))
    return found


def is_denied_before(text: Text, i: int) -> bool:
    """Return whether a negator stands right before a word."""
    return any(0 < i - place <= 3 and is_same_sentence(text, place, i) for place in text.denials)


def is_same_sentence(text: Text, one: int, other: int) -> bool:
    """Return whether two words stand in the same sentence."""
    return text.sentence[one] == text.sentence[other]


def differing_denials(answer: Text, reference: Text) -> list[Difference]:
    """Return where one text denies what the other says.

    The reference is a short sentence, and the answer has most of its words.
    """
    if not may_be_denied(reference):
        return []
    content = set(reference.content)
    shared = content & answer.places.keys()
    if not shared or 2 * len(shared) < len(content):
        return []
    rest, n_failing = FAILING.subn("", f"{answer.lower}\n{reference.lower}")
    if SOFT_DENIAL.search(rest) or is_corrected(answer, content):
        return []
    denials = list_denials_beside(answer, shared)
    own = list_denials(reference)
    # Two denials affirm, and so does one that stands in both texts.
    if (len(denials) + len(own) + n_failing) % 2 == 0:
        return []
    first = denials[0] if denials else min(answer.places[stem][0] for stem in shared)
    expected = quote_clause(reference, own[0] if own else 0)
    return [Difference("denied", quote_clause(answer, first), expected)]


def list_denials_beside(text: Text, stems: set[str]) -> list[int]:
    """Return the negators in the sentences of some words."""
    sentences = set[int]()
    for stem in stems:
        sentences.update(text.sentence[i] for i in text.places[stem])
    return [i for i in list_denials(text) if text.sentence[i] in sentences]


def may_be_denied(reference: Text) -> bool:
    """Return whether a reference is a sentence, or says that there is none of something."""
    if is_sentence(reference):
        return True
    has_words = len(reference.words) > 1
    return has_words and reference.words[0] == "no" and reference.clause[0] == reference.clause[1]


FAILING = re.compile(
    r"\b(?:fail(?:s|ed|ing)? to|unable to|refuse[sd]? to|neglect(?:s|ed)? to|anything but|far from"
    r"|by no means)\b"
    r"|\b(?:keeps?|kept|stops?|stopped|prevents?|prevented) (?:\w+ ){1,5}from\b"
)

# What sets right what was denied before.
CORRECTING = frozenset({"but", "rather", "instead"})


def is_corrected(answer: Text, content: set[str]) -> bool:
    """Return whether all words of a reference stand behind a "but" that follows a denial.

    No planet, but a dwarf.
    """
    first_denial = min(answer.denials, default=len(answer.words))
    for i, word in enumerate(answer.words):
        if word in CORRECTING and first_denial < i and content <= set(answer.stems[i:]):
            return True
    return False


def list_denials(text: Text) -> list[int]:
    """Return the negators of a text, but for a "no" that answers a question."""
    is_answer = text.words[:1] == ["no"] and text.clause[:1] != text.clause[1:2]
    return [i for i in text.denials if i or not is_answer]
