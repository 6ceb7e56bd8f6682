"""The cards of one row of a scored file, the same as for a pasted answer: computed again, but for judges' verdicts.

A judge was paid for what it said: that is kept with the scores, and nobody is asked again.
"""

from __future__ import annotations

import functools

from lens.explanations.disagreement import explain
from lens.page.background import in_its_turn
from lens.page.cards import draw_card
from lens.page.file_run import Results
from lens.page.html import render
from lens.reports.contents import reason_of
from lens.scoring import failures, judge, modules, pasted_answer
from lens.scoring.catalog import BY_NAME, Metric, Submission
from lens.scoring.outcome import Outcome
from lens.scoring.rows import Scored, Scorer
from lens.tables.roles import Item
from lens.words import say
from lens.words.formats import number

MAX_SHOWN, MAX_REFERENCES = 2_000, 20


def references_of(item: Item) -> list[str]:
    """The references of a row."""
    return [item.reference] if isinstance(item.reference, str) else item.reference


def submission_of(item: Item, reference: str) -> Submission:
    """A row as a pasted answer."""
    return Submission(item.question, reference, item.prediction, item.keywords)


def computed(metric: Metric, item: Item) -> Outcome:
    """One metric's score of a row with its reasons, by the very columns that its score in the table is from."""
    too_long = pasted_answer.too_long(submission_of(item, " | ".join(references_of(item))))
    if too_long:
        return Outcome("needs", message=too_long)
    scorer = Scorer(metric.name)
    try:
        scorer.prepare()
    except Exception as error:  # whatever a module to load does: the other cards go on
        return failures.load_failure(metric, error)
    try:
        result = scorer.result([item], per_example=True, may_fetch=False)
    except Exception as error:  # the same for one that computes
        return failures.compute_failure(metric, error)
    entry = result["per_example"][0]
    return Outcome("scored", float(entry["score"]), entry, str(result["signature"]))


def kept(metric: Metric, item: Item, scored: Scored, signature: str) -> Outcome:
    """What a judge said of a row, as it is kept; of several references it was given the first."""
    if not scored.entry:
        return Outcome("error", message=reason_of(scored.reason) if item.lacks else say("ft_not_judged"))
    entry = dict(scored.entry) | {"tokens": scored.entry.get("usage")}
    code = modules.code_of(modules.fresh_module(metric.name))
    prompt = str(code.fill_prompt(item.question, item.prediction, references_of(item)[0]))
    if scored.values[0] is None:
        return Outcome("error", per_example=entry, message=judge.why(scored.reason, scored.message), prompt=prompt)
    return Outcome("scored", scored.values[0], entry, signature, prompt=prompt)


async def outcome_of(results: Results, metric: Metric, row: int) -> Outcome:
    """What became of one metric for a row."""
    item, reasons, summary = results.items[row], results.reasons[metric.name], results.summary
    if metric.judge:
        scored = results.judged[metric.name][row]
        return kept(metric, item, scored, summary.signatures.get(metric.name, ""))
    if row in reasons:
        stopped = "" if item.lacks else summary.stopped.get(metric.name, "")
        return Outcome("error", message=stopped or reason_of(reasons[row]))
    outcome: Outcome = await in_its_turn(metric, functools.partial(computed, metric, item))
    return outcome


async def opened(results: Results, row: int) -> str:
    """A row: its texts, its scores by both systems where there are two, where they disagree, and its cards."""
    item = results.items[row]
    outcomes = {name: await outcome_of(results, BY_NAME[name], row) for name in results.metrics}
    submission = submission_of(item, references_of(item)[0])
    several = len(references_of(item)) > 1
    scored = any(outcome.score is not None for outcome in outcomes.values())
    texts = [("question", item.question), *(("reference", one) for one in references_of(item)[:MAX_REFERENCES])]
    texts += [("prediction", item.prediction)]
    if results.other:
        texts += [("other", results.other_items[row].prediction)]
    texts += [("keywords", item.keywords), ("group", item.group), ("id", item.id)]
    return render(
        "opened_row.html",
        row=row + 1,
        texts=[(role, text) for role, text in texts if text or role in ("reference", "prediction", "other")],
        most=MAX_SHOWN,
        heads=[say("ft_system"), *(one.title for one in results.primary)],
        systems=compared(results, row) if results.other else [],
        # Which of several references a word is missing from is the metric's own matter.
        sentence=say("ft_several") if several else explain(outcomes, submission) if scored else "",
        cards=[own_card(BY_NAME[name], outcome, submission) for name, outcome in outcomes.items()],
    )


def compared(results: Results, row: int) -> list[tuple[str, list[str], bool]]:
    """The scores of a row by both systems, as rows of a table."""
    both = zip(results.names, (results.columns, results.other_columns), strict=True)
    return [(name, [number(columns[one.key][row]) for one in results.primary], False) for name, columns in both]


def own_card(metric: Metric, outcome: Outcome, submission: Submission) -> str:
    """A card whose head has an id of its own: the page has another card of the metric, in the tab "One answer"."""
    return draw_card(metric, outcome, modules.organisation(), submission, prefix="ft-card")
