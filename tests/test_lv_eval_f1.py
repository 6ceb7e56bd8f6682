"""lv_eval_f1: fractions worked out by hand, both modes, the gate, several references, and a slow obvious version."""

import itertools
import random
import re
import string
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.project import functions

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
        {"min_keyword_recall": True},
        {"min_keyword_recall": "0.3"},
    ],
)
def test_settings_that_do_not_exist_are_refused(setting: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=f"{next(iter(setting))} is "):
        f1.score("a", "b", **setting)


def test_words_added_to_jieba_or_deleted_show_in_the_signature(load: Any) -> None:
    import jieba

    rows = {"predictions": ["北京"], "references": ["北京"]}
    assert "tokenizer_zh:jieba-0.42.1" in load("lv_eval_f1").compute(**rows)["signature"].split("|")
    for change in (lambda: jieba.add_word("云计算平台"), lambda: jieba.del_word("图书馆")):
        change()
        try:
            assert load("lv_eval_f1").compute(**rows)["signature"].endswith("custom-dictionary")
        finally:
            jieba.finalseg.Force_Split_Words.clear()
            jieba.dt.initialized = False
            jieba.initialize()


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


# Words of the dictionary and none, and every sign that jieba treats apart.
PIECES = st.sampled_from(
    ["北京", "北京大学", "图书馆", "的", "云计算", "AT&T", "3.14%", "C++", "\r\n", "\r", "\n", " ", "\u3000", "é"]
)
CHARACTERS = st.characters(min_codepoint=0x4E00, max_codepoint=0x9FD8) | st.sampled_from(
    "一丁七万丈三上下乖𠮷龘鱻a1+#&._%-，。《\ud800"
)
CHINESE = st.lists(PIECES | CHARACTERS, max_size=60).map("".join)


@given(CHINESE | st.text())
@settings(max_examples=500, deadline=None)
def test_words_are_jiebas(text: str) -> None:
    import jieba

    assert f1.segment(text) == jieba.lcut(text)


def test_words_are_jiebas_in_texts_of_its_dictionary() -> None:
    import jieba

    jieba.initialize()
    numbers = random.Random(5)
    words, weights = zip(*((word, n) for word, n in jieba.dt.FREQ.items() if n), strict=True)
    picks = iter(numbers.choices(words, weights, k=20_000))
    for _ in range(1000):
        text = "".join(itertools.islice(picks, numbers.randint(1, 20)))
        assert f1.segment(text) == jieba.lcut(text)


@pytest.mark.parametrize("change", ["add", "add_rare", "delete", "split"])
def test_words_are_jiebas_when_its_dictionary_was_changed(change: str) -> None:
    import jieba

    text = "他在云计算平台和北京大学图书馆工作，平台很好"
    before = f1.tokenize(text, "zh")
    try:
        {
            "add": lambda: jieba.add_word("云计算平台"),
            "add_rare": lambda: jieba.add_word("学图", 1),
            "delete": lambda: jieba.del_word("图书馆"),
            "split": lambda: jieba.suggest_freq(("北京", "大学"), tune=True),
        }[change]()
        assert f1.segment(text) == jieba.lcut(text)
        assert f1.tokenize(text, "zh") == [word for word in jieba.lcut(text) if word != "，"]
    finally:
        jieba.finalseg.Force_Split_Words.clear()
        jieba.dt.initialized = False
        jieba.initialize()
    assert f1.tokenize(text, "zh") == before


def test_words_deleted_again_and_words_of_another_dictionary_are_not_remembered() -> None:
    import jieba

    def add_and_delete() -> None:
        jieba.add_word("图书馆", 99)
        assert f1.tokenize("图书馆", "zh") == ["图书馆"]
        jieba.del_word("图书馆")

    def load_and_add(word: str) -> None:
        jieba.dt.initialized = False
        jieba.initialize()
        jieba.add_word(word, 10_000)

    text = "他在云计算平台和北京大学图书馆工作"
    try:
        for change in (add_and_delete, add_and_delete, lambda: load_and_add("计算"), lambda: load_and_add("书馆")):
            change()
            assert f1.tokenize("图书馆", "zh") == jieba.lcut("图书馆")
            assert f1.tokenize(text, "zh") == jieba.lcut(text)
            assert f1.jieba_version().endswith("custom-dictionary")
    finally:
        jieba.finalseg.Force_Split_Words.clear()
        jieba.dt.initialized = False
        jieba.initialize()
    assert f1.jieba_version() == "jieba-0.42.1"


@given(st.text(st.sampled_from("一丁七万丈三上下乖𠮷龘鱻abc1。"), min_size=1, max_size=60) | st.text(min_size=1))
@settings(max_examples=200, deadline=None)
def test_the_linear_search_for_new_words_is_jiebas(text: str) -> None:
    from jieba import finalseg

    arguments = text, "BMES", finalseg.start_P, finalseg.trans_P, finalseg.emit_P
    assert f1.hidden_states(text) == reference_viterbi(*arguments)[1] == finalseg.viterbi(*arguments)[1]


def reference_viterbi(text: str, states: str, start: Any, transitions: Any, emissions: Any) -> tuple[float, list[str]]:
    """The likeliest states by carrying every path along, as jieba does."""
    before, low = {"B": "ES", "M": "MB", "S": "SE", "E": "BM"}, -3.14e100
    paths = {y: (start[y] + emissions[y].get(text[0], low), [y]) for y in states}
    for character in text[1:]:
        steps = {}
        for y in states:
            emission = emissions[y].get(character, low)
            score, last = max((paths[x][0] + transitions[x].get(y, low) + emission, x) for x in before[y])
            steps[y] = (score, [*paths[last][1], y])
        paths = steps
    score, last = max((paths[y][0], y) for y in "ES")
    return score, paths[last][1]


def test_a_long_run_of_chinese_is_cut_as_jieba_cuts_it() -> None:
    import jieba

    text = "".join(chr(0x4E00 + i * 7919 % 20000) for i in range(6000))
    assert f1.segment(text) == jieba.lcut(text)


def test_a_mistake_in_a_column_says_what_was_meant_and_what_is_needed(load: Any) -> None:
    f1, texts = load("lv_eval_f1"), {"predictions": ["a"], "references": ["a"]}
    with pytest.raises(TypeError, match="no argument 'keywords'; did you mean 'answer_keywords'"):
        f1.compute(**texts, keywords=["a"])
    with pytest.raises(TypeError, match=r"references is missing; lv_eval_f1 needs predictions, references$"):
        f1.compute(predictions=["a"])
