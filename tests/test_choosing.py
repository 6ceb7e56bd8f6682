"""Statements of the guide under "Choosing a score" that none of its examples shows.

Also the order of the figures that they rely on.
"""

from typing import Any

import pytest

from metrics.benchmarks import judged, pages
from metrics.benchmarks.series import ESTIMATE
from tests.support import models
from tests.support.project import load

# The figures of each score, such as its AUROC on short answers, as `make agreement` measured them.
FIGURES = pages.load_figures(pages.RESULTS)
SCORES: dict[str, Any] = pages.get_first_data(FIGURES)["scores"]
# Kendall's tau between the order of systems by a score and that by people.
TAUS = {name: score["tau"] for name, score in SCORES.items()}


def list_areas(length: str = "") -> dict[str, float]:
    """Return the AUROC of each score on answers of a length ("short"); "" for all answers."""
    areas = {}
    for name, score in SCORES.items():
        figures = score["lengths"][length] if length else score["overall"]
        areas[name] = float(figures["auroc"])
    return areas


@pytest.mark.parametrize(
    ("recall", "f1"),
    [
        ("rougeL_recall", "rougeL"),
        ("lv_eval_f1_recall", "lv_eval_f1"),
    ],
)
def test_for_long_answers_recall_is_better_than_f1_and_ranks_systems_like_people(
    recall: str, f1: str
) -> None:
    areas = list_areas("long")
    assert areas[recall] > areas[f1] > areas["bleu"]
    assert TAUS[recall] > 0 >= TAUS[f1] > TAUS["bleu"]


def test_with_longer_answers_embeddings_lose_more_than_f1() -> None:
    short = list_areas("short")
    long = list_areas("long")
    loss_of_f1 = short["lv_eval_f1"] - long["lv_eval_f1"]
    for name in ("cosine_similarity", "bertscore"):
        loss_of_embeddings = short[name] - long[name]
        assert loss_of_embeddings > loss_of_f1
    assert long["cosine_similarity"] < long["lv_eval_f1"]


def test_rouge_2_is_the_worst_score_for_short_answers() -> None:
    areas = list_areas("short")
    assert areas["rouge2"] == min(areas.values())


def test_the_reference_as_keywords_adds_little() -> None:
    areas = list_areas()
    gain = areas["lv_eval_f1_gate"] - areas["lv_eval_f1"]
    assert 0 < gain < 0.01


def test_bertscores_recall_is_the_best_score_but_for_the_estimate() -> None:
    areas = list_areas()
    del areas[ESTIMATE]
    assert areas["bertscore_recall"] == max(areas.values())
    assert TAUS["bertscore_recall"] < TAUS["rougeL_recall"]


def test_five_systems_are_ranked() -> None:
    """Their tau is a multiple of 0.2."""
    possible = {1.0, 0.8, 0.6, 0.2, -0.2, -0.6, -0.8}
    taus = {round(tau, 6) for tau in TAUS.values()}
    assert taus <= possible
    for name, score in SCORES.items():
        assert len(score["means"]) == 5, name


def test_scores_of_a_chinese_answer_with_the_wrong_author() -> None:
    # Importing `pages` has put the demo's folder on the path.
    from lens.page.answer.answer_form import EXAMPLES

    wrong = EXAMPLES["wrong_name"]
    texts = {"predictions": [wrong.answer], "references": [wrong.reference]}
    with_keywords = {**texts, "answer_keywords": [wrong.keywords]}
    f1 = load("lv_eval_f1")
    without_gate = f1.compute(**with_keywords, min_keyword_recall=None)
    with_gate = f1.compute(**with_keywords, min_keyword_recall=1)
    assert round(without_gate["lv_eval_f1"], 3) == 0.944
    assert with_gate["lv_eval_f1"] == 0
    minilm = models.find_minilm()
    cosine = load("cosine_similarity").compute(**texts, model=minilm, per_example=True)
    (row,) = cosine["per_example"]
    assert round(cosine["average_cosine_similarity"], 3) == 1
    assert "21 in the prediction" in row["note"]
    bertscore = load("bertscore").compute(**texts, model_type=minilm, num_layers=6)
    assert round(bertscore["f1"], 3) == 1


BEIJING = "北京是中国的首都"
FIVE = "one two three four five"
MANY = "Canada or Mexico or Cuba or Brazil"


@pytest.mark.parametrize(
    ("score", "prediction", "reference", "settings", "expected"),
    [
        # With language="en", ROUGE finds no words in Chinese, as rouge_score.
        ("rouge rouge1", BEIJING, BEIJING, {"language": "en"}, 0),
        ("rouge rouge1", BEIJING, BEIJING, {}, 1),
        # The gate depends on its keywords.
        ("lv_eval_f1 lv_eval_f1", "five days", "5 days", {"answer_keywords": ["5"]}, 0),
        ("lv_eval_f1 lv_eval_f1", "not 5 days", "5 days", {"answer_keywords": ["5"]}, 0.8),
        ("lv_eval_f1 lv_eval_f1", "one", FIVE, {"answer_keywords": [FIVE]}, 1 / 3),
        # Recall is easy to raise with more words.
        ("lv_eval_f1 recall", MANY, "Canada", {}, 1),
        ("lv_eval_f1 lv_eval_f1", MANY, "Canada", {}, 0.25),
        # Short answers have no bigrams and no 4-grams.
        ("rouge rouge2", "Canada", "Canada", {}, 0),
        ("bleu bleu", "Jane Austen", "Jane Austen", {}, 0),
    ],
)
def test_statements_of_the_guide_about_single_scores(
    score: str,
    prediction: str,
    reference: str,
    settings: dict[str, Any],
    expected: float,
) -> None:
    """`score` names the module and the key of its result, or of the row's entry."""
    module, key = score.split()
    metric = load(module)
    texts = {"predictions": [prediction], "references": [reference]}
    result = metric.compute(**texts, per_example=True, **settings)
    (row,) = result["per_example"]
    values = row | result
    assert values[key] == pytest.approx(expected, abs=1e-12)


def test_a_judge_with_equal_scores_has_neither_bias_nor_sensitivity() -> None:
    categories = ["represent", "represent", "error", "error"]
    result = load("judge_bias").compute(
        predictions=["4"] * 4, references=[4] * 4, perturbation_categories=categories
    )
    assert result["repr_bias"] == 0
    assert result["error_sensitivity"] == 0


def test_the_stored_prices_equal_those_of_the_installed_package(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    stored = FIGURES["costs"]
    if judged.find_price_source() != stored["prices"]:
        pytest.skip(f"{stored['prices']} is not installed")
    assert judged.estimate_prices() == stored
