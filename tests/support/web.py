"""A web server on loopback that serves the files of a folder, refuses them, or cuts them."""

import contextlib
import functools
import http.server
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any


class Folder(http.server.SimpleHTTPRequestHandler):
    """Serve the files of a folder, without support for ranges.

    Files under /closed/ are refused with status 403. Of files under /cut/ the first half is sent.
    """

    def send_head(self) -> Any:
        if self.path.startswith("/closed/"):
            return self.send_error(403)
        return super().send_head()

    def copyfile(self, source: Any, outputfile: Any) -> None:
        data = source.read()
        if self.path.startswith("/cut/"):
            data = data[: len(data) // 2]
        outputfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:
        """Print nothing."""


def serve_folder(
    folder: Path, handler: type[Folder] = Folder
) -> contextlib.AbstractContextManager[str]:
    """Serve a folder while the `with` block runs; its value is the address without a scheme."""
    return serve_handler(functools.partial(handler, directory=str(folder)))


@contextlib.contextmanager
def serve_handler(handler: Callable[..., http.server.BaseHTTPRequestHandler]) -> Iterator[str]:
    """Serve with a request handler while the `with` block runs; yield "host:port"."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        try:
            yield f"127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()
