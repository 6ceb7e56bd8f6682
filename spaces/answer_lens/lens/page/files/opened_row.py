"""Draws the cards of one row of a scored file, as for a pasted answer.

The scores are computed again. Replies of judges cost money, so they are stored with the scores, and
judges are not asked again.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping

from anyio.to_thread import run_sync

from lens.experiment.answers import Answer
from lens.page.answer.cards import Drawing, draw_cards
from lens.page.files.file_scoring import BLOCKS, FileScoring
from lens.page.html import render
from lens.page.serving.submissions import run_in_lane
from lens.reports.notes import describe_reason
from lens.scoring import judge, modules
from lens.scoring.catalog import BY_NAME, Metric
from lens.scoring.metric_result import MetricResult
from lens.scoring.row_scores import Scored
from lens.scoring.rows import Scorer
from lens.scoring.submission import Submission
from lens.words import say
from lens.words.formats import format_number

MAX_SHOWN, MAX_REFERENCES, MAX_ANSWERS = 2_000, 20, 20


def compute_result(metric: Metric, settings: Mapping[str, str], item: Answer) -> MetricResult:
    """Return a metric's score of a row with its reasons, computed as for the table."""
    scorer = Scorer(metric.name, settings)
    try:
        scorer.prepare()
        return scorer.score_with_reasons(item, may_fetch=False)
    except Exception as error:  # a module may raise any error; the other cards are still shown
        return MetricResult("error", message=scorer.describe_failure(error))


def read_judge_result(
    metric: Metric,
    item: Answer,
    scored: Scored,
    signature: str,
) -> MetricResult:
    """Return the stored result of a judge for a row, with its prompt."""
    if not scored.entry:
        message = (
            describe_reason(scored.reason) if item.skip_reason else say("files_tab.not_judged")
        )
        return MetricResult("error", message=message)
    entry = dict(scored.entry) | {"tokens": scored.entry.get("usage")}
    code = modules.find_code(modules.make_module(metric.name))
    reference = item.references[entry.get("reference") or 0]
    # Only the entry of a decision model has probabilities.
    prompt = judge.fill_prompt(code, item, reference, decides="probabilities" in entry)
    if scored.values[0] is None:
        return MetricResult(
            "error",
            per_example=entry,
            message=judge.describe_reason(scored.reason, scored.message),
            prompt=prompt,
        )
    return MetricResult("scored", scored.values[0], entry, signature, prompt=prompt)


async def find_result(run: FileScoring, metric: Metric, row: int) -> MetricResult:
    """Return the result of one metric for a row of the first file."""
    item = run.tables[0].answers[row]
    values = run.results.metrics.set_index(["system", "metric"]).loc[
        run.results.names[0], metric.name
    ]
    if item.decided is not None:
        return MetricResult("needs", message=say("files_tab.decided"))
    if metric.judge:
        return read_judge_result(
            metric, item, run.store.find_scored(metric.name, row), values["signature"] or ""
        )
    reason = run.study.first.scores.reasons[metric.name].get(row)
    if reason is not None:
        stopped = "" if item.skip_reason else values["stopped"] or ""
        return MetricResult("error", message=stopped or describe_reason(reason))
    return await run_in_lane(
        metric, functools.partial(compute_result, metric, run.settings[metric.name], item), BLOCKS
    )


async def draw_row(run: FileScoring, question: int) -> str:
    """Return the HTML of a question: texts, answers, scores, and the first system's cards."""
    item, row = run.answer(0, question), run.study.chosen_rows[0][question]
    references = item.references
    outcomes = {name: await find_result(run, BY_NAME[name], row) for name in run.metrics}
    counted = next(
        (one.reasons["reference"] for one in outcomes.values() if "reference" in one.reasons), 0
    )
    submission = Submission(
        item.question, references[counted], item.prediction, item.keywords, False, run.multi
    )
    texts = [
        ("question", item.question),
        *(("reference", one) for one in references[:MAX_REFERENCES]),
    ]
    texts += [
        ("whole", item.raw_prediction),
        ("keywords", item.keywords),
        ("group", item.group),
        ("id", item.id),
    ]
    names = run.short_names or [""]
    systems: list[tuple[str, list[str]]] = []
    rows: list[list[str]] = []
    for system, name in enumerate(names):
        answers = run.list_answers(system, question)[:MAX_ANSWERS]
        systems.append((name, [answer.prediction for answer in answers]))
        scores = [run.study.question_score(system, series.key, question) for series in run.primary]
        rows.append([name, *map(format_number, scores)])
    draw = functools.partial(
        render,
        "opened_row.html",
        row=question + 1,
        texts=texts,
        most=MAX_SHOWN,
        systems=systems,
        heads=[say("report.system"), *(series.title for series in run.primary)],
        scores=rows,
    )
    drawing = Drawing(prefix="ft-row")
    return await run_sync(lambda: draw(parts=draw_cards(outcomes, submission, drawing)))
