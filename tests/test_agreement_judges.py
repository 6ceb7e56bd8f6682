"""`make agreement` with a judge: the cost before the first question, a seeded sample, no verdict made of a failure."""

import io
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks import agreement, judged, verdicts
from tests.benchmarks.series import Models, Series
from tests.support import models
from tests.support.judge_server import JudgeServer, Reply, Request, error
from tests.support.judges import compared
from tests.support.project import ROOT
from tests.test_agreement import made_up

KEY = "sk-agreement-secret"
Run = Callable[..., int]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Return what runs the command on a made-up file, with its own cache and a key that must not be seen."""
    path = made_up(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("MY_KEY", KEY)
    # Without the models of the embedding scores, which are no concern here.
    monkeypatch.setattr(agreement, "every", lambda found, chosen: [Series("bleu", "bleu", "", noise(found))])

    def command(server: JudgeServer, *more: str) -> int:
        asked = ["--base-url", server.url, "--model", "judge-1", "--key-variable", "MY_KEY", "--sample", "10"]
        return agreement.main(["--data", str(path), "--json", str(tmp_path / "out.json"), *asked, *more])

    return command


def noise(found: verdicts.Verdicts) -> Any:
    """Return a score that says nothing."""
    import numpy as np

    return np.arange(len(found.answers)) % 7 / 7.0


def out(folder: Path) -> dict[str, Any]:
    """Return the figures of the made-up file."""
    found: dict[str, Any] = json.loads((folder / "out.json").read_text("utf-8"))["data"]["made_up"]
    return found


def test_without_a_yes_the_cost_is_said_and_nothing_is_asked(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    with JudgeServer(compared) as server:
        assert run(server) == 2
        assert not server.requests
    said = capsys.readouterr()
    assert "A sample of 10 questions with 30 answers." in said.out
    for judge in ("eve_judge", "l3score"):
        assert f"{judge}: 30 answers take 60 calls, 0 more are in the cache; about" in said.out
    assert "nothing was asked" in said.err
    assert not (tmp_path / "out.json").exists()


@pytest.mark.parametrize(("typed", "code"), [("y", 0), ("yes", 0), ("", 2), ("no", 2)])
def test_at_a_terminal_the_answer_decides(
    typed: str, code: int, run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", lambda prompt: typed)
    with JudgeServer(compared) as server:
        assert run(server) == code
        assert bool(server.requests) == (code == 0)


def test_both_judges_are_measured_on_the_sample_and_kept_beside_the_scores(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with JudgeServer(compared) as server:
        assert run(server, "--yes") == 0
        asked = len(server.requests)
        assert run(server, "--yes") == 0
        assert len(server.requests) == asked == 2 * 60
    entry = out(tmp_path)
    assert list(entry["scores"]) == ["bleu"]
    assert list(entry["judges"]) == ["eve_judge judge-1", "l3score judge-1"]
    for found in entry["judges"].values():
        assert (found["questions"], found["overall"]["answers"], found["unscored"]) == (10, 30, {})
        # The server finds equal texts equal: the first system says no more than the reference, the others do.
        assert found["systems"]["one"]["auroc"] == 1.0
        assert found["systems"]["two"]["auroc"] == 0.5
    said = capsys.readouterr()
    assert "`eve_judge` (judge-1), 10 questions" in said.out
    assert KEY not in said.out + said.err + (tmp_path / "out.json").read_text("utf-8")


def test_a_sample_is_the_same_each_time_and_all_where_there_are_fewer(tmp_path: Path) -> None:
    found = verdicts.read(made_up(tmp_path))
    part = judged.sampled(found, 10)
    assert part == judged.sampled(found, 10)
    assert len(part.questions) == 10
    assert {one.question for one in part.answers} == {*range(10)}
    at = {question: found.references[found.questions.index(question)] for question in part.questions}
    assert [at[question] for question in part.questions] == list(part.references)
    assert judged.sampled(found, 1000).answers == found.answers


def test_what_failed_is_unscored_and_counted(run: Run, tmp_path: Path) -> None:
    def sometimes(request: Request, number: int) -> Reply:
        return (
            error(400, "too long")
            if "Person7 " in request.prompt or "Person3 " in request.prompt
            else compared(request)
        )

    with JudgeServer(sometimes) as server:
        assert run(server, "--yes", "--sample", "40") == 0
    for found in out(tmp_path)["judges"].values():
        failed = sum(found["unscored"].values())
        assert 0 < failed < 20
        assert found["overall"]["answers"] == 120 - failed


def test_a_judge_that_has_to_stop_does_not_cost_the_other(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def without_logprobs(request: Request, number: int) -> Reply:
        return error(401, "bad key") if request.body.get("logprobs") else compared(request)

    with JudgeServer(without_logprobs) as server:
        assert run(server, "--yes") == 0
        assert list(out(tmp_path)["judges"]) == ["eve_judge judge-1"]
        said = capsys.readouterr().err
        assert said.count("l3score: ") == 1
        assert run(server, "--yes", "--judges", "l3score") == 2
    said += capsys.readouterr().err
    assert "no judge could be measured" in said
    assert KEY not in said


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["--model", "m"], "--model: its --provider is missing, or a --base-url"),
        (["--provider", "openai"], "--provider: its --model is missing"),
        (["--model", "m", "--provider", "openai", "--sample", "0"], "--sample: 0 questions"),
        (["--model", "m", "--provider", "openai", "--key-variable", "NOT_THERE"], "NOT_THERE is empty"),
    ],
)
def test_judges_asked_for_in_part_are_refused(
    given: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        agreement.main(["--data", str(made_up(tmp_path)), *given])
    assert message in capsys.readouterr().err


def test_a_model_of_the_hub_comes_from_the_users_own_cache(tmp_path: Path) -> None:
    models.put("someone/small", lambda folder: models.tiny_bert(folder), str(tmp_path))
    path = made_up(tmp_path, 4)
    program = (
        "import sys; from pathlib import Path; from tests.benchmarks import agreement, series, verdicts;"
        "found = series.every(verdicts.read(Path(sys.argv[1])), series.Models(bertscore='someone/small', layers=2),"
        "series.WAYS[-1:]); print([one.model for one in found])"
    )
    environment = {"HF_HUB_CACHE": str(tmp_path), "HF_HUB_OFFLINE": "1", "PATH": "", "HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", program, str(path)],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "['someone/small', 'someone/small', 'someone/small']" in done.stdout, done.stderr[-2000:]


def test_a_folder_gives_a_model_no_more_than_its_own_name(tmp_path: Path) -> None:
    assert Models(embedding=str(tmp_path)).name("cosine_similarity") == tmp_path.name
    assert Models(embedding="org/name").name("cosine_similarity") == "org/name"
    assert Models().name("cosine_similarity") == "all-MiniLM-L6-v2"
    assert Models().name("bleu") == ""
