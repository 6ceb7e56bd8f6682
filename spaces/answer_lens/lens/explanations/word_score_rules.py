"""Rules that find where metrics without a model mislead for one answer, and why.

The rules are tried in order. Each reads the reasons of the modules, and returns None if it does not
apply.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from lens.scoring.catalog import BY_NAME, KEYWORD_GATE, LONGEST_SEQUENCE, WORD_ORDER
from lens.words import say
from lens.words.formats import cut_text, format_number, format_percent
from lens.words.notes import Note

# The scores by metric, and the reasons of their modules.
Scores = Mapping[str, float]
Reasons = Mapping[str, Mapping[str, Any]]

# A score is high from HIGH on, and low below LOW.
HIGH, LOW = 0.5, 0.4
# Scores are close if they differ by less than CLOSE, and far apart from WIDE on.
CLOSE, WIDE = 0.25, 0.3
# The lowest score of two texts that count as the same.
SAME = 0.99
MAX_KEYWORDS_SAID, MAX_KEYWORD = 5, 40
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


def apply_rules(words: Scores, why: Reasons) -> Finding | None:
    """Return the finding of the first rule that applies; None if no rule applies."""
    for rule in (find_other_unicode, find_gate, find_other_order, find_low_with_keywords):
        finding = rule(words, why)
        if finding:
            return finding
    return None


def find_other_unicode(words: Scores, why: Reasons) -> Finding | None:
    """Find words that look the same to a reader, but differ for the metrics.

    The modules have a warning for them.
    """
    for name in words:
        if UNICODE in (why[name].get("warnings") or ()):
            return Finding(Note("explain.line.unicode"), [Note("explain.reason.unicode")], name)
    return None


def find_gate(words: Scores, why: Reasons) -> Finding | None:
    """Find that the gate of LV-Eval F1 failed, or that it passed although a keyword is missing."""
    entry = why.get(KEYWORD_GATE, {})
    if not entry or entry["gate"] == "none":
        return None
    if entry["gate"] == "reference":
        return find_reference_gate(words, entry)
    missing = entry["missing_keywords"]
    is_passed = entry["gate_passed"]
    if is_passed and (not missing or words[KEYWORD_GATE] < HIGH):
        return None
    reasons: list[Note | str] = []
    if missing:
        reasons.append(Note("explain.reason.missing", {"missing": list_keywords(missing)}))
    reasons.append(Note("explain.reason.gate", describe_keyword_recall(entry)))
    if is_passed:
        return Finding(Note("explain.line.slipped"), reasons, KEYWORD_GATE)
    reasons += describe_failed_gate(words, entry)
    return Finding(Note("explain.line.gate"), reasons, KEYWORD_GATE)


def find_reference_gate(words: Scores, entry: Mapping[str, Any]) -> Finding | None:
    """Find that the gate of LV-Eval F1 failed with the reference's own words as keywords.

    It is reported only if the gate alone makes the score low.
    """
    if entry["gate_passed"] or max(words.values()) < HIGH:
        return None
    reasons: list[Note | str] = [
        Note("explain.reason.gate_reference", describe_keyword_recall(entry))
    ]
    reasons += describe_failed_gate(words, entry)
    return Finding(Note("explain.line.gate_reference"), reasons, KEYWORD_GATE)


def describe_keyword_recall(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return how many words of the keywords are found, and which share is needed."""
    found, total = count_keywords(entry)
    needed = format_percent(entry["min_keyword_recall"])
    return {"found": found, "total": total, "threshold": needed}


def describe_failed_gate(words: Scores, entry: Mapping[str, Any]) -> list[Note]:
    """Return notes on blacklisted keywords, and on scores that are still high."""
    notes = []
    banned = entry["blacklisted_keywords"]
    if banned:
        notes.append(Note("explain.reason.banned", {"banned": list_keywords(banned)}))
    high = {name: score for name, score in words.items() if score >= HIGH}
    if high:
        notes.append(Note("explain.reason.high", {"scores": describe_scores(high)}))
    return notes


def find_other_order(words: Scores, why: Reasons) -> Finding | None:
    """Find the words of the reference in other case or punctuation, or in another order.

    Only BLEU depends on case and punctuation.
    """
    if LONGEST_SEQUENCE not in words:
        return None
    longest = words[LONGEST_SEQUENCE]
    ordered = {name: words[name] for name in (WORD_ORDER, LONGEST_SEQUENCE) if name in words}
    if longest >= SAME and words.get(WORD_ORDER, 1.0) <= 1 - WIDE:
        reason = Note("explain.reason.case", {"scores": describe_scores(ordered)})
        return Finding(Note("explain.line.case"), [reason], WORD_ORDER)
    unordered = why[LONGEST_SEQUENCE]["rouge1"]["fmeasure"]
    if unordered < HIGH or unordered - longest < CLOSE:
        return None
    values = {"rouge1": format_number(unordered), "ordered": describe_scores(ordered)}
    reason = Note("explain.reason.scrambled", values)
    line = "explain.line.scrambled" if unordered >= SAME else "explain.line.scrambled_many"
    return Finding(Note(line), [reason], LONGEST_SEQUENCE)


def find_low_with_keywords(words: Scores, why: Reasons) -> Finding | None:
    """Find that every keyword is found but scores are low.

    Then the answer is long, short, or in other words.
    """
    entry = why.get(KEYWORD_GATE, {})
    if entry.get("gate") != "answer_keywords":
        return None
    if entry["missing_keywords"] or entry["blacklisted_keywords"]:
        return None
    length, total = entry["prediction_length"], entry["reference_length"]
    if not total or min(words.values()) >= LOW:
        return None
    if length >= 2 * total:
        key = "long"
    elif total >= 2 * length:
        key = "short"
    else:
        key = "reworded"
    values = {
        "ratio": length / total,
        "length": length,
        "total": total,
        "count": entry["overlap"],
    }
    reason = Note(f"explain.reason.{key}", values)
    return Finding(Note(f"explain.line.{key}"), [reason], KEYWORD_GATE)


def describe_spread(words: Scores, why: Reasons) -> Finding:
    """Return the finding if no rule applies.

    The answer has the whole reference in a long text, shares hardly a word with it, or is almost
    equal to it. Otherwise, the finding says how far apart the scores are, and what the lowest one
    measures.
    """
    low, *_, high = sorted(words, key=words.__getitem__)
    if words[high] < LOW:
        recall = why.get(LONGEST_SEQUENCE, {}).get("rouge1", {}).get("recall", 0.0)
        if recall < SAME:
            return Finding(None, [Note("explain.reason.low")], LONGEST_SEQUENCE)
        reason = Note("explain.reason.contained")
        return Finding(Note("explain.line.long"), [reason], LONGEST_SEQUENCE)
    if words[low] >= SAME:
        return Finding(Note("explain.line.same"), metric=LONGEST_SEQUENCE)
    if words[high] - words[low] < WIDE:
        ends = {"low": format_number(words[low]), "high": format_number(words[high])}
        return Finding(Note("explain.line.agree", ends), metric=LONGEST_SEQUENCE)
    best = describe_scores({high: words[high]})
    worst = describe_scores({low: words[low]})
    metric = BY_NAME[low]
    question = metric.title + say("page.colon") + metric.measures
    return Finding(Note("explain.line.spread", {"best": best, "worst": worst}), [question], low)


def count_keywords(entry: Mapping[str, Any]) -> tuple[int, int]:
    """Return how many words of the keywords count as found, and their total number."""
    sizes = [len(entry[f"{kind}_keywords"]) for kind in ("matched", "missing", "blacklisted")]
    return sizes[0], sum(sizes)


def list_keywords(words: Sequence[str]) -> str:
    """Return distinct keywords as a text; if there are many, only the first."""
    shown = [cut_text(word, MAX_KEYWORD) for word in dict.fromkeys(words)]
    if len(shown) > MAX_KEYWORDS_SAID:
        shown = [*shown[:MAX_KEYWORDS_SAID], "…"]
    return say("page.list_comma").join(shown)


def describe_scores(scores: Scores) -> str:
    """Return scores as a text, such as "BLEU 0.88 and ROUGE-L 0.95"."""
    texts = []
    for name, score in scores.items():
        metric = BY_NAME[name]
        texts.append(f"{metric.title} {metric.shown(score)}")
    if len(texts) == 1:
        return texts[0]
    return say("page.and_last", first=say("page.list_comma").join(texts[:-1]), last=texts[-1])
