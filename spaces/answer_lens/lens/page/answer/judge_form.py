"""The form that chooses a judge: provider, model, key, on a private page the address, and options.

The option "repeats" asks for three replies to each prompt. "decides" says that the model is a
decision model, which answers with a probability and no text.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

import gradio as gr

from lens.page.tab import build_small_text
from lens.scoring import judge as judging
from lens.scoring import modules
from lens.scoring.judge import Judge
from lens.words import say

# The values of the fields if no judge is chosen, by the argument names of `Judge.parse`.
EMPTY = {
    "provider": None,
    "model": "",
    "key": "",
    "address": "",
    "repeats": False,
    "decides": False,
}

# A tab names the judge's fields with this prefix.
PREFIX = "judge_"

JudgeFields = dict[str, gr.Dropdown | gr.Textbox | gr.Checkbox]


def build() -> JudgeFields:
    """Build the form; return its fields by the argument names of `Judge.parse`.

    It is folded until the user opens it, and hidden if there is no provider to choose.
    """
    choices = []
    providers = judging.list_offered_providers(modules.load_providers())
    for name, settings in providers.items():
        host = urlsplit(settings.base_url).hostname
        choices.append((f"{name} ({host})", name))
    is_public = judging.is_public()
    with gr.Accordion(say("judge.head"), open=False, elem_id="judge", visible=bool(choices)):
        build_small_text("judge.info")
        provider = gr.Dropdown(
            choices,
            value=None,
            label=say("judge.provider"),
            filterable=False,
            elem_id="provider",
        )
        # On a private page the texts (..._here) also speak of the provider's environment variable,
        # and of a server of one's own.
        key_info = say("judge.key_info" if is_public else "judge.key_info_here")
        decides_info = say("judge.decides_info" if is_public else "judge.decides_info_here")
        return {
            "provider": provider,
            "model": build_text_field("model"),
            "key": build_text_field("key", info=key_info, type="password"),
            "address": build_text_field(
                "address", info=say("judge.address_info"), visible=not is_public
            ),
            "repeats": gr.Checkbox(
                label=say("judge.replies"), info=say("judge.replies_info"), elem_id="replies"
            ),
            "decides": gr.Checkbox(
                label=say("judge.decides"), info=decides_info, elem_id="decides"
            ),
        }


def read_judge(values: Mapping[str, Any]) -> Judge:
    """Return the judge that is chosen by the values of a tab's fields, by name."""
    return Judge.parse(**{name: values[PREFIX + name] for name in EMPTY})


def build_text_field(name: str, **options: Any) -> gr.Textbox:
    """Build a text field that the browser neither fills in nor corrects."""
    attributes = gr.InputHTMLAttributes(autocomplete="off", autocapitalize="off", spellcheck=False)
    return gr.Textbox(
        label=say(f"judge.{name}"),
        max_lines=1,
        elem_id=name,
        html_attributes=attributes,
        **options,
    )
