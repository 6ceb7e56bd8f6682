"""The tab "Files" of the demo without a browser: what is held, who waits, what is chosen, shown and downloaded."""

from __future__ import annotations

import asyncio
import base64
import csv
import gc
import io
import json
import random
import re
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from html.parser import HTMLParser
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any

import pytest

from tests.support.judge_server import JudgeServer
from tests.support.judges import compared
from tests.support.project import ROOT, load

SPACE = ROOT / "spaces" / "answer_lens"
sys.path.insert(0, str(SPACE))

from lens.explanations import file_verdict as fileverdict  # noqa: E402
from lens.page import background as running  # noqa: E402
from lens.page import files_calls as filecalls  # noqa: E402
from lens.page import files_choice as filechoice  # noqa: E402
from lens.page import files_form as fileform  # noqa: E402
from lens.page import files_jobs as filejobs  # noqa: E402
from lens.page import files_rows as filerows  # noqa: E402
from lens.page import files_sent as filesent  # noqa: E402
from lens.page import files_upload as fileupload  # noqa: E402
from lens.page.files_held import STORE, Held, Sent, Store  # noqa: E402
from lens.page.files_jobs import Line, Run  # noqa: E402
from lens.page.files_rows import View  # noqa: E402
from lens.scoring import pasted_answer as scoring  # noqa: E402
from lens.scoring.catalog import (  # noqa: E402
    METRICS,
    SERIES,
    Submission,
)
from lens.scoring.judge import Judge  # noqa: E402
from lens.scoring.summary import Difference  # noqa: E402
from lens.statistics import intervals  # noqa: E402
from lens.tables.roles import BadTable  # noqa: E402
from lens.tables.untrusted import Table  # noqa: E402

WORDS = ("lv_eval_f1", "bleu", "rouge", "lv_eval_rouge")
SERIES_KEYS = ("lv_eval_f1", "bleu", "rouge1", "rouge2", "rougeL", "rougeLsum", "lv_eval_rouge")
MARKUP = '<img src=x onerror="window.broken=1">\'"&amp;</article>'
KEY = "sk-VerySecretKey123"
SECRET = "SecretText"
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
        reference = " ".join(numbers.choices(words, k=6))
        wrong = " ".join(numbers.choices(words, k=6))
        rows.append({"id": f"q{number}", "reference": reference, "prediction": reference if number % 3 else wrong,
                     "other": wrong, "kind": words[number % 2]})  # fmt: skip
    return rows


def choice(names: Sequence[str], metrics: Sequence[str] = WORDS, separator: str = "", **roles: str) -> str:
    """A choice as the page sends it; columns by name here, by place there."""
    places = {role: str(list(names).index(name)) if name else "" for role, name in roles.items()}
    return json.dumps({"roles": places, "metrics": list(metrics), "separator": separator})


def session(name: str = "s") -> Any:
    """A request of a page."""
    return SimpleNamespace(session_hash=name)


def steps(found: Any) -> list[Any]:
    """What a callback yields, step by step."""

    async def collect() -> list[Any]:
        return [step async for step in found]

    return asyncio.run(collect())


COUNT = iter(range(1, 10**6))


def turn() -> str:
    """A newer turn than any before."""
    return str(next(COUNT))


def upload(
    data: bytes, name: str, page: str = "s", which: str = "first", token: str = "", given: str = ""
) -> list[Any]:
    """A file as the page sends it; what is shown in the end."""
    values = (base64.b64encode(data).decode(), name, "file", which, token, given, turn(), "en")
    return steps(filecalls.send(*values, session(page)))[1]


def upload_rows(rows: Rows, page: str = "s", name: str = "a.jsonl") -> str:
    """The token of rows that were sent."""
    shown = upload("\n".join(map(json.dumps, rows)).encode(), name, page)
    return token_in(shown[0])


def token_in(form: str) -> str:
    """The token that a form holds."""
    found = re.search('data-token="([^"]+)"', form)
    assert found
    return found[1]


def begin(
    token: str, given: str, page: str = "s", language: str = "en", judge: Sequence[str] = ("", "", "", "")
) -> list[Any]:
    """Press Start; everything that is shown."""
    return steps(filecalls.start(token, given, turn(), *judge, language, session(page)))


def finished(token: str, given: str, page: str = "s", **more: Any) -> Held:
    """What is held after Start, which must have come to results."""
    shown = begin(token, given, page, **more)[-2]
    assert 'data-state="done"' in shown[1], shown[1]
    held = STORE.get(token, page)
    assert held is not None
    return held


def run_of(rows: Rows, metrics: Sequence[str] = WORDS, other: str = "", **roles: str) -> Run:
    """A run of these rows that is not in any line."""
    roles = {"prediction": "prediction", "reference": "reference", **roles}
    held = Held("s", sent(rows))
    given = filechoice.read_choice(held, choice(list(rows[0]), metrics, other=other, **roles))
    return Run("a.jsonl", given, *filechoice.prepare(held, given))


# What is held


def test_files_are_forgotten_an_hour_after_their_last_use() -> None:
    now = [0.0]
    store = Store(lambda: now[0])
    held = Held("s", sent(simple()))
    store.put(held)
    now[0] = 3599.0
    assert store.get(held.token, "s") is held
    now[0] = 3599.0 + 3599.0
    assert store.by_token(held.token) is held
    now[0] += 3600.0
    store.sweep()
    assert store.held == {}
    assert store.get(held.token, "s") is None


def test_a_file_whose_run_goes_on_is_in_use() -> None:
    now = [0.0]
    store = Store(lambda: now[0], most=1)
    held = Held("s", sent(simple()), run=run_of(simple()))
    store.put(held)
    now[0] = 5000.0
    store.sweep()
    store.put(Held("another", sent(simple())))
    assert held.token in store.held
    assert held.run is not None
    held.run.end("done")
    now[0] = 8599.0
    assert held.token in store.held
    now[0] = 8600.0
    store.sweep()
    assert held.token not in store.held


def test_of_too_many_files_the_longest_unused_goes() -> None:
    now = [0.0]
    store = Store(lambda: now[0], most=3)
    held = [Held(f"s{number}", sent(simple())) for number in range(4)]
    for number, one in enumerate(held[:3]):
        now[0] = number
        store.put(one)
    now[0] = 10
    assert store.get(held[0].token, "s0")
    store.put(held[3])
    assert [one.token in store.held for one in held] == [True, False, True, True]
    small = Store(characters=sum(one.first.characters for one in held[:2]))
    for one in held[:3]:
        small.put(one)
    assert len(small.held) == 2


def test_a_page_has_one_file_and_another_page_none_of_it() -> None:
    store = Store()
    first, second = Held("s", sent(simple())), Held("s", sent(simple()))
    store.put(first)
    store.put(second)
    assert store.get(first.token, "s") is None
    assert store.get(second.token, "s") is second
    forgeries: list[Any] = ["", "t", None, 5, [], second.token[:-1]]
    for forged in forgeries:
        assert store.get(forged, "s") is None
    assert store.get(second.token, "another") is None
    assert len(second.token) >= 32
    store.forget("s")
    assert store.held == {}


# Who waits


def blocked(run: Run, gate: threading.Event) -> None:
    """Make a run wait for the gate before it computes."""
    run.work = lambda: (gate.wait(30), run.end("done"))[1]  # type: ignore[method-assign]


def test_two_work_eight_wait_and_more_are_refused() -> None:
    line, gate = Line(), threading.Event()
    runs = [run_of(simple(3)) for _ in range(11)]
    for run in runs:
        blocked(run, gate)
    assert [line.join(run) for run in runs] == [True] * 10 + [False]
    assert [line.before(run) for run in runs[:10]] == list(range(10))
    runs[5].cancel()
    assert runs[5].state == "cancelled"
    assert line.before(runs[9]) == 8
    assert line.join(runs[10])
    gate.set()
    for run in (*runs[:5], *runs[6:]):
        run.ended.result(30)
    assert line.runs == []


def test_the_line_is_said_and_cancel_ends_the_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    line, gate = Line(working=1, waiting=1), threading.Event()
    monkeypatch.setattr(filecalls, "LINE", line)
    monkeypatch.setattr(fileform, "LINE", line)
    busy = run_of(simple(3))
    blocked(busy, gate)
    assert line.join(busy)
    rows = simple(3)
    token = upload_rows(rows, "waits")
    given = choice(list(rows[0]), prediction="prediction", reference="reference")
    seen: list[Any] = []

    async def press() -> None:
        async for step in filecalls.start(token, given, turn(), "", "", "", "", "en", session("waits")):
            seen.append(step)
            if len(seen) == 1:
                refused = await asyncio.to_thread(full)
                assert "Too many files" in refused
                filecalls.stop(token, "en", session("another"))
                held = STORE.get(token, "waits")
                assert held is not None
                assert held.busy()
                filecalls.stop(token, "en", session("waits"))

    def full() -> str:
        other = upload_rows(rows, "full")
        return str(begin(other, given, "full")[0][1])

    asyncio.run(press())
    assert "Waiting, 1 before you." in seen[0][1]
    assert "Cancelled after 0 of 3 rows" in seen[1][1]
    gate.set()
    busy.ended.result(30)


def test_a_long_file_does_not_stop_a_pasted_answer() -> None:
    rows = [dict(row, reference=row["reference"] * 5, prediction=row["prediction"] * 5) for row in simple(9000)]
    submission = Submission("q", "the red fox", "a red fox", "fox")
    words = [place for place, metric in enumerate(METRICS) if metric.kind == "words"]

    async def paste() -> int:
        return len([found async for found in running.results(submission, False, words, lambda: True)])

    asyncio.run(paste())  # loads the modules
    runs = [run_of(rows) for _ in range(4)]
    line = Line()
    for run in runs:
        assert line.join(run)
    while any(run.marks[0].done == 0 for run in runs[:2]):
        time.sleep(0.01)
    begun = time.monotonic()
    assert asyncio.run(paste()) == len(words)
    took = time.monotonic() - begun
    assert not any(run.ended.done() for run in runs)
    assert took < 10
    for run in runs:
        run.cancel()
    for run in runs:
        run.ended.result(30)
        assert run.state == "cancelled"
        assert run.results is None


def test_a_model_is_shared_chunk_by_chunk(monkeypatch: pytest.MonkeyPatch) -> None:
    run = run_of(simple(24), ["cosine_similarity"])
    order: list[str] = []
    done: list[Future[Any]] = []

    def chunk(scorer: Any, items: Sequence[Any]) -> Any:
        if not order:
            done.append(running.WORKERS["cosine_similarity"].submit(lambda: order.append("paste")))  # type: ignore[arg-type, return-value]
        order.append(f"chunk in {threading.current_thread().name}")
        return [scorer.unscored("other") for _ in items], 0.3

    monkeypatch.setattr(filejobs, "timed", chunk)
    run.work()
    assert run.state == "done"
    assert done[0].result(10) is None
    assert order == ["chunk in model of cosine_similarity", "paste", "chunk in model of cosine_similarity"]


def test_a_cancelled_run_ends_at_its_next_chunk(monkeypatch: pytest.MonkeyPatch) -> None:
    run = run_of(simple(400), ["bleu", "rouge"])
    monkeypatch.setattr(filejobs, "timed", lambda scorer, items: (run.stop.set(), scorer.score(items), 0.1)[1:])
    run.work()
    assert run.state == "cancelled"
    assert 0 < run.marks[0].done < 400
    assert run.marks[1].done == 0
    run.cancel()
    assert run.state == "cancelled"


def test_a_defect_is_said_and_nothing_of_the_file_is_logged(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(scorer: Any, items: Any) -> Any:
        raise KeyError(SECRET)

    monkeypatch.setattr(filejobs, "timed", broken)
    rows = simple(3)
    token = upload_rows(rows, "defect")
    shown = begin(token, choice(list(rows[0]), prediction="prediction", reference="reference"), "defect")[-2]
    assert "could not be scored (KeyError)" in shown[1]
    assert "KeyError" in caplog.text
    assert SECRET not in caplog.text + shown[1]


# Results


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


def fetched(path: str, method: str = "GET") -> tuple[int, dict[bytes, bytes], bytes]:
    """What the route of downloads answers."""
    said: list[dict[str, Any]] = []

    async def send(message: dict[str, Any]) -> None:
        said.append(message)

    place, _, query = path.partition("?")
    scope = {"type": "http", "path": place, "method": method, "query_string": query.encode()}
    assert filesent.wanted(scope)
    asyncio.run(filesent.answer(scope, send))
    return said[0]["status"], dict(said[0]["headers"]), said[1]["body"]


def test_downloads_hold_the_modules_own_numbers() -> None:
    rows = simple(40)
    rows[3] |= {"id": "=1+1", "prediction": "NA", "reference": "007\nnull"}
    token = upload_rows(rows, "numbers")
    given = choice(list(rows[0]), prediction="prediction", reference="reference", other="other", id="id")
    held = finished(token, given, "numbers")
    own = own_numbers(rows)
    status, headers, data = fetched(f"/scored/{token}/rows.jsonl")
    assert status == 200
    assert headers[b"cache-control"] == b"no-store"
    assert headers[b"content-disposition"] == b'attachment; filename="answer_lens_rows.jsonl"'
    lines = [json.loads(line) for line in data.decode().splitlines()]
    assert [{name: line[name] for name in rows[0]} for line in lines] == rows
    assert {key: [line[key] for line in lines] for key in own} == own
    others = own_numbers([dict(row, prediction=row["other"]) for row in rows])
    assert {key: [line[f"{key}_against"] for line in lines] for key in own} == others
    cells = list(csv.DictReader(io.StringIO(fetched(f"/scored/{token}/rows.csv")[2].decode(), newline="")))
    assert cells[3]["id"] == "'=1+1"
    assert cells[3]["reference"] == "007\nnull"
    assert {key: [float(row[key]) for row in cells] for key in own} == own
    from pyarrow import parquet

    table = parquet.read_table(io.BytesIO(fetched(f"/scored/{token}/rows.parquet")[2])).to_pylist()
    assert table == lines
    report = fetched(f"/scored/{token}/summary.md")[2].decode()
    mean = sum(own["rougeL"]) / len(rows)
    low, high = intervals.mean_interval(own["rougeL"])
    assert f"| ROUGE-L | {mean:.4f} | [{low:.4f}, {high:.4f}] | 40 | 0 |" in report
    assert "`lv_eval_f1|version:" in report
    assert "# a.jsonl 的得分" in fetched(f"/scored/{token}/summary.md?lang=zh")[2].decode()
    assert "\\toprule" in fetched(f"/scored/{token}/summary.tex")[2].decode()
    assert held.run is not None
    assert held.run.results is not None
    assert (
        held.run.results.summary.corpus_bleu
        == load("bleu").compute(
            predictions=[row["prediction"] for row in rows], references=[row["reference"] for row in rows]
        )["bleu"]
    )


def test_only_what_is_held_can_be_downloaded() -> None:
    rows = simple(3)
    token = upload_rows(rows, "links")
    assert fetched(f"/scored/{token}/rows.csv")[0] == 404
    finished(token, choice(list(rows[0]), prediction="prediction", reference="reference"), "links")
    assert fetched(f"/scored/{token}/rows.csv")[0] == 200
    status, headers, data = fetched(f"/scored/{token}/rows.csv", "HEAD")
    assert (status, data) == (200, b"")
    assert int(headers[b"content-length"]) > 100
    for path in (f"/scored/{token}/rows.xlsx", f"/scored/{token}/../app.py", f"/scored/{token}", "/scored//rows.csv",
                 f"/scored/{token[:-1]}/rows.csv", f"/scored/{token}x/rows.csv", "/scored/links/rows.csv"):  # fmt: skip
        assert fetched(path)[0] == 404, path
    assert fetched(f"/scored/{token}/rows.csv", "POST")[0] == 404
    filecalls.leave("links")
    assert fetched(f"/scored/{token}/rows.csv")[0] == 404


def test_a_download_that_cannot_be_made_says_nothing_of_the_file(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    token = upload_rows(simple(3), "broken")

    def broken(*_: Any) -> bytes:
        raise ValueError(SECRET)

    monkeypatch.setattr(filesent, "download", broken)
    assert fetched(f"/scored/{token}/rows.csv")[0] == 404
    assert "ValueError" in caplog.text
    assert SECRET not in caplog.text


def test_groups_differences_and_references_of_a_list_or_a_separator() -> None:
    rows = simple(20)
    for number, row in enumerate(rows):
        row["reference"] = [row["reference"], "another"] if number % 2 else row["reference"]
    run = run_of(rows, other="other", prediction="prediction", reference="reference", group="kind")
    run.work()
    assert run.results is not None
    assert list(run.results.summary.groups) == ["red", "green"]
    means = [figures[0].mean for figures in run.results.summary.groups.values()]
    own = load("lv_eval_f1").compute(
        predictions=[row["prediction"] for row in rows[::2]], references=[row["reference"] for row in rows[::2]]
    )
    assert means[0] == pytest.approx(own["lv_eval_f1"], abs=1e-15)
    found = next(one for one in run.results.differences if one.series.key == "rougeL")
    mine, theirs = run.results.tally.columns["rougeL"], run.results.other.columns["rougeL"]  # type: ignore[union-attr]
    assert (found.difference, found.interval, found.p_value) == intervals.paired(mine, theirs)
    held = Held("s", sent([{"reference": "a b; c d", "prediction": "c d"}]))
    given = filechoice.read_choice(
        held, choice(["reference", "prediction"], separator=";", reference="reference", prediction="prediction")
    )
    assert filechoice.prepare(held, given)[0].items[0].reference == ["a b", "c d"]


def second_file(rows: Rows, page: str, first: Rows) -> tuple[str, list[Any]]:
    """Two files of one page: the token and what is shown of the second."""
    token = upload_rows(first, page)
    names = list(first[0])
    given = choice(names, prediction="prediction", reference="reference", id="id")
    return token, upload("\n".join(map(json.dumps, rows)).encode(), "b.jsonl", page, "second", token, given)


def test_a_second_file_is_matched_by_its_ids() -> None:
    rows = simple(20)
    others = [dict(row, prediction=row["other"]) for row in reversed(rows)]
    token, shown = second_file(others, "pair", rows)
    assert "b.jsonl" in shown[0]
    assert "b.jsonl" in shown[2]
    names = list(rows[0])
    roles = {"prediction": "prediction", "reference": "reference", "id": "id", "other": "prediction"}
    held = finished(token, choice(names, **roles), "pair")
    assert held.run is not None
    results = held.run.results
    assert results is not None
    assert results.order == list(range(19, -1, -1))
    own = own_numbers([dict(row, prediction=row["other"]) for row in rows])
    lines = [json.loads(line) for line in fetched(f"/scored/{token}/rows.jsonl")[2].decode().splitlines()]
    assert [line["bleu_against"] for line in lines] == own["bleu"]
    by_order = begin(token, choice(names, **(roles | {"id": ""})), "pair")[-1]
    assert "Row 1 of the two files differs" in by_order[1]
    assert (
        "data-token"
        in steps(
            filecalls.send("", "", "unsecond", "second", token, choice(names, **roles), turn(), "en", session("pair"))
        )[1][0]
    )
    assert held.second is None


def test_files_that_do_not_match_are_refused_in_words() -> None:
    rows = simple(6)
    roles = {"prediction": "prediction", "reference": "reference", "id": "id", "other": "prediction"}
    for others, told in (
        (rows[:5], "6 and 5 rows"),
        ([dict(row, id=row["id"] + "x") for row in rows], "are not in the second"),
        ([dict(row, id="q0") for row in rows], "stands twice in the second"),
        ([dict(row, reference="x") for row in rows], "differs in question or reference"),
    ):
        token, _ = second_file(others, "mismatch", rows)
        assert told in begin(token, choice(list(rows[0]), **roles), "mismatch")[-1][1]
    token, shown = second_file([{"a": 1}], "mismatch", rows)
    assert "No column is known" in begin(token, choice(list(rows[0]), **(roles | {"other": ""})), "mismatch")[-1][1]
    shown = upload(b"\xff\xfe", "b.csv", "mismatch", "second", token)
    assert "not in UTF-8" in shown[2]
    assert STORE.get(token, "mismatch") is not None


# Rows


def test_views_of_rows_equal_a_slow_and_obvious_version() -> None:
    rows = simple(60)
    run = run_of(rows, prediction="prediction", reference="reference", group="kind", id="id")
    run.work()
    results = run.results
    assert results is not None
    scores = {key: results.tally.scores(key) for key in SERIES_KEYS}
    results.tally.columns["bleu"][7] = float("nan")
    results.tally.reasons["bleu"][7] = "other"
    scores["bleu"][7] = None
    for key in SERIES_KEYS:
        for down in (False, True):
            found = filerows.found_rows(run, results, View(sort=key, down=down))
            kept = [row for row in range(60) if scores[key][row] is not None]
            kept.sort(key=lambda row: scores[key][row], reverse=down)
            assert found == kept + [row for row in range(60) if scores[key][row] is None]
    assert filerows.found_rows(run, results, View(down=True)) == list(range(59, -1, -1))
    by_text = filerows.found_rows(run, results, View(sort="prediction", text="RED GREEN"))
    wanted = [
        row for row in range(60) if "red green" in rows[row]["prediction"] or "red green" in rows[row]["reference"]
    ]
    assert by_text == sorted(wanted, key=lambda row: rows[row]["prediction"])
    assert filerows.found_rows(run, results, View(group=1)) == list(range(1, 60, 2))
    between = filerows.found_rows(run, results, View(series="rougeL", low=0.3, high=0.9))
    assert between == [row for row in range(60) if 0.3 <= (scores["rougeL"][row] or 0) <= 0.9]
    assert 0 < len(between) < 60
    assert filerows.found_rows(run, results, View(unscored=True)) == [7]


@pytest.mark.parametrize(
    "forged",
    [None, 5, "", "x", "[]", "null", '{"sort": "__class__"}', '{"sort": 1, "down": "yes", "page": -1}',
     '{"page": 1e99}',
     '{"text": ["a"], "group": {}, "low": "nan", "high": "inf", "series": "row"}', "[" * 100_000, '{"page": true}'],
)  # fmt: skip
def test_views_that_no_page_sends_are_the_first_view(forged: Any) -> None:
    assert filerows.read_view(forged) == View()


def test_the_table_has_pages_of_25() -> None:
    rows = simple(60)
    token = upload_rows(rows, "pages")
    finished(token, choice(list(rows[0]), prediction="prediction", reference="reference"), "pages")

    def page(number: int) -> list[int]:
        shown = filecalls.look(token, json.dumps({"page": number}), turn(), "en", session("pages"))
        return [int(row) for row in re.findall('<tr data-row="([0-9]+)"', shown)]

    assert [page(number) for number in (0, 2, 9)] == [list(range(25)), list(range(50, 60)), list(range(50, 60))]


@pytest.mark.parametrize(
    ("view", "words", "found"),
    [
        ({"low": "0.9"}, "choose which score", 12),
        ({"low": "0.9", "high": "all", "series": "bleu"}, "are numbers", 12),
        ({"low": "0,9", "high": " ", "series": "bleu"}, "", 8),
        ({"text": "nowhere"}, "No row fits; there are 12 in all", 0),
    ],
)
def test_a_range_that_cannot_be_looked_for_is_said(view: dict[str, str], words: str, found: int) -> None:
    rows = simple(12)
    token = upload_rows(rows, "ranges")
    finished(token, choice(list(rows[0]), prediction="prediction", reference="reference"), "ranges")
    shown = filecalls.look(token, json.dumps(view), turn(), "en", session("ranges"))
    assert words in shown
    assert ("al-refused" in shown) == (found == 12)
    assert shown.count("<tr data-row=") == found


def opened(token: str, row: str, page: str = "s", language: str = "en") -> str:
    """The cards of a row."""
    return str(steps(filecalls.open_row(token, row, turn(), language, session(page)))[-2])


def test_cards_of_a_row_show_the_scores_of_the_table() -> None:
    rows: Rows = [{"answer": "red green", "reference": ["blue", "red green"], "question": "Which?"}]
    rows += [{"answer": "x " * 30_000, "reference": "y", "question": ""}]
    token = upload_rows(rows, "cards")
    finished(token, choice(["answer", "reference", "question"], prediction="answer", reference="reference"), "cards")
    shown = opened(token, "0", "cards")
    values = re.findall('data-metric="([a-z0-9_]+)".*?al-score">([^<]+)<', shown)
    assert values == [("lv_eval_f1", "0.00"), ("bleu", "1.00"), ("rouge", "1.00"), ("lv_eval_rouge", "0.00")]
    assert "Row 1" in shown
    assert "Answer to score is too long" in opened(token, "1", "cards")
    assert "第 1 行" in opened(token, "0", "cards", "zh")


# Judges


@pytest.fixture
def judge_server() -> Iterator[JudgeServer]:
    """A judge that finds equal texts equal."""
    with JudgeServer(compared) as server:
        yield server


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


def test_a_judge_is_asked_once_and_its_key_is_held_nowhere(
    judge_server: JudgeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SPACE_ID", raising=False)
    rows = [{"question": f"q{n}?", "reference": f"r{n}", "answer": f"r{n}" if n % 2 else "wrong"} for n in range(6)]
    token = upload_rows(rows, "judged")
    names = list(rows[0])
    given = choice(
        names, ("bleu", "l3score", "eve_judge"), prediction="answer", reference="reference", question="question"
    )
    judge = ("vllm", "judge-1", KEY, judge_server.url)
    held = finished(token, given, "judged", judge=judge)
    assert judge_server.keys == {KEY}
    assert len(judge_server.requests) == 12
    lines = [json.loads(line) for line in fetched(f"/scored/{token}/rows.jsonl")[2].decode().splitlines()]
    assert [line["eve_judge"] for line in lines] == [0.0, 1.0] * 3
    assert [line["L3Score"] > 0.5 for line in lines] == [False, True] * 3
    assert lines[1]["eve_judge_reasoning"] == "It says the same."
    shown = opened(token, "1", "judged")
    assert "It says the same." in shown
    assert len(judge_server.requests) == 12
    everything = [
        *reachable(held),
        shown,
        *(fetched(f"/scored/{token}/{name}")[2].decode("latin-1") for name in filerows.DOWNLOADS),
    ]
    assert any("It says the same." in one for one in everything)
    assert [one[:60] for one in everything if KEY in one or "VerySecret" in one] == []


def test_a_judge_that_lacks_something_is_refused_before_anything_is_scored(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = simple(3)
    token = upload_rows(rows, "lacks")
    given = choice(list(rows[0]), ("bleu", "eve_judge"), prediction="prediction", reference="reference")
    assert "A judge is chosen as a metric" in begin(token, given, "lacks")[0][1]
    monkeypatch.setenv("ANSWER_LENS_PUBLIC", "1")
    forged = ("openai", "m", KEY, "http://127.0.0.1:9/v1")
    assert "another cannot be chosen" in begin(token, given, "lacks", judge=forged)[0][1]
    held = STORE.get(token, "lacks")
    assert held is not None
    assert held.run is None


def test_a_judge_that_refuses_leaves_rows_unscored_and_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.support.judge_server import error

    with JudgeServer(lambda request, number: error(401, f"No: {request.key}")) as server:
        rows = simple(3)
        run = Run("a", *prepared(rows, ("bleu", "eve_judge")), judge=Judge("vllm", "m", server.url, KEY))
        run.work()
    assert run.results is not None
    figures = {figure.series.key: figure for figure in run.results.summary.figures}
    assert figures["eve_judge"].scored == 0
    assert figures["bleu"].scored == 3
    assert "key" in run.results.summary.stopped["eve_judge"]
    assert KEY not in str(run.results.summary)


def prepared(rows: Rows, metrics: Sequence[str]) -> tuple[Any, ...]:
    """What a run is made of."""
    held = Held("s", sent(rows))
    given = filechoice.read_choice(held, choice(list(rows[0]), metrics, prediction="prediction", reference="reference"))
    return given, filechoice.prepare(held, given)[0]


# What no page sends, and what is wrong


def test_another_session_gets_nothing_with_the_token() -> None:
    rows = [dict(row, prediction=SECRET) for row in simple(3)]
    token = upload_rows(rows, "mine")
    given = choice(list(rows[0]), prediction="prediction", reference="reference")
    finished(token, given, "mine")
    calls: list[Callable[[str], Any]] = [
        lambda page: begin(token, given, page),
        lambda page: filecalls.look(token, "{}", turn(), "en", session(page)),
        lambda page: steps(filecalls.open_row(token, "0", turn(), "en", session(page))),
        lambda page: asyncio.run(filecalls.again(token, given, "{}", "0", "en", session(page))),
        lambda page: steps(filecalls.send("", "b.csv", "file", "second", token, given, turn(), "en", session(page))),
    ]
    for call in calls:
        assert SECRET not in str(call("yours"))
        assert "not held any more" in str(call("yours"))
    for call in calls[:4]:
        assert SECRET in str(call("mine"))


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (None, "did not arrive"), (7, "did not arrive"), ("{", "did not arrive"), ("[]", "did not arrive"),
        ('{"roles": []}', "did not arrive"), ('{"roles": {}, "metrics": "bleu"}', "did not arrive"),
        ('{"roles": {}, "metrics": ["os"]}', "did not arrive"), ('{"roles": {}, "metrics": [{}]}', "did not arrive"),
        ('{"roles": {"prediction": "99"}, "metrics": ["bleu"]}', "did not arrive"),
        ('{"roles": {"prediction": "-1"}, "metrics": ["bleu"]}', "did not arrive"),
        ('{"roles": {"prediction": ["0"]}, "metrics": ["bleu"]}', "did not arrive"),
        ('{"roles": {}, "metrics": ["bleu"], "separator": "' + "x" * 21 + '"}', "at most 20 characters"),
        ('{"roles": {}, "metrics": ["bleu"], "separator": 5}', "at most 20 characters"),
        ('{"roles": {}, "metrics": []}', "No metric is chosen"),
        ('{"roles": {"reference": "1"}, "metrics": ["bleu"]}', "No column is known to hold the answer to score"),
        ('{"roles": {"reference": "1", "prediction": "1"}, "metrics": ["bleu"]}', "has two roles"),
        ('{"roles": {"reference": "1", "prediction": "2", "other": "1"}, "metrics": ["bleu"]}', "has two roles"),
        ('{"roles": {"reference": "1", "prediction": "5"}, "metrics": ["bleu"]}', "row 2, is 7 (int); a text is"),
        ('{"roles": {"reference": "6", "prediction": "2"}, "metrics": ["bleu"]}', "row 3, is [] (list);"),
    ],
)  # fmt: skip
def test_choices_that_do_not_fit_are_refused_in_words(given: Any, words: str) -> None:
    rows = [dict(row, mixed="text", lists=["x"]) for row in simple(4)]
    rows[1]["mixed"], rows[2]["lists"] = 7, []
    token = upload_rows(rows, "choices")
    shown = begin(token, given, "choices")[0]
    assert words in shown[1].replace("&#x27;", "'")
    assert 'data-state="refused"' in shown[1]


@pytest.mark.parametrize(
    ("values", "words"),
    [
        (("", "", "none"), "No file is chosen"),
        (("", "big.csv", "large"), "score.py"),
        (("", "a.csv", "unread"), "did not arrive whole"),
        (("", "a.csv", "file"), "no rows"),
        ((base64.b64encode(b"[1]").decode(), "a.jsonl", "file"), "like {&quot;column&quot;"),
        (("!", "a.csv", "file"), "did not arrive whole"),
        (("", "a.xlsx", "file"), "cannot be told from its name"),
        ((None, ["x"], {}), "cannot be told from its name"),
        ((base64.b64encode(b"x" * 10_000_001).decode(), "a.csv", "file"), "larger than 10 MB"),
        ((base64.b64encode(b"x" * 14_000_000).decode(), "a.csv", "file"), "larger than 10 MB"),
        ((base64.b64encode(b"a\n" + b"x\n" * 10_001).decode(), "a.csv", "file"), "10,000 rows"),
        (
            (base64.b64encode(",".join(map(str, range(201))).encode() + b"\n" + b"," * 200).decode(), "a.csv", "file"),
            "200",
        ),
        (("", "", "unsecond"), "cannot be told from its name"),
    ],
)
def test_files_that_cannot_be_read_are_refused_in_words(values: tuple[Any, ...], words: str) -> None:
    shown = steps(filecalls.send(*values, "first", "", "", turn(), "en", session(words)))[1]
    assert words in shown[2]
    assert 'data-state="refused"' in shown[2]
    assert "data-token" not in shown[0]


def test_too_many_files_at_once_are_refused() -> None:
    gate = threading.Event()
    jobs = [fileupload.READERS.begin(lambda: gate.wait(30)) for _ in range(fileupload.MAX_READ)]
    shown = steps(filecalls.send("", "a.csv", "file", "first", "", "", turn(), "en", session("many")))
    assert "Too many files are being read" in shown[0][2]
    gate.set()
    for job in jobs:
        assert job is not None
        job.result(30)
    assert "no rows" in upload(b"", "a.csv", "many")[2]


def test_what_a_newer_turn_has_overtaken_says_nothing_more() -> None:
    rows = simple(3)
    token = upload_rows(rows, "newer")
    given = choice(list(rows[0]), prediction="prediction", reference="reference")
    finished(token, given, "newer")
    assert len(steps(filecalls.start(token, given, "1", "", "", "", "", "en", session("newer")))) == 1
    filecalls.leave("newer")
    assert "not held any more" in begin(token, given, "newer")[0][1]


def test_a_row_that_was_opened_outlasts_a_sort_but_not_another_run(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = simple(12)
    token = upload_rows(rows, "opened")
    given = choice(list(rows[0]), prediction="prediction", reference="reference")
    finished(token, given, "opened")

    async def drawn(meanwhile: Callable[[], object]) -> list[Any]:
        """What opening a row shows where something else is done before its cards are there."""

        async def cards(*_: Any) -> str:
            meanwhile()
            return "CARDS"

        monkeypatch.setattr(filecalls, "cards_of", cards)
        return [step async for step in filecalls.open_row(token, "0", turn(), "en", session("opened"))]

    def start_anew() -> None:
        thread = threading.Thread(target=lambda: begin(token, given, "opened"))
        thread.start()
        thread.join(60)

    sort = json.dumps({"sort": "bleu"})
    shown = asyncio.run(drawn(lambda: filecalls.look(token, sort, turn(), "en", session("opened"))))
    assert any("CARDS" in str(step) for step in shown)
    assert not any("CARDS" in str(step) for step in asyncio.run(drawn(start_anew)))


def test_a_page_that_is_closed_while_its_rows_are_read_begins_no_run(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = simple(3)
    token = upload_rows(rows, "early")
    held = STORE.get(token, "early")
    assert held is not None
    prepare = filechoice.prepare

    def prepared_late(*values: Any) -> Any:
        filecalls.leave("early")
        return prepare(*values)

    monkeypatch.setattr(filecalls, "prepare", prepared_late)
    begin(token, choice(list(rows[0]), prediction="prediction", reference="reference"), "early")
    assert held.run is None
    assert filejobs.LINE.runs == []


def test_a_second_file_that_was_overtaken_is_not_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = simple(12)
    token = upload_rows(rows, "late")
    held = STORE.get(token, "late")
    assert held is not None
    kept = fileupload.kept

    def kept_late(*values: Any) -> Any:
        found = kept(*values)
        filecalls.TURNS.begin("late", int(turn()))
        return found

    monkeypatch.setattr(filecalls, "kept", kept_late)
    content = base64.b64encode("\n".join(map(json.dumps, rows)).encode()).decode()
    given = choice(list(rows[0]), prediction="prediction", reference="reference")
    steps(filecalls.send(content, "b.jsonl", "file", "second", token, given, turn(), "en", session("late")))
    assert held.second is None


def test_one_row_is_no_rows() -> None:
    assert upload(b"answer,reference\nx,y\n", "one.csv", "one")[1] == "one.csv was read: 1 row."


def test_the_form_of_a_file_goes_with_it() -> None:
    upload_rows(simple(3), "goes")
    shown = steps(filecalls.send("", "a.csv", "file", "first", "", "", turn(), "en", session("goes")))
    assert "data-token" not in str(shown[0][0])
    assert isinstance(shown[0][0], str)


def test_a_closed_page_ends_its_run() -> None:
    rows = simple(2000)
    token = upload_rows(rows, "closed")
    given = choice(list(rows[0]), prediction="prediction", reference="reference")
    seen: list[Any] = []

    async def press() -> Run:
        found = None
        async for step in filecalls.start(token, given, turn(), "", "", "", "", "en", session("closed")):
            seen.append(step)
            held = STORE.get(token, "closed")
            found = held.run if held else found
            filecalls.leave("closed")
        assert found is not None
        return found

    run = asyncio.run(press())
    run.ended.result(30)
    assert run.state == "cancelled"
    assert 'data-state="done"' not in str(seen)


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


def test_everything_of_a_file_is_escaped() -> None:
    names = ["id", "question", "reference", "prediction", "kind"]
    rows = [{MARKUP + name: f"{MARKUP} {name} {number}" for name in names} for number in range(12)]
    token = upload_rows(rows, "markup", f"{MARKUP}.jsonl")
    roles = {"id": "id", "question": "question", "reference": "reference", "prediction": "prediction", "group": "kind"}
    given = choice(list(rows[0]), **{role: MARKUP + name for role, name in roles.items()})
    everything = [*upload(b'{"a": 1}', f"{MARKUP}.jsonl", "else")[:3], *begin(token, given, "markup")[-2][:3]]
    view = json.dumps({"text": MARKUP, "sort": "prediction"})
    everything += [opened(token, "3", "markup")]
    everything += asyncio.run(filecalls.again(token, given, view, "3", "zh", session("markup")))[:5]
    for drawn in everything:
        assert "img" not in Elements(drawn).tags
    assert sum(Elements(drawn).text.count("<img src=x") for drawn in everything) > 50


def test_a_switch_draws_what_is_held_in_the_other_language() -> None:
    rows = simple(30)
    token = upload_rows(rows, "switch")
    given = choice(list(rows[0]), prediction="prediction", reference="reference", other="other", group="kind")
    shown = asyncio.run(filecalls.again(token, given, "{}", "", "zh", session("switch")))
    assert "前几行" in shown[2]
    finished(token, given, "switch")
    shown = asyncio.run(filecalls.again(token, given, json.dumps({"page": 1}), "2", "zh", session("switch")))
    english = re.compile("[A-Z][a-z]+ [a-z]+ [a-z]+")
    for drawn in shown[:3]:
        assert english.findall(Elements(drawn).text) == [], drawn
    assert "第 2 / 2 页" in shown[3]
    assert "第 3 行" in shown[4]
    assert 'value="4" selected' in shown[0]


def verdict_of(results: Any) -> str:
    """The sentence on a file's results."""
    return fileverdict.verdict(results.summary, results.differences, results.correlations)


def test_the_example_says_that_it_is_made_up_and_tries_everything() -> None:
    shown = steps(filecalls.send("", "", "example", "first", "", "", turn(), "en", session("example")))[1]
    token = token_in(shown[0])
    assert "made-up example" in shown[2]
    assert "made_up" in fileupload.EXAMPLE.name
    held = STORE.get(token, "example")
    assert held is not None
    assert 40 <= held.first.table.rows <= 60
    chosen = filechoice.first_choice(held.first)
    assert chosen.other == "answer_b"
    assert chosen.roles["group"] == "topic"
    names = held.first.names
    given = choice(names, other=chosen.other, **{role: name for role, name in chosen.roles.items() if name})
    run = finished(token, given, "example").run
    assert run is not None
    assert run.results is not None
    assert len(run.results.summary.groups) == 5
    assert verdict_of(run.results).startswith("The first system is better by LV-Eval F1")
    lines = [json.loads(line) for line in fetched(f"/scored/{token}/rows.jsonl")[2].decode().splitlines()]
    assert sum(re.search("[\u4e00-\u9fff]", line["question"]) is not None for line in lines) >= 10


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
    assert words in fileverdict.systems(differences)


@pytest.mark.parametrize(
    ("rho", "n", "words"),
    [(0.1, 200, "rank the rows differently"), (0.99, 200, "alike"), (0.1, 12, ""), (0.7, 200, ""), (0.99, 11, "alike"),
     (0.85, 20, "")],
)  # fmt: skip
def test_the_sentence_says_what_is_certain_of_one_system(rho: float, n: int, words: str) -> None:
    pair = {("bleu", "rougeL"): (rho, n), ("rougeL", "bleu"): (rho, n), ("bleu", "bleu"): (1.0, n)}
    figures = [SimpleNamespace(series=series) for series in SERIES]
    results: Any = SimpleNamespace(
        summary=SimpleNamespace(rows=n, figures=figures), differences=[], correlations=pair, order=[]
    )
    told = verdict_of(results)
    assert words in told
    assert bool(told) == bool(words)
    results.summary.rows = 9
    assert "fewer than 10 rows" in verdict_of(results)


def test_a_file_cannot_be_scored_by_a_metric_that_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(name: str, configuration: str | None = None) -> Any:
        raise scoring.Unavailable(name)

    rows = simple(12)
    token = upload_rows(rows, "fails")
    monkeypatch.setattr(scoring, "fresh_module", broken)
    shown = begin(token, choice(list(rows[0]), ("bleu",), prediction="prediction", reference="reference"), "fails")[-2]
    assert "Not available here" in shown[1]
    assert "<td>–</td>" in shown[1]
    assert "Not available here" in opened(token, "0", "fails")


def test_a_run_refuses_bad_rows_before_it_waits() -> None:
    with pytest.raises(BadTable, match="row 2"):
        run_of([{"prediction": "a", "reference": "b"}, {"prediction": 7, "reference": "b"}])


def test_rows_without_an_answer_are_not_scored_and_say_so() -> None:
    rows = simple(12)
    rows[4]["prediction"] = None
    token = upload_rows(rows, "null")
    held = finished(token, choice(list(rows[0]), prediction="prediction", reference="reference"), "null")
    shown = asyncio.run(filecalls.again(token, "{}", '{"unscored": true}', "4", "en", session("null")))
    assert "rows not scored: no answer (null) (1)" in shown[2]
    assert re.findall('<tr data-row="([0-9]+)"', shown[3]) == ["4"]
    assert shown[4].count("no answer (null)") == 4
    assert held.run is not None
    assert held.run.results is not None
    assert held.run.results.tally.scores("bleu")[4] is None
