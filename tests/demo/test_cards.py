"""What the cards, the overview and BERTScore's words show, and that no text of anyone becomes markup."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lens.page import word_matches
from lens.page.answer_tab import card
from lens.page.cards import draw_card, draw_overview
from lens.page.html import TEMPLATES, part, printable
from lens.scoring import catalog
from lens.scoring.catalog import METRICS
from lens.scoring.outcome import Outcome, State
from lens.words.formats import number

from tests.demo.made import BY_NAME, FOUR, Outline, reason, scored, visible


def text_of(name: str, **changes: Any) -> str:
    """The text of a scored card, its white space as a reader sees it."""
    return " ".join(visible(draw_card(BY_NAME[name], scored(name, **changes)), " ").split())


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)
@pytest.mark.parametrize(
    "text", ["<img src=x onerror=alert(1)>", "\"'><script>x</script>", "</bdi></article>&lt;", "{{ 7 * 7 }}"]
)
def test_a_text_never_becomes_markup(metric: catalog.Metric, text: str) -> None:
    plain = Outline(draw_card(metric, scored(metric.name)))
    attacked = draw_card(metric, scored(metric.name, text=text))
    outline = Outline(attacked)
    assert (outline.tags, outline.attributes) == (plain.tags, plain.attributes)
    assert text in visible(attacked)


@given(st.text(st.characters(blacklist_categories=()), max_size=30))
def test_a_text_in_a_template_is_one_text_and_can_be_sent(text: str) -> None:
    drawn = TEMPLATES.from_string("{{ text }}").render(text=text)
    assert not set("<>\"'\x00") & set(drawn)
    assert visible(drawn) == printable(text)
    drawn.encode("utf-8")


@pytest.mark.parametrize("state", ["pending", "needs", "unavailable", "error"])
def test_a_card_without_a_score_says_why_and_shows_no_number(state: State) -> None:
    html = draw_card(BY_NAME["lv_eval_f1"], Outcome(state, message="<b>why</b>"))
    Outline(html)
    assert f'data-state="{state}"' in html
    value = re.search(r'class="al-score">([^<]*)<', html)
    assert value is not None
    assert value.group(1) == ("…" if state == "pending" else "No score")
    assert "<b>why</b>" in visible(html)


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)
def test_a_scored_card_has_value_direction_range_reasons_signature_and_links(metric: catalog.Metric) -> None:
    html = draw_card(metric, scored(metric.name, 0.123), prefix="own")
    scale = f"higher is better, {metric.low:g} to 1"
    for part_ in (metric.shown(0.123), scale, metric.measures, f"{metric.name}|rome", metric.paper):
        assert part_ in visible(html)
    if metric.name in FOUR:
        for kind in ("matched", "reordered", "extra", "missing", "blacklisted"):
            assert f'<bdi class="al-token al-{kind}">rome</bdi>' in html
    assert f'<h3 id="own-{metric.name}">' in html
    assert f'href="{metric.paper_url}"' in html
    assert f"metrics/{metric.name}/README.md" in html
    assert f'href="https://huggingface.co/spaces/org/{metric.name}"' in draw_card(metric, Outcome("error"), "org")


def test_reasons_in_another_form_make_no_trouble_for_the_page() -> None:
    html = card(BY_NAME["lv_eval_f1"], Outcome("scored", 0.5, {"score": 0.5}, "signature"))
    assert 'data-state="error"' in html
    assert "could not be computed (UndefinedError)" in html


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"gate_passed": False, "keyword_recall": 0.1}, "Gate not met: at least 20% is needed, so the score is 0."),
        ({"gate_passed": True}, "Gate met: at least 20% is needed."),
        ({"gate": "none", "keyword_recall": None, "min_keyword_recall": None}, "No keywords, no gate"),
        ({"gate": "off", "keyword_recall": None, "min_keyword_recall": None}, "The gate is off"),
        ({"gate": "reference"}, "recall of the whole reference"),
    ],
)
def test_the_gate_is_said(changes: dict[str, Any], said: str) -> None:
    assert said in text_of("lv_eval_f1", **changes)


@pytest.mark.parametrize(
    ("value", "low", "threshold", "style"),
    [
        (0.25, 0, None, "width:25.0%"),
        (0.0, -1, 0, "left:50.0%"),
        (1.7, 0, None, "width:100.0%"),
        (0, 0, 0.2, "left:20"),
    ],
)
def test_a_bar_fills_its_share_of_the_range(value: float, low: float, threshold: float | None, style: str) -> None:
    assert style in part("bar", value, low, 1, threshold)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.0, "0.00"),
        (1.0, "1.00"),
        (0.004, "<0.01"),
        (0.9999, ">0.99"),
        (0.999999995, "1.00"),
        (None, "–"),
        (-1, "-1.00"),
    ],
)
def test_a_number_never_looks_like_0_or_1_without_being_it(value: float | None, shown: str) -> None:
    assert number(value) == shown


def test_a_long_text_is_cut_and_says_so() -> None:
    tokens = [["word", "matched"]] * 1534
    html = draw_card(BY_NAME["bleu"], scored("bleu", prediction_tokens=tokens, reference_tokens=[["x" * 10**5, "x"]]))
    assert html.count("<bdi") == 301
    assert "1,234 more not shown" in html
    assert len(html) < 50_000


def test_the_legend_counts_each_kind() -> None:
    tokens = [["paris", "matched"], ["oslo", "reordered"], ["rome", "unmatched"], ["is", "blacklisted"]]
    said = text_of("bleu", prediction_tokens=tokens, reference_tokens=[*tokens, ["bern", "unmatched"]])
    for count in ("in both 1", "only in the answer 1", "missing from the answer 2", "blacklisted 2"):
        assert count in said
    assert "missing from the answer: rome, bern." in said


def test_the_overview_says_how_much_is_still_to_come() -> None:
    outcomes = [scored(metric.name) for metric in METRICS]
    waiting = [*outcomes[:-1], Outcome("pending")]
    assert "Because." in draw_overview(METRICS, outcomes, "Because.")
    half = draw_overview(METRICS, waiting, "Because.", "<i>")
    assert "Because. 1 score is still to come." in half
    assert f"{len(METRICS) - 1} of {len(METRICS)} scores ready" in draw_overview(METRICS, waiting, "")
    assert "&lt;i&gt;" in half
    Outline(half)


# Judges


@pytest.mark.parametrize(
    ("branch", "said", "estimated"),
    [
        ("both", "yes / (yes + no)", 0),
        ("yes_only", "No is not among its likeliest first words", 1),
        ("no_only", "Yes is not among its likeliest first words", 1),
        ("neither", "0 by definition and says nothing about the answer", 0),
    ],
)
def test_the_branch_of_l3score_in_words(branch: str, said: str, estimated: int) -> None:
    shown = text_of("l3score", branch=branch)
    assert said in shown
    assert shown.count("not listed, estimated") == estimated
    assert "Other words 0.20" in shown
    assert ("Yes – not listed No – not listed" if branch == "neither" else "Yes 0.60") in shown


def test_tokens_that_cannot_be_seen_are_made_visible() -> None:
    listed = text_of("l3score", top_tokens=[["\n", 0.5], [" Yes", 0.25], ["", 0.1], ["x" * 500, 0.1], ["n", 0.05]])
    for token in ("↵ 0.50", "␣Yes 0.25", "(empty) 0.10", "x" * 40 + "… 0.10"):
        assert token in listed
    assert "likeliest first" not in text_of("l3score", top_tokens=[]).lower().partition("other words")[2]


def test_tokens_that_the_server_did_not_report_are_not_none() -> None:
    changes = {"usage": None, "tokens": {"input": 0, "output": 0}, "cost": None, "model": "m"}
    assert "m: tokens not reported, price unknown" in text_of("eve_judge", **changes)


def test_the_prompt_is_the_prompt() -> None:
    html = draw_card(BY_NAME["eve_judge"], Outcome("needs", prompt="\n\nfirst\r\nsecond  <b>&amp; \t"))
    assert "<code>\n\nfirst&#13;\nsecond  &lt;b&gt;&amp;amp; \t</code>" in html
    assert "replaced" not in html
    assert "<details" not in html.partition("al-agrees")[0].replace('<details class="al-details ', "")
    assert "replaced" in draw_card(BY_NAME["eve_judge"], Outcome("error", prompt="\x00"))


# BERTScore word by word


@pytest.mark.parametrize(
    ("pieces", "words"),
    [
        (["Nia", "##gara", "Falls"], ["Niagara", "Falls"]),
        (["border", "##,", "##specially"], ["border", ",", "specially"]),
        (["长", "##城", "##用", "##来"], ["长", "城", "用", "来"]),
        (["中", "##", "##", "##国", "##"], ["中", "国"]),
        (["##", "Title"], ["##", "Title"]),
        (["a", "##", "b"], ["a", "##", "b"]),
        (["ق", "##ب", "##ل"], ["قبل"]),
        (["👩", "##", "##"], ["👩"]),
        (["", "x"], ["", "x"]),
        ([], []),
    ],
)
def test_pieces_become_words(pieces: list[str], words: list[str]) -> None:
    assert [word.text for word in word_matches.words_of([[piece, None, 0.5, 1.0] for piece in pieces])] == words


def test_a_word_has_the_weighted_mean_of_its_pieces() -> None:
    heavy = word_matches.words_of([["Nia", "x", 0.9, 3.0], ["##gara", "x", 0.1, 1.0]])[0]
    assert (heavy.similarity, heavy.weight) == (pytest.approx(0.7), 4)
    weightless = word_matches.words_of([["Nia", "x", 0.9, 0.0], ["##gara", "x", 0.1, 0.0]])[0]
    assert weightless.similarity == pytest.approx(0.5)


def test_a_word_matches_whole_words() -> None:
    answer = [["Via", "Nia", 0.5, 1.0], ["##gra", "##gara", 0.5, 1.0], ["x", None, 0.1, 1.0], ["y", "##s", 0.1, 1.0]]
    reference = [["Nia", "Via", 0.5, 1.0], ["##gara", "##gra", 0.5, 1.0], *([w, "x", 0.2, 1.0] for w in ("a", "##s"))]
    reference += [["b", "x", 0.2, 1.0], ["##s", "x", 0.2, 1.0]]
    found, _ = word_matches.matched_words({"prediction_tokens": answer, "reference_tokens": reference})
    assert [word.match for word in found.words] == ["Niagara", "(no word)", "…s"]


def test_the_weakest_words_are_listed_once() -> None:
    answer = [["Mexico", "Canada", 0.62, 1.0], ["is", "is", 0.98, 1.0], ["so", "it", 0.3, 1.0]]
    reference = [["Canada", "Mexico", 0.62, 1.0], ["is", "is", 0.98, 1.0]]
    both = {"prediction_tokens": answer, "reference_tokens": reference}
    weakest = word_matches.weakest(*word_matches.matched_words(both))
    assert [(word.text, side) for word, side in weakest] == [("so", "answer_side"), ("Mexico", "answer_side")]
    assert "Mexico → Canada (answer) 0.62" in text_of("bertscore", **both)


@pytest.mark.parametrize(
    ("similarity", "kind"), [(1, "near"), (0.9, "near"), (0.89, "close"), (0.5, "far"), (-1, "weak")]
)
def test_the_mark_of_a_similarity(similarity: float, kind: str) -> None:
    assert word_matches.words_of([["x", None, similarity, 1.0]])[0].kind == kind


def test_long_texts_are_cut_in_the_words_and_in_the_table() -> None:
    tokens = [[f"w{i}", f"w{i}", 0.5, 1.0] for i in range(500)]
    html = draw_card(BY_NAME["bertscore"], scored("bertscore", prediction_tokens=tokens, reference_tokens=tokens))
    assert html.partition("al-agrees")[0].count('<th scope="row">') == 600
    assert html.count("200 more not shown") == 4
    Outline(html)


def test_a_text_without_words_leaves_nothing_to_mark() -> None:
    html = draw_card(BY_NAME["bertscore"], scored("bertscore", prediction_tokens=[])).partition("al-agrees")[0]
    assert "300 tokens in the answer" in visible(html)
    assert "al-token" not in html
    assert "<table" not in html


def test_weights_are_shown_only_where_there_are_some() -> None:
    assert "Weight" not in text_of("bertscore")
    assert "Weight" in text_of("bertscore", prediction_tokens=[["a", "b", 0.5, 2.5]])


@pytest.mark.parametrize(("text", "chinese"), [("长城", True), ("日本の長城は", False), ("Paris 城 here", False)])
def test_only_chinese_is_marked_as_chinese(text: str, chinese: bool) -> None:
    tokens = [[piece, None, 0.5, 1.0] for piece in text.split()]
    found, _ = word_matches.matched_words(reason("bertscore", prediction_tokens=tokens))
    assert found.chinese == chinese
