"""The tab "LV-Eval" in a real browser; what needs none is in tests/demo/test_lv_eval.py."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from browsing import Demo
from lens.lv_eval import export, official_result, predictions
from lens.page.lv_eval_tab import EXAMPLE

if TYPE_CHECKING:
    from playwright.sync_api import Page

Open = Callable[..., "Page"]
NAME = "factrecall_en_16k.jsonl"
MARKUP = "<img src=x onerror=\"window.broken='name'\">"
SECRET = "XyzzySecretPrediction"


def jsonl(*predicted: Any) -> bytes:
    """A prediction file as LV-Eval's own code writes it."""
    rows = ({"pred": one, "answers": ["Paris"], "gold_ans": None, "input": "?", "length": 1} for one in predicted)
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def lv_tab(page: Page) -> Page:
    """The page with the tab chosen."""
    page.get_by_role("tab", name="LV-Eval").click()
    page.locator("#lv-try").wait_for()
    return page


def choose(page: Page, files: dict[str, bytes]) -> None:
    """Choose files, which are scored at once."""
    given: Any = [{"name": name, "mimeType": "text/plain", "buffer": data} for name, data in files.items()]
    page.locator("#lv-file input[type=file]").set_input_files(files=given)


def told(page: Page, words: str) -> str:
    """What the results say once they say these words."""
    page.locator("#lv-results", has_text=words).wait_for()
    return page.locator("#lv-results").inner_text()


def table(page: Page) -> list[list[str]]:
    """The official table, as it is shown."""
    rows = page.locator(".lv-official tbody tr:not(.lv-group)").all()
    return [[cell.inner_text() for cell in one.locator("th, td").all()] for one in rows]


def downloaded(page: Page, selector: str) -> tuple[str, bytes]:
    """A file of the page, as the browser saves it."""
    with page.expect_download() as download:
        page.locator(selector).click()
    return download.value.suggested_filename, Path(download.value.path()).read_bytes()


def test_files_and_the_example_give_the_official_result(open_page: Open, demo: Demo) -> None:
    page = lv_tab(open_page(demo.url))
    files = {path.name: path.read_bytes() for path in EXAMPLE.iterdir()}
    *_, last = official_result.scored(predictions.read(list(files.items())))
    expected = [[line.name, *line.cells] for line in export.lines(last.result)]
    page.locator("#lv-try").focus()
    page.keyboard.press("Enter")
    assert "A made-up example" in told(page, "24 of 55 files")
    assert table(page) == expected
    name, archive = downloaded(page, "#lv-get-example")
    assert name == "made_up_lv_eval.zip"
    choose(page, {"run.zip": archive})
    page.locator("#lv-results", has_text="made-up").wait_for(state="detached")
    assert "24 files, 56 rows" in told(page, "24 of 55 files")
    assert table(page) == expected
    forms = {"json": export.result_json, "csv": export.result_csv, "md": export.markdown, "tex": export.latex}
    for form, write in forms.items():
        assert downloaded(page, f"#lv-{form}") == (f"result.{form}", write(last.result).encode())
    assert page.locator("#lv-signed textarea").input_value().splitlines() == last.result.signed
    page.locator("#lv-plot svg").first.wait_for()
    page.locator("#lv-model input").click()
    page.get_by_role("option", name="GPT-4-8k").click()
    cell = page.locator(".lv-check tr", has_text="lic_mixup").locator("td", has=page.locator(".lv-other")).first
    assert cell.inner_text().split() == ["87.30", "13.69"]


def test_a_long_run_can_be_cancelled_and_others_go_on(open_page: Open, demo: Demo) -> None:
    page, other = (lv_tab(open_page(demo.url)) for _ in range(2))
    texts = {"pred": "多伦多在加拿大的安大略省。" * 500, "answers": ["温哥华在加拿大的西部，不在安大略省。" * 350]}
    choose(page, {"dureader_mixup_16k.jsonl": (json.dumps(texts, ensure_ascii=False) + "\n").encode() * 240})
    page.get_by_text(re.compile("Scoring file 1 of 1: dureader_mixup_16k.jsonl, [0-9]+ of 240 rows")).wait_for()
    other.locator("#lv-try").click()
    told(other, "24 of 55 files")
    page.locator("#lv-cancel").click()
    told(page, "Cancelled")
    page.wait_for_timeout(1500)
    assert page.locator(".lv-official").count() == 0
    assert page.locator("#lv-cancel").is_disabled()
    choose(page, {NAME: jsonl("Paris")})
    told(page, "1 file, 1 row")
    assert table(page)[4] == ["factrecall_en", "100.00", "–", "–", "–", "–", "100.00"]


def test_what_is_wrong_is_said_and_a_visitors_texts_stay_with_the_visitor(open_page: Open, demo: Demo) -> None:
    page, other = (lv_tab(open_page(demo.url)) for _ in range(2))
    for files, words in [
        ({NAME: jsonl("x", None)}, f"{NAME}, line 2: pred is null; a text is expected"),
        ({NAME: jsonl("x"), "factrecall_en_16k.b.jsonl": jsonl("x")}, "are both factrecall_en at 16k"),
        ({NAME: jsonl([MARKUP])}, 'pred is ["<img src=x'),
        ({NAME: jsonl([SECRET])}, SECRET),
    ]:
        choose(page, files)
        told(page, words)
        assert page.locator("#lv-results :is(img, table)").count() == 0
    assert page.evaluate("window.broken") is None
    other.locator("#lv-try").click()
    assert SECRET not in told(other, "24 of 55 files")
    assert SECRET not in page.evaluate("JSON.stringify([localStorage, sessionStorage, document.cookie])")
    assert SECRET not in demo.log()
    page.reload()
    assert SECRET not in lv_tab(page).content()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_and_nothing_scrolls_sideways(
    open_page: Open, demo: Demo, axe_source: str, scheme: str
) -> None:
    page = lv_tab(open_page(demo.url, width=390, scheme=scheme))
    page.evaluate(axe_source)
    for step in ("start", "example"):
        if step == "example":
            page.locator("#lv-try").click()
            page.locator("#lv-plot svg").first.wait_for()
        page.evaluate("() => document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        for width in (320, 1280):
            page.set_viewport_size({"width": width, "height": 900})
            page.wait_for_timeout(400)
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            found = page.evaluate("async () => (await axe.run()).violations")
            assert not [(one["id"], [node["html"][:200] for node in one["nodes"]]) for one in found]
