"""Find the words of a reference in an answer.

A word may stand there letter by letter, in another form or spelling, or as another figure.
"""

import math
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NamedTuple

from .lexicon import NUMBER_WORDS, STOP_WORDS
from .equality import agree
from .model import RAREST, RARITY_TEXT
from .quantities import Quantity
from .text import RECENT_TEXTS, Text, compare_spelling

LIKE_SPELLING = 0.7  # least likeness of two spellings of one word, by pairs of characters
MOST_LETTERS_APART = 4  # of two spellings of one word
SHORTEST_SPELLING = 3  # letters of a word that may have another spelling
MOST_SPELLINGS = 8  # words of a reference whose spelling is looked for
NEAR_MATCH = 400  # words around a match that are read of a very long sentence
NEAR_SENTENCE = 13  # words of the sentences before and after that are read
# Words of a reference, and places of one word, that are read: the time stays linear.
MOST_WORDS = 200
MOST_PLACES = 50
FEW_TRIGRAMS = 50  # trigrams of a reference that are searched one by one in an answer


class WordPair(NamedTuple):
    """A word of the answer that is a word of the reference: the places of both."""

    in_answer: int
    in_reference: int


class Spelling(NamedTuple):
    """The most similar word of an answer for a word of the reference: its likeness and place."""

    likeness: float
    in_answer: int


@dataclass(frozen=True)
class Match:
    """Where an answer has the words of a reference.

    Attributes:
        wanted: the places of the words of the reference that the answer should have.
        exact: the share of the wanted words that the answer has letter by letter.
        pairs: the wanted words in the answer, in the answer's order.
        spellings: by the place of a missing word in the reference, the answer's most similar word.
        trigrams: the share of the reference's three neighbouring characters that the answer has.
        start, end: the first and the last word of the stretch of the answer that has most of the
            wanted words.
        inside: the number of different wanted words in that stretch.
    """

    wanted: list[int]
    exact: float
    pairs: list[WordPair]
    spellings: dict[int, Spelling]
    trigrams: float
    start: int
    end: int
    inside: int


def find_match(
    answer: Text,
    reference: Text,
    question: Text,
    *,
    spelling: bool = True,
) -> Match:
    """Find the words of a reference in an answer.

    Args:
        answer: the answer.
        reference: the reference.
        question: the question; an answer need not repeat its words.
        spelling: whether words in another spelling count, too.
    """
    wanted = select_wanted_words(reference, question)
    pairs = list[WordPair]()
    spellings = dict[int, Spelling]()
    n_exact = 0
    places_of_quantities = find_same_quantities(answer, reference)
    for i in wanted:
        places = answer.places.get(reference.stems[i]) or places_of_quantities.get(i, [])
        places = places[:MOST_PLACES]
        n_exact += reference.words[i] in answer.first_place
        pairs += [WordPair(place, i) for place in places]
        if not places and spelling and len(spellings) < MOST_SPELLINGS:
            spellings[i] = find_spelling(reference.words[i], answer)
            if spellings[i].likeness >= LIKE_SPELLING:
                pairs.append(WordPair(spellings[i].in_answer, i))
    pairs.sort()
    stretch = find_fullest_stretch(pairs, longest=2 * len(wanted) + 4)
    return Match(
        wanted=wanted,
        exact=n_exact / (len(wanted) or 1),
        pairs=pairs,
        spellings=spellings,
        trigrams=measure_shared_trigrams(answer, reference),
        start=stretch.start,
        end=stretch.end,
        inside=stretch.n_wanted,
    )


def measure_shared_trigrams(answer: Text, reference: Text) -> float:
    """Return the share of a reference's trigrams that an answer has."""
    trigrams = reference.trigrams
    if not trigrams:
        return 0.0
    if len(trigrams) > FEW_TRIGRAMS:
        return len(trigrams & answer.trigrams) / len(trigrams)
    # Searching a few in the answer is quicker than listing all trigrams of the answer.
    n_shared = sum(map(answer.word_string.__contains__, trigrams))
    return n_shared / len(trigrams)


@lru_cache(maxsize=RECENT_TEXTS)
def select_wanted_words(reference: Text, question: Text) -> list[int]:
    """Return the words of a reference that carry meaning, from a cache.

    Stop words and words of the question are left out, unless there are no others.
    """
    words = list(range(len(reference.words)))
    content = [i for i in words if reference.words[i] not in STOP_WORDS]
    content = [i for i in content if not is_initial(reference, i)] or content
    unasked = [i for i in content if reference.stems[i] not in question.places]
    wanted = unasked or content or words
    return wanted[:MOST_WORDS]


def is_initial(text: Text, i: int) -> bool:
    """Return whether a word is the first letter of a name, with a point behind it."""
    shown, start = text.shown[i], text.starts[i]
    is_capital = len(shown) == 1 and shown.isupper()
    return is_capital and text.text.startswith(".", start + 1)


class Stretch(NamedTuple):
    """A stretch of an answer: its first and last word, and how many wanted words it has."""

    start: int
    end: int
    n_wanted: int


def find_fullest_stretch(pairs: list[WordPair], longest: int) -> Stretch:
    """Return the stretch of an answer with the most different words of the reference.

    Args:
        pairs: the words that both have, in the order of the answer.
        longest: the largest distance of the stretch's last word from its first.
    """
    best = Stretch(0, 0, 0)
    counts = defaultdict[int, int](int)  # how often the stretch has each word of the reference
    left = 0
    for pair in pairs:
        counts[pair.in_reference] += 1
        earliest = pair.in_answer - longest
        # The stretch begins later if its first word is too far off, or comes again.
        while pairs[left].in_answer < earliest or counts[pairs[left].in_reference] > 1:
            dropped = pairs[left].in_reference
            counts[dropped] -= 1
            if not counts[dropped]:
                del counts[dropped]
            left += 1
        if len(counts) > best.n_wanted:
            best = Stretch(pairs[left].in_answer, pair.in_answer, len(counts))
    return best


def find_same_quantities(answer: Text, reference: Text) -> Mapping[int, list[int]]:
    """Return where an answer has the figures and dates of the reference in other words.

    The places in the answer are given by the place of each word in the reference.
    """
    places_by_word = dict[int, list[int]]()
    for quantity in reference.quantities:
        words = reference.words_between(quantity.start, quantity.end)
        if all(reference.stems[i] in answer.places for i in words):
            continue
        places = list[int]()
        for other in answer.quantities:
            if says_all(other, quantity):
                places += answer.words_between(other.start, other.end)
        if places:
            places_by_word |= dict.fromkeys(words, places)
    return places_by_word


def says_all(quantity: Quantity, wanted: Quantity) -> bool:
    """Return whether a quantity agrees with the wanted one, and has each part of its date."""
    if quantity.kind == wanted.kind == "date":
        return quantity.value == wanted.value and agree(wanted, quantity)
    return agree(wanted, quantity)


def find_spelling(word: str, answer: Text) -> Spelling:
    """Return the word of an answer that is most like another; a number is like no other."""
    best = Spelling(0.0, -1)
    if len(word) < SHORTEST_SPELLING or is_number(word):
        return best
    for other in answer.distinct:
        if abs(len(other) - len(word)) > MOST_LETTERS_APART or is_number(other):
            continue
        likeness = compare_spelling(word, other)
        if likeness > best.likeness:
            best = Spelling(likeness, answer.first_place[other])
    return best


def is_number(word: str) -> bool:
    """Return whether a word is a number in digits or in letters."""
    return word[0].isdigit() or word in NUMBER_WORDS


def find_sentences(answer: Text, match: Match) -> range:
    """Return the words of the sentences of a match, up to NEAR_MATCH words on each side."""
    if not match.inside:
        return range(0)
    start = answer.find_sentence(match.start).start
    stop = answer.find_sentence(match.end).stop
    return range(max(start, match.start - NEAR_MATCH), min(stop, match.end + 1 + NEAR_MATCH))


def add_neighbours(answer: Text, sentences: range) -> range:
    """Return the words of some sentences, and of near sentences before and after them."""
    if not sentences:
        return sentences
    start, stop = sentences.start, sentences.stop
    if start > 0:
        start_of_sentence = answer.find_sentence(start - 1).start
        start = max(start_of_sentence, start - NEAR_SENTENCE)
    if stop < len(answer.words):
        stop_of_sentence = answer.find_sentence(stop).stop
        stop = min(stop_of_sentence, stop + NEAR_SENTENCE)
    return range(start, stop)


def find_clauses(answer: Text, match: Match) -> set[int]:
    """Return the numbers of the clauses of a match."""
    if not match.inside:
        return set()
    return {answer.clause[i] for i in range(match.start, match.end + 1)}


# ---- how rare words are


@cache
def read_rarity() -> dict[str, float]:
    """Return how rare each stem of model.py's table is.

    Each level of the table ("+25" is 2.5) stands before its stems.
    """
    rarity = dict[str, float]()
    level = 0.0
    for word in RARITY_TEXT.split():
        if word[0] == "+":
            level = int(word[1:]) / 10
        else:
            rarity[word] = level
    return rarity


def weigh_stems(stems: set[str]) -> dict[str, float]:
    """Return how rare each of some stems is; a stem outside the table is among the rarest."""
    known = read_rarity()
    return {stem: known.get(stem, RAREST) for stem in stems}


def measure_share(part: set[str], stems: set[str], weight: dict[str, float]) -> float:
    """Return the share of some stems that a part of them has, by weight.

    The result of fsum does not depend on the order of the stems, and a set has none.
    """
    weight_of_part = math.fsum(map(weight.__getitem__, part))
    weight_of_all = math.fsum(map(weight.__getitem__, stems))
    return weight_of_part / (weight_of_all or 1.0)
