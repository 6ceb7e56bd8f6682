"""What a judge's card shows: the masses on yes and no, the reasoning, what it cost, and the exact prompt."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lens.page.html import escape, listed, measured
from lens.words import say
from lens.words.formats import UNPRINTABLE, money, number, passed

MAX_REASONING = 5_000
MAX_FIRST_TOKENS = 20
MAX_TOKEN = 40
# Signs for what else would not be seen in a token, as tokenizers write them.
UNSEEN = str.maketrans({" ": "␣", "\n": "↵", "\t": "⇥", "\r": "↵"})


def draw_l3score(reason: Mapping[str, Any]) -> str:
    """How the score came about, the masses on yes, no and all else, and the first tokens that the judge considered."""
    branch, mass = reason["branch"], reason["mass"]
    estimated = {"yes_only": "p_no", "no_only": "p_yes"}.get(branch, "")
    rows = [
        measured(say(name), None, say("not_listed"))
        if branch == "neither"
        else measured(say(name), reason[name], say("estimated") if name == estimated else "")
        for name in ("p_yes", "p_no")
    ]
    if mass is not None:
        rows.append(measured(say("p_other"), min(max(1 - mass, 0.0), 1.0)))
    return (
        f'<p class="al-how">{say(f"branch_{branch}")}</p>{listed(rows)}{draw_first(reason["top_tokens"])}'
        f"{draw_paid(reason)}"
    )


def draw_first(tokens: Any) -> str:
    """The first tokens that the judge considered, the likeliest first."""
    shown = [
        f'<li><bdi class="al-token">{escape(visible(str(token)))}</bdi> <b>{escape(number(float(value)))}</b></li>'
        for token, value in (tokens or [])[:MAX_FIRST_TOKENS]
    ]
    title = say("first_tokens")
    return f'<h4 class="al-small">{title}</h4><ol class="al-legend al-first">{"".join(shown)}</ol>' if shown else ""


def visible(token: str) -> str:
    """A token with its spaces and line ends made visible."""
    shown = token if len(token) <= MAX_TOKEN else token[:MAX_TOKEN] + "…"
    return shown.translate(UNSEEN) or say("empty_token")


def draw_eve_judge(reason: Mapping[str, Any]) -> str:
    """The verdict, and the judge's reasoning as it gave it."""
    word = passed(float(reason["score"]))
    good = "al-passed" if reason["score"] == 1 else "al-failed"
    reasoning = str(reason["reasoning"] or "").strip()
    shown = reasoning if len(reasoning) <= MAX_REASONING else reasoning[:MAX_REASONING] + "…"
    body = (
        f'<h4 class="al-small">{say("reasoning")}</h4><div class="al-reasoning" role="region" tabindex="0" '
        f'aria-label="{say("reasoning")}" dir="auto">{escape(shown)}</div>'
        if shown
        else f'<p class="al-detail">{say("no_reasoning")}</p>'
    )
    return f'<div class="al-gate {good}"><p>{say("verdict", verdict=word)}</p></div>{body}{draw_paid(reason)}'


def draw_paid(reason: Mapping[str, Any]) -> str:
    """Which model answered, and what the call took."""
    used = say("paid_unreported") if reason["usage"] is None else say("paid_tokens", **reason["tokens"])
    cost = money(reason["cost"]) if "cost" in reason else say("ft_cost_whole")  # one row of a whole file
    text = say("paid", model=reason["model"], tokens=used, cost=cost)
    again = say("sent_again", count=reason["sent"]) if reason.get("sent", 1) > 1 else ""
    return f'<p class="al-detail al-paid">{escape(text + again)}</p>'


def draw_prompt(title: str, prompt: str, opened: bool) -> str:
    """The prompt as it is sent, to be copied; behind a line to click where the card has a score to show."""
    name = escape(say("prompt_of", title=title))
    replaced = f'<p class="al-detail">{say("prompt_replaced")}</p>' if UNPRINTABLE.search(prompt) else ""
    # A carriage return as it stands would be read as a line feed.
    text = escape(prompt).replace("\r", "&#13;")
    block = (
        f'<button type="button" class="al-copy" aria-label="{escape(say("copy_prompt", title=title))}" '
        f'data-copied="{say("copied")}">{say("copy")}</button>'
        f'<pre role="region" tabindex="0" aria-label="{name}" dir="auto"><code>{text}</code></pre>'
    )
    if opened:
        return f'<div class="al-prompt"><h4 class="al-small">{say("prompt")}</h4>{block}{replaced}</div>'
    summary = f"<summary>{say('prompt')}</summary>"
    return f'<details class="al-details">{summary}<div class="al-prompt">{block}{replaced}</div></details>'
