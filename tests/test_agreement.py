"""`make agreement`: figures equal to slow and obvious ones, a file read with care, pages that have the figures."""

import doctest
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.benchmarks import agreeing, agreement, costs, figures, pages, series, tables, verdicts
from tests.benchmarks.series import WAYS, Models, Series
from tests.support import project
from tests.support.judges import JUDGES

SYSTEMS = ("one", "two", "three")
WORDS = tuple(way for way in WAYS if way.module not in ("cosine_similarity", "bertscore"))
ANSWERED = st.lists(st.tuples(st.integers(0, 4), st.booleans(), st.integers(0, 3)), min_size=1, max_size=12)


def columns(rows: list[tuple[int, bool, int]]) -> tuple[Any, Any, Any]:
    """Return scores, verdicts and questions as arrays."""
    scores, right, question = zip(*rows, strict=True)
    return np.array(scores) / 4, np.array(right), np.array(question)


def slow_area(scores: Any, right: Any) -> float:
    """Return the AUROC by looking at every pair."""
    pairs = [(one > other) + (one == other) / 2 for one in scores[right] for other in scores[~right]]
    return float(np.mean(pairs)) if pairs else float("nan")


@given(ANSWERED)
def test_the_area_is_the_share_of_pairs(rows: list[tuple[int, bool, int]]) -> None:
    scores, right, _ = columns(rows)
    assert agreeing.area(scores, right) == pytest.approx(slow_area(scores, right), abs=1e-12, nan_ok=True)


@given(ANSWERED, st.lists(st.integers(0, 3), min_size=4, max_size=4))
def test_a_question_drawn_twice_counts_twice(rows: list[tuple[int, bool, int]], drawn: list[int]) -> None:
    scores, right, question = columns(rows)
    again = [at for one in drawn for at in np.flatnonzero(question == one)]
    weights = np.bincount(drawn, minlength=4)[None].astype(np.int32)
    expected = slow_area(scores[again], right[again]) if again else float("nan")
    assert agreeing.areas(scores, right, question, weights)[0] == pytest.approx(expected, abs=1e-12, nan_ok=True)


def test_the_area_of_many_answers_is_that_of_scikit_learn(monkeypatch: pytest.MonkeyPatch) -> None:
    from sklearn.metrics import roc_auc_score

    stream = np.random.RandomState(1)
    right, question = stream.rand(3000) < 0.7, stream.randint(0, 600, 3000)
    scores = np.round(stream.rand(3000) + right * 0.4, 2)
    assert agreeing.area(scores, right) == pytest.approx(roc_auc_score(right, scores), abs=1e-12)
    drawn = agreeing.draws(600)
    whole = agreeing.areas(scores, right, question, drawn)
    monkeypatch.setattr(agreeing, "BLOCK", 10_000)
    assert (agreeing.areas(scores, right, question, drawn) == whole).all()
    low, high = agreeing.interval(whole) or (0, 0)
    # The standard error after Hanley and McNeil 1982, formula 2: no more than about, for questions share answers.
    area, positive, negative = agreeing.area(scores, right), right.sum(), (~right).sum()
    one, other = area / (2 - area), 2 * area**2 / (1 + area)
    variance = area * (1 - area) + (positive - 1) * (one - area**2) + (negative - 1) * (other - area**2)
    error = (variance / (positive * negative)) ** 0.5
    assert area - low == pytest.approx(1.96 * error, rel=0.2)
    assert high - area == pytest.approx(1.96 * error, rel=0.2)


def test_draws_are_seeded_and_draw_as_many_questions_as_there_are() -> None:
    drawn = agreeing.draws(50)
    assert drawn.shape == (agreeing.RESAMPLES, 50)
    assert (drawn.sum(axis=1) == 50).all()
    assert (drawn == agreeing.draws(50)).all()
    assert len({row.tobytes() for row in drawn}) == agreeing.RESAMPLES


def test_an_interval_leaves_out_a_fortieth_on_each_side_and_what_has_no_figure() -> None:
    values = np.arange(2000.0)
    assert agreeing.interval(values) == (50.0, 1949.0)
    assert agreeing.interval(np.where(values < 900, np.nan, values)) == (927.0, 1972.0)
    assert agreeing.interval(np.where(values < 1000, np.nan, values)) is None


@given(ANSWERED)
def test_no_threshold_is_better_than_the_best_and_a_lower_one_is_worse(rows: list[tuple[int, bool, int]]) -> None:
    scores, right, _ = columns(rows)
    tried = {float(least): float(((scores >= least) == right).mean()) for least in [*scores, np.inf]}
    accuracy, threshold = agreeing.best_threshold(scores, right)
    assert accuracy == max(tried.values())
    least = min(score for score, reached in tried.items() if reached == accuracy)
    assert (np.inf if threshold is None else threshold) == least


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=6))
def test_tau_is_that_of_scipy(means: list[tuple[int, int]]) -> None:
    from scipy.stats import kendalltau

    one, other = (np.array(side, float) for side in zip(*means, strict=True))
    assert agreeing.taus(one[None], other[None])[0] == pytest.approx(
        kendalltau(one, other).statistic, abs=1e-12, nan_ok=True
    )


def test_means_are_those_of_the_drawn_questions() -> None:
    values, question, system = np.array([0.0, 1.0, 0.5, 0.5]), np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    weights = np.array([[1, 1], [2, 0], [0, 0]])
    found = agreeing.means(values, question, system, 2, weights)
    assert found[:2].tolist() == [[0.25, 0.75], [0.0, 1.0]]
    assert np.isnan(found[2]).all()


def test_the_examples_of_the_functions_hold() -> None:
    for module in (agreeing, pages, tables, verdicts):
        assert doctest.testmod(module).failed == 0


# The file of verdicts


def question(**changed: Any) -> dict[str, Any]:
    """Return a question with three answers, with other fields where they are given."""
    fields: dict[str, Any] = {"question": "Who wrote it?", "golden_answer": "Jane Austen/Austen", "improper": False}
    for name, text, right in zip(SYSTEMS, ("Jane Austen", "It was Emily.", ""), (True, False, False), strict=True):
        fields |= {f"answer_{name}": text, f"judge_{name}": right}
    return fields | changed


def written(folder: Path, rows: Any) -> Path:
    """Write a file of verdicts and return its path."""
    path = folder / "made_up.json"
    path.write_text(json.dumps(rows, ensure_ascii=False), "utf-8")
    return path


def test_a_file_is_read_and_what_is_left_out_is_counted(tmp_path: Path) -> None:
    rows = [
        question(),
        question(improper=True),
        question(golden_answer=" / "),
        question(golden_answer=None),
        question(golden_answer=" a /b/ a", answer_one=None, judge_two=None),
    ]
    found = verdicts.read(written(tmp_path, rows))
    assert found.systems == SYSTEMS
    assert found.references == (("Jane Austen", "Austen"), ("a", "b"))
    assert [(one.question, one.system, one.text, one.right) for one in found.answers] == [
        (0, "one", "Jane Austen", True),
        (0, "two", "It was Emily.", False),
        (0, "three", "", False),
        (1, "three", "", False),
    ]
    assert found.left_out == {
        "questions marked improper": 1,
        "questions without a reference": 2,
        "answers that are missing": 1,
        "answers without a verdict": 1,
    }


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("", "short"),
        ("曹雪芹", "short"),
        ("曹雪芹 红楼梦", "medium"),
        ("a b c d", "short"),
        ("a b\n c d\te", "medium"),
        ("a " * 20, "medium"),
        ("a " * 21, "long"),
    ],
)
def test_the_length_of_an_answer_is_its_words(text: str, length: str) -> None:
    assert verdicts.Answer(0, "one", text, True).length == length


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ({}, "made_up.json: a list of questions is expected, got {}"),
        ([], "a list of questions is expected"),
        ([7], r"question 1: fields answer_<system> and judge_<system> are expected, got 7"),
        ([question(), 7], "question 2: answer_one is missing in 7"),
        ([question(judge_two="yes")], 'question 1: judge_two is "yes"; true or false is expected'),
        ([question(judge_two=1)], "question 1: judge_two is 1; true or false is expected"),
        ([question(), question(answer_two=["x"])], r'question 2: answer_two is \["x"\]; a text is expected'),
        ([question(golden_answer=["x"])], r'question 1: golden_answer is \["x"\]; a text is expected'),
        ([question(question=3)], "question 1: question is 3; a text is expected"),
        ([question(improper="no")], 'question 1: improper is "no"; true or false is expected'),
        ([{**question(), "answer_four": "x"}], "question 1: judge_four is missing"),
        ([question(improper=True)], "no answer has a verdict"),
        ([question(), {**question(), "answer_four": "x"}], "question 2: answer_four is not in question 1"),
    ],
)
def test_a_file_in_another_form_is_refused_with_the_question_and_the_value(
    rows: Any, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path, rows)
    with pytest.raises(ValueError, match=message):
        verdicts.read(path)
    assert agreement.main(["--data", str(path), "--json", str(tmp_path / "out.json")]) == 2
    assert "made_up.json" in capsys.readouterr().err
    assert not (tmp_path / "out.json").exists()


def test_a_verdict_that_is_missing_may_be_nan_as_in_the_original_files(tmp_path: Path) -> None:
    nan = float("nan")
    rows = [question(judge_one="nan", answer_two=nan), question(improper=True, judge_one="nan", judge_two=nan)]
    found = verdicts.read(written(tmp_path, rows))
    assert [one.system for one in found.answers] == ["three"]
    assert found.left_out == {
        "answers without a verdict": 1,
        "answers that are missing": 1,
        "questions marked improper": 1,
    }


def test_a_system_without_a_verdict_does_not_cost_the_others_their_ranking(tmp_path: Path) -> None:
    found = verdicts.read(written(tmp_path, [question(judge_one=None)]))
    assert found.systems == ("two", "three")
    found = verdicts.read(written(tmp_path, [question(judge_one=None), question(judge_one=None, judge_three=True)]))
    scored = figures.measure(found, [Series("bleu", "bleu", "", np.array([0.0, 0.2, 0.0, 0.4]))])
    assert scored["scores"]["bleu"]["tau"] == 1.0


def test_a_file_that_is_not_json_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "made_up.json"
    for raw in (b"[", b"\xff\xfe", b""):
        path.write_bytes(raw)
        with pytest.raises(ValueError, match=r"made_up.json: JSON in UTF-8 is expected: "):
            verdicts.read(path)
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps([question()]).encode())
    assert len(verdicts.read(path).answers) == 3


# What is measured


def made_up(folder: Path, count: int = 40) -> Path:
    """Write a file with right answers that hold a reference and wrong ones that do not, of three systems."""
    stream, rows = np.random.RandomState(5), []
    for number in range(count):
        name, other = f"Person{number} Name{number}", f"Person{number + 1} Else{number}"
        row: dict[str, Any] = {
            "question": f"Who is {number}?",
            "golden_answer": f"{name}/Name{number}",
            "improper": False,
        }
        for system, words in zip(SYSTEMS, (0, 8, 30), strict=True):
            right = bool(stream.rand() < 0.6)
            told = " ".join([name if right else other, *("indeed " * words).split()])
            row |= {f"answer_{system}": told, f"judge_{system}": right}
        rows.append(row)
    return written(folder, rows)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Mapping[str, Any], str]:
    """Return the file, and what the command writes and prints of it."""
    folder = tmp_path_factory.mktemp("made")
    path = made_up(folder)
    out = folder / "figures.json"
    assert (
        agreement.main(["--data", str(path), "--json", str(out), "--title", "Made up", "--url", "https://x.test"]) == 0
    )
    return path, json.loads(out.read_text("utf-8"))["data"]["made_up"], out.read_text("utf-8")


def test_the_command_measures_every_score(made: tuple[Path, Mapping[str, Any], str]) -> None:
    _, entry, _ = made
    assert tuple(entry["scores"]) == tuple(series.SCORES)
    assert (entry["questions"], entry["overall"]["answers"], entry["language"]) == (40, 120, "en")
    assert [entry["systems"][name]["words"] for name in SYSTEMS] == [2, 10, 32]
    assert [entry["lengths"][name]["answers"] for name in verdicts.LENGTHS] == [40, 40, 40]
    recall = entry["scores"]["lv_eval_f1_recall"]
    assert recall["overall"]["auroc"] == recall["overall"]["accuracy"] == 1.0
    assert recall["tau"] == 1.0
    assert {*recall["means"]} == {*SYSTEMS}
    for name, score in entry["scores"].items():
        for part in (score["overall"], *score["systems"].values(), *score["lengths"].values()):
            assert part["low"] <= part["auroc"] <= part["high"], name
    assert {entry["scores"][name]["model"] for name in ("bertscore", "cosine_similarity")} == {"all-MiniLM-L6-v2"}


def test_a_second_run_gives_the_same_figures(made: tuple[Path, Mapping[str, Any], str], tmp_path: Path) -> None:
    path, entry, text = made
    out = tmp_path / "again.json"
    out.write_text(text, "utf-8")
    assert agreement.main(["--data", str(path), "--json", str(out)]) == 0
    assert out.read_text("utf-8") == text
    assert entry["title"] == "Made up"


def test_the_printed_tables_have_all_figures(
    made: tuple[Path, Mapping[str, Any], str], capsys: pytest.CaptureFixture[str]
) -> None:
    _, entry, _ = made
    text = tables.printed(entry)
    for score in entry["scores"].values():
        for part in (score["overall"], *score["systems"].values(), *score["lengths"].values()):
            assert f"{tables.area(part)}" in text
            assert f"{tables.cut(part)}" in text
        assert tables.ranking(score) in text
    assert "**Made up** ([https://x.test](https://x.test)): 120 answers of three systems to 40 questions" in text


def test_the_best_over_the_references_counts(tmp_path: Path) -> None:
    rows = [question(golden_answer="Emma/Jane Austen/a novel", answer_two="a novel by Jane Austen")]
    found = verdicts.read(written(tmp_path, rows))
    scores = {one.name: one.values.tolist() for one in series.every(found, Models(), WORDS)}
    f1 = project.functions("lv_eval_f1")
    by_hand = [
        max(f1.score(text, gold) for gold in found.references[0]) for text in ("Jane Austen", "a novel by Jane Austen")
    ]
    assert scores["lv_eval_f1"] == pytest.approx([*by_hand, 0.0], abs=1e-12)
    assert scores["lv_eval_f1_recall"] == [1.0, 1.0, 0.0]
    assert scores["rougeL_recall"] == [1.0, 1.0, 0.0]


def test_the_gate_takes_the_reference_for_keywords(tmp_path: Path) -> None:
    long = "one two three four five six"
    rows = [question(golden_answer=long, answer_one="one seven", answer_two=long)]
    found = verdicts.read(written(tmp_path, rows))
    scores = {one.name: one.values.tolist() for one in series.every(found, Models(), WORDS[:2])}
    assert scores["lv_eval_f1"] == [0.25, 1.0, 0.0]
    assert scores[series.GATE] == [0.0, 1.0, 0.0]


def test_a_group_without_right_or_without_wrong_answers_has_no_area(tmp_path: Path) -> None:
    rows = [question(), question(judge_three=None)]
    found = verdicts.read(written(tmp_path, rows))
    scored = figures.measure(found, [Series("bleu", "bleu", "", np.arange(5.0))])["scores"]["bleu"]
    assert scored["systems"]["one"]["auroc"] is None
    assert scored["systems"]["one"]["low"] is None
    assert scored["systems"]["one"]["accuracy"] == 1.0
    assert scored["lengths"]["long"] == {"answers": 0}
    assert tables.area(scored["lengths"]["long"]) == tables.cut(scored["lengths"]["long"]) == "–"


def test_answers_without_a_score_do_not_count(tmp_path: Path) -> None:
    found = verdicts.read(written(tmp_path, [question(), question()]))
    values = np.array([0.9, 0.1, np.nan, 0.8, np.nan, 0.2])
    scored = figures.measure(found, [Series("l3score", "l3score", "", values)])["scores"]["l3score"]
    assert (scored["overall"]["answers"], scored["overall"]["auroc"], scored["systems"]["two"]["answers"]) == (
        4,
        1.0,
        1,
    )


def test_the_language_is_told_from_the_references(tmp_path: Path) -> None:
    rows = [question(golden_answer="曹雪芹"), question(golden_answer="鲁迅/Lu Xun"), question()]
    assert agreement.language(verdicts.read(written(tmp_path, rows))) == "zh"
    assert agreement.language(verdicts.read(written(tmp_path, rows[1:]))) == "en"


def test_equal_fractions_are_ties(tmp_path: Path) -> None:
    texts = (("word", "word next two more here"), ("word other", "word next two more"))
    f1 = project.functions("lv_eval_f1")
    one, other = (f1.score(*pair) for pair in texts)
    assert one == pytest.approx(1 / 3) == other != one
    rows = [question(golden_answer=reference, answer_one=text) for text, reference in texts]
    values = series.every(verdicts.read(written(tmp_path, rows)), Models(), WORDS[:1])[0].values
    assert values[0] == values[3] > 0


def test_a_written_threshold_has_the_accuracy_beside_it(tmp_path: Path) -> None:
    found = verdicts.read(written(tmp_path, [question(judge_two=True), question(judge_three=True)]))
    values = np.array([0.5000004, 0.5000002, 0.1, 0.5000003, 0.5000001, 0.5000009])
    figure = figures.Measured(found).figures(values, "overall")[0]
    right = np.array([one.right for one in found.answers])
    assert figure["threshold"] == 0.5
    assert figure["accuracy"] == round(float(((values >= figure["threshold"]) == right).mean()), 6) == 0.833333


# The pages


def results() -> dict[str, Any]:
    """Return the project's figures."""
    return pages.known(pages.RESULTS)


@pytest.mark.parametrize("path", pages.expected(results()), ids=lambda path: str(path.relative_to(project.ROOT)))
def test_every_page_has_the_figures(path: Path) -> None:
    assert path.read_text("utf-8") == pages.expected(results())[path], "python -m tests.benchmarks.agreement --pages"


def test_every_module_that_needs_no_judge_is_measured() -> None:
    needed = set(project.ANSWERS) - set(JUDGES)
    assert {way.module for way in series.WAYS} == needed, "WAYS of tests/benchmarks/series.py"
    shown = {pages.ON_CARDS.get(name, name) for name in figures.COMPARED}
    assert shown - {series.GATE} == needed, "COMPARED of tests/benchmarks/figures.py"


def test_a_card_says_what_is_not_measured_and_how_it_would_be() -> None:
    assert "`make agreement DATA=verdicts.json` measures it" in pages.card_line("another", results())
    assert "a judge agrees with people as far as its model does" in pages.card_line("eve_judge", results())


def test_another_figure_makes_other_pages() -> None:
    found = results()
    entry = pages.first(found)
    for name in set(figures.COMPARED) - {series.GATE}:
        entry["scores"][name]["overall"]["auroc"] = 0.123456
    changed = {path for path, text in pages.expected(found).items() if path.read_text("utf-8") != text}
    cards = {project.METRICS / entry["scores"][name]["module"] / "README.md" for name in entry["scores"]}
    assert changed == {pages.README, pages.SHOWN, *cards}


def test_a_score_that_is_not_to_be_trusted_is_shown_so() -> None:
    good = {"low": 0.9}
    score: dict[str, Any] = {"lengths": dict.fromkeys(verdicts.LENGTHS, good), "tau": 0.6, "tau_low": 0.2}
    assert tables.doubts(score) == ""
    assert tables.doubts(score | {"tau_low": 0.0}) == "ranking the systems"
    assert tables.doubts(score | {"tau_low": None}) == "ranking the systems"
    weak = {"short": good, "medium": {"answers": 0}, "long": {"low": 0.79}}
    assert tables.doubts(score | {"lengths": weak}) == "answers of over 20 words"
    weak = {name: {"low": 0.5} for name in verdicts.LENGTHS}
    assert tables.doubts({"lengths": weak, "tau": None}) == "answers of any length"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"data": {"x": ', "out.json is broken, restore it or take it away"),
        ("[]", "out.json has no figures of this command"),
        ('{"cases": {}}', "out.json has no figures of this command"),
        ('{"data": {}}', "nothing has been measured yet"),
        ('{"data": {"x": {}}}', "out.json: there is no figure '"),
    ],
)
def test_figures_that_are_broken_or_of_another_form_are_refused(
    text: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.json"
    out.write_text(text, "utf-8")
    assert agreement.main(["--pages", "--json", str(out)]) == 2
    assert message in capsys.readouterr().err
    assert out.read_text("utf-8") == text


def test_a_page_without_its_marks_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match=r"^README.md: the page has no place for 'agreement'"):
        pages.inserted(pages.README, "# Another page", "agreement", "")


def test_what_is_broken_off_while_writing_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.json"
    pages.keep(out, {"data": {}})
    before, write = out.read_text("utf-8"), Path.write_text

    def broken_off(path: Path, text: str, encoding: str) -> None:
        write(path, text[: len(text) // 2], encoding)
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "write_text", broken_off)
    monkeypatch.setattr(agreement, "every", lambda found, chosen: [Series("bleu", "bleu", "", np.zeros(3))])
    monkeypatch.setattr(costs, "estimates", dict)
    path = tmp_path / "made_up.json"
    path.write_bytes(json.dumps([question()]).encode())
    assert agreement.main(["--data", str(path), "--json", str(out)]) == 130
    assert "broken off" in capsys.readouterr().err
    assert out.read_text("utf-8") == before
    assert {one.name for one in tmp_path.iterdir()} == {"made_up.json", "out.json"}


def test_another_file_of_the_same_name_is_not_replaced_in_silence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(agreement, "every", lambda found, chosen: [Series("bleu", "bleu", "", np.zeros(3))])
    monkeypatch.setattr(costs, "priced_by", lambda: "")
    out = tmp_path / "out.json"
    pages.keep(out, {"data": {}, "costs": {"prices": "kept"}})
    for rows, said in (([question()], False), ([question()], False), ([question(answer_one="Emma")], True)):
        assert agreement.main(["--data", str(written(tmp_path, rows)), "--json", str(out)]) == 0
        assert ("made_up: figures of another file of this name" in capsys.readouterr().err) == said
    # Nor are prices, where the package that knows them is not installed.
    assert pages.known(out)["costs"] == {"prices": "kept"}


def test_a_system_with_a_bar_in_its_name_does_not_break_a_table(tmp_path: Path) -> None:
    rows = [{name.replace("_two", "_t|wo"): value for name, value in question().items()}]
    found = verdicts.read(written(tmp_path, rows))
    entry = figures.measure(found, [Series("bleu", "bleu", "", np.zeros(3))])
    for table in (tables.parted(entry, "systems", tables.systems(entry)), tables.mean_scores(entry)):
        assert len({line.replace(r"\|", "").count("|") for line in table.splitlines()}) == 1


def test_figures_in_a_text_are_filled_in_and_unknown_ones_refused() -> None:
    found = results()
    score = pages.first(found)["scores"]["bleu"]
    rates = {"bleu": {"per_second": {"English, 15 words": 8000.0}}}
    costs = {"prices": "prices 1", "l3score": {"gpt": {"short": 0.0156, "long": None}}}
    text = "{auroc:bleu} {auroc:bleu:long} {tau:bleu} {seconds:bleu:English, 15 words}"
    text += " {usd:l3score:gpt:short} {usd:l3score:gpt:long}"
    assert pages.filled(text + " {prices:usd} {name: 1}", {**found, "costs": costs}, rates).split(" ", 7) == [
        f"{score['overall']['auroc']:.3f}",
        f"{score['lengths']['long']['auroc']:.3f}",
        f"{score['tau']:.2f}",
        "0.12",
        "0.016",
        "–",
        "prices",
        "1 {name: 1}",
    ]
    with pytest.raises(KeyError):
        pages.filled("{auroc:bleurt}", found, rates)


def test_the_figures_are_those_of_this_code() -> None:
    path = project.SHARED / "human" / "evouna_nq.json"
    if not path.exists():
        pytest.skip(f"{path} is not on this machine")
    entry = results()["data"][path.stem]
    found = verdicts.read(path)
    assert found.digest == entry["sha256"]
    right = np.array([answer.right for answer in found.answers])
    for one in series.every(found, Models(), WORDS):
        score = entry["scores"][one.name]
        assert score["signature"].split("|")[:2] == one.signature.split("|")[:2]
        assert score["overall"]["auroc"] == round(agreeing.area(one.values, right), 6), one.name
