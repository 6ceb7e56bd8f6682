"""The two cards with a model, in a real browser: what they show, and that nothing ever waits for them."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from browsing import Demo
from lens.scoring.catalog import METRICS
from test_page import FOUR, MODELS, NIAGARA, WATCH, WORDS, fill, opened, press_score, scores, wait_ready

if TYPE_CHECKING:
    from playwright.sync_api import Page

Open = Callable[..., "Page"]
NO_MODELS = {"ANSWER_LENS_EMBEDDING_MODEL": "", "ANSWER_LENS_BERTSCORE_MODEL": " "}

# Appended to a module: an answer with the word "Mexico" is not scored before a file "go" is there. What is begun is
# noted in another file.
SLOW = """

def slowly(compute):
    def wait(self, **arguments):
        "evaluate adds to this text"
        import os, time
        with open(FOLDER + "/notes.txt", "a", encoding="utf-8") as notes:
            notes.write(arguments["predictions"][0] + chr(10))
        until = time.monotonic() + 60
        while "Mexico" in arguments["predictions"][0] and not os.path.exists(FOLDER + "/go"):
            assert time.monotonic() < until
            time.sleep(0.05)
        return compute(self, **arguments)
    return wait


for thing in list(globals().values()):
    if isinstance(thing, type) and issubclass(thing, evaluate.Metric) and thing is not evaluate.Metric:
        thing.compute = slowly(thing.compute)
"""
# Appended to bertscore: the answer comes back whole wherever the module gives a text.
ECHO = """

def echoing(compute):
    def echo(self, **arguments):
        "evaluate adds to this text"
        text = arguments["predictions"][0]
        result = compute(self, **arguments)
        tokens = [[text, text, 0.4, 1.0], [text, None, 0.6, 1.0]]
        result["per_example"][0].update({"prediction_tokens": tokens, "reference_tokens": tokens, "note": text})
        return result
    return echo


for thing in list(globals().values()):
    if isinstance(thing, type) and issubclass(thing, evaluate.Metric) and thing is not evaluate.Metric:
        thing.compute = echoing(thing.compute)
"""


class Slow:
    """A copy of the demo whose cosine waits for `go` with Niagara Falls, and what that cosine has begun."""

    def __init__(self, space_copy: Callable[..., Path]) -> None:
        self.space = space_copy(*WORDS, "cosine_similarity")
        self.folder = self.space.parent.parent / "metrics" / "cosine_similarity"
        with (self.folder / "cosine_similarity.py").open("a", encoding="utf-8") as module:
            module.write(SLOW.replace("FOLDER", repr(str(self.folder))))

    def begun(self) -> str:
        """The answers that were begun, one on each line."""
        notes = self.folder / "notes.txt"
        return notes.read_text("utf-8") if notes.exists() else ""

    def wait_begun(self, page: Page) -> None:
        """Wait until the first answer is under way, which takes as long as torch takes to load."""
        until = time.monotonic() + 60
        while not self.begun():
            assert time.monotonic() < until
            page.wait_for_timeout(100)

    def go(self) -> None:
        """Let the slow one come to its end."""
        (self.folder / "go").touch()


def choose(page: Page, label: str) -> None:
    """Press the button of an example."""
    page.get_by_role("button", name=label).click()


# What the cards show


def test_both_cards_are_scored_with_their_reasons(open_page: Open, demo: Demo) -> None:
    page = opened(open_page, demo)
    found = {name: float(value.lstrip("<>")) for name, value in scores(page, MODELS).items()}
    assert found["cosine_similarity"] == pytest.approx(0.97, abs=0.011)
    assert 0.9 < found["bertscore"] < 1
    cosine = page.locator("#card-cosine_similarity")
    assert "25 (limit 256)" in cosine.inner_text()
    assert "higher is better, -1 to 1" in cosine.inner_text()
    bertscore = page.locator("#card-bertscore")
    assert bertscore.locator(".al-pair", has_text="mexico").count() == 1
    for name in ("Precision", "Recall", "F1"):
        assert re.fullmatch(r"0\.9\d", bertscore.locator(".al-row", has_text=name).locator(".al-number").inner_text())
    sentence = page.locator(".al-sentence").inner_text()
    assert "gate is not met" in sentence
    assert f"Cosine similarity {scores(page)['cosine_similarity']}" in sentence
    assert "likeness of subject, not truth" in sentence


def test_words_are_marked_by_how_well_they_match(open_page: Open, demo: Demo) -> None:
    page = opened(open_page, demo)
    answer = page.locator("#card-bertscore .al-words").first
    assert answer.locator("bdi", has_text="niagara").get_attribute("class") == "al-token al-near"
    assert answer.locator("bdi", has_text="mexico").get_attribute("class") != "al-token al-near"
    marks = "(one) => getComputedStyle(one).borderBottomStyle + getComputedStyle(one).textDecorationStyle"
    legend = page.locator("#card-bertscore .al-legend .al-token")
    assert len({mark.evaluate(marks) for mark in legend.all()}) >= 3, "marks differ by colour alone"


def test_all_words_open_by_keyboard_and_scroll_inside(open_page: Open, demo: Demo) -> None:
    page = opened(open_page, demo)
    fill(page, reference="one two three four five " * 40, answer="five four three two six " * 40)
    press_score(page)
    card = page.locator("#card-bertscore")
    assert not card.locator(".al-scroll").is_visible()
    card.locator(".al-reasons summary").focus()
    page.keyboard.press("Enter")
    region = card.locator(".al-scroll")
    assert region.is_visible()
    assert region.evaluate("one => one.scrollHeight > one.clientHeight && one.clientHeight < 400")
    assert region.locator("table").count() == 2
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "al-scroll"
    page.keyboard.press("PageDown")
    page.wait_for_function("() => document.querySelector('.al-scroll').scrollTop > 0")


def test_chinese_words_are_marked_as_chinese(open_page: Open, demo: Demo) -> None:
    page = opened(open_page, demo)
    fill(page, reference="北方的民有城", answer="南方的民有城")
    press_score(page)
    words = page.locator('#card-bertscore .al-words[lang="zh"]')
    assert words.count() == 2
    assert words.first.locator("bdi", has_text="民").count() == 1


def test_a_text_that_the_model_cuts_is_said_plainly(open_page: Open, demo: Demo) -> None:
    page = opened(open_page, demo, width=390)
    fill(page, reference="Paris is old", answer="Paris is old and large. " * 200)
    press_score(page)
    assert "read only the first 256 tokens of the answer" in page.locator("#card-cosine_similarity").inner_text()
    assert "read only the first" in page.locator("#card-bertscore").inner_text()
    assert page.locator("#card-bertscore .al-words").first.locator("bdi").count() <= 300
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize("width", [320, 390])
def test_all_words_fit_a_phone(open_page: Open, demo: Demo, width: int) -> None:
    page = opened(open_page, demo, width=width)
    fill(page, reference="مدينة باريس " + "x" * 300, answer="باريس هي " + "y" * 300)
    press_score(page)
    page.locator("#card-bertscore .al-reasons summary").click()
    page.locator(".al-scroll").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.locator(".al-scroll").evaluate("one => one.scrollWidth <= one.clientWidth + 1")


@pytest.mark.parametrize(("width", "scheme"), [(390, "light"), (1280, "dark")])
def test_axe_finds_nothing_in_the_opened_words(
    open_page: Open, demo: Demo, axe_source: str, width: int, scheme: str
) -> None:
    page = opened(open_page, demo, width=width, scheme=scheme)
    for label in ("Right, in other words", "中文: reworded"):
        choose(page, label)
        page.locator(".al-examples").wait_for()
        wait_ready(page)
        page.locator("#card-bertscore .al-reasons summary").click()
        page.wait_for_timeout(300)
        assert page.locator("#card-bertscore .al-weak, #card-bertscore .al-far").count() > 2
        page.evaluate(axe_source)
        found = page.evaluate("async () => (await axe.run()).violations")
        assert not [(one["id"], [node["html"][:200] for node in one["nodes"]]) for one in found]


def test_markup_in_tokens_is_shown_and_never_runs(
    open_page: Open, start_demo: Callable[..., Demo], space_copy: Callable[..., Path]
) -> None:
    space = space_copy("bertscore")
    with (space.parent.parent / "metrics" / "bertscore" / "bertscore.py").open("a", encoding="utf-8") as module:
        module.write(ECHO)
    page = opened(open_page, start_demo(space))
    for text in (
        "<img src=x onerror=\"window.broken='img'\">",
        "</bdi></table><script>window.broken='script'</script>",
    ):
        fill(page, reference="right", answer=text)
        press_score(page)
        card = page.locator("#card-bertscore")
        card.locator(".al-reasons summary").click()
        page.wait_for_timeout(200)
        assert page.evaluate("window.broken") is None
        assert page.locator("main img, main script").count() == 0
        assert {one.text_content() for one in card.locator(".al-words bdi").all()} == {text}
        assert {one.text_content() for one in card.locator("tbody bdi").all()} == {text, "(no word)"}
        assert card.locator(".al-note").first.text_content() == text


# Models that are not there


def test_no_model_is_fetched_unasked(open_page: Open, start_demo: Callable[..., Demo]) -> None:
    page = opened(open_page, start_demo(Path(__file__).resolve().parents[2] / "spaces" / "answer_lens", **NO_MODELS))
    said = {"cosine_similarity": ("90 MB", "EMBEDDING"), "bertscore": ("3 GB", "BERTSCORE")}
    for _ in range(2):
        assert scores(page, FOUR) == NIAGARA
        for name, (size, variable) in said.items():
            card = page.locator(f"#card-{name}")
            assert card.locator("article").get_attribute("data-state") == "needs"
            for part in ("is not on this machine", "Press Score", size, f"ANSWER_LENS_{variable}_MODEL"):
                assert part in card.inner_text()
        assert "Nearness" not in page.locator(".al-sentence").inner_text()
        choose(page, "Right, but long")
        page.locator(".al-example", has_text="much around it").wait_for()
        wait_ready(page)
        choose(page, "One wrong country")
        page.locator(".al-example", has_text="one wrong word").wait_for()
        wait_ready(page)
    page.evaluate(WATCH)
    press_score(page)
    assert any("pending" in state for state in page.evaluate("window.seen"))
    for name, (_, variable) in said.items():
        card = page.locator(f"#card-{name}")
        assert card.locator("article").get_attribute("data-state") == "unavailable"
        assert f"ANSWER_LENS_{variable}_MODEL" in card.inner_text()
        assert "Traceback" not in card.inner_text()
    assert scores(page, FOUR) == NIAGARA


def test_a_wrong_name_is_said_and_can_be_tried_again(open_page: Open, start_demo: Callable[..., Demo]) -> None:
    wrong = {
        "ANSWER_LENS_EMBEDDING_MODEL": "/no/such/folder",
        "ANSWER_LENS_BERTSCORE_MODEL": "no such name",
        "ANSWER_LENS_BERTSCORE_LAYERS": "2",
    }
    page = opened(open_page, start_demo(Path(__file__).resolve().parents[2] / "spaces" / "answer_lens", **wrong))
    for _ in range(2):
        press_score(page)
        said = page.locator("#card-cosine_similarity").inner_text()
        assert "folder" in said
        assert "/no/such" not in said
        assert page.locator("#card-cosine_similarity article").get_attribute("data-state") == "unavailable"
        assert page.locator("#card-bertscore article").get_attribute("data-state") in ("unavailable", "error")
        assert scores(page, FOUR) == NIAGARA


# Nobody waits


# All but the cosine: bertscore and the judges are not in the copies below, which their cards say at once.
OTHERS_READY = f'.al-overview[data-done="{len(METRICS) - 1}"]'


def test_a_slow_model_never_blocks_and_its_late_score_never_lands(
    open_page: Open, start_demo: Callable[..., Demo], space_copy: Callable[..., Path]
) -> None:
    slow = Slow(space_copy)
    page = open_page(start_demo(slow.space).url)
    page.wait_for_selector(OTHERS_READY)
    assert "Loading the model" in page.locator("#card-cosine_similarity").inner_text()
    sentence = page.locator(".al-sentence").inner_text()
    assert "gate is not met" in sentence
    assert "1 score is still to come" in sentence
    slow.wait_begun(page)
    page.evaluate("""() => {
      window.values = new Set();
      const note = () => window.values.add(document.querySelector('#card-cosine_similarity .al-score').textContent);
      new MutationObserver(note).observe(document.body, {subtree: true, childList: true, characterData: true});
    }""")
    choose(page, "Right, but long")
    page.locator("#card-lv_eval_rouge .al-words", has_text="hampshire").first.wait_for()
    fill(page, reference="Paris is large", answer="Paris is large")
    page.get_by_role("button", name="Score", exact=True).click()
    page.locator("#card-lv_eval_rouge .al-score", has_text="1.00").wait_for()
    page.wait_for_selector(OTHERS_READY)
    assert len(slow.begun().splitlines()) == 1
    slow.go()
    wait_ready(page)
    page.wait_for_timeout(500)
    assert scores(page)["cosine_similarity"] == "1.00"
    assert set(page.evaluate("[...window.values]")) == {"…", "1.00"}
    assert "Great question" not in slow.begun(), "what was overtaken while it waited was scored all the same"


def test_many_visitors_who_wait_leave_room_for_another(
    open_page: Open, start_demo: Callable[..., Demo], space_copy: Callable[..., Path]
) -> None:
    slow = Slow(space_copy)
    demo = start_demo(slow.space)
    for _ in range(6):
        # Browsers of their own: one opens six connections to a server at most, and a page keeps two.
        page = open_page(demo.url)
        page.wait_for_selector(OTHERS_READY)
        assert scores(page, FOUR) == NIAGARA
    slow.wait_begun(page)
    assert len(slow.begun().splitlines()) == 1
    slow.go()
    wait_ready(page)


def test_what_waits_for_a_page_that_was_closed_is_never_begun(
    open_page: Open, start_demo: Callable[..., Demo], space_copy: Callable[..., Path]
) -> None:
    slow = Slow(space_copy)
    demo = start_demo(slow.space)
    page = open_page(demo.url)
    slow.wait_begun(page)
    other = page.context.new_page()
    other.goto(demo.url)
    other.wait_for_selector(OTHERS_READY)
    fill(other, reference="Gone", answer="Gone with the wind")
    other.get_by_role("button", name="Score", exact=True).click()
    other.locator("#card-lv_eval_rouge .al-words", has_text="wind").first.wait_for()
    other.wait_for_timeout(500)
    other.close()
    page.wait_for_timeout(4000)
    slow.go()
    wait_ready(page)
    fill(page, reference="Still", answer="Still here")
    press_score(page)
    assert slow.begun().splitlines()[-1] == "Still here"
    assert "Gone" not in slow.begun()
