"""The tab "Judge check" in a real browser; what needs none is in tests/demo/test_judge_check.py."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from browsing import Demo
from lens.page.judge_check_tab import EXAMPLE

if TYPE_CHECKING:
    from playwright.sync_api import Page

Open = Callable[..., "Page"]
MARKUP = "<img src=x onerror=\"window.broken='cell'\">"
SECRET = "XyzzySecretReply"


def rows_of_example() -> list[dict[str, Any]]:
    """The rows of the example."""
    return list(csv.DictReader(io.StringIO(EXAMPLE.read_text("utf-8"), newline="")))


def check_tab(page: Page) -> Page:
    """The page with the tab chosen."""
    page.get_by_role("tab", name="Judge check").click()
    page.locator("#try-example").wait_for()
    return page


def choose(page: Page, name: str, rows: list[dict[str, Any]] | bytes) -> None:
    """Choose a file, which is checked at once."""
    data = rows if isinstance(rows, bytes) else "\n".join(map(json.dumps, rows)).encode()
    given: Any = [{"name": name, "mimeType": "application/octet-stream", "buffer": data}]
    page.locator("#check-file input[type=file]").set_input_files(files=given)


def told(page: Page, words: str) -> str:
    """What the results say once they say these words."""
    page.locator("#check-results", has_text=words).wait_for()
    return page.locator("#check-results").inner_text()


def figures(page: Page) -> list[str]:
    """The numbers that are shown."""
    return [one.inner_text() for one in page.locator(".al-figure .al-score").all()]


def test_the_example_and_files_give_the_same_numbers(open_page: Open, demo: Demo) -> None:
    page = check_tab(open_page(demo.url))
    page.locator("#try-example").focus()
    page.keyboard.press("Enter")
    text = told(page, "59 rows")
    for words in ("made-up example", "Some errors raise its score", "95% interval", "Ties", "Row 11:", "n = 6"):
        assert words in text
    numbers = figures(page)
    assert len(numbers) == 3
    bars = page.locator(".al-plot > div", has_text="numerical_perturbation").first
    zero, fill = (bars.locator(f".al-{kind}").bounding_box() for kind in ("tick", "fill"))
    assert zero is not None
    assert fill is not None
    assert fill["x"] + fill["width"] <= zero["x"] + 2
    assert fill["width"] > 5
    for name, rows in (("a.csv", EXAMPLE.read_bytes()), ("b.jsonl", rows_of_example())):
        choose(page, name, rows)
        assert "made-up" not in told(page, f"{name}: 59 rows")
        assert figures(page) == numbers
    for end, value in (("low", "1"), ("high", "5")):
        page.locator(f"#range-{end} input").fill(value)
    page.locator("#check").click()
    assert "b.jsonl" in told(page, "at the extremes")
    assert page.locator("#check-signed textarea").input_value().startswith("judge_bias|version:")
    with page.expect_download() as download:
        page.locator("#get-example").click()
    assert Path(download.value.path()).read_bytes() == EXAMPLE.read_bytes()


def test_what_is_wrong_is_said_and_a_visitors_texts_stay_with_the_visitor(open_page: Open, demo: Demo) -> None:
    page, other = (check_tab(open_page(demo.url)) for _ in range(2))
    page.locator("#check").click()
    told(page, "No file is chosen")
    choose(page, "a.csv", f"{MARKUP},score\nx,1\n".encode())
    assert MARKUP in told(page, "Needed: “generated”, “anchor_score”")
    choose(
        page, f"{SECRET}.jsonl", [row | {"generated": SECRET, "perturbation_type": MARKUP} for row in rows_of_example()]
    )
    assert MARKUP in told(page, "None of the 59 replies has a score")
    page.wait_for_timeout(200)
    assert page.evaluate("window.broken") is None
    assert page.locator("#check-results :is(img, script)").count() == 0
    other.locator("#try-example").click()
    assert SECRET not in told(other, "59 rows")
    assert SECRET in told(page, SECRET)
    assert SECRET not in page.evaluate("JSON.stringify([localStorage, sessionStorage, document.cookie])")
    assert SECRET not in demo.log()
    page.reload()
    assert SECRET not in check_tab(page).content()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_and_nothing_scrolls_sideways(
    open_page: Open, demo: Demo, axe_source: str, scheme: str
) -> None:
    page = check_tab(open_page(demo.url, width=390, scheme=scheme))
    page.evaluate(axe_source)
    long = [row | {"perturbation_type": "x" * 200, "generated": "y" * 500} for row in rows_of_example()]
    for step in ("start", "long", "example"):
        if step == "long":
            choose(page, "n" * 150 + ".jsonl", long)
            told(page, "None of the 59")
        elif step == "example":
            page.locator("#try-example").click()
            told(page, "made-up example")
        page.evaluate("() => document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        for width in (320, 1280):
            page.set_viewport_size({"width": width, "height": 900})
            page.wait_for_timeout(300)
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            found = page.evaluate("async () => (await axe.run()).violations")
            assert not [(one["id"], [node["html"][:200] for node in one["nodes"]]) for one in found]
