"""score.py --engine ray: what one process computes, on a cluster of several, also where processes are killed.

Skipped where ray is not installed, unless ANSWER_LENS_REQUIRE_RAY=1: then it fails.
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from lens.commands import score_file as score
from lens.runs import processes
from lens.runs import ray_cluster as cluster
from lens.runs.parts import Parts
from lens.runs.scored_table import Table, Work
from lens.scoring.rows import Scorer
from lens.scoring.scored_columns import Layout
from lens.tables.first_reading import surveyed
from lens.tables.sources import source_of

from tests.support import judges
from tests.support.judge_server import JudgeServer, Reply, Request
from tests.support.processes import search_path, until
from tests.support.project import ROOT

SPACE = ROOT / "spaces" / "answer_lens"
needs_ray = pytest.mark.skipif(
    importlib.util.find_spec("ray") is None and os.environ.get("ANSWER_LENS_REQUIRE_RAY") != "1",
    reason="ray is not installed: pip install -r spaces/answer_lens/requirements-ray.txt",
)
Rows = list[dict[str, Any]]
KEY = "sk-secret-123456789"
METRICS = ["--metrics", "rouge", "bleu"]
# What every process of these tests gets: nothing heavy to import, a token for the cluster, no word to anyone.
ENVIRONMENT = {
    "PYTHONPATH": search_path("rouge"),
    "RAY_AUTH_MODE": "token",
    "RAY_AUTH_TOKEN": secrets.token_hex(32),
    "RAY_USAGE_STATS_ENABLED": "0",
    # Ray's own 15 leaves its processes nearly nothing of a processor that other tests keep busy.
    "RAY_worker_niceness": "0",
    "NO_PROXY": "*",
    "HF_HUB_OFFLINE": "1",
}


def free_port() -> int:
    """A port of this machine that nobody uses."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


class Ray:
    """A cluster of this machine, as its owner starts one."""

    def __init__(self, folder: str) -> None:
        self.folder, self.port = folder, free_port()
        options = {
            "node-ip-address": "127.0.0.1", "port": self.port, "num-cpus": 2, "temp-dir": folder,
            "object-store-memory": 100_000_000, "include-dashboard": "false", "min-worker-port": 0,
            "max-worker-port": 0,
        }  # fmt: skip
        told = [f"--{name}={value}" for name, value in options.items()]
        command = [sys.executable, "-m", "ray.scripts.scripts", "start", "--head", "--block", "--disable-usage-stats"]
        self.log = Path(folder) / "started.log"
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(
                [*command, *told], stdout=log, stderr=log, env={**os.environ, **ENVIRONMENT}
            )
        until(lambda: b"Ray runtime started" in self.log.read_bytes() or self.process.poll() is not None)
        assert self.process.poll() is None, self.log.read_text()

    def actors(self) -> list[int]:
        """Its processes that score."""
        found = descendants(self.process.pid)
        return [process for process, command in found.items() if command.startswith("ray::MapWorker")]

    def end(self) -> None:
        """End it and all that it has started."""
        for process in [*descendants(self.process.pid), self.process.pid]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        self.process.wait(30)


@pytest.fixture(scope="module")
def ray() -> Iterator[Ray]:
    """A cluster for all tests of this file."""
    folder = tempfile.mkdtemp(prefix="al-", dir="/tmp")  # a socket's path may not be long
    started = Ray(folder)
    yield started
    started.end()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
def engine(ray: Ray) -> Iterator[cluster.Cluster]:
    """This process, joined to the cluster, for runs of the command within it."""
    before = {name: os.environ.get(name) for name in ENVIRONMENT}
    os.environ.update(ENVIRONMENT)
    with cluster.connected(f"127.0.0.1:{ray.port}", None, []) as found:
        yield found
    for name, value in before.items():
        os.environ.pop(name)
        os.environ.update({name: value} if value is not None else {})


@pytest.fixture
def joined(engine: cluster.Cluster, monkeypatch: pytest.MonkeyPatch) -> cluster.Cluster:
    """The command's runs take the connection that there is."""

    @contextlib.contextmanager
    def connected(*_: object) -> Iterator[cluster.Cluster]:
        with cluster.hushed():
            yield engine

    monkeypatch.setattr(cluster, "connected", connected)
    return engine


def rows_of(count: int, first: int = 0, length: int = 3) -> Rows:
    """Rows with ids, groups, cells of every type and lone surrogates, of which every third has a wrong answer."""
    mixed: list[Any] = ["\ud800 x", 7, None, [1, "a"], {"a": 0.1}, True, 12345678901234567890, "=1\r\n\x00"]
    return [
        {
            "id": f"{number:05}",
            "question": f"What is {number}?",
            "reference": f"It is the number {number} " + "of many " * length,
            "response": None if number == 5 else f"It is {number if number % 3 else 'NA'} " + "of many " * length,
            "kind": "odd" if number % 2 else "even",
            f"late{number > 40}": mixed[number % len(mixed)],
        }
        for number in range(first, first + count)
    ]


def lines(path: Path, rows: Rows) -> str:
    """Write JSON Lines in ASCII, which any text can be carried by."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return str(path)


def both_ways(capsys: pytest.CaptureFixture[str], folder: Path, *arguments: str, out: str = "jsonl") -> list[list[Any]]:
    """Of one process, then of the cluster: the exit code, what is printed, and the scored rows."""
    found = []
    for engine in ("local", "ray"):
        target = folder / f"{engine}.{out}"
        code = score.main([*arguments, "--engine", engine, "--out", str(target), "--block-rows", "17"])
        found.append([code, capsys.readouterr().out, target.read_bytes() if target.exists() else b""])
    return found


def several_files(folder: Path) -> list[str]:
    """Files of which blocks go from one to the next."""
    for at, count in enumerate((3, 40, 0, 1, 56)):
        lines(folder / f"a{at}.jsonl", rows_of(count, 100 * at))
    return [str(folder / "a*.jsonl"), "--group", "kind"]


def two_systems(folder: Path) -> list[str]:
    """Two files whose rows are matched by their ids."""
    second = [{**row, "response": row["reference"]} for row in rows_of(60)[::-1]]
    return [lines(folder / "a.jsonl", rows_of(60)), "--against", lines(folder / "b.jsonl", second)]


@needs_ray
@pytest.mark.usefixtures("joined")
@pytest.mark.parametrize(("table", "out"), [(several_files, "parquet"), (two_systems, "csv")])
def test_rows_and_means_are_those_of_one_process(
    table: Callable[[Path], list[str]], out: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    here, there = both_ways(capsys, tmp_path, *table(tmp_path), *METRICS, out=out)
    assert here[0] == 0
    assert here[2]
    assert there == here
    assert not list(tmp_path.glob("*.parts"))


@needs_ray
@pytest.mark.usefixtures("joined")
def test_a_process_that_is_killed_changes_nothing(ray: Ray, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table, parts, killed = lines(tmp_path / "a.jsonl", rows_of(800, length=60)), tmp_path / "ray.jsonl.parts", []

    def kill_a_busy_one() -> None:
        until(lambda: len(list(parts.glob("_run/0*.json"))) > 2)
        until(ray.actors)
        killed.append(ray.actors()[0])
        os.kill(killed[0], signal.SIGKILL)

    killer = threading.Thread(target=kill_a_busy_one, daemon=True)
    killer.start()
    here, there = both_ways(capsys, tmp_path, table, *METRICS)
    killer.join(30)
    assert killed
    assert there == here


@needs_ray
def test_what_fails_elsewhere_is_said_here(
    joined: cluster.Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Dying:
        def __call__(self, batch: Any, plan: Any) -> Any:
            os._exit(9)

    source = source_of(lines(tmp_path / "a.jsonl", rows_of(9)))
    scan, scorers = surveyed(source, {}), [Scorer("rouge")]
    table = Table(source, source.stamps(), scan, scorers, "")
    written = (Parts(str(tmp_path / "nowhere"), "csv"), Layout(scan.kinds, ["rouge"]))
    work = Work(table, scorers, 5, [0, 1], written, rows_needed=False)
    with pytest.raises(FileNotFoundError):
        list(joined(work, lambda name, rows: None))
    monkeypatch.setattr(cluster, "RETRIES", 1)
    monkeypatch.setattr(cluster, "BlockScorer", Dying)
    with pytest.raises(processes.Lost, match="lost again and again"):
        list(joined(work, lambda name, rows: None))


def started(*arguments: str, **environment: str) -> subprocess.Popen[str]:
    """The command in a process of its own, joined to a cluster or with one of its own."""
    command = [sys.executable, str(SPACE / "score.py"), *arguments, "--engine", "ray"]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, **ENVIRONMENT, **environment},
    )  # fmt: skip


@needs_ray
def test_a_run_whose_leader_is_killed_goes_on_where_it_was(
    ray: Ray, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = lines(tmp_path / "a.jsonl", rows_of(1200, length=40))
    given = [table, *METRICS, "--block-rows", "5"]
    assert score.main([*given, "--out", str(tmp_path / "here.csv")]) == 0
    printed = capsys.readouterr().out
    given += ["--out", str(tmp_path / "there.csv"), "--ray-address", f"127.0.0.1:{ray.port}"]
    parts = Parts(str(tmp_path / "there.csv.parts"), "csv")
    before = set(ray.actors())
    with started(*given) as first:
        until(lambda: len(list((tmp_path / "there.csv.parts" / "_run").glob("0*.json"))) > 9 or first.poll())
        first.kill()
    until(lambda: not set(ray.actors()) - before)
    kept = sum(name.startswith("0") for name in parts.sizes())
    assert 9 < kept < 240
    with started(*given) as second:
        out, err = second.communicate(timeout=300)
    assert (second.returncode, out) == (0, printed), err
    assert f"a.jsonl: {kept} of 240 blocks are taken over" in err
    assert (tmp_path / "there.csv").read_bytes() == (tmp_path / "here.csv").read_bytes()


def asked_slowly(request: Request, number: int) -> Reply:
    """A verdict that takes its time."""
    return Reply(judges.compared(request).body, delay=0.05)


def descendants(root: int) -> dict[int, str]:
    """The processes that come from one, with their commands."""
    told = subprocess.run(["ps", "-Ao", "pid=,ppid=,args="], capture_output=True, text=True, check=True).stdout
    split = [line.split(None, 2) for line in told.splitlines()]
    above = {int(one[0]): int(one[1]) for one in split}
    commands = {int(one[0]): one[2] if len(one) > 2 else "" for one in split}

    def comes(process: int) -> bool:
        parent = above.get(process, 0)
        return parent == root or (parent > 1 and comes(parent))

    return {process: command for process, command in commands.items() if comes(process)}


def environments(root: int) -> bytes:
    """The environments of the processes that come from one, where the system shows them."""
    found = b""
    for process in descendants(root):
        with contextlib.suppress(OSError):
            found += Path(f"/proc/{process}/environ").read_bytes()
    return found


@needs_ray
def test_judges_are_asked_by_one_process_which_alone_has_the_key(tmp_path: Path) -> None:
    table = lines(tmp_path / "a.jsonl", [{**row, "response": row["reference"]} for row in rows_of(120)])
    folder = Path(tempfile.mkdtemp(prefix="al-", dir="/tmp"))
    out = tmp_path / "s.jsonl"
    with JudgeServer(asked_slowly) as server:
        given = ["--metrics", "eve_judge", "rouge", "--model", "judge-1", "--base-url", server.url, "--cache", "no",
                 "--key-variable", "MY_KEY", "--set", "eve_judge.max_concurrency=3", "--block-rows", "10"]  # fmt: skip
        keys = {"MY_KEY": KEY, "OPENAI_API_KEY": KEY, "RAY_TMPDIR": str(folder)}
        with started(table, *given, "--workers", "2", "--out", str(out), **keys) as process:
            until(lambda: len(server.requests) > 20 or process.poll() is not None)
            seen = environments(process.pid)
            printed, err = process.communicate(timeout=300)
        assert process.returncode == 0, err
        assert (server.most_in_flight, len(server.requests), server.keys) == (3, 120, {KEY})
    assert "EVE judge (pass rate)  1.0000" in printed
    assert "Traceback" not in err
    if sys.platform == "linux":
        assert b"RAY_AUTH_TOKEN" in seen
    assert KEY.encode() not in seen + printed.encode() + err.encode() + out.read_bytes()
    assert list(folder.rglob("*.log")), "Ray has kept its files elsewhere"
    assert not [path for path in folder.rglob("*") if path.is_file() and KEY.encode() in path.read_bytes()]
    shutil.rmtree(folder, ignore_errors=True)


def test_without_ray_it_says_what_to_install(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    assert score.main([lines(tmp_path / "a.jsonl", rows_of(3)), "--engine", "ray"]) == 2
    told = capsys.readouterr().err
    assert told == f"score.py: --engine ray needs the package ray: pip install -r {SPACE / 'requirements-ray.txt'}\n"


@needs_ray
def test_a_cluster_that_does_not_answer_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table, address = lines(tmp_path / "a.jsonl", rows_of(3)), f"127.0.0.1:{free_port()}"
    refused = [(address, f"could be started or joined ({address}): Connection refused.")]
    refused += [("ray://me:secret@127.0.0.1:1", "ray://127.0.0.1:1 is an address of Ray's client")]
    for address, words in refused:
        assert score.main([table, "--engine", "ray", "--ray-address", address]) == 2
        printed = capsys.readouterr()
        assert words in printed.err
        assert "secret" not in printed.err
        assert printed.out == ""


def test_other_machines_get_our_code_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANSWER_LENS_ORG", "someone")
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    told = cluster.taken_along(tmp_path)
    assert told["working_dir"] == str(tmp_path)
    assert told["env_vars"].items() <= {name: os.environ.get(name) for name in cluster.TAKEN}.items()
    found = {path.relative_to(tmp_path) for path in tmp_path.rglob("*") if path.is_file()}
    assert {Path("lens/runs/blocks.py"), Path("lens/words/en.json"), Path("metrics/rouge/rouge.py")} <= found
    assert {path.suffix for path in found} <= {".py", ".json", ".txt"}
    assert {path.parts[0] for path in found} == {"lens", "metrics"}
