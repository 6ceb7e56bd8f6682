"""Scripts in scores of words: the language of a row, and warnings about Chinese texts.

The warnings are about spaces between Chinese characters, simplified and traditional characters,
and texts without a word.
"""

from collections import Counter
from typing import Any

import pytest

from tests.support.project import import_file, load

BY_WORDS = "bleu", "rouge", "lv_eval_f1", "lv_eval_rouge", "correctness_estimate"
SATELLITE = "这颗卫星不是由NASA发射的，而是由欧洲航天局在法属圭亚那发射的。"

# The reference, the answer, and the row's language: for ROUGE, and for scores that know two
# languages.
LANGUAGES = [
    ("NASA", SATELLITE, "zh", "zh"),
    ("1998", "公司成立于1998年。", "zh", "zh"),
    ("São Paulo", "圣保罗是巴西最大的城市。", "zh", "zh"),
    ("International Business Machines", "答案是International Business Machines公司", "zh", "zh"),
    ("NASA", "이 위성은 NASA가 발사했다", "other", "en"),
    ("1998", "Компания основана в 1998 году", "other", "en"),
    ("NASA", "ดาวเทียมถูกปล่อยโดยNASA", "other", "en"),
    ("NASA", "أطلقته وكالة NASA", "other", "en"),
    # The answer has Latin letters, or quotes a word of another script.
    ("NASA", "It was launched by NASA.", "en", "en"),
    ("Toyota", "Toyota (豊田自動車) was founded in 1937", "en", "en"),
    ("Beijing", "Beijing（北京）", "en", "en"),
    ("Toyota", "The word 豊 stands in the old name of Toyota", "en", "en"),
    # The reference decides, because it has letters of another script.
    ("北京", "Beijing", "zh", "zh"),
    ("Москва", "莫斯科", "other", "en"),
    ("α", "阿尔法", "other", "en"),
]


def count_warnings(result: dict[str, Any]) -> dict[str, int]:
    """Return the number of rows with each warning."""
    counts = Counter[str]()
    for row in result["per_example"]:
        counts.update(row["warnings"])
    return counts


@pytest.mark.parametrize(("reference", "prediction", "rouge_language", "other_language"), LANGUAGES)
def test_the_answer_decides_the_language_if_the_reference_has_only_latin_letters_or_digits(
    reference: str,
    prediction: str,
    rouge_language: str,
    other_language: str,
) -> None:
    rows = {"predictions": [prediction], "references": [reference]}
    for name, expected in (
        ("rouge", rouge_language),
        ("bleu", other_language),
        ("lv_eval_f1", other_language),
    ):
        detect_language = import_file(name).detect_language
        assert detect_language(reference, prediction) == expected, name
        (row,) = load(name).compute(**rows, per_example=True)["per_example"]
        assert row["language"] == expected, name
        is_by_answer = expected != detect_language(reference)
        assert row["warnings"].count("answer_language") == is_by_answer, name


# A reference, an answer, and its ROUGE-L: one word of the answer equals the reference.
NAMES = [
    ("NASA", SATELLITE, 2 * (1 / 14) / (1 + 1 / 14)),
    ("1998", "公司成立于1998年。", 1 / 3),  # 公司 成立 于 1998 年
    ("NASA", "이 위성은 NASA가 발사했다", 1 / 3),  # 이 위성은 NASA 가 발사했다
    ("1998", "1998년에 세워졌다", 1 / 2),
    ("NASA", "เป็นNASA", 2 * (1 / 4) / (1 + 1 / 4)),
    ("1998", "в 1998 году", 1 / 2),
]


@pytest.mark.parametrize(("reference", "prediction", "score"), NAMES)
def test_a_name_within_a_text_of_another_script_is_one_word(
    reference: str, prediction: str, score: float
) -> None:
    scores = import_file("rouge").score(prediction, reference)
    assert scores["rougeL"].fmeasure == pytest.approx(score)


def test_a_number_within_a_chinese_text_is_one_word_for_lv_eval() -> None:
    assert import_file("lv_eval_f1").score("公司成立于1998年。", "1998") == pytest.approx(1 / 3)


def test_a_word_with_latin_and_korean_letters_is_one_word_in_a_korean_reference() -> None:
    rouge = import_file("rouge")
    assert rouge.tokenize("NASA가", "other") == ["nasa가"]
    scores = rouge.score("NASA가 위성을 발사했다", "NASA는 위성을 발사했다")
    assert scores["rouge1"].fmeasure == 2 / 3


def test_a_given_language_is_not_changed() -> None:
    rows = {"predictions": ["公司成立于1998年。"], "references": ["1998"]}
    for name in ("rouge", "bleu", "lv_eval_f1"):
        (row,) = load(name).compute(**rows, language="en", per_example=True)["per_example"]
        assert row["language"] == "en"
        assert row["warnings"] == []
    assert load("rouge").compute(**rows, language="en")["rougeL"] == 1.0


WHOLE = "北京大学位于海淀区，成立于1898年。"
SPACED = "北 京 大 学 位 于 海 淀 区 ， 成 立 于 1898 年 。"
SPACES = [
    SPACED,
    SPACED.replace(" ", "\u3000"),
    "北京 大学 位 于 海淀区，成 立 于 1898年。",
]


@pytest.mark.parametrize("spaced", SPACES)
def test_spaces_between_chinese_characters_change_neither_rouge_nor_the_estimate(
    spaced: str,
) -> None:
    rouge = import_file("rouge")
    estimate = import_file("correctness_estimate")
    expected = estimate.score(WHOLE, WHOLE, "哪里?")
    for prediction, reference in ((spaced, WHOLE), (WHOLE, spaced)):
        scores = rouge.score(prediction, reference)
        assert [score.fmeasure for score in scores.values()] == [1.0] * 4
        assert estimate.score(prediction, reference, "哪里?") == expected


SPACE_WARNINGS: dict[str, dict[str, int]] = {
    "bleu": {},
    "rouge": {"spaces_left_out": 1},
    "lv_eval_f1": {"spaces_end_words": 1},
    "lv_eval_rouge": {"spaces_end_words": 1},
    "correctness_estimate": {"spaces_left_out": 1},
}


@pytest.mark.parametrize("name", BY_WORDS)
def test_a_warning_says_how_spaces_between_chinese_characters_are_treated(name: str) -> None:
    rows = {
        "predictions": [SPACED, SPACED, WHOLE],
        "references": [WHOLE, SPACED, WHOLE],
    }
    result = load(name).compute(**rows, per_example=True)
    assert count_warnings(result) == SPACE_WARNINGS[name]
    if name == "bleu":  # sacrebleu splits Chinese into characters
        assert [row["score"] for row in result["per_example"]] == [1.0] * 3


# An answer, a reference, and whether one has simplified and the other traditional characters.
SCRIPTS = [
    ("臺灣大學位於臺北市。", "台湾大学位于台北市。", True),
    ("鲁迅", "魯迅", True),
    ("發展中國家", "发展中国家", True),
    ("北京", "北京", False),
    ("台湾大学", "台湾大学位于台北市。", False),
    ("他是陶喆，歌手说", "陶喆", False),
    ("Lu Xun", "魯迅", False),
    ("简体和繁體", "魯迅", False),  # the answer has both
]


@pytest.mark.parametrize(("prediction", "reference", "differ"), SCRIPTS)
def test_a_warning_says_if_simplified_meets_traditional_chinese(
    prediction: str, reference: str, differ: bool
) -> None:
    for name in BY_WORDS:
        result = load(name).compute(
            predictions=[prediction], references=[reference], per_example=True
        )
        (row,) = result["per_example"]
        assert row["warnings"].count("other_characters") == differ, name
        assert ("traditional" in str(row["note"])) == differ, name


# A metric, its scores and warnings if the reference and the answer are the same letter: A is an
# article, C is on LV-Eval's blacklist.
LETTERS: list[tuple[str, list[float], dict[str, int]]] = [
    ("lv_eval_f1", [0.0, 1.0, 1.0], {"no_word": 1}),
    ("lv_eval_rouge", [1.0, 1.0, 0.0], {"only_blacklisted": 1, "no_chinese": 3}),
    ("rouge", [1.0, 1.0, 1.0], {}),
    ("bleu", [1.0, 1.0, 1.0], {}),
]


@pytest.mark.parametrize(("name", "scores", "warnings"), LETTERS)
def test_rows_whose_texts_normalize_to_nothing_are_counted(
    name: str, scores: list[float], warnings: dict[str, int]
) -> None:
    letters = ["A", "B", "C"]
    result = load(name).compute(predictions=letters, references=letters, per_example="brief")
    rows = result["per_example"]
    assert [row["score"] for row in rows] == pytest.approx(scores, abs=1e-8)
    assert count_warnings(result) == warnings


def test_the_estimate_has_a_reason_for_an_answer_without_a_word() -> None:
    rows = {"predictions": ["?!", "Paris", ""], "references": ["Paris", "?!", "Paris"]}
    result = load("correctness_estimate").compute(**rows, per_example=True)
    assert count_warnings(result) == {"no_word": 2}
    assert [row["score"] for row in result["per_example"]] == [0.0, 0.5, 0.0]
    assert "no word in the prediction" in result["per_example"][0]["note"]
