"""The tab "Files" in a real browser; what needs none is in tests/test_files_tab.py."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from browsing import Demo
from lens.page import files_upload
from test_judges import choose_judge
from test_page import FOUR, READY, opened

from tests.support.judge_server import JudgeServer
from tests.support.judges import compared
from tests.support.project import load

if TYPE_CHECKING:
    from playwright.sync_api import Page

Open = Callable[..., "Page"]
MARKUP = "<img src=x onerror=\"window.broken='cell'\">"
SECRET = "XyzzySecretAnswer"
STATES = ("done", "refused", "cancelled", "failed")
Rows = list[dict[str, Any]]


def rows_of_example() -> Rows:
    """The rows of the example, as a file of JSON has them."""
    return [dict(row) for row in csv.DictReader(io.StringIO(files_upload.example_bytes().decode(), newline=""))]


def jsonl(rows: Rows) -> bytes:
    """Rows as JSON Lines."""
    return "\n".join(map(json.dumps, rows)).encode()


def parquet(rows: Rows) -> bytes:
    """Rows as Parquet."""
    import pyarrow
    from pyarrow import parquet as files

    out = pyarrow.BufferOutputStream()
    files.write_table(pyarrow.Table.from_pylist(rows), out)
    return bytes(out.getvalue())


def csv_of(rows: Rows, delimiter: str = ",") -> bytes:
    """Rows as CSV."""
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, list(rows[0]), delimiter=delimiter)
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode()


def files_tab(page: Page, name: str = "Files") -> Page:
    """The page with the tab chosen."""
    page.get_by_role("tab", name=name).click()
    page.locator("#ft-file").wait_for()
    return page


def until(page: Page, act: Callable[[], object], *states: str) -> str:
    """What the results say once something was done and answered."""
    page.evaluate("() => document.querySelectorAll('.ft-shown').forEach((one) => { one.dataset.state = 'old'; })")
    act()
    page.wait_for_selector(", ".join(f'.ft-shown[data-state="{state}"]:not(.al-stale)' for state in states))
    return page.locator(".ft-shown").inner_text()


def choose(page: Page, name: str, data: bytes, field: str = "#ft-file") -> str:
    """Choose a file; what the results then say."""
    file: Any = {"name": name, "mimeType": "application/octet-stream", "buffer": data}
    return until(page, lambda: page.locator(field).set_input_files(files=[file]), "preview", "refused")


def try_example(page: Page) -> str:
    """Press the button of the example."""
    return until(page, page.locator("#ft-try").click, "preview")


def only_words(page: Page, names: tuple[str, ...] = FOUR) -> None:
    """Choose these metrics alone, by default four of words."""
    for box in page.locator("#ft-form input[data-metric]").all():
        box.set_checked(box.get_attribute("data-metric") in names)


def start(page: Page) -> str:
    """Press Start, wait for the end."""
    return until(page, page.locator("#ft-start").click, *STATES)


def rows_shown(page: Page) -> list[int]:
    """The numbers of the rows that are shown, in their order."""
    page.wait_for_selector(".ft-listing:not(.al-stale)")
    return [int(one) for one in page.locator(".ft-listing .ft-open").all_inner_texts()]


def looked(page: Page, act: Callable[[], object]) -> list[int]:
    """The rows that are shown after something was done."""
    page.evaluate("() => { document.querySelector('.ft-listing').dataset.page = 'old'; }")
    act()
    page.wait_for_selector('.ft-listing:not(.al-stale):not([data-page="old"])')
    return rows_shown(page)


def downloaded(page: Page, label: str) -> tuple[str, bytes]:
    """The name and the bytes of a download."""
    with page.expect_download() as download:
        page.get_by_role("link", name=label).click()
    return download.value.suggested_filename, Path(download.value.path()).read_bytes()


def own_numbers(rows: Rows, answer: str = "answer") -> dict[str, list[float]]:
    """The scores that the modules themselves give."""
    given: dict[str, Any] = {"predictions": [row[answer] for row in rows]}
    given |= {"references": [row["reference"] for row in rows]}
    found = {}
    for name in FOUR:
        more = {"answer_keywords": [row["keywords"] for row in rows]} if name == "lv_eval_f1" else {}
        entries = load(name).compute(**given, **more, per_example=True)["per_example"]
        key = "rougeL" if name == "rouge" else name
        found[key] = [entry["rougeL"]["fmeasure"] if name == "rouge" else entry["score"] for entry in entries]
    return found


def test_the_example_from_the_file_to_the_downloads(open_page: Open, demo: Demo) -> None:
    page = files_tab(open_page(demo.url))
    trouble: list[str] = []
    page.on("pageerror", lambda error: trouble.append(str(error)))
    assert "No file is chosen" in start(page)
    assert "made-up example" in try_example(page)
    only_words(page)
    text = start(page)
    for words in (
        "The first system is better by LV-Eval F1",
        "By topic",
        "How the scores are spread",
        "made-up example",
    ):
        assert words in text
    assert page.locator("#ft-status").inner_text() == "All scores are there."
    assert page.locator(".ft-bars").count() == len(FOUR)
    rows = rows_of_example()
    own = own_numbers(rows)
    every_download_has_the_modules_own_numbers(page, rows, own)
    rows_are_sorted_filtered_and_leafed_through(page, rows, own)
    a_row_opens_with_the_keyboard_and_shows_its_cards(page, own)
    page.get_by_text("Signatures").click()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=demo.url.rstrip("/"))
    page.get_by_role("button", name="Copy the signature of BLEU").first.click()
    assert page.evaluate("navigator.clipboard.readText()").startswith("bleu|version:")
    the_page_speaks_chinese_and_keeps_what_is_there(page)
    assert trouble == []
    link = page.locator(".ft-downloads a").first.get_attribute("href")
    page.goto("about:blank")
    page.wait_for_timeout(500)
    assert page.request.get(f"{demo.url}{link}").status == 404


def every_download_has_the_modules_own_numbers(page: Page, rows: Rows, own: dict[str, list[float]]) -> None:
    """Rows in three kinds, the summary in two."""
    name, data = downloaded(page, "Rows as JSON Lines")
    assert name == "answer_lens_rows.jsonl"
    lines = [json.loads(line) for line in data.decode().splitlines()]
    assert [{key: line[key] for key in rows[0]} for line in lines] == rows
    assert {key: [line[key] for line in lines] for key in own} == own
    second = own_numbers(rows, "answer_b")
    assert {key: [line[f"{key}_against"] for line in lines] for key in own} == second
    cells = list(csv.DictReader(io.StringIO(downloaded(page, "Rows as CSV")[1].decode(), newline="")))
    assert {key: [float(row[key]) for row in cells] for key in own} == own
    from pyarrow import parquet as files

    assert files.read_table(io.BytesIO(downloaded(page, "Rows as Parquet")[1])).to_pylist() == lines
    report = downloaded(page, "Summary as Markdown")[1].decode()
    latex = downloaded(page, "Summary as LaTeX")[1].decode()
    for key, title in (("bleu", "BLEU (mean of rows)"), ("rougeL", "ROUGE-L"), ("lv_eval_f1", "LV-Eval F1")):
        mean = f"{sum(own[key]) / len(rows):.4f}"
        shown = page.locator(".ft-table").first.locator("tr", has_text=title).first.inner_text()
        assert mean in shown
        assert mean in report
        assert mean in latex


def rows_are_sorted_filtered_and_leafed_through(page: Page, rows: Rows, own: dict[str, list[float]]) -> None:
    """The table of rows."""
    assert rows_shown(page) == list(range(1, 26))
    assert looked(page, page.get_by_role("button", name="Next").click) == list(range(26, 41))

    def head(name: str) -> Any:
        return page.locator(".ft-listing").get_by_role("button", name=name, exact=True)

    up = sorted(range(40), key=lambda row: own["bleu"][row])
    assert looked(page, head("BLEU (mean of rows)").click) == [row + 1 for row in up[:25]]
    assert page.evaluate("document.activeElement.dataset.key") == "bleu"
    down = sorted(range(40), key=lambda row: own["bleu"][row], reverse=True)
    assert looked(page, lambda: page.keyboard.press("Enter")) == [row + 1 for row in down[:25]]
    assert page.locator('th[aria-sort="descending"]').inner_text().startswith("BLEU")
    page.get_by_label("Text contains").fill("OSK")
    assert looked(page, lambda: page.keyboard.press("Enter")) == [1]
    page.get_by_label("Text contains").fill("")
    page.get_by_label("Score of").select_option(label="ROUGE-L")
    page.get_by_label("from", exact=True).fill("0.9")
    page.locator(".ft-filter").get_by_label("Group").select_option(label="geography")
    wanted = [row for row in down if own["rougeL"][row] >= 0.9 and rows[row]["topic"] == "geography"]
    assert looked(page, page.get_by_role("button", name="Filter").click) == [row + 1 for row in wanted]
    assert len(looked(page, page.get_by_role("button", name="Show all").click)) == 25
    page.get_by_label("Only rows without some score").check()
    assert looked(page, page.get_by_role("button", name="Filter").click) == []
    looked(page, page.get_by_role("button", name="Show all").click)


def a_row_opens_with_the_keyboard_and_shows_its_cards(page: Page, own: dict[str, list[float]]) -> None:
    """The cards of one row, and the way back; a click on the row does it too."""
    first = page.locator(".ft-listing .ft-open").first
    row = int(first.inner_text())
    first.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(".ft-opened .al-card")
    page.wait_for_function("document.activeElement.id === 'ft-opened-head'")
    assert page.locator("#ft-opened-head").inner_text() == f"Row {row}"
    for name, key in (("bleu", "bleu"), ("rouge", "rougeL"), ("lv_eval_f1", "lv_eval_f1")):
        shown = page.locator(f'.ft-opened [data-metric="{name}"] .al-score').inner_text()
        assert abs(float(shown.strip("<>")) - own[key][row - 1]) < 0.011
    assert page.locator(".ft-opened .al-sentence").inner_text()
    assert page.locator(".ft-opened .al-agrees .al-here").count() == len(FOUR)
    page.get_by_role("button", name="Close").click()
    assert page.locator(".ft-opened").count() == 0
    page.locator("#ft-results .ft-rows tbody tr td").first.click()
    page.wait_for_selector(".ft-opened .al-card")


def the_page_speaks_chinese_and_keeps_what_is_there(page: Page) -> None:
    """A switch of the language, with results and a row on the page."""
    page.locator("#language button").click()
    page.locator("#ft-results", has_text="得分分布").wait_for()
    page.locator(".ft-opened", has_text="待评答案").wait_for()
    assert page.locator("#ft-form .ft-form").inner_text().startswith("made_up_files.csv：40 行")
    assert page.locator("#ft-metric-bertscore").is_checked() is False
    english = re.findall("[A-Z]?[a-z]+ [a-z]+ [a-z]+ [a-z]+", page.locator("#ft-rows").inner_text())
    assert [one for one in english if one not in json.dumps(rows_of_example())] == []
    assert "完成" in page.locator("#ft-status").inner_text() or "得分" in page.locator("#ft-status").inner_text()


def test_files_of_every_kind_and_files_that_are_wrong(open_page: Open, demo: Demo, tmp_path: Path) -> None:
    page = files_tab(open_page(demo.url))
    every_kind_of_file_gives_the_same_numbers(page)
    what_cannot_be_scored_is_said_in_plain_words(page)
    a_file_that_is_too_large_is_never_sent(page, tmp_path)
    markup_is_shown_and_never_runs(page)
    two_files_are_compared_or_refused(page)


def every_kind_of_file_gives_the_same_numbers(page: Page) -> None:
    """CSV, TSV, JSON Lines, JSON and Parquet."""
    rows = rows_of_example()[:12]
    shown = set()
    files = {
        "a.csv": csv_of(rows),
        "b.tsv": b"\xef\xbb\xbf" + csv_of(rows, "\t"),
        "c.jsonl": jsonl(rows),
        "d.json": json.dumps(rows).encode(),
        "e.parquet": parquet(rows),
    }
    for name, data in files.items():
        assert f"{name}: 12 rows" in choose(page, name, data)
        assert page.locator("#ft-prediction option:checked").inner_text() == "answer"
        only_words(page)
        assert f"{name}: 12 rows" in start(page)
        shown.add(page.locator("#ft-results .ft-table").first.inner_text())
    assert len(shown) == 1


def what_cannot_be_scored_is_said_in_plain_words(page: Page) -> None:
    """Wrong columns, encodings, kinds, choices."""
    for name, data, words in [
        ("a.csv", "answer,reference\nnaïve,x".encode("latin-1"), "not in UTF-8 (line 2"),
        ("a.csv", b"", "no rows"),
        ("a.csv", b"answer\n" + b"x\n" * 10_001, "more than 10,000 rows"),
        ("a.xlsx", b"PK", "should end in .csv"),
        ("a.parquet", b"PAR1", "Parquet"),
    ]:
        assert words in choose(page, name, data), (name, words)
    for words in ("Parquet 文件", "Parquet"):  # a message, too, is in the language of the page
        assert words in until(page, page.locator("#language button").click, "refused")
    assert "a.csv: 1 row" in choose(page, "a.csv", b"first,second\nx,y\n")
    assert "No column is known to hold the answer to score" in start(page)
    page.locator("#ft-prediction").select_option(label="first")
    page.locator("#ft-reference").select_option(label="first")
    assert "has two roles" in start(page)
    page.locator("#ft-reference").select_option(label="second")
    only_words(page)
    assert "1 row" in start(page)
    only_words(page, ())
    assert "No metric is chosen" in start(page)
    only_words(page, ("eve_judge",))
    assert "A judge is chosen as a metric, but not which one" in start(page)


def a_file_that_is_too_large_is_never_sent(page: Page, tmp_path: Path) -> None:
    """Twenty megabytes are refused in the browser."""
    large = tmp_path / "large.csv"
    large.write_bytes(b"answer,reference\n" + b"x,y\n" * 5_000_000)
    sizes: list[int] = []
    page.on("request", lambda request: sizes.append(len(request.post_data_buffer or b"")))
    said = until(page, lambda: page.locator("#ft-file").set_input_files(large), "refused")
    assert "larger than 10 MB" in said
    assert "score.py" in said
    assert sizes
    assert max(sizes) < 10_000


def markup_is_shown_and_never_runs(page: Page) -> None:
    """In the name, in names of columns, in cells, in groups."""
    rows = [dict(row, answer=MARKUP, topic=MARKUP, **{MARKUP: "x"}) for row in rows_of_example()[:12]]
    assert MARKUP in choose(page, f"{MARKUP}.jsonl", jsonl(rows))
    page.locator("#ft-group").select_option(label="topic")
    only_words(page)
    assert MARKUP in start(page)
    page.locator(".ft-listing .ft-open").first.click()
    page.wait_for_selector(".ft-opened .al-card")
    page.wait_for_timeout(200)
    assert page.evaluate("window.broken") is None
    assert page.locator("#ft-tab :is(img, script, svg)").count() == 0


def two_files_are_compared_or_refused(page: Page) -> None:
    """A second file, matched by its ids; one of other rows; none again."""
    rows = rows_of_example()
    choose(page, "first.csv", csv_of([{key: row[key] for key in ("id", "reference", "answer")} for row in rows]))
    page.get_by_text("Compare with a second file").click()
    others = [{"id": row["id"], "reference": row["reference"], "answer": row["answer_b"]} for row in reversed(rows)]
    assert "second.csv: 40 rows" in choose(page, "second.csv", csv_of(others), "#ft-second-file")
    only_words(page)
    text = start(page)
    own, second = own_numbers_plain(rows, "answer"), own_numbers_plain(rows, "answer_b")
    found = page.locator("#ft-compared").locator("xpath=..").locator("tr", has_text="ROUGE-L").first.inner_text()
    assert f"{sum(own) / 40:.4f}\t{sum(second) / 40:.4f}\t{(sum(own) - sum(second)) / 40:.4f}" in found
    assert "Two systems on the same rows" in text
    choose(page, "third.csv", csv_of(others[:39]), "#ft-second-file")
    assert "40 and 39 rows" in start(page)
    until(page, page.get_by_role("button", name="Without the second file").click, "preview")
    assert "Two systems on the same rows" not in start(page)


def own_numbers_plain(rows: Rows, answer: str) -> list[float]:
    """ROUGE-L by the module itself."""
    given = {"predictions": [row[answer] for row in rows], "references": [row["reference"] for row in rows]}
    return [entry["rougeL"]["fmeasure"] for entry in load("rouge").compute(**given, per_example=True)["per_example"]]


def test_progress_cancel_a_paste_meanwhile_and_two_visitors(open_page: Open, demo: Demo) -> None:
    page, other = files_tab(open_page(demo.url)), files_tab(open_page(demo.url))
    text = f"{SECRET} red green blue one two three four five six seven " * 6
    rows: Rows = [{"answer": f"{text} {number}", "reference": f"{number} {text}"} for number in range(9000)]
    choose(page, f"{SECRET}.jsonl", jsonl(rows))
    only_words(page)
    until(page, page.locator("#ft-start").click, "working")
    assert page.locator(".ft-progress [role=progressbar]").count() == len(FOUR)
    page.wait_for_function("() => /[1-9][0-9]* of 9,000 rows/.test(document.querySelector('.ft-progress').innerText)")
    other.get_by_role("tab", name="One answer").click()
    other.locator("#answer textarea").fill("red")
    other.evaluate("() => { document.querySelector('#overview .al-overview').dataset.done = 'old'; }")
    other.get_by_role("button", name="Score", exact=True).click()
    other.wait_for_selector(f"#overview {READY}")
    assert page.locator('.ft-shown[data-state="working"]').count() == 1
    files_tab(other)
    try_example(other)
    only_words(other)
    assert SECRET not in start(other)
    said = until(page, page.locator("#ft-cancel").click, "cancelled")
    assert re.search(r"Cancelled after [0-9,]+ of 9,000 rows", said)
    page.wait_for_selector("#ft-cancel:disabled")
    assert page.locator(".ft-listing").count() == 0
    assert SECRET not in other.content()
    assert SECRET not in page.evaluate("JSON.stringify([localStorage, sessionStorage, document.cookie])")
    assert SECRET not in demo.log()
    page.reload()
    files_tab(page)
    assert SECRET not in page.content()


def test_the_judge_of_the_other_tab_is_asked_once_a_row_and_its_key_is_shown_nowhere(
    open_page: Open, demo: Demo
) -> None:
    page = opened(open_page, demo)
    rows = rows_of_example()[:12]
    with JudgeServer(compared) as server:
        choose_judge(page, server.url, f"sk-{SECRET}")
        files_tab(page)
        choose(page, "a.jsonl", jsonl(rows))
        only_words(page, ("bleu", "eve_judge"))
        assert "EVE judge, cost: unknown" in start(page)
        page.locator(".ft-listing .ft-open").first.click()
        said = page.locator('.ft-opened [data-metric="eve_judge"]')
        said.get_by_text("It says something else.").wait_for()
        only_words(page, ("bleu",))
        start(page)
        assert len(server.requests) == 12
        assert server.keys == {f"sk-{SECRET}"}
    assert SECRET not in page.locator("#ft-tab").inner_html()
    assert SECRET not in page.evaluate("JSON.stringify([localStorage, sessionStorage, document.cookie])")
    assert SECRET not in demo.log()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_and_nothing_scrolls_sideways(
    open_page: Open, demo: Demo, axe_source: str, scheme: str
) -> None:
    language = {"light": "", "dark": "?lang=zh"}[scheme]
    page = files_tab(open_page(demo.url + language, width=390, scheme=scheme), "文件" if language else "Files")
    page.evaluate(axe_source)
    long = [dict(row, answer="y" * 500, topic="x" * 200, **{"z" * 100: "1"}) for row in rows_of_example()]

    def scored() -> None:
        if page.locator("#ft-group").input_value() == "":
            page.locator("#ft-group").select_option(label="topic")
        only_words(page)
        start(page)
        page.locator(".ft-listing .ft-open").first.click()
        page.wait_for_selector(".ft-opened .al-card")

    steps: list[tuple[str, Callable[[], object]]] = [
        ("start", lambda: None),
        ("long", lambda: choose(page, "n" * 150 + ".jsonl", jsonl(long))),
        ("long results", scored),
        ("refused", lambda: choose(page, "a.csv", b"\xff")),
        ("preview", lambda: try_example(page)),
        ("results", scored),
    ]
    for name, prepare in steps:
        prepare()
        for width in (320, 390, 1280):
            page.set_viewport_size({"width": width, "height": 900})
            assert page.evaluate("document.documentElement.scrollWidth") <= width, (name, width)
        page.evaluate("() => document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        page.set_viewport_size({"width": 390, "height": 900})
        page.wait_for_timeout(300)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, name
        if name.startswith("long"):  # the elements of the example, which axe looks at
            continue
        for width in (1280, 390) if name == "results" else (390,):
            page.set_viewport_size({"width": width, "height": 900})
            found = page.evaluate("async () => (await axe.run()).violations")
            assert not [(one["id"], [node["html"][:200] for node in one["nodes"]]) for one in found], (name, width)
