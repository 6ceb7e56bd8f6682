"""rouge: fractions worked out by hand, rouge_score itself, every script, several references."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.project import functions

rouge = functions("rouge")


@pytest.mark.parametrize(
    ("prediction", "reference", "rouge1", "rouge2", "rouge_l"),
    [
        ("the cat sat", "the cat was sitting", 4 / 7, 2 / 5, 4 / 7),
        ("four three two one", "one two three four", 1.0, 0.0, 1 / 4),
        ("a b c d", "a c b d", 1.0, 0.0, 3 / 4),
        ("a a a", "a", 2 / 4, 0.0, 2 / 4),
        ("Paris", "paris!", 1.0, 0.0, 1.0),
        ("cat", "dog", 0.0, 0.0, 0.0),
        ("", "dog", 0.0, 0.0, 0.0),
        ("cat", "", 0.0, 0.0, 0.0),
        ("", "", 0.0, 0.0, 0.0),
    ],
)
def test_f_measures_by_hand(prediction: str, reference: str, rouge1: float, rouge2: float, rouge_l: float) -> None:
    score = rouge.score(prediction, reference)
    assert [value.fmeasure for value in score.values()] == pytest.approx([rouge1, rouge2, rouge_l, rouge_l], abs=1e-15)


def test_rouge_lsum_takes_the_union_over_lines() -> None:
    """The example of Lin 2004, section 3.2: w1 w2 and w1 w3 w5 of a reference of five words, 4/5."""
    score = rouge.score("w1 w2 w6 w7 w8\nw1 w3 w8 w9 w5", "w1 w2 w3 w4 w5")
    assert (score["rougeLsum"].recall, score["rougeLsum"].precision) == (4 / 5, 4 / 10)


LINES = st.lists(st.lists(st.sampled_from("abcdxyz"), max_size=7), max_size=7)


@given(LINES, LINES)
@settings(max_examples=500, deadline=None)
def test_rouge_lsum_equals_rouge_score(a: list[list[str]], b: list[list[str]]) -> None:
    from rouge_score.rouge_scorer import RougeScorer

    prediction, reference = ("\n".join(map(" ".join, lines)) for lines in (a, b))
    want = RougeScorer(["rougeLsum"]).score(reference, prediction)["rougeLsum"]
    assert tuple(rouge.score(prediction, reference, "en")["rougeLsum"]) == tuple(want)


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


OTHER_TEXTS = [("Москва столица", "Париж город"), ("สวัสดี", "ลาก่อน"), ("😀", "🎉"), ("👍🏽", "👍🏿"), ("‼️", "↔️")]


@pytest.mark.parametrize(("text", "other"), OTHER_TEXTS)
def test_different_texts_of_other_scripts_do_not_match(text: str, other: str) -> None:
    assert rouge.score(text, other)["rouge2"].fmeasure < 0.5
    assert rouge.score(text, other)["rougeL"].fmeasure < 0.5


def test_words_of_other_scripts_stay_whole() -> None:
    assert rouge.tokenize("हिन्दी में", "other") == ["हिन्दी", "में"]
    assert rouge.tokenize("В 1961 году", "other") == ["в", "1961", "году"]
    assert rouge.tokenize("ลิ้น", "other") == ["ลิ้", "น"]


def test_language_en_is_rouge_score_for_every_text() -> None:
    assert rouge.score("Москва", "Москва", language="en")["rouge1"].fmeasure == 0.0
    with pytest.raises(ValueError, match="language is 'ru'"):
        rouge.score("Москва", "Москва", language="ru")


TEXT = st.text(st.sampled_from("abcAB 1.'\n-éß"), max_size=60)


@given(TEXT, TEXT, st.booleans())
@settings(max_examples=300, deadline=None)
def test_scores_equal_rouge_score(prediction: str, reference: str, use_stemmer: bool) -> None:
    from rouge_score.rouge_scorer import RougeScorer

    want = RougeScorer(list(rouge.ROUGE_TYPES), use_stemmer=use_stemmer).score(reference, prediction)
    got = rouge.score(prediction, reference, "en", use_stemmer)
    assert {name: tuple(value) for name, value in got.items()} == {name: tuple(value) for name, value in want.items()}


@given(st.lists(st.sampled_from("abcd"), max_size=30), st.lists(st.sampled_from("abcd"), max_size=30))
@settings(max_examples=300, deadline=None)
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


def test_words_of_both_texts_off_the_sequence_are_reordered(load: Any) -> None:
    row = load("rouge").compute(predictions=["b c a x"], references=["a b c y"], per_example=True)["per_example"][0]
    assert row["prediction_tokens"] == [["b", "matched"], ["c", "matched"], ["a", "reordered"], ["x", "unmatched"]]
    assert row["reference_tokens"] == [["a", "reordered"], ["b", "matched"], ["c", "matched"], ["y", "unmatched"]]


def test_language_other_may_be_asked_for(load: Any) -> None:
    rows = {"predictions": ["été"], "references": ["été de l'an"]}
    assert load("rouge").compute(**rows, language="other", per_example=True)["per_example"][0]["language"] == "other"


def test_rows_are_averaged_by_the_plain_mean(load: Any) -> None:
    result = load("rouge").compute(predictions=["red fox", "red fox", "x"], references=["red fox", "red dog", "y"])
    assert result["rouge1"] == pytest.approx((1 + 1 / 2 + 0) / 3, abs=1e-15)


def test_stemmer_matches_inflected_words(load: Any) -> None:
    rows = {"predictions": ["sitting cats"], "references": ["sit cat"]}
    assert load("rouge").compute(**rows)["rouge1"] == 0.0
    result = load("rouge").compute(**rows, use_stemmer=True)
    assert (result["rouge1"], "use_stemmer:yes" in result["signature"]) == (1.0, True)
    assert "stemmer:nltk-" in result["signature"]
