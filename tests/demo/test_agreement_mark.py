"""The mark on a card: how well its score agrees with people, and how far that is known."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from lens.explanations import agreement_with_people as evidence
from lens.explanations.agreement_with_people import AgreementTexts, describe_agreement_with_people
from lens.page.answer.cards import draw_card
from lens.scoring.catalog import BY_NAME
from lens.scoring.metric_result import MetricResult
from lens.scoring.submission import Submission

from tests.demo.metric_samples import make_scored_result

pytestmark = pytest.mark.usefixtures("hold")

Hold = Callable[..., None]
GROUPS = ("overall", *evidence.LENGTHS)
SHORT = Submission("", "moss", "red moss")
MEDIUM = Submission("", "moss", "a patch of red moss on it")
LONG = Submission("", "moss", "red moss " * 11)
CHINESE = Submission("", "青苔", "青苔")
MARKUP = "\"'><script>x</script>"
AGAINST, WEAK = "ranks systems against people", "weak for answers of this length"


def make_figures(value: float, spread: float = 0.01, **changes: Any) -> dict[str, Any]:
    """Return a score's entry in the file: the same AUROC in every group of answer lengths.

    Args:
        value: the AUROC.
        spread: half the width of its interval.
        changes: entries that are added or replaced.
    """
    ends = [value, round(value - spread, 4), round(value + spread, 4)]
    return {
        "model": "",
        "tau": [0.4, 0.2, 0.6],
        **{group: list(ends) for group in GROUPS},
        **changes,
    }


def make_agreement(**changes: Any) -> dict[str, Any]:
    """Return a made-up file of agreement, unlike the real one in every figure and name."""
    scores = {
        "lv_eval_f1": make_figures(0.91),
        "lv_eval_f1_gate": make_figures(0.938, medium=[0.942, 0.93, 0.95]),
        "bleu": make_figures(0.75, tau=[-0.4, -0.6, -0.2], short=[0.955, 0.95, 0.96]),
        "rouge": make_figures(0.88),
        "correctness_estimate": make_figures(0.97),
        "lv_eval_rouge": make_figures(0.87),
        "cosine_similarity": make_figures(0.83, model="all-MiniLM-L6-v2"),
    }
    return {
        "title": "Pebble Quiz",
        "source": "Doe 1999",
        "url": "https://example.org/pebbles",
        "language": "en",
        "questions": 1234,
        "answers": 8638,
        "systems": 7,
        "reference_words": {"median": 3, "most": 9},
        "scores": scores,
    } | changes


@pytest.fixture
def hold(monkeypatch: pytest.MonkeyPatch) -> Hold:
    """Return a function that replaces the page's file of agreement; at first a made-up one."""
    for variable in ("ANSWER_LENS_EMBEDDING_MODEL", "ANSWER_LENS_BERTSCORE_MODEL"):
        monkeypatch.delenv(variable, raising=False)

    def hold_file(data: dict[str, Any] | None = None) -> None:
        content = data or make_agreement()
        monkeypatch.setattr(evidence, "load_agreement", lambda: content)

    hold_file()
    return hold_file


def find_mark(name: str, submission: Submission = SHORT, **changes: Any) -> AgreementTexts:
    """Return the mark of a score for a submission."""
    mark = describe_agreement_with_people(
        BY_NAME[name],
        make_scored_result(name, **({"gate": "none", "model": ""} | changes)),
        submission,
    )
    assert mark
    return mark


def describe_mark(name: str, submission: Submission = SHORT, **changes: Any) -> str:
    """Return the sentences that explain a mark."""
    texts = find_mark(name, submission, **changes)
    return f"{texts.figures} {texts.limits}"


def change_score(score: str, **values: object) -> dict[str, Any]:
    """Return a made-up file with other entries for one score."""
    data = make_agreement()
    data["scores"].setdefault(score, {}).update(values)
    return data


# The score, its entries in the file, the submission, the expected mark (a figure and its doubts),
# and a part of the sentences below it.
LINES: list[tuple[str, dict[str, Any], Submission, str, str]] = [
    ("rouge", {}, SHORT, "0.88", "with a Kendall’s tau of 0.40 (95% interval"),
    (
        "lv_eval_f1",
        {},
        SHORT,
        "0.91",
        "In 91 of 100 pairs of a right and a wrong answer, it scores the right one higher",
    ),
    (
        "bleu",
        {},
        SHORT,
        f"0.75 ({AGAINST})",
        "It ranks the 7 systems with a Kendall’s tau of -0.40",
    ),
    ("bleu", {}, MEDIUM, f"0.75 ({WEAK}, {AGAINST})", ""),
    ("bleu", {}, LONG, f"0.75 ({WEAK}, {AGAINST})", ""),
    ("bleu", {}, Submission("", "moss", " "), f"0.75 (weak, {AGAINST})", ""),
    ("bleu", {}, CHINESE, "0.75 (not measured for Chinese)", ""),
    (
        "rouge",
        {},
        Submission("", "мох", "мох"),
        "0.88 (not measured for this answer’s language)",
        "",
    ),
    (
        "rouge",
        {},
        Submission("", "Cao Xueqin", "作者是清代作家曹雪芹 Cao"),
        "0.88 (not measured for Chinese)",
        "",
    ),
    (
        "rouge",
        {},
        Submission("", "Cao", "さくらがさいた"),
        "0.88 (not measured for this answer’s language)",
        "",
    ),
    ("rouge", {}, Submission("", "Cao Xueqin", "Cao Xueqin (曹雪芹) wrote it"), "0.88", ""),
    # An interval that reaches below the threshold.
    ("rouge", {"short": [0.9, 0.7999, 0.95]}, SHORT, f"0.88 ({WEAK})", ""),
    ("rouge", {"short": [0.9, 0.8, 0.95]}, SHORT, "0.88", ""),
    ("correctness_estimate", {}, LONG, "0.97", ""),
    # Doubts about the ranking of systems.
    (
        "rouge",
        {"tau": [0.4, -0.1, 0.6]},
        SHORT,
        "0.88 (ranks systems no better than chance)",
        "tau of 0.40",
    ),
    ("rouge", {"tau": None}, SHORT, "0.88", "pairs"),
    # "0 of 100" and "100 of 100" are shown only if they are exact.
    (
        "rouge",
        {"overall": [1, 1, 1]},
        SHORT,
        "1.00",
        "In 100 of 100 pairs of a right and a wrong answer",
    ),
    (
        "rouge",
        {"overall": [0.999, 0.999, 0.999]},
        SHORT,
        ">0.99",
        "In 99 of 100 pairs of a right and a wrong answer",
    ),
    (
        "rouge",
        {"overall": [0.001, 0.001, 0.001]},
        SHORT,
        "<0.01",
        "In 1 of 100 pairs of a right and a wrong answer",
    ),
    (
        "rouge",
        {"overall": [0, 0, 0]},
        SHORT,
        "0.00",
        "In 0 of 100 pairs of a right and a wrong answer",
    ),
]


@pytest.mark.parametrize(("name", "values", "submission", "line", "sentence"), LINES)
def test_a_mark_shows_the_auroc_and_the_doubts_about_it(
    name: str,
    values: dict[str, Any],
    submission: Submission,
    line: str,
    sentence: str,
    hold: Hold,
) -> None:
    hold(change_score(name, **values))
    assert find_mark(name, submission).line == f"Agrees with people: {line}"
    assert sentence in describe_mark(name, submission)
    assert ("Kendall" in describe_mark(name, submission)) == (values.get("tau", True) is not None)


@pytest.mark.parametrize(
    ("interpretation", "line"),
    [("probability", "0.97"), ("ranking", f"0.97 ({WEAK})"), ("likeness", f"0.97 ({WEAK})")],
)
def test_an_estimate_that_is_no_probability_is_marked_as_weak(
    interpretation: str, line: str
) -> None:
    assert (
        find_mark("correctness_estimate", interpretation=interpretation).line
        == f"Agrees with people: {line}"
    )


def test_the_f1_with_keywords_has_an_agreement_of_its_own() -> None:
    assert find_mark("lv_eval_f1", gate="answer_keywords").line == "Agrees with people: 0.94"
    assert "The keywords were the reference’s own words" in describe_mark(
        "lv_eval_f1", gate="answer_keywords"
    )
    assert "own words" not in describe_mark("lv_eval_f1", gate="reference")


def test_a_mark_is_explained_with_its_interval_data_and_language(hold: Hold) -> None:
    text = describe_mark("lv_eval_f1")
    assert "AUROC 0.910, 95% interval 0.900 to 0.920" in text
    assert "English only; the references have 3 words in the median, 95% of them at most 9." in text
    hold(make_agreement(language=""))
    assert "several languages only" in describe_mark("rouge")
    assert find_mark("rouge", CHINESE).line == "Agrees with people: 0.88"
    hold(make_agreement(language="sw"))
    assert "sw only" in describe_mark("rouge")
    assert "not measured for English" in find_mark("rouge").line


@pytest.mark.parametrize(
    ("model", "submission", "doubts", "sentence"),
    [
        (
            "",
            SHORT,
            f"weak for answers of this length, {AGAINST}",
            "The model was all-MiniLM-L6-v2, as here.",
        ),
        ("/models/all-minilm-l6-v2/", CHINESE, "not measured for Chinese", ", as here."),
        (
            "/models/mine",
            CHINESE,
            "not measured for Chinese, measured with another model",
            "speak for no other",
        ),
    ],
)
def test_a_mark_names_the_measured_model_and_never_the_path_of_the_one_in_use(
    model: str,
    submission: Submission,
    doubts: str,
    sentence: str,
    hold: Hold,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("ANSWER_LENS_EMBEDDING_MODEL", model)
    hold(
        change_score(
            "cosine_similarity",
            **make_figures(0.6, model="all-MiniLM-L6-v2", tau=[-0.4, -0.6, -0.2]),
        )
    )
    assert find_mark("cosine_similarity", submission).line == f"Agrees with people: 0.60 ({doubts})"
    assert sentence in describe_mark("cosine_similarity", submission)
    assert "/models/" not in describe_mark("cosine_similarity", submission)


def test_a_judges_agreement_holds_only_for_the_measured_model(hold: Hold) -> None:
    assert find_mark("l3score").line == "Agreement with people: not measured"
    assert "“make agreement DATA=path PROVIDER=name MODEL=name”" in describe_mark("l3score")
    hold(change_score("l3score", **make_figures(0.97, model="openai/gpt-x", questions=60)))
    assert find_mark("l3score", model="gpt-x").line == "Agrees with people: 0.97"
    for sentence in (
        "measured on a sample of 60 questions",
        "The model was openai/gpt-x, as here.",
    ):
        assert sentence in describe_mark("l3score", model="gpt-x")
    assert "measured with another model" in find_mark("l3score", model="gpt-y").line
    without = describe_agreement_with_people(BY_NAME["l3score"], MetricResult("needs"), SHORT)
    assert without
    assert "speak for no other" in without.limits


def test_a_card_shows_the_mark_and_escapes_every_text_of_the_file(hold: Hold) -> None:
    def draw_bleu_card() -> str:
        return draw_card(BY_NAME["rouge"], make_scored_result("rouge"), SHORT)

    drawn = draw_bleu_card()
    link = (
        '<a href="https://example.org/pebbles" target="_blank" rel="noopener '
        'noreferrer">Pebble Quiz</a> (Doe 1999)'
    )
    assert link in drawn
    assert '<span class="al-mark">Agrees with people: 0.88</span>' in drawn
    assert "people’s verdicts on 8,638 answers of 7 systems to 1,234 questions." in drawn
    assert (
        '<tr class="al-here"><th scope="row">under 5 words (this answer)</th>\n<td>0.880</td>'
        in drawn
    )
    for nowhere in (CHINESE, Submission("", "moss", "")):
        assert "al-here" not in draw_card(BY_NAME["rouge"], make_scored_result("rouge"), nowhere)
    hold(
        make_agreement(
            title=MARKUP,
            source=MARKUP,
            language=MARKUP,
            url=f"https://example.org/{MARKUP}",
        )
    )
    assert re.findall("<[a-z]+", draw_bleu_card()) == re.findall("<[a-z]+", drawn)
    hold(change_score("rouge", model=MARKUP) | {"url": "javascript:alert(1)"})
    assert "javascript" not in draw_bleu_card()
    assert "<script" not in draw_bleu_card()
