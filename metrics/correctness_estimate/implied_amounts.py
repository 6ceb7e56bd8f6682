"""Answer a yes-no question by an amount or a comparison: is it over 100, is A older than B."""

import re
from collections.abc import Sequence

from .answer_sentences import (
    LONGEST_QUESTION,
    Sentence,
    count_negators,
    first_word,
    is_asked,
    negators_sign,
)
from .equality import agree, can_replace, is_among
from .quantities import Quantity
from .text import Text, stem_word
from .values import LONGEST_BOUND, read_bounds
from .opposites import COUNT_WORDS, are_opposite_roots, cut_degree, find_root, is_same_degree

INCLUSIVE = re.compile(
    r"(?:at (?:least|most)|up to|within|by|until|minimum(?: of)?|maximum(?: of)?|no (?:more|less"
    r"|fewer) than) $"
)
MOST_ASKED = 5  # amounts of a question
HALF_DAY = 720.0  # minutes
# Comparatives that say less: shorter than 5 m is below it.
LESSENING = re.compile(
    r"\b(?:less|fewer|smaller|shorter|younger|lighter|cheaper|lower|earlier|slower|cooler|colder"
    r"|narrower|shallower"
    r"|closer|thinner|before|under|below|within|by|until) (?:than )?(?:the )?$"
)
EXCEEDING = re.compile(
    r"\b(?:\w{2,}er|more|over|above|after|exceed(?:s|ing)?|past|beyond) (?:than )?(?:the )?$"
)
SAME_DEGREE = re.compile(r"\b(?:the same|equal(?:ly)?|as \w+ as|no difference)\b|一样|相同")
COMPARISON = re.compile(
    r"^\W{0,10}(?:\S{1,30} )?(?P<first>.{1,80}?) "
    r"(?P<degree>(?:(?:more|less|fewer) \w{1,30}|more|less|fewer|\w{1,30}er|worse)"
    r"(?: \w{1,30})?(?= than| als)|before|after)(?: than| als)? (?P<second>.{1,120}?)\W{0,10}$"
)
# What says before and after of two things in time.
IN_TIME = {"before": "earlier", "first": "earlier", "after": "later", "last": "later"}


def read_comparison(sentence: Sentence) -> int:
    """Return whether the first of two things is more than the second, as the question asks."""
    match = COMPARISON.match(sentence.question.lower[:LONGEST_QUESTION])
    if (
        not match
        or sentence.question.quantities
        or match["second"][0] in "$€£"
        or match["second"][0].isdigit()
    ):
        return 0
    first, second = (read_roots(match[name]) for name in ("first", "second"))
    first, second = first - second, second - first
    is_time = match["degree"] in IN_TIME
    degrees = {IN_TIME[match["degree"]]} if is_time else read_roots(match["degree"])
    if SAME_DEGREE.search(sentence.text):
        return -1
    at, sign = find_degree(sentence, degrees)
    if at is None:
        return 0
    named = [(i, root) for i, root in sentence.roots.items() if root in first | second]
    if count_negators(sentence) % 2:
        sign = -sign
    if not named and has_other_pronoun(sentence):
        return -sign
    if not named:
        return sign if sentence.points or at == sentence.words.start else 0
    place, root = named[0]
    # Behind the comparative stands what it is compared with.
    return sign if (root in first) == (place < at) else -sign


def has_other_pronoun(sentence: Sentence) -> bool:
    """Return whether a sentence speaks of her where the question asks about him, or the reverse."""
    words = sentence.answer.words
    subject = words[sentence.words.start].partition("'")[0]
    asked = [word for word in sentence.question.words if word in ("he", "she")]
    return subject in ("he", "she") and bool(asked) and asked[0] != subject


def read_roots(text: str) -> set[str]:
    """Return the roots of the words of a text that tell something."""
    return {find_root(word) for word in re.findall(r"\w+", text) if is_asked(word)}


def find_degree(sentence: Sentence, degrees: set[str]) -> tuple[int | None, int]:
    """Return where a sentence has a comparative or superlative, with 1, or -1 for its opposite."""
    is_time = not degrees.isdisjoint(IN_TIME.values())
    for i in sentence.words:
        word = sentence.answer.words[i]
        root = IN_TIME[word] if is_time and word in IN_TIME else find_root(word)
        for degree in degrees:
            if is_same_degree(root, degree):
                return i, 1
            if are_opposite_roots(degree, root) or are_opposite_roots(
                cut_degree(degree), cut_degree(root)
            ):
                return i, -1
    return None, 0


def read_amount(sentence: Sentence) -> int:
    """Return whether an amount is what the question asks for, or lies within its bound."""
    asked = sentence.question.quantities[:MOST_ASKED]
    if NOT_UNTIL.search(sentence.text):
        return read_late_time(sentence, asked)
    start, end = sentence.words.start, sentence.words.stop
    said = [
        one for one in sentence.answer.quantities if start <= first_word(sentence.answer, one) < end
    ]
    if any(is_asked_amount(one, wanted, sentence) for one in said for wanted in asked):
        return negators_sign(sentence)
    for wanted in reversed(asked):
        for one in said:
            side = compare_amounts(one, wanted, sentence)
            if side:
                return side * negators_sign(sentence)
    return compare_counts(sentence)


# It happened then, and not before: it was not finished until 1910.
NOT_UNTIL = re.compile(r"(?:\bnot|n't|\bnever|\bno \w+)\b[^.;,]{0,40} (?:until|till|before) ")


def read_late_time(sentence: Sentence, asked: Sequence[Quantity]) -> int:
    """Return whether a time that is not before another is the one that the question asks for."""
    start, end = sentence.words.start, sentence.words.stop
    for one in sentence.answer.quantities:
        if not start <= first_word(sentence.answer, one) < end:
            continue
        for wanted in asked:
            difference = subtract(one, wanted)
            if difference is None:
                continue
            bound = read_direction_of_bound(sentence.question, wanted)
            if bound and difference:
                return 1 if difference * bound > 0 else -1
            return 1 if difference == 0 and not bound else -1
    return 0


def is_asked_amount(one: Quantity, wanted: Quantity, sentence: Sentence) -> bool:
    """Return whether an amount is the one that the question asks for, which no bound qualifies."""
    if read_direction_of_bound(sentence.question, wanted) or subtract(one, wanted) != 0:
        return False
    if read_direction_of_bound(sentence.answer, one) or is_count(f"{wanted.written:g}"):
        return False
    return not is_among(one, sentence.question.quantities[:-1])


def compare_amounts(one: Quantity, wanted: Quantity, sentence: Sentence) -> int:
    """Return whether a quantity is that of the question, or within its bound.

    0 if they measure other things.
    """
    bound = read_direction_of_bound(sentence.question, wanted)
    own = read_direction_of_bound(sentence.answer, one)
    difference = subtract(one, wanted)
    if difference is None or (is_among(one, sentence.question.quantities) and not bound):
        return 0
    if not bound:
        return -1 if can_replace(one, wanted) or one.dimension == "clock" else 0
    if difference == 0 and own:
        return 1 if own == bound else -1
    if difference == 0:
        return -1 if is_strict(sentence.question, wanted) else 1
    return 1 if difference * bound > 0 else -1


def is_strict(text: Text, one: Quantity) -> bool:
    """Return whether a bound leaves out the quantity itself: over 100, before 1900."""
    return INCLUSIVE.search(text.lower[max(0, one.start - LONGEST_BOUND) : one.start]) is None


def read_direction_of_bound(text: Text, one: Quantity) -> int:
    """Return 1 where a quantity is the least that is meant, -1 where it is the most, else 0."""
    before = text.lower[max(0, one.start - LONGEST_BOUND) : one.start]
    if LESSENING.search(before):
        return -1
    if EXCEEDING.search(before):
        return 1
    return read_bounds(text.text, one).bound


def subtract(one: Quantity, other: Quantity) -> float | None:
    """Return how far one quantity is beyond another, None where they measure other things."""
    if agree(one, other):
        return 0.0
    if one.kind != other.kind:
        return None
    a, b = one.value[0], other.value[0]
    if a is None or b is None:
        return None
    dimensions = {one.dimension, other.dimension}
    if dimensions == {"clock"} or dimensions == {"clock", ""}:
        a, b = (60 * q.written if not q.dimension else q.value[0] or 0.0 for q in (one, other))
        return a - b if abs(a - b) < HALF_DAY else a % HALF_DAY - b % HALF_DAY
    if len(dimensions) > 1 and not is_bare(one, other):
        return None
    return one.written - other.written if one.unit == other.unit or is_bare(one, other) else a - b


def is_bare(one: Quantity, other: Quantity) -> bool:
    """Return whether one quantity is a plain number, and the other a count or a sum of money."""
    return one.kind == other.kind == "number" and "" in (one.dimension, other.dimension)


def compare_counts(sentence: Sentence) -> int:
    """Return -1 if question and sentence have different counts: two prizes, just one."""
    answer = sentence.answer
    wanted = list_counts(sentence.question.words)
    said = list_counts(answer.words[sentence.words.start : sentence.words.stop])
    if len(wanted) != 1 or not said or wanted[0] in said:
        return 0
    return -negators_sign(sentence)


# What stands behind "one" where it is a pronoun: she received one for physics.
AFTER_PRONOUN = frozenset("for in at on with from to and but as is was that who".split())


def list_counts(words: Sequence[str]) -> list[str]:
    """Return the small numbers among some words, as digits."""
    found = list[str]()
    for i, word in enumerate(words):
        root = COUNT_WORDS.get(word) or stem_word(word)
        is_pronoun = word == "one" and i + 1 < len(words) and words[i + 1] in AFTER_PRONOUN
        if is_count(root) and not is_pronoun:
            found.append(root)
    return found


def is_count(root: str) -> bool:
    """Return whether a root is a small number."""
    return root.isdigit() and len(root) < 3
