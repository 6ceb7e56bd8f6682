"""Where an answer has the words of a reference: letter by letter, in another form or spelling, as another figure."""

import math
from collections.abc import Iterator
from typing import NamedTuple
from .quantities import WORDS, agree
from .wording import Text, alike
from .word_lists import STOP

ALIKE = 0.7  # by pairs of characters: words from here on are taken for one in two spellings
NEAR = 400  # words around a match that are looked at in a sentence without end
# So that long texts cost no more than their length: words of a reference, and places of one word, that are looked at.
MOST_WORDS, MOST_PLACES = 200, 50


class Match(NamedTuple):
    """Where an answer has the words of a reference.

    `wanted` are the words of the reference that the answer has to bring (their places), `exact` the share of them that
    it has letter by letter, `found` pairs (place in the answer, place in the reference), `spelling` the likeness and
    place of the most similar word for those that it has not, `grams` the share of the reference's three characters.
    From `start` to `end` the answer has most of them together: `inside`.
    """

    wanted: list[int]
    exact: float
    found: list[tuple[int, int]]
    spelling: dict[int, tuple[float, int]]
    grams: float
    start: int
    end: int
    inside: int


def wanted_words(reference: Text, question: Text) -> list[int]:
    """Return which words of a reference tell something: no stop words, none of the question's, unless all are."""
    solid = [i for i, word in enumerate(reference.words) if word not in STOP]
    new = [i for i in solid if reference.stems[i] not in question.places]
    return (new or solid or list(range(len(reference.words))))[:MOST_WORDS]


def window(found: list[tuple[int, int]], size: int) -> tuple[int, int, int]:
    """Return start, end and how many different words of the fullest stretch of at most `size` words."""
    best, counts, left, distinct = (0, 0, 0), dict[int, int](), 0, 0
    for place, which in found:
        counts[which] = counts.get(which, 0) + 1
        distinct += counts[which] == 1
        while found[left][0] < place - size or counts[found[left][1]] > 1:
            counts[found[left][1]] -= 1
            distinct -= counts[found[left][1]] == 0
            left += 1
        if distinct > best[2]:
            best = (found[left][0], place, distinct)
    return best


def match(answer: Text, grams: set[str], reference: Text, question: Text, close: bool = True) -> Match:
    """Find the words of a reference in an answer."""
    wanted = wanted_words(reference, question)
    found, spelling, exact = list[tuple[int, int]](), dict[int, tuple[float, int]](), 0
    same = same_quantities(answer, reference)
    for i in wanted:
        places = answer.places.get(reference.stems[i], same.get(i, []))[:MOST_PLACES]
        exact += reference.words[i] in answer.by_word
        found += [(place, i) for place in places]
        if not places and close and len(spelling) < 8:
            spelling[i] = nearest(reference.words[i], answer)
            if spelling[i][0] >= ALIKE:
                found.append((spelling[i][1], i))
    found.sort()
    own = reference.grams()
    start, end, inside = window(found, 2 * len(wanted) + 4)
    share = len(own & grams) / len(own) if own else 0.0
    return Match(wanted, exact / (len(wanted) or 1), found, spelling, share, start, end, inside)


def same_quantities(answer: Text, reference: Text) -> dict[int, list[int]]:
    """Return where the answer has a figure or date of the reference in other words: by the reference's words."""
    found = dict[int, list[int]]()
    for one in reference.quantities:
        own = reference.within(one.start, one.end)
        if all(reference.stems[i] in answer.places for i in own):
            continue
        places = [
            i
            for other in answer.quantities
            if agree(one, other) and ("number" in (one.kind, other.kind) or one.value == other.value)
            for i in answer.within(other.start, other.end)
        ]
        if places:
            found |= dict.fromkeys(own, places)
    return found


def nearest(word: str, answer: Text) -> tuple[float, int]:
    """Return how alike the most similar word of an answer is, and where it stands; a billion is no other million."""
    best, at = 0.0, -1
    if len(word) > 2 and not word[0].isdigit() and word not in WORDS:
        for other in answer.distinct:
            if abs(len(other) - len(word)) <= 4 and not other[0].isdigit() and other not in WORDS:
                close = alike(word, other)
                if close > best:
                    best, at = close, answer.by_word[other]
    return best, at


def recall_features(answer: Text, reference: Text, question: Text, found: Match) -> Iterator[tuple[str, float]]:
    """Yield how much of the reference the answer has, letter by letter, by stems and by spelling, and where."""
    wanted, have = found.wanted, {i for _, i in found.found}
    count = len(wanted) or 1
    near = [found.spelling[i][0] if i in found.spelling else float(i in have) for i in wanted]
    weights = [2.0 if reference.shown[i][0].isupper() or reference.words[i][0].isdigit() else 1.0 for i in wanted]
    solid = [one for one, word in zip(reference.stems, reference.words, strict=True) if word not in STOP]
    told = [i for i, word in enumerate(answer.words) if word not in STOP and answer.stems[i] not in question.places]
    new = [i for i in told if answer.stems[i] not in reference.places]
    yield "recall", found.exact
    yield "recall_stems", sum(i in have and i not in found.spelling for i in wanted) / count
    yield "recall_spelling", sum(near) / count
    yield "recall_least", min(near, default=0.0)
    yield "recall_weighted", sum(w for w, i in zip(weights, wanted, strict=True) if i in have) / (sum(weights) or 1)
    yield "recall_with_question", sum(one in answer.places for one in solid) / (len(solid) or 1)
    yield "recall_grams", found.grams
    yield "recall_first", near[0] if near else 0.0
    yield "recall_last", near[-1] if near else 0.0
    yield "recall_run", longest_run(answer, reference, found)
    yield "recall_dense", found.inside / (found.end - found.start + 1)
    yield "match_place", found.start / len(answer.words) if found.inside else 1.0
    yield "match_sentence", min(answer.sentence[found.start], 5.0) if found.inside else 6.0
    yield "match_at_end", float(found.inside > 0 and found.end >= len(answer.words) - 3)
    yield "precision", (len(told) - len(new)) / (len(told) or 1)
    yield "new_words", math.log1p(len({answer.words[i] for i in new}))


def longest_run(answer: Text, reference: Text, found: Match) -> float:
    """Return the longest run of neighbouring words that both have, as a share of the reference."""
    best, said, own = 0, answer.stems, reference.stems
    for place, i in found.found[:40]:
        before, after = 0, 1
        while min(place, i) > before and said[place - before - 1] == own[i - before - 1]:
            before += 1
        while place + after < len(said) and i + after < len(own) and said[place + after] == own[i + after]:
            after += 1
        best = max(best, before + after)
    return best / (len(own) or 1)


def around(answer: Text, found: Match) -> range:
    """Return the words of the sentences that the match stands in; of a text without sentences, those near it."""
    start, end = found.start, found.end
    while start and answer.sentence[start - 1] == answer.sentence[found.start] and found.start - start < NEAR:
        start -= 1
    last = len(answer.words) - 1
    while end < last and answer.sentence[end + 1] == answer.sentence[found.end] and end - found.end < NEAR:
        end += 1
    return range(start, end + 1)


def clauses_of(answer: Text, found: Match) -> set[int]:
    """Return which clauses a match stands in."""
    return {answer.clause[i] for i in range(found.start, found.end + 1)} if found.inside else set()


def beside(answer: Text, here: range) -> range:
    """Return the words of some sentences and of those beside them, as far as they are near."""
    if not here:
        return here
    start, end, last = here.start, here.stop, len(answer.words)
    while start and here.start - start < 13 and answer.sentence[start - 1] == answer.sentence[here.start - 1]:
        start -= 1
    while end < last and end - here.stop < 13 and answer.sentence[end] == answer.sentence[here.stop]:
        end += 1
    return range(start, end)
