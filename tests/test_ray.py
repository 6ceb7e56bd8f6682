"""score.py --engine ray: what one process computes, on a cluster of several, also where processes are killed.

Skipped where ray is not installed, unless ANSWER_LENS_REQUIRE_RAY=1: then it fails.
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import re
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

from tests.support import judges
from tests.support.judge_server import JudgeServer, Reply, Request
from tests.support.processes import search_path, until
from tests.support.project import ROOT
from tests.support.web import serving

SPACE = ROOT / "spaces" / "answer_lens"
sys.path.insert(0, str(SPACE))

from lens.commands import score_file as score  # noqa: E402
from lens.runs import processes as workers  # noqa: E402
from lens.runs import ray_cluster as cluster  # noqa: E402
from lens.runs.parts import Parts  # noqa: E402

from tests.demo.test_tables import HOSTILE, written  # noqa: E402

needs_ray = pytest.mark.skipif(
    importlib.util.find_spec("ray") is None and os.environ.get("ANSWER_LENS_REQUIRE_RAY") != "1",
    reason="ray is not installed: pip install -r spaces/answer_lens/requirements-ray.txt",
)
Rows = list[dict[str, Any]]
PROGRESS = re.compile(r"\w+: [\d,]+ of [\d,]+ rows")
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
}


def free_port() -> int:
    """A port of this machine that nobody uses."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


class Ray:
    """A cluster of this machine, as its owner starts one."""

    def __init__(self, folder: str) -> None:
        self.folder, self.port, self.client_port = folder, free_port(), free_port()
        options = {
            "node-ip-address": "127.0.0.1", "port": self.port, "ray-client-server-port": self.client_port,
            "num-cpus": 2, "temp-dir": folder, "object-store-memory": 100_000_000, "include-dashboard": "false",
            "min-worker-port": 0, "max-worker-port": 0,
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
def connection(ray: Ray) -> Iterator[int]:
    """This process, joined to the cluster, for runs of the command within it."""
    before = {name: os.environ.get(name) for name in ENVIRONMENT}
    os.environ.update(ENVIRONMENT)
    with cluster.connected(f"127.0.0.1:{ray.port}", None, []) as most:
        yield most
    for name, value in before.items():
        os.environ.pop(name)
        os.environ.update({name: value} if value is not None else {})


@pytest.fixture
def joined(connection: int, monkeypatch: pytest.MonkeyPatch) -> int:
    """The command's runs take the connection that there is."""

    @contextlib.contextmanager
    def connected(address: str | None, count: int | None, withheld: list[str]) -> Iterator[int]:
        with cluster.hushed():
            yield count or connection

    monkeypatch.setattr(cluster, "connected", connected)
    return connection


def rows_of(count: int, first: int = 0, length: int = 3) -> Rows:
    """Rows with ids and groups, of which every third has a wrong answer; some texts are hard to carry."""
    return [
        {
            "id": f"{number:05}",
            "question": f"What is {number}?",
            "reference": f"It is the number {number} " + "of many " * length,
            "response": None if number == 5 else f"It is {number if number % 3 else 'NA'} " + "of many " * length,
            "kind": "odd" if number % 2 else "even",
            "more": HOSTILE[number % len(HOSTILE)],
        }
        for number in range(first, first + count)
    ]


def awkward(rows: Rows) -> Rows:
    """The rows with cells of every type, and lone surrogates."""
    mixed: list[Any] = ["\ud800 x", 7, None, [1, "a"], {"a": 0.1}, True, 12345678901234567890, float("inf")]
    return [{**row, "mixed": mixed[at % len(mixed)], f"late{at > 40}": at} for at, row in enumerate(rows)]


def lines(path: Path, rows: Rows) -> Path:
    """Write JSON Lines in ASCII, which any text can be carried by."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def both_ways(capsys: pytest.CaptureFixture[str], folder: Path, *arguments: str, out: str = "jsonl") -> list[list[Any]]:
    """Of one process, then of the cluster: the exit code, what is printed, the words, and the scored rows."""
    found = []
    for engine in ("local", "ray"):
        target = folder / f"{engine}.{out}"
        code = score.main([*arguments, "--engine", engine, "--out", str(target), "--block-rows", "17"])
        printed = capsys.readouterr()
        words = [line for line in printed.err.splitlines() if not PROGRESS.fullmatch(line)]
        found.append([code, printed.out, words, target.read_bytes() if target.exists() else b""])
    return found


def jsonl_table(folder: Path) -> str:
    return str(lines(folder / "a.jsonl", awkward(rows_of(100))))


def csv_table(folder: Path) -> str:
    return str(written(folder / "a.csv", rows_of(100)))


def parquet_table(folder: Path) -> str:
    import pyarrow
    from pyarrow import parquet

    parquet.write_table(pyarrow.Table.from_pylist(rows_of(100)), folder / "a.parquet", row_group_size=13)
    return str(folder / "a.parquet")


def several_files(folder: Path) -> str:
    for at, count in enumerate((3, 40, 1, 56)):
        lines(folder / f"a{at}.jsonl", awkward(rows_of(count, 100 * at)))
    return str(folder / "a*.jsonl")


TABLES = [(jsonl_table, "jsonl"), (csv_table, "csv"), (parquet_table, "parquet"), (several_files, "parquet")]


@needs_ray
@pytest.mark.usefixtures("joined")
@pytest.mark.parametrize(("table", "out"), TABLES, ids=[table.__name__ for table, _ in TABLES])
def test_rows_and_means_are_those_of_one_process(
    table: Callable[[Path], str], out: str, tmp_path: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    from lens.runs import ray_spread

    monkeypatch.setattr(ray_spread, "SLICE_ROWS", 20)
    here, there = both_ways(capsys, tmp_path, table(tmp_path), *METRICS, "--group", "kind", out=out)
    assert here[0] == 0
    assert here[3]
    assert there == here
    assert not list(tmp_path.glob("*.parts"))


@needs_ray
@pytest.mark.usefixtures("joined")
def test_two_systems_are_compared_as_in_one_process(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = lines(tmp_path / "a.jsonl", rows_of(60))
    (tmp_path / "b").mkdir()
    second = lines(tmp_path / "b" / "a.jsonl", [{**row, "response": row["reference"]} for row in rows_of(60)[::-1]])
    here, there = both_ways(capsys, tmp_path, str(first), "--against", str(second), *METRICS)
    assert here[0] == 0
    assert b"rougeL_against" in here[3]
    assert there == here


def refused(folder: Path) -> dict[str, list[str]]:
    """Arguments that are refused, by what is wrong."""
    good = rows_of(30)
    tables: dict[str, tuple[Rows, Rows]] = {
        "cell": (good, [*good[:3], {**good[3], "response": 7}, {**good[4], "response": 8}]),
        "groups": ([{**row, "kind": row["id"]} for row in rows_of(150)],
                   [{**row, "kind": row["id"]} for row in [*rows_of(150, 150), {**good[0], "response": 7}]]),
        "lacking": ([{**row, "response": None} for row in good], [{**row, "reference": None} for row in good]),
        "column": ([{"id": row["id"]} for row in good], [{"id": row["id"]} for row in good]),
        "late": ([{"id": row["id"]} for row in good], [*good, {**good[0], "response": 7}]),
        "none": ([], []),
    }  # fmt: skip
    arguments = {}
    for name, pair in tables.items():
        (folder / name).mkdir()
        for at, rows in enumerate(pair):
            lines(folder / name / f"{at}.jsonl", rows)
        arguments[name] = [str(folder / name / "*.jsonl"), *METRICS, "--group", "kind" if name == "groups" else ""]
    shutil.copytree(folder / "cell", folder / "broken")
    (folder / "broken" / "2.jsonl").write_bytes(b'{"id": 1}\n{"id": \n')
    arguments["broken"] = [str(folder / "broken" / "*.jsonl"), *METRICS]
    return arguments


@needs_ray
@pytest.mark.usefixtures("joined")
def test_what_is_refused_is_refused_in_the_same_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = set()
    for name, arguments in refused(tmp_path).items():
        here, there = both_ways(capsys, tmp_path, *arguments, "--language", "zh" if name == "cell" else "en")
        assert (here[0], here[3]) == (2, b""), name
        assert there == here, name
        told.add(here[2][-1])
    assert len(told) == 7


@needs_ray
@pytest.mark.usefixtures("joined")
def test_addresses_are_read_and_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "web").mkdir()
    path = lines(tmp_path / "web" / "a.jsonl", awkward(rows_of(100)))
    monkeypatch.setenv("NO_PROXY", "*")
    here = tmp_path / "here.parquet"
    assert score.main([str(path), *METRICS, "--out", str(here), "--block-rows", "30"]) == 0
    printed = capsys.readouterr()
    with serving(tmp_path / "web") as host:
        given = [f"http://me:secret@{host}/a.jsonl?sign=secret", *METRICS, "--engine", "ray", "--block-rows", "30"]
        report = f"file://{tmp_path}/r.md"
        assert score.main([*given, "--out", f"file://{tmp_path}/there.parquet", "--report", report]) == 0
        found = capsys.readouterr()
        assert score.main([given[0].replace("a.jsonl", "b.jsonl"), *given[1:]]) == 2
        assert f"There is no file http://{host}/b.jsonl." in capsys.readouterr().err
    assert (tmp_path / "there.parquet").read_bytes() == here.read_bytes()
    assert found.out == printed.out
    assert "secret" not in found.out + found.err + (tmp_path / "r.md").read_text("utf-8")


def processes() -> dict[int, tuple[int, str]]:
    """Every process of this machine: its parent, and its command."""
    told = subprocess.run(["ps", "-Ao", "pid=,ppid=,args="], capture_output=True, text=True, check=True).stdout
    split = (line.split(None, 2) for line in told.splitlines())
    return {int(one[0]): (int(one[1]), one[2] if len(one) > 2 else "") for one in split}


def descendants(root: int) -> dict[int, str]:
    """The processes that come from one, with their commands."""
    known, found = processes(), dict[int, str]()
    for process, (_, command) in known.items():
        above = process
        while above in known and above not in (0, 1, root):
            above = known[above][0]
        if above == root and process != root:
            found[process] = command
    return found


def kill_a_busy_one(ray: Ray, parts: Path, killed: list[int]) -> None:
    """Once blocks are finished, kill a process of the cluster that is at work."""
    until(lambda: len(list(parts.glob("_run/0*.json"))) > 2)
    while not killed:
        for process, command in descendants(ray.process.pid).items():
            if command.startswith("ray::FlatMap"):
                os.kill(process, signal.SIGKILL)
                killed.append(process)
                break


@needs_ray
@pytest.mark.usefixtures("joined")
def test_a_process_that_is_killed_changes_nothing(ray: Ray, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = lines(tmp_path / "a.jsonl", rows_of(800, length=60))
    killed: list[int] = []
    killer = threading.Thread(target=kill_a_busy_one, args=(ray, tmp_path / "ray.jsonl.parts", killed), daemon=True)
    killer.start()
    here, there = both_ways(capsys, tmp_path, str(table), *METRICS)
    killer.join(30)
    assert killed
    assert there[0] == here[0] == 0
    assert there[1] == here[1]
    assert there[3] == here[3]


@needs_ray
@pytest.mark.usefixtures("joined")
def test_processes_that_die_again_and_again_end_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    def dying(unit: int) -> Iterator[int]:
        os._exit(9 + unit)
        yield 0

    monkeypatch.setattr(cluster, "RETRIES", 0)
    with cluster.hushed(), pytest.raises(workers.Lost, match="lost again and again"):
        list(cluster.Spread([1]).step(dying, share=1, most=1).results())


@needs_ray
@pytest.mark.usefixtures("joined")
def test_a_failure_elsewhere_reads_as_here() -> None:
    class Strange(Exception):
        def __init__(self, one: int, other: int) -> None:
            super().__init__(f"{one} and {other}")

    def failing(unit: str) -> Iterator[str]:
        yield unit
        raise {"disk": OSError(28, "No space left on device", "a.csv"), "strange": Strange(1, 2)}[unit]

    with cluster.hushed():
        for unit, kind, words in (("disk", OSError, "No space left"), ("strange", RuntimeError, "Strange: 1 and 2")):
            with pytest.raises(kind, match=words):
                list(cluster.Spread([unit]).step(failing, share=1, most=1).results())


def started(*arguments: str, **environment: str) -> subprocess.Popen[str]:
    """The command in a process of its own, joined to a cluster or with one of its own."""
    command = [sys.executable, str(SPACE / "score.py"), *arguments, "--engine", "ray"]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, **ENVIRONMENT, "HF_HUB_OFFLINE": "1", **environment},
    )  # fmt: skip


@needs_ray
def test_a_run_whose_leader_is_killed_goes_on_where_it_was(
    ray: Ray, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = lines(tmp_path / "a.jsonl", rows_of(1200, length=40))
    given = [str(table), *METRICS, "--block-rows", "5"]
    assert score.main([*given, "--out", str(tmp_path / "here.csv")]) == 0
    printed = capsys.readouterr().out
    parts = Parts(str(tmp_path / "there.csv.parts"), "csv")
    given += ["--out", str(tmp_path / "there.csv")]
    with started(*given, "--ray-address", f"127.0.0.1:{ray.port}") as first:
        until(lambda: len(list((tmp_path / "there.csv.parts" / "_run").glob("0*.json"))) > 9)
        first.kill()
    until(lambda: not any(command.startswith("ray::FlatMap") for command in descendants(ray.process.pid).values()))
    kept = sum(name.startswith("0") for name in parts.sizes())
    assert 9 < kept < 240
    with started(*given, "--ray-address", f"ray://127.0.0.1:{ray.client_port}") as second:
        out, err = second.communicate(timeout=300)
    assert (second.returncode, out) == (0, printed), err
    assert f"a.jsonl: {kept} of 240 blocks are taken over" in err
    assert (tmp_path / "there.csv").read_bytes() == (tmp_path / "here.csv").read_bytes()


def asked_slowly(request: Request, number: int) -> Reply:
    """A verdict that takes its time."""
    reply = judges.compared(request)
    return Reply(reply.body, delay=0.05)


def holding(folder: Path, text: bytes) -> list[str]:
    """The files of a folder that have a text in them."""
    return [str(path) for path in folder.rglob("*") if path.is_file() and text in path.read_bytes()]


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
        with started(str(table), *given, "--workers", "2", "--out", str(out), **keys) as process:
            until(lambda: len(server.requests) > 20 or process.poll() is not None)
            seen = environments(process.pid)
            held = holding(Path(f"{out}.parts"), KEY.encode())
            printed, err = process.communicate(timeout=300)
        assert process.returncode == 0, err
        assert server.most_in_flight == 3
        assert len(server.requests) == 120
        assert server.keys == {KEY}
    assert "EVE judge (pass rate)  1.0000" in printed
    assert "Traceback" not in err
    if sys.platform == "linux":
        assert b"RAY_AUTH_TOKEN" in seen
    assert KEY.encode() not in seen + printed.encode() + err.encode() + out.read_bytes()
    assert list(folder.rglob("*.log")), "Ray has kept its files elsewhere"
    assert held + holding(folder, KEY.encode()) == []
    shutil.rmtree(folder, ignore_errors=True)


def test_without_ray_it_says_what_to_install(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    table = lines(tmp_path / "a.jsonl", rows_of(3))
    assert score.main([str(table), "--engine", "ray"]) == 2
    told = capsys.readouterr().err
    assert told == f"score.py: --engine ray needs the package ray: pip install -r {SPACE / 'requirements-ray.txt'}\n"


@needs_ray
def test_a_cluster_that_does_not_answer_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = lines(tmp_path / "a.jsonl", rows_of(3))
    for address in (f"127.0.0.1:{free_port()}", f"ray://127.0.0.1:{free_port()}", "ray://me:secret@127.0.0.1:1"):
        assert score.main([str(table), "--engine", "ray", "--ray-address", address]) == 2
        printed = capsys.readouterr()
        shown = address.replace("me:secret@", "")
        assert f"No cluster of Ray could be started or joined ({shown}): " in printed.err
        assert ("Connection refused." in printed.err) == (shown == address)
        assert printed.out == ""
    with pytest.raises(SystemExit):
        score.main([str(table), "--ray-address", "auto"])
    assert "--ray-address goes with --engine ray" in capsys.readouterr().err


def test_other_machines_get_our_code_and_nothing_else(tmp_path: Path) -> None:
    cluster.staged(tmp_path)
    found = {path.relative_to(tmp_path) for path in tmp_path.rglob("*") if path.is_file()}
    assert {Path("spaces/answer_lens/spread.py"), Path("metrics/rouge/rouge.py")} <= found
    assert {path.suffix for path in found} == {".py"}
    assert {path.parts[0] for path in found} == {"spaces", "metrics"}
