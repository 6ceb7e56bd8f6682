"""Upload every metric and the demo to the Hugging Face Hub as Spaces of one organisation: `make
publish ORG=name`.

Says first what it will do: which Spaces are new, which files differ; `DRY_RUN=1` stops there. Then
one commit for each Space in which something differs. Each module is loaded back with
`evaluate.load("name/<module>")`; the demo goes last. The token is the one of `hf auth login`, or
that of HF_TOKEN. What was broken off goes on with the same command.

A metric goes up as a static Space: its files and a page that shows its card. With SDK=gradio it
keeps its own app.py instead. For the demo, what git tracks is uploaded, with its locked
requirements and the modules' code, so that it runs alone. What was published stands in
published.json of each Space: only what is listed there is ever removed; a Space without it stays
untouched.
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

# HTTPError is that of the library that huggingface_hub asks with, httpx or httpx2.
from huggingface_hub.errors import HTTPError, RepositoryNotFoundError  # type: ignore[attr-defined]
from huggingface_hub.utils.sha import git_hash
from markdown_it import MarkdownIt

ROOT = Path(__file__).resolve().parent.parent
METRICS = ROOT / "metrics"
DEMO = ROOT / "spaces" / "answer_lens"
PROJECT, MANIFEST = "Answer Lens", "published.json"
# What the Hub itself puts into a new Space, in one commit.
FRESH = {".gitattributes", "README.md", "index.html", "style.css"}


class Refused(Exception):
    """The reason why publishing stops, in words for the one who started it."""


class Space(NamedTuple):
    """One Space as it will be: its name on the Hub, its kind, and its files by their paths."""

    repo: str
    sdk: str
    files: dict[str, bytes]


class Plan(NamedTuple):
    """What has to change in a Space.

    `parent` is the commit that it follows, None where the Space is new.
    """

    parent: str | None
    new: list[str]
    changed: list[str]
    removed: list[str]

    def __bool__(self) -> bool:
        return self.parent is None or any(self[1:])

    def __str__(self) -> str:
        if self.parent is None:
            return f"a new Space: {list_names(self.new)}"
        parts = []
        for change, files in (
            ("new", self.new),
            ("changed", self.changed),
            ("removed", self.removed),
        ):
            if files:
                parts.append(f"{change}: {list_names(files)}")
        return "; ".join(parts) or "as it is"


def list_names(files: list[str]) -> str:
    """Return the names of some files; of many, the first."""
    names = ", ".join(files[:10])
    if len(files) > 10:
        names += f" and {len(files) - 10} more"
    return names


# --- What belongs in a Space


def list_modules() -> list[str]:
    """Return the names of the metrics: the folders that hold a module of their name."""
    return sorted(path.name for path in METRICS.iterdir() if (path / f"{path.name}.py").is_file())


def read_code(name: str) -> dict[str, bytes]:
    """Read the files that `evaluate.load` needs: the module, and those that it imports from its
    folder.
    """
    folder = METRICS / name
    module = (folder / f"{name}.py").read_text("utf-8")
    siblings = re.findall(r"^\s*from \.(\w+) import", module, re.M)
    return {f"{file}.py": (folder / f"{file}.py").read_bytes() for file in (name, *siblings)}


def build_metric_space(
    name: str,
    org: str,
    sdk: str,
    endpoint: str,
) -> Space:
    """Build a metric's Space from its folder: static with a page of its card, or gradio with its
    own.
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
    # The metadata names the page in place of the program.
    card = re.sub(r"^sdk_version: .*\n", "", card, count=1, flags=re.M)
    card = card.replace("\nsdk: gradio\n", "\nsdk: static\n", 1)
    card = card.replace("\napp_file: app.py\n", "\napp_file: index.html\n", 1)
    requirements = (folder / "requirements.txt").read_text("utf-8")
    page = build_page(repo, card, requirements, f"{endpoint}/spaces/{org}/{DEMO.name}")
    files["README.md"] = card.encode()
    files["index.html"] = page.encode()
    return Space(repo, sdk, files)


def adapt_card(name: str, org: str) -> str:
    """Return a metric's card whose examples load the module from the Hub and import the file that
    lies there.
    """
    card = (METRICS / name / "README.md").read_text("utf-8")
    card = re.sub(rf'  # in a clone; "org/{name}" from the Hub$', "", card, flags=re.M)
    card = card.replace('evaluate.load("metrics/', f'evaluate.load("{org}/')
    copied = r">>> from scoring import \1  # scoring.py, copied beside your script"
    return re.sub(r"^>>> from metrics\.\w+\.scoring import (.*)$", copied, card, flags=re.M)


def list_git_files(*options: str) -> list[str]:
    """Return the files of the demo that git tracks, or with options others."""
    command = ["git", "-C", str(DEMO), "ls-files", "-z", *options]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    return [os.fsdecode(name) for name in done.stdout.split(b"\0") if name]


def build_demo_space(org: str) -> Space:
    """Build the demo's Space: what git tracks, the modules' code, and the locked requirements."""
    files = {name: (DEMO / name).read_bytes() for name in list_git_files()}
    # pip takes either hashes for all or for none, and the Space's builder names more packages
    # beside requirements.txt: the hashes stand in the file that it installs before, and the same
    # versions in the other.
    lock = (DEMO / "requirements.lock").read_text("utf-8")
    files.pop("requirements.lock", None)
    files["pre-requirements.txt"] = lock.encode()
    files["requirements.txt"] = re.sub(r" \\\n +--hash=\S+", "", lock).encode()
    for name in list_modules():
        for file, content in read_code(name).items():
            files[f"metrics/{name}/{file}"] = content
    return Space(f"{org}/{DEMO.name}", "gradio", files)


def build_spaces(
    org: str,
    sdk: str,
    endpoint: str,
    version: str,
) -> list[Space]:
    """Build all Spaces, the demo last, each with the hashes of its files, by which everyone can
    check one.
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


def build_page(
    repo: str,
    card: str,
    requirements: str,
    demo: str,
) -> str:
    """Build the page that shows a card: how to load the module, the way to the demo, the card.

    It holds no script.
    """
    name = repo.partition("/")[2]
    lines = [line.replace('"', "'") for line in requirements.splitlines() if line[:1].isalpha()]
    packages = " ".join(f'"{line}"' for line in lines)
    load = f'pip install {packages}\n\nimport evaluate\n{name} = evaluate.load("{repo}")'
    template = string.Template(Path(__file__).with_name("card.html").read_text("utf-8"))
    return template.substitute(
        name=name,
        demo=html.escape(demo),
        load=html.escape(load, quote=False),
        card=render_card(card),
    )


def render_card(card: str) -> str:
    """Render the card without its metadata as HTML.

    Links leave the frame in which the Hub shows the page.
    """
    text = re.sub(r"\A---\n.*?\n---\n|<!--.*?-->", "", card, flags=re.S)
    page = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
    page = page.replace('<a href="http', '<a target="_blank" rel="noopener" href="http')
    # Whoever copies an example copies no prompts.
    prompt = r"^((?:<pre><code class=.language-python.>)?)((?:(?:&gt;){3}|\.\.\.)(?: |$))"
    page = re.sub(prompt, r"\1<i>\2</i>", page, flags=re.M)
    page = page.replace("<th></th>", "<td></td>")  # a corner heads nothing
    page = page.replace(
        "<table>", '<div class="table" tabindex="0" role="group" aria-label="Table"><table>'
    )
    return page.replace("</table>", "</table></div>").replace("<pre>", '<pre tabindex="0">')


# --- The Hub


def plan_changes(api: HfApi, space: Space) -> Plan:
    """Return what has to change on the Hub for a Space to be as it should."""
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
    obsolete = on_hub.keys() - space.files.keys()
    return Plan(
        info.sha,
        new=sorted(space.files.keys() - on_hub.keys()),
        changed=changed,
        removed=sorted(read_published(api, space.repo, set(on_hub)) & obsolete),
    )


def is_different(content: bytes, on_hub: Any) -> bool:
    """Return whether a file on the Hub is another, by the hash that the Hub has of it."""
    if on_hub.lfs:
        return bool(on_hub.lfs.sha256 != hashlib.sha256(content).hexdigest())
    return bool(on_hub.blob_id != git_hash(content))


def read_published(api: HfApi, repo: str, on_hub: set[str]) -> set[str]:
    """Return the files that the last publishing put into a Space.

    Of a new one those that the Hub put there.
    """
    if MANIFEST in on_hub:
        with tempfile.TemporaryDirectory() as cache:
            path = api.hf_hub_download(repo, MANIFEST, repo_type="space", cache_dir=cache)
            manifest = json.loads(Path(path).read_text("utf-8"))
            return {*manifest["sha256"], MANIFEST}
    if on_hub <= FRESH:
        titles = [commit.title for commit in api.list_repo_commits(repo, repo_type="space")]
        if titles == ["initial commit"]:
            return on_hub - {".gitattributes"}
    raise Refused(
        f"{repo} is there already and was not made by `make publish`: it holds "
        f"{list_names(sorted(on_hub))}. "
        "Nothing was changed. Rename that Space or delete it, or publish under another name"
    )


def commit_space(api: HfApi, space: Space, message: str) -> str:
    """Make a Space as it should be, in one commit; return its address.

    A second call does what is left to do.
    """
    api.create_repo(
        space.repo,
        repo_type="space",
        space_sdk=space.sdk,
        private=False,
        exist_ok=True,
    )
    parent, new, changed, removed = plan_changes(api, space)
    operations: list[Any] = [CommitOperationAdd(path, space.files[path]) for path in new + changed]
    operations += [CommitOperationDelete(path) for path in removed]
    done = api.create_commit(
        space.repo, operations, repo_type="space", commit_message=message, parent_commit=parent
    )
    return done.commit_url


# --- Loading back


def load_back(org: str) -> list[str]:
    """Load each module as a stranger does, with an empty cache and no token.

    Return those that cannot be used.
    """
    failed = []
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as empty:
        # evaluate reads these as it is imported.
        os.environ.update(HF_HOME=empty, XDG_CACHE_HOME=empty, HF_UPDATE_DOWNLOAD_COUNTS="0")
        import evaluate
        from evaluate.utils.file_utils import DownloadConfig

        evaluate.utils.logging.disable_progress_bar()
        for name in list_modules():
            try:
                metric = evaluate.load(f"{org}/{name}", download_config=DownloadConfig(token=False))
                module = sys.modules[type(metric).__module__]
                for file, content in read_code(name).items():
                    if Path(str(module.__file__)).with_name(file).read_bytes() != content:
                        raise Refused(f"its {file} is not the one that lies here")
                print(f'evaluate.load("{org}/{name}"): {module.VERSION}', flush=True)
            except Exception as error:  # a module may raise whatever it likes
                failed.append(name)
                print(
                    f"{org}/{name}: {type(error).__name__}: {describe_error(error)}",
                    file=sys.stderr,
                    flush=True,
                )
    return failed


# --- The command


def publish(org: str, sdk: str, dry_run: bool) -> None:
    """Print what differs, commit it, and load every module back."""
    check_token()
    api = HfApi()
    whose = "" if dry_run else f" with the token of {api.whoami()['name']}"
    print(f"{PROJECT} {read_version()}, to {api.endpoint}/{org}{whose}\n")
    spaces = build_spaces(org, sdk, api.endpoint, read_version())
    plans = plan_spaces(api, spaces, dry_run)
    width = max(len(space.repo) for space in spaces)
    for space, plan in zip(spaces, plans, strict=True):
        print(f"{space.repo:{width}}  {space.sdk:6}  {plan}")
    if others := list_git_files("--others", "--exclude-standard"):
        print(f"\nLeft out of the demo, git does not track it: {list_names(others)}")
    if dry_run:
        print("\nA dry run: nothing was changed.")
        return
    print(flush=True)
    failed: list[str] = []
    for space, plan in zip(spaces, plans, strict=True):
        # The demo comes last: the Hub may want a paid plan for it.
        if space is spaces[-1]:
            failed = load_back(org)
        if plan:
            print(
                f"{space.repo}: {commit_space(api, space, f'{PROJECT} {read_version()}')}",
                flush=True,
            )
    if failed:
        raise Refused(f"{len(failed)} of the modules cannot be used: {list_names(failed)}")


def check_token() -> None:
    """Refuse a token that cannot be one."""
    token = get_token()
    if token and not (token.isascii() and token.isprintable()):
        raise Refused("the token holds a character that no token has: was something else pasted?")


def read_version() -> str:
    """Return the version of the project."""
    (version,) = re.findall(r'^version: "(.+)"$', (ROOT / "CITATION.cff").read_text("utf-8"), re.M)
    return str(version)


def plan_spaces(api: HfApi, spaces: list[Space], dry_run: bool) -> list[Plan]:
    """Return what has to change in each Space. A dry run goes on if the Hub cannot be asked."""
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
    """Return an error in one line, without the token and the queries of addresses, which may be
    signed.
    """
    line = re.sub(r"\?[^\s'\")]+", "", " ".join(str(error).split()))
    return line.replace(get_token() or "\0", "...")


def main() -> None:
    """Publish what the command line says; print what went wrong in one line."""
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
    # huggingface_hub's warnings repeat addresses that are for nobody else
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
