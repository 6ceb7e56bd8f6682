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

import fsspec
import pytest
from fsspec.implementations.local import LocalFileSystem
from lens.commands import score_file
from lens.runs import processes, resume, scored_table
from lens.runs.blocks import Block, Outcome, score_block
from lens.runs.parts import Parts
from lens.scoring.rows import Scorer

from tests.support import judges
from tests.support.judge_server import JudgeServer, Reply, Request, verdict
from tests.support.processes import search_path, until
from tests.support.project import ROOT

SPACE = ROOT / "spaces" / "answer_lens"
KEY = "sk-secret-123456789"
KINDS = ("csv", "jsonl", "parquet")
# Five blocks of four rows, but for the last, which has one less.
ROWS, SIZE, BLOCKS = 19, 4, 5
# Answers to two blocks of rows, of which the second has a row without one.
TWO_BLOCKS = 2 * SIZE - 1
Rows = list[dict[str, Any]]
posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no groups of processes and no SIGKILL")


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


def written(path: Path, rows: Rows) -> str:
    """Write rows as JSON Lines."""
    path.write_text("\n".join(json.dumps(row) for row in rows), "utf-8")
    return str(path)


@pytest.fixture
def source(tmp_path: Path) -> str:
    """A file of rows."""
    return written(tmp_path / "rows.jsonl", rows_of())


def command(source: str, out: Path | str, *more: str) -> list[str]:
    """The arguments of a run in small blocks."""
    return [source, "--metrics", "rouge", "bleu", "--block-rows", str(SIZE), "--out", str(out), *more]


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


def started(*arguments: str) -> subprocess.Popen[str]:
    """The command in a process, and a group of processes, of its own."""
    environment = {**os.environ, "PYTHONPATH": search_path("rouge"), "HF_HUB_OFFLINE": "1", "MY_KEY": KEY}
    return subprocess.Popen(
        [sys.executable, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment,
        start_new_session=True,
    )  # fmt: skip


def ended(process: subprocess.Popen[str], code: int) -> tuple[str, str]:
    """What a process printed, once it has ended as it should, and none that it started is there any more."""
    out, error = process.communicate(timeout=300)
    assert process.returncode == code, error
    assert "Traceback" not in error
    until(lambda: not alive(process.pid))
    return out, error


def alive(group: int) -> bool:
    """Whether any process of a group is there."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def in_folder(folder: Path) -> bytes:
    """All that lies in the files of a folder."""
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


class Counted:
    """Which blocks are written in this process; before that of block `stop` something happens."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.numbers: list[int] = []
        self.stop, self.happening = -1, lambda: None
        monkeypatch.setattr(scored_table, "score_block", self.score)

    def score(self, scorers: Any, block: Block, *more: Any) -> Outcome:
        """Score a block, and note it."""
        if not scorers[0].metric.judge:
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


def full() -> None:
    """What a disk brings about that is full."""
    raise OSError(28, "No space left on device")


# By what a run is broken off, its exit code, and the words.
INTERRUPTIONS = [(interrupted, 130, "interrupted"), (full, 1, "No space left on device")]


@pytest.mark.parametrize("place", ["{}/out", "memory://streaming{}/out"])
@pytest.mark.parametrize("kind", KINDS)
def test_what_breaks_a_run_off_is_told_with_where_it_goes_on(
    kind: str, place: str, source: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], counted: Counted
) -> None:
    whole, out = tmp_path / f"whole.{kind}", f"{place.format(tmp_path)}.{kind}"
    filesystem, path = fsspec.core.url_to_fs(out)
    for stop, (happening, code, words) in zip((1, 3), INTERRUPTIONS, strict=True):
        assert counted.broken(stop, happening, command(source, out)) == code
        told = capsys.readouterr().err
        assert words in told
        assert f"What is finished lies in {out}.parts: the same command goes on from there." in told
        assert not filesystem.exists(path)
    assert counted.taken() == [0, 1, 2]
    assert score_file.main(command(source, out)) == 0
    assert counted.taken() == [3, 4]
    resumed = capsys.readouterr()
    assert "rows.jsonl: 3 of 5 blocks are taken over" in resumed.err
    assert "rouge: 19 of 19 rows" in resumed.err
    assert score_file.main(command(source, whole)) == 0
    assert (filesystem.cat_file(path), resumed.out) == (whole.read_bytes(), capsys.readouterr().out)
    assert not filesystem.exists(f"{path}.parts/_run/run.json")
    # What is there is not written over unasked.
    assert score_file.main(command(source, out)) == 2
    assert "is there already. Name another file, or give --overwrite" in capsys.readouterr().err
    assert score_file.main(command(source, out, "--overwrite")) == 0


# What another run differs in, and how that is called.
OTHERS = [
    (["--metrics", "rouge"], '--metrics was ["rouge", "bleu"] and is ["rouge"]'),
    (["--set", "rouge.use_stemmer=true"], "set.rouge.use_stemmer was null and is true"),
    (["--block-rows", "5"], "--block-rows was 4 and is 5"),
    (["--separator", "/"], '--separator was "" and is "/"'),
    (["--group", "kind"], '--group was null and is "kind"'),
]


def test_the_parts_of_another_run_are_refused_before_the_table_is_read(
    source: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], counted: Counted, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out.csv"
    counted.broken(2, interrupted, command(source, out))
    before = in_folder(tmp_path)
    capsys.readouterr()
    with monkeypatch.context() as patch:
        patch.setattr(score_file, "surveyed", None)
        for more, words in OTHERS:
            assert score_file.main(command(source, out, *more)) == 2
            told = capsys.readouterr()
            assert words in told.err
            assert "--restart to throw its parts away" in told.err
            assert told.out == ""
            assert in_folder(tmp_path) == before
        written(Path(source), [{**row, "question": "Another?"} for row in rows_of()])
        assert score_file.main(command(source, out)) == 2
        assert "input.size was" in capsys.readouterr().err
        (tmp_path / "out.csv.parts" / "_run" / "run.json").write_text('{"format', "utf-8")
        assert score_file.main(command(source, out)) == 2
        assert "which one cannot be read from its run.json" in capsys.readouterr().err
    counted.taken()
    assert score_file.main(command(source, out, "--restart", *OTHERS[-1][0])) == 0
    assert counted.taken() == [0, 1, 2, 3, 4]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.csv", "rows.jsonl"]


@pytest.mark.parametrize(("count", "more"), [(ROWS - SIZE, []), (ROWS, []), (ROWS + SIZE, []), (ROWS, ["--workers=2"])])
def test_a_table_that_changes_meanwhile_gives_no_result(
    count: int, more: list[str], source: str, tmp_path: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    take = scored_table.take_kept

    def meanwhile(*given: Any) -> set[int]:
        written(Path(source), rows_of(count, right=2))
        return take(*given)

    out = tmp_path / "out.csv"
    with monkeypatch.context() as patch:
        patch.setattr(scored_table, "take_kept", meanwhile)
        assert score_file.main(command(source, out, *more)) == 2
    told = capsys.readouterr()
    assert "rows.jsonl has changed since it was first read" in told.err
    assert told.out == ""
    assert not out.exists()
    assert score_file.main(command(source, out, "--restart")) == 0
    assert len(out.read_text("utf-8").split("\n")) == count + 2


def test_no_run_takes_what_another_has_not_cleared_away(
    source: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    others = [written(tmp_path / f"{right}.jsonl", rows_of(right=right)) for right in (2, 5)]
    remove, files = LocalFileSystem.rm_file, 3 * BLOCKS + 1
    for kept in (1, 9):
        out, removed = tmp_path / f"{kept}.csv", list[str]()

        def broken(self: Any, path: str, most: int = files - kept, removed: list[str] = removed) -> None:
            if len(removed) == most:
                raise KeyboardInterrupt
            removed.append(path)
            remove(self, path)

        with monkeypatch.context() as patch:
            patch.setattr(LocalFileSystem, "rm_file", broken)
            assert score_file.main(command(source, out, "--against", others[0])) == 130
        assert score_file.main(command(source, out, "--against", others[1], "--overwrite")) == 2
        (tmp_path / f"{kept}.csv.parts" / "_run" / "run.json").unlink()
        for piece in (tmp_path / f"{kept}.csv.parts").glob("part-*"):
            piece.unlink()
        assert score_file.main(command(source, out, "--against", others[1], "--overwrite")) == 0
        assert "taken over" not in capsys.readouterr().err


@posix
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


def test_damaged_parts_are_scored_again_and_what_no_run_wrote_is_left_alone(
    source: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], counted: Counted
) -> None:
    out, whole, parts = tmp_path / "out.parquet", tmp_path / "whole.parquet", tmp_path / "out.parquet.parts"
    parts.mkdir()
    (parts / "mine.csv").write_text("a", "utf-8")
    assert score_file.main(command(source, out)) == 2
    assert "“mine.csv”" in capsys.readouterr().err
    (parts / "mine.csv").unlink()
    counted.broken(4, interrupted, command(source, out))
    for name in ("_run/000000.json", "part-000001.parquet"):
        (parts / name).write_bytes((parts / name).read_bytes()[:-9])
    (parts / "part-000002.parquet").unlink()
    (parts / "_part-000003.parquet.77.new").write_bytes(b"half")
    (parts / "mine.csv").write_text("a", "utf-8")
    counted.taken()
    assert score_file.main(command(source, out)) == 0
    assert counted.taken() == [0, 1, 2, 4]
    assert [path.name for path in parts.iterdir()] == ["mine.csv"]
    assert score_file.main(command(source, whole)) == 0
    assert out.read_bytes() == whole.read_bytes()


def test_rows_can_stay_in_a_folder_of_pieces(
    source: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], counted: Counted
) -> None:
    from pyarrow import parquet

    whole, pieces = tmp_path / "whole.parquet", tmp_path / "pieces"
    assert score_file.main(command(source, whole)) == 0
    assert score_file.main(command(source, f"{pieces}/")) == 0
    first = capsys.readouterr().out
    names = [f"part-{number:06}.parquet" for number in range(BLOCKS)]
    assert sorted(path.name for path in pieces.glob("*.parquet")) == names
    assert parquet.read_table(pieces).to_pylist() == parquet.read_table(whole).to_pylist()
    counted.taken()
    assert score_file.main(command(source, f"{pieces}/")) == 0
    assert counted.taken() == []
    assert first.endswith(capsys.readouterr().out)
    assert score_file.main(command(source, f"{tmp_path}/lines.jsonl/")) == 0
    lines = sorted((tmp_path / "lines.jsonl").glob("part-*.jsonl"))
    assert [len(path.read_text("utf-8").splitlines()) for path in lines] == [4, 4, 4, 4, 3]


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
    everything = in_folder(tmp_path / "out")
    assert b"secret" not in everything
    assert b"eve_judge" in everything


def test_a_metric_that_stops_gives_no_later_score_in_whatever_process(
    source: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Scorer, "refused_setting", lambda self: "")
    found = []
    for workers in ("1", "2"):
        out = tmp_path / f"{workers}.jsonl"
        arguments = command(source, out, "--set", "rouge.use_stammer=true", "--workers", workers)
        assert score_file.main(arguments) == 1
        found.append((out.read_bytes(), capsys.readouterr().out))
    assert found[0] == found[1]
    assert "use_stammer" in found[0][1]


@posix
@pytest.mark.parametrize("way", ["Ctrl-C", "kill"])
def test_processes_end_with_the_run_which_goes_on_where_it_was(
    way: str, source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
    counted: Counted,
) -> None:  # fmt: skip
    monkeypatch.setenv("MY_KEY", KEY)
    whole, out, parts = tmp_path / "whole.parquet", tmp_path / "out.parquet", tmp_path / "out.parquet.parts"
    more = ["--set", "eve_judge.max_concurrency=3"]
    with JudgeServer(held_after(TWO_BLOCKS)) as server:
        process = started(str(SPACE / "score.py"), *command(source, out, *asked(server, *more, "--workers", "2")))
        server.wait(lambda one: len(one.requests) == TWO_BLOCKS + 3)
        if way == "kill":
            process.kill()
            ended(process, -signal.SIGKILL)
        else:
            os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to all of them
            printed, told = ended(process, 130)
            assert f"What is finished lies in {parts}: the same command goes on from there." in told
            assert "secret" not in printed + told
        assert (server.keys, server.most_in_flight) == ({KEY}, 3)
        port = server.port
    assert b"secret" not in in_folder(parts)
    assert not out.exists()
    with JudgeServer(judges.compared, port) as server:
        assert score_file.main(command(source, out, *asked(server, *more))) == 0
        assert len(server.requests) == ROWS - 1 - TWO_BLOCKS
        resumed = capsys.readouterr()
        assert counted.taken() == [2, 3, 4]
        assert score_file.main(command(source, whole, *asked(server, *more))) == 0
    assert resumed.out == capsys.readouterr().out
    assert out.read_bytes() == whole.read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(["rows.jsonl", whole.name, out.name])


# The process that scores block 3 is killed, as often as it is tried.
DYING = """
import os, signal, sys
sys.path.insert(0, {space!r})
from lens.commands import score_file
from lens.runs import processes

score = processes.score_block

def die(scorers, block):
    if block.number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return score(scorers, block)

if __name__ == "__main__":
    sys.exit(score_file.main(sys.argv[1:]))
else:
    processes.score_block = die
"""


@posix
def test_a_lost_process_ends_the_run_and_processes_give_what_one_gives(
    source: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script = tmp_path / "dying.py"
    script.write_text(DYING.format(space=str(SPACE)), "utf-8")
    arguments = command(source, tmp_path / "two.csv", "--workers", "2", "--group", "kind")
    _, told = ended(started(str(script), *arguments), 1)
    assert "were ended from outside" in told
    assert "fewer than 2 --workers" in told
    assert not (tmp_path / "two.csv").exists()
    out, told = ended(started(str(SPACE / "score.py"), *arguments), 0)
    assert score_file.main(command(source, tmp_path / "one.csv", "--group", "kind")) == 0
    assert out == capsys.readouterr().out
    assert (tmp_path / "two.csv").read_bytes() == (tmp_path / "one.csv").read_bytes()


# What a process that scores has of the environment.
SEEN = """
import os, sys
sys.path.insert(0, sys.argv[1])
from lens.runs import processes

def seen(*_):
    at_start = open("/proc/self/environ", "rb").read()
    print(os.getenv("MY_KEY"), os.environ["OMP_NUM_THREADS"], os.environ["HOME"], b"MY_KEY" in at_start, flush=True)

class Work:
    scorers, written = [], None
    blocks = lambda self: iter([None])

if __name__ == "__main__":
    list(processes.Processes(2, processes.key_variables("MY_KEY"))(Work(), None))
    print(os.environ["MY_KEY"])
else:
    processes.work_on = seen
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_processes_get_no_key_and_their_share_of_threads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    script = tmp_path / "seen.py"
    script.write_text(SEEN, "utf-8")
    out, _ = ended(started(str(script), str(SPACE)), 0)
    threads = max(1, processes.cores() // 2)
    assert out.splitlines() == [f"None {threads} {os.environ['HOME']} False", KEY]


def test_what_is_noted_of_a_run_holds_no_secret() -> None:
    address = "https://me:sk-secret@host:8000/v1?token=sk-secret#sk-secret"
    settings = {"api_key": KEY, "base_url": address, "extra_body": {"user": KEY}, "model": f"m-{KEY}", "cache": "x"}
    told = resume.settings_of(Scorer("eve_judge", {**settings, "temperature": 0.5}, KEY))
    assert told.pop("version.eve_judge") == ""
    digest = told.pop("set.eve_judge.extra_body")
    assert {name.rpartition(".")[2]: value for name, value in told.items()} == {
        "base_url": "https://host:8000/v1", "temperature": 0.5, "model": "m-[key]"
    }  # fmt: skip
    assert "secret" not in digest
    other = resume.settings_of(Scorer("eve_judge", {**settings, "extra_body": {}}, KEY))
    assert digest != other["set.eve_judge.extra_body"]


def test_a_part_is_there_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parts = Parts(str(tmp_path / "a"), "csv")
    parts.make()
    parts.write(parts.piece_name(0), b"whole")
    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", lambda self, to: full())
        with pytest.raises(OSError, match="No space"):
            parts.write(parts.piece_name(0), b"another")
    assert (parts.read(parts.piece_name(0)), parts.read(parts.piece_name(1))) == (b"whole", None)
    assert parts.sizes() == {"part-000000.csv": 5}
