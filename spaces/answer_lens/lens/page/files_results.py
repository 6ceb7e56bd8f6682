"""What the tab "Files" shows of a scored file: the summary, groups, two systems compared, downloads.

All that comes from a file passes through `parts.escape`.
"""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote

from lens.explanations.file_verdict import verdict
from lens.page.cards import draw_signature
from lens.page.files_form import MAX_FILE_NAME, cut
from lens.page.files_held import Held
from lens.page.files_jobs import Results, Run
from lens.page.files_plots import draw_correlations, draw_histograms
from lens.page.files_rows import DOWNLOADS, View
from lens.page.files_table import draw_controls, draw_far
from lens.page.html import escape
from lens.reports.contents import DASH, between, cost_of, four, in_words, methods, name_of, reason_of
from lens.scoring.catalog import BY_NAME
from lens.scoring.summary import Difference, Figure, Summary
from lens.words import language, say, sentences

ALL_GROUPS = 200


def draw_results(held: Held, run: Run, results: Results, view: View) -> str:
    """All of it, but for the table of rows, which is drawn anew at every look."""
    parts = [
        draw_summary(held, run, results),
        draw_differences(results),
        draw_groups(results.summary),
        draw_histograms(results),
        draw_correlations(results),
        draw_far(run, results),
        draw_controls(run, results, view),
    ]
    return f'<div class="ft-shown" data-state="done">{"".join(parts)}</div>'


def draw_summary(held: Held, run: Run, results: Results) -> str:
    """The figures of the file, what is certain, what is missing and why, signatures, downloads."""
    summary = results.summary
    note = f'<p class="al-note">{say("ft_made_up")}</p>' if held.first.made_up else ""
    rows = say("ft_row" if summary.rows == 1 else "ft_rows", rows=summary.rows)
    sentence = verdict(results.summary, results.differences, results.correlations)
    meant = f'<p class="al-sentence">{escape(sentence)}</p>' if sentence else ""
    return (
        f'<section class="al-overview" aria-labelledby="ft-head"><h2 id="ft-head">{say("ft_results")}</h2>'
        f'{note}<p class="al-detail"><bdi>{cut(summary.source, MAX_FILE_NAME)}</bdi>{say("colon")}{rows}</p>{meant}'
        f"{draw_figures(summary)}{draw_notes(results)}{draw_downloads(held)}{draw_signatures(summary)}</section>"
    )


def scrolled(label: str, heads: Sequence[str], body: str) -> str:
    """A table that scrolls in its own box where it is wider than the page. `body` is HTML, the other two are text."""
    titles = "".join(f'<th scope="col">{escape(head)}</th>' for head in heads)
    return (
        f'<div class="al-scroll ft-scroll" role="region" tabindex="0" '
        f'aria-label="{escape(say("table_of", title=label))}">'
        f'<table class="al-table ft-table"><thead><tr>{titles}</tr></thead><tbody>{body}</tbody></table></div>'
    )


def line(name: str, cells: Sequence[str], quiet: bool = False) -> str:
    """A row of a table: its name and its figures, all of them text."""
    drawn = "".join(f"<td>{escape(cell)}</td>" for cell in cells)
    kind = ' class="ft-quiet"' if quiet else ""
    return f'<tr{kind}><th scope="row"><bdi>{escape(name)}</bdi></th>{drawn}</tr>'


def figure_cells(figure: Figure) -> list[str]:
    """Mean, interval, scored, not scored."""
    unscored = sum(figure.unscored.values())
    return [four(figure.mean), between(figure.interval), f"{figure.scored:,}", f"{unscored:,}"]


def draw_figures(summary: Summary) -> str:
    """The table of figures."""
    body = ""
    for figure in summary.figures:
        body += line(figure.series.title, figure_cells(figure), quiet=not figure.series.primary)
        if figure.series.key == "bleu" and summary.corpus_bleu is not None:
            body += line(
                say("f_report_corpus"), [four(summary.corpus_bleu), DASH, *figure_cells(figure)[2:]], quiet=True
            )
    heads = [say(f"f_report_{key}") for key in ("metric", "mean", "interval", "scored", "unscored")]
    method = sentences(*methods(summary))
    return scrolled(say("ft_results"), heads, body) + f'<p class="al-detail">{method}</p>'


def draw_notes(results: Results) -> str:
    """Why rows are not scored, what was not computed, costs; of both systems."""
    lines: list[str] = []
    for which, summary in (("", results.summary), (say("ft_second_short"), results.second)):
        if summary is not None:
            lines += [f"{which}{say('colon')}{told}" if which else told for told in notes_of(summary)]
    drawn = "".join(f"<li>{escape(one)}</li>" for one in dict.fromkeys(lines))
    return f'<ul class="ft-notes al-message">{drawn}</ul>' if drawn else ""


def notes_of(summary: Summary) -> list[str]:
    """What there is to say besides the figures of one system."""
    told = []
    for figure in summary.figures:
        if figure.series.primary and figure.unscored:
            said = (say("f_report_reason", reason=reason_of(code), count=n) for code, n in figure.unscored.items())
            told.append(say("f_report_why", title=figure.series.title, reasons=say("f_report_and").join(said)))
    told += [f"{BY_NAME[name].title}{say('colon')}{why}" for name, why in summary.stopped.items()]
    told += [say("ft_cost", title=BY_NAME[name].title, cost=cost_of(amount)) for name, amount in summary.costs.items()]
    return told + list(summary.notes)


def draw_downloads(held: Held) -> str:
    """Links to the rows and to the summary."""
    links = "".join(
        f'<li><a href="scored/{quote(held.token)}/{name}?lang={language()}" download="answer_lens_{name}">'
        f"{say('ft_download_' + name.replace('.', '_'))}</a></li>"
        for name in DOWNLOADS
    )
    return (
        f'<h3 class="al-small">{say("ft_downloads")}</h3><ul class="al-links ft-downloads">{links}</ul>'
        f'<p class="al-detail">{say("ft_kept")}</p>'
    )


def draw_signatures(summary: Summary) -> str:
    """The signature of each metric, to copy."""
    drawn = "".join(draw_signature(BY_NAME[name].title, signature) for name, signature in summary.signatures.items())
    named = drawn.replace(f'<h4 class="al-small">{say("signature")}</h4>', "")
    return (
        f'<details class="al-details ft-signatures"><summary>{say("f_report_signatures")}</summary>{named}</details>'
        if drawn
        else ""
    )


def draw_groups(summary: Summary) -> str:
    """A table by group: the mean and the interval of each metric."""
    if not summary.groups:
        return ""
    series = [figure.series for figure in summary.figures if figure.series.primary]
    body = ""
    for group, figures in list(summary.groups.items())[:ALL_GROUPS]:
        shown = [figure for figure in figures if figure.series.primary]
        cells = [f"{four(figure.mean)} {between(figure.interval)}" for figure in shown]
        cells = [f"{cell} ({figure.scored:,})" for cell, figure in zip(cells, shown, strict=True)]
        body += line(name_of(group), cells)
    title = say("ft_by_group", column=name_of(summary.group_column))
    return (
        f'<section class="al-overview" aria-labelledby="ft-groups"><h2 id="ft-groups">{escape(title)}</h2>'
        f'<p class="al-detail">{say("ft_groups_info")}</p>'
        f"{scrolled(title, [name_of(summary.group_column), *(one.title for one in series)], body)}</section>"
    )


def draw_differences(results: Results) -> str:
    """The table of two systems, where two were compared."""
    if not results.differences:
        return ""
    keys = ("metric", "first", "second", "difference", "interval", "p", "wins", "both")
    body = "".join(line(one.series.title, cells_of(one), quiet=not one.series.primary) for one in results.differences)
    info = in_words("paired", (one.rows for one in results.differences))
    return (
        f'<section class="al-overview" aria-labelledby="ft-compared"><h2 id="ft-compared">'
        f"{say('f_report_differences')}</h2>"
        f"{scrolled(say('f_report_differences'), [say(f'f_report_{key}') for key in keys], body)}"
        f'<p class="al-detail">{info}</p></section>'
    )


def cells_of(one: Difference) -> list[str]:
    """Two systems by one series."""
    return [
        *(four(one.first), four(one.second), four(one.difference), between(one.interval), four(one.p_value)),
        f"{one.wins:,} / {one.ties:,} / {one.losses:,}",
        f"{one.rows:,}",
    ]
