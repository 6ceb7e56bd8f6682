"""What `make publish` does, against a Hub on loopback: upload, change, upload again, and load as a stranger does."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

import pytest

import publish
from tests.support.hub import Fault, SpaceHub
from tests.support.processes import search_path
from tests.support.project import METRICS, NAMES, ROOT, front_matter, load

LIGHT = search_path("bleu")  # no module is scored that needs more
FEW = ["bleu", "lv_eval_f1", "rouge"]
MODULE = {"README.md", "index.html", "published.json", "requirements.txt", "tests.py"}
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
        return self.run(["publish.py", *arguments], self.clone, settings)

    def run(self, command: list[str], folder: Path, settings: dict[str, str]) -> subprocess.CompletedProcess[str]:
        """Run Python in a folder with this Hub."""
        environment = self.environment(settings)
        return subprocess.run([sys.executable, *command], cwd=folder, env=environment, capture_output=True, text=True)

    def environment(self, settings: dict[str, str]) -> dict[str, str]:
        """Return the variables with this Hub, and with none of the tests' own settings for the Hub."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("HF_")}
        return {**kept, "HF_ENDPOINT": self.address, "PYTHONPATH": LIGHT, **settings}

    @property
    def clone(self) -> Path:
        return self.folder / "clone"

    def commits(self) -> dict[str, int]:
        """Return how many commits of ours each Space has."""
        return {name: len(space.commits) - 1 for name, space in self.hub.spaces.items()}


def edit(path: Path, old: str, new: str) -> None:
    """Write something else into a file, once."""
    text, times = re.subn(old, new, path.read_text("utf-8"), count=1)
    assert times == 1
    path.write_text(text, "utf-8")


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
    edit(clone / "publish.py", r"PAUSES, LONGEST = .*", "PAUSES, LONGEST = (0, 0), 30")
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
    survey, extra = (
        workplace.clone / "spaces" / "answer_lens" / name for name in ("tables/first_reading.py", "extra.py")
    )
    extra.write_text("")
    subprocess.run(["git", "add", extra], cwd=workplace.clone, check=True)
    edit(survey, "\nimport ", "\nimport extra\nimport ")
    first = workplace.publish("--org", "org")
    assert first.returncode == 0, first.stderr
    assert workplace.commits() == {f"org/{name}": 1 for name in [*FEW, "answer_lens"]}
    for name in FEW:
        assert f'evaluate.load("org/{name}"): 0.1.0' in first.stdout
    program = f"import evaluate; print(evaluate.load('org/lv_eval_f1').compute(**{ROWS!r}))"
    assert stranger(workplace, program, tmp_path / "stranger") == f"{load('lv_eval_f1').compute(**ROWS)}\n"

    module = workplace.clone / "metrics" / "lv_eval_f1" / "lv_eval_f1.py"
    module.write_text(module.read_text("utf-8") + "\n# One line more.\n", "utf-8")
    edit(survey, "import extra\n", "")
    extra.unlink()
    second = workplace.publish("--org", "org")
    assert second.returncode == 0, second.stderr
    assert re.search(r"^org/lv_eval_f1 +static +changed: lv_eval_f1.py, published.json$", second.stdout, re.M)
    assert re.search(r"org/answer_lens +gradio +changed: .*metrics/lv_eval_f1.*; removed: extra.py", second.stdout)
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
        code = {path.name for path in (METRICS / name).glob("*.py")} - {"app.py", "tests.py"}
        assert set(published[f"org/{name}"]) == MODULE | {".gitattributes"} | code
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
    assert re.search(
        r"^org/rouge +static +a new Space: README.md, chinese_words.py, index.html, inputs.py", said.stdout, re.M
    )
    assert "not uploaded, git does not know it: metrics/bleu/replies.sqlite" in said.stdout
    assert workplace.hub.spaces == {}
    assert {request.split()[0] for request in workplace.hub.requests} <= {"GET", "HEAD"}


@pytest.mark.parametrize("settings", [{"token": ""}, {"token": "hf_any"}, {"HF_HUB_OFFLINE": "1"}])
def test_a_dry_run_goes_on_where_the_hub_cannot_be_reached(settings: dict[str, str], workplace: Workplace) -> None:
    said = workplace.publish("--org", "org", "--dry-run", **{"HF_ENDPOINT": "http://127.0.0.1:9", **settings})
    assert said.returncode == 0, said.stderr
    assert "could not be asked" in said.stdout
    assert "org/answer_lens" in said.stdout


def test_the_plan_is_said_before_anything_is_done(workplace: Workplace) -> None:
    workplace.hub.organisation = "another"
    said = workplace.publish("--org", "org")
    assert said.stdout.count("a new Space") == len(FEW) + 1
    assert workplace.hub.spaces == {}


PICTURE = str(ROOT / "spaces" / "answer_lens" / "screenshot.png")
WRONG = {
    "no name": ([], {}, "make publish ORG=name"),
    "no such name": (["--org", "a/b"], {}, "'a/b' is no name of an organisation"),
    "no token": (["--org", "org"], {"token": ""}, "there is no token: log in with `hf auth login`, or set HF_TOKEN"),
    "a wrong token": (["--org", "org"], {"token": "hf_wrong"}, "the Hub does not accept the token"),
    "something else pasted": (["--org", "org"], {"token": "hf_schlüssel"}, "the token holds a character that no token"),
    "not one's own": (["--org", "strangers"], {}, "may not write there: is it of a member of strangers"),
    "a token file that is none": (
        ["--org", "org"],
        {"token": "", "HF_TOKEN_PATH": PICTURE},
        f"{PICTURE} holds no token",
    ),
    "no network": (["--org", "org"], {"HF_ENDPOINT": "http://127.0.0.1:9"}, "refused"),
    "a password": (["--org", "org"], {"HF_ENDPOINT": "http://me:secret@127.0.0.1:9"}, "HF_ENDPOINT must be an address"),
    "a query": (["--org", "org"], {"HF_ENDPOINT": "http://127.0.0.1:9?key=secret"}, "HF_ENDPOINT must be an address"),
    "no address": (["--org", "org"], {"HF_ENDPOINT": "http://me:secret@[bad"}, "HF_ENDPOINT must be an address"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_missing_is_said_in_a_line(case: str, workplace: Workplace) -> None:
    arguments, settings, message = WRONG[case]
    said = workplace.publish(*arguments, **settings)
    assert (said.returncode, workplace.hub.spaces) == (1, {})
    assert message in said.stderr
    in_a_line(said)
    assert (settings.get("token") or workplace.hub.token) not in said.stdout + said.stderr


def in_a_line(said: subprocess.CompletedProcess[str]) -> None:
    """Check that a run ended in words, and that they hold no secret."""
    assert (said.returncode, said.stderr.count("\n"), said.stderr[:7]) == (1, 1, "error: "), said.stderr
    assert not re.search("hf_secret|me:|=secret|presigned", said.stdout + said.stderr)


def renamed(folder: Path) -> None:
    (folder / "rouge.py").rename(folder / "naïve.py")
    folder.rename(folder.with_name("naïve"))


SPOILT: dict[str, tuple[str, Callable[[Path], object], str]] = {
    "no program": ("spaces/answer_lens/app.py", Path.unlink, "spaces/answer_lens/app.py is missing"),
    "a module less": ("spaces/answer_lens/survey.py", Path.unlink, "spaces/answer_lens/survey.py is missing"),
    "a module that git does not know": (
        "spaces/answer_lens/survey.py",
        lambda path: edit(path, "\ndef ", "\ndef more() -> None:\n    import try_out\n\n\ndef "),
        "git does not track try_out.py in spaces/answer_lens: `git add` it first",
    ),
    "a demo that git does not know": (
        "spaces/answer_lens",
        lambda path: subprocess.run(["git", "rm", "-rq", "--cached", "."], cwd=path, check=True),
        "git tracks nothing in spaces/answer_lens: `git add` it first",
    ),
    "no Python": (
        "metrics/rouge/rouge.py", lambda path: path.write_text("import re\n)(\n"),
        "metrics/rouge/rouge.py, line 2 is no Python: unmatched ')'",
    ),
    "no Python in the demo": (
        "spaces/answer_lens/notes.py", lambda path: path.write_text("\n\nreturn\n"),
        "spaces/answer_lens/notes.py, line 3 is no Python: 'return' outside function",
    ),
    "no identifier": ("metrics/rouge", renamed, "metrics/naïve: rename it"),
    "no UTF-8": (
        "metrics/rouge/README.md", lambda path: path.write_bytes(b"---\nsdk: gradio\n---\n\xff"),
        "metrics/rouge/README.md is not UTF-8: invalid start byte at byte 20",
    ),
    "other metadata": (
        "metrics/rouge/README.md", lambda path: edit(path, "sdk: gradio", 'sdk: "gradio"'),
        "metrics/rouge/README.md must hold the line `sdk: gradio` once, and holds it 0 times",
    ),
    "no version": ("CITATION.cff", lambda path: path.write_text("title: x\n"), "CITATION.cff names no version"),
}  # fmt: skip


@pytest.mark.parametrize("case", SPOILT)
def test_what_would_not_work_is_refused(case: str, workplace: Workplace, monkeypatch: pytest.MonkeyPatch) -> None:
    path, spoil, message = SPOILT[case]
    spoil(workplace.clone / path)
    for name, folder in {"ROOT": "", "METRICS": "metrics", "DEMO": "spaces/answer_lens"}.items():
        monkeypatch.setattr(publish, name, workplace.clone / folder)
    with pytest.raises(publish.Refused, match=re.escape(message)):
        publish.spaces("org", "static", "http://hub", publish.project_version())


PAGE = b"<!doctype html><h1>Please log in</h1>"
TOLD = b'{"error": "hf_secret0123456789 at http://me:secret@x/?a=secret"}'
BUSY, NO_JSON = "the Hub is busy or asks to wait; the same command goes on from there", "the Hub's answer is no JSON"
FAULTS = {
    "GET api/whoami": (Fault(500, PAGE), f"org: {BUSY}"),
    "GET api/spaces/org/bleu": (Fault(429, headers={"Retry-After": "3600"}, times=1), f"org/bleu: {BUSY}"),
    "POST api/repos/create": (Fault(503), f"org/bleu: {BUSY}"),
    "POST api/validate-yaml": (Fault(502, PAGE), f"org/bleu: {BUSY}"),
    "POST .*/preupload": (Fault(500), f"org/bleu: {BUSY}"),
    "POST .*/commit": (Fault(504, PAGE), f"org/bleu: {BUSY}"),
    "GET api/spaces/org/.*": (Fault(200, b'{"id": "org/'), f"org/bleu: {NO_JSON}"),
    "POST api/validate.*": (Fault(200, PAGE), f"org/bleu: {NO_JSON}"),
    "POST api/repos/.*": (Fault(200, b"[]"), "org/bleu: the Hub's answer is not what it should be (TypeError"),
    "GET api/who.*": (Fault(200, b"[]"), "the Hub does not say whose token this is"),
    "POST api/repos.*": (Fault(400, TOLD), "org/bleu: Bad request: ... at http://x/"),
}


@pytest.mark.parametrize("request_", FAULTS)
def test_what_goes_wrong_at_the_hub_is_said_in_a_line(request_: str, workplace: Workplace) -> None:
    fault, message = FAULTS[request_]
    workplace.hub.faults[request_] = replace(fault)
    said = workplace.publish("--org", "org")
    in_a_line(said)
    assert f"error: {message}" in said.stderr
    assert not sum(workplace.commits().values())


@pytest.mark.parametrize(("status", "done"), [(504, True), (0, False)])
def test_what_goes_wrong_once_is_tried_again_and_done_once(status: int, done: bool, workplace: Workplace) -> None:
    # At most two of them at one Space: so often is it asked again.
    for step in ("whoami", "GET .*bleu$", "POST .*create", "bleu/commit", "rouge/pre", "rouge/commit", "PUT"):
        workplace.hub.faults[step] = Fault(status, times=1, done=done)
    said = workplace.publish("--org", "org")
    assert said.returncode == 0, said.stderr
    assert workplace.commits() == {f"org/{name}": 1 for name in [*FEW, "answer_lens"]}
    assert not any(fault.times for fault in workplace.hub.faults.values())


def test_a_hub_that_never_answers_is_given_up(workplace: Workplace) -> None:
    edit(workplace.clone / "publish.py", "SILENCE = 60", "SILENCE = 1")
    workplace.hub.faults["whoami"] = Fault(200, silence=20)
    said = workplace.publish("--org", "org")
    in_a_line(said)
    assert "org: the Hub did not answer for 1 s" in said.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no other process a Ctrl-C")
def test_whoever_stops_it_reads_one_line(workplace: Workplace) -> None:
    workplace.hub.faults["whoami"] = Fault(200, silence=20)
    environment = workplace.environment({"HF_TOKEN": workplace.hub.token, "HF_HOME": str(workplace.folder / "home")})
    command = [sys.executable, "publish.py", "--org", "org"]
    with subprocess.Popen(command, cwd=workplace.clone, env=environment, stderr=subprocess.PIPE, text=True) as process:
        while process.poll() is None and "GET api/whoami-v2" not in workplace.hub.requests:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        said = process.communicate()[1]
    assert (process.returncode, said) == (130, "\nstopped; the same command goes on from there\n")


def test_a_large_file_that_is_not_taken_is_said_in_a_line(workplace: Workplace) -> None:
    workplace.hub.faults["PUT"] = Fault(403, b"<Error>SignatureDoesNotMatch</Error>")
    said = workplace.publish("--org", "org")
    in_a_line(said)
    assert "org/answer_lens: Error while uploading 'screenshot.png' to the Hub. 403 Forbidden" in said.stderr


def test_each_module_that_cannot_be_loaded_back_is_named(workplace: Workplace) -> None:
    another = (METRICS / "bleu" / "inputs.py").read_bytes() + b"\nmore = 1\n"
    workplace.hub.faults = {
        "GET .*bleu/resolve/main/inputs.py": Fault(200, another),
        "HEAD .*lv_eval_f1/resolve/main/lv_eval_f1.py": Fault(500, times=2),
        "HEAD .*rouge/resolve/main/rouge.py": Fault(404),
    }
    said = workplace.publish("--org", "org")
    assert said.returncode == 1
    assert "org/bleu was loaded, but its inputs.py is not the one that lies here" in said.stderr
    assert 'evaluate.load("org/lv_eval_f1"): 0.1.0, lv_eval_f1' in said.stdout
    assert "org/rouge: Couldn't find a module script" in said.stderr
    assert "error: 2 of the modules cannot be used: bleu, rouge\n" in said.stderr
    assert "Traceback" not in said.stderr


@pytest.mark.parametrize(
    ("said", "printed"),
    [
        ("a b\n\n c", "a b c"),
        ("with hf_x, 'hf_x'", "with ..., '...'"),
        ("at http://me:pass@word@hub/a/b@c", "at http://c"),
        ("(https://s3/a?X=1&Y=2) (/a?b) right? Yes", "(https://s3/a) (/a) right? Yes"),
        ("\x1b[2J\udc80 ü 中", "\\x1b[2J\\udc80 ü 中"),
    ],
)
def test_nothing_secret_is_said(said: str, printed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(publish, "own_token", lambda: "hf_x")
    assert publish.one_line(said) == printed


@pytest.mark.parametrize("error", [KeyError("a"), TypeError("b"), ValueError("c"), RuntimeError("d")])
def test_a_mistake_in_here_is_no_fault_of_the_hub(error: Exception) -> None:
    def ask() -> None:
        raise error

    with pytest.raises(type(error)):
        publish.patiently("org/bleu", ask)


def test_metrics_go_up_where_the_demo_needs_a_paid_plan(workplace: Workplace) -> None:
    workplace.hub.paid = False
    said = workplace.publish("--org", "org")
    in_a_line(said)
    assert "new Gradio Spaces need one" in said.stderr
    assert "the metrics' pages link to a demo that is not there yet" in said.stderr
    assert said.stdout.count('evaluate.load("org/') == len(FEW)
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
    workplace.hub.faults["commit"] = Fault(0, times=3)
    first = workplace.publish("--org", "org")
    in_a_line(first)
    assert workplace.commits() == {"org/bleu": 0}
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
    inputs = workplace.clone / "metrics" / "rouge" / "inputs.py"
    inputs.unlink()
    inputs.symlink_to("../bleu/inputs.py")
    said = workplace.publish("--org", "org")
    assert (said.returncode, workplace.hub.spaces) == (1, {})
    assert "metrics/rouge/inputs.py is a link" in said.stderr


def test_a_linked_folder_is_refused(workplace: Workplace, tmp_path: Path) -> None:
    folder = workplace.clone / "metrics" / "rouge"
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
    clone = workplace.clone
    shutil.copytree(clone / "metrics" / "rouge", clone / "metrics" / "new")
    (clone / "metrics" / "new" / "rouge.py").rename(clone / "metrics" / "new" / "new.py")
    (clone / "metrics" / "bleu" / "odd\n\x1b.txt").write_text("")
    subprocess.run(["git", "rm", "-q", "--cached", "spaces/answer_lens/style.css"], cwd=clone, check=True)
    said = workplace.publish("--org", "org", "--dry-run")
    assert "goes up, git does not know it: metrics/new/new.py" in said.stdout
    assert "goes up, git does not know it: spaces/answer_lens/style.css" in said.stdout
    assert "not uploaded, git does not know it: metrics/bleu/odd\\n\\x1b.txt" in said.stdout
    assert "not uploaded, git does not know it: metrics/bleu/scored.csv" in said.stdout


def test_metadata_that_the_hub_refuses_is_said(workplace: Workplace) -> None:
    card = workplace.clone / "metrics" / "rouge" / "README.md"
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


def test_without_git_and_with_other_line_ends_the_same_goes_up(workplace: Workplace) -> None:
    workplace.publish("--org", "org")
    shutil.rmtree(workplace.clone / ".git")
    for path in (*workplace.clone.glob("metrics/*/README.md"), *workplace.clone.glob("spaces/*/requirements.lock")):
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    said = workplace.publish("--org", "org", "--dry-run")
    assert said.stdout.count("as it is") == len(FEW) + 1, said.stdout
