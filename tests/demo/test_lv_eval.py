"""The official LV-Eval result: reading prediction files, scores, files, the published figures, the tab."""

from __future__ import annotations

import asyncio
import doctest
import io
import json
import random
import re
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any
from unicodedata import east_asian_width

import gradio as gr
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lens.lv_eval import export, official_result, predictions, published, tasks
from lens.lv_eval.official_result import Official, command, scored
from lens.lv_eval.predictions import BadRun, from_disk, from_visitor
from lens.page import lv_eval_tab
from lens.tables.read import Unreadable
from lens.words import say, speaking

from tests.support.project import ROOT, functions, load, shared_rows

Row = dict[str, Any]
EVERY_CELL = [(dataset, length) for dataset in tasks.DATASETS for length in tasks.LENGTHS]
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
CHINESE = "尼亚加拉瀑布 加拿大 美国 北京大学 学习 的 和 在 曹雪芹 红楼梦 。 作者 是".split()
NAME = "cmrc_mixup_16k.jsonl"


def row(pred: Any, answer: Any, gold: Any = None, **more: Any) -> Row:
    """A row as LV-Eval's prediction.py writes it."""
    return {"pred": pred, "answers": [answer], "gold_ans": gold, "input": "?", "all_classes": None, "length": 1} | more


GOOD = row("北京", "北京", "北京")


def jsonl(*rows: Any) -> bytes:
    """Rows as LV-Eval's prediction.py writes them."""
    return "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in rows).encode("utf-8", "surrogatepass")


def zipped(files: dict[str, bytes]) -> bytes:
    """Files in a zip."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


def made(seed: int, cells: Sequence[tuple[str, str]], rows: int = 7) -> dict[str, bytes]:
    """Prediction files with texts at random: some without keywords, some without the field, some with more answers."""
    chance = random.Random(seed)
    files = {}
    for dataset, length in cells:
        chinese = tasks.TASKS[dataset].metric.language == "zh"
        found = []
        for _ in range(rows):
            texts = [chance.choices(CHINESE if chinese else ENGLISH, k=chance.randint(0, 12)) for _ in range(2)]
            answer, other = (("" if chinese else " ").join(words) for words in texts)
            pred = answer if chance.random() < 0.2 else other
            gold = chance.choice([None, "", chance.choice(CHINESE[:5] if chinese else ENGLISH[6:])])
            found.append(row(pred, answer, gold, answers=[answer, pred]))
            if chance.random() < 0.2:
                del found[-1]["gold_ans"]
        files[f"{dataset}_{length}.jsonl"] = jsonl(*found)
    return files


def put(folder: Path, files: dict[str, bytes]) -> list[str]:
    """Files on the disk; their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return [str(folder / name) for name in files]


def official(files: dict[str, bytes]) -> Official:
    """The result of these files."""
    *_, last = scored(predictions.read(list(files.items())))
    return last.result


def peer(folder: Path) -> list[bytes]:
    """result.json and result.csv by a slow, obvious way: the pure functions of the modules, row by row, and pandas."""
    import pandas

    def order(name: str) -> tuple[list[str], int]:
        numbers = re.findall("[0-9]+", name)
        return re.findall("[A-Za-z]+", name), int(numbers[0]) if numbers else 0

    scores: dict[str, float] = {}
    table: dict[str, dict[str, Any]] = {}
    for name in sorted((path.name for path in folder.glob("*.jsonl") if path.is_file()), key=order):
        stem = name.removesuffix(".jsonl")
        dataset, _, length = stem.rpartition("_")
        total, count = 0.0, 0
        for line in (folder / name).read_text("utf-8").splitlines():
            one, setting = json.loads(line), ORIGINALS[dataset]
            if setting is None:
                score = functions("lv_eval_rouge").score(one["pred"], one["answers"][0])
            else:
                score = functions("lv_eval_f1").score(one["pred"], one["answers"][0], one.get("gold_ans"), **setting)
            total, count = total + score, count + 1
        scores[stem] = round(100 * total / count, 2)
        table.setdefault(dataset, {"dataset_name": dataset})[length] = scores[stem]
    text = json.dumps(scores, indent=4, ensure_ascii=False)
    return [text.encode(), pandas.DataFrame(list(table.values())).to_csv(index=False).encode()]


# Scores and files


@pytest.mark.parametrize("seed", range(4))
def test_result_files_are_byte_for_byte_what_the_original_writes(tmp_path: Path, seed: int) -> None:
    cells = EVERY_CELL if seed == 0 else random.Random(seed).sample(EVERY_CELL, 4 * seed)
    files = made(seed, cells)
    put(tmp_path / "run", files | {"notes.txt": b"not read"})
    (tmp_path / "run" / "folder.jsonl").mkdir()
    deep = {f"outputs/model/{name}": data for name, data in reversed(files.items())}
    extra = {"__MACOSX/outputs/._x_16k.jsonl": b"\0", "outputs/.DS_Store": b"", "outputs/result.json": b"{}"}
    put(tmp_path, {"run2.zip": zipped(deep | extra)})
    expected = peer(tmp_path / "run")
    for path, out in (("run", None), ("run2.zip", None), ("run", tmp_path / "elsewhere")):
        assert command(tmp_path / path, out) == 0
        folder = out or tmp_path / path.removesuffix(".zip") / "eval_result"
        assert [(folder / name).read_bytes() for name in ("result.json", "result.csv")] == expected


def test_missing_cells_are_empty_and_columns_follow_the_first_appearance() -> None:
    cells = [("lic_mixup", "64k"), ("cmrc_mixup", "256k"), ("lic_mixup", "16k"), ("dureader_mixup", "16k")]
    found = official(made(1, cells))
    lines = export.result_csv(found).splitlines()
    assert lines[0] == "dataset_name,256k,16k,64k"
    assert [line.split(",")[0] for line in lines[1:]] == ["cmrc_mixup", "dureader_mixup", "lic_mixup"]
    assert lines[1].endswith(",,")
    assert found.score("cmrc_mixup", "16k") is None


def test_scores_worked_by_hand() -> None:
    rows = [row("He was born in Paris and was raised there", "She was born in Paris", "Paris"), row("", "x", "x")]
    rows.append(row("The falls lie in Mexico", "The falls lie in Canada", "Canada"))
    assert official({"loogle_SD_mixup_16k.jsonl": jsonl(*rows)}).scores == {
        ("loogle_SD_mixup", "16k"): round(100 * (4 / 7) / 3, 2)
    }
    assert official({"factrecall_en_16k.jsonl": jsonl(rows[2])}).score("factrecall_en", "16k") == 75.0
    second = jsonl(row("b", "a", answers=["a", "b"]))  # only the first answer counts
    for name in ("loogle_CR_mixup_16k.jsonl", "dureader_mixup_16k.jsonl"):
        assert list(official({name: second}).scores.values()) == [0.0]
    long = "".join(chr(0x4E00 + n) for n in range(3000))
    assert official({"dureader_mixup_256k.jsonl": jsonl(row(long, long))}).score("dureader_mixup", "256k") == 100.0


def test_the_originals_own_scores_row_by_row() -> None:
    datasets = {
        "qa_f1_score_with_gold_ans": "hotpotwikiqa_mixup",
        "qa_f1_score": "factrecall_en",
        "qa_f1_zh_score_with_gold_ans": "cmrc_mixup",
        "qa_f1_zh_score": "factrecall_zh",
        "rouge_zh_score_blacklist": "dureader_mixup",
    }
    totals = dict.fromkeys(datasets, 0.0)
    rows: dict[str, list[Row]] = {name: [] for name in datasets}
    for one in shared_rows("conformance/lv_eval.jsonl"):
        if one["score"] is not None:
            totals[one["metric"]] += one["score"]
            rows[one["metric"]].append(row(one["prediction"], one["reference"], one["answer_keywords"]))
    found = official({f"{datasets[name]}_32k.jsonl": jsonl(*own) for name, own in rows.items()})
    assert sum(found.rows.values()) == 4800
    for name, dataset in datasets.items():
        assert found.score(dataset, "32k") == round(100 * totals[name] / len(rows[name]), 2)


def test_rows_at_which_the_original_divides_by_zero_are_counted() -> None:
    files = {
        NAME: jsonl(row("北京", "北京", "。"), row("北京", "。"), row("x", "")),
        "lic_mixup_16k.jsonl": jsonl(GOOD),
        "loogle_SD_mixup_16k.jsonl": jsonl(row("x", "x", "the ..."), row("x", "x", "")),
        "factrecall_en_16k.jsonl": jsonl(row("x", "x", "...")),
    }
    assert official(files).unlike == 3


def test_steps_come_before_the_first_row_and_after_each_chunk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(official_result, "CHUNK_ROWS", 3)
    files = made(2, [("factrecall_en", "16k"), ("lic_mixup", "32k")])
    steps = scored(predictions.read(list(files.items())))
    assert [(step.number, step.files, step.done, step.rows) for step in steps] == [
        (number, 2, done, 7) for number in (1, 2) for done in (0, 3, 6, 7)
    ]


@given(st.lists(st.integers(0, 400), min_size=1, max_size=40), st.integers(1, 7), st.integers(1, 500))
def test_chunks_are_all_rows_once_and_bounded(lengths: list[int], rows: int, characters: int) -> None:
    texts = ["x" * length for length in lengths]
    file = predictions.Predictions("n", "k", "cmrc_mixup", "16k", texts, [""] * len(texts), [""] * len(texts))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(official_result, "CHUNK_ROWS", rows)
        patch.setattr(official_result, "CHUNK_CHARACTERS", characters)
        parts = list(official_result.chunks(file))
    assert [n for start, end in parts for n in range(start, end)] == list(range(len(texts)))
    for start, end in parts:
        assert end - start <= rows
        assert sum(lengths[start : end - 1]) < characters


# Reading


def test_texts_are_read_as_they_stand(tmp_path: Path) -> None:
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
        "=1+1",
        '"',
    ]
    rows = [row(text, text, text, length=int("9" * 30)) for text in hostile]
    escaped = "".join(json.dumps(one) + "\r\n" for one in rows).encode()
    for data in (escaped, b"\xef\xbb\xbf" + escaped.replace(b"\r\n", b"\r"), b"\n \n" + escaped):
        (found,) = from_visitor(put(tmp_path, {NAME: data}))
        assert found.predictions == found.references == found.keywords == hostile
        assert from_disk(Path(put(tmp_path, {"run.zip": zipped({NAME: data})})[0])) == [found]


def broken_zip(offsets: tuple[int, int], change: Callable[[int], int]) -> bytes:
    """A zip with one file, of which one byte is changed in both of its headers."""
    data = bytearray(zipped({NAME: jsonl(*[GOOD] * 9)}))
    for mark, offset in zip((b"PK\3\4", b"PK\1\2"), offsets, strict=True):
        data[data.index(mark) + offset] = change(data[data.index(mark) + offset])
    return bytes(data)


GOOD_FILE = {NAME: jsonl(GOOD)}
WRONG: list[tuple[dict[str, bytes], str]] = [
    ({}, "none ends in .jsonl"),
    ({NAME: b"\n\n"}, f"{NAME} has no rows"),
    ({NAME: jsonl(GOOD) + b"[1, 2]\n"}, f"{NAME}, line 2, is [1.0, 2.0]; a JSON object"),
    ({NAME: jsonl(GOOD) + b"\n\nnull\n"}, f"{NAME}, line 4, is null; a JSON object"),
    ({NAME: jsonl(GOOD) + b'{"pred": \n'}, f"{NAME}, line 2, is not JSON: it breaks off at sign 10"),
    ({NAME: b"[" * 100_000}, f"{NAME}, line 1, is nested too deeply"),
    ({NAME: jsonl(GOOD, {"answers": ["x"]})}, f"{NAME}, line 2, has no pred"),
    ({NAME: jsonl(GOOD, {"pred": "x"})}, f"{NAME}, line 2, has no answers"),
    ({NAME: jsonl(row(None, "x"))}, "line 1: pred is null; a text"),
    ({NAME: jsonl(row(["y" * 200], "x"))}, f'line 1: pred is ["{"y" * 78}…; a text'),
    ({NAME: jsonl(row("x", "x", answers=[]))}, "line 1: answers is []; a list"),
    ({NAME: jsonl(row("x", "x", answers="x"))}, 'line 1: answers is "x"; a list'),
    ({NAME: jsonl(GOOD, row("x", "x", ["x"]))}, 'line 2: gold_ans is ["x"]; a text or null'),
    ({NAME: '{"pred": "\n'.encode("latin-1") + b"\xe9"}, f"{NAME} is not in UTF-8 (line 2"),
    ({"results.jsonl": jsonl(GOOD)}, "results.jsonl is no prediction file"),
    ({"CMRC_mixup_16k.jsonl": jsonl(GOOD)}, "is no prediction file of LV-Eval"),
    ({"cmrc_mixup_8k.jsonl": jsonl(GOOD)}, "should end in a length of LV-Eval (16k, 32k, 64k, 128k, 256k)"),
    (GOOD_FILE | {"cmrc_mixup_16k.v2.jsonl": jsonl(GOOD)}, "are both cmrc_mixup at 16k"),
    ({"a.zip": b"PK\3\4 none"}, "no zip that can be read"),
    ({"a.zip": zipped({"b.zip": zipped(GOOD_FILE)})}, "b.zip: a zip inside the zip"),
    ({"a.zip": zipped({f"x/{NAME}": jsonl(GOOD), f"y/{NAME}": jsonl(GOOD)})}, f"{NAME} stands in the zip twice"),
    ({"a.zip": zipped({"readme.txt": b"x"})}, "none ends in .jsonl"),
    ({"a.zip": broken_zip((6, 8), lambda flags: flags | 1)}, "is encrypted"),
    ({"a.zip": broken_zip((14, 16), lambda checksum: checksum ^ 1)}, "is damaged"),
    ({"a.zip": broken_zip((8, 10), lambda _: 77)}, "is damaged"),
]


@pytest.mark.parametrize(("files", "words"), WRONG, ids=[words[:40] for _, words in WRONG])
def test_what_cannot_be_scored_is_said_with_file_line_and_value(
    files: dict[str, bytes], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(official_result, "fresh_module", lambda name: pytest.fail("something is scored"))
    paths = put(tmp_path / "run", files)
    with pytest.raises(BadRun, match=re.escape(words)):
        command(paths[0] if "a.zip" in files else tmp_path / "run")
    assert not (tmp_path / "run" / "eval_result").exists()


def test_a_visitor_is_told_the_same_and_what_only_the_page_limits(tmp_path: Path) -> None:
    line = len(jsonl(GOOD))
    cells = [f"{dataset}_{length}.jsonl" for dataset, length in EVERY_CELL]
    for number, (files, words) in enumerate([
        (WRONG[2]),
        ({"a.zip": zipped(GOOD_FILE), **GOOD_FILE}, "a.zip is a zip among other files"),
        ({f"{n}.jsonl": b"" for n in range(101)}, "more than 100 files"),
        ({NAME: b" " * 5_000_000, cells[0]: b" " * 5_000_001}, "at most 10 MB together"),
        ({NAME: jsonl(GOOD) * (9_000_000 // line)}, "more than 20,000 rows together"),
        ({NAME: jsonl(GOOD, row("x" * 50_001, "x"))}, f"{NAME}, row 2: a text has 50,001 characters"),
        ({"a.zip": zipped({NAME: jsonl(row("x" * 50_000, "")) * 250})}, "more than 12,000,000 characters"),
        ({"a.zip": zipped({NAME: b" " * 300_000_000})}, "larger than 40 MB"),
        ({"a.zip": zipped(dict.fromkeys(cells[:6], b"\n" * 9_000_000))}, "larger than 40 MB"),
        ({"a.zip": zipped({NAME: b'{"pred": ' + b'{"a":' * 6_000_000})}, "nested too deeply"),
        ({"a.zip": zipped({NAME: b'{"pred": [' + b"{}," * 13_000_000 + b"{}]}"})}, "memory or time"),
    ]):  # fmt: skip
        with pytest.raises(BadRun, match=re.escape(words)):
            from_visitor(put(tmp_path / str(number), files))
    with pytest.raises(BadRun, match="did not arrive whole"):
        from_visitor([str(tmp_path / "gone.jsonl")])
    (found,) = from_visitor(put(tmp_path, {NAME: jsonl(GOOD) + b" " * (10_000_000 - line)}))
    assert found.predictions == ["北京"]
    (tmp_path / "own").mkdir()
    put(tmp_path / "own", {NAME: jsonl(row("x" * 50_001, "x"))})
    assert len(from_disk(tmp_path / "own")) == 1


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("raise SystemExit(3)", "could not be scored (3)"),
        ("1", "memory or time"),
        ("while True: pass", "memory or time"),
        (
            "import os, json; print(json.dumps({'problem': 'lv_name', 'values': {'file': str(set(os.environ))}}))",
            "PATH",
        ),
    ],
)
def test_a_reader_that_breaks_or_takes_long_is_said_and_gets_no_key(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, source: str, words: str
) -> None:
    (tmp_path / "broken.py").write_text(source, "utf-8")
    monkeypatch.setattr(predictions, "READER", (str(tmp_path / "broken.py"),))
    monkeypatch.setattr(predictions, "WAIT_SECONDS", 2)
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    with pytest.raises(BadRun, match=re.escape(words)) as said:
        from_visitor([])
    assert "OPENAI" not in str(said.value)


def said_of(files: list[tuple[str, bytes]]) -> str:
    """The message of files that cannot be read, or how many rows there are."""
    try:
        return str(sum(len(file.predictions) for file in predictions.read(files, predictions.MAX_UNPACKED)))
    except Unreadable as error:
        return say(error.problem, **error.values)


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


# Tables and the terminal


def figures(*cells: tuple[str, str, float]) -> Official:
    """A result with these scores, two rows each."""
    scores = {(dataset, length): score for dataset, length, score in cells}
    rows = dict.fromkeys(scores, 2)
    return Official({cell: "_".join(cell) for cell in scores}, scores, rows, {tasks.EN_GATED: "lv_eval_f1|v:1_2"})


def everything(value: float = 50.0) -> Official:
    """A whole result, all of it the same score, with LV-Eval's numbers of rows."""
    found = figures(*((dataset, length, value) for dataset, length in EVERY_CELL))
    found.rows = {cell: tasks.TASKS[cell[0]].rows for cell in EVERY_CELL}
    return found


def test_averages_are_those_of_the_rounded_scores_and_a_missing_one_is_never_0() -> None:
    found = figures(("cmrc_mixup", "16k", 10.0), ("lic_mixup", "16k", 20.0), ("cmrc_mixup", "32k", 0.0))
    assert (found.average(lengths=("16k",)), found.average(("cmrc_mixup",))) == (15.0, 5.0)
    assert found.average(tasks.MULTI_HOP, ("32k",)) is None
    text = export.markdown(found)
    assert "| lic_mixup | 20.00 | – | – | – | – | 20.00 |" in text
    assert "| **Overall average** | **15.00** | **0.00** | **–** | **–** | **–** | **10.00** |" in text
    assert "3 of 55 files" in text
    assert "- `lv_eval_f1|v:1_2`" in text
    assert (len(tasks.SINGLE_HOP), len(tasks.MULTI_HOP), sum(everything().rows.values())) == (6, 5, 8645)


def test_latex_has_no_bare_special_and_ends_what_it_begins() -> None:
    text = export.latex(figures(("cmrc_mixup", "16k", 10.0), ("lic_mixup", "256k", 0.0)))
    assert r"cmrc\_mixup & 10.00 & {--} & {--} & {--} & {--} & 10.00 \\" in text
    assert text.count("{") == text.count("}")
    parts = [("begin", "table"), ("begin", "tabular"), ("end", "tabular"), ("end", "table")]
    assert re.findall(r"\\(begin|end)\{(\w+)\}", text) == parts
    assert not re.search(r"(?<!\\)[_%#$^~|]", text.partition("\n")[2])
    rows = [line for line in text.splitlines() if line.endswith(r"\\")]
    assert {line.replace(r"\&", "").count("&") for line in rows} == {6}
    assert len(rows) == 1 + 11 + 3


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_terminal_shows_progress_and_an_aligned_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], language: str
) -> None:
    put(tmp_path / "run", made(4, [("cmrc_mixup", "16k"), ("lic_mixup", "128k")]))
    with speaking(language):
        assert command(str(tmp_path / "run")) == 0
        said = capsys.readouterr()
        assert f"{say('lv_step', number=1, files=2, name=NAME, rows=7)}\n" in said.err
        table = said.out.splitlines()[:15]
        assert table[0].split() == export.head()
        assert len({sum(1 + (east_asian_width(sign) in "WF") for sign in line) for line in table}) == 1
        assert say("lv_partial", count=2) in said.out
    assert "lv_eval_f1|version:" in said.out
    assert str(tmp_path / "run" / "eval_result") in said.out


def test_places_and_metrics_that_cannot_be_had_are_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path / "run", GOOD_FILE | {"eval_result": b"in the way"})
    for path, words in (("nothing", "neither a folder"), ("no.zip", "cannot be read: No such"), ("run", "be written")):
        with pytest.raises(BadRun, match=words):
            command(tmp_path / path)

    def missing(name: str) -> Any:
        raise ImportError("Chinese text needs jieba: pip install jieba==0.42.1")

    monkeypatch.setattr(official_result, "fresh_module", missing)
    with pytest.raises(BadRun, match="pip install jieba"):
        official(GOOD_FILE)


@pytest.mark.parametrize("module", [tasks, export])
def test_examples_in_the_code_run(module: Any) -> None:
    assert doctest.testmod(module).failed == 0


# The published figures


def test_the_published_averages_agree_with_the_published_scores() -> None:
    off = []
    assert len(published.MODELS) == 10
    for model, scores in published.PUBLISHED.items():
        assert tuple(scores) == (published.OVERALL, *tasks.DATASETS)
        for length in tasks.LENGTHS:
            mean = fmean(scores[dataset][length] for dataset in tasks.DATASETS)
            assert mean == pytest.approx(scores[published.OVERALL][length], abs=0.011)
        for dataset in tasks.DATASETS:
            if abs(fmean(scores[dataset][n] for n in tasks.LENGTHS) - scores[dataset][published.AVERAGE]) > 0.011:
                off.append((model, dataset))
    assert tuple(off) == published.INCONSISTENT
    assert published.PUBLISHED["ChatGLM3-6B-32k"]["factrecall_en"]["256k"] == 12.5
    assert published.PUBLISHED["GPT-4-8k"]["lic_mixup"]["16k"] == 13.69


def test_a_run_is_compared_with_the_same_part_of_the_others() -> None:
    whole = dict(published.standings(everything(5.0), "mine"))
    assert whole["mine"] == [5.0] * 6
    for model in published.MODELS:
        assert list(whole[model])[:5] == list(published.PUBLISHED[model][published.OVERALL].values())
    order = [row[-1] or 0.0 for row in whole.values()]
    assert order == sorted(order, reverse=True)
    assert published.dataset_average("GPT-4-8k", everything(), "cmrc_mixup") == 5.96
    part = figures(("cmrc_mixup", "16k", 1.0), ("lic_mixup", "16k", 2.0), ("cmrc_mixup", "64k", 3.0))
    rows = dict(published.standings(part, "mine"))
    assert rows["mine"] == [1.5, None, 3.0, None, None, 2.0]
    expected = [(14.67 + 13.69) / 2, None, 5.31, None, None, (14.67 + 13.69 + 5.31) / 3]
    assert rows["GPT-4-8k"] == [pytest.approx(one) if one else one for one in expected]
    assert published.dataset_average("GPT-4-8k", part, "cmrc_mixup") == pytest.approx((14.67 + 5.31) / 2)
    assert published.dataset_average("GPT-4-8k", part, "factrecall_en") == 9.25
    assert dict(published.beside(part, "GPT-4-8k"))["cmrc_mixup"][:2] == [(1.0, 14.67), (None, 3.33)]


# The tab


def callbacks(language: str = "en") -> dict[str, Any]:
    """The callbacks of the tab by name."""
    with gr.Blocks() as page, speaking(language):
        lv_eval_tab.build(language)
    return {one.fn.__name__: one.fn for one in page.fns.values() if one.fn}


def shown(paths: list[str] | None, language: str = "en") -> list[dict[str, Any]]:
    """What the tab shows of files, or of the example, step by step: values by the ids of the components."""

    async def collect() -> list[Any]:
        return [step async for step in callbacks(language)["score"](paths)]

    return [{key.elem_id or key: value for key, value in step.items()} for step in asyncio.run(collect())]


def test_the_example_is_scored_shown_and_given_to_download(tmp_path: Path) -> None:
    steps = shown(None)
    assert "Reading the files" in steps[0]["lv-results"]
    assert (steps[0]["lv-cancel"].interactive, steps[-1]["lv-cancel"].interactive) == (True, False)
    result = steps[-1]["lv-results"]
    for words in ("A made-up example", "24 files, 56 rows", "24 of 55 files are there", "LV-Eval has 200"):
        assert words in result
    found = official({path.name: path.read_bytes() for path in lv_eval_tab.EXAMPLE.iterdir()})
    assert {tasks.TASKS[dataset].metric for dataset, _ in found.scores} == {
        tasks.EN_GATED, tasks.ZH_GATED, tasks.EN_PLAIN, tasks.ZH_ROUGE
    }  # fmt: skip
    averages = [found.average(lengths=(length,)) or 0.0 for length in tasks.LENGTHS[:4]]
    assert averages == sorted(averages, reverse=True)
    for form, write in lv_eval_tab.FORMS.items():
        assert Path(steps[-1][f"lv-{form}"]).name == f"made_up_result.{form}"
        assert Path(steps[-1][f"lv-{form}"]).read_bytes() == write(found).encode()
    assert steps[-1]["lv-signed"].value.splitlines() == found.signed
    assert steps[-1]["lv-plot"].visible
    assert "总平均" in shown(None, "zh")[-1]["lv-results"]
    beside = callbacks()["compare"]((found, "Your run"), "Yi-6B-200k")
    assert "Your run and Yi-6B-200k" in beside
    assert "GPT-4-8k" not in beside


def test_files_are_deleted_once_read_whether_they_can_be_scored_or_not(tmp_path: Path) -> None:
    paths = put(tmp_path, {NAME: jsonl(GOOD)})
    last = shown(paths)[-1]
    assert "100.00" in last["lv-results"]
    assert "made-up" not in last["lv-results"]
    assert not last["lv-plot"].visible  # one length is no line
    wrong = put(tmp_path, {"<img src=x>_16k.jsonl": b"x"})
    last = shown(wrong)[-1]
    assert "&lt;img src=x&gt;_16k.jsonl is no prediction file" in last["lv-results"]
    assert "lv-signed" not in last
    assert list(tmp_path.iterdir()) == []
    assert "没有完整送达" in shown(paths, "zh")[-1]["lv-results"]


def test_what_goes_wrong_unforeseen_is_said_and_logged_without_a_text(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    secret = "".join(["a text ", "of the visitor"])

    def fail(name: str) -> Any:
        raise KeyError(secret)

    monkeypatch.setattr(official_result, "fresh_module", fail)
    answer = shown(put(tmp_path, GOOD_FILE))[-1]["lv-results"]
    assert "could not be scored (KeyError)" in answer
    assert "KeyError" in caplog.text
    assert secret not in caplog.text + answer


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
    (archive,) = put(
        tmp_path, {"data.zip": zipped({f"{folder}_16k.jsonl": jsonl(*rows), f"{folder}_32k.jsonl": jsonl(*rows * 9)})}
    )
    address = re.findall(r'"(https://[^"]*)"', code)
    assert address == ["https://huggingface.co/datasets/Infinigence/LVEval/resolve/main/hotpotwikiqa_mixup.zip"]
    found: dict[str, Any] = {"lv_eval_f1": load("lv_eval_f1")}
    exec(code.replace(address[0], archive), found)
    assert found["rows"].num_rows == 2
    assert found["result"]["lv_eval_f1"] == 0.5
