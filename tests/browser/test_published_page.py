"""The pages of the static Spaces in a browser: readable at every width, light and dark."""

from __future__ import annotations

import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from browsing import list_violations, measure_width

from tests.support.project import NAMES, ROOT

Open = Callable[..., Any]


def write_page(name: str, folder: Path) -> str:
    """Write the page of a module's Space and return its address."""
    publish = runpy.run_path(str(ROOT / "spaces" / "publish.py"))
    space = publish["build_metric_space"](name, "org", "static", "https://hub")
    page = folder / "index.html"
    page.write_bytes(space.files["index.html"])
    return page.as_uri()


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
            assert measure_width(page) <= width, (name, width)
        page.evaluate(axe_source)
        assert list_violations(page) == [], name


def test_a_copied_example_has_no_prompts(open_page: Open, tmp_path: Path) -> None:
    page = open_page(write_page("lv_eval_f1", tmp_path))
    example = page.locator("pre", has_text="import evaluate").nth(1)
    assert ">>> import evaluate" in example.inner_text()
    copied = example.evaluate("""(element) => {
      getSelection().selectAllChildren(element);
      return getSelection().toString();
    }""")
    assert copied.startswith("import evaluate\n")
    assert ">>>" not in copied
    assert "... " not in copied
