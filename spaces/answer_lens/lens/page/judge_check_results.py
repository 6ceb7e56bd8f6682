"""What the judge check shows, as HTML: the numbers, what they mean, the replies without a score.

All that comes from a file passes through `parts.escape`. What there is by type is drawn in page/judge_check_plots.py.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

from lens.judge_check.numbers import Check, Part
from lens.judge_check.verdict import scored_in, verdict
from lens.page.cards import draw_signature
from lens.page.html import escape
from lens.page.judge_check_plots import between, draw_by_group, draw_by_type, signed
from lens.words import knows, say
from lens.words.formats import number

MAX_UNPARSED = 20
MAX_BEGINNING = 160
MAX_FILE_NAME = 100


def draw_check(found: Check, source: str, made_up: bool) -> str:
    """All that a file's check gives."""
    parts = [draw_head(found, source, made_up), f'<div class="al-figures">{draw_figures(found)}</div>']
    if found.bias.result:
        parts += [draw_by_type(found.bias.result), draw_unparsed(found.bias.result, found.replies)]
    if found.accuracy.result:
        parts.append(draw_by_group(found.accuracy.result))
    body = "".join(part for part in parts if part)
    return f'<div class="al-check" data-state="checked">{body}</div>'


def draw_message(message: str, state: str, source: str = "") -> str:
    """What stands there instead of numbers. `state` is "waiting", "pending" or "refused"."""
    named = f'<p class="al-detail"><bdi>{shown_name(source)}</bdi></p>' if source else ""
    return (
        f'<div class="al-check" data-state="{state}"><section class="al-overview" aria-labelledby="al-check-head">'
        f'<h2 id="al-check-head">{say("check_results")}</h2>{named}'
        f'<p class="al-sentence" role="status" aria-live="polite">{escape(message)}</p></section></div>'
    )


def shown_name(source: str) -> str:
    """The name of a file, not too long."""
    return escape(source if len(source) <= MAX_FILE_NAME else source[:MAX_FILE_NAME] + "…")


def draw_head(found: Check, source: str, made_up: bool) -> str:
    """The file, how rows are counted, and what the numbers mean together."""
    warning = f'<p class="al-note">{say("made_up")}</p>' if made_up else ""
    counted = say("checked_row") if found.rows == 1 else say("checked_rows", rows=found.rows)
    sentence = verdict(found)
    meant = f'<p class="al-sentence" role="status" aria-live="polite">{escape(sentence)}</p>' if sentence else ""
    return (
        f'<section class="al-overview" aria-labelledby="al-check-head"><h2 id="al-check-head">{say("check_results")}'
        f'</h2>{warning}<p class="al-detail"><bdi>{shown_name(source)}</bdi>{say("colon")}{counted}</p>{meant}'
        "</section>"
    )


def draw_figures(found: Check) -> str:
    """The three numbers, or what each would need."""
    drawn = []
    for name, kind in (("repr_bias", "represent"), ("error_sensitivity", "error")):
        result = found.bias.result
        drawn.append(draw_figure(name, bias_details(result, name, kind)) if result else "")
    result = found.accuracy.result
    drawn.append(draw_figure("reward_accuracy", accuracy_details(result)) if result else "")
    drawn += [draw_lack(name, part) for name, part in (("judge_bias", found.bias), ("reward_accuracy", found.accuracy))]
    return "".join(drawn)


def draw_lack(name: str, part: Part) -> str:
    """Why a module gave no number."""
    if part.result:
        return ""
    kind = "al-message al-refused" if part.failed else "al-message"
    return (
        f'<article class="al-figure" data-figure="{name}"><h3>{say(f"title_{name}")}</h3>'
        f'<p class="{kind}">{escape(part.message)}</p></article>'
    )


def bias_details(result: Mapping[str, Any], name: str, kind: str) -> dict[str, Any]:
    """What is shown of one of judge_bias' two numbers."""
    rows, scored = result[f"n_{kind}"], scored_in(result, kind)
    lines = [(say("scored_of"), say("scored_count", scored=scored, rows=rows))]
    if rows > scored:
        lines.append((say("unparsed"), f"{rows - scored:,}"))
    if rows > scored and result[f"{name}_bounds"]:
        lines.append((say("bounds"), between(result[f"{name}_bounds"])))
    return {
        "value": signed(result[name]),
        "interval": between(result[f"{name}_interval"]),
        "lines": lines,
        "signature": result["signature"],
    }


def accuracy_details(result: Mapping[str, Any]) -> dict[str, Any]:
    """What is shown of reward_accuracy."""
    return {
        "value": number(result["reward_accuracy"]),
        "interval": between(result["interval"], accuracy=True),
        "lines": [
            (say("pairs"), f"{result['n']:,}"),
            (say("ties"), f"{result['ties']:,}"),
            (say("mean_margin"), signed(result["mean_margin"])),
        ],
        "signature": result["signature"],
    }


def draw_figure(name: str, details: Mapping[str, Any]) -> str:
    """One number: what it measures, its interval, what it rests on, and the signature."""
    direction = say("lower" if name == "repr_bias" else "higher")
    lines = [(say("interval"), details["interval"]), *details["lines"]]
    listed = "".join(f"<div><dt>{escape(what)}</dt><dd>{escape(value)}</dd></div>" for what, value in lines)
    return (
        f'<article class="al-figure" aria-labelledby="al-{name}" data-figure="{name}"><header>'
        f'<h3 id="al-{name}">{say(f"title_{name}")}</h3><p class="al-score">{escape(details["value"])}</p></header>'
        f'<p class="al-scale">{direction}{say("comma")}{say(f"scale_{name}")}</p>'
        f'<p class="al-measures">{say(f"measures_{name}")}</p><dl class="al-facts">{listed}</dl>'
        f"{draw_signature(say(f'title_{name}'), details['signature'])}</article>"
    )


def draw_unparsed(result: Mapping[str, Any], replies: Sequence[Any]) -> str:
    """The first replies without a score: row, reason, beginning."""
    rows = enumerate(zip(result["per_example"], replies, strict=True), 1)
    unparsed = (draw_reply(number, row, str(reply)) for number, (row, reply) in rows if row["score"] is None)
    shown = "".join(itertools.islice(unparsed, MAX_UNPARSED))
    if not shown:
        return ""
    left = result["unparsed"] - MAX_UNPARSED
    more = f'<p class="al-detail">{say("more_unparsed", count=left)}</p>' if left > 0 else ""
    return (
        f'<section class="al-overview" aria-labelledby="al-unparsed"><h2 id="al-unparsed">'
        f'{say("unparsed_replies", count=result["unparsed"])}</h2><p class="al-detail">{say("unparsed_info")}</p>'
        f'<ol class="al-unparsed">{shown}</ol>{more}</section>'
    )


def draw_reply(number: int, row: Mapping[str, Any], reply: str) -> str:
    """One reply without a score."""
    known = knows(f"unparsed_{row['reason']}")
    reason = say(f"unparsed_{row['reason']}") if known else str(row["note"] or row["reason"])
    text = " ".join(reply[: 4 * MAX_BEGINNING].split())
    beginning = text if len(text) <= MAX_BEGINNING else text[:MAX_BEGINNING] + "…"
    quoted = f'<p class="al-quoted" dir="auto">{escape(beginning)}</p>' if beginning else ""
    return f"<li><b>{say('row', number=number)}</b>{say('colon')}{escape(reason)}{quoted}</li>"
