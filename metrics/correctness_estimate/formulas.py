"""Decide by a reference that is a formula: a^2+b^2, H2O, O(n log n).

Formulas are compared token by token. Terms and factors may stand in any order, but nothing is
multiplied out: 2(x+1) is neither the same as 2x+2 nor another formula. The names of chemicals are
compared with their formulas.
"""

import re
import unicodedata
from collections.abc import Sequence
from functools import cache

from .lexicon import CHEMICALS, ELEMENTS
from .outcomes import DIFFERENT, EQUAL, LIKELY, OPEN, Decision
from .tex import HIGH, LOW, read_tex
from .text import Text, strip_bold

FORMULA_SIGN = re.compile(r"[=<>≤≥+*/^_|\\\[\](){}×·÷±√⁄-]")
LETTERS_AND_DIGITS = re.compile(r"\s*(?=\w*\d)(?=\w*[^\W\d_])[\w()]+\s*")  # C6H12O6
LONG_WORD = re.compile(r"[^\W\d_]{3,}")
FUNCTIONS = frozenset(
    "sin cos tan log exp sqrt lim max min det mod gcd lcm arcsin arccos arctan sum int frac".split()
)
ARGUMENT = re.compile(rf"\b({'|'.join(sorted(FUNCTIONS))})\s?\((\w)\)")  # cos(x) is cos x
FORMULA_TOKEN = re.compile(r"\d+(?:\.\d+)?|[^\W\d_]+|[^\w\s]")  # "2.5", "sin", "+"
# The sign of a product that is no product of two numbers: 3*x is 3x.
TIMES_BESIDE_LETTER = re.compile(r"(?<![\d\s])\s?\*|\*(?!\s?\d)")
# Spaces, braces and marks of TeX, which are no part of a formula.
IGNORED = re.compile(r"\\left|\\right|\\,|\\;|\\!|\\ |[_{}$`\\]")
SAME_SIGN = str.maketrans(
    {
        "×": "*",
        "·": "*",
        "÷": "/",
        "⁄": "/",
        "≤": "≦",
        "≥": "≧",
        "\u2212": "-",
    }
)
LONGEST_FORMULA = 100  # characters
LONGEST_PROSE = 4000  # characters of an answer in which formulas are looked for
MOST_FORMULAS = 20  # of an answer
PROGRAMMING_LANGUAGE = re.compile(r"[A-Z](?:\+\+|\x23)(?:\d\d)?")  # C++, C sharp
BRACKETS_AND_RELATIONS = frozenset("([=<≦/^")
OPERATORS = frozenset("+-*")


def is_formula(text: str) -> bool:
    """Return whether a short text is a formula, a point or a piece of code and no prose.

    >>> [is_formula(text) for text in ("x^2+1", "O(n log n)", "C6H12O6", "the sum of a+b")]
    [True, True, True, False]
    """
    if not 1 < len(text.strip()) <= LONGEST_FORMULA or has_word(text):
        return False
    if PROGRAMMING_LANGUAGE.fullmatch(text.strip()):
        return False
    if FORMULA_SIGN.search(text) or LETTERS_AND_DIGITS.fullmatch(text):
        return True
    return any(word in FUNCTIONS for word in text.replace("\\", " ").split())


def has_word(text: str) -> bool:
    """Return whether a text has a word of three letters that is no function's name."""
    words = LONG_WORD.finditer(text.replace("\\", " ").replace("_", " "))
    return any(word[0].lower() not in FUNCTIONS for word in words)


def split_formula(text: str) -> list[str]:
    """Return the tokens of a formula, without spaces, braces and marks of TeX.

    >>> split_formula(r"CO_{2}"), split_formula("b > a"), split_formula("V = IR")
    (['C', 'O', '2'], ['a', '<', 'b'], ['I', 'R'])
    """
    text = read_tex(raise_powers(text)).strip().rstrip(".")
    text = text.replace(">=", "≧").replace("<=", "≦").replace("**", "^")
    text = ARGUMENT.sub(r"\1 \2", text)
    text = IGNORED.sub("", text.translate(SAME_SIGN))
    text = TIMES_BESIDE_LETTER.sub("", text)
    tokens = list[str]()
    for token in FORMULA_TOKEN.findall(text):
        is_product = token.isalpha() and token.lower() not in FUNCTIONS  # mv
        tokens += list(token) if is_product else [token]
    return order_sides(tokens)


def order_sides(tokens: list[str]) -> list[str]:
    """Return an inequality with its lesser side first, and of "x = 5" only the value."""
    for greater, less in ((">", "<"), ("≧", "≦")):
        if tokens.count(greater) == 1:
            at = tokens.index(greater)
            return [*tokens[at + 1 :], less, *tokens[:at]]
    begins_equation = len(tokens) > 2 and tokens[1] == "="
    if begins_equation and tokens.count("=") == 1 and tokens[0].isalpha():
        return tokens[2:]
    return tokens


HIGH_SIGNS = dict(zip(f"{HIGH}⁺ⁿ", f"{LOW}+n", strict=True))
POWERS = re.compile(f"[{''.join(HIGH_SIGNS)}]+")
GREEK_COMMAND = re.compile(
    r"\\(alpha|beta|gamma|delta|epsilon|theta|lambda|mu|nu|rho|sigma|tau|phi|chi|psi"
    r"|omega)(?![a-z])"
)


def raise_powers(text: str) -> str:
    """Return a formula with its high digits as powers and its Greek letters as such: x² is x^2."""
    if text.isascii() and "\\" not in text:
        return text
    text = POWERS.sub(write_power, text)
    text = GREEK_COMMAND.sub(write_greek_letter, text)
    return unicodedata.normalize("NFKC", text)


def write_power(match: re.Match[str]) -> str:
    """Return the power that high digits are: ^2 for ²."""
    return "^" + "".join(HIGH_SIGNS[sign] for sign in match[0])


def write_greek_letter(match: re.Match[str]) -> str:
    r"""Return the Greek letter of a command of TeX: α for \alpha."""
    return unicodedata.lookup(f"GREEK SMALL LETTER {match[1].upper()}")


def decide_formula(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Decide whether an answer has the formula that a reference is, None if that is not certain.

    Two formulas differ for certain in cases of `is_other_formula`. Others may be equal: 2(x+1) and
    2x+2.
    """
    expected = raise_powers(reference.raw.strip())
    if not is_formula(expected) or REGEX_PART.search(expected) or NUMBER.fullmatch(expected):
        return None
    wanted = split_formula(expected)
    answer_text = answer.raw[:LONGEST_PROSE]
    if "**" not in expected:
        answer_text = strip_bold(answer_text)
    formulas = find_formulas(raise_powers(unwrap_text_commands(answer_text)))
    if formulas and expected[0].islower() and is_capitalized_symbol(formulas[0], answer_text):
        formulas = [formulas[0].strip().lower(), *formulas[1:]]
    for formula in formulas:
        if has_side(formula, wanted):
            has_others = has_word(answer_text) and are_several(formulas)
            return None if has_others else Decision(EQUAL, "formula", formula.strip(), expected)
    if len(formulas) == 1 and is_other_formula(split_formula(formulas[0]), wanted):
        return Decision(DIFFERENT, "formula", formulas[0].strip(), expected)
    return None


def is_capitalized_symbol(formula: str, answer: str) -> bool:
    """Return whether a formula is a symbol with a number that begins a text: V2 is faster."""
    symbol = formula.strip()
    return answer.lstrip().startswith(symbol) and SYMBOL.fullmatch(symbol) is not None


def has_side(formula: str, wanted: list[str]) -> bool:
    """Return whether a formula, or one side of it, has the wanted tokens."""
    sides = [formula]
    if "=" not in wanted:
        sides += formula.split("=")
    filled_sides = filter(str.strip, sides)
    return any(is_same_formula(split_formula(side), wanted) for side in filled_sides)


def are_several(formulas: Sequence[str]) -> bool:
    """Return whether some formulas are not all the same."""
    return len({" ".join(split_formula(formula)) for formula in formulas}) > 1


SYMBOL = re.compile(r"[A-Z]\d{1,3}")  # V2
# A number with a unit or without one: it is compared as a value.
NUMBER = re.compile(r"[-+]?\d[\d.,]*(?: [^\W\d_]+|\s*[%°]?)")
# A part of a regular expression, in which each sign counts: \d, .*
REGEX_PART = re.compile(r"\\[dwsbDWSB](?![A-Za-z])|\.\*")
DELIMITER = re.compile(r"\\[()\[\]]|\$")  # around a formula in TeX: \( \), $ $
TEXT_COMMAND = re.compile(r"\\(?:mathrm|mathbf|text|operatorname|ce)\s*\{((?:[^{}]|\{[^{}]*\})*)\}")


def unwrap_text_commands(text: str) -> str:
    r"""Return a text without the commands around its formulas: \mathrm{H_2O} is H_2O."""
    return DELIMITER.sub("", TEXT_COMMAND.sub(r"\1", text))


def find_formulas(answer: str) -> list[str]:
    """Return the formulas of an answer, which stand between words of three letters or more.

    >>> find_formulas("It runs in O(2^n) time in the worst case.")
    ['O(2^n)']
    """
    if not has_word(answer):
        return [LEADING_WORDS.sub("", answer)] if len(answer) <= LONGEST_FORMULA else []
    formulas = list[str]()
    for part in PROSE_BOUND.split(answer[:LONGEST_PROSE]):
        formula = trim_formula(part)
        if 1 < len(formula) <= LONGEST_FORMULA and is_formula(formula):
            formulas.append(formula)
    return formulas[:MOST_FORMULAS]


def trim_formula(part: str) -> str:
    """Return a part of a text without short words, marks at its ends and an open bracket."""
    formula = SMALL_WORDS.sub("", part).strip(" ,;:.!?")
    if formula.count("(") > formula.count(")"):
        return formula.rstrip("( ")
    return formula


# A word of prose or the end of a sentence: between two of them a formula may stand.
PROSE_BOUND = re.compile(
    r"(?<![\\A-Za-z])(?!(?:sin|cos|tan|log|exp|sqrt|frac|lim|max|min)\b)[^\W\d_]{3,}|[.!?]\s|\n"
)
LEADING_WORDS = re.compile(
    r"^\s*(?:(?:it|that|so|is|or|by|in)(?:['’]s)?\b\s*)+(?=\S)", re.IGNORECASE
)
SMALL_WORDS = re.compile(
    r"(?:^|(?<=\s))(?:in|is|of|to|by|at|on|it|or|an?|so|we|if|as)(?=\s|$)", re.IGNORECASE
)


def is_same_formula(tokens: list[str], wanted: list[str]) -> bool:
    """Return whether two formulas are the same, in any order of terms and factors."""
    if tokens == wanted:
        return True
    terms = split_terms(tokens)
    return terms is not None and terms == split_terms(wanted)


def is_other_formula(tokens: list[str], wanted: list[str]) -> bool:
    """Return whether two formulas differ for certain.

    They have the same number of tokens and differ in one, or only in their order. Or one has all
    tokens of the other and more. Or both are products or sums of the same letters and numbers.
    """
    if drop_brackets(tokens) == drop_brackets(wanted):
        return False  # (4/3)x^3 is 4/3 x^3, though 2(x+1) is not 2x+1
    if len(tokens) == len(wanted):
        pairs = zip(tokens, wanted, strict=True)
        n_changed = sum(token != wanted_token for token, wanted_token in pairs)
        return n_changed == 1 or sorted(tokens) == sorted(wanted)
    if has_more_tokens(wanted, tokens) or has_more_tokens(tokens, wanted):
        return True
    is_product_or_sum = {"(", "[", "="}.isdisjoint([*tokens, *wanted])
    return is_product_or_sum and list_operands(tokens) == list_operands(wanted)


def drop_brackets(tokens: Sequence[str]) -> list[str]:
    """Return the tokens of a formula; without its brackets if it has no sum."""
    if not {"+", "-"}.isdisjoint(tokens):
        return list(tokens)
    return [token for token in tokens if token not in "()"]


def list_operands(tokens: Sequence[str]) -> list[str]:
    """Return the letters and numbers of a formula, sorted."""
    return sorted(token for token in tokens if token.isalnum())


def split_terms(tokens: Sequence[str]) -> list[list[str]] | None:
    """Return the sorted terms of a sum, each with its sorted factors: x + 1 is 1 + x, IR is RI.

    None if there are brackets, powers, fractions or a relation, or for a chemical formula.
    """
    if not BRACKETS_AND_RELATIONS.isdisjoint(tokens) or is_chemical(tokens):
        return None
    signed_terms = [["+"]]
    for token in tokens:
        if token in ("+", "-"):
            signed_terms.append([token])
        elif token != "*":
            signed_terms[-1].append(token)
    terms = list[list[str]]()
    for sign, *factors in signed_terms:
        if factors:
            terms.append([sign, *sorted(factors)])
    return sorted(terms)


def is_chemical(tokens: Sequence[str]) -> bool:
    """Return whether a number stands behind a letter and no operator does, as in H2O."""
    has_later_number = any(token.isdigit() for token in tokens[1:])
    return has_later_number and OPERATORS.isdisjoint(tokens)


def has_more_tokens(tokens: Sequence[str], part: Sequence[str]) -> bool:
    """Return whether a formula has all tokens of another in their order, and more."""
    remaining = iter(tokens)  # `in` goes on behind the last token that it found
    return len(part) < len(tokens) and all(token in remaining for token in part)


# ---- chemicals

# Decide by the formula of a chemical and its name: CO2, carbon dioxide; Au, gold.

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
