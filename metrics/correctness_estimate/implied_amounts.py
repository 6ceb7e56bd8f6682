"""Read the answer to a yes-no question from an amount or a comparison.

Is it over 100? "It has 80." Is A older than B? "B is older."
"""

import re
from collections.abc import Sequence

from .answer_sentences import (
    LONGEST_QUESTION,
    Sentence,
    locate_quantity,
    is_content_word,
    compute_negator_sign,
    count_negators,
)
from .equality import agree, can_replace, is_among
from .quantities import Quantity
from .text import Text, stem_word
from .bounds import read_before, read_bounds
from .opposites import COUNT_WORDS, are_opposite_roots, cut_degree, find_root, is_same_degree


# ---- which of two things has more of a degree

SAME_DEGREE = re.compile(r"\b(?:the same|equal(?:ly)?|as \w+ as|no difference)\b|一样|相同")
# "Is A older than B?", "Did A die before B?"; "als" is German for "than".
COMPARISON = re.compile(
    r"^\W{0,10}(?:\S{1,30} )?(?P<first>.{1,80}?) "
    r"(?P<degree>(?:(?:more|less|fewer) \w{1,30}|more|less|fewer|\w{1,30}er|worse)"
    r"(?: \w{1,30})?(?= than| als)|before|after)(?: than| als)? (?P<second>.{1,120}?)\W{0,10}$"
)
# "Is it faster in water than in air?"
PREPOSITION = "(?:in|on|at|under|with|for|by|during|through)"
COMPARISON_OF_PLACES = re.compile(
    rf"\b(?P<degree>more|less|better|worse|\w{{2,30}}er) (?P<first>{PREPOSITION} [\w ]{{1,40}}?)"
    rf" than (?P<second>{PREPOSITION} [\w ]{{1,60}})"
)
# Comparatives that "before", "after", "first" and "last" stand for.
IN_TIME = {"before": "earlier", "first": "earlier", "after": "later", "last": "later"}
HE_AND_SHE = ("he", "she")


def read_comparison(sentence: Sentence) -> int:
    """Return 1 if a sentence agrees with the question's comparison, -1 if it reverses it, else 0.

    "Is A older than B?" compares two things by a degree. A sentence about the two being equal gives
    -1, even if it denies that. A question with an amount is left to `read_amount`.
    """
    question = sentence.question.lower[:LONGEST_QUESTION]
    match = COMPARISON.match(question)
    if not match or sentence.question.quantities:
        return 0
    of_places = COMPARISON_OF_PLACES.search(question)
    if of_places:
        return compare_places(sentence, of_places)
    if SAME_DEGREE.search(sentence.lower):
        return -1
    degree_place, sign = find_degree(sentence, read_degrees(match["degree"]))
    if degree_place is None:
        return 0
    first, second = read_roots(match["first"]), read_roots(match["second"])
    order = read_order(sentence, degree_place, first, second)
    return order * sign * compute_negator_sign(sentence)


def compare_places(sentence: Sentence, asked: re.Match[str]) -> int:
    """Return 1 if a sentence tells the asked degree of the first of two places, -1 the reverse.

    "Sound is slower in water" reverses "Does sound travel faster in water than in air?" 0 if the
    sentence names no such degree, or both places.
    """
    degree_place, sign = find_degree(sentence, read_roots(asked["degree"]))
    first, second = read_roots(asked["first"]), read_roots(asked["second"])
    roots = set(sentence.roots.values())
    names_first, names_second = bool(roots & first - second), bool(roots & second - first)
    if degree_place is None or names_first == names_second:
        return 0
    sign *= compute_negator_sign(sentence)
    return sign if names_first else -sign


def read_order(sentence: Sentence, degree_place: int, first: set[str], second: set[str]) -> int:
    """Return 1 if a sentence says a degree of the first of two things, -1 if of the second, else 0.

    Args:
        sentence: the sentence.
        degree_place: the position of its comparative or superlative.
        first: the roots of the first thing.
        second: the roots of the second thing.
    """
    distinctive = first ^ second  # the words of only one of the two things
    for place, root in sentence.roots.items():
        if root in distinctive:
            # The thing before the comparative has more of the degree than the thing after it.
            is_first_more = (root in first) == (place < degree_place)
            return 1 if is_first_more else -1
    if has_other_pronoun(sentence):
        return -1
    # A pronoun stands for the first thing, and so does no subject at all: "Older."
    has_no_subject = degree_place == sentence.places.start
    return 1 if sentence.has_pronoun or has_no_subject else 0


def has_other_pronoun(sentence: Sentence) -> bool:
    """Return whether a sentence says "she" if the question asks about "he", or the reverse."""
    first_word = sentence.answer.words[sentence.places.start]
    subject = first_word.partition("'")[0]
    asked_pronouns = [word for word in sentence.question.words if word in HE_AND_SHE]
    if subject not in HE_AND_SHE or not asked_pronouns:
        return False
    return asked_pronouns[0] != subject


def read_degrees(text: str) -> set[str]:
    """Return the roots of a comparative; "before" is "earlier"."""
    return {IN_TIME[text]} if text in IN_TIME else read_roots(text)


def read_roots(text: str) -> set[str]:
    """Return the roots of the words of a text that tell something."""
    return {find_root(word) for word in re.findall(r"\w+", text) if is_content_word(word)}


def find_degree(sentence: Sentence, degrees: set[str]) -> tuple[int | None, int]:
    """Return the position of a degree in a sentence and 1, or of its opposite and -1.

    Without either the position is None and the sign 0.
    """
    is_time = not degrees.isdisjoint(IN_TIME.values())
    for i in sentence.places:
        word = sentence.answer.words[i]
        root = IN_TIME[word] if is_time and word in IN_TIME else find_root(word)
        for degree in degrees:
            if is_same_degree(root, degree):
                return i, 1
            if are_opposite_degrees(degree, root):
                return i, -1
    return None, 0


def are_opposite_degrees(one: str, other: str) -> bool:
    """Return whether two adjectives are opposites, in any degree: older, youngest."""
    if are_opposite_roots(one, other):
        return True
    return are_opposite_roots(cut_degree(one), cut_degree(other))


# ---- numbers and dates

MOST_ASKED_AMOUNTS = 5  # amounts of a question that are compared
# Comparatives that say less: shorter than 5 m is below it.
LESSENING = re.compile(
    r"\b(?:less|fewer|smaller|shorter|younger|lighter|cheaper|lower|earlier|slower|cooler|colder"
    r"|narrower|shallower"
    r"|closer|thinner|before|under|below|within|by|until) (?:than )?(?:the )?$"
)
# Comparatives that say more: longer than 5 m is above it.
EXCEEDING = re.compile(
    r"\b(?:\w{2,}er than|(?:more|over|above|after|exceed(?:s|ing)?|past|beyond)(?: than)?)"
    r" (?:the )?$"
)
# "It was not finished until 1910" says that it was finished in 1910, so it denies nothing.
NOT_UNTIL = re.compile(r"(?:\bnot|n't|\bnever|\bno \w+)\b[^.;,]{0,40} (?:until|till|before) ")


def read_amount(sentence: Sentence) -> int:
    """Return 1 if a sentence has the question's amount, or one within its bound, -1 if another.

    A denial in the sentence reverses the sign. 0 if the sentence has no amount to compare.
    """
    asked_amounts = sentence.question.quantities[:MOST_ASKED_AMOUNTS]
    if NOT_UNTIL.search(sentence.lower):
        return read_first_time(sentence, asked_amounts)
    amounts = list_amounts(sentence)
    if any(is_denied_amount(amount, asked_amounts, sentence) for amount in amounts):
        return -1
    for amount in amounts:
        if any(is_asked_amount(amount, asked, sentence) for asked in asked_amounts):
            return compute_negator_sign(sentence)
    for asked in reversed(asked_amounts):
        for amount in amounts:
            side = compare_amounts(amount, asked, sentence)
            if side:
                return side * compute_negator_sign(sentence)
    return compare_counts(sentence)


def is_denied_amount(
    amount: Quantity, asked_amounts: Sequence[Quantity], sentence: Sentence
) -> bool:
    """Return whether a "not" right before an amount denies one of the question: eight, not six."""
    place = locate_quantity(sentence.answer, amount)
    before = sentence.answer.words[max(0, place - 1) : place]
    if before != ["not"] or count_negators(sentence) != 1 or len(list_amounts(sentence)) < 2:
        return False
    return is_among(amount, asked_amounts)


def list_amounts(sentence: Sentence) -> list[Quantity]:
    """Return the numbers and dates of a sentence."""
    amounts = list[Quantity]()
    for quantity in sentence.answer.quantities:
        if locate_quantity(sentence.answer, quantity) in sentence.places:
            amounts.append(quantity)
    return amounts


def read_first_time(sentence: Sentence, asked_amounts: Sequence[Quantity]) -> int:
    """Return 1 if a sentence with "not until" has the time asked for, -1 if it has another.

    A time within the question's bound is one asked for. 0 without a time that can be compared.
    """
    for time in list_amounts(sentence):
        for asked in asked_amounts:
            difference = subtract_quantities(time, asked)
            if difference is None:
                continue
            bound = read_direction_of_bound(sentence.question, asked)
            is_within = difference * bound > 0 if bound else difference == 0
            return 1 if is_within else -1
    return 0


def is_asked_amount(amount: Quantity, asked: Quantity, sentence: Sentence) -> bool:
    """Return whether an amount is the one that the question asks for, and neither has a bound."""
    if read_direction_of_bound(sentence.question, asked) or subtract_quantities(amount, asked) != 0:
        return False
    if read_direction_of_bound(sentence.answer, amount):
        return False
    # A small number is often said of other things: it does not show that the answer is yes.
    if is_count(f"{asked.written:g}"):
        return False
    # The amounts before the last are often only the setting: did it have 500 members in 1990?
    return not is_among(amount, sentence.question.quantities[:-1])


def compare_amounts(amount: Quantity, asked: Quantity, sentence: Sentence) -> int:
    """Return 1 if an amount lies within the question's bound, -1 if outside, else 0.

    If the question has no bound, another amount of the same kind gives -1, and one that the
    question has too gives 0. Amounts that cannot be subtracted give 0.
    """
    bound = read_direction_of_bound(sentence.question, asked)
    difference = subtract_quantities(amount, asked)
    if difference is None:
        return 0
    if not bound:
        repeats_question = is_among(amount, sentence.question.quantities)
        # A time of day also answers a question about a plain hour: at 9?
        is_same_kind = can_replace(amount, asked) or amount.dimension == "clock"
        return -1 if is_same_kind and not repeats_question else 0
    if difference:
        return 1 if difference * bound > 0 else -1
    # The amount is the bound itself.
    answer_bound = read_direction_of_bound(sentence.answer, amount)
    return 1 if answer_bound in (0, bound) else -1


def read_direction_of_bound(text: Text, quantity: Quantity) -> int:
    """Return 1 if a quantity is the least that is meant, -1 if it is the most, else 0."""
    before = read_before(text.lower, quantity)
    if LESSENING.search(before):
        return -1
    if EXCEEDING.search(before):
        return 1
    return read_bounds(text.text, quantity).bound


def subtract_quantities(one: Quantity, other: Quantity) -> float | None:
    """Return how much more one quantity is than another, None if they cannot be compared.

    0 if they can mean the same. Dates are compared by their years.
    """
    if agree(one, other):
        return 0.0
    # The first part of a value is the figure of a number, or the year of a date if it has one.
    have_first_part = one.value[0] is not None and other.value[0] is not None
    if one.kind != other.kind or not have_first_part:
        return None
    if one.dimension != other.dimension and not has_plain_number(one, other):
        return None
    if one.unit == other.unit or has_plain_number(one, other):
        return one.written - other.written
    return one.amount - other.amount


def has_plain_number(one: Quantity, other: Quantity) -> bool:
    """Return whether two quantities are numbers, and at least one of them has no unit."""
    return one.kind == other.kind == "number" and "" in (one.dimension, other.dimension)


# ---- numbers that count things

LONGEST_COUNT = 2  # digits of a number that counts things: two prizes
# Words after "one" if it is a pronoun: she received one for physics.
AFTER_PRONOUN = frozenset("for in at on with from to and but as is was that who".split())


def compare_counts(sentence: Sentence) -> int:
    """Return -1 if question and sentence have different counts: two prizes, just one.

    1 if that sentence is denied. 0 if they have a count in common, if the sentence has none, or if
    the question has none or several.
    """
    asked = list_counts(sentence.question.words)
    counts = list_counts(sentence.list_words())
    if len(asked) != 1 or not counts or asked[0] in counts:
        return 0
    return -compute_negator_sign(sentence)


def list_counts(words: Sequence[str]) -> list[str]:
    """Return the numbers of one or two digits among words, as digits: two, twice and 2 are "2"."""
    counts = list[str]()
    for i, word in enumerate(words):
        root = COUNT_WORDS.get(word) or stem_word(word)
        is_pronoun = word == "one" and i + 1 < len(words) and words[i + 1] in AFTER_PRONOUN
        if is_count(root) and not is_pronoun:
            counts.append(root)
    return counts


def is_count(root: str) -> bool:
    """Return whether a root is a number of one or two digits."""
    return root.isdigit() and len(root) <= LONGEST_COUNT
