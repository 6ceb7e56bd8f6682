"""Upload every metric and the demo to the Hugging Face Hub, as Spaces of one organisation.

Run: make publish ORG=name. The token is that of `hf auth login`, or of HF_TOKEN.

First the changes are printed: new Spaces, and files that differ. `DRY_RUN=1` stops there. Then each
Space with changes gets one commit, the demo last. Each module is loaded back with
`evaluate.load("name/<module>")`. If publishing was interrupted, the same command finishes it.

A metric becomes a static Space: its files, and a page that shows its card. With SDK=gradio it has
its own app.py instead of the page. The demo's Space has the files that git tracks, its locked
requirements and the code of the modules, so that it needs no other Space.

published.json in each Space lists the published files, and only files in this list are ever
removed. A Space without published.json is refused, unless the Hub has just created it.
"""

from __future__ import annotations

import argparse
import hashlib
import html
import json
import os
import re
import string
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from huggingface_hub import CommitOperationAdd, CommitOperationDelete, HfApi, get_token, logging

# HTTPError belongs to the HTTP library of huggingface_hub: httpx or httpx2.
from huggingface_hub.errors import HTTPError, RepositoryNotFoundError  # type: ignore[attr-defined]
from huggingface_hub.utils.sha import git_hash
from markdown_it import MarkdownIt

ROOT = Path(__file__).resolve().parent.parent
METRICS = ROOT / "metrics"
DEMO = ROOT / "spaces" / "answer_lens"
PROJECT = "Answer Lens"
# The file in each Space that lists the published files.
MANIFEST = "published.json"
# The files that the Hub puts into a new Space, in its first commit.
FILES_OF_HUB = {".gitattributes", "README.md", "index.html", "style.css"}
# How many files a message names.
MAX_NAMED_FILES = 10


class Refused(Exception):
    """The reason why publishing stops, as a message for the user."""


class Space(NamedTuple):
    """A Space to publish: its name on the Hub, its kind, and its files by their paths."""

    repo: str
    sdk: str
    files: dict[str, bytes]


class Plan(NamedTuple):
    """The changes of a Space.

    `parent` is the commit that they follow; None if the Space is new.
    """

    parent: str | None
    new: list[str]
    changed: list[str]
    removed: list[str]

    def has_changes(self) -> bool:
        """Return whether something is to be committed."""
        return self.parent is None or bool(self.new or self.changed or self.removed)

    def describe(self) -> str:
        """Return the changes as a text, such as "new: app.py; changed: README.md"."""
        if self.parent is None:
            return f"a new Space: {join_names(self.new)}"
        changes = {"new": self.new, "changed": self.changed, "removed": self.removed}
        texts = [f"{change}: {join_names(files)}" for change, files in changes.items() if files]
        return "; ".join(texts) or "as it is"


def join_names(files: list[str]) -> str:
    """Return the names of files as a text; if there are many, the first ones and a number."""
    names = ", ".join(files[:MAX_NAMED_FILES])
    n_unnamed = len(files) - MAX_NAMED_FILES
    if n_unnamed > 0:
        names += f" and {n_unnamed} more"
    return names


# --- What belongs in a Space


def list_modules() -> list[str]:
    """Return the names of the metrics: the folders that have a module of the same name."""
    return sorted(path.name for path in METRICS.iterdir() if (path / f"{path.name}.py").is_file())


def read_code(name: str) -> dict[str, bytes]:
    """Return the files that `evaluate.load` needs, by name: the module and what it imports."""
    folder = METRICS / name
    module = (folder / f"{name}.py").read_text("utf-8")
    # "from .scoring import score"
    imported = re.findall(r"^\s*from \.(\w+) import", module, re.M)
    return {f"{file}.py": (folder / f"{file}.py").read_bytes() for file in (name, *imported)}


def build_metric_space(name: str, org: str, sdk: str, endpoint: str) -> Space:
    """Return a metric's Space: a static one with a page of its card, or one with its own app.py.

    Args:
        name: the name of the metric.
        org: the organisation of the Space.
        sdk: "static" or "gradio".
        endpoint: the address of the Hub.
    """
    folder = METRICS / name
    repo = f"{org}/{name}"
    card = adapt_card(name, org)
    files = read_code(name)
    for file in ("requirements.txt", "tests.py"):
        files[file] = (folder / file).read_bytes()
    if sdk == "gradio":
        files["README.md"] = card.encode()
        files["app.py"] = (folder / "app.py").read_bytes()
        return Space(repo, sdk, files)
    card = make_card_static(card)
    requirements = (folder / "requirements.txt").read_text("utf-8")
    page = build_page(repo, card, requirements, f"{endpoint}/spaces/{org}/{DEMO.name}")
    files["README.md"] = card.encode()
    files["index.html"] = page.encode()
    return Space(repo, sdk, files)


def adapt_card(name: str, org: str) -> str:
    """Return a metric's card for the Hub.

    Its examples load the module from the Hub, and import a copy of scoring.py.
    """
    card = (METRICS / name / "README.md").read_text("utf-8")
    card = re.sub(rf'  # in a clone; "org/{name}" from the Hub$', "", card, flags=re.M)
    card = card.replace('evaluate.load("metrics/', f'evaluate.load("{org}/')
    copied_import = r">>> from scoring import \1  # scoring.py, copied beside your script"
    return re.sub(r"^>>> from metrics\.\w+\.scoring import (.*)$", copied_import, card, flags=re.M)


def make_card_static(card: str) -> str:
    """Return a card whose metadata is that of a static Space with a page, without gradio."""
    card = re.sub(r"^sdk_version: .*\n", "", card, count=1, flags=re.M)
    card = card.replace("\nsdk: gradio\n", "\nsdk: static\n", 1)
    return card.replace("\napp_file: app.py\n", "\napp_file: index.html\n", 1)


def list_git_files(*options: str) -> list[str]:
    """Return the files of the demo that `git ls-files` lists: the tracked ones without options."""
    command = ["git", "-C", str(DEMO), "ls-files", "-z", *options]
    output = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout
    return [os.fsdecode(name) for name in output.split(b"\0") if name]


def build_demo_space(org: str) -> Space:
    """Return the demo's Space: its tracked files, the modules' code and the locked requirements."""
    files = {name: (DEMO / name).read_bytes() for name in list_git_files()}
    # pip wants hashes for all packages or for none, and the Space's builder adds packages of its
    # own to requirements.txt. So the hashes go into pre-requirements.txt, which it installs first,
    # and requirements.txt has the same versions without hashes.
    lock = (DEMO / "requirements.lock").read_text("utf-8")
    files.pop("requirements.lock", None)
    files["pre-requirements.txt"] = lock.encode()
    files["requirements.txt"] = re.sub(r" \\\n +--hash=\S+", "", lock).encode()
    for name in list_modules():
        for file, content in read_code(name).items():
            files[f"metrics/{name}/{file}"] = content
    return Space(f"{org}/{DEMO.name}", "gradio", files)


def build_spaces(org: str, sdk: str, endpoint: str, version: str) -> list[Space]:
    """Return all Spaces, the demo last.

    Each has published.json with the hashes of its files, by which anyone can check them.
    """
    spaces = [build_metric_space(name, org, sdk, endpoint) for name in list_modules()]
    spaces.append(build_demo_space(org))
    for space in spaces:
        hashes = {}
        for path, content in sorted(space.files.items()):
            hashes[path] = hashlib.sha256(content).hexdigest()
        manifest = json.dumps({"project": PROJECT, "version": version, "sha256": hashes}, indent=1)
        space.files[MANIFEST] = f"{manifest}\n".encode()
    return spaces


# --- The page of a static Space


def build_page(repo: str, card: str, requirements: str, demo: str) -> str:
    """Return the page of a metric: the code to load the module, a link to the demo, and the card.

    The page has no script.

    Args:
        repo: the name of the Space.
        card: the metric's card.
        requirements: the content of requirements.txt.
        demo: the address of the demo.
    """
    name = repo.partition("/")[2]
    packages = []
    for line in requirements.splitlines():
        is_package = line[:1].isalpha()
        if is_package:
            requirement = line.replace('"', "'")
            packages.append(f'"{requirement}"')
    install = f"pip install {' '.join(packages)}"
    load = f'{install}\n\nimport evaluate\n{name} = evaluate.load("{repo}")'
    template = string.Template(Path(__file__).with_name("card.html").read_text("utf-8"))
    return template.substitute(
        name=name,
        demo=html.escape(demo),
        load=html.escape(load, quote=False),
        card=render_card(card),
    )


def render_card(card: str) -> str:
    """Return a card as HTML, without its metadata.

    Its links open outside of the frame in which the Hub shows the page.
    """
    text = re.sub(r"\A---\n.*?\n---\n|<!--.*?-->", "", card, flags=re.S)
    page = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
    page = page.replace('<a href="http', '<a target="_blank" rel="noopener" href="http')
    # The prompts >>> and ... become <i> elements, which card.html excludes from copying.
    prompt = r"^((?:<pre><code class=.language-python.>)?)((?:(?:&gt;){3}|\.\.\.)(?: |$))"
    page = re.sub(prompt, r"\1<i>\2</i>", page, flags=re.M)
    # The cell in a table's corner is no heading.
    page = page.replace("<th></th>", "<td></td>")
    page = page.replace(
        "<table>", '<div class="table" tabindex="0" role="group" aria-label="Table"><table>'
    )
    return page.replace("</table>", "</table></div>").replace("<pre>", '<pre tabindex="0">')


# --- The Hub


def plan_changes(api: HfApi, space: Space) -> Plan:
    """Return the changes that make a Space on the Hub equal to this one."""
    try:
        info = api.space_info(space.repo, files_metadata=True)
    except RepositoryNotFoundError:
        return Plan(None, sorted(space.files), [], [])
    if info.private:
        raise Refused(
            f"{space.repo} is private: nobody else could load it. Make it public in its settings "
            "on the Hub"
        )
    on_hub = {file.rfilename: file for file in info.siblings or []}
    changed = []
    for path in sorted(space.files.keys() & on_hub.keys()):
        if is_different(space.files[path], on_hub[path]):
            changed.append(path)
    published = read_published(api, space.repo, set(on_hub))
    return Plan(
        info.sha,
        new=sorted(space.files.keys() - on_hub.keys()),
        changed=changed,
        removed=sorted((published & on_hub.keys()) - space.files.keys()),
    )


def is_different(content: bytes, on_hub: Any) -> bool:
    """Return whether a file on the Hub has other content, by its hash on the Hub."""
    # A large file is stored with Git LFS, which has another hash.
    if on_hub.lfs:
        return bool(on_hub.lfs.sha256 != hashlib.sha256(content).hexdigest())
    return bool(on_hub.blob_id != git_hash(content))


def read_published(api: HfApi, repo: str, on_hub: set[str]) -> set[str]:
    """Return the files that the last publishing put into a Space.

    In a new Space these are the files that the Hub put into it.

    Raises:
        Refused: the Space has other files, so it was not made by this program.
    """
    if MANIFEST in on_hub:
        with tempfile.TemporaryDirectory() as cache:
            path = api.hf_hub_download(repo, MANIFEST, repo_type="space", cache_dir=cache)
            manifest = json.loads(Path(path).read_text("utf-8"))
            return {*manifest["sha256"], MANIFEST}
    if on_hub <= FILES_OF_HUB:
        titles = [commit.title for commit in api.list_repo_commits(repo, repo_type="space")]
        if titles == ["initial commit"]:
            return on_hub - {".gitattributes"}
    raise Refused(
        f"{repo} is there already and was not made by `make publish`: it holds "
        f"{join_names(sorted(on_hub))}. "
        "Nothing was changed. Rename that Space or delete it, or publish under another name"
    )


def commit_space(api: HfApi, space: Space, message: str) -> str:
    """Commit the changes of a Space, after creating it if needed; return the commit's address.

    The changes are planned anew, so that a second call does only what is left.
    """
    api.create_repo(
        space.repo,
        repo_type="space",
        space_sdk=space.sdk,
        private=False,
        exist_ok=True,
    )
    plan = plan_changes(api, space)
    operations: list[Any] = []
    for path in plan.new + plan.changed:
        operations.append(CommitOperationAdd(path, space.files[path]))
    for path in plan.removed:
        operations.append(CommitOperationDelete(path))
    commit = api.create_commit(
        space.repo,
        operations,
        repo_type="space",
        commit_message=message,
        parent_commit=plan.parent,
    )
    return commit.commit_url


# --- Loading back


def load_back(org: str) -> list[str]:
    """Load each module as a stranger would, with an empty cache and no token.

    Return the names of the modules that cannot be used.
    """
    failed = []
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as empty:
        # evaluate reads these variables when it is imported.
        os.environ.update(HF_HOME=empty, XDG_CACHE_HOME=empty, HF_UPDATE_DOWNLOAD_COUNTS="0")
        import evaluate
        from evaluate.utils.file_utils import DownloadConfig

        evaluate.utils.logging.disable_progress_bar()
        for name in list_modules():
            try:
                metric = evaluate.load(f"{org}/{name}", download_config=DownloadConfig(token=False))
                module = sys.modules[type(metric).__module__]
                check_loaded_code(name, Path(str(module.__file__)))
                print(f'evaluate.load("{org}/{name}"): {module.VERSION}', flush=True)
            # A module may raise any exception.
            except Exception as error:
                failed.append(name)
                print(
                    f"{org}/{name}: {type(error).__name__}: {describe_error(error)}",
                    file=sys.stderr,
                    flush=True,
                )
    return failed


def check_loaded_code(name: str, loaded: Path) -> None:
    """Raise Refused if a loaded module, or a file beside it, differs from that of the project."""
    for file, content in read_code(name).items():
        if loaded.with_name(file).read_bytes() != content:
            raise Refused(f"its {file} is not the one that lies here")


# --- The command


def publish(org: str, sdk: str, dry_run: bool) -> None:
    """Print the changes, commit them, and load every module back.

    Raises:
        Refused: a Space or the token cannot be used, or a module cannot be loaded back.
    """
    check_token()
    api = HfApi()
    version = read_version()
    user = "" if dry_run else f" with the token of {api.whoami()['name']}"
    print(f"{PROJECT} {version}, to {api.endpoint}/{org}{user}\n")
    spaces = build_spaces(org, sdk, api.endpoint, version)
    plans = plan_spaces(api, spaces, dry_run)
    width = max(len(space.repo) for space in spaces)
    for space, plan in zip(spaces, plans, strict=True):
        print(f"{space.repo:{width}}  {space.sdk:6}  {plan.describe()}")
    untracked = list_git_files("--others", "--exclude-standard")
    if untracked:
        print(f"\nLeft out of the demo, git does not track it: {join_names(untracked)}")
    if dry_run:
        print("\nA dry run: nothing was changed.")
        return
    print(flush=True)
    failed: list[str] = []
    for space, plan in zip(spaces, plans, strict=True):
        # The demo comes after the check of the modules: the Hub may require a paid plan for it.
        is_demo = space is spaces[-1]
        if is_demo:
            failed = load_back(org)
        if plan.has_changes():
            address = commit_space(api, space, f"{PROJECT} {version}")
            print(f"{space.repo}: {address}", flush=True)
    if failed:
        raise Refused(f"{len(failed)} of the modules cannot be used: {join_names(failed)}")


def check_token() -> None:
    """Raise Refused if the token has a character that no token has."""
    token = get_token()
    if token and not (token.isascii() and token.isprintable()):
        raise Refused("the token holds a character that no token has: was something else pasted?")


def read_version() -> str:
    """Return the version of the project."""
    citation = (ROOT / "CITATION.cff").read_text("utf-8")
    (version,) = re.findall(r'^version: "(.+)"$', citation, re.M)
    return str(version)


def plan_spaces(api: HfApi, spaces: list[Space], dry_run: bool) -> list[Plan]:
    """Return the changes of each Space; a dry run takes all as new if the Hub cannot be reached."""
    try:
        return [plan_changes(api, space) for space in spaces]
    except (HTTPError, ConnectionError) as error:
        if not dry_run:
            raise
        message = describe_error(error)
        print(
            f"The Hub could not be asked what is there already ({message}); if there is nothing:\n"
        )
        return [Plan(None, sorted(space.files), [], []) for space in spaces]


def describe_error(error: Exception) -> str:
    """Return an error as one line, without the token and the queries of addresses.

    Queries may have signatures.
    """
    line = " ".join(str(error).split())
    # The query of "https://host/file?signature=x".
    line = re.sub(r"\?[^\s'\")]+", "", line)
    token = get_token()
    return line.replace(token, "...") if token else line


def main() -> None:
    """Publish as the command line says, or print the error as one line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--org", default="", help="the organisation, or the user, that the Spaces belong to"
    )
    parser.add_argument(
        "--sdk",
        default="static",
        choices=["static", "gradio"],
        help="the kind of the metrics' Spaces",
    )
    parser.add_argument("--dry-run", action="store_true", help="say what would be done, and stop")
    arguments = parser.parse_args()
    if not arguments.org:
        parser.error("whose Spaces? Name the organisation: make publish ORG=name")
    # huggingface_hub's warnings show addresses that only this user should see.
    logging.set_verbosity_error()
    try:
        publish(arguments.org, arguments.sdk, arguments.dry_run)
    except KeyboardInterrupt:
        sys.exit("\nstopped; the same command goes on from there")
    except (
        Refused,
        HTTPError,
        OSError,
        RuntimeError,
        ValueError,
        subprocess.SubprocessError,
    ) as error:
        sys.exit(f"error: {describe_error(error)}")


if __name__ == "__main__":
    main()
