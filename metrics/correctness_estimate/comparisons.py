"""Which of two things an answer prefers where a question asks: who is taller, Ann or Bob?

"Bob is shorter" and "Bob is shorter than his brother" choose Ann. The reference may name her alone.
"""

import re
from dataclasses import dataclass

from .lexicon import STOP_WORDS
from .opposites import find_root, is_same_degree, opposites
from .outcomes import DIFFERENT, EQUAL, Decision
from .relation_words import compare_relations
from .text import Text, read_text

LONGEST_REFERENCE = 4  # words of a reference that is one of two things
LONGEST_ANSWER = 22  # words of an answer that compares two things and says nothing else
# The two things at the end of a question, or behind a comma or "between".
ALTERNATIVES = re.compile(
    r"(?:[,:] |\bis |\bwas |\bbetween )([^,:?]{1,40}?) (?:or|and) ([^,:?]{1,40})\W*$"
)


@dataclass(frozen=True)
class Choice:
    """Two things that a question sets side by side, and the comparative between them, or ""."""

    first: Text
    second: Text
    degree: str


def decide_comparison(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return whether an answer prefers the thing that the reference names, or None."""
    choice = read_choice(question)
    is_short = len(reference.words) <= LONGEST_REFERENCE and len(answer.words) <= LONGEST_ANSWER
    if choice is None or not is_short or answer.denials or answer.hedges:
        return None
    chosen = find_chosen(answer, choice)
    is_first, is_second = has_thing(reference, choice.first), has_thing(reference, choice.second)
    if chosen is None or is_first == is_second:
        return None
    outcome = EQUAL if has_thing(reference, chosen) else DIFFERENT
    return Decision(outcome, "roles", answer.text.strip(), reference.text.strip())


def read_choice(question: Text) -> Choice | None:
    """Return the two things and the comparative of a question, or None."""
    match = ALTERNATIVES.search(question.text)
    if match is None:
        return None
    first, second = read_text(match[1]), read_text(match[2])
    start = match.start(1)
    before = question.words[: question.words_between(0, start).stop]
    degree = next((word for word in before if is_comparative(word)), "")
    if not first.content or not second.content:
        return None
    return Choice(first, second, degree)


def is_comparative(word: str) -> bool:
    """Return whether a word compares two things, and has an opposite: older, younger."""
    has_opposite = compare_relations(word, "more") != 0 or find_root(word) in opposites()
    return word.endswith("er") and has_opposite


def find_chosen(answer: Text, choice: Choice) -> Text | None:
    """Return the thing of which an answer says what was asked for, or None."""
    chosen = find_named_first(answer, choice)
    if chosen or not choice.degree:
        return chosen
    votes = list[Text]()
    for i, word in enumerate(answer.words):
        subject = find_subject(answer, i, choice)
        sign = compare_degrees(choice.degree, word)
        if sign and subject:
            other = choice.second if subject is choice.first else choice.first
            votes.append(subject if sign > 0 else other)
    return votes[0] if votes and all(vote is votes[0] for vote in votes) else None


def find_named_first(answer: Text, choice: Choice) -> Text | None:
    """Return the thing that is the whole first clause of an answer: the aunt, since ..."""
    n_words = answer.clause.count(0)
    for thing in (choice.first, choice.second):
        stems = {answer.stems[i] for i in range(n_words) if answer.words[i] not in STOP_WORDS}
        if n_words < len(answer.words) and stems == set(thing.content):
            return thing
    return None


def find_subject(answer: Text, i: int, choice: Choice) -> Text | None:
    """Return the thing that stands first in the clause of a word, before it."""
    for j in range(answer.clause.index(answer.clause[i]), i):
        for thing in (choice.first, choice.second):
            if answer.stems[j] in thing.content:
                return thing
    return None


def compare_degrees(asked: str, word: str) -> int:
    """Return 1 for a word that says the same as a comparative, -1 for its opposite, else 0."""
    if not word.endswith("er") and word not in ("more", "less"):
        return 0
    root, other = find_root(asked), find_root(word)
    if root == other or is_same_degree(root, other):
        return 1
    if other in opposites().get(root, ()):
        return -1
    return compare_relations(asked, word)


def has_thing(text: Text, thing: Text) -> bool:
    """Return whether a text has the words of a thing that tell something."""
    return find_thing(text, thing) is not None


def find_thing(text: Text, thing: Text) -> int | None:
    """Return where a text has the first of a thing's words, None if it has none."""
    places = [text.places[stem][0] for stem in thing.content if stem in text.places]
    return min(places, default=None)
