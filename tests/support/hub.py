"""A fake Hugging Face Hub on loopback, for downloads only.

It serves models to the loaders of libraries, and Spaces to `evaluate.load`.
"""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from huggingface_hub.utils.sha import git_hash

from tests.support.models import COMMIT
from tests.support.web import serve_handler

# Colours that a Space's card may use: https://huggingface.co/docs/hub/spaces-config-reference.
COLORS = {"red", "yellow", "green", "blue", "indigo", "purple", "pink", "gray"}
Files = Mapping[str, bytes]


def read_files(folder: Path) -> Files:
    """Return the content of each file in a folder by its path relative to the folder."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


@contextmanager
def serve_hub(
    repositories: Mapping[str, Files], gated: tuple[str, ...] = ()
) -> Iterator[tuple[str, list[str]]]:
    """Serve the files of models and Spaces.

    Args:
        repositories: the files of each repository by its name, such as "org/bleu".
        gated: names of repositories that need access.

    Yields:
        the address, and a list to which each request is added ("GET org/bleu/...").
    """
    requests: list[str] = []
    attributes = {"repositories": repositories, "gated": gated, "requests": requests}
    with serve_handler(type("Handler", (HubHandler,), attributes)) as address:
        yield f"http://{address}", requests


class HubHandler(BaseHTTPRequestHandler):
    """Answer requests of huggingface_hub and evaluate as the Hub does."""

    repositories: Mapping[str, Files]
    gated: tuple[str, ...]
    requests: list[str]
    routes = {
        "api/models/(.+)/tree/.*": "tree",
        "api/models/([^/]+/[^/]+).*": "description",
        "(?:spaces/)?(.+)/resolve/([^/]+)/(.*)": "file",
    }

    def do_GET(self) -> None:
        path = unquote(urlsplit(self.path).path).strip("/")
        self.requests.append(f"{self.command} {path}")
        found = ((re.fullmatch(pattern, path), method) for pattern, method in self.routes.items())
        (name, *more), method = next((match.groups(), method) for match, method in found if match)
        if name in self.gated:
            self.answer({}, {"X-Error-Code": "GatedRepo"}, 403)
        elif name not in self.repositories:
            # The Hub's answer to a user who is not logged in. huggingface_hub turns it into
            # RepositoryNotFoundError only for https addresses.
            self.answer({}, {"X-Error-Message": "Invalid username or password."}, 401)
        else:
            getattr(self, method)(self.repositories[name], *more)

    do_HEAD = do_GET  # noqa: N815 - http.server asks for this name

    def answer(self, body: Any, headers: dict[str, str] | None = None, status: int = 200) -> None:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        for name, value in {"Content-Length": str(len(data)), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def log_message(self, *arguments: object) -> None:
        """Print nothing: `requests` records each request."""

    def description(self, files: Files) -> None:
        self.answer({"id": "", "sha": COMMIT, "siblings": [{"rfilename": path} for path in files]})

    def tree(self, files: Files) -> None:
        sizes = {path: len(content) for path, content in files.items()}
        self.answer(
            [
                {
                    "type": "file",
                    "path": path,
                    "size": size,
                    "oid": "0" * 40,
                }
                for path, size in sizes.items()
            ]
        )

    def file(self, files: Files, revision: str, path: str) -> None:
        if revision not in ("main", COMMIT):  # evaluate asks for its own version first
            self.answer({}, {"X-Error-Code": "RevisionNotFound"}, 404)
        elif path not in files:
            self.answer({}, {"X-Error-Code": "EntryNotFound"}, 404)
        else:
            self.answer(
                files[path], {"ETag": f'"{git_hash(files[path])}"', "X-Repo-Commit": COMMIT}
            )
