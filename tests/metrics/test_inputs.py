"""What every metric of an answer does with good and bad input: modules and inputs, and evaluate's ways of calling."""

import concurrent.futures
import copy
import json
import math
from collections import UserDict
from enum import Enum
from pathlib import Path
from typing import Any
from unittest.mock import patch

import evaluate
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from tests.benchmarks import long_texts
from tests.support.judges import JUDGES
from tests.support.judges import load as metric
from tests.support.models import WITH_MODEL
from tests.support.processes import FORKED
from tests.support.project import ANSWERS, WITH_TOKENS, functions

# A judge scores what a server says of the two texts: its own tests see what was sent.
ALONE = [name for name in ANSWERS if name not in JUDGES]

# The texts of one row: prediction and reference. Each is a legal row with a score.
LEGAL: dict[str, tuple[str, Any]] = {
    "both empty": ("", ""),
    "empty prediction": ("", "Paris"),
    "empty reference": ("Paris", ""),
    "blank": (" \t\n\r\u3000", " "),
    "punctuation": ("...!?", "。，！"),
    "articles": ("the a an", "The"),
    "NUL": ("a\x00b", "a\x00b"),
    "control characters": ("\x01\x02\x1b[31m", "\x7f\x85\u2028"),
    "right to left": ("\u202eabc שלום", "שלום \u202dabc"),
    "lone surrogates": ("a \ud800 b", "\udfff a"),
    "a surrogate pair in two halves": ("\ud83d\ude00", "\ud83d\ude00"),
    "a noncharacter in front": ("\ufdd0 Paris", "\ufdd0 Paris"),
    "emoji": ("😀👩‍🚀", "😀👩‍🚀"),
    "combining marks": ("e\u0301\u0301\u0301", "é"),
    "markup": ("<script>alert(1)</script>", "<b>x</b>"),
    "Chinese": ("北京是首都", "中国的首都是北京"),
    "Chinese against English": ("北京", "Beijing"),
    "several references": ("Paris", ["Rome", "Paris", ""]),
    "one word of 1 MB": ("x" * 1_000_000, "x"),
    "1 MB of words": ("word " * 200_000, "word and more words " * 10),
    "1 MB of Chinese": ("的" * 333_000, "中国的首都是北京"),
    "1 MB, identical": ("Paris is the capital. " * 45_000, "Paris is the capital. " * 45_000),
    "1 MB of lines": ("\n" * 1_000_000, "a\n" * 1000),
}


class Mute:
    def __repr__(self) -> str:
        raise RuntimeError("no repr")


class Word(str, Enum):
    RED = "red fox"


# What is refused: the columns, and what the message must name.
REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "None": ({"predictions": ["a", None], "references": ["a", "b"]}, r"predictions\[1\] is None"),
    "None first": ({"predictions": [None, "a"], "references": ["a", "b"]}, r"predictions\[0\] is None"),
    "None reference": ({"predictions": ["a"], "references": [None]}, r"references\[0\] is None"),
    "None in a list": ({"predictions": ["a", "b"], "references": ["a", ["b", None]]}, r"references\[1\]\[1\] is None"),
    "a number": ({"predictions": ["a", 5], "references": ["a", "b"]}, r"predictions\[1\] is 5 \(int\)"),
    "NaN": ({"predictions": ["a"], "references": [float("nan")]}, r"references\[0\] is nan \(float\).*fillna"),
    "bytes": ({"predictions": [b"a"], "references": ["a"]}, r"predictions\[0\] is b'a' \(bytes\)"),
    "a list as prediction": ({"predictions": ["a", ["b"]], "references": ["a", "b"]}, r"predictions\[1\] is \['b'\]"),
    "a nested list": ({"predictions": ["a"], "references": [[["a"]]]}, r"references\[0\]\[0\] is \['a'\]"),
    "a bare string": ({"predictions": "abc", "references": ["a", "b", "c"]}, "predictions is 'abc'"),
    "a bare reference": ({"predictions": ["a"], "references": "a"}, "references is 'a'"),
    "a set": ({"predictions": {"a"}, "references": ["a"]}, r"predictions is \{'a'\}"),
    "an array without rows": ({"predictions": np.array("a"), "references": ["a"]}, r"predictions is 'a' \(str\)"),
    "a table": ({"predictions": pd.DataFrame({"p": ["a"]}), "references": ["a"]}, r"predictions is .* \(DataFrame\)"),
    "a mapping": ({"predictions": UserDict(p="a"), "references": ["a"]}, r"predictions is .* \(UserDict\)"),
    "a huge value": ({"predictions": ["a", ["x" * 10**6]], "references": ["a", "b"]}, r"predictions\[1\] is \['xxx"),
    "a value without a repr": ({"predictions": [Mute()], "references": ["b"]}, r"predictions\[0\] is <Mute instance"),
    "a number for a column": ({"predictions": 3, "references": ["a"]}, r"predictions is 3 \(int\)"),
    "different lengths": ({"predictions": ["a", "b"], "references": ["a"]}, "predictions has 2 rows, references has 1"),
    "no reference in a row": ({"predictions": ["a"], "references": [[]]}, r"references\[0\] is an empty list"),
    "nothing": ({"predictions": [], "references": []}, "nothing to score"),
    "nothing at all": ({}, "nothing to score"),
    "no references": ({"predictions": ["a"]}, "references is missing"),
    "no predictions": ({"references": ["a"]}, "predictions is missing"),
    "a misspelt argument": (
        {"predictions": ["a"], "references": ["a"], "per_exmaple": True},
        "did you mean 'per_example'",
    ),
    "a misspelt column": ({"prediction": ["a"], "references": ["a"]}, "did you mean 'predictions'"),
}


def plain(value: Any) -> bool:
    """Whether a result is made of Python's own numbers, strings, lists and dicts, without NaN."""
    if isinstance(value, dict):
        return all(type(key) is str and plain(item) for key, item in value.items())
    if isinstance(value, list):
        return all(map(plain, value))
    return value is None or type(value) in (str, int, bool) or (type(value) is float and math.isfinite(value))


@pytest.mark.parametrize("case", LEGAL)
@pytest.mark.parametrize("name", ANSWERS)
def test_every_text_has_a_defined_score(name: str, case: str) -> None:
    prediction, reference = LEGAL[case]
    result = metric(name).compute(predictions=[prediction], references=[reference], per_example=True)
    assert plain(result)
    scores = [value for key, value in result.items() if isinstance(value, float) and key != "length_ratio"]
    assert scores
    assert all((-1 if name in WITH_MODEL else 0) <= score <= 1 for score in scores)
    assert "\n" not in result["signature"]
    assert len(result["per_example"]) == 1


@pytest.mark.parametrize("name", ANSWERS)
def test_the_same_input_gives_the_same_output(name: str) -> None:
    short = [(p, r) for p, r in LEGAL.values() if len(p) < 1000]
    columns = {"predictions": [p for p, _ in short], "references": [r for _, r in short]}
    results = [metric(name).compute(**columns, per_example=True) for _ in range(2)]
    assert json.dumps(results[0]) == json.dumps(results[1])


@pytest.mark.parametrize("case", [case for case, (p, r) in LEGAL.items() if isinstance(r, str) and len(p) < 1000])
@pytest.mark.parametrize("name", ALONE)
def test_what_compute_stores_comes_back_unchanged(name: str, case: str) -> None:
    """The score through evaluate's storage is that of the pure function."""
    prediction, reference = LEGAL[case]
    row = metric(name).compute(predictions=[prediction], references=[reference], per_example=True)["per_example"][0]
    score = functions(name).score(prediction, reference)
    said = {"rouge": lambda: score["rougeL"].fmeasure, "bertscore": lambda: score.f1}.get(name, lambda: score)()
    assert row["score"] == said


@pytest.mark.parametrize("case", REFUSED)
@pytest.mark.parametrize("name", ANSWERS)
def test_bad_input_is_refused_by_row_and_value(name: str, case: str) -> None:
    columns, message = REFUSED[case]
    with pytest.raises((TypeError, ValueError), match=message) as caught:
        metric(name).compute(**columns)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        (["a", 5], r"answer_keywords\[1\] is 5"),
        (["a", ["b"]], r"answer_keywords\[1\] is \['b'\]"),
        ("ab", "answer_keywords is 'ab'"),
        (["a"], "answer_keywords has 1 rows"),
    ],
)
def test_bad_keywords_are_refused(keywords: Any, message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        metric("lv_eval_f1").compute(predictions=["a", "b"], references=["a", "b"], answer_keywords=keywords)


def test_keywords_may_be_left_out_everywhere() -> None:
    f1 = metric("lv_eval_f1")
    rows = {"predictions": ["red", "red"], "references": ["red", "red"]}
    assert f1.compute(**rows, answer_keywords=[None, "blue"])["lv_eval_f1"] == 1 / 2
    assert f1.compute(**rows, answer_keywords=None)["lv_eval_f1"] == 1.0
    f1.add(prediction="red", reference="red")
    f1.add(prediction="red", reference="red", answer_keywords="blue")
    f1.add_batch(**rows)
    f1.add_batch(**rows, answer_keywords=["blue", ""])
    assert f1.compute()["lv_eval_f1"] == 4 / 6


@pytest.mark.parametrize("name", ANSWERS)
def test_a_switch_takes_true_or_false_only(name: str) -> None:
    rows = {"predictions": ["red"], "references": ["red"]}
    with pytest.raises(TypeError, match=r"per_example is 'no' \(str\); True(, False)? or "):
        metric(name).compute(**rows, per_example="no")


@pytest.mark.parametrize("name", ANSWERS)
def test_columns_may_be_arrays_series_or_generators(name: str) -> None:
    want = metric(name).compute(predictions=["a b", "c"], references=["a b", "d"])
    for column in (np.array, pd.Series, tuple, iter):
        assert metric(name).compute(predictions=column(["a b", "c"]), references=column(["a b", "d"])) == want
    assert metric(name).compute(predictions=pa.array(["a b", "c"]), references=pa.array(["a b", "d"])) == want
    ragged = metric(name).compute(predictions=["a b", "c"], references=[("a b",), np.array(["d"])])
    assert ragged == want


@pytest.mark.parametrize("name", ANSWERS)
def test_texts_and_lists_may_come_in_any_order(name: str) -> None:
    one, texts, lists = metric(name), ["a b", "\ufdd0d", "é\ud800"], [["a b"], ["\ufdd0d"], ["é\ud800"]]
    want = one.compute(predictions=texts, references=lists)
    assert one.compute(predictions=texts, references=texts) == want
    one.add_batch(predictions=texts[:1], references=texts[:1])
    one.add(prediction=texts[1], reference=lists[1])
    assert one.compute(predictions=texts[2:], references=lists[2:]) == want
    with pytest.raises(TypeError, match=r"references\[1\] is 5"):
        one.compute(predictions=texts, references=["a b", 5, "c"])
    one.add_batch(predictions=texts, references=lists)
    assert one.compute() == want


@pytest.mark.parametrize("name", ANSWERS)
def test_a_kind_of_string_is_its_text(name: str) -> None:
    want = metric(name).compute(predictions=["red fox"], references=["red fox"])
    for text in (Word.RED, np.str_("red fox")):
        assert metric(name).compute(predictions=[text], references=[[text]]) == want


def test_keywords_that_pandas_lost_are_left_out() -> None:
    table = pd.DataFrame({"keywords": ["blue", None, pd.NA, float("nan")]})
    rows = ["red"] * 4
    result = metric("lv_eval_f1").compute(predictions=rows, references=rows, answer_keywords=table["keywords"])
    assert result["lv_eval_f1"] == 3 / 4


@pytest.mark.parametrize("name", ANSWERS)
def test_an_interrupted_call_leaves_none_of_its_rows_behind(name: str) -> None:
    scorer = metric(name)
    scorer.add(prediction="red fox", reference="red fox")
    stopped = patch.object(scorer, "_compute", side_effect=KeyboardInterrupt, autospec=True)
    with stopped, pytest.raises(KeyboardInterrupt):
        scorer.compute(predictions=["blue"], references=["green"])
    scorer.add(prediction="red fox", reference="red fox")
    scores = [row["score"] for row in scorer.compute(per_example=True)["per_example"]]
    assert scores == pytest.approx([1.0] * len(scores), abs=1e-6)


@pytest.mark.parametrize("name", ANSWERS)
def test_a_failed_call_loses_no_rows_and_no_text_is_on_disk(name: str, tmp_path: Path) -> None:
    scorer = metric(name, cache_dir=str(tmp_path))
    scorer.add(prediction="red fox", reference="red fox")
    with pytest.raises(TypeError, match="prediction"):
        scorer.add(prediction=None, reference="x")
    with pytest.raises(TypeError, match=r"predictions\[1\]"):
        scorer.add_batch(predictions=["a", 1], references=["a", "b"])
    with pytest.raises(TypeError, match="no column 'refs'"):
        scorer.add_batch(predictions=["a"], references=["a"], refs=["a"])
    with pytest.raises(TypeError, match=r"has no argument 'unknown'.* \(columns: .*predictions.*; settings: .*\)"):
        scorer.compute(unknown=1)
    assert len(scorer) == 1
    refused = ValueError("the setting is 'x'")
    for rows in ({}, {"predictions": ["blue"], "references": ["green"]}):
        with (
            patch.object(scorer, "_compute", side_effect=refused, autospec=True),
            pytest.raises(ValueError, match="'x'"),
        ):
            scorer.compute(**rows)
        assert len(scorer) == 1
    result = scorer.compute(per_example=True)
    assert [row["score"] for row in result["per_example"]] == [pytest.approx(1.0, abs=1e-6)]
    with patch.object(scorer, "_compute", side_effect=refused, autospec=True), pytest.raises(ValueError, match="'x'"):
        scorer.compute(predictions=["private"], references=["private"])
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]
    assert metric(name).compute(predictions=["red"], references=["blue"])["signature"]


@pytest.mark.parametrize("name", ANSWERS)
def test_each_entry_of_per_example_has_the_score(name: str) -> None:
    (entry,) = metric(name).compute(predictions=["red fox"], references=["red fox"], per_example=True)["per_example"]
    assert "score" in entry, f"each entry of per_example of {name} needs 'score', the number that score(...) returns"


@pytest.mark.parametrize("name", ANSWERS)
def test_add_and_add_batch_equal_compute(name: str) -> None:
    predictions, references = ["red fox", "\ud800", "北京 是", ""], ["red dog", ["\ud800"], ["x", "北京 是"], "y"]
    want = metric(name).compute(predictions=predictions, references=references, per_example=True)
    one, many = metric(name), metric(name)
    for prediction, reference in zip(predictions, references, strict=True):
        one.add(prediction=prediction, reference=reference)
    many.add_batch(predictions=predictions[:1], references=references[:1])
    many.add_batch(predictions=[], references=[])
    many.add_batch(predictions=predictions[1:], references=references[1:])
    assert one.compute(per_example=True) == many.compute(per_example=True) == want


@pytest.mark.parametrize("name", ANSWERS)
def test_inputs_are_not_changed(name: str) -> None:
    rows = {"predictions": ["a", "b"], "references": [["a"], ["b", "c"]]}
    before = copy.deepcopy(rows)
    metric(name).compute(**rows)
    assert rows == before


def test_combine_takes_the_columns_that_all_of_them_take() -> None:
    combined = evaluate.combine([metric(name) for name in ALONE])
    rows = {"predictions": ["was born in Paris", "red"], "references": ["was born in Rome", "red"]}
    want = metric("lv_eval_f1").compute(**rows)["lv_eval_f1"]
    assert combined.compute(**rows)["lv_eval_f1"] == want
    combined.add(prediction="was born in Paris", reference="was born in Rome")
    combined.add_batch(predictions=["red"], references=["red"])
    assert combined.compute()["lv_eval_f1"] == want
    with pytest.raises(TypeError, match="has no argument 'modus'"):
        combined.compute(**rows, modus="paper")


def test_combine_with_a_metric_of_another_house(tmp_path: Path) -> None:
    (tmp_path / "lengths").mkdir()
    (tmp_path / "lengths" / "lengths.py").write_text(FOREIGN, "utf-8")
    combined = evaluate.combine([metric("bleu"), evaluate.load(str(tmp_path / "lengths"))])
    assert combined.compute(predictions=["ab"], references=["ab"])["length"] == 2


FOREIGN = """
import datasets
import evaluate


class Lengths(evaluate.Metric):
    def _info(self):
        text = datasets.Value("string")
        features = datasets.Features({"predictions": text, "references": text})
        return evaluate.MetricInfo(description="", citation="", inputs_description="", features=features)

    def _compute(self, predictions, references):
        return {"length": sum(map(len, predictions))}
"""


@pytest.mark.parametrize("name", ANSWERS)
def test_result_can_be_saved(name: str, tmp_path: Path) -> None:
    result = metric(name).compute(predictions=["红楼梦 red", ""], references=["红楼梦", "x"], per_example=True)
    path = evaluate.save(tmp_path / "result.json", **result)
    saved = json.loads(Path(path).read_text("utf-8"))
    assert {key: saved[key] for key in result} == result


ROWS_OF_TWO = [[("red fox", "red fox"), ("北京 a", "b")], [("one two", "one three")]]


def part(name: str, process: int, rows: list[tuple[str, str]], cache: str, results: Any) -> None:
    scorer = metric(name, num_process=2, process_id=process, experiment_id="two", cache_dir=cache)
    scorer.add_batch(predictions=[p for p, _ in rows], references=[r for _, r in rows])
    results.put((process, scorer.compute()))


@pytest.mark.parametrize("name", ALONE)
def test_two_processes_share_one_score(name: str, tmp_path: Path) -> None:
    results = FORKED.Queue()
    processes = [FORKED.Process(target=part, args=(name, i, ROWS_OF_TWO[i], str(tmp_path), results)) for i in (0, 1)]
    for process in processes:
        process.start()
    got = dict(results.get(timeout=300) for _ in processes)
    for process in processes:
        process.join(30)
    flat = [row for part_of_rows in ROWS_OF_TWO for row in part_of_rows]
    columns = {"predictions": [p for p, _ in flat], "references": [r for _, r in flat]}
    assert got == {0: metric(name).compute(**columns), 1: None}


@pytest.mark.parametrize("name", ALONE)
def test_one_object_serves_many_threads(name: str) -> None:
    scorer = metric(name)
    scorer.compute(predictions=["red"], references=["red"])  # a model is loaded

    def one(i: int) -> bool:
        word = f"word{i}"
        same, other = (scorer.compute(predictions=[word], references=[r], per_example=True) for r in (word, "red"))
        return same["per_example"][0]["score"] > 0.99 > other["per_example"][0]["score"]

    with concurrent.futures.ThreadPoolExecutor(8) as threads:
        assert all(threads.map(one, range(200 if name not in WITH_MODEL else 16)))
        list(threads.map(lambda i: scorer.add(prediction=f"a{i}", reference="a"), range(100)))
    assert len(scorer) == 100


@pytest.mark.parametrize("name", ALONE)
def test_48_kb_against_48_kb_takes_bounded_memory(name: str) -> None:
    """The rouge package takes 2.2 GB for half of it; benchmarks/long_texts.py has the times."""
    _, _, megabytes = long_texts.measure(name)
    assert megabytes < 500


@pytest.mark.parametrize("name", WITH_TOKENS)
def test_brief_reasons_are_all_but_the_tokens(name: str) -> None:
    module = metric(name)
    rows = {
        "predictions": ["Paris, Texas", "", "他在北京"],
        "references": [["Paris", "Paris, France"], ["x"], ["他在北京读书"]],
    }
    full, brief = (module.compute(**rows, per_example=how) for how in (True, "brief"))
    tokens = {"prediction_tokens", "reference_tokens"}
    assert all(tokens < set(row) for row in full["per_example"])
    stripped = [{key: value for key, value in row.items() if key not in tokens} for row in full["per_example"]]
    assert brief == full | {"per_example": stripped}
