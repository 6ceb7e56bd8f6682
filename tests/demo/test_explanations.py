"""What the numbers mean together: the verdict on an answer, and what page and command that measures have in common."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lens import DATA
from lens.explanations import agreement_with_people as evidence
from lens.explanations.answer_verdict import ESTIMATE, Verdict, verdict
from lens.page.answer.answer_tab import EXAMPLES
from lens.scoring import pasted_answer
from lens.scoring.catalog import BY_NAME, METRICS, Submission
from lens.scoring.metric_result import MetricResult
from lens.words import speaking

from metrics.training import verdicts
from tests.benchmarks import tables
from tests.demo.made import scored

WORDS = [metric for metric in METRICS if metric.kind == "words"]
LONG = (
    "Penicillin was discovered in 1928 by the Scottish physician Alexander Fleming, who worked in London at the "
    "time, at the hospital of Saint Mary, and who later shared the Nobel prize for it with two colleagues of Oxford."
)


def scores(**values: float) -> dict[str, MetricResult]:
    return {name: scored(name, value, "罗马") for name, value in values.items()}


def real(submission: Submission) -> Verdict:
    return verdict({metric.name: pasted_answer.score(metric, submission) for metric in WORDS})


HERE = "Do not trust the overlap here: "
# Reference, answer, keywords; the line, what stands in its reason, and the card that explains it.
REAL = [
    (EXAMPLES["wrong_country"], f"{HERE}the name differs, Mexico instead of Canada", "found: 0 of 1", ESTIMATE),
    (EXAMPLES["other_words"], "Little wording is shared", "right one in other words", "rouge"),
    (EXAMPLES["long"], "The overlap is low because the answer is long", "7.4 times as long as", "lv_eval_f1"),
    (EXAMPLES["scrambled"], f"{HERE}two things have changed roles", "ROUGE-1 1.00 ignores order", ESTIMATE),
    (("old red cat garden", "garden cat red old", ""), "Trust no score that ignores", "ROUGE-1 1.00", "rouge"),
    (EXAMPLES["wrong_name"], f"{HERE}the name differs, 吴承恩 instead of 曹雪芹", "Missing: 曹雪芹", ESTIMATE),
    (EXAMPLES["reworded"], "low because the answer has words of its own", "only 6 of the answer’s 20", "lv_eval_f1"),
    (("It takes 5 days", "It takes 16 days", ""), f"{HERE}the number differs, 16 days instead of", "High", ESTIMATE),
    (("The value is 3.5", "The value is 35", ""), f"{HERE}the number differs, 35 instead of 3.5", "High all", ESTIMATE),
    (("28 January 1813", "On 28 January 1831.", ""), "The date differs, 28 January 1831 instead", "", ESTIMATE),
    (("书于1813年1月28日出版", "书于1831年1月28日出版", ""), f"{HERE}the date differs, 1831年1月28日", "", ESTIMATE),
    (("It is safe for children.", "It is not safe for children.", ""), f"{HERE}one text", "It is not safe", ESTIMATE),
    (("Paris", "I don't know", ""), "The answer refuses or does not know", "“I don't know”", ESTIMATE),
    (("The Who in London", "The Who in London", "The Who"), "LV-Eval F1 is 0", "blacklist: who", "lv_eval_f1"),
    (("这是我的。那是你的", "这是我的。那是他的", ""), "LV-Eval F1 is 0", "words: 3 of 8 are found", "lv_eval_f1"),
    (("red moss", "blue sand", "x" * 3000), "LV-Eval F1 is 0", f"Missing: {'x' * 40}….", "lv_eval_f1"),
    (("山川河流日月星", "山川河流日月星", "九十 山川河流日月星"), "A keyword is", "Missing: 九十", "lv_eval_f1"),
    (("The Capital Is Paris", "THE CAPITAL IS PARIS", "Paris"), "Only upper and lower case", "BLEU 0.00 and", "bleu"),
    (("alpha beta gamma delta", "delta gamma zeta alpha", ""), "Many words are shared, but in another", "", "rouge"),
    (("It is well known that moss is big and old", "moss", "moss"), "the answer is short", "has 1 words", "lv_eval_f1"),
    (("red fox runs on", "red fox runs on", "..."), "The answer repeats the reference almost word", "", "rouge"),
    (("Look, a fox", "look, fox", ""), "disagree: LV-Eval F1 1.00 against BLEU", "BLEU: How", "bleu"),
    # The value of the reference decides, in whatever spelling.
    (("1,000,000", "1000000", ""), "The answer says the same as the reference, 1000000 for 1,000,000", "", ESTIMATE),
    (("5 km", "5 km", ""), "The answer says the same as the reference", "", ESTIMATE),
    (("A", "A", "B"), "The answer says the same as the reference", "LV-Eval F1 is 0: its keyword gate", ESTIMATE),
    (("-5 °C", "5 °C", ""), f"{HERE}the number differs, 5 °C instead of -5 °C", "", ESTIMATE),
    (("a b c d e f g h", "a b c d e f g x", ""), "The overlap scores agree, from", "No keywords were given", "rouge"),
    (("Café Malmö", "At Cafe\u0301 Malmo\u0308", ""), "Some words differ only in how Unicode", "", "lv_eval_f1"),
    (("Alexander Fleming", LONG, ""), "low because the answer is long", "All words of the reference are in", "rouge"),
    (("Paris", "", ""), "The answer has no words to compare", "", ""),
    (Submission("How many?", "two", "There are 2 of them"), "the same as the reference, 2 for two", "", ESTIMATE),
]  # fmt: skip


@pytest.mark.parametrize(("texts", "line", "reason", "metric"), REAL)
def test_the_verdict_is_true_of_real_scores(texts: Any, line: str, reason: str, metric: str) -> None:
    found = real(texts if isinstance(texts, Submission) else Submission("", *texts))
    assert line in found.line
    assert reason in found.reason
    assert found.metric == metric
    assert len(found.line.split()) <= 15


def test_a_difference_too_long_for_a_line_is_told_below_it() -> None:
    found, expected = "the Sovereign Military Order of Malta", "the Kingdom of Sardinia and Corsica"
    one = {"kind": "name", "found": found, "expected": expected}
    told = verdict(scores(bleu=0.8, rouge=0.9) | {ESTIMATE: scored(ESTIMATE, 0.1, reasons=[one], right=False)})
    assert (told.line, told.apart) == (f"{HERE}the name differs", [ESTIMATE])
    assert f"The name differs, {found} instead of {expected}." in told.reason


def reason(kind: str, found: str, expected: str, weight: float = -2.5) -> dict[str, Any]:
    return {"kind": kind, "found": found, "expected": expected, "weight": weight, "sentence": ""}


# The estimate, what it may be taken for, its reasons, and the line: the heaviest reason, and never against the number.
BY_ESTIMATE = [
    (0.97, "probability", [reason("found", "Oslo", "Oslo", 4.0)], "People would very likely call it right (97%)"),
    (0.03, "probability", [reason("missing", "", "Oslo", -4.0)], "People would very likely call it wrong: 3% right"),
    (0.97, "ranking", [reason("found", "Oslo", "Oslo", 4.0)], "Little wording is shared"),
    (0.97, "probability", [reason("same", "1000", "1e3", 3.6)], "the same as the reference, 1000 for 1e3"),
    (0.97, "probability", [reason("same", "B", "B", 3.6), reason("number", "3", "4", -0.1)], "says the same as the"),
    (0.97, "probability", [reason("same", "5" * 90, "1e3", 3.6)], "The answer says the same as the reference"),
    (0.97, "probability", [reason("coarser", "1990s", "1990", -0.5)], "People would very likely call it right (97%)"),
    (0.03, "probability", [reason("option", "C", "B")], "Another option is chosen, C instead of B"),
    (0.03, "probability", [reason("yes_no", "Yes", "no")], "The yes or no differs, Yes instead of no"),
    (0.2, "probability", [reason("formula", "x + 1", "x - 1")], "The formula differs, x + 1 instead of x - 1"),
    (0.4, "ranking", [reason("partial", "red", "green, blue")], "The answer has only a part: “green, blue” is missing"),
    (0.5, "ranking", [reason("added", "Spain and Peru", "Spain")], "The answer adds something: “Spain and Peru”"),
    (0.4, "ranking", [reason("either", "A or B", "B")], "The answer leaves open which one it is: “A or B”"),
    (0.8, "likeness", [reason("opposite", "cold", "hot")], "The answer says the opposite, cold instead of hot"),
    (0.1, "ranking", [reason("roles", "Ann beat Bob", "Bob beat Ann")], "Two things have changed roles, Ann beat Bob"),
]  # fmt: skip


@pytest.mark.parametrize(("estimate", "interpretation", "reasons", "line"), BY_ESTIMATE)
def test_the_line_is_the_heaviest_reason_and_never_against_the_estimate(
    estimate: float, interpretation: str, reasons: list[dict[str, Any]], line: str
) -> None:
    right = estimate > 0.5 if interpretation == "probability" else None
    entry: dict[str, Any] = {"interpretation": interpretation, "reasons": reasons, "right": right}
    told = verdict(scores(bleu=0.1, rouge=0.2) | {ESTIMATE: scored(ESTIMATE, estimate, **entry)})
    assert line in told.line


@pytest.mark.parametrize(
    ("values", "line", "reason"),
    [
        ({}, "No score could be computed", ""),
        ({"bleu": 0.3}, "Only BLEU 0.30 could be computed", ""),
        ({"bertscore": 0.6, "eve_judge": 1}, "Only BERTScore 0.60 and EVE judge PASS could be computed", ""),
        ({"bleu": 0.6, "rouge": 0.7, "bertscore": 0.6}, "agree, from 0.60 to 0.70", "(BERTScore 0.60) shows"),
        ({"bleu": 0.1, "rouge": 0.2, "l3score": 0.97, "eve_judge": 1}, "calls the answer right", "L3Score 0.97"),
        ({"bleu": 0.8, "rouge": 0.9, "l3score": 0.02}, f"{HERE}the judge calls", "verdict: L3Score 0.02"),
        ({"bleu": 0.8, "rouge": 0.9, "l3score": 0.97}, "agree", "verdict: L3Score 0.97."),
        ({"bleu": 0.45, "rouge": 0.9, "eve_judge": 0}, "disagree: ROUGE-L 0.90 against BLEU 0.45", "judge FAIL."),
        ({"bleu": 0.1, "rouge": 0.9, "l3score": 0.95, "eve_judge": 0}, "judges contradict each other", "L3Score"),
    ],
)  # fmt: skip
def test_embeddings_and_judges_beside_the_words(values: dict[str, float], line: str, reason: str) -> None:
    found = verdict(scores(**values))
    assert line in found.line
    assert reason in found.reason


def test_what_a_model_or_a_judge_does_not_know_is_no_verdict() -> None:
    words = scores(bleu=0.8, rouge=0.9)
    near = {name: scored(name, 0.97, reference_unknown=2) for name in ("cosine_similarity", "bertscore")}
    assert "(Cosine similarity 0.97 and BERTScore 0.97) says little here" in verdict(words | near).reason
    neither = {"l3score": scored("l3score", 0.0, branch="neither")}
    assert verdict(words | neither)[:3] == verdict(words)[:3]


VALUES = st.sampled_from([0.0, 0.05, 0.1, 0.39, 0.4, 0.45, 0.5, 0.69, 0.7, 0.9, 0.95, 1.0])


@given(st.dictionaries(st.sampled_from(sorted(BY_NAME)), VALUES), st.sampled_from(["en", "zh"]))
def test_every_verdict_is_one_short_line_in_its_language(found: dict[str, float], language: str) -> None:
    with speaking(language):
        told = verdict(scores(**found))
        names = "|".join(re.escape(metric.title) for metric in METRICS)
    assert told.line.strip()
    assert "{" not in told.line + told.reason
    assert set(told.apart) <= set(found)
    assert len(told.line.split()) <= 15 or "could be computed" in told.line
    if language == "zh":
        others = re.sub(f"{names}|PASS|FAIL|LV-Eval|ROUGE-1|ROUGE", "", told.line + told.reason)
        assert not re.search("[A-Za-z]", others)


# What the command that measures and the page that shows must have in common


def test_the_file_that_is_there_has_the_cards_that_need_no_judge() -> None:
    found = json.loads((DATA / "agreement.json").read_text(encoding="utf-8"))["scores"]
    needed = {metric.name for metric in METRICS if not metric.judge} | {evidence.GATE}
    measured = {name for name, one in found.items() if "overall" in evidence.read_figures(one)}
    assert not needed - measured, "`make agreement DATA=verdicts.json` measures these"
    assert evidence.TRUSTED == tables.WEAK
    assert (*verdicts.LENGTHS,) == evidence.LENGTHS


@pytest.mark.parametrize(
    "text", ["", "a b\tc\nd", "a b c d e", "w " * 20, "w " * 21, "曹雪芹", "他 wrote 红楼梦 in 1791"]
)
def test_words_and_lengths_are_those_of_the_command(text: str) -> None:
    assert evidence.count_words(text) == verdicts.words(text)
    assert evidence.answer_length(text) in ("", verdicts.Answer(0, "", text, True).length)
    assert bool(evidence.answer_length(text)) == bool(text)
