"""Give verdicts on a sample in a browser, with keys only.

The figures of verdicts are tested in tests/demo/test_verdicts.py.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from browsing import (
    FILES,
    Demo,
    choose_files,
    format_jsonl,
    list_violations,
    measure_width,
    open_part,
    open_tab,
)

if TYPE_CHECKING:
    from playwright.sync_api import Page

Open = Callable[..., "Page"]


def make_rows() -> list[dict[str, str]]:
    """Return 80 rows; two of three answers are right."""
    rows = []
    for number in range(80):
        city = "Rome" if number % 3 == 0 else "Paris"
        row = {
            "id": f"q{number}",
            "question": f"Which city is number {number}?",
            "reference": f"Paris {number}",
            "answer": f"It is {city} {number}.",
        }
        rows.append(row)
    return rows


ROWS = make_rows()


def begin_reading(page: Page, title: str, **others: list[dict[str, str]]) -> Page:
    """Score ROWS, and files of other systems, and begin a sample of 25 questions.

    Args:
        page: the page.
        title: the title of the tab.
        others: the rows of other systems.
    """
    open_tab(page, title)
    systems = {"ours": ROWS, **others}
    files = {f"{name}.jsonl": format_jsonl(rows) for name, rows in systems.items()}
    last_file = [*files][-1]
    choose_files(page, "#ft-file", files, FILES, last_file)
    page.locator("#ft-form").wait_for()
    page.locator("#ft-start").click()
    open_part(page, "read")
    page.locator("#rd-rows input").fill("25")
    page.locator("#rd-begin").click()
    page.locator("#rd-r").wait_for()
    return page


def give_verdict(page: Page, key: str = "") -> None:
    """Press the key of a verdict, by default the right one, and wait for the next answer."""
    before = page.locator("#rd-head").inner_text()
    is_right = "Paris" in page.locator(".rd-said dd").inner_text()
    right_key = "r" if is_right else "w"
    page.keyboard.press(key or right_key)
    page.wait_for_function(
        "(before) => document.querySelector('#rd-head')?.innerText !== before", arg=before
    )


def list_disabled_keys(page: Page) -> list[str]:
    """Return the keys whose buttons are inactive: four verdicts, and going back."""
    return [key for key in "rwdsb" if page.locator(f"#rd-{key}").is_disabled()]


def read_all_answers(page: Page) -> None:
    """Give the right verdict on 25 answers; check the message after 19."""
    for number in range(25):
        give_verdict(page)
        if number == 18:
            message = "First figures after 20 verdicts: 1 still to give."
            assert message in page.locator("#rd-found").inner_text()
    page.locator("#rd-head", has_text="All 25 answers are read.").wait_for()


def test_verdicts_given_by_keys_are_saved_and_read_again(
    open_page: Open,
    demo: Demo,
    tmp_path: Path,
    axe_source: str,
) -> None:
    page = begin_reading(open_page(demo.url), "Files")
    assert "Answer 1 of 25" in page.locator("#rd-answer").inner_text()
    assert not re.search(r"0\.\d\d", page.locator("#rd-answer").inner_text()), (
        "no score may be shown to the reader"
    )
    give_verdict(page, "s")
    page.keyboard.press("b")
    page.locator("#rd-answer", has_text="Your verdict: Cannot say").wait_for()
    give_verdict(page, "d")
    page.keyboard.press("b")
    page.locator("#rd-answer", has_text="Your verdict: Declined").wait_for()
    read_all_answers(page)
    # After the last answer, buttons and keys of verdicts are inactive, but the reader can go back.
    assert list_disabled_keys(page) == [*"rwds"]
    for key in "rwds":
        page.keyboard.press(key)
    page.keyboard.press("b")
    page.locator("#rd-head", has_text="Answer 25 of 25").wait_for()
    assert list_disabled_keys(page) == []
    give_verdict(page)
    page.locator("#rd-head", has_text="All 25 answers are read.").wait_for()
    figures_text = page.locator("#rd-found").inner_text()
    assert "25 verdicts and the estimate of all 80 rows" in figures_text
    assert "random sample of this table" in figures_text
    with page.expect_download() as download:
        page.locator(".rd-link").click()
    file = tmp_path / "verdicts.csv"
    download.value.save_as(file)
    assert len(file.read_text("utf-8").splitlines()) == 26
    page.close()

    page = begin_reading(open_page(demo.url, width=390, scheme="dark", locale="zh-CN"), "文件")
    page.locator("#rd-panel button", has_text="使用文件中的判断").click()
    page.locator("#rd-mine input[type=file]").set_input_files(file)
    page.locator("#rd-head", has_text="已全部读完").wait_for()
    figures = re.compile(r"\d+%|\d\.\d\d+|\[")
    again = page.locator("#rd-found").inner_text()
    assert figures.findall(again) == figures.findall(figures_text)
    page.locator("#rd-theirs input[type=file]").set_input_files(file)
    page.locator("#rd-kappa", has_text="Cohen κ：1.00").wait_for()
    page.evaluate(axe_source)
    assert list_violations(page) == []
    assert measure_width(page) <= 390


def read_nameless_answers(page: Page) -> list[str]:
    """Read all answers, none of which may show the name of its system, and return their texts."""
    head = page.locator("#rd-head").inner_text()
    count = int(head.removeprefix("Answer 1 of "))
    texts = []
    for _ in range(count):
        shown = page.locator("#rd-answer").inner_text()
        assert not re.search("ours|theirs|same", shown), "the name of the system must not be shown"
        texts.append(page.locator(".rd-said dd").inner_text())
        give_verdict(page)
    page.locator("#rd-head", has_text=f"All {count} answers are read.").wait_for()
    return texts


def test_answers_of_three_systems_are_read_without_their_names_and_equal_ones_once(
    open_page: Open, demo: Demo, axe_source: str
) -> None:
    wrong = [row | {"answer": f"It is Rome {number}."} for number, row in enumerate(ROWS)]
    page = begin_reading(open_page(demo.url), "Files", theirs=wrong, same=ROWS)
    texts = read_nameless_answers(page)
    # If "ours" is wrong, all three answers are equal.
    right_answers = [text for text in texts if "Paris" in text]
    assert len(texts) == 25 + len(right_answers)
    assert len({*texts}) == len(texts)
    questions = {text.split()[-1] for text in texts}
    assert len(questions) == 25, "all answers to 25 questions must be read"
    assert len({"Rome" in text for text in texts[::2]}) == 2, "the order of systems must be random"
    figures_text = page.locator("#rd-found").inner_text()
    for name in ("ours", "theirs", "same"):
        assert f"25 verdicts and the estimate of all 80 rows · {name}" in figures_text
    assert re.search(r"ours\s+theirs\s+25 verdicts alone\s+0.[5-7]", figures_text)
    assert re.search(r"ours\s+same\s+25 verdicts alone\s+0.0000", figures_text)
    page.evaluate(axe_source)
    assert list_violations(page) == []
