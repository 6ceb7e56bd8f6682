"""The callbacks of the tab "Files".

Every callback is open to whoever knows its form: a token is good for the page that sent the file alone, and everything
that a call says is checked. The language is that of the page, and what is held speaks the newest that was asked for.
"""

from __future__ import annotations

import asyncio
import functools
import itertools
from collections.abc import AsyncIterator, Callable
from typing import Any

import gradio as gr

from lens.page import opened_row
from lens.page.background import Turns, turn_number
from lens.page.files_choice import Choice, first_choice, prepare, read_choice
from lens.page.files_form import cancelled, draw_form, draw_preview, draw_progress, draw_said, milestone
from lens.page.files_held import STORE, Held
from lens.page.files_jobs import LINE, Run
from lens.page.files_results import draw_results
from lens.page.files_rows import View, read_view, whole
from lens.page.files_table import draw_rows
from lens.page.files_upload import READERS, kept
from lens.page.html import escape
from lens.scoring import judge as judging
from lens.scoring import pasted_answer
from lens.scoring.catalog import BY_NAME
from lens.scoring.judge import Judge
from lens.tables.roles import BadTable
from lens.words import say, speaking

POLL_SECONDS = 0.5
# The newest file or run of each page, the newest look at its rows, and the newest row that was opened.
TURNS, LOOKS, OPENS = Turns(), Turns(), Turns()
RUNS = itertools.count()


def text(value: object) -> str:
    """A text as the page sends it; a forged call may send anything."""
    return value if isinstance(value, str) else ""


def marked(drawn: str) -> str:
    """What is drawn, as another text than before: Gradio leaves on the page, marked as old, what is the same."""
    return f"{drawn}<!-- {next(RUNS)} -->"


def within(language: str, draw: Callable[..., str], *values: Any) -> str:
    """What `draw` gives in a language. Never held while a callback waits: others speak then."""
    with speaking(language):
        return draw(*values)


async def send(
    content: Any, name: Any, source: Any, which: Any, token: Any, choice: Any, turn: Any, language: Any,
    request: gr.Request,
) -> AsyncIterator[list[Any]]:  # fmt: skip
    """A file was chosen: the choices and its first rows, or what is wrong with it."""
    session, number, language = str(request.session_hash), turn_number(turn), text(language)
    skipped = [gr.skip() for _ in range(6)]
    if not TURNS.begin(session, number):
        yield skipped
        return
    OPENS.forget(session)
    held = STORE.get(token, session) if which == "second" else None
    if which != "second":
        STORE.forget(session)
    elif held is None:
        yield [marked(""), "", within(language, gone), *blank(2), off()]
        return
    else:
        held.end()
        held.run = None
    with speaking(language):
        values = (text(content), text(name), text(source), held, session)
        job = READERS.begin(functools.partial(kept, *values))
        waiting = draw_said(say("ft_busy" if job is None else "ft_reading"), "refused" if job is None else "pending")
    yield [gr.skip() if held else marked(""), "", marked(waiting), *blank(2), off()]
    if job is None:
        return
    del content, values
    found = await asyncio.wrap_future(job)
    if TURNS.holds(session, number):
        yield await asyncio.to_thread(opened, found, held, choice, language)
    yield skipped


def opened(found: Held | str, before: Held | None, choice: Any, language: str) -> list[Any]:
    """What is shown of a file that was read; a second one that cannot be leaves the first as it was."""
    with speaking(language):
        if isinstance(found, str):
            shown = draw_preview(before, found) if before else draw_said(found, "refused")
            return [gr.skip() if before else marked(""), escape(found), marked(shown), *blank(2), off()]
        chosen = first_choice(found.first)
        if before is None:
            STORE.put(found)
        else:
            STORE.attach(before, found.second)
            found = before
            chosen = still(found, choice, chosen)
        found.language = language
        newest = found.second or found.first
        rows = say("ft_row" if newest.table.rows == 1 else "ft_rows", rows=newest.table.rows)
        said = escape(say("ft_read", name=newest.name[:100], rows=rows))
        return [marked(draw_form(found, chosen)), said, marked(draw_preview(found)), *blank(2), off()]


def still(held: Held, choice: Any, otherwise: Choice) -> Choice:
    """What was chosen before a second file came or went; its column of answers is guessed anew."""
    try:
        given = read_choice(held, choice)
    except BadTable:  # the place of a column that the other file does not have
        return otherwise
    return Choice(given.roles, "", given.separator, given.metrics)


def blank(count: int) -> list[str]:
    """Outputs without anything in them."""
    return [marked("") for _ in range(count)]


def off() -> Any:
    """Cancel cannot be pressed."""
    return gr.update(interactive=False)


def gone() -> str:
    """What is shown where nothing is held."""
    return marked(draw_said(say("ft_gone"), "refused"))


def judge_missing(choice: Choice, judge: Judge) -> str:
    """Why a judge that was chosen cannot be asked; nothing where it can, or none was chosen."""
    if not any(BY_NAME[name].judge for name in choice.metrics):
        return ""
    table = pasted_answer.providers()
    if not judging.what_is_missing(judge, table):
        return ""
    return judging.refused(judge, table) or say("ft_needs_judge")


def begun(held: Held, choice: Any, judge: Judge, wanted: Callable[[], bool]) -> Run | None:
    """A run of what was chosen, in the line; BadTable where it cannot be, None where nobody waits for it any more."""
    given = read_choice(held, choice)
    missing = judge_missing(given, judge)
    if missing:
        raise BadTable(missing)
    run = Run(held.first.name, given, *prepare(held, given), judge)
    with STORE.lock:  # a page that is closed, or sends another file, either comes before or ends this run
        if not wanted():
            return None
        held.end()
        if not LINE.join(run):
            raise BadTable(say("ft_full"))
        held.run = run
    return run


async def start(
    token: Any, choice: Any, turn: Any, provider: Any, model: Any, key: Any, address: Any, language: Any,
    request: gr.Request,
) -> AsyncIterator[list[Any]]:  # fmt: skip
    """Start was pressed: progress, then the results. What a newer turn of the same page has overtaken says no more."""
    session, number = str(request.session_hash), turn_number(turn)
    skipped = [gr.skip() for _ in range(5)]
    if not TURNS.begin(session, number):
        yield skipped
        return
    held = STORE.get(token, session)
    if held is None:
        with speaking(language):
            shown = draw_said(say("ft_gone" if token else "check_no_file"), "refused")
        yield ["", marked(shown), *blank(2), off()]
        return
    held.language = text(language)
    OPENS.forget(session)
    judge, wanted = Judge.given(provider, model, key, address), functools.partial(TURNS.holds, session, number)
    run, refused = None, skipped
    with speaking(language):
        try:
            # In a thread, for the rows of a large file are many; the context goes along, and so the language.
            run = await asyncio.to_thread(begun, held, choice, judge, wanted)
        except BadTable as error:
            if wanted():
                refused = [escape(error), marked(draw_preview(held, str(error))), *blank(2), off()]
    if run is None:
        yield refused
        return
    del judge, key
    async for step in watched(held, run, wanted):
        yield step
    # Gradio sends the last output of a generator twice, the second time when a newer turn may have begun.
    yield skipped


async def watched(held: Held, run: Run, wanted: Callable[[], bool]) -> AsyncIterator[list[Any]]:
    """Progress, as often as something is to be seen of it, and the end."""
    ending, said, shown, begins = asyncio.wrap_future(run.ended), "", "", True
    while wanted() and not run.ended.done():
        drawn, told = within(held.language, draw_progress, run), within(held.language, milestone, run)
        if drawn != shown and not run.ended.done():
            more = blank(2) if begins else [gr.skip(), gr.skip()]
            cancel = gr.update(interactive=True) if begins else gr.skip()
            yield [told if told != said else gr.skip(), marked(drawn), *more, cancel]
            begins = False
        said, shown = told, drawn
        await asyncio.wait({ending}, timeout=POLL_SECONDS)
    if wanted():
        yield ended(held, run)


def ended(held: Held, run: Run, view: View | None = None) -> list[Any]:
    """What is shown of a run that has ended."""
    view = view or View()
    with speaking(held.language):
        if run.state == "done" and run.results is not None:
            drawn = marked(draw_results(held, run, run.results, view))
            return [say("ft_done"), drawn, marked(draw_rows(run, run.results, view)), marked(""), off()]
        said = cancelled(run) if run.state == "cancelled" else say("ft_failed", error=run.error)
        return [said, marked(draw_said(said, run.state)), *blank(2), off()]


def stop(token: Any, language: Any, request: gr.Request) -> None:
    """Cancel was pressed."""
    held = STORE.get(token, str(request.session_hash))
    if held is not None:
        held.end()


def look(token: Any, view: Any, turn: Any, language: Any, request: gr.Request) -> Any:
    """Another look at the rows: sorted, filtered, another page."""
    session = str(request.session_hash)
    held = STORE.get(token, session)
    if not LOOKS.begin(session, turn_number(turn)):
        return gr.skip()
    run = held.run if held else None
    if run is None or run.results is None:
        return within(text(language), gone)
    return marked(within(text(language), draw_rows, run, run.results, read_view(view)))


async def open_row(token: Any, row: Any, turn: Any, language: Any, request: gr.Request) -> AsyncIterator[Any]:
    """The cards of one row."""
    session, language = str(request.session_hash), text(language)
    held = STORE.get(token, session)
    run, place = (held.run if held else None), whole(row, -1)
    if run is None or run.results is None or not 0 <= place < len(run.items):
        yield within(language, gone)
        return
    if not OPENS.begin(session, turn_number(turn)):
        yield gr.skip()
        return
    yield marked(within(language, opened_row.draw_opening, place))
    drawn = await cards_of(run, place, language)
    if OPENS.holds(session, turn_number(turn)):
        yield marked(drawn)
    yield gr.skip()


async def cards_of(run: Run, row: int, language: str) -> str:
    """The cards of a row, in a language."""
    if run.results is None:
        return ""
    with speaking(language):
        outcomes = await opened_row.outcomes_of(run, run.results, row)
        return opened_row.draw_opened(run, run.results, row, outcomes)


async def again(token: Any, choice: Any, view: Any, row: Any, language: Any, request: gr.Request) -> list[Any]:
    """The language was switched: what is shown, drawn anew from what is held."""
    held, language = STORE.get(token, str(request.session_hash)), text(language)
    if held is None:
        return [marked(""), "", within(language, gone), *blank(2), off()]
    held.language, run = language, held.run
    with speaking(language):
        try:
            form = draw_form(held, read_choice(held, choice))
        except BadTable:
            form = draw_form(held, first_choice(held.first))
        preview = draw_preview(held) if run is None else ""
    if run is None:
        return [marked(form), "", marked(preview), *blank(2), off()]
    if not run.ended.done():  # its own callback goes on, in the new language
        return [marked(form), *(gr.skip() for _ in range(5))]
    shown = ended(held, run, read_view(view))
    place = whole(row, -1)
    if run.results is not None and 0 <= place < len(run.items):
        shown[3] = marked(await cards_of(run, place, language))
    return [marked(form), *shown]


def leave(session: str) -> None:
    """The page was closed or reloaded: its file is forgotten, its run ends."""
    TURNS.forget(session)
    LOOKS.forget(session)
    OPENS.forget(session)
    STORE.forget(session)
