"""What `make publish` does, against a Hub on loopback: upload, change, upload again, and load as a stranger does."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import pytest

from tests.hub import SpaceHub
from tests.processes import search_path
from tests.project import METRICS, NAMES, ROOT, front_matter, load

LIGHT = search_path("bleu")  # no module is scored that needs more
FEW = ["bleu", "lv_eval_f1", "rouge"]
MODULE = {"README.md", "checked.py", "index.html", "published.json", "requirements.txt", "tests.py"}
# What lies about where people work, and belongs in no Space.
LEFTOVERS = [
    ".env", ".DS_Store", "__pycache__/x.pyc", ".pytest_cache/x", "replies.sqlite", "notes.md~", "scored.csv",
    "try_out.py", "cache/key.json",
]  # fmt: skip


@dataclass
class Workplace:
    """A copy of the project, a Hub on loopback, and the command between the two."""

    folder: Path
    hub: SpaceHub
    address: str

    def publish(
        self, *arguments: str, token: str | None = None, **environment: str
    ) -> subprocess.CompletedProcess[str]:
        """Run the command; the token is the Hub's unless another is given."""
        token = self.hub.token if token is None else token
        settings = {"HF_HOME": str(self.folder / "home"), "HF_HUB_DISABLE_XET": "1", "HF_TOKEN": token, **environment}
        return self.run(["publish.py", *arguments], self.folder / "clone", settings)

    def run(self, command: list[str], folder: Path, settings: dict[str, str]) -> subprocess.CompletedProcess[str]:
        """Run Python in a folder with this Hub, and with none of the tests' own settings for the Hub."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("HF_")}
        environment = {**kept, "HF_ENDPOINT": self.address, "PYTHONPATH": LIGHT, **settings}
        return subprocess.run([sys.executable, *command], cwd=folder, env=environment, capture_output=True, text=True)

    def commits(self) -> dict[str, int]:
        """Return how many commits of ours each Space has."""
        return {name: len(space.commits) - 1 for name, space in self.hub.spaces.items()}


@contextmanager
def workplace_in(folder: Path, names: list[str]) -> Iterator[Workplace]:
    """Make a fresh copy of some metrics and the demo, in a git repository, with leftovers all over it."""
    clone = folder / "clone"
    caches = shutil.ignore_patterns("__pycache__", ".*_cache", ".gradio")
    for part in ("spaces", *(f"metrics/{name}" for name in names)):
        shutil.copytree(ROOT / part, clone / part, ignore=caches)
    for file in ("publish.py", "CITATION.cff", ".gitignore"):
        shutil.copy(ROOT / file, clone)
    for command in (["init", "-q"], ["add", "."]):
        subprocess.run(["git", *command], cwd=clone, check=True)
    for place in (clone / "metrics" / "bleu", clone / "spaces" / "answer_lens"):
        for leftover in LEFTOVERS:
            (place / leftover).parent.mkdir(exist_ok=True)
            (place / leftover).write_text("secret")
        (place / "link.py").symlink_to("/etc/hostname")
    hub = SpaceHub()
    with hub.serve() as address:
        yield Workplace(folder, hub, address)


@pytest.fixture
def workplace(tmp_path: Path) -> Iterator[Workplace]:
    """A workplace with a few of the metrics, from which nothing was published yet."""
    with workplace_in(tmp_path, FEW) as place:
        yield place


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, dict[str, bytes]]]:
    """The files of each Space once all are published; for reading only."""
    with workplace_in(tmp_path_factory.mktemp("published"), NAMES) as place:
        said = place.publish("--org", "org")
        assert said.returncode == 0, said.stderr
        assert said.stdout.count('evaluate.load("org/') == len(NAMES)
        yield {name: space.files for name, space in place.hub.spaces.items()}


ROWS = {
    "predictions": ["The falls lie between the United States and Mexico.", "He was born in Paris."],
    "references": ["The falls lie between the United States and Canada.", "She was born in Paris."],
    "answer_keywords": ["Canada", "Paris"],
}


def stranger(workplace: Workplace, program: str, folder: Path) -> str:
    """Run a program in an empty folder with an empty cache and without a token; return what it prints."""
    folder.mkdir()
    settings = {"HF_HOME": str(folder / "cache"), "HF_UPDATE_DOWNLOAD_COUNTS": "0"}
    done = workplace.run(["-c", program], folder, settings)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def test_upload_change_upload_again_and_load(workplace: Workplace, tmp_path: Path) -> None:
    first = workplace.publish("--org", "org")
    assert first.returncode == 0, first.stderr
    assert workplace.commits() == {f"org/{name}": 1 for name in [*FEW, "answer_lens"]}
    for name in FEW:
        assert f'evaluate.load("org/{name}"): 0.1.0' in first.stdout
    program = f"import evaluate; print(evaluate.load('org/lv_eval_f1').compute(**{ROWS!r}))"
    assert stranger(workplace, program, tmp_path / "stranger") == f"{load('lv_eval_f1').compute(**ROWS)}\n"

    module = workplace.folder / "clone" / "metrics" / "lv_eval_f1" / "lv_eval_f1.py"
    module.write_text(module.read_text("utf-8") + "\n# One line more.\n", "utf-8")
    (workplace.folder / "clone" / "spaces" / "answer_lens" / "survey.py").unlink()
    second = workplace.publish("--org", "org")
    assert second.returncode == 0, second.stderr
    assert re.search(r"^org/lv_eval_f1 +static +changed: lv_eval_f1.py, published.json$", second.stdout, re.M)
    assert re.search(r"org/answer_lens +gradio +changed: .*metrics/lv_eval_f1.*; removed: survey.py", second.stdout)
    assert workplace.commits() == {
        **{f"org/{name}": 1 for name in FEW}, "org/lv_eval_f1": 2, "org/answer_lens": 2,
    }  # fmt: skip
    assert workplace.hub.spaces["org/lv_eval_f1"].files["lv_eval_f1.py"] == module.read_bytes()

    third = workplace.publish("--org", "org")
    assert (third.returncode, third.stdout.count("as it is")) == (0, len(FEW) + 1)
    assert sum(workplace.commits().values()) == len(FEW) + 3
    assert workplace.hub.token not in "".join(run.stdout + run.stderr for run in (first, second, third))


def test_only_what_belongs_goes_up(published: dict[str, dict[str, bytes]]) -> None:
    for name in NAMES:
        judge = {"llm_client.py"} if (METRICS / name / "llm_client.py").exists() else set()
        assert set(published[f"org/{name}"]) == MODULE | {f"{name}.py", ".gitattributes"} | judge
    demo = set(published["org/answer_lens"]) - {".gitattributes", "published.json"}
    folder = ROOT / "spaces" / "answer_lens"
    tracked = subprocess.run(["git", "ls-files"], cwd=folder, capture_output=True, text=True).stdout.split()
    up = {*tracked} - {"requirements.lock"} | {"pre-requirements.txt"}
    assert {path for path in demo if not path.startswith("metrics/")} == up
    assert {path for path in demo if path.endswith("/bleu.py")} == {"metrics/bleu/bleu.py"}
    assert not any(content == b"secret" for files in published.values() for content in files.values())
    for files in published.values():
        manifest = json.loads(files["published.json"])
        assert manifest["sha256"] == {
            path: sha256(content).hexdigest()
            for path, content in files.items()
            if path not in (".gitattributes", "published.json")
        }


def test_the_demo_installs_what_is_locked(published: dict[str, dict[str, bytes]]) -> None:
    lock = (ROOT / "spaces" / "answer_lens" / "requirements.lock").read_bytes()
    assert published["org/answer_lens"]["pre-requirements.txt"] == lock
    pins = published["org/answer_lens"]["requirements.txt"].decode().splitlines()
    assert [line for line in lock.decode().splitlines() if line.startswith("#")] == pins[:2]
    assert pins[2:] == re.findall(r"^[\w.-]+==\S+", lock.decode(), re.M)


def test_the_published_demo_stands_alone(published: dict[str, dict[str, bytes]], tmp_path: Path) -> None:
    for path, content in published["org/answer_lens"].items():
        (tmp_path / "app" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "app" / path).write_bytes(content)
    program = "import app, scoring\nfor name in scoring.METRICS: print(scoring.loaded_class(name.name)().name)\n"
    environment = {**os.environ, "HF_HOME": str(tmp_path / "cache"), "PYTHONPATH": LIGHT}
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path / "app", env=environment, capture_output=True, text=True
    )
    assert sorted(done.stdout.split()) == sorted(set(NAMES) - {"judge_bias", "reward_accuracy"}), done.stderr


def test_the_kind_of_a_space_can_change(workplace: Workplace) -> None:
    workplace.publish("--org", "org")
    static = workplace.hub.spaces["org/bleu"].files
    assert workplace.hub.spaces["org/bleu"].sdk == "static"
    found = front_matter(static["README.md"].decode())
    assert (found["sdk"], found["app_file"], "sdk_version" in found) == ("static", "index.html", False)
    assert workplace.publish("--org", "org", "--sdk", "gradio").returncode == 0
    gradio = workplace.hub.spaces["org/bleu"].files
    assert front_matter(gradio["README.md"].decode())["sdk"] == "gradio"
    assert gradio["app.py"] == (METRICS / "bleu" / "app.py").read_bytes()
    assert "index.html" not in gradio


def test_cards_load_the_module_from_where_they_stand(published: dict[str, dict[str, bytes]]) -> None:
    for name in NAMES:
        card = published[f"org/{name}"]["README.md"].decode()
        assert f'evaluate.load("org/{name}"' in card
        assert 'evaluate.load("metrics/' not in card
        assert "from metrics." not in card
        assert "# in a clone" not in card


def test_a_dry_run_says_what_it_would_do_and_does_nothing(workplace: Workplace) -> None:
    said = workplace.publish("--org", "org", "--dry-run", token="")
    assert said.returncode == 0, said.stderr
    assert re.search(r"^org/rouge +static +a new Space: README.md, checked.py, index.html", said.stdout, re.M)
    assert "not uploaded, git does not know it: metrics/bleu/replies.sqlite" in said.stdout
    assert workplace.hub.spaces == {}
    assert {request.split()[0] for request in workplace.hub.requests} <= {"GET", "HEAD"}


@pytest.mark.parametrize("token", ["", "hf_any"])
def test_a_dry_run_goes_on_where_the_hub_cannot_be_reached(token: str, workplace: Workplace) -> None:
    said = workplace.publish("--org", "org", "--dry-run", token=token, HF_ENDPOINT="http://127.0.0.1:9")
    assert said.returncode == 0, said.stderr
    assert "could not be asked" in said.stdout
    assert "org/answer_lens" in said.stdout


def test_the_plan_is_said_before_anything_is_done(workplace: Workplace) -> None:
    workplace.hub.organisation = "another"
    said = workplace.publish("--org", "org")
    assert said.stdout.count("a new Space") == len(FEW) + 1
    assert workplace.hub.spaces == {}


WRONG = {
    "no name": ([], {}, "make publish ORG=name"),
    "no such name": (["--org", "a/b"], {}, "'a/b' is no name of an organisation"),
    "no token": (["--org", "org"], {"token": ""}, "there is no token: log in with `hf auth login`, or set HF_TOKEN"),
    "a wrong token": (["--org", "org"], {"token": "hf_wrong"}, "the Hub does not accept the token"),
    "something else pasted": (["--org", "org"], {"token": "hf_schlüssel"}, "the token holds a character that no token"),
    "not one's own": (["--org", "strangers"], {}, "may not write there: is it of a member of strangers"),
    "no network": (["--org", "org"], {"HF_ENDPOINT": "http://127.0.0.1:9"}, "refused"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_missing_is_said_in_a_line(case: str, workplace: Workplace) -> None:
    arguments, settings, message = WRONG[case]
    said = workplace.publish(*arguments, **settings)
    assert (said.returncode, workplace.hub.spaces) == (1, {})
    assert message in said.stderr
    assert "Traceback" not in said.stderr
    assert (settings.get("token") or workplace.hub.token) not in said.stdout + said.stderr


def test_metrics_go_up_where_the_demo_needs_a_paid_plan(workplace: Workplace) -> None:
    workplace.hub.paid = False
    said = workplace.publish("--org", "org")
    assert said.returncode == 1
    assert "new Gradio Spaces need one" in said.stderr
    assert set(workplace.hub.spaces) == {f"org/{name}" for name in FEW}
    workplace.hub.paid = True
    assert workplace.publish("--org", "org").returncode == 0
    assert set(workplace.commits().values()) == {1}


def test_a_space_that_someone_else_made_stays_as_it_is(workplace: Workplace) -> None:
    workplace.hub.put("org/bleu", {"README.md": b"mine", "bleu.py": b"mine"})
    said = workplace.publish("--org", "org")
    assert (said.returncode, len(workplace.hub.spaces)) == (1, 1)
    assert "org/bleu is there already and was not made by `make publish`: it holds bleu.py" in said.stderr
    assert workplace.commits() == {"org/bleu": 0}


def test_a_space_made_while_this_runs_stays_as_it_is(workplace: Workplace) -> None:
    workplace.hub.late = {"org/bleu": {"bleu.py": b"mine"}}
    said = workplace.publish("--org", "org")
    assert (said.returncode, workplace.commits()) == (1, {"org/bleu": 0})
    assert "the name is taken: by a Space that was made while this ran" in said.stderr


def test_a_space_that_was_renamed_is_made_anew(workplace: Workplace) -> None:
    workplace.hub.put("org/old_bleu", {"bleu.py": b"mine"})
    workplace.hub.moved = {"org/bleu": "org/old_bleu"}
    assert workplace.publish("--org", "org").returncode == 0
    assert workplace.commits() == {"org/old_bleu": 0, **{f"org/{name}": 1 for name in [*FEW, "answer_lens"]}}


@pytest.mark.parametrize(
    ("kind", "message"),
    [("private", "org/bleu is private: nobody else could load it"), ("disabled", "the Hub has disabled this Space")],
)
def test_a_space_that_nobody_could_load_is_said_before_anything_is_done(
    kind: str, message: str, workplace: Workplace
) -> None:
    workplace.hub.put("org/bleu", {"README.md": b""})
    getattr(workplace.hub, kind).add("org/bleu")
    said = workplace.publish("--org", "org")
    assert (said.returncode, workplace.commits()) == (1, {"org/bleu": 0})
    assert message in said.stderr


def test_a_publishing_that_was_broken_off_goes_on(workplace: Workplace) -> None:
    workplace.hub.broken = 1
    first = workplace.publish("--org", "org")
    assert (first.returncode, workplace.commits()) == (1, {"org/bleu": 0})
    assert "Traceback" not in first.stderr
    assert workplace.publish("--org", "org").returncode == 0
    assert set(workplace.commits().values()) == {1}
    assert "style.css" not in workplace.hub.spaces["org/bleu"].files  # the Hub's own beginning


@pytest.mark.parametrize("content", [b"no JSON", b"[]", b"null", b'{"project": "Answer Lens"}', b"\xff"])
def test_a_list_of_what_was_published_that_is_none_is_said(content: bytes, workplace: Workplace) -> None:
    workplace.hub.put("org/bleu", {"bleu.py": b"mine", "published.json": content})
    said = workplace.publish("--org", "org")
    assert (said.returncode, workplace.commits()) == (1, {"org/bleu": 0})
    assert "org/bleu: published.json there is not what `make publish` wrote" in said.stderr
    assert "Traceback" not in said.stderr


def test_what_others_added_to_a_space_stays(workplace: Workplace) -> None:
    workplace.publish("--org", "org")
    space = workplace.hub.spaces["org/bleu"]
    space.commits.append(("by hand", {**space.files, "more.md": b"more", "bleu.py": b"broken"}))
    said = workplace.publish("--org", "org")
    assert re.search(r"org/bleu +static +changed: bleu.py$", said.stdout, re.M)
    assert space.files["more.md"] == b"more"
    assert space.files["bleu.py"] == (METRICS / "bleu" / "bleu.py").read_bytes()


def test_a_hub_that_tells_no_hashes_gets_no_commit_twice(workplace: Workplace) -> None:
    workplace.hub.blobs = False
    workplace.publish("--org", "org")
    assert "changed" not in workplace.publish("--org", "org").stdout
    assert set(workplace.commits().values()) == {1}


def test_a_link_in_place_of_a_file_is_refused(workplace: Workplace) -> None:
    checked = workplace.folder / "clone" / "metrics" / "rouge" / "checked.py"
    checked.unlink()
    checked.symlink_to("../bleu/checked.py")
    said = workplace.publish("--org", "org")
    assert (said.returncode, workplace.hub.spaces) == (1, {})
    assert "metrics/rouge/checked.py is a link" in said.stderr


def test_a_linked_folder_is_refused(workplace: Workplace, tmp_path: Path) -> None:
    folder = workplace.folder / "clone" / "metrics" / "rouge"
    folder.rename(tmp_path / "rouge")
    folder.symlink_to(tmp_path / "rouge")
    said = workplace.publish("--org", "org")
    assert (said.returncode, workplace.hub.spaces) == (1, {})
    assert "metrics/rouge/README.md is a link" in said.stderr


def test_where_git_refuses_nothing_is_guessed(workplace: Workplace) -> None:
    said = workplace.publish("--org", "org", GIT_TEST_ASSUME_DIFFERENT_OWNER="1")
    assert (said.returncode, workplace.hub.spaces) == (1, {})
    assert "git does not say which files belong: fatal: detected dubious ownership" in said.stderr


def test_a_metric_that_git_does_not_know_goes_up_and_is_named(workplace: Workplace) -> None:
    clone = workplace.folder / "clone"
    shutil.copytree(clone / "metrics" / "rouge", clone / "metrics" / "new")
    (clone / "metrics" / "new" / "rouge.py").rename(clone / "metrics" / "new" / "new.py")
    said = workplace.publish("--org", "org", "--dry-run")
    assert "goes up, git does not know it: metrics/new/new.py" in said.stdout
    assert "not uploaded, git does not know it: metrics/bleu/scored.csv" in said.stdout


def test_metadata_that_the_hub_refuses_is_said(workplace: Workplace) -> None:
    card = workplace.folder / "clone" / "metrics" / "rouge" / "README.md"
    card.write_text(re.sub("colorTo: .*", "colorTo: beige", card.read_text("utf-8")), "utf-8")
    said = workplace.publish("--org", "org")
    assert said.returncode == 1
    assert "org/rouge: Invalid metadata" in said.stderr
    assert "colorTo" in said.stderr


def test_the_page_of_a_static_space_shows_the_card(published: dict[str, dict[str, bytes]]) -> None:
    for name in NAMES:
        page = published[f"org/{name}"]["index.html"].decode()
        assert f"<h1>Metric Card for {name}</h1>" in page
        assert re.search(r'href="http://127.0.0.1:\d+/spaces/org/answer_lens"', page)
        assert f'evaluate.load("org/{name}")' in page
        assert "<script" not in page
        assert "<!--" not in page.partition("<body>")[2]
        assert re.findall(r"\$\w+", page.partition("<main>")[0]) == []


@pytest.mark.parametrize(
    ("given", "arguments"),
    [
        (["ORG=a-b", "DRY_RUN=1"], ' --org "$ORG" --dry-run'),
        (["ORG=a-b", "SDK=gradio", "DRY_RUN=0"], ' --org "$ORG" --sdk "$SDK"'),
        ([], ""),
    ],
)
def test_make_publish_hands_on_what_is_asked(given: list[str], arguments: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ORG", "from-the-environment")
    for name in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL"):  # of the `make test` that runs this
        monkeypatch.delenv(name, raising=False)
    done = subprocess.run(["make", "-n", "publish", *given], cwd=ROOT, capture_output=True, text=True)
    said = " ".join(done.stdout.split())
    assert said.endswith(f"python publish.py{arguments}")


def test_without_git_the_same_goes_up(workplace: Workplace) -> None:
    workplace.publish("--org", "org")
    shutil.rmtree(workplace.folder / "clone" / ".git")
    for leftover in ("try_out.py", "link.py"):  # without git any module might belong
        (workplace.folder / "clone" / "spaces" / "answer_lens" / leftover).unlink()
    said = workplace.publish("--org", "org", "--dry-run")
    assert said.stdout.count("as it is") == len(FEW) + 1, said.stdout
