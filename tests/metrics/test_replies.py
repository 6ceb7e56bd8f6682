"""Verdicts for eve_judge and scores for judge_bias are read from replies of a judge.

More cases are in the cards of both.
"""

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.shared.final_answer import THINKING_BEGINS, THINKING_ENDS
from tests.support.project import import_file

eve = import_file("eve_judge")
bias = import_file("judge_bias")

OF_EVE: list[tuple[str, int | str]] = [
    ('{"score": -0.0}', 0),
    ('{"score": 1e0}', 1),
    ('{"score": 1, "score": 1}', 1),
    ('\ufeff{"score": 1}', 1),
    ('The set {1, 2} and \\frac{a}{b}. {"score": 1}', 1),
    ('So 0. {"score": 0}? No.</think> {"score": 1}', 1),
    ('{"score": 1, "reasoning": "it says </think> in the text"}', 1),
    ('{"score": 1, "reasoning": "it says {\\"score\\": 0}"}', 1),
    ('{"score": 1, "reasoning": "two\nlines"}', 1),
    ('{"score": 1, "reasoning": "\\ud800"}', 1),
    ("[" * 100_000, "no_verdict"),
    ('{"score": "1.0"}', "bad_verdict"),
    ('{"score": 1, "old": {"score": 0}}', "ambiguous"),
    ('{"score": 1, "score": null}', "ambiguous"),
]
# Replies that quote an answer's marks of thinking or its verdict, and replies that are nearly JSON,
# by their outcome. Two verdicts that differ are always ambiguous: nobody knows which one is the
# judge's.
NEARLY: dict[int | str, list[str]] = {
    1: [
        '{"score": 1, "reasoning": "it says </think> {"}',
        "{'score': 1}",
        '{"score": 1,}',
        '{"score": 1',
        '{"reasoning": "a "b" c", "score": 1}',
        '{"Score": 1}',
        "{score: 1}",
        '{"score": 1 "reasoning": "x"}',
        '{"score": 1, // it holds\n}',
        '```json\n{"score": 1\n```',
        '{"score"=1}',
        "score: 1",
        '"score": 1.',
        "score：1",
        "**score**: **1**",
        "### Score: 1\n\nIt holds.",
        "score: 1.0",
        "It holds.\n\nScore: 1\n",
        "Here it is:\n\nscore: 1\nreasoning: It holds.",
        "score: 1, reasoning: It holds.",
        '"{\\"score\\": 1}"',
        "<think>score: 0?</think> score: 1",
        "Hm, 0.</think>\nscore: 1",
        '{the score is} {"score": 1}',
        "Score: 1\nscore: 1",
        "{'score': 1, 'reasoning': 'It says \"score\": 1'}",
        '{"score": 1, "reasoning": "F-score: 0"',
    ],
    0: [
        '{"score": 0, "reasoning": "it says.</think> {\\"score\\": 1}"}',
        'So:\n```json\n{"score": 0, "reasoning": "it ends </think> {"}\n```',
        '[{"score": 0, "reasoning": "</think>{"}]',
        '<think>a</think> {"score": 0, "reasoning": "</think> {"}',
        "{'score': '0', 'reasoning': 'It isn't.'}",
        '{"score": 0, "reasoning": "it is "Lyon", not "Paris""}',
        '{"SCORE": 0}',
        "{“score”: 0}",
        'So: {"score": 0,}.',
        "Score = 0",
        "**Score:** 0",
        "- score: 0 (FAIL)\n- reasoning: It differs.",
        "SCORE: 0 - it differs",
    ],
    "ambiguous": [
        '{"score": 0, "reasoning": "it says </think> {"score": 1}"}',
        '{"score": 0} It says </think> {"score": 1}',
        "score: 0\nIt says.</think> score: 1",
        'I say 0. {"score": 0}? It tries </think> {"score": 1}',
        '{"score": 1, "details": {"score": 0},}',
        '{"score": 1,} {"score": 0}',
        "score: 1\nThe answer says 'score: 0'",
        'The answer says "score: 1". score: 0',
        '{"reasoning": "The answer says "score: 1" but is wrong", "score": 0}',
        '{"score": 0, "reasoning": "the answer ends with {"score": 1}"}',
        "score: 0\nscore: 5",
        "{'score': 0, 'reasoning': 'It says:\n\nscore: 1\n'}",
    ],
    "no_verdict": [
        "A score of 1 would mean that it holds.",
        "The score is 1",
        "Score 1",
        "The answer says 'score: 1'.",
        'It ends with\n"score: 1"\nand fails.',
        "It says:\nscore: 1\nI refuse.",
        "> score: 1\n\nI refuse.",
        "`score: 1`",
        '{"verdict": 0, "reasoning": "It says score: 1"}',
        '{"verdict": 0, "why": "Paris, score: 1",}',
        "F-score: 1",
        "answer_score: 1",
        "score:\n1. It holds.",
        "score: ",
    ],
    "bad_verdict": [
        "score: 0 or 1",
        "score: 0-1",
        "score: 1/5",
        "score: 1, 2",
        "score: 10",
        "score: 1.5",
        "score: -1",
        "score: 1%",
        "score: 1 (of 5)",
        "{'score': True}",
        "{'score': None}",
        "score: pass",
        '{"score": NaN,}',
    ],
    "declined": [
        "{'score': 'Declined'}",
    ],
}
for said, replies in NEARLY.items():
    OF_EVE += [(reply, said) for reply in replies]
OF_BIAS: list[tuple[str, float | str]] = [
    # an object with the key
    ('{"overall_score": -0.5e1}', -5.0),
    ('{"overall_score": " +4.0\\n"}', 4.0),
    ('{"overall_score": ".5"}', 0.5),
    ('\ufeff{"overall\\u005fscore": 4}', 4.0),
    (
        'I think:\n```json\n{\n  "reasoning": "Good.",\n  "overall_score": 4\n}\n```\nThat is all.',
        4.0,
    ),
    ('{"reasoning": "a \\"quoted\\" } brace, \ud800 北京 😀", "overall_score": 4}', 4.0),
    ('{"overall_score": 4, "ratio": NaN, "most": -Infinity, "digits": ' + "9" * 5000 + "}", 4.0),
    # which of several
    ('{"overall_score": 2} or rather {"overall_score": 4}', 4.0),
    ('{"overall_score": 4} {"other": 2}', 4.0),
    ('{"overall_score": 2, "overall_score": 4}', 4.0),
    ('{"overall_score": 4} {"overall_score": 2', 4.0),
    ('{{"overall_score": 4}}', 4.0),
    ('{ {"overall_score": 2}, {"overall_score": 4}, }', 4.0),
    # further in
    ('{"scores": {"overall_score": 4}}', 4.0),
    ('[{"overall_score": 2}, {"overall_score": 4}]', 4.0),
    ('{"a": {"overall_score": 2}, "overall_score": 4, "b": {"overall_score": 3}}', 4.0),
    ('{"a": {"overall_score": 2}, "b": {"overall_score": 4, "c": {"overall_score": 3}}}', 4.0),
    ('{"a": {"overall_score": 2}, "a": 1} {}', "no_score"),
    ('{"a":{},"b":[{"overall_score":2},{"a":"{"b":1,"overall_score":3}"', 3.0),
    ('{"":"{"overall_score":4}","a":{"overall_score":2}} "', 2.0),
    # a number alone
    ("4", 4.0),
    (" 4.50\n", 4.5),
    ("4.", 4.0),
    ("-3", -3.0),
    ("4e0", 4.0),
    ("1e999", "bad_score"),
    ("{4", "no_score"),
    ('{"a": 1} 4', "no_score"),
    ("so 2</think> 4", 4.0),
    ("<think>2</think> so", "no_score"),
    # thinking: forms of its marks, their places, and those that are part of a text
    ('<think>{"overall_score": 2}</think>{"overall_score": 4}', 4.0),
    ("<think>Is it 2?</think>\n\n4", 4.0),
    (
        '<|channel|>analysis<|message|>{"overall_score": 2}'
        '<|channel|>final<|message|>{"overall_score": 4}',
        4.0,
    ),
    (
        "<|channel|>analysis<|message|>t<|end|>"
        "<|start|>assistant<|channel|>final <|constrain|>json<|message|>4",
        4.0,
    ),
    ('{"overall_score": 4}\n<reasoning>draft was {"overall_score": 2}</reasoning>', 4.0),
    ('<think>x</think>{"overall_score": 2, "reasoning": "a closing </think> tag"}', 2.0),
    ('[THINK]{"overall_score": 1}[/THINK] 3', 3.0),
    ('<THINK>{"overall_score": 1}</THINK> no', "no_score"),
    ('<thinking effort="high">{"overall_score": 1}</thinking> no', "no_score"),
    ('Okay.\n<think>{"overall_score": 1} hmm so', "no_score"),
    ('{"overall_score": 1} or so</think> No.', "no_score"),
    ('<think>a</think>{"overall_score": 4}</think> I cannot say.', "no_score"),
    ('{"overall_score": 4}\n</details>', 4.0),
    ('<think>{"overall_score": 4}</think>{"overall_score": null}', "bad_score"),
    # no score
    ("4 5", "no_score"),
    ("٤", "no_score"),
    ("NaN", "no_score"),
    ('{"Overall_score": 4}', "no_score"),
    ("{'overall_score': 4}", "no_score"),
    ('{"overall_score": 4', "no_score"),
    ('{"overall_score": 4,}', "no_score"),
    ('{"overall_score": 04}', "no_score"),
    ('{"overall_score": "4\\x"}', "no_score"),
    ('{"a": "{\\"overall_score\\": 4}"}', "no_score"),
    # a score that is no number
    ('{"overall_score": ""}', "bad_score"),
    ('{"overall_score": "inf"}', "bad_score"),
    ('{"overall_score": true}', "bad_score"),
    ('{"overall_score": -Infinity}', "bad_score"),
    ('{"overall_score": ' + "9" * 5000 + "}", "bad_score"),
    ('{"overall_score": [4]}', "bad_score"),
    ('{"overall_score": {"overall_score": 4}}', "bad_score"),
    # very long
    ('{"a":' * 3000, "no_score"),
    ('{"a":' * 200 + '{"overall_score": 4}' + "}" * 200, 4.0),
    ('{"a": "' + '\\"' * 500_000 + '", "overall_score": "4"}', 4.0),
    (" " * 1_000_000 + "4", 4.0),
]


def read_outcome(judge: Any, reply: str) -> Any:
    """Return what a reply says, or the code of the reason why it says nothing."""
    read, none = (eve.score, eve.NoVerdict) if judge is eve else (bias.overall_score, bias.NoScore)
    try:
        return read(reply)
    except none as failure:
        return failure.reason if 0 < len(str(failure)) < 250 else "a message of no use"


EVERY = [*((eve, *case) for case in OF_EVE), *((bias, *case) for case in OF_BIAS)]


@pytest.mark.parametrize(("judge", "reply", "outcome"), EVERY, ids=range(len(EVERY)))
def test_each_reply_has_its_verdict_or_reason(judge: Any, reply: str, outcome: float | str) -> None:
    assert read_outcome(judge, reply) == outcome


def read_slowly(reply: str) -> list[Any]:
    """Return the score stated in a reply without marks of thinking.

    The decoder is started anew at each brace.
    """
    decoder = json.JSONDecoder(parse_int=float, strict=False)
    values = list[Any]()
    place = 0
    while mark := re.compile(r"\{\s*[\"}]").search(reply, place):
        try:
            value, place = decoder.raw_decode(reply, mark.start())
            values = bias.find_values(value) or values
        except json.JSONDecodeError:
            place = mark.start() + 1
    return values


PIECES = [
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    '"',
    '"a"',
    "1",
    " ",
    "x",
    "\\",
    '\\"',
    '{"overall_score":3}',
    '{"a":',
    "null",
    "{}",
    '"overall_score":',
    '{"overall_score":[4',
    "0.5",
]


@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
def test_broken_json_is_read_as_if_the_decoder_began_at_each_brace(reply: str) -> None:
    assert bias.read_stated_score("{" + reply) == read_slowly("{" + reply)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=8,
)
MARKS = re.compile(f"{THINKING_BEGINS}|{THINKING_ENDS}", re.I)
PROSE = st.text(st.characters(exclude_characters="{}"), max_size=30).filter(
    lambda text: not MARKS.search(text)
)


@given(
    st.dictionaries(st.text(max_size=4), JSON, max_size=3), st.sampled_from([0, 1]), PROSE, PROSE
)
def test_a_verdict_is_read_within_any_other_text_and_keys(
    rest: Any,
    value: int,
    before: str,
    after: str,
) -> None:
    verdict = {**rest, "score": value, "overall_score": value, "reasoning": "why"}
    reply = before + json.dumps(verdict) + after
    assert eve.read_verdict(reply) == (value, "why")
    assert bias.overall_score(reply) == value


@given(st.text(max_size=60) | JSON.map(json.dumps))
def test_every_text_has_a_known_outcome(reply: str) -> None:
    assert read_outcome(eve, reply) in (0, 1, "no_verdict", "bad_verdict", "ambiguous", "declined")
    assert type(read_outcome(bias, reply)) is float or read_outcome(bias, reply) in (
        "no_score",
        "bad_score",
    )
