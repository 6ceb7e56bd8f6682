"""The tab "Judge check": bias, sensitivity and reward accuracy for a file of a judge's replies."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gradio as gr

from lens import DATA
from lens.judge_check.numbers import JudgeCheck, compute_check, parse_score_range
from lens.judge_check.verdict import select_scored_rows, show_type, summarize_check
from lens.page.html import cut_text, part, render, rich
from lens.page.tab import (
    CHECKING,
    FILE_TYPES,
    READING,
    Tab,
    Updates,
    VisitorFile,
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
# How many replies without a score are shown, and how many characters of each.
MAX_UNPARSED, MAX_BEGINNING = 20, 160
# How many rows the tables by type have.
MAX_TYPES = 40
# From here on, numbers are written in short form.
LARGE_NUMBER = 1e6

# An interval of a number; None if it could not be computed.
Interval = Sequence[float] | None


@dataclass(frozen=True)
class CheckForm:
    """The form of the tab.

    Attributes:
        file: the field for the file.
        try_example: the button that checks the example.
        range_ends: the fields for the lowest and the highest score of the judge's scale.
        check: the button that checks the file.
    """

    file: gr.File
    try_example: gr.Button
    range_ends: Sequence[gr.Textbox]
    check: gr.Button


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
            form = build_check_form()
            parts["file"] = form.file
        with gr.Column(min_width=300, elem_classes="al-main"):
            parts["shown"] = html(draw_message(say("judge_check.start")), elem_id="check-results")
            parts["signed"] = gr.Textbox(
                label=say("report.signatures"),
                visible=False,
                buttons=["copy"],
                elem_id="check-signed",
            )
    connect_check(tab, form)


def connect_check(tab: Tab, form: CheckForm) -> None:
    """Connect the fields and buttons with reading a file and checking it."""
    held = tab.parts["held"]
    reading: dict[str, Any] = {"lane": READING, "show_progress_on": tab.parts["shown"]}
    # Checks have their own lane, because slow checks would delay the reading of files.
    checking: dict[str, Any] = {
        "work": check_file,
        "inputs": [held, *form.range_ends],
        "lane": CHECKING,
        "show_progress_on": tab.parts["shown"],
    }
    uploaded = tab.connect(
        form.file.upload,
        receive_file,
        form.file,
        lambda text: {"held": text, "file": None},
        **reading,
    )
    tab.connect(uploaded.then, **checking)
    example_read = tab.connect(
        form.try_example.click, lambda: {"held": read_example(EXAMPLE), "file": None}, **reading
    )
    tab.connect(example_read.then, **checking)
    tab.connect([form.check.click, *(end.submit for end in form.range_ends)], **checking)


def receive_file(path: str) -> Updates:
    """Read an uploaded file, and delete it; a message replaces a file that cannot be read."""
    try:
        return {"held": read_upload(path), "file": None}
    except UserError as error:
        name = show_name(Path(path).name, 100)
        return {"held": f"{name}{say('page.colon')}{error}", "file": None}


def build_check_form() -> CheckForm:
    """Build the description, the fields for the file and the range, and the buttons."""
    limits = say("judge_check.file_info", size=MAX_BYTES // 1_000_000, rows=MAX_ROWS)
    info = f"{say('judge_check.info')} {limits}"
    columns = map(
        rich,
        ("judge_check.replies", "judge_check.chances", "judge_check.type", "judge_check.people"),
    )
    html(part("about", say("judge_check.head"), info, say("lv_eval.form"), columns))
    file = gr.File(
        label=say("judge_check.file"),
        file_types=FILE_TYPES,
        height=160,
        elem_id="check-file",
    )
    try_example = gr.Button(say("page.try_example"), size="sm", elem_id="try-example")
    gr.DownloadButton(say("page.get_example"), str(EXAMPLE), size="sm", elem_id="get-example")
    attributes = gr.InputHTMLAttributes(autocomplete="off", spellcheck=False)
    range_ends = []
    with gr.Row(elem_classes="al-range"):
        for end in ("low", "high"):
            field = gr.Textbox(
                label=say(f"judge_check.range_{end}"),
                max_lines=1,
                min_width=100,
                html_attributes=attributes,
                elem_id=f"range-{end}",
            )
            range_ends.append(field)
    html(f'<p class="al-detail">{say("judge_check.range_info")}</p>')
    check = gr.Button(say("judge_check.check"), variant="primary", elem_id="check")
    return CheckForm(file, try_example, range_ends, check)


def check_file(held: VisitorFile | str | None, low: str, high: str) -> Updates:
    """Return the results of a file's check, and the signatures.

    Args:
        held: the file, or a message that says why there is none.
        low: the lowest score of the judge's scale, as a text.
        high: the highest score.
    """
    if not isinstance(held, VisitorFile):
        raise UserError("page.as_it_is", text=held or Note("files_tab.gone"))
    check = compute_check(held.table, parse_score_range(low, high))
    signatures = []
    for module in (check.bias, check.accuracy):
        if module.result:
            signatures.append(module.result["signature"])
    shown_signatures = gr.update(
        value="\n".join(signatures), lines=len(signatures), visible=bool(signatures)
    )
    return {"shown": draw_check(check, held), "signed": shown_signatures}


def draw_check(check: JudgeCheck, file: VisitorFile) -> str:
    """Return the HTML of a check: each number with its data, overall and by type."""
    figures = []
    tables = []
    type_head = say("page.head_type")
    for measure in list_measures(check):
        # The first fact is the number itself.
        (_, value), *facts = list_facts(measure.overall).items()
        figures.append({"name": measure.name, "value": value, "facts": facts})
        if measure.by_type:
            title = say("report.by", title=say(f"metric.title.{measure.name}"), column=type_head)
            heads = [type_head, *list_facts(measure.by_type[0])]
            rows = [[show_type(row["type"]), *list_facts(row).values()] for row in measure.by_type]
            tables.append(SectionText(title, heads, rows))
    bias = check.bias.result
    return render(
        "judge_check.html",
        check=check,
        file=file,
        people=format_sections(check.people.sections) if check.people else [],
        verdict=summarize_check(check),
        figures=figures,
        tables=tables,
        unparsed=list_unparsed(bias, check.replies) if bias else [],
        most=MAX_TYPES,
    )


@dataclass(frozen=True)
class Measure:
    """A number of the check: its name, and its values overall and by type."""

    name: str
    overall: Mapping[str, Any]
    by_type: Sequence[Mapping[str, Any]]


def list_measures(check: JudgeCheck) -> Iterator[Measure]:
    """Yield the numbers of a check."""
    bias = check.bias.result
    if bias:
        yield read_bias_measure(bias, "repr_bias", "represent")
        yield read_bias_measure(bias, "error_sensitivity", "error")
    accuracy = check.accuracy.result
    if accuracy:
        by_type = [row | {"type": row["group"]} for row in accuracy.get("by_group", ())]
        yield Measure("reward_accuracy", accuracy, by_type)


def read_bias_measure(result: Mapping[str, Any], name: str, category: str) -> Measure:
    """Return a number of judge_bias.

    Args:
        result: the result of judge_bias.
        name: the name of the number in the result.
        category: the category of the rows that it is computed from.
    """
    scored = select_scored_rows(result).index.value_counts()
    overall = {
        "mean": result[name],
        "interval": result[f"{name}_interval"],
        "bounds": result[f"{name}_bounds"],
        "n": result[f"n_{category}"],
        "n_scored": scored.get(category, 0),
    }
    by_type = []
    for row in result.get("by_type", ()):
        if row["measure"] == name:
            by_type.append(row | {"type": row["perturbation_type"]})
    return Measure(name, overall, by_type)


def list_facts(row: Mapping[str, Any]) -> dict[str, str]:
    """Return a number and its data as texts, by their titles."""
    is_reward_accuracy = "ties" in row
    if is_reward_accuracy:
        texts = {
            "metric.title.reward_accuracy": format_number(row["reward_accuracy"]),
            "report.interval": format_interval(row["interval"], format_number),
            "judge_check.pairs": f"{row['n']:,}",
            "judge_check.ties": f"{row['ties']:,}",
            "judge_check.mean_margin": format_difference(row["mean_margin"]),
        }
    else:
        scored = say("judge_check.scored_count", scored=row["n_scored"], rows=row["n"])
        texts = {
            "report.mean": format_difference(row["mean"]),
            "report.interval": format_interval(row["interval"]),
            "judge_check.scored_of": scored,
        }
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
    if abs(value) >= LARGE_NUMBER:
        return f"{value:.4g}"
    shown = f"{value:.2f}"
    if not value or float(shown):
        return shown
    return "<0.01" if value > 0 else ">-0.01"


def format_interval(
    interval: Interval, format_end: Callable[[float], str] = format_difference
) -> str:
    """Return an interval as a text; a dash for None."""
    if not interval:
        return "–"
    low, high = interval
    return say("page.from_to", low=format_end(low), high=format_end(high))


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
