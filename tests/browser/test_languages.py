"""English and Chinese in a real browser; what needs none is in tests/test_languages.py."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from browsing import Demo
from test_judge_check import waited
from test_page import FIELDS, READY, WORDS, fill, opened, scores, wait_ready

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

Open = Callable[..., "Page"]

# All texts that are seen, heard or stand in an empty field, but for those of the visitor, of a file and of a module.
TEXTS = """() => {
  const alien = '.al-words, .al-token, .al-quoted, .al-prompt pre, bdi, code, textarea, .al-links a, body [lang=en]';
  const found = [], walk = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT);
  for (let one = walk.currentNode; one; one = walk.nextNode()) {
    if (one.closest('script, style, noscript') || one.closest(alien) || !one.checkVisibility()) continue;
    for (const name of ['aria-label', 'placeholder', 'title', 'alt', 'data-copied', 'aria-description'])
      if (one.getAttribute(name)) found.push(one.getAttribute(name));
    for (const node of one.childNodes) if (node.nodeType === 3) found.push(node.textContent.trim());
  }
  return found.filter((text) => text);
}"""
# Names, units and code that Chinese texts have too.
NAMES = """
Answer Lens API OpenAI LV Eval F1 BLEU ROUGE Lsum BERTScore L3Score EVE Enter Shift Yes No evaluate load gram Lines
AUROC TSV score py evaluation jsonl zip CSV JSONL JSON Parquet MB JudgeBias DPO RefFree testset represent error
overall_score zh generated anchor_score perturbation_category perturbation_type chosen_logprob rejected_logprob
"""
HAN = re.compile("[\u3400-\u9fff]")


def english_words(page: Page) -> set[str]:
    """The English words of the page that are no names, no paths and no words that stand in a field."""
    typed = " ".join(page.locator("textarea, input[type=text]").evaluate_all("all => all.map((one) => one.value)"))
    shown = "\n".join(page.evaluate(TEXTS))
    words = re.findall(r"[A-Za-z_][A-Za-z_0-9]+", re.sub(r"metrics/\S+", "", shown))
    return set(words) - set(NAMES.split()) - set(re.findall(r"\w+", typed.lower()))


def switch(page: Page) -> None:
    """Press the switch and wait for the scores in the new language."""
    page.evaluate("() => { document.querySelector('#overview .al-overview').dataset.done = 'old'; }")
    page.locator("#language button").click()
    page.wait_for_selector(READY, state="attached")


def speaks(page: Page) -> tuple[str, str, str]:
    """The language as the page says it, the heading of the results, and what the switch offers."""
    lang = page.evaluate("document.documentElement.lang")
    return lang, page.locator("#al-results").text_content() or "", page.locator("#language button").inner_text()


ENGLISH, CHINESE = ("en", "Scores", "中文"), ("zh", "评分结果", "English")


def check_example(page: Page) -> str:
    """The second tab with its example; what the results say."""
    page.get_by_role("tab", name=re.compile("Judge check|评判模型检验")).click()
    page.locator("#check-file").wait_for()
    return waited(page, page.locator("#try-example").click)


def test_a_chinese_browser_gets_a_page_without_english_words(open_page: Open, demo: Demo) -> None:
    page = opened(open_page, demo, locale="zh-CN")
    assert speaks(page) == CHINESE
    assert page.title() == "Answer Lens：一个答案，全部评分"
    assert english_words(page) == set()
    buttons = page.locator(".al-examples button")
    for number in range(buttons.count()):
        buttons.nth(number).click()
        page.locator(".al-example", has_text="示例：").wait_for()
        wait_ready(page)
        assert english_words(page) == set()
    page.locator("#judge .label-wrap").click()
    page.locator("#provider").wait_for()
    page.locator("#card-bertscore .al-reasons summary").click()
    assert english_words(page) == set()
    fill(page, answer="Paris")
    page.get_by_role("button", name="评分", exact=True).click()
    page.locator("#card-bleu", has_text="需要参考答案").wait_for()
    wait_ready(page)
    assert english_words(page) == set()


@pytest.mark.parametrize("width", [390, 1280])
def test_every_tab_is_in_chinese_and_axe_finds_nothing(
    open_page: Open, demo: Demo, axe_source: str, width: int
) -> None:
    page = opened(open_page, demo, width=width, locale="zh-CN")
    page.evaluate(axe_source)
    tabs = page.get_by_role("tab")
    assert tabs.count() >= 2
    for number in range(tabs.count()):
        tabs.nth(number).click()
        page.wait_for_timeout(600)
        assert HAN.search(" ".join(page.evaluate(TEXTS)))
        assert english_words(page) == set()
        found = page.evaluate("async () => (await axe.run()).violations")
        assert not [(one["id"], [node["html"][:200] for node in one["nodes"]]) for one in found]
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_judge_check_in_chinese_has_no_english_words(open_page: Open, demo: Demo) -> None:
    page = opened(open_page, demo, locale="zh-CN")
    page.get_by_role("tab", name="评判模型检验").click()
    page.locator("#check-file").wait_for()
    assert english_words(page) == set()
    assert "请选择文件" in page.locator(".al-check").inner_text()
    assert "虚构的示例" in check_example(page)
    for summary in page.locator("#check-input summary, #check-results summary").all():
        summary.click()
    # The example is a file of this name.
    assert english_words(page) <= {"made_up_judge_check", "csv"}
    page.get_by_role("textbox", name="最低分").fill("5")
    page.get_by_role("textbox", name="最高分").fill("1")
    assert "最低分小于最高分" in waited(page, page.locator("#check").click)
    assert english_words(page) <= {"made_up_judge_check", "csv"}


def test_the_texts_that_are_looked_through_are_all_there_are(open_page: Open, demo: Demo) -> None:
    page = opened(open_page, demo)
    found = " ".join(page.evaluate(TEXTS))
    for text in ("Only a judge reads it.", "Precision", "Copy the signature of BLEU", "Score", "Judge (optional)"):
        assert text in found
    assert {"Only", "judge", "reads"} <= english_words(page)


def test_the_switch_changes_everything_but_what_was_typed(open_page: Open, demo: Demo) -> None:
    page = opened(open_page, demo)
    assert speaks(page) == ENGLISH
    before = page.evaluate(TEXTS)
    typed = {"question": "Capital?", "reference": "Paris is the capital", "answer": "Paris", "keywords": "Paris"}
    fill(page, **typed)
    page.get_by_role("button", name="Score", exact=True).click()
    page.wait_for_function("() => !document.querySelector('.al-example')")
    wait_ready(page)
    shown = scores(page)
    for spoken in (CHINESE, ENGLISH, CHINESE):
        switch(page)
        assert speaks(page) == spoken
        assert scores(page) == shown
        values = {field: page.locator(f"#{field} textarea, #{field} input").input_value() for field in FIELDS}
        assert values == typed
        assert (english_words(page) == set()) == (spoken == CHINESE)
    switch(page)
    page.locator(".al-examples button").first.click()
    page.locator(".al-example", has_text="Example:").wait_for()
    wait_ready(page)
    assert page.evaluate(TEXTS) == before


def test_the_words_change_before_the_server_answers(open_page: Open, demo: Demo) -> None:
    page = opened(open_page, demo)
    held: list[Route] = []
    page.route("**/queue/join*", lambda route: held.append(route))
    page.locator("#language button").click()
    page.get_by_role("button", name="评分", exact=True).wait_for()
    assert page.locator("#al-results").text_content() == ENGLISH[1]
    page.wait_for_function("() => document.querySelector('#overview .al-stale')")
    (route,) = held
    route.continue_()
    wait_ready(page)
    assert speaks(page) == CHINESE
    assert english_words(page) == set()


def test_the_switch_draws_the_judge_check_anew_and_leaves_the_file(open_page: Open, demo: Demo) -> None:
    page = opened(open_page, demo)
    page.get_by_role("tab", name="Judge check").click()
    page.locator("#check-file").wait_for()
    switch(page)
    assert "请选择文件" in page.locator(".al-check").inner_text()
    file = {"name": "my.csv", "mimeType": "text/csv", "buffer": b"generated,anchor_score\nx,1,2\n"}
    said = waited(page, lambda: page.locator("#check-file").set_input_files(files=[file]))  # type: ignore[list-item]
    assert "第 1 行有 3 个单元格" in said
    said = waited(page, lambda: page.locator("#language button").click())
    assert "Row 1 has 3 cells" in said
    assert page.evaluate("document.querySelector('#check-file').files[0].name") == "my.csv"
    assert "made-up example" in check_example(page).lower()
    said = waited(page, lambda: page.locator("#language button").click())
    assert "虚构的示例" in said


@pytest.mark.parametrize(
    ("locale", "asked", "spoken"),
    [
        ("en-US", "?lang=zh", CHINESE),
        ("zh-CN", "?lang=en", ENGLISH),
        ("zh-TW", "", CHINESE),
        ("de-DE", "", ENGLISH),
        ("zh-CN", "?lang=fr", CHINESE),
        ("en-US", "?lang=__proto__", ENGLISH),
    ],
)
def test_the_address_wins_over_the_browser(
    open_page: Open, demo: Demo, locale: str, asked: str, spoken: tuple[str, ...]
) -> None:
    page = open_page(f"{demo.url}{asked}", locale=locale)
    wait_ready(page)
    assert speaks(page) == spoken


def test_a_choice_stands_in_the_address_and_nowhere_else(open_page: Open, demo: Demo) -> None:
    page = opened(open_page, demo)
    switch(page)
    assert page.url.endswith("?lang=zh")
    page.reload()
    wait_ready(page)
    assert speaks(page) == CHINESE
    kept = page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])")
    assert "zh" not in kept
    assert "lang" not in kept.lower()


def test_the_switch_by_keyboard_alone(open_page: Open, demo: Demo) -> None:
    page = opened(open_page, demo)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('#language') !== null")
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"
    page.keyboard.press("Enter")
    page.locator("#al-results", has_text="评分结果").wait_for()
    wait_ready(page)
    assert page.evaluate("[document.activeElement.innerText, document.activeElement.lang]") == ["English", "en"]
    page.keyboard.press("Space")
    page.locator("#al-results", has_text="Scores").wait_for()
    wait_ready(page)
    assert speaks(page) == ENGLISH


def test_two_pages_side_by_side_keep_their_languages(open_page: Open, demo: Demo) -> None:
    pages = [opened(open_page, demo, locale=locale) for locale in ("en-US", "zh-CN")]
    for number in range(6):
        for page in pages:
            page.locator(".al-examples button").nth(number).click()
    for page, words in zip(pages, ("Example:", "示例："), strict=True):
        page.locator(".al-example", has_text=words).wait_for()
        wait_ready(page)
    assert [speaks(page) for page in pages] == [ENGLISH, CHINESE]
    assert english_words(pages[1]) == set()
    chinese = [text for text in pages[0].evaluate(TEXTS) if HAN.search(text)]
    assert set(chinese) == {"中文", "中文: one wrong name", "中文: reworded"} | set(sentence_of(pages[0]))
    assert scores(pages[0], WORDS) == scores(pages[1], WORDS)


def sentence_of(page: Page) -> list[str]:
    """The sentence on the scores, where it names a word of the answer in Chinese, and fields with such texts."""
    return [text for text in page.locator(".al-sentence").all_inner_texts() if HAN.search(text)]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_axe_finds_nothing_in_chinese(open_page: Open, demo: Demo, axe_source: str, width: int, scheme: str) -> None:
    page = opened(open_page, demo, width=width, scheme=scheme, locale="zh-CN")
    page.evaluate(axe_source)
    for prepare in (wait_ready, check_example):
        prepare(page)
        page.wait_for_timeout(400)
        found = page.evaluate("async () => (await axe.run()).violations")
        assert not [(one["id"], [node["html"][:200] for node in one["nodes"]]) for one in found]
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        clipped = "all => all.filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.outerHTML)"
        assert (
            page.locator("button:not(.label-wrap):visible, .al-card:visible, label:visible").evaluate_all(clipped) == []
        )
