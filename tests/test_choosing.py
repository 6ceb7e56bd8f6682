"""What the README says under "Choosing a score" and no example there shows; and the order of figures it rests on."""

import sys
from typing import Any

import pytest

from tests.benchmarks import costs, pages, tables
from tests.support import models, project
from tests.support.project import load


@pytest.fixture(scope="module")
def scores() -> dict[str, Any]:
    """Return the scores of the data set that the page speaks of."""
    found: dict[str, Any] = pages.first(pages.known(pages.RESULTS))["scores"]
    return found


def area(scores: dict[str, Any], name: str, length: str = "") -> float:
    """Return an AUROC."""
    figures = scores[name]["lengths"][length] if length else scores[name]["overall"]
    return float(figures["auroc"])


def test_recall_is_better_than_f_for_long_answers_and_ranks_as_people_do(scores: dict[str, Any]) -> None:
    for recall, whole in (("rougeL_recall", "rougeL"), ("lv_eval_f1_recall", "lv_eval_f1")):
        assert area(scores, recall, "long") > area(scores, whole, "long") > area(scores, "bleu", "long")
        assert scores[recall]["tau"] > 0 >= scores[whole]["tau"] > scores["bleu"]["tau"]
    assert area(scores, "cosine_similarity", "long") < area(scores, "lv_eval_f1", "long")


def test_no_score_of_words_is_lower_than_rouge_2_for_short_answers(scores: dict[str, Any]) -> None:
    assert area(scores, "rouge2", "short") == min(area(scores, name, "short") for name in scores)


def test_the_reference_as_keywords_adds_little(scores: dict[str, Any]) -> None:
    assert 0 < area(scores, "lv_eval_f1_gate") - area(scores, "lv_eval_f1") < 0.01


def test_embeddings_lose_more_than_f1_does_and_the_recall_of_bertscore_is_highest(scores: dict[str, Any]) -> None:
    lost = {
        name: area(scores, name, "short") - area(scores, name, "long")
        for name in ("lv_eval_f1", "cosine_similarity", "bertscore")
    }
    assert lost["lv_eval_f1"] == min(lost.values())
    assert area(scores, "bertscore_recall") == max(area(scores, name) for name in scores)
    assert scores["bertscore_recall"]["tau"] < scores["rougeL_recall"]["tau"]


def test_the_words_for_tau_fit_five_systems(scores: dict[str, Any]) -> None:
    known = {0.8, 0.6, 0.2, -0.2, -0.6, -0.8}
    assert {round(score["tau"], 6) for score in scores.values()} <= known
    assert all(len(score["means"]) == 5 for score in scores.values())


def test_the_shortest_answers_are_those_of_one_system() -> None:
    entry = pages.first(pages.known(pages.RESULTS))
    short = entry["lengths"]["short"]
    name, count = max(short["of"].items(), key=lambda pair: pair[1])
    assert 2 * count > short["answers"]
    assert f"{count:,} of the {short['answers']:,} answers of under 5 words are those of {name}." in tables.about(entry)


def test_chinese_with_the_wrong_author(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(project.ROOT / "spaces" / "answer_lens"))
    from lens.page.answer_tab import EXAMPLES

    wrong = EXAMPLES["wrong_name"]
    texts = {"predictions": [wrong.answer], "references": [wrong.reference]}
    f1 = load("lv_eval_f1")
    keyed = {**texts, "answer_keywords": [wrong.keywords]}
    assert round(f1.compute(**keyed)["lv_eval_f1"], 3) == 0.944
    assert f1.compute(**keyed, min_keyword_recall=1.0)["lv_eval_f1"] == 0
    cosine = load("cosine_similarity").compute(**texts, model=models.minilm(), per_example=True)
    assert round(cosine["average_cosine_similarity"], 3) == 1
    assert "21 in the prediction" in cosine["per_example"][0]["note"]
    bertscore = load("bertscore").compute(**texts, model_type=models.minilm(), num_layers=6)
    assert round(bertscore["f1"], 3) == 1


def test_identical_chinese_texts_are_nothing_to_rouge_score() -> None:
    same = {"predictions": ["北京是中国的首都"], "references": ["北京是中国的首都"]}
    assert load("rouge").compute(**same, language="en")["rouge1"] == 0
    assert load("rouge").compute(**same)["rouge1"] == 1


def test_the_gate_is_as_good_as_its_keywords() -> None:
    f1, days = load("lv_eval_f1"), {"references": ["5 days"], "answer_keywords": ["5"]}
    assert f1.compute(predictions=["five days"], **days)["lv_eval_f1"] == 0
    assert f1.compute(predictions=["not 5 days"], **days)["lv_eval_f1"] == 0.8
    words = "one two three four five"
    assert f1.compute(predictions=["one"], references=[words], answer_keywords=[words])["lv_eval_f1"] > 0


def test_recall_is_cheap_to_raise() -> None:
    texts = {"predictions": ["Canada or Mexico or Cuba or Brazil"], "references": ["Canada"]}
    row = load("lv_eval_f1").compute(**texts, per_example=True)["per_example"][0]
    assert (row["recall"], row["f1"]) == (1, 0.25)


def test_short_answers_have_no_pairs_and_no_four_words() -> None:
    one, two = ["Canada"], ["Jane Austen"]
    assert load("rouge").compute(predictions=one, references=one)["rouge2"] == 0
    assert load("bleu").compute(predictions=two, references=two)["bleu"] == 0


def test_a_judge_that_says_the_same_of_everything() -> None:
    kinds = ["represent", "represent", "error", "error"]
    found = load("judge_bias").compute(predictions=["4"] * 4, references=[4] * 4, perturbation_categories=kinds)
    assert (found["repr_bias"], found["error_sensitivity"]) == (0, 0)


@pytest.mark.skipif(sys.version_info < (3, 11), reason="genai-prices needs Python 3.11")
def test_prices_are_asked_of_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    found = costs.estimates()
    assert found["prices"].startswith("genai-prices ")
    for judge in ("l3score", "eve_judge"):
        for model in costs.MODELS:
            assert 0 < found[judge][model]["short"] < found[judge][model]["long"]
        assert found[judge]["gpt-4o-mini"]["long"] < found[judge]["gpt-4.1"]["long"]
    assert len(costs.LONG.split()) == 100
