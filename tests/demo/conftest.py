"""Make the demo's package importable, and define fixtures for several of its tests."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.support.models import find_minilm
from tests.support.processes import make_search_path
from tests.support.project import ROOT

if TYPE_CHECKING:
    from tests.demo.command_runs import Command, CommandRun

sys.path.insert(0, str(ROOT / "spaces" / "answer_lens"))


@pytest.fixture(scope="module")
def small_models() -> Iterator[None]:
    """Let both metrics with a model use MiniLM from its package."""
    from tests.demo.metric_samples import MODEL_METRICS

    with pytest.MonkeyPatch.context() as patch:
        for metric in MODEL_METRICS:
            assert metric.model is not None
            patch.setenv(metric.model.variable, find_minilm())
        yield


@pytest.fixture
def score(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    """The command score.py in this process.

    The processes that it starts do not import transformers.
    """
    from tests.demo.command_runs import KEY, run_command

    monkeypatch.setenv("PYTHONPATH", make_search_path("rouge"))
    monkeypatch.setenv("MY_KEY", KEY)

    def run_score(*arguments: str | Path) -> CommandRun:
        return run_command(capsys, *arguments)

    return run_score
