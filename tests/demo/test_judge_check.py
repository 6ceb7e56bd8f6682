"""The judge check: numbers of judge_bias and reward_accuracy, the verdict on them, and the tab."""

from __future__ import annotations

import functools
import random
import re
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import gradio as gr
import pytest
from lens.judge_check import numbers, verdict
from lens.page import judge_check_tab
from lens.page.tab import draw_message
from lens.tables import untrusted
from lens.tables.untrusted import Table
from lens.words import speaking
from lens.words.notes import UserError

from tests.demo.command_runs import Rows, encode_jsonl
from tests.demo.page_visits import collect_steps
from tests.support.project import load

REPRESENT, ERROR = "represent", "error"
# Rows as (anchor score, score of the reply, category).
BY_HAND = [
    (4, "3.5", REPRESENT),
    (3, "3", REPRESENT),
    (4.5, "5", REPRESENT),
    (4, "2.5", ERROR),
    (3.5, "3.5", ERROR),
]
BY_HAND += [(3, "4", ERROR)]
MARKUP = '<img src=x onerror="window.broken=1">\'"&amp;</article>'


def make_rows_by_hand(**more: Any) -> Rows:
    """Return the rows of BY_HAND, each with a type and further cells."""
    names = ("anchor_score", "generated", "perturbation_category")
    return [
        dict(zip(names, cells, strict=True), perturbation_type=f"{cells[2]}_type") | more
        for cells in BY_HAND
    ]


def make_table(**columns: list[Any]) -> Table:
    """Return a table with these columns."""
    return Table(list(columns), len(next(iter(columns.values()))), columns)


def make_whole_table() -> Table:
    """Return the rows with log-probabilities: of six pairs four won, one tied, one lost."""
    rows = make_rows_by_hand()
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    return make_table(
        **columns,
        chosen_logprob=[-1, "-2", -3, -4, -5, -6],
        rejected_logprob=[-2, -3, -4, -5, -5, "-5.5"],
    )


# The arguments of the modules


@pytest.mark.parametrize(
    "cell",
    [
        "",
        " ",
        "4,5",
        "4/5",
        "nan",
        "inf",
        "1_000",
        "٤",
        "0x1",
        "9" * 400,
        10**400,
        True,
        None,
        [],
        float("nan"),
    ],
)
def test_a_cell_that_is_no_number_is_refused_with_its_row(cell: Any) -> None:
    with pytest.raises(UserError, match="“anchor_score”, row 2, is "):
        numbers.read_numbers(make_table(anchor_score=[4, cell]), "anchor_score")
    assert (
        numbers.read_numbers(
            make_table(anchor_score=[4, " 1e-05 ", "-4.5E+20", -0.5, ".5"]), "anchor_score"
        )[1]
        == 1e-05
    )


@pytest.mark.parametrize(
    "ends", [("1", ""), ("", "5"), ("5", "1"), ("1", "1"), ("a", "b"), ("1", "nan")]
)
def test_a_range_is_two_numbers_in_order_or_two_empty_texts(ends: tuple[str, str]) -> None:
    assert numbers.parse_score_range(" 1 ", "5.5") == (1.0, 5.5)
    assert numbers.parse_score_range("", " ") is None
    with pytest.raises(UserError, match="Lowest and highest"):
        numbers.parse_score_range(*ends)


def test_the_numbers_equal_those_of_the_modules() -> None:
    found = numbers.check(make_whole_table(), (1.0, 5.0))
    bias, accuracy = found.bias.result or {}, found.accuracy.result or {}
    assert (accuracy["reward_accuracy"], accuracy["ties"]) == (pytest.approx(4 / 6), 1)
    anchors, replies, kinds = map(list, zip(*BY_HAND, strict=True))
    columns = {"predictions": replies, "references": anchors, "perturbation_categories": kinds}
    types = [f"{kind}_type" for kind in kinds]
    direct = load("judge_bias").compute(**columns, perturbation_types=types, score_range=(1.0, 5.0))
    assert {name: bias[name] for name in direct} == direct


def test_each_number_needs_only_its_own_columns() -> None:
    columns = make_whole_table().columns
    parts = [
        {name: cells for name, cells in columns.items() if ("logprob" in name) == has_logprobs}
        for has_logprobs in (False, True)
    ]
    of_replies, of_logprobs = (numbers.check(make_table(**part), None) for part in parts)
    assert of_replies.bias.result
    assert "“chosen_logprob”, “rejected_logprob”" in of_replies.accuracy.message
    assert of_logprobs.accuracy.result
    assert "“generated”, “anchor_score”, “perturbation_category”" in of_logprobs.bias.message
    with pytest.raises(
        UserError, match=r"Found: “prompt”, “id”\. Needed: “generated”, .*“chosen_logprob”"
    ):
        numbers.check(Table(["prompt", "id"], 1, {}), None)


@pytest.mark.parametrize(
    ("column", "cell", "scale", "words"),
    [
        ("perturbation_category", "eror", None, "column “perturbation_category”, row 2, is 'eror'"),
        (
            "perturbation_category",
            None,
            None,
            "column “perturbation_category”, row 2, is empty; a text is expected",
        ),
        (
            "generated",
            {"overall_score": 4},
            None,
            "column “generated”, row 2, is {'overall_score': 4}",
        ),
        ("anchor_score", "4,5", None, "column “anchor_score”, row 2, is “4,5”"),
        (
            "anchor_score",
            7,
            (1.0, 5.0),
            "column “anchor_score”, row 2, is 7.0, outside the scale from 1.0 to 5.0",
        ),
        ("perturbation_type", ["a"], None, "column “perturbation_type”, row 2, is ['a']"),
    ],
)
def test_a_malformed_cell_is_named_and_the_other_number_is_still_computed(
    column: str,
    cell: Any,
    scale: Any,
    words: str,
) -> None:
    whole = make_whole_table()
    whole.columns[column][1] = cell
    found = numbers.check(whole, scale)
    assert words in found.bias.message
    assert found.bias.failed
    assert found.bias.result is None
    assert bool(found.accuracy.result) == (column != "perturbation_type"), (
        "both numbers read the types"
    )


def test_all_rows_with_an_unknown_category_are_counted_in_the_message() -> None:
    whole = make_whole_table()
    whole.columns["perturbation_category"][3:] = ["x"] * (whole.rows - 3)
    message = numbers.check(whole, None).bias.message
    assert "row 4, is 'x' (str); “represent”, “error” are the categories" in message
    assert f"{whole.rows - 3} (row 4, 5" in message


def test_missing_replies_and_numeric_types_are_read_alike_from_every_format(tmp_path: Path) -> None:
    import pandas

    rows = make_rows_by_hand(chosen_logprob=-1, rejected_logprob=-2)
    rows = [row | {"perturbation_type": place % 2} for place, row in enumerate(rows)]
    rows[4]["generated"] = None
    frame = pandas.DataFrame(rows)
    decimals = frame.assign(perturbation_type=[Decimal(place % 2) for place in range(6)])
    kinds = [("json", encode_jsonl(rows)), ("csv", frame.to_csv(index=False).encode())]
    for kind, data in (*kinds, ("parquet", frame.to_parquet()), ("parquet", decimals.to_parquet())):
        (tmp_path / f"a.{kind}").write_bytes(data)
        found = numbers.check(untrusted.read_file(tmp_path / f"a.{kind}"), None)
        bias, accuracy = found.bias.result or {}, found.accuracy.result or {}
        assert bias["failures"] == {"no_score": 1}, found.bias.message
        assert {row["perturbation_type"] for row in bias["by_type"]} == {"0", "1"}
        assert {row["group"] for row in accuracy["by_group"]} == {"0", "1"}, found.accuracy.message


def test_a_failing_module_gives_no_number_and_logs_no_text_of_the_file(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail_to_load(name: str, configuration: str | None = None) -> Any:
        raise RuntimeError("Secret of the file"[::-1])

    monkeypatch.setattr(numbers.modules, "make_module", fail_to_load)
    found = numbers.check(make_whole_table(), None)
    assert (found.bias.result, found.accuracy.result) == (None, None)
    assert "RuntimeError" in found.bias.message
    assert "RuntimeError" in caplog.text
    assert "terceS" not in caplog.text + found.bias.message


# The verdict on the numbers

Chances = list[tuple[float, float]]


def describe_check(
    errors: Sequence[float | None] = (),
    rewordings: Sequence[float] = (),
    chances: Chances | None = None,
    scale: numbers.Range | None = None,
    types: Sequence[str] = (),
) -> str:
    """Return the verdict on made-up replies and log-probabilities. The anchor score is always 4.

    Args:
        errors: how far the score of each text with an error is below the anchor; None for a reply
            without a score.
        rewordings: how far the score of each reworded text is above the anchor.
        chances: the log-probabilities of each pair, chosen and rejected.
        scale: the lowest and highest score.
        types: the type of each error.
    """
    columns: dict[str, list[Any]] = {}
    if errors or rewordings:
        falls = [*errors, *(-rise for rise in rewordings)]
        columns["generated"] = ["x" if fall is None else str(4 - fall) for fall in falls]
        columns["anchor_score"] = [4] * len(falls)
        columns["perturbation_category"] = [ERROR] * len(errors) + [REPRESENT] * len(rewordings)
    if types:
        columns["perturbation_type"] = [*types, *["reworded"] * len(rewordings)]
    if chances:
        columns["chosen_logprob"], columns["rejected_logprob"] = map(
            list, zip(*chances, strict=True)
        )
    return verdict.summarize_check(numbers.check(make_table(**columns), scale))


WON: Chances = [(-1 if i % 5 else -2, -1.5) for i in range(80)]
LOST: Chances = [(-2 if i % 5 else -1, -1.5) for i in range(80)]
CHANCE: Chances = WON[:5] * 4 + LOST[:5] * 4
TIES: Chances = [(0, 0)] * 20
FIVES = random.Random(3).choices([1, 2, 3, 4, 5], k=200)
ANY = [[4.5 - one for one in FIVES[:100]], [one - 4.5 for one in FIVES[100:]]]
BLIND = [[0.1 * (i % 2) for i in range(400)], [0 if i % 20 else -3 for i in range(40)]]
RISING, MIXED, FALLING = [-1.0] * 36 + [-0.5] * 4, [-1.0] * 5 + [2.0] * 5, [1.0] * 39 + [2.0]
NARROW, SLOW, FAST = [0.1, -0.1] * 10, [0.5] * 39 + [0.6], [0.5] * 9 + [0.9]
LITTLE, LESS = [0.1] * 200, [0.02, -0.02] * 50
ZERO = [0.0] * 89 + [0.01]
ABOVE, BELOW = (
    f"Texts with an error score {side} their anchors. These rows do not show whether the errors are"
    for side in ("above", "below")
)
REWARDS, MORE = (
    "judge rewards errors.",
    "The judge lowers its score for errors more than rewording moves it.",
)
FEW, CHOSEN = (
    "Fewer than 10 texts with an error",
    "By its log-probabilities the judge prefers the chosen text",
)
# The arguments of `describe_check`, and a part of its sentences.
VERDICTS: list[tuple[list[Any], str]] = [
    ([[0.0] * 10, [0.0] * 10], "20 of the 20 replies that have a score give the same one (4)"),
    (
        [[0.0] * 39 + [0.5], [0.0] * 40],
        "79 of the 80 replies that have a score give the same one (4)",
    ),
    (
        [[1.0] * 40, [-1.0] * 40, LOST],
        "80 of the 80 replies that have a score give the same one (3)",
    ),
    ([[1.0] * 20, [-1.0]], "tells texts apart. A low bias alone is no merit."),
    ([ZERO, [2.0] * 10], "The sensitivity is about 0"),
    ([ZERO, NARROW, LOST], "The sensitivity is about 0"),
    ([[1.0] * 9, [0.5] * 10], FEW),
    ([[], [0.5, 0.1]], FEW),
    ([RISING, [0.1] * 10], REWARDS),
    ([RISING, [1.0] * 10], ABOVE),
    ([RISING, [2.0, -2.0] * 10], ABOVE),
    ([RISING, [0.5] * 9], ABOVE),
    ([MIXED, [0.5] * 10], "interval of its sensitivity includes 0"),
    ([FALLING, [0.1] * 10], MORE),
    ([[3.0] * 40, [0.0] * 950], MORE),
    ([SLOW, [1.0] * 40], "The judge lowers its score for errors, but less than rewording"),
    ([SLOW, [-1.0] * 10], BELOW),
    ([SLOW, [2.0, -2.0] * 10], BELOW),
    (
        [FAST, [0.6] * 10],
        "The judge lowers its score for errors. These rows do not show whether it does so",
    ),
    ([FAST, [0.6] * 9], BELOW),
    (ANY, BELOW),
    ([*BLIND, LOST], BELOW),
    # With few rows, equal falls are no proof.
    ([[0.0] * 10, [2.0] * 10], "interval of its sensitivity includes 0"),
    (
        [[0.5] * 10, [1.0] * 10],
        "The judge lowers its score for errors. These rows do not show whether it does so",
    ),
    # Scores and log-probabilities contradict each other, and both are significant.
    (
        [RISING, NARROW, WON],
        f"{REWARDS} The written scores and the log-probabilities disagree. By its "
        "log-probabilities the",
    ),
    (
        [FALLING, NARROW, LOST],
        f"{MORE} The written scores and the log-probabilities disagree. By its log-probabilities "
        "the judge",
    ),
    ([FALLING, NARROW, WON], MORE),
    ([FALLING, NARROW, LOST[:9]], MORE),
    ([FALLING, NARROW, [*LOST, *TIES]], MORE),
    ([MIXED, NARROW, WON], "interval of its sensitivity includes 0"),
    # Only log-probabilities.
    ([[], [], WON], f"{CHOSEN} in 80% of pairs, more than by chance"),
    (
        [[], [], [(-1 if i else -3, -2) for i in range(10_000)]],
        f"{CHOSEN} in >99% of pairs, more than by chance",
    ),
    ([[], [], LOST], f"{CHOSEN} in 20% of pairs, less than by chance"),
    ([[], [], CHANCE], f"{CHOSEN} in 50% of pairs, which chance alone could give"),
    ([[], [], TIES], f"{CHOSEN} in 0% of pairs; 20 of 20 pairs are ties"),
    ([[], [], WON[:4]], "Fewer than 10 pairs"),
    ([[None]], "None of the replies has a score"),
    (
        [[None] * 40, [], [(-1, -2)] * 40],
        f"neither a bias nor a sensitivity. {CHOSEN} in 100% of pairs",
    ),
    # Many replies without a score.
    ([[*FALLING] + [None] * 5, [0.1] * 10], MORE),
    (
        [[*FALLING] + [None] * 6, [0.1] * 10],
        f"{MORE} Replies without a score: 6 of 56. Bias and sensitivity rest on",
    ),
    # "About 0" is relative to the scale.
    ([LITTLE, LESS], MORE),
    ([LITTLE, LESS, [], (1.0, 5.0)], "The sensitivity is about 0"),
    ([LITTLE, LESS, [], (3.5, 4.5)], MORE),
]
CLAIMS = (
    "lowers its score",
    "rewards errors",
    "disagree",
    "about 0",
    "rest on",
    "Some errors raise",
)


@pytest.mark.parametrize(("arguments", "words"), VERDICTS)
def test_the_verdict_claims_only_what_the_numbers_show(arguments: list[Any], words: str) -> None:
    sentences = describe_check(*arguments)
    assert words in sentences
    assert [claim for claim in CLAIMS if (claim in sentences) != (claim in words)] == []


def test_types_of_errors_that_raise_the_score_are_named_unless_all_errors_do() -> None:
    raised = {"numbers": [-0.4] * 60, "x" * 200: [-2.0, -1.0] * 20}
    types = {
        **raised,
        "few": [-1.0] * 4,
        "unsure": [-1.0] * 5 + [1.0] * 5,
        "one": [-1.0],
        "fine": [3.0] * 400,
    }

    def describe_falls(falls: dict[str, list[float]]) -> str:
        """Return the verdict on errors by the falls of each type."""
        errors: list[float] = []
        names: list[str] = []
        for name, own_falls in falls.items():
            errors += own_falls
            names += [name] * len(own_falls)
        return describe_check(errors, [0.1] * 100, types=names)

    named = f"“numbers” (sensitivity -0.40, n = 60), “{'x' * 80}…” (sensitivity -1.50, n = 40)."
    assert describe_falls(types) == f"{MORE} Some errors raise its score above the anchor: {named}"
    with speaking("zh"):
        assert (
            f"反而使分数高于基准分：“numbers”（敏感度 -0.40，n = 60）、“{'x' * 80}…”（敏感度"
            in describe_falls(types)
        )
    assert "and 3 more" in describe_falls(
        {f"type{number}": [-0.4] * 60 for number in range(8)} | {"fine": [3.0] * 90}
    )
    assert "includes 0. Some errors raise" in describe_falls({**raised, "fine": [2.0] * 42})
    for few in (
        {**types, **dict.fromkeys(raised, [-0.4] * 4)},
        {**types, **dict.fromkeys(raised, [-0.4] * 6)},
        raised,
        {"numbers": [-0.4] * 60},
    ):
        assert "Some errors raise" not in describe_falls(few)


# The tab


def check_file(
    folder: Path,
    rows: Rows,
    low: str = "",
    high: str = "",
    name: str = "a.jsonl",
) -> str:
    """Write rows to a file and return the HTML that the tab shows for it."""
    (folder / name).write_bytes(encode_jsonl(rows))
    return str(
        judge_check_tab.check_judge(judge_check_tab.read_upload(str(folder / name)), low, high)[
            "shown"
        ]
    )


def strip_tags(html: str) -> str:
    """Return the text of HTML with single spaces."""
    return " ".join(re.sub(r"<[^>]*>", " ", html).split())


def test_every_text_of_a_file_is_escaped(tmp_path: Path) -> None:
    rows = make_rows_by_hand(
        generated=MARKUP,
        perturbation_type=MARKUP,
        chosen_logprob=-1,
        rejected_logprob=-2,
    )
    rows[0] |= {"generated": "4", "perturbation_type": "\ud800"}
    for html in (check_file(tmp_path, rows), draw_message(MARKUP)):
        assert "&lt;img src=x" in html
        assert "<img" not in html


def test_replies_without_a_score_and_types_are_listed_up_to_a_limit(
    tmp_path: Path,
) -> None:
    rows = make_rows_by_hand()
    rows += [
        rows[3] | {"generated": f"reply {n} " + "x" * 300, "perturbation_type": f"type{n}"}
        for n in range(45)
    ]
    rows[6]["generated"], rows[7]["generated"] = '{"overall_score": "high"}', '{"overall_score": 9}'
    html = check_file(tmp_path, rows, "1", "5")
    text = strip_tags(html)
    for words in (
        "Replies without a score: 45",
        "Row 7 : its overall_score is no number",
        "Row 8 : its score lies outside the range you gave",
        "Row 9 : no JSON object with overall_score reply 2 xxx",
        "and 25 more not shown",
        "Bounds with replies without a score",
        "and 6 more not shown",
    ):
        assert words in text, words
    for words in ("Row 27", "type40", "x" * 161):
        assert words not in text
    assert "1e+90" in check_file(
        tmp_path, [row | {"generated": "-1e90"} for row in make_rows_by_hand()]
    )


@pytest.mark.parametrize(("language", "words"), [("en", "Lowest and highest"), ("zh", "最低分")])
def test_the_tab_reports_missing_columns_and_a_missing_file_in_its_language(
    language: str, words: str, tmp_path: Path
) -> None:
    with gr.Blocks() as page, speaking(language):
        judge_check_tab.build(language)
    callbacks = (
        functools.partial(collect_steps, event.fn) for event in page.fns.values() if event.fn
    )
    receive, show, example, *_ = (lambda *values, run=run: run(*values)[-1] for run in callbacks)
    held = next(iter(example()))
    assert words in "".join(map(str, show(example()[held], "5", "1").values()))
    (tmp_path / "other.csv").write_text("foo,bar\n1,2\n")
    lacking, _ = show(receive(str(tmp_path / "other.csv"))[held], "", "").values()
    assert "generated" in lacking, "the message does not name the missing columns"
    gone, signatures = show(receive(str(tmp_path / "gone.csv"))[held], "", "").values()
    assert "gone.csv" in gone
    assert not signatures["visible"]
    _, signatures = show(example()[held], "1", "5").values()
    assert [line.partition("|")[0] for line in signatures["value"].splitlines()] == [
        "judge_bias",
        "reward_accuracy",
    ]
