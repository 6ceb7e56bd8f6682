"""Decide whether an answer is right by a value, an option, yes or no, a short name and the like."""

from collections.abc import Callable, Sequence

from .asked_clauses import (
    decide_asked_alternative,
    decide_asked_clause,
    decide_asked_value,
    decide_opposite_part,
)
from .asked_roles import decide_asked_role
from .asked_opposites import (
    decide_asked_opposite,
    decide_denied_question,
    decide_other_extreme,
)
from .bounds import decide_bound
from .changed_names import decide_changed_name, decide_other_name
from .formulas import decide_chemical
from .code_answers import decide_code, decide_number_in_groups
from .comparisons import (
    decide_alternative,
    decide_compared_thing,
    decide_contest,
    decide_doer,
    decide_other_side,
    is_turned_round,
)
from .conclusions import decide_restated, decide_withdrawn
from .contraries import decide_contrary, decide_state, has_contrary_word
from .contrary_clauses import decide_contrary_clause
from .counted_things import decide_other_thing
from .dismissals import (
    decide_chinese_dismissal,
    decide_denied_part,
    decide_denied_value,
    decide_dismissal,
)
from .first_statement import (
    decide_denied_aside,
    decide_first_sentence,
    decide_first_state,
    decide_first_statement,
    decide_first_thing,
)
from .first_and_last import (
    decide_first_or_last,
    decide_one_in_order,
    decide_ordinal,
    decide_steps,
    decide_two_in_order,
)
from .formulas import decide_formula
from .frequencies import decide_frequency, decide_period, decide_rate, decide_weekday
from .item_order import decide_item_order
from .listed_items import decide_listed_items
from .lists import decide_incomplete_list, decide_list, decide_range_of_days
from .number_lists import decide_counted, decide_sequence
from .multiples import decide_multiple
from .changed_names import (
    decide_identifier,
    decide_lettered_name,
    decide_numbered_name,
    decide_numeral,
    decide_similar_name,
    decide_species,
)
from .offered_things import decide_offered_thing
from .options import decide_offered_side, decide_offered_word, decide_option
from .outcomes import DIFFERENT, EQUAL, LIKELY, UNLIKELY, UPHELD, Decision
from .prepositions import decide_asked_preposition, decide_preposition
from .quantifiers import (
    decide_all_but,
    decide_exception,
    decide_none,
    decide_not_all,
    decide_quantifier,
)
from .roles import (
    decide_roles,
    has_exchanged_roles,
)
from .same_names import decide_name
from .conclusions import decide_emphasis
from .degrees import decide_surpassed, decide_unsurpassed
from .synonyms import decide_synonym
from .taken_back import decide_taken_back
from .text import Text
from .values import decide_changed_value, decide_quantity, is_value
from .yes_or_no import decide_restated_question, decide_yes_or_no, says_same_yes_or_no

LONGEST_VALUE = 200  # characters of a reference that may be a value


def decide_stance(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Decide whether an answer says what a reference says, or the contrary.

    Return None if nothing decides, or if the answer exchanges the roles of persons or things.
    """
    decision = decide_contrary(answer, reference, question)
    if not decision or has_exchanged_roles(answer, reference):
        return None
    is_opposite = decision.outcome == UNLIKELY and decision.kind == "opposite"
    if is_opposite and is_turned_round(answer, reference):
        # "Owen came in behind Grace" says "Grace finished ahead of Owen".
        return decision._replace(outcome=LIKELY, kind="roles")
    return decision


# The functions that may decide, the surest first, each with an example of what it reads.
DECIDERS: tuple[Callable[[Text, Text, Text], Decision | None], ...] = (
    decide_option,  # B; the second one
    decide_first_or_last,  # Which came first?
    decide_other_side,  # Who won, Ann or Ben? Ben lost
    decide_offered_thing,  # Oak or beech? Beech was considered, but oak won
    decide_alternative,  # Which is heavier, lead or tin? Tin is lighter
    decide_all_but,  # all but two
    decide_denied_question,  # Who did not sign?
    decide_exception,  # any port but 8080
    decide_none,  # not a single one
    decide_not_all,  # not all employees
    decide_quantifier,  # most of them; hardly ever
    decide_yes_or_no,  # of course; it doesn't
    decide_numbered_name,  # LH 454
    decide_lettered_name,  # vitamin C
    decide_identifier,  # AX-1093-B
    decide_code,  # max_length
    decide_number_in_groups,  # (555) 0199
    decide_item_order,  # green, then amber, then red
    decide_rate,  # one tablet every eight hours
    decide_frequency,  # twice a day
    decide_weekday,  # every other Tuesday
    decide_period,  # 10 hours a month
    decide_multiple,  # it doubled
    decide_offered_word,  # rise or fall?
    decide_contest,  # 3-1 to Rovers
    decide_denied_value,  # not 25 minutes but 40
    decide_asked_value,  # the son gets a third, and a half goes to charity
    decide_quantity,  # 5 km; $1.2 million; 1813
    decide_other_thing,  # two bags
    decide_bound,  # at least five
    decide_sequence,  # from 3 to 5; 2-1 to Rovers
    decide_counted,  # two sons and a daughter
    decide_formula,  # O(n log n)
    decide_numeral,  # Henry VIII
    decide_other_name,  # Bombay for Mumbai
    decide_similar_name,  # Thomas Keane Sr.
    decide_species,  # H. sapiens
    decide_name,  # J. R. R. Tolkien
    decide_changed_name,  # the First Federal Bank lent it
    decide_chemical,  # H2O
    decide_two_in_order,  # the castle before the church
    decide_one_in_order,  # the church came first
    decide_ordinal,  # the second door
    decide_steps,  # plug it in, wait, unplug it
    decide_listed_items,  # red, green and possibly blue
    decide_range_of_days,  # Monday to Sunday
    decide_list,  # red, green and blue
    decide_incomplete_list,  # red and blue
    decide_changed_value,  # within 14 days, with receipt
    decide_contrary_clause,  # large, but not heavy
    decide_roles,  # Ann taught Bob
    decide_asked_role,  # Who wrote it? Jane did. Mary drew the pictures.
    decide_doer,  # Who was the buyer? Lane was sold to Whitmore
    decide_compared_thing,  # lead is heavier
    decide_first_sentence,  # The Danube is longer. ...
    decide_first_state,  # Rents rose. They had fallen
    decide_first_thing,  # Max, although Cleo offered
    decide_first_statement,  # Argentina won it. They beat Germany
    decide_opposite_part,  # keep it shut now, and open it afterwards
    decide_asked_alternative,  # made in the gallbladder and stored in the liver
    decide_asked_clause,  # a move to Oslo is planned, but they live in Bergen
    decide_offered_side,  # north of the river
    decide_preposition,  # under the mat
    decide_asked_preposition,  # from Genoa to Turin
    decide_asked_opposite,  # Which is cheaper? The bus is dearer
    decide_unsurpassed,  # no ocean is larger
    decide_surpassed,  # but quartz is harder
    decide_denied_part,  # the red one, not the blue one
    decide_withdrawn,  # Rome. Wait, it is Oslo
    decide_restated,  # Kassel or Fulda? Fulda
    decide_emphasis,  # **Rome** is the capital
    decide_denied_aside,  # the trombone; he never travels without it
    decide_dismissal,  # Rome? No way
    decide_chinese_dismissal,  # 不是悉尼
    decide_restated_question,  # Does it run? It doesn't run
    decide_stance,  # it is not safe
    decide_state,  # closed
    decide_synonym,  # on her bike
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


def exchanges_persons(answer: Text, reference: Text) -> bool:
    """Return whether an answer exchanges two names of a reference: Sam paid $85 more than Ann."""
    return bool(reference.names) and has_exchanged_roles(answer, reference)


def is_overruled(decision: Decision, answer: Text, reference: Text, question: Text) -> bool:
    """Return whether a yes or no is plainer than words that seem to say the contrary.

    "Not at all. It is shallow everywhere" and "No, it is shallow all the way across" agree. They do
    not if the answer has an opposite of the reference, or a denial behind its yes or no.
    """
    is_contrary = decision.outcome == UNLIKELY and decision.kind in ("opposite", "denied")
    if not is_contrary or not says_same_yes_or_no(answer, reference, question):
        return False
    denies_behind = any(i >= answer.find_sentence(0).stop for i in answer.denials)
    return not denies_behind and not has_contrary_word(answer, reference)


def decide_by_reference(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return the decision on an answer by one reference, None if nothing decides.

    Nothing but EQUAL is decided of an answer that is the reference word by word.
    """
    if len(reference.raw) > LONGEST_VALUE:
        return None
    # A text without words, such as "<=", can only be code.
    if not reference.words or not answer.words:
        return decide_code(answer, reference, question)
    is_copy = answer.text == reference.text
    for decider in DECIDERS:
        decision = decider(answer, reference, question)
        if decision and decision.outcome == EQUAL and not is_copy:
            decision = decide_in_context(decision, answer, reference, question)
        if decision and is_overruled(decision, answer, reference, question):
            return Decision(LIKELY, "yes_no", answer.text.strip(), reference.text.strip())
        if decision and (decision.outcome == EQUAL or not is_copy):
            return decision
    if is_copy or not is_value(reference, question):
        return None
    shown = reference.text.strip()
    return decide_taken_back(Decision(EQUAL, "value", shown, shown), answer, reference, question)


def decide_in_context(right: Decision, answer: Text, reference: Text, question: Text) -> Decision:
    """Return the decision for an answer that says a reference, by the words around it.

    They may take it back ("twice 12 km"), exchange two names of the reference, or say that another
    thing does what is asked.
    """
    if right.kind != "roles" and exchanges_persons(answer, reference):
        return Decision(DIFFERENT, "roles", answer.text.strip(), reference.text.strip())
    for decider in (decide_asked_role, decide_other_extreme):
        decision = decider(answer, reference, question)
        if decision:
            return decision
    return decide_taken_back(right, answer, reference, question) or right
