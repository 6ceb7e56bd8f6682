"""What the numbers mean together: the sentence on scores that disagree, which of them agrees better with people."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lens import DATA
from lens.explanations import agreement_with_people as evidence
from lens.explanations import disagreement
from lens.scoring.catalog import BY_NAME, METRICS, Submission
from lens.scoring.outcome import Outcome
from lens.words import speaking

from tests.benchmarks import tables, verdicts
from tests.demo.agreement import GROUPS, LONG, MEDIUM, SHORT, figures, made, scored

pytestmark = pytest.mark.usefixtures("hold")


def said(outcomes: dict[str, Outcome], submission: Submission) -> str:
    """What the sentence adds on the agreement with people."""
    return disagreement.explain(outcomes, submission).partition("\n")[2]


def scores(**values: float) -> dict[str, Outcome]:
    """Outcomes by the names of metrics."""
    return {name: scored(name, value) for name, value in values.items()}


def broken(*path: str, value: object = None) -> dict[str, Any]:
    """A file with another value in one place."""
    data = made()
    inner = data
    for name in path[:-1]:
        inner = inner[name]
    inner[path[-1]] = value
    return data


BROKEN = [
    ("title is None, not str", broken("title")),
    ("systems is 'five', not int", broken("systems", value="five")),
    ("answers is True, not int", broken("answers", value=True)),
    ("most is None, not int or float", broken("reference_words", "most")),
    ("scores is [], not dict", broken("scores", value=[])),
    ("bleu is 0.9, not dict", broken("scores", "bleu", value=0.9)),
    ("model is None, not str", broken("scores", "bleu", "model")),
    ("overall is [0.9], not 3 numbers from 0 to 1", broken("scores", "bleu", "overall", value=[0.9])),
    ("short is [90, 80, 95], not 3 numbers", broken("scores", "bleu", "short", value=[90, 80, 95])),
    ("long is ['0.9', 0, 1], not 3 numbers", broken("scores", "bleu", "long", value=["0.9", 0, 1])),
    ("tau is -2, not 3 numbers from -1 to 1", broken("scores", "bleu", "tau", value=-2)),
    ("questions is 1.5, not int", broken("scores", "bleu", "questions", value=1.5)),
    ("a|b is [0.1], not 2 numbers", broken("differences", "short", "a|b", value=[0.1])),
    ("reference_words is None, not dict", []),
]


# The file


def test_the_file_that_is_there_can_be_read_and_has_the_cards_that_need_no_judge() -> None:
    found = evidence.parsed(json.loads((DATA / "agreement.json").read_text(encoding="utf-8")))
    needed = {metric.name for metric in METRICS if not metric.judge} | {"lv_eval_f1_gate"}
    assert needed <= {name for name, one in found.scores.items() if "overall" in one.figures}
    assert set(found.differences) == set(GROUPS)


@pytest.mark.parametrize("nothing", [None, [None, None, None], [0.5, None, None]])
def test_a_figure_may_be_missing(nothing: object) -> None:
    found = evidence.parsed(broken("scores", "bleu", "long", value=nothing)).scores["bleu"]
    assert (set(found.figures), found.tau) == ({"overall", "short", "medium"}, evidence.Figure(-0.4, -0.6, -0.2))
    assert evidence.parsed(broken("scores", "bleu", "tau", value=nothing)).scores["bleu"].tau is None


# The sentence


@pytest.mark.parametrize(
    ("values", "submission", "sentence"),
    [
        (
            {"bleu": 0.1, "lv_eval_f1": 0.9},
            LONG,
            "For English answers of over 20 words LV-Eval F1 agrees better with people than BLEU: "
            "AUROC 0.91 against 0.75.",
        ),
        (
            {"bleu": 0.9, "lv_eval_f1": 0.1},
            MEDIUM,
            "For English answers of 5 to 20 words LV-Eval F1 agrees better with people than BLEU: "
            "AUROC 0.91 against 0.75.",
        ),
        (
            {"bleu": 0.1, "rouge": 0.3, "lv_eval_rouge": 0.2, "lv_eval_f1": 0.9},
            LONG,
            "For English answers of over 20 words LV-Eval F1 and ROUGE-L agree with people about equally: "
            "AUROC 0.91 and 0.88.",
        ),
        (
            {"bleu": 0.45, "rouge": 0.49, "lv_eval_rouge": 0.79},
            LONG,
            "For English answers of over 20 words LV-Eval ROUGE agrees better with people than BLEU: "
            "AUROC 0.87 against 0.75.",
        ),
        ({"bleu": 0.55, "lv_eval_f1": 0.8}, LONG, ""),
        ({"bleu": 0.1, "lv_eval_f1": 0.2}, LONG, ""),
        ({"bleu": 0.05, "lv_eval_f1": 0.39}, LONG, ""),
        ({"lv_eval_f1": 0.2}, LONG, ""),
        ({"bleu": 0.1, "lv_eval_f1": 0.9}, Submission("", "moss", ""), ""),
    ],
)
def test_the_better_of_two_camps_is_named_first(
    values: dict[str, float], submission: Submission, sentence: str
) -> None:
    assert said(scores(**values), submission) == sentence


def test_scores_that_are_said_to_agree_are_not_weighed() -> None:
    told = disagreement.explain(scores(bleu=0.28, rouge=0.5), LONG)
    assert told.startswith("Scores of words agree within 0.22 (0.28 to 0.50).")
    assert "\n" not in told
    stays_low = scores(bleu=0.28) | {"lv_eval_f1": scored("lv_eval_f1", 0.5, gate="answer_keywords")}
    assert "LV-Eval F1 agrees better" in said(stays_low, LONG)


def test_two_sides_of_which_a_judge_takes_one_are_weighed() -> None:
    judged = {"l3score": scored("l3score", 1, model="m")}
    assert "ROUGE-L agrees better with people than BLEU" in said(scores(bleu=0.28, rouge=0.5) | judged, LONG)


def test_the_keywords_count_in_the_sentence(hold: Callable[..., None]) -> None:
    data = made()
    data["differences"]["medium"]["lv_eval_f1_gate|rouge"] = [0.04, 0.09]
    hold(data)
    outcomes = {"lv_eval_f1": scored("lv_eval_f1", 0.1, gate="answer_keywords"), "rouge": scored("rouge", 0.9)}
    assert said(outcomes, MEDIUM) == (
        "For English answers of 5 to 20 words LV-Eval F1 agrees better with people than ROUGE-L: "
        "AUROC 0.94 against 0.88. "
        "That was measured with the reference’s own words as keywords."
    )


@pytest.mark.parametrize(
    ("ends", "sentence"),
    [
        ([0.01, 0.2], "LV-Eval F1 agrees better"),
        ([-0.2, -0.01], "LV-Eval F1 agrees better"),
        ([-0.01, 0.2], "LV-Eval F1 and ROUGE-L agree with people about equally"),
        ([0, 0.2], "about equally"),
    ],
)
def test_an_interval_that_holds_0_says_nothing_of_who_is_better(
    ends: list[float], sentence: str, hold: Callable[..., None]
) -> None:
    hold(broken("differences", "long", "lv_eval_f1|rouge", value=ends))
    assert sentence in said(scores(rouge=0.1, lv_eval_f1=0.9), LONG)
    data = made()
    data["differences"]["long"] = {"rouge|lv_eval_f1": ends}
    hold(data)
    assert sentence in said(scores(rouge=0.1, lv_eval_f1=0.9), LONG)


@pytest.mark.parametrize(("spread", "better"), [(0.01, True), (0.02, False)])
def test_without_the_interval_of_a_difference_those_of_the_scores_decide(
    spread: float, better: bool, hold: Callable[..., None]
) -> None:
    data = made(differences={"long": {"lv_eval_f1|rouge": None}})
    data["scores"]["lv_eval_f1"] = figures(0.91, spread)
    hold(data)
    assert ("agrees better" in said(scores(rouge=0.1, lv_eval_f1=0.9), LONG)) == better


def test_two_figures_that_look_alike_have_a_digit_more(hold: Callable[..., None]) -> None:
    data = broken("scores", "lv_eval_f1", value=figures(0.8824))
    hold(data)
    assert said(scores(rouge=0.1, lv_eval_f1=0.9), LONG).endswith("AUROC 0.882 and 0.880.")


def test_where_both_are_weak_neither_should_decide(hold: Callable[..., None]) -> None:
    data = made()
    data["scores"] |= {"lv_eval_f1": figures(0.79), "rouge": figures(0.77)}
    hold(data)
    assert said(scores(rouge=0.1, lv_eval_f1=0.9), LONG) == (
        "For English answers of over 20 words neither LV-Eval F1 nor ROUGE-L should decide alone: people judge "
        "otherwise too often (AUROC 0.79 and 0.77)."
    )


def test_another_language_is_not_spoken_for() -> None:
    for name in ("bleu", "rouge"):
        outcomes = scores(lv_eval_f1=0.9, **{name: 0.1})
        assert said(outcomes, Submission("", "青苔", "青苔")) == (
            "Which of these scores agrees better with people is not measured for Chinese."
        )
    told = {"lv_eval_f1": scored("lv_eval_f1", 0.9, language="zh"), "bleu": scored("bleu", 0.1)}
    assert "not measured for Chinese" in said(told, SHORT)


def test_a_longer_reference_is_said() -> None:
    outcomes = scores(bleu=0.1, lv_eval_f1=0.9)
    longer = Submission("", "moss " * 10, LONG.answer)
    assert said(outcomes, longer) == said(outcomes, LONG) + (
        " That was measured with shorter references (95% have at most 9 words)."
    )


def test_embeddings_join_where_they_are_called_higher() -> None:
    words = scores(bleu=0.1, rouge=0.2)
    higher = disagreement.explain(words | scores(cosine_similarity=0.7), LONG)
    assert "is higher (Cosine similarity 0.70)" in higher
    assert "ROUGE-L agrees better with people than Cosine similarity: AUROC 0.88 against 0.83." in higher
    assert said(words | scores(cosine_similarity=0.4), LONG) == ""
    unknown = {"cosine_similarity": scored("cosine_similarity", 0.7, reference_unknown=1)}
    assert said(words | unknown, LONG) == ""


def test_a_figure_of_another_model_does_not_decide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANSWER_LENS_EMBEDDING_MODEL", "some/other")
    assert said(scores(bleu=0.1, rouge=0.2, cosine_similarity=0.7), LONG) == ""


def test_a_camp_of_which_nothing_is_measured_is_passed_over(hold: Callable[..., None]) -> None:
    data = made()
    del data["scores"]["rouge"]
    hold(data)
    assert said(scores(rouge=0.9, bleu=0.1), LONG) == ""
    assert "LV-Eval F1" in said(scores(rouge=0.9, lv_eval_f1=0.9, bleu=0.1), LONG)


@pytest.mark.parametrize(
    ("words", "verdict", "sentence"),
    [
        ({"bleu": 0.1, "rouge": 0.2}, 1, "L3Score agrees better with people than ROUGE-L: AUROC 0.97 against 0.88."),
        ({"bleu": 0.8, "rouge": 0.9}, 0, "L3Score agrees better with people than ROUGE-L: AUROC 0.97 against 0.88."),
        ({"bleu": 0.1, "rouge": 0.9}, 0, "L3Score agrees better with people than ROUGE-L: AUROC 0.97 against 0.88."),
        ({"bleu": 0.1, "rouge": 0.9}, 0.5, "ROUGE-L agrees better with people than BLEU: AUROC 0.88 against 0.75."),
        ({"bleu": 0.1, "rouge": 0.2}, 0, ""),
        ({"bleu": 0.2, "rouge": 0.45}, 1, ""),
    ],
)
def test_a_judge_joins_where_it_was_measured(
    words: dict[str, float], verdict: float, sentence: str, hold: Callable[..., None]
) -> None:
    outcomes = scores(**words) | {"l3score": scored("l3score", verdict, model="gpt-x")}
    assert "L3Score" not in said(outcomes, LONG)
    hold(broken("scores", "l3score", value=figures(0.97, model="openai/gpt-x", questions=60)))
    assert said(outcomes, LONG).partition("words ")[2] == sentence
    neither = outcomes | {"l3score": scored("l3score", 0, branch="neither", model="gpt-x")}
    assert "L3Score" not in said(neither, LONG)


def test_judges_that_contradict_each_other_are_weighed(hold: Callable[..., None]) -> None:
    data = made()
    data["scores"] |= {"l3score": figures(0.9, model="m"), "eve_judge": figures(0.95, model="m")}
    hold(data)
    judged = {"l3score": scored("l3score", 1, model="m"), "eve_judge": scored("eve_judge", 0, model="m")}
    assert said(judged, LONG) == "", "judges alone have nothing to be compared with"
    judged |= scores(bleu=0.45)
    assert "EVE judge agrees better with people than L3Score: AUROC 0.95 against 0.90." in said(judged, LONG)


VALUES = st.sampled_from([0.0, 0.05, 0.1, 0.39, 0.4, 0.45, 0.5, 0.69, 0.7, 0.9, 0.95, 1.0])


@given(st.dictionaries(st.sampled_from(sorted(BY_NAME)), VALUES, min_size=1), st.sampled_from([SHORT, MEDIUM, LONG]))
def test_the_camps_are_scores_apart_and_each_is_in_one(found: dict[str, float], submission: Submission) -> None:
    outcomes = scores(**found)
    kinds = (disagreement.of_kind(outcomes, kind) for kind in ("words", "embeddings", "judges"))
    high, low = disagreement.camps(*kinds)
    assert not high.keys() & low.keys()
    if high and low:
        assert max(found[name] for name in high) > min(found[name] for name in low)
        agreed = "Scores of words agree within" in disagreement.explain(outcomes)
        assert not agreed or {BY_NAME[name].kind for name in (*high, *low)} != {"words"}
    told = disagreement.explain(outcomes, submission)
    assert told.partition("\n")[0] == disagreement.explain(outcomes)
    assert told.count("\n") <= (1 if high and low else 0)


# Both languages


def test_in_chinese_no_english_words_are_left() -> None:
    with speaking("zh"):
        told = said(scores(bleu=0.1, lv_eval_f1=0.9), LONG)
    for name in ("LV-Eval F1", "BLEU", "AUROC"):
        told = told.replace(name, "")
    assert not any(sign.isascii() and sign.isalpha() for sign in told)


# What the command that measures and the page that shows must have in common


@pytest.mark.parametrize(
    "text", ["", "a b\tc\nd", "a b c d e", "w " * 20, "w " * 21, "曹雪芹", "他 wrote 红楼梦 in 1791"]
)
def test_words_and_lengths_are_those_of_the_command(text: str) -> None:
    assert evidence.words_of(text) == verdicts.words(text)
    assert evidence.length_of(text) in ("", verdicts.Answer(0, "", text, True).length)
    assert bool(evidence.length_of(text)) == bool(text)


def test_the_bound_of_trust_is_that_of_the_command() -> None:
    assert evidence.TRUSTED == tables.WEAK
    assert (*verdicts.LENGTHS,) == evidence.LENGTHS
