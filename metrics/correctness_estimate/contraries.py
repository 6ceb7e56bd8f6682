"""Whether a short sentence says the same as a short reference, or the contrary.

Each denial turns a statement round, and so does each opposite: "fell" for "rose", "unsafe" for
"safe". Two turns are none: "not unsafe" is "safe". An answer is compared only if it has each
telling word of the reference that the question lacks, a word that says the same, or an opposite.

`decide_contrary` compares sentences, `decide_state` a reference that names a state ("void").
Short facts that an answer dismisses ("Rome? No way") are read in dismissals.py.
"""

import re
from collections.abc import Iterable, Set
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from .degrees import compare_degrees, read_degree_phrases, tells_degree
from .denials import (
    find_denying_words,
    find_negators,
    is_content,
    is_correcting,
    is_telling,
    list_denials,
    list_denied_words,
    stands_before_reason,
)
from .lexicon import (
    BE,
    CHINESE_FALL,
    CHINESE_LESS,
    CHINESE_MORE,
    CHINESE_RISE,
    CONCEDING,
    DETERMINERS,
    PRONOUNS,
)
from .opposites import (
    Sense,
    are_opposite_words,
    choose_side,
    compile_senses,
    has_opposite,
    have_same_stem,
    list_bare_words,
    list_known_opposites,
    list_opposite_stems,
    say_same,
    swap_prefix,
)
from .outcomes import LIKELY, UNLIKELY, Decision, Difference
from .phrasal_verbs import read_phrasal_verbs
from .relations import has_verb_inside, is_comparative
from .synonyms import are_synonyms
from .text import Text, is_sentence, quote_clause, stem_word

LONGEST_STATEMENT = 7  # words of a reference
# Before an adjective, "less" denies, and the others need no word of their own in an answer.
DEGREES = frozenset("more less mostly mainly largely rather quite very fairly somewhat".split())
# Verbs that tell nothing beside the state that follows them: makes it larger, gets larger.
LIGHT_VERBS = frozenset("make makes made get gets got become becomes became".split())
SHORTEST_WITH_SUBJECT = 3  # words of a reference that says something of its subject
FIRST_WORDS = 3  # of an answer in which a pronoun for the subject stands
# Of a thing that is denied, verbs that only say that it is there: they found no lead.
FINDING_STEMS = frozenset(
    map(
        stem_word,
        "has have had contain contains find found see saw discover detect notice report show shows"
        " reveal identify exist include hold keep spot".split(),
    )
)
PLACE_PREPOSITIONS = frozenset("in on at inside".split())
LONGEST_ANSWER = 25  # words of an answer; in a longer one a denial may bear on other things


# ---- sentences


@dataclass(frozen=True)
class Turns:
    """What makes an answer say the contrary of a reference: opposites and denials.

    Attributes:
        opposites: the words of the answer that are opposites of words of the reference.
        denials: the words of the answer that deny what it shares with the reference.
        reference_denials: how often the reference denies.
        is_verbatim: whether the answer has all telling words of the reference, in any form, and
            denies nothing else.
    """

    opposites: list[int]
    denials: list[int]
    reference_denials: int
    is_verbatim: bool

    def is_contrary(self) -> bool:
        """Return whether the answer says the contrary: the number of turns is odd."""
        n_turns = len(self.opposites) + len(self.denials) + self.reference_denials
        return n_turns % 2 == 1


def decide_contrary(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return LIKELY if an answer says the same in other words, UNLIKELY if it says the contrary.

    None if the two cannot be compared, or if the answer repeats the reference.
    """
    if reference.is_chinese or max(len(answer.words), len(reference.words)) > LONGEST_ANSWER:
        return None
    found = read_phrasal_verbs(read_degree_phrases(answer))
    expected = read_phrasal_verbs(read_degree_phrases(reference))
    turns = count_turns(found, expected, question)
    if not turns or (turns.opposites and sets_beside_known(found, expected, question)):
        return None
    shown = reference.text.strip()
    kind = "opposite" if turns.opposites and not turns.denials else "denied"
    if turns.is_contrary():
        return Decision(UNLIKELY, kind, answer.text.strip(), shown)
    has_same_words = turns.is_verbatim and (found is answer or has_all_words(answer, reference))
    if has_same_words or len(set(answer.sentence)) > 1:
        return None
    return Decision(LIKELY, kind, answer.text.strip(), shown)


def sets_beside_known(answer: Text, reference: Text, question: Text) -> bool:
    """Return whether an answer compares something with a thing of the reference: than water.

    Then it may say of another thing what the reference says: roles.py.
    """
    if "than" not in answer.first_place:
        return False
    behind = range(answer.first_place["than"] + 1, len(answer.words))
    known = reference.places.keys() & question.places.keys()
    return any(answer.stems[i] in known for i in behind if is_telling(answer, i))


def count_turns(answer: Text, reference: Text, question: Text) -> Turns | None:
    """Return the opposites and denials of an answer, or None if it cannot be compared.

    The answer must have each telling word of the reference, another form of it, a word that says
    the same, or an opposite. It may lack words of the question and words that deny.
    """
    if not can_compare(answer, reference, question):
        return None
    optional = list_optional_words(reference, question)
    if may_lack_subject(answer, reference):
        optional.add(1)
    places = match_telling_words(answer, reference, optional)
    if not places:
        return None

    shared = set(places.values())
    opposites = list[int]()
    for i, place in places.items():
        if are_contrary(reference.words[i], answer.words[place]):
            opposites.append(place)
    denials = find_bearing_denials(answer, shared, reference, question)
    # "Less" in the place of "more" is an opposite, and no further denial.
    denials = [i for i in denials if i not in shared]
    denials = drop_corrected(answer, denials, min(shared))
    # A word of the reference that denies is no denial if the answer has it, too.
    reference_denials = len(set(list_denials(reference)) - places.keys())
    denies_nothing_else = set(find_negators(answer)) <= set(denials)
    is_verbatim = denies_nothing_else and has_all_words(answer, reference)
    return Turns(opposites, denials, reference_denials, is_verbatim)


def list_optional_words(reference: Text, question: Text) -> set[int]:
    """Return the words that an answer may lack: of the question, denials, degrees, light verbs."""
    optional = set(find_denying_words(reference))
    lacks_thing = denies_thing(reference)
    offers_two = "or" in question.first_place  # which is older, the bakery or the mill?
    for i, word in enumerate(reference.words):
        is_light = word in LIGHT_VERBS or is_degree(reference, i)
        if lacks_thing and (reference.stems[i] in FINDING_STEMS or tells_place(reference, i)):
            is_light = True
        is_asked = reference.stems[i] in question.places
        if is_light or (is_asked and not (offers_two and is_comparative(word))):
            optional.add(i)
    return optional


def tells_place(text: Text, i: int) -> bool:
    """Return whether a word stands behind a preposition of place: in the water."""
    return not PLACE_PREPOSITIONS.isdisjoint(text.words[max(0, i - 2) : i])


def may_lack_subject(answer: Text, reference: Text) -> bool:
    """Return whether a reference begins with "the" and a noun, which an answer need not have.

    The answer has a pronoun for it ("none of them"), or the reference says that it lacks a thing.
    """
    has_noun = reference.words[0] in DETERMINERS and len(reference.words) > SHORTEST_WITH_SUBJECT
    has_pronoun = not PRONOUNS.isdisjoint(answer.words[:FIRST_WORDS])
    return has_noun and (has_pronoun or denies_thing(reference))


def denies_thing(reference: Text) -> bool:
    """Return whether a reference says that a thing is not there: the dog has no ticks."""
    return "no" in reference.words[1:]


def is_degree(text: Text, i: int) -> bool:
    """Return whether a word tells the degree of the next: more lenient, mostly dry, than before."""
    word = text.words[i]
    if word == "before":
        return text.words[i - 1] == "than"
    following = i + 1
    if word not in DEGREES or following == len(text.words):
        return False
    return is_content(text, following)


def can_compare(answer: Text, reference: Text, question: Text) -> bool:
    """Return whether an answer and a reference are short enough to count their denials.

    The reference is a short statement, or has a word with an opposite. They cannot be compared
    if the question itself denies or forbids ("What is forbidden?"): an answer may repeat that or
    leave it out.
    """
    if reference.is_chinese or not 0 < len(reference.words) <= LONGEST_STATEMENT:
        return False
    if not 0 < len(answer.words) <= LONGEST_ANSWER:
        return False
    # Of two names, who did it to whom decides: roles.py
    if len(reference.names) > 1 or may_repeat_denial(question, answer):
        return False
    # The train failed to reach Rome.
    is_denied_sentence = find_denying_words(answer) and has_verb_inside(reference)
    if is_sentence(reference) or is_pronoun_and_verb(reference) or is_denied_sentence:
        return True
    if reference.denials:
        return True
    return not reference.quantities and has_word_with_opposite(reference, answer)


# With these an answer tells what would have been right: she wanted higher pay.
WANTING = frozenset(
    "want wants wanted need needs needed ask asks asked demand demanded require required "
    "hoped".split()
)


def may_repeat_denial(question: Text, answer: Text) -> bool:
    """Return whether a question denies or forbids something that an answer may repeat.

    "Why was it cancelled?" asks for a reason, which need not say that it was cancelled.
    """
    if not find_denying_words(question):
        return False
    if "why" not in question.first_place:
        return True
    return bool(list_denials(answer)) or not WANTING.isdisjoint(answer.words)


def is_pronoun_and_verb(text: Text) -> bool:
    """Return whether a text is a pronoun with a word behind it: they apologized, it hit a tree."""
    return len(text.words) > 1 and text.words[0] in PRONOUNS and is_telling(text, 1)


def has_word_with_opposite(text: Text, other: Text) -> bool:
    """Return whether a word of a text has an opposite, and is not part of a name."""
    words_of_names = set[int]()
    for start, end in text.names:
        words_of_names.update(range(start, end))
    bare_words = set(list_bare_words(other).values())
    for i, word in enumerate(text.words):
        if i in words_of_names or not is_telling(text, i):
            continue
        if word in bare_words or list_known_opposites(word) or tells_degree(word):
            return True
        if not other.first_place.keys().isdisjoint(swap_prefix(word)):
            return True
    return False


def match_telling_words(answer: Text, reference: Text, optional: Set[int]) -> dict[int, int]:
    """Return for each telling word of a reference the word of the answer that stands for it.

    Empty if the answer has none for a word that is not optional.
    """
    places = dict[int, int]()
    for i, word in enumerate(reference.words):
        if not is_telling(reference, i):
            continue
        place = find_place(word, answer)
        if place is not None:
            places[i] = place
        elif i not in optional:
            return {}
    return places


def find_place(word: str, answer: Text) -> int | None:
    """Return where an answer has a word in any form, a word that says the same, or an opposite."""
    if word in answer.first_place:
        return answer.first_place[word]
    for matches in (have_same_stem, say_same, are_synonyms, are_opposite_words, compare_degrees):
        for i, other in enumerate(answer.words):
            if is_telling(answer, i) and matches(word, other):
                return i
    return None


def are_contrary(one: str, other: str) -> bool:
    """Return whether two words are opposites, or tell a change in opposite directions."""
    return are_opposite_words(one, other) or compare_degrees(one, other) < 0


def has_contrary_word(answer: Text, reference: Text) -> bool:
    """Return whether an answer has a word that is contrary to a telling one of a reference."""
    told = [reference.words[i] for i in reference.telling]
    return any(are_contrary(word, other) for word in told for other in answer.distinct)


def has_all_words(answer: Text, reference: Text) -> bool:
    """Return whether an answer has a reference's telling words in any form, and its negators."""
    negators = {reference.words[i] for i in reference.denials}
    if not negators <= answer.first_place.keys():
        return False
    stems = enumerate(reference.stems)
    telling = {stem for i, stem in stems if is_telling(reference, i)}
    return telling <= answer.places.keys()


def find_bearing_denials(
    answer: Text, shared: set[int], reference: Text, question: Text
) -> list[int]:
    """Return the denials of an answer that apply to the words it shares with the reference."""
    sentences = {answer.sentence[i] for i in shared}
    denying_words = find_denying_words(answer) - shared
    turning = set(select_in_sentences(answer, denying_words, sentences))
    turning = {i for i in turning if not is_in_other_clause(answer, i, shared)}
    denials = list(turning)
    # Each denial applies to a reference such as "There is no life" or "No life".
    is_existential = reference.words[0] in ("there", "no")
    for i in select_in_sentences(answer, find_negators(answer), sentences):
        scope = list_denied_words(answer, i)
        if stands_before_reason(answer, i, min(shared), question):
            continue  # it did not open, because it was flooded
        bears = is_existential or not scope or bool(scope & (shared | turning))
        bears = bears or all(answer.stems[j] in FINDING_STEMS for j in scope)
        if bears and not has_opposite_word(answer, scope - shared, reference):
            denials.append(i)
    return denials


# Words that begin a clause which tells when something was so: after play had stopped.
BEGINNING_TIMES = frozenset("after when before once as while until since".split())


def is_in_other_clause(answer: Text, i: int, shared: set[int]) -> bool:
    """Return whether a word stands in a clause that tells a time, and has no word of some."""
    clause = answer.find_clause(i)
    return answer.words[clause.start] in BEGINNING_TIMES and shared.isdisjoint(clause)


def select_in_sentences(text: Text, places: Iterable[int], sentences: set[int]) -> list[int]:
    """Return the words that stand in one of some sentences."""
    return [i for i in places if text.sentence[i] in sentences]


def has_opposite_word(text: Text, places: set[int], other: Text) -> bool:
    """Return whether one of some words is an opposite of a word of another text."""
    pairs = product(places, other.words)
    return any(are_opposite_words(word, text.words[i]) for i, word in pairs)


def drop_corrected(answer: Text, denials: list[int], first: int) -> list[int]:
    """Return the denials without those that a "but" corrects: no X, but a Y.

    Args:
        answer: the answer.
        denials: its words that deny.
        first: its first word that it shares with the reference. Only a "but" before it counts.
    """
    turns = [i for i in range(1, first) if is_correcting(answer.words, i)]
    return [i for i in denials if not turns or i > turns[-1]]


# ---- differences


def find_contrary_statements(answer: Text, reference: Text, question: Text) -> list[Difference]:
    """Return where an answer denies what a reference says, or says the opposite."""
    turns = count_turns(answer, reference, question)
    if not turns:
        return find_opposite_words(answer, reference, question)
    if not turns.is_contrary():
        return []
    if turns.opposites and not turns.denials:
        return [Difference("opposite", answer.shown[turns.opposites[0]], reference.text.strip())]
    first = turns.denials[0] if turns.denials else 0
    return [Difference("denied", quote_clause(answer, first), reference.text.strip())]


def find_opposite_words(answer: Text, reference: Text, question: Text) -> list[Difference]:
    """Return the words of the reference whose opposite the answer has: increases, decreases."""
    differences = list[Difference]()
    for i, stem in enumerate(reference.stems):
        if stem in answer.places or stem in question.places or is_degree(reference, i):
            continue
        opposites = list_opposed_places(stem, answer)
        # A word that repeats the question is not said against the reference.
        known = reference.places.keys() | question.places.keys()
        new = [place for place in opposites if answer.stems[place] not in known]
        new = [place for place in new if not is_conceded(answer, place)]
        if not new or is_denied_in_clause(answer, new[0]) or is_denied_in_clause(reference, i):
            continue
        if not any(say_same(word, reference.words[i]) for word in answer.words):
            differences.append(Difference("opposite", answer.shown[new[0]], reference.shown[i]))
    differences += find_differing_prefixes(answer, reference)
    return differences


def is_denied_in_clause(text: Text, i: int) -> bool:
    """Return whether an odd number of denials stands before a word in its clause: refused to."""
    clause = text.find_clause(i)
    return sum(place in clause and place < i for place in list_denials(text)) % 2 == 1


def is_conceded(text: Text, i: int) -> bool:
    """Return whether a word stands in a clause that concedes: although the teacher had hoped."""
    clause = text.find_clause(i)
    return clause.start > 0 and text.words[clause.start] in CONCEDING


def list_opposed_places(stem: str, answer: Text) -> list[int]:
    """Return the words of an answer that are opposites of a stem."""
    places = list[int]()
    for opposite in sorted(list_opposite_stems(stem)):
        places += answer.places.get(opposite, [])
    return places


def find_differing_prefixes(answer: Text, reference: Text) -> list[Difference]:
    """Return the words that only one text has with a negating prefix: possible, impossible."""
    differences = list[Difference]()
    for i, bare in list_prefixed_words(answer, reference):
        differences.append(Difference("opposite", answer.shown[i], reference.shown[bare]))
    for i, bare in list_prefixed_words(reference, answer):
        differences.append(Difference("opposite", answer.shown[bare], reference.shown[i]))
    return differences


def list_prefixed_words(text: Text, other: Text) -> list[tuple[int, int]]:
    """Return the words with a negating prefix that another text has without the prefix.

    Each is a pair of numbers: of the word in the text, and of the word without the prefix in the
    other text.
    """
    pairs = list[tuple[int, int]]()
    for i, bare in list_bare_words(text).items():
        if text.words[i] in other.first_place or bare not in other.first_place:
            continue
        if bare in text.first_place:
            continue
        if not text.shown[i][1:].islower():
            continue  # two words without a space between them: inOctober
        place = other.first_place[bare]
        if not is_denied_in_clause(text, i) and not is_denied_in_clause(other, place):
            pairs.append((i, place))
    return pairs


# ---- states

LONGEST_STATE = 4  # words of a reference that names a state
CHINESE_CHOICE = re.compile(r"(\w{1,2})不\1")  # 难不难: a question for either state
LONGEST_STATE_ANSWER = 8  # words of an answer that names one


def decide_state(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return LIKELY if an answer names the state of a reference, UNLIKELY for the opposite state.

    "It has no legal force" names the state "void". The words for states are those of
    lexicon.SENSES. None if one of the texts names no state, or the reference tells more.
    """
    change = decide_chinese_change(answer, reference) if reference.is_chinese else None
    if change or not can_compare_states(answer, reference, question):
        return change
    for sense in list_named_senses(name_state(reference, question)):
        expected = read_state(reference, sense, question)
        state = read_state(answer, sense, question)
        if expected and state:
            outcome = LIKELY if state == expected else UNLIKELY
            return Decision(outcome, "opposite", answer.text.strip(), reference.text.strip())
    return None


def name_state(reference: Text, question: Text) -> str:
    """Return the words in which a reference may name a state: those that a question lacks."""
    place = find_only_telling_word(reference, question)
    is_asked = any(stem in question.places for stem in reference.content)
    return reference.words[place] if is_asked and place is not None else reference.lower


def can_compare_states(answer: Text, reference: Text, question: Text) -> bool:
    """Return whether a reference may name a state, and an answer may name it in other words."""
    if not 0 < len(reference.words) <= LONGEST_STATE:
        return False
    if not 0 < len(answer.words) <= LONGEST_STATE_ANSWER or answer.quantities:
        return False
    if reference.is_chinese:
        return bool(answer.denials) or reference.text not in answer.text
    place = find_only_telling_word(reference, question)
    if place is None or reference.stems[place] in answer.places:
        return False
    # A capital may begin a name: what is Ann's surname? Brave.
    if reference.shown[place].islower() or asks_for_description(question):
        return True
    return has_opposite(reference.words[place]) and not ASKS_FOR_NAME.search(question.lower)


ASKS_FOR_NAME = re.compile(
    r"\b(?:name|named|called|surname|title|who|whose|song|film|movie|book)\b"
)


def find_only_telling_word(reference: Text, question: Text) -> int | None:
    """Return the place of the only telling word that a question lacks, None if there are more.

    Also None beside a number.
    """
    telling = [
        i
        for i in range(len(reference.words))
        if is_telling(reference, i) and reference.stems[i] not in question.places
    ]
    return telling[0] if len(telling) == 1 and not reference.quantities else None


# Behind "how" these words ask for an amount, and not for a property.
AMOUNTS = frozenset(
    "many much long old far often tall big high deep large fast wide heavy late soon".split()
)
LIKE_REACH = 12  # words of a question between "what" and "like"


def asks_for_description(question: Text) -> bool:
    """Return whether a question asks for a property or a change: how is it, what is it like.

    Many words may tell it.
    """
    first, *following = question.words[: LIKE_REACH + 1] or [""]
    if first == "how":
        return AMOUNTS.isdisjoint(following[:1])
    if first != "what" or not following:
        return False
    asks_what_is_like = following[0] in BE and "like" in following
    return asks_what_is_like or following[0].startswith("happen") or following[-1] == "like"


@lru_cache(maxsize=4096)
def list_named_senses(text: str) -> list[Sense]:
    """Return the senses of which a text names at least one side."""
    return [sense for sense in compile_senses() if any(side.search(text) for side in sense)]


def read_state(text: Text, sense: Sense, question: Text) -> int:
    """Return 1 if a text names the first state of a sense or denies the second, -1 the reverse.

    0 if it names neither, or if the question names one of the two.
    """
    asks_for_it = any(side.search(question.lower) for side in sense)
    if asks_for_it and not CHINESE_CHOICE.search(question.text):
        return 0
    matches = [side.search(text.lower) for side in sense]
    chosen = choose_side(matches)
    match = matches[chosen] if chosen is not None else None
    if match is None:
        return 0
    state = 1 if chosen == 0 else -1
    inside = text.words_between(*match.span())
    denials = {*find_negators(text), *find_denying_words(text)} - set(inside)
    return -state if len(denials) % 2 else state


# ---- changes in Chinese

CHINESE_CHANGE = re.compile(f"(?P<rise>{CHINESE_RISE})|(?P<fall>{CHINESE_FALL})")
# A comparison: 比旧的轻, and with a denial 没有旧的重.
CHINESE_COMPARISON = re.compile(
    f"(?:(?P<denial>没有?|不如|不及)|比)\\w{{1,8}}?"
    f"(?:(?P<rise>[{CHINESE_MORE}])|(?P<fall>[{CHINESE_LESS}]))[。.]?$"
)
CHANGE_ALONE = re.compile(r"[会将逐渐随之也就而不断明显著反越来]{0,4}(?P<change>\w{1,2})了?[。.]?")
CHINESE_REASON = re.compile("因为|由于|原因")
LONGEST_CHANGE = 30  # characters of a Chinese answer that tells how something changes
SEVERAL_CHANGES = re.compile("先|然后|不|没|或")  # first it rises, then it falls


def decide_chinese_change(answer: Text, reference: Text) -> Decision | None:
    """Return LIKELY if an answer tells the change that a Chinese reference names, else UNLIKELY.

    海拔越高，气压就越小 tells the change 降低. None if one of the two tells no single change.
    """
    if not CHANGE_ALONE.fullmatch(reference.text.strip()) or len(answer.text) > LONGEST_CHANGE:
        return None
    expected = read_last_change(reference.text)
    change = read_last_change(answer.text) if expected else ""
    if not change:
        return None
    outcome = LIKELY if change == expected else UNLIKELY
    return Decision(outcome, "opposite", answer.text.strip(), reference.text.strip())


def read_last_change(text: str) -> str:
    """Return "rise" or "fall" by the last change that a text tells before a reason, or ""."""
    comparison = CHINESE_COMPARISON.search(text)
    if comparison:
        return "rise" if bool(comparison["rise"]) != bool(comparison["denial"]) else "fall"
    if SEVERAL_CHANGES.search(text):
        return ""
    reason = CHINESE_REASON.search(text)
    changes = list(CHINESE_CHANGE.finditer(text, 0, reason.start() if reason else len(text)))
    return changes[-1].lastgroup or "" if changes else ""
