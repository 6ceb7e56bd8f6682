"""The tab "Files" without a browser: what is read, chosen, scored, shown and downloaded."""

from __future__ import annotations

import asyncio
import csv
import functools
import gc
import io
import json
import random
import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future
from html.parser import HTMLParser
from pathlib import Path
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any

import anyio.from_thread
import pytest
from lens.explanations import file_verdict
from lens.page import background, file_run, files_results, files_tab, opened_row
from lens.page.file_run import Results, Run, Sent
from lens.scoring import modules
from lens.scoring.catalog import BY_NAME, METRICS, SERIES
from lens.scoring.judge import NO_JUDGE, Judge
from lens.scoring.summary import Difference
from lens.tables.roles import BadTable
from lens.tables.untrusted import BadFile, Table
from lens.words import each_step, speaking

from tests.support.judge_server import JudgeServer, error
from tests.support.judges import compared
from tests.support.project import load

WORDS = ("lv_eval_f1", "bleu", "rouge", "lv_eval_rouge")
ROLES = {"prediction": "prediction", "reference": "reference"}
MARKUP = '<img src=x onerror="window.broken=1">\'"&amp;</article>'
KEY, SECRET = "sk-VerySecretKey123", "SecretText"
Rows = list[dict[str, Any]]


def sent(rows: Rows, name: str = "a.jsonl") -> Sent:
    """Rows as a file that was read."""
    columns = {column: [row.get(column) for row in rows] for column in rows[0]}
    return Sent(name, Table(list(columns), 0, len(rows), columns))


def simple(count: int = 12) -> Rows:
    """Rows of which some are right and some are wrong."""
    numbers = random.Random(5)
    words = "red green blue one two three four five".split()
    rows: Rows = []
    for number in range(count):
        reference, wrong = (" ".join(numbers.choices(words, k=6)) for _ in range(2))
        rows.append({"id": f"q{number}", "reference": reference, "prediction": reference if number % 3 else wrong,
                     "other": wrong, "kind": words[number % 2]})  # fmt: skip
    return rows


def finished(
    rows: Rows,
    metrics: Sequence[str] = WORDS,
    second: Rows | None = None,
    judge: Judge = NO_JUDGE,
    separator: str = "",
    name: str = "a.jsonl",
    **roles: str,
) -> Results:
    """What the scores of a file come to."""

    async def score() -> Results:
        other = sent(second, "b.jsonl") if second else None
        run = Run(sent(rows, name), other, {**ROLES, "question": "", "id": "", **roles}, separator, metrics)
        done = [one async for one in run.steps(judge)]
        assert done == sorted(done)
        assert done[-1] == len(rows)
        return run.results()

    return asyncio.run(score())


def downloaded(results: Results, folder: Path) -> dict[str, bytes]:
    """The bytes of each download."""
    paths = map(Path, files_results.write_downloads(results, folder))
    return {path.name.removeprefix("answer_lens_"): path.read_bytes() for path in paths}


def opened(results: Results, row: int, language: str = "en") -> str:
    """The cards of a row."""
    with speaking(language):
        return asyncio.run(opened_row.opened(results, row))


def own_numbers(rows: Rows) -> dict[str, list[float]]:
    """The scores that the modules themselves give."""
    given = {"predictions": [row["prediction"] for row in rows], "references": [row["reference"] for row in rows]}
    found: dict[str, list[float]] = {}
    for name in WORDS:
        entries = load(name).compute(**given, per_example=True)["per_example"]
        if name == "rouge":
            for key in ("rouge1", "rouge2", "rougeL", "rougeLsum"):
                found[key] = [entry[key]["fmeasure"] for entry in entries]
        else:
            found[name] = [entry["score"] for entry in entries]
    return found


# A file, and what is chosen for it


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("a.csv", b"", "no rows"),
        ("a.jsonl", b"[1]", 'like {"column"'),
        ("a.csv", b"\xff\xfe", "not in UTF-8"),
        ("a.xlsx", b"PK", "cannot be told from its name"),
        ("a.csv", b"x" * 10_000_001, "at most 10 MB"),
        ("a.csv", b"a\n" + b"x\n" * 10_001, "10,000 rows"),
        ("a.csv", ",".join(map(str, range(201))).encode() + b"\n" + b"," * 200, "200"),
        ("a.csv", b"answer,reference\nx,y\n", ""),
    ],
)
def test_a_file_is_deleted_once_read_and_refused_in_words(tmp_path: Path, name: str, data: bytes, words: str) -> None:
    place = tmp_path / name
    place.write_bytes(data)
    if words:
        with pytest.raises(BadFile, match=re.escape(words)):
            files_tab.received(str(place))
    else:
        assert files_tab.received(str(place)).table.columns == {"answer": ["x"], "reference": ["y"]}
    assert not place.exists()


def test_the_example_is_said_to_be_made_up_and_tries_everything() -> None:
    example = files_tab.made_up()
    shown = files_tab.opened(example, None)
    assert "made_up_files.csv was read: 40 rows." in shown[3]
    chosen = {role: files_tab.named(example.names, one["value"]) for role, one in zip(files_tab.ROLES, shown[5:12])}  # noqa: B905
    assert chosen == {"prediction": "answer", "reference": "reference", "question": "question", "id": "id",
                      "keywords": "keywords", "group": "topic", "other": "answer_b"}  # fmt: skip
    assert [len(row) for row in shown[13]["value"]["data"]] == [7, 7, 7]
    run = Run(example, None, chosen, "", WORDS)
    assert asyncio.run(steps_of(run)) == [16, 40]
    results = run.results()
    assert len(results.summary.groups) == 5
    report = files_results.report(results)
    assert "The first system is better by LV-Eval F1" in report
    assert "made-up example" in report
    assert any("\u4e00" <= sign <= "\u9fff" for item in results.items for sign in item.question)


async def steps_of(run: Run, judge: Judge = NO_JUDGE) -> list[int]:
    """How many rows are done, block by block."""
    return [done async for done in run.steps(judge)]


def test_names_and_cells_of_any_kind_are_shown() -> None:
    rows: Rows = [{"": None, "x\ud800\n": {"a": [1]}, "z" * 500: ["b", "c"]}]
    shown = files_tab.opened(sent(rows, "\ud800.jsonl"), None)
    assert shown[13]["value"]["headers"] == ["", "x\ufffd", "z" * 160 + "…"]
    assert shown[13]["value"]["data"][0] == ["–", "{'a': [1]}", "b | c"]
    assert [label for label, _ in shown[5]["choices"]] == ["(choose a column)", "–", "x\ufffd", "z" * 60]
    json.dumps(str(shown[3])).encode()


@pytest.mark.parametrize(
    ("metrics", "given", "separator", "words"),
    [
        ([], ROLES, "", "No metric is chosen"),
        (["bleu"], ROLES, "x" * 21, "at most 20 characters"),
        (["bleu"], {"prediction": "", "reference": "reference"}, "", "No column is known to hold the answer to score"),
        (["bleu"], {"prediction": "reference", "reference": "reference"}, "", "has two roles"),
        (["bleu"], {**ROLES, "other": "reference"}, "", "has two roles"),
        (["bleu"], {"prediction": "mixed", "reference": "reference"}, "", "row 2, is 7 (int); a text is"),
        (["bleu"], {"prediction": "prediction", "reference": "lists"}, "", "row 3, is [] (list);"),
    ],
)
def test_choices_that_do_not_fit_are_refused_in_words(
    metrics: list[str], given: Mapping[str, str], separator: str, words: str
) -> None:
    rows = [dict(row, mixed="text", lists=["x"]) for row in simple(4)]
    rows[1]["mixed"], rows[2]["lists"] = 7, []
    with pytest.raises(BadTable, match=re.escape(words)):
        Run(sent(rows), None, given, separator, metrics)


@pytest.mark.parametrize("forged", [None, 5, "", "x", "-1", "99", "1e9", [], "²"])
def test_places_that_no_page_sends_are_no_column(forged: Any) -> None:
    assert files_tab.named(["a", "b"], forged) == ""


def pressed(first: Sent | None, metrics: Sequence[str] = WORDS, judge: Sequence[str] = ("", "", "", "")) -> list[Any]:
    """What Start shows, step by step, with the columns as guessed."""
    names = first.names if first else []
    places = [str(names.index(role)) if role in names else "" for role in files_tab.ROLES]
    values = (first, None, *places, "", list(metrics), *judge)

    async def collect() -> list[Any]:
        steps = files_tab.score(values, lambda *done, **more: None)  # type: ignore[arg-type]
        return [step async for step in each_step("en", steps)]

    return asyncio.run(collect())


def test_start_says_how_far_it_is_and_what_is_wrong() -> None:
    assert [step[0] for step in pressed(None)] == ["No file is chosen. Choose one, or try the example."]
    steps = pressed(sent(simple(40)))
    assert [step[0] for step in steps] == ["16 of 40 rows", "40 of 40 rows", "All scores are there."]
    assert [step[1] for step in steps] == [(16, 40), (40, 40), None]
    assert isinstance(steps[-1][2], Results)
    assert pressed(sent([{MARKUP: 1}]))[-1][0].count("<") == 0


def test_a_defect_is_said_and_nothing_of_the_file_is_logged(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(scorers: Any, block: Any) -> Any:
        raise KeyError(SECRET)

    monkeypatch.setattr(file_run, "score_block", broken)
    said = pressed(sent(simple(3)))[-1]
    assert "could not be scored (KeyError)" in said[0]
    assert said[2] is None
    assert "KeyError" in caplog.text
    assert SECRET not in caplog.text + said[0]


def test_a_run_that_nobody_wants_any_more_ends_after_its_block() -> None:
    run = Run(sent(simple(2000)), None, ROLES, "", ["bleu"])

    async def begin() -> int:
        steps = run.steps(NO_JUDGE)
        done = await anext(steps)
        await steps.aclose()  # type: ignore[attr-defined]
        return done

    assert asyncio.run(begin()) == 16
    assert len(run.first.tally.columns["bleu"]) == 16


def test_a_model_is_shared_block_by_block(monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[str] = []
    real = file_run.score_block

    def noted(scorers: Any, block: Any) -> Any:
        order.append("block")
        if len(order) == 1:
            paste = functools.partial(
                background.in_its_turn, BY_NAME["cosine_similarity"], lambda: order.append("paste")
            )
            anyio.from_thread.run_sync(lambda: asyncio.ensure_future(paste()))
        return real(scorers, block)

    monkeypatch.setattr(file_run, "score_block", noted)
    finished(simple(24), ["cosine_similarity"])
    assert order == ["block", "paste", "block"]


# Results


def test_downloads_hold_the_modules_own_numbers(tmp_path: Path) -> None:
    rows = simple(40)
    rows[3] |= {"id": "=1+1", "prediction": "NA", "reference": "007\nnull"}
    results = finished(rows, other="other", id="id")
    files, own = downloaded(results, tmp_path), own_numbers(rows)
    lines = [json.loads(line) for line in files["rows.jsonl"].decode().splitlines()]
    assert [{name: line[name] for name in rows[0]} for line in lines] == rows
    assert {key: [line[key] for line in lines] for key in own} == own
    others = own_numbers([dict(row, prediction=row["other"]) for row in rows])
    assert {key: [line[f"{key}_against"] for line in lines] for key in own} == others
    cells = list(csv.DictReader(io.StringIO(files["rows.csv"].decode(), newline="")))
    assert (cells[3]["id"], cells[3]["reference"]) == ("'=1+1", "007\nnull")
    assert {key: [float(row[key]) for row in cells] for key in own} == own
    from pyarrow import parquet

    assert parquet.read_table(io.BytesIO(files["rows.parquet"])).to_pylist() == lines
    mean = f"{sum(own['rougeL']) / len(rows):.4f}"
    for text in (files["summary.md"].decode(), files["summary.tex"].decode(), files_results.report(results)):
        assert mean in text
        assert "lv_eval_f1|version:" in text or "lv\\_eval\\_f1" in text
    given = {"predictions": [row["prediction"] for row in rows], "references": [row["reference"] for row in rows]}
    assert results.summary.corpus_bleu == load("bleu").compute(**given)["bleu"]
    with speaking("zh"):
        assert "# a.jsonl 的得分" in downloaded(results, tmp_path)["summary.md"].decode()


def test_groups_and_references_of_a_list_or_a_separator() -> None:
    rows = simple(20)
    for number, row in enumerate(rows):
        row["reference"] = [row["reference"], "another"] if number % 2 else row["reference"]
    results = finished(rows, other="other", group="kind")
    assert results.other
    assert list(results.summary.groups) == list(results.other.groups) == ["red", "green"]
    own = own_numbers([dict(row, prediction=row["prediction"]) for row in rows[::2]])["lv_eval_f1"]
    assert results.summary.groups["red"][0].mean == pytest.approx(sum(own) / 10, abs=1e-15)
    report = files_results.report(results)
    assert "By kind · prediction" in report
    assert "By kind · other" in report
    rows = [{"reference": "a b; c d", "prediction": "c d"}]
    assert finished(rows, separator=";").items[0].reference == ["a b", "c d"]


def test_a_second_file_is_matched_by_its_ids(tmp_path: Path) -> None:
    rows = simple(20)
    others = [{"id": row["id"], "reference": row["reference"], "prediction": row["other"]} for row in reversed(rows)]
    results = finished(rows, second=others, id="id", group="kind", other="prediction")
    own = own_numbers([dict(row, prediction=row["other"]) for row in rows])
    lines = [json.loads(line) for line in downloaded(results, tmp_path)["rows.jsonl"].decode().splitlines()]
    assert [line["bleu_against"] for line in lines] == own["bleu"]
    assert [line["prediction_against"] for line in lines] == [row["other"] for row in rows]
    assert results.other
    found = results.other.groups["green"][0].mean
    assert found == pytest.approx(sum(own["lv_eval_f1"][1::2]) / 10, abs=1e-15)
    with pytest.raises(BadTable, match="Row 1 of the two files differs"):
        finished(rows, second=others, other="prediction")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda rows: rows[:5], "6 and 5 rows"),
        (lambda rows: [dict(row, id=row["id"] + "x") for row in rows], "are not in the second"),
        (lambda rows: [dict(row, id="q0") for row in rows], "stands twice in the second"),
        (lambda rows: [dict(row, reference="x") for row in rows], "differs in question or reference"),
        (lambda rows: [{"a": 1}], "No column is known"),
    ],
)
def test_files_that_do_not_match_are_refused_in_words(change: Any, words: str) -> None:
    with pytest.raises(BadTable, match=words):
        finished(simple(6), second=change(simple(6)), id="id")


def test_tables_of_rows_hold_scores_and_texts() -> None:
    rows = simple(30)
    rows[4]["prediction"] = None
    rows[5]["prediction"] = "x \n y " * 200 + "\x00"
    results = finished(rows, other="other", id="id", group="kind")
    table = files_results.all_rows(results)
    assert table["Row"].tolist() == list(range(1, 31))
    rounded = [None if one != one else one for one in table["ROUGE-L"].tolist()]
    assert rounded == [None if one is None else round(one, 3) for one in results.columns["rougeL"]]
    assert rounded[4] is None
    assert table["ROUGE-L · 2"].tolist() == [round(one or 0, 3) for one in results.other_columns["rougeL"]]
    assert table["Answer to score"][5] == ("x y " * 200)[:160] + "…"
    assert table["Second system’s answer"].tolist() == [row["other"] for row in rows]
    keys = [one.key for one in results.primary]
    won = [(results.columns[key][7] or 0) - (results.other_columns[key][7] or 0) for key in keys]
    assert table["First ahead by"][7] == sum((one > 0) - (one < 0) for one in won)
    far = files_results.far_rows(results)
    assert far["Apart"].tolist() == sorted(far["Apart"], reverse=True)
    assert [round(results.far[row - 1] or 0, 3) for row in far["Row"]] == far["Apart"].tolist()


def test_rows_without_an_answer_are_not_scored_and_say_so() -> None:
    rows = simple(12)
    rows[4]["prediction"] = None
    results = finished(rows)
    assert "rows not scored: no answer (null) (1)" in files_results.report(results)
    assert opened(results, 4).count("no answer (null)") == 4
    assert results.columns["bleu"][4] is None


def test_histograms_count_every_score_once() -> None:
    results = finished(simple(40))
    for (title, low, mean, counts), series in zip(files_results.histograms(results), results.primary, strict=True):
        scores = [one for one in results.columns[series.key] if one is not None]
        assert (title, low) == (series.title, 0.0)
        assert sum(counts) == len(scores)
        assert counts[-1] >= sum(one == 1 for one in scores)
        assert mean == pytest.approx(sum(scores) / len(scores))


def test_a_metric_that_cannot_be_loaded_leaves_its_scores_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(name: str, configuration: str | None = None) -> Any:
        raise modules.Unavailable(name)

    monkeypatch.setattr(modules, "fresh_module", broken)
    results = finished(simple(12), ["bleu"])
    report = files_results.report(results)
    assert "Not available here" in report
    assert "<td>–</td>" in report
    assert "Not available here" in opened(results, 0)


def test_cards_of_a_row_show_the_scores_of_the_table() -> None:
    rows: Rows = [{"prediction": "red green", "reference": ["blue", "red green"], "other": "blue"}]
    rows += [{"prediction": "x " * 30_000, "reference": "y", "other": "y"}]
    results = finished(rows, other="other")
    shown = opened(results, 0)
    values = re.findall('data-metric="([a-z0-9_]+)".*?al-score">([^<]+)<', shown, re.DOTALL)
    assert values == [("lv_eval_f1", "0.00"), ("bleu", "1.00"), ("rouge", "1.00"), ("lv_eval_rouge", "0.00")]
    assert "several references" in shown
    assert re.search("<bdi>other</bdi></th><td>1.00</td>", shown)
    assert "Answer to score is too long" in opened(results, 1)
    assert "第 1 行" in opened(results, 0, "zh")
    with speaking("en"):
        for card in METRICS:
            assert f'id="al-{card.name}"' not in shown


# Judges


def reachable(start: Any) -> Iterator[str]:
    """Every text that an object leads to, by way of its data."""
    seen: set[int] = set()
    queue = [start]
    while queue:
        one = queue.pop()
        if id(one) in seen or isinstance(one, type | ModuleType | FunctionType | Future | threading.Event):
            continue
        seen.add(id(one))
        if isinstance(one, str):
            yield one
        elif isinstance(one, bytes):
            yield one.decode("latin-1")
        else:
            queue += gc.get_referents(one)


def test_a_judge_is_asked_once_and_its_key_is_held_nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SPACE_ID", raising=False)
    rows = [{"question": f"q{n}?", "reference": f"r{n}", "prediction": f"r{n}" if n % 2 else "wrong"} for n in range(6)]
    with JudgeServer(compared) as server:
        judge = ("vllm", "judge-1", KEY, server.url)
        results = pressed(sent(rows), ("bleu", "l3score", "eve_judge"), judge)[-1][2]
        shown = opened(results, 1)
        assert server.keys == {KEY}
        assert len(server.requests) == 12
    files = downloaded(results, tmp_path)
    lines = [json.loads(line) for line in files["rows.jsonl"].decode().splitlines()]
    assert [line["eve_judge"] for line in lines] == [0.0, 1.0] * 3
    assert [line["L3Score"] > 0.5 for line in lines] == [False, True] * 3
    assert lines[1]["eve_judge_reasoning"] == "It says the same."
    everything = [*reachable(results), shown, *(data.decode("latin-1") for data in files.values())]
    assert any("It says the same." in one for one in everything)
    assert [one[:60] for one in everything if KEY in one or "VerySecret" in one] == []


def test_a_judge_that_lacks_something_is_refused_before_anything_is_scored(monkeypatch: pytest.MonkeyPatch) -> None:
    metrics = ("bleu", "eve_judge")
    assert [step[0][:35] for step in pressed(sent(simple(3)), metrics)] == ["A judge is chosen as a metric, but "]
    monkeypatch.setenv("ANSWER_LENS_PUBLIC", "1")
    forged = ("openai", "m", KEY, "http://127.0.0.1:9/v1")
    said = pressed(sent(simple(3)), metrics, forged)
    assert len(said) == 1
    assert "another cannot be chosen" in said[0][0]


def test_a_judge_that_refuses_leaves_rows_unscored_and_says_why() -> None:
    with JudgeServer(lambda request, number: error(401, f"No: {request.key}")) as server:
        results = finished(simple(3), ("bleu", "eve_judge"), judge=Judge("vllm", "m", server.url, KEY))
    figures = {figure.series.key: figure.scored for figure in results.summary.figures}
    assert figures == {"bleu": 3, "eve_judge": 0}
    assert "key" in results.summary.stopped["eve_judge"]
    assert KEY not in str(results.summary)


# What is shown


class Elements(HTMLParser):
    """Collects what is shown and what elements there are; each is closed in its turn."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.text = ""
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        assert not any(name.startswith("on") for name, _ in attrs)
        if tag not in ("wbr", "input"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.mark.parametrize("language", ["en", "zh"])
def test_everything_of_a_file_is_escaped_in_both_languages(language: str) -> None:
    names = ["id", "question", "reference", "prediction", "kind"]
    rows = [{MARKUP + name: f"{MARKUP} {name} {number}" for name in names} for number in range(12)]
    roles = {"id": "id", "question": "question", "reference": "reference", "prediction": "prediction", "group": "kind"}
    given: Any = {role: MARKUP + name for role, name in roles.items()}
    with speaking(language):
        results = finished(rows, name=f"{MARKUP}.jsonl", other="", **given)
        drawn = [files_results.report(results), opened(results, 3, language), files_tab.opened(sent(rows), None)[3]]
    assert all("img" not in Elements(one).tags for one in drawn)
    assert sum(Elements(one).text.count("<img src=x") for one in drawn) >= 20
    if language == "zh":
        plain = finished(simple(30), other="other", group="kind")
        with speaking("zh"):
            drawn = [files_results.report(plain)]
        assert [re.findall("[A-Z][a-z]+ [a-z]+ [a-z]+", Elements(one).text) for one in drawn] == [[]]


def compared_by(*ends: tuple[float, float]) -> list[Difference]:
    """Differences with these intervals, by the first metrics."""
    series = [one for one in SERIES if one.primary]
    return [
        Difference(one, 20, 0.5, 0.5, sum(pair) / 2, pair, 0.01, 1, 1, 1)
        for one, pair in zip(series, ends, strict=False)
    ]


@pytest.mark.parametrize(
    ("differences", "words"),
    [
        (compared_by((0.1, 0.2), (0.0, 0.2)), "by LV-Eval F1: the 95% interval of the difference lies above 0. By the"),
        (compared_by((-0.2, -0.1), (-0.3, -0.2)), "The second system is better by LV-Eval F1, BLEU"),
        (compared_by((-0.1, 0.2), (0.0, 0.0)), "includes 0"),
        (compared_by((0.1, 0.2), (-0.3, -0.2)), "contradict each other"),
    ],
)  # fmt: skip
def test_the_sentence_says_what_is_certain_of_two_systems(differences: list[Difference], words: str) -> None:
    assert words in file_verdict.systems(differences)


@pytest.mark.parametrize(
    ("rho", "n", "words"),
    [(0.1, 200, "rank the rows differently"), (0.99, 200, "alike"), (0.1, 12, ""), (0.7, 200, ""), (0.99, 11, "alike"),
     (0.85, 20, ""), (0.1, 9, "fewer than 10 rows")],
)  # fmt: skip
def test_the_sentence_says_what_is_certain_of_one_system(rho: float, n: int, words: str) -> None:
    pair = {("bleu", "rougeL"): (rho, n), ("rougeL", "bleu"): (rho, n), ("bleu", "bleu"): (1.0, n)}
    figures = [SimpleNamespace(series=series) for series in SERIES]
    summary: Any = SimpleNamespace(rows=n, figures=figures)
    told = file_verdict.verdict(summary, [], pair)
    assert words in told
    assert bool(told) == bool(words)
