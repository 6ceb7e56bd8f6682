"""Find a changed name in an answer: the First Federal Bank for the First National Bank.

names.py finds other persons, and same_names.py compares an answer that is just a name. Names with
a number are compared here, too: LH 454, Henry VIII.
"""

import re

from .lexicon import ORDINALS
from .names import NUMERAL, asks_for_person, is_full_name
from .numerals import read_roman
from .outcomes import DIFFERENT, EQUAL, LIKELY, UNLIKELY, Decision
from .same_names import (
    ShortName,
    can_be_same,
    compare_short_names,
    has_missing_word,
    read_expected_name,
    read_short_name,
    sounds_alike,
)
from .text import Text, read_text

LONGEST_APART = 25  # words of an answer in which a surname may stand without its given name
LONGEST_NAME = 5  # words of a reference that is a name
NUMERAL_OF_NAME = re.compile(rf"(?<=\w) {NUMERAL}$")  # Johann Strauss II
NAME_LINKS = frozenset("of the for".split())


def decide_changed_name(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return UNLIKELY if the only name that shares a part with the reference's is another one.

    None if the answer has all words of the reference's name. But "Cristina Kahlo, the sister of
    Frida" does not name Frida Kahlo.
    """
    shown, reference = reference, read_text(NUMERAL_OF_NAME.sub("", reference.text))
    expected = read_expected_name(reference)
    if not expected or len(expected.words) < 2 or says_more_of_person(question, expected):
        return None
    is_apart = stands_apart(answer, reference)
    if answer.has_all_content(reference) and not is_apart:
        return None
    wanted = set(reference.content) - question.places.keys()
    if is_apart:
        wanted = set(reference.content[-1:])
    names = [name for name in join_names(answer) if any(answer.stems[i] in wanted for i in name)]
    if len(names) != 1:
        return None
    name = Text(answer.span(names[0].start, names[0].stop))
    said = read_short_name(name)
    if not said or (not is_apart and has_missing_word(said, expected, answer)):
        return None
    if compare_short_names(name, reference, question) != UNLIKELY:
        return None
    return Decision(UNLIKELY, "name", name.text, shown.text.strip())


def decide_other_name(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Decide by the letters if a question asks for another name of what it names.

    Mumbai and Bombay are read as one name, but here only Bombay is right: what was Mumbai called?
    """
    wanted = reference.raw.strip(" .")
    is_other_name = (
        reference.text.strip(" .") != wanted and wanted.lower() not in question.raw.lower()
    )
    if not is_other_name or not question.has_all_content(reference) or answer.denials:
        return None
    has_name = wanted.lower() in answer.raw.lower()
    return Decision(LIKELY if has_name else UNLIKELY, "name", answer.raw.strip(), wanted)


# "Homo sapiens", "H. sapiens"
SPECIES = re.compile(r"\b(?P<genus>[A-Z][a-z]{2,20}|[A-Z]\.) (?P<epithet>[a-z]{3,20})\b")
ASKS_FOR_SPECIES = re.compile(r"\b(?:scientific|latin|botanical|taxonomic|binomial)\b")


def decide_species(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return EQUAL for a species with a short genus, UNLIKELY for another species of the genus.

    "H. sapiens" is "Homo sapiens", and "Homo erectus" is not.
    """
    expected = SPECIES.fullmatch(reference.text.strip(" ."))
    if not expected or not ASKS_FOR_SPECIES.search(question.lower) or answer.denials:
        return None
    found = [name for name in SPECIES.finditer(answer.text) if is_same_genus(name, expected)]
    if not found:
        return None
    if expected["epithet"] not in answer.first_place:
        return Decision(UNLIKELY, "name", found[0][0], expected[0])
    is_same = len(found) == 1 and found[0]["epithet"] == expected["epithet"]
    return Decision(EQUAL, "name", found[0][0], expected[0]) if is_same else None


def is_same_genus(name: re.Match[str], expected: re.Match[str]) -> bool:
    """Return whether a species has the genus of another one, perhaps one of them as a letter."""
    one, other = (match["genus"].rstrip(".") for match in (name, expected))
    is_short = min(len(one), len(other)) == 1
    return one[0] == other[0] if is_short else one == other


# Names of a father and a son differ by these alone.
ELDER = frozenset("sr senior elder".split())
YOUNGER = frozenset("jr junior younger".split())
HYPHENATED = re.compile(r"\b(?P<first>[A-Z]\w+)-(?P<last>[A-Z]\w+)\b")


def decide_similar_name(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return DIFFERENT if an answer changes what tells two like names apart, else None.

    "Keane Sr." is not "Keane Jr.", and "Brandt-Asante" is not "Brandt-Osei".
    """
    if not reference.names or len(reference.words) > LONGEST_NAME:
        return None
    found, expected = answer.text.strip(), reference.text.strip()
    for own, other in ((ELDER, YOUNGER), (YOUNGER, ELDER)):
        is_other = own.isdisjoint(answer.words) and not other.isdisjoint(answer.words)
        if is_other and not own.isdisjoint(reference.words):
            return Decision(DIFFERENT, "name", found, expected)
    wanted, said = HYPHENATED.search(reference.text), HYPHENATED.search(answer.text)
    if not wanted or not said or wanted[0] in answer.text:
        return None
    is_same_last = sounds_alike(wanted["last"].lower(), said["last"].lower())
    if wanted["first"] == said["first"] and not is_same_last:
        return Decision(DIFFERENT, "name", said[0], expected)
    return None


def says_more_of_person(question: Text, expected: ShortName) -> bool:
    """Return whether a question asks for a person and a name is no office.

    Of persons, names.py compares the given name and the surname.
    """
    return bool(question.words) and asks_for_person(question) and not expected.is_office


def stands_apart(answer: Text, reference: Text) -> bool:
    """Return whether a given name stands in no clause of a short answer with its surname."""
    if len(answer.words) > LONGEST_APART or not is_full_name(reference):
        return False
    given = answer.places.get(reference.stems[0], [])
    surname = answer.places.get(reference.stems[-1], [])
    if not given or not surname or given[0] < surname[0]:
        return False  # Frida, the daughter of Guillermo Kahlo
    return {answer.clause[i] for i in given}.isdisjoint(answer.clause[i] for i in surname)


def join_names(text: Text) -> list[range]:
    """Return the names of a text, those with "of the" and the like between them as one."""
    names = list[range]()
    for start, stop in text.names:
        between = range(names[-1].stop, start) if names else range(0)
        is_linked = between and NAME_LINKS.issuperset(text.words[between.start : between.stop])
        if is_linked and text.clause[between.start - 1] == text.clause[start]:
            names[-1] = range(names[-1].start, stop)
        else:
            names.append(range(start, stop))
    return names


# ---- names with a number

# Decide whether names with a number are the same: Henry VIII, LH 454, AX-1093-B, Toy Story 2.

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
