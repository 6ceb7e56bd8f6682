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
BORN = ("He was born in Paris and was raised there", "She was born in Paris", "Paris")
ONE = "one two was of is that his"


@pytest.mark.parametrize(
    ("texts", "settings", "score"),
    [
        (("the red fox", "a red dog"), {}, 1 / 2),  # 1 of 2 and 1 of 2: articles are dropped
        (("red red red", "red"), {}, 1 / 2),  # precision 1/3, recall 1
        (("red red", "red red red blue"), {}, 2 / 3),  # precision 1, recall 1/2
        (("多伦多在加拿大", "渥太华在加拿大"), {"min_keyword_recall": 1 / 3}, 2 / 3),
        (("one two", "one two", "one three"), {"min_keyword_recall": 0.6}, 0.0),
        (("one two", "one two", "three"), {"min_keyword_recall": 0}, 1.0),
        (("one two", "one two", "one six seven eight nine"), {}, 1.0),  # 1/5: just the threshold
        (("one two", "one two", "one six seven eight nine"), {"mode": "paper"}, 0.0),
        ((ONE, ONE, "was of one"), {"min_keyword_recall": 1 / 3}, 1.0),  # blacklisted words count below the line alone
        ((ONE, ONE, "was of is that one his"), {}, 0.0),
        # was born in paris of 9 words and of 5; without blacklisted ones born paris of (born paris raised there)
        (BORN, {"mode": "code"}, 2 * (4 / 9 * 4 / 5) / (4 / 9 + 4 / 5)),
        (BORN, {"mode": "paper"}, 2 * (2 / 4 * 2 / 2) / (2 / 4 + 2 / 2)),
    ],
)
def test_score_by_hand(texts: tuple[str, ...], settings: dict[str, Any], score: float) -> None:
    assert f1.score(*texts, **settings) == pytest.approx(score, abs=1e-15)


@pytest.mark.parametrize("keywords", ["...", "the", " ", "\n\t", "!!! a"])
def test_keywords_without_a_word_count_as_none_and_say_so(keywords: str) -> None:
    graded = f1.grade(ONE, ONE, keywords)
    assert (graded.gate, graded.score, "no word" in graded.note) == ("none", 1.0, True)
    assert f1.grade("北京", "北京", "。！").gate == "reference"


def test_per_example_gives_the_reasons(load: Any) -> None:
    row = load("lv_eval_f1").compute(
        predictions=["The falls lie between the United States of Mexico"],
        references=["The falls lie between Canada and the United States"],
        answer_keywords=["Canada of the falls"],
        per_example=True,
    )["per_example"][0]
    found = [row[f"{name}_keywords"] for name in ("matched", "missing", "blacklisted")]
    assert (found, row["keyword_recall"], row["gate_passed"]) == ([["falls"], ["canada"], ["of"]], 1 / 3, True)
    matched = [[word, "matched"] for word in ("falls", "lie", "between", "united", "states")]
    assert row["prediction_tokens"] == [*matched, ["of", "blacklisted"], ["mexico", "unmatched"]]
    assert ["canada", "unmatched"] in row["reference_tokens"]
    assert (row["overlap"], row["prediction_length"], row["reference_length"]) == (5, 7, 7)
    assert row["score"] == row["f1"] == row["precision"] == row["recall"] == 5 / 7


def test_language_may_be_given_per_row_and_the_best_reference_be_taken(load: Any) -> None:
    rows = {"predictions": ["in Paris"], "references": [["in Rome", "in Paris"]]}
    assert load("lv_eval_f1").compute(**rows, multi_reference="max")["lv_eval_f1"] == 1.0
    rows = {"predictions": ["东京 tower", "东京 tower"], "references": ["东京 tower x", "东京 tower x"]}
    result = load("lv_eval_f1").compute(**rows, language=["en", "zh"], per_example=True)
    assert [row["language"] for row in result["per_example"]] == ["en", "zh"]
    assert "language:en-1,zh-1" in result["signature"].split("|")
    for language, message in ((["en", "fr"], r"language\[1\] is 'fr'"), (["en"], "language has 1 entries for 2 rows")):
        with pytest.raises(ValueError, match=message):
            load("lv_eval_f1").compute(**rows, language=language)


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
@settings(max_examples=300)
def test_english_f1_equals_an_obvious_version(prediction: str, reference: str) -> None:
    assert f1.score(prediction, reference, language="en") == pytest.approx(obvious_f1(prediction, reference), abs=1e-15)


@pytest.mark.parametrize(
    ("prediction", "word"),
    [("Cafe\u0301", "café"), ("Ｃafé", "café"), ("Ca\u00adfé", "café"), ("Caf\u200bé", "café")],
)
def test_words_that_differ_only_in_how_unicode_writes_them_are_noted(prediction: str, word: str, load: Any) -> None:
    rows = {"predictions": [prediction, "Café"], "references": ["Café", "Café"]}
    entry, same = load("lv_eval_f1").compute(**rows, per_example=True)["per_example"]
    assert (entry["score"] < 1, same["note"]) == (True, None)
    assert f"only in how Unicode writes them: {word!r}" in entry["note"]
