# A copy of metrics/shared/app.py: change that one, then run `make copies`.
"""A page for the metric in this folder: fields for one row, its result, and the card below.

A judge shows the request that it would send, and sends nothing.
"""

import inspect
import re
import runpy
from pathlib import Path
from typing import Any

import evaluate
import gradio as gr

FOLDER = Path(__file__).resolve().parent


def load_metric() -> Any:
    """Load the metric of this folder."""
    for path in FOLDER.glob("*.py"):
        if re.search(r"^class .*e\.Metric", path.read_text("utf-8"), re.M):
            return evaluate.load(str(path))
    raise FileNotFoundError(f"{FOLDER} holds no metric")


def choose_settings(metric: Any, case: dict[str, Any]) -> dict[str, Any]:
    """Return the settings for the page, out of those that the metric has."""
    page_settings = {
        "model": case.get("model", "none"),
        "dry_run": True,
        "progress": False,
        "per_example": True,
    }
    parameters = inspect.signature(metric._compute).parameters
    settings = {}
    for name, value in page_settings.items():
        # A metric with a default model keeps it.
        if name in parameters and not isinstance(parameters[name].default, str):
            settings[name] = value
    return settings


def read_cases() -> list[dict[str, Any]]:
    """Return the test cases of the metric's usual configuration; their first rows are examples."""
    names = runpy.run_path(str(FOLDER / "tests.py"))
    return [case for case in names["test_cases"] if "configuration" not in case]


def read_card() -> str:
    """Return the metric's card without the block of settings for the Hub at its beginning."""
    card = (FOLDER / "README.md").read_text("utf-8")
    return re.sub(r"\A---\n.*?\n---\n", "", card, flags=re.S)


def build_page() -> gr.Blocks:
    """Return the page, with one field for each column of the metric."""
    metric = load_metric()
    columns = metric.features[0] if isinstance(metric.features, list) else metric.features
    cases = read_cases()
    settings = choose_settings(metric, cases[0])
    examples = []
    for case in cases:
        first_row = [case.get(name, [""])[0] for name in columns]
        examples.append(first_row)

    def compute(*values: object) -> object:
        row = {name: [value] for name, value in zip(columns, values, strict=True)}
        try:
            return metric.compute(**row, **settings)
        except Exception as error:
            raise gr.Error(str(error)) from error

    with gr.Blocks(title=metric.name, analytics_enabled=False) as page:
        fields = []
        for name, kind in columns.items():
            build_field = gr.Number if "float" in str(kind) else gr.Textbox
            fields.append(build_field(label=name))
        button = gr.Button("Compute", variant="primary")
        result = gr.JSON(label="Result")
        button.click(compute, fields, result, api_visibility="private")
        gr.Examples(examples, fields)
        gr.Markdown(read_card())
    return page.queue(max_size=32, api_open=False)


if __name__ == "__main__":
    build_page().launch(run_history=False)
