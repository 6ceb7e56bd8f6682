"""The tabs "Files", "LV-Eval" and "Judge check" in a browser.

Tests that need no browser are in tests/demo/.
"""

from __future__ import annotations

import csv
import functools
import gzip
import io
import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from browsing import (
    FILES,
    Demo,
    choose_files,
    choose_judge,
    choose_metrics,
    format_jsonl,
    list_dark_violations,
    list_violations,
    make_uploads,
    measure_width,
    open_all,
    open_part,
    open_tab,
    wait_for_words,
)
from lens.page import judge_check_tab, lv_eval_tab
from lens.page.files import files_form

from tests.support.judge_server import JudgeServer
from tests.support.judges import compare_texts

if TYPE_CHECKING:
    from playwright.sync_api import Page

Open = Callable[..., "Page"]
Rows = list[dict[str, Any]]
FOUR = ("LV-Eval F1", "BLEU", "ROUGE-L", "LV-Eval ROUGE")
MARKUP = "<img src=x onerror=\"window.broken='cell'\">"
SECRET = "XyzzySecretAnswer"
PREDICTIONS = "factrecall_en_16k.jsonl"
LV_EVAL, JUDGE = "#lv-results", "#check-results"


def read_csv(path: Path) -> Rows:
    """Return the rows of a CSV file."""
    return list(csv.DictReader(io.StringIO(path.read_text("utf-8"), newline="")))


def format_prediction(prediction: Any) -> bytes:
    """Return a prediction file of one row, as LV-Eval's own code writes it."""
    row = {"pred": prediction, "answers": ["Paris"], "gold_ans": None, "length": 1}
    return format_jsonl([row])


def save_download(page: Page, selector: str) -> tuple[str, bytes]:
    """Click a download and return the name and the content of the file."""
    with page.expect_download() as download:
        page.locator(selector).click()
    return download.value.suggested_filename, Path(download.value.path()).read_bytes()


# LV-Eval and the judge check


def test_examples_can_be_scored_downloaded_and_uploaded_again(open_page: Open, demo: Demo) -> None:
    page = open_tab(open_page(demo.url), "LV-Eval")
    page.locator("#lv-try").focus()
    page.keyboard.press("Enter")
    assert "A made-up example" in wait_for_words(page, LV_EVAL, "24 of 55 files")
    name, archive = save_download(page, "#lv-get-example")
    choose_files(page, "#lv-file", {name: archive}, LV_EVAL, "24 of 55 files")
    page.locator(LV_EVAL, has_text="made-up").wait_for(state="detached")
    wait_for_words(page, LV_EVAL, "24 of 55 files")
    for file_format in lv_eval_tab.FORMATTERS:
        name, data = save_download(page, f"#lv-{file_format}")
        assert name == f"result.{file_format}"
        assert "48.68" in data.decode() or "cmrc" in data.decode()
    assert page.locator("#lv-signed textarea").input_value().startswith("lv_eval_f1|version:")
    page.locator("#lv-plot svg").first.wait_for()
    page.locator("#lv-model input").click()
    page.get_by_role("option", name="GPT-4-8k").click()
    # A cell has our figure and the published one.
    row = page.locator(".lv-check tr", has_text="lic_mixup")
    cell = row.locator("td", has=page.locator(".lv-other")).first
    assert cell.inner_text().split() == ["87.30", "13.69"]

    open_tab(page, "Judge check")
    page.locator("#try-example").focus()
    page.keyboard.press("Enter")
    assert "made-up example" in wait_for_words(page, JUDGE, "Rows: 59")
    _name, data = save_download(page, "#get-example")
    result = choose_files(page, "#check-file", {"a.csv": data}, JUDGE, "a.csv: Rows: 59")
    assert "made-up" not in result
    bar = page.locator("tr", has_text="numerical_perturbation").first
    assert re.search("^numerical_perturbation_100pct -0.43 ", " ".join(bar.inner_text().split()))
    for end, value in (("low", "1"), ("high", "5")):
        page.locator(f"#range-{end} input").fill(value)
    page.locator("#check").click()
    assert "a.csv" in wait_for_words(page, JUDGE, "Bounds with replies without a score")
    assert page.locator("#check-signed textarea").input_value().startswith("judge_bias|version:")


def test_a_long_run_of_lv_eval_can_be_cancelled_while_others_continue(
    open_page: Open, demo: Demo
) -> None:
    page = open_tab(open_page(demo.url), "LV-Eval")
    other = open_tab(open_page(demo.url), "LV-Eval")
    texts = {
        "pred": "多伦多在加拿大的安大略省。" * 500,
        "answers": ["温哥华在加拿大的西部，不在安大略省。" * 350],
    }
    data = (json.dumps(texts, ensure_ascii=False) + "\n").encode() * 240
    running = re.compile("Scoring file 1 of 1: dureader_mixup_16k.jsonl, [0-9]+ of 240 rows")
    choose_files(page, "#lv-file", {"dureader_mixup_16k.jsonl": data}, "body", running)
    other.locator("#lv-try").click()
    wait_for_words(other, LV_EVAL, "24 of 55 files")
    page.locator("#lv-cancel").click()
    wait_for_words(page, LV_EVAL, "Cancelled")
    page.wait_for_timeout(1000)
    assert page.locator(".lv-official").count() == 0
    assert page.locator("#lv-cancel").is_disabled()
    choose_files(
        page, "#lv-file", {PREDICTIONS: format_prediction("Paris")}, LV_EVAL, "1 of 55 files"
    )
    words = page.locator(".lv-official").inner_text().split()
    assert "factrecall_en 100.00 – – – – 100.00" in " ".join(words)


def test_errors_are_shown_and_a_visitors_texts_are_not_stored_or_shown_to_others(
    open_page: Open, demo: Demo
) -> None:
    page = open_tab(open_page(demo.url), "Judge check")
    other = open_tab(open_page(demo.url), "Judge check")
    page.locator("#check").click()
    wait_for_words(page, JUDGE, "No file is chosen")
    changes = {"generated": SECRET, "perturbation_type": MARKUP}
    rows = [row | changes for row in read_csv(judge_check_tab.EXAMPLE)]
    replies = {"s.jsonl": format_jsonl(rows)}
    message = "None of the replies has a score"
    assert MARKUP in choose_files(page, "#check-file", replies, JUDGE, message)
    open_tab(page, "LV-Eval")
    predictions = {PREDICTIONS: format_prediction([SECRET])}
    choose_files(page, "#lv-file", predictions, LV_EVAL, f'pred is ["{SECRET}')
    page.wait_for_timeout(200)
    assert page.evaluate("window.broken") is None
    assert page.locator(f"{JUDGE} :is(img, script)").count() == 0
    other.locator("#try-example").click()
    assert SECRET not in wait_for_words(other, JUDGE, "Rows: 59")
    stored = page.evaluate("JSON.stringify([localStorage, sessionStorage, document.cookie])")
    assert SECRET not in stored + demo.log()
    page.reload()
    # The address opens the previous tab again, where this field is hidden.
    page.locator("#answer").wait_for(state="attached")
    assert SECRET not in page.content()


# Files


ALL_SCORED = "All scores are there."


def try_example(page: Page) -> None:
    """Choose the example and wait until it is read."""
    page.locator("#ft-try").click()
    wait_for_words(page, FILES, "made_up_files.csv was read. Rows: 40.")


def press_start(page: Page, words: str = ALL_SCORED) -> str:
    """Press Start and wait for words in the status.

    Returns:
        the summary if these words say that all scores are done, or "".
    """
    page.evaluate(
        "document.querySelectorAll('#ft-report .ft-shown').forEach((old) => old.remove())"
    )
    page.locator("#ft-start").click()
    wait_for_words(page, FILES, words)
    return page.locator("#ft-report .ft-shown").inner_text() if words == ALL_SCORED else ""


def open_row_by_number(page: Page, row: int) -> None:
    """Open a row by typing its number, and wait for it."""
    open_part(page, "rows")
    page.locator("#ft-row input").fill(str(row))
    page.locator("#ft-row input").press("Enter")
    wait_for_row(page, row)


def wait_for_row(page: Page, row: int) -> None:
    """Wait until a row is open."""
    page.locator(f'.ft-opened[data-row="{row}"] .al-verdict').wait_for()


def test_a_log_of_another_tool_can_be_scored_unchanged(open_page: Open, demo: Demo) -> None:
    page = open_tab(open_page(demo.url), "Files")
    logs = Path(__file__).parents[1] / "demo" / "logs"
    (log,) = logs.glob("lm_eval/*/samples_facts_*")
    samples = {log.name: log.read_bytes()}
    choose_files(page, "#ft-file", samples, FILES, "the samples of “strict” are read")
    page.locator("#ft-reference .token-remove").first.click()
    for field, name in (("filter", "whole"), ("reference", "doc.answers")):
        page.locator(f"#ft-{field} input").click()
        page.get_by_role("option", name=name, exact=True).click()
    wait_for_words(page, FILES, "the samples of “whole” are read")
    choose_metrics(page, *FOUR)
    assert "0.190" in press_start(page)
    samples = {"facts.eval": (logs / "inspect" / "facts.eval").read_bytes()}
    message = "Rows: 6. This is taken for a log of inspect_ai."
    choose_files(page, "#ft-file", samples, FILES, message)
    page.locator("#ft-filter").wait_for(state="hidden")


def test_the_example_is_scored_compared_and_downloaded(open_page: Open, demo: Demo) -> None:
    page = open_tab(open_page(demo.url), "Files")
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    press_start(page, "No file is chosen")
    try_example(page)
    choose_metrics(page, *FOUR)
    assert "answer scores significantly higher than answer_b on LV-Eval F1" in press_start(page)
    assert page.locator(".ft-bars, #ft-compared .ft-shown, #ft-rows td").count() == 0, (
        "a part must be made only when it is opened"
    )
    open_part(page, "compare")
    page.locator("#ft-compared tr", has_text="answer_b").first.wait_for()
    page.locator("#ft-show-spread").click()
    page.locator(".ft-bars").first.wait_for()
    # Two systems, each with four scores and the recall of LV-Eval F1 and of ROUGE-L.
    assert page.locator(".ft-bars").count() == 2 * (4 + 2)
    open_part(page, "downloads")
    name, data = save_download(page, "#ft-downloads :text('rows.jsonl')")
    assert name == "answer_lens_rows.jsonl"
    scores = [json.loads(line)["bleu (answer)"] for line in data.decode().splitlines()]
    best_row = 1 + scores.index(max(scores))
    open_part(page, "rows")
    for field, option in (
        ("#ft-marks-by", "BLEU (mean of rows)"),
        ("#ft-order", "highest score first"),
    ):
        page.locator(f"{field} input").click()
        page.get_by_role("option", name=option).click()
    page.wait_for_function(
        f"document.querySelector('#ft-rows [data-row]')?.dataset.row === '{best_row}'"
    )
    page.locator("#ft-rows [data-row]").first.click()
    wait_for_row(page, best_row)
    assert page.locator('.ft-opened [data-metric="bleu"] .al-score').inner_text() == "1.00"
    open_row_by_number(page, 7)
    assert "Answer to score · answer_b" in page.locator(".ft-texts").inner_text()
    assert "The Pale Bridge joins Ustor and Larn." in page.locator(".ft-texts").inner_text()
    open_part(page, "summary")
    page.get_by_text("Signatures").first.click()
    page.context.grant_permissions(
        ["clipboard-read", "clipboard-write"], origin=demo.url.rstrip("/")
    )
    page.get_by_role("button", name="Copy: Signature bleu").first.click()
    assert page.evaluate("navigator.clipboard.readText()").startswith("bleu|version:")
    page.locator("#ft-further button").first.click()
    page.locator("#ft-separator input, #ft-separator textarea").press_sequentially("|")
    page.wait_for_selector("#ft-results.al-stale")
    assert errors == []


def test_several_files_can_be_added_and_removed_and_a_too_large_one_is_refused(
    open_page: Open, demo: Demo, tmp_path: Path
) -> None:
    page = open_tab(open_page(demo.url), "Files")
    large = tmp_path / "large.csv"
    large.write_bytes(b"answer,reference\n" + b"x,y\n" * 5_000_000)
    page.locator("#ft-file input[type=file]").set_input_files(large)
    page.get_by_text(re.compile("exceeds|maximum", re.IGNORECASE)).first.wait_for()
    page.reload()
    rows = read_csv(files_form.EXAMPLE)
    first = [{key: row[key] for key in ("id", "reference", "answer")} for row in rows]
    open_tab(page, "Files")
    first_file = {"first.jsonl": format_jsonl(first)}
    choose_files(page, "#ft-file", first_file, FILES, "first.jsonl was read. Rows: 40.")
    # More files are added by keyboard, and one is removed. Their rows are in reverse order.
    added_files = {}
    for name, answer in (("second.jsonl", MARKUP), ("third.jsonl", "b")):
        added_files[name] = format_jsonl([row | {"answer": answer} for row in reversed(first)])
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Add files").press("Enter")
    chooser.value.set_files(make_uploads(added_files))
    wait_for_words(
        page,
        FILES,
        "first.jsonl was read. Rows: 40. second.jsonl was read. Rows: 40. third.jsonl was read.",
    )
    choose_metrics(page, *FOUR)
    summary = press_start(page)
    assert "3 systems, matched by their ids: 40 questions." in summary
    open_row_by_number(page, 2)
    assert MARKUP in page.locator(".ft-texts").inner_text()
    page.locator("#ft-file [aria-label='Remove this file']").nth(1).click()
    page.locator(FILES, has_text="second.jsonl").wait_for(state="detached")
    page.locator("#ft-results").wait_for(state="hidden")
    assert "second.jsonl" not in press_start(page)
    assert page.evaluate("window.broken") is None
    assert page.locator("#ft-tab img").count() == 0
    answers = [""] * 3 + [None] * 2 + ["x"] * (len(first) - 5)
    with_empty = [{**row, "answer": answer} for row, answer in zip(first, answers, strict=True)]
    assert page.locator("#ft-empty").count() == 0
    packed = {"empty.jsonl.gz": gzip.compress(format_jsonl(with_empty))}
    choose_files(page, "#ft-file", packed, FILES, "empty.jsonl.gz was read. Rows: 40.")
    page.locator("#ft-empty").get_by_text("answers 5, references 0").wait_for()
    choose_metrics(page, *FOUR)
    assert "scored as an empty answer: 5 (row 1, 2, 3, 4, 5)" in press_start(page)
    page.locator("#ft-empty").get_by_text("Leave all of them out").click()
    assert "no answer (null or empty) (5)" in press_start(page)


def test_a_run_can_be_cancelled_while_another_visitor_continues(
    open_page: Open, demo: Demo
) -> None:
    page = open_tab(open_page(demo.url), "Files")
    other = open_tab(open_page(demo.url), "Files")
    text = f"{SECRET} red green blue one two three four five six seven " * 6
    rows: Rows = []
    for number in range(9000):
        rows.append({"answer": f"{text} {number}", "reference": f"{number} {text}"})
    choose_files(page, "#ft-file", {f"{SECRET}.jsonl": format_jsonl(rows)}, FILES, "Rows: 9,000")
    try_example(other)
    for visitor in (page, other):
        choose_metrics(visitor, *FOUR)
        visitor.locator("#ft-start").click()
    wait_for_words(page, FILES, re.compile("[1-9][0-9,]* of 9,000 rows"))
    page.locator("#ft-cancel").click()
    wait_for_words(page, FILES, "Cancelled")
    wait_for_words(other, FILES, "All scores are there.")
    stored = page.evaluate("JSON.stringify([localStorage, document.cookie])")
    assert SECRET not in other.content() + demo.log() + stored
    assert "Cancelled" in page.locator(FILES).inner_text()
    assert not list(Path(os.environ["GRADIO_TEMP_DIR"]).rglob(f"{SECRET}*"))


def test_the_judges_key_is_sent_only_if_a_judge_is_chosen(open_page: Open, demo: Demo) -> None:
    page = open_page(demo.url)
    with JudgeServer(compare_texts) as server:
        choose_judge(page, server.url, f"sk-{SECRET}")
        open_tab(page, "Files")
        rows = read_csv(files_form.EXAMPLE)[:12]
        choose_files(page, "#ft-file", {"a.jsonl": format_jsonl(rows)}, FILES, "Rows: 12")
        bodies: list[str] = []
        page.on("request", lambda request: bodies.append(request.post_data or ""))
        choose_metrics(page, "BLEU")
        press_start(page)
        assert SECRET not in "".join(bodies)
        assert server.requests == []
        choose_metrics(page, "BLEU", "EVE judge")
        press_start(page)
        assert SECRET in "".join(bodies)
        assert len(server.requests) == 12
        open_row_by_number(page, 2)
        assert (server.keys, len(server.requests)) == ({f"sk-{SECRET}"}, 12)
    assert SECRET not in page.locator("#ft-tab").inner_html() + demo.log()


# All three


def check_step(page: Page, step: str, axe: bool) -> None:
    """Check the width of the page and its violations: narrow and dark, wide and light.

    A colour depends on the scheme and not on the width, so these two show all colours.
    """
    for width, list_found in ((320, list_dark_violations), (1280, list_violations)):
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_timeout(300)
        assert measure_width(page) <= width, (step, width)
        if axe:
            assert list_found(page) == [], (step, width)


def test_axe_finds_nothing_and_nothing_scrolls_sideways(
    open_page: Open,
    demo: Demo,
    axe_source: str,
) -> None:
    page = open_page(demo.url, width=390)
    page.evaluate(axe_source)
    long_name = "n" * 150
    long_texts = {"answer": "y" * 500, "topic": "x" * 200, "z" * 100: "1"}
    long_answers = format_jsonl([row | long_texts for row in read_csv(files_form.EXAMPLE)])
    five_files = {f"{long_name}{number}.jsonl": long_answers for number in range(5)}
    long_texts = {"perturbation_type": "x" * 200, "generated": "y" * 500}
    long_replies = format_jsonl([row | long_texts for row in read_csv(judge_check_tab.EXAMPLE)])
    replies = {f"{long_name}.jsonl": long_replies}

    def score_and_compare() -> None:
        choose_metrics(page, *FOUR)
        press_start(page)
        open_part(page, "compare")
        page.locator("#ft-compared section").first.wait_for()
        page.locator("#ft-show-spread").click()
        page.locator(".ft-bars").first.wait_for()

    def look_at_part(name: str) -> None:
        open_part(page, name)
        if name == "rows":
            open_row_by_number(page, 3)
        if name == "read":
            page.locator("#rd-begin").click()
            page.locator("#rd-r").wait_for()

    def score_lv_eval() -> None:
        page.locator("#lv-try").click()
        page.locator("#lv-plot svg").first.wait_for()

    def check_example() -> None:
        page.locator("#try-example").click()
        wait_for_words(page, JUDGE, "made-up example")

    parts: list[tuple[str, Callable[[], object]]] = [
        (part, functools.partial(look_at_part, part))
        for part in ("summary", "rows", "read", "downloads")
    ]
    steps: list[tuple[str, Callable[[], object]]] = [
        ("LV-Eval", lambda: open_tab(page, "LV-Eval")),
        ("LV-Eval result", score_lv_eval),
        ("Judge check", lambda: open_tab(page, "Judge check")),
        (
            "long replies",
            lambda: choose_files(page, "#check-file", replies, JUDGE, "None of the replies"),
        ),
        ("judge checked", check_example),
        ("Files", lambda: open_tab(page, "Files")),
        (
            "long rows",
            lambda: choose_files(page, "#ft-file", five_files, FILES, "each with 40 rows"),
        ),
        ("long results", score_and_compare),
        *((f"long rows {part}", look) for part, look in parts),
        ("preview", lambda: try_example(page)),
        ("results", score_and_compare),
        *parts,
    ]
    for step, prepare in steps:
        prepare()
        open_all(page)
        # Steps with long texts have the same elements as those of the example, which axe checks.
        check_step(page, step, axe=not step.startswith("long r"))
