"""Make up answers that short facts have few of: long references, figures, yes and no, long refusals."""

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from metrics.training.magnitudes import make_magnitude
from metrics.training.questions import MadeAnswer, NumberedAnswer, Question
from metrics.training.sampler import Sampler
from metrics.training.text_edits import has_phrase, lower_first_letter, replace_phrase
from metrics.training.wording_lists import read_wordings

WORDINGS = read_wordings("long_answers")
REFERENCE_WORDS = 8  # of a right answer that can serve as a reference, at least
MOST_WRONG, MOST_RIGHT = 3, 2  # answers that are paired with such a reference
# A sentence with a form of "to be", which a question can be made from.
STATEMENT = re.compile(
    r"(?P<subject>[A-Z][^.,;:?!]{2,70}?) (?P<verb>is|was|are|were) (?P<rest>(?!not |never |n't)[^.;:?!]{3,90})"
)


@dataclass(frozen=True)
class Statement:
    """A sentence with a form of "to be", and the reference in its predicate."""

    subject: str
    verb: str
    predicate: str
    reference: str

    def affirm(self, predicate: str) -> str:
        """Return the sentence with a predicate."""
        return f"{self.subject} {self.verb} {predicate}."

    def deny(self, predicate: str) -> str:
        """Return the sentence with a predicate denied."""
        return f"{self.subject} {self.verb} not {predicate}."

    def ask(self, predicate: str) -> str:
        """Return the question whether the predicate is true."""
        return f"{self.verb} {lower_first_letter(self.subject)} {predicate}?"


def pair_long_references(questions: Sequence[Question], rng: random.Random) -> Iterator[NumberedAnswer]:
    """Yield real answers, with a long right answer to the same question as the reference."""
    for number, question in enumerate(questions):
        candidates = [answer for answer in question.right_answers if len(answer.split()) >= REFERENCE_WORDS]
        if not candidates:
            continue
        reference = rng.choice(candidates)
        paired = question.use_reference(reference)
        others = [answer for answer in question.right_answers if answer != reference]
        for answer in rng.sample(question.wrong_answers, min(MOST_WRONG, len(question.wrong_answers))):
            yield NumberedAnswer(number, paired.make_answer("long reference", answer, False))
        for answer in rng.sample(others, min(MOST_RIGHT, len(others))):
            yield NumberedAnswer(number, paired.make_answer("long reference", answer, True))


def make_long_answers(
    questions: Sequence[Question], counts: Mapping[str, int], sampler: Sampler
) -> Iterator[NumberedAnswer]:
    """Yield made-up answers, each with the number of its question; those with figures have that of any question.

    The counts say how many of each kind there are: "magnitude", "yes or no" and "long refusal".
    """
    for _ in range(counts["magnitude"]):
        magnitude = make_magnitude(sampler.rng)
        number = sampler.rng.randrange(len(questions))
        yield NumberedAnswer(number, magnitude)
    for kind, make in (("yes or no", make_yes_or_no), ("long refusal", make_refusals)):
        answers = list(make(questions, sampler))
        yield from sampler.rng.sample(answers, min(counts[kind], len(answers)))


def make_yes_or_no(questions: Sequence[Question], sampler: Sampler) -> Iterator[NumberedAnswer]:
    """Yield yes-or-no questions made of right answers, some with a distractor, and answers to them."""
    for number, question in enumerate(questions):
        statement = find_statement(question)
        if not statement:
            continue
        holds = sampler.rng.random() < 0.5
        distractor = sampler.choose_distractor(question, statement.reference)
        predicate = statement.predicate
        if not holds:
            predicate = replace_phrase(predicate, statement.reference, distractor) or predicate
        reference = sampler.rng.choice(list_references(statement, predicate, holds))
        asked = Question(statement.ask(predicate), (reference,))
        for answer in sampler.rng.sample(answer_yes_or_no(asked, statement, predicate, holds), 4):
            yield NumberedAnswer(number, answer)


def find_statement(question: Question) -> Statement | None:
    """Return the first right answer that is a statement, None if its predicate does not have the reference."""
    for answer in question.right_answers:
        match = STATEMENT.match(answer)
        if not match:
            continue
        for reference in question.references:
            if has_phrase(answer, reference):
                if not has_phrase(match["rest"], reference):
                    return None
                return Statement(match["subject"], match["verb"], match["rest"].strip(), reference)
    return None


def list_references(statement: Statement, predicate: str, holds: bool) -> list[str]:
    """Return what may be the reference of a yes-or-no question; a mere yes or no comes twice, for it is frequent."""
    word = "Yes" if holds else "No"
    sentence = statement.affirm(predicate) if holds else statement.deny(predicate)
    return [word, word, f"{word}.", f"{word}, {lower_first_letter(sentence)}"]


def answer_yes_or_no(asked: Question, statement: Statement, predicate: str, holds: bool) -> list[MadeAnswer]:
    """Return right and wrong answers to a yes-or-no question."""
    right_word, wrong_word = "Yes", "No"
    right_sentence, wrong_sentence = statement.affirm(predicate), statement.deny(predicate)
    if not holds:
        right_word, wrong_word = wrong_word, right_word
        right_sentence, wrong_sentence = wrong_sentence, right_sentence
    truth = statement.affirm(statement.predicate)
    answers = [
        (right_word, True),
        (f"{right_word}.", True),
        (f"{right_word}, {lower_first_letter(right_sentence)}", True),
        (right_sentence, True),
        (wrong_word, False),
        (f"{wrong_word}, {lower_first_letter(wrong_sentence)}", False),
        (wrong_sentence, False),
        (f"{truth} So the answer is {right_word.lower()}.", True),
        (f"{truth} Therefore, {wrong_word.lower()}.", False),
        (f"{wrong_word}. {truth}", False),
        (f"{right_word}. {truth}", True),
    ]
    return [asked.make_answer("yes or no", text, right) for text, right in answers]


def make_refusals(questions: Sequence[Question], sampler: Sampler) -> Iterator[NumberedAnswer]:
    """Yield long refusals, and right answers that begin like one."""
    for number, question in enumerate(questions):
        filler = sampler.write_filler(15)
        is_refusal = sampler.rng.random() < 0.7
        if is_refusal:
            refusal = sampler.rng.choice(WORDINGS["refusals"])
            answer = refusal.format(q=question.text.rstrip("?"), filler=filler)
        else:
            hesitant_answer = sampler.rng.choice(WORDINGS["hesitant_answers"])
            answer = hesitant_answer.format(x=question.references[0])
        yield NumberedAnswer(number, question.make_answer("long refusal", answer, not is_refusal))
