"""The judge check: the numbers of the modules, what they mean together, what the tab shows."""

from __future__ import annotations

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
from lens.page.tab import message
from lens.tables import untrusted
from lens.tables.roles import BadTable
from lens.tables.untrusted import Table
from lens.words import speaking

from tests.support.project import load

REPRESENT, ERROR = "represent", "error"
# Anchors, scores and categories worked by hand: the bias is 1/3, the sensitivity 1/6.
BY_HAND = [(4, "3.5", REPRESENT), (3, "3", REPRESENT), (4.5, "5", REPRESENT), (4, "2.5", ERROR), (3.5, "3.5", ERROR)]
BY_HAND += [(3, "4", ERROR)]
MARKUP = '<img src=x onerror="window.broken=1">\'"&amp;</article>'

Rows = list[dict[str, Any]]


def jsonl_of(rows: Rows) -> bytes:
    return "\n".join(json.dumps(row, ensure_ascii=False) for row in rows).encode()


def judged_rows(**more: Any) -> Rows:
    """Rows worked by hand, as a file has them."""
    names = ("anchor_score", "generated", "perturbation_category")
    return [dict(zip(names, one, strict=True), perturbation_type=f"{one[2]}_type", **more) for one in BY_HAND]


def table(**columns: list[Any]) -> Table:
    return Table(list(columns), len(next(iter(columns.values()))), columns)


def whole_table() -> Table:
    """Rows worked by hand with log-probabilities: four pairs won, one tie, one lost."""
    rows = judged_rows()
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    return table(**columns, chosen_logprob=[-1, "-2", -3, -4, -5, -6], rejected_logprob=[-2, -3, -4, -5, -5, "-5.5"])


# What the modules are given


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_number_that_python_writes_is_read_back(value: float) -> None:
    assert numbers.plain_number(f" {value!r} ") == numbers.plain_number(value) == value


@pytest.mark.parametrize(
    "cell", ["", " ", "4,5", "4/5", "nan", "inf", "1_000", "٤", "0x1", "9" * 400, True, None, [], float("nan")]
)
def test_what_is_no_number_is_refused_with_its_row(cell: Any) -> None:
    with pytest.raises(BadTable, match="“anchor_score”, row 2, is "):
        numbers.numbers(table(anchor_score=[4, cell]), "anchor_score")


@pytest.mark.parametrize("ends", [("1", ""), ("", "5"), ("5", "1"), ("1", "1"), ("a", "b"), ("1", "nan")])
def test_a_range_is_two_numbers_or_none(ends: tuple[str, str]) -> None:
    assert numbers.score_range(" 1 ", "5.5") == (1.0, 5.5)
    assert numbers.score_range("", " ") is None
    with pytest.raises(BadTable, match="Lowest and highest"):
        numbers.score_range(*ends)


def test_the_numbers_are_those_of_the_modules() -> None:
    found = numbers.check(whole_table(), (1.0, 5.0))
    bias, accuracy = found.bias.result, found.accuracy.result
    assert bias is not None
    assert accuracy is not None
    assert (bias["repr_bias"], bias["error_sensitivity"]) == (pytest.approx(1 / 3), pytest.approx(1 / 6))
    assert (accuracy["reward_accuracy"], accuracy["ties"]) == (pytest.approx(4 / 6), 1)
    anchors, replies, kinds = map(list, zip(*BY_HAND, strict=True))
    columns = {"predictions": replies, "references": anchors, "perturbation_categories": kinds}
    types = [f"{kind}_type" for kind in kinds]
    direct = load("judge_bias").compute(**columns, perturbation_types=types, score_range=(1.0, 5.0))
    assert {name: bias[name] for name in direct} == direct


def test_each_number_needs_its_own_columns() -> None:
    columns = whole_table().columns
    parts = [{name: cells for name, cells in columns.items() if ("logprob" in name) == own} for own in (False, True)]
    of_replies, of_chances = (numbers.check(table(**part), None) for part in parts)
    assert of_replies.bias.result
    assert "“chosen_logprob”, “rejected_logprob”" in of_replies.accuracy.message
    assert of_chances.accuracy.result
    assert "“generated”, “anchor_score”, “perturbation_category”" in of_chances.bias.message
    with pytest.raises(BadTable, match=r"Found: “prompt”, “id”\. Needed: “generated”, .*“chosen_logprob”"):
        numbers.check(Table(["prompt", "id"], 1, {}), None)


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


def test_no_reply_and_numbers_for_types_are_the_same_in_every_kind_of_file() -> None:
    import pandas

    rows = judged_rows(chosen_logprob=-1, rejected_logprob=-2)
    rows = [row | {"perturbation_type": place % 2} for place, row in enumerate(rows)]
    rows[4]["generated"] = None
    frame = pandas.DataFrame(rows)
    decimals = frame.assign(perturbation_type=[Decimal(place % 2) for place in range(6)])
    kinds = [("json", jsonl_of(rows)), ("csv", frame.to_csv(index=False).encode())]
    for kind, data in (*kinds, ("parquet", frame.to_parquet()), ("parquet", decimals.to_parquet())):
        found = numbers.check(untrusted.read(f"a.{kind}", data), None)
        assert found.bias.result is not None, found.bias.message
        assert found.accuracy.result is not None, found.accuracy.message
        assert found.bias.result["failures"] == {"no_score": 1}
        assert {row["perturbation_type"] for row in found.bias.result["by_type"]} == {"0", "1"}
        assert {row["group"] for row in found.accuracy.result["by_group"]} == {"0", "1"}


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


ABOVE, BELOW = (f"{side} their anchors. Whether that is because of the errors, these" for side in ("above", "below"))
VERDICTS = [
    ([0.0] * 10, [0.0] * 10, "20 of the 20 replies that have a score give the same one (4)"),
    ([0.0] * 39 + [0.5], [0.0] * 40, "79 of the 80 replies that have a score give the same one (4)"),
    ([0.0] * 9 + [0.01], [2.0] * 10, "sensitivity is about 0"),
    ([1.0] * 9, [0.5] * 10, "Fewer than 10 texts with an error"),
    ([], [0.5, 0.1], "Fewer than 10 texts with an error"),
    ([-1.0] * 9 + [-0.5], [0.1] * 10, "rewards errors"),
    ([-1.0] * 9 + [-0.5], [1.0] * 10, ABOVE),
    ([-1.0] * 9 + [-0.5], [2.0, -2.0] * 10, ABOVE),
    ([-1.0] * 9 + [-0.5], [0.5] * 9, ABOVE),
    ([-1.0] * 5 + [2.0] * 5, [0.5] * 10, "includes 0"),
    ([1.0] * 9 + [2.0], [0.1] * 10, "more than rewording"),
    ([0.5] * 9 + [0.6], [1.0] * 10, "less than rewording"),
    ([0.5] * 9 + [0.6], [-1.0] * 10, BELOW),
    ([0.5] * 9 + [0.6], [2.0, -2.0] * 10, BELOW),
    ([0.5] * 9 + [0.9], [0.6] * 10, "more than rewording moves it, these rows do not settle"),
    ([0.5] * 9 + [0.9], [0.6] * 9, BELOW),
]


@pytest.mark.parametrize(("errors", "rewordings", "words"), VERDICTS)
def test_the_sentence_says_what_the_numbers_bear_out(errors: list[float], rewordings: list[float], words: str) -> None:
    assert words in verdict.verdict(Check(20, [], Part(bias_result(errors, rewordings)), Part()))


def test_about_0_is_measured_by_the_scale_that_was_given() -> None:
    result = bias_result([0.1] * 10, [0.1, -0.1] * 10)
    told = [verdict.verdict(Check(30, [], Part(result), Part(), scale)) for scale in (None, (1.0, 5.0), (4.0, 5.0))]
    assert ["about 0" in one for one in told] == [False, True, False]


def of_type(name: str, scored: int, interval: list[float] | None, measure: str = "error_sensitivity") -> dict[str, Any]:
    """A row by type of judge_bias."""
    mean = sum(interval) / 2 if interval else None
    return {"perturbation_type": name, "measure": measure, "n_scored": scored, "interval": interval, "mean": mean}


def test_types_of_errors_that_are_rewarded_are_named_where_errors_as_a_whole_are_not() -> None:
    types = [of_type("numbers", 5, [-0.5, -0.3]), of_type("few", 4, [-1, -1]), of_type("unsure", 9, [-1, 0.1])]
    types += [of_type("fine", 9, [0.2, 1.0]), of_type("one", 1, None), of_type("x" * 200, 7, [-2.0, -1.0])]

    def told(errors: list[float], by_type: list[dict[str, Any]], language: str = "en") -> str:
        bias = of_type("reworded", 9, [-1.0, -0.5], "repr_bias")
        with speaking(language):
            found = bias_result(errors, [0.1] * 10) | {"by_type": [bias, *by_type]}
            return verdict.verdict(Check(20, [], Part(found), Part()))

    falls = [1.0] * 9 + [2.0]
    named = f"“numbers” (sensitivity -0.40, n = 5), “{'x' * 80}…” (sensitivity -1.50, n = 7)."
    assert told(falls, types).endswith(f"moves it. Some errors raise its score above the anchor: {named}")
    assert told(falls, types[:1], "zh").endswith("反而使分数高于基准分：“numbers”（敏感度 -0.40，n = 5）。")
    assert "and 3 more" in told(falls, types[:1] * 8)
    assert "Some errors raise" in told([-1.0] * 5 + [2.0] * 5, types)
    for errors, found in ((falls, types[1:5]), ([-1.0] * 9 + [-0.5], types), ([1.0] * 9, types)):
        assert "Some errors raise" not in told(errors, found)


def accuracy_result(share: float, interval: list[float], n: int = 20, ties: int = 0) -> dict[str, Any]:
    """A result of reward_accuracy, as far as the sentence asks for it."""
    return {"reward_accuracy": share, "interval": interval, "n": n, "ties": ties}


BOTH: list[tuple[list[float] | None, dict[str, Any], str]] = [
    ([-2.0] * 9 + [-1.0], accuracy_result(0.8, [0.7, 0.9]), "disagree. By its log-probabilities the judge prefers"),
    (
        [1.0] * 9 + [2.0],
        accuracy_result(0.2, [0.1, 0.4]),
        "disagree. By its log-probabilities the judge prefers",
    ),
    ([1.0] * 9 + [2.0], accuracy_result(0.8, [0.7, 0.9]), ""),
    ([1.0] * 9 + [2.0], accuracy_result(0.2, [0.1, 0.4], n=9), ""),
    ([1.0] * 9 + [2.0], accuracy_result(0.2, [0.1, 0.4], ties=10), ""),
    ([-1.0] * 5 + [2.0] * 5, accuracy_result(0.8, [0.7, 0.9]), ""),
    ([0.0] * 10, accuracy_result(0.2, [0.1, 0.4]), ""),
    (None, accuracy_result(0.5, [0.6, 0.9]), "more than by"),
    (None, accuracy_result(0.5, [0.1, 0.4]), "less than by"),
    (None, accuracy_result(0.5, [0.4, 0.6]), "chance alone could"),
    (None, accuracy_result(0.5, [0.1, 0.4], ties=8), "in 50% of pairs; 8 of 20 pairs are ties"),
]


@pytest.mark.parametrize(("errors", "accuracy", "words"), BOTH)
def test_log_probabilities_alone_and_where_they_disagree_for_certain(
    errors: list[float] | None, accuracy: dict[str, Any], words: str
) -> None:
    bias = Part(bias_result(errors, [0.1, -0.1] * 10)) if errors else Part()
    told = verdict.verdict(Check(20, [], bias, Part(accuracy)))
    assert words in told
    assert ("disagree" in told) == ("disagree" in words)


def told_of(*replies: tuple[Any, float, str], chances: Sequence[tuple[float, float]] = ()) -> str:
    """The sentence on these replies (score, anchor, category) and log-probabilities, by the modules' own numbers."""
    columns: dict[str, list[Any]] = {}
    if replies:
        columns["generated"] = [str(said) for said, _, _ in replies]
        columns["anchor_score"] = [anchor for _, anchor, _ in replies]
        columns["perturbation_category"] = [kind for _, _, kind in replies]
    if chances:
        columns["chosen_logprob"], columns["rejected_logprob"] = map(list, zip(*chances, strict=True))
    return verdict.verdict(numbers.check(table(**columns), None))


FIVES = random.Random(3).choices([1, 2, 3, 4, 5], k=200)
LOST = [(-1 if i % 5 == 0 else -2, -1.5) for i in range(80)]
BLIND = [(4 if i % 20 else 1, 4, REPRESENT) for i in range(40)] + [(3.9 if i % 2 else 4, 4, ERROR) for i in range(40)]
TOLD: list[tuple[list[Any], list[Any], str]] = [
    ([(said, 4.5, (REPRESENT, ERROR)[i < 100]) for i, said in enumerate(FIVES)], [], BELOW),
    (BLIND, LOST, BELOW),
    (
        [(3, 4, kind) for kind in (REPRESENT, ERROR) for _ in range(40)],
        LOST,
        "80 of the 80 replies that have a score give the same one",
    ),
    ([("x", 4, ERROR)], [], "None of the replies has a score"),
    ([("x", 4, ERROR)] * 40, [(-1, -2)] * 40, "sensitivity. By its log-probabilities the judge prefers the chosen"),
    ([], [(-1, -2)] * 4, "Fewer than 10 pairs"),
    ([], [(0, 0)] * 30, "in 0% of pairs; 30 of 30 pairs are ties"),
    ([], [(-1 if i else -3, -2) for i in range(10_000)], "in >99% of pairs, more than by chance"),
]


@pytest.mark.parametrize(("replies", "chances", "words"), TOLD)
def test_no_sentence_claims_more_than_it_may(replies: Any, chances: Any, words: str) -> None:
    told = told_of(*replies, chances=chances)
    assert words in told
    for claim in ("lowers its score", "rewards errors", "disagree", "about 0", "rest on the others"):
        assert claim not in told


def test_what_is_said_beside_the_sentence() -> None:
    assert "A low bias alone is no merit" in told_of(*[(3, 4, ERROR)] * 20, (3, 4, REPRESENT))
    assert "more than rewording moves it" in told_of(*[(4, 4, REPRESENT)] * 950, *[(1, 4, ERROR)] * 40)
    few, many = (
        verdict.verdict(Check(23, [], Part(bias_result([1.0] * 10, [0.1] * 10, unparsed=count)), Part()))
        for count in (2, 3)
    )
    assert "without a score" not in few
    assert "Replies without a score: 3 of 23. Bias and sensitivity rest on the others" in many


# The tab


def shown(folder: Path, rows: Rows, low: str = "", high: str = "", name: str = "a.jsonl") -> str:
    (folder / name).write_bytes(jsonl_of(rows))
    return str(judge_check_tab.results(judge_check_tab.received(str(folder / name)), low, high)["shown"])


def in_words(html: str) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", html).split())


def test_everything_of_a_file_is_escaped(tmp_path: Path) -> None:
    rows = [row | {"generated": MARKUP, "perturbation_type": MARKUP} for row in judged_rows()]
    rows = [row | {"chosen_logprob": -1, "rejected_logprob": -2} for row in rows]
    rows[0]["generated"] = "4"
    for html in (shown(tmp_path, rows), message(MARKUP)):
        assert "&lt;img src=x" in html
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
        "and 25 more not shown",
        "With them, at the extremes",
        "and 6 more not shown",
    ):
        assert words in text, words
    for words in ("Row 27", "type40", "x" * 161):
        assert words not in text
    assert "1e+90" in shown(tmp_path, [row | {"generated": "-1e90"} for row in judged_rows()])


@pytest.mark.parametrize(("language", "words"), [("en", "Lowest and highest"), ("zh", "最低分")])
def test_the_tab_speaks_and_a_file_that_is_gone_is_said(language: str, words: str, tmp_path: Path) -> None:
    with gr.Blocks() as page, speaking(language):
        judge_check_tab.build(language)
    receive, show, example, *_ = (one.fn for one in page.fns.values() if one.fn)
    held = next(iter(example()))
    assert words in "".join(map(str, show(example()[held], "5", "1").values()))
    gone, signatures = show(receive(str(tmp_path / "gone.csv"))[held], "", "").values()
    assert "gone.csv" in gone
    assert not signatures["visible"]
    _, signatures = show(example()[held], "1", "5").values()
    assert [one.partition("|")[0] for one in signatures["value"].splitlines()] == ["judge_bias", "reward_accuracy"]
