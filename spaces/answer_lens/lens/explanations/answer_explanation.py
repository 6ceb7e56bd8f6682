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
    agreement,
    data_language,
    language_name,
)
from lens.explanations.answer_headline import Headline, describe_headline, is_against
from lens.explanations.estimate_reasons import DIFFERENCES, capitalize, describe_reason
from lens.explanations.word_score_rules import (
    HIGH,
    LOW,
    SAME,
    WIDE,
    Finding,
    Reasons,
    Scores,
    apply_rules,
    describe_scores,
    describe_spread,
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
    scores = {name: one.score for name, one in results.items() if one.score is not None}
    why = {name: results[name].reasons for name in scores}
    words = select_scores(scores, "words")
    # A judge that said neither yes nor no has no verdict, although its score is 0.
    judged = {
        name: score
        for name, score in select_scores(scores, "judges").items()
        if why[name].get("branch") != "neither"
    }
    if not scores:
        return Explanation(say("explain.line.none"))
    if len(words) > 1 and is_empty_answer(words, why):
        return Explanation(say("explain.line.empty"))
    headline = describe_headline(results.get(ESTIMATE), judged, repeats_reference(words))
    line = capitalize(str(headline.line))
    if reads_different_references(results):
        several = as_sentence(Note("explain.line.several"))
        which = say(f"explain.several_references.{multi_reference}")
        return Explanation(line, join_sentences(several, which))
    if len(words) < 2 and ESTIMATE not in scores:
        only = Note("explain.line.only", {"scores": describe_scores(scores)})
        return Explanation(line, as_sentence(only))
    if len(words) < 2 or headline.line.key in NOT_COMPARABLE:
        return Explanation(line)
    finding = describe_disagreement(words, why, headline)
    reason = join_sentences(
        *describe_differences(why.get(ESTIMATE, {}), headline),
        as_sentence(finding.line) if finding.line else "",
        *map(str, finding.reasons),
        describe_embeddings(select_scores(scores, "embeddings"), why),
        describe_judged(judged),
    )
    is_of_estimate = headline.is_right is not None or headline.difference
    metric = ESTIMATE if is_of_estimate else finding.metric
    return Explanation(line, reason, metric, list_apart(words, headline))


def select_scores(scores: Scores, kind: str) -> Scores:
    """Return the scores of one kind of metrics, without the estimate."""
    chosen = {}
    for name, score in scores.items():
        if BY_NAME[name].kind == kind and name != ESTIMATE:
            chosen[name] = score
    return chosen


def reads_different_references(results: Mapping[str, MetricResult]) -> bool:
    """Return whether metrics read different references."""
    places = {one.reasons["reference"] for one in results.values() if "reference" in one.reasons}
    return len(places) > 1


def is_empty_answer(words: Scores, why: Reasons) -> bool:
    """Return whether the answer has no word that a metric could compare."""
    return not any(words.values()) and not any(why[name].get("prediction_tokens") for name in words)


def repeats_reference(words: Scores) -> bool:
    """Return whether the answer is the reference almost word for word."""
    return len(words) > 1 and min(words.values()) >= SAME


def as_sentence(note: Note) -> str:
    """Return a note as a sentence."""
    return capitalize(say("difference.sentence", what=note))


def list_apart(words: Scores, headline: Headline) -> list[str]:
    """Return the metrics without a model whose scores are far from the others.

    Those that agree with the first line are left out.
    """
    if not words:
        return []
    middle = median(words.values())
    apart = [name for name, score in words.items() if abs(score - middle) >= WIDE]
    if headline.is_right is None:
        return apart
    return [name for name in apart if (words[name] >= HIGH) != headline.is_right]


def describe_differences(entry: Mapping[str, Any], headline: Headline) -> list[str]:
    """Return the differences that speak against the answer and are not in the first line.

    There are none if the first line calls the answer right.
    """
    if headline.is_right:
        return []
    said = as_sentence(headline.difference) if headline.difference else ""
    unsaid = dict[str, None]()
    for reason in entry.get("reasons", ()):
        if not is_against(reason) or reason["kind"] not in DIFFERENCES:
            continue
        sentence = describe_reason(reason)
        if sentence != said:
            unsaid[sentence] = None
    return list(unsaid)[:MAX_DIFFERENCES]


def describe_disagreement(words: Scores, why: Reasons, headline: Headline) -> Finding:
    """Return where metrics without a model disagree, and which to believe.

    They may disagree with the first line or with each other.
    """
    rule = apply_rules(words, why)
    if rule:
        # If the first line names a difference, a line that only case or order differ would
        # contradict it.
        keeps_line = rule.metric == KEYWORD_GATE or headline.difference is None
        return rule if keeps_line else rule._replace(line=None)
    finding = describe_spread(words, why)
    if headline.is_right is None:
        return finding
    misleading = {
        name: score for name, score in words.items() if is_misleading(score, headline.is_right)
    }
    if not misleading:
        is_news = finding.line and finding.line.key not in NO_NEWS
        return finding if is_news else Finding(None, (), finding.metric)
    key = "explain.reason.low_yet_right" if headline.is_right else "explain.reason.high"
    reasons: list[Note | str] = [Note(key, {"scores": describe_scores(misleading)})]
    if finding.line and finding.line.key == "explain.line.long":
        reasons += finding.reasons
    reasons += describe_evidence(misleading, why.get(ESTIMATE, {}))
    return Finding(None, reasons, ESTIMATE)


def is_misleading(score: float, is_right: bool) -> bool:
    """Return whether a score is low for a right answer, or high for a wrong one."""
    return score < LOW if is_right else score >= HIGH


def describe_evidence(misleading: Scores, entry: Mapping[str, Any]) -> list[Note]:
    """Return a note that the estimate is more reliable than these scores, with the evidence.

    There is no note if this was not measured.
    """
    data = agreement()
    measured = {}
    for name, figures in data["scores"].items():
        if figures.get("overall"):
            measured[name] = figures["overall"][0]
    known = [measured[name] for name in misleading if measured.get(name) is not None]
    estimate = measured.get(ESTIMATE)
    if entry.get("interpretation") != PROBABILITY or estimate is None or not known:
        return []
    if estimate <= max(known):
        return []
    values = {
        "estimate": format_number(estimate),
        "words": format_number(max(known)),
        "answers": data["answers"],
        "language": language_name(data_language(data)),
        "title": data["title"],
    }
    return [Note("explain.reason.believe", values)]


def describe_embeddings(scores: Scores, why: Reasons) -> str:
    """Return a sentence on the scores of embeddings; empty without any."""
    if not scores:
        return ""
    key = "explain.reason.near"
    for name in scores:
        if why[name].get("prediction_unknown") or why[name].get("reference_unknown"):
            key = "explain.reason.near_unknown"
    return say(key, near=describe_scores(scores))


def describe_judged(judged: Scores) -> str:
    """Return a sentence on the verdicts of judges; empty without any."""
    return say("explain.reason.judged", judged=describe_scores(judged)) if judged else ""
