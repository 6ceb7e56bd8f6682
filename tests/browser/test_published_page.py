"""The pages of the static Spaces in a browser: readable at every width, light and dark."""

from __future__ import annotations

import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.project import NAMES, ROOT

Open = Callable[..., Any]


def write_page(name: str, folder: Path) -> str:
    """Write the page of a module's Space and return its address."""
    publish = runpy.run_path(str(ROOT / "spaces" / "publish.py"))
    (folder / "index.html").write_bytes(
        publish["build_metric_space"](name, "org", "static", "https://hub").files["index.html"]
    )
    return (folder / "index.html").as_uri()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_and_nothing_scrolls_sideways(
    open_page: Open,
    axe_source: str,
    scheme: str,
    tmp_path: Path,
) -> None:
    page = open_page("about:blank", scheme=scheme)
    for name in NAMES:
        page.goto(write_page(name, tmp_path))
        for width in (320, 1280):
            page.set_viewport_size({"width": width, "height": 900})
            assert page.evaluate("document.documentElement.scrollWidth") <= width, (name, width)
        page.evaluate(axe_source)
        found = page.evaluate("async () => (await axe.run()).violations")
        assert [(rule["id"], rule["nodes"][0]["html"]) for rule in found] == [], name


def test_a_copied_example_has_no_prompts(open_page: Open, tmp_path: Path) -> None:
    block = (
        open_page(write_page("lv_eval_f1", tmp_path))
        .locator("pre", has_text="import evaluate")
        .nth(1)
    )
    assert ">>> import evaluate" in block.inner_text()
    copied = block.evaluate(
        "(one) => { getSelection().selectAllChildren(one); return getSelection().toString(); }"
    )
    assert copied.startswith("import evaluate\n")
    assert ">>>" not in copied
    assert "... " not in copied
