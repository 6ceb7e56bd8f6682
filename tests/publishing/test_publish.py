"""`make publish`: which files it uploads, what it prints, and that users can load the modules."""

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any
from unittest.mock import Mock, create_autospec, patch

import pytest
from huggingface_hub import CommitOperationAdd, HfApi, SpaceInfo
from huggingface_hub.errors import HfHubHTTPError, RepositoryNotFoundError
from huggingface_hub.utils.sha import git_hash

from tests.support.hub import read_files, serve_hub
from tests.support.processes import make_search_path
from tests.support.project import METRICS, NAMES, ROOT, read_front_matter

# Files in a working folder that must not be uploaded to a Space.
LEFTOVERS = [".env", "__pycache__/x.pyc", "replies.sqlite", "try_out.py", "cache/key.json"]
TOKEN = "hf_secret0123456789"
Files = dict[str, bytes]


class Hub:
    """A fake Hub in memory behind the calls of huggingface_hub.

    `spaces` holds the files of each Space after each commit.
    """

    def __init__(self) -> None:
        self.spaces: dict[str, list[Files]] = {}
        self.private = False
        self.api = create_autospec(HfApi, instance=True)
        self.api.endpoint = "https://hub.test"
        self.api.whoami.return_value = {"name": "someone"}
        self.api.space_info.side_effect = self.space_info
        self.api.hf_hub_download.side_effect = self.hf_hub_download
        self.api.list_repo_commits.side_effect = self.list_repo_commits
        self.api.create_repo.side_effect = self.create_repo
        self.api.create_commit.side_effect = self.create_commit

    def space_info(self, repo: str, **options: Any) -> SpaceInfo:
        if repo not in self.spaces:
            raise RepositoryNotFoundError("404", response=Mock())
        siblings = []
        for path, content in self.spaces[repo][-1].items():
            sibling: dict[str, Any] = {"rfilename": path, "blobId": git_hash(content)}
            if path.endswith(".png"):
                sibling["blobId"] = git_hash(b"pointer")
                sibling["lfs"] = {
                    "size": len(content),
                    "sha256": sha256(content).hexdigest(),
                    "pointerSize": 128,
                }
            siblings.append(sibling)
        return SpaceInfo(
            id=repo,
            sha=str(len(self.spaces[repo])),
            private=self.private,
            siblings=siblings,
        )

    def hf_hub_download(self, repo: str, path: str, cache_dir: str, **options: Any) -> str:
        file = Path(cache_dir) / "downloaded"
        file.write_bytes(self.spaces[repo][-1][path])
        return str(file)

    def list_repo_commits(self, repo: str, **options: Any) -> list[Any]:
        later = len(self.spaces[repo]) - 1
        titles = ["by hand"] * later + ["initial commit"]
        return [Mock(title=title) for title in titles]

    def create_repo(self, repo: str, **options: Any) -> None:
        # The files that the Hub writes into a new Space.
        files = dict.fromkeys([".gitattributes", "README.md", "style.css"], b"new")
        self.spaces.setdefault(repo, [files])

    def create_commit(
        self, repo: str, operations: list[Any], parent_commit: str, **options: Any
    ) -> Any:
        files = dict(self.spaces[repo][-1])
        assert parent_commit == str(len(self.spaces[repo]))
        for operation in operations:
            if isinstance(operation, CommitOperationAdd):
                files[operation.path_in_repo] = operation.path_or_fileobj  # type: ignore[assignment]
            else:
                del files[operation.path_in_repo]
        self.spaces[repo].append(files)
        return Mock(commit_url=f"https://hub.test/spaces/{repo}/commit/1")

    def files(self, name: str) -> Files:
        """Return the files of a Space of org."""
        return self.spaces[f"org/{name}"][-1]


def copy_project(clone: Path) -> None:
    """Copy what the program publishes into a folder."""
    caches = shutil.ignore_patterns("__pycache__", ".*_cache", ".gradio")
    for folder in ("spaces", *(f"metrics/{name}" for name in NAMES)):
        shutil.copytree(ROOT / folder, clone / folder, ignore=caches)
    for file in ("CITATION.cff", ".gitignore"):
        shutil.copy(ROOT / file, clone)


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The module publish.py, in a copy of the project: a git repository with untracked files."""
    clone = tmp_path_factory.mktemp("published") / "clone"
    copy_project(clone)
    for command in (["init", "-q"], ["add", "."]):
        subprocess.run(["git", *command], cwd=clone, check=True)
    for folder in (clone / "metrics" / "bleu", clone / "spaces" / "answer_lens"):
        for leftover in LEFTOVERS:
            (folder / leftover).parent.mkdir(exist_ok=True)
            (folder / leftover).write_text("secret")
    spec: Any = importlib.util.spec_from_file_location("publish", clone / "spaces" / "publish.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run_publish(
    program: Any,
    hub: Hub,
    *options: str,
    token: str = TOKEN,
    failed: Any = (),
) -> str:
    """Run the command and return its error message; "" if it succeeds.

    Args:
        program: the module publish.py.
        hub: the Hub to publish to.
        options: arguments of the command besides --org.
        token: the user's token; "" for none.
        failed: the modules that the replaced `load_back` returns as unusable. It loads no module.
    """
    stand_ins = patch.multiple(
        program,
        HfApi=lambda: hub.api,
        get_token=lambda: token,
        load_back=lambda org: list(failed),
    )
    command = patch.object(sys, "argv", ["publish.py", "--org", "org", *options])
    with stand_ins, command:
        try:
            program.main()
        except SystemExit as end:
            return str(end)
    return ""


@pytest.fixture(scope="module")
def full_hub(program: Any) -> Hub:
    """A Hub to which everything was published. Tests must not change it."""
    hub = Hub()
    assert run_publish(program, hub) == ""
    return hub


# The files of a metric's Space besides its code.
BESIDE_THE_CODE = {
    ".gitattributes",
    "README.md",
    "index.html",
    "published.json",
    "requirements.txt",
    "tests.py",
}


def list_code(name: str) -> set[str]:
    """Return the files of a module's code."""
    paths = (METRICS / name).glob("*.py")
    return {path.name for path in paths} - {"app.py", "tests.py"}


def test_each_space_gets_its_own_files_and_no_untracked_ones(full_hub: Hub) -> None:
    for name in NAMES:
        assert set(full_hub.files(name)) == BESIDE_THE_CODE | list_code(name)
    folder = ROOT / "spaces" / "answer_lens"
    expected = {".gitattributes", "published.json", "pre-requirements.txt"}
    for path in read_files(folder):
        is_hidden = re.search(r"(^|/)(\.|__pycache__)", path)
        if not is_hidden and path != "requirements.lock":
            expected.add(path)
    for name in NAMES:
        expected |= {f"metrics/{name}/{file}" for file in list_code(name)}
    assert set(full_hub.files("answer_lens")) == expected
    for commits in full_hub.spaces.values():
        assert b"secret" not in commits[-1].values()


def test_published_json_has_the_digest_of_each_file(full_hub: Hub) -> None:
    for commits in full_hub.spaces.values():
        files = commits[-1]
        digests = {path: sha256(content).hexdigest() for path, content in files.items()}
        # The Hub itself writes .gitattributes.
        del digests[".gitattributes"], digests["published.json"]
        assert json.loads(files["published.json"])["sha256"] == digests


def test_a_published_card_loads_its_module_from_the_hub_and_is_the_page_of_its_space(
    full_hub: Hub,
) -> None:
    for name in NAMES:
        card = full_hub.files(name)["README.md"].decode()
        assert f'evaluate.load("org/{name}"' in card
        assert not re.search(r'evaluate\.load\("metrics/|from metrics\.|# in a clone', card)
        metadata = read_front_matter(card)
        assert (metadata["sdk"], metadata["app_file"]) == ("static", "index.html")
        assert "sdk_version" not in metadata
        page = full_hub.files(name)["index.html"].decode()
        for text in (
            f"<h1>Metric Card for {name}</h1>",
            f'evaluate.load("org/{name}")',
            'href="https://hub.test/spaces/org/answer_lens"',
        ):
            assert text in page
        assert not re.search(r"<script|<!--|\$(name|demo|load|card)", page)


def test_the_published_demo_pins_the_locked_requirements(full_hub: Hub) -> None:
    files = full_hub.files("answer_lens")
    lock = (ROOT / "spaces/answer_lens/requirements.lock").read_text("utf-8")
    assert files["pre-requirements.txt"].decode() == lock
    lines = files["requirements.txt"].decode().splitlines()
    pins = [line for line in lines if not line.startswith("#")]
    assert pins == re.findall(r"^[\w.-]+==\S+", lock, re.M)


def test_the_published_demo_runs_alone(full_hub: Hub, tmp_path: Path) -> None:
    files = full_hub.files("answer_lens")
    for path, content in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(content)
    (tmp_path / "rows.csv").write_text("prediction,reference\nin Oslo,in Oslo\n")
    environment = {
        **os.environ,
        "HF_HOME": str(tmp_path / "cache"),
        "PYTHONPATH": make_search_path("bleu"),
    }
    for command in (["-c", "import app"], ["score.py", "rows.csv", "--metrics", "lv_eval_f1"]):
        process = subprocess.run(
            [sys.executable, *command],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
        )
        assert process.returncode == 0, process.stderr
    assert "1.0" in process.stdout


def test_publishing_again_without_a_change_says_so(program: Any, capsys: Any) -> None:
    hub = Hub()
    assert run_publish(program, hub) == ""
    untracked = "git does not track it: .env, cache/key.json, replies.sqlite, try_out.py"
    assert untracked in capsys.readouterr().out
    assert run_publish(program, hub) == ""
    assert capsys.readouterr().out.count("as it is") == len(NAMES) + 1


def test_publishing_again_prints_and_mends_differences_and_keeps_files_that_others_added(
    program: Any, capsys: Any
) -> None:
    hub = Hub()
    assert run_publish(program, hub) == ""
    manifest = json.loads(hub.files("bleu")["published.json"])
    # gone.py was published by an earlier version that had it.
    manifest["sha256"]["gone.py"] = ""
    changes_by_hand = {
        "more.md": b"more",
        "bleu.py": b"broken",
        "gone.py": b"",
        "published.json": json.dumps(manifest).encode(),
    }
    hub.spaces["org/bleu"].append(hub.files("bleu") | changes_by_hand)
    hub.files("answer_lens")["screenshot.png"] = b"another"
    capsys.readouterr()
    assert run_publish(program, hub) == ""
    printed = read_changes(capsys)
    assert printed["org/bleu"] == "static changed: bleu.py, published.json; removed: gone.py"
    assert printed["org/answer_lens"] == "gradio changed: screenshot.png"
    files = hub.files("bleu")
    assert files["more.md"] == b"more"
    assert files["bleu.py"] == (METRICS / "bleu" / "bleu.py").read_bytes()
    assert "gone.py" not in files


def test_publishing_with_another_sdk_gives_a_module_its_own_page(program: Any, capsys: Any) -> None:
    hub = Hub()
    assert run_publish(program, hub) == ""
    capsys.readouterr()
    assert run_publish(program, hub, "--sdk", "gradio") == ""
    changes = "gradio new: app.py; changed: README.md, published.json; removed: index.html"
    assert read_changes(capsys)["org/bleu"] == changes
    files = hub.files("bleu")
    assert read_front_matter(files["README.md"].decode())["sdk"] == "gradio"
    assert files["app.py"] == (METRICS / "bleu" / "app.py").read_bytes()


def read_changes(capsys: Any) -> dict[str, str]:
    """Return what the command printed about each Space, with single spaces."""
    changes = {}
    for line in capsys.readouterr().out.splitlines():
        if line.startswith("org/"):
            name, *words = line.split()
            changes[name] = " ".join(words)
    return changes


@pytest.mark.parametrize("is_reachable", [True, False])
def test_a_dry_run_prints_its_plan_and_changes_nothing(
    program: Any, capsys: Any, is_reachable: bool
) -> None:
    hub = Hub()
    if not is_reachable:
        hub.api.space_info.side_effect = ConnectionError("no route")
    assert run_publish(program, hub, "--dry-run", token="") == ""
    printed = capsys.readouterr().out
    plan_of_bleu = r"^org/bleu +static +a new Space: README.md, bleu.py, index.html"
    assert re.search(plan_of_bleu, printed, re.M)
    assert re.search(r"^org/answer_lens +gradio +a new Space: ", printed, re.M)
    says_unreachable = "not be asked" in printed
    assert says_unreachable != is_reachable
    assert not hub.spaces


def test_errors_are_printed_without_secrets_and_the_same_command_resumes(
    program: Any, capsys: Any
) -> None:
    hub = Hub()
    error = f"504 for https://hub.test/x?Signature=presigned with {TOKEN}"
    for step in ("space_info", "create_repo", "create_commit"):
        call = getattr(hub.api, step)
        call.side_effect = HfHubHTTPError(error, response=Mock())
        assert run_publish(program, hub) == "error: 504 for https://hub.test/x with ..."
        call.side_effect = getattr(hub, step)
    message = run_publish(program, hub, failed=["bleu"])
    assert message == "error: 1 of the modules cannot be used: bleu"
    assert len(hub.spaces) == len(NAMES) + 1
    assert not re.search(f"{TOKEN}|presigned", "".join(capsys.readouterr()))


def test_a_foreign_or_private_space_or_a_bad_token_is_refused_before_any_change(
    program: Any,
) -> None:
    hub = Hub()
    hub.spaces["org/rouge"] = [{"rouge.py": b""}]
    assert "it holds rouge.py. Nothing was changed" in run_publish(program, hub)
    hub.private = True
    assert "org/rouge is private" in run_publish(program, hub)
    assert "a character that no token has" in run_publish(program, Hub(), token="\x1b[hf_secret")
    hub.api = HfApi()  # without a token
    assert "`hf auth login`" in run_publish(program, hub, token="")
    assert list(hub.spaces) == ["org/rouge"]


def test_each_module_that_cannot_be_loaded_from_the_hub_is_named(
    program: Any, full_hub: Hub, tmp_path: Path
) -> None:
    repositories = {name: dict(commits[-1]) for name, commits in full_hub.spaces.items()}
    repositories["org/bleu"]["inputs.py"] += b"\nmore = 1\n"
    repositories["org/lv_eval_f1"] = {"README.md": b""}
    script = "import publish; print(publish.load_back('org'))"
    environment = {name: text for name, text in os.environ.items() if not name.startswith("HF_")}
    environment["PYTHONPATH"] = make_search_path("bleu")
    with serve_hub(repositories) as (address, _requests):
        process = subprocess.run(
            [sys.executable, "-c", script],
            cwd=Path(program.__file__).parent,
            env=environment | {"HF_ENDPOINT": address},
            capture_output=True,
            text=True,
        )
    *loaded, failed = process.stdout.splitlines()
    assert failed == "['bleu', 'lv_eval_f1']", process.stderr
    usable = set(NAMES) - {"bleu", "lv_eval_f1"}
    assert sorted(loaded) == sorted(f'evaluate.load("org/{name}"): 0.1.0' for name in usable)
    assert "org/bleu: Refused: its inputs.py is not the one that lies here\n" in process.stderr
    assert "org/lv_eval_f1: FileNotFoundError: " in process.stderr


@pytest.mark.parametrize(
    ("variables", "options"),
    [
        ("ORG=a DRY_RUN=1", '--org "$ORG" --dry-run'),
        ("SDK=x DRY_RUN=0", '--sdk "$SDK"'),
    ],
)
def test_make_publish_passes_only_variables_of_its_command_line_to_the_program(
    variables: str, options: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ORG", "from-the-environment")
    for name in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL"):  # of the `make test` that runs this
        monkeypatch.delenv(name, raising=False)
    process = subprocess.run(
        ["make", "-n", "publish", *variables.split()], cwd=ROOT, capture_output=True, text=True
    )
    printed = " ".join(process.stdout.split())
    assert printed.endswith(f"python spaces/publish.py {options}")
