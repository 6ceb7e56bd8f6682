"""Find the final answer in a model's output: in rows, in pasted answers and in scored files."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from lens.page.answer.answer_tab import prepare_answer
from lens.page.files import cell_questions, files_form
from lens.page.files.files_reading import Files
from lens.scoring.submission import Submission
from lens.tables.answer_texts import read_answer
from lens.tables.final_answer import read_after, read_box, remove_thinking
from lens.tables.thinking_marks import find_unknown_mark, parse_tags
from lens.words.notes import UserError

from metrics.correctness_estimate.scoring import score as estimate
from tests.demo.command_runs import Command, Rows, read_jsonl, write_jsonl
from tests.demo.files_visits import draw_opened_row, score_tables, send_rows

OSS = (
    "<|channel|>analysis<|message|>Paris?<|end|><|start|>assistant"
    "<|channel|>final<|message|>Lyon<|return|>"
)
# The output of a model and the answer in it; None if the whole output is the answer.
OUTPUTS = [
    ("<think>Canberra? Or Sydney?</think> It is Sydney.", "It is Sydney."),
    ("\n <THINK>\nx\n</Think>\n\nLyon\n", "Lyon"),
    ('<thinking time="3">a</thinking>Lyon', "Lyon"),
    ("<reasoning>a</reasoning>\n<reflection>b</reflection>\nLyon", "Lyon"),
    ("[THINK]a[/THINK]Lyon", "Lyon"),
    ("◁think▷a◁/think▷Lyon", "Lyon"),
    ("<seed:think>a</seed:think>Lyon", "Lyon"),
    (OSS, "Lyon"),
    ("analysisThe user asks for a city.assistantfinalLyon", "Lyon"),
    (
        "<|START_THINKING|>Paris? Or Lyon.<|END_THINKING|><|START_RESPONSE|>Lyon<|END_RESPONSE|>",
        "Lyon",
    ),
    ("<|START_THINKING|>Paris?<|END_THINKING|><|START_TEXT|>Lyon<|END_TEXT|>", "Lyon"),
    ("<|START_RESPONSE|>Lyon<|END_RESPONSE|>", "Lyon"),
    (
        (
            '<details type="reasoning" done="true">\n<summary>Thought for 3 s</summary>\n> '
            "Paris?\n</details>\nLyon"
        ),
        "Lyon",
    ),
    ("<unused94>thought\nParis?<unused95>Lyon", "Lyon"),
    ("<|channel>thought\nParis?<channel|>Lyon", "Lyon"),
    ("<|inner_prefix|>Paris?<|inner_suffix|>Lyon", "Lyon"),
    (
        "<|begin_of_thought|>Paris?<|end_of_thought|>\n<|begin_of_solution|>Lyon<|end_of_solution|>",
        "Lyon",
    ),
    ("<|think:start|>Paris?<|think:end|>Lyon", "Lyon"),
    ("[unused16]Paris?[unused17]Lyon", "Lyon"),
    (
        (
            "Here are my reasoning steps:\nParis?\n[BEGIN FINAL RESPONSE]\nLyon\n[END FINAL "
            "RESPONSE]\n<|end|>"
        ),
        "Lyon",
    ),
    ("Paris? No.\n[BEGIN FINAL RESPONSE]Lyon", "Lyon"),
    ("Here is my thought process: Paris? Here is my response: Lyon", "Lyon"),
    ("here's my thought process: Paris? here's my response: Lyon", "Lyon"),
    ("<analysis>Paris?</analysis>Lyon", "Lyon"),
    ("<cot>Paris?</cot>Lyon", "Lyon"),
    ("<longcat_think>Paris?</longcat_think>Lyon", "Lyon"),
    ("<mm:think>Paris?</mm:think>Lyon", "Lyon"),
    ("<chain_of_thought>Paris?</chain_of_thought>Lyon", "Lyon"),
    ("<thinking><analysis>Paris?</analysis></thinking>Lyon", "Lyon"),
    ("<思考>巴黎？</思考>里昂", "里昂"),
    ("【思考】巴黎？【/思考】里昂", "里昂"),
    ("[REASONING]Paris?[/REASONING]Lyon", "Lyon"),
    ("&lt;think&gt;Paris?&lt;/think&gt;Lyon", "Lyon"),
    ("<reasoning_content>Paris?</reasoning_content>Lyon", "Lyon"),
    ("<inner_monologue>Paris?</inner_monologue>Lyon", "Lyon"),
    ("<think>Paris?</think><answer>Lyon</answer>", "Lyon"),
    # The opening tag is missing: the chat template wrote it into the prompt.
    ("Paris? No.<|END_THINKING|><|START_RESPONSE|>Lyon<|END_RESPONSE|>", "Lyon"),
    ("Paris or Lyon? Lyon I guess</think> Lyon", "Lyon"),
    ("Paris or Lyon. </think> Lyon", "Lyon"),
    ("Lyon I guess </think>\nLyon", "Lyon"),
    # Nested tags, thinking within the answer, an open code block.
    ("<think>a <think>b</think> c</think> Lyon", "Lyon"),
    ("Lyon\n<think>is it?</think>\nYes, Lyon", "Lyon\n\nYes, Lyon"),
    ("<think>\n```\nx\n</think>\nLyon", "Lyon"),
    ("Lyon\n<think>Is it?", "Lyon"),
    # Thinking without a final answer.
    ("<think>Canberra, surely", ""),
    ("<|channel|>analysis<|message|>Paris?", ""),
    ("<think></think>", ""),
    ("<|START_THINKING|>Paris?", ""),
    ('<details type="reasoning" done="false">\n> Paris?', ""),
    # Texts that mention such marks, but contain no thinking.
    ("Here is my thought process: it is Lyon.", None),
    ("<details><summary>More</summary>Lyon</details> and Paris", None),
    ("<sentiment_analysis>Lyon</sentiment_analysis>", None),
    ("<reasoning_answer>Lyon</reasoning_answer>", None),
    ("<answer>Lyon</answer>", None),
    ("[thinking] Lyon", None),
    ("【分析】里昂", None),
    ("Use `<think>` and `</think>` around it.", None),
    ("The </think> tag closes what <think> opens.", None),
    ("It ends with '</think>'.", None),
    ("Write:\n```\n<think>\nhm\n</think>\n```\nThen answer.", None),
    ("analysis of the data gives Lyon", None),
    ("I think 3 < 4, and thinking > guessing", None),
    ("  Lyon \n", None),
    ("", None),
]


@pytest.mark.parametrize(("text", "answer"), OUTPUTS)
def test_only_thinking_is_removed_from_an_output(text: str, answer: str | None) -> None:
    remaining, note = remove_thinking(text)
    assert remaining == (text if answer is None else answer)
    assert bool(note) == (answer is not None)
    assert read_answer(text, "keep") == (text, ())


@pytest.mark.parametrize(
    "text",
    [
        "```thinking\nParis? ```end\nLyon",
        "  ```thinking\nParis?\n```end Lyon",
        "Paris? ```end Lyon",
        "Paris? `x`.\n```end Lyon",
    ],
)
def test_tags_of_the_user_may_begin_like_code(text: str) -> None:
    tags = (("```thinking", "```end"),)
    assert remove_thinking(text, tags) == ("Lyon", "aside")
    remaining, _ = remove_thinking(f"Hm\n{text}", tags)
    assert remaining.endswith("Lyon")
    # Other tags within code are text.
    code = "Write:\n```\n<plan>\nx\n</plan>\n```\nLyon"
    assert remove_thinking(code, (("<plan>", "</plan>"),)) == (code, "")


@pytest.mark.parametrize(
    ("text", "final", "answer"),
    [
        (r"so \boxed{1}, no, \boxed{\frac{3}{4}}.", "boxed", r"\frac{3}{4}"),
        (r"\boxed{a\}b} \boxed{cut off", "boxed", r"a\}b"),
        (r"\fbox { 2 }", "boxed", "2"),
        ("4", "boxed", None),
        ("Final answer: 4?\n**final answer:** 5\nSure.", "Final answer:", "5"),
        ("Final answer:\n\n 5", "Final answer:", "5"),
        ("The answer is 5", "Final answer:", None),
    ],
)
def test_a_final_answer_is_read_from_a_box_or_after_a_phrase_on_request(
    text: str, final: str, answer: str | None
) -> None:
    final_answer = read_box(text) if final == "boxed" else read_after(final, text)
    assert final_answer == answer
    read, _notes = read_answer(f"<think>\\boxed{{9}}</think>{text}", final=final)
    assert read == (answer or text)


REPEATED_MARKS = [
    "<think>",
    "<think>\n",
    "</think>",
    "</think> x ",
    "a`<think>",
    "```\n<think>\n",
    "<think a",
    " ",
    "\n",
    "`",
    "{",
    "\\boxed{",
    "<|channel|>final<|message|>",
    "<|START_THINKING|>\n",
    "<details type=",
    "Here is my thought process:\n",
    "[unused16]\n",
    "[THINK]\n",
    "x\n<think>a</think>\n",
    "Final answer:",
]


@pytest.mark.parametrize("piece", REPEATED_MARKS)
def test_reading_marks_takes_time_linear_in_their_number(piece: str) -> None:
    def measure_steps(times: int) -> int:
        count = 0

        def count_steps(*_: Any) -> Any:
            nonlocal count
            count += 1
            return count_steps

        text = piece * times
        sys.settrace(count_steps)
        try:
            remove_thinking(text), read_box(text), read_after("Final answer:", text)
        finally:
            sys.settrace(None)
        return count

    measure_steps(10)  # patterns are compiled once
    assert measure_steps(2_000) <= 2.1 * measure_steps(1_000) + 50


ROWS = [
    {
        "reference": "Canberra",
        "prediction": "<think>Canberra? Or Sydney...</think> The capital is Sydney.",
    },
    {"reference": "Canberra", "prediction": "<think>Canberra, surely"},
    {"reference": "Paris", "prediction": "<think>Paris or Lyon? Paris I guess</think> Paris"},
    {"reference": "4", "prediction": r"So the final answer is \boxed{4}"},
]


def score_rows_with_thinking(score: Command, folder: Path, *options: str) -> tuple[str, Rows]:
    """Score ROWS with the command; return its output and the scored rows."""
    table = write_jsonl(folder / "a.jsonl", ROWS)
    out = folder / "out.jsonl"
    ran = score(table, "--metrics", "correctness_estimate", "lv_eval_f1", "--out", out, *options)
    return ran.out + ran.err, read_jsonl(out)


def test_the_command_removes_thinking_and_counts_the_rows(score: Command, tmp_path: Path) -> None:
    output, rows = score_rows_with_thinking(score, tmp_path)
    assert "Answers with thinking aloud, which was set aside: 2 (row 1, 3)." in output
    assert (
        "scored as an empty answer, because their thinking aloud has no end and there is no final "
        "answer: 1 (row 2)." in output
    )
    assert output.count("|reasoning:aside") == 2
    assert [row["scored_answer"] for row in rows] == ["The capital is Sydney.", "", "Paris", None]
    assert [row["prediction"] for row in rows] == [row["prediction"] for row in ROWS]
    assert [row["lv_eval_f1"] for row in rows[:3]] == [0, 0, 1]
    expected = estimate("The capital is Sydney.", "Canberra")
    assert rows[0]["correctness_estimate"] == expected
    assert expected < 0.1


def test_the_command_scores_final_answers_and_counts_them(score: Command, tmp_path: Path) -> None:
    output, rows = score_rows_with_thinking(score, tmp_path, "--final", "boxed")
    assert "Answers whose final answer alone counts: 1 (row 4)." in output
    assert "|reasoning:aside|final:boxed" in output
    assert rows[3]["lv_eval_f1"] == 1


def test_the_command_keeps_thinking_on_request(score: Command, tmp_path: Path) -> None:
    output, rows = score_rows_with_thinking(score, tmp_path, "--reasoning", "keep")
    assert "thinking" not in output
    assert "scored_answer" not in rows[0]


def test_an_answer_whose_thinking_does_not_end_may_be_left_unscored(
    score: Command, tmp_path: Path
) -> None:
    output, rows = score_rows_with_thinking(score, tmp_path, "--empty", "none")
    assert "no final answer: thinking aloud has no end" in output
    assert rows[1]["lv_eval_f1"] is None


PLANNED = [
    {"reference": "Lyon", "prediction": "<plan>Paris or Lyon?</plan> Lyon"},
    {"reference": "Paris", "prediction": "<plan>Paris, no</plan>Lyon"},
    {"reference": "Nice", "prediction": "<plan>cut off"},
]


def test_unknown_marks_are_reported_and_removed_on_request(score: Command, tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in PLANNED))
    plain = score(file, "--metrics", "rouge")
    assert "2 of 3 answers begin with <plan>…</plan>, which is scored with the rest." in plain.err
    assert "(--reasoning-tags '<plan>' '</plan>')" in plain.out
    read = score(file, "--metrics", "rouge", "--reasoning-tags", "<plan>", "</plan>")
    assert "Answers with thinking aloud, which was set aside: 2 (row 1, 2)." in read.err
    assert (
        "scored as an empty answer, because their thinking aloud has no end and there is no final "
        "answer: 1 (row 3)." in read.err
    )
    assert "ROUGE-L         0.3333" in read.out
    assert "|reasoning:aside|reasoning_tags:<plan> </plan>" in read.out
    assert "begin with <plan>" not in read.err
    assert "--reasoning-tags" not in score(file, "--metrics", "rouge", "--reasoning", "keep").out
    wrong = score(file, "--reasoning-tags", "<plan>", "<plan>")
    assert wrong.code == 2
    assert "<plan> <plan> are not a pair of different marks around thinking" in wrong.err


def test_the_page_offers_to_remove_unknown_marks() -> None:
    files = Files([send_rows(PLANNED)])
    question = cell_questions.ask_about_cells(files, ["1"], ["0"], "")["reasoning_tags"]
    assert question["visible"]
    assert question["info"].startswith("2 of 3 answers begin with <plan>…</plan>.")
    results = score_tables(PLANNED, metrics=["rouge"], reasoning_tags=parse_tags("<plan> </plan>"))
    assert results.scores(0)["rougeL"] == [1.0, 0.0, 0.0]
    with pytest.raises(UserError, match="not a pair of different marks around thinking"):
        parse_tags("<plan> </plan> <cot>")


@pytest.mark.parametrize(
    "text",
    [
        "[1] Lyon",
        "<p>Lyon</p> it is",
        "<plan>Lyon</plan>",
        "<answer>Lyon</answer>.",
        "<plan> Lyon",
        "",
    ],
)
def test_texts_without_a_block_before_an_answer_have_no_unknown_mark(text: str) -> None:
    assert find_unknown_mark(text) is None


def test_the_page_scores_final_answers_and_shows_the_removed_thinking() -> None:
    shown = files_form.show_choices(Files([send_rows(ROWS)]))
    places = [shown[role]["value"] for role in ("prediction", "reference")]
    question = cell_questions.ask_about_cells(shown["files"], *places, "")["reasoning"]
    assert question["visible"]
    assert question["info"] == "Answers that think aloud: 3."
    results = score_tables(ROWS, metrics=["lv_eval_f1"], final="boxed")
    assert results.scores(0)["lv_eval_f1"] == [0, 0, 1, 1]
    assert "Or Sydney" in draw_opened_row(results, 0)


def test_a_pasted_answer_is_scored_without_its_thinking_or_as_a_whole() -> None:
    answer = "<think>a</think> Lyon"
    scored, note = prepare_answer(Submission("", "Lyon", answer))
    assert scored.answer == "Lyon"
    assert "set aside (17 characters)" in note
    scored, note = prepare_answer(Submission("", "Lyon", answer, whole=True))
    assert scored.answer == answer
    assert note == ""
    _, note = prepare_answer(Submission("", "Lyon", "<think>Lyon"))
    assert "no final answer" in note
