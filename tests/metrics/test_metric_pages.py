"""The small page of each metric folder, built from what the module says of itself."""

import runpy
import shutil
from pathlib import Path
from typing import Any

import gradio as gr
import pytest

from tests.support.judges import JUDGES
from tests.support.project import METRICS, NAMES, provide_model


@pytest.mark.parametrize("name", NAMES)
def test_the_page_of_a_folder_copied_alone_computes_its_examples(name: str, tmp_path: Path) -> None:
    provide_model(name)
    folder = tmp_path / "app"  # the name that it has on Spaces
    shutil.copytree(METRICS / name, folder, ignore=shutil.ignore_patterns("__pycache__"))
    page: Any = runpy.run_path(str(folder / "app.py"))["page"]()
    (compute,) = (function for function in page.fns.values() if function.fn.__name__ == "compute")
    assert compute.api_visibility == "private"
    rows = next(one for one in page.blocks.values() if type(one).__name__ == "Dataset").samples
    assert len(rows) >= 2
    for row in rows:
        row = [field.preprocess(value) for field, value in zip(compute.inputs, row, strict=True)]
        result = compute.fn(*row)
        if name in JUDGES:  # nobody is asked, and no key is taken
            assert result["calls"] == 1
            assert all(text in result["first_prompt"] for text in row)
        else:
            assert result["per_example"][0]["score"] is not None
    with pytest.raises(gr.Error, match="None"):
        compute.fn(*[None for _ in rows[0]])
