"""Rules that find where word scores mislead for one answer, and why.

A word score is the score of a metric without a model, such as BLEU. The rules are tried in order.
Each reads the modules' entries of `per_example`, and returns None if it does not apply.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from lens.scoring.catalog import BY_NAME, KEYWORD_GATE, LONGEST_SEQUENCE, WORD_ORDER
from lens.words import say
from lens.words.formats import cut_text, format_number, format_percent
from lens.words.notes import Note

# The scores by metric.
Scores = Mapping[str, float]
# The modules' entries of `per_example`, by metric.
Entries = Mapping[str, Mapping[str, Any]]

# A score is high from HIGH on, and low below LOW.
HIGH, LOW = 0.5, 0.4
# Scores are close if they differ by less than CLOSE, and far apart from WIDE on.
CLOSE, WIDE = 0.25, 0.3
# The lowest score of two texts that count as the same.
SAME = 0.99
# How many keywords a sentence names, and how many characters of each.
MAX_KEYWORDS, MAX_KEYWORD_LENGTH = 5, 40
# The warning of a module about words that differ only in their Unicode form.
UNICODE = "unicode"


class Finding(NamedTuple):
    """The finding of a rule, as notes.

    Attributes:
        line: the line; None if only the reasons are shown.
        reasons: the reasons for the line.
        metric: the metric whose card has details.
    """

    line: Note | None
    reasons: Sequence[Note | str] = ()
    metric: str = ""


def apply_rules(word_scores: Scores, entries: Entries) -> Finding | None:
    """Return the finding of the first rule that applies; None if no rule applies."""
    for rule in (find_other_unicode, find_gate, find_other_order, find_low_with_keywords):
        finding = rule(word_scores, entries)
        if finding:
            return finding
    return None


def find_other_unicode(word_scores: Scores, entries: Entries) -> Finding | None:
    """Find words that look the same to a reader, but differ for the metrics.

    The modules have a warning for them.
    """
    for name in word_scores:
        warnings = entries[name].get("warnings") or ()
        if UNICODE in warnings:
            reason = Note("explain.reason.unicode")
            return Finding(Note("explain.line.unicode"), [reason], name)
    return None


def find_gate(word_scores: Scores, entries: Entries) -> Finding | None:
    """Find that LV-Eval F1's gate failed, or that it passed although a keyword is missing.

    The gate sets the score to 0 if the answer has too few of the keywords.
    """
    entry = entries.get(KEYWORD_GATE, {})
    if not entry or entry["gate"] == "none":
        return None
    if entry["gate"] == "reference":
        return find_reference_gate(word_scores, entry)
    missing = entry["missing_keywords"]
    is_passed = entry["gate_passed"]
    is_high = word_scores[KEYWORD_GATE] >= HIGH
    is_too_high = missing and is_high
    if is_passed and not is_too_high:
        return None
    reasons: list[Note | str] = []
    if missing:
        keywords = list_keywords(missing)
        reasons.append(Note("explain.reason.missing", {"missing": keywords}))
    reasons.append(Note("explain.reason.gate", describe_keyword_recall(entry)))
    if is_passed:
        line = Note("explain.line.slipped")
    else:
        line = Note("explain.line.gate")
        reasons += describe_failed_gate(word_scores, entry)
    return Finding(line, reasons, KEYWORD_GATE)


def find_reference_gate(word_scores: Scores, entry: Mapping[str, Any]) -> Finding | None:
    """Find that the gate of LV-Eval F1 failed with the reference's own words as keywords.

    It is reported only if the gate alone makes the score low.
    """
    if entry["gate_passed"] or max(word_scores.values()) < HIGH:
        return None
    recall = Note("explain.reason.gate_reference", describe_keyword_recall(entry))
    line = Note("explain.line.gate_reference")
    return Finding(line, [recall, *describe_failed_gate(word_scores, entry)], KEYWORD_GATE)


def describe_keyword_recall(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return how many words of the keywords are found, and which share must be found."""
    found, total = count_keywords(entry)
    return {
        "found": found,
        "total": total,
        "threshold": format_percent(entry["min_keyword_recall"]),
    }


def describe_failed_gate(word_scores: Scores, entry: Mapping[str, Any]) -> list[Note]:
    """Return notes on blacklisted keywords, and on scores that are still high."""
    notes = []
    banned = entry["blacklisted_keywords"]
    if banned:
        keywords = list_keywords(banned)
        notes.append(Note("explain.reason.banned", {"banned": keywords}))
    high = {name: score for name, score in word_scores.items() if score >= HIGH}
    if high:
        scores = join_scores(high)
        notes.append(Note("explain.reason.high", {"scores": scores}))
    return notes


def find_other_order(word_scores: Scores, entries: Entries) -> Finding | None:
    """Find the words of the reference in other case or punctuation, or in another order.

    Only BLEU depends on case and punctuation. BLEU and ROUGE-L depend on the order, ROUGE-1 does
    not.
    """
    if LONGEST_SEQUENCE not in word_scores:
        return None
    rouge_l = word_scores[LONGEST_SEQUENCE]
    bleu = word_scores.get(WORD_ORDER, 1.0)
    ordered = {}
    for name in (WORD_ORDER, LONGEST_SEQUENCE):
        if name in word_scores:
            ordered[name] = word_scores[name]
    ordered_scores = join_scores(ordered)
    if rouge_l >= SAME and bleu <= 1 - WIDE:
        reason = Note("explain.reason.case", {"scores": ordered_scores})
        return Finding(Note("explain.line.case"), [reason], WORD_ORDER)
    rouge_1 = entries[LONGEST_SEQUENCE]["rouge1"]["fmeasure"]
    if rouge_1 < HIGH or rouge_1 - rouge_l < CLOSE:
        return None
    values = {"rouge1": format_number(rouge_1), "ordered": ordered_scores}
    reason = Note("explain.reason.scrambled", values)
    key = "explain.line.scrambled" if rouge_1 >= SAME else "explain.line.scrambled_many"
    return Finding(Note(key), [reason], LONGEST_SEQUENCE)


def find_low_with_keywords(word_scores: Scores, entries: Entries) -> Finding | None:
    """Find that every keyword is found but a score is low.

    Then the answer is long, short, or in other words.
    """
    entry = entries.get(KEYWORD_GATE, {})
    if entry.get("gate") != "answer_keywords":
        return None
    if entry["missing_keywords"] or entry["blacklisted_keywords"]:
        return None
    length = entry["prediction_length"]
    reference_length = entry["reference_length"]
    lowest = min(word_scores.values())
    if not reference_length or lowest >= LOW:
        return None
    if length >= 2 * reference_length:
        key = "long"
    elif reference_length >= 2 * length:
        key = "short"
    else:
        key = "reworded"
    values = {
        "ratio": length / reference_length,
        "length": length,
        "total": reference_length,
        "count": entry["overlap"],
    }
    line = Note(f"explain.line.{key}")
    reason = Note(f"explain.reason.{key}", values)
    return Finding(line, [reason], KEYWORD_GATE)


def describe_spread(word_scores: Scores, entries: Entries) -> Finding:
    """Return the finding if no rule applies.

    The answer has the whole reference in a long text, shares hardly a word with it, or is almost
    equal to it. Otherwise, the finding says how far apart the scores are, and what the lowest one
    measures.
    """
    lowest_metric, *_, highest_metric = sorted(word_scores, key=word_scores.__getitem__)
    lowest = word_scores[lowest_metric]
    highest = word_scores[highest_metric]
    if highest < LOW:
        return describe_low_scores(entries)
    if lowest >= SAME:
        return Finding(Note("explain.line.same"), metric=LONGEST_SEQUENCE)
    if highest - lowest < WIDE:
        ends = {"low": format_number(lowest), "high": format_number(highest)}
        return Finding(Note("explain.line.agree", ends), metric=LONGEST_SEQUENCE)
    ends = {
        "best": join_scores({highest_metric: highest}),
        "worst": join_scores({lowest_metric: lowest}),
    }
    metric = BY_NAME[lowest_metric]
    what_lowest_measures = metric.title + say("page.colon") + metric.measures
    return Finding(Note("explain.line.spread", ends), [what_lowest_measures], lowest_metric)


def describe_low_scores(entries: Entries) -> Finding:
    """Return the finding if all scores are low: a long answer may still have all words."""
    rouge1 = entries.get(LONGEST_SEQUENCE, {}).get("rouge1", {})
    if rouge1.get("recall", 0.0) < SAME:
        return Finding(None, [Note("explain.reason.low")], LONGEST_SEQUENCE)
    reason = Note("explain.reason.contained")
    return Finding(Note("explain.line.long"), [reason], LONGEST_SEQUENCE)


def count_keywords(entry: Mapping[str, Any]) -> tuple[int, int]:
    """Return how many words of the keywords count as found, and their total number."""
    matched = len(entry["matched_keywords"])
    missing = len(entry["missing_keywords"])
    blacklisted = len(entry["blacklisted_keywords"])
    return matched, matched + missing + blacklisted


def list_keywords(keywords: Sequence[str]) -> str:
    """Return distinct keywords as a text; if there are many, only the first."""
    names = [cut_text(keyword, MAX_KEYWORD_LENGTH) for keyword in dict.fromkeys(keywords)]
    if len(names) > MAX_KEYWORDS:
        names = [*names[:MAX_KEYWORDS], "…"]
    return say("page.list_comma").join(names)


def join_scores(scores: Scores) -> str:
    """Return scores as a text, such as "BLEU 0.88 and ROUGE-L 0.95"."""
    texts = []
    for name, score in scores.items():
        metric = BY_NAME[name]
        texts.append(f"{metric.title} {metric.format_score(score)}")
    *all_but_last, last = texts
    if not all_but_last:
        return last
    first = say("page.list_comma").join(all_but_last)
    return say("page.and_last", first=first, last=last)
