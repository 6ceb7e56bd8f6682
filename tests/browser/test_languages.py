"""English and Chinese in a browser: the page of each language, and which one is shown."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from browsing import (
    METRICS,
    WITHOUT_COLOURS,
    Demo,
    choose_example,
    fill_fields,
    find_field,
    list_violations,
    measure_width,
    open_card,
    press_score,
    wait_ready,
)

if TYPE_CHECKING:
    from playwright.sync_api import Page

Open = Callable[..., "Page"]

# All visible texts, labels for screen readers and placeholders, except texts of the visitor, of a
# file and of a module.
TEXTS = """() => {
  const leftOut = '.al-words, .al-token, .al-quoted, .al-prompt pre, bdi, code, textarea,' +
    ' .al-links a, body [lang=en]';
  const names = ['aria-label', 'placeholder', 'title', 'alt', 'data-copied', 'aria-description'];
  const texts = [];
  for (const element of document.querySelectorAll('body, body *')) {
    if (element.closest('script, style, noscript')) continue;
    if (element.closest(leftOut) || !element.checkVisibility()) continue;
    for (const name of names)
      if (element.getAttribute(name)) texts.push(element.getAttribute(name));
    for (const node of element.childNodes)
      if (node.nodeType === Node.TEXT_NODE) texts.push(node.textContent.trim());
  }
  return texts.filter((text) => text);
}"""
# Names, units and code that may stand in Chinese texts.
NAMES = """
Answer Lens API OpenAI LV Eval F1 BLEU ROUGE Lsum BERTScore L3Score EVE Enter Ctrl Yes No evaluate
load gram Lines AUROC TSV Excel txt gz score py evaluation jsonl zip CSV JSONL JSON Parquet MB
JudgeBias DPO RefFree testset represent error overall_score zh generated anchor_score
perturbation_category perturbation_type chosen_logprob rejected_logprob lm harness inspect_ai
lighteval promptfoo Evals HELM AlpacaEval TeX think openai vllm gpt luna decisions systemone v1
"""
# The label of Gradio's field for files, in every language.
GRADIO_LABEL = "Click to upload or drop files"
HAN = re.compile("[\u3400-\u9fff]")


class Language(NamedTuple):
    """The page's language, the heading of its results, and its link to the other language."""

    code: str
    heading: str
    link: str


ENGLISH = Language("en", "Results", "中文")
CHINESE = Language("zh", "结果", "English")


def list_english_words(page: Page) -> set[str]:
    """Return the English words of the page except names, paths and words in a field."""
    typed = page.locator("textarea, input[type=text]").evaluate_all(
        "fields => fields.map((field) => field.value)"
    )
    typed_words = re.findall(r"\w+", " ".join(typed).lower())
    shown = "\n".join(page.evaluate(TEXTS)).replace(GRADIO_LABEL, "")
    without_paths = re.sub(r"metrics/\S+", "", shown)
    words = re.findall(r"[A-Za-z_][A-Za-z_0-9]+", without_paths)
    english_words = set()
    for word in set(words) - set(NAMES.split()):
        # A typed text that is long may be shown shortened, even within a word.
        is_typed = any(typed_word.startswith(word.lower()) for typed_word in typed_words)
        if not is_typed:
            english_words.add(word)
    return english_words


def read_language(page: Page) -> Language:
    """Return the language that the page is in."""
    code = page.evaluate("document.documentElement.lang")
    heading = page.locator("#al-results").text_content() or ""
    return Language(code, heading, page.locator(".al-language").inner_text())


def wait_for_language(page: Page, language: Language) -> None:
    """Wait until the page is in a language."""
    page.locator("#al-results", has_text=language.heading).wait_for()


def test_the_chinese_page_has_no_english_words_and_axe_finds_nothing(
    open_page: Open, demo: Demo, axe_source: str
) -> None:
    page = open_page(demo.url)
    wait_ready(page)
    texts = " ".join(page.evaluate(TEXTS))
    for text in (
        "Optional: words the answer needs",
        "Overlap of words",
        "Copy a link to this answer",
        "Judge",
    ):
        assert text in texts, "TEXTS must find every text of the page"
    page = open_page(demo.url, locale="zh-CN")
    wait_ready(page)
    assert read_language(page) == CHINESE
    for number in (4, 0):
        choose_example(page, number)
        for metric in METRICS:
            open_card(page, metric.name)
            assert list_english_words(page) == set(), (number, metric.name)
    page.locator("#judge .label-wrap").click()
    page.locator("#provider").wait_for()
    assert list_english_words(page) == set()
    fill_fields(page, answer="Paris")
    press_score(page)
    assert "需要参考答案" in open_card(page, "bleu").inner_text()
    page.evaluate(axe_source)
    tabs = page.get_by_role("tab")
    assert tabs.count() == 4
    for number in range(4):
        tabs.nth(number).click()
        page.wait_for_timeout(300)
        assert HAN.search(" ".join(page.evaluate(TEXTS)))
        assert list_english_words(page) == set()
        # The colours of an element are the same in every width.
        for width, options in ((320, {}), (1280, WITHOUT_COLOURS)):
            page.set_viewport_size({"width": width, "height": 900})
            assert measure_width(page) <= width
            assert list_violations(page, options) == [], (number, width)


def test_the_language_in_the_address_wins_over_that_of_the_browser(
    open_page: Open, demo: Demo
) -> None:
    for locale, address, language in (
        ("en-US", "?lang=zh", CHINESE),
        ("zh-CN", "zh?lang=en", ENGLISH),
        ("zh-TW", "", CHINESE),
        ("de-DE", "", ENGLISH),
        ("en-US", "?lang=__proto__", ENGLISH),
    ):
        page = open_page(f"{demo.url}{address}", locale=locale)
        wait_for_language(page, language)
        page.evaluate("document.documentElement.lang = 'de'")  # like Gradio, which sets it late
        assert read_language(page) == language
        path = "zh" if language == CHINESE else ""
        assert page.url == demo.url + path
        page.context.close()


def test_the_link_to_the_other_language_works_by_keyboard_and_is_remembered(
    open_page: Open, demo: Demo
) -> None:
    page = open_page(demo.url)
    wait_ready(page)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "al-language"
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"
    page.keyboard.press("Enter")
    wait_for_language(page, CHINESE)
    for language in (ENGLISH, CHINESE):
        page.locator(".al-language").click()
        wait_for_language(page, language)
        page.goto(demo.url)
        wait_for_language(page, language)
        assert read_language(page) == language
    stored = page.evaluate("[{...localStorage}, {...sessionStorage}, document.cookie]")
    assert stored == [{"answer-lens-language": "zh"}, {}, ""]


def test_the_page_in_the_other_language_has_the_visitors_texts_or_tab(
    open_page: Open, demo: Demo
) -> None:
    page = open_page(demo.url)
    wait_ready(page)
    page.locator("#tab-lv-eval-button").click()
    page.wait_for_url("**#lv-eval")
    page.locator(".al-language").click()
    page.wait_for_url("**/zh#lv-eval")
    page.locator("#tab-lv-eval-button[aria-selected=true]").wait_for()
    page.locator("#tab-answer-button").click()
    wait_for_language(page, CHINESE)
    wait_ready(page)
    texts = {"question": "首都?", "reference": "Rome & Milan", "answer": "100% #1 <b>Oslo</b>\n+"}
    fill_fields(page, **texts)
    page.wait_for_function("answerLens.has_own_values && answerLens.typed_values[2].endsWith('+')")
    page.locator(".al-language").click()
    wait_for_language(page, ENGLISH)
    wait_ready(page)
    for name, text in texts.items():
        assert find_field(page, name).input_value() == text
