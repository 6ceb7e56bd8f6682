"""The judge check: numbers of judge_bias and reward_accuracy, the verdict on them, and the tab."""

from __future__ import annotations

import copy
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

REPRESENT = "represent"
ERROR = "error"
# The columns of six rows for judge_bias.
BIAS_COLUMNS: dict[str, list[Any]] = {
    "anchor_score": [4, 3, 4.5, 4, 3.5, 3],
    "generated": ["3.5", "3", "5", "2.5", "3.5", "4"],
    "perturbation_category": [REPRESENT] * 3 + [ERROR] * 3,
    "perturbation_type": ["represent_type"] * 3 + ["error_type"] * 3,
}
# The columns for reward_accuracy: of six pairs four are won, one is tied, one is lost.
LOGPROB_COLUMNS: dict[str, list[Any]] = {
    "chosen_logprob": [-1, "-2", -3, -4, -5, -6],
    "rejected_logprob": [-2, -3, -4, -5, -5, "-5.5"],
}
MARKUP = '<img src=x onerror="window.broken=1">\'"&amp;</article>'


def make_bias_rows(**more: Any) -> Rows:
    """Return the rows of BIAS_COLUMNS; `more` adds or replaces cells of every row."""
    rows = []
    for number in range(6):
        row = {name: cells[number] for name, cells in BIAS_COLUMNS.items()}
        rows.append(row | more)
    return rows


def make_table(**columns: list[Any]) -> Table:
    """Return a table with these columns."""
    first_column = next(iter(columns.values()))
    return Table(list(columns), len(first_column), columns)


def make_whole_table() -> Table:
    """Return a table with the columns for both numbers."""
    return make_table(**copy.deepcopy(BIAS_COLUMNS | LOGPROB_COLUMNS))


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


def test_numbers_may_be_written_as_text() -> None:
    table = make_table(anchor_score=[4, " 1e-05 ", "-4.5E+20", -0.5, ".5"])
    expected = [4, 1e-05, -4.5e20, -0.5, 0.5]
    assert list(numbers.read_numbers(table, "anchor_score")) == expected


def test_a_range_is_two_numbers_or_two_empty_texts() -> None:
    assert numbers.parse_score_range(" 1 ", "5.5") == (1.0, 5.5)
    assert numbers.parse_score_range("", " ") is None


@pytest.mark.parametrize(
    ("lowest", "highest"),
    [("1", ""), ("", "5"), ("5", "1"), ("1", "1"), ("a", "b"), ("1", "nan")],
)
def test_a_range_that_is_no_two_numbers_in_order_is_refused(lowest: str, highest: str) -> None:
    with pytest.raises(UserError, match="Lowest and highest"):
        numbers.parse_score_range(lowest, highest)


def test_the_numbers_equal_those_of_the_modules() -> None:
    check = numbers.compute_check(make_whole_table(), (1.0, 5.0))
    assert check.accuracy.result
    assert check.accuracy.result["reward_accuracy"] == pytest.approx(4 / 6)
    assert check.accuracy.result["ties"] == 1
    expected = load("judge_bias").compute(
        predictions=BIAS_COLUMNS["generated"],
        references=BIAS_COLUMNS["anchor_score"],
        perturbation_categories=BIAS_COLUMNS["perturbation_category"],
        perturbation_types=BIAS_COLUMNS["perturbation_type"],
        score_range=(1.0, 5.0),
    )
    assert check.bias.result
    assert {name: check.bias.result[name] for name in expected} == expected


def test_each_number_needs_only_its_own_columns() -> None:
    of_replies = numbers.compute_check(make_table(**BIAS_COLUMNS), None)
    assert of_replies.bias.result
    assert "“chosen_logprob”, “rejected_logprob”" in of_replies.accuracy.message
    of_logprobs = numbers.compute_check(make_table(**LOGPROB_COLUMNS), None)
    assert of_logprobs.accuracy.result
    assert "“generated”, “anchor_score”, “perturbation_category”" in of_logprobs.bias.message


def test_a_table_without_the_columns_of_either_number_is_refused() -> None:
    message = r"Found: “prompt”, “id”\. Needed: “generated”, .*“chosen_logprob”"
    with pytest.raises(UserError, match=message):
        numbers.compute_check(Table(["prompt", "id"], 1, {}), None)


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
    table = make_whole_table()
    table.columns[column][1] = cell
    check = numbers.compute_check(table, scale)
    assert words in check.bias.message
    assert check.bias.is_failed
    assert check.bias.result is None
    # Both numbers read the types.
    assert bool(check.accuracy.result) == (column != "perturbation_type")


def test_all_rows_with_an_unknown_category_are_counted_in_the_message() -> None:
    table = make_whole_table()
    table.columns["perturbation_category"][3:] = ["x"] * 3
    message = numbers.compute_check(table, None).bias.message
    assert "row 4, is 'x' (str); “represent”, “error” are the categories" in message
    assert "3 (row 4, 5" in message


def test_missing_replies_and_numeric_types_are_read_alike_from_every_format(tmp_path: Path) -> None:
    import pandas

    rows = make_bias_rows(chosen_logprob=-1, rejected_logprob=-2)
    rows[4]["generated"] = None
    for number, row in enumerate(rows):
        row["perturbation_type"] = number % 2
    frame = pandas.DataFrame(rows)
    decimals = frame.assign(perturbation_type=[Decimal(number % 2) for number in range(6)])
    files = {
        "a.json": encode_jsonl(rows),
        "a.csv": frame.to_csv(index=False).encode(),
        "a.parquet": frame.to_parquet(),
        "decimals.parquet": decimals.to_parquet(),
    }
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
        check = numbers.compute_check(untrusted.read_file(tmp_path / name), None)
        bias = check.bias.result
        assert bias, check.bias.message
        assert bias["failures"] == {"no_score": 1}
        assert {row["perturbation_type"] for row in bias["by_type"]} == {"0", "1"}
        accuracy = check.accuracy.result
        assert accuracy, check.accuracy.message
        assert {row["group"] for row in accuracy["by_group"]} == {"0", "1"}


def test_a_failing_module_gives_no_number_and_logs_no_text_of_the_file(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail_to_load(name: str, configuration: str | None = None) -> Any:
        # Reversed, so that no line of this file has the text that is searched for.
        raise RuntimeError("Secret of the file"[::-1])

    monkeypatch.setattr(numbers.modules, "make_module", fail_to_load)
    check = numbers.compute_check(make_whole_table(), None)
    assert check.bias.result is None
    assert check.accuracy.result is None
    assert "RuntimeError" in check.bias.message
    assert "RuntimeError" in caplog.text
    assert "terceS" not in caplog.text + check.bias.message


# The verdict on the numbers

# The log-probabilities of pairs of texts, chosen and rejected.
Pairs = list[tuple[float, float]]


def describe_check(
    errors: Sequence[float | None] = (),
    rewordings: Sequence[float] = (),
    pairs: Pairs | None = None,
    scale: numbers.Range | None = None,
    types: Sequence[str] = (),
) -> str:
    """Return the verdict on made-up replies and log-probabilities. The anchor score is always 4.

    Args:
        errors: how far the score of each text with an error is below the anchor; None for a reply
            without a score.
        rewordings: how far the score of each reworded text is above the anchor.
        pairs: the log-probabilities of each pair.
        scale: the lowest and highest score.
        types: the type of each error.
    """
    columns: dict[str, list[Any]] = {}
    if errors or rewordings:
        falls = [*errors, *(-rise for rise in rewordings)]
        columns["generated"] = [make_reply(fall) for fall in falls]
        columns["anchor_score"] = [4] * len(falls)
        columns["perturbation_category"] = [ERROR] * len(errors) + [REPRESENT] * len(rewordings)
    if types:
        columns["perturbation_type"] = [*types, *["reworded"] * len(rewordings)]
    if pairs:
        columns["chosen_logprob"] = [chosen for chosen, _ in pairs]
        columns["rejected_logprob"] = [rejected for _, rejected in pairs]
    return verdict.summarize_check(numbers.compute_check(make_table(**columns), scale))


def make_reply(fall: float | None) -> str:
    """Return a reply whose score is this far below the anchor; one without a score for None."""
    return "x" if fall is None else str(4 - fall)


# The chosen text wins four of five pairs, or loses them.
WON: Pairs = [(-1, -1.5), (-1, -1.5), (-1, -1.5), (-1, -1.5), (-2, -1.5)] * 16
LOST: Pairs = [(-2, -1.5), (-2, -1.5), (-2, -1.5), (-2, -1.5), (-1, -1.5)] * 16
HALF_WON: Pairs = WON[:20] + LOST[:20]
TIES: Pairs = [(0, 0)] * 20
# Falls for errors.
RISING = [-1.0] * 36 + [-0.5] * 4
MIXED = [-1.0] * 5 + [2.0] * 5
FALLING = [1.0] * 39 + [2.0]
SLOW = [0.5] * 39 + [0.6]
FAST = [0.5] * 9 + [0.9]
LITTLE = [0.1] * 200
ZERO = [0.0] * 89 + [0.01]
# Rises by rewording.
NARROW = [0.1, -0.1] * 10
VERY_NARROW = [0.02, -0.02] * 50
# Both: random scores, and scores that hardly differ but for two of forty rewordings.
SCORES = random.Random(3).choices([1, 2, 3, 4, 5], k=200)
ANY = [[4.5 - score for score in SCORES[:100]], [score - 4.5 for score in SCORES[100:]]]
BLIND: list[list[float]] = [[0.0, 0.1] * 200, ([-3.0] + [0.0] * 19) * 2]
# What the sentences say.
ABOVE = (
    "Texts with an error score above their anchors. These rows do not show whether the errors are"
)
BELOW = (
    "Texts with an error score below their anchors. These rows do not show whether the errors are"
)
REWARDS = "judge rewards errors."
MORE = "The judge lowers its score for errors more than rewording moves it."
FEW = "Fewer than 10 texts with an error"
CHOSEN = "By its log-probabilities the judge prefers the chosen text"
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
        [[], [], [(-3, -2)] + [(-1, -2)] * 9_999],
        f"{CHOSEN} in >99% of pairs, more than by chance",
    ),
    ([[], [], LOST], f"{CHOSEN} in 20% of pairs, less than by chance"),
    ([[], [], HALF_WON], f"{CHOSEN} in 50% of pairs, which chance alone could give"),
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
    ([LITTLE, VERY_NARROW], MORE),
    ([LITTLE, VERY_NARROW, [], (1.0, 5.0)], "The sensitivity is about 0"),
    ([LITTLE, VERY_NARROW, [], (3.5, 4.5)], MORE),
]
# Sentences have such a claim only if it is in the expected words.
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
    for claim in CLAIMS:
        assert (claim in sentences) == (claim in words), claim


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
    named_in_chinese = f"“numbers”（敏感度 -0.40，n = 60）、“{'x' * 80}…”（敏感度"
    with speaking("zh"):
        assert f"反而使分数高于基准分：{named_in_chinese}" in describe_falls(types)
    eight_types = {f"type{number}": [-0.4] * 60 for number in range(8)}
    assert "and 3 more" in describe_falls(eight_types | {"fine": [3.0] * 90})
    assert "includes 0. Some errors raise" in describe_falls({**raised, "fine": [2.0] * 42})
    for falls in (
        {**types, **dict.fromkeys(raised, [-0.4] * 4)},
        {**types, **dict.fromkeys(raised, [-0.4] * 6)},
        raised,
        {"numbers": [-0.4] * 60},
    ):
        assert "Some errors raise" not in describe_falls(falls)


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
    upload = judge_check_tab.read_upload(str(folder / name))
    changes = judge_check_tab.check_file(upload, low, high)
    return str(changes["shown"])


def strip_tags(html: str) -> str:
    """Return the text of HTML with single spaces."""
    return " ".join(re.sub(r"<[^>]*>", " ", html).split())


def test_every_text_of_a_file_is_escaped(tmp_path: Path) -> None:
    rows = make_bias_rows(
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
    rows = make_bias_rows()
    for number in range(45):
        cells = {"generated": f"reply {number} {'x' * 300}", "perturbation_type": f"type{number}"}
        rows.append(rows[3] | cells)
    rows[6]["generated"] = '{"overall_score": "high"}'
    rows[7]["generated"] = '{"overall_score": 9}'
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
    assert "1e+90" in check_file(tmp_path, make_bias_rows(generated="-1e90"))


@pytest.mark.parametrize(("language", "words"), [("en", "Lowest and highest"), ("zh", "最低分")])
def test_the_tab_reports_missing_columns_and_a_missing_file_in_its_language(
    language: str, words: str, tmp_path: Path
) -> None:
    with gr.Blocks() as page, speaking(language):
        judge_check_tab.build(language)
    # What the tab does with an uploaded file, with the button "Check", and with the example.
    receive_file, check_table, read_example, *_ = [
        event.fn for event in page.fns.values() if event.fn
    ]

    def receive(path: Path) -> Any:
        held, _file = collect_steps(receive_file, str(path))[-1].values()
        return held

    def take_example() -> Any:
        held, _file = collect_steps(read_example)[-1].values()
        return held

    def check(held: Any, lowest: str, highest: str) -> tuple[str, Any]:
        result, signatures = collect_steps(check_table, held, lowest, highest)[-1].values()
        return str(result), signatures

    result, _ = check(take_example(), "5", "1")
    assert words in result
    (tmp_path / "other.csv").write_text("foo,bar\n1,2\n")
    result, _ = check(receive(tmp_path / "other.csv"), "", "")
    assert "generated" in result, "the message does not name the missing columns"
    result, signatures = check(receive(tmp_path / "gone.csv"), "", "")
    assert "gone.csv" in result
    assert not signatures["visible"]
    _, signatures = check(take_example(), "1", "5")
    modules = [line.partition("|")[0] for line in signatures["value"].splitlines()]
    assert modules == ["judge_bias", "reward_accuracy"]
