"""The examples, and the sentence on where scores of one answer disagree."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lens.explanations import disagreement
from lens.page.answer_tab import EXAMPLES
from lens.scoring import pasted_answer
from lens.scoring.catalog import Submission
from lens.scoring.outcome import Outcome

from tests.demo.made import BY_NAME, FOUR, KNOWN, OF_WORDS, OWN, reason, scored

pytestmark = pytest.mark.usefixtures("small_models")


@pytest.fixture(scope="module")
def example_outcomes() -> dict[str, dict[str, Outcome]]:
    """The real scores of all examples."""
    return {name: {metric.name: pasted_answer.score(metric, one) for metric in KNOWN} for name, one in EXAMPLES.items()}


def test_the_examples_show_what_they_claim(example_outcomes: dict[str, dict[str, Outcome]]) -> None:
    def values(label: str) -> dict[str, float]:
        return {name: example_outcomes[label][name].score or 0.0 for name in FOUR}

    wrong = values("wrong_country")
    assert wrong["lv_eval_f1"] == 0
    assert wrong["bleu"] == pytest.approx(0.8787, abs=1e-4)
    assert wrong["rouge"] == pytest.approx(20 / 21)
    assert max(values("other_words").values()) < 0.2
    long = example_outcomes["long"]["lv_eval_f1"]
    assert long.per_example is not None
    assert long.per_example["keyword_recall"] == 1
    assert max(values("long").values()) < 0.25
    scrambled = values("scrambled")
    assert scrambled["lv_eval_f1"] == 1
    assert scrambled["bleu"] < 0.3
    assert scrambled["rouge"] == pytest.approx(0.5)
    name = example_outcomes["wrong_name"]["lv_eval_f1"]
    assert name.per_example is not None
    assert name.per_example["missing_keywords"] == ["曹雪芹"]
    assert min(values("wrong_name").values()) > 0.85
    reworded = example_outcomes["reworded"]["lv_eval_f1"]
    assert reworded.per_example is not None
    assert reworded.per_example["keyword_recall"] == 1
    assert max(values("reworded").values()) < 0.4


def test_each_example_has_a_sentence_of_its_own(example_outcomes: dict[str, dict[str, Outcome]]) -> None:
    said = {label: disagreement.explain(outcomes) for label, outcomes in example_outcomes.items()}
    expected = {
        "wrong_country": "keyword gate is not met: none of the keywords",
        "other_words": "Scores of words agree that little wording is shared",
        "long": "7.4 times as long as the reference",
        "scrambled": "the same words in another order",
        "wrong_name": "A keyword is missing (曹雪芹)",
        "reworded": "only 6 of the answer’s 20 are among them",
    }
    for label, part in expected.items():
        assert part in said[label]


NIAGARA = "The falls lie between the United States and {}"


MANY = [f"k{i}" for i in range(51)]


@pytest.mark.parametrize(
    ("reference", "answer", "keywords", "sentence"),
    [
        (NIAGARA.format("Canada"), NIAGARA.format("Mexico"), "Canada", "reward the shared words, but LV-Eval F1 is 0"),
        (
            "Mercury is closest to the Sun",
            "Venus is the hottest planet",
            "Mercury",
            "LV-Eval F1 is 0, because the keyword",
        ),
        ("The Who in London", "The Who in Leeds", "The Who", "the keywords “who” never count, being on"),
        ("with her dog", "with her cat", "with her dog", "none of the keywords is in the answer (missing: dog); “with"),
        (
            "这是我的和你的",
            "这是我的和你的",
            "",
            "of which 2 of 7 count as found (words on LV-Eval’s blacklist, here 5,",
        ),
        (" ".join(MANY), " ".join(MANY[:10]), " ".join(MANY), "10 of the 51 words of the keywords are in the answer"),
        ("Rome", "Oslo", "paris paris paris", "(missing: paris)"),
        ("Rome", "Oslo", "x" * 3000, f"(missing: {'x' * 40}…)"),
        ("一二三四五六七", "一二三四五六七", "九十 一二三四五六七", "A keyword is missing (九十)"),
        (
            "The Capital Is Paris",
            "THE CAPITAL IS PARIS",
            "Paris",
            "BLEU 0.00 minds upper and lower case and punctuation",
        ),
        ("Paris", "paris", "", "without them the two texts are the same (ROUGE-L 1.00)"),
        ("dog bit the man", "man bit the dog", "", "the same words in another order. ROUGE-1 1.00"),
        ("alpha beta gamma delta", "delta gamma zeta alpha", "", "many words are shared, but in another order"),
        ("Paris is in France", "well " * 20 + "Paris", "Paris", "5.2 times as long as the reference"),
        ("It is well known that Paris is big and old", "Paris", "Paris", "the answer is short (1 against 10 words)"),
        (
            "he wrote it in 1813 alone",
            "1813 saw her publish several novels",
            "1813",
            "only 1 of the answer’s 6 are among",
        ),
        ("red fox", "blue dog", "", "Scores of words agree that little wording is shared (0.00)"),
        ("red fox runs on", "red fox runs on", "...", "Scores of words agree (1.00): the answer repeats the reference"),
        ("!!!", "!!!", "", "found no word to compare, which is 0 by definition"),
        ("the a an", "the a an", "", "but LV-Eval F1 0.00 found no word to compare"),
        ("It is safe for children.", "It is not safe for children.", "safe", "1 of 4 stand in the reference, and BLEU"),
        ("1,000,000", "1000000", "", "of those that compare words LV-Eval F1 1.00 is highest, BLEU 0.00 lowest."),
        ("one two three four five", "one two three four six", "", "No keywords were given"),
        ("Paris", "", "", "The answer has no words that a metric could compare"),
    ],
)
def test_the_sentence_is_true_of_real_scores(reference: str, answer: str, keywords: str, sentence: str) -> None:
    submission = Submission("", reference, answer, keywords)
    found = {metric.name: pasted_answer.score(metric, submission) for metric in OWN}
    assert sentence in disagreement.explain({metric.name: found[metric.name] for metric in KNOWN})
    said = disagreement.explain(found)
    assert len(said) < 600
    words = {metric.name: found[metric.name] for metric in OF_WORDS}
    assert said.startswith(disagreement.explain(words)), "the embeddings changed what is said of the words"


def test_one_score_or_none_is_not_compared() -> None:
    assert "No score could be computed" in disagreement.explain({})
    assert "Only BLEU 0.30 could be computed" in disagreement.explain({"bleu": scored("bleu", 0.3)})


def test_a_metric_of_words_need_not_give_tokens() -> None:
    given = {name: value for name, value in reason("bleu", score=0.0).items() if not name.endswith("_tokens")}
    found = {"bleu": Outcome("scored", 0.0, given, "bleu"), "rouge": scored("rouge", 0.5)}
    assert "BLEU" in disagreement.explain(found)


@given(
    st.dictionaries(
        st.sampled_from(sorted(BY_NAME)),
        st.tuples(st.floats(0, 1), st.booleans(), st.sampled_from(["answer_keywords", "reference", "none"])),
    )
)
def test_there_is_always_one_sentence(found: dict[str, tuple[float, bool, str]]) -> None:
    outcomes = {}
    for name, (score, passed, gate) in found.items():
        changes: dict[str, Any] = {"gate_passed": passed, "gate": gate} if name == "lv_eval_f1" else {}
        outcomes[name] = scored(name, score, **changes)
    sentence = disagreement.explain(outcomes)
    assert sentence.strip()
    assert "{" not in sentence


@pytest.mark.parametrize(
    ("words", "near", "said"),
    [
        (
            {"bleu": 0.8, "rouge": 0.9},
            {"cosine_similarity": 0.97, "bertscore": 0.95},
            "is high too (Cosine similarity 0.97",
        ),
        (
            {"bleu": 0.1, "rouge": 0.2},
            {"cosine_similarity": 0.7},
            "is higher (Cosine similarity 0.70), on a scale of its",
        ),
        ({"bleu": 0.6, "rouge": 0.7}, {"bertscore": 0.6}, "space, on a scale of its own: BERTScore 0.60."),
        ({"bleu": 0.3}, {"bertscore": 0.6}, "Of the scores that compare words only BLEU 0.30 could be computed."),
        ({}, {"bertscore": 0.6}, "No score that compares words could be computed, only nearness"),
    ],
)
def test_embeddings_are_named_beside_the_words(words: dict[str, float], near: dict[str, float], said: str) -> None:
    outcomes = {name: scored(name, score) for name, score in (words | near).items()}
    sentence = disagreement.explain(outcomes)
    assert said in sentence
    for name in near:
        assert not re.search(f"{BY_NAME[name].title} [0-9.]+ (is highest|lowest)", sentence)


def test_words_that_a_model_does_not_know_are_said() -> None:
    words = {"bleu": scored("bleu", 0.8), "rouge": scored("rouge", 0.9)}
    near = {name: scored(name, 0.97, reference_unknown=2) for name in ("cosine_similarity", "bertscore")}
    said = disagreement.explain(words | near)
    assert "(Cosine similarity 0.97 and BERTScore 0.97) says little here: the model does not know" in said


def test_only_the_words_are_compared() -> None:
    words = {"bleu": scored("bleu", 0.5), "rouge": scored("rouge", 0.55)}
    near = {"cosine_similarity": scored("cosine_similarity", -0.2), "bertscore": scored("bertscore", 0.99)}
    assert "within 0.05 (0.50 to 0.55)" in disagreement.explain(words | near)


@pytest.mark.parametrize(
    ("words", "judged", "said"),
    [
        ({"bleu": 0.1, "rouge": 0.2}, {"l3score": 0.97, "eve_judge": 1}, "contradicts the words (L3Score 0.97 and EVE"),
        ({"bleu": 0.8, "rouge": 0.9}, {"l3score": 0.02, "eve_judge": 0}, "contradicts the words (L3Score 0.02 and EVE"),
        ({"bleu": 0.8, "rouge": 0.9}, {"l3score": 0.97}, "A language model’s verdict: L3Score 0.97."),
        ({"bleu": 0.45, "rouge": 0.9}, {"eve_judge": 0}, "A language model’s verdict: EVE judge FAIL."),
        (
            {"lv_eval_f1": 0.0, "bleu": 0.88, "rouge": 0.95},
            {"l3score": 0.001, "eve_judge": 0},
            "A language model sides with LV-Eval F1 (L3Score <0.01 and EVE judge FAIL): it",
        ),
        (
            {"lv_eval_f1": 0.6, "bleu": 0.1, "rouge": 0.7},
            {"eve_judge": 1},
            "A language model sides with LV-Eval F1 and ROUGE-L (EVE judge PASS): it",
        ),
        ({"bleu": 0.1, "rouge": 0.2}, {"eve_judge": 0}, "A language model’s verdict: EVE judge FAIL."),
        ({"bleu": 0.1, "rouge": 0.2}, {"l3score": 0.5}, "A language model’s verdict: L3Score 0.50."),
        ({"bleu": 0.1, "rouge": 0.9}, {"l3score": 0.95, "eve_judge": 0}, "contradict each other (L3Score 0.95 and EVE"),
        ({}, {"l3score": 0.95}, "Only a judge gave a score"),
        ({"cosine_similarity": 0.5}, {"eve_judge": 1}, "0.50. A language model’s verdict: EVE judge PASS."),
    ],
)
def test_judges_are_named_beside_the_words(words: dict[str, float], judged: dict[str, float], said: str) -> None:
    outcomes = {name: scored(name, score) for name, score in (words | judged).items()}
    sentence = disagreement.explain(outcomes)
    assert said in sentence
    assert "contradict" in said or "contradict" not in sentence
    if words:
        assert sentence.startswith(disagreement.explain({name: outcomes[name] for name in words}))


def test_a_judge_that_says_neither_yes_nor_no_contradicts_nobody() -> None:
    words = {name: scored(name, 0.9) for name in ("bleu", "rouge")}
    neither = {"l3score": scored("l3score", 0.0, branch="neither")}
    assert disagreement.explain(words | neither) == disagreement.explain(words)
    passed = disagreement.explain(words | neither | {"eve_judge": scored("eve_judge", 1)})
    assert passed.endswith(" A language model’s verdict: EVE judge PASS.")
