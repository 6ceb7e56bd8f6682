"""What the tab "Files" shows before there are scores: the first rows, the choices, how far a run has come.

All that comes from a file passes through `parts.escape`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from lens.page.files_choice import MAX_SEPARATOR, ROLES, Choice, other_column
from lens.page.files_held import Held, Sent
from lens.page.files_jobs import LINE, Mark, Run
from lens.page.html import escape
from lens.scoring import pasted_answer
from lens.scoring.catalog import BY_NAME, Metric
from lens.words import say

PREVIEW_ROWS, PREVIEW_COLUMNS, MAX_CELL, MAX_NAME, MAX_FILE_NAME = 3, 30, 120, 60, 100
NEEDED = ("prediction", "reference")


def cut(text: str, most: int) -> str:
    """A text of bounded length, escaped."""
    return escape(text if len(text) <= most else text[:most] + "…")


def shown_cell(cell: Any, most: int = MAX_CELL) -> str:
    """A cell of any kind, escaped and cut."""
    if cell is None:
        return '<span class="al-detail">–</span>'
    text = cell[: 4 * most] if isinstance(cell, str) else json.dumps(cell, ensure_ascii=False)
    return cut(" ".join(text.split()), most)


def draw_said(message: str, state: str) -> str:
    """A message in the place of results. `state` is "waiting", "pending", "refused" or "cancelled"."""
    return (
        f'<div class="ft-shown" data-state="{state}"><section class="al-overview" aria-labelledby="ft-head">'
        f'<h2 id="ft-head">{say("ft_results")}</h2><p class="al-sentence">{escape(message)}</p></section></div>'
    )


def counted(sent: Sent) -> str:
    """A file's name and how many rows it has."""
    rows = say("ft_row" if sent.table.rows == 1 else "ft_rows", rows=sent.table.rows)
    return f"<bdi>{cut(sent.name, MAX_FILE_NAME)}</bdi>{say('colon')}{rows}"


def draw_preview(held: Held, message: str = "") -> str:
    """The first rows of the file, or of both, and what is wrong with a choice."""
    refused = f'<p class="al-sentence al-refused">{escape(message)}</p>' if message else ""
    files = "".join(
        draw_first_rows(sent, number) for number, sent in enumerate(filter(None, (held.first, held.second)))
    )
    note = f'<p class="al-note">{say("ft_made_up")}</p>' if held.first.made_up else ""
    state = "refused" if message else "preview"
    return (
        f'<div class="ft-shown" data-state="{state}"><section class="al-overview" aria-labelledby="ft-head">'
        f'<h2 id="ft-head">{say("ft_first_rows")}</h2>{refused}{note}{files}'
        f'<p class="al-detail">{say("ft_then_start")}</p></section></div>'
    )


def draw_first_rows(sent: Sent, number: int) -> str:
    """The first rows of one file."""
    names = sent.names[:PREVIEW_COLUMNS]
    heads = "".join(f'<th scope="col"><bdi>{cut(name, MAX_NAME)}</bdi></th>' for name in names)
    body = ""
    for row in range(min(sent.table.rows, PREVIEW_ROWS)):
        cells = (shown_cell(sent.table.columns[name][row]) for name in names)
        body += "<tr>" + "".join(f'<td dir="auto">{cell}</td>' for cell in cells) + "</tr>"
    left = len(sent.names) - len(names)
    more = f'<p class="al-detail">{say("ft_more_columns", count=left)}</p>' if left else ""
    label = say("ft_preview", name=sent.name[:MAX_FILE_NAME])
    return (
        f'<p class="al-detail">{counted(sent)}</p><div class="al-scroll ft-scroll" role="region" tabindex="0" '
        f'aria-label="{escape(label)}" id="ft-preview-{number}"><table class="al-table ft-preview"><thead>'
        f"<tr>{heads}</tr></thead><tbody>{body}</tbody></table></div>{more}"
    )


def draw_form(held: Held, choice: Choice) -> str:
    """The choices: the column of each role, a second system, the separator, the metrics."""
    selects = "".join(draw_select(role, held.first.names, choice.roles.get(role, "")) for role in ROLES)
    if held.second:
        second = f'<p class="al-detail">{say("ft_second_is")} {counted(held.second)}</p>'
        second += draw_select("other", held.second.names, other_column(held, choice), needed=True)
        second += f'<p class="al-detail">{say("ft_matched")}</p>'
        second += f'<button type="button" class="ft-button" data-ft="unsecond">{say("ft_remove_second")}</button>'
    else:
        second = draw_select("other", held.first.names, choice.other)
    return (
        f'<div class="ft-form" data-token="{held.token}" role="group" aria-label="{say("ft_choices")}">'
        f'<p class="al-detail">{counted(held.first)}</p>'
        f"<fieldset><legend>{say('ft_columns')}</legend>{selects}{draw_separator(choice)}</fieldset>"
        f"<fieldset><legend>{say('ft_second_system')}</legend>{second}</fieldset>"
        f"<fieldset><legend>{say('ft_metrics')}</legend>{draw_metrics(choice, held)}</fieldset></div>"
    )


def draw_select(role: str, names: Sequence[str], chosen: str, needed: bool = False) -> str:
    """The field in which the column of a role is chosen; columns go by their places."""
    none = say("ft_choose" if needed or role in NEEDED else "ft_none")
    options = f'<option value="">{none}</option>'
    for place, name in enumerate(names):
        mark = " selected" if name == chosen else ""
        options += f'<option value="{place}"{mark}>{cut(name, MAX_NAME) or "–"}</option>'
    label = say(f"ft_role_{role}")
    return (
        f'<div class="ft-field"><label for="ft-{role}">{label}</label>'
        f'<select id="ft-{role}" data-role="{role}">{options}</select></div>'
    )


def draw_separator(choice: Choice) -> str:
    """The field for what stands between several references."""
    return (
        f'<div class="ft-field"><label for="ft-separator">{say("ft_separator")}</label>'
        f'<input id="ft-separator" type="text" maxlength="{MAX_SEPARATOR}" value="{escape(choice.separator)}" '
        f'autocomplete="off" spellcheck="false"></div>'
    )


def draw_metrics(choice: Choice, held: Held) -> str:
    """A box to tick for each metric, and what there is to know before."""
    calls = held.first.table.rows * (2 if held.second else 1)
    drawn = ""
    for metric in BY_NAME.values():
        note = note_of(metric, calls)
        said = f'<span class="al-detail" id="ft-note-{metric.name}">{note}</span>' if note else ""
        about = f' aria-describedby="ft-note-{metric.name}"' if note else ""
        mark = " checked" if metric.name in choice.metrics else ""
        drawn += (
            f'<div class="ft-tick"><input type="checkbox" id="ft-metric-{metric.name}" data-metric="{metric.name}"'
            f'{mark}{about}><label for="ft-metric-{metric.name}">{escape(metric.title)}</label>{said}</div>'
        )
    return drawn


def note_of(metric: Metric, calls: int) -> str:
    """What there is to know of a metric before it is chosen."""
    if metric.judge:
        return say("ft_judge_note", calls=calls)
    if metric.model is None or pasted_answer.on_disk(metric.model.name()):
        return ""
    return escape(say("ft_model_note", model=metric.model.name(), size=pasted_answer.download_size(metric.model)))


def draw_progress(run: Run) -> str:
    """How far each metric has come."""
    waiting = run.state == "waiting"
    rows = "".join(draw_mark(mark) for mark in run.marks)
    head = say("ft_in_line", count=LINE.before(run)) if waiting else say("ft_working")
    return (
        f'<div class="ft-shown" data-state="{run.state}"><section class="al-overview" aria-labelledby="ft-head">'
        f'<h2 id="ft-head">{say("ft_results")}</h2><p class="al-sentence">{head}</p>'
        f'<dl class="al-rows ft-progress">{rows}</dl></section></div>'
    )


def draw_mark(mark: Mark) -> str:
    """One metric's bar, rows and seconds."""
    title, share = escape(BY_NAME[mark.metric].title), 100 * mark.done / max(mark.total, 1)
    said = say("ft_progress", done=mark.done, total=mark.total)
    seconds = say("ft_seconds", seconds=mark.elapsed()) if mark.begun or mark.seconds else ""
    return (
        f'<div class="al-row"><dt>{title}</dt><dd><span class="al-bar" role="progressbar" aria-label="{title}" '
        f'aria-valuemin="0" aria-valuemax="{mark.total}" aria-valuenow="{mark.done}"><span class="al-fill" '
        f'style="width:{share:.1f}%"></span></span><span class="al-detail">{said} {seconds}</span></dd></div>'
    )


def milestone(run: Run) -> str:
    """What is said aloud: how many metrics are done, no more often than that changes."""
    if run.state == "waiting":
        return say("ft_in_line", count=LINE.before(run))
    done = sum(mark.done == mark.total for mark in run.marks)
    return say("ft_milestone", done=done, total=len(run.marks))


def cancelled(run: Run) -> str:
    """What is said of a run that was cancelled: its rows that have all their scores."""
    per_row = 2 if run.second else 1
    return say("ft_cancelled", rows=min(mark.done for mark in run.marks) // per_row, total=len(run.items))
