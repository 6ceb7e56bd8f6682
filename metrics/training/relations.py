"""Make answers that say something else with the same words.

They are lists with a missing or an added item, two candidates, exchanged roles, changed names, and
copied sentences with one changed fact.
Each is made from a question with its right answers. Only the weights of objections are fitted to
them.
"""

import re
from collections.abc import Iterator, Sequence
from random import Random

from metrics.training import changes
from metrics.training.long_answers import REFERENCE_WORDS
from metrics.training.questions import MadeAnswer, NumberedAnswer, Question
from metrics.training.sampler import NOT_GIVEN_NAMES, Sampler
from metrics.training.text_edits import PERSON, select_by_length

# The most words of a reference that can be part of a list.
MOST_WORDS = 5
# How many copies of a long answer have a changed fact; one more has another form.
CHANGED_FACTS = 3
SHAPES = ("{}", "{}.", "It is {}.", "It was {}.", "The answer is {}.", "{}, as far as I know.")
ROLES = re.compile(
    r"(?P<one>[A-Z]\w+(?: [A-Z]\w+){0,2}) (?P<verb>(?:was|is) \w+ (?:by|of|to|in)|\w+ed|wrote|beat"
    r"|won|sang|directed) "
    r"(?P<other>[A-Z]\w+(?: [A-Z]\w+){0,2})"
)
JOINTS = (" and ", " and ", " & ", " as well as ")
OPEN_JOINTS = (" or ", " or ", ", or ", " or maybe ", " or possibly ", " / ")


def make_relations(questions: Sequence[Question], sampler: Sampler) -> Iterator[NumberedAnswer]:
    """Yield the answers to all questions, with the numbers of their questions."""
    for number, question in enumerate(questions):
        for answer in make_lists(question, sampler):
            yield NumberedAnswer(number, answer)
        for answer in exchange_roles(question, sampler.rng):
            yield NumberedAnswer(number, answer)
        for answer in change_surname(question, sampler):
            yield NumberedAnswer(number, answer)
        for answer in edit_sentence(question, sampler.rng):
            yield NumberedAnswer(number, answer)


def make_lists(question: Question, sampler: Sampler) -> Iterator[MadeAnswer]:
    """Yield answers with another thing beside the right one, and parts of a list as reference."""
    rng = sampler.rng
    reference = rng.choice(question.references)
    if len(reference.split()) > MOST_WORDS:
        return
    other = sampler.choose_distractor(question, reference)
    things = [reference, other]
    rng.shuffle(things)
    both_things = rng.choice(JOINTS).join(things)
    either_thing = rng.choice(OPEN_JOINTS).join(things)
    shape = rng.choice(SHAPES)
    yield question.make_answer("relation, added", shape.format(both_things), False)
    yield question.make_answer(
        "relation, either", rng.choice(("", "Either ", "Perhaps ")) + either_thing + ".", False
    )
    list_question = question.use_reference(f"{reference} and {other}")
    yield list_question.make_answer("relation, partial", shape.format(rng.choice(things)), False)
    yield list_question.make_answer(
        "relation, whole list", shape.format(" and ".join(things)), True
    )


def exchange_roles(question: Question, rng: Random) -> Iterator[MadeAnswer]:
    """Yield a sentence with two names exchanged, and the sentence itself."""
    for text in question.right_answers:
        match = ROLES.search(text)
        if not match or match["one"] == match["other"]:
            continue
        sentence = f"{match[0]}."
        exchanged = f"{match['other']} {match['verb']} {match['one']}."
        new_question = question.use_reference(sentence)
        yield new_question.make_answer("relation, roles", exchanged, False)
        yield new_question.make_answer("relation, same roles", sentence, True)
        return


def edit_sentence(question: Question, rng: Random) -> Iterator[MadeAnswer]:
    """Yield copies of a long right answer beside itself: with one changed fact, or another form."""
    texts = select_by_length(question.right_answers, REFERENCE_WORDS)
    if not texts:
        return
    reference = rng.choice(texts)
    copied = question.use_reference(reference)
    kinds = [*rng.sample(list(changes.FACTS), CHANGED_FACTS), rng.choice(list(changes.FORMS))]
    for kind in kinds:
        change = changes.FACTS.get(kind) or changes.FORMS[kind]
        text = change(reference, "", rng)
        if text and text != reference:
            yield copied.make_answer(f"relation, copied, {kind}", text, kind in changes.FORMS)


def change_surname(question: Question, sampler: Sampler) -> Iterator[MadeAnswer]:
    """Yield a person's name with another surname, and the name with its initial only."""
    reference = sampler.choose(question.references)
    other = sampler.choose_distractor(question, reference)
    if (
        not PERSON.fullmatch(reference)
        or not PERSON.fullmatch(other)
        or len(reference.split()) != 2
    ):
        return
    first_name, surname = reference.split()
    if first_name.lower() in NOT_GIVEN_NAMES or first_name.endswith("."):
        return
    new_question = question.use_reference(reference)
    shape = sampler.choose(SHAPES)
    yield new_question.make_answer(
        "relation, other surname", shape.format(f"{first_name} {other.split()[-1]}"), False
    )
    yield new_question.make_answer(
        "relation, initial", shape.format(f"{first_name[0]}. {surname}"), True
    )
