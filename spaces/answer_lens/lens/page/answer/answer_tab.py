"""The tab that scores one answer with every metric: its fields, its events, and what they show step
by step.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping, Sequence
from dataclasses import astuple, fields, replace
from typing import Any

import gradio as gr
from anyio.to_thread import run_sync

from lens import DATA
from lens.explanations.answer_verdict import Verdict
from lens.page.answer import judge_panel
from lens.page.answer.cards import Drawn, draw_cards, is_empty_submission
from lens.page.answer.judge_panel import JudgeFields, build_detail
from lens.page.serving import submissions, visitors
from lens.page.tab import PRIVATE, find_client, html
from lens.scoring import pasted_answer
from lens.scoring.catalog import METRICS, MULTI_REFERENCE
from lens.scoring.judge import NO_JUDGE, Judge
from lens.scoring.metric_result import MetricResult
from lens.scoring.submission import Submission
from lens.tables.answer_texts import read_answer
from lens.tables.final_answer import UNFINISHED
from lens.tables.roles import REASONING
from lens.words import each_step, say

# Six answers by their names in lens.words, each a different way in which scores disagree with each
# other or a reader.
EXAMPLES = {
    one.pop("name"): Submission(**one)
    for one in json.loads((DATA / "examples" / "answers.json").read_text(encoding="utf-8"))
}
FIRST = next(iter(EXAMPLES))
# What is shown is old until the overview is drawn anew, as it is with each step.
RENEWED = "watch('value', () => answerLens.renewed())"
CLEARED = "() => ['', '', '', '', false]"
# The texts of a submission.
TEXTS = ("question", "reference", "answer", "keywords")
# The fields that are sent, in the order in which the page's script gets their values.
FIELDS = (
    *(field.name for field in fields(Submission)),
    *(judge_panel.PREFIX + name for name in judge_panel.EMPTY),
)
KEY_AT = FIELDS.index(judge_panel.PREFIX + "key")

TURNS = itertools.count(1)


def build(language: str, page: gr.Blocks) -> JudgeFields:
    """Build the whole tab, in the language that is spoken; return the fields of its judge."""
    with gr.Row(elem_classes="al-page"):
        with gr.Column(scale=0, min_width=300, elem_classes="al-side"):
            choices = [(say(f"example.{name}"), name) for name in EXAMPLES]
            examples = gr.Radio(
                choices, value=FIRST, label=say("page.try_example"), elem_classes="al-examples"
            )
            given = build_submission()
            judge = judge_panel.build()
            inputs = given | {judge_panel.PREFIX + name: field for name, field in judge.items()}
            with gr.Row(elem_classes="al-buttons"):
                button = gr.Button(
                    say("page.score"), variant="primary", min_width=120, elem_id="score"
                )
                cleared = [given[name] for name in (*TEXTS, "several")]
                clear = gr.Button(say("page.clear"), min_width=80, elem_id="clear")
            build_detail("page.keys")
        with gr.Column(scale=1, min_width=300, elem_classes="al-main", elem_id="results"):
            results = result_parts()
    event: dict[str, Any] = PRIVATE | {
        "inputs_kwargs": {name: inputs[name] for name in FIELDS},
        "outputs": results,
        "show_progress": "hidden",
        # a newer submission takes the place of an older one (serving/submissions.py)
        "trigger_mode": "multiple",
    }
    asked, unasked = (
        event
        | {"fn": make_responder(language, who), "js": f"(...all) => answerLens.sent({js}, all)"}
        for who, js in ((True, "true"), (False, "false"))
    )
    typed = [field for field in inputs.values() if isinstance(field, gr.Textbox | gr.Number)]
    gr.on([button.click, *(field.submit for field in typed)], **asked)
    texts = json.dumps({name: astuple(one) for name, one in EXAMPLES.items()})
    gr.on(
        [field.change for field in given.values()],
        None,
        [*given.values()],
        examples,
        js=f"(...all) => answerLens.edited({texts}, all)",
        **PRIVATE,
    )
    examples.input(
        None, examples, [*given.values()], js=f"(name) => ({texts})[name]", **PRIVATE
    ).then(**unasked)
    # The result of what was cleared goes with it.
    clear.click(None, None, cleared, js=CLEARED, **PRIVATE).then(**unasked)
    linked = f"() => answerLens.linked({json.dumps(astuple(EXAMPLES[FIRST]))})"
    page.load(None, None, [*given.values()], js=linked, **PRIVATE).then(**unasked)
    return judge


def build_submission() -> dict[str, gr.Textbox | gr.Checkbox | gr.Radio | gr.Number]:
    """Build the fields of a submission, filled with the first example; return them by name, in its
    order.

    The length of texts is checked when they are scored: a field that cuts what is pasted into it
    would have another text scored than the user gave.
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
            built["several"] = gr.Checkbox(label=say("answer_tab.several"), elem_id="several")
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
    """Build the choice which of several references LV-Eval's two scores read."""
    choices = [(say(f"answer_tab.multi_reference_{one}"), one) for one in ("first", "max")]
    return gr.Radio(choices, value="first", label=say("answer_tab.multi_reference"), **options)


def result_parts() -> list[gr.HTML]:
    """Build the overview and the cards, waiting."""
    overview, *cards = draw_page(EXAMPLES[FIRST], [MetricResult("pending") for _ in METRICS])
    parts = [html(overview, js_on_load=RENEWED, elem_id="overview")]
    with gr.Column(elem_classes="al-cards"):
        for metric, drawn in zip(METRICS, cards, strict=True):
            parts.append(html(drawn, js_on_load=None, elem_id=f"card-{metric.name}"))
    return parts


def draw_page(
    submission: Submission,
    outcomes: Sequence[MetricResult],
    trouble: str = "",
    drawn: Drawn | None = None,
    note: str = "",
) -> list[str]:
    """Return the overview at this moment of the scoring, with a `note` on the answer, and all
    cards.

    Those that are `drawn` already as they are.
    """
    found = {metric.name: outcome for metric, outcome in zip(METRICS, outcomes, strict=True)}
    told = None
    if is_empty_submission(submission) and not trouble:
        told = Verdict(say("headline.nothing"))
    elif trouble := trouble or pasted_answer.find_problem(submission):
        told = Verdict(say("explain.line.none"), trouble)
    elif any(found[metric.name].state == "pending" for metric in METRICS if metric.kind == "words"):
        told = Verdict(say("card.computing"))
    return draw_cards(found, submission, told, turn=next(TURNS), drawn=drawn, note=note)


def make_responder(language: str, asked: bool) -> Callable[..., AsyncIterator[Any]]:
    """Return the callback of what scores; `asked` where the user asked for these scores and not the
    page itself.
    """

    async def respond(request: gr.Request, **values: Any) -> AsyncIterator[Any]:
        submission, judge = read_submission(values), judge_panel.read_judge(values)
        address = find_client(request)
        with visitors.take_place(address) as free:
            scored = score_all(submission, asked, judge, str(request.session_hash), address)
            async for step in each_step(language, scored if free else refuse_too_many(submission)):
                yield step

    return respond


def read_submission(values: Mapping[str, Any]) -> Submission:
    """Return the submission in the values of the tab's fields, by name."""
    given = {field.name: values[field.name] for field in fields(Submission)}
    return Submission(**given | {name: given[name] or "" for name in TEXTS})


async def refuse_too_many(submission: Submission) -> AsyncGenerator[Any, None]:
    """Yield the page where a client has too many submissions under way."""
    told = say("serving.too_many", seconds=visitors.RETRY_SECONDS)
    yield draw_page(submission, [MetricResult("needs", message=told) for _ in METRICS], told)


def prepare_answer(submission: Submission) -> tuple[Submission, str]:
    """Return a submission whose answer is what is scored of it, and what is said of the rest."""
    reasoning = REASONING[submission.whole]
    answer, left_out = read_answer(submission.answer, reasoning)
    if UNFINISHED in left_out:
        return replace(submission, answer=answer), say("answer_tab.unfinished")
    count = len(submission.answer) - len(answer)
    return replace(submission, answer=answer), say(
        "answer_tab.set_aside", count=count
    ) if left_out else ""


async def score_all(
    submission: Submission,
    asked: bool = False,
    judge: Judge = NO_JUDGE,
    session: str = "",
    address: str = "",
) -> AsyncGenerator[Any, None]:
    """Yield the overview and the cards, each time one more score is ready; of the cards those that
    have changed.

    It ends when a newer submission of the page begins. `asked` says that the user asked for these
    scores: only then a model is fetched, and only then the judge is asked.
    """
    submission, note = prepare_answer(submission)
    # Nothing of this submission is shown yet: an empty card takes the place of what stands there.
    shown: list[str | None] = [None] * (1 + len(METRICS))
    drawn: Drawn = {}

    async def list_changes() -> list[Any]:
        before = list(shown)
        shown[:] = await run_sync(draw_page, submission, list(outcomes), "", drawn, note)
        return [
            gr.skip() if one == other else one for one, other in zip(shown, before, strict=True)
        ]

    with submissions.begin_submission(session) as overtaken:
        outcomes = [
            pasted_answer.begin_result(metric, submission, asked, judge) for metric in METRICS
        ]
        yield await list_changes()
        pending = [
            position for position, outcome in enumerate(outcomes) if outcome.state == "pending"
        ]
        async for position, outcome in submissions.score_pending(
            submission, asked, pending, overtaken, judge, session, address
        ):
            outcomes[position] = outcome
            yield await list_changes()
    # Gradio sends the last output of a generator twice, the second time when a newer submission may
    # have begun.
    yield [gr.skip() for _ in range(1 + len(METRICS))]
