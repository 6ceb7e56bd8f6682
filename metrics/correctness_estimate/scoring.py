"""How likely people would call an answer right: a probability from words alone, with its reasons.

An answer is compared with its references and the question: which words of the reference it has and where, numbers and
dates as values, names in another's place, denials and candidates around the match, lengths; features.py measures them.
Two small ensembles of trees read them: one says how likely people find such an agreement right, the other whether the
answer takes it back (denies it, names several, changes a number or a name); the probability is their product,
calibrated (Platt 1999, "Probabilistic outputs for support vector machines") on the verdicts of people. Of several
references the one nearest by words counts.

The trees stand in model.py, written by `make estimate` from EVOUNA's Natural Questions (Wang et al. 2023, "Evaluating
Open-QA Evaluation", arXiv 2305.12421; Apache-2.0) and made-up answers. They are gradient boosting (Friedman 2001,
"Greedy function approximation"), made by scikit-learn and read here without it. There is no original that this
reproduces. It measures agreement with the references and not truth; it is no reward to train on.

Thinking aloud, such as <think>...</think>, is set aside before all that; where it has no end there is no answer.

This file needs the others of its folder beside it but those that name evaluate or gradio, and nothing but Python.
"""

import math
from collections.abc import Iterator, Sequence
from functools import cache
from statistics import fmean
from typing import Any, NamedTuple

from .differences import clause_of
from .final_answer import ASIDE, UNFINISHED, without_thinking
from .contradictions import FEWEST
from .features import OF_LONG, Measured, measure
from .known import KNOWN, known_of
from .stances import STANCES
from .model import AGREEMENT_TEXT, CALIBRATION, FEATURES, JOINT, OBJECTION_TEXT, SHARES, THRESHOLD
from .wording import HAN, MOST, Text
from .word_lists import REFUSAL

LANGUAGES = ("en", "zh")
UNKNOWN = 0.5  # where a reference has no word to look for
# The shares of the reference that the complete head takes the mean of, and the words of reference from which on it
# speaks, and up to which it speaks the more.
COVER = ("recall_with_question", "cover_rare", "cover_both", "cover_clauses", "cover_letters")
SHORT, LONG = FEWEST - 1, 25
# What contradictions take from the log odds, the more the longer the reference, for the grading sets alone would teach
# to take nothing; and what something else in the place of a short fact takes.
TAKEN, INSTEAD = 0.7, 3.0
MAX_WORDS = 40  # of an answer: beyond, the estimate is known to be weak
# A feature, a threshold, the tree for values up to it and the one for those above; a leaf: its log odds, no trees
Tree = tuple[int, float, Any, Any]
Ensemble = tuple[float, tuple[Tree, ...]]  # the log odds to start with, and the trees


@cache
def grown(text: str) -> Ensemble:
    """Return an ensemble from its text, as model.py describes it."""
    words = iter(text.split())

    def tree(word: str) -> Tree:
        feature, knot, threshold = word.partition(":")
        if not knot:
            return 0, int(word) / 1000, None, None
        return int(feature), float(threshold), tree(next(words)), tree(next(words))

    return int(next(words)) / 1000, tuple(tree(word) for word in words)


def margin(trees: Ensemble, values: Sequence[float]) -> float:
    """Return the log odds of an ensemble: where it starts, and the leaf of each tree that the values lead to."""
    total, roots = trees
    for feature, number, low, high in roots:
        while low:
            feature, number, low, high = low if values[feature] <= number else high
        total += number
    return total


def log_odds(features: dict[str, float]) -> float:
    """Return the calibrated log odds that people would call an answer with these features right.

    Up to SHORT words of reference the trees alone say how far an answer agrees; from there on, and to LONG words the
    more, the complete head joins them.
    """
    values = [features[name] for name in FEATURES]
    agreement, free = margin(grown(AGREEMENT_TEXT), values), margin(grown(OBJECTION_TEXT), values)
    words = (features["reference_length"] - math.log1p(SHORT)) / (math.log1p(LONG) - math.log1p(SHORT))
    long = max(0.0, min(words, 1.0))
    if long:
        less, more, start = JOINT
        agreement = agreement * (1 - less * long) + long * (more * completeness(features) + start)
    # The product of two probabilities p and q has the odds pq / (1 - pq).
    one, other = math.exp(-agreement), math.exp(-free)
    slope, begin = CALIBRATION
    taken = TAKEN * long * features["contradicts"] + INSTEAD * features["instead"]
    return begin - slope * (math.log(one + other + one * other) + taken)


def completeness(features: dict[str, float]) -> float:
    """Return how much of the reference an answer has, in deviations from the mean of graded answers."""
    return fmean((features[name] - mean) / off for name, (mean, off) in zip(COVER, SHARES, strict=True))


def probability(odds: float) -> float:
    """Return the probability of log odds."""
    return 1.0 / (1.0 + math.exp(-odds))


def checked(prediction: str, reference: str | Sequence[str], question: str) -> list[str]:
    """Return the references as a list; raise TypeError for what is no text, ValueError where there is no reference."""
    references: list[Any] = [*reference] if isinstance(reference, list | tuple) else [reference]
    named = [(f"reference[{i}]" if len(references) > 1 else "reference", one) for i, one in enumerate(references)]
    for name, text in (("prediction", prediction), *named, ("question", question)):
        if not isinstance(text, str):
            raise TypeError(f"{name} is {text!r:.80} ({type(text).__name__}); a string is expected")
    if not references:
        raise ValueError("reference is an empty list; at least one reference is needed")
    return references


def measured_of(prediction: str, reference: str | Sequence[str], question: str) -> Measured:
    """Return what was measured of an answer, its thinking set aside; arguments and errors are those of `score`."""
    references = checked(prediction, reference, question)
    return measure(without_thinking(prediction)[0], references, question)


def score(prediction: str, reference: str | Sequence[str], question: str = "") -> float:
    """Return how likely people would call an answer right, 0..1.

    Args:
        prediction: the answer to grade.
        reference: the right answer, or several.
        question: what was asked; without it the estimate knows less.

    Raises:
        TypeError: a text is no string.
        ValueError: there is no reference.

    Source: trained on Wang et al. 2023 (EVOUNA, Natural Questions).

    >>> score("It was published on 28 January 1813.", "1813", "When was it published?") > 0.8
    True
    >>> score("It was published on 28 January 1831.", "1813", "When was it published?") < 0.2
    True

    """
    return estimated(measured_of(prediction, reference, question))


class Grade(NamedTuple):
    """A score, what it may be taken for (one of KNOWN), and the verdict: None where no probability is known."""

    score: float
    known: str
    right: bool | None


def graded(prediction: str, reference: str | Sequence[str], question: str = "") -> Grade:
    """Return `score` with what it may be taken for; arguments and errors are its.

    >>> graded("on 28 January 1831", "1813", "When was it published?")[1:], graded("李白", "李白").known
    (('probability', False), 'likeness')
    """
    return grade(measured_of(prediction, reference, question))


def grade(measured: Measured) -> Grade:
    """Return the score of an answer that was measured, with what it may be taken for."""
    estimate, known = estimated(measured), known_of(measured)
    return Grade(estimate, known, estimate >= THRESHOLD if known == KNOWN[0] else None)


def estimated(measured: Measured) -> float:
    """Return the probability: 0 for an answer without a word, not known where the reference has none."""
    answer, reference, _ = measured.texts
    if not reference.words:
        return UNKNOWN
    return probability(log_odds(measured.features)) if answer.words else 0.0


class Reason(NamedTuple):
    """One reason: its kind, what the answer has, what the reference has, and how far it moves the log odds.

    `weight` is the log odds with it less those without it: below 0 it speaks against the answer.
    """

    kind: str
    found: str
    expected: str
    weight: float
    sentence: str


SENTENCES = {
    "found": "The answer has {expected!r} of the reference, at word {place}.",
    "missing": "The answer lacks {expected!r} of the reference.",
    "number": "The number differs: {found!r} instead of {expected!r}.",
    "date": "The date differs: {found!r} instead of {expected!r}.",
    "unit": "The unit differs: {found!r} instead of {expected!r}.",
    "name": "The name differs: {found!r} instead of {expected!r}.",
    "given_name": "The given name differs: {found!r} instead of {expected!r}.",
    "denied": "One text denies what the other says: {found!r} against {expected!r}.",
    "candidates": "The answer names several candidates: {found!r}.",
    "refusal": "The answer refuses or does not know: {found!r}.",
    "hedged": "The answer is unsure: {found!r}.",
}
# What the features would be if a reason were not there: what they begin with, and the value.
ALL_THERE = {
    "recall_": 1.0,
    "cover_": 1.0,
    "differs_": 0.0,
    "contradicts": 0.0,
    "instead": 0.0,
    "figures": 1.0,
}
NOT_THERE = {"recall_": 0.0, "cover_": 0.0, "match_sentence": 6.0, "match_place": 1.0, "match_at_end": 0.0}
WITHOUT = {
    "found": NOT_THERE,
    "missing": {"recall_": 1.0, "cover_": 1.0},
    "denied": {"denied_distance": 20.0, "denied_verb": 9.0, "denied_asked": -1.0}
    | dict.fromkeys((*STANCES, "barred", "stance"), 0.0),
    "candidates": {"several_": 0.0, "hedges": 0.0, "names_strange": 0.0},
    "refusal": {"refusals": 0.0, "refusal_place": 1.0, "refusal": 0.0, "hedges": 0.0},
    "hedged": {"hedges": 0.0},
}
THINKING = {
    ASIDE: "thinking aloud was set aside",
    UNFINISHED: "thinking aloud has no end: there is no final answer",
}
# Reasons that are only told where they move the log odds at least so far; a difference is always told.
LEAST = {"denied": 1.0, "candidates": 1.0, "hedged": 0.3, "refusal": 0.0, "found": 0.0, "missing": 0.0}


@cache
def without(kind: str) -> dict[str, float]:
    """Return what the features would be if a reason of this kind were not there, as far as they would be others."""
    neutral = WITHOUT.get(kind, ALL_THERE)
    return {
        name: to for name in (*FEATURES, *OF_LONG) for start, to in reversed(neutral.items()) if name.startswith(start)
    }


def weight(features: dict[str, float], kind: str, odds: float) -> float:
    """Return the log odds less those of the same answer without a reason of this kind."""
    no_claim = {name: value for name, value in features.items() if value < 0 and name.endswith("_claim")}
    return odds - log_odds(features | without(kind) | no_claim)


def told(measured: Measured) -> Iterator[tuple[str, str, str]]:
    """Yield what may be a reason: its kind, what the answer has, and what the reference has."""
    (answer, reference, _), found, here = measured.texts, measured.match, measured.here
    features = measured.features
    have = {i for _, i in found.found}
    missing = [reference.shown[i] for i in found.wanted if i not in have]
    joint = "" if HAN.search(reference.text) else " "
    yield from measured.differences
    if found.inside:
        span = answer.span(found.start, min(found.end + 1, found.start + 20))
        yield "found", span, joint.join(reference.shown[i] for i in found.wanted if i in have)
        denying = [i for i in sorted([*answer.denials, *answer.untrue]) if i in here or i < here.stop + 12]
        own = reference.denials or reference.untrue
        if (denying or features["barred"] or features["stance"] < 0) and not own:
            near = min(denying, key=lambda i: abs(i - found.start), default=found.start)
            yield "denied", clause_of(answer, [near]), reference.text.strip()
        if features["several_or"] or features["hedges"]:
            yield "candidates", answer.span(here.start, min(here.stop, here.start + 25)), reference.text.strip()
        if features["hedges"]:
            first = min(i for i in here if i in answer.hedges)
            end = first + 1 if answer.shown[first].isascii() else min(first + 2, len(answer.words))
            yield "hedged", answer.span(first, end), ""
    if missing:
        yield "missing", "", joint.join(missing)
    refusal = REFUSAL.search(answer.lower[:2000])
    if refusal and found.exact < 1:
        yield "refusal", answer.text[slice(*refusal.span())], ""


def reasons(measured: Measured) -> list[Reason]:
    """Return the reasons for an estimate in the order of their weight, at most one of each kind but for differences."""
    result: list[Reason] = []
    odds, moves, differences = log_odds(measured.features), dict[str, float](), set(measured.differences)
    for kind, found, expected in told(measured):
        if kind not in moves:
            moves[kind] = weight(measured.features, kind, odds)
        moved, differs = moves[kind], (kind, found, expected) in differences
        # What was found speaks for the answer, all else against it; a difference is told in any case.
        telling = moved if kind == "found" else -moved
        twice = kind == "denied" and any(one.kind == "denied" for one in result)
        if twice or not (differs or telling >= LEAST[kind]):
            continue
        sentence = SENTENCES[kind].format(found=found, expected=expected, place=measured.match.start + 1)
        result.append(Reason(kind, found, expected, moved, sentence))
    return sorted(result, key=lambda one: -abs(one.weight))


def explain(
    prediction: str, reference: str | Sequence[str], question: str = "", language: str = "auto"
) -> dict[str, Any]:
    """Return the entry of `per_example`: score, verdict, what is known, which reference counted, the reasons, a note.

    The arguments are those of `score`, and the language: "auto" goes by `detect_language`.
    """
    references = checked(prediction, reference, question)
    final, thinking = without_thinking(prediction)
    measured = measure(final, references, question)
    answer, known, asked = measured.texts
    estimate, state, right = grade(measured)
    if language == "auto":
        language = detect_language(answer, known)
    silent = not known.words or (not answer.words and bool(answer.text.strip()))
    return {
        "score": estimate,
        "right": right,
        "known": state,
        "reference": measured.reference,
        "reasons": [one._asdict() for one in reasons(measured)] if known.words else [],
        "statements": [one._asdict() for one in measured.statements],
        "language": language,
        "note": "; ".join(filter(None, [THINKING.get(thinking), note(answer, known, asked, language)])) or None,
        "warnings": ["no_word"] if silent else [],
    }


def detect_language(answer: Text, reference: Text) -> str:
    """Return "zh" for a reference with Han characters, or without a word but Latin ones and numbers beside an answer
    that is mostly in Chinese; else "en".
    """
    if all(word.isascii() for word in reference.words):
        chinese = sum(bool(HAN.match(word)) for word in answer.words)
        return "zh" if 2 * chinese > len(answer.words) else "en"
    return "zh" if reference.han else "en"


def note(answer: Text, reference: Text, question: Text, language: str) -> str | None:
    """Return what makes an estimate worth little, None where nothing is known to."""
    latin = sum(word.isascii() for word in answer.words + reference.words)
    if not reference.words:
        said = ["the reference has no word to look for: 0.5 stands for not knowing"]
    elif language == "zh":
        said = ["learned from English answers alone: in Chinese the estimate is weak"]
    elif 2 * latin < len(answer.words) + len(reference.words):
        said = ["learned from English answers alone: in another language the estimate is weak"]
    else:
        said = []
    if reference.words and not answer.words and answer.text.strip():
        said.append("no word in the prediction")
    if reference.words and len(answer.words) > MAX_WORDS:
        said.append(f"the answer has {len(answer.words)} words: over {MAX_WORDS} the estimate is weaker")
    if not (answer.whole and reference.whole):
        said.append(f"only the first {MOST:,} characters of a text are read")
    if reference.words and not question.words:
        said.append("no question was given: the estimate knows less")
    return "; ".join(said) or None
