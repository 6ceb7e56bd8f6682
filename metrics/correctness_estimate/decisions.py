"""Decide whether an answer is right by a value, an option, yes or no, a short name and the like."""

import re
from collections.abc import Callable, Sequence

from .asked_opposites import decide_asked_opposite, decide_denied_question
from .chemicals import decide_chemical
from .code_answers import decide_code, decide_number_in_groups
from .conclusions import AT_FIRST, decide_restated
from .contraries import decide_contrary, decide_state
from .contrary_clauses import decide_contrary_clause
from .dismissals import decide_chinese_dismissal, decide_denied_part, decide_dismissal
from .first_and_last import (
    decide_first_or_last,
    decide_ordinal,
    decide_steps,
    decide_two_in_order,
)
from .formulas import decide_formula
from .frequencies import decide_frequency, decide_weekday
from .lists import decide_list
from .number_lists import decide_counted, decide_sequence
from .multiples import decide_multiple
from .numbered_names import (
    decide_identifier,
    decide_lettered_name,
    decide_numbered_name,
    decide_numeral,
)
from .options import decide_offered_side, decide_offered_word, decide_option
from .outcomes import DIFFERENT, EQUAL, UNLIKELY, UPHELD, Decision
from .prepositions import decide_preposition
from .quantifiers import decide_all_but, decide_exception, decide_not_all, decide_quantifier
from .replaced_words import decide_replaced_noun
from .roles import (
    decide_compared_thing,
    decide_comparison,
    decide_roles,
    has_exchanged_roles,
    is_comparative,
)
from .same_names import decide_name
from .stated_answer import decide_conclusion, decide_emphasis
from .synonyms import decide_synonym
from .text import Text
from .values import decide_bound, decide_changed_value, decide_quantity
from .yes_or_no import decide_yes_or_no

LONGEST_VALUE = 200  # characters of a reference that may be a value


def decide_stance(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Decide whether an answer says what a reference says, or the contrary.

    Return None if nothing decides, or if the answer exchanges the roles of persons or things.
    """
    decision = decide_contrary(answer, reference, question)
    # Few answers have a decision here, and roles take longer to compare.
    return None if decision and has_exchanged_roles(answer, reference) else decision


# "Strictly speaking, "
ADVERBIAL = re.compile(r"^\w+ly speaking,? ")
# What others think, and a further question.
OTHERS = re.compile(r"\b(?:people|some|many|most|often|commonly|used to|seems?|looks?)\b|\?")


def decide_first_sentence(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return UNLIKELY if an answer first takes the other of two things that a question offers.

    "The Danube is longer. The Nile is shorter than people think" does so. None if the first
    sentence is hedged, or tells what others think.
    """
    if "or" not in question.first_place or len(set(answer.sentence)) < 2:
        return None
    n_words = answer.sentence.count(answer.sentence[0])
    first = Text(ADVERBIAL.sub("", answer.span(0, n_words)))
    is_sure = not first.hedges and not AT_FIRST.search(first.lower)
    if not first.words or not is_sure or OTHERS.search(first.lower):
        return None
    deciders = [decide_offered_word]
    if any(map(is_comparative, first.words)):
        deciders.append(decide_comparison)
    for decider in deciders:
        decision = decider(first, reference, question)
        if decision and decision.outcome == DIFFERENT:
            return decision._replace(outcome=UNLIKELY)
    return None


# The functions that may decide, the surest first.
DECIDERS: tuple[Callable[[Text, Text, Text], Decision | None], ...] = (
    decide_option,
    decide_all_but,
    decide_denied_question,
    decide_exception,
    decide_not_all,
    decide_quantifier,
    decide_yes_or_no,
    decide_numbered_name,
    decide_lettered_name,
    decide_identifier,
    decide_code,
    decide_number_in_groups,
    decide_frequency,
    decide_weekday,
    decide_multiple,
    decide_quantity,
    decide_bound,
    decide_sequence,
    decide_counted,
    decide_formula,
    decide_numeral,
    decide_name,
    decide_chemical,
    decide_first_or_last,
    decide_two_in_order,
    decide_ordinal,
    decide_steps,
    decide_list,
    decide_changed_value,
    decide_contrary_clause,
    decide_roles,
    decide_compared_thing,
    decide_first_sentence,
    decide_offered_side,
    decide_offered_word,
    decide_preposition,
    decide_asked_opposite,
    decide_denied_part,
    decide_restated,
    decide_emphasis,
    decide_conclusion,
    decide_dismissal,
    decide_chinese_dismissal,
    decide_stance,
    decide_state,
    decide_synonym,
    decide_replaced_noun,
)


def decide(answer: Text, references: Sequence[Text], question: Text) -> Decision | None:
    """Return the decision on an answer by all references, None if they do not decide.

    A reference that it agrees with decides, or else one that it upholds. If there is none, each
    reference must have a decision, and the first that is less sure than DIFFERENT counts.
    """
    if not answer.text.strip():
        return None
    decisions = list[Decision | None]()
    for reference in references:
        decision = decide_by_reference(answer, reference, question)
        if decision and decision.outcome == EQUAL:
            return decision
        decisions.append(decision)
    for decision in decisions:
        if decision and decision.outcome == UPHELD:
            return decision
    if not all(decisions):
        return None
    return find_less_sure_decision(decisions) or decisions[0]


def find_less_sure_decision(decisions: Sequence[Decision | None]) -> Decision | None:
    """Return the first decision whose outcome is not DIFFERENT, None without any."""
    for decision in decisions:
        if decision and decision.outcome != DIFFERENT:
            return decision
    return None


def decide_by_reference(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return the decision on an answer by one reference, None if nothing decides."""
    if len(reference.raw) > LONGEST_VALUE:
        return None
    # A text without words, such as "<=", can only be code.
    if not reference.words or not answer.words:
        return decide_code(answer, reference, question)
    for decider in DECIDERS:
        decision = decider(answer, reference, question)
        if decision:
            return decision
    return None
