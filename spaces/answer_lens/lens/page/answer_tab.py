"""The tab that scores one answer with every metric: its fields, its events, and what they show step by step."""

from __future__ import annotations

import itertools
import json
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from dataclasses import astuple
from typing import Any

import gradio as gr

from lens import DATA
from lens.explanations.disagreement import explain
from lens.page import background, judge_panel
from lens.page.cards import draw_card, draw_overview
from lens.page.html import part
from lens.page.judge_panel import JudgeFields, detail
from lens.scoring import failures, modules, pasted_answer
from lens.scoring.catalog import METRICS, Metric, Submission
from lens.scoring.judge import NO_JUDGE, Judge
from lens.scoring.outcome import Outcome
from lens.words import each_step, say

# Submissions under way; most of them wait for a model, which costs next to nothing.
CONCURRENCY = 32
# Six answers by their names in lens.words, each a different way in which scores disagree with each other or a reader.
EXAMPLES = {
    one.pop("name"): Submission(**one)
    for one in json.loads((DATA / "examples" / "answers.json").read_text(encoding="utf-8"))
}
# What is shown is old until the overview is drawn anew, as it is with each step.
RENEWED = "watch('value', () => document.querySelector('#results').classList.remove('al-stale'))"
# The key among the values of an event: after the four texts, provider and model.
KEY_AT = 6

TURNS = itertools.count(1)


def build(language: str, page: gr.Blocks) -> JudgeFields:
    """The whole tab, in the language that is spoken; the fields of its judge."""
    with gr.Row(elem_classes="al-page"):
        with gr.Column(scale=0, min_width=300, elem_classes="al-side"):
            gr.HTML(part("small_heading", say("examples")), apply_default_css=False, js_on_load=None)
            with gr.Row(elem_classes="al-examples"):
                buttons = [gr.Button(say(f"example_{name}"), size="sm", min_width=120) for name in EXAMPLES]
            fields = text_fields()
            judge = judge_panel.build()
            button = gr.Button(say("score"), variant="primary", elem_id="score")
            detail("keys")
        with gr.Column(scale=1, min_width=300, elem_classes="al-main", elem_id="results"):
            results = result_parts()
    event: dict[str, Any] = {
        "inputs": [*fields, *judge],
        "outputs": results,
        "show_progress": "hidden",
        "trigger_mode": "multiple",  # a newer submission takes the place of an older one (page/background.py)
        "concurrency_limit": CONCURRENCY,
        "concurrency_id": "scores",
        "api_visibility": "private",
    }
    asked, unasked = (
        event | {"fn": responder(language, who), "js": f"(...all) => answerLens.sent({js}, all)"}
        for who, js in ((True, "true"), (False, "false"))
    )
    typed = [field for field in (*fields, *judge) if isinstance(field, gr.Textbox)]
    gr.on([button.click, *(field.submit for field in typed)], **asked)
    page.load(**unasked)
    for one, example in zip(buttons, EXAMPLES.values(), strict=True):
        texts = f"() => {json.dumps(astuple(example))}"
        one.click(None, outputs=fields, js=texts, api_visibility="private").then(**unasked)
    return judge


def text_fields() -> list[gr.Textbox]:
    """The four texts, filled with the first example. Their length is checked when they are scored: a field that cuts
    what is pasted into it would have another text scored than the user gave.
    """
    sizes = {"question": (1, 3), "reference": (3, 10), "answer": (3, 10), "keywords": (1, 1)}
    example = next(iter(EXAMPLES.values()))
    words = {
        "question": {"label": say("question"), "info": say("question_info")},
        "reference": {"label": say("reference"), "placeholder": say("reference_placeholder")},
        "answer": {"label": say("answer"), "placeholder": say("answer_placeholder")},
        "keywords": {
            "label": say("keywords"),
            "placeholder": say("keywords_placeholder"),
            "info": say("keywords_info"),
        },
    }
    return [
        gr.Textbox(getattr(example, name), lines=lines, max_lines=most, elem_id=name, **words[name])
        for name, (lines, most) in sizes.items()
    ]


def result_parts() -> list[gr.HTML]:
    """The overview and the cards, waiting."""
    overview, *cards = page_of(next(iter(EXAMPLES.values())), [Outcome("pending") for _ in METRICS])
    parts = [gr.HTML(overview, apply_default_css=False, js_on_load=RENEWED, elem_id="overview")]
    with gr.Column(elem_classes="al-grid"):
        for metric, drawn in zip(METRICS, cards, strict=True):
            parts.append(gr.HTML(drawn, apply_default_css=False, js_on_load=None, elem_id=f"card-{metric.name}"))
    return parts


def page_of(submission: Submission, outcomes: list[Outcome], turn: int = 0) -> list[str]:
    """The overview and all cards."""
    cards = (card(metric, outcome, submission) for metric, outcome in zip(METRICS, outcomes, strict=True))
    return [overview(submission, outcomes, turn), *cards]


def card(metric: Metric, outcome: Outcome, submission: Submission | None = None) -> str:
    """A card; where a module's reasons cannot be drawn, a card that says so."""
    try:
        return draw_card(metric, outcome, modules.organisation(), submission)
    except Exception as error:  # reasons that a module gives in another form than documented
        return draw_card(metric, failures.compute_failure(metric, error), modules.organisation(), submission)


def overview(submission: Submission, outcomes: list[Outcome], turn: int, sentence: str = "") -> str:
    """The overview at this moment of the scoring; where it is an example, with what that shows."""
    example = next((say(f"shows_{name}") for name, one in EXAMPLES.items() if one == submission), "")
    return draw_overview(METRICS, outcomes, sentence or sentence_on(submission, outcomes), example, turn)


def sentence_on(submission: Submission, outcomes: list[Outcome]) -> str:
    """What the overview says: on all scores, or on those of words while only others are awaited."""
    trouble = pasted_answer.problem(submission)
    if trouble:
        return trouble
    found = {metric.name: outcome for metric, outcome in zip(METRICS, outcomes, strict=True)}
    awaited = [metric for metric in METRICS if found[metric.name].state == "pending"]
    if any(metric.kind == "words" for metric in awaited):
        return ""
    if awaited and sum(outcome.score is not None for outcome in outcomes) < 2:
        return ""
    return explain(found, submission)


def responder(language: str, asked: bool) -> Callable[..., AsyncIterator[Any]]:
    """The callback of what scores; `asked` where the user asked for these scores and not the page itself."""

    async def respond(
        question: str,
        reference: str,
        answer: str,
        keywords: str,
        provider: str | None,
        model: str,
        key: str,
        address: str,
        request: gr.Request,
    ) -> AsyncIterator[Any]:
        texts = (question, reference, answer, keywords)
        submission = Submission(*(text if isinstance(text, str) else "" for text in texts))  # a forged call may differ
        judge = Judge.given(provider, model, key, address)
        with background.place(client_of(request)) as free:
            steps = score_all(submission, asked, judge, str(request.session_hash)) if free else too_many(submission)
            async for step in each_step(language, steps):
                yield step

    return respond


def client_of(request: gr.Request) -> str:
    """The address of the visitor; behind the proxies of a public page, the one that they name."""
    forwarded = str(request.headers.get("x-forwarded-for", "")).partition(",")[0].strip()
    return forwarded or (request.client.host if request.client else "")


async def too_many(submission: Submission) -> AsyncGenerator[Any, None]:
    """The page where a client has too many submissions under way."""
    outcomes = [Outcome("needs", message=say("too_many"), brief=say("not_scored")) for _ in METRICS]
    _, *cards = page_of(submission, outcomes)
    yield [overview(submission, outcomes, next(TURNS), say("too_many")), *cards]


async def score_all(
    submission: Submission, asked: bool = False, judge: Judge = NO_JUDGE, session: str = ""
) -> AsyncGenerator[Any, None]:
    """The overview and the cards, each time one more score is ready, until a newer submission of the page begins.

    `asked` says that the user asked for these scores: only then a model is fetched, and only then the judge is asked.
    """
    with background.newest(session) as overtaken:
        turn = next(TURNS)
        outcomes = [pasted_answer.at_once(metric, submission, asked, judge) for metric in METRICS]
        parts = page_of(submission, outcomes, turn)
        yield list(parts)
        pending = [position for position, outcome in enumerate(outcomes) if outcome.state == "pending"]
        async for position, outcome in background.results(submission, asked, pending, overtaken, judge, session):
            outcomes[position] = outcome
            parts[0] = overview(submission, outcomes, turn)
            parts[1 + position] = card(METRICS[position], outcome, submission)
            yield list(parts)
    # Gradio sends the last output of a generator twice, the second time when a newer submission may have begun.
    yield [gr.skip() for _ in parts]


async def leave(request: gr.Request) -> None:
    """The page was closed or reloaded."""
    background.overtake(str(request.session_hash))
