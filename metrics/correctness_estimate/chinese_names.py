"""Names in Chinese, which have no capitals, and Chinese names in Latin letters."""

import re
from collections.abc import Sequence
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

LONGEST_CHINESE = 800  # characters of two Chinese texts together that are compared
SHORT_CHINESE = 6  # characters of a reference that may be one name
LONGEST_CHANGE = 8  # characters of a name that stands in another's place
LEAST_LIKENESS = 0.4  # of two texts that differ in a name
LEAST_SHORT_LIKENESS = 0.3  # the same for a reference of SHORT_CHINESE characters
SPELLING_SHARE = 0.6  # of the characters of a foreign name, those that spell sounds


def find_differing_chinese_names(answer: Text, reference: Text, question: Text) -> list[Difference]:
    """Return the names of a Chinese reference in whose place the answer has another."""
    differences = find_other_given_name(answer.text.strip(" 。."), reference.text.strip(" 。."))
    if not differences:
        differences = compare_chinese_texts(answer, reference)
    if not differences and len(reference.words) <= SHORT_CHINESE:
        differences = find_chinese_rival(answer, reference, question)
    return differences


def is_chinese_name(text: Text, start: int, end: int) -> bool:
    """Return whether some characters of a text look like a name."""
    characters = "".join(text.words[start:end])
    if not HAN.search(characters):
        return any(shown[0].isupper() for shown in text.shown[start:end])
    if CHINESE_FUNCTION_WORDS.search(characters):
        return False
    name = widen_chinese_name(text, start, end)
    is_person = 2 <= len(name) <= 4 and name[0] in CHINESE_SURNAMES
    is_place = 2 <= len(name) <= 6 and name[-1] in CHINESE_PLACE_ENDINGS
    if is_person or is_place or CHINESE_COUNTRIES.search(name):
        return True
    return is_foreign_name(characters)


def is_foreign_name(characters: str) -> bool:
    """Return whether most characters are those that spell the sounds of foreign names: 莎士比亚."""
    n_spelling = sum(character in CHINESE_SPELLING for character in characters)
    return len(characters) > 1 and n_spelling >= SPELLING_SHARE * len(characters)


def widen_chinese_name(text: Text, start: int, end: int) -> str:
    """Return some characters with the surname before them and a place's ending (市) after them."""
    return text.span(start, end)


def compare_chinese_texts(answer: Text, reference: Text) -> list[Difference]:
    """Return the names in which two Chinese texts differ, if the texts are alike otherwise."""
    matcher = SequenceMatcher(None, reference.words, answer.words, autojunk=False)
    is_short = len(reference.words) <= SHORT_CHINESE
    least_likeness = LEAST_SHORT_LIKENESS if is_short else LEAST_LIKENESS
    if matcher.ratio() < least_likeness:
        return []
    differences = list[Difference]()
    for change, start, end, answer_start, answer_end in matcher.get_opcodes():
        longest = max(end - start, answer_end - answer_start)
        if change != "replace" or longest > LONGEST_CHANGE:
            continue
        expected = widen_chinese_name(reference, start, end)
        name = widen_chinese_name(answer, answer_start, answer_end)
        if not may_be_chinese_name(expected) or not may_be_chinese_name(name):
            continue
        is_name = is_chinese_name(reference, start, end)
        if is_name or is_chinese_name(answer, answer_start, answer_end):
            differences.append(Difference("name", name, expected))
    return differences


def may_be_chinese_name(characters: str) -> bool:
    """Return whether there are two characters or more, and no function word among them."""
    return len(characters) > 1 and not CHINESE_FUNCTION_WORDS.search(characters)


PERSON = re.compile(f"[{HAN_RANGES}]{{2,3}}")  # 苏轼


def find_other_given_name(answer: str, reference: str) -> list[Difference]:
    """Return another person with the same surname, if both texts are names: 苏辙 for 苏轼."""
    if answer == reference or answer[:1] != reference[:1]:
        return []
    if not PERSON.fullmatch(answer) or not PERSON.fullmatch(reference):
        return []
    if answer[0] not in CHINESE_SURNAMES:
        return []
    return [Difference("given_name", answer, reference)]


# "首都是北京。": the name behind a word such as "is", "called", "in" or "by".
PREDICATE = re.compile("[是为叫在于由：:]([\u4e00-\u9fff·]{2,8})(?=$|[，。,.；、的])")
# "北京。": a name and nothing else.
WHOLE_ANSWER = re.compile("^([\u4e00-\u9fff·]{2,6})[。.]?$")


def find_chinese_rival(answer: Text, reference: Text, question: Text) -> list[Difference]:
    """Return the name that an answer has instead of a reference that is a Chinese name.

    The name follows a word such as 是, or it is the whole answer.
    """
    if reference.quantities:
        return []
    if any(stem in answer.places for stem in reference.content):
        return []
    if not is_chinese_name(reference, 0, len(reference.words)):
        return []
    whole_names = WHOLE_ANSWER.findall(answer.text)
    for name in [*PREDICATE.findall(answer.text), *whole_names]:
        text = Text(name)
        is_whole = name in whole_names and not CHINESE_FUNCTION_WORDS.search(name)
        if not is_whole and not is_chinese_name(text, 0, len(text.words)):
            continue
        if not set(text.stems) <= question.places.keys():
            return [Difference("name", name, reference.text.strip(" 。."))]
    return []


# ---- in Latin letters: Mao Tse-tung (Wade-Giles) is Mao Zedong (Pinyin)

SHORTEST_SPELLING = 4  # letters of a name in the common spelling
LONGEST_ROMAN_NAME = 40  # letters
# Each pair is a pattern and its letters in a common spelling of both systems. There b and p, d and
# t, g and k are the same: Wade-Giles distinguishes them by an apostrophe, which is often left out.
WADE_GILES = (
    ("hs", "x"),
    ("ssu|szu", "si"),
    ("tz|ts", "z"),
    ("sh", "S"),
    ("ch", "C"),
    ("j", "r"),
    ("(?<=[SCr])ih", "i"),
    ("eh", "e"),
)
PINYIN = (("zh|ch|j|q", "C"), ("sh", "S"), ("z|c", "z"), ("b", "p"), ("d", "t"), ("(?<!n)g", "k"))
# Further pairs, for both systems.
COMMON = (
    ("ong", "ung"),
    ("uo", "o"),
    ("you", "yu"),
    ("ien|yen", "ian"),
    ("yi(?!n)", "i"),
    ("y", "i"),
    ("(?<=z)[eu](?![nio])", "i"),
    ("(?<=[kh])o(?!u)", "e"),
)
# Marks and letters that Pinyin has not, or rarely: such a name may be in Wade-Giles.
MARKED = re.compile(r"[-'’‘]|hs|tz|ts|ch|ê|ü|ung")


def unify_spelling(letters: str, system: Sequence[tuple[str, str]]) -> str:
    """Return the letters of a name in the common spelling of both systems."""
    for pattern, replacement in (*system, *COMMON):
        letters = re.sub(pattern, replacement, letters)
    return letters


def is_same_chinese_name(one: str, other: str) -> bool:
    """Return whether two names are the same, one in Wade-Giles and the other in Pinyin.

    >>> is_same_chinese_name("Mao Tse-tung", "Mao Zedong")
    True
    >>> is_same_chinese_name("Mao Tse-tung", "Mao Zemin")
    False
    """
    if max(len(one), len(other)) > LONGEST_ROMAN_NAME:
        return False
    for marked, plain in ((one, other), (other, one)):
        if not MARKED.search(marked.lower()):
            continue
        spelling = unify_spelling(keep_letters(marked), WADE_GILES)
        if len(spelling) < SHORTEST_SPELLING:
            continue
        if spelling == unify_spelling(keep_letters(plain), PINYIN):
            return True
    return False


PLAIN_VOWELS = str.maketrans("êüûāáǎàēéěèīíǐìōóǒòūúǔù", "euuaaaaeeeeiiiioooouuuu")


def keep_letters(name: str) -> str:
    """Return a name in lower case without marks and spaces, "" if it has other signs."""
    letters = re.sub(r"[\s'’‘-]", "", name.lower().translate(PLAIN_VOWELS))
    return letters if letters.isascii() and letters.isalpha() else ""
