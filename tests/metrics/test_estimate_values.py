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
CODE = [
    # operators, which have no word
    ("How are two values compared in Python?", "!=", ["`!=`", "Use `!=`."], ["`==`", "Use `<>`."]),
    ("Which operator raises to a power?", "**", ["Use **.", "`**`"], ["`*`", "^"]),
    ("Which operator is the logical and?", "&&", ["With &&, as in a && b."], ["`&`", "`||`"]),
    # calls, names, options: each word and sign counts
    ("How is x added?", "xs.append(x)", ["Call `xs.append(x)`."], ["xs.remove(x)", "xs.pop(x)"]),
    ("How long is s?", "len(s)", ["`len(s)`", "len( s )"], ["len[s]", "len(t)"]),
    ("How is it read?", "open('a', 'r')", ['open("a", "r")'], ["open('a', 'w')"]),
    ("Which file?", "config.yaml", ["`config.yaml`"], ["config.json", "config.yml"]),
    ("Which branches?", "git branch -a", ["```\ngit branch -a\n```"], ["`git checkout -a`"]),
    ("Which files?", "ls -a", ["ls -la", "`ls -a`"], ["ls -l", "`ls -r`"]),
    ("Which property?", "color", ["`color`", "color: red;"], ["`background-color`"]),
    ("Which regular expression?", r"\d", [r"`\d`"], [r"`\D`", r"`\w`"]),
    # letters matter in the result of code
    ("What does 'Hello'.lower() return?", "'hello'", ["hello", '"hello"'], ["'Hello'", "`HELLO`"]),
    # the value beside the key that is asked for, the row of the rank
    (
        "What is the status?",
        "open",
        ['{"id": 7, "status": "open"}'],
        ['{"status": "shut", "open": 1}'],
    ),
    (
        "What is the name?",
        "Ada",
        ["<u><name>Ada</name><b>Bo</b></u>"],
        ['{"name": "Bo", "boss": "Ada"}'],
    ),
    (
        "Who came third?",
        "Lena Fox",
        ["| Rank | Name |\n|---|---|\n| 3 | Lena Fox |"],
        ["| Rank | Name |\n|---|---|\n| 2 | Lena Fox |\n| 3 | Tom Ray |"],
    ),
]


@pytest.mark.parametrize(("question", "reference", "right", "wrong"), [*NAMES, *CODE])
def test_answers(question: str, reference: str, right: list[str], wrong: list[str]) -> None:
    for answer in right:
        assert estimate.score(answer, reference, question) > 0.5, answer
    for answer in wrong:
        assert estimate.score(answer, reference, question) < 0.5, answer


def test_a_name_list_in_another_order_is_not_the_same() -> None:
    presidents = "Washington, Adams, Jefferson"
    question = "List the first three US presidents in order."
    assert estimate.score("Jefferson, Adams, Washington", presidents, question) < 0.5
