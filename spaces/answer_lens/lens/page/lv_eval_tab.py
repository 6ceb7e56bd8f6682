"""The tab "LV-Eval": its fields, its callback, progress and cancelling, and who waits for what.

The files travel in the call itself, as in the judge check: no file of a visitor is ever on the server's disk. A newer
turn of the same page, be it a new run or a press of Cancel, ends an older one at its next rows; so does leaving.
"""

from __future__ import annotations

import asyncio
import base64
import functools
import itertools
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from concurrent.futures import Future
from typing import Any

import gradio as gr

from lens.lv_eval.example import NAME, example_sent, example_zip
from lens.lv_eval.official_result import Step, official
from lens.lv_eval.predictions import MAX_BYTES, MAX_FILES, MAX_ROWS
from lens.lv_eval.reading import MEGABYTES, BadRun, from_page
from lens.lv_eval.tasks import LENGTHS, TASKS
from lens.page.background import Bounded, Turns, turn_number
from lens.page.lv_eval_results import draw_message, draw_progress, draw_result, kind_of
from lens.page.worded import both, language_field, worded, worded_html
from lens.scoring.pasted_answer import note_failure
from lens.words import each_step, say

# Apart from the threads of the other tabs: however long a run takes, a pasted answer does not wait for it.
RUN_THREADS = 2
# Runs of all visitors that are scored or wait for it; each may be some 30 MB in memory.
MAX_RUNS = 8
POLL_SECONDS = 0.25
CALLS = 256
# What the page says it sends, where it is no file.
PROBLEMS = {"none": "lv_no_file", "unread": "lv_unsent"}
BY_EXAMPLE, TOO_LARGE, TOO_MANY, CANCEL = "example", "large", "many", "cancel"

RUNS = Bounded("lv-eval", RUN_THREADS, MAX_RUNS)
TURNS = Turns()
COUNT = itertools.count()

# Files that were chosen are scored at once. Chosen again, the same ones must count as others: they may have changed.
CHOOSING = """
const field = element.querySelector('#lv-file');
field.addEventListener('click', () => { field.value = ''; });
field.addEventListener('change', () => {
  if (!field.files.length) return;
  window.answerLensLvExample = false;
  document.querySelector('#lv-score').click();
});
"""
# Shows the comparison with the model that is chosen.
COMPARING = """
element.addEventListener('change', (event) => {
  const chosen = event.target.closest('.lv-model');
  if (!chosen) return;
  element.querySelectorAll('.lv-compared').forEach((one) => { one.hidden = one.dataset.model !== chosen.value; });
});
"""
# Gives the files as a JSON array of [name, base64], what they are, the number of this turn and the language.
SENDING = """async () => {
  document.querySelectorAll('.lv-check').forEach((one) => one.classList.add('al-stale'));
  const number = String(window.answerLensLv = (window.answerLensLv || 0) + 1);
  const field = document.querySelector('#lv-file');
  const given = (sent, source) => [sent, source, number, window.answerLensLanguage];
  EXAMPLE
  if (window.answerLensLvExample) return given('', 'example');
  const files = [...field.files];
  if (!files.length) return given('', 'none');
  if (files.length > MOST) return given('', 'many');
  if (files.reduce((sum, file) => sum + file.size, 0) > LIMIT) return given('', 'large');
  const content = (file) => new Promise((done) => {
    const reader = new FileReader();
    reader.onload = () => done(reader.result.slice(reader.result.indexOf(',') + 1));
    reader.onerror = () => done(null);
    reader.readAsDataURL(file);
  });
  const read = await Promise.all(files.map(async (file) => [file.name, file.size ? await content(file) : '']));
  return read.some((one) => one[1] === null) ? given('', 'unread') : given(JSON.stringify(read), 'files');
}""".replace("LIMIT", str(MAX_BYTES)).replace("MOST", str(MAX_FILES))
SCORE_JS = SENDING.replace("EXAMPLE", "")
EXAMPLE_JS = SENDING.replace("EXAMPLE", "window.answerLensLvExample = true; field.value = '';")
CANCEL_JS = """() => {
  const number = String(window.answerLensLv = (window.answerLensLv || 0) + 1);
  return ['', 'cancel', number, window.answerLensLanguage];
}"""
# Finds something where results are shown; after a switch of the language they are drawn anew, the files are sent again.
# A run that was cancelled is not begun anew.
SHOWN = '#lv-results .lv-check:not([data-state="waiting"], [data-state="cancelled"])'
AGAIN = f"() => {{ if (document.querySelector('{SHOWN}')) document.querySelector('#lv-again').click(); }}"


class Ended(Exception):
    """Nobody waits for this run any more."""


class Run:
    """One run on its way: how far it has come, and what is shown in the end."""

    def __init__(self, wanted: Callable[[], bool]) -> None:
        self.wanted = wanted
        self.begun = False
        self.step: Step | None = None

    def note(self, step: Step) -> None:
        """Note how far the scoring has come; Ended where nobody waits for it."""
        if not self.wanted():
            raise Ended
        self.step = step

    def scored(self, sent: str, source: str) -> str:
        """What the tab shows of these files; whatever is wrong with them, in plain words."""
        if not self.wanted():
            return ""
        self.begun = True
        made_up = source == BY_EXAMPLE
        try:
            refuse_unsent(source)
            found = official(from_page(example_sent() if made_up else sent), self.note)
        except BadRun as error:
            return draw_message(str(error), "refused")
        except Ended:
            return ""
        except Exception as error:  # whatever a module does: said, and never a score
            note_failure("lv_eval", error)
            return draw_message(say("lv_failed", error=type(error).__name__), "refused")
        return draw_result(found, made_up)

    def drawn(self) -> str:
        """What the tab shows meanwhile."""
        if self.step:
            return draw_progress(self.step)
        return draw_message(say("lv_reading" if self.begun else "lv_waiting"), "pending")


def refuse_unsent(source: str) -> None:
    """Raise BadRun where the page says that it sends no files, and why."""
    if source == TOO_LARGE:
        raise BadRun(say("lv_bytes", limit=MEGABYTES))
    if source == TOO_MANY:
        raise BadRun(say("lv_files", limit=MAX_FILES))
    if source in PROBLEMS:
        raise BadRun(say(PROBLEMS[source]))


async def respond(sent: str, source: str, turn: str, language: str, request: gr.Request) -> AsyncIterator[Any]:
    """The callback of the tab, in the language of its page."""
    texts = [value if isinstance(value, str) else "" for value in (sent, source)]
    steps = answered(texts[0], texts[1], str(request.session_hash), turn_number(turn))
    async for step in each_step(language, steps):
        yield step


async def answered(sent: str, source: str, session: str, number: int) -> AsyncGenerator[Any, None]:
    """What the tab shows, step by step, and whether Cancel can be pressed; what a newer turn of the same page has
    overtaken says nothing more.
    """
    skipped = [gr.skip(), gr.skip()]
    # The number makes it another text than before: Gradio leaves on the page, marked as old, what is the same.
    mark = f"<!-- {next(COUNT)} -->"
    if not TURNS.begin(session, number):
        yield skipped
        return
    if source == CANCEL:
        yield [draw_message(say("lv_cancelled"), "cancelled") + mark, gr.update(interactive=False)]
        return
    wanted = functools.partial(TURNS.holds, session, number)
    run = Run(wanted)
    job = RUNS.begin(functools.partial(run.scored, sent, source))
    if job is None:
        yield [draw_message(say("lv_busy"), "refused") + mark, gr.update(interactive=False)]
        return
    async for drawn in watched(run, job):
        yield [drawn + mark, gr.update(interactive=True)]
    if wanted():
        yield [job.result() + mark, gr.update(interactive=False)]
    # Gradio sends the last output of a generator twice, the second time when a newer turn may have begun.
    yield skipped


async def watched(run: Run, job: Future[str]) -> AsyncIterator[str]:
    """What is shown while a job is under way, each time it is another than before; the end comes with the job's, or
    when nobody waits for it any more.
    """
    ending = asyncio.wrap_future(job)
    before = ""
    while run.wanted():
        # Whether it must wait for others shows a moment later.
        drawn = run.drawn() if before else draw_message(say("lv_reading"), "pending")
        if drawn != before and not ending.done():
            yield drawn
        before = drawn
        done, _ = await asyncio.wait({ending}, timeout=POLL_SECONDS)
        if done:
            return


def leave(session: str) -> None:
    """The page was closed or reloaded: its run ends."""
    TURNS.forget(session)


def metrics_listed() -> str:
    """The datasets by their metrics."""
    kinds: dict[str, list[str]] = {}
    for name, task in TASKS.items():
        kinds.setdefault(kind_of(task.metric), []).append(f"<code>{name}</code>")
    return "".join(f"<li>{both(kind)}: {', '.join(names)}</li>" for kind, names in kinds.items())


def build_files() -> None:
    """The field for the files, what must be in them, and the example to look at."""
    data = base64.b64encode(example_zip()).decode()
    gr.HTML(
        f'<h2 class="al-small">{both("lv_head")}</h2><p class="al-detail">{both("lv_info")}</p>'
        f'<div class="al-file"><label for="lv-file">{both("lv_field")}</label>'
        '<input type="file" id="lv-file" multiple accept=".jsonl,.zip" aria-describedby="lv-file-info">'
        f'<p class="al-detail" id="lv-file-info">{both("lv_field_info", size=MEGABYTES, rows=MAX_ROWS)}</p></div>'
        f'<details class="al-details al-columns"><summary>{both("lv_form")}</summary>'
        f"<p>{both('lv_form_name', lengths=', '.join(LENGTHS))}</p><p>{both('lv_form_line')}</p>"
        f"<p>{both('lv_form_metrics')}</p><ul>{metrics_listed()}</ul></details>"
        f'<p class="al-detail">{both("lv_example_info")} <a download="{NAME}" '
        f'href="data:application/zip;base64,{data}">{both("lv_get_example")}</a></p>',
        apply_default_css=False,
        js_on_load=CHOOSING,
        elem_id="lv-input",
    )


def build_lv_eval(buttons: str, switch: gr.HTML) -> None:
    """The whole tab. `buttons` is the JavaScript of the buttons inside the results, `switch` that of the language."""
    with gr.Row(elem_classes="al-page"):
        with gr.Column(scale=0, min_width=300, elem_classes="al-side"):
            build_files()
            example = worded(gr.Button, {"value": "lv_try"}, size="sm", elem_id="lv-try")
            score = worded(gr.Button, {"value": "lv_score"}, variant="primary", elem_id="lv-score")
            cancel = worded(gr.Button, {"value": "lv_cancel"}, interactive=False, elem_id="lv-cancel")
        with gr.Column(scale=1, min_width=300, elem_classes="al-main"):
            results = worded_html(
                lambda: draw_message(say("lv_start"), "waiting"),
                SHOWN,
                js_on_load=buttons + COMPARING,
                elem_id="lv-results",
            )
    again = gr.Button(visible="hidden", elem_id="lv-again")
    sent = [gr.Textbox(visible="hidden", show_label=False, container=False) for _ in range(3)]
    event: dict[str, Any] = {
        "fn": respond,
        "inputs": [*sent, language_field()],
        "outputs": [results, cancel],
        "show_progress": "hidden",
        # A newer call may come while an older one is scored; TURNS keeps them apart, MAX_RUNS bounds them.
        "trigger_mode": "multiple",
        "concurrency_limit": CALLS,
        "concurrency_id": "lv_eval",
        "api_visibility": "private",
    }
    gr.on([score.click, again.click], js=SCORE_JS, **event)
    example.click(js=EXAMPLE_JS, **event)
    cancel.click(js=CANCEL_JS, **event)
    switch.select(js=AGAIN, api_visibility="private")
