"""Explains the scores of one answer: whether it is right, why, and which card has details.

The first line comes from the estimate, and from a judge if one was asked (answer_headline.py). The
second line says where word scores disagree with the first line or with each other, and which to
believe (word_score_rules.py). Scores of embeddings are only named, because they have other scales.
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
    Entries,
    Finding,
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

# How many differences from the reference are named.
MAX_DIFFERENCES = 3
# The keys of first lines on texts that word scores cannot compare.
NOT_COMPARABLE = ("headline.empty_reference", "headline.other_characters")
# The keys of lines that are left out, because they only say that the scores agree.
LINES_OF_AGREEMENT = ("explain.line.same", "explain.line.agree")


class Explanation(NamedTuple):
    """The explanation of the scores of one answer.

    Attributes:
        line: the first line.
        reason: the second line.
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
    entries = {name: results[name].reasons for name in scores}
    word_scores = select_scores(scores, "words")
    verdicts = select_verdicts(scores, entries)
    if not scores:
        return Explanation(say("explain.line.none"))
    if len(word_scores) > 1 and is_empty_answer(word_scores, entries):
        return Explanation(say("explain.line.empty"))
    headline = describe_headline(results.get(ESTIMATE), verdicts, repeats_reference(word_scores))
    line = capitalize(str(headline.line))
    if has_different_references(results):
        return Explanation(line, describe_different_references(multi_reference))
    if len(word_scores) < 2 and ESTIMATE not in scores:
        only_scores = Note("explain.line.only", {"scores": join_scores(scores)})
        return Explanation(line, format_sentence(only_scores))
    if len(word_scores) < 2 or headline.line.key in NOT_COMPARABLE:
        return Explanation(line)
    finding = describe_disagreement(word_scores, entries, headline)
    reason = join_sentences(
        *describe_differences(entries.get(ESTIMATE, {}), headline),
        *describe_finding(finding),
        describe_embeddings(select_scores(scores, "embeddings"), entries),
        describe_judge_verdicts(verdicts),
    )
    is_from_estimate = headline.is_right is not None or headline.difference
    metric = ESTIMATE if is_from_estimate else finding.metric
    return Explanation(line, reason, metric, list_outlying_metrics(word_scores, headline))


def describe_different_references(multi_reference: str) -> str:
    """Return sentences that metrics read different references, and which ones."""
    differ = format_sentence(Note("explain.line.several"))
    references_of_lv_eval = say(f"explain.several_references.{multi_reference}")
    return join_sentences(differ, references_of_lv_eval)


def describe_finding(finding: Finding) -> list[str]:
    """Return the line of a finding as a sentence, and its reasons."""
    sentences = []
    if finding.line:
        sentences.append(format_sentence(finding.line))
    sentences += map(str, finding.reasons)
    return sentences


def select_scores(scores: Scores, kind: str) -> Scores:
    """Return the scores of one kind of metrics, without the estimate."""
    selected = {}
    for name, score in scores.items():
        if BY_NAME[name].kind == kind and name != ESTIMATE:
            selected[name] = score
    return selected


def select_verdicts(scores: Scores, entries: Entries) -> Scores:
    """Return the scores of judges that gave a verdict.

    A judge that said neither yes nor no has none, although its score is 0.
    """
    verdicts = {}
    for name, score in select_scores(scores, "judges").items():
        if entries[name].get("branch") != "neither":
            verdicts[name] = score
    return verdicts


def has_different_references(results: Mapping[str, MetricResult]) -> bool:
    """Return whether metrics read different references."""
    references = set()
    for result in results.values():
        if "reference" in result.reasons:
            references.add(result.reasons["reference"])
    return len(references) > 1


def is_empty_answer(word_scores: Scores, entries: Entries) -> bool:
    """Return whether the answer has no word that a metric could compare."""
    has_score = any(word_scores.values())
    has_tokens = any(entries[name].get("prediction_tokens") for name in word_scores)
    return not has_score and not has_tokens


def repeats_reference(word_scores: Scores) -> bool:
    """Return whether the answer is the reference almost word for word."""
    return len(word_scores) > 1 and min(word_scores.values()) >= SAME


def format_sentence(note: Note) -> str:
    """Return a note as a sentence."""
    return capitalize(say("difference.sentence", what=note))


def list_outlying_metrics(word_scores: Scores, headline: Headline) -> list[str]:
    """Return the metrics whose word scores are far from the median.

    Those that agree with the first line are left out.
    """
    if not word_scores:
        return []
    middle = median(word_scores.values())
    metrics = []
    for name, score in word_scores.items():
        agrees = headline.is_right == (score >= HIGH)
        if abs(score - middle) >= WIDE and not agrees:
            metrics.append(name)
    return metrics


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


def describe_disagreement(word_scores: Scores, entries: Entries, headline: Headline) -> Finding:
    """Return where word scores disagree with the first line or each other, and which to believe."""
    rule_finding = apply_rules(word_scores, entries)
    if rule_finding:
        # If the first line names a difference, a line that only case or order differ would
        # contradict it.
        if rule_finding.metric == KEYWORD_GATE or headline.difference is None:
            return rule_finding
        return rule_finding._replace(line=None)
    finding = describe_spread(word_scores, entries)
    if headline.is_right is None:
        return finding
    line_key = finding.line.key if finding.line else ""
    misleading = select_misleading_scores(word_scores, headline.is_right)
    if misleading:
        reasons: list[Note | str] = [describe_misleading(misleading, headline.is_right)]
        if line_key == "explain.line.long":
            reasons += finding.reasons
        reasons += describe_evidence(misleading, entries.get(ESTIMATE, {}))
        return Finding(None, reasons, ESTIMATE)
    if line_key in ("", *LINES_OF_AGREEMENT):
        return Finding(None, (), finding.metric)
    return finding


def select_misleading_scores(word_scores: Scores, is_right: bool) -> Scores:
    """Return the scores that are low for a right answer, or high for a wrong one."""
    return {name: score for name, score in word_scores.items() if is_misleading(score, is_right)}


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
    aurocs = {}
    for name, figures in data["scores"].items():
        if figures.get("overall"):
            auroc = figures["overall"][0]
            aurocs[name] = auroc
    misleading_aurocs = [aurocs[name] for name in misleading if aurocs.get(name) is not None]
    estimate_auroc = aurocs.get(ESTIMATE)
    is_probability = entry.get("interpretation") == PROBABILITY
    if not is_probability or estimate_auroc is None or not misleading_aurocs:
        return []
    best_misleading = max(misleading_aurocs)
    if estimate_auroc <= best_misleading:
        return []
    values = {
        "estimate": format_number(estimate_auroc),
        "words": format_number(best_misleading),
        "answers": data["answers"],
        "language": name_language(find_data_language(data)),
        "title": data["title"],
    }
    return [Note("explain.reason.believe", values)]


def describe_embeddings(scores: Scores, entries: Entries) -> str:
    """Return a sentence on the scores of embeddings; empty without any."""
    if not scores:
        return ""
    key = "explain.reason.near"
    for name in scores:
        reasons = entries[name]
        if reasons.get("prediction_unknown") or reasons.get("reference_unknown"):
            key = "explain.reason.near_unknown"
    return say(key, near=join_scores(scores))


def describe_judge_verdicts(verdicts: Scores) -> str:
    """Return a sentence on the verdicts of judges; empty without any."""
    if not verdicts:
        return ""
    return say("explain.reason.judged", judged=join_scores(verdicts))
