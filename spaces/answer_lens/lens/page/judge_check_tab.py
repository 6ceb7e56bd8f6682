"""The tab "Judge check": a file of a judge's replies in, its bias, sensitivity and reward accuracy out.

What a visitor sends is deleted as soon as it is read; the columns that count stay in memory for an hour, so that the
range of scores can be changed.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gradio as gr

from lens.judge_check.numbers import Check, check, score_range
from lens.judge_check.verdict import scored_in, type_name, verdict
from lens.page.html import render
from lens.tables.untrusted import EXAMPLE, BadFile, Table, read, read_upload
from lens.tables.visitors_file import MAX_BYTES, MAX_ROWS
from lens.words import knows, say, speaking
from lens.words.formats import number

FILE_TYPES = [".csv", ".tsv", ".jsonl", ".ndjson", ".json", ".parquet"]
# Files that are checked at a time; others wait in Gradio's queue.
CHECKS = 2
FORGET_SECONDS = 3600
MAX_UNPARSED, MAX_BEGINNING = 20, 160
MAX_TYPES = 40
LARGE = 1e6

# Gradio's own look of HTML is for running text.
html = functools.partial(gr.HTML, apply_default_css=False)

Pair = Sequence[float] | None


@dataclass(frozen=True)
class Given:
    """A file that was read."""

    name: str
    table: Table
    made_up: bool = False


def build(language: str) -> None:
    """The whole tab, in one language."""
    with gr.Row(elem_classes="al-page"):
        with gr.Column(scale=0, min_width=300, elem_classes="al-side"):
            file, example, ends, button = build_form()
        with gr.Column(min_width=300, elem_classes="al-main"):
            shown = html(message(say("check_start")), elem_id="check-results")
            signatures = gr.Textbox(
                label=say("signature"), lines=2, visible=False, buttons=["copy"], elem_id="check-signed"
            )
    held = gr.State(None, time_to_live=FORGET_SECONDS)

    def shown_of(given: Given | None, low: str, high: str) -> list[Any]:
        try:
            if given is None:
                raise BadFile(say("check_no_file"))
            found = check(given.table, score_range(low, high))
        except BadFile as error:
            return [message(str(error), given.name if given else ""), gr.Textbox(visible=False)]
        signed = [part.result["signature"] for part in (found.bias, found.accuracy) if part.result]
        return [draw(found, given), gr.Textbox("\n".join(signed), lines=len(signed), visible=bool(signed))]

    def check_file(path: str, low: str, high: str) -> list[Any]:
        with speaking(language):
            try:
                given = Given(Path(path).name, read_upload(path))
            except BadFile as error:
                return [None, None, message(str(error), Path(path).name), gr.Textbox(visible=False)]
            return [given, None, *shown_of(given, low, high)]

    def check_example(low: str, high: str) -> list[Any]:
        with speaking(language):
            given = Given(EXAMPLE.name, read("csv", EXAMPLE.read_bytes()), made_up=True)
            return [given, None, *shown_of(given, low, high)]

    def check_again(given: Given | None, low: str, high: str) -> list[Any]:
        with speaking(language):
            return shown_of(given, low, high)

    event: dict[str, Any] = {
        "show_progress_on": shown,
        "concurrency_limit": CHECKS,
        "concurrency_id": "judge_check",
        "api_visibility": "private",
    }
    file.upload(check_file, [file, *ends], [held, file, shown, signatures], **event)
    example.click(check_example, ends, [held, file, shown, signatures], **event)
    changed = [button.click, *(end.submit for end in ends)]
    gr.on(changed, check_again, [held, *ends], [shown, signatures], **event)


def build_form() -> tuple[gr.File, gr.Button, list[gr.Textbox], gr.Button]:
    """The field for the file, what must be in it, the example to look at, the range of scores, the button."""
    html(render("judge_check_form.html", size=MAX_BYTES // 1_000_000, rows=MAX_ROWS))
    file = gr.File(label=say("check_file"), file_types=FILE_TYPES, height=160, elem_id="check-file")
    example = gr.Button(say("try_example"), size="sm", elem_id="try-example")
    gr.DownloadButton(say("get_example"), str(EXAMPLE), size="sm", elem_id="get-example")
    plain = gr.InputHTMLAttributes(autocomplete="off", spellcheck=False)
    with gr.Row(elem_classes="al-range"):
        ends = [
            gr.Textbox(
                label=say(f"range_{end}"), max_lines=1, min_width=100, elem_id=f"range-{end}", html_attributes=plain
            )
            for end in ("low", "high")
        ]
    html(f'<p class="al-detail">{say("range_info")}</p>')
    return file, example, ends, gr.Button(say("check"), variant="primary", elem_id="check")


def message(text: str, source: str = "") -> str:
    """What stands there instead of numbers."""
    return render("message.html", title=say("check_results"), text=text, source=source)


def draw(found: Check, given: Given) -> str:
    """All that a file's check gives."""
    bias, accuracy = found.bias.result, found.accuracy.result
    parts = [types_of_bias(bias["by_type"])] if bias and bias["by_type"] else []
    parts += [types_of_accuracy(accuracy["by_group"])] if accuracy and accuracy["by_group"] else []
    shown = {"verdict": verdict(found), "figures": figures(found), "types": parts, "at": at, "between": between}
    replies = unparsed(bias, found.replies) if bias else []
    return render("judge_check.html", found=found, given=given, unparsed=replies, **shown)


def figures(found: Check) -> list[dict[str, Any]]:
    """The numbers that there are: name, value, and what each rests on."""
    drawn = []
    if result := found.bias.result:
        for name, kind in (("repr_bias", "represent"), ("error_sensitivity", "error")):
            rows, scored = result[f"n_{kind}"], scored_in(result, kind)
            facts = [(say("interval"), between(result[f"{name}_interval"]))]
            facts.append((say("scored_of"), say("scored_count", scored=scored, rows=rows)))
            if rows > scored:
                facts.append((say("unparsed"), f"{rows - scored:,}"))
            if rows > scored and result[f"{name}_bounds"]:
                facts.append((say("bounds"), between(result[f"{name}_bounds"])))
            drawn.append({"name": name, "value": signed(result[name]), "facts": facts})
    if result := found.accuracy.result:
        facts = [(say("interval"), between(result["interval"], number)), (say("pairs"), f"{result['n']:,}")]
        facts += [(say("ties"), f"{result['ties']:,}"), (say("mean_margin"), signed(result["mean_margin"]))]
        drawn.append({"name": "reward_accuracy", "value": number(result["reward_accuracy"]), "facts": facts})
    return drawn


def signed(value: float | None) -> str:
    """A difference of scores with two digits; a dash for none. A 0.00 is exactly 0, and large ones are written short.

    >>> signed(0.5), signed(-1.25), signed(0.001), signed(-0.001), signed(0.0), signed(1e90), signed(None)
    ('0.50', '-1.25', '<0.01', '>-0.01', '0.00', '1e+90', '–')
    """
    if value is None:
        return "–"
    if abs(value) >= LARGE:
        return f"{value:.4g}"
    shown = f"{value:.2f}"
    return ("<0.01" if value > 0 else ">-0.01") if value and float(shown) == 0 else shown


def between(pair: Pair, show: Any = signed) -> str:
    """An interval in words; a dash for none."""
    return say("from_to", low=show(pair[0]), high=show(pair[1])) if pair else "–"


def types_of_bias(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The plots and the table of judge_bias by type; both plots on one scale."""
    shown = rows[:MAX_TYPES]
    ends = [0.0, *(end for row in shown for end in (row["interval"] or [row["mean"] or 0.0]))]
    scale = (min(ends), max(ends) if max(ends) > min(ends) else min(ends) + 1.0)
    plots = []
    for measure in ("repr_bias", "error_sensitivity"):
        own = [row for row in shown if row["measure"] == measure]
        bars = [(type_name(row["perturbation_type"]), row["n_scored"], row["mean"], row["interval"]) for row in own]
        plots.append({"title": say(f"plot_{measure}"), "bars": bars, "scale": scale, "mark": 0.0, "show": signed})
    cells = []
    for row in shown:
        scored = say("scored_count", scored=row["n_scored"], rows=row["n"])
        values = [say(f"short_{row['measure']}"), scored, signed(row["mean"]), between(row["interval"])]
        cells.append((type_name(row["perturbation_type"]), values, False))
    heads = [say(f"head_{name}") for name in ("type", "measure_of", "scored_of", "mean", "interval")]
    return {"name": "bias", "plots": plots, "heads": heads, "rows": cells, "more": len(rows) - MAX_TYPES}


def types_of_accuracy(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The plot and the table of reward_accuracy by type."""
    bars, cells = [], []
    for row in rows[:MAX_TYPES]:
        name, share, interval = type_name(row["group"]), row["reward_accuracy"], row["interval"]
        bars.append((name, row["n"], share, interval))
        counts = [f"{row['n']:,}", f"{row['ties']:,}", signed(row["mean_margin"])]
        cells.append((name, [*counts, number(share), between(interval, number)], False))
    plot = {"title": say("plot_reward_accuracy"), "bars": bars, "scale": (0.0, 1.0), "mark": 0.5, "show": number}
    heads = [say(f"head_{name}") for name in ("type", "pairs", "ties", "mean_margin", "accuracy", "interval")]
    return {"name": "accuracy", "plots": [plot], "heads": heads, "rows": cells, "more": len(rows) - MAX_TYPES}


def at(point: float, scale: tuple[float, float]) -> float:
    """Where a point lies on a scale, in percent.

    >>> at(1.0, (-1.0, 3.0)), at(9.0, (-1.0, 3.0))
    (50.0, 100.0)
    """
    low, high = scale
    return 100 * (min(max(point, low), high) - low) / (high - low)


def unparsed(result: Mapping[str, Any], replies: Sequence[Any]) -> list[tuple[int, str, str]]:
    """The first replies without a score: row, reason, beginning."""
    found: list[tuple[int, str, str]] = []
    for place, (row, reply) in enumerate(zip(result["per_example"], replies, strict=True), 1):
        if row["score"] is None and len(found) < MAX_UNPARSED:
            known = knows(f"unparsed_{row['reason']}")
            reason = say(f"unparsed_{row['reason']}") if known else str(row["note"] or row["reason"])
            text = " ".join(str(reply)[: 4 * MAX_BEGINNING].split())
            found.append((place, reason, text if len(text) <= MAX_BEGINNING else text[:MAX_BEGINNING] + "…"))
    return found
