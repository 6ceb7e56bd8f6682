"""For every test: no network, and caches of the test run."""

import os
import socket
import tempfile
from typing import Any

import hypothesis
import pytest

# Must come first: it sets the Hub cache of the tests, which huggingface_hub reads when imported.
import tests.support.models  # noqa: F401

# Must come before datasets and evaluate are imported: they read these variables once.
CACHE = tempfile.TemporaryDirectory(prefix="answer-lens-", ignore_cleanup_errors=True)
os.environ.update(HF_HOME=CACHE.name, XDG_CACHE_HOME=CACHE.name, GRADIO_ANALYTICS_ENABLED="False")
# Files that visitors upload: each process of the tests has its own folder for them.
os.environ.update(GRADIO_TEMP_DIR=os.path.join(CACHE.name, "gradio"))
os.environ.update(HF_HUB_OFFLINE="1", HF_EVALUATE_OFFLINE="1", HF_DATASETS_OFFLINE="1")
# Must come before torch is imported: if several tests run at a time, the threads of their torches
# mostly wait for each other.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# No deadline: the seconds of an example depend on how busy the machine is.
hypothesis.settings.register_profile(
    "any pace", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("any pace")


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuse every connection that leaves this machine."""
    connect = socket.socket.connect

    def connect_within(self: socket.socket, address: Any) -> None:
        is_file = self.family == getattr(socket, "AF_UNIX", None)
        if not is_file and address[0] not in ("127.0.0.1", "::1", "localhost"):
            raise OSError(f"a test tried to reach {address}")
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", connect_within)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the recipes: if the longest tests came last, the other process would wait."""
    items.sort(key=lambda item: item.path.name != "test_recipes.py")
