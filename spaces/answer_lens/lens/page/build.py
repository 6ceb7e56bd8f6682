"""Answer Lens: every score for one answer, side by side. Run it with `python app.py`."""

from __future__ import annotations

import functools
import itertools
import json
import logging
import os
import re
import sys
import threading
import traceback
import webbrowser
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from dataclasses import astuple
from typing import Any
from urllib.parse import urlsplit

# Gradio reads these when it is imported. From GRADIO_SERVER_PORT on, it takes the first port that is free.
os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"
os.environ.setdefault("GRADIO_SERVER_PORT", os.environ.get("PORT", "7860"))

import gradio as gr
from starlette.middleware import Middleware

from lens import SPACE
from lens.explanations.disagreement import explain
from lens.page import background, files_tab, judge_check_tab, lv_eval_tab
from lens.page.background import turn_number
from lens.page.cards import draw_card, draw_overview
from lens.page.examples import EXAMPLES, shown_by
from lens.page.worded import build_switch, build_wording, in_head, language_field, worded, worded_html
from lens.scoring import judge as judging
from lens.scoring import pasted_answer
from lens.scoring.catalog import METRICS, Metric, Submission
from lens.scoring.judge import NO_JUDGE, Judge
from lens.scoring.outcome import Outcome
from lens.words import each_step, say

MAX_WAITING = 64
# Submissions under way; most of them wait for a model, which costs next to nothing (page/background.py bounds the
# work). As
# many slots must be given to launch(): Gradio's queue has 40 of its own accord, whatever the limit of an event.
CONCURRENCY = 256
# Larger requests are not read: four fields of the length that scoring.py allows take 2.4 MB at most.
MAX_REQUEST_BYTES = 16_000_000
# What the page itself asks of /gradio_api/.
ENDPOINTS = ("queue/join", "queue/data", "heartbeat/", "startup-events", "cancel", "reset", "upload", "file=")

RUNS = itertools.count()

# Finds something on the page as soon as one score is there: from then on only the server says what the cards show.
SCORED = '#overview [data-done]:not([data-done="0"])'

log = logging.getLogger("answer_lens")

# Buttons inside cards have no callback of their own; the clipboard exists only on https and on the own computer.
BUTTONS = """
element.addEventListener('click', (event) => {
  if (event.target.closest('.al-open')) {
    const panel = document.querySelector('#judge');
    const label = panel.querySelector('button');
    if (!panel.querySelector('.label-wrap.open')) label.click();
    panel.scrollIntoView({block: 'center'});
    label.focus();
    return;
  }
  const button = event.target.closest('.al-copy');
  if (!button) return;
  const code = button.parentElement.querySelector('code');
  window.getSelection().selectAllChildren(code);
  if (!navigator.clipboard) return;
  navigator.clipboard.writeText(code.textContent).then(() => {
    const label = button.textContent;
    button.textContent = button.dataset.copied;
    setTimeout(() => { button.textContent = label; }, 1500);
  }, () => {});
});
"""


# Neither the browser nor a password manager is to keep a key; Gradio leaves "autocomplete" empty in a password's field.
UNKEPT = """
const mark = () => document.querySelector('#key input')?.setAttribute('autocomplete', 'new-password');
mark();
new MutationObserver(mark).observe(document.querySelector('#judge'), {subtree: true, childList: true});
"""


def theme() -> gr.themes.Default:
    """Gradio's default with contrast that suffices in light and dark, and fonts that come with the package.

    Weight 700 and not Gradio's own 600: the bundled semi-bold files hold only a few of the letters.
    """
    text = (gr.themes.LocalFont("Source Sans Pro", weights=(400, 700)), "system-ui", "sans-serif")
    code = (gr.themes.LocalFont("IBM Plex Mono", weights=(400, 700)), "ui-monospace", "monospace")
    return gr.themes.Default(primary_hue="indigo", font=text, font_mono=code).set(
        body_text_color_subdued="*neutral_600",
        block_label_text_color="*neutral_700",
        block_info_text_color="*neutral_600",
        block_title_text_color="*neutral_700",
        input_placeholder_color="*neutral_600",
        button_primary_background_fill="*primary_600",
        button_primary_background_fill_hover="*primary_700",
    )


def card(metric: Metric, outcome: Outcome, submission: Submission | None = None) -> str:
    """A card; where a module's reasons cannot be drawn, a card that says so."""
    try:
        return draw_card(metric, outcome, pasted_answer.organisation(), submission)
    except Exception as error:  # reasons that a module gives in another form than documented
        return draw_card(metric, pasted_answer.compute_failure(metric, error), pasted_answer.organisation(), submission)


def sentence(submission: Submission, outcomes: list[Outcome]) -> str:
    """What the overview says: on all scores, or on those of words while only others are awaited."""
    trouble = pasted_answer.problem(submission)
    if trouble:
        return trouble
    found = {metric.name: outcome for metric, outcome in zip(METRICS, outcomes, strict=True)}
    awaited = [metric for metric in METRICS if found[metric.name].state == "pending"]
    if any(metric.kind == "words" for metric in awaited):
        return ""
    if awaited and sum(outcome.score is not None for outcome in outcomes) < 2:
        return ""
    return explain(found, submission)


def overview(submission: Submission, outcomes: list[Outcome]) -> str:
    """The overview at this moment of the scoring."""
    return draw_overview(METRICS, outcomes, sentence(submission, outcomes), shown_by(submission))


def page_of(submission: Submission, outcomes: list[Outcome]) -> list[Any]:
    """The overview and all cards."""
    cards = (card(metric, outcome, submission) for metric, outcome in zip(METRICS, outcomes, strict=True))
    return [overview(submission, outcomes), *cards]


async def score_all(
    submission: Submission,
    asked: bool = False,
    wanted: Callable[[], bool] = lambda: True,
    judge: Judge = NO_JUDGE,
    session: str = "",
) -> AsyncGenerator[list[Any], None]:
    """The overview and the cards, each time one more score is ready, as long as they are `wanted`.

    `asked` says that the user asked for these scores and not the page itself: only then a model is fetched, and only
    then the judge is asked.
    """
    outcomes = [pasted_answer.at_once(metric, submission, asked, judge) for metric in METRICS]
    # The number makes each part another text than before: Gradio leaves on the page, marked as old, what is the same.
    number = next(RUNS)
    yield [f"{part}<!-- {number} -->" for part in page_of(submission, outcomes)]
    pending = [position for position, outcome in enumerate(outcomes) if outcome.state == "pending"]
    async for position, outcome in background.results(submission, asked, pending, wanted, judge, session):
        outcomes[position] = outcome
        changes: list[Any] = [gr.skip() for _ in METRICS]
        changes[position] = card(METRICS[position], outcome, submission)
        yield [overview(submission, outcomes), *changes]
    if wanted():
        # Should anything of an older turn have crossed with this one on its way, this puts it right.
        yield page_of(submission, outcomes)
    # Gradio sends the last output of a generator twice, the second time when a newer turn may have begun.
    yield [gr.skip() for _ in range(len(METRICS) + 1)]


def text_field(name: str, lines: int, words: dict[str, str], **options: Any) -> gr.Textbox:
    """One field, filled with the first example. Its length is checked when it is scored: a field that cuts what is
    pasted into it would have another text scored than the user gave.
    """
    value = getattr(EXAMPLES[0].submission, name)
    return worded(gr.Textbox, {"label": name, **words}, value=value, lines=lines, elem_id=name, **options)


def build_judge() -> list[gr.Textbox | gr.Dropdown]:
    """The panel to choose a judge in, closed: provider, model, key, and where it may be chosen the address."""
    providers = judging.offered(pasted_answer.providers())
    choices = [(f"{name} ({urlsplit(one.base_url).hostname})", name) for name, one in providers.items()]
    public = judging.public()
    options: dict[str, Any] = {"value": None, "filterable": False, "elem_id": "provider"}
    with worded(gr.Accordion, {"label": "judge"}, open=False, elem_id="judge", visible=bool(choices)):
        detail("judge_info", js_on_load=UNKEPT)
        return [
            worded(gr.Dropdown, {"label": "judge_provider"}, choices=choices, **options),
            judge_field("model", {"placeholder": "judge_model_placeholder"}),
            judge_field("key", {"info": "judge_key_info" if public else "judge_key_info_here"}, type="password"),
            judge_field("address", {"info": "judge_address_info"}, visible=not public),
        ]


def judge_field(name: str, words: dict[str, str], **options: Any) -> gr.Textbox:
    """One line of the judge's panel."""
    plain = gr.InputHTMLAttributes(autocomplete="off", autocapitalize="off", spellcheck=False)
    options |= {"lines": 1, "max_lines": 1, "elem_id": name, "html_attributes": plain}
    return worded(gr.Textbox, {"label": f"judge_{name}", **words}, **options)


def detail(key: str, **options: Any) -> gr.HTML:
    """A line in small print."""
    return worded_html(lambda: f'<p class="al-detail">{say(key)}</p>', **options)


def build_input() -> tuple[list[gr.Textbox], list[gr.Textbox | gr.Dropdown], gr.Button]:
    """The fields of one answer, those of the judge, and the button."""
    fields = [
        text_field("question", 1, {"info": "question_info"}, max_lines=3),
        text_field("reference", 3, {"placeholder": "reference_placeholder"}, max_lines=10),
        text_field("answer", 3, {"placeholder": "answer_placeholder"}, max_lines=10),
        text_field("keywords", 1, {"placeholder": "keywords_placeholder", "info": "keywords_info"}, max_lines=1),
    ]
    judge = build_judge()
    button = worded(gr.Button, {"value": "score"}, variant="primary", elem_id="score")
    detail("keys")
    return fields, judge, button


def build_examples() -> list[gr.Button]:
    """One button for each example."""
    worded_html(lambda: f'<h2 class="al-small">{say("examples")}</h2>')
    with gr.Row(elem_classes="al-examples"):
        return [worded(gr.Button, {"value": one.label_key}, size="sm", min_width=120) for one in EXAMPLES]


def build_results() -> list[gr.HTML]:
    """The overview and the cards, waiting."""
    outcomes = [Outcome("pending") for _ in METRICS]
    parts = [worded_html(lambda: overview(EXAMPLES[0].submission, outcomes), SCORED, elem_id="overview")]
    with gr.Column(elem_classes="al-grid"):
        for metric in METRICS:
            drawn = functools.partial(card, metric, Outcome("pending"), EXAMPLES[0].submission)
            parts.append(worded_html(drawn, SCORED, js_on_load=BUTTONS, elem_id=f"card-{metric.name}"))
    return parts


async def respond(
    question: str,
    reference: str,
    answer: str,
    keywords: str,
    turn: str,
    asked: str,
    provider: str | None,
    model: str,
    key: str,
    address: str,
    language: str,
    request: gr.Request,
) -> AsyncIterator[list[Any]]:
    """The callback of everything that scores; what a newer one of the same page has overtaken says nothing more."""
    session, number = str(request.session_hash), turn_number(turn)
    if not background.TURNS.begin(session, number):
        yield [gr.skip() for _ in range(len(METRICS) + 1)]
        return
    texts = (question, reference, answer, keywords)
    submission = Submission(*(text if isinstance(text, str) else "" for text in texts))  # a forged call may send more
    judge = Judge.given(provider, model, key, address)
    wanted = functools.partial(background.TURNS.holds, session, number)
    async for step in each_step(language, score_all(submission, asked == "asked", wanted, judge, session)):
        yield step


def leave(request: gr.Request) -> None:
    """The page was closed or reloaded."""
    background.TURNS.forget(str(request.session_hash))
    judge_check_tab.leave(str(request.session_hash))
    lv_eval_tab.leave(str(request.session_hash))


def filling(submission: Submission) -> str:
    """JavaScript that gives the texts of an example."""
    return f"() => {json.dumps(astuple(submission))}"


def turning(asked: bool, submission: Submission | None = None) -> str:
    """JavaScript that marks what is shown as old and gives the texts, of an example or of the fields, the number of
    this turn, who asked, and the judge. The key is sent only where the user asked; elsewhere, that there is one.
    """
    texts = json.dumps(astuple(submission)) if submission else "values.slice(0, 4)"
    who, key = ("asked", "key") if asked else ("unasked", "key && 'given'")
    return f"""(...values) => {{
      const shown = document.querySelectorAll('.al-grid .al-card, #overview .al-overview');
      shown.forEach((one) => one.classList.add('al-stale'));
      window.answerLensTurn = (window.answerLensTurn || 0) + 1;
      const [provider, model, key, address] = values.slice(6);
      return [...{texts}, String(window.answerLensTurn), '{who}', provider, model, {key}, address,
        window.answerLensLanguage];
    }}"""


def build_one_answer(page: gr.Blocks, switch: gr.HTML) -> list[gr.Textbox | gr.Dropdown]:
    """The part of the page that scores one answer; the fields of its judge."""
    with gr.Row(elem_classes="al-page"):
        with gr.Column(scale=0, min_width=300, elem_classes="al-side"):
            chosen = build_examples()
            fields, judge, button = build_input()
        with gr.Column(scale=1, min_width=300, elem_classes="al-main"):
            results = build_results()
    turn, asked = (gr.Textbox(visible="hidden", show_label=False, container=False) for _ in range(2))
    scores: dict[str, Any] = {
        # A submission may come while an older one waits for a model; running.TURNS keeps them apart.
        "trigger_mode": "multiple",
        "fn": respond,
        "inputs": [*fields, turn, asked, *judge, language_field()],
        "outputs": results,
        "show_progress": "hidden",
        "concurrency_limit": CONCURRENCY,
        "concurrency_id": "scores",
        "api_visibility": "private",
    }
    for one, example in zip(chosen, EXAMPLES, strict=True):
        one.click(None, outputs=fields, js=filling(example.submission), api_visibility="private")
        one.click(js=turning(False, example.submission), **scores)
    typed = [field for field in (*fields, *judge) if isinstance(field, gr.Textbox)]
    gr.on([button.click, *(field.submit for field in typed)], js=turning(True), **scores)
    gr.on([page.load, switch.click], js=turning(False), **scores)
    page.unload(leave)
    return judge


class CallFailed(Exception):
    """A call that came to nothing. Says what kind of error it was, and nothing of what was typed."""


class Page(gr.Blocks):
    """A page that remembers nothing that was typed into it or shown on it, and logs nothing of it.

    Gradio keeps the last value of every field and of every result for each session, for as long as the program runs,
    and the last request of all, as it came, until the next one. Its errors about a call in another form than the page's
    hold the values.
    """

    async def process_api(self, block_fn: Any, inputs: list[Any], *arguments: Any, **options: Any) -> dict[str, Any]:
        """Hand the values on to the callback, whose later steps do not read them again, and forget them."""
        try:
            return await super().process_api(block_fn, inputs, *arguments, **options)
        except Exception as error:  # Gradio logs whatever it is, with its message
            kind = type(error).__name__
            log.error("a call failed: %s\n%s", kind, "".join(traceback.format_tb(error.__traceback__)))
        finally:
            inputs[:] = [None] * len(inputs)
            fields = options["state"].config_values if options.get("state") else {}
            for block in (*getattr(block_fn, "inputs", ()), *getattr(block_fn, "outputs", ())):
                fields.get(block._id, {}).get("props", {}).pop("value", None)
            sent = getattr(options.get("request"), "request", None)
            for copy in ("_body", "_json") if sent else ():
                vars(sent).pop(copy, None)
        # Raised out here, where the error with the values is not its context.
        raise CallFailed(kind) from None


def build() -> gr.Blocks:
    """The whole page."""
    with Page(title=say("page_title"), analytics_enabled=False, fill_width=True) as page:
        with gr.Row(elem_classes="al-head"):
            worded_html(
                lambda: f'<header class="al-title"><h1>{say("title")}</h1><p>{say("tagline")}</p></header>',
                elem_classes="al-heading",
            )
            switch = build_switch()
        with gr.Tabs(overflow_behavior="wrap", elem_classes="al-tabs"):
            with worded(gr.Tab, {"label": "one_answer"}):
                judge = build_one_answer(page, switch)
            with worded(gr.Tab, {"label": "ft_tab"}):
                files_tab.build("en", judge, BUTTONS)
            with worded(gr.Tab, {"label": "lv_tab"}):
                lv_eval_tab.build_lv_eval(BUTTONS, switch)
            with worded(gr.Tab, {"label": "judge_check"}):
                judge_check_tab.build_judge_check(BUTTONS, switch)
        worded_html(lambda: f'<p class="al-foot">{say("footer")}</p>')
        build_wording(page, switch, "page_title")
    page.queue(max_size=MAX_WAITING, api_open=False, default_concurrency_limit=CONCURRENCY)
    return page


class OnlyThePage:
    """Refuse what the page never asks for, before it is read: other endpoints of Gradio, and larger requests; where
    only the owner is served, also what other websites send.

    Gradio takes uploads, writes the state of a session to disk for a link to it, and logs malformed calls, for whoever
    asks. A website that gives its own name this computer's address could have its visitor's browser spend the owner's
    keys: such a request names the website as its host.
    """

    def __init__(self, app: Callable[..., Any]) -> None:
        self.app = app

    async def __call__(self, scope: dict[str, Any], receive: Callable[..., Any], send: Callable[..., Any]) -> None:
        """Answer 403 to a foreign website, 404 to another endpoint, 413 to a request that is too large or does not say
        how large it is.
        """
        headers = dict(scope.get("headers", ()))
        size = headers.get(b"content-length", b"0")
        endpoint = scope.get("path", "").partition("/gradio_api/")[2]
        refusal = 0
        if scope["type"] != "lifespan" and not judging.public() and foreign(headers):
            refusal = 403
        elif endpoint and not endpoint.startswith(ENDPOINTS):
            refusal = 404
        elif b"transfer-encoding" in headers or not size.isdigit() or int(size) > MAX_REQUEST_BYTES:
            refusal = 413
        if refusal:
            body = say("foreign_host").encode() if refusal == 403 else b""
            sizes = [(b"content-length", str(len(body)).encode()), (b"content-type", b"text/plain; charset=utf-8")]
            await send({"type": "http.response.start", "status": refusal, "headers": sizes})
            await send({"type": "http.response.body", "body": body})
        else:
            await self.app(scope, receive, send)


def foreign(headers: Mapping[bytes, bytes]) -> bool:
    """Whether a request names another host than this computer, or comes from a page of another origin."""
    host, origin = (headers.get(name, b"").decode("latin-1").lower() for name in (b"host", b"origin"))
    named = re.fullmatch(r"(\[[0-9a-f:]+\]|[^\[\]:]+)(:[0-9]+)?", host)
    name = named[1].strip("[]") if named else ""
    if not name or name not in (*judging.LOOPBACK, judging.server_name().lower()):
        return True
    return b"origin" in headers and origin.partition("://")[2] != host


def open_in_browser(url: str) -> None:
    """Open the page where there is a desktop; elsewhere a text browser would take over the terminal."""
    if sys.platform == "darwin" or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        webbrowser.open(url)


def main() -> None:
    """Serve the page, then load what is slow behind it; with --open, show it in a browser."""
    demo.launch(
        theme=theme(),
        css_paths=[SPACE / "style.css"],
        head=f'<meta name="description" content="{say("description")}">{in_head()}',
        favicon_path=SPACE / "favicon.svg",
        footer_links=[],
        # Left open, Gradio decides, and on Kaggle, SageMaker and Colab it shares.
        share=judging.shared(),
        max_threads=CONCURRENCY,
        run_history=False,
        show_error=False,
        enable_monitoring=False,
        ssr_mode=False,
        max_file_size="10mb",
        app_kwargs={"middleware": [Middleware(OnlyThePage)]},
        prevent_thread_lock=True,
        quiet=True,
    )
    print(f"{say('title')}: {demo.local_url}", flush=True)
    if "--open" in sys.argv:
        open_in_browser(demo.local_url)
    threading.Thread(target=pasted_answer.warm_up, daemon=True).start()
    demo.block_thread()


demo = build()
