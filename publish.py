"""Uploads every metric and the demo to the Hugging Face Hub as Spaces of one organisation: `make publish ORG=name`.

Says first what it will do: which Spaces are new, which files differ. Then one commit for each Space in which something
differs, none for the others, and at the end each module is loaded back with `evaluate.load("name/<module>")` from an
empty cache. `DRY_RUN=1` stops after the first part. The token is the one of `hf auth login`, or that of HF_TOKEN.
Where the Hub is busy it is asked again after a pause; what was broken off goes on with the same command.

A metric goes up as a static Space: its files and a page that shows its card. With SDK=gradio it keeps its own app.py
instead. The demo takes the modules' code along, so that it runs alone, and its locked requirements. What was published
stands in published.json of each Space: only what is listed there is ever removed; a Space without it stays untouched.
"""

from __future__ import annotations

import argparse
import ast
import functools
import hashlib
import html
import inspect
import json
import math
import os
import re
import runpy
import string
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

ROOT = Path(__file__).resolve().parent
METRICS = ROOT / "metrics"
DEMO = ROOT / "spaces" / "answer_lens"
# What of the demo is started; its other modules are imported by these.
STARTED = ("app.py", "score.py")
# What of the demo's folder is no code and goes up; its requirements are the locked ones.
DEMO_FILES = (
    "README.md", "agreement.json", "favicon.svg", "files.js", "made_up_files.csv", "made_up_judge_check.csv",
    "requirements-ray.txt", "screenshot.png", "style.css",
)  # fmt: skip
MANIFEST = "published.json"
PROJECT = "Answer Lens"
# What the Hub itself puts into a new Space, in a commit of this name; the last two into a static one.
FRESH, FIRST_COMMIT = {".gitattributes", "README.md", "index.html", "style.css"}, "initial commit"
# https://huggingface.co/docs/hub/repositories-settings: letters, digits, single "-", "_", "." between them.
NAME = re.compile(r"(?!.*(--|\.\.))[A-Za-z0-9]([A-Za-z0-9_.-]{0,94}[A-Za-z0-9])?")
# The answers of a Hub that is busy; the seconds before it is asked again; the longest that it may ask for itself.
BUSY = {429, 500, 502, 503, 504}
PAUSES, LONGEST = (5, 20), 30
SILENCE = 60  # the seconds that the Hub may say nothing
STATUS = {
    401: "the Hub does not accept the token: log in with `hf auth login`, or set HF_TOKEN to a token that may write",
    402: "the Hub asks for a paid plan: new Gradio Spaces need one",
    403: "the token may not write there: is it of a member of {org}, with the right to write?",
    409: "the name is taken: by a Space that was made while this ran, or by one that this token may not see",
    412: "the Space was changed while this ran; the same command goes on from there",
}
WHO_ANSWERS = "is HF_ENDPOINT right, or does a proxy or a login page answer?"
T = TypeVar("T")


class Refused(Exception):
    """What stops the publishing, in words for the one who started it."""


class Later(ConnectionError):
    """What may go well after a pause; `seconds`: of how long the Hub asks it to be."""

    def __init__(self, said: str, seconds: int = 0) -> None:
        super().__init__(said)
        self.seconds = seconds


@dataclass(frozen=True)
class Space:
    """One Space as it will be: its name on the Hub, its kind, and its files by their paths."""

    repo: str
    sdk: str
    files: dict[str, bytes]


@dataclass(frozen=True)
class Change:
    """What a commit will do to a Space; `parent` is the commit that it follows, None where the Space is new."""

    space: Space
    parent: str | None
    new: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)

    def __bool__(self) -> bool:
        """Whether there is anything to do."""
        return self.parent is None or bool(self.new or self.changed or self.removed)

    def __str__(self) -> str:
        """The change in one line."""
        if self.parent is None:
            return f"a new Space: {listed(sorted(self.space.files))}"
        parts = {"new": self.new, "changed": self.changed, "removed": self.removed}
        return "; ".join(f"{what}: {listed(files)}" for what, files in parts.items() if files) or "as it is"


def listed(files: list[str]) -> str:
    """The names of some files, of many the first."""
    return ", ".join(files[:10]) + (f" and {len(files) - 10} more" if len(files) > 10 else "")


def read(path: Path) -> bytes:
    """The bytes of a file that belongs; a link could lead anywhere."""
    if path.is_symlink() or path.parent.is_symlink():
        raise Refused(f"{path.relative_to(ROOT)} is a link; `make copies` puts the file there")
    if not path.is_file():
        raise Refused(f"{path.relative_to(ROOT)} is missing")
    return path.read_bytes()


def text(path: Path) -> str:
    """The text of a file that belongs, with the line ends of here."""
    try:
        return read(path).decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise Refused(f"{path.relative_to(ROOT)} is not UTF-8: {error.reason} at byte {error.start}") from error


@functools.cache
def parsed(path: str, content: bytes) -> ast.Module:
    """The syntax of a module, which must have one: it may replace a module that works."""
    try:
        tree = ast.parse(content, path)
        compile(tree, path, "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        line = f", line {error.lineno}" if isinstance(error, SyntaxError) else ""
        raise Refused(f"{path}{line} is no Python: {getattr(error, 'msg', error)}") from error
    return tree


def git_files(folder: Path, *options: str) -> set[str] | None:
    """The files below a folder that git lists, by default those that it tracks; None where this is no clone."""
    command = ["git", "-C", str(folder), "ls-files", "-z", *options, "."]
    try:
        done = subprocess.run(command, capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        if not (ROOT / ".git").exists():
            return None
        why = os.fsdecode(getattr(error, "stderr", None) or b"").strip() or error
        raise Refused(f"git does not say which files belong: {why}") from error
    return set(os.fsdecode(done.stdout).split("\0")) - {""}


def modules() -> list[str]:
    """The names of the metrics: the folders that hold a module of their name."""
    names = sorted(path.name for path in METRICS.iterdir() if (path / f"{path.name}.py").is_file())
    for name in names:
        if not (name.isascii() and name.isidentifier()):
            raise Refused(f"metrics/{name}: rename it, a module's name holds only letters from a to z, digits and _")
    return names


def code(name: str) -> dict[str, bytes]:
    """The files that `evaluate.load` needs: the module, and those that it imports from beside itself."""
    beside = re.findall(r"^\s*from \.(\w+) import", text(METRICS / name / f"{name}.py"), re.M)
    return {f"{file}.py": read(METRICS / name / f"{file}.py") for file in (name, *beside)}


def metric_space(name: str, org: str, sdk: str, endpoint: str) -> Space:
    """A metric's folder as a Space: static with a page of its card, or gradio with its own."""
    folder, repo = METRICS / name, f"{org}/{name}"
    # A card's examples load the module from where the reader found the card, and import the file that lies there.
    card = text(folder / "README.md")
    card = re.sub(rf'  # in a clone; "org/{name}" from the Hub$', "", card, flags=re.M)
    card = card.replace('evaluate.load("metrics/', f'evaluate.load("{org}/')
    beside = r">>> from scoring import \1  # scoring.py, copied beside your script"
    card = re.sub(r"^>>> from metrics\.\w+\.scoring import (.*)$", beside, card, flags=re.M)
    files = code(name) | {file: read(folder / file) for file in ("requirements.txt", "tests.py")}
    if sdk == "gradio":
        return Space(repo, sdk, files | {"README.md": card.encode(), "app.py": read(folder / "app.py")})
    page = index_page(repo, card, text(folder / "requirements.txt"), f"{endpoint}/spaces/{org}/{DEMO.name}")
    return Space(repo, sdk, files | {"README.md": static_card(name, card).encode(), "index.html": page.encode()})


def static_card(name: str, card: str) -> str:
    """The card of a static Space: its metadata names the page in place of the program."""
    for line, other in {"sdk: gradio": "sdk: static", "app_file: app.py": "app_file: index.html"}.items():
        card, times = re.subn(rf"^{line}$", other, card, flags=re.M)
        if times != 1:
            raise Refused(f"metrics/{name}/README.md must hold the line `{line}` once, and holds it {times} times")
    return re.sub(r"^sdk_version: .*\n", "", card, count=1, flags=re.M)


def imported(name: str) -> set[str]:
    """The files that a module of the demo imports, wherever in it, if they lie beside it."""
    nodes = list(ast.walk(parsed((DEMO / name).relative_to(ROOT).as_posix(), read(DEMO / name))))
    names = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    names += [node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module]
    return {f"{one.partition('.')[0]}.py" for one in names}


def demo_code() -> dict[str, bytes]:
    """The demo's modules: those that are started, and what is imported from them. A clone's git must know them."""
    known, there = git_files(DEMO), {path.name for path in DEMO.glob("*.py")}
    names: set[str] = set()
    todo = {*STARTED}
    while todo:
        names |= todo
        todo = {name for one in todo for name in imported(one)} & (there | (known or set())) - names
    if known is not None and not names <= known:
        tracks = f"does not track {listed(sorted(names - known))}" if known else "tracks nothing"
        raise Refused(f"git {tracks} in {DEMO.relative_to(ROOT).as_posix()}: `git add` it first")
    return {name: read(DEMO / name) for name in sorted(names)}


def demo_space(org: str) -> Space:
    """The demo as a Space: its code, the modules' code beside it, and the locked requirements."""
    files = demo_code() | {name: read(DEMO / name) for name in DEMO_FILES}
    # pip takes either hashes for all or for none, and the Space's builder names more packages beside requirements.txt:
    # the hashes stand in the file that it installs before, and the same versions in the other.
    lock = text(DEMO / "requirements.lock").encode()
    files["pre-requirements.txt"] = lock
    files["requirements.txt"] = re.sub(rb" \\\n +--hash=\S+", b"", lock)
    for name in modules():
        files |= {f"metrics/{name}/{file}": content for file, content in code(name).items()}
    return Space(f"{org}/{DEMO.name}", "gradio", files)


def here(space: Space, path: str) -> str:
    """Where in the project a file of a Space lies; in the demo's are the metrics' as well."""
    name = space.repo.partition("/")[2]
    folder = METRICS / name if name != DEMO.name else ROOT if path.startswith("metrics/") else DEMO
    return (folder / path).relative_to(ROOT).as_posix()


def unknown(made: Iterable[Space]) -> list[str]:
    """What to say of the files that git neither tracks nor ignores: forgotten, or left over."""
    up = {here(space, path) for space in made for path in space.files}
    found = [(folder, git_files(folder, "--others", "--exclude-standard") or ()) for folder in (METRICS, DEMO)]
    names = {(folder / name).relative_to(ROOT).as_posix() for folder, names in found for name in names}
    return [f"{'goes up' if name in up else 'not uploaded'}, git does not know it: {name}" for name in sorted(names)]


def with_manifest(space: Space, version: str) -> Space:
    """The Space with the list of what was published, by which everyone can check a file that came from there."""
    sums = {path: hashlib.sha256(content).hexdigest() for path, content in sorted(space.files.items())}
    manifest = json.dumps({"project": PROJECT, "version": version, "sha256": sums}, indent=1) + "\n"
    return Space(space.repo, space.sdk, space.files | {MANIFEST: manifest.encode()})


def project_version() -> str:
    """The version of the project."""
    found = re.search(r'^version: "(.+)"$', text(ROOT / "CITATION.cff"), re.M)
    if not found:
        raise Refused('CITATION.cff names no version: it must hold a line like `version: "1.2.3"`')
    return found[1]


def spaces(org: str, sdk: str, endpoint: str, version: str) -> list[Space]:
    """All Spaces as they will be, the demo last: it alone may need a paid plan."""
    made = [*(metric_space(name, org, sdk, endpoint) for name in modules()), demo_space(org)]
    for space in made:
        for path in space.files:
            if path.endswith(".py"):
                parsed(here(space, path), space.files[path])
    return [with_manifest(space, version) for space in made]


# --- The page of a static Space

PAGE = string.Template("""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>$name: metric card</title>
<link rel="icon" href="data:,">
<style>
:root { color-scheme: light dark; --line: #d4d4d8; --soft: #f4f4f5; --link: #4338ca; }
@media (prefers-color-scheme: dark) { :root { --line: #3f3f46; --soft: #27272a; --link: #a5b4fc; } }
body { font: 16px/1.55 system-ui, sans-serif; max-width: 66rem; margin: 0 auto; padding: 1rem; }
@media (prefers-color-scheme: dark) { body { background: #18181b; color: #e4e4e7; } }
a { color: var(--link); }
h1, h2, h3, h4 { line-height: 1.25; margin: 1.6em 0 .5em; }
h1 { margin-top: .4em; }
h2 { border-top: 1px solid var(--line); padding-top: .8em; }
pre, code { font: 14px/1.5 ui-monospace, monospace; background: var(--soft); border-radius: 4px; }
code { padding: .1em .3em; }
pre { padding: .8em; overflow-x: auto; }
pre code { padding: 0; background: none; }
pre i { font-style: normal; user-select: none; }
.table { overflow-x: auto; }
table { border-collapse: collapse; font-size: 15px; }
th, td { border: 1px solid var(--line); padding: .35em .6em; text-align: left; vertical-align: top; }
p, li { max-width: 52rem; }
p, li, h1, h2, h3, h4, td code { overflow-wrap: anywhere; }
td:first-child code { overflow-wrap: normal; }
@media (max-width: 40rem) { td code { overflow-wrap: normal; } td:last-child { min-width: 14rem; } }
.demo { display: inline-block; padding: .6em 1em; border-radius: 6px; background: #4f46e5; color: #fff;
  text-decoration: none; font-weight: 600; }
</style>
</head>
<body>
<header>
<p><a class="demo" href="$demo" target="_blank" rel="noopener">Try it in the demo, beside the other scores</a></p>
<pre tabindex="0" aria-label="How to load it"><code>$load</code></pre>
</header>
<main>
$card
</main>
</body>
</html>
""")


def index_page(repo: str, card: str, requirements: str, demo: str) -> str:
    """The page that shows a card: how to load the module, the way to the demo, the card. It holds no script."""
    name = repo.partition("/")[2]
    lines = [line.replace('"', "'") for line in requirements.splitlines() if line[:1].isalpha()]
    packages = " ".join(f'"{line}"' for line in lines)
    load = f'pip install {packages}\n\nimport evaluate\n{name} = evaluate.load("{repo}")'
    return PAGE.substitute(name=name, demo=html.escape(demo), load=html.escape(load, quote=False), card=rendered(card))


def rendered(card: str) -> str:
    """The card without its metadata as HTML. Links leave the frame in which the Hub shows the page."""
    from markdown_it import MarkdownIt

    text = re.sub(r"\A---\n.*?\n---\n|<!--.*?-->", "", card, flags=re.S)
    page = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
    page = page.replace('<a href="http', '<a target="_blank" rel="noopener" href="http')
    # Whoever copies an example copies no prompts.
    page = re.sub(
        r"^((?:<pre><code class=.language-python.>)?)((?:(?:&gt;){3}|\.\.\.)(?: |$))", r"\1<i>\2</i>", page, flags=re.M
    )
    page = page.replace("<th></th>", "<td></td>")  # a corner heads nothing
    page = page.replace("<table>", '<div class="table" tabindex="0" role="group" aria-label="Table"><table>')
    return page.replace("</table>", "</table></div>").replace("<pre>", '<pre tabindex="0">')


# --- The Hub


def set_client() -> None:
    """Have huggingface_hub give up where no answer comes, and leave it to `patiently` to ask again."""
    from huggingface_hub import get_session, set_client_factory

    first = get_session()
    package: Any = sys.modules[type(first).__module__]  # httpx, since version 2 of huggingface_hub httpx2

    class Client(package.Client):  # type: ignore[misc]
        def send(self, request: Any, **options: Any) -> Any:
            try:
                response = super().send(request, **options)
            except package.TimeoutException as error:
                seconds = request.extensions["timeout"]["read"]
                raise ConnectionError(f"the Hub did not answer for {seconds} s") from error
            except (package.ReadError, package.WriteError, package.RemoteProtocolError) as error:
                raise Later(f"the connection broke ({error})") from error
            except package.RequestError as error:
                raise ConnectionError(f"the Hub cannot be reached: {error}") from error
            if response.status_code in BUSY:
                response.close()
                asked = response.headers.get("Retry-After", "")
                seconds = int(asked) if re.fullmatch("[0-9]{1,9}", asked) else 0
                raise Later("the Hub is busy or asks to wait", seconds)
            return response

    set_client_factory(lambda: Client(event_hooks=first.event_hooks, follow_redirects=True, timeout=SILENCE))


def patiently(what: str, ask: Callable[[], T], again: Callable[[], T] | None = None) -> T:
    """What is answered; where that takes a pause, then what is answered to `again`. An error is said of `what`."""
    pauses = iter(PAUSES)
    while True:
        try:
            return ask()
        except Exception as error:
            # What goes wrong with a large file is huggingface_hub's RuntimeError, from what it was.
            later = error.__cause__ if isinstance(error, RuntimeError) else error
            pause = next(pauses, None)
            if not isinstance(later, Later) or pause is None or later.seconds > LONGEST:
                said = in_words(error, what.partition("/")[0])
                if not said:
                    raise
                raise Refused(f"{what}: {said}") from error
            pause = max(pause, later.seconds)
            print(one_line(f"{what}: {later}; once more in {pause} s"), flush=True)
        time.sleep(pause)
        ask = again or ask


def planned(api: Any, space: Space, made_now: bool = False) -> Change:
    """What has to change on the Hub for a Space to be as it should."""
    from huggingface_hub.errors import HfHubHTTPError, RepositoryNotFoundError

    try:
        info = api.repo_info(space.repo, repo_type="space", files_metadata=True, timeout=SILENCE)
    except HfHubHTTPError as error:
        # Of what is not there the Hub says 401 to those who are not logged in.
        if isinstance(error, RepositoryNotFoundError) or (error.response.status_code == 401 and not api.token):
            return Change(space, None)
        raise
    if info.id.lower() != space.repo.lower():
        return Change(space, None)  # it was renamed, and its old name leads there
    if info.id != space.repo:
        raise Refused(f"the Hub writes {info.id}: name the organisation so")
    if info.private:
        raise Refused(f"{space.repo} is private: nobody else could load it. Make it public in its settings on the Hub")
    there = {file.rfilename: file for file in info.siblings or []}
    before = dict.fromkeys(set(there) & FRESH, "") if made_now else published(api, space.repo, info.sha, set(there))
    before.pop(".gitattributes", None)
    both = sorted(set(space.files) & set(there))
    return Change(
        space,
        info.sha,
        new=sorted(set(space.files) - set(there)),
        changed=[path for path in both if differs(space.files[path], there[path], before.get(path))],
        removed=sorted(set(before) & set(there) - set(space.files)),
    )


def published(api: Any, repo: str, revision: str, there: set[str]) -> dict[str, str]:
    """The files of a Space with their SHA-256, as the manifest of the last publishing lists them."""
    if MANIFEST in there:
        with tempfile.TemporaryDirectory() as cache:
            path = api.hf_hub_download(
                repo, MANIFEST, repo_type="space", revision=revision, cache_dir=cache, etag_timeout=SILENCE
            )
            content = Path(path).read_bytes()
        try:
            manifest = json.loads(content)
            if manifest["project"] == PROJECT:
                return {**manifest["sha256"], MANIFEST: hashlib.sha256(content).hexdigest()}
        except (ValueError, LookupError, TypeError) as error:
            raise Refused(
                f"{repo}: {MANIFEST} there is not what `make publish` wrote ({error!r}). Nothing was changed. "
                "Restore the file from the Space's history, or delete the Space"
            ) from error
    if there <= FRESH and [one.title for one in api.list_repo_commits(repo, repo_type="space")] == [FIRST_COMMIT]:
        return dict.fromkeys(there, "")
    others = ", ".join(sorted(there - FRESH or there)[:5])
    raise Refused(
        f"{repo} is there already and was not made by `make publish`: it holds {others}. "
        "Nothing was changed. Rename that Space or delete it, or publish under another name."
    )


def differs(content: bytes, there: Any, before: str | None) -> bool:
    """Whether a file on the Hub is another: by its hash there, or where the Hub says none by the last manifest."""
    sha256 = hashlib.sha256(content).hexdigest()
    if there.lfs is not None:
        return bool(there.lfs.sha256 != sha256)
    if there.blob_id is not None:
        return bool(there.blob_id != hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest())
    return before != sha256


def commit(api: Any, change: Change, message: str, again: bool = False) -> str:
    """Make a Space as it should be, in one commit; return the address of the commit."""
    from huggingface_hub import CommitOperationAdd, CommitOperationDelete

    space = change.space
    if again:  # what was not answered may have been done
        change = planned(api, space)
    if change.parent is None:
        api.create_repo(space.repo, repo_type="space", space_sdk=space.sdk, private=False)
        change = planned(api, space, made_now=True)
    operations: list[Any] = [CommitOperationAdd(path, space.files[path]) for path in [*change.new, *change.changed]]
    operations += [CommitOperationDelete(path) for path in change.removed]
    done = api.create_commit(
        space.repo, operations, repo_type="space", commit_message=message, parent_commit=change.parent
    )
    return str(done.commit_url)


def commit_all(api: Any, changes: list[Change], message: str) -> str:
    """Commit what changes; return what is wrong with the last Space, the demo's: the modules are there without it."""
    for change in filter(None, changes):
        first = functools.partial(commit, api, change, message)
        try:
            done = patiently(change.space.repo, first, functools.partial(first, again=True))
        except Refused as refusal:
            if change is not changes[-1]:
                raise
            gone = "; the metrics' pages link to a demo that is not there yet" if change.parent is None else ""
            return f"{refusal}{gone}"
        print(f"{change.space.repo}: {done}", flush=True)
    return ""


# --- The command


def check_given(org: str) -> None:
    """Refuse a name that is none, and an address of the Hub that may hold a secret, before it is asked or printed."""
    if not NAME.fullmatch(org):
        given = f"{org!r} is no name of an organisation on the Hub" if org else "whose Spaces? Name the organisation"
        raise Refused(f"{given}: make publish ORG=name")
    if not re.fullmatch(r"https?://[A-Za-z0-9_.:/~%-]+", os.environ.get("HF_ENDPOINT", "https://huggingface.co")):
        raise Refused("HF_ENDPOINT must be an address without name, password, ? or #: it stands in every page")


@functools.cache
def own_token() -> str | None:
    """The token of the one who publishes."""
    from huggingface_hub import constants, get_token

    try:
        return get_token()
    except UnicodeDecodeError as error:
        raise Refused(f"{constants.HF_TOKEN_PATH} holds no token, it is not text: `hf auth login` renews it") from error


def account(org: str, dry_run: bool) -> tuple[str | None, str]:
    """The token, and whose it is; a dry run does without one, and does not ask whose."""
    from huggingface_hub import HfApi

    token = own_token()
    if not token and not dry_run:
        raise Refused("there is no token: log in with `hf auth login`, or set HF_TOKEN")
    if token and not re.fullmatch(r"[\x21-\x7e]+", token):
        raise Refused("the token holds a character that no token has: was something else pasted?")
    if dry_run:
        return token, "with a token" if token else "without a token"
    user = patiently(org, HfApi(token=token).whoami)
    if not isinstance(user, dict) or "name" not in user:
        raise Refused(f"the Hub does not say whose token this is: {WHO_ANSWERS}")
    return token, f"with the token of {user['name']}"


def publish(org: str, sdk: str, dry_run: bool) -> None:
    """Say what differs, commit it, and load every module back."""
    check_given(org)
    from huggingface_hub import HfApi

    set_client()
    token, whose = account(org, dry_run)
    api = HfApi(token=token or False)
    version = project_version()
    made = spaces(org, sdk, api.endpoint, version)
    print(f"{PROJECT} {version}, to {api.endpoint}/{org} {whose}\n")
    changes = plan(api, made, dry_run)
    width = max(len(space.repo) for space in made)
    for change in changes:
        print(printable(f"{change.space.repo:{width}}  {change.space.sdk:6}  {change}"))
    for line in unknown(made):
        print(printable(line))
    if dry_run:
        print("\nA dry run: nothing was changed.")
        return
    print(flush=True)
    wrong = [commit_all(api, changes, f"{PROJECT} {version}"), load_back(org)]
    if any(wrong):
        raise Refused("; ".join(filter(None, wrong)))


def plan(api: Any, made: list[Space], dry_run: bool) -> list[Change]:
    """What has to change in each Space. A dry run goes on where the Hub cannot be reached."""
    try:
        return [patiently(space.repo, functools.partial(planned, api, space)) for space in made]
    except Refused as refusal:
        if not dry_run or not isinstance(refusal.__cause__, ConnectionError):
            raise
        print(f"The Hub could not be asked what is there already ({one_line(str(refusal))}); if there is nothing:\n")
        return [Change(space, None) for space in made]


def load_back(org: str) -> str:
    """Load each module as a stranger does, in a fresh process, from an empty cache, without a token; say what fails."""
    from huggingface_hub import constants

    with tempfile.TemporaryDirectory() as empty:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("HF_", "HUGGING"))}
        environment = kept | {
            "HF_HOME": empty, "XDG_CACHE_HOME": empty, "HF_ENDPOINT": constants.ENDPOINT,
            "HF_UPDATE_DOWNLOAD_COUNTS": "0",
        }  # fmt: skip
        command = [sys.executable, str(Path(__file__).resolve()), "--load-back", org]
        failed = subprocess.run(command, cwd=empty, env=environment).returncode
    return "what was published could not be loaded back, see above" if failed else ""


def check_loaded(org: str) -> None:
    """Load each module and check it; go on where one fails."""
    from evaluate.utils.logging import disable_progress_bar

    disable_progress_bar()
    failed = []
    for name in modules():
        try:
            print(loaded(org, name), flush=True)
        except Exception as error:  # a module may raise whatever it likes
            failed.append(name)
            said = str(error) if isinstance(error, Refused) else f"{org}/{name}: {type(error).__name__}: {error}"
            print(one_line(said), file=sys.stderr, flush=True)
    if failed:
        raise Refused(f"{len(failed)} of the modules cannot be used: {listed(failed)}")


def loaded(org: str, name: str) -> str:
    """Load a module, compare its files with those here, and score its first test case that needs no model."""
    import evaluate

    cases = runpy.run_path(str(METRICS / name / "tests.py"))["test_cases"]
    case = next((case for case in cases if "configuration" in case), cases[0])

    def fetched() -> Any:
        try:
            return evaluate.load(f"{org}/{name}", case.get("configuration"))
        except OSError as error:
            raise Later(str(error)) from error

    metric = patiently(f"{org}/{name}", fetched)
    module = sys.modules[type(metric).__module__]
    for file, content in code(name).items():
        if Path(str(module.__file__)).with_name(file).read_bytes() != content:
            raise Refused(f"{org}/{name} was loaded, but its {file} is not the one that lies here")
    return f'evaluate.load("{org}/{name}"): {module.VERSION}{scored(metric, case)}'


def scored(metric: Any, case: dict[str, Any]) -> str:
    """What a module computes of a test case, checked; empty where that would need a model or a judge."""
    needed = {"model", "model_type"} & set(inspect.signature(metric._compute).parameters)
    if needed and "configuration" not in case:
        return ""
    columns = {key: value for key, value in case.items() if key not in ("result", "configuration")}
    result = metric.compute(**columns)
    key = next(iter(case["result"]))
    if not math.isclose(result[key], case["result"][key], abs_tol=1e-9):
        raise Refused(f"{metric.name} gives {key} {result[key]}, its test case says {case['result'][key]}")
    return f", {key} {result[key]:.4f} as its test case says"


def in_words(error: Exception, org: str) -> str:
    """What an error of the Hub, of the way to it or of a file means; empty for others: those are mistakes in here."""
    if isinstance(error, ImportError):
        return f"{error}: `make publish` installs what is needed"
    from huggingface_hub.errors import DisabledRepoError, HfHubHTTPError

    if isinstance(error, DisabledRepoError):
        return f"the Hub has disabled this Space: its page there says why ({error.response.url.path})"
    if isinstance(error, HfHubHTTPError) and error.response.status_code in STATUS:
        return f"{STATUS[error.response.status_code].format(org=org)} ({error.response.url.path})"
    if isinstance(error, OSError):
        return f"{error}; the same command goes on from there" if isinstance(error, Later) else str(error)
    if isinstance(error, (json.JSONDecodeError, UnicodeDecodeError)):
        return f"the Hub's answer is no JSON: {WHO_ANSWERS}"
    if not in_library(error):
        return ""
    if isinstance(error, ValueError):
        return str(error)
    if isinstance(error, RuntimeError) and error.__cause__:
        return f"{error} {error.__cause__}"
    return f"the Hub's answer is not what it should be ({error!r}): {WHO_ANSWERS}"


def in_library(error: Exception) -> bool:
    """Whether huggingface_hub raised an error: of what it was answered."""
    import huggingface_hub

    raised = traceback.extract_tb(error.__traceback__)[-1].filename
    return Path(str(huggingface_hub.__file__)).parent in Path(raised).parents


def without_secrets(text: str) -> str:
    """A text without the token, and without the passwords and queries of addresses."""
    with suppress(Refused, OSError, ValueError, ImportError):  # a token that cannot be read was not sent
        text = text.replace(own_token() or "\0", "...")
    return re.sub(r"\?[^\s'\")]+", "", re.sub(r"//\S*@", "//", text))


def printable(text: str) -> str:
    """A text in which what a terminal would obey, or cannot show, is written out."""
    return "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in text)


def one_line(text: str) -> str:
    """What is said of an error: one line, and nothing that is nobody's business."""
    return printable(" ".join(without_secrets(text).split()))


def main() -> None:
    """Read the command line; say what went wrong in one line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--org", default="", help="the organisation, or the user, that the Spaces belong to")
    parser.add_argument("--sdk", default="static", choices=["static", "gradio"], help="the kind of the metrics' Spaces")
    parser.add_argument("--dry-run", action="store_true", help="say what would be done, and stop")
    parser.add_argument("--load-back", metavar="ORG", help="load the modules of ORG from the Hub and check them")
    given = parser.parse_args()
    os.environ.setdefault("HF_HUB_DISABLE_XET", "1")  # one small picture: the plain upload is tested
    os.environ.setdefault("HF_HUB_VERBOSITY", "error")  # its warnings repeat addresses that are for nobody else
    try:
        if given.load_back:
            check_loaded(given.load_back)
        else:
            publish(given.org, given.sdk, given.dry_run)
    except KeyboardInterrupt:
        if not given.load_back:  # then the one that started this says it
            print("\nstopped; the same command goes on from there", file=sys.stderr)
        sys.exit(130)
    except Exception as error:
        said = str(error) if isinstance(error, Refused) else in_words(error, given.org)
        sys.exit(f"error: {one_line(said)}" if said else without_secrets(traceback.format_exc()))


if __name__ == "__main__":
    main()
