"""The mark on a card: how far its score agrees with people, on what that rests, and what it does not speak of."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from typing import Any

import pytest
from lens import words
from lens.page.agreement_mark import draw_mark
from lens.page.cards import draw_card
from lens.scoring.catalog import METRICS, Submission
from lens.scoring.outcome import Outcome

from tests.demo.agreement import LONG, MEDIUM, SHORT, figures, made, scored

pytestmark = pytest.mark.usefixtures("hold")


BY_NAME = {metric.name: metric for metric in METRICS}
JUDGES = [metric for metric in METRICS if metric.judge]


def shown(drawn: str) -> str:
    """The text of a piece of HTML."""
    return html.unescape(re.sub("<[^>]*>", " ", drawn))


def mark(name: str, submission: Submission | None = SHORT, **changes: Any) -> str:
    """The mark of a scored card."""
    return draw_mark(BY_NAME[name], scored(name, 0.5, **changes), submission)


def summary(drawn: str) -> str:
    """The line of a mark that is always seen."""
    found = re.search("<summary>(.*?)</summary>", drawn)
    assert found is not None
    return html.unescape(found[1])


def broken(*path: str, value: object = None) -> dict[str, Any]:
    """A file with another value in one place."""
    data = made()
    inner = data
    for name in path[:-1]:
        inner = inner[name]
    inner[path[-1]] = value
    return data


MARKUP = "\"'><script>x</script>"


def test_every_card_has_a_mark_above_its_links() -> None:
    for metric in METRICS:
        for outcome in (Outcome("pending"), Outcome("needs", message="x"), Outcome("error", message="x")):
            drawn = draw_card(metric, outcome, "", SHORT)
            assert drawn.count('<details class="al-details al-agrees"><summary>') == 1
            assert drawn.index("al-agrees") < drawn.index("al-links")
            assert " open" not in drawn[drawn.index("<details") : drawn.index("<summary>")]


@pytest.mark.parametrize(
    ("name", "submission", "line"),
    [
        ("rouge", SHORT, "Agrees with people: 0.88"),
        ("lv_eval_f1", SHORT, "Agrees with people: 0.91"),
        ("bleu", SHORT, "Agrees with people: 0.75 (ranks systems against people)"),
        ("bleu", MEDIUM, "Agrees with people: 0.75 (weak for answers of this length, ranks systems against people)"),
        ("bleu", LONG, "Agrees with people: 0.75 (weak for long answers, ranks systems against people)"),
        ("bleu", Submission("", "moss", " "), "Agrees with people: 0.75 (weak, ranks systems against people)"),
        ("bleu", None, "Agrees with people: 0.75 (weak, ranks systems against people)"),
        ("rouge", Submission("", "青苔", "青苔"), "Agrees with people: 0.88 (not measured for Chinese)"),
        ("rouge", Submission("", "мох", "мох"), "Agrees with people: 0.88 (not measured for this answer’s language)"),
        ("bertscore", SHORT, "Agreement with people: not measured"),
        ("l3score", SHORT, "Agreement with people: not measured"),
    ],
)
def test_the_line_has_the_figure_and_what_speaks_against_it(
    name: str, submission: Submission | None, line: str
) -> None:
    assert summary(mark(name, submission)) == line


def test_a_score_is_weak_where_its_interval_begins_below_the_threshold(hold: Callable[..., None]) -> None:
    for low, weak in ((0.7999, True), (0.8, False)):
        hold(broken("scores", "rouge", "short", value=[0.9, low, 0.95]))
        assert ("weak for short answers" in summary(mark("rouge"))) == weak


def test_keywords_make_another_score() -> None:
    assert summary(mark("lv_eval_f1", gate="answer_keywords")) == "Agrees with people: 0.94"
    assert "The keywords were the reference’s own words" in mark("lv_eval_f1", gate="answer_keywords")
    for gate in ("none", "off", "reference"):
        assert "own words" not in mark("lv_eval_f1", gate=gate)
    assert "own words" not in mark("rouge", gate="answer_keywords")


def test_a_mark_says_what_the_figure_is() -> None:
    text = shown(mark("lv_eval_f1"))
    assert "it scores the right one higher in 91 of 100 pairs" in text
    assert "AUROC 0.910, 95% interval 0.900 to 0.920" in text
    assert "chance is 50" in text


@pytest.mark.parametrize(("value", "count"), [(1, 100), (0.999, 99), (0.5, 50), (0.001, 1), (0, 0)])
def test_all_pairs_and_none_are_exactly_that(value: float, count: int, hold: Callable[..., None]) -> None:
    hold(broken("scores", "rouge", "overall", value=[value, value, value]))
    assert f"higher in {count} of 100 pairs" in mark("rouge")


def test_the_length_of_the_answer_stands_out_by_words_too() -> None:
    rows = re.findall(
        r"<tr( class=\"al-here\")?><th scope=\"row\">(.*?)</th><td>(.*?)</td><td>(.*?)</td></tr>", mark("bleu")
    )
    assert rows == [
        (' class="al-here"', "under 5 words (this answer)", "0.955", "0.950 to 0.960"),
        ("", "5 to 20 words", "0.750", "0.740 to 0.760"),
        ("", "over 20 words", "0.750", "0.740 to 0.760"),
    ]
    for submission in (None, Submission("", "青苔", "青苔"), Submission("", "moss", "")):
        assert "this answer)" not in mark("bleu", submission)


@pytest.mark.parametrize(
    ("tau", "told", "doubt"),
    [
        (
            [-0.4, -0.6, -0.2],
            "It ranks the 7 systems against people: of two of them it more often prefers the worse. Kendall’s tau is "
            "-0.40 (95% interval -0.60 to -0.20)",
            " (ranks systems against people)",
        ),
        (
            [-0.2, -0.6, 0.0],
            "It ranks the 7 systems no better than chance would. Kendall’s tau is -0.20",
            " (ranks systems no better than chance)",
        ),
        (
            [0.4, -0.1, 0.6],
            "It ranks the 7 systems no better than chance would. Kendall’s tau is 0.40",
            " (ranks systems no better than chance)",
        ),
        ([0.6, 0.4, 0.8], "It ranks the 7 systems more like people than unlike them. Kendall’s tau is 0.60", ""),
        (None, "", ""),
    ],
)
def test_what_a_score_does_with_the_ranking_is_said_plainly(
    tau: list[float] | None, told: str, doubt: str, hold: Callable[..., None]
) -> None:
    hold(broken("scores", "rouge", "tau", value=tau))
    text = shown(mark("rouge"))
    assert told in text
    assert ("Kendall" in text) == bool(told)
    assert summary(mark("rouge")) == f"Agrees with people: 0.88{doubt}"


def test_a_mark_names_its_data_and_their_limits(hold: Callable[..., None]) -> None:
    drawn = mark("rouge")
    assert (
        '<a href="https://example.org/pebbles" target="_blank" rel="noopener noreferrer">Pebble Quiz</a> (Doe 1999)'
        in drawn
    )
    assert "people’s verdicts on 8,638 answers of 7 systems to 1,234 questions." in drawn
    assert "English only; the references have 3 words in the median, 95% of them at most 9." in drawn
    hold(made(language="", systems=1, source="", url=""))
    drawn = mark("rouge")
    assert "Data: Pebble Quiz, people’s verdicts on 8,638 answers of 1 system to" in drawn
    assert "<a " not in drawn
    assert "several languages mixed" in drawn


def test_what_the_texts_have_beyond_the_data_is_said() -> None:
    longer = Submission("", "moss " * 10, "moss")
    assert "The reference here has 10 words." in mark("rouge", longer)
    assert "The reference here" not in mark("rouge", Submission("", "moss " * 9, "moss"))
    assert "For Chinese nothing is measured." in mark("rouge", Submission("", "青苔", "moss"))


def test_the_script_of_the_answer_counts_too() -> None:
    for answer, language in (
        ("作者是清代作家曹雪芹", "Chinese"),
        ("Роман написал Толстой", "this answer’s language"),
        ("さくらがさいた", "this answer’s language"),
    ):
        submission = Submission("", "Cao Xueqin", f"{answer} Cao")
        assert summary(mark("rouge", submission)) == f"Agrees with people: 0.88 (not measured for {language})"
    for answer in ("Cao Xueqin (曹雪芹) wrote it", "1791", "Émile Zola l’a écrit", ""):
        assert "not measured" not in summary(mark("rouge", Submission("", "Cao Xueqin", answer)))


def test_weakness_in_one_language_is_not_said_of_another() -> None:
    line = summary(mark("bleu", Submission("", "青苔", "青苔")))
    assert line == "Agrees with people: 0.75 (not measured for Chinese)"


def test_the_line_of_a_score_of_another_model_says_so(
    hold: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    hold(broken("scores", "cosine_similarity", value=figures(0.6, model="all-MiniLM-L6-v2", tau=[-0.4, -0.6, -0.2])))
    weak = "weak for short answers, ranks systems against people"
    assert summary(mark("cosine_similarity")) == f"Agrees with people: 0.60 ({weak})"
    monkeypatch.setenv("ANSWER_LENS_EMBEDDING_MODEL", "some/other")
    assert summary(mark("cosine_similarity")) == "Agrees with people: 0.60 (measured with another model)"
    chinese_too = "Agrees with people: 0.60 (not measured for Chinese, measured with another model)"
    assert summary(mark("cosine_similarity", Submission("", "青苔", "青苔"))) == chinese_too


def test_a_mixed_data_set_leaves_no_language_out(hold: Callable[..., None]) -> None:
    hold(made(language=""))
    assert summary(mark("rouge", Submission("", "青苔", "青苔"))) == "Agrees with people: 0.88"


def test_which_model_was_measured_is_said(hold: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
    assert "The model was all-MiniLM-L6-v2, as here." in mark("cosine_similarity")
    for other in ("some/other", "/models/mine"):
        monkeypatch.setenv("ANSWER_LENS_EMBEDDING_MODEL", other)
        drawn = mark("cosine_similarity")
        assert "The model was all-MiniLM-L6-v2. The one used here has another name" in drawn
        assert other not in drawn
    monkeypatch.setenv("ANSWER_LENS_EMBEDDING_MODEL", "/models/all-minilm-l6-v2/")
    assert ", as here." in mark("cosine_similarity")
    assert "The model" not in mark("rouge")


def test_a_judge_that_was_measured_speaks_for_itself_alone(hold: Callable[..., None]) -> None:
    hold(broken("scores", "l3score", value=figures(0.97, model="openai/gpt-x", questions=60)))
    drawn = mark("l3score", model="gpt-x")
    assert summary(drawn) == "Agrees with people: 0.97"
    assert "measured on a sample of 60 questions" in drawn
    assert "The model was openai/gpt-x, as here." in drawn
    assert "has another name" in mark("l3score", model="gpt-y")
    unasked = draw_mark(BY_NAME["l3score"], Outcome("needs"), SHORT)
    assert "speak for no other" in unasked
    assert "sample" not in mark("rouge")


def test_what_is_not_measured_says_how_to_measure_it() -> None:
    for metric in JUDGES:
        assert "<kbd>make agreement DATA=path PROVIDER=name MODEL=name</kbd>" in mark(metric.name)
        assert "what it costs is said first" in mark(metric.name)
    assert "<kbd>make agreement DATA=path</kbd>" in mark("bertscore")


def test_a_language_without_a_name_is_called_by_its_code(hold: Callable[..., None]) -> None:
    hold(made(language="sw"))
    assert "sw only" in mark("rouge")
    assert "not measured for English" in summary(mark("rouge"))
    hold(made(language="zh-Hans"))
    assert "Chinese only" in mark("rouge")
    assert summary(mark("rouge", Submission("", "青苔", "青苔"))) == "Agrees with people: 0.88"


def test_a_text_of_the_file_never_becomes_markup(hold: Callable[..., None]) -> None:
    tags = re.findall("<[a-z]+", mark("cosine_similarity"))
    hold(made(title=MARKUP, source=MARKUP, language=MARKUP, url=f"https://example.org/{MARKUP}"))
    drawn = mark("cosine_similarity")
    assert re.findall("<[a-z]+", drawn) == tags
    assert shown(drawn).count(MARKUP) == 3
    data = made(url="javascript:alert(1)")
    data["scores"]["rouge"]["model"] = MARKUP
    hold(data)
    assert "javascript" not in mark("rouge")
    assert "<script" not in mark("rouge")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_no_text_holds_what_the_file_says(language: str, hold: Callable[..., None]) -> None:
    tables = {"en": words.TABLES["en"], "zh": words.TABLES["zh"]}
    own = [text for key, text in tables[language].items() if key.startswith("ev_")]
    # 100 pairs, 50 by chance, the 95% of intervals and references, tau from -1 to 1.
    numbers = {number for text in own for number in re.findall(r"\d+", re.sub(r"\{[^}]*\}", "", text))}
    assert numbers == {"100", "50", "95", "1", "0"}
    assert not re.search("EVOUNA|Wang|Natural", "".join(own))
    hold(made())
    with words.speaking(language):
        drawn = "".join(mark(metric.name, LONG) for metric in METRICS)
    for part in ("Pebble Quiz", "Doe 1999", "8,638", "1,234", " 7 ", "0.910", "0.83", "-0.40"):
        assert part in shown(drawn)
