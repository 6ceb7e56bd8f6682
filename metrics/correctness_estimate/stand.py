"""Where an answer stands beside a reference: its figures in any magnitude, yes or no, and whether it refuses."""

import math
import re
from collections.abc import Iterator
from typing import NamedTuple

from .quantities import SCALES
from .wording import Text
from .word_lists import WITHOUT_DATA

FIGURE = re.compile(r"(?<![\w.√⁄])(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,30}(?:\.\d{1,30})?|\.\d{1,30})(?!⁄)")
SCALE = re.compile(r"\s?(thousand|million|billion|trillion)\b")
MOST_FIGURES = 40  # of a text
YES = re.compile(
    r"\W*(?:(?:yes|yeah|yep|correct|true|right|ja|indeed)\b|(?:是的|没错|对|正确|可以|能|会|是)(?=\W|$))", re.I
)
NO = re.compile(
    r"\W*(?:(?:no|nope|not really|incorrect|false|nein)\b|(?:不是|不对|不能|不可以|不会|不|错误?|否|没有)(?=\W|$|的))",
    re.I,
)
# From the last mark before yes or no: from every mark, a run of them would be read again and again.
CONCLUDES = re.compile(
    r"(?:[.!?:\n][^\w.!?:\n]*|\b(?:so|therefore|thus|hence|answer is|conclusion),?\W+)(yes|no)\b", re.I
)
ASKS = re.compile(
    r"\W*(?:(?:in|based|according|as|for|if|when|at|during|given|using)\b[^?,]*, ?)?(?:is|are|was|were|do|does|did|"
    r"has|have|had|"
    r"can|could|will|would|should|may|might)\b|.*(?:吗|是否|是不是|能不能|有没有)",
    re.I | re.S,
)
MOST_READ = 3000  # characters in which a conclusion is looked for
SAID = 0.5  # how sure it is that a sentence with the question's words says yes, or no where it denies


class Figure(NamedTuple):
    """A figure in digits: its value, how many digits tell and stand after the point, whether %, which scale follows."""

    value: float
    digits: int
    decimals: int
    percent: bool
    scale: str


def figures(text: str) -> list[Figure]:
    """Return the figures of a text.

    >>> [one[:4] + (one.scale,) for one in figures("$1,577.50 million, 20%")]
    [(1577.5, 5, 1, False, 'million'), (20.0, 1, 0, True, '')]
    """
    found = []
    for match in FIGURE.finditer(text):
        written = match[0].replace(",", "")
        whole, _, rest = written.partition(".")
        rest = rest.rstrip("0")
        digits = (whole + rest).lstrip("0") if rest else whole.lstrip("0").rstrip("0")
        percent = text[match.end() : match.end() + 2].strip().startswith("%")
        scale = SCALE.match(text, match.end())
        found.append(Figure(float(written), max(len(digits), 1), len(rest), percent, scale[1] if scale else ""))
        if len(found) == MOST_FIGURES:
            break
    return found


def same_figure(one: Figure, other: Figure) -> float:
    """Return how far two figures may be one, 0..1: in thousands or millions, in percent, rounded."""
    if one.scale and other.scale and one.scale != other.scale:  # 1,577 million are 1.577 billion
        one, other = (q._replace(value=q.value * SCALES[q.scale], scale="") for q in (one, other))
        return float(abs(one.value - other.value) <= 0.01 * max(one.value, other.value))
    if one.value == other.value or not one.value or not other.value:
        return float(one.value == other.value)
    best, gap = 0.0, math.log10(one.value / other.value)
    powers = {0, 3 * round(gap / 3)} if min(one.digits, other.digits) > 1 else {0}
    if one.percent or other.percent or min(one.value, other.value) < 1:
        powers |= {2, -2}
    for power in powers:
        if abs(gap - power) < 0.05 and abs(power) <= 9:
            scaled = other.value * 10.0**power
            most = max(one.value, scaled)
            off = abs(one.value - scaled) / most
            rounding = max(0.5 * 10.0**-one.decimals, 0.5 * 10.0 ** (power - other.decimals)) / most
            near = 1.0 if off < 1e-9 else 0.9 if off <= min(rounding + 1e-9, 0.06) else 0.6 if off <= 0.01 else 0.35
            best = max(best, (near if off <= 0.05 else 0.0) - 0.05 * (power != 0))
    return best


def figure_features(answer: Text, reference: Text, question: Text) -> Iterator[tuple[str, float]]:
    """Yield how well the figures of a reference stand in the answer; -1 where it has none."""
    asked, own, said = (figures(text.text) for text in (question, reference, answer))
    known = {one.value for one in asked}
    wanted = [one for one in own if one.value not in known] or own
    best = [max((same_figure(one, other) for other in said), default=0.0) for one in wanted]
    told = [max((same_figure(other, one) for other in own), default=0.0) for one in said if one.value not in known]
    yield "figures_mean", sum(best) / len(best) if best else -1.0
    yield "figures_least", min(best, default=-1.0)
    yield "figures_first", best[0] if best else -1.0
    yield "figures_last", (told[-1] if told else 0.0) if best else -1.0
    yield "figures_strange", sum(one < 0.3 for one in told) / len(told) if told else -1.0


def yes_or_no(text: Text, question: Text) -> float:
    """Return 1 where a text says yes, -1 where it says no, at its beginning or in conclusion; half of that where it
    says what the question asks in a sentence of its own, or denies it; else 0.
    """
    if YES.match(text.text):
        return 1.0
    if NO.match(text.text):
        return -1.0
    if ends := CONCLUDES.findall(text.text[:MOST_READ]):
        return 1.0 if ends[-1].lower() == "yes" else -1.0
    asked = set(question.solid)
    first = {one for one, sentence in zip(text.stems, text.sentence, strict=True) if not sentence}
    if not asked or len(asked & first) < 0.6 * len(asked):
        return 0.0
    denied = sum(not text.sentence[i] for i in (*text.denials, *text.untrue)) + len(question.denials)
    return -SAID if denied % 2 else SAID


def yes_or_no_features(answer: Text, reference: Text, question: Text) -> Iterator[tuple[str, float]]:
    """Yield whether answer and reference say the same to a question that asks for yes or no, -1..1; -2 elsewhere."""
    expected = 1.0 if YES.match(reference.text) else -1.0 if NO.match(reference.text) else 0.0
    if not expected and not ASKS.match(question.text[:MOST_READ]):
        yield "yes_same", -2.0
    else:
        yield "yes_same", yes_or_no(answer, question) * (expected or yes_or_no(reference, question))


def refusal_features(answer: Text) -> Iterator[tuple[str, float]]:
    """Yield how often an answer says that it does not know, and where it begins to."""
    places = [found.start() for found in WITHOUT_DATA.finditer(answer.lower[:6000])]
    yield "refusals", min(5.0, len(places))
    yield "refusal_place", places[0] / (len(answer.text) or 1) if places else 1.0
