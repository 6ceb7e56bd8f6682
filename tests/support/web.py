"""A web server on loopback that serves the files of a folder, as plain servers
do, or refuses them.
"""

import contextlib
import functools
import http.server
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any


class Folder(http.server.SimpleHTTPRequestHandler):
    """Serves a folder, always from the beginning of a file: nobody may read /closed/, and of /cut/
    half is sent.
    """

    def send_head(self) -> Any:
        if self.path.startswith("/closed/"):
            return self.send_error(403)
        return super().send_head()

    def copyfile(self, source: Any, outputfile: Any) -> None:
        data = source.read()
        outputfile.write(data[: len(data) // 2] if self.path.startswith("/cut/") else data)

    def log_message(self, format: str, *args: Any) -> None:
        """Print nothing."""


def serve_folder(
    folder: Path, handler: type[Folder] = Folder
) -> contextlib.AbstractContextManager[str]:
    """The address of a server of this folder, which ends with the block."""
    return serve_handler(functools.partial(handler, directory=str(folder)))


@contextlib.contextmanager
def serve_handler(handler: Callable[..., http.server.BaseHTTPRequestHandler]) -> Iterator[str]:
    """The address of a server whose requests this answers, which ends with the block."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        try:
            yield f"127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()
