"""A web server on loopback that serves the files of a folder, as plain servers do, or refuses them."""

from __future__ import annotations

import contextlib
import functools
import http.server
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any


class Folder(http.server.SimpleHTTPRequestHandler):
    """Serves a folder, always from the beginning of a file. `refused` begins the paths that nobody may read; `cut`
    those of which half is sent.
    """

    refused, cut = "/closed/", "/cut/"

    def do_GET(self) -> None:
        if self.path.startswith(self.refused):
            self.send_error(403)
        elif self.path.startswith(self.cut):
            data = Path(self.translate_path(self.path)).read_bytes()
            self.send_response(200)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data[: len(data) // 2])
            self.close_connection = True
        else:
            super().do_GET()

    def do_HEAD(self) -> None:
        if self.path.startswith(self.refused):
            self.send_error(403)
        else:
            super().do_HEAD()

    def log_message(self, format: str, *args: Any) -> None:
        """Print nothing."""


def serving(folder: Path, handler: type[Folder] = Folder) -> contextlib.AbstractContextManager[str]:
    """The address of a server of this folder, which ends with the block."""
    return served(functools.partial(handler, directory=str(folder)))


@contextlib.contextmanager
def served(handler: Callable[..., http.server.BaseHTTPRequestHandler]) -> Iterator[str]:
    """The address of a server whose requests this answers, which ends with the block."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()
