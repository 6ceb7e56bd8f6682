"""The tab that scores one answer with every metric: its fields and events."""

from __future__ import annotations

import functools
import itertools
import json
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping, Sequence
from dataclasses import astuple, fields, replace
from typing import Any

import gradio as gr
from anyio.to_thread import run_sync

from lens import DATA
from lens.explanations.answer_explanation import Explanation
from lens.page.answer import judge_form
from lens.page.answer.cards import Drawing, draw_cards, is_empty_submission
from lens.page.answer.judge_form import JudgeFields
from lens.page.serving import submissions, visitors
from lens.page.serving.submissions import ScoreRequest
from lens.page.tab import PRIVATE, build_small_text, find_client, html
from lens.scoring import pasted_answer
from lens.scoring.catalog import BY_NAME, METRIC_NAMES, METRICS, MULTI_REFERENCE
from lens.scoring.metric_result import MetricResult
from lens.scoring.submission import Submission
from lens.tables.answer_texts import read_answer
from lens.tables.final_answer import UNFINISHED
from lens.tables.roles import REASONING
from lens.words import each_step, say


def read_examples() -> dict[str, Submission]:
    """Return six example answers by name.

    In each, scores disagree with each other or with a reader in a different way.
    """
    path = DATA / "examples" / "answers.json"
    examples = {}
    for values in json.loads(path.read_text(encoding="utf-8")):
        name = values.pop("name")
        examples[name] = Submission(**values)
    return examples


EXAMPLES = read_examples()
FIRST = next(iter(EXAMPLES))
# The shown results are marked as old until the overview is drawn again, which happens with each
# step.
RENEWED = "watch('value', () => answerLens.renewed())"
CLEARED = "() => ['', '', '', '', false]"
# The texts of a submission.
TEXTS = ("question", "reference", "answer", "keywords")
# The fields that are sent, in the order in which the page's script gets their values.
FIELDS = (
    *(field.name for field in fields(Submission)),
    *(judge_form.PREFIX + name for name in judge_form.EMPTY),
)
KEY_AT = FIELDS.index(judge_form.PREFIX + "key")

TURNS = itertools.count(1)


def build(language: str, page: gr.Blocks) -> JudgeFields:
    """Build the whole tab in the current language; return the fields of its judge."""
    with gr.Row(elem_classes="al-page"):
        with gr.Column(scale=0, min_width=300, elem_classes="al-side"):
            choices = [(say(f"example.{name}"), name) for name in EXAMPLES]
            examples = gr.Radio(
                choices, value=FIRST, label=say("page.try_example"), elem_classes="al-examples"
            )
            texts_and_settings = build_submission()
            judge = judge_form.build()
            inputs: dict[str, Any] = dict(texts_and_settings)
            for name, field in judge.items():
                inputs[judge_form.PREFIX + name] = field
            with gr.Row(elem_classes="al-buttons"):
                button = gr.Button(
                    say("page.score"), variant="primary", min_width=120, elem_id="score"
                )
                cleared = [inputs[name] for name in (*TEXTS, "has_several_references")]
                clear = gr.Button(say("page.clear"), min_width=80, elem_id="clear")
            build_small_text("page.keys")
        with gr.Column(
            scale=1,
            min_width=300,
            elem_classes="al-main",
            elem_id="results",
        ):
            results = build_result_parts()
    event: dict[str, Any] = PRIVATE | {
        "inputs_kwargs": {name: inputs[name] for name in FIELDS},
        "outputs": results,
        "show_progress": "hidden",
        # a newer submission replaces an older one (serving/submissions.py)
        "trigger_mode": "multiple",
    }
    # The user asked for scores, or the page itself did.
    asked = event | {
        "fn": make_responder(language, True),
        "js": "(...all) => answerLens.sent(true, all)",
    }
    unasked = event | {
        "fn": make_responder(language, False),
        "js": "(...all) => answerLens.sent(false, all)",
    }
    starts = [button.click]
    for field in inputs.values():
        if isinstance(field, gr.Textbox | gr.Number):
            starts.append(field.submit)
    gr.on(starts, **asked)
    texts = json.dumps({name: astuple(one) for name, one in EXAMPLES.items()})
    fields_of_answer = list(texts_and_settings.values())
    gr.on(
        [field.change for field in fields_of_answer],
        None,
        fields_of_answer,
        examples,
        js=f"(...all) => answerLens.edited({texts}, all)",
        **PRIVATE,
    )
    fill_in = f"(name) => ({texts})[name]"
    filled = examples.input(None, examples, fields_of_answer, js=fill_in, **PRIVATE)
    filled.then(**unasked)
    # Clearing the fields also clears their result.
    clear.click(None, None, cleared, js=CLEARED, **PRIVATE).then(**unasked)
    first_example = json.dumps(astuple(EXAMPLES[FIRST]))
    linked = f"() => answerLens.linked({first_example})"
    page.load(None, None, fields_of_answer, js=linked, **PRIVATE).then(**unasked)
    return judge


def build_submission() -> dict[str, gr.Textbox | gr.Checkbox | gr.Radio | gr.Number]:
    """Build the fields of a submission with the first example; return them by name, in order.

    The length of texts is checked when they are scored. A field that cuts a pasted text would
    change the scored text without a message.
    """
    texts: dict[str, dict[str, Any]] = {
        "question": {"max_lines": 3},
        "reference": {"lines": 3, "max_lines": 6},
        "answer": {"lines": 3, "max_lines": 6},
        "keywords": {"max_lines": 1, "info": say("answer_tab.keywords_info")},
    }
    built: dict[str, Any] = {}
    for name in TEXTS:
        built[name] = gr.Textbox(
            getattr(EXAMPLES[FIRST], name),
            label=say(f"answer_tab.field.{name}"),
            elem_id=name,
            **texts[name],
        )
        if name == "reference":
            built["has_several_references"] = gr.Checkbox(
                label=say("answer_tab.several"), elem_id="several"
            )
    with gr.Accordion(say("page.settings"), open=False, elem_id="settings"):
        built[MULTI_REFERENCE] = multi_reference(elem_id="multi_reference")
        labels = {
            "label": say("answer_tab.min_keyword_recall"),
            "info": say("answer_tab.min_keyword_recall_info"),
        }
        built["min_keyword_recall"] = gr.Number(None, step=0.1, elem_id="recall", **labels)
        built["whole"] = gr.Checkbox(
            label=say("answer_tab.whole_answer"),
            info=say("answer_tab.whole_answer_info"),
            elem_id="whole",
        )
    return {field.name: built[field.name] for field in fields(Submission)}


def multi_reference(**options: Any) -> gr.Radio:
    """Build the choice of the reference that LV-Eval's two scores read."""
    choices = [
        (say("answer_tab.multi_reference_first"), "first"),
        (say("answer_tab.multi_reference_max"), "max"),
    ]
    label = say("answer_tab.multi_reference")
    return gr.Radio(choices, value="first", label=label, **options)


def build_result_parts() -> list[gr.HTML]:
    """Build the overview and the cards in the state before scoring."""
    waiting = [MetricResult("pending") for _ in METRICS]
    overview, *cards = draw_page(EXAMPLES[FIRST], waiting)
    parts = [html(overview, js_on_load=RENEWED, elem_id="overview")]
    with gr.Column(elem_classes="al-cards"):
        for metric, card in zip(METRICS, cards, strict=True):
            parts.append(html(card, js_on_load=None, elem_id=f"card-{metric.name}"))
    return parts


def draw_page(
    submission: Submission,
    outcomes: Sequence[MetricResult],
    drawing: Drawing | None = None,
    refusal: str = "",
) -> list[str]:
    """Return the HTML of the overview and of all cards, at any step of scoring.

    Args:
        submission: the scored texts.
        outcomes: the result of each metric so far.
        drawing: the cards drawn so far; None before the first step.
        refusal: the message that says why nothing is scored; empty if it is.
    """
    drawing = drawing or Drawing()
    drawing.turn = next(TURNS)
    by_name = dict(zip(METRIC_NAMES, outcomes, strict=True))
    problem = None
    if is_empty_submission(submission) and not refusal:
        problem = Explanation(say("headline.nothing"))
    elif reason := refusal or pasted_answer.find_problem(submission):
        problem = Explanation(say("explain.line.none"), reason)
    elif has_pending_words(by_name):
        problem = Explanation(say("card.computing"))
    return draw_cards(by_name, submission, drawing, problem)


def has_pending_words(outcomes: Mapping[str, MetricResult]) -> bool:
    """Return whether a metric without a model has no result yet."""
    for name, outcome in outcomes.items():
        if outcome.state == "pending" and BY_NAME[name].kind == "words":
            return True
    return False


def make_responder(language: str, is_asked: bool) -> Callable[..., AsyncIterator[Any]]:
    """Return the callback that scores; `is_asked` is false if the page itself asks for scores."""

    async def respond(request: gr.Request, **values: Any) -> AsyncIterator[Any]:
        own = ScoreRequest(
            read_submission(values),
            is_asked,
            judge_form.read_judge(values),
            str(request.session_hash),
            find_client(request),
        )
        with visitors.take_place(own.address) as is_free:
            steps = score_all(own) if is_free else refuse_too_many(own.submission)
            async for step in each_step(language, steps):
                yield step

    return respond


def read_submission(values: Mapping[str, Any]) -> Submission:
    """Return the submission in the values of the tab's fields, by name."""
    arguments = {field.name: values[field.name] for field in fields(Submission)}
    for name in TEXTS:
        arguments[name] = arguments[name] or ""
    return Submission(**arguments)


async def refuse_too_many(submission: Submission) -> AsyncGenerator[Any, None]:
    """Yield the page for a visitor with too many submissions under way."""
    refusal = say("serving.too_many", seconds=visitors.RETRY_SECONDS)
    refused = [MetricResult("needs", message=refusal) for _ in METRICS]
    yield draw_page(submission, refused, refusal=refusal)


def prepare_answer(submission: Submission) -> tuple[Submission, str]:
    """Return a submission with only the scored part of its answer, and a note on the rest."""
    reasoning = REASONING[submission.whole]
    answer, left_out = read_answer(submission.answer, reasoning)
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
    # Nothing of this submission is shown yet, so all cards are sent with the first step.
    shown: list[str | None] = [None] * (1 + len(METRICS))
    drawing = Drawing(note=note)

    async def list_changes() -> list[Any]:
        before = list(shown)
        shown[:] = await run_sync(draw_page, submission, list(outcomes), drawing)
        changes: list[Any] = list(shown)
        for place, old in enumerate(before):
            if shown[place] == old:
                changes[place] = gr.skip()
        return changes

    with submissions.begin_submission(request.session) as overtaken:
        begin = functools.partial(
            pasted_answer.begin_result,
            submission=submission,
            asked=request.is_asked,
            judge=request.judge,
        )
        outcomes = [begin(metric) for metric in METRICS]
        yield await list_changes()
        pending = []
        for place, outcome in enumerate(outcomes):
            if outcome.state == "pending":
                pending.append(place)
        async for place, outcome in submissions.score_pending(request, pending, overtaken):
            outcomes[place] = outcome
            yield await list_changes()
    # Gradio sends the last output of a generator twice. The second time, a newer submission may
    # have begun, so an empty output is added.
    yield [gr.skip() for _ in range(1 + len(METRICS))]
