"""A sample read in a real browser, by keys alone; what the verdicts say is in tests/demo/test_verdicts.py."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from browsing import FILES, Demo, choose, found_by_axe, jsonl, tab, width_of

if TYPE_CHECKING:
    from playwright.sync_api import Page

Open = Callable[..., "Page"]
# Of three answers two are right.
ROWS = [
    {"id": f"q{row}", "question": f"Which city is number {row}?", "reference": f"Paris {row}", "answer": answer}
    for row in range(80)
    for answer in [f"It is Rome {row}." if row % 3 == 0 else f"It is Paris {row}."]
]


def scored(page: Page, name: str, second: list[dict[str, str]] | None = None) -> Page:
    """The file, scored; with a second system's, to be read for their difference."""
    tab(page, name)
    choose(page, "#ft-file", {"ours.jsonl": jsonl(ROWS)}, FILES, "ours.jsonl")
    page.locator("#ft-form").wait_for()
    if second:
        page.get_by_text("Compare with a second file").click()
        choose(page, "#ft-second-file", {"theirs.jsonl": jsonl(second)}, FILES, "theirs.jsonl")
    page.locator("#ft-start").click()
    page.locator("#rd-begin").wait_for()
    if second:
        page.locator("#rd-way input").click()
        page.get_by_role("option", name="both systems, for their difference").click()
    page.locator("#rd-begin").click()
    page.locator("#rd-r").wait_for()
    return page


def read(page: Page, key: str = "") -> None:
    """Decide the answer that is shown by a key, and wait for the next."""
    before = page.locator("#rd-head").inner_text()
    right = "Paris" in page.locator(".rd-said dd").inner_text()
    page.keyboard.press(key or ("r" if right else "w"))
    page.wait_for_function("(before) => document.querySelector('#rd-head')?.innerText !== before", arg=before)


def test_fifty_verdicts_by_keys_alone_are_taken_up_again(
    open_page: Open, demo: Demo, tmp_path: Path, axe_source: str
) -> None:
    page = scored(open_page(demo.url), "Files")
    assert "Answer 1 of 50" in page.locator("#rd-answer").inner_text()
    assert not re.search(r"0\.\d\d", page.locator("#rd-answer").inner_text()), "no score sways the reader"
    read(page, "s")
    page.keyboard.press("b")
    page.locator("#rd-answer", has_text="Your verdict: Cannot say").wait_for()
    for number in range(50):
        read(page)
        if number == 18:
            assert "until the first figures: 1." in page.locator("#rd-found").inner_text()
    page.locator("#rd-head", has_text="All 50 answers are read.").wait_for()
    # Nothing is left to judge, by mouse or by key; one may go back, and on again.
    assert [page.locator(f"#rd-{key}").is_disabled() for key in "rwsb"] == [True, True, True, False]
    for key in "rws":
        page.keyboard.press(key)
    page.keyboard.press("b")
    page.locator("#rd-head", has_text="Answer 50 of 50").wait_for()
    assert [page.locator(f"#rd-{key}").is_disabled() for key in "rwsb"] == [False] * 4
    read(page)
    page.locator("#rd-head", has_text="All 50 answers are read.").wait_for()
    said = page.locator("#rd-found").inner_text()
    assert "50 verdicts and the estimate of all 80 rows" in said
    assert "random sample of this table" in said
    with page.expect_download() as download:
        page.locator(".rd-link").click()
    file = tmp_path / "verdicts.csv"
    download.value.save_as(file)
    assert len(file.read_text("utf-8").splitlines()) == 51
    page.close()

    page = scored(open_page(demo.url, width=390, scheme="dark", locale="zh-CN"), "文件")
    page.locator("#rd-panel button", has_text="使用文件中的判断").click()
    page.locator("#rd-mine input[type=file]").set_input_files(file)
    page.locator("#rd-head", has_text="已全部读完").wait_for()
    figures = re.compile(r"\d+%|\d\.\d\d+|\[")
    again = page.locator("#rd-found").inner_text()
    assert figures.findall(again) == figures.findall(said)
    page.locator("#rd-theirs input[type=file]").set_input_files(file)
    page.locator("#rd-kappa", has_text="Cohen κ：1.00").wait_for()
    page.evaluate(axe_source)
    assert found_by_axe(page) == []
    assert width_of(page) <= 390


def test_the_answers_of_two_systems_are_read_for_their_difference(open_page: Open, demo: Demo) -> None:
    second = [row | {"answer": f"It is Rome {at}."} for at, row in enumerate(ROWS)]
    page = scored(open_page(demo.url), "Files", second)
    texts = []
    for _ in range(50):
        shown = page.locator("#rd-answer").inner_text()
        assert "theirs" not in shown, "nothing tells whose an answer is"
        texts.append(page.locator(".rd-said dd").inner_text())
        read(page)
    pairs = list(zip(texts[::2], texts[1::2], strict=True))
    assert all({one.split()[2], two.split()[2]} == {"Paris", "Rome"} for one, two in pairs)
    assert len({"Rome" in one for one, _ in pairs}) == 2, "by chance one or the other first"
    said = page.locator("#rd-found").inner_text()
    assert "In 27 more rows both answers are the same." in said
    assert "likeliest to differ" in said
    # Of the 53 rows that are left one system is right in all: 53/80.
    assert "0.6625" in said
