"""Whether an answer has a contrary preposition: on the mat for under the mat, with for without."""

from collections.abc import Iterator, Set
from typing import NamedTuple

from .lexicon import STOP_WORDS
from .outcomes import UNLIKELY, UPHELD, Decision
from .text import Text

# Prepositions that say the same. The first one stands for all.
SAME_PREPOSITIONS = (
    "under beneath underneath below",
    "on onto upon atop",
    "above over",
    "before",
    "after following",
    "during at with",
    "within",
    "in inside",
    "outside beyond out",
    "including",
    "except excluding",
    "if",
    "unless",
    "behind",
    "beside near next",
    "without no",
    "off",
    "from",
    "to into towards toward",
    "until till",
    "since",
)
# The prepositions that each of them contradicts, before the same noun.
CONTRARY = {
    "under": "on above behind beside",
    "on": "behind off beside",
    "before": "after during",
    "after": "during within",
    "within": "outside",
    "in": "outside beside",
    "without": "during on in under including",
    "from": "to",
    "until": "since",
    "except": "including during",
    "if": "unless",
}
SECOND_PARTS = {"out": "of", "next": "to"}  # out of reach, next to the bed
PARTICLES = ("on", "off")  # they may stand behind the noun, too: switch the power off
LONGEST_REFERENCE = 10  # words
LONGEST_ANSWER = 25  # words
LONGEST_OBJECT = 3  # telling words behind a preposition


def map_prepositions() -> dict[str, str]:
    """Return the preposition that stands for each."""
    return {word: line.split()[0] for line in SAME_PREPOSITIONS for word in line.split()}


def list_contrary_pairs() -> set[frozenset[str]]:
    """Return the pairs of prepositions that contradict each other."""
    pairs = set[frozenset[str]]()
    for one, others in CONTRARY.items():
        pairs.update(frozenset((one, other)) for other in others.split())
    return pairs


PREPOSITIONS = map_prepositions()
CONTRARY_PAIRS = list_contrary_pairs()


class Phrase(NamedTuple):
    """A preposition and the stems of the telling words behind it.

    Without such words, and for a particle, the stem of the word before it counts: switched off.
    """

    preposition: str
    stems: frozenset[str]

    def shares_word(self, other: "Phrase") -> bool:
        """Return whether two phrases are about the same thing."""
        return not self.stems.isdisjoint(other.stems)

    def contradicts(self, other: "Phrase") -> bool:
        """Return whether two phrases have contrary prepositions."""
        return frozenset((self.preposition, other.preposition)) in CONTRARY_PAIRS


def decide_preposition(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return UNLIKELY if an answer has a contrary preposition before a reference's word, or None.

    None if the answer has the reference's preposition, too.
    """
    if len(answer.words) > LONGEST_ANSWER or len(reference.words) > LONGEST_REFERENCE:
        return None
    if answer.denials and reference.denials:
        return None  # contraries.py counts them
    expected_phrases = list(list_phrases(reference))
    if not expected_phrases:
        return None
    turned = compare_turned_round(answer, expected_phrases[0], question)
    if turned:
        return Decision(turned, "opposite", answer.text.strip(), reference.text.strip())
    phrases = list(list_phrases(answer))
    for expected in expected_phrases:
        beside = [phrase for phrase in phrases if phrase.shares_word(expected)]
        is_contrary = any(phrase.contradicts(expected) for phrase in beside)
        has_same = any(phrase.preposition == expected.preposition for phrase in beside)
        if is_contrary and not has_same:
            return Decision(UNLIKELY, "opposite", answer.text.strip(), reference.text.strip())
    return None


DIRECTIONS = frozenset("from to by with into through".split())
ASKING_WORDS = frozenset("which what who whom where".split())


def decide_asked_preposition(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return UNLIKELY if an answer has another thing behind the preposition asked with, or None.

    "It departs from Genoa and gets to Turin" answers with Genoa where it leaves from.
    """
    asked = read_asked_preposition(question)
    if not asked or len(answer.words) > LONGEST_ANSWER or answer.denials:
        return None
    wanted = set(reference.content) - question.places.keys()
    own, other = set[str](), False
    for i, word in enumerate(answer.words):
        if word not in DIRECTIONS:
            continue
        stems = set(list_object(answer, i + 1))
        if not stems.isdisjoint(wanted):
            own.add(word)
        elif word == asked and not stems <= question.places.keys():
            other = other or names_thing(answer, i)
    if not other or not own or asked in own:
        return None
    return Decision(UNLIKELY, "roles", answer.text.strip(), reference.text.strip())


def names_thing(answer: Text, i: int) -> bool:
    """Return whether a name follows a preposition: from Genoa, but not "from what I recall"."""
    behind = answer.shown[i + 1 : i + 3]
    return any(shown[0].isupper() and len(shown) > 1 for shown in behind)


def read_asked_preposition(question: Text) -> str:
    """Return the preposition with which a question asks: to whom, where from; "" for none."""
    first, *others = question.words or [""]
    if first in DIRECTIONS and not ASKING_WORDS.isdisjoint(others[:1]):
        return first
    last = question.words[-1] if others else ""
    return last if last in DIRECTIONS and not ASKING_WORDS.isdisjoint(question.words) else ""


# What lies below something has it above, or on it.
OTHER_SIDE = {
    "under": ("above", "on"),
    "above": ("under",),
    "on": ("under",),
    "before": ("after",),
    "behind": ("before",),
}
# Words before a preposition behind which another thing lies there: the mat has the cat on it.
OTHER_SUBJECT = frozenset("and has have had with there".split())


def compare_turned_round(answer: Text, expected: Phrase, question: Text) -> str:
    """Return UPHELD if an answer says the same from the thing's side, UNLIKELY if not, or "".

    "The kitchen is above it" says the same as "below the kitchen".
    """
    asked = question.places.keys() - expected.stems
    for i in range(len(answer.words)):
        preposition = read_preposition(answer, i)
        noun = find_place(answer, i) if preposition else 0
        place = noun + 2 if noun else i + 1
        if not preposition or not ends_with_asked_thing(answer, place, asked):
            continue
        before = [answer.stems[j] for j in range(i) if answer.words[j] not in STOP_WORDS]
        is_plain = answer.clause[i] == 0 and OTHER_SUBJECT.isdisjoint(answer.words[:i])
        begins_so = is_plain and set(before[:1]) <= expected.stems
        if not expected.stems or not begins_so or not expected.stems <= set(before):
            continue
        if preposition == expected.preposition:
            return UNLIKELY
        return UPHELD if preposition in OTHER_SIDE.get(expected.preposition, ()) else ""
    return ""


def ends_with_asked_thing(answer: Text, start: int, asked: Set[str]) -> bool:
    """Return whether a clause goes on from a word with just "it" or a thing that is asked about."""
    if start >= len(answer.words):
        return False
    rest = range(start, answer.find_clause(start).stop)
    if answer.words[start] == "it":
        return len(rest) == 1
    stems = answer.list_stems(rest)
    return bool(stems) and stems <= asked


def read_preposition(text: Text, i: int) -> str:
    """Return the preposition that stands for the one at a word: on for "on top of", or ""."""
    if text.words[i] not in PREPOSITIONS:
        return ""
    noun = find_place(text, i)
    return PLACES[text.words[noun]] if noun else PREPOSITIONS[text.words[i]]


FORM_VERBS = frozenset(["fill"])  # fill the form in, fill it out


def list_phrases(text: Text) -> Iterator[Phrase]:
    """Yield the phrases of a text that begin with a preposition."""
    for i, word in enumerate(text.words):
        is_part = word in SECOND_PARTS and text.words[i + 1 : i + 2] != [SECOND_PARTS[word]]
        is_last = i + 1 == len(text.words)  # let the smoke out
        is_place = is_last and text.words[0] not in FORM_VERBS
        if word not in PREPOSITIONS or (is_part and not is_place):
            continue
        noun = find_place(text, i)
        if noun:
            yield Phrase(PLACES[text.words[noun]], frozenset(list_object(text, noun + 2)))
            continue
        stems = list_object(text, i + 1)
        if not stems or word in PARTICLES:
            stems += list_word_before(text, i)
        yield Phrase(PREPOSITIONS[word], frozenset(stems))


# Nouns that tell a place together with "at", "on" or "in": at the foot of, on top of.
PLACES = {"top": "on", "head": "on", "summit": "on", "foot": "under"}


def find_place(text: Text, i: int) -> int:
    """Return the noun with which a preposition tells a place (on top of), 0 for none."""
    noun = i + 1
    if text.words[noun : noun + 1] == ["the"]:
        noun += 1
    has_of = text.words[noun + 1 : noun + 2] == ["of"]
    return noun if has_of and text.words[noun] in PLACES else 0


def list_object(text: Text, start: int) -> list[str]:
    """Return the stems of the telling words from a place on, up to the next preposition."""
    stems = list[str]()
    while text.words[start : start + 1] and text.words[start] in PREPOSITIONS:
        start += 1  # except on Sundays
    for i in range(start, len(text.words)):
        word = text.words[i]
        ends = word in PREPOSITIONS or text.clause[i] != text.clause[start]
        if ends or len(stems) == LONGEST_OBJECT:
            break
        if word not in STOP_WORDS:
            stems.append(text.stems[i])
        elif stems:
            break
    return stems


def list_word_before(text: Text, i: int) -> list[str]:
    """Return the stem of the word before a place, if it tells something."""
    if i == 0 or text.words[i - 1] in STOP_WORDS:
        return []
    return [text.stems[i - 1]]
