"""score.py over many rows: blocks, processes, and runs that go on where they were broken off."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fsspec.implementations.local import LocalFileSystem

from tests.support import judges
from tests.support.judge_server import JudgeServer, Reply, Request, verdict
from tests.support.processes import search_path, until
from tests.support.project import ROOT

SPACE = ROOT / "spaces" / "answer_lens"
sys.path.insert(0, str(SPACE))

from lens.commands import score_file  # noqa: E402
from lens.runs import parts as folders  # noqa: E402
from lens.runs import processes  # noqa: E402
from lens.runs import resume as runs  # noqa: E402
from lens.runs import scored_table as scoredtable  # noqa: E402
from lens.runs.blocks import Block, Outcome, score_block  # noqa: E402
from lens.scoring.rows import Scorer  # noqa: E402
from lens.statistics import intervals  # noqa: E402
from lens.tables import sources  # noqa: E402
from lens.tables.cells import Kinds  # noqa: E402
from lens.tables.first_reading import surveyed  # noqa: E402
from lens.tables.roles import BadTable, chosen  # noqa: E402
from lens.words import say  # noqa: E402

KEY = "sk-secret-123456789"
KINDS = ("csv", "jsonl", "parquet")
# Five blocks of four rows, but for the last, which has one less.
ROWS, SIZE, BLOCKS = 19, 4, 5
Rows = list[dict[str, Any]]


def rows_of(count: int = ROWS, right: int = 3) -> Rows:
    """Rows in two languages with what readers and writers like to change."""
    return [
        {
            "id": f"{number:03}",
            "question": f"What is number {number}?",
            "answer": f"It is number {number}, 第{number}个",
            "response": None if number == 5 else f"=It is number {number if number % right else 'NA'}, 第{number}个",
            "kind": "odd" if number % 2 else "even",
            "more": ["a", "\ud800"] if number % 4 else None,
        }
        for number in range(count)
    ]


@pytest.fixture
def source(tmp_path: Path) -> str:
    """A file of rows."""
    return written(tmp_path / "rows.jsonl", rows_of())


def written(path: Path, rows: Rows) -> str:
    """Write rows as JSON Lines."""
    path.write_text("\n".join(json.dumps(row) for row in rows), "utf-8")
    return str(path)


def command(source: str, out: Path | str, *more: str) -> list[str]:
    """The arguments of a run in small blocks."""
    return [source, "--metrics", "rouge", "bleu", "--block-rows", str(SIZE), "--out", str(out), *more]


def started(*arguments: str, **more: Any) -> subprocess.Popen[str]:
    """The command in a process, and a group of processes, of its own."""
    environment = {**os.environ, "PYTHONPATH": search_path("rouge"), "HF_HUB_OFFLINE": "1", "MY_KEY": KEY}
    return subprocess.Popen(
        [sys.executable, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment,
        start_new_session=True, **more,
    )  # fmt: skip


def ended(process: subprocess.Popen[str], code: int) -> tuple[str, str]:
    """What a process printed, once it has ended as it should."""
    out, error = process.communicate(timeout=300)
    assert process.returncode == code, error
    assert "Traceback" not in error
    return out, error


class Counted:
    """Which blocks are scored in this process; before block `stop` something happens."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.numbers: list[int] = []
        self.stop, self.happening = -1, lambda: None
        monkeypatch.setattr(scoredtable, "score_block", self.score)

    def score(self, scorers: Any, block: Block, *more: Any) -> Outcome:
        """Score a block, and note it."""
        if block.number == self.stop:
            self.happening()
        self.numbers.append(block.number)
        return score_block(scorers, block, *more)

    def broken(self, stop: int, happening: Callable[[], None], arguments: list[str]) -> int:
        """Run the command, which something happens to; its exit code."""
        self.stop, self.happening = stop, happening
        try:
            return score_file.main(arguments)
        finally:
            self.stop, self.happening = -1, lambda: None

    def taken(self) -> list[int]:
        """The blocks scored since the last time."""
        found, self.numbers = self.numbers, []
        return found


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Counted:
    """The blocks that are scored."""
    return Counted(monkeypatch)


def interrupted() -> None:
    """What Ctrl-C brings about."""
    raise KeyboardInterrupt


def asked(server: JudgeServer, *more: str) -> list[str]:
    """The arguments for a judge whose replies are kept nowhere else."""
    judge = ["--metrics", "rouge", "eve_judge", "--model", "judge-1", "--base-url", server.url]
    return [*judge, "--key-variable", "MY_KEY", "--cache", "no", *more]


def held_after(count: int) -> Callable[[Request, int], Reply]:
    """A judge that keeps silent after so many answers."""

    def answer(request: Request, number: int) -> Reply:
        reply = judges.compared(request)
        return reply if number < count else Reply(reply.body, way="held")

    return answer


def alive(group: int) -> bool:
    """Whether any process of a group is there."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


# Answers to two blocks of rows, of which the second has a row without one.
TWO_BLOCKS = 2 * SIZE - 1


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no groups of processes to ask")
def test_a_run_that_is_killed_goes_on_where_it_was(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], counted: Counted
) -> None:
    monkeypatch.setenv("MY_KEY", KEY)
    whole, out = tmp_path / "whole.parquet", tmp_path / "out.parquet"
    with JudgeServer(held_after(TWO_BLOCKS)) as server:
        process = started(str(SPACE / "score.py"), *command(source, out, *asked(server, "--workers", "2")))
        server.wait(lambda one: len(one.requests) == TWO_BLOCKS + SIZE)
        process.kill()
        process.communicate()
        port = server.port
    until(lambda: not alive(process.pid))
    assert not out.exists()
    with JudgeServer(judges.compared, port) as server:
        assert score_file.main(command(source, out, *asked(server))) == 0
        assert len(server.requests) == ROWS - 1 - TWO_BLOCKS
        resumed = capsys.readouterr()
        assert counted.taken() == [2, 3, 4]
        assert score_file.main(command(source, whole, *asked(server))) == 0
    assert "rows.jsonl: 2 of 5 blocks are taken over" in resumed.err
    assert "19 of 19 rows" in resumed.err
    assert resumed.out == capsys.readouterr().out
    assert out.read_bytes() == whole.read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(["rows.jsonl", whole.name, out.name])


@pytest.mark.parametrize("kind", KINDS)
def test_what_breaks_a_run_off_is_told_with_where_it_goes_on(
    kind: str, source: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], counted: Counted
) -> None:
    whole, out = tmp_path / f"whole.{kind}", tmp_path / f"out.{kind}"
    handler = signal.getsignal(signal.SIGTERM)
    for stop, happening in ((1, interrupted), (3, lambda: signal.raise_signal(signal.SIGTERM))):
        assert counted.broken(stop, happening, command(source, out)) == 130
        told = capsys.readouterr().err
        assert "interrupted" in told
        assert f"What is finished lies in {out}.parts: the same command goes on from there." in told
        assert not out.exists()
    assert signal.getsignal(signal.SIGTERM) == handler
    assert counted.taken() == [0, 1, 2]
    assert score_file.main(command(source, out)) == 0
    assert counted.taken() == [3, 4]
    assert score_file.main(command(source, whole)) == 0
    assert out.read_bytes() == whole.read_bytes()


def test_a_disk_that_is_full_leaves_what_is_finished(
    source: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], counted: Counted, monkeypatch: pytest.MonkeyPatch
) -> None:
    write, out = folders.Parts.write, tmp_path / "out.csv"

    def full(self: folders.Parts, name: str, data: bytes) -> None:
        if "000002" in name:
            raise OSError(28, "No space left on device")
        write(self, name, data)

    with monkeypatch.context() as patch:
        patch.setattr(folders.Parts, "write", full)
        assert score_file.main(command(source, out)) == 1
    assert f"score.py: {out}: No space left on device" in capsys.readouterr().err
    assert counted.taken() == [0, 1, 2]
    assert score_file.main(command(source, out)) == 0
    assert counted.taken() == [2, 3, 4]


# What another run differs in, and how that is called.
OTHERS = [
    (["--metrics", "rouge"], 'metrics was ["rouge", "bleu"] and is ["rouge"]'),
    (["--set", "rouge.use_stemmer=true"], "set.rouge.use_stemmer was null and is true"),
    (["--block-rows", "5"], "block_rows was 4 and is 5"),
    (["--separator", "/"], 'separator was "" and is "/"'),
    (["--group", "kind"], 'roles.group was null and is "kind"'),
    (["--question", ""], "roles.question was"),
]


@pytest.mark.parametrize(("more", "words"), OTHERS)
def test_the_parts_of_another_run_are_refused_by_what_differs(
    more: list[str], words: str, source: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], counted: Counted
) -> None:
    out = tmp_path / "out.csv"
    counted.broken(2, interrupted, command(source, out))
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.*") if path.is_file()}
    capsys.readouterr()
    assert score_file.main(command(source, out, *more)) == 2
    told = capsys.readouterr()
    assert words in told.err
    assert "--restart to throw its parts away" in told.err
    assert told.out == ""
    assert {path: path.read_bytes() for path in tmp_path.rglob("*.*") if path.is_file()} == before
    counted.taken()
    assert score_file.main(command(source, out, "--restart")) == 0
    assert counted.taken() == [0, 1, 2, 3, 4]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.csv", "rows.jsonl"]


def test_another_table_is_another_run(
    source: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], counted: Counted
) -> None:
    out = tmp_path / "out.csv"
    counted.broken(2, interrupted, command(source, out))
    written(Path(source), [{**row, "question": "Another?"} for row in rows_of()])
    assert score_file.main(command(source, out)) == 2
    assert "input.size was" in capsys.readouterr().err
    (tmp_path / "out.csv.parts" / "_run" / "run.json").write_text('{"format', "utf-8")
    assert score_file.main(command(source, out)) == 2
    assert "which one cannot be read from its run.json" in capsys.readouterr().err


@pytest.mark.parametrize("more", [[], ["--workers", "2"]])
@pytest.mark.parametrize("count", [ROWS - SIZE, ROWS, ROWS + 2, ROWS + SIZE])
def test_a_table_that_changes_meanwhile_gives_no_result(
    count: int, more: list[str], source: str, tmp_path: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    take, other = scoredtable.Work.take_kept, rows_of(count, right=2)

    def meanwhile(self: scoredtable.Work, table: scoredtable.Table, *told: Any) -> set[int]:
        written(Path(source), other)
        return take(self, table, *told)

    out = tmp_path / "out.csv"
    with monkeypatch.context() as patch:
        patch.setattr(scoredtable.Work, "take_kept", meanwhile)
        assert score_file.main(command(source, out, *more)) == 2
    told = capsys.readouterr()
    assert "rows.jsonl has changed since it was first read" in told.err
    assert told.out == ""
    assert not out.exists()
    assert score_file.main(command(source, out, *more, "--restart")) == 0
    assert len(out.read_text("utf-8").split("\n")) == count + 2


def test_no_run_takes_what_another_has_not_cleared_away(
    source: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    others = [written(tmp_path / f"{right}.jsonl", rows_of(right=right)) for right in (2, 5)]
    remove, files = LocalFileSystem.rm_file, 3 * BLOCKS + 1
    for kept in (1, 4, 9):
        out, removed = tmp_path / f"{kept}.csv", list[str]()

        def broken(self: Any, path: str, most: int = files - kept, removed: list[str] = removed) -> None:
            if len(removed) == most:
                raise KeyboardInterrupt
            removed.append(path)
            remove(self, path)

        with monkeypatch.context() as patch:
            patch.setattr(LocalFileSystem, "rm_file", broken)
            assert score_file.main(command(source, out, "--against", others[0])) == 130
        assert score_file.main(command(source, out, "--against", others[1])) == 2
        (tmp_path / f"{kept}.csv.parts" / "_run" / "run.json").unlink()
        for piece in (tmp_path / f"{kept}.csv.parts").glob("part-*"):
            piece.unlink()
        assert score_file.main(command(source, out, "--against", others[1])) == 0
        assert "taken over" not in capsys.readouterr().err


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no locks of this kind")
def test_two_runs_at_once_do_not_share_parts(
    source: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], counted: Counted
) -> None:
    out, codes = tmp_path / "out.csv", list[int]()

    def meanwhile() -> None:
        counted.stop = -1
        codes.extend(score_file.main(command(source, out, *more)) for more in ([], ["--restart"]))

    assert counted.broken(2, meanwhile, command(source, out)) == 0
    assert codes == [2, 2]
    assert capsys.readouterr().err.count(f"{out}.parts belongs to a run that is under way") == 2
    assert counted.taken() == [0, 1, 2, 3, 4]


def test_damaged_parts_are_scored_again(source: str, tmp_path: Path, counted: Counted) -> None:
    out, whole = tmp_path / "out.parquet", tmp_path / "whole.parquet"
    counted.broken(4, interrupted, command(source, out))
    parts = tmp_path / "out.parquet.parts"
    for name in ("_run/000000.json", "part-000001.parquet"):
        (parts / name).write_bytes((parts / name).read_bytes()[:-9])
    (parts / "part-000002.parquet").unlink()
    (parts / "_part-000003.parquet.77.new").write_bytes(b"half")
    counted.taken()
    assert score_file.main(command(source, out)) == 0
    assert counted.taken() == [0, 1, 2, 4]
    assert score_file.main(command(source, whole)) == 0
    assert out.read_bytes() == whole.read_bytes()
    assert not parts.exists()


def test_what_no_run_wrote_is_left_alone(
    source: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], counted: Counted
) -> None:
    parts = tmp_path / "out.csv.parts"
    parts.mkdir()
    (parts / "mine.csv").write_text("a", "utf-8")
    out = tmp_path / "out.csv"
    assert score_file.main(command(source, out)) == 2
    assert "“mine.csv”" in capsys.readouterr().err
    (parts / "mine.csv").unlink()
    counted.broken(2, interrupted, command(source, out))
    (parts / "mine.csv").write_text("a", "utf-8")
    assert score_file.main(command(source, out)) == 0
    assert [path.name for path in parts.iterdir()] == ["mine.csv"]


def test_rows_can_stay_in_a_folder_of_pieces(
    source: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], counted: Counted
) -> None:
    from pyarrow import parquet

    assert score_file.main(command(source, tmp_path / "whole.parquet")) == 0
    assert score_file.main(command(source, f"{tmp_path}/pieces/")) == 0
    first = capsys.readouterr().out
    names = sorted(path.name for path in (tmp_path / "pieces").glob("*.parquet"))
    assert names == [f"part-{number:06}.parquet" for number in range(BLOCKS)]
    assert (
        parquet.read_table(tmp_path / "pieces").to_pylist()
        == parquet.read_table(tmp_path / "whole.parquet").to_pylist()
    )
    counted.taken()
    assert score_file.main(command(source, f"{tmp_path}/pieces/")) == 0
    assert counted.taken() == []
    assert first.endswith(capsys.readouterr().out)
    assert score_file.main(command(source, f"{tmp_path}/lines.jsonl/")) == 0
    pieces = sorted((tmp_path / "lines.jsonl").glob("part-*.jsonl"))
    assert [len(path.read_text("utf-8").splitlines()) for path in pieces] == [4, 4, 4, 4, 3]


def test_parts_and_rows_lie_behind_an_address(source: str, tmp_path: Path, counted: Counted) -> None:
    import fsspec

    for kind in KINDS:
        address, whole = f"memory://streaming/out.{kind}", tmp_path / f"whole.{kind}"
        assert counted.broken(3, interrupted, command(source, address)) == 130
        assert score_file.main(command(source, address)) == 0
        assert counted.taken() == [0, 1, 2, 3, 4]
        assert score_file.main(command(source, whole)) == 0
        counted.taken()
        assert fsspec.filesystem("memory").cat_file(f"/streaming/out.{kind}") == whole.read_bytes()
    assert fsspec.filesystem("memory").find("/streaming") == [f"/streaming/out.{kind}" for kind in KINDS]


def test_the_second_system_is_not_scored_again_either(
    source: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], counted: Counted
) -> None:
    other = written(tmp_path / "other.jsonl", rows_of(right=2)[::-1])
    out, whole = tmp_path / "out.csv", tmp_path / "whole.csv"
    more = ["--against", other, "--id", "id"]
    counted.broken(3, interrupted, command(source, out, *more))
    assert counted.taken() == [0, 1, 2]
    capsys.readouterr()
    assert score_file.main(command(source, out, *more)) == 0
    assert counted.taken() == [3, 4, 0, 1, 2, 3, 4]
    resumed = capsys.readouterr().out
    assert score_file.main(command(source, whole, *more)) == 0
    assert (out.read_bytes(), resumed) == (whole.read_bytes(), capsys.readouterr().out)
    assert counted.broken(1, lambda: None, command(source, out, *more)) == 0


def test_a_block_without_every_verdict_is_asked_again(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, counted: Counted
) -> None:
    monkeypatch.setenv("MY_KEY", KEY)
    silent = verdict("I would rather not.")
    with JudgeServer(
        lambda request, number: silent if "number 9?" in request.prompt else judges.compared(request)
    ) as one:
        arguments = command(source, f"{tmp_path}/out/", *asked(one, "--set", "eve_judge.max_concurrency=2"))
        assert score_file.main(arguments) == 0
        port = one.port
    counted.taken()
    with JudgeServer(judges.compared, port):
        assert score_file.main(arguments) == 0
    assert counted.taken() == [2]
    everything = b"".join(path.read_bytes() for path in (tmp_path / "out").rglob("*") if path.is_file())
    assert b"secret" not in everything
    assert b"eve_judge" in everything


def test_processes_give_what_one_gives(source: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    process = started(
        str(SPACE / "score.py"), *command(source, tmp_path / "three.csv", "--workers", "3", "--group", "kind")
    )
    assert score_file.main(command(source, tmp_path / "one.csv", "--group", "kind")) == 0
    one = capsys.readouterr()
    out, told = ended(process, 0)
    assert out == one.out
    assert (tmp_path / "three.csv").read_bytes() == (tmp_path / "one.csv").read_bytes()
    assert told.splitlines()[-2:] == one.err.splitlines()[-2:]


# Kills processes that score: `most` of them, each once a block or so many more are finished.
KILLER = """
import multiprocessing, os, pathlib, signal, sys, threading, time
sys.path.insert(0, sys.argv.pop(1))
from lens.commands import score_file

def kill(parts, most, apart):
    for number in range(most):
        while len(list(parts.glob("_run/0*.json"))) < number * apart + apart or not multiprocessing.active_children():
            time.sleep(0.005)
        for process in multiprocessing.active_children():
            if process.is_alive():
                os.kill(process.pid, signal.SIGKILL)
        while any(process.is_alive() for process in multiprocessing.active_children()):
            time.sleep(0.005)

if __name__ == "__main__":
    parts, most, apart = pathlib.Path(sys.argv.pop(1)), int(sys.argv.pop(1)), int(sys.argv.pop(1))
    threading.Thread(target=kill, args=(parts, most, apart), daemon=True).start()
    sys.exit(score_file.main(sys.argv[1:]))
"""


# Each process that scores is killed as soon as it has a block.
DYING = """
import os, signal, sys
sys.path.insert(0, {space!r})
from lens.commands import score_file
from lens.runs import processes

def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)

if __name__ == "__main__":
    sys.exit(score_file.main(sys.argv[1:]))
else:
    processes.score_block = die
"""


def killed(tmp_path: Path, most: int, apart: int, arguments: list[str]) -> subprocess.Popen[str]:
    """The command whose processes are killed."""
    script = tmp_path / "killer.py"
    script.write_text(KILLER, "utf-8")
    return started(
        str(script), str(SPACE), f"{arguments[arguments.index('--out') + 1]}.parts", str(most), str(apart), *arguments
    )


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_lost_processes_cost_time_and_nothing_else(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = written(tmp_path / "many.jsonl", rows_of(120))
    lost = killed(tmp_path, 1, 8, command(source, tmp_path / "lost.jsonl", "--workers", "2"))
    script = tmp_path / "dying.py"
    script.write_text(DYING.format(space=str(SPACE)), "utf-8")
    dying = started(str(script), *command(source, tmp_path / "dying.jsonl", "--workers", "2"))
    assert score_file.main(command(source, tmp_path / "one.jsonl")) == 0
    out, _ = ended(lost, 0)
    assert out == capsys.readouterr().out
    assert (tmp_path / "lost.jsonl").read_bytes() == (tmp_path / "one.jsonl").read_bytes()
    out, told = ended(dying, 1)
    assert "were ended from outside 3 times in a row" in told
    assert "fewer than 2 --workers" in told
    assert not (tmp_path / "dying.jsonl").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no group of processes a Ctrl-C")
def test_ctrl_c_ends_all_processes_and_judges_are_asked_from_one(source: str, tmp_path: Path) -> None:
    out = tmp_path / "out.parquet"
    with JudgeServer(held_after(TWO_BLOCKS)) as server:
        more = asked(server, "--workers", "2", "--set", "eve_judge.max_concurrency=3")
        process = started(str(SPACE / "score.py"), *command(source, out, *more))
        server.wait(lambda one: len(one.requests) == TWO_BLOCKS + 3)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to all of them
        printed, told = ended(process, 130)
        assert server.keys == {KEY}
        assert server.most_in_flight == 3
    until(lambda: not alive(process.pid))
    parts = tmp_path / "out.parquet.parts"
    assert f"What is finished lies in {parts}: the same command goes on from there." in told
    assert len(list(parts.glob("_run/0*.json"))) == 2
    everything = b"".join(path.read_bytes() for path in parts.rglob("*") if path.is_file())
    assert b"eve_judge" in everything
    assert "secret" not in printed + told + everything.decode("latin-1")


# What a process that scores has of the environment.
SEEN = """
import os, sys
sys.path.insert(0, sys.argv[1])
from lens.runs import processes
from lens.scoring.rows import Scorer

if __name__ == "__main__":
    with processes.Workers(2, [Scorer("rouge")], None, "MY_KEY") as found:
        print(*(found.pool.submit(os.getenv, name).result() for name in ("MY_KEY", "OMP_NUM_THREADS", "HOME")))
        print(*(b"MY_KEY" in open(f"/proc/{one}/environ", "rb").read() for one in found.pool._processes))
    print(os.environ["MY_KEY"])
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_processes_get_no_key_and_their_share_of_threads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    script = tmp_path / "seen.py"
    script.write_text(SEEN, "utf-8")
    out, _ = ended(started(str(script), str(SPACE)), 0)
    first, second, third = out.splitlines()
    assert first == f"None {max(1, processes.cores() // 2)} {os.environ['HOME']}"
    assert set(second.split()) == {"False"}
    assert third == KEY


SECRET = "https://me:sk-secret@host:8000/v1?token=sk-secret#sk-secret"


def test_what_is_noted_of_a_run_holds_no_secret() -> None:
    settings = {"api_key": KEY, "base_url": SECRET, "extra_body": {"user": KEY}, "model": f"m-{KEY}", "cache": "x"}
    told = runs.settings_of(Scorer("eve_judge", {**settings, "temperature": 0.5}, KEY))[1]
    assert (told["base_url"], told["temperature"], told["model"]) == ("https://host:8000/v1", 0.5, "m-[key]")
    assert sorted(told) == ["base_url", "extra_body", "model", "temperature"]
    assert "secret" not in json.dumps(told)
    other = runs.settings_of(Scorer("eve_judge", {**settings, "extra_body": {}}, KEY))[1]
    assert told["extra_body"] != other["extra_body"]


@pytest.mark.parametrize("given", ["0", "257", "-1", "1.5", "two"])
def test_a_number_of_processes_that_makes_no_sense_is_refused(
    given: str, source: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as leaving:
        score_file.main([source, f"--workers={given}"])
    assert leaving.value.code == 2
    assert "a whole number from 1 to 256 is expected" in capsys.readouterr().err


GOOD = {"reference": "a", "prediction": "b"}
TABLES: list[Rows] = [
    rows_of(),
    [{"reference": "a", "answer": "b"}, {**GOOD, "answer": 7}],
    [{"reference": "a", "note": "b"}, {**GOOD, "note": 7}],
    [{"reference": None}, GOOD, {"reference": ["x"], "prediction": None}],
    [GOOD, {**GOOD, "prediction": 7}, {"reference": 7, "prediction": "b"}],
    [GOOD, {**GOOD, "prediction": 7}, {**GOOD, "response": 8, "note": []}],
    [GOOD, {**GOOD, "reference": []}, 7],  # type: ignore[list-item]
    [{**GOOD, "kind": str(number)} for number in range(300)],
    [{**GOOD, "kind": "a"}, {**GOOD, "reference": 1.5, "kind": "b"}, *({"kind": number} for number in range(300))],
    [{"note": "a"}, {"reference": "a"}],
    [{"reference": "a", "prediction": None}, {"reference": None, "prediction": "a"}],
    [],
]


@pytest.mark.parametrize("rows", TABLES)
@pytest.mark.parametrize("group", ["kind", None])
def test_one_reading_finds_what_two_find(rows: Rows, group: str | None, tmp_path: Path) -> None:
    source = sources.source_of(written(tmp_path / "t.jsonl", rows))
    named = {"group": group}

    def twice() -> sources.Scan:
        noted, count = Kinds(), 0
        for count, row in enumerate(source.rows(), 1):  # noqa: B007 (counted for what comes after)
            noted.add(row)
        if not count:
            raise BadTable(say("f_no_rows", name=source.name))
        kinds = noted.found()
        return sources.scan(source, chosen(list(kinds), named), kinds, "/", True)

    def told(read: Callable[[], sources.Scan]) -> sources.Scan | str:
        try:
            return read()
        except BadTable as error:
            return str(error)

    assert told(lambda: surveyed(source, named, "/", True)) == told(twice)


@pytest.mark.parametrize(("most", "first", "second"), [(18, True, False), (17, True, True), (7, False, True)])
@pytest.mark.parametrize(("chosen", "drawn"), [("en", "bootstrap"), ("zh", "自助法")])
def test_a_report_says_how_its_intervals_were_computed(
    most: int, first: bool, second: bool, chosen: str, drawn: str, tmp_path: Path, source: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr(intervals, "MOST_RESAMPLED", most)
    report, other = tmp_path / "report.md", written(tmp_path / "other.jsonl", rows_of(right=2))
    more = ["--group", "kind", "--language", chosen, "--report", str(report)]
    assert score_file.main([source, "--metrics", "rouge", *more]) == 0
    text = report.read_text("utf-8")
    assert (drawn in text, "s/√n" in text) == (first, second)
    assert score_file.main([source, "--metrics", "rouge", "--against", other, *more]) == 0
    told = next(line for line in report.read_text("utf-8").split("\n") if "p-value" in line or "p 值" in line)
    assert (drawn in told, "s/√n" in told) == (most > 17, most < 18)
