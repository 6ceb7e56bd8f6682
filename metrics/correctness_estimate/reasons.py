"""Find the reasons for an estimate: what is the same, found, missing, different or taken back.

The weight of a reason is how far it moves the log odds; below 0 it speaks against the answer.
- An objection has its weight in model.py times its evidence; each further objection of its kind
  counts FURTHER_SHARE times as much as the one before.
- A decision for EQUAL or DIFFERENT has its log odds. A partial one (COARSER, UNLIKELY) has the
  shift of the log odds that it makes.
- A decision for UPHELD takes the reasons away that speak of a denial or of several candidates.
- Any other reason has the difference between the log odds of the answer with and without it. If
  something decides for EQUAL or DIFFERENT, it has only the share `share_of_words` of that.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from .features import FIRST_SENTENCES, NO_FIGURE
from .log_odds import (
    compute_agreement,
    compute_undecided_odds,
    decide_odds,
    share_of_words,
    weigh_objection,
)
from .measure import Measurement, discount_further
from .model import FEATURES
from .polarity import NO_CLAIM, NO_DENIAL_DISTANCE, NO_DENIED_QUESTION, NO_DENIED_VERB, find_refusal
from .text import quote_clause
from .outcomes import COARSER, DIFFERENT, EQUAL, LIKELY, UNLIKELY, UPHELD, Decision

MOST_SHOWN = 20  # words of the answer that are shown as found
MOST_SHOWN_AS_CANDIDATES = 25  # words of the answer that are shown as several candidates
DENIAL_REACH = 12  # words after the match's sentences in which a denial is shown


class Finding(NamedTuple):
    """What may be a reason: its kind, the answer's words and the reference's words."""

    kind: str
    found: str
    expected: str


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
    "same": "The answer says the same as the reference: {found!r} is {expected!r}.",
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
    "replaced": "The answer has {found!r} in the place of {expected!r}.",
    "roles": "Two things have changed their roles: {found!r} instead of {expected!r}.",
    "denied": "One text denies what the other says: {found!r} against {expected!r}.",
    "swapped": "Two things stand in each other's place: {found!r} instead of {expected!r}.",
    "candidates": "The answer names several candidates: {found!r}.",
    "refusal": "The answer refuses or does not know: {found!r}.",
    "hedged": "The answer is unsure: {found!r}.",
}
# The values that features would have without a reason: those of features.py and polarity.py for an
# answer without a match, without a denial and so on.
RECALLS = [name for name in FEATURES if name.startswith("recall_")]
ALL_FOUND = dict.fromkeys([*RECALLS, "trigrams", "f_rare", "figures_found", "figure_last"], 1.0)
NOT_FOUND = dict.fromkeys([*RECALLS, "trigrams", "f_rare", "references_found"], 0.0)
NOT_FOUND |= {"match_sentence": FIRST_SENTENCES + 1, "match_place": 1.0}
NOT_DENIED = {
    "denied_on_match": 0.0,
    "untrue_on_match": 0.0,
    "denied_before": 0.0,
    "set_aside_before": 0.0,
    "untrue_claim": 0.0,
    "stance": 0.0,
    "denied_distance": NO_DENIAL_DISTANCE,
    "denied_verb": NO_DENIED_VERB,
    "denied_question": NO_DENIED_QUESTION,
}
NEUTRAL_FEATURES = {
    "found": NOT_FOUND,
    "missing": ALL_FOUND,
    "denied": NOT_DENIED,
    "candidates": {"several_or": 0.0, "several_names": 0.0, "strange_names": 0.0},
    "refusal": {"refusal": 0.0},
    "hedged": {"hedges": 0.0},
}
# Reasons that are left out if a decision is shown, because they say the same.
IMPLIED = frozenset({"found", "missing"})
# Reasons that a decision for UPHELD overrules.
OVERRULED = frozenset(
    {"denied", "candidates", "hedged", "opposite", "either", "replaced", "swapped", "roles"}
)
# How far a reason must move the log odds to be shown.
LEAST_WEIGHT = {
    "found": 0.05,
    "missing": 0.05,
    "denied": 1.8,
    "candidates": 1.0,
    "refusal": 0.05,
    "hedged": 0.3,
}


def find_reasons(measurement: Measurement) -> list[Reason]:
    """Return the reasons for an estimate, those with the greatest weight first.

    The reason of a decision for EQUAL or DIFFERENT comes first, whatever its weight.
    """
    decision = measurement.decision
    if decision is None:
        return find_undecided_reasons(measurement) if measurement.reference.words else []
    if decision.outcome in (EQUAL, DIFFERENT):
        kind = "same" if decision.outcome == EQUAL else decision.kind
        finding = Finding(kind, decision.found, decision.expected)
        decisive = make_reason(measurement, finding, decide_odds(0.0, decision))
        reasons = weigh_findings(measurement, share_of_words(decision))
        further = sort_reasons(reason for reason in reasons if reason.kind not in IMPLIED)
        return [decisive, *further]
    return find_undecided_reasons(measurement, decision)


def find_undecided_reasons(
    measurement: Measurement, decision: Decision | None = None
) -> list[Reason]:
    """Return the reasons of an estimate that the trees make, and that of a partial decision."""
    reasons = [*weigh_objections(measurement), *weigh_findings(measurement)]
    if decision and decision.outcome == LIKELY:
        # It says the same in other words, so that the reference's words are not missing.
        weight = decide_odds(compute_undecided_odds(measurement), decision)
        finding = Finding("same", decision.found, decision.expected)
        return [make_reason(measurement, finding, weight)]
    if decision and decision.outcome == UPHELD:
        # What seems to take the reference back is said of something else.
        reasons = [reason for reason in reasons if reason.kind not in OVERRULED]
        if not reasons:
            weight = decide_odds(compute_undecided_odds(measurement), decision)
            finding = Finding("found", decision.found, decision.expected)
            reasons = [make_reason(measurement, finding, weight)]
    kinds = {reason.kind for reason in reasons}
    is_partial = decision is not None and decision.outcome in (COARSER, UNLIKELY)
    if decision and is_partial and decision.kind not in kinds:
        kind = "coarser" if decision.outcome == COARSER else decision.kind
        odds = compute_undecided_odds(measurement)
        weight = decide_odds(odds, decision) - odds
        finding = Finding(kind, decision.found, decision.expected)
        # Above 0, the words speak against the answer more than the decision does.
        if weight < 0 or not reasons:
            reasons.append(make_reason(measurement, finding, weight))
    return sort_reasons(reason for reason in reasons if reason.weight)


def sort_reasons(reasons: Iterable[Reason]) -> list[Reason]:
    """Return reasons sorted by their absolute weight, the greatest first."""
    return sorted(reasons, key=lambda reason: -abs(reason.weight))


def make_reason(measurement: Measurement, finding: Finding, weight: float) -> Reason:
    """Return a finding as a reason, with its weight and its sentence."""
    kind, found, expected = finding
    place = measurement.match.start + 1
    sentence = SENTENCES[kind].format(found=found, expected=expected, place=place)
    return Reason(kind, found, expected, weight, sentence)


def weigh_objections(measurement: Measurement) -> Iterator[Reason]:
    """Yield the reasons of the objections that speak against the answer."""
    for objection in discount_further(measurement.objections):
        weight = -weigh_objection(objection.kind, measurement.reference_length) * objection.evidence
        if weight < 0:
            kind = objection.reason or objection.kind
            finding = Finding(kind, objection.found, objection.expected)
            yield make_reason(measurement, finding, weight)


def weigh_findings(measurement: Measurement, share: float = 1.0) -> Iterator[Reason]:
    """Yield the reasons for what was found, is missing or is taken back.

    Args:
        measurement: the answer.
        share: the share of their weight that remains if something else decides.
    """
    features, n_words = measurement.features, len(measurement.reference.words)
    odds = compute_agreement(features, n_words)
    for finding in describe_findings(measurement):
        features_without = {**features, **list_changed_features(finding.kind, features)}
        odds_without = compute_agreement(features_without, n_words)
        weight = share * (odds - odds_without)
        # Only what was found speaks for the answer.
        strength = weight if finding.kind == "found" else -weight
        if strength >= LEAST_WEIGHT[finding.kind]:
            yield make_reason(measurement, finding, weight)


def list_changed_features(kind: str, features: Mapping[str, float]) -> dict[str, float]:
    """Return the features that would change without a reason of a kind, with their new values."""
    changed = dict(NEUTRAL_FEATURES[kind])
    if features["untrue_claim"] == NO_CLAIM:
        changed.pop("untrue_claim", None)
    if features["figures_found"] == NO_FIGURE:
        changed.pop("figures_found", None)
        changed.pop("figure_last", None)
    return changed


def describe_findings(measurement: Measurement) -> Iterator[Finding]:
    """Yield what may be a reason: the words that match, doubts, missing words and a refusal."""
    answer, match = measurement.answer, measurement.match
    if match.inside:
        end = min(match.end + 1, match.start + MOST_SHOWN)
        expected = join_expected_words(measurement, are_found=True)
        yield Finding("found", answer.span(match.start, end), expected)
        yield from describe_doubts(measurement)
    missing = join_expected_words(measurement, are_found=False)
    if missing:
        yield Finding("missing", "", missing)
    refusal = find_refusal(answer)
    if refusal and match.exact < 1:
        start, end = refusal.span()
        yield Finding("refusal", answer.text[start:end], "")


def join_expected_words(measurement: Measurement, *, are_found: bool) -> str:
    """Return the expected words of the reference that the answer has, or those that it lacks."""
    reference, match = measurement.reference, measurement.match
    matched = {pair.in_reference for pair in match.pairs}
    words = [reference.shown[i] for i in match.wanted if (i in matched) == are_found]
    space = "" if reference.is_chinese else " "
    return space.join(words)


def describe_doubts(measurement: Measurement) -> Iterator[Finding]:
    """Yield what may take a match back: a denial, several candidates and a hedge."""
    answer, sentences = measurement.answer, measurement.sentences
    features = measurement.features
    expected = measurement.reference.text.strip()
    denial = find_nearest_denial(measurement)
    if denial is not None:
        yield Finding("denied", quote_clause(answer, denial), expected)
    if features["several_or"] or features["several_names"]:
        end = min(sentences.stop, sentences.start + MOST_SHOWN_AS_CANDIDATES)
        yield Finding("candidates", answer.span(sentences.start, end), expected)
    hedge = next((i for i in sentences if i in answer.hedges), None)
    if hedge is not None:
        # A Chinese hedge has two characters, which are two words here.
        n_words = 1 if answer.shown[hedge].isascii() else 2
        end = min(hedge + n_words, len(answer.words))
        yield Finding("hedged", answer.span(hedge, end), "")


def find_nearest_denial(measurement: Measurement) -> int | None:
    """Return the word of the denial that is nearest to the match, or None.

    If only the features tell of a denial, it is the match's first word.
    """
    reference, match = measurement.reference, measurement.match
    if reference.denials or reference.untrue:
        return None
    reach = measurement.sentences.stop + DENIAL_REACH
    denials = [i for i in (*measurement.answer.denials, *measurement.answer.untrue) if i < reach]
    if not denials and measurement.features["stance"] >= 0:
        return None
    return min(sorted(denials), key=lambda i: abs(i - match.start), default=match.start)
