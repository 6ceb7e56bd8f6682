"""Read a yes or no from a Chinese sentence that says neither word."""

import re

from .implied_amounts import SAME_DEGREE
from .opposites import compile_senses, map_opposites
from .text import HAN, Text

MOST_SENTENCES = 20
LONGEST_PART = 200  # characters of a sentence or a question that are read
QUESTION_END = "吗呢?？。 \t\n"  # characters at the end of a Chinese question
REPEATED = 0.6  # share of the question's characters from which on a sentence answers it


def read_chinese_answer(text: Text, question: Text) -> int:
    """Return 1 if a Chinese text says what the question asks, -1 if the opposite, else 0.

    The first sentence that tells decides, by the first reader that can tell.
    """
    asked = question.text[:LONGEST_PART].rstrip(QUESTION_END)
    for part in list_parts(text):
        for read in (compare_chinese, read_chinese_sense, classify_chinese, read_chinese_clause):
            side = read(part, asked)
            if side:
                return side
    return 0


def list_parts(text: Text) -> list[str]:
    """Return the first sentences of a Chinese text, each cut to LONGEST_PART characters."""
    parts = re.split("[。！!；;\n]", text.text, maxsplit=MOST_SENTENCES)[:MOST_SENTENCES]
    return [part.strip()[:LONGEST_PART] for part in parts if part.strip()]


CHINESE_DENIAL = re.compile("谣言|误区|谎言|骗局|误传|不是|没有|并非|并未|从未|绝非|[不没未无非]")
DENYING = frozenset("不没未")
DENYING_KIND = DENYING | frozenset("并非")
# Characters that tell nothing of what is asked.
SMALL_CHARACTERS = frozenset(
    "完全非常真还已经早就根的了是在会能可以有很也都就这那吗呢啊吧一个种们它他她我你"
)


def sign_chinese(part: str, skipped: str = "") -> int:
    """Return -1 if a Chinese sentence denies an odd number of times, not counting some words."""
    rest = part.replace(skipped, "") if skipped else part
    return -1 if len(CHINESE_DENIAL.findall(rest)) % 2 else 1


def compare_chinese(part: str, asked: str) -> int:
    """Return 1 if a sentence agrees with the comparison asked for, -1 if it reverses it, else 0.

    A比B重 asks whether A is heavier than B.
    """
    match = COMPARISON.fullmatch(asked)
    if not match:
        return 0
    if SAME_DEGREE.search(part):
        return -1
    first, second, degree = cut_comparison(match)
    sign = sign_degree(part, degree) * sign_chinese(part)
    if not sign:
        return 0
    subject = BEFORE_DEGREE.split(part)[0]
    if second in subject and first not in subject:
        return -sign
    return sign if first in subject or first not in part else 0


COMPARISON = re.compile(r"(?P<first>.{1,12}?)比(?P<rest>.{2,14})")
BEFORE_DEGREE = re.compile("比|更|较|是|最")


def cut_comparison(match: re.Match[str]) -> tuple[str, str, str]:
    """Return the two things of a comparison and the degree, its last one or two characters."""
    rest = match["rest"]
    length = 1 if rest[-1] in map_opposites() else 2
    second = re.sub("[更还要]$", "", rest[:-length])
    return match["first"], second, rest[-length:]


def sign_degree(part: str, degree: str) -> int:
    """Return 1 if a sentence has a degree, -1 if it has an opposite of its characters, else 0."""
    if degree in part:
        return 1
    for character in degree:
        if any(opposite in part for opposite in map_opposites().get(character, ())):
            return -1
    return 0


def read_chinese_sense(part: str, asked: str) -> int:
    """Return 1 if a Chinese sentence names the state asked for, -1 if the opposite state, else 0.

    A denial in the sentence reverses that.
    """
    for first, second in compile_senses():
        names_first = first.search(asked) is not None
        if names_first == (second.search(asked) is not None):
            continue
        wanted, opposite = (first, second) if names_first else (second, first)
        match, turned = wanted.search(part), opposite.search(part)
        if turned and not HAN.match(turned[0]):
            continue
        if turned and not match:
            return -sign_chinese(part, turned[0])
        if match and HAN.match(match[0]):
            return sign_chinese(part, match[0])
    return 0


QUESTION_OF_KIND = re.compile(r"(?P<subject>.*?)(?:是|属于)(?!不是)(?P<kind>.+)")
ANSWER_OF_KIND = re.compile(r"(?P<subject>.*?)(?:是|属于|为)(?P<kind>.+)")


def classify_chinese(part: str, asked: str) -> int:
    """Return 1 if a thing is of the kind asked for, -1 if it is of another kind, else 0.

    A是B asks for it, A属于C answers.
    """
    question, answer = QUESTION_OF_KIND.fullmatch(asked), ANSWER_OF_KIND.fullmatch(part)
    if not question or not answer:
        return 0
    subject = set(question["subject"]) - SMALL_CHARACTERS
    kind = set(question["kind"]) - SMALL_CHARACTERS
    answer_subject = set(answer["subject"]) - SMALL_CHARACTERS - DENYING_KIND
    answer_kind = set(answer["kind"]) - SMALL_CHARACTERS - DENYING_KIND
    both = answer_subject | answer_kind

    sign = sign_chinese(part)
    # If the subject has all characters of the kind, only the kind of the answer is compared.
    known = kind & (both if kind - subject else answer_kind)
    if 2 * len(known) < len(kind):
        return -1 if sign > 0 else 0
    has_subject = not subject or not answer_subject or not subject.isdisjoint(both)
    return sign if has_subject else -sign


def read_chinese_clause(part: str, asked: str) -> int:
    """Return 1 or -1 if a Chinese sentence has the characters that the question asks about."""
    wanted = set(asked) - SMALL_CHARACTERS - DENYING
    if not wanted:
        return 0
    if ONLY_OTHER.search(part) and wanted - set(part):
        return -1
    characters = set(HAN.findall(part)) - SMALL_CHARACTERS - DENYING
    if characters and characters <= wanted:
        return sign_chinese(part)
    share = len(wanted & characters) / len(wanted)
    end = set(asked[-2:]) - SMALL_CHARACTERS
    has_predicate = bool(end) and end <= set(part)
    return sign_chinese(part) if share >= REPEATED or has_predicate else 0


ONLY_OTHER = re.compile("只(?!是|能被|有[^只\n]*才)")
