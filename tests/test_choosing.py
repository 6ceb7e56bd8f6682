"""What the README says under "Choosing a score" and no example there shows.

And the order of figures it rests on.
"""

from typing import Any

import pytest

from metrics.benchmarks import judged, pages
from metrics.benchmarks.series import ESTIMATE
from tests.support import models
from tests.support.project import load


def test_the_order_of_the_figures() -> None:
    scores: dict[str, Any] = pages.get_first_data(pages.load_figures(pages.RESULTS))["scores"]

    def area(name: str, length: str = "") -> float:
        return float(
            (scores[name]["lengths"][length] if length else scores[name]["overall"])["auroc"]
        )

    # Recall is better than F for long answers, and ranks as people do.
    for recall, whole in (("rougeL_recall", "rougeL"), ("lv_eval_f1_recall", "lv_eval_f1")):
        assert area(recall, "long") > area(whole, "long") > area("bleu", "long")
        assert scores[recall]["tau"] > 0 >= scores[whole]["tau"] > scores["bleu"]["tau"]
    assert area("cosine_similarity", "long") < area("lv_eval_f1", "long")
    assert area("rouge2", "short") == min(area(name, "short") for name in scores)
    # The reference as keywords adds little.
    assert 0 < area("lv_eval_f1_gate") - area("lv_eval_f1") < 0.01
    # Embeddings lose more with length than F1 does; the recall of BERTScore is highest.
    lost = {
        name: area(name, "short") - area(name, "long")
        for name in ("lv_eval_f1", "cosine_similarity", "bertscore")
    }
    assert min(lost, key=lambda name: lost[name]) == "lv_eval_f1"
    assert area("bertscore_recall") == max(area(name) for name in scores if name != ESTIMATE)
    assert scores["bertscore_recall"]["tau"] < scores["rougeL_recall"]["tau"]
    # The words for tau fit five systems.
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


def test_chinese_with_the_wrong_author() -> None:
    from lens.page.answer.answer_tab import (
        EXAMPLES,
    )  # importing `pages` has put the demo's folder on the path

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
    ("score", "prediction", "reference", "asked", "expected"),
    [
        (ROUGE, SAME, SAME, {"language": "en"}, 0),  # as rouge_score has it
        (ROUGE, SAME, SAME, {}, 1),
        # The gate is as good as its keywords.
        (F1, ["five days"], ["5 days"], {"answer_keywords": ["5"]}, 0),
        (F1, ["not 5 days"], ["5 days"], {"answer_keywords": ["5"]}, 0.8),
        (F1, ["one"], [FIVE], {"answer_keywords": [FIVE]}, 1 / 3),
        # Recall is cheap to raise.
        (("lv_eval_f1", "recall"), ["Canada or Mexico or Cuba or Brazil"], ["Canada"], {}, 1),
        (F1, ["Canada or Mexico or Cuba or Brazil"], ["Canada"], {}, 0.25),
        # Short answers have no pairs and no four words.
        (("rouge", "rouge2"), ["Canada"], ["Canada"], {}, 0),
        (("bleu", "bleu"), ["Jane Austen"], ["Jane Austen"], {}, 0),
    ],
)
def test_what_is_said_of_a_score(
    score: Any,
    prediction: Any,
    reference: Any,
    asked: Any,
    expected: float,
) -> None:
    module, key = score
    found = load(module).compute(
        predictions=prediction, references=reference, per_example=True, **asked
    )
    assert {**found["per_example"][0], **found}[key] == pytest.approx(expected, abs=1e-12)


def test_a_judge_that_says_the_same_of_everything() -> None:
    kinds = ["represent", "represent", "error", "error"]
    found = load("judge_bias").compute(
        predictions=["4"] * 4, references=[4] * 4, perturbation_categories=kinds
    )
    assert found["repr_bias"] == 0
    assert found["error_sensitivity"] == 0


def test_the_prices_are_those_of_today_and_asked_of_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    written = pages.load_figures(pages.RESULTS)["costs"]
    if judged.find_price_source() != written["prices"]:
        pytest.skip(f"{written['prices']} is not installed")
    assert judged.estimate_prices() == written
