"""The judge check of the demo without a browser: reading files, what the modules are given, words, HTML."""

from __future__ import annotations

import asyncio
import base64
import csv
import importlib
import io
import json
import random
import re
import sys
import threading
from collections.abc import Iterator, Sequence
from decimal import Decimal
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.project import ROOT, load

SPACE = ROOT / "spaces" / "answer_lens"
sys.path.insert(0, str(SPACE))

from lens.judge_check import numbers as judgecheck  # noqa: E402
from lens.judge_check import verdict as checkverdict  # noqa: E402
from lens.judge_check.numbers import Check, Part  # noqa: E402
from lens.page import background as running  # noqa: E402
from lens.page import judge_check_plots as checkplots  # noqa: E402
from lens.page import judge_check_results as checkview  # noqa: E402
from lens.page import judge_check_tab as checkpage  # noqa: E402
from lens.tables import untrusted as reading  # noqa: E402
from lens.tables import visitors_file as tablefile  # noqa: E402
from lens.tables.untrusted import BadFile, Table  # noqa: E402

REPRESENT, ERROR = "represent", "error"
# Anchors, scores and categories worked by hand: the bias is 1/3, the sensitivity 1/6.
BY_HAND = [(4, "3.5", REPRESENT), (3, "3", REPRESENT), (4.5, "5", REPRESENT), (4, "2.5", ERROR), (3.5, "3.5", ERROR)]
BY_HAND += [(3, "4", ERROR)]
HOSTILE = ["NA", "None", "null", "007", "", " x ", "a\nb", "a\r\nb", 'say "so", now', "中文 😀 é", "=1+1", "nan", "1e5"]
MARKUP = '<img src=x onerror="window.broken=1">\'"&amp;</article>'


Rows = list[dict[str, Any]]


def csv_of(rows: Rows, delimiter: str = ",", end: str = "\n") -> bytes:
    """Rows as a CSV file, each cell in quotation marks: Python's writer leaves a lone carriage return without."""
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, list(rows[0]), delimiter=delimiter, lineterminator=end, quoting=csv.QUOTE_ALL)
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode()


def jsonl_of(rows: Rows) -> bytes:
    """Rows as JSON Lines."""
    return "\n".join(json.dumps(row, ensure_ascii=False) for row in rows).encode()


def parquet_of(rows: Rows) -> bytes:
    """Rows as a Parquet file."""
    import pyarrow
    from pyarrow import parquet

    out = pyarrow.BufferOutputStream()
    parquet.write_table(pyarrow.Table.from_pylist(rows), out)
    return bytes(out.getvalue())


def latin_parquet() -> bytes:
    """A Parquet file whose one text is not UTF-8, though it says so."""
    import pyarrow
    from pyarrow import parquet

    buffers = [
        None,
        pyarrow.py_buffer((0).to_bytes(4, "little") + (2).to_bytes(4, "little")),
        pyarrow.py_buffer(b"\xef\xe9"),
    ]
    out = pyarrow.BufferOutputStream()
    parquet.write_table(pyarrow.table({"generated": pyarrow.Array.from_buffers(pyarrow.string(), 1, buffers)}), out)
    return bytes(out.getvalue())


def judged_rows(count: int = 6) -> Rows:
    """Rows worked by hand, as a file has them."""
    return [
        {"generated": said, "anchor_score": anchor, "perturbation_category": kind, "perturbation_type": f"{kind}_type"}
        for anchor, said, kind in BY_HAND[:count]
    ]


def table(**columns: list[Any]) -> Table:
    """A table with these columns."""
    return Table(list(columns), 0, len(next(iter(columns.values()))), columns)


# Reading


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("csv", csv_of([{"other": 1, "generated": text} for text in HOSTILE])),
        ("csv", b"\xef\xbb\xbf" + csv_of([{"other": 1, "generated": text} for text in HOSTILE], ";", "\r\n")),
        ("csv", csv_of([{"generated": text, "other": 1, "anchor_score": 2} for text in HOSTILE], "\t")),
        ("json", jsonl_of([{"generated": text} for text in HOSTILE])),
        ("json", b"\xef\xbb\xbf" + json.dumps([{"generated": text} for text in HOSTILE], indent=1).encode()),
        ("parquet", parquet_of([{"generated": text, "other": [1]} for text in HOSTILE])),
    ],
)
def test_texts_are_read_as_they_stand(kind: str, data: bytes) -> None:
    found = reading.read(kind, data)
    assert found.columns["generated"] == HOSTILE
    assert found.rows == len(HOSTILE)
    assert "other" not in found.columns


@settings(max_examples=50, deadline=None)
@given(st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")), min_size=1, max_size=8))
def test_any_text_comes_through_csv_and_json(texts: list[str]) -> None:
    rows: Rows = [{"anchor_score": "1", "generated": text} for text in texts]
    for kind, data in (("csv", csv_of(rows)), ("json", jsonl_of(rows)), ("json", json.dumps(rows).encode())):
        assert tablefile.read(kind, data)["columns"]["generated"] == texts


def test_numbers_of_json_and_parquet_stay_numbers() -> None:
    rows: Rows = [{"generated": 4, "anchor_score": 4.5}, {"generated": 3, "anchor_score": None}]
    for kind, data in (("json", jsonl_of(rows)), ("parquet", parquet_of(rows))):
        assert reading.read(kind, data).columns == {"generated": [4, 3], "anchor_score": [4.5, None]}


UNREADABLE = [
    ("csv", b"", "no rows"),
    ("csv", b"generated,anchor_score\n", "no rows"),
    ("json", b"[]", "no rows"),
    ("csv", "generated\nnaïve".encode("latin-1"), "not in UTF-8 (line 2"),
    ("json", '{"generated": "x"}'.encode("utf-16"), "not in UTF-8 (line 1"),
    ("csv", b"generated,anchor_score\nx,1\ny\n", "Row 2 has 1 cell, where the header has 2"),
    ("csv", b"generated,anchor_score\nx,1\ny,2,3\n", "Row 2 has 3 cells, where the header has 2"),
    ("csv", b'generated,anchor_score\n"x,1\n', "cannot be read"),
    ("csv", b"generated,generated\nx,y\n", "“generated” stands twice"),
    ("json", b'{"generated": "x", "generated": "y"}', "“generated” stands twice"),
    ("json", b'{"generated": "x"}\n\n{"generated": }', "line 3, at sign 15"),
    ("json", b'[{"generated": "x"},\n {"generated" 1}]', "line 2, at sign 15"),
    ("json", b'{"generated": "x"}\n[1]', "Row 2 is not a JSON object"),
    ("json", json.dumps(judged_rows()[0], indent=1).encode(), "one single object. Needed is an array"),
    ("json", b'{"generated": {"0": "x", "1": "y"}, "anchor_score": {"0": 1, "1": 2}}', "one single object"),
    ("json", b'{"data": [{"generated": "x"}]}', "one single object"),
    ("json", b'{\n"generated": "x"\n}\n{\n"generated": "y"\n}', "breaks off in line 1, at sign 2"),
    ("parquet", latin_parquet(), "not UTF-8"),
    ("json", b"[[" * 50_000, "nested too deeply"),
    ("parquet", b"PAR1 this is none PAR1", "no Parquet file"),
    ("parquet", parquet_of([{"generated": ["a list"]}]), "“generated” holds list"),
]


@pytest.mark.parametrize(("kind", "data", "words"), UNREADABLE)
def test_what_cannot_be_read_is_said_in_plain_words(kind: str, data: bytes, words: str) -> None:
    with pytest.raises(BadFile) as refused:
        reading.read(kind, data)
    assert words in str(refused.value)


@pytest.mark.parametrize(
    ("limit", "most", "words"),
    [
        ("MAX_ROWS", 5, {"limit": 5}),
        ("MAX_CELL", 2, {"column": "generated", "row": 1, "length": 3, "limit": 2}),
        ("MAX_CHARACTERS", 40, {"limit": 40}),
    ],
)
@pytest.mark.parametrize("kind", ["csv", "json", "parquet"])
def test_each_limit_names_itself(
    monkeypatch: pytest.MonkeyPatch, kind: str, limit: str, most: int, words: dict[str, Any]
) -> None:
    data = {"csv": csv_of, "json": jsonl_of, "parquet": parquet_of}[kind](judged_rows())
    assert tablefile.read(kind, data)["rows"] == 6
    monkeypatch.setattr(tablefile, limit, most)
    with pytest.raises(tablefile.Unreadable) as refused:
        tablefile.read(kind, data)
    assert refused.value.values == words
    assert f"{most}" in judgecheck.say(refused.value.problem, **refused.value.values)


def test_a_column_that_does_not_count_may_be_as_long_as_it_likes() -> None:
    data = csv_of([{"prompt": "x" * 300_000, **row} for row in judged_rows()])
    assert reading.read("csv", data).rows == 6


def test_a_small_file_that_unpacks_to_gigabytes_is_stopped() -> None:
    import pyarrow
    from pyarrow import parquet

    cells = pyarrow.DictionaryArray.from_arrays(pyarrow.array([0] * 200, "int32"), pyarrow.array(["x" * 20_000_000]))
    out = pyarrow.BufferOutputStream()
    parquet.write_table(pyarrow.table({"generated": cells}), out, compression="zstd")
    data = bytes(out.getvalue())
    assert len(data) < 10_000
    with pytest.raises(BadFile, match="more memory or time"):
        reading.read("parquet", data)


def test_spaces_alone_are_an_empty_line_and_excel_may_name_the_sign() -> None:
    data = b"  \ngenerated,anchor_score\nx,1\n   \n,\ny,2\n \n"
    assert reading.read("csv", data).columns == {"generated": ["x", "", "y"], "anchor_score": ["1", "", "2"]}
    for start in (b"sep=;\r\n", b"\xef\xbb\xbfsep=;\n", b'"SEP=;"\n'):
        data = start + b"generated;anchor_score\r\nx,y;1\r\n"
        assert reading.read("csv", data).columns == {"generated": ["x,y"], "anchor_score": ["1"]}


@pytest.mark.parametrize(
    ("source", "words"), [("raise SystemExit(3)", "could not be read (3)"), ("1", "memory or time")]
)
def test_a_reader_that_breaks_is_not_taken_for_one_that_was_stopped(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, source: str, words: str
) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text(source, "utf-8")
    monkeypatch.setattr(reading, "READER", (str(broken),))
    with pytest.raises(BadFile, match=re.escape(words)):
        reading.read("csv", b"x")


def test_what_nobody_foresaw_is_named_by_its_kind_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(kind: str, data: bytes, everything: bool) -> Any:
        raise KeyError("of the file")

    monkeypatch.setattr(tablefile, "read", fail)
    monkeypatch.setattr(tablefile, "limit", lambda: None)
    monkeypatch.setattr(sys, "argv", ["tables/visitors_file.py", "csv"])
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(b"x")))
    tablefile.main()
    assert json.loads(capsys.readouterr().out) == {"problem": "file_failed", "values": {"error": "KeyError"}}


def test_a_reader_that_takes_too_long_is_stopped(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    slow = tmp_path / "slow.py"
    slow.write_text("import time\ntime.sleep(60)\n", "utf-8")
    monkeypatch.setattr(reading, "READER", (str(slow),))
    monkeypatch.setattr(reading, "WAIT_SECONDS", 0.2)
    with pytest.raises(BadFile, match="more memory or time"):
        reading.read("csv", b"x")


def test_the_reader_gets_no_key_of_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    nosy = tmp_path / "nosy.py"
    source = "import json, os; print(json.dumps({'found': sorted(os.environ), 'more': 0, 'rows': 1, 'columns': {}}))"
    nosy.write_text(source, "utf-8")
    monkeypatch.setattr(reading, "READER", (str(nosy),))
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    found = reading.read("csv", b"x").found
    assert "PATH" in found
    assert "OPENAI_API_KEY" not in found


NAMES = [("a.CSV", "csv"), ("a.b.jsonl", "json"), ("中.json", "json"), ("a.tsv", "csv"), ("a.parquet", "parquet")]


@pytest.mark.parametrize(("name", "kind"), NAMES)
def test_the_end_of_the_name_says_the_kind(name: str, kind: str) -> None:
    assert reading.kind_of(name) == kind


@pytest.mark.parametrize("name", ["a", "a.csv.gz", "a.xlsx", "", ".csv", "csv"])
def test_another_end_is_refused(name: str) -> None:
    with pytest.raises(BadFile, match=r"\.parquet"):
        reading.kind_of(name)


def test_what_a_page_would_never_send_is_refused() -> None:
    for content in ("%%%", "é", "YQ"):
        with pytest.raises(BadFile, match="did not arrive whole"):
            reading.decoded(content)
    for large in (b"x" * 10_000_001, b"x" * 11_000_000):
        with pytest.raises(BadFile, match="at most 10 MB"):
            reading.read("csv", reading.decoded(base64.b64encode(large).decode()))
    assert len(reading.decoded(base64.b64encode(b"x" * 10_000_000).decode())) == 10_000_000


# What the modules are given


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_number_that_python_writes_is_read_back(value: float) -> None:
    assert judgecheck.plain_number(f" {value!r} ") == value


NO_NUMBERS = ["", " ", "4,5", "4/5", "nan", "inf", "1_000", "٤", "0x1", "9" * 400, True, None, [], float("nan")]


@pytest.mark.parametrize("cell", NO_NUMBERS)
def test_what_is_no_number_is_refused_with_its_row(cell: Any) -> None:
    with pytest.raises(BadFile, match="“anchor_score”, row 2, is "):
        judgecheck.numbers(table(anchor_score=[4, cell]), "anchor_score")


@pytest.mark.parametrize(
    ("message", "told"),
    [
        (
            "predictions[0] is None (NoneType); a string is expected",
            "column “generated”, row 1 is empty; a text is expected",
        ),
        ("predictions[0] is {'references[1]': 1} (dict); a", "column “generated”, row 1 is {'references[1]': 1}; a"),
        (f"predictions[0] is ['{'x' * 75}... (list); a", f"column “generated”, row 1 is ['{'x' * 75}...; a"),
        ("groups[1] is True (bool); a", "column “perturbation_type”, row 2 is True; a"),
        ("references[3] is 7.0, outside", "column “anchor_score”, row 4 is 7.0, outside"),
        (
            f"perturbation_categories[3] is {'x' * 99!r:.80}, [5] is 'y (int); z', [7] is {chr(10) * 99!r:.80} and 2",
            f"column “perturbation_category”, row 4 is '{'x' * 79}, row 6 is 'y (int); z', row 8 is "
            f"{chr(10) * 99!r:.80} and 2",
        ),
        (
            "perturbation_categories[3] is 'x', [5] is 'y' and 2 more",
            "column “perturbation_category”, row 4 is 'x', row 6 is 'y' and 2 more",
        ),
        ("chosen[1] is 'references[7]'", "column “chosen_logprob”, row 2 is 'references[7]'"),
        ("nothing of the kind", "nothing of the kind"),
    ],
)
def test_messages_speak_of_the_file(message: str, told: str) -> None:
    assert judgecheck.in_words_of_the_file(message) == told


@pytest.mark.parametrize("ends", [("1", ""), ("", "5"), ("5", "1"), ("1", "1"), ("a", "b"), ("1", "nan")])
def test_a_range_is_two_numbers_or_none(ends: tuple[str, str]) -> None:
    assert judgecheck.score_range(" 1 ", "5.5") == (1.0, 5.5)
    assert judgecheck.score_range("", " ") is None
    with pytest.raises(BadFile, match="Lowest and highest"):
        judgecheck.score_range(*ends)


def whole_table() -> Table:
    """Rows worked by hand with log-probabilities: four pairs won, one tie, one lost."""
    rows = judged_rows()
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    return table(**columns, chosen_logprob=[-1, "-2", -3, -4, -5, -6], rejected_logprob=[-2, -3, -4, -5, -5, "-5.5"])


def test_the_numbers_are_those_of_the_modules() -> None:
    found = judgecheck.check(whole_table(), (1.0, 5.0))
    bias, accuracy = found.bias.result, found.accuracy.result
    assert bias is not None
    assert accuracy is not None
    assert bias["repr_bias"] == pytest.approx(1 / 3)
    assert bias["error_sensitivity"] == pytest.approx(1 / 6)
    assert (accuracy["reward_accuracy"], accuracy["ties"]) == (pytest.approx(4 / 6), 1)
    direct = load("judge_bias").compute(
        predictions=[said for _, said, _ in BY_HAND],
        references=[anchor for anchor, _, _ in BY_HAND],
        perturbation_categories=[kind for _, _, kind in BY_HAND],
        perturbation_types=[f"{kind}_type" for _, _, kind in BY_HAND],
        score_range=(1.0, 5.0),
    )
    assert {name: bias[name] for name in direct} == direct


def test_each_number_needs_its_own_columns() -> None:
    columns = whole_table().columns
    replies = {name: cells for name, cells in columns.items() if "logprob" not in name}
    chances = {name: cells for name, cells in columns.items() if "logprob" in name}
    found = judgecheck.check(table(**replies), None)
    assert found.bias.result
    assert "“chosen_logprob”, “rejected_logprob”" in found.accuracy.message
    found = judgecheck.check(table(**chances), None)
    assert found.accuracy.result
    assert "“generated”, “anchor_score”, “perturbation_category”" in found.bias.message
    with pytest.raises(BadFile, match=r"Found: “prompt”\. Needed: “generated”, .*“chosen_logprob”"):
        judgecheck.check(Table(["prompt"], 0, 1, {}), None)


@pytest.mark.parametrize(
    ("column", "cell", "scale", "words"),
    [
        ("perturbation_category", "eror", None, "column “perturbation_category”, row 2 is 'eror'"),
        ("perturbation_category", None, None, "column “perturbation_category”, row 2 is empty; a text is expected"),
        ("generated", {"overall_score": 4}, None, "column “generated”, row 2 is {'overall_score': 4}; a text is exp"),
        ("anchor_score", "4,5", None, "column “anchor_score”, row 2, is “4,5”"),
        ("anchor_score", 7, (1.0, 5.0), "column “anchor_score”, row 2 is 7.0"),
    ],
)
def test_a_bad_cell_is_named_and_the_other_number_goes_on(column: str, cell: Any, scale: Any, words: str) -> None:
    whole = whole_table()
    whole.columns[column][1] = cell
    found = judgecheck.check(whole, scale)
    assert words in found.bias.message
    assert found.bias.failed
    assert found.bias.result is None
    assert found.accuracy.result


def test_no_reply_and_numbers_for_types_are_the_same_in_every_kind_of_file() -> None:
    rows = [
        dict(row, perturbation_type=i % 2, chosen_logprob=-1, rejected_logprob=-2)
        for i, row in enumerate(judged_rows())
    ]
    rows[4]["generated"] = None
    decimals = [dict(row, perturbation_type=Decimal(row["perturbation_type"])) for row in rows]
    files = [
        ("json", jsonl_of(rows)),
        ("csv", csv_of(rows)),
        ("parquet", parquet_of(rows)),
        ("parquet", parquet_of(decimals)),
    ]
    for kind, data in files:
        found = judgecheck.check(reading.read(kind, data), None)
        assert found.bias.result is not None, found.bias.message
        assert found.accuracy.result is not None, found.accuracy.message
        assert found.bias.result["failures"] == {"no_score": 1}
        assert {row["perturbation_type"] for row in found.bias.result["by_type"]} == {"0", "1"}
        assert {row["group"] for row in found.accuracy.result["by_group"]} == {"0", "1"}
        text = Elements(checkview.draw_check(found, "x", False)).text
        assert "Row 5: no JSON object with overall_score" in text
        assert "None" not in text
    assert judgecheck.types(table(perturbation_type=[1.5, None, "x", True])) == ["1.5", None, "x", True]
    assert judgecheck.replies(table(generated=[None, float("nan"), 4.5])) == ["", "", "4.5"]


def test_a_failing_module_is_no_number_and_says_nothing_of_the_file(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(name: str, configuration: str | None = None) -> Any:
        raise RuntimeError("Secret of the file"[::-1])

    monkeypatch.setattr(judgecheck.pasted_answer, "fresh_module", fail)
    found = judgecheck.check(whole_table(), None)
    assert (found.bias.result, found.accuracy.result) == (None, None)
    assert "RuntimeError" in found.bias.message
    assert "terceS" not in caplog.text + found.bias.message
    assert "RuntimeError" in caplog.text


# What the numbers mean


def bias_result(errors: list[float], rewordings: list[float], unparsed: int = 0, anchor: float = 4.0) -> dict[str, Any]:
    """A result of judge_bias with these falls for errors and these shifts for rewordings; intervals as given."""
    given = [(REPRESENT, abs(one), anchor + one) for one in rewordings]
    given += [(ERROR, one, anchor - one) for one in errors]
    rows = [
        {"anchor_score": anchor, "perturbation_category": kind, "score": score, "overall_score": overall}
        for kind, score, overall in [*given, *[(ERROR, None, None)] * unparsed]
    ]
    moved = sorted(map(abs, rewordings))
    return {
        "n_scored": len(errors) + len(rewordings),
        "unparsed": unparsed,
        "per_example": rows,
        "repr_bias_interval": [moved[0], moved[-1]] if moved else None,
        "error_sensitivity": sum(errors) / len(errors) if errors else None,
        "error_sensitivity_interval": [min(errors), max(errors)] if errors else None,
    }


VERDICTS = [
    ([0.0] * 10, [0.0] * 10, "gives the same one (4)"),
    ([0.0] * 39 + [0.5], [0.0] * 40, "All but 1 of the 80 replies that have a score give the same one (4)"),
    ([0.0] * 9 + [0.01], [2.0] * 10, "sensitivity is about 0"),
    ([1.0] * 9, [0.5] * 10, "Fewer than 10 texts with an error"),
    ([], [0.5, 0.1], "Fewer than 10 texts with an error"),
    ([-1.0] * 9 + [-0.5], [0.1] * 10, "rewards errors"),
    ([-1.0] * 9 + [-0.5], [1.0] * 10, "above the anchors for errors and for reworded texts alike"),
    ([-1.0] * 9 + [-0.5], [2.0, -2.0] * 10, "above their anchors. Whether that is because of the errors, these"),
    ([-1.0] * 9 + [-0.5], [0.5] * 9, "above their anchors. Whether that is because of the errors cannot be said"),
    ([-1.0] * 5 + [2.0] * 5, [0.5] * 10, "includes 0"),
    ([1.0] * 9 + [2.0], [0.1] * 10, "more than rewording"),
    ([0.5] * 9 + [0.6], [1.0] * 10, "less than rewording"),
    ([0.5] * 9 + [0.6], [-1.0] * 10, "below the anchors for errors and for reworded texts alike"),
    ([0.5] * 9 + [0.6], [2.0, -2.0] * 10, "below their anchors. Whether that is because of the errors, these"),
    ([0.5] * 9 + [0.9], [0.6] * 10, "more than rewording moves it, these rows do not settle"),
    ([0.5] * 9 + [0.9], [0.6] * 9, "below their anchors. Whether that is because of the errors cannot be said"),
]


@pytest.mark.parametrize(("errors", "rewordings", "words"), VERDICTS)
def test_the_sentence_says_what_the_numbers_bear_out(errors: list[float], rewordings: list[float], words: str) -> None:
    found = Check(20, [], Part(bias_result(errors, rewordings)), Part())
    assert words in checkverdict.verdict(found)


def test_about_0_is_measured_by_the_scale_that_was_given() -> None:
    result = bias_result([0.1] * 10, [0.1, -0.1] * 10)
    told = [
        checkverdict.verdict(Check(30, [], Part(result), Part(), scale)) for scale in (None, (1.0, 5.0), (4.0, 5.0))
    ]
    assert ["about 0" in one for one in told] == [False, True, False]


def accuracy_result(share: float, interval: list[float], n: int = 20, ties: int = 0) -> dict[str, Any]:
    """A result of reward_accuracy, as far as the sentence asks for it."""
    return {"reward_accuracy": share, "interval": interval, "n": n, "ties": ties}


BOTH: list[tuple[list[float], dict[str, Any], str]] = [
    ([-2.0] * 9 + [-1.0], accuracy_result(0.8, [0.7, 0.9]), "disagree: by its log-probabilities it prefers the chosen"),
    ([1.0] * 9 + [2.0], accuracy_result(0.2, [0.1, 0.4]), "the chosen one wins in 20% of pairs"),
    ([1.0] * 9 + [2.0], accuracy_result(0.8, [0.7, 0.9]), ""),
    ([1.0] * 9 + [2.0], accuracy_result(0.2, [0.1, 0.4], n=9), ""),
    ([1.0] * 9 + [2.0], accuracy_result(0.2, [0.1, 0.4], ties=10), ""),
    ([-1.0] * 5 + [2.0] * 5, accuracy_result(0.8, [0.7, 0.9]), ""),
    ([0.0] * 10, accuracy_result(0.2, [0.1, 0.4]), ""),
]


@pytest.mark.parametrize(("errors", "accuracy", "words"), BOTH)
def test_the_two_kinds_disagree_only_where_both_are_certain(
    errors: list[float], accuracy: dict[str, Any], words: str
) -> None:
    told = checkverdict.verdict(Check(20, [], Part(bias_result(errors, [0.1, -0.1] * 10)), Part(accuracy)))
    assert words in told
    assert ("disagree" in told) == bool(words)


ALONE = [
    (accuracy_result(0.5, [0.6, 0.9]), "more than by"),
    (accuracy_result(0.5, [0.1, 0.4]), "less than by"),
    (accuracy_result(0.5, [0.4, 0.6]), "chance alone could"),
    (accuracy_result(0.5, [0.1, 0.4], ties=8), "in 50% of pairs; 8 of 20 pairs are ties"),
]


@pytest.mark.parametrize(("accuracy", "words"), ALONE)
def test_log_probabilities_alone_have_a_sentence(accuracy: dict[str, Any], words: str) -> None:
    assert words in checkverdict.verdict(Check(20, [], Part(), Part(accuracy)))


Pairs = Sequence[tuple[Any, float, str]]

Chances = Sequence[tuple[float, float]]


def told_of(replies: Pairs, chances: Chances | None = None) -> str:
    """The sentence on these replies (score, anchor, category) and log-probabilities, by the modules' own numbers."""
    columns: dict[str, list[Any]] = {}
    if replies:
        columns["generated"] = [str(said) for said, _, _ in replies]
        columns["anchor_score"] = [anchor for _, anchor, _ in replies]
        columns["perturbation_category"] = [kind for _, _, kind in replies]
    if chances:
        columns["chosen_logprob"], columns["rejected_logprob"] = map(list, zip(*chances, strict=True))
    return checkverdict.verdict(judgecheck.check(table(**columns), None))


def both(anchors: list[float], shift: Any) -> Pairs:
    """Replies to texts of both categories, each with this shift from its anchor."""
    return [(anchor + shift, anchor, kind) for kind in (REPRESENT, ERROR) for anchor in anchors]


FIVES = random.Random(3).choices([1, 2, 3, 4, 5], k=200)
LOST = [(-1 if i % 5 == 0 else -2, -1.5) for i in range(60)]
NEARLY = [(3, 3, REPRESENT)] * 50 + [(3 if i else 3.5, 4.5, ERROR) for i in range(50)]
BLIND = [(4 if i % 20 else 1, 4, REPRESENT) for i in range(40)] + [(3.9 if i % 2 else 4, 4, ERROR) for i in range(40)]
SPLIT = [(4, 4, REPRESENT)] * 10 + [(said, 4, ERROR) for said in (2, 5, 4, 4, 3, 4, 4, 4, 3, 4.9)]
NONE = [("x", 4, REPRESENT)] * 20 + [("x", 4, ERROR)] * 20
REPLIES: list[tuple[Pairs, Chances | None, str]] = [
    (NEARLY, None, "All but 1 of the 100 replies that have a score give the same one (3)"),
    ([(said, 4, kind) for said, _, kind in NEARLY], None, "All but 1 of the 100 replies"),
    ([(said, 4.5, (REPRESENT, ERROR)[i < 100]) for i, said in enumerate(FIVES)], None, "lie below the anchors for err"),
    (both([2, 3, 3.5] * 10, 1), None, "lie above the anchors for errors and for reworded texts alike"),
    (both([3, 4, 3.5] * 10, -1), None, "lie below the anchors for errors and for reworded texts alike"),
    ([(3, 4, kind) for kind in (REPRESENT, ERROR) for _ in range(30)], LOST, "gives the same one (3)"),
    (BLIND, [*LOST, *LOST[:20]], "below their anchors. Whether that is because of the errors, these rows do not"),
    (SPLIT, [(-1, -2)] * 20, "includes 0"),
    (NONE[:1], None, "The one reply has no score"),
    (NONE, None, "None of the 40 replies has a score"),
    (NONE, [(-1, -2)] * 40, "sensitivity. By its log-probabilities the judge prefers the chosen text in 100% of pairs"),
    ([], [(-1, -2)] * 4, "Fewer than 10 pairs"),
    ([], [(0, 0)] * 30, "prefers neither text: 30 of 30 pairs are ties"),
    ([], [(-1 if i else -3, -2) for i in range(10_000)], "in more than 99% of pairs, more than by chance"),
]


@pytest.mark.parametrize(("replies", "chances", "words"), REPLIES)
def test_what_a_reviewer_found_claims_no_more_than_it_may(replies: Pairs, chances: Chances | None, words: str) -> None:
    told = told_of(replies, chances)
    assert words in told
    for claim in ("lowers its score", "rewards errors", "disagree", "about 0", "rest on the others"):
        assert claim not in told


def test_no_word_about_a_bias_that_there_is_not() -> None:
    assert "bias" not in told_of([(3, 4, ERROR)] * 20)
    assert "A low bias alone is no merit" in told_of([(3, 4, ERROR)] * 20 + [(3, 4, REPRESENT)])


def test_a_judge_that_is_usually_right_is_not_called_constant() -> None:
    replies: Pairs = [(4, 4, REPRESENT)] * 950 + [(1, 4, ERROR)] * 40
    assert "more than rewording moves it" in told_of(replies)


def test_many_replies_without_a_score_are_said() -> None:
    few = checkverdict.verdict(Check(22, [], Part(bias_result([1.0] * 10, [0.1] * 10, unparsed=2)), Part()))
    many = checkverdict.verdict(Check(23, [], Part(bias_result([1.0] * 10, [0.1] * 10, unparsed=3)), Part()))
    assert "without a score" not in few
    assert "Replies without a score: 3 of 23. Bias and sensitivity rest on the others" in many


# HTML


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
        if tag != "wbr":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def drawn(rows: Rows, scale: Any = None, name: str = "a.jsonl") -> str:
    """What is shown of these rows."""
    return checkview.draw_check(judgecheck.check(reading.read("json", jsonl_of(rows)), scale), name, False)


def test_everything_of_a_file_is_escaped() -> None:
    rows = [dict(row, generated=MARKUP, perturbation_type=MARKUP) for row in judged_rows()]
    rows = [dict(row, chosen_logprob=-1, rejected_logprob=-2) for row in rows]
    rows[0]["generated"] = "4"
    found = Elements(drawn(rows, name=MARKUP))
    assert found.text.count("<img src=x") > 8
    assert "img" not in found.tags
    for message in ("refused", "pending"):
        assert "img" not in Elements(checkview.draw_message(MARKUP, message, MARKUP)).tags


def test_replies_without_a_score_are_listed_and_the_list_is_bounded() -> None:
    rows = judged_rows() + [dict(judged_rows()[3], generated=f"reply {n} " + "x" * 300) for n in range(25)]
    rows[6]["generated"] = '{"overall_score": "high"}'
    rows[7]["generated"] = '{"overall_score": 9}'
    text = Elements(drawn(rows, (1.0, 5.0))).text
    assert "Replies without a score: 25" in text
    assert "Row 7: its overall_score is no number" in text
    assert "Row 8: its score lies outside the range you gave" in text
    assert "Row 9: no JSON object with overall_scorereply 2 xxx" in text
    assert "Row 26:" in text
    assert "Row 27:" not in text
    assert "and 5 more" in text
    assert "x" * 161 not in text
    assert "With them, at the extremes" in text


def test_many_types_are_bounded_and_said() -> None:
    rows = [dict(judged_rows()[3], perturbation_type=f"type{n}") for n in range(43)]
    found = Elements(drawn(rows)).text
    assert "type39" in found
    assert "type40" not in found
    assert "and 3 more types" in found


@pytest.mark.parametrize(
    ("value", "left", "width"), [(1.0, 25.0, 25.0), (-0.5, 12.5, 12.5), (0.0, 25.0, 0.0), (3.0, 25.0, 75.0)]
)
def test_bars_begin_at_the_zero_line(value: float, left: float, width: float) -> None:
    bar = checkplots.whiskered(value, [value - 0.1, value + 0.1], (-1.0, 3.0), 0.0)
    assert f'class="al-fill" style="left:{left:.2f}%;width:{width:.2f}%"' in bar
    assert 'class="al-tick" style="left:25.00%"' in bar
    assert "al-whisker" in bar
    assert "al-fill" not in checkplots.whiskered(None, None, (-1.0, 3.0), 0.0)


@given(st.floats(-1e6, 1e6), st.floats(0, 1e6), st.floats(-1e6, 1e6))
def test_no_bar_leaves_its_box(low: float, span: float, value: float) -> None:
    scale = (min(low, 0.0), max(low + span, 1.0))
    for piece in checkplots.whiskered(value, [value - 1, value + 1], scale, 0.0).split('style="')[1:]:
        ends = dict(part.split(":") for part in piece.partition('"')[0].split(";"))
        left, width = float(ends["left"][:-1]), float(ends.get("width", "0%")[:-1])
        assert 0 <= left <= 100
        assert 0 <= left + width <= 100.01


def test_beside_each_bar_stands_how_many_rows_it_rests_on() -> None:
    rows = [dict(row, chosen_logprob=-1, rejected_logprob=-2) for row in judged_rows()]
    rows[0]["generated"] = "no score"
    text = Elements(drawn(rows)).text
    assert "represent_typen = 2" in text.replace(" n =", "n =")
    assert text.count("n = 3") == 3


def test_large_numbers_are_written_short() -> None:
    rows = [dict(row, generated="-1e90") for row in judged_rows()]
    text = Elements(drawn(rows)).text
    assert "1e+90" in text
    assert "0" * 20 not in text


# The example and the callback


def test_the_example_says_that_it_is_made_up_and_has_something_of_everything() -> None:
    rows = list(csv.DictReader(io.StringIO(reading.example_bytes().decode("utf-8"), newline="")))
    assert 50 <= len(rows) <= 70
    assert "made_up" in reading.EXAMPLE.name
    assert all("made-up" in row["note"] and "made up" in row["dataset_name"] for row in rows)
    assert len({row["perturbation_type"] for row in rows}) == 9
    found = judgecheck.check(reading.read("csv", reading.example_bytes()), (1.0, 5.0))
    assert found.bias.result is not None
    assert found.accuracy.result is not None
    assert found.bias.result["failures"] == {"no_score": 2, "bad_score": 1}
    assert found.accuracy.result["ties"] == 1
    assert any((row["mean"] or 0) < 0 for row in found.bias.result["by_type"])
    assert "made-up example" in checkview.draw_check(found, "x", True).lower()


def steps(*values: Any, session: str = "s") -> list[Any]:
    """What the callback yields, step by step."""

    async def collect() -> list[Any]:
        return [step async for step in checkpage.respond(*values, "en", SimpleNamespace(session_hash=session))]

    return asyncio.run(collect())


def sent(data: bytes, name: str, turn: str = "1", low: str = "", high: str = "") -> tuple[str, ...]:
    """A file as the page sends it."""
    return base64.b64encode(data).decode(), name, "file", turn, low, high


def test_a_call_says_that_it_works_and_then_what_came_of_it() -> None:
    first, second, last = steps(*sent(jsonl_of(judged_rows()), "a.jsonl"), session="steps")
    assert 'data-state="pending"' in first
    assert 'data-state="checked"' in second
    assert isinstance(last, dict)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        (("", "", "none", "1", "", ""), "No file is chosen"),
        (("", "big.csv", "large", "1", "", ""), "at most 10 MB"),
        (("", "a.csv", "unread", "1", "", ""), "did not arrive whole"),
        (("", "a.csv", "file", "1", "", ""), "no rows"),
        ((None, ["x"], {}, None, 5, b"x"), "cannot be told from its name"),
        (sent(b"generated\nx\n", "a.csv", low="5", high="1"), "Lowest and highest"),
    ],
)
def test_calls_without_a_file_to_check_are_answered_in_words(values: Any, words: str) -> None:
    answer = steps(*values, session=words)[1]
    assert 'data-state="refused"' in answer
    assert words in answer


def test_what_a_newer_call_has_overtaken_says_nothing_more() -> None:
    steps(*sent(b"x", "a.csv", turn="5"), session="newer")
    assert [type(step) for step in steps(*sent(b"x", "a.csv", turn="4"), session="newer")] == [dict]
    assert len(steps(*sent(b"x", "a.csv", turn="4"), session="another")) == 3
    checkpage.leave("newer")
    assert len(steps(*sent(b"x", "a.csv", turn="4"), session="newer")) == 3


@pytest.fixture
def blocked() -> Iterator[threading.Event]:
    """All threads of checks wait for this."""
    gate = threading.Event()
    jobs = [checkpage.CHECKS.begin(lambda: str(gate.wait(30))) for _ in range(checkpage.MAX_FILES)]
    yield gate
    gate.set()
    for job in jobs:
        assert job is not None
        job.result(30)


def test_long_checks_hold_up_no_pasted_answer_and_too_many_are_refused(blocked: threading.Event) -> None:
    assert running.WORDS.submit(lambda: "scored").result(10) == "scored"
    answer = steps(*sent(b"x", "a.csv"), session="busy")
    assert len(answer) == 1
    assert "Too many files" in answer[0]
    blocked.set()


def test_places_are_free_again_afterwards() -> None:
    for turn in range(2 * checkpage.MAX_FILES):
        assert len(steps("", "a.csv", "large", str(turn), "", "", session="places")) == 3


def test_the_page_asks_for_no_endpoint_of_uploads() -> None:
    app = importlib.import_module("lens.page.build")
    assert not any("upload" in endpoint or "file" in endpoint for endpoint in app.ENDPOINTS)
    assert 4 * (tablefile.MAX_BYTES // 3 + 1) + 100_000 < app.MAX_REQUEST_BYTES
