"""Decide by the formula of a chemical and its name: CO2, carbon dioxide; Au, gold."""

import re
from functools import cache

from .lexicon import CHEMICALS, ELEMENTS
from .outcomes import DIFFERENT, EQUAL, LIKELY, OPEN, Decision
from .text import Text

# A text that is only a chemical formula: CO2, NaCl.
FORMULA_ALONE = re.compile(r"\s*(?=[A-Za-z]*(?:\d|[a-z][A-Z]))[A-Z][A-Za-z\d]{1,12}[\s.]*")
LONGEST_SENTENCE = 25  # words of an answer in which a formula is looked for
LONGEST_NAME = 4  # words of a name or a formula
# A text of one to three words in small letters: carbon dioxide.
NAME_IN_WORDS = re.compile(r"\s*(?:[a-z]{3,}|[A-Z][a-z]{2,})(?: [a-z]{3,}){0,2}[\s.]*")


@cache
def read_chemicals() -> dict[str, frozenset[str]]:
    """Return the names of each formula and of each symbol of an element."""
    chemicals = dict[str, frozenset[str]]()
    for entry in ELEMENTS.replace("\n", " ").split(","):
        symbol, name = entry.split()
        chemicals[symbol] = frozenset((name,))
    for entry in CHEMICALS.replace("\n", " ").split(","):
        formula, _, names = entry.strip().partition(" ")
        chemicals[formula] = frozenset(names.split("/"))
    return chemicals


def decide_chemical(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Decide whether an answer and a reference name one chemical, by its formula or in words.

    OPEN for a formula or a name that is not known. LIKELY for a sentence with just the formula of
    the reference. None if a text is more than that.
    """
    if len(reference.words) > LONGEST_NAME:
        return None
    if len(answer.words) > LONGEST_NAME:
        said = find_formula(answer, reference)
        return Decision(LIKELY, "formula", said, reference.text.strip()) if said else None
    if has_other_chemical(answer, reference) or has_other_ion(answer, reference):
        return Decision(DIFFERENT, "formula", answer.text.strip(), reference.text.strip())
    for formula, name in ((answer, reference), (reference, answer)):
        outcome = compare_formula_and_name(formula.text.strip(" ."), name.text.strip(" ."))
        if outcome:
            return Decision(outcome, "formula", answer.text.strip(), reference.text.strip())
    return None


def find_formula(answer: Text, reference: Text) -> str:
    """Return the only formula of a sentence if the reference is its name, else ""."""
    if len(answer.words) > LONGEST_SENTENCE or answer.denials or answer.untrue:
        return ""
    expected = list_formulas(reference)
    if not expected:
        return ""
    formulas = {word for word in answer.shown if FORMULA_ALONE.fullmatch(word)}
    return formulas.pop() if len(formulas) == 1 and formulas <= expected else ""


def has_other_chemical(answer: Text, reference: Text) -> bool:
    """Return whether two texts are the names of two known chemicals: carbon monoxide."""
    formulas = list_formulas(answer)
    expected = list_formulas(reference)
    return bool(formulas and expected) and formulas.isdisjoint(expected)


# A metal and the ion beside it: sodium chloride, sodium chlorate.
SALT = re.compile(r"(?P<metal>[a-z]{3,}) (?P<ion>[a-z]{2,}(?:ide|ate|ite))")


def has_other_ion(answer: Text, reference: Text) -> bool:
    """Return whether two texts name salts of one metal with two ions."""
    salt, expected = (SALT.fullmatch(unify_spelling(text.text)) for text in (answer, reference))
    if not salt or not expected or salt["metal"] != expected["metal"]:
        return False
    return salt["ion"] != expected["ion"]


def list_formulas(text: Text) -> frozenset[str]:
    """Return the known formulas of the chemical that a text names in words."""
    return map_formulas().get(unify_spelling(text.text), frozenset())


@cache
def map_formulas() -> dict[str, frozenset[str]]:
    """Return the formulas of each name."""
    formulas = dict[str, frozenset[str]]()
    for formula, names in read_chemicals().items():
        for name in names:
            formulas[name] = formulas.get(name, frozenset()) | {formula}
    return formulas


def unify_spelling(name: str) -> str:
    """Return a name in lower case, in American spelling."""
    name = name.strip(" .").lower()
    return name.replace("sulph", "sulf").replace("aluminium", "aluminum")


def compare_formula_and_name(formula: str, name: str) -> str:
    """Return the outcome for a formula and a name, "" if they are none."""
    if not NAME_IN_WORDS.fullmatch(name):
        return ""
    chemicals = read_chemicals()
    name = unify_spelling(name)
    if name in chemicals.get(formula, ()):
        return EQUAL
    if name in map_formulas() and formula in chemicals:
        return DIFFERENT
    return OPEN if FORMULA_ALONE.fullmatch(formula) else ""
