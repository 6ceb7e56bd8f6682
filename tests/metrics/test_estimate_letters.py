"""Test letters that `re.IGNORECASE` takes for others, in words that the estimate looks up.

Such words are units, numbers and months.
"""

import itertools
import random
import re
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.metrics.estimate_pairs import DIFFERENCES, HARMLESS
from tests.support.project import import_file

estimate = import_file("correctness_estimate")
quantities = import_file("correctness_estimate", "quantities")
numerals = import_file("correctness_estimate", "numerals")
lexicon = import_file("correctness_estimate", "lexicon")
tex = import_file("correctness_estimate", "tex")
# What re.IGNORECASE takes for these letters of ASCII, besides their capitals.
LOOKALIKES = {"i": "\u0130\u0131", "s": "\u017f", "k": "\u212a"}
WORDS = sorted(
    {*numerals.UNIT, *lexicon.NUMBER_WORDS, *lexicon.MONTHS, *numerals.FRACTIONS, *lexicon.SCALES}
)
# Where a word may stand for a unit, a number or a month.
WRITTEN = [
    "5 {}?",
    "Saat 5{}",
    "-{} 5",
    "12 {} 1999",
    "{} 5, 1999",
    "3/4 {}",
    "two {}",
    "one {} and 5 {}",
]


def variants(word: str) -> Iterator[str]:
    """Yield a word with one letter in each of its other forms, in small and in large letters."""
    for place, letter in enumerate(word):
        before, after = word[:place], word[place + 1 :]
        for other in LOOKALIKES.get(letter, ""):
            yield before + other + after
            yield before.upper() + other + after.upper()


def test_a_word_with_a_letter_that_only_looks_alike_is_no_unit_and_no_number() -> None:
    tried = list(itertools.chain.from_iterable(map(variants, WORDS)))
    assert len(tried) > 400
    for variant, form in itertools.product(tried, WRITTEN):
        text = form.replace("{}", variant)
        for quantity in quantities.find_quantities(text):
            assert variant not in quantity.text, text


# A letter behind a Chinese numeral ends the number within it: the whole numeral is quoted.
@pytest.mark.parametrize("text", ["三成94by50", "三分之一the1980s", "百分之五ab"])
def test_a_number_that_ends_within_a_chinese_numeral_has_a_text(text: str) -> None:
    found = quantities.find_quantities(text)
    assert [one.text for one in found] == [text[one.start : one.end] for one in found]
    assert all(one.text for one in found)
    assert 0 <= estimate.score("a quarter of an hour 1984", text) <= 1


# A text, and its quantities with their units. The Turkish particle "m\u0131" is no mile.
MILES = [
    ("Saat 5 m\u0131?", [(5.0, "")]),
    ("5 MI, 5 Mi", [(5.0, "mile"), (5.0, "mile")]),
]


@pytest.mark.parametrize(("text", "expected"), MILES)
def test_a_turkish_particle_is_no_mile(text: str, expected: list[tuple[float, str]]) -> None:
    read = quantities.find_quantities(text)
    assert [(quantity.written, quantity.unit) for quantity in read] == expected


def test_a_turkish_question_is_estimated() -> None:
    assert estimate.explain("Saat 5 m\u0131?", "5", "Saat ka\u00e7?")["score"] > 0.5


LETTERS = "".join(LOOKALIKES.values()) + "iskIS\u00b5\u03bc\u00df\u1e9e\ufb01\u0149"
NUMBERS = ["5", "1/2", "-3", "\u221a2"]
TEXTS = st.lists(st.sampled_from(WORDS) | st.text(LETTERS, max_size=3) | st.sampled_from(NUMBERS))


@given(TEXTS, TEXTS)
def test_texts_with_lookalike_letters_have_an_estimate(
    answer: list[str], reference: list[str]
) -> None:
    for text in (" ".join(answer), " ".join(reference)):
        swapped = text
        for letter, others in LOOKALIKES.items():
            swapped = swapped.replace(letter, others[0])
        assert 0 <= estimate.score(swapped, text or "5") <= 1
        assert 0 <= estimate.explain(text, swapped or "5")["score"] <= 1


def test_a_lone_dollar_before_many_powers_is_read_once() -> None:
    """Its 200,000 characters took minutes: each sign was tried up to the end."""
    text = "$" + "^A" * 100_000
    assert tex.read_tex(text) == text


@given(st.text("$ \n5x^-.ab\u0663\\", max_size=14))
def test_formulas_are_those_that_one_pattern_finds(text: str) -> None:
    pattern = r"\$\$?([^$\n]*[\\^_={][^$\n]*|\s*-?\d[\d.,/ ]*|\s*[A-Za-z]\s*)\$\$?(?!\d)"
    assert tex.open_formulas(text) == re.sub(pattern, r"\1", text)


MANGLING_BITS = [
    "!?",
    "&",
    ", ",
    " or ",
    "“",
    "(",
    ")",
    "½",
    "²",
    "90s",
    " the ",
    "$",
    "；",
    "是的",
    "no ",
]


def mangle_text(text: str, rng: random.Random) -> str:
    """Return a text with words in another order, odd signs between letters, or its end cut."""
    words = text.split()
    if rng.random() < 0.3:
        rng.shuffle(words)
    text = " ".join(words)
    for _ in range(rng.randint(1, 4)):
        place = rng.randint(0, len(text))
        text = text[:place] + rng.choice(MANGLING_BITS) + text[place:]
    return text[: rng.randint(0, len(text))] if rng.random() < 0.2 else text


def test_no_mangled_question_reference_or_answer_is_an_error() -> None:
    rng = random.Random(0)
    pairs = [pair[:3] for pair in (*DIFFERENCES, *HARMLESS)] * 12
    for pair in pairs:
        reference, answer, question = (mangle_text(text, rng) for text in pair)
        score = estimate.explain(answer, reference, question)["score"]
        assert 0 <= score <= 1, (question, reference, answer)
