"""Draw wordings, distractors from other questions, and filler for made-up answers."""

import re
from collections.abc import Sequence
from random import Random
from typing import NamedTuple, TypeVar

from metrics.training.number_edits import MONTH, SPOKEN_NUMBER, YEAR
from metrics.training.questions import Question
from metrics.training.text_edits import PERSON, count_spaced_words, select_by_length
from metrics.training.wording_lists import Wordings

T = TypeVar("T")
# The most draws before NO_DISTRACTOR is returned.
TRIES = 30
# Words that a distractor may share with its question.
SHARED_WORDS = frozenset(["the", "of", "a", "in"])
# This text stands in place of a distractor that is not found: as an answer it is wrong, too.
NO_DISTRACTOR = "none of these"
# The fewest words of an answer that can serve as filler, and the most of its words that are used.
LEAST_FILLER_SOURCE = 15
LONGEST_FILLER = 60
# The first words of titles and of places such as "New York" are not given names.
NOT_GIVEN_NAMES = ("the", "new", "saint", "st.")
# The most words of a name whose given name is changed.
LONGEST_NAME = 4


class SourceTexts(NamedTuple):
    """Texts of all questions, for use in answers to other questions.

    Attributes:
        references: the references of each type (`classify_reference`), as distractors.
        given_names: people's given names.
        texts: right answers, whose beginnings serve as filler.
    """

    references: dict[str, list[str]]
    given_names: list[str]
    texts: list[str]


def classify_reference(question: str, reference: str) -> str:
    """Return the type of a reference; another one of this type can replace it."""
    if YEAR.search(reference) or MONTH.search(reference):
        return "date"
    if re.search(r"\d", reference) or SPOKEN_NUMBER.search(reference):
        return "number"
    question = question.lower()
    if question.startswith(("who", "whose")) or PERSON.fullmatch(reference):
        return "person"
    if question.startswith("where"):
        return "place"
    return "name" if reference[:1].isupper() else "thing"


def collect_source_texts(questions: Sequence[Question]) -> SourceTexts:
    """Return texts of all questions, for use in answers to other questions."""
    references: dict[str, list[str]] = {}
    given_names = set()
    texts = []
    for question in questions:
        for reference in question.references:
            kind = classify_reference(question.text, reference)
            references.setdefault(kind, []).append(reference)
            if kind == "person" and PERSON.fullmatch(reference):
                given_names.add(reference.split()[0])
        texts += select_by_length(question.right_answers, LEAST_FILLER_SOURCE)
    return SourceTexts(references, sorted(given_names), texts)


def find_words(text: str) -> set[str]:
    """Return the words of a text in lower case."""
    return set(re.findall(r"\w+", text.lower()))


class Sampler:
    """Draws wordings, distractors and filler with one random generator.

    Attributes:
        wordings: the lists of wordings, by their names.
        source_texts: the texts from all questions.
        rng: the generator. If other code uses it, the next draws change.
    """

    def __init__(self, wordings: Wordings, source_texts: SourceTexts, rng: Random) -> None:
        self.wordings = wordings
        self.source_texts = source_texts
        self.rng = rng

    def choose(self, options: Sequence[T]) -> T:
        """Return one of some options."""
        return self.rng.choice(options)

    def choose_several(self, options: Sequence[T], most: int) -> list[T]:
        """Return `most` options in random order, or all if there are fewer."""
        number = min(most, len(options))
        return self.rng.sample(options, number)

    def has_wordings(self, name: str) -> bool:
        """Return whether there is a list of wordings with this name."""
        return name in self.wordings

    def choose_wording(self, name: str) -> str:
        """Return a wording of the list with this name."""
        return self.choose(self.wordings[name])

    def choose_distractor(self, question: Question, reference: str) -> str:
        """Return a reference of another question, of the same type.

        It shares no word with this question and its references, except SHARED_WORDS. If no such
        reference is found, return NO_DISTRACTOR.
        """
        question_words = find_words(question.text)
        question_words.update(*map(find_words, question.references))
        kind = classify_reference(question.text, reference)
        candidates = self.source_texts.references[kind]
        for _ in range(TRIES):
            candidate = self.choose(candidates)
            candidate_words = find_words(candidate) - SHARED_WORDS
            if not question_words & candidate_words:
                return candidate
        return NO_DISTRACTOR

    def choose_distractors(
        self, question: Question, reference: str, numbers: Sequence[int]
    ) -> list[str]:
        """Return distractors, some of them perhaps equal; their number is one of `numbers`."""
        number = self.choose(numbers)
        return [self.choose_distractor(question, reference) for _ in range(number)]

    def change_given_name(self, name: str) -> str | None:
        """Return a person's last name after another given name.

        Return None if it is not a person's name, or if both given names have the same initial.
        """
        if not PERSON.fullmatch(name) or count_spaced_words(name) > LONGEST_NAME:
            return None
        first, *_, last = name.split()
        if first.lower() in NOT_GIVEN_NAMES:
            return None
        given_name = self.choose(self.source_texts.given_names)
        # With the same initial it may be a form of the same name.
        if given_name[0] == first[0]:
            return None
        return f"{given_name} {last}"

    def write_filler(self, words: int) -> str:
        """Return sentences from right answers to random questions, with `words` words or more."""
        sentences: list[str] = []
        length = 0
        while length < words:
            text = self.choose(self.source_texts.texts)
            beginning = " ".join(text.split()[:LONGEST_FILLER])
            sentence = f"{beginning.rstrip('.')}."
            sentences.append(sentence)
            length += count_spaced_words(sentence)
        return " ".join(sentences)
