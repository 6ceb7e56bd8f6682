"""Words for relations of two things, and from which side they tell them: taught, learned from."""

from collections.abc import Sequence
from functools import cache, lru_cache

from .opposites import find_root

# Words for relations of two things: data, and the functions that look a word up. A relation can be
# told from either side: "Ann taught Bob" is "Bob learned from Ann" and "Bob was a pupil of Ann".
# CONVERSES has the verbs and nouns of each relation, those told from the one side before the stroke
# and those told from the other side behind it. Chosen here, from the relations of everyday English:
# contests, property, teaching, gifts, sales, loans, work, order, kinship, parts, causes, amounts,
# places.

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
    """Return of each word's stem the relations that it tells, by their numbers, and from where."""
    found: dict[str, dict[int, int]] = {}
    relations = CONVERSES.strip().replace("\n ", " ").split("\n")
    for number, relation in enumerate(relations):
        forward, _, backward = relation.partition("|")
        for side, words in ((FORWARD, forward), (BACKWARD, backward)):
            for word in words.split():
                found.setdefault(find_base(word), {})[number] = side
    return found


@lru_cache(maxsize=8192)
def find_base(word: str) -> str:
    """Return the stem of a word's base: taught and teaches are teach.

    >>> find_base("taught"), find_base("beaten"), find_base("owns")
    ('teach', 'beat', 'own')
    """
    verb, dash, preposition = word.partition("-")
    # Of "succeed" the ending is no suffix.
    base = verb if verb.endswith("eed") else find_root(verb)
    return base + dash + preposition


def tells_relation(word: str) -> bool:
    """Return whether a word tells a relation that is known from both sides."""
    return find_base(word) in read_converses()


def join_phrase(words: Sequence[str], i: int) -> str:
    """Return a word, with the next one where both together tell a relation: work-for, take-over."""
    phrase = f"{words[i]}-{words[i + 1]}" if i + 1 < len(words) else words[i]
    return phrase if tells_relation(phrase) else words[i]


def compare_relations(one: str, other: str) -> int:
    """Return 1 where two words tell one relation from the same side, -1 from two sides, else 0.

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
