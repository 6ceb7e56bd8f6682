"""A reference that is a value: a number with its unit, a date, a formula. The value decides whether an answer is right.

A value is right or it is not, however many words the two texts share: 5 °C is not -5 °C, $50 is not €50, and 1e6 is
1,000,000. Where that cannot be told (the answer has the value and another one beside it, or none at all) nothing is
decided here.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from .lexicon import STOP_WORDS
from .figures import compare_figures, find_figures
from .quantities import Quantity, agree, compatible, is_tenfold, name_difference
from .tex import read_tex
from .text import Text, stem_word

EQUAL, DIFFERENT = "equal", "different"
# The answer says less than the reference, which may do or not (the 1990s for 1990); it does not say yes or no.
COARSER, OPEN = "coarser", "open"
LIKELY, UNLIKELY = "likely", "unlikely"  # it says yes or no by meaning alone


class Decision(NamedTuple):
    """Whether an answer has the value of a reference: what kind of value, what the answer has, what is expected.

    `outcome` is EQUAL, DIFFERENT, COARSER, OPEN, LIKELY or UNLIKELY.
    """

    outcome: str
    kind: str
    found: str
    expected: str


# Words beside a number that do not change what it is.
ABOUT = frozenset(
    "about around approximately roughly nearly almost circa ca some exactly precisely only total just".split()
)
# What bounds a number, before it and after it: below 0 for "at most", above for "at least".
BOUND_BEFORE = re.compile(
    r"(?P<low>at least|no(?:t)? less than|no fewer than|more than|greater than|over|above|exceeding|after|>=?|≥|"
    r"至少|超过|大于|不少于|不低于|多于|高于)\s*$|"
    r"(?P<high>at most|up to|no(?:t)? more than|less than|fewer than|smaller than|under|below|before|<=?|≤|"
    r"至多|最多|不超过|小于|不到|少于|低于)\s*$",
    re.IGNORECASE,
)
BOUND_AFTER = re.compile(
    r"\s*(?P<low>or more|or above|or later|and over|\+(?!\d)|以上|之后|以后)|"
    r"\s*(?P<high>or less|or fewer|or below|or earlier|and under|以下|以内|之前|以前)",
    re.IGNORECASE,
)
LONGEST_BOUND = 16  # characters
PERIOD_PART = re.compile(
    r"(early|mid|middle|late|beginning|end|first half|second half)(?: of)?(?: the)?[ -]*$", re.IGNORECASE
)
PERIOD_PARTS = {"beginning": "early", "middle": "mid", "end": "late", "first half": "early", "second half": "late"}
# An answer that says a fall in words may leave out the minus.
FALL = re.compile(
    r"\b(?:f[ae]ll|declin|decreas|dropp?|shr[aiu]nk|contract|los[et]|loss|down|lower|reduc|below)|下降|减少|跌|降|亏|零下"
)
ORDINAL = re.compile(
    r"(?:\d(?:st|nd|rd|th)|first|second|third|(?:if|four|six|seven|eigh|nin|en|dred|sand)th|tieth)$|^第", re.IGNORECASE
)
FIRST_YEAR, LAST_YEAR = 100, 2100
CURRENCIES = frozenset(
    "dollar euro sterling pound yen yuan rupee won franc ruble crown peso real zloty lira rand baht shekel "
    "bitcoin".split()
)
NEAR = 0.05  # how far a rounded number may be from the exact one
MOST_RIVALS = 50
FEWEST_DIGITS = 3  # of a rounded number that may stand for the exact one


class Bounded(NamedTuple):
    """A quantity with what bounds it: -1 for at most, 1 for at least, 0 for neither; the part of its period."""

    quantity: Quantity
    bound: int
    part: str


def read_bounds(text: str, quantity: Quantity) -> Bounded:
    """Return a quantity of a text with the words around it that bound it."""
    before = text[max(0, quantity.start - LONGEST_BOUND) : quantity.start]
    match = BOUND_BEFORE.search(before) or BOUND_AFTER.match(text, quantity.end)
    bound = 0
    if match:
        bound = 1 if match["low"] else -1
    part = PERIOD_PART.search(before)
    name = part[1].lower() if part else ""
    return Bounded(quantity, bound, PERIOD_PARTS.get(name, name))


def quote_bound(text: str, quantity: Quantity) -> str:
    """Return a quantity as it was written, with what bounds it."""
    start = max(0, quantity.start - LONGEST_BOUND)
    before = BOUND_BEFORE.search(text[start : quantity.start])
    after = BOUND_AFTER.match(text, quantity.end)
    first = start + before.start() if before else quantity.start
    return text[first : after.end() if after else quantity.end].strip()


def has_same_bounds(one: Bounded, other: Bounded) -> bool:
    """Return whether the bounds of two quantities can be the same: one that is not said contradicts nothing."""
    if one.part and other.part and one.part != other.part:
        return False
    return one.bound * other.bound >= 0


def is_value(reference: Text, question: Text) -> bool:
    """Return whether a reference is one quantity and nothing else, but for words of the question and small words."""
    if len(reference.quantities) != 1:
        return False
    quantity = reference.quantities[0]
    inside = reference.words_between(quantity.start, quantity.end)
    for i, word in enumerate(reference.words):
        known = word in STOP_WORDS or word in ABOUT or reference.stems[i] in question.places
        bounds = reference.starts[i] < quantity.start and BOUND_BEFORE.search(reference.lower[: quantity.start])
        is_part = PERIOD_PART.search(reference.lower[: quantity.start])
        if i not in inside and not known and not bounds and not is_part and not is_variable(reference, i):
            return False
    return True


def is_variable(text: Text, i: int) -> bool:
    """Return whether a word is a letter that is set equal to a value: x = 5."""
    after = text.text[text.starts[i] + len(text.shown[i]) :].lstrip()
    return len(text.words[i]) == 1 and after.startswith(("=", "≈"))


def decide_quantity(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return whether an answer has the quantity that a reference is; None where that cannot be told."""
    if not is_value(reference, question):
        return None
    wanted = read_bounds(reference.text, reference.quantities[0])
    expected = wanted.quantity
    said = [one for one in answer.quantities[:MOST_RIVALS] if not repeats_question(one, expected, question)]
    same = [one for one in said if has_value(one, answer, wanted)]
    rivals = [one for one in said if one not in same and can_replace(one, expected)]
    if same:
        denied = any(is_denied(answer, one) for one in same)
        coarse = all(is_coarser(one, expected) for one in same)
        return None if rivals or denied or coarse else Decision(EQUAL, "value", same[0].text, expected.text)
    if len(rivals) == 1 and is_within(rivals[0], expected) and expected.kind != "date":
        return Decision(OPEN, "date", rivals[0].text, expected.text)  # 1995 for the 1990s
    if len(rivals) == 1 and is_within(rivals[0], expected):
        return Decision(COARSER, "date", rivals[0].text, expected.text)
    if not rivals or stands_in(answer, expected) or any(may_be_meant(one, expected) for one in rivals):
        return None
    nearest = max(rivals, key=lambda one: (one.written == expected.written, one.dimension == expected.dimension))
    found, shown = quote_bound(answer.text, nearest), quote_bound(reference.text, expected)
    return Decision(DIFFERENT, name_difference(nearest, expected), found, shown)


def decide_sequence(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return whether an answer has the numbers of a reference that is a point, a range or a list of them."""
    wanted, said = reference.quantities, answer.quantities
    if len(wanted) < 2 or len(said) != len(wanted) or not is_only_quantities(reference):
        return None
    found, expected = (text.text[text.quantities[0].start : text.quantities[-1].end] for text in (answer, reference))
    if all(agree(a, b) for a, b in zip(said, wanted, strict=True)):
        return Decision(EQUAL, "value", found, expected)
    is_point = reference.text.strip()[0] in "([{" or ORDER.search(question.lower)
    is_list = not is_point and LIST_WORD.search(reference.text)
    if is_list and all(any(agree(a, b) for b in wanted) for a in said):
        return None
    if any(can_replace(a, b) for a, b in zip(said, wanted, strict=True) if not agree(a, b)):
        return Decision(DIFFERENT, "number", found, expected)
    return None


ORDER = re.compile(r"\b(?:sort|order|ascending|descending|rank)|排序|顺序")
LIST_WORD = re.compile(r"\band\b|[和、&]|,.*,")


def is_only_quantities(text: Text) -> bool:
    """Return whether a text has nothing but quantities and small words."""
    inside = {i for one in text.quantities for i in text.words_between(one.start, one.end)}
    return all(i in inside or word in STOP_WORDS or word in ABOUT for i, word in enumerate(text.words))


def repeats_question(one: Quantity, expected: Quantity, question: Text) -> bool:
    """Return whether an answer's quantity only repeats one of the question."""
    return not agree(one, expected) and any(agree(one, known) for known in question.quantities)


def has_value(one: Quantity, answer: Text, wanted: Bounded) -> bool:
    """Return whether a quantity of an answer is the one that is wanted, with its bounds and its sign."""
    if agree(one, wanted.quantity):
        return has_same_bounds(read_bounds(answer.text, one), wanted)
    opposite = wanted.quantity._replace(value=negate(wanted.quantity), written=-wanted.quantity.written)
    return wanted.quantity.written < 0 and agree(one, opposite) and bool(FALL.search(answer.lower))


def negate(one: Quantity) -> tuple[float | None, ...]:
    """Return the value of a number with the other sign."""
    return (-(one.value[0] or 0.0), *one.value[1:])


def is_denied(answer: Text, one: Quantity) -> bool:
    """Return whether a denial stands in the clause of a quantity."""
    clauses = {answer.clause[i] for i in answer.words_between(one.start, one.end)}
    return any(answer.clause[i] in clauses for i in (*answer.denials, *answer.untrue))


def is_coarser(one: Quantity, expected: Quantity) -> bool:
    """Return whether a date leaves out a part that is expected: 1813 for 28 January 1813."""
    if expected.kind != "date" or one.kind != "date":
        return expected.kind == "date" and sum(part is not None for part in expected.value) > 1
    return any(a is None and b is not None for a, b in zip(one.value, expected.value, strict=True))


def can_replace(one: Quantity, expected: Quantity) -> bool:
    """Return whether a quantity answers the same question as the one that is expected."""
    if one.kind == expected.kind == "date":
        return any(a is not None and b is not None for a, b in zip(one.value, expected.value, strict=True))
    if is_ordinal(one) != is_ordinal(expected) or is_roman(one) != is_roman(expected):
        return False
    if one.kind != expected.kind:
        return can_replace_year(one, expected)
    if one.written == expected.written or one.dimension == expected.dimension:
        return True
    return compatible(one.dimension, expected.dimension) or are_currencies(one, expected)


def can_replace_year(one: Quantity, expected: Quantity) -> bool:
    """Return whether a number can stand for a year, or a year for a number; 1000 may be either."""
    date, number = (one, expected) if one.kind == "date" else (expected, one)
    if date.value[1:] != (None, None):
        return False
    is_period = number.dimension in ("decade", "age")
    may_be_year = not number.dimension and FIRST_YEAR <= number.written <= LAST_YEAR
    return is_period or may_be_year or is_tenfold(one, expected)


def is_ordinal(one: Quantity) -> bool:
    """Return whether a number is an ordinal: 6th, sixth."""
    return one.kind == "number" and one.dimension not in ("decade", "age") and bool(ORDINAL.search(one.text))


def is_roman(one: Quantity) -> bool:
    """Return whether a number is a Roman numeral."""
    return one.text.isalpha() and one.text.isupper() and one.text.isascii()


def are_currencies(one: Quantity, other: Quantity) -> bool:
    """Return whether two quantities are sums of money."""
    return {one.dimension, other.dimension} <= CURRENCIES


def may_be_meant(one: Quantity, expected: Quantity) -> bool:
    """Return whether a quantity may be the expected one: rounded, in thousands, with the mark of a footnote."""
    if agree(one, expected):  # the bounds differ
        return False
    return may_be_rounded(one, expected) or has_footnote(one, expected) or is_within(one, expected)


def is_within(one: Quantity, expected: Quantity) -> bool:
    """Return whether a year lies in a decade or a century."""
    period, year = (one, expected) if one.dimension in ("decade", "age") else (expected, one)
    if period.dimension not in ("decade", "age") or year.kind != "date" or year.value[0] is None:
        return False
    length, value = (
        (10, period.value[0] or 0) if period.dimension == "decade" else (100, 100 * (period.value[0] or 0) - 100)
    )
    return value <= year.value[0] <= value + length


def stands_in(answer: Text, expected: Quantity) -> bool:
    """Return whether a quantity stands in an answer letter by letter, as part of something else: in1996."""
    if expected.text.isalpha() and stem_word(expected.text.lower()) in answer.places:
        return True  # "second" of "the second most" is no number of its own
    digits = max(re.findall(r"\d[\d.,]*", expected.text), key=len, default="").rstrip(".,")
    if len(digits) < FEWEST_DIGITS:
        return False
    places = [match.start() for match in re.finditer(rf"(?<![\d.,]){re.escape(digits)}", answer.text)]
    return any(not any(one.start <= place < one.end for one in answer.quantities) for place in places)


def has_footnote(one: Quantity, expected: Quantity) -> bool:
    """Return whether a number is the expected one with the digits of a footnote behind it: 19831 for 1983."""
    digits, wanted = (re.sub(r"\D", "", q.text) for q in (one, expected))
    is_longer = digits.startswith(wanted) and 1 <= len(digits) - len(wanted) <= 2
    return len(wanted) >= FEWEST_DIGITS and is_longer and not is_tenfold(one, expected)


def may_be_rounded(one: Quantity, expected: Quantity) -> bool:
    """Return whether a number may be the expected one, rounded or in thousands: 3.14 for 3.14159."""
    if one.kind != expected.kind or one.kind == "date" or one.written * expected.written <= 0:
        return False
    if one.dimension == expected.dimension and is_rounder(one, expected):
        return True
    scaled = [figure.value for figure in find_figures(one.text) if figure.scale]
    if not expected.dimension and scaled == [expected.written]:
        return True  # $137 million, where the reference says 137
    ours, theirs = find_figures(one.text), find_figures(expected.text)
    if not ours or not theirs or one.unit != expected.unit or one.value[0] == expected.value[0]:
        return False
    digits = max(ours[0].digits, theirs[0].digits)
    return digits >= FEWEST_DIGITS and compare_figures(ours[0], theirs[0]) >= 0.8


def is_rounder(one: Quantity, expected: Quantity) -> bool:
    """Return whether two numbers are near, and one of them is rounder than the other: 760 and 759.96."""
    a, b = one.value[0] or 0.0, expected.value[0] or 0.0
    digits = [figure.digits for q in (one, expected) for figure in find_figures(q.text)[:1]]
    return abs(a - b) <= NEAR * max(abs(a), abs(b)) and len(digits) == 2 and digits[0] != digits[1]


NAME_AND_NUMERAL = re.compile(r"\b(?P<name>[A-Z][a-z]+) (?P<numeral>[IVX]{1,5})\b(?!['’.]\w)")
FORMULA_SIGN = re.compile(r"[=<>≤≥+*/^_|\\\[\](){}×·÷±√⁄-]")
LETTERS_AND_DIGITS = re.compile(r"\s*(?=\w*\d)(?=\w*[^\W\d_])[\w()]+\s*")
PROSE = re.compile(r"[^\W\d_]{3,}")
FUNCTIONS = frozenset("sin cos tan log exp sqrt lim max min det mod gcd lcm arcsin arccos arctan sum int frac".split())
FORMULA_TOKEN = re.compile(r"\d+(?:\.\d+)?|[^\W\d_]+|[^\w\s]")
IGNORED = re.compile(r"\\left|\\right|\\,|\\;|\\!|\\ |[_{}$`\\]")
SAME_SIGN = str.maketrans({"×": "*", "·": "*", "÷": "/", "⁄": "/", "≤": "≦", "≥": "≧", "\u2212": "-"})
LONGEST_FORMULA = 100  # characters
MOST_FORMULAS = 20  # of an answer
BRACKETS_AND_RELATIONS = frozenset("([=<≦/^")


def is_formula(text: str) -> bool:
    """Return whether a short text is a formula, a point or a piece of code and no prose.

    >>> is_formula("x^2+1"), is_formula("O(n log n)"), is_formula("C6H12O6"), is_formula("the sum of a+b")
    (True, True, True, False)
    """
    if not 1 < len(text.strip()) <= LONGEST_FORMULA or has_prose(text):
        return False
    return bool(FORMULA_SIGN.search(text)) or bool(LETTERS_AND_DIGITS.fullmatch(text))


def has_prose(text: str) -> bool:
    """Return whether a text has a word of three letters that is no function's name."""
    return any(word.lower() not in FUNCTIONS for word in PROSE.findall(text.replace("\\", " ").replace("_", " ")))


def split_formula(text: str) -> list[str]:
    """Return the tokens of a formula; spaces, braces and marks of TeX tell nothing.

    >>> split_formula(r"CO_{2}"), split_formula("b > a"), split_formula("V = IR")
    (['C', 'O', '2'], ['a', '<', 'b'], ['I', 'R'])
    """
    text = read_tex(text).strip().rstrip(".").replace(">=", "≧").replace("<=", "≦")
    tokens = list[str]()
    for token in FORMULA_TOKEN.findall(IGNORED.sub("", text.translate(SAME_SIGN))):
        tokens += [token] if token.lower() in FUNCTIONS else split_letters(token)
    for sign, turned in ((">", "<"), ("≧", "≦")):
        if tokens.count(sign) == 1:
            at = tokens.index(sign)
            return [*tokens[at + 1 :], turned, *tokens[:at]]
    if len(tokens) > 2 and tokens[1] == "=" and tokens[0].isalpha() and "=" not in tokens[2:]:
        return tokens[2:]  # x = 5 says 5
    return tokens


def split_letters(token: str) -> list[str]:
    """Return the letters of a product such as mv, each for itself; a number stays one."""
    return list(token) if token.isalpha() else [token]


def decide_formula(answer: str, reference: str) -> Decision | None:
    """Return whether an answer has the formula that a reference is; None where that cannot be told.

    Two formulas differ for certain where they have the same tokens in another order, or where one token is another:
    2(x+1) may well be 2x+2.
    """
    if not is_formula(reference):
        return None
    wanted = split_formula(reference)
    formulas = find_formulas(answer)
    for formula in formulas:
        if is_same_formula(split_formula(formula), wanted):
            return Decision(EQUAL, "formula", formula.strip(), reference.strip())
    if len(formulas) == 1 and is_other_formula(split_formula(formulas[0]), wanted):
        return Decision(DIFFERENT, "formula", formulas[0].strip(), reference.strip())
    return None


def find_formulas(answer: str) -> list[str]:
    """Return the formulas of an answer: what stands between words of three letters.

    >>> find_formulas("It runs in O(2^n) time in the worst case.")
    ['O(2^n)']
    """
    if not has_prose(answer):
        return [answer] if len(answer) <= LONGEST_FORMULA else []
    parts = SENTENCE_OR_WORD.split(answer[:LONGEST_PROSE])
    found = [SMALL_WORDS.sub("", part).strip(" ,;:.!?") for part in parts if part]
    return [part for part in found if 1 < len(part) <= LONGEST_FORMULA and is_formula(part)][:MOST_FORMULAS]


LONGEST_PROSE = 4000  # characters in which formulas are looked for
SENTENCE_OR_WORD = re.compile(
    r"(?<![\\A-Za-z])(?!(?:sin|cos|tan|log|exp|sqrt|frac|lim|max|min)\b)[^\W\d_]{3,}|[.!?]\s|\n"
)
SMALL_WORDS = re.compile(r"(?:^|(?<=\s))(?:in|is|of|to|by|at|on|it|or|an?|so|we|if|as)(?=\s|$)", re.IGNORECASE)


def is_same_formula(tokens: list[str], wanted: list[str]) -> bool:
    """Return whether two formulas are the same, but for the order of terms and of factors."""
    if tokens == wanted:
        return True
    terms, own = split_terms(tokens), split_terms(wanted)
    return terms is not None and terms == own


def is_other_formula(tokens: list[str], wanted: list[str]) -> bool:
    """Return whether two formulas differ for certain."""
    if len(tokens) != len(wanted):
        return contains(wanted, tokens) or contains(tokens, wanted)
    changed = sum(one != other for one, other in zip(tokens, wanted, strict=True))
    return changed == 1 or sorted(tokens) == sorted(wanted)


def split_terms(tokens: Sequence[str]) -> list[list[str]] | None:
    """Return the terms of a sum in an order of their own, each with its factors in order: x + 1 is 1 + x, IR is RI.

    None where there are brackets, powers, fractions or an equation.
    """
    if BRACKETS_AND_RELATIONS & set(tokens):
        return None
    if any(token.isdigit() and i for i, token in enumerate(tokens)) and not {"+", "-", "*"} & set(tokens):
        return None  # H2O: the order tells
    terms = [["+"]]
    for token in tokens:
        if token in ("+", "-"):
            terms.append([token])
        elif token != "*":
            terms[-1].append(token)
    return sorted([term[0], *sorted(term[1:])] for term in terms if len(term) > 1)


def contains(tokens: Sequence[str], part: Sequence[str]) -> bool:
    """Return whether a formula has all tokens of another in their order, and more."""
    rest = iter(tokens)
    return len(part) < len(tokens) and all(token in rest for token in part)


def decide_numeral(answer: Text, reference: Text) -> Decision | None:
    """Return that an answer has another Roman numeral behind the same name: Louis XVI for Louis XIV."""
    wanted = read_numerals(reference)
    said = read_numerals(answer)
    for name, numeral in wanted.items():
        others = said.get(name, [])
        if others and not set(numeral) & set(others):
            return Decision(DIFFERENT, "number", f"{name} {others[0]}", f"{name} {numeral[0]}")
    return None


def read_numerals(text: Text) -> dict[str, list[str]]:
    """Return the Roman numerals behind each name.

    >>> read_numerals(Text("Louis XIV was followed by Louis XV"))
    {'Louis': ['XIV', 'XV']}
    """
    found = dict[str, list[str]]()
    for match in NAME_AND_NUMERAL.finditer(text.text):
        found.setdefault(match["name"], []).append(match["numeral"])
    return found
