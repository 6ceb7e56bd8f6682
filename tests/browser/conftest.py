"""Fixtures: the demo in a process of its own, and a browser that opens it.

Tests that need Chromium or axe-core are skipped without them, or fail if
ANSWER_LENS_REQUIRE_BROWSER=1.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal, NoReturn

import pytest

from tests.support.judge_server import JudgeServer
from tests.support.processes import make_search_path
from tests.support.project import NAMES

sys.path.insert(0, str(Path(__file__).resolve().parent))

from browsing import ARGUMENTS, SPACE, Demo, find_chromium, find_free_port, list_small_models


def skip_test(reason: str) -> NoReturn:
    """Skip the test, or fail it if a browser is required."""
    if os.environ.get("ANSWER_LENS_REQUIRE_BROWSER") == "1":
        pytest.fail(reason)
    pytest.skip(reason)


@contextlib.contextmanager
def run_demos(folders: pytest.TempPathFactory) -> Iterator[Callable[..., Demo]]:
    """Yield a function that starts the demo of this clone offline; stop all demos at the end.

    By default both model cards use MiniLM from its package.
    """
    running: list[Demo] = []

    def start(**environment: str) -> Demo:
        settings = {
            "HF_HUB_OFFLINE": "1",
            "PYTHONPATH": make_search_path(*NAMES),
            **list_small_models(),
            **environment,
        }
        demo = Demo.start(SPACE, find_free_port(), folders.mktemp("cache"), **settings)
        running.append(demo)
        return demo

    try:
        yield start
    finally:
        for demo in running:
            demo.stop()


@pytest.fixture
def start_demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Demo]]:
    """A function that starts a demo for one test."""
    with run_demos(tmp_path_factory) as start:
        yield start


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demo]:
    """One demo for all tests, with a timeout of 1.5 seconds for judges."""
    with run_demos(tmp_path_factory) as start:
        yield start(ANSWER_LENS_JUDGE_TIMEOUT="1.5")


@pytest.fixture
def server() -> Iterator[JudgeServer]:
    """A fake language model on loopback that gives good replies."""
    with JudgeServer() as running_server:
        yield running_server


@pytest.fixture(scope="session")
def axe_source() -> str:
    """The source of axe-core."""
    package = importlib.util.find_spec("axe_playwright_python")
    if package is None or package.origin is None:
        skip_test("no axe-core: install tests/requirements.txt")
    return Path(package.origin).with_name("axe.min.js").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium, started once for the tests of a file.

    While it runs, no test of the file can run asyncio.
    """
    if importlib.util.find_spec("playwright") is None:
        skip_test("no Playwright: pip install playwright")
    path = find_chromium()
    if not path:
        skip_test("no Chromium: set CHROMIUM to its path")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def open_page(browser: Any) -> Iterator[Callable[..., object]]:
    """A function that opens an address as a new visitor.

    With a `profile` it starts another browser, which stores its data in that folder.
    """
    contexts: list[Any] = []

    def open_address(
        url: str,
        width: int = 1280,
        scheme: Literal["light", "dark"] = "light",
        locale: str = "en-US",
        profile: Path | None = None,
    ) -> Any:
        view = {
            "viewport": {"width": width, "height": 900},
            "color_scheme": scheme,
            "locale": locale,
            "reduced_motion": "reduce",
        }
        if profile:
            context = browser.browser_type.launch_persistent_context(
                profile, executable_path=find_chromium(), args=ARGUMENTS, **view
            )
        else:
            context = browser.new_context(**view)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(180_000)
        page.goto(url)
        return page

    yield open_address
    for context in contexts:
        context.close()
