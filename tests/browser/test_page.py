"""The demo in a real browser."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from browsing import Demo
from lens.page import answer_tab
from lens.scoring import catalog
from lens.scoring.catalog import Submission
from lens.words import say

from tests.support.project import ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Page

Open = Callable[..., "Page"]
READY = f'#results:not(.al-stale) .al-overview[data-done="{len(catalog.METRICS)}"]'
WORDS = tuple(metric.name for metric in catalog.METRICS if metric.kind == "words")
MODELS = tuple(metric.name for metric in catalog.METRICS if metric.kind == "embeddings")
METRICS = WORDS + MODELS
JUDGES = tuple(metric.name for metric in catalog.METRICS if metric.kind == "judges")
CARDS = METRICS + JUDGES
# What the cards of these four show of the first example. Some tests know the values and marks of these four; a further
# metric of words is in all others, through the registry.
NIAGARA = {"lv_eval_f1": "0.00", "bleu": "0.88", "rouge": "0.95", "lv_eval_rouge": "0.94"}
FOUR = tuple(NIAGARA)


@dataclass(frozen=True)
class Example:
    """An example of the page: its button, what it shows, and its texts."""

    label: str
    shows: str
    submission: Submission


EXAMPLES = [Example(say(f"example_{name}"), say(f"shows_{name}"), one) for name, one in answer_tab.EXAMPLES.items()]
FIELDS = ("question", "reference", "answer", "keywords")
# How far each score agrees with people, as the page has it.
AGREEMENT = json.loads((ROOT / "spaces" / "answer_lens" / "data" / "agreement.json").read_text(encoding="utf-8"))

# Notes the state of all cards whenever the page changes: what a reader could have seen.
WATCH = """
() => {
  window.seen = [];
  const note = () => {
    const now = [...document.querySelectorAll('.al-card')].map((card) => card.dataset.state).join(' ');
    if (window.seen.at(-1) !== now) window.seen.push(now);
  };
  note();
  new MutationObserver(note).observe(document.body, {subtree: true, childList: true, attributes: true});
}
"""


def wait_ready(page: Page) -> None:
    """Wait until every score is there."""
    page.wait_for_selector(READY)


def scores(page: Page, names: tuple[str, ...] = METRICS) -> dict[str, str]:
    """The value that each card shows."""
    return {name: page.locator(f"#card-{name} .al-score").inner_text() for name in names}


def fill(page: Page, **texts: str) -> None:
    """Type into fields; those not named are emptied."""
    for field in FIELDS:
        page.locator(f"#{field} textarea, #{field} input").fill(texts.get(field, ""))


def press_score(page: Page) -> None:
    """Press the button and wait for the new scores."""
    page.evaluate("() => { document.querySelector('.al-overview').dataset.done = 'old'; }")
    page.get_by_role("button", name="Score", exact=True).click()
    wait_ready(page)


def opened(open_page: Open, demo: Demo, **options: object) -> Page:
    """The page with the scores of the first example."""
    page = open_page(demo.url, **options)
    wait_ready(page)
    return page


def test_first_page_shows_the_scores_of_the_first_example(open_page: Open, demo: Demo) -> None:
    page = opened(open_page, demo)
    assert scores(page, FOUR) == NIAGARA
    card = page.locator("#card-lv_eval_f1")
    assert "Gate not met" in card.inner_text()
    assert card.locator(".al-chips .al-missing").inner_text() == "canada"
    assert card.locator(".al-words .al-extra").inner_text() == "mexico"
    assert "gate is not met" in page.locator(".al-sentence").inner_text()
    assert "sacrebleu" in page.locator("#card-bleu code").inner_text()


def test_own_text_changes_the_cards_one_after_another(open_page: Open, demo: Demo) -> None:
    page = opened(open_page, demo)
    page.evaluate(WATCH)
    fill(page, question="Capital?", reference="Paris is the capital of France", answer="Paris is the capital of France")
    page.get_by_role("button", name="Score", exact=True).click()
    page.wait_for_function("() => window.seen.length > 1 && !window.seen.at(-1).includes('pending')")
    wait_ready(page)
    assert scores(page)["bleu"] == scores(page)["rouge"] == "1.00"
    done = [state.count("scored") for state in page.evaluate("window.seen")]
    first_pending = done.index(0)
    assert done[first_pending:] == sorted(done[first_pending:])
    assert len(set(done)) > 2, f"cards did not change one after another: {done}"
    assert page.locator(".al-example").count() == 0


@pytest.mark.parametrize("reference", ["Paris", "x" * 50_001])
def test_what_a_submission_replaces_is_marked_as_old_at_once(open_page: Open, demo: Demo, reference: str) -> None:
    page = opened(open_page, demo)
    fill(page, reference=reference, answer="Paris")
    page.evaluate("""() => {
      window.stale = [];
      const note = () => window.stale.push(document.querySelectorAll('.al-stale').length);
      new MutationObserver(note).observe(document.body, {subtree: true, attributes: true, attributeFilter: ['class']});
    }""")
    # The second time nothing on the page changes where nothing can be scored.
    for _ in range(2):
        page.evaluate("() => { window.stale.length = 0; }")
        press_score(page)
        page.wait_for_function("() => !document.querySelector('.al-stale')")
        assert max(page.evaluate("window.stale")) == 1


def test_every_example_fills_the_fields_and_the_cards(open_page: Open, demo: Demo) -> None:
    page = opened(open_page, demo)
    shown = {}
    for example in EXAMPLES:
        page.get_by_role("button", name=example.label).click()
        page.locator(".al-example", has_text=example.shows).wait_for()
        wait_ready(page)
        for field in FIELDS:
            typed = page.locator(f"#{field} textarea, #{field} input").input_value()
            assert typed == getattr(example.submission, field)
        shown[example.label] = scores(page), page.locator(".al-sentence").inner_text()
    assert len({str(found) for found in shown.values()}) == len(EXAMPLES)


def test_chinese_example_shows_the_segmentation(open_page: Open, demo: Demo) -> None:
    page = opened(open_page, demo)
    page.get_by_role("button", name="中文: one wrong name").click()
    words = page.locator('#card-lv_eval_f1 .al-words[lang="zh"]')
    words.locator(".al-extra", has_text="吴承恩").wait_for()
    wait_ready(page)
    assert words.locator(".al-missing", has_text="曹雪芹").inner_text() == "曹雪芹"
    assert words.locator("bdi").count() > 20
    assert "曹雪芹" in page.locator(".al-sentence").inner_text()


def test_chosen_quickly_the_last_example_wins(open_page: Open, demo: Demo) -> None:
    page = open_page(demo.url)
    for example in EXAMPLES:
        page.get_by_role("button", name=example.label).click()
    page.locator(".al-example", has_text=EXAMPLES[-1].shows).wait_for()
    wait_ready(page)
    page.wait_for_timeout(1500)
    assert page.locator("#answer textarea").input_value() == EXAMPLES[-1].submission.answer
    assert page.locator(".al-example", has_text=EXAMPLES[-1].shows).count() == 1
    assert page.locator("#card-lv_eval_f1 .al-words", has_text="城墙").count() == 1


MARKUP = [
    "<img src=x onerror=\"window.broken='img'\">",
    "<script>window.broken='script'</script>",
    "\"><svg onload=window.broken='svg'>",
    "${window.broken='template'}",
    "{{constructor.constructor('window.broken=1')()}}",
    "<a href=\"javascript:window.broken='link'\">here</a>",
    "&lt;img src=x&gt; &amp;amp; </bdi></article><h1>big</h1>",
]


def test_markup_is_shown_and_never_runs(open_page: Open, demo: Demo) -> None:
    page = opened(open_page, demo)
    headings, images = page.locator("h1").count(), page.locator("main img, main svg").count()
    for text in MARKUP:
        fill(page, question=text, reference=f"right {text}", answer=f"wrong {text}", keywords=f"{text} canada")
        press_score(page)
        page.wait_for_timeout(300)
        assert page.evaluate("window.broken") is None, text
        assert page.locator("h1").count() == headings, text
        assert page.locator("main img, main svg").count() == images, text
        assert page.locator(".al-grid .al-links a").count() == len(CARDS), text
        shown = "".join(page.locator("#card-bleu .al-words").first.inner_text().split())
        # BLEU's tokenizer keeps every character but the entities that sacrebleu decodes.
        assert re.sub(r"&\w+;", "", "".join(text.split()))[:6] in shown
        for name in JUDGES:
            assert text in (page.locator(f"#card-{name} pre code").text_content() or "")


# The real modules take markup apart. These say the answer back whole, as a module to come may do.
ECHO = """

def echoing(compute):
    def echo(self, **arguments):
        "evaluate adds to this text"
        text = arguments["predictions"][0]
        result = compute(self, **arguments)
        tokens = [[text, "matched"], [text, "unmatched"], [text, "blacklisted"]]
        own = {"prediction_tokens": tokens, "reference_tokens": tokens, "note": text, "tokenizer": text}
        result["per_example"][0].update(own)
        result["signature"] = text
        return result
    return echo


Bleu.compute = echoing(Bleu.compute)
"""
REFUSE = """

def refusing(compute):
    def refuse(self, **arguments):
        "evaluate adds to this text"
        raise ValueError(arguments["predictions"][0])
    return refuse


Rouge.compute = refusing(Rouge.compute)
"""


def test_markup_that_a_module_says_back_is_shown_and_never_runs(
    open_page: Open, start_demo: Callable[[Path], Demo], space_copy: Callable[..., Path]
) -> None:
    space = space_copy(*WORDS)
    for name, change in (("bleu", ECHO), ("rouge", REFUSE)):
        with (space.parent.parent / "metrics" / name / f"{name}.py").open("a", encoding="utf-8") as module:
            module.write(change)
    page = opened(open_page, start_demo(space))
    for text in MARKUP:
        fill(page, reference="right", answer=text)
        press_score(page)
        page.wait_for_timeout(200)
        assert page.evaluate("window.broken") is None
        assert page.locator("main img, main svg, main script").count() == 0
        card = page.locator("#card-bleu")
        assert [token.text_content() for token in card.locator("bdi").all()] == [text] * 6
        assert card.locator(".al-note").text_content() == card.locator("code").text_content() == text
        assert page.locator("#card-rouge .al-message").text_content() == f"The metric refused this input: {text}"


ODD = {
    "lone surrogate": "before \ud800 after",
    "control": "before \x00\x07\x1b after",
    "right to left": "قبل \u202eבפנים\u202c after",
    "emoji": "👩‍👩‍👧‍👦 🇨🇦 e\u0301 \u200b\ufeff",
    "one long word": "x" * 3000,
}


def test_odd_text_does_not_break_the_page(open_page: Open, demo: Demo) -> None:
    page = opened(open_page, demo, width=390)
    for name in ODD:
        check_odd_text(page, name)


def check_odd_text(page: Page, name: str) -> None:
    """The page scores an odd text, and stays in its width."""
    fill(page, question=ODD[name], reference="before after", answer="before", keywords="after")
    # Typed through the page's own events: the browser driver cannot send a lone surrogate.
    set_value = """([selector, units]) => {
      const field = document.querySelector(selector);
      field.value = String.fromCharCode(...units);
      field.dispatchEvent(new Event('input', {bubbles: true}));
    }"""
    encoded = ODD[name].encode("utf-16-le", "surrogatepass")
    units = [int.from_bytes(encoded[i : i + 2], "little") for i in range(0, len(encoded), 2)]
    for field in ("reference", "answer"):
        page.evaluate(set_value, [f"#{field} textarea", units])
    press_score(page)
    for metric, value in scores(page).items():
        state = page.locator(f"#card-{metric} article").get_attribute("data-state")
        assert state == "scored", (metric, page.locator(f"#card-{metric}").inner_text())
        assert re.fullmatch(r"[<>]?-?[01]\.\d\d", value)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_too_long_text_is_refused_with_both_lengths(open_page: Open, demo: Demo) -> None:
    page = opened(open_page, demo)
    fill(page, reference="Paris", answer="a " * 25_001)
    press_score(page)
    message = page.locator(".al-sentence").inner_text()
    for part in ("50,000", "50,002", "Answer"):
        assert part in message
    assert set(scores(page).values()) == {"No score"}
    fill(page, reference="Paris", answer="Paris")
    press_score(page)
    assert scores(page)["rouge"] == "1.00"


def test_long_text_within_the_limit_is_scored(open_page: Open, demo: Demo) -> None:
    page = opened(open_page, demo)
    fill(page, reference="one two three " * 3000, answer="two one three " * 3000)
    press_score(page)
    assert "No score" not in scores(page).values()
    assert "more not shown" in page.locator("#card-bleu").inner_text()


def test_empty_reference_is_said_in_plain_words(open_page: Open, demo: Demo) -> None:
    page = opened(open_page, demo)
    fill(page, answer="Paris")
    press_score(page)
    assert "reference is empty" in page.locator(".al-sentence").inner_text()
    assert "Needs a reference" in page.locator("#card-bleu").inner_text()
    assert "Traceback" not in page.content()


def test_empty_answer_is_a_legal_answer(open_page: Open, demo: Demo) -> None:
    page = opened(open_page, demo)
    fill(page, reference="Paris")
    press_score(page)
    assert set(scores(page, FOUR).values()) == {"0.00"}
    assert "no words" in page.locator(".al-sentence").inner_text()


def test_keyboard_alone_suffices(open_page: Open, demo: Demo) -> None:
    page = opened(open_page, demo)
    page.locator("#reference textarea").focus()
    page.keyboard.press("Control+A")
    page.keyboard.type("Paris")
    page.keyboard.press("Tab")
    page.keyboard.press("Control+A")
    page.keyboard.type("Paris")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.innerText").startswith("Judge")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "score"
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline != "none"
    page.evaluate("() => { document.querySelector('.al-overview').dataset.done = 'old'; }")
    page.keyboard.press("Enter")
    wait_ready(page)
    assert scores(page)["rouge"] == "1.00"


def test_enter_scores(open_page: Open, demo: Demo) -> None:
    page = opened(open_page, demo)
    for field, key in (("keywords", "Enter"), ("question", "Enter"), ("answer", "Shift+Enter")):
        fill(page, reference="Paris", answer="Rome")
        press_score(page)
        assert scores(page)["rouge"] == "0.00"
        fill(page, reference="Paris", answer="Paris")
        page.evaluate("() => { document.querySelector('.al-overview').dataset.done = 'old'; }")
        page.locator(f"#{field} textarea, #{field} input").press(key)
        wait_ready(page)
        assert scores(page)["rouge"] == "1.00", field


@pytest.mark.parametrize("width", [320, 768, 1920])
def test_nothing_scrolls_sideways(open_page: Open, demo: Demo, width: int) -> None:
    page = opened(open_page, demo, width=width)
    for label in ("One wrong country", "中文: one wrong name"):
        page.get_by_role("button", name=label).click()
        wait_ready(page)
        page.wait_for_timeout(200)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        for card in page.locator(".al-card").all():
            assert card.evaluate("card => card.scrollWidth <= card.clientWidth + 1")


@pytest.mark.parametrize(("width", "scheme"), [(320, "light"), (390, "dark"), (1280, "light"), (1280, "dark")])
def test_axe_finds_nothing(open_page: Open, demo: Demo, axe_source: str, width: int, scheme: str) -> None:
    page = opened(open_page, demo, width=width, scheme=scheme)
    assert page.evaluate("document.querySelector('.dark') !== null") == (scheme == "dark")
    page.evaluate(axe_source)
    for prepare in (wait_ready, choose_chinese, leave_reference_empty):
        prepare(page)
        page.wait_for_timeout(400)
        found = page.evaluate("async () => (await axe.run()).violations")
        told = [(one["id"], [node["html"][:200] for node in one["nodes"]]) for one in found]
        assert not told


def choose_chinese(page: Page) -> None:
    """The page with a Chinese example."""
    page.get_by_role("button", name="中文: one wrong name").click()
    page.locator("#card-lv_eval_f1 .al-extra", has_text="吴承恩").wait_for()
    wait_ready(page)


def leave_reference_empty(page: Page) -> None:
    """The page with messages in place of scores."""
    fill(page, answer="Paris")
    press_score(page)


def measured(page: Page, name: str, group: str) -> float | None:
    """The AUROC of what a card shows."""
    gated = name == "lv_eval_f1" and page.locator(f"#card-{name} .al-chips").count() > 0
    entry = AGREEMENT["scores"].get("lv_eval_f1_gate" if gated else name, {})
    return (entry.get(group) or [None])[0]


@pytest.mark.parametrize(
    ("width", "scheme", "locale"),
    [(360, "light", "en-US"), (1280, "dark", "zh-CN")],
)
def test_every_card_has_a_mark_that_opens_by_keyboard(
    open_page: Open, demo: Demo, axe_source: str, width: int, scheme: str, locale: str
) -> None:
    from lens.words.formats import number

    page = opened(open_page, demo, width=width, scheme=scheme, locale=locale)
    assert page.locator(".al-grid .al-agrees").count() == len(CARDS)
    for name in CARDS:
        mark, value = page.locator(f"#card-{name} .al-agrees"), measured(page, name, "overall")
        assert not mark.locator("p").first.is_visible()
        figure = re.search("[<>]?[01][.][0-9]+", mark.locator("summary").inner_text())
        assert (figure and figure.group()) == (None if value is None else number(value))
        mark.locator("summary").focus()
        assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"
        page.keyboard.press("Enter")
        assert mark.locator("p").first.is_visible()
        page.keyboard.press("Tab")
        assert (page.evaluate("document.activeElement.href") == AGREEMENT["url"]) == (value is not None)
        weight = mark.locator(".al-here td").evaluate_all("all => all.map((one) => getComputedStyle(one).fontWeight)")
        assert weight == (["700"] * 2 if value is not None else [])
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    wide = "all => all.filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.outerHTML)"
    assert page.locator(".al-card, .al-agrees, .al-agrees summary").evaluate_all(wide) == []
    page.evaluate(axe_source)
    found = page.evaluate("async () => (await axe.run()).violations")
    assert not [(one["id"], [node["html"][:200] for node in one["nodes"]]) for one in found]


def test_a_mark_on_an_answer_in_another_language_says_so(open_page: Open, demo: Demo) -> None:
    page = opened(open_page, demo)
    choose_chinese(page)
    said = page.locator("#card-rouge .al-agrees summary").inner_text()
    assert ("not measured for Chinese" in said) == (AGREEMENT["language"] not in ("", "zh"))


@pytest.mark.parametrize(("number", "group"), [(0, "long"), (3, "medium")])
def test_the_sentence_has_the_figures_of_the_better_scores(
    open_page: Open, demo: Demo, number: int, group: str
) -> None:
    page = opened(open_page, demo)
    page.get_by_role("button", name=EXAMPLES[number].label).click()
    page.locator(".al-example", has_text=EXAMPLES[number].shows).wait_for()
    wait_ready(page)
    shown = {name: float(value.strip("<>")) for name, value in scores(page, WORDS).items()}
    agrees = {name: measured(page, name, group) or 0.0 for name in WORDS}
    best = [max(agrees[name] for name in WORDS if one(shown[name])) for one in (lambda v: v >= 0.5, lambda v: v <= 0.4)]
    line = page.locator("#overview .al-sentence").inner_text().split("\n")[-1]
    figures = [float(figure) for figure in re.findall(r"0\.\d+", line)]
    assert figures == pytest.approx(sorted(best, reverse=True), abs=0.0051)
    assert "AUROC" in line


def test_nothing_leaves_the_computer_and_nothing_is_kept(open_page: Open, demo: Demo) -> None:
    page = open_page("about:blank")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("websocket", lambda socket: asked.append(socket.url))
    page.goto(demo.url)
    wait_ready(page)
    secret = "XyzzySecret"
    fill(page, question=secret, reference=secret, answer=secret, keywords=secret)
    press_score(page)
    page.wait_for_timeout(500)
    outside = [url for url in asked if not url.startswith((demo.url, "data:", "blob:"))]
    assert not outside
    kept = page.evaluate("JSON.stringify([localStorage, sessionStorage, document.cookie])")
    assert secret not in kept
    assert secret not in str(page.context.storage_state())
    databases = page.evaluate("async () => (await indexedDB.databases()).map((one) => one.name)")
    assert databases == []
    assert secret not in demo.log()


def test_copy_puts_the_signature_on_the_clipboard(open_page: Open, demo: Demo) -> None:
    page = opened(open_page, demo)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=demo.url.rstrip("/"))
    page.get_by_role("button", name="Copy the signature of BLEU").click()
    page.get_by_text("Copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == page.locator("#card-bleu code").inner_text()


SLOW = """

def slowly(compute):
    def wait(self, **arguments):
        "evaluate adds to this text"
        time.sleep(1.5)
        return compute(self, **arguments)
    return wait


Bleu.compute = slowly(Bleu.compute)
"""


def test_an_example_chosen_while_another_is_scored_takes_its_place(
    open_page: Open, start_demo: Callable[[Path], Demo], space_copy: Callable[..., Path]
) -> None:
    space = space_copy(*WORDS)
    slow = space.parent.parent / "metrics" / "bleu" / "bleu.py"
    source = slow.read_text(encoding="utf-8")
    slow.write_text(f"{source}\nimport time\n{SLOW}", encoding="utf-8")
    page = opened(open_page, start_demo(space))
    page.get_by_role("button", name="Right, but long").click()
    page.locator("#card-bleu .al-pending").wait_for()
    page.get_by_role("button", name="中文: reworded").click()
    page.locator("#card-bleu", has_text="守").wait_for()
    wait_ready(page)
    assert page.locator(".al-example").inner_text().startswith("Example: the answer is right and has every keyword")
    assert "守" in page.locator("#card-rouge .al-words").first.inner_text()


def test_without_modules_the_cards_say_what_to_set(
    open_page: Open, start_demo: Callable[[Path], Demo], space_copy: Callable[..., Path]
) -> None:
    page = opened(open_page, start_demo(space_copy()))
    assert set(scores(page).values()) == {"No score"}
    assert "ANSWER_LENS_ORG" in page.locator("#card-bleu").inner_text()
    assert "No score could be computed" in page.locator(".al-sentence").inner_text()


def test_one_failing_module_does_not_stop_the_others(
    open_page: Open, start_demo: Callable[[Path], Demo], space_copy: Callable[..., Path]
) -> None:
    space = space_copy(*WORDS)
    broken = space.parent.parent / "metrics" / "bleu" / "bleu.py"
    broken.write_text(broken.read_text(encoding="utf-8") + "\nraise RuntimeError('Traceback secret')\n", "utf-8")
    page = opened(open_page, start_demo(space))
    assert scores(page, FOUR) == NIAGARA | {"bleu": "No score"}
    card = page.locator("#card-bleu").inner_text()
    assert "could not be loaded (RuntimeError)" in card
    assert "secret" not in card
