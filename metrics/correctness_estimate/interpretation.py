"""What an estimate may be taken for: a probability, a ranking, or likeness to the reference."""

import re
from functools import cache

from .formula import has_cue
from .measure import Measurement
from .lexicon import STOP_WORDS
from .model import FEATURES, USUAL
from .roles import asks_for_both, says_relation
from .equality import is_among
from .text import Text
from .outcomes import DIFFERENT, EQUAL
from .formulas import has_code_sign, is_formula
from .yes_or_no import asks_yes_or_no, read_expected_yes_or_no

PROBABILITY, RANKING, LIKENESS = "probability", "ranking", "likeness"
INTERPRETATIONS = (PROBABILITY, RANKING, LIKENESS)
LONGEST_FACT, LONGEST_RANKED = (
    6,
    25,
)  # words of a reference up to which it may be a probability, and a ranking
LONGEST_PLAIN = (
    15  # words of an answer that may say the reference and add, deny or replace it with a few words
)
MOST_UNUSUAL = 3  # unusual features, from which on it is no probability
# Objections that contradict words which agree: such an estimate ranks.
CONTRADICTING = frozenset(
    {"opposite", "partial", "added", "either", "roles", "name_part", "denied"}
)
# What features of a stance begin with, and of a question that is not known.
STANCE_NAMES = (
    "denied",
    "untrue",
    "set_aside",
    "barred",
    "stance",
    "rival",
    "several",
    "asked_kind",
)
# What no prose has: a block of code, a record, a row of a table, a tag.
CODE = re.compile(r"```|^\s*[\[{].*[\]}]\s*$|\|\s*-{3}|</?[a-z]+>", re.DOTALL)
# Finite verbs, and what may stand before one that makes no statement.
FINITE = frozenset(
    "is are was were has have had can could will would shall should may might must do does did "
    "include includes "
    "contain contains cause causes mean means".split()
)
RELATIVE = frozenset("that which who whose where".split())


def interpret(measurement: Measurement) -> str:
    """Return what an estimate may be taken for, by the reference and how unusual the answer is.

    Where a value decides, and where the reference is a short fact and few features are out of the
    ordinary, it is as sure as it says, on answers to other questions than it learned from, too. To
    some 25 words it still ranks answers. Beyond, and in other scripts, it tells how like the
    reference an answer is.
    """
    if measurement.decision:
        return PROBABILITY if measurement.decision.outcome in (EQUAL, DIFFERENT) else RANKING
    if tells_likeness(measurement.answer, measurement.reference):
        return LIKENESS
    if needs_meaning(measurement):
        return RANKING
    unusual = sum(
        not low <= measurement.features[name] <= high for name, low, high in usual_ranges()
    )
    return PROBABILITY if unusual < MOST_UNUSUAL else RANKING


def is_unsure(measurement: Measurement) -> bool:
    """Return whether an estimate keeps away from 0 and 1: it ranks, and the answer has other words
    than the reference, or an objection contradicts words that agree.
    """
    if measurement.decision or tells_likeness(measurement.answer, measurement.reference):
        return False
    if has_contradiction(measurement):
        return True
    return measurement.match.exact < 1 and needs_meaning(measurement)


def tells_likeness(answer: Text, reference: Text) -> bool:
    """Return whether a reference is too long, or a text in a language too foreign, for more than
    likeness.
    """
    return not 0 < len(reference.words) <= LONGEST_RANKED or is_foreign(answer, reference)


def has_contradiction(measurement: Measurement) -> bool:
    """Return whether an objection contradicts words that agree."""
    return any(objection.kind in CONTRADICTING for objection in measurement.objections)


def needs_meaning(measurement: Measurement) -> bool:
    """Return whether the meaning of an answer decides, which words do not tell: such an estimate
    ranks.
    """
    answer, reference, question = measurement.answer, measurement.reference, measurement.question
    if has_contradiction(measurement) or asks_for_both(question) or says_relation(reference):
        return True
    if CODE.search(answer.text) or says_more(measurement) or has_only_spelling(measurement):
        return True
    if has_undecided_value(reference, question) and answer.text.strip() != reference.text.strip():
        return True
    return len(reference.words) > LONGEST_FACT or makes_statement(reference, question)


def has_only_spelling(measurement: Measurement) -> bool:
    """Return whether an answer has a word of the reference in another spelling alone: Sophie for
    Sofia.
    """
    return measurement.match.exact < 1 <= measurement.features["recall_weighted"]


def says_more(measurement: Measurement) -> bool:
    """Return whether a short answer goes on after the words of the reference, or has a word that
    may take them back.

    What it adds there may deny them, name a second thing or tell of something else: only meaning
    tells. A long answer mostly explains what it said.
    """
    answer, match = measurement.answer, measurement.match
    if not match.inside or len(answer.words) > LONGEST_PLAIN:
        return False
    if has_cue(measurement.features):
        return True
    known = (measurement.reference.places, measurement.question.places)
    sentence = answer.sentence[match.start]
    for i, (word, stem) in enumerate(zip(answer.words, answer.stems, strict=True)):
        is_new = word not in STOP_WORDS and not any(stem in places for places in known)
        if is_new and (i > match.end or answer.sentence[i] != sentence):
            return True
    return False


def has_undecided_value(reference: Text, question: Text) -> bool:
    """Return whether a short reference is a formula or has a value, which then decides.

    Where it does not, words rank.

    A number that the question has is no value: city 5, where 5 is asked for.
    """
    is_short = len(reference.words) <= LONGEST_FACT
    new = [one for one in reference.quantities if not is_among(one, question.quantities)]
    return (is_short and bool(new)) or is_formula(reference.text) or has_code_sign(reference.text)


def is_foreign(answer: Text, reference: Text) -> bool:
    """Return whether most words are in another script than Latin, or the
    reference is in Chinese.
    """
    latin = sum(word.isascii() for word in answer.words + reference.words)
    return reference.is_chinese or 2 * latin < len(answer.words) + len(reference.words)


@cache
def usual_ranges() -> list[tuple[str, float, float]]:
    """Return between what values each feature usually lies."""
    found = list[tuple[str, float, float]]()
    for name, bounds in zip(FEATURES, USUAL, strict=True):
        if name.startswith(STANCE_NAMES):
            continue  # several of these say the same
        low, _, high = bounds.partition(":")
        found.append((name, float(low), float(high)))
    return found


def makes_statement(reference: Text, question: Text) -> bool:
    """Return whether a reference makes a statement of its own, where a fact would be a name, a
    value or a few words.

    It has a finite verb (not after "that" or "which"), or most of it is the question's, or the
    question is one for yes or no and it says neither.
    """
    words, content = reference.words, reference.content
    if len(words) <= 2:
        return False
    before = ["", *words]
    has_verb = any(word in FINITE and before[i] not in RELATIVE for i, word in enumerate(words))
    repeats_question = 2 * sum(stem in question.places for stem in content) >= len(content) > 0
    leaves_open = asks_yes_or_no(question) and not read_expected_yes_or_no(reference)
    return has_verb or repeats_question or leaves_open
