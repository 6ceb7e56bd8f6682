"""What every test needs: no network, and caches of its own."""

import os
import socket
import tempfile
from typing import Any

import hypothesis
import pytest

# First of all: it names a Hub cache of the tests' own, which huggingface_hub reads when it is
# imported.
import tests.support.models  # noqa: F401

# Before datasets and evaluate are imported: they read these once.
CACHE = tempfile.TemporaryDirectory(prefix="answer-lens-", ignore_cleanup_errors=True)
os.environ.update(HF_HOME=CACHE.name, XDG_CACHE_HOME=CACHE.name, GRADIO_ANALYTICS_ENABLED="False")
os.environ.update(HF_HUB_OFFLINE="1", HF_EVALUATE_OFFLINE="1", HF_DATASETS_OFFLINE="1")
# Before torch is: with more than one test at a time, its threads spend most of the machine on
# waiting for each other.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# How long an example takes says how busy the machine is.
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
