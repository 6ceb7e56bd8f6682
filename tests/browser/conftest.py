"""The demo as a program of its own, and a browser that visits it.

Without Chromium or axe-core the tests that need them are skipped; with ANSWER_LENS_REQUIRE_BROWSER=1 they fail.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal, NoReturn

import pytest

from tests.support.processes import search_path
from tests.support.project import ROOT

HERE = Path(__file__).resolve().parent
SPACE = ROOT / "spaces" / "answer_lens"
sys.path[:0] = [str(SPACE), str(HERE)]

from browsing import ARGUMENTS, Demo, find_chromium, free_port, small_models  # noqa: E402


def missing(what: str) -> NoReturn:
    """Skip the test for want of `what`, or fail where a browser is required."""
    if os.environ.get("ANSWER_LENS_REQUIRE_BROWSER") == "1":
        pytest.fail(what)
    pytest.skip(what)


@contextlib.contextmanager
def demos(homes: pytest.TempPathFactory) -> Iterator[Callable[..., Demo]]:
    """What starts the demo that lies in a folder, offline, with the environment given; all are stopped at the end.

    Unless told otherwise, both model cards use the small model that the tests bring along.
    """
    running: list[Demo] = []

    def start(folder: Path, **environment: str) -> Demo:
        metrics = [path.name for path in (folder.parent.parent / "metrics").glob("*")]
        settings = {"HF_HUB_OFFLINE": "1", "PYTHONPATH": search_path(*metrics), **small_models(), **environment}
        running.append(Demo.start(folder, free_port(), homes.mktemp("cache"), **settings))
        return running[-1]

    try:
        yield start
    finally:
        for demo in running:
            demo.stop()


@pytest.fixture
def start_demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Demo]]:
    """Start a demo for one test."""
    with demos(tmp_path_factory) as start:
        yield start


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demo]:
    """The demo of this clone, with judges that must be quick."""
    with demos(tmp_path_factory) as start:
        yield start(SPACE, ANSWER_LENS_JUDGE_TIMEOUT="1.5")


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of Chromium."""
    if importlib.util.find_spec("playwright") is None:
        missing("no Playwright: pip install playwright")
    found = find_chromium()
    if not found:
        missing("no Chromium: set CHROMIUM to its path")
    return found


@pytest.fixture(scope="session")
def axe_source() -> str:
    """The program text of axe-core."""
    package = importlib.util.find_spec("axe_playwright_python")
    if package is None or package.origin is None:
        missing("no axe-core: install tests/requirements.txt")
    return Path(package.origin).with_name("axe.min.js").read_text(encoding="utf-8")


@pytest.fixture
def open_page(chromium: str, tmp_path: Path) -> Iterator[Callable[..., object]]:
    """Open an address in a browser with an empty profile: open_page(url, width, scheme, locale)."""
    from playwright.sync_api import BrowserContext, Page, sync_playwright

    contexts: list[BrowserContext] = []
    with sync_playwright() as playwright:

        def visit(
            url: str, width: int = 1280, scheme: Literal["light", "dark"] = "light", locale: str = "en-US"
        ) -> Page:
            context = playwright.chromium.launch_persistent_context(
                str(tmp_path / f"profile{len(contexts)}"),
                executable_path=chromium,
                args=ARGUMENTS,
                viewport={"width": width, "height": 900},
                color_scheme=scheme,
                locale=locale,
            )
            contexts.append(context)
            page = context.new_page()
            page.set_default_timeout(180_000)
            page.goto(url)
            return page

        yield visit
        for context in contexts:
            context.close()


@pytest.fixture
def space_copy(tmp_path: Path) -> Callable[..., Path]:
    """A copy of the demo beside copies of some metric folders, to break one of them."""

    def copy(*metrics: str) -> Path:
        folder = tmp_path / "clone" / "spaces" / "answer_lens"
        shutil.copytree(SPACE, folder, ignore=shutil.ignore_patterns("__pycache__", ".gradio"))
        for name in metrics:
            shutil.copytree(ROOT / "metrics" / name, tmp_path / "clone" / "metrics" / name)
        return folder

    return copy
