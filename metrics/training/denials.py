"""Make plain denials from the data: a verb with "not", and claims that are called false.

Each denied sentence comes with the sentence itself, so that only the denial differs. The sentences
are those of right answers, and questions as sentences: "who wrote Emma" with "Jane Austen" gives
"Jane Austen did not write Emma".
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
    has_reference_with_context,
    lower_first_letter,
    replace_match,
    select_by_length,
)
from metrics.training.verbs import deny_verb

# The most sentences that are denied in the answers to one question.
MOST_SENTENCES = 2
# The fewest and the most words of an answer whose sentences are denied.
ANSWER_WORDS = (4, 80)


def make_denials(questions: Sequence[Question], sampler: Sampler) -> Iterator[NumberedAnswer]:
    """Yield sentences with a reference, right as they are and wrong with their verb denied.

    Some stand beside a sentence with a distractor: a right one beside its denial, a denied one
    beside the distractor's sentence as it is.
    """
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
    """Return the first sentence with a reference.

    Return None if there is none, or if it has fewer than MIN_CONTEXT_WORDS further words.
    """
    for match in SENTENCE.finditer(text):
        if has_phrase(match[0], reference):
            return match if has_reference_with_context(match[0], reference) else None
    return None


def deny_statement(question: Question, sampler: Sampler) -> Iterator[MadeAnswer]:
    """Yield the question as a sentence with a reference, denied and affirmed.

    Sometimes also yield both beside a sentence with the distractor. Yield nothing if the question
    cannot be turned into a sentence, or if its verb cannot be denied.
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
    """Yield the question as a sentence with a reference, in a refuted and in an affirmed claim.

    A question that cannot be turned into a sentence is left out.
    """
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
    # It is drawn even for a retraction, because all later draws depend on the number of draws.
    template = sampler.choose_wording("refuted_claims")
    if sampler.rng.random() < 0.3:
        separator = sampler.choose((". ", "; ", " - ", "? "))
        retraction = sampler.choose_wording("retractions")
        return f"{statement}{separator}{retraction}."
    # The placeholder {sx} of a wording is a sentence within another one.
    claim = template.format(sx=lower_first_letter(statement))
    return f"{claim}."


def affirm_statement(statement: str, sampler: Sampler) -> str:
    """Return a statement in an affirmed claim."""
    template = sampler.choose_wording("affirmed_claims")
    claim = template.format(sx=lower_first_letter(statement))
    return f"{claim}."
