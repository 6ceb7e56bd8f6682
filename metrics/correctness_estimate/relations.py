"""Relations of two things: the words for them, Chinese sentences, and comparisons.

A relation can be told from either side: "Ann taught Bob" is "Bob learned from Ann". The first part
looks up the side from which a word tells its relation. The second part compares the things of short
Chinese sentences. The third part finds which of two things an answer prefers.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations

from .lexicon import STOP_WORDS
from .opposites import find_root, is_same_degree, map_opposites
from .outcomes import DIFFERENT, EQUAL, Decision
from .text import Text, read_text

# ---- words for relations

# CONVERSES has one relation a line, with its verbs and nouns. Those before the stroke tell it from
# one side (Ann taught Bob), those behind the stroke from the other side (Bob was a pupil of Ann).
# The relations are chosen here from everyday English: contests, property, teaching, gifts, sales,
# loans, work, order, kinship, parts, causes, amounts, places.

CONVERSES = """\
beat defeat conquer overcome vanquish rout crush overpower outplay overthrow subdue win triumph
 prevail winner victor besiegte besiegt schlug gewann | lose succumb yield surrender capitulate
 bow loser unterlag verlor
own possess have hold owner proprietor master holder | belong property possession
teach instruct tutor train coach educate mentor teacher instructor trainer professor lehrte
 lehrer | learn study student pupil disciple apprentice trainee protege schuler lernte
give hand donate grant award send mail present pass transfer donate donor giver sender | get
 receive obtain take accept recipient receiver
sell vendor seller | buy purchase acquire buyer purchaser
buy purchase acquire take-over buyer purchaser owner | sell
lend loan lender creditor | borrow owe borrower debtor
employ hire recruit engage employer boss manager manage supervisor superior supervise lead head
 | work-for report employee worker subordinate assistant
precede before earlier predecessor prior then | succeed follow replace after later successor next
parent mother father grandparent grandfather grandmother ancestor uncle aunt stepfather
 stepmother godfather | child son daughter grandchild grandson granddaughter descendant nephew
 niece stepson stepdaughter
contain include comprise hold surround enclose have | inside within part component member
 ingredient belong
cause trigger produce bring induce create lead yield reason | result stem arise derive come
 effect consequence product
eat devour hunt prey-on kill predator hunter attack | prey food prey-of victim
treat cure examine doctor physician surgeon therapist dentist | patient
rule govern king queen ruler master lord | subject servant slave vassal
host | guest visit visitor
sue accuse prosecute plaintiff accuser court action | defendant accused
write author compose composer paint painter direct director invent inventor discover discoverer
 founder | work creation invention
landlord let | tenant rent
more larger bigger greater higher heavier taller longer older exceed surpass outnumber outweigh
 outperform outscore above over top | less fewer smaller lower lighter shorter younger below
 under beneath trail
extend inherit subclass derive child | superclass base parent
import use need require depend call rely import | dependency
flow drain empty tributary | fed receive
orbit circle revolve satellite |
infect parasite | host
supply supplier provide provider feed power | customer client consume
inspire influence shape | admire imitate follower
chase pursue hunt follow pursuer | flee escape run
"""
FORWARD, BACKWARD = 1, -1


@cache
def read_converses() -> dict[str, dict[int, int]]:
    """Return the relations of each base: for the number of a relation, the side it is told from."""
    sides_of_base: dict[str, dict[int, int]] = {}
    relations = CONVERSES.strip().replace("\n ", " ").split("\n")
    for number, relation in enumerate(relations):
        forward, _, backward = relation.partition("|")
        for word in forward.split():
            sides_of_base.setdefault(find_base(word), {})[number] = FORWARD
        for word in backward.split():
            sides_of_base.setdefault(find_base(word), {})[number] = BACKWARD
    return sides_of_base


@lru_cache(maxsize=8192)
def find_base(word: str) -> str:
    """Return the stem of a word's base form: that of "taught" and "teaches" is "teach".

    >>> find_base("taught"), find_base("beaten"), find_base("owns")
    ('teach', 'beat', 'own')
    """
    verb, dash, preposition = word.partition("-")
    # The end of "succeed" is no suffix.
    base = verb if verb.endswith("eed") else find_root(verb)
    return base + dash + preposition


def tells_relation(word: str) -> bool:
    """Return whether a word tells a relation that is known from both sides."""
    return find_base(word) in read_converses()


def join_phrase(words: Sequence[str], i: int) -> str:
    """Return a word, joined to the next if both tell a relation together: work-for, take-over."""
    phrase = f"{words[i]}-{words[i + 1]}" if i + 1 < len(words) else words[i]
    return phrase if tells_relation(phrase) else words[i]


def compare_relations(one: str, other: str) -> int:
    """Return 1 if two words tell one relation from the same side, -1 from both sides, else 0.

    >>> compare_relations("taught", "pupil"), compare_relations("taught", "trained")
    (-1, 1)
    >>> compare_relations("taught", "sold")
    0
    """
    table = read_converses()
    relations = table.get(find_base(one), {})
    others = table.get(find_base(other), {})
    sides = {side * others[number] for number, side in relations.items() if number in others}
    return sides.pop() if len(sides) == 1 else 0


def is_told_backwards(word: str) -> bool:
    """Return whether a word tells a relation from its other side: lost, learned, received."""
    return BACKWARD in read_converses().get(find_base(word), {}).values()


# ---- roles in short Chinese sentences: 曹操打败袁绍

LONGEST_EXCHANGE = 16  # characters of a Chinese sentence whose parts are exchanged one by one
EXCHANGED, TURNED_ROUND = -1, 1

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
    words = BEATING if stated.kind == "lose" else frozenset({stated.word} - {""})
    for word in words:
        agent, verb, patient = reference.partition(word)
        if not (verb and patient):
            continue
        if stated.one in agent and stated.other in patient:
            return TURNED_ROUND
        if stated.one in patient and stated.other in agent:
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


# ---- which of two things an answer prefers: who is taller, Ann or Bob?

LONGEST_CHOICE = 4  # words of a reference that names one of two things
LONGEST_COMPARISON = 22  # words of an answer that compares two things and says nothing else
# The two things at the end of a question: Who is taller, Ann or Bob?
ALTERNATIVES = re.compile(
    r"""(?: [,:][ ] | \bis[ ] | \bwas[ ] | \bbetween[ ] )
    (?P<first> [^,:?]{1,40}? ) [ ](?:or|and)[ ] (?P<second> [^,:?]{1,40} ) \W*$""",
    re.VERBOSE,
)


@dataclass(frozen=True)
class Choice:
    """Two things that a question compares, and its comparative, or ""."""

    first: Text
    second: Text
    comparative: str


def decide_comparison(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return EQUAL if an answer prefers the thing that the reference names, else DIFFERENT.

    Return None if the question compares no two things or the answer prefers neither. "Bob is
    shorter" and "Bob is shorter than his brother" prefer Ann.
    """
    choice = read_choice(question)
    if choice is None or answer.denials or answer.hedges:
        return None
    if len(reference.words) > LONGEST_CHOICE or len(answer.words) > LONGEST_COMPARISON:
        return None
    names_first = has_thing(reference, choice.first)
    names_second = has_thing(reference, choice.second)
    preferred = find_preferred(answer, choice)
    if preferred is None or names_first == names_second:
        return None
    outcome = EQUAL if has_thing(reference, preferred) else DIFFERENT
    return Decision(outcome, "roles", answer.text.strip(), reference.text.strip())


def read_choice(question: Text) -> Choice | None:
    """Return the two things and the comparative of a question, or None."""
    match = ALTERNATIVES.search(question.text)
    if match is None:
        return None
    first, second = read_text(match["first"]), read_text(match["second"])
    if not first.content or not second.content:
        return None
    words_before = question.words[: question.words_between(0, match.start("first")).stop]
    comparative = next((word for word in words_before if is_comparative(word)), "")
    return Choice(first, second, comparative)


def is_comparative(word: str) -> bool:
    """Return whether a word compares two things and has an opposite: older, younger."""
    if not word.endswith("er"):
        return False
    return compare_relations(word, "more") != 0 or find_root(word) in map_opposites()


def find_preferred(answer: Text, choice: Choice) -> Text | None:
    """Return the thing of which the question's comparative is true by the answer, or None."""
    preferred = find_named_first(answer, choice)
    if preferred or not choice.comparative:
        return preferred
    votes = list_preferred(answer, choice)
    return votes[0] if votes and all(vote is votes[0] for vote in votes) else None


def list_preferred(answer: Text, choice: Choice) -> list[Text]:
    """Return the thing that is preferred by each comparative of an answer."""
    votes = list[Text]()
    for i, word in enumerate(answer.words):
        direction = compare_degrees(choice.comparative, word)
        subject = find_subject(answer, i, choice) if direction else None
        if subject is None:
            continue
        other = choice.second if subject is choice.first else choice.first
        votes.append(subject if direction > 0 else other)
    return votes


def find_named_first(answer: Text, choice: Choice) -> Text | None:
    """Return the thing that is the whole first clause of an answer: the aunt, since ..."""
    clause_length = answer.clause.count(0)
    if clause_length == len(answer.words):
        return None
    stems = {answer.stems[i] for i in range(clause_length) if answer.words[i] not in STOP_WORDS}
    for thing in (choice.first, choice.second):
        if stems == set(thing.content):
            return thing
    return None


def find_subject(answer: Text, i: int, choice: Choice) -> Text | None:
    """Return the thing that is named first before a word in its clause, or None."""
    for j in range(answer.clause.index(answer.clause[i]), i):
        for thing in (choice.first, choice.second):
            if answer.stems[j] in thing.content:
                return thing
    return None


def compare_degrees(comparative: str, word: str) -> int:
    """Return 1 if a word says the same as a comparative, -1 if the opposite, else 0."""
    if not word.endswith("er") and word not in ("more", "less"):
        return 0
    asked_root, root = find_root(comparative), find_root(word)
    if asked_root == root or is_same_degree(asked_root, root):
        return 1
    if root in map_opposites().get(asked_root, ()):
        return -1
    return compare_relations(comparative, word)


def has_thing(text: Text, thing: Text) -> bool:
    """Return whether a text has one of the words that name a thing."""
    return not text.places.keys().isdisjoint(thing.content)
