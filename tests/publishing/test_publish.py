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
        for name in (
            "space_info",
            "hf_hub_download",
            "list_repo_commits",
            "create_repo",
            "create_commit",
        ):
            getattr(self.api, name).side_effect = getattr(self, name)

    def space_info(self, repo: str, **options: Any) -> SpaceInfo:
        if repo not in self.spaces:
            raise RepositoryNotFoundError("404", response=Mock())
        siblings = []
        for path, content in self.spaces[repo][-1].items():
            large = {
                "size": len(content),
                "sha256": sha256(content).hexdigest(),
                "pointerSize": 128,
            }
            lfs = {"lfs": large} if path.endswith(".png") else {}
            siblings.append(
                {"rfilename": path, "blobId": git_hash(b"pointer" if lfs else content), **lfs}
            )
        return SpaceInfo(
            id=repo,
            sha=str(len(self.spaces[repo])),
            private=self.private,
            siblings=siblings,
        )

    def hf_hub_download(self, repo: str, path: str, cache_dir: str, **options: Any) -> str:
        (Path(cache_dir) / "found").write_bytes(self.spaces[repo][-1][path])
        return str(Path(cache_dir) / "found")

    def list_repo_commits(self, repo: str, **options: Any) -> list[Any]:
        return [
            Mock(title="initial commit" if i == 0 else "by hand")
            for i, _ in enumerate(self.spaces[repo])
        ][::-1]

    def create_repo(self, repo: str, **options: Any) -> None:
        self.spaces.setdefault(
            repo, [dict.fromkeys([".gitattributes", "README.md", "style.css"], b"new")]
        )

    def create_commit(
        self, repo: str, operations: list[Any], parent_commit: str, **options: Any
    ) -> Any:
        files = dict(self.spaces[repo][-1])
        assert parent_commit == str(len(self.spaces[repo]))
        for one in operations:
            if isinstance(one, CommitOperationAdd):
                files[one.path_in_repo] = one.path_or_fileobj  # type: ignore[assignment]
            else:
                del files[one.path_in_repo]
        self.spaces[repo].append(files)
        return Mock(commit_url=f"https://hub.test/spaces/{repo}/commit/1")

    def files(self, name: str) -> Files:
        return self.spaces[f"org/{name}"][-1]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The module publish.py, in a copy of the project: a git repository with untracked files."""
    clone = tmp_path_factory.mktemp("published") / "clone"
    for part in ("spaces", *(f"metrics/{name}" for name in NAMES)):
        shutil.copytree(
            ROOT / part,
            clone / part,
            ignore=shutil.ignore_patterns("__pycache__", ".*_cache", ".gradio"),
        )
    for file in ("CITATION.cff", ".gitignore"):
        shutil.copy(ROOT / file, clone)
    for command in (["init", "-q"], ["add", "."]):
        subprocess.run(["git", *command], cwd=clone, check=True)
    for place in (clone / "metrics" / "bleu", clone / "spaces" / "answer_lens"):
        for leftover in LEFTOVERS:
            (place / leftover).parent.mkdir(exist_ok=True)
            (place / leftover).write_text("secret")
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
        failed: the modules that loading back reports as unusable; nothing is loaded.
    """
    argv = ["publish.py", "--org", "org", *options]
    with (
        patch.multiple(
            program,
            HfApi=lambda: hub.api,
            get_token=lambda: token,
            load_back=lambda org: list(failed),
        ),
        patch.object(sys, "argv", argv),
    ):
        try:
            program.main()
        except SystemExit as end:
            return str(end)
    return ""


@pytest.fixture(scope="module")
def filled_hub(program: Any) -> Hub:
    """A Hub to which everything was published. Tests must not change it."""
    hub = Hub()
    assert run_publish(program, hub) == ""
    return hub


def test_each_space_gets_its_own_files_and_no_untracked_ones(filled_hub: Hub) -> None:
    code = {
        name: {path.name for path in (METRICS / name).glob("*.py")} - {"app.py", "tests.py"}
        for name in NAMES
    }
    for name in NAMES:
        expected = {
            ".gitattributes",
            "README.md",
            "index.html",
            "published.json",
            "requirements.txt",
            "tests.py",
        }
        assert set(filled_hub.files(name)) == expected | code[name]
    folder = ROOT / "spaces" / "answer_lens"
    here = {path for path in read_files(folder) if not re.search(r"(^|/)(\.|__pycache__)", path)}
    demo = here - {"requirements.lock"} | {
        ".gitattributes",
        "published.json",
        "pre-requirements.txt",
    }
    assert set(filled_hub.files("answer_lens")) == demo | {
        f"metrics/{n}/{file}" for n in NAMES for file in code[n]
    }
    for files in (commits[-1] for commits in filled_hub.spaces.values()):
        assert b"secret" not in files.values()
        sums = json.loads(files["published.json"])["sha256"]
        assert sums.keys() == files.keys() - {".gitattributes", "published.json"}
        assert all(sha256(files[path]).hexdigest() == digest for path, digest in sums.items())


def test_a_published_card_loads_its_module_from_the_hub_and_is_the_page_of_its_space(
    filled_hub: Hub,
) -> None:
    for name in NAMES:
        card, page = (filled_hub.files(name)[file].decode() for file in ("README.md", "index.html"))
        assert f'evaluate.load("org/{name}"' in card
        assert not re.search(r'evaluate\.load\("metrics/|from metrics\.|# in a clone', card)
        found = read_front_matter(card)
        assert found["sdk"] == "static"
        assert found["app_file"] == "index.html"
        assert "sdk_version" not in found
        assert f"<h1>Metric Card for {name}</h1>" in page
        assert f'evaluate.load("org/{name}")' in page
        assert 'href="https://hub.test/spaces/org/answer_lens"' in page
        assert not re.search(r"<script|<!--|\$(name|demo|load|card)", page)


def test_the_published_demo_runs_alone_with_the_locked_requirements(
    filled_hub: Hub, tmp_path: Path
) -> None:
    files = filled_hub.files("answer_lens")
    lock = (ROOT / "spaces/answer_lens/requirements.lock").read_text("utf-8")
    assert files["pre-requirements.txt"].decode() == lock
    pins = [
        line for line in files["requirements.txt"].decode().splitlines() if not line.startswith("#")
    ]
    assert pins == re.findall(r"^[\w.-]+==\S+", lock, re.M)
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
        done = subprocess.run(
            [sys.executable, *command],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
    assert "1.0" in done.stdout


def test_publishing_again_prints_and_mends_differences_and_keeps_files_that_others_added(
    program: Any, capsys: Any
) -> None:
    hub = Hub()
    assert run_publish(program, hub) == ""
    assert (
        "git does not track it: .env, cache/key.json, replies.sqlite, try_out.py"
        in capsys.readouterr().out
    )
    assert run_publish(program, hub) == ""
    assert capsys.readouterr().out.count("as it is") == len(NAMES) + 1
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
    assert run_publish(program, hub) == ""
    printed = capsys.readouterr().out
    assert re.search(
        r"^org/bleu +static +changed: bleu.py, published.json; removed: gone.py$", printed, re.M
    )
    assert re.search(r"^org/answer_lens +gradio +changed: screenshot.png$", printed, re.M)
    assert hub.files("bleu")["more.md"] == b"more"
    assert "gone.py" not in hub.files("bleu")
    assert run_publish(program, hub, "--sdk", "gradio") == ""
    changes = "new: app.py; changed: README.md, published.json; removed: index.html"
    assert re.search(rf"^org/bleu +gradio +{changes}$", capsys.readouterr().out, re.M)
    assert read_front_matter(hub.files("bleu")["README.md"].decode())["sdk"] == "gradio"
    assert all(
        hub.files("bleu")[name] == (METRICS / "bleu" / name).read_bytes()
        for name in ("bleu.py", "app.py")
    )


def test_a_dry_run_prints_its_plan_and_changes_nothing(program: Any, capsys: Any) -> None:
    hub = Hub()
    # The second time, the Hub cannot be reached.
    for message in ("", "not be asked"):
        assert run_publish(program, hub, "--dry-run", token="") == ""
        printed = capsys.readouterr().out
        assert re.search(
            r"^org/bleu +static +a new Space: README.md, bleu.py, index.html", printed, re.M
        )
        assert re.search(r"^org/answer_lens +gradio +a new Space: ", printed, re.M)
        assert message in printed
        hub.api.space_info.side_effect = ConnectionError("no route")
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
    assert (
        run_publish(program, hub, failed=["bleu"]) == "error: 1 of the modules cannot be used: bleu"
    )
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
    program: Any, filled_hub: Hub, tmp_path: Path
) -> None:
    files = {name: commits[-1] for name, commits in filled_hub.spaces.items()}
    files["org/bleu"] = files["org/bleu"] | {
        "inputs.py": files["org/bleu"]["inputs.py"] + b"\nmore = 1\n"
    }
    files["org/lv_eval_f1"] = {"README.md": b""}
    script = "import publish; print(publish.load_back('org'))"
    with serve_hub(files) as (address, _):
        others = {name: value for name, value in os.environ.items() if not name.startswith("HF_")}
        environment = {**others, "HF_ENDPOINT": address, "PYTHONPATH": make_search_path("bleu")}
        folder = Path(program.__file__).parent
        done = subprocess.run(
            [sys.executable, "-c", script],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
        )
    *loaded, failed = done.stdout.splitlines()
    assert failed == "['bleu', 'lv_eval_f1']", done.stderr
    assert 'evaluate.load("org/rouge"): 0.1.0' in loaded
    assert len(loaded) == len(NAMES) - 2
    assert "org/bleu: Refused: its inputs.py is not the one that lies here\n" in done.stderr
    assert "org/lv_eval_f1: FileNotFoundError: " in done.stderr


def test_make_publish_passes_only_variables_of_its_command_line_to_the_program(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("ORG", "from-the-environment")
    for name in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL"):  # of the `make test` that runs this
        monkeypatch.delenv(name, raising=False)
    for variables, expected in {
        "ORG=a DRY_RUN=1": '--org "$ORG" --dry-run',
        "SDK=x DRY_RUN=0": '--sdk "$SDK"',
    }.items():
        done = subprocess.run(
            ["make", "-n", "publish", *variables.split()], cwd=ROOT, capture_output=True, text=True
        )
        assert " ".join(done.stdout.split()).endswith(f"python spaces/publish.py {expected}")
