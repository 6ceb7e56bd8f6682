"""What `make publish` does, against a Hub on loopback: upload, change, upload again, and load as a stranger does."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from tests.support.hub import Fault, SpaceHub
from tests.support.processes import search_path
from tests.support.project import METRICS, NAMES, ROOT, front_matter, load

FEW = ["bleu", "lv_eval_f1"]
# What lies about where people work, and belongs in no Space.
LEFTOVERS = [".env", "__pycache__/x.pyc", "replies.sqlite", "try_out.py", "cache/key.json"]
Files = dict[str, bytes]


@dataclass
class Workplace:
    """A copy of the project, a Hub on loopback, and the command between the two."""

    clone: Path
    hub: SpaceHub
    address: str

    def run(self, command: list[str], folder: Path, **settings: str) -> subprocess.CompletedProcess[str]:
        """Run Python in a folder, with this Hub and none of the tests' own settings for the Hub."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("HF_")}
        caches = {
            "HF_HOME": str(self.clone.parent / "home"),
            "HF_HUB_DISABLE_XET": "1",
            "PYTHONPATH": search_path("bleu"),
        }
        environment = {**kept, **caches, "HF_ENDPOINT": self.address, "HF_UPDATE_DOWNLOAD_COUNTS": "0", **settings}
        return subprocess.run([sys.executable, *command], cwd=folder, env=environment, capture_output=True, text=True)

    def publish(self, *options: str, org: str = "org", **settings: str) -> subprocess.CompletedProcess[str]:
        """Run the command; the token is the Hub's unless another is given. No run prints it, nor any other secret."""
        settings = {"HF_TOKEN": self.hub.token, **settings}
        done = self.run(["spaces/publish.py", "--org", org, *options], self.clone, **settings)
        assert not re.search("hf_secret|presigned|Traceback", done.stdout + done.stderr), done.stderr
        return done

    def demo(self, path: str) -> Path:
        return self.clone / "spaces" / "answer_lens" / path

    def commits(self) -> dict[str, int]:
        """Return how many commits of ours each Space has."""
        return {name.removeprefix("org/"): len(space.commits) - 1 for name, space in self.hub.spaces.items()}


def edit(path: Path, old: str, new: str) -> None:
    """Write something else into a file, once."""
    text, times = re.subn(old, new, path.read_text("utf-8"), count=1)
    assert times == 1
    path.write_text(text, "utf-8")


@contextmanager
def workplace_in(folder: Path, names: list[str]) -> Iterator[Workplace]:
    """Make a fresh copy of some metrics and the demo, in a git repository, with leftovers all over it."""
    clone = folder / "clone"
    for part in ("spaces", *(f"metrics/{name}" for name in names)):
        shutil.copytree(ROOT / part, clone / part, ignore=shutil.ignore_patterns("__pycache__", ".*_cache", ".gradio"))
    for file in ("CITATION.cff", ".gitignore"):
        shutil.copy(ROOT / file, clone)
    for command in (["init", "-q"], ["add", "."]):
        subprocess.run(["git", *command], cwd=clone, check=True)
    for place in (clone / "metrics" / "bleu", clone / "spaces" / "answer_lens"):
        for leftover in LEFTOVERS:
            (place / leftover).parent.mkdir(exist_ok=True)
            (place / leftover).write_text("secret")
    edit(clone / "spaces" / "publish.py", r"PAUSES = (.*), \(5, 20\)", r"PAUSES = \1, (0, 0)")
    hub = SpaceHub()
    with hub.serve() as address:
        yield Workplace(clone, hub, address)


@pytest.fixture
def workplace(tmp_path: Path) -> Iterator[Workplace]:
    """A workplace with a few of the metrics, from which nothing was published yet."""
    with workplace_in(tmp_path, FEW) as place:
        yield place


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Files]]:
    """The files of each Space once all are published; for reading only."""
    with workplace_in(tmp_path_factory.mktemp("published"), NAMES) as place:
        said = place.publish()
        assert said.returncode == 0, said.stderr
        assert said.stdout.count('evaluate.load("org/') == len(NAMES)
        yield {name.removeprefix("org/"): space.files for name, space in place.hub.spaces.items()}


ROWS = {"predictions": ["Between the US and Mexico."], "references": ["Between the US and Canada."]}


def test_upload_change_upload_again_and_load(workplace: Workplace, tmp_path: Path) -> None:
    extra = workplace.demo("more/deep/extra.json")
    extra.parent.mkdir(parents=True)
    extra.write_text("{}")
    subprocess.run(["git", "add", extra], cwd=workplace.clone, check=True)
    first = workplace.publish()
    assert first.returncode == 0, first.stderr
    assert workplace.commits() == dict.fromkeys([*FEW, "answer_lens"], 1)
    assert workplace.hub.spaces["org/answer_lens"].files["more/deep/extra.json"] == b"{}"
    assert 'evaluate.load("org/lv_eval_f1"): 0.1.0' in first.stdout
    assert (
        "Left out of the demo, git does not track it: .env, cache/key.json, replies.sqlite, try_out.py" in first.stdout
    )
    program = f"import evaluate; print(evaluate.load('org/lv_eval_f1').compute(**{ROWS!r}))"
    (tmp_path / "stranger").mkdir()
    done = workplace.run(["-c", program], tmp_path / "stranger", HF_HOME=str(tmp_path / "stranger" / "cache"))
    assert done.stdout == f"{load('lv_eval_f1').compute(**ROWS)}\n", done.stderr

    edit(workplace.clone / "metrics" / "lv_eval_f1" / "lv_eval_f1.py", r"\Z", "\n# One line more.\n")
    subprocess.run(["git", "rm", "-qf", extra], cwd=workplace.clone, check=True)
    second = workplace.publish()
    assert second.returncode == 0, second.stderr
    assert re.search(r"^org/lv_eval_f1 +static +changed: lv_eval_f1.py, published.json$", second.stdout, re.M)
    assert re.search(r"^org/answer_lens +gradio +changed: .*metrics/lv_eval.*; removed: more/deep", second.stdout, re.M)
    assert workplace.commits() == {"bleu": 1, "lv_eval_f1": 2, "answer_lens": 2}
    assert workplace.hub.spaces["org/lv_eval_f1"].files["lv_eval_f1.py"].endswith(b"# One line more.\n")

    shutil.rmtree(workplace.clone / ".git")  # what is no clone has no leftovers, but caches
    for leftover in LEFTOVERS[2:]:
        workplace.demo(leftover).unlink()
    third = workplace.publish()
    assert (third.returncode, third.stdout.count("as it is")) == (0, len(FEW) + 1), third.stdout
    assert workplace.commits() == {"bleu": 1, "lv_eval_f1": 2, "answer_lens": 2}


def test_only_what_belongs_goes_up(published: dict[str, Files]) -> None:
    code = {name: {path.name for path in (METRICS / name).glob("*.py")} - {"app.py", "tests.py"} for name in NAMES}
    for name in NAMES:
        belongs = {".gitattributes", "README.md", "index.html", "published.json", "requirements.txt", "tests.py"}
        assert set(published[name]) == belongs | code[name]
    folder = ROOT / "spaces" / "answer_lens"
    here = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    here = {path for path in here if not re.search(r"(^|/)(\.|__pycache__)", path)} - {"requirements.lock"}
    demo = here | {".gitattributes", "published.json", "pre-requirements.txt"}
    assert set(published["answer_lens"]) == demo | {f"metrics/{name}/{file}" for name in NAMES for file in code[name]}
    for files in published.values():
        assert b"secret" not in files.values()
        sums = json.loads(files["published.json"])["sha256"]
        assert sums.keys() == files.keys() - {".gitattributes", "published.json"}
        assert all(sha256(files[path]).hexdigest() == digest for path, digest in sums.items())


def test_a_card_loads_the_module_from_where_it_stands_and_is_the_page(published: dict[str, Files]) -> None:
    for name in NAMES:
        card, page = (published[name][file].decode() for file in ("README.md", "index.html"))
        assert f'evaluate.load("org/{name}"' in card
        assert not re.search(r'evaluate\.load\("metrics/|from metrics\.|# in a clone', card)
        found = front_matter(card)
        assert (found["sdk"], found["app_file"], "sdk_version" in found) == ("static", "index.html", False)
        assert f"<h1>Metric Card for {name}</h1>" in page
        assert f'evaluate.load("org/{name}")' in page
        assert re.search(r'href="http://127.0.0.1:\d+/spaces/org/answer_lens"', page)
        assert not re.search(r"<script|<!--|\$(name|demo|load|card)", page)


def test_the_published_demo_stands_alone_on_what_is_locked(published: dict[str, Files], tmp_path: Path) -> None:
    files, lock = published["answer_lens"], (ROOT / "spaces" / "answer_lens" / "requirements.lock").read_text("utf-8")
    assert files["pre-requirements.txt"].decode() == lock
    pins = [line for line in files["requirements.txt"].decode().splitlines() if not line.startswith("#")]
    assert pins == re.findall(r"^[\w.-]+==\S+", lock, re.M)
    for path, content in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(content)
    (tmp_path / "rows.csv").write_text("prediction,reference\nin Oslo,in Oslo\n")
    environment = {**os.environ, "HF_HOME": str(tmp_path / "cache"), "PYTHONPATH": search_path("bleu")}
    for command in (["-c", "import app"], ["score.py", "rows.csv", "--metrics", "lv_eval_f1"]):
        done = subprocess.run([sys.executable, *command], cwd=tmp_path, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    assert "1.0" in done.stdout


@pytest.mark.parametrize(
    ("settings", "told"),
    [({}, ""), ({"HF_ENDPOINT": "http://127.0.0.1:9"}, "not be asked"), ({"HF_HUB_OFFLINE": "1"}, "not be asked")],
)
def test_a_dry_run_says_what_it_would_do_and_does_nothing(settings: Any, told: str, workplace: Workplace) -> None:
    said = workplace.publish("--dry-run", **{"HF_TOKEN": "", **settings})
    assert said.returncode == 0, said.stderr
    assert told in said.stdout
    assert re.search(r"^org/bleu +static +a new Space: README.md, bleu.py, index.html", said.stdout, re.M)
    assert re.search(r"^org/answer_lens +gradio +a new Space: ", said.stdout, re.M)
    assert all(request.startswith("GET") for request in workplace.hub.requests)


def nothing(place: Workplace) -> None:
    """All is well at the place."""


# What is wrong at the place, with the command's settings, and what is said of it.
WRONG: dict[str, tuple[Callable[[Workplace], object], dict[str, str], str]] = {
    "no such name": (nothing, {"org": "a/b"}, "'a/b/bleu'"),
    "no token": (nothing, {"HF_TOKEN": ""}, "`hf auth login`"),
    "a wrong token": (nothing, {"HF_TOKEN": "hf_secret"}, "Invalid user token"),
    "something else pasted": (nothing, {"HF_TOKEN": "\x1b[hf_secret"}, "a character that no token has"),
    "not one's own": (nothing, {"org": "strangers"}, "You don't have the rights to create a space"),
    "no network": (nothing, {"HF_ENDPOINT": "http://127.0.0.1:9"}, "refused"),
    "git refuses": (nothing, {"GIT_TEST_ASSUME_DIFFERENT_OWNER": "1"}, "returned non-zero exit status 128"),
    "a file less": (lambda place: place.demo("app.py").unlink(), {}, "spaces/answer_lens/app.py'"),
    "no program": (lambda place: place.demo("app.py").write_text("\nreturn"), {}, "(app.py, line 2)"),
    "someone else's": (lambda place: place.hub.put("org/bleu", {"bleu.py": b""}), {}, "it holds bleu.py"),
    "a list that is none": (lambda place: place.hub.put("org/bleu", {"published.json": b"-"}), {}, "Expecting value"),
    "renamed": (lambda place: place.hub.put("org/bleu", {}, id="org/old"), {}, "org/bleu is org/old on the Hub"),
    "private": (lambda place: place.hub.put("org/bleu", {}, private=True), {}, "org/bleu is private"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_said_and_nothing_is_done(case: str, workplace: Workplace) -> None:
    prepare, settings, message = WRONG[case]
    prepare(workplace)
    before = list(workplace.hub.spaces)
    said = workplace.publish(**settings)
    assert (said.returncode, list(workplace.hub.spaces), sum(workplace.commits().values())) == (1, before, 0)
    assert re.search(rf"^error: .*{re.escape(message)}.*\n\Z", said.stderr, re.M)


FAULTS = {
    "GET api/spaces/org/bleu": (Fault(429), "429"),
    "POST api/repos/create": (Fault(400, b'{"error": "hf_secret0123456789 at x/?a=presigned"}'), r"\.\.\. at x/"),
    "POST api/validate": (Fault(400, b'{"errors": [{"message": "no such color"}]}'), "no such color"),
    "POST .*/commit": (Fault(0), "disconnected"),
    "PUT": (Fault(403), "Error while uploading 'screenshot.png'"),
}


@pytest.mark.parametrize("request_", FAULTS)
def test_what_goes_wrong_at_the_hub_is_said_and_goes_on_with_the_same_command(
    request_: str, workplace: Workplace
) -> None:
    fault, message = FAULTS[request_]
    workplace.hub.faults = {request_: replace(fault)}
    said = workplace.publish()
    assert said.returncode == 1
    assert re.search(rf"^error: .*{message}.*\n\Z", said.stderr, re.M), said.stderr
    assert "answer_lens" not in workplace.commits() or not workplace.commits()["answer_lens"]
    workplace.hub.faults = {}
    assert workplace.publish().returncode == 0
    assert set(workplace.commits().values()) == {1}
    assert "style.css" not in workplace.hub.spaces["org/bleu"].files  # the Hub's own beginning


@pytest.mark.parametrize(("status", "done"), [(504, True), (0, False)])
def test_what_goes_wrong_once_is_tried_again_and_done_once(status: int, done: bool, workplace: Workplace) -> None:
    for step in ("GET .*bleu$", "POST .*create", "f1/preupload", "f1/commit", "PUT"):
        workplace.hub.faults[step] = Fault(status, times=1, done=done)
    said = workplace.publish()
    assert said.returncode == 0, said.stderr
    assert workplace.commits() == dict.fromkeys([*FEW, "answer_lens"], 1)
    assert not any(fault.times for fault in workplace.hub.faults.values())


def test_each_module_that_cannot_be_loaded_back_is_named(workplace: Workplace) -> None:
    workplace.hub.faults = {
        "GET .*bleu/resolve/main/inputs.py": Fault(
            200, (METRICS / "bleu" / "inputs.py").read_bytes() + b"\nmore = 1\n"
        ),
        "GET .*lv_eval_f1/resolve/main/lv_eval_f1.py": Fault(404),
    }
    said = workplace.publish()
    assert said.returncode == 1
    assert "org/bleu: Refused: its inputs.py is not the one that lies here\n" in said.stderr
    assert "org/lv_eval_f1: FileNotFoundError: " in said.stderr
    assert said.stderr.endswith("error: 2 of the modules cannot be used: bleu, lv_eval_f1\n")


def test_metrics_go_up_where_the_demo_needs_a_paid_plan(workplace: Workplace) -> None:
    workplace.hub.paid = False
    said = workplace.publish()
    assert (said.returncode, workplace.commits()) == (1, dict.fromkeys(FEW, 1))
    assert "A paid plan is required" in said.stderr
    assert said.stdout.count('evaluate.load("org/') == len(FEW)


def test_what_others_added_stays_ours_is_put_right_and_the_kind_can_change(workplace: Workplace) -> None:
    workplace.publish()
    space = workplace.hub.spaces["org/bleu"]
    space.commits.append(("by hand", {**space.files, "more.md": b"more", "bleu.py": b"broken"}))
    said = workplace.publish("--sdk", "gradio")
    changes = "new: app.py; changed: README.md, bleu.py, published.json; removed: index.html"
    assert re.search(rf"^org/bleu +gradio +{changes}$", said.stdout, re.M)
    assert space.files["more.md"] == b"more"
    assert front_matter(space.files["README.md"].decode())["sdk"] == "gradio"
    for file in ("bleu.py", "app.py"):
        assert space.files[file] == (METRICS / "bleu" / file).read_bytes()


GIVEN = {"ORG=a-b DRY_RUN=1": ' --org "$ORG" --dry-run', "ORG=a SDK=x DRY_RUN=0": ' --org "$ORG" --sdk "$SDK"', "": ""}


@pytest.mark.parametrize("given", GIVEN)
def test_make_publish_hands_on_what_is_asked(given: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ORG", "from-the-environment")
    for name in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL"):  # of the `make test` that runs this
        monkeypatch.delenv(name, raising=False)
    done = subprocess.run(["make", "-n", "publish", *given.split()], cwd=ROOT, capture_output=True, text=True)
    assert " ".join(done.stdout.split()).endswith(f"python spaces/publish.py{GIVEN[given]}")
