"""English and Chinese in a real browser: a page for each, and which of them is shown."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from browsing import Demo
from test_page import WORDS, fill, opened, scores, wait_ready

if TYPE_CHECKING:
    from playwright.sync_api import Page

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
# What Gradio calls its field for files, in every language.
OF_GRADIO = "Click to upload or drop files"
HAN = re.compile("[\u3400-\u9fff]")
ENGLISH, CHINESE = ("en", "Scores", "中文"), ("zh", "评分结果", "English")


def english_words(page: Page) -> set[str]:
    """The English words of the page that are no names, no paths and no words that stand in a field."""
    typed = " ".join(page.locator("textarea, input[type=text]").evaluate_all("all => all.map((one) => one.value)"))
    shown = "\n".join(page.evaluate(TEXTS)).replace(OF_GRADIO, "")
    words = re.findall(r"[A-Za-z_][A-Za-z_0-9]+", re.sub(r"metrics/\S+", "", shown))
    return set(words) - set(NAMES.split()) - set(re.findall(r"\w+", typed.lower()))


def speaks(page: Page) -> tuple[str, str, str]:
    """The language as the page says it, the heading of the results, and the other language, to which a link leads."""
    lang = page.evaluate("document.documentElement.lang")
    return lang, page.locator("#al-results").text_content() or "", page.locator(".al-language").inner_text()


def follow(page: Page) -> None:
    """Follow the link to the page in the other language."""
    page.locator(".al-language").click()
    page.wait_for_url(re.compile("/(zh)?$"))
    wait_ready(page)


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


@pytest.mark.parametrize("width", [320, 1280])
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


def test_the_texts_that_are_looked_through_are_all_there_are(open_page: Open, demo: Demo) -> None:
    page = opened(open_page, demo)
    found = " ".join(page.evaluate(TEXTS))
    for text in ("Only a judge reads it.", "Precision", "Copy the signature of BLEU", "Score", "Judge (optional)"):
        assert text in found
    assert {"Only", "judge", "reads"} <= english_words(page)


@pytest.mark.parametrize(
    ("locale", "asked", "spoken"),
    [
        ("en-US", "?lang=zh", CHINESE),
        ("zh-CN", "?lang=en", ENGLISH),
        ("zh-CN", "zh?lang=en", ENGLISH),
        ("zh-TW", "", CHINESE),
        ("en-US", "zh", CHINESE),
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
    assert page.url == demo.url + ("zh" if spoken == CHINESE else "")


def test_the_link_leads_to_the_other_page_and_is_remembered(open_page: Open, demo: Demo) -> None:
    page = opened(open_page, demo)
    assert speaks(page) == ENGLISH
    for spoken in (CHINESE, ENGLISH, CHINESE):
        follow(page)
        assert speaks(page) == spoken
        page.goto(demo.url)
        wait_ready(page)
        assert speaks(page) == spoken
    kept = page.evaluate("[{...localStorage}, {...sessionStorage}, document.cookie]")
    assert kept == [{"answer-lens-language": "zh"}, {}, ""]


def test_the_link_by_keyboard_alone(open_page: Open, demo: Demo) -> None:
    page = opened(open_page, demo)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "al-language"
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"
    page.keyboard.press("Enter")
    page.locator("#al-results", has_text="评分结果").wait_for()
    wait_ready(page)
    assert speaks(page) == CHINESE


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
    assert scores(pages[0], WORDS) == scores(pages[1], WORDS)
