"""Compare a sentence of an answer with a yes-no question.

A sentence has words of the question, opposites of its words, and words of its own; it affirms or
denies.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from .lexicon import STOP_WORDS
from .polarity import AUXILIARY, PRONOUNS
from .quantities import Quantity
from .text import Text, is_negator
from .opposites import are_opposite_roots, find_root, is_derived

LONGEST_QUESTION = 500  # characters that are searched for what is asked
MOST_SENTENCES = 20
LONGEST_SENTENCE = 60  # words
SHORTEST_ADVERB = 4  # letters
# What a question may have beside what it asks.
IGNORED = AUXILIARY | frozenset(
    (
        "ever still yet already any anyone anybody anything really also even please actually kind "
        "sort true case people person thing one ones someone something somebody currently now "
        "today get gets got go goes going went lot lots plenty bit make makes made take takes "
        "took have est ce que le la les un une des du et il elle ist sind das der die den ein "
        "eine im es el los las está esta son hay gibt ne"
    ).split()
)
# Small words and pronouns of German, French and Spanish. English has none of them.
FOREIGN_PRONOUNS = frozenset("er sie man wir ihr elle ils elles nous vous ello él ella".split())
FOREIGN_SMALL = FOREIGN_PRONOUNS | frozenset(
    (
        "sehr ganz noch schon auch dort hier etwas mit zum zur vom als sich ihn ihm den dem einem "
        "einen einer très dans aux avec cette c'est ça muy del qué que se lo su al con como más"
    ).split()
)
# What denies in German, French and Spanish beside the words that `Text` knows.
FOREIGN_NEGATORS = frozenset(
    (
        "nichts keiner keines keinem niemand nirgends ohne kaum pas rien aucun aucune personne "
        "sans jamais nada ningún ninguna ninguno nadie sin no"
    ).split()
)
FOREIGN_QUESTION = re.compile(
    r"\W*(?:¿|(?:ist|sind|war|waren|hat|haben|hatte|kann|können|darf|dürfen|muss|müssen|wird|werden"
    r"|gibt|kostet|est-ce|est|sont|était|peut-on|y a-t-il|le \w+ est-il|la \w+ est-elle)\b)",
    re.IGNORECASE,
)
POINTING = (
    PRONOUNS
    | frozenset("there you i we him her them one ones none some any so both neither".split())
    | FOREIGN_PRONOUNS
)
DEGREES = frozenset(
    "very quite really fully highly rather much far even still also already again too always "
    "certainly actually only just simply perfectly completely mostly usually often clearly indeed "
    "about around longer".split()
)
# What denies without a negator, wherever it stands.
DENYING = re.compile(
    r"unable|incapab|fail(?:s|ed|ing)?$|lack|refus|forbid|forbad|prohibit|illegal|declin|reject"
    r"|den(?:y|ie)|bann?(?:s|ed)?$"
    r"|avoid|without|stopped$|cancel|abandon|insufficien|missing|exclud|rarely"
    r"|seldom|remov|refrain|prevent|unknown|unfit"
    r"|myth|misconcep|zero$|far$"
)
DENYING_PHRASE = re.compile(
    r"\bturn(?:ed|s)? (?:\w+ ){0,3}down\b|\b(?:left|leave) (?:\w+ )?(?:off|out)\b|\btoo \w+ to\b"
    r"|\byet to\b"
    r"|\bmoved away\b|\baway from\b|\banything but\b|\binstead\b|\bother than\b"
    r"|(?<!a )\b(?:few|little)\b|\b(?:stop|cease)(?:s|d|ped)? \w+ing\b|\bfree (?:of|from)\b"
    r"|\brid of\b|\b(?:keep|keeps|kept|stay|stays|stayed) (?:\w+ ){0,2}out of\b"
)
ALL = frozenset("all every always each everyone everybody everything".split())
SOME = frozenset("some only few sometimes several certain many most occasionally".split())
COPULAS = frozenset("is are was were isn't aren't wasn't weren't".split())
FEWEST_ASKED = 3  # words of a question before a condition
CONDITIONS = frozenset("when if while unless".split())
SUBORDINATE = frozenset("because although though unless if whereas".split())


def list_sentences(text: Text) -> Iterator[range]:
    """Yield the words of each of the first sentences of a text."""
    start = 0
    found = 0
    for i in range(1, len(text.words) + 1):
        if i < len(text.words) and not text.is_new_sentence(i):
            continue
        yield range(start, min(i, start + LONGEST_SENTENCE))
        start, found = i, found + 1
        if found == MOST_SENTENCES:
            return


@dataclass(frozen=True)
class Sentence:
    """A sentence of an answer beside the question.

    Attributes:
        answer, question: the texts.
        words: the places of the sentence's words.
    """

    answer: Text
    question: Text
    words: range

    @cached_property
    def text(self) -> str:
        """The sentence in lower case."""
        start, last = self.words.start, self.words.stop - 1
        return self.answer.lower[
            self.answer.starts[start] : self.answer.starts[last] + len(self.answer.shown[last])
        ]

    @cached_property
    def shown(self) -> str:
        """The sentence as it is written."""
        return self.answer.span(self.words.start, self.words.stop)

    @cached_property
    def denials(self) -> set[int]:
        """The negators of the sentence.

        A "without" behind another one is a condition: you can't see it without a telescope.
        """
        words = self.answer.words
        found = {i for i in self.answer.denials if i in self.words}
        if FOREIGN_QUESTION.match(self.question.text):
            found |= {i for i in self.words if words[i] in FOREIGN_NEGATORS}
        first = min(found, default=0)
        return {i for i in found if i == first or words[i] != "without"}

    @cached_property
    def asked(self) -> list[str]:
        """The roots of the words that the question asks about."""
        question = self.question
        words = list[str]()
        for i, word in enumerate(cut_condition(question.words[:LONGEST_SENTENCE])):
            if i and is_joined(question, i) and words and words[-1] == question.words[i - 1]:
                words.append(words.pop() + word)
            elif is_asked(word):
                words.append(word)
        return list(dict.fromkeys(map(find_root, words)))

    @cached_property
    def roots(self) -> dict[int, str]:
        """The root of each word of the sentence that tells something."""
        found = dict[int, str]()
        for i in self.words:
            word = self.answer.words[i]
            if i > self.words.start and is_joined(self.answer, i):
                found.pop(i - 1, None)
                word = self.answer.words[i - 1] + word  # semi-final, non-stop
            if is_asked(word):
                found[i] = find_root(word)
        return found

    @cached_property
    def matched(self) -> set[str]:
        """What the question asks about and the sentence has, in any form."""
        return {
            one for one in self.asked if any(is_derived(one, root) for root in self.roots.values())
        }

    @cached_property
    def opposed(self) -> set[str]:
        """What the question asks about and the sentence has an opposite of."""
        found = set[str]()
        for one in self.asked:
            if one not in self.matched and any(
                are_opposite_roots(one, root) for root in self.roots.values()
            ):
                found.add(one)
        return found

    @cached_property
    def missing(self) -> list[str]:
        """What the question asks about and the sentence says nothing of."""
        return [one for one in self.asked if one not in self.matched and one not in self.opposed]

    @cached_property
    def new(self) -> list[int]:
        """The words of the sentence that tell something and that the question does not have."""
        found = list[int]()
        for i, root in self.roots.items():
            if not is_degree(self.answer.shown[i]) and not any(
                is_derived(one, root) for one in self.asked
            ):
                found.append(i)
        return found

    @cached_property
    def sign(self) -> int:
        """1 where the sentence affirms, -1 where it denies."""
        return -1 if (self.count_denials() + is_denied_question(self.question)) % 2 else 1

    @cached_property
    def points(self) -> bool:
        """Whether a pronoun stands for something that the question names."""
        return any(is_pointing(self.answer.words[i]) for i in self.words)

    @cached_property
    def leading(self) -> int | None:
        """The first word that tells something, where a pronoun is the subject."""
        if not self.words or not is_pointing(self.answer.words[self.words.start]):
            return None
        after = [i for i in self.roots if not is_degree(self.answer.shown[i])]
        return after[0] if after else None

    def count_denials(self) -> int:
        """Return how often the main clause denies."""
        inside = self.main_words()
        words = self.answer.words
        count = count_negators(self)
        if "but" in words[inside.start : inside.stop]:
            turn = words.index("but", inside.start)
            if not self.has_matched_before(turn):
                count -= sum(i in inside and i < turn for i in self.answer.denials)
        count += bool(DENYING_PHRASE.search(self.text))
        for i in inside:
            is_denying = DENYING.match(words[i]) and not is_negator(words[i])
            count += (
                bool(is_denying) and words[i] not in self.question.words and not self.opposes(i)
            )
        return count

    def has_matched_before(self, turn: int) -> bool:
        """Return whether a word that the question asks about stands before a "but"."""
        before = [root for i, root in self.roots.items() if i < turn]
        return any(is_derived(one, root) for one in self.matched for root in before)

    def opposes(self, i: int) -> bool:
        """Return whether a word is the opposite of one that the question asks about."""
        root = find_root(self.answer.words[i])
        return any(are_opposite_roots(one, root) for one in self.opposed)

    def main_words(self) -> range:
        """Return the words before a clause that gives a reason or a condition."""
        for i in self.words[1:]:
            if self.answer.words[i] in SUBORDINATE:
                return range(self.words.start, i)
        return self.words


def is_joined(text: Text, i: int) -> bool:
    """Return whether a hyphen joins a word to the one before it."""
    start = text.starts[i]
    return text.text[start - 1] == "-" and text.starts[i - 1] + len(text.shown[i - 1]) == start - 1


def cut_condition(words: Sequence[str]) -> Sequence[str]:
    """Return a question's words without a condition behind them: is data lost when power is off."""
    for i, word in enumerate(words):
        if i >= FEWEST_ASKED and word in CONDITIONS:
            return words[:i]
    return words


def is_degree(word: str) -> bool:
    """Return whether a word only says how much something is so."""
    return word in DEGREES or (
        word.endswith("ly") and word.islower() and len(word) > SHORTEST_ADVERB
    )


def is_pointing(word: str) -> bool:
    """Return whether a word is a pronoun, with a short verb if need be: it, they're."""
    return word.partition("'")[0] in POINTING


def is_asked(word: str) -> bool:
    """Return whether a word tells something of what is asked."""
    bare = word.partition("'")[0]
    return not ({word, bare} & (STOP_WORDS | IGNORED | FOREIGN_SMALL)) and not is_negator(word)


def is_denied_question(question: Text) -> bool:
    """Return whether a question denies what it asks; "Isn't it?" only expects a yes."""
    return sum(i > 1 for i in question.denials) % 2 == 1


def first_word(text: Text, one: Quantity) -> int:
    """Return the word at which a quantity begins."""
    return text.words_between(one.start, one.end + 1).start


def negators_sign(sentence: Sentence) -> int:
    """Return -1 where a negator denies the sentence, else 1."""
    return -1 if count_negators(sentence) % 2 else 1


def count_negators(sentence: Sentence) -> int:
    """Return how many negators the sentence has, but those that deny no more than a bound."""
    inside = sentence.main_words()
    return sum(i in inside and not is_prefix(sentence.answer, i) for i in sentence.denials)


def is_prefix(text: Text, i: int) -> bool:
    """Return whether a word is only the beginning of one with a hyphen: non-magnetic."""
    return i + 1 < len(text.words) and is_joined(text, i + 1)
