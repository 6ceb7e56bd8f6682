"""Builds the whole page in each language, and serves it."""

from __future__ import annotations

import os
import sys
import threading
import webbrowser

# Gradio reads these when it is imported. It uses the first free port from GRADIO_SERVER_PORT on.
os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"
os.environ.setdefault("GRADIO_SERVER_PORT", os.environ.get("PORT", "7860"))

import gradio as gr
from starlette.routing import Route

from lens import SPACE
from lens.page import judge_check_tab, lv_eval_tab
from lens.page.answer import answer_form, answer_tab
from lens.page.files import files_tab
from lens.page.html import part
from lens.page.serving import access
from lens.page.serving.gradio_internals import PrivateBlocks
from lens.page.tab import build_small_text
from lens.scoring import judge as judging
from lens.scoring import pasted_answer
from lens.tables.untrusted import MAX_BYTES
from lens.words import LANGUAGES, say, speaking

# The path of the page in each language, relative to the main page.
PATHS = {"en": "", "zh": "zh"}
# How many events may run at once, and how many may wait in Gradio's queue. visitors.py decides who
# waits, so events should not wait in that queue.
MAX_RUNNING, MAX_QUEUED = 512, 64
# How often Gradio looks for old files, and how old they must be to be deleted, in seconds.
DELETE_CACHE = (600, 3600)


def build() -> gr.Blocks:
    """Build the page; the English one is the main page."""
    page = PrivateBlocks(
        title=say("page.title"),
        analytics_enabled=False,
        fill_width=True,
        delete_cache=DELETE_CACHE,
    )
    for language, path in PATHS.items():
        route = page
        if path:
            route = page.route(LANGUAGES[language], path, show_in_navbar=False)
        with speaking(language), route:
            build_page(language, page)
    page.unload(page.close_session)
    page.queue(max_size=MAX_QUEUED, api_open=False, default_concurrency_limit=None)
    return page


def build_page(language: str, page: gr.Blocks) -> None:
    """Build the page in one language."""
    (other_language,) = [code for code in LANGUAGES if code != language]
    address = f"./{PATHS[other_language]}?lang={other_language}"
    header = part("head", other_language, LANGUAGES[other_language], address)
    gr.HTML(header, apply_default_css=False, js_on_load=None, elem_classes="al-head")
    with gr.Tabs(overflow_behavior="wrap", elem_classes="al-tabs"):
        with gr.Tab(say("page.one_answer"), elem_id="tab-answer"):
            judge = answer_tab.build(language, page)
        with gr.Tab(say("files_tab.tab"), elem_id="tab-files"):
            files_tab.build(language, judge)
        with gr.Tab("LV-Eval", elem_id="tab-lv-eval"):
            lv_eval_tab.build(language)
        with gr.Tab(say("judge_check.tab"), elem_id="tab-judge-check"):
            judge_check_tab.build(language)
    build_small_text("page.footer")


def make_theme() -> gr.themes.Default:
    """Return Gradio's default theme with sufficient contrast, and with fonts of the package.

    Bold text has weight 700 instead of Gradio's 600, because the bundled semi-bold fonts have only
    a few letters.
    """
    text = (gr.themes.LocalFont("Source Sans Pro", weights=(400, 700)), "system-ui", "sans-serif")
    code = (gr.themes.LocalFont("IBM Plex Mono", weights=(400, 700)), "ui-monospace", "monospace")
    return gr.themes.Default(primary_hue="indigo", font=text, font_mono=code).set(
        body_text_color_subdued="*neutral_600",
        block_label_text_color="*neutral_700",
        block_info_text_color="*neutral_600",
        block_title_text_color="*neutral_700",
        input_placeholder_color="*neutral_600",
        button_primary_background_fill="*primary_600",
        button_primary_background_fill_hover="*primary_700",
    )


def make_head_html() -> str:
    """Return the HTML for the head of every page."""
    script = (SPACE / "lens" / "page" / "page.js").read_text(encoding="utf-8")
    script = script.replace("KEY_POSITION", str(answer_form.KEY_POSITION))
    return f'<meta name="description" content="{say("page.tagline")}"><script>{script}</script>'


def main() -> None:
    """Serve the page, and load slow modules afterwards; with --open, show it in a browser."""
    # Threads change every 1 ms instead of 5 ms, so that requests are answered while others compute.
    sys.setswitchinterval(0.001)
    demo.launch(
        theme=make_theme(),
        css_paths=[SPACE / "style.css"],
        head=make_head_html(),
        favicon_path=SPACE / "favicon.svg",
        footer_links=[],
        # With share=None, Gradio makes a public link on Kaggle, SageMaker and Colab. Here, only the
        # owner of the page can ask for one.
        share=judging.is_shared(),
        run_history=False,
        show_error=False,
        enable_monitoring=False,
        ssr_mode=False,
        max_file_size=MAX_BYTES,
        max_threads=MAX_RUNNING,
        state_session_capacity=256,
        app_kwargs={
            **access.make_app_options(),
            "routes": [Route("/card/{name}", access.read_metric_card)],
        },
        prevent_thread_lock=True,
        quiet=True,
    )
    print(f"{say('page.title')}: {demo.local_url}", flush=True)
    # Without a desktop, a text browser would take over the terminal.
    has_desktop = sys.platform == "darwin" or {"DISPLAY", "WAYLAND_DISPLAY"} & os.environ.keys()
    if "--open" in sys.argv and has_desktop:
        webbrowser.open(demo.local_url)
    threading.Thread(target=pasted_answer.warm_up, daemon=True).start()
    demo.block_thread()


demo = build()
