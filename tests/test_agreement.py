"""`make agreement`: its figures, the file of verdicts, judges that are asked only after --yes."""

import doctest
import json
import re
from collections.abc import Callable, Sequence
from itertools import chain, product
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.benchmarks import agreement, figures, judged, pages, series, tables
from metrics.benchmarks.series import WAYS, Series
from metrics.training import estimate, verdicts
from tests.support import models, project
from tests.support.decision_server import DecisionServer
from tests.support.judge_server import JudgeServer, Reply, Request, make_error
from tests.support.judges import JUDGES, compare_texts

SYSTEMS = ("one", "two", "three")
WORDS = tuple(way for way in WAYS if way.module not in models.WITH_MODEL)
# The score, the verdict and the question of each answer.
ANSWERED = st.lists(
    st.tuples(st.integers(0, 4), st.booleans(), st.integers(0, 3)), min_size=1, max_size=12
).map(lambda rows: [np.array(column) for column in zip(*rows, strict=True)])
KEY = "sk-agreement-secret"


def compute_area_slowly(scores: Any, right: Any) -> float:
    """Return the AUROC by comparing every pair of a right and a wrong answer."""
    pairs = []
    for of_right, of_wrong in product(scores[right], scores[~right]):
        pairs.append((of_right > of_wrong) + (of_right == of_wrong) / 2)
    return float(np.mean(pairs)) if pairs else float("nan")


@given(
    ANSWERED, st.lists(st.lists(st.integers(0, 3), min_size=4, max_size=4), min_size=1, max_size=3)
)
def test_the_auroc_is_the_share_of_ordered_pairs_and_a_question_drawn_twice_counts_twice(
    answers: list[Any], drawn: list[list[int]]
) -> None:
    scores, right, question = answers
    assert figures.measure_auroc(scores, right) == pytest.approx(
        compute_area_slowly(scores, right), abs=1e-12, nan_ok=True
    )
    expected = []
    for questions in drawn:
        rows: list[int] = []
        for number in questions:
            rows += np.flatnonzero(question == number).tolist()
        area = compute_area_slowly(scores[rows], right[rows]) if rows else float("nan")
        expected.append(area)
    weights = np.stack([np.bincount(questions, minlength=4) for questions in drawn])
    weights = weights.astype(np.int32)
    with patch.object(figures, "MOST_IN_MEMORY", 1):  # one resample at a time
        found = figures.compute_areas(scores, right, question, weights)
    assert found == pytest.approx(expected, abs=1e-12, nan_ok=True)


@given(ANSWERED)
def test_the_best_threshold_is_the_lowest_one_with_the_highest_accuracy(answers: list[Any]) -> None:
    scores, right, _ = answers
    tried = {
        float(least): float(((scores >= least) == right).mean()) for least in [*scores, np.inf]
    }
    accuracy, threshold = figures.find_best_threshold(scores, right)
    assert accuracy == max(tried.values())
    least = min(score for score, reached in tried.items() if reached == accuracy)
    assert (np.inf if threshold is None else threshold) == least


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=6))
def test_tau_equals_that_of_scipy(means: list[tuple[int, int]]) -> None:
    from scipy.stats import kendalltau

    one, other = (np.array(side, float) for side in zip(*means, strict=True))
    found = figures.compute_taus(one[None], other[None])[0]
    assert found == pytest.approx(kendalltau(one, other).statistic, abs=1e-12, nan_ok=True)


def test_resamples_and_intervals_computed_by_hand() -> None:
    resamples = figures.draw_questions(50)
    assert (resamples.sum(axis=1) == 50).all()
    assert (resamples == figures.draw_questions(50)).all(), (
        "the same questions must be drawn at each call"
    )
    drawn = np.arange(2000.0)
    assert figures.find_interval(drawn) == (50.0, 1949.0), (
        "1/40 of the values is left out on each side"
    )
    assert figures.find_interval(np.where(drawn < 900, np.nan, drawn)) == (927.0, 1972.0)
    assert figures.find_interval(np.where(drawn < 1000, np.nan, drawn)) == (None, None)
    assert [doctest.testmod(module).failed for module in (figures, pages, tables, verdicts)] == [
        0
    ] * 4


# The file of verdicts


def make_verdicts_question(**changed: Any) -> dict[str, Any]:
    """Return a question with the answers of three systems; `changed` replaces its fields."""
    fields: dict[str, Any] = {
        "question": "Who wrote it?",
        "golden_answer": "Jane Austen/Austen",
        "improper": False,
    }
    for name, text, right in zip(
        SYSTEMS, ("Jane Austen", "It was Emily.", ""), (True, False, False), strict=True
    ):
        fields |= {f"answer_{name}": text, f"judge_{name}": right}
    return fields | changed


def read_questions(folder: Path, *rows: Any) -> verdicts.Verdicts:
    """Write questions to a file and read its verdicts."""
    path = folder / "made_up.json"
    path.write_text(json.dumps(rows, ensure_ascii=False), "utf-8-sig")
    return verdicts.read_verdicts(path)


def test_a_file_of_verdicts_is_read_and_omitted_questions_and_answers_are_counted(
    tmp_path: Path,
) -> None:
    bad = [
        make_verdicts_question(improper=True, judge_one="nan"),
        make_verdicts_question(golden_answer=" / "),
        make_verdicts_question(golden_answer=None),
    ]
    incomplete = make_verdicts_question(
        golden_answer=" a /b/ a", answer_one=float("nan"), judge_two="nan"
    )
    found = read_questions(tmp_path, make_verdicts_question(), *bad, incomplete)
    assert found.systems == SYSTEMS
    assert found.references == (("Jane Austen", "Austen"), ("a", "b"))
    answers = [(item.question, item.system, item.text, item.right) for item in found.answers]
    assert answers[:2] == [(0, "one", "Jane Austen", True), (0, "two", "It was Emily.", False)]
    assert answers[2:] == [(0, "three", "", False), (1, "three", "", False)]
    assert found.left_out == {
        "questions marked improper": 1,
        "questions without a reference": 2,
        "answers that are missing": 1,
        "answers without a verdict": 1,
    }


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        ([make_verdicts_question(improper=True)], "no answer has a verdict"),
        (
            [make_verdicts_question(judge_two="yes")],
            'question 1: judge_two is "yes"; true or false is expected',
        ),
        (
            [make_verdicts_question(), make_verdicts_question(answer_two=["x"])],
            'question 2: answer_two is ["x"]; a text is expected',
        ),
        ([{**make_verdicts_question(), "answer_four": "x"}], 'question 1: judge_four is "missing"'),
        (
            [make_verdicts_question(), {**make_verdicts_question(), "answer_four": "x"}],
            "question 2: answer_four is not in question 1",
        ),
    ],
)
def test_a_malformed_file_of_verdicts_is_refused_with_question_and_value(
    raw: Any,
    message: str,
    tmp_path: Path,
    capsys: Any,
) -> None:
    path = tmp_path / "made_up.json"
    results = tmp_path / "out.json"
    path.write_text(json.dumps(raw))
    assert agreement.main(["--data", str(path), "--json", str(results)]) == 2
    assert f"ValueError: made_up.json: {message}" in capsys.readouterr().err
    assert not results.exists()


# The command


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """A function that runs the command on a made-up file; it returns exit code and figures.

    The file has three systems. Right answers contain a reference, wrong ones do not. The command
    has its own cache and a key, and cannot look up prices.
    """
    rng = np.random.RandomState(5)
    rows = []
    for number in range(40):
        name = f"Person{number} Name{number}"
        other = f"Person{number + 1} Else{number}"
        row: dict[str, Any] = {
            "question": f"Who is {number}?",
            "golden_answer": f"{name}/Name{number}",
        }
        for system, words in zip(SYSTEMS, (0, 8, 30), strict=True):
            right = bool(rng.rand() < 0.6)
            answer = " ".join([name if right else other, *("indeed " * words).split()])
            row |= {f"answer_{system}": answer, f"judge_{system}": right}
        rows.append(row | {"improper": False})
    read_questions(tmp_path, *rows)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("MY_KEY", KEY)
    monkeypatch.setattr(judged, "find_price_source", lambda: "")
    results = tmp_path / "out.json"
    results.write_text('{"data": {"made_up": {"sha256": "another"}}, "costs": "kept"}')

    def run(server: JudgeServer | None = None, *more: str) -> tuple[int, Any]:
        judge = (
            ["--base-url", server.url, "--model", "judge-1", "--key-variable", "MY_KEY"]
            if server
            else []
        )
        code = agreement.main(
            ["--data", str(tmp_path / "made_up.json"), "--json", str(results), *judge, *more]
        )
        found = json.loads(results.read_text("utf-8"))
        assert found["costs"] == "kept", (
            "the file must keep its costs without the package of prices"
        )
        assert KEY not in str(found)
        return code, found["data"]["made_up"]

    return run


@pytest.fixture
def only_one_score(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the scores without a judge by a single useless one."""
    monkeypatch.setattr(
        agreement,
        "score_all_ways",
        lambda found: [Series("bleu", "bleu", "", np.arange(120) % 7 / 7.0)],
    )


def test_the_command_measures_and_prints_every_score(command: Any, capsys: Any) -> None:
    code, entry = command(None, "--title", "Made up")
    printed = capsys.readouterr().out
    assert code == 0
    assert list(entry["scores"]) == list(chain.from_iterable(way.scores for way in WAYS))
    assert (entry["questions"], entry["language"]) == (40, "en")
    assert entry["overall"]["answers"] == 120
    assert [entry["lengths"][name]["answers"] for name in verdicts.LENGTHS] == [40, 40, 40]
    recall = entry["scores"]["lv_eval_f1_recall"]
    assert recall["overall"]["auroc"] == recall["overall"]["accuracy"] == recall["tau"] == 1.0
    assert "**Made up**: 120 answers of 3 systems to 40 questions" in printed
    for score in entry["scores"].values():
        for part in (*score["systems"].values(), *score["lengths"].values()):
            check_part(part, printed)


def check_part(part: dict[str, Any], printed: str) -> None:
    """Check the figures of a score for a system, or for a length of answers."""
    assert part["low"] <= part["auroc"] <= part["high"]
    assert f"{tables.format_area(part)}; {tables.format_accuracy(part)}" in printed


def test_the_best_score_over_the_references_counts_and_equal_fractions_are_ties(
    tmp_path: Path,
) -> None:
    f1 = project.import_file("lv_eval_f1").score
    long = "one two three four five six"
    one = f1("word", "word next two more here")
    other = f1("word other", "word next two more")
    assert one == pytest.approx(1 / 3) == other != one
    rows = [
        make_verdicts_question(
            golden_answer="Emma/Jane Austen/a novel", answer_two="a novel by Jane Austen"
        ),
        make_verdicts_question(golden_answer="word next two more here", answer_one="word"),
        make_verdicts_question(golden_answer="word next two more", answer_one="word other"),
        make_verdicts_question(golden_answer=long, answer_one="one seven", answer_two=long),
    ]
    scores = {
        scored.name: scored.values.tolist()
        for scored in series.score_all_ways(read_questions(tmp_path, *rows), WORDS)
    }
    by_hand = [1.0, f1("a novel by Jane Austen", "Jane Austen"), 0.0]
    assert scores["lv_eval_f1"][:3] == pytest.approx(by_hand, abs=1e-12)
    assert scores["lv_eval_f1_recall"][:3] == scores["rougeL_recall"][:3] == [1.0, 1.0, 0.0]
    assert scores["lv_eval_f1"][3] == scores["lv_eval_f1"][6] > 0
    assert scores["lv_eval_f1"][9:] == [0.25, 1.0, 0.0]
    assert scores[series.GATE][9:] == [0.0, 1.0, 0.0]


def test_answers_that_the_estimate_learned_from_are_scored_by_models_that_did_not_see_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = read_questions(tmp_path, make_verdicts_question())
    own = series.estimate_answers(found)
    asked = ("Jane Austen", ["Jane Austen", "Austen"], "Who wrote it?")
    assert own.values[0] == pytest.approx(
        project.import_file("correctness_estimate").score(*asked), abs=1e-12
    )
    monkeypatch.setattr(
        project.import_file("correctness_estimate", "model"), "TRAINED_ON", found.digest
    )
    monkeypatch.setattr(
        estimate, "estimate_unseen_questions", lambda given: np.array([0.25] * len(given.answers))
    )
    again = series.estimate_answers(found)
    assert again.values.tolist() == [0.25] * 3
    assert own.left_out is False
    assert again.left_out is True


def test_missing_figures_are_shown_as_a_dash_and_unscored_answers_do_not_count(
    tmp_path: Path,
) -> None:
    def measure_rows(rows: list[Any], *values: float) -> tuple[dict[str, Any], dict[str, Any]]:
        entry = figures.measure_scores(
            read_questions(tmp_path, *rows), [Series("bleu", "bleu", "", np.array(values))]
        )
        return entry["scores"]["bleu"], entry

    found, entry = measure_rows(
        [make_verdicts_question(), make_verdicts_question(judge_three=None)], 0, 1, 2, 3, 4
    )
    one = found["systems"]["one"]
    long = found["lengths"]["long"]
    assert one["auroc"] is None
    assert one["low"] is None
    assert one["accuracy"] == 1.0
    assert long == {"answers": 0}
    assert "| – |" in tables.format_summary(entry)
    found, _ = measure_rows(
        [make_verdicts_question(), make_verdicts_question()], 0.9, 0.1, np.nan, 0.8, np.nan, 0.2
    )
    assert [found["overall"][name] for name in ("answers", "auroc")] == [4, 1.0]
    # The written threshold is rounded. It must still give the written accuracy.
    found, _ = measure_rows([make_verdicts_question(judge_two=True)], 0.5000004, 0.5000002, 0.4)
    assert found["overall"]["threshold"] == 0.5
    assert found["overall"]["accuracy"] == 1.0
    # A system without verdicts is left out of the ranking.
    found, _ = measure_rows(
        [
            make_verdicts_question(judge_one=None),
            make_verdicts_question(judge_one=None, judge_three=True),
        ],
        0.0,
        0.2,
        0.0,
        0.4,
    )
    assert found["means"] == {"two": 0.0, "three": 0.3}
    assert found["tau"] == 1.0


# The judges


@pytest.mark.usefixtures("only_one_score")
def test_judges_are_asked_only_after_yes_and_their_figures_are_stored(
    command: Any, capsys: Any
) -> None:
    with JudgeServer(compare_texts) as server:
        assert command(server, "--sample", "10")[0] == 2
        assert not server.requests
        assert command(server, "--sample", "10", "--yes")[0] == 0
        code, entry = command(server, "--sample", "10", "--yes")
        assert (code, len(server.requests)) == (0, 2 * 60), (
            "each run must draw the same questions, whose replies are cached"
        )
        assert server.keys == {KEY}
    printed, errors = capsys.readouterr()
    assert "nothing was asked" in errors
    costs = [
        f"{judge}: 30 answers take 60 calls, 0 more are in the cache; about" for judge in JUDGES
    ]
    for text in (
        "A sample of 10 questions with 30 answers.",
        *costs,
        "`eve_judge` (judge-1), 10 questions",
    ):
        assert text in printed
    assert KEY not in printed + errors
    assert list(entry["scores"]) == ["bleu"]
    check_judges(entry, "eve_judge judge-1", "l3score judge-1")


def check_judges(entry: dict[str, Any], *names: str) -> None:
    """Check the figures of judges that pass only answers that equal the reference.

    Right answers of the first system do; those of the second have more words.
    """
    assert list(entry["judges"]) == [*names]
    for judge in entry["judges"].values():
        assert judge["questions"] == 10
        assert judge["overall"]["answers"] == 30
        assert judge["unscored"] == {}
        areas = {name: figures["auroc"] for name, figures in judge["systems"].items()}
        assert (areas["one"], areas["two"]) == (1.0, 0.5)


def read_quoted_answer(text: str) -> str:
    """Return the text after "answer:" in a request."""
    answer = re.search(r'(?:answer|Answer): "?(.*?)"?$', text, re.M)
    assert answer
    return answer[1]


def decide_by_equality(state: str, text: str, choices: Sequence[str]) -> Any:
    """Return the probability 0.9 if answer and reference are equal texts, else 0.1."""
    right = 0.9 if read_quoted_answer(state) == read_quoted_answer(text) else 0.1
    if not choices:
        return right
    return {"right": right, "wrong": 1 - right, "declined": 0.0}


@pytest.mark.usefixtures("only_one_score")
def test_a_decision_model_is_measured_like_any_other_judge(command: Any, capsys: Any) -> None:
    with DecisionServer(decide_by_equality, ["systemone"]) as server:
        options = ["--sample", "10", "--decision", "--api", "systemone"]
        assert command(server, *options)[0] == 2
        assert not server.requests
        code, entry = command(server, *options, "--yes")
        # Each answer has two references, which are asked about in one request.
        assert code == 0
        assert len(server.requests) == 2 * 30
    check_judges(entry, "eve_judge judge-1 (decision)", "l3score judge-1 (decision)")
    assert "`l3score` (judge-1 (decision)), 10 questions" in capsys.readouterr().out


@pytest.mark.usefixtures("only_one_score")
def test_failed_answers_are_unscored_and_a_stopped_judge_does_not_stop_the_other(
    command: Any, capsys: Any
) -> None:
    def fail_sometimes(request: Request, number: int) -> Reply:
        if request.body.get("logprobs"):
            return make_error(401, "bad key")
        return (
            make_error(400, "too long") if "Person7 " in request.prompt else compare_texts(request)
        )

    with JudgeServer(fail_sometimes) as server:
        code, entry = command(server, "--yes", "--sample", "40")
        assert code == 0
        assert command(server, "--yes", "--judges", "l3score")[0] == 2
    (found,) = entry["judges"].values()
    failed = sum(found["unscored"].values())
    assert found["module"] == "eve_judge"
    assert found["overall"]["answers"] == 120 - failed
    assert 0 < failed < 20
    said = capsys.readouterr().err
    assert said.count("l3score: ") == 2
    assert "no judge could be measured" in said
    assert KEY not in said


# The pages


def test_every_page_shows_the_figures_of_every_module() -> None:
    needed = set(project.ANSWER_METRICS) - set(JUDGES)
    assert {way.module for way in WAYS} == needed, "WAYS of metrics/benchmarks/series.py"
    shown = {pages.ON_CARDS.get(name, name) for name in figures.COMPARED}
    assert shown - {series.GATE} == needed, "COMPARED of metrics/benchmarks/figures.py"
    found = pages.load_figures(pages.RESULTS)
    other = [
        str(path)
        for path, text in pages.build_pages(found).items()
        if path.read_text("utf-8") != text
    ]
    assert other == [], "python -m metrics.benchmarks.agreement --pages"


def test_the_tables_name_the_doubts_about_a_score() -> None:
    good = {"low": 0.9}
    weak = {"low": 0.79}
    lengths = {"short": good, "medium": {"answers": 0}, "long": weak}
    score: dict[str, Any] = {"lengths": lengths, "tau": 0.6, "tau_low": 0.2}
    assert tables.describe_doubts(score) == "answers of over 20 words"
    assert (
        tables.describe_doubts(score | {"lengths": dict.fromkeys(lengths, weak)})
        == "answers of any length"
    )
    assert (
        tables.describe_doubts(score | {"lengths": dict.fromkeys(lengths, good), "tau_low": 0.0})
        == "ranking the systems"
    )


def test_the_stored_figures_equal_those_of_the_code() -> None:
    path = project.DATA_BESIDE_PROJECT / "human" / "evouna_nq.json"
    if not path.exists():
        pytest.skip(f"{path} is not on this machine")
    entry = pages.load_figures(pages.RESULTS)["data"][path.stem]
    found = verdicts.read_verdicts(path)
    assert found.digest == entry["sha256"]
    right = np.array([answer.right for answer in found.answers])
    # Without the estimate, which `make agreement` trains again for this file: that takes a minute.
    for one in series.score_all_ways(
        found, [way for way in WORDS if way.module != series.ESTIMATE]
    ):
        score = entry["scores"][one.name]
        assert score["signature"].split("|")[:2] == one.signature.split("|")[:2]
        assert score["overall"]["auroc"] == round(figures.measure_auroc(one.values, right), 6), (
            one.name
        )
