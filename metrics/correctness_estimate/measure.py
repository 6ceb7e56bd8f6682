"""Compare an answer with its references: match, features, objections and decision.

Of several references, the one with most words in common counts. An objection speaks against the
answer. Its evidence says how strongly it holds; the weight of each kind stands in model.py.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace

from .contradictions import SHORTEST_REFERENCE, Contradiction, find_contradictions, find_span
from .decisions import decide
from .facts import find_differences
from .names import find_differing_names
from .features import measure_features
from .final_answer import read_box
from .matching import Match, find_match, find_sentences
from .roles import compare_roles
from .additions import find_additions
from .lists import compare_lists, has_short_items
from .slots import mark_edits
from .conclusions import read_marked_line
from .statements import Statement, compare_statements
from .text import CachedProperty, Text, quote_clause, read_text
from .outcomes import COARSER, DIFFERENT, EQUAL, Decision, Objection

# The kinds of objections: another value, another name, another part of a name, an opposite, a
# missing item, an added item, two candidates, exchanged roles, a denial that only the answer has, a
# denial that only the reference has, two things in each other's place, and any of the last that is
# all that a copied sentence changes.
OBJECTION_KINDS = (
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
    "edited",
)
# Kinds of differences that count as another kind of objection.
COUNTED_AS = {
    "date": "number",
    "unit": "number",
    "surname": "name_part",
    "given_name": "name_part",
}
LIST_KINDS = frozenset({"partial", "added"})  # objections to the items of a list
FURTHER_SHARE = 0.5  # each further objection of a kind counts half of the one before
LONGEST_VALUE = 6  # words of a reference that is a value and no sentence
# "Please tell me", "Could you say" before a question's own word: who, how.
ASKS_TO_TELL = re.compile(
    r"^\W*(?:(?:please|kindly) )?"
    r"(?:(?:can|could|would|will) (?:you|anyone|anybody|someone|somebody) (?:please )?)?"
    r"(?:tell|remind|say|explain|show) (?:(?:me|us) )?(?:please )?"
    r"(?=(?:who|what|which|where|when|why|how)\b)",
    re.IGNORECASE,
)
FIRST_WORDS_OF_QUESTION = (
    "who|whom|whose|what|which|where|why|how|is|are|was|were|do|does|did|can|could|should|would"
    "|will|has|have|had|may|must"
)
# "I always forget: which lake is deeper?", "In the novel, who finds the letter?"
LEAD_IN = re.compile(
    rf"^(?!(?:when(?! \w+ing)|{FIRST_WORDS_OF_QUESTION})\b)(?P<lead>[^?]{{2,150}}?)"
    r"(?P<mark>[,:;.!–—-]{1,2})\s+"
    r"(?P<question>(?:(?:in|on|at|to|by|for|from|with|of) )?"
    rf"(?:when|{FIRST_WORDS_OF_QUESTION})\b[^?]*)\?\s*$",
    re.IGNORECASE,
)
# "but please double-check", "though you should verify this", "but I could be wrong"
ADVICE = re.compile(
    r",? (?:but|though|although|however),? (?:"
    r"(?:please|do|you (?:should|may|might|can|could)|i(?:'d| would))(?: \w+){0,3}?"
    r" (?:double-)?(?:check|verify|confirm|consult)(?: [\w-]+){0,4}"
    r"|i (?:could|may|might) be (?:wrong|mistaken)"
    r"|take (?:that|it|this) with a (?:grain|pinch) of salt|don't quote me on (?:that|it|this)"
    r")(?=[.!?]|$)",
    re.IGNORECASE,
)
# "Ann. No, let me correct that: Ben."
SELF_CORRECTION = re.compile(
    r"(?:\b(?:actually|no|wait|sorry|oops)[,.]? )?\b(?:let me|i (?:must|should|have to)) correct"
    r" (?:that|this|it|myself)\b",
    re.IGNORECASE,
)
SUMMARY = re.compile(r"\btl;dr\b", re.IGNORECASE)
# "It is closed, isn't it?", "It isn't open, is it?"
TAG_QUESTION = re.compile(
    r", (?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should)(?:n't)?"
    r" (?:it|that|they|he|she|we|you|there)\?",
    re.IGNORECASE,
)
# "Rome, and that's all", "Rome. Nothing else."
CLOSING = re.compile(
    r"(?<=\w)[,.;:]+ (?:and )?(?:that's (?:all|it)|that is (?:all|it)|nothing (?:else|more)"
    r"|full stop|no more,? no less|end of story)(?=[.!]?\s*$)",
    re.IGNORECASE,
)
# "Rome, though some think Oslo"
OTHERS_THINK = re.compile(
    r"(?<=\w), (?:even )?(?:al)?though (?:some|many|most|others|people|it is often)(?: people)?"
    r" (?:think|say|believe|claim|assume|thought|said|believed)\b[^,.;:!?]{0,60}(?=[.!]|$)",
    re.IGNORECASE,
)
# What is dropped from an answer before it is read.
REMARKS = (ADVICE, CLOSING, OTHERS_THINK)
# "Red and white. Don't forget green."
NOT_TO_FORGET = re.compile(
    r"(?<=\w)[.,;:!] (?:and |but )?(?:don't|do not|let's not|not to|never) forget(?: the)?"
    r" (?=\w+(?: \w+)?[.!]?$)(?!to\b|that\b|it\b|what\b|how\b|about\b|either\b)",
    re.IGNORECASE,
)
MOST_QUANTITIES = 1000  # numbers and dates of all references that are compared with an answer


@dataclass(frozen=True)
class Measurement:
    """An answer compared with the reference that counts.

    Attributes:
        reference_number: the number of that reference, from 0.
        answer, reference, question: the texts.
        match: the words of the reference that the answer has.
        sentences: the range of words of the match's sentences.
        features: the values that the trees read.
        objections: what speaks against the answer.
        decision: what decides without the trees, or None.
        contradictions: the words of the answer that contradict a long reference.
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

    @CachedProperty
    def reference_length(self) -> int:
        """How long the reference is for the weights of objections.

        Of a list of short items only the telling words count, each once: "a tent, a sleeping bag
        and a torch" has four.
        """
        is_compared = any(objection.kind in LIST_KINDS for objection in self.objections)
        is_list = is_compared and has_short_items(self.reference)
        return len(set(self.reference.content) if is_list else self.reference.words)

    @CachedProperty
    def statements(self) -> list[Statement]:
        """The results for each statement of a long reference."""
        return compare_statements(self.answer, self.reference, self.question, self.contradictions)


def measure_answer(prediction: str, references: Sequence[str], question: str = "") -> Measurement:
    """Return the comparison of an answer with the nearest of its references.

    Args:
        prediction: the answer, without its thinking.
        references: the right answers, at least one.
        question: the question, or "" if it is not known.
    """
    question_text = read_text(put_question_first(question))
    reference_texts = read_references(references)
    answer = read_final_answer(prediction, reference_texts)
    ratings = rate_references(answer, reference_texts, question_text)
    chosen = ratings.index(max(ratings)) if ratings else 0
    reference = reference_texts[chosen]
    match = find_match(answer, reference, question_text)
    sentences = find_sentences(answer, match)
    features = measure_features(answer, reference, question_text, match, sentences, ratings)
    contradictions = find_contradictions(answer, reference, question_text)
    contradictions = mark_edits(answer, reference, contradictions)
    decision = decide(answer, reference_texts, question_text)
    objections = list[Objection]()
    is_copy = answer.text == reference.text
    is_decided = decision is not None and decision.outcome in (COARSER, EQUAL, DIFFERENT)
    if not is_copy and not is_decided:
        objections = [
            *object_to_facts(answer, reference_texts, chosen, question_text),
            *object_to_contradictions(answer, reference, contradictions),
            *compare_lists(answer, reference, reference_texts, question_text),
            *compare_roles(answer, reference, question_text),
            *find_additions(answer, reference, [question_text, *reference_texts], match),
        ]
    return Measurement(
        reference_number=chosen,
        answer=answer,
        reference=reference,
        question=question_text,
        match=match,
        sentences=sentences,
        features=features,
        objections=objections,
        decision=decision,
        contradictions=contradictions,
    )


def put_question_first(question: str) -> str:
    """Return a question without words that only ask for an answer, and with its lead-in behind it.

    >>> put_question_first("I always forget: which of the lakes is deeper?")
    'which of the lakes is deeper, I always forget?'
    """
    question = ASKS_TO_TELL.sub("", question)
    match = LEAD_IN.match(question)
    if not match:
        return question
    if match["mark"] in (".", "!"):
        return f"{match['question']}? {match['lead']}{match['mark']}"
    return f"{match['question']}, {match['lead']}?"


def rate_references(answer: Text, references: Sequence[Text], question: Text) -> list[float]:
    """Return how near each of several references is to the answer, 0..3; empty for a single one."""
    if len(references) == 1:
        return []
    ratings = list[float]()
    for reference in references:
        match = find_match(answer, reference, question, spelling=False)
        share_inside = match.inside / (len(match.wanted) or 1)
        ratings.append(match.exact + share_inside + match.trigrams)
    return ratings


def read_references(references: Sequence[str]) -> list[Text]:
    """Return references as texts, which have at most MOST_QUANTITIES numbers and dates together."""
    texts = [read_text(reference) for reference in references]
    if sum(len(text.quantities) for text in texts) <= MOST_QUANTITIES:
        return texts
    n_left = MOST_QUANTITIES
    shorter_texts = list[Text]()
    for text in texts:
        # Texts are cached, and other answers may be compared with the same one.
        shorter = copy(text)
        shorter.quantities = text.quantities[:n_left]
        n_left -= len(shorter.quantities)
        shorter_texts.append(shorter)
    return shorter_texts


def read_final_answer(prediction: str, references: Sequence[Text]) -> Text:
    r"""Return an answer as a text, or only the value in its last \boxed{...}, or its marked line.

    The value is returned if a reference is a value, too. The line is one such as "Answer: Rome".
    """
    may_have_box = "box" in prediction and "\\" in prediction
    box = read_box(prediction) if may_have_box else None
    if box and any(map(is_value, references)):
        inside = Text(box)
        if inside.quantities:
            return inside
    return Text(drop_remarks(read_marked_line(prediction, references) or prediction))


def drop_remarks(answer: str) -> str:
    """Return an answer without words that tell and take back nothing: advice, tag questions.

    >>> drop_remarks("It is the donkey, but please double-check.")
    'It is the donkey.'
    >>> drop_remarks("It is the donkey, isn't it?")
    'It is the donkey.'
    """
    for remark in REMARKS:
        answer = remark.sub("", answer)
    answer = TAG_QUESTION.sub(".", answer)
    answer = NOT_TO_FORGET.sub(", and ", answer)
    answer = SELF_CORRECTION.sub("correction", answer)
    return SUMMARY.sub("in short", answer)


def is_value(reference: Text) -> bool:
    """Return whether a reference is a number or a date, and no sentence."""
    return len(reference.words) <= LONGEST_VALUE and bool(reference.quantities)


def object_to_facts(
    answer: Text,
    references: Sequence[Text],
    chosen: int,
    question: Text,
) -> Iterator[Objection]:
    """Yield objections to the facts in which an answer differs from a reference.

    Of a long reference, only Chinese names are compared here.
    """
    reference = references[chosen]
    if len(reference.words) < SHORTEST_REFERENCE:
        differences = find_differences(answer, references, chosen, question)
    elif reference.is_chinese:
        differences = find_differing_names(answer, reference, question)
    else:
        differences = []
    for difference in differences:
        kind = COUNTED_AS.get(difference.kind, difference.kind)
        reason = "name" if difference.kind == "name_part" else difference.kind
        yield Objection(kind, 1.0, difference.found, difference.expected, reason)


def object_to_contradictions(
    answer: Text, reference: Text, contradictions: Sequence[Contradiction]
) -> Iterator[Objection]:
    """Yield an objection for each contradiction of a long reference."""
    for contradiction in contradictions:
        kind = reason = contradiction.kind
        if kind == "affirmed":
            reason = "denied"
        elif kind == "number":
            quantity = answer.find_quantity(contradiction.found)
            reason = "date" if quantity and quantity.kind == "date" else kind
        found = quote_fact(answer, contradiction.found, kind)
        expected = quote_fact(reference, contradiction.expected, kind)
        counted_kind = "edited" if contradiction.is_edit else kind
        yield Objection(counted_kind, contradiction.evidence, found, expected, reason)


def quote_fact(text: Text, i: int, kind: str) -> str:
    """Return the name, number, date or word at a place; for a denial, the words around it."""
    if kind in ("denied", "affirmed"):
        return quote_clause(text, i)
    is_in_name = any(start <= i < end for start, end in text.names)
    quantity = text.find_quantity(i)
    if quantity and (kind == "number" or not is_in_name):
        return quantity.text  # with its sign or currency, which is no word
    return text.span(*find_span(text, i))


def sum_evidence(objections: Sequence[Objection]) -> dict[str, float]:
    """Return the evidence for each kind of objection; further ones of a kind count less."""
    evidence = dict.fromkeys(OBJECTION_KINDS, 0.0)
    for objection in discount_further(objections):
        evidence[objection.kind] += objection.evidence
    return evidence


def discount_further(objections: Sequence[Objection]) -> Iterator[Objection]:
    """Yield objections, the surest first, and each further one of a kind with less evidence."""
    counts = Counter[str]()
    for objection in sorted(objections, key=lambda objection: -objection.evidence):
        share = FURTHER_SHARE ** counts[objection.kind]
        counts[objection.kind] += 1
        yield replace(objection, evidence=objection.evidence * share)
