"""What a card says of how far its score agrees with people, on what that rests, and what it does not speak of."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from lens.explanations.agreement_with_people import Mark, mark_of
from lens.page.cards import draw_card
from lens.scoring.catalog import BY_NAME, Submission
from lens.scoring.outcome import Outcome

from tests.demo import made as cards
from tests.demo.agreement import LONG, MEDIUM, SHORT, figures, made, scored

pytestmark = pytest.mark.usefixtures("hold")

Hold = Callable[..., None]
CHINESE = Submission("", "青苔", "青苔")
MARKUP = "\"'><script>x</script>"
AGAINST = "ranks systems against people"


def mark(name: str, submission: Submission = SHORT, **changes: Any) -> Mark:
    """What is said of a score."""
    found = mark_of(BY_NAME[name], scored(name, 0.5, **changes), submission)
    assert found
    return found


def told(name: str, submission: Submission = SHORT, **changes: Any) -> str:
    """The sentences below."""
    return " ".join(mark(name, submission, **changes).told)


def changed(score: str, **values: object) -> dict[str, Any]:
    """A file with other figures of one score."""
    data = made()
    data["scores"].setdefault(score, {}).update(values)
    return data


@pytest.mark.parametrize(
    ("name", "submission", "line"),
    [
        ("rouge", SHORT, "0.88"),
        ("lv_eval_f1", SHORT, "0.91"),
        ("bleu", SHORT, f"0.75 ({AGAINST})"),
        ("bleu", MEDIUM, f"0.75 (weak for answers of this length, {AGAINST})"),
        ("bleu", LONG, f"0.75 (weak for answers of this length, {AGAINST})"),
        ("bleu", Submission("", "moss", " "), f"0.75 (weak, {AGAINST})"),
        ("bleu", CHINESE, "0.75 (not measured for Chinese)"),
        ("rouge", Submission("", "мох", "мох"), "0.88 (not measured for this answer’s language)"),
        ("rouge", Submission("", "Cao Xueqin", "作者是清代作家曹雪芹 Cao"), "0.88 (not measured for Chinese)"),
        ("rouge", Submission("", "Cao", "さくらがさいた"), "0.88 (not measured for this answer’s language)"),
        ("rouge", Submission("", "Cao Xueqin", "Cao Xueqin (曹雪芹) wrote it"), "0.88"),
    ],
)
def test_the_line_has_the_figure_and_what_speaks_against_it(name: str, submission: Submission, line: str) -> None:
    assert mark(name, submission).line == f"Agrees with people: {line}"


def test_keywords_make_another_score_and_an_interval_below_the_threshold_a_weak_one(hold: Hold) -> None:
    assert mark("lv_eval_f1", gate="answer_keywords").line == "Agrees with people: 0.94"
    assert "The keywords were the reference’s own words" in told("lv_eval_f1", gate="answer_keywords")
    assert "own words" not in told("lv_eval_f1", gate="reference")
    for low, weak in ((0.7999, True), (0.8, False)):
        hold(changed("rouge", short=[0.9, low, 0.95]))
        assert ("weak for answers of this length" in mark("rouge").line) == weak


def test_a_mark_says_what_the_figure_is_on_which_data_and_within_which_limits(hold: Hold) -> None:
    text = told("lv_eval_f1")
    assert "it scores the right one higher in 91 of 100 pairs" in text
    assert "AUROC 0.910, 95% interval 0.900 to 0.920" in text
    assert "English only; the references have 3 words in the median, 95% of them at most 9." in text
    for value, count in ((1, 100), (0.999, 99), (0.001, 1), (0, 0)):
        hold(changed("rouge", overall=[value, value, value]))
        assert f"higher in {count} of 100 pairs" in told("rouge")
    hold(made(language=""))
    assert "several languages only" in told("rouge")
    assert mark("rouge", CHINESE).line == "Agrees with people: 0.88"
    hold(made(language="sw"))
    assert "sw only" in told("rouge")
    assert "not measured for English" in mark("rouge").line


def test_the_length_of_the_answer_stands_out() -> None:
    rows = [(name, figure and figure[0], here) for name, figure, here in mark("bleu").lengths]
    assert rows == [("under 5 words", 0.955, True), ("5 to 20 words", 0.75, False), ("over 20 words", 0.75, False)]
    for nowhere in (CHINESE, Submission("", "moss", "")):
        assert not any(here for _, _, here in mark("bleu", nowhere).lengths)


@pytest.mark.parametrize(
    ("tau", "doubt"),
    [([-0.4, -0.6, -0.2], f" ({AGAINST})"), ([0.4, -0.1, 0.6], " (ranks systems no better than chance)"),
     ([0.6, 0.4, 0.8], ""), (None, "")],
)  # fmt: skip
def test_what_a_score_does_with_the_ranking_is_said(tau: list[float] | None, doubt: str, hold: Hold) -> None:
    hold(changed("rouge", tau=tau))
    assert mark("rouge").line == f"Agrees with people: 0.88{doubt}"
    said = f"It ranks the 7 systems with a Kendall’s tau of {tau[0]:.2f} (95% interval" if tau else ""
    assert said in told("rouge")
    assert ("Kendall" in told("rouge")) == bool(tau)


@pytest.mark.parametrize(
    ("used", "submission", "doubts", "said"),
    [
        ("", SHORT, f"weak for answers of this length, {AGAINST}", "The model was all-MiniLM-L6-v2, as here."),
        ("/models/all-minilm-l6-v2/", CHINESE, "not measured for Chinese", ", as here."),
        ("/models/mine", CHINESE, "not measured for Chinese, measured with another model", "speak for no other"),
    ],
)
def test_which_model_was_measured_is_said(
    used: str, submission: Submission, doubts: str, said: str, hold: Hold, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANSWER_LENS_EMBEDDING_MODEL", used)
    hold(changed("cosine_similarity", **figures(0.6, model="all-MiniLM-L6-v2", tau=[-0.4, -0.6, -0.2])))
    assert mark("cosine_similarity", submission).line == f"Agrees with people: 0.60 ({doubts})"
    assert said in told("cosine_similarity", submission)
    assert "/models/" not in told("cosine_similarity", submission)


def test_a_judge_that_was_measured_speaks_for_itself_alone(hold: Hold) -> None:
    assert mark("l3score").line == "Agreement with people: not measured"
    assert "“make agreement DATA=path PROVIDER=name MODEL=name”" in told("l3score")
    hold(changed("l3score", **figures(0.97, model="openai/gpt-x", questions=60)))
    assert mark("l3score", model="gpt-x").line == "Agrees with people: 0.97"
    for said in ("measured on a sample of 60 questions", "The model was openai/gpt-x, as here."):
        assert said in told("l3score", model="gpt-x")
    assert "measured with another model" in mark("l3score", model="gpt-y").line
    without = mark_of(BY_NAME["l3score"], Outcome("needs"), SHORT)
    assert without
    assert "speak for no other" in without.told[1]


def test_a_card_shows_the_mark_and_no_text_of_the_file_becomes_markup(hold: Hold) -> None:
    def card() -> str:
        return draw_card(BY_NAME["rouge"], cards.scored("rouge"), SHORT)

    drawn = card()
    link = '<a href="https://example.org/pebbles" target="_blank" rel="noopener noreferrer">Pebble Quiz</a> (Doe 1999)'
    assert link in drawn
    assert '<span class="al-mark">Agrees with people: 0.88</span>' in drawn
    assert "people’s verdicts on 8,638 answers of 7 systems to 1,234 questions." in drawn
    assert '<tr class="al-here"><th scope="row">under 5 words (this answer)</th>\n<td>0.880</td>' in drawn
    hold(made(title=MARKUP, source=MARKUP, language=MARKUP, url=f"https://example.org/{MARKUP}"))
    assert re.findall("<[a-z]+", card()) == re.findall("<[a-z]+", drawn)
    hold(changed("rouge", model=MARKUP) | {"url": "javascript:alert(1)"})
    assert "javascript" not in card()
    assert "<script" not in card()
