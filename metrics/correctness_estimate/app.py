# A copy of metrics/shared/app.py: change that one, then run `make copies`.
"""A page for the metric in this folder: one row in, its result out, the card below. A judge shows what it would ask."""

import inspect
import re
import runpy
from pathlib import Path

import evaluate
import gradio as gr

FOLDER = Path(__file__).resolve().parent


def page() -> gr.Blocks:
    """Return the page; its fields are the metric's columns."""
    modules = (path for path in FOLDER.glob("*.py") if re.search(r"^class .*e\.Metric", path.read_text("utf-8"), re.M))
    metric = evaluate.load(str(next(modules)))
    columns = metric.features[0] if isinstance(metric.features, list) else metric.features
    known = inspect.signature(metric._compute).parameters
    cases = [case for case in runpy.run_path(str(FOLDER / "tests.py"))["test_cases"] if "configuration" not in case]
    wanted = {"model": cases[0].get("model", "none"), "dry_run": True, "progress": False, "per_example": True}
    settings = {k: value for k, value in wanted.items() if k in known and not isinstance(known[k].default, str)}

    def compute(*values: object) -> object:
        try:
            return metric.compute(**{name: [v] for name, v in zip(columns, values, strict=True)}, **settings)
        except Exception as error:
            raise gr.Error(str(error)) from error

    with gr.Blocks(title=metric.name, analytics_enabled=False) as blocks:
        fields = [(gr.Number if "float" in str(kind) else gr.Textbox)(label=name) for name, kind in columns.items()]
        button, result = gr.Button("Compute", variant="primary"), gr.JSON(label="Result")
        button.click(compute, fields, result, api_visibility="private")
        gr.Examples([[case.get(name, [""])[0] for name in columns] for case in cases], fields)
        gr.Markdown(re.sub(r"\A---\n.*?\n---\n", "", (FOLDER / "README.md").read_text("utf-8"), flags=re.S))
    return blocks.queue(max_size=32, api_open=False)


if __name__ == "__main__":
    page().launch(run_history=False)
