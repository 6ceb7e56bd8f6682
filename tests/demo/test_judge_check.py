"""The judge check: what a file may be, the numbers of the modules, what they mean together, what the tab shows."""

from __future__ import annotations

import csv
import doctest
import io
import json
import random
import re
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import gradio as gr
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lens.judge_check import numbers, verdict
from lens.judge_check.numbers import Check, Part
from lens.page import judge_check_tab
from lens.tables import untrusted
from lens.tables.untrusted import BadFile, Table
from lens.words import speaking

from tests.support.project import load

REPRESENT, ERROR = "represent", "error"
# Anchors, scores and categories worked by hand: the bias is 1/3, the sensitivity 1/6.
BY_HAND = [(4, "3.5", REPRESENT), (3, "3", REPRESENT), (4.5, "5", REPRESENT), (4, "2.5", ERROR), (3.5, "3.5", ERROR)]
BY_HAND += [(3, "4", ERROR)]
HOSTILE = ["NA", "None", "null", "007", "", " x ", "a\nb", 'say "so", now', "中文 😀 é", "=1+1", "nan", "1e5"]
MARKUP = '<img src=x onerror="window.broken=1">\'"&amp;</article>'

Rows = list[dict[str, Any]]


def csv_of(rows: Rows) -> bytes:
    """Rows as a CSV file."""
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, list(rows[0]), quoting=csv.QUOTE_ALL)
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


def judged_rows(**more: Any) -> Rows:
    """Rows worked by hand, as a file has them."""
    names = ("anchor_score", "generated", "perturbation_category")
    return [dict(zip(names, one, strict=True), perturbation_type=f"{one[2]}_type", **more) for one in BY_HAND]


def table(**columns: list[Any]) -> Table:
    """A table with these columns."""
    return Table(list(columns), 0, len(next(iter(columns.values()))), columns)


def received(folder: Path, name: str, data: bytes) -> Table:
    """A file as the tab reads it; it is gone afterwards."""
    path = folder / name
    path.write_bytes(data)
    try:
        return untrusted.read_upload(path)
    finally:
        assert not path.exists()


# Files


def test_texts_are_read_as_they_stand_from_every_kind_of_file(tmp_path: Path) -> None:
    rows: Rows = [{"other": "1", "generated": text, "anchor_score": 2} for text in HOSTILE]
    kinds = {"a.csv": csv_of, "b.jsonl": jsonl_of, "c.JSON": lambda rows: json.dumps(rows).encode()}
    for name, write in (kinds | {"d.parquet": parquet_of}).items():
        found = received(tmp_path, name, write(rows))
        assert found.columns["generated"] == HOSTILE
        assert found.rows == len(HOSTILE)


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("a.csv", b"", "no rows"),
        ("a.csv", "generated\nnaïve".encode("latin-1"), "not in UTF-8"),
        ("a.csv", b"generated,anchor_score\nx,1\ny\n", "Row 2"),
        ("a.json", b'{"generated": "x", "generated": "y"}', "“generated” stands twice"),
        ("a.jsonl", b'{"generated": "x"}\n\n{"generated": }', "line 3"),
        ("a.parquet", b"PAR1 this is none PAR1", "no Parquet file"),
        ("a.csv", b"generated\n" + b"x\n" * 10_001, "more than 10,000 rows"),
        ("a.csv", b"generated\n" + b"x" * 10_000_000, "at most 10 MB"),
        ("a.xlsx", b"PK", "should end in .csv"),
    ],
)
def test_what_cannot_be_read_is_said_in_plain_words(tmp_path: Path, name: str, data: bytes, words: str) -> None:
    with pytest.raises(BadFile, match=re.escape(words)):
        received(tmp_path, name, data)


# What the modules are given


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_number_that_python_writes_is_read_back(value: float) -> None:
    assert numbers.plain_number(f" {value!r} ") == value


@pytest.mark.parametrize(
    "cell", ["", " ", "4,5", "4/5", "nan", "inf", "1_000", "٤", "0x1", "9" * 400, True, None, [], float("nan")]
)
def test_what_is_no_number_is_refused_with_its_row(cell: Any) -> None:
    with pytest.raises(BadFile, match="“anchor_score”, row 2, is "):
        numbers.numbers(table(anchor_score=[4, cell]), "anchor_score")


@pytest.mark.parametrize("ends", [("1", ""), ("", "5"), ("5", "1"), ("1", "1"), ("a", "b"), ("1", "nan")])
def test_a_range_is_two_numbers_or_none(ends: tuple[str, str]) -> None:
    assert numbers.score_range(" 1 ", "5.5") == (1.0, 5.5)
    assert numbers.score_range("", " ") is None
    with pytest.raises(BadFile, match="Lowest and highest"):
        numbers.score_range(*ends)


def whole_table() -> Table:
    """Rows worked by hand with log-probabilities: four pairs won, one tie, one lost."""
    rows = judged_rows()
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    return table(**columns, chosen_logprob=[-1, "-2", -3, -4, -5, -6], rejected_logprob=[-2, -3, -4, -5, -5, "-5.5"])


def test_the_numbers_are_those_of_the_modules() -> None:
    found = numbers.check(whole_table(), (1.0, 5.0))
    bias, accuracy = found.bias.result, found.accuracy.result
    assert bias is not None
    assert accuracy is not None
    assert (bias["repr_bias"], bias["error_sensitivity"]) == (pytest.approx(1 / 3), pytest.approx(1 / 6))
    assert (accuracy["reward_accuracy"], accuracy["ties"]) == (pytest.approx(4 / 6), 1)
    anchors, replies, kinds = map(list, zip(*BY_HAND, strict=True))
    direct = load("judge_bias").compute(
        predictions=replies,
        references=anchors,
        perturbation_categories=kinds,
        perturbation_types=[f"{kind}_type" for kind in kinds],
        score_range=(1.0, 5.0),
    )
    assert {name: bias[name] for name in direct} == direct


def test_each_number_needs_its_own_columns() -> None:
    columns = whole_table().columns
    found = numbers.check(table(**{name: cells for name, cells in columns.items() if "logprob" not in name}), None)
    assert found.bias.result
    assert "“chosen_logprob”, “rejected_logprob”" in found.accuracy.message
    found = numbers.check(table(**{name: cells for name, cells in columns.items() if "logprob" in name}), None)
    assert found.accuracy.result
    assert "“generated”, “anchor_score”, “perturbation_category”" in found.bias.message
    with pytest.raises(BadFile, match=r"Found: “prompt” and 2 more\. Needed: “generated”, .*“chosen_logprob”"):
        numbers.check(Table(["prompt"], 2, 1, {}), None)


@pytest.mark.parametrize(
    ("column", "cell", "scale", "words"),
    [
        ("perturbation_category", "eror", None, "column “perturbation_category”, row 2 is 'eror'"),
        ("perturbation_category", None, None, "column “perturbation_category”, row 2 is empty; a text is expected"),
        ("generated", {"overall_score": 4}, None, "column “generated”, row 2 is {'overall_score': 4}"),
        ("anchor_score", "4,5", None, "column “anchor_score”, row 2, is “4,5”"),
        ("anchor_score", 7, (1.0, 5.0), "column “anchor_score”, row 2 is 7.0"),
    ],
)
def test_a_bad_cell_is_named_and_the_other_number_goes_on(column: str, cell: Any, scale: Any, words: str) -> None:
    whole = whole_table()
    whole.columns[column][1] = cell
    found = numbers.check(whole, scale)
    assert words in found.bias.message
    assert found.bias.failed
    assert found.bias.result is None
    assert found.accuracy.result
    several = "perturbation_categories[3] is 'x', [5] is 'y' and 2 more"
    told = "column “perturbation_category”, row 4 is 'x', row 6 is 'y' and 2 more"
    assert numbers.in_words_of_the_file(several) == told


def test_no_reply_and_numbers_for_types_are_the_same_in_every_kind_of_file(tmp_path: Path) -> None:
    rows = [
        row | {"perturbation_type": i % 2} for i, row in enumerate(judged_rows(chosen_logprob=-1, rejected_logprob=-2))
    ]
    rows[4]["generated"] = None
    decimals = [row | {"perturbation_type": Decimal(row["perturbation_type"])} for row in rows]
    files = {"a.json": jsonl_of(rows), "a.csv": csv_of(rows), "b.parquet": parquet_of(rows)}
    for name, data in (files | {"c.parquet": parquet_of(decimals)}).items():
        found = numbers.check(received(tmp_path, name, data), None)
        assert found.bias.result is not None, found.bias.message
        assert found.accuracy.result is not None, found.accuracy.message
        assert found.bias.result["failures"] == {"no_score": 1}
        assert {row["perturbation_type"] for row in found.bias.result["by_type"]} == {"0", "1"}
        assert {row["group"] for row in found.accuracy.result["by_group"]} == {"0", "1"}
    assert numbers.types(table(perturbation_type=[1.5, None, "x", True])) == ["1.5", None, "x", True]
    assert numbers.replies(table(generated=[None, float("nan"), 4.5])) == ["", "", "4.5"]


def test_a_failing_module_is_no_number_and_says_nothing_of_the_file(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(name: str, configuration: str | None = None) -> Any:
        raise RuntimeError("Secret of the file"[::-1])

    monkeypatch.setattr(numbers.modules, "fresh_module", fail)
    found = numbers.check(whole_table(), None)
    assert (found.bias.result, found.accuracy.result) == (None, None)
    assert "RuntimeError" in found.bias.message
    assert "RuntimeError" in caplog.text
    assert "terceS" not in caplog.text + found.bias.message


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
        "by_type": [],
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
    assert words in verdict.verdict(Check(20, [], Part(bias_result(errors, rewordings)), Part()))


def test_about_0_is_measured_by_the_scale_that_was_given() -> None:
    result = bias_result([0.1] * 10, [0.1, -0.1] * 10)
    told = [verdict.verdict(Check(30, [], Part(result), Part(), scale)) for scale in (None, (1.0, 5.0), (4.0, 5.0))]
    assert ["about 0" in one for one in told] == [False, True, False]


def of_type(name: str, scored: int, interval: list[float] | None) -> dict[str, Any]:
    """A row by type of judge_bias' sensitivity."""
    mean = sum(interval) / 2 if interval else None
    return {"perturbation_type": name, "measure": "error_sensitivity", "n_scored": scored, "interval": interval} | {
        "mean": mean
    }


def test_types_of_errors_that_are_rewarded_are_named_where_errors_as_a_whole_are_not() -> None:
    types = [of_type("numbers", 5, [-0.5, -0.3]), of_type("few", 4, [-1, -1]), of_type("unsure", 9, [-1, 0.1])]
    types += [of_type("fine", 9, [0.2, 1.0]), of_type("one", 1, None), of_type("x" * 200, 7, [-2.0, -1.0])]
    bias = {
        "perturbation_type": "reworded",
        "measure": "repr_bias",
        "n_scored": 9,
        "interval": [-1.0, -0.5],
        "mean": -1,
    }

    def told(errors: list[float], by_type: list[dict[str, Any]], language: str = "en") -> str:
        with speaking(language):
            found = bias_result(errors, [0.1] * 10) | {"by_type": [bias, *by_type]}
            return verdict.verdict(Check(20, [], Part(found), Part()))

    falls = [1.0] * 9 + [2.0]
    named = f"“numbers” (sensitivity -0.40, n = 5), “{'x' * 80}…” (sensitivity -1.50, n = 7)."
    assert told(falls, types).endswith(f"moves it. Some errors raise its score above the anchor: {named}")
    assert told(falls, types[:1], "zh").endswith("反而使分数高于基准分：“numbers”（敏感度 -0.40，n = 5）。")
    assert "and 3 more types" in told(falls, types[:1] * 8)
    assert "Some errors raise" in told([-1.0] * 5 + [2.0] * 5, types)
    for errors, found in ((falls, types[1:5]), ([-1.0] * 9 + [-0.5], types), ([1.0] * 9, types)):
        assert "Some errors raise" not in told(errors, found)


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
    told = verdict.verdict(Check(20, [], Part(bias_result(errors, [0.1, -0.1] * 10)), Part(accuracy)))
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
    assert words in verdict.verdict(Check(20, [], Part(), Part(accuracy)))


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
    return verdict.verdict(numbers.check(table(**columns), None))


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
def test_no_sentence_claims_more_than_it_may(replies: Pairs, chances: Chances | None, words: str) -> None:
    told = told_of(replies, chances)
    assert words in told
    for claim in ("lowers its score", "rewards errors", "disagree", "about 0", "rest on the others"):
        assert claim not in told


def test_what_is_said_beside_the_sentence() -> None:
    assert "bias" not in told_of([(3, 4, ERROR)] * 20)
    assert "A low bias alone is no merit" in told_of([(3, 4, ERROR)] * 20 + [(3, 4, REPRESENT)])
    assert "more than rewording moves it" in told_of([(4, 4, REPRESENT)] * 950 + [(1, 4, ERROR)] * 40)
    few, many = (bias_result([1.0] * 10, [0.1] * 10, unparsed=count) for count in (2, 3))
    assert "without a score" not in verdict.verdict(Check(22, [], Part(few), Part()))
    told = verdict.verdict(Check(23, [], Part(many), Part()))
    assert "Replies without a score: 3 of 23. Bias and sensitivity rest on the others" in told


# The tab


def callbacks(language: str = "en") -> dict[str, Any]:
    """The callbacks of the tab by name."""
    with gr.Blocks() as page, speaking(language):
        judge_check_tab.build(language)
    return {one.fn.__name__: one.fn for one in page.fns.values() if one.fn}


def shown(folder: Path, rows: Rows, low: str = "", high: str = "", name: str = "a.jsonl") -> str:
    """What the tab shows of a file."""
    (folder / name).write_bytes(jsonl_of(rows))
    return str(callbacks()["check_file"](str(folder / name), low, high)[2])


def in_words(html: str) -> str:
    """The text of HTML."""
    return " ".join(re.sub(r"<[^>]*>", " ", html).split())


def test_everything_of_a_file_is_escaped(tmp_path: Path) -> None:
    rows = [row | {"generated": MARKUP, "perturbation_type": MARKUP} for row in judged_rows()]
    rows = [row | {"chosen_logprob": -1, "rejected_logprob": -2} for row in rows]
    rows[0]["generated"] = "4"
    for html in (shown(tmp_path, rows), judge_check_tab.message(MARKUP, MARKUP)):
        assert html.count("&lt;img src=x") >= 2
        assert "<img" not in html


def test_replies_without_a_score_and_types_are_listed_and_the_lists_are_bounded(tmp_path: Path) -> None:
    rows = judged_rows()
    rows += [rows[3] | {"generated": f"reply {n} " + "x" * 300, "perturbation_type": f"type{n}"} for n in range(45)]
    rows[6]["generated"], rows[7]["generated"] = '{"overall_score": "high"}', '{"overall_score": 9}'
    html = shown(tmp_path, rows, "1", "5")
    text = in_words(html)
    for words in (
        "Replies without a score: 45",
        "Row 7 : its overall_score is no number",
        "Row 8 : its score lies outside the range you gave",
        "Row 9 : no JSON object with overall_score reply 2 xxx",
        "and 25 more",
        "With them, at the extremes",
        "and 7 more types",
        "represent_type n = 3",
    ):
        assert words in text.replace("\u202f", " ").replace("\xa0", " "), words
    for words in ("Row 27", "type38", "x" * 161):
        assert words not in text
    assert "1e+90" in shown(tmp_path, [row | {"generated": "-1e90"} for row in judged_rows()])


@given(st.floats(-1e6, 1e6), st.floats(0.1, 1e6), st.floats(-1e6, 1e6))
def test_no_bar_leaves_its_box(low: float, span: float, value: float) -> None:
    assert 0 <= judge_check_tab.at(value, (low, low + span)) <= 100.001
    assert judge_check_tab.at(low, (low, low + span)) == 0


def test_the_example_has_something_of_everything_and_the_range_can_be_changed() -> None:
    rows = list(csv.DictReader(io.StringIO(judge_check_tab.EXAMPLE.read_text("utf-8"), newline="")))
    assert all("made-up" in row["note"] and "made up" in row["dataset_name"] for row in rows)
    tab = callbacks()
    given, _, html, signatures = tab["check_example"]("", "")
    text = in_words(html)
    for words in ("A made-up example", "59 rows", "Some errors raise its score", "Ties", "Row 11", "-0.43"):
        assert words in text
    assert "at the extremes" not in text
    assert [one.partition("|")[0] for one in signatures.value.splitlines()] == ["judge_bias", "reward_accuracy"]
    assert "at the extremes" in tab["check_again"](given, "1", "5")[0]
    assert "Lowest and highest" in tab["check_again"](given, "5", "1")[0]
    assert "No file is chosen" in tab["check_again"](None, "", "")[0]
    chinese = callbacks("zh")
    assert "虚构" in chinese["check_example"]("", "")[2]
    assert "没有选择文件" in chinese["check_again"](None, "", "")[0]


def test_a_file_that_is_not_there_any_more_is_said(tmp_path: Path) -> None:
    given, _, html, signatures = callbacks()["check_file"](str(tmp_path / "gone.csv"), "", "")
    assert given is None
    assert "gone.csv" in html
    assert "did not arrive whole" in html
    assert not signatures.visible


@pytest.mark.parametrize("module", [numbers, judge_check_tab])
def test_examples_in_the_code_run(module: Any) -> None:
    assert doctest.testmod(module).failed == 0
