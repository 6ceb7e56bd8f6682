"""The judges ask a real decision server on loopback: sparrow-decider with a tiny model.

It serves the format "systemone".
"""

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from tests.support.judges import EVE, L3, judge_rows

pytest.importorskip(
    "sparrow_decider", reason="sparrow-decider is not installed (tests/requirements.txt)"
)
ROWS = {
    "questions": ["What is the capital of France?", "What is the capital of Germany?"],
    "predictions": ["The capital of France is Paris.", "I like cats."],
    "references": [["Paris", "It is Paris."], ["Berlin"]],
}


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The address of the server while the tests of this file run."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen(
        [sys.executable, "-m", "sparrow_decider.cli", "serve", "--port", str(port)]
    )
    try:
        end = time.monotonic() + 60
        while time.monotonic() < end:
            with socket.socket() as tried:
                if tried.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        process.terminate()
        process.wait(30)


def test_both_judges_get_probabilities_from_a_real_decision_server(
    address: str, tmp_path: Path
) -> None:
    run = partial(
        judge_rows,
        L3,
        address,
        ROWS,
        probability="decision",
        api="systemone",
        cache=tmp_path / "cache",
    )
    result = run()
    again = run()
    assert all(0 < row["score"] < 1 for row in result["per_example"])
    assert result["calls"] == {"sent": 2, "cached": 0}
    assert again["calls"] == {"sent": 0, "cached": 3}
    assert result["L3Score"] == again["L3Score"]
    assert "|served:sparrow-nano-general" in result["signature"]
    verdicts = judge_rows(EVE, address, ROWS, reply="decision", api="systemone")
    for row in verdicts["per_example"]:
        assert sum(row["probabilities"].values()) == pytest.approx(1, abs=0.001)
        assert row["score"] in (0, 1) or row["reason"] == "declined"


def test_the_error_names_the_format_that_the_server_speaks(address: str) -> None:
    with pytest.raises(RuntimeError, match=r"wrong_api.*api='systemone'"):
        judge_rows(L3, address, ROWS, probability="decision", api="decisions", max_retries=0)
