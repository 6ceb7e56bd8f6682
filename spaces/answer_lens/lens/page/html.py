"""Small pieces of HTML that cards are made of. Every text that comes in is escaped here."""

import html
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from lens.words import TABLES, language, say
from lens.words.formats import HAN, UNPRINTABLE, number, percent

MAX_TOKENS = 300
MAX_TOKEN_LENGTH = 120
MAX_SPOKEN_WORDS = 30


MATCHED, REORDERED, UNMATCHED, BLACKLISTED = "matched", "reordered", "unmatched", "blacklisted"
Tokens = Sequence[Sequence[str]]


def rich(key: str, **values: object) -> Markup:
    """A text that holds HTML of our own, such as <b>; the values that are filled in are escaped."""
    return Markup(TABLES[language()][key]).format(**values)


def printable(value: Any) -> Any:
    """What a template shows of a value: a text without what cannot be shown."""
    return UNPRINTABLE.sub("\ufffd", value) if isinstance(value, str) and not isinstance(value, Markup) else value


TEMPLATES = jinja2.Environment(
    loader=jinja2.FileSystemLoader(Path(__file__).with_name("templates")),
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
    undefined=jinja2.StrictUndefined,
    finalize=printable,
)
TEMPLATES.globals.update(say=say, rich=rich, number=number, percent=percent)


def render(template: str, **values: Any) -> str:
    """A template filled in; every value is escaped but what is Markup already."""
    return TEMPLATES.get_template(template).render(**values)


def escape(text: object) -> str:
    """`text` as HTML that shows it and does nothing else."""
    return html.escape(UNPRINTABLE.sub("\ufffd", str(text)), quote=True)


def bar(value: float, low: float = 0.0, high: float = 1.0, threshold: float | None = None) -> str:
    """A bar for the eye only; the number beside it says the same."""
    width = 100 * min(max((value - low) / (high - low), 0.0), 1.0)
    tick = ""
    if threshold is not None:
        tick = f'<span class="al-tick" style="left:{100 * (threshold - low) / (high - low):.1f}%"></span>'
    fill = f'<span class="al-fill" style="width:{width:.1f}%"></span>'
    return f'<span class="al-bar" aria-hidden="true">{fill}{tick}</span>'


def measured(name: str, value: float | None, detail: str = "", threshold: float | None = None) -> str:
    """One line of a list of measurements: name, bar, value and, below, a detail."""
    below = f'<span class="al-detail">{escape(detail)}</span>' if detail else ""
    drawn = bar(value, threshold=threshold) if value is not None else ""
    return (
        f'<div class="al-row"><dt>{escape(name)}</dt>'
        f'<dd>{drawn}<span class="al-number">{escape(number(value))}</span>{below}</dd></div>'
    )


def listed(rows: Sequence[str]) -> str:
    """Rows of `measured` as a list."""
    return f'<dl class="al-rows">{"".join(rows)}</dl>'


def token(text: str, status: str, side: str) -> str:
    """One word, marked by what it is."""
    shown = text if len(text) <= MAX_TOKEN_LENGTH else text[:MAX_TOKEN_LENGTH] + "…"
    kind = status if status in (MATCHED, REORDERED, BLACKLISTED) else side
    return f'<bdi class="al-token al-{kind}">{escape(shown)}</bdi>'


def spoken(tokens: Tokens, label: str) -> str:
    """What the marks say, for those who cannot see them."""
    words = [str(text) for text, status in tokens if status == UNMATCHED][:MAX_SPOKEN_WORDS]
    if not words:
        return ""
    told = say("spoken_words", label=label, words=say("list_comma").join(words))
    return f'<span class="al-unseen"> {escape(told)}</span>'


def words(title: str, tokens: Tokens, side: str, label: str, language: str) -> str:
    """A text as the metric reads it, its words marked; `side` is what an unmatched word is called."""
    drawn = " ".join(token(str(text), status, side) for text, status in tokens[:MAX_TOKENS])
    if len(tokens) > MAX_TOKENS:
        drawn += f' <span class="al-detail">{say("more_words", count=len(tokens) - MAX_TOKENS)}</span>'
    chinese = language == "zh" and any(HAN.search(str(text)) for text, _ in tokens[:MAX_TOKENS])
    spoken_language = ' lang="zh"' if chinese else ""
    body = drawn or f'<span class="al-detail">{say("no_words")}</span>'
    return (
        f'<h4 class="al-small">{title}</h4>'
        f'<p class="al-words" dir="auto"{spoken_language}>{body}{spoken(tokens, label)}</p>'
    )


def legend(answer: Tokens, reference: Tokens, blacklist_note: str = "") -> str:
    """What the marks mean, and how many words carry each."""
    in_answer = Counter(status for _, status in answer)
    in_reference = Counter(status for _, status in reference)
    entries = [
        ("matched", say("in_both"), in_answer[MATCHED]),
        ("reordered", say("reordered"), in_answer[REORDERED]),
        ("extra", say("answer_only"), in_answer[UNMATCHED]),
        ("missing", say("missing"), in_reference[UNMATCHED]),
        ("blacklisted", say("blacklisted"), in_answer[BLACKLISTED] + in_reference[BLACKLISTED]),
    ]
    drawn = "".join(
        f'<li><span class="al-token al-{kind}">{name}</span> <b>{count:,}</b></li>'
        for kind, name, count in entries
        if count
    )
    note = f'<p class="al-detail">{blacklist_note}</p>' if blacklist_note and entries[-1][2] else ""
    return f'<ul class="al-legend" aria-label="{say("legend")}">{drawn}</ul>{note}' if drawn else ""
