"""The tab "Judge check": bias, sensitivity and reward accuracy for a file of a judge's replies."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import gradio as gr

from lens import DATA
from lens.judge_check.numbers import Check, check, parse_score_range
from lens.judge_check.verdict import select_scored_rows, show_type, summarize_check
from lens.page.html import cut_text, part, render, rich
from lens.page.tab import (
    CHECKING,
    FILE_TYPES,
    READING,
    Sent,
    Tab,
    Updates,
    draw_message,
    html,
    read_example,
    read_upload,
)
from lens.reports.section import SectionText, format_sections
from lens.tables.untrusted import MAX_BYTES, MAX_ROWS
from lens.words import has_text, say
from lens.words.formats import format_number
from lens.words.notes import Note, UserError
from lens.words.printed import show_name

EXAMPLE = DATA / "examples" / "made_up_judge_check.csv"
MAX_UNPARSED, MAX_BEGINNING = 20, 160
MAX_TYPES = 40
LARGE = 1e6

Pair = Sequence[float] | None


def build(language: str) -> None:
    """Build the whole tab in one language."""
    tab = Tab(
        "judge_check",
        language,
        lambda text: {"shown": draw_message(text), "signed": gr.update(visible=False)},
    )
    parts = tab.parts
    # The file that was read, or a message that says why it could not be read.
    parts["held"] = gr.State(say("judge_check.no_file"))
    with gr.Row(elem_classes="al-page"):
        with gr.Column(scale=0, min_width=300, elem_classes="al-side"):
            parts["file"], try_example, ends, button = build_check_form()
        with gr.Column(min_width=300, elem_classes="al-main"):
            parts["shown"] = html(draw_message(say("judge_check.start")), elem_id="check-results")
            looks: dict[str, Any] = {
                "visible": False,
                "buttons": ["copy"],
                "elem_id": "check-signed",
            }
            parts["signed"] = gr.Textbox(label=say("report.signatures"), **looks)
    event: dict[str, Any] = {"lane": READING, "show_progress_on": parts["shown"]}
    # Checks have their own lane, because slow checks would delay the reading of files.
    checks: dict[str, Any] = {
        "work": check_judge,
        "inputs": [parts["held"], *ends],
        **event,
        "lane": CHECKING,
    }
    sent = tab.connect(
        parts["file"].upload,
        receive,
        parts["file"],
        lambda text: {"held": text, "file": None},
        **event,
    )
    tab.connect(sent.then, **checks)
    tab.connect(
        tab.connect(
            try_example.click, lambda: {"held": read_example(EXAMPLE), "file": None}, **event
        ).then,
        **checks,
    )
    tab.connect([button.click, *(end.submit for end in ends)], **checks)


def receive(path: str) -> Updates:
    """Read an uploaded file, and delete it; a message replaces a file that cannot be read."""
    try:
        return {"held": read_upload(path), "file": None}
    except UserError as error:
        return {
            "held": f"{show_name(Path(path).name, 100)}{say('page.colon')}{error}",
            "file": None,
        }


def build_check_form() -> tuple[gr.File, gr.Button, list[gr.Textbox], gr.Button]:
    """Build the form: the description, the fields for the file and the range, and the buttons."""
    info = (
        f"{say('judge_check.info')} "
        f"{say('judge_check.file_info', size=MAX_BYTES // 1_000_000, rows=MAX_ROWS)}"
    )
    points = map(
        rich,
        ("judge_check.replies", "judge_check.chances", "judge_check.type", "judge_check.people"),
    )
    html(part("about", say("judge_check.head"), info, say("lv_eval.form"), points))
    file = gr.File(
        label=say("judge_check.file"),
        file_types=FILE_TYPES,
        height=160,
        elem_id="check-file",
    )
    try_example = gr.Button(say("page.try_example"), size="sm", elem_id="try-example")
    gr.DownloadButton(say("page.get_example"), str(EXAMPLE), size="sm", elem_id="get-example")
    plain = gr.InputHTMLAttributes(autocomplete="off", spellcheck=False)
    field = functools.partial(gr.Textbox, max_lines=1, min_width=100, html_attributes=plain)
    with gr.Row(elem_classes="al-range"):
        ends = [
            field(label=say(f"judge_check.range_{end}"), elem_id=f"range-{end}")
            for end in ("low", "high")
        ]
    html(f'<p class="al-detail">{say("judge_check.range_info")}</p>')
    return (
        file,
        try_example,
        ends,
        gr.Button(say("judge_check.check"), variant="primary", elem_id="check"),
    )


def check_judge(held: Sent | str | None, low: str, high: str) -> Updates:
    """Return the results of a file's check, and the signatures.

    Args:
        held: the file, or a message that says why there is none.
        low: the lowest score of the judge's scale, as a text.
        high: the highest score.
    """
    if not isinstance(held, Sent):
        raise UserError("page.as_it_is", text=held or Note("files_tab.gone"))
    found = check(held.table, parse_score_range(low, high))
    signed = [part.result["signature"] for part in (found.bias, found.accuracy) if part.result]
    signatures = gr.update(value="\n".join(signed), lines=len(signed), visible=bool(signed))
    return {"shown": draw(found, held), "signed": signatures}


def draw(found: Check, file: Sent) -> str:
    """Return the HTML of a check: each number with its data, overall and by type."""
    figures = []
    tables = []
    type_head = say("page.head_type")
    for name, whole, by_type in list_measures(found):
        # The first fact is the number itself.
        (_, value), *facts = list_facts(whole).items()
        figures.append({"name": name, "value": value, "facts": facts})
        title = say("report.by", title=say(f"metric.title.{name}"), column=type_head)
        rows = [[show_type(row["type"]), *list_facts(row).values()] for row in by_type]
        if rows:
            heads = [type_head, *list_facts(by_type[0])]
            tables.append(SectionText(title, heads, rows))
    replies = list_unparsed(found.bias.result, found.replies) if found.bias.result else []
    people = format_sections(found.people.sections) if found.people else []
    shown = {
        "people": people,
        "verdict": summarize_check(found),
        "figures": figures,
        "tables": tables,
        "unparsed": replies,
    }
    return render("judge_check.html", found=found, file=file, most=MAX_TYPES, **shown)


def list_measures(
    found: Check,
) -> Iterator[tuple[str, Mapping[str, Any], Sequence[Mapping[str, Any]]]]:
    """Yield the name of each number, with its values overall and by type."""
    if result := found.bias.result:
        scored = select_scored_rows(result).index.value_counts()
        for name, kind in (("repr_bias", "represent"), ("error_sensitivity", "error")):
            whole = {what: result[f"{name}_{what}"] for what in ("interval", "bounds")}
            whole |= {
                "mean": result[name],
                "n": result[f"n_{kind}"],
                "n_scored": scored.get(kind, 0),
            }
            types = [
                row | {"type": row["perturbation_type"]}
                for row in result.get("by_type", ())
                if row["measure"] == name
            ]
            yield name, whole, types
    if result := found.accuracy.result:
        yield (
            "reward_accuracy",
            result,
            [row | {"type": row["group"]} for row in result.get("by_group", ())],
        )


def list_facts(row: Mapping[str, Any]) -> dict[str, str]:
    """Return a number and its data as texts, by their titles."""
    if "ties" in row:
        texts = {"metric.title.reward_accuracy": format_number(row["reward_accuracy"])}
        texts |= {
            "report.interval": format_interval(row["interval"], format_number),
            "judge_check.pairs": f"{row['n']:,}",
        }
        texts |= {
            "judge_check.ties": f"{row['ties']:,}",
            "judge_check.mean_margin": format_difference(row["mean_margin"]),
        }
    else:
        texts = {
            "report.mean": format_difference(row["mean"]),
            "report.interval": format_interval(row["interval"]),
        }
        texts["judge_check.scored_of"] = say(
            "judge_check.scored_count", scored=row["n_scored"], rows=row["n"]
        )
        if row.get("bounds") and row["n"] > row["n_scored"]:
            texts["judge_check.bounds"] = format_interval(row["bounds"])
    return {say(key): text for key, text in texts.items()}


def format_difference(value: float | None) -> str:
    """Return a difference of scores with two decimals; a dash for None.

    0.00 means exactly 0, and large numbers are written in short form.

    >>> [format_difference(value) for value in (0.5, -1.25, 0.001, -0.001, 0.0, 1e90, None)]
    ['0.50', '-1.25', '<0.01', '>-0.01', '0.00', '1e+90', '–']
    """
    if value is None:
        return "–"
    if abs(value) >= LARGE:
        return f"{value:.4g}"
    shown = f"{value:.2f}"
    if not value or float(shown):
        return shown
    return "<0.01" if value > 0 else ">-0.01"


def format_interval(pair: Pair, show: Callable[[float], str] = format_difference) -> str:
    """Return an interval as a text; a dash for None."""
    if not pair:
        return "–"
    low, high = pair
    return say("page.from_to", low=show(low), high=show(high))


def list_unparsed(result: Mapping[str, Any], replies: Sequence[Any]) -> list[tuple[int, str, str]]:
    """Return the row, the reason and the beginning of the first replies without a score."""
    unparsed: list[tuple[int, str, str]] = []
    entries = zip(result["per_example"], replies, strict=True)
    for number, (entry, reply) in enumerate(entries, 1):
        if entry["score"] is not None or len(unparsed) == MAX_UNPARSED:
            continue
        key = f"judge_check.unparsed_{entry['reason']}"
        reason = say(key) if has_text(key) else str(entry["note"] or entry["reason"])
        # White space becomes shorter, so more characters are read than are shown.
        words = str(reply)[: 4 * MAX_BEGINNING].split()
        beginning = cut_text(" ".join(words), MAX_BEGINNING)
        unparsed.append((number, reason, beginning))
    return unparsed
