"""Find two things that have changed their roles in short Chinese sentences: 曹操打败袁绍."""

import re
from dataclasses import dataclass
from itertools import combinations

from .opposites import map_opposites
from .relations import EXCHANGED, TURNED_ROUND

LONGEST_EXCHANGE = 16  # characters of a Chinese sentence whose parts are exchanged one by one

# The kinds of relations, each with a pattern that names its two things "one" and "other". "one" is
# the larger thing, the borrower, the start, the winner or the doer. "word" tells the relation.
CHINESE_RELATIONS = [
    (
        "compare",  # 黄山比泰山高
        r"""^ (?P<one>\w{1,8}?) 比 (?P<other>\w{1,8}?)
            (?:更|还|要)? (?P<word>\w) (?:得多|一些|多了|些)? $""",
    ),
    (
        "compare",  # 泰山没有黄山高
        r"""^ (?P<other>\w{1,8}?) (?:没有|没|不如|不及|不比) (?P<one>\w{1,8}?)
            (?:那么|这么)? (?P<word>\w) $""",
    ),
    (
        "loan",  # 小李向小王借走了书
        r"""^ (?P<one>\w{1,6}?) (?:向|从|跟|问|找) (?P<other>\w{1,6}?)
            (?:那里|那儿|处|手里)? 借 (?:走|来|到|了|入) .* $""",
    ),
    (
        "loan",  # 小王把书借给小李
        r"^ (?P<other>\w{1,6}?) 把 .{1,8} 借给了? (?P<one>\w{1,6}) $",
    ),
    (
        "loan",  # 小王借给小李一本书
        r"^ (?P<other>\w{1,6}?) 借给了? (?P<one>\w{1,6}?) (?:\d.*|一.*|钱|书)? $",
    ),
    (
        "route",  # 从上海到北京
        r"""^ 从 (?P<one>\w{1,8}?) (?:出发|开出|开始)? [，,]?
            (?:开往|前往|去往|驶向|飞往|飞到|开到|流向|到达|到|至|去|往) (?P<other>\w{1,8}) $""",
    ),
    (
        "lose",  # 袁绍败给曹操
        r"^ (?P<other>\w{1,6}?) (?:败给|输给|不敌|负于)了? (?P<one>\w{1,6}) $",
    ),
    (
        "done",  # 袁绍被曹操打败
        r"^ (?P<other>\w{1,6}?) (?:被|让|给|遭) (?P<one>\w{1,6}?) (?P<word>\w{2})了? $",
    ),
]
COMPILED_RELATIONS = [(kind, re.compile(way, re.VERBOSE)) for kind, way in CHINESE_RELATIONS]
BEATING = frozenset("打败 击败 战胜 打赢 大败".split())


@dataclass(frozen=True)
class Relation:
    """A relation that a short Chinese sentence tells; its parts are those of CHINESE_RELATIONS."""

    kind: str
    one: str
    other: str
    word: str


def measure_chinese_exchange(answer: str, reference: str) -> int | None:
    """Return -1 if two things have changed their roles, 1 if they have the same roles, else None.

    >>> measure_chinese_exchange("曹操被袁绍打败", "曹操打败袁绍")
    -1
    >>> measure_chinese_exchange("泰山没有黄山高", "黄山比泰山高")
    1
    """
    answer, reference = answer.strip(" 。."), reference.strip(" 。.")
    stated, expected = read_relation(answer), read_relation(reference)
    if stated and expected and stated.kind == expected.kind:
        return compare_chinese_relations(stated, expected)
    if stated and not expected:
        return compare_with_active(stated, reference)
    is_short = 4 < len(reference) <= LONGEST_EXCHANGE
    if is_short and answer != reference and has_exchanged_parts(answer, reference):
        return EXCHANGED
    return None


def read_relation(sentence: str) -> Relation | None:
    """Return the relation that a short sentence tells, or None."""
    if len(sentence) > 2 * LONGEST_EXCHANGE:
        return None
    for kind, pattern in COMPILED_RELATIONS:
        match = pattern.search(sentence)
        if match:
            word = match.groupdict().get("word") or ""
            return Relation(kind, match["one"], match["other"], word)
    return None


def compare_chinese_relations(stated: Relation, expected: Relation) -> int | None:
    """Return 1 if two relations of one kind give the same roles, -1 if exchanged, else None."""
    is_opposite = expected.word in map_opposites().get(stated.word, ())
    if stated.word != expected.word and not is_opposite:
        return None
    one, other = stated.one, stated.other
    if is_opposite:
        one, other = other, one
    if is_same_thing(one, expected.one) and is_same_thing(other, expected.other):
        return TURNED_ROUND
    if is_same_thing(one, expected.other) and is_same_thing(other, expected.one):
        return EXCHANGED
    return None


def compare_with_active(stated: Relation, reference: str) -> int | None:
    """Return 1 if a passive gives the roles of an active sentence, -1 if exchanged, else None."""
    words = BEATING if stated.kind == "lose" else frozenset({stated.word, stated.word[-1:]} - {""})
    for word in words:
        agent, verb, patient = reference.partition(word)
        if not (verb and patient):
            continue
        # The verb may have one character, and the doer one more: 被老人|救了.
        one = stated.one + stated.word[: -len(word)]
        if one in agent and stated.other in patient:
            return TURNED_ROUND
        if one in patient and stated.other in agent:
            return EXCHANGED
    return None


def is_same_thing(one: str, other: str) -> bool:
    """Return whether one of two names contains the other: 曹操, 曹操军."""
    return one in other or other in one


def has_exchanged_parts(answer: str, reference: str) -> bool:
    """Return whether an answer is the reference, but two parts of it have changed places.

    The reference begins with one of the parts: 曹操打败袁绍, 袁绍打败曹操.
    """
    if sorted(answer) != sorted(reference):
        return False
    for first, second, third in combinations(range(1, len(reference) + 1), 3):
        beginning, middle = reference[:first], reference[first:second]
        part, rest = reference[second:third], reference[third:]
        if beginning == part or answer != part + middle + beginning + rest:
            continue
        # "A and B" and "A is B" hold either way round.
        return middle[0] not in "和与及、" and (middle != "是" or rest != "")
    return False
