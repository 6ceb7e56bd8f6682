"""Write the pictures of the READMEs: `python tests/browser/screenshot.py`.

They show the page, the figures after fifty verdicts, and a table of four systems with ranks.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

from browsing import (
    ARGUMENTS,
    FILES,
    READY,
    SPACE,
    Demo,
    choose_files,
    find_chromium,
    find_free_port,
    format_jsonl,
    list_small_models,
    open_part,
    open_tab,
)
from PIL import Image

PICTURE_OF_PAGE = SPACE / "screenshot.png"
PICTURE_OF_SYSTEMS = SPACE / "systems.png"
PICTURE_OF_READING = SPACE.parents[1] / "metrics" / "reading.png"
PICTURES = (PICTURE_OF_PAGE, PICTURE_OF_READING, PICTURE_OF_SYSTEMS)


@dataclass(frozen=True)
class MadeUpSystem:
    """A system of whose answers about one in `wrong` is wrong, and one in `long` is long."""

    wrong: int
    long: int


SYSTEMS = {
    "atlas": MadeUpSystem(wrong=9, long=2),
    "birch": MadeUpSystem(wrong=8, long=5),
    "cedar": MadeUpSystem(wrong=5, long=3),
    "dune": MadeUpSystem(wrong=3, long=7),
}
YEARS = range(1500, 1800)
WIDTH = 1280
# The timeout of each step in milliseconds.
TIMEOUT = 300_000
MAX_BYTES = 300_000


def take_pictures(url: str, chromium: str) -> None:
    """Take the pictures of the demo at an address."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        page = open_demo(browser, url)
        page.wait_for_selector(READY)
        page.screenshot(path=PICTURE_OF_PAGE)
        give_verdicts(page)
        page.locator("#rd-found section").screenshot(path=PICTURE_OF_READING)
        # A new page, because a reload would ask whether the verdicts may be lost.
        page = open_demo(browser, url)
        compare_systems(page)
        page.locator("#ft-report section").first.screenshot(path=PICTURE_OF_SYSTEMS)
        browser.close()
    # 256 colours are enough for a page, and half the size.
    for picture in PICTURES:
        image = Image.open(picture).convert("RGB").quantize(dither=Image.Dither.NONE)
        image.save(picture, optimize=True)


def open_demo(browser: Any, url: str) -> Any:
    """Open the demo in a new window."""
    page = browser.new_page(viewport={"width": WIDTH, "height": 900}, reduced_motion="reduce")
    page.set_default_timeout(TIMEOUT)
    page.goto(url)
    return page


def make_building_answer(year: int, is_long: bool) -> str:
    """Return a made-up answer to the question when something was built."""
    if is_long:
        return f"As the stone above the door of the old hall says, the town finished it in {year}."
    return f"It was built in {year}."


def give_verdicts(page: Any) -> None:
    """Score 300 made-up answers, of which one in six is wrong, and give fifty verdicts."""
    rows = []
    for year in YEARS:
        is_wrong = year % 4 == 0 and year % 3 != 0
        answer = make_building_answer(year + 7 * is_wrong, is_long=year % 3 == 0)
        question = "When was it built?"
        rows.append({"question": question, "reference": f"in {year}", "answer": answer})
    open_tab(page, "Files")
    choose_files(page, "#ft-file", {"answers.jsonl": format_jsonl(rows)}, FILES, "answers.jsonl")
    page.locator("#ft-start").click()
    open_part(page, "read")
    page.locator("#rd-begin").click()
    for _ in range(50):
        page.locator(".rd-said").wait_for()
        before = page.locator("#rd-head").inner_text()
        _, reference, answer = page.locator(".rd-answer dd").all_inner_texts()
        page.keyboard.press("r" if reference in answer else "w")
        page.wait_for_function(
            "(was) => document.querySelector('#rd-head')?.innerText !== was", arg=before
        )


def compare_systems(page: Any) -> None:
    """Score the answers of four systems to 300 questions with the metrics of words."""
    files = {}
    for name, system in SYSTEMS.items():
        rows = []
        for year in YEARS:
            # The factors mix the years: which answers are wrong does not depend on which are long.
            is_wrong = (year * 31 + len(name)) % system.wrong == 0
            is_long = (year * 17) % system.long == 0
            answer = make_building_answer(year + 7 * is_wrong, is_long)
            question = f"When was hall {year} built?"
            rows.append({"question": question, "reference": f"in {year}", "answer": answer})
        files[f"{name}.jsonl"] = format_jsonl(rows)
    open_tab(page, "Files")
    choose_files(page, "#ft-file", files, FILES, "dune.jsonl")
    # Models take minutes for 1,200 answers, and their columns do not fit the picture.
    for metric in ("Cosine similarity", "BERTScore"):
        page.get_by_role("checkbox", name=metric).uncheck()
    page.locator("#ft-start").click()
    page.locator("#ft-report svg").first.wait_for()


def main() -> int:
    """Take the pictures of a demo; return 0 if each file is small enough."""
    chromium = find_chromium()
    if not chromium:
        print("no Chromium: set CHROMIUM to its path", file=sys.stderr)
        return 1
    demo = Demo.start(SPACE, find_free_port(), **list_small_models())
    try:
        take_pictures(demo.url, chromium)
    finally:
        demo.stop()
    sizes = {picture: picture.stat().st_size for picture in PICTURES}
    print(*(f"{picture}: {size:,} bytes" for picture, size in sizes.items()), sep="\n")
    return 0 if max(sizes.values()) <= MAX_BYTES else 1


if __name__ == "__main__":
    sys.exit(main())
