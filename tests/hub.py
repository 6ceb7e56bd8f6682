"""The part of the Hugging Face Hub's HTTP interface that loaders of models ask, served on loopback from folders."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import unquote, urlsplit

from tests.models import COMMIT


@contextmanager
def hub(models: dict[str, Path], gated: tuple[str, ...] = ()) -> Iterator[tuple[str, list[str]]]:
    """Serve models, by name, from their folders; yield the address, and the requests as they come."""
    requests: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_HEAD(self) -> None:
            self.do_GET()

        def do_GET(self) -> None:
            path = unquote(urlsplit(self.path).path).strip("/")
            requests.append(f"{self.command} {path}")
            name, _, rest = path.removeprefix("api/models/").partition("/resolve/")
            name = "/".join(name.split("/")[:2])
            if name in gated:
                self.refuse(403, "GatedRepo")
            elif name not in models:
                # What the Hub says to somebody who is not logged in.
                self.refuse(401, "", "Invalid username or password.")
            elif rest:
                self.file(models[name] / rest.partition("/")[2])
            else:
                self.description(name, models[name])

        def description(self, name: str, folder: Path) -> None:
            files = [str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file()]
            body = {"id": name, "sha": COMMIT, "siblings": [{"rfilename": file} for file in files]}
            if "/tree/" in self.path:
                sizes = {file: (folder / file).stat().st_size for file in files}
                listed = [{"type": "file", "path": f, "size": size, "oid": "0" * 40} for f, size in sizes.items()]
                self.answer(json.dumps(listed).encode())
            else:
                self.answer(json.dumps(body).encode())

        def file(self, file: Path) -> None:
            if not file.is_file():
                self.refuse(404, "EntryNotFound")
                return
            content = file.read_bytes()
            self.answer(content, {"ETag": f'"{sha256(content).hexdigest()}"', "X-Repo-Commit": COMMIT})

        def answer(self, body: bytes, headers: dict[str, str] | None = None) -> None:
            self.send_response(200)
            for name, value in {"Content-Length": str(len(body)), **(headers or {})}.items():
                self.send_header(name, value)
            self.end_headers()
            if self.command == "GET":
                self.wfile.write(body)

        def refuse(self, status: int, code: str, message: str = "") -> None:
            self.send_response(status)
            for name, value in {"Content-Length": "0", "X-Error-Code": code, "X-Error-Message": message}.items():
                if value:
                    self.send_header(name, value)
            self.end_headers()

        def log_message(self, *arguments: object) -> None:
            """Say nothing: the requests are kept."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", requests
    finally:
        server.shutdown()
        server.server_close()
