"""The tab "Files" without a browser: choose a file and columns, score, read and download."""

from __future__ import annotations

import asyncio
import csv
import functools
import io
import json
import math
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import anyio.from_thread
import pyarrow.parquet
import pytest
from lens.explanations import file_verdict
from lens.page.files import (
    files_form,
    files_results,
    files_tab,
    read_sample,
    sample_reading,
    sample_views,
    scoring_turns,
)
from lens.page.files.file_scoring import FileScoring
from lens.page.files.files_reading import Files
from lens.page.files.row_table import RowChoice, draw_rows
from lens.page.serving import submissions
from lens.page.tab import read_upload
from lens.reports.score_sections import list_groups
from lens.scoring import modules
from lens.scoring.block_scores import BlockScores
from lens.scoring.catalog import BY_NAME, METRICS, SERIES
from lens.scoring.judge import NO_JUDGE
from lens.words import say, speaking
from lens.words.notes import UserError

from tests.demo.command_runs import OVERLAP_METRICS, Rows, parse_jsonl
from tests.demo.files_visits import (
    MARKUP,
    ROLES,
    compute_row_scores,
    draw_opened_row,
    finish_scoring,
    make_wordy_rows,
    press_start,
    read_choices,
    read_downloads,
    score_tables,
    send_rows,
)
from tests.demo.html_outline import Outline
from tests.demo.page_visits import find_holders, register_upload
from tests.demo.result_samples import SampleSystem, make_figure, make_results
from tests.support.judge_server import JudgeServer
from tests.support.judges import compare_texts

PRIMARY = ("lv_eval_f1", "bleu", "rougeL", "lv_eval_rouge")
SECRET = "SecretText"


# Choices of a file, columns and metrics


def test_an_uploaded_file_is_deleted_after_reading_and_an_incomplete_one_refused(
    tmp_path: Path,
) -> None:
    (tmp_path / "a.csv").write_bytes(b"answer,reference\nx,y\n")
    upload = read_upload(register_upload(tmp_path / "a.csv"), everything=True)
    assert upload.table.names == ["answer", "reference"]
    shown = files_form.read_chosen_files([str(tmp_path / "a.csv")], None)
    assert "did not arrive whole" in shown["status"]
    assert shown["files"] is None
    assert shown["file"] is None


def test_an_encoding_can_be_chosen_after_a_file_is_not_in_utf_8(tmp_path: Path) -> None:
    lines = [
        "question,reference,prediction",
        "首都在哪里?,北京,首都是北京。",
        "作者是谁?,曹雪芹,作者是曹雪芹",
    ]
    data = "".join(f"{line}\n" for line in lines).encode("gbk")

    def read_with_encoding(encoding: str) -> Any:
        # A folder of its own: an upload is deleted with its folder.
        folder = tmp_path / f"encoding {encoding}"
        folder.mkdir()
        (folder / "a.csv").write_bytes(data)
        upload = register_upload(folder / "a.csv")
        return files_form.read_chosen_files([upload], None, encoding)

    shown = read_with_encoding("")
    assert "likely in gb18030" in shown["status"]
    assert shown["files"] is None
    assert shown["file"] is None
    assert shown["encoding"]["visible"]
    shown = read_with_encoding("gb18030")
    note = "The file is read as gb18030. Its first signs beyond ASCII read “首都在哪里"
    assert note in shown["status"]
    assert shown["files"].table.cells("reference") == ["北京", "曹雪芹"]
    assert "encoding" not in shown


def test_the_example_is_called_made_up_and_uses_most_features() -> None:
    shown = files_form.show_example()
    assert "made_up_files.csv was read. Rows: 40." in shown["status"]
    choices = read_choices(shown)
    assert choices == {
        "prediction": ["answer", "answer_b"],
        "reference": ["reference"],
        "question": "question",
        "id": "id",
        "keywords": "keywords",
        "group": "topic",
        "system": "",
        "verdict": [],
        "cluster": "",
        "judges": [],
        "stand_in": "",
    }
    assert [len(row) for row in shown["preview"]["value"]["data"]] == [7, 7, 7]
    results = finish_scoring(FileScoring(shown["files"].uploads, choices, OVERLAP_METRICS))
    assert len(list_groups(results.results, results.names[0])) == 5
    report = files_results.draw_summary(results)
    assert "answer scores significantly higher than answer_b on" in report
    assert "made-up example" in report
    questions = "".join(answer.question for answer in results.tables[0].answers)
    assert re.search("[\u4e00-\u9fff]", questions), "no question is in Chinese"


def test_empty_long_and_malformed_names_and_cells_are_shown() -> None:
    rows: Rows = [{"": None, "x\ud800\n": {"a": [1]}, "z" * 500: ["b", "c"]}]
    shown = files_form.show_choices(Files([send_rows(rows, "\ud800.jsonl")]))
    assert shown["preview"]["value"]["headers"] == ["", "x\ufffd", "z" * 160 + "…"]
    assert shown["preview"]["value"]["data"][0] == ["–", "{'a': [1]}", "b | c"]
    long = f"{'z' * 30}…{'z' * 29}"
    assert [label for label, _ in shown["reference"]["choices"]] == ["(empty)", "x\ufffd", long]


def test_long_column_names_that_are_shortened_alike_get_numbers_and_can_be_chosen(
    tmp_path: Path,
) -> None:
    names = ["n" * 70, "n" * 71, f"n{'n' * 70}\u202e"]
    rows = [",".join(["prediction", "reference", *names]), "a,a,one,two,three", "b,b,one,two,four"]
    (tmp_path / "a\u202e.csv").write_text("\n".join(rows), "utf-8")
    shown = files_form.read_chosen_files([str(tmp_path / "a\u202e.csv")], None)
    assert "a\ufffd.csv was read" in shown["status"]
    long = f"{'n' * 30}…{'n' * 29}"
    labels = [label for label, _ in shown["group"]["choices"]]
    assert labels[3:] == [f"{long} (3)", f"{long} (4)", f"{long[:-1]}\ufffd"]
    table = shown["files"].table
    group = files_form.find_column(table.names, "4")
    choices = read_choices(shown) | {"group": group}
    results = finish_scoring(FileScoring(shown["files"].uploads, choices, ["rouge"]))
    assert list(list_groups(results.results, results.study.names[0])) == ["three", "four"]
    assert "\u202e" not in files_results.draw_summary(results) + draw_rows(results, RowChoice())
    for place in ("9" * 5000, "5", "-1", "", None):
        assert files_form.find_column(table.names, place) == ""
    # No lone surrogate is in it.
    json.dumps(shown["status"]).encode()


@pytest.mark.parametrize(
    ("metrics", "choices", "words"),
    [
        ([], ROLES, "No metric is chosen"),
        (
            ["bleu"],
            {"prediction": "", "reference": "reference"},
            "No column is known to hold the answer to score",
        ),
        (["bleu"], {"prediction": "reference", "reference": "reference"}, "has two roles"),
        (["bleu"], {**ROLES, "prediction": ["prediction", "reference"]}, "has two roles"),
        (["bleu"], {**ROLES, "prediction": ["prediction", "nothing"]}, "no column “nothing”"),
        (
            ["bleu"],
            {"prediction": "mixed", "reference": "reference"},
            "row 2, is {} (dict); a text is",
        ),
        (["bleu"], {"prediction": "prediction", "reference": "lists"}, "row 3, is [[]] (list);"),
    ],
)
def test_choices_that_do_not_fit_are_refused_with_a_message(
    metrics: list[str], choices: dict[str, Any], words: str
) -> None:
    rows = [dict(row, mixed="text", lists=["x"]) for row in make_wordy_rows(4)]
    rows[1]["mixed"] = {}
    rows[2]["lists"] = [[]]
    with pytest.raises(UserError, match=re.escape(words)):
        FileScoring([send_rows(rows)], choices, metrics)


@pytest.mark.parametrize("forged", [None, 5, "", "-1", "99", [], "²"])
def test_forged_positions_are_no_column(forged: Any) -> None:
    assert files_form.find_column(["a", "b"], forged) == ""


def test_start_shows_progress_and_what_is_missing() -> None:
    assert press_start()[-1] == {
        "status": "No file is chosen. Choose one, or try the example.",
        "run": None,
    }
    # A block of the page has 512 rows.
    hidden, held, *steps = press_start(send_rows(make_wordy_rows(600)), metrics=["bleu"])
    assert (hidden["scored"], hidden["run"]) == (None, None)
    assert list(held) == ["run"]
    statuses = [step["status"] for step in steps]
    assert statuses == ["BLEU: 512 of 600 rows", "BLEU: 600 of 600 rows", "All scores are there."]
    assert (steps[-1]["run"], steps[-1]["comparison"]) == (None, ""), (
        "the run, or the agreement of two readers of an earlier file, is still held"
    )
    assert isinstance(steps[-1]["scored"], FileScoring)


def test_a_defect_is_reported_without_any_text_of_the_file(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def raise_error(scorers: Any, block: Any) -> Any:
        raise KeyError(SECRET)

    monkeypatch.setattr(scoring_turns, "score_block", raise_error)
    status = press_start(send_rows(make_wordy_rows(3)))[-1]["status"]
    assert "could not be scored (KeyError)" in status
    assert "KeyError" in caplog.text
    assert SECRET not in caplog.text + status


def test_a_model_serves_others_between_blocks_and_an_abandoned_run_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    order: list[str] = []
    cosine = BY_NAME["cosine_similarity"]

    def note_block(scorers: Any, block: Any) -> Any:
        order.append("block")
        if len(order) == 1:
            paste = functools.partial(
                submissions.run_in_lane, cosine, lambda: order.append("paste"), scoring_turns.BLOCKS
            )
            anyio.from_thread.run_sync(lambda: asyncio.ensure_future(paste()))
        return scoring_turns.BlockResult(
            block.number, block.first, len(block.answers), {cosine.name: BlockScores()}
        )

    async def begin_run() -> None:
        steps = FileScoring([send_rows(make_wordy_rows(200))], ROLES, [cosine.name]).steps(NO_JUDGE)
        # A model scores 32 rows between two looks at other submissions.
        assert [await anext(steps) for _ in range(2)] == [(cosine.name, 32), (cosine.name, 64)]
        await steps.aclose()  # type: ignore[attr-defined]

    monkeypatch.setattr(scoring_turns, "score_block", note_block)
    asyncio.run(begin_run())
    assert order == ["block", "paste", "block"]


def test_metrics_that_were_finished_before_a_cancel_are_shown() -> None:
    run = FileScoring([send_rows(make_wordy_rows(200))], ROLES, ["bleu", "rouge"])

    async def stop_early() -> None:
        async for name, _ in run.steps(NO_JUDGE):
            if name == "rouge":
                return

    asyncio.run(stop_early())
    shown = asyncio.run(anext(files_tab.show_cancelled(run)))
    assert "BLEU" in shown["status"]
    assert shown["scored"].metrics == ["bleu"]
    assert shown["scored"].scores(0).keys() == {"bleu"}
    assert asyncio.run(anext(files_tab.show_cancelled(None)))["status"] == say("page.cancelled")


# Results


def test_downloads_have_the_scores_of_the_modules_and_the_texts_unchanged(tmp_path: Path) -> None:
    rows = make_wordy_rows(40)
    rows[3] |= {"id": "=1+1", "prediction": "NA", "reference": "007\nnull"}
    results = score_tables(rows, prediction=["prediction", "other"], id="id")
    files = read_downloads(results, tmp_path)
    lines = parse_jsonl(files["rows.jsonl"])
    for line, row in zip(lines, rows, strict=True):
        assert line.items() >= row.items()
    for name in ("prediction", "other"):
        expected = compute_row_scores(rows, name)
        assert list_system_scores(lines, name) == expected
    cells = list(csv.DictReader(io.StringIO(files["rows.csv"].decode(), newline="")))
    assert cells[3]["id"] == "'=1+1"
    assert cells[3]["reference"] == "007\nnull"
    assert pyarrow.parquet.read_table(io.BytesIO(files["rows.parquet"])).to_pylist() == lines


def list_system_scores(lines: list[dict[str, Any]], system: str) -> dict[str, list[float]]:
    """Return the scores of a system in downloaded rows, by series."""
    scores = {}
    for series in SERIES:
        if series.metric in OVERLAP_METRICS:
            scores[series.key] = [line[f"{series.key} ({system})"] for line in lines]
    return scores


def test_downloaded_summaries_have_the_means_and_the_language_of_the_page(tmp_path: Path) -> None:
    rows = make_wordy_rows(40)
    results = score_tables(rows, prediction=["prediction", "other"], id="id")
    files = read_downloads(results, tmp_path)
    mean = sum(compute_row_scores(rows)["rougeL"]) / len(rows)
    for kind in ("md", "tex"):
        assert f"{mean:.4f}" in files[f"summary.{kind}"].decode()
    assert f"{mean:.3f} ± " in files_results.draw_summary(results)
    assert ElementTree.fromstring(files["ranks.svg"]).tag == "{http://www.w3.org/2000/svg}svg"
    with speaking("zh"):
        assert read_downloads(results, tmp_path)["summary.md"].decode().startswith("# 各系统\n")


def score_odd_rows() -> Any:
    """Return results of 30 rows. One has no answer; another has a long answer with a NUL."""
    rows = make_wordy_rows(30)
    rows[4]["prediction"] = None
    rows[5]["prediction"] = "x \n y " * 200 + "\x00"
    return score_tables(rows, id="id", group="kind", empty="none")


def test_the_table_of_rows_shows_scores_and_texts() -> None:
    results = score_odd_rows()
    table = draw_rows(results, RowChoice(marks_by="rougeL"))
    numbers = [str(number) for number in range(1, 31)]
    assert re.findall(r'data-row="(\d+)"', table) == numbers
    shown = re.findall(r'class="ft-score">([^<]*)<', table)
    expected = []
    for score in results.scores(0)["rougeL"]:
        expected.append("–" if score is None else f"{score:.2f}")
    assert shown == expected
    assert draw_opened_row(results, 4).count("no answer (null or empty)") == 4
    assert ("x y " * 200)[:160] + "…" in table
    table = draw_rows(results, RowChoice(order="apart"))
    differences = results.differences()
    in_order = [differences[int(number) - 1] for number in re.findall(r'data-row="(\d+)"', table)]
    # The last row has no score.
    assert in_order[:29] == sorted(in_order[:29], reverse=True)


def test_histograms_count_every_score() -> None:
    results = score_odd_rows()
    drawn = list(files_results.count_histograms(results))
    keys = (*PRIMARY, "lv_eval_f1_recall", "rougeL_recall")
    plotted = [series for series in SERIES if series.key in keys]
    for (title, _, mean, counts), series in zip(drawn, plotted, strict=True):
        scores = [score for score in results.scores(0)[series.key] if score is not None]
        assert title == series.title
        assert sum(counts) == 29
        assert mean == pytest.approx(sum(scores) / len(scores))
    assert set(results.results.correlations["metric"]) == {series.key for series in plotted}


def test_references_are_separated_as_the_visitor_says() -> None:
    rows = [{"reference": "a b; c d", "prediction": "c d"}]
    assert score_tables(rows, separator=";").tables[0].answers[0].references == ("a b", "c d")


def read_twelve_answers() -> tuple[FileScoring, list[Any]]:
    """Return results of 40 rows, and the states of the reading before and after 12 verdicts."""
    results = score_tables(make_wordy_rows(40), metrics=["rouge"])
    steps = [sample_reading.begin_reading(results, 12, "uniform", {})]
    for verdict in ("right", "wrong") * 6:
        steps.append(sample_reading.take_verdict(steps[-1], results, verdict))
    return results, steps


def test_after_the_last_verdict_the_page_says_how_to_read_more() -> None:
    results, steps = read_twelve_answers()
    shown = sample_views.show_reading(steps[-1], results)
    assert "All 12 answers are read." in shown["answer"]
    # An interval needs 20 verdicts, and 12 are given: 8 are missing.
    message = "this sample is too small for them: 8 are still to read. Choose more questions"
    assert message in shown["found"]
    assert sample_reading.take_verdict(steps[-1], results, "right") == steps[-1]


def test_the_buttons_of_verdicts_are_inactive_after_the_last_verdict() -> None:
    results, steps = read_twelve_answers()
    first_twelve = []
    for before, now in zip([None, *steps], steps[:-1], strict=False):
        first_twelve.append(sample_views.update_buttons(now, before))
    assert list(map(list_activity, first_twelve)) == [[]] * 12, "the buttons do not change"
    after_last = sample_views.update_buttons(steps[-1], steps[-2])
    assert list_activity(after_last) == [False] * 3

    after_going_back = sample_views.update_buttons(steps[-2], steps[-1])
    more_rows = sample_reading.begin_reading(results, 20, "uniform", steps[-1].verdicts)
    after_choosing_more = sample_views.update_buttons(more_rows, steps[-1])
    after_scoring_another_file = read_sample.offer_sample(results)
    for update in (after_going_back, after_choosing_more, after_scoring_another_file):
        assert list_activity(update) == [True] * 3
        assert "rd_b" not in update


def list_activity(update: dict[str, Any]) -> list[bool]:
    """Return whether the buttons right, wrong and skip are active; empty if nothing changes."""
    activity = []
    for key in "rws":
        if update:
            activity.append(update[f"rd_{key}"]["interactive"])
    return activity


def test_without_an_estimate_rows_are_drawn_with_equal_probabilities() -> None:
    results = score_tables(make_wordy_rows(40), metrics=["rouge"])
    offered = read_sample.offer_sample(results)["way"]
    assert [value for _, value in offered["choices"]] == [offered["value"]] == ["uniform"]


@pytest.mark.parametrize("count", [math.inf, math.nan, 10**400, None])
def test_a_sample_of_an_impossible_size_has_all_rows(count: Any) -> None:
    results = score_tables(make_wordy_rows(40), metrics=["rouge"])
    reading = sample_reading.begin_reading(results, count, "uniform", {})
    assert reading is not None
    assert len(reading.order) == 40


def test_a_metric_that_cannot_be_loaded_is_shown_without_scores(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def raise_error(name: str, configuration: str | None = None) -> Any:
        raise modules.ModuleUnavailable(name)

    monkeypatch.setattr(modules, "make_module", raise_error)
    results = score_tables(make_wordy_rows(12), metrics=["bleu"])
    for shown in (files_results.draw_summary(results), draw_opened_row(results, 0)):
        assert "Not available here" in shown
    assert "<td>–</td>" in files_results.draw_summary(results)


def test_the_cards_of_a_row_show_the_same_scores_as_the_table() -> None:
    rows: Rows = [{"prediction": "red green", "reference": ["blue", "red green"], "other": "blue"}]
    results = score_tables(rows, prediction=["prediction", "other"])
    shown = draw_opened_row(results, 0)
    values = re.findall('data-metric="([a-z0-9_]+)".*?al-score">([^<]+)<', shown, re.DOTALL)
    assert values == [
        ("lv_eval_f1", "0.00"),
        ("bleu", "1.00"),
        ("rouge", "1.00"),
        ("lv_eval_rouge", "0.00"),
    ]
    assert "LV-Eval ROUGE read the first reference" in shown
    best = finish_scoring(FileScoring([send_rows(rows)], ROLES, OVERLAP_METRICS, "max"))
    best_values = re.findall('al-score">([^<]+)<', draw_opened_row(best, 0))
    assert best_values == ["1.00"] * len(OVERLAP_METRICS)
    for key in PRIMARY:
        assert best.scores(0)[key] == pytest.approx([1])
    assert f"<bdi>other</bdi></th>{'<td>1.00</td>' * len(OVERLAP_METRICS)}" in shown
    assert "第 1 行" in draw_opened_row(results, 0, "zh")
    assert not any(f'id="al-{card.name}"' in shown for card in METRICS)


# Judges


def test_a_judge_is_asked_once_per_row_and_no_object_in_memory_keeps_its_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def make_key() -> str:
        # The key is built at run time; otherwise the search would find this file's own constant.
        return "sk-" + "".join(reversed("321yeKterceSyreV"))

    monkeypatch.delenv("SPACE_ID", raising=False)
    rows = []
    for number in range(6):
        reference = f"r{number}"
        answer = reference if number % 2 else "wrong"
        rows.append({"question": f"q{number}?", "reference": reference, "prediction": answer})
    with JudgeServer(compare_texts) as server:
        judge = {
            "provider": "vllm",
            "model": "judge-1",
            "key": make_key(),
            "address": server.url,
        }
        judged = press_start(send_rows(rows), metrics=("bleu", "l3score", "eve_judge"), judge=judge)
        assert server.keys == {make_key()}
        assert len(server.requests) == 6 * 2, "6 rows and 2 judges"
        server.requests.clear()
    results = judged[-1]["scored"]
    lines = parse_jsonl(read_downloads(results, tmp_path)["rows.jsonl"])
    assert [line["eve_judge"] for line in lines] == [0.0, 1.0] * 3
    assert lines[1]["eve_judge_reasoning"] == "It says the same."
    assert "It says the same." in draw_opened_row(results, 1)
    assert find_holders(make_key) == []


def test_an_incomplete_or_forged_judge_is_refused_before_anything_is_scored(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        scoring_turns, "score_block", lambda scorers, block: pytest.fail("something is scored")
    )
    metrics = ("bleu", "eve_judge")
    upload = send_rows(make_wordy_rows(3))
    *_, last = press_start(upload, metrics=metrics)
    message = "A judge is chosen as a metric, but it is not said which one"
    assert last["status"].startswith(message)
    monkeypatch.setenv("ANSWER_LENS_PUBLIC", "1")
    forged = {
        "provider": "openai",
        "model": "m",
        "key": "sk-key",
        "address": "http://127.0.0.1:9/v1",
    }
    *_, last = press_start(upload, metrics=metrics, judge=forged)
    assert "Choose one of those that it offers" in last["status"]


# What the page shows


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_text_of_a_file_is_escaped_in_both_languages(language: str) -> None:
    names = ["id", "question", "reference", "prediction", "kind"]
    rows = []
    for number in range(12):
        row = {MARKUP + name: f"{MARKUP} {name} {number}" for name in names}
        rows.append(row)
    roles = {
        "id": "id",
        "question": "question",
        "reference": "reference",
        "prediction": "prediction",
        "group": "kind",
    }
    columns: Any = {role: MARKUP + name for role, name in roles.items()}
    with speaking(language):
        results = score_tables(rows, **columns)
        status = files_form.show_choices(Files([send_rows(rows, MARKUP)]))["status"]
        parts = [
            files_results.draw_summary(results),
            files_results.draw_comparison(results),
            files_results.draw_histograms(results),
        ]
        drawn = [*parts, draw_opened_row(results, 3, language), status]
        both = score_tables(make_wordy_rows(30), prediction=["prediction", "other"], group="kind")
        plain = (
            files_results.draw_summary(both)
            + files_results.draw_comparison(both)
            + files_results.draw_histograms(both)
        )
    assert not any("img" in Outline(html).tags for html in drawn)
    assert sum(html.count("&lt;img src=x") for html in drawn) >= 20
    if language == "zh":
        assert re.findall("[A-Z][a-z]+ [a-z]+ [a-z]+", re.sub("<[^>]*>", "", plain)) == []


@pytest.mark.parametrize(
    ("ranks", "words"),
    [
        ([(1, 2)], "A scores significantly higher than B on LV-Eval F1 †."),
        (
            [(1, 2)] * 2 + [None],
            "A scores significantly higher than B on LV-Eval F1 †, BLEU (mean of rows) †. By the",
        ),
        ([(2, 1)] * 2, "B scores significantly higher than A on LV-Eval F1 †, BLEU"),
        ([None, None], "includes 0"),
        (
            [(1, 2), (2, 1)],
            (
                "The metrics contradict each other. A scores significantly higher than B on "
                "LV-Eval F1 †. B"
            ),
        ),
        ([(1, 2, 2)], "A scores significantly higher than B, C on LV-Eval F1 †."),
        ([(1, *[2] * 8)], "A scores significantly higher than B, C, D, E, F and 3 more"),
        ([(1, 1, 3)], "A scores significantly higher than C on LV-Eval F1 †."),
    ],
)
def test_the_verdict_on_systems_names_only_significant_differences(ranks: Any, words: str) -> None:
    n_systems = max(len(ranks_of_series or "AB") for ranks_of_series in ranks)
    names = "ABCDEFGHI"[:n_systems]
    overlap = [series for series in SERIES if series.metric in OVERLAP_METRICS]
    primary = [series.key for series in overlap if series.primary]
    rows = []
    for key, ranks_of_series in zip(primary, ranks, strict=False):
        rows += make_rank_rows(key, names, ranks_of_series)
    figures = [make_figure(series, 0.5) for series in overlap]
    systems = [SampleSystem(name, figures) for name in names]
    sentence = file_verdict.describe_file(make_results(systems, ranks=rows))
    assert words in sentence


def make_rank_rows(key: str, names: str, ranks: Sequence[int] | None) -> list[dict[str, Any]]:
    """Return the ranks of systems by a series; without ranks all are equal."""
    rows = []
    for place, name in enumerate(names):
        rank = ranks[place] if ranks else 1
        row = {
            "metric": key,
            "system": name,
            "mean": -rank if ranks else 0.5,
            "is_best": rank == 1,
            "questions": 20,
        }
        rows.append(row)
    return rows


@pytest.mark.parametrize(
    ("rho", "n", "words"),
    [
        (0.1, 200, "rank the rows differently"),
        (0.99, 200, "alike"),
        (0.1, 12, ""),
        (0.7, 200, ""),
        (0.99, 11, "alike"),
        (0.85, 20, ""),
        (0.1, 9, "fewer than 10 rows"),
    ],
)
def test_the_verdict_on_one_system_names_only_clear_correlations_of_metrics(
    rho: float, n: int, words: str
) -> None:
    pair = {("bleu", "rougeL"): (rho, n), ("rougeL", "bleu"): (rho, n), ("bleu", "bleu"): (1.0, n)}
    figures = [make_figure(series, 0.5) for series in SERIES]
    results = make_results([SampleSystem("a", figures, n)], correlations=pair)
    sentence = file_verdict.describe_file(results)
    assert words in sentence
    assert bool(sentence) == bool(words)
