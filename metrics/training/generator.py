"""Yield training answers to questions of the data: made-up ones, and real ones of other references.

Each made-up answer is made from one question, its references, its real answers with people's
verdicts, and references of other questions: denials, changed numbers, other names and the like. A
real answer is paired with a right answer to its question, which serves as the reference.

The answers are made one by one, with the sampler's random generator. Do not use this generator
between two answers: the next ones would change.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from metrics.training.compositions import compose_joint, join_candidates
from metrics.training.contrasts import DistractorPair, make_contrasts
from metrics.training.number_edits import falsify_reference, respell_number
from metrics.training.questions import MadeAnswer, Question
from metrics.training.sampler import Sampler
from metrics.training.text_edits import (
    add_not,
    find_phrase,
    replace_phrase,
    select_by_length,
    upper_first_letter,
)


class Quota(NamedTuple):
    """How many answers of a kind are made for each question, from a list of wordings.

    Attributes:
        kind: the kind of the answers, for reports.
        wordings: the name of the list of wordings.
        answers: the number of answers.
        is_right: the answers are right.
        is_swapped: the distractor stands in place of the reference, and the other way round.
        has_two_candidates: a list of candidates has two; otherwise it has three to five.
    """

    kind: str
    wordings: str
    answers: int
    is_right: bool = False
    is_swapped: bool = False
    has_two_candidates: bool = False


OTHER_DENIED = "right, other denied"
QUOTAS = [
    Quota("denial", "denials", 3),
    Quota("not X but Y", "contrasts", 3),
    Quota("not X but Y", "joints", 2),
    Quota("not X but Y", "plain_contrasts", 3),
    Quota("not X but Y, later", "later_contrasts", 3),
    Quota(OTHER_DENIED, "contrasts", 3, is_right=True, is_swapped=True),
    Quota(OTHER_DENIED, "joints", 2, is_right=True, is_swapped=True),
    Quota(OTHER_DENIED, "plain_contrasts", 5, is_right=True, is_swapped=True),
    Quota(f"{OTHER_DENIED}, later", "later_contrasts", 2, is_right=True, is_swapped=True),
    Quota("everything but X", "all_but", 2),
    Quota("two candidates", "candidates", 1, has_two_candidates=True),
    Quota("several candidates", "candidates", 2),
    Quota("right", "right", 3, is_right=True),
    Quota("refusal", "refusals", 1),
    Quota("question repeated", "repeated_questions", 1),
]
# A long denial is followed by filler.
LONG_DENIAL = Quota("denial", "denials", 1)
# The chance that a question gets an answer of a kind of which it has one at most.
SINGLE_CHANCE = 0.3
# The chance that an answer begins with a capital.
CAPITAL_CHANCE = 0.8
# One of these is drawn. A number that is listed three times is drawn three times as often.
NUMBERS_OF_DISTRACTORS = [2, 3, 4, 4, 4]
# Answers in which a changed or respelled number is put.
NUMBER_FRAMES = ("{}", "It was {}.", "In {}.", "The answer is {}.", "About {}.")
# The lengths of filler, in words, that is the whole answer; one of them is drawn.
FILLER_LENGTHS = [15, 40, 100]
# The length of filler after a denial, in words.
SHORT_FILLER = 20
# The length of filler around a right answer, in words.
LONG_FILLER = 100
# The words that a right answer has if it can serve as a reference: at least and at most.
REFERENCE_WORDS = (6, 40)
# The most right answers, and the most wrong ones, that are paired with such a reference.
MOST_PAIRED = 2


class Draft(NamedTuple):
    """The text of a training answer; None if it cannot be made from its question."""

    kind: str
    text: str | None
    right: bool


def make_answers(questions: Sequence[Question], sampler: Sampler) -> Iterator[MadeAnswer]:
    """Yield made-up and real answers to all questions, of each kind that suits a question."""
    for question in questions:
        reference = sampler.choose(question.references)
        distractor = sampler.choose_distractor(question, reference)
        pair = DistractorPair(question, reference, distractor)
        drafts = fill_wordings(pair, sampler)
        drafts += alter_right_answer(pair, sampler)
        for draft in drafts:
            if draft.text:
                yield question.make_answer(draft.kind, draft.text, draft.right)
        yield from pair_sentences(question, sampler)
        yield from make_contrasts(pair, sampler)


def fill_wordings(pair: DistractorPair, sampler: Sampler) -> list[Draft]:
    """Return answers that are made from wordings."""
    two_candidates = join_candidates(pair.reference, [pair.distractor], sampler.rng)
    distractors = sampler.choose_distractors(pair.question, pair.reference, NUMBERS_OF_DISTRACTORS)
    several_candidates = join_candidates(pair.reference, distractors, sampler.rng)
    drafts = []
    for quota in QUOTAS:
        if sampler.has_wordings(quota.wordings):
            candidates = two_candidates if quota.has_two_candidates else several_candidates
            for text in write_quota(quota, pair, candidates, sampler):
                drafts.append(Draft(quota.kind, text, quota.is_right))
    if sampler.rng.random() < SINGLE_CHANCE:
        (denial,) = write_quota(LONG_DENIAL, pair, several_candidates, sampler)
        filler = sampler.write_filler(SHORT_FILLER)
        drafts.append(Draft("denial", f"{denial} {filler}", False))
    return drafts


def write_quota(
    quota: Quota,
    pair: DistractorPair,
    candidates: str,
    sampler: Sampler,
) -> list[str]:
    """Return the answers of one quota."""
    # Most wordings deny or exclude {x}; with the distractor in its place they are right.
    x, y = pair.reference, pair.distractor
    if quota.is_swapped:
        x, y = y, x
    if quota.wordings == "joints":
        templates = [compose_joint(sampler) for _ in range(quota.answers)]
    else:
        wordings = sampler.wordings[quota.wordings]
        templates = sampler.choose_several(wordings, quota.answers)
    fields = {
        "x": x,
        "y": y,
        "q": pair.question.text,
        "list": candidates,
    }
    answers = []
    for template in templates:
        answer = template.format(**fields)
        if sampler.rng.random() < CAPITAL_CHANCE:
            answer = upper_first_letter(answer)
        answers.append(answer)
    return answers


def alter_right_answer(pair: DistractorPair, sampler: Sampler) -> list[Draft]:
    """Return answers made from a right one by a change."""
    question, reference = pair.question, pair.reference
    answer = f"The answer is {reference}."
    if question.right_answers:
        answer = sampler.choose(question.right_answers)
    phrase = find_phrase(answer, question.references)
    drafts = change_names(pair, answer, phrase, sampler)
    for frame in NUMBER_FRAMES:
        drafts += make_number_answers(question, reference, frame.format, sampler)
    if phrase:
        write = partial(replace_phrase, answer, phrase)
        drafts += make_number_answers(question, phrase, write, sampler)
        other_name = sampler.change_given_name(phrase)
        text = other_name and replace_phrase(answer, phrase, other_name)
        drafts.append(Draft("other given name", text, False))
    hidden = hide_in_filler(reference, answer, sampler)
    drafts.append(Draft("right in long text", hidden, True))
    if sampler.rng.random() < SINGLE_CHANCE:
        length = sampler.choose(FILLER_LENGTHS)
        filler = sampler.write_filler(length)
        drafts.append(Draft("something else", filler, False))
    return drafts


def change_names(
    pair: DistractorPair,
    answer: str,
    phrase: str | None,
    sampler: Sampler,
) -> list[Draft]:
    """Return answers with another name in place of the reference, and a denied one.

    The other name is the distractor, or the reference with another given name.
    """
    swapped = phrase and replace_phrase(answer, phrase, pair.distractor)
    denied = phrase and add_not(answer, phrase)
    other_name = sampler.change_given_name(pair.reference)
    return [
        Draft("entity swapped", pair.distractor, False),
        Draft("entity swapped", swapped, False),
        Draft("denial", denied, False),
        Draft("other given name", other_name, False),
        Draft("other given name", other_name and f"It was {other_name}.", False),
    ]


def make_number_answers(
    question: Question,
    reference: str,
    write: Callable[[str], str | None],
    sampler: Sampler,
) -> list[Draft]:
    """Return answers with a changed number of a reference, and with a respelled one.

    `write` makes the text of an answer from the changed reference.
    """
    changed = falsify_reference(reference, question.references, sampler.rng)
    respelled = respell_number(reference)
    return [
        Draft("number changed", changed and write(changed), False),
        Draft("right, number otherwise", respelled and write(respelled), True),
    ]


def hide_in_filler(reference: str, answer: str, sampler: Sampler) -> str:
    """Return a right answer as one sentence of a long text about something else."""
    sentences = sampler.write_filler(LONG_FILLER).split(". ")
    position = sampler.rng.randrange(len(sentences) + 1)
    real_answer = answer.rstrip(".")
    # The real answer is listed twice, so it is drawn twice as often.
    right_answers = [
        f"The answer is {reference}",
        f"It is {reference}",
        real_answer,
        real_answer,
        reference,
    ]
    right_answer = sampler.choose(right_answers)
    sentences.insert(position, right_answer)
    return ". ".join(sentences)


def pair_sentences(question: Question, sampler: Sampler) -> Iterator[MadeAnswer]:
    """Yield answers to a question whose reference is a whole right answer.

    They are real answers, the reference with a change, and sometimes the reference itself.
    """
    references = select_by_length(question.right_answers, *REFERENCE_WORDS)
    if not references:
        return
    reference = sampler.choose(references)
    paired = question.use_reference(reference)
    seen = {reference}
    for draft in change_sentence(question, reference, sampler):
        if draft.text and draft.text not in seen:
            seen.add(draft.text)
            yield paired.make_answer(draft.kind, draft.text, draft.right)
    if sampler.rng.random() < SINGLE_CHANCE:
        yield paired.make_answer("sentence", reference, True)


def change_sentence(question: Question, sentence: str, sampler: Sampler) -> Iterator[Draft]:
    """Yield some real answers to a question, and a right answer with changes."""
    for answer in sampler.choose_several(question.right_answers, MOST_PAIRED):
        yield Draft("sentence", answer, True)
    for answer in sampler.choose_several(question.wrong_answers, MOST_PAIRED):
        yield Draft("sentence", answer, False)
    phrase = find_phrase(sentence, question.references)
    if not phrase:
        return
    distractor = sampler.choose_distractor(question, phrase)
    swapped = replace_phrase(sentence, phrase, distractor)
    yield Draft("sentence, entity", swapped, False)
    reference = falsify_reference(phrase, question.references, sampler.rng)
    changed = reference and replace_phrase(sentence, phrase, reference)
    yield Draft("sentence, number", changed, False)
    yield Draft("sentence, denial", add_not(sentence, phrase), False)
