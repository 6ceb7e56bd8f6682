"""The demo's package is found where it lies; what several of its tests begin with."""

import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.support.models import minilm
from tests.support.project import ROOT

sys.path.insert(0, str(ROOT / "spaces" / "answer_lens"))


@pytest.fixture(scope="module")
def small_models() -> Iterator[None]:
    """Both metrics with a model use the small one that the tests bring along."""
    from tests.demo.made import WITH_MODEL

    with pytest.MonkeyPatch.context() as patch:
        for metric in WITH_MODEL:
            assert metric.model is not None
            patch.setenv(metric.model.variable, minilm())
        yield


@pytest.fixture
def hold(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Have the page hold a made-up file of agreement: the one of tests/demo/agreement.py, or that of hold(...)."""
    from lens.explanations import agreement_with_people

    from tests.demo.agreement import made

    for variable in ("ANSWER_LENS_EMBEDDING_MODEL", "ANSWER_LENS_BERTSCORE_MODEL"):
        monkeypatch.delenv(variable, raising=False)

    def take(data: dict[str, Any] | None = None) -> None:
        found = data or made()
        monkeypatch.setattr(agreement_with_people, "agreement", lambda: found)

    take()
    return take
