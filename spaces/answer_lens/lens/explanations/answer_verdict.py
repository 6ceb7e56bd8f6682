"""What the scores of one answer come to: one line, its reason, and the card that explains it.

What differs between answer and reference comes first, as correctness_estimate names it: whatever the scores say, a
number that differs is the news. Then a judge that contradicts the words, then where the scores of words disagree, and
why. Those rules are tried in order, the most telling first; each looks at the reasons that the modules give and says
nothing where it does not apply. Scores of embeddings, whose scales are their own, are only named.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any, NamedTuple

from lens.explanations.agreement_with_people import PROBABILITY
from lens.explanations.estimate_reasons import (
    DIFFERENCES,
    SAME_VALUE,
    capitalize,
    describe_difference,
    describe_difference_line,
    describe_reason,
    describe_same_value,
)
from lens.scoring.catalog import BY_NAME, ESTIMATE, KEYWORD_GATE, LONGEST_SEQUENCE, WORD_ORDER
from lens.scoring.metric_result import MetricResult
from lens.words import say, sentences
from lens.words.formats import cut, number, percent
from lens.words.notes import Note

# Scores by metric, and the reasons that their modules give.
Scores = Mapping[str, float]
Reasons = Mapping[str, Mapping[str, Any]]

# Scores above, below, this far apart, and from which on two texts are the same.
HIGH, LOW, CLOSE, WIDE, SAME = 0.5, 0.4, 0.25, 0.3, 0.99
# From here on, and from there down, a judge is called sure, and an estimate.
SURE, SURE_NOT = 0.9, 0.1
MAX_KEYWORDS_SAID, MAX_KEYWORD, MAX_DIFFERENCES = 5, 40, 3
# The warning of a module on words that differ only in how Unicode writes them.
UNICODE = "unicode"


class Verdict(NamedTuple):
    """One line, its reason, the metric whose card explains it, and the scores that stand apart from most."""

    line: str
    reason: str = ""
    metric: str = ""
    apart: Sequence[str] = ()


class Finding(NamedTuple):
    """What a rule finds: a line and its reasons, not yet in words, and the metric whose card explains it."""

    line: Note
    reasons: Sequence[Note | str] = ()
    metric: str = ""


def verdict(results: Mapping[str, MetricResult], multi_reference: str = "first") -> Verdict:
    """Return what the results for one answer come to; those without a score are passed over.

    Where they read different references, which one a word is missing from is the metric's own matter.
    """
    if has_several_references(results):
        return Verdict(say("l_several"), say(f"several_{multi_reference}"))
    scores = {name: one.score for name, one in results.items() if one.score is not None}
    why = {name: results[name].reasons for name in scores}
    words, near, judged = (choose_kind(scores, kind) for kind in ("words", "embeddings", "judges"))
    # A judge that said neither yes nor no said nothing, though its score is 0.
    judged = {name: score for name, score in judged.items() if why[name].get("branch") != "neither"}
    if len(words) < 2:
        return Verdict(say("l_only", scores=describe_scores(scores)) if scores else say("l_none"))
    if is_empty_answer(words, why):
        return Verdict(say("l_empty"))
    finding = choose_finding(scores, words, judged, why)
    reason = sentences(*map(str, finding.reasons), describe_near(near, why), describe_judged(judged))
    # An embedding has a scale of its own.
    middle = median(words.values())
    apart = [name for name, score in scores.items() if name not in near and abs(score - middle) >= WIDE]
    return Verdict(capitalize(str(finding.line)), reason, finding.metric, apart)


def has_several_references(results: Mapping[str, MetricResult]) -> bool:
    """Return whether not all metrics read the same of several references."""
    places = {one.reasons["reference"] for one in results.values() if "reference" in one.reasons}
    return len(places) > 1


def is_empty_answer(words: Scores, why: Reasons) -> bool:
    """Return whether the answer has no word that a score could compare."""
    return not any(words.values()) and not any(why[name].get("prediction_tokens") for name in words)


def choose_finding(scores: Scores, words: Scores, judged: Scores, why: Reasons) -> Finding:
    """Return the most telling of what the rules find."""
    rule = apply_rules(words, why)
    finding = rule or describe_spread(words, why)
    if finding.line.key == "l_low":
        finding = describe_sure_estimate(scores.get(ESTIMATE), why) or finding
    contradiction = find_contradiction(words, judged)
    if contradiction:
        finding = finding._replace(line=contradiction, metric=next(iter(judged)))
    return describe_estimate(words, why.get(ESTIMATE, {}), rule) or finding


def apply_rules(words: Scores, why: Reasons) -> Finding | None:
    """Return what the first rule finds that applies."""
    for rule in (find_other_unicode, find_gate, find_other_order, find_low_with_keywords):
        finding = rule(words, why)
        if finding:
            return finding
    return None


def describe_sure_estimate(estimate: float | None, why: Reasons) -> Finding | None:
    """Return the line on an estimate that is sure, if it is a probability: of short facts, as it was learned from."""
    if estimate is None or why[ESTIMATE].get("interpretation") != PROBABILITY:
        return None
    values = {"estimate": percent(estimate)}
    if estimate > SURE:
        return Finding(Note("l_sure_right", values), [Note("v_sure_right")], ESTIMATE)
    return Finding(Note("l_sure_wrong", values), metric=ESTIMATE) if estimate < SURE_NOT else None


def describe_estimate(words: Scores, entry: Mapping[str, Any], rule: Finding | None) -> Finding | None:
    """Return what the estimate's reasons say: the same value, or what differs where the answer does not count as right.

    Args:
        words: the scores of words.
        entry: what the estimate gives.
        rule: what a rule found, which is said below.
    """
    reasons = entry.get("reasons", ())
    if reasons and reasons[0]["kind"] == SAME_VALUE:
        below = [Note("d_sentence", {"what": rule.line}), *rule.reasons] if rule else []
        return Finding(describe_same_value(reasons[0]), below, ESTIMATE)
    differences = [reason for reason in reasons if reason["kind"] in DIFFERENCES]
    if not differences or entry.get("right"):
        return None
    high = describe_high(words)
    line = describe_difference_line(differences[0], bool(high))
    said = describe_difference(differences[0]) if line.is_full else None
    below = [describe_reason(one) for one in differences[:MAX_DIFFERENCES] if describe_difference(one) != said]
    return Finding(line.note, [*below, *(rule.reasons if rule else high)], ESTIMATE)


def choose_kind(scores: Scores, kind: str) -> Scores:
    """Return the scores of one kind of metrics, without the estimate, a probability among scores."""
    return {name: score for name, score in scores.items() if BY_NAME[name].kind == kind and name != ESTIMATE}


def describe_scores(scores: Scores) -> str:
    """Return scores as words: "BLEU 0.88 and ROUGE-L 0.95"."""
    *first, last = (f"{BY_NAME[name].title} {BY_NAME[name].shown(score)}" for name, score in scores.items())
    return say("and_last", first=say("list_comma").join(first), last=last) if first else last


def describe_near(near: Scores, why: Reasons) -> str:
    """Return what the scores of embeddings are worth; nothing without any."""
    if not near:
        return ""
    unknown = any(why[name].get(f"{side}_unknown") for name in near for side in ("prediction", "reference"))
    return say("v_near_unknown" if unknown else "v_near", near=describe_scores(near))


def describe_judged(judged: Scores) -> str:
    """Return the verdicts of judges; nothing without any."""
    return say("v_judged", judged=describe_scores(judged)) if judged else ""


def describe_high(words: Scores) -> list[Note]:
    """Return which scores of words are high all the same; nothing where none is."""
    high = {name: score for name, score in words.items() if score >= HIGH}
    return [Note("v_high", {"scores": describe_scores(high)})] if high else []


def list_keywords(words: Sequence[str]) -> str:
    """Return different keywords as words, not all of them where there are many."""
    shown = [cut(word, MAX_KEYWORD) for word in dict.fromkeys(words)]
    if len(shown) > MAX_KEYWORDS_SAID:
        shown = [*shown[:MAX_KEYWORDS_SAID], "…"]
    return say("list_comma").join(shown)


def find_contradiction(words: Scores, judged: Scores) -> Note | None:
    """Return the line on judges that contradict each other, or all the scores of words; nothing where none does."""
    is_right = any(score >= SURE for score in judged.values())
    is_wrong = any(score <= SURE_NOT for score in judged.values())
    if is_right and is_wrong:
        return Note("l_judges_split")
    if is_right and max(words.values()) <= LOW:
        return Note("l_judged_right")
    if is_wrong and min(words.values()) >= HIGH:
        return Note("l_distrust", {"what": Note("d_judged")})
    return None


def find_other_unicode(words: Scores, why: Reasons) -> Finding | None:
    """Find words that are the same to a reader, and not to the scores of words, as the modules warn."""
    for name in words:
        if UNICODE in (why[name].get("warnings") or ()):
            return Finding(Note("l_unicode"), [Note("v_unicode")], name)
    return None


def find_gate(words: Scores, why: Reasons) -> Finding | None:
    """Find that the gate of LV-Eval F1 is not met, or that it is though a keyword is missing."""
    gated = why.get(KEYWORD_GATE, {})
    if not gated or gated["gate"] == "none":
        return None
    is_passed, is_reference = gated["gate_passed"], gated["gate"] == "reference"
    missing = [] if is_reference else gated["missing_keywords"]
    if is_passed and (not missing or words[KEYWORD_GATE] < HIGH):
        return None
    reasons = []
    if missing:
        reasons.append(Note("v_missing", {"missing": list_keywords(missing)}))
    found, total = keyword_counts(gated)
    needed = {"found": found, "total": total, "threshold": percent(gated["min_keyword_recall"])}
    reasons.append(Note("v_gate_reference" if is_reference else "v_gate", needed))
    if not is_passed:
        banned = gated["blacklisted_keywords"]
        reasons += [Note("v_banned", {"banned": list_keywords(banned)})] if banned else []
        reasons += describe_high(words)
    return Finding(Note("l_slipped" if is_passed else "l_gate"), reasons, KEYWORD_GATE)


def find_other_order(words: Scores, why: Reasons) -> Finding | None:
    """Find the same words but for case and punctuation, which BLEU alone minds; or they, or many, in another order."""
    if LONGEST_SEQUENCE not in words:
        return None
    unordered, longest = why[LONGEST_SEQUENCE]["rouge1"]["fmeasure"], words[LONGEST_SEQUENCE]
    bleu = words.get(WORD_ORDER, 1.0)
    ordered = describe_scores({name: words[name] for name in (WORD_ORDER, LONGEST_SEQUENCE) if name in words})
    if longest >= SAME and bleu <= 1 - WIDE:
        return Finding(Note("l_case"), [Note("v_case", {"scores": ordered})], WORD_ORDER)
    if unordered < HIGH or unordered - longest < CLOSE:
        return None
    reason = Note("v_scrambled", {"rouge1": number(unordered), "ordered": ordered})
    return Finding(Note("l_scrambled" if unordered >= SAME else "l_scrambled_many"), [reason], LONGEST_SEQUENCE)


def find_low_with_keywords(words: Scores, why: Reasons) -> Finding | None:
    """Find that every keyword is there, and scores are low: the answer is long, short, or in other words."""
    gated = why.get(KEYWORD_GATE, {})
    if gated.get("gate") != "answer_keywords" or gated["missing_keywords"] or gated["blacklisted_keywords"]:
        return None
    length, total = gated["prediction_length"], gated["reference_length"]
    if not total or min(words.values()) >= LOW:
        return None
    key = "short" if total >= 2 * length else "reworded"
    if length >= 2 * total:
        key = "long"
    values = {"ratio": length / total, "length": length, "total": total, "count": gated["overlap"]}
    return Finding(Note(f"l_{key}"), [Note(f"v_{key}", values)], KEYWORD_GATE)


def describe_spread(words: Scores, why: Reasons) -> Finding:
    """Return what holds where no rule applies.

    All of the reference stands among much else, hardly a word is shared, or it is almost the reference itself; else
    how far apart the scores are, and what the lowest of them asks.
    """
    low, *_, high = sorted(words, key=words.__getitem__)
    if words[high] < LOW:
        recall = why.get(LONGEST_SEQUENCE, {}).get("rouge1", {}).get("recall", 0.0)
        if recall >= SAME:
            return Finding(Note("l_long"), [Note("v_contained")], LONGEST_SEQUENCE)
        return Finding(Note("l_low"), [Note("v_low")], LONGEST_SEQUENCE)
    if words[low] >= SAME:
        return Finding(Note("l_same"), metric=LONGEST_SEQUENCE)
    if words[high] - words[low] < WIDE:
        has_no_keywords = why.get(KEYWORD_GATE, {}).get("gate") in ("none", "reference")
        ends = {"low": number(words[low]), "high": number(words[high])}
        return Finding(Note("l_agree", ends), [Note("v_no_keywords")] if has_no_keywords else [], LONGEST_SEQUENCE)
    ends = {"best": describe_scores({high: words[high]}), "worst": describe_scores({low: words[low]})}
    metric = BY_NAME[low]
    return Finding(Note("l_spread", ends), [metric.title + say("colon") + metric.measures], low)


def keyword_counts(reason: Mapping[str, Any]) -> tuple[int, int]:
    """Return how many words of the keywords count as found, and how many there are."""
    sizes = [len(reason[f"{kind}_keywords"]) for kind in ("matched", "missing", "blacklisted")]
    return sizes[0], sum(sizes)
