"""The demo's package is found where it lies; fixtures that several of its tests begin with."""

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
    """Both metrics with a model use the small one that the tests bring along."""
    from tests.demo.metric_samples import MODEL_METRICS

    with pytest.MonkeyPatch.context() as patch:
        for metric in MODEL_METRICS:
            assert metric.model is not None
            patch.setenv(metric.model.variable, find_minilm())
        yield


@pytest.fixture
def score(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    """The command score.py, run in this process.

    The processes that it starts import nothing heavy.
    """
    from tests.demo.command_runs import KEY, run_command

    monkeypatch.setenv("PYTHONPATH", make_search_path("rouge"))
    monkeypatch.setenv("MY_KEY", KEY)

    def run_score(*arguments: str | Path) -> CommandRun:
        return run_command(capsys, *arguments)

    return run_score
