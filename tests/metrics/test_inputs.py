"""Valid and invalid input of every metric of answers, and evaluate's ways to call a metric."""

import concurrent.futures
import copy
import inspect
import json
import math
import random
import re
import tracemalloc
from pathlib import Path
from typing import Any
from unittest.mock import patch

import evaluate
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from tests.support.judges import JUDGES
from tests.support.judges import load as metric
from tests.support.models import WITH_MODEL
from tests.support.processes import PROCESS_CONTEXT
from tests.support.project import (
    ANSWER_METRICS,
    METRICS_WITH_TOKENS,
    NAMES,
    import_file,
    load_cases,
)

# Judges are left out: their tests check the requests that servers get.
WITHOUT_JUDGES = [name for name in ANSWER_METRICS if name not in JUDGES]

# How far the score of an identical answer may be below 1: a probability is never exactly 1.
UNSURE = {"correctness_estimate": 0.02}

# Prediction and reference of a row that every metric must score.
LEGAL: dict[str, tuple[str, Any]] = {
    "both empty": ("", ""),
    "empty prediction": ("", "Paris"),
    "empty reference": ("Paris", ""),
    "blank": (" \t\n\r\u3000", " "),
    "punctuation": ("...!?", "。，！"),
    "NUL": ("a\x00b", "a\x00b"),
    "lone surrogates": ("a \ud800 b", "\udfff a"),
    "a surrogate pair in two halves": ("\ud83d\ude00", "\ud83d\ude00"),
    "a noncharacter in front": ("\ufdd0 Paris", "\ufdd0 Paris"),
    "emoji": ("😀👩‍🚀", "😀👩‍🚀"),
    "Chinese": ("北京是首都", "中国的首都是北京"),
    "several references": ("Paris", ["Rome", "Paris", ""]),
    "one long word": ("x" * 300_000, "x"),
    "many words": ("word " * 60_000, "word and more words " * 10),
    "much Chinese": ("的" * 100_000, "中国的首都是北京"),
    "long and identical": ("Paris is the capital. " * 12_000, "Paris is the capital. " * 12_000),
    "many lines": ("\n" * 300_000, "a\n" * 1000),
}


# Columns that every metric must refuse, and a pattern of the error message.
REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "None": ({"predictions": ["a", None], "references": ["a", "b"]}, r"predictions\[1\] is None"),
    "a number": ({"predictions": ["a"], "references": [5]}, r"references\[0\] is 5 \(int\)"),
    "a number in a list": (
        {"predictions": ["a"], "references": [["a", 5]]},
        r"references\[0\]\[1\] is 5 \(int\)",
    ),
    "None in a list": (
        {"predictions": ["a", "b"], "references": ["a", ["b", None]]},
        r"references\[1\]\[1\] is None",
    ),
    "NaN": (
        {"predictions": ["a"], "references": [float("nan")]},
        r"references\[0\] is nan \(float\).*fillna",
    ),
    "bytes": ({"predictions": [b"a"], "references": ["a"]}, r"predictions\[0\] is b'a' \(bytes\)"),
    "a nested list": (
        {"predictions": ["a"], "references": [[["a"]]]},
        r"references\[0\]\[0\] is \['a'\]",
    ),
    "a table": (
        {"predictions": pd.DataFrame({"p": ["a"]}), "references": ["a"]},
        r"predictions is .* \(DataFrame\)",
    ),
    "a huge value": (
        {"predictions": ["a", ["x" * 10**6]], "references": ["a", "b"]},
        r"predictions\[1\] is \['xxx",
    ),
    "nothing at all": ({}, "nothing to score"),
    "no references": ({"predictions": ["a"]}, "references is missing"),
    "no switch": (
        {"predictions": ["a"], "references": ["a"], "per_example": "no"},
        r"per_example is 'no' \(str\); True",
    ),
    "a misspelt column": ({"prediction": ["a"], "references": ["a"]}, "did you mean 'predictions'"),
}


def is_plain(value: Any) -> bool:
    """Return whether a result consists only of Python's own types, without NaN."""
    if isinstance(value, dict):
        return all(type(key) is str and is_plain(item) for key, item in value.items())
    if isinstance(value, list):
        return all(map(is_plain, value))
    return (
        value is None
        or type(value) in (str, int, bool)
        or (type(value) is float and math.isfinite(value))
    )


@pytest.mark.parametrize("case", LEGAL)
@pytest.mark.parametrize("name", ANSWER_METRICS)
def test_every_text_has_a_score_that_equals_that_of_the_pure_function(name: str, case: str) -> None:
    prediction, reference = LEGAL[case]
    result = metric(name).compute(
        predictions=[prediction], references=[reference], per_example=True
    )
    assert is_plain(result)
    lowest = -1 if name in WITH_MODEL else 0
    scores = list_score_values(result)
    assert scores
    assert lowest <= min(scores)
    assert max(scores) <= 1
    assert "\n" not in result["signature"]
    (entry,) = result["per_example"]
    if name in WITHOUT_JUDGES and isinstance(reference, str) and len(prediction) < 1000:
        assert entry["score"] == score_purely(name, prediction, reference)
    else:
        assert "score" in entry


def list_score_values(result: dict[str, Any]) -> list[float]:
    """Return the scores of a result; bleu's ratio of lengths is none."""
    values = [value for key, value in result.items() if key != "length_ratio"]
    return [value for value in values if isinstance(value, float)]


def score_purely(name: str, prediction: str, reference: str) -> float:
    """Return the score of a module's pure function."""
    score: Any = import_file(name).score(prediction, reference)
    if name == "rouge":
        score = score["rougeL"].fmeasure
    elif name == "bertscore":
        score = score.f1
    return float(score)


@pytest.mark.parametrize("name", WITHOUT_JUDGES)
def test_a_result_has_only_numbers_unless_more_is_requested(name: str) -> None:
    rows = {"predictions": ["red dog"], "references": ["red dog"]}
    result = metric(name).compute(**rows)
    assert {type(value) for key, value in result.items() if key != "precisions"} <= {
        int,
        float,
    }  # bleu's, as published
    signature_keys = {"signature", "hashcode"} if name == "bertscore" else {"signature"}
    assert metric(name).compute(**rows, signature=True).keys() - result.keys() == signature_keys
    assert metric(name).compute(**rows, per_example=True).keys() - result.keys() == {
        *signature_keys,
        "per_example",
    }


@pytest.mark.parametrize("name", ANSWER_METRICS)
def test_equal_input_gives_equal_output_and_is_not_changed_and_results_can_be_saved(
    name: str, tmp_path: Path
) -> None:
    short = [(p, r) for p, r in LEGAL.values() if len(p) < 1000]
    columns = {"predictions": [p for p, _ in short], "references": [r for _, r in short]}
    before = copy.deepcopy(columns)
    result, again = (metric(name).compute(**columns, per_example=True) for _ in range(2))
    assert json.dumps(result) == json.dumps(again)
    assert columns == before
    path = evaluate.save(tmp_path / "result.json", **result)
    saved = json.loads(Path(path).read_text("utf-8"))
    assert {key: saved[key] for key in result} == json.loads(json.dumps(result))


@pytest.mark.parametrize("case", REFUSED)
@pytest.mark.parametrize("name", ANSWER_METRICS)
def test_invalid_input_is_refused_with_row_and_value(name: str, case: str) -> None:
    columns, message = REFUSED[case]
    with pytest.raises((TypeError, ValueError), match=message) as caught:
        metric(name).compute(**columns)
    assert len(str(caught.value)) < 400


# Values that are invalid for every setting, and how the error message shows them.
NO_SETTING: list[tuple[Any, str]] = [
    (object(), "<object object"),
    (b"x", "b'x'"),
    (math.nan, "nan"),
    (10**5000, "bits"),
    ([None], "None"),
]


def make_valid_arguments(name: str) -> dict[str, Any]:
    """Return valid columns for a metric, with the settings that they need."""
    if name in ANSWER_METRICS:
        return {"predictions": ["a"], "references": ["a"]}
    case, *_ = load_cases(name)
    return {key: value for key, value in case.items() if key != "result"}


@pytest.mark.parametrize("name", NAMES)
def test_a_setting_of_a_wrong_type_is_refused_with_its_value(name: str) -> None:
    scorer = metric(name)
    arguments = make_valid_arguments(name)
    settings = []
    for parameter in inspect.signature(type(scorer)._compute).parameters.values():
        if parameter.default is not parameter.empty:
            settings.append(parameter.name)
    assert "per_example" in settings
    assert "per_example" not in scorer._list_columns()
    for setting in settings:
        for value, shown in NO_SETTING:
            with pytest.raises((TypeError, ValueError), match=rf"^{setting}\b") as caught:
                scorer.compute(**arguments | {setting: value})
            # The value of a key is never shown.
            assert shown in str(caught.value) or setting == "api_key"


def list_refused_values() -> list[tuple[str, str, Any]]:
    """Return metrics, each with a setting and a value that it refuses."""
    refused: list[tuple[str, str, Any]] = [
        ("bertscore", "num_layers", True),
        ("bleu", "tokenizer", ["13a"]),
        ("lv_eval_f1", "min_keyword_recall", True),
        ("lv_eval_f1", "min_keyword_recall", "0.5"),
    ]
    refused += [("bertscore", "lang", value) for value in (1, 0, False, ["en"])]
    refused += [("reward_accuracy", "beta", value) for value in (None, True, "1", math.inf)]
    for name in WITH_MODEL:
        for value in (None, True, 1.5, "1", 0, math.inf):
            refused.append((name, "batch_size", value))
        refused += [(name, "device", 2**63), (name, "device", "no such")]
    return refused


@pytest.mark.parametrize(("name", "setting", "value"), list_refused_values())
def test_compute_and_the_pure_function_refuse_the_same_values_of_settings(
    name: str, setting: str, value: Any
) -> None:
    calls = [lambda: metric(name).compute(**make_valid_arguments(name) | {setting: value})]
    if setting in inspect.signature(import_file(name).score).parameters or name == "lv_eval_f1":
        calls.append(lambda: import_file(name).score("a", "a", **{setting: value}))
    for call in calls:
        with pytest.raises((TypeError, ValueError), match=re.escape(f"{setting} is {value!r}")):
            call()


def test_keywords_are_optional_and_must_be_texts() -> None:
    f1 = metric("lv_eval_f1")
    rows = {"predictions": ["red", "red"], "references": ["red", "red"]}
    wrong = {
        r"answer_keywords\[1\] is 5": ["a", 5],
        r"answer_keywords\[0\] is \['Paris', 'France'\] \(list\); a string .*' '\.join": [
            ["Paris", "France"],
            "a",
        ],
        "answer_keywords is 'ab'": "ab",
        "answer_keywords has 1 rows": ["a"],
    }
    for message, keywords in wrong.items():
        with pytest.raises((TypeError, ValueError), match=message):
            f1.compute(**rows, answer_keywords=keywords)
    for nothing in (None, "", pd.NA, float("nan")):
        assert (
            f1.compute(**rows, answer_keywords=pd.Series([nothing, "blue"]))["lv_eval_f1"] == 1 / 2
        )
    assert f1.compute(**rows, answer_keywords=None)["lv_eval_f1"] == 1.0
    f1.add(prediction="red", reference="red")
    f1.add(prediction="red", reference="red", answer_keywords="blue")
    f1.add_batch(**rows)
    f1.add_batch(**rows, answer_keywords=["blue", ""])
    assert f1.compute()["lv_eval_f1"] == 4 / 6


@pytest.mark.parametrize("name", ANSWER_METRICS)
def test_columns_may_be_arrays_series_or_generators(name: str) -> None:
    expected = metric(name).compute(predictions=["a b", "c"], references=["a b", "d"])
    for convert in (np.array, pd.Series, pa.array, tuple, iter):
        predictions = convert(["a b", "c"])
        references = convert(["a b", "d"])
        assert metric(name).compute(predictions=predictions, references=references) == expected
    ragged = metric(name).compute(
        predictions=[np.str_("a b"), "c"], references=[("a b",), np.array(["d"])]
    )
    assert ragged == expected


@pytest.mark.parametrize("name", ANSWER_METRICS)
def test_rows_may_be_added_in_any_portions_with_texts_or_lists(name: str) -> None:
    predictions = ["red fox", "\ufdd0\ud800", "北京 是", ""]
    references = ["red dog", ["\ufdd0\ud800"], ["x", "北京 是"], "y"]
    row_by_row = metric(name)
    in_batches = metric(name)
    expected = row_by_row.compute(predictions=predictions, references=references, per_example=True)
    for prediction, reference in zip(predictions, references, strict=True):
        row_by_row.add(prediction=prediction, reference=reference)
    assert row_by_row.compute(per_example=True) == expected
    in_batches.add_batch(predictions=predictions[:1], references=references[:1])
    in_batches.add_batch(predictions=[], references=[])
    in_batches.add_batch(predictions=predictions[1:3], references=references[1:3])
    with pytest.raises(TypeError, match=r"references\[1\] is 5"):
        in_batches.compute(predictions=["a", "b"], references=["a b", 5])
    last_rows = {"predictions": predictions[3:], "references": references[3:]}
    assert in_batches.compute(**last_rows, per_example=True) == expected


@pytest.mark.parametrize("name", ANSWER_METRICS)
def test_a_failed_call_keeps_the_added_rows_and_writes_no_text_to_disk(
    name: str, tmp_path: Path
) -> None:
    scorer = metric(name, cache_dir=str(tmp_path))
    scorer.add(prediction="red fox", reference="red fox")
    wrong: list[tuple[str, dict[str, Any], str]] = [
        ("add", {"prediction": None, "reference": "x"}, "prediction"),
        ("add_batch", {"predictions": ["a", 1], "references": ["a", "b"]}, r"predictions\[1\]"),
        (
            "add_batch",
            {"predictions": ["a"], "references": ["a"], "refs": ["a"]},
            "no column 'refs'",
        ),
        (
            "compute",
            {"unknown": 1},
            r"has no argument 'unknown'.* \(columns: .*predictions.*; settings: .*\)",
        ),
    ]
    for call, arguments, message in wrong:
        with pytest.raises(TypeError, match=message):
            getattr(scorer, call)(**arguments)
    for rows in ({}, {"predictions": ["private"], "references": ["private"]}):
        with (
            patch.object(scorer, "_compute", side_effect=KeyboardInterrupt, autospec=True),
            pytest.raises(KeyboardInterrupt),
        ):
            scorer.compute(**rows)
        assert len(scorer) == 1
    result = scorer.compute(per_example=True)
    assert [row["score"] for row in result["per_example"]] == [
        pytest.approx(1.0, abs=UNSURE.get(name, 1e-6))
    ]
    assert len(scorer) == 0
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_combined_metrics_take_their_common_columns() -> None:
    combined = evaluate.combine([metric(name) for name in WITHOUT_JUDGES])
    rows = {"predictions": ["was born in Paris", "red"], "references": ["was born in Rome", "red"]}
    expected = metric("lv_eval_f1").compute(**rows)["lv_eval_f1"]
    assert combined.compute(**rows)["lv_eval_f1"] == expected
    combined.add(prediction="was born in Paris", reference="was born in Rome")
    combined.add_batch(predictions=["red"], references=["red"])
    assert combined.compute()["lv_eval_f1"] == expected


ROWS_FOR_TWO_PROCESSES = {
    "predictions": ["red fox", "北京 a", "one two"],
    "references": ["red fox", "b", "one three"],
}


def compute_part(
    name: str,
    process: int,
    cache: str,
    results: Any,
) -> None:
    scorer = metric(
        name,
        num_process=2,
        process_id=process,
        experiment_id="two",
        cache_dir=cache,
    )
    mine = slice(0, 2) if process == 0 else slice(2, 3)
    scorer.add_batch(**{column: rows[mine] for column, rows in ROWS_FOR_TWO_PROCESSES.items()})
    results.put((process, scorer.compute()))


@pytest.mark.parametrize("name", ["bleu", "lv_eval_f1"])  # all metrics store rows like these two
def test_two_processes_compute_one_score_together(name: str, tmp_path: Path) -> None:
    results = PROCESS_CONTEXT.Queue()
    processes = [
        PROCESS_CONTEXT.Process(target=compute_part, args=(name, i, str(tmp_path), results))
        for i in (0, 1)
    ]
    for process in processes:
        process.start()
    assert dict(results.get(timeout=300) for _ in processes) == {
        0: metric(name).compute(**ROWS_FOR_TWO_PROCESSES),
        1: None,
    }
    for process in processes:
        process.join(30)


@pytest.mark.parametrize("name", WITHOUT_JUDGES)
def test_one_metric_object_can_be_used_by_many_threads(name: str) -> None:
    scorer = metric(name)
    scorer.compute(predictions=["red"], references=["red"])  # a model is loaded

    def one(i: int) -> bool:
        word = f"word{i}"
        same, other = (
            scorer.compute(predictions=[word], references=[r], per_example=True)
            for r in (word, "red")
        )
        return same["per_example"][0]["score"] > 0.99 > other["per_example"][0]["score"]

    with concurrent.futures.ThreadPoolExecutor(8) as threads:
        assert all(threads.map(one, range(200 if name not in WITH_MODEL else 16)))
        list(threads.map(lambda i: scorer.add(prediction=f"a{i}", reference="a"), range(100)))
    assert len(scorer) == 100


@pytest.mark.parametrize(
    "name", sorted({*WITHOUT_JUDGES} - {*WITH_MODEL})
)  # models are left out: they read only a few hundred words
def test_texts_of_48_kilobytes_take_bounded_memory(name: str) -> None:
    """The rouge package takes 2.2 GB for texts of half the length."""
    scorer = metric(name)
    numbers = random.Random(3)
    prediction, reference = (
        " ".join(numbers.choices("abcdefghijklmn", k=24_000)) for _ in range(2)
    )
    tracemalloc.start()
    scorer.compute(predictions=[prediction], references=[reference], per_example=True)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 500_000_000


@pytest.mark.parametrize("name", METRICS_WITH_TOKENS)
def test_brief_reasons_are_all_reasons_without_the_tokens(name: str) -> None:
    rows = {
        "predictions": ["Paris, Texas", "", "他在北京"],
        "references": [["Paris", "x"], ["x"], ["他在北京读书"]],
    }
    full, brief = (
        metric(name).compute(**rows, per_example=how)["per_example"] for how in (True, "brief")
    )
    for reasons in full:
        del reasons["prediction_tokens"], reasons["reference_tokens"]
    assert brief == full
