"""lv_eval_rouge: fractions worked out by hand, the rouge package, and slow obvious versions, short texts and long."""

import random
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.project import functions

rouge = functions("lv_eval_rouge")


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
@settings(max_examples=500)
def test_path_equals_the_whole_table_however_little_of_it_is_kept(
    a: list[str], b: list[str], block: int, module: Any
) -> None:
    with patch.object(module, "BLOCK", block):
        assert module.lcs_path(a, b) == obvious_path(a, b)


@given(TOKENS.filter(bool), TOKENS.filter(bool))
@settings(max_examples=300)
def test_rouge_l_equals_the_rouge_package(a: list[str], b: list[str]) -> None:
    from rouge import Rouge

    want = Rouge(metrics=["rouge-l"]).get_scores(" ".join(a), " ".join(b))[0]["rouge-l"]
    got = rouge.rouge_l(a, b)
    assert (got.f, got.precision, got.recall) == (want["f"], want["p"], want["r"])


def test_long_texts_get_their_true_score_where_the_original_crashes() -> None:
    """The original swallows a RecursionError and returns 0; the slow table is the judge."""
    random.seed(5)
    words = ["天气", "北京", "火车", "学习", "电影", "音乐", "城市", "历史", "经济", "大学"]
    prediction, reference = (" ".join(random.choices(words, k=1200)) for _ in range(2))
    a, b = (rouge.tokenize(text) for text in (prediction, reference))
    common = {b[i] for i, _ in obvious_path(b, a)}
    precision, recall = len(common) / len(set(a)), len(common) / len(set(b))
    assert rouge.score(prediction, reference) == 2 * precision * recall / (precision + recall + 1e-8) > 0.5
    assert rouge.score(prediction, prediction) == 2 / (2 + 1e-8)


def test_the_best_of_several_references_on_request_and_distinct_words_alone(load: Any) -> None:
    rows = {"predictions": ["北京 北京 北京"], "references": [["上海", "北京 上海"]]}
    result = load("lv_eval_rouge").compute(**rows, multi_reference="max")
    assert result["lv_eval_rouge"] == pytest.approx(2 * 1.0 * 0.5 / (1.0 + 0.5 + 1e-8), abs=1e-15)


def test_per_example_gives_the_reasons() -> None:
    row = rouge.explain(rouge.grade("红楼梦的作者是曹雪芹", "《红楼梦》是曹雪芹写的"))
    words = {"红楼梦": "matched", "的": "blacklisted", "作者": "unmatched", "是": "blacklisted", "曹雪芹": "matched"}
    assert dict(row["prediction_tokens"]) == words
    assert (row["lcs_words"], row["prediction_words"], row["reference_words"]) == (2, 3, 4)
    assert row["score"] == rouge.score("红楼梦的作者是曹雪芹", "《红楼梦》是曹雪芹写的")
    row = rouge.explain(rouge.grade("上海 北京", "北京 上海 广州"))
    assert sorted(status for _, status in row["prediction_tokens"]) == ["matched", "reordered"]
    assert row["reference_tokens"][-1] == ["广州", "unmatched"]


@pytest.mark.parametrize(
    ("prediction", "reference", "note"),
    [
        ("red fox", "red dog", "The reference has no Chinese; this score is made for Chinese."),
        ("！", "北京", "no word in the prediction"),
        ("2020年在北京", "２０２０年在北京", "words differ only in how Unicode writes them: '2020'"),
    ],
)
def test_what_is_said_of_the_texts(load: Any, prediction: str, reference: str, note: str) -> None:
    rows = {"predictions": [prediction], "references": [reference]}
    assert load("lv_eval_rouge").compute(**rows, per_example=True)["per_example"][0]["note"] == note
