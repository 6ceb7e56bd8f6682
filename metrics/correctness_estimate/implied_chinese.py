"""What a Chinese sentence says to a yes-no question without saying yes or no."""

import re

from .implied_amounts import SAME_DEGREE
from .implied_senses import compile_senses
from .opposites import map_opposites
from .text import HAN, Text

MOST_SENTENCES = 20
LONGEST_PART = 200  # characters of a sentence or a question that are read
QUESTION_END = "吗呢?？。 \t\n"  # characters at the end of a Chinese question
REPEATED_VERB = 0.6  # of the question's characters, that a sentence has which answers it


def read_chinese_answer(text: Text, question: Text) -> int:
    """Return what `read_implied_answer` does, of Chinese texts."""
    asked = question.text[:LONGEST_PART].rstrip(QUESTION_END)
    for part in list_parts(text):
        for read in (compare_chinese, read_chinese_sense, classify_chinese, read_chinese_clause):
            side = read(part, asked)
            if side:
                return side
    return 0


def list_parts(text: Text) -> list[str]:
    """Return the first sentences of a Chinese text."""
    parts = re.split("[。！!；;\n]", text.text, maxsplit=MOST_SENTENCES)[:MOST_SENTENCES]
    return [part.strip()[:LONGEST_PART] for part in parts if part.strip()]


CHINESE_DENIAL = re.compile("谣言|误区|谎言|骗局|误传|不是|没有|并非|并未|从未|绝非|[不没未无非]")
CHINESE_SMALL = frozenset(
    "完全非常真还已经早就根的了是在会能可以有很也都就这那吗呢啊吧一个种们它他她我你"
)


def sign_chinese(part: str, skipped: str = "") -> int:
    """Return -1 where a Chinese sentence denies, but for some words."""
    rest = part.replace(skipped, "") if skipped else part
    return -1 if len(CHINESE_DENIAL.findall(rest)) % 2 else 1


def compare_chinese(part: str, asked: str) -> int:
    """Return whether the first of two things is more than the second: A比B重."""
    match = re.fullmatch(r"(.{1,12}?)比(.{2,14})", asked)
    if not match:
        return 0
    first, rest = match.groups()
    length = 1 if rest[-1] in map_opposites() else 2
    second, degree = re.sub("[更还要]$", "", rest[:-length]), rest[-length:]
    if SAME_DEGREE.search(part):
        return -1
    turned = [other for char in degree for other in map_opposites().get(char, ())]
    if degree in part:
        sign = 1
    elif any(other in part for other in turned):
        sign = -1
    else:
        return 0
    sign *= sign_chinese(part)
    subject = re.split("比|更|较|是|最", part)[0]
    if second in subject and first not in subject:
        return -sign
    return sign if first in subject or first not in part else 0


def read_chinese_sense(part: str, asked: str) -> int:
    """Return 1 if a Chinese sentence has a word for the state asked for, -1 for its opposite."""
    for sides in compile_senses():
        wanted = [side.search(asked) for side in sides]
        if (wanted[0] is None) == (wanted[1] is None):
            continue
        side = 0 if wanted[0] else 1
        match = sides[1 - side].search(part)
        if match and not HAN.match(match[0]):
            continue
        if match and not sides[side].search(part):
            return -sign_chinese(part, match[0])
        match = sides[side].search(part)
        if match and HAN.match(match[0]):
            return sign_chinese(part, match[0])
    return 0


def classify_chinese(part: str, asked: str) -> int:
    """Return whether a thing is of the kind that is asked for: A是B, A属于C."""
    wanted = re.fullmatch(r"(.*?)(?:是|属于)(?!不是)(.+)", asked)
    said = re.fullmatch(r"(.*?)(?:是|属于|为)(.+)", part)
    if not wanted or not said:
        return 0
    subject, kind = (set(one) - CHINESE_SMALL for one in wanted.groups())
    own, other = (set(one) - CHINESE_SMALL - set("不没未并非") for one in said.groups())
    sign = sign_chinese(part)
    known_kind = kind & (other | own if kind - subject else other)
    if 2 * len(known_kind) < len(kind):
        return -1 if sign > 0 else 0
    has_subject = not subject or subject & (own | other) or not own
    return sign if has_subject else -sign


def read_chinese_clause(part: str, asked: str) -> int:
    """Return whether a Chinese sentence has the characters that the question asks about."""
    wanted = set(asked) - CHINESE_SMALL - set("不没未")
    if not wanted:
        return 0
    if re.search("只(?!是|能被|有.*才)", part) and wanted - set(part):
        return -1
    said = set(re.findall(HAN, part)) - CHINESE_SMALL - set("不没未")
    if said and said <= wanted:
        return sign_chinese(part)
    share = len(wanted & said) / len(wanted)
    tail = set(asked[-2:]) - CHINESE_SMALL
    is_predicate = bool(tail) and tail <= set(part)
    return sign_chinese(part) if share >= REPEATED_VERB or is_predicate else 0
