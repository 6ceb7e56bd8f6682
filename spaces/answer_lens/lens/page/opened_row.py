"""The cards of one row of a scored file, the same as for a pasted answer: computed again, but for judges' verdicts.

A judge was paid for what it said: that is kept with the scores, and nobody is asked again.
"""

from __future__ import annotations

import asyncio
import contextvars
import functools
import sys
from collections.abc import Callable
from dataclasses import replace

from lens.explanations.disagreement import explain
from lens.page import background
from lens.page.cards import draw_card, draw_lines
from lens.page.files_jobs import Results, Run
from lens.page.files_rows import text_of
from lens.page.html import escape
from lens.reports.contents import reason_of
from lens.scoring import judge, pasted_answer
from lens.scoring.catalog import BY_NAME, Metric, Submission
from lens.scoring.outcome import Outcome
from lens.scoring.rows import Scored, Scorer
from lens.tables.roles import Item
from lens.words import say

MAX_SHOWN = 2_000


def submission_of(item: Item) -> Submission:
    """A row as the checks of a pasted answer take it."""
    return Submission(item.question, text_of(item.reference), item.prediction, item.keywords)


def computed(metric: Metric, item: Item) -> Outcome:
    """One metric's score of a row with its reasons, by the very columns that its score in the table is from."""
    too_long = pasted_answer.too_long(submission_of(item))
    if too_long:
        return Outcome("needs", message=too_long)
    scorer = Scorer(metric.name)
    try:
        scorer.prepare()
    except Exception as error:  # whatever a module to load does: the other cards go on
        return pasted_answer.load_failure(metric, error)
    try:
        result = scorer.result([item], per_example=True, may_fetch=False)
    except Exception as error:  # the same for one that computes
        return pasted_answer.compute_failure(metric, error)
    entry = result["per_example"][0]
    return Outcome("scored", float(entry["score"]), entry, str(result["signature"]))


def kept(metric: Metric, item: Item, scored: Scored, signature: str) -> Outcome:
    """What a judge said of a row, as it is kept."""
    if not scored.entry:
        return Outcome("error", message=reason_of(scored.reason) if item.lacks else say("ft_not_judged"))
    entry = dict(scored.entry) | {"tokens": scored.entry.get("usage")}
    prompt = prompt_of(metric, item)
    if scored.values[0] is None:
        return Outcome("error", per_example=entry, message=judge.why(scored.reason, scored.message), prompt=prompt)
    return Outcome("scored", scored.values[0], entry, signature, prompt=prompt)


def first_reference(item: Item) -> str:
    """The reference of a row, the first of several."""
    return item.reference if isinstance(item.reference, str) else item.reference[0]


def prompt_of(metric: Metric, item: Item) -> str:
    """What the judge was asked; of several references, with the first."""
    code = sys.modules[type(pasted_answer.fresh_module(metric.name)).__module__]
    return str(code.fill_prompt(item.question, item.prediction, first_reference(item)))


def handed(metric: Metric, job: Callable[[], Outcome]) -> asyncio.Future[Outcome]:
    """A card's computing, in the threads where those of pasted answers are computed."""
    context = contextvars.copy_context()
    if metric.model:
        return asyncio.wrap_future(background.WORKERS[metric.name].submit(lambda: context.run(job)))
    return asyncio.wrap_future(background.WORDS.submit(context.run, job))


async def outcomes_of(run: Run, results: Results, row: int) -> dict[str, Outcome]:
    """What became of each metric that the file was scored with, of one row."""
    item, found = run.items[row], {}
    jobs: dict[str, asyncio.Future[Outcome]] = {}
    for name in run.choice.metrics:
        metric, reasons = BY_NAME[name], results.tally.reasons[name]
        if name in results.judged:
            signature = results.summary.signatures.get(name, "")
            scored = results.judged[name][row]
            jobs[name] = handed(metric, functools.partial(kept, metric, item, scored, signature))
        elif row in reasons:
            told = "" if item.lacks else results.summary.stopped.get(name, "")
            found[name] = Outcome("error", message=told or reason_of(reasons[row]))
        else:
            jobs[name] = handed(metric, functools.partial(computed, metric, item))
    for name, job in jobs.items():
        found[name] = await job
    return {name: found[name] for name in run.choice.metrics}


def draw_opened(run: Run, results: Results, row: int, outcomes: dict[str, Outcome]) -> str:
    """A row, its scores, where they disagree, and its cards."""
    metrics = [BY_NAME[name] for name in outcomes]
    lines = draw_lines(metrics, list(outcomes.values()))
    item = run.items[row]
    submission = replace(submission_of(item), reference=first_reference(item))
    scored = any(outcome.score is not None for outcome in outcomes.values())
    sentence = explain(outcomes, submission) if scored else ""
    meant = f'<p class="al-sentence">{escape(sentence)}</p>' if sentence else ""
    cards = "".join(draw_own_card(metric, outcomes[metric.name], submission) for metric in metrics)
    return (
        f'<div class="ft-opened" data-row="{row}"><section class="al-overview" aria-labelledby="ft-opened-head">'
        f'<h2 id="ft-opened-head" tabindex="-1">{say("row", number=row + 1)}</h2>'
        f"{draw_texts(item)}{lines}{meant}"
        f'<button type="button" class="ft-button" data-ft="close">{say("ft_close")}</button></section>'
        f'<div class="ft-cards">{cards}</div></div>'
    )


def draw_own_card(metric: Metric, outcome: Outcome, submission: Submission) -> str:
    """A card whose head has an id of its own: the page has another card of the metric, in the tab "One answer"."""
    drawn = draw_card(metric, outcome, pasted_answer.organisation(), submission)
    own = drawn.replace(f'"al-{metric.name}"', f'"ft-card-{metric.name}"')
    return f'<div data-card="{metric.name}">{own}</div>'


def draw_texts(item: Item) -> str:
    """The texts of a row, in full as far as that is reasonable."""
    several = [item.reference] if isinstance(item.reference, str) else item.reference
    named = [("question", item.question), *(("reference", one) for one in several[:20])]
    named += [("prediction", item.prediction), ("keywords", item.keywords), ("group", item.group), ("id", item.id)]
    drawn = "".join(
        f'<div><dt>{say(f"ft_role_{role}")}</dt><dd dir="auto">{shortened(text)}</dd></div>'
        for role, text in named
        if text or role in ("reference", "prediction")
    )
    return f'<dl class="ft-texts">{drawn}</dl>'


def shortened(text: str) -> str:
    """A text, escaped; of a long one the beginning, and how much is left out."""
    if not text:
        return f'<span class="al-detail">{say("f_report_empty")}</span>'
    left = len(text) - MAX_SHOWN
    more = f' <span class="al-detail">{say("ft_more_characters", count=left)}</span>' if left > 0 else ""
    return escape(text[:MAX_SHOWN]) + more


def draw_opening(row: int) -> str:
    """What stands there while cards are computed."""
    return (
        f'<div class="ft-opened" data-row="{row}" data-state="pending"><section class="al-overview">'
        f'<p class="al-sentence">{say("ft_opening", row=row + 1)}</p></section></div>'
    )
