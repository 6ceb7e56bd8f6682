"""Uploads every metric and the demo to the Hugging Face Hub as Spaces of one organisation: `make publish ORG=name`.

Says first what it will do: which Spaces are new, which files differ; `DRY_RUN=1` stops there. Then one commit for each
Space in which something differs. Each module is loaded back with `evaluate.load("name/<module>")`; the demo goes last.
The token is the one of `hf auth login`, or that of HF_TOKEN. What was broken off goes on with the same command.

A metric goes up as a static Space: its files and a page that shows its card. With SDK=gradio it keeps its own app.py
instead. Of the demo goes up what git tracks, its requirements as they are locked, and the modules' code, so that it
runs alone. What was published stands in published.json of each Space: only what is listed there is ever removed; a
Space without it stays untouched.
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
    """What stops the publishing, in words for the one who started it."""


class Space(NamedTuple):
    """One Space as it will be: its name on the Hub, its kind, and its files by their paths."""

    repo: str
    sdk: str
    files: dict[str, bytes]


class Plan(NamedTuple):
    """What has to change in a Space; `parent` is the commit that it follows, None where the Space is new."""

    parent: str | None
    new: list[str]
    changed: list[str]
    removed: list[str]

    def __bool__(self) -> bool:
        return self.parent is None or any(self[1:])

    def __str__(self) -> str:
        if self.parent is None:
            return f"a new Space: {listed(self.new)}"
        parts = {"new": self.new, "changed": self.changed, "removed": self.removed}
        return "; ".join(f"{what}: {listed(files)}" for what, files in parts.items() if files) or "as it is"


def listed(files: list[str]) -> str:
    """The names of some files, of many the first."""
    return ", ".join(files[:10]) + (f" and {len(files) - 10} more" if len(files) > 10 else "")


# --- What belongs in a Space


def modules() -> list[str]:
    """The names of the metrics: the folders that hold a module of their name."""
    return sorted(path.name for path in METRICS.iterdir() if (path / f"{path.name}.py").is_file())


def code(name: str) -> dict[str, bytes]:
    """The files that `evaluate.load` needs: the module, and those that it imports from beside itself."""
    beside = re.findall(r"^\s*from \.(\w+) import", (METRICS / name / f"{name}.py").read_text("utf-8"), re.M)
    return {f"{file}.py": (METRICS / name / f"{file}.py").read_bytes() for file in (name, *beside)}


def metric_space(name: str, org: str, sdk: str, endpoint: str) -> Space:
    """A metric's folder as a Space: static with a page of its card, or gradio with its own."""
    folder, repo = METRICS / name, f"{org}/{name}"
    # A card's examples load the module from where the reader found the card, and import the file that lies there.
    card = (folder / "README.md").read_text("utf-8")
    card = re.sub(rf'  # in a clone; "org/{name}" from the Hub$', "", card, flags=re.M)
    card = card.replace('evaluate.load("metrics/', f'evaluate.load("{org}/')
    beside = r">>> from scoring import \1  # scoring.py, copied beside your script"
    card = re.sub(r"^>>> from metrics\.\w+\.scoring import (.*)$", beside, card, flags=re.M)
    files = code(name) | {file: (folder / file).read_bytes() for file in ("requirements.txt", "tests.py")}
    if sdk == "gradio":
        return Space(repo, sdk, files | {"README.md": card.encode(), "app.py": (folder / "app.py").read_bytes()})
    # The metadata names the page in place of the program.
    card = re.sub(r"^sdk_version: .*\n", "", card, count=1, flags=re.M)
    card = card.replace("\nsdk: gradio\n", "\nsdk: static\n", 1)
    card = card.replace("\napp_file: app.py\n", "\napp_file: index.html\n", 1)
    requirements = (folder / "requirements.txt").read_text("utf-8")
    page = index_page(repo, card, requirements, f"{endpoint}/spaces/{org}/{DEMO.name}")
    return Space(repo, sdk, files | {"README.md": card.encode(), "index.html": page.encode()})


def git_lists(*options: str) -> list[str]:
    """The files of the demo that git tracks, or with options others."""
    command = ["git", "-C", str(DEMO), "ls-files", "-z", *options]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    return [os.fsdecode(name) for name in done.stdout.split(b"\0") if name]


def demo_space(org: str) -> Space:
    """The demo as a Space: what git tracks, the modules' code beside it, and the locked requirements."""
    files = {name: (DEMO / name).read_bytes() for name in git_lists()}
    # pip takes either hashes for all or for none, and the Space's builder names more packages beside requirements.txt:
    # the hashes stand in the file that it installs before, and the same versions in the other.
    lock = (DEMO / "requirements.lock").read_text("utf-8")
    files.pop("requirements.lock", None)
    files["pre-requirements.txt"] = lock.encode()
    files["requirements.txt"] = re.sub(r" \\\n +--hash=\S+", "", lock).encode()
    for name in modules():
        files |= {f"metrics/{name}/{file}": content for file, content in code(name).items()}
    return Space(f"{org}/{DEMO.name}", "gradio", files)


def spaces(org: str, sdk: str, endpoint: str, version: str) -> list[Space]:
    """All Spaces as they will be, the demo last, each with the hashes of its files, by which everyone can check one."""
    made = [*(metric_space(name, org, sdk, endpoint) for name in modules()), demo_space(org)]
    for space in made:
        sums = {path: hashlib.sha256(content).hexdigest() for path, content in sorted(space.files.items())}
        manifest = json.dumps({"project": PROJECT, "version": version, "sha256": sums}, indent=1) + "\n"
        space.files[MANIFEST] = manifest.encode()
    return made


# --- The page of a static Space


def index_page(repo: str, card: str, requirements: str, demo: str) -> str:
    """The page that shows a card: how to load the module, the way to the demo, the card. It holds no script."""
    name = repo.partition("/")[2]
    lines = [line.replace('"', "'") for line in requirements.splitlines() if line[:1].isalpha()]
    packages = " ".join(f'"{line}"' for line in lines)
    load = f'pip install {packages}\n\nimport evaluate\n{name} = evaluate.load("{repo}")'
    page = string.Template(Path(__file__).with_name("card.html").read_text("utf-8"))
    return page.substitute(name=name, demo=html.escape(demo), load=html.escape(load, quote=False), card=rendered(card))


def rendered(card: str) -> str:
    """The card without its metadata as HTML. Links leave the frame in which the Hub shows the page."""
    text = re.sub(r"\A---\n.*?\n---\n|<!--.*?-->", "", card, flags=re.S)
    page = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
    page = page.replace('<a href="http', '<a target="_blank" rel="noopener" href="http')
    # Whoever copies an example copies no prompts.
    prompt = r"^((?:<pre><code class=.language-python.>)?)((?:(?:&gt;){3}|\.\.\.)(?: |$))"
    page = re.sub(prompt, r"\1<i>\2</i>", page, flags=re.M)
    page = page.replace("<th></th>", "<td></td>")  # a corner heads nothing
    page = page.replace("<table>", '<div class="table" tabindex="0" role="group" aria-label="Table"><table>')
    return page.replace("</table>", "</table></div>").replace("<pre>", '<pre tabindex="0">')


# --- The Hub


def planned(api: HfApi, space: Space) -> Plan:
    """What has to change on the Hub for a Space to be as it should."""
    try:
        info = api.space_info(space.repo, files_metadata=True)
    except RepositoryNotFoundError:
        return Plan(None, sorted(space.files), [], [])
    if info.private:
        raise Refused(f"{space.repo} is private: nobody else could load it. Make it public in its settings on the Hub")
    there = {file.rfilename: file for file in info.siblings or []}
    return Plan(
        info.sha,
        new=sorted(space.files.keys() - there.keys()),
        changed=[path for path in sorted(space.files.keys() & there.keys()) if differs(space.files[path], there[path])],
        removed=sorted(published(api, space.repo, set(there)) & there.keys() - space.files.keys()),
    )


def differs(content: bytes, there: Any) -> bool:
    """Whether a file on the Hub is another, by the hash that the Hub has of it."""
    if there.lfs:
        return bool(there.lfs.sha256 != hashlib.sha256(content).hexdigest())
    return bool(there.blob_id != git_hash(content))


def published(api: HfApi, repo: str, there: set[str]) -> set[str]:
    """What the last publishing put into a Space; of a new one what the Hub put there."""
    if MANIFEST in there:
        with tempfile.TemporaryDirectory() as cache:
            path = api.hf_hub_download(repo, MANIFEST, repo_type="space", cache_dir=cache)
            return {*json.loads(Path(path).read_text("utf-8"))["sha256"], MANIFEST}
    if there <= FRESH and [one.title for one in api.list_repo_commits(repo, repo_type="space")] == ["initial commit"]:
        return there - {".gitattributes"}
    raise Refused(
        f"{repo} is there already and was not made by `make publish`: it holds {listed(sorted(there))}. "
        "Nothing was changed. Rename that Space or delete it, or publish under another name"
    )


def commit(api: HfApi, space: Space, message: str) -> str:
    """Make a Space as it should be, in one commit; return its address. Done again, it does what is left to do."""
    api.create_repo(space.repo, repo_type="space", space_sdk=space.sdk, private=False, exist_ok=True)
    parent, new, changed, removed = planned(api, space)
    operations: list[Any] = [CommitOperationAdd(path, space.files[path]) for path in new + changed]
    operations += [CommitOperationDelete(path) for path in removed]
    done = api.create_commit(space.repo, operations, repo_type="space", commit_message=message, parent_commit=parent)
    return done.commit_url


# --- Loading back


def load_back(org: str) -> list[str]:
    """Load each module as a stranger does, with an empty cache and no token; return those that cannot be used."""
    failed = []
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as empty:
        # evaluate reads these as it is imported.
        os.environ.update(HF_HOME=empty, XDG_CACHE_HOME=empty, HF_UPDATE_DOWNLOAD_COUNTS="0")
        import evaluate
        from evaluate.utils.file_utils import DownloadConfig

        evaluate.utils.logging.disable_progress_bar()
        for name in modules():
            try:
                metric = evaluate.load(f"{org}/{name}", download_config=DownloadConfig(token=False))
                module = sys.modules[type(metric).__module__]
                for file, content in code(name).items():
                    if Path(str(module.__file__)).with_name(file).read_bytes() != content:
                        raise Refused(f"its {file} is not the one that lies here")
                print(f'evaluate.load("{org}/{name}"): {module.VERSION}', flush=True)
            except Exception as error:  # a module may raise whatever it likes
                failed.append(name)
                print(f"{org}/{name}: {type(error).__name__}: {said(error)}", file=sys.stderr, flush=True)
    return failed


# --- The command


def publish(org: str, sdk: str, dry_run: bool) -> None:
    """Say what differs, commit it, and load every module back."""
    if (token := get_token()) and not (token.isascii() and token.isprintable()):
        raise Refused("the token holds a character that no token has: was something else pasted?")
    api = HfApi()
    whose = "" if dry_run else f" with the token of {api.whoami()['name']}"
    (version,) = re.findall(r'^version: "(.+)"$', (ROOT / "CITATION.cff").read_text("utf-8"), re.M)
    print(f"{PROJECT} {version}, to {api.endpoint}/{org}{whose}\n")
    made = spaces(org, sdk, api.endpoint, version)
    found = plans(api, made, dry_run)
    width = max(len(space.repo) for space in made)
    for space, plan in zip(made, found, strict=True):
        print(f"{space.repo:{width}}  {space.sdk:6}  {plan}")
    if others := git_lists("--others", "--exclude-standard"):
        print(f"\nLeft out of the demo, git does not track it: {listed(others)}")
    if dry_run:
        print("\nA dry run: nothing was changed.")
        return
    print(flush=True)
    failed: list[str] = []
    for space, plan in zip(made, found, strict=True):
        if space is made[-1]:  # the demo, for which the Hub may want a paid plan
            failed = load_back(org)
        if plan:
            print(f"{space.repo}: {commit(api, space, f'{PROJECT} {version}')}", flush=True)
    if failed:
        raise Refused(f"{len(failed)} of the modules cannot be used: {listed(failed)}")


def plans(api: HfApi, made: list[Space], dry_run: bool) -> list[Plan]:
    """What has to change in each Space. A dry run goes on where the Hub cannot be asked."""
    try:
        return [planned(api, space) for space in made]
    except (HTTPError, ConnectionError) as error:
        if not dry_run:
            raise
        print(f"The Hub could not be asked what is there already ({said(error)}); if there is nothing:\n")
        return [Plan(None, sorted(space.files), [], []) for space in made]


def said(error: Exception) -> str:
    """What is said of an error: one line, without the token and the queries of addresses, which may be signed."""
    line = re.sub(r"\?[^\s'\")]+", "", " ".join(str(error).split()))
    return line.replace(get_token() or "\0", "...")


def main() -> None:
    """Read the command line; say what went wrong in one line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--org", default="", help="the organisation, or the user, that the Spaces belong to")
    parser.add_argument("--sdk", default="static", choices=["static", "gradio"], help="the kind of the metrics' Spaces")
    parser.add_argument("--dry-run", action="store_true", help="say what would be done, and stop")
    given = parser.parse_args()
    if not given.org:
        parser.error("whose Spaces? Name the organisation: make publish ORG=name")
    logging.set_verbosity_error()  # huggingface_hub's warnings repeat addresses that are for nobody else
    try:
        publish(given.org, given.sdk, given.dry_run)
    except KeyboardInterrupt:
        sys.exit("\nstopped; the same command goes on from there")
    except (Refused, HTTPError, OSError, RuntimeError, ValueError, subprocess.SubprocessError) as error:
        sys.exit(f"error: {said(error)}")


if __name__ == "__main__":
    main()
