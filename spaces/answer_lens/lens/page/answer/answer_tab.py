"""The tab that scores one answer with every metric: its events, and the steps of its results."""

from __future__ import annotations

import functools
import itertools
import json
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping, Sequence
from dataclasses import astuple, replace
from typing import Any

import gradio as gr
from anyio.to_thread import run_sync

from lens.explanations.answer_explanation import Explanation
from lens.page.answer import judge_form
from lens.page.answer.answer_form import (
    EXAMPLES,
    FIELDS,
    FIRST_EXAMPLE,
    TEXTS,
    AnswerForm,
    build_form,
    read_submission,
)
from lens.page.answer.cards import Drawing, draw_cards, is_empty_submission
from lens.page.answer.judge_form import JudgeFields
from lens.page.serving import submissions, visitors
from lens.page.serving.submissions import ScoreRequest
from lens.page.tab import PRIVATE, find_client, html
from lens.scoring import pasted_answer
from lens.scoring.catalog import BY_NAME, METRIC_NAMES, METRICS
from lens.scoring.metric_result import MetricResult
from lens.scoring.submission import Submission
from lens.tables.answer_texts import read_answer
from lens.tables.final_answer import UNFINISHED
from lens.tables.roles import REASONING
from lens.words import iterate_steps, say

# After each drawing of the overview, page.js checks whether the results fit the fields.
ON_OVERVIEW_DRAWN = "watch('value', () => answerLens.mark_results())"
# The values that the button "Clear" gives to the texts and to "several references".
CLEAR_FIELDS = "() => ['', '', '', '', false]"
# Each drawing of the overview has its own number, so that the browser notices it.
SERIAL_NUMBERS = itertools.count(1)


def build(language: str, page: gr.Blocks) -> JudgeFields:
    """Build the whole tab in the current language; return the fields of its judge."""
    with gr.Row(elem_classes="al-page"):
        with gr.Column(scale=0, min_width=300, elem_classes="al-side"):
            form = build_form()
        with gr.Column(
            scale=1,
            min_width=300,
            elem_classes="al-main",
            elem_id="results",
        ):
            result_parts = build_result_parts()
    connect_answer_form(form, result_parts, language, page)
    return form.judge


def connect_answer_form(
    form: AnswerForm,
    result_parts: Sequence[gr.HTML],
    language: str,
    page: gr.Blocks,
) -> None:
    """Connect the fields and buttons with the results; page.js has the scripts.

    Args:
        form: the form.
        result_parts: the overview and the cards.
        language: the language of the page.
        page: the page, which shows the first example when it is loaded.
    """
    event: dict[str, Any] = PRIVATE | {
        "inputs_kwargs": {name: form.fields[name] for name in FIELDS},
        "outputs": result_parts,
        "show_progress": "hidden",
        # A newer submission replaces an older one (serving/submissions.py). Gradio begins events of
        # one id in the order in which they arrive, but those of several ids in a random order.
        "trigger_mode": "multiple",
        "concurrency_id": f"answer-{language}",
    }
    score_for_user = event | {
        "fn": make_responder(language, True),
        "js": "(...values) => answerLens.send_values(true, values)",
    }
    score_for_page = event | {
        "fn": make_responder(language, False),
        "js": "(...values) => answerLens.send_values(false, values)",
    }
    starts = [form.score.click]
    for field in form.fields.values():
        if isinstance(field, gr.Textbox | gr.Number):
            starts.append(field.submit)
    gr.on(starts, **score_for_user)

    submission_fields = list(form.submission.values())
    examples = json.dumps({name: astuple(example) for name, example in EXAMPLES.items()})
    gr.on(
        [field.change for field in submission_fields],
        None,
        submission_fields,
        form.examples,
        js=f"(...values) => answerLens.compare_fields({examples}, values)",
        **PRIVATE,
    )
    fill_in = f"(name) => ({examples})[name]"
    filled = form.examples.input(None, form.examples, submission_fields, js=fill_in, **PRIVATE)
    filled.then(**score_for_page)

    # Clearing the fields also clears their result.
    cleared_fields = [form.submission[name] for name in (*TEXTS, "has_several_references")]
    cleared = form.clear.click(None, None, cleared_fields, js=CLEAR_FIELDS, **PRIVATE)
    cleared.then(**score_for_page)

    # Gradio shows the fields before it loads the page, and a visitor may have written into them.
    read_link = "(...values) => answerLens.read_link(values)"
    loaded = page.load(None, submission_fields, submission_fields, js=read_link, **PRIVATE)
    loaded.then(**score_for_page)


def build_result_parts() -> list[gr.HTML]:
    """Build the overview and the cards in the state before scoring."""
    pending = [MetricResult("pending") for _ in METRICS]
    overview, *cards = draw_page(FIRST_EXAMPLE, pending)
    parts = [html(overview, js_on_load=ON_OVERVIEW_DRAWN, elem_id="overview")]
    with gr.Column(elem_classes="al-cards"):
        for metric, card in zip(METRICS, cards, strict=True):
            parts.append(html(card, js_on_load=None, elem_id=f"card-{metric.name}"))
    return parts


def draw_page(
    submission: Submission,
    results: Sequence[MetricResult],
    drawing: Drawing | None = None,
    refusal: str = "",
) -> list[str]:
    """Return the HTML of the overview and of all cards, at any step of scoring.

    Args:
        submission: the scored texts.
        results: the result of each metric so far.
        drawing: the cards drawn so far; None before the first step.
        refusal: why nothing is scored; empty if it is scored.
    """
    drawing = drawing or Drawing()
    drawing.serial = next(SERIAL_NUMBERS)
    by_name = dict(zip(METRIC_NAMES, results, strict=True))
    problem = None
    if is_empty_submission(submission) and not refusal:
        problem = Explanation(say("headline.nothing"))
    elif reason := refusal or pasted_answer.find_problem(submission):
        problem = Explanation(say("explain.line.none"), reason)
    elif has_pending_words(by_name):
        problem = Explanation(say("card.computing"))
    return draw_cards(by_name, submission, drawing, problem)


def has_pending_words(results: Mapping[str, MetricResult]) -> bool:
    """Return whether a metric without a model has no result yet."""
    for name, result in results.items():
        if result.state == "pending" and BY_NAME[name].kind == "words":
            return True
    return False


def make_responder(language: str, is_asked: bool) -> Callable[..., AsyncIterator[Any]]:
    """Return the callback that scores a submission.

    Args:
        language: the language of the page.
        is_asked: whether the visitor asks for the scores, and not the page itself.
    """

    async def respond(request: gr.Request, **values: Any) -> AsyncIterator[Any]:
        score_request = ScoreRequest(
            read_submission(values),
            is_asked,
            judge_form.read_judge(values),
            session=str(request.session_hash),
            address=find_client(request),
        )
        with visitors.count_event(score_request.address) as is_allowed:
            steps = refuse_too_many(score_request.submission)
            if is_allowed:
                steps = score_all(score_request)
            async for step in iterate_steps(language, steps):
                yield step

    return respond


async def refuse_too_many(submission: Submission) -> AsyncGenerator[Any, None]:
    """Yield the page for a visitor with too many submissions under way."""
    refusal = say("serving.too_many", seconds=visitors.RETRY_SECONDS)
    refused = [MetricResult("needs", message=refusal) for _ in METRICS]
    yield draw_page(submission, refused, refusal=refusal)


def prepare_answer(submission: Submission) -> tuple[Submission, str]:
    """Return a submission with only the scored part of its answer, and a note on the rest."""
    set_aside, keep = REASONING
    answer, left_out = read_answer(submission.answer, keep if submission.whole else set_aside)
    note = ""
    if UNFINISHED in left_out:
        note = say("answer_tab.unfinished")
    elif left_out:
        removed = len(submission.answer) - len(answer)
        note = say("answer_tab.set_aside", count=removed)
    return replace(submission, answer=answer), note


async def score_all(request: ScoreRequest) -> AsyncGenerator[Any, None]:
    """Yield the overview and the changed cards, each time one more score is ready.

    The generator ends when a newer submission of the page begins.
    """
    submission, note = prepare_answer(request.submission)
    request = replace(request, submission=submission)
    n_parts = 1 + len(METRICS)
    # Nothing of this submission is shown yet, so all parts are sent with the first step.
    shown: list[str | None] = [None] * n_parts
    drawing = Drawing(note=note)

    async def draw_changes() -> list[Any]:
        drawn = await run_sync(draw_page, submission, list(results), drawing)
        if end.done():
            # A newer submission began meanwhile, and may already be shown.
            return [gr.skip() for _ in drawn]
        changes: list[Any] = list(drawn)
        for position, text in enumerate(drawn):
            if text == shown[position]:
                changes[position] = gr.skip()
        shown[:] = drawn
        return changes

    with submissions.begin_submission(request.session) as end:
        begin = functools.partial(
            pasted_answer.begin_result,
            submission=submission,
            is_asked=request.is_asked,
            judge=request.judge,
        )
        results = [begin(metric) for metric in METRICS]
        yield await draw_changes()
        pending = []
        for position, result in enumerate(results):
            if result.state == "pending":
                pending.append(position)
        async for position, result in submissions.score_pending(request, pending, end):
            results[position] = result
            yield await draw_changes()
    # Gradio sends the last output of a generator twice. The second time, a newer submission may
    # have begun, so an empty output is added.
    yield [gr.skip() for _ in range(n_parts)]
