"""The parts of the Hugging Face Hub's HTTP interface that are used, served on loopback.

`hub` serves models from folders, to their loaders. `SpaceHub` takes Spaces as huggingface_hub sends them, a commit at a
time, and serves their files, to `evaluate.load` for one.
"""

import base64
import json
import re
import time
from collections.abc import Iterator
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
    """One Space: its kind, and the messages and files of its commits, oldest first."""

    sdk: str
    commits: list[tuple[str, dict[str, bytes]]] = field(default_factory=list)

    @property
    def files(self) -> dict[str, bytes]:
        return self.commits[-1][1]

    @property
    def head(self) -> str:
        return sha1(repr((len(self.commits), sorted(self.files))).encode()).hexdigest()

    @property
    def messages(self) -> list[str]:
        return [message for message, _ in self.commits]


@dataclass
class Fault:
    """What a request gets in place of its answer, so many times; status 0 is a connection that breaks.

    `done`: the request is carried out all the same. `silence`: seconds before anything is said.
    """

    status: int
    body: bytes = b"{}"
    headers: dict[str, str] = field(default_factory=dict)
    times: int = 99
    done: bool = False
    silence: float = 0


@dataclass
class SpaceHub:
    """A Hub with one user and his organisation.

    `paid`: whether it may have new Gradio Spaces. `blobs`: whether hashes of files are told. `private`, `disabled`:
    names of such Spaces. `moved`: old names with the new. `late`: what someone else makes at the moment when we do.
    `faults`: what goes wrong, by a pattern of the method and the path.
    """

    token: str = "hf_secret0123456789"
    user: str = "someone"
    organisation: str = "org"
    paid: bool = True
    blobs: bool = True
    private: set[str] = field(default_factory=set)
    disabled: set[str] = field(default_factory=set)
    moved: dict[str, str] = field(default_factory=dict)
    late: dict[str, dict[str, bytes]] = field(default_factory=dict)
    spaces: dict[str, Repository] = field(default_factory=dict)
    large: dict[str, bytes] = field(default_factory=dict)
    requests: list[str] = field(default_factory=list)
    faults: dict[str, Fault] = field(default_factory=dict)

    @contextmanager
    def serve(self) -> Iterator[str]:
        """Serve the Spaces; yield the address."""
        with served(type("Spaces", (Spaces,), {"hub": self})) as address:
            yield f"http://{address}"

    def put(self, name: str, files: dict[str, bytes], sdk: str = "static") -> None:
        """Have a Space that someone else made."""
        self.spaces[name] = Repository(sdk, [("initial commit", files)])


class Spaces(Handler):
    """What the Hub does with the requests of huggingface_hub and evaluate."""

    hub: SpaceHub
    fault: Fault | None

    def do_GET(self) -> None:
        path = self.asked()
        if self.failed():
            return
        if path == "api/whoami-v2":
            if self.known():
                self.answer_json({"name": self.hub.user, "type": "user", "orgs": [{"name": self.hub.organisation}]})
        elif found := re.fullmatch(r"api/spaces/([^/]+/[^/]+)/commits/main", path):
            dated = {"id": "0", "message": "", "authors": [], "date": "2027-01-01T00:00:00.000Z"}
            self.answer_json([{**dated, "title": one} for one in reversed(self.hub.spaces[found[1]].messages)])
        elif path.startswith("api/spaces/"):
            self.description(path.removeprefix("api/spaces/").partition("/revision/")[0])
        elif found := re.fullmatch(r"spaces/([^/]+/[^/]+)/resolve/([^/]+)/(.*)", path):
            self.file(*found.groups())
        else:
            self.refuse(404, "", "Not found")

    def do_POST(self) -> None:
        path = self.asked()
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)) or self.chunks()
        if self.failed() or not self.known():
            return
        name, _, action = path.removeprefix("api/").removeprefix("spaces/").partition(".git/info/lfs/objects/")
        if action:
            self.batch(json.loads(body))
        elif path == "api/repos/create":
            self.create(json.loads(body))
        elif path == "api/validate-yaml":
            self.validate(json.loads(body)["content"])
        else:
            name, action, _ = name.rsplit("/", 2)
            {"preupload": self.preupload, "commit": self.commit}[action](name, body)

    def do_PUT(self) -> None:
        self.asked()
        content = self.rfile.read(int(self.headers["Content-Length"]))
        if self.failed():
            return
        self.hub.large[sha256(content).hexdigest()] = content
        self.answer(b"")

    def asked(self) -> str:
        path = unquote(urlsplit(self.path).path).strip("/")
        asked = f"{self.command} {path}"
        self.hub.requests.append(asked)
        self.fault = next((one for name, one in self.hub.faults.items() if re.search(name, asked) and one.times), None)
        if self.fault:
            self.fault.times -= 1
        return path

    def failed(self) -> bool:
        """Whether the request ends here."""
        if self.fault and not self.fault.done:
            self.answer(b"")
            return True
        return False

    def answer(self, body: bytes, headers: dict[str, str] | None = None, status: int = 200) -> None:
        """Send the answer, or the fault in its place."""
        if self.fault:
            time.sleep(self.fault.silence)
            body, headers, status = self.fault.body, self.fault.headers, self.fault.status
        if status:
            super().answer(body, headers, status)
        else:
            self.close_connection = True

    def chunks(self) -> bytes:
        """Return a body that comes in pieces of a length each."""
        pieces = []
        while size := int(self.rfile.readline() or b"0", 16):
            pieces.append(self.rfile.read(size))
            self.rfile.readline()
        return b"".join(pieces)

    def known(self) -> bool:
        known = self.headers.get("Authorization") == f"Bearer {self.hub.token}"
        if not known:
            self.refuse(401, "", "Invalid credentials in Authorization header")
        return known

    def may_write(self, owner: str) -> bool:
        if owner not in (self.hub.user, self.hub.organisation):
            self.refuse(403, "", f"You don't have the rights to create a space under the namespace {owner!r}")
            return False
        return True

    def create(self, asked: dict[str, str]) -> None:
        name = f"{asked.get('organization') or self.hub.user}/{asked['name']}"
        if not self.may_write(name.partition("/")[0]):
            return
        if name in self.hub.late:
            self.hub.put(name, self.hub.late.pop(name))
        if name in self.hub.spaces:
            address = f"http://{self.headers['Host']}/spaces/{name}"
            self.answer_json({"error": "You already created this space repo", "url": address}, 409)
        elif asked["sdk"] != "static" and not self.hub.paid:
            self.refuse(402, "", "A paid plan is required")
        else:
            page = {"index.html": b"Welcome to your static Space!", "style.css": b"body {}"}
            files = {".gitattributes": b"*.png filter=lfs\n", "README.md": b"---\n---\n"}
            self.hub.put(name, files | (page if asked["sdk"] == "static" else {}), asked["sdk"])
            self.hub.moved.pop(name, None)
            self.answer_json({"url": f"http://{self.headers['Host']}/spaces/{name}"})

    def validate(self, readme: str) -> None:
        data = front_matter(readme)
        wrong = [name for name in ("colorFrom", "colorTo") if data.get(name) not in COLORS]
        wrong += [name for name in ("title", "emoji", "sdk", "app_file") if not data.get(name)]
        wrong += ["short_description"] if len(data.get("short_description", "")) > 60 else []
        if wrong:
            self.answer_json({"errors": [{"message": f'"{name}" is not valid'} for name in wrong]}, 400)
        else:
            self.answer_json({"errors": [], "warnings": []})

    def description(self, name: str) -> None:
        if name in self.hub.moved:
            self.answer(b"", {"Location": self.path.replace(name, self.hub.moved[name])}, 307)
            return
        if name in self.hub.disabled:
            self.refuse(403, "", "Access to this resource is disabled.")
            return
        if name not in self.hub.spaces:
            # What the Hub says to somebody who is not logged in, and to who is.
            status = 404 if self.headers.get("Authorization") else 401
            self.refuse(status, "RepoNotFound" if status == 404 else "", "Repository not found")
            return
        space = self.hub.spaces[name]
        siblings: list[dict[str, Any]] = [{"rfilename": path} for path in space.files]
        for one in siblings if self.hub.blobs and "blobs=" in self.path else []:
            content = space.files[one["rfilename"]]
            one |= {"size": len(content), "blobId": blob_id(content)}
            if sha256(content).hexdigest() in self.hub.large:
                one["lfs"] = {"size": len(content), "sha256": sha256(content).hexdigest(), "pointerSize": 128}
        private = name in self.hub.private
        self.answer_json({"id": name, "sha": space.head, "sdk": space.sdk, "private": private, "siblings": siblings})

    def preupload(self, name: str, body: bytes) -> None:
        there = self.hub.spaces[name].files
        files = [
            {
                "path": file["path"],
                "uploadMode": "lfs" if file["path"].endswith(".png") else "regular",
                "shouldIgnore": False,
                "oid": blob_id(there[file["path"]]) if file["path"] in there else None,
            }
            for file in json.loads(body)["files"]
        ]
        self.answer_json({"files": files})

    def batch(self, asked: dict[str, Any]) -> None:
        address = f"http://{self.headers['Host']}/upload?X-Amz-Signature=presigned"
        actions = {"upload": {"href": address, "header": {}}}
        self.answer_json({"transfer": "basic", "objects": [{**one, "actions": actions} for one in asked["objects"]]})

    def commit(self, name: str, body: bytes) -> None:
        if not self.may_write(name.partition("/")[0]):
            return
        space, files, message = self.hub.spaces[name], dict(self.hub.spaces[name].files), ""
        for line in map(json.loads, body.splitlines()):
            value = line["value"]
            if line["key"] == "header":
                message = value["summary"]
                if value.get("parentCommit", space.head) != space.head:
                    self.refuse(412, "", "A commit has happened since. Please refresh and try again.")
                    return
            elif line["key"] == "file":
                files[value["path"]] = base64.b64decode(value["content"])
            elif line["key"] == "lfsFile":
                files[value["path"]] = self.hub.large[value["oid"]]
            else:
                del files[value["path"]]
        space.commits.append((message, files))
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
