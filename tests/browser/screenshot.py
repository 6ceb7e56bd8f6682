"""Write spaces/answer_lens/screenshot.png, the picture in the demo's README: `python tests/browser/screenshot.py`."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from browsing import ARGUMENTS, Demo, find_chromium, free_port, small_models
from PIL import Image

SPACE = Path(__file__).resolve().parent.parent.parent / "spaces" / "answer_lens"
sys.path.insert(0, str(SPACE))

from lens.scoring.catalog import METRICS  # noqa: E402

PICTURE = SPACE / "screenshot.png"
WIDTH = 1280
MAX_BYTES = 300_000


def take(url: str, chromium: str, picture: Path) -> None:
    """Photograph the overview and the first row of cards at `url`."""
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as profile, sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(
            profile,
            executable_path=chromium,
            args=ARGUMENTS,
            viewport={"width": WIDTH, "height": 900},
            color_scheme="light",
        )
        page = context.new_page()
        page.goto(url)
        page.wait_for_selector(f'.al-overview[data-done="{len(METRICS)}"]', timeout=60_000)
        page.wait_for_timeout(600)
        box = page.locator("#card-bleu").bounding_box()
        assert box is not None
        height = box["y"] + box["height"] + 16
        page.screenshot(path=picture, full_page=True, clip={"x": 0, "y": 0, "width": WIDTH, "height": height})
        context.close()
    # 256 colours are enough for a page, and half the size.
    Image.open(picture).convert("RGB").quantize(dither=Image.Dither.NONE).save(picture, optimize=True)


def main() -> int:
    """Start the demo, take the picture, stop the demo."""
    chromium = find_chromium()
    if not chromium:
        print("no Chromium: set CHROMIUM to its path", file=sys.stderr)
        return 1
    demo = Demo.start(SPACE, free_port(), **small_models())
    try:
        take(demo.url, chromium, PICTURE)
    finally:
        demo.stop()
    size = PICTURE.stat().st_size
    print(f"{PICTURE}: {size:,} bytes")
    return 0 if size <= MAX_BYTES else 1


if __name__ == "__main__":
    sys.exit(main())
