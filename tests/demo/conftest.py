"""The demo's package is found where it lies; what several of its tests begin with."""

import sys
from collections.abc import Iterator

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
