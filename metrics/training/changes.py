"""One fact of a text changed, or its form alone: what a score should see, and what it should not.

Each change takes a text, what the changed thing must also stand in (a reference; "" for anything) and a generator of
chance, and returns the text with it, None where there is nothing to change. Facts: FACTS; forms: FORMS.
"""

import random
import re
from collections.abc import Callable, Iterator, Sequence

from metrics.correctness_estimate.opposites import ENGLISH
from metrics.training.denials import PARTS, denied
from metrics.training.generator import NUMBER, YEAR, Asked, Made, with_number_otherwise, with_other_number

OPPOSITE: dict[str, str] = {}
for pair in ENGLISH.replace("\n", " ").split(","):
    one, other = pair.split()
    OPPOSITE.setdefault(one, other)
    OPPOSITE.setdefault(other, one)
NAME = re.compile(r"(?<![.!?\n] )(?<!^)\b[A-Z][a-z]+(?: [A-Z][a-z]+){0,2}\b")
OTHER_NAMES = (
    "Harold Benson, Clara Whitfield, Marlow, Aldeburgh, Lisbon, Norway, Kent, Thornton, Helena Ortiz, Peter Lang, "
    "Dakota, "
    "Verona, Osborne, Maria Keller, Victor Hale, Brighton, Samuel Reed, Anna Lindqvist"
).split(", ")
OPENINGS = (
    "Thank you for the question. ", "Let me explain this briefly. ", "That is an interesting question. ", "Here is "
    "what I know. ",
    "Certainly! ", "Well, as far as I know, this is the case: ",
)  # fmt: skip
ENDINGS = (
    " I hope this helps!", " Let me know if you would like to hear more.", " That is all there is to say on it.",
    " Feel free to ask further questions.", " I trust that this is what you were looking for.",
)  # fmt: skip
MARKER = re.compile(r"^\W*\d+(?=[.):](?!\d))", re.M)  # the number of a line; it is no fact
Change = Callable[[str, str, random.Random], str | None]


def shared(found: Sequence[re.Match[str]], reference: str) -> list[re.Match[str]]:
    """Return what stands in the reference, too."""
    return [one for one in found if not reference or re.search(rf"(?<!\w){re.escape(one[0])}(?!\w)", reference)]


def put(text: str, match: re.Match[str], said: str) -> str:
    """Return a text with something else in the place of a match."""
    return text[: match.start()] + said + text[match.end() :]


def number(text: str, reference: str, chance: random.Random) -> str | None:
    """Change one number or year."""
    markers = {one.end() for one in MARKER.finditer(text)}
    numbers = [one for one in (*YEAR.finditer(text), *NUMBER.finditer(text)) if one.end() not in markers]
    found = shared(numbers, reference)
    match = chance.choice(found) if found else None
    other = with_other_number(match[0], chance) if match else None
    return put(text, match, other) if match and other else None


def name(text: str, reference: str, chance: random.Random) -> str | None:
    """Change one name wherever it stands."""
    found = shared([*NAME.finditer(text)], reference)
    if not found:
        return None
    said, other = chance.choice(found)[0], chance.choice(OTHER_NAMES)
    return re.sub(rf"\b{re.escape(said)}\b", other, text) if other not in text else None


def denial(text: str, reference: str, chance: random.Random) -> str | None:
    """Deny one sentence, of those that have most words in common with the reference."""
    known = set(re.findall(r"\w{4,}", reference.lower()))
    parts = [one for one in PARTS.finditer(text) if len(one[0].split()) > 3]
    near = sorted(parts, key=lambda one: -len(known & set(re.findall(r"\w{4,}", one[0].lower()))))
    for part in near[:2] if reference else chance.sample(parts, len(parts)):
        if (said := denied(part[0], chance)) and said != part[0]:
            return put(text, part, said)
    return None


def opposite(text: str, reference: str, chance: random.Random) -> str | None:
    """Put one word's opposite in its place."""
    found = shared([one for one in re.finditer(r"\b[a-z]+\b", text) if one[0] in OPPOSITE], reference)
    match = chance.choice(found) if found else None
    return put(text, match, OPPOSITE[match[0]]) if match else None


def swap(text: str, reference: str, chance: random.Random) -> str | None:
    """Let two numbers, or two names, of a text change places."""
    kinds = [shared([*pattern.finditer(text)], reference) for pattern in (NUMBER, YEAR, NAME)]
    pairs = [
        (a, b)
        for found in kinds
        for i, a in enumerate(found)
        for b in found[i + 1 :]
        if a[0] != b[0] and a.end() < b.start()
    ]
    if not pairs:
        return None
    one, other = chance.choice(pairs)
    return put(put(text, other, one[0]), one, other[0])


def in_words(text: str, reference: str, chance: random.Random) -> str | None:
    """Write one number in words, or in digits."""
    said = with_number_otherwise(text)
    return said if said and not re.search(r"\d[.,:/]?hundred", said) else None


def order(text: str, reference: str, chance: random.Random) -> str | None:
    """Put the sentences in another order."""
    parts = re.split(r"(?<=[.!?])\s+", text.strip())
    if len(parts) < 2:
        return None
    last = parts.pop() if chance.random() < 0.5 else parts.pop(0)
    return " ".join([last, *parts]) if parts[-1].endswith((".", "!", "?")) else None


def filler(text: str, reference: str, chance: random.Random) -> str | None:
    """Put words that say nothing before and after a text."""
    return chance.choice(OPENINGS) + text + chance.choice(ENDINGS)


FACTS: dict[str, Change] = {"number": number, "name": name, "not": denial, "opposite": opposite, "swapped": swap}
FORMS: dict[str, Change] = {"number in words": in_words, "order": order, "filler": filler}


def made(questions: Sequence[Asked], chance: random.Random) -> Iterator[tuple[int, Made]]:
    """Yield long right answers with one fact or their form changed, beside themselves or another one as the "
    "reference.
    """
    for i, asked in enumerate(questions):
        long = [
            text for text in asked.right if len(re.findall(r"[.!?](?:\s|$)", text)) >= 2 and len(text.split()) >= 15
        ]
        if not long:
            continue
        reference, answer = chance.choice(long), chance.choice(long)
        for kinds, right in ((FACTS, False), (FORMS, True)):
            for kind, change in kinds.items():
                if said := change(answer, reference, chance):
                    label = f"changed, {kind}" if not right else f"form, {kind}"
                    yield i, Made(label, asked.question, (reference,), said, right)
