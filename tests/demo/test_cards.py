"""What the cards, the overview and BERTScore's words show; every text is escaped."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lens.page.answer import word_matches
from lens.page.answer.cards import Drawing, draw_card, draw_cards, split_pieces
from lens.page.html import TEMPLATES, part, replace_unprintable
from lens.scoring import catalog
from lens.scoring.catalog import METRICS
from lens.scoring.metric_result import MetricResult
from lens.scoring.submission import Submission
from lens.words import speaking

from tests.demo.html_outline import Outline, visible_text
from tests.demo.metric_samples import BY_NAME, FIRST_EXAMPLE, OVERLAP_METRICS, make_scored_result
from tests.support.project import import_file


def read_card(name: str, submission: Submission | None = None, **changes: Any) -> str:
    """Return the visible text of a scored card, with single spaces."""
    html = draw_card(BY_NAME[name], make_scored_result(name, **changes), submission)
    Outline(html)
    return " ".join(visible_text(html, " ").split())


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)
def test_no_text_on_a_card_becomes_markup(metric: catalog.Metric) -> None:
    plain = Outline(draw_card(metric, make_scored_result(metric.name)))
    for text in (
        "<img src=x onerror=alert(1)>",
        "\"'><script>x</script>",
        "</bdi></details>&lt;",
        "{{ 7 * 7 }}",
    ):
        attacked = draw_card(metric, make_scored_result(metric.name, text=text))
        outline = Outline(attacked)
        assert (outline.tags, outline.attributes) == (plain.tags, plain.attributes)
        assert text in visible_text(attacked)


@given(st.text(st.characters(blacklist_categories=()), max_size=30))
def test_a_text_in_a_template_is_escaped_and_valid_utf_8(text: str) -> None:
    drawn = TEMPLATES.from_string("{{ text }}").render(text=text)
    assert not set("<>\"'\x00") & set(drawn)
    assert visible_text(drawn) == replace_unprintable(text)
    drawn.encode("utf-8")


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)
def test_a_scored_card_shows_value_scale_reasons_signature_and_links(
    metric: catalog.Metric, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ANSWER_LENS_ORG", raising=False)
    html = draw_card(metric, make_scored_result(metric.name, 0.123), prefix="own")
    scale = f"higher is better, {metric.low:g} to 1"
    for shown in (
        metric.format_score(0.123),
        scale,
        metric.measures,
        f"{metric.name}|rome",
        metric.paper,
    ):
        assert shown in visible_text(html)
    if metric.name in OVERLAP_METRICS:
        for kind in ("matched", "reordered", "extra", "missing", "blacklisted"):
            assert f'<bdi class="al-token al-{kind}">rome</bdi>' in html
    assert f'name="own-cards" id="own-{metric.name}"' in html
    assert f'href="{metric.paper_url}"' in html
    assert f'href="./card/{metric.name}"' in html
    monkeypatch.setenv("ANSWER_LENS_ORG", "org")
    assert f'href="https://huggingface.co/spaces/org/{metric.name}"' in draw_card(
        metric, MetricResult("error")
    )


@pytest.mark.parametrize(
    ("result", "state", "value", "message"),
    [
        (MetricResult("pending", message="<b>why</b>"), "pending", "…", "<b>why</b>"),
        (MetricResult("needs", message="why"), "needs", "No score", "why"),
        (
            MetricResult("scored", 0.5, {"score": 0.5}, "signature"),
            "error",
            "No score",
            "could not be computed (",
        ),
    ],
)
def test_a_card_without_a_score_shows_the_reason_and_no_number(
    result: MetricResult,
    state: str,
    value: str,
    message: str,
) -> None:
    html = draw_card(BY_NAME["lv_eval_f1"], result)
    Outline(html)
    assert f'data-state="{state}"' in html
    assert f'class="al-score">{value}<' in html
    assert message in visible_text(html)


@pytest.mark.parametrize(
    ("name", "changes", "message"),
    [
        (
            "lv_eval_f1",
            {"gate_passed": False, "keyword_recall": 0.1},
            "Gate not met: at least 20% is needed, so",
        ),
        ("lv_eval_f1", {"gate_passed": True}, "Gate met: at least 20% is needed."),
        ("lv_eval_f1", {"gate": "none", "keyword_recall": None}, "No keywords, no gate"),
        ("lv_eval_f1", {"gate": "reference"}, "recall of the whole reference"),
        ("l3score", {"branch": "both"}, "yes / (yes + no)"),
        ("l3score", {"branch": "yes_only"}, "No is not among its likeliest first words"),
        ("l3score", {"branch": "no_only"}, "Yes 0.60 not listed, estimated"),
        ("l3score", {"branch": "neither"}, "Yes – not listed No – not listed Other words 0.20"),
        (
            "l3score",
            {"top_tokens": [["\n", 0.5], [" Yes", 0.25], ["", 0.1]]},
            "↵ 0.50 ␣Yes 0.25 (empty) 0.10",
        ),
        ("l3score", {"top_tokens": [["x" * 500, 0.1]]}, "first words " + "x" * 40 + "… 0.10"),
        (
            "eve_judge",
            {"usage": None, "cost": None, "model": "m"},
            "m: tokens not reported, price unknown",
        ),
        ("bertscore", {}, "Answer to score: the model read only the first 256 tokens"),
        ("rouge", {}, "ROUGE-L 0.33 precision 0.50, recall 0.25"),
    ],
)
def test_a_card_explains_its_score_in_words(
    name: str, changes: dict[str, Any], message: str
) -> None:
    assert message in read_card(name, **changes)


def test_every_reason_of_the_estimate_is_shown_in_both_languages_and_its_texts_are_marked() -> None:
    name, note = "correctness_estimate", "no question was given: the estimate knows less"
    texts_of_reason = {
        "found": "rome",
        "expected": "oslo",
        "weight": -1.0,
        "sentence": "",
    }
    reasons = [{"kind": kind, **texts_of_reason} for kind in import_file(name, "reasons").SENTENCES]
    texts = Submission("", "From oslo.", "To rome, rome")
    for language, *sentences in (
        ("en", "The date differs, rome instead of oslo.", note),
        ("zh", "日期不同", "依据较少"),
    ):
        with speaking(language):
            card = read_card(
                name, texts, reasons=reasons, note=note, note_data=[{"key": "no_question"}]
            )
        assert [sentence for sentence in sentences if sentence not in card] == []
    html = draw_card(BY_NAME[name], make_scored_result(name, reasons=reasons), texts)
    assert (
        'To <bdi class="al-token al-extra">rome</bdi>, <bdi class="al-token '
        'al-extra">rome</bdi></p>' in html
    )
    assert 'From <bdi class="al-token al-missing">oslo</bdi>.</p>' in html


# The kind of a reason, its texts found and expected, and the marked words of the answer and of the
# reference.
MARKED = [
    ("number", "6", "5", ["6"], ["5"]),
    ("option", "C", "B", ["C"], ["B"]),
    ("partial", "red", "blue", [], ["blue"]),
    ("added", "red and 6", "5", ["red and 6"], []),
    ("either", "red and 6", "5", ["red and 6"], []),
    ("opposite", "cold", "hot", ["cold"], ["hot"]),
    ("denied", "not cold", "hot", ["not cold"], ["hot"]),
    ("candidates", "C, red", "blue", ["C, red"], []),
    ("same", "6", "5", [], []),
    ("found", "red", "red", [], []),
    ("missing", "", "blue", [], []),
]


@pytest.mark.parametrize(("kind", "found", "expected", "of_answer", "of_reference"), MARKED)
def test_texts_of_reasons_against_an_answer_are_marked_in_both_texts(
    kind: str,
    found: str,
    expected: str,
    of_answer: list[str],
    of_reference: list[str],
) -> None:
    reasons = [
        {
            "kind": kind,
            "found": found,
            "expected": expected,
            "weight": -1.0,
            "sentence": "",
        }
    ]
    texts = Submission("", "B: 15 red, 5 blue, hot", "C, red and 6, 16, not cold")
    html = draw_card(
        BY_NAME["correctness_estimate"],
        make_scored_result("correctness_estimate", reasons=reasons),
        texts,
    )
    assert re.findall('al-extra">([^<]*)<', html) == of_answer
    assert re.findall('al-missing">([^<]*)<', html) == of_reference


def test_reasons_are_listed_for_or_against_the_answer_by_the_sign_of_their_weight() -> None:
    values = {
        "same": 3.6,
        "found": 1.0,
        "missing": -1.0,
        "partial": -3.0,
    }
    reasons = [
        {
            "kind": kind,
            "found": "a",
            "expected": "b",
            "weight": w,
            "sentence": "",
        }
        for kind, w in values.items()
    ]
    card = read_card("correctness_estimate", reasons=reasons)
    against, _, for_it = card.partition("What speaks for it")
    for sentence in ("It lacks “b”", "only a part: “b” is missing"):
        assert sentence in against
    for sentence in ("“a” is “b”", "It has “b” of the reference"):
        assert sentence in for_it


def test_the_width_of_a_bar_is_its_value_cut_to_0_and_100_percent() -> None:
    bars: dict[tuple[float, float | None], str] = {
        (0.25, None): "width:25.0%",
        (-0.4, None): "width:0.0%",
    }
    for values, style in (bars | {(1.7, None): "width:100.0%", (0, 0.2): "left:20"}).items():
        assert style in part("bar", *values)


def test_long_texts_are_cut_and_the_cut_is_counted() -> None:
    tokens = [["word", "matched"]] * 1534
    # 300 of the 1,534 words are shown, and the one of the reference.
    html = draw_card(
        BY_NAME["bleu"],
        make_scored_result("bleu", prediction_tokens=tokens, reference_tokens=[["x" * 10**5, "x"]]),
    )
    assert html.count("<bdi") == 301
    assert "1,234 more not shown" in html
    assert len(html) < 50_000


def test_the_legend_counts_the_words_of_each_kind() -> None:
    tokens = [
        ["paris", "matched"],
        ["oslo", "reordered"],
        ["rome", "unmatched"],
        ["is", "blacklisted"],
    ]
    message = read_card(
        "bleu", prediction_tokens=tokens, reference_tokens=[*tokens, ["bern", "unmatched"]]
    )
    for count in (
        "in both 1",
        "only in the answer 1",
        "missing from the answer 2",
        "blacklisted 2",
    ):
        assert count in message
    assert "missing from the answer: rome, bern." in message


def test_the_overview_lists_every_score_and_only_the_estimates_card_is_open() -> None:
    results = {metric.name: make_scored_result(metric.name, 0.9) for metric in METRICS} | {
        "bleu": make_scored_result("bleu", 0.1)
    }
    waiting = results | {"eve_judge": MetricResult("pending")}
    overview, *cards = draw_cards(waiting, FIRST_EXAMPLE, Drawing())
    Outline(overview)
    for words in ("Scores still to come: 1.", *(metric.title for metric in METRICS)):
        assert words in visible_text(overview)
    assert f'data-done="{len(METRICS) - 1}"' in overview
    assert overview.count("far from the rest") == 1
    assert 'BLEU <span class="al-detail">(far from the rest)</span></dt>' in overview, (
        "the doubt is not in BLEU's own row"
    )
    assert overview.index("Is the answer right?") < overview.index("Overlap of words")
    unfolded = [bool(re.search("data-state[^>]* open>", card)) for card in cards]
    assert unfolded == [metric.name == "correctness_estimate" for metric in METRICS]


def test_a_judges_prompt_is_shown_unchanged() -> None:
    html = draw_card(
        BY_NAME["eve_judge"], MetricResult("needs", prompt="\n\nfirst\r\nsecond  <b>&amp; \t")
    )
    assert "<code>\n\nfirst&#13;\nsecond  &lt;b&gt;&amp;amp; \t</code>" in html
    assert '<details class="al-details" open>' in html


# BERTScore word by word


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ("Nia ##gara Falls", "Niagara Falls"),
        ("border ##, ##specially", "border , specially"),
        ("长 ##城 ##用 ##来", "长 城 用 来"),
        ("中 ## ## ##国 ##", "中 国"),
        ("## Title", "## Title"),
        ("a ## b", "a ## b"),
        ("ق ##ب ##ل", "قبل"),
        ("👩 ## ##", "👩"),
    ],
)
def test_word_pieces_are_joined_to_words(parts: str, words: str) -> None:
    marked = word_matches.mark_words([[part, None, 0.5, 1.0] for part in parts.split()])
    assert [word.text for word in marked] == words.split()


def test_a_words_similarity_is_the_mean_of_its_pieces() -> None:
    marked = word_matches.mark_words(
        [["Nia", "Via", 1.0, 1], ["##gara", "##gra", 0.4, 1], ["x", None, 0.1, 1]]
    )
    assert marked == [("Niagara", "close", pytest.approx(0.7), "Viagra"), ("x", "weak", 0.1, "")]
    kinds = {
        1: "near",
        0.9: "near",
        0.89: "close",
        0.5: "far",
        -1: "weak",
    }
    assert {
        value: word_matches.mark_words([["x", None, value, 1]])[0].kind for value in kinds
    } == kinds
    tokens = [["Mexico", "Canada", 0.62, 1.0], ["is", "is", 0.98, 1.0], ["so", None, 0.3, 1.0]]
    message = read_card("bertscore", prediction_tokens=tokens, reference_tokens=[])
    assert "best match: so → (no words) 0.30 Mexico → Canada 0.62 With many models" in message


def test_only_a_chinese_text_has_the_lang_attribute_zh() -> None:
    for text, marks in (("长城", 2), ("Paris 城 here", 0)):
        tokens = [[piece, None, 0.5, 1.0] for piece in text.split()]
        html = draw_card(
            BY_NAME["bertscore"], make_scored_result("bertscore", prediction_tokens=tokens)
        )
        assert html.count('lang="zh"') == marks // 2


@pytest.mark.parametrize(
    ("text", "named", "expected"),
    [
        ("Clouds in C band", "C", ["Clouds in ", "C", " band"]),
        ("15 or 5 cm", "5 cm", ["15 or ", "5 cm", ""]),
        ("在C波段，每12天", "C", ["在", "C", "波段，每12天"]),
        ("about it", "", ["about it"]),
    ],
)
def test_a_reasons_text_is_not_marked_within_a_longer_word(
    text: str, named: str, expected: list[str]
) -> None:
    assert split_pieces(text, [{"kind": "name", "found": named}], "found") == expected
