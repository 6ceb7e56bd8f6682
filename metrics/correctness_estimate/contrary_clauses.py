"""Whether an answer says the contrary of one part of a longer reference.

A reference and an answer are cut into parts at marks and at words such as "and". Each part of the
reference is compared with the part of the answer that has most of its words or their opposites. It
says the contrary if the number of its opposites and denials is odd: "The film is short and dull"
beside "The film is long and dull". Two such parts do not make up for each other, unless one is the
condition of the other: "when the price falls, demand rises".
"""

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass, replace

from .contraries import LONGEST_STATEMENT
from .denials import CONDITIONS, find_denying_words, is_telling, list_denials, list_denied_words
from .opposites import are_opposite_words, have_same_stem, may_have_opposites, say_same
from .outcomes import UNLIKELY, Decision
from .relations import TURNED_ROUND
from .roles import has_exchanged_roles, measure_exchange
from .text import Text

LONGEST_REFERENCE = 30  # words
LONGEST_ANSWER = 40  # words
# Words that begin a new part. "Or" does not: "not with alcohol or juice" denies both.
PART_STARTS = frozenset("and but nor while whereas und aber et mais y pero".split())
FEWEST_SAME = 3  # words of a part that tell which of two opposites it means
LEAST_COVERED = 0.65  # share of a part's words that the answer's part must have, or opposites of


@dataclass(frozen=True)
class Pairing:
    """The words of a part of the reference, and the words of a part of the answer beside them.

    Attributes:
        same: for each word of the reference that the part of the answer has, its place there.
        opposite: the same for each word that it has an opposite of.
        missing: the words of the reference that the answer lacks.
        turns: how many opposites and denials stand between the two.
    """

    same: dict[int, int]
    opposite: dict[int, int]
    missing: list[int]
    turns: int = 0

    @property
    def n_covered(self) -> int:
        """The number of words that the part of the answer has, or an opposite of."""
        return len(self.same) + len(self.opposite)

    def is_contrary(self) -> bool:
        """Return whether the part of the answer says the contrary."""
        n_wanted = self.n_covered + len(self.missing)
        return self.turns % 2 == 1 and self.n_covered >= LEAST_COVERED * n_wanted


@dataclass(frozen=True)
class Part:
    """A part of a text, with the places of its words."""

    text: Text
    places: range

    def list_telling(self) -> list[int]:
        """Return the places of the words that tell something."""
        return [i for i in self.places if is_telling(self.text, i)]

    def list_words(self) -> list[str]:
        """Return the words."""
        return self.text.words[self.places.start : self.places.stop]

    def quote(self) -> str:
        """Return the part as it is spelled."""
        return self.text.span(self.places.start, self.places.stop)

    def has_all_content(self, other: Text) -> bool:
        """Return whether the part has all words of another text that tell something."""
        return set(other.content) <= {self.text.stems[i] for i in self.places}

    def list_denials(self, paired: Set[int]) -> set[int]:
        """Return the words that deny, without those that are paired with a word."""
        return set(self.places).intersection(list_denials(self.text)) - paired


def decide_contrary_clause(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return UNLIKELY if an answer says the contrary of a part of a reference, else None.

    A reference of one short part is read by `contraries.decide_contrary`.
    """
    parts = list_parts(reference)
    if len(parts) < 2 and len(reference.words) <= LONGEST_STATEMENT:
        return None
    if not can_compare_parts(answer, reference, question) or not may_turn(answer, reference):
        return None
    answer_parts = list_parts(answer)
    for part in parts:
        contrary = find_contrary_part(answer_parts, part, question)
        if contrary:
            kind = "opposite" if contrary.opposite else "denied"
            return Decision(UNLIKELY, kind, answer.text.strip(), part.quote())
    return None


def can_compare_parts(answer: Text, reference: Text, question: Text) -> bool:
    """Return whether an answer and a reference are short enough, and the question does not deny."""
    if reference.is_chinese or find_denying_words(question):
        return False
    if not 0 < len(reference.words) <= LONGEST_REFERENCE:
        return False
    if not 0 < len(answer.words) <= LONGEST_ANSWER:
        return False
    if measure_exchange(answer, reference) == TURNED_ROUND:
        return False
    return not has_exchanged_roles(answer, reference)


def may_turn(answer: Text, reference: Text) -> bool:
    """Return whether a text denies, or the two may have opposites: most texts do neither."""
    has_denial = bool(list_denials(answer) or list_denials(reference))
    return has_denial or may_have_opposites(reference, answer)


def list_parts(text: Text) -> list[Part]:
    """Return the parts of a text: its clauses, cut before "and" and the like.

    A sentence with a condition is a single part.
    """
    conditional_sentences = set[int]()
    for i, word in enumerate(text.words):
        if word in CONDITIONS:
            conditional_sentences.add(text.sentence[i])
    parts = list[Part]()
    start = 0
    for i in range(1, len(text.words)):
        if begins_part(text, i, conditional_sentences):
            parts.append(Part(text, range(start, i)))
            start = i
    parts.append(Part(text, range(start, len(text.words))))
    return parts


def begins_part(text: Text, i: int, conditional_sentences: set[int]) -> bool:
    """Return whether a word begins a new part."""
    if text.sentence[i] != text.sentence[i - 1]:
        return True
    if text.sentence[i] in conditional_sentences:
        return False
    if text.words[i] in PART_STARTS:
        return True
    return text.clause[i] != text.clause[i - 1]


def find_contrary_part(
    answer_parts: Sequence[Part],
    part: Part,
    question: Text,
) -> Pairing | None:
    """Return the pairing of a part of the reference whose likest parts all say the contrary."""
    pairings = [pair_parts(answer_part, part, question) for answer_part in answer_parts]
    most = max(pairing.n_covered for pairing in pairings)
    if not most:
        return None
    likest = [pairing for pairing in pairings if pairing.n_covered == most]
    if not all(pairing.is_contrary() for pairing in likest):
        return None
    return likest[0]


def pair_parts(answer_part: Part, part: Part, question: Text) -> Pairing:
    """Return which words of a part of the reference stand in a part of the answer."""
    answer, reference = answer_part.text, part.text
    words = part.list_telling()
    free = answer_part.list_telling()
    same = match_words(reference, words, answer, free, have_same_stem)
    free = [place for place in free if place not in same.values()]
    words = [i for i in words if i not in same]
    # If the answer has the word itself elsewhere, its opposite may belong to something else.
    absent = [i for i in words if reference.stems[i] not in answer.places]
    opposite = match_words(reference, absent, answer, free, are_opposite)
    same |= match_words(reference, words, answer, free, say_same)
    for i in opposite.keys() & same.keys():
        del opposite[i]
    known_stems = answer.places.keys() | question.places.keys()
    paired = same.keys() | opposite.keys()
    missing = list[int]()
    for i in words:
        if i not in paired and reference.stems[i] not in known_stems:
            missing.append(i)
    pairing = Pairing(same, opposite, missing)
    return replace(pairing, turns=count_turns(answer_part, part, pairing))


def match_words(
    reference: Text,
    words: Sequence[int],
    answer: Text,
    places: Sequence[int],
    matches: Callable[[str, str], bool],
) -> dict[int, int]:
    """Return for some words of a reference the first of some words of the answer that matches."""
    matched = dict[int, int]()
    for i in words:
        for place in places:
            if matches(reference.words[i], answer.words[place]):
                matched[i] = place
                break
    return matched


def count_turns(answer_part: Part, part: Part, pairing: Pairing) -> int:
    """Return how many opposites and denials stand between two parts, 0 if that is unclear."""
    answer, reference = answer_part.text, part.text
    paired = pairing.same.keys() | pairing.opposite.keys()
    paired_answer_words = {*pairing.same.values(), *pairing.opposite.values()}
    answer_denials = answer_part.list_denials(paired_answer_words)
    reference_denials = part.list_denials(paired)
    # A "less" that the answer has in another part may compare something else there.
    if "less" in answer.first_place:
        reference_denials = {i for i in reference_denials if reference.words[i] != "less"}
    is_conditional = not CONDITIONS.isdisjoint(part.list_words())
    if is_conditional and (answer_denials or reference_denials):
        return 0  # they may deny the condition, or what follows from it
    if has_both_opposites(reference, pairing):
        return 0
    n_turns = len(pairing.opposite) + len(reference_denials)
    has_all = paired.issuperset(part.list_telling())
    for i in answer_denials:
        denied = list_denied_words(answer, i).intersection(answer_part.places)
        if not has_all and denied - paired_answer_words:
            return 0  # the denial of a new word may mean what this part of the answer lacks
        if not denied or denied & paired_answer_words:
            n_turns += 1
    return n_turns


def are_opposite(one: str, other: str) -> bool:
    """Return whether two words are opposites, and no numbers: "last", but not "1" for "first"."""
    if not one.isalpha() or not other.isalpha():
        return False
    return are_opposite_words(one, other)


def has_both_opposites(reference: Text, pairing: Pairing) -> bool:
    """Return whether a reference itself has the opposite of one of its words: left and right.

    An answer with most words of the part tells which of the two is meant.
    """
    if len(pairing.same) >= FEWEST_SAME and not pairing.missing:
        return False
    for i in pairing.opposite:
        word = reference.words[i]
        if any(are_opposite_words(word, other) for other in reference.words):
            return True
    return False
