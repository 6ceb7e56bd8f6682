"""Components whose words follow the language of the page, and the switch at the top of the page.

A component with words is made by `worded`, with a key of lens.words (or a function that gives the value) for each of
its
properties that holds some:

    worded(gr.Textbox, {"label": "question", "info": "question_info"}, lines=1, elem_id="question")
    with worded(gr.Tab, {"label": "judge_check"}): ...
    worded_html(lambda: f"<p>{say('keys')}</p>")

The browser holds those words in every language and puts them in place itself, without asking the server: when the page
is loaded, and whenever the switch is pressed. What was typed or chosen stays, for values are not touched. What a
callback shows is its own to say: `language_field` gives it the language of the page.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

import gradio as gr
from gradio.blocks import Block

from lens.words import LANGUAGES, language, say, speaking

# A property of a component: the key of its text, or what gives its value in the language that is spoken.
Words = Mapping[str, str | Callable[[], Any]]
Made = TypeVar("Made", bound=Block)

WORDS: WeakKeyDictionary[Block, Words] = WeakKeyDictionary()
# Components that keep what they show where this selector finds something on the page.
UNLESS: WeakKeyDictionary[Block, str] = WeakKeyDictionary()

# The address first, then the browser. It stands in the head of the page, before anything is shown.
CHOOSING = """
(() => {
  const asked = new URLSearchParams(window.location.search).get('lang');
  const own = (navigator.language || '').toLowerCase().split('-')[0];
  window.answerLensLanguage = [asked, own].find((one) => LANGUAGES.includes(one)) || 'en';
  document.documentElement.lang = window.answerLensLanguage;
})();
"""
# The address says what was chosen, so that the page loaded anew speaks it again. The button keeps the focus.
SWITCHING = """
const button = element.querySelector('button');
const name = () => {
  const other = Object.keys(LANGUAGES).find((one) => one !== window.answerLensLanguage);
  button.lang = other;
  button.textContent = LANGUAGES[other];
};
name();
button.addEventListener('click', () => {
  window.answerLensLanguage = button.lang;
  document.documentElement.lang = button.lang;
  const address = new URL(window.location.href);
  address.searchParams.set('lang', button.lang);
  window.history.replaceState(window.history.state, '', address);
  name();
  trigger('select');
  trigger('click');
});
"""
WORDING = """() => {
  const spoken = window.answerLensLanguage, updates = UPDATES[spoken], kept = KEPT;
  document.title = TITLES[spoken];
  document.documentElement.lang = spoken;
  return updates.map((one, at) => kept[at] && document.querySelector(kept[at]) ? KEEP : one);
}"""


def spoken(words: Words) -> dict[str, Any]:
    """The properties that `words` gives in the language that is spoken."""
    return {name: say(word) if isinstance(word, str) else word() for name, word in words.items()}


def worded(kind: type[Made], words: Words, unless: str = "", **options: Any) -> Made:
    """A component of Gradio with words. Where `unless`, a CSS selector, finds something on the page, a switch leaves
    the component as it is.
    """
    component = kind(**spoken(words), **options)
    WORDS[component] = words
    if unless:
        UNLESS[component] = unless
    return component


def worded_html(draw: Callable[[], str], unless: str = "", **options: Any) -> gr.HTML:
    """A piece of HTML that `draw` gives in the language that is spoken."""
    return worded(gr.HTML, {"value": draw}, unless, **{"apply_default_css": False, "js_on_load": None, **options})


def language_field() -> gr.Textbox:
    """A hidden field with the language of the page, to be an input of a callback."""
    return worded(gr.Textbox, {"value": language}, visible="hidden", show_label=False, container=False)


def both(key: str, **values: object) -> str:
    """A text in every language, of which the page shows the one that is spoken: for HTML that must not be drawn anew,
    such as a field with a file in it.
    """
    drawn = ""
    for one in LANGUAGES:
        with speaking(one):
            drawn += f'<span class="al-said" lang="{one}">{say(key, **values)}</span>'
    return drawn


def in_head() -> str:
    """What the head of the page needs, to know its language from the beginning."""
    return f"<script>{CHOOSING.replace('LANGUAGES', json.dumps(list(LANGUAGES)))}</script>"


def build_switch() -> gr.HTML:
    """The button that changes the language, under the name that the other language has for itself. When its events
    come, window.answerLensLanguage is the new language.

    `select` is for listeners that the browser carries out alone, `click` for those that ask the server: Gradio carries
    out the listeners of one event one after another, and waits for what the server answers in between.
    """
    return gr.HTML(
        '<button type="button" class="al-copy al-language" lang="zh">中文</button>',
        apply_default_css=False,
        js_on_load=SWITCHING.replace("LANGUAGES", json.dumps(LANGUAGES)),
        elem_id="language",
    )


def build_wording(page: gr.Blocks, switch: gr.HTML, title: str) -> None:
    """Word everything on the page when it is loaded and when the switch is pressed; `title` is the key of its title.

    To be called last, when all is there.
    """
    blocks = [block for block in page.blocks.values() if block in WORDS]
    values = {
        "TITLES": {one: spoken_in(one, {"title": title})["title"] for one in LANGUAGES},
        "KEPT": [UNLESS.get(block, "") for block in blocks],
        "KEEP": {"__type__": "update"},
        # The last: these are the words, which may be anything.
        "UPDATES": {one: updates(blocks, one) for one in LANGUAGES},
    }
    js = WORDING
    for name, value in values.items():
        js = js.replace(name, json.dumps(value))
    gr.on([page.load, switch.select], None, outputs=blocks, js=js, show_progress="hidden", api_visibility="private")


def updates(blocks: Sequence[Block], chosen: str) -> list[dict[str, Any]]:
    """What changes of each component."""
    return [{"__type__": "update", **spoken_in(chosen, WORDS[block])} for block in blocks]


def spoken_in(chosen: str, words: Words) -> dict[str, Any]:
    """The properties that `words` gives in a language."""
    with speaking(chosen):
        return spoken(words)
