"""The made-up answers that correctness_estimate learns from, and the files of their wordings."""

import random
import re

import pytest

from metrics.training import changes, chinese, denials, generator, long_answers
from metrics.training.questions import MadeAnswer, Question
from metrics.training.sampler import Sampler, collect_source_texts
from metrics.training.wording_lists import (
    FOLDER,
    LEARNED,
    UNSEEN,
    Wordings,
    parse_wordings,
    read_wordings,
)

RADIUM = (
    "Marie Curie discovered radium in Paris in 1898. She did so with her husband, and it "
    "made both of them famous."
)
QUESTIONS = [
    Question(
        "who discovered radium",
        ("Marie Curie",),
        (RADIUM, "Radium was discovered by Marie Curie."),
        ("It was Niels Bohr.",),
    ),
    Question(
        "who wrote the novel emma", ("Jane Austen",), ("Emma was written by Jane Austen in 1815.",)
    ),
    Question(
        "when did the berlin wall fall", ("1989",), ("The wall fell in 1989.",), ("In 1961.",)
    ),
    Question(
        "how many bones in the human body", ("206",), ("An adult has 206 bones in the body.",)
    ),
    Question(
        "where is the louvre located",
        ("Paris",),
        ("The Louvre is located in Paris, near the Seine.",),
    ),
]


def make_all_answers(wordings: Wordings, seed: int) -> list[MadeAnswer]:
    """Return the answers of every generator."""
    sampler = Sampler(wordings, collect_source_texts(QUESTIONS), random.Random(seed))
    counts = {"magnitude": 3, "yes or no": 3, "long refusal": 3}
    # Answers, each with the number of its question.
    numbered = [
        *denials.make_denials(QUESTIONS, sampler),
        *denials.make_claims(QUESTIONS, sampler),
        *long_answers.pair_long_references(QUESTIONS, sampler),
        *long_answers.make_long_answers(QUESTIONS, counts, sampler),
        *changes.make_changed_answers(QUESTIONS, sampler.rng),
        *chinese.make_chinese_answers(sampler.rng),
        *chinese.make_chinese_denials(QUESTIONS, sampler.rng),
    ]
    return [*generator.make_answers(QUESTIONS, sampler), *(answer for _, answer in numbered)]


@pytest.mark.parametrize("wordings", [LEARNED, UNSEEN], ids=["learned", "unseen"])
def test_made_up_answers_are_equal_with_equal_seeds_and_have_no_open_placeholder(
    wordings: Wordings,
) -> None:
    answers = make_all_answers(wordings, seed=1)
    assert answers == make_all_answers(wordings, seed=1)
    assert answers != make_all_answers(wordings, seed=2)
    assert {answer.right for answer in answers} == {True, False}
    for answer in answers:
        assert answer.answer
        # Such as {x}.
        assert not re.search(r"\{\w*\}", answer.answer)


@pytest.mark.parametrize(
    ("kind", "reference", "has_reference", "right"),
    [
        ("right", "Jane Austen", True, True),
        ("right, other denied", "Jane Austen", True, True),
        ("right in long text", "Jane Austen", True, True),
        ("denial", "Jane Austen", True, False),
        ("not X but Y", "Jane Austen", True, False),
        ("several candidates", "Jane Austen", True, False),
        ("other given name", "Jane Austen", False, False),
        ("number changed", "206", False, False),
        ("right, number otherwise", "206", False, True),
        ("refusal", "206", False, False),
    ],
)
def test_made_up_answers_of_each_kind_contain_the_reference_or_not_and_are_right_or_not(
    kind: str,
    reference: str,
    has_reference: bool,
    right: bool,
) -> None:
    count = 0
    for answer in make_all_answers(LEARNED, seed=1):
        if answer.kind == kind and answer.references == (reference,):
            count += 1
            assert bool(re.search(rf"\b{reference}\b", answer.answer)) == has_reference
            assert answer.right == right
    assert count


@pytest.mark.parametrize("name", [path.stem for path in sorted(FOLDER.glob("*.txt"))])
def test_every_file_of_wordings_can_be_read(name: str) -> None:
    assert all(read_wordings(name).values())


def test_a_file_of_wordings_is_read_with_lists_comments_and_empty_lines() -> None:
    text = "# a comment\n\n[denials]\nNot {x}.\n Never {x}. \n# another\n[right]\n{x}\n{x}\n"
    assert parse_wordings(text, "some.txt") == {
        "denials": ["Not {x}.", "Never {x}."],
        "right": ["{x}", "{x}"],
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Not {x}.\n[denials]\n", "some.txt, line 1: 'Not {x}.' stands before the first list"),
        ("[a]\nNot {x}.\n[a]\n", "some.txt, line 3: the list [a] is there twice"),
        ("[a]\n\n[b]\n{x}\n", "some.txt: the list [a] is empty"),
        (
            "[a]\nNot {z}.\n",
            "some.txt, line 2: {z} is no placeholder; the placeholders are {}, {A}, {B}, {a}, ",
        ),
        ("[a]\nNot {x.\n", "some.txt, line 2: 'Not {x.': "),
    ],
)
def test_an_error_in_a_file_of_wordings_is_reported_with_its_line(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        parse_wordings(text, "some.txt")
