"""The tab "Judge check": its fields, its callback, and who waits for what.

The file travels in the call itself, as text in base64. So Gradio's endpoint for uploads stays shut, no file of a
visitor is ever on the server's disk, and where only the range of scores changes the browser sends the file again.
"""

from __future__ import annotations

import asyncio
import base64
import functools
import itertools
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Any

import gradio as gr

from lens.judge_check.numbers import check, score_range
from lens.page.background import Bounded, Turns, turn_number
from lens.page.judge_check_results import draw_check, draw_message
from lens.page.worded import both, language_field, worded, worded_html
from lens.tables.untrusted import EXAMPLE, BadFile, decoded, example_bytes, kind_of, read
from lens.tables.visitors_file import MAX_BYTES, MAX_ROWS
from lens.words import each_step, say

# Apart from the threads of the other tab: however long a file takes, a pasted answer does not wait for it.
CHECK_THREADS = 2
# Files of all visitors that are read or wait for it; each is some 10 MB in memory.
MAX_FILES = 8
# Calls under way, most of them answered at once; no more than app.py lets Gradio have.
CALLS = 256
MEGABYTES = MAX_BYTES // 1_000_000
MAX_NAME = 500
# What the page says it sends, where it is no file.
PROBLEMS = {"none": "check_no_file", "unread": "file_unsent"}
BY_EXAMPLE, TOO_LARGE = "example", "large"

CHECKS = Bounded("checks", CHECK_THREADS, MAX_FILES)
TURNS = Turns()
RUNS = itertools.count()

# A file that was chosen is checked at once. Chosen again, the same one must count as another: it may have changed.
CHOOSING = """
const field = element.querySelector('#check-file');
field.addEventListener('click', () => { field.value = ''; });
field.addEventListener('change', () => {
  if (!field.files.length) return;
  window.answerLensExample = false;
  document.querySelector('#check').click();
});
"""
# Gives the file, the number of this turn and the range. The example is on the server: only that it is meant is sent.
SENDING = """async (...values) => {
  const [low, high] = values.slice(4);
  const language = window.answerLensLanguage;
  document.querySelectorAll('.al-check').forEach((one) => one.classList.add('al-stale'));
  const number = String(window.answerLensCheck = (window.answerLensCheck || 0) + 1);
  const field = document.querySelector('#check-file');
  EXAMPLE
  if (window.answerLensExample) return ['', '', 'example', number, low, high, language];
  const file = field.files[0];
  if (!file) return ['', '', 'none', number, low, high, language];
  if (file.size > LIMIT) return ['', file.name, 'large', number, low, high, language];
  const read = new Promise((done) => {
    const reader = new FileReader();
    reader.onload = () => done(reader.result.slice(reader.result.indexOf(',') + 1));
    reader.onerror = () => done(null);
    reader.readAsDataURL(file);
  });
  const sent = file.size ? await read : '';
  const [content, source] = sent === null ? ['', 'unread'] : [sent, 'file'];
  return [content, file.name, source, number, low, high, language];
}""".replace("LIMIT", str(MAX_BYTES))
CHECK_JS = SENDING.replace("EXAMPLE", "")
EXAMPLE_JS = SENDING.replace("EXAMPLE", "window.answerLensExample = true; field.value = '';")
# Finds something where results are shown; after a switch of the language they are drawn anew, the file is sent again.
SHOWN = '#check-results .al-check:not([data-state="waiting"])'
AGAIN = f"() => {{ if (document.querySelector('{SHOWN}')) document.querySelector('#check-again').click(); }}"


def checked(content: str, name: str, source: str, low: str, high: str) -> str:
    """What the tab shows of one file; whatever is wrong with it, in plain words."""
    made_up = source == BY_EXAMPLE
    shown = EXAMPLE.name if made_up else name[:MAX_NAME]
    try:
        if source == TOO_LARGE:
            raise BadFile(say("file_bytes", limit=MEGABYTES))
        if source in PROBLEMS:
            raise BadFile(say(PROBLEMS[source]))
        scale = score_range(low, high)
        kind = kind_of(shown)
        found = check(read(kind, example_bytes() if made_up else decoded(content)), scale)
    except BadFile as error:
        return draw_message(str(error), "refused", shown)
    return draw_check(found, shown, made_up)


async def respond(
    content: str, name: str, source: str, turn: str, low: str, high: str, language: str, request: gr.Request
) -> AsyncIterator[Any]:
    """The callback of the tab, in the language of its page."""
    given = (value if isinstance(value, str) else "" for value in (content, name, source, low, high))
    async for step in each_step(language, answered(tuple(given), str(request.session_hash), turn_number(turn))):
        yield step


async def answered(given: tuple[str, ...], session: str, number: int) -> AsyncGenerator[Any, None]:
    """What the tab shows, step by step; what a newer turn of the same page has overtaken says nothing more."""
    if not TURNS.begin(session, number):
        yield gr.skip()
        return
    wanted = functools.partial(TURNS.holds, session, number)
    job = CHECKS.begin(lambda: checked(*given) if wanted() else "")
    # The number makes it another text than before: Gradio leaves on the page, marked as old, what is the same.
    mark = f"<!-- {next(RUNS)} -->"
    if job is None:
        yield draw_message(say("check_busy"), "refused") + mark
        return
    yield draw_message(say("checking"), "pending") + mark
    drawn = await asyncio.wrap_future(job)
    if wanted():
        yield drawn + mark
    # Gradio sends the last output of a generator twice, the second time when a newer turn may have begun.
    yield gr.skip()


def leave(session: str) -> None:
    """The page was closed or reloaded."""
    TURNS.forget(session)


def build_file() -> None:
    """The field for the file, what must be in it, and the example to look at."""
    kinds = ".csv,.tsv,.jsonl,.ndjson,.json,.parquet"
    data = base64.b64encode(example_bytes()).decode()
    columns = "".join(f"<li>{both(name)}</li>" for name in ("check_replies", "check_chances", "check_type"))
    gr.HTML(
        f'<h2 class="al-small">{both("check_head")}</h2><p class="al-detail">{both("check_info")}</p>'
        f'<div class="al-file"><label for="check-file">{both("check_file")}</label>'
        f'<input type="file" id="check-file" accept="{kinds}" aria-describedby="check-file-info">'
        f'<p class="al-detail" id="check-file-info">{both("check_file_info", size=MEGABYTES, rows=MAX_ROWS)}</p></div>'
        f'<details class="al-details al-columns"><summary>{both("check_columns")}</summary><ul>{columns}</ul>'
        f"<p>{both('check_other')}</p></details>"
        f'<p class="al-detail">{both("check_example_info")} <a download="{EXAMPLE.name}" '
        f'href="data:text/csv;base64,{data}">{both("get_example")}</a></p>',
        apply_default_css=False,
        js_on_load=CHOOSING,
        elem_id="check-input",
    )


def build_fields() -> tuple[list[gr.Textbox], gr.Button, gr.Button]:
    """The left side of the tab: the range of scores and the two buttons; before them the file."""
    build_file()
    example = worded(gr.Button, {"value": "try_example"}, size="sm", elem_id="try-example")
    plain = gr.InputHTMLAttributes(autocomplete="off", spellcheck=False)
    with gr.Row(elem_classes="al-range"):
        ends = [
            worded(
                gr.Textbox,
                {"label": f"range_{end}"},
                lines=1,
                max_lines=1,
                min_width=100,
                elem_id=f"range-{end}",
                html_attributes=plain,
            )
            for end in ("low", "high")
        ]
    worded_html(lambda: f'<p class="al-detail">{say("range_info")}</p>')
    return ends, example, worded(gr.Button, {"value": "check"}, variant="primary", elem_id="check")


def build_judge_check(buttons: str, switch: gr.HTML) -> None:
    """The whole tab. `buttons` is the JavaScript of the buttons inside the results, `switch` that of the language."""
    with gr.Row(elem_classes="al-page"):
        with gr.Column(scale=0, min_width=300, elem_classes="al-side"):
            ends, example, button = build_fields()
        with gr.Column(scale=1, min_width=300, elem_classes="al-main"):
            results = worded_html(
                lambda: draw_message(say("check_start"), "waiting"), SHOWN, js_on_load=buttons, elem_id="check-results"
            )
    again = gr.Button(visible="hidden", elem_id="check-again")
    sent = [gr.Textbox(visible="hidden", show_label=False, container=False) for _ in range(4)]
    event: dict[str, Any] = {
        "fn": respond,
        "inputs": [*sent, *ends, language_field()],
        "outputs": results,
        "show_progress": "hidden",
        # A newer call may come while an older one is read; TURNS keeps them apart, MAX_FILES bounds them.
        "trigger_mode": "multiple",
        "concurrency_limit": CALLS,
        "concurrency_id": "checks",
        "api_visibility": "private",
    }
    gr.on([button.click, again.click, *(end.submit for end in ends)], js=CHECK_JS, **event)
    switch.select(js=AGAIN, api_visibility="private")
    example.click(js=EXAMPLE_JS, **event)
