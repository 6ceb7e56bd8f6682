"""The pages of the static Spaces in a browser: readable at every width, light and dark, and reachable by keyboard."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import publish
from tests.support.project import NAMES

Open = Callable[..., Any]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_and_nothing_scrolls_sideways(
    open_page: Open, axe_source: str, scheme: str, tmp_path: Path
) -> None:
    page = open_page("about:blank", scheme=scheme)
    for name in NAMES:
        file = tmp_path / f"{name}.html"
        file.write_bytes(publish.metric_space(name, "org", "static", "https://huggingface.co").files["index.html"])
        page.goto(file.as_uri())
        for width in (320, 1280):
            page.set_viewport_size({"width": width, "height": 900})
            assert page.evaluate("document.documentElement.scrollWidth") <= width, (name, width)
        page.evaluate(axe_source)
        found = page.evaluate("async () => (await axe.run()).violations")
        assert [(rule["id"], rule["nodes"][0]["html"]) for rule in found] == [], name


def test_a_copied_example_has_no_prompts(open_page: Open, tmp_path: Path) -> None:
    file = tmp_path / "index.html"
    file.write_bytes(publish.metric_space("lv_eval_f1", "org", "static", "https://huggingface.co").files["index.html"])
    page = open_page(file.as_uri())
    block = page.locator("pre", has_text="import evaluate").nth(1)
    assert ">>> import evaluate" in block.inner_text()
    block.evaluate("(one) => getSelection().selectAllChildren(one)")
    copied = page.evaluate("getSelection().toString()")
    assert copied.startswith("import evaluate\n")
    assert ">>>" not in copied
    assert "... " not in copied
