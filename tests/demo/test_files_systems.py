"""Several systems in the tab "Files" without a browser: how they come, what is said of them, and how they are read."""

from __future__ import annotations

import asyncio
import csv
import functools
import io
import json
import random
import re
from pathlib import Path
from statistics import fmean
from typing import Any
from xml.etree import ElementTree

import pytest
from lens.page.files import files_form, files_results, files_tab, read_sample
from lens.page.files.file_scoring import FileScoring
from lens.page.files.files_form import Files
from lens.page.serving import session_store
from lens.page.tab import Tab, show_part
from lens.words import speaking
from lens.words.notes import UserError

from tests.demo.command_runs import Rows, write_jsonl
from tests.demo.files_visits import (
    MARKUP,
    ROLES,
    NamedParts,
    finish_scoring,
    make_rows,
    open_row,
    read_choices,
    read_downloads,
    score_rows,
    score_tables,
    send_rows,
)
from tests.demo.html_outline import Outline
from tests.demo.page_visits import VISITOR, collect_steps, register_upload

NAMES = ("fid", "gpt35", "chatgpt", "gpt4", "newbing")
WORDS = "red green blue one two three four five".split()


def make_five_systems(count: int = 40) -> dict[str, Rows]:
    """Five systems' answers to the same questions, each better than the one before."""
    drawn, found = random.Random(3), dict[str, Rows]()
    references = [" ".join(drawn.choices(WORDS, k=5)) for _ in range(count)]
    for rank, name in enumerate(NAMES, 1):
        answers = [one if drawn.random() < 0.17 * rank else " ".join(drawn.choices(WORDS, k=5)) for one in references]
        found[name] = [
            {
                "id": f"q{at}",
                "question": f"Which {at}?",
                "reference": reference,
                "prediction": answer,
                "human": answer == reference,
            }
            for at, (reference, answer) in enumerate(zip(references, answers, strict=True))
        ]
    return found


def score_files(*files: Any, metrics: Any = ("lv_eval_f1", "rouge"), **roles: Any) -> FileScoring:
    return finish_scoring(FileScoring(files, ROLES | roles, metrics))


def draw_all(run: FileScoring) -> str:
    """All that the parts of the results say but for the rows."""
    return files_results.draw_summary(run) + files_results.draw_comparison(run) + files_results.draw_histograms(run)


# How systems come


def test_five_files_one_wide_and_one_long_file_say_the_same() -> None:
    systems = make_five_systems()
    files = [send_rows(rows, name) for name, rows in systems.items()]
    long = [rows[at] | {"model": name} for at in range(40) for name, rows in systems.items()]
    first = systems[NAMES[0]]
    wide = [{key: row[key] for key in ("id", "question", "reference")} for row in first]
    for name, rows in systems.items():
        wide = [row | {name: own["prediction"]} for row, own in zip(wide, rows, strict=True)]
    metrics = ["lv_eval_f1", "rouge", "bleu"]
    runs = [
        score_files(*files, metrics=metrics),
        score_files(send_rows(wide), prediction=list(NAMES), metrics=metrics),
        score_files(send_rows(long), metrics=metrics),
    ]
    assert len({*map(draw_all, runs)}) == 1
    assert draw_all(runs[2]).count("Corpus BLEU") == 5
    best_first = re.findall(r'<th scope="row"><bdi>([^<]*)</bdi>', files_results.draw_summary(runs[0]))
    assert best_first[:5] == sorted(NAMES, key=lambda name: -fmean(score_rows(systems[name])["lv_eval_f1"]))
    assert "5 systems, matched by their ids: 40 questions." in draw_all(runs[0])
    assert [run.names for run in runs] == [list(NAMES)] * 3
    shown = files_form.show_choices(Files([send_rows(long)]))
    assert read_choices(shown)["system"] == "model"


@pytest.fixture
def upload_folder(tmp_path: Path) -> Path:
    """A folder of uploads: five files, one without rows, and 46 more."""
    for name, rows in make_five_systems(3).items():
        write_jsonl(tmp_path / f"{name}.jsonl", rows)
    (tmp_path / "empty.jsonl").write_bytes(b"")
    for at in range(46):
        write_jsonl(tmp_path / f"more{at}.jsonl", [{"answer": "a", "reference": "b"}])
    return tmp_path


def test_files_are_added_and_taken_away_again(upload_folder: Path) -> None:
    """Each step has the files that the field shows then, by their names; what was read before is gone from the disk."""
    files: Files | None = None
    kept: dict[str, Any] = {}
    for field, read, words in [
        (["fid", "gpt35"], ["fid", "gpt35"], "gpt35.jsonl was read. Rows: 3."),
        (["fid", "gpt35", "chatgpt", "gpt4", "newbing"], list(NAMES), "newbing.jsonl was read."),
        (["fid", "chatgpt", "gpt4"], ["fid", "chatgpt", "gpt4"], "Press Start".lower()),
        (["gpt4", "chatgpt", "gpt4"], ["gpt4", "chatgpt"], "A file that was chosen twice is read once."),
        (["gpt4", "empty", "chatgpt"], ["gpt4", "chatgpt"], "empty.jsonl: "),
        ([], [], "Choose a file"),
    ]:
        shown = files_form.files_chosen([register_upload(upload_folder / f"{name}.jsonl") for name in field], files)
        names = [one.name.removesuffix(".jsonl") for one in shown["files"].sents] if shown["files"] else []
        assert names == read
        assert words.lower() in shown["status"].lower()
        assert (shown["run"], shown["scored"], shown["results"]) == (None, None, show_part(False))
        # Columns are guessed anew for another first file alone.
        assert ("prediction" in shown) == bool(names and not (files and files.sents[0].name == f"{names[0]}.jsonl"))
        files = shown["files"]
        for one in files.sents if files else ():
            assert kept.setdefault(one.name, one) is one, "what was read is not read again"
        assert not any((upload_folder / f"{name}.jsonl").exists() for name in field)
    # The same file sent again lies there again.
    write_jsonl(upload_folder / "fid.jsonl", make_five_systems(3)["fid"])
    path = register_upload(upload_folder / "fid.jsonl")
    files = files_form.files_chosen([path], None)["files"]
    register_upload(write_jsonl(upload_folder / "fid.jsonl", make_five_systems(3)["fid"]))
    files_form.files_chosen([path, path], files)
    assert not Path(path).exists()


def test_too_many_files_and_too_much_together_are_said(upload_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [register_upload(one) for one in sorted(upload_folder.iterdir()) if one.name != "empty.jsonl"]
    assert len(paths) == 51
    shown = files_form.files_chosen(paths, None)
    assert "There are 51 systems; at most 50 are compared." in shown["status"]
    assert shown["files"] is None
    assert not any(map(Path.exists, map(Path, paths))), "nothing that was sent stays"
    path = [
        str(write_jsonl(upload_folder / f"{name}.jsonl", [{"answer": "a" * 900, "reference": "b"}])) for name in "abc"
    ]
    monkeypatch.setattr(files_form, "MOST_TOGETHER", 2_500)
    shown = files_form.files_chosen(path, None)
    assert "c.jsonl: All files together may take at most" in shown["status"]
    assert [one.name for one in shown["files"].sents] == ["a.jsonl", "b.jsonl"]


def set_cells(rows: Rows, **cells: Any) -> Rows:
    return [row | cells for row in rows]


@pytest.mark.parametrize(
    ("files", "roles", "words"),
    [
        (
            [make_rows(3), make_rows(3)],
            {"prediction": ["prediction", "other"]},
            "Several files, or several columns of answ",
        ),
        (
            [set_cells(make_rows(3), prediction=""), make_rows(3)],
            {"empty": "none"},
            "a.jsonl: No row has both an answer",
        ),
    ],
)
def test_what_the_page_refuses_of_systems(files: list[Rows], roles: Any, words: str) -> None:
    """What both doors refuse stands in test_two_doors.py."""
    with pytest.raises(UserError, match=re.escape(words)):
        score_tables(*files, metrics=["rouge"], **roles)


@pytest.mark.parametrize("empty", [0, 1, 2])
def test_of_three_files_the_one_without_answers_is_left_out_and_said(empty: int) -> None:
    files = [set_cells(make_rows(12), prediction="") if at == empty else make_rows(12) for at in range(3)]
    run = score_tables(*files, metrics=["rouge"])
    assert run.names == [f"{name}.jsonl" for at, name in enumerate("abc") if at != empty]
    assert f"{'abc'[empty]}.jsonl is left out: No row has both an answer" in files_results.draw_summary(run)
    assert open_row(run, 0).count("<bdi>") >= 2


def test_questions_that_not_all_have_are_said_and_left_out(tmp_path: Path) -> None:
    systems = [rows[at:] for at, rows in enumerate(make_five_systems(20).values())]
    systems[2].reverse()
    run = score_tables(*systems, id="id", metrics=["rouge"])
    said = files_results.draw_summary(run)
    assert run.study.questions == 16
    assert (
        "a.jsonl: answers to what not all systems were asked are left out of the comparison: 4 (row 1, 2, 3, 4)" in said
    )
    assert "e.jsonl: answers to what" not in said
    for system, (rows, skipped) in enumerate(zip(systems, range(4, -1, -1), strict=True)):
        rows = sorted(rows, key=lambda row: int(row["id"][1:]))
        assert run.scores(system)["rougeL"] == score_rows(rows)["rougeL"][skipped:]
    # In the rows of the first file, all of which were scored, nothing stands beside those that only it has.
    lines = [json.loads(line) for line in read_downloads(run, tmp_path)["rows.jsonl"].decode().splitlines()]
    assert len(lines) == 20
    assert [line["rougeL (b.jsonl)"] is None for line in lines] == [True] * 4 + [False] * 16
    assert None not in [line["rougeL (a.jsonl)"] for line in lines]


def test_repeats_are_told_and_their_mean_is_the_score_of_a_question() -> None:
    first, second = list(make_five_systems(20).values())[:2]
    again = [row | {"prediction": f"{row['prediction']} {row['reference']}"} for row in second]
    run = score_tables(first, second + again, id="id", metrics=["rouge"])
    one, two = score_rows(second)["rougeL"], score_rows(again)["rougeL"]
    assert run.scores(1)["rougeL"] == pytest.approx([fmean(both) for both in zip(one, two, strict=True)])
    assert "b.jsonl: 40 answers to 20 questions. The score of a question is the mean" in files_results.draw_summary(run)
    assert "How far scores of one system’s answers to a question differ" in files_results.draw_comparison(run)
    shown = open_row(run, 3)
    assert shown.count("<bdi>b.jsonl</bdi></dt>") == 2
    assert second[3]["prediction"] in shown
    assert again[3]["prediction"] in shown


# What came of it


def test_rows_of_several_systems_have_their_scores_and_the_farthest_apart_come_first() -> None:
    systems = make_five_systems()
    run = score_files(*(send_rows(rows, name) for name, rows in systems.items()))
    own = {name: score_rows(rows) for name, rows in systems.items()}
    first, other = (files_results.all_rows(run, key) for key in ("", "rougeL"))
    for table, key in ((first, "lv_eval_f1"), (other, "rougeL"), (files_results.all_rows(run, "none"), "lv_eval_f1")):
        assert [*table][:6] == ["Row", *NAMES]
        for name in NAMES:
            assert table[name].tolist() == [round(one, 3) for one in own[name][key]]
    assert first["Reference"].tolist() == [row["reference"] for row in systems["fid"]]
    assert "Answer to score" not in first
    far = files_results.far_rows(run)
    by_row = list(zip(*(own[name]["lv_eval_f1"] for name in NAMES), strict=True))
    spreads = [max(scores) - min(scores) for scores in by_row]
    assert far["Apart"].tolist() == [round(one, 3) for one in sorted(spreads, reverse=True)[:10]]
    assert far["Apart"].tolist() == [round(spreads[row - 1], 3) for row in far["Row"]]


def test_an_opened_row_shows_all_answers_and_scores_and_markup_is_harmless() -> None:
    rows = make_rows(12)
    wide = [row | {MARKUP: f"{MARKUP} {at}", " ": "nothing"} for at, row in enumerate(rows)]
    run = score_tables(wide, prediction=["prediction", MARKUP, " "], id="id")
    for language in ("en", "zh"):
        with speaking(language):
            shown = [open_row(run, 3, language), draw_all(run)]
        assert not any("img" in Outline(one).tags for one in shown)
        assert all(one.count("&lt;img src=x") >= 3 for one in shown)
    assert run.names[0] == "prediction"
    assert all(f"<bdi>{name}</bdi>" in open_row(run, 3) for name in ("prediction", "(empty)"))
    assert (
        f"<bdi>prediction</bdi></th>{''.join(f'<td>{run.scores(0)[one.key][3]:.2f}</td>' for one in run.primary)}"
        in shown[0]
    )
    assert "Below: why prediction has its scores." in open_row(run, 3)


def test_downloads_of_files_have_all_answers_and_a_picture(tmp_path: Path) -> None:
    systems = list(make_five_systems(12).values())[:3]
    files = [
        send_rows(rows, name)
        for rows, name in zip(systems, ("a.jsonl", '<img onload="x">&.jsonl', "c\x00.jsonl"), strict=True)
    ]
    run = score_files(*files, metrics=["rouge", "bleu"])
    found = read_downloads(run, tmp_path)
    lines = [json.loads(line) for line in found["rows.jsonl"].decode().splitlines()]
    for name, rows in zip(run.names[1:], systems[1:], strict=True):
        assert [line[f"answer ({name})"] for line in lines] == [row["prediction"] for row in rows]
        assert [line[f"rougeL ({name})"] for line in lines] == score_rows(rows)["rougeL"]
    assert len(list(csv.reader(io.StringIO(found["rows.csv"].decode(), newline="")))) == 13
    picture = ElementTree.fromstring(found["ranks.svg"])
    circles = [one for one in picture.iter() if one.tag.endswith("circle")]
    assert len(circles) == 3 * len(run.primary)
    assert not [one for one in picture.iter() if one.tag.endswith("img")]
    assert any("<img" in "".join(one.itertext()) for one in circles), "the whole name is there, as text"
    # The page has the same panels, in its own digits.
    assert files_results.draw_summary(run).count("<circle") == len(circles)
    assert found["summary.md"].decode().count("\n| a.jsonl") >= 1
    assert "\\textbf{" in found["summary.tex"].decode()


def test_every_row_of_a_download_has_the_interpretation_and_the_other_systems_scores(tmp_path: Path) -> None:
    """Also where a system answers a question twice: each of its answers is a row."""
    rows = [
        {
            "id": str(at % 5),
            "question": f"Where is {at % 5}?",
            "reference": f"city {at % 5}",
            "prediction": f"city {at % 5}",
        }
        for at in range(10)
    ]
    run = score_tables(rows, rows[:5], id="id", metrics=["correctness_estimate"])
    told = [json.loads(line) for line in read_downloads(run, tmp_path)["rows.jsonl"].decode().splitlines()]
    assert len(told) == 10
    other = f"correctness_estimate ({run.names[1]})"
    assert all(row[other] is not None for row in told)
    assert {row[f"correctness_estimate_interpretation ({run.names[0]})"] for row in told} == {"probability"}


def test_a_verdict_column_shows_its_figures_in_the_summary_at_once() -> None:
    systems = list(make_five_systems().values())
    alone = score_tables(systems[3], verdict="human", metrics=["correctness_estimate", "bleu"])
    said = files_results.draw_summary(alone)
    right = sum(row["human"] for row in systems[3])
    assert f"<td>{right / 40:.0%}</td>" in said
    assert "What your verdicts say" in said
    run = score_tables(*systems, verdict="human", metrics=["correctness_estimate", "bleu"])
    said = files_results.draw_summary(run)
    for name, rows in zip(run.names, systems, strict=True):
        assert said.count(f"<bdi>{name}</bdi>") > 2
        assert f"<td>{sum(row['human'] for row in rows) / 40:.0%}</td>" in said
    assert "What your verdicts say" not in files_results.draw_summary(score_tables(*systems, metrics=["bleu"]))


def test_a_part_is_made_when_it_is_first_looked_at_and_not_again() -> None:
    run = score_tables(*make_five_systems(12).values(), metrics=["rouge"])
    looks = {"compared": files_tab.look_at_differences, "far": files_tab.look_at_rows}
    for name, look in looks.items():
        assert name in look(run)
        assert look(run) == look(None) == {}

    async def show_files() -> list[Any]:
        return [step async for step in files_tab.show_downloads(run, None)]

    ((made,),) = [asyncio.run(show_files())]
    assert [*made] == list(files_results.DOWNLOADS)
    assert asyncio.run(show_files()) == []


def test_what_is_not_held_any_more_is_said(upload_folder: Path) -> None:
    import gradio as gr

    with gr.Blocks():
        tab = Tab("files", "en", files_tab.show_refusal)
        tab.parts = NamedParts()
        tab.parts |= {"files": gr.State(None), "run": gr.State(None), "scored": gr.State(None)}
    paths = [str(upload_folder / f"{name}.jsonl") for name in NAMES]
    (shown,) = collect_steps(tab.callback(files_form.files_chosen, tab.refusal), paths, None)
    key = shown[tab.parts["files"]]
    session_store.drop_session(VISITOR.session_hash)
    for work, values in ((files_form.files_chosen, (paths, key)), (files_tab.look_at_rows, (key,))):
        (shown,) = collect_steps(tab.callback(work, tab.refusal), *values)
        assert "not held any more" in shown.get("status", "")
    # The field is emptied, and files can be chosen again.
    emptied = functools.partial(files_form.show_choices, None)
    (shown,) = collect_steps(tab.callback(files_form.files_chosen, emptied), paths, key)
    assert (shown[tab.parts["files"]], shown["file"]) == (None, None)
    assert "not held any more" in asyncio.run(anext(files_tab.open_row(None, 1)))["cards"]
    assert "not held any more" in read_sample.draw_reading(None, None)["answer"]


# A sample is read


def test_questions_are_drawn_for_all_and_equal_answers_are_read_once() -> None:
    systems = make_five_systems()
    run = score_files(
        *(send_rows(rows, name) for name, rows in systems.items()), metrics=["correctness_estimate", "rouge"]
    )
    reading = read_sample.begin_reading(run, 30, "stratified", {})
    assert reading
    answers = [[row["prediction"] for row in rows] for rows in systems.values()]
    questions = list(dict.fromkeys(place % 40 for place in reading.order))
    assert len(questions) == 30
    for question in questions:
        read = [answers[place // 40][question] for place in reading.order if place % 40 == question]
        assert sorted(read) == sorted({own[question] for own in answers})
    assert len({place // 40 for place in reading.order}) == 5
    # A verdict on an answer is one on all that are the same; nothing tells whose it is, or its scores.
    while reading.place is not None:
        shown = read_sample.draw_reading(reading, run)["answer"]
        assert not [one for one in (*NAMES, ".jsonl", "0.") if one in re.sub("<[^>]*>", "", shown)]
        system, question = divmod(reading.place, 40)
        right = answers[system][question] == systems["fid"][question]["reference"]
        reading = read_sample.take_verdict(reading, run, "right" if right else "wrong")
        assert reading
    assert set(reading.given) == {at * 40 + question for at in range(5) for question in questions}
    shown = read_sample.draw_reading(reading, run)
    assert "answers are read" in shown["answer"]
    for name, rows in systems.items():
        right = sum(rows[question]["human"] for question in questions)
        assert re.search(f"<dt>30 verdicts and the estimate of all 40 rows · {name}</dt><dd><b>[0-9]+%", shown["found"])
        # Each verdict counts by its question's chance to be drawn, so that the share is near that of the sample.
        shares = [int(one) for one in re.findall("<td>([0-9]+)%</td>", shown["found"])]
        assert min(abs(one - 100 * right / 30) for one in shares) <= 8
    assert shown["found"].count("30 verdicts alone") == 5 + 10, "of each system, and of each two"
    # The file of verdicts is taken up again, by another reader, too.
    (link,) = re.findall('base64,([^"]+)', shown["found"])
    import base64

    again = read_sample.file.read_verdict_file(
        {
            name: [row[name] for row in csv.DictReader(io.StringIO(base64.b64decode(link).decode()))]
            for name in ("row", "verdict", "time", "answer_sha256")
        },
        [read_sample.file.mark_answer(item.prediction) for item in read_sample.list_items(run)],
        40,
    )
    assert {place: said for place, (said, _) in again.items()} == {
        place: said for place, (said, _) in reading.given.items()
    }


@pytest.mark.parametrize("verdict", [[], ["human"]])
def test_verdicts_of_a_column_of_each_file_are_taken_up(verdict: list[str]) -> None:
    run = score_tables(*make_five_systems().values(), metrics=["correctness_estimate"], verdict="".join(verdict))
    reading = read_sample.resume_reading(None, run, 50, "uniform")
    assert reading
    assert len(reading.given) == (200 if verdict else 0)
    assert ("Right answers" in read_sample.draw_reading(reading, run)["found"]) == bool(verdict)


def test_of_systems_without_an_answer_in_common_there_is_nothing_to_read() -> None:
    first, second = make_rows(6), set_cells(make_rows(6))
    for at in range(6):
        (first if at % 2 else second)[at]["prediction"] = None
    run = score_tables(first, second, metrics=["rouge"], empty="none")
    reading = read_sample.begin_reading(run, 6, "uniform", {})
    assert reading
    assert list(reading.order) == []
    assert "no question has an answer of every system" in read_sample.draw_reading(reading, run)["answer"]


def test_the_table_of_names_that_are_cut_alike_tells_them_apart() -> None:
    names = [f"{'n' * 70}{one}{'n' * 70}.jsonl" for one in "ab"]
    rows = make_rows(12)
    run = score_files(*(send_rows(rows, name) for name in names), metrics=["rouge"])
    assert len({*run.names}) == 2
    assert len({*files_results.list_sections(run)[0].frame["system"]}) == 2
