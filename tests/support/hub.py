"""A fake Hugging Face Hub on loopback, for downloads only.

It serves models to the loaders of libraries, and Spaces to `evaluate.load`.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
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
    files = {}
    for path in folder.rglob("*"):
        if path.is_file():
            files[path.relative_to(folder).as_posix()] = path.read_bytes()
    return files


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

    def do_GET(self) -> None:
        path = unquote(urlsplit(self.path).path).strip("/")
        self.requests.append(f"{self.command} {path}")
        send, name, *details = find_route(path)
        if name in self.gated:
            self.send_body({}, {"X-Error-Code": "GatedRepo"}, 403)
        elif name not in self.repositories:
            # The Hub's answer to a user who is not logged in. huggingface_hub turns it into
            # RepositoryNotFoundError only for https addresses.
            self.send_body({}, {"X-Error-Message": "Invalid username or password."}, 401)
        else:
            send(self, self.repositories[name], *details)

    do_HEAD = do_GET  # noqa: N815 - http.server asks for this name

    def send_body(
        self, body: Any, headers: dict[str, str] | None = None, status: int = 200
    ) -> None:
        """Send bytes as they are, anything else as JSON."""
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        for name, value in {"Content-Length": str(len(data)), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def log_message(self, *arguments: object) -> None:
        """Print nothing: `requests` records each request."""

    def send_description(self, files: Files) -> None:
        """Send the description of a repository."""
        siblings = [{"rfilename": path} for path in files]
        self.send_body({"id": "", "sha": COMMIT, "siblings": siblings})

    def send_tree(self, files: Files) -> None:
        """Send the list of a repository's files."""
        entries = []
        for path, content in files.items():
            size = len(content)
            entries.append({"type": "file", "path": path, "size": size, "oid": "0" * 40})
        self.send_body(entries)

    def send_file(self, files: Files, revision: str, path: str) -> None:
        """Send the content of a file."""
        if revision not in ("main", COMMIT):  # evaluate asks for its own version first
            self.send_body({}, {"X-Error-Code": "RevisionNotFound"}, 404)
        elif path not in files:
            self.send_body({}, {"X-Error-Code": "EntryNotFound"}, 404)
        else:
            etag = f'"{git_hash(files[path])}"'
            self.send_body(files[path], {"ETag": etag, "X-Repo-Commit": COMMIT})


# Patterns of paths, whose first group is the name of the repository, and the methods that answer.
ROUTES: dict[str, Callable[..., None]] = {
    "api/models/(.+)/tree/.*": HubHandler.send_tree,
    "api/models/([^/]+/[^/]+).*": HubHandler.send_description,
    "(?:spaces/)?(.+)/resolve/([^/]+)/(.*)": HubHandler.send_file,
}


def find_route(path: str) -> tuple[Any, ...]:
    """Return the method that answers a path, and the groups of its pattern."""
    for pattern, send in ROUTES.items():
        route = re.fullmatch(pattern, path)
        if route:
            return (send, *route.groups())
    raise ValueError(f"the fake Hub does not know the path {path}")
