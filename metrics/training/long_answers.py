"""Make up long answers: with long references, figures, yes or no, and long refusals.

The data has few of these.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from metrics.training.magnitudes import make_magnitude
from metrics.training.questions import NumberedAnswer, Question
from metrics.training.sampler import Sampler
from metrics.training.text_edits import (
    has_phrase,
    lower_first_letter,
    replace_phrase,
    select_by_length,
)
from metrics.training.wording_lists import read_wordings

WORDINGS = read_wordings("long_answers")
# The fewest words of a right answer that can serve as a reference.
REFERENCE_WORDS = 8
# The most wrong answers, and the most right ones, that are paired with such a reference.
MOST_WRONG = 3
MOST_RIGHT = 2
# The most answers to a yes-or-no question.
MOST_OF_YES_OR_NO = 4
# The fewest words of filler after a refusal.
FILLER_WORDS = 15
# A sentence with a form of "to be", from which a question can be made: "Emma was written by Jane
# Austen" gives "was Emma written by Jane Austen?".
STATEMENT = re.compile(
    r"(?P<subject>[A-Z][^.,;:?!]{2,70}?) (?P<verb>is|was|are|were) (?P<predicate>(?!not |never "
    r"|n't)[^.;:?!]{3,90})"
)


@dataclass(frozen=True)
class Statement:
    """A sentence with a form of "to be", and the reference that is in its predicate."""

    subject: str
    verb: str
    predicate: str
    reference: str

    def affirm(self) -> str:
        """Return the sentence unchanged."""
        return f"{self.subject} {self.verb} {self.predicate}."

    def deny(self) -> str:
        """Return the sentence with its verb denied."""
        return f"{self.subject} {self.verb} not {self.predicate}."

    def ask(self) -> str:
        """Return the question whether the sentence is true."""
        subject = lower_first_letter(self.subject)
        return f"{self.verb} {subject} {self.predicate}?"

    def replace_reference(self, distractor: str) -> "Statement":
        """Return the statement with a distractor in place of the reference."""
        predicate = replace_phrase(self.predicate, self.reference, distractor)
        return replace(self, predicate=predicate or self.predicate)


def pair_long_references(
    questions: Sequence[Question], sampler: Sampler
) -> Iterator[NumberedAnswer]:
    """Yield real answers, with a long right answer to the same question as the reference."""
    for number, question in enumerate(questions):
        candidates = select_by_length(question.right_answers, REFERENCE_WORDS)
        if not candidates:
            continue
        reference = sampler.choose(candidates)
        paired = question.use_reference(reference)
        others = [answer for answer in question.right_answers if answer != reference]
        for text in sampler.choose_several(question.wrong_answers, MOST_WRONG):
            answer = paired.make_answer("long reference", text, False)
            yield NumberedAnswer(number, answer)
        for text in sampler.choose_several(others, MOST_RIGHT):
            answer = paired.make_answer("long reference", text, True)
            yield NumberedAnswer(number, answer)


def make_long_answers(
    questions: Sequence[Question], counts: Mapping[str, int], sampler: Sampler
) -> Iterator[NumberedAnswer]:
    """Yield made-up answers, each with the number of its question.

    Answers with figures have the number of a random question.

    Args:
        questions: the questions.
        counts: how many answers of each kind are made: "magnitude", "yes or no", "long refusal".
        sampler: makes all random choices.
    """
    for _ in range(counts["magnitude"]):
        magnitude = make_magnitude(sampler.rng)
        number = sampler.rng.randrange(len(questions))
        yield NumberedAnswer(number, magnitude)
    for kind, make in (("yes or no", make_yes_or_no), ("long refusal", make_refusals)):
        answers = list(make(questions, sampler))
        yield from sampler.choose_several(answers, counts[kind])


def make_yes_or_no(questions: Sequence[Question], sampler: Sampler) -> Iterator[NumberedAnswer]:
    """Yield yes-or-no questions made from right answers, with answers to them.

    Some questions have a distractor in place of the reference.
    """
    for number, question in enumerate(questions):
        truth = find_statement(question)
        if not truth:
            continue
        is_true = sampler.rng.random() < 0.5
        distractor = sampler.choose_distractor(question, truth.reference)
        asked_statement = truth if is_true else truth.replace_reference(distractor)
        reference = sampler.choose(list_yes_or_no_references(asked_statement, is_true))
        answers = list_yes_or_no_answers(asked_statement, truth, is_true)
        yes_or_no = Question(asked_statement.ask(), (reference,))
        for answer, right in sampler.choose_several(answers, MOST_OF_YES_OR_NO):
            yield NumberedAnswer(number, yes_or_no.make_answer("yes or no", answer, right))


def find_statement(question: Question) -> Statement | None:
    """Return the first right answer with a reference that is a statement.

    Return None if there is none, or if the reference is not in its predicate.
    """
    for answer in question.right_answers:
        match = STATEMENT.match(answer)
        if not match:
            continue
        for reference in question.references:
            if has_phrase(answer, reference):
                predicate = match["predicate"]
                if not has_phrase(predicate, reference):
                    return None
                return Statement(match["subject"], match["verb"], predicate.strip(), reference)
    return None


def list_yes_or_no_references(statement: Statement, is_true: bool) -> list[str]:
    """Return the possible references of a yes-or-no question.

    A bare yes or no is listed twice, since it is frequent.
    """
    word = "Yes" if is_true else "No"
    sentence = statement.affirm() if is_true else statement.deny()
    return [
        word,
        word,
        f"{word}.",
        f"{word}, {lower_first_letter(sentence)}",
    ]


def list_yes_or_no_answers(
    statement: Statement, truth: Statement, is_true: bool
) -> list[tuple[str, bool]]:
    """Return answers to a yes-or-no question, and whether they are right."""
    right_word, wrong_word = "Yes", "No"
    right_sentence, wrong_sentence = statement.affirm(), statement.deny()
    if not is_true:
        right_word, wrong_word = wrong_word, right_word
        right_sentence, wrong_sentence = wrong_sentence, right_sentence
    fact = truth.affirm()
    return [
        (right_word, True),
        (f"{right_word}.", True),
        (f"{right_word}, {lower_first_letter(right_sentence)}", True),
        (right_sentence, True),
        (wrong_word, False),
        (f"{wrong_word}, {lower_first_letter(wrong_sentence)}", False),
        (wrong_sentence, False),
        (f"{fact} So the answer is {right_word.lower()}.", True),
        (f"{fact} Therefore, {wrong_word.lower()}.", False),
        (f"{wrong_word}. {fact}", False),
        (f"{right_word}. {fact}", True),
    ]


def make_refusals(questions: Sequence[Question], sampler: Sampler) -> Iterator[NumberedAnswer]:
    """Yield long refusals, and right answers that begin like one."""
    for number, question in enumerate(questions):
        filler = sampler.write_filler(FILLER_WORDS)
        is_refusal = sampler.rng.random() < 0.7
        if is_refusal:
            refusal = sampler.choose(WORDINGS["refusals"])
            topic = question.text.rstrip("?")
            answer = refusal.format(q=topic, filler=filler)
        else:
            hesitant_answer = sampler.choose(WORDINGS["hesitant_answers"])
            answer = hesitant_answer.format(x=question.references[0])
        yield NumberedAnswer(number, question.make_answer("long refusal", answer, not is_refusal))
