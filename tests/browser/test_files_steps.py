"""The tab "Files" in a browser: its steps, rows, addresses, and unsaved verdicts."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from browsing import (
    FILES,
    Demo,
    choose_files,
    choose_judge,
    choose_metrics,
    fill_fields,
    format_jsonl,
    measure_width,
    open_part,
    open_tab,
    wait_for_words,
)

from tests.support.judge_server import JudgeServer
from tests.support.judges import compare_texts

if TYPE_CHECKING:
    from playwright.sync_api import Dialog, Page

Open = Callable[..., "Page"]
# True if the browser would ask before it leaves the page.
LEAVING = "!dispatchEvent(new Event('beforeunload', {cancelable: true}))"
# For each system: the numbers of its wrong answers to forty questions.
WRONG = {
    "alpha": range(3),
    "beta": range(2, 8),
    "gamma": range(0),
    "delta": range(10, 30),
    "epsilon": range(1),
}


def make_five_files() -> dict[str, bytes]:
    """Return the answers of five systems to forty questions."""
    files = {}
    for name, wrong in WRONG.items():
        rows = []
        for number in range(40):
            year = 1500 + number
            if number in wrong:
                year += 300
            question = f"When was hall {number} built?"
            row = {"reference": f"in {1500 + number}", "answer": f"It was in {year}."}
            rows.append({"question": question, **row})
        files[f"{name}.jsonl"] = format_jsonl(rows)
    return files


def score_systems(page: Page) -> None:
    """Score the five systems with the estimate only."""
    choose_files(
        page, "#ft-file", make_five_files(), FILES, "5 files were read, each with 40 rows."
    )
    choose_metrics(page, "Correctness estimate")
    page.locator("#ft-start").click()
    page.locator("#ft-report .ft-shown").wait_for()


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (1366, 768)])
def test_the_start_button_and_the_status_are_visible_after_choosing_five_files(
    open_page: Open,
    demo: Demo,
    width: int,
    height: int,
) -> None:
    page = open_page(f"{demo.url}#files", width=width)
    page.set_viewport_size({"width": width, "height": height})
    choose_files(page, "#ft-file", make_five_files(), FILES, "5 files were read")
    page.locator("#ft-metrics").wait_for()
    for place in ("#ft-file", "#ft-prediction", "#ft-metrics", "#ft-start", FILES):
        box = page.locator(place).bounding_box()
        assert box, place
        assert box["y"] + box["height"] <= 720, place
    assert page.evaluate("scrollY") == 0


def test_rows_can_be_filtered_and_searched_and_all_downloads_are_in_one_zip(
    open_page: Open, demo: Demo
) -> None:
    page = open_page(f"{demo.url}#files")
    score_systems(page)
    assert page.locator("#ft-report thead th").nth(1).inner_text() == "Rank"
    page.locator("#ft-preview").wait_for(state="hidden")
    open_part(page, "rows")
    assert "40 of 40 rows" in wait_for_words(page, "#ft-rows .al-sentence", "rows")
    assert page.locator("#ft-rows thead th").all_inner_texts()[-5:] == list(WRONG)
    row_counts = {"only where an answer is wrong": 28, "only where systems differ": 28}
    for option, count in row_counts.items():
        page.locator("#ft-show input").click()
        page.get_by_role("option", name=option).click()
        wait_for_words(page, "#ft-rows .al-sentence", f"{count} of 40 rows")
        assert page.locator("#ft-rows tbody tr:has(.ft-wrong)").count() == count
    page.locator("#ft-show input").click()
    page.get_by_role("option", name="right before, wrong now").click()
    wait_for_words(page, "#ft-rows .al-sentence", "Right in alpha, wrong in beta: 5 of 40 rows.")
    page.locator("#ft-search :is(input, textarea)").fill("hall 5 ")
    page.locator("#ft-search :is(input, textarea)").press("Enter")
    wait_for_words(page, "#ft-rows .al-sentence", "1 of 40 rows.")
    page.locator("#ft-rows [data-row]").click()
    page.locator('.ft-opened[data-row="6"] .al-verdict').wait_for()
    open_part(page, "downloads")
    with page.expect_download() as download:
        page.locator("#ft-downloads :text('all.zip')").click()
    names = zipfile.ZipFile(download.value.path()).namelist()
    assert "answer_lens_rows.jsonl" in names
    assert "answer_lens_summary.json" in names
    assert "answer_lens_ranks.svg" in names


def test_fifty_systems_are_scored_and_row_numbers_stay_visible_when_scrolling(
    open_page: Open, demo: Demo
) -> None:
    files = {}
    for system in range(50):
        rows = []
        for number in range(3):
            year = 1500 + number * (system + 1)
            answer = {"answer": f"It was in {year}.", "reference": f"in {1500 + number}"}
            rows.append({"question": f"When was hall {number} built?", **answer})
        files[f"{system:02}_{'name' * 14}.jsonl"] = format_jsonl(rows)
    page = open_page(f"{demo.url}#files")
    choose_files(page, "#ft-file", files, FILES, "50 files were read, each with 3 rows.")
    choose_metrics(page, "Correctness estimate")
    page.locator("#ft-start").click()
    page.locator("#ft-report .ft-shown").wait_for()
    assert page.locator("#ft-report section").first.locator("tbody tr").count() == 50
    open_part(page, "rows")
    table = page.locator("#ft-rows .ft-scroll")
    table.wait_for()
    assert measure_width(page) <= 1280
    table.evaluate("table => { table.scrollLeft = table.scrollWidth; }")
    button = page.locator("#ft-rows [data-row='2']")
    box = button.bounding_box()
    cell = button.locator("..").bounding_box()
    assert box
    assert cell
    assert 0 <= box["x"] < 100
    assert cell["width"] < 80
    # Open a row while the downloads are still being written.
    open_part(page, "downloads")
    open_part(page, "rows")
    button.click()
    page.locator('.ft-opened[data-row="2"] .al-verdict').wait_for()


def test_the_browsers_back_and_forward_go_between_tabs_and_parts(
    open_page: Open, demo: Demo
) -> None:
    page = open_page(f"{demo.url}zh", locale="zh-CN")
    open_tab(page, "文件")
    page.wait_for_url("**/zh#files")
    page = open_page(demo.url)
    open_tab(page, "Files")
    page.wait_for_url("**/#files")
    page.locator("#ft-try").click()
    wait_for_words(page, FILES, "made_up_files.csv was read.")
    page.locator("#ft-start").click()
    page.locator("#ft-report .ft-shown").wait_for()
    # The click comes while the page still writes the address of the new results.
    page.evaluate(
        "() => { answerLens.write_address();"
        " document.querySelector('#ft-part-compare-button').click(); }"
    )
    page.wait_for_url("**/#files/compare")
    open_tab(page, "LV-Eval")
    page.wait_for_url("**/#lv-eval")
    page.go_back()
    page.locator("#ft-compared section").first.wait_for()
    page.go_back()
    page.locator("#ft-part-summary-button[aria-selected=true]").wait_for()
    page.go_forward()
    page.locator("#ft-part-compare-button[aria-selected=true]").wait_for()
    page.goto(f"{demo.url}#judge-check")
    page.reload()
    page.locator("#tab-judge-check-button[aria-selected=true]").wait_for()


def test_start_asks_before_it_discards_verdicts(open_page: Open, demo: Demo) -> None:
    page = open_page(f"{demo.url}#files")
    dialogs: list[str] = []

    def refuse(dialog: Dialog) -> None:
        dialogs.append(dialog.type)
        dialog.dismiss()

    page.on("dialog", refuse)
    score_systems(page)
    open_part(page, "read")
    page.locator("#rd-begin").click()
    assert "40 questions are 68 answers; 0 have a verdict." in wait_for_words(
        page, ".rd-answer", "40 questions"
    )
    page.locator("#rd-r").click()
    page.locator("#rd-kept").wait_for()
    assert "First figures after 20 questions" in page.locator("#rd-found").inner_text()
    page.locator("#ft-start").click()
    assert dialogs == ["confirm"]
    assert page.locator("#rd-kept").count() == 1, "Start must do nothing if the visitor refuses"
    assert page.evaluate(LEAVING), "a reload must ask, too"


def test_the_browser_asks_before_it_leaves_unsaved_verdicts_but_not_after_they_are_saved(
    open_page: Open, demo: Demo
) -> None:
    page = open_page(f"{demo.url}#files")
    dialogs: list[str] = []

    def stay(dialog: Dialog) -> None:
        dialogs.append(dialog.type)
        dialog.dismiss()

    page.on("dialog", stay)
    score_systems(page)
    open_part(page, "read")
    page.locator("#rd-begin").click()
    page.locator("#rd-r").wait_for()
    for place in ("#rd-head", "#rd-r"):
        box = page.locator(place).bounding_box()
        assert box
        assert 0 <= box["y"] <= 850, "the first answer and its buttons must be visible"
    page.locator("#rd-r").click()
    page.locator("#rd-kept").wait_for()
    page.close(run_before_unload=True)
    page.wait_for_timeout(500)
    assert dialogs == ["beforeunload"]
    assert not page.is_closed()
    with page.expect_download():
        page.locator(".rd-link").click()
    with page.expect_event("close"):
        page.close(run_before_unload=True)
    assert dialogs == ["beforeunload"]


def test_a_judge_can_be_asked_only_about_rows_on_which_the_estimate_is_unsure(
    open_page: Open, demo: Demo
) -> None:
    rows = []
    for number in range(12):
        answer = f"It was in {1500 + number}."
        if number % 3 == 0:
            answer = "Long ago, as the town remembers it."
        question = f"When was hall {number} built?"
        rows.append({"question": question, "reference": f"in {1500 + number}", "answer": answer})
    page = open_page(demo.url)
    with JudgeServer(compare_texts) as server:
        choose_judge(page, server.url, "sk-something-long")
        open_tab(page, "Files")
        choose_files(page, "#ft-file", {"a.jsonl": format_jsonl(rows)}, FILES, "Rows: 12")
        assert page.locator("#ft-unsure").is_hidden(), "the option must be hidden without a judge"
        page.get_by_role("checkbox", name="EVE judge").check()
        page.locator("#ft-unsure input").check()
        page.locator("#ft-start").click()
        report = wait_for_words(page, "#ft-report", "Where the judge was asked")
        assert len(server.requests) == 4
    assert "Decided by the judge" in report


def test_clear_removes_the_result_and_empty_fields_show_one_sentence(
    open_page: Open, demo: Demo
) -> None:
    page: Any = open_page(demo.url)
    page.locator(".al-row").first.wait_for()
    fill_fields(page, reference="Paris", answer="Paris.")
    page.locator("#score").click()
    wait_for_words(page, ".al-verdict", re.compile("Likely right|Probably right"))
    page.locator("#clear").click()
    wait_for_words(page, ".al-verdict", "Give a reference and an answer, then press “Score”")
    assert page.locator(".al-card, .al-row").count() == 0
    assert page.locator("#answer textarea").input_value() == ""
