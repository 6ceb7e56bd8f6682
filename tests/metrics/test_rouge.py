"""rouge: fractions worked out by hand, rouge_score itself, every script, several references."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.project import functions

rouge = functions("rouge")


def test_f_measures_by_hand() -> None:
    f_measures = [value.fmeasure for value in rouge.score("a b c d", "a c b d").values()]
    assert f_measures == pytest.approx([1.0, 0.0, 3 / 4, 3 / 4], abs=1e-15)
    f_measures = [value.fmeasure for value in rouge.score("a a a", "a").values()]
    assert f_measures == pytest.approx([2 / 4, 0.0, 2 / 4, 2 / 4], abs=1e-15)


def test_rouge_lsum_takes_the_union_over_lines() -> None:
    """The example of Lin 2004, section 3.2: w1 w2 and w1 w3 w5 of a reference of five words, 4/5."""
    score = rouge.score("w1 w2 w6 w7 w8\nw1 w3 w8 w9 w5", "w1 w2 w3 w4 w5")
    assert (score["rougeLsum"].recall, score["rougeLsum"].precision) == (4 / 5, 4 / 10)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("北京是中国的首都", "zh"),
        ("東京は日本の首都です", "zh"),
        ("ひらがな カタカナ", "other"),
        ("مرحبا بالعالم اليوم", "other"),
        ("हिन्दी में लिखना अच्छा है", "other"),
        ("สวัสดีชาวโลก", "other"),
        ("Москва — столица России", "other"),
        ("한국어 문장입니다", "other"),
        ("😀 🎉 👩‍🚀 ❤️ 🇨🇦", "other"),
        ("Café au lait, naïve", "en"),
        ("Ελληνικά κείμενα", "other"),
    ],
)
def test_identical_texts_of_any_script_score_1(text: str, language: str) -> None:
    assert rouge.detect_language(text) == language
    assert [value.fmeasure for value in rouge.score(text, text).values()] == [1.0, 1.0, 1.0, 1.0]


def test_words_of_other_scripts_stay_whole_and_do_not_match_different_ones() -> None:
    assert rouge.tokenize("हिन्दी में", "other") == ["हिन्दी", "में"]
    assert rouge.tokenize("В 1961 году", "other") == ["в", "1961", "году"]
    assert rouge.tokenize("ลิ้น", "other") == ["ลิ้", "น"]
    for text, other in [("Москва столица", "Париж город"), ("สวัสดี", "ลาก่อน"), ("👍🏽", "👍🏿"), ("‼️", "↔️")]:
        assert all(rouge.score(text, other)[name].fmeasure < 0.5 for name in ("rouge2", "rougeL"))


LINES = st.lists(st.lists(st.sampled_from("abcdxyz"), max_size=7).map(" ".join), max_size=7).map("\n".join)
TEXT = st.text(st.sampled_from("abcAB 1.'\n-éß"), max_size=60) | LINES


@given(TEXT, TEXT, st.booleans())
@settings(max_examples=600)
def test_scores_equal_rouge_score(prediction: str, reference: str, use_stemmer: bool) -> None:
    from rouge_score.rouge_scorer import RougeScorer

    want = RougeScorer(list(rouge.ROUGE_TYPES), use_stemmer=use_stemmer).score(reference, prediction)
    got = rouge.score(prediction, reference, "en", use_stemmer)
    assert {name: tuple(value) for name, value in got.items()} == {name: tuple(value) for name, value in want.items()}


@given(st.lists(st.sampled_from("abcd"), max_size=30), st.lists(st.sampled_from("abcd"), max_size=30))
@settings(max_examples=300)
def test_length_is_that_of_the_path(a: list[str], b: list[str]) -> None:
    path = rouge.lcs_path(a, b)
    assert rouge.lcs_length(a, b) == len(path) == len(rouge.lcs_path(b, a))
    assert [a[i] for i, _ in path] == [b[j] for _, j in path]
    assert path == sorted(set(path))


def test_several_references_the_best_for_each_type(load: Any) -> None:
    from rouge_score.rouge_scorer import RougeScorer

    prediction, references = "the cat sat on the mat", ["mat the on sat cat the", "the cat sat by"]
    want = RougeScorer(list(rouge.ROUGE_TYPES)).score_multi(references, prediction)
    result = load("rouge").compute(predictions=[prediction], references=[references], per_example=True)
    assert {name: result[name] for name in rouge.ROUGE_TYPES} == {name: v.fmeasure for name, v in want.items()}
    row = result["per_example"][0]
    assert row["score"] == row["rougeL"]["fmeasure"] == result["rougeL"]
    assert row["reference_tokens"] == [["the", "matched"], ["cat", "matched"], ["sat", "matched"], ["by", "unmatched"]]
    row = load("rouge").compute(predictions=["b c a x"], references=["a b c y"], per_example=True)["per_example"][0]
    assert row["prediction_tokens"] == [["b", "matched"], ["c", "matched"], ["a", "reordered"], ["x", "unmatched"]]


def test_rows_are_averaged_by_the_plain_mean_and_words_stemmed_on_request(load: Any) -> None:
    rows = {"predictions": ["red foxes", "red fox", "x"], "references": ["red fox", "red dog", "y"]}
    result = load("rouge").compute(**rows, use_stemmer=True, signature=True)
    assert result["rouge1"] == pytest.approx((1 + 1 / 2 + 0) / 3, abs=1e-15)
    assert "|use_stemmer:yes|" in result["signature"]
    assert "stemmer:nltk-" in result["signature"]
