"""Make answers that say something else with the same words.

They are lists with a missing or an added item, two candidates, exchanged roles, changed surnames,
and copied sentences with one changed fact. Each comes with a right answer that looks alike. The
training uses these answers to fit the weights of objections, and to fit nothing else.
"""

import re
from collections.abc import Iterator, Sequence
from random import Random

from metrics.training import changes
from metrics.training.long_answers import REFERENCE_WORDS
from metrics.training.questions import MadeAnswer, NumberedAnswer, Question
from metrics.training.sampler import NOT_GIVEN_NAMES, Sampler
from metrics.training.text_edits import PERSON, count_spaced_words, select_by_length

# The most words of a reference that can be part of a list.
MOST_WORDS = 5
# The number of copies of a long answer in which a fact is changed.
CHANGED_FACTS = 3
FRAMES = ("{}", "{}.", "It is {}.", "It was {}.", "The answer is {}.", "{}, as far as I know.")
# Two names with a verb between them: "Jane Austen wrote Emma", "Emma was written by Jane Austen".
NAME = r"[A-Z]\w+(?: [A-Z]\w+){0,2}"
ROLES = re.compile(
    rf"(?P<subject>{NAME}) "
    r"(?P<verb>(?:was|is) \w+ (?:by|of|to|in)|\w+ed|wrote|beat|won|sang|directed) "
    rf"(?P<object>{NAME})"
)
# The words that join two things in a list, or two candidates of which one is right. A text that
# stands here twice is drawn twice as often.
LIST_JOINTS = (" and ", " and ", " & ", " as well as ")
CANDIDATE_JOINTS = (" or ", " or ", ", or ", " or maybe ", " or possibly ", " / ")
CANDIDATE_OPENINGS = ("", "Either ", "Perhaps ")


def make_relations(questions: Sequence[Question], sampler: Sampler) -> Iterator[NumberedAnswer]:
    """Yield the answers to all questions, with the numbers of their questions."""
    for number, question in enumerate(questions):
        for answer in make_lists(question, sampler):
            yield NumberedAnswer(number, answer)
        for answer in exchange_roles(question):
            yield NumberedAnswer(number, answer)
        for answer in change_surname(question, sampler):
            yield NumberedAnswer(number, answer)
        for answer in copy_long_answer(question, sampler.rng):
            yield NumberedAnswer(number, answer)


def make_lists(question: Question, sampler: Sampler) -> Iterator[MadeAnswer]:
    """Yield answers with an added item, and answers with one item of a reference that has two.

    A right answer has both items of that reference.
    """
    rng = sampler.rng
    reference = rng.choice(question.references)
    if count_spaced_words(reference) > MOST_WORDS:
        return
    distractor = sampler.choose_distractor(question, reference)
    things = [reference, distractor]
    rng.shuffle(things)
    both_things = rng.choice(LIST_JOINTS).join(things)
    either_thing = rng.choice(CANDIDATE_JOINTS).join(things)
    frame = rng.choice(FRAMES)
    yield question.make_answer("relation, added", frame.format(both_things), False)
    opening = rng.choice(CANDIDATE_OPENINGS)
    yield question.make_answer("relation, either", f"{opening}{either_thing}.", False)

    list_question = question.use_reference(f"{reference} and {distractor}")
    one_thing = rng.choice(things)
    yield list_question.make_answer("relation, partial", frame.format(one_thing), False)
    whole_list = " and ".join(things)
    yield list_question.make_answer("relation, whole list", frame.format(whole_list), True)


def exchange_roles(question: Question) -> Iterator[MadeAnswer]:
    """Yield two answers made from the first sentence with two names.

    In the wrong one the names are exchanged. The right one is the sentence itself.
    """
    for text in question.right_answers:
        roles = ROLES.search(text)
        if not roles or roles["subject"] == roles["object"]:
            continue
        sentence = f"{roles[0]}."
        exchanged = f"{roles['object']} {roles['verb']} {roles['subject']}."
        sentence_question = question.use_reference(sentence)
        yield sentence_question.make_answer("relation, roles", exchanged, False)
        yield sentence_question.make_answer("relation, same roles", sentence, True)
        return


def change_surname(question: Question, sampler: Sampler) -> Iterator[MadeAnswer]:
    """Yield a person's name with another surname, and the name with its initial only.

    For "Jane Austen" these are "Jane Bohr" and "J. Austen".
    """
    reference = sampler.choose(question.references)
    distractor = sampler.choose_distractor(question, reference)
    are_persons = PERSON.fullmatch(reference) and PERSON.fullmatch(distractor)
    if not are_persons or count_spaced_words(reference) != 2:
        return
    given_name, surname = reference.split()
    if given_name.lower() in NOT_GIVEN_NAMES or given_name.endswith("."):
        return
    other_surname = distractor.split()[-1]
    name_question = question.use_reference(reference)
    frame = sampler.choose(FRAMES)
    wrong_name = frame.format(f"{given_name} {other_surname}")
    yield name_question.make_answer("relation, other surname", wrong_name, False)
    initial = frame.format(f"{given_name[0]}. {surname}")
    yield name_question.make_answer("relation, initial", initial, True)


def copy_long_answer(question: Question, rng: Random) -> Iterator[MadeAnswer]:
    """Yield copies of a long right answer, which is also the reference.

    In CHANGED_FACTS copies one fact is changed. One more copy has only another form.
    """
    texts = select_by_length(question.right_answers, REFERENCE_WORDS)
    if not texts:
        return
    reference = rng.choice(texts)
    copied = question.use_reference(reference)
    kinds_of_facts = rng.sample(list(changes.FACTS), CHANGED_FACTS)
    kind_of_form = rng.choice(list(changes.FORMS))
    for kind in [*kinds_of_facts, kind_of_form]:
        change = changes.FACTS.get(kind) or changes.FORMS[kind]
        # With "" as the reference any fact may change.
        text = change(reference, "", rng)
        if text and text != reference:
            is_right = kind in changes.FORMS
            yield copied.make_answer(f"relation, copied, {kind}", text, is_right)
