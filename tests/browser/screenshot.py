"""Write the pictures of the READMEs: the page, what fifty verdicts say, and four systems in one
table with their ranks: `python tests/browser/screenshot.py`.
"""

from __future__ import annotations

import sys
from typing import Any

from browsing import (
    ARGUMENTS,
    FILES,
    READY,
    SPACE,
    Demo,
    choose,
    find_chromium,
    free_port,
    jsonl,
    part,
    small_models,
    tab,
)
from PIL import Image

PICTURE = SPACE / "screenshot.png"
SYSTEMS = SPACE / "systems.png"
READING = SPACE.parents[1] / "metrics" / "reading.png"
# One in so many answers of each made-up system is wrong, one in so many is long.
MADE_UP = {"atlas": (9, 2), "birch": (8, 5), "cedar": (5, 3), "dune": (3, 7)}
WIDTH = 1280
MAX_BYTES = 300_000


def take(url: str, chromium: str) -> None:
    """Photograph the first screen at `url`, what fifty verdicts on made-up answers say, and four
    made-up systems.
    """
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        page = browser.new_page(viewport={"width": WIDTH, "height": 900}, reduced_motion="reduce")
        page.set_default_timeout(300_000)
        page.goto(url)
        page.wait_for_selector(READY)
        page.screenshot(path=PICTURE)
        read_sample(page)
        page.locator("#rd-found section").screenshot(path=READING)
        # A reload would ask whether the verdicts may be lost.
        page = browser.new_page(viewport={"width": WIDTH, "height": 900}, reduced_motion="reduce")
        page.set_default_timeout(300_000)
        page.goto(url)
        compare(page)
        page.locator("#ft-report section").first.screenshot(path=SYSTEMS)
        browser.close()
    # 256 colours are enough for a page, and half the size.
    for picture in (PICTURE, READING, SYSTEMS):
        Image.open(picture).convert("RGB").quantize(dither=Image.Dither.NONE).save(
            picture, optimize=True
        )


def read_sample(page: Any) -> None:
    """Score 300 made-up answers, of which one in four is wrong, and give fifty verdicts."""
    rows = [
        {"question": "When was it built?", "reference": f"in {year}", "answer": answer}
        for year in range(1500, 1800)
        for answer in [
            f"It was built in {year + 7 * (year % 4 == 0)}."
            if year % 3
            else "As the stone above the door of the old hall says, the town finished it in "
            f"{year}."
        ]
    ]
    tab(page, "Files")
    choose(page, "#ft-file", {"answers.jsonl": jsonl(rows)}, FILES, "answers.jsonl")
    page.locator("#ft-start").click()
    part(page, "read")
    page.locator("#rd-begin").click()
    for _ in range(50):
        page.locator(".rd-said").wait_for()
        before = page.locator("#rd-head").inner_text()
        _, reference, answer = page.locator(".rd-answer dd").all_inner_texts()
        page.keyboard.press("r" if reference in answer else "w")
        page.wait_for_function(
            "(was) => document.querySelector('#rd-head')?.innerText !== was", arg=before
        )


def compare(page: Any) -> None:
    """Score the answers of four systems to 300 questions."""
    files = {}
    for name, (wrong, long) in MADE_UP.items():
        rows = []
        for year in range(1500, 1800):
            said = year + 7 * ((year * 31 + len(name)) % wrong == 0)
            answer = (
                f"As the stone above the door of the old hall says, the town finished it in {said}."
            )
            answer = answer if (year * 17) % long == 0 else f"It was built in {said}."
            rows.append(
                {
                    "question": f"When was hall {year} built?",
                    "reference": f"in {year}",
                    "answer": answer,
                }
            )
        files[f"{name}.jsonl"] = jsonl(rows)
    tab(page, "Files")
    choose(page, "#ft-file", files, FILES, "dune.jsonl")
    page.locator("#ft-start").click()
    page.locator("#ft-report svg").first.wait_for()


def main() -> int:
    """Start the demo, take the pictures, stop the demo."""
    chromium = find_chromium()
    if not chromium:
        print("no Chromium: set CHROMIUM to its path", file=sys.stderr)
        return 1
    demo = Demo.start(SPACE, free_port(), **small_models())
    try:
        take(demo.url, chromium)
    finally:
        demo.stop()
    sizes = {picture: picture.stat().st_size for picture in (PICTURE, READING, SYSTEMS)}
    print(*(f"{picture}: {size:,} bytes" for picture, size in sizes.items()), sep="\n")
    return 0 if max(sizes.values()) <= MAX_BYTES else 1


if __name__ == "__main__":
    sys.exit(main())
