"""One card per metric, as HTML: its value, what it means, and its reasons, or why there is no value.

All texts of users pass through `parts.escape`; a card holds no script and no address taken from a user.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from lens.page import judge_reasons, reasons, word_matches
from lens.page.agreement_mark import draw_mark
from lens.page.html import bar, escape
from lens.page.judge_reasons import draw_paid, draw_prompt
from lens.scoring.outcome import Outcome
from lens.words import say
from lens.words.module_notes import worded_note

if TYPE_CHECKING:
    from lens.scoring.catalog import Metric, Submission

REASONS: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "lv_eval_f1": reasons.draw_lv_eval_f1,
    "bleu": reasons.draw_bleu,
    "rouge": reasons.draw_rouge,
    "lv_eval_rouge": reasons.draw_lv_eval_rouge,
    "cosine_similarity": reasons.draw_cosine_similarity,
    "bertscore": word_matches.draw_bertscore,
    "l3score": judge_reasons.draw_l3score,
    "eve_judge": judge_reasons.draw_eve_judge,
}


def draw_card(metric: Metric, outcome: Outcome, organisation: str = "", submission: Submission | None = None) -> str:
    """The card of `metric` in the state that `outcome` says, for the texts of `submission`."""
    body = draw_scored(metric, outcome) if outcome.state == "scored" else draw_message(metric, outcome)
    return (
        f'<article class="al-card al-{outcome.state}" aria-labelledby="al-{metric.name}" data-metric="{metric.name}" '
        f'data-state="{outcome.state}">{draw_head(metric, outcome)}{body}{draw_mark(metric, outcome, submission)}'
        f"{draw_links(metric, organisation)}</article>"
    )


def draw_head(metric: Metric, outcome: Outcome) -> str:
    """Title, value, direction and what the score measures."""
    shown = "…" if outcome.state == "pending" else shown_value(metric, outcome)
    drawn = score_bar(metric, outcome.score)
    numbers = say("range", low=f"{metric.low:g}", high=f"{metric.high:g}")
    scale = escape(say("comma").join(part for part in (say(metric.direction), numbers, metric.remark) if part))
    return (
        f'<header><h3 id="al-{metric.name}">{escape(metric.title)}</h3>'
        f'<p class="al-value"><span class="al-score">{escape(shown)}</span></p>{drawn}'
        f'<p class="al-scale">{scale}</p><p class="al-measures">{escape(metric.measures)}</p></header>'
    )


def shown_value(metric: Metric, outcome: Outcome) -> str:
    """The score as the metric shows it, or what stands in its place."""
    return outcome.brief or say("not_scored") if outcome.score is None else metric.shown(outcome.score)


def score_bar(metric: Metric, score: float | None) -> str:
    """The bar of a score, empty where there is none; where scores can be negative, with a tick at 0."""
    value = metric.low if score is None else score
    return bar(value, metric.low, metric.high, threshold=0.0 if metric.low < 0 else None)


def draw_scored(metric: Metric, outcome: Outcome) -> str:
    """The reasons for a score, the module's note and its signature."""
    reason = outcome.per_example or {}
    noted = f'<p class="al-note">{escape(worded_note(str(reason["note"])))}</p>' if reason.get("note") else ""
    signature = draw_signature(metric.title, outcome.signature)
    prompt = draw_prompt(metric.title, outcome.prompt, opened=False) if outcome.prompt else ""
    return f'<div class="al-reasons">{noted}{REASONS[metric.name](reason)}{prompt}</div>{signature}'


def draw_signature(title: str, signature: str) -> str:
    """The signature of a score, to copy."""
    breakable = escape(signature).replace("|", "|<wbr>")
    label = escape(say("copy_signature", title=title))
    return (
        f'<div class="al-signature"><h4 class="al-small">{say("signature")}</h4><code>{breakable}</code>'
        f'<button type="button" class="al-copy" aria-label="{label}" data-copied="{say("copied")}">'
        f"{say('copy')}</button></div>"
    )


def draw_message(metric: Metric, outcome: Outcome) -> str:
    """Why there is no score, in plain words; for a judge with what the call took, and the prompt."""
    message = outcome.message or say("computing")
    drawn = f'<p class="al-message">{escape(message)}</p>'
    needed = outcome.state == "needs"
    if outcome.prompt:
        opener = f'<button type="button" class="al-copy al-open">{say("open_judge")}</button>' if needed else ""
        paid = draw_paid(outcome.per_example) if outcome.per_example and outcome.per_example.get("cost") != 0 else ""
        drawn += opener + paid + draw_prompt(metric.title, outcome.prompt, opened=needed)
    return f'<div class="al-reasons">{drawn}</div>'


def draw_links(metric: Metric, organisation: str) -> str:
    """The paper, and the metric card: a link on the Hub, a path in a clone."""
    paper = (
        f'<a href="{escape(metric.paper_url)}" target="_blank" rel="noopener noreferrer" '
        f">{escape(say('paper_of', paper=metric.paper))}</a>"
    )
    if organisation:
        address = escape(f"https://huggingface.co/spaces/{organisation}/{metric.name}")
        label = escape(say("metric_card_of", title=metric.title))
        card = f'<a href="{address}" target="_blank" rel="noopener noreferrer">{label}</a>'
    else:
        card = f"<span>{escape(say('metric_card_at', path=f'metrics/{metric.name}/README.md'))}</span>"
    return f'<footer class="al-links">{paper}{card}</footer>'


def draw_overview(metrics: Sequence[Metric], outcomes: Sequence[Outcome], sentence: str, example: str = "") -> str:
    """All scores under each other, and the sentence on where they disagree."""
    opening = f"<b>{say('example_shows')}</b>{say('between_sentences')}"
    shows = f'<p class="al-example">{opening}{escape(example)}</p>' if example else ""
    done = sum(outcome.state != "pending" for outcome in outcomes)
    left = len(outcomes) - done
    progress = say("progress", done=done, total=len(outcomes))
    text = sentence or progress
    if sentence and left:
        text += say("between_sentences") + say("still_one" if left == 1 else "still_more", count=left)
    return (
        f'<section class="al-overview" aria-labelledby="al-results" data-done="{done}">'
        f'<h2 id="al-results">{say("results")}</h2>{shows}{draw_lines(metrics, outcomes)}'
        f'<p class="al-sentence" role="status" aria-live="polite">{escape(text)}</p></section>'
    )


def draw_lines(metrics: Sequence[Metric], outcomes: Sequence[Outcome]) -> str:
    """The scores of words, below them those of embeddings, which have scales of their own, and those of judges."""
    drawn = ""
    for kind in ("words", "embeddings", "judges"):
        title, pairs = f"scores_of_{kind}", zip(metrics, outcomes, strict=True)
        lines = "".join(draw_line(metric, outcome) for metric, outcome in pairs if metric.kind == kind)
        drawn += f'<h3 class="al-small">{say(title)}</h3><dl class="al-rows al-lines">{lines}</dl>' if lines else ""
    return drawn


def draw_line(metric: Metric, outcome: Outcome) -> str:
    """One metric in the overview."""
    if outcome.score is None:
        value = escape(say("waiting") if outcome.state == "pending" else shown_value(metric, outcome))
        return (
            f'<div class="al-row"><dt>{escape(metric.title)}</dt><dd><span class="al-detail">{value}</span></dd></div>'
        )
    drawn = score_bar(metric, outcome.score)
    value = escape(shown_value(metric, outcome))
    return (
        f'<div class="al-row"><dt>{escape(metric.title)}</dt>'
        f'<dd>{drawn}<span class="al-number">{value}</span></dd></div>'
    )
