"""lv_eval_rouge: fractions worked out by hand, the rouge package, and slow obvious versions, short texts and long."""

import itertools
import random
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.project import functions

rouge = functions("lv_eval_rouge")


@pytest.mark.parametrize(
    ("prediction", "reference", "precision", "recall"),
    [
        ("红楼梦的作者是曹雪芹", "《红楼梦》是曹雪芹写的", 2 / 3, 2 / 4),
        ("北京", "北京", 1.0, 1.0),
        ("北京 北京 北京", "北京 上海", 1.0, 1 / 2),  # distinct words
        ("北京", "上海", 0.0, 0.0),
        ("", "北京", 0.0, 0.0),
        ("北京", "", 0.0, 0.0),
        ("", "", 0.0, 0.0),
        ("！", "！", 0.0, 0.0),
        ("！？", "。，", 1.0, 1.0),  # two empty tokens each: one empty word to the rouge package
        ("的是", "的", 0.0, 0.0),
    ],
)
def test_score_by_hand(prediction: str, reference: str, precision: float, recall: float) -> None:
    f = 2 * precision * recall / (precision + recall + 1e-8)
    assert rouge.score(prediction, reference) == pytest.approx(f, abs=1e-15)


def obvious_path(rows: list[str], columns: list[str]) -> list[tuple[int, int]]:
    """One longest common subsequence from the whole table of lengths, walked back as the rouge package walks."""
    table = [[0] * (len(columns) + 1) for _ in range(len(rows) + 1)]
    for i, row in enumerate(rows):
        for j, column in enumerate(columns):
            table[i + 1][j + 1] = table[i][j] + 1 if row == column else max(table[i][j + 1], table[i + 1][j])
    i, j, path = len(rows), len(columns), []
    while i and j:
        if rows[i - 1] == columns[j - 1]:
            i, j = i - 1, j - 1
            path.append((i, j))
        elif table[i - 1][j] > table[i][j - 1]:
            i -= 1
        else:
            j -= 1
    return path[::-1]


TOKENS = st.lists(st.sampled_from("abcdefg"), max_size=40)


@given(TOKENS, TOKENS, st.sampled_from([4096, 1, 7]), st.sampled_from([rouge, functions("rouge")]))
@settings(max_examples=500, deadline=None)
def test_path_equals_the_whole_table_however_little_of_it_is_kept(
    a: list[str], b: list[str], block: int, module: Any
) -> None:
    with patch.object(module, "BLOCK", block):
        assert module.lcs_path(a, b) == obvious_path(a, b)


@given(TOKENS.filter(bool), TOKENS.filter(bool))
@settings(max_examples=300, deadline=None)
def test_rouge_l_equals_the_rouge_package(a: list[str], b: list[str]) -> None:
    from rouge import Rouge

    want = Rouge(metrics=["rouge-l"]).get_scores(" ".join(a), " ".join(b))[0]["rouge-l"]
    got = rouge.rouge_l(a, b)
    assert (got.f, got.precision, got.recall) == (want["f"], want["p"], want["r"])


def test_long_texts_get_their_true_score_where_the_original_crashes() -> None:
    """The original swallows a RecursionError and returns 0; the slow table is the judge."""
    random.seed(5)
    words = ["天气", "北京", "火车", "学习", "电影", "音乐", "城市", "历史", "经济", "大学"]
    prediction, reference = (" ".join(random.choices(words, k=1500)) for _ in range(2))
    a, b = (rouge.tokenize(text) for text in (prediction, reference))
    common = {b[i] for i, _ in obvious_path(b, a)}
    precision, recall = len(common) / len(set(a)), len(common) / len(set(b))
    assert rouge.score(prediction, reference) == 2 * precision * recall / (precision + recall + 1e-8) > 0.5
    assert rouge.score(prediction, prediction) == 2 / (2 + 1e-8)


@given(st.lists(st.sampled_from("北京大学图书馆的云计算中国人民生活水平提高，。 \r\na1"), max_size=40).map("".join))
@settings(max_examples=300, deadline=None)
def test_the_second_cut_is_that_of_each_word_alone(text: str) -> None:
    import jieba

    twice = [again for word in jieba.lcut(text) for again in jieba.lcut(word)]
    assert rouge.words_twice(text) == twice
    with patch.object(functions("lv_eval_rouge", "chinese_words"), "STOCK", None):  # as with a changed dictionary
        assert rouge.words_twice(text) == twice
    joined = [word for word in jieba.lcut(" ".join(jieba.lcut(text))) if not word.isspace()]
    assert [word for word in twice if not word.isspace()] == joined


def test_the_second_cut_in_texts_of_the_dictionary() -> None:
    import jieba

    jieba.initialize()
    numbers = random.Random(5)
    words, weights = zip(*((word, n) for word, n in jieba.dt.FREQ.items() if n), strict=True)
    picks = iter(numbers.choices(words, weights, k=20_000) + numbers.choices(words, k=10_000))
    for _ in range(800):
        text = "".join(itertools.islice(picks, numbers.randint(1, 60)))
        assert rouge.words_twice(text) == [again for word in jieba.lcut(text) for again in jieba.lcut(word)]


def test_a_changed_dictionary_is_not_hidden_by_what_was_scored_before() -> None:
    import jieba

    texts = "他在北京大学读书，喜欢图书馆", "他在清华大学的图书馆读书"
    before = rouge.score(*texts)
    jieba.del_word("图书馆")
    try:
        changed = rouge.score(*texts)
        functions("lv_eval_rouge", "chinese_words").words_again.cache_clear()
        assert changed == rouge.score(*texts) != before
    finally:
        jieba.finalseg.Force_Split_Words.clear()
        jieba.dt.initialized = False
        jieba.initialize()
    assert rouge.score(*texts) == before


def test_words_of_a_dictionary_loaded_before_are_not_remembered() -> None:
    import jieba

    text, words = "进想吧能路字", []
    try:
        for word in ("进想", "能路"):  # alone, each is cut in two when it is in the dictionary and rare
            jieba.dt.initialized = False
            jieba.initialize()
            jieba.add_word(word, 1)
            words.append([token for token in jieba.lcut(" ".join(jieba.lcut(text))) if token != " "])
            assert rouge.tokenize(text) == words[-1]
    finally:
        jieba.dt.initialized = False
        jieba.initialize()
    assert words == [["进", "想", "吧", "能", "路", "字"], ["进想", "吧", "能", "路", "字"]]


def test_several_references(load: Any) -> None:
    metric, rows = load("lv_eval_rouge"), {"predictions": ["北京"], "references": [["上海", "北京"]]}
    assert metric.compute(**rows)["lv_eval_rouge"] == 0.0
    result = metric.compute(**rows, multi_reference="max", per_example=True)
    assert result["lv_eval_rouge"] == result["per_example"][0]["score"] == 2 / (2 + 1e-8)
    with pytest.raises(ValueError, match="multi_reference is 'mean'"):
        metric.compute(**rows, multi_reference="mean")


def test_per_example_gives_the_reasons(load: Any) -> None:
    texts = {"predictions": ["红楼梦的作者是曹雪芹"], "references": ["《红楼梦》是曹雪芹写的"]}
    row = load("lv_eval_rouge").compute(**texts, per_example=True)["per_example"][0]
    matched, blacklisted = {"红楼梦", "曹雪芹"}, {"的", "是"}
    assert {token for token, status in row["prediction_tokens"] if status == "matched"} == matched
    assert {token for token, status in row["prediction_tokens"] if status == "blacklisted"} == blacklisted
    assert (row["lcs_words"], row["prediction_words"], row["reference_words"]) == (2, 3, 4)
    assert row["score"] == rouge.score("红楼梦的作者是曹雪芹", "《红楼梦》是曹雪芹写的")


def test_words_of_both_texts_off_the_path_are_reordered() -> None:
    row = rouge.explain(rouge.grade("上海 北京", "北京 上海 广州"))
    assert sorted(status for _, status in row["prediction_tokens"]) == ["matched", "reordered"]
    assert row["reference_tokens"][-1] == ["广州", "unmatched"]


@pytest.mark.parametrize(
    ("prediction", "reference", "note"),
    [
        ("red fox", "red dog", "The reference has no Chinese; this score is made for Chinese."),
        ("！", "北京", "no word in the prediction"),
        ("2020年在北京", "２０２０年在北京", "words differ only in how Unicode writes them: '2020'"),
        ("北京", "北京", None),
    ],
)
def test_what_is_said_of_the_texts(load: Any, prediction: str, reference: str, note: str | None) -> None:
    rows = {"predictions": [prediction], "references": [reference]}
    assert load("lv_eval_rouge").compute(**rows, per_example=True)["per_example"][0]["note"] == note
