"""Decide whether names with a number are the same: Henry VIII, LH 454, AX-1093-B, Toy Story 2."""

import re

from .lexicon import ORDINALS
from .numerals import read_roman
from .outcomes import DIFFERENT, EQUAL, UNLIKELY, Decision
from .same_names import can_be_same
from .text import Text

# The numbers behind each name, with the name and the numeral as they were written.
Numerals = dict[str, dict[float, str]]

LONGEST_ANSWER = 4000  # characters in which numbered names are looked for
# "Henry VIII", "Henry the Eighth".
NAME_AND_NUMERAL = re.compile(
    r"\b(?P<name>[A-Z][a-z]+) (?:(?P<roman>[IVX]{1,5})\b(?!['’.]\w)"
    rf"|the (?P<ordinal>(?i:{'|'.join(ORDINALS)}))\b)"
)
# "LH 454", "LH454", "A-380B".
NUMBERED_NAME = re.compile(
    r"(?<![A-Za-z0-9])(?P<letters>[A-Z]{1,4})[ -]?(?P<digits>\d{1,6})(?P<end>[A-Z]?)(?![A-Za-z0-9])"
)


def decide_numbered_name(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Decide by a reference that is letters and a number, however spaced: LH 454."""
    wanted = NUMBERED_NAME.fullmatch(reference.raw.strip(" ."))
    if not wanted:
        return None
    names = list(NUMBERED_NAME.finditer(answer.text[:LONGEST_ANSWER]))
    said = [name for name in names if name["letters"] == wanted["letters"]]
    if not said and any(name["digits"] == wanted["digits"] for name in names):
        return Decision(UNLIKELY, "name", names[0][0], reference.raw.strip())
    n_same = sum(name.groups() == wanted.groups() for name in said)
    has_several = 0 < n_same < len(said)
    if not said or has_several:
        return None
    outcome = EQUAL if n_same else DIFFERENT
    return Decision(outcome, "number", said[0][0], reference.raw.strip())


# "vitamin C", "gate B"
LETTERED_NAME = re.compile(r"(?P<name>[A-Za-z]{3,}) (?P<letter>[A-Z])")


def decide_lettered_name(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return DIFFERENT if an answer has another letter behind a word than a reference, else None.

    "Vitamin A" is not "vitamin C". None if the answer has both.
    """
    wanted = LETTERED_NAME.fullmatch(reference.raw.strip(" ."))
    if not wanted or wanted["name"].lower() in ("the", "and", "option", "answer"):
        return None
    letters = re.findall(rf"\b(?i:{wanted['name']}) ([A-Z])(?![\w'’])", answer.text)
    if not letters or wanted["letter"] in answer.shown:
        return None
    return Decision(DIFFERENT, "name", f"{wanted['name']} {letters[0]}", reference.raw.strip())


# What is said letter by letter: a serial number, a password.
ASKS_FOR_CODE = re.compile(
    r"^\W*(?:what|which)(?:'s)? (?:(?:is|was|are|the|his|her|their|my|your|its) ){0,3}"
    r"(?:[\w'-]+ ){0,2}?(?:pass(?:word|code|phrase)|pin|code|id|identifier"
    r"|(?:number|licen[cs]e) plate|sku|(?:serial|registration|booking|reference|tracking|order|part"
    r"|model|account|ticket|room|flight|case|invoice|batch) (?:number|no|code)"
    r"|user ?name|iban|isbn|vin|hash)\b"
)
WORD_AND_NUMBER = re.compile(r"[A-Za-z]{3} \d")  # HTTP 404, Python 3
# Letters and digits, in groups or not: AX-1093-B.
CODE = re.compile(r"(?=.*\d)(?=.*[A-Za-z])[A-Za-z0-9]{1,20}(?:[ ._/-][A-Za-z0-9]{1,20}){0,6}")
BETWEEN_GROUPS = "[ ._/-]?"
LONGEST_SHORT_ANSWER = 12  # words


def decide_identifier(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return EQUAL if an answer has the code of a reference, however grouped: AX-1093-B.

    UNLIKELY if a short answer has it not, or in part. None if the question asks for no code, if the
    reference is none, or if a longer answer has it not.
    """
    expected = reference.raw.strip().rstrip(".")
    is_amount = any(quantity.dimension for quantity in reference.quantities)
    if is_amount or not is_identifier(expected) or not ASKS_FOR_CODE.search(question.lower):
        return None
    groups = re.findall(r"[A-Za-z]+|\d+", expected)
    pattern = BETWEEN_GROUPS.join(map(re.escape, groups))
    found = re.search(
        rf"(?<![A-Za-z0-9])(?<![A-Za-z0-9]-){pattern}(?!-?[A-Za-z0-9])", answer.raw, re.IGNORECASE
    )
    if found:
        return None if answer.denials else Decision(EQUAL, "name", found[0], expected)
    if len(answer.words) > LONGEST_SHORT_ANSWER:
        return None
    return Decision(UNLIKELY, "name", answer.text.strip(), expected)


def is_identifier(text: str) -> bool:
    """Return whether a text is made of letters and digits, and has no words: AX-1093-B."""
    has_words = any(part.islower() for part in text.split(" ")[1:])  # 4 to 5 bits
    if has_words or WORD_AND_NUMBER.search(text):
        return False
    return CODE.fullmatch(text) is not None


def decide_numeral(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return DIFFERENT for another numeral behind a name (Henry VIII, the Ninth), else None.

    UNLIKELY for a name that only has a number more than the reference: Toy Story 2, Toy Story.
    """
    if adds_number(answer, reference, question):
        return Decision(UNLIKELY, "number", answer.text.strip(), reference.text.strip())
    if len(reference.words) < 2:  # a name and its number
        return None
    expected = read_numerals(reference)
    said = read_numerals(answer) if expected else {}
    for name, expected_numerals in expected.items():
        numerals = said.get(name, {})
        if numerals and expected_numerals.keys().isdisjoint(numerals):
            shown, expected_shown = min(numerals.values()), min(expected_numerals.values())
            return Decision(DIFFERENT, "number", shown, expected_shown)
    if has_other_name(said, expected):
        return Decision(UNLIKELY, "name", answer.text.strip(), reference.text.strip())
    return None


def has_other_name(said: Numerals, expected: Numerals) -> bool:
    """Return whether an answer's only name has another name's numeral: Henry XIV, Louis XIV."""
    if len(said) != 1 or len(expected) != 1:
        return False
    [(name, numerals)] = said.items()
    [(expected_name, expected_numerals)] = expected.items()
    if numerals.keys() != expected_numerals.keys():
        return False
    return not can_be_same(name.lower(), expected_name.lower())


# The number of a sequel: "Part II", "2", "Vol. 3". A Roman numeral alone may be that of a person.
SEQUEL = re.compile(
    r"(?P<name>[A-Z].{0,60}\w),? (?:(?:Part|Volume|Vol\.|Chapter|Episode) (?:[IVX]{1,5}|[1-9]\d?)"
    r"|[2-9])\W*"
)
NOT_IN_NAME = re.compile(r"^(?:the|an?) |[^\w ]", re.IGNORECASE)


def adds_number(answer: Text, reference: Text, question: Text) -> bool:
    """Return whether an answer is a reference's name with the number of a sequel behind it."""
    sequel = SEQUEL.fullmatch(answer.text.strip())
    if not sequel or reference.quantities or question.quantities:
        return False
    return simplify_name(sequel["name"]) == simplify_name(reference.text)


def simplify_name(text: str) -> str:
    """Return a name in lower case, without its article and marks."""
    return NOT_IN_NAME.sub("", text.strip().lower())


def read_numerals(text: Text) -> Numerals:
    """Return the numbers behind each name, with the name and the numeral as they were written.

    >>> read_numerals(Text("Louis XIV was followed by Louis the Fifteenth"))
    {'Louis': {14.0: 'Louis XIV', 15: 'Louis the Fifteenth'}}
    """
    numerals: Numerals = {}
    for match in NAME_AND_NUMERAL.finditer(text.text):
        if match["roman"]:
            number = read_roman(match["roman"])
        else:
            number = ORDINALS.index(match["ordinal"].lower()) + 1
        numerals.setdefault(match["name"], {})[number] = match[0]
    return numerals
