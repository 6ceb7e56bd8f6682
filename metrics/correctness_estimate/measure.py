"""Set an answer beside its references: match, features, objections, and what decides.

Of several references the one nearest by words counts. An objection is something that speaks against
the answer, with how far it holds (its evidence); what each kind weighs stands in model.py.
"""

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property

from .contradictions import SHORTEST_REFERENCE, Contradiction, find_contradictions
from .decisions import decide
from .facts import find_differences
from .names import find_differing_names
from .features import measure_features
from .final_answer import read_box
from .matching import Match, find_match, find_sentences
from .roles import compare_roles
from .additions import find_additions
from .lists import compare_lists
from .statements import Statement, compare_statements
from .text import Text, quote_clause, read_text
from .outcomes import COARSER, DIFFERENT, EQUAL, Decision

# What may speak against an answer: another value, another name, another part of a name, an
# opposite, an item that is missing or too many, two candidates, exchanged roles, a denial, two
# things in each other's place.
KINDS = (
    "number",
    "name",
    "name_part",
    "opposite",
    "partial",
    "added",
    "either",
    "roles",
    "denied",
    "affirmed",
    "swapped",
)
# Of a difference that counts as another kind.
COUNTED_AS = {
    "date": "number",
    "unit": "number",
    "surname": "name_part",
    "given_name": "name_part",
}
FURTHER = 0.5  # what each further objection of a kind counts, to the one before
LONGEST_VALUE = 6  # words of a reference that is a value and no sentence
MOST_TOGETHER = 1000  # numbers and dates of all references of an answer


@dataclass(frozen=True)
class Objection:
    """Something that speaks against an answer.

    Attributes:
        kind: one of KINDS.
        evidence: how far it holds, 0..1.
        found: what the answer has.
        expected: what the reference has.
        reason: the kind of its reason, where that is another: a date counts as a number.
    """

    kind: str
    evidence: float
    found: str
    expected: str
    reason: str = ""


@dataclass(frozen=True)
class Measurement:
    """One answer beside the reference that counts.

    Attributes:
        reference_number: which reference counts.
        answer, reference, question: the texts.
        match: where the answer has the reference's words; `sentences` are the words of its
            sentences.
        features: what the trees read.
        objections: what speaks against the answer.
        decision: what decides; None where nothing does.
        contradictions: what the answer says in the place of something else in a long reference.
    """

    reference_number: int
    answer: Text
    reference: Text
    question: Text
    match: Match
    sentences: range
    features: dict[str, float]
    objections: list[Objection]
    decision: Decision | None
    contradictions: list[Contradiction]

    @cached_property
    def statements(self) -> list[Statement]:
        """A long reference statement by statement."""
        return compare_statements(self.answer, self.reference, self.question, self.contradictions)


def measure_answer(prediction: str, references: Sequence[str], question: str = "") -> Measurement:
    """Return an answer set beside the nearest of its references, not yet with a probability.

    Args:
        prediction: the answer, its thinking set aside.
        references: the right answers, at least one.
        question: what was asked; "" where it is not known.
    """
    asked, known = read_text(question), read_references(references)
    answer = read_final_value(prediction, known)
    near = rate_references(answer, known, asked)
    chosen = near.index(max(near)) if near else 0
    reference = known[chosen]
    match = find_match(answer, reference, asked)
    sentences = find_sentences(answer, match)
    features = measure_features(answer, reference, asked, match, sentences, near)
    contradictions = find_contradictions(answer, reference, asked)
    decision = decide(answer, known, asked)
    objections = list[Objection]()
    if not decision or decision.outcome not in (COARSER, EQUAL, DIFFERENT):
        objections = [
            *object_to_facts(answer, known, chosen, asked),
            *object_to_contradictions(answer, reference, contradictions),
            *object_to_relations(answer, reference, [asked, *known], match),
        ]
    return Measurement(
        reference_number=chosen,
        answer=answer,
        reference=reference,
        question=asked,
        match=match,
        sentences=sentences,
        features=features,
        objections=objections,
        decision=decision,
        contradictions=contradictions,
    )


def rate_references(answer: Text, known: Sequence[Text], question: Text) -> list[float]:
    """Return how near each of several references is to the answer, 0..3.

    It is empty for a single one.
    """
    if len(known) == 1:
        return []
    quick = [find_match(answer, reference, question, spelling=False) for reference in known]
    return [
        match.exact + match.inside / (len(match.wanted) or 1) + match.trigrams for match in quick
    ]


def read_references(references: Sequence[str]) -> list[Text]:
    """Return references as texts.

    Of all their numbers and dates together, as many as are compared.
    """
    found = [read_text(reference) for reference in references]
    if sum(len(text.quantities) for text in found) <= MOST_TOGETHER:
        return found
    left = MOST_TOGETHER
    cut = list[Text]()
    for text in found:
        # A copy, for other answers may be set beside the same text.
        shorter = copy(text)
        shorter.quantities = text.quantities[:left]
        left -= len(shorter.quantities)
        cut.append(shorter)
    return cut


def read_final_value(prediction: str, references: Sequence[Text]) -> Text:
    r"""Return an answer as a text.

    If a reference is a value and the answer has one in its last \boxed{...}, that is the answer.
    """
    has_box = "box" in prediction and "\\" in prediction
    box = read_box(prediction) if has_box else None
    is_value = any(text.quantities and len(text.words) <= LONGEST_VALUE for text in references)
    if box and is_value:
        inside = Text(box)
        if inside.quantities:
            return inside
    return Text(prediction)


def object_to_facts(
    answer: Text,
    references: Sequence[Text],
    chosen: int,
    question: Text,
) -> Iterator[Objection]:
    """Yield the facts of a short reference that the answer gives otherwise."""
    reference = references[chosen]
    if len(reference.words) < SHORTEST_REFERENCE:
        differences = find_differences(answer, references, chosen, question)
    else:
        differences = (
            find_differing_names(answer, reference, question) if reference.is_chinese else []
        )
    for difference in differences:
        kind = COUNTED_AS.get(difference.kind, difference.kind)
        reason = "name" if difference.kind == "name_part" else difference.kind
        yield Objection(kind, 1.0, difference.found, difference.expected, reason)


def object_to_contradictions(
    answer: Text, reference: Text, contradictions: Sequence[Contradiction]
) -> Iterator[Objection]:
    """Yield what the answer says in the place of something else in a long reference."""
    for one in contradictions:
        found = quote_fact(answer, one.found, one.kind)
        expected = quote_fact(reference, one.expected, one.kind)
        reason = "denied" if one.kind == "affirmed" else one.kind
        if one.kind == "number" and has_date(answer, one.found):
            reason = "date"
        yield Objection(one.kind, one.evidence, found, expected, reason)


def has_date(text: Text, i: int) -> bool:
    """Return whether a date begins at a word."""
    return any(
        one.kind == "date" and i in text.words_between(one.start, one.end)
        for one in text.quantities
    )


def quote_fact(text: Text, i: int, kind: str) -> str:
    """Return the fact that begins at a word: a name, a number or date, a word.

    Of a denial the words beside it.
    """
    if kind in ("denied", "affirmed"):
        return quote_clause(text, i)
    for start, end in text.names:
        if start <= i < end:
            return text.span(start, end)
    for quantity in text.quantities:
        if i in text.words_between(quantity.start, quantity.end):
            return quantity.text
    return text.shown[i]


def object_to_relations(
    answer: Text,
    reference: Text,
    known: Sequence[Text],
    match: Match,
) -> Iterator[Objection]:
    """Yield items that are missing, added or left open, and names that have changed their roles."""
    findings = [
        *compare_lists(answer, reference, known[1:], known[0]),
        *compare_roles(answer, reference, known[0]),
        *find_additions(answer, reference, known, match),
    ]
    for one in findings:
        yield Objection(one.kind, one.evidence, one.found, one.expected)


def sum_evidence(objections: Sequence[Objection]) -> dict[str, float]:
    """Return the evidence of each kind of objection, each further one of a kind less."""
    found = dict.fromkeys(KINDS, 0.0)
    counts = dict.fromkeys(KINDS, 0)
    for one in sorted(objections, key=lambda one: -one.evidence):
        found[one.kind] += one.evidence * FURTHER ** counts[one.kind]
        counts[one.kind] += 1
    return found
