"""The panel to choose a judge in: provider, model, key, and where it may be chosen the address."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

import gradio as gr

from lens.page.html import part
from lens.scoring import judge as judging
from lens.scoring import modules
from lens.words import say

# What the fields hold where no judge is chosen, in their order.
EMPTY = (None, "", "", "", False, False)

JudgeFields = list[gr.Dropdown | gr.Textbox | gr.Checkbox]


def build() -> JudgeFields:
    """The panel, closed; its fields in the order of `Judge.given`."""
    providers = judging.offered(modules.providers())
    choices = [(f"{name} ({urlsplit(one.base_url).hostname})", name) for name, one in providers.items()]
    public = judging.public()
    with gr.Accordion(say("judge"), open=False, elem_id="judge", visible=bool(choices)):
        detail("judge_info")
        return [
            gr.Dropdown(choices, value=None, label=say("judge_provider"), filterable=False, elem_id="provider"),
            field("model"),
            field("key", info=say("judge_key_info" if public else "judge_key_info_here"), type="password"),
            field("address", info=say("judge_address_info"), visible=not public),
            gr.Checkbox(label=say("judge_replies"), info=say("judge_replies_info"), elem_id="replies"),
            gr.Checkbox(
                label=say("judge_decides"),
                info=say("judge_decides_info" if public else "judge_decides_info_here"),
                elem_id="decides",
            ),
        ]


def field(name: str, **options: Any) -> gr.Textbox:
    """One line of the panel."""
    plain = gr.InputHTMLAttributes(autocomplete="off", autocapitalize="off", spellcheck=False)
    return gr.Textbox(label=say(f"judge_{name}"), max_lines=1, elem_id=name, html_attributes=plain, **options)


def detail(key: str) -> gr.HTML:
    """A line in small print."""
    return gr.HTML(part("detail", say(key)), apply_default_css=False, js_on_load=None)
