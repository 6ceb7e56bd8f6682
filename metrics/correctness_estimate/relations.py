"""Read the relation that a word tells: "Ann taught Bob", "Bob was a pupil of Ann".

A word that tells a relation has one thing on each side, and it tells the relation from one of two
sides. The first part looks up the side, the second one reads the two things. The last part gives
things in a text the names that the first two parts read.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence, Set
from functools import cache, lru_cache
from itertools import pairwise
from typing import NamedTuple

from .degrees import read_degree_phrases, tells_degree
from .lexicon import BE, DETERMINERS, IRREGULAR_PAST, NAME_VERB, PARTICIPLE, PRONOUNS, STOP_WORDS
from .opposites import find_root, has_opposite
from .text import RECENT_TEXTS, Text, has_length_of_sentence, is_sentence

# Whether an answer gives two things the roles of the reference: the other ones, or the same ones
# with a word from the other side.
EXCHANGED, TURNED_ROUND = -1, 1

# ---- words for relations

# CONVERSES has one relation a line, with its verbs and nouns. Those before the stroke tell it from
# one side (Ann taught Bob), those behind the stroke from the other side (Bob was a pupil of Ann).
# The relations are chosen here from everyday English: contests, property, teaching, gifts, sales,
# loans, work, order, kinship, parts, causes, amounts, places.

CONVERSES = """\
beat defeat conquer overcome vanquish rout crush overpower outplay overthrow subdue win triumph
 prevail winner victor victory besiegte besiegt schlug gewann | lose succumb yield surrender
 capitulate bow loser unterlag verlor
own possess have hold owner proprietor master holder parent-company | belong property possession
 subsidiary
teach instruct tutor train coach educate mentor teacher instructor trainer professor lehrte
 lehrer | learn study student pupil disciple apprentice trainee protege schuler lernte study-under
 train-under play-under player
give hand donate grant award send mail present pass transfer donate donor giver sender | get
 receive obtain take accept recipient receiver
sell vendor seller | buy purchase acquire buyer purchaser pay
buy purchase acquire take-over swallow absorb buyer purchaser owner | sell part
lend loan lender creditor | borrow owe borrower debtor repay pay-back debt
employ hire recruit engage employer boss manager manage supervisor superior supervise lead head
 | work-for work-under serve-under report employee worker subordinate assistant
precede before earlier predecessor prior then | succeed follow replace after later successor next
 afterwards afterward subsequent take-over-from
parent mother father grandparent grandfather grandmother ancestor uncle aunt stepfather
 stepmother godfather | child son daughter grandchild grandson granddaughter descendant nephew
 niece stepson stepdaughter
contain include comprise hold surround enclose have | inside within part component member
 ingredient belong
cause trigger produce bring induce create lead yield reason result-in why blame | result stem
 stemmed arise derive come effect consequence product because due owing thanks
eat devour hunt prey-on kill predator hunter attack | prey food prey-of victim
trick fool deceive dupe outwit |
hit ram |
treat cure examine doctor physician surgeon therapist dentist | patient
rule govern king queen ruler master lord | subject servant slave vassal
host | guest visit visitor
sue sued accuse prosecute plaintiff claimant accuser court action | defendant
invade attack besiege surround encircle storm aggressor | defend defender
translate translator | author original
rescue save rescuer saviour | owe
pay payer | charge payee
interview question interviewer | guest
above over onto on-top atop higher top upstairs | below under beneath underneath lower downstairs
write author compose composer paint painter direct director invent inventor discover discoverer
 founder | work creation invention
landlord let | tenant rent
colonise colonize coloniser colonizer | colony
more larger bigger greater higher heavier taller longer older exceed surpass outnumber outweigh
 outperform outscore above over top | less fewer smaller lower lighter shorter younger below
 under beneath trail
extend inherit subclass derive child | superclass base parent
import use need require depend call rely import | dependency
flow drain empty tributary | fed receive
orbit circle revolve satellite |
infect parasite | host
supply supplier provide provider power | customer client consume
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
    # The end of "succeed" is no suffix, nor is that of "supply": its form "supplies" is "suppli".
    if verb.endswith(("ply", "rely")):
        base = verb[:-1] + "i"
    else:
        base = verb if verb.endswith("eed") else find_root(verb)
    return base + dash + preposition


def tells_relation(word: str) -> bool:
    """Return whether a word tells a relation that is known from both sides."""
    return find_base(word) in read_converses()


LONGEST_PHRASE = 3  # words


def join_phrase(words: Sequence[str], i: int) -> str:
    """Return a word, joined to the next ones if they tell a relation together: take-over-from."""
    for length in range(LONGEST_PHRASE, 1, -1):
        phrase = "-".join(words[i : i + length])
        if i + length <= len(words) and tells_relation(phrase):
            return phrase
    return words[i]


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


# Words that end like comparatives and have opposites, but compare nothing.
NO_COMPARATIVES = frozenset(
    "alter attacker believer bitter borrower brother clever cooker cover customer damper danger "
    "daughter decoder defender eager employer encoder endanger enter father follower foster "
    "freshwater gather hinder jumper leader lender loser matter mother order owner receiver "
    "recover remember runner saltwater scatter sender sever shelter sister slender sober summer "
    "supper supporter surrender teacher tender transmitter whisper winner winter wither".split()
)


def is_comparative(word: str) -> bool:
    """Return whether a word compares two things and has an opposite: older, younger."""
    if not word.endswith("er") or word in NO_COMPARATIVES:
        return False
    return compare_relations(word, "more") != 0 or has_opposite(word) or tells_degree(word)


CONTEST = "defeat"  # the relation of a winner and a loser


# ---- the two sides of a word

# Words that give two things different roles, as "and" or "with" do not.
DIRECTED = frozenset("to over than before after of from under above beats into for onto by".split())
# What is replaced with something goes, and that comes: butter was replaced with oil.
REPLACED = frozenset("replaced substituted".split())
# Words of a sentence that tell nothing of its relation's direction.
NO_PIVOTS = STOP_WORDS | DIRECTED | BE | DETERMINERS
RELATIVE_PRONOUNS = frozenset("that which whom".split())
OBJECT_PRONOUNS = frozenset("him her them it".split())
HAVE = frozenset("has have had hat hatte".split())
BY = frozenset("by von durch par por".split())  # before the doer: beaten by Ann
FRENCH_OR_SPANISH_BE = frozenset("ete fue".split())
# Between an act and the one whom it concerns: Ann's attack on Bob, Ann's claim that Bob lied.
BEFORE_OTHER = frozenset("on of against over that".split())
TURNED_INTO = frozenset("turned changed converted transformed made translated".split())
# Before a cause at the beginning of a sentence: because of the rain, the match stopped.
CAUSES = frozenset("because due owing thanks".split())
# Before the doer of an act that has other words: driven out by Ann, a favour from Ann.
SOURCES = CAUSES | {"by", "from", "through"}
INVERTIBLE = frozenset("north south east west left right inside behind ahead".split())
INVERTED = frozenset("is are was were lies lie sits sit stands stand".split())
POSSESSIVES = frozenset("his her their its".split())
ACT_ENDINGS = ("ing", "tion", "sion", "ment")  # warning, accusation: acts, and not persons
PERSON_ENDINGS = ("er", "or", "ee", "ant", "ist")  # teacher, trainee: persons, and not acts
LONGEST_SUBJECT = 3  # words between "that" and a verb
FARTHEST_BE = 2  # words before a participle: was not beaten


class Sides(NamedTuple):
    """The stems of the things on the two sides of a word that tells a relation."""

    doer: set[str]
    other: set[str]


def read_sides(text: Text, pivot: int) -> Sides:
    """Return the things on the two sides of a word; what is on both is on neither."""
    doer_words, other_words = split_sides(text, pivot)
    doer, other = collect_things(text, doer_words), collect_things(text, other_words)
    if not doer.isdisjoint(other):  # the Stone Bridge, the Rail Bridge
        doer, other = (list_telling_stems(text, words) for words in (doer_words, other_words))
    return Sides(doer - other, other - doer)


def list_telling_stems(text: Text, places: Sequence[int]) -> set[str]:
    """Return the stems of all words among some that tell something."""
    return {text.stems[i] for i in places if text.words[i] not in NO_PIVOTS}


def split_sides(text: Text, pivot: int) -> tuple[Sequence[int], Sequence[int]]:
    """Return the places of the words on the doer's side of a word, and on the other side.

    The doer stands before the word, but behind "by" in a passive. An owner before the word is on
    the other side: "Bob is Ann's pupil" says the same as "Bob is the pupil of Ann".
    """
    first, stop = find_clause(text, pivot)
    before, behind = range(first, pivot), range(pivot + 1, stop)
    inverted = split_inverted(text, pivot, stop)
    if inverted:
        return inverted
    subject = find_relative_subject(text, pivot)
    if subject:  # the coat that Ann lent her
        return subject, [*range(first, subject.start), *behind]
    by = find_doer(text, pivot) or find_source(text, pivot, stop)
    if by:
        return by, [i for i in (*before, *behind) if i < by.start - 1]
    owner = find_owner(text, pivot)
    if owner and not is_passive(text, pivot):
        is_doer = is_act(text, owner, pivot)
        others = [*range(first, owner.start), *behind]
        return (owner, others) if is_doer else (range(first, owner.start) or behind, owner)
    if is_earlier_object(text, pivot):
        start = text.clause.index(text.clause[pivot])
        return range(start, pivot), range(start)
    return (behind, before) if is_told_backward(text, pivot) else (before, behind)


def is_told_backward(text: Text, pivot: int) -> bool:
    """Return whether the other thing stands before a word: in a passive, in "Ann has a daughter".

    In "the mill was turned into a museum" the mill is what turned.
    """
    is_change = text.words[pivot] in TURNED_INTO and text.words[pivot + 1 : pivot + 2] == ["into"]
    return (is_passive(text, pivot) and not is_change) or has_possessed(text, pivot)


def split_inverted(text: Text, pivot: int, stop: int) -> tuple[range, range] | None:
    """Return the two sides of a preposition at the beginning of a clause, else None.

    "Above the sink is the shelf" and "Because of the rain, the match stopped" begin so.
    """
    if pivot != text.find_clause(pivot).start:
        return None
    if text.words[pivot] in CAUSES and stop < len(text.words):
        return range(stop, find_clause(text, stop)[1]), range(pivot + 1, stop)
    if text.words[pivot] not in DIRECTED | INVERTIBLE:
        return None
    be = next((i for i in range(pivot + 2, stop - 1) if text.words[i] in INVERTED), None)
    return (range(be + 1, stop), range(pivot + 1, be)) if be else None


# Before "to" and a verb, which is no way to anything: she got to know him.
BEFORE_INFINITIVE = frozenset(
    "got get gets getting has have had need needs going able ought used".split()
)


def is_infinitive(text: Text, i: int) -> bool:
    """Return whether a "to" stands before a verb: has to leave, got to know."""
    return i > 0 and text.words[i] == "to" and text.words[i - 1] in BEFORE_INFINITIVE


def find_clause(text: Text, i: int) -> tuple[int, int]:
    """Return the first word of a word's clause, and the place behind its last word.

    A pronoun at its beginning stands for a thing of the clause before.
    """
    clause = text.clause[i]
    first, stop = bisect_left(text.clause, clause), bisect_right(text.clause, clause)
    if text.words[first] in PRONOUNS:
        first = bisect_left(text.clause, clause - 1)
    return first, stop


# A pronoun for a person, by its form as a subject. It stands for one thing of a relation.
PERSONS = {
    "he": "he",
    "him": "he",
    "she": "she",
    "her": "she",
    "they": "they",
    "them": "they",
    "i": "i",
    "me": "i",
    "we": "we",
    "us": "we",
}
SUBJECT_PRONOUNS = frozenset(PERSONS.values())


def collect_things(text: Text, places: Sequence[int]) -> set[str]:
    """Return the stems of the things among some words.

    These are the last words of names, or all words that tell something if there is no name, and
    pronouns for persons.
    """
    names = set[str]()
    for start, stop in text.names:
        if start in places and stop - 1 in places:
            names.add(text.stems[stop - 1])
    things = names or list_telling_stems(text, places)
    return things.union(find_persons(text, places))


def find_persons(text: Text, places: Sequence[int]) -> Iterator[str]:
    """Yield the pronouns for persons among some words: "he" for "him"."""
    for i in places:
        if text.words[i] in PERSONS:
            yield PERSONS[text.words[i]]


def is_earlier_object(text: Text, pivot: int) -> bool:
    """Return whether a pronoun behind a verb means a thing of an earlier clause: Ann shot him."""
    following = text.words[pivot + 1 : pivot + 2]
    return not OBJECT_PRONOUNS.isdisjoint(following) and text.clause[pivot] > 0


def has_possessed(text: Text, pivot: int) -> bool:
    """Return whether a noun stands behind "has a": Ann has a daughter, Eve."""
    if compare_relations(text.words[pivot], "more"):
        return False  # copper has the higher melting point
    before = text.words[max(0, pivot - FARTHEST_BE) : pivot]
    return not HAVE.isdisjoint(before) and not DETERMINERS.isdisjoint(before[-1:])


def find_relative_subject(text: Text, pivot: int) -> range:
    """Return the range between "that" and a verb (the coat that Ann lent her), or an empty one."""
    for i in range(pivot - 1, max(-1, pivot - LONGEST_SUBJECT - 2), -1):
        if text.words[i] in RELATIVE_PRONOUNS and i:
            has_thing = any(text.words[j] not in NO_PIVOTS for j in range(i + 1, pivot))
            return range(i + 1, pivot) if has_thing else range(0)
    return range(0)


def find_owner(text: Text, pivot: int) -> range:
    """Return the range of an owner before a noun (Ann's, in "Ann's pupil"), or an empty one."""
    for i in range(pivot - 1, max(-1, pivot - 1 - FARTHEST_BE), -1):
        between = text.words[i + 1 : pivot]
        # Ann's paintings inspired Bob, the dog's bark scares the thief, the baker's is left of it.
        is_known_verb = is_verb(text.words[pivot])
        has_object = not DETERMINERS.isdisjoint(text.words[pivot + 1 : pivot + 2])
        is_subject = between and (is_known_verb or has_object or not BE.isdisjoint(between))
        if text.words[i].endswith("'s") and text.words[i] not in STOP_WORDS and not is_subject:
            start = next((first for first, stop in text.names if first <= i < stop), i)
            return range(start, i + 1)
    return range(0)


def find_doer(text: Text, pivot: int) -> range:
    """Return the range behind "by" (was beaten by Ann, wurde von Ann besiegt), or an empty one."""
    words = text.words
    if has_doer_behind(text, pivot):  # a trick played by Ann
        return range(pivot + 2, bisect_right(text.clause, text.clause[pivot]))
    first_be = next((i for i, word in enumerate(words[:pivot]) if word in BE), None)
    if first_be is None:
        return range(0)
    by = next((i for i in range(first_be, len(words) - 1) if words[i] in BY), None)
    if by is None:
        return range(0)
    if by <= pivot:
        return range(by + 1, pivot)
    if any(is_passive(text, i) for i in range(first_be + 1, by)):
        # was beaten by Ann, was taken to court by Ann
        return range(by + 1, bisect_right(text.clause, text.clause[by]))
    return range(0)


def find_source(text: Text, noun: int, stop: int) -> range:
    """Return the range behind "from" beside an act (an apology from Ann), or an empty one."""
    word = text.words[noun]
    has_determiner = noun > 0 and text.words[noun - 1] in DETERMINERS | POSSESSIVES
    is_participle = word.endswith("ing") and not has_determiner  # fleeing from, but: a warning from
    if word.endswith(PERSON_ENDINGS) or is_verb(word) or is_participle:
        return range(0)
    source = noun + 1
    preposition = text.words[source : source + 1]
    is_its_cause = preposition == ["in"] and text.words[noun - 1] in POSSESSIVES
    is_source = preposition in (["from"], ["by"]) and text.words[noun - 1] not in BE
    if not is_source and not is_its_cause:
        return range(0)
    has_verb = any(is_verb(earlier) or earlier in BE for earlier in text.words[:noun])
    return range(source + 1, stop) if has_determiner or has_verb else range(0)


def is_act(text: Text, owner: range, noun: int) -> bool:
    """Return whether an owner does what a noun says: Ann's attack on Bob, and not Ann's pupil."""
    if text.words[noun].endswith(PERSON_ENDINGS):
        return False
    is_named = not BE.isdisjoint(text.words[max(0, owner.start - 1) : owner.start])
    following = text.words[noun + 1 : noun + 2]
    is_before_other = not BEFORE_OTHER.isdisjoint(following)
    is_named = is_named or not BE.isdisjoint(following)  # Ann's inspiration was Bob
    return not is_named and (is_before_other or text.words[noun].endswith(ACT_ENDINGS))


def is_verb(word: str) -> bool:
    """Return whether a word has the form of a verb."""
    return word in IRREGULAR_PAST or NAME_VERB.match(word) is not None


def is_passive(text: Text, i: int) -> bool:
    """Return whether a word is the participle of a passive: was beaten, can be stored."""
    before = text.words[max(0, i - FARTHEST_BE) : i]
    if text.words[i] in ("left", "right") and text.words[i + 1 : i + 2] == ["of"]:
        return False  # is left of the bank
    # was a patient; the reason is he missed the bus
    if not (DETERMINERS | SUBJECT_PRONOUNS).isdisjoint(before[-1:]):
        return False
    if "suffered" in before[-1:] or has_doer_behind(text, i):
        return True  # suffered defeat at the hands of
    # Before "by" any form is a participle: was shot by.
    if not BE.isdisjoint(before) and text.words[i + 1 : i + 2] in (["by"], ["por"]):
        return True
    if not FRENCH_OR_SPANISH_BE.isdisjoint(before):
        return True
    return not BE.isdisjoint(before) and PARTICIPLE.search(text.words[i]) is not None


def has_doer_behind(text: Text, i: int) -> bool:
    """Return whether a participle stands before "by": a trick played by Ann."""
    is_before_by = text.words[i + 1 : i + 2] == ["by"]
    return is_before_by and PARTICIPLE.search(text.words[i]) is not None


def has_passive(text: Text) -> bool:
    """Return whether a text says something in the passive."""
    return any(is_passive(text, i) for i in range(len(text.words)))


# ---- whether a text tells a relation

MODALS = frozenset("must should shall can could may might will would".split())
# Words between two things that have the same role.
SAME_ROLE_JOINTS = frozenset("and or with".split())


@lru_cache(maxsize=RECENT_TEXTS)
def says_relation(text: Text) -> bool:
    """Return whether a text tells a relation of two things, with or without a full stop."""
    if is_sentence(text):
        return True
    if not has_length_of_sentence(text):
        return False
    first_word = text.words[0]
    if first_word in PRONOUNS or first_word == "from":
        return True
    begins_with_name = text.shown[0][0].isupper() and first_word not in DETERMINERS
    if (first_word == "the" or begins_with_name) and has_verb_inside(text):
        return True
    if has_word_between_names(text) or has_word_between_things(text):
        return True
    return has_verb_before_determiner(text)


def has_verb_before_determiner(text: Text) -> bool:
    """Return whether a telling word stands between a thing and a determiner: pumps fill the tank.

    In a phrase without a verb, a preposition stands there: the door of the house.
    """
    for i in range(2, len(text.words) - 1):
        before = text.words[i - 2 : i]
        is_in_clause = text.clause[i - 2] == text.clause[i]
        is_verb_likely = is_in_clause and text.shown[i - 1].islower() and text.shown[i].islower()
        if is_verb_likely and text.words[i] in DETERMINERS and NO_PIVOTS.isdisjoint(before):
            return True
    return False


BETWEEN_THINGS = DIRECTED - frozenset("above under of from for onto".split())
VERB_ENDINGS = ("s", "ed", "te")  # pollinates, pollinated, heiratete


def has_word_between_things(text: Text) -> bool:
    """Return whether a preposition or verb stands between two things.

    Examples: "light into electricity" and "bees pollinate clover".
    """
    words = text.words
    if SAME_ROLE_JOINTS.isdisjoint(words):
        for before, word in pairwise(words[:-1]):
            if before in NO_PIVOTS:
                continue
            if word in BETWEEN_THINGS or tells_relation(word):
                return True
    if len(words) != 3 or not NO_PIVOTS.isdisjoint(words):
        return False
    return words[1].endswith(VERB_ENDINGS)


def has_verb_inside(text: Text) -> bool:
    """Return whether a word between the first and the last has the form of a verb."""
    for i in range(1, len(text.words) - 1):
        is_likely = is_verb(text.words[i]) or text.words[i] in MODALS
        if is_likely and text.shown[i].islower():
            return True
    return False


def has_word_between_names(text: Text) -> bool:
    """Return whether a text has a telling word between two capitals: Socrates taught Plato."""
    capitals = [i for i, shown in enumerate(text.shown) if shown[0].isupper()]
    if len(capitals) < 2:
        return False
    for i in range(capitals[0] + 1, capitals[-1]):
        is_lower = text.shown[i].islower()
        if is_lower and text.words[i] not in STOP_WORDS:
            return True
    return False


# ---- forms of the name of a thing

LEAST_BEGINNING = 5  # letters that two stems for one thing share: Noria, Norian
LONGEST_OTHER_END = 2  # letters in which the shorter of two such stems may end otherwise


def unify_forms(things: Set[str], known: Set[str]) -> set[str]:
    """Return the stems of things, and the known stems of which they are forms: Norian, Noria."""
    unified = set(things)
    for thing in things - known:
        unified.update(stem for stem in known if has_same_beginning(thing, stem))
    return unified


def has_same_beginning(one: str, other: str) -> bool:
    """Return whether two stems may be forms of one word: electrical, electricity."""
    length = max(LEAST_BEGINNING, min(len(one), len(other)) - LONGEST_OTHER_END)
    return min(len(one), len(other)) >= length and one[:length] == other[:length]


def have_common(first: Set[str], second: Set[str]) -> bool:
    """Return whether two sets have an element in common."""
    return not first.isdisjoint(second)


# ---- texts as relations are read in them

LONGEST_REFERENCE = 12  # words; a longer one tells of further things, which stand near by chance
MOST_WORDS = 30  # of an answer whose roles are compared
# A single letter that names a thing: sample B. "A" does so before a verb, a preposition or a mark.
LABEL = re.compile(
    r"(?<![\w'’.-])(?:[B-HJ-Z]|A(?=\W*$|\s?[.,;:?]"
    r"|\s(?:is|was|has|had|does|did|or|and|than|to|on|in|of|by|[a-z]{2,}(?:s|ed))\b))(?![\w'’+\x23-]|\.\w)"
)


# What stands before and behind the initial of a name: Ida B. Vogel, of J. Lang.
INITIAL_BEFORE = re.compile(r"(?:^|\b[A-Z][\w.]{0,30} |[a-z] )$")
LONGEST_BEFORE_INITIAL = 40  # characters
NAME_BEHIND = re.compile(r"\.(?: [A-Z]\.)* [A-Z][a-z]")


class Rewriting(NamedTuple):
    """A phrase that tells a relation in another form, and what it is read as.

    Attributes:
        word: a word that each such phrase has.
        pattern: the phrase.
        replacement: what it is read as, as re.sub takes it.
    """

    word: str
    pattern: re.Pattern[str]
    replacement: str


def rewrite(word: str, pattern: str, replacement: str) -> Rewriting:
    """Return a rewriting whose pattern ignores case."""
    return Rewriting(word, re.compile(pattern, re.IGNORECASE), replacement)


REWRITINGS = (
    # She would rather have tea than coffee, likes tea better than coffee: prefers tea to coffee.
    rewrite(
        "than",
        r"(?:(?: would|'d|’d) rather(?: (?:have|drink|eat|take|use|play|go|be))?"
        r"|\b(?:likes?|loves?)) (?P<liked>[\w-]{2,20}(?: (?!better\b|more\b)[\w-]{2,20})?)"
        r"(?: better| more)? than (?P<other>[\w-]{2,20}(?: [\w-]{2,20})?)",
        r" prefers \g<liked> to \g<other>",
    ),
    # Tin is less heavy than lead: not as heavy as lead.
    rewrite(
        "less",
        r"\b(is|was|are|were) less (?!expensive\b|costly\b|dear\b)(\w+) than\b",
        r"\1 not as \2 as",
    ),
    # farther south than Varn: south of Varn
    rewrite("than", r"\b(?:farther|further) (north|south|east|west) than\b", r"\1 of"),
    # The bus does not cost as much as the tram: costs less than the tram.
    rewrite(
        "as",
        r"\b(?:does|do|did)(?: not|n't) (cost|weigh|pay|need|take) as much as\b",
        r"\1 less than",
    ),
    # The fox did not run as fast as the hare: run not as fast as the hare.
    rewrite("as", r"\b(?:does|do|did)(?: not|n't) (\w+) (?:as|so) (\w+) as\b", r"\1 not as \2 as"),
    # to the south of Varn: south of Varn
    rewrite("the", r"\b(?:to|on) the (north|south|east|west|left|right) of\b", r"\1 of"),
    # The parser cannot work without the lexer: needs the lexer.
    rewrite(
        "without",
        r"\b(?:cannot|can't|can not|does not|doesn't|will not|won't) \w+ without\b",
        "needs",
    ),
    # The dance did not come until after the speech: come after the speech.
    rewrite("until", r"\b(?:did|does|do)(?: not|n't) (\w+) until(?: after)?\b", r"\1 after"),
    # Only after the speech did the dance come: the dance come after the speech.
    rewrite(
        "only",
        r"^only after ([^.,;]{2,60}?) (?:did|does|do|has|had) ([^.,;]{2,60}?)(?=[.!]?$)",
        r"\2 after \1",
    ),
    # The leak was what caused the mould: the leak caused the mould.
    rewrite("what", r"\b(?:is|was|are|were) what (?=(?:\w+ed|led|made|brought|set)\b)", ""),
    # Nora was born before Elias: older than Elias.
    rewrite("born", r"\bborn (?:before|ahead of|earlier than)\b(?! \d)", "older than"),
    rewrite("born", r"\bborn (?:after|later than)\b(?! \d)", "younger than"),
    # The heavier one is Rex, the heavier of the two is Rex: Rex is heavier.
    rewrite(
        "the",
        r"\bthe (\w{2,12}er) (?:one|of (?:the two|them|both)) (?:is|was) ([^.,;]{2,40})",
        r"\2 is \1",
    ),
    # The one to warn Nora was Elias: Elias did warn Nora.
    rewrite(
        "one", r"\bthe one to (\w+) ([^.,;]{2,40}?) (?:is|was) ([^.,;]{2,40})", r"\3 did \1 \2"
    ),
)


@lru_cache(maxsize=RECENT_TEXTS)
def read_things(text: Text) -> Text:
    """Return a text with words for letters that name things, and for phrases for more or less.

    >>> read_things(Text("A weighs more than B.")).text
    'LabelA is heavier than LabelB.'
    """
    text = read_degree_phrases(rewrite_phrases(text))
    if not any(len(shown) == 1 for shown in text.shown):
        return text
    spelled = LABEL.sub(spell_label, text.text)
    return text if spelled == text.text else Text(spelled)


def spell_label(match: re.Match[str]) -> str:
    """Return a letter that names a thing as "LabelB", an initial as it is: Ida B. Vogel."""
    before = match.string[max(0, match.start() - LONGEST_BEFORE_INITIAL) : match.start()]
    is_initial = INITIAL_BEFORE.search(before) and NAME_BEHIND.match(match.string, match.end())
    return match[0] if is_initial else f"Label{match[0]}"


def rewrite_phrases(text: Text) -> Text:
    """Return a text in which phrases of REWRITINGS have the usual form."""
    shown = text.text
    for rewriting in REWRITINGS:
        if rewriting.word in text.first_place:
            shown = rewriting.pattern.sub(rewriting.replacement, shown)
    return text if shown == text.text else Text(shown)


@lru_cache(maxsize=RECENT_TEXTS)
def name_pronoun(reference: Text, question: Text, answer: Text) -> Text:
    """Return a reference with the only name of a question for its last "it".

    "Mount Pell hides it" beside "What hides Mount Gray?" is "Mount Pell hides Mount Gray". Where a
    question compares two persons, "he is taller" is "Tom is taller than Ned". A pronoun that the
    answer has, too, stays.
    """
    if not question.names or not PERSONS.keys().isdisjoint(answer.words):
        return reference
    names = [
        question.span(start, stop)
        for start, stop in question.names
        if question.stems[stop - 1] not in reference.places
    ]
    words = reference.words
    if not 2 < len(words) <= LONGEST_REFERENCE:
        return reference
    if words[-1] == "it" and len(names) == 1:
        return Text(f"{reference.span(0, len(words) - 1)} {names[0]}")
    text = reference.text.rstrip(" .")
    compares = "compare" in question.first_place and is_comparative(words[-1])
    if compares and len(names) == 2 and words[0] in SUBJECT_PRONOUNS:  # he is taller
        return Text(f"{names[0]}{text[reference.find_end_of_word(0) :]} than {names[1]}")
    return reference


# "Priya manages Jonas, who reports to her"
RELATIVE_CLAUSE = re.compile(r",? who (?P<verb>[^.,;:]{2,40}) (?:him|her)[.!]?$")


@lru_cache(maxsize=RECENT_TEXTS)
def name_relative(answer: Text) -> Text:
    """Return what a relative clause says of the two names of an answer, else the answer.

    "Priya manages Jonas, who reports to her" says "Jonas reports to Priya".
    """
    if "who" not in answer.first_place or answer.denials:
        return answer
    clause = RELATIVE_CLAUSE.search(answer.text)
    words = zip(answer.words, answer.shown, strict=True)
    names = [shown for word, shown in words if shown[0].isupper() and word not in STOP_WORDS]
    if not clause or len(names) != 2 or not answer.text[: clause.start()].endswith(names[1]):
        return answer
    return Text(f"{names[1]} {clause['verb']} {names[0]}")


def name_things(answer: Text, reference: Text, question: Text) -> tuple[Text, Text, Text]:
    """Return the three texts as relations are read in them."""
    reference = name_pronoun(reference, question, answer)
    return read_things(name_relative(answer)), read_things(reference), read_things(question)
