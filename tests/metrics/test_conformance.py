"""The scores of the originals, row by row: their own files where they are at hand, our own examples everywhere."""

import json
from collections.abc import Iterable
from typing import Any

import pytest

from tests.support.project import ROOT, SHARED, functions, shared_rows

# Which settings stand for which function of the original.
SETTINGS: dict[str, dict[str, Any]] = {
    "qa_f1_score": {"language": "en", "keyword_gate": False},
    "qa_f1_score_with_gold_ans": {"language": "en"},
    "qa_f1_zh_score": {"language": "zh", "keyword_gate": False},
    "qa_f1_zh_score_with_gold_ans": {"language": "zh"},
}


def largest_difference(rows: Iterable[dict[str, Any]], functions_of_original: set[str]) -> tuple[int, float]:
    """Return the number of rows that one of the functions scored, and the largest difference from our score."""
    f1, rouge = functions("lv_eval_f1"), functions("lv_eval_rouge")
    differences = []
    for row in rows:
        texts = row["prediction"], row["reference"]
        if row["metric"] not in functions_of_original or row["score"] is None:
            continue
        if row["metric"] in SETTINGS:
            score = f1.score(*texts, row["answer_keywords"], **SETTINGS[row["metric"]])
        else:
            score = rouge.score(*texts)
        differences.append(abs(score - row["score"]))
    return len(differences), max(differences)


def test_lv_eval_f1_equals_the_original_on_every_shared_row() -> None:
    assert largest_difference(shared_rows("conformance/lv_eval.jsonl"), set(SETTINGS)) == (4200, 0.0)


def test_lv_eval_rouge_equals_the_original_on_every_shared_row() -> None:
    assert largest_difference(shared_rows("conformance/lv_eval.jsonl"), {"rouge_zh_score_blacklist"}) == (600, 0.0)


def test_l3score_equals_the_original_on_every_shared_row() -> None:
    score = functions("l3score").score_top_logprobs
    differences = [abs(score(r["top_logprobs"]) - r["score"]) for r in shared_rows("conformance/l3score.jsonl")]
    assert len(differences) == 400
    assert max(differences) <= 1e-12


def test_our_own_examples_equal_the_scores_that_the_original_gave_them() -> None:
    """Scored by metrics.py of infinigence/LVEval at 63e7ae9 with jieba 0.42.1 and rouge 1.0.1."""
    lines = (ROOT / "tests" / "support" / "data" / "lv_eval.jsonl").read_text("utf-8").splitlines()
    everything = {*SETTINGS, "rouge_zh_score_blacklist"}
    rows, difference = largest_difference(map(json.loads, lines), everything)
    assert rows == len(lines) > 60
    assert difference <= 1e-9


def test_compute_gives_the_mean_of_the_original_scores(load: Any) -> None:
    rows = [r for r in shared_rows("conformance/lv_eval.jsonl") if r["metric"] == "qa_f1_score_with_gold_ans"]
    result = load("lv_eval_f1").compute(
        predictions=[r["prediction"] for r in rows],
        references=[r["reference"] for r in rows],
        answer_keywords=[r["answer_keywords"] for r in rows],
        language="en",
        per_example=True,
    )
    assert result["lv_eval_f1"] == pytest.approx(sum(r["score"] for r in rows) / len(rows), abs=1e-12)
    assert [row["score"] for row in result["per_example"]] == [r["score"] for r in rows]


def test_word_lists_are_those_of_the_original() -> None:
    path = SHARED / "conformance" / "lv_eval_words.json"
    if not path.exists():
        pytest.skip(f"{path} is not on this machine")
    words = json.loads(path.read_text("utf-8"))
    f1, rouge = functions("lv_eval_f1"), functions("lv_eval_rouge")
    assert set(words["blacklist_en"]) == f1.BLACKLIST_EN
    assert set(words["blacklist_zh"]) == f1.BLACKLIST_ZH == rouge.BLACKLIST_ZH
    assert words["punctuation_zh"] == f1.PUNCTUATION_ZH == rouge.PUNCTUATION_ZH


def test_bleu_equals_sacrebleu_in_english() -> None:
    from sacrebleu.metrics import BLEU

    bleu = functions("bleu")
    rows = [r for r in shared_rows("conformance/lv_eval.jsonl") if r["language"] == "en"]
    original = BLEU(effective_order=True)
    for row in rows:
        score = original.sentence_score(row["prediction"], [row["reference"]]).score / 100
        assert bleu.score(row["prediction"], row["reference"], "en") == min(score, 1.0)


def test_rouge_equals_rouge_score_in_english() -> None:
    from rouge_score.rouge_scorer import RougeScorer

    rouge = functions("rouge")
    rows = [r for r in shared_rows("conformance/lv_eval.jsonl") if r["language"] == "en"][::2]
    for use_stemmer in (False, True):
        original = RougeScorer(list(rouge.ROUGE_TYPES), use_stemmer=use_stemmer)
        for i, row in enumerate(rows):
            prediction, reference = row["prediction"], row["reference"]
            if i % 2:  # several lines, for rougeLsum
                prediction, reference = prediction.replace(". ", "\n"), reference.replace(", ", "\n\n")
            want = {name: tuple(value) for name, value in original.score(reference, prediction).items()}
            assert {n: tuple(v) for n, v in rouge.score(prediction, reference, "en", use_stemmer).items()} == want
