"""correctness_estimate by what a short answer is: a name, a value, a piece of code.

Each table has a question, its reference, the answers that are right, and those that are not.
"""

import pytest

from tests.support.project import import_file

estimate = import_file("correctness_estimate")

WHO, WHERE = "Who was it?", "Where was it?"
NAMES = [
    # another name beside the same title, given name, surname or kind of place
    (WHO, "Princess Victoria", ["Victoria"], ["Princess Madeleine", "It was Princess Sofia."]),
    (WHO, "Ludwig von Mises", ["L. v. Mises"], ["Ludwig Erhard", "Ludwig van Beethoven"]),
    (WHO, "Felipe de Borbón", ["Felipe de Borbon"], ["Carlos de Borbón", "Felipe de Habsburgo"]),
    (WHO, "Robert J. Hill", ["R. J. Hill", "Bob Hill", "Robert John Hill"], ["Robert J. Hall"]),
    (WHERE, "Saint Petersburg", ["St. Petersburg"], ["Saint Paul", "St. Louis"]),
    (WHERE, "New Zealand", ["NZ"], ["New Guinea", "New York"]),
    (WHERE, "Springfield, Illinois", ["Springfield, IL"], ["Springfield, MA"]),
    (
        "Which university was it?",
        "Massachusetts Institute of Technology",
        ["MIT"],
        ["University of Massachusetts"],
    ),
    # the same person in another form
    (WHO, "Marie Curie", ["Maria Skłodowska-Curie"], ["Pierre Curie"]),
    (WHO, "Elizabeth Bennet", ["Lizzy Bennet", "Eliza Bennet"], ["Lydia Bennet"]),
    (WHO, "Anthony Brown", ["Tony Brown", "A. Brown"], ["Antonia Brown"]),
    (WHO, "Anton Chekhov", ["Tschechow", "A. P. Chekhov"], ["Anton Bruckner"]),
    (WHO, "Nikita Khrushchev", ["Chruschtschow"], ["Leonid Brezhnev"]),
    # Wade-Giles and Pinyin
    (WHO, "Mao Zedong", ["Mao Tse-tung"], ["Mao Dun"]),
    (WHO, "Zhou Enlai", ["Chou En-lai"], ["Zhu De"]),
    (WHO, "Deng Xiaoping", ["Teng Hsiao-p'ing", "Teng Hsiao-ping"], ["Deng Pufang"]),
    (WHO, "Laozi", ["Lao Tzu", "Lao-tzu"], ["Chuang Tzu"]),
    # states by their two letters, cities by their former names
    ("Which state is it in?", "Nevada", ["NV", "NV, USA"], ["NE", "California"]),
    (WHERE, "Kyiv", ["Kiev"], ["Odesa"]),
    (WHERE, "Kolkata", ["Calcutta"], ["Bombay"]),
    # a mention that fits beside one that does not
    (WHO, "Robert J. Hill", ["By Robert J. Hill; his brother James Hill drew the maps."], []),
]


@pytest.mark.parametrize(("question", "reference", "right", "wrong"), NAMES)
def test_names(question: str, reference: str, right: list[str], wrong: list[str]) -> None:
    for answer in right:
        assert estimate.score(answer, reference, question) > 0.5, answer
    for answer in wrong:
        assert estimate.score(answer, reference, question) < 0.5, answer


def test_a_name_list_in_another_order_is_not_the_same() -> None:
    presidents = "Washington, Adams, Jefferson"
    question = "List the first three US presidents in order."
    assert estimate.score("Jefferson, Adams, Washington", presidents, question) < 0.5
