"""How much work one visitor may ask for at once, and that long rows keep nobody waiting."""

from __future__ import annotations

import asyncio
from typing import Any

import gradio as gr
import pytest
from lens.lv_eval import official_result
from lens.lv_eval.predictions import Predictions
from lens.page import file_run, judge_check_tab, tab
from lens.page.file_run import Run
from lens.page.tab import Sent
from lens.runs.blocks import CHUNK_ROWS, Block, blocks_of, score_block
from lens.scoring import pasted_answer
from lens.scoring.catalog import Submission
from lens.scoring.judge import NO_JUDGE
from lens.scoring.work import MOST_OF_ANSWER, in_parts
from lens.tables.roles import BadTable, Item
from lens.tables.untrusted import Table

METRICS = ("correctness_estimate", "lv_eval_f1", "bleu", "rouge", "lv_eval_rouge")


@pytest.mark.parametrize(("size", "length"), [(1024, 10), (1024, 20_000), (100, 20_000), (64, 1_000_000), (7, 200_000)])
def test_blocks_end_with_long_rows_and_leave_the_chunks_as_they_were(size: int, length: int) -> None:
    items = [Item("a" * (length if at % 3 else 1), "b", id=str(at)) for at in range(700)]
    blocks = list(blocks_of(items, size))
    assert [item for block in blocks for item in block.items] == items
    assert [block.number for block in blocks] == list(range(len(blocks)))
    assert [items[block.first] for block in blocks] == [block.items[0] for block in blocks]
    # Rows that go through a model together are the same as in blocks that end by rows alone.
    starts = [start for grid in range(0, 700, size) for start in range(grid, min(grid + size, 700), CHUNK_ROWS)]
    assert starts == [block.first + start for block in blocks for start in range(0, len(block.items), CHUNK_ROWS)]
    most = max(sum(len(item.prediction) for item in block.items) for block in blocks)
    assert most <= 1_000_000 + min(size, CHUNK_ROWS) * length


def rows_of_length(*lengths: int) -> list[dict[str, Any]]:
    """Return rows whose answers have so many characters, about some."""
    references = ["北京是首都", "上海"]
    return [{"answer": "北京" * (length // 2), "reference": references, "id": f"{length}"} for length in lengths]


def run_of(rows: list[dict[str, Any]]) -> Run:
    """Return a run of the page over some rows."""
    table = Table([*rows[0]], len(rows), {name: [row[name] for row in rows] for name in rows[0]})
    return Run([Sent("a.jsonl", table)], {"prediction": ["answer"], "reference": "reference"}, METRICS)


def scores_of(run: Run) -> Any:
    """Score a run, and return its scores, counts and signatures."""

    async def score() -> None:
        async for _ in run.steps(NO_JUDGE):
            pass

    asyncio.run(score())
    (table,) = run.tables
    tally = table.sum_up(run.metrics)
    told = {scorer.name: (scorer.told.signature(), scorer.told.bleu, scorer.told.several) for scorer in tally.scorers}
    return {key: list(column) for key, column in tally.columns.items()}, told


def test_the_page_scores_long_rows_in_several_turns_and_to_the_same_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    turns: list[int] = []

    def score_noted(scorers: Any, block: Block) -> Any:
        turns.append(len(block.items))
        return score_block(scorers, block)

    monkeypatch.setattr(file_run, "score_block", score_noted)
    rows = rows_of_length(*[20] * 30, *[6_000] * 4, *[20] * 30)
    in_turns = scores_of(run_of(rows))
    assert turns == [32, 2, 30] * len(METRICS)
    monkeypatch.setattr(file_run, "in_parts", lambda items: [items])
    assert scores_of(run_of(rows)) == in_turns


def test_no_more_than_a_bound_is_scored_of_one_answer() -> None:
    most = MOST_OF_ANSWER // 2 - 10
    assert run_of(rows_of_length(4, most)).rows == 2
    with pytest.raises(BadTable) as refused:
        run_of(rows_of_length(4, 4, most + 10))
    assert str(refused.value).startswith("Row 3: the answer with each of 2 references makes 200,007 characters")
    assert "score.py" in str(refused.value)

    references = "\n".join(["北" * 2_400] * 20)
    submission = Submission("", references, "京" * 49_000, several=True)
    assert "with each of 20 references makes 1,028,000 characters" in pasted_answer.problem(submission)
    assert not pasted_answer.problem(Submission("", "北" * 50_000, "京" * 50_000))


def test_parts_end_with_the_row_that_fills_them() -> None:
    items = [Item("a" * length, "b") for length in (1, 4, 9, 1, 1)]
    assert [[len(item.prediction) for item in part] for part in in_parts(items, 7)] == [[1, 4], [9], [1, 1]]
    assert list(in_parts([])) == []


def test_long_predictions_of_lv_eval_are_scored_in_several_turns() -> None:
    file = Predictions("a", "cmrc_mixup", "16k", ["x" * 9_000] * 5 + ["x"] * 120, ["y"] * 125, [""] * 125)
    chunks = [(chunk.start, chunk.stop) for chunk in official_result.chunks_of(file)]
    assert chunks == [(0, 3), (3, 53), (53, 103), (103, 125)]


def test_judges_are_checked_in_another_lane_than_files_are_read_in(monkeypatch: pytest.MonkeyPatch) -> None:
    lanes: dict[str, Any] = {}
    on = tab.Tab.on

    def note_lane(self: Any, trigger: Any, work: Any, *given: Any, **options: Any) -> Any:
        lanes[work.__name__] = options.get("lane")
        return on(self, trigger, work, *given, **options)

    monkeypatch.setattr(tab.Tab, "on", note_lane)
    with gr.Blocks():
        judge_check_tab.build("en")
    assert (lanes["receive"], lanes["results"]) == (tab.READING, tab.CHECKING)
