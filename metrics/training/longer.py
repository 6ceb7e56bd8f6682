"""Made-up answers for what EVOUNA has few of: long references, figures, yes and no, long refusals."""

import random
import re
from collections.abc import Iterator, Sequence

from metrics.training.generator import Asked, Made, Others, another, filler, inner, replaced

LONG = 8  # words of a right answer that can stand as a reference
MOST_WRONG, MOST_RIGHT = 3, 2  # of a question's answers beside such a reference
THINGS = (
    "revenue, net income, operating profit, total assets, capital expenditure, gross margin, free cash flow, "
    "long-term debt, "
    "the population, the area, the budget, the number of visitors, the cost of the bridge, the depth of the lake, "
    "the output"
).split(", ")
SAYS = (
    "{f}", "It was {f}.", "{t} was {f}.", "In {y}, {t} came to {f}.", "{t} amounted to about {f} in {y}.",
    "According to the report for {y}, {t} stood at {f}, after {g} the year before.", "The answer is {f}.",
    "From the table we take {g} and {h}; the difference gives {f}.",
)  # fmt: skip
IS = re.compile(
    r"(?P<start>[A-Z][^.,;:?!]{2,70}?) (?P<verb>is|was|are|were) (?P<rest>(?!not |never |n't)[^.;:?!]{3,90})"
)
REFUSED = (
    "As of my last update, I do not have access to {q}. Please refer to official sources for the latest information.",
    "I'm sorry, but the text that was provided does not contain any information on this. To find out, you would need "
    "to "
    "consult the original documents or contact those who wrote them.",
    "Unfortunately, it is not possible to determine {q} from what is given. More context would be needed.",
    "The documents do not mention {q}. There is some information on related matters, but not enough to answer.",
    "I cannot access real-time data, so I am unable to say {q}. Please check a reliable website.",
    "There is insufficient information to calculate this. The figures that would be required are not provided in the "
    "text.",
    "Without access to the full report I can't verify {q}; you may want to look at the notes to the statements.",
    "My training data does not include details about {q}. It would be best to ask an expert in the field.",
    "The question cannot be answered with certainty, as the necessary details are not specified. However, {f}",
    "I don't have specific information on that. {f}",
)
KNOWN = (
    "I do not have access to the latest data, but according to what I know it is {x}.",
    "The text does not state it in so many words; it follows, however, that it is {x}.",
    "While I can't verify this in real time, the answer is {x}.",
)


def long_references(questions: Sequence[Asked], chance: random.Random) -> Iterator[tuple[int, Made]]:
    """Yield real answers beside a long right answer to the same question in place of its reference."""
    for i, one in enumerate(questions):
        long = [text for text in one.right if len(text.split()) >= LONG]
        if not long:
            continue
        reference = chance.choice(long)
        others = [text for text in one.right if text != reference]
        for texts, most, right in ((one.wrong, MOST_WRONG, False), (others, MOST_RIGHT, True)):
            for text in chance.sample(texts, min(most, len(texts))):
                yield i, Made("long reference", one.question, (reference,), text, right)


def made(
    questions: Sequence[Asked], lent: Others, counts: dict[str, int], chance: random.Random
) -> Iterator[tuple[int, Made]]:
    """Yield so many made-up answers of each kind, each with the number of its question or of some."""
    for one in magnitudes(counts["magnitude"], chance):
        yield chance.randrange(len(questions)), one
    for kind, found in (("yes or no", yes_or_no), ("long refusal", refusals)):
        some = list(found(questions, lent, chance))
        yield from chance.sample(some, min(counts[kind], len(some)))


def magnitudes(count: int, chance: random.Random) -> Iterator[Made]:
    """Yield answers that give a figure in thousands, millions or percent, the right one or another."""
    for _ in range(count):
        thing, year = chance.choice(THINGS), str(chance.randrange(1990, 2024))
        figure, other, third = (chance.randrange(1001, 99999) / chance.choice((1, 10, 10)) for _ in range(3))
        if chance.random() < 0.2:  # a round one
            figure = chance.choice((1, 2, 3, 5, 7)) * 10 ** chance.randrange(1, 6)
        percent = chance.random() < 0.25
        write = shares if percent else sums
        if percent:
            figure, other, third = figure % 97 + 1.5, other % 89 + 2.5, third % 83 + 3.5
        right = chance.random() < 0.5
        tenfold = chance.random() < 0.25
        if not right and tenfold:  # no thousands, no millions: another figure
            other = figure * chance.choice((10, 0.1))
        elif not right and chance.random() < 0.5:  # one digit only
            digits = f"{figure:.2f}" if percent else f"{figure:g}"
            at = chance.choice([k for k, c in enumerate(digits) if c.isdigit() and k < 3])
            other = float(digits[:at] + str((int(digits[at]) + chance.randrange(1, 9)) % 10 or 1) + digits[at + 1 :])
        if abs(other / figure - 1) < 0.06:
            other = figure * 1.4
        said, expected = chance.choice(write(figure if right else other)), chance.choice(write(figure))
        if not right and not percent and chance.random() < 0.2:  # the same digits, and another word for how many
            one, two = chance.sample(("thousand", "million", "billion", "trillion"), 2)
            said, expected = f"{figure % 1000:.4g} {one}", f"{figure % 1000:.4g} {two}"
        form = chance.choice(SAYS)
        answer = form.format(
            f=said, g=chance.choice(write(third)), h=chance.choice(write(third * 1.3)), t=thing, y=year
        )
        yield Made(
            "magnitude",
            f"what was {thing} in {year}",
            (expected,),
            answer[0].upper() + answer[1:],
            right,
        )


def sums(figure: float) -> list[str]:
    """Return ways of writing a sum in millions."""
    short, whole = f"{figure / 1000:.4g} billion", f"{figure:,.10g}"
    return [
        f"{figure:g}", f"${figure:.2f}", whole, f"${whole} million", f"{whole} million", f"${short}", short,
        f"{figure * 1e6:,.0f}", f"${figure * 1e3:,.0f} thousand",
    ]  # fmt: skip


def shares(figure: float) -> list[str]:
    """Return ways of writing a share."""
    return [f"{figure:.1f}%", f"{figure:.2f}%", f"{figure / 100:.3f}", f"{figure:.1f} percent", f"about {figure:.1f} %"]


def yes_or_no(questions: Sequence[Asked], lent: Others, chance: random.Random) -> Iterator[tuple[int, Made]]:
    """Yield questions made of sentences that are right or have something else put in, and answers to them."""
    for i, one in enumerate(questions):
        places = [(IS.match(text), x) for text in one.right for x in one.references if replaced(text, x, x)]
        match, x = next(((found, x) for found, x in places if found), (None, ""))
        if not match or not replaced(match["rest"], x, x):
            continue
        holds = chance.random() < 0.5
        other = another(one, x, lent, chance)
        start, verb, rest = match["start"], match["verb"], match["rest"].strip()
        asked_rest = rest if holds else replaced(rest, x, other) or rest
        asked = f"{verb} {inner(start)} {asked_rest}?"
        said, denied = f"{start} {verb} {asked_rest}.", f"{start} {verb} not {asked_rest}."
        truth = f"{start} {verb} {rest}."
        good, bad = ("Yes", "No") if holds else ("No", "Yes")
        agreeing, differing = (said, denied) if holds else (denied, said)
        reference = chance.choice([good, good, f"{good}.", f"{good}, {inner(agreeing)}"])
        answers = [
            (good, True), (f"{good}.", True), (f"{good}, {inner(agreeing)}", True), (agreeing, True), (bad, False),
            (f"{bad}, {inner(differing)}", False), (differing, False), (f"{truth} So the answer is {good.lower()}.",
            True), (f"{truth} Therefore, {bad.lower()}.", False), (f"{bad}. {truth}", False), (f"{good}. {truth}",
            True),
        ]  # fmt: skip
        for answer, right in chance.sample(answers, 4):
            yield i, Made("yes or no", asked, (reference,), answer, right)


def refusals(questions: Sequence[Asked], lent: Others, chance: random.Random) -> Iterator[tuple[int, Made]]:
    """Yield long refusals, and answers that begin like one."""
    for i, one in enumerate(questions):
        x, more = one.references[0], filler(lent, chance, 15)
        if chance.random() < 0.7:
            answer = chance.choice(REFUSED).format(q=one.question.rstrip("?"), f=more)
            yield i, Made("long refusal", one.question, one.references, answer, False)
        else:
            yield i, Made("long refusal", one.question, one.references, chance.choice(KNOWN).format(x=x), True)
