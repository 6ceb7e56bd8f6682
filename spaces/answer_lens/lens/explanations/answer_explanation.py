"""Explains the scores of one answer: whether it is right, why, and which card has details.

The first line is based on the estimate, and on a judge that was asked (answer_headline.py). The
second line says where metrics without a model disagree with the first line or with each other, and
which to believe (word_score_rules.py). Scores of embeddings are only named, because they have other
scales.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any, NamedTuple

from lens.explanations.agreement_with_people import (
    PROBABILITY,
    find_data_language,
    load_agreement,
    name_language,
)
from lens.explanations.answer_headline import Headline, describe_headline, is_against
from lens.explanations.estimate_reasons import DIFFERENCES, capitalize, describe_estimate_reason
from lens.explanations.word_score_rules import (
    HIGH,
    LOW,
    SAME,
    WIDE,
    Finding,
    Reasons,
    Scores,
    apply_rules,
    describe_spread,
    join_scores,
)
from lens.scoring.catalog import BY_NAME, ESTIMATE, KEYWORD_GATE
from lens.scoring.metric_result import MetricResult
from lens.words import join_sentences, say
from lens.words.formats import format_number
from lens.words.notes import Note

MAX_DIFFERENCES = 3
# First lines on texts that metrics without a model cannot compare.
NOT_COMPARABLE = ("headline.empty_reference", "headline.other_characters")
# Lines that are left out, because they only say that the scores agree.
NO_NEWS = ("explain.line.same", "explain.line.agree")


class Explanation(NamedTuple):
    """The explanation of the scores of one answer.

    Attributes:
        line: the first line.
        reason: the reason for the line.
        metric: the metric whose card has details.
        apart: the metrics whose scores are far from the others.
    """

    line: str
    reason: str = ""
    metric: str = ""
    apart: Sequence[str] = ()


def explain_answer(
    results: Mapping[str, MetricResult], multi_reference: str = "first"
) -> Explanation:
    """Return the explanation of the results for one answer; those without a score are ignored.

    Args:
        results: the results by metric.
        multi_reference: which of several references LV-Eval's scores read. If metrics read
            different references, their differences are not explained.
    """
    scores: dict[str, float] = {}
    for name, result in results.items():
        if result.score is not None:
            scores[name] = result.score
    why = {name: results[name].reasons for name in scores}
    words = select_scores(scores, "words")
    verdicts = select_verdicts(scores, why)
    if not scores:
        return Explanation(say("explain.line.none"))
    if len(words) > 1 and is_empty_answer(words, why):
        return Explanation(say("explain.line.empty"))
    headline = describe_headline(results.get(ESTIMATE), verdicts, repeats_reference(words))
    line = capitalize(str(headline.line))
    if reads_different_references(results):
        return Explanation(line, describe_different_references(multi_reference))
    if len(words) < 2 and ESTIMATE not in scores:
        only = Note("explain.line.only", {"scores": join_scores(scores)})
        return Explanation(line, format_sentence(only))
    if len(words) < 2 or headline.line.key in NOT_COMPARABLE:
        return Explanation(line)
    finding = describe_disagreement(words, why, headline)
    reason = join_sentences(
        *describe_differences(why.get(ESTIMATE, {}), headline),
        *describe_finding(finding),
        describe_embeddings(select_scores(scores, "embeddings"), why),
        describe_judge_verdicts(verdicts),
    )
    is_of_estimate = headline.is_right is not None or headline.difference
    metric = ESTIMATE if is_of_estimate else finding.metric
    return Explanation(line, reason, metric, list_apart(words, headline))


def describe_different_references(multi_reference: str) -> str:
    """Return sentences that metrics read different references, and which ones."""
    several = format_sentence(Note("explain.line.several"))
    which = say(f"explain.several_references.{multi_reference}")
    return join_sentences(several, which)


def describe_finding(finding: Finding) -> list[str]:
    """Return the line of a finding as a sentence, and its reasons."""
    sentences = []
    if finding.line:
        sentences.append(format_sentence(finding.line))
    sentences += map(str, finding.reasons)
    return sentences


def select_scores(scores: Scores, kind: str) -> Scores:
    """Return the scores of one kind of metrics, without the estimate."""
    chosen = {}
    for name, score in scores.items():
        if BY_NAME[name].kind == kind and name != ESTIMATE:
            chosen[name] = score
    return chosen


def select_verdicts(scores: Scores, why: Reasons) -> Scores:
    """Return the scores of judges that gave a verdict.

    A judge that said neither yes nor no has none, although its score is 0.
    """
    verdicts = {}
    for name, score in select_scores(scores, "judges").items():
        if why[name].get("branch") != "neither":
            verdicts[name] = score
    return verdicts


def reads_different_references(results: Mapping[str, MetricResult]) -> bool:
    """Return whether metrics read different references."""
    places = set()
    for result in results.values():
        if "reference" in result.reasons:
            places.add(result.reasons["reference"])
    return len(places) > 1


def is_empty_answer(words: Scores, why: Reasons) -> bool:
    """Return whether the answer has no word that a metric could compare."""
    if any(words.values()):
        return False
    return not any(why[name].get("prediction_tokens") for name in words)


def repeats_reference(words: Scores) -> bool:
    """Return whether the answer is the reference almost word for word."""
    return len(words) > 1 and min(words.values()) >= SAME


def format_sentence(note: Note) -> str:
    """Return a note as a sentence."""
    return capitalize(say("difference.sentence", what=note))


def list_apart(words: Scores, headline: Headline) -> list[str]:
    """Return the metrics without a model whose scores are far from the others.

    Those that agree with the first line are left out.
    """
    if not words:
        return []
    middle = median(words.values())
    apart = []
    for name, score in words.items():
        agrees = headline.is_right == (score >= HIGH)
        if abs(score - middle) >= WIDE and not agrees:
            apart.append(name)
    return apart


def describe_differences(entry: Mapping[str, Any], headline: Headline) -> list[str]:
    """Return the differences that speak against the answer and are not in the first line.

    There are none if the first line calls the answer right.
    """
    if headline.is_right:
        return []
    shown_difference = format_sentence(headline.difference) if headline.difference else ""
    sentences: list[str] = []
    for reason in entry.get("reasons", ()):
        if not is_against(reason) or reason["kind"] not in DIFFERENCES:
            continue
        sentence = describe_estimate_reason(reason)
        if sentence not in (shown_difference, *sentences):
            sentences.append(sentence)
    return sentences[:MAX_DIFFERENCES]


def describe_disagreement(words: Scores, why: Reasons, headline: Headline) -> Finding:
    """Return where metrics without a model disagree, and which to believe.

    They may disagree with the first line or with each other.
    """
    rule = apply_rules(words, why)
    if rule:
        # If the first line names a difference, a line that only case or order differ would
        # contradict it.
        if rule.metric == KEYWORD_GATE or headline.difference is None:
            return rule
        return rule._replace(line=None)
    finding = describe_spread(words, why)
    if headline.is_right is None:
        return finding
    line_key = finding.line.key if finding.line else ""
    misleading = select_misleading_scores(words, headline.is_right)
    if misleading:
        reasons: list[Note | str] = [describe_misleading(misleading, headline.is_right)]
        if line_key == "explain.line.long":
            reasons += finding.reasons
        reasons += describe_evidence(misleading, why.get(ESTIMATE, {}))
        return Finding(None, reasons, ESTIMATE)
    if line_key in ("", *NO_NEWS):
        return Finding(None, (), finding.metric)
    return finding


def select_misleading_scores(words: Scores, is_right: bool) -> Scores:
    """Return the scores that are low for a right answer, or high for a wrong one."""
    return {name: score for name, score in words.items() if is_misleading(score, is_right)}


def is_misleading(score: float, is_right: bool) -> bool:
    """Return whether a score is low for a right answer, or high for a wrong one."""
    if is_right:
        return score < LOW
    return score >= HIGH


def describe_misleading(scores: Scores, is_right: bool) -> Note:
    """Return a note on scores that are low for a right answer, or high for a wrong one."""
    key = "explain.reason.low_yet_right" if is_right else "explain.reason.high"
    return Note(key, {"scores": join_scores(scores)})


def describe_evidence(misleading: Scores, entry: Mapping[str, Any]) -> list[Note]:
    """Return a note that the estimate is more reliable than these scores, with the evidence.

    There is no note if this was not measured.
    """
    data = load_agreement()
    measured = {}
    for name, figures in data["scores"].items():
        if figures.get("overall"):
            measured[name] = figures["overall"][0]
    others = [measured[name] for name in misleading if measured.get(name) is not None]
    estimate = measured.get(ESTIMATE)
    if entry.get("interpretation") != PROBABILITY or estimate is None or not others:
        return []
    best_of_others = max(others)
    if estimate <= best_of_others:
        return []
    values = {
        "estimate": format_number(estimate),
        "words": format_number(best_of_others),
        "answers": data["answers"],
        "language": name_language(find_data_language(data)),
        "title": data["title"],
    }
    return [Note("explain.reason.believe", values)]


def describe_embeddings(scores: Scores, why: Reasons) -> str:
    """Return a sentence on the scores of embeddings; empty without any."""
    if not scores:
        return ""
    key = "explain.reason.near"
    for name in scores:
        reasons = why[name]
        if reasons.get("prediction_unknown") or reasons.get("reference_unknown"):
            key = "explain.reason.near_unknown"
    return say(key, near=join_scores(scores))


def describe_judge_verdicts(verdicts: Scores) -> str:
    """Return a sentence on the verdicts of judges; empty without any."""
    if not verdicts:
        return ""
    return say("explain.reason.judged", judged=join_scores(verdicts))
