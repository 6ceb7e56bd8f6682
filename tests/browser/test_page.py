"""The tab for one answer in a browser: fields, scores, cards and keyboard."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable
from typing import TYPE_CHECKING

from browsing import (
    METRICS,
    Demo,
    choose_example,
    choose_judge,
    fill_fields,
    list_dark_violations,
    list_violations,
    measure_width,
    open_all,
    open_card,
    press_score,
    read_field,
    read_scores,
    wait_ready,
)
from lens.page.answer.answer_form import EXAMPLES

from tests.support.judge_server import JudgeServer, Reply, make_good_reply

if TYPE_CHECKING:
    from playwright.sync_api import Page

Open = Callable[..., "Page"]
SCORED = [metric.name for metric in METRICS if not metric.judge]
JUDGES = [metric.name for metric in METRICS if metric.judge]
# The scores of the first example on these four cards.
NIAGARA = {
    "lv_eval_f1": "0.00",
    "bleu": "0.88",
    "rouge": "0.95",
    "lv_eval_rouge": "0.94",
}
# The line of a marked word: under it, or through it.
MARK_STYLE = """
(mark) => {
  const style = getComputedStyle(mark);
  return style.borderBottomStyle + style.textDecorationStyle;
}
"""
# Records the states of all cards in window.states whenever the page changes.
WATCH_STATES = """
() => {
  window.states = [];
  const record = () => {
    const cards = [...document.querySelectorAll('.al-card')];
    const state = cards.map((card) => card.dataset.state).join(' ');
    if (window.states.at(-1) !== state) window.states.push(state);
  };
  record();
  const everything = {subtree: true, childList: true, attributes: true};
  new MutationObserver(record).observe(document.body, everything);
}
"""


def test_the_first_example_shows_its_verdict_and_marks_words(open_page: Open, demo: Demo) -> None:
    page = open_page(demo.url)
    wait_ready(page)
    assert read_scores(page, *NIAGARA) == NIAGARA
    line = page.locator(".al-verdict").inner_text()
    assert line == "Probably wrong: the name differs, Mexico instead of Canada"
    assert page.locator("#al-correctness_estimate[open] .al-extra").inner_text() == "Mexico"
    card = open_card(page, "lv_eval_f1")
    assert page.locator(".al-card[open]").count() == 1, "opening a card must close the others"
    assert "Gate not met" in card.inner_text()
    assert card.locator(".al-chips .al-missing").inner_text() == "canada"
    assert card.locator(".al-words .al-extra").inner_text() == "mexico"
    sentence = page.locator(".al-sentence").inner_text()
    assert re.search(
        r"\(Cosine similarity 0\.9\d and BERTScore 0\.9\d\) .*likeness of subject, not truth",
        sentence,
    )
    bertscore = open_card(page, "bertscore")
    near_words = bertscore.locator(".al-words").first.locator("bdi.al-near")
    assert near_words.filter(has_text="niagara").count() == 1
    assert near_words.filter(has_text="mexico").count() == 0
    legend = bertscore.locator(".al-legend .al-token")
    styles = {mark.evaluate(MARK_STYLE) for mark in legend.all()}
    assert len(styles) >= 3, "marks must differ in more than their colour"


def test_the_page_keeps_what_is_written_into_the_fields_before_it_is_complete(
    open_page: Open, demo: Demo
) -> None:
    page = open_page(demo.url)
    wait_ready(page)
    written = ["Capital?", "Paris", "Paris.", "", False, "first", None, False]
    read_link = "values => answerLens.read_link(values)"
    assert page.evaluate(read_link, written) == written
    page.evaluate("() => { location.hash = 'reference=Rome&answer=Oslo'; }")
    linked = page.evaluate(read_link, written)
    assert linked[:4] == ["", "Rome", "Oslo", ""]


def test_a_signature_can_be_copied_and_a_card_links_to_its_document(
    open_page: Open, demo: Demo
) -> None:
    page = open_page(demo.url)
    page.context.grant_permissions(
        ["clipboard-read", "clipboard-write"], origin=demo.url.rstrip("/")
    )
    wait_ready(page)
    open_card(page, "bleu")
    page.get_by_role("button", name="Copy: Signature BLEU").click()
    page.get_by_text("Copied").wait_for()
    signature = page.locator("#card-bleu code").inner_text()
    assert signature.startswith("bleu")
    assert page.evaluate("navigator.clipboard.readText()") == signature
    link = page.locator("#card-bleu").get_by_role("link", name="Metric card")
    address = link.get_attribute("href")
    assert "# Metric Card for bleu" in page.request.get(f"{demo.url}{address}").text()


def test_the_examples_fill_the_fields_and_the_cards(open_page: Open, demo: Demo) -> None:
    page = open_page(demo.url)
    wait_ready(page)
    verdicts = set()
    examples = [*enumerate(EXAMPLES.items())]
    for number, (name, submission) in reversed(examples):
        choose_example(page, number)
        assert page.locator(".al-examples input:checked").count() == 1
        for field in ("question", "reference", "answer", "keywords"):
            assert read_field(page, field) == getattr(submission, field)
        verdicts.add(page.locator(".al-verdict").inner_text())
        if name == "wrong_name":
            check_chinese_words(page)
    assert len(verdicts) == len(EXAMPLES)
    # Of examples that are chosen in quick succession, the last one is shown.
    for number in (1, 2, 3, 4, 5, 1):
        page.locator(".al-examples label").nth(number).click()
    page.locator(".al-verdict", has_text="Cannot tell from words").wait_for()
    wait_ready(page)
    assert read_field(page, "answer") == EXAMPLES["other_words"].answer


def check_chinese_words(page: Page) -> None:
    """Check the words of the Chinese example with a wrong name."""
    words = open_card(page, "lv_eval_f1").locator('.al-words[lang="zh"]')
    assert words.locator(".al-extra", has_text="吴承恩").count() == 1
    assert words.locator(".al-missing").inner_text() == "曹雪芹"
    assert words.locator("bdi").count() > 20
    assert "not measured for Chinese" in page.locator("#card-rouge .al-mark").inner_text()


def test_the_verdict_the_scores_and_the_button_are_on_the_first_screen(
    open_page: Open, demo: Demo
) -> None:
    page = open_page(demo.url)
    wait_ready(page)
    for selector in (".al-verdict", ".al-chart", ".al-card[open] .al-words >> nth=1", "#score"):
        box = page.locator(selector).bounding_box()
        assert box
        assert box["y"] + box["height"] <= 900, selector
    assert page.evaluate("document.documentElement.scrollHeight") <= 1800
    page.mouse.wheel(0, 2000)
    page.wait_for_function("scrollY > 300")
    assert 0 < page.locator("#score").bounding_box()["y"] < 900  # type: ignore[index]
    page = open_page(demo.url, width=390)
    wait_ready(page)
    fill_fields(page, reference="It takes 5 days", answer="It takes 16 days")
    press_score(page)
    assert "16 days instead of 5 days" in page.locator(".al-verdict").inner_text()
    box = page.locator(".al-verdict").bounding_box()
    assert box
    assert 0 <= box["y"] <= 300


def test_a_visitors_texts_can_be_scored_by_keyboard_and_shared_by_a_link(
    open_page: Open, demo: Demo
) -> None:
    page = open_page(demo.url)
    wait_ready(page)
    page.evaluate(WATCH_STATES)
    fill_fields(
        page,
        question="Capital?",
        reference="Paris is the capital",
        answer="Paris is the capital",
        keywords="a & #b",
    )
    page.wait_for_selector("#results.al-stale")
    page.locator(".al-examples input:checked").wait_for(state="detached")
    press_score(page)
    assert read_scores(page, "bleu", "rouge") == {"bleu": "1.00", "rouge": "1.00"}
    scored_counts = [state.count("scored") for state in page.evaluate("window.states")]
    since_start = scored_counts[scored_counts.index(0) :]
    assert since_start == sorted(since_start)
    assert len(set(scored_counts)) > 2, f"cards did not change one by one: {scored_counts}"
    press_score(page)  # equal texts: only the mark of old scores changes
    choose_judge(page, "http://127.0.0.1:9/v1", "sk-Zq7WvN3xR9tKb5Lm")
    page.locator("#several input").check()
    page.locator(".al-link").click()
    assert "sk-" not in page.url
    other = open_page(page.url)
    wait_ready(other)
    assert read_field(other, "question") == "Capital?"
    assert read_field(other, "keywords") == "a & #b"
    assert other.locator("#several input").is_checked()
    assert read_scores(other, "bleu") == {"bleu": "1.00"}
    other.locator("#clear").click()
    other.wait_for_function("() => !document.querySelector('#answer textarea').value")
    other.locator(".al-verdict", has_text="Give a reference and an answer").wait_for()
    fill_fields(other, reference="Paris", answer="Paris too")
    for key in ("Shift+Enter", "Control+Enter"):
        other.locator("#answer textarea").focus()
        press_score(other, key)
        assert other.locator(".al-verdict").inner_text() != "Computing."
    for _ in range(4):
        other.keyboard.press("Tab")
    assert other.evaluate("document.activeElement.id") == "score"
    assert other.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"
    summary = other.locator("#al-bleu summary").first
    summary.focus()
    other.keyboard.press("Enter")
    assert "too" in other.locator("#card-bleu .al-words").first.inner_text()
    assert other.locator(".al-card[open]").count() == 1


ODD_TEXTS = {
    "nul": "a\x00b",
    "lone surrogate": "\ud800 x \udfff",
    "right to left": "קיר \u202e before \u202c after",
    "one long word": "x" * 3000,
    "long": "one two three " * 3000,
}
# Types by an event of the page, because the browser's driver cannot send a lone surrogate.
TYPE = """([selector, units]) => {
  const field = document.querySelector(selector);
  field.value = String.fromCharCode(...units);
  field.dispatchEvent(new Event('input', {bubbles: true}));
}"""


def test_odd_text_does_not_break_the_page(open_page: Open, demo: Demo) -> None:
    page = open_page(demo.url, width=390)
    wait_ready(page)
    for name, text in ODD_TEXTS.items():
        fill_fields(
            page,
            question="odd",
            reference="before after",
            answer="before",
            keywords="after",
        )
        encoded = text.encode("utf-16-le", "surrogatepass")
        units = [unit for (unit,) in struct.iter_unpack("<H", encoded)]
        for field in ("reference", "answer"):
            page.evaluate(TYPE, [f"#{field} textarea", units])
        press_score(page)
        for metric, value in read_scores(page, *SCORED).items():
            assert re.fullmatch(r"[<>]?(-?[01]\.\d\d|\d+%)", value), (name, metric)
        assert measure_width(page) <= 390
    assert "more not shown" in open_card(page, "bleu").inner_text()


# Incomplete or long texts, and the beginning of the verdict.
INCOMPLETE = [
    ({"reference": "Paris", "answer": "It is Paris."}, "Likely right"),
    ({"question": "What?", "answer": "It is Paris."}, "No score could be computed"),
    ({"question": "What?", "reference": "Paris"}, "The answer has no words to compare"),
    (
        {"question": "What?", "reference": "!!! ???", "answer": "It is Paris."},
        "Cannot tell: the reference has no words to compare with",
    ),
    (
        {"question": "What?", "reference": "Paris", "answer": "It is Paris, a city. " * 2380},
        "Likely right",
    ),
    (
        {"question": "What?", "reference": "Paris", "answer": "It is Paris, a city. " * 2390},
        "No score could be computed",
    ),
]


def test_the_verdict_says_if_a_text_is_missing_or_too_long(open_page: Open, demo: Demo) -> None:
    page = open_page(demo.url)
    wait_ready(page)
    for texts, line in INCOMPLETE:
        fill_fields(page, **texts)
        press_score(page)
        assert page.locator(".al-verdict").inner_text().startswith(line), line
        assert measure_width(page) <= 1280
    assert "this page takes at most 50,000" in page.locator(".al-sentence").inner_text()


MARKUP = [
    "<img src=x onerror=\"window.broken='img'\">",
    "<script>window.broken='script'</script>",
    "\"><svg onload=window.broken='svg'>",
    "${window.broken='template'}",
    "{{constructor.constructor('window.broken=1')()}}",
    "<a href=\"javascript:window.broken='link'\">here</a>",
    "&lt;img src=x&gt; &amp;amp; </bdi></article><h1>big</h1>",
]


def test_markup_in_a_text_is_shown_and_never_runs(open_page: Open, demo: Demo) -> None:
    page = open_page(demo.url)
    wait_ready(page)
    elements = "main h1, main img, main svg, main script, .al-links a"
    before = page.locator(elements).count()
    for text in MARKUP:
        fill_fields(
            page,
            question=text,
            reference=f"right {text}",
            answer=text,
            keywords=f"{text} canada",
        )
        press_score(page)
        assert page.evaluate("window.broken") is None, text
        assert page.locator(elements).count() == before, text
        shown = page.locator("#card-correctness_estimate .al-words").all_text_contents()
        assert shown == [text, f"right {text}"]
        assert text in (page.locator("#card-eve_judge pre code").text_content() or "")


# Returns the elements whose content is wider than they are; 1 pixel may come from rounding.
LIST_TOO_WIDE = """(elements) => {
  const isTooWide = (element) => element.scrollWidth > element.clientWidth + 1;
  return elements.filter(isTooWide).map((element) => element.outerHTML);
}"""


def test_axe_finds_nothing_and_nothing_scrolls_sideways(
    open_page: Open,
    demo: Demo,
    server: JudgeServer,
    axe_source: str,
) -> None:
    page = open_page(demo.url)
    wait_ready(page)
    page.evaluate(axe_source)
    assert page.locator(".dark").count() == 0
    open_page(demo.url, scheme="dark").locator("body.dark").wait_for()

    def check(name: str, *widths: int) -> None:
        for width in widths:
            page.set_viewport_size({"width": width, "height": 900})
            assert measure_width(page) <= width, name
            boxes = page.locator(".al-card, .al-agrees, .al-agrees summary")
            assert boxes.evaluate_all(LIST_TOO_WIDE) == []
            # A colour depends on the scheme and not on the width, so these two show all colours.
            if width == 320:
                assert list_dark_violations(page) == [], (name, width)
            if width == 1280:
                assert list_violations(page) == [], (name, width)

    choose_judge(page, server.url, "sk-Zq7WvN3xR9tKb5Lm")
    server.answer = Reply(way="hang")
    press_score(page)
    assert "No answer came in time" in open_card(page, "eve_judge").inner_text()
    check("no answer", 320, 1280)
    server.answer = make_good_reply
    press_score(page)
    assert read_scores(page, *JUDGES) == {"l3score": "0.92", "eve_judge": "PASS"}
    open_all(page)
    check("all scores", 320, 390, 768, 1280, 1920)
    choose_example(page, 5)
    open_all(page)
    check("Chinese", 320, 1280)
    page.set_viewport_size({"width": 1280, "height": 900})
    page.locator("#provider input").click()
    page.get_by_role("option", name="vllm").wait_for()
    check("providers", 1280)
    page.keyboard.press("Escape")


def test_the_page_requests_no_other_address_and_stores_no_text(open_page: Open, demo: Demo) -> None:
    page = open_page("about:blank")
    addresses: list[str] = []
    page.on("request", lambda request: addresses.append(request.url))
    page.on("websocket", lambda socket: addresses.append(socket.url))
    page.goto(demo.url)
    wait_ready(page)
    secret = "XyzzySecret"
    fill_fields(
        page,
        question=secret,
        reference=secret,
        answer=secret,
        keywords=secret,
    )
    press_score(page)
    assert not [url for url in addresses if not url.startswith((demo.url, "data:", "blob:"))]
    stored = page.evaluate("JSON.stringify([localStorage, sessionStorage, document.cookie])")
    assert secret not in stored + str(page.context.storage_state()) + demo.log()
    assert page.evaluate("async () => (await indexedDB.databases()).length") == 0
