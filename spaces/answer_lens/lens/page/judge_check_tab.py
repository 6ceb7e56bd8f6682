"""The tab "Judge check": a file of a judge's replies in, its bias, sensitivity and reward accuracy out."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import gradio as gr

from lens.judge_check.numbers import Check, check, score_range
from lens.judge_check.verdict import scores_of, type_name, verdict
from lens.page.html import cut, render
from lens.page.sent_files import KEPT_SECONDS, KINDS, Sent, example, message, received
from lens.page.tab import HEAVY, Tab, Updates
from lens.tables.untrusted import EXAMPLE, BadFile
from lens.tables.visitors_file import MAX_BYTES, MAX_ROWS
from lens.words import knows, say
from lens.words.formats import number

MAX_UNPARSED, MAX_BEGINNING = 20, 160
MAX_TYPES = 40
LARGE = 1e6

# Gradio's own look of HTML is for running text.
html = functools.partial(gr.HTML, apply_default_css=False)

Pair = Sequence[float] | None


def build(language: str) -> None:
    """The whole tab, in one language."""
    tab = Tab("judge_check", language, lambda text: {"shown": message(text), "signed": gr.update(visible=False)})
    parts = tab.parts
    # The file that was read, or why it could not be.
    parts["held"] = gr.State(say("check_no_file"), time_to_live=KEPT_SECONDS)
    with gr.Row(elem_classes="al-page"):
        with gr.Column(scale=0, min_width=300, elem_classes="al-side"):
            parts["file"], try_example, ends, button = build_form()
        with gr.Column(min_width=300, elem_classes="al-main"):
            parts["shown"] = html(message(say("check_start")), elem_id="check-results")
            looks: dict[str, Any] = {"visible": False, "buttons": ["copy"], "elem_id": "check-signed"}
            parts["signed"] = gr.Textbox(label=say("f_report_signatures"), **looks)
    event: dict[str, Any] = HEAVY | {"show_progress_on": parts["shown"], "concurrency_id": "judge_check"}
    checks: dict[str, Any] = {"work": results, "inputs": [parts["held"], *ends], **event}
    tab.on(tab.on(parts["file"].upload, receive, parts["file"], **event).then, **checks)
    tab.on(tab.on(try_example.click, lambda: {"held": example(EXAMPLE), "file": None}, **event).then, **checks)
    tab.on([button.click, *(end.submit for end in ends)], **checks)


def receive(path: str) -> Updates:
    """A file was sent."""
    try:
        return {"held": received(path), "file": None}
    except BadFile as error:
        return {"held": f"{cut(Path(path).name, 100)}{say('colon')}{error}", "file": None}


def build_form() -> tuple[gr.File, gr.Button, list[gr.Textbox], gr.Button]:
    """The field for the file, what must be in it, the example to look at, the range of scores, the button."""
    html(render("judge_check_form.html", size=MAX_BYTES // 1_000_000, rows=MAX_ROWS))
    file = gr.File(label=say("check_file"), file_types=KINDS, height=160, elem_id="check-file")
    try_example = gr.Button(say("try_example"), size="sm", elem_id="try-example")
    gr.DownloadButton(say("get_example"), str(EXAMPLE), size="sm", elem_id="get-example")
    plain = gr.InputHTMLAttributes(autocomplete="off", spellcheck=False)
    field = functools.partial(gr.Textbox, max_lines=1, min_width=100, html_attributes=plain)
    with gr.Row(elem_classes="al-range"):
        ends = [field(label=say(f"range_{end}"), elem_id=f"range-{end}") for end in ("low", "high")]
    html(f'<p class="al-detail">{say("range_info")}</p>')
    return file, try_example, ends, gr.Button(say("check"), variant="primary", elem_id="check")


def results(given: Sent | str | None, low: str, high: str) -> Updates:
    """What a file's check gives, and the signatures."""
    if not isinstance(given, Sent):
        raise BadFile(given or say("ft_gone"))
    found = check(given.table, score_range(low, high))
    signed = [part.result["signature"] for part in (found.bias, found.accuracy) if part.result]
    signatures = gr.update(value="\n".join(signed), lines=len(signed), visible=bool(signed))
    return {"shown": draw(found, given), "signed": signatures}


def draw(found: Check, given: Sent) -> str:
    """All that a file's check gives."""
    bias = found.bias.result
    shown = {"verdict": verdict(found), "figures": figures(found), "tables": tables(found), "at": at}
    replies = unparsed(bias, found.replies) if bias else []
    return render("judge_check.html", found=found, given=given, unparsed=replies, most=MAX_TYPES, **shown)


def figures(found: Check) -> list[dict[str, Any]]:
    """The numbers that there are: name, value, and what each rests on."""
    drawn = []
    if result := found.bias.result:
        for name, kind in (("repr_bias", "represent"), ("error_sensitivity", "error")):
            rows, scored = result[f"n_{kind}"], len(scores_of(result, kind))
            facts = [(say("f_report_interval"), between(result[f"{name}_interval"]))]
            facts.append((say("scored_of"), say("scored_count", scored=scored, rows=rows)))
            if rows > scored and result[f"{name}_bounds"]:
                facts.append((say("bounds"), between(result[f"{name}_bounds"])))
            drawn.append({"name": name, "value": signed(result[name]), "facts": facts})
    if result := found.accuracy.result:
        facts = [(say("f_report_interval"), between(result["interval"], number)), (say("pairs"), f"{result['n']:,}")]
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


def between(pair: Pair, show: Callable[[float], str] = signed) -> str:
    """An interval in words; a dash for none."""
    return say("from_to", low=show(pair[0]), high=show(pair[1])) if pair else "–"


def tables(found: Check) -> list[dict[str, Any]]:
    """What there is by type: of each type a bar from 0 with its interval, over it the mark, and figures."""
    drawn = []
    if (result := found.bias.result) and (types := result.get("by_type")):
        ends = [0.0, *(end for row in types for end in (row["interval"] or [row["mean"] or 0.0]))]
        scale = (min(ends), max(ends) if max(ends) > min(ends) else min(ends) + 1.0)
        heads = [say(key) for key in ("head_type", "f_report_mean", "f_report_interval", "scored_of")]
        for measure in ("repr_bias", "error_sensitivity"):
            rows = [
                (type_name(row["perturbation_type"]), row["mean"], row["interval"], signed(row["mean"]),
                 [between(row["interval"]), say("scored_count", scored=row["n_scored"], rows=row["n"])])
                for row in types if row["measure"] == measure
            ]  # fmt: skip
            drawn.append({"name": measure, "heads": heads, "rows": rows, "scale": scale, "mark": 0.0})
    if result := found.accuracy.result:
        heads = [
            say(key)
            for key in ("head_type", "title_reward_accuracy", "f_report_interval", "pairs", "ties", "mean_margin")
        ]
        rows = [
            (type_name(row["group"]), row["reward_accuracy"], row["interval"], number(row["reward_accuracy"]),
             [between(row["interval"], number), f"{row['n']:,}", f"{row['ties']:,}", signed(row["mean_margin"])])
            for row in result.get("by_group", ())
        ]  # fmt: skip
        drawn.append({"name": "reward_accuracy", "heads": heads, "rows": rows, "scale": (0.0, 1.0), "mark": 0.5})
    return [one for one in drawn if one["rows"]]


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
            key = f"unparsed_{row['reason']}"
            reason = say(key) if knows(key) else str(row["note"] or row["reason"])
            found.append((place, reason, cut(" ".join(str(reply)[: 4 * MAX_BEGINNING].split()), MAX_BEGINNING)))
    return found
