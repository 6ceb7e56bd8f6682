"""Names that differ in Chinese, where no capital tells what is one."""

import re
from difflib import SequenceMatcher

from .lexicon import (
    CHINESE_COUNTRIES,
    CHINESE_FUNCTION_WORDS,
    CHINESE_PLACE_ENDINGS,
    CHINESE_SPELLING,
    CHINESE_SURNAMES,
)
from .outcomes import Difference
from .text import HAN, HAN_RANGES, Text

LONGEST_CHINESE = 800  # characters of two Chinese texts together that are compared one by one
SHORT_CHINESE = 6  # characters of a reference in whose place another name is looked for


def differing_chinese_names(answer: Text, reference: Text, question: Text) -> list[Difference]:
    """Return the names of a Chinese reference in whose place the answer has another."""
    found = find_relative(answer.text.strip(" 。."), reference.text.strip(" 。."))
    found = found or compare_chinese_texts(answer, reference)
    if not found and len(reference.words) <= SHORT_CHINESE:
        found = find_chinese_rival(answer, reference, question)
    return found


def is_chinese_name(text: Text, start: int, end: int) -> bool:
    """Return whether some characters of a text look like a name."""
    characters = "".join(text.words[start:end])
    if not HAN.search(characters):
        return any(shown[0].isupper() for shown in text.shown[start:end])
    if CHINESE_FUNCTION_WORDS.search(characters):
        return False
    whole = widen_chinese_name(text, start, end)
    is_person = 2 <= len(whole) <= 4 and whole[0] in CHINESE_SURNAMES
    is_foreign = len(characters) >= 2 and sum(
        c in CHINESE_SPELLING for c in characters
    ) >= 0.6 * len(characters)
    is_in_map = 2 <= len(whole) <= 6 and whole[-1] in CHINESE_PLACE_ENDINGS
    return is_person or is_foreign or is_in_map or bool(CHINESE_COUNTRIES.search(whole))


def widen_chinese_name(text: Text, start: int, end: int) -> str:
    """Return some characters together with the surname before them and the end of a place after."""
    is_short = end - start <= 2
    if (
        start
        and is_short
        and text.words[start - 1] in CHINESE_SURNAMES
        and text.words[start] not in CHINESE_SURNAMES
    ):
        start -= 1
    has_ending = (
        end < len(text.words) and end - start <= 2 and text.words[end] in CHINESE_PLACE_ENDINGS
    )
    if has_ending and text.words[end - 1] not in CHINESE_PLACE_ENDINGS:
        end += 1
    return text.span(start, end)


def compare_chinese_texts(answer: Text, reference: Text) -> list[Difference]:
    """Return the names that stand in each other's place where two Chinese texts are else alike."""
    matcher = SequenceMatcher(None, reference.words, answer.words, autojunk=False)
    if matcher.ratio() < (0.3 if len(reference.words) <= SHORT_CHINESE else 0.4):
        return []
    found = list[Difference]()
    for change, start, end, begin, stop in matcher.get_opcodes():
        if change != "replace" or max(end - start, stop - begin) > 8:
            continue
        has_name = is_chinese_name(reference, start, end) or is_chinese_name(answer, begin, stop)
        expected, other = (
            widen_chinese_name(reference, start, end),
            widen_chinese_name(answer, begin, stop),
        )
        is_plain = all(
            len(side) > 1 and not CHINESE_FUNCTION_WORDS.search(side) for side in (expected, other)
        )
        if is_plain and has_name:
            found.append(Difference("name", other, expected))
    return found


def find_relative(answer: str, reference: str) -> list[Difference]:
    """Return another person with the same surname, if both texts are names: 苏辙 for 苏轼."""
    is_person = all(re.fullmatch(f"[{HAN_RANGES}]{{2,3}}", name) for name in (answer, reference))
    if not is_person or answer == reference:
        return []
    same_surname = answer[0] == reference[0] and answer[0] in CHINESE_SURNAMES
    return [Difference("given_name", answer, reference)] if same_surname else []


def find_chinese_rival(answer: Text, reference: Text, question: Text) -> list[Difference]:
    """Return the name in the place of a short Chinese reference.

    It follows 是, or is the whole short answer.
    """
    if reference.quantities:
        return []
    if any(stem in answer.places for stem in reference.content):
        return []
    if not is_chinese_name(reference, 0, len(reference.words)):
        return []
    predicates = re.findall(
        "[是为叫在于由：:]([\u4e00-\u9fff·]{2,8})(?=$|[，。,.；、的])", answer.text
    )
    whole = re.findall("^([\u4e00-\u9fff·]{2,6})[。.]?$", answer.text)
    for name in [*predicates, *whole]:
        part = Text(name)
        is_whole = name in whole and not CHINESE_FUNCTION_WORDS.search(name)
        if not is_whole and not is_chinese_name(part, 0, len(part.words)):
            continue
        if not set(part.stems) <= question.places.keys():
            return [Difference("name", name, reference.text.strip(" 。."))]
    return []
