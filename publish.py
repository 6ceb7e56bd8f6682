"""Uploads every metric and the demo to the Hugging Face Hub as Spaces of one organisation: `make publish ORG=name`.

Says first what it will do: which Spaces are new, which files differ. Then one commit for each Space in which something
differs, none for the others, and at the end each module is loaded back with `evaluate.load("name/<module>")` from an
empty cache. `DRY_RUN=1` stops after the first part. The token is the one of `hf auth login`, or that of HF_TOKEN.

A metric goes up as a static Space: its files and a page that shows its card. With SDK=gradio it keeps its own app.py
instead. The demo takes the modules' code along, so that it runs alone, and its locked requirements. What was published
stands in published.json of each Space: only what is listed there is ever removed; a Space without it stays untouched.
"""

from __future__ import annotations

import argparse
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
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent
METRICS = ROOT / "metrics"
DEMO = ROOT / "spaces" / "answer_lens"
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
STATUS = {
    401: "the Hub does not accept the token: log in with `hf auth login`, or set HF_TOKEN to a token that may write",
    402: "the Hub asks for a paid plan: new Gradio Spaces need one",
    403: "the token may not write there: is it of a member of {org}, with the right to write?",
    409: "the name is taken: by a Space that was made while this ran, or by one that this token may not see",
    412: "the Space was changed while this ran; the same command goes on from there",
}


class Refused(Exception):
    """What stops the publishing, in words for the one who started it."""


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
    return sorted(path.name for path in METRICS.iterdir() if (path / f"{path.name}.py").is_file())


def code(name: str) -> dict[str, bytes]:
    """The files that `evaluate.load` needs: the module, and those that it imports from beside itself."""
    module = read(METRICS / name / f"{name}.py")
    beside = re.findall(r"^\s*from \.(\w+) import", module.decode(), re.M)
    return {f"{name}.py": module} | {f"{file}.py": read(METRICS / name / f"{file}.py") for file in beside}


def metric_space(name: str, org: str, sdk: str, endpoint: str) -> Space:
    """A metric's folder as a Space: static with a page of its card, or gradio with its own."""
    folder, repo = METRICS / name, f"{org}/{name}"
    # A card's examples load the module from where the reader found the card, and import the file that lies there.
    card = read(folder / "README.md").decode()
    card = re.sub(rf'  # in a clone; "org/{name}" from the Hub$', "", card, flags=re.M)
    card = card.replace('evaluate.load("metrics/', f'evaluate.load("{org}/')
    beside = r">>> from \1 import \2  # \1.py, copied beside your script"
    card = re.sub(r"^>>> from metrics\.(\w+)\.\1 import (.*)$", beside, card, flags=re.M)
    files = code(name) | {file: read(folder / file) for file in ("requirements.txt", "tests.py")}
    if sdk == "gradio":
        return Space(repo, sdk, files | {"README.md": card.encode(), "app.py": read(folder / "app.py")})
    page = index_page(repo, card, files["requirements.txt"].decode(), f"{endpoint}/spaces/{org}/{DEMO.name}")
    return Space(repo, sdk, files | {"README.md": static_card(card).encode(), "index.html": page.encode()})


def static_card(card: str) -> str:
    """The card of a static Space: its metadata names the page in place of the program."""
    card = re.sub(r"^sdk: gradio$", "sdk: static", card, count=1, flags=re.M)
    card = re.sub(r"^app_file: .*$", "app_file: index.html", card, count=1, flags=re.M)
    return re.sub(r"^sdk_version: .*\n", "", card, count=1, flags=re.M)


def demo_space(org: str) -> Space:
    """The demo as a Space: its code, the modules' code beside it, and the locked requirements."""
    names = sorted(path.name for path in DEMO.glob("*.py"))
    known = git_files(DEMO) or {*names, *DEMO_FILES}
    files = {name: read(DEMO / name) for name in [*names, *DEMO_FILES] if name in known}
    # pip takes either hashes for all or for none, and the Space's builder names more packages beside requirements.txt:
    # the hashes stand in the file that it installs before, and the same versions in the other.
    lock = read(DEMO / "requirements.lock")
    files["pre-requirements.txt"] = lock
    files["requirements.txt"] = re.sub(rb" \\\n +--hash=\S+", b"", lock)
    for name in modules():
        files |= {f"metrics/{name}/{file}": content for file, content in code(name).items()}
    return Space(f"{org}/{DEMO.name}", "gradio", files)


def unknown(made: Iterable[Space]) -> list[str]:
    """What to say of the files that git neither tracks nor ignores: forgotten, or left over."""
    up = {f"metrics/{space.repo.partition('/')[2]}/{path}" for space in made for path in space.files}
    found = [(folder, git_files(folder, "--others", "--exclude-standard") or ()) for folder in (METRICS, DEMO)]
    names = {(folder / name).relative_to(ROOT).as_posix() for folder, names in found for name in names}
    said = [f"{'goes up' if name in up else 'not uploaded'}, git does not know it: {name}" for name in sorted(names)]
    return [line.encode("utf-8", "backslashreplace").decode() for line in said]


def with_manifest(space: Space, version: str) -> Space:
    """The Space with the list of what was published, by which everyone can check a file that came from there."""
    sums = {path: hashlib.sha256(content).hexdigest() for path, content in sorted(space.files.items())}
    manifest = json.dumps({"project": PROJECT, "version": version, "sha256": sums}, indent=1) + "\n"
    return Space(space.repo, space.sdk, space.files | {MANIFEST: manifest.encode()})


def project_version() -> str:
    """The version of the project."""
    return re.findall(r'^version: "(.+)"$', (ROOT / "CITATION.cff").read_text("utf-8"), re.M)[0]


def spaces(org: str, sdk: str, endpoint: str, version: str) -> list[Space]:
    """All Spaces as they will be, the demo last: it alone may need a paid plan."""
    made = [*(metric_space(name, org, sdk, endpoint) for name in modules()), demo_space(org)]
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


def planned(api: Any, space: Space, made_now: bool = False) -> Change:
    """What has to change on the Hub for a Space to be as it should."""
    from huggingface_hub.errors import HfHubHTTPError, RepositoryNotFoundError

    try:
        info = api.repo_info(space.repo, repo_type="space", files_metadata=True)
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
            path = api.hf_hub_download(repo, MANIFEST, repo_type="space", revision=revision, cache_dir=cache)
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


def commit(api: Any, change: Change, message: str) -> str:
    """Make a Space as it should be, in one commit; return the address of the commit."""
    from huggingface_hub import CommitOperationAdd, CommitOperationDelete

    space = change.space
    if change.parent is None:
        api.create_repo(space.repo, repo_type="space", space_sdk=space.sdk, private=False)
        change = planned(api, space, made_now=True)
    operations: list[Any] = [CommitOperationAdd(path, space.files[path]) for path in [*change.new, *change.changed]]
    operations += [CommitOperationDelete(path) for path in change.removed]
    try:
        done = api.create_commit(
            space.repo, operations, repo_type="space", commit_message=message, parent_commit=change.parent
        )
    except ValueError as error:
        raise Refused(f"{space.repo}: {error}") from error
    return str(done.commit_url)


# --- The command


def account(org: str, dry_run: bool) -> tuple[str | None, str]:
    """The token, and whose it is; a dry run does without one, and does not ask whose."""
    from huggingface_hub import HfApi, get_token

    if not NAME.fullmatch(org):
        given = f"{org!r} is no name of an organisation on the Hub" if org else "whose Spaces? Name the organisation"
        raise Refused(f"{given}: make publish ORG=name")
    token = get_token()
    if not token and not dry_run:
        raise Refused("there is no token: log in with `hf auth login`, or set HF_TOKEN")
    if token and not re.fullmatch(r"[\x21-\x7e]+", token):
        raise Refused("the token holds a character that no token has: was something else pasted?")
    if dry_run:
        return token, "with a token" if token else "without a token"
    return token, f"with the token of {HfApi(token=token).whoami()['name']}"


def publish(org: str, sdk: str, dry_run: bool) -> None:
    """Say what differs, commit it, and load every module back."""
    from huggingface_hub import HfApi

    token, whose = account(org, dry_run)
    api = HfApi(token=token or False)
    if "@" in api.endpoint:
        raise Refused("HF_ENDPOINT holds a name or a password: it would stand in every page")
    version = project_version()
    made = spaces(org, sdk, api.endpoint, version)
    print(f"{PROJECT} {version}, to {api.endpoint}/{org} {whose}\n")
    changes = plan(api, made, dry_run)
    width = max(len(space.repo) for space in made)
    for change in changes:
        print(f"{change.space.repo:{width}}  {change.space.sdk:6}  {change}")
    for line in unknown(made):
        print(line)
    if dry_run:
        print("\nA dry run: nothing was changed.")
        return
    print(flush=True)
    for change in filter(None, changes):
        print(f"{change.space.repo}: {commit(api, change, f'{PROJECT} {version}')}", flush=True)
    load_back(org)


def plan(api: Any, made: list[Space], dry_run: bool) -> list[Change]:
    """What has to change in each Space. A dry run goes on where the Hub cannot be reached."""
    from huggingface_hub.errors import HfHubHTTPError

    try:
        return [planned(api, space) for space in made]
    except http_error() as error:
        if isinstance(error, HfHubHTTPError) or not dry_run:
            raise
        print(f"The Hub could not be asked what is there already ({error}); if there is nothing:\n")
        return [Change(space, None) for space in made]


def load_back(org: str) -> None:
    """Load each module as a stranger does: in a fresh process, from an empty cache, without a token."""
    from huggingface_hub import constants

    with tempfile.TemporaryDirectory() as empty:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("HF_", "HUGGING"))}
        environment = kept | {
            "HF_HOME": empty, "XDG_CACHE_HOME": empty, "HF_ENDPOINT": constants.ENDPOINT,
            "HF_UPDATE_DOWNLOAD_COUNTS": "0",
        }  # fmt: skip
        command = [sys.executable, str(Path(__file__).resolve()), "--load-back", org]
        if subprocess.run(command, cwd=empty, env=environment).returncode:
            raise Refused("what was published could not be loaded back, see above")


def check_loaded(org: str) -> None:
    """Load each module, compare its file with the one here, and score its first test case that needs no model."""
    import evaluate
    from evaluate.utils.logging import disable_progress_bar

    disable_progress_bar()
    for name in modules():
        cases = runpy.run_path(str(METRICS / name / "tests.py"))["test_cases"]
        case = next((case for case in cases if "configuration" in case), cases[0])
        metric = evaluate.load(f"{org}/{name}", case.get("configuration"))
        loaded = sys.modules[type(metric).__module__]
        if Path(str(loaded.__file__)).read_bytes() != read(METRICS / name / f"{name}.py"):
            raise Refused(f"{org}/{name} was loaded, but is not the file that lies here")
        print(f'evaluate.load("{org}/{name}"): {loaded.VERSION}{scored(metric, case)}', flush=True)


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


def http_error() -> type[Exception]:
    """What huggingface_hub raises where it reaches nobody: httpx's error, since its version 2 that of httpx2."""
    from huggingface_hub.errors import HfHubHTTPError

    return next(kind for kind in HfHubHTTPError.__mro__ if kind.__name__ == "HTTPError")


def in_words(error: Exception, org: str) -> str:
    """What an error of the Hub, of the way to it or of a file means; empty for others: those are mistakes in here."""
    from huggingface_hub.errors import DisabledRepoError, HfHubHTTPError

    if isinstance(error, DisabledRepoError):
        return f"the Hub has disabled this Space: its page there says why ({error.response.url.path})"
    if isinstance(error, HfHubHTTPError) and error.response.status_code in STATUS:
        return f"{STATUS[error.response.status_code].format(org=org)} ({error.response.url.path})"
    return str(error) if isinstance(error, (OSError, http_error())) else ""


def main() -> None:
    """Read the command line; say what went wrong in one line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--org", default="", help="the organisation, or the user, that the Spaces belong to")
    parser.add_argument("--sdk", default="static", choices=["static", "gradio"], help="the kind of the metrics' Spaces")
    parser.add_argument("--dry-run", action="store_true", help="say what would be done, and stop")
    parser.add_argument("--load-back", metavar="ORG", help="load the modules of ORG from the Hub and check them")
    given = parser.parse_args()
    os.environ.setdefault("HF_HUB_DISABLE_XET", "1")  # one small picture: the plain upload is tested
    try:
        if given.load_back:
            check_loaded(given.load_back)
        else:
            publish(given.org, given.sdk, given.dry_run)
    except Refused as refusal:
        sys.exit(f"error: {refusal}")
    except Exception as error:
        said = in_words(error, given.org)
        if not said:
            raise
        sys.exit(f"error: {said}")


if __name__ == "__main__":
    main()
