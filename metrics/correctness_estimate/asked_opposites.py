"""Decide by the opposite of what a question asks for.

Where the question is which is cheaper, "The bus is dearer" does not say that the bus is cheaper.
"""

from collections.abc import Iterator
from itertools import pairwise

from .contrary_clauses import Part, list_parts
from .denials import list_denials
from .opposites import are_opposite_words, have_same_stem, may_have_opposites
from .outcomes import LIKELY, UNLIKELY, Decision
from .lexicon import STOP_WORDS
from .relations import tells_relation
from .text import Text

LONGEST_ANSWER = 30  # words
LONGEST_REFERENCE = 6  # words
QUESTION_WORDS = frozenset("which what how".split())


def decide_asked_opposite(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Decide by the opposite of what a question asks for, else return None.

    Where the question is which is cheaper, "The bus is dearer" is UNLIKELY beside the reference
    "the bus", and "The train is dearer than the bus" is LIKELY, like "The bus is not dearer".
    """
    if not 0 < len(answer.words) <= LONGEST_ANSWER or len(reference.words) > LONGEST_REFERENCE:
        return None
    if not reference.content or not set(reference.content) <= answer.places.keys():
        return None
    if "or" in question.first_place or not may_have_opposites(question, answer):
        return None
    votes = {vote for part in list_parts(answer) for vote in read_part(part, reference, question)}
    if len(votes) != 1:
        return None
    outcome = LIKELY if votes.pop() else UNLIKELY
    return Decision(outcome, "opposite", answer.text.strip(), reference.text.strip())


def read_part(part: Part, reference: Text, question: Text) -> Iterator[bool]:
    """Yield False if a part of an answer says the opposite of a reference, True if it denies that.

    Nothing is yielded for a part without the reference or without such an opposite.
    """
    words, stems = part.list_words(), part.text.stems
    named = [i for i in part.places if stems[i] in reference.content]
    if not set(reference.content) <= {stems[i] for i in named}:
        return
    opposites = find_asked_opposites(part, reference, question)
    if not opposites:
        return
    is_turned_round = False
    if "than" in words:  # "dearer than the bus"
        than = part.places.start + words.index("than")
        is_turned_round = max(opposites) < than < min(named)
        is_said_of_reference = max(named) < min(opposites) < than
        if not is_turned_round and not is_said_of_reference:
            return
    denials = set(list_denials(part.text)).intersection(part.places)
    denials -= set(opposites)  # "less" may be both
    yield is_turned_round != (len(denials) % 2 == 1)


def find_asked_opposites(part: Part, reference: Text, question: Text) -> list[int]:
    """Return the places of opposites of words that a question asks for; none beside such a word."""
    text = part.text
    known = reference.places.keys() | question.places.keys()
    places = list[int]()
    for before, asked in pairwise(["", *question.words]):
        if before in QUESTION_WORDS or tells_relation(asked):
            continue  # "on which day?"; who taught whom is compared in roles.py
        opposites = [i for i in part.places if are_opposite_words(asked, text.words[i])]
        if opposites and any(have_same_stem(asked, word) for word in part.list_words()):
            return []
        new = [i for i in opposites if text.stems[i] not in known]
        if new and has_open_verb(text, asked, part):
            return []
        places += new
    return places


def has_open_verb(text: Text, asked: str, part: Part) -> bool:
    """Return whether the word before a part's "and" is an asked one: it arrives at and leaves X."""
    before = [i for i in range(part.places.start) if text.words[i] not in STOP_WORDS]
    return bool(before) and have_same_stem(asked, text.words[before[-1]])
