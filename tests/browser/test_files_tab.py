"""The tab "Files" in a real browser; what needs none is in tests/demo/test_files_tab.py."""

from __future__ import annotations

import csv
import io
import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from browsing import Demo
from lens.page.files_tab import EXAMPLE

from tests.support.judge_server import JudgeServer
from tests.support.judges import compared
from tests.support.project import load

if TYPE_CHECKING:
    from playwright.sync_api import Page

Open = Callable[..., "Page"]
FOUR = ("LV-Eval F1", "BLEU", "ROUGE-L", "LV-Eval ROUGE")
MARKUP = "<img src=x onerror=\"window.broken='cell'\">"
SECRET = "XyzzySecretAnswer"
Rows = list[dict[str, Any]]


def rows_of_example() -> Rows:
    """The rows of the example, as a file of JSON has them."""
    return [dict(row) for row in csv.DictReader(io.StringIO(EXAMPLE.read_text(encoding="utf-8"), newline=""))]


def jsonl(rows: Rows) -> bytes:
    """Rows as JSON Lines."""
    return "\n".join(map(json.dumps, rows)).encode()


def files_tab(page: Page) -> Page:
    """The page with the tab chosen."""
    page.get_by_role("tab", name=re.compile("Files|文件")).click()
    page.locator("#ft-start").wait_for()
    return page


def said(page: Page, words: str | re.Pattern[str]) -> str:
    """The line under Start once it says this."""
    page.locator("#ft-status", has_text=words).wait_for()
    return page.locator("#ft-status").inner_text()


def choose(page: Page, name: str, data: bytes, words: str, field: str = "#ft-file") -> str:
    """Choose a file; what is said of it."""
    close = page.locator(f"{field} button[aria-label='Clear']")
    if close.count():
        close.click()
        close.wait_for(state="detached")
    file: Any = {"name": name, "mimeType": "application/octet-stream", "buffer": data}
    page.locator(f"{field} input[type=file]").set_input_files(files=[file])
    return said(page, words)


def try_example(page: Page) -> None:
    """Press the button of the example."""
    page.locator("#ft-try").click()
    said(page, "made_up_files.csv was read: 40 rows.")


def only(page: Page, names: tuple[str, ...] = FOUR) -> None:
    """Choose these metrics alone, by default four of words."""
    for box in page.locator("#ft-metrics label").all():
        box.locator("input").set_checked(box.inner_text().strip() in names)


def start(page: Page, words: str = "All scores are there.") -> str:
    """Press Start, wait for the end; the report."""
    page.evaluate("() => { document.querySelectorAll('.ft-shown').forEach((one) => one.remove()); }")
    page.locator("#ft-start").click()
    said(page, words)
    return page.locator(".ft-shown").inner_text() if words.startswith("All") else ""


def downloaded(page: Page, label: str) -> tuple[str, bytes]:
    """The name and the bytes of a download."""
    with page.expect_download() as download:
        page.locator("#ft-downloads").get_by_text(label).click()
    return download.value.suggested_filename, Path(download.value.path()).read_bytes()


def column(page: Page, place: int) -> list[str]:
    """The cells of a column of the table of all rows that are shown, from the top."""
    cells = page.locator(f"#ft-rows [role=gridcell][data-col='{place}']").all()
    return [one.inner_text() for one in sorted(cells, key=lambda one: int(one.get_attribute("data-row") or 0))]


def opened(page: Page, row: int) -> None:
    """Wait for the cards of a row."""
    page.locator(f'.ft-opened[data-row="{row}"] .al-card').first.wait_for()


def test_the_example_from_the_file_to_the_downloads(open_page: Open, demo: Demo) -> None:
    page = files_tab(open_page(demo.url))
    trouble: list[str] = []
    page.on("pageerror", lambda error: trouble.append(str(error)))
    start(page, "No file is chosen")
    try_example(page)
    only(page)
    text = start(page)
    for words in (
        "The first system is better by LV-Eval F1",
        "By topic",
        "How the scores are spread",
        "made-up example",
    ):
        assert words in text
    assert page.locator(".ft-bars").count() == 2 * len(FOUR)
    rows = rows_of_example()
    given = {"predictions": [row["answer"] for row in rows], "references": [row["reference"] for row in rows]}
    own = [entry["score"] for entry in load("bleu").compute(**given, per_example=True)["per_example"]]
    name, data = downloaded(page, "Rows as JSON Lines")
    assert name == "answer_lens_rows.jsonl"
    lines = [json.loads(line) for line in data.decode().splitlines()]
    assert [line["bleu"] for line in lines] == own
    mean = f"{sum(own) / len(own):.4f}"
    assert mean in text
    assert mean in downloaded(page, "Summary as Markdown")[1].decode()
    assert column(page, 2)[:5] == [f"{round(one, 3):g}" for one in own[:5]]
    best = max(range(40), key=lambda row: own[row])
    head = page.locator("#ft-rows [role=columnheader]").nth(2)
    head.hover()
    head.locator(".cell-menu-button").click()
    page.get_by_role("menuitem", name="Sort descending").click()
    page.wait_for_function(f"document.querySelector('#ft-rows [role=gridcell]').innerText.trim() === '{best + 1}'")
    page.locator("#ft-rows [role=gridcell]").first.click()
    opened(page, best + 1)
    assert page.locator('.ft-opened [data-metric="bleu"] .al-score').inner_text() == "1.00"
    page.locator("#ft-row input").fill("7")
    page.keyboard.press("Enter")
    opened(page, 7)
    assert "The Pale Bridge joins Ustor and Larn." in page.locator(".ft-texts").inner_text()
    page.get_by_text("Signatures").first.click()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=demo.url.rstrip("/"))
    page.get_by_role("button", name="Copy the signature of bleu").first.click()
    assert page.evaluate("navigator.clipboard.readText()").startswith("bleu|version:")
    page.locator("#ft-separator input, #ft-separator textarea").press_sequentially("|")
    page.wait_for_selector("#ft-results.al-stale")
    assert trouble == []


def test_files_that_are_wrong_two_files_and_markup(open_page: Open, demo: Demo, tmp_path: Path) -> None:
    page = files_tab(open_page(demo.url))
    choose(page, "a.csv", "answer,reference\nnaïve,x".encode("latin-1"), "not in UTF-8 (line 2")
    choose(page, "a.csv", b"first,second\nx,y\n", "a.csv was read: 1 row.")
    start(page, "No column is known to hold the answer to score")
    only(page, ("EVE judge",))
    start(page, "A judge is chosen as a metric, but not which one")
    large = tmp_path / "large.csv"
    large.write_bytes(b"answer,reference\n" + b"x,y\n" * 5_000_000)
    page.locator("#ft-try").click()
    said(page, "made_up_files.csv")
    page.locator("#ft-file input[type=file]").set_input_files(large)
    page.get_by_text(re.compile("exceeds|maximum", re.IGNORECASE)).first.wait_for()
    rows = rows_of_example()
    page.reload()
    files_tab(page)
    first = [{key: row[key] for key in ("id", "reference", "answer")} for row in rows]
    choose(page, "first.jsonl", jsonl(first), "first.jsonl was read: 40 rows.")
    page.get_by_text("Compare with a second file").click()
    second = [{"id": row["id"], "reference": row["reference"], "answer": row["answer_b"]} for row in reversed(rows)]
    choose(page, "second.jsonl", jsonl(second), "second.jsonl was read: 40 rows.", "#ft-second-file")
    only(page)
    assert "Two systems on the same rows" in start(page)
    choose(page, "third.jsonl", jsonl(second[:39]), "third.jsonl", "#ft-second-file")
    only(page)
    start(page, "40 and 39 rows")
    marked = [dict(row, answer=MARKUP, topic=MARKUP, **{MARKUP: "x"}) for row in rows[:12]]
    choose(page, "marked.jsonl", jsonl(marked), "marked.jsonl was read: 12 rows.")
    only(page)
    start(page)
    page.locator("#ft-row input").fill("2")
    page.keyboard.press("Enter")
    opened(page, 2)
    page.wait_for_timeout(200)
    assert page.evaluate("window.broken") is None
    assert page.locator("#ft-tab img").count() == 0


def test_cancel_and_two_visitors(open_page: Open, demo: Demo) -> None:
    page, other = files_tab(open_page(demo.url)), files_tab(open_page(demo.url))
    text = f"{SECRET} red green blue one two three four five six seven " * 6
    rows: Rows = [{"answer": f"{text} {number}", "reference": f"{number} {text}"} for number in range(9000)]
    choose(page, f"{SECRET}.jsonl", jsonl(rows), "9,000 rows")
    only(page)
    try_example(other)
    only(other)
    page.locator("#ft-start").click()
    other.locator("#ft-start").click()
    said(page, re.compile("[1-9][0-9,]* of 9,000 rows"))
    page.locator("#ft-cancel").click()
    assert re.search(r"Cancelled after [0-9,]+ of 9,000 rows", said(page, "Cancelled after"))
    page.locator("#ft-cancel").click()
    said(page, "Nothing is being scored.")
    assert not page.locator("#ft-results").is_visible()
    said(other, "All scores are there.")
    for place in (other.content(), demo.log(), page.evaluate("JSON.stringify([localStorage, document.cookie])")):
        assert SECRET not in place
    folder = Path(os.environ.get("GRADIO_TEMP_DIR", "/tmp/gradio"))
    assert not list(folder.rglob(f"{SECRET}*"))


def test_the_judge_of_the_other_tab_is_asked_once_a_row_and_its_key_is_shown_nowhere(
    open_page: Open, demo: Demo
) -> None:
    page = open_page(demo.url)
    with JudgeServer(compared) as server:
        page.locator("#judge button").first.click()
        page.get_by_role("combobox", name="Provider").click()
        page.get_by_role("option", name="vllm").click()
        for field, value in (("model", "judge-1"), ("key", f"sk-{SECRET}"), ("address", server.url)):
            page.locator(f"#{field} input").fill(value)
        files_tab(page)
        choose(page, "a.jsonl", jsonl(rows_of_example()[:12]), "12 rows")
        only(page, ("BLEU", "EVE judge"))
        assert "EVE judge (pass rate): unknown" in start(page)
        page.locator("#ft-row input").fill("2")
        page.keyboard.press("Enter")
        opened(page, 2)
        page.locator('.ft-opened [data-metric="eve_judge"]').get_by_text("It says something else.").wait_for()
        only(page, ("BLEU",))
        bodies: list[str] = []
        page.on("request", lambda request: bodies.append(request.post_data or ""))
        start(page)
        assert not any(SECRET in one for one in bodies)
        assert len(server.requests) == 12
        assert server.keys == {f"sk-{SECRET}"}
    assert SECRET not in page.locator("#ft-tab").inner_html()
    assert SECRET not in demo.log()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_and_nothing_scrolls_sideways(
    open_page: Open, demo: Demo, axe_source: str, scheme: str
) -> None:
    page = files_tab(open_page(demo.url, width=390, scheme=scheme))
    page.evaluate(axe_source)
    long = [dict(row, answer="y" * 500, topic="x" * 200, **{"z" * 100: "1"}) for row in rows_of_example()]

    def scored() -> None:
        only(page)
        start(page)
        page.locator("#ft-row input").fill("3")
        page.keyboard.press("Enter")
        opened(page, 3)

    steps: list[tuple[str, Callable[[], object]]] = [
        ("start", lambda: None),
        ("long", lambda: choose(page, "n" * 150 + ".jsonl", jsonl(long), "40 rows")),
        ("long results", scored),
        ("refused", lambda: choose(page, "a.csv", b"\xff", "not in UTF-8")),
        ("preview", lambda: try_example(page)),
        ("results", scored),
    ]
    for name, prepare in steps:
        prepare()
        page.evaluate("() => document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        for width in (320, 1280):
            page.set_viewport_size({"width": width, "height": 900})
            page.wait_for_timeout(300)
            assert page.evaluate("document.documentElement.scrollWidth") <= width, (name, width)
            if not name.startswith("long"):  # the elements of the example, which axe looks at
                found = page.evaluate("async () => (await axe.run()).violations")
                assert not [(one["id"], [node["html"][:200] for node in one["nodes"]]) for one in found], (name, width)
