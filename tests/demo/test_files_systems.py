"""Several systems in the tab "Files", without a browser: uploads, results, rows, downloads."""

from __future__ import annotations

import asyncio
import csv
import functools
import io
import re
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any
from xml.etree import ElementTree

import pytest
from lens.page.files import (
    files_form,
    files_reading,
    files_results,
    files_tab,
    rows_part,
    sample_views,
)
from lens.page.files.file_scoring import FileScoring
from lens.page.files.files_reading import Files
from lens.page.files.row_table import RowChoice, draw_rows
from lens.page.serving import session_store
from lens.page.tab import Tab, show_part
from lens.words import speaking
from lens.words.notes import UserError

from tests.demo.command_runs import Rows, parse_jsonl, write_jsonl
from tests.demo.files_visits import (
    MARKUP,
    NamedParts,
    compute_row_scores,
    draw_opened_row,
    draw_results,
    make_wordy_rows,
    read_choices,
    read_downloads,
    score_tables,
    send_rows,
    send_systems,
)
from tests.demo.five_systems import NAMES, make_five_systems, score_files
from tests.demo.html_outline import Outline
from tests.demo.page_visits import VISITOR, collect_steps, register_upload
from tests.demo.system_samples import set_cells

# Uploads


def join_systems(systems: dict[str, Rows]) -> Rows:
    """Return a row for each question, with a column for each system's answer."""
    joined = []
    for rows in zip(*systems.values(), strict=True):
        row = {key: rows[0][key] for key in ("id", "question", "reference")}
        for name, system_row in zip(systems, rows, strict=True):
            row[name] = system_row["prediction"]
        joined.append(row)
    return joined


def stack_systems(systems: dict[str, Rows]) -> Rows:
    """Return a row for each answer, with its system; the answers to a question are neighbours."""
    stacked = []
    for rows in zip(*systems.values(), strict=True):
        for name, row in zip(systems, rows, strict=True):
            stacked.append(row | {"model": name})
    return stacked


def test_systems_in_files_columns_or_rows_give_equal_results() -> None:
    systems = make_five_systems()
    wide = join_systems(systems)
    long = stack_systems(systems)
    metrics = ["lv_eval_f1", "rouge", "bleu"]
    runs = [
        score_files(*send_systems(systems), metrics=metrics),
        score_files(send_rows(wide), prediction=[*NAMES], metrics=metrics),
        score_files(send_rows(long), metrics=metrics),
    ]
    shown = draw_results(runs[0])
    assert draw_results(runs[1]) == shown
    assert draw_results(runs[2]) == shown
    assert shown.count("Corpus BLEU") == 5
    assert "5 systems, matched by their ids: 40 questions." in shown
    assert [run.names for run in runs] == [[*NAMES]] * 3

    best_first = re.findall(
        r'<th scope="row"><bdi>([^<]*)</bdi>', files_results.draw_summary(runs[0])
    )
    means = {name: fmean(compute_row_scores(rows)["lv_eval_f1"]) for name, rows in systems.items()}
    assert best_first[:5] == sorted(NAMES, key=lambda name: -means[name])
    assert read_choices(files_form.show_choices(Files([send_rows(long)])))["system"] == "model"


@pytest.fixture
def upload_folder(tmp_path: Path) -> Path:
    """A folder with the files of five systems, an empty file, and 46 other files."""
    for name, rows in make_five_systems(3).items():
        write_jsonl(tmp_path / f"{name}.jsonl", rows)
    (tmp_path / "empty.jsonl").write_bytes(b"")
    for number in range(46):
        write_jsonl(tmp_path / f"more{number}.jsonl", [{"answer": "a", "reference": "b"}])
    return tmp_path


@dataclass(frozen=True)
class FieldStep:
    """A step of a visitor: the files in the field, those read then, and a part of the status."""

    field: list[str]
    read: list[str]
    message: str


FIELD_STEPS = [
    FieldStep(["fid", "gpt35"], ["fid", "gpt35"], "gpt35.jsonl was read. Rows: 3."),
    FieldStep([*NAMES], [*NAMES], "5 files were read, each with 3 rows."),
    FieldStep(["fid", "chatgpt", "gpt4"], ["fid", "chatgpt", "gpt4"], "press start"),
    FieldStep(
        ["gpt4", "chatgpt", "gpt4"],
        ["gpt4", "chatgpt"],
        "A file that was chosen twice is read once.",
    ),
    FieldStep(["gpt4", "empty", "chatgpt"], ["gpt4", "chatgpt"], "empty.jsonl: "),
    FieldStep([], [], "Choose a file"),
]


def list_names(files: Files | None) -> list[str]:
    """Return the names of the files that were read, without their ending."""
    if files is None:
        return []
    return [sent.name.removesuffix(".jsonl") for sent in files.uploads]


def test_files_can_be_added_and_removed_step_by_step(upload_folder: Path) -> None:
    """After each step of FIELD_STEPS the page has read the right files and deleted them."""
    files: Files | None = None
    read_before: dict[str, Any] = {}
    for step in FIELD_STEPS:
        before = list_names(files)
        paths = [register_upload(upload_folder / f"{name}.jsonl") for name in step.field]
        shown = files_form.read_chosen_files(paths, files)
        files = shown["files"]
        names = list_names(files)
        assert names == step.read
        assert step.message.lower() in shown["status"].lower()
        assert shown["run"] is None
        assert shown["scored"] is None
        assert shown["results"] == show_part(False)
        # Columns are guessed again only if the first file changes.
        assert ("prediction" in shown) == bool(names and names[:1] != before[:1])
        for sent in files.uploads if files else ():
            assert read_before.setdefault(sent.name, sent) is sent, (
                "a file that was read is read again"
            )
        assert not any(Path(path).exists() for path in paths)


def test_a_file_that_is_uploaded_again_is_deleted_again(upload_folder: Path) -> None:
    rows = make_five_systems(3)["fid"]
    path = register_upload(write_jsonl(upload_folder / "fid.jsonl", rows))
    files = files_form.read_chosen_files([path], None)["files"]
    register_upload(write_jsonl(upload_folder / "fid.jsonl", rows))
    files_form.read_chosen_files([path, path], files)
    assert not Path(path).exists()


def test_too_many_files_are_refused_and_deleted(upload_folder: Path) -> None:
    paths = [
        register_upload(path)
        for path in sorted(upload_folder.iterdir())
        if path.name != "empty.jsonl"
    ]
    assert len(paths) == 51
    shown = files_form.read_chosen_files(paths, None)
    assert "There are 51 systems; at most 50 are compared." in shown["status"]
    assert shown["files"] is None
    assert not any(Path(path).exists() for path in paths), "an uploaded file is still on the disk"


def test_files_that_are_too_large_together_are_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [{"answer": "a" * 900, "reference": "b"}]
    path = [str(write_jsonl(tmp_path / f"{name}.jsonl", rows)) for name in "abc"]
    monkeypatch.setattr(files_reading, "MAX_FILES_BYTES", 2_500)
    shown = files_form.read_chosen_files(path, None)
    assert "c.jsonl: All files together may take at most" in shown["status"]
    assert [one.name for one in shown["files"].uploads] == ["a.jsonl", "b.jsonl"]


@pytest.mark.parametrize(
    ("files", "roles", "words"),
    [
        (
            [make_wordy_rows(3), make_wordy_rows(3)],
            {"prediction": ["prediction", "other"]},
            "Several files, or several columns of answ",
        ),
        (
            [set_cells(make_wordy_rows(3), prediction=""), make_wordy_rows(3)],
            {"empty": "none"},
            "a.jsonl: No row has both an answer",
        ),
    ],
)
def test_the_page_refuses_two_kinds_of_systems_and_a_file_without_answers(
    files: list[Rows], roles: Any, words: str
) -> None:
    """Cases that the command refuses, too, are in test_command_and_page.py."""
    with pytest.raises(UserError, match=re.escape(words)):
        score_tables(*files, metrics=["rouge"], **roles)


@pytest.mark.parametrize("empty", [0, 1, 2])
def test_a_file_without_answers_among_three_is_left_out_and_named(empty: int) -> None:
    files = [
        set_cells(make_wordy_rows(12), prediction="") if number == empty else make_wordy_rows(12)
        for number in range(3)
    ]
    run = score_tables(*files, metrics=["rouge"])
    assert run.names == [f"{name}.jsonl" for number, name in enumerate("abc") if number != empty]
    assert (
        f"{'abc'[empty]}.jsonl is left out: No row has both an answer"
        in files_results.draw_summary(run)
    )
    assert draw_opened_row(run, 0).count("<bdi>") >= 2


def test_questions_that_some_systems_lack_are_left_out_and_counted(tmp_path: Path) -> None:
    systems = [rows[first:] for first, rows in enumerate(make_five_systems(20).values())]
    systems[2].reverse()
    run = score_tables(*systems, id="id", metrics=["rouge"])
    summary = files_results.draw_summary(run)
    assert run.study.questions == 16
    left_out = (
        "answers to questions that some systems were not asked are left out of the comparison"
    )
    assert f"a.jsonl: {left_out}: 4 (row 1, 2, 3, 4)" in summary
    assert f"e.jsonl: {left_out}" not in summary
    for system, (rows, skipped) in enumerate(zip(systems, range(4, -1, -1), strict=True)):
        rows = sorted(rows, key=lambda row: int(row["id"][1:]))
        assert run.scores(system)["rougeL"] == compute_row_scores(rows)["rougeL"][skipped:]
    # The download has all rows of the first file. Rows that only it has have no scores of others.
    lines = parse_jsonl(read_downloads(run, tmp_path)["rows.jsonl"])
    assert len(lines) == 20
    assert [line["rougeL (b.jsonl)"] is None for line in lines] == [True] * 4 + [False] * 16
    assert None not in [line["rougeL (a.jsonl)"] for line in lines]


def test_repeated_answers_are_counted_and_their_mean_is_the_score_of_the_question() -> None:
    first, second = list(make_five_systems(20).values())[:2]
    again = [row | {"prediction": f"{row['prediction']} {row['reference']}"} for row in second]
    run = score_tables(first, second + again, id="id", metrics=["rouge"])
    one, two = compute_row_scores(second)["rougeL"], compute_row_scores(again)["rougeL"]
    assert run.scores(1)["rougeL"] == pytest.approx(
        [fmean(both) for both in zip(one, two, strict=True)]
    )
    assert (
        "b.jsonl: 40 answers to 20 questions. The score of a question is the mean"
        in files_results.draw_summary(run)
    )
    assert (
        "How far scores of one system’s answers to a question differ"
        in files_results.draw_comparison(run)
    )
    shown = draw_opened_row(run, 3)
    assert shown.count("<bdi>b</bdi></dt>") == 2
    assert second[3]["prediction"] in shown
    assert again[3]["prediction"] in shown


# Results


def list_shown_rows(run: FileScoring, **choice: Any) -> list[int]:
    """Return the numbers of the rows that the table shows."""
    table = draw_rows(run, RowChoice(**choice))
    return [int(row) for row in re.findall(r'data-row="(\d+)"', table)]


@functools.cache
def score_five_systems() -> FileScoring:
    """Score five systems; the result is cached."""
    return score_files(*send_systems(make_five_systems()))


@functools.cache
def list_five_scores(key: str) -> list[list[float]]:
    """Return for each row the scores of the five systems."""
    own = [compute_row_scores(rows)[key] for rows in make_five_systems().values()]
    return [list(scores) for scores in zip(*own, strict=True)]


def name_mark(score: float) -> str:
    """Return the mark of an answer with a score."""
    if 0.35 < score < 0.65:
        return "unknown"
    return "right" if score >= 0.65 else "wrong"


def test_rows_show_all_systems_scores_and_marks() -> None:
    table = draw_rows(score_five_systems(), RowChoice(marks_by="rougeL"))
    shown = re.findall(r'class="ft-score">([^<]*)<', table)
    kinds = re.findall(r'<td class="ft-(right|wrong|unknown)"', table)
    scores: list[float] = []
    for row in list_five_scores("rougeL"):
        scores += row
    assert shown == [f"{score:.2f}" for score in scores]
    assert kinds == [name_mark(score) for score in scores]


@pytest.mark.parametrize("show", ["all", "wrong", "unknown", "different", "changed"])
def test_rows_are_filtered_by_their_marks(show: str) -> None:
    expected = []
    for number, scores in enumerate(list_five_scores("rougeL"), 1):
        marks = [name_mark(score) for score in scores]
        is_shown = {
            "all": True,
            "wrong": "wrong" in marks,
            "unknown": "unknown" in marks,
            "different": {"right", "wrong"} <= set(marks),
            "changed": marks[:2] == ["wrong", "right"],
        }
        if is_shown[show]:
            expected.append(number)
    choice = {
        "marks_by": "rougeL",
        "show": show,
        "before": 1,
        "after": 0,
    }
    assert list_shown_rows(score_five_systems(), **choice) == expected
    assert expected, "a filter that finds no row tests nothing"


def test_rows_are_sorted_by_lowest_highest_or_most_different_scores() -> None:
    run = score_five_systems()
    by_row = list_five_scores("rougeL")
    lowest = list_shown_rows(run, marks_by="rougeL", order="lowest")
    assert [min(by_row[row - 1]) for row in lowest] == sorted(map(min, by_row))
    highest = list_shown_rows(run, marks_by="rougeL", order="highest")
    assert [max(by_row[row - 1]) for row in highest] == sorted(map(max, by_row), reverse=True)
    by_first = list_five_scores("lv_eval_f1")
    apart = []
    for row in list_shown_rows(run, order="apart"):
        scores = by_first[row - 1]
        apart.append(max(scores) - min(scores))
    assert apart == sorted(apart, reverse=True)


def test_rows_can_be_searched_and_limited() -> None:
    run = score_five_systems()
    words = make_five_systems()["fid"][7]["reference"]
    assert 8 in list_shown_rows(run, search=f" {words.upper()} ")
    assert list_shown_rows(run, search="no text has this") == []
    assert list_shown_rows(run, count=3) == [1, 2, 3]


def test_an_opened_row_shows_all_answers_and_scores_with_texts_escaped() -> None:
    rows = make_wordy_rows(12)
    wide = [row | {MARKUP: f"{MARKUP} {number}", " ": "nothing"} for number, row in enumerate(rows)]
    run = score_tables(wide, prediction=["prediction", MARKUP, " "], id="id")
    for language in ("en", "zh"):
        row = draw_opened_row(run, 3, language)
        with speaking(language):
            results = draw_results(run)
        for html in (row, results):
            assert "img" not in Outline(html).tags
            assert html.count("&lt;img src=x") >= 3
    assert run.names[0] == "prediction"
    scores = run.scores(0)
    cells = [f"<td>{scores[series.key][3]:.2f}</td>" for series in run.primary]
    assert f"<bdi>prediction</bdi></th>{''.join(cells)}" in row
    in_english = draw_opened_row(run, 3)
    assert "<bdi>prediction</bdi>" in in_english
    assert "<bdi>(empty)</bdi>" in in_english
    assert "Below: why prediction has its scores." in in_english


def check_picture(content: bytes, n_circles: int) -> None:
    """Check a picture's circles, whose titles have names with markup."""
    picture = ElementTree.fromstring(content)
    tags = [element.tag.rpartition("}")[2] for element in picture.iter()]
    assert tags.count("circle") == n_circles
    assert "img" not in tags
    titles = "".join(picture.itertext())
    assert "<img" in titles, "the name is cut or not escaped"


def test_downloads_have_all_systems_answers_and_a_picture(tmp_path: Path) -> None:
    systems = list(make_five_systems(12).values())[:3]
    names = ("a.jsonl", '<img onload="x">&.jsonl', "c\x00.jsonl")
    run = score_files(*map(send_rows, systems, names), metrics=["rouge", "bleu"])
    downloads = read_downloads(run, tmp_path)
    lines = parse_jsonl(downloads["rows.jsonl"])
    for name, rows in zip(run.names[1:], systems[1:], strict=True):
        scores = compute_row_scores(rows)["rougeL"]
        for line, row, score in zip(lines, rows, scores, strict=True):
            assert line[f"answer ({name})"] == row["prediction"]
            assert line[f"rougeL ({name})"] == score
    assert len(list(csv.reader(io.StringIO(downloads["rows.csv"].decode(), newline="")))) == 13
    n_circles = 3 * len(run.primary)
    check_picture(downloads["ranks.svg"], n_circles)
    # The page shows the same panels, with its own number of digits.
    assert files_results.draw_summary(run).count("<circle") == n_circles
    assert downloads["summary.md"].decode().count("\n| a.jsonl") >= 1
    assert "\\textbf{" in downloads["summary.tex"].decode()


def test_each_downloaded_row_has_the_interpretation_and_other_systems_scores(
    tmp_path: Path,
) -> None:
    """The first system answers each question twice: each of its answers is a row."""
    once = []
    for number in range(5):
        city = f"city {number}"
        once.append(
            {
                "id": str(number),
                "question": f"Where is {number}?",
                "reference": city,
                "prediction": city,
            }
        )
    run = score_tables(once * 2, once, id="id", metrics=["correctness_estimate"])
    lines = parse_jsonl(read_downloads(run, tmp_path)["rows.jsonl"])
    assert len(lines) == 10
    first, second = run.names
    for line in lines:
        assert line[f"correctness_estimate ({second})"] is not None
        assert line[f"correctness_estimate_interpretation ({first})"] == "probability"


def test_the_summary_shows_the_figures_of_a_column_of_verdicts() -> None:
    systems = list(make_five_systems().values())
    one_system = score_tables(systems[3], verdict="human", metrics=["correctness_estimate", "bleu"])
    summary = files_results.draw_summary(one_system)
    right = sum(row["human"] for row in systems[3])
    assert f"<td>{right / 40:.0%}</td>" in summary
    assert "What your verdicts say" in summary
    run = score_tables(*systems, verdict="human", metrics=["correctness_estimate", "bleu"])
    summary = files_results.draw_summary(run)
    for name, rows in zip(run.short_names, systems, strict=True):
        assert summary.count(f"<bdi>{name}</bdi>") > 2
        assert f"<td>{sum(row['human'] for row in rows) / 40:.0%}</td>" in summary
    assert "What your verdicts say" not in files_results.draw_summary(
        score_tables(*systems, metrics=["bleu"])
    )


def test_names_are_shown_without_their_common_ending_and_marked_scores_share_a_footnote() -> None:
    systems = []
    for rows in make_five_systems().values():
        systems.append(
            [row | {"topic": "odd" if number % 2 else "even"} for number, row in enumerate(rows)]
        )
    run = score_tables(*systems, verdict="human", group="topic", metrics=["rouge"])
    summary = files_results.draw_summary(run)
    shown = summary + files_results.draw_comparison(run) + files_results.draw_histograms(run)
    assert re.findall(r"[a-z]\.jsonl", shown + draw_opened_row(run, 3)) == []
    assert run.names[0].endswith(".jsonl")
    assert summary.count("On human verdicts the mean of ROUGE-L ranks systems no better") == 1
    assert "pairs of them" in summary
    unmarked = score_tables(*systems, metrics=["correctness_estimate"])
    assert "†" not in files_results.draw_summary(unmarked)


def test_differences_and_downloads_are_made_once_when_they_are_first_opened() -> None:
    run = score_tables(*make_five_systems(12).values(), metrics=["rouge"])
    look = files_tab.show_differences
    assert "compared" in look(run)
    assert look(run) == look(None) == {}

    async def show_files() -> list[Any]:
        return [step async for step in files_tab.show_downloads(run, None)]

    ((made,),) = [asyncio.run(show_files())]
    assert [*made] == list(files_results.DOWNLOADS)
    assert asyncio.run(show_files()) == []


def test_a_message_says_if_the_session_no_longer_has_the_files(upload_folder: Path) -> None:
    import gradio as gr

    with gr.Blocks():
        tab = Tab("files", "en", files_tab.show_refusal)
        tab.parts = NamedParts()
        tab.parts |= {"files": gr.State(None), "run": gr.State(None), "scored": gr.State(None)}
    paths = [str(upload_folder / f"{name}.jsonl") for name in NAMES]
    (shown,) = collect_steps(
        tab.make_callback(files_form.read_chosen_files, tab.refusal), paths, None
    )
    key = shown[tab.parts["files"]]
    session_store.drop_session(VISITOR.session_hash)
    for work, values in (
        (files_form.read_chosen_files, (paths, key)),
        (files_tab.show_differences, (key,)),
    ):
        (shown,) = collect_steps(tab.make_callback(work, tab.refusal), *values)
        assert "not held any more" in shown.get("status", "")
    # The field is cleared, and files can be chosen again.
    emptied = functools.partial(files_form.show_choices, None)
    (shown,) = collect_steps(tab.make_callback(files_form.read_chosen_files, emptied), paths, key)
    assert (shown[tab.parts["files"]], shown["file"]) == (None, None)
    assert "not held any more" in asyncio.run(anext(rows_part.open_row(None, 1)))["cards"]
    assert "not held any more" in sample_views.show_reading(None, None)["answer"]


def test_an_event_without_an_output_for_its_refusal_is_an_error_when_the_page_is_built() -> None:
    """Otherwise a visitor whose event is refused would see no message."""
    import gradio as gr

    with gr.Blocks():
        tab = Tab("files", "en", files_tab.show_refusal)
        tab.parts |= {"status": gr.HTML(), "run": gr.State(None), "cards": gr.HTML()}
        button = gr.Button()
        with pytest.raises(ValueError, match=r"shown in .'status', 'run'., no outputs"):
            tab.connect(button.click, rows_part.open_row, outputs=tab.parts["cards"])
        tab.connect(button.click, rows_part.open_row)


def test_shortened_names_of_systems_stay_different() -> None:
    names = [f"{'n' * 70}{letter}{'n' * 70}.jsonl" for letter in "ab"]
    rows = make_wordy_rows(12)
    run = score_files(*(send_rows(rows, name) for name in names), metrics=["rouge"])
    assert len({*run.names}) == 2
    assert len({*files_results.list_sections(run, run.shown_results)[0].frame["system"]}) == 2
