"""Measure an answer beside a reference and the question: at most 40 features, each a number.

AGREEMENT features say how much of the reference the answer has, and where. STANCE features say
whether it takes that back. COMPLETENESS features are shares of a long reference; a word's weight in
them is its rarity (model.py: the logarithm of all answers in EVOUNA divided by those with the
word). Words of the question count only if a reference has no others.
"""

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache

from .lexicon import STOP_WORDS
from .matching import Match, measure_share, weigh_stems
from .polarity import Stance, find_refusal, stance_features
from .equality import Figure, compare_figures
from .text import Text
from .yes_or_no import asks_yes_or_no, read_expected_yes_or_no, read_yes_or_no

DISTINCTIVE = 2.0  # weight of a word with a capital or a figure; another word weighs 1
MOST_RUNS = 40  # places at which a run of the same words is followed
FIRST_SENTENCES = 5.0  # the last sentence with its own number; 6 stands for no match
# Values of features if the reference has no figure, and if the question asks for no yes or no.
NO_FIGURE = -1.0
NO_YES_NO_QUESTION = -2.0
# The most that count in an answer or a reference.
MOST_NAMES_OF_REFERENCE = 3.0
MOST_ORS = 4.0
MOST_NEW_NAMES_BESIDE_MATCH = 6.0
MOST_NEW_NAMES = 8.0


def measure_features(
    answer: Text,
    reference: Text,
    question: Text,
    match: Match,
    sentences: range,
    ratings: Sequence[float],
) -> dict[str, float]:
    """Return all features of an answer.

    Args:
        answer: the answer.
        reference: the reference that counts.
        question: the question.
        match: where the answer has the reference's words.
        sentences: the words of the match's sentences.
        ratings: how near the answer is to each reference, 0..3; empty for one reference.
    """
    features = dict[str, float](agreement_features(answer, reference, question, match))
    features["references_found"] = measure_found_references(match, ratings)
    features |= figure_features(answer, reference, question)
    features |= shape_features(answer, reference, question, match)
    features |= stance_features(Stance(answer, reference, question, match, sentences))
    features |= candidate_features(answer, reference, question, sentences)
    features |= completeness_features(answer, reference, question, match)
    # Finer differences are chance, and with two decimals the trees' thresholds stay short.
    return {name: round_value(value) for name, value in features.items()}


@lru_cache(maxsize=4096)
def round_value(value: float) -> float:
    """Return the value of a feature with two decimals, from a cache: most values come again."""
    return round(value, 2)


NEAR_REFERENCE = 2.5  # rating (at most 3) above which a reference counts as found


def measure_found_references(match: Match, ratings: Sequence[float]) -> float:
    """Return the share of the references that the answer has."""
    if not ratings:
        return float(match.exact == 1)
    return sum(rating > NEAR_REFERENCE for rating in ratings) / len(ratings)


def agreement_features(
    answer: Text,
    reference: Text,
    question: Text,
    match: Match,
) -> Iterator[tuple[str, float]]:
    """Yield how much of the reference the answer has, where, and what else it says."""
    yield "trigrams", match.trigrams
    yield from recall_features(answer, reference, match)
    yield from place_features(answer, match)
    yield from precision_features(answer, reference, question)


def recall_features(answer: Text, reference: Text, match: Match) -> Iterator[tuple[str, float]]:
    """Yield the share of the reference's words that the answer has: by stems and by spelling."""
    matched = {pair.in_reference for pair in match.pairs}
    weight_matched = weight_wanted = 0.0
    likeness = list[float]()
    for i in match.wanted:
        weight = weigh_by_look(reference, i)
        weight_wanted += weight
        if i in matched:
            weight_matched += weight
        spelling = match.spellings.get(i)
        likeness.append(spelling.likeness if spelling else float(i in matched))
    yield "recall_weighted", weight_matched / (weight_wanted or 1)
    yield "recall_spelling", sum(likeness) / (len(likeness) or 1)
    yield "recall_run", measure_longest_run(answer, reference, match)


def place_features(answer: Text, match: Match) -> Iterator[tuple[str, float]]:
    """Yield how dense the match is, and how far from the beginning of the answer it stands."""
    yield "recall_dense", match.inside / (match.end - match.start + 1)
    if match.inside:
        yield "match_place", match.start / len(answer.words)
        yield "match_sentence", min(answer.sentence[match.start], FIRST_SENTENCES)
    else:
        yield "match_place", 1.0
        yield "match_sentence", FIRST_SENTENCES + 1


def precision_features(
    answer: Text, reference: Text, question: Text
) -> Iterator[tuple[str, float]]:
    """Yield the share of the answer's words that are the reference's, and how many are new.

    Stop words and words of the question do not count.
    """
    n_known = 0
    new_words = list[str]()
    for word, stem in zip(answer.words, answer.stems, strict=True):
        if word in STOP_WORDS or stem in question.places:
            continue
        if stem in reference.places:
            n_known += 1
        else:
            new_words.append(word)
    yield "precision", n_known / (n_known + len(new_words) or 1)
    yield "new_words", math.log1p(len(set(new_words)))


def weigh_by_look(reference: Text, i: int) -> float:
    """Return what a word of a reference weighs: a capital or a figure makes it distinctive."""
    is_distinctive = reference.shown[i][0].isupper() or reference.words[i][0].isdigit()
    return DISTINCTIVE if is_distinctive else 1.0


def measure_longest_run(answer: Text, reference: Text, match: Match) -> float:
    """Return the longest run of neighbouring words that both have, as a share of the reference."""
    stems, expected = answer.stems, reference.stems
    longest = 0
    for place, i in match.pairs[:MOST_RUNS]:
        before = 0
        while min(place, i) > before and stems[place - before - 1] == expected[i - before - 1]:
            before += 1
        after = 1
        most_after = min(len(stems) - place, len(expected) - i)
        while after < most_after and stems[place + after] == expected[i + after]:
            after += 1
        longest = max(longest, before + after)
    return longest / (len(expected) or 1)


def figure_features(answer: Text, reference: Text, question: Text) -> Iterator[tuple[str, float]]:
    """Yield how well the figures of a reference agree with the answer's."""
    expected = reference.figures
    if not expected:
        yield "figures_found", NO_FIGURE
        yield "figure_last", NO_FIGURE
        return
    asked = {figure.value for figure in question.figures}
    wanted = select_new_figures(expected, asked) or expected
    ratings = [rate_figure(figure, answer.figures) for figure in wanted]
    yield "figures_found", sum(ratings) / len(ratings)
    new_figures = select_new_figures(answer.figures, asked)
    yield "figure_last", rate_figure(new_figures[-1], expected) if new_figures else 0.0


def select_new_figures(figures: Sequence[Figure], asked: set[float]) -> list[Figure]:
    """Return the figures whose value the question does not have."""
    return [figure for figure in figures if figure.value not in asked]


def rate_figure(figure: Figure, others: Sequence[Figure]) -> float:
    """Return how far a figure may be one of others, 0..1."""
    return max((compare_figures(figure, other) for other in others), default=0.0)


def shape_features(
    answer: Text,
    reference: Text,
    question: Text,
    match: Match,
) -> Iterator[tuple[str, float]]:
    """Yield lengths, what is asked for, yes or no, and whether the answer refuses."""
    yield "length", math.log1p(len(answer.words))
    yield "length_ratio", math.log((len(answer.words) + 1) / (len(reference.words) + 1))
    yield "reference_names", min(MOST_NAMES_OF_REFERENCE, len(reference.names))
    n_asked = sum(stem in question.places for stem in reference.stems)
    yield "reference_asked", n_asked / (len(reference.stems) or 1)
    yield "asked_kind", classify_question(question.words)
    yield "yes_or_no", compare_yes_or_no(answer, reference, question)
    yield "refusal", float(find_refusal(answer) is not None)


def classify_question(words: Sequence[str]) -> float:
    """Return a question's kind: 0 when, 1 how many, 2 where, 3 who, 4 another, 5 no question."""
    known = set(words)
    if "when" in known or ("what" in known and known & {"year", "date"}):
        return 0.0
    if "how" in known and not asks_for_manner(words):
        return 1.0
    if "where" in known:
        return 2.0
    if known & {"who", "whose", "whom"}:
        return 3.0
    return 4.0 if words else 5.0


def asks_for_manner(words: Sequence[str]) -> bool:
    """Return whether the first "how" of a question stands before a verb: how did, how does."""
    following = words.index("how") + 1
    return words[following : following + 1] in (["did"], ["do"], ["does"])


def compare_yes_or_no(answer: Text, reference: Text, question: Text) -> float:
    """Return how far answer and reference agree on yes or no, -1..1.

    1 means that both say the same.
    """
    expected = read_expected_yes_or_no(reference)
    if not expected and not asks_yes_or_no(question):
        return NO_YES_NO_QUESTION
    expected = expected or read_yes_or_no(reference, question)
    return read_yes_or_no(answer, question) * expected


def candidate_features(
    answer: Text,
    reference: Text,
    question: Text,
    sentences: range,
) -> Iterator[tuple[str, float]]:
    """Yield what else the answer names, and whether it guesses."""
    new_names = list[int]()  # first words of the names that neither reference nor question has
    for start, end in answer.names:
        stems = answer.stems[start:end]
        if reference.places.keys().isdisjoint(stems) and question.places.keys().isdisjoint(stems):
            new_names.append(start)
    ors = [i for i in sentences if answer.words[i] in ("or", "或")]
    n_ors = sum(not answer.names_again(i) for i in ors)
    n_beside_match = sum(i in sentences for i in new_names)
    yield "several_or", min(MOST_ORS, n_ors)
    yield "several_names", min(MOST_NEW_NAMES_BESIDE_MATCH, n_beside_match)
    yield "strange_names", min(MOST_NEW_NAMES, len(new_names))
    yield "hedges", float(len(answer.hedges.intersection(sentences)))


def completeness_features(
    answer: Text,
    reference: Text,
    question: Text,
    match: Match,
) -> Iterator[tuple[str, float]]:
    """Yield how much of a reference of whatever length an answer has, by how rare its words are."""
    said = set(answer.content)
    content = set(reference.content)
    asked = set(question.stems)
    # Words in another spelling or form are found, too.
    found = said | {reference.stems[pair.in_reference] for pair in match.pairs}
    wanted = content - asked or content
    said_unasked = said - asked
    weight = weigh_stems(found | content)
    recall = measure_share(wanted & found, wanted, weight)
    precision = measure_share(said_unasked & wanted, said_unasked, weight)
    yield "recall_rare", recall
    yield "f_rare", 2 * precision * recall / (precision + recall or 1.0)
    yield "recall_clauses", measure_clauses(reference, asked, found, weight)
    n_found = sum(stem in answer.places for stem in reference.content)
    yield "recall_with_question", n_found / (len(reference.content) or 1)


def measure_clauses(
    reference: Text,
    asked: set[str],
    found: set[str],
    weight: dict[str, float],
) -> float:
    """Return the mean share of the clauses of a reference that an answer has."""
    clauses = dict[int, set[str]]()
    for word, stem, clause in zip(reference.words, reference.stems, reference.clause, strict=True):
        if word not in STOP_WORDS:
            clauses.setdefault(clause, set()).add(stem)
    total = 0.0
    for stems in clauses.values():
        wanted = stems - asked or stems
        total += measure_share(wanted & found, wanted, weight)
    return total / (len(clauses) or 1)
