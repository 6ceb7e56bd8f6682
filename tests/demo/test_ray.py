"""score.py --engine ray gives the results of one process, even if processes of Ray are killed.

Without the package ray these tests are skipped, or fail if ANSWER_LENS_REQUIRE_RAY=1.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from lens.experiment.answers import Answer
from lens.scoring.scorer import Scorer
from lens.study.engines import processes
from lens.study.engines import ray_cluster as cluster
from lens.study.engines.blocks import Block, RunInterrupted

from tests.demo.command_runs import (
    KEY,
    SPACE,
    Command,
    judge_options,
    make_mixed_rows,
    start_python,
    write_jsonl,
)
from tests.support import judges
from tests.support.judge_server import JudgeServer
from tests.support.processes import make_search_path, wait_until

needs_ray = pytest.mark.skipif(
    importlib.util.find_spec("ray") is None and os.environ.get("ANSWER_LENS_REQUIRE_RAY") != "1",
    reason="ray is not installed: pip install -r spaces/answer_lens/requirements-ray.txt",
)
METRICS = ["--metrics", "rouge", "bleu"]
# The environment of every process: no slow imports, a token for the cluster, no usage statistics.
ENVIRONMENT = {
    "PYTHONPATH": make_search_path("rouge"),
    "RAY_AUTH_MODE": "token",
    "RAY_AUTH_TOKEN": secrets.token_hex(32),
    "RAY_USAGE_STATS_ENABLED": "0",
    # With Ray's default of 15 its processes would hardly run beside other tests.
    "RAY_worker_niceness": "0",
    "NO_PROXY": "*",
    "HF_HUB_OFFLINE": "1",
}


def list_descendants(root: int) -> dict[int, str]:
    """Return the commands of all descendants of a process by their process ids."""
    output = subprocess.run(
        ["ps", "-Ao", "pid=,ppid=,args="], capture_output=True, text=True, check=True
    ).stdout
    parents: dict[int, int] = {}
    commands: dict[int, str] = {}
    for line in output.splitlines():
        process, parent, *command = line.split(None, 2)
        parents[int(process)] = int(parent)
        commands[int(process)] = "".join(command)

    def is_descendant(process: int) -> bool:
        parent = parents.get(process, 0)
        return parent == root or (parent > 1 and is_descendant(parent))

    return {process: command for process, command in commands.items() if is_descendant(process)}


def find_scoring_processes() -> list[int]:
    """Return the ids of the cluster's processes that are scoring."""
    commands = list_descendants(os.getpid())
    return [process for process in commands if commands[process].startswith("ray::score_packed")]


@pytest.fixture(scope="module")
def ray_engine() -> Iterator[cluster.Cluster]:
    """A cluster on this machine for all tests of this file."""
    folder = tempfile.mkdtemp(prefix="al-", dir="/tmp")  # the path of a socket must be short
    with pytest.MonkeyPatch.context() as patch:
        of_test = {"RAY_TMPDIR": folder, "MY_KEY": KEY, "OPENAI_API_KEY": KEY}
        for name, value in (ENVIRONMENT | of_test).items():
            patch.setenv(name, value)
        with cluster.join_cluster(None, 2, processes.list_key_variables("MY_KEY")) as engine:
            yield engine
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def running_cluster(
    ray_engine: cluster.Cluster, monkeypatch: pytest.MonkeyPatch
) -> cluster.Cluster:
    """Let the command use the existing cluster in this process."""

    @contextlib.contextmanager
    def join_existing(*_: object) -> Iterator[cluster.Cluster]:
        with cluster.keep_quiet():
            yield ray_engine

    monkeypatch.setattr(cluster, "join_cluster", join_existing)
    return ray_engine


def compare_engines(score: Command, out: Path, *arguments: str | Path) -> None:
    """Check that the cluster and one process give the same exit code, output and scored rows."""
    command = [*arguments, *METRICS, "--out", out, "--overwrite", "--block-rows", "17"]
    local = score(*command, "--engine", "local")
    scored = out.read_bytes()
    assert local.code == 0
    on_cluster = score(*command, "--engine", "ray")
    assert on_cluster.code == 0
    assert on_cluster.out == local.out
    assert out.read_bytes() == scored


@needs_ray
@pytest.mark.usefixtures("running_cluster")
def test_a_cluster_gives_the_results_of_one_process_even_if_a_process_is_killed(
    tmp_path: Path, score: Command
) -> None:
    for number, count in enumerate((3, 40, 0, 1, 56)):
        write_jsonl(tmp_path / f"a{number}.jsonl", make_mixed_rows(count, first=100 * number))
    compare_engines(score, tmp_path / "out.parquet", tmp_path / "a*.jsonl", "--group", "kind")
    second = write_jsonl(
        tmp_path / "b.jsonl",
        [{**row, "response": row["answer"]} for row in make_mixed_rows(60)[::-1]],
    )
    compare_engines(
        score, tmp_path / "out.csv", write_jsonl(tmp_path / "c.jsonl", make_mixed_rows(60)), second
    )
    killed = list[int]()

    def kill_scoring_process() -> None:
        wait_until(find_scoring_processes)
        process, *_ = find_scoring_processes()
        os.kill(process, signal.SIGKILL)
        killed.append(process)

    killer = threading.Thread(target=kill_scoring_process, daemon=True)
    killer.start()
    long_table = write_jsonl(tmp_path / "d.jsonl", make_mixed_rows(800, length=60))
    compare_engines(score, tmp_path / "out.jsonl", long_table)
    killer.join(30)
    assert killed


@needs_ray
def test_a_running_cluster_is_joined_and_a_block_that_kills_every_process_ends_the_run(
    running_cluster: cluster.Cluster,
    tmp_path: Path,
    score: Command,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    arguments = [write_jsonl(tmp_path / "a.jsonl", make_mixed_rows(60)), *METRICS]
    address = running_cluster.ray.get_runtime_context().gcs_address
    engine = ["--engine", "ray", "--ray-address", address]
    with start_python(SPACE / "score.py", *arguments, *engine, **ENVIRONMENT) as process:
        printed, err = process.communicate(timeout=300)
    assert printed == score(*arguments).out, err
    monkeypatch.setattr(cluster, "RETRIES", 1)
    monkeypatch.setattr(cluster, "score_packed", lambda *_: os._exit(9))
    block = Block(0, 0, [Answer("a", ("a",))])
    with pytest.raises(RunInterrupted, match="lost again and again"):
        list(running_cluster([Scorer("rouge")], [block], lambda more: None))


@needs_ray
@pytest.mark.usefixtures("running_cluster")
def test_the_judges_key_is_neither_in_the_cluster_nor_in_its_files(
    tmp_path: Path, score: Command
) -> None:
    table = write_jsonl(tmp_path / "a.jsonl", make_mixed_rows())
    out = tmp_path / "s.jsonl"
    earlier = set(list_descendants(os.getpid()))  # processes that other tests have started
    with JudgeServer(judges.compare_texts) as server:
        metrics = ["--metrics", "eve_judge", "rouge", *judge_options(server)]
        engine = ["--block-rows", "4", "--engine", "ray"]
        assert score(table, *metrics, *engine, "--out", out).code == 0
        assert len(server.requests) == 18
        assert server.keys == {KEY}
    traces = out.read_bytes()
    for process in set(list_descendants(os.getpid())) - earlier:
        with contextlib.suppress(OSError):
            traces += Path(f"/proc/{process}/environ").read_bytes()
    folder = Path(os.environ["RAY_TMPDIR"])
    assert list(folder.rglob("*.log")), "the files of Ray are in another folder"
    traces += b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())
    if sys.platform == "linux":
        assert b"RAY_AUTH_TOKEN" in traces, "no environment of the cluster was read"
    assert KEY.encode() not in traces


def test_a_cluster_that_cannot_be_joined_is_refused_with_the_reason(
    tmp_path: Path, score: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = write_jsonl(tmp_path / "a.jsonl", make_mixed_rows(3))
    reasons = {
        "127.0.0.1:9": "could be started or joined (127.0.0.1:9): Connection refused.",
        "ray://me:secret@127.0.0.1:1": (
            "joined (ray://127.0.0.1:1): no data is scored over Ray's client"
        ),
    }
    if importlib.util.find_spec("ray"):
        for address, reason in reasons.items():
            ran = score(table, "--engine", "ray", "--ray-address", address)
            assert ran.code == 2
            assert ran.out == ""
            assert reason in ran.err
    monkeypatch.setitem(sys.modules, "ray", None)
    install = f"pip install -r {SPACE / 'requirements-ray.txt'}"
    ran = score(table, "--engine", "ray")
    assert ran.err == f"score.py: --engine ray needs the package ray: {install}\n"


def test_other_machines_of_a_cluster_get_only_the_projects_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANSWER_LENS_ORG", "someone")
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    environment = cluster.copy_code(tmp_path)
    assert environment["working_dir"] == str(tmp_path)
    for name, value in environment["env_vars"].items():
        assert name in cluster.PASSED_VARIABLES
        assert value == os.environ[name]
    files = {path.relative_to(tmp_path) for path in tmp_path.rglob("*") if path.is_file()}
    assert {
        Path("lens/study/engines/blocks.py"),
        Path("lens/words/en.json"),
        Path("metrics/rouge/rouge.py"),
    } <= files
    assert {path.suffix for path in files} <= {".py", ".json", ".txt"}
    assert {path.parts[0] for path in files} == {"lens", "metrics"}
