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
from lens.page.files.file_scoring import FileScoring
from lens.page.files.scoring_turns import BLOCKS
from lens.page.html import render
from lens.page.serving.submissions import run_in_lane
from lens.reports.notes import describe_reason
from lens.scoring import judge, modules
from lens.scoring.catalog import BY_NAME, Metric
from lens.scoring.metric_result import MetricResult
from lens.scoring.row_scores import RowResult
from lens.scoring.scorer import Scorer
from lens.scoring.submission import Submission
from lens.words import say
from lens.words.formats import format_number

# How many characters of a text, and how many references and answers of a system are shown.
MAX_SHOWN, MAX_REFERENCES, MAX_ANSWERS = 2_000, 20, 20


def compute_result(metric: Metric, settings: Mapping[str, str], answer: Answer) -> MetricResult:
    """Return a metric's score of a row with its reasons, computed as for the table."""
    scorer = Scorer(metric.name, settings)
    try:
        scorer.prepare()
        return scorer.score_with_reasons(answer, may_fetch=False)
    # A module may raise any error; the other cards are still shown.
    except Exception as error:
        return MetricResult("error", message=scorer.describe_failure(error))


def read_judge_result(
    metric: Metric,
    answer: Answer,
    scored: RowResult,
    signature: str,
) -> MetricResult:
    """Return the stored result of a judge for a row, with its prompt."""
    if not scored.entry:
        message = say("files_tab.not_judged")
        if answer.skip_reason:
            message = describe_reason(scored.reason)
        return MetricResult("error", message=message)
    entry = dict(scored.entry)
    entry["tokens"] = entry.get("usage")
    module = modules.make_module(metric.name)
    code = modules.find_code(module)
    place = entry.get("reference") or 0
    reference = answer.references[place]
    # Only the entry of a decision model has probabilities.
    decides = "probabilities" in entry
    prompt = judge.fill_prompt(code, answer, reference, decides=decides)
    score = scored.values[0]
    if score is None:
        return MetricResult(
            "error",
            per_example=entry,
            message=judge.describe_unjudged(scored.reason, scored.message),
            prompt=prompt,
        )
    return MetricResult("scored", score, entry, signature, prompt=prompt)


async def find_result(run: FileScoring, metric: Metric, row: int) -> MetricResult:
    """Return the result of one metric for a row of the first file."""
    answer = run.tables[0].answers[row]
    metrics = run.results.metrics.set_index(["system", "metric"])
    first_system = run.results.names[0]
    values = metrics.loc[first_system, metric.name]
    if answer.decided is not None:
        return MetricResult("needs", message=say("files_tab.decided"))
    if metric.judge:
        scored = run.store.find_scored(metric.name, row)
        return read_judge_result(metric, answer, scored, values["signature"] or "")
    reasons = run.study.first.scores.reasons[metric.name]
    if row in reasons:
        message = describe_reason(reasons[row])
        if values["stopped"] and not answer.skip_reason:
            message = values["stopped"]
        return MetricResult("error", message=message)
    settings = run.settings[metric.name]
    job = functools.partial(compute_result, metric, settings, answer)
    return await run_in_lane(metric, job, BLOCKS)


async def draw_row(run: FileScoring, question: int) -> str:
    """Return the HTML of a question: texts, answers, scores, and the first system's cards."""
    answer = run.answer(0, question)
    row = run.study.chosen_rows[0][question]
    results = {name: await find_result(run, BY_NAME[name], row) for name in run.metrics}
    submission = Submission(
        question=answer.question,
        reference=answer.references[find_counted_reference(results)],
        answer=answer.prediction,
        keywords=answer.keywords,
        multi_reference=run.multi,
    )
    texts = [("question", answer.question)]
    for reference in answer.references[:MAX_REFERENCES]:
        texts.append(("reference", reference))
    texts += [
        ("whole", answer.raw_prediction),
        ("keywords", answer.keywords),
        ("group", answer.group),
        ("id", answer.id),
    ]
    names = run.short_names or [""]
    systems: list[tuple[str, list[str]]] = []
    rows: list[list[str]] = []
    for system, name in enumerate(names):
        answers = run.list_answers(system, question)[:MAX_ANSWERS]
        systems.append((name, [answer.prediction for answer in answers]))
        scores = [run.study.question_score(system, series.key, question) for series in run.primary]
        rows.append([name, *map(format_number, scores)])
    titles = [series.title for series in run.primary]
    drawing = Drawing(prefix="ft-row")
    parts = await run_sync(draw_cards, results, submission, drawing)
    draw = functools.partial(
        render,
        "opened_row.html",
        row=question + 1,
        texts=texts,
        most=MAX_SHOWN,
        systems=systems,
        heads=[say("report.system"), *titles],
        scores=rows,
        parts=parts,
    )
    return await run_sync(draw)


def find_counted_reference(results: Mapping[str, MetricResult]) -> int:
    """Return the number of the reference that the first metric with a choice has read."""
    for result in results.values():
        if "reference" in result.reasons:
            return int(result.reasons["reference"])
    return 0
