"""Letters that ignore case takes for others, in the words that the estimate looks up: units, numbers, months."""

import re
import time
from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st

from tests.support.project import functions

estimate = functions("correctness_estimate")
quantities = functions("correctness_estimate", "quantities")
# What re.IGNORECASE takes for these letters of ASCII, besides their capitals.
LOOKALIKES = {"i": "\u0130\u0131", "s": "\u017f", "k": "\u212a"}
WORDS = sorted({*quantities.UNIT, *quantities.WORDS, *quantities.MONTHS, *quantities.FRACTIONS, *quantities.SCALES})
WRITTEN = ["5 {}?", "Saat 5{}", "-{} 5", "12 {} 1999", "{} 5, 1999", "3/4 {}", "two {}", "one {} and 5 {}"]


def variants(word: str) -> Iterator[str]:
    """Yield a word with one letter in each of its other forms, in small and in large letters."""
    for place, letter in enumerate(word):
        for other in LOOKALIKES.get(letter, ""):
            yield word[:place] + other + word[place + 1 :]
            yield word[:place].upper() + other + word[place + 1 :].upper()


def test_a_word_with_a_letter_that_only_looks_alike_is_no_unit_and_no_number() -> None:
    tried = [variant for word in WORDS for variant in variants(word)]
    assert len(tried) > 400
    for variant in tried:
        for form in WRITTEN:
            text = form.replace("{}", variant)
            assert all(variant not in one.text for one in quantities.quantities(text)), text


def test_a_turkish_question_is_estimated() -> None:
    """The particle "m\u0131" is no mile."""
    found = estimate.explain("Saat 5 m\u0131?", "5", "Saat ka\u00e7?")
    assert found["score"] > 0.5
    assert [(one.written, one.unit) for one in quantities.quantities("Saat 5 m\u0131?")] == [(5.0, "")]
    assert [(one.written, one.unit) for one in quantities.quantities("5 MI, 5 Mi")] == [(5.0, "mile")] * 2


LETTERS = "".join(LOOKALIKES.values()) + "iskIS\u00b5\u03bc\u00df\u1e9e\ufb01\u0149"
TEXTS = st.lists(st.sampled_from(WORDS) | st.text(LETTERS, max_size=3) | st.sampled_from("5 1/2 -3 \u221a2".split()))


@given(TEXTS, TEXTS)
def test_no_text_of_such_letters_fails(answer: list[str], reference: list[str]) -> None:
    for texts in (" ".join(answer), " ".join(reference)):
        swapped = texts
        for letter, others in LOOKALIKES.items():
            swapped = swapped.replace(letter, others[0])
        assert 0 <= estimate.score(swapped, texts or "5") <= 1
        assert 0 <= estimate.explain(texts, swapped or "5")["score"] <= 1


def test_a_lone_dollar_before_many_powers_is_read_once() -> None:
    """200,000 characters took minutes: each sign was tried up to the end."""
    tex = functions("correctness_estimate", "tex")
    text = "$" + "^A" * 100_000
    begin = time.perf_counter()
    assert tex.plain(text) == text
    assert time.perf_counter() - begin < 5


@given(st.text("$ \n5x^-.ab\u0663\\", max_size=14))
def test_formulas_are_those_that_one_pattern_finds(text: str) -> None:
    pattern = r"\$\$?([^$\n]*[\\^_={][^$\n]*|\s*-?\d[\d.,/ ]*|\s*[A-Za-z]\s*)\$\$?(?!\d)"
    assert functions("correctness_estimate", "tex").open_formulas(text) == re.sub(pattern, r"\1", text)
