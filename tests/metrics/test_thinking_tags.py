"""Answers and replies of judges are read with the same list of thinking tags."""

from __future__ import annotations

import pytest

from metrics.eve_judge import scoring as eve_judge
from metrics.judge_bias import scoring as judge_bias
from metrics.l3score import scoring as l3score
from metrics.shared.final_answer import remove_thinking

# Tags that open and close thinking, of several models and prompts.
TAGS = [
    ("<think>", "</think>"),
    ("<reflection>", "</reflection>"),
    ("<analysis>", "</analysis>"),
    ("<cot>", "</cot>"),
    ("<longcat_think>", "</longcat_think>"),
    ("[THINK]", "[/THINK]"),
    ("◁think▷", "◁/think▷"),
    ("<|START_THINKING|>", "<|END_THINKING|>"),
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
    ("<|channel>thought\n", "<channel|>"),
    ("<unused94>thought\n", "<unused95>"),
    ('<details type="reasoning" done="true">', "</details>"),
    ("<|channel|>analysis<|message|>", "<|end|><|start|>assistant<|channel|>final<|message|>"),
]


@pytest.mark.parametrize(("begin", "end"), TAGS)
def test_answers_and_replies_of_judges_are_read_by_one_list_of_tags(begin: str, end: str) -> None:
    assert remove_thinking(f"{begin}Paris?{end}Lyon") == ("Lyon", "aside")
    assert eve_judge.score(f'{begin}{{"score": 0}}?{end}{{"score": 1}}') == 1
    assert (
        judge_bias.overall_score(f'{begin}{{"overall_score": 2}}{end}{{"overall_score": 4}}') == 4.0
    )
    assert l3score.read_word(f"{begin}Yes?{end}No") == "no"
    assert l3score.opens_thoughts(begin)
    # Thinking without an end has no verdict and no answer.
    assert remove_thinking(f"{begin}Paris?") == ("", "unfinished")
    with pytest.raises(eve_judge.NoVerdict):
        eve_judge.score(f'{begin}{{"score": 1}}')
    with pytest.raises(judge_bias.NoScore):
        judge_bias.overall_score(f'{begin}{{"overall_score": 4}}')
