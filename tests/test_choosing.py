"""Statements of the guide under "Choosing a score" that none of its examples shows.

Also the order of the figures that they rely on.
"""

from typing import Any

import pytest

from metrics.benchmarks import judged, pages
from metrics.benchmarks.series import ESTIMATE
from tests.support import models
from tests.support.project import load

SCORES: dict[str, Any] = pages.get_first_data(pages.load_figures(pages.RESULTS))["scores"]


def list_areas(length: str = "") -> dict[str, float]:
    """Return the AUROC of each score on answers of a length; "" for all answers."""
    areas = {}
    for name, score in SCORES.items():
        figures = score["lengths"][length] if length else score["overall"]
        areas[name] = float(figures["auroc"])
    return areas


TAUS = {name: score["tau"] for name, score in SCORES.items()}


@pytest.mark.parametrize(
    ("recall", "whole"), [("rougeL_recall", "rougeL"), ("lv_eval_f1_recall", "lv_eval_f1")]
)
def test_for_long_answers_recall_is_better_than_f1_and_ranks_systems_like_people(
    recall: str, whole: str
) -> None:
    areas = list_areas("long")
    assert areas[recall] > areas[whole] > areas["bleu"]
    assert TAUS[recall] > 0 >= TAUS[whole] > TAUS["bleu"]


def test_with_longer_answers_embeddings_lose_more_than_f1() -> None:
    short = list_areas("short")
    long = list_areas("long")
    lost = {name: short[name] - long[name] for name in ("cosine_similarity", "bertscore")}
    assert min(lost.values()) > short["lv_eval_f1"] - long["lv_eval_f1"]
    assert long["cosine_similarity"] < long["lv_eval_f1"]


def test_rouge_2_is_the_worst_score_for_short_answers() -> None:
    areas = list_areas("short")
    assert areas["rouge2"] == min(areas.values())


def test_the_reference_as_keywords_adds_little() -> None:
    areas = list_areas()
    assert 0 < areas["lv_eval_f1_gate"] - areas["lv_eval_f1"] < 0.01


def test_bertscores_recall_is_the_best_score_but_for_the_estimate() -> None:
    areas = list_areas()
    del areas[ESTIMATE]
    assert areas["bertscore_recall"] == max(areas.values())
    assert TAUS["bertscore_recall"] < TAUS["rougeL_recall"]


def test_five_systems_are_ranked() -> None:
    """Their tau is a multiple of 0.2."""
    possible = {1.0, 0.8, 0.6, 0.2, -0.2, -0.6, -0.8}
    assert {round(tau, 6) for tau in TAUS.values()} <= possible
    assert {len(score["means"]) for score in SCORES.values()} == {5}


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
