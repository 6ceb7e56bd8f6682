"""Where a short answer differs from a short reference.

`find_differences` compares the numbers, dates, units, names, opposites and denials of two texts.
Two numbers are compared by their values (quantities.py), two names by their words, their spelling
and their initials (names.py).
"""

import re
from collections.abc import Sequence

from .lexicon import NEGATIVE_PREFIX
from .contraries import CORRECTING, count_turns
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
from .names import SHORT_ANSWER, find_differing_names
from .outcomes import Difference
from .quantities import Quantity
from .roles import is_sentence
from .text import Text, quote_clause, stem_word


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
        chosen: the number of the reference that counts.
        question: the question. What the answer repeats of it is no difference.
    """
    reference = references[chosen]
    others = [text for text in references if text is not reference]
    new = find_new_quantities(answer, question)
    differences = list[Difference]()
    if not any(has_all_quantities(answer, text) for text in others):
        differences += find_differing_quantities(answer, reference, question, new)
    differences += find_differing_names(answer, reference, question, others)
    differences += find_contrary_statements(answer, reference, question)
    return differences or find_differences_from_finer(answer, reference, others, question)


def find_new_quantities(text: Text, other: Text) -> list[Quantity]:
    """Return the numbers and dates of a text that another text does not have."""
    return [quantity for quantity in text.quantities if not has_quantity(other, quantity)]


def has_quantity(text: Text, quantity: Quantity) -> bool:
    """Return whether a text has a number or date."""
    return is_among(quantity, text.quantities)


def has_all_quantities(answer: Text, reference: Text) -> bool:
    """Return whether a reference has numbers or dates, and an answer has all of them."""
    quantities = reference.quantities
    return bool(quantities) and all(has_quantity(answer, quantity) for quantity in quantities)


def find_differing_quantities(
    answer: Text,
    reference: Text,
    question: Text,
    new: Sequence[Quantity],
) -> list[Difference]:
    """Return the numbers, dates and units of the reference that the answer gives another value.

    A rival is a number of the answer that neither the question nor the reference has.

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
    differences = list[Difference]()
    for quantity in wanted:
        if has_quantity(answer, quantity) or may_be_part_of_word(quantity, answer, rivals):
            continue
        nearest = find_nearest_rival(quantity, rivals)
        if not nearest:
            continue
        kind = name_difference(quantity, nearest)
        differences.append(Difference(kind, nearest.text, quantity.text))
        if len(rivals) > 1:
            rivals.remove(nearest)
    return differences


def find_nearest_rival(quantity: Quantity, rivals: Sequence[Quantity]) -> Quantity | None:
    """Return the rival that most likely stands in the place of a quantity of the reference.

    None if one of the rivals may mean the quantity, or if all rivals tell of something else.
    """
    if any(rival_may_mean(rival, quantity) for rival in rivals):
        return None
    nearest, highest = None, 0.0
    for rival in rivals:
        rate = rate_rival(quantity, rival)
        if rate > highest:
            nearest, highest = rival, rate
    return nearest


def may_be_part_of_word(
    quantity: Quantity,
    answer: Text,
    rivals: Sequence[Quantity],
) -> bool:
    """Return whether the answer has a number's text, though it was not read as this number.

    False if a rival is the same number with another sign or unit.
    """
    if " " in quantity.text or stem_word(quantity.text.lower()) not in answer.places:
        return False
    return not any(abs(rival.written) == quantity.written for rival in rivals)


def rival_may_mean(rival: Quantity, quantity: Quantity) -> bool:
    """Return whether a rival may mean a quantity of the reference after all.

    It has fewer decimals, is in thousands, or bears the mark of a footnote.
    """
    return (
        has_footnote(rival, quantity)
        or is_cut(rival, quantity)
        or is_same_in_thousands(rival, quantity)
    )


# How likely a rival stands in the place of a quantity.
SAME_UNIT = 4.0
SAME_SORT = 3.0  # two dates, or two numbers of one dimension
SAME_FIGURE = 2.0  # the same number with a unit of another dimension
PERHAPS_SAME_UNIT = 1.0  # one of the two has no unit, or a looser one (equality.compatible)
PERHAPS_YEAR = 0.5  # a date that is a year, and a plain number that may be one


def rate_rival(quantity: Quantity, rival: Quantity) -> float:
    """Return how likely a rival stands in the place of a quantity.

    0 if it tells of something else, most for two dates with the same parts.
    """
    if quantity.kind == rival.kind == "date":
        return SAME_SORT + count_same_parts(quantity, rival)
    if is_roman(quantity) != is_roman(rival):
        return 0.0  # World War I, Super Bowl XLIV
    if quantity.kind != rival.kind:
        date, number = (quantity, rival) if quantity.kind == "date" else (rival, quantity)
        return PERHAPS_YEAR if may_be_years(date, number) else 0.0
    return rate_number(quantity, rival)


def rate_number(number: Quantity, rival: Quantity) -> float:
    """Return how likely a number stands in the place of another, by units and figures."""
    if number.dimension == rival.dimension:
        return SAME_UNIT if number.unit == rival.unit else SAME_SORT
    if number.written == rival.written:
        return SAME_FIGURE
    return PERHAPS_SAME_UNIT if compatible(number.dimension, rival.dimension) else 0.0


def count_same_parts(one: Quantity, other: Quantity) -> int:
    """Return how many parts of two dates are the same."""
    return sum(a is not None and a == b for a, b in zip(one.value, other.value, strict=True))


def may_be_years(date: Quantity, number: Quantity) -> bool:
    """Return whether a date is a year, and a number may be one."""
    is_year = sum(part is not None for part in date.value) == 1
    return is_year and not number.dimension and FIRST_YEAR <= number.written <= LAST_YEAR


def find_differences_from_finer(
    answer: Text,
    reference: Text,
    others: Sequence[Text],
    question: Text,
) -> list[Difference]:
    """Return how an answer differs from the references that are more exact than the chosen one.

    "21 July 1979" is more exact than "1979". Empty if the answer agrees with one of them.
    """
    if not reference.quantities:
        return []
    new = find_new_quantities(answer, question)
    first = list[Difference]()
    for text in others:
        if not has_all_quantities(text, reference):
            continue
        differences = find_differing_quantities(answer, text, question, new)
        if not differences:
            return []
        first = first or differences
    return first


def find_contrary_statements(answer: Text, reference: Text, question: Text) -> list[Difference]:
    """Return where an answer denies what a reference says, or says the opposite."""
    turns = count_turns(answer, reference, question)
    if not turns:
        return [
            *find_opposite_words(answer, reference, question),
            *find_differing_denials(answer, reference),
        ]
    if not turns.is_contrary():
        return []
    if turns.opposites and not turns.denials:
        return [Difference("opposite", answer.shown[turns.opposites[0]], reference.text.strip())]
    first = turns.denials[0] if turns.denials else 0
    return [Difference("denied", quote_clause(answer, first), reference.text.strip())]


def find_opposite_words(answer: Text, reference: Text, question: Text) -> list[Difference]:
    """Return the words of the reference whose opposite the answer has: increases, decreases."""
    differences = list[Difference]()
    for i, stem in enumerate(reference.stems):
        if stem in answer.places or stem in question.places:
            continue
        opposites = list_opposed_places(stem, answer)
        # A word that repeats the question is not said against the reference.
        known = reference.places.keys() | question.places.keys()
        new = [place for place in opposites if answer.stems[place] not in known]
        if not new or is_denied_before(answer, new[0]) or is_denied_before(reference, i):
            continue
        differences.append(Difference("opposite", answer.shown[new[0]], reference.shown[i]))
    differences += find_differing_prefixes(answer, reference)
    differences += find_turned_comparatives(answer, reference, question)
    return differences


def list_opposed_places(stem: str, answer: Text) -> list[int]:
    """Return the words of an answer that are opposites of a stem."""
    places = list[int]()
    for opposite in sorted(list_opposite_stems(stem)):
        places += answer.places.get(opposite, [])
    return places


SHORTEST_COMPARATIVE = 5  # letters


def find_turned_comparatives(answer: Text, reference: Text, question: Text) -> list[Difference]:
    """Return the question's comparative if the answer has its opposite after the reference's words.

    Beside "Ann", "Ann is younger" does not answer "Who is older?".
    """
    shared = reference.places.keys() & answer.places.keys()
    if len(reference.words) > SHORT_ANSWER or not shared:
        return []
    start = min(answer.places[stem][0] for stem in shared)
    for word, stem in zip(question.words, question.stems, strict=True):
        if not is_comparative(word) or stem in answer.places:
            continue
        opposites = list_opposed_places(stem, answer)
        if not opposites or opposites[0] <= start:
            continue
        if is_same_sentence(answer, start, opposites[0]):
            return [Difference("opposite", answer.shown[opposites[0]], word)]
    return []


def is_comparative(word: str) -> bool:
    """Return whether a word looks like a comparative: older."""
    return word.endswith("er") and len(word) >= SHORTEST_COMPARATIVE


def find_differing_prefixes(answer: Text, reference: Text) -> list[Difference]:
    """Return the words that only one text has with a negating prefix: possible, impossible."""
    differences = list[Difference]()
    for i, bare in list_prefixed_words(answer, reference):
        differences.append(Difference("opposite", answer.shown[i], reference.shown[bare]))
    for i, bare in list_prefixed_words(reference, answer):
        differences.append(Difference("opposite", answer.shown[bare], reference.shown[i]))
    return differences


def list_prefixed_words(text: Text, other: Text) -> list[tuple[int, int]]:
    """Return the words with a negating prefix that another text has without the prefix.

    Each is a pair of numbers: of the word in the text, and of the word without the prefix in the
    other text.
    """
    pairs = list[tuple[int, int]]()
    for i, word in enumerate(text.words):
        bare = NEGATIVE_PREFIX.sub("", word)
        if bare == word or word in other.first_place or bare not in other.first_place:
            continue
        if bare in text.first_place:
            continue
        if not text.shown[i][1:].islower():
            continue  # two words without a space between them: inOctober
        place = other.first_place[bare]
        if not is_denied_before(text, i) and not is_denied_before(other, place):
            pairs.append((i, place))
    return pairs


DENIAL_REACH = 3  # words after a negator that it may deny


def is_denied_before(text: Text, i: int) -> bool:
    """Return whether a negator stands shortly before a word, in its sentence."""
    return any(
        0 < i - place <= DENIAL_REACH and is_same_sentence(text, place, i) for place in text.denials
    )


def is_same_sentence(text: Text, one: int, other: int) -> bool:
    """Return whether two words stand in the same sentence."""
    return text.sentence[one] == text.sentence[other]


# ---- denials

# Words that deny without a negator.
SOFT_DENIAL = re.compile(
    "unable|impossib|fail|lack|absen|refus|illegal|forbid|prohibit|\\bban|prevent|without|unlike"
)
# Verbs that deny the verb after them: "failed to win", "kept them from winning".
FAILING = re.compile(
    r"\b(?:fail(?:s|ed|ing)? to|unable to|refuse[sd]? to|neglect(?:s|ed)? to|anything but|far from"
    r"|by no means)\b"
    r"|\b(?:keeps?|kept|stops?|stopped|prevents?|prevented) (?:\w+ ){1,5}from\b"
)


def find_differing_denials(answer: Text, reference: Text) -> list[Difference]:
    """Return where one text denies what the other says.

    The reference is a sentence or says that there is none of something. The answer has at least
    half of its words.
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
    reference_denials = list_denials(reference)
    # Two denials affirm, and so does one that stands in both texts.
    if (len(denials) + len(reference_denials) + n_failing) % 2 == 0:
        return []
    first = denials[0] if denials else min(answer.places[stem][0] for stem in shared)
    expected = quote_clause(reference, reference_denials[0] if reference_denials else 0)
    return [Difference("denied", quote_clause(answer, first), expected)]


def may_be_denied(reference: Text) -> bool:
    """Return whether a reference is a sentence, or says that there is none of something."""
    if is_sentence(reference):
        return True
    has_words = len(reference.words) > 1
    return has_words and reference.words[0] == "no" and reference.clause[0] == reference.clause[1]


def is_corrected(answer: Text, content: set[str]) -> bool:
    """Return whether all words of a reference follow a "but" that corrects a denial.

    "No planet, but a dwarf" says that it is a dwarf.
    """
    first_denial = min(answer.denials, default=len(answer.words))
    for i, word in enumerate(answer.words):
        if word in CORRECTING and first_denial < i and content <= set(answer.stems[i:]):
            return True
    return False


def list_denials_beside(text: Text, stems: set[str]) -> list[int]:
    """Return the negators that stand in a sentence with one of some stems."""
    sentences = set[int]()
    for stem in stems:
        sentences.update(text.sentence[i] for i in text.places[stem])
    return [i for i in list_denials(text) if text.sentence[i] in sentences]


def list_denials(text: Text) -> list[int]:
    """Return the negators of a text, except a "no" at its start that answers the question."""
    is_answer = text.words[:1] == ["no"] and text.clause[:1] != text.clause[1:2]
    return [i for i in text.denials if i or not is_answer]
