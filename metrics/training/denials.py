"""Make plain denials from the data: "not" with the verb of a sentence, and denied claims.

Each denial comes with the sentence itself, so that only the denial differs. Questions are turned
into sentences, too ("who wrote Emma": "Jane Austen did not write Emma").
"""

import itertools
import re
from collections.abc import Iterator, Sequence
from random import Random

from metrics.training.questions import MadeAnswer, NumberedAnswer, Question
from metrics.training.sampler import Sampler
from metrics.training.statements import write_statement
from metrics.training.text_edits import (
    SENTENCE,
    has_phrase,
    has_reference_in_sentence,
    lower_first_letter,
    replace_match,
    select_by_length,
)
from metrics.training.verbs import deny_verb

# The most sentences of a question's answers that are denied.
MOST_SENTENCES = 2
# The fewest and the most words of an answer whose sentences are denied.
ANSWER_WORDS = (4, 80)


def make_denials(questions: Sequence[Question], sampler: Sampler) -> Iterator[NumberedAnswer]:
    """Yield right sentences and their denials, and right ones beside a denial of something else."""
    for number, question in enumerate(questions):
        for answer in deny_right_answers(question, sampler.rng):
            yield NumberedAnswer(number, answer)
        for answer in deny_statement(question, sampler):
            yield NumberedAnswer(number, answer)


def deny_right_answers(question: Question, rng: Random) -> Iterator[MadeAnswer]:
    """Yield sentences of right answers, with their verb denied and unchanged."""
    answers = select_by_length(question.right_answers, *ANSWER_WORDS)
    pairs = list(itertools.product(answers, question.references))
    rng.shuffle(pairs)
    count = 0
    for answer, reference in pairs:
        if count == MOST_SENTENCES:
            break
        match = find_sentence(answer, reference)
        if not match:
            continue
        sentence = match[0]
        denial = deny_verb(sentence, rng)
        if not denial:
            continue
        denied_answer = replace_match(answer, match, denial)
        denied = rng.choice([denial.strip(), denied_answer])
        affirmed = rng.choice([sentence.strip(), answer])
        yield question.make_answer("plain denial", denied, False)
        yield question.make_answer("plain, affirmed", affirmed, True)
        count += 1


def find_sentence(text: str, reference: str) -> re.Match[str] | None:
    """Return the first sentence with a reference; None if it has few further words."""
    for match in SENTENCE.finditer(text):
        if has_phrase(match[0], reference):
            return match if has_reference_in_sentence(match[0], reference) else None
    return None


def deny_statement(question: Question, sampler: Sampler) -> Iterator[MadeAnswer]:
    """Yield the question as a sentence with its answer, affirmed and denied.

    It stands alone, or beside a sentence with the distractor.
    """
    rng = sampler.rng
    reference = rng.choice(question.references)
    distractor = sampler.choose_distractor(question, reference)
    right = write_statement(question.text, reference)
    wrong = write_statement(question.text, distractor)
    if not right or not wrong:
        return
    right_denied = deny_verb(right, rng)
    wrong_denied = deny_verb(wrong, rng)
    if not right_denied:
        return
    yield question.make_answer("question denied", right_denied, False)
    yield question.make_answer("question affirmed", right, True)
    if wrong_denied and rng.random() < 0.6:
        affirmed = rng.choice([f"{right} {wrong_denied}", f"{wrong_denied} {right}"])
        yield question.make_answer("question affirmed", affirmed, True)
        denied = rng.choice([f"{right_denied} {wrong}", f"{wrong} {right_denied}"])
        yield question.make_answer("question denied", denied, False)


def make_claims(questions: Sequence[Question], sampler: Sampler) -> Iterator[NumberedAnswer]:
    """Yield the question as a sentence with its answer, in a refuted and in an affirmed claim."""
    for number, question in enumerate(questions):
        reference = sampler.choose(question.references)
        statement = write_statement(question.text, reference)
        if not statement:
            continue
        statement = statement.rstrip(".")
        refuted = refute_statement(statement, sampler)
        wrong_answer = question.make_answer("claim refuted", refuted, False)
        yield NumberedAnswer(number, wrong_answer)
        affirmed = affirm_statement(statement, sampler)
        right_answer = question.make_answer("claim affirmed", affirmed, True)
        yield NumberedAnswer(number, right_answer)


def refute_statement(statement: str, sampler: Sampler) -> str:
    """Return a statement in a refuted claim, or followed by a retraction."""
    template = sampler.choose_wording("refuted_claims")
    if sampler.rng.random() < 0.3:
        joint = sampler.choose((". ", "; ", " - ", "? "))
        retraction = sampler.choose_wording("retractions")
        return f"{statement}{joint}{retraction}."
    claim = template.format(sx=lower_first_letter(statement))
    return f"{claim}."


def affirm_statement(statement: str, sampler: Sampler) -> str:
    """Return a statement in an affirmed claim."""
    template = sampler.choose_wording("affirmed_claims")
    claim = template.format(sx=lower_first_letter(statement))
    return f"{claim}."
