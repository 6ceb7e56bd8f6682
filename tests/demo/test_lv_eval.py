"""Test the official LV-Eval result: prediction files, scores, result files, and the tab.

Published scores of other models are shown beside it.
"""

from __future__ import annotations

import asyncio
import doctest
import io
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
EVERY_CELL = [(dataset, length) for dataset in tasks.DATASETS for length in tasks.LENGTHS]
# The settings of lv_eval_f1 for each data set, as in the original. dureader, the only other data
# set, is scored with lv_eval_rouge.
ORIGINALS: dict[str, dict[str, Any]] = {
    **{f"{name}_mixup": {"language": "en"} for name in "hotpotwikiqa multifieldqa_en".split()},
    **{f"loogle_{name}_mixup": {"language": "en"} for name in ("SD", "CR", "MIR")},
    **{f"{name}_mixup": {"language": "zh"} for name in ("multifieldqa_zh", "cmrc", "lic")},
    **{
        f"factrecall_{language}": {"language": language, "keyword_gate": False}
        for language in ("en", "zh")
    },
}
ENGLISH = (
    "the niagara falls lie between canada and states of america in north king france war year"
).split()
CHINESE = "尼亚加拉瀑布 加拿大 美国 北京大学 学习 的 和 在 曹雪芹 红楼梦 。 作者 是".split()
NAME = "cmrc_mixup_16k.jsonl"


def make_row(pred: Any, answer: Any, gold: Any = None, **more: Any) -> Row:
    """Return a row as LV-Eval's prediction.py writes it."""
    return {
        "pred": pred,
        "answers": [answer],
        "gold_ans": gold,
        "input": "?",
        "all_classes": None,
        "length": 1,
    } | more


def encode_predictions(*rows: Any) -> bytes:
    """Return the bytes of a prediction file, in UTF-8 with lone surrogates as they are."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode(
        "utf-8", "surrogatepass"
    )


GOOD = make_row("北京", "北京", "北京")
GOOD_FILE = {NAME: encode_predictions(GOOD)}


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
    chance = random.Random(seed)
    files = {}
    for dataset, length in cells:
        chinese = tasks.TASKS[dataset].language == "zh"
        found = []
        for _ in range(rows):
            texts = [
                chance.choices(CHINESE if chinese else ENGLISH, k=chance.randint(0, 12))
                for _ in range(2)
            ]
            answer, other = (("" if chinese else " ").join(words) for words in texts)
            pred = answer if chance.random() < 0.2 else other
            gold = chance.choice([None, "", chance.choice(CHINESE[:5] if chinese else ENGLISH[6:])])
            found.append(make_row(pred, answer, gold, answers=[answer, pred]))
            if chance.random() < 0.2:
                del found[-1]["gold_ans"]
        files[f"{dataset}_{length}.jsonl"] = encode_predictions(*found)
    return files


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
    found: OfficialResult, row: str = "overall", column: str = official_result.AVERAGE
) -> float:
    """Return an average of a result."""
    return float(add_averages(found.table).at[row, column])


def compute_by_hand(folder: Path) -> list[bytes]:
    """Return result.json and result.csv, computed in a slow, obvious way.

    Each row is scored with the pure functions of the modules, and pandas writes the table.
    """
    import pandas

    def split_name(name: str) -> tuple[list[str], int]:
        numbers = re.findall("[0-9]+", name)
        return re.findall("[A-Za-z]+", name), int(numbers[0]) if numbers else 0

    scores: dict[str, float] = {}
    table: dict[str, dict[str, Any]] = {}
    for name in sorted(
        (path.name for path in folder.glob("*.jsonl") if path.is_file()), key=split_name
    ):
        stem = name.removesuffix(".jsonl")
        dataset, _, length = stem.rpartition("_")
        total, count = 0.0, 0
        for line in (folder / name).read_text("utf-8").splitlines():
            row = json.loads(line)
            texts = (row["pred"], row["answers"][0])
            if dataset in ORIGINALS:
                total += import_file("lv_eval_f1").score(
                    *texts, row.get("gold_ans"), **ORIGINALS[dataset]
                )
            else:
                total += import_file("lv_eval_rouge").score(*texts)
            count += 1
        scores[stem] = round(100 * total / count, 2)
        table.setdefault(dataset, {"dataset_name": dataset})[length] = scores[stem]
    text = json.dumps(scores, indent=4, ensure_ascii=False)
    return [text.encode(), pandas.DataFrame(list(table.values())).to_csv(index=False).encode()]


# Scores and files


@pytest.mark.parametrize("seed", range(3))
def test_result_files_equal_those_of_the_original_byte_for_byte(
    tmp_path: Path,
    score: Command,
    monkeypatch: pytest.MonkeyPatch,
    seed: int,
) -> None:
    monkeypatch.setattr(official_result, "CHUNK_ROWS", 7 - 2 * seed)
    files = make_prediction_files(
        seed, random.Random(seed).sample(EVERY_CELL, 6 * seed) if seed else EVERY_CELL
    )
    register_files(tmp_path / "run", files | {"notes.txt": b"not read"})
    (tmp_path / "run" / "folder.jsonl").mkdir()
    deep = {f"outputs/model/{name}": data for name, data in reversed(files.items())}
    extra = {
        "__MACOSX/outputs/._x_16k.jsonl": b"\0",
        "outputs/.DS_Store": b"",
        "outputs/result.json": b"{}",
    }
    register_files(tmp_path, {"run2.zip": zip_files(deep | extra)})
    expected = compute_by_hand(tmp_path / "run")
    for path, out in (("run", None), ("run2.zip", None), ("run", tmp_path / "elsewhere")):
        ran = score("--lv-eval", tmp_path / path, *(["--out", out] if out else []))
        assert ran.code == 0
        folder = out or tmp_path / path.removesuffix(".zip") / "eval_result"
        assert [(folder / name).read_bytes() for name in ("result.json", "result.csv")] == expected
        assert f"Scoring file {len(files)} of {len(files)}: " in ran.err
        assert export.list_column_titles() in [line.split() for line in ran.out.splitlines()]
        assert f"Written to {folder}" in ran.out


def test_averages_computed_by_hand() -> None:
    rows = [
        make_row("He was born in Paris and was raised there", "She was born in Paris", "Paris"),
        make_row("", "x", "x"),
    ]
    rows.append(make_row("The falls lie in Mexico", "The falls lie in Canada", "Canada"))
    assert read_average(
        score_officially({"loogle_SD_mixup_16k.jsonl": encode_predictions(*rows)})
    ) == round(100 * (4 / 7) / 3, 2)
    assert (
        read_average(score_officially({"factrecall_en_16k.jsonl": encode_predictions(rows[2])}))
        == 75.0
    )
    # Only the first answer counts.
    second = encode_predictions(make_row("b", "a", answers=["a", "b"]))
    for name in ("loogle_CR_mixup_16k.jsonl", "dureader_mixup_16k.jsonl"):
        assert read_average(score_officially({name: second})) == 0.0
    long = "".join(chr(0x4E00 + n) for n in range(3000))
    assert (
        read_average(
            score_officially(
                {"dureader_mixup_256k.jsonl": encode_predictions(make_row(long, long))}
            )
        )
        == 100.0
    )
    # These rows differ from the original for other reasons.
    noted = make_row("", "中", "中"), make_row("Ｃ北京", "C北京")
    # At three of these rows the original divides by zero.
    stopping = {
        NAME: encode_predictions(
            make_row("北京", "北京", "。"), make_row("北京", "。"), make_row("x", ""), *noted
        ),
        "lic_mixup_16k.jsonl": encode_predictions(GOOD),
        "loogle_SD_mixup_16k.jsonl": encode_predictions(
            make_row("x", "x", "the ..."), make_row("x", "x", "")
        ),
        "factrecall_en_16k.jsonl": encode_predictions(make_row("x", "x", "...")),
    }
    assert score_officially(stopping).rows_that_stop_original == 3


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
    escaped = "".join(
        json.dumps(make_row(text, text, text, length=int("9" * 30))) + "\r\n" for text in hostile
    ).encode()
    for data in (escaped, b"\xef\xbb\xbf" + escaped.replace(b"\r\n", b"\n"), b"\n \n" + escaped):
        (found,) = read_visitor_files(register_files(tmp_path, {NAME: data}))
        assert found.predictions == found.references == found.keywords == hostile
        assert read_local_files(
            Path(register_files(tmp_path, {"run.zip": zip_files({NAME: data})})[0])
        ) == [found]


# Files that cannot be scored, and a part of the error message.
WRONG: list[tuple[dict[str, bytes], str]] = [
    ({}, "none ends in .jsonl"),
    ({NAME: b"\n\n"}, f"{NAME}: The file has no rows"),
    ({NAME: encode_predictions(GOOD) + b"[1, 2]\n"}, f"{NAME}: Row 2 is not a JSON object"),
    (
        {NAME: encode_predictions(GOOD) + b'\n\n{"pred": \n'},
        f"{NAME}: This is not JSON: it breaks off in line 4",
    ),
    ({NAME: b'{"a": ' + b"[" * 100_000}, f"{NAME}: Line 1 of this JSON is nested too deeply"),
    (
        {NAME: encode_predictions(GOOD) + b'{"pred": "\xe9"}'},
        f"{NAME}: The file is in UTF-8, but line 2 is damaged",
    ),
    (
        {NAME: encode_predictions(GOOD, {"answers": ["x"]})},
        f"{NAME}: Row 2: pred is null. pred must be a text",
    ),
    ({NAME: encode_predictions(make_row(["y" * 200], "x"))}, f'Row 1: pred is ["{"y" * 58}…. pred'),
    ({NAME: encode_predictions(make_row("x", "x", answers=[]))}, "Row 1: answers is []."),
    ({NAME: encode_predictions(make_row("x", "x", answers="x"))}, 'Row 1: answers is "x".'),
    ({NAME: encode_predictions(GOOD, make_row("x", "x", ["x"]))}, 'Row 2: gold_ans is ["x"].'),
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
                {f"x/{NAME}": encode_predictions(GOOD), f"y/{NAME}": encode_predictions(GOOD)}
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
        paths = register_files(tmp_path / str(number), files)
        ran = score("--lv-eval", paths[0] if "a.zip" in files else tmp_path / str(number))
        assert (ran.code, ran.out, words in ran.err) == (2, "", True), words
        assert not (tmp_path / str(number) / "eval_result").exists()


def test_the_page_refuses_the_same_files_and_those_beyond_its_limits(tmp_path: Path) -> None:
    line = len(encode_predictions(GOOD))
    for number, (files, words) in enumerate(
        [
            (WRONG[2]),
            ({NAME: b" " * 5_000_000, "b.jsonl": b" " * 5_000_001}, "at most 10 MB"),
            ({NAME: encode_predictions(GOOD) * (9_000_000 // line)}, "20,000 rows"),
            (
                {NAME: encode_predictions(GOOD, make_row("x" * 50_001, "x"))},
                "50,000 characters in one text",
            ),
            (
                {"a.zip": zip_files({NAME: encode_predictions(make_row("x" * 50_000, "")) * 250})},
                "12,000,000 characters, the files of a run together",
            ),
            (
                {"a.zip": zip_files({NAME: b'{"pred": [' + b"{}," * 13_000_000 + b"{}]}"})},
                "memory or time",
            ),
        ]
    ):
        with pytest.raises(UserError, match=re.escape(words)):
            read_uploads(register_files(tmp_path / str(number), files))
        assert not list((tmp_path / str(number)).glob("*"))
    with pytest.raises(UserError, match="did not arrive whole"):
        read_uploads([str(tmp_path / "gone.jsonl")])
    register_files(tmp_path / "own", {NAME: encode_predictions(make_row("x" * 50_001, "x"))})
    assert len(read_local_files(tmp_path / "own")) == 1


def describe_reading(files: list[tuple[str, bytes]]) -> str:
    """Return the number of rows of files, or the error message if they cannot be read."""
    try:
        return str(sum(len(file.predictions) for file in predictions.parse_files(files)))
    except UserError as error:
        return str(error)


@given(st.binary(max_size=60), st.randoms(use_true_random=False))
def test_every_damaged_file_or_zip_is_refused_with_a_message(
    data: bytes, chance: random.Random
) -> None:
    assert describe_reading([(NAME, data)])
    archive = bytearray(zip_files(GOOD_FILE))
    for _ in range(chance.randint(1, 30)):
        archive[chance.randrange(len(archive))] = chance.randrange(256)
    assert describe_reading([("a.zip", bytes(archive))])


# Tables and published scores


def make_official_result(*cells: tuple[str, str, float]) -> OfficialResult:
    """Return a result with the score of each (data set, length), of two rows each."""
    scores = {(dataset, length): score for dataset, length, score in cells}
    return OfficialResult(scores, dict.fromkeys(scores, 2), ["lv_eval_f1|v:1_2"])


def test_averages_are_of_rounded_scores_and_leave_missing_ones_out() -> None:
    found = make_official_result(
        ("cmrc_mixup", "16k", 10.0), ("lic_mixup", "16k", 20.0), ("cmrc_mixup", "32k", 0.0)
    )
    assert (read_average(found, column="16k"), read_average(found, "cmrc_mixup")) == (15.0, 5.0)
    assert math.isnan(read_average(found, "multi_hop", "32k"))
    rows = [
        [cell.strip() for cell in line.split("|")[1:-1]]
        for line in export.WRITERS["md"](found).splitlines()
    ]
    assert ["lic\\_mixup", "20.00", "–", "–", "–", "–", "20.00"] in rows
    assert ["Overall average", "15.00", "0.00", "–", "–", "–", "10.00"] in rows
    assert all("3 of 55 files" in export.WRITERS[form](found) for form in ("md", "tex"))
    assert "`lv_eval_f1|v:1_2`" in export.WRITERS["md"](found)
    assert (len(tasks.SINGLE_HOP), len(tasks.MULTI_HOP)) == (6, 5)
    assert 5 * sum(task.rows for task in tasks.TASKS.values()) == 8645


def test_the_published_averages_agree_with_the_published_scores() -> None:
    lengths, datasets, off = list(tasks.LENGTHS), list(tasks.DATASETS), []
    assert len(published.MODELS) == 10
    for model in published.MODELS:
        table = published.PUBLISHED.loc[model]
        assert list(table.index) == [published.OVERALL, *datasets]
        assert (
            table.loc[datasets, lengths].mean() - table.loc[published.OVERALL, lengths]
        ).abs().max() <= 0.011
        means = table.loc[datasets, lengths].mean(axis=1)
        off += [
            (model, name)
            for name in datasets
            if abs(means[name] - table.at[name, published.AVERAGE]) > 0.011
        ]
    assert off == [("ChatGLM3-6B-32k", "multifieldqa_zh_mixup")]


def test_a_run_is_compared_with_published_scores_of_the_same_files() -> None:
    everything = make_official_result(*((dataset, length, 5.0) for dataset, length in EVERY_CELL))
    whole = {
        model: published.select_published_scores(model, everything.table)
        for model in published.MODELS
    }
    for model, table in whole.items():
        assert table.at["overall", "16k"] == published.PUBLISHED.at[(model, "overall"), "16k"]
    assert whole["GPT-4-8k"].at["cmrc_mixup", "average"] == 5.96
    shown = lv_eval_tab.draw_model_comparison(everything, lv_eval_tab.EVERY, "mine").rpartition(
        "<h3"
    )[2]
    order = [float(cell) for cell in re.findall("<td>([0-9.]+)</td></tr>", shown)]
    assert (len(order), order) == (11, sorted(order, reverse=True))
    part = make_official_result(
        ("cmrc_mixup", "16k", 1.0), ("lic_mixup", "16k", 2.0), ("cmrc_mixup", "64k", 3.0)
    )
    table = published.select_published_scores("GPT-4-8k", part.table)
    expected = [(14.67 + 13.69) / 2, math.nan, 5.31, math.nan, math.nan, (14.67 + 13.69 + 5.31) / 3]
    assert [*table.loc["overall"]] == pytest.approx(expected, nan_ok=True)
    assert table.at["cmrc_mixup", "average"] == pytest.approx((14.67 + 5.31) / 2)
    assert table.at["factrecall_en", "average"] == 9.25
    assert [*table.loc["cmrc_mixup", ["16k", "32k"]]] == [14.67, 3.33]


# The tab


def list_shown_steps(paths: list[str] | None, language: str = "en") -> list[dict[str, Any]]:
    """Score files, or the example if there are none, and return what the tab shows in each step.

    A step maps the ids of components to their values. The value of a download is its name and its
    content, because the file is deleted afterwards.
    """

    with gr.Blocks() as page, speaking(language):
        lv_eval_tab.build(language)
    functions = [event.fn for event in page.fns.values() if event.fn]
    score = next(function for function in functions if function.__name__ == "score")

    async def collect_shown() -> list[Any]:
        found: list[Any] = []
        async for step in score(VISITOR, paths):  # type: ignore[attr-defined]
            if all(value == gr.skip() for value in step.values()):
                return found
            named = {key.elem_id or key: value for key, value in step.items()}
            downloads = {
                key: Path(named[key]) for key in named if str(key)[3:] in lv_eval_tab.WRITERS
            }
            found.append(
                named | {key: (path.name, path.read_bytes()) for key, path in downloads.items()}
            )
        return found

    return asyncio.run(collect_shown())


def test_the_example_is_scored_shown_and_offered_for_download() -> None:
    steps = list_shown_steps(None)
    assert "Reading the files" in steps[0]["lv-results"]
    assert (steps[0]["lv-cancel"]["interactive"], steps[-1]["lv-cancel"]["interactive"]) == (
        True,
        False,
    )
    result = steps[-1]["lv-results"]
    for words in ("A made-up example", "Rows: 56", "24 of 55 files are there", "LV-Eval has 200"):
        assert words in result
    found = score_officially(
        {path.name: path.read_bytes() for path in lv_eval_tab.EXAMPLE.iterdir()}
    )
    for form, write in lv_eval_tab.WRITERS.items():
        assert steps[-1][f"lv-{form}"] == (f"made_up_result.{form}", write(found).encode())
    assert steps[-1]["lv-signed"]["value"].splitlines() == found.signatures
    assert steps[-1]["lv-plot"]["visible"]
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
    secret = "".join(["a text ", "of the visitor"])
    expected = {
        "pip install jieba": ImportError("Chinese text needs jieba: pip install jieba==0.42.1")
    }
    for message, error in (expected | {"could not be scored (KeyError)": KeyError(secret)}).items():
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
    (example,) = [
        block
        for block in re.findall(r"```python\n(.*?)```", card, re.S)
        if "load_dataset(" in block
    ]
    script = doctest.script_from_examples(example)
    code = script[script.index("from datasets import") :]
    rows = [
        {"answers": [answer], "answer_keywords": answer.split()[-1]}
        for answer in ("in Canada", "x")
    ]
    folder = "hotpotwikiqa_mixup/hotpotwikiqa_mixup"
    files = {
        f"{folder}_16k.jsonl": encode_predictions(*rows),
        f"{folder}_32k.jsonl": encode_predictions(*rows * 9),
    }
    (archive,) = register_files(tmp_path, {"data.zip": zip_files(files)})
    address = re.findall(r'"(https://[^"]*)"', code)
    assert address == [
        "https://huggingface.co/datasets/Infinigence/LVEval/resolve/main/hotpotwikiqa_mixup.zip"
    ]
    found: dict[str, Any] = {"lv_eval_f1": load("lv_eval_f1")}
    exec(code.replace(address[0], archive), found)
    assert found["rows"].num_rows == 2
    assert found["result"]["lv_eval_f1"] == 0.5
