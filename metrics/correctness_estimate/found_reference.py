"""Read the clauses and things of an answer around the words that it has of a short reference.

A thing is a name ("Lope de Vega"), a figure, or a noun with the words before it ("a red ring").
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from .lexicon import BE, DETERMINERS, PREPOSITIONS, STOP_WORDS, TURNING_WORDS
from .matching import Match
from .outcomes import Objection
from .opposites import find_root, is_derived, is_same_degree
from .same_names import PERSON_PARTICLES
from .text import RECENT_TEXTS, CachedProperty, Text, read_text

LONGEST_NAME = 6  # words
LONGEST_THING = 3  # words of a thing with small letters
LONGEST_PLAIN_THING = 2  # words of a thing without "a" or "the"
SHORTEST_STEM = 4  # letters that two forms of a word share: convict, conviction

# Words that join two things or two clauses.
ADDING_WORDS = frozenset("and y und et sowie plus besides alongside".split())
OPEN_WORDS = frozenset("or oder ou o".split())
CONJUNCTIONS = frozenset("but though although while unless if not".split())
CONNECTING_WORDS = ADDING_WORDS | OPEN_WORDS | CONJUNCTIONS
# Words between a joint and a thing: and also, or else, or was it.
LEADING_WORDS = frozenset(
    "also else then later even equally again perhaps maybe sometimes occasionally "
    "auch aussi tambien vielleicht peut etre quizas".split()
)
INDEFINITE = frozenset("a an another ein eine einen un una une".split())
NO_THING = frozenset(
    "it he she they this that which who there one we you i known called very quite rather so no "
    "not nothing nobody everybody everyone more less some any many most much often never always "
    "again others rest".split()
)
VERB_ENDINGS = ("ed", "ly")
LONGEST_BARE_ANSWER = 6  # words of an answer that is one or two things and nothing else
SHORTEST_VERB = 5  # letters of a word with such an ending: "red" is none

# Words that say no more of a thing than that it is so, too, or may be so.
ALSO_WORDS = frozenset("also too likewise equally another auch aussi tambien".split())
LIKELY_WORDS = frozenset("likely possible plausible probable conceivable".split())
PRO_FORMS = frozenset("one other another second same right well just exactly".split())
AUXILIARY = BE | frozenset("do does did has have had can could will would may might both".split())
EMPTY_WORDS = (
    STOP_WORDS
    | ALSO_WORDS
    | LIKELY_WORDS
    | PRO_FORMS
    | CONNECTING_WORDS
    | TURNING_WORDS
    | AUXILIARY
    | PREPOSITIONS
)


class FoundReference:
    """A reference that is one thing, and the words that an answer has of it: the match.

    Attributes:
        answer, question: the texts.
        reference: the reference whose words the answer has.
        references: all references.
        words, shown, stems: those of the answer.
        match: the words of the answer that the reference has.
        is_name, is_figure: the form of the match.
        has_determiner: whether "a", "the" or the like stands before the match.
    """

    def __init__(
        self,
        answer: Text,
        reference: Text,
        references: Sequence[Text],
        question: Text,
        match: Match,
    ) -> None:
        """Find the words of the match and their form."""
        self.answer = answer
        self.reference = reference
        self.references = references
        self.question = question
        self.words, self.shown, self.stems = answer.words, answer.shown, answer.stems
        self.known = [question, *references]
        self.match = self.find_match_words(match)
        start, last = self.match.start, self.match[-1]
        before = self.words[max(0, start - 2) : start]
        self.has_determiner = not DETERMINERS.isdisjoint(before)
        edges = (self.shown[start], self.shown[last])
        has_capitals = all(shown[0].isupper() for shown in edges)
        is_noun = not INDEFINITE.isdisjoint(before) or begins_sentence(answer, reference)
        self.is_name = has_capitals and not is_noun and is_capitalized(reference)
        self.is_figure = start == last and self.words[last].isdigit()

    def find_match_words(self, match: Match) -> range:
        """Return the words of a match, with words around it that the question has, too."""
        start, last = match.start, match.end
        while last > start and not self.is_part_of_match(last):
            last -= 1
        own = set(self.stems[start : last + 1])
        while not self.ends_clause(last) and self.stems[last + 1] in self.reference.places:
            if self.stems[last + 1] in own:
                break
            last += 1
            own.add(self.stems[last])
        while start > 0 and not self.ends_clause(start - 1):
            before = self.stems[start - 1]
            if before in own or before not in self.reference.content:
                break
            start -= 1
            own.add(before)
        return range(start, last + 1)

    def is_part_of_match(self, i: int) -> bool:
        """Return whether the reference has a word that is no particle of a name: de."""
        is_small = self.words[i] in PERSON_PARTICLES
        return not is_small and self.stems[i] in self.reference.places

    # ---- characters

    @property
    def start(self) -> int:
        """The first character of the match."""
        return self.answer.starts[self.match.start]

    @property
    def end(self) -> int:
        """The first character behind the match."""
        return self.answer.find_end_of_word(self.match[-1])

    def quote(self, words: range) -> str:
        """Return a range of words as they were written, or ""."""
        return self.answer.span(words.start, words.stop) if words else ""

    def report(self, kind: str, found: str) -> Objection:
        """Return the objection to a kind, with the words of the answer that show it."""
        return Objection(kind, 1.0, found, self.reference.text.strip())

    def report_replacement(self, words: range) -> Objection:
        """Return the objection to words that give another thing in the place of the match."""
        return Objection("either", 1.0, self.quote(words), self.quote(self.match), "replaced")

    # ---- known and new words

    def is_known_stem(self, stem: str) -> bool:
        """Return whether the question or a reference has a stem."""
        return any(stem in text.places for text in self.known)

    def is_known(self, i: int) -> bool:
        """Return whether the question or a reference has a word of the answer."""
        return self.is_known_stem(self.stems[i])

    def is_asked(self, i: int) -> bool:
        """Return whether a word is a form of a telling word of the question."""
        root = find_root(self.words[i])
        return any(is_form(root, question_root) for question_root in self.question_roots)

    @CachedProperty
    def question_roots(self) -> list[str]:
        """The roots of the question's words that tell something."""
        return [find_root(word) for word in self.question.words if word not in STOP_WORDS]

    def has_meaning(self, i: int) -> bool:
        """Return whether a word says more than that something is so, too, or may be so."""
        return self.words[i] not in EMPTY_WORDS and i not in self.answer.hedges

    def list_new_words(self, clause: range, excluded: range) -> list[int]:
        """Return the telling words of a clause that no other text and no excluded word has."""
        excluded_stems = {self.stems[i] for i in excluded}
        new = list[int]()
        for i in clause:
            if self.stems[i] in excluded_stems or not self.has_meaning(i):
                continue
            if not self.is_known(i) and not self.is_asked(i):
                new.append(i)
        return new

    # ---- clauses

    def ends_clause(self, i: int) -> bool:
        """Return whether a word is the last of its clause."""
        clause = self.answer.clause
        return i + 1 >= len(clause) or clause[i + 1] != clause[i]

    def list_clauses(self) -> list[range]:
        """Return the clauses of the answer; the match is in one of them."""
        clauses = list[range]()
        first = 0
        for i in range(1, len(self.words)):
            if self.ends_clause(i - 1) and i not in self.match:
                clauses.append(range(first, i))
                first = i
        clauses.append(range(first, len(self.words)))
        return clauses

    def list_words(self, places: range) -> list[str]:
        """Return the words of a range."""
        return self.words[places.start : places.stop]

    # ---- things

    def is_another(self, thing: range) -> bool:
        """Return whether a thing differs from the match: the Red Sea from the Dead Sea."""
        if not thing or all(self.is_known(i) or self.is_asked(i) for i in thing):
            return False
        own = {self.stems[i] for i in self.match}
        is_same_head = self.stems[thing[-1]] == self.stems[self.match[-1]]
        is_head_known = self.is_known(thing[-1]) and not is_same_head
        has_new_name = any(self.shown[i][0].isupper() and not self.is_known(i) for i in thing)
        is_new = has_new_name or not is_head_known
        return is_new and not own <= {self.stems[i] for i in thing}

    def read_thing(self, start: int, *, is_noun: bool = False) -> range:
        """Return the range of a thing that has the form of the match, or an empty one.

        Args:
            start: its first word, or a small word before it.
            is_noun: whether only a noun can stand there: behind "as well as", not behind "and".
        """
        start = self.skip_leading_words(start)
        is_end = start >= len(self.words)
        if is_end or self.words[start].partition("'")[0] in NO_THING - DETERMINERS:
            return range(0)
        if self.is_figure:
            return self.read_figure(start)
        has_determiner = self.words[start] in DETERMINERS and not self.ends_clause(start)
        start += has_determiner
        if self.is_name:
            return self.read_name(start)
        return self.read_common_thing(start, has_determiner, is_noun)

    def read_figure(self, i: int) -> range:
        """Return the range of a number that has the unit of the reference's number: no 28 years."""
        quantity = self.answer.find_quantity(i)
        expected = self.reference.quantities[:1]
        has_other_unit = quantity and expected and quantity.dimension != expected[0].dimension
        return range(i, i + (self.words[i].isdigit() and not has_other_unit))

    def skip_leading_words(self, i: int) -> int:
        """Return the first word of a thing behind small words: or possibly the Nile."""
        while i < len(self.words) - 1:
            if self.words[i] in DETERMINERS or not self.is_small(i):
                break
            i += 1
        return i

    def is_small(self, i: int) -> bool:
        """Return whether a word may stand between a joint and a thing: also, perhaps, the."""
        word = self.words[i]
        return word in STOP_WORDS or word in LEADING_WORDS or i in self.answer.hedges

    def read_name(self, start: int) -> range:
        """Return the range of words with a capital, also behind another word: brother Bob."""
        start += self.shown[start].islower() and not self.ends_clause(start)
        stop = start
        for i in range(start, min(len(self.words), start + LONGEST_NAME)):
            if not self.shown[i][0].isupper():
                break
            stop = i + 1
            if self.ends_clause(i):
                break
        return range(start, stop)

    def read_common_thing(self, start: int, has_determiner: bool, is_noun: bool) -> range:
        """Return the range of a thing with small letters, or an empty one: "a necklace".

        Behind "and" a single word may be a verb ("took a watch and ran"). It is a thing if it ends
        the clause and the match has no "a" or "the", or if the match begins the answer.
        """
        stop = self.find_end_of_noun(start)
        stop -= stop > start + 1 and self.is_asked(stop - 1)  # the liver makes it
        thing = range(start, stop)
        word = self.words[start]
        is_verb = len(word) >= SHORTEST_VERB and word.endswith(VERB_ENDINGS)
        if is_noun:
            is_thing = True
        elif has_determiner:
            # Every pizza gets oregano and a few olives.
            is_last = self.words[start - 2] == "and" and self.says_nothing_else(thing)
            is_thing = self.has_determiner or self.match.start <= 1 or is_last
        else:
            is_thing = not is_verb and bool(thing) and self.is_bare_thing(thing)
        return thing if is_thing else range(0)

    def is_bare_thing(self, thing: range) -> bool:
        """Return whether words behind "and" without "a" or "the" are a thing and no verb."""
        stop = thing.stop
        begins_answer = self.match.start <= self.has_determiner
        if stop < len(self.words) and self.words[stop] in AUXILIARY:
            return begins_answer
        if not self.ends_clause(stop - 1):
            may_go_on = self.words[stop] in PREPOSITIONS or self.is_asked(stop)
            return may_go_on and (begins_answer or self.says_nothing_else(thing))
        is_plain = not self.has_determiner and len(thing) <= LONGEST_PLAIN_THING
        return begins_answer or is_plain

    def says_nothing_else(self, thing: range) -> bool:
        """Return whether an answer has no new words but those of the match and a thing."""
        new = self.list_new_words(range(len(self.words)), self.match)
        return all(i in thing for i in new)

    def find_end_of_noun(self, start: int) -> int:
        """Return the place behind a noun, and behind the second one in "a slice of cake".

        It is that of a small word, or behind the clause.
        """
        behind = self.words[start + 1 : start + 3]
        has_part = behind[:1] == ["of"] and behind[-1].isalpha()
        longest_stop = min(len(self.words), start + LONGEST_THING + 2 * has_part)
        for i in range(start, longest_stop):
            word = self.words[i]
            if has_part and i == start + 1:
                continue
            if word in STOP_WORDS or word in PREPOSITIONS or word in ALSO_WORDS:
                return i
            if self.ends_clause(i):
                return i + 1
        return longest_stop

    def read_last_thing(self, clause: range) -> range:
        """Return the last new thing of a clause with the form of the match, or an empty range."""
        new = self.list_new_words(clause, self.match)
        if not new:
            return range(0)
        first = new[-1]
        while first - 1 in new:
            first -= 1
        if self.words[first - 1] == "of" and first - 2 in new:
            first -= 2  # a glass of orange juice
        has_determiner = first > clause.start and self.words[first - 1] in DETERMINERS
        thing = self.read_thing(first - has_determiner, is_noun=True)
        return thing if thing.stop <= clause.stop else range(0)


def begins_sentence(answer: Text, reference: Text) -> bool:
    """Return whether a capital may only be that of a sentence: "Mercury and iron" for "Mercury".

    Then a short answer and its reference have no further capital.
    """
    if len(answer.words) > LONGEST_BARE_ANSWER:
        return False
    has_capital = any(not shown.islower() for shown in (*answer.shown[1:], *reference.shown[1:]))
    return not has_capital and answer.stems[0] == reference.stems[0]


def is_capitalized(text: Text) -> bool:
    """Return whether the first telling word of a text has a capital."""
    for word, shown in zip(text.words, text.shown, strict=True):
        if word not in STOP_WORDS:
            return shown[0].isupper()
    return False


@lru_cache(maxsize=8192)
def is_form(root: str, other: str) -> bool:
    """Return whether two roots are forms of one word: convict, conviction; long, longest."""
    if root.isdigit() or other.isdigit():
        return root == other
    if is_derived(root, other) or is_same_degree(root, other):
        return True
    shorter, longer = sorted((root, other), key=len)
    return len(shorter) > SHORTEST_STEM and longer.startswith(shorter)


# The two things at the end of a question, or behind "which of": Who is taller, Ann or Bob?
ALTERNATIVES = re.compile(
    r"""(?: [,:][ ] | \bis[ ] | \bwas[ ] | \bbetween[ ] )
    (?P<first> [^,:?]{1,40}? ) [ ](?:or|and)[ ] (?P<second> [^,:?]{1,40} ) \W*$
    | ^ \W* (?i:which|what|who)[ ]of[ ]
    (?P<one>[^,:?]{1,40}?) [ ](?:and|or)[ ] (?P<other>\w+(?:[ ]\w+)?)
    [ ](?=is|was|has|had|can|does|did)""",
    re.VERBOSE,
)


@lru_cache(maxsize=RECENT_TEXTS)
def read_alternatives(question: Text) -> tuple[set[str], set[str]] | None:
    """Return the stems of the two things between which a question lets choose, or None."""
    match = ALTERNATIVES.search(question.text)
    if match is None:
        return read_compared_alternatives(question)
    first, second = match["first"] or match["one"], match["second"] or match["other"]
    return read_named_thing(first), read_named_thing(second)


def read_compared_alternatives(question: Text) -> tuple[set[str], set[str]] | None:
    """Return the stems of the two things before a comparative: Is Ann or Bob taller?"""
    words = question.words
    begins_so = bool(words) and words[0] in BE and words.count("or") == 1
    if not begins_so or not words[-1].endswith("er") or len(words) > LONGEST_CHOICE:
        return None
    joint, last = words.index("or"), len(words) - 1
    things = [range(1, joint), range(joint + 1, last)]
    first, second = (question.list_stems(thing) for thing in things)
    return (first, second) if first and second else None


LONGEST_CHOICE = 10  # words of a question that offers two things and then compares them


def read_named_thing(name: str) -> set[str]:
    """Return the telling stems of a thing, and the letter at its end: plan A."""
    text = read_text(name)
    letter = text.stems[-1:] if len(text.words) > 1 and LETTER.fullmatch(text.shown[-1]) else []
    return {*text.content, *letter}


LETTER = re.compile(r"[A-Z]")


def choose_alternative(question: Text, reference: Text) -> tuple[set[str], set[str]] | None:
    """Return the stems of the thing that a reference takes of two, and of the other one, or None.

    None if the question does not offer two things, or the reference has words of both or neither.
    """
    alternatives = read_alternatives(question)
    if alternatives is None:
        return None
    expected = set(reference.content)
    first, second = alternatives
    takes_first = not expected.isdisjoint(first - second)
    takes_second = not expected.isdisjoint(second - first)
    if takes_first == takes_second:
        return None
    return (first, second) if takes_first else (second, first)
