"""The tab "LV-Eval" in a real browser; what needs none is in tests/test_lv_eval_table.py."""

from __future__ import annotations

import csv
import gc
import importlib
import io
import json
import re
import time
import urllib.request
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from browsing import Demo
from lens.lv_eval import example, export, official_result, predictions, reading

if TYPE_CHECKING:
    from playwright.sync_api import Page

Open = Callable[..., "Page"]
MARKUP = "<img src=x onerror=\"window.broken='name'\">"
SECRET = "XyzzySecretPrediction"
ANSWERED = '.lv-check:is([data-state="scored"], [data-state="refused"], [data-state="cancelled"]):not(.al-stale)'


def row(pred: Any, answer: str = "Paris", gold: Any = None) -> dict[str, Any]:
    """A row as LV-Eval's own code writes it."""
    return {"pred": pred, "answers": [answer], "gold_ans": gold, "input": "?", "all_classes": None, "length": 1}


def jsonl(*rows: Any) -> bytes:
    """Rows as a prediction file."""
    return "".join(json.dumps(one) + "\n" for one in rows).encode()


def files_of_example() -> dict[str, bytes]:
    """The prediction files of the example."""
    with zipfile.ZipFile(io.BytesIO(example.example_zip())) as archive:
        return {Path(name).name: archive.read(name) for name in archive.namelist()}


def lv_tab(page: Page) -> Page:
    """The page with the tab chosen."""
    page.get_by_role("tab", name="LV-Eval").click()
    page.locator("#lv-file").wait_for()
    return page


def waited(page: Page, act: Callable[[], object]) -> str:
    """What the results say once something was done and answered."""
    page.evaluate("() => { document.querySelector('.lv-check').dataset.state = 'old'; }")
    act()
    page.wait_for_selector(ANSWERED)
    return page.locator(".lv-check").inner_text()


def choose(page: Page, files: dict[str, bytes]) -> str:
    """Choose files; what the results then say."""
    given: Any = [{"name": name, "mimeType": "text/plain", "buffer": data} for name, data in files.items()]
    return waited(page, lambda: page.locator("#lv-file").set_input_files(files=given))


def try_example(page: Page) -> str:
    """Press the button of the example."""
    return waited(page, page.locator("#lv-try").click)


def table(page: Page) -> list[list[str]]:
    """The official table, as it is shown."""
    rows = page.locator(".lv-official tbody tr:not(.lv-group)").all()
    return [[cell.inner_text() for cell in one.locator("th, td").all()] for one in rows]


def downloaded(page: Page, name: str) -> bytes:
    """A file of the results, as the browser saves it."""
    with page.expect_download() as download:
        page.get_by_role("link", name=name, exact=True).click()
    assert download.value.suggested_filename == name
    return Path(download.value.path()).read_bytes()


def test_files_a_zip_and_the_example_give_the_official_result(open_page: Open, demo: Demo) -> None:
    page = lv_tab(open_page(demo.url))
    files = files_of_example()
    found = official_result.official(predictions.read(list(files.items())))
    expected = [[line.name, *export.cells_of(line)] for line in export.lines(found)]
    text = try_example(page)
    assert "A made-up example" in text
    assert "24 of 55 files" in text
    assert table(page) == expected
    for given in (files, {"run.zip": example.example_zip()}):
        text = choose(page, given)
        assert "24 files, 56 rows" in text
        assert "made-up" not in text.lower()
        assert table(page) == expected
        what_is_downloaded_is_the_result(page, found)
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the example").click()
    assert Path(download.value.path()).read_bytes() == example.example_zip()


def what_is_downloaded_is_the_result(page: Page, found: official_result.Official) -> None:
    """In the original's form, in Markdown, in LaTeX; and the signatures are to copy."""
    assert json.loads(downloaded(page, "result.json")) == {"_".join(cell): one for cell, one in found.scores.items()}
    assert downloaded(page, "result.json") == export.result_json(found).encode()
    rows = list(csv.DictReader(io.StringIO(downloaded(page, "result.csv").decode())))
    assert downloaded(page, "result.csv") == export.result_csv(found).encode()
    assert {(one["dataset_name"], "16k"): float(one["16k"]) for one in rows}.items() <= found.scores.items()
    assert downloaded(page, "result.md") == export.markdown(found).encode()
    assert downloaded(page, "result.tex") == export.latex(found).encode()
    signatures = page.locator(".lv-signatures code").all_inner_texts()
    assert signatures == list(found.signatures.values())


def test_the_published_results_stand_beside(open_page: Open, demo: Demo) -> None:
    page = lv_tab(open_page(demo.url))
    try_example(page)
    standings = page.locator("table", has_text="ChatGLM3-6B-32k").first
    assert standings.locator("tbody tr").count() == 11
    assert standings.locator(".lv-own").inner_text().startswith("The made-up example")
    compared = page.locator(".lv-compared:visible")
    assert compared.count() == 1
    assert "loogle_SD_mixup" in compared.inner_text().replace("\n", "")
    page.get_by_label("Dataset by dataset, compare with").select_option("GPT-4-8k")
    cell = compared.locator("tr", has_text="lic_mixup").locator("td").first
    assert cell.inner_text().split() == ["87.30", "13.69"]
    assert compared.count() == 1
    link = page.get_by_role("link", name="README of LV-Eval at 25aebcb")
    assert (
        link.get_attribute("href")
        == "https://github.com/infinigence/LVEval/blob/25aebcb36acbbb8338712736cfdd31e06e236df5/README.md"
    )
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=demo.url.rstrip("/"))
    page.get_by_role("button", name="Copy the signature of Chinese ROUGE-L").click()
    page.get_by_text("Copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()").startswith("lv_eval_rouge|version:")


def test_what_cannot_be_scored_is_said_in_plain_words(open_page: Open, demo: Demo, tmp_path: Path) -> None:
    page = lv_tab(open_page(demo.url))
    name, good = "factrecall_en_16k.jsonl", jsonl(row("Paris"))
    assert "No file is chosen" in waited(page, page.locator("#lv-score").click)
    for files, words in [
        ({"results.jsonl": good}, "results.jsonl is no prediction file of LV-Eval"),
        ({name: b""}, f"{name} has no rows"),
        ({name: jsonl(row("x"), row(None))}, f"{name}, line 2: pred is null; a text is expected"),
        ({name: "é".encode("latin-1")}, "is not in UTF-8 (line 1"),
        ({name: good, "factrecall_en_16k.b.jsonl": good}, "are both factrecall_en at 16k"),
        ({"a.zip": b"no zip"}, "no zip that can be read"),
        ({f"{n}.jsonl": good for n in range(101)}, "more than 100 files"),
    ]:
        assert words in choose(page, files), words
        assert page.locator(".lv-official").count() == 0
    with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, b" " * 100_000_000)
    assert "larger than 40 MB" in choose(page, {"bomb.zip": (tmp_path / "bomb.zip").read_bytes()})
    for folder in ("large", "larger"):
        (tmp_path / folder).mkdir()
    large = tmp_path / "larger" / name
    large.write_bytes(b" " * 10_000_001)
    assert "at most 10 MB" in waited(page, lambda: page.locator("#lv-file").set_input_files(large))
    large = tmp_path / "large" / name
    large.write_bytes(good + b" " * (10_000_000 - len(good)))
    assert "1 file, 1 row" in waited(page, lambda: page.locator("#lv-file").set_input_files(large))
    assert table(page)[4] == ["factrecall_en", "100.00", "–", "–", "–", "–", "100.00"]


def test_markup_in_names_and_values_is_shown_and_never_runs(open_page: Open, demo: Demo) -> None:
    page = lv_tab(open_page(demo.url))
    for files in ({f"{MARKUP}_16k.jsonl": b"x"}, {"factrecall_en_16k.jsonl": jsonl(row([MARKUP]))}):
        text = choose(page, files)
        assert "<img src=x" in text
        page.wait_for_timeout(200)
        assert page.evaluate("window.broken") is None
        assert page.locator(".lv-check :is(img, script)").count() == 0


def test_a_long_run_shows_how_far_it_is_and_can_be_cancelled(open_page: Open, demo: Demo) -> None:
    page, other = (lv_tab(open_page(demo.url)) for _ in range(2))
    try_example(page)
    texts = ("多伦多在加拿大的安大略省。" * 500, "温哥华在加拿大的西部，不在安大略省。" * 350)
    long = (json.dumps(row(*texts), ensure_ascii=False) + "\n").encode() * 240
    given: Any = [{"name": "dureader_mixup_16k.jsonl", "mimeType": "text/plain", "buffer": long}]
    cancel = page.locator("#lv-cancel")
    page.wait_for_selector("#lv-cancel:disabled")
    page.locator("#lv-file").set_input_files(files=given)
    page.get_by_role("progressbar").wait_for()
    told = page.locator(".lv-check .al-sentence").inner_text()
    assert re.match(r"Scoring file 1 of 1: dureader_mixup_16k.jsonl, [0-9]+ of 240 rows", told)
    assert "24 of 55 files" in try_example(other)
    assert page.get_by_role("progressbar").count() == 1
    assert "Cancelled" in waited(page, cancel.click)
    page.wait_for_selector("#lv-cancel:disabled")
    page.wait_for_timeout(1500)
    assert "Cancelled" in page.locator(".lv-check").inner_text()
    page.locator("#language button").click()
    page.locator(".lv-check", has_text="请选择预测文件").wait_for()
    page.locator("#language button").click()
    page.wait_for_timeout(500)
    assert "Choose prediction files" in page.locator(".lv-check").inner_text()  # what was cancelled is not begun anew
    assert "24 files" in choose(page, files_of_example())


def test_the_tab_in_chinese_and_back(open_page: Open, demo: Demo) -> None:
    page = lv_tab(open_page(f"{demo.url}?lang=zh"))
    assert "请选择预测文件，或试试示例。" in page.locator(".lv-check").inner_text()
    text = choose(page, files_of_example())
    assert "共 55 个文件，现有 24 个" in text
    figures = [one[1:] for one in table(page)]
    words = set(re.findall(r"[A-Za-z]{3,}", page.locator("#lv-input").inner_text() + text))
    names = re.compile("mixup|factrecall|multifieldqa|hotpotwikiqa|dureader|loogle|cmrc|lic|MIR")
    allowed = {"Eval", "jsonl", "zip", "evaluation", "result", "json", "csv", "tex", "LaTeX", "Markdown", "booktabs"}
    allowed |= {"README", "ROUGE", "pred", "answers", "gold", "ans", "aebcb", "JSON"}
    signed = set(re.findall(r"[A-Za-z]{3,}", " ".join(page.locator(".lv-signatures code").all_inner_texts())))
    models = {
        part
        for model in importlib.import_module("lens.lv_eval.published").MODELS
        for part in re.findall("[A-Za-z]+", model)
    }
    assert {word for word in words - allowed - signed - models if not names.fullmatch(word)} == set()
    page.locator("#language button").click()
    page.get_by_text("24 of 55 files are there").wait_for()
    page.wait_for_selector(ANSWERED)
    assert [one[1:] for one in table(page)] == figures
    assert page.locator("#lv-score").inner_text() == "Score"
    assert page.locator("#lv-try").inner_text() == "Try the example"


@pytest.mark.parametrize(("scheme", "language"), [("light", "en"), ("dark", "en"), ("light", "zh")])
def test_axe_finds_nothing_and_nothing_scrolls_sideways(
    open_page: Open, demo: Demo, axe_source: str, scheme: str, language: str
) -> None:
    page = lv_tab(open_page(f"{demo.url}?lang={language}", width=390, scheme=scheme))
    page.evaluate(axe_source)
    steps: list[Callable[[], object]] = [
        lambda: None,
        lambda: choose(page, {"x" * 150 + ".jsonl": b"x"}),
        lambda: try_example(page),
        lambda: page.locator(".lv-model").select_option("Yi-6B-200k"),
    ]
    for prepare in steps:
        prepare()
        page.evaluate("() => document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        for width in (320, 1280, 390):
            page.set_viewport_size({"width": width, "height": 900})
            page.wait_for_timeout(150)
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            found = page.evaluate("async () => (await axe.run()).violations") if width != 320 else []
            assert not [(one["id"], [node["html"][:200] for node in one["nodes"]]) for one in found]


def test_with_the_keyboard_alone(open_page: Open, demo: Demo) -> None:
    page = lv_tab(open_page(demo.url))
    page.get_by_role("tab", name="LV-Eval").focus()
    reached = []
    for _ in range(10):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.id || document.activeElement.tagName"))
        if reached[-1] == "lv-try":
            break
    assert "lv-file" in reached
    assert reached[-1] == "lv-try"
    assert "made-up example" in waited(page, lambda: page.keyboard.press("Enter")).lower()


def test_two_visitors_see_their_own_files_and_nothing_is_kept(open_page: Open, demo: Demo) -> None:
    pages = [lv_tab(open_page(demo.url)) for _ in range(2)]
    wrong = jsonl(row([SECRET]))
    assert SECRET in choose(pages[0], {"factrecall_en_16k.jsonl": wrong})
    assert SECRET not in try_example(pages[1])
    assert SECRET in pages[0].locator(".lv-check").inner_text()
    assert SECRET not in pages[0].evaluate("JSON.stringify([localStorage, sessionStorage, document.cookie])")
    assert SECRET not in demo.log()
    pages[0].reload()
    lv_tab(pages[0])
    assert SECRET not in pages[0].content()


def test_the_servers_memory_does_not_hold_the_files_afterwards() -> None:
    def secret() -> str:
        return SECRET[:5] + "Memory" + SECRET[:4:-1]

    def sent() -> str:
        import base64

        data = jsonl(*(row(secret()) for _ in range(50)))
        return json.dumps([["factrecall_en_16k.jsonl", base64.b64encode(data).decode()]])

    page = importlib.import_module("lens.page.build").build()
    page.launch(prevent_thread_lock=True, quiet=True, run_history=False, enable_monitoring=False)
    try:
        assert "1 file, 50 rows" in asked(page.local_url, [sent(), "files", "1", "en"])
        gc.collect()
        texts = [part for one in gc.get_objects() for part in gc.get_referents(one) if type(part) in (str, bytes)]
        needles = [secret(), sent()[1000:1100]]
        found = [one for one in texts for part in needles if (part if type(one) is str else part.encode()) in one]
        assert [one[:40] for one in found if one not in needles] == []
    finally:
        page.close()


def asked(url: str, values: list[str]) -> str:
    """What the server answers to files, as the page sends them."""
    with urllib.request.urlopen(f"{url}config", timeout=30) as answer:
        config = json.load(answer)
    ours = next(one["id"] for one in config["components"] if one["props"].get("elem_id") == "lv-score")
    number = next(one["id"] for one in config["dependencies"] if [ours, "click"] in one["targets"])
    session = f"forged{time.monotonic_ns()}"
    body = json.dumps({"data": values, "fn_index": number, "session_hash": session}).encode()
    request = urllib.request.Request(f"{url}gradio_api/queue/join", body, {"Content-Type": "application/json"})
    urllib.request.urlopen(request, timeout=30).close()
    said = ""
    with urllib.request.urlopen(f"{url}gradio_api/queue/data?session_hash={session}", timeout=60) as lines:
        for line in lines:
            said += line.decode()
            if b'"process_completed"' in line:
                break
    return said


def test_the_limits_of_the_page_are_those_it_says(open_page: Open, demo: Demo) -> None:
    page = lv_tab(open_page(demo.url))
    told = page.locator("#lv-file-info").inner_text()
    assert f"At most {reading.MEGABYTES} MB together and {predictions.MAX_ROWS:,} rows" in told
    many = jsonl(row("x")) * 5001
    names = [f"factrecall_en_{length}.jsonl" for length in ("16k", "32k", "64k", "128k")]
    assert "more than 20,000 rows together" in choose(page, dict.fromkeys(names, many))
