"""What the scores of words make of scripts: whose language a row has, spaces between Chinese characters, simplified
beside traditional Chinese, and texts without a word, with the warnings that say so.
"""

from collections import Counter
from typing import Any

import pytest

from tests.support.project import functions, load

BY_WORDS = "bleu", "rouge", "lv_eval_f1", "lv_eval_rouge", "correctness_estimate"
SATELLITE = "这颗卫星不是由NASA发射的，而是由欧洲航天局在法属圭亚那发射的。"

# The reference, the answer, and whose language the row has: of ROUGE, and of those that know two.
LANGUAGES = [
    ("NASA", SATELLITE, "zh", "zh"),
    ("1998", "公司成立于1998年。", "zh", "zh"),
    ("São Paulo", "圣保罗是巴西最大的城市。", "zh", "zh"),
    ("International Business Machines", "答案是International Business Machines公司", "zh", "zh"),
    ("NASA", "이 위성은 NASA가 발사했다", "other", "en"),
    ("1998", "Компания основана в 1998 году", "other", "en"),
    ("NASA", "ดาวเทียมถูกปล่อยโดยNASA", "other", "en"),
    ("NASA", "أطلقته وكالة NASA", "other", "en"),
    # The answer is in Latin letters, or quotes a word of another script.
    ("NASA", "It was launched by NASA.", "en", "en"),
    ("Toyota", "Toyota (豊田自動車) was founded in 1937", "en", "en"),
    ("Beijing", "Beijing（北京）", "en", "en"),
    ("Toyota", "The word 豊 stands in the old name of Toyota", "en", "en"),
    # The reference decides: it has letters of its own script.
    ("北京", "Beijing", "zh", "zh"),
    ("Москва", "莫斯科", "other", "en"),
    ("α", "阿尔法", "other", "en"),
]


def warnings_of(result: dict[str, Any]) -> dict[str, int]:
    """Return in how many rows each warning stands."""
    return Counter(warning for row in result["per_example"] for warning in row["warnings"])


@pytest.mark.parametrize(("reference", "prediction", "of_rouge", "of_others"), LANGUAGES)
def test_the_answer_decides_on_the_language_beside_latin_letters_and_digits(
    reference: str, prediction: str, of_rouge: str, of_others: str
) -> None:
    rows = {"predictions": [prediction], "references": [reference]}
    for name, expected in (("rouge", of_rouge), ("bleu", of_others), ("lv_eval_f1", of_others)):
        (row,) = load(name).compute(**rows, per_example=True)["per_example"]
        alone = functions(name).detect_language(reference)
        assert row["language"] == expected == functions(name).detect_language(reference, prediction), name
        assert row["warnings"].count("answer_language") == (expected != alone), name


def test_a_name_within_a_text_of_another_script_is_one_word_of_it() -> None:
    rouge, f1 = functions("rouge"), functions("lv_eval_f1")
    expected = {
        ("NASA", SATELLITE): 2 * (1 / 14) / (1 + 1 / 14),
        ("1998", "公司成立于1998年。"): 1 / 3,  # 公司 成立 于 1998 年
        ("NASA", "이 위성은 NASA가 발사했다"): 1 / 3,  # 이 위성은 NASA 가 발사했다
        ("1998", "1998년에 세워졌다"): 1 / 2,
        ("NASA", "เป็นNASA"): 2 * (1 / 4) / (1 + 1 / 4),
        ("1998", "в 1998 году"): 1 / 2,
    }
    for (reference, prediction), score in expected.items():
        assert rouge.score(prediction, reference)["rougeL"].fmeasure == pytest.approx(score), prediction
    assert f1.score("公司成立于1998年。", "1998") == pytest.approx(1 / 3)
    # In a reference with Korean letters of its own a word stays whole, as before.
    assert rouge.tokenize("NASA가", "other") == ["nasa가"]
    assert rouge.score("NASA가 위성을 발사했다", "NASA는 위성을 발사했다")["rouge1"].fmeasure == 2 / 3


def test_a_language_that_is_given_stays() -> None:
    rows = {"predictions": ["公司成立于1998年。"], "references": ["1998"]}
    for name in ("rouge", "bleu", "lv_eval_f1"):
        (row,) = load(name).compute(**rows, language="en", per_example=True)["per_example"]
        assert (row["language"], row["warnings"]) == ("en", [])
    assert load("rouge").compute(**rows, language="en")["rougeL"] == 1.0


WHOLE = "北京大学位于海淀区，成立于1898年。"
SPACED = "北 京 大 学 位 于 海 淀 区 ， 成 立 于 1898 年 。"


@pytest.mark.parametrize("spaced", [SPACED, SPACED.replace(" ", "\u3000"), "北京 大学 位 于 海淀区，成 立 于 1898年。"])
def test_spaces_between_chinese_characters_move_no_score_of_ours(spaced: str) -> None:
    rouge, estimate = functions("rouge"), functions("correctness_estimate")
    for texts in ((spaced, WHOLE), (WHOLE, spaced)):
        assert [value.fmeasure for value in rouge.score(*texts).values()] == [1.0] * 4
        assert estimate.score(*texts, "哪里?") == estimate.score(WHOLE, WHOLE, "哪里?")


def test_what_a_score_makes_of_spaces_between_chinese_characters_is_said() -> None:
    rows = {"predictions": [SPACED, SPACED, WHOLE], "references": [WHOLE, SPACED, WHOLE]}
    end_words, left_out = {"spaces_end_words": 1}, {"spaces_left_out": 1}
    expected = dict(zip(BY_WORDS, ({}, left_out, end_words, end_words, left_out), strict=True))
    assert {name: warnings_of(load(name).compute(**rows, per_example=True)) for name in BY_WORDS} == expected
    bleu = load("bleu").compute(**rows, per_example=True)["per_example"]
    assert [row["score"] for row in bleu] == [1.0] * 3  # sacrebleu cuts Chinese into characters


@pytest.mark.parametrize(
    ("prediction", "reference", "warned"),
    [
        ("臺灣大學位於臺北市。", "台湾大学位于台北市。", True),
        ("鲁迅", "魯迅", True),
        ("發展中國家", "发展中国家", True),
        ("北京", "北京", False),
        ("台湾大学", "台湾大学位于台北市。", False),
        ("他是陶喆，歌手说", "陶喆", False),
        ("Lu Xun", "魯迅", False),
        ("简体和繁體", "魯迅", False),  # both at once
    ],
)
def test_simplified_beside_traditional_chinese_is_said(prediction: str, reference: str, warned: bool) -> None:
    for name in BY_WORDS:
        result = load(name).compute(predictions=[prediction], references=[reference], per_example=True)
        assert warnings_of(result).get("other_characters", 0) == warned, name
        assert ("traditional" in str(result["per_example"][0]["note"])) == warned, name


# What is said of a gold letter and the same letter as the answer: A is an article, C is on LV-Eval's blacklist.
LETTERS: dict[str, dict[str, Any]] = {
    "lv_eval_f1": {"scores": [0.0, 1.0, 1.0], "warnings": {"no_word": 1}},
    "lv_eval_rouge": {"scores": [1.0, 1.0, 0.0], "warnings": {"only_blacklisted": 1, "no_chinese": 3}},
    "rouge": {"scores": [1.0, 1.0, 1.0], "warnings": {}},
    "bleu": {"scores": [1.0, 1.0, 1.0], "warnings": {}},
}


@pytest.mark.parametrize("name", LETTERS)
def test_rows_whose_texts_normalize_to_nothing_are_counted(name: str) -> None:
    result = load(name).compute(predictions=["A", "B", "C"], references=["A", "B", "C"], per_example="brief")
    scores = [row["score"] for row in result["per_example"]]
    assert scores == pytest.approx(LETTERS[name]["scores"], abs=1e-8)
    assert warnings_of(result) == LETTERS[name]["warnings"]


def test_an_answer_without_a_word_is_said_by_the_estimate() -> None:
    rows = {"predictions": ["?!", "Paris", ""], "references": ["Paris", "?!", "Paris"]}
    result = load("correctness_estimate").compute(**rows, per_example=True)
    assert warnings_of(result) == {"no_word": 2}
    assert [row["score"] for row in result["per_example"]] == [0.0, 0.5, 0.0]
    assert "no word in the prediction" in result["per_example"][0]["note"]
