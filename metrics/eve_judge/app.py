"""A small page for the metric in this folder: one row in, its result out, the metric card below.

The same file stands in every metric folder; the original is metrics/lv_eval_f1/app.py (`make copies`). All it shows is
read from the module, its test cases and its card.
"""

import inspect
import os
import re
import runpy
import sys
from pathlib import Path
from typing import Any

os.environ.setdefault("GRADIO_ANALYTICS_ENABLED", "False")

import evaluate
import gradio as gr

FOLDER = Path(__file__).resolve().parent
MAX_CHARACTERS = 50_000


def module_file() -> Path:
    """Return the file of the metric: the one with a class that derives from evaluate.Metric."""
    files = sorted(FOLDER.glob("*.py"))
    return next(path for path in files if re.search(r"^class .*evaluate\.Metric", path.read_text("utf-8"), re.M))


def examples(columns: list[str]) -> list[list[str]]:
    """Return the first row of each test case of tests.py for the usual columns, a missing one as an empty text."""
    test_cases = runpy.run_path(str(FOLDER / "tests.py"))["test_cases"]
    usual = [case for case in test_cases if "configuration" not in case]
    return [[first_text(case.get(column, [""])[0]) for column in columns] for case in usual]


def first_text(value: str | float | list[str]) -> str:
    """Return a text, a number as text, or the first of several references."""
    return str(value[0] if isinstance(value, list) else value)


def cell(metric: Any, name: str, text: str) -> str | float:
    """Return what was typed in for a column, as a number where the column holds numbers."""
    features = metric.features[0] if isinstance(metric.features, list) else metric.features
    try:
        return float(text) if getattr(features[name], "dtype", "") == "float64" else text
    except ValueError:
        return text  # the metric says what is wrong with it


def own(metric: Any, name: str, default: Any) -> Any:
    """Return what the module says for its page under `name`: PAGE_ASKS, settings in words, or PAGE_FIXES."""
    return getattr(sys.modules[type(metric).__module__], name, default)


def switches(metric: Any) -> dict[str, bool]:
    """Return the settings of the metric that are on or off, with their defaults."""
    parameters = inspect.signature(metric._compute).parameters
    fixed = {"per_example", *own(metric, "PAGE_FIXES", {})}
    return {name: p.default for name, p in parameters.items() if p.annotation is bool and name not in fixed}


def card() -> str:
    """Return the metric card without the metadata of the Hub."""
    return re.sub(r"\A---\n.*?\n---\n", "", (FOLDER / "README.md").read_text("utf-8"), flags=re.S)


def page() -> gr.Blocks:
    """Build the page."""
    metric = evaluate.load(str(module_file()))
    columns, settings = metric._feature_names(), switches(metric)
    asks, fixes = own(metric, "PAGE_ASKS", {}), own(metric, "PAGE_FIXES", {})

    def compute(*values: Any) -> dict[str, Any]:
        row = {name: text or "" for name, text in zip(columns, values, strict=False)}
        long = [name for name, text in row.items() if len(text) > MAX_CHARACTERS]
        if long:
            return {"error": f"{long[0]} has {len(row[long[0]]):,} characters; at most {MAX_CHARACTERS:,} fit here"}
        fresh = type(metric)(keep_in_memory=True)  # a metric must not be shared between threads
        given = {name: [cell(metric, name, text)] for name, text in row.items()}
        chosen = dict(zip([*asks, *settings], values[len(columns) :], strict=True))
        try:
            return fresh.compute(**given, **fixes, **chosen, per_example=True)
        except (TypeError, ValueError, ImportError, OSError, RuntimeError) as error:
            return {"error": str(error)}

    with gr.Blocks(title=metric.name) as blocks:
        gr.Markdown(f"# {metric.name}\n{metric.description}")
        texts = [gr.Textbox(label=column, lines=3, max_length=MAX_CHARACTERS) for column in columns]
        words = [gr.Textbox(value, label=name, max_lines=1) for name, value in asks.items()]
        boxes = [gr.Checkbox(label=name, value=value) for name, value in settings.items()]
        button, result = gr.Button("Compute", variant="primary"), gr.JSON(label="Result")
        gr.Examples(examples(columns), texts)
        gr.Markdown(card())
        button.click(compute, [*texts, *words, *boxes], result, api_visibility="private", show_progress_on=button)
    return blocks.queue(max_size=32, api_open=False)


if __name__ == "__main__":
    page().launch(run_history=False, show_error=False, footer_links=[], max_file_size="1kb")
