"""Find the reasons for an estimate: what was found, is missing, differs, or is taken back.

A reason's weight is what it moves the log odds by, below 0 against the answer. An objection counts
by its weight in model.py times its evidence, what decides by its log odds; of the others the weight
is the log odds with it less those of the same answer without it.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import NamedTuple

from .formula import (
    compute_agreement,
    compute_undecided_odds,
    decide_odds,
    share_of_words,
    weigh_objection,
)
from .measure import FURTHER, Measurement
from .model import FEATURES
from .polarity import find_refusal
from .text import quote_clause
from .outcomes import COARSER, DIFFERENT, EQUAL, UNLIKELY

MOST_SHOWN = 20  # words of the answer that are shown as found


class Reason(NamedTuple):
    """One reason.

    Attributes:
        kind: one of SENTENCES.
        found: what the answer has.
        expected: what the reference has.
        weight: how far it moves the log odds; below 0 it speaks against the answer.
        sentence: the same in English.
    """

    kind: str
    found: str
    expected: str
    weight: float
    sentence: str


SENTENCES = {
    "found": "The answer has {expected!r} of the reference, at word {place}.",
    "same": "The answer has the value of the reference: {found!r} is {expected!r}.",
    "missing": "The answer lacks {expected!r} of the reference.",
    "number": "The number differs: {found!r} instead of {expected!r}.",
    "date": "The date differs: {found!r} instead of {expected!r}.",
    "unit": "The unit differs: {found!r} instead of {expected!r}.",
    "option": "The answer chooses {found!r} instead of {expected!r}.",
    "formula": "The formula differs: {found!r} instead of {expected!r}.",
    "yes_no": "The answer says {found!r} where the reference says {expected!r}.",
    "name": "The name differs: {found!r} instead of {expected!r}.",
    "surname": "The surname differs: {found!r} instead of {expected!r}.",
    "given_name": "The given name differs: {found!r} instead of {expected!r}.",
    "opposite": "The answer says the opposite: {found!r} instead of {expected!r}.",
    "coarser": "The answer says less exactly {found!r} where the reference says {expected!r}.",
    "partial": "The answer has only {found!r}: {expected!r} is missing.",
    "added": "The answer adds to the reference: {found!r}.",
    "either": "The answer leaves open which one it is: {found!r}.",
    "roles": "Two things have changed their roles: {found!r} instead of {expected!r}.",
    "denied": "One text denies what the other says: {found!r} against {expected!r}.",
    "swapped": "Two things stand in each other's place: {found!r} instead of {expected!r}.",
    "candidates": "The answer names several candidates: {found!r}.",
    "refusal": "The answer refuses or does not know: {found!r}.",
    "hedged": "The answer is unsure: {found!r}.",
}
# What a feature would be if a reason were not there: by what its name begins with.
ALL_FOUND = {
    "recall_": 1.0,
    "trigrams": 1.0,
    "f_rare": 1.0,
    "figure": 1.0,
}
NOT_FOUND = {
    "recall_": 0.0,
    "trigrams": 0.0,
    "f_rare": 0.0,
    "references_found": 0.0,
    "match_sentence": 6.0,
    "match_place": 1.0,
}
NOT_DENIED = {
    "denied_distance": 20.0,
    "denied_verb": 9.0,
    "denied_question": -1.0,
    "denied_": 0.0,
    "untrue_": 0.0,
    "set_aside_": 0.0,
    "stance": 0.0,
}
WITHOUT = {
    "found": NOT_FOUND,
    "missing": ALL_FOUND,
    "denied": NOT_DENIED,
    "candidates": {"several_": 0.0, "strange_names": 0.0},
    "refusal": {"refusal": 0.0},
    "hedged": {"hedges": 0.0},
}
# What is no reason beside one that decides: it says the same.
IMPLIED = frozenset({"found", "missing"})
# How far the log odds must move for a reason to be told.
LEAST_WEIGHT = {
    "found": 0.05,
    "missing": 0.05,
    "denied": 1.8,
    "candidates": 1.0,
    "refusal": 0.05,
    "hedged": 0.3,
}


def find_reasons(measurement: Measurement) -> list[Reason]:
    """Return the reasons for an estimate in the order of their weight."""
    decision = measurement.decision
    if not measurement.reference.words and not decision:
        return []
    if decision and decision.outcome in (EQUAL, DIFFERENT):
        kind = "same" if decision.outcome == EQUAL else decision.kind
        decided = make_reason(
            measurement, kind, decision.found, decision.expected, decide_odds(0.0, decision)
        )
        others = weigh_findings(measurement, share_of_words(decision))
        return [decided, *sort_reasons(reason for reason in others if reason.kind not in IMPLIED)]
    reasons = [*weigh_objections(measurement), *weigh_findings(measurement)]
    told = {reason.kind for reason in reasons}
    if decision and decision.outcome in (COARSER, UNLIKELY) and decision.kind not in told:
        kind = "coarser" if decision.outcome == COARSER else decision.kind
        odds = compute_undecided_odds(measurement)
        reasons.append(
            make_reason(
                measurement,
                kind,
                decision.found,
                decision.expected,
                decide_odds(odds, decision) - odds,
            )
        )
    return sort_reasons(reason for reason in reasons if reason.weight)


def sort_reasons(reasons: Iterable[Reason]) -> list[Reason]:
    """Return reasons in the order of their weight."""
    return sorted(reasons, key=lambda reason: -abs(reason.weight))


def make_reason(
    measurement: Measurement,
    kind: str,
    found: str,
    expected: str,
    weight: float,
) -> Reason:
    """Return a reason with its sentence."""
    sentence = SENTENCES[kind].format(
        found=found, expected=expected, place=measurement.match.start + 1
    )
    return Reason(kind, found, expected, weight, sentence)


def weigh_objections(measurement: Measurement) -> Iterator[Reason]:
    """Yield the objections that count, each with its part of the log odds."""
    words = len(measurement.reference.words)
    before = dict[str, int]()
    for objection in sorted(measurement.objections, key=lambda one: -one.evidence):
        share = FURTHER ** before.get(objection.kind, 0)
        before[objection.kind] = before.get(objection.kind, 0) + 1
        weight = -weigh_objection(objection.kind, words) * objection.evidence * share
        if weight < 0:
            kind = objection.reason or objection.kind
            yield make_reason(measurement, kind, objection.found, objection.expected, weight)


def weigh_findings(measurement: Measurement, share: float = 1.0) -> Iterator[Reason]:
    """Yield what was found, is missing or is taken back, if it moves the log odds.

    Args:
        measurement: the answer.
        share: what these count where something else decides.
    """
    features, words = measurement.features, len(measurement.reference.words)
    odds = compute_agreement(features, words)
    for kind, found, expected in describe_findings(measurement):
        weight = share * (
            odds - compute_agreement({**features, **remove_reason(kind, features)}, words)
        )
        # What was found speaks for the answer, all else against it.
        telling = weight if kind == "found" else -weight
        if telling >= LEAST_WEIGHT[kind]:
            yield make_reason(measurement, kind, found, expected, weight)


@cache
def list_neutral_features(kind: str) -> dict[str, float]:
    """Return the features that would have another value without a reason of this kind."""
    found = dict[str, float]()
    for name in FEATURES:
        for beginning, value in WITHOUT[kind].items():
            if name.startswith(beginning):
                found.setdefault(name, value)
    return found


def remove_reason(kind: str, features: Mapping[str, float]) -> dict[str, float]:
    """Return the features that change where a reason of this kind is not there."""
    found = dict(list_neutral_features(kind))
    if features["untrue_claim"] < 0:  # no "that" before the match
        found.pop("untrue_claim", None)
    if features["figures_found"] < 0:  # no figure in the reference
        found.pop("figures_found", None)
        found.pop("figure_last", None)
    return found


def describe_findings(measurement: Measurement) -> Iterator[tuple[str, str, str]]:
    """Yield what may be a reason: its kind, what the answer has, and what the reference has."""
    answer, reference, match = measurement.answer, measurement.reference, measurement.match
    have = {pair.in_reference for pair in match.pairs}
    joint = "" if reference.is_chinese else " "
    shown = [reference.shown[i] for i in match.wanted if i in have]
    missing = [reference.shown[i] for i in match.wanted if i not in have]
    if match.inside:
        span = answer.span(match.start, min(match.end + 1, match.start + MOST_SHOWN))
        yield "found", span, joint.join(shown)
        yield from describe_doubts(measurement)
    if missing:
        yield "missing", "", joint.join(missing)
    refusal = find_refusal(answer)
    if refusal and match.exact < 1:
        yield "refusal", answer.text[slice(*refusal.span())], ""


def describe_doubts(measurement: Measurement) -> Iterator[tuple[str, str, str]]:
    """Yield what may take a match back: a denial, several candidates, a hedge."""
    answer, match, sentences = measurement.answer, measurement.match, measurement.sentences
    expected = measurement.reference.text.strip()
    reach = sentences.stop + 12
    denials = [i for i in sorted([*answer.denials, *answer.untrue]) if i in sentences or i < reach]
    reference_denies = measurement.reference.denials or measurement.reference.untrue
    if (denials or measurement.features["stance"] < 0) and not reference_denies:
        near = min(denials, key=lambda i: abs(i - match.start), default=match.start)
        yield "denied", quote_clause(answer, near), expected
    if measurement.features["several_or"] or measurement.features["several_names"]:
        yield (
            "candidates",
            answer.span(sentences.start, min(sentences.stop, sentences.start + 25)),
            expected,
        )
    hedges = [i for i in sentences if i in answer.hedges]
    if hedges:
        end = (
            hedges[0] + 1
            if answer.shown[hedges[0]].isascii()
            else min(hedges[0] + 2, len(answer.words))
        )
        yield "hedged", answer.span(hedges[0], end), ""
