"""Made-up answers to questions with known right ones: denials, changed numbers, other names and the like, with a seed.

Each kind of answer is made from one question, its references, what people said of its real answers, and the references
of other questions. Nothing here is random but through the generator that is passed in.
"""

import random
import re
from collections.abc import Iterator, Sequence
from types import ModuleType
from typing import NamedTuple

from metrics.correctness_estimate.quantities import MONTHS, ONES, SCALES, TENS, WORDS

YEAR = re.compile(r"\b(?:1\d{3}|20\d{2})\b")
NUMBER = re.compile(r"(?<![\w.,])\d{1,3}(?:,\d{3})*(?:\.\d+)?(?![\w.,]*\d)")
MONTH = re.compile(rf"\b(?:{'|'.join(name.title() for name in MONTHS)})\b")
SPOKEN = "two three four five six seven eight nine ten eleven twelve".split()
SPOKEN_NUMBER = re.compile(rf"\b(?:{'|'.join(SPOKEN)})\b", re.I)
PERSON = re.compile(r"(?:[A-Z][\w'’-]+\.?|[A-Z]\.)(?: (?:[A-Z][\w'’-]+|[A-Z]\.|de|van|von|der)){1,3}")
VERB = re.compile(r"\b(?:is|was|are|were|has|had|can|will)\b(?! not)")
# Answers by the lists of wordings: the kind, the list, how many. Where another is denied, {x} and {y} change places.
WORDED = [
    ("denial", "DENIALS", 3),
    ("not X but Y", "NOT_BUT", 3),
    ("not X but Y", "JOINED", 2),
    ("not X but Y", "PLAIN", 3),
    ("not X but Y, later", "LATER_NOT_BUT", 3),
    ("right, other denied", "NOT_BUT", 3),
    ("right, other denied", "JOINED", 2),
    ("right, other denied", "PLAIN", 5),
    ("right, other denied, later", "LATER_NOT_BUT", 2),
    ("everything but X", "ALL_BUT", 2),
    ("two candidates", "CANDIDATES", 1),
    ("five candidates", "CANDIDATES", 2),
    ("right", "RIGHT", 3),
    ("refusal", "REFUSALS", 1),
    ("question repeated", "REPEATED", 1),
]
# How a list of candidates is set: what stands before each, and between two.
LISTS = [("- ", "\n"), ("* ", "\n"), ("{n}. ", "\n"), ("{n}) ", " "), ("", " / "), ("", "; "), ("", "\n")]
SENTENCE = re.compile(r"(?!As an|Yes|No\b)[^\n:;?!]{1,250}?\.?")  # a whole answer in one
# What begins a sentence in lower case within another.
LOWERED = frozenset("The A An It In On At There This These They He She His Her During After Before As".split())
FILLER = 100  # words of something else around a right answer


class Asked(NamedTuple):
    """One question: its references, and the answers that people found right and wrong."""

    question: str
    references: tuple[str, ...]
    right: tuple[str, ...]
    wrong: tuple[str, ...]


class Made(NamedTuple):
    """One made-up answer, and whether it is right."""

    kind: str
    question: str
    references: tuple[str, ...]
    answer: str
    right: bool


class Others(NamedTuple):
    """What other questions lend: references by their type, given names, and texts about something else."""

    by_type: dict[str, list[str]]
    given: list[str]
    texts: list[str]


def type_of(question: str, reference: str) -> str:
    """Return what kind of thing a reference is, so that another of its kind can stand in its place."""
    if YEAR.search(reference) or MONTH.search(reference):
        return "date"
    if re.search(r"\d", reference) or SPOKEN_NUMBER.search(reference):
        return "number"
    if question.lower().startswith(("who", "whose")) or PERSON.fullmatch(reference):
        return "person"
    if question.lower().startswith("where"):
        return "place"
    return "name" if reference[:1].isupper() else "thing"


def others(asked: Sequence[Asked]) -> Others:
    """Return what questions lend to each other."""
    by_type: dict[str, list[str]] = {}
    given = []
    for one in asked:
        for reference in one.references:
            kind = type_of(one.question, reference)
            by_type.setdefault(kind, []).append(reference)
            if kind == "person" and PERSON.fullmatch(reference):
                given.append(reference.split()[0])
    texts = [text for one in asked for text in one.right if len(text.split()) >= 15]
    return Others(by_type, sorted(set(given)), texts)


def another(one: Asked, x: str, lent: Others, chance: random.Random) -> str:
    """Return a reference of another question, of the same type, that shares no word with this one's."""
    known = set(re.findall(r"\w+", " ".join([one.question, *one.references]).lower()))
    pool = lent.by_type[type_of(one.question, x)]
    for _ in range(30):
        found = chance.choice(pool)
        if not known & set(re.findall(r"\w+", found.lower())) - {"the", "of", "a", "in"}:
            return found
    return "none of these"


def with_other_number(text: str, chance: random.Random) -> str | None:
    """Return a text with one number, year or month changed; None where it has none."""

    def change(match: re.Match[str]) -> str:
        said = match[0]
        if MONTH.fullmatch(said):
            return chance.choice([name.title() for name in MONTHS if name.title() != said])
        if SPOKEN_NUMBER.fullmatch(said):
            return chance.choice([word for word in SPOKEN if word != said.lower()])
        if YEAR.fullmatch(said):
            if chance.random() < 0.25 and said[2] != said[3]:
                return said[:2] + said[3] + said[2]
            return str(
                int(said) + chance.choice([-100, -30, -12, -10, -7, -5, -3, -2, -1, 1, 2, 3, 4, 6, 8, 11, 20, 100])
            )
        figure = float(said.replace(",", ""))
        other = chance.choice([figure + 1, figure + 2, figure * 10, figure * 2, max(figure - 1, 0), figure + 7])
        if other == figure:
            other += 3
        return (
            f"{other:,.{len(said.partition('.')[2])}f}" if "," in said else f"{other:.{len(said.partition('.')[2])}f}"
        )

    found = [*YEAR.finditer(text), *NUMBER.finditer(text), *MONTH.finditer(text), *SPOKEN_NUMBER.finditer(text)]
    if not found:
        return None
    one = chance.choice(found)
    return text[: one.start()] + change(one) + text[one.end() :]


def wrong_number(one: Asked, x: str, chance: random.Random) -> str | None:
    """Return a reference with one number changed, None where it then says what another reference says."""
    changed = with_other_number(x, chance)
    known = (r for r in one.references if not replaced(x, r, r))
    return changed if changed and not any(replaced(changed, r, r) for r in known) else None


def in_words(number: int) -> str:
    """Return a whole number below a trillion in English words.

    >>> in_words(2021)
    'two thousand twenty-one'
    """
    if number < 20:
        return ONES[number]
    if number < 100:
        return TENS[number // 10 - 2] + (f"-{ONES[number % 10]}" if number % 10 else "")
    scale = next(name for name in ("billion", "million", "thousand", "hundred") if SCALES[name] <= number)
    count, rest = divmod(number, SCALES[scale])
    return f"{in_words(count)} {scale}{f' {in_words(rest)}' if rest else ''}"


def with_number_otherwise(text: str) -> str | None:
    """Return a text with one number in words for digits or in digits for words; None where it has none, or a year."""
    digits, spoken = NUMBER.search(text), SPOKEN_NUMBER.search(text)
    if digits and digits[0].replace(",", "").isdigit():
        return text[: digits.start()] + in_words(int(digits[0].replace(",", ""))) + text[digits.end() :]
    return text[: spoken.start()] + f"{WORDS[spoken[0].lower()]}" + text[spoken.end() :] if spoken else None


def with_other_given_name(text: str, lent: Others, chance: random.Random) -> str | None:
    """Return a person's name with another given name; None for what is no such name."""
    parts = text.split()
    if not PERSON.fullmatch(text) or len(parts) > 4 or parts[0].lower() in ("the", "new", "saint", "st."):
        return None
    name = chance.choice(lent.given)
    return f"{name} {parts[-1]}" if name[0] != parts[0][0] else None


def replaced(answer: str, x: str, y: str) -> str | None:
    """Return a text with one phrase replaced wherever it stands; None where it stands nowhere."""
    pattern = re.compile(rf"(?<!\w){re.escape(x)}(?!\w)", re.I)
    return pattern.sub(lambda _: y, answer) if pattern.search(answer) else None


def negated(answer: str, x: str) -> str | None:
    """Return a text with "not" after the first verb of the sentence that has the phrase."""
    at = answer.lower().find(x.lower())
    start = answer.rfind(". ", 0, at) + 1 if at >= 0 else 0
    verb = VERB.search(answer, start) if at >= 0 else None
    if not verb or "." in answer[start : verb.start()].strip(" ."):
        return None
    return answer[: verb.end()] + " not" + answer[verb.end() :]


def filler(lent: Others, chance: random.Random, words: int) -> str:
    """Return some sentences about other things, some `words` long in all."""
    parts: list[str] = []
    while sum(len(part.split()) for part in parts) < words:
        parts.append(" ".join(chance.choice(lent.texts).split()[:60]).rstrip(".") + ".")
    return " ".join(parts)


def listed(x: str, wrong: Sequence[str], chance: random.Random) -> str:
    """Return the right answer among others as a list in words."""
    items = [x, *wrong]
    chance.shuffle(items)
    joint = chance.choice([" or ", " or ", " and ", ", "])
    return ", ".join(items[:-1]) + ("," if joint != ", " and chance.random() < 0.3 else "") + joint + items[-1]


def made(asked: Sequence[Asked], wordings: ModuleType, chance: random.Random, lent: Others) -> Iterator[Made]:
    """Yield made-up answers to all questions, one of each kind that a question is good for."""
    for one in asked:
        x = chance.choice(one.references)
        y = another(one, x, lent, chance)
        filled = wording_of(wordings, one, x, y, lent, chance)
        for kind, right, answer in [*filled, *altered(one, x, y, lent, chance)]:
            if answer:
                yield Made(kind, one.question, one.references, answer, right)
        yield from sentences(one, lent, chance)
        yield from contrasted(one, x, y, wordings, lent, chance)


def wording_of(
    wordings: ModuleType, one: Asked, x: str, y: str, lent: Others, chance: random.Random
) -> list[tuple[str, bool, str | None]]:
    """Return answers by the lists of wordings."""

    def said(name: str, times: int = 1, x: str = x, y: str = y, several: str = "") -> list[str]:
        if name == "JOINED":
            found = [joined(wordings, chance) for _ in range(times)]
        else:
            found = chance.sample(getattr(wordings, name), times)
        texts = [text.format(x=x, y=y, q=one.question, list=several) for text in found]
        return [text[0].upper() + text[1:] if chance.random() < 0.8 else text for text in texts]

    two = listed(x, [y], chance)
    five = listed(x, [another(one, x, lent, chance) for _ in range(chance.choice([2, 3, 4, 4, 4]))], chance)
    result: list[tuple[str, bool, str | None]] = []
    for kind, name, times in WORDED:
        if hasattr(wordings, name):
            right = kind.startswith("right")
            x_and_y = {"x": y, "y": x} if "other denied" in kind else {}
            several = two if kind == "two candidates" else five
            result += [(kind, right, text) for text in said(name, times, **x_and_y, several=several)]
    if chance.random() < 0.3:
        result.append(("denial", False, f"{said('DENIALS')[0]} {filler(lent, chance, 20)}"))
    return result


def contrasted(one: Asked, x: str, y: str, wordings: ModuleType, lent: Others, chance: random.Random) -> Iterator[Made]:
    """Yield sentences that answer in full, in which the right thing is set against others: asserted, denied, listed."""
    if not hasattr(wordings, "PHRASES"):
        return
    places = [(text, r) for text in one.right if SENTENCE.fullmatch(text) for r in one.references if fits(text, r)]
    who = re.match(r"who (?!'s)", one.question, re.I)

    def carried(said: str) -> str:
        """Return a full sentence that names something as the answer."""
        if who and (not places or chance.random() < 0.4):
            return f"{said} {one.question[who.end() :].rstrip(' ?.')}"
        base, inside = chance.choice(places)
        return (replaced(base, inside, said) or "").rstrip(" .")

    if not places and not who:
        return
    for right, kind in ((False, "not X but Y"), (True, "right, other denied")):
        other, named = (y, x) if right else (x, y)
        phrase = chance.choice(wordings.PHRASES).format(x=other, y=named)
        opener = f"{chance.choice(wordings.OPENERS)} " if chance.random() < 0.3 else ""
        contrast = opener + (inner(carried(phrase)) if opener else carried(phrase))
        if chance.random() < 0.2:
            contrast = f"Unlike {other}, {chance.choice(wordings.TRUTH).format(y=named, sy=inner(carried(named)))}"
        aside = chance.choice([*wordings.DENIALS, *(f"{text}." for text in wordings.SET_ASIDE)]).format(x=other)
        parts = [aside, f"{carried(named)}."]
        whole = [chance.choice(wordings.CARRIED), *(set_against(wordings, chance) for _ in range(2))]
        whole = [text.format(x=other, y=named, sx=inner(carried(other)), sy=inner(carried(named))) for text in whole]
        for answer in (contrast, " ".join(parts if chance.random() < 0.6 else parts[::-1]), *whole):
            yield Made(kind, one.question, one.references, answer[0].upper() + answer[1:], right)
    for _ in range(2):
        answer = denied(wordings, chance).format(x=x, sx=inner(carried(x)))
        yield Made("denial", one.question, one.references, answer, False)
    affirmed = chance.choice(wordings.AFFIRMED).format(sx=inner(carried(x)))
    yield Made("right", one.question, one.references, f"{affirmed}.", True)
    wrong = [another(one, x, lent, chance) for _ in range(chance.choice([2, 3, 4, 4]))]
    guess = chance.choice(["", "I think ", "One of ", "Either ", "Perhaps ", "Possibly "])
    items = [x, *wrong]
    chance.shuffle(items)
    mark, joint = chance.choice(LISTS)
    lines = joint.join(f"{mark.format(n=n)}{text}" for n, text in enumerate(items, 1))
    for answer in (carried(guess + listed(x, wrong, chance)), lines):
        yield Made("five candidates", one.question, one.references, answer, False)


def fits(sentence: str, x: str) -> bool:
    """Return whether a sentence has a phrase, and says something of it."""
    return bool(replaced(sentence, x, x)) and len(sentence.split()) >= len(x.split()) + 3


def inner(sentence: str) -> str:
    """Return a sentence as it stands within another."""
    return sentence[0].lower() + sentence[1:] if sentence.split()[0] in LOWERED else sentence


def upper(text: str) -> str:
    """Return a wording with a capital, unless a name or a sentence stands first."""
    return text if text.startswith("{") else text[0].upper() + text[1:]


def set_aside(wordings: ModuleType, chance: random.Random) -> str:
    """Return a wording that names something without standing by it, or denies it."""
    name = chance.choice(("CLAIMED", "CLAIMED", "REFUTED", "DOUBTED", "SET_ASIDE"))
    said = chance.choice(getattr(wordings, name))
    if name in ("CLAIMED", "SET_ASIDE") and chance.random() < 0.4:
        said += f". {chance.choice(wordings.CLOSED)}"
    return said


def set_against(wordings: ModuleType, chance: random.Random) -> str:
    """Return a wording that sets one thing aside for another, in either order."""
    aside, truth = set_aside(wordings, chance), chance.choice(wordings.TRUTH)
    if chance.random() < 0.25:
        return f"{upper(truth)}{chance.choice(('. ', '. ', '; ', ' - '))}{aside}."
    joint = chance.choice((". ", ". ", ". ", "; ", ": ", ", but ", " - ", "\n"))
    said = upper(truth) if joint in (". ", "\n") else truth
    return f"{aside}{joint}{said}."


def denied(wordings: ModuleType, chance: random.Random) -> str:
    """Return a wording that takes back what it names."""
    name = chance.choice(("CLAIMED", "REFUTED", "REFUTED", "DOUBTED"))
    said = chance.choice(getattr(wordings, name))
    return f"{said}. {chance.choice(wordings.CLOSED)}." if name == "CLAIMED" else f"{said}."


def joined(wordings: ModuleType, chance: random.Random) -> str:
    """Return a wording made of parts."""
    joint, aside, other = (chance.choice(getattr(wordings, name)) for name in ("JOINED", "SET_ASIDE", "NAMED"))
    first = aside if joint.startswith("{a}") else aside[0].lower() + aside[1:]
    return f"{joint.format(a=first, A=aside, b=other, B=other if other.startswith('{') else other.capitalize())}."


def altered(one: Asked, x: str, y: str, lent: Others, chance: random.Random) -> list[tuple[str, bool, str | None]]:
    """Return answers that are a right one with something changed."""
    base = chance.choice(one.right) if one.right else f"The answer is {x}."
    inside = next((r for r in one.references if replaced(base, r, r)), None)
    other_given = with_other_given_name(x, lent, chance)
    result: list[tuple[str, bool, str | None]] = [
        ("entity swapped", False, y),
        ("entity swapped", False, replaced(base, inside, y) if inside else None),
        ("denial", False, negated(base, inside) if inside else None),
        ("other given name", False, other_given),
        ("other given name", False, other_given and f"It was {other_given}."),
    ]
    for frame in ("{}", "It was {}.", "In {}.", "The answer is {}.", "About {}."):
        changed = wrong_number(one, x, chance)
        result.append(("number changed", False, changed and frame.format(changed)))
        written = with_number_otherwise(x)
        result.append(("right, number otherwise", True, written and frame.format(written)))
    if inside:
        changed, written = wrong_number(one, inside, chance), with_number_otherwise(inside)
        result.append(("number changed", False, changed and replaced(base, inside, changed)))
        result.append(("right, number otherwise", True, written and replaced(base, inside, written)))
        given = with_other_given_name(inside, lent, chance)
        result.append(("other given name", False, given and replaced(base, inside, given)))
    text = filler(lent, chance, FILLER).split(". ")
    at = chance.randrange(len(text) + 1)
    short = chance.choice([f"The answer is {x}", f"It is {x}", base.rstrip("."), base.rstrip("."), x])
    result.append(("right in long text", True, ". ".join([*text[:at], short, *text[at:]])))
    if chance.random() < 0.3:
        result.append(("something else", False, filler(lent, chance, chance.choice([15, 40, FILLER]))))
    return result


def sentences(one: Asked, lent: Others, chance: random.Random) -> Iterator[Made]:
    """Yield pairs whose reference is a whole right answer: the other answers, and itself with something changed."""
    whole = [text for text in one.right if 6 <= len(text.split()) <= 40]
    if not whole:
        return
    reference = chance.choice(whole)
    inside = next((r for r in one.references if replaced(reference, r, r)), None)
    known = {reference}

    def pair(kind: str, answer: str | None, right: bool) -> Iterator[Made]:
        if answer and answer not in known:
            known.add(answer)
            yield Made(kind, one.question, (reference,), answer, right)

    for text in chance.sample(one.right, min(2, len(one.right))):
        yield from pair("sentence", text, True)
    for text in chance.sample(one.wrong, min(2, len(one.wrong))):
        yield from pair("sentence", text, False)
    if inside:
        yield from pair("sentence, entity", replaced(reference, inside, another(one, inside, lent, chance)), False)
        changed = wrong_number(one, inside, chance)
        yield from pair("sentence, number", changed and replaced(reference, inside, changed), False)
        yield from pair("sentence, denial", negated(reference, inside), False)
    if chance.random() < 0.3:
        yield Made("sentence", one.question, (reference,), reference, True)
