"""Whether an answer says the contrary of one part of a longer reference.

A reference and an answer are cut into parts at marks and at words such as "and". Each part of the
reference is compared with the part of the answer that has most of its words or their opposites. It
says the contrary if the number of its opposites and denials is odd: "The film is short and dull"
beside "The film is long and dull". Two such parts do not make up for each other, unless one is the
condition of the other: "when the price falls, demand rises".
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from .contraries import LONGEST_STATEMENT
from .denials import CONDITIONS, find_denying_words, is_telling, list_denials, list_denied_words
from .opposites import are_opposite_words, have_same_stem, may_have_opposites, say_same
from .outcomes import UNLIKELY, Decision
from .roles import has_exchanged_roles
from .text import Text

LONGEST_REFERENCE = 30  # words
LONGEST_ANSWER = 40  # words
# Words that begin a new part. "Or" does not: "not with alcohol or juice" denies both.
JOINTS = frozenset("and but nor while whereas und aber et mais y pero".split())
COMPARING = frozenset("than als que".split())
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
        contrary = find_contrary_part(answer, answer_parts, reference, part, question)
        if contrary:
            kind = "opposite" if contrary.opposite else "denied"
            shown = reference.span(part.start, part.stop)
            return Decision(UNLIKELY, kind, answer.text.strip(), shown)
    return None


def can_compare_parts(answer: Text, reference: Text, question: Text) -> bool:
    """Return whether an answer and a reference are short enough, and the question does not deny."""
    if reference.is_chinese or not 0 < len(reference.words) <= LONGEST_REFERENCE:
        return False
    if not 0 < len(answer.words) <= LONGEST_ANSWER or find_denying_words(question):
        return False
    return not has_exchanged_roles(answer, reference)


def may_turn(answer: Text, reference: Text) -> bool:
    """Return whether a text denies, or the two may have opposites: most texts do neither."""
    has_denial = bool(list_denials(answer) or list_denials(reference))
    return has_denial or may_have_opposites(reference, answer)


def list_parts(text: Text) -> list[range]:
    """Return the parts of a text: its clauses, cut before "and" and the like.

    A sentence with a condition is a single part.
    """
    has_condition = {text.sentence[i] for i, word in enumerate(text.words) if word in CONDITIONS}
    parts = list[range]()
    start = 0
    for i in range(1, len(text.words) + 1):
        if i < len(text.words) and not begins_part(text, i, has_condition):
            continue
        parts.append(range(start, i))
        start = i
    return parts


def begins_part(text: Text, i: int, has_condition: set[int]) -> bool:
    """Return whether a word begins a new part."""
    if text.sentence[i] != text.sentence[i - 1]:
        return True
    if text.sentence[i] in has_condition:
        return False
    return text.clause[i] != text.clause[i - 1] or text.words[i] in JOINTS


def find_contrary_part(
    answer: Text, answer_parts: Sequence[range], reference: Text, part: range, question: Text
) -> Pairing | None:
    """Return the pairing of a part of the reference whose likest parts all say the contrary."""
    pairings = [pair_parts(answer, other, reference, part, question) for other in answer_parts]
    most = max(pairing.n_covered for pairing in pairings)
    likest = [pairing for pairing in pairings if pairing.n_covered == most]
    if not most or not all(pairing.is_contrary() for pairing in likest):
        return None
    return likest[0]


def pair_parts(answer: Text, other: range, reference: Text, part: range, question: Text) -> Pairing:
    """Return which words of a part of the reference stand in a part of the answer."""
    words = [i for i in part if is_telling(reference, i)]
    free = [k for k in other if is_telling(answer, k)]
    same = match_words(reference, words, answer, free, have_same_stem)
    free = [k for k in free if k not in same.values()]
    words = [i for i in words if i not in same]
    # If the answer has the word itself elsewhere, its opposite may belong to something else.
    absent = [i for i in words if reference.stems[i] not in answer.places]
    opposite = match_words(reference, absent, answer, free, are_opposite)
    same |= match_words(reference, words, answer, free, say_same)
    opposite = {i: place for i, place in opposite.items() if i not in same}
    known = answer.places.keys() | question.places.keys()
    rest = [i for i in words if i not in same and i not in opposite]
    missing = [i for i in rest if reference.stems[i] not in known]
    pairing = Pairing(same, opposite, missing)
    return replace(pairing, turns=count_turns(answer, other, reference, part, pairing))


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


def count_turns(answer: Text, other: range, reference: Text, part: range, pairing: Pairing) -> int:
    """Return how many opposites and denials stand between two parts, 0 if that is unclear."""
    matched = pairing.same.keys() | pairing.opposite.keys()
    known = {*pairing.same.values(), *pairing.opposite.values()}
    answer_denials = set(list_denials(answer)) & set(other) - known
    reference_denials = set(list_denials(reference)) & set(part) - matched
    # A "less" that the answer has in another part may compare something else there.
    if "less" in answer.first_place:
        reference_denials = {i for i in reference_denials if reference.words[i] != "less"}
    is_conditional = not CONDITIONS.isdisjoint(reference.words[part.start : part.stop])
    if is_conditional and (answer_denials or reference_denials):
        return 0  # they may deny the condition, or what follows from it
    if is_comparison_turned(reference, part, pairing) or has_both_opposites(reference, pairing):
        return 0
    count = len(pairing.opposite) + len(reference_denials)
    has_all = matched.issuperset(i for i in part if is_telling(reference, i))
    for i in answer_denials:
        denied = list_denied_words(answer, i) & set(other)
        if not has_all and denied - known:
            return 0  # the denial of a new word may mean what this part of the answer lacks
        count += not denied or bool(denied & known)
    return count


def are_opposite(one: str, other: str) -> bool:
    """Return whether two words are opposites, and no numbers: "last", but not "1" for "first"."""
    return one.isalpha() and other.isalpha() and are_opposite_words(one, other)


def is_comparison_turned(reference: Text, part: range, pairing: Pairing) -> bool:
    """Return whether an answer has the words of a comparison in another order.

    "Silver is lighter than gold" says the same as "Gold is heavier than silver".
    """
    if COMPARING.isdisjoint(reference.words[part.start : part.stop]):
        return False
    matched = pairing.same | pairing.opposite
    places = [matched[i] for i in sorted(matched)]
    return places != sorted(places)


def has_both_opposites(reference: Text, pairing: Pairing) -> bool:
    """Return whether a reference itself has the opposite of one of its words: left and right.

    An answer with most words of the part tells which of the two is meant.
    """
    if len(pairing.same) >= FEWEST_SAME and not pairing.missing:
        return False
    for i in pairing.opposite:
        if any(are_opposite_words(reference.words[i], word) for word in reference.words):
            return True
    return False
