"""bleu: fractions worked out by hand, sacrebleu itself, several references, Chinese."""

import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.project import functions

bleu = functions("bleu")


@pytest.mark.parametrize(
    ("prediction", "reference", "score"),
    [
        ("the cat sat down again", "the cat sat down", (4 / 5 * 3 / 4 * 2 / 3 * 1 / 2) ** (1 / 4)),
        ("the the the", "the cat", (1 / 3 * (1 / 2) / 2 * (1 / 4) / 1) ** (1 / 3)),  # exp smoothing halves each time
    ],
)
def test_sentence_bleu_by_hand(prediction: str, reference: str, score: float) -> None:
    assert bleu.score(prediction, reference) == pytest.approx(score, abs=1e-12)


def test_corpus_bleu_adds_up_counts(load: Any) -> None:
    result = load("bleu").compute(
        predictions=["the cat sat down quietly", "it was late"],
        references=["the cat sat down again", ["late", "it was late"]],
    )
    precisions = [7 / 8, 5 / 6, 3 / 4, 1 / 2]
    assert result["precisions"] == pytest.approx(precisions, abs=1e-12)
    assert result["bleu"] == pytest.approx(math.prod(precisions) ** (1 / 4), abs=1e-12)
    assert (result["brevity_penalty"], result["length_ratio"]) == (1.0, 1.0)
    sentence = (4 / 5 * 3 / 4 * 2 / 3 * 1 / 2) ** (1 / 4)
    assert result["sentence_bleu"] == pytest.approx((sentence + 1) / 2, abs=1e-12)


TEXT = st.text(st.sampled_from("ab c.,-\n&;1'中。"), max_size=40)
ROWS = st.lists(st.tuples(TEXT, st.lists(TEXT, min_size=2, max_size=2)), min_size=1, max_size=5)


@given(ROWS, st.sampled_from(bleu.TOKENIZERS), st.booleans())
@settings(max_examples=150)
def test_scores_equal_sacrebleu(rows: list[tuple[str, list[str]]], tokenizer: str, lowercase: bool) -> None:
    from sacrebleu.metrics import BLEU

    predictions, references = [p for p, _ in rows], [r for _, r in rows]
    metric = functions("bleu", "bleu").Bleu()
    got = metric.compute(
        predictions=predictions, references=references, tokenizer=tokenizer, lowercase=lowercase, per_example=True
    )
    corpus = BLEU(tokenize=tokenizer, lowercase=lowercase, force=True)
    want = corpus.corpus_score(predictions, [list(column) for column in zip(*references, strict=True)])
    assert got["bleu"] == min(want.score / 100, 1.0)
    assert got["precisions"] == [p / 100 for p in want.precisions]
    assert (got["brevity_penalty"], got["length_ratio"]) == (want.bp, want.ratio)
    sentence = BLEU(tokenize=tokenizer, lowercase=lowercase, effective_order=True)
    want_each = [min(sentence.sentence_score(p, r).score / 100, 1.0) for p, r in rows]
    assert [row["score"] for row in got["per_example"]] == want_each


def test_each_row_gets_the_tokenizer_of_its_language(load: Any) -> None:
    rows = {"predictions": ["北京是中国的首都", "Niagara Falls"], "references": ["北京是中国的首都", "Niagara Falls"]}
    result = load("bleu").compute(**rows, per_example=True)
    assert [row["tokenizer"] for row in result["per_example"]] == ["zh", "13a"]
    assert (result["bleu"], "tokenizer:13a+zh" in result["signature"]) == (1.0, True)
    english = load("bleu").compute(**rows, language="en", per_example=True)["per_example"]
    assert [row["tokenizer"] for row in english] == ["13a", "13a"]


def test_per_example_shows_the_closest_reference(load: Any) -> None:
    row = load("bleu").compute(
        predictions=["the cat sat"], references=[["a dog ran", "the cat ran"]], per_example=True
    )["per_example"][0]
    assert row["prediction_tokens"] == [["the", "matched"], ["cat", "matched"], ["sat", "unmatched"]]
    assert (row["matches"], row["totals"]) == ([2, 1, 0, 0], [3, 2, 1, 0])
    assert row["reference_tokens"] == [["the", "matched"], ["cat", "matched"], ["ran", "unmatched"]]


def test_no_text_stays_in_sacrebleus_caches(load: Any) -> None:
    from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
    from sacrebleu.tokenizers.tokenizer_re import TokenizerRegexp
    from sacrebleu.tokenizers.tokenizer_zh import TokenizerZh

    texts = ["a secret of mine", "我的秘密"]
    assert load("bleu").compute(predictions=texts, references=texts)["bleu"] == 1.0
    caches: list[Any] = [kind.__call__ for kind in (Tokenizer13a, TokenizerRegexp, TokenizerZh)]
    assert [cache.cache_info().currsize for cache in caches] == [0, 0, 0]
