"""What settles whether an answer is right: a value, an option, yes or no, a short name."""

import re
from collections.abc import Callable, Sequence

from .contraries import decide_chinese_belief, decide_contrary, decide_dismissal
from .equality import agree, is_coarser
from .formulas import decide_code, decide_formula, decide_numeral, decide_signs
from .lexicon import STOP_WORDS, TITLES
from .lists import decide_list
from .names import is_short_form
from .options import decide_option
from .outcomes import DIFFERENT, EQUAL, OPEN, Decision
from .roles import decide_roles, has_exchanged_roles
from .text import Text
from .values import decide_quantity, decide_sequence
from .yes_or_no import decide_yes_or_no

LONGEST_VALUE = 200  # characters of a reference that may be a value
SUFFIXES = frozenset("jr sr ii iii".split())  # behind a surname
LONGEST_NAME = 8  # words of a name with initials
ACRONYM = re.compile(r"\b[A-Z](?:\.?[A-Z]){1,6}\b")  # JFK, J.F.K


def decide_acronym(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return that one of answer and reference has the initials of the name that the other is."""
    if answer.denials or answer.untrue:
        return None
    if has_initials(answer, reference):
        return Decision(EQUAL, "name", read_initials(reference), reference.text.strip())
    if has_initials(reference, answer):
        return Decision(EQUAL, "name", answer.text.strip(), read_initials(answer))
    return None


def decide_person(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return that an answer is the surname of the reference's person.

    A title, an initial or a short name may stand before it.
    """
    own, said = list_name_words(reference), list_name_words(answer)
    if not 1 < len(own) <= LONGEST_NAME or len(own) != len(reference.words):
        return None
    if lacks_surname(said, own, answer) or has_other_initials(said, own):
        return Decision(OPEN, "name", answer.text.strip(), reference.text.strip())
    if is_short_name(said, own, answer):
        return Decision(EQUAL, "name", answer.text.strip(), reference.text.strip())
    return None


def is_short_name(said: Sequence[str], own: Sequence[str], answer: Text) -> bool:
    """Return whether an answer is a surname behind a title, an initial or a short name."""
    if not 0 < len(said) <= 3 or said[-1] != own[-1]:
        return False
    titles = [word for word in answer.words if word in TITLES]
    if len(said) + len(titles) != len(answer.words):
        return False
    given = said[:-1]
    if not given and answer.words[0] not in TITLES:
        return False
    return all(has_short_form(word, own[:-1]) for word in given)


def has_short_form(name: str, others: Sequence[str]) -> bool:
    """Return whether a given name is one of others, or short for it."""
    return any(is_short_form(name, other) for other in others)


def lacks_surname(said: Sequence[str], own: Sequence[str], answer: Text) -> bool:
    """Return whether an answer is all of a name but its surname.

    Such is Muhammad Ali for Muhammad Ali Jinnah.
    """
    names = [word for word in own if word not in SUFFIXES]
    return len(answer.words) == len(said) > 1 and list(said) == names[:-1]


def has_other_initials(said: Sequence[str], own: Sequence[str]) -> bool:
    """Return whether two names differ in initials alone: George W. Bush, George H. W. Bush."""
    if len(said) < 2 or len(own) < 2 or (said[0], said[-1]) != (own[0], own[-1]):
        return False
    middle, expected = said[1:-1], own[1:-1]
    has_initials = bool(middle) and bool(expected) and max(map(len, [*middle, *expected])) == 1
    return has_initials and list(middle) != list(expected)


# CO2, NaCl: a capital, and a digit or a small letter before a capital.
FORMULA_ALONE = re.compile(r"\s*(?=[A-Za-z]*(?:\d|[a-z][A-Z]))[A-Z][A-Za-z\d]{1,12}[\s.]*")
NAME_IN_WORDS = re.compile(r"\s*[a-z]{3,}(?: [a-z]{3,}){0,2}[\s.]*")


def decide_formula_in_words(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return that it stays open whether a formula is what words mean: CO2, carbon dioxide."""
    for one, other in ((answer, reference), (reference, answer)):
        if FORMULA_ALONE.fullmatch(one.text) and NAME_IN_WORDS.fullmatch(other.text):
            return Decision(OPEN, "formula", answer.text.strip(), reference.text.strip())
    return None


def list_name_words(text: Text) -> list[str]:
    """Return the words with a capital, but titles."""
    words = zip(text.words, text.shown, strict=True)
    return [word for word, shown in words if shown[0].isupper() and word not in TITLES]


def read_initials(text: Text) -> str:
    """Return the first letters of a text's words, but of small ones."""
    return "".join(
        shown[0]
        for shown, word in zip(text.shown, text.words, strict=True)
        if word not in STOP_WORDS
    )


def has_initials(short: Text, full: Text) -> bool:
    """Return whether a text has the initials of another, which is a name of three words or more."""
    if not 2 < len(full.words) < 2 * LONGEST_NAME:
        return False
    initials = read_initials(full)
    if not 2 < len(initials) < LONGEST_NAME or not initials.isupper():
        return False
    return any(match[0].replace(".", "") == initials for match in ACRONYM.finditer(short.text))


def decide_stance(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return whether an answer says or denies what a reference says, unless it exchanges roles."""
    if has_exchanged_roles(answer, reference):
        return None
    return decide_contrary(answer, reference, question)


# What may decide, the surest first.
WAYS: tuple[Callable[[Text, Text, Text], Decision | None], ...] = (
    decide_option,
    decide_yes_or_no,
    decide_code,
    decide_signs,
    decide_quantity,
    decide_sequence,
    decide_formula,
    decide_numeral,
    decide_acronym,
    decide_person,
    decide_formula_in_words,
    decide_list,
    decide_roles,
    decide_dismissal,
    decide_chinese_belief,
    decide_stance,
)


def decide(answer: Text, references: Sequence[Text], question: Text) -> Decision | None:
    """Return what decides an answer: that it has the value of a reference, or another than all."""
    if not answer.words:
        return None
    decisions = [decide_one(answer, reference, question) for reference in references]
    for reference, decision in zip(references, decisions, strict=True):
        if decision and decision.outcome == EQUAL:
            return find_finer_difference(reference, references, decisions) or decision
    if not all(decisions):
        return None
    return find_undecided(decisions) or decisions[0]


def find_undecided(decisions: Sequence[Decision | None]) -> Decision | None:
    """Return the first decision that does not say that an answer differs."""
    for decision in decisions:
        if decision and decision.outcome != DIFFERENT:
            return decision
    return None


def find_finer_difference(
    same: Text, references: Sequence[Text], decisions: Sequence[Decision | None]
) -> Decision | None:
    """Return that it stays open whether a date is right: a reference has another exact date.

    People call 10 July 1979 right as often as wrong beside 1979 and 21 July 1979.

    Args:
        same: the reference that the answer agrees with.
        references: all references.
        decisions: what each of them decides.
    """
    for reference, decision in zip(references, decisions, strict=True):
        if not decision or decision.outcome != DIFFERENT or not same.quantities:
            continue
        coarse, finer = same.quantities[0], reference.quantities[:1]
        if finer and is_coarser(coarse, finer[0]) and agree(coarse, finer[0]):
            return decision._replace(outcome=OPEN)
    return None


def decide_one(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return what decides an answer beside one reference; None where nothing does."""
    if not reference.words or len(reference.raw) > LONGEST_VALUE:
        return None
    for decide_way in WAYS:
        decision = decide_way(answer, reference, question)
        if decision:
            return decision
    return None
