"""The form of an answer: examples, the fields of a submission and of a judge, and the buttons."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

import gradio as gr

from lens import DATA
from lens.page.answer import judge_form
from lens.page.answer.judge_form import JudgeFields
from lens.page.tab import build_small_text
from lens.scoring.catalog import MULTI_REFERENCE
from lens.scoring.submission import Submission
from lens.words import say


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
FIRST_NAME = next(iter(EXAMPLES))
FIRST_EXAMPLE = EXAMPLES[FIRST_NAME]
# The text fields of a submission.
TEXTS = ("question", "reference", "answer", "keywords")
# The names of the values that are sent, in the order in which the page's script gets them.
FIELDS = (
    *(field.name for field in fields(Submission)),
    *(judge_form.PREFIX + name for name in judge_form.EMPTY),
)
KEY_POSITION = FIELDS.index(judge_form.PREFIX + "key")


@dataclass(frozen=True)
class AnswerForm:
    """The form of the tab.

    Attributes:
        examples: the choice of an example.
        submission: the fields of the submission, by name.
        judge: the fields of the judge, by name.
        score: the button that scores.
        clear: the button that clears the texts.
    """

    examples: gr.Radio
    submission: dict[str, Any]
    judge: JudgeFields
    score: gr.Button
    clear: gr.Button

    @property
    def fields(self) -> dict[str, Any]:
        """The fields whose values are sent, by the names of FIELDS."""
        judge = {judge_form.PREFIX + name: field for name, field in self.judge.items()}
        return self.submission | judge


def build_form() -> AnswerForm:
    """Build the examples, the fields and the buttons."""
    choices = [(say(f"example.{name}"), name) for name in EXAMPLES]
    examples = gr.Radio(
        choices, value=FIRST_NAME, label=say("page.try_example"), elem_classes="al-examples"
    )
    submission = build_submission()
    judge = judge_form.build()
    with gr.Row(elem_classes="al-buttons"):
        score = gr.Button(say("page.score"), variant="primary", min_width=120, elem_id="score")
        clear = gr.Button(say("page.clear"), min_width=80, elem_id="clear")
    build_small_text("page.keys")
    return AnswerForm(examples, submission, judge, score, clear)


def build_submission() -> dict[str, gr.Textbox | gr.Checkbox | gr.Radio | gr.Number]:
    """Build the fields of a submission with the first example; return them by name, in order.

    The length of texts is checked when they are scored. A field that cuts a pasted text would
    change the scored text without a message.
    """
    options: dict[str, dict[str, Any]] = {
        "question": {"max_lines": 3},
        "reference": {"lines": 3, "max_lines": 6},
        "answer": {"lines": 3, "max_lines": 6},
        "keywords": {"max_lines": 1, "info": say("answer_tab.keywords_info")},
    }
    form: dict[str, Any] = {}
    for name in TEXTS:
        form[name] = gr.Textbox(
            getattr(FIRST_EXAMPLE, name),
            label=say(f"answer_tab.field.{name}"),
            elem_id=name,
            **options[name],
        )
        if name == "reference":
            form["has_several_references"] = gr.Checkbox(
                label=say("answer_tab.several"), elem_id="several"
            )
    with gr.Accordion(say("page.settings"), open=False, elem_id="settings"):
        form[MULTI_REFERENCE] = build_multi_reference(elem_id="multi_reference")
        form["min_keyword_recall"] = gr.Number(
            None,
            label=say("answer_tab.min_keyword_recall"),
            info=say("answer_tab.min_keyword_recall_info"),
            step=0.1,
            elem_id="recall",
        )
        form["whole"] = gr.Checkbox(
            label=say("answer_tab.whole_answer"),
            info=say("answer_tab.whole_answer_info"),
            elem_id="whole",
        )
    return {field.name: form[field.name] for field in fields(Submission)}


def build_multi_reference(**options: Any) -> gr.Radio:
    """Build the choice of which of several references LV-Eval's two scores read."""
    choices = [
        (say("answer_tab.multi_reference_first"), "first"),
        (say("answer_tab.multi_reference_max"), "max"),
    ]
    label = say("answer_tab.multi_reference")
    return gr.Radio(choices, value="first", label=label, **options)


def read_submission(values: Mapping[str, Any]) -> Submission:
    """Return the submission in the values of the tab's fields, by name."""
    arguments = {field.name: values[field.name] for field in fields(Submission)}
    for name in TEXTS:
        arguments[name] = arguments[name] or ""
    return Submission(**arguments)
