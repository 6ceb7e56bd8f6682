"""The official LV-Eval result without a browser: reading prediction files, scores, writers, the published figures."""

from __future__ import annotations

import asyncio
import base64
import doctest
import importlib
import io
import json
import random
import re
import sys
import threading
import zipfile
from collections.abc import Callable, Iterator, Sequence
from html.parser import HTMLParser
from pathlib import Path
from statistics import fmean
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.processes import until
from tests.support.project import ROOT, functions, load, shared_rows

SPACE = ROOT / "spaces" / "answer_lens"
sys.path.insert(0, str(SPACE))

from lens import words  # noqa: E402
from lens.lv_eval import example as lvexample  # noqa: E402
from lens.lv_eval import export as lvwrite  # noqa: E402
from lens.lv_eval import official_result as lveval  # noqa: E402
from lens.lv_eval import predictions as lvfile  # noqa: E402
from lens.lv_eval import published as leaderboard  # noqa: E402
from lens.lv_eval import reading as lvreading  # noqa: E402
from lens.lv_eval import tasks as lvtasks  # noqa: E402
from lens.lv_eval.official_result import Official  # noqa: E402
from lens.lv_eval.reading import BadRun  # noqa: E402
from lens.page import background as running  # noqa: E402
from lens.page import judge_check_tab as checkpage  # noqa: E402
from lens.page import lv_eval_plot as lvplot  # noqa: E402
from lens.page import lv_eval_published as lvcompare  # noqa: E402
from lens.page import lv_eval_results as lvview  # noqa: E402
from lens.page import lv_eval_tab as lvpage  # noqa: E402
from lens.tables.read import Unreadable  # noqa: E402

Row = dict[str, Any]
# Which settings of a module stand for which function of the original, written down once more.
ORIGINALS: dict[str, dict[str, Any] | None] = {
    "hotpotwikiqa_mixup": {"language": "en"},
    "loogle_SD_mixup": {"language": "en"},
    "loogle_CR_mixup": {"language": "en"},
    "loogle_MIR_mixup": {"language": "en"},
    "multifieldqa_en_mixup": {"language": "en"},
    "multifieldqa_zh_mixup": {"language": "zh"},
    "factrecall_en": {"language": "en", "keyword_gate": False},
    "factrecall_zh": {"language": "zh", "keyword_gate": False},
    "cmrc_mixup": {"language": "zh"},
    "lic_mixup": {"language": "zh"},
    "dureader_mixup": None,
}
ENGLISH = "the niagara falls lie between canada and states of america in north king france war year".split()
CHINESE = [
    "尼亚加拉瀑布",
    "加拿大",
    "美国",
    "北京大学",
    "学习",
    "的",
    "和",
    "在",
    "曹雪芹",
    "红楼梦",
    "。",
    "作者",
    "是",
]


def row(pred: Any, answer: Any, gold: Any = None, **more: Any) -> Row:
    """A row as LV-Eval's prediction.py writes it."""
    return {"pred": pred, "answers": [answer], "gold_ans": gold, "input": "?", "all_classes": None, "length": 1} | more


def jsonl(rows: Sequence[Any]) -> bytes:
    """Rows as LV-Eval's prediction.py writes them."""
    return "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in rows).encode("utf-8", "surrogatepass")


def zipped(files: dict[str, bytes]) -> bytes:
    """Files in a zip."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


def sent(files: dict[str, bytes]) -> str:
    """Files as the page sends them."""
    return json.dumps([[name, base64.b64encode(data).decode()] for name, data in files.items()])


def text_of(chance: random.Random, chinese: bool) -> str:
    """A few words at random."""
    words = chance.choices(CHINESE if chinese else ENGLISH, k=chance.randint(0, 12))
    return ("" if chinese else " ").join(words)


def made(seed: int, cells: Sequence[tuple[str, str]], rows: int = 7) -> dict[str, bytes]:
    """Prediction files with texts at random: some without keywords, some without the field, some with more answers."""
    chance = random.Random(seed)
    files = {}
    for dataset, length in cells:
        chinese = lvtasks.TASKS[dataset].metric.language == "zh"
        found = []
        for _ in range(rows):
            answer = text_of(chance, chinese)
            pred = answer if chance.random() < 0.2 else text_of(chance, chinese)
            gold = chance.choice([None, "", chance.choice(CHINESE[:5] if chinese else ENGLISH[6:])])
            one = row(pred, answer, gold, answers=[answer, pred])
            if chance.random() < 0.2:
                del one["gold_ans"]
            found.append(one)
        files[f"{dataset}_{length}.jsonl"] = jsonl(found)
    return files


def peer(folder: Path) -> tuple[bytes, bytes]:
    """result.json and result.csv by a slow, obvious way: the pure functions of the modules, row by row, and pandas."""
    import pandas

    def order(name: str) -> tuple[list[str], int]:
        numbers = re.findall("[0-9]+", name)
        return re.findall("[A-Za-z]+", name), int(numbers[0]) if numbers else 0

    scores: dict[str, float] = {}
    table: dict[str, dict[str, Any]] = {}
    for name in sorted((path.name for path in folder.glob("*.jsonl")), key=order):
        stem = name.removesuffix(".jsonl")
        dataset, _, length = stem.rpartition("_")
        total, count = 0.0, 0
        for line in (folder / name).read_text("utf-8").splitlines():
            one = json.loads(line)
            setting = ORIGINALS[dataset]
            if setting is None:
                score = functions("lv_eval_rouge").score(one["pred"], one["answers"][0])
            else:
                score = functions("lv_eval_f1").score(one["pred"], one["answers"][0], one.get("gold_ans"), **setting)
            total, count = total + score, count + 1
        scores[stem] = round(100 * total / count, 2)
        table.setdefault(dataset, {"dataset_name": dataset})[length] = scores[stem]
    text = json.dumps(scores, indent=4, ensure_ascii=False)
    return text.encode(), pandas.DataFrame(list(table.values())).to_csv(index=False).encode()


def in_folder(folder: Path, files: dict[str, bytes]) -> Path:
    """Files on the disk."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return folder


EVERY_CELL = [(dataset, length) for dataset in lvtasks.DATASETS for length in lvtasks.LENGTHS]


# Scores and files


@pytest.mark.parametrize("seed", range(4))
def test_result_files_are_byte_for_byte_what_the_original_writes(tmp_path: Path, seed: int) -> None:
    cells = EVERY_CELL if seed == 0 else random.Random(seed).sample(EVERY_CELL, 4 * seed)
    folder = in_folder(tmp_path / "run", made(seed, cells))
    (folder / "notes.txt").write_text("not read")
    (folder / "folder.jsonl").mkdir()
    assert lveval.command(folder) == 0
    (folder / "folder.jsonl").rmdir()
    written = [(folder / "eval_result" / name).read_bytes() for name in ("result.json", "result.csv")]
    assert written == list(peer(folder))
    assert any(b"." in part for part in written)


def test_missing_cells_are_empty_and_columns_follow_the_first_appearance() -> None:
    cells = [("lic_mixup", "64k"), ("cmrc_mixup", "256k"), ("lic_mixup", "16k"), ("dureader_mixup", "16k")]
    found = lveval.official(lvfile.read(list(made(1, cells).items())))
    lines = lvwrite.result_csv(found).splitlines()
    assert lines[0] == "dataset_name,256k,16k,64k"
    assert [line.split(",")[0] for line in lines[1:]] == ["cmrc_mixup", "dureader_mixup", "lic_mixup"]
    assert lines[1].endswith(",,")
    assert found.score("cmrc_mixup", "16k") is None


def test_a_score_worked_by_hand() -> None:
    rows = [row("He was born in Paris and was raised there", "She was born in Paris", "Paris"), row("", "x", "x")]
    rows.append(row("The falls lie in Mexico", "The falls lie in Canada", "Canada"))
    found = lveval.official(lvfile.read([("loogle_SD_mixup_16k.jsonl", jsonl(rows))]))
    assert found.score("loogle_SD_mixup", "16k") == round(100 * (4 / 7) / 3, 2) == 19.05
    plain = lveval.official(lvfile.read([("factrecall_en_16k.jsonl", jsonl(rows[2:]))]))
    assert plain.score("factrecall_en", "16k") == 75.0


def test_only_the_first_answer_counts() -> None:
    rows = [row("b", "a", None, answers=["a", "b"])]
    for name in ("loogle_CR_mixup_16k.jsonl", "dureader_mixup_16k.jsonl"):
        assert list(lveval.official(lvfile.read([(name, jsonl(rows))])).scores.values()) == [0.0]


def test_the_sum_is_a_plain_running_one(monkeypatch: pytest.MonkeyPatch) -> None:
    scores = [0.1] * 10 + [1e-17] * 3
    monkeypatch.setattr(lveval, "CHUNK_ROWS", 4)
    asked: list[int] = []

    class Fake:
        def compute(self, predictions: list[str], **_: Any) -> dict[str, Any]:
            start = sum(asked)
            asked.append(len(predictions))
            part = scores[start : start + len(predictions)]
            return {"per_example": [{"score": one, "note": None} for one in part], "signature": "s"}

    rounded: list[float] = []
    monkeypatch.setattr(lveval, "loaded", lambda metric: Fake())

    def noted(value: float, digits: int) -> float:
        rounded.append(value)
        return value

    monkeypatch.setattr(lveval, "round", noted, raising=False)
    lveval.official(lvfile.read([("cmrc_mixup_16k.jsonl", jsonl([row("x", "y")] * 13))]))
    total = 0.0
    for one in scores:
        total += one
    assert asked == [4, 4, 4, 1]
    assert rounded == [100 * total / 13]
    assert total != 1.0


def test_the_originals_own_scores_row_by_row(tmp_path: Path) -> None:
    datasets = {
        "qa_f1_score_with_gold_ans": "hotpotwikiqa_mixup",
        "qa_f1_score": "factrecall_en",
        "qa_f1_zh_score_with_gold_ans": "cmrc_mixup",
        "qa_f1_zh_score": "factrecall_zh",
        "rouge_zh_score_blacklist": "dureader_mixup",
    }
    scored: dict[str, list[float]] = {name: [] for name in datasets}
    files: dict[str, list[Row]] = {name: [] for name in datasets}
    for one in shared_rows("conformance/lv_eval.jsonl"):
        if one["score"] is not None:
            scored[one["metric"]].append(one["score"])
            files[one["metric"]].append(row(one["prediction"], one["reference"], one["answer_keywords"]))
    run = {f"{datasets[name]}_32k.jsonl": jsonl(rows) for name, rows in files.items()}
    found = lveval.official(lvreading.from_disk(in_folder(tmp_path / "run", run)))
    assert sum(found.rows.values()) == 4800
    for name, dataset in datasets.items():
        total = 0.0
        for score in scored[name]:
            total += score
        assert found.score(dataset, "32k") == round(100 * total / len(scored[name]), 2)


def test_averages_are_those_of_the_rounded_scores() -> None:
    found = lveval.official(lvfile.read(list(made(5, EVERY_CELL, 3).items())))
    assert found.complete
    for length in lvtasks.LENGTHS:
        column = [found.scores[dataset, length] for dataset in lvtasks.DATASETS]
        assert found.average(lengths=(length,)) == fmean(column)
    assert found.average(("lic_mixup",)) == fmean(found.scores["lic_mixup", length] for length in lvtasks.LENGTHS)
    assert found.average(lvtasks.MULTI_HOP) == fmean(found.scores[c] for c in EVERY_CELL if c[0] in lvtasks.MULTI_HOP)
    assert len(lvtasks.SINGLE_HOP) == 6
    assert len(lvtasks.MULTI_HOP) == 5


def figures(*cells: tuple[str, str, float]) -> Official:
    """A result with these scores."""
    scores = {(dataset, length): score for dataset, length, score in cells}
    keys = {cell: "_".join(cell) for cell in scores}
    return Official(keys, scores, dict.fromkeys(scores, 2), {lvtasks.EN_GATED: "lv_eval_f1|v:1_2"})


def test_what_has_no_file_has_no_average_and_is_never_0() -> None:
    found = figures(("cmrc_mixup", "16k", 10.0), ("lic_mixup", "16k", 20.0), ("cmrc_mixup", "32k", 0.0))
    assert found.average(lengths=("16k",)) == 15.0
    assert found.average(("cmrc_mixup",)) == 5.0
    assert found.average(lvtasks.MULTI_HOP, ("32k",)) is None
    assert not found.complete
    text = lvwrite.markdown(found)
    assert "| lic_mixup | 20.00 | – | – | – | – | 20.00 |" in text
    assert "| cmrc_mixup | 10.00 | 0.00 | – | – | – | 5.00 |" in text
    assert "| **Overall average** | **15.00** | **0.00** | **–** | **–** | **–** | **10.00** |" in text
    assert "3 of 55 files" in text
    assert "`lv_eval_f1|v:1_2`" in text


def test_long_chinese_texts_get_their_true_score() -> None:
    long = "".join(chr(0x4E00 + n) for n in range(3000))
    found = lveval.official(lvfile.read([("dureader_mixup_256k.jsonl", jsonl([row(long, long)]))]))
    assert found.score("dureader_mixup", "256k") == 100.0


def test_rows_at_which_the_original_divides_by_zero_are_counted() -> None:
    files = {
        "cmrc_mixup_16k.jsonl": jsonl([row("北京", "北京", "。"), row("北京", "。", None), row("x", "", None)]),
        "lic_mixup_16k.jsonl": jsonl([row("北京", "北京", "北京")]),
        "loogle_SD_mixup_16k.jsonl": jsonl([row("x", "x", "the ..."), row("x", "x", "")]),
        "factrecall_en_16k.jsonl": jsonl([row("x", "x", "...")]),
    }
    found = lveval.official(lvfile.read(list(files.items())))
    assert found.unlike == 3


def test_progress_is_told_before_the_first_row_and_after_each_chunk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lveval, "CHUNK_ROWS", 3)
    steps: list[lveval.Step] = []
    files = made(2, [("factrecall_en", "16k"), ("lic_mixup", "32k")])
    lveval.official(lvfile.read(list(files.items())), steps.append)
    assert [(step.number, step.files, step.done, step.rows) for step in steps] == [
        (number, 2, done, 7) for number in (1, 2) for done in (0, 3, 6, 7)
    ]


@given(st.lists(st.integers(0, 400), min_size=1, max_size=40), st.integers(1, 7), st.integers(1, 500))
def test_chunks_are_all_rows_once_and_bounded(lengths: list[int], rows: int, characters: int) -> None:
    texts = ["x" * length for length in lengths]
    file = lvfile.Predictions("n", "k", "cmrc_mixup", "16k", texts, [""] * len(texts), [""] * len(texts))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lveval, "CHUNK_ROWS", rows)
        patch.setattr(lveval, "CHUNK_CHARACTERS", characters)
        parts = list(lveval.chunks(file))
    assert [n for start, end in parts for n in range(start, end)] == list(range(len(texts)))
    for start, end in parts:
        assert end - start <= rows
        assert sum(lengths[start : end - 1]) < characters


# Reading


def test_a_zip_a_folder_and_the_page_give_the_same(tmp_path: Path) -> None:
    files = made(3, EVERY_CELL[::7])
    folder = in_folder(tmp_path / "run", files)
    deep = {f"outputs/model/{name}": data for name, data in reversed(files.items())}
    extra = {
        "__MACOSX/outputs/._x_16k.jsonl": b"\0",
        "outputs/.DS_Store": b"",
        "outputs/eval_result/result.json": b"{}",
    }
    archive = tmp_path / "run.zip"
    archive.write_bytes(zipped(deep | extra | {"outputs/model/._cmrc_mixup_16k.jsonl": b"\0"}))
    expected = lvreading.from_disk(folder)
    assert lvreading.from_disk(archive) == expected
    assert lvreading.from_page(sent(files)) == expected
    assert lvreading.from_page(sent({"RUN.ZIP": archive.read_bytes()})) == expected
    assert lveval.command(archive) == 0
    assert lveval.command(folder, tmp_path / "out") == 0
    for name in ("result.json", "result.csv"):
        assert (tmp_path / "run" / "eval_result" / name).read_bytes() == (tmp_path / "out" / name).read_bytes()


HOSTILE = [
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
    "=1+1",
    '"',
    "{}",
]


def test_texts_are_read_as_they_stand() -> None:
    rows = [row(text, text, text, input="x" * 10) for text in HOSTILE]
    escaped = "".join(json.dumps(one) + "\r\n" for one in rows).encode()
    for data in (escaped, b"\xef\xbb\xbf" + escaped.replace(b"\r\n", b"\r"), b"\n \n" + escaped):
        (found,) = lvreading.from_page(sent({"cmrc_mixup_16k.jsonl": data}))
        assert found.predictions == found.references == found.keywords == HOSTILE


NAME = "cmrc_mixup_16k.jsonl"
GOOD = row("北京", "北京", "北京")
WRONG: list[tuple[dict[str, bytes], str]] = [
    ({}, "none ends in .jsonl"),
    ({NAME: b""}, f"{NAME} has no rows"),
    ({NAME: b"\n\n"}, f"{NAME} has no rows"),
    ({NAME: jsonl([GOOD]) + b"[1, 2]\n"}, f"{NAME}, line 2, is [1, 2]; a JSON object"),
    ({NAME: jsonl([GOOD]) + b"\n\nnull\n"}, f"{NAME}, line 4, is null; a JSON object"),
    ({NAME: jsonl([GOOD]) + b'{"pred": \n'}, f"{NAME}, line 2, is not JSON: it breaks off at sign 10"),
    ({NAME: b"[" * 100_000}, f"{NAME}, line 1, is nested too deeply"),
    ({NAME: jsonl([GOOD, {"answers": ["x"]}])}, f"{NAME}, line 2, has no pred"),
    ({NAME: jsonl([GOOD, {"pred": "x"}])}, f"{NAME}, line 2, has no answers"),
    ({NAME: jsonl([row(None, "x")])}, "line 1: pred is null; a text"),
    ({NAME: jsonl([row(["y" * 200], "x")])}, f'line 1: pred is ["{"y" * 78}…; a text'),
    ({NAME: jsonl([row("x", 5)])}, "line 1: answers is [5]; a list that begins with a text"),
    ({NAME: jsonl([row("x", "x", answers=[])])}, "line 1: answers is []; a list"),
    ({NAME: jsonl([row("x", "x", answers="x")])}, 'line 1: answers is "x"; a list'),
    ({NAME: jsonl([GOOD, row("x", "x", ["x"])])}, 'line 2: gold_ans is ["x"]; a text or null'),
    ({NAME: '{"pred": "\n'.encode("latin-1") + b"\xe9"}, f"{NAME} is not in UTF-8 (line 2"),
    ({"results.jsonl": jsonl([GOOD])}, "results.jsonl is no prediction file"),
    ({"cmrc_16k.jsonl": jsonl([GOOD])}, "cmrc_16k.jsonl is no prediction file"),
    ({"CMRC_mixup_16k.jsonl": jsonl([GOOD])}, "is no prediction file"),
    ({"cmrc_mixup_16k.json": jsonl([GOOD])}, "is no prediction file"),
    ({"cmrc_mixup_8k.jsonl": jsonl([GOOD])}, "should end in a length of LV-Eval (16k, 32k, 64k, 128k, 256k)"),
    ({"cmrc_mixup_16k_gpt.jsonl": jsonl([GOOD])}, "should end in a length"),
    ({NAME: jsonl([GOOD]), "cmrc_mixup_16k.v2.jsonl": jsonl([GOOD])}, "are both cmrc_mixup at 16k"),
    ({"a.zip": b"PK\3\4 none"}, "no zip that can be read"),
    ({"a.zip": zipped({"b.zip": zipped({NAME: jsonl([GOOD])})})}, "b.zip: a zip inside the zip"),
    ({"a.zip": zipped({f"x/{NAME}": jsonl([GOOD]), f"y/{NAME}": jsonl([GOOD])})}, f"{NAME} stands in the zip twice"),
    ({"a.zip": zipped({"readme.txt": b"x"})}, "none ends in .jsonl"),
    ({"a.zip": zipped({NAME: b""})}, f"{NAME} has no rows"),
    ({"a.zip": zipped({NAME: jsonl([GOOD])}), NAME: jsonl([GOOD])}, "a.zip is a zip among other files"),
]


@pytest.mark.parametrize(("files", "words"), WRONG, ids=[words[:40] for _, words in WRONG])
def test_what_cannot_be_scored_is_said_with_file_line_and_value(
    files: dict[str, bytes], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lveval, "fresh_module", lambda name: pytest.fail("something is scored"))
    with pytest.raises(BadRun, match=re.escape(words)):
        lvreading.from_page(sent(files))
    place = in_folder(tmp_path / "run", {name: data for name, data in files.items() if not name.endswith(".json")})
    if "a.zip" in files and len(files) == 1:
        place = place / "a.zip"
    elif "among other files" in words or "16k.json is" in words or words == "is no prediction file":
        return  # in a folder other files do not count
    with pytest.raises(BadRun, match=re.escape(words)):
        lveval.command(place)
    assert not (tmp_path / "run" / "eval_result").exists()


def encrypted() -> bytes:
    """A zip whose one file is said to be encrypted."""
    data = bytearray(zipped({NAME: jsonl([GOOD])}))
    for mark, offset in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        data[data.index(mark) + offset] |= 1
    return bytes(data)


def damaged() -> bytes:
    """A zip whose one file has another checksum than it says."""
    data = bytearray(zipped({NAME: jsonl([GOOD] * 9)}))
    data[data.index(b"PK\1\2") + 16] ^= 1
    return bytes(data)


def unknown_packing() -> bytes:
    """A zip whose one file is packed in a way that nobody knows."""
    data = bytearray(zipped({NAME: jsonl([GOOD])}))
    for mark, offset in ((b"PK\3\4", 8), (b"PK\1\2", 10)):
        data[data.index(mark) + offset] = 77
    return bytes(data)


@pytest.mark.parametrize(
    ("make", "words"), [(encrypted, "is encrypted"), (damaged, "is damaged"), (unknown_packing, "is damaged")]
)
def test_zips_that_cannot_be_opened_are_refused(make: Callable[[], bytes], words: str) -> None:
    with pytest.raises(BadRun, match=words):
        lvreading.from_page(sent({"a.zip": make()}))


def said_of(files: list[tuple[str, bytes]]) -> str:
    """The message of files that cannot be read, or how many rows there are."""
    try:
        found = lvfile.read(files, limited=True)
    except Unreadable as error:
        return words.TABLES["en"][error.problem].format(**error.values)
    return f"{sum(len(file.predictions) for file in found)} rows"


@pytest.mark.parametrize("seed", range(30))
def test_a_broken_zip_is_never_more_than_a_message(seed: int) -> None:
    chance = random.Random(seed)
    data = bytearray(zipped(made(0, EVERY_CELL[:2])))
    for _ in range(chance.randint(1, 30)):
        data[chance.randrange(len(data))] = chance.randrange(256)
    assert said_of([("a.zip", bytes(data))])


@settings(max_examples=200)
@given(st.binary(max_size=60) | st.text(max_size=60).map(lambda text: text.encode("utf-8", "replace")))
def test_no_file_brings_about_more_than_a_message(data: bytes) -> None:
    assert said_of([(NAME, data)])


@pytest.mark.parametrize(
    ("limit", "most", "problem", "values"),
    [
        ("MAX_ROWS", 5, "lv_rows", {"limit": 5}),
        ("MAX_TEXT", 1, "lv_text", {"file": NAME, "line": 1, "length": 2, "limit": 1}),
        ("MAX_CHARACTERS", 20, "lv_characters", {"limit": 20}),
        ("MAX_FILES", 0, "lv_files", {"limit": 0}),
        ("MAX_BYTES", 100, "lv_bytes", {"limit": 0}),
    ],
)
def test_each_limit_names_itself(
    monkeypatch: pytest.MonkeyPatch, limit: str, most: int, problem: str, values: dict[str, Any]
) -> None:
    text = sent({NAME: jsonl([GOOD] * 7)}).encode()
    assert len(lvfile.read(lvfile.sent(text), limited=True)[0].predictions) == 7
    monkeypatch.setattr(lvfile, limit, most)
    with pytest.raises(Unreadable) as refused:
        lvfile.read(lvfile.sent(text), limited=True)
    assert (refused.value.problem, refused.value.values) == (problem, values)
    assert f"{most}" in words.TABLES["en"][problem].format(**values) or limit == "MAX_BYTES"


def test_ones_own_files_have_no_limit(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for limit in ("MAX_ROWS", "MAX_TEXT", "MAX_CHARACTERS", "MAX_FILES", "MAX_BYTES", "MAX_UNPACKED"):
        monkeypatch.setattr(lvfile, limit, 0)
    archive = tmp_path / "a.zip"
    archive.write_bytes(zipped({NAME: jsonl([GOOD] * 7)}))
    assert len(lvreading.from_disk(archive)[0].predictions) == 7


def test_bombs_are_contained() -> None:
    space = zipped({NAME: b" " * 300_000_000})
    assert len(space) < 1_000_000
    with pytest.raises(BadRun, match="larger than 40 MB"):
        lvreading.from_page(sent({"a.zip": space}))
    several = {f"{d}_{n}.jsonl": b"\n" * 9_000_000 for d, n in EVERY_CELL[:6]}
    with pytest.raises(BadRun, match="larger than 40 MB"):
        lvreading.from_page(sent({"a.zip": zipped(several)}))
    nested = zipped({NAME: b'{"pred": ' + b'{"a":' * 6_000_000})
    with pytest.raises(BadRun, match="nested too deeply"):
        lvreading.from_page(sent({"a.zip": nested}))
    with pytest.raises(BadRun, match="memory or time"):
        lvreading.from_page(sent({"a.zip": zipped({NAME: b'{"pred": [' + b"{}," * 13_000_000 + b"{}]}"})}))


def test_what_a_page_would_never_send_is_refused() -> None:
    for text in ("", "[", "{}", "5", '[["a"]]', '[["a", "%"]]', '[["a", 5]]', '[["a", "YQ"]]', "\ud800", "null"):
        with pytest.raises(BadRun, match=r"did not arrive whole|no prediction file|none ends"):
            lvreading.from_page(text)
    with pytest.raises(BadRun, match="at most 10 MB"):
        lvreading.from_page(sent({NAME: b"x" * 10_000_001}))
    with pytest.raises(BadRun, match="at most 10 MB"):
        lvreading.from_page("x" * 20_000_000)


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("raise SystemExit(3)", "could not be scored (3)"),
        ("1", "memory or time"),
        ("while True: pass", "memory or time"),
    ],
)
def test_a_reader_that_breaks_or_takes_long_is_said(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, source: str, words: str
) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text(source, "utf-8")
    monkeypatch.setattr(lvreading, "READER", (str(broken),))
    monkeypatch.setattr(lvreading, "WAIT_SECONDS", 2)
    with pytest.raises(BadRun, match=re.escape(words)):
        lvreading.from_page("[]")


def test_the_reader_gets_no_key_of_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    nosy = tmp_path / "nosy.py"
    source = "import json, os; print(json.dumps({'problem': 'lv_no_folder', 'values': {'path': sorted(os.environ)}}))"
    nosy.write_text(source, "utf-8")
    monkeypatch.setattr(lvreading, "READER", (str(nosy),))
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    with pytest.raises(BadRun) as said:
        lvreading.from_page("[]")
    assert "PATH" in str(said.value)
    assert "OPENAI_API_KEY" not in str(said.value)


# The terminal


def test_the_terminal_shows_progress_and_the_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = in_folder(tmp_path / "run", made(4, [("cmrc_mixup", "16k"), ("lic_mixup", "128k")]))
    assert lveval.command(str(folder)) == 0
    told = capsys.readouterr()
    assert told.err.splitlines() == [
        "1 of 2: cmrc_mixup_16k.jsonl, 7 rows",
        "2 of 2: lic_mixup_128k.jsonl, 7 rows",
    ]
    table = told.out.splitlines()
    assert table[0].split() == ["Dataset", "16k", "32k", "64k", "128k", "256k", "Average"]
    assert len({len(line) for line in table[:15]}) == 1
    assert "Files whose number of rows is not LV-Eval’s: 2." in told.out
    assert "lv_eval_f1|version:" in told.out
    assert str(folder / "eval_result") in told.out


def test_places_that_cannot_be_read_or_written_are_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(BadRun, match="neither a folder nor a zip"):
        lveval.command(tmp_path / "nothing")
    with pytest.raises(BadRun, match="cannot be read: No such file"):
        lveval.command(tmp_path / "nothing.zip")
    folder = in_folder(tmp_path / "run", made(4, [("cmrc_mixup", "16k")]))
    (folder / "eval_result").write_text("in the way")
    with pytest.raises(BadRun, match="cannot be written"):
        lveval.command(folder)
    assert "cmrc_mixup" in capsys.readouterr().out


def test_a_metric_that_is_not_there_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    files = lvfile.read([(NAME, jsonl([GOOD]))])

    def missing(name: str) -> Any:
        raise ImportError("Chinese text needs jieba: pip install jieba==0.42.1")

    monkeypatch.setattr(lveval, "fresh_module", missing)
    with pytest.raises(BadRun, match="pip install jieba"):
        lveval.official(files)


# Tables


def test_latex_has_no_bare_special_and_ends_what_it_begins() -> None:
    text = lvwrite.latex(figures(("cmrc_mixup", "16k", 10.0), ("lic_mixup", "256k", 0.0)))
    assert r"cmrc\_mixup & 10.00 & {--} & {--} & {--} & {--} & 10.00 \\" in text
    assert r"\textbf{Overall average}" in text
    assert text.count("{") == text.count("}")
    assert re.findall(r"\\(begin|end)\{(\w+)\}", text) == [
        ("begin", "table"),
        ("begin", "tabular"),
        ("end", "tabular"),
        ("end", "table"),
    ]
    body = text.partition("\n")[2]
    assert not re.search(r"(?<!\\)[_%#$^~|]", body)
    for rule in ("toprule", "bottomrule"):
        assert body.count(rule) == 1
    rows = [line for line in body.splitlines() if line.endswith(r"\\")]
    assert {line.replace(r"\&", "").count("&") for line in rows} == {6}
    assert len(rows) == 1 + 11 + 3


def test_chinese_tables_are_aligned_and_have_the_same_figures() -> None:
    from lens.words import speaking

    found = figures(("cmrc_mixup", "16k", 10.0))
    with speaking("zh"):
        text = lvwrite.plain(found)
        assert "总平均" in lvwrite.markdown(found)
    assert len({lvwrite.width(line) for line in text.splitlines()[:15]}) == 1


# The published figures


def test_the_published_averages_agree_with_the_published_scores() -> None:
    off = []
    for model in leaderboard.MODELS:
        scores = leaderboard.PUBLISHED[model]
        for length in lvtasks.LENGTHS:
            mean = fmean(scores[dataset][length] for dataset in lvtasks.DATASETS)
            assert mean == pytest.approx(leaderboard.OVERALL[model][length], abs=0.011)
        for dataset in lvtasks.DATASETS:
            mean = fmean(scores[dataset].values())
            if abs(mean - leaderboard.AVERAGES[model][dataset]) > 0.011:
                off.append((model, dataset))
    assert tuple(off) == leaderboard.INCONSISTENT


def test_the_published_figures_are_all_there() -> None:
    assert len(leaderboard.MODELS) == 10
    for model in leaderboard.MODELS:
        assert tuple(leaderboard.PUBLISHED[model]) == lvtasks.DATASETS
        for dataset in lvtasks.DATASETS:
            assert tuple(leaderboard.PUBLISHED[model][dataset]) == lvtasks.LENGTHS
    assert leaderboard.PUBLISHED["ChatGLM3-6B-32k"]["factrecall_en"]["256k"] == 12.5
    assert leaderboard.PUBLISHED["GPT-4-8k"]["lic_mixup"]["16k"] == 13.69
    assert leaderboard.PUBLISHED["Yi-6B-200k"]["loogle_MIR_mixup"]["32k"] == 7.67
    assert leaderboard.OVERALL["GPT-4-8k"]["256k"] == 2.54


# Words


@pytest.mark.parametrize("module", [lvtasks, lvwrite])
def test_examples_in_the_code_run(module: Any) -> None:
    result = doctest.testmod(module)
    assert result.failed == 0
    assert result.attempted > 0


# HTML


class Elements(HTMLParser):
    """Collects what is shown and what elements there are; each is closed in its turn."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        assert not any(name.startswith("on") for name, _ in attrs)
        if tag not in ("wbr", "line", "polyline"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data

    def tags(self, name: str) -> list[dict[str, str | None]]:
        """The attributes of the elements with a name."""
        return [attributes for tag, attributes in self.found if tag == name]


MARKUP = '<img src=x onerror="window.broken=1">\'&amp;</section>'


def everything(value: float = 50.0) -> Official:
    """A whole result, all of it the same score, with LV-Eval's numbers of rows."""
    found = figures(*((dataset, length, value) for dataset, length in EVERY_CELL))
    rows = {cell: lvtasks.TASKS[cell[0]].rows for cell in EVERY_CELL}
    return Official(found.keys, found.scores, rows, found.signatures)


def test_names_of_files_are_escaped() -> None:
    for html in (
        lvview.draw_message(f"{MARKUP}_16k.jsonl is no prediction file", "refused"),
        lvview.draw_progress(lveval.Step(MARKUP, 2, 4, 5, 10)),
    ):
        found = Elements(html)
        assert MARKUP in found.text
        assert not found.tags("img")
    bar = Elements(lvview.draw_progress(lveval.Step("n", 2, 4, 5, 10))).tags("div")
    assert [one["aria-valuenow"] for one in bar if "aria-valuenow" in one] == ["38"]


def test_what_is_shown_of_a_whole_and_of_a_part() -> None:
    whole = Elements(lvview.draw_result(everything(), False)).text
    assert "All eleven datasets at all five lengths." in whole
    assert "55 files, 8,645 rows" in whole
    for told in ("are there", "made-up", "does not have all", "Which files"):
        assert told not in whole
    part = Elements(lvview.draw_result(figures(("cmrc_mixup", "16k", 10.0)), True)).text
    for told in ("1 of 55 files are there", "made-up example", "cmrc_mixup, 16k: 2 rows; LV-Eval has 200"):
        assert told in part
    assert "does not have all datasets at every length" in part


def test_downloads_hold_the_files() -> None:
    found = everything()
    for made_up, names in ((False, "result."), (True, "made_up_result.")):
        links = Elements(lvview.draw_downloads(found, made_up)).tags("a")
        texts = [base64.b64decode((one["href"] or "").partition(",")[2]).decode() for one in links]
        assert [one["download"] for one in links] == [names + end for end in ("json", "csv", "md", "tex")]
        assert texts == [f(found) for f in (lvwrite.result_json, lvwrite.result_csv, lvwrite.markdown, lvwrite.latex)]


def test_a_whole_run_is_compared_with_the_published_figures_themselves() -> None:
    rows = dict(lvcompare.standings(everything(5.0), "mine"))
    assert len(rows) == 11
    assert rows["mine"] == [5.0] * 6
    for model in leaderboard.MODELS:
        assert list(rows[model])[:5] == list(leaderboard.OVERALL[model].values())
    order = [row[-1] for row in rows.values()]
    assert order == sorted(order, key=lambda value: -(value or 0))
    assert lvcompare.dataset_average("GPT-4-8k", everything(), "cmrc_mixup") == 5.96


def test_a_part_is_compared_with_the_same_part_of_the_others() -> None:
    found = figures(("cmrc_mixup", "16k", 1.0), ("lic_mixup", "16k", 2.0), ("cmrc_mixup", "64k", 3.0))
    rows = dict(lvcompare.standings(found, "mine"))
    assert rows["mine"] == [1.5, None, 3.0, None, None, 2.0]
    expected = [(14.67 + 13.69) / 2, None, 5.31, None, None, (14.67 + 13.69 + 5.31) / 3]
    assert rows["GPT-4-8k"] == [pytest.approx(one) if one else one for one in expected]
    assert lvcompare.dataset_average("GPT-4-8k", found, "cmrc_mixup") == pytest.approx((14.67 + 5.31) / 2)
    assert lvcompare.dataset_average("GPT-4-8k", found, "factrecall_en") == 9.25


def test_every_model_has_a_table_of_its_own_and_one_is_shown() -> None:
    found = Elements(lvcompare.draw_published(everything(), False))
    shown = [one for one in found.tags("div") if one.get("class") == "lv-compared"]
    assert [one["data-model"] for one in shown if "hidden" not in one] == [lvcompare.EVERY]
    assert [one["value"] for one in found.tags("option")] == [one["data-model"] for one in shown]
    assert len(shown) == 11
    assert "25aebcb" in found.text


def test_lines_of_the_plot_do_not_bridge_what_is_missing() -> None:
    points = lvplot.points_of([4.0, None, 0.0, 8.0, 2.0], 8)
    assert points == [(10.0, 50.0), None, (50.0, 100.0), (70.0, 0.0), (90.0, 75.0)]
    assert [len(run) for run in lvplot.runs(points)] == [1, 3]
    html = lvplot.draw_plot(figures(("cmrc_mixup", "16k", 10.0), ("cmrc_mixup", "64k", 20.0)))
    found = Elements(html)
    assert len([one for one in found.tags("span") if "lv-point" in (one.get("class") or "")]) == 4
    label = next(one["aria-label"] for one in found.tags("div") if one.get("role") == "img")
    assert label == (
        "Single-hop: 16k 10.00, 32k –, 64k 20.00, 128k –, 256k –. Multi-hop: 16k –, 32k –, 64k –, 128k –, 256k –. "
        "All: 16k 10.00, 32k –, 64k 20.00, 128k –, 256k –"
    )


@given(st.lists(st.none() | st.floats(0, 100), min_size=5, max_size=5))
def test_no_point_leaves_the_plot(values: list[float | None]) -> None:
    for point in lvplot.points_of(values, lvplot.top_of(values)):
        assert point is None or (0 <= point[0] <= 100 and 0 <= point[1] <= 100)


# The example and the callback


def test_the_example_is_made_up_small_and_has_something_of_everything() -> None:
    files = lvfile.read(lvfile.sent(lvexample.example_sent().encode()), limited=True)
    found = lveval.official(files)
    assert len(files) == 24
    assert {lvtasks.TASKS[file.dataset].metric for file in files} == {
        lvtasks.EN_GATED, lvtasks.ZH_GATED, lvtasks.EN_PLAIN, lvtasks.ZH_ROUGE
    }  # fmt: skip
    assert not found.complete
    averages = [found.average(lengths=(length,)) or 0.0 for length in lvexample.SHOWN_LENGTHS]
    assert averages == sorted(averages, reverse=True)
    assert "made_up" in lvexample.NAME
    assert lvexample.example_zip.__wrapped__() == lvexample.example_zip()


def steps(*values: Any, session: str = "s", language: str = "en") -> list[Any]:
    """What the callback yields, step by step."""

    async def collect() -> list[Any]:
        return [step async for step in lvpage.respond(*values, language, SimpleNamespace(session_hash=session))]

    return asyncio.run(collect())


def texts_in(found: list[Any]) -> list[str]:
    """The HTML of those steps that have some."""
    return [step[0] for step in found if isinstance(step[0], str)]


def test_a_call_says_that_it_works_and_then_what_came_of_it() -> None:
    found = steps(sent({NAME: jsonl([GOOD])}), "files", "1", session="works")
    assert 'data-state="pending"' in found[0][0]
    assert found[0][1]["interactive"] is True
    assert 'data-state="scored"' in found[-2][0]
    assert found[-2][1]["interactive"] is False
    assert "100.00" in found[-2][0]
    assert texts_in(found[-1:]) == []


@pytest.mark.parametrize(
    ("values", "words"),
    [
        (("", "none", "1"), "No file is chosen"),
        (("", "large", "1"), "at most 10 MB"),
        (("", "many", "1"), "more than 100 files"),
        (("", "unread", "1"), "did not arrive whole"),
        (("", "files", "1"), "did not arrive whole"),
        (("[]", "files", "1"), "none ends in .jsonl"),
        ((None, ["x"], {}), "did not arrive whole"),
    ],
)
def test_calls_without_files_to_score_are_answered_in_words(values: Any, words: str) -> None:
    answer = texts_in(steps(*values, session=repr(values)))[-1]
    assert 'data-state="refused"' in answer
    assert words in answer


def test_the_answer_is_in_the_language_of_the_page() -> None:
    assert "尚未选择文件" in texts_in(steps("", "none", "1", session="zh", language="zh"))[-1]
    assert "总平均" in texts_in(steps("", "example", "2", session="zh", language="zh"))[-1]
    assert "No file is chosen" in texts_in(steps("", "none", "3", session="zh", language="xx"))[-1]


def test_what_a_newer_call_has_overtaken_says_nothing_more() -> None:
    steps("", "none", "5", session="newer")
    assert texts_in(steps("", "none", "4", session="newer")) == []
    assert texts_in(steps("", "none", "4", session="another"))
    lvpage.leave("newer")
    assert texts_in(steps("", "none", "4", session="newer"))


@pytest.mark.parametrize("end", ["cancel", "newer", "leave"])
def test_a_run_ends_at_its_next_rows_when_nobody_waits_for_it(monkeypatch: pytest.MonkeyPatch, end: str) -> None:
    session, gate, went = f"ends by {end}", threading.Event(), threading.Event()
    ended: list[str] = []

    def slow(files: Any, progress: Callable[[lveval.Step], None]) -> Official:
        progress(lveval.Step("first", 1, 1, 0, 2))
        went.set()
        gate.wait(30)
        try:
            progress(lveval.Step("first", 1, 1, 1, 2))
        except lvpage.Ended:
            ended.append(end)
            raise
        return everything()

    async def both_calls() -> list[list[Any]]:
        async def collect(*values: Any) -> list[Any]:
            request = SimpleNamespace(session_hash=session)
            return [step async for step in lvpage.respond(*values, "en", request)]

        first = asyncio.create_task(collect(sent({NAME: jsonl([GOOD])}), "files", "1"))
        while not went.is_set():
            await asyncio.sleep(0.02)
        await asyncio.sleep(0.6)
        if end == "leave":
            lvpage.leave(session)
            second = None
        else:
            second = asyncio.create_task(collect("", "cancel" if end == "cancel" else "none", "2"))
            await asyncio.sleep(0.3)
        gate.set()
        return [await first, await second if second else []]

    monkeypatch.setattr(lvpage, "official", slow)
    first, second = asyncio.run(both_calls())
    assert "Scoring file 1 of 1: first, 0 of 2 rows" in texts_in(first)[-1]
    assert all('data-state="scored"' not in text for text in texts_in(first))
    words = {"cancel": "Cancelled", "newer": "No file is chosen", "leave": ""}[end]
    assert not words or words in texts_in(second)[-1]
    until(lambda: ended == [end])


@pytest.fixture
def blocked() -> Iterator[threading.Event]:
    """All threads of runs wait for this."""
    gate = threading.Event()
    jobs = [lvpage.RUNS.begin(lambda: str(gate.wait(30))) for _ in range(lvpage.MAX_RUNS)]
    yield gate
    gate.set()
    for job in jobs:
        assert job is not None
        job.result(30)


def test_long_runs_hold_up_no_pasted_answer_and_too_many_are_refused(blocked: threading.Event) -> None:
    assert running.WORDS.submit(lambda: "scored").result(10) == "scored"
    check = checkpage.CHECKS.begin(lambda: "checked")
    assert check is not None
    assert check.result(10) == "checked"
    found = steps("", "example", "1", session="busy")
    assert len(found) == 1
    assert "Too many runs" in found[0][0]
    blocked.set()


def test_places_are_free_again_afterwards() -> None:
    for turn in range(2 * lvpage.MAX_RUNS):
        assert "at most 10 MB" in texts_in(steps("", "large", str(turn), session="places"))[-1]


def test_what_goes_wrong_unforeseen_is_said_and_logged_without_a_text(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    secret = "".join(["a text ", "of the visitor"])

    def fail(files: Any, progress: Any) -> Any:
        raise KeyError(secret)

    monkeypatch.setattr(lvpage, "official", fail)
    answer = texts_in(steps(sent({NAME: jsonl([GOOD])}), "files", "1", session="fails"))[-1]
    assert "could not be scored (KeyError)" in answer
    assert "KeyError" in caplog.text
    assert secret not in caplog.text + answer


def test_what_the_page_sends_fits_into_a_request() -> None:
    app = importlib.import_module("lens.page.build")
    names = 900 * lvfile.MAX_FILES
    assert 4 * (lvfile.MAX_BYTES // 3 + 1) + names < lvreading.MAX_SENT < app.MAX_REQUEST_BYTES - 1_000_000


# The card of lv_eval_f1


def test_the_dataset_loads_as_the_card_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import datasets

    # Offline it opens no file in a zip, not even one on this disk.
    monkeypatch.setattr(datasets.config, "HF_HUB_OFFLINE", False)
    card = (ROOT / "metrics" / "lv_eval_f1" / "README.md").read_text("utf-8")
    (example,) = [block for block in re.findall(r"```python\n(.*?)```", card, re.S) if "load_dataset(" in block]
    code = doctest.script_from_examples(example)
    rows: list[Row] = [
        {"answers": ["in Canada"], "answer_keywords": "Canada"},
        {"answers": ["x"], "answer_keywords": "x"},
    ]
    folder = "hotpotwikiqa_mixup/hotpotwikiqa_mixup"
    archive = tmp_path / "data.zip"
    archive.write_bytes(zipped({f"{folder}_16k.jsonl": jsonl(rows), f"{folder}_32k.jsonl": jsonl(rows * 9)}))
    address = re.findall(r'"(https://[^"]*)"', code)
    assert address == ["https://huggingface.co/datasets/Infinigence/LVEval/resolve/main/hotpotwikiqa_mixup.zip"]
    found: dict[str, Any] = {"lv_eval_f1": load("lv_eval_f1")}
    exec(code.replace(address[0], str(archive)), found)
    assert found["rows"].num_rows == 2
    assert found["result"]["lv_eval_f1"] == 0.5
