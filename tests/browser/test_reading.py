"""A sample read in a real browser, by keys alone.

What the verdicts say is in tests/demo/test_verdicts.py.
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
# Of three answers two are right.
ROWS = [
    {
        "id": f"q{row}",
        "question": f"Which city is number {row}?",
        "reference": f"Paris {row}",
        "answer": answer,
    }
    for row in range(80)
    for answer in [f"It is Rome {row}." if row % 3 == 0 else f"It is Paris {row}."]
]


def begin_reading(
    page: Page, name: str, questions: int = 25, **others: list[dict[str, str]]
) -> Page:
    """Score the file with those of other systems, and begin to read this many questions."""
    open_tab(page, name)
    files = {
        f"{system}.jsonl": format_jsonl(rows) for system, rows in ({"ours": ROWS} | others).items()
    }
    choose_files(page, "#ft-file", files, FILES, [*files][-1])
    page.locator("#ft-form").wait_for()
    page.locator("#ft-start").click()
    open_part(page, "read")
    page.locator("#rd-rows input").fill(str(questions))
    page.locator("#rd-begin").click()
    page.locator("#rd-r").wait_for()
    return page


def give_verdict(page: Page, key: str = "") -> None:
    """Decide the answer that is shown by a key, and wait for the next."""
    before = page.locator("#rd-head").inner_text()
    right = "Paris" in page.locator(".rd-said dd").inner_text()
    page.keyboard.press(key or ("r" if right else "w"))
    page.wait_for_function(
        "(before) => document.querySelector('#rd-head')?.innerText !== before", arg=before
    )


def test_verdicts_by_keys_alone_are_taken_up_again(
    open_page: Open,
    demo: Demo,
    tmp_path: Path,
    axe_source: str,
) -> None:
    page = begin_reading(open_page(demo.url), "Files")
    assert "Answer 1 of 25" in page.locator("#rd-answer").inner_text()
    assert not re.search(r"0\.\d\d", page.locator("#rd-answer").inner_text()), (
        "no score sways the reader"
    )
    give_verdict(page, "s")
    page.keyboard.press("b")
    page.locator("#rd-answer", has_text="Your verdict: Cannot say").wait_for()
    give_verdict(page, "d")
    page.keyboard.press("b")
    page.locator("#rd-answer", has_text="Your verdict: Declined").wait_for()
    for number in range(25):
        give_verdict(page)
        if number == 18:
            assert (
                "First figures after 20 verdicts: 1 still to give."
                in page.locator("#rd-found").inner_text()
            )
    page.locator("#rd-head", has_text="All 25 answers are read.").wait_for()
    # Nothing is left to judge, by mouse or by key; one may go back, and on again.
    assert [page.locator(f"#rd-{key}").is_disabled() for key in "rwdsb"] == [
        True,
        True,
        True,
        True,
        False,
    ]
    for key in "rwds":
        page.keyboard.press(key)
    page.keyboard.press("b")
    page.locator("#rd-head", has_text="Answer 25 of 25").wait_for()
    assert [page.locator(f"#rd-{key}").is_disabled() for key in "rwdsb"] == [False] * 5
    give_verdict(page)
    page.locator("#rd-head", has_text="All 25 answers are read.").wait_for()
    said = page.locator("#rd-found").inner_text()
    assert "25 verdicts and the estimate of all 80 rows" in said
    assert "random sample of this table" in said
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
    assert figures.findall(again) == figures.findall(said)
    page.locator("#rd-theirs input[type=file]").set_input_files(file)
    page.locator("#rd-kappa", has_text="Cohen κ：1.00").wait_for()
    page.evaluate(axe_source)
    assert list_violations(page) == []
    assert measure_width(page) <= 390


def test_the_answers_of_three_systems_are_read_blind_and_equal_ones_once(
    open_page: Open, demo: Demo, axe_source: str
) -> None:
    wrong = [row | {"answer": f"It is Rome {at}."} for at, row in enumerate(ROWS)]
    page = begin_reading(
        open_page(demo.url), "Files", theirs=wrong, same=[dict(row) for row in ROWS]
    )
    # Where ours is wrong, all three say the same.
    head = page.locator("#rd-head").inner_text()
    count = int(head.removeprefix("Answer 1 of "))
    texts = []
    for _ in range(count):
        shown = page.locator("#rd-answer").inner_text()
        assert not re.search("ours|theirs|same", shown), "nothing tells whose an answer is"
        texts.append(page.locator(".rd-said dd").inner_text())
        give_verdict(page)
    page.locator("#rd-head", has_text=f"All {count} answers are read.").wait_for()
    assert len({*texts}) == count == 25 + sum("Paris" in one for one in texts)
    first = dict.fromkeys(one.split()[-1] for one in texts)
    assert len(first) == 25, "questions are drawn, and all answers to one come together"
    assert len({"Rome" in one for one in texts[::2]}) == 2, "by chance one or the other first"
    said = page.locator("#rd-found").inner_text()
    for name in ("ours", "theirs", "same"):
        assert f"25 verdicts and the estimate of all 80 rows · {name}" in said
    assert re.search(r"ours\s+theirs\s+25 verdicts alone\s+0.[5-7]", said)
    assert re.search(r"ours\s+same\s+25 verdicts alone\s+0.0000", said)
    page.evaluate(axe_source)
    assert list_violations(page) == []
