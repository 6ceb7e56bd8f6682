"""The parts of the Hugging Face Hub's HTTP interface that are used, served on loopback.

`hub` serves models from folders, to their loaders. `SpaceHub` takes Spaces as huggingface_hub sends them, a commit at a
time, and serves their files, to `evaluate.load` for one.
"""

import base64
import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha1, sha256
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from tests.support.models import COMMIT
from tests.support.project import front_matter
from tests.support.web import served


class Handler(BaseHTTPRequestHandler):
    """How the Hub answers and refuses."""

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_GET(self) -> None:
        raise NotImplementedError

    def answer(self, body: bytes, headers: dict[str, str] | None = None, status: int = 200) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def answer_json(self, body: Any, status: int = 200) -> None:
        self.answer(json.dumps(body).encode(), {"Content-Type": "application/json"}, status)

    def refuse(self, status: int, code: str, message: str = "") -> None:
        headers = {"X-Error-Code": code, "X-Error-Message": message}
        kept = {name: value for name, value in headers.items() if value}
        self.answer(json.dumps({"error": message}).encode(), kept, status)

    def log_message(self, *arguments: object) -> None:
        """Say nothing: the requests are kept."""


@contextmanager
def hub(models: dict[str, Path], gated: tuple[str, ...] = ()) -> Iterator[tuple[str, list[str]]]:
    """Serve models, by name, from their folders; yield the address, and the requests as they come."""
    requests: list[str] = []

    class Models(Handler):
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
            if "/tree/" in self.path:
                sizes = {file: (folder / file).stat().st_size for file in files}
                self.answer_json(
                    [{"type": "file", "path": f, "size": size, "oid": "0" * 40} for f, size in sizes.items()]
                )
            else:
                self.answer_json({"id": name, "sha": COMMIT, "siblings": [{"rfilename": file} for file in files]})

        def file(self, file: Path) -> None:
            if not file.is_file():
                self.refuse(404, "EntryNotFound")
                return
            content = file.read_bytes()
            self.answer(content, {"ETag": f'"{sha256(content).hexdigest()}"', "X-Repo-Commit": COMMIT})

    with served(Models) as address:
        yield f"http://{address}", requests


# The colours that a Space's card may name: https://huggingface.co/docs/hub/spaces-config-reference.
COLORS = {"red", "yellow", "green", "blue", "indigo", "purple", "pink", "gray"}


def blob_id(content: bytes) -> str:
    """Return the name that git gives to a file of this content."""
    return sha1(b"blob %d\0" % len(content) + content).hexdigest()


@dataclass
class Repository:
    """One Space: its kind, the messages and files of its commits, oldest first, and what else is told of it."""

    sdk: str
    commits: list[tuple[str, dict[str, bytes]]]
    told: dict[str, Any]

    @property
    def files(self) -> dict[str, bytes]:
        return self.commits[-1][1]

    @property
    def head(self) -> str:
        return sha1(repr((len(self.commits), sorted(self.files))).encode()).hexdigest()


@dataclass
class Fault:
    """What a request gets in place of its answer, so many times; status 0 is a connection that breaks.

    `done`: the request is carried out all the same.
    """

    status: int
    body: bytes = b"{}"
    times: int = 99
    done: bool = False


@dataclass
class SpaceHub:
    """A Hub with one user, who may write to one organisation, `org`.

    `paid`: whether it may have new Gradio Spaces. `faults`: what goes wrong, by a pattern of the method and the path.
    """

    token: str = "hf_secret0123456789"
    paid: bool = True
    spaces: dict[str, Repository] = field(default_factory=dict)
    large: dict[str, bytes] = field(default_factory=dict)
    requests: list[str] = field(default_factory=list)
    faults: dict[str, Fault] = field(default_factory=dict)

    @contextmanager
    def serve(self) -> Iterator[str]:
        """Serve the Spaces; yield the address."""
        with served(type("Spaces", (Spaces,), {"hub": self})) as address:
            yield f"http://{address}"

    def put(self, name: str, files: dict[str, bytes], sdk: str = "static", **told: Any) -> None:
        """Have a Space that someone else made, of which something particular is told."""
        self.spaces[name] = Repository(sdk, [("initial commit", files)], told)


class Spaces(Handler):
    """What the Hub does with the requests of huggingface_hub and evaluate."""

    hub: SpaceHub
    fault: Fault | None

    def do_GET(self) -> None:
        path = unquote(urlsplit(self.path).path).strip("/")
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        asked = f"{self.command.replace('HEAD', 'GET')} {path}"
        self.hub.requests.append(asked)
        self.fault = next((one for name, one in self.hub.faults.items() if re.search(name, asked) and one.times), None)
        if self.fault:
            self.fault.times -= 1
            if not self.fault.done:
                self.answer(b"")
                return
        routes: dict[str, Callable[..., None]] = {
            "GET api/whoami-v2": self.whoami,
            "GET api/spaces/([^/]+/[^/]+)/commits/main": self.commits,
            "GET api/spaces/([^/]+/[^/]+)": self.description,
            "GET spaces/([^/]+/[^/]+)/resolve/([^/]+)/(.*)": self.file,
            "POST api/repos/create": self.create,
            "POST api/validate-yaml": self.validate,
            "POST api/spaces/([^/]+/[^/]+)/preupload/main": self.preupload,
            "POST api/spaces/([^/]+/[^/]+)/commit/main": self.commit,
            "POST spaces/.*git/info/lfs/objects/batch": self.batch,
            "PUT upload": self.upload,
        }
        for pattern, answer in routes.items():
            if found := re.fullmatch(pattern, asked):
                known = self.headers.get("Authorization") == f"Bearer {self.hub.token}"
                if not known and ("POST" in pattern or "whoami" in pattern):
                    self.refuse(401, "", "Invalid credentials in Authorization header")
                else:
                    answer(*found.groups(), *([body] if "GET" not in pattern else []))
                return
        self.refuse(404, "", "Not found")

    do_POST = do_PUT = do_GET

    def answer(self, body: bytes, headers: dict[str, str] | None = None, status: int = 200) -> None:
        """Send the answer, or the fault in its place."""
        if self.fault:
            body, headers, status = self.fault.body, {}, self.fault.status
        if status:
            super().answer(body, headers, status)
        else:
            self.close_connection = True

    def whoami(self) -> None:
        self.answer_json({"name": "someone", "type": "user", "orgs": [{"name": "org"}]})

    def commits(self, name: str) -> None:
        dated = {"id": "0", "message": "", "authors": [], "date": "2027-01-01T00:00:00.000Z"}
        self.answer_json([{**dated, "title": title} for title, _ in reversed(self.hub.spaces[name].commits)])

    def create(self, body: bytes) -> None:
        asked = json.loads(body)
        name = f"{asked['organization']}/{asked['name']}"
        address = f"http://{self.headers['Host']}/spaces/{name}"
        if asked["organization"] != "org":
            self.refuse(403, "", "You don't have the rights to create a space there")
        elif name in self.hub.spaces:
            self.answer_json({"error": "You already created this space repo", "url": address}, 409)
        elif asked["sdk"] != "static" and not self.hub.paid:
            self.refuse(402, "", "A paid plan is required")
        else:
            page = {"index.html": b"Welcome to your static Space!", "style.css": b"body {}"}
            files = {".gitattributes": b"*.png filter=lfs\n", "README.md": b"---\n---\n"}
            self.hub.put(name, files | (page if asked["sdk"] == "static" else {}), asked["sdk"])
            self.answer_json({"url": address})

    def validate(self, body: bytes) -> None:
        data = front_matter(json.loads(body)["content"])
        wrong = [name for name in ("colorFrom", "colorTo") if data[name] not in COLORS]
        errors = [{"message": f'"{name}" is not valid'} for name in wrong]
        self.answer_json({"errors": errors, "warnings": []}, 400 if wrong else 200)

    def description(self, name: str) -> None:
        if name not in self.hub.spaces:
            # To somebody who is not logged in the Hub says 401, which the library reads so at https addresses alone.
            self.refuse(404, "RepoNotFound", "Repository not found")
            return
        space = self.hub.spaces[name]
        siblings: list[dict[str, Any]] = []
        for path, content in space.files.items():
            digest = sha256(content).hexdigest()
            large = {"lfs": {"size": len(content), "sha256": digest, "pointerSize": 128}}
            siblings.append({"rfilename": path, "size": len(content), "blobId": blob_id(content)})
            siblings[-1] |= large if digest in self.hub.large else {}
        self.answer_json({"id": name, "sha": space.head, "sdk": space.sdk, "siblings": siblings, **space.told})

    def preupload(self, name: str, body: bytes) -> None:
        paths = [file["path"] for file in json.loads(body)["files"]]
        modes = {path: "lfs" if path.endswith(".png") else "regular" for path in paths}
        self.answer_json(
            {"files": [{"path": path, "uploadMode": mode, "shouldIgnore": False} for path, mode in modes.items()]}
        )

    def batch(self, body: bytes) -> None:
        address = f"http://{self.headers['Host']}/upload?X-Amz-Signature=presigned"
        actions = {"upload": {"href": address, "header": {}}}
        objects = [{**one, "actions": actions} for one in json.loads(body)["objects"]]
        self.answer_json({"transfer": "basic", "objects": objects})

    def upload(self, content: bytes) -> None:
        self.hub.large[sha256(content).hexdigest()] = content
        self.answer(b"")

    def commit(self, name: str, body: bytes) -> None:
        space, files = self.hub.spaces[name], dict(self.hub.spaces[name].files)
        header, *lines = map(json.loads, body.splitlines())
        if header["value"]["parentCommit"] != space.head:
            self.refuse(412, "", "A commit has happened since. Please refresh and try again.")
            return
        for line in lines:
            value = line["value"]
            if line["key"] == "file":
                files[value["path"]] = base64.b64decode(value["content"])
            elif line["key"] == "lfsFile":
                files[value["path"]] = self.hub.large[value["oid"]]
            else:
                del files[value["path"]]
        space.commits.append((header["value"]["summary"], files))
        address = f"http://{self.headers['Host']}/spaces/{name}/commit/{space.head}"
        self.answer_json({"success": True, "commitOid": space.head, "commitUrl": address, "hookOutput": ""})

    def file(self, name: str, revision: str, path: str) -> None:
        space = self.hub.spaces.get(name)
        if space is None:
            self.refuse(401, "", "Invalid username or password.")
        elif revision not in ("main", space.head):
            self.refuse(404, "RevisionNotFound", f"Invalid rev id: {revision}")
        elif path not in space.files:
            self.refuse(404, "EntryNotFound", "Entry not found")
        else:
            content = space.files[path]
            self.answer(content, {"ETag": f'"{blob_id(content)}"', "X-Repo-Commit": space.head})
