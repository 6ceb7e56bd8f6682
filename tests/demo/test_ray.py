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
from lens.study.engines.blocks import Block, Lost

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
    split = [line.split(None, 2) for line in output.splitlines()]
    parents = {int(fields[0]): int(fields[1]) for fields in split}
    commands = {int(fields[0]): fields[2] if len(fields) > 2 else "" for fields in split}

    def is_descendant(process: int) -> bool:
        parent = parents.get(process, 0)
        return parent == root or (parent > 1 and is_descendant(parent))

    return {process: command for process, command in commands.items() if is_descendant(process)}


def find_scoring_processes() -> list[int]:
    """Return the ids of the cluster's processes that are scoring."""
    return [
        process
        for process, command in list_descendants(os.getpid()).items()
        if command.startswith("ray::score_packed")
    ]


@pytest.fixture(scope="module")
def ray_engine() -> Iterator[cluster.Cluster]:
    """A cluster on this machine for all tests of this file."""
    folder = tempfile.mkdtemp(prefix="al-", dir="/tmp")  # the path of a socket must be short
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {
            **ENVIRONMENT,
            "RAY_TMPDIR": folder,
            "MY_KEY": KEY,
            "OPENAI_API_KEY": KEY,
        }.items():
            patch.setenv(name, value)
        with cluster.join_cluster(None, 2, processes.list_key_variables("MY_KEY")) as found:
            yield found
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
    found = []
    for engine in ("local", "ray"):
        ran = score(*command, "--engine", engine)
        found.append((ran.code, ran.out, out.read_bytes()))
    assert found[0][0] == 0
    assert found[0] == found[1]


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
        killed.append(find_scoring_processes()[0])
        os.kill(killed[0], signal.SIGKILL)

    killer = threading.Thread(target=kill_scoring_process, daemon=True)
    killer.start()
    compare_engines(
        score,
        tmp_path / "out.jsonl",
        write_jsonl(tmp_path / "d.jsonl", make_mixed_rows(800, length=60)),
    )
    killer.join(30)
    assert killed


@needs_ray
def test_a_running_cluster_is_joined_and_a_block_that_kills_every_process_ends_the_run(
    running_cluster: cluster.Cluster,
    tmp_path: Path,
    score: Command,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    arguments, address = (
        [write_jsonl(tmp_path / "a.jsonl", make_mixed_rows(60)), *METRICS],
        running_cluster.ray.get_runtime_context().gcs_address,
    )
    with start_python(
        SPACE / "score.py", *arguments, "--engine", "ray", "--ray-address", address, **ENVIRONMENT
    ) as process:
        printed, err = process.communicate(timeout=300)
    assert printed == score(*arguments).out, err
    monkeypatch.setattr(cluster, "RETRIES", 1)
    monkeypatch.setattr(cluster, "score_packed", lambda *_: os._exit(9))
    with pytest.raises(Lost, match="lost again and again"):
        list(
            running_cluster(
                [Scorer("rouge")], [Block(0, 0, [Answer("a", ("a",))])], lambda more: None
            )
        )


@needs_ray
@pytest.mark.usefixtures("running_cluster")
def test_the_judges_key_is_neither_in_the_cluster_nor_in_its_files(
    tmp_path: Path, score: Command
) -> None:
    table, out = write_jsonl(tmp_path / "a.jsonl", make_mixed_rows()), tmp_path / "s.jsonl"
    earlier = set(list_descendants(os.getpid()))  # processes that other tests have started
    with JudgeServer(judges.compare_texts) as server:
        arguments = [
            "--metrics",
            "eve_judge",
            "rouge",
            *judge_options(server),
            "--block-rows",
            "4",
            "--engine",
            "ray",
        ]
        assert score(table, *arguments, "--out", out).code == 0
        assert (len(server.requests), server.keys) == (18, {KEY})
    seen = out.read_bytes()
    for process in set(list_descendants(os.getpid())) - earlier:
        with contextlib.suppress(OSError):
            seen += Path(f"/proc/{process}/environ").read_bytes()
    folder = Path(os.environ["RAY_TMPDIR"])
    assert list(folder.rglob("*.log")), "the files of Ray are in another folder"
    seen += b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())
    assert (b"RAY_AUTH_TOKEN" in seen or sys.platform != "linux", KEY.encode() in seen) == (
        True,
        False,
    )


def test_a_cluster_that_cannot_be_joined_is_refused_with_the_reason(
    tmp_path: Path, score: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, address = write_jsonl(tmp_path / "a.jsonl", make_mixed_rows(3)), "127.0.0.1:9"
    expected = {
        address: f"could be started or joined ({address}): Connection refused.",
        "ray://me:secret@127.0.0.1:1": (
            "joined (ray://127.0.0.1:1): no data is scored over Ray's client"
        ),
    }
    for ray_address, words in expected.items() if importlib.util.find_spec("ray") else ():
        ran = score(table, "--engine", "ray", "--ray-address", ray_address)
        assert (ran.code, ran.out, words in ran.err) == (2, "", True)
    monkeypatch.setitem(sys.modules, "ray", None)
    install = f"pip install -r {SPACE / 'requirements-ray.txt'}"
    assert (
        score(table, "--engine", "ray").err
        == f"score.py: --engine ray needs the package ray: {install}\n"
    )


def test_other_machines_of_a_cluster_get_only_the_projects_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANSWER_LENS_ORG", "someone")
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    environment = cluster.copy_code(tmp_path)
    assert environment["working_dir"] == str(tmp_path)
    assert (
        environment["env_vars"].items()
        <= {name: os.environ.get(name) for name in cluster.PASSED_VARIABLES}.items()
    )
    found = {path.relative_to(tmp_path) for path in tmp_path.rglob("*") if path.is_file()}
    assert {
        Path("lens/study/engines/blocks.py"),
        Path("lens/words/en.json"),
        Path("metrics/rouge/rouge.py"),
    } <= found
    assert {path.suffix for path in found} <= {".py", ".json", ".txt"}
    assert {path.parts[0] for path in found} == {"lens", "metrics"}
