"""Two things that have changed their roles in a short Chinese sentence: 曹操打败袁绍.

A sentence is read as two things and what the one is to the other; passives, comparisons, loans and
routes are told from either side: 袁绍被曹操打败, 泰山没有黄山高, 小王把书借给小李, 从上海到北京.
"""

import re
from dataclasses import dataclass
from itertools import combinations

from .opposites import opposites
from .text import HAN_RANGES

LONGEST_EXCHANGE = 16  # characters of a Chinese sentence whose parts are exchanged one by one
THING = f"([{HAN_RANGES}\\w]{{1,8}}?)"
EXCHANGED, TURNED_ROUND, SAME = -1, 1, 0

# Each way to tell a relation: its name, a pattern with the groups "one" and "other", and whether
# the sides are exchanged. A group "word" tells the relation's word: 比...大.
WAYS = [
    (
        "compare",
        r"^(?P<one>\w{1,8}?)比(?P<other>\w{1,8}?)(?:更|还|要)?(?P<word>\w)(?:得多|一些|多了|些)?$",
        False,
    ),
    (
        "compare",
        r"^(?P<one>\w{1,8}?)(?:没有|没|不如|不及|不比)(?P<other>\w{1,8}?)(?:那么|这么)?(?P<word>\w)$",
        True,
    ),
    (
        "loan",
        r"^(?P<one>\w{1,6}?)(?:向|从|跟|问|找)(?P<other>\w{1,6}?)(?:那里|那儿|处|手里)?借(?:走|来|到|了|入).*$",
        False,
    ),
    ("loan", r"^(?P<other>\w{1,6}?)把.{1,8}借给了?(?P<one>\w{1,6})$", False),
    ("loan", r"^(?P<other>\w{1,6}?)借给了?(?P<one>\w{1,6}?)(?:\d.*|一.*|钱|书)?$", False),
    (
        "route",
        r"^从(?P<one>\w{1,8}?)(?:出发|开出|开始)?[，,]?(?:开往|前往|去往|驶向|飞往|飞到|开到|流向|到达|到|至|去|往)(?P<other>\w{1,8})$",
        False,
    ),
    ("lose", r"^(?P<other>\w{1,6}?)(?:败给|输给|不敌|负于)了?(?P<one>\w{1,6})$", False),
    ("done", r"^(?P<other>\w{1,6}?)(?:被|让|给|遭)(?P<one>\w{1,6}?)(?P<word>\w{2})了?$", False),
]
BEATING = frozenset("打败 击败 战胜 打赢 大败".split())
COMPILED = [(kind, re.compile(pattern), turned) for kind, pattern, turned in WAYS]


@dataclass(frozen=True)
class Relation:
    """Two things, and what the one is to the other."""

    kind: str
    one: str
    other: str
    word: str


def measure_chinese_exchange(answer: str, reference: str) -> int | None:
    """Return -1 if two things have changed their roles, 1 if all is told from the other side.

    Return 0 if both texts say the same, and None if it is unclear.

    >>> measure_chinese_exchange("曹操被袁绍打败", "曹操打败袁绍")
    -1
    >>> measure_chinese_exchange("泰山没有黄山高", "黄山比泰山高")
    1
    """
    answer, reference = answer.strip(" 。."), reference.strip(" 。.")
    said, wanted = read_relation(answer), read_relation(reference)
    if said and wanted and said.kind == wanted.kind:
        return compare_chinese_relations(said, wanted)
    if said and not wanted:
        return compare_with_active(said, reference)
    is_short = 4 < len(reference) <= LONGEST_EXCHANGE
    if is_short and answer != reference and has_exchanged_parts(answer, reference):
        return EXCHANGED
    return None


def read_relation(text: str) -> Relation | None:
    """Return the relation that a short sentence tells, or None."""
    if len(text) > 2 * LONGEST_EXCHANGE:
        return None
    for kind, pattern, is_turned in COMPILED:
        match = pattern.search(text)
        if match is None:
            continue
        groups = match.groupdict()
        one, other = groups["one"], groups["other"]
        if is_turned:
            one, other = other, one
        return Relation(kind, one, other, groups.get("word") or "")
    return None


def compare_chinese_relations(said: Relation, wanted: Relation) -> int | None:
    """Return whether two relations of one kind have the same two things in the same roles."""
    is_opposite = wanted.word in opposites().get(said.word, ())
    if said.word != wanted.word and not is_opposite:
        return None
    one, other = said.one, said.other
    if is_opposite:
        one, other = other, one
    if is_same_thing(one, wanted.one) and is_same_thing(other, wanted.other):
        return TURNED_ROUND
    if is_same_thing(one, wanted.other) and is_same_thing(other, wanted.one):
        return EXCHANGED
    return None


def compare_with_active(said: Relation, reference: str) -> int | None:
    """Return whether a passive sentence has the roles of an active one: 袁绍被曹操打败."""
    words = BEATING if said.kind == "lose" else {said.word}
    for word in words:
        agent, verb, patient = reference.partition(word)
        if not word or not verb or not patient:
            continue
        if said.one in agent and said.other in patient:
            return TURNED_ROUND
        if said.one in patient and said.other in agent:
            return EXCHANGED
    return None


def is_same_thing(one: str, other: str) -> bool:
    """Return whether two things are one, with or without further words."""
    return one in other or other in one


def has_exchanged_parts(answer: str, reference: str) -> bool:
    """Return whether a sentence is another one whose beginning has changed places with a part."""
    if sorted(answer) != sorted(reference):
        return False
    for first, second, third in combinations(range(1, len(reference) + 1), 3):
        one, middle = reference[:first], reference[first:second]
        other, rest = reference[second:third], reference[third:]
        if one != other and answer == other + middle + one + rest:
            return middle[0] not in "和与及、" and (middle != "是" or bool(rest))
    return False
