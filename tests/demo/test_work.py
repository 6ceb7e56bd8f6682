"""Test how much work a visitor may ask for at once, and how long rows are split into turns."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import gradio as gr
import pytest
from lens.experiment.answers import Answer
from lens.lv_eval import official_result
from lens.lv_eval.predictions import Predictions
from lens.page import judge_check_tab, tab
from lens.page.files import scoring_turns
from lens.page.files.file_scoring import FileScoring
from lens.page.tab import VisitorFile
from lens.scoring import pasted_answer
from lens.scoring.judge import NO_JUDGE
from lens.scoring.submission import Submission
from lens.scoring.work import MAX_ANSWER_CHARACTERS, split_rows
from lens.study.engines.blocks import CHUNK_ROWS, Block, make_blocks, score_block
from lens.tables.untrusted import Table
from lens.words.notes import UserError

METRICS = ("correctness_estimate", "lv_eval_f1", "bleu", "rouge", "lv_eval_rouge")


def list_chunk_starts(first: int, end: int) -> list[int]:
    """Return the first rows of the chunks of a block; a chunk goes through a model together."""
    return list(range(first, end, CHUNK_ROWS))


def make_answers_of_length(rows: int, length: int) -> list[Answer]:
    """Return answers of which two in three have this length, and the others one character."""
    answers = []
    for number in range(rows):
        prediction = "a" * length if number % 3 else "a"
        answer = Answer(prediction, ("b",), id=str(number))
        answers.append(answer)
    return answers


@pytest.mark.parametrize(
    ("most_rows", "length"),
    [
        (1024, 10),
        (1024, 20_000),
        (100, 20_000),
        (64, 1_000_000),
        (7, 200_000),
    ],
)
def test_blocks_of_long_rows_are_shorter_and_the_same_rows_go_through_a_model_together(
    most_rows: int, length: int
) -> None:
    answers = make_answers_of_length(700, length)
    answers_of_blocks: list[Answer] = []
    chunk_starts: list[int] = []
    for number, block in enumerate(make_blocks(answers, most_rows)):
        assert block.number == number
        assert block.answers[0] == answers[block.first]
        characters = sum(len(answer.prediction) for answer in block.answers)
        last_chunk = min(most_rows, CHUNK_ROWS) * length
        assert characters <= 1_000_000 + last_chunk
        answers_of_blocks += block.answers
        end = block.first + len(block.answers)
        chunk_starts += list_chunk_starts(block.first, end)
    assert answers_of_blocks == answers

    # The chunks are those of blocks with a fixed number of rows.
    expected_starts: list[int] = []
    for first in range(0, 700, most_rows):
        end = min(first + most_rows, 700)
        expected_starts += list_chunk_starts(first, end)
    assert chunk_starts == expected_starts


def make_rows_of_lengths(*lengths: int) -> list[dict[str, Any]]:
    """Return a row for each length: the even number of characters of its answer."""
    rows = []
    for length in lengths:
        row = {
            "answer": "北京" * (length // 2),
            "reference": ["北京是首都", "上海"],
            "id": str(length),
        }
        rows.append(row)
    return rows


def start_scoring(rows: list[dict[str, Any]]) -> FileScoring:
    """Return the scoring of rows on the page, before its first step."""
    columns = {}
    for name in rows[0]:
        columns[name] = [row[name] for row in rows]
    table = Table(list(columns), len(rows), columns)
    roles = {"prediction": ["answer"], "reference": "reference"}
    file = VisitorFile("a.jsonl", table)
    return FileScoring([file], roles, METRICS)


def score_all_rows(scoring: FileScoring) -> Any:
    """Score all rows; return the scores by series, and the signature and counts of each metric."""

    async def finish_work() -> None:
        async for _ in scoring.steps(NO_JUDGE):
            pass

    asyncio.run(finish_work())
    scores = scoring.study.first.scores
    columns = {}
    for key, column in scores.columns.items():
        columns[key] = list(column)
    notes = {name: scores.join_notes(name) for name in scores.metrics}
    return columns, notes


def test_the_page_scores_long_rows_in_several_turns_with_equal_scores(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    turns: list[int] = []

    def record_turn(scorers: Any, block: Block) -> Any:
        turns.append(len(block.answers))
        return score_block(scorers, block)

    monkeypatch.setattr(scoring_turns, "score_block", record_turn)
    short = [20] * 30
    long = [6_000] * 4
    rows = make_rows_of_lengths(*short, *long, *short)
    scores_of_turns = score_all_rows(start_scoring(rows))
    assert turns == [32, 2, 30] * len(METRICS)

    def keep_in_one_turn(items: Sequence[Answer]) -> list[Sequence[Answer]]:
        return [items]

    monkeypatch.setattr(scoring_turns, "split_rows", keep_in_one_turn)
    assert score_all_rows(start_scoring(rows)) == scores_of_turns


def test_a_row_with_too_many_characters_is_refused_in_a_file() -> None:
    most = MAX_ANSWER_CHARACTERS // 2 - 10
    assert start_scoring(make_rows_of_lengths(4, most)).rows == 2
    with pytest.raises(UserError) as refused:
        start_scoring(make_rows_of_lengths(4, 4, most + 10))
    message = str(refused.value)
    # The answer counts for each reference, and the references have 5 + 2 characters.
    problem = "Row 3: the answer with each of 2 references makes 200,007 characters"
    assert message.startswith(problem)
    assert "score.py" in message


def test_a_pasted_answer_with_too_many_characters_is_refused() -> None:
    references = "\n".join(["北" * 2_400] * 20)
    submission = Submission("", references, "京" * 49_000, has_several_references=True)
    problem = pasted_answer.find_problem(submission)
    # 20 * (49,000 + 2,400) = 1,028,000.
    assert "with each of 20 references makes 1,028,000 characters" in problem


def test_a_pasted_answer_of_50_000_characters_is_admitted() -> None:
    submission = Submission("", "北" * 50_000, "京" * 50_000)
    assert not pasted_answer.find_problem(submission)


def test_a_part_of_rows_ends_with_the_row_that_reaches_the_limit() -> None:
    texts = ["a", "aaaa", "aaaaaaaaa", "a", "a"]
    answers = [Answer(text, ("b",)) for text in texts]
    # With a reference of one character, rows have 2, 5, 10, 2 and 2 characters. The limit is 7.
    first, second, third = split_rows(answers, 7)
    assert first == answers[:2]
    assert second == answers[2:3]
    assert third == answers[3:]
    assert list(split_rows([])) == []


def test_long_predictions_of_lv_eval_are_scored_in_several_turns() -> None:
    answers = ["x" * 9_000] * 5 + ["x"] * 120
    references = ["y"] * 125
    keywords = [""] * 125
    predictions = Predictions("a", "cmrc_mixup", "16k", answers, references, keywords)
    turns = list(official_result.split_rows(predictions))
    # A turn ends at 20,000 characters (after three long answers) or at 50 rows.
    assert [rows.start for rows in turns] == [0, 3, 53, 103]
    assert [rows.stop for rows in turns] == [3, 53, 103, 125]


def test_checking_judges_and_reading_files_have_different_lanes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lanes: dict[str, Any] = {}
    connect = tab.Tab.connect

    def record_lane(self: Any, trigger: Any, work: Any, *arguments: Any, **options: Any) -> Any:
        lanes[work.__name__] = options.get("lane")
        return connect(self, trigger, work, *arguments, **options)

    monkeypatch.setattr(tab.Tab, "connect", record_lane)
    with gr.Blocks():
        judge_check_tab.build("en")
    assert lanes["receive_file"] == tab.READING
    assert lanes["check_file"] == tab.CHECKING
