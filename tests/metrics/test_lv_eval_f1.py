"""lv_eval_f1: fractions worked out by hand, both modes, the gate, several references, and a slow obvious version."""

import re
import string
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.project import functions

f1 = functions("lv_eval_f1")


@pytest.mark.parametrize(
    ("prediction", "reference", "score"),
    [
        ("red fox", "red fox", 1.0),
        ("the red fox", "a red dog", 1 / 2),  # 1 of 2 and 1 of 2: articles are dropped
        ("red red red", "red", 1 / 2),  # precision 1/3, recall 1
        ("red red", "red red red blue", 2 / 3),  # precision 1, recall 1/2
        ("U.S.A.", "usa", 1.0),
        ("red fox", "blue dog", 0.0),
        ("", "red", 0.0),
        ("red", "", 0.0),
        ("", "", 0.0),
        ("the", "the", 0.0),  # nothing is left of either
    ],
)
def test_token_f1_in_english(prediction: str, reference: str, score: float) -> None:
    assert f1.score(prediction, reference) == pytest.approx(score, abs=1e-15)


@pytest.mark.parametrize(
    ("keywords", "recall", "passed"),
    [
        ("one", 1.0, True),
        ("one six", 1 / 2, True),
        ("one six seven eight nine", 1 / 5, True),  # equal to the threshold
        ("one six seven eight nine ten", 1 / 6, False),
        ("six", 0.0, False),
        ("was of one", 1 / 3, True),  # blacklisted words count below the line, not above it
        ("was of is that one his", 1 / 6, False),
    ],
)
def test_gate_in_english(keywords: str, recall: float, passed: bool) -> None:
    graded = f1.grade("one two was of is that his", "one two was of is that his", keywords)
    assert (graded.keyword_recall, graded.gate_passed) == (recall, passed)
    assert graded.score == (1.0 if passed else 0.0)


def test_gate_in_chinese_takes_the_reference_without_keywords() -> None:
    graded = f1.grade("多伦多在加拿大", "渥太华在加拿大")
    assert (graded.gate, graded.keyword_recall, graded.min_keyword_recall) == ("reference", 1 / 3, 0.4)
    assert (graded.score, graded.f1.f1) == (0.0, 2 / 3)
    assert f1.score("多伦多在加拿大", "渥太华在加拿大", keyword_gate=False) == 2 / 3


def test_threshold_can_be_chosen() -> None:
    assert f1.score("多伦多在加拿大", "渥太华在加拿大", min_keyword_recall=1 / 3) == 2 / 3
    assert f1.score("one two", "one two", "one three", min_keyword_recall=0.6) == 0.0
    assert f1.score("one two", "one two", "three", min_keyword_recall=0) == 1.0


def test_mode_paper_removes_blacklisted_words_and_must_exceed_the_threshold() -> None:
    texts = "He was born in Paris and was raised there", "She was born in Paris", "Paris"
    # code: was born in paris of 9 and of 5 words; paper: born paris of (born paris raised there) and of (born paris)
    assert f1.score(*texts, mode="code") == pytest.approx(2 * (4 / 9 * 4 / 5) / (4 / 9 + 4 / 5), abs=1e-15)
    assert f1.score(*texts, mode="paper") == pytest.approx(2 * (2 / 4 * 2 / 2) / (2 / 4 + 2 / 2), abs=1e-15)
    fifth = "one six seven eight nine"
    assert f1.score("one two", "one two", fifth, mode="code") == 1.0
    assert f1.score("one two", "one two", fifth, mode="paper") == 0.0


@pytest.mark.parametrize("keywords", ["...", "the", " ", "\n\t", "!!! a"])
def test_keywords_that_normalize_to_nothing_count_as_none_and_say_so(keywords: str) -> None:
    graded = f1.grade("red fox", "red fox", keywords)
    assert (graded.score, graded.gate, graded.keyword_recall) == (1.0, "none", None)
    assert "no word" in graded.note
    assert f1.grade("北京", "北京", "。！").gate == "reference"


def test_per_example_gives_the_reasons(load: Any) -> None:
    row = load("lv_eval_f1").compute(
        predictions=["The falls lie between the United States of Mexico"],
        references=["The falls lie between Canada and the United States"],
        answer_keywords=["Canada of the falls"],
        per_example=True,
    )["per_example"][0]
    assert (row["matched_keywords"], row["missing_keywords"], row["blacklisted_keywords"]) == (
        ["falls"],
        ["canada"],
        ["of"],
    )
    assert (row["keyword_recall"], row["gate_passed"]) == (1 / 3, True)
    assert row["prediction_tokens"] == [
        ["falls", "matched"],
        ["lie", "matched"],
        ["between", "matched"],
        ["united", "matched"],
        ["states", "matched"],
        ["of", "blacklisted"],
        ["mexico", "unmatched"],
    ]
    assert ["canada", "unmatched"] in row["reference_tokens"]
    assert (row["overlap"], row["prediction_length"], row["reference_length"]) == (5, 7, 7)
    assert row["score"] == row["f1"] == row["precision"] == row["recall"] == 5 / 7


def test_several_references(load: Any) -> None:
    metric, rows = load("lv_eval_f1"), {"predictions": ["in Paris"], "references": [["in Rome", "in Paris"]]}
    assert metric.compute(**rows)["lv_eval_f1"] == 1 / 2
    assert metric.compute(**rows, multi_reference="max")["lv_eval_f1"] == 1.0
    with pytest.raises(ValueError, match="multi_reference is 'best'"):
        metric.compute(**rows, multi_reference="best")


def test_language_may_be_given_per_row(load: Any) -> None:
    metric = load("lv_eval_f1")
    rows = {"predictions": ["东京 tower", "东京 tower"], "references": ["东京 tower x", "东京 tower x"]}
    result = metric.compute(**rows, language=["en", "zh"], per_example=True)
    assert [row["language"] for row in result["per_example"]] == ["en", "zh"]
    assert "language:en-1,zh-1" in result["signature"].split("|")
    with pytest.raises(ValueError, match=r"language\[1\] is 'fr'"):
        metric.compute(**rows, language=["en", "fr"])
    with pytest.raises(ValueError, match="language has 1 entries for 2 rows"):
        metric.compute(**rows, language=["en"])


@pytest.mark.parametrize(
    "setting",
    [
        {"mode": "card"},
        {"language": "fr"},
        {"min_keyword_recall": 1.5},
        {"min_keyword_recall": float("nan")},
        {"min_keyword_recall": "0.3"},
    ],
)
def test_settings_that_do_not_exist_are_refused(setting: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=f"{next(iter(setting))} is "):
        f1.score("a", "b", **setting)


def test_numbers_of_numpy_give_plain_results(load: Any) -> None:
    rows = {"predictions": ["red"], "references": ["red"], "answer_keywords": ["red"], "language": np.array(["en"])}
    row = load("lv_eval_f1").compute(**rows, min_keyword_recall=np.float32(0.5), per_example=True)["per_example"][0]
    assert (type(row["min_keyword_recall"]), type(row["gate_passed"]), type(row["language"])) == (float, bool, str)


def obvious_f1(prediction: str, reference: str) -> float:
    """Token F1 in the plainest words: pair off equal tokens one by one."""

    def words(text: str) -> list[str]:
        text = "".join(character for character in text.lower() if character not in string.punctuation)
        return re.sub(r"\b(a|an|the)\b", " ", text).split()

    left, pairs = words(reference), 0
    for word in words(prediction):
        if word in left:
            left.remove(word)
            pairs += 1
    if not pairs:
        return 0.0
    precision, recall = pairs / len(words(prediction)), pairs / len(words(reference))
    return 2 * precision * recall / (precision + recall)


TEXT = st.text(st.sampled_from("aAnb the.,'’\"\t\nßİ1中"), max_size=30) | st.text(max_size=30)


@given(TEXT, TEXT)
@settings(max_examples=300, deadline=None)
def test_english_f1_equals_an_obvious_version(prediction: str, reference: str) -> None:
    assert f1.score(prediction, reference, language="en") == pytest.approx(obvious_f1(prediction, reference), abs=1e-15)


@given(TEXT, TEXT, TEXT, st.sampled_from(["en", "zh"]), st.sampled_from(["code", "paper"]))
@settings(max_examples=300, deadline=None)
def test_a_score_is_the_f1_or_0_and_stays_in_range(p: str, r: str, k: str, language: str, mode: str) -> None:
    graded = f1.grade(p, r, k, language=language, mode=mode)
    assert graded.score in (0.0, graded.f1.f1)
    assert 0 <= graded.score <= 1
    assert (graded.score == graded.f1.f1) or not graded.gate_passed


def test_a_mistake_in_a_column_says_what_was_meant_and_what_is_needed(load: Any) -> None:
    f1, texts = load("lv_eval_f1"), {"predictions": ["a"], "references": ["a"]}
    with pytest.raises(TypeError, match="no argument 'keywords'; did you mean 'answer_keywords'"):
        f1.compute(**texts, keywords=["a"])
    with pytest.raises(TypeError, match=r"references is missing; lv_eval_f1 needs predictions, references$"):
        f1.compute(predictions=["a"])


@pytest.mark.parametrize(
    ("prediction", "reference", "word"),
    [
        ("Cafe\u0301 Malmö", "Café Malmö", "café"),  # NFD against NFC
        ("in １０ days", "10 days", "10"),
        ("in ١٠ days", "10 days", "10"),
        ("Ma\u00adlmö", "Malmö", "malmö"),  # a soft hyphen
        ("Mal\u200bmö", "Malmö", "malmö"),  # a space without width
        ("生于２０２０年", "生于2020年", "2020"),
    ],
)
def test_words_that_differ_only_in_how_unicode_writes_them_are_noted(
    prediction: str, reference: str, word: str, load: Any
) -> None:
    row = {"predictions": [prediction], "references": [reference]}
    (entry,) = load("lv_eval_f1").compute(**row, per_example=True)["per_example"]
    assert entry["score"] < 1
    assert f"only in how Unicode writes them: {word!r}" in entry["note"]
    (same,) = load("lv_eval_f1").compute(predictions=[reference], references=[reference], per_example=True)[
        "per_example"
    ]
    assert same["note"] is None
