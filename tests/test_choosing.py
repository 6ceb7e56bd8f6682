"""Statements of the guide under "Choosing a score" that none of its examples shows.

Also the order of the figures that they rely on.
"""

from typing import Any

import pytest

from metrics.benchmarks import judged, pages
from metrics.benchmarks.series import ESTIMATE
from tests.support import models
from tests.support.project import load


def test_the_stored_figures_have_the_order_that_the_guide_states() -> None:
    scores: dict[str, Any] = pages.get_first_data(pages.load_figures(pages.RESULTS))["scores"]

    def read_area(name: str, length: str = "") -> float:
        return float(
            (scores[name]["lengths"][length] if length else scores[name]["overall"])["auroc"]
        )

    # For long answers recall is better than F1, and it ranks systems like people do.
    for recall, whole in (("rougeL_recall", "rougeL"), ("lv_eval_f1_recall", "lv_eval_f1")):
        assert read_area(recall, "long") > read_area(whole, "long") > read_area("bleu", "long")
        assert scores[recall]["tau"] > 0 >= scores[whole]["tau"] > scores["bleu"]["tau"]
    assert read_area("cosine_similarity", "long") < read_area("lv_eval_f1", "long")
    assert read_area("rouge2", "short") == min(read_area(name, "short") for name in scores)
    # Using the reference as keywords adds little.
    assert 0 < read_area("lv_eval_f1_gate") - read_area("lv_eval_f1") < 0.01
    # With longer answers, embeddings lose more than F1. BERTScore's recall is the highest score.
    lost = {
        name: read_area(name, "short") - read_area(name, "long")
        for name in ("lv_eval_f1", "cosine_similarity", "bertscore")
    }
    assert min(lost, key=lambda name: lost[name]) == "lv_eval_f1"
    assert read_area("bertscore_recall") == max(
        read_area(name) for name in scores if name != ESTIMATE
    )
    assert scores["bertscore_recall"]["tau"] < scores["rougeL_recall"]["tau"]
    # With five systems, tau is a multiple of 0.2.
    assert {round(score["tau"], 6) for score in scores.values()} <= {
        1.0,
        0.8,
        0.6,
        0.2,
        -0.2,
        -0.6,
        -0.8,
    }
    assert {len(score["means"]) for score in scores.values()} == {5}


def test_scores_of_a_chinese_answer_with_the_wrong_author() -> None:
    # Importing `pages` has put the demo's folder on the path.
    from lens.page.answer.answer_tab import EXAMPLES

    wrong = EXAMPLES["wrong_name"]
    texts = {"predictions": [wrong.answer], "references": [wrong.reference]}
    keyed = {**texts, "answer_keywords": [wrong.keywords]}
    found = [
        load("lv_eval_f1").compute(**keyed, min_keyword_recall=least)["lv_eval_f1"]
        for least in (None, 1)
    ]
    cosine = load("cosine_similarity").compute(
        **texts, model=models.find_minilm(), per_example=True
    )
    bertscore = load("bertscore").compute(**texts, model_type=models.find_minilm(), num_layers=6)
    found += [cosine["average_cosine_similarity"], bertscore["f1"]]
    assert [round(value, 3) for value in found] == [0.944, 0, 1, 1]
    assert "21 in the prediction" in cosine["per_example"][0]["note"]


SAME = ["北京是中国的首都"]
FIVE = "one two three four five"
F1 = ("lv_eval_f1", "lv_eval_f1")
ROUGE = ("rouge", "rouge1")


@pytest.mark.parametrize(
    ("score", "prediction", "reference", "settings", "expected"),
    [
        (ROUGE, SAME, SAME, {"language": "en"}, 0),  # rouge_score's result
        (ROUGE, SAME, SAME, {}, 1),
        # The gate depends on its keywords.
        (F1, ["five days"], ["5 days"], {"answer_keywords": ["5"]}, 0),
        (F1, ["not 5 days"], ["5 days"], {"answer_keywords": ["5"]}, 0.8),
        (F1, ["one"], [FIVE], {"answer_keywords": [FIVE]}, 1 / 3),
        # Recall is easy to raise with more words.
        (("lv_eval_f1", "recall"), ["Canada or Mexico or Cuba or Brazil"], ["Canada"], {}, 1),
        (F1, ["Canada or Mexico or Cuba or Brazil"], ["Canada"], {}, 0.25),
        # Short answers have no bigrams and no 4-grams.
        (("rouge", "rouge2"), ["Canada"], ["Canada"], {}, 0),
        (("bleu", "bleu"), ["Jane Austen"], ["Jane Austen"], {}, 0),
    ],
)
def test_statements_of_the_guide_about_single_scores(
    score: Any,
    prediction: Any,
    reference: Any,
    settings: Any,
    expected: float,
) -> None:
    module, key = score
    found = load(module).compute(
        predictions=prediction, references=reference, per_example=True, **settings
    )
    assert {**found["per_example"][0], **found}[key] == pytest.approx(expected, abs=1e-12)


def test_a_judge_with_equal_scores_has_neither_bias_nor_sensitivity() -> None:
    kinds = ["represent", "represent", "error", "error"]
    found = load("judge_bias").compute(
        predictions=["4"] * 4, references=[4] * 4, perturbation_categories=kinds
    )
    assert found["repr_bias"] == 0
    assert found["error_sensitivity"] == 0


def test_the_stored_prices_equal_those_of_the_installed_package(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    written = pages.load_figures(pages.RESULTS)["costs"]
    if judged.find_price_source() != written["prices"]:
        pytest.skip(f"{written['prices']} is not installed")
    assert judged.estimate_prices() == written
