"""What is measured of an answer beside its references and the question: features, each a number.

`measure` is what scoring.py calls; each function below it yields the features of one kind by their names. A name begins
with the kind of evidence that it is: recall_ (the reference is there), denied_, several_, differs_ and so on.
"""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from .contradictions import FEWEST, contradicted, contradictions
from .coverage import coverage_features
from .differences import besides, differing_denial, differing_names, differing_quantities, other_magnitude
from .wording import Difference
from .final_answer import boxed
from .quantities import Quantity, agree
from .stand import figure_features, refusal_features, yes_or_no_features
from .statements import Statement, statement_features, statements
from .wording import Text
from .word_lists import CUES, REFUSAL, STOP
from .matching import Match, around, beside, clauses_of, match, recall_features
from .stances import stance_features

LONGEST_VALUE = 6  # words of a reference that is a value and no sentence
NAME = 0.25  # how much another name tells against an answer, beside another magnitude
# The last features: no tree reads them, but the complete head and what is taken from the log odds.
OF_LONG = ("cover_rare", "cover_both", "cover_clauses", "cover_letters", "contradicts", "instead")
MOST_TOGETHER = 1000  # numbers and dates of all references of an answer


def candidate_features(
    answer: Text, reference: Text, question: Text, found: Match, here: range
) -> Iterator[tuple[str, float]]:
    """Yield what else the answer names, and whether it guesses or says nothing."""
    words = answer.words
    known = reference.places.keys() | question.places.keys()
    strange = [start for start, end in answer.names if not known & set(answer.stems[start:end])]
    figures = (*reference.quantities, *question.quantities)
    ors = [i for i in here if words[i] in ("or", "或")]
    yield "several_or", min(4.0, len(ors))
    yield "several_names", min(6.0, sum(i in here for i in strange))
    yield "several_figures", min(5.0, sum(not any(agree(q, other) for other in figures) for q in answer.quantities))
    region, own = beside(answer, here), clauses_of(answer, found)
    new = [i for i in region if answer.stems[i] not in known and words[i] not in STOP | CUES and i not in answer.untrue]
    for where, inside in (("own", True), ("other", False)):
        some = [i for i in new if (answer.clause[i] in own) == inside]
        yield f"new_{where}_before", min(6.0, sum(i < found.start for i in some))
        yield f"new_{where}_after", min(6.0, sum(i > found.end for i in some))
    yield "names_strange", min(8.0, len(strange))
    yield "hedges", float(sum(i in answer.hedges for i in here))
    yield "hedges_all", min(4.0, len(answer.hedges))
    yield "refusal", float(bool(REFUSAL.search(answer.lower[:2000])))


def difference_features(
    answer: Text, reference: Text, differences: Sequence[Difference]
) -> Iterator[tuple[str, float]]:
    """Yield how often the answer says something otherwise than the reference."""
    kinds = [one.kind for one in differences]
    for kind in ("date", "name", "given_name"):
        yield f"differs_{kind}", float(kinds.count(kind))
    yield "differs_number", float(kinds.count("number") + kinds.count("unit"))
    agreeing = sum(any(agree(one, other) for other in answer.quantities) for one in reference.quantities)
    yield "figures", agreeing / len(reference.quantities) if reference.quantities else -1.0


def differing_finer(
    answer: Text, reference: Text, others: Sequence[Text], question: Text, told: Sequence[Quantity]
) -> list[Difference]:
    """Return how an answer differs from all references that say the same more exactly: 1979, 21 July 1979."""
    figures = reference.quantities
    finer = [one for one in others if figures and all(any(agree(q, more) for more in one.quantities) for q in figures)]
    found = [differing_quantities(answer, other, question, told) for other in finer]
    return found[0] if found and all(found) else []


def shape_features(
    answer: Text, reference: Text, question: Text, references: int, found: Match
) -> Iterator[tuple[str, float]]:
    """Yield lengths, how much of the question comes again, and what is asked for."""
    words = question.words
    how = words.index("how") + 1 if "how" in words else 0
    kinds = (
        "when" in words or ("what" in words and not {"year", "date"}.isdisjoint(words)),
        how and words[how : how + 1] not in (["did"], ["do"], ["does"]),
        "where" in words,
        not {"who", "whose", "whom"}.isdisjoint(words),
        bool(words),
    )
    yield "length", math.log1p(len(answer.words))
    yield "reference_length", math.log1p(len(reference.words))
    yield "reference_names", min(3.0, len(reference.names))
    yield "reference_asked", sum(s in question.places for s in reference.stems) / (len(reference.stems) or 1)
    yield "references", min(8.0, references)
    yield "asked_share", sum(s in question.places for s in answer.stems) / (len(answer.words) or 1)
    yield "asked_recall", sum(s in answer.places for s in question.places) / (len(question.places) or 1)
    yield "length_ratio", math.log((len(answer.words) + 1) / (len(reference.words) + 1))
    yield "asked_kind", float(next((i for i, kind in enumerate(kinds) if kind), len(kinds)))


def named_instead(answer: Text, question: Text, found: Match, differences: Sequence[Difference]) -> bool:
    """Return whether an answer says all that was asked, with another name and no word of the reference."""
    named = any(one.kind == "name" for one in differences)
    return named and not found.inside and all(one in answer.places for one in question.solid)


class Measured(NamedTuple):
    """One answer beside the reference that counts: which it is, what was measured, the texts, the statements."""

    reference: int
    features: dict[str, float]
    differences: list[Difference]
    match: Match
    here: range
    texts: tuple[Text, Text, Text]
    statements: list[Statement]


def texts_of(references: Sequence[str]) -> list[Text]:
    """Return references as texts; of all their numbers and dates together, so many as are compared."""
    texts, left = [Text(one) for one in references], MOST_TOGETHER
    for one in texts:
        one.quantities = one.quantities[:left]
        left -= len(one.quantities)
    return texts


def final_value(prediction: str, references: Sequence[Text]) -> Text:
    """Return an answer as a text: where it has a number in TeX's box, and a value is wanted, that is the answer."""
    box = boxed(prediction) if "box" in prediction and "\\" in prediction else None
    value = any(one.quantities and len(one.words) <= LONGEST_VALUE for one in references)
    inside = Text(box) if box and value else None
    return inside if inside and inside.quantities else Text(prediction)


def measure(prediction: str, references: Sequence[str], question: str = "") -> Measured:
    """Return an answer compared with the nearest of its references, not yet with a probability."""
    asked, known = Text(question), texts_of(references)
    answer = final_value(prediction, known)
    grams = answer.grams()
    quick = [match(answer, grams, one, asked, close=False) for one in known] if len(known) > 1 else []
    near = [one.exact + one.inside / (len(one.wanted) or 1) + one.grams for one in quick]
    chosen = near.index(max(near)) if near else 0
    reference = known[chosen]
    found = match(answer, grams, reference, asked)
    here = around(answer, found) if found.inside else range(0)
    told = besides(answer, asked)
    differences = differing_quantities(answer, reference, asked, told) + differing_names(answer, reference, asked)
    differences += differing_denial(answer, reference)
    features = dict(recall_features(answer, reference, asked, found))
    features |= stance_features(answer, reference, asked, found, here)
    features |= candidate_features(answer, reference, asked, found, here)
    features |= difference_features(answer, reference, differences)
    finer = differing_finer(answer, reference, [one for one in known if one is not reference], asked, told)
    features["differs_finer"] = float(bool(finer))
    differences = differences or finer
    features |= shape_features(answer, reference, asked, len(known), found)
    features |= figure_features(answer, reference, asked)
    features |= yes_or_no_features(answer, reference, asked)
    features |= refusal_features(answer)
    against = contradictions(answer, reference, asked)
    found_statements = statements(answer, reference, asked, against)
    features |= statement_features(found_statements)
    features["references_found"] = sum(one > 2.5 for one in near) / len(near) if near else float(found.exact == 1)
    # From here on OF_LONG.
    features |= coverage_features(answer, reference, asked, {reference.stems[i] for _, i in found.found})
    features["contradicts"] = contradicted(against)
    short = len(reference.words) < FEWEST
    wrong = short and other_magnitude(answer, reference, asked, told)
    features["instead"] = 1.0 if wrong else NAME * (short and named_instead(answer, asked, found, differences))
    # Two digits after the point: what is finer is chance, and the trees' thresholds stay short.
    features = {name: round(value, 2) for name, value in features.items()}
    return Measured(chosen, features, differences, found, here, (answer, reference, asked), found_statements)
