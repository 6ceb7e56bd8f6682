"""The tab "Judge check" in a real browser; what needs none is in tests/test_judge_check.py."""

from __future__ import annotations

import base64
import csv
import gc
import importlib
import io
import json
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from browsing import Demo
from lens.tables import untrusted
from test_page import opened

if TYPE_CHECKING:
    from playwright.sync_api import Page

Open = Callable[..., "Page"]
MARKUP = "<img src=x onerror=\"window.broken='cell'\">"
SECRET = "XyzzySecretReply"


def rows_of_example() -> list[dict[str, str]]:
    """The rows of the example."""
    return list(csv.DictReader(io.StringIO(untrusted.example_bytes().decode("utf-8"), newline="")))


def jsonl(rows: list[dict[str, Any]]) -> bytes:
    """Rows as JSON Lines."""
    return "\n".join(map(json.dumps, rows)).encode()


def parquet(rows: list[dict[str, Any]]) -> bytes:
    """Rows as a Parquet file, numbers as numbers."""
    import pyarrow
    from pyarrow import parquet as files

    out = pyarrow.BufferOutputStream()
    typed = [dict(row, anchor_score=float(row["anchor_score"])) for row in rows]
    files.write_table(pyarrow.Table.from_pylist(typed), out)
    return bytes(out.getvalue())


def check_tab(page: Page) -> Page:
    """The page with the tab chosen."""
    page.get_by_role("tab", name="Judge check").click()
    page.locator("#check-file").wait_for()
    return page


def waited(page: Page, act: Callable[[], object]) -> str:
    """What the results say once something was done and answered."""
    page.evaluate("() => { document.querySelector('.al-check').dataset.state = 'old'; }")
    act()
    page.wait_for_selector('.al-check:is([data-state="checked"], [data-state="refused"]):not(.al-stale)')
    return page.locator(".al-check").inner_text()


def choose(page: Page, name: str, data: bytes) -> str:
    """Choose a file; what the results then say."""
    file: Any = {"name": name, "mimeType": "application/octet-stream", "buffer": data}
    return waited(page, lambda: page.locator("#check-file").set_input_files(files=[file]))


def choose_path(page: Page, path: Path, data: bytes) -> str:
    """The same with a large file, which the browser reads from the disk."""
    path.write_bytes(data)
    return waited(page, lambda: page.locator("#check-file").set_input_files(path))


def try_example(page: Page) -> str:
    """Press the button of the example."""
    return waited(page, page.get_by_role("button", name="Try the example").click)


def figures(page: Page) -> list[str]:
    """The numbers that are shown."""
    return [one.inner_text() for one in page.locator(".al-figure .al-score").all()]


def test_both_tabs_with_the_keyboard_alone(open_page: Open, demo: Demo) -> None:
    page = opened(open_page, demo)
    tabs = page.get_by_role("tab")
    names = tabs.all_inner_texts()
    assert (names[0], names[-1]) == ("One answer", "Judge check")
    page.locator("#answer textarea").fill("kept")
    page.get_by_role("tab", name="One answer").focus()
    for _ in range(2 * len(names)):  # tabs are reached with Tab or with an arrow
        if page.evaluate("document.activeElement.innerText") == "Judge check":
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.locator("#check-file").wait_for()
    reached = []
    for _ in range(8):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.id || document.activeElement.tagName"))
        assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none", reached
        if reached[-1] == "try-example":
            break
    assert "check-file" in reached
    assert reached[-1] == "try-example"
    assert "made-up example" in waited(page, lambda: page.keyboard.press("Enter")).lower()
    assert not page.locator("#answer").is_visible()
    tabs.first.click()
    assert page.locator("#answer textarea").input_value() == "kept"


def test_files_and_the_example_give_numbers(open_page: Open, demo: Demo) -> None:
    page = check_tab(open_page(demo.url))
    every_kind_of_file_gives_the_same_numbers(page)
    the_example_shows_all_there_is(page, demo)


def every_kind_of_file_gives_the_same_numbers(page: Page) -> None:
    """CSV, JSON Lines, JSON and Parquet."""
    rows = rows_of_example()
    assert "made-up example" in try_example(page).lower()
    shown = figures(page)
    assert len(shown) == 3
    files = {
        "a.csv": untrusted.example_bytes(),
        "b.jsonl": jsonl(rows),
        "c.json": json.dumps(rows).encode(),
        "d.parquet": parquet(rows),
    }
    for name, data in files.items():
        text = choose(page, name, data)
        assert f"{name}: 59 rows" in text
        assert "made-up example" not in text.lower()
        assert figures(page) == shown


def the_example_shows_all_there_is(page: Page, demo: Demo) -> None:
    """Numbers, negative bars, tables, bounds, signature, download."""
    text = try_example(page)
    for words in ("95% interval", "lower is better", "higher is better", "Ties", "Without a score", "Row 11:", "n = 6"):
        assert words in text
    assert "at the extremes" not in text
    bars = page.locator(".al-plot > div", has_text="numerical_perturbation").first
    zero, fill = (bars.locator(f".al-{kind}").bounding_box() for kind in ("tick", "fill"))
    assert zero is not None
    assert fill is not None
    assert fill["x"] + fill["width"] <= zero["x"] + 2
    assert fill["width"] > 5
    assert bars.locator(".al-number").inner_text().startswith("-")
    page.get_by_text("The same as a table").first.click()
    assert page.locator(".al-check table").first.locator("tbody tr").count() == 9
    page.locator("#range-low input, #range-low textarea").fill("1")
    page.locator("#range-high input, #range-high textarea").fill("5")
    assert "at the extremes" in waited(page, page.get_by_role("button", name="Check", exact=True).click)
    assert "made-up example" in page.locator(".al-check").inner_text().lower()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=demo.url.rstrip("/"))
    page.get_by_role("button", name="Copy the signature of Error sensitivity").click()
    page.get_by_text("Copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()").startswith("judge_bias|version:")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the example").click()
    assert download.value.suggested_filename == "made_up_judge_check.csv"
    assert Path(download.value.path()).read_bytes() == untrusted.example_bytes()


def test_files_that_are_wrong_large_or_hostile_do_no_harm(open_page: Open, demo: Demo, tmp_path: Path) -> None:
    page = check_tab(open_page(demo.url))
    what_cannot_be_checked_is_said_in_plain_words(page)
    page.locator("#range-low input, #range-low textarea").fill("")
    the_largest_file_there_may_be_arrives_and_no_larger_one(page, tmp_path)
    markup_in_names_and_cells_is_shown_and_never_runs(page)


def what_cannot_be_checked_is_said_in_plain_words(page: Page) -> None:
    """Wrong columns, encodings, sizes, kinds, cells, ranges."""
    assert "No file is chosen" in waited(page, page.get_by_role("button", name="Check", exact=True).click)
    rows = rows_of_example()
    rows[3]["perturbation_category"] = "eror"
    for name, data, words in [
        ("a.csv", b"prompt,score\nx,1\n", "Found: “prompt”, “score”. Needed: “generated”, “anchor_score”"),
        ("a.csv", "generated\nnaïve".encode("latin-1"), "not in UTF-8 (line 2"),
        ("a.csv", b"", "no rows"),
        ("a.csv", b"generated\n" + b"x\n" * 10_001, "more than 10,000 rows"),
        ("a.xlsx", b"PK", "should end in .csv"),
        ("a.jsonl", jsonl(rows), "column “perturbation_category”, row 4 is 'eror'"),
    ]:
        assert words in choose(page, name, data), (name, words)
    only = [{"chosen_logprob": -1, "rejected_logprob": -2}] * 3
    text = choose(page, "only.jsonl", jsonl(only))
    assert "would also need “generated”, “anchor_score”, “perturbation_category”" in text
    assert figures(page) == ["1.00"]
    page.locator("#range-low input, #range-low textarea").fill("x")
    assert "must both be numbers" in waited(page, page.get_by_role("button", name="Check", exact=True).click)


def the_largest_file_there_may_be_arrives_and_no_larger_one(page: Page, tmp_path: Path) -> None:
    """Ten million bytes, and one more."""
    start = b"generated,anchor_score,perturbation_category,prompt\n4,4,error,"
    data = start + b"x" * (10_000_000 - len(start))
    assert "large.csv: 1 row." in choose_path(page, tmp_path / "large.csv", data)
    assert "at most 10 MB" in choose_path(page, tmp_path / "larger.csv", data + b"x")


def markup_in_names_and_cells_is_shown_and_never_runs(page: Page) -> None:
    """In the name, in cells, in a column's name."""
    rows: list[dict[str, Any]] = [dict(row, generated=MARKUP, perturbation_type=MARKUP) for row in rows_of_example()]
    rows[0]["generated"] = "4"
    for name, data in [(f"{MARKUP}.jsonl", jsonl(rows)), (f"{MARKUP}.csv", f"{MARKUP},b\n1,2\n".encode())]:
        text = choose(page, name, data)
        assert MARKUP in text
        page.wait_for_timeout(200)
        assert page.evaluate("window.broken") is None
        assert page.locator(".al-check :is(img, script, svg)").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_and_nothing_scrolls_sideways(
    open_page: Open, demo: Demo, axe_source: str, scheme: str
) -> None:
    page = check_tab(open_page(demo.url, width=390, scheme=scheme))
    page.evaluate(axe_source)
    long = [dict(row, perturbation_type="x" * 200, generated="y" * 500) for row in rows_of_example()]
    steps: list[tuple[str, Callable[[], object]]] = [
        ("start", lambda: None),
        ("long", lambda: choose(page, "n" * 150 + ".jsonl", jsonl(long))),
        ("refused", lambda: choose(page, "a.csv", b"a,b\n1,2\n")),
        ("example", lambda: try_example(page)),
    ]
    for name, prepare in steps:
        prepare()
        for width in (320, 390, 1280):
            page.set_viewport_size({"width": width, "height": 900})
            assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.evaluate("() => document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        page.set_viewport_size({"width": 390, "height": 900})
        page.wait_for_timeout(300)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        if name == "long":  # the elements of the example, which axe looks at
            continue
        found = page.evaluate("async () => (await axe.run()).violations")
        assert not [(one["id"], [node["html"][:200] for node in one["nodes"]]) for one in found]


def test_two_visitors_see_their_own_files_and_nothing_is_kept(open_page: Open, demo: Demo) -> None:
    pages = [check_tab(open_page(demo.url)) for _ in range(2)]
    rows = [dict(row, generated=f"{SECRET} no score") for row in rows_of_example()]
    assert SECRET in choose(pages[0], f"{SECRET}.jsonl", jsonl(rows))
    assert SECRET not in try_example(pages[1])
    assert SECRET in pages[0].locator(".al-check").inner_text()
    assert SECRET not in pages[0].evaluate("JSON.stringify([localStorage, sessionStorage, document.cookie])")
    assert SECRET not in demo.log()
    pages[0].reload()
    check_tab(pages[0])
    assert SECRET not in pages[0].content()


def test_the_servers_memory_does_not_hold_the_file_afterwards() -> None:
    def secret() -> str:
        return SECRET[:5] + "Memory" + SECRET[:4:-1]

    def file() -> str:
        return base64.b64encode(jsonl([dict(row, generated=secret()) for row in rows_of_example()])).decode()

    page = importlib.import_module("lens.page.build").build()
    page.launch(prevent_thread_lock=True, quiet=True, run_history=False, enable_monitoring=False)
    try:
        assert secret() in asked(page.local_url, [file(), f"{secret()}.jsonl", "file", "1", "", ""])
        gc.collect()
        texts = [part for one in gc.get_objects() for part in gc.get_referents(one) if type(part) in (str, bytes)]
        needles = [secret(), file()[1000:1100]]
        found = [one for one in texts for part in needles if (part if type(one) is str else part.encode()) in one]
        assert [one[:40] for one in found if one not in needles] == []
    finally:
        page.close()


def asked(url: str, values: list[str]) -> str:
    """What the server answers to a file, as the page sends it."""
    with urllib.request.urlopen(f"{url}config", timeout=30) as answer:
        config = json.load(answer)
    results = [one["id"] for one in config["components"] if one["props"].get("elem_id") == "check-results"]
    number = next(one["id"] for one in config["dependencies"] if one["inputs"] and one["outputs"] == results)
    session = f"forged{time.monotonic_ns()}"
    body = json.dumps({"data": [*values, "en"], "fn_index": number, "session_hash": session}).encode()
    request = urllib.request.Request(f"{url}gradio_api/queue/join", body, {"Content-Type": "application/json"})
    urllib.request.urlopen(request, timeout=30).close()
    said = ""
    with urllib.request.urlopen(f"{url}gradio_api/queue/data?session_hash={session}", timeout=60) as lines:
        for line in lines:
            said += line.decode()
            if b'"process_completed"' in line:
                break
    return said
