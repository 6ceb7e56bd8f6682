"""score.py with many rows: blocks, processes, and runs that resume after an interruption."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import fsspec
import pytest
from lens.commands import inputs
from lens.scoring.block_scores import BlockResult
from lens.scoring.scorer import Scorer
from lens.study.engines import blocks, processes, resume
from lens.study.engines.blocks import Block, score_block
from lens.study.scored_file import ScoredFileSchema
from lens.study.study import Study
from lens.tables.write import write_rows

from tests.demo.command_runs import (
    KEY,
    SPACE,
    Command,
    judge_options,
    make_mixed_rows,
    read_folder,
    start_python,
    write_jsonl,
)
from tests.support import judges
from tests.support.judge_server import JudgeServer, Reply, Request, make_verdict
from tests.support.processes import wait_until

# Five blocks; the last one has three rows.
ROWS = 19
BLOCK_ROWS = 4
BLOCKS = 5
# The judge's replies for two blocks: one row of the second block has no reference.
REPLIES_OF_TWO_BLOCKS = 2 * BLOCK_ROWS - 1
posix = pytest.mark.skipif(
    sys.platform == "win32", reason="Windows has no groups of processes and no SIGKILL"
)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A file with rows to score."""
    return write_jsonl(tmp_path / "rows.jsonl", make_mixed_rows(ROWS))


def make_arguments(source: Path, out: Path | str, *more: object) -> list[str]:
    """Return the arguments of a run in small blocks."""
    options = ["--metrics", "rouge", "bleu", "--block-rows", BLOCK_ROWS, "--out", out]
    return list(map(str, [source, *options, *more]))


def judge_arguments(server: JudgeServer, *more: str) -> list[str]:
    """Return the arguments of a judge without a cache."""
    return ["--metrics", "rouge", "eve_judge", *judge_options(server), *more]


def raise_interrupt() -> None:
    """Raise the exception of Ctrl-C."""
    raise KeyboardInterrupt


def raise_full_disk(*_: Any) -> None:
    """Raise the exception of a full disk."""
    raise OSError(28, "No space left on device")


class BlockCounter:
    """Records the blocks that are scored in this process, except those of judges.

    Before block number `stop` is scored, `interrupt` is called once.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.numbers: list[int] = []
        self.stop = -1
        self.interrupt = raise_interrupt
        monkeypatch.setattr(blocks, "score_block", self.score)

    def score(self, scorers: Any, block: Block, *more: Any) -> BlockResult:
        if not scorers[0].metric.judge:
            if block.number == self.stop:
                self.stop = -1
                self.interrupt()
            self.numbers.append(block.number)
        return score_block(scorers, block, *more)

    def list_new_blocks(self) -> list[int]:
        """Return the numbers of the blocks that were scored since the last call."""
        numbers = self.numbers
        self.numbers = []
        return numbers


@pytest.fixture
def block_counter(monkeypatch: pytest.MonkeyPatch) -> BlockCounter:
    """The counter of scored blocks."""
    return BlockCounter(monkeypatch)


PLACES = [("csv", "{}/out"), ("jsonl", "memory://streaming{}/out"), ("parquet", "{}/out")]
# The block before which a run is interrupted, what interrupts it, the exit code, and a part of the
# message.
INTERRUPTIONS = [
    (1, raise_interrupt, 130, "interrupted"),
    (3, raise_full_disk, 1, "No space left on device"),
]


@pytest.mark.parametrize("kind_and_place", PLACES)
def test_an_interrupted_run_names_the_place_of_its_parts_and_resumes_from_them(
    kind_and_place: tuple[str, str],
    source: Path,
    tmp_path: Path,
    score: Command,
    block_counter: BlockCounter,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kind, place = kind_and_place
    out = f"{place.format(tmp_path)}.{kind}"
    filesystem, path = fsspec.core.url_to_fs(out)
    for stop, interrupt, code, words in INTERRUPTIONS:
        block_counter.stop = stop
        block_counter.interrupt = interrupt
        ran = score(*make_arguments(source, out))
        assert ran.code == code
        assert words in ran.err
        assert f"lies in {out}.parts: the same command goes on from there." in ran.err
    with monkeypatch.context() as patch:  # the disk is full while the rows are written
        patch.setattr(ScoredFileSchema, "make_row", raise_full_disk)
        ran = score(*make_arguments(source, out))
    assert ran.code == 1
    assert block_counter.list_new_blocks() == [0, 1, 2, 3, 4]
    assert "rows.jsonl: 12 of 19 rows are taken over" in ran.err
    assert not filesystem.exists(path)
    resumed = score(*make_arguments(source, out))
    assert resumed.code == 0
    assert block_counter.list_new_blocks() == []
    assert " 38/38 " in resumed.err
    out_at_once = tmp_path / f"at_once.{kind}"
    assert resumed.out == score(*make_arguments(source, out_at_once)).out
    assert filesystem.cat_file(path) == out_at_once.read_bytes()
    assert not filesystem.exists(f"{path}.parts/_run/run.json")
    # An existing file is not overwritten without --overwrite.
    refused = score(*make_arguments(source, out))
    assert "is there already. Name another file, or give --overwrite" in refused.err
    assert score(*make_arguments(source, out, "--overwrite")).code == 0


# A difference from the earlier run, and a part of the message.
OTHER_SETTINGS = [
    (["--metrics", "rouge"], '--metrics was ["rouge", "bleu"] and is ["rouge"]'),
    (["--set", "rouge.use_stemmer=true"], "set.rouge.use_stemmer was null and is true"),
    (["--block-rows", "5"], "--block-rows was 4 and is 5"),
    (["--separator", "/"], '--separator was "" and is "/"'),
    (["--group", "kind"], '--group was null and is "kind"'),
]


def test_parts_of_a_run_with_other_settings_are_refused_before_the_table_is_read(
    source: Path,
    tmp_path: Path,
    score: Command,
    block_counter: BlockCounter,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    out = tmp_path / "out.csv"
    block_counter.stop = 2
    score(*make_arguments(source, out))
    before = read_folder(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(inputs, "AnswerTable", None)
        for options, words in OTHER_SETTINGS:
            ran = score(*make_arguments(source, out, *options))
            assert ran.code == 2
            assert ran.out == ""
            assert words in ran.err
            assert "--restart to throw its parts away" in ran.err
            assert read_folder(tmp_path) == before
        write_jsonl(source, make_mixed_rows()[1:])
        assert "input.size was" in score(*make_arguments(source, out)).err
    block_counter.list_new_blocks()
    assert score(*make_arguments(source, out, "--restart", "--group", "kind")).code == 0
    assert block_counter.list_new_blocks() == [0, 1, 2, 3, 4]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.csv", "rows.jsonl"]


# The method before which the table changes, and its number of rows then.
CHANGES = [
    (Study, "score", ROWS - BLOCK_ROWS),
    (Study, "score", ROWS + BLOCK_ROWS),
    (Study, "list_scored_blocks", ROWS),
]


@pytest.mark.parametrize("change", CHANGES)
def test_a_table_that_changes_during_the_run_gives_no_result(
    change: tuple[Any, str, int],
    source: Path,
    tmp_path: Path,
    score: Command,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    owner, method, count = change
    out = tmp_path / "out.csv"
    original = getattr(owner, method)

    def change_table_first(*arguments: Any) -> Any:
        write_jsonl(source, make_mixed_rows(count, wrong_every=2))
        return original(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(owner, method, change_table_first)
        ran = score(*make_arguments(source, out))
    assert ran.code == 2
    assert ran.out == ""
    assert not out.exists()
    assert "rows.jsonl has changed since it was first read" in ran.err
    assert score(*make_arguments(source, out, "--restart")).code == 0


def test_damaged_parts_and_parts_of_another_run_are_scored_again(
    source: Path,
    tmp_path: Path,
    score: Command,
    block_counter: BlockCounter,
) -> None:
    out = tmp_path / "out.parquet"
    run = tmp_path / "out.parquet.parts" / "_run"
    block_counter.stop = 4
    score(*make_arguments(source, out))
    _first, second, _third, fourth, _settings = sorted(run.iterdir())
    second.write_bytes(second.read_bytes()[:-9])
    _, _, part_of_name = fourth.name.partition("-")
    fourth.rename(run / f"another-{part_of_name}")
    block_counter.list_new_blocks()
    assert score(*make_arguments(source, out)).code == 0
    assert block_counter.list_new_blocks() == [1, 2, 3, 4]
    assert not run.parent.exists()
    out_at_once = tmp_path / "at_once.parquet"
    assert score(*make_arguments(source, out_at_once)).code == 0
    assert out.read_bytes() == out_at_once.read_bytes()


def test_rows_can_be_written_to_a_folder_of_pieces(
    source: Path,
    tmp_path: Path,
    score: Command,
    block_counter: BlockCounter,
) -> None:
    from pyarrow import parquet

    one_file = tmp_path / "one.parquet"
    pieces = tmp_path / "pieces"
    assert score(*make_arguments(source, one_file)).code == 0
    first = score(*make_arguments(source, f"{pieces}/"))
    names = [f"part-{number:06}.parquet" for number in range(BLOCKS)]
    assert sorted(path.name for path in pieces.glob("*.parquet")) == names
    assert parquet.read_table(pieces).to_pylist() == parquet.read_table(one_file).to_pylist()
    block_counter.list_new_blocks()
    assert score(*make_arguments(source, f"{pieces}/")).out == first.out
    assert block_counter.list_new_blocks() == []
    assert score(*make_arguments(source, f"{tmp_path}/lines.jsonl/")).code == 0
    lines = sorted((tmp_path / "lines.jsonl").glob("part-*.jsonl"))
    assert [len(path.read_text("utf-8").splitlines()) for path in lines] == [4, 4, 4, 4, 3]
    # --restart removes all pieces of the earlier run.
    assert score(*make_arguments(source, f"{pieces}/", "--restart", "--block-rows", "10")).code == 0
    assert sorted(path.name for path in pieces.glob("*.parquet")) == names[:2]


def test_blocks_of_a_second_system_are_not_scored_again(
    source: Path,
    tmp_path: Path,
    score: Command,
    block_counter: BlockCounter,
) -> None:
    second = write_jsonl(tmp_path / "second.jsonl", make_mixed_rows(wrong_every=2)[::-1])
    out = tmp_path / "out.csv"
    out_at_once = tmp_path / "at_once.csv"

    def make_two_system_arguments(target: Path) -> list[str]:
        first, *options = make_arguments(source, target, "--id", "id")
        return [first, str(second), *options]

    # The first run ends within the first system, the next one within the second.
    block_counter.stop = 3
    score(*make_two_system_arguments(out))
    assert block_counter.list_new_blocks() == [0, 1, 2]
    block_counter.stop = 2
    score(*make_two_system_arguments(out))
    assert block_counter.list_new_blocks() == [3, 4, 0, 1]
    resumed = score(*make_two_system_arguments(out))
    assert block_counter.list_new_blocks() == [2, 3, 4]
    assert resumed.out == score(*make_two_system_arguments(out_at_once)).out
    assert out.read_bytes() == out_at_once.read_bytes()


def test_a_block_with_a_missing_verdict_is_judged_again(
    source: Path,
    tmp_path: Path,
    score: Command,
    block_counter: BlockCounter,
) -> None:
    def refuse_row_nine(request: Request, number: int) -> Reply:
        if "number 9?" in request.prompt:
            return make_verdict("I would rather not.")
        return judges.compare_texts(request)

    with JudgeServer(refuse_row_nine) as server:
        judge = judge_arguments(server, "--set", "eve_judge.max_concurrency=2")
        arguments = make_arguments(source, f"{tmp_path}/out/", *judge)
        assert score(*arguments).code == 0
        port = server.port
    block_counter.list_new_blocks()
    with JudgeServer(judges.compare_texts, port) as server:
        assert score(*arguments).code == 0
        assert len(server.requests) == BLOCK_ROWS
        assert block_counter.list_new_blocks() == [2]
    content = read_folder(tmp_path / "out")
    assert b"eve_judge" in content
    assert b"secret" not in content


def test_two_processes_give_the_results_of_one_even_if_a_metric_stops(
    source: Path,
    tmp_path: Path,
    score: Command,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Otherwise the misspelled setting would be refused before the run.
    monkeypatch.setattr(Scorer, "find_refused_setting", lambda self: "")
    options = ["--set", "rouge.use_stammer=true", "--group", "kind", "--workers"]
    with_one = score(*make_arguments(source, tmp_path / "1.jsonl", *options, "1"))
    with_two = score(*make_arguments(source, tmp_path / "2.jsonl", *options, "2"))
    assert with_one.code == 1
    assert "use_stammer" in with_one.out
    assert with_two.code == 1
    assert with_two.out == with_one.out
    assert (tmp_path / "2.jsonl").read_bytes() == (tmp_path / "1.jsonl").read_bytes()


def wait_for_end(process: subprocess.Popen[str], code: int) -> tuple[str, str]:
    """Wait for the end of a process and return its output and its messages.

    Checks its exit code, and that no process of its group is left.
    """
    printed, messages = process.communicate(timeout=300)
    assert process.returncode == code, messages
    assert "Traceback" not in messages
    wait_until(lambda: not has_process(process.pid))
    return printed, messages


def has_process(group: int) -> bool:
    """Return whether a group has a process."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def hold_after(count: int) -> Callable[[Request, int], Reply]:
    """Return the replies of a judge that answers `count` requests and holds back the others."""

    def answer_request(request: Request, number: int) -> Reply:
        reply = judges.compare_texts(request)
        return reply if number < count else Reply(reply.body, way="held")

    return answer_request


@posix
@pytest.mark.parametrize("end", ["Ctrl-C", "kill"])
def test_a_killed_or_interrupted_run_ends_its_processes_and_can_be_resumed(
    end: str,
    source: Path,
    tmp_path: Path,
    score: Command,
    block_counter: BlockCounter,
) -> None:
    out_at_once = tmp_path / "at_once.parquet"
    out = tmp_path / "out.parquet"
    parts = tmp_path / "out.parquet.parts"
    concurrency = ["--set", "eve_judge.max_concurrency=3"]
    with JudgeServer(hold_after(REPLIES_OF_TWO_BLOCKS)) as server:
        judge = judge_arguments(server, *concurrency, "--workers", "2")
        process = start_python(SPACE / "score.py", *make_arguments(source, out, *judge))
        server.wait(lambda judge: len(judge.requests) == REPLIES_OF_TWO_BLOCKS + 3)
        if end == "kill":
            process.kill()
            wait_for_end(process, -signal.SIGKILL)
        else:
            # A terminal sends Ctrl-C to the whole group.
            os.killpg(process.pid, signal.SIGINT)
            printed, messages = wait_for_end(process, 130)
            assert f"lies in {parts}: the same command goes on from there." in messages
            assert "secret" not in printed + messages
        assert server.keys == {KEY}
        assert server.most_in_flight == 3
        port = server.port
    assert b"secret" not in read_folder(parts)
    assert not out.exists()
    with JudgeServer(judges.compare_texts, port) as server:
        judge = judge_arguments(server, *concurrency)
        resumed = score(*make_arguments(source, out, *judge))
        assert resumed.code == 0
        assert block_counter.list_new_blocks() == [2, 3, 4]
        # One row has no reference.
        assert len(server.requests) == ROWS - 1 - REPLIES_OF_TWO_BLOCKS
        assert resumed.out == score(*make_arguments(source, out_at_once, *judge)).out
    assert out.read_bytes() == out_at_once.read_bytes()
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {"rows.jsonl", out_at_once.name, out.name}


# A program that kills itself after it wrote the scored rows and the first report, and before it
# writes the second report.
KILLED = """
import os, signal, sys
sys.path.insert(0, {space!r})
from lens.commands import results, score_file

format_report = results.format_report

def format_or_die(report, kind):
    if kind == ".json":
        os.kill(os.getpid(), signal.SIGKILL)
    return format_report(report, kind)

results.format_report = format_or_die
sys.exit(score_file.main(sys.argv[1:]))
"""


def read_scored(path: Path) -> list[bytes]:
    """Return the content of a scored file, or of each piece in a folder."""
    files = sorted(path.glob("part-*")) if path.is_dir() else [path]
    return [file.read_bytes() for file in files]


@posix
@pytest.mark.parametrize("place", ["out.csv", "out/"])
def test_a_run_killed_between_writing_two_files_resumes_with_the_same_command(
    place: str,
    source: Path,
    tmp_path: Path,
    score: Command,
    block_counter: BlockCounter,
) -> None:
    (tmp_path / "killed.py").write_text(KILLED.format(space=str(SPACE)), "utf-8")
    first_report = tmp_path / "report.md"
    second_report = tmp_path / "report.json"
    reports = ["--report", first_report, "--report", second_report]
    arguments = make_arguments(source, f"{tmp_path}/{place}", *reports)
    wait_for_end(start_python(tmp_path / "killed.py", *arguments), -signal.SIGKILL)
    scored = read_scored(tmp_path / place)
    assert first_report.exists()
    assert not second_report.exists()

    # A report that the user has changed is not overwritten.
    report = first_report.read_text("utf-8")
    first_report.write_text("my notes", "utf-8")
    refused = score(*arguments)
    assert refused.code == 2
    assert "report.md cannot be written: it is there already" in refused.err
    first_report.unlink()

    resumed = score(*arguments)
    assert resumed.code == 0
    assert block_counter.list_new_blocks() == []
    assert f"{ROWS} of {ROWS} rows are taken over from an earlier run" in resumed.err
    assert read_scored(tmp_path / place) == scored
    assert first_report.read_text("utf-8") == report
    assert second_report.exists()
    # Finished files are not overwritten without --overwrite.
    assert "it is there already" in score(*arguments).err
    assert not (tmp_path / "out.csv.parts").exists()
    assert score(*arguments, "--overwrite").code == 0


# A program whose scoring processes print a part of their environment. The one with block 3 dies.
DYING = """
import os, signal, sys
sys.path.insert(0, {space!r})
from lens.commands import score_file
from lens.study.engines import processes

score_packed = processes.score_packed

def print_environment(metrics, block):
    at_start = open("/proc/self/environ", "rb").read()
    threads, home = os.environ["OMP_NUM_THREADS"], os.environ["HOME"]
    values = (os.getenv("MY_KEY"), threads, home, b"MY_KEY" in at_start)
    # In one call, because two processes print at the same time.
    os.write(1, (" ".join(map(str, values)) + chr(10)).encode())
    if block.number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return score_packed(metrics, block)

if __name__ == "__main__":
    sys.exit(score_file.main(sys.argv[1:]))
else:
    processes.score_packed = print_environment
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_scoring_processes_get_no_key_and_fewer_threads_and_a_lost_one_ends_the_run(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    (tmp_path / "dying.py").write_text(DYING.format(space=str(SPACE)), "utf-8")
    options = ["--workers", "2", "--key-variable", "MY_KEY"]
    arguments = make_arguments(source, tmp_path / "out.csv", *options)
    printed, messages = wait_for_end(start_python(tmp_path / "dying.py", *arguments), 1)
    assert "were ended from outside" in messages
    assert "fewer than 2 --workers" in messages
    threads = max(1, processes.count_cores() // 2)
    environment = f"None {threads} {os.environ['HOME']} False"
    assert set(printed.splitlines()) == {environment}
    assert not (tmp_path / "out.csv").exists()


def test_the_recorded_settings_of_a_run_hold_no_secret() -> None:
    address = "https://me:sk-secret@host:8000/v1?token=sk-secret#sk-secret"
    settings = {
        "api_key": KEY,
        "base_url": address,
        "extra_body": {"user": KEY},
        "model": f"m-{KEY}",
        "cache": "x",
    }
    recorded = resume.list_settings(Scorer("eve_judge", settings | {"temperature": 0.5}, KEY))
    digest = recorded.pop("set.eve_judge.extra_body")
    assert recorded == {
        "version.eve_judge": "",
        "set.eve_judge.base_url": "https://host:8000/v1",
        "set.eve_judge.temperature": 0.5,
        "set.eve_judge.model": "m-[key]",
    }
    assert "secret" not in digest
    without_body = resume.list_settings(Scorer("eve_judge", settings | {"extra_body": {}}, KEY))
    assert digest != without_body["set.eve_judge.extra_body"]


@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet"])
def test_the_memory_of_a_run_does_not_grow_with_its_rows(
    kind: str, tmp_path: Path, score: Command
) -> None:
    def measure_peak(count: int) -> int:
        """Return the peak of memory while `count` rows are read, scored and written."""
        source = tmp_path / f"{count}.{kind}"
        out = tmp_path / f"{count}.out.{kind}"
        rows = (
            {"prediction": f"{number} " * 500, "reference": str(number)} for number in range(count)
        )
        with source.open("wb") as file:
            write_rows(file, kind, rows, {"prediction": "text", "reference": "text"})
        options = ["--metrics", "lv_eval_f1", "--block-rows", "50", "--out", out]
        gc.collect()
        tracemalloc.start()
        assert score(source, *options).code == 0
        _current, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return peak

    # The first run imports and caches; four times as many rows may take 20% and 300 kB more.
    measure_peak(50)
    assert measure_peak(800) < 1.2 * measure_peak(200) + 300_000
