"""Test the official LV-Eval result: prediction files, scores, result files, and the tab.

Published scores of other models are shown beside it.
"""

from __future__ import annotations

import asyncio
import doctest
import io
import itertools
import json
import math
import random
import re
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import gradio as gr
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lens.lv_eval import export, official_result, predictions, published, tasks
from lens.lv_eval.official_result import OfficialResult, add_averages, score_files
from lens.lv_eval.predictions import read_local_files, read_visitor_files
from lens.page import lv_eval_tab
from lens.page.lv_eval_tab import read_uploads
from lens.words import speaking
from lens.words.notes import UserError

from tests.demo.command_runs import Command
from tests.demo.page_visits import VISITOR, register_upload
from tests.support.project import ROOT, import_file, load

Row = dict[str, Any]
EVERY_CELL = list(itertools.product(tasks.DATASETS, tasks.LENGTHS))
# The settings of lv_eval_f1 for each data set, as in the original. dureader, the only other data
# set, is scored with lv_eval_rouge.
F1_SETTINGS: dict[str, dict[str, Any]] = {
    "hotpotwikiqa_mixup": {"language": "en"},
    "multifieldqa_en_mixup": {"language": "en"},
    "loogle_SD_mixup": {"language": "en"},
    "loogle_CR_mixup": {"language": "en"},
    "loogle_MIR_mixup": {"language": "en"},
    "multifieldqa_zh_mixup": {"language": "zh"},
    "cmrc_mixup": {"language": "zh"},
    "lic_mixup": {"language": "zh"},
    "factrecall_en": {"language": "en", "keyword_gate": False},
    "factrecall_zh": {"language": "zh", "keyword_gate": False},
}
ENGLISH = (
    "the niagara falls lie between canada and states of america in north king france war year"
).split()
CHINESE = "尼亚加拉瀑布 加拿大 美国 北京大学 学习 的 和 在 曹雪芹 红楼梦 。 作者 是".split()
# The name of a prediction file, which tests write.
FILE_NAME = "cmrc_mixup_16k.jsonl"


def make_row(pred: Any, answer: Any, gold: Any = None, **more: Any) -> Row:
    """Return a row as LV-Eval's prediction.py writes it; `more` adds or replaces its cells."""
    row = {
        "pred": pred,
        "answers": [answer],
        "gold_ans": gold,
        "input": "?",
        "all_classes": None,
        "length": 1,
    }
    return row | more


def encode_predictions(*rows: Any) -> bytes:
    """Return the bytes of a prediction file, in UTF-8 with lone surrogates as they are."""
    lines = [json.dumps(row, ensure_ascii=False) + "\n" for row in rows]
    return "".join(lines).encode("utf-8", "surrogatepass")


GOOD = make_row("北京", "北京", "北京")
GOOD_FILE = {FILE_NAME: encode_predictions(GOOD)}


def zip_files(files: dict[str, bytes]) -> bytes:
    """Return the bytes of a zip with these files."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


def make_prediction_files(
    seed: int, cells: Sequence[tuple[str, str]], rows: int = 7
) -> dict[str, bytes]:
    """Return prediction files with random texts.

    Some rows have no keywords, some not even the field, and all have a second answer.
    """
    rng = random.Random(seed)
    files = {}
    for dataset, length in cells:
        is_chinese = tasks.TASKS[dataset].language == "zh"
        random_rows = [make_random_row(is_chinese, rng) for _ in range(rows)]
        files[f"{dataset}_{length}.jsonl"] = encode_predictions(*random_rows)
    return files


def make_random_row(is_chinese: bool, rng: random.Random) -> Row:
    """Return a row with random texts."""
    words = CHINESE if is_chinese else ENGLISH
    space = "" if is_chinese else " "
    answer = space.join(rng.choices(words, k=rng.randint(0, 12)))
    wrong_answer = space.join(rng.choices(words, k=rng.randint(0, 12)))
    pred = answer if rng.random() < 0.2 else wrong_answer
    keyword = rng.choice(CHINESE[:5] if is_chinese else ENGLISH[6:])
    gold = rng.choice([None, "", keyword])
    row = make_row(pred, answer, gold, answers=[answer, pred])
    if rng.random() < 0.2:
        del row["gold_ans"]
    return row


def register_files(folder: Path, files: dict[str, bytes]) -> list[str]:
    """Write files into a folder as a visitor's uploads and return their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return [register_upload(folder / name) for name in files]


def score_officially(files: dict[str, bytes]) -> OfficialResult:
    """Return the official result of prediction files."""
    *_, last = score_files(predictions.parse_files(list(files.items())))
    return last.result


def read_average(
    result: OfficialResult, row: str = "overall", column: str = official_result.AVERAGE
) -> float:
    """Return an average of a result."""
    return float(add_averages(result.table).at[row, column])


def average_file(name: str, *rows: Row) -> float:
    """Return the overall average of one prediction file with these rows."""
    return read_average(score_officially({name: encode_predictions(*rows)}))


def compute_by_hand(folder: Path) -> list[bytes]:
    """Return result.json and result.csv, computed in a slow, obvious way.

    Each row is scored with the pure functions of the modules, and pandas writes the table.
    """
    import pandas

    def split_name(name: str) -> tuple[list[str], int]:
        """Return what names are sorted by: the words of a name, then its number.

        "cmrc_mixup_8k" comes before "cmrc_mixup_16k", because 8 is less than 16.
        """
        numbers = re.findall("[0-9]+", name)
        number = int(numbers[0]) if numbers else 0
        return re.findall("[A-Za-z]+", name), number

    scores: dict[str, float] = {}
    table: dict[str, dict[str, Any]] = {}
    names = [path.stem for path in folder.glob("*.jsonl") if path.is_file()]
    for name in sorted(names, key=split_name):
        dataset, _, length = name.rpartition("_")
        row_scores = []
        for line in (folder / f"{name}.jsonl").read_text("utf-8").splitlines():
            row_scores.append(score_original_row(dataset, json.loads(line)))
        scores[name] = round(100 * sum(row_scores) / len(row_scores), 2)
        table.setdefault(dataset, {"dataset_name": dataset})[length] = scores[name]
    text = json.dumps(scores, indent=4, ensure_ascii=False)
    csv = pandas.DataFrame(list(table.values())).to_csv(index=False)
    return [text.encode(), csv.encode()]


def score_original_row(dataset: str, row: Row) -> float:
    """Return the score of a row with the settings of the original."""
    texts = (row["pred"], row["answers"][0])
    if dataset not in F1_SETTINGS:
        return float(import_file("lv_eval_rouge").score(*texts))
    f1 = import_file("lv_eval_f1")
    return float(f1.score(*texts, row.get("gold_ans"), **F1_SETTINGS[dataset]))


# Scores and files


@pytest.mark.parametrize(
    ("seed", "chunk_rows", "n_files"), [(0, 7, len(EVERY_CELL)), (1, 5, 6), (2, 3, 12)]
)
def test_result_files_equal_those_of_the_original_byte_for_byte(
    tmp_path: Path,
    score: Command,
    monkeypatch: pytest.MonkeyPatch,
    seed: int,
    chunk_rows: int,
    n_files: int,
) -> None:
    monkeypatch.setattr(official_result, "CHUNK_ROWS", chunk_rows)
    cells = random.Random(seed).sample(EVERY_CELL, n_files)
    files = make_prediction_files(seed, cells)
    run = tmp_path / "run"
    register_files(run, files | {"notes.txt": b"not read"})
    (run / "folder.jsonl").mkdir()
    deep = {f"outputs/model/{name}": data for name, data in reversed(files.items())}
    ignored = {
        "__MACOSX/outputs/._x_16k.jsonl": b"\0",
        "outputs/.DS_Store": b"",
        "outputs/result.json": b"{}",
    }
    register_files(tmp_path, {"run2.zip": zip_files(deep | ignored)})
    expected = compute_by_hand(run)
    elsewhere = tmp_path / "elsewhere"
    # The arguments of the command, and the folder that it writes to.
    runs: list[tuple[list[Any], Path]] = [
        ([run], run / "eval_result"),
        ([tmp_path / "run2.zip"], tmp_path / "run2" / "eval_result"),
        ([run, "--out", elsewhere], elsewhere),
    ]
    for arguments, folder in runs:
        ran = score("--lv-eval", *arguments)
        assert ran.code == 0
        results = [(folder / name).read_bytes() for name in ("result.json", "result.csv")]
        assert results == expected
        assert f"Scoring file {len(files)} of {len(files)}: " in ran.err
        assert export.list_column_titles() in [line.split() for line in ran.out.splitlines()]
        assert f"Written to {folder}" in ran.out


def test_averages_computed_by_hand() -> None:
    paris = make_row("He was born in Paris and was raised there", "She was born in Paris", "Paris")
    empty = make_row("", "x", "x")
    falls = make_row("The falls lie in Mexico", "The falls lie in Canada", "Canada")
    # The answer has 9 words, the reference 5, and 4 of them are common: "was born in Paris".
    f1_of_paris = 2 * 4 / (9 + 5)
    # The other scores are 0: one answer is empty, and one lacks the keyword "Canada".
    expected = round(100 * f1_of_paris / 3, 2)
    assert average_file("loogle_SD_mixup_16k.jsonl", paris, empty, falls) == expected
    # factrecall does not use keywords: 3 of 4 words are common, apart from "the".
    assert average_file("factrecall_en_16k.jsonl", falls) == 75.0
    long = "".join(chr(0x4E00 + number) for number in range(3000))
    assert average_file("dureader_mixup_256k.jsonl", make_row(long, long)) == 100.0


@pytest.mark.parametrize("name", ["loogle_CR_mixup_16k.jsonl", "dureader_mixup_16k.jsonl"])
def test_only_the_first_answer_counts(name: str) -> None:
    assert average_file(name, make_row("b", "a", answers=["a", "b"])) == 0.0


def test_rows_at_which_the_original_divides_by_zero_are_counted() -> None:
    chinese_keywords_without_word = make_row("北京", "北京", "。")
    chinese_reference_without_word = make_row("北京", "。")
    english_keywords_without_word = make_row("x", "x", "the ...")
    # The original can score these rows. It does not use the keywords of factrecall.
    other_rows = [make_row("x", ""), make_row("", "中", "中"), make_row("Ｃ北京", "C北京")]
    no_keywords = make_row("x", "x", "")
    factrecall_keywords_without_word = make_row("x", "x", "...")
    files = {
        FILE_NAME: encode_predictions(
            chinese_keywords_without_word, chinese_reference_without_word, *other_rows
        ),
        "lic_mixup_16k.jsonl": encode_predictions(GOOD),
        "loogle_SD_mixup_16k.jsonl": encode_predictions(english_keywords_without_word, no_keywords),
        "factrecall_en_16k.jsonl": encode_predictions(factrecall_keywords_without_word),
    }
    assert score_officially(files).rows_that_stop_original == 3


# Reading


def test_texts_of_prediction_files_are_read_unchanged(tmp_path: Path) -> None:
    hostile = [
        "NA",
        "None",
        "007",
        "",
        " x ",
        "a\nb",
        "a\r\nb",
        "a\u2028b\x85c",
        "中文 😀 é",
        "\ud800",
        "\0",
        '"',
    ]
    lines = []
    for text in hostile:
        row = make_row(text, text, text, length=int("9" * 30))
        lines.append(json.dumps(row) + "\r\n")
    data = "".join(lines).encode()
    with_byte_order_mark = b"\xef\xbb\xbf" + data.replace(b"\r\n", b"\n")
    with_empty_lines = b"\n \n" + data
    for content in (data, with_byte_order_mark, with_empty_lines):
        (file,) = read_visitor_files(register_files(tmp_path, {FILE_NAME: content}))
        assert file.predictions == hostile
        assert file.references == hostile
        assert file.keywords == hostile
        (archive,) = register_files(tmp_path, {"run.zip": zip_files({FILE_NAME: content})})
        assert read_local_files(Path(archive)) == [file]


WRONG_ROW_TYPE = (
    {FILE_NAME: encode_predictions(GOOD) + b"[1, 2]\n"},
    f"{FILE_NAME}: Row 2 is not a JSON object",
)
LONG_LIST = ["y" * 200]
# A message shows the first 60 characters of a value.
SHORTENED_LIST = '["' + "y" * 58 + "…"
# Files that cannot be scored, and a part of the error message.
WRONG: list[tuple[dict[str, bytes], str]] = [
    ({}, "none ends in .jsonl"),
    ({FILE_NAME: b"\n\n"}, f"{FILE_NAME}: The file has no rows"),
    WRONG_ROW_TYPE,
    (
        {FILE_NAME: encode_predictions(GOOD) + b'\n\n{"pred": \n'},
        f"{FILE_NAME}: This is not JSON: it breaks off in line 4",
    ),
    (
        {FILE_NAME: b'{"a": ' + b"[" * 100_000},
        f"{FILE_NAME}: Line 1 of this JSON is nested too deeply",
    ),
    (
        {FILE_NAME: encode_predictions(GOOD) + b'{"pred": "\xe9"}'},
        f"{FILE_NAME}: The file is in UTF-8, but line 2 is damaged",
    ),
    (
        {FILE_NAME: encode_predictions(GOOD, {"answers": ["x"]})},
        f"{FILE_NAME}: Row 2: pred is null. pred must be a text",
    ),
    (
        {FILE_NAME: encode_predictions(make_row(LONG_LIST, "x"))},
        f"Row 1: pred is {SHORTENED_LIST}. pred",
    ),
    ({FILE_NAME: encode_predictions(make_row("x", "x", answers=[]))}, "Row 1: answers is []."),
    ({FILE_NAME: encode_predictions(make_row("x", "x", answers="x"))}, 'Row 1: answers is "x".'),
    ({FILE_NAME: encode_predictions(GOOD, make_row("x", "x", ["x"]))}, 'Row 2: gold_ans is ["x"].'),
    (
        {"CMRC_mixup_16k.jsonl": encode_predictions(GOOD)},
        "CMRC_mixup_16k.jsonl: This is not a prediction file of LV-Eval",
    ),
    (
        {"cmrc_mixup_8k.jsonl": encode_predictions(GOOD)},
        "one of the lengths 16k, 32k, 64k, 128k, 256k",
    ),
    (
        GOOD_FILE | {"cmrc_mixup_16k.v2.jsonl": encode_predictions(GOOD)},
        "are both cmrc_mixup at 16k",
    ),
    (
        {
            "a.zip": zip_files(
                {
                    f"x/{FILE_NAME}": encode_predictions(GOOD),
                    f"y/{FILE_NAME}": encode_predictions(GOOD),
                }
            )
        },
        "are both cmrc_mixup at 16k",
    ),
    (
        {"a.zip": zip_files({"readme.txt": b"x", "b.zip": zip_files(GOOD_FILE)})},
        "none ends in .jsonl",
    ),
    (
        {"a.zip": b"PK\3\4 none"},
        "a.zip: This cannot be unpacked: it is no zip, or damaged, or encrypted",
    ),
]


def test_files_that_cannot_be_scored_are_refused_with_file_row_and_value(
    tmp_path: Path, score: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        official_result, "make_module", lambda name: pytest.fail("something is scored")
    )
    for number, (files, words) in enumerate(WRONG):
        folder = tmp_path / str(number)
        register_files(folder, files)
        ran = score("--lv-eval", folder / "a.zip" if "a.zip" in files else folder)
        assert ran.code == 2, words
        assert ran.out == ""
        assert words in ran.err
        assert not (folder / "eval_result").exists()


def test_the_page_refuses_the_same_files_and_those_beyond_its_limits(tmp_path: Path) -> None:
    line = encode_predictions(GOOD)
    too_long_text = encode_predictions(make_row("x" * 50_001, "x"))
    many_characters = encode_predictions(make_row("x" * 50_000, "")) * 250
    many_values = b'{"pred": [' + b"{}," * 13_000_000 + b"{}]}"
    refused = [
        WRONG_ROW_TYPE,
        ({FILE_NAME: b" " * 5_000_000, "b.jsonl": b" " * 5_000_001}, "at most 10 MB"),
        ({FILE_NAME: line * (9_000_000 // len(line))}, "20,000 rows"),
        ({FILE_NAME: line + too_long_text}, "50,000 characters in one text"),
        (
            {"a.zip": zip_files({FILE_NAME: many_characters})},
            "12,000,000 characters, the files of a run together",
        ),
        ({"a.zip": zip_files({FILE_NAME: many_values})}, "memory or time"),
    ]
    for number, (files, words) in enumerate(refused):
        folder = tmp_path / str(number)
        paths = register_files(folder, files)
        with pytest.raises(UserError, match=re.escape(words)):
            read_uploads(paths)
        assert not list(folder.glob("*"))
    with pytest.raises(UserError, match="did not arrive whole"):
        read_uploads([str(tmp_path / "gone.jsonl")])
    # The command reads a file of the user's own that the page refuses.
    register_files(tmp_path / "own", {FILE_NAME: too_long_text})
    assert len(read_local_files(tmp_path / "own")) == 1


def find_reading_error(files: list[tuple[str, bytes]]) -> str | None:
    """Return the error message if files cannot be read; None if they are read, each with rows."""
    try:
        read_files = list(predictions.parse_files(files))
    except UserError as error:
        return str(error)
    assert all(file.predictions for file in read_files)
    return None


@given(st.binary(max_size=60), st.randoms(use_true_random=False))
def test_a_damaged_file_or_zip_is_read_or_is_refused_with_a_message(
    data: bytes, chance: random.Random
) -> None:
    assert find_reading_error([(FILE_NAME, data)]) != ""
    archive = bytearray(zip_files(GOOD_FILE))
    for _ in range(chance.randint(1, 30)):
        archive[chance.randrange(len(archive))] = chance.randrange(256)
    assert find_reading_error([("a.zip", bytes(archive))]) != ""


# Tables and published scores


def make_official_result(*cells: tuple[str, str, float]) -> OfficialResult:
    """Return a result with the score of each (data set, length), of two rows each."""
    scores = {(dataset, length): score for dataset, length, score in cells}
    return OfficialResult(scores, dict.fromkeys(scores, 2), ["lv_eval_f1|v:1_2"])


def test_averages_are_of_rounded_scores_and_leave_missing_ones_out() -> None:
    result = make_official_result(
        ("cmrc_mixup", "16k", 10.0), ("lic_mixup", "16k", 20.0), ("cmrc_mixup", "32k", 0.0)
    )
    assert read_average(result, column="16k") == 15.0
    assert read_average(result, "cmrc_mixup") == 5.0
    assert math.isnan(read_average(result, "multi_hop", "32k"))
    markdown = export.FORMATTERS["md"](result)
    rows = [line.strip("| ").split() for line in markdown.splitlines()]
    assert "lic\\_mixup | 20.00 | – | – | – | – | 20.00".split() in rows
    assert "Overall average | 15.00 | 0.00 | – | – | – | 10.00".split() in rows
    assert "`lv_eval_f1|v:1_2`" in markdown
    for file_format in ("md", "tex"):
        assert "3 of 55 files" in export.FORMATTERS[file_format](result)


def test_the_catalog_of_tasks_has_the_numbers_of_the_paper() -> None:
    assert len(tasks.SINGLE_HOP) == 6
    assert len(tasks.MULTI_HOP) == 5
    assert 5 * sum(task.rows for task in tasks.TASKS.values()) == 8645


def test_the_published_averages_agree_with_the_published_scores() -> None:
    lengths = list(tasks.LENGTHS)
    datasets = list(tasks.DATASETS)
    # Two rounded figures may differ by 0.01.
    tolerance = 0.011
    differing = []
    assert len(published.MODELS) == 10
    for model in published.MODELS:
        table = published.PUBLISHED.loc[model]
        assert list(table.index) == [published.OVERALL, *datasets]
        scores = table.loc[datasets, lengths]
        errors = scores.mean() - table.loc[published.OVERALL, lengths]
        assert errors.abs().max() <= tolerance
        errors = scores.mean(axis=1) - table.loc[datasets, published.AVERAGE]
        differing += [(model, name) for name in datasets if abs(errors[name]) > tolerance]
    # The only published average that is not the mean of the published scores.
    assert differing == [("ChatGLM3-6B-32k", "multifieldqa_zh_mixup")]


def test_a_run_is_compared_with_published_scores_of_the_same_files() -> None:
    run = make_official_result(*((dataset, length, 5.0) for dataset, length in EVERY_CELL))
    for model in published.MODELS:
        table = published.select_published_scores(model, run.table)
        assert table.at["overall", "16k"] == published.PUBLISHED.at[(model, "overall"), "16k"]
    table = published.select_published_scores("GPT-4-8k", run.table)
    assert table.at["cmrc_mixup", "average"] == 5.96
    html = lv_eval_tab.draw_model_comparison(lv_eval_tab.Run(run, "mine"), lv_eval_tab.ALL_MODELS)
    _, _, last_section = html.rpartition("<h3")
    averages = [float(cell) for cell in re.findall("<td>([0-9.]+)</td></tr>", last_section)]
    assert len(averages) == len(published.MODELS) + 1
    assert averages == sorted(averages, reverse=True)


def test_a_run_of_some_files_is_compared_with_published_scores_of_these_files() -> None:
    run = make_official_result(
        ("cmrc_mixup", "16k", 1.0), ("lic_mixup", "16k", 2.0), ("cmrc_mixup", "64k", 3.0)
    )
    table = published.select_published_scores("GPT-4-8k", run.table)
    # The averages at 16k, 32k, 64k, 128k and 256k, and that of all files.
    expected = [(14.67 + 13.69) / 2, math.nan, 5.31, math.nan, math.nan, (14.67 + 13.69 + 5.31) / 3]
    assert [*table.loc["overall"]] == pytest.approx(expected, nan_ok=True)
    assert table.at["cmrc_mixup", "average"] == pytest.approx((14.67 + 5.31) / 2)
    assert table.at["factrecall_en", "average"] == 9.25
    assert [*table.loc["cmrc_mixup", ["16k", "32k"]]] == [14.67, 3.33]


# The tab


def read_step(step: dict[Any, Any]) -> dict[str, Any]:
    """Return what a step shows: the values of components by the components' ids.

    The value of a download is its name and its content, because the file is deleted afterwards.
    """
    values = {component.elem_id or component: value for component, value in step.items()}
    for file_format in lv_eval_tab.FORMATTERS:
        name = f"lv-{file_format}"
        if name in values:
            path = Path(values[name])
            values[name] = (path.name, path.read_bytes())
    return values


def list_shown_steps(paths: list[str] | None, language: str = "en") -> list[dict[str, Any]]:
    """Score files, or the example if there are none, and return what the tab shows in each step.

    Each step is in the form of `read_step`.
    """
    with gr.Blocks() as page, speaking(language):
        lv_eval_tab.build(language)
    functions = [event.fn for event in page.fns.values() if event.fn]
    score = next(function for function in functions if function.__name__ == "score")

    async def collect_shown() -> list[Any]:
        steps: list[Any] = []
        async for step in score(VISITOR, paths):  # type: ignore[attr-defined]
            changes_nothing = all(value == gr.skip() for value in step.values())
            if changes_nothing:  # the last step
                return steps
            steps.append(read_step(step))
        return steps

    return asyncio.run(collect_shown())


def test_the_example_is_scored_shown_and_offered_for_download() -> None:
    steps = list_shown_steps(None)
    assert "Reading the files" in steps[0]["lv-results"]
    assert steps[0]["lv-cancel"]["interactive"]
    last = steps[-1]
    assert not last["lv-cancel"]["interactive"]
    for words in ("A made-up example", "Rows: 56", "24 of 55 files are there", "LV-Eval has 200"):
        assert words in last["lv-results"]
    files = {path.name: path.read_bytes() for path in lv_eval_tab.EXAMPLE.iterdir()}
    result = score_officially(files)
    for file_format, write in lv_eval_tab.FORMATTERS.items():
        download = (f"made_up_result.{file_format}", write(result).encode())
        assert last[f"lv-{file_format}"] == download
    assert last["lv-signed"]["value"].splitlines() == result.signatures
    assert last["lv-plot"]["visible"]
    assert "总平均" in list_shown_steps(None, "zh")[-1]["lv-results"]


def test_uploaded_files_are_deleted_after_reading_even_if_they_are_refused(tmp_path: Path) -> None:
    paths = register_files(tmp_path, GOOD_FILE)
    last = list_shown_steps(paths)[-1]
    assert "100.00" in last["lv-results"]
    assert "made-up" not in last["lv-results"]
    assert not last["lv-plot"]["visible"]  # a line needs more than one length
    last = list_shown_steps(register_files(tmp_path, {"<img src=x>_16k.jsonl": b"x"}))[-1]
    assert "&lt;img src=x&gt;_16k.jsonl: This is not a prediction file" in last["lv-results"]
    assert "lv-signed" not in last
    assert not list(tmp_path.glob("*"))
    assert "没有完整送达" in list_shown_steps(paths, "zh")[-1]["lv-results"]


def test_a_missing_package_and_a_defect_are_reported_and_no_text_is_logged(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    # Joined at run time, so that no traceback shows it.
    secret = "".join(["a text ", "of the visitor"])
    errors = {
        "pip install jieba": ImportError("Chinese text needs jieba: pip install jieba==0.42.1"),
        "could not be scored (KeyError)": KeyError(secret),
    }
    for message, error in errors.items():
        monkeypatch.setattr(official_result, "make_module", Mock(side_effect=error))
        answer = list_shown_steps(register_files(tmp_path, GOOD_FILE))[-1]["lv-results"]
        assert message in answer
        assert secret not in caplog.text + answer
    assert "KeyError" in caplog.text


# The card of lv_eval_f1


def test_the_cards_example_loads_the_dataset(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import datasets

    # Offline, datasets opens no file in a zip, not even a local one.
    monkeypatch.setattr(datasets.config, "HF_HUB_OFFLINE", False)
    card = (ROOT / "metrics" / "lv_eval_f1" / "README.md").read_text("utf-8")
    blocks = re.findall(r"```python\n(.*?)```", card, re.S)
    (example,) = [block for block in blocks if "load_dataset(" in block]
    script = doctest.script_from_examples(example)
    code = script[script.index("from datasets import") :]
    rows = [
        {"answers": ["in Canada"], "answer_keywords": "Canada"},
        {"answers": ["x"], "answer_keywords": "x"},
    ]
    folder = "hotpotwikiqa_mixup/hotpotwikiqa_mixup"
    files = {
        f"{folder}_16k.jsonl": encode_predictions(*rows),
        f"{folder}_32k.jsonl": encode_predictions(*rows * 9),
    }
    (archive,) = register_files(tmp_path, {"data.zip": zip_files(files)})
    (address,) = re.findall(r'"(https://[^"]*)"', code)
    dataset = "https://huggingface.co/datasets/Infinigence/LVEval"
    assert address == f"{dataset}/resolve/main/hotpotwikiqa_mixup.zip"
    names: dict[str, Any] = {"lv_eval_f1": load("lv_eval_f1")}
    exec(code.replace(address, archive), names)
    assert names["rows"].num_rows == 2
    assert names["result"]["lv_eval_f1"] == 0.5
