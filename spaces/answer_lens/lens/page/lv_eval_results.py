"""What the tab "LV-Eval" shows, as HTML: the official table, downloads, signatures, and where the original differs.

All that comes from a file passes through `parts.escape`. The plot is drawn in page/lv_eval_plot.py, the comparison
with the
published results in page/lv_eval_published.py.
"""

from __future__ import annotations

import base64

from lens.lv_eval.export import cells_of, coverage, head, latex, lines, markdown, result_csv, result_json
from lens.lv_eval.official_result import Official, Step
from lens.lv_eval.tasks import LENGTHS, TASKS, Metric
from lens.page.cards import draw_signature
from lens.page.html import bar, escape
from lens.page.lv_eval_plot import draw_plot
from lens.page.lv_eval_published import breakable, draw_published
from lens.words import say, sentences

KINDS = {True: "gated", False: "plain", None: "rouge"}
MADE_UP = "made_up_"


def draw_result(found: Official, made_up: bool) -> str:
    """All that a run gives."""
    parts = [
        draw_head(found, made_up),
        draw_table(found),
        draw_downloads(found, made_up),
        draw_plot(found),
        draw_published(found, made_up),
        draw_differs(found),
        draw_signatures(found),
    ]
    return f'<div class="lv-check" data-state="scored">{"".join(parts)}</div>'


def draw_message(message: str, state: str) -> str:
    """What stands there instead of numbers. `state` is "waiting", "pending" or "refused"."""
    return section(state, f'<p class="al-sentence" role="status" aria-live="polite">{escape(message)}</p>')


def draw_progress(step: Step) -> str:
    """How far the scoring has come."""
    told = escape(
        say("lv_scoring", number=step.number, files=step.files, name=step.name, done=step.done, rows=step.rows)
    )
    share = (step.number - 1 + step.done / step.rows) / step.files
    return section(
        "pending",
        f'<p class="al-sentence">{told}</p><div class="lv-progress" role="progressbar" aria-valuemin="0" '
        f'aria-valuemax="100" aria-valuenow="{100 * share:.0f}" aria-label="{told}">{bar(share)}</div>',
    )


def section(state: str, body: str) -> str:
    """The results while there are none."""
    return (
        f'<div class="lv-check" data-state="{state}"><section class="al-overview" aria-labelledby="lv-head">'
        f'<h2 id="lv-head">{say("lv_results")}</h2>{body}</section></div>'
    )


def draw_head(found: Official, made_up: bool) -> str:
    """What the result rests on."""
    files, rows = len(found.scores), sum(found.rows.values())
    counted = say("lv_counted_one", rows=rows) if files == 1 else say("lv_counted", files=files, rows=rows)
    counted = say("lv_counted_row") if rows == 1 else counted
    warning = f'<p class="al-note">{say("lv_made_up")}</p>' if made_up else ""
    return (
        f'<section class="al-overview" aria-labelledby="lv-head"><h2 id="lv-head">{say("lv_results")}</h2>{warning}'
        f'<p class="al-detail">{counted}</p>'
        f'<p class="al-sentence" role="status" aria-live="polite">{escape(coverage(found))}</p>'
        f"{draw_partial(found)}</section>"
    )


def draw_partial(found: Official) -> str:
    """The files whose number of rows is another than LV-Eval's."""
    drawn = ""
    for dataset, length in found.partial:
        rows, wanted = found.rows[dataset, length], TASKS[dataset].rows
        drawn += f"<li>{say('lv_partial_row', dataset=dataset, length=length, rows=rows, wanted=wanted)}</li>"
    if not drawn:
        return ""
    return f'<details class="al-details"><summary>{say("lv_partial_which")}</summary><ul>{drawn}</ul></details>'


def draw_table(found: Official) -> str:
    """The official table: a row for each dataset and average, a column for each length and the average."""
    titles = "".join(f'<th scope="col">{escape(title)}</th>' for title in head())
    body, group = "", ""
    for line in lines(found):
        if line.group != group and line.group != "all":
            span = len(LENGTHS) + 2
            body += f'<tr class="lv-group"><th scope="colgroup" colspan="{span}">{say(f"lv_{line.group}")}</th></tr>'
        group = line.group
        cells = "".join(f"<td>{cell}</td>" for cell in cells_of(line))
        mark = ' class="lv-mean"' if line.average else ""
        body += f'<tr{mark}><th scope="row">{breakable(line.name)}</th>{cells}</tr>'
    return (
        f'<section class="al-overview" aria-labelledby="lv-table"><h2 id="lv-table">{say("lv_table")}</h2>'
        f'<p class="al-detail">{say("lv_table_info")}</p>'
        f'<div class="al-scroll" role="region" tabindex="0" aria-label="{say("table_of", title=say("lv_table"))}">'
        f'<table class="al-table lv-table lv-official"><thead><tr>{titles}</tr></thead><tbody>{body}</tbody></table>'
        "</div></section>"
    )


def draw_downloads(found: Official, made_up: bool) -> str:
    """The result as files, which the browser has already: a link holds its file."""
    original = say("lv_as_original")
    files = (
        ("result.json", "application/json", result_json(found), original),
        ("result.csv", "text/csv", result_csv(found), original),
        ("result.md", "text/markdown", markdown(found), say("lv_as_markdown")),
        ("result.tex", "application/x-tex", latex(found), say("lv_as_latex")),
    )
    drawn = ""
    for name, kind, text, told in files:
        name = MADE_UP + name if made_up else name
        data = base64.b64encode(text.encode()).decode()
        link = f'<a download="{name}" href="data:{kind};charset=utf-8;base64,{data}">{name}</a>'
        drawn += f'<li>{link} <span class="al-detail">({told})</span></li>'
    return (
        f'<section class="al-overview" aria-labelledby="lv-downloads"><h2 id="lv-downloads">{say("lv_downloads")}</h2>'
        f'<ul class="lv-downloads">{drawn}</ul></section>'
    )


def draw_differs(found: Official) -> str:
    """Where the result is another than that of the original's own code."""
    rows = say("lv_unlike", count=found.unlike) if found.unlike else say("lv_unlike_none")
    return (
        f'<section class="al-overview" aria-labelledby="lv-differs"><h2 id="lv-differs">{say("lv_differs")}</h2>'
        f"<p>{sentences(say('lv_differs_text'), rows)}</p></section>"
    )


def kind_of(metric: Metric) -> str:
    """The key of the text that names a metric."""
    return f"lv_{metric.language}_{KINDS[metric.gate]}"


def draw_signatures(found: Official) -> str:
    """The signature of each metric, to copy."""
    drawn = ""
    for metric, signature in found.signatures.items():
        title = say(kind_of(metric))
        drawn += f'<h3 class="al-small">{title}</h3>{draw_signature(title, signature)}'
    return (
        f'<section class="al-overview" aria-labelledby="lv-signed"><h2 id="lv-signed">{say("lv_signed")}</h2>'
        f'<div class="lv-signatures">{drawn}</div></section>'
    )
